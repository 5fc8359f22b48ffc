#!/bin/bash
# CsmithEdge's Tables 3 and 4, in one run: what becomes of programs, CPU seconds of each, and usable
# programs per CPU hour, with gcc-12 -O2 against clang-19 -O2, for plain Csmith, relaxed and validated
# lazily, with the machine, and eagerly with sanitizers and Frama-C.  The rate of crash mode against
# plain Csmith's.  And the benefit: distinct gcc counters, patterns of gcc's match.pd (where the paper saw
# most of its new coverage) and clang remarks, of the same seeds and of the same compile time, plain /
# relaxed / checks removed / both.
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

# Compiles FILE with both, in used: CPU seconds of it added.  What gcc counted, what it simplified, and
# what clang remarked (kind, pass and name) is added to seen.
compile() { # FILE
    local TIMEFORMAT='%U %S'
    {
        time {
            gcc-12 -w -O2 -S -fdbg-cnt-list "$1" -o out.s >counts 2>&1
            clang-19 -w -O2 -S -fsave-optimization-record -foptimization-record-file=out.yaml "$1" -o out.s 2>/dev/null
        }
    } 2>took
    used=$(awk -v u="$used" '{print u + $1 + $2}' took)
    rm -rf dumps && mkdir dumps
    gcc-12 -w -O2 -S -fdump-tree-all-folding -dumpdir dumps/ "$1" -o out.s 2>/dev/null
    {
        awk '$2 ~ /^[1-9]/ {print "counter", $1}' counts
        grep -rhoE 'match\.pd:[0-9]+' dumps | sed 's/^/pattern /'
        awk '/^--- !/ {kind = $2} /^Pass:/ {pass = $2} /^Name:/ {print "remark", kind, pass, $2}' out.yaml
    } | sort -u - seen -o seen
}

tell_benefit() { # NAME FILES WHAT
    echo "$1, $3: $2 files in $used s: $(grep -c ^counter seen) gcc counters, $(grep -c ^pattern seen) patterns of match.pd, $(grep -c ^remark seen) kinds of clang remarks; not in plain: $(comm -23 seen seen.plain | cut -d' ' -f1 | sort | uniq -c | paste -sd' ')"
}

# The files NAME0.c on: as many as the plain ones, and as many as fit into the compile time of those.
benefit() { # NAME
    local i used=0 in_time=
    : >seen
    for ((i = 0; i < 2 * seeds; i++)); do
        compile "$1$i.c"
        [ "$1" != plain ] || cp seen seen.plain
        [ "$1" != plain ] || [ "$i" -ge "$seeds" ] || most=$used
        if [ -z "$in_time" ] && awk -v u="$used" -v m="$most" 'BEGIN {exit !(u >= m)}'; then
            in_time=$i
            [ "$1" = plain ] || tell_benefit "$1" $((i + 1)) "the same compile time"
        fi
        [ "$i" -ne $((seeds - 1)) ] || tell_benefit "$1" "$seeds" "the same seeds"
        if [ "$i" -ge $((seeds - 1)) ] && [ -n "$in_time" ]; then break; fi
    done
}

# relaxed FILE OPTIONS: within ten seconds
relaxed() { cpu 10 "$cupel" relax t.c $include --seed "$seed" -o "$@" >/dev/null 2>&1; }

count=0 seed=5000
while [ "$count" -lt $((2 * seeds)) ]; do
    seed=$((seed + 1))
    cpu 10 csmith -s "$seed" >t.c 2>/dev/null || continue
    if relaxed "both$count.c" --relax all && relaxed "relaxed$count.c" --relax all --keep-checks &&
        relaxed "removed$count.c" && relaxed "plain$count.c" --keep-checks; then
        count=$((count + 1))
    fi
done
[ "$seeds" -eq 0 ] || for what in plain relaxed removed both; do benefit $what; done
