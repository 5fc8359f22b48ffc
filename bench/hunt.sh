#!/bin/bash
# cupel hunt beside a shell loop around csmith, in one run.
#   CUPEL=build/cupel bench/hunt.sh [SECONDS]
# Prints the share of the CPU that goes into compilers and compiled programs with default settings,
# and bytes of program tested per CPU hour with gcc -O1, -O2 and -O3, ours and csmith's (which needs
# a -O0 build for reference), and the ratio.  CPU time counts, so a busy machine does no harm.
set -eu
seconds=${1:-60}
cupel=$(realpath "${CUPEL:-build/cupel}")
gcc=${GCC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# cpu COMMAND...: user and system seconds of it and all that it waited for, in $used
cpu() {
    local TIMEFORMAT='%U %S'
    used=$({ time "$@" >out 2>err || [ $? -le 1 ]; } 2>&1 | awk '{ print $1 + $2 }')
}

cpu "$cupel" hunt wide --time "$seconds" --seed 1
share=$("$cupel" status wide --json | jq .job_cpu)
echo "default settings, $seconds s: $("$cupel" status wide --json | jq .compiles) compilations," \
    "$(awk "BEGIN { printf \"%.1f%%\", 100 * $share / $used }") of the CPU in compilers and programs (goal 95%)"

cpu "$cupel" hunt ours --time "$seconds" --seed 1 --mode plain,small,large \
    --cc "$gcc -O1" --cc "$gcc -O2" --cc "$gcc -O3"
ours=$("$cupel" status ours --json | jq ".bytes / $used * 3600 / 1e6")
echo "cupel hunt: $("$cupel" status ours --json | jq .compiles) compilations, $used CPU s"

csmith_loop() {
    local end=$((SECONDS + seconds)) seed=1 bytes=0 level reference
    while [ $SECONDS -lt $end ]; do
        csmith --seed $seed >t.c
        seed=$((seed + 1))
        $gcc -w -I/usr/include/csmith -O0 t.c -o t0
        reference=$(timeout 10 ./t0) || continue
        for level in 1 2 3; do
            $gcc -w -I/usr/include/csmith -O$level t.c -o t$level
            [ "$(timeout 10 ./t$level)" = "$reference" ] || echo "seed $seed differs at -O$level" >>differs
            bytes=$((bytes + $(stat -c %s t.c)))
        done
    done
    echo $bytes >bytes
}
cpu csmith_loop
theirs=$(awk "BEGIN { print $(cat bytes) / $used * 3600 / 1e6 }")
echo "csmith in a shell loop: $used CPU s"
awk "BEGIN { printf \"program text tested per CPU hour: cupel %.0f MB, csmith %.0f MB: %.2f times as much\\n\", $ours, $theirs, $ours / $theirs }"
