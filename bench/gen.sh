#!/bin/bash
# cupel gen beside csmith, in one run: bytes of program per second of CPU, and how much of gcc's and
# clang's optimisers equal compile time of each reaches, and how many loops gcc vectorises.  Prints the
# ratios; then what gcc's counters are without each group of policies (ablation).
#   CUPEL=build/cupel bench/gen.sh [PROGRAMS]
#   SECONDS_EACH (15): compile time of each; ABLATION_SECONDS (5, 0 for none): of each group
set -eu
cupel=$(realpath "${CUPEL:-build/cupel}")
programs=${1:-50}
clang=${CLANG:-clang-19}
# In memory where that is possible: what is measured is the generators, not a file system.
[ -w /dev/shm ] && export TMPDIR=${TMPDIR:-/dev/shm}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
command -v csmith >/dev/null || { echo "gen: no csmith here: nothing to compare with"; exit 0; }

# cpu COMMAND...: seconds of user and system time
cpu() {
    local TIMEFORMAT='%U %S'
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

csmith_programs() {
    mkdir -p theirs
    for i in $(seq 1 "$programs"); do csmith --seed "$i" -o "theirs/$i.c"; done
}
our_programs() { "$cupel" gen --seed 1 --count $((programs * 20)) -o ours; }

their_time=$(cpu csmith_programs)
our_time=$(cpu our_programs)
their_bytes=$(cat theirs/*.c | wc -c)
our_bytes=$(cat ours/*.c | wc -c)
awk -v a="$our_bytes" -v s="$our_time" -v b="$their_bytes" -v t="$their_time" 'BEGIN {
    printf "gen: %.2f MB/s, csmith %.2f MB/s of CPU: %.1fx\n", a / s / 1e6, b / t / 1e6, a / s / (b / t)
}'

# Distinct counters of -fdump-statistics-stats and distinct remarks of -fsave-optimization-record.
counters() { # lines: number, pass, "counter" or "counter == value", count
    cat stats/*.statistics 2>/dev/null | sed -E 's/^[0-9]+ ([^ ]+) "([^"]*)".*/\1 \2/; s/ == [0-9-]+$//' | sort -u
}
gcc_reach() { # FOLDER SECONDS: programs in order until the time is used
    local used=0 n=0
    rm -rf stats && mkdir stats
    for f in "$1"/*.c; do
        t=$(cpu gcc -O3 -w -I/usr/include/csmith -fdump-statistics-stats="stats/$n.statistics" -c "$f" -o /dev/null)
        used=$(awk -v a="$used" -v b="$t" 'BEGIN { print a + b }')
        n=$((n + 1))
        awk -v a="$used" -v b="$2" 'BEGIN { exit !(a > b) }' && break
    done
    counters | wc -l
}
clang_reach() {
    local used=0
    rm -rf stats && mkdir stats
    for f in "$1"/*.c; do
        t=$(cpu "$clang" -O3 -w -I/usr/include/csmith -fsave-optimization-record -foptimization-record-file=stats/r.yaml -c "$f" -o /dev/null)
        [ -f stats/r.yaml ] && paste -d' ' <(grep '^Pass:' stats/r.yaml) <(grep '^Name:' stats/r.yaml) | sort -u >>stats/all
        rm -f stats/r.yaml
        used=$(awk -v a="$used" -v b="$t" 'BEGIN { print a + b }')
        awk -v a="$used" -v b="$2" 'BEGIN { exit !(a > b) }' && break
    done
    sort -u stats/all | wc -l
}
seconds=${SECONDS_EACH:-15}
ours=$(gcc_reach ours "$seconds")
theirs=$(gcc_reach theirs "$seconds")
awk -v a="$ours" -v b="$theirs" -v s="$seconds" 'BEGIN {
    printf "gcc -O3 counters in %d s: %d, csmith %d: %.2fx\n", s, a, b, a / b }'
ours=$(clang_reach ours "$seconds")
theirs=$(clang_reach theirs "$seconds")
awk -v a="$ours" -v b="$theirs" -v s="$seconds" 'BEGIN {
    printf "clang -O3 remarks in %d s: %d, csmith %d: %.2fx\n", s, a, b, a / b }'

# Loops that gcc -O3 vectorises in each second of its own: of programs as they are drawn, of those
# that are a lot of loops, of csmith's.
vectorised() { # FOLDER SECONDS
    local used=0 loops=0
    for f in "$1"/*.c; do
        t=$(cpu gcc -O3 -w -I/usr/include/csmith -fopt-info-vec-optimized=vec -c "$f" -o /dev/null)
        loops=$((loops + $(grep -c 'loop vectorized' vec || true)))
        rm -f vec
        used=$(awk -v a="$used" -v b="$t" 'BEGIN { print a + b }')
        awk -v a="$used" -v b="$2" 'BEGIN { exit !(a > b) }' && break
    done
    awk -v n="$loops" -v s="$used" 'BEGIN { printf "%.2f", n / s }'
}
theirs=$(vectorised theirs "$seconds")
for profile in none loops forms; do
    rm -rf many
    if [ "$profile" = none ]; then ln -s ours many; else
        "$cupel" gen --seed 1 --count $((programs * 20)) --profile "$profile" --size 24 -o many
    fi
    awk -v a="$(vectorised many "$seconds")" -v b="$theirs" -v p="$profile" 'BEGIN {
        printf "vectorised loops in a second of gcc -O3, profile %s: %.1f, csmith %.1f: %.1fx\n", p, a, b, a / b }'
done

# reach_with SETTINGS...: the counters of programs of the same seeds with these policies
ablation=${ABLATION_SECONDS:-5}
reach_with() {
    rm -rf less
    "$cupel" gen --seed 1 --count "$((programs * 4))" -o less "$@"
    gcc_reach less "$ablation"
}
# without NAME POLICIES...: beside those that lack what these policies bring
without() {
    local name=$1 sets=() n
    shift
    for p in "$@"; do sets+=(--set "$p"); done
    n=$(reach_with "${sets[@]}")
    awk -v n="$n" -v all="$all" -v name="$name" 'BEGIN {
        printf "  without %-22s %3d (%+d)\n", name, n, n - all }'
}
[ "$ablation" != 0 ] || exit 0
all=$(reach_with)
echo "gcc -O3 counters in $ablation s: $all"
without contexts context.{additive,bitwise,logical,multiplicative,shifting,arithmetic}=0
without constants constant.{limit,block,again,negated,inverted,value}=0
without leaves leaf.{half,all}=0
without reuse expr.reuse=0
without wrappers expr.wrap=0
without calls stmt.call=0 expr.call=0 stmt.recurse=0
without idioms stmt.idiom=0
without small-functions share.helper=0
without forms stmt.form=0
without array-loops stmt.{array,kernel,nest,grid,reduce,cursor}=0
without memory stmt.{library,text}=0
without storage stmt.{storage,atomic}=0
without complex idiom.complex=0
without vectors stmt.vector=0 shape.vector=0 idiom.float_lanes=0
without floats shape.real=0 member.real=0 form.real=0 idiom.float_lanes=0
without jumps stmt.{jump,tangle,duff,computed,switch}=0
without structures shape.{record,union}=0 count.records=0
without pointers shape.pointer=0 member.pointer=0 stmt.{pointer,walker}=0
without attributes attribute.{cold,hot,noclone,noipa,weak,less,more}=0 share.{promise,noinline,always,inline}=0
without hints stmt.assume=0 share.{expect,pragma,unreachable}=0
without dead-code share.dead=0 relax.{null,dangling,uninitialised,skip,bounds,parameter,sequence,arithmetic}=0
