#!/bin/bash
# CsmithEdge's Tables 3 and 4, in one run: what becomes of programs, CPU seconds of each, and usable
# programs per CPU hour, with gcc-12 -O2 against clang-19 -O2, for plain Csmith, relaxed and validated
# lazily, with the machine, and eagerly with sanitizers and Frama-C.  The rate of crash mode against
# plain Csmith's.  And the benefit: distinct gcc counters and clang remarks of the same seeds and the
# same compile time, plain / relaxed / checks removed / both.
# Rates are of CPU time, so that a busy machine does not change them.
# Usage: bench/relax.sh [PROGRAMS [SEEDS_OF_BENEFIT]]    0: not that part; CUPEL names the binary, SEED the
# campaigns' number
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
cupel=${CUPEL:-$here/build/cupel}
programs=${1:-100} seeds=${2:-8}
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT
include=-I/usr/include/csmith

# cpu SECONDS COMMAND: ended after so much CPU time, however busy the machine is
cpu() { (ulimit -t "$1" && shift && exec "$@"); }

# One campaign's line of `cupel status`, and in rate: usable programs per CPU hour.
hunt() { # NAME MODE [OPTIONS]
    local name=$1 mode=$2
    shift 2
    "$cupel" hunt "$name" --seed "${SEED:-7}" --programs "$programs" --jobs 1 --mode "$mode" --quiet \
        --cc 'gcc-12 -O2' --cc 'clang-19 -O2' "$@"
    "$cupel" status "$name" --json >status.json
    rate=$(jq --arg m "$mode" '.fates[$m] | .usable * 3600 / (.make_cpu + .run_cpu + .validate_cpu)' status.json)
    made=$(jq --arg m "$mode" '.fates[$m] | .generated * 3600 / .make_cpu' status.json)
    echo "$name: $("$cupel" status "$name" | sed -n "s/^$mode: \(.*generated.*\)/\1/p")"
}

tell() { # NAME RATE PLAIN
    awk -v n="$1" -v r="$2" -v p="$3" 'BEGIN {printf "%s: %.0f an hour, %.2f of plain\n", n, r, p ? r / p : 0}'
}

rates() {
    hunt plain csmith --without-machine
    local plain=$rate plain_made=$made
    tell plain "$rate" "$plain"
    hunt lazily csmith-relax --without-machine && tell lazily "$rate" "$plain"
    hunt machine csmith-relax && tell machine "$rate" "$plain"
    hunt eagerly csmith-relax --without-machine --eager && tell eagerly "$rate" "$plain"
    hunt crash csmith-crash && tell "crash mode, generation alone" "$made" "$plain_made"
}
[ "$programs" -eq 0 ] || rates

# In spent: seconds of CPU time of this shell's children so far
spend() {
    times >times.txt
    spent=$(awk 'NR == 2 {split($1, u, /[ms]/); split($2, s, /[ms]/); print u[1] * 60 + u[2] + s[1] * 60 + s[2]}' times.txt)
}

# Distinct gcc counters that counted anything, and kinds of clang remarks, of files NAME0.c on, within
# the compile time that the plain ones take.
benefit() { # NAME
    local i start used=0 files=0
    : >counters && : >remarks
    spend && start=$spent
    for ((i = 0; i < seeds; i++)); do
        gcc-12 -w -O2 -S -fdbg-cnt-list "$1$i.c" $include -o out.s 2>&1 | awk '$2 ~ /^[1-9]/ {print $1}' >>counters
        clang-19 -w -O2 -S $include '-Rpass=.*' '-Rpass-missed=.*' '-Rpass-analysis=.*' "$1$i.c" -o out.s 2>&1 |
            sed -n 's/.*remark: \(.*\) \[-\(Rpass[^]]*\)\]$/\2 \1/p' | sed "s/'[^']*'/X/g; s/[0-9][0-9.]*/N/g" >>remarks
        files=$((files + 1))
        spend
        used=$(awk -v a="$start" -v b="$spent" 'BEGIN {print b - a}')
        [ "$1" != plain ] && awk -v u="$used" -v m="$most" 'BEGIN {exit !(u >= m)}' && break
    done
    [ "$1" = plain ] && most=$used
    echo "$1: $files files in $used s: $(sort -u counters | wc -l) gcc counters, $(sort -u remarks | wc -l) kinds of clang remarks"
}

count=0 seed=5000
while [ "$count" -lt "$seeds" ]; do
    seed=$((seed + 1))
    cpu 10 csmith -s "$seed" >t.c 2>/dev/null || continue
    if cpu 10 "$cupel" relax t.c $include --relax all --seed "$seed" -o "both$count.c" >/dev/null 2>&1 &&
        cpu 10 "$cupel" relax t.c $include --relax all --seed "$seed" --keep-checks -o "relaxed$count.c" >/dev/null 2>&1 &&
        cpu 10 "$cupel" relax t.c $include --seed "$seed" -o "removed$count.c" >/dev/null 2>&1; then
        cp t.c "plain$count.c"
        count=$((count + 1))
    fi
done
[ "$seeds" -eq 0 ] || for what in plain relaxed removed both; do benefit $what; done
