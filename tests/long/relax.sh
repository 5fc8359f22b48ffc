#!/bin/bash
# Relaxed programs against compilers, sanitizers, Frama-C, and Csmith's own way to leave out wrappers.
# Usage: tests/long/relax.sh PART [COUNT [FIRST_SEED]]
# CUPEL names the binary; CSMITH_OPTIONS are given to Csmith.
#   forms     COUNT Csmith programs without needless checks, in three forms: the same output under
#             gcc-12 and clang-19 at -O0, -O2, -O3; every fourth under sanitizers too
#   wrappers  Csmith's macros in both forms at their limits (functions: tests/cli/relax.bats)
#   oracle    the same seed by Csmith with just the wrappers that we keep
#   planted   COUNT programs, one relaxation each, nothing checked: the machine's verdict beside those
#             of ASan, MSan, UBSan and Frama-C
#   defined   COUNT relaxed programs: how many differ, were defined at once, are usable
# Programs that run for more than two seconds natively are left out.
# Exit status 0 when nothing differs (planted: disagreements are counted, not judged).
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
cupel=${CUPEL:-$here/build/cupel}
part=${1:?which part} want=${2:-200} seed=${3:-1}
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT
include=-I/usr/include/csmith options=${CSMITH_OPTIONS:-}

# cpu SECONDS COMMAND: ended after so much CPU time, however busy the machine is
cpu() { (ulimit -t "$1" && shift && exec "$@"); }

# next_program [OPTIONS]: t.c and native.out of the next seed whose program ends
next_program() {
    while :; do
        now=$seed
        seed=$((seed + 1))
        # shellcheck disable=SC2086
        cpu 30 csmith -s "$now" "$@" $options >t.c 2>/dev/null || continue
        gcc -w -O0 $include t.c -o t 2>/dev/null || continue
        cpu 2 ./t >native.out 2>/dev/null || continue
        cpu 60 "$cupel" check --quiet $include t.c >/dev/null 2>&1 && return
    done
}

# number FILE KEY PART: from the JSON of cupel relax
number() { jq ".$2.$3" "$1"; }

compare() { # FILE WHAT
    local cc level
    for cc in gcc-12 clang-19; do
        for level in -O0 -O2 -O3; do
            compiles=$((compiles + 1))
            if ! cpu 120 $cc -w $level "$1" -o got 2>cc.err || ! cpu 20 ./got >got.out 2>/dev/null ||
                ! cmp -s got.out r.out; then
                echo "seed $now $2: $cc $level differs"
                bad=$((bad + 1))
            fi
        done
    done
}

forms() {
    local done=0 form ran=0 removed=0 near=0 dead=0 sane=0 compiles=0 bad=0 defined=0
    while [ $done -lt "$want" ]; do
        next_program
        done=$((done + 1))
        for form in functions macros mixed; do
            cp native.out r.out # stays where the machine does not decide: addresses that matter
            "$cupel" relax t.c $include --form $form --seed "$now" --json -o r.c --expect r.out >r.json || bad=$((bad + 1))
            "$cupel" check --quiet r.c >check.out 2>&1 && cmp -s check.out r.out && defined=$((defined + 1))
            compare r.c $form
        done
        ran=$((ran + $(number r.json ran all))) removed=$((removed + $(number r.json ran removed)))
        dead=$((dead + $(number r.json dead removed))) near=$((near + $(number r.json near_shares removed)))
        if [ $((done % 4)) -eq 0 ]; then
            sane=$((sane + 1))
            "$cupel" relax t.c $include --form macros --seed "$now" --validate asan,msan,ubsan --json -o r.c >r.json
            for who in ASan MSan UBSan; do
                [ "$(jq -r ".validations.$who" r.json)" = clean ] || { echo "seed $now: $who is not clean"; bad=$((bad + 1)); }
            done
        fi
        [ $((done % 20)) -eq 0 ] || [ $done -eq "$want" ] || continue
        echo "$done programs in three forms: $defined of $((done * 3)) texts defined; $compiles compilations, $bad differ; $sane programs under sanitizers"
        echo "wrappers that ran with a check: $removed of $ran removed ($((removed * 100 / (ran ? ran : 1)))%), $near of them one off; $dead that never ran"
    done
    [ $bad -eq 0 ] && [ $((removed * 100)) -ge $((ran * 70)) ]
}

wrappers() {
    local form flag bad=0
    for form in macros notmp; do
        flag=-DUSE_MATH_MACROS
        [ $form = notmp ] && flag=-DUSE_MATH_MACROS_NOTMP
        awk -v form=$form -f "$here/tests/cli/relax/wrappers.awk" /usr/include/csmith/safe_math.h >t.c
        tail -1 t.c
        gcc -w $flag $include t.c -lm -o t && ./t >native.out
        "$cupel" relax t.c $include $flag -o r.c --expect r.out || bad=1
        cmp native.out r.out || bad=1
        for level in -O0 -O2; do
            gcc -w $level r.c -lm -o r && ./r | cmp - r.out || bad=1
        done
    done
    return $bad
}

