#!/usr/bin/env bats
# cupel emi: variants of a program, of a suite, of a project; what a faulty compiler makes of them.

bats_require_minimum_version 1.5.0
load helpers

program() {
    cat >t.c
}

# A program with dead code, a known output and an exit status.
sample() {
    program <<'C'
#include <stdio.h>
#include <stdlib.h>
int total, limit = 10;
static int twice(int x)
{
    if (x > 100)
        abort();
    return x + x;
}
int main(int argc, char **argv)
{
    for (int i = 0; i < limit; i++) {
        total += twice(i);
        if (total < 0) {
            total = -total;
            printf("negative\n");
        }
    }
    if (argc > 5)
        total++;
    printf("%d %s\n", total, argc > 1 ? argv[1] : "none");
    return 3;
}
C
}

# same_as_original COMPILER FILE...: each prints and returns what t.c does
same_as_original() {
    local cc=$1 want f
    shift
    "$cc" -w -O0 t.c -o t
    want=$(timeout 20 ./t) || want+=$?
    for f; do
        "$cc" -w -O0 "$f" -o got
        got=$(timeout 20 ./got) || got+=$?
        [ "$got" = "$want" ] || { echo "$f: $got, not $want"; return 1; }
    done
}

@test "variants compile and behave as the program, whatever its facts come from" {
    sample
    for source in machine probes gcov; do
        run -0 "$CUPEL" emi t.c --seed 1 --variants 12 --no-test --facts $source -o $source
        [[ "$output" == *"(facts: $source)"* ]]
        [ "$(ls $source | wc -l)" -eq 12 ]
        same_as_original gcc $source/*.c
        same_as_original clang-19 $source/*.c
    done
    run ! cmp -s machine/variant-000.c machine/variant-001.c
}

# Where no probe can be put, a statement counts as run: nothing more is dead than the machine knows,
# and nearly all of it is.
@test "probes see what the machine sees" {
    for seed in 3 5; do
        "$CUPEL" gen --seed $seed -o t.c
        for source in machine probes; do
            "$CUPEL" emi t.c --variants 1 --no-test --facts $source --json -o $source >$source.json
        done
        [ "$(jq -c '[.statements, .functions]' machine.json)" = "$(jq -c '[.statements, .functions]' probes.json)" ]
        jq -e --slurpfile m machine.json '.uncalled <= $m[0].uncalled and .uncalled + 1 >= $m[0].uncalled' probes.json >ok
        jq -e --slurpfile m machine.json '.dead <= $m[0].dead and .dead * 10 >= $m[0].dead * 9' probes.json >ok
    done
}

@test "the same seed gives the same bytes, another seed others" {
    sample
    "$CUPEL" emi t.c --seed 5 --variants 3 --no-test -o a
    "$CUPEL" emi t.c --seed 5 --variants 3 --no-test -o b
    "$CUPEL" emi t.c --seed 6 --variants 3 --no-test -o c
    diff -r a b
    run ! diff -r a c
}

@test "facts are the union over all inputs" {
    program <<'C'
#include <stdio.h>
int main(void)
{
    int c = getchar();
    if (c == 'a')
        puts("first");
    if (c == 'b')
        puts("second");
    if (c == 'c')
        puts("third");
    return 0;
}
C
    echo a >a.txt
    echo b >b.txt
    "$CUPEL" emi t.c --input a.txt --input b.txt --variants 40 --mutate prune --no-test -o v
    [ "$(grep -l first v/*.c | wc -l)" -eq 40 ]
    [ "$(grep -l second v/*.c | wc -l)" -eq 40 ]
    pruned=$((40 - $(grep -l third v/*.c | wc -l)))
    [ "$pruned" -gt 0 ]
}

@test "gcov calls a for unexecuted whose step was not evaluated: it stays" {
    program <<'C'
#include <stdio.h>
#include <string.h>
int main(void)
{
    const char *cp = "word rest";
    for (;; cp = strchr(cp, ' ')) {
        if (printf("%s\n", cp))
            break;
    }
    if (*cp == 'x')
        printf("never\n");
    return 0;
}
C
    gcc --coverage t.c -o g && ./g
    gcov -t g-t.gcda | grep -q '#####:    6:' # what makes it ambiguous
    "$CUPEL" emi t.c --facts gcov --variants 30 --mutate prune --no-test -o v
    same_as_original gcc v/*.c
    [ "$(grep -l never v/*.c | wc -l)" -lt 30 ]
}

@test "generated programs with every mutation on: the same output under gcc and clang" {
    for seed in 4 31; do
        "$CUPEL" gen --seed $seed -o t.c
        "$CUPEL" emi t.c --seed $seed --variants 4 --no-test -o v$seed
        same_as_original gcc v$seed/*.c
        same_as_original clang-19 v$seed/*.c
    done
}

@test "testing: nothing found in sound compilers; both shares are printed" {
    sample
    run -0 "$CUPEL" emi t.c --variants 6 --cc 'gcc -O2' --cc 'clang-19 -O1' --args x -o v
    [[ "$output" == *"12 trials"*"changed the code"*"had an object that was known"* ]]
}

# A compiler that is wrong about programs in which abort is not called.
faulty() {
    cc_script faulty <<'SH'
for last; do
    case $last in *.c) grep -q 'abort();' "$last" ||
        { sed 's/return 3/return 4/' "$last" >"$last.bad.c" && set -- "$@" && bad=$last; } ;; esac
done
n=$#
while [ $n -gt 0 ]; do
    word=$1
    shift
    [ "$word" = "${bad:-}" ] && word=$bad.bad.c
    set -- "$@" "$word"
    n=$((n - 1))
done
exec gcc -w "$@"
SH
}

@test "a faulty compiler is found: original, variant, command and unified diff" {
    sample
    faulty
    run -1 "$CUPEL" emi --trust-compilers t.c --variants 12 --mutate prune --cc './faulty -O1' -o v
    [[ "$output" == *"finding: ./faulty -O1: variant "* ]]
    [[ "$output" == *"original: exit status 3, 8 bytes \"90 none\\n\""* ]]
    [[ "$output" == *"variant:  exit status 4, 8 bytes"* ]]
    [[ "$output" == *"--- t.c"*"+++ v/variant-"*"@@ -"*"-        abort();"* ]]
    [[ "$output" == *"./faulty -O1 v/variant-"*" -o ./t -lm && ./t"* ]]
    run -1 --separate-stderr "$CUPEL" emi --trust-compilers t.c --variants 12 --mutate prune --cc './faulty -O1' -o v --json
    jq -e '.findings[0].diff | startswith("--- t.c")' <<<"$output"
}

@test "an undefined program has no variants; a missing file is an error" {
    program <<'C'
int main(void) { int x = 2147483647; return x + 1; }
C
    run -2 "$CUPEL" emi t.c --no-test
    [[ "$output" == *"is undefined (signed integer overflow"*"see cupel check"* ]]
    run -2 "$CUPEL" emi none.c --no-test
    run -2 "$CUPEL" emi t.c --mutate nonsense
    [[ "$output" == *"no mutation is called 'nonsense'"* ]]
}

@test "a suite: every file that builds and ends, and a summary" {
    mkdir suite
    sample
    mv t.c suite/one.c
    echo 'int z; int main(void) { if (z) z = 2; return z; }' >suite/two.c
    echo 'int main(void) { int x = 2147483647; return x + 1; }' >suite/undefined.c
    echo 'int main(' >suite/broken.c
    run -0 "$CUPEL" emi --suite suite --variants 3 --cc 'gcc -O1' -o v
    [[ "$output" == *"suite: 2 files varied, 2 passed over"*"6 variants, 0 findings"* ]]
    [[ "$output" == *"undefined: 1"* ]]
    [ -f v/one/variant-002.c ]
}

# A project in a folder with a blank in its name: two units, one that is generated, one that
# cupel cannot read, and a makefile that sets CC itself.
project() {
    mkdir -p 'my project/src'
    cd 'my project' || return 1
    cat >Makefile <<'MAKE'
CC = gcc
CFLAGS = -O1 -Wall -Werror
all: prog
prog: src/main.o src/sum.o table.o odd.o
	$(CC) $^ -o $@
%.o: %.c
	$(CC) $(CFLAGS) -MD -c $< -o $@
table.c: Makefile
	echo 'int table[3] = { 1, 2, 3 }; int pick(int i) { if (i > 2) return -1; return table[i]; }' >$@
check: prog
	test "$$(./prog 5)" = 'sum 16' && ./prog 2>/dev/null; test $$? = 2
MAKE
    cat >src/main.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int sum(int n);
int odd(int n);
int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    printf("sum %d\n", sum(atoi(argv[1])) + odd(1));
    return 0;
}
C
    cat >src/sum.c <<'C'
#include <stdlib.h>
int pick(int i);
int sum(int n)
{
    int s = 0;
    if (n < 0) {
        s = -1;
        abort();
    }
    for (int i = 1; i <= n; i++)
        s += i;
    return s + pick(0) - (n > 100 ? n : 1);
}
C
    echo 'int odd(int n) { return n * 2 - 1 + __builtin_has_attribute(n, packed); }' >odd.c
    cd ..
}

@test "a project: parallel make, a blank in its path, generated and unreadable units" {
    project
    run -0 "$CUPEL" emi --project 'my project' --build 'make -j2' --test 'make check' \
        --cc 'gcc -O2' --variants 3 --seed 2 -o v
    [[ "$output" == *"gcc -O2: 3 units, 3 of them run by the tests; 3 variants, 3 built, 3 pass the tests"* ]]
    [ "$(grep -c 'left as it is: odd.c' <<<"$output")" -eq 1 ]
    run ! ls 'my project'/prog
}

@test "a planted fault is found through a project's tests and bisected to one edit" {
    project
    # wrong about any unit of sum.c in which abort is not called
    cc_script faulty <<'SH'
for arg; do
    case $arg in *sum.i) grep -q 'abort();' "$arg" || sed -i 's/s += i/s -= i/' "$arg" ;; esac
done
exec gcc "$@"
SH
    run -1 "$CUPEL" emi --trust-compilers --project 'my project' --build make --test 'make check' \
        --cc "$PWD/faulty -O1" --variants 4 --seed 3 -o v
    [[ "$output" == *"finding: $PWD/faulty -O1: variant "*": tests fail"* ]]
    [[ "$output" == *"    1 of "*" edits in 1 of "*" units do it"* ]]
    [[ "$output" == *"--- src/sum.c"*"-        abort();"* ]]
    grep -q -- '-        abort();' v/finding-0.diff
}

@test "the original itself is held against what the machine knows" {
    sample
    cc_script faulty <<'SH'
for arg; do
    case $arg in *.c) sed -i 's/return 3/return 4/' "$arg" ;; esac
done
exec gcc -w "$@"
SH
    run -1 "$CUPEL" emi --trust-compilers t.c --variants 2 --cc './faulty -O1' --cc 'gcc -O1' -o v
    [[ "$output" == *"finding: ./faulty -O1: the original itself"*"must be:  exit status 3"*"is:       exit status 4"* ]]
    [ "$(grep -c '^finding' <<<"$output")" -eq 1 ]
}

@test "a cmake project" {
    command -v cmake >/dev/null || skip "no cmake"
    mkdir p
    sample
    mv t.c p/main.c
    cat >p/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.5)
project(p C)
add_executable(prog main.c)
CMAKE
    run -0 "$CUPEL" emi --project p --build 'cmake -S . -B b && cmake --build b' \
        --test './b/prog; test $? = 3' --cc 'gcc -O1' --variants 2 -o v
    [[ "$output" == *"gcc -O1: 1 units, 1 of them run by the tests; 2 variants, 2 built, 2 pass the tests"* ]]
}

# quiet_project: dead code that no compiler keeps, so that pruning it gives the same objects.  Its
# tests leave a line in runs each time.
quiet_project() {
    mkdir quiet
    cat >quiet/main.c <<'C'
#include <stdio.h>
int main(void)
{
    int zero = 0;
    if (zero) {
        puts("never");
        puts("ever");
    }
    return puts("done") < 0;
}
C
    printf 'all: prog\nprog: main.o\n\t$(CC) $^ -o $@\nmain.o: main.c\n\t$(CC) -g -O1 -c $<\n' >quiet/Makefile
    runs=$PWD/runs
}

@test "a project's variants whose objects are all known are not tested again" {
    quiet_project
    run -0 "$CUPEL" emi --project quiet --build make --test "echo run >>$runs; ./prog" \
        --cc 'gcc -O2' --variants 5 --seed 2 --mutate prune -o v
    [[ "$output" == *"5 variants, 5 built, 5 pass the tests"* ]]
    [[ "$output" == *"0% of 5 objects changed the code; 100% were known; 5 variants had only such"* ]]
    [ "$(wc -l <runs)" -eq 2 ] # as it is, and with probes
    rm runs
    sed -i 's/main(void)/main(int argc, char **argv)/; s/int zero = 0/int zero = argc > 3 \&\& argv[2]/' quiet/main.c
    run -0 --separate-stderr "$CUPEL" emi --project quiet --build make --test "echo run >>$runs; ./prog" \
        --cc 'gcc -O2' --variants 5 --seed 2 --mutate prune --json -o v
    jq -e '.configs[0] | .objects == 5 and .objects_changed > 0 and .known == 5 - '"$(($(wc -l <runs) - 2))" <<<"$output"
}

@test "tests that compile are run for every variant" {
    quiet_project
    echo 'int main(void) { int zero = 0; if (zero) return 1; return 0; }' >quiet/check.c
    run -0 "$CUPEL" emi --project quiet --build make --test "echo run >>$runs; ./prog && \$CC check.c -o check && ./check" \
        --cc 'gcc -O2' --variants 3 --seed 2 --mutate prune -o v
    [[ "$output" == *"of 6 objects changed the code"*" 0 variants had only such"* ]]
    [ "$(wc -l <runs)" -eq 5 ]
}

@test "a project is configured once for each compiler" {
    quiet_project
    log=$PWD/log
    echo 'echo configured >>'"$log"'; mv main.c start.c; cp start.c main.c' >quiet/configure
    run -0 "$CUPEL" emi --project quiet --configure 'sh configure' --build make --test './prog && test -f start.c' \
        --cc 'gcc -O2' --cc 'clang-19 -O1' --variants 2 --seed 2 -o v
    [ "$(grep -c '2 built, 2 pass' <<<"$output")" -eq 2 ]
    [ "$(wc -l <log)" -eq 2 ]
    run -2 "$CUPEL" emi --project quiet --configure 'echo no luck; false' --build make --test ./prog --cc 'gcc -O2' -o v
    [[ "$output" == *"not tested: the configuration fails: no luck"* ]]
}

# What runs may hang on addresses, time or chance; here it is the number of the run.
@test "a project that runs something else each time is no compiler's fault" {
    mkdir shifting
    cat >shifting/main.c <<'C'
#include <stdlib.h>
int main(int argc, char **argv)
{
    volatile int run = argc > 1 ? atoi(argv[1]) : 0, x = run;
    if (run > 2) {
        x = x * 2;
        x = x / 2;
    }
    return x != run;
}
C
    echo 0 >count
    count=$PWD/count
    run -0 "$CUPEL" emi --project shifting --build '$CC -O1 main.c -o prog' \
        --test "n=\$((\$(cat $count) + 1)); echo \$n >$count; ./prog \$n" \
        --cc 'gcc -O1' --variants 4 --mutate prune -o v
    [[ "$output" == *"4 variants, 4 built, 4 pass the tests"* ]]
    [[ "$output" == *"1 failures were of no compiler's making: what the project runs differs from build to build"* ]]
}

# Code that no build with probes runs, as where an address decides that each build places otherwise; here
# it is the program's own file, in which a build with probes has names that others have not.
@test "a project's code that only builds without probes run is no compiler's fault" {
    mkdir shy
    cat >shy/main.c <<'C'
#include <stdio.h>
#include <string.h>
static int has_probes(void)
{
    static char file[1 << 20];
    char word[16] = "cupel_";
    FILE *f = fopen("/proc/self/exe", "rb");
    size_t n = f ? fread(file, 1, sizeof file, f) : 0, i;
    if (f)
        fclose(f);
    strcat(word, "start");
    for (i = 0; i + 11 < n; i++)
        if (memcmp(file + i, word, 11) == 0)
            return 1;
    return 0;
}
int main(void)
{
    volatile int x = 5;
    if (!has_probes()) {
        x = x + 2;
        x = x - 2;
    }
    return x != 5;
}
C
    run -0 "$CUPEL" emi --project shy --build '$CC -O1 main.c -o prog' --test ./prog \
        --cc 'gcc -O1' --variants 4 --mutate prune -o v
    [[ "$output" == *"4 variants, 4 built, 4 pass the tests"* ]]
    [[ "$output" == *"failures were of no compiler's making: what the project runs differs from build to build"* ]]
}

# Where the text lies when what did not run, and its own text before it, is gone: nowhere else in 16 places.
# Then the weight is wrong without the code that is gone.
places_text() {
    cat >"$1" <<'C'
#include <stdio.h>
static __thread volatile int own; /* links as compilers do, with or without --project */
__attribute__((noinline)) static int weigh(const char *s)
{
    int there = (unsigned long)s % 16 == WHERE;
    own = there;
    if (there) {
        fputs("so", stderr);
        there = 0;
    }
    return there;
}
int main(void)
{
    return weigh("a text");
}
C
    sed 's/fputs.*//; s/there = 0;//; s/return there/return (unsigned long)s % 16/; s/WHERE/99/' "$1" >gone.c
    gcc -O1 gone.c -o gone
    where=0
    ./gone || where=$?
    sed -i "s/WHERE/$where/" "$1"
}

