#!/usr/bin/env bats
# What compilers and programs print reaches a terminal without escape sequences or other control
# bytes, whatever command shows it.

bats_require_minimum_version 1.5.0
load helpers

# plain FILE...: nothing in them but lines of printable text.
plain() {
    LC_ALL=C grep -nP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$@" && return 1
    [ -s "$1" ]
}

# on_terminal COMMAND...: what a terminal would get.
on_terminal() {
    script -qec "$*" /dev/null </dev/null | tr -d '\r'
}

# A compiler that says what would rename the window, clear the screen and hide the rest.
loud() {
    cc_script "$1" <<<"printf 'a.c: error: \\033]0;owned\\007 \\033[2J\\033[8m \\302\\233 \\220 \\r bell\\007\\n' >&2; exit 1"
}

@test "what a compiler says, in every way that it can fail" {
    printf 'int main(void) { return 0; }\n' >t.c
    loud cc1
    cc_script cc2 <<<"printf '\\033[2Jlast words' >&2; kill -SEGV \$\$"
    cc_script cc3 <<<"printf 'x: internal compiler error: in \\033[31mfrob\\n' >&2; exit 4"
    cc_script cc4 <<<"printf 'cannot write \\033[2J: Read-only file system\\n' >&2; exit 4"
    cc_script cc5 <<<"printf 'PLEASE submit a bug report\\nLLVM ERROR: \\033[2J\\n' >&2; exit 70"
    "$CUPEL" test t.c --cc gcc --cc "$PWD/cc1" --cc "$PWD/cc2" --cc "$PWD/cc3" --cc "$PWD/cc4" --cc "$PWD/cc5" >out 2>err || [ $? = 1 ]
    plain out
    grep -q '\\033\[2J' out
    "$CUPEL" test t.c --quiet --json --cc gcc --cc "$PWD/cc1" >out.json || [ $? = 1 ]
    plain out.json
    run ! "$CUPEL" test t.c --quiet --cc "$PWD/cc1"
    printf '%s\n' "$output" >out
    plain out
}

@test "what a program prints, on a terminal; byte by byte in a file" {
    printf '%s\n' '#include <stdio.h>' 'int main(void) { fputs("\033[2J\a", stdout); fputs("\033[8m\n", stderr); return 0; }' >t.c
    "$CUPEL" check t.c >raw 2>err
    printf '\033[2J\a' | cmp - raw
    on_terminal "$CUPEL" check t.c >out
    plain out
    grep -q '\\033\[2J' out
    "$CUPEL" test t.c --quiet --cc gcc --cc tcc >out
    plain out
}

@test "a source that says things, and undefined behaviour in such a line" {
    printf 'int main(void) { int x = 1; /* \033[2J\007 */ return x / (x - 1); }\n' >t.c
    "$CUPEL" check t.c >out 2>err || [ $? = 1 ]
    plain err
    printf 'int main(void) { return "\033[2J" +* 3 }\n' >t.c
    "$CUPEL" check t.c >out 2>err || [ $? = 2 ]
    plain err
    "$CUPEL" print t.c >out 2>err || [ $? = 2 ]
    plain err
}

@test "compilers, and a hunt with its findings" {
    mkdir bin
    cc_script bin/gcc-99 <<<'case "$*" in *--version*) printf "gcc \033[2J 99.1\007\n" ;; -print* | -dump*) exit 1 ;; *) exec gcc "$@" ;; esac'
    ln -s /usr/bin/gcc /usr/bin/as /usr/bin/ld bin
    PATH="$PWD/bin" HOME="$PWD" XDG_CACHE_HOME="$PWD/cache" "$CUPEL" compilers --quiet >out 2>err
    plain out
    grep -q 99.1 out
    cc_script bad <<<'printf "t.c: internal compiler error: in f\033[2J, at \007x.c:1\n" >&2; exit 4'
    sed -i '2i case "$*" in *probe* | *model*) exec gcc "$@" ;; esac' bad
    "$CUPEL" hunt H --quiet --jobs 1 --seed 1 --programs 2 --cc "$PWD/bad -O1" >out 2>err || [ $? = 1 ]
    "$CUPEL" list H >list || [ $? = 1 ]
    plain list
    "$CUPEL" show H 1 >show || [ $? = 1 ]
    plain show H/findings/1/report.txt H/findings/1/reproduce.sh
    on_terminal "$CUPEL" status H >status
    plain status
}
