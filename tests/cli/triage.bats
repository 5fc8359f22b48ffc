#!/usr/bin/env bats
# cupel triage and cupel report: who is to blame, and how it is told.
bats_require_minimum_version 1.5.0
load helpers

# A lie about restrict, which every vectoriser falls for: what it "must" print is what -O0 does.
vectorised() {
    cat >t.c <<'C'
int printf(const char *, ...);
int a[64];
__attribute__((noinline)) void f(int *restrict p, int *restrict q)
{
    for (int i = 0; i < 60; i++)
        p[i] = q[i] + 1;
}
int main(void)
{
    f(a + 1, a);
    printf("%d\n", a[60]);
    return 0;
}
C
    echo 60 >t.exp
}

@test "the guilty pass has one name in every version, and is found again" {
    vectorised
    for cc in clang-19 clang-13; do
        command -v $cc || continue
        run "$CUPEL" triage t.c --cc "$cc -O3" --expect t.exp --no-matrix
        [ "$status" -eq 1 ]
        [[ $output == *"Guilty:        loop-vectorize"* ]]
    done
    run "$CUPEL" triage t.c --cc 'gcc-12 -O3' --expect t.exp --no-matrix
    [ "$status" -eq 1 ]
    [[ $output == *"Guilty:        dbg-cnt vect_loop"* ]]
    [[ $output == *"Gone with:     -fdbg-cnt=vect_loop:0"* ]]
    again=$("$CUPEL" triage t.c --cc 'gcc-12 -O3' --expect t.exp --no-matrix | grep -v Cost) || :
    [ "$again" = "$(grep -v Cost <<<"$output")" ]
}

@test "a crash of Clang has its stage; a compiler without passes its lowest level" {
    echo '#pragma clang __debug crash' >t.c
    echo 'int main(void) { return 0; }' >>t.c
    run "$CUPEL" triage t.c --cc 'clang-19 -O2' --no-matrix --json
    [ "$status" -eq 1 ]
    [ "$(jq -r .stage <<<"$output")" = "front end" ]
    cc_script cc-wrong <<'S'
case " $* " in *" -O2 "*) exec gcc -Dx=1 "$@" ;; esac
exec gcc -Dx=0 "$@"
S
    printf 'int printf(const char *, ...);\nint main(void) { printf("%%d", x); return 0; }\n' >w.c
    printf 0 >w.exp
    run "$CUPEL" triage w.c --cc './cc-wrong -O2' --expect w.exp --no-matrix
    [[ $output == *"Guilty:        -O2"* ]]
}

@test "nothing wrong, nothing to triage; what is undefined is no compiler's fault" {
    vectorised
    run "$CUPEL" triage t.c --cc 'gcc-12 -O0' --expect t.exp
    [ "$status" -eq 2 ]
    run "$CUPEL" triage t.c --cc 'gcc-12 -O3'
    [ "$status" -eq 2 ]
    [[ $output == *"undefined"* ]]
    # but a compiler may not crash over it
    echo 'int main(void) { if ((_Bool)(16ULL % !1U)) {} }' >ice.c
    run "$CUPEL" triage ice.c --cc 'gcc-12 -O0' --no-matrix
    [ "$status" -eq 1 ]
    [[ $output == *"Bug:           compiler-crash gcc: in gimplify_expr"* ]]
    # nor refuse what others take, though nothing of it runs; what all refuse is nobody's fault
    cat >picky <<'S'
#!/bin/sh
for a; do
    case $a in *.c) ! grep -q long "$a" || { echo "t.c:1: error: no" >&2; exit 1; } ;; esac
done
exec gcc "$@"
S
    chmod +x picky
    echo 'long a = 0;' >part.c
    run "$CUPEL" triage part.c --cc ./picky --no-matrix
    [ "$status" -eq 1 ]
    [[ $output == *rejects-valid* ]]
    echo 'long a = b;' >part.c
    run "$CUPEL" triage part.c --cc ./picky --no-matrix
    [ "$status" -eq 2 ]
}

@test "a rejection for another reason is not the same bug" {
    cat >t.c <<'C'
__int128 a = 3;
int main(void) { return a != 3; }
C
    cc_script refusing <<'S'
for a; do
    case $a in *.c) grep -q __int128 "$a" && { echo "t.c:1:1: error: no integers" >&2; exit 1; } ;; esac
done
exec tcc "$@"
S
    run "$CUPEL" triage t.c --cc './refusing -O1' --json
    [ "$status" -eq 1 ]
    [ "$(jq -r '.matrix[] | select(.compiler == "tcc") | .cells[0].state' <<<"$output")" = other ]
}

