#!/bin/bash
# One campaign on two Slurm nodes and a PostgreSQL, with faults: nothing is lost, nothing is counted
# twice.  As root; the daemons are Debian's, in a folder of their own.
#   CUPEL=build/cupel tests/long/cluster.sh [ROUNDS [SECONDS-THAT-THE-DATABASE-IS-AWAY]]
# First the same seeds in a folder, in the database, and on two nodes: the same programs once each, the
# same findings.  Then ROUNDS (10) rounds with a fault each, in turn (from the FIRST of them on); the
# campaign must end as the undisturbed one did.  FEW (60) programs before the faults, EACH (40) in a round.
# shellcheck disable=SC2016 # conditions are evaluated by wait_until
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
cupel=$(realpath "${CUPEL:-$here/../build/cupel}")
rounds=${1:-10} away=${2:-60} first=${FIRST:-0}
dir=$(mktemp -d /tmp/cupel-cluster-XXXXXX)
chmod 755 "$dir"
cd "$dir"
export TMPDIR=$dir/tmp
mkdir -p tmp log

die() {
    echo "cluster.sh: $*" >&2
    exit 1
}

finish() {
    status=$?
    pkill -P $$ 2>/dev/null || :
    "$here/slurm" stop "$dir/slurm" || :
    "$here/database" kill "$dir/db" || :
    [ -z "$full" ] || umount "$dir/db/data" || :
    if [ $status = 0 ]; then rm -rf "$dir"; else echo "cluster.sh: see $dir" >&2; fi
}
trap finish EXIT

# A compiler that crashes on programs with certain words in them: several findings, each of them often.
cat >faulty <<'S'
#!/bin/sh
for a; do
    case $a in *.c)
        grep -q '\<g2\>' "$a" || break # no program of cupel's
        for word in 'while (' 'switch (' 'goto ' '__builtin_' 'struct '; do
            if grep -q -F "$word" "$a" && [ $(($(wc -c <"$a") % 3)) = 0 ]; then
                echo "$a:1:1: internal compiler error: in fold_$(echo "$word" | tr -cd a-z), at f.c:1" >&2
                exit 4
            fi
        done ;;
    esac
done
exec tcc -w "$@"
S
chmod +x faulty
choices=(--seed 11 --mode small --profile swarm --cc "$dir/faulty" --quiet)

# A disk of its own, which can be full.
mkdir -p db/data
full=full
mount -t tmpfs -o size=200m none db/data 2>/dev/null || full=
if [ -n "$full" ]; then chown postgres db/data && chmod 700 db/data; else rmdir db/data; fi
"$here/database" start "$dir/db" >/dev/null
SLURM_CONF=$("$here/slurm" start "$dir/slurm")
export SLURM_CONF

sql() {
    psql -Atqc "$1" "$U"
}

# What a campaign has found, key by key.
findings() {
    "$cupel" list "$1" --all --json | jq -c 'map(select(.key | test("sighting") | not) | [.key, .count]) | sort[]'
}

tasks() {
    "$cupel" status "$1" --json | jq -c '.tasks.small | [.next, .done, .lost, .counted]'
}

is_whole() {
    [ "$(tasks "$1")" = "[$2,$2,0,$2]" ] || die "$3: $(tasks "$1"), not $2 programs"
    findings "$1" >found
    diff wanted found >differs || { cat differs; die "$3: other findings"; }
}

submit() {
    "$cupel" cluster "$U" --nodes 2 --time 1h --cpus 1 --total "$1" --log "$dir/log" >>submitted
}

# wait_until SECONDS CONDITION
wait_until() {
    local end=$((SECONDS + $1))
    until eval "$2"; do
        [ $SECONDS -lt $end ] || die "not within $1 s: $2: $(tasks "$U")"
        sleep 0.5
    done
}

done_so_far() {
    local n
    n=$(sql 'SELECT coalesce(sum(programs), 0) FROM strategy' 2>/dev/null) && echo "${n:-0}" || echo 0
}

