#!/usr/bin/env bats
# cupel volatile: accesses to volatile objects, one by one; planted compilers, honest ones, the hunt.

bats_require_minimum_version 1.5.0
load helpers

# edits NAME SED: gcc-12 whose assembly goes through sed.
edits() {
    cc_script "$1" <<SH
for last; do :; done
case " \$* " in *" -c "*) ;; *) exec gcc-12 "\$@" ;; esac
case " \$* " in *" -m32 "*) m=-m32 ;; *) m=-m64 ;; esac
gcc-12 "\$@" -S && sed '$2' "\$last" >"\$last.s" && exec gcc-12 \$m -c -o "\$last" "\$last.s"
SH
}

program() {
    cat >t.c <<'C'
int printf(const char *, ...);
volatile int v = 3;
volatile long w;
static volatile unsigned char c;
volatile struct { short a; int b; } s;
volatile double d = 1.5;
const volatile int k = 9;
static int f(void)
{
    static volatile int own;
    own++;
    return own;
}
int main(void)
{
    int x = k;
    v = 5;
    c = 7;
    w = x;
    s.b += s.a;
    d = d * 2;
    v;
    printf("%d %d %d\n", f(), x, s.b);
    return 0;
}
C
}

@test "every access is seen, whatever the level" {
    program
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O0' --cc 'gcc-12 -O3' --cc 'clang-19 -O2' --cc 'clang-19 -Os -fPIC'
    [ "${#lines[@]}" -eq 4 ]
    for line in "${lines[@]}"; do
        [[ $line == *": 14 of 14 accesses compared, as the program says" ]]
    done
}

@test "lost, doubled, split, widened, narrowed, reordered accesses and other values are told apart" {
    program
    tab=$(printf '\t')
    edits drops "/movl${tab}\\\$5, v/d"
    edits doubles "s/^${tab}movl${tab}\\\$5, v.*/&\\n&/"
    edits splits "s/^${tab}movl${tab}\\\$5, v.*/${tab}movw \\\$5, v(%rip)\\n${tab}movw \\\$0, v+2(%rip)/"
    edits widens "s/^${tab}movb${tab}\\\$7, c.*/${tab}movw \\\$7, c(%rip)/"
    edits narrows "s/^${tab}movl${tab}\\\$5, v.*/${tab}movb \\\$5, v(%rip)/"
    edits swaps "/movl${tab}\\\$5, v/{h;d};/movb${tab}\\\$7, c/G"
    edits changes "s/movl${tab}\\\$5, v/movl \\\$6, v/"
    run -1 "$CUPEL" volatile t.c --json --cc './drops -O2' --cc './doubles -O2' --cc './splits -O2' \
        --cc './widens -O2' --cc './narrows -O2' --cc './swaps -O2' --cc './changes -O2'
    [ "$(jq -r '.configs[].verdict' <<<"$output" | tr '\n' ' ')" = "volatile-lost volatile-added \
volatile-split volatile-widened volatile-narrowed volatile-reordered volatile-value " ]
    [[ $output == *"expected: write of 4 bytes to v+0, value 0x5 (line 17)"* ]]
}

