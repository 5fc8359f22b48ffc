#!/bin/sh
# GCC's tests for errors: which files that gcc refuses does our front end accept, and does it refuse
# any that gcc accepts?
# Usage: tests/long/errors.sh DIR     DIR: gcc/testsuite of GCC's source      CUPEL names the binary
#     Takes files of gcc.dg and c-c++-common with dg-error, or without (VALID=1), and no options but
#     -std, -pedantic, -W and -fgnu89-inline.  Prints each file with gcc's first error, and the counts.
# Exit status 0: nothing is refused that gcc accepts.
set -u
cupel=${CUPEL:-$(cd "$(dirname "$0")/../.." && pwd)/build/cupel}
cd "${1:?the folder gcc/testsuite}" || exit 2
said=$(mktemp) || exit 2
trap 'rm -f "$said"' EXIT
accepted=0 refused=0 wrong=0 fine=0

# the options of a file; false when there are others than we want
options() {
    sed -n 's/.*{ *dg-options *"\([^"]*\)".*/\1/p' "$1" | head -1 | tr ' ' '\n' |
        grep -vE '^(-std=.*|-pedantic.*|-W.*|-w|-fgnu89-inline|-ansi|)$' | grep -q . && return 1
    sed -n 's/.*{ *dg-options *"\([^"]*\)".*/\1/p' "$1" | head -1 | tr ' ' '\n' |
        grep -E '^(-std=.*|-ansi|-fgnu89-inline)$' | tr '\n' ' '
}

for f in gcc.dg/*.c c-c++-common/*.c; do
    if [ "${VALID:-}" ]; then grep -q 'dg-error' "$f" && continue; else grep -q 'dg-error' "$f" || continue; fi
    grep -qE 'dg-(require|skip|additional-options|add-options|xfail|do +preprocess)|target' "$f" && continue
    flags=$(options "$f") || continue
    # shellcheck disable=SC2086
    gcc-12 -w $flags -fsyntax-only "$f" >"$said" 2>&1
    gcc=$?
    # shellcheck disable=SC2086
    timeout 20 "$cupel" print --check --cc gcc-12 $flags "$f" >/dev/null 2>"$said.ours"
    ours=$?
    if [ $gcc -ne 0 ] && [ $ours -eq 0 ]; then
        accepted=$((accepted + 1))
        echo "accepted $f: $(grep -m1 error "$said" | sed 's/^[^ ]* *error: //')"
    elif [ $gcc -ne 0 ]; then
        refused=$((refused + 1))
    elif [ $ours -ne 0 ]; then
        wrong=$((wrong + 1))
        echo "REFUSED $f: $(head -1 "$said.ours")"
    else
        fine=$((fine + 1))
    fi
done
rm -f "$said.ours"
echo "of $((accepted + refused)) that gcc refuses, $accepted are accepted; of $((wrong + fine)) that gcc accepts, $wrong are refused"
[ $wrong -eq 0 ]
