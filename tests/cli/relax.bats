#!/usr/bin/env bats
# cupel relax: checks that never fired are gone, what fired stays; relaxations; forms; seeds.

bats_require_minimum_version 1.5.0
load helpers

program() {
    cat >t.c
}

# The paper's example (CsmithEdge, section 3.2), with Csmith's own wrappers.
paper() {
    program <<'C'
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include "random_inc.h"
int main(void)
{
    int32_t s = 5, t = 2147483646;
    s = safe_lshift_func_int32_t_s_s(s, 14);
    for (int k = 8; k >= -8; k--) {
        s = safe_add_func_int32_t_s_s(s, k);
        t = safe_div_func_int32_t_s_s(t, k);
    }
    t = safe_mul_func_int32_t_s_s(safe_mul_func_int32_t_s_s(s, t), s);
    printf("%d %d\n", s, t);
    return 0;
}
C
}

csmith=-I/usr/include/csmith

# runs_alike CC FILE...: each prints what t.c does under the machine
runs_alike() {
    local cc=$1 f want
    shift
    want=$("$CUPEL" check $csmith t.c)
    for f; do
        $cc -w "$f" -lm -o got
        [ "$(timeout 20 ./got)" = "$want" ] || { echo "$cc $f: another output"; return 1; }
    done
}

@test "the paper's example has the paper's answer, by the machine and by probes" {
    paper
    for source in machine probes; do
        run -0 "$CUPEL" relax t.c $csmith --facts $source -o r.c
        [[ "$output" == *"wrappers that ran, with a check: 3 of 5 removed"* ]]
        [[ "$output" == *"2 needed"* ]]
        grep -q 's = (s << 14);' r.c
        grep -q 's = (s + k);' r.c
        ! grep -q 't = (t / k);' r.c
        grep -q 's \* t' r.c
        runs_alike gcc r.c
    done
    "$CUPEL" relax t.c $csmith -o r.c
    grep -q 't = safe_div_func_int32_t_s_s(t, k);' r.c
    grep -q 't = safe_mul_func_int32_t_s_s((s \* t), s);' r.c
}

@test "wrappers that stay are functions, macros or both, whatever they were" {
    paper
    for from in "" -DUSE_MATH_MACROS; do
        # shellcheck disable=SC2086 # no flag is no word
        "$CUPEL" relax t.c $csmith $from --form functions -o f.c
        # shellcheck disable=SC2086
        "$CUPEL" relax t.c $csmith $from --form macros -o m.c
        sed -n '/int main(/,$p' f.c >f.main
        sed -n '/int main(/,$p' m.c >m.main
        ! grep -q '({' f.main
        grep -q 'safe_[a-z0-9_]*(t, k)' f.main
        [ "$(grep -o '({' m.main | wc -l)" -eq 2 ]
        ! grep -q 'safe_' m.main
        runs_alike gcc f.c m.c
        runs_alike clang-19 f.c m.c
    done
}

@test "each of Csmith's 89 wrappers computes at its limits what it did" {
    awk -v form=functions -f "$BATS_TEST_DIRNAME/relax/wrappers.awk" \
        /usr/include/csmith/safe_math.h >t.c
    tail -1 t.c | grep -q '^/\* 89 wrappers'
    run -0 "$CUPEL" relax t.c $csmith -o r.c --expect r.out
    [[ "$output" == *"wrappers without a check: 628 of 628 removed"* ]]
    [[ "$output" == *"0 removals taken back"* ]]
    gcc -w t.c $csmith -lm -o t
    ./t | cmp - r.out
    for level in -O0 -O1; do
        gcc -w $level r.c -lm -o r
        ./r | cmp - r.out
    done
    # conversions of operands and result stay
    grep -q '(int16_t)(v[0-9]*_1\[0\] + v[0-9]*_2\[0\])' r.c
}

