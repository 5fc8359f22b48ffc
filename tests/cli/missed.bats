#!/usr/bin/env bats
# cupel missed: planted compilers are found, honest ones are not; folders go on; targets.

bats_require_minimum_version 1.5.0
load helpers

# Small programs, one worker, and nothing but the findings' folder.
missed() {
    "$CUPEL" missed D --jobs 1 --quiet --size 8 "$@"
}

@test "a compiler that does not optimise behind -O3 is found, with who does better" {
    cc_script lazy <<'SH'
exec gcc-12 "$@" -O0
SH
    run -1 missed --cc './lazy -O3' --programs 2 --oracle pair
    # an older gcc that does better makes it a regression; tools/setup alone installs none
    proof='other compiler'
    ! command -v gcc-11 >/dev/null || proof=regression
    [[ $output == *"$proof"*"./lazy -O3"* ]]
    grep -q '^better     gcc-12 -O3: [0-9]* instructions, not [0-9]*$' D/findings/1/report.txt
    # both were run, and their instructions counted
    grep -q '^executed   [1-9][0-9]* instructions, and [1-9][0-9]* by the better one$' D/findings/1/report.txt
    # and which pass of it does the work
    grep -q '^pass       .* of [a-z]*-[0-9]* -O3: without it that code is as bad$' D/findings/1/report.txt
    # both programs and the codes stand beside each other, with the better compiler's
    grep -q '^first.c  *second.c$' D/findings/1/report.txt
    grep -q '^first.c by ./lazy -O3  *second.c by ./lazy -O3  *[a-z]*.c by [a-z]*-[0-9]* -O3$' D/findings/1/report.txt
    grep -q ret D/findings/1/better.s
    # the two programs differ, and both are whole
    run -1 cmp -s D/findings/1/first.c D/findings/1/second.c
    for f in first second; do
        gcc-12 -w -o "$f" "D/findings/1/$f.c"
        "./$f"
    done
}

@test "a compiler that takes volatile objects for plain ones is found" {
    cc_script plain <<'SH'
exec gcc-12 "$@" -Dvolatile=
SH
    run -1 missed --cc './plain -O2' --programs 3 --oracle volatile
    [[ $output == *"volatile  wrong"*"./plain -O2"* ]]
    grep -q 'static volatile int' D/findings/1/first.c
}

@test "compilers that drop, double or split an access to a volatile object are found" {
    # edits NAME AWK: gcc-12 whose first store of a constant to the stack or a volatile object becomes what AWK prints
    edits() {
        cc_script "$1" <<SH
for last; do :; done
case " \$* " in *" -c "*) ;; *) exec gcc-12 "\$@" ;; esac
gcc-12 "\$@" -S && awk '!done && /^\\tmovl\\t\\\$[0-9]+, .*\\(%r[si]p\\)/ { done = 1; $2 }; { print }' "\$last" >"\$last.s" &&
    exec gcc-12 -c -o "\$last" "\$last.s"
SH
    }
    edits drops next
    edits doubles print
    edits splits 'sub(/movl/, "movb"); print; sub(/, /, ", 1+"); sub(/movb/, "movb"); print; next'
    for fault in drops doubles splits; do
        rm -rf D
        run -1 missed --cc "./$fault -O2" --programs 12 --oracle access
        [[ $output == *"access    wrong"*"./$fault -O2"* ]]
        grep -q "^seen with  cupel volatile first.c --cc './$fault -O2'$" D/findings/1/report.txt
        run -1 "$CUPEL" volatile D/findings/1/first.c --cc "./$fault -O2"
    done
    rm -rf D
    run -0 missed --cc 'gcc-12 -O2' --cc 'gcc-12 -O1 -m32' --programs 4 --oracle access
}

