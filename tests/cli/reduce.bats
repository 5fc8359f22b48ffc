# cupel reduce: from a program to the few lines that matter.
bats_require_minimum_version 1.5.0
load helpers

bank=$BATS_TEST_DIRNAME/../bank
# shellcheck source=tests/bank/bank.sh
. "$bank/bank.sh"

# A program with some life in it around the line that a faulty compiler gets wrong.
program() {
    cat <<'END'
typedef unsigned long word;
int printf(const char *, ...);
struct pair { int first; word second; } pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
static word sum = 17;
static void mix(word v) { sum = (sum ^ v) * 31; }
static int unused(int x) { return x * 2; }
static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
int main(void)
{
    int i, total = 0;
    for (i = 0; i <= 3; i++) {
        total += clamp(pairs[i].first, 2, 6);
        pairs[i].second = pairs[i].second + (word)total;
    }
    if (total < 0)
        unused(total);
    for (i = 0; i < 4; i++) mix(pairs[i].second);
    mix((word)total);
    printf("%lx\n", sum);
    return 0;
}
END
}

# The same in a few lines, for what is not about size.
short_program() {
    cat <<'END'
int printf(const char *, ...);
int total;
int main(void)
{
    for (int i = 0; i <= 3; i++)
        total += i;
    printf("%d\n", total);
    return 0;
}
END
}

reduce() {
    run "$CUPEL" reduce "$@" --quiet
}

lines() {
    grep -c . "$1"
}

@test "wrong code is reduced to a few lines that are defined and still wrong" {
    bank_wrap . tcc-for
    program >t.c
    reduce t.c --cc ./tcc-for -o small.c
    [ "$status" -eq 0 ]
    [ "$(lines small.c)" -le 12 ]
    run "$CUPEL" check small.c
    [ "$status" -eq 0 ]
    expected=$output
    ./tcc-for small.c -o wrong && [ "$(./wrong)" != "$expected" ]
    ! gcc -Wall -Wextra -fsyntax-only small.c 2>&1 | grep unused
    # nothing is left over from an interrupted run, and a second one finds nothing more
    [ ! -e small.c.state ]
    reduce small.c --cc ./tcc-for -o again.c
    cmp small.c again.c
}

@test "the result does not depend on the number of jobs" {
    bank_wrap . tcc-for
    short_program >t.c
    reduce t.c --cc ./tcc-for -o one.c --jobs 1 --no-evidence
    reduce t.c --cc ./tcc-for -o three.c --jobs 3 --no-evidence
    cmp one.c three.c
}

@test "a compiler's crash keeps its signature, and main is not needed" {
    cc_script crash <<'END'
for word; do case $word in *.c) source=$word ;; esac; done
if grep -q 'second *= ' "$source"; then
    echo "crash: internal compiler error: in fold_second, at fold.c:17" >&2; exit 4
elif grep -q first "$source"; then
    echo "crash: internal compiler error: in other_place, at other.c:3" >&2; exit 4
fi
exec gcc "$@"
END
    program | sed 's/pairs\[i\].second = /pairs[i].second = /' >t.c
    reduce t.c --cc ./crash -o small.c --json
    [ "$status" -eq 0 ]
    [[ "$output" == *'"verdict": "compiler-crash"'* ]] || [[ "$output" == *'"verdict":"compiler-crash"'* ]]
    grep -q 'second = ' small.c
    [ "$(lines small.c)" -le 12 ]
}

# verdict COMPILER [OPTION...]: what short_program's reduction keeps, which stays in small.c
verdict() {
    [ -e t.c ] || short_program >t.c
    run "$CUPEL" reduce t.c --cc "$@" -o small.c --quiet --json --no-evidence --jobs 1
    [ "$status" -eq 0 ] || { echo "$output" >&2; return 1; }
    jq -r .verdict <<<"$output"
}

# A fault that is there while the program has a loop.
faulty_loop() {
    printf 'for word; do case $word in *.c) source=$word ;; esac; done\n'
    printf 'if grep -q for "$source"; then %s; fi\n' "$1"
    echo 'exec gcc "$@"'
}

@test "a compiler's hang is kept, and is not waited for longer than need be" {
    [ -n "${LONG:-}" ] || skip "takes a minute: LONG=1"
    faulty_loop 'while :; do :; done' | cc_script hang
    echo 'int main(void) { int a = 7; for (; a > 7;) a--; }' >t.c # each try that holds takes its time
    [ "$(verdict ./hang --compile-timeout 0.2s)" = compiler-hang ]
    grep -q for small.c
    [ "$(lines small.c)" -le 5 ]
}

