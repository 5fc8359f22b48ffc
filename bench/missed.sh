#!/bin/sh
# What cupel missed costs, in one go: pairs of 500 operators in an hour of one core with gcc-12 -O3, the
# compilers' share of that, and CPU seconds for minimising one difference.
# bench/missed.sh [SECONDS]      of each of three runs
set -eu
cupel=${CUPEL:-build/cupel}
seconds=${1:-60}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

"$cupel" missed "$dir/count" --count-only --oracle pair --size 500 --jobs 1 --quiet --json \
    --time "$seconds" --cc 'gcc-12 -O3' >"$dir/out"
jq -r '"pairs of 500 operators: \(.per_cpu_hour | round) an hour of CPU, " +
    "\(.compile_cpu / .cpu * 1000 | round / 10)% of it the compilers; " +
    "\(.differences) of \(.programs) differ; \(.seconds | round) s of the clock"' "$dir/out"

for cc in 'gcc-12 -O3' 'clang-19 -O3'; do
    "$cupel" missed "$dir/$cc" --oracle pair --size 500 --jobs 1 --quiet --json --time "$seconds" \
        --cc "$cc" >"$dir/out" || [ $? = 1 ]
    jq -r --arg c "$cc" '.rows[] | "\($c): \(.minimised) minimised" + if .minimised > 0 then
        ", \(.minimise_cpu / .minimised * 10 | round / 10) s of CPU each, from " +
        "\(.operators_before / .minimised | round) to \(.operators_after / .minimised * 10 | round / 10) operators, " +
        "\(.below_ten) below 10" else "" end' "$dir/out"
done
