#!/usr/bin/env bats
# Campaigns in a database, on several machines (here: several coordinators).  The database is Debian's
# PostgreSQL in a folder of the test's own; tests/long/cluster.sh has Slurm and what takes longer.

bats_require_minimum_version 1.5.0
load helpers

setup_file() {
    database=$BATS_TEST_DIRNAME/../database
    # a socket's path must be short
    DB=$(mktemp -d /tmp/cupel-db-XXXXXX)
    export DB database
    # they share a server, and one of them takes it away
    export BATS_NO_PARALLELIZE_WITHIN_FILE=true
    "$database" start "$DB" >/dev/null
}

teardown_file() {
    "$database" kill "$DB"
    rm -rf "$DB"
}

# U is the address of an empty database.
new_database() {
    U=$("$database" new "$DB" "t$BATS_TEST_NUMBER")
}

sql() {
    psql -Atqc "$1" "$U"
}

crashing() {
    cc_script crashing <<'S'
for a; do
    case $a in *.c) grep -q 'for (' "$a" && {
        echo "$a:1:1: internal compiler error: in fold_frob, at frob.c:123" >&2; exit 4; } ;; esac
done
exec gcc -w "$@"
S
}

@test "the store passes its tests on PostgreSQL" {
    new_database
    for i in $(seq 1 20); do echo "CREATE SCHEMA unit$i;"; done | psql -q "$U"
    unit=$(dirname "$CUPEL")/unit/store
    [ -x "$unit" ] || skip "the unit test is not built"
    CUPEL_TEST_DATABASE=$U "$unit"
}

@test "the same seeds in a folder and in a database with two nodes: each once, the same findings" {
    new_database
    crashing
    choices=(--seed 3 --mode small --profile swarm --cc "$PWD/crashing -O1" --quiet)
    "$CUPEL" hunt h --total 16 "${choices[@]}" || [ $? = 1 ]
    "$CUPEL" hunt "$U" --total 2 --jobs 1 "${choices[@]}" || [ $? = 1 ]
    "$CUPEL" hunt --worker-of "$U" --total 16 --jobs 1 --node one --quiet & one=$!
    "$CUPEL" hunt --worker-of "$U" --total 16 --jobs 1 --node two --quiet || [ $? = 1 ]
    wait $one || [ $? = 1 ]
    [ "$("$CUPEL" status "$U" --json | jq -c '.tasks.small | [.next, .done, .counted]')" = '[16,16,16]' ]
    [ "$("$CUPEL" status h --json | jq -c '.tasks.small | [.next, .done, .counted]')" = '[16,16,16]' ]
    [ "$(sql 'SELECT count(DISTINCT number) FROM task WHERE state = 1')" = 16 ]
    for place in h "$U"; do
        "$CUPEL" list "$place" --json | jq -c 'sort_by(.key) | map([.key, .count])'
    done >lists
    [ "$(sort -u lists | wc -l)" = 1 ]
    [ "$(jq -s 'map(length) | min' lists)" -ge 1 ]
    [ "$("$CUPEL" status "$U" --json | jq '[.nodes[] | .programs] | add')" = 16 ]
}

@test "every command works on a database" {
    new_database
    crashing
    "$CUPEL" hunt "$U" --stop-after 1 --time 300 --seed 1 --mode plain --quiet --cc "$PWD/crashing" || [ $? = 1 ]
    run -1 "$CUPEL" list "$U"
    [[ $output == *fold_frob* ]]
    run -1 "$CUPEL" show "$U" 1
    [[ $output == *"Signature: in fold_frob"*"Count:"* ]]
    run -1 "$CUPEL" recheck "$U" --quiet --json
    [ "$(jq -r '.[0].state' <<<"$output")" = holds ]
    "$CUPEL" triage "$U" 1 >triage.txt || [ $? = 1 ]
    run -1 "$CUPEL" report "$U" --for gcc
    [[ $output == *fold_frob* ]]
    run -1 "$CUPEL" report "$U" --html page.html
    grep -q fold_frob page.html
    "$CUPEL" reduce "$U" 1 --quiet --cpu 1 -o small.c || :
    [ -s small.c ]
    "$CUPEL" export "$U" -o all.tar.gz
    tar xzf all.tar.gz
    run -1 findings/1/reproduce.sh
    sql "INSERT INTO finding(key, count, detail) SELECT 'another', 1, detail FROM finding WHERE id = 1" >out
    "$CUPEL" merge "$U" 1 2
    [ "$("$CUPEL" list "$U" --json | jq length)" = 1 ]
    "$CUPEL" split "$U" 2
    [ "$("$CUPEL" list "$U" --json | jq length)" = 2 ]
    [ "$("$CUPEL" status "$U" --json | jq -r .state)" = stopped ]
    run -2 "$CUPEL" show "$U" 7
    [[ $output == *"has no finding 7"* ]]
}