# Wrappers take their number as one more argument: the calls that we leave say which are kept.
oracle() {
    local done=0 same=0 ids
    mkdir headers && cp -r /usr/include/csmith/. headers
    sed -i 's/^#define LOG_INDEX$/#define LOG_INDEX , int index/' headers/random_inc.h
    while [ $done -lt "$want" ]; do
        next_program --no-bitfields
        done=$((done + 1))
        # shellcheck disable=SC2086
        csmith -s "$now" --no-bitfields $options --identify-wrappers >i.c 2>/dev/null
        "$cupel" relax i.c -Iheaders -o r.c --expect r.out >/dev/null || continue
        ids=$(grep -v '^#' r.c | sed '1,/FORWARD\|func_1/d' | grep -o 'safe_[a-z0-9_]*(.*' |
            grep -oE ', [0-9]+\)' | tr -d ', )' | sort -un | paste -sd,)
        # shellcheck disable=SC2086
        csmith -s "$now" --no-bitfields $options --identify-wrappers --safe-math-wrappers "${ids:-0}" >k.c 2>/dev/null
        if "$cupel" check --quiet -Iheaders k.c >k.out 2>k.err && cmp -s k.out r.out; then
            same=$((same + 1))
        else
            echo "seed $now: Csmith's own text with wrappers ${ids:-none}: $(head -1 k.err | cut -c1-150)"
        fi
    done
    echo "$done programs: $same behave as Csmith's own text with the wrappers that we keep"
}

# One program with this relaxation alone, as drawn; its line: kind, what the machine says, and what
# each validator does.  False when there was nothing to relax.
plant() { # KIND_NUMBER
    local plan="$now, 0" j
    for j in 0 1 2 3 4 5 6; do plan+=", $([ "$j" = "$1" ] && echo 0.4 || echo 0)"; done
    cpu 900 "$cupel" relax t.c $include --mode crash --again "$plan" --validate all --validate-timeout 10 --json -o r.c >r.json 2>/dev/null || return
    [ "$(jq '[.relaxations[].made] | add' r.json)" -gt 0 ] || return
    cpu 60 "$cupel" check --quiet r.c >/dev/null 2>said
    case $? in
    0) verdict=defined ;;
    1) verdict=$(sed -n 's/.*\[\([a-z-]*\), C11.*/\1/p' said | head -1) ;;
    *) verdict=undecided ;;
    esac
    echo "${kinds[$1]} ${verdict:-undefined} $(jq -r '[.validations[]] | map(gsub(" "; "-")) | join(" ")' r.json) $now"
}

planted() {
    local kinds=(null dangling init goto bounds parameter conflict) k
    : >lines
    while [ "$(wc -l <lines)" -lt "$want" ]; do
        next_program --max-funcs 2 --max-block-depth 2 --max-block-size 3 --no-volatiles
        for k in 0 1 2 3 4 5 6; do plant $k >line && cat line >>lines; done
    done
    echo "count  relaxation  machine  ASan MSan UBSan Frama-C  (a seed)"
    awk '{key = $1 " " $2 " " $3 " " $4 " " $5 " " $6; n[key]++; seed[key] = $7}
        END {for (k in n) print n[k], k, "(" seed[k] ")"}' lines | sort -k2,3 -k1nr
    awk '{bad = $2 != "defined"; said = $0 ~ / undefined .*[0-9]/; all++; agree += bad == said; caught += bad && said; missed += bad && !said; alarm += !bad && said}
        END {print all " programs: " agree " agree (" caught " undefined); " missed " undefined by the machine alone; " alarm " by validators alone"}' lines
}

defined() {
    local done=0 differ=0 once=0 usable=0 offered made all_offered=0 all_made=0
    while [ $done -lt "$want" ]; do
        next_program
        done=$((done + 1))
        cpu 300 "$cupel" relax t.c $include --relax all --seed "$now" --keep-checks --json -o r.c >r.json 2>said ||
            { echo "seed $now: $(head -1 said)"; continue; }
        offered=$(jq '[.relaxations[].offered] | add' r.json) made=$(jq '[.relaxations[].made] | add' r.json)
        all_offered=$((all_offered + offered)) all_made=$((all_made + made))
        usable=$((usable + 1))
        [ "$made" -gt 0 ] && differ=$((differ + 1))
        [ "$(jq .defined_at_once r.json)" = true ] && once=$((once + 1))
    done
    echo "$done programs: $differ differ from the original, $once defined at once, $usable usable in the end; $all_made of $all_offered changes kept"
}

case $part in
forms | wrappers | oracle | planted | defined) "$part" ;;
*) echo "tests/long/relax.sh: no part is called $part" >&2; exit 2 ;;
esac
