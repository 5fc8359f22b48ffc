#!/bin/sh
# The proof of `cupel hunt`: every faulty compiler of the table is found out within a minute, with
# the verdict of its row, and nothing is said of the gcc and clang that they are made of.
#
#   tests/bank/run.sh [NAME...]     all rows, or these
#
# CUPEL names the binary; SECONDS_EACH is the time for one hunt (60).  The campaigns stay in BANK_DIR
# when that is given.  Exit status: 0 all found and nothing else, 1 not so, 2 cannot.
set -u
bank=$(cd "$(dirname "$0")" && pwd)
cupel=${CUPEL:-$bank/../../build/cupel}
time=${SECONDS_EACH:-60}
# shellcheck source=tests/bank/bank.sh
. "$bank/bank.sh"
for tool in jq gcc clang-19 tcc; do
    command -v "$tool" >/dev/null || { echo "run.sh: $tool is missing: run tools/setup" >&2; exit 2; }
done
if [ -n "${BANK_DIR:-}" ]; then
    mkdir -p "$BANK_DIR" && dir=$(cd "$BANK_DIR" && pwd) || exit 2
else
    dir=$(mktemp -d) || exit 2
    trap 'rm -rf "$dir"' EXIT
fi
mkdir -p "$dir/bin" || exit 2

# hunt SECONDS STOP COMPILER FLAGS: in $campaign, which goes on where it was; its findings as $campaign.json
hunt() {
    set -- "$1" "$2" "$3" "$4" "$campaign" --time "$1" --jobs 2
    [ "$2" = 0 ] || set -- "$@" --stop-after "$2"
    for flag in $4; do
        [ "$flag" = drawn ] && flag=''
        set -- "$@" --cc "$3${flag:+ $flag}"
    done
    shift 4
    "$cupel" hunt "$@" >>"$campaign.log" 2>&1
    [ $? -le 1 ] && "$cupel" list "$campaign" --json >"$campaign.json"
    [ $? -le 1 ] || { tail -3 "$campaign.log" >&2; exit 2; }
}

# start NAME: a new campaign
start() {
    campaign=$dir/$1
    rm -rf "$campaign" "$campaign.log"
    mkdir "$campaign"
    from=$(date +%s)
}

# tell NAME OK GRADE: a line of the table
tell() {
    [ "$2" = ok ] || failed=1
    printf '%-14s %-4s %8d %9d  %-10s %s\n' "$1" "$2" $(($(date +%s) - from)) "$(jq length "$campaign.json")" \
        "$3" "$(jq -r 'map(.verdict) | unique | join(", ")' "$campaign.json")"
}

# the grade of the first finding with the row's verdict; nothing when there is none
grade_of() {
    jq -r --arg v "$(bank_field "$1" verdict)" 'map(select(.verdict == $v)) | .[0].grade // empty' "$campaign.json"
}

count_of() {
    jq --arg v "$(bank_field "$1" verdict)" 'map(select(.verdict == $v)) | length' "$campaign.json"
}

# A row is hunted until its verdict is there.  One that says how many findings there are gets all
# its time, to show more.
hunt_row() {
    bank_wrap "$dir/bin" "$1"
    start "$1"
    number=$(bank_field "$1" findings) left=$time grade='' stop=1
    [ "$number" = '?' ] || stop=0
    # the time that it takes to see that a compiler hangs, twice, is not what is tested
    [ "$(bank_field "$1" verdict)" = compiler-hang ] && echo 'compile-timeout = 5s' >"$campaign/cupel.conf"
    while [ -z "$grade" ] && [ "$left" -gt 0 ]; do
        hunt "$left" $stop "$dir/bin/$1" "$(bank_field "$1" hunt)"
        grade=$(grade_of "$1")
        left=$((time - ($(date +%s) - from)))
    done
    ok=ok
    [ -n "$grade" ] || ok=BAD
    [ "$number" = '?' ] || [ "$number" = "$(count_of "$1")" ] || ok=BAD
    tell "$1" $ok "$grade"
}

failed=0
[ $# -gt 0 ] || eval "set -- $(bank_names | tr '\n' ' ')"
printf '%-14s %-4s %8s %9s  %-10s %s\n' compiler '' seconds findings grade verdicts
for name; do
    hunt_row "$name"
done

# The plain compilers, with all flags that they were hunted with above, but for drawn ones, which find
# their own faults.  tcc has faults of its own:
# what is found in it is told, and is to be looked at, but proves nothing about us.
for base in $(for name; do bank_field "$name" base; done | sort -u); do
    flags=$(for name; do
        [ "$(bank_field "$name" base)" = "$base" ] && bank_field "$name" hunt
    done | tr ' ' '\n' | grep -v drawn | sort -u | tr '\n' ' ')
    [ -n "$flags" ] || continue
    start "$base"
    hunt "$time" 0 "$base" "$flags"
    ok=ok
    [ "$base" = tcc ] || [ "$(jq length "$campaign.json")" = 0 ] || ok=BAD
    tell "$base" $ok ''
done
exit $failed