@test "what one pass does to volatile objects is one finding, and the pass is named" {
    # two programs with two patterns; and a folder that is gone on with knows the pass
    run -1 "$CUPEL" missed D --jobs 1 --quiet --cc 'clang-19 -O2' --size 300 --seed 56 --programs 2 --oracle access
    [[ $output == *"2 differences; 2 minimised"*"1 new findings, 1 in all"* ]]
    grep -q '^pass       x86-cmov-conversion: without it that code is right$' D/findings/1/report.txt
    sed -i 's/"pattern": .*/"pattern": "of another one",/; s/"seed": .*/"seed": 1,/' D/findings/1/finding.json
    rm D/state.json
    run -1 "$CUPEL" missed D --jobs 1 --quiet --cc 'clang-19 -O2' --size 300 --seed 56 --programs 2 --oracle access
    [[ $output == *"0 new findings, 1 in all"* ]]
}

@test "a compiler that loses a call that is made is found" {
    cc_script loses <<'SH'
for last; do :; done
gcc-12 "$@" || exit
case $last in *.s) sed -i '/call.*live/d; /jmp.*live/d' "$last" ;; esac
SH
    run -1 missed --cc './loses -O2' --programs 1 --oracle live
    [[ $output == *"live      wrong"*"./loses -O2"* ]]
}

@test "a compiler that keeps dead calls is found where another removes them" {
    cc_script keeps <<'SH'
exec gcc-12 "$@" -O0
SH
    run -1 missed --cc './keeps -O2' --cc 'gcc-12 -O2' --programs 6 --oracle dead --size 12
    [[ $output == *"dead "*"./keeps -O2"*" is never "* ]]
    # of calls that it is not about none is left
    [ "$(grep -c '^void ' D/findings/1/first.c)" = 1 ]
    run -1 grep -l '"compiler": "gcc-12 -O2"' -r D/findings
}

@test "a compiler without one pass is found" {
    cc_script novrp <<'SH'
exec gcc-12 "$@" -fno-tree-vrp
SH
    run -1 missed --cc './novrp -O2' --cc 'gcc-12 -O2' --seed 102 --programs 1 --size 40 --oracle dead
    [[ $output == *"dead "*"./novrp -O2"* ]]
    [ "$(grep -c '^better     gcc-12 -O2: ' D/findings/1/report.txt)" = 1 ]
}

@test "a compiler that gets worse when it is told more is found" {
    cc_script spiteful <<'SH'
for f; do case $f in *.c) ! grep -q "__restrict\|__builtin_unreachable" "$f" || set -- "$@" -O0 ;; esac; done
exec gcc-12 "$@"
SH
    run -1 missed --cc './spiteful -O2' --programs 1 --oracle refine,restrict
    [[ $output == *"refine "*"./spiteful -O2"* && $output == *"restrict "*"./spiteful -O2"* ]]
    grep -rlq '^better     gcc-12 -O2: ' D/findings
}

@test "nothing is said of a compiler against itself" {
    cc_script same <<'SH'
exec gcc-12 "$@"
SH
    run -0 missed --cc './same -O2' --cc 'gcc-12 -O2' --programs 6 --oracle dead,live,volatile
    [[ $output == *"0 differences"*"0 refused"* || $output == *"0 refused"*"0 differences"* ]]
}

@test "the assignment that it is about is found at once among hundreds of operators" {
    run -0 "$CUPEL" missed D --oracle pair --seed 4 --programs 1 --jobs 1 --quiet --json --cc 'gcc-12 -O3'
    [ "$(jq '.minimised' <<<"$output")" = 1 ]
    [ "$(jq '.below_ten' <<<"$output")" = 1 ]
    [ "$(jq '.compiles < 300' <<<"$output")" = true ]
    # and so is the dead call
    run -1 "$CUPEL" missed D2 --oracle dead --seed 5022 --size 200 --programs 1 --jobs 1 --quiet --json \
        --cc 'clang-19 -O3' --cc 'gcc-12 -O2'
    [ "$(jq '[.minimised, .cut, .below_ten, .small] | tostring' <<<"$output")" = '"[1,0,1,1]"' ]
    [ "$(jq '.compiles < 150' <<<"$output")" = true ]
    [ "$(jq '[.rows[] | .below_ten] | add' <<<"$output")" = 1 ]
}