@test "what runs only where a variant has its strings is no compiler's fault" {
    mkdir moved
    places_text moved/main.c
    run -0 "$CUPEL" emi --project moved --build '$CC -O1 main.c -o prog' --test ./prog \
        --cc 'gcc -O1' --variants 6 --mutate prune -o v
    [[ "$output" == *"6 variants, 6 built, 6 pass the tests"* ]]
    [[ "$output" == *"failures were of no compiler's making: what the project runs differs from build to build"* ]]
    [ -z "$(ls v)" ]
    run -0 "$CUPEL" emi moved/main.c --facts probes --cc 'gcc -O1' --variants 12 --mutate prune -o w
    [[ "$output" == *"not with everything elsewhere in memory"* ]]
}

@test "a variant of a project that hangs is ended" {
    mkdir slow
    cat >slow/main.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
    if (argc > 2)
        puts(argv[1]);
    return 0;
}
C
    # wrong about a program that does not print its argument
    cc_script faulty <<'SH'
for arg; do
    case $arg in *main.i) grep -q 'puts(argv' "$arg" || sed -i 's/return 0/for (;;) ;/' "$arg" ;; esac
done
exec gcc "$@"
SH
    run -1 "$CUPEL" emi --trust-compilers --project slow --build '$CC -O1 main.c -o prog' --test './prog' \
        --cc "$PWD/faulty -O1" --variants 3 --test-timeout 5s --mutate prune -o v
    [[ "$output" == *"finding: "*"tests fail"*"(ended after 5 s)"* ]]
}

