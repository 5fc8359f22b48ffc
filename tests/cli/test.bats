#!/usr/bin/env bats
# cupel test: what it says of good programs, wrong compilers, and bad input.

bats_require_minimum_version 1.5.0
load helpers

hello() {
    cat >t.c <<'C'
int printf(const char *, ...);
int main(int argc, char **argv)
{
    printf("hello");
    for (int i = 1; i < argc; i++)
        printf(" %s", argv[i]);
    printf("\n");
    return 0;
}
C
}

# wrong_gcc: a compiler that turns every 41 in the source into a 42.
wrong_gcc() {
    cc_script wrong-gcc <<'SH'
for a; do case $a in *.c) src=$a;; esac; done
if [ -n "$src" ]; then
    sed 's/\b41\b/42/g' "$src" >"$TMPDIR/wrong.c"
    for a; do shift; [ "$a" = "$src" ] && a=$TMPDIR/wrong.c; set -- "$@" "$a"; done
fi
exec gcc "$@"
SH
}

@test "all agree: exit 0 and one letter" {
    hello
    run "$CUPEL" test t.c --quiet --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O3' --cc tcc
    [ "$status" = 0 ]
    [[ "$output" == *"4 configurations in "*"s: all agree"* ]]
    [[ "$output" != *"!"* ]]
}

@test "a wrong compiler is in the minority, with the command that shows it" {
    wrong_gcc
    printf 'int printf(const char *, ...);\nint main(void) { printf("%%d\\n", 41); return 0; }\n' >t.c
    run "$CUPEL" test t.c --quiet --cc 'gcc -O1' --cc "$PWD/wrong-gcc -O1" --cc 'clang-19 -O1'
    [ "$status" = 1 ]
    [[ "$output" == *"1 of 3 do not do what the program must do"* ]]
    [[ "$output" == *"wrong-gcc -O1 t.c -o ./t -lm && ./t"* ]]
    run -0 --separate-stderr "$CUPEL" test t.c --quiet --json --cc 'gcc -O1' --cc 'clang-19 -O1'
    jq -e '.found == false and (.outcomes | length) == 2' <<<"$output"
}

@test "expected output decides against the majority" {
    wrong_gcc
    printf 'int printf(const char *, ...);\nint main(void) { printf("%%d\\n", 41); return 0; }\n' >t.c
    echo 42 >t.out
    run --separate-stderr "$CUPEL" test t.c --quiet --json --expect t.out --cc 'gcc -O1' --cc "$PWD/wrong-gcc -O1" --cc tcc
    [ "$status" = 1 ]
    [ "$(jq -c '[.outcomes[].mark]' <<<"$output")" = '["differs","agrees","differs"]' ]
}

@test "exit status counts, and so does a signal" {
    wrong_gcc
    printf 'int main(void) { return 41; }\n' >t.c
    run -1 "$CUPEL" test t.c --quiet --cc 'gcc' --cc "$PWD/wrong-gcc" --cc tcc
    printf 'int main(void) { if (41 == 42) *(volatile int *)0 = 1; return 0; }\n' >t.c
    cc_script crashy <<<"sed 's/41 == 42/1/' t.c >\$TMPDIR/x.c; for a; do shift; [ \"\$a\" = t.c ] && a=\$TMPDIR/x.c; set -- \"\$@\" \"\$a\"; done; exec gcc \"\$@\""
    run -1 "$CUPEL" test t.c --quiet --cc gcc --cc clang-19 --cc "$PWD/crashy"
    [[ "$output" == *SIGSEGV* ]]
}

@test "no majority is said to be none, where the machine cannot tell" {
    wrong_gcc
    printf 'static void end(int *p) { (void)p; }\nint main(void) { __attribute__((cleanup(end))) int x = 41; return x; }\n' >t.c
    run -1 "$CUPEL" test t.c --quiet --cc 'gcc' --cc "$PWD/wrong-gcc"
    [[ "$output" == *"there is no majority"* ]]
    # two of three compilers are one
    run -1 "$CUPEL" test t.c --quiet --cc gcc --cc clang-19 --cc "$PWD/wrong-gcc"
    [[ "$output" == *"1 of 3 differ from the majority"* ]]
    # the levels of a compiler share its vote
    run -1 --separate-stderr "$CUPEL" test t.c --quiet --json --cc gcc --cc "$PWD/wrong-gcc" --cc "$PWD/wrong-gcc -O1" --cc "$PWD/wrong-gcc -O2"
    [ "$(jq -c '[.outcomes[].mark] | unique' <<<"$output")" = '["unclear"]' ]
}

@test "the machine decides: against a majority, between two, for one alone" {
    wrong_gcc
    printf 'int printf(const char *, ...);\nint main(void) { printf("%%d\\n", 41); return 3; }\n' >t.c
    cp wrong-gcc wronger-gcc
    run -1 --separate-stderr "$CUPEL" test t.c --quiet --json --cc "$PWD/wrong-gcc" --cc "$PWD/wronger-gcc" --cc tcc
    [ "$(jq -c '[.outcomes[].mark]' <<<"$output")" = '["differs","differs","agrees"]' ]
    run -1 "$CUPEL" test t.c --quiet --cc gcc --cc "$PWD/wrong-gcc"
    [[ "$output" == *"not what it must do: exit status 3, 3 bytes \"42"* ]]
    run -1 "$CUPEL" test t.c --quiet --cc "$PWD/wrong-gcc"
    [[ "$output" == *"1 of 1 do not do what the program must do"* ]]
    run -0 "$CUPEL" test t.c --quiet --cc gcc
    [[ "$output" == *"all do what the program must do"* ]]
}