@test "a wrapper in code that never ran is gone; so are guards, ifs, clamps, masks" {
    program <<'C'
int printf(const char *, ...);
static int a[8] = {1, 2, 3}, never;
static int div_or(int x, int y) { return y ? x / y : x; }
static int guard(int i)
{
    if (i < 0)
        return -1;
    int j = i > 7 ? 7 : i;
    if (j < 8)
        a[j] += 5;
    return a[j & 7] + (int)((unsigned)i + (unsigned)j);
}
int main(void)
{
    if (never)
        a[0] = div_or(7, a == &never);
    printf("%d %d %d\n", guard(2), guard(7), div_or(9, 2));
    return 0;
}
C
    run -0 "$CUPEL" relax t.c -o r.c
    [[ "$output" == *"that never ran, with a check: 1 of 1 removed"* ]]
    [[ "$output" == *"other checks that were not needed: 5 of 5 removed"* ]]
    grep -q '7 / (a == &never)' r.c
    ! grep -q 'return -1' r.c
    runs_alike "gcc -O2" r.c
    runs_alike "clang-19 -O2" r.c
}

@test "tests before and after && and ||, complaints before an exit, pointers: gone when they never mattered" {
    program <<'C'
#include <stdio.h>
#include <stdlib.h>
static int a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, calls;
static int get(const int *from, int i)
{
    if (!from) {
        fprintf(stderr, "no array\n");
        exit(1);
    }
    return from && i >= 0 && i < 8 && from[i] > 4;
}
int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "none";
    int *p = argc ? a : &calls, sum = 0;
    for (int i = 0; i < 8; i++)
        sum += get(p, i);
    if (calls++ > 3 || sum == 4)
        sum++;
    while (p < a + 8 && *p) /* the first stops it, the second never does */
        p++;
    printf("%d %s %d\n", sum, word, calls);
    return 0;
}
C
    run -0 "$CUPEL" relax t.c -o r.c
    [[ "$output" == *"other checks that were not needed: 9 of 9 removed"* ]]
    ! grep -q 'exit(1)' r.c
    grep -q 'word = "none"' r.c
    grep -q 'int \*p = a,' r.c
    grep -q 'calls++ > 3' r.c
    ! grep -q 'i < 8 &&' r.c
    grep -q 'while ((!!(p < a + 8)))' r.c
    runs_alike "gcc -O2" r.c
    runs_alike "clang-19 -O2" r.c
}

@test "checks that stand in another's arm go with it" {
    program <<'C'
int printf(const char *, ...);
static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static int last(int i, int n) { return i >= n ? n - 1 : i; }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 9; i++)
        sum += clamp(i, 0, 8) * 2 + clamp(i, 0, 7) * 3 + clamp(i, 1, 8) * 5 + last(i, 9) - last(9, 9);
    printf("%d\n", sum);
    return 0;
}
C
    run -0 "$CUPEL" relax t.c -o r.c
    [[ "$output" == *"wrappers that ran, with a check: 4 of 5 removed"* ]]
    grep -q '+ i - (9 - 1);' r.c
    grep -q 'sum += i \* 2' r.c
    grep -q 'cupel_[0-9]* > cupel_[0-9]* ? cupel_[0-9]* : cupel_[0-9]*;' r.c # the top of clamp(i, 0, 7)
    grep -q 'clamp(i, 1, 8)' r.c
    runs_alike "gcc -O2" r.c
}

@test "a check that fired is gone too where nothing changes without it" {
    program <<'C'
int printf(const char *, ...);
static int shr(int x, int n) { return x < 0 || n < 0 || n >= 32 ? x : x >> n; }
static unsigned char shl(unsigned char x, int n) { return n < 0 || n >= 32 || x > (255 >> n) ? x : x << n; }
static int div_or(int x, int y) { return y ? x / y : x; }
int main(void)
{
    int same = shr(-1, 3), low = shl(200, 1) & 1, shows = shl(201, 1), count = shl(1, 33), zero = 0;
    for (int i = 3; i >= 0; i--)
        zero += div_or(12, i) & 0;
    printf("%d %d %d %d %d\n", same, low, shows, count, zero);
    return 0;
}
C
    run -0 "$CUPEL" relax t.c -o r.c
    [[ "$output" == *"wrappers that ran, with a check: 2 of 5 removed"* ]]
    [[ "$output" == *"3 needed; 2 stricter than needed"* ]]
    grep -q 'same = -1 >> 3,' r.c
    grep -q 'shows = shl(201, 1), count = shl(1, 33)' r.c
    grep -q 'div_or(12, i)' r.c
    runs_alike "gcc -O2" r.c
    run -0 "$CUPEL" relax t.c -o r.c --facts probes
    [[ "$output" == *"5 needed; 0 stricter than needed"* ]]
}

