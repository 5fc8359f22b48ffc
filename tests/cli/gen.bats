#!/usr/bin/env bats
# cupel gen: what it writes compiles, runs, and prints what was predicted.

bats_require_minimum_version 1.5.0
load helpers

# expect_output COMMAND...: compile t.c, run it, compare with t.out
expect_output() {
    "$@" -w t.c -o t
    ./t >got
    cmp got t.out
}

@test "gcc and clang at all levels print what was predicted" {
    for seed in 1 2 3 4 5 6 7 8; do
        run -0 "$CUPEL" gen --seed $seed -o t.c --expect t.out
        expect_output gcc -O0
        expect_output clang-19 -O0
    done
}

@test "the machine agrees with the prediction" {
    for seed in 11 12 13 14 15 16; do
        run -0 "$CUPEL" gen --seed $seed -o t.c --expect t.out
        "$CUPEL" check t.c >got
        cmp got t.out
    done
}

@test "the checksum of arrays is taken of their bytes, where these say all" {
    for seed in 1 2 3; do
        "$CUPEL" gen --seed $seed --set share.bytes=100 --set share.volatile=30 -o t.c --expect t.out
        expect_output gcc -O1
        "$CUPEL" check t.c >got
        cmp got t.out
        # no array of plain numbers has a loop of its own, and none that is volatile loses that
        grep -oE 'mix_bytes\(g[0-9]+, sizeof\(g[0-9]+\)\);' t.c | grep -oE '^mix_bytes.g[0-9]+' | cut -c11- >whole
        [ "$(wc -l <whole)" -gt 1 ]
        while read -r g; do
            run -1 grep -E "volatile .*\b$g\[" t.c
            run -1 grep -E "struct .*\b$g\[.* = \{" t.c
        done <whole
        rm t.c t.out
    done
    # other models have other bytes
    for target in s390x i16; do
        "$CUPEL" gen --target $target --set share.bytes=100 -o t.c --expect t.out
        "$CUPEL" check --target $target t.c >got
        cmp got t.out
        rm t.c t.out
    done
    "$CUPEL" gen --set share.bytes=0 >t.c
    run -1 grep mix_bytes t.c
}

@test "ilp32 programs run as predicted under gcc -m32" {
    for seed in 1 2 3; do
        run -0 "$CUPEL" gen --seed $seed --target ilp32 -o t.c --expect t.out
        expect_output gcc -m32 -O1
    done
}

@test "sanitizers have nothing to say" {
    for seed in 21 22 23; do
        run -0 "$CUPEL" gen --seed $seed -o t.c --expect t.out
        expect_output gcc -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
        expect_output clang-19 -O1 -fsanitize=memory,undefined -fno-sanitize-recover=all
    done
}

@test "the same seed gives the same bytes; another build of cupel too" {
    "$CUPEL" gen --seed 5 >a
    "$CUPEL" gen --seed 5 >b
    cmp a b
    # make check builds with gcc and clang, make check-san with and without sanitizers
    other=${CUPEL_OTHER:-$BATS_TEST_DIRNAME/../../build/clang/cupel}
    [ -x "$other" ] || skip "no second build"
    "$CUPEL" gen --seed 5 --count 40 -o here
    "$other" gen --seed 5 --count 40 -o there
    diff -r here there
    "$CUPEL" gen --seed 5 --mode crash --count 10 -o crash-here
    "$other" gen --seed 5 --mode crash --count 10 -o crash-there
    diff -r crash-here crash-there
}

@test "a seed string gives the program again" {
    line=$("$CUPEL" gen --seed 3 --size 80 --set op.add=100 --for tcc --seed-string)
    [[ "$line" == "seed=3 size=80 features="*" op.add=100" ]]
    "$CUPEL" gen --seed 3 --size 80 --set op.add=100 --for tcc >a
    "$CUPEL" gen --again "$line" >b
    cmp a b
    head -1 a | grep -qF "$line"
}

@test "--dump-policy can be read back with --policy" {
    "$CUPEL" gen --seed 4 --dump-policy >p
    grep -q '^expr.constant=[0-9]* *#' p
    "$CUPEL" gen --seed 4 --policy p | tail -n +2 >a
    "$CUPEL" gen --seed 4 | tail -n +2 >b
    cmp a b
}

@test "--set of a weight to 0 removes the construct" {
    "$CUPEL" gen --seed 9 --set stmt.switch=0 >a
    ! grep -q switch a
    "$CUPEL" gen --seed 9 --set shape.real=0 --set member.real=0 --for no-float >b
    ! grep -q 'double\|float' b
}

# The attribute was there in the tree and was not printed: observe.sink was the same as observe.mix.
@test "what shows values is inlined with observe.mix, and not with observe.sink" {
    only() { for p in nothing mix sink watch; do printf ' --set observe.%s=%d' $p $([ $p = "$1" ] && echo 9 || echo 0); done; }
    "$CUPEL" gen --seed 9 $(only sink) >a
    grep -q 'noinline.* mix(unsigned long long v)' a
    "$CUPEL" gen --seed 9 $(only mix) >b
    grep -q '^static void mix(unsigned long long v)' b
    "$CUPEL" gen --seed 9 $(only watch) --for no-attribute >c
    ! grep -q 'noinline.* mix' c
}

