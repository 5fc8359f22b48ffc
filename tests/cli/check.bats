# cupel check: programs that end in every way a program can end, as a user sees it.
bats_require_minimum_version 1.5.0
load helpers

check() {
    run --separate-stderr "$CUPEL" check "$@"
}

program() {
    cat >t.c
}

@test "a defined program: its own output, exit status 0" {
    program <<'C'
#include <stdio.h>
int main(void) { printf("%d\n", 6 * 7); return 3; }
C
    check t.c
    [ "$status" -eq 0 ]
    [ "$output" = 42 ]
    [[ "$stderr" == *"exit status is 3"* ]]
}

@test "undefined: place, values, kind, clause, line and caret" {
    program <<'C'
int main(void)
{
    int x = 2147483647;
    return x + 1;
}
C
    check t.c
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"t.c:4:12: undefined: signed integer overflow: 2147483647 + 1 in 'int' [signed-overflow, C11 6.5p5]"* ]]
    [[ "$stderr" == *"    return x + 1;"* ]]
    [[ "$stderr" == *"           ^"* ]]
    # the place is that of a write, whichever operand comes first
    program <<'C'
static signed char g[3];
static int f(int a, int b) { return a + b; }
int main(void) { return f(1 && g[2]++, g[2] |= 2); }
C
    check t.c
    [[ "$stderr" == *"byte 2 of 'g' is written here and read in another operand"* ]]
}

@test "every kind of undefined behaviour, and near twins that have none" {
    run "$BATS_TEST_DIRNAME/../ub/run" "$CUPEL"
    echo "$output"
    [ "$status" -eq 0 ]
}

@test "unsupported when executed, and not when merely present" {
    program <<'C'
int main(int n, char **v) { if (n > 1) __asm__("cld"); return 0; }
C
    check t.c
    [ "$status" -eq 0 ]
    check t.c --args more
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"t.c:1:40: unsupported: inline assembly"* ]]
}

@test "characters that were never set and are handed on are not called undefined" {
    local values='*q++ = t = *p++;
*q++ = i ? *p++ : *p++;
int c = *p++; *q++ = (char)c;'
    while read -r value; do
        for rest in '' 'char never;'; do # padding has values, whichever they are
            program <<C
struct s { char c; $rest long l; } x, y;
int main(void) {
    struct s a; a.c = 1; a.l = 2;
    char *p = (char *)&a, *q = (char *)&y, t;
    for (unsigned i = 0; i < sizeof a; i++) { $value }
    return y.c == 1 && y.l == 2 ? 0 : 1;
}
C
            check t.c
            [ "$status" -eq $([ -z "$rest" ] && echo 0 || echo 2) ]
            [[ -z "$rest" || "$stderr" == *"unsupported: a character that was never set is passed on"* ]]
        done
    done <<<"$values"
}

@test "endless recursion, loops, printing and gigabytes come to a clear end" {
    program <<'C'
int f(int n) { return f(n + 1) + 1; }
int main(void) { return f(0); }
C
    check t.c
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"nested too deeply"* ]]
    echo 'int main(void) { unsigned n = 0; for (;;) n++; }' | program
    check t.c --fuel 1000000
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"out of fuel"* ]]
    printf '#include <stdio.h>\nint main(void) { for (;;) puts("again"); }\n' | program
    check t.c
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"prints more than"* ]]
    printf '#include <stdlib.h>\nint main(void) { return malloc(3000000000u) == 0; }\n' | program
    check t.c
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"out of memory: malloc asks for 3000000000 bytes"* ]]
}

@test "several files are one program; what does not link is named" {
    echo 'int f(int); extern int g; int main(void) { return f(g); }' >a.c
    echo 'int g = 5; int f(int x) { return x - 5; }' >b.c
    check a.c b.c
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    check a.c
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"external object 'g' is not defined"* ]]
    check b.c
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"there is no main"* ]]
    cp a.c c.c
    check a.c b.c c.c
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"'main' is defined twice"* ]]
}

@test "standard input and arguments" {
    program <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
    int a, b;
    char line[20];
    scanf("%d %d ", &a, &b);
    fgets(line, sizeof line, stdin);
    printf("%d %s%d %s\n", a + b, line, argc, argv[2]);
    return 0;
}
C
    printf '3 4\nhello\n' >in
    check t.c --input in --args "one 'two three'"
    [ "$status" -eq 0 ]
    [ "$output" = $'7 hello\n3 two three' ]
}

@test "coverage: counts per line, and expressions that never ran" {
    program <<'C'
int main(void)
{
    int i, n = 0;
    for (i = 0; i < 3; i++)
        n += i > 5 ? 100 : 1;
    if (n > 7)
        n = 0;
    return n - 3;
}
C
    check t.c --coverage
    [ "$status" -eq 0 ]
    [[ "$output" == *"         3:     5:         n += i > 5 ? 100 : 1;"* ]]
    [[ "$output" == *"    never:      :                      ~~~"* ]]
    [[ "$output" == *"     #####:     7:         n = 0;"* ]]
    [[ "$output" == *"         1:     8:     return n - 3;"* ]]
}

@test "facts: values that never change, ranges, ways" {
    program <<'C'
int main(void)
{
    int n = 0;
    for (int i = 0; i < 4; i++)
        n += i * 2;
    return n - 12;
}
C
    check t.c --json
    [ "$status" -eq 0 ]
    [ "$(jq -r .end <<<"$output")" = finished ]
    [ "$(jq -c '.nodes[] | select(.kind == "BINARY" and .line == 5) | [.count, .low, .high]' <<<"$output")" = "[4,0,6]" ]
    [ "$(jq -c '.nodes[] | select(.kind == "BINARY" and .line == 4) | [.true, .false]' <<<"$output")" = "[4,1]" ]
    [ "$(jq -c '.nodes[] | select(.kind == "BINARY" and .line == 6) | .value' <<<"$output")" = 0 ]
}

