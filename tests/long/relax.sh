#!/bin/bash
# Relaxed programs against compilers, sanitizers, Frama-C, and Csmith's own way to leave out wrappers.
# Usage: tests/long/relax.sh PART [COUNT [FIRST_SEED]]
# CUPEL names the binary; CSMITH_OPTIONS are given to Csmith.  KEEP names a folder for what was found, a
# line for each program: forms and planted go on there after a stop, and keep what is worth a look.
#   forms     COUNT Csmith programs without needless checks, in three forms: the same output under
#             gcc-12 and clang-19 (or COMPILERS, none for shares alone) at -O0, -O2, -O3; every fourth
#             under sanitizers too
#   wrappers  Csmith's macros in both forms at their limits (functions: tests/cli/relax.bats)
#   oracle    the same seed by Csmith with just the wrappers that we keep
#   planted   COUNT programs, one relaxation each, nothing checked: the machine's verdict beside those
#             of ASan, MSan, UBSan and Frama-C, EACH of them in so many CPU seconds (10); KINDS: numbers
#             of relaxations (0 1 2 3 4 5 6)
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
keep=${KEEP:-$dir/keep} && mkdir -p "$keep"
lines=$keep/$part compilers=${COMPILERS-gcc-12 clang-19}

# Goes on after the last program of an earlier run.  A line's last word is the seed.
go_on() {
    touch "$lines"
    [ ! -s "$lines" ] || seed=$(($(awk 'END {print $NF}' "$lines") + 1))
}

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
        cpu 10 "$cupel" check --quiet $include t.c >/dev/null 2>&1 && return
    done
}

# number FILE KEY PART: from the JSON of cupel relax
number() { jq ".$2.$3" "$1"; }

compare() { # FORM
    local cc level
    for cc in $compilers; do
        for level in -O0 -O2 -O3; do
            compiles=$((compiles + 1))
            if ! cpu 120 "$cc" -w $level r.c -o got 2>cc.err || ! cpu 20 ./got >got.out 2>/dev/null ||
                ! cmp -s got.out r.out; then
                echo "seed $now $1: $cc $level differs"
                cp r.c "$keep/$now-$1.c"
                bad=$((bad + 1))
            fi
        done
    done
}

sanitize() {
    local who
    "$cupel" relax t.c $include --form macros --seed "$now" --validate asan,msan,ubsan --json -o r.c >s.json
    for who in ASan MSan UBSan; do
        [ "$(jq -r ".validations.$who" s.json)" = clean ] || { echo "seed $now: $who is not clean"; bad=$((bad + 1)); }
    done
}

# A line: texts defined, compilations, what differs, whether sanitizers were asked, whether the
# machine told all of it, then the counts of sites.
forms_of_one() {
    local form compiles=0 bad=0 defined=0 sane=0
    for form in functions macros mixed; do
        cp native.out r.out # stays where the machine does not decide: addresses that matter
        "$cupel" relax t.c $include --form $form --seed "$now" --json -o r.c --expect r.out >r.json || bad=$((bad + 1))
        "$cupel" check --quiet r.c >check.out 2>&1 && cmp -s check.out r.out && defined=$((defined + 1))
        compare $form
    done
    [ -z "$compilers" ] || [ $(($(wc -l <"$lines") % 4)) -ne 0 ] || { sane=1 && sanitize; }
    # sites are counted where the machine tells: what is misaligned at other addresses is left to probes
    echo "$defined $compiles $bad $sane $(jq -r 'if .machine then . else map_values(0) + {ran: {}, near_shares: {}, dead: {}} end | [if .machine == true then 1 else 0 end, .ran.all, .ran.removed, .strict, .needed, .near_shares.removed, .dead.removed] | map(. // 0) | join(" ")' r.json) $now" >>"$lines"
}

tell_forms() {
    awk '{defined += $1; compiles += $2; bad += $3; sane += $4; told += $5; ran += $6; removed += $7; strict += $8; needed += $9; near += $10; dead += $11}
        END {
            printf "%d programs in three forms: %d of %d texts defined; %d compilations, %d differ; %d programs under sanitizers\n",
                NR, defined, NR * 3, compiles, bad, sane
            printf "in the %d that the machine tells all of, wrappers that ran with a check: %d of %d removed (%d%%), %d of them one off, %d stricter than needed; %d were needed; %d that never ran\n",
                told, removed, ran, ran ? removed * 100 / ran : 0, near, strict, needed, dead
            exit bad || removed * 100 < ran * 70
        }' "$lines"
}