# Its answer was taken from programs of the very same preprocessor only, or gcc for 64 bits.
@test "the machine decides about a wrapper of no known name, for 32 bits and other machines too" {
    cat >t.c <<'C'
#include <stdio.h>
#ifndef STEP
#define STEP 5
#endif
int get(int y)
{
    return y + STEP;
}
int main(void)
{
    volatile int s = 0;
    for (int i = 0; i < 9; i++)
        s += get(i);
    printf("%d\n", s);
    return 0;
}
C
    local real
    for real in 'gcc -m32' s390x-linux-gnu-gcc-12; do
        printf '#!/bin/sh\ncase " $* " in *" -E "*) exec %s "$@" ;; esac\nexec %s "$@" -DSTEP=78\n' "$real" "$real" >wrong
        chmod +x wrong
        run=()
        case $real in s390x*) run=(--run 'qemu-s390x -L /usr/s390x-linux-gnu') ;; esac
        run -1 --separate-stderr "$CUPEL" test t.c --quiet --json -DSTEP=77 --cc "$real" --cc ./wrong "${run[@]}"
        [ "$(jq -r '[.outcomes[].mark] | join(" ")' <<<"$output")" = "agrees differs" ]
    done
    # alone, where gcc can be asked
    printf '#!/bin/sh\ncase " $* " in *" -E "*) exec gcc -m32 "$@" ;; esac\nexec gcc -m32 "$@" -DSTEP=78\n' >wrong
    run -1 --separate-stderr "$CUPEL" test t.c --quiet --json -DSTEP=77 --cc ./wrong
    [ "$(jq -r '.outcomes[0].mark' <<<"$output")" = differs ]
}

@test "what nobody can be compared with is not said to agree" {
    # the machine has no environment of ours, does not know the time, and lacks some of GNU C
    printf '#include <stdlib.h>\n#include <stdio.h>\nint main(void) { puts(getenv("PATH") ? "set" : "not"); return 0; }\n' >t.c
    run -2 --separate-stderr "$CUPEL" test t.c --quiet --cc gcc
    [[ "$output" == *"1 not compared"* ]]
    [[ "$stderr" == "cupel: nothing to compare the program of gcc with: "*"printed by no compiled program"* ]]
    printf '#include <time.h>\n#include <stdio.h>\nint main(void) { printf("%%ld\\n", (long)time(0)); return 0; }\n' >t.c
    run -2 --separate-stderr "$CUPEL" test t.c --quiet --cc gcc
    [[ "$output" == *"1 not compared"* ]]
    [[ "$stderr" == "cupel: nothing to compare the program of gcc with: "*"depends on what time it is"* ]]
    printf 'static void end(int *p) { (void)p; }\nint main(void) { __attribute__((cleanup(end))) int x = sizeof(long); return x; }\n' >t.c
    run -2 --separate-stderr "$CUPEL" test t.c --quiet --cc gcc --cc 'gcc -O2' --cc 'gcc -m32'
    [[ "$output" == *"different machines (x86-64, i386) are not compared"* ]]
    [[ "$output" == *"1 not compared"* ]]
    run -0 "$CUPEL" test t.c --quiet --cc gcc --cc 'gcc -O2' --cc 'gcc -m32' --cc 'gcc -m32 -O2'
    [[ "$output" == *"all for the same machine agree"* ]]
}

@test "data models that differ rightly: each does what it must do" {
    printf '#include <stdio.h>\nint main(void) { char c = -1; printf("%%d %%d\\n", (int)sizeof(long), c < 0); return 0; }\n' >t.c
    run -0 "$CUPEL" test t.c --quiet --cc gcc --cc 'gcc -m32' --cc 'gcc -funsigned-char' --cc 'clang-19 -funsigned-char -O2'
    [[ "$output" == *"all do what the program must do"* ]]
    # each by the text that its own preprocessor and flags give it
    printf '#include <stdio.h>\nint main(void) {\n#ifdef __clang__\n puts("clang");\n#endif\n printf("%%d\\n", N); return 0; }\n' >t.c
    run -0 "$CUPEL" test t.c --quiet --cc 'gcc -DN=1' --cc 'clang-19 -DN=1' --cc 'clang-19 -DN=2'
}

@test "inputs, arguments and several units" {
    hello
    printf 'int other(void) { return 7; }\n' >u.c
    printf 'int getchar(void); int putchar(int); int other(void);\nint main(void) { int c; while ((c = getchar()) >= 0) putchar(c + 1); return other(); }\n' >m.c
    printf 'abc' >i1; printf 'HAL' >i2; printf 'bcd' >e1; printf 'IBM' >e2
    run -0 "$CUPEL" test m.c u.c --quiet --input i1 --input i2 --expect e1 --expect e2 --cc gcc --cc tcc --cc 'clang-19 -O2'
    run -2 "$CUPEL" test m.c --quiet --input i1 --input i2 --expect e1 --cc gcc
    [[ "$output" == "cupel: 1 --expect for 2 inputs"* ]]
    run -0 --separate-stderr "$CUPEL" test t.c --quiet --args "a 'b c'" --json --cc gcc --cc tcc
    [ "$(jq -r '.outcomes[0].runs[0].output' <<<"$output")" = "hello a b c" ]
    # the value of an option is no option of the compilers
    run -0 --separate-stderr "$CUPEL" test t.c --quiet --args -lx --json --cc gcc --cc tcc
    [ "$(jq -r '.outcomes[0].runs[0].output' <<<"$output")" = "hello -lx" ]
}

@test "reads the program from stdin" {
    hello
    run -0 "$CUPEL" test - --quiet --cc gcc --cc tcc <t.c
}

@test "keeps what it built when asked to" {
    hello
    "$CUPEL" test t.c --quiet --keep -o kept --cc 'gcc -O2' --plain
    [ "$(kept/gcc_-O2/program)" = hello ]
    [ "$(cat kept/gcc_-O2/output0)" = hello ]
}

@test "a compiler rejects what others accept: exit 1; all reject it: exit 2" {
    printf 'int main(void) { int x = ({ 0; }); return x; }\n' >t.c
    run -1 "$CUPEL" test t.c --quiet --cc gcc --cc 'gcc -std=c11 -pedantic-errors'
    [[ "$output" == *"1 reject it"* ]]
    printf 'int main(void) { return 0 }\n' >t.c
    run -2 "$CUPEL" test t.c --quiet --cc gcc --cc tcc
    [[ "$output" == *"cupel: no compiler accepts t.c: gcc says: t.c:1:"* ]]
}

