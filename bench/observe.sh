#!/bin/sh
# The share of what programs compute that their output shows, beside csmith's: see observe.c.
# Usage: CUPEL=build/cupel bench/observe.sh [COUNT].  make bench builds build/observe first.
set -eu
cupel=$(realpath "${CUPEL:-build/cupel}")
observe=$(dirname "$cupel")/observe
count=${1:-50}
[ -x "$observe" ] || { echo "bench/observe.sh: make build/observe first" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# share WHAT FILE...
share() {
    what=$1
    shift
    "$observe" "$@" | awk -v what="$what" '{
        printf "%-24s %5d changes, %3.0f%% seen (locals %3.0f%%, others %3.0f%%)\n", what, $1 + $3,
            100 * ($2 + $4) / ($1 + $3), 100 * $2 / ($1 ? $1 : 1), 100 * $4 / ($3 ? $3 : 1)
    }'
}

for size in 40 150; do
    "$cupel" gen --seed 100 --count "$count" --size "$size" -o "gen$size" --for no-macro
    share "cupel gen --size $size" "gen$size"/*.c
done
command -v csmith >/dev/null || exit 0
mkdir csmith
seed=0
while [ "$(find csmith -name '*.c' | wc -l)" -lt "$((count / 2))" ]; do
    seed=$((seed + 1))
    csmith --seed "$seed" >"csmith/$seed.c"
    timeout 20 "$cupel" check -I/usr/include/csmith "csmith/$seed.c" >/dev/null 2>&1 ||
        rm "csmith/$seed.c"
done
share csmith csmith/*.c
