#!/bin/sh
# A shared campaign at scale, on this machine: 1,000 simulated workers against one PostgreSQL, and what
# `cupel status` and the overview page cost with 10^6 tasks and 10^4 findings.
#   CUPEL=build/cupel bench/cluster.sh [SECONDS [TASK-SECONDS]]
# A task sleeps for what a real one takes: with two configurations of gcc or clang half a second.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
cupel=$(realpath "${CUPEL:-$here/build/cupel}")
bench=$(dirname "$cupel")/cluster-bench
seconds=${1:-30} task=${2:-0.5}
[ -x "$bench" ] || { echo "bench/cluster.sh: $bench is not built: make bench" >&2; exit 2; }
dir=$(mktemp -d /tmp/cupel-bench-XXXXXX)
chmod 755 "$dir"
trap 'kill "${pid:-}" 2>/dev/null || :; "$here/tests/database" kill "$dir/db" || :; rm -rf "$dir"' EXIT
FSYNC=on "$here/tests/database" start "$dir/db" >/dev/null
U=$("$here/tests/database" new "$dir/db" scale)
"$bench" "$U" 40 25 "$seconds" "$task"

U=$("$here/tests/database" new "$dir/db" big)
cd "$dir"
cat >faulty <<'S'
#!/bin/sh
for a; do case $a in *.c) echo "$a:1:1: internal compiler error: in fold, at f.c:1" >&2; exit 4 ;; esac; done
exec gcc -w "$@"
S
chmod +x faulty
cat >usable <<S
#!/bin/sh
for a; do case \$a in *.c) grep -q 'for (' "\$a" && exec "$dir/faulty" "\$@" ;; esac; done
exec gcc -w "\$@"
S
chmod +x usable
"$cupel" hunt "$U" --stop-after 1 --time 100 --seed 1 --mode plain --quiet --cc "$dir/usable" || [ $? = 1 ]
psql -q "$U" <<'SQL'
INSERT INTO task(strategy, number, state, profile, class)
    SELECT 'plain', 1000 + n, 1, 'swarm', 'plain' FROM generate_series(1, 1000000) n;
UPDATE strategy SET next = next + 1000000, programs = programs + 1000000 WHERE name = 'plain';
INSERT INTO finding(key, count, first, last, detail, brief, verdict, compiler, bug)
    SELECT key || n, 1, first + n, last + n, detail, brief, verdict, compiler || n % 10, ''
    FROM finding, generate_series(1, 10000) n WHERE id = 1;
ANALYZE;
SQL
# the median of nine, in milliseconds
median() {
    for _ in 1 2 3 4 5 6 7 8 9; do
        from=$(date +%s%N)
        "$@" >out
        echo $((($(date +%s%N) - from) / 10000))
    done | sort -n | sed -n 5p | awk '{printf "%.1f ms\n", $1 / 100}'
}
echo "cupel status with 10^6 tasks and 10^4 findings: $(median "$cupel" status "$U")"
"$cupel" serve "$U" --listen 127.0.0.1:0 >address & pid=$!
until [ -s address ]; do sleep 0.1; done
echo "the overview page: $(median curl -s "$(cat address)")"
echo "the list of bugs: $(median curl -s "$(cat address)bugs")"
