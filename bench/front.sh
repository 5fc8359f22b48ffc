#!/bin/bash
# Reading C: cupel print --check beside clang-19 -fsyntax-only and tcc -c, on the same text: a
# Csmith program, and sqlite3's amalgamation when tools/roundtrip has fetched it.  Best of N.
#   CUPEL=build/cupel bench/front.sh [N]
set -eu
cd "$(dirname "$0")/.."
cupel=${CUPEL:-build/cupel}
n=${1:-15}
sqlite=${ROUNDTRIP_DIR:-build/roundtrip}/src/sqlite3/sqlite3.c
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# best COMMAND...: CPU milliseconds of the fastest run, and its kilobytes
best() {
    local i
    for ((i = 0; i < n; i++)); do
        command time -f '%U %S %M' -o "$dir/time" -- "$@" >/dev/null 2>&1 || echo "failed: $*" >&2
        tail -1 "$dir/time"
        perf_time "$@"
    done | awk '$4 { if (!ms || $4 < ms) ms = $4 } $3 && !$4 { kb = $3 } END { print ms, kb }'
}

# CPU time to the microsecond, which time(1) does not give: task-clock where perf is, else wall
perf_time() {
    if command -v perf >/dev/null && perf stat -x, -e task-clock -o "$dir/perf" -- "$@" >/dev/null 2>&1; then
        awk -F, '/task-clock/ { print 0, 0, 0, $1 }' "$dir/perf"
    else
        local from to
        from=$(date +%s%N)
        "$@" >/dev/null 2>&1 || true
        to=$(date +%s%N)
        awk "BEGIN { print 0, 0, 0, ($to - $from) / 1e6 }"
    fi
}

# compare NAME FILE: tcc preprocesses, since its headers are those that all three accept
compare() {
    local ours clang tcc
    cp "$2" "$dir/t.i"
    cp "$2" "$dir/t.c"
    ours=$(best "$cupel" print --check "$dir/t.i")
    clang=$(best clang-19 -w -fsyntax-only "$dir/t.i")
    tcc=$(best tcc -w -c "$dir/t.c" -o "$dir/t.o")
    echo "$1 $(wc -c <"$2") $ours $clang $tcc" | awk '{
        printf "%-10s %5d KB of text\n", $1, $2 / 1024
        printf "  cupel     %8.1f ms %8d KB\n", $3, $4
        printf "  clang-19  %8.1f ms %8d KB   %.1fx our time\n", $5, $6, $5 / $3
        printf "  tcc -c    %8.1f ms %8d KB   %.2fx our time\n", $7, $8, $7 / $3 }'
}

csmith -s 1 >"$dir/csmith.c"
tcc -E -I/usr/include/csmith "$dir/csmith.c" >"$dir/csmith.i"
compare csmith "$dir/csmith.i"
if [ -e "$sqlite" ]; then
    tcc -E "$sqlite" >"$dir/sqlite.i" 2>/dev/null
    compare sqlite3 "$dir/sqlite.i"
else
    echo "sqlite3: not there; make roundtrip fetches it"
fi
