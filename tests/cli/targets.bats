#!/usr/bin/env bats
# Data models: the same program as machines of other byte orders, chars, alignments and ints run it.
# tests/long/targets.sh has the same against real compilers under qemu.

bats_require_minimum_version 1.5.0
load helpers

# What can be seen of a machine, without looking at padding.
model() {
    cat >t.c <<'C'
#include <stdio.h>
#include <string.h>
struct b { unsigned a : 3, b : 7; int c : 12; char d; };
struct s { char c; long long l; char d; double x; };
union u { struct b b; unsigned char bytes[sizeof(struct b)]; };
int main(void)
{
    union u u;
    union { long long l; unsigned char b[8]; } n = {0x0102030405060708LL};
    union { double d; unsigned char b[8]; } x = {-1.5};
    char c = (char)200;
    memset(&u, 0, sizeof u);
    u.b.a = 5, u.b.b = 100, u.b.c = -3, u.b.d = 7;
    printf("%d %d %d %d %d: ", (int)sizeof(int), (int)sizeof(long), (int)sizeof(void *), (int)sizeof(long double), (int)sizeof(struct s));
    printf("%d %d %d ", c < 0, n.b[0], x.b[0]);
    for (unsigned i = 0; i < sizeof u; i++)
        printf("%02x", (unsigned)u.bytes[i]);
    printf("\n");
    return 0;
}
C
}

@test "each target has its sizes, byte order, plain char and bit-fields" {
    model
    # as the real compilers' programs print it
    while read -r target wanted; do
        [ "$("$CUPEL" check --target "$target" t.c)" = "$wanted" ] || { echo "$target: $("$CUPEL" check --target "$target" t.c 2>&1)"; false; }
    done <<'ROWS'
lp64 4 8 8 16 32: 1 8 0 25f73f07
ilp32 4 4 4 12 24: 1 8 0 25f73f07
aarch64 4 8 8 16 32: 0 8 0 25f73f07
riscv64 4 8 8 16 32: 0 8 0 25f73f07
powerpc64le 4 8 8 16 32: 0 8 0 25f73f07
alpha 4 8 8 16 32: 1 8 0 25f73f07
mips64el 4 8 8 16 32: 1 8 0 25f73f07
arm 4 4 4 8 32: 0 8 0 25f73f07
mipsel 4 4 4 8 32: 1 8 0 25f73f07
s390x 4 8 8 16 32: 0 1 191 b93ff407
powerpc64 4 8 8 16 32: 0 1 191 b93ff407
mips64 4 8 8 16 32: 1 1 191 b93ff407
sparc64 4 8 8 16 32: 1 1 191 b93ff407
powerpc 4 4 4 16 32: 0 1 191 b93ff407
mips 4 4 4 8 32: 1 1 191 b93ff407
hppa 4 4 4 8 32: 1 1 191 b93ff407
m68k 4 4 4 12 20: 1 1 191 b93ff407
ROWS
    run -2 "$CUPEL" check --target vax t.c
    [[ "$output" == "cupel: unknown target 'vax': lp64, ilp32, aarch64, "*"i16" ]]
}

@test "bit-fields without a name or width align as each target has it; what stands alone, too" {
    cat >t.c <<'C'
int printf(const char *, ...);
struct a { char c; int : 0; };
struct b { short : 3; char c; };
struct __attribute__((packed)) c { char a; int : 0; char b; };
#pragma pack(2)
struct d { char a; int : 0; char b; };
#pragma pack()
struct e { int a : 3; unsigned : 0; char b; };
struct f { char a; int __attribute__((aligned(16))) : 0; char b; };
struct g { double d; } g;
enum h { LARGE = 1LL << 40 };
typedef double low __attribute__((aligned(4)));
double v, w[2];
#define P(type) printf("%d,%d ", (int)sizeof(type), (int)_Alignof(type))
int main(void)
{
    P(struct a), P(struct b), P(struct c), P(struct d), P(struct e), P(struct f);
    printf("%d%d%d%d", (int)_Alignof(double), (int)__alignof__(double), (int)__alignof__(v), (int)__alignof__(w));
    printf("%d%d%d%d%d\n", (int)__alignof__(w[1]), (int)__alignof__(g), (int)__alignof__(g.d),
        (int)__alignof__(enum h), (int)__alignof__(low));
    return 0;
}
C
    # as the real compilers' programs print it
    while read -r target wanted; do
        [ "$("$CUPEL" check --target "$target" t.c)" = "$wanted" ] || { echo "$target: $("$CUPEL" check --target "$target" t.c 2>&1)"; false; }
    done <<'ROWS'
lp64 4,1 2,1 5,1 5,1 8,4 17,1 888888884
m68k 2,2 2,1 4,2 4,2 4,2 32,16 222222224
aarch64 4,4 2,2 8,4 8,4 8,4 32,16 888888884
arm 4,4 2,2 8,4 8,4 8,4 32,16 888888884
s390x 4,1 2,1 5,1 5,1 8,4 17,1 888888884
sparc64 4,1 2,1 5,1 5,1 8,4 17,1 888888884
powerpc 4,1 2,1 5,1 5,1 8,4 17,1 888888884
hppa 4,1 2,1 5,1 5,1 8,4 17,1 888888884
mips64 4,1 2,1 5,1 5,1 8,4 17,1 888888884
ilp32 4,1 2,1 5,1 5,1 8,4 17,1 488884484
riscv64 4,1 2,1 5,1 5,1 8,4 17,1 888888884
powerpc64le 4,1 2,1 5,1 5,1 8,4 17,1 888888884
mipsel 4,1 2,1 5,1 5,1 8,4 17,1 888888884
ROWS
}

