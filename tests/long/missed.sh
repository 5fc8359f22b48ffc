#!/bin/bash
# The paper's Tables 4, 5 and 6 by compiler version, and a compiler against itself.
# [SIZE=500] [SELF_SIZE=30] tests/long/missed.sh DIR [SECONDS] [PAIRS] [TRIED] [SELF]
#   DIR      keeps what is done: the same command goes on there
#   SECONDS  nothing is begun after so many (600)
#   PAIRS    of each version and oracle, of SIZE operators (40)
#   TRIED    pairs of which the differences are minimised, gcc-12 and clang-19 (60)
#   SELF     programs that a compiler gets against itself (300)
set -eu
dir=${1:?DIR}
end=$((SECONDS + ${2:-600}))
pairs=${3:-40}
tried=${4:-60}
self=${5:-300}
size=${SIZE:-500}
cupel=$(realpath "${CUPEL:-build/cupel}")
mkdir -p "$dir"
cd "$dir"

# once NAME ARGS...: cupel missed, its JSON into NAME.json, unless that is there or the time is over.
once() {
    local name=$1
    shift
    [ -e "$name.json" ] && return
    [ $SECONDS -lt $end ] || { echo "time is over: call it again to go on"; exit 3; }
    "$cupel" missed "$name" --quiet --json --jobs 1 "$@" >"$name.part" || [ $? = 1 ]
    mv "$name.part" "$name.json"
}

versions=$(for c in gcc-11 gcc-12 clang-13 clang-14 clang-15 clang-16 clang-19 clang-22; do
    ! command -v $c >/dev/null || echo $c; done)
for c in $versions; do
    once "count.$c" --count-only --oracle pair,volatile --size "$size" --programs "$pairs" --cc "$c -O3"
done
for c in gcc-12 clang-19; do
    once "minimised.$c" --oracle pair --size "$size" --programs "$tried" --cc "$c -O3"
done

# A compiler and the same one under another name, with the same flags: nothing may differ.
for c in gcc-12 clang-19; do
    printf '#!/bin/sh\nexec %s "$@"\n' $c >"same-$c"
    chmod +x "same-$c"
    once "self.$c" --oracle dead,live,volatile --size "${SELF_SIZE:-30}" --programs "$self" --cc "./same-$c -O2" --cc "$c -O2"
    jq -e '.differences == 0 and .refused == 0' "self.$c.json" >/dev/null || { echo "$c differs from itself"; exit 1; }
done

row() { jq -r --arg o "$2" ".rows[] | select(.oracle == \$o) | $3" "$1"; }
echo "| compiler | opt | #test | #diff | of volatiles: #test | #diff |"
echo "|---|---|---|---|---|---|"
for c in $versions; do
    echo "| $c | -O3 | $(row "count.$c.json" pair '"\(.programs) | \(.differences)"') |" \
        "$(row "count.$c.json" volatile '"\(.programs) | \(.differences)"') |"
done
echo
echo "| compiler | #tried | CPU s each | #op before | after | #op < 10 | of those in doubt |"
echo "|---|---|---|---|---|---|---|"
for c in gcc-12 clang-19; do
    row "minimised.$c.json" pair 'select(.minimised > 0) | "| '"$c"' -O3 | \(.minimised) | \(.minimise_cpu / .minimised * 10 | round / 10)
        | \(.operators_before / .minimised | round) | \(.operators_after / .minimised * 10 | round / 10) | \(.below_ten) | \(.contradicted) |"' |
        tr -s '\n ' ' '
    echo
done
echo
for c in gcc-12 clang-19; do
    jq -r '"\(.programs) programs, '"$c"' -O2 against itself: \(.differences) differences"' "self.$c.json"
done