@test "code that is other code each time is kept" {
    # shellcheck disable=SC2016
    faulty_loop 'set -- "$@" -DX -Wa,--defsym,moment=$(date +%s%N)' | cc_script unstable
    [ "$(verdict ./unstable)" = unstable-code ]
    [ "$(lines small.c)" -le 5 ]
}

@test "code that -g changes is kept" {
    # shellcheck disable=SC2016
    faulty_loop 'case " $* " in *" -g "*) set -- "$@" -O2 ;; esac' | cc_script gcc-99
    [ "$(verdict './gcc-99 -O0')" = debug-code ]
    [ "$(lines small.c)" -le 5 ]
}

@test "--against keeps a difference between two configurations" {
    bank_wrap . tcc-for
    short_program >t.c
    reduce t.c --cc ./tcc-for --against tcc -o small.c --no-evidence
    [ "$status" -eq 0 ]
    [ "$(lines small.c)" -le 12 ]
}

@test "a script decides: the file is in its folder, under its name" {
    program >t.c
    printf '#!/bin/sh\ngrep -q "clamp(" t.c && ! test -e other\ntouch other\ngrep -q "clamp(" t.c\n' >i.sh
    chmod +x i.sh
    reduce t.c --script ./i.sh -o small.c
    [ "$status" -eq 0 ]
    [ "$(lines small.c)" -le 4 ]
    grep -q 'clamp(' small.c
    [ ! -e other ]
}

@test "a script that lets undefined behaviour in is told of it; --defined does not let it" {
    printf 'int printf(const char *, ...);\nint main(void) { int x = 5; printf("%%d\\n", x); return 0; }\n' >t.c
    printf '#!/bin/sh\ngrep -q main t.c && grep -q "f(.%%d" t.c\n' >i.sh
    chmod +x i.sh
    reduce t.c --script ./i.sh -o small.c
    [ "$status" -eq 0 ]
    [[ "$output" == *"the result is undefined, which the original was not"* ]]
    reduce t.c --script ./i.sh --defined -o small.c --fresh
    [ "$status" -eq 0 ]
    [[ "$output" != *"undefined"* ]]
    "$CUPEL" check small.c
}

@test "what cannot be read is reduced all the same" {
    printf 'int x = 1 +;\nfoo goto bar(1, 2) { baz; }\nint main() {}\n' >t.c
    printf '#!/bin/sh\ngrep -q goto t.c\n' >i.sh
    chmod +x i.sh
    reduce t.c --script ./i.sh -o small.c
    [ "$status" -eq 0 ]
    [ "$(cat small.c)" = goto ]
}

@test "templates and lambdas go by lines, brackets and tokens" {
    cat >t.cc <<'END'
namespace app {
template <typename T> class Stack {
public:
    void push(const T &v) { items[n++] = v; }
private:
    T items[8]; int n = 0;
};
}
int main() {
    app::Stack<int> s;
    s.push(1);
    auto f = [&](int x) { return x + 1; };
    return f(2);
}
END
    printf '#!/bin/sh\ntr -d " \\n" <t.cc | grep -q "auto.*\\[&\\](.*).*{.*}"\n' >i.sh
    chmod +x i.sh
    reduce t.cc --script ./i.sh -o small.cc
    [ "$status" -eq 0 ]
    [ "$(tr -d ' \n' <small.cc)" = 'auto[&](){}' ]
}

@test "what the machine cannot execute is guarded by sanitizers, and by the machine once it can" {
    bank_wrap . tcc-for
    short_program | sed 's/total += i;/{ int x; __asm__("movl %1, %0" : "=r"(x) : "r"(i)); total += x; }/' >t.c
    run "$CUPEL" reduce t.c --cc ./tcc-for -o small.c --no-evidence
    [ "$status" -eq 0 ]
    [[ "$output" == *"cannot execute it (inline assembly: compilers differ in what it meets): sanitizers are the guards"* ]]
    "$CUPEL" check small.c || [ $? -eq 2 ]
    ! gcc -Wall -Wextra -O1 small.c -o right 2>&1 | grep uninitialized
    ./tcc-for small.c -o wrong
    [ "$(./right; echo $?)" != "$(./wrong; echo $?)" ]
}