@test "what a declaration does not align is undefined, wherever it happens to lie" {
    program <<'C'
int printf(const char *, ...);
struct __attribute__((packed)) pair { int i; char c; };
static struct pair x = {6, 2};
static int div_or(int a, int b) { return b ? a / b : a; }
int main(void)
{
    int *p = &x.i;
    printf("%d\n", div_or(*p, 2));
    return 0;
}
C
    run -2 "$CUPEL" relax t.c -o r.c
    [[ "$output" == "cupel: t.c is undefined (misaligned access: "*"not a multiple of 4): see cupel check" ]]
    [ ! -e r.c ]
}

@test "a wrapper at its call means what it meant, executed or by probes; else it stays" {
    program <<'C'
#include <stdio.h>
enum { K = 4 };
static int cupel_1 = 3;
static int f(int x) { return x > 100 ? 0 : x + K; }
static int sq(int x) { return x > 999 ? 0 : x * x; }
int main(void)
{
    int r = sq(cupel_1++) + f(7);
    {
        int K = 9;
        r += f(K);
    }
    printf("%d %d\n", r, cupel_1);
    return 0;
}
C
    for source in machine probes; do
        for form in functions macros as-written; do
            run -0 "$CUPEL" relax t.c --facts $source --form $form -o r.c
            grep -q 'r += f(K);' r.c
            runs_alike gcc r.c
        done
    done
}

@test "what stays because it was asked for is said to" {
    program <<'C'
static int f(int x) { return x > 99 ? 0 : x + 1; }
int main(void) { int s = f(2); if (s > 99) s = 0; return s; }
C
    run -0 "$CUPEL" relax t.c -o r.c
    [[ "$output" == *"not needed: 1 of 1 removed (100%)"$'\n'* ]]
    run -0 "$CUPEL" relax t.c -o r.c --keep-checks
    [[ "$output" == *"with a check: 0 of 1 removed (0%): --keep-checks"* ]]
    for seed in 1 2 3 4 5 6 7 8 9; do
        "$CUPEL" relax t.c -o r.c --again "$seed, 0, 0, 0, 0, 0, 0, 0, 0"
    done >told
    grep -q 'not needed: 0 of 1 removed (0%): the seed drops none of these' told
    grep -q 'not needed: 1 of 1 removed (100%)$' told
    grep -q 'not needed: . of 1 removed (.*%): the seed drops half of these' told
}

@test "an undefined program is refused, and not taken for one that depends on its surroundings" {
    echo 'int main(void) { int x = 3; if (x > 100) x = 0; x += x++; return x; }' >t.c
    run -2 "$CUPEL" relax t.c -o r.c
    [[ "$output" == *"is undefined (unsequenced"* ]]
    [ ! -e r.c ]
    run "$CUPEL" emi t.c --cc 'gcc -O1'
    [[ "$output" == *"undefined (unsequenced"* ]]
}

@test "what cannot be read is said, and nothing is written" {
    echo 'int main(void) { return missing; }' >undeclared.c
    echo 'int main(void) { return (1; }' >syntax.c
    : >empty.c
    mkdir folder.c
    for file in undeclared.c syntax.c empty.c none.c folder.c; do
        run -2 "$CUPEL" relax $file -o r.c
        [[ "$output" == "cupel: "* ]]
        [ ! -e r.c ]
    done
    for source in auto machine probes; do
        run -2 "$CUPEL" relax empty.c --facts $source
        [ "$output" = "cupel: there is no main in empty.c" ]
    done
    echo 'int main(void) { return 0; }' >t.c
    for source in gcov clang foo; do
        run -2 "$CUPEL" relax t.c --facts $source
        [ "$output" = "cupel: --facts is auto, machine or probes, not '$source'" ]
    done
    run -2 "$CUPEL" relax t.c --validate foo
    [[ "$output" == *"'foo' validates nothing: all, or asan,msan,ubsan,frama-c; or needed"* ]]
    run -2 "$CUPEL" relax t.c -o none/r.c
    [[ "$output" == *"none/r.c"* ]]
}