@test "versions, levels: who else has it" {
    vectorised
    run "$CUPEL" triage t.c --cc 'gcc-12 -O3' --expect t.exp --json
    [ "$status" -eq 1 ]
    [ "$(jq -r '.matrix[] | select(.compiler == "gcc-12") | .cells[] | select(.level == "-O3") | .state' <<<"$output")" = shown ]
    [ "$(jq -r '.matrix[] | select(.compiler == "gcc-12") | .cells[] | select(.level == "-O0") | .state' <<<"$output")" = gone ]
    # flags that say which machine it is leave no other to try
    run "$CUPEL" triage t.c --cc 'gcc-12 -O3 -mavx2 -m64' --expect t.exp
    [ "$status" -eq 1 ]
    [[ "$output" == *"gcc-12 "*BAD* && "$output" != *-m32* ]]
}

@test "the accused has a row whatever its name; another family has the bug only if it does the same" {
    cc_script cc-wrong <<'S'
exec gcc -Dx=1 "$@"
S
    # pcc returns something else from a main without return: a mistake of its own
    printf 'int printf(const char *, ...);\n#ifndef x\n#define x 0\n#endif\nint main(void) { printf("%%d", x); }\n' >w.c
    printf 0 >w.exp
    run "$CUPEL" triage w.c --cc './cc-wrong -O2' --expect w.exp --json
    [ "$status" -eq 1 ]
    [ "$(jq -r '.matrix[] | select(.compiler == "./cc-wrong") | .cells | map(.state) | unique | .[]' <<<"$output")" = shown ]
    [ "$(jq '[.matrix[] | select(.compiler != "./cc-wrong") | .cells[] | select(.state == "shown")] | length' <<<"$output")" = 0 ]
}

@test "the function that goes wrong, by attributes: gcc and clang" {
    cat >t.c <<'C'
int printf(const char *, ...);
int a[64];
static int g(int n) { return n * 2 - n; }
void f(int *restrict p, int *restrict q, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = q[i] + 1;
}
int main(void)
{
    f(a + 1, a, g(60));
    printf("%d\n", a[60]);
    return 0;
}
C
    echo 60 >t.exp
    for cc in gcc-12 clang-19; do
        run "$CUPEL" triage t.c --cc "$cc -O3" --expect t.exp --no-matrix
        [ "$status" -eq 1 ]
        [[ $output == *"Function:      f"* ]]
    done
}

@test "the first value that goes wrong, of a compiler that cannot be asked; the same each time" {
    bank=$(cd "$BATS_TEST_DIRNAME/../bank" && pwd)
    # shellcheck source=tests/bank/bank.sh
    . "$bank/bank.sh"
    mkdir bin
    bank_wrap bin gcc-sar
    cat >t.c <<'C'
int printf(const char *, ...);
int x = -5;
static int f(int n) { return n * 3 + 1; }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += f(i) + (x >> 1) * i;
    printf("%d\n", sum);
    return 0;
}
C
    run "$CUPEL" triage t.c --cc "$PWD/bin/gcc-sar -O0" --no-matrix
    [ "$status" -eq 1 ]
    [[ $output == *"First wrong:   expression in main, line 8: x >> 1"* ]]
    [[ $output == *"int >>"* ]]
    [[ $output == *"expected fffffffffffffffd, actual 7ffffffd"* ]]
    [[ $output == *"Bug:           wrong-code"*"int >>"* ]]
    again=$("$CUPEL" triage t.c --cc "$PWD/bin/gcc-sar -O0" --no-matrix | grep -v Cost) || :
    [ "$again" = "$(grep -v Cost <<<"$output")" ]
}

@test "a bit-field that is read by a wrong shift is the bug of the shift" {
    printf '#!/bin/sh\nexec "%s/../bank/faulty" gcc-sar "$@"\n' "$BATS_TEST_DIRNAME" >faulty-cc
    chmod +x faulty-cc
    echo 'int printf(const char *, ...); struct { int b : 20; } s = {-3}; int main(void) { printf("%d", s.b); return 0; }' >b.c
    echo 'int printf(const char *, ...); int a = -3; int main(void) { printf("%d", a >> 1); return 0; }' >s.c
    "$CUPEL" triage b.c --cc ./faulty-cc --no-matrix --json >b.json || [ $? = 1 ]
    "$CUPEL" triage s.c --cc ./faulty-cc --no-matrix --json >s.json || [ $? = 1 ]
    [ "$(jq -r .first_source b.json)" = s.b ]
    [ "$(jq -r .bug b.json)" = "$(jq -r .bug s.json)" ]
}