@test "what C leaves open is not claimed" {
    cat >t.c <<'C'
volatile int a = 1, b = 2;
static int g(int x) { return x + b; }
int main(void) { return g(a) + a * b + g(b) - 9 == 0; }
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2' --cc 'clang-19 -O2' --cc 'gcc-12 -O0' --cc tcc
    cat >copied.c <<'C'
volatile struct { int a, b; } s, t;
int main(void) { s = t; return 0; }
C
    run -2 "$CUPEL" volatile copied.c --cc 'gcc-12 -O2'
    [[ $output == *"no volatile object that can be watched: "*"structures of a kind that the program copies"* ]]
    # others are watched all the same
    cat >some.c <<'C'
struct pair { volatile int a, b; };
static struct pair p = {1, 2}, q, *all[] = {&p, &q};
static struct { struct pair inner; volatile int last; } outer;
static volatile struct { int c; } other;
int main(void)
{
    *all[1] = *all[0];
    outer.inner = q;
    outer.last = q.a;
    other.c = q.b;
    return other.c != 2;
}
C
    run -0 "$CUPEL" volatile some.c --cc 'gcc-12 -O0' --cc 'gcc-12 -O3' --cc 'clang-19 -O2' --cc 'gcc-12 -O2 -m32'
    for line in "${lines[@]}"; do
        [[ $line == *": 2 of 2 accesses compared, as the program says; not compared: "*" of a kind that the program copies" ]]
    done
    cat >cast.c <<'C'
volatile int v;
int main(void) { return *(volatile int *)(char *)&v; }
C
    run -2 "$CUPEL" volatile cast.c --cc 'gcc-12 -O2'
    [[ $output == *"a pointer to a volatile object becomes something else"* ]]
    # constants that are alike may share their place
    cat >alike.c <<'C'
static const volatile int a = 5, b = 5;
int main(void) { int x = a, y = b; x += a; return x + y != 15; }
C
    edits merges '/^b:/d; s/^a:/a:\nb:/'
    run -0 "$CUPEL" volatile alike.c --cc 'gcc-12 -O2' --cc './merges -O2'
    [[ ${lines[0]} == "gcc-12 -O2: 3 of 3 "* && ${lines[1]} == "./merges -O2: 0 of 3 "* ]]
    # what has two names is accessed by either
    cat >names.c <<'C'
static volatile int a = 1;
extern volatile int b __attribute__((alias("a")));
volatile int c;
int main(void) { b++; c = a; return c != 2; }
C
    run -0 "$CUPEL" volatile names.c --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
    for line in "${lines[@]}"; do
        [[ $line == *": 2 of 2 accesses compared"*"3 accesses to what has no symbol of its own"* ]]
    done
    # bit-fields and what is wider than a register have no access of their own
    cat >wide.c <<'C'
volatile struct { unsigned a : 3, b : 5; } s;
volatile __int128 w;
int main(void) { s.a = 1; w = 2; return 0; }
C
    run -0 "$CUPEL" volatile wide.c --cc 'gcc-12 -O2'
    [[ $output == *": 0 of 0 accesses compared"*"2 accesses to what no single instruction accesses"*": counted only" ]]
}

@test "accesses to bit-fields and to what is wider than a register are counted" {
    cat >t.c <<'C'
volatile struct { unsigned a : 3, b : 5; int c : 12; unsigned char d : 4; int e; } bits;
struct { volatile int f : 9; volatile long long wide; volatile int far[3]; } some;
volatile union { int i; unsigned u : 7; } both;
int main(void)
{
    bits.a = 1;
    bits.b = 2;
    bits.c = 3;
    bits.e = 70001;
    some.f = 4;
    some.wide = 70002;
    some.far[2] = bits.c;
    both.i = 70003;
    both.u |= 3;
    return bits.a + bits.b + bits.e + some.f + some.far[2] - 1 - 2 - 70001 - 4 - 3;
}
C
    for flags in -O0 -O2 '-Os -m32'; do
        run -0 "$CUPEL" volatile t.c --cc "gcc-12 $flags" --cc "clang-19 $flags" --cc "clang-13 $flags"
        [[ ${lines[0]} == *" accesses compared, as the program says; not compared: "*": counted only" ]]
    done
    tab=$(printf '\t')
    edits drops "0,/movl${tab}%e[a-d]x, bits(%rip)/{/movl${tab}%e[a-d]x, bits(%rip)/d}"
    edits doubles "0,/movl${tab}%e[a-d]x, bits(%rip)/s/^${tab}movl${tab}%e[a-d]x, bits(%rip)/&\\n&/"
    edits beside "/movl${tab}\\\$70001,/d"
    edits half "/movl${tab}\\\$0, some+8/d;/movl${tab}\\\$0, 8+some/d"
    run -1 "$CUPEL" volatile t.c --json --cc './drops -O2' --cc './doubles -O2' --cc './beside -O2' --cc './half -O2 -m32'
    [ "$(jq -r '.configs[].verdict' <<<"$output" | tr '\n' ' ')" = "volatile-lost volatile-added volatile-lost volatile-lost " ]
    [[ $output == *"write of 4 bytes to bits+4 (line 9); made: none"* ]]
    # members far from it are compared one by one
    edits far "s/movl${tab}\\(%e[a-d]x\\), 24+some(%rip)/movw${tab}\\\$3, 24+some(%rip)/"
    run -1 "$CUPEL" volatile t.c --cc './far -O2'
    [[ $output == "./far -O2: volatile-narrowed: "*"some+24"* ]]
}