@test "volatile accesses, in order" {
    echo 'volatile int v = 3; int main(void) { v = v + 1; return v - 4; }' | program
    check t.c --json
    [ "$(jq -c '[.volatile[] | [.write, .value]]' <<<"$output")" = '[[false,3],[true,4],[false,4]]' ]
}

@test "the 32-bit target has its own sizes" {
    echo 'int main(void) { long x = 2147483647; x = x + 1; return sizeof x != 8; }' | program
    check t.c
    [ "$status" -eq 0 ]
    check t.c --target ilp32
    [ "$status" -eq 1 ]
    [[ "$stderr" == *signed-overflow* ]]
}

@test "a result that depends on the order of evaluation, and one that does not" {
    program <<'C'
#include <stdio.h>
static int n;
static int next(void) { return ++n; }
int main(void) { printf("%d %d\n", next(), next()); return 0; }
C
    check t.c
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"[order-dependent, C11 6.5p3]"* ]]
    program <<'C'
#include <stdio.h>
static int n;
static int next(void) { return ++n; }
int main(void) { printf("%d\n", next() + next()); return 0; }
C
    check t.c
    [ "$status" -eq 0 ]
    [ "$output" = 3 ]
}

@test "bit-fields that share a byte are objects of their own" {
    program <<'C'
struct s { unsigned a : 3, b : 5; } s = {1, 2};
int main(void) { s.a = s.b++; return (s.a = 2) + (s.b = 7) - 9; }
C
    check t.c
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "the library inside prints what the real one prints" {
    gcc -w -O0 "$BATS_TEST_DIRNAME/programs/library.c" -o native -lm
    ./native >want 2>/dev/null || true
    check "$BATS_TEST_DIRNAME/programs/library.c"
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"exit status is 7"* ]]
    diff want <(echo "$output")
}

@test "the program's facts do not depend on how often it is asked" {
    cp "$BATS_TEST_DIRNAME/programs/library.c" t.c
    check t.c --json
    first=$output
    check t.c --json
    [ "$first" = "$output" ]
}

@test "a lowered alignment is lowered for members and open arrays too (gcc.dg/torture/pr57748-2)" {
    cat >t.c <<'C'
void *calloc(unsigned long, unsigned long);
void free(void *);
typedef struct inner { long a; long b[0]; } loose __attribute__((aligned(1)));
struct __attribute__((packed)) outer { char c; loose s; short open[]; };
static long get(const loose *p) { return p->a + p->b[0]; }
int main(void)
{
    struct outer *t = calloc(64, 1);
    t->s.a = 3;
    t->s.b[0] = 4;
    long sum = get(&t->s);
    t->open[1] = 5;
    sum += t->open[1];
    free(t);
    return sum != 12;
}
C
    gcc -w -fsanitize=undefined t.c -o t && ./t
    run -0 "$CUPEL" check t.c
}

@test "bit-fields of character type are copied by value" {
    cat >t.c <<'C'
int printf(const char *, ...);
struct s { signed char a : 4; signed char b : 3; } s = {-1, -2};
char c;
int main(void)
{
    c = s.b;
    s.a = c;
    printf("%d %d %d\n", c, s.a, s.b);
    return 0;
}
C
    run -0 "$CUPEL" check t.c
    [ "$output" = "-2 -2 -2" ]
}

@test "what a branch with a label sets is not known to be set behind it" {
    cat >t.c <<'C'
int printf(const char *, ...);
int main(int argc, char **argv)
{
    int x = argc, kept;
    unsigned late;
    kept = 1;
    if (x > 5) {
        if (x > 6)
            goto inside;
        kept = 2;
    inside:
        late = 7;
    }
    late = 3;
again:
    late += kept;
    if (--x > 0)
        goto again;
    printf("%u\n", late);
    return 0;
}
C
    run -0 "$CUPEL" check t.c
    [ "$output" = 4 ]
}

@test "integers are read in every base, where long has 64 bits and where it has 32" {
    local bits
    for bits in 64 32; do
        gcc -w "-m$bits" "$BATS_TEST_DIRNAME/programs/bases.c" -o t
        check "$BATS_TEST_DIRNAME/programs/bases.c" "-m$bits"
        [ "$status" -eq 0 ]
        [ "$output" = "$(./t)" ]
    done
}

@test "native code does what the interpreter does, and knows the same" {
    local name
    for name in native library; do
        gcc -w -E "$BATS_TEST_DIRNAME/programs/$name.c" -o t.i
        "$CUPEL" check --json --heat 4000000000 t.i >interpreted
        "$CUPEL" check --json --heat 1 t.i >native
        "$CUPEL" check --json --heat 50 t.i >mixed
        cmp interpreted native
        cmp interpreted mixed
    done
    gcc -w "$BATS_TEST_DIRNAME/programs/native.c" -o t
    check --heat 1 "$BATS_TEST_DIRNAME/programs/native.c"
    [ "$status" -eq 0 ]
    [ "$output" = "$(./t)" ]
}

@test "native code: fuel, memory and faults end it as they end the interpreter" {
    program <<'C'
int a[8];
static int get(int i) { return a[i]; }
int main(void)
{
    unsigned n = 0;
    int s = 0;
    for (int i = 0; i < STOP; i++)
        for (int k = 0; k <= LAST; k++)
            s += get(k) + 100003, n += (unsigned)s;
    return (int)(n & 1);
}
C
    local heat
    for heat in 1 30 4000000000; do
        check --heat $heat --fuel 5000 -DSTOP=2000000000 -DLAST=7 t.c
        [ "$status" -eq 2 ]
        [[ "$stderr" == *"out of fuel"* ]]
        check --heat $heat -DSTOP=2000 -DLAST=8 t.c
        [ "$status" -eq 1 ]
        [[ "$stderr" == *"t.c:2:32: undefined: "*"index 8"* ]]
        check --heat $heat -DSTOP=2000000000 -DLAST=7 t.c
        [ "$status" -eq 1 ]
        [[ "$stderr" == *"t.c:9:13: undefined: "*"2147464422 + 100003"* ]]
    done
}

