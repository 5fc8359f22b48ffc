#!/bin/bash
# EMI: variants written per second, and the time to the first one beside gcov's compile, run, parse.
# Usage: bench/emi.sh [SEED]      needs csmith; CUPEL names the binary
# CPU seconds (user and system, of all processes), so that other work on the machine counts little;
# the best of three.
set -eu
cupel=${CUPEL:-$(cd "$(dirname "$0")/.." && pwd)/build/cupel}
command -v csmith >/dev/null || { echo "bench/emi.sh: no csmith: left out"; exit 0; }
dir=$(mktemp -d) && cd "$dir"
trap 'rm -rf "$dir"' EXIT
flags=-I/usr/include/csmith

# A Csmith program of about 5,000 lines that the machine runs to its end.
seed=${1:-200}
until csmith --seed "$seed" --max-funcs 30 >t.c && lines=$(wc -l <t.c) &&
    [ "$lines" -ge 4500 ] && [ "$lines" -le 5600 ] &&
    timeout -k 1 20 "$cupel" check $flags --quiet t.c >/dev/null 2>&1; do
    seed=$((seed + 1))
done

# cpu COMMAND...: the least CPU seconds of three runs
cpu() {
    local TIMEFORMAT='%U %S'
    for _ in 1 2 3; do
        { time "$@" >/dev/null 2>&1; } 2>&1
    done | awk '{ t = $1 + $2; if (NR == 1 || t < best) best = t } END { printf "%.3f\n", best }'
}

by_gcov() {
    rm -f ./*.gc*
    gcc -w -O0 --coverage $flags t.c -o t && timeout 60 ./t && gcov --json-format --stdout t-t.gcda
}

variants=1000
first=$(cpu "$cupel" emi t.c $flags --variants 1 --no-test --quiet -o v)
all=$(cpu "$cupel" emi t.c $flags --variants $((variants + 1)) --no-test --quiet -o v)
gcov=$(cpu by_gcov)
awk -v lines="$lines" -v seed="$seed" -v bytes="$(wc -c <t.c)" -v n=$variants -v first="$first" \
    -v all="$all" -v gcov="$gcov" 'BEGIN {
    printf "emi: Csmith seed %d, %d lines, %d bytes\n", seed, lines, bytes
    printf "  variants written per second, after the first parse and run   %8.0f   (goal 1000)\n", n / (all - first)
    printf "  program to first variant, s: cupel %.3f, gcov compiled, run and read %.3f: %.1f times as fast (goal 5)\n",
        first, gcov, gcov / first }'
