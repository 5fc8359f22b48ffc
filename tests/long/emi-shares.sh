#!/bin/bash
# How much of EMI's work is waste: the share of variants that change the optimised code (goal: 90%),
# and the share whose object was known and which were not run, for each compiler.
#   emi-shares.sh csmith COUNT [FIRST]     Csmith programs
#   emi-shares.sh torture COUNT DIR        GCC's torture tests (gcc.c-torture/execute)
# Exit status 1 when a share is below the goal, or something was found.  CUPEL names the binary,
# COMPILERS the configurations, MUTATE the mutations.
set -u
: "${CUPEL:=$(dirname "$0")/../../build/cupel}"
: "${VARIANTS:=8}" "${COMPILERS:=gcc-12 -O2,clang-22 -O2}" "${GOAL:=90}"
kind=${1:?csmith or torture} count=${2:?how many} work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
IFS=, read -ra compilers <<<"$COMPILERS"
programs=0

# measure NAME FILE.c SEED FLAGS...: one program under each compiler; a line for each goes to $work/all
measure() {
    local name=$1 file=$2 seed=$3 i
    shift 3
    for i in "${!compilers[@]}"; do
        "$CUPEL" emi "$file" "$@" --seed "$seed" --variants "$VARIANTS" --cc "${compilers[i]}" --cpp gcc \
            ${MUTATE:+--mutate "$MUTATE"} --json --quiet -o "$work/v" >"$work/json" 2>/dev/null
        [ $? -le 1 ] && [ "$(jq .trials "$work/json")" != 0 ] || return
        jq -r --arg i "$i" --arg name "$name" \
            '[$i, .optimised, .changed, .skipped, (.findings | length), $name] | @tsv' "$work/json"
    done >"$work/lines"
    cat "$work/lines" >>"$work/all"
    programs=$((programs + 1))
}

: >"$work/all"
case $kind in
csmith)
    for ((seed = ${3:-40000}; programs < count; seed++)); do
        csmith --seed "$seed" >"$work/t.c" || continue
        # what does not end soon is no subject
        timeout -k 1 10 "$CUPEL" check --quiet -I/usr/include/csmith "$work/t.c" >/dev/null 2>&1 || continue
        measure "csmith-$seed" "$work/t.c" "$seed" -I/usr/include/csmith
    done
    ;;
torture)
    for f in "${3:?folder of the torture tests}"/*.c; do
        [ "$programs" -lt "$count" ] || break
        measure "$(basename "$f")" "$f" 7
    done
    ;;
esac
[ -z "${DETAILS:-}" ] || cp "$work/all" "$DETAILS"
bad=0
for i in "${!compilers[@]}"; do
    awk -v i="$i" -v cc="${compilers[i]}" -v kind="$kind" -v goal="$GOAL" '
        $1 == i { programs++; trials += $2; changed += $3; known += $4; found += $5 }
        END {
            printf "%s, %s: %d programs, %d variants: %.1f%% changed the optimised code (goal %d%%), %.1f%% had a known object; %d findings\n",
                kind, cc, programs, trials, 100 * changed / trials, goal, 100 * known / trials, found
            exit 100 * changed < goal * trials || found > 0 }' "$work/all" || bad=1
done
exit $bad