@test "a member that is not volatile is not compared, whatever lvalue it is accessed by" {
    cat >t.c <<'C'
static struct { volatile int a; int b; } s;
int main(void)
{
    *(volatile int *)&s.b = 1;
    s.a = 2;
    return s.a - 2;
}
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
    [[ ${lines[0]} == *": 2 of 2 accesses compared"*"1 access to objects that are not volatile, by lvalues that are" ]]
}

@test "members of a device's registers are watched, whatever lies between them" {
    cat >t.c <<'C'
typedef struct {
    volatile unsigned control, status;
    unsigned reserved[3];
    volatile unsigned short rate;
    unsigned short unused;
    volatile unsigned char fifo[4];
    char name[20];
} device;
static device first = {.status = 128, .name = "first"}, second = {.status = 64, .name = "second"};
static device *const all[] = {&first, &second};
int main(void)
{
    int n = 0;
    for (int i = 0; i < 2; i++) {
        device *d = all[i];
        d->control |= 1u << 3;
        d->rate = 777;
        d->reserved[i] = d->reserved[2] = 5;
        d->fifo[i] = d->status >> 6;
        d->unused++;
        for (const char *s = d->name; *s; s++)
            n += *s == 's';
    }
    first.reserved[1] = 7;
    second.name[0] = first.name[1];
    return n + second.name[0] != 2 + 'i';
}
C
    tab=$(printf '\t')
    edits drops "/movl\?w\?${tab}\\\$777,/d"
    edits widens "s/^${tab}movw${tab}\\\$777,/${tab}movl \\\$777,/"
    run -1 "$CUPEL" volatile t.c --cc 'gcc-12 -O0' --cc 'gcc-12 -O3' --cc 'clang-19 -O2' --cc 'gcc-12 -O2 -m32' \
        --cc './drops -O1' --cc './widens -O1'
    for i in 0 1 2 3; do
        [[ ${lines[i]} == *": 10 of 10 accesses compared, as the program says" ]]
    done
    [[ ${lines[4]} == "./drops -O1: volatile-lost: "* ]]
    [[ ${lines[5]} == "./widens -O1: volatile-widened: "* ]]
}

@test "what is not compared is said, for the program and for the compiler" {
    cat >t.c <<'C'
volatile int v;
volatile struct { int a : 3; } bits;
static int read(volatile int parameter) { return parameter; }
int main(void)
{
    volatile int local = 1, some[2] = {1, 2};
    v = local;
    local = v;
    bits.a = 1;
    return read(some[0]) - 1;
}
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2'
    [[ $output == *": 6 of 6 accesses compared, as the program says; not compared: 2 accesses to what has no place"* ]]
    [[ $output == *"; 1 access to what no single instruction accesses (bit-fields"*"counted only"* ]]
    run -2 "$CUPEL" volatile t.c --cc 'gcc-12 -O2 -fsanitize=address'
    [[ $output == *": not observed: the loader does not load it: sanitizers need their run-time library" ]]
    cat >once.c <<'C'
static int plain = 1;
volatile int v;
int main(void) { v = *(volatile int *)&plain; return 0; }
C
    run -0 "$CUPEL" volatile once.c --cc 'gcc-12 -O2'
    [[ $output == *": 1 of 1 "*"; not compared: 1 access to objects that are not volatile, by lvalues that are" ]]
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2' --json
    [ "$(jq '.uncompared | length' <<<"$output")" = 2 ]
}

