#!/usr/bin/env bats
# cupel volatile: accesses to volatile objects, one by one; planted compilers, honest ones, the hunt.

bats_require_minimum_version 1.5.0
load helpers

# edits NAME SED: gcc-12 whose assembly goes through sed.
edits() {
    cc_script "$1" <<SH
for last; do :; done
case " \$* " in *" -c "*) ;; *) exec gcc-12 "\$@" ;; esac
gcc-12 "\$@" -S && sed '$2' "\$last" >"\$last.s" && exec gcc-12 -c -o "\$last" "\$last.s"
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
    [[ $output == *"nothing to compare: a structure with volatile members is copied"* ]]
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
    # bit-fields and what is wider than a register have no access of their own
    cat >wide.c <<'C'
volatile struct { unsigned a : 3, b : 5; } s;
volatile __int128 w;
int main(void) { s.a = 1; w = 2; return 0; }
C
    run -2 "$CUPEL" volatile wide.c --cc 'gcc-12 -O2'
    [[ $output == *"no volatile object that can be watched"* ]]
}

@test "what is not compared is said, for the program and for the compiler" {
    cat >t.c <<'C'
volatile int v;
volatile struct { int a : 3; } bits;
int main(void)
{
    volatile int local = 1;
    v = local;
    local = v;
    bits.a = 1;
    return 0;
}
C
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2'
    [[ $output == *": 2 of 2 accesses compared, as the program says; not compared: 3 accesses to what is not of"* ]]
    [[ $output == *"; 2 accesses to what no single instruction accesses (bit-fields"* ]]
    run -2 "$CUPEL" volatile t.c --cc 'gcc-12 -O2 -m32'
    [[ $output == "gcc-12 -O2 -m32: not observed: the loader does not load it: another machine's code" ]]
    run -0 "$CUPEL" volatile t.c --cc 'gcc-12 -O2' --json
    [ "$(jq '.uncompared | length' <<<"$output")" = 2 ]
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
    run -1 D/findings/1/reproduce.sh
    [[ $output == *"still there"*"volatile-added"* ]]
}
