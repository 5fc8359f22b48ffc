#!/bin/bash
# cupel hunt beside a shell loop around csmith, in one run.
#   CUPEL=build/cupel bench/hunt.sh [SECONDS]
# Prints the share of the CPU that goes into compilers and compiled programs with default settings;
# then machine code made per second of compiling, by strategy and by csmith, and machine code tested
# per CPU hour with gcc -O1, -O2 and -O3: ours, and csmith's, which needs a -O0 build for reference.
# Source text is no measure: a byte of ours makes several times the code of a byte of csmith's.
# CPU time counts, so a busy machine does no harm.
set -eu
seconds=${1:-60}
cupel=$(realpath "${CUPEL:-build/cupel}")
gcc=${GCC:-gcc}
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# shellcheck source=bench/code.bash
. "$here/code.bash"

cpu "$cupel" hunt wide --time "$seconds" --seed 1
share=$("$cupel" status wide --json | jq .job_cpu)
echo "default settings, $seconds s: $("$cupel" status wide --json | jq .compiles) compilations," \
    "$(awk "BEGIN { printf \"%.1f%%\", 100 * $share / $used }") of the CPU in compilers and programs (goal 95%)"

# ---- code per second of compiling ---------------------------------------------------------

for kind in csmith small plain large; do
    case $kind in small) count=60 ;; plain) count=20 ;; *) count=6 ;; esac
    made $kind $count
    [ $kind = csmith ] && csmith_rate=$rate csmith_density=$density
    [ $kind = small ] && small_density=$density
    awk "BEGIN { printf \"%-7s %6.1f KB of code per compile second, %4.2f of csmith's; %.2f bytes of code per byte of source\\n\", \
        \"$kind\", $rate, $rate / $csmith_rate, $density }"
done

# ---- code tested per CPU hour ---------------------------------------------------------------

cpu "$cupel" hunt ours --time "$seconds" --seed 1 --mode small --cc "$gcc -O1" --cc "$gcc -O2" --cc "$gcc -O3"
ours=$("$cupel" status ours --json | jq ".bytes * $small_density / $used * 3600 / 1e6")
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
theirs=$(awk "BEGIN { print $(cat bytes) * $csmith_density / $used * 3600 / 1e6 }")
echo "csmith in a shell loop: $used CPU s"
awk "BEGIN { printf \"machine code tested per CPU hour: cupel %.0f MB, csmith %.0f MB: %.2f times as much\\n\", $ours, $theirs, $ours / $theirs }"