@test "what goes wrong with int as well is one bug, whatever type it is seen with" {
    for fault in tcc-not gcc-idiv tcc-least; do
        printf '#!/bin/sh\nexec "%s/../bank/faulty" %s "$@"\n' "$BATS_TEST_DIRNAME" $fault >$fault
        chmod +x $fault
    done
    for type in int long; do
        echo "int printf(const char *, ...); volatile $type a = -9, b = 2; int main(void) { printf(\"%d\", (int)(~a)); return 0; }" >$type.c
        "$CUPEL" triage $type.c --cc ./tcc-not --no-matrix --json >$type.json || [ $? = 1 ]
    done
    [ "$(jq -r .first_shape long.json)" = '~int' ]
    [ "$(jq -r .bug int.json)" = "$(jq -r .bug long.json)" ]
    # the other one divides ints as it should
    sed -i 's/~a/a \/ b/' long.c
    "$CUPEL" triage long.c --cc ./gcc-idiv --no-matrix --json >long.json || [ $? = 1 ]
    [ "$(jq -r .first_shape long.json)" = 'long / or %' ]
    # of comparisons it is said which: one that reads >= as > does the others right
    sed -i 's/~a/b >= b/' int.c
    "$CUPEL" triage int.c --cc ./tcc-least --no-matrix --json >int.json || [ $? = 1 ]
    [ "$(jq -r .first_shape int.json)" = 'signed <, wrong: >=' ]
}

@test "of a compiler with several faults, each is known by what is wrong itself" {
    printf '#!/bin/sh\nexec "%s/../bank/faulty" tcc-least+tcc-for+tcc-or "$@"\n' "$BATS_TEST_DIRNAME" >faulty-cc
    chmod +x faulty-cc
    shape_of() {
        echo "int printf(const char *, ...); int main(void) { $1 a = 4, n = 0; $2 printf(\"%d\\n\", (int)n); return 0; }" >t.c
        "$CUPEL" triage t.c --cc ./faulty-cc --no-matrix --json | jq -r .first_shape
    }
    [ "$(shape_of int 'n = a >= 4;')" = 'signed <, wrong: >=' ]
    [ "$(shape_of unsigned 'n = a >= 4;')" = 'signed <, wrong: >=' ]
    # <= is right by itself: that >= is not has nothing to do with it
    [ "$(shape_of int 'for (a = 0; a <= 3; a++) n++;')" = 'signed <' ]
    # | is right, whatever its type; |= is not
    [ "$(shape_of int 'n |= a; n |= 5;')" = 'int |, only =' ]
    [ "$(shape_of long 'n |= a; n |= 5;')" = 'int |, only =' ]
}

@test "what goes wrong first and does not matter is not the bug" {
    bank=$BATS_TEST_DIRNAME/../bank
    # shellcheck source=tests/bank/bank.sh
    . "$bank/bank.sh"
    mkdir bin
    bank_wrap bin tcc-least+tcc-or+tcc-not+tcc-for
    # in each, >= and ~ go wrong first and nobody reads what they give
    for matters in 'c |= d;' 'for (int i = 0; i <= 3; i++) c += i;' 'c = a >= b;' 'f = ~c * 0.5;' 's.m = ~d, c = s.m;'; do
        cat >t.c <<C
int printf(const char *, ...);
int a = 3, b = 3, c = 5, d = 6, unused;
double f;
struct { int k, m : 20; } s;
int main(void)
{
    unused = a >= b;
    if (!unused)
        unused = ~d;
    unused |= 3;
    $matters
    printf("%d %a\n", c, f);
    return 0;
}
C
        "$CUPEL" triage t.c --cc "bin/tcc-least+tcc-or+tcc-not+tcc-for -O0" --no-matrix --json >t.json || [ $? = 1 ]
        jq . t.json
        [ "$(jq .first_line t.json)" = 11 ]
    done
}

# What lies on a stack decides whether some wrong code shows: objects that are loaded may all be right.
@test "what shows only in the linked program is not blamed on the first flag" {
    cat >plainly-wrong <<'SH'
#!/bin/sh
case " $* " in
*" -c "* | *" -E "* | *" -O0 "*) exec gcc "$@" ;;
*" -O2 "*) exec gcc -DWRONG "$@" ;;
esac
exec gcc "$@"
SH
    chmod +x plainly-wrong
    cat >t.c <<'C'