@test "a campaign moves to a database and back, and goes on in both" {
    new_database
    crashing
    "$CUPEL" hunt h --programs 8 --seed 3 --mode small --quiet --cc "$PWD/crashing -O1" || [ $? = 1 ]
    "$CUPEL" copy h "$U"
    "$CUPEL" hunt "$U" --total 12 --quiet || [ $? = 1 ]
    "$CUPEL" copy "$U" back
    "$CUPEL" hunt back --total 16 --quiet || [ $? = 1 ]
    [ "$("$CUPEL" status back --json | jq -c '.tasks.small | [.done, .counted]')" = '[16,16]' ]
    run -1 back/findings/1/reproduce.sh
    run -2 "$CUPEL" copy h "$U"
    [[ $output == *"holds a campaign already"* ]]
    run -2 "$CUPEL" hunt "$U" --seed 4
    [[ $output == *"began with seed 3"* ]]
}

@test "a database that goes away costs time only" {
    new_database
    "$CUPEL" hunt "$U" --total 120 --jobs 2 --seed 2 --mode small --profile swarm --cc 'tcc' 2>err & pid=$!
    within 60 '[ "$(sql "SELECT sum(programs) FROM strategy" 2>/dev/null)" -ge 5 ] 2>/dev/null'
    # stopped, so that it cannot be done before
    kill -STOP $pid
    "$database" kill "$DB"
    kill -CONT $pid
    within 60 'grep -q "waiting for it" err'
    "$database" start "$DB" >/dev/null
    status=0; wait $pid || status=$?
    [ $status -le 1 ]
    grep -q "the database is there again" err
    [ "$("$CUPEL" status "$U" --json | jq -c '.tasks.small | [.next, .done, .counted]')" = '[120,120,120]' ]
}

@test "a node that is killed is given up, and its programs are tested by another" {
    new_database
    "$CUPEL" hunt "$U" --total 2 --seed 2 --mode small --profile swarm --cc tcc --quiet || [ $? -eq 1 ]
    sql "UPDATE choice SET value = replace(value, 'lease = 60s', 'lease = 3s') WHERE key = 'conf'" >out
    "$CUPEL" hunt --worker-of "$U" --jobs 2 --node doomed --quiet & pid=$!
    within 60 '[ "$(sql "SELECT count(*) FROM task")" -ge 12 ]'
    kill -9 $pid
    wait $pid || :
    n=$(sql 'SELECT sum(next) FROM strategy')
    [ "$(sql 'SELECT count(*) FROM task WHERE state = 0')" -ge 1 ]
    "$CUPEL" hunt --worker-of "$U" --jobs 2 --total "$n" 2>err || [ $? = 1 ]
    grep -q 'silent: what' err
    [ "$("$CUPEL" status "$U" --json | jq -c '.tasks.small | [.done, .leased, .waiting, .counted]')" = "[$n,0,0,$n]" ]
}

