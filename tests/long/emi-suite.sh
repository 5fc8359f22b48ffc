#!/bin/bash
# EMI on a folder of test programs: every variant behaves as its program does.
# Usage: tests/long/emi-suite.sh DIR      CUPEL names the binary, VARIANTS how many of each,
# SUITE_FLAGS what the programs are compiled with
# Exit status 1 when something was found, or fewer than LEAST files could be varied.
set -u
: "${CUPEL:=$(cd "$(dirname "$0")/../.." && pwd)/build/cupel}"
: "${GCC:=gcc-12}" "${CLANG:=clang-19}" "${VARIANTS:=8}" "${LEAST:=30}"
from=${1:?a folder of C files} dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2086 # flags are words
"$CUPEL" emi --suite "$from" ${SUITE_FLAGS:-} --variants "$VARIANTS" --seed 1 --cc "$GCC -O2" --cc "$CLANG -O1" --quiet \
    -o "$dir/v" >"$dir/log" 2>&1
status=$?
cat "$dir/log"
varied=$(sed -n 's/.*: \([0-9]*\) files varied.*/\1/p' "$dir/log")
[ $status -eq 0 ] && [ "${varied:-0}" -ge "$LEAST" ]