@test "what the end of the time cuts off is counted apart, and told if it is wrong code" {
    cc_script loses <<'SH'
for last; do :; done
case " $* " in *" -E "*) ;; *) sleep 0.3 ;; esac
gcc-12 "$@" || exit
case $last in *.s) sed -i '/call.*live/d; /jmp.*live/d' "$last" ;; esac
SH
    run "$CUPEL" missed D --size 1000 --time 1 --oracle live --jobs 1 --quiet --json --cc './loses -O2'
    # a fast machine ends with the first one before the time does; what was begun is one or the other,
    # and wrong code is told however large it was left
    [ "$status" = 1 ]
    [ "$(jq '[.found >= 1, .differences > 0, .minimised + .cut >= 1, .cut == .rows[0].cut, .minimised == .rows[0].minimised] | all' <<<"$output")" = true ]
}

@test "wrong code is made small whatever time others took" {
    cc_script loses <<'SH'
for last; do :; done
case " $* " in *" -E "*) ;; *) sleep 0.5 ;; esac
gcc-12 "$@" || exit
case $last in *.s) sed -i '/call.*live/d; /jmp.*live/d' "$last" ;; esac
SH
    run -1 "$CUPEL" missed D --size 30 --time 60 --programs 4 --oracle live --jobs 1 --quiet --json --cc './loses -O2'
    [ "$(jq '.differences > 2 and .differences == .minimised + .cut' <<<"$output")" = true ]
}

@test "what is seen with a constant and with a fact is one finding" {
    run -1 "$CUPEL" missed D --oracle pair,refine --seed 5011 --programs 1 --jobs 1 --quiet --json --cc 'gcc-12 -Os'
    [ "$(jq .differences <<<"$output")" = 2 ]
    [ "$(jq .found <<<"$output")" = 1 ]
    [[ $(jq -r '.findings[0].pattern' <<<"$output") == "(x0 / (1 && v1)) -> x2" ]]
}

@test "i386 and AArch64 are read too" {
    run -0 missed --cc 'clang-19 -O2 -m32' --cc 'clang-19 -O2 --target=aarch64-linux-gnu' \
        --programs 2 --count-only --oracle pair --json
    [ "$(jq .programs <<<"$output")" = 2 ]
    [ "$(jq .refused <<<"$output")" = 0 ]
    [ "$(jq .compiles <<<"$output")" -ge 2 ]
    # another compiler for the same machine is asked too
    cc_script lazy <<'SH'
exec gcc-12 "$@" -O0
SH
    rm -r D
    run -1 missed --cc './lazy -O2 -m32' --programs 2 --oracle pair
    grep -q '^better     clang-[0-9]* -O2 -m32: ' D/findings/1/report.txt
}

@test "a folder goes on where it stopped, and findings are not found twice" {
    cc_script lazy <<'SH'
exec gcc-12 "$@" -O0
SH
    run -1 missed --cc './lazy -O3' --programs 1 --oracle volatile,pair
    [ "$(jq .next D/state.json)" = 1 ]
    run -1 missed --cc './lazy -O3' --programs 1 --oracle pair --json
    [ "$(jq .next D/state.json)" = 2 ]
    [ "$(jq .found <<<"$output")" = "$(find D/findings -name finding.json | wc -l)" ]
    [ "$(jq '[.findings[].pattern] | unique | length' <<<"$output")" = "$(jq .found <<<"$output")" ]
}

@test "what is interrupted comes again, and only what is kept is counted" {
    cc_script lazy <<'SH'
exec gcc-12 "$@" -O0
SH
    "$CUPEL" missed D --cc './lazy -O3' --jobs 1 --quiet --size 300 --oracle pair,dead >out 2>&1 3>&- &
    pid=$!
    for ((i = 0; i < 600; i++)); do
        [ ! -e D/findings/1/finding.json ] || break
        sleep 0.1
    done
    kill -INT $pid
    status=0
    wait $pid || status=$?
    [ $status = 130 ]
    kept=$(find D/findings -name finding.json | wc -l)
    grep -q " $kept in all: D/findings" out
    next=$(jq .next D/state.json)
    # the list needs no compiler, and the commands of a hunt say where it is
    run -1 "$CUPEL" missed D --list
    [ "${#lines[@]}" = "$kept" ]
    run -1 "$CUPEL" missed D --list --json
    [ "$(jq '.findings | length' <<<"$output")" = "$kept" ]
    run -2 "$CUPEL" list D
    [ "$output" = "cupel: D is a folder of cupel missed: \`cupel missed D --list\` has its findings" ]
    run -2 "$CUPEL" missed E --list
    [ "$output" = "cupel: E is no folder of cupel missed: which one?" ]
    [ ! -e E ]
    run -1 missed --cc './lazy -O3' --programs 1 --oracle pair
    [ "$(jq .next D/state.json)" = $((next + 1)) ]
}

