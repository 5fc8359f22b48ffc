#!/usr/bin/env bats
# cupel hunt: what it finds, what it keeps, and what it survives.

bats_require_minimum_version 1.5.0
load helpers

# planted FROM TO: a compiler with a fault, one constant for another in the assembly
planted() {
    cc_script planted <<SH
dir=\$(mktemp -d) || exit 2
trap 'rm -rf "\$dir"' EXIT
for a; do
    shift
    case \$a in
    *.c) gcc -w -S "\$a" -o "\$dir/x.s" || exit; sed -i 's/\\\$$1\\>/\$$2/' "\$dir/x.s"; a=\$dir/x.s ;;
    esac
    set -- "\$@" "\$a"
done
gcc -w "\$@"
SH
}

# Crashes on every program with a loop, in one place, at changing addresses.
crashing() {
    cc_script crashing <<'SH'
for a; do
    case $a in *.c) if grep -q 'for (' "$a"; then
        echo "$a:$$: internal compiler error: in fold_frob, at frob.c:123" >&2
        echo "0x$$ fold_frob" >&2; exit 4; fi ;; esac
done
exec gcc -w "$@"
SH
}

tasks() { "$CUPEL" status "$1" --json | jq -c ".tasks.$2 | [.next, .done, .counted, .leased, .waiting, .lost]"; }

@test "--notify runs a command for a finding, and export packs all of them" {
    crashing
    "$CUPEL" hunt h --time 300 --stop-after 1 --mode plain --seed 3 --cc "$PWD/crashing" \
        --notify 'echo "$CUPEL_FINDING $CUPEL_VERDICT $CUPEL_CONFIG" >"$CUPEL_DIR/told"' 2>err || [ $? = 1 ]
    within 60 '[ -s h/told ]'
    [[ "$(cat h/told)" == "1 compiler-crash $PWD/crashing"* ]]
    run -0 "$CUPEL" export h -o all.tar.gz
    tar -tzf all.tar.gz >names
    grep -qx 'findings/1/reproduce.sh' names
    grep -qx 'findings/findings.json' names
    # what is no plain file stays what it is: /dev/null became one
    ln -s linked.tar.gz link
    mkfifo pipe
    cat pipe >piped.tar.gz &
    "$CUPEL" export h -o link && "$CUPEL" export h -o pipe && "$CUPEL" export h -o - >out.tar.gz
    wait $!
    [ -L link ] && [ -p pipe ]
    for f in linked piped out; do tar -tzf $f.tar.gz | grep -qx 'findings/1/reproduce.sh'; done
    if mknod device c 1 3 2>err; then "$CUPEL" export h -o device && [ -c device ]; fi
    mkdir empty
    run -2 "$CUPEL" export empty
    # where it cannot be written: one line, and none of tar's
    run -2 "$CUPEL" export h -o nowhere/all.tar.gz
    [ "$output" = "cupel: cannot write nowhere/all.tar.gz.part: No such file or directory" ]
    # a compiler that is not there tried nothing
    run -2 "$CUPEL" recheck h --quiet --cc nosuch
    [[ "$output" == *"cupel: nothing could be tried: compiler 'nosuch' not found"* ]]
}

@test "a planted fault is found, told, shown again, and gone with the real compiler" {
    planted '\([3-9]\)3' '\14' # in every other program
    "$CUPEL" hunt h --time 900 --stop-after 1 --mode plain --seed 4 --jobs 1 --cc "$PWD/planted -O0" 2>err || [ $? = 1 ]
    # a wrong constant may be an output, a subscript or a bound; what reaches a volatile object is told as that
    [[ "$("$CUPEL" list h --json | jq -r '.[0] | .verdict')" =~ ^(wrong-code|program-crash|program-hang)$ ]]
    [ "$("$CUPEL" list h --json | jq -r '.[0] | .grade')" = confirmed ]
    [[ "$("$CUPEL" list h)" == *"1 finding in h"* ]]
    # clang refuses what only gcc has, and then has nothing to say
    "$CUPEL" show h 1 | grep -q 'holds    gcc ASan and UBSan: as expected'
    "$CUPEL" show h 1 --json | jq -e '.program and .expected and .evidence' >json
    run -1 h/findings/1/reproduce.sh
    [[ "$output" == "still there: "* ]]
    CC=gcc run -0 h/findings/1/reproduce.sh
    [ "$output" = "gone: as expected" ]
    CC=no-such-cc run -2 h/findings/1/reproduce.sh
    run -1 "$CUPEL" recheck h --quiet
    [[ "$output" == *"0 of 1 findings are gone"* ]]
    run -0 "$CUPEL" recheck h --quiet --cc 'gcc -w'
    [[ "$output" == *"1 of 1 findings are gone"* ]]
    # the program's own line in the report gives it again
    eval "\"\$CUPEL\" ${BATS_TEST_NUMBER:+}$(jq -r '.seed | sub("^cupel "; "")' h/findings/1/finding.json)" >again.c
    diff <(tail -n +2 again.c) h/findings/1/program.c
}

