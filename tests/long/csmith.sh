#!/bin/sh
# Csmith programs: what the machine prints against what gcc -O0's program prints.
# Usage: tests/long/csmith.sh [COUNT [FIRST_SEED]]    CUPEL names the binary
# Programs that run for more than a second natively are left out.  What the machine calls undefined
# must be confirmed: misaligned by UBSan, by gcc's warning of a pointer to a packed member, or by
# its reason where #pragma pack makes it one;
# effective-type by its reason, since no sanitizer knows it (gcc's manual, -fstrict-aliasing: a
# union's member read through a pointer, not the union).
# Exit status 0 when nothing is wrong or unconfirmed, and 99% of the defined programs finish.
set -u
cupel=${CUPEL:-$(cd "$(dirname "$0")/../.." && pwd)/build/cupel}
want=${1:-300} seed=${2:-1}
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT
tried=0 same=0 wrong=0 undefined=0 unconfirmed=0 cannot=0

confirm() {
    case $(sed -n 's/.*\[\([a-z-]*\), C11.*/\1/p' said) in
    misaligned) # by UBSan where the address shows it, else by the pointer into a packed structure
        gcc -Waddress-of-packed-member -fsyntax-only -I/usr/include/csmith t.c 2>&1 |
            grep -q 'Waddress-of-packed-member' && return
        gcc -w -O0 -fsanitize=alignment -I/usr/include/csmith t.c -o u 2>/dev/null &&
            timeout 20 ./u 2>&1 >/dev/null | grep -q 'misaligned' && return
        grep -q '^#pragma pack(1)' t.c ;; # of which gcc warns only where it is an attribute
    effective-type) grep -q '^union' t.c ;;
    *) false ;;
    esac
}

while [ $tried -lt "$want" ]; do
    csmith -s "$seed" >t.c 2>/dev/null
    gcc -w -O0 -I/usr/include/csmith t.c -o t 2>/dev/null
    if timeout 1 ./t >native 2>/dev/null; then
        tried=$((tried + 1))
        timeout 60 "$cupel" check --quiet -I/usr/include/csmith t.c >ours 2>said
        case $? in
        0) if cmp -s native ours; then same=$((same + 1)); else
                echo "seed $seed: another output"
                wrong=$((wrong + 1))
            fi ;;
        1)
            undefined=$((undefined + 1))
            if ! confirm; then
                echo "seed $seed: $(head -1 said)"
                unconfirmed=$((unconfirmed + 1))
            fi ;;
        *)
            echo "seed $seed: $(head -1 said)"
            cannot=$((cannot + 1)) ;;
        esac
    fi
    seed=$((seed + 1))
done
echo "$tried programs: $same the same, $wrong wrong, $undefined undefined ($unconfirmed unconfirmed), $cannot not run"
[ $wrong -eq 0 ] && [ $unconfirmed -eq 0 ] && [ $((cannot * 100)) -le $((tried - undefined)) ]