@test "what cannot be done is said" {
    run -2 "$CUPEL" missed D --size 0
    [[ $output == *"--size is from 1 to 10000"* ]]
    run -2 "$CUPEL" missed D --threshold 2
    [[ $output == *"--threshold is a number"* ]]
    run -2 "$CUPEL" missed D --oracle nose
    [[ $output == *"there is no 'nose'"* ]]
    run -2 "$CUPEL" missed D --cc /bin/true
    [[ $output == *"does not preprocess"* ]]
    # tcc has no -S
    run -2 "$CUPEL" missed D --cc tcc --oracle pair --programs 2 --size 5 --quiet
    [ "$output" = "cupel: tcc writes no assembly (-S) that can be read here" ]
    # one that has it and refuses what it is given
    cc_script refuses <<'SH'
for f; do case $f in *.c) ! grep -q abort "$f" || exit 1 ;; esac; done
exec gcc-12 "$@"
SH
    run -0 "$CUPEL" missed D --cc ./refuses --oracle pair --programs 2 --size 5 --quiet
    [[ $output == *"most programs were refused"* ]]
    echo '{}' >state.json
    run -2 "$CUPEL" missed . --cc 'gcc-12 -O2' --programs 1
    [[ $output == *"is not a campaign's"* ]]
}

@test "cupel hunt --mode missed keeps, lists and shows what another compiler does better" {
    cc_script lazy <<'SH'
exec gcc-12 "$@" -O0
SH
    run -1 "$CUPEL" hunt D --quiet --mode missed --jobs 1 --seed 3 --programs 12 --stop-after 1 --cc "$PWD/lazy -O2" --cc 'gcc-12 -O2'
    run -1 "$CUPEL" list D --json
    [ "$(jq -r '.[0].verdict' <<<"$output")" = missed ]
    # the report leads with who does better
    run -0 sed -n 3p D/findings/1/report.txt
    [[ $output == "better: gcc-12 -O2: "*" instructions, not "* ]]
    # and has both codes beside each other, in every form
    run -1 "$CUPEL" show D 1
    [[ $output == *"Not seen:  t"*"lazy -O2 "*"  gcc-12 -O2"*"main: "*"  main:"* ]]
    for tracker in text gcc llvm; do
        run -1 "$CUPEL" report D 1 --for "$tracker"
        [[ $output == *"missed optimization"*"Keywords: missed-optimization"*"Not seen: t"*"main: "*"  main:"* ]]
    done
    run -1 "$CUPEL" report D --html page.html
    grep -q 'Code that could be better' page.html
    run -1 "$CUPEL" show D 1 --json
    [ "$(jq -r .missed.better <<<"$output")" = "gcc-12 -O2" ]
    run -1 D/findings/1/reproduce.sh
    CC=gcc-12 run -0 D/findings/1/reproduce.sh
    # the program that it began with can be drawn again
    from=$(grep -o 'missed --seed [0-9]* --programs 1 --size [0-9]*' D/findings/1/report.txt)
    # shellcheck disable=SC2086
    run -0 "$CUPEL" $from E --quiet --jobs 1 --count-only --oracle pair --cc "$PWD/lazy -O2"
    # the same words go on, and know the pattern
    run -1 "$CUPEL" hunt D --quiet --mode missed --jobs 1 --programs 1
}

# hunts SEED COMPILER: one program of the strategy missed, whose seed draws the oracle that the test is about
hunts() {
    run -1 "$CUPEL" hunt D --quiet --mode missed --jobs 1 --seed "$1" --programs 1 --cc "$PWD/$2 -O2" --cc 'gcc-12 -O2'
    run -1 "$CUPEL" list D --json
    verdict=$(jq -r '.[0].verdict' <<<"$output")
    run -1 D/findings/1/reproduce.sh
    CC=gcc-12 run -0 D/findings/1/reproduce.sh
}