# clang up to 16 leaves zeros beside a _BitInt(29), later ones its sign, and reads one of 40 bits in two parts.
@test "bits that a _BitInt has to spare are nobody's business" {
    cat >t.c <<'C'
volatile _BitInt(29) spare[] = {0, -9};
volatile _BitInt(40) parts = 3;
volatile _BitInt(32) whole = -1;
int main(void) { return spare[1] + 9 + (int)parts - 3 + whole + 1; }
C
    for cc in clang-16 clang-19; do
        command -v $cc || continue
        run -0 "$CUPEL" volatile t.c --cc "$cc -O2"
        [[ $output == *": 1 of 1 accesses compared, as the program says; not compared: 2 accesses to what no single"* ]]
    done
}

# Automatic objects, one of them reached by a pointer and in a function that is called.
locals() {
    cat >t.c <<'C'
int printf(const char *, ...);
static volatile int s;
__attribute__((noinline)) static int f(volatile int *p, int n)
{
    volatile short own = 1111;
    *p += n;
    own;
    return n;
}
int main(void)
{
    volatile int x = 2222;
    volatile unsigned char c = 77;
    int plain = 1;
    int *volatile pointer = &plain;
    volatile float half = 0.5f;
    *pointer += half > 1;
    s = x;
    for (int i = 0; i < 3; i++) {
        volatile int again = 3333;
        again += i;
    }
    x = 4444;
    s = c;
    printf("%d\n", f(&x, 1));
    return 0;
}
C
}

@test "an automatic object that is not volatile and written as if it were is not compared" {
    cat >t.c <<'C'
static int *volatile v;
static void f(void)
{
    int *plain[1];
    int *volatile *p = &plain[0];
    *p = v;
}
int main(void) { f(); return 0; }
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2'
    [[ $output == *": 1 of 1 "*"; not compared: 1 access to objects that are not volatile, by lvalues that are" ]]
}

@test "automatic objects are found on the stack, and programs of -m32 are stepped through" {
    locals
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O0' --cc 'gcc-12 -O2' --cc 'clang-19 -O2' --cc 'gcc-12 -Os -m32' \
        --cc 'clang-19 -O0 -m32' --cc 'gcc-12 -O2 -fPIE -pie -flto' --cc 'gcc-12 -O2 -m32 -fno-pic -pie'
    [ "${#lines[@]}" -eq 7 ]
    for line in "${lines[@]}"; do
        [[ $line == *": 24 of 24 accesses compared, as the program says" ]]
    done
    # clang's objects are no machine code then; its linker plugin is a package of its own
    if clang-19 -flto -o linked t.c 2>/dev/null; then
        run -0 "$CUPEL" volatile t.c --cc 'clang-19 -O2 -flto'
        [ "$output" = "clang-19 -O2 -flto: 24 of 24 accesses compared, as the program says" ]
    fi
    # what is not stepped through is said
    sed 's/< 3/< 30000/' t.c >long.c
    run -0 "$CUPEL" volatile long.c --cc 'gcc-12 -O2'
    [[ $output == *": 2 of 2 accesses compared"*" automatic objects of a program that is not stepped through"* ]]
}

@test "lost, doubled, split, widened, narrowed and other accesses to automatic objects, with -m32 too" {
    locals
    tab=$(printf '\t')
    edits drops "/mov[lw]${tab}\\\$1111,/d"
    edits doubles "s/^${tab}movl${tab}\\\$4444,.*/&\\n&/"
    edits splits "s/^${tab}movl${tab}\\\$2222, \\([0-9]*\\)\\(.*\\)/${tab}movw \\\$2222, \\1\\2\\n${tab}movw \\\$0, 2+\\1\\2/"
    edits widens "s/^${tab}movb${tab}\\\$77,/${tab}movw \\\$77,/"
    edits narrows "s/^${tab}movl${tab}\\\$3333,/${tab}movw \\\$3333,/"
    for flags in '-O1' '-O1 -m32'; do
        run -1 "$CUPEL" volatile t.c --json --cc "./drops $flags" --cc "./doubles $flags" --cc "./splits $flags" \
            --cc "./widens $flags" --cc "./narrows $flags"
        [ "$(jq -r '.configs[].verdict' <<<"$output" | tr '\n' ' ')" = "volatile-lost volatile-added \
volatile-split volatile-widened volatile-narrowed " ]
        [[ $output == *"expected: write of 2 bytes to own+0, value 0x457 (line 5)"* ]]
    done
}