@test "several files are one program" {
    bank_wrap . tcc-for
    printf 'int twice(int);\nint printf(const char *, ...);\nint main(void) { printf("%%d\\n", twice(3)); return 0; }\n' >a.c
    printf 'int twice(int x) { int i, s = 0; for (i = 1; i <= x; i++) s += 2; return s; }\n' >b.c
    reduce a.c b.c --cc ./tcc-for -o out
    [ "$status" -eq 0 ]
    run "$CUPEL" check out/a.c out/b.c
    [ "$status" -eq 0 ]
    expected=$output
    ./tcc-for out/a.c out/b.c -o wrong && [ "$(./wrong)" != "$expected" ]
}

@test "an interrupted reduction leaves the best so far, and the same command goes on" {
    bank_wrap . tcc-for
    short_program >t.c
    "$CUPEL" reduce t.c --cc ./tcc-for -o small.c --quiet --jobs 1 &
    within 60 "[ -e small.c ]"
    kill -INT $!
    wait $! || :
    [ -s small.c ]
    [ -e small.c.state ]
    run "$CUPEL" reduce t.c --cc ./tcc-for -o small.c --no-evidence
    [ "$status" -eq 0 ]
    [[ "$output" == *"goes on from small.c"* ]]
    [ ! -e small.c.state ]
}

@test "the question as a script for others says yes to the program and to its reduction" {
    bank_wrap . tcc-for
    short_program >t.c
    mkdir other
    "$CUPEL" reduce t.c --cc "$PWD/tcc-for" --emit-script q.sh -o other/t.c
    (cd other && ../q.sh)
    reduce t.c --cc ./tcc-for -o other/t.c --no-evidence
    (cd other && ../q.sh)
    echo 'int main(void) { return 0; }' >other/t.c
    run sh -c 'cd other && ../q.sh'
    [ "$status" -ne 0 ]
}

@test "a finding of a hunt is reduced beside its program" {
    bank_wrap . tcc-assert
    run "$CUPEL" hunt d --cc ./tcc-assert --seed 1 --stop-after 1 --time 300 --jobs 1 --quiet
    [ "$status" -eq 1 ]
    reduce d 1
    [ "$status" -eq 0 ]
    [ -s d/findings/1/reduced.c ]
    [ "$(wc -c <d/findings/1/reduced.c)" -lt "$(wc -c <d/findings/1/program.c)" ]
}

@test "a name that compilers would leave to the linker is no crash; a script gets its own" {
    short_program >t.txt
    reduce t.txt --cc 'gcc -O1'
    [ "$status" -eq 2 ]
    [[ "$output" == *"does nothing wrong with it" ]]
    reduce /dev/null --cc gcc
    [ "$status" -eq 2 ]
    short_program >t.i
    printf '#!/bin/sh\ngrep -q total t.i\n' >i.sh
    chmod +x i.sh
    reduce t.i --script ./i.sh -o x.c
    [ "$status" -eq 0 ]
    grep -q total x.c
}

@test "a header that is not found is told, and the text is reduced as it is" {
    { echo '#include "nowhere.h"'; short_program; } >t.c
    printf '#!/bin/sh\ngrep -q total t.c\n' >i.sh
    chmod +x i.sh
    reduce t.c --script ./i.sh -o x.c
    [ "$status" -eq 0 ]
    [[ "$output" == *"nowhere.h: No such file"*"-I and -D"* ]]
    [[ "$output" == *"reduced by lines and tokens"* ]]
    [ "$(cat x.c)" = total ]
}

@test "a place that cannot be written to is told before anything is reduced" {
    program >t.c
    printf '#!/bin/sh\necho run >>"%s/runs"\n' "$PWD" >i.sh
    chmod +x i.sh
    mkdir folder
    for place in nowhere/x.c folder; do
        : >runs
        run "$CUPEL" reduce t.c --script ./i.sh -o $place --quiet
        [ "$status" -eq 2 ]
        [[ "$output" == "cupel: cannot write $place: "* ]]
        [ "$(wc -l <runs)" -le 4 ]
        [ ! -e $place.state ]
    done
}

