#!/usr/bin/env bats
# make install, the manual and the shells' completion: all from the tables that --help prints.

bats_require_minimum_version 1.5.0
load helpers

# tree WHAT: make install or uninstall below root; the binary is the one under test, as it is
tree() {
    make -C "$BATS_TEST_DIRNAME/../.." --no-print-directory -o "$(realpath "$CUPEL")" \
        BUILD="$(dirname "$(realpath "$CUPEL")")" PREFIX=/usr DESTDIR="$PWD/root" "$1" >log 2>&1
}

@test "install and uninstall: everything comes, and everything goes" {
    tree install
    [ "$(root/usr/bin/cupel --version)" = "$("$CUPEL" --version)" ]
    [[ "$(root/usr/bin/cupel --version)" =~ ^cupel\ [0-9]+\.[0-9]+\.[0-9]+ ]]
    [ -s root/usr/share/bash-completion/completions/cupel ]
    [ -s root/usr/share/zsh/site-functions/_cupel ]
    for c in $("$CUPEL" --help=words | cut -f1); do
        [ -s "root/usr/share/man/man1/cupel-$c.1" ]
    done
    tree uninstall
    run find root -type f
    [ -z "$output" ]
}

@test "man pages: a page for each command, with all of its options, and nothing to complain about" {
    "$CUPEL" --help=man >cupel.1
    man --warnings -l cupel.1 2>warnings >page
    [ ! -s warnings ]
    grep -q 'cupel-hunt(1)' page
    for c in $("$CUPEL" --help=words | cut -f1); do
        "$CUPEL" "$c" --help=man >"$c.1"
        MANWIDTH=200 man --warnings -l "$c.1" 2>warnings >page
        [ ! -s warnings ]
        "$CUPEL" "$c" --help | sed -n 's/^  \(-[-a-zA-Z0-9]*\).*/\1/p' | grep -v -e '^--help$' | sort -u >options
        cat options >>all
        while read -r option; do
            grep -q -e "^ *$option" page || { echo "$c: no $option in the manual"; false; }
        done <options
    done
    [ "$(sort -u all | wc -l)" -gt 50 ]
}

@test "help: cupel help COMMAND is COMMAND --help, and an unknown one is an error" {
    diff <("$CUPEL" help gen) <("$CUPEL" gen --help)
    "$CUPEL" help | grep -q '  hunt '
    run -2 "$CUPEL" help nothing
    [ "$output" = "cupel: unknown command 'nothing': see cupel --help" ]
}

# completed WORDS...: what bash offers for the last of them
completed() {
    mkdir -p path
    ln -sf "$(realpath "$CUPEL")" path/cupel
    PATH=$PWD/path:$PATH bash -c '
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _cupel; printf "%s\n" "${COMPREPLY[@]}"' - "$BATS_TEST_DIRNAME/../../share/cupel.bash" "$@"
}

@test "completion in bash: commands, options, compilers, findings, files" {
    [ "$(completed cupel hu)" = hunt ]
    [ "$(completed cupel help tri)" = triage ]
    completed cupel gen --s | grep -qx -e --seed
    completed cupel gen --s | grep -qx -e --size
    completed cupel test t.c --cc gc | grep -q '^gcc'
    [ "$(completed cupel gen --profile loo)" = loops ]
    touch some-file.c
    [ "$(completed cupel check some)" = some-file.c ]
}

@test "completion in zsh: commands and options, in a real one" {
    mkdir path
    ln -s "$(realpath "$CUPEL")" path/cupel
    zsh -n "$BATS_TEST_DIRNAME/../../share/_cupel"
    terminal() { tmux -S "$PWD/socket" -f /dev/null "$@"; }
    screen() { terminal capture-pane -p; }
    terminal new-session -d -x 120 -y 30 "PATH='$PWD/path:$PATH' HOME='$PWD' zsh -f"
    terminal send-keys "PS1='ready '; fpath=('$(realpath "$BATS_TEST_DIRNAME/../../share")' \$fpath); autoload -U compinit; compinit -u -d '$PWD/dump'; clear" Enter
    within 60 "screen | grep -q '^ready *$'"
    terminal send-keys 'cupel comp' Tab
    within 60 "screen | grep -q 'cupel compilers'"
    terminal send-keys C-u 'cupel gen --expe' Tab
    within 60 "screen | grep -q -e 'gen --expect'"
    terminal kill-server
}