@test "elements and members of automatic objects are found on the stack" {
    cat >t.c <<'C'
int printf(const char *, ...);
int main(void)
{
    volatile int all[4];
    volatile short few[3] = {3001, 3002, 3003};
    volatile struct { char c; int i; long l; } s = {51, 70001, 1234567};
    int x = 0;
    for (int i = 0; i < 3; i++)
        all[i] = 90001 + i;
    all[3] = 90004;
    few[1] = 771;
    s.c = 52;
    s.i = 70002;
    s.l = 7654321;
    x += all[0] + all[3] + few[0] + few[1] + s.c + s.i + (int)s.l;
    all[2] = x;
    s.i;
    printf("%d\n", x);
    return 0;
}
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O0' --cc 'gcc-12 -O2' --cc 'clang-19 -O2' --cc 'clang-13 -Os'
    [ "${#lines[@]}" -eq 4 ]
    for line in "${lines[@]}"; do
        [[ $line == *": 17 of 17 accesses compared, as the program says" ]]
    done
    tab=$(printf '\t')
    edits drops "/movl${tab}\\\$70002,/d"
    edits doubles "s/^${tab}movw${tab}\\\$771,.*/&\\n&/"
    edits splits "s/^${tab}movl${tab}\\\$90004, \\([0-9]*\\)\\(.*\\)/${tab}movw \\\$24468, \\1\\2\\n${tab}movw \\\$1, 2+\\1\\2/"
    edits widens "s/^${tab}movb${tab}\\\$52,/${tab}movw \\\$52,/"
    edits narrows "s/^${tab}movq${tab}\\\$7654321,/${tab}movl \\\$7654321,/"
    run -1 "$CUPEL" volatile t.c --json --cc './drops -O1' --cc './doubles -O1' --cc './splits -O2' \
        --cc './widens -O1' --cc './narrows -O1'
    [ "$(jq -r '.configs[].verdict' <<<"$output" | tr '\n' ' ')" = "volatile-lost volatile-added \
volatile-split volatile-widened volatile-narrowed " ]
    [[ $output == *"expected: write of 4 bytes to s+4, value 0x11172 (line 13)"* ]]
}

@test "large automatic objects cost no more than small ones" {
    cat >t.c <<'C'
int main(void)
{
    volatile char large[6000000];
    int n = 0;
    for (int i = 0; i < 150; i++) {
        large[i * 7] = (char)i;
        n += large[i * 7];
    }
    return n & 0;
}
C
    run -0 timeout 20 "$CUPEL" volatile t.c --cc 'gcc-12 -O1'
    [[ $output == *": 300 of 300 accesses compared, as the program says" ]]
}

@test "gcc accesses no volatile member of an automatic structure: told, and of the right object" {
    cat >t.c <<'C'
struct s { volatile int i; };
int main(void)
{
    volatile short few[2] = {3001, 3002};
    struct s q;
    int x = few[0] + few[1];
    q.i = 1;
    return q.i + x - 6004;
}
C
    run -1 "$CUPEL" volatile t.c --cc 'clang-19 -O2' --cc 'gcc-12 -O0' --cc 'gcc-12 -O2'
    [[ ${lines[0]} == *": 4 of 4 accesses compared"* && ${lines[1]} == *": 4 of 4 accesses compared"* ]]
    [[ ${lines[2]} == "gcc-12 -O2: volatile-lost: "*"after 2 accesses, expected: write of 4 bytes to q+0,"* ]]
}

