#!/usr/bin/env bats
# Sanitizers are compilers under test too: what they report, and what they do not.
bats_require_minimum_version 1.5.0
load helpers

@test "a sanitizer that reports what is defined is found out, with evidence of its own" {
    cat >alarm.c <<'C'
int dprintf(int, const char *, ...);
__attribute__((constructor)) static void alarm_(void)
{
    dprintf(2, "t.c:3:4: runtime error: signed integer overflow: 1 + 1 cannot be represented\n");
}
C
    gcc -c alarm.c
    cc_script alarming <<'S'
here=$(dirname "$0")
case " $* " in
*" -c "* | *" -E "*) exec gcc -w "$@" ;;
*-fsanitize=undefined*) exec gcc -w "$@" "$here/alarm.o" ;;
esac
exec gcc -w "$@"
S
    "$CUPEL" hunt h --programs 1 --seed 3 --mode small --quiet --cc "$PWD/alarming -O1 -fsanitize=undefined" || [ $? = 1 ]
    "$CUPEL" list h --json >list.json || [ $? = 1 ]
    [ "$(jq -r '.[0].verdict' list.json)" = sanitizer-report ]
    [ "$(jq -r '.[0].signature' list.json)" = "runtime error: signed integer overflow: # + # cannot be represented" ]
    [ "$(jq -r '.[0].grade' list.json)" = confirmed ]
    # a long verdict shifts no column
    run "$CUPEL" list h
    [ "$(awk '{ print index($0, NR == 1 ? "grade" : "confirmed") }' <<<"$output" | head -2 | uniq | wc -l)" = 1 ]
    run "$CUPEL" show h 1
    [[ $output == *"holds    other sanitizers: 0 report it"* ]]
    run h/findings/1/reproduce.sh
    [ "$status" -eq 1 ]
    CC=gcc run h/findings/1/reproduce.sh
    [ "$status" -eq 0 ]
}

@test "a sanitizer that is silent on what it must report is found out; a real one is not accused" {
    cc_script silent <<'S'
for a; do
    shift
    case $a in -fsanitize=undefined) ;; *) set -- "$@" "$a" ;; esac
done
exec gcc -w "$@"
S
    "$CUPEL" hunt h --programs 4 --stop-after 1 --seed 3 --mode sanitizer --quiet \
        --cc "$PWD/silent -O1 -fsanitize=undefined" || [ $? = 1 ]
    "$CUPEL" list h --json >list.json || [ $? = 1 ]
    [ "$(jq -r '.[0].verdict' list.json)" = sanitizer-silent ]
    [ "$(jq -r '.[0].grade' list.json)" = confirmed ]
    run "$CUPEL" show h 1
    [[ $output == *"holds    other sanitizers: "*" report it, 0 are silent"* ]]
    run h/findings/1/reproduce.sh
    [ "$status" -eq 1 ]
    CC=gcc run h/findings/1/reproduce.sh
    [ "$status" -eq 0 ]
    "$CUPEL" hunt real --programs 6 --seed 3 --mode sanitizer --quiet --cc 'gcc-12 -O2 -fsanitize=undefined'
}

@test "where nobody has a sanitizer, none is tested" {
    run -2 "$CUPEL" hunt h --mode sanitizer --programs 2 --quiet --cc "tcc"
    [[ "$output" == "cupel: mode sanitizer: no compiler here has sanitizers"* ]]
    run -0 "$CUPEL" hunt g --programs 12 --jobs 1 --seed 4 --quiet --cc "gcc -O0"
    [ "$("$CUPEL" status g --json | jq '[.strategies[] | select(.name == "sanitizer") | .programs] | add // 0')" = 0 ]
}
