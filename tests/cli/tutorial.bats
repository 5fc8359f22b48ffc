#!/usr/bin/env bats
# The pages that teach: every command of docs/tutorial.md does what it says, and so does the nightly script.

bats_require_minimum_version 1.5.0
load helpers

docs() { echo "$BATS_TEST_DIRNAME/../../docs"; }

setup_path() {
    mkdir path
    ln -s "$(realpath "$CUPEL")" path/cupel
    PATH=$PWD/path:$PATH
}

# How a command of the page ends when it is not 0.
status_of() {
    case $1 in
    'cupel hunt '* | 'cupel list '* | 'cupel show '* | 'cupel triage '* | 'cupel report '* | *reproduce.sh) echo 1 ;;
    *) echo 0 ;;
    esac
}

@test "the tutorial: each command, in its order" {
    setup_path
    sed -n 's/^    \$ //p' "$(docs)/tutorial.md" >commands
    [ "$(wc -l <commands)" -gt 15 ]
    while read -r command; do
        status=0
        eval "$command" >out 2>err </dev/null || status=$?
        [ "$status" = "$(status_of "$command")" ] || { echo "$command: exit status $status"; tail -n 5 out err; false; }
        case $command in
        'cupel reduce'*) [ "$(wc -l <bugs/findings/1/reduced.c)" -lt 20 ] ;;
        # which of two workers is first, and so what the fault is first seen by, is open
        'cupel show'*) grep -qE '^Finding 1: (wrong-code|program-crash|volatile-[a-z]+)' out ;;
        'cat bugs'*)
            # the campaign knows it too
            [ "$(cupel list bugs --json | jq '.[0].lines')" -lt 20 ]
            # and shows it first
            cmp bugs/findings/1/reduced.c <(cupel show bugs 1 | head -n "$(wc -l <bugs/findings/1/reduced.c)")
            ;;
        'cupel triage'*) grep -q '^First wrong' out || cupel show bugs 1 | grep -q '^Finding 1: volatile-' ;;
        'cupel report bugs 1'*) grep -qE 'wrong (code|volatile accesses)' out ;;
        'cupel recheck'*) grep -q gone out ;;
        esac
    done <commands
    [ -s bugs.html ]
    [ -s bugs.tar.gz ]
}

@test "every night: a new bug fails, a known one does not, one that is gone is said" {
    setup_path
    cc_script build <<<'exec gcc "$@"'
    # gcc writes a volatile object once more from -O1 on, which would be new
    nightly() { "$BATS_TEST_DIRNAME/../../examples/nightly.sh" night 600 "$PWD/build -O0" >out 2>&1; }
    # bounded by programs, not by time
    cc_script path/cupel-few <<<'[ "$1" != hunt ] || set -- "$@" --programs 8 --jobs 1 --mode small --seed 1; exec "'"$CUPEL"'" "$@"'
    export CUPEL=$PWD/path/cupel-few
    nightly
    grep -q 'nothing new; 0 known' out
    cc_script build <<<'printf "x.c: internal compiler error: in frob, at x.c:1\n" >&2; exit 4'
    sed -i '2i case "$*" in *probe* | *model*) exec gcc "$@" ;; esac' build
    run -1 nightly
    grep -q '1 new in night' out
    nightly
    grep -q holds out
    grep -q 'nothing new; 1 known' out
    cc_script build <<<'exec gcc "$@"'
    nightly
    grep -q gone out
}
