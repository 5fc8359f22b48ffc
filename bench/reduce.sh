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

# The program t.c and the compiler cc of a case.
make_case() {
    case $1 in
    crash) # an assertion of a planted compiler, in a generated program
        "$CUPEL" gen --seed 3 --for tcc -o t.c
        bank_wrap . tcc-assert
        cc=$dir/tcc-assert
        ;;
    reject) # tcc rejects a pragma of csmith's
        csmith --seed 4 | gcc -E -P -I/usr/include/csmith -x c - >t.c
        cc=tcc
        ;;
    wrong) # wrong code of a planted compiler in a csmith program
        csmith --seed 7 --no-packed-struct | gcc -E -P -I/usr/include/csmith -x c - >t.c
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