@test "a real internal error of clang has a signature without addresses" {
    printf '#pragma clang __debug crash\nint main(void) { return 0; }\n' >t.c
    run -1 --separate-stderr "$CUPEL" test t.c --quiet --json --cc gcc --cc 'clang-19 -O1'
    jq -r '.outcomes[1] | .outcome, .signature' <<<"$output" >got
    [ "$(head -1 got)" = ICE ]
    [[ "$(tail -1 got)" == "crash; clang::Preprocessor::HandlePragmaDirective; "* ]]
    ! grep -q 0x got
}

@test "bad files: missing, folder, empty, binary, not C, no main" {
    run -2 "$CUPEL" test missing.c --quiet --cc gcc
    [ "$output" = "cupel: cannot read missing.c: No such file or directory" ]
    mkdir folder.c
    run -2 "$CUPEL" test folder.c --quiet --cc gcc
    [ "$output" = "cupel: folder.c is a folder, not a file" ]
    : >empty.c
    run -2 "$CUPEL" test empty.c --quiet --cc gcc --cc tcc
    [[ "$output" == *"cupel: no compiler accepts empty.c: gcc says: "*"main"* ]]
    head -c 4096 /dev/urandom >binary.c
    run -2 "$CUPEL" test binary.c --quiet --cc gcc --cc tcc
    [[ "$output" == *"cupel: no compiler accepts binary.c: gcc says: "* ]]
    echo 'this is not C' >prose.c
    run -2 "$CUPEL" test prose.c --quiet --cc gcc --cc tcc
    echo 'int f(void) { return 0; }' >nomain.c
    run -2 "$CUPEL" test nomain.c --quiet --cc gcc --cc 'clang-19'
    [[ "$output" == *"main"* ]]
}

@test "bad options: one clear line each" {
    hello
    for bad in '--nonsense' '--jobs 0' '--jobs x' '--timeout -1' '--cc' '--run qemu' '--input missing' '--expect missing'; do
        # shellcheck disable=SC2086
        run -2 "$CUPEL" test t.c --quiet $bad
        [[ "${#lines[@]}" = 1 && "$output" == "cupel: "* ]] || { echo "$bad: $output"; false; }
    done
    run -2 "$CUPEL" test --quiet --cc gcc
    [ "$output" = "cupel: no file to test: see cupel test --help" ]
    run -2 "$CUPEL" nonsense
    [ "$output" = "cupel: unknown command 'nonsense': see cupel --help" ]
}

@test "help teaches" {
    run -0 "$CUPEL" --help
    [[ "$output" == *"compilers"*"test"* ]]
    run -0 "$CUPEL" test --help
    [[ "$output" == *"--expect FILE"* && "$output" == *"cupel test t.c"* ]]
}

@test "the loader and the linker agree on Csmith programs" {
    for seed in 1 2 3 4 5; do
        csmith -s $seed --max-funcs 4 >t.c
        "$CUPEL" test t.c --quiet --json --timeout 5 --cc 'gcc -O2 -w -I/usr/include/csmith' \
            --cc 'clang-19 -O1 -w -I/usr/include/csmith' --cc 'tcc -w -I/usr/include/csmith' >loaded.json || [ $? -le 1 ]
        "$CUPEL" test t.c --quiet --json --plain --timeout 5 --cc 'gcc -O2 -w -I/usr/include/csmith' \
            --cc 'clang-19 -O1 -w -I/usr/include/csmith' --cc 'tcc -w -I/usr/include/csmith' >plain.json || [ $? -le 1 ]
        for f in loaded plain; do jq -c '[.outcomes[] | [.outcome, (.runs[0] | .end, .code, .output)]]' $f.json >$f.runs; done
        cmp loaded.runs plain.runs
        jq -e '.outcomes[0].loaded' loaded.json
    done
}

@test "a program that is undefined blames no compiler" {
    printf '#include "limits.h"\nint printf(const char *, ...);\nint main(void) { int x = INT_MAX;\n if (x + LESS + 1 < x) printf("wraps\\n"); else printf("does not\\n"); return 0; }\n' >t.c
    run -2 --separate-stderr "$CUPEL" test t.c --quiet --cc 'gcc -O0 -DLESS=0' --cc 'gcc -O2 -DLESS=0' --cc 'clang-19 -O0 -DLESS=0'
    [[ "$output" == *"which says nothing about them: t.c:4:"*"signed-overflow"* ]]
    [[ "$stderr" == *"cupel: t.c says nothing about its compilers: t.c:4:"*"signed-overflow"* ]]
    # where overflow is defined, somebody is wrong
    cc_script wrong <<<'exec gcc -fno-wrapv "$@" -fno-wrapv -O2'
    run -1 "$CUPEL" test t.c --quiet --cc 'gcc -fwrapv -DLESS=0' --cc 'clang-19 -fwrapv -DLESS=0' --cc "$PWD/wrong -fwrapv -DLESS=0"
    # but not of two of which one alone defines it, nor against those who do not
    run -2 "$CUPEL" test t.c --quiet --cc 'gcc -O2 -DLESS=0' --cc 'gcc -O2 -fwrapv -DLESS=0'
    run -2 "$CUPEL" test t.c --quiet --cc 'gcc -O2 -DLESS=0' --cc 'gcc -O3 -DLESS=0' --cc "$PWD/wrong -DLESS=0" --cc 'clang-19 -O1 -fwrapv -DLESS=0'
    # a crash of a compiler stays one
    cc_script crashy <<<'kill -SEGV $$'
    run -1 "$CUPEL" test t.c --quiet --cc 'gcc -O0 -DLESS=0' --cc 'gcc -O2 -DLESS=0' --cc "$PWD/crashy"
    # C does not say which argument comes first: gcc takes the last, clang the first
    printf 'int printf(const char *, ...); static int n; static int next(void) { return ++n; }\nint main(void) { printf("%%d %%d\\n", next(), next()); return 0; }\n' >o.c
    run -2 "$CUPEL" test o.c --quiet --cc gcc --cc clang-19 --cc tcc
    [[ "$output" == *"which says nothing about them: o.c:2:"*"[order"* ]]
    # on the input that does it
    printf 'int printf(const char *, ...); int getchar(void);\nint main(void) { int x = getchar() == 50 ? 2147483647 : 0; printf("%%d\\n", x + 1 > x); return 0; }\n' >u.c
    echo 1 >one && echo 2 >two
    "$CUPEL" test u.c --quiet --input one --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O0'
    run -2 "$CUPEL" test u.c --quiet --json --input one --input two --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O0'
    [[ "$output" == *'"found": false'* && "$output" == *'"excuse": "u.c:2:'* ]]
}