@test "a check that would have ended the program is gone" {
    program <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
_Noreturn static void die(int x) { printf("bad %d\n", x); exit(x); }
int main(void)
{
    int a[3] = {1, 2, 3}, s = 0;
    for (int i = 0; i < 3; i++) {
        assert(i < 3);
        if (i > 2)
            abort();
        if (a[i] == 0)
            die(4);
        s += a[i];
    }
    printf("%d\n", s);
    return 0;
}
C
    run -0 "$CUPEL" relax t.c -o r.c
    [[ "$output" == *"other checks that were not needed: 3 of 3 removed"* ]]
    ! grep -q 'die(4)\|abort();\|__assert_fail (' <(sed '1,/int main/d' r.c)
    [ "$("$CUPEL" check --quiet r.c)" = 6 ]
}

@test "operands that a call kept apart keep their wrapper" {
    program <<'C'
int printf(const char *, ...);
static int add(int a, int b) { return a > 2147483647 - 9 ? a : a + b; }
int main(void)
{
    int x = 1, y = 1;
    x = add(x++, 2);
    y = add(y, 3);
    printf("%d %d\n", x, y);
    return 0;
}
C
    run -0 "$CUPEL" relax t.c -o r.c
    [[ "$output" == *"1 of 2 removed"* ]]
    [[ "$output" == *"1 removals taken back"* ]]
    grep -q 'x = add(x++, 2)' r.c
    grep -q 'y = (y + 3)' r.c
}

@test "checks that almost fired are shown" {
    program <<'C'
int printf(const char *, ...);
static int add(int a, int b) { return b > 0 && a > 2147483647 - b ? a : a + b; }
int main(void)
{
    int big = 2147483640;
    printf("%d %d\n", add(big, 7), add(big, 2));
    return 0;
}
C
    run -0 "$CUPEL" relax t.c --near -o r.c
    [[ "$output" == *"t.c:6:23: add came within one of firing, and is gone"* ]]
    [[ "$output" == *"one off from firing: 1 of 1"* ]]
}

