#!/bin/sh
# cupel reduce beside cvise and creduce: CPU time, tests run, what is left.  Their predicate is the
# script that --emit-script writes, sanitizers included.  Needs csmith, pcc, chibicc, tcc; cvise and creduce
# where installed.  JOBS: how many at a time (2).  CASES: which of those below (all; the peers take an hour
# for tcc).  LIMIT: seconds after which a peer is stopped (none); its row then says so, and the ratio is a
# lower bound.  PROGRAMS: a folder with CASE.c for cases that are not to be looked for.  Bytes are counted
# twice: as the files are (ours with --dense), and without any blank.
set -u
: "${CUPEL:=build/cupel}"
CUPEL=$(realpath "$CUPEL")
: "${JOBS:=2}"
: "${CASES:=pcc chibicc tcc-small tcc planted}"
: "${LIMIT:=0}"
: "${PROGRAMS:=}"
[ -z "$PROGRAMS" ] || PROGRAMS=$(realpath "$PROGRAMS")
bank=$(realpath "$(dirname "$0")/../tests/bank")
# shellcheck source=tests/bank/bank.sh
. "$bank/bank.sh"
# shellcheck source=tests/bank/csmith.sh
. "$bank/csmith.sh"
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2

# first_crash COMPILER SIZE: the first generated program of at least 180 KB that crashes it, as t.c
first_crash() {
    for seed in $(seq 1 200); do
        "$CUPEL" gen --seed "$seed" --size "$2" --mode crash --for "$1" -o t.c
        [ "$(wc -c <t.c)" -ge 180000 ] || continue
        ! "$1" -w -c t.c -o t.o >log 2>&1 || continue
        "$CUPEL" reduce t.c --cc "$1" --emit-script q.sh -o start.c >log 2>&1 &&
            grep -q 'show: compiler-crash' q.sh && return 0
    done
    return 1
}

# first_wrong COMPILER SIZE: the first one whose output is wrong
first_wrong() {
    for seed in $(seq 1 300); do
        "$CUPEL" gen --seed "$seed" --size "$2" --profile records --for "$1" -o t.c --expect t.out
        "$1" -w t.c -o t.out.x -lm >log 2>&1 || continue
        timeout 2 ./t.out.x >got 2>/dev/null || continue
        cmp -s got t.out || return 0
    done
    return 1
}

# The program t.c and the compiler cc of a case.
make_case() {
    cc=${1%-*}
    if [ -n "$PROGRAMS" ] && [ -f "$PROGRAMS/$1.c" ]; then
        cp "$PROGRAMS/$1.c" t.c
        return
    fi
    case $1 in
    pcc) first_crash pcc 6000 ;;
    chibicc) first_crash chibicc 6000 ;;
    tcc) first_wrong tcc 3000 ;;
    tcc-small) first_wrong tcc 150 ;;
    planted) # wrong code of a planted compiler in a csmith program
        csmith_program 7 --no-packed-struct >t.c
        bank_wrap . tcc-for
        cc=$dir/tcc-for
        ;;
    esac
}

# spent COMMAND...: runs it, and leaves user + system seconds of it and its children in $cpu, its
# status in ./ended
spent() {
    # shellcheck disable=SC3045
    /usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >log 2>&1; echo $? >ended' - "$@" 2>cost
    cpu=$(awk '{ print $1 + $2 }' cost)
}

# row CASE TOOL TESTS FILE NOTE; for a peer, how many times the CPU time that cupel took
row() {
    bytes=$(wc -c <"$4") dense=$(tr -d '[:space:]' <"$4" | wc -c)
    tokens=$(grep -oE '[A-Za-z_0-9]+|[^A-Za-z_0-9 ]' "$4" | wc -l)
    ratio=$(awk -v a="$cpu" -v b="$ours" 'BEGIN { if (b > 0) printf "%.0fx", a / b }')
    printf '%-10s %-8s %8s s CPU %5s %6s tests %6s bytes %5s dense %4s tokens%s\n' "$1" "$2" "$cpu" \
        "$ratio" "$3" "$bytes" "$dense" "$tokens" "$5"
}

for case in $CASES; do
    make_case "$case" || { echo "$case: no program"; continue; }
    "$CUPEL" reduce t.c --cc "$cc" --emit-script q.sh -o start.c 2>log || { cat log; continue; }
    ours=0
    printf '%-10s %-8s %s bytes\n' "$case" start "$(wc -c <start.c)"
    spent "$CUPEL" reduce t.c --cc "$cc" -o small.c --jobs "$JOBS" --quiet --no-evidence --dense --json
    ours=$cpu
    [ "$(cat ended)" -eq 0 ] || { tail -1 log; continue; }
    row "$case" cupel "$(sed -n 's/^  "tries": *\([0-9]*\).*/\1/p' log)" small.c ""
    cat small.c
    for tool in cvise creduce; do
        command -v $tool >/dev/null || continue
        rm -rf work && mkdir work && cp start.c work/t.c
        printf '#!/bin/sh\necho >>%s/tests\nexec %s/q.sh\n' "$dir" "$dir" >i.sh
        chmod +x i.sh q.sh
        : >tests
        (cd work && spent timeout -s INT "$LIMIT" $tool --n "$JOBS" "$dir/i.sh" t.c && cp cost log ..)
        cpu=$(awk '{ print $1 + $2 }' cost)
        note=$([ "$(cat work/ended)" -ne 124 ] || echo ', stopped')
        row "$case" $tool "$(wc -l <tests)" work/t.c "$note"
        head -c 500 work/t.c
    done
done