@test "a lost beginning of an automatic object is told, whatever is printed then" {
    cat >t.c <<'C'
int printf(const char *, ...);
int main(void)
{
    volatile int x = 70001;
    printf("%d\n", x);
    return 0;
}
C
    edits drops '/movl\t\$70001/d'
    run -1 "$CUPEL" volatile t.c --cc './drops -O2'
    [[ $output == "./drops -O2: volatile-lost: "*"expected: write of 4 bytes to x+0, value 0x11171"* ]]
}

@test "of two automatic objects that look alike, the one whose access is lost is told" {
    cat >t.c <<'C'
int t;
int main(void)
{
    volatile int x = 0;
    volatile int y = 0;
    int positive = x > 0;
    t = positive * y;
    return t;
}
C
    run -1 "$CUPEL" volatile t.c --cc 'clang-19 -O2' --cc 'gcc-12 -O2'
    [[ ${lines[0]} == *": volatile-lost: "*"expected: read of 4 bytes from y+0, value 0 (line 7)"* ]]
    [[ ${lines[1]} == "gcc-12 -O2: 4 of 4 accesses compared, as the program says" ]]
}

@test "the object whose read clang skips is told, not one with more accesses" {
    cat >t.c <<'C'
int main(void)
{
    volatile int skipped = 0;
    volatile unsigned short v = 2;
    volatile int result = 0;
    result = 1 / v * skipped;
    return result;
}
C
    run -1 "$CUPEL" volatile t.c --cc 'clang-19 -O3'
    [[ $output == *"volatile-lost"*"read of 4 bytes from skipped+0"* ]]
}

@test "gcc writes a volatile object once more: found, the pass named, the program reduced" {
    cat >t.c <<'C'
volatile int a;
int unused;
int main()
{
    for (int b = 3; b; --b) {
        static int c;
        for (c = 2; c; c--)
            unused = c;
        a = 0;
    }
}
C
    run -1 "$CUPEL" volatile t.c --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
    [[ ${lines[0]} == "gcc-12 -O2: volatile-added: "* ]]
    [[ ${lines[1]} == "clang-19 -O2: 3 of 3 accesses compared, as the program says" ]]
    # with the instructions of the line that is to blame, and of no other
    [[ ${lines[2]} == "gcc-12 -O2, its code (-S -g1):" && ${lines[3]} == "line 9:" ]]
    [ "$(grep -c ', a(%rip)$' <<<"$output")" = 4 ]
    run -1 "$CUPEL" volatile t.c --json --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
    [ "$(jq -r '.configs[].code != null' <<<"$output" | xargs)" = "true false" ]
    run -1 "$CUPEL" triage t.c --cc 'gcc-12 -O2' --no-matrix
    [[ $output == *"volatile-added"*"lim"* ]]
    run -0 "$CUPEL" reduce t.c --cc 'gcc-12 -O2' -o small.c --no-evidence
    [[ $output == *"volatile-added of gcc-12 -O2"* ]]
    run -1 grep -q unused small.c
}

@test "the hunt looks at volatile objects too, and keeps what it finds" {
    # every write of eight bytes to an object by its name is made twice
    edits twice "s/^\\tmovq\\t%r[a-d]x, watch(%rip)/&\\n&/"
    run -1 "$CUPEL" hunt D --quiet --jobs 1 --seed 5 --mode small --programs 60 --stop-after 1 --cc "$PWD/twice -O1"
    run -1 "$CUPEL" list D --json
    [ "$(jq -r '.[0].verdict' <<<"$output")" = volatile-added ]
    run -1 "$CUPEL" show D 1
    grep -q '^line [0-9]*:$' <<<"$output"
    grep -q '^.mov[a-z]*.*watch(%rip)' <<<"$output"
    run -1 D/findings/1/reproduce.sh
    [[ $output == *"still there"*"volatile-added"* ]]
    CUPEL=/nowhere/cupel run -2 D/findings/1/reproduce.sh
    [ "$output" = "no /nowhere/cupel here, which alone sees volatile accesses: try CUPEL=/where/it/is/cupel D/findings/1/reproduce.sh" ]
}