@test "descriptors: a filter that reads and writes; not beside stdio's buffers" {
    program <<'C'
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static void handler(int s) { (void)s; }
int main(int argc, char **argv)
{
    char buffer[5];
    ssize_t n;
    struct stat st;
    struct sigaction act;
    sigset_t set;
    if (argc > 1 && argv[1][0] == 'm')
        printf("held back");
    if (argc > 1 && argv[1][0] == 'i')
        getchar();
    if (fstat(0, &st) || !S_ISREG(st.st_mode) || st.st_size != 12 || isatty(0))
        return 1;
    if (sigemptyset(&set) || sigaddset(&set, SIGUSR1) || !sigismember(&set, SIGUSR1) ||
        sigismember(&set, SIGUSR2) || sigaction(SIGUSR1, 0, &act) || act.sa_handler != SIG_DFL)
        return 2;
    act.sa_handler = handler;
    if (sigaction(SIGUSR1, &act, 0) || signal(SIGUSR2, handler) != SIG_DFL ||
        signal(SIGUSR2, SIG_IGN) != handler)
        return 3;
    if (!setlocale(LC_ALL, "") || setlocale(LC_ALL, 0)[0] != 'C')
        return 4;
    while ((n = read(0, buffer, sizeof buffer)) > 0)
        if (write(1, buffer, (size_t)n) != n)
            return 5;
    printf("%d\n", (int)n);
    fflush(stdout);
    write(1, "end\n", 4);
    return close(1);
}
C
    printf 'hello, you!\n' >in
    gcc -w t.c -o t
    ./t <in >native
    "$CUPEL" check t.c --input in >ours
    cmp native ours
    check t.c --input in --args m
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"unsupported: write: stdio has not flushed what was printed before"* ]]
    check t.c --input in --args i
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"unsupported: read: stdio has read from it before"* ]]
}

@test "what was the value of a bit-field has a type that compilers differ in" {
    local e head='struct { unsigned u : 3; unsigned long l : 20; int i : 5; char c : 4; } s = {5, 1, -1, 7}; int n = -1;'
    while read -r e; do
        echo "$head int main(void) { long x = $e; return x < 0; }" >t.c
        check t.c
        [ "$status" -eq 2 ]
        [[ "$stderr" == *"compilers differ"* ]]
    done <<'OPEN'
s.u++ - 8
s.u-- < n
~s.u++
-s.l++
({ s.u; }) - 8
({ s.l; }) * n
n ? -1 : s.u++
n / s.u++
(n, s.u++) - 8
s.u++ << 3
sizeof(0, s.u)
sizeof(s.l = 3)
(__typeof__((0, s.u)))-1
({ __auto_type a = s.u; a; })
OPEN
    while read -r e; do
        echo "$head int main(void) { long x = $e; return (int)x; }" >t.c
        gcc -w t.c -o t
        local want=0
        ./t || want=$?
        check --status t.c
        [ "$status" -eq 0 ]
        [ "$output" = "$want" ]
    done <<'CERTAIN'
s.u++ + 0u
s.u++ > 3
s.i++ - 8 + 90
s.c++ - 5
1 << s.u++
s.u++ >> 1
s.l++ * 2.5
(s.u = 3, s.u) - 2
s.u - 4
sizeof(s.c++)
n ? s.u++ : 3
(n += s.u++) + 1
s.u % 3 == 2 ? ({ int t = s.u; t; }) - 2 : 0
CERTAIN
}

@test "the library keeps things from call to call: which call comes first matters" {
    while read -r both; do
        printf '#include <%s.h>\n' errno getopt pthread signal stdio stdlib string time >t.c
        cat >>t.c <<C
static void a(void) { puts("a"); }
static void b(void) { puts("b"); }
static void h(int s) { (void)s; }
int main(void)
{
    char *words[] = {"p", "-a", "-b", "rest", 0};
    pthread_key_t k;
    fclose(fopen("own", "w"));
    signal(SIGINT, h), pthread_key_create(&k, 0), srand(1), errno = 1, getopt(1, words, "ab");
    printf("%d%d\n", $both);
}
C
        check t.c
        [ "$status" -eq 1 ]
        [[ "$stderr" == *"[order-dependent, C11 6.5p3]"* ]]
    done <<'BOTH'
fopen("own", "r") != 0, remove("own")
remove("own"), remove("own")
rename("own", "x"), rename("own", "y")
setenv("A", "1", 1), getenv("A") != 0
putenv("A=1"), getenv("A") != 0
signal(SIGINT, SIG_IGN) == h, signal(SIGINT, SIG_DFL) == h
atexit(a), atexit(b)
getopt(4, words, "ab"), getopt(4, words, "ab")
getopt(4, words, "ab"), optind
pthread_setspecific(k, &k), pthread_getspecific(k) != 0
snprintf(0, 0, "%m"), errno = 2
rand(), rand()
BOTH
    program <<'C'
#include <stdio.h>
#include <string.h>
int main(void) { printf("%s %s\n", strerror(99991), strerror(99992)); }
C
    check t.c
    [ "$status" -eq 1 ]
}

@test "goto *p works in a function that is also called where the order of operands is watched" {
    cat >t.c <<'C'
int printf(const char *, ...);
int g, h = 5;
static int f(int n)
{
    int a = n;
    void *to[2] = {&&even, &&odd};
    goto *to[n & 1];
even:
    g += 2;
    return a;
odd:
    g += 3;
    return a + 1;
}
int main(void)
{
    f(1);
    int r = f(2) + h;
    f(3);
    printf("%d %d\n", r, g);
    return 0;
}
C
    run -0 "$CUPEL" check t.c
    [ "$output" = "7 8" ]
}