short_lease() {
    sql "UPDATE choice SET value = replace(value, 'lease = 60s', 'lease = 6s') WHERE key = 'conf'" >log/sql
}

# ---- the same everywhere ---------------------------------------------------------------------
few=${FEW:-60}
"$cupel" hunt h --total "$few" "${choices[@]}" || [ $? = 1 ]
findings h >wanted
[ "$(wc -l <wanted)" -ge 2 ] || die "the folder has too few findings to compare"
U=$("$here/database" new "$dir/db" alone)
"$cupel" hunt "$U" --total "$few" "${choices[@]}" || [ $? = 1 ]
is_whole "$U" "$few" "one machine with a database"
U=$("$here/database" new "$dir/db" two)
"$cupel" hunt "$U" --total 1 "${choices[@]}" || [ $? = 1 ]
submit "$few"
wait_until 300 '[ "$(tasks "$U")" = "[$few,$few,0,$few]" ]'
is_whole "$U" "$few" "two nodes"
echo "cluster.sh: $few programs once each and $(wc -l <wanted) findings, in a folder, in a database, on two nodes ($(
    sql 'SELECT string_agg(host || chr(58) || programs, $$, $$) FROM node' ))"

# ---- faults ------------------------------------------------------------------------------------
each=${EACH:-40}
total=$((few + rounds * each))
# what an undisturbed one finds, meanwhile
"$cupel" hunt h --total $total --jobs 1 --quiet &
undisturbed=$!

# The cupel processes of our own two nodes: their command lines have the path of our database.
coordinators() {
    pgrep -f "$cupel hunt --worker-of $U" || :
}

# Kills one of these processes.
one_of() {
    local pid
    pid=$(echo "$1" | shuf -n 1)
    [ -z "$pid" ] || kill -9 "$pid" || :
}

fault_worker() { # a worker process is killed
    one_of "$(for c in $(coordinators); do pgrep -P "$c" -f 'hunt --worker$'; done)"
}

fault_coordinator() { # a node's cupel is killed, and the job with it
    one_of "$(coordinators)"
}

fault_slurmd() { # slurmd dies and comes back
    "$here/slurm" kill "$dir/slurm" n1
    sleep 3
    "$here/slurm" revive "$dir/slurm" n1
}

fault_requeue() {
    job=$(squeue -h -t running -o %i | head -1)
    [ -z "$job" ] || scontrol requeue "$job" || :
}

fault_cancel() {
    "$cupel" cluster stop "$U"
}

fault_away() { # the database is stopped for a minute
    "$here/database" stop "$dir/db"
    sleep "$away"
    "$here/database" start "$dir/db" >/dev/null
}

fault_crash() { # it is killed while it commits
    "$here/database" kill "$dir/db"
    "$here/database" start "$dir/db" >/dev/null
}

fault_killed() { # all of its processes at once, in the middle of what they do
    postmaster=$(head -1 db/data/postmaster.pid)
    # shellcheck disable=SC2046 # several pids
    kill -9 "$postmaster" $(pgrep -P "$postmaster")
    wait_until 60 '! kill -0 "$postmaster" 2>/dev/null'
    "$here/database" start "$dir/db" >/dev/null
}

fault_backend() { # one of its processes is killed, so that it restarts all of them
    pid=$(sql "SELECT pid FROM pg_stat_activity WHERE application_name = 'cupel' LIMIT 1")
    one_of "$pid"
    sleep 2
}

fault_full() { # no room for what it writes
    fallocate -l "$(($(df --output=avail -B1 db/data | tail -1) - 4096))" db/data/fill
    sleep 8
    rm -f db/data/fill
    sql 'SELECT 1' >log/sql 2>&1 || "$here/database" start "$dir/db" >/dev/null
}

