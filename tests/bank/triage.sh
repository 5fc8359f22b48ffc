#!/bin/sh
# Are planted faults told apart before anything is reduced?  Small generated programs go through a
# compiler with all these faults of the bank at once; what it does wrong is triaged, and the compilers
# with one of the faults alone say what the cause is.  Prints precision (of pairs of programs with one
# signature, those with one cause) and recall (of pairs with one cause, those with one signature).
#
#   tests/bank/triage.sh [COUNT [FIRST]]     so many programs, of seeds FIRST on (200, 1)
#
# LEVEL (-O0) and FAULTS choose the compiler; CUPEL names the binary.  Exit status: 0 precision is at
# least LEAST (0.7), 1 not so, 2 cannot.
set -u
bank=$(cd "$(dirname "$0")" && pwd)
cupel=${CUPEL:-$bank/../../build/cupel}
# shellcheck source=tests/bank/bank.sh
. "$bank/bank.sh"
count=${1:-200} first=${2:-1} level=${LEVEL:--O0}
faults=${FAULTS:-gcc-sar gcc-neg gcc-idiv gcc-below gcc-255 gcc-bits gcc-carry}
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
for fault in $faults; do
    bank_wrap "$dir/bin" "$fault"
done
all=$(echo "$faults" | tr ' ' +)
bank_wrap "$dir/bin" "$all"
mv "$dir/bin/$all" "$dir/bin/faulty-cc"

# is_wrong COMPILER: with the program at hand
is_wrong() {
    "$dir/bin/$1" "$level" -w "$dir/t.c" -o "$dir/a.out" -lm 2>/dev/null || return
    ! timeout 10 "$dir/a.out" >"$dir/out" </dev/null || ! cmp -s "$dir/out" "$dir/t.exp"
}

seed=$first
while [ "$seed" -lt $((first + count)) ]; do
    "$cupel" gen --seed "$seed" --size 6 -o "$dir/t.c" --expect "$dir/t.exp" || exit 2
    if is_wrong faulty-cc; then
        causes=''
        for fault in $faults; do
            ! is_wrong "$fault" || causes="$causes+$fault"
        done
        # what two faults do together belongs to neither
        case $causes in
        '' | +*+*) ;;
        *)
            "$cupel" triage "$dir/t.c" --cc "$dir/bin/faulty-cc $level" --no-matrix --json >"$dir/json" 2>/dev/null
            [ $? = 1 ] && printf '%s\t%s\t%s\t%s\n' "$seed" "${causes#+}" "$(jq -r .compiles "$dir/json")" \
                "$(jq -r '.bug | sub("^.*faulty-cc: "; "")' "$dir/json")"
            ;;
        esac
    fi
    seed=$((seed + 1))
done | tee "$dir/table"
awk -F '\t' -v programs="$count" -v least="${LEAST:-0.7}" '
    { cause[NR] = $2; bug[NR] = $4; compiles += $3; causes[$2]; bugs[$4] }
    function share(x, y) { return y ? x / y : 1 }
    END {
        for (i = 1; i <= NR; i++)
            for (j = i + 1; j <= NR; j++) {
                one_bug = bug[i] == bug[j]; one_cause = cause[i] == cause[j]
                alike += one_bug; same += one_cause; right += one_bug && one_cause
            }
        for (c in causes) n++
        for (b in bugs) m++
        printf "\n%d of %d programs, %d faults, %d signatures, %.1f compilations each\n", NR, programs, n, m, share(compiles, NR)
        printf "pairs with one signature %d, with one cause %d, both %d\n", alike, same, right
        printf "precision %.2f\nrecall %.2f\n", share(right, alike), share(right, same)
        exit share(right, alike) < least
    }' "$dir/table"