@test "a hunt finds a compiler that loses a call that is made" {
    cc_script loses <<'SH'
for last; do :; done
gcc-12 "$@" || exit
case $last in *.s) sed -i '/call.*live/d; /jmp.*live/d' "$last" ;; esac
SH
    hunts 7 loses
    [ "$verdict" = lost-call ]
    run -1 "$CUPEL" show D 1
    [[ $output == *"the execution calls live0"*"right: gcc-12 -O2"* || $output == *"right: gcc-12 -O2"*"the execution calls live0"* ]]
    run -1 "$CUPEL" report D 1 --for gcc
    [[ $output == *"Keywords: wrong-code"*"Expected: the call in the code"*"call"*"live0"* ]]
    run -0 "$CUPEL" recheck D --cc gcc-12
    [[ $output == *gone* ]]
}

@test "a hunt finds code that depends on what a volatile object begins with" {
    # a nop for each odd number in static storage
    cc_script peeks <<'SH'
for last; do :; done
case " $* " in *" -c "* | *" -S "*) ;; *) exec gcc-12 "$@" ;; esac
gcc-12 "$@" -S || exit
for i in $(grep -E '^.\.(long|value|byte|quad).[0-9-]*[13579]$' "$last"); do sed -i 's/^main:/&\n\tnop/' "$last"; done
case " $* " in *" -c "*) mv "$last" "$last.s" && exec gcc-12 -c -o "$last" "$last.s" ;; esac
SH
    hunts 44 peeks
    [ "$verdict" = initial-code ]
    # one text, of which a macro takes the other values
    grep -A1 '^#ifdef OTHER$' D/findings/1/program.c | grep -q 'static volatile'
    run -1 "$CUPEL" report D 1 --for llvm
    [[ $output == *"Keywords: miscompilation"*"-DOTHER"* ]]
}

@test "a hunt finds a compiler that gets worse with restrict" {
    cc_script spiteful <<'SH'
for f; do case $f in *.c) ! grep -q __restrict "$f" || set -- "$@" -O0 ;; esac; done
exec gcc-12 "$@"
SH
    hunts 5 spiteful
    [ "$verdict" = missed ]
    run -1 "$CUPEL" show D 1
    [[ $output == *"restrict: "* && $output == *"compute:"* ]]
}

@test "a hunt of equivalent programs runs them, and watches automatic volatile objects too" {
    cc_script drops <<'SH'
for last; do :; done
case " $* " in *" -c "*) ;; *) exec gcc-12 "$@" ;; esac
gcc-12 "$@" -S && awk '!done && /^\tmovl\t\$[0-9]+, .*\(%rsp\)/ { done = 1; next }; { print }' "$last" >"$last.s" &&
    exec gcc-12 -c -o "$last" "$last.s"
SH
    hunts 7 drops
    [ "$verdict" = volatile-lost ]
}

@test "a hunt of equivalent programs accuses no compiler that does not optimise, nor one that lacks a builtin" {
    cc_script strict <<'SH'
for f; do case $f in *.c) ! grep -q __builtin_abort "$f" || { echo "$f:1: error: implicit declaration of a function" >&2; exit 1; } ;; esac; done
exec gcc-12 "$@"
SH
    run -0 "$CUPEL" hunt D --quiet --mode missed --jobs 1 --seed 5 --programs 6 --cc "$PWD/strict -O2"
    command -v tcc >/dev/null || skip "tcc is not installed"
    run "$CUPEL" hunt E --quiet --mode missed --jobs 1 --seed 5 --programs 6 --cc tcc
    run "$CUPEL" list E --json
    [ "$(jq '[.[] | select(.verdict == "missed")] | length' <<<"$output")" = 0 ]
}

@test "floats and remainders come by option, where every operation is rounded once" {
    run -0 missed --cc 'gcc-12 -O3' --cc 'clang-19 -O2' --programs 2 --count-only --oracle pair,live,volatile,refine --floats \
        --remainders --size 40 --json
    [ "$(jq .refused <<<"$output")" = 0 ]
    for flags in -m32 -mfma -ffast-math; do
        run -2 missed --cc "gcc-12 -O2 $flags" --programs 1 --floats
        [[ $output == *"need not round each operation once"* ]]
    done
}