#ifndef WRONG
#define WRONG 0
#endif
int printf(const char *, ...);
int main(void) { printf("%d\n", WRONG); return 0; }
C
    "$CUPEL" triage t.c --cc './plainly-wrong -O2' --no-matrix --json >t.json || [ $? = 1 ]
    [ "$(jq -r .verdict t.json)" = wrong-code ]
    [ "$(jq -r .pass t.json)" = -O2 ]
}

@test "a wrong place is not a wrong operation: what a compound assignment finds is looked at" {
    command -v clang-13 || skip "no clang-13"
    # the subscript of a vector that is a _Bool is taken for -1
    for statement in 'b[a] = 0' 'b[a] += 5' 'int c = b[a]++' 'b[2] = b[a]'; do
        echo "int printf(const char *, ...); _Bool a = 1; __attribute__((vector_size(16))) int b = {1, 1};
int main(void) { $statement; printf(\"%d%d\n\", b[1], b[2]); return 0; }" >t.c
        "$CUPEL" triage t.c --cc 'clang-13 -O0' --no-matrix --json | jq -r .bug
    done >bugs || :
    [ "$(wc -l <bugs)" -eq 4 ]
    [ "$(sort -u bugs)" = 'wrong-code clang: -O0: value of int in a vector' ]
}

@test "what hides from probes is found one expression at a time" {
    # the value is what the type says only where it is passed on
    cc_script cc-hides <<'S'
case " $* " in *" -E "*) exec gcc "$@" ;; esac
n=$# source=''
while [ "$n" -gt 0 ]; do
    case $1 in *.c) source=$1 ;; *) set -- "$@" "$1" ;; esac
    shift
    n=$((n - 1))
done
[ -n "$source" ] || exec gcc "$@"
sed 's/int a = (unsigned short)b;/int a = b;/' "$source" | gcc "$@" -x c -
S
    cat >t.c <<'C'
int printf(const char *, ...);
int main(void)
{
    signed char b = -35;
    int a = (unsigned short)b;
    printf("%d\n", a);
    return 0;
}
C
    run "$CUPEL" triage t.c --cc ./cc-hides --no-matrix --json
    [ "$status" -eq 1 ]
    [ "$(jq -r .first_source <<<"$output")" = "(unsigned short)b" ]
    [ "$(jq -r .first_shape <<<"$output")" = "(unsigned short) signed char" ]
}

@test "-m32 is a column: what a program must do there is known" {
    echo 'int main(void) { return 0; }' >empty.c
    gcc -m32 empty.c -o /dev/null 2>/dev/null || skip "no -m32 here"
    cat >t.c <<'C'
int printf(const char *, ...);
int a[7][6] = {9};
int main(void)
{
    for (int b = 1; b < 6; b++)
        for (int c = 1; c < 5; c++)
            a[b][c] = a[b - 1][c - 1];
    printf("%d %d\n", (int)sizeof(long), a[3][3]);
    return 0;
}
C
    run "$CUPEL" triage t.c --cc 'gcc-12 -O3 -mavx2' --json
    [ "$status" -eq 1 ]
    [ "$(jq -r '.matrix[] | select(.compiler == "gcc-12") | .cells[] | select(.m32) | .state' <<<"$output")" = shown ]
    [ "$(jq -r '.matrix[] | select(.compiler == "gcc-12") | .cells[] | select(.level == "-O0") | .state' <<<"$output")" = gone ]
}

# crashing: ICEs on loops, and says so with a hostile name.
crashing_campaign() {
    cc_script crashing <<'S'
for a; do
    case $a in *.c) if grep -q 'for (' "$a"; then
        echo "$a:1:1: internal compiler error: in <script>alert(1)</script>&, at frob.c:123" >&2
        exit 4
    fi ;; esac
done
exec gcc -w "$@"
S
    "$CUPEL" hunt h --programs 25 --seed 1 --mode plain --quiet --cc "$PWD/crashing" || [ $? = 1 ]
}

@test "a campaign's bugs as tracker text and as a page on which nothing is live" {
    crashing_campaign
    run "$CUPEL" triage h 1 --no-matrix
    [ "$status" -eq 1 ]
    for tracker in gcc llvm text; do
        run "$CUPEL" report h 1 --for $tracker
        [ "$status" -eq 1 ]
        [[ $output == "Title: "*"Found by a random program generator"* ]]
    done
    run "$CUPEL" report h 1 --for gcc
    [[ $output == *"ice-on-valid-code"*"No pass could be named"* ]]
    run "$CUPEL" report h --html page.html
    [ "$status" -eq 1 ]
    grep -q '&lt;script&gt;' page.html
    ! grep -q '<script' page.html
    ! grep -qE '(src|href)="?https?:' page.html
    run "$CUPEL" report h 99
    [ "$status" -eq 2 ]
    run "$CUPEL" report h --for nobody
    [ "$status" -eq 2 ]
}

