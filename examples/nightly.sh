#!/bin/sh
# nightly.sh DIR TIME COMPILER...: tests a compiler build, for cron or a CI job.
#
# First the bugs that are known in DIR: which does this build still have, which are gone?  Then a hunt of TIME
# (such as 30m) that goes on where the last night's stopped.
# Exit status: 0 nothing new, 1 a new bug, 2 it could not be done.
set -u
[ $# -ge 3 ] || { echo "usage: nightly.sh DIR TIME COMPILER..." >&2; exit 2; }
dir=$1 time=$2
shift 2
cupel=${CUPEL:-cupel}

bugs() { "$cupel" list "$dir" --json | jq length; }

known=0
if [ -e "$dir/cupel.db" ]; then
    known=$(bugs)
    [ "$known" = 0 ] || "$cupel" recheck "$dir"
    [ $? -le 1 ] || exit 2
fi

# --cc A --cc B ...
first=yes
for compiler; do
    [ $first = no ] || set --
    first=no
    set -- "$@" --cc "$compiler"
done
"$cupel" hunt "$dir" --time "$time" "$@"
[ $? -le 1 ] || exit 2

now=$(bugs)
if [ "$now" -gt "$known" ]; then
    echo "nightly.sh: $((now - known)) new in $dir:" >&2
    "$cupel" list "$dir"
    exit 1
fi
echo "nightly.sh: nothing new; $known known in $dir" >&2
