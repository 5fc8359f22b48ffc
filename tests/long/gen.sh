#!/bin/bash
# The long proof of the generator, on all cores: see soak.c.
#   SOAK=build/soak-gen tests/long/gen.sh [COUNT] [FIRST] [DIR] [SECONDS]
set -u
count=${1:-20000}
first=${2:-1000000}
dir=${3:-soak}
soak=$(realpath "${SOAK:-build/soak-gen}")
jobs=${JOBS:-$(nproc)}
share=$(((count + jobs - 1) / jobs))
status=0
pids=()

mkdir -p "$dir"
for ((j = 0; j < jobs; j++)); do
    "$soak" "$share" $((first + j * share)) "$dir" ${4:+"$4"} >"$dir/log.$j" &
    pids+=($!)
done
trap 'kill "${pids[@]}" 2>/dev/null' INT TERM
for pid in "${pids[@]}"; do wait "$pid" || status=1; done
for ((j = 0; j < jobs; j++)); do
    grep '^seed' "$dir/log.$j"
    tail -1 "$dir/log.$j"
done
exit $status
