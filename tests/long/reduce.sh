#!/bin/bash
# tests/long/reduce.sh [PATTERN]: reduces what the faulty compilers of tests/bank, and pcc, chibicc and tcc
# as they are ("tcc " for these only), do wrong with programs of `cupel gen` and csmith that are made here
# by seed.  Each reduction must end, keep its verdict, and be left as it is by a second reduction; where it
# is run, be defined (machine and sanitizers) and have nothing unused: of what is only compiled, that may be
# what the bug is about.  One line per case, then the median.
set -u
: "${CUPEL:=build/cupel}"
CUPEL=$(realpath "$CUPEL")
pattern=${1:-.}
bank=$(realpath "$(dirname "$0")/../bank")
# shellcheck source=tests/bank/bank.sh
. "$bank/bank.sh"
# shellcheck source=tests/bank/csmith.sh
. "$bank/csmith.sh"
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
failures=0

fail() {
    echo "  FAILED: $1" >&2
    failures=$((failures + 1))
}

# shows COMPILER FLAGS: does the compiler do wrong with t.c, of which t.out is known?
shows() {
    "$CUPEL" test t.c --expect t.out --cc "$1 $2" --jobs 1 --timeout 5 --compile-timeout 5s \
        --quiet >/dev/null 2>&1
    [ $? -eq 1 ]
}

# shows_own COMPILER: the same, or that it refuses what gcc takes
shows_own() {
    if gcc -w -c t.c -o t.o 2>/dev/null && ! "$1" -c t.c -o t.o >/dev/null 2>&1; then return 0; fi
    shows "$1" ""
}

# shows_to_reduce COMPILER FLAGS VERDICT: this verdict, which a test does not look for, as time and memory
shows_to_reduce() {
    "$CUPEL" reduce t.c --cc "$1 $2" --cpu 0.01s --quiet --no-evidence --fresh -o start.c --json 2>/dev/null |
        grep -q "\"verdict\": *\"$3\""
}

# find_program COMPILER FLAGS FAMILY VERDICT: the first program of a few dozen that shows something
find_program() {
    local seed way=shows most=60
    case $4 in
    unstable-code | slow-compile | large-compile) way=shows_to_reduce most=10 ;;
    esac
    for seed in $(seq 1 $most); do
        "$CUPEL" gen --seed "$seed" --size 80 --for "$3" -o t.c --expect t.out 2>/dev/null || return 1
        $way "$1" "$2" "$4" && return 0
    done
    return 1
}

# flags_of NAME: a configuration at which the row's fault is there
flags_of() {
    local flags
    flags=$(bank_field "$1" hunt | tr ' ' '\n' | tail -1)
    [ "$flags" != drawn ] || flags="-O3 $(bank_field "$1" when | tr ' ' '\n' | head -1)"
    echo "$flags"
}

is_run() {
    case $1 in
    wrong-code | program-*) return 0 ;;
    esac
    return 1
}

# shows_without LINE COMPILER: does small.c show the same without that line?
shows_without() {
    sed "$1d" small.c >without.c
    "$CUPEL" reduce without.c --cc "$2" --emit-script q.sh -o start.c >/dev/null 2>&1 &&
        grep -q "show: $got of" q.sh
}

# unused_in_result COMPILER: lines of small.c with something unused that can go.  What is volatile is used by
# being given a value, and what a compiler makes of the rest may depend on what is unused.
unused_in_result() {
    local line
    for line in $(gcc -Wall -fsyntax-only small.c 2>&1 | sed -n 's/^small.c:\([0-9]*\):.*unused.*/\1/p'); do
        if ! sed -n "${line}p" small.c | grep -q volatile && shows_without "$line" "$1"; then
            sed -n "${line}p" small.c
        fi
    done
}

# The reduction of t.c, and everything that must hold of it.
check_case() {
    local name=$1 compiler=$2
    "$CUPEL" reduce t.c --cc "$compiler" -o small.c --quiet --json --fresh >report 2>errors ||
        { fail "$name: $(head -1 errors)"; return; }
    got=$(jq -r .verdict report)
    if is_run "$got"; then
        "$CUPEL" check small.c >out 2>&1 || fail "$name: $(head -1 out)"
        gcc -w -O1 -fsanitize=address,undefined -fno-sanitize-recover=all small.c -o san -lm 2>errors ||
            fail "$name: $(head -1 errors)"
        if timeout 10 ./san 2>&1 >/dev/null | grep -q 'runtime error\|Sanitizer'; then
            fail "$name: a sanitizer complains"
        fi
        unused_in_result "$compiler" | grep . && fail "$name: something is unused"
    fi
    "$CUPEL" reduce small.c --cc "$compiler" -o again.c --quiet --json --no-evidence --fresh >again 2>errors ||
        fail "$name: the reduction does not show it: $(head -1 errors)"
    [ "$(jq -r .verdict again)" = "$got" ] || fail "$name: $(jq -r .verdict again) of what was $got"
    cmp -s small.c again.c || fail "$name: a second reduction finds more"
    lines=$(jq .last.lines report)
    echo "$lines" >>sizes
    printf '%-14s %-15s %4s lines from %5s, %5s tries, %6.1f s CPU, %s\n' "$name" "$got" "$lines" \
        "$(jq .first.lines report)" "$(jq .tries report)" "$(jq .cpu report)" "$(jq -r '.grade // "-"' report)"
}

for name in $(bank_names | grep -E "$pattern"); do
    bank_wrap . "$name"
    base=$(bank_field "$name" base)
    flags=$(flags_of "$name")
    find_program "./$name" "$flags" "${base%%-*}" "$(bank_field "$name" verdict)" || { cp "$bank/faults/$name.c" t.c; }
    check_case "$name" "./$name $flags"
done

# make_program SOURCE SEED COMPILER: t.c
make_program() {
    case $1 in
    gen) "$CUPEL" gen --seed "$2" --size 150 --profile records --for "$3" -o t.c --expect t.out ;;
    csmith)
        csmith_program "$2" --no-packed-struct --max-funcs 5 >t.c
        "$CUPEL" check t.c >t.out 2>/dev/null
        ;;
    esac
}

# The first three programs of each source that show a bug of theirs.
for pair in pcc:gen chibicc:gen chibicc:csmith tcc:gen; do
    compiler=${pair%:*} source=${pair#*:} found=0
    echo "$compiler " | grep -qE "$pattern" || continue
    command -v "$compiler" >/dev/null || continue
    for seed in $(seq 1 200); do
        make_program "$source" "$seed" "$compiler" || continue
        shows_own "$compiler" || continue
        check_case "$compiler-$source-$seed" "$compiler"
        found=$((found + 1))
        [ "$found" -lt 3 ] || break
    done
done

sort -n sizes | awk '{ s[NR] = $1 } END { print NR, "cases, median", s[int((NR + 1) / 2)], "lines" }'
[ "$failures" -eq 0 ]