@test "each relaxation finds its opportunity; what is undefined is taken back" {
    program <<'C'
int printf(const char *, ...);
static int g = 3, h = 4, *gp = &g, *hp = &h, arr[4] = {1, 2, 3, 4}, off;
static int use(int *p, int n) { return *p + n; }
static int pass(int n, int m)
{
    int r = use(&g, n);
    if (off) {
        int local = 5;
        r += local + *gp;
        r += arr[m];
    }
    r += *hp;
    return r + arr[n & 3] + n;
}
int main(void)
{
    int x = 0, y = 2;
    for (int i = 0; i < 3; i++)
        x += pass(i, y) + y;
    printf("%d\n", x);
    return 0;
}
C
    before="" after="0, 0, 0, 0, 0, 0, "
    for name in null dangling init goto bounds parameter conflict; do
        made=0
        for seed in 1 2 3 4 5 6; do
            plan="$seed, 0, ${before}0.5, $after"
            "$CUPEL" relax t.c --again "${plan%, }" --json -o r.c >r.json
            kept=$(sed -n "/\"$name\"/,/}/s/.*\"made\": \([0-9]*\).*/\1/p" r.json)
            made=$((made + kept))
            "$CUPEL" check r.c >/dev/null
        done
        [ $made -gt 0 ] || { echo "$name: nothing"; return 1; }
        before+="0, " after=${after#0, }
    done
}

@test "a relaxation that trips an assertion is taken back" {
    program <<'C'
#include <assert.h>
#include <stdio.h>
static int a[2] = {3, 4};
static int first(const int *p) { assert(p); return p[0]; }
int main(void)
{
    int *unused = a;
    printf("%d\n", first(a) + first(a + 1));
    return 0;
}
C
    run -0 "$CUPEL" relax t.c --again '1, 0, 1, 0, 0, 0, 0, 0, 0' -o r.c --expect r.out
    [[ "$output" == *"null: 1 of 3 changes kept"* ]]
    [ "$(cat r.out)" = 7 ]
    grep -q 'unused = (void \*)0;' r.c
}

@test "a seed string draws the same program again" {
    paper
    "$CUPEL" relax t.c $csmith --relax all --seed 11 -o one.c >said
    seed=$(sed -n 's/^seed: //p' said)
    [[ "$seed" =~ ^11,\ [012],(\ [0-9.]+,?){7}$ ]]
    "$CUPEL" relax t.c $csmith --again "$seed" -o two.c
    cmp one.c two.c
    run -2 "$CUPEL" relax t.c $csmith --again '1, 7, 0'
    run -2 "$CUPEL" relax t.c $csmith --relax nothing
    [[ "$output" == *"no relaxation is called 'nothing'"* ]]
    # without relaxations all other checks go, which a seed does not say
    run -0 "$CUPEL" relax t.c $csmith --form macros -o r.c
    [[ "$output" != *"seed: "* ]]
}

@test "crash mode keeps whatever compiles" {
    csmith --seed 2 -o t.c
    "$CUPEL" relax t.c $csmith --mode crash --relax all --seed 5 -o r.c
    gcc -w -O1 -c r.c -o r.o
    clang-19 -w -O1 -c r.c -o r.o
}

@test "crash mode executes nothing" {
    mkdir bin
    cc_script bin/csmith <<'SH'
echo 'int a[4], n = 1; int main(void) { int *p = &a[1]; while (n) *p += n; return a[2]; }'
SH
    PATH=$PWD/bin:$PATH run -0 "$CUPEL" hunt dir --programs 3 --seed 2 --jobs 1 --mode csmith-crash \
        --cc 'gcc -O0' --cc 'clang-19 -O1'
    "$CUPEL" status dir --json | jq -e '.fates["csmith-crash"] | .generated == 3 and .usable == 3'
}

@test "many changes that break a program are found in few executions" {
    csmith --seed 108 -o t.c
    "$CUPEL" relax t.c $csmith --again '108, 1, 0, 0.558, 0.143, 0.996, 0.248, 0, 0.226' --json -o r.c >r.json
    jq -e '.executions < 120 and ([.relaxations[].offered] | add) > 500 and
        ([.relaxations[].made] | add) * 10 > ([.relaxations[].offered] | add) * 5' r.json
    jq -r .output r.json >want
    "$CUPEL" check --quiet r.c | diff - <(head -c -1 want)
}

@test "sanitizers and Frama-C are asked, and see what is planted" {
    program <<'C'
int printf(const char *, ...);
static int table[4] = {1, 2, 3, 4};
int main(int argc, char **argv)
{
    volatile int n = 2;
    int s = argc + (argv != 0);
    s += table[n];
    printf("%d\n", s);
    return 0;
}
C
    "$CUPEL" relax t.c --validate all --json -o r.c >clean.json
    for who in ASan MSan UBSan; do
        grep -q "\"$who\": \"clean\"" clean.json
    done
    # a subscript that nobody looked at: 3 + 4 * 5 and the like
    for seed in 1 2 3 4 5 6 7 8; do
        "$CUPEL" relax t.c --mode crash --again "$seed, 0, 0, 0, 0, 0, 1, 0, 0" -o r.c
        ! "$CUPEL" check r.c >/dev/null 2>&1 || continue
        break
    done
    run -1 "$CUPEL" check r.c
    [[ "$output" == *"C11 6.5.6p8"* ]]
    "$CUPEL" relax t.c --mode crash --again "$seed, 0, 0, 0, 0, 0, 1, 0, 0" --validate needed \
        --json -o r.c >planted.json
    grep -q '"UBSan": "undefined"' planted.json
    command -v frama-c >/dev/null || skip "no frama-c"
    grep -q '"Frama-C": "clean"' clean.json
    grep -q '"Frama-C": "undefined"' planted.json
}

# The three bugs that the paper prints (section 4.1), from what a careful generator would write.

@test "MSan sees what an optimiser would fold" {
    program <<'C'
int puts(const char *);
int main(int argc, char **argv)
{
    int flag;
    if (argc > 5)
        flag = 1;
    if (flag)
        puts("on");
    return 0;
}
C
    run -0 "$CUPEL" relax t.c --mode crash --again '1, 0, 0, 0, 0, 0, 0, 0, 0' --validate msan -o r.c
    [[ "$output" == *"MSan: undefined"* ]]
}

@test "LLVM 47578: a raw remainder in code that never ran is reached, and clang-13 is guilty" {
    command -v clang-13 >/dev/null || skip "no clang-13"
    program <<'C'
#include <stdio.h>
static long r = 0;
static long *m[1] = {&r};
static int i = 1;
static int *pi = &i;
static unsigned long safe_mod(unsigned long a, unsigned long b) { return b == 0 ? a : a % b; }
int main(void)
{
    unsigned x = 0;
    if (i) {
        ++x;
        int test = pi == (int *)1;
    }
    printf("x = %u\n", x);
    if (!x)
        i = safe_mod(7UL, m[0] == (long *)1);
    return 0;
}
C
    run -0 "$CUPEL" test t.c --cc 'clang-13 -O2' --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
    for seed in 1 2 3 4 5 6 7 8; do
        "$CUPEL" relax t.c --again "$seed, 1, 0, 0, 0, 0, 0, 0, 0" -o r.c
        "$CUPEL" test r.c --cc 'clang-13 -O2' --cc 'gcc-12 -O2' --cc 'clang-19 -O2' >said && continue
        break
    done
    [ "$seed" -lt 8 ]
    grep -q '7UL % (unsigned long)(m\[0\] == (long \*)1)' r.c
    "$CUPEL" check r.c
    grep -q 'clang-13 *A!' said
}

@test "GCC's shape: a remainder of what short-circuits, without its wrapper" {
    program <<'C'
int printf(const char *, ...);
static long safe_mod(long a, long b) { return b == 0 || (a == -0x7fffffffffffffffL - 1 && b == -1) ? a : a % b; }
int main(void)
{
    const long one = 1L;
    long y = 0L;
    long x = safe_mod((long)(one || (y = 1L)), 8L);
    printf("x = %ld, y = %ld\n", x, y);
    return 0;
}
C
    "$CUPEL" relax t.c -o r.c
    grep -q 'long x = (long)(one || (y = 1L)) % 8L;' r.c
    run -0 "$CUPEL" test r.c --expect <("$CUPEL" check t.c) --cc 'gcc-12 -O0' --cc 'gcc-12 -O2'
}

@test "MSVC's shape: a subscript far outside, in code that never runs, is reached" {
    program <<'C'
int printf(const char *, ...);
static int a = 1, b = 0;
static long c = 0;
static long *volatile d = &c;
int main(void)
{
    for (b = 0; b >= 0; b--) {
        if (a) {
            printf("breaking\n");
            break;
        }
        unsigned short A[1][2];
        int j;
        for (j = 0; j < 2; j++)
            A[0][j] = 0;
        A[0][1] && *d;
    }
    printf("done\n");
    return 0;
}
C
    for seed in $(seq 1 20); do
        "$CUPEL" relax t.c --again "$seed, 0, 0, 0, 0, 0, 0.6, 0, 0" -o r.c
        ! grep -qE 'A\[\(?[0-9 +*]*([2-9]|[0-9]{2,}|[+*])[0-9 +*]*\)?\]\[[^]]*\] &&' r.c || break
    done
    [ "$seed" -lt 20 ]
    run -0 "$CUPEL" test r.c --expect <("$CUPEL" check t.c) --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
}

@test "a hunt takes programs of any generator, and relaxes them" {
    cc_script generator <<'SH'
seed=$1 out=$2
[ $((seed % 3)) -ne 0 ] || { echo "not this one" >&2; exit 1; }
cat >"$out" <<C
#include <stdio.h>
static int a[4] = {1, 2, 3, $((seed % 9))};
static int add(int x, int y) { return y > 0 && x > 2147483647 - y ? x : x + y; }
int main(void) { printf("%d\n", add(a[1], a[3])); return 0; }
C
SH
    run -0 "$CUPEL" hunt dir --programs 20 --seed 2 --jobs 1 --mode source --source-timeout 40s \
        --source "./generator {seed} {out}" --cc 'gcc-12 -O1' --cc 'tcc'
    [[ "$output" == *"source: no program: the source failed, exit status 1: not this one"* ]]
    "$CUPEL" status dir --json | jq -e '.fates.source |
        .generated == 20 and .usable > 7 and .["not-made"] > 0 and .usable + .["not-made"] == 20'
    grep -q "source = $PWD/generator .*{seed}.* .*{out}" dir/cupel.conf
    grep -q 'source-timeout = 40s' dir/cupel.conf
    run -2 "$CUPEL" hunt other --time 1 --mode source --cc tcc
    [[ "$output" == *"there is no source"* ]]
    # nothing is kept that would spoil the next try
    for bad in './generator {out}' './no-generator {seed}' "generator '{seed}"; do
        run -2 "$CUPEL" hunt third --programs 1 --mode source --source "$bad" --cc tcc
        [[ "$output" == "cupel: --source: "* ]]
        [ ! -e third/cupel.conf ]
    done
}

@test "a program that is cut off for what it prints is not clean" {
    csmith -s 3 --max-funcs 2 --max-block-depth 2 --max-block-size 3 --no-volatiles >t.c
    run -0 "$CUPEL" relax t.c $csmith --mode crash --again '3, 0, 0, 0, 0, 0, 0, 0, 0.4' -o r.c \
        --validate ubsan --validate-timeout 5
    [[ "$output" == *"conflict: 2 of 2 changes kept"*"UBSan: "* ]]
    [[ "$output" != *"UBSan: clean"* ]]
}

# Csmith's seed 108 lost all of its changes so.
@test "a change that others lean on is not turned off for what comes after it" {
    "$CUPEL" relax "$BATS_TEST_DIRNAME/relax/leaning.c" --again '13, 0, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8' \
        --keep-checks --json -o r.c --expect r.out >r.json
    jq -e '[.relaxations[] | .made] | add > 30' r.json
    "$CUPEL" check --quiet r.c | diff - r.out
}

# Programs that the machine cannot run, for it does not know what the assembly does: by turns a
# good one, one that overflows, one that crashes, one that does not end.
undecidable() {
    cc_script generator <<'SH'
case $1 in
0) body='printf("%d ", same(5) + 77);' ;;
1) body='int c = 77; printf("%d %d ", same(2147483647) + a[1], c);' ;;
2) body='int *p = same(0) ? a : 0; printf("%d ", *p);' ;;
3) body='while (same(1)) a[0] = same(2);' ;;
esac
cat <<C
#include <stdio.h>
static int same(int x) { __asm__("movl %1, %0" : "=r"(x) : "r"(x)); return x; }
int main(void) { int a[4] = {1, 2, 3, 4}; $body return 0; }
C
SH
}