@test "a hunt in which nothing can be compiled ends and says so" {
    # its data model is not predicted, and these programs are for those that are
    cc_script odd <<'SH'
exec gcc -w -fpack-struct=1 -fshort-enums -funsigned-bitfields "$@"
SH
    run -2 "$CUPEL" hunt h --mode plain --seed 3 --quiet --cc "$PWD/odd -O0"
    [[ "$output" == *"nothing was compared: no program of these strategies could be compiled"* ]]
}

@test "the real compilers are not accused" {
    # but for one known pass of gcc's, which writes volatile objects once more
    run -0 "$CUPEL" hunt h --programs 12 --seed 8 --mode plain,small,crash --cc 'gcc -O0' --cc 'gcc -O2 -fno-tree-loop-im' --cc 'clang-19 -O1'
    [[ "$output" == *"12 programs, "*" with 2 compilers: everything as predicted"* ]]
    [ "$("$CUPEL" list h --json)" = "[]" ]
    [ ! -e h/doubts ]
}

@test "one bug is one finding, however often and at whatever address it shows; muted ones are silent" {
    crashing
    "$CUPEL" hunt h --programs 25 --seed 1 --mode plain --quiet --cc "$PWD/crashing" || [ $? = 1 ]
    [ "$("$CUPEL" list h --json | jq 'length')" = 1 ]
    [ "$("$CUPEL" list h --json | jq '.[0].count')" -gt 5 ]
    [[ "$("$CUPEL" list h --json | jq -r '.[0].signature')" == "in fold_frob, at frob.c:123" ]]
    run -1 h/findings/1/reproduce.sh
    echo 'mute = *fold_frob*' >>h/cupel.conf
    run -0 "$CUPEL" list h
    [[ "$output" == "0 findings"* ]]
    run -1 "$CUPEL" list h --all
    # and in a campaign that never saw it
    mkdir m && cp h/cupel.conf m/
    run -0 "$CUPEL" hunt m --programs 5 --quiet
    [ ! -e m/findings ]
}

@test "a second hunt goes on where the first stopped" {
    for i in 1 2; do "$CUPEL" hunt h --programs 6 --seed 4 --mode small --quiet --cc 'gcc -O1' || [ $? = 1 ]; done
    [ "$(tasks h small)" = "[12,12,12,0,0,0]" ]
    run -2 "$CUPEL" hunt h --programs 1 --seed 5
    [[ "$output" == *"h began with seed 4"* ]]
    sed -i 's/^seed = 4/seed = 9/' h/cupel.conf
    run -2 "$CUPEL" hunt h --programs 1
    [[ "$output" == *"the campaign began with 4: put that back" ]]
}

@test "runs that are shorter than a slow program get on all the same" {
    # the first program that it meets, whenever it meets it
    cc_script slow <<'SH'
for a; do
    case $a in *.c) [ "$(wc -c <"$a")" -lt 4000 ] || {
        sum=$(md5sum <"$a")
        [ -e "$0.first" ] || echo "$sum" >"$0.first"
        [ "$sum" != "$(cat "$0.first")" ] || exec sleep 1000
    } ;; esac
