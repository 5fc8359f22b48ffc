#!/bin/bash
# How a campaign's workers end under a real Slurm: before their time is up, when they are preempted, and
# when somebody stops them.  Each time what they had in hand is given back at once, not when a lease runs
# out, and the job has ended well.  As root; the daemons are Debian's, in a folder of their own.
#   CUPEL=build/cupel tests/long/slurm.sh
# shellcheck disable=SC2016,SC2034 # conditions are evaluated by wait_until
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
cupel=$(realpath "${CUPEL:-$here/../build/cupel}")
dir=$(mktemp -d /tmp/cupel-slurm-XXXXXX)
chmod 755 "$dir"
cd "$dir"
export TMPDIR=$dir/tmp
mkdir -p tmp log

die() {
    echo "slurm.sh: $*" >&2
    exit 1
}

finish() {
    status=$?
    "$here/slurm" stop "$dir/slurm" || :
    "$here/database" kill "$dir/db" || :
    if [ $status = 0 ]; then rm -rf "$dir"; else echo "slurm.sh: see $dir" >&2; fi
}
trap finish EXIT

"$here/database" start "$dir/db" >/dev/null
SLURM_CONF=$("$here/slurm" start "$dir/slurm")
export SLURM_CONF
U=$("$here/database" new "$dir/db" ends)
"$cupel" hunt "$U" --total 2 --seed 5 --mode small --profile swarm --cc 'tcc' --quiet || [ $? = 1 ]

sql() {
    psql -Atqc "$1" "$U"
}

# wait_until SECONDS CONDITION
wait_until() {
    local end=$((SECONDS + $1))
    until eval "$2"; do
        [ $SECONDS -lt $end ] || die "not within $1 s: $2"
        sleep 0.5
    done
}

alive() {
    sql 'SELECT count(*) FROM node WHERE gone = 0'
}

# submit TIME [NODES]: prints the job's number.
submit() {
    "$cupel" cluster "$U" --nodes "${2:-1}" --time "$1" --cpus 1 --log "$dir/log" | sed 's/.* //'
}

state() {
    scontrol show job "$1" | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p' | head -1
}

# Nobody has anything in hand, and every program that was begun is counted or waits.
nothing_held() {
    [ "$(sql 'SELECT count(*) FROM task WHERE state = 0')" = 0 ] || die "$1: leases are left"
    [ "$(sql "SELECT count(*) FROM finding WHERE owner <> ''")" = 0 ] || die "$1: a finding is held"
    [ "$(sql 'SELECT sum(programs) FROM strategy WHERE next > 0')" = "$(sql 'SELECT count(*) FROM task WHERE state = 1')" ] ||
        die "$1: programs are not counted as they were tested"
}

# 1. Slurm asks before the time is up (it may do so a minute early), and the job ends as one that was done.
job=$(submit 2m)
wait_until 60 '[ "$(alive)" = 1 ]'
began=$SECONDS
wait_until 150 '[ "$(state "$job")" = COMPLETED ] || [ "$(state "$job")" = TIMEOUT ]'
[ "$(state "$job")" = COMPLETED ] || die "the job did not end by itself: $(state "$job")"
scontrol show job "$job" | grep -q 'ExitCode=0:0' || die "the job did not end well"
[ "$(alive)" = 0 ] || die "the node did not say goodbye"
nothing_held "before the time is up"
echo "slurm.sh: asked before its time was up, the worker ended after $((SECONDS - began)) s, with status 0"

# 2. Preempted: it gives back what it has, is queued again, and goes on.
job=$(submit 1h 2)
wait_until 60 '[ "$(alive)" = 2 ]'
wait_until 60 '[ "$(sql "SELECT sum(programs) FROM node WHERE gone = 0")" -ge 4 ]'
urgent=$(sbatch --parsable --partition=urgent --ntasks=2 --nodes=2 --output=/dev/null --wrap 'sleep 8')
wait_until 60 '[ "$(state "$urgent")" = RUNNING ]'
wait_until 30 '[ "$(alive)" = 0 ]'
nothing_held "preempted"
# Slurm lets a job that was requeued wait for two minutes
wait_until 240 '[ "$(alive)" = 2 ]'
scontrol show job "$job" | grep -q 'Restarts=1' || die "the job was not requeued"
before=$(sql 'SELECT sum(programs) FROM strategy WHERE next > 0')
wait_until 60 '[ "$(sql "SELECT sum(programs) FROM strategy WHERE next > 0")" -gt $before ]'
echo "slurm.sh: preempted on two nodes: given back, queued again, and on it goes"

# 3. Stopped.
"$cupel" cluster status "$U" | grep -q RUNNING || die "cluster status does not show the job"
"$cupel" cluster stop "$U"
wait_until 30 '[ "$(alive)" = 0 ]'
nothing_held "stopped"
wait_until 60 '[ -z "$(squeue -h)" ]'
sql 'SELECT count(*) FROM task WHERE state = 2 AND deaths > 0' | grep -qx 0 || die "somebody's end was taken for a death"
echo "slurm.sh: stopped: given back at once"