@test "what a report tells can be pasted; where only the exit status is wrong, it says so" {
    cc_script cc-wrong <<'S'
n=$# source=''
while [ "$n" -gt 0 ]; do
    case $1 in *.c) source=$1 ;; *) set -- "$@" "$1" ;; esac
    shift
    n=$((n - 1))
done
[ -n "$source" ] || exec gcc "$@"
sed 's/return 3;/return 4;/' "$source" | gcc "$@" -x c -
S
    printf '#!/bin/sh\necho "int main(void) { return 3; }" >"$2"\n' >copy
    chmod +x copy
    "$CUPEL" hunt h --mode source --source "$PWD/copy {seed} {out}" --programs 1 --quiet --cc "$PWD/cc-wrong -O1" || [ $? = 1 ]
    run "$CUPEL" report h 1
    [[ $output == *"Expected: exit status 3"*"Actual: exit status 4"*"repeatable: holds, exit status 4: not 3"* ]]
    sed -n '/^int main/,/}/p' <<<"$output" >t.c
    command=$(sed -n 's/^\$ //p' <<<"$output")
    run sh -c "$command"
    [ "$status" -eq 4 ]
}

@test "two findings become one and two again; nothing is forgotten" {
    crashing_campaign
    "$CUPEL" list h --json >before.json || [ $? = 1 ]
    [ "$(jq length before.json)" = 1 ]
    cc_script rejecting <<'S'
for a; do
    case $a in *.c) grep -q 'for (' "$a" && { echo "$a:1:1: error: no loops today" >&2; exit 1; } ;; esac
done
exec gcc -w "$@"
S
    "$CUPEL" hunt h --programs 25 --mode plain --quiet --cc "$PWD/rejecting" || [ $? = 1 ]
    "$CUPEL" list h --json >before.json || [ $? = 1 ]
    [ "$(jq length before.json)" = 2 ]
    "$CUPEL" merge h 1 2
    "$CUPEL" list h --json >merged.json || [ $? = 1 ]
    [ "$(jq length merged.json)" = 1 ]
    [ "$(jq '.[0].count' merged.json)" = "$(jq 'map(.count) | add' before.json)" ]
    run "$CUPEL" list h --all
    [[ $output == *"(the same bug as 1)"* ]]
    run "$CUPEL" show h 2
    [ "$status" -eq 1 ]
    [[ $output == *"The same bug as 1"* ]]
    run "$CUPEL" recheck h --quiet --json
    [ "$(jq length <<<"$output")" = 2 ]
    run "$CUPEL" merge h 2 1
    [ "$status" -eq 2 ]
    run "$CUPEL" split h 1
    [ "$status" -eq 2 ]
    [[ $output == *" 2"* ]]
    "$CUPEL" split h 2
    "$CUPEL" list h --json >after.json || [ $? = 1 ]
    diff before.json after.json
    run "$CUPEL" merge h 1
    [ "$status" -eq 2 ]
}

@test "a fix that is only partial is seen by recheck" {
    crashing_campaign
    # as if the hunt had reduced it
    sqlite3 h/cupel.db 'SELECT detail FROM finding WHERE id = 1' |
        jq -c '.reduced.program = "int main(void) { for (;;) return 0; }\n" | .reduced.lines = 1' >detail.json
    sqlite3 h/cupel.db "UPDATE finding SET detail = CAST(readfile('detail.json') AS TEXT) WHERE id = 1"
    run "$CUPEL" recheck h --quiet --json
    [ "$(jq -r '.[0].state' <<<"$output")" = holds ]
    cc_script better <<'S'
for a; do
    case $a in *.c) if grep -q 'for (' "$a" && [ "$(wc -l <"$a")" -gt 5 ]; then
        echo "$a:1:1: internal compiler error: in <script>alert(1)</script>&, at frob.c:123" >&2
        exit 4
    fi ;; esac
done
exec gcc -w "$@"
S
    run "$CUPEL" recheck h --quiet --json --cc "$PWD/better"
    [ "$status" -eq 1 ]
    [ "$(jq -r '.[0].state' <<<"$output")" = partly ]
    run "$CUPEL" recheck h --quiet --json --cc gcc
    [ "$status" -eq 0 ]
    [ "$(jq -r '.[0].state' <<<"$output")" = gone ]
}