# each STATUS KIND <<< lines: every one is a program of its own; % ends a line of it
each() {
    local line
    while read -r line; do
        echo "$line" | tr % '\n' >t.c
        check --quiet t.c
        if [ "$status" -ne "$1" ] || { [ "$1" -eq 1 ] && [[ "$stderr" != *"[$2,"* ]]; }; then
            echo "exit status $status: $line"
            echo "$stderr"
            return 1
        fi
    done
}

@test "restrict: parameters that are moved, and variables of the function's block" {
    each 1 restrict <<'C'
void f(int *restrict p, int *restrict q) { for (int i = 0; i < 3; i++) *p++ = *q++; } int main(void) { int a[4] = {1, 2, 3, 4}; f(a + 1, a); return 0; }
void f(int *restrict p, int *restrict q) { p += 1; *p = 1; q = q + 1; *q = 2; } int main(void) { int a[4]; f(a, a); return 0; }
int main(void) { int a[4] = {0}; int *restrict p = a, *restrict q = a + 1; p[1] = 1; return q[0]; }
int a[4]; int main(void) { int *restrict p = a; p[1] = 1; return a[1] - 1; }
int main(void) { int x = 0; int *restrict p = &x; *p = 0; return x; }
int f(int *restrict p) { int *restrict q = p; q[0] = 1; return p[0] - 1; } int main(void) { int a[2]; return f(a); }
C
    each 0 <<'C'
void f(int *restrict p, int *restrict q) { for (int i = 0; i < 3; i++) *p++ = *q++; } int main(void) { int a[6] = {1, 2, 3}; f(a + 3, a); return 0; }
void f(int *restrict p, int *q) { *p = 1; p = q; *p = 2; *q = 3; } int main(void) { int a, b; f(&a, &b); return 0; }
int f(int *restrict p, int n) { int *q = p; for (int i = 0; i < n; i++) *q++ = i; return p[n - 1]; } int main(void) { int a[4]; return f(a, 4) - 3; }
int main(void) { int a[4] = {1}; a[0] = 2; int *restrict p = a; p[0] = 0; return p[0]; }
int main(void) { int a[4]; { int *restrict p = a; p[0] = 0; } return a[0]; }
int g(int *p) { return *p; } int main(void) { int a[2] = {0}; int *restrict p = a; *p = 0; return g(p); }
int f(int *restrict p) { { int *restrict q = p; q[0] = 1; } return p[0] - 1; } int main(void) { int a[2]; return f(a); }
int main(void) { int a[4] = {0}; int *restrict p = a, *restrict q = a; return p[1] + q[1] + a[1]; }
C
}

@test "members that are const: objects that are declared, and memory that has no type" {
    each 1 const-write <<'C'
struct s { int a; const int b; } x = {1, 2}; int main(void) { *(int *)&x.b = 3; return 0; }
struct s { int a; const int b; }; int main(void) { struct s x = {1, 2}; int *p = &x.a; *(int *)((char *)p + 4) = 3; return 0; }
#include <string.h>%struct s { const char n[4]; int i; } x[2]; int main(void) { memset(x, 0, sizeof x); return 0; }
struct t { struct { int i; const int c; } in[2]; } x; int main(void) { *(int *)&x.in[1].c = 1; return 0; }
struct s { int a : 3; const int b : 4; } x; struct __attribute__((may_alias)) t { int a : 3, b : 4; }; int main(void) { ((struct t *)(void *)&x)->b = 1; return 0; }
struct s { unsigned a : 5; const unsigned b : 27; } x[3]; int main(void) { *((unsigned char *)&x[2] + 3) = 1; return 0; }
C
    each 0 <<'C'
struct s { int a; const int b; } x = {1, 2}; int main(void) { *(int *)&x.a = 3; x.a++; return x.a + x.b - 6; }
#include <stdlib.h>%struct s { int a; const int b; }; int main(void) { struct s *p = malloc(sizeof *p); *(int *)&p->b = 3; return p->b - 3; }
struct s { int a; const int b; }; static struct s f(int v) { struct s r = {v, v + 1}; return r; } int main(void) { int n = 0; for (int i = 0; i < 3; i++) { struct s x = f(i), y = x, z[2] = {{1, 2}, {3, 4}}; n += y.b + z[1].b; } return n - 18; }
struct s { int a; const int b; }; static int f(struct s v) { v.a = 1; return v.b; } int main(void) { return f((struct s){3, 0}) + f(*&(struct s){.b = 0}); }
union u { const int c; int i; } x; int main(void) { x.i = 3; return x.c - 3; }
struct s { const char *p; int i; } x; int main(void) { x.p = "a"; *(const char **)&x.p = 0; return x.p != 0; }
#include <string.h>%struct s { int i; const int c; } x; int main(void) { memset(&x, 0, sizeof x.i); return x.c; }
struct s { int a : 3; const int b : 4; int c : 2; } x; struct __attribute__((may_alias)) t { int a : 3, b : 4, c : 2; }; int main(void) { struct s y = {1, 2, 1}; struct t *p = (void *)&y; p->a = 2; p->c = 0; x.a++; y.c++; return y.a + y.b + y.c + x.b - 5; }
struct s { unsigned a : 8; const unsigned b : 24; } x[3]; int main(void) { *(unsigned char *)&x[2] = 1; return x[2].a - 1; }
union u { const int c; int i; struct { const int a : 3; } s; } x; int main(void) { x.i = 3; *(int *)&x = 4; return x.c - 4; }
C
}

