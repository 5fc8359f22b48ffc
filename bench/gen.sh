#!/bin/bash
# cupel gen beside csmith, in one run: bytes of program per second of CPU, and how much of gcc's and
# clang's optimisers equal compile time of each reaches.  Prints the ratios.
#   CUPEL=build/cupel bench/gen.sh [PROGRAMS]
set -eu
cupel=$(realpath "${CUPEL:-build/cupel}")
programs=${1:-50}
clang=${CLANG:-clang-19}
# In memory where that is possible: what is measured is the generators, not a file system.
[ -w /dev/shm ] && export TMPDIR=${TMPDIR:-/dev/shm}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
command -v csmith >/dev/null || { echo "gen: no csmith here: nothing to compare with"; exit 0; }

# cpu COMMAND...: seconds of user and system time
cpu() {
    local TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

csmith_programs() {
    mkdir -p theirs
    for i in $(seq 1 "$programs"); do csmith --seed "$i" -o "theirs/$i.c"; done
}
our_programs() { "$cupel" gen --seed 1 --count $((programs * 20)) -o ours; }

their_time=$(cpu csmith_programs)
our_time=$(cpu our_programs)
their_bytes=$(cat theirs/*.c | wc -c)
our_bytes=$(cat ours/*.c | wc -c)
awk -v a="$our_bytes" -v s="$our_time" -v b="$their_bytes" -v t="$their_time" 'BEGIN {
    printf "gen: %.2f MB/s, csmith %.2f MB/s of CPU: %.1fx\n", a / s / 1e6, b / t / 1e6, a / s / (b / t)
}'

# Distinct counters of -fdump-statistics-stats and distinct remarks of -fsave-optimization-record.
counters() { # lines: number, pass, "counter" or "counter == value", count
    cat stats/*.statistics 2>/dev/null | sed -E 's/^[0-9]+ ([^ ]+) "([^"]*)".*/\1 \2/; s/ == [0-9-]+$//' | sort -u
}
gcc_reach() { # FOLDER SECONDS: programs in order until the time is used
    local used=0 n=0
    rm -rf stats && mkdir stats
    for f in "$1"/*.c; do
        t=$(cpu gcc -O3 -w -I/usr/include/csmith -fdump-statistics-stats="stats/$n.statistics" -c "$f" -o /dev/null)
        used=$(awk -v a="$used" -v b="$t" 'BEGIN { print a + b }')
        n=$((n + 1))
        awk -v a="$used" -v b="$2" 'BEGIN { exit !(a > b) }' && break
    done
    counters | wc -l
}
clang_reach() {
    local used=0
    rm -rf stats && mkdir stats
    for f in "$1"/*.c; do
        t=$(cpu "$clang" -O3 -w -I/usr/include/csmith -fsave-optimization-record -foptimization-record-file=stats/r.yaml -c "$f" -o /dev/null)
        [ -f stats/r.yaml ] && paste -d' ' <(grep '^Pass:' stats/r.yaml) <(grep '^Name:' stats/r.yaml) | sort -u >>stats/all
        rm -f stats/r.yaml
        used=$(awk -v a="$used" -v b="$t" 'BEGIN { print a + b }')
        awk -v a="$used" -v b="$2" 'BEGIN { exit !(a > b) }' && break
    done
    sort -u stats/all | wc -l
}
seconds=${SECONDS_EACH:-15}
ours=$(gcc_reach ours "$seconds")
theirs=$(gcc_reach theirs "$seconds")
awk -v a="$ours" -v b="$theirs" -v s="$seconds" 'BEGIN {
    printf "gcc -O3 counters in %d s: %d, csmith %d: %.2fx\n", s, a, b, a / b }'
ours=$(clang_reach ours "$seconds")
theirs=$(clang_reach theirs "$seconds")
awk -v a="$ours" -v b="$theirs" -v s="$seconds" 'BEGIN {
    printf "clang -O3 remarks in %d s: %d, csmith %d: %.2fx\n", s, a, b, a / b }'
