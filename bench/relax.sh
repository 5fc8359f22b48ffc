#!/bin/bash
# Usable programs per hour with gcc-12 -O2 against clang-19 -O2, in one run: plain Csmith, relaxed
# lazily (validators only on a mismatch), eagerly with the machine, eagerly with sanitizers.  The rate
# of crash mode against plain Csmith's.  And the benefit: distinct gcc counters and clang remarks of
# the same seeds, plain / relaxed / checks removed / both.
# Usage: bench/relax.sh [SECONDS_EACH [FIRST_SEED]]    CUPEL names the binary
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
cupel=${CUPEL:-$here/build/cupel}
limit=${1:-120} first=${2:-5000}
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT
include=-I/usr/include/csmith
echo 'int main(void) { return 0; }' >empty.c

# plan SEED: the seed string that miscompile mode draws
plan() { "$cupel" relax empty.c --relax all --seed "$1" -o empty.r.c | sed -n 's/^seed: //p'; }

run_both() { # FILE [FLAGS]: 0 the same, 1 another output, 2 not usable
    timeout 300 gcc-12 -w -O2 "$@" -o g 2>/dev/null || return 2
    timeout 300 clang-19 -w -O2 "$@" -o c 2>/dev/null || return 2
    timeout 10 ./c >c.out 2>/dev/null || return 2
    timeout 10 ./g >g.out 2>/dev/null || return 2
    cmp -s c.out g.out
}

# Is anything of what the plan calls for undefined?  The validators of --validate needed.
is_clean() { # FILE
    ! "$cupel" relax t.c $include --mode crash --again "$(plan "$seed")" --validate needed --json -o v.c |
        jq -e '[.validations[] | select(. == "undefined")] | length > 0' >/dev/null
}

plain() { run_both t.c $include; }
lazily() {
    "$cupel" relax t.c $include --mode crash --again "$(plan "$seed")" -o r.c >/dev/null 2>&1 || return 2
    run_both r.c
    case $? in 0) return 0 ;; 1) is_clean || return 2 ;; *) return 2 ;; esac
}
machine() {
    timeout 60 "$cupel" relax t.c $include --relax all --seed "$seed" -o r.c >/dev/null 2>&1 || return 2
    run_both r.c
}
sanitizers() {
    "$cupel" relax t.c $include --mode crash --again "$(plan "$seed")" -o r.c >/dev/null 2>&1 || return 2
    is_clean || return 2
    run_both r.c
}

rate() { # WAY
    local start=$SECONDS made=0 usable=0
    seed=$first
    while [ $((SECONDS - start)) -lt "$limit" ]; do
        timeout 150 csmith -s "$seed" >t.c 2>/dev/null
        made=$((made + 1))
        "$1"
        case $? in 0 | 1) usable=$((usable + 1)) ;; esac
        seed=$((seed + 1))
    done
    echo "$1: $made programs, $usable usable in $((SECONDS - start)) s: $((usable * 3600 / (SECONDS - start))) an hour"
}

crash_rate() { # plain or relaxed: programs made and nothing else
    local start=$SECONDS made=0
    seed=$first
    while [ $((SECONDS - start)) -lt $((limit / 2)) ]; do
        timeout 150 csmith -s "$seed" >t.c 2>/dev/null
        [ "$1" = plain ] || "$cupel" relax t.c $include --mode crash --relax all --seed "$seed" -o r.c >/dev/null 2>&1
        made=$((made + 1)) seed=$((seed + 1))
    done
    echo "crash mode, $1: $((made * 3600 / (SECONDS - start))) an hour"
}

# Distinct gcc counters that counted anything, and kinds of clang remarks, of the files.
benefit() { # NAME FILE...
    local name=$1 f
    shift
    for f; do
        gcc-12 -w -O2 -S -fdbg-cnt-list "$f" $include -o /dev/null 2>&1 | awk '$2 ~ /^[1-9]/ {print $1}'
    done | sort -u >counters
    for f; do
        clang-19 -w -O2 -S $include '-Rpass=.*' '-Rpass-missed=.*' '-Rpass-analysis=.*' "$f" -o /dev/null 2>&1 |
            sed -n 's/.*remark: \([^:]*\).*\[\(-Rpass[^]]*\)\]/\2/p'
    done | sort -u >remarks
    echo "$name: $(wc -l <counters) gcc counters, $(wc -l <remarks) kinds of clang remarks"
}

for way in plain lazily machine sanitizers; do rate $way; done
for way in plain relaxed; do crash_rate $way; done
count=0 seed=$first
while [ $count -lt 8 ]; do
    csmith -s "$seed" >t.c 2>/dev/null
    if timeout 60 "$cupel" relax t.c $include --relax all --seed "$seed" -o "both$count.c" >/dev/null 2>&1 &&
        timeout 60 "$cupel" relax t.c $include --relax all --seed "$seed" --keep-checks -o "gen$count.c" >/dev/null 2>&1 &&
        timeout 60 "$cupel" relax t.c $include -o "checks$count.c" >/dev/null 2>&1; then
        cp t.c "plain$count.c"
        count=$((count + 1))
    fi
    seed=$((seed + 1))
done
benefit plain plain*.c
benefit "relaxed generation" gen*.c
benefit "checks removed" checks*.c
benefit both both*.c