@test "what the program defines is called, unless compilers may take their own (C11 7.1.3)" {
    each 0 <<'C'
static int abs(int x) { return x + 1000; } static long labs(long x) { return x; } int main(void) { int (*f)(int) = abs; return abs(-5) + f(-5) - 1990 + (int)labs(-1) + 1; }
static unsigned long strlen(const char *s) { return (unsigned long)s[0]; } static int ffs(int i) { return i; } int main(void) { return strlen("a") != 97 || ffs(8) != 8; }
int abs(int x) { return x < 0 ? -x : x; } long long llabs(long long x) { return x < 0 ? -x : x; } int main(void) { int n = 0; for (int i = -3; i < 3; i++) n += abs(i) + (int)llabs(i); return n - 18; }
float abs(int x) { return x + 0.5f; } int main(void) { return abs(2) != 2.5f; }
int abs(int x) { return x; } int main(void) { int (*volatile f)(int) = abs; return f(-5) + 5; }
C
    each 2 <<'C'
int abs(int x) { return x + 1000; } int main(void) { return abs(-5); }
int calls; long labs(long x) { calls++; return x < 0 ? -x : x; } int main(void) { return (int)labs(-5) + calls; }
double fabs(double x) { return x; } int main(void) { return fabs(-1) > 0; }
C
}

@test "functions chosen by _Generic; weak ones that nobody defines; parameters of no elements" {
    each 0 <<'C'
int f(int x) { return x + 1; } double g(double x) { return x * 2; } int main(void) { int (*p)(int) = _Generic(1, int: f, default: 0), (*q)(int) = &__builtin_choose_expr(1, f, g); return _Generic(1, int: f, double: g)(3) + (int)_Generic(1., int: f, double: g)(2.5) + p(1) + q(1) + __builtin_choose_expr(0, f, f)(1) - 15; }
__attribute__((weak)) int f(void) { return 3; } int main(void) { return f ? f() - 3 : 1; }
int f(int n, int a[n]) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } int main(void) { int a[2] = {1, 2}; return f(2, a) + f(0, a) + f(0, 0) - 3; }
C
    each 2 <<'C'
#include <locale.h>%int main(void) { return setlocale(LC_ALL, "de_DE.UTF-8") != 0; }
extern int pthread_nobody(void); extern int catopen() __attribute__((weak)); int main(void) { return catopen ? 1 : 0; }
C
    each 1 vla-size <<'C'
int f(int n, int a[n][n]) { return a != 0; } int main(void) { return f(0, 0); }
C
}

@test "programs in corners of the language print what they print natively" {
    local name
    printf '1a 22bb\n3 cc x' >in
    for name in aligned atomic bitfields flexible format literals scan unions varargs variable vector \
        errors flexible_types posix_formats scan_numbers unset_carried jumps files signals around_main \
        wide_text wide_streams small_library more_library options complex nested quad memory_streams one_thread \
        initialisers block_values packs zones pairs generic_math; do
        gcc -w -O0 "$BATS_TEST_DIRNAME/programs/$name.c" -o t -lm
        TZ=UTC0 ./t <in >want
        gcc -w -E "$BATS_TEST_DIRNAME/programs/$name.c" -o t.i
        "$CUPEL" check --input in t.i >interpreted
        "$CUPEL" check --heat 1 --input in t.i >native
        cmp want interpreted
        cmp want native
    done
}

@test "the compilers' own headers for vectors are read" {
    local cc
    for cc in gcc-12 clang-19; do
        echo '#include <immintrin.h>
int main(void) { __builtin_puts("read"); }' | "$cc" -E - -o t.i
        [ "$("$CUPEL" check t.i)" = read ]
    done
}

@test "bit-precise integers are what clang makes of them; their padding bits are nobody's" {
    clang-19 -w -std=c2x -O0 "$BATS_TEST_DIRNAME/programs/bitint.c" -o t
    ./t >want || [ $? = 72 ]
    for heat in 1 1000000; do
        "$CUPEL" check --heat $heat "$BATS_TEST_DIRNAME/programs/bitint.c" >got 2>note
        cmp want got
        grep -q 'exit status is 72' note
    done
    # a copy of the bytes is the value; a look at them is not
    echo 'int main(void) { unsigned _BitInt(5) a = 3, b; __builtin_memcpy(&b, &a, 1); return b != 3; }' >copy.c
    "$CUPEL" check copy.c
    echo 'int main(void) { unsigned _BitInt(5) a = 3; return *(unsigned char *)&a; }' >look.c
    run -1 "$CUPEL" check look.c
    [[ "$output" == *"[uninitialised, "* ]]
    echo '_BitInt(1) a;' >one.c
    run -2 "$CUPEL" check one.c
    [[ "$output" == *"a _BitInt needs more bits"* ]]
}

@test "ilp32 has macros of its own, and floats in wider registers are told only when exact" {
    program <<'C'
#include <limits.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    double half = 0.5, three = 2 + argc;
    printf("%ld %d %g\n", LONG_MAX, __SIZEOF_POINTER__, half * three);
#ifdef THIRD
    printf("%g\n", 1 / three);
#endif
    return 0;
}
C
    check t.c --target ilp32
    [ "$status" -eq 0 ]
    [ "$output" = "2147483647 4 1.5" ]
    check t.c -m32 -DTHIRD
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"unsupported: a floating result that is not exact"* ]]
    check t.c -DTHIRD
    [ "$status" -eq 0 ]
}

@test "a tentative definition stays one when it is declared extern again" {
    each 0 <<'C'
int x; extern int x; int main(void) { return x; }
extern int x; int x; static int s; extern int s; int main(void) { extern int x; return x + s; }
int a[]; int a[4]; extern int a[]; int b[]; int main(void) { extern int b[]; return a[3] + b[0]; }
C
}

@test "typeof a variable array has its lengths, whatever became of the variables in them" {
    program <<'C'
#include <stdio.h>
int main(void)
{
    int n = 3, a[n];
    n = 5;
    __typeof__(a) b;
    typedef int row[n];
    n = 9;
    row r;
    __typeof__(r) q;
    __typeof__(int[n]) z;
    printf("%zu %zu %zu %zu %zu\n", sizeof a, sizeof b, sizeof r, sizeof q, sizeof z);
    return 0;
}
C
    check t.c
    [ "$output" = "12 12 20 20 36" ]
}

