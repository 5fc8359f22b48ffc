#!/bin/sh
# What cupel missed costs: pairs of 500 operators in an hour of one core with gcc-12 -O3, the compilers'
# share of it, and seconds for minimising one difference.
# bench/missed.sh [SECONDS]
set -eu
cupel=${CUPEL:-build/cupel}
seconds=${1:-60}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$cupel" missed "$dir/count" --count-only --oracle pair --size 500 --jobs 1 --quiet --json \
    --time "$seconds" --cc 'gcc-12 -O3' >"$dir/out"
jq -r '"pairs of 500 operators: \(.per_cpu_hour | round) an hour of CPU; \(.differences) of \(.programs) differ"' "$dir/out"

for cc in 'gcc-12 -O3' 'clang-19 -O3'; do
    "$cupel" missed "$dir/$cc" --oracle pair --size 500 --jobs 1 --quiet --json --time "$seconds" \
        --cc "$cc" >"$dir/out" || [ $? = 1 ]
    jq -r --arg c "$cc" '.rows[] | select(.minimised > 0) | "\($c): \(.minimised) minimised, " +
        "\(.minimise_cpu / .minimised * 10 | round / 10) s of CPU each, to " +
        "\(.operators_after / .minimised * 10 | round / 10) operators, \(.below_ten) below 10"' "$dir/out"
done