@test "what cannot be is said in one line" {
    new_database
    run -2 "$CUPEL" hunt --worker-of "$U"
    [[ $output == *"holds no campaign: \`cupel hunt "* ]]
    run -2 "$CUPEL" list "$U"
    [[ $output == "cupel: "*"holds no campaign"* ]]
    run -2 "$CUPEL" hunt --worker-of folder
    [[ $output == *"takes a database"* ]]
    run -2 "$CUPEL" list 'postgresql://me:secret@/x?host=/nonexistent'
    [[ $output == "cupel: cannot reach postgresql://me@/x?host=/nonexistent: "* ]]
    [ "${#lines[@]}" = 1 ]
    # one that another version has changed, before and in the middle
    "$CUPEL" hunt "$U" --total 2 --seed 2 --mode small --cc tcc --quiet || [ $? -eq 1 ]
    sql "UPDATE choice SET value = replace(value, 'lease = 60s', 'lease = 3s') WHERE key = 'conf'" >out
    "$CUPEL" hunt --worker-of "$U" --jobs 1 2>err & pid=$!
    within 60 '[ "$(sql "SELECT count(*) FROM task")" -ge 4 ]'
    sql "UPDATE choice SET value = '99' WHERE key = 'schema'" >out
    status=0; wait $pid || status=$?
    [ $status = 2 ]
    grep -q 'newer version of cupel (schema 99' err
    run -2 "$CUPEL" list "$U"
    [[ $output == *"newer version of cupel (schema 99"*"upgrade this cupel" ]]
}

# broken FOLDER/NAME: a compiler that crashes on every program of cupel's.
broken() {
    mkdir -p "$(dirname "$1")"
    cat >"$1" <<S
#!/bin/sh
for a; do
    case \$a in *.c) grep -q '\<g2\>' "\$a" && {
        echo "\$a:1:1: internal compiler error: in fold_$(basename "$1"), at frob.c:123" >&2; exit 4; } ;; esac
done
exec gcc -w "\$@"
S
    chmod +x "$1"
}

@test "recheck and triage go where the compiler is: two machines with other compilers, asked from a third" {
    new_database
    broken a/cc-one
    broken b/cc-two
    PATH=$PWD/a:$PWD/b:$PATH "$CUPEL" hunt "$U" --programs 4 --seed 1 --mode small --quiet --cc cc-one --cc cc-two || [ $? = 1 ]
    one=$(sql "SELECT id FROM finding WHERE compiler = 'cc-one' AND same_as = 0 LIMIT 1")
    two=$(sql "SELECT id FROM finding WHERE compiler = 'cc-two' AND same_as = 0 LIMIT 1")
    # nobody is there who could say anything
    run -2 --separate-stderr "$CUPEL" recheck "$U" --quiet --json
    [ "$(jq -r 'map(.state) | unique[]' <<<"$output")" = unclear ]
    [[ $output == *"no machine that takes part has this compiler"* ]]
    run -2 "$CUPEL" triage "$U" "$one"
    [[ $output == *"no machine that takes part has this compiler"* ]]
    PATH=$PWD/a:$PATH "$CUPEL" hunt --worker-of "$U" --jobs 1 --node a --quiet & first=$!
    within 60 '[ "$(sql "SELECT count(*) FROM has JOIN node ON node.id = node WHERE host = \$\$a\$\$")" = 1 ]'
    "$CUPEL" recheck "$U" --quiet --json >states || [ $? = 1 ]
    [ "$(jq -r ".[] | select(.id == $one) | .state" states)" = holds ]
    [ "$(jq -r ".[] | select(.id == $two) | .state" states)" = unclear ]
    PATH=$PWD/b:$PATH "$CUPEL" hunt --worker-of "$U" --jobs 1 --node b --quiet & second=$!
    within 60 '[ "$(sql "SELECT count(*) FROM has")" = 2 ]'
    "$CUPEL" recheck "$U" --quiet --json >states || [ $? = 1 ]
    [ "$(jq -r "[.[] | select(.id == $one or .id == $two) | .state] | unique[]" states)" = holds ]
    # one compiler's findings with another that only b has
    "$CUPEL" recheck "$U" --cc cc-two --quiet --json >states || [ $? = 1 ]
    [ "$(jq -r ".[] | select(.id == $two) | .state" states)" = holds ]
    run -1 "$CUPEL" triage "$U" "$two"
    [[ $output == *"cc-two is not here: asking b"* ]]
    [[ $output == *"Configuration: cc-two"* ]]
    [ "$("$CUPEL" show "$U" "$two" --json | jq -r .triage | jq -r .signature)" != "" ]
    kill $first $second
    wait $first || :
    wait $second || :
    [ "$(sql 'SELECT count(*) FROM errand')" = 0 ]
}

