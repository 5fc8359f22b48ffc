#!/bin/sh
# Are planted faults told apart?  Small generated programs go through a compiler with all these faults
# of the bank at once; what it does wrong is triaged, and the compilers with one of the faults alone say
# what the cause is.  Then each program is reduced and triaged again.  Prints, before and after,
# precision (of pairs of programs with one signature, those with one cause) and recall (of pairs
# with one cause, those with one signature); after a reduction also how many show another fault than
# before.
#
#   tests/bank/triage.sh [COUNT [FIRST]]     so many programs, of seeds FIRST on (200, 1)
#
# LEVEL (-O0) and FAULTS choose the compiler; REDUCE=no leaves reductions out; CUPEL names the binary.
# Exit status: 0 precision is at least LEAST (0.7), 1 not so, 2 cannot.
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
accused="$dir/bin/faulty-cc $level"

base=$(bank_field "${faults%% *}" base)

# watch COMPILER FILE: what the compiler makes of FILE.c prints, and its exit status
watch() {
    "$1" "$level" -w "$2.c" -o "$dir/a.out" -lm 2>/dev/null || return
    timeout 10 "$dir/a.out" </dev/null
    echo "status $?"
}

# is_wrong COMPILER FILE: with the program FILE.c, of which FILE.exp says what it must do
is_wrong() {
    watch "$dir/bin/$1" "$2" >"$dir/out" && ! cmp -s "$dir/out" "$2.exp"
}

# causes_of FILE: the faults that show with it, joined by +
causes_of() {
    causes=''
    for fault in $faults; do
        ! is_wrong "$fault" "$1" || causes="$causes+$fault"
    done
    echo "${causes#+}"
}

# row FILE WORD...: a line of a table: the words, compilations, signature; nothing when it cannot be told
row() {
    file=$1
    shift
    "$cupel" triage "$file.c" --cc "$accused" --no-matrix --json >"$dir/json" 2>/dev/null
    [ $? = 1 ] || return
    for word; do
        printf '%s\t' "$word"
    done
    jq -r '[.compiles, (.bug | sub("^.*faulty-cc: "; ""))] | @tsv' "$dir/json"
}

# reduce: t.c to r.c, and what that must do
reduce() {
    "$cupel" reduce "$dir/t.c" --cc "$accused" -o "$dir/r.c" --fresh --no-evidence --quiet --jobs 1 \
        --cpu "${REDUCE_CPU:-60}" >/dev/null 2>&1
    [ $? = 2 ] && return 1
    watch "$base" "$dir/r" >"$dir/r.exp"
}

: >"$dir/before"
: >"$dir/after"
seed=$first
while [ "$seed" -lt $((first + count)) ]; do
    "$cupel" gen --seed "$seed" --size 6 -o "$dir/t.c" --expect "$dir/t.exp" || exit 2
    echo 'status 0' >>"$dir/t.exp"
    if is_wrong faulty-cc "$dir/t"; then
        cause=$(causes_of "$dir/t")
        # what two faults do together belongs to neither
        case $cause in
        '' | *+*) ;;
        *)
            row "$dir/t" "$seed" "$cause" "$cause" | tee -a "$dir/before"
            [ "${REDUCE:-yes}" = no ] || { reduce && row "$dir/r" "$seed" "$cause" "$(causes_of "$dir/r")" |
                tee -a "$dir/after"; }
            ;;
        esac
    fi
    seed=$((seed + 1))
done

# tell WORDS TABLE
tell() {
    awk -F '\t' -v words="$1" -v programs="$count" -v least="${LEAST:-0.7}" '
        $3 !~ /[+]/ && $3 != "" {
            n++; cause[n] = $3; bug[n] = $5; compiles += $4; causes[$3]; bugs[$5]; slid += $2 != $3
        }
        function share(x, y) { return y ? x / y : 1 }
        END {
            for (i = 1; i <= n; i++)
                for (j = i + 1; j <= n; j++) {
                    one_bug = bug[i] == bug[j]; one_cause = cause[i] == cause[j]
                    alike += one_bug; same += one_cause; right += one_bug && one_cause
                }
            for (c in causes) k++
            for (b in bugs) m++
            printf "\n%s: %d of %d programs, %d faults, %d signatures, %.1f compilations each", words, n, programs, k, m, share(compiles, n)
            printf "%s\n", slid ? ", " slid " with another fault than before" : ""
            printf "pairs with one signature %d, with one cause %d, both %d\n", alike, same, right
            printf "precision %.2f\nrecall %.2f\n", share(right, alike), share(right, same)
            exit share(right, alike) < least
        }' "$2"
}
status=0
tell 'before reduction' "$dir/before" || status=1
[ "${REDUCE:-yes}" = no ] || tell 'after reduction' "$dir/after" || status=1
exit $status