@test "how much stack its frames take says nothing about a compiler" {
    # -O0 needs 10 MB, and the machine does not know umask
    cat >deep.c <<'C'
#include <stdio.h>
#include <sys/stat.h>
static int f(int n) { char b[2000]; b[n % 2000] = (char)n; return n ? f(n - 1) + b[n % 2000] : 0; }
int main(void) { umask(0); printf("%d\n", f(5000)); return 0; }
C
    run -0 "$CUPEL" test deep.c --quiet --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O0'
    [[ "$output" == *"all agree"* ]]
    run -0 "$CUPEL" test deep.c --quiet --plain --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O0'
    # the original has just enough, a variant's frames are larger
    sed 's/5000/4080/' deep.c >edge.c
    run -0 "$CUPEL" emi edge.c --quiet --variants 12 --seed 1 --cc 'gcc -O0' -o v
    # what never ends is still seen to
    echo 'int g(void); int f(int n) { volatile char b[99]; b[1] = 1; return g() ? f(n) + b[1] : 0; }
        int g(void) { return 1; } int main(void) { return f(1); }' >endless.c
    run "$CUPEL" test endless.c --quiet --plain --expect /dev/null --cc 'gcc -O0'
    [[ "$status" = 1 && "$output" == *SIGSEGV* ]]
}

@test "who links a program that lacks a definition is not told as right or wrong" {
    echo 'inline int f(void) { return 1; }
        int main(void) { return f() - 1; }' >inline.c
    echo 'void nowhere(void);
        int main(void) { int a = 3; if (a == 4) nowhere(); return 0; }' >dropped.c
    for name in inline dropped; do
        run -2 "$CUPEL" test $name.c --quiet --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O2'
        [[ "$output" == *"gcc -O0: lacks a definition of what it uses: 'f' is declared, and not defined" ||
            "$output" == *"gcc -O0: lacks a definition of what it uses: 'nowhere' is declared, and not defined" ]]
    done
    # a compiler that asks for something of its own is still told
    echo 'int f(void) { return 3; } int main(void) { return f() - 3; }' >own.c
    printf '#!/bin/sh\nexec gcc "$@" -Wl,--defsym=main2=missing_of_its_own\n' >asks && chmod +x asks
    run -1 "$CUPEL" test own.c --quiet --plain --cc gcc --cc "$PWD/asks" --cc 'clang-19 -O2'
    [[ "$output" == *"1 reject it"* ]]
}

@test "a program that does something else each time blames no compiler" {
    local -A says=(
        [stack]='(long)&argc' [low]='(long)((unsigned long)&argc >> 12 & 1)' [pid]='(long)getpid()'
        [few]='(long)(getpid() / 4 % 2)' [heap]='(long)((unsigned long)malloc(1) >> 12)'
        [clock]='now()' [coin]='now() / 64 % 2' [chance]='drawn()' [folder]='(puts(getcwd(0, 0)), 1L)' [user]='(long)getuid()')
    for name in "${!says[@]}"; do
        cat >"$name.c" <<C
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
long now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_nsec; }
long drawn(void) { unsigned char c; return getrandom(&c, 1, 0) == 1 ? c % 2 : 2; }
int main(int argc, char **argv) { printf("%ld\\n", ${says[$name]}); return 0; }
C
        # few ways to end are the same by chance, now and then
        run --separate-stderr "$CUPEL" test "$name.c" --quiet --jobs 2 --cc gcc --cc 'clang-19 -O2' --cc tcc --cc 'gcc -m32 -O2' --cc 'clang-19 -m32'
        [ "$status" = 2 ] || [[ $status = 0 && $name == @(low|few|coin|chance|folder|user) ]]
        [[ "$output" != *"lets it behave otherwise"* ]]
        [[ $status = 0 || "$stderr" == "cupel: $name.c says nothing about its compilers: "@(it does something else each time it is run|*": unspecified: "*) ]]
    done
    # also where the machine knows what it must do, or somebody expects it, and nobody else is asked
    run "$CUPEL" test few.c --quiet --plain --cc 'clang-19 -O2'
    [ "$status" != 1 ]
    echo 0 >zero
    run "$CUPEL" test chance.c --quiet --expect zero --cc 'clang-19 -O2' --cc gcc
    [ "$status" != 1 ]
    # one compiler's program that does so is that compiler's fault
    printf 'int printf(const char *, ...);\nint main(int argc, char **argv) { printf("%%p\\n", (void *)(WHAT)); return 0; }\n' >u.c
    cc_script shifty <<<'exec tcc "$@" -DWHAT="&argc"'
    run -1 "$CUPEL" test u.c --quiet --cc 'gcc -DWHAT=0' --cc 'clang-19 -DWHAT=0' --cc "$PWD/shifty"
    [[ "$output" == *"1 of 3 differ from the majority"* ]]
}

@test "what is undefined where only votes could judge blames no compiler" {
    # the machine has no threads
    for is in 'int a[4]; a[f(1)] = 1; return a[f(2)] ? WHAT : 0;' 'int a[2] = {WHAT}; return a[f(2)] ? 1 : WHAT;' 'return f(2147483647) + f(1) > 0 ? WHAT : 1;'; do
        cat >t.c <<C
#include <pthread.h>
#include <stdio.h>
static void *own(void *p) { return p; }
static int f(int n) { pthread_t t; void *p; pthread_create(&t, 0, own, (void *)(long)n); pthread_join(t, &p); return (int)(long)p; }
static int g(void) { $is }
int main(void) { fputs("said\\n", stderr); printf("%d\\n", g() + WHAT); return 0; }
C
        cc_script one <<<'exec gcc "$@" -DWHAT=5'
        cc_script two <<<'exec clang-19 -O1 "$@" -DWHAT=6'
        sed -i '1i #ifndef WHAT\n#define WHAT 5\n#endif' t.c
        run --separate-stderr -2 "$CUPEL" test t.c --quiet --plain --cc "$PWD/one" --cc 'gcc -O1' --cc "$PWD/two"
        [[ "$stderr" == *"t.c says nothing about its compilers: undefined: "* ]]
    done
    sed -i 's/^static int g.*/static int g(void) { return f(3); }/' t.c
    run -1 "$CUPEL" test t.c --quiet --plain --cc "$PWD/one" --cc 'gcc -O1' --cc "$PWD/two"
}

