#!/bin/bash
# Our preprocessing beside gcc's, on the files named on stdin: the same tokens on the same lines?
#   find FOLDER -name '*.c' | tests/long/cpp.sh [FLAGS ...]
# Says which differ, and how many were left to gcc, and why.
set -u
cupel=$(realpath "${CUPEL:-build/cupel}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
files=0 rejected=0 declined=0 tokens=0 lines=0

# One line per token: file:line token.  Blanks between tokens do not count, those in strings do.
tokens() {
    awk '
    /^# [0-9]+ "/ { line = $2; split($0, part, "\""); file = part[2]; next }
    { rest = $0
      while (match(rest, /"([^"\\]|\\.)*"|[^ \t"]+/)) {
          print file ":" line " " substr(rest, RSTART, RLENGTH)
          rest = substr(rest, RSTART + RLENGTH)
      }
      line++ }' "$1" |
        # the same characters of a line together, whatever blanks stand between them
        awk '{ place = $1; sub(/^[^ ]* /, ""); if (place != last) { if (NR > 1) print all; all = place " "; last = place }
               all = all $0 } END { print all }'
}

while read -r file; do
    files=$((files + 1))
    gcc -w -E "$@" "$file" >"$dir/gcc.i" 2>/dev/null || { rejected=$((rejected + 1)); continue; }
    "$cupel" print -E --verbose "$@" "$file" >"$dir/ours.i" 2>"$dir/said"
    if [ -s "$dir/said" ]; then
        declined=$((declined + 1))
        sed 's/.* is preprocessed by [^:]*: //' "$dir/said" >>"$dir/why"
        continue
    fi
    tokens "$dir/gcc.i" >"$dir/gcc.t"
    tokens "$dir/ours.i" >"$dir/ours.t"
    cmp -s "$dir/gcc.t" "$dir/ours.t" && continue
    if cmp -s <(cut -d' ' -f2- "$dir/gcc.t" | tr -d ' \n') <(cut -d' ' -f2- "$dir/ours.t" | tr -d ' \n'); then
        lines=$((lines + 1))
        kind=lines
    else
        tokens=$((tokens + 1))
        kind=tokens
    fi
    echo "$file: $kind differ:"
    diff "$dir/gcc.t" "$dir/ours.t" | head -4
done
[ -s "$dir/why" ] && sort "$dir/why" | uniq -c | sort -rn
echo "$files files: $rejected rejected by gcc, $declined left to gcc, $tokens with other tokens, $lines with other lines"
[ $tokens = 0 ]
