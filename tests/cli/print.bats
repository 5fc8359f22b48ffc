#!/usr/bin/env bats
# cupel print: real code, options, bad input.

bats_require_minimum_version 1.5.0
load helpers

@test "a program without its headers does the same" {
    cat >t.c <<'C'
#include <stdio.h>
#include <string.h>
#define GREETING "hello"
int main(void)
{
    char text[32];
    strcpy(text, GREETING);
    printf("%s %d\n", text, VALUE);
    return 3;
}
C
    "$CUPEL" print t.c -DVALUE=7 -o printed.c
    run ! grep -q '#include' printed.c
    gcc printed.c -o printed
    run ./printed
    [ "$status" = 3 ]
    [ "$output" = "hello 7" ]
    # what nothing uses is left out, and it still does the same
    "$CUPEL" print t.c -DVALUE=7 --minimal -o minimal.c
    run ! grep -q 'fopen' minimal.c
    [ "$(wc -l <minimal.c)" -lt 60 ]
    gcc minimal.c -o minimal
    run ./minimal
    [ "$output" = "hello 7" ]
}

@test "the layout is as people write it" {
    cat >t.c <<'C'
int f(int a,char*b){if((a)>1){return(a+1)*2;}else if(b)a--;for(int i=0;i<3;i++){b[i]=(char)a;}
switch(a){case 1:a=2;break;default:a=-a;}do a++;while(a<0);return a?*b:-1;}
struct s{int x;unsigned y:3,z:4;}v={1,.z=2};
C
    cat >wanted <<'C'
int f(int a, char *b)
{
    if (a > 1) {
        return (a + 1) * 2;
    } else if (b)
        a--;
    for (int i = 0; i < 3; i++) {
        b[i] = (char)a;
    }
    switch (a) {
    case 1:
        a = 2;
        break;
    default:
        a = -a;
    }
    do
        a++;
    while (a < 0);
    return a ? *b : -1;
}

struct s {
    int x;
    unsigned int y : 3, z : 4;
} v = {
    1,
    .z = 2
};
C
    "$CUPEL" print t.c | diff wanted -
}

@test "the splice path gives back the preprocessed text" {
    printf '#include <stdlib.h>\n\n\nint   main ( void ) {\treturn EXIT_FAILURE ; }\n' >t.c
    "$CUPEL" print -E t.c | cmp - <("$CUPEL" print --extents t.c)
    gcc -E t.c >t.i
    "$CUPEL" print --extents t.i | cmp - t.i
}

@test "stdin, .i files, another compiler, old C" {
    echo 'main() { return sizeof(long); }' | "$CUPEL" print - >out
    grep -q 'int main()' out
    echo 'int x = __clang_major__;' | "$CUPEL" print - --cc clang-19 >out
    grep -q 'int x = 19;' out
    echo 'f(a) char a; { return g(a); }' >old.c
    "$CUPEL" print old.c -std=gnu89 | gcc -std=gnu89 -w -c -x c - -o old.o
}

@test "-m32 and --target change the data model" {
    echo '_Static_assert(sizeof(long) == 4, "ilp32");' >t.c
    "$CUPEL" print t.c --target ilp32
    run "$CUPEL" print t.c
    [ "$status" = 2 ]
    [[ "$output" == *"static assertion failed: ilp32"* ]]
    run "$CUPEL" print t.c --target pdp11
    [ "$status" = 2 ]
    [[ "$output" == "cupel: unknown target 'pdp11': lp64, ilp32, "* ]]
}

@test "errors are placed in the original source" {
    mkdir inc
    echo 'static int broken(void) { return missing_name; }' >inc/h.h
    printf '#include "h.h"\nint main(void)\n{\n\treturn 1 +;\n}\n' >t.c
    run "$CUPEL" print t.c -I inc
    [ "$status" = 2 ]
    [[ "${lines[0]}" == "inc/h.h:1:34: error: 'missing_name' undeclared" ]]
    [[ "$output" == *"t.c:4:"*": error: expected an expression before ';'"* ]]
    [[ "$output" == *"^"* ]]
}

@test "what cannot be read is one line and exit 2" {
    run "$CUPEL" print missing.c
    [ "$status" = 2 ]
    [ "$output" = "cupel: cannot read missing.c: No such file or directory" ]
    echo '#include "nowhere.h"' >t.c
    run "$CUPEL" print t.c
    [ "$status" = 2 ]
    [ "${#lines[@]}" = 1 ]
    [[ "$output" == "cupel: t.c: preprocessing failed: t.c:1:10: fatal error: nowhere.h"* ]]
    run "$CUPEL" print t.c --cc no-such-compiler
    [ "$status" = 2 ]
    [ "${#lines[@]}" = 1 ]
    [[ "$output" == *"no-such-compiler"* ]]
    run "$CUPEL" print
    [ "$status" = 2 ]
    run "$CUPEL" print t.c --nonsense
    [ "$status" = 2 ]
    [[ "$output" == *"unknown option '--nonsense': see cupel print --help"* ]]
}