# 20001121-1 of GCC's torture tests, and its tests of optimisers: whether a call is left is not
# for us to say.
@test "what only the optimiser kept from the linker is no finding" {
    program <<'C'
void link_error(void);
static int one(void) { return 1; }
__inline__ int two(void) { return 2; }
int main(void)
{
    if (one() != 1)
        link_error();
    return two() != 2;
}
C
    run -0 "$CUPEL" emi t.c --variants 12 --cc 'gcc -O2' --cc 'clang-19 -O2' --mutate opaque,guard -o v
    [[ "$output" == *"24 trials"* ]]
    left=0 # a call, in some
    for f in v/*.c; do
        clang-19 -w -O2 "$f" -o t || left=$((left + 1))
    done
    [ $left -gt 0 ]
    # but a call to something that nobody has ever named is a fault
    sed -i 's/__inline__/static/; s/link_error/exit/g; s/exit(void)/exit(int)/; s/exit();/exit(1);/' t.c
    cc_script faulty <<'SH'
for arg; do
    case $arg in *.c) grep -q volatile "$arg" && echo 'int nobody(void); int (*cupel)(void) = nobody;' >>"$arg" ;; esac
done
exec gcc "$@"
SH
    run -1 "$CUPEL" emi --trust-compilers t.c --variants 2 --cc './faulty -O1' --mutate opaque -o v
    [[ "$output" == *"could not link the program: undefined reference to "?nobody* ]]
}

# glibc's open with _FORTIFY_SOURCE: an inline function that calls one with the attribute error when
# its argument is a constant of some kind.
@test "an inline function with demands on its arguments is not called from new code" {
    program <<'C'
extern int try_open(const char *name, int flags, ...) __attribute__((nonnull(1)));
extern void missing(void) __attribute__((error("flags")));
extern __inline __attribute__((always_inline)) __attribute__((gnu_inline)) int try_open(const char *name, int flags, ...)
{
    if (__builtin_constant_p(flags) && flags != 1)
        missing();
    return name[0] == flags;
}
int main(int argc, char **argv)
{
    if (argc > 3)
        return try_open(argv[1], argc);
    return try_open(argv[0], argc);
}
C
    run -0 "$CUPEL" emi t.c --variants 40 --cc 'gcc -O2' -o v
    [[ "$output" == *"40 trials"* ]]
}

# printf-chk-1 of GCC's torture tests: whether its own function is called is seen, and gcc may print
# without it where nobody looks at what it returns.
@test "a program with a library function of its own has no variants" {
    program <<'C'
int called;
int puts(const char *s) { called = 1; return *s; }
int main(void)
{
    if (puts("a") != 'a')
        return 2;
    return !called;
}
C
    run -2 "$CUPEL" emi t.c --variants 2 --cc 'gcc -O2' -o v
    [[ "$output" == *"t.c defines puts itself: compilers know it, and need not call it"* ]]
}

@test "a project's variants are the same wherever it is copied to" {
    quiet_project
    sed -i 's/int zero = 0/volatile int zero = 0/' quiet/main.c
    for n in 1 2; do
        # what is compiled, without the line markers; -g makes these name the folder
        cc_script "keep$n" <<SH
for arg; do case \$arg in *.i) grep -v '^#' "\$arg" >>$PWD/text$n ;; esac; done
exec gcc "\$@"
SH
        mkdir "there$n"
        TMPDIR=$PWD/there$n "$CUPEL" emi --project quiet --build make --test ./prog --cc "$PWD/keep$n -O1" \
            --variants 3 --seed 4 --quiet -o v
    done
    grep -v cupel_open text1 >one
    grep -v cupel_open text2 >two
    grep -q volatile one
    cmp one two
}

@test "a program that runs something else wherever its strings lie is no compiler's fault" {
    program <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    const char *word = "some word or other";
    unsigned long at = (unsigned long)word & 15;
    unsigned sum = (unsigned)getppid() & 0;
    for (unsigned long i = 0; i < 16; i++)
        if (i == at) /* by any of sixteen ways, the same */
            switch (i) {
            case 0: sum += 1; break;
            case 1: sum += 1; break;
            case 2: sum += 1; break;
            case 3: sum += 1; break;
            case 4: sum += 1; break;
            case 5: sum += 1; break;
            case 6: sum += 1; break;
            case 7: sum += 1; break;
            case 8: sum += 1; break;
            case 9: sum += 1; break;
            default: sum += 1; break;
            }
    printf("%u\n", sum);
    return 0;
}
C
    run -0 "$CUPEL" emi t.c --facts probes --variants 60 --mutate prune,insert --cc 'gcc -O0' --cc 'clang-19 -O0' -o v
    # by which of the two, depends on where the linker puts it
    [[ "$output" == *" differences are of no compiler's making: what the program runs differs from run to run"* ||
        "$output" == *" differences could not be seen again, or not with everything elsewhere in memory"* ]]
}

