#!/bin/bash
# EMI on the regression tests of SDCC, the compiler for small devices, as programs of this machine:
# the first COUNT that gcc compiles and that report no failure.  Those taken over from GCC's torture
# tests are left out.
# Usage: tests/long/emi-sdcc.sh DIR [COUNT]     DIR: SDCC's unpacked sources (apt-get source sdcc)
# CUPEL, GCC, CLANG, VARIANTS: as for emi-suite.sh.
set -u
from=$(cd "${1:?SDCC\'s sources}/support/regression" && pwd) || exit 2
count=${2:-60} here=$(cd "$(dirname "$0")" && pwd) work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/suite" "$work/cases"

# program CASE.c: the test, its framework and what it asks of a device, as one file
program() {
    echo '#define PORT_HOST 1'
    cat "$1" "$from/fwk/lib/testfwk.c"
    echo '#include <stdio.h>'
    echo 'void _putchar(char c) { putchar(c); }'
    echo 'void _initEmu(void) {}'
    echo 'void _exitEmu(void) {}'
}

taken=0
for test in "$from"/tests/*.c; do
    [ "$taken" -lt "$count" ] || break
    name=$(basename "$test" .c)
    case $name in gcc-torture*) continue ;; esac
    rm -rf "$work/cases" && mkdir "$work/cases"
    (cd "$from" && python3 generate-cases.py "tests/$name.c" "$work/cases") >/dev/null 2>&1 || continue
    for case in "$work"/cases/*.c; do # one of its instances will do
        break
    done
    program "$case" >"$work/suite/$name.c" 2>/dev/null
    if gcc -w -I"$from/fwk/include" "$work/suite/$name.c" -o "$work/t" -lm 2>/dev/null &&
        (ulimit -v 4000000 && cd "$work" && timeout 5 ./t </dev/null 2>/dev/null) | grep -q ': 0 failed of'; then
        taken=$((taken + 1))
    else
        rm -f "$work/suite/$name.c"
    fi
done
echo "$taken programs"
SUITE_FLAGS="-I$from/fwk/include" "$here/emi-suite.sh" "$work/suite"