done
exec gcc -w "$@"
SH
    for seconds in 4 8 12 16 24 32; do
        "$CUPEL" hunt h --time $seconds --jobs 1 --mode plain --seed 4 --quiet --trust-compilers --cc "$PWD/slow -O0" || [ $? = 2 ]
        [ "$("$CUPEL" status h --json | jq '.tasks.plain.done // 0')" -lt 2 ] || break
    done
    [ "$("$CUPEL" status h --json | jq '.tasks.plain.done // 0')" -ge 2 ]
    [ -e slow.first ]
}

@test "killed at random points, again and again: no program is lost, none counted twice" {
    # more of both: KILLS=50 KILLED_PROGRAMS=300 bats -f killed tests/cli/hunt.bats
    target=${KILLED_PROGRAMS:-150}
    planted 77 78 # in one of a hundred
    "$CUPEL" hunt calm --programs "$target" --seed 6 --mode small --profile swarm --quiet --cc "$PWD/planted -O1" --cc tcc || [ $? = 1 ]
    for i in $(seq "${KILLS:-8}"); do
        "$CUPEL" hunt h --seed 6 --mode small --profile swarm --quiet --cc "$PWD/planted -O1" --cc tcc & pid=$!
        # while it starts, or while it hunts
        [ $((i % 4)) = 3 ] || within 100 '[ "$(jq .pid h/status.json 2>/dev/null)" = '$pid' ]'
        sleep "0.$((RANDOM % 9 + 1))"
        if [ $((i % 2)) = 0 ]; then
            # a worker, and only then the coordinator
            worker=$(pgrep -P $pid | head -1)
            [ -z "$worker" ] || kill -KILL "$worker" 2>/dev/null || :
            sleep "0.$((RANDOM % 9 + 1))"
        fi
        # and now and then all of them at once: nobody is left to say who died of what
        [ $((i % 3)) != 0 ] || pkill -KILL -P $pid || :
        kill -KILL $pid 2>/dev/null || :
        wait $pid || :
        within 60 "! pgrep -f $TMPDIR >found"
    done
    next=$(tasks h small | jq '.[0] // 0')
    [ "${next:-0}" -lt "$target" ] || { "$CUPEL" compilers >list; skip "too fast to be killed in time"; }
    done_now=$("$CUPEL" status h --json 2>/dev/null | jq '.tasks.small.done // 0')
    "$CUPEL" hunt h --programs $((target - ${done_now:-0})) --seed 6 --mode small --profile swarm --quiet --cc "$PWD/planted -O1" --cc tcc || [ $? = 1 ]
    tasks h small # next, done, counted, leased, waiting, lost
    [ "$(tasks h small)" = "[$target,$target,$target,0,0,0]" ]
    # the same programs gave the same findings, as often; which of them are merged already, and which
    # sightings were looked at as if they were new, depends on the time that there was
    for d in calm h; do
        { "$CUPEL" list $d --json | jq 'map(.count) | add'
            "$CUPEL" list $d --all --json | jq -c 'map(.key | sub(" .sighting [0-9]+.$"; "")) | unique'; } >$d.json
    done
    diff calm.json h.json
}

@test "a worker that does not answer does not keep a hunt from ending" {
    "$CUPEL" hunt h --time 600 --jobs 1 --mode small --seed 4 --quiet --cc 'gcc -O0' &
    hunt=$!
    within 120 '[ "$("$CUPEL" status h --json 2>/dev/null | jq ".programs // 0")" -gt 0 ]'
    worker=$(pgrep -P $hunt -f 'hunt --worker')
    kill -STOP "$worker"
    kill -TERM $hunt
    within 120 "! kill -0 $hunt 2>/dev/null"
    ! kill -0 "$worker" 2>/dev/null
    run -0 "$CUPEL" hunt h --programs 2 --seed 4 --quiet
}

@test "a program that costs three workers is given up" {
    "$CUPEL" hunt h --jobs 1 --seed 1 --mode large --cc 'gcc -O2' 2>err & pid=$!
    within 100 '[ -e h/status.json ]'
    within 100 'sleep 0.7; pkill -KILL -P '$pid'; grep -q "has cost 3 workers: given up" err'
    kill -INT $pid
    wait $pid || :
    [ "$("$CUPEL" status h --json | jq '.tasks.large.lost')" -ge 1 ]
    # what the killed left is removed by the next that comes
    "$CUPEL" hunt h --programs 1 --mode small --quiet
}