@test "a profile is a lot of one thing, and the machine agrees" {
    [ "$("$CUPEL" gen --profiles | grep -c '^[a-z]')" -ge 10 ]
    for profile in $("$CUPEL" gen --profiles | grep -o '^[a-z]*'); do
        "$CUPEL" gen --profile "$profile" --seed 2 -o t.c --expect t.out
        "$CUPEL" check t.c >got
        cmp got t.out
        rm t.c t.out
    done
    "$CUPEL" gen --profile vectors --count 10 -o vectors
    [ "$(cat vectors/*.c | grep -c vector_size)" -gt 50 ]
    # its policies are in the seed string; what is set by hand stays
    line=$("$CUPEL" gen --profile loops --set stmt.nest=7 --seed-string)
    [[ "$line" == "seed=0 size=24 "*"stmt.nest=7"*"loop.variable=100"* ]]
    [ "$("$CUPEL" gen --profile tiny --size 90 --seed-string | cut -d' ' -f2)" = size=90 ]
    run -2 "$CUPEL" gen --profile nothing
    [[ "$output" == *"unknown profile 'nothing'"* ]]
}

@test "guards can be macros, in one file and in three" {
    only=(--set guard.macro=100 --set guard.function=0 --set guard.inline=0 --set guard.wrap=0 --set guard.block=0)
    one=0 three=0
    for seed in {1..16}; do # not every program needs guards
        run -0 "$CUPEL" gen --seed "$seed" "${only[@]}" -o t.c --expect t.out
        grep -q '^#define CHECKED_' t.c || continue
        one=$((one + 1))
        "$CUPEL" check t.c >got
        cmp got t.out
        expect_output gcc -O0 -fsanitize=undefined -fno-sanitize-recover=all
        expect_output clang-19 -O1
        run -0 "$CUPEL" gen --seed "$seed" --split "${only[@]}" -o s.c --expect s.out
        grep -q '^#define CHECKED_' s.h && three=$((three + 1))
        gcc -w s.c s-main.c -o s
        ./s >got
        cmp got s.out
    done
    [ $one -ge 3 ] && [ $three -ge 2 ]
    run -0 "$CUPEL" gen --seed 9 --for no-macro "${only[@]}" -o t.c
    ! grep -q '#define' t.c
}

@test "--count writes programs and outputs into a folder" {
    run -0 "$CUPEL" gen --seed 40 --count 3 -o dir
    [ "$(ls dir | tr '\n' ' ')" = "40.c 40.expect 41.c 41.expect 42.c 42.expect " ]
    run -2 "$CUPEL" gen --count 3
    [[ "$output" == *"name a place with -o"* ]]
}

@test "--split gives test, driver and header" {
    run -0 "$CUPEL" gen --seed 6 --split -o t.c --expect t.out
    gcc -w -O1 t.c t-main.c -o t
    ./t >got
    cmp got t.out
}

@test "--trace prints more and predicts it" {
    run -0 "$CUPEL" gen --seed 7 --trace -o t.c --expect t.out
    [ "$(wc -l <t.out)" -gt 10 ]
    expect_output gcc -O0
}

@test "--size is followed" {
    "$CUPEL" gen --seed 8 --size 20 >small
    "$CUPEL" gen --seed 8 --size 800 >large
    [ $(($(wc -c <small) * 4)) -lt "$(wc -c <large)" ]
}

@test "a signal ends it at any size, and leaves no file" {
    for sig in INT TERM; do
        # background jobs of a shell ignore SIGINT: env gives it back
        env --default-signal=INT "$CUPEL" gen --seed 1 --size 250000 -o t.c 2>err &
        pid=$!
        until [ "$(awk '{print $14}' "/proc/$pid/stat")" -gt 10 ]; do sleep 0.05; done # it is at work
        kill -$sig $pid
        ended=0
        wait $pid || ended=$?
        [ "$ended" -gt 128 ]
        grep -q interrupted err
        [ ! -e t.c ]
    done
}

@test "a size that cannot be had is refused" {
    run -2 "$CUPEL" gen --size 250001
    [ "$output" = "cupel: --size 250001: at most 250000 statements" ]
    run -2 "$CUPEL" gen --again 'seed=1 size=4294967297'
    [ "$output" = "cupel: size=4294967297: at most 250000 statements" ]
}

@test "--mode crash compiles and has no expected output" {
    for seed in 1 2 3 4; do
        "$CUPEL" gen --mode crash --seed $seed -o t.c
        gcc -w -O1 -c t.c
        clang-19 -w -O1 -c t.c
    done
    run -2 "$CUPEL" gen --mode crash --expect x
}

@test "--for tcc leaves out what tcc has not" {
    command -v tcc || skip "no tcc"
    for seed in 1 2 3 4 5 6; do
        run -0 "$CUPEL" gen --seed $seed --for tcc -o t.c --expect t.out
        # tcc has bugs of its own: what it must do is accept the program
        tcc -w t.c -o t
        expect_output gcc -O1
    done
}