@test "what follows a long double of twelve bytes is left alone" {
    printf 'struct s { long double m; char c[4]; }; int main(void) { struct s x = {1, "abc"}; x.m = 2; return x.c[0] - 97; }\n' >t.c
    "$CUPEL" check --quiet --target ilp32 t.c
    printf 'struct s { long double m; char c[4]; }; int main(void) { struct s x; x.m = 2; return ((char *)&x)[11]; }\n' >t.c
    run -2 "$CUPEL" check --quiet --target ilp32 t.c
    [[ "$output" == *"unspecified: what is in the padding"* ]]
    printf 'struct s { long double m; char c[4]; }; int main(void) { struct s x; x.m = 2; return x.c[0]; }\n' >t.c
    run -1 "$CUPEL" check --quiet --target ilp32 t.c
}

@test "an int of 16 bits computes, converts and overflows as one" {
    cat >t.c <<'C'
int printf(const char *, ...);
static int add(int a, int b) { return a + b; }
int main(void)
{
    int i, n = 0, a[5] = {1, 2, 3, 4, 5};
    unsigned u = 65535u;
    long l = 100000L;
    for (i = 0; i < 5; i++)
        n += a[i] * i;
    u = u + 1u;
    printf("%d %d %u %ld ", (int)sizeof(int), add(n, -3), u, l * 3);
    printf("%d %d %u ", n > 30 ? ~n : -n, 30000 / 7 % 100 << 2, ~0u);
    printf("%d %ld\n", (int)(l >> 4), (long)(unsigned)-1);
    return 0;
}
C
    [ "$("$CUPEL" check --target i16 t.c)" = "2 37 0 300000 -41 340 65535 6250 65535" ]
    printf 'int main(void) { int x = 32767; return x + 1 == 7; }\n' >t.c
    run -1 "$CUPEL" check --target i16 t.c
    [[ "$output" == *"signed integer overflow: 32767 + 1 in 'int'"* ]]
    run -0 "$CUPEL" check t.c
    printf 'int main(void) { unsigned char a = 255, b = 255; return a * b == 1; }\n' >t.c
    run -1 "$CUPEL" check --target i16 t.c
}

@test "the generator and the machine agree for every byte order and int" {
    for target in arm s390x mips m68k i16; do
        for seed in 1 2 3; do
            "$CUPEL" gen --target $target --seed $seed --size 100 -o t.c --expect wanted
            "$CUPEL" check --target $target t.c >got
            cmp got wanted
        done
    done
}

@test "a long double that no format of ours is computes nothing" {
    printf 'int main(void) { volatile long double x = 1; return x + 1 == 2; }\n' >t.c
    for target in lp64 ilp32 arm mips; do "$CUPEL" check --quiet --target $target t.c; done
    for target in aarch64 powerpc64 m68k; do run -2 "$CUPEL" check --target $target t.c; done
}