@test "two hunters in one folder: the second is told" {
    "$CUPEL" hunt h --seed 1 --mode small --quiet --cc 'gcc -O1' & pid=$!
    within 60 '[ -e h/status.json ]'
    run -2 "$CUPEL" hunt h --programs 1
    [[ "$output" == *"is another cupel hunt busy there?" ]]
    [[ "$("$CUPEL" status h)" == *" hunting "* ]]
    kill -INT $pid
    status=0; wait $pid || status=$?
    [ $status = 130 ]
    [[ "$("$CUPEL" status h)" == *" stopped "* ]]
}

@test "a damaged store is said to be one, and what is readable stays" {
    crashing
    "$CUPEL" hunt h --time 300 --stop-after 1 --seed 1 --mode plain --quiet --cc "$PWD/crashing" || [ $? = 1 ]
    for table in $(sqlite3 h/cupel.db .tables); do
        cp -r h cut
        sqlite3 cut/cupel.db "DROP TABLE $table"
        run -2 "$CUPEL" status cut
        [[ "$output" == *"cupel.db is damaged (it has no table '$table')"* ]]
        run -1 "$CUPEL" list cut
        rm -rf cut
    done
    cp -r h cut
    sqlite3 cut/cupel.db 'DELETE FROM finding'
    run -1 "$CUPEL" list cut
    [[ "$output" == *"lost what its findings folder holds"*"fold_frob"* ]]
    dd if=/dev/urandom of=h/cupel.db bs=1k seek=0 count=8 conv=notrunc status=none
    run -2 "$CUPEL" hunt h --programs 1
    [[ "$output" == *"cupel.db is damaged"*"move the file away to begin anew"* ]]
    run -2 "$CUPEL" status h
    [[ "$output" == *"cupel.db is damaged"* ]]
    run -1 "$CUPEL" list h
    [[ "$output" == *"is damaged"*"fold_frob"* ]]
    run -1 h/findings/1/reproduce.sh
    # a findings folder that was lost comes back from the store
    rm -rf h
    "$CUPEL" hunt h --time 300 --stop-after 1 --seed 1 --mode plain --quiet --cc "$PWD/crashing" || [ $? = 1 ]
    rm -rf h/findings
    "$CUPEL" hunt h --programs 1 --quiet || [ $? = 1 ]
    run -1 h/findings/1/reproduce.sh
}

@test "a store that another program holds is said to be locked" {
    "$CUPEL" hunt h --programs 1 --seed 1 --mode small --quiet --cc 'gcc -O0'
    mkfifo hold
    sqlite3 h/cupel.db <hold & pid=$!
    exec 9>hold
    echo 'BEGIN EXCLUSIVE;' >&9
    sleep 1
    run -2 "$CUPEL" hunt h --programs 1
    exec 9>&-
    wait $pid || :
    [[ "$output" == *"is locked by another program"* ]]
}

@test "a full disk ends the hunt with one clear line; it goes on when there is room" {
    unshare -rm true 2>/dev/null || skip "no namespaces here"
    # shellcheck disable=SC2016
    run unshare -rm sh -c 'mkdir small && mount -t tmpfs -o size=600k none small &&
        "$CUPEL" hunt small/h --programs 3 --seed 1 --mode small --quiet --cc "gcc -O0"
        head -c 2000000 /dev/zero >small/fill 2>err
        "$CUPEL" hunt small/h --programs 2000 --seed 1 --mode small --quiet --cc "gcc -O0"; echo "status $?"
        rm small/fill; "$CUPEL" hunt small/h --programs 3 --mode small --quiet --cc "gcc -O0"; echo "status $?"'
    [[ "$output" == *"cupel: "*"full"*"status 2"*"status 0"* || "$output" == *"cupel: "*"space"*"status 2"*"status 0"* ]]
}