# A compiler that writes 78 for 77.
plant_77() {
    cc_script planted <<'SH'
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
for a; do
    shift
    case $a in *.c) gcc -w -S "$a" -o "$dir/x.s" || exit; sed -i 's/\$77\>/$78/' "$dir/x.s"; a=$dir/x.s ;; esac
    set -- "$@" "$a"
done
gcc -w "$@"
SH
}

@test "of each program of a generator there are EMI variants too" {
    cc_script generator <<'SH'
cat <<C
#include <stdio.h>
static int never, a[4] = {1, 2, 3, $(($1 % 9))};
int main(void) { if (never) { a[1]++; printf("dead %d\n", a[1]); a[2]--; } printf("%d %d\n", a[3], 77); return 0; }
C
SH
    # wrong where somebody has planted a guard
    cc_script guarded <<'SH'
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
for a; do
    shift
    case $a in *.c)
        gcc -w -S "$a" -o "$dir/x.s" || exit
        ! grep -q 'static volatile' "$a" || sed -i 's/\$77\>/$78/' "$dir/x.s"
        a=$dir/x.s
        ;;
    esac
    set -- "$@" "$a"
done
gcc -w "$@"
SH
    run -1 "$CUPEL" hunt dir --programs 24 --seed 2 --jobs 1 --mode source --source "./generator {seed}" \
        --cc "$PWD/guarded -O0" --stop-after 1
    [ "$("$CUPEL" list dir --json | jq -r '.[].verdict')" = wrong-code ]
    "$CUPEL" show dir 1 | grep -q "generator '[0-9]*', varied with seed [0-9]*"
}

