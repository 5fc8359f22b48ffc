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

# ---- code per second of compiling ---------------------------------------------------------

programs() { # KIND COUNT: KIND-N.c
    local i
    for ((i = 1; i <= $2; i++)); do
        case $1 in
        csmith) csmith --seed "$i" -o "$1-$i.c" ;;
        small) "$cupel" gen --seed "$i" --size $((12 + i * 48 / $2)) -o "$1-$i.c" ;;
        plain) "$cupel" gen --seed "$i" --size $((60 + i * 90 / $2)) -o "$1-$i.c" ;;
        large) "$cupel" gen --seed "$i" --size $((200 + i * 200 / $2)) -o "$1-$i.c" ;;
        esac
    done
}

compile_all() { # KIND: each at each level
    local f level
    for f in "$1"-*.c; do
        for level in 1 2 3; do
            $gcc -w -I/usr/include/csmith -O$level -c "$f" -o "${f%.c}-$level.o"
        done
    done
}

# code KIND: bytes of text of the objects
code() { size "$1"-*-[123].o | awk 'NR > 1 { sum += $1 } END { print sum }'; }

for kind in csmith small plain large; do
    case $kind in small) count=60 ;; plain) count=20 ;; *) count=6 ;; esac
    programs $kind $count
    cpu compile_all $kind
    rate=$(awk "BEGIN { print $(code $kind) / $used / 1e3 }")
    [ $kind = csmith ] && csmith_rate=$rate
    source=$(cat $kind-*.c | wc -c)
    awk "BEGIN { printf \"%-7s %6.1f KB of code per compile second, %4.2f of csmith's; %.2f bytes of code per byte of source\\n\", \
        \"$kind\", $rate, $rate / $csmith_rate, $(code $kind) / 3 / $source }"
    [ $kind = small ] && small_density=$(awk "BEGIN { print $(code $kind) / 3 / $source }")
    [ $kind = csmith ] && csmith_density=$(awk "BEGIN { print $(code $kind) / 3 / $source }")
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