@test "compound literals in static initialisers; (void)x of an unset x; cleanup" {
    program <<'C'
int printf(const char *, ...);
struct P { int a, b; };
struct P p = (struct P){1, 2};
static int arr[] = (int[]){7, 8};
struct P q[] = {(struct P){3, 4}, {5, 6}};
int main(void)
{
    static struct P z = (struct P){8, 9};
    int unset;
    (void)unset;
    printf("%d %d %d %d %d %d\n", p.a, p.b, arr[1], q[0].b, q[1].a, z.b);
    return 0;
}
C
    check t.c
    [ "$status" -eq 0 ]
    [ "$output" = "1 2 8 4 5 9" ]
    printf 'int main(void) { volatile int x; (void)x; return 0; }\n' >t.c
    check t.c
    [ "$status" -eq 1 ]
    printf 'static void f(int *p) { *p = 0; } int main(void) { __attribute__((cleanup(f))) int y = 4; return y; }\n' >t.c
    check t.c
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"unsupported: the cleanup attribute"* ]]
}

@test "Ctrl-C ends a program that does not end" {
    echo 'volatile unsigned x; int main(void) { for (;;) x++; }' >t.c
    for heat in 1 1000000000; do
        "$CUPEL" check --fuel 4000000000 --heat $heat t.c 2>said &
        pid=$!
        sleep 0.5
        kill -INT $pid
        within 60 "! kill -0 $pid 2>kill.log"
        wait $pid || true
        grep -q interrupted said
    done
}

@test "arithmetic with overflow checks on operands that are none: said, never a crash" {
    for call in '__builtin_sub_overflow(a, b, 0)' '__builtin_add_overflow(a, 1.5, &b)' '__builtin_mul_overflow_p(a, &b, 1)'; do
        printf 'int main(void) { int a = 3, b = 4; return %s; }\n' "$call" >t.c
        run -2 "$CUPEL" check t.c
    done
    printf 'int main(void) { int a = 3; unsigned char r; _Bool o = __builtin_add_overflow(a, (_Bool)1, &r); return o + r - 4; }\n' >t.c
    run -0 "$CUPEL" check t.c
}

@test "--stack is for calls, arrays of fixed and variable length and alloca, each of which gives it back" {
    cat >s.c <<'C'
#include <alloca.h>
#include <string.h>
#include <stdlib.h>
static int sum(const char *p, int n) { memset(p ? (char *)p : "", 1, p ? n : 0); return p[n - 1]; }
static int fixed(void) { char a[5000]; return sum(a, 5000); }
static int variable(int n) { char a[n]; return sum(a, n); }
static int given(int n) { return sum(alloca(n), n); }
static int deep(int n) { return n ? 1 + deep(n - 1) : 0; }
int main(int argc, char **argv)
{
    int n = atoi(argv[2]), all = 0;
    for (int i = 0; i < 1000; i++)
        all += fixed() + variable(5000) + given(5000) + deep(20);
    all += argv[1][0] == 'v' ? variable(n) : argv[1][0] == 'a' ? given(n) : deep(n);
    return all == argc ? 3 : 4;
}
C
    for way in v a d; do
        run -0 "$CUPEL" check s.c --quiet --status --args "$way 100" --stack 64k
        [ "$output" = 4 ]
        run -0 "$CUPEL" check s.c --quiet --status --args "$way 100000"
        run -2 "$CUPEL" check s.c --quiet --args "$way 100000" --stack 64k
        [[ "$output" == *"out of stack"*"--stack gives it more"* || "$output" == *"nested too deeply"* ]]
        run -2 "$CUPEL" check s.c --quiet --heat 1 --args "$way 100000" --stack 64k
    done
}

@test "structures in allocated memory belong to who stored them; memcpy, characters and unions do not care" {
    local types='struct one { int x; double d; }; struct other { int x; double d; }; struct in { int i, j; }; struct out { struct in x; int k; }; struct fields { int a : 5, b : 5; }; struct more { int a : 5, b : 5; }; struct flex { int n; struct in f[]; }; struct room { int n; char data[32]; }; struct c { char c; int y; }; union u { struct one o; struct c c; };'
    local head="#include <stdlib.h>%#include <string.h>%$types%int main(void) { int r = 0; void *p = calloc(1, 128); if (!p) return 0; struct one *a = p; struct other *b = p; struct in *i = p; struct out *o = p;"
    while read -r line; do
        echo "$head $line free(p); return r; }"
    done <<'C' | each 1 record-aliasing
a->x = 1; b->x = 2; r = a->x;
a->x = 1; b->x += 1;
a[1].x = 1; (*(b + 1)).x = 2; r = a[1].x;
struct other v = {2, 3}; a->x = 1; *b = v; r = a->x;
struct fields *f = p; struct more *m = p; f->a = 1; m->a = 2; r = f->a;
struct c *c = p; struct in *n = p; c->c = 1; r = n->i;
C
    while read -r line; do
        echo "$head $line free(p); return r; }"
    done <<'C' | each 0
a->x = 1; b->x = 0; r = b->x;
o->x.i = 1; i->i = 0; r = o->x.i;
a->x = 0; r = *(int *)p; *(int *)p = 0; r = b->x;
struct one v = {0, 2}; a->x = 1; memcpy(a, &v, sizeof v); r = b->x;
struct flex *f = p; f->f[2].i = 4; i = &f->f[2]; r = i->i - 4; i->j = 2; r += f->f[2].j - 2;
struct room *m = p; m->n = 0; i = (struct in *)m->data; i->i = 3; r = i->i - 3 + m->n;
struct c *c = p; a->x = 0; r = c->c;
a->x = 5; b->d = 2; r = a->x - 5 + (b->d != 2);
a->x = 5; memset(p, 0, sizeof *a); r = b->x;
C
}