@test "gen into test: a pipe" {
    "$CUPEL" gen --seed 12 --expect t.out -o t.c
    run -0 "$CUPEL" test t.c --quiet --expect t.out --cc 'gcc -O2' --cc 'clang-19 -O2'
}

@test "mistakes are named" {
    run -2 "$CUPEL" gen --set nothing=1
    [[ "$output" == *"no policy 'nothing'"* ]]
    run -2 "$CUPEL" gen --set share.static=101
    [ "$output" = "cupel: share.static=101 is out of range: 0 to 100" ]
    run -2 "$CUPEL" gen --set count.depth=0
    [ "$output" = "cupel: count.depth=0 is out of range: 1 to 20" ]
    run -2 "$CUPEL" gen --set count.trips=401
    run -2 "$CUPEL" gen --set op.add=1000001
    run -2 "$CUPEL" gen --again "seed=1 size=5 relax.null=4000000000"
    run -2 "$CUPEL" gen --for icc
    [[ "$output" == *"unknown compiler or feature 'icc'"* ]]
    run -2 "$CUPEL" gen --target pdp11
    [[ "$output" == *"unknown target"* ]]
    run -2 "$CUPEL" gen --mode walk
    run -2 "$CUPEL" gen file
    run -2 "$CUPEL" gen -o /nowhere/t.c
}

@test "--for clang brings __builtin_assume, which the machine knows too" {
    "$CUPEL" gen --seed 3 --for clang --set stmt.assume=60 -o t.c --expect t.out
    grep -q __builtin_assume t.c
    "$CUPEL" check t.c >got
    cmp got t.out
    expect_output clang-19 -O2
    "$CUPEL" gen --seed 3 --for clang --for gcc --set stmt.assume=60 >both.c
    ! grep -q __builtin_assume both.c
    echo 'int x = 3; int main(void) { __builtin_assume(x > 5); return 0; }' >u.c
    run -1 "$CUPEL" check u.c
    [[ "$output" == *"[unreachable"* ]]
}

# real_code: a file with a function that can be called, and one that cannot
real_code() {
    cat >"$1" <<'C'
#include <stddef.h>
static const unsigned char odd[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static unsigned step(unsigned h, unsigned char c) { return (h << 5 | h >> 27) ^ c * odd[h & 7]; }
unsigned hash(const unsigned char *s, size_t n)
{
    unsigned h = 17;
    for (size_t i = 0; i < n % 20; i++)
        h = step(h, s[i]);
    return h;
}
unsigned elsewhere(unsigned);
unsigned no(unsigned a) { unsigned r = 0; for (unsigned i = 0; i < a; i++) r += elsewhere(i); return r; }
C
}

@test "--real: functions of a file are called in the program, with known results" {
    real_code real.c
    for seed in 1 2 3; do
        run -0 --separate-stderr "$CUPEL" gen --seed $seed --size 40 --real real.c --stats -o t.c --expect t.out
        [[ "$stderr" == *"calls hash"* ]]
        [[ "$stderr" != *"calls no"* ]]
        grep -q 'static unsigned int r_step' t.c
        "$CUPEL" check t.c >got
        cmp got t.out
        expect_output gcc -O2
    done
    echo 'int f(void) { return 3; }' >none.c
    run -2 "$CUPEL" gen --real none.c
    [[ "$output" == *"no function in it can be called"* ]]
    run -2 "$CUPEL" gen --real real.c --count 3 -o d
}

# header_code FOLDER: the same, with a header in another folder, as projects have it
header_code() {
    mkdir -p "$1/src" "$1/public/lib"
    real_code "$1/src/real.c"
    printf '#define ODD 1\n' >"$1/public/lib/odd.h"
    sed -i '1i #include "lib/odd.h"\n#if !ODD\n#error no header\n#endif' "$1/src/real.c"
    printf '#include "odd.h"\n' >"$1/public/all.h"
}

@test "--real: -I and -D are the preprocessor's" {
    header_code code
    run -2 "$CUPEL" gen --real code/src/real.c
    run -0 "$CUPEL" gen --seed 2 --real code/src/real.c -Icode/public -o t.c --expect t.out
    run -2 --separate-stderr "$CUPEL" gen -Icode
    [[ $stderr == *"goes with --real"* ]]
}

@test "hunt --mode real: headers anywhere in the folder are found" {
    header_code code
    run -0 "$CUPEL" hunt h --mode real --real code --programs 2 --jobs 1 --seed 4 --cc 'gcc -O1'
    [[ $output != *"no function of real code"* ]]
}

@test "hunt --mode real: a folder of real code" {
    mkdir -p code/sub
    real_code code/sub/real.c
    run -0 "$CUPEL" hunt h --mode real --real code --programs 3 --jobs 1 --seed 4 --cc 'gcc -O1'
    [[ "$output" == *"3 programs, 3 compilations"* ]]
    grep -q "^real = $PWD/code$" h/cupel.conf
    run -2 "$CUPEL" hunt i --mode real --real nowhere --programs 1 --cc 'gcc -O1'
    [[ "$output" == *"no such folder"* ]]
}