@test "choices are changed while others hunt; what would stop them is refused" {
    new_database
    "$CUPEL" hunt "$U" --total 2 --seed 2 --mode small --profile swarm --cc tcc --quiet || [ $? -eq 1 ]
    "$CUPEL" conf "$U" >conf
    grep -qx 'seed = 2' conf
    for wrong in 's/^seed = .*/seed = 3/' 's/^mode = .*/mode = nonsense/' 's/^width = .*/width = many/'; do
        run -2 "$CUPEL" conf "$U" --from <(sed "$wrong" conf)
        [ "${#lines[@]}" = 1 ]
    done
    "$CUPEL" conf "$U" | diff conf -
    sed 's/^lease = .*/lease = 3s/' conf | "$CUPEL" conf "$U" --from -
    "$CUPEL" hunt --worker-of "$U" --jobs 1 2>err & pid=$!
    within 60 '[ "$(sql "SELECT count(*) FROM task")" -ge 4 ]'
    EDITOR="sed -i 's/^mode = .*/mode = crash/'" "$CUPEL" conf "$U" --edit
    within 60 '[ "$(sql "SELECT count(*) FROM task WHERE strategy = \$\$crash\$\$ AND state = 1")" -ge 2 ]'
    kill $pid
    wait $pid || :
    grep -q 'choices of the campaign have changed: taken over' err
    [ "$(sql "SELECT count(*) FROM task WHERE state = 0")" = 0 ]
    "$CUPEL" status "$U" --json | jq -e '.tasks | to_entries | all(.value.done == .value.counted)'
}

@test "people's programs are kept in the database: every node varies them, and they move with it" {
    new_database
    mkdir -p mine/include
    echo 'int twice(int x) { return 2 * x; }' >mine/include/twice.h
    printf '#include <stdio.h>\n#include "twice.h"\nint main(void) { int i, s = 0; for (i = 0; i < 9; i++) if (i %% 3) s += twice(i); printf("%%d\\n", s); return 0; }\n' >mine/first.c
    run -2 "$CUPEL" hunt "$U" --mode seeds --total 2 --cc tcc --quiet
    [[ $output == *"--seeds FOLDER brings them"* ]]
    "$CUPEL" hunt "$U" --mode seeds --seeds mine --total 2 --cc tcc --quiet || [ $? -eq 1 ]
    rm -r mine
    "$CUPEL" hunt --worker-of "$U" --total 8 --node other --quiet
    [ "$("$CUPEL" status "$U" --json | jq -c '.tasks.seeds | [.done, .counted]')" = '[8,8]' ]
    # none was skipped for want of a file
    [ "$(sql "SELECT skipped FROM strategy WHERE name = 'seeds'")" -lt 8 ]
    "$CUPEL" copy "$U" back
    grep -q twice.h back/seeds/first.c
    grep -q 'int twice' back/seeds/include/twice.h
    "$CUPEL" hunt back --total 10 --quiet
    U=$("$database" new "$DB" again)
    "$CUPEL" copy back "$U"
    [ "$(sql 'SELECT count(*) FROM seed')" = 2 ]
}

@test "tables of an older version are read as they are, upgraded by the first who writes, and nothing is lost" {
    new_database
    crashing
    "$CUPEL" hunt "$U" --stop-after 1 --time 300 --seed 1 --mode plain --quiet --cc "$PWD/crashing" || [ $? = 1 ]
    "$CUPEL" list "$U" --json | jq 'del(.[].cupel)' >before
    # as version 5 had them
    sql "DROP TABLE errand; DROP TABLE seed; ALTER TABLE finding DROP COLUMN config, DROP COLUMN grade,
        DROP COLUMN strategy, DROP COLUMN what, DROP COLUMN lines;
        UPDATE choice SET value = '5' WHERE key = 'schema'" >out
    "$CUPEL" list "$U" --json | jq 'del(.[].cupel)' >read
    diff before read
    run -1 "$CUPEL" list "$U"
    [[ $output == *fold_frob* ]]
    "$CUPEL" status "$U" >out
    [ "$(sql "SELECT value FROM choice WHERE key = 'schema'")" = 5 ]
    # several come at once: one upgrades
    n=$(($(sql 'SELECT sum(next) FROM strategy') + 4))
    "$CUPEL" hunt --worker-of "$U" --total $n --jobs 1 --node one --quiet & one=$!
    "$CUPEL" hunt --worker-of "$U" --total $n --jobs 1 --node two --quiet || [ $? = 1 ]
    wait $one || [ $? = 1 ]
    [ "$(sql "SELECT value FROM choice WHERE key = 'schema'")" -ge 6 ]
    [ "$("$CUPEL" status "$U" --json | jq -c '.tasks.plain | [.done, .counted]')" = "[$n,$n]" ]
    [ "$("$CUPEL" list "$U" --json | jq -r '.[0].key')" = "$(jq -r '.[0].key' before)" ]
}

