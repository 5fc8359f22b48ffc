#!/bin/bash
# What a CPU second finds, side by side in one run:
#   csmith   Csmith's programs with drawn configurations; the machine says what they must print, which
#            saves csmith the -O0 build that it needs for reference
#   plain    cupel's programs at the plain levels
#   drawn    cupel's programs with drawn configurations, which is the default
# each with the same CPU time.
#   CUPEL=build/cupel bench/yield.sh [CPU_SECONDS] [COMPILER...]
# Prints findings, how many of them are distinct (by key: the guilty pass or the way it fails), and
# compilations; then the machine code that small programs and csmith's make per second of compiling.
# CPU time counts, so a busy machine does no harm.
set -eu
budget=${1:-600}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- gcc-12 clang-19
cupel=$(realpath "${CUPEL:-build/cupel}")
seed=${SEED:-1}
gcc=${GCC:-gcc}
here=$(dirname "$(realpath "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_CACHE_HOME=$work/cache # what other hunts learnt is not to help one of them
"$cupel" compilers --quiet >/dev/null

# shellcheck source=bench/code.bash
. "$here/code.bash"

spent() { "$cupel" status "$1" --json | jq '.strategies | map(.cpu) | add'; }

# hunt NAME ARGS...: in slices until the time is used; each longer than any program takes on a busy machine
hunt() {
    local name=$1
    shift
    rm -f "$XDG_CACHE_HOME/cupel/yields.json"
    "$cupel" hunt "$name" --programs 1 --jobs 1 "$@" >>log 2>&1 || [ $? = 1 ] || { tail -3 log >&2; exit 2; }
    while [ "$(jq -n "$(spent "$name") < $budget")" = true ]; do
        "$cupel" hunt "$name" --time 60 --jobs 1 "$@" >>log 2>&1 || true
    done
    "$cupel" list "$name" --json >"$name.json" || [ $? = 1 ]
    printf '%-7s %5.0f CPU s, %5d programs, %6d compilations: %3d findings, %2d distinct, %5.1f distinct in a CPU hour\n' \
        "$name" "$(spent "$name")" "$("$cupel" status "$name" --json | jq .programs)" \
        "$("$cupel" status "$name" --json | jq .compiles)" "$(jq 'map(.count) | add // 0' "$name.json")" \
        "$(jq length "$name.json")" "$(jq -n "$(jq length "$name.json") * 3600 / $(spent "$name")")"
}

drawn=() plain=()
for cc; do
    drawn+=(--cc "$cc")
    for level in -O0 -O1 -O2 -O3 -Os; do plain+=(--cc "$cc $level"); done
done
if command -v csmith >/dev/null; then
    hunt csmith --seed "$seed" "${drawn[@]}" --mode csmith
else
    echo "csmith  is not here"
fi
hunt plain --seed "$seed" "${plain[@]}"
hunt drawn --seed "$seed" "${drawn[@]}"
jq -r '.[] | "        drawn: \(.verdict) \(.config)"' drawn.json

mkdir code && cd code
made small 30
awk "BEGIN { printf \"small   %.1f KB of code per compile second\\n\", $rate }"
if command -v csmith >/dev/null; then
    made csmith 4
    awk "BEGIN { printf \"csmith  %.1f KB of code per compile second\\n\", $rate }"
fi
