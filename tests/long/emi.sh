#!/bin/bash
# The long proof of EMI: every variant compiles with gcc and clang, and at -O0 prints what the
# original prints.
#   emi.sh csmith COUNT [FIRST]     Csmith programs, 8 variants each
#   emi.sh torture COUNT DIR [FIRST]   GCC's torture tests (gcc.c-torture/execute), 8 variants each
#   emi.sh gen COUNT [FIRST]        generated programs, every mutation on, 8 variants each
# Prints a line per exception, then a summary; exit status 1 when there is an exception.
# Programs run with limits on time, memory and files.  CUPEL names the binary; after LIMIT seconds,
# if that is set, no other program is begun.
set -u
: "${CUPEL:=$(dirname "$0")/../../build/cupel}"
: "${GCC:=gcc-12}" "${CLANG:=clang-19}" "${VARIANTS:=8}"
kind=${1:?csmith, torture or gen} count=${2:?how many} work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=0 variants=0 exceptions=0 passed_over=0 crashes=0 other=0

# wants_more: are there fewer programs than wanted, and is there time?
wants_more() {
    [ -d "$work" ] || { echo "emi.sh: $work is gone" >&2; exit 2; }
    [ "$programs" -lt "$count" ] && [ "$SECONDS" -lt "${LIMIT:-1000000}" ]
}

# run FILE.c COMPILER: compiles and runs; prints output and exit status.  2: does not compile.
run() {
    # shellcheck disable=SC2086 # a command with flags
    timeout 60 $2 -w -O0 -fno-strict-aliasing "$1" -o "$work/a.out" -lm 2>"$work/errors" || return 2
    (
        ulimit -c 0 -f 20000 -v 4000000
        cd "$work" && timeout 20 ./a.out </dev/null 2>/dev/null | head -c 1000000
        echo "status ${PIPESTATUS[0]}"
    )
}

exception() {
    exceptions=$((exceptions + 1))
    echo "EXCEPTION $*"
    [ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp "$2" "$KEEP/$(basename "$1")-$(basename "$2")"; }
}

# refused NAME VARIANT COMPILER: it does not compile; a compiler that falls over is to blame itself
refused() {
    if grep -qE 'internal compiler error|PLEASE submit a bug report' "$work/errors"; then
        crashes=$((crashes + 1))
        echo "CRASH $1 $3: $(grep -m1 error "$work/errors")"
    else
        exception "$1" "$2" "$3 rejects it: $(grep -m1 error "$work/errors")"
    fi
}

# examine NAME FILE.c SEED FLAGS...: all variants of one program
examine() {
    local name=$1 file=$2 seed=$3 cc want got seen=
    shift 3
    rm -rf "$work/v"
    if ! "$CUPEL" emi "$file" "$@" --seed "$seed" --variants "$VARIANTS" --no-test --quiet \
        -o "$work/v" >"$work/log" 2>&1; then
        # what is undefined, does not parse or does not run is no subject
        grep -q '^cupel: ' "$work/log" || exception "$name" "$file" "$(head -1 "$work/log")"
        passed_over=$((passed_over + 1))
        return
    fi
    for cc in "$GCC" "$CLANG"; do
        want=$(run "$file" "$cc $*") || continue # not a program for this compiler
        case $want in *"status 124") continue ;; esac
        # what ran was seen of the first one's program: another that does something else is not asked
        [ -z "$seen" ] || [ "$want" = "$seen" ] || { other=$((other + 1)); continue; }
        seen=$want
        for v in "$work"/v/*.c; do
            got=$(run "$v" "$cc") || { refused "$name" "$v" "$cc"; continue; }
            [ "$got" = "$want" ] || exception "$name" "$v" "$cc: ${want:0:60} became ${got:0:60}"
        done
    done
    programs=$((programs + 1))
    variants=$((variants + VARIANTS))
}

case $kind in
csmith)
    for ((seed = ${3:-1}; ; seed++)); do
        wants_more || break
        csmith --seed "$seed" >"$work/t.c" || continue
        # what does not end soon is no subject
        gcc -w -O0 -I/usr/include/csmith "$work/t.c" -o "$work/a.out" || continue
        (ulimit -v 4000000; timeout 2 "$work/a.out" >/dev/null 2>&1) || continue
        examine "csmith-$seed" "$work/t.c" "$seed" -I/usr/include/csmith
    done
    ;;
torture)
    dir=${3:?folder of the torture tests}
    for f in "$dir"/*.c; do
        [[ $(basename "$f") < ${4:-} ]] && continue
        wants_more || break
        examine "$(basename "$f" .c)" "$f" 7
    done
    ;;
gen)
    for ((seed = ${3:-1}; ; seed++)); do
        wants_more || break
        "$CUPEL" gen --seed "$seed" -o "$work/t.c"
        examine "gen-$seed" "$work/t.c" "$seed"
    done
    ;;
esac
echo "$kind, up to $(basename "${f:-seed ${seed:-}}"): $programs programs, $variants variants, $passed_over passed over, $crashes crashes of compilers, $other originals that clang takes otherwise, $exceptions exceptions"
[ "$exceptions" -eq 0 ]