forms() {
    go_on
    while [ "$(wc -l <"$lines")" -lt "$want" ]; do
        next_program
        forms_of_one
        [ $(($(wc -l <"$lines") % 20)) -ne 0 ] || tell_forms
    done
    tell_forms
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

# own_text IDS: what Csmith's own text does with just these wrappers, as k.out
own_text() {
    # shellcheck disable=SC2086
    csmith -s "$now" --no-bitfields $options --identify-wrappers --safe-math-wrappers "$1" >k.c 2>/dev/null
    "$cupel" check --quiet -Iheaders k.c >k.out 2>k.err
}

# The numbers of i.c's wrappers of 8 and 16 bits, whose results Csmith does not convert without them.
narrow_ids() {
    perl -0777 -ne 'while (/safe_\w+?_func_u?int(?:8|16)_t\w*(?=(\((?:[^()]++|(?1))*\)))/g) {
        print "$1\n" if $1 =~ s/.*, *(\d+)\)$/$1/sr =~ /^(\d+)$/ }' i.c | sort -un | paste -sd,
}

# Wrappers take their number as one more argument: the calls that we leave say which are kept.
oracle() {
    local done=0 same=0 converted=0 ids
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
        if own_text "${ids:-0}" && cmp -s k.out r.out; then
            same=$((same + 1))
        elif own_text "${ids:-0},$(narrow_ids)" && cmp -s k.out r.out; then
            converted=$((converted + 1))
        else
            echo "seed $now: Csmith's own text with wrappers ${ids:-none}: $(head -1 k.err | cut -c1-150)"
        fi
    done
    echo "$done programs: $same behave as Csmith's own text with the wrappers that we keep, $converted with those of" \
        "8 and 16 bits too, whose results we convert and Csmith does not"
    [ $((same + converted)) -eq "$done" ]
}

# One program with this relaxation alone, as drawn; its line: kind, what the machine says, and what
# each validator does.  Nothing when there was nothing to relax.  Text and reasons stay.
plant() { # KIND_NUMBER
    local plan="$now, 0" j states
    for j in 0 1 2 3 4 5 6; do plan+=", $([ "$j" = "$1" ] && echo 0.4 || echo 0)"; done
    cpu 900 "$cupel" relax t.c $include --mode crash --again "$plan" --validate all --validate-timeout "${EACH:-10}" -o r.c >told 2>/dev/null || return
    grep -q '[1-9][0-9]* of [0-9]* changes kept' told || return
    cpu 5 "$cupel" check --quiet r.c >/dev/null 2>said
    case $? in
    0) verdict=defined ;;
    1) verdict=$(sed -n 's/.*\[\([a-z-]*\), C11.*/\1/p' said | head -1) ;;
    *) verdict=undecided ;;
    esac
    states=$(sed -n '/^\(.*San\|Frama-C\): /s/[^:]*: \([a-z ]*[a-z]\).*/\1/p' told | tr ' ' - | paste -sd' ')
    echo "${kinds[$1]} ${verdict:-undefined} $states $now" >>"$lines"
    cp r.c "$keep/$now-${kinds[$1]}.c" && cat said told >"$keep/$now-${kinds[$1]}.said"
}

tell_planted() {
    echo "count  relaxation  machine  ASan MSan UBSan Frama-C  (a seed)"
    awk '{key = $1 " " $2 " " $3 " " $4 " " $5 " " $6; n[key]++; seed[key] = $7}
        END {for (k in n) print n[k], k, "(" seed[k] ")"}' "$lines" | sort -k2,3 -k1nr
    awk '{
            bad = $2 != "defined" && $2 != "undecided"; said = 0
            for (i = 3; i <= 6; i++) { said += $i == "undefined"; timed += $i == "timed-out"; each[i] += bad && $i == "undefined" }
            all++; undecided += $2 == "undecided"; caught += bad && said; missed += bad && !said; alarm += !bad && said
        }
        END {
            print all " programs: " caught + missed " undefined by the machine, " caught " of them by a validator too, " missed " by the machine alone; " \
                alarm " by validators alone; " undecided " undecided by the machine, " timed " time-outs of validators"
            print "of those undefined by the machine: ASan " each[3] ", MSan " each[4] ", UBSan " each[5] ", Frama-C " each[6]
        }' "$lines"
}

planted() {
    local kinds=(null dangling init goto bounds parameter conflict) k
    go_on
    # the last one may have been cut off
    [ ! -s "$lines" ] || { seed=$((seed - 1)) && sed -i "/ $seed\$/d" "$lines"; }
    while [ "$(wc -l <"$lines")" -lt "$want" ]; do
        next_program --max-funcs 2 --max-block-depth 2 --max-block-size 3 --no-volatiles
        for k in ${KINDS:-0 1 2 3 4 5 6}; do plant "$k"; done
    done
    tell_planted
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