# served URL ...: curl of a path of the campaign that is served.
served() {
    curl -s --max-time 20 "$@"
}

@test "a campaign in a browser: pages, JSON, downloads; nothing for strangers" {
    new_database
    cc_script 'evil <b>' <<'S'
for a; do
    case $a in *.c) grep -q 'for (' "$a" && {
        printf '%s:1:1: internal compiler error: in <script>alert(1)</script>\001, at f.c:1\n' "$a" >&2; exit 4; } ;; esac
done
exec gcc -w "$@"
S
    "$CUPEL" hunt "$U" --stop-after 1 --time 300 --seed 1 --mode plain --quiet --cc "'$PWD/evil <b>'" || [ $? = 1 ]
    "$CUPEL" serve "$U" --listen 127.0.0.1:0 >address 2>err & pid=$!
    within 30 '[ -s address ]'
    at=$(cat address)
    for page in / /bugs '/bugs?verdict=compiler-crash&q=script' /bug/1; do
        served -f "${at%/}$page" >page.html
        grep -q '</html>' page.html
        run -1 grep -i '<script>\|<b>alert\|evil <b>' page.html
    done
    grep -q '&lt;script&gt;alert(1)' page.html
    [ "$(served "${at}api/list")" = "$("$CUPEL" list "$U" --json)" ]
    [ "$(served "${at}api/show/1")" = "$("$CUPEL" show "$U" 1 --json)" ]
    served "${at}api/status" | jq -e '.findings == 1'
    served "${at}file/1/program.c" | grep -q main
    [ "$(served -o out -w '%{http_code}' "${at}file/1/..%2f..%2fetc%2fpasswd")" = 404 ]
    [ "$(served -o out -w '%{http_code}' -H 'Host: elsewhere.example' "$at")" = 403 ]
    [ "$(served -o out -w '%{http_code}' -d x=1 "$at")" = 405 ]
    served -N "${at}live" --max-time 2 >live || :
    head -1 live | grep -q '^data: {"state":"stopped"'
    served -D headers -o out "$at"
    grep -qi "^content-security-policy: default-src 'none'" headers
    kill $pid
    wait $pid || :
    run -2 "$CUPEL" serve "$U" --listen 0.0.0.0:0
    [[ $output == *"give a token"* ]]
    CUPEL_TOKEN=open-sesame "$CUPEL" serve "$U" --listen 127.0.0.1:0 >address2 2>err & pid=$!
    within 30 '[ -s address2 ]'
    at=$(cat address2)
    [ "$(served -o out -w '%{http_code}' "$at")" = 401 ]
    [ "$(served -o out -w '%{http_code}' -u me:wrong "$at")" = 401 ]
    [ "$(served -o out -w '%{http_code}' -u me:open-sesame "$at")" = 200 ]
    [ "$(served -o out -w '%{http_code}' -H 'Authorization: Bearer open-sesame' "$at")" = 200 ]
    kill $pid
    wait $pid || :
}

@test "cluster without Slurm, without a campaign, in a folder: one clear line" {
    new_database
    run -2 "$CUPEL" cluster folder --nodes 2 --time 8h
    [[ $output == *"is a folder: several machines need a database"* ]]
    run -2 "$CUPEL" cluster "$U" --nodes 2 --time 8h
    [[ $output == *"holds no campaign"* ]]
    run -2 "$CUPEL" cluster "$U" --time 8h
    [[ $output == *"how many nodes?"* ]]
    run -2 env PATH=/nonexistent "$CUPEL" cluster stop "$U"
    [[ $output == *"scancel is not here"*"--worker-of"* ]]
}
