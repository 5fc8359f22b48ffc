#!/usr/bin/env bats
# The loader and the linker must give the same program: every file of tests/loader, both ways,
# under every compiler here that takes it.

bats_require_minimum_version 1.5.0
load helpers

programs=$BATS_TEST_DIRNAME/../loader

# runs FILE [OPTION]: what each configuration made of it, one a line; some are undefined
runs() {
    "$CUPEL" test "$@" --quiet --json --cc 'gcc -O0' --cc 'gcc -O2' --cc 'gcc -O2 -fno-pie -no-pie' \
        --cc 'gcc -O1 -fPIC' --cc 'gcc -O1 -fcommon' --cc 'clang-19 -O0' --cc 'clang-19 -O2' \
        --cc 'clang-19 -O3 -fPIC' --cc tcc >out.json || [ $? -le 2 ]
    jq -c '.outcomes[] | [.config, .outcome, (.runs[0] | .end, .code, .output)]' out.json
}

@test "the same behaviour, loaded and linked" {
    for f in "$programs"/*.c; do
        runs "$f" >loaded
        runs "$f" --plain >linked
        diff loaded linked
    done
}

@test "what is loaded, and why the rest is not" {
    why() { "$CUPEL" test "$programs/$1.c" --quiet --json --cc 'gcc -O1' | jq -r '.outcomes[0] | if .loaded then "loaded" else .linked_because end'; }
    [ "$(why library)" = loaded ]
    [ "$(why common)" = loaded ]
    [ "$(why wide)" = loaded ]
    [ "$(why tls)" = "thread-local storage" ]
    [ "$(why trampoline)" = "an executable stack" ]
    [[ "$(why constructor)" == "constructors ("* ]]
    [ "$(why redefined)" = "strlen is also a name of the C library" ]
}

@test "objects with any byte changed do no harm" {
    cat >t.c <<'C'
#include <stdio.h>
static int a[4] = {1, 2, 3, 4};
int *p = a;
int main(void) { printf("%d\n", p[2]); return 0; }
C
    # a compiler that flips one byte of its object, another one each time
    cc_script flip <<'SH'
gcc "$@" || exit
while [ "$1" != -o ]; do shift; done
case $2 in *.o) ;; *) exit 0 ;; esac
n=$(cat count); echo $((n + 37)) >count
printf '\377' | dd of="$2" bs=1 seek=$((n % $(stat -c %s "$2"))) conv=notrunc status=none
SH
    echo 0 >count
    args=()
    for i in $(seq 60); do args+=(--cc "$PWD/flip -DI=$i"); done
    "$CUPEL" test t.c --quiet --json --jobs 1 --timeout 1 "${args[@]}" >out.json || [ $? -le 2 ]
    [ "$(jq '.outcomes | length' out.json)" = 60 ]
    [ "$(jq '[.outcomes[] | select(.outcome == "ENVIRONMENT")] | length' out.json)" = 0 ]
}

# Wrong code that reads what nobody wrote must not be right because it finds zeros.
@test "a loaded program begins on a stack that is not zeros, the same each time" {
    cat >t.c <<'C'
#include <stdio.h>
int main(void)
{
    volatile unsigned char never[4096]; /* undefined, on purpose */
    unsigned zeros = 0;
    for (unsigned i = 0; i < sizeof never; i++)
        zeros += never[i] == 0;
    printf("%d\n", zeros < 512);
    return 0;
}
C
    for i in 1 2 3; do
        "$CUPEL" test t.c --quiet --json --cc 'gcc -O0' >out.json || [ $? -le 2 ]
        [ "$(jq -c '.outcomes[0] | [.loaded, .runs[0].output]' out.json)" = '[true,"1\n"]' ]
    done
}

# a gcc that does not set one variable: that is right where the stack holds zeros
forgetful_gcc() {
    cc_script forgetful <<'SH'
case " $* " in *" -E "*) exec gcc "$@" ;; esac
n=$#
while [ $n -gt 0 ]; do
    arg=$1; shift; n=$((n - 1))
    case $arg in
    *.c) sed 's/int start = 0;/int start;/' "$arg" >"${TMPDIR:-.}/own.c"; arg=${TMPDIR:-.}/own.c ;;
    esac
    set -- "$@" "$arg"
done
exec gcc "$@"
SH
    cat >t.c <<'C'
#include <stdio.h>
static int work(int n)
{
    int pad[40] = {0};
    int start = 0;
    pad[n & 31] = n;
    if (n > 100)
        start += pad[3];
    return start + pad[n & 31];
}
int main(void)
{
    int n = 3;
    if (n > 5)
        puts("never");
    printf("%d\n", work(n));
    return 0;
}
C
}

@test "wrong code that only a filled stack shows is confirmed by a program that fills its own" {
    forgetful_gcc
    TMPDIR=. ./forgetful -O0 t.c -o plain
    [ "$(./plain)" = 3 ] || skip "the stack below main holds no zeros here"
    run -1 "$CUPEL" test t.c --quiet --cc "$PWD/forgetful -O0" --cc 'gcc -O0' --cc clang-19
    [[ "$output" == *"not what it must do, where the stack below main holds no zeros"* ]]
    run -1 "$CUPEL" emi t.c --quiet --variants 2 --cpp gcc --cc "$PWD/forgetful -O0" -o v
    [[ "$output" == *"the original itself: other behaviour than the machine's"*"v/filled/original0.c"* ]]
    gcc -w v/filled/original0.c -o right && [ "$(./right)" = 3 ]
    TMPDIR=. ./forgetful -w v/filled/original0.c -o wrong && [ "$(./wrong)" != 3 ]
    "$CUPEL" check v/filled/original0.c
    mkdir seeds && cp t.c seeds
    run -1 "$CUPEL" hunt h --quiet --mode seeds --seeds seeds --seed 5 --programs 8 --jobs 1 --cc "$PWD/forgetful -O0"
    [ "$("$CUPEL" list h --json | jq -r '.[0].verdict')" = wrong-code ]
    grep -q begin_program h/findings/*/program.c
}

@test "a reduction of what only a filled stack shows fills it" {
    forgetful_gcc
    TMPDIR=. ./forgetful -O0 t.c -o plain
    [ "$(./plain)" = 3 ] || skip "the stack below main holds no zeros here"
    run -0 "$CUPEL" reduce t.c --cc "$PWD/forgetful -O0" --no-evidence -o small.c
    [[ "$output" == *"depends on what is left on the stack: it fills that now"* ]]
    "$CUPEL" check small.c >expected || [ $? -le 1 ]
    status=0
    gcc -w small.c -o right && ./right >right.out || status=$?
    TMPDIR=. ./forgetful -w -O0 small.c -o wrong
    wrong=0
    ./wrong >wrong.out || wrong=$?
    ! { cmp -s right.out wrong.out && [ "$wrong" = "$status" ]; }
}

# the machine cannot vouch for it: it is the program that reads what nobody wrote
@test "a program that reads its stack unset blames nobody, filled or not" {
    cat >t.c <<'C'
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    int never[40], sum = 0;
    if (getppid() == -1)
        never[0] = 1;
    for (int i = 0; i < 40; i++)
        sum += never[i] == 0;
    if (sum == 77)
        puts("never");
    printf("%d\n", sum);
    return 0;
}
C
    run "$CUPEL" test t.c --quiet --cc 'gcc -O0' --cc tcc --cc 'clang-19 -O1'
    [ "$status" != 1 ]
    run "$CUPEL" emi t.c --quiet --variants 4 --facts probes --cc 'gcc -O0' --cc 'clang-19 -O1' -o v
    [ "$status" != 1 ]
}