# gcc and clang at -O2 were told to be wrong: what they keep in registers does not see what goes on.
@test "what goes on beside the program blames no compiler: threads that race, signals, shared memory, assembly" {
    local -A does=(
        [race]='pthread_t t; pthread_create(&t, 0, later, 0); while (!done && n < 300000000) n++; pthread_join(t, 0);'
        [signal]='signal(SIGALRM, handle); ualarm(100000, 0); while (!done && n < 800000000) n++;'
        [twice]='pid_t p = vfork(); if (!p) { n = 2; _exit(0); } waitpid(p, 0, 0);'
        [shared]='int *p = mmap(0, 4096, 3, MAP_SHARED | MAP_ANONYMOUS, -1, 0); if (!fork()) { usleep(100000); *p = 1; _exit(0); } while (!*p && n < 800000000) n++; wait(0);'
        [written]='int *p = &n; __asm__ volatile("movl $9, (%0)" : : "r"(p));'
        [below]='n = (int)(&below_end - &below);')
    for name in "${!does[@]}"; do
        cat >"$name.c" <<C
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
extern char below, below_end;
int done;
void handle(int s) { done = 1; }
void *later(void *p) { usleep(100000); done = 1; return p; }
int main(void)
{
    int n = 0;
    ${does[$name]}
    printf("%d\n", n == 300000000 || n == 800000000 ? -1 : n > 100 ? 100 : n);
    return 0;
}
C
        [ "$name" != below ] || sed -i 's/int n = 0;/int n = 0; __asm__ volatile("below:");/; s/^    return 0;/    __asm__ volatile("below_end:"); return 0;/' below.c
        run --separate-stderr "$CUPEL" test "$name.c" --quiet --jobs 2 --cc 'gcc-12 -O0' --cc 'gcc-12 -O2' --cc 'clang-19 -O0' --cc tcc
        [ "$status" = 2 ]
        [[ "$stderr" == *"$name.c says nothing about its compilers: "* ]]
    done
    # who ignores a signal lets nothing happen
    cat >ignored.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <sys/utsname.h>
int main(void) { struct utsname u; signal(SIGPIPE, SIG_IGN); printf("%d\n", uname(&u) + 5); return 0; }
C
    cc_script other <<<'for a; do shift; case $a in *.[ci]) sed "s/ + 5/ + 6/" "$a" >"$TMPDIR/x.${a##*.}"; a=$TMPDIR/x.${a##*.} ;; esac; set -- "$@" "$a"; done; exec clang-19 -O1 "$@"'
    run -1 "$CUPEL" test ignored.c --quiet --plain --cc gcc-12 --cc tcc --cc "$PWD/other"
    [[ "$output" == *"1 of 3 differ from the majority"* ]]
}

# The one that is linked, for the loader has no place for it, was told to be wrong.
@test "a program that sees whether it is loaded or linked blames nobody who is not loaded" {
    cat >t.c <<'C'
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) { if (argc < 2) { execl("/proc/self/exe", "x", "1", (char *)0); puts("no exec"); } else puts("again"); return 0; }
C
    run "$CUPEL" test t.c --quiet --cc 'gcc-12 -O1' --cc 'gcc-12 -O2 -flto' --cc 'clang-19 -O1' --cc tcc
    [ "$status" -ne 1 ]
}

@test "what the system tells of a program itself blames no compiler" {
    cat >maps.c <<'C'
#include <stdio.h>
int main(void)
{
    int n = 0, c;
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && (c = getc(f)) != EOF)
        n += c == '\n';
    printf("%d\n", n);
    return 0;
}
C
    run --separate-stderr "$CUPEL" test maps.c --quiet --plain --cc gcc --cc 'gcc -static' --cc 'clang-19 -O1' --cc 'clang-19 -static'
    [ "$status" = 2 ]
    [[ "$stderr" == *"maps.c says nothing about its compilers: "*"what '/proc/self/maps' tells of a program: compilers differ"* ||
        "$stderr" == *"does something else each time it is run"* ]]
}

# Told as clang's, which moved a division across fesetround, and as gcc's, which folded one.
@test "who looks at the floating-point environment where compilers may ignore it blames none" {
    for n in 1 2; do
        { echo "#define CASE $n"; cat "$BATS_TEST_DIRNAME/../ub/floating-environment.c"; } >t.c
        run --separate-stderr "$CUPEL" test t.c --quiet --cc 'gcc-12 -O2' --cc 'gcc-12 -O0' --cc 'clang-19 -O2' --cc 'clang-19 -O0'
        [ "$status" = 0 ] || [[ "$status" = 2 && "$stderr" == *"[floating-environment, C11 7.6.1p2]"* ]]
    done
    cat >moved.c <<'C'
#include <fenv.h>
#include <stdio.h>
int main(void)
{
    volatile double one = 1, three = 3;
    double down = one / three;
    fesetround(FE_UPWARD);
    double up = one / three;
    printf("%d %a %a\n", up > down, down, up);
    return 0;
}
C
    run --separate-stderr "$CUPEL" test moved.c --quiet --cc 'gcc-12 -O2' --cc 'gcc-12 -O0' --cc 'clang-19 -O2' --cc 'clang-19 -O0'
    [ "$status" = 2 ]
    [[ "$stderr" == *"moved.c says nothing about its compilers: "*"[floating-environment, C11 7.6.1p2]"* ]]
}

# looks NAME LINES...: a program that prints what the lines compute in d, and has been through asm.
looks() {
    {
        printf '#include <stdio.h>\n#include <stdint.h>\n#ifndef STEP\n#define STEP 3\n#endif\n'
        printf 'static int table[4] = {1, 2, 3, 4}, zeros[9];\n'
        printf '__attribute__((noinline)) static int code(int x)\n{\n'
        printf '    __asm__ volatile("" : "+r"(x));\n    return x * STEP + zeros[1] + table[0];\n}\n'
        cat
        printf 'int main(void)\n{\n    long d = 0;\n    int n = code(2);\n%s\n' "$2"
        printf '    printf("%%ld %%d\\n", d, n);\n    return 0;\n}\n'
    } >"$1"
}

