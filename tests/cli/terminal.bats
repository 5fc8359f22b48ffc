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

# pane COLUMNS COMMAND: in a terminal of that width; `screen` is what it shows, `size COLUMNS` changes it.
terminal() { tmux -S "$PWD/socket" -f /dev/null "$@"; }
pane() {
    LC_ALL=C.UTF-8 terminal new-session -d -x "$1" -y 30 "LC_ALL=C.UTF-8 $2; echo ended \$?; read -r _"
}
screen() { terminal capture-pane -p "$@"; }
size() { terminal resize-window -x "$1" -y 30; }
# What differs between two runs of the same hunt.
steady() {
    sed -E 's/[0-9]+:[0-9]{2}/T/g; s/[0-9.]+ and [0-9.]+ a second/R a second/; s/[0-9]+% CPU/P% CPU/; s/ [▁▂▃▄▅▆▇█]+ / H /'
}

@test "the panel: findings first at every width, in colour where that is wanted" {
    cc_script bad <<<'printf "t.c: internal compiler error: in frob, at x.c:1\n" >&2; exit 4'
    sed -i '2i case "$*" in *probe* | *model*) exec gcc "$@" ;; esac' bad
    for columns in 80 100 200; do
        pane $columns "'$CUPEL' hunt H$columns --jobs 1 --seed 1 --programs 1 --mode small --cc '$PWD/bad -O1'"
        within 120 "screen | grep -q '^ended 1'"
        screen -e >colours
        screen | steady >screen
        terminal kill-server
        grep -B99 '^cupel: 1 program,' screen | grep -A9 '^1 finding' >panel
        [ "$(sed -n 1p panel)" = "1 finding (1 new)  stopped T  H  H$columns" ]
        [[ "$(sed -n 2p panel)" == "1 programs, "*" compiles"*", P% CPU in compilers" ]]
        [ "$(sed -n 3p panel)" = "by compiler: $(echo "$PWD/bad 1" | cut -c -$((columns - 14)))" ]
        sed -n 4p panel | grep -q '^   1 compiler-crash '
        [ "$(awk '{ if (length($0) > most) most = length($0) } END { print most }' panel)" -lt $columns ]
        grep -q "^cupel: next: cupel list H$columns; cupel show H$columns 1;" screen
        LC_ALL=C grep -q "$(printf '\033')\[.*1 finding" colours
    done
    NO_COLOR=1 pane 80 "NO_COLOR=1 '$CUPEL' hunt N --jobs 1 --seed 1 --programs 1 --mode small --cc '$PWD/bad -O1'"
    within 120 "screen | grep -q '^ended 1'"
    screen -e >colours
    terminal kill-server
    grep -q 'finding (1 new)' colours
    run ! grep "$(printf '\033')" colours
}

@test "the panel is drawn cleanly after the window has become narrower and wider" {
    cc_script waits <<<'case "$*" in *probe* | *model*) ;; *) while [ -e '"$PWD"'/wait ]; do sleep 0.1; done ;; esac; exec gcc "$@"'
    touch wait
    pane 120 "'$CUPEL' hunt H --jobs 1 --seed 1 --programs 1 --mode small --cc '$PWD/waits -O1'"
    for columns in 120 60 90; do
        size $columns
        # drawn again at that width, once
        within 120 "screen | grep -q '^by profile:' && [ \"\$(screen | grep -c '^0 findings')\" = 1 ]"
        within 60 "[ \"\$(screen | grep '^by profile' | awk '{ print (length(\$0) > $columns - 6) }')\" = 1 ]"
        [ "$(screen | grep -c '^by profile')" = 1 ]
    done
    rm wait
    within 120 "screen | grep -q '^ended 0'"
    terminal kill-server
}
