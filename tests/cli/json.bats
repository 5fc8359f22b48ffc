#!/usr/bin/env bats
# What --json prints fits the schemas in docs/schema, for every command that has it.

bats_require_minimum_version 1.5.0
load helpers

schemas() { echo "$BATS_TEST_DIRNAME/../../docs/schema"; }

# fits NAME: the file NAME.json fits the schema of that name
fits() { /usr/bin/python3 -m jsonschema -i "$1.json" "$(schemas)/$1.json"; }

@test "every command that has --json has a schema, and the page names it" {
    for c in $("$CUPEL" --help=words | cut -f1); do
        "$CUPEL" "$c" --help | grep -q '^  --json ' || continue
        [ -s "$(schemas)/$c.json" ] || { echo "no schema for cupel $c --json"; false; }
        jq -e --arg id "cupel:$c:" '."$id" | startswith($id)' "$(schemas)/$c.json" >/dev/null
        grep -q "schema/$c.json" "$(schemas)/../scripts.md"
    done
}

@test "programs: check, test, emi, relax, compilers" {
    printf '%s\n' 'int printf(const char *, ...);' 'volatile int v = 3;' \
        'int f(int x) { return x > 0 ? x * 2 : 7; }' \
        'int main(void) { int s = 0; for (int i = 0; i < 3; i++) if (i) s += f(i); printf("%d\n", s + v); }' >t.c
    "$CUPEL" check t.c --json >check.json 2>err
    fits check
    # a schema that is not obeyed is noticed
    jq 'del(.end)' check.json >broken && mv broken check.json
    run ! fits check
    printf 'int main(void) { int x = 2147483647; return x + 1; }\n' >u.c
    run -1 --separate-stderr "$CUPEL" check u.c --json
    printf '%s\n' "$output" >check.json
    fits check
    "$CUPEL" test t.c --quiet --cc gcc --cc 'tcc' --json >test.json
    fits test
    "$CUPEL" emi t.c --quiet --variants 2 --cc 'gcc -O1' --json >emi.json 2>err
    fits emi
    "$CUPEL" relax t.c -o r.c --json >relax.json 2>err
    fits relax
    "$CUPEL" volatile t.c --cc 'gcc -O0' --json >volatile.json 2>err
    fits volatile
    "$CUPEL" compilers --quiet --json >compilers.json
    fits compilers
}

@test "campaigns: list, show, status, recheck, reduce, triage" {
    cc_script bad <<<'printf "t.c: internal compiler error: in frob, at x.c:1\n" >&2; exit 4'
    sed -i '2i case "$*" in *probe* | *model*) exec gcc "$@" ;; esac' bad
    run -1 "$CUPEL" hunt H --quiet --jobs 1 --seed 1 --programs 1 --mode small --cc "$PWD/bad -O1"
    "$CUPEL" list H --json >list.json || [ $? = 1 ]
    fits list
    [ "$(jq length list.json)" = 1 ]
    "$CUPEL" show H 1 --json >show.json || [ $? = 1 ]
    fits show
    "$CUPEL" status H --json >status.json
    fits status
    cp H/status.json status.json
    fits status
    "$CUPEL" recheck H --quiet --json >recheck.json || [ $? = 1 ]
    fits recheck
    "$CUPEL" triage H 1 --json >triage.json 2>err || [ $? = 1 ]
    fits triage
    "$CUPEL" reduce H 1 --json >reduce.json 2>err || [ $? = 1 ]
    fits reduce
}

@test "pairs: missed" {
    "$CUPEL" missed M --quiet --programs 1 --size 20 --count-only --cc 'gcc -O1' --json >missed.json 2>err || [ $? = 1 ]
    fits missed
    cc_script lazy <<'SH'
exec gcc "$@" -O0
SH
    "$CUPEL" missed L --quiet --programs 1 --size 8 --oracle pair --cc './lazy -O1' >out 2>err || [ $? = 1 ]
    "$CUPEL" missed L --list --json >missed-list.json || [ $? = 1 ]
    [ "$(jq '.findings | length' missed-list.json)" = 1 ]
    fits missed-list
    printf 'int main(void) { return 0; }\n' >a.c
    "$CUPEL" missed --compare a.c a.c --cc 'gcc -O1' --quiet --json >missed-compare.json
    fits missed-compare
}
