#!/bin/sh
# The proof of `cupel hunt`: every faulty compiler of the table is found out within a minute, with
# the verdict of its row, and nothing is said of the compilers that they are made of.
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

# hunt CAMPAIGN STOP COMPILER FLAGS: sets seconds and the list of findings, CAMPAIGN.json
hunt() {
    campaign=$dir/$1 stop=$2 compiler=$3 flags=$4
    rm -rf "$campaign"
    set -- "$campaign" --time "$time" --jobs 2
    [ "$stop" = 0 ] || set -- "$@" --stop-after "$stop"
    for flag in $flags; do
        set -- "$@" --cc "$compiler $flag"
    done
    from=$(date +%s)
    "$cupel" hunt "$@" >"$campaign.log" 2>&1
    seconds=$(($(date +%s) - from))
    "$cupel" list "$campaign" --json >"$campaign.json" || { tail -3 "$campaign.log" >&2; exit 2; }
}

# found NAME: the row's verdict is among the findings, and there are as many as the row says
found() {
    wanted=$(bank_field "$1" verdict) number=$(bank_field "$1" findings)
    grade=$(jq -r --arg v "$wanted" 'map(select(.verdict == $v)) | .[0].grade // empty' "$dir/$1.json")
    count=$(jq length "$dir/$1.json")
    verdict=$(jq -r 'map(.verdict) | unique | join(", ")' "$dir/$1.json")
    [ -n "$grade" ] && { [ "$number" = '?' ] || [ "$number" = "$count" ]; }
}

failed=0
[ $# -gt 0 ] || eval "set -- $(bank_names | tr '\n' ' ')"
printf '%-14s %-4s %8s %9s  %-10s %s\n' compiler '' seconds findings grade verdicts
for name; do
    bank_wrap "$dir/bin" "$name"
    # a row that says how many there are gets its time to show more
    stop=1
    [ "$(bank_field "$name" findings)" = '?' ] || stop=0
    hunt "$name" $stop "$dir/bin/$name" "$(bank_field "$name" hunt)"
    if found "$name"; then ok=ok; else ok=BAD failed=1; fi
    printf '%-14s %-4s %8d %9d  %-10s %s\n' "$name" $ok $seconds "$count" "$grade" "$verdict"
done

# The plain compilers, with all flags that they were hunted with above.
for base in $(for name; do bank_field "$name" base; done | sort -u); do
    flags=$(for name; do
        [ "$(bank_field "$name" base)" = "$base" ] && bank_field "$name" hunt
    done | tr ' ' '\n' | sort -u | tr '\n' ' ')
    hunt "$base" 0 "$base" "$flags"
    count=$(jq length "$dir/$base.json")
    verdict=$(jq -r 'map(.verdict) | unique | join(", ")' "$dir/$base.json")
    if [ "$count" = 0 ]; then ok=ok; else ok=BAD failed=1; fi
    printf '%-14s %-4s %8d %9d  %-10s %s\n' "$base" $ok $seconds "$count" '' "$verdict"
done
exit $failed