fault_clock() { # a node whose clock is an hour off
    [ -e clock.so ] || gcc -w -shared -fPIC -o clock.so -x c - <<'C'
#include <sys/time.h>
#include <time.h>
#include <stdlib.h>
__attribute__((constructor)) static void start(void) { unsetenv("LD_PRELOAD"); }
time_t time(time_t *to)
{
    struct timeval now;
    gettimeofday(&now, 0);
    now.tv_sec -= 3600;
    if (to)
        *to = now.tv_sec;
    return now.tv_sec;
}
C
    LD_PRELOAD=$dir/clock.so timeout 60 "$cupel" hunt --worker-of "$U" --node slow-clock --jobs 1 --programs 5 --total "$goal" --quiet || :
}

# as_compiler SCRIPT COMMAND...: on a machine where the compiler of the same name is this one.
as_compiler() {
    unshare -m sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' sh "$1" "$dir/faulty" "${@:2}"
}

fault_compiler() { # a node whose compiler is another build: what it was given is its own kit's
    sed '2i # another build' faulty >rebuilt
    chmod +x rebuilt
    as_compiler "$dir/rebuilt" timeout 60 "$cupel" hunt --worker-of "$U" --node other-compiler --jobs 1 --programs 3 --total "$goal" --quiet || :
    [ "$(sql 'SELECT count(*) FROM compiler')" -ge 2 ] || die "another compiler was taken for the same"
}

fault_slow() { # a node that looks at its compilers for longer than a lease lasts is not given up
    rm -f looked
    sed "2i [ -e $dir/looked ] || { touch $dir/looked; sleep 15; }" faulty >slow
    chmod +x slow
    as_compiler "$dir/slow" timeout 100 "$cupel" hunt --worker-of "$U" --node slow --jobs 1 --programs 2 --total "$goal" 2>log/slow || :
    ! grep -q 'silent for too long' log/slow || die "a node was given up while it looked at its compilers"
}

fault_version() { # a node with another cupel
    [ -e other ] || { sed "s/$("$cupel" --version | sed 's/cupel //')/$("$cupel" --version | sed 's/cupel //; s/^./9/')/" "$cupel" >other; chmod +x other; }
    timeout 60 ./other hunt --worker-of "$U" --node other-cupel --jobs 1 --programs 3 --total "$goal" --quiet || :
}

# shellcheck disable=SC2206 # one word or none
faults=(worker coordinator slurmd requeue cancel crash killed backend clock version compiler slow away $full)
short_lease
for round in $(seq 1 "$rounds"); do
    fault=${faults[$(((first + round - 1) % ${#faults[@]}))]}
    goal=$((few + round * each))
    began=$SECONDS
    submit $goal
    wait_until 200 '[ "$(done_so_far)" -ge $((goal - each + 5)) ]'
    "fault_$fault"
    # whatever was lost of the job is submitted again, as its owner would
    while ! [ "$(tasks "$U" 2>/dev/null)" = "[$goal,$goal,0,$goal]" ]; do
        [ $((SECONDS - began)) -lt 600 ] || die "round $round ($fault) does not end: $(tasks "$U")"
        [ -n "$(squeue -h -n "$(squeue -h -o %j | head -1)" 2>/dev/null)" ] || submit $goal
        sleep 2
    done
    wait_until 100 '[ -z "$(squeue -h -t running -o %i)" ]'
    [ "$(sql 'SELECT count(*) = count(DISTINCT (strategy, number)) AND count(*) FILTER (WHERE state = 1) = sum(1) FROM task')" = t ] ||
        die "round $round ($fault): tasks are not what they should be"
    echo "cluster.sh: round $round, $fault: $goal programs once each, $((SECONDS - began)) s"
done
wait $undisturbed || [ $? = 1 ]
findings h >wanted
is_whole "$U" "$total" "after $rounds faults"
echo "cluster.sh: $rounds rounds: $total programs once each, the findings of an undisturbed hunt"
