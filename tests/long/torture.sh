#!/bin/sh
# GCC's gcc.c-torture/execute: tests that build and exit 0 with gcc -O0 and with clang -O0 must exit 0
# in the machine, be unsupported, or be undefined as tests/long/torture.known says, with a reason.
# Usage: tests/long/torture.sh DIR     (DIR holds execute/*.c)    CUPEL names the binary
set -u
here=$(cd "$(dirname "$0")" && pwd)
cupel=${CUPEL:-$here/../../build/cupel}
known=$here/torture.known
from=${1:?the folder gcc.c-torture}/execute
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT
total=0 ran=0 wrong=0 undefined=0 unknown=0 unsupported=0
for f in "$from"/*.c; do
    name=$(basename "$f" .c)
    gcc -w -O0 "$f" -o g -lm 2>/dev/null || continue
    timeout 5 ./g >gout 2>/dev/null </dev/null || continue
    clang-19 -w -O0 "$f" -o c -lm 2>/dev/null || continue
    timeout 5 ./c >/dev/null 2>&1 </dev/null || continue
    total=$((total + 1))
    timeout 60 "$cupel" check "$f" >out 2>said </dev/null
    case $? in
    0) if cmp -s gout out && ! grep -q 'exit status is' said; then ran=$((ran + 1)); else
            echo "$name: wrong result"
            wrong=$((wrong + 1))
        fi ;;
    1)
        undefined=$((undefined + 1))
        kind=$(sed -n 's/.*\[\([a-z-]*\), .*/\1/p' said | head -1)
        if ! grep -q "^$name $kind " "$known"; then
            echo "$name: $(head -1 said)"
            unknown=$((unknown + 1))
        fi ;;
    *)
        [ -n "${VERBOSE:-}" ] && echo "$name: $(head -1 said)"
        unsupported=$((unsupported + 1)) ;;
    esac
done
echo "$total tests: $ran run to exit 0 ($((ran * 1000 / total)) per mille), $undefined undefined ($unknown without a reason), $unsupported unsupported, $wrong wrong"
[ $wrong -eq 0 ] && [ $unknown -eq 0 ] && [ $((ran * 10)) -ge $((total * 9)) ]