@test "where code, data and frames lie blames no compiler; a fault beside it does" {
    looks distance.c 'd = (long)((uintptr_t)zeros - (uintptr_t)table) + (long)((uintptr_t)code - (uintptr_t)main);' </dev/null
    looks place.c 'd = where() - (long)main;' <<'C'
__attribute__((noinline)) static long where(void)
{
    long x;
    __asm__ volatile("lea 0(%%rip), %0" : "=r"(x));
    return x;
}
C
    looks frames.c '__asm__ volatile("mov %%rsp, %0" : "=r"(d)); d -= deep(3);' <<'C'
__attribute__((noinline)) static long deep(int n)
{
    char b[20];
    long x;
    b[n] = 1;
    __asm__ volatile("mov %%rsp, %0" : "=r"(x) : "r"(b) : "memory");
    return x;
}
C
    for f in distance place frames; do
        run -2 --separate-stderr "$CUPEL" test $f.c --quiet --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O0' --cc 'clang-19 -O2'
        [[ "$stderr" == *"does something else when it lies elsewhere in memory"* || "$stderr" == *": unspecified: "* ||
            "$stderr" == *"compilers differ in what it meets"* ]]
    done
    looks plain.c '' </dev/null
    cc_script wrong <<<'exec gcc -DSTEP=4 "$@"'
    run -1 "$CUPEL" test plain.c --quiet --cc "$PWD/wrong -O2" --cc 'gcc -O2' --cc 'clang-19 -O2'
    [[ "$output" == *"1 of 3 "* ]]
    run -0 "$CUPEL" test plain.c --quiet --cc 'gcc -O2' --cc 'clang-19 -O2'
}

@test "what is compiled and cannot be run was not compared" {
    cat >t.c <<'C'
int main(void) { return 0; }
C
    cc_script other <<'SH'
gcc "$@" || exit
case " $* " in *' -c '*) exit 0 ;; esac
while [ "$1" != -o ]; do shift; done
printf '\022\003' | dd of="$2" bs=1 seek=18 conv=notrunc 2>/dev/null # no machine's number
SH
    run -2 --separate-stderr "$CUPEL" test t.c --quiet --plain --cc gcc --cc tcc --cc "$PWD/other"
    [[ "$output" == *"all agree; 1 gave no answer" && "$stderr" == *"other: compiled, but cannot be run here: "* ]]
}

@test "a header that a compiler lacks is no rejection" {
    printf '#include "mine.h"\nint main(void) { return 0; }\n' >t.c
    mkdir inc && echo >inc/mine.h
    run -0 "$CUPEL" test t.c --quiet --cc 'gcc -Iinc' --cc 'clang-19 -Iinc' --cc tcc
    [[ "$output" == *"all agree; 1 gave no answer"* ]]
    run -2 --separate-stderr "$CUPEL" test t.c --quiet --cc gcc --cc tcc
    [[ "$stderr" == "cupel: no compiler accepts t.c: gcc says: t.c:1:10: fatal error: mine.h: No such file"* ]]
}

@test "flags that let results differ blame no compiler; a compiler that is wrong is, with them too" {
    wrong_gcc
    cat >n.c <<'C'
#include <stdio.h>
volatile double zero = 0;
int main(void) { double n = zero / zero; printf("%d\n", n != n); return 0; }
C
    run -2 "$CUPEL" test n.c --quiet --cc "gcc -O2 -ffast-math" --cc "gcc -O2" --cc "clang-19 -O0"
    [[ "$output" == *"not compared: -ffast-math lets it behave otherwise"* ]]
    [[ "$output" != *"must do"* ]]
    printf 'int printf(const char *, ...);\nint main(void) { printf("%%d\\n", 41); return 0; }\n' >t.c
    run -1 "$CUPEL" test t.c --quiet --cc "$PWD/wrong-gcc -Ofast" --cc "gcc -O2" --cc "clang-19 -O0"
    [[ "$output" == *"1 of 3 do not do what the program must do"* ]]
    run -0 "$CUPEL" emi n.c --quiet --cc "gcc -O2 -ffast-math" --variants 2
}

@test "how deep calls may go and how much memory there is blames no compiler" {
    cat >deep.c <<'C'
#include <stdio.h>
static long sum(long n, long acc) { char pad[64]; if (n == 0) return acc; pad[n & 63] = 1; return sum(n - 1, acc + n + pad[n & 63] - 1); }
int main(void) { printf("%ld\n", sum(300000, 0)); return 0; }
C
    cat >much.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(void) { char *p = malloc(3000u << 20); puts(p ? "ok" : "no memory"); free(p); return p ? 0 : 3; }
C
    run -0 "$CUPEL" test deep.c --quiet --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O2'
    sed -i 's/300000/20000000/' deep.c # more than anything is given
    run -2 "$CUPEL" test deep.c --quiet --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O2'
    [[ "$output" == *"calls are nested too deeply"* ]]
    run -2 "$CUPEL" test much.c --quiet --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O2'
    [[ "$output" == *"out of memory: malloc asks for"* ]]
}

@test "what clang folds may be rounded once for two operations: not compared" {
    cat >t.c <<'C'
int main(void)
{
    float a = 100663296.0f / 27.0f;
    a -= a * 2.70000005f;
    return (int)a & 255;
}
C
    run -2 "$CUPEL" test t.c --quiet --cc "clang-19 -O1" --cc "gcc -O1" --cc "clang-19 -O0"
    [[ "$output" == *"not compared: -ffp-contract=on, its default, lets it behave otherwise"* ]]
    run -0 "$CUPEL" test t.c --quiet --cc "clang-19 -O1 -ffp-contract=off" --cc "gcc -O1"
    run -0 "$CUPEL" emi t.c --quiet --cc "clang-19 -O1" --variants 4
    run -2 "$CUPEL" reduce t.c --cc "clang-19 -O1" -o r.c
    [[ "$output" == *"no compiler is to blame: -ffp-contract=on"* ]]
}