# The paper's pairs, as it prints them.
figures() {
    cat >org7.c <<'C'
int main(void)
{
    static int a = 1;
    volatile int b = 1;
    int c = (a / (0 + b)) >= 2;
    if (c == 0);
    else __builtin_abort();
    return 0;
}
C
    sed 's,(a /,(1 /,' org7.c >opt7.c
    cat >org8.c <<'C'
int main(void)
{
    int a = -1;
    volatile unsigned b = 1U;
    int c = 1;
    c = (a + 972195718) >> (1LU <= b);
    if (c == 486097858);
    else __builtin_abort();
    return 0;
}
C
    sed 's/(a + 972195718)/972195717/' org8.c >opt8.c
}

# counts NAME KIND N ...: an assembly with so many instructions of each kind.
counts() {
    local to=$1
    shift
    echo main: >"$to"
    while [ $# -gt 0 ]; do
        for ((i = 0; i < $2; i++)); do printf '\t%s\t%%eax, %%ebx\n' "$1"; done
        shift 2
    done >>"$to"
}

@test "--compare measures two programs of the user's: nobody misses figures 7 and 8 any more" {
    figures
    for n in 7 8; do
        run -0 "$CUPEL" missed --compare org$n.c opt$n.c --quiet --json
        [ "$(jq '.configs | length >= 4' <<<"$output")" = true ]
        [ "$(jq '[.configs[] | .r == 1 and .worse == "neither"] | all' <<<"$output")" = true ]
    done
    # who does not optimise does
    run -1 "$CUPEL" missed --compare org8.c opt8.c --quiet --cc 'gcc-12 -O0' --threshold 0.99
    [[ $output == "gcc-12 -O0: r1 "*"org8.c gets worse code ("*"; executed: "* ]]
    [[ $output == *"org8.c by gcc-12 -O0 "*"opt8.c by gcc-12 -O0"*"main: "*" main:"* ]]
    # another function than main, and what it includes
    echo 'int f(int x) { return N; }' >f.h
    printf '#define N x * 8 / 3 + x\n#include "f.h"\n' >one.c
    printf '#define N x\n#include "f.h"\n' >two.c
    run -1 "$CUPEL" missed --compare one.c two.c --function f --quiet --json --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
    [ "$(jq -c '[.configs[].worse]' <<<"$output")" = '["first","first"]' ]
}

@test "--compare reads assembly: Table 2 of the paper" {
    counts org.s addl 350 subq 100 imull 56 idivl 8 shll 32 srl 25 xorl 12
    counts opt.s addw 235 subl 98 imulq 23 shlb 38 srl 25 xorq 12
    run -1 "$CUPEL" missed --compare org.s opt.s
    [[ $output == "r1 0.739, r2 0.308, r 0.477; 583 and 431 instructions; org.s gets worse code (table: "* ]]
    run -0 "$CUPEL" missed --compare org.s org.s
    [ "$output" = "r1 1.000, r2 1.000, r 1.000; 583 and 583 instructions; the same code" ]
}

@test "what --compare cannot do is said" {
    figures
    run -2 "$CUPEL" missed --compare org7.c
    [ "$output" = "cupel: --compare is about two files: cupel missed --compare org.c opt.c" ]
    run -2 "$CUPEL" missed --compare org7.c nothing.c --cc 'gcc-12 -O2' --quiet
    [ "$output" = "cupel: nothing.c: there is no such file" ]
    run -2 "$CUPEL" missed --compare org7.c opt7.c --function f --cc 'gcc-12 -O2' --quiet
    [ "$output" = "cupel: org7.c: no code of a function 'f': name one with --function" ]
    echo 'int main(void) { return' >bad.c
    run -2 "$CUPEL" missed --compare org7.c bad.c --cc 'gcc-12 -O2' --quiet
    [ "$output" = "cupel: gcc-12 -O2 does not compile bad.c" ]
}