@test "a compiler is upgraded, removed and put back in mid-campaign" {
    mkdir bin
    # without optimisation, from which on both have mistakes with volatile objects that are known
    cc_script bin/mycc <<<'exec gcc -w "$@"'
    "$CUPEL" hunt h --seed 2 --mode small --cc "$PWD/bin/mycc -O0" --cc 'gcc -O0' 2>err & pid=$!
    within 100 '[ -e h/status.json ]'
    cc_script bin/mycc.new <<<'exec clang-19 -w "$@"'
    mv bin/mycc.new bin/mycc
    within 100 'grep -q "a compiler has changed" err'
    mv bin/mycc bin/mycc.old
    within 100 '[ "$(jq .configurations h/status.json)" = 1 ]'
    mv bin/mycc.old bin/mycc
    within 100 '[ "$(jq .configurations h/status.json)" = 2 ]'
    kill -INT $pid
    wait $pid || :
    # nobody was accused of anything
    [ "$("$CUPEL" list h --json)" = "[]" ]
}

@test "a machine that slept goes on" {
    "$CUPEL" hunt h --programs 30 --seed 2 --mode small --cc 'gcc -O0' 2>err & pid=$!
    within 60 '[ -e h/status.json ]'
    kill -STOP $pid
    sleep 2
    kill -CONT $pid
    wait $pid
    [ "$(tasks h small)" = "[30,30,30,0,0,0]" ]
}

# time() as the file `shift` says, for cupel itself and not for what it starts.
@test "a clock that is set back and forth does not disturb a hunt" {
    gcc -w -shared -fPIC -o clock.so -x c - <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
__attribute__((constructor)) static void start(void) { unsetenv("LD_PRELOAD"); }
time_t time(time_t *to)
{
    struct timeval now;
    long shift = 0;
    FILE *f = fopen("shift", "r");
    gettimeofday(&now, 0);
    if (f && fscanf(f, "%ld", &shift) == 1)
        now.tv_sec += shift;
    if (f)
        fclose(f);
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}
C
    echo 0 >shift
    planted 77 78
    LD_PRELOAD=$PWD/clock.so "$CUPEL" hunt h --seed 6 --mode small --cc "$PWD/planted" 2>err & pid=$!
    within 100 '[ "$(jq .pid h/status.json 2>/dev/null)" = '$pid' ]'
    for days in -300 200 -1; do
        echo $((days * 86400)) >shift
        within 100 'jq -e "(.time - now) / 86400 | round == '$days'" h/status.json >ok'
    done
    kill -INT $pid
    wait $pid || true
    jq -e '.elapsed >= 0 and .elapsed < 3000' h/status.json >ok
    # it goes on, and nothing is lost or there twice
    run "$CUPEL" hunt h --programs 5 --seed 6 --mode small --cc "$PWD/planted"
    [ "$status" -le 1 ]
    tasks h small | jq -e '.[0] >= 5 and .[0] == .[1] and .[1] == .[2] and .[3:] == [0, 0, 0]'
    [ "$("$CUPEL" list h --all --json | jq length)" = "$(find h/findings -name finding.json | wc -l)" ]
}

@test "a compiler that cannot do anything is left out, and without any other that is an error" {
    cc_script dead <<<'echo nothing works >&2; exit 1'
    run -2 "$CUPEL" hunt h --programs 1 --cc "$PWD/dead"
    [[ "$output" == *"no compiler here compiles a small program"* ]]
    run -0 "$CUPEL" hunt g --programs 2 --mode small --cc "$PWD/dead" --cc 'gcc -O0'
    [[ "$output" == *"dead cannot compile a small program: left out"* ]]
    run -2 "$CUPEL" hunt k --programs 1 --cc no-such-cc
    [[ "$output" == *"compiler 'no-such-cc' not found"* ]]
}