@test "functions of headers that look at the arguments of the library's are the library's" {
    cat >t.c <<'C'
#define _GNU_SOURCE
#include <err.h>
#include <error.h>
#include <fnmatch.h>
#include <libintl.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
static volatile sig_atomic_t got;
static void on(int s) { got = s; }
static int by(const void *a, const void *b, void *sign) { return *(int *)sign * (*(int *)a - *(int *)b); }
static int like(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int moved(int) __asm__("added");
int added(int x) { return x + 1; }
int main(void)
{
    char text[20];
    int a[6] = {3, 1, 2}, down = -1, key = 7;
    size_t n = 3;
    struct sigaction act = {0};
    snprintf(text, sizeof text, "%d-%s", 12, "ab");
    printf("%s %d\n", strcat(text, "!"), moved(4));
    qsort_r(a, n, sizeof *a, by, &down);
    int *at = lsearch(&key, a, &n, sizeof *a, like);
    printf("%d %d %zu %d\n", a[0], *at, n, lfind(&key, a, &n, sizeof *a, like) == at);
    printf("%s %s %d %d\n", gettext("one"), ngettext("one", "many", 3), fnmatch("*.c", "t.c", 0), btowc('a') == 'a');
    act.sa_handler = on;
    sigemptyset(&act.sa_mask);
    sigaction(SIGTERM, &act, NULL);
    raise(SIGTERM);
    printf("%d %s\n", got == SIGTERM, strsignal(SIGTERM));
    flockfile(stdout);
    if (!ferror_unlocked(stdout) && !sleep(0) && !nanosleep(&(struct timespec){0, 1000}, NULL))
        explicit_bzero(text, 2);
    funlockfile(stdout);
    printf("%d %d\n", text[1], nanosleep(&(struct timespec){0, 2000000000}, NULL));
    warnx("%d", 1);
    error(0, 0, "%s", text);
    errx(3, "%d", 2);
}
C
    gcc -w t.c -o t
    ./t >wanted 2>/dev/null || [ $? -eq 3 ]
    for level in '' '-O2' '-O2 -D_FORTIFY_SOURCE=1' '-O2 -D_FORTIFY_SOURCE=3'; do
        # shellcheck disable=SC2086
        run -0 --separate-stderr "$CUPEL" check t.c --quiet --status $level
        [ "$output" = "3
$(cat wanted)" ]
    done
    echo '#include <search.h>%static int like(const void *a, const void *b) { return *(int *)a - *(int *)b; } int main(void) { int a[2] = {3, 4}, k = 7; size_t n = 2; lsearch(&k, a, &n, sizeof *a, like); return 0; }' |
        each 1 past-the-end
}

@test "a compiler's command line can be taken over as it is" {
    mkdir late && echo 'enum { LATE = 4 };' >late/late.h
    printf '#include <stdio.h>\n#include "late.h"\nint main(void) { printf("%%d\\n", LATE + N); return 0; }\n' >t.c
    flags=(-Wall -Wextra -Wno-unused -pedantic -w -g -g3 -pipe -O2 -std=c11 -DN=3 -idirafter late -Wl,--as-needed)
    [ "$("$CUPEL" check t.c "${flags[@]}")" = 7 ]
    run -0 "$CUPEL" test t.c --quiet "${flags[@]}" --cc gcc --cc clang-19
    run -0 "$CUPEL" emi t.c --quiet "${flags[@]}" --variants 1 --cc gcc
}

@test "flags that change types are not for the machine to ignore" {
    echo 'int printf(const char *, ...); enum e { A }; int main(void) { char c = -1; printf("%d %zu\n", c < 0, sizeof(enum e)); return 0; }' >t.c
    for flag in -funsigned-char -fno-signed-char -fshort-enums -fpack-struct=2 -mlong-double-64 -malign-double \
        -m128bit-long-double -fshort-wchar; do
        run -2 "$CUPEL" check t.c "$flag"
        [[ "$output" == *"types are not as usual with $flag"* ]]
    done
    run -2 "$CUPEL" check t.c -fexec-charset=IBM1047
    [[ "$output" == *"characters are not as usual with -fexec-charset=IBM1047"* ]]
    # floats that are there, and floats that are computed
    echo 'int printf(const char *, ...); double half(double d) { return d / 2; } int main(int c, char **v) { printf("%d\n", c > 1 ? (int)half(c) : 3); return 0; }' >f.c
    for flag in -ffast-math -fsingle-precision-constant -mfpmath=387 -Ofast; do
        run -2 "$CUPEL" check f.c "$flag" --args 'a'
        [[ "$output" == *"floats are not as usual with $flag"* ]]
        run -0 "$CUPEL" check f.c "$flag"
        [ "$output" = "3" ]
    done
    run -0 "$CUPEL" check t.c -fsigned-char -fno-short-enums -fwrapv -fexec-charset=UTF-8
    [ "$output" = "1 4" ]
}

@test "structures among variable arguments, and values that are assigned, are as they were when they were read" {
    cat >t.c <<'C'
#include <stdarg.h>
#include <stdio.h>
struct row {
    int a[4];
};
typedef int lanes __attribute__((vector_size(16)));
static struct row s = {{1, 2, 3, 4}};
static lanes v = {1, 2, 3, 4};
static int first(int n, ...)
{
    va_list list;
    va_start(list, n);
    s.a[0] = 9;
    v[0] = 9;
    int sum = va_arg(list, struct row).a[0];
    lanes w = va_arg(list, lanes);
    va_end(list);
    return 10 * sum + w[0];
}
int main(void)
{
    int sum = first(2, s, v);
    printf("%d %d %d\n", sum, s.a[0], v[0]);
    return 0;
}
C
    for heat in 1 1000; do
        run -0 "$CUPEL" check t.c --heat $heat
        [ "$output" = "11 9 9" ]
    done
}

@test "structures whose bytes lie the other way round are unsupported, by attribute or pragma" {
    each 2 <<'C'
struct __attribute__((scalar_storage_order("big-endian"))) s { int n; }; int main(void) { struct s x = {1}; return *(char *)&x; }
struct __attribute__((scalar_storage_order("big-endian"))) s { int n; }; int main(void) { struct s x; x.n = 1; return *(char *)&x; }
#pragma scalar_storage_order big-endian%struct s { int n; };%struct t { struct s s[2]; } x = {{{1}}}; int main(void) { return *(char *)&x; }
#pragma scalar_storage_order big-endian%struct s { int n; };%int main(void) { struct s x, *p = &x; p->n = 1; return *(char *)&x; }
C
    cat >t.c <<'C'
#pragma scalar_storage_order big-endian
#pragma scalar_storage_order default
struct __attribute__((scalar_storage_order("little-endian"))) s { int n; };
extern int absent(void);
#pragma weak absent
#pragma weak other
extern int other(void);
int main(void) { struct s x = {2}; return *(char *)&x - 2 + (absent ? 1 : 0) + (other ? 1 : 0); }
C
    run -0 "$CUPEL" check --status t.c
    [ "$output" = 0 ]
}

@test "#pragma pack(pop) that gcc and clang take differently is unsupported, and no error" {
    each 2 <<'C'
#pragma pack(push, 2)%#pragma pack(pop, 1)%struct s { char c; int i; };%int main(void) { return sizeof(struct s); }
#pragma pack(push, one, 2)%#pragma pack(pop, two)%struct s { char c; int i; };%int main(void) { return sizeof(struct s); }
C
}

@test "a value of which a part is initialised anew is nobody's to know: compilers differ" {
    each 2 <<'C'
struct s { int a, b; } q = {7, 8}; int main(void) { struct { struct s s; int c; } t = {.s = q, .s.a = 1}; return t.s.b; }
struct s { int a, b; }; struct s f(void) { struct s s = {7, 8}; return s; } int main(void) { struct { struct s s; } t[2] = {[0 ... 1].s = f(), [1].s.a = 1}; return t[0].s.b; }
struct s { int a, b; }; int main(void) { struct s t[2] = {[0 ... 1] = 1, 2}; return t[0].b; }
int n; int f(void) { return ++n; } int main(void) { int a[4] = {[0 ... 3] = f(), [1] = 9}; return a[3]; }
C
    each 0 <<'C'
struct s { int a, b; } q = {7, 8}; int main(void) { struct { struct s s; int c; } t = {.s.a = 1, .s = q}; return t.s.b - 8; }
int n; int f(void) { return ++n; } int main(void) { int a[4] = {[0 ... 3] = f(), [3] = 9}; return a[0] - 1; }
C
}

@test "the type of a bit-field is none that _Generic knows: compilers differ" {
    each 2 <<'C'
struct s { unsigned a : 3; } s; int main(void) { return _Generic(s.a, unsigned: 0, default: 1); }
struct s { long a : 40; } s; int main(void) { return _Generic((0, s.a), long: 0, default: 1); }
struct s { unsigned char a : 3; } s; int f(int i) { return i; } int main(void) { return _Generic(s.a = 1, unsigned char: f)(0); }
C
    each 0 <<'C'
struct s { unsigned a : 3, b : 32; _Bool c : 1; } s; int main(void) { return _Generic(+s.a, int: 0) + _Generic(s.b, unsigned: 0) + _Generic(s.c, _Bool: 0); }
C
}

@test "operands are told as they are: integers of 128 bits, long floats, lanes" {
    local program wanted
    while read -r program && read -r wanted; do
        printf '%s\n' "$program" >t.c
        run -1 "$CUPEL" check t.c
        [[ "$output" == *": $wanted ["* ]]
    done <<'ROWS'
int main(void) { volatile __int128 m = -((__int128)1 << 64); m = m * m; return 0; }
-18446744073709551616 * -18446744073709551616 in '__int128'
int main(void) { volatile unsigned __int128 m = (unsigned __int128)1 << 127; m = m / (m - m); return 0; }
170141183460469231731687303715884105728 / 0 in 'unsigned __int128'
int main(void) { volatile long double x = -1e30L; return (int)x; }
-1e+30
int main(void) { volatile __float128 x = 1e30; return (int)x; }
1e+30
typedef int v4 __attribute__((vector_size(16))); int main(void) { v4 a = {-2147483647, 1}, b = {-5}; return (a + b)[1]; }
-2147483647 + -5 in '__attribute__((vector_size(16))) int'
ROWS
}

@test "a time that does not fit in 32 bits is none on ilp32" {
    cat >t.c <<'C'
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdio.h>
#include <time.h>
int main(void)
{
    struct tm t = {.tm_year = 200, .tm_mon = 14, .tm_mday = 1}, u = {.tm_year = 137, .tm_mon = 12, .tm_mday = 1};
    long v = timegm(&t), w = timegm(&u);
    printf("%ld %d %d %ld %d\n", v, t.tm_mon, v == -1 && errno == EOVERFLOW, w, u.tm_mon);
    return 0;
}
C
    run -0 "$CUPEL" check t.c
    [ "$output" = "4139078400 2 0 2145916800 0" ] || { echo "$output"; false; }
    gcc -E t.c -o t.i
    run -0 "$CUPEL" check --target ilp32 t.i
    [ "$output" = "-1 14 1 2145916800 0" ]
}

@test "what is undefined in another layout is said to be" {
    cat >t.c <<'C'
int printf(const char *, ...);
struct wide { char state; long rest; };
static unsigned char fake = 3;
struct wide *get(void) { return (struct wide *)&fake; }
int main(void) { printf("%d\n", get()->state); return (unsigned long)&fake == 0; }
C
    run -2 "$CUPEL" check t.c
    [[ "$output" == *"t.c:4:33: unspecified: the result depends on the address of an object as a number (undefined otherwise: misaligned access: 'fake' is not a multiple of 8)"* ]]
}