@test "a hunt finds a compiler that swaps two accesses to volatile objects" {
    # stores of constants and registers to two objects, one after the other, change places: that is
    # right unless both are volatile
    cc_script swaps <<'SH'
for last; do :; done
case " $* " in *" -c "*) ;; *) exec gcc-12 "$@" ;; esac
gcc-12 "$@" -S && awk '
function stores(l) { return l ~ /^\tmov[lqbw]\t(\$[0-9-]+|%[a-z0-9]+), [a-zA-Z0-9_.]+\(%rip\)$/ }
function place(l) { sub(/.*, /, "", l); return l }
held != "" { if (stores($0) && place($0) != place(held)) { print; print held; held = ""; next } print held; held = "" }
stores($0) { held = $0; next }
{ print }' "$last" >"$last.s" && exec gcc-12 -c -o "$last" "$last.s"
SH
    run -1 "$CUPEL" hunt D --quiet --jobs 1 --seed 5 --mode small --programs 60 --stop-after 1 --cc "$PWD/swaps -O0"
    run -1 "$CUPEL" list D --json
    [ "$(jq -r '.[0].verdict' <<<"$output")" = volatile-reordered ]
}

@test "what instructions of AVX-512 do to volatile objects is read, or not judged" {
    grep -q avx512bw /proc/cpuinfo || skip "no AVX-512 here"
    cat >t.c <<'C'
volatile unsigned g = 7;
int main(void)
{
    volatile unsigned long v = 5;
    unsigned long x = v;
    unsigned y = g;
    return x != 5 || y != 7;
}
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O1'
    [[ $output == *": 3 of 3 accesses compared"* ]]
    # into a mask: the opcode of seto, but for its prefix
    edits masks 's/^\tmovl\tg(%rip), \(%e[a-d]x\)/\tkmovd\tg(%rip), %k2\n\tkmovd\t%k2, \1/'
    # into a register that only EVEX names: where that reads nobody here can tell
    edits evex 's/^\tmovq\t\(-8(%rsp)\), \(%r[a-d]x\)/\tvmovq\t\1, %xmm24\n\tvmovq\t%xmm24, \2/'
    for fault in masks evex; do
        ./$fault -O1 -c t.c -o t.o
        objdump -d t.o | grep -q 'kmovd\|xmm24'
    done
    run -0 "$CUPEL" volatile t.c --cc './masks -O1'
    [[ $output == *": 3 of 3 accesses compared, as the program says"* ]]
    run "$CUPEL" volatile t.c --cc './evex -O1'
    [[ $output == *"not "* && $output != *volatile-lost* ]]
}

@test "a program that defines a function of the library is not compared" {
    cat >puts.c <<'C'
int printf(const char *, ...);
volatile int n;
int puts(const char *s) { n++; return *s; }
int main(void) { printf("hello\n"); return n == 9; }
C
    cat >memset.c <<'C'
volatile int n;
void *memset(void *p, int c, unsigned long k)
{
    char *q = p;
    for (n++; k--;)
        *q++ = (char)c;
    return p;
}
int main(void) { char b[40]; memset(b, 0, 4); return b[3]; }
C
    for name in puts memset; do
        run -2 "$CUPEL" volatile $name.c --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
        [[ $output == *"$name.c: nothing to compare: it defines $name itself, a function of the library: "* ]]
    done
    # one that only has its name is the program's own
    sed 's/puts(const char \*s)/puts(long n, long s, long t)/; s/return \*s/return s/' puts.c >own.c
    run -0 "$CUPEL" volatile own.c --cc 'gcc-12 -O2'
}

@test "JSON says too why nothing is compared" {
    echo 'int main(void) { return 0; }' >none.c
    run -2 "$CUPEL" volatile none.c --json --cc 'gcc-12 -O2'
    [ "$(jq -r '.configs[0] | .verdict + ": " + .why' <<<"$output")" = "not-observed: no volatile object" ]
    # what is volatile for one compiler only is compared there
    printf '#ifdef __clang__\nvolatile\n#endif\nint a;\nint main(void) { a = 1; return 0; }\n' >one.c
    run -2 "$CUPEL" volatile one.c --cc 'gcc-12 -O2' --cc 'clang-19 -O2'
    [[ ${lines[0]} == *"not observed: no volatile object" && ${lines[1]} == *": 1 of 1 accesses compared"* ]]
}

