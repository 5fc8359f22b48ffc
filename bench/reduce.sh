#!/bin/sh
# cupel reduce beside cvise and creduce: CPU time, tests run, what is left.  Their predicate is the
# script that --emit-script writes.  Needs csmith, tcc; cvise and creduce where installed.
# JOBS: how many at a time (2).  CASES: which of those below (all).
set -u
: "${CUPEL:=build/cupel}"
CUPEL=$(realpath "$CUPEL")
: "${JOBS:=2}"
: "${CASES:=crash reject wrong}"
bank=$(realpath "$(dirname "$0")/../tests/bank")
# shellcheck source=tests/bank/bank.sh
. "$bank/bank.sh"
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

# What csmith's header wants of a platform, so that small compilers can take its programs.
mkdir platform
{
    for width in 8:char 16:short 32:int 64:long; do
        n=${width%:*} type=${width#*:}
        echo "typedef signed $type int${n}_t; typedef unsigned $type uint${n}_t;"
    done
    echo 'typedef long intptr_t; typedef unsigned long uintptr_t, size_t;'
    gcc -E -dM -include limits.h -include float.h -include stdint.h -x c /dev/null |
        grep -E '^#define (U?INT(8|16|32|64)_(MIN|MAX)|CHAR_BIT|__U?INT(8|16|32|64)_C|(FLT|DBL)_MAX)\b'
    echo 'static float fabsf(float x) { return x < 0 ? -x : x; }'
    echo 'static double fabs(double x) { return x < 0 ? -x : x; }'
} >platform/custom_stdint_x86.h
: >platform/custom_limits.h

# csmith_program SEED OPTION...: without includes
csmith_program() {
    csmith --seed "$@" | gcc -E -P -DCSMITH_MINIMAL -Iplatform -I/usr/include/csmith -x c - >t.c
}

# The program t.c and the compiler cc of a case.
make_case() {
    case $1 in
    pcc) # cannot generate code for a remainder
        "$CUPEL" gen --seed 37 --size 2500 --mode crash --for pcc -o t.c
        cc=pcc
        ;;
    chibicc) # its assembler rejects an operand
        "$CUPEL" gen --seed 32 --size 2800 --mode crash --for chibicc -o t.c
        cc=chibicc
        ;;
    planted) # wrong code of a planted compiler in a csmith program
        csmith_program 7 --no-packed-struct
        bank_wrap . tcc-for
        cc=$dir/tcc-for
        ;;
    esac
}

# spent COMMAND...: runs it, and leaves user + system seconds of it and its children in $cpu
spent() {
    # shellcheck disable=SC3045
    /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >log 2>&1' - "$@" 2>cost
    cpu=$(awk '{ print $1 + $2 }' cost)
}

row() {
    printf '%-8s %-8s %8s s CPU %7s tests %7s bytes %6s tokens\n' "$1" "$2" "$cpu" "$3" \
        "$(wc -c <"$4")" "$(tr -s '[:space:]' '\n' <"$4" | grep -oE '[A-Za-z_0-9]+|[^A-Za-z_0-9 ]' | wc -l)"
}

for case in $CASES; do
    make_case "$case"
    [ -s t.c ] || { echo "$case: no program"; continue; }
    "$CUPEL" reduce t.c --cc "$cc" --emit-script q.sh -o start.c 2>log || { cat log; continue; }
    printf '%-8s %-8s %s bytes\n' "$case" start "$(wc -c <start.c)"
    spent "$CUPEL" reduce t.c --cc "$cc" -o small.c --jobs "$JOBS" --quiet --no-evidence --json
    row "$case" cupel "$(sed -n 's/.*"tries": *\([0-9]*\), "rejected".*/\1/p' log | tail -1)" small.c
    for tool in cvise creduce; do
        command -v $tool >/dev/null || continue
        rm -rf work && mkdir work && cp start.c work/t.c
        printf '#!/bin/sh\necho >>%s/tests\nexec %s/q.sh\n' "$dir" "$dir" >i.sh
        chmod +x i.sh q.sh
        : >tests
        (cd work && spent $tool --n "$JOBS" "$dir/i.sh" t.c && cp cost log ..)
        cpu=$(awk '{ print $1 + $2 }' cost)
        row "$case" $tool "$(wc -l <tests)" work/t.c
    done
done