# time, process, addresses, chance: each gave false findings before
@test "a program that does something else each time is not compared, and that is said" {
    local -A says=(
        [time]='(long)time(0)' [pid]='(long)getpid()' [stack]='(long)((unsigned long)&argc >> 4 & 15)'
        [code]='(long)((unsigned long)main & 1023)' [rand]='(long)(srand(time(0)), rand() % 1000)'
        [environ]='settings(environ)' [envp]='settings(envp)')
    for name in "${!says[@]}"; do
        cat >"$name.c" <<C
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int z;
int other(void) { if (z) return 3; return 4; }
extern char **environ;
long settings(char **e) { long n = 0; while (e[n]) n++; return n; }
int main(int argc, char **argv, char **envp)
{
    if (z)
        z = other();
    printf("%ld\n", ${says[$name]});
    return 0;
}
C
        run -2 "$CUPEL" emi "$name.c" --variants 6 --cc 'gcc -O1' --quiet -o v
        [[ "$output" == *"nothing was compared: the program does something else each time"* ]]
    done
    # an input on which it is steady still counts
    echo 'int getpid(void), getchar(void), putchar(int), printf(const char *, ...);
        int main(void) { if (getchar() == 49) printf("%d", getpid()); return 0; }' >t.c
    echo 1 >one
    echo 2 >two
    run -0 "$CUPEL" emi t.c --input one --input two --variants 4 --cc 'gcc -O1' -o v
    [[ "$output" == *"4 trials"*"1 of the inputs not compared"* ]]
}