@test "what is too long to be stepped through, or prints too much, is said to be that" {
    echo 'volatile int v; int main(void) { for (int i = 0; i < 30000; i++) v = i; return 0; }' >long.c
    run -2 "$CUPEL" volatile long.c --cc 'gcc-12 -m32'
    [[ $output == *": not observed: not stepped through: it executes too much; and not loaded: another machine's code" ]]
    cat >wide.c <<'C'
int printf(const char *, ...);
volatile int v;
int main(void) { for (v = 0; v < 5; v++) printf("%9999d\n", 7); return 0; }
C
    run -2 "$CUPEL" volatile wide.c --cc 'gcc-12 -m32'
    [[ $output == *"not stepped through: it prints too much; "* ]]
}

# An order, a choice of the compiler's, a time or an address that reaches a volatile object and nothing
# else: no access is wrong.
@test "what C leaves open is not held against a compiler's accesses" {
    head='volatile int v; int last; long time(long *);
static int a(void) { last = 1; return 0; }
static int b(void) { last = 2; return 0; }
static inline int k(int x) { return __builtin_constant_p(x); }
static const char *s = "abc", *t = "abc";
__attribute__((noinline)) static int two(int x, int y) { return x + y; }'
    for open in 'two(a(), b()); v = last;' 'if (k(1)) v = 1;' 'if (s == t) v = 1;' 'v = (int)time(0);' \
        'int x; v = (int)((unsigned long)&x >> 4 & 255);'; do
        printf '%s\nint main(void) { %s; v = 3; return 0; }\n' "$head" "$open" >t.c
        run -2 "$CUPEL" volatile t.c --cc 'gcc -O2' --cc 'clang-19 -O2'
        [[ "$output" == *"is left open"* ]]
    done
    # twins that have one meaning
    for closed in 'two(a(), 0); v = last;' 'if (s[1] == t[1]) v = 1;' 'v = time(0) > 0;'; do
        printf '%s\nint main(void) { %s; v = 3; return 0; }\n' "$head" "$closed" >t.c
        run -0 "$CUPEL" volatile t.c --cc 'gcc -O2' --cc 'clang-19 -O2'
    done
}

# The processor reports the first byte on the closed page, not where the access begins.
@test "an access that crosses into the page of a volatile object does not touch it" {
    cat >t.c <<'C'
char pad[4090] __attribute__((aligned(4096))) = {1};
char g[10] = {1};
volatile int v = 7;
int main(void)
{
    for (int i = 0; i < 10; i++)
        g[i] = 3;
    return v - 7 + pad[1];
}
C
    run -0 "$CUPEL" volatile t.c --cc 'clang-19 -O2' --cc 'clang-19 -O0' --cc 'gcc -O1'
    [[ "$output" == *"clang-19 -O2: 1 of 1 accesses compared"* ]]
}

@test "a lost access that makes a loop endless is told" {
    cat >t.c <<'C'
volatile int n = 3, other;
int main(void)
{
    other = 1;
    while (n)
        n--;
    return other - 1;
}
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2'
    edits endless '/movl\t%eax, n(%rip)/d'
    run -1 "$CUPEL" volatile t.c --timeout 2 --cc './endless -O2'
    [[ $output == "./endless -O2: volatile-lost: "*"expected: write of 4 bytes to n+0, value 0x2"* ]]
}

@test "of objects that look alike, the order of their accesses tells whose was lost" {
    # clang makes the product a branch, and reads the second factor on one side only
    cat >t.c <<'C'
int main(void)
{
    volatile int a = 0;
    volatile int b = 0;
    volatile int c = 0;
    int t = 0 < b;
    int u = a * t << t && c;
    return t + u;
}
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2'
    run -1 "$CUPEL" volatile t.c --cc 'clang-19 -O3'
    [[ $output == "clang-19 -O3: volatile-lost: "*"expected: read of 4 bytes from a+0, value 0 (line 7)"* ]]
}
