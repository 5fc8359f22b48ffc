#!/bin/sh
# What of generated programs is in vain: see waste.c.
# Usage: CUPEL=build/cupel bench/waste.sh [COUNT].  make bench builds build/waste first.
set -eu
cupel=$(realpath "${CUPEL:-build/cupel}")
waste=$(dirname "$cupel")/waste
count=${1:-200}
[ -x "$waste" ] || { echo "bench/waste.sh: make build/waste first" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$cupel" gen --seed 5000 --count "$count" -o programs --for no-macro
"$waste" programs/*.c