@test "what cannot be done is said in one line" {
    program >t.c
    # case FRAGMENT ARGUMENT...
    fails() {
        local words=$1
        shift
        run "$CUPEL" reduce "$@" -o x.c --quiet --timeout 1
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [[ "$output" == "cupel: "*"$words"* ]] || { echo "$output" >&2; return 1; }
    }
    for name in no flaky hangs; do
        printf '#!/bin/sh\n' >$name.sh
        chmod +x $name.sh
    done
    echo 'exit 1' >>no.sh
    echo 'sleep 100' >>hangs.sh
    # shellcheck disable=SC2016
    printf 'n=$(cat "%s/count"); echo $((n + 1)) >"%s/count"; [ $((n %% 2)) = 0 ]\n' "$PWD" "$PWD" >>flaky.sh
    echo 0 >count
    touch plain
    echo 'exit 0' >bare.sh
    chmod +x bare.sh
    fails 'does nothing wrong' t.c --cc tcc
    fails 'does its first line name what runs it' t.c --script ./bare.sh
    fails 'does not hold' t.c --script ./no.sh
    fails 'flaky' t.c --script ./flaky.sh
    fails 'hangs' t.c --script ./hangs.sh
    fails 'cannot be executed' t.c --script ./plain
    fails 'not found' t.c --script ./nowhere
    fails "'nocc' not found" t.c --cc nocc
    fails 'what is it to keep' t.c
    echo 'int main(void) { int x = 2147483647; x++; return x > 0; }' >undefined.c
    fails 'undefined' undefined.c --cc 'gcc -O2'
    # shellcheck disable=SC2016
    echo 'int printf(const char *, ...); int a; int main(void) { printf("%d\\n", (int)((long)&a >> 12 & 7)); }' >where.c
    fails 'time, environment or addresses' where.c --cc 'gcc -pie -fPIE -O1'
    echo 'int x, y; int f(void) { return x = 1; } int g(void) { return x = 2; } int main(void) { int a[] = {f(), g()}; y = (f() - f()) + g(); int h(int, int); h(f(), g()); return x; } int h(int a, int b) { return a; }' >order.c
    fails 'no compiler is to blame: operands evaluated in another order' order.c --cc 'gcc -O1'
    fails 'no compiler is to blame: operands evaluated in another order' order.c --cc 'gcc -O1' --against 'clang-19 -O1'
    [ ! -e x.c ]
}

@test "a compiler that does not return 0 at the end of main is not reduced to that" {
    cc_script unsigned <<'S'
exec gcc -w -std=gnu89 -funsigned-char "$@"
S
    cat >t.c <<'C'
int printf(const char *, ...);
char c = -1;
int main(void)
{
    int other = 3;
    printf("%d %d\n", c, other);
    return 0;
}
C
    "$CUPEL" reduce t.c --cc "$PWD/unsigned" -o small.c
    grep -q 'char' small.c
}

@test "what is rejected stays defined" {
    bank_wrap . gcc-link
    cp "$BATS_TEST_DIRNAME/../bank/faults/gcc-link.c" t.c
    [ "$(verdict './gcc-link -O2')" = rejects-valid ]
    [ "$("$CUPEL" check small.c --json | jq -r .end)" = finished ]
    [ "$(lines small.c)" -le 6 ]
}

@test "what is rejected stays valid C: no initialiser too many for a scalar" {
    cc_script picky <<'S'
for a; do
    case $a in *.c) grep -q '{' "$a" && { echo "t.c:1:1: error: no braces" >&2; exit 1; } ;; esac
done
exec gcc -w "$@"
S
    cat >t.c <<'C'
struct s { int a, b; };
struct s x = {1, 2};
int y = 3;
int main(void) { return x.a + y; }
C
    "$CUPEL" reduce t.c --cc "$PWD/picky" -o small.c
    gcc -pedantic-errors -c small.c -o small.o
}

@test "a level that is right stays right, so that the bug stays the same; --slide lets it go" {
    cc_script levels <<'S'
for a; do
    case $a in *.c) file=$a ;; -O*) level=$a ;; esac
done
case $level in
-O2) wrong=-funsigned-char ;;
-O1) grep -q beta "$file" || wrong=-funsigned-char ;;
esac
exec gcc -w ${wrong:+$wrong} "$@"
S
    cat >t.c <<'C'
int printf(const char *, ...);
char c = -1;
int beta;
int main(void)
{
    beta = 3;
    printf("%d\n", c);
    return 0;
}
C
    "$CUPEL" reduce t.c --cc "$PWD/levels -O2" -o same.c --no-evidence
    grep -q beta same.c
    "$CUPEL" reduce t.c --cc "$PWD/levels -O2" -o other.c --no-evidence --slide
    ! grep -q beta other.c
}