@test "what levels define, how much stack there is and wide bit-fields are no compiler's mistakes" {
    cat >macros.c <<'C'
#include <stdio.h>
int main(void)
{
#ifdef __OPTIMIZE__
    puts("optimised");
#endif
#ifdef __OPTIMIZE_SIZE__
    puts("small");
#endif
#ifdef __clang__
    puts("clang");
#endif
    return 0;
}
C
    cat >deep.c <<'C'
#include <stdio.h>
static unsigned f(unsigned n, unsigned a)
{
    unsigned t[8];
    for (unsigned i = 0; i < 8; i++)
        t[i] = a * i + n;
    return n ? f(n - 1, t[a & 7]) ^ t[n & 7] : a;
}
int main(void)
{
    printf("%u\n", f(150000, 1));
    return 0;
}
C
    cat >large.c <<'C'
#include <stdio.h>
static int f(int n)
{
    char a[n];
    a[0] = 1;
    a[n - 1] = 2;
    return a[0] + a[n - 1];
}
int main(void)
{
    printf("%d\n", f(20000000));
    return 0;
}
C
    cat >wide.c <<'C'
#include <stdio.h>
struct { unsigned long long a : 40; } s = {0xffffffffffULL};
int main(void)
{
    printf("%llx\n", (unsigned long long)(s.a << 8));
    return 0;
}
C
    levels=(--cc "gcc -O0" --cc "gcc -O2" --cc "gcc -Os" --cc "clang-19 -O0" --cc "clang-19 -O2")
    run -0 "$CUPEL" test macros.c --quiet "${levels[@]}"
    run -0 "$CUPEL" test deep.c --quiet "${levels[@]}"
    run -0 "$CUPEL" test large.c --quiet "${levels[@]}"
    sed -i 's/20000000/400000000/' large.c # more than anything is given
    run -2 "$CUPEL" test large.c --quiet "${levels[@]}"
    [[ "$output" == *"says nothing about its compilers: out of stack"* ]]
    run -2 "$CUPEL" test wide.c --quiet "${levels[@]}"
    [[ "$output" == *"says nothing about its compilers: "*"compilers differ"* ]]
}

@test "memory that is never freed is no report of a sanitizer's" {
    echo '#include <stdlib.h>
int main(void) { int *p = malloc(4); return p && (*p = 3) == 3 ? 3 : 4; }' >t.c
    run -0 "$CUPEL" test t.c --quiet --cc "gcc -fsanitize=address" --cc "clang-19 -fsanitize=address" --cc gcc
}

@test "structures that overlap in allocated memory are nobody's to judge: not compared; a fault still is" {
    cat >t.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct two { int x, y; };
__attribute__((noinline)) int f(struct two *a, struct two *b)
{
    a->y = 1;
    b->x = 2;
    return a->y;
}
int main(void)
{
    char *p = malloc(2 * sizeof(struct two));
    if (!p)
        return 9;
    printf("%d\n", f((void *)p, (void *)(p + sizeof(int))));
    free(p);
    return 0;
}
C
    for cc in "gcc -O2" "clang-19 -O2"; do
        run -2 "$CUPEL" test t.c --quiet --cc "$cc" --cc "gcc -O0"
        [[ "$output" == *"not compared: -fstrict-aliasing, its default, lets it behave otherwise"* ]]
        run -0 "$CUPEL" test t.c --quiet --cc "$cc -fno-strict-aliasing" --cc "gcc -O0"
        run -0 "$CUPEL" emi t.c --json --cc "$cc" --variants 4
        [ "$(jq .aliasing <<<"$output")" -ge 1 ]
        run "$CUPEL" reduce t.c --cc "$cc" -o r.c
        [[ "$output" == *"evidence: "* && "$output" != *"evidence: confirmed"* ]]
    done
    mkdir bin
    cc_script bin/gcc-12 <<<'exec /usr/bin/gcc "$@" "-Dreturn=return 1 +"'
    sed -i 's/b->x = 2;/(void)b;/' t.c
    run -1 "$CUPEL" test t.c --quiet --cc "$PWD/bin/gcc-12 -O2" --cc "gcc -O2" --cc "clang-19 -O2"
}

@test "a loop that is to be vectorised may be summed in another order: not compared" {
    hinted() {
        cat <<C
double a[49];
int main(void)
{
    int b = 0;
    float c = 0;
$1
    for (; b < 48; b++) {
        a[b] = (float)(b + 2.9);
        c += a[b];
    }
    union { double d; int e; } r;
    r.d = c;
    return r.e != 536870912;
}
C
    }
    hinted '' >plain.c
    hinted '#pragma clang loop vectorize_width(2)' >pragma.c
    run -2 "$CUPEL" test plain.c --quiet --cc "clang-19 -O3 -mllvm -force-vector-width=2" --cc "gcc -O2" --cc "clang-19 -O0"
    [[ "$output" == *"not compared: -force-vector-width=2 lets it behave otherwise"* ]]
    run -2 "$CUPEL" test pragma.c --quiet --cc "clang-19 -O3" --cc "gcc -O2" --cc "clang-19 -O0"
    [[ "$output" == *"not compared: #pragma clang loop lets it behave otherwise"* ]]
    run -0 "$CUPEL" emi pragma.c --quiet --cc "clang-19 -O3" --variants 2
    # a width alone is no excuse: drawn ones come with the order kept
    run -0 "$CUPEL" test plain.c --quiet --cc "clang-19 -O3 -mllvm -hints-allow-reordering=false -mllvm -force-vector-width=2" \
        --cc "gcc -O2"
    # and it is nothing to reduce
    run -2 "$CUPEL" reduce pragma.c --cc "clang-19 -O3" -o r.c
    [[ "$output" == *"no compiler is to blame: "* ]]
}

@test "without --cc: the newest of each family, and all of them with --all" {
    hello
    "$CUPEL" test t.c --json >quick.json 2>err
    grep -q 'configurations, the newest of each family, about .* all [0-9]* with --all' err
    jq -r '.outcomes[].config' quick.json | sed 's/ .*//' | sort -u >compilers
    [ "$(grep -c '^gcc' compilers)" = 1 ]
    [ "$(grep -c '^clang' compilers)" = 1 ]
}