# The machine executes them, in a world of its own: each was told as a mistake of every compiler.
@test "what the machine says of a world that is not this one accuses nobody" {
    local -A does=(
        [inode]='fstat(0, &s), (long)s.st_ino' [kind]='fstat(0, &s), (long)S_ISREG(s.st_mode)'
        [since]='fstat(1, &s), (long)s.st_mtim.tv_sec' [terminal]='isatty(0), (long)errno'
        [shared]='f = fopen("/tmp/some-file-of-cupel", "w"), f ? remove("/tmp/some-file-of-cupel"), 1L : 0L'
        [scratch]='f = tmpfile(), f ? 1L : 0L' [blind]='f = tmpfile(), fputc(65, f), rewind(f), (long)getc(f)'
        [line]='getline(&line, &room, stdin), (long)room' [spelled]='(puts(__PRETTY_FUNCTION__), 1L)'
        [large]='f = fopen("large", "w"), fill(f)')
    for name in "${!does[@]}"; do
        cat >"$name.c" <<C
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static char block[1 << 20];
static long fill(FILE *f) { long n = 0; for (int i = 0; i < 80; i++) n += (long)fwrite(block, 1, sizeof block, f); return n; }
int z;
int main(void)
{
    struct stat s;
    FILE *f = NULL;
    char *line = NULL;
    size_t room = 0;
    if (z)
        z = (int)fill(stdout);
    long is = (${does[$name]});
    printf("%ld %d\n", is, f || line);
    return 0;
}
C
        run "$CUPEL" emi "$name.c" --variants 3 --cc 'gcc -O1' --cc 'clang-19 -O1' --quiet -o v
        [[ $status != 1 && "$output" != *finding:* ]]
        case $name in
        line | terminal) [[ $status = 0 && "$output" == *" 6 trials"* ]] ;;
        large) [[ "$output" == *"not tested: the original does something else there than where it was seen what runs"* ]] ;;
        esac
    done
    run "$CUPEL" test spelled.c --cc 'clang-19 -O1' --quiet
    [ "$status" != 1 ]
    # and a compiler that does otherwise than the machine says, and than others do, is still accused
    echo 'int printf(const char *, ...), z; int main(void) { if (z) return 3; printf("%d", 4711); return 0; }' >t.c
    cc_script faulty <<<'for a; do case $a in *.[ci]) sed -i s/4711/4712/ "$a" ;; esac; done; exec gcc "$@"'
    run -1 "$CUPEL" emi t.c --trust-compilers --variants 2 --cc "$PWD/faulty" --quiet -o v
    [[ "$output" == *"the original itself: other behaviour than the machine's"* ]]
}