@test "a program that calls abort when it is wrong is not reduced to abort" {
    bank_wrap . tcc-for
    cat >t.c <<'C'
void abort(void);
int main(void)
{
    int n = 0;
    for (int i = 0; i <= 3; i++)
        n++;
    if (n != 4)
        abort();
    return 0;
}
C
    reduce t.c --cc ./tcc-for -o small.c --no-evidence
    [ "$status" -eq 0 ]
    grep -q '<=' small.c
}

@test "wrong code that shows in some runs only is kept, and that is said" {
    echo 'static int x_;' >wrong.h
    echo '#define return return ((long)&x_ >> 12 & 1) +' >>wrong.h
    cc_script chance <<S
for a; do
    case \$a in
    *.c) grep -q '<=' "\$a" && wrong="-include $PWD/wrong.h" ;;
    -E) exec gcc "\$@" ;;
    esac
done
exec gcc -w -pie -fPIE \$wrong "\$@"
S
    cat >t.c <<'C'
int printf(const char *, ...);
int main(void)
{
    int i, other = 3;
    for (i = 0; i <= 3; i++)
        other++;
    printf("%d\n", other);
    return 0;
}
C
    run "$CUPEL" reduce t.c --cc "$PWD/chance" -o small.c --no-evidence
    [ "$status" -eq 0 ]
    grep -q '<=' small.c
    [ "$(lines small.c)" -le 7 ]
    [[ "$output" == *"times of 24: run it more than once"* ]]
}

@test "sanitizers of the accused have its mistakes, and that is no evidence for it" {
    echo 'int a = 2;
int main(void) { return __atomic_add_fetch(&a, a, __ATOMIC_RELAXED); }' >t.c
    gcc-12 -O1 t.c -o t
    run ./t
    [ "$status" -eq 6 ] || skip "this gcc reads a once"
    run -0 "$CUPEL" reduce t.c --cc "gcc-12 -O1" -o r.c
    [[ "$output" == *"evidence: confirmed"* ]]
}

# clang rounds a * b + c once where it folds it, which is its right.
@test "what clang may round once is nothing to keep, and nothing slides there" {
    cat >t.c <<'C'
#include <stdio.h>
static double f(double x)
{
    for (int i = 0; i < 10; i++)
        x = x * x + 0.3;
    return x;
}
static volatile int three = 3;
int main(void)
{
    printf("%a\n", f(0.1));
#ifdef MISTAKE
    printf("%d\n", three | 1);
#endif
    return 0;
}
C
    bank_wrap . clang-or
    run "$CUPEL" reduce t.c --cc 'clang-19 -O2' -o r.c
    [ "$status" -eq 2 ]
    [[ "$output" == *"no compiler is to blame: -ffp-contract=on"* ]]
    # with a mistake beside it, it is the mistake that is kept
    sed -i '1i #define MISTAKE' t.c
    "$CUPEL" reduce t.c --quiet --cc "$PWD/clang-or -O2" -o r.c
    grep -q '|' r.c
    ! grep -q double r.c
}

# Each construct that a compiler crashes on was reduced to something that others refuse.
@test "a compiler's crash is reduced to C11: no a ?: b, no excess initialisers, no empty declarations" {
    cc_script picky <<'S'
for a; do
    case $a in *.c) file=$a ;; -E | -fsyntax-only) exec gcc -w "$@" ;; esac
done
tr '\n' ' ' <"$file" | grep -qE "$(cat "$(dirname "$0")/words")" && {
    echo "t.c:1:1: internal compiler error: in f, at g.cc:1" >&2
    exit 4
}
exec gcc -w "$@"
S
    cat >t.c <<'C'
typedef union { int a; float b; } both;
struct two { int a, b, c, d; } two = {1, 2, 3, 4};
both one;
static int add(int *p, int n) { return *(p + n) + 1; }
int main(void)
{
    int a[4] = {1, 2, 3, 4};
    return add(a, 1) ? (add(a, 2) > 1 ? two.a : 2) : one.a;
}
C
    gcc -std=c11 -pedantic-errors -c t.c -o t.o
    for words in '\?.*\?' 'union' ',[^;,]*,[^;,]*,[^;]*;' '\*\(' 'static'; do
        echo "$words" >words
        "$CUPEL" reduce t.c --quiet --no-evidence --cc "$PWD/picky -O2" -o small.c
        cat small.c
        gcc -std=c11 -pedantic-errors -c small.c -o small.o
    done
}