@test "garbage is refused without harm" {
    head -c 100000 /dev/urandom >t.i
    run "$CUPEL" print t.i
    [ "$status" = 2 ]
    : >empty.i
    run "$CUPEL" print empty.i
    [ "$status" = 0 ]
    printf 'int x;' >t.i
    run "$CUPEL" print t.i -o /nonexistent/x.c
    [ "$status" = 2 ]
    [ "${#lines[@]}" = 1 ]
}

@test "a round trip keeps the assembly: examples, our own cases, and Csmith" {
    root=$BATS_TEST_DIRNAME/../..
    for i in 11 12 13; do csmith -s $i >cs$i.c; done
    ROUNDTRIP_CC=gcc ROUNDTRIP_DIR=$PWD/rt run "$root/tools/roundtrip" --files \
        "$PWD"/cs*.c "$root"/examples/*.c "$root"/tests/front/*.c
    [ "$status" = 0 ]
    [[ "$output" == *" 0 not (0 of them unexpected)"* ]]
}

@test "types and constants are clang's" {
    root=$BATS_TEST_DIRNAME/../..
    CLANG_DIFF=${CUPEL%/*}/clang-diff run "$root/tools/clang-diff" --csmith 2
    [ "$status" = 0 ]
    [[ "$output" == *" 0 differ"* ]]
}

@test "records are laid out as gcc does it, in both data models" {
    for seed in 1 2 3 4; do
        "${CUPEL%/*}/layout-diff" $seed lp64 >t.c
        gcc -w t.c -o t
        ./t
        "${CUPEL%/*}/layout-diff" $seed ilp32 >t.c
        gcc -w -m32 -fsyntax-only t.c
    done
}

@test "one mistake in an initialiser is one error, not one more at every use" {
    printf 'int main(void)\n{\n    int x = y + 1;\n    return x + x;\n}\n' >t.c
    run -2 "$CUPEL" print t.c
    [ "$(grep -c error: <<<"$output")" = 1 ]
    [[ "${lines[0]}" == "t.c:3:13: error: 'y' undeclared" ]]
}

# same_as_gcc FILE FLAGS...: preprocessed here without starting gcc, and as gcc does it
same_as_gcc() {
    gcc -w -E "$@" >gcc.i
    "$CUPEL" print -E --verbose "$@" >ours.i 2>said
    [ ! -s said ] || { cat said >&2; return 1; }
    # tokens: what is there when blanks are not
    [ "$(grep -v '^# ' gcc.i | tr -d ' \t\n' | md5sum)" = "$(grep -v '^# ' ours.i | tr -d ' \t\n' | md5sum)" ]
    # strings, and the places of everything
    "$CUPEL" print gcc.i >gcc.c && "$CUPEL" print ours.i >ours.c && cmp gcc.c ours.c
}

@test "the system's headers are preprocessed as gcc does it, without gcc" {
    export XDG_CACHE_HOME=$PWD/cache
    for h in assert ctype errno fcntl fenv float inttypes iso646 limits locale math netdb pthread \
        regex setjmp signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib string \
        sys/socket sys/stat sys/types tgmath time unistd wchar wctype; do
        echo "#include <$h.h>"
    done >t.c
    echo 'int f(FILE *f, int c) { assert(c != EOF && "x"); errno = EINVAL; return putc(c, f) + INT_MAX; }' >>t.c
    for flags in '' '-std=c11' '-std=gnu89 -O2' '-D_GNU_SOURCE -UNDEBUG'; do
        # shellcheck disable=SC2086
        same_as_gcc t.c $flags || { echo "with '$flags'" >&2; return 1; }
    done
    printf '#include <stddef.h>\n#include <stdarg.h>\nunsigned long n = sizeof(size_t) + __LONG_MAX__;\n' >t.c
    same_as_gcc t.c -m32
}

@test "what gcc must say is said by gcc" {
    printf '#include <nowhere.h>\n' >t.c
    run -2 "$CUPEL" print t.c
    [[ $output == *"nowhere.h: No such file or directory"* ]]
    printf 'int x = 1;\n#if x == \n#endif\n' >t.c
    run -2 "$CUPEL" print t.c
    [[ $output == *"t.c:2:"* ]]
    printf 'int y;\n#warning beware\nchar *d = __DATE__;\n' >t.c
    run -0 "$CUPEL" print -E --verbose t.c
    [[ $output == *"t.c is preprocessed by gcc: #warning"* ]]
    [[ $output == *"int y;"* ]]
}

@test "what an unused function's attribute names is not needed" {
    printf '#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts("hi"); return 0; }\n' >t.c
    run -0 "$CUPEL" print --minimal t.c
    [[ "$output" != *reallocarray* && "$output" != *fclose* ]]
    printf 'void mine(void *);\n__attribute__((malloc(mine, 1))) void *get(void);\n__attribute__((malloc(mine, 1))) void *got(void);\n' >u.h
    printf '#include "u.h"\nint main(void) { return get() != 0; }\n' >v.c
    run -0 "$CUPEL" print --minimal v.c
    [[ "$output" == *"void mine("* && "$output" == *"get("* && "$output" != *"got("* ]]
}
