#!/bin/sh
# Are bugs told apart, and do rare ones drown?  A compiler with several planted faults of tests/bank
# (its first one is the frequent one) is hunted in; afterwards each finding's smallest program is
# given to the compilers that have one of the faults alone, which says what its cause is.  Prints
# when each fault was found first and how often it was seen, and how well findings are told apart, by the
# keys that they had before anything was reduced and by the bugs of `cupel list`: precision, of pairs
# of findings that are called one, those with one cause; recall, of pairs with one cause, those that
# are called one.  Only findings whose key was new, or that were looked at again, are counted: what a
# key recognised later is a number beside it.
#
#   tests/long/bugs.sh SECONDS LEVEL FAULT...       such as: 600 -O1 gcc-sar gcc-table gcc-carry gcc-rep
#
# Both depend on how many findings there was time to reduce and triage.
#
# Exit status: 0 all faults were found, 1 not so, 2 cannot.  CUPEL names the binary; BUGS_DIR keeps
# the campaign.
set -u
[ $# -ge 3 ] || { sed -n '2,18p' "$0" >&2; exit 2; }
bank=$(cd "$(dirname "$0")/../bank" && pwd)
cupel=${CUPEL:-$bank/../../build/cupel}
# shellcheck source=tests/bank/bank.sh
. "$bank/bank.sh"
seconds=$1 level=$2
shift 2
if [ -n "${BUGS_DIR:-}" ]; then
    mkdir -p "$BUGS_DIR" && dir=$(cd "$BUGS_DIR" && pwd) || exit 2
else
    dir=$(mktemp -d) || exit 2
    trap 'rm -rf "$dir"' EXIT
fi
mkdir -p "$dir/bin" || exit 2
for fault; do
    bank_wrap "$dir/bin" "$fault"
done
all=$(echo "$*" | tr ' ' +)
bank_wrap "$dir/bin" "$all"
mv "$dir/bin/$all" "$dir/bin/faulty-cc"

"$cupel" hunt "$dir/hunt" --time "$seconds" --jobs "${JOBS:-1}" --seed "${SEED:-16}" --mode small,plain \
    --cc "$dir/bin/faulty-cc $level" >"$dir/log" 2>&1
[ $? -le 1 ] || { tail -3 "$dir/log" >&2; exit 2; }
"$cupel" list "$dir/hunt" --all --json >"$dir/list.json"
[ $? -le 1 ] || exit 2

# shows FAULT N: does the compiler with this fault alone do wrong with the finding's smallest program?
shows() {
    folder=$dir/hunt/findings/$2
    program=program.c expected=expected.txt
    [ ! -e "$folder/reduced.c" ] || { program=reduced.c expected=reduced.txt; }
    "$dir/bin/$1" "$level" -w "$folder/$program" -o "$dir/a.out" -lm 2>/dev/null || return
    status=$(jq 'if .reduced.lines > 0 then .reduced.status else .status end' "$folder/finding.json")
    timeout 10 "$dir/a.out" >"$dir/out" </dev/null
    [ $? != "$status" ] || ! cmp -s "$dir/out" "$folder/$expected"
}

# id, what stands for it, seconds after the first, the causes, lines, how often, the key without the
# number of a look, the signature
start=$(jq 'map(.first) | min' "$dir/list.json")
jq -r '.[] | [.id, (if .same_as == 0 then .id else .same_as end), .first, .lines, .count,
        (.key | sub(" [(]sighting [0-9]+[)]$"; "")), (if .bug == "" then "-" else .bug end)] | @tsv' \
    "$dir/list.json" | while IFS="$(printf '\t')" read -r id bug first lines count key signature; do
    causes=''
    for fault; do
        ! shows "$fault" "$id" || causes="$causes+$fault"
    done
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$id" "$bug" $((first - start)) "${causes#+}" "$lines" "$count" \
        "${key##*faulty-cc: }" "${signature##*faulty-cc: }"
done >"$dir/table"
printf 'id\tbug\ts\tcause\tlines\tseen\tkey\tsignature\n'
cat "$dir/table"
echo
awk -F '\t' -v faults="$*" '
    {
        bug[NR] = $2; key[NR] = $7; cause[NR] = $4; reduced += $5 > 0; seen += $6
        if (!($4 in first)) first[$4] = $3
        often[$4] += $6
    }
    function share(x, y) { return y ? x / y : 1 }
    function tell(name, group,    i, j, one, same, merged, alike, right) {
        for (i = 1; i <= NR; i++)
            for (j = i + 1; j <= NR; j++) {
                if (cause[i] == "" || cause[j] == "") continue
                one = group[i] == group[j]; same = cause[i] == cause[j]
                merged += one; alike += same; right += one && same
            }
        printf "%-22s pairs called one %d, with one cause %d, both %d: precision %.2f, recall %.2f\n", name, merged, alike,
            right, share(right, merged), share(right, alike)
    }
    END {
        n = split(faults, fault, " ")
        for (i = 1; i <= n; i++) {
            printf "%-12s %s\n", fault[i], fault[i] in first ? "found after " first[fault[i]] " s, seen " often[fault[i]] " times" : "NOT FOUND"
            failed += !(fault[i] in first)
        }
        printf "findings %d, reduced %d, programs that showed something %d\n", NR, reduced, seen
        tell("before reduction:", key)
        tell("in the end:", bug)
        exit failed > 0
    }' "$dir/table"
