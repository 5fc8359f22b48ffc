#!/bin/sh
# What triage costs: compilations for the guilty pass and for the matrix, and seconds of the clock.
# bench/triage.sh [FILE.c 'COMMAND']...; without any, a loop that every vectoriser gets "wrong".
set -eu
cupel=${CUPEL:-build/cupel}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

measure() { # FILE COMMAND [--expect FILE]
    file=$1 command=$2
    shift 2
    start=$(date +%s%N)
    "$cupel" triage "$file" --cc "$command" --json "$@" >"$dir/out" 2>/dev/null || [ $? = 1 ] || {
        echo "$command: nothing to triage"
        return 0
    }
    jq -r --arg c "$command" --argjson ms "$((($(date +%s%N) - start) / 1000000))" '[$c, .pass,
        "\(.blame_compiles) compilations", "\(.seconds * 10 | round / 10) s",
        "\(.matrix_compiles) for the matrix", "\(.compiles) and \($ms / 100 | round / 10) s in all"] | join(", ")' "$dir/out"
}

if [ $# -gt 0 ]; then
    while [ $# -gt 1 ]; do
        measure "$1" "$2"
        shift 2
    done
    exit
fi
cat >"$dir/t.c" <<'C'
int printf(const char *, ...);
int a[64];
__attribute__((noinline)) void f(int *restrict p, int *restrict q)
{
    for (int i = 0; i < 60; i++)
        p[i] = q[i] + 1;
}
int main(void)
{
    f(a + 1, a);
    printf("%d\n", a[60]);
    return 0;
}
C
echo 60 >"$dir/t.exp"
for command in 'clang-13 -O3' 'clang-16 -O3' 'clang-19 -O3' 'clang-22 -O3' 'gcc-11 -O3' 'gcc-12 -O3'; do
    command -v "${command%% *}" >/dev/null && measure "$dir/t.c" "$command" --expect "$dir/t.exp"
done
