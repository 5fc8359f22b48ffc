#!/usr/bin/env bats
# cupel triage and cupel report: who is to blame, and how it is told.
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
}

@test "versions, levels: who else has it" {
    vectorised
    run "$CUPEL" triage t.c --cc 'gcc-12 -O3' --expect t.exp --json
    [ "$status" -eq 1 ]
    [ "$(jq -r '.matrix[] | select(.compiler == "gcc-12") | .cells[] | select(.level == "-O3") | .state' <<<"$output")" = shown ]
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
    [[ $output == *"ice-on-valid-code"*"Guilty, by "* ]]
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