@test "bad words are one clear line" {
    for bad in 'h --mode nonsense' 'h --mode small,nonsense' 'h --profile loops,nonsense' 'h --jobs 0' 'h --programs 0' 'h --stop-after 0' 'h --time 0' 'a b' 'h --time x' 'h --time 1e9h' 'h --nonsense' 'h --run x'; do
        # shellcheck disable=SC2086
        run -2 "$CUPEL" hunt $bad
        [[ "$output" == *"cupel: "* ]]
        # nothing is kept that would spoil the next try
        [ ! -e h/cupel.conf ]
    done
    for command in list status recheck 'show 1'; do
        # shellcheck disable=SC2086
        run -2 "$CUPEL" ${command% *} nowhere ${command#"${command% *}"}
        [[ "$output" == "cupel: "* ]]
    done
    for command in list status recheck prune export; do
        run -2 "$CUPEL" $command a b
        [ "$output" = "cupel: one word too many: 'b': see cupel $command --help" ]
    done
    "$CUPEL" hunt --help | grep -q -- --stop-after
}

@test "a live panel on a terminal, fitted to its size; plain lines elsewhere" {
    TERM=xterm script -qec "stty rows 24 cols 40; '$CUPEL' hunt h --time 10 --seed 2 --mode small --cc 'gcc -O0'" typescript >/dev/null
    grep -q $'\033\\[[0-9]*A' typescript
    # no line of the panel is wider than the terminal
    tr '\r' '\n' <typescript | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' | grep 'by strategy' | awk 'length > 40 { exit 1 }'
    "$CUPEL" hunt h --programs 3 --mode small 2>err
    ! grep -q $'\033' err
    grep -q '3 programs, .* everything as predicted' err
}

@test "flags that ask for other floats or another layout: what they change is not predicted" {
    run -0 "$CUPEL" hunt h --programs 12 --mode small --seed 1 --cc 'gcc -O0' --cc 'gcc -Ofast -fno-tree-loop-im' --cc 'gcc -O1 -fshort-enums'
    [[ "$output" == *"get programs to compile, not to run"*"gcc -fshort-enums (enumerations)"* ]]
    run -0 "$CUPEL" hunt g --programs 12 --mode small --seed 1 --cc 'gcc -Ofast -fno-tree-loop-im'
    [ "$("$CUPEL" list g --json)" = "[]" ]
}

@test "prune: texts of repeats and doubts go, findings and seeds stay; not while somebody hunts" {
    cc_script bad <<<'printf "t.c: internal compiler error: in frob, at x.c:1\n" >&2; exit 4'
    sed -i '2i case "$*" in *probe* | *model*) exec gcc "$@" ;; esac' bad
    run -1 "$CUPEL" hunt H --quiet --jobs 1 --seed 1 --programs 3 --mode small --cc "$PWD/bad -O1"
    mkdir -p H/doubts/x
    echo program >H/doubts/x/program.c
    "$CUPEL" list H --json >before || [ $? = 1 ]
    [ "$(sqlite3 H/cupel.db "SELECT count(*) > 0 FROM sighting WHERE program <> ''")" = 1 ]
    run -0 "$CUPEL" prune H --dry-run
    [[ "$output" == *"1 doubt "* ]]
    [ -e H/doubts/x ]
    flock H/lock -c "'$CUPEL' prune H" >out 2>&1 || [ $? = 2 ]
    grep -q 'somebody hunts there' out
    # nobody does where it cannot be locked, in a folder of another user's
    mv H/lock lock
    mkdir H/lock
    for command in 'prune H' 'hunt H --time 1 --quiet'; do
        run --separate-stderr -2 "$CUPEL" $command
        [ "$stderr" = "cupel: cannot open H/lock: Is a directory" ]
    done
    rmdir H/lock
    mv lock H/lock
    run -0 "$CUPEL" prune H
    [ ! -e H/doubts ]
    [ "$(sqlite3 H/cupel.db "SELECT count(*) FROM sighting WHERE program <> ''")" = 0 ]
    [ "$(sqlite3 H/cupel.db "SELECT count(*) > 0 FROM sighting WHERE origin <> ''")" = 1 ]
    "$CUPEL" list H --json >after || [ $? = 1 ]
    cmp before after
    [ -s H/findings/1/program.c ]
}

@test "seeds that need a header and a macro: -I and -D, kept with the campaign" {
    mkdir -p H/seeds include
    echo '#define STEP 3' >include/step.h
    printf '%s\n' '#include <stdio.h>' '#include "step.h"' \
        'int main(void) { int s = 0; for (int i = 0; i < COUNT; i += STEP) s += i; printf("%d\n", s); return 0; }' >H/seeds/a.c
    run -0 "$CUPEL" hunt H --jobs 1 --seed 1 --programs 3 --mode seeds -I include -D COUNT=9 --cc 'gcc -O1'
    [[ "$output" =~ 3\ programs,\ [1-9][0-9]*\ compilation ]]
    # again, without the words, from elsewhere
    mkdir elsewhere
    cd elsewhere
    run -0 "$CUPEL" hunt ../H --jobs 1 --programs 2 --mode seeds
    [[ "$output" =~ 2\ programs,\ [1-9][0-9]*\ compilation ]]
    run -2 "$CUPEL" hunt ../H -lz
    [ "$output" = "cupel: -lz: programs of a hunt are linked with the C and math libraries only" ]
    run -2 "$CUPEL" hunt ../H -O2
    [ "$output" = "cupel: -O2 goes with a compiler: --cc 'gcc -O2'" ]
}

@test "a later run with another mode: the numbers are the whole campaign's, and a new finding has its time" {
    cc_script crashing <<'S'
for a; do
    case $a in *.c) grep -q '\<g2\>' "$a" && { echo "$a:1:1: internal compiler error: in fold, at f.c:1" >&2; exit 4; } ;; esac
done
exec gcc -w "$@"
S
    "$CUPEL" hunt h --programs 3 --seed 3 --mode small --quiet --cc "$PWD/crashing" || [ $? = 1 ]
    jq -e '.newest[0] | .first > 1000000000 and .count >= 1' h/status.json
    "$CUPEL" hunt h --programs 2 --mode plain --quiet || [ $? = 1 ]
    [ "$(jq .programs h/status.json)" = 5 ]
    "$CUPEL" status h --json | jq -e '.programs == 5 and (.strategies | length) == 2'
}

