#!/bin/sh
# Statement counts of the machine against gcov's, on Csmith programs.
# Usage: tests/long/gcov.sh [COUNT [FIRST_SEED]]      CUPEL names the binary
# A line counts when gcov is unambiguous there: one plain statement that ends on its line, with no
# operator that branches, and no jump (gcc merges those that lead to one place: of two breaks, gcov
# counts the first, whichever ran).
# Exit status 0 when all of them agree.
set -u
cupel=${CUPEL:-$(cd "$(dirname "$0")/../.." && pwd)/build/cupel}
want=${1:-50} seed=${2:-1}
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'rm -rf "$dir"' EXIT
done_=0 lines=0 bad=0
while [ $done_ -lt "$want" ]; do
    rm -f ./*
    csmith -s "$seed" >t.c 2>/dev/null
    gcc -w -O0 --coverage -I/usr/include/csmith t.c -o t 2>/dev/null
    if timeout 1 ./t >/dev/null 2>&1 &&
        "$cupel" check --quiet --coverage -I/usr/include/csmith t.c >ours 2>/dev/null; then
        gcov -t t-t.gcda 2>/dev/null >theirs || gcov -t t.c >theirs 2>/dev/null
        awk -v seed="$seed" '
            function count(s) { gsub(/[ *]/, "", s); return s ~ /#####|=====/ ? 0 : s + 0 }
            {
                n = split($0, part, ":")
                if (n < 3 || part[1] ~ /never/) next
                line = part[2] + 0
                text = substr($0, length(part[1]) + length(part[2]) + 3)
            }
            FILENAME == "ours" { if (part[1] !~ /-/) { ours[line] = count(part[1]); code[line] = text } next }
            line == 0 && /:Source:/ { mine = /:Source:t\.c$/ }
            mine && (line in ours) && part[1] !~ /-/ && text ~ /^[^;{}?]*;[ \t]*$/ &&
            text !~ /for \(|while|&&|\|\||\?|else|goto|return|break|continue/ {
                lines++
                if (ours[line] != count(part[1])) {
                    printf "seed %d line %d: ours %d, gcov %d: %s\n", seed, line, ours[line], count(part[1]), text
                    bad++
                }
            }
            END { printf "%d %d\n", lines, bad > "sums" }' ours theirs
        read -r l b <sums
        lines=$((lines + l)) bad=$((bad + b)) done_=$((done_ + 1))
    fi
    seed=$((seed + 1))
done
echo "$done_ programs, $lines lines, $bad of them counted otherwise"
[ $bad -eq 0 ]