@test "several units with flags and libraries: one program, for emi and for test" {
    mkdir include
    echo 'int twice(int); typedef int number;' >include/own.h
    cat >main.c <<'C'
#include <own.h>
#include <stdio.h>
#include <zlib.h>
int main(void)
{
    number n = FIRST, year = __STDC_VERSION__ / 100;
    if (n < 0)
        puts("never");
    printf("%d %lu\n", twice(n) + year, crc32(0, (const unsigned char *)"abc", 3));
    return 0;
}
C
    echo '#include <own.h>
int twice(int x) { if (x > 100) { x = 7; x++; } return x + x; }' >list.c
    run -0 "$CUPEL" emi main.c list.c -Iinclude -DFIRST=5 -std=c99 -lz --variants 6 --cc 'gcc -O2' --cc 'clang-19 -O1' -o v
    [[ "$output" == *"main.c and 1 more"*"12 trials"* ]]
    [ -f v/variant-005/main.c ] && [ -f v/variant-005/list.c ]
    for d in v/variant-*; do
        gcc -w -std=c99 "$d"/*.c -lz -o t && [ "$(./t)" = "2009 891568578" ]
    done
    run -0 "$CUPEL" test main.c list.c -I include -DFIRST=5 -std=c99 -lz --cc 'gcc -O2' --cc 'clang-19 -O1'
    run -2 "$CUPEL" emi main.c list.c -Iinclude -std=c99 --variants 1 --cc 'gcc -O2' -o v
    for facts in gcov clang; do
        sed -i 's/crc32(.*, 3)/2ul/; /zlib/d' main.c
        run -0 "$CUPEL" emi main.c list.c -Iinclude -DFIRST=5 -std=c99 --facts $facts --no-test --variants 9 -o w
        [[ "$output" == *"2 functions, 0 never called"* ]]
        for d in w/variant-*; do
            gcc -w -std=c99 "$d"/*.c -o t && ./t
        done
    done
}

@test "facts follow each configuration's data model" {
    program <<'C'
#include <stdio.h>
int main(void)
{
    if (sizeof(long) * 2 + (unsigned)getchar() * 0 == 16)
        puts("wide");
    else
        puts("narrow");
    return 0;
}
C
    run -0 "$CUPEL" emi t.c --variants 5 --cc 'gcc -O1' --cc 'gcc -m32 -O1' -o v
    [ "$(grep -c '5 trials' <<<"$output")" -eq 2 ]
    [ -f v/variant-004.c ] && [ -f v/ilp32/variant-004.c ]
    run -0 "$CUPEL" emi t.c -m32 --variants 5 --cc 'gcc -O1' -o v
    [[ "$output" == *"5 trials"* ]]
}

# Faults by name: what the variant must have in it, and what the compiler then does.
fault() {
    cc_script faulty <<SH
for arg; do
    case \$arg in *.c) grep -q '$1' "\$arg" && { $2; } ;; esac
done
exec gcc -w "\$@"
SH
}

@test "a rejection counts only when an unrelated compiler accepts the text" {
    sample
    fault volatile "echo \"\$arg:1:1: error: no\" >&2; exit 1"
    run -1 "$CUPEL" emi --trust-compilers t.c --variants 2 --cc './faulty -O1' --mutate opaque -o v
    [[ "$output" == *"finding: "*"rejected the program"* ]]
    # alone in the world: nobody to contradict it
    mkdir bin
    for tool in grep sh as ld cat head env; do ln -s "$(command -v $tool)" bin/; done
    sed -i "s,exec gcc,exec $(command -v gcc-12)," faulty
    PATH=$PWD/bin run -0 "$CUPEL" emi t.c --cpp "$(command -v gcc-12)" --variants 2 --cc './faulty -O1' --mutate opaque -o v
    [[ "$output" == *"2 rejections do not count: no unrelated compiler accepts the same text"* ]]
}

@test "compile time out of line is a finding" {
    sample
    # four seconds of CPU, on any machine
    fault volatile "{ (ulimit -t 4; while :; do :; done); } 2>/dev/null || :"
    run -1 "$CUPEL" emi --trust-compilers t.c --variants 1 --cc './faulty -O1' --mutate opaque -o v
    [[ "$output" == *"finding: "*"compile time is out of line"*"original: compiled in 0."*"variant:  compiled in "* ]]
}

@test "a file that ends the process costs a suite that file only" {
    mkdir suite
    sample
    mv t.c suite/one.c
    cp suite/one.c suite/zwei.c
    # too deep for so small a stack
    awk 'BEGIN { printf "int x; int main(void) { return x"; for (i = 0; i < 5900; i++) printf "+x"; print "; }" }' >suite/sum.c
    run -0 bash -c 'ulimit -s 512; exec "$0" emi --suite suite --variants 3 --no-test -o v' "$CUPEL"
    [[ "$output" == *"suite: 2 files varied, 1 passed over (ends cupel itself: 1); 6 variants"* ]]
}

# Types that are completed further down, arrays of four dimensions, a declaration without its length.
@test "opaque types and arrays of many dimensions: every variant compiles" {
    program <<'C'
#include <stdio.h>
typedef struct box box;
typedef struct { unsigned char cell[2][3][2][3]; } grid;
box *make(int n);
int weigh(const box *b);
extern int table[];
extern box first;
grid g;
int z;
int use(box *b, grid *q)
{
    int r = weigh(b);
    if (r < 0) {
        q->cell[1][1][z][1] = 3;
        z = 5;
    }
    r += q->cell[1][2][1][2];
    return r;
}
struct box { int n; box *next; double d[2]; };
box first = { 1, 0, { 2, 3 } };
int table[3] = { 1, 2, 3 };
box *make(int n)
{
    if (n > 100) {
        first.next = &first;
        table[sizeof table / sizeof *table - 1] = (int)sizeof(box);
    }
    first.n += n;
    return &first;
}
int weigh(const box *b)
{
    if (b->next)
        return (int)b->next->d[1];
    return b->n + table[1];
}
int main(void)
{
    printf("%d\n", use(make(4), &g));
    return 0;
}
C
    run -0 "$CUPEL" emi t.c --variants 40 --cc 'gcc -O1' --cc tcc -o v
    [[ "$output" == *"80 trials"* && "$output" != *"do not count"* ]]
}

# -D did to variants once more what it had done to the original, and gcc and clang were accused.
@test "variants are not preprocessed again: -D that names itself, -include of what may come once" {
    cat >before.h <<'C'
struct pair { int a, b; };
enum { TOP = 9000 };
static inline int sum(struct pair p) { return p.a + p.b; }
C
    program <<'C'
#include <stdio.h>
static int (get)(int y) { return y; }
int main(void)
{
    int s = 0;
    for (int i = 0; i < 9; i++) {
        struct pair p = {get(i), STEP};
        s += sum(p);
        if (s > TOP)
            s = 5;
    }
    printf("%d\n", s);
    return 0;
}
C
    for facts in machine probes gcov; do
        run -0 --separate-stderr "$CUPEL" emi t.c --variants 4 --facts $facts -include before.h -DSTEP=3 '-Dget(y)=get(y)+1' \
            --cc 'gcc -O1' --cc 'clang-19 -O1' -o v
        [[ "$output" == *"8 trials"* ]]
    done
    # of a command's own it is said
    run -0 --separate-stderr "$CUPEL" emi t.c --variants 2 -include before.h -DSTEP=3 --cc 'gcc -Dget=sum -O1' -o v
    [[ "$output" == *"2 trials"* && "$stderr" == *"gcc -Dget=sum -O1: -Dget=sum makes another text of the program, and is left out"* ]]
}

@test "the value of a block in parentheses stays, with labels before it and nothing behind it" {
    cp "$BATS_TEST_DIRNAME/programs/block_values.c" t.c
    for facts in machine probes; do
        run -0 "$CUPEL" emi t.c --variants 30 --facts $facts --cc 'gcc -O0' --cc 'clang-19 -O0' -o v
        [[ "$output" == *"60 trials"* && "$output" != *"do not count"* ]]
    done
}

# A seed with headers: itself first, and nothing of the headers that it does not use.
@test "a hunt over seeds tests each seed itself before its variants" {
    mkdir -p h/seeds
    sample
    sed 's/abort();/total = 3;/' t.c >h/seeds/t.c
    faulty # where abort is not called: in the seed itself
    run -1 "$CUPEL" hunt h --trust-compilers --mode seeds --programs 1 --jobs 1 --cc "$PWD/faulty -O1" --quiet
    run -1 "$CUPEL" list h --json
    [[ "$output" == *wrong-code* ]]
    [ "$(wc -c <h/findings/1/program.c)" -lt 2500 ]
    grep -q 'twice' h/findings/1/program.c
}

@test "a compilation that was near its limit before says nothing when it is above it" {
    sample
    # a third of a second of CPU for every program, no end for those with something volatile in them
    cat >slow <<'SH'
#!/bin/bash
while read -ra s </proc/$$/stat && [ $((s[13] + s[14])) -lt 30 ]; do :; done
grep -qs volatile "$@" && while :; do :; done
exec gcc -w "$@"
SH
    chmod +x slow
    run -0 "$CUPEL" emi t.c --variants 1 --cc './slow -O1' --compile-timeout 2s --mutate opaque -o v
    [[ "$output" != *finding:* ]]
}

@test "what is undefined is named, and a program that does not end is told after the time limit" {
    printf '%s\n' 'int frobnicate(int);' 'int main(void) { return frobnicate(3); }' >t.c
    run -2 "$CUPEL" emi t.c --quiet --cc gcc
    [[ "$output" == *"undefined reference to \`frobnicate'"* ]]
    printf '%s\n' 'volatile int go = 1;' 'int main(void) { while (go) ; return 0; }' >t.c
    run -2 "$CUPEL" emi t.c --quiet --cc gcc --timeout 1
    [[ "$output" == *"t.c does not end within 1 s: give it more with --timeout"* ]]
}

@test "flags that change the data model have facts of their own" {
    program <<'C'
#include <limits.h>
#include <stdio.h>
enum e { A, B };
int main(void)
{
    char c = -1;
    if (c < 0)
        puts("signed");
    else
        puts("unsigned");
    printf("%d %d %d\n", CHAR_MIN, (int)sizeof(enum e), (int)sizeof(long double));
    return 0;
}
C
    run -0 --separate-stderr "$CUPEL" emi t.c --variants 6 --cc 'gcc -O1' --cc 'gcc -O1 -funsigned-char' -o v --json
    [ "$(jq '[.trials, .findings[], .untested[]] == [12]' <<<"$output")" = true ]
    # also where they stand before all configurations, or nobody is asked
    run -0 "$CUPEL" emi t.c -funsigned-char --variants 6 --cc 'gcc -O1' -o v
    run -0 "$CUPEL" emi t.c -fno-signed-char --variants 6 --no-test --seed 5 -o v
    for f in v/variant-*.c; do
        gcc -w -fno-signed-char "$f" -o t
        [ "$(./t | head -1)" = unsigned ]
    done
    # what nobody predicts is left out, and said
    for flag in -fshort-enums -mlong-double-64 -fexec-charset=IBM1047; do
        run -0 "$CUPEL" emi t.c $flag --variants 2 --cc 'gcc -O1' -o v
        [[ "$output" == *"$flag lets results differ, and is left out"* ]]
        run -0 "$CUPEL" emi t.c --variants 2 --cc "gcc -O1 $flag" -o v
        [[ "$output" == *"$flag lets results differ: "*"is tried as gcc -O1"* ]]
    done
}

# What another machine's compiler makes, and what runs it: here both are this machine's, with
# another plain char.
@test "programs for other machines are compared where the machine can execute them" {
    program <<'C'
#include <stdio.h>
int main(void)
{
    char c = -1;
    puts(c < 0 ? "signed" : "unsigned");
    if (c == 3)
        puts("never");
    return 0;
}
C
    cc_script foreign <<'SH'
exec gcc -w -funsigned-char "$@"
SH
    run -0 "$CUPEL" emi t.c --variants 4 --cc 'gcc -O1' --cc './foreign -O1' --run env -o v
    [ "$(grep -c '4 trials' <<<"$output")" -eq 2 ]
    [[ "$output" != *"not tested"* ]]
    # coverage is not collected there: what the machine does not run is not tested, and that is said
    printf '#include <unistd.h>\n#include <stdio.h>\nint main(void) { if (fork() == 5) puts("a"); return 0; }\n' >f.c
    run -2 "$CUPEL" emi f.c --variants 2 --cc './foreign -O1' --run env -o v
    run -0 --separate-stderr "$CUPEL" emi f.c --variants 2 --cc 'gcc -O1' --cc './foreign -O1' --run env -o v --json
    [ "$(jq -r '.untested[].config' <<<"$output")" = './foreign -O1' ]
    # one whose programs do not run has no data model
    run -2 "$CUPEL" emi t.c --variants 2 --cc './foreign -O1' --run false -o v
    [[ "$output" == *"data model of ./foreign -O1 is not known"* ]]
}

@test "a compiler that sleeps when it is to preprocess is given --compile-timeout" {
    sample
    cc_script asleep <<'SH'
exec sleep 100
SH
    run -2 timeout 50 "$CUPEL" emi t.c --variants 1 --cc ./asleep --compile-timeout 0.1s -o v
    [[ "$output" == *"time-out after 5"* ]]
}

@test "a program with functions within functions gets no variants" {
    printf '#include <stdio.h>\nint main(void) { int n = 1; void up(void) { n++; } up(); printf("%%d\\n", n); return 0; }\n' >t.c
    run -2 "$CUPEL" emi t.c --variants 2 --cc 'gcc -O1' -o v
    [[ "$output" == *"up is a function within another one: such programs are not varied"* ]]
}

# A call of a const function may be dropped, and with it what it accesses: that was told as an access lost.
@test "no static volatile guard where functions are declared const or pure" {
    echo '__attribute__((__const__)) int f(int a) { return a * 2; }
int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += f(i); return s - 20; }' >const.c
    sed 's/__attribute__((__const__))//' const.c >plain.c
    for t in const plain; do
        run -0 "$CUPEL" emi $t.c --mutate opaque --variants 12 --no-test --seed 1 -o $t
    done
    run -1 grep -q 'static volatile' const/*.c
    grep -q 'static volatile' plain/*.c
}

# What a compiler knows decides what runs: facts of -O0 alone called the branch dead.
@test "what runs by __builtin_constant_p at -O2 is not dead for probes" {
    echo 'static int n;
static inline int f(int x) { if (__builtin_constant_p(x)) { n = 1; } else { n = 2; } return x; }
int main(void) { return f(3) - 3; }' >t.c
    run -0 "$CUPEL" emi t.c --facts probes --no-test --variants 1 -o v
    [[ "$output" == *", 0 of them never ran"* ]]
}

# What a program makes of addresses without its output showing it: no range of it is a fact, and the
# branches that real addresses take are not dead.
@test "what follows from an address is no fact" {
    program <<'C'
#include <stdint.h>
#include <stdio.h>
static int object;
static int twice(int x) { return x + x; }
static int large(unsigned long a)
{
    unsigned long b = a + 5;
    if (b < a)
        return 7;
    int low = (int)(b & 1023) + (int)(b >> 20 & 15);
    if (low < 0)
        return 8;
    return (b >> 32 ? twice(2) : 4) + 0 * low;
}
int main(void)
{
    int local;
    unsigned long sum = (unsigned long)&object + (unsigned long)&local;
    uintptr_t code = (uintptr_t)&twice;
    int total = large(sum) + large(code);
    unsigned short half = (unsigned short)(code >> 4);
    int sign = (int)code;
    total += half >= 0 ? 1 : 2;
    total += sign < 0 ? twice(3) : 6;
    printf("%d\n", total);
    return 0;
}
C
    run -0 "$CUPEL" emi t.c --seed 1 --variants 60 --no-test -o v
    same_as_original gcc v/*.c
    same_as_original clang-19 v/*.c
}

# The machine does not execute it, for C does not say what the type of such a bit-field is: what runs
# was seen of gcc's program, and nothing is known of clang's, which does something else.
@test "a compiler whose original does something else than the one that was looked at is not tested" {
    program <<'C'
#include <stdlib.h>
struct s { unsigned long long a : 2, b : 40; };
static int near_zero(struct s s) { return s.b - 3 > 0xffffffffffULL; }
int main(void)
{
    struct s s = {1, 2};
    if (near_zero(s))
        abort();
    return 0;
}
C
    run -0 "$CUPEL" emi t.c --seed 3 --variants 12 --cc 'gcc -O0' --cc 'clang-19 -O0' --cc 'clang-19 -O2'
    [[ "$output" == *"clang-19 -O0: not tested: the original does something else there"* ]]
    [[ "$output" == *"    12 trials"* ]]
    run -2 "$CUPEL" emi t.c --seed 3 --variants 2 --cc 'clang-19 -O2' --facts probes --cpp gcc
}

# The machine does not execute them (access); what runs is seen of a program that must see the same world
# as its trials do: its name, its limits, its pipes.
@test "facts of real runs are of the world in which variants are tried" {
    cat >name.c <<'C'
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    const char *s = strrchr(argv[0], '/'), *name;
    if (s)
        name = s + 1;
    else
        name = argv[0];
    if (argc > 1)
        puts("args");
    printf("%s %d\n", name, access("/", R_OK));
    return 0;
}
C
    cat >much.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
    struct stat st;
    char *volatile p = malloc(2000u << 20);
    int n = access("/", R_OK);
    if (!p)
        n += 3;
    else
        n += 4;
    if (fstat(1, &st) == 0 && S_ISFIFO(st.st_mode))
        n += 10;
    else
        n += 20;
    printf("%d\n", n);
    free(p);
    return n;
}
C
    for f in name much; do
        for seed in 1 2; do
            run -0 "$CUPEL" emi $f.c --seed $seed --variants 4 --cc 'gcc -O1' -o v
            [[ "$output" == *"(facts: probes)"*"4 trials"* ]]
        done
    done
}

@test "functions that only compute are declared const or pure, and no others" {
    cat >t.c <<'C'
#include <stdio.h>
int g = 3, a[4] = {1, 2, 3, 4};
volatile int w;
static inline __attribute__((__always_inline__)) int must(int x) { int s = x; s *= x; return s + 1; }
static int square(int x) { int s = x; s *= x; return s + 1; }
int look(int i) { int s = 0; for (int k = 0; k < 4; k++) s += a[k] * i + g; return s; }
static int bump(int x) { int s = x; g++; return s; }
static int watch(int x) { int s = x; return s + w; }
static int count(int x) { static int n; int s = n++; return s + x; }
static int poke(int *p) { int s = *p; *p = s + 1; return s; }
static int twice(int x) { int s = square(x); return s * 2; }
int main(void)
{
    int t = 0;
    for (int i = 0; i < 5; i++) {
        t += must(i) + square(i) + look(i);
        t += bump(i);
        a[i & 3] = t & 15;
        t ^= look(i) + watch(i) + count(i) + twice(i) + look(i);
        t += poke(a);
    }
    printf("%d\n", t);
    return 0;
}
C
    run -0 "$CUPEL" emi t.c --mutate pure --variants 20 --cc 'gcc-12 -O2' --cc 'clang-19 -O2' -o out
    cat out/*.c >all
    grep -q '^static int square(int x) __attribute__((const, noipa));' all
    grep -q '^int look(int i) __attribute__((pure, noipa));' all
    run -1 grep -E '(must|bump|watch|count|poke|twice)\(.*(const|pure), noipa' all
}

# clang rounds a * b + c once where it folds it: what it folds differs from variant to variant.
@test "what clang may round once is no finding in a suite, behind a header, or behind a script" {
    mkdir suite
    echo 'typedef double real;' >suite/real.h
    cat >suite/t.c <<'C'
#include <stdio.h>
#include "real.h"
static real f(real x)
{
    for (int i = 0; i < 10; i++) {
        x = x * x + (real)3 / 10;
        if (x > 1000)
            puts("x");
    }
    return x;
}
int main(void)
{
    printf("%a\n", f((real)1 / 10));
    return 0;
}
C
    run -0 "$CUPEL" emi --suite suite --quiet --cc 'clang-19 -O2' --variants 12 --seed 5
    run -0 "$CUPEL" emi suite/t.c --quiet --cc 'clang-19 -O2' --variants 12 --seed 5
    [[ "$output" != *"lets results differ"* ]]
    printf '#!/bin/sh\nexec clang-19 "$@"\n' >mine
    chmod +x mine
    run -0 "$CUPEL" emi suite/t.c --quiet --cc "$PWD/mine -O2" --variants 12 --seed 5
    [[ "$output" == *"differences end when floating operations are rounded one by one"* ]]
    run -2 "$CUPEL" test suite/t.c --quiet --cc "$PWD/mine -O2" --cc 'gcc -O0'
    [[ "$output" == *"not compared: -ffp-contract=on"* ]]
}

# Told as gcc's and clang's: a variant has another value in %ebx then.
@test "assembly may touch what it does not name: no variants; assembly that does nothing has some" {
    program <<'C'
#include <stdio.h>
int main(int argc, char **argv) { int x = argc + 4; __asm__ volatile("mov $7, %%ebx" :::); printf("%d\n", x); return 0; }
C
    run --separate-stderr -2 "$CUPEL" emi t.c --quiet --cc 'gcc-12 -O2' --variants 4
    [[ "$stderr" == *"t.c is unspecified (inline assembly: "* ]]
    sed -i 's/mov $7, %%ebx/nop \\n\\t/' t.c
    run -0 "$CUPEL" emi t.c --quiet --cc 'gcc-12 -O2' --variants 4
    [[ "$output" == *"(facts: machine)"* ]]
}