# -m32 gave programs for 64 bits, and its refusals were confirmed findings; what nobody understands
# was compiled to nothing, as predicted
@test "flags that are always there count when a compiler is looked at" {
    mkdir c && printf 'seed = 4\nmode = small\ncc = gcc\nalways = -fnonsense\n' >c/cupel.conf
    run -2 "$CUPEL" hunt c --jobs 1 --programs 2
    [[ "$output" == *"gcc -fnonsense cannot compile a small program: left out"* ]]
    sed -i 's/-fnonsense/-fshort-enums/' c/cupel.conf
    run "$CUPEL" hunt c --jobs 1 --programs 2
    [[ "$output" == *"not to run, because their data models are not predicted: gcc ("* ]]
    sed -i 's/-fshort-enums/-m32/' c/cupel.conf
    run "$CUPEL" hunt c --jobs 1 --programs 3
    [ "$status" != 1 ]
    [ "$("$CUPEL" list c --json | jq length)" = 0 ]
}

# a campaign of seconds looked at every compiler of the machine first, for minutes
@test "looking for compilers ends when half of the time is over, the best known first" {
    mkdir bin cache
    for i in $(seq 10 49); do
        printf '#!/bin/sh\nsleep 1\nexec gcc "$@" # %s\n' "$i" >bin/arm-linux-gnueabihf-gcc-$i
    done
    chmod +x bin/*
    SECONDS=0
    PATH="$PWD/bin:$PATH" XDG_CACHE_HOME="$PWD/cache" run "$CUPEL" hunt c --time 8 --jobs 1 --mode small --cc gcc
    [ $SECONDS -lt 40 ]
    [[ "$output" == *" compilers of this machine are left out: there was no time to look at them"* ]]
}

# A slice of 20 CPU seconds of a compiler that takes none never ended within a short hunt, and each
# hunt began it again, before its first program.
@test "what a slice of reduction reached within a short hunt is kept, and programs are tested too" {
    planted '\([3-9]\)3' '\14'
    "$CUPEL" hunt h --time 900 --stop-after 1 --mode plain --seed 3 --quiet --jobs 1 --cc "$PWD/planted -O0" || [ $? = 1 ]
    [ ! -e h/findings/1/reduced.c ]
    sed -i '2i sleep 0.1' planted
    run "$CUPEL" hunt h --time 30 --quiet --jobs 1
    [ "$status" -le 1 ]
    [ "$(wc -l <h/findings/1/reduced.c)" -lt "$(wc -l <h/findings/1/program.c)" ]
}