# Nobody but Frama-C sees that the value of a pointer is used whose object is gone.
@test "a hunt asks Frama-C about a mismatch that a relaxation may explain" {
    command -v frama-c >/dev/null || skip "no frama-c"
    cc_script generator <<'SH'
cat <<C
int printf(const char *, ...);
static int g, *p = &g;
int main(void)
{
    int c, other;
    c = 77;
    {
        int x;
        x = 5;
        other = x;
    }
    printf("%d %d %d\n", c, other, p == &g);
    return 0;
}
C
SH
    plant_77
    "$CUPEL" hunt dir --programs 2 --seed 2 --jobs 1 --mode source --without-machine --quiet \
        --source "./generator {seed}" --cc "$PWD/planted -O0" || [ $? = 1 ]
    "$CUPEL" status dir --json | jq -e '.fates.source | .usable == 1 and .["Frama-C"] == 1'
    [ "$("$CUPEL" list dir --json | jq '[.[].count] | add')" = 1 ]
}

@test "what the machine cannot decide: compared first, validated only on a mismatch" {
    undecidable
    plant_77
    # hunted KIND EXPECTATION [OPTIONS]: two programs of that kind, the second one relaxed
    hunted() {
        rm -rf dir
        "$CUPEL" hunt dir --programs 2 --seed 7 --jobs 1 --timeout 0.1 --mode source --quiet \
            --source "$PWD/generator $1 {seed}" "${@:3}" || [ $? = 1 ]
        "$CUPEL" status dir --json | jq -e ".fates.source | $2"
    }
    hunted 0 '.usable == 2 and .validate_cpu > 0' --cc "$PWD/planted -O0"
    [ "$("$CUPEL" list dir --json | jq -r '.[] | .verdict + " " + .grade')" = "wrong-code likely" ]
    hunted 1 '.UBSan == 2 and .validate_cpu > 0' --cc "$PWD/planted -O0"
    [[ "$("$CUPEL" status dir)" == *"source: 2 generated, 2 UBSan"*" s to validate"* ]]
    [ "$("$CUPEL" list dir --json)" = "[]" ]
    hunted 2 '.crashed == 2' --cc 'gcc -O0'
    hunted 3 '.["timed-out"] == 2' --cc 'gcc -O0'
    # nobody disagrees: nothing is validated, unless that is asked for
    hunted 1 '.usable == 2 and .validate_cpu == 0' --cc 'gcc -O0'
    hunted 1 '.UBSan == 2 and .validate_cpu > 0' --cc 'gcc -O0' --eager
}

@test "a compiler that was cut off is given much longer before that is a finding" {
    cc_script endless <<'SH'
for a; do case $a in *program.c) while :; do :; done ;; esac; done
exec gcc -w "$@"
SH
    # one that is only slow ends the next time
    cc_script slow <<SH
for a; do case \$a in *program.c) mkdir "$PWD/cut" 2>/dev/null && while :; do :; done ;; esac; done
exec gcc -w "\$@"
SH
    run -0 "$CUPEL" hunt dir --programs 2 --seed 3 --jobs 1 --mode crash --compile-timeout 0.5 \
        --trust-compilers --cc "$PWD/slow" --cc 'gcc -O0'
    [ -d cut ]
    run -1 "$CUPEL" hunt other --programs 2 --seed 3 --jobs 1 --mode crash --compile-timeout 0.5 \
        --cc "$PWD/endless" --cc 'gcc -O0'
    [ "$("$CUPEL" list other --json | jq -r '.[].verdict')" = compiler-hang ]
}