# The machine does not execute it: votes decide, but only of those who were given the same text.
@test "flags and macros that make another program of it are nobody's mistake" {
    cat >t.c <<'C'
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifndef MODE
#define MODE 0
#endif
int main(void)
{
    if (syscall(SYS_getpid) <= 0)
        puts("never");
#ifdef __OPTIMIZE__
    puts("optimised");
#endif
    printf("%d\n", MODE);
    return 0;
}
C
    run -2 "$CUPEL" test t.c --cc 'gcc -DMODE=1' --cc 'gcc -fPIC -DMODE=1' --cc 'tcc -DMODE=1' --cc 'gcc -DMODE=2'
    [[ "$output" == *"not compared: -DMODE=2 lets it behave otherwise"* ]]
    run -2 "$CUPEL" test t.c --cc 'gcc -DMODE=1' --cc 'gcc -DMODE=2'
    [[ "$output" == *"2 not compared"* ]]
    run -2 "$CUPEL" test t.c --cc 'gcc -O1' --cc 'gcc -O2' --cc 'gcc -fPIC -O1' --cc 'gcc-12 -O0'
    [[ "$output" == *"not compared: its own preprocessor lets it behave otherwise"* ]]
    # given the same text, it is a mistake as before
    cat >faulty <<'SH'
#!/bin/sh
for arg; do
    case $arg in *.c) sed 's/puts("optimised")/puts("Optimised")/' "$arg" >faulty.c ; set -- "$@" ;; esac
done
n=$#
while [ $n -gt 0 ]; do
    arg=$1; shift; n=$((n - 1))
    case $arg in *.c) arg=faulty.c ;; esac
    set -- "$@" "$arg"
done
exec gcc "$@"
SH
    chmod +x faulty
    run -1 "$CUPEL" test --trust-compilers t.c --cc 'gcc -O1' --cc 'gcc -fPIC -O1' --cc 'gcc -fPIE -O1' --cc "$PWD/faulty -O1 -DMODE=0"
    [[ "$output" == *"against the majority"* ]]
}

# glibc defines __attribute__ away for compilers that are not gcc: tcc has no cleanup to do.
@test "a small compiler's own text, which others cannot read whole, is another program" {
    cat >t.c <<'C'
#include <stdio.h>
static int n;
static void count(int *p) { n += *p; }
static int f(int k)
{
    __attribute__((cleanup(count))) int a = k;
    return a + n;
}
int main(void)
{
    int s = f(1);
    s += f(2);
    printf("%d %d\n", s, n);
    return 0;
}
C
    run -2 "$CUPEL" test t.c --cc 'gcc -O2' --cc tcc
    [[ "$output" == *"not compared: its own preprocessor lets it behave otherwise"* ]]
    run -0 "$CUPEL" test t.c --cc 'gcc -O2' --cc 'clang-19 -O2' --cc tcc
    [[ "$output" == *"all agree with who compiles the same text, or do what theirs must do"* ]]
    # a script under its name is what is in question, and is not asked
    mkdir bin
    printf '#!/bin/sh\nexec gcc "-Dcleanup(x)=unused" "$@"\n' >bin/tcc
    chmod +x bin/tcc
    run -1 "$CUPEL" test t.c --cc 'gcc -O2' --cc "$PWD/bin/tcc"
    [[ "$output" == *"configurations disagree"* ]]
}

# Each was told as wrong code, by test or by emi: what C, or how hard a compiler looks, leaves open.
@test "what is for the compiler to choose is nobody's mistake" {
    echo 'int printf(const char *, ...);
int main(void) { int x = 3; printf("%d\n", __builtin_constant_p(x)); return 0; }' >knows.c
    run -2 "$CUPEL" test knows.c --cc 'gcc-12 -O2' --cc 'gcc-12 -O0' --cc 'clang-19 -O0'
    [[ "$output" == *"knows.c says nothing about its compilers: knows.c:2:44: unspecified: "* ]]
    # two structures that share their first member, C11 6.5.2.3p6, which gcc does not believe of pointers
    echo 'struct a { double d; }; struct b { double d; }; union u { struct a x; struct b y; };
double f(struct a *p, struct b *q) { p->d = 1; return q->d; }
int main(void) { union u u; u.x.d = 0; return f(&u.x, &u.y) != 1; }' >shared.c
    for t in knows shared; do
        run -2 "$CUPEL" emi $t.c --variants 1 --cc 'gcc-12 -O2' -o v
        [[ "$output" == *"$t.c is unspecified"* ]]
    done
    # one structure after the other, each in an object of its own, is common
    echo 'struct i { int z; }; struct a { int k; struct i i; }; struct b { int k, l; struct i i; };
struct s { union { struct a x; struct b y; } u; };
int f(struct a *p) { struct i *i = &p->i; return p->k + i->z; }
int g(struct b *p) { struct i *i = &p->i; return p->l + i->z; }
int main(void) { struct s s[2] = {{{.x = {1, {2}}}}, {{.y = {1, 2, {3}}}}}; return f(&s[0].u.x) + g(&s[1].u.y) - 8; }' >kinds.c
    run -0 "$CUPEL" check kinds.c
}

@test "flags that a compiler does not know are not the program's fault" {
    echo 'int main(void) { return 0; }' >good.c
    words="builds nothing at all with these flags: gcc-12: error: unrecognized command-line option '-fnosuch'"
    run -2 "$CUPEL" test good.c --cc 'gcc-12 -fnosuch' --cc gcc-12
    [[ $output == *"cupel: gcc-12 -fnosuch $words"* ]]
    for command in triage 'reduce -o small.c'; do
        # shellcheck disable=SC2086
        run -2 "$CUPEL" $command good.c --cc 'gcc-12 -fnosuch'
        [[ $output == *"cupel: gcc-12 -fnosuch $words"* ]]
    done
    # a program that is refused is
    echo 'int main(void) { return undeclared; }' >bad.c
    run -2 "$CUPEL" test bad.c --cc gcc-12
    [[ $output == *"no compiler accepts bad.c: "* ]]
}