@test "clang's programs for another machine are run there, compared, and hunted with drawn flags" {
    local machine=aarch64-linux-gnu
    command -v qemu-aarch64 && [ -d /usr/$machine ] && command -v $machine-gcc-12 ||
        skip "no programs for $machine here"
    model
    run -0 "$CUPEL" test t.c --quiet --cc "clang-19 --target=$machine -O2" --cc "clang-19 -target $machine -O0" --cc $machine-gcc-12
    [[ "$output" == *"all agree"* ]]
    # what the emulator's model of the machine lacks is nobody's mistake
    cat >sve.c <<'C'
__attribute__((noinline)) long f(void) { long n; __asm__ volatile("cntb %0" : "=r"(n)); return n > 0; }
int main(void) { return f() == 0; }
C
    run -2 "$CUPEL" test sve.c --quiet --cc "clang-19 --target=$machine -march=armv8.2-a+sve" --run "qemu-aarch64 -cpu cortex-a53 -L /usr/$machine"
    [[ "$output" == *"the emulator does not know one of its instructions"* ]]
    mkdir bin
    # a fault of the code for that machine alone
    cc_script bin/clang-19 <<'SH'
for a; do
    shift
    case $a in
    *.[ci])
        s=$(mktemp --suffix=.s)
        /usr/bin/clang-19 "$@" -w -S "$a" -o "$s" || exit
        sed -i 's/^\teor\t/\torr\t/' "$s"
        a=$s
        ;;
    esac
    set -- "$@" "$a"
done
exec /usr/bin/clang-19 "$@"
SH
    run -1 "$CUPEL" hunt h --jobs 1 --programs 6 --seed 3 --mode small --quiet --cc "$PWD/bin/clang-19 --target=$machine"
    run -1 "$CUPEL" list h --json
    [ "$(jq -r '.[0].config' <<<"$output" | grep -c -- "--target=$machine .*-O")" = 1 ]
    run -1 h/findings/1/reproduce.sh
    # flags with which nothing runs there are not drawn into a finding
    echo '__attribute__((constructor)) static void end(void) { *(volatile int *)0 = 0; }' >bin/end.c
    cc_script bin/clang-19 <<SH
case "\$*" in *" -c "*) ;; *" -m"[ac]*) set -- "\$@" "$PWD/bin/end.c" ;; esac
exec /usr/bin/clang-19 "\$@"
SH
    run -0 "$CUPEL" hunt g --jobs 1 --programs 5 --seed 3 --mode small --quiet --cc "$PWD/bin/clang-19 --target=$machine"
}

@test "what a compiler for another byte order does is predicted for that order, by reduce and triage too" {
    command -v s390x-linux-gnu-gcc-12 && command -v qemu-s390x ||
        { command -v qemu-aarch64 && command -v aarch64-linux-gnu-gcc-12; } || skip "no programs for another machine here"
    # unsigned char there; and another byte order
    echo 'int a = 2; int main(void) { char c = (char)200; return (c > 0) + ((char *)&a)[0]; }' >t.c
    for cc in aarch64-linux-gnu-gcc-12 s390x-linux-gnu-gcc-12; do
        command -v $cc || continue
        for command in reduce triage; do
            run -2 "$CUPEL" $command t.c --cc "$cc -O1"
            [[ "$output" == *"does nothing wrong with"* ]]
        done
    done
}

# A jmp_buf has 656 bytes where vector registers are kept in it, 16 of them at once (powerpc64): a hunt
# told a program with less as wrong code, once reduction had made its buffer smaller.
@test "what setjmp is given is large enough, and aligned as the machine wants it" {
    local target type
    check_jump() {
        printf 'int setjmp(void *); void longjmp(void *, int);\nint main(void) { volatile int n = 0; static %s; if (setjmp(b) < 2) { n++; longjmp(b, n); } return n - 2; }\n' "$2" |
            "$CUPEL" check --quiet --target "$1" -
    }
    check_jump lp64 'int b[64]'
    check_jump ilp32 'int b[40]'
    run -1 check_jump lp64 'int b[40]'
    run -1 check_jump powerpc64le 'long long b[64] __attribute__((aligned(16)))'
    run -1 check_jump powerpc64le 'long long b[128]'
    check_jump powerpc64le 'long long b[128] __attribute__((aligned(16)))'
    echo 'void *b[5]; int main(void) { return __builtin_setjmp(b) != 0; }' >t.c # five words on any machine
    "$CUPEL" check --quiet --target powerpc64le t.c
    for target in powerpc64le s390x arm lp64 ilp32; do
        "$CUPEL" gen --seed 5 --size 40 --target $target --set stmt.escape=900 -o t.c --expect t.out
        grep -q longjmp t.c
        "$CUPEL" check --target $target t.c | cmp - t.out
    done
}
