#!/bin/bash
# cupel test beside a shell loop that does the same compiles and runs with the plain driver, at
# equal numbers of jobs, in one run.  Prints both ratios.
#   CUPEL=build/cupel bench/test.sh [SMALL_PROGRAMS] [CSMITH_PROGRAMS]
set -eu
cupel=${CUPEL:-build/cupel}
small=${1:-200}
large=${2:-20}
jobs=$(nproc)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

configs=()
for level in 0 1 2 3; do configs+=("gcc -O$level" "clang-19 -O$level"); done
configs+=(tcc)

# Small programs: some arithmetic, a loop, an array, a call, each with other numbers.
make_small() {
    cat >"$1" <<C
int printf(const char *, ...);
static int table[$(($2 % 13 + 3))];
static int step(int x) { return x * $(($2 * 7 % 101 + 1)) + $2; }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < $(($2 % 13 + 3)); i++)
        table[i] = step(i) % $(($2 % 17 + 2));
    for (int i = 0; i < $(($2 % 13 + 3)); i++)
        sum = (sum ^ table[i]) * 3 & 0xffff;
    printf("checksum = %d\n", sum);
    return 0;
}
C
}

# what `time` writes for each call of cupel: user and system seconds
TIMEFORMAT='%U %S'

now() { date +%s.%N; }

# plain NAME FLAGS: the shell loop's part for one program
plain() {
    local exe=./exe-$BASHPID config
    for config in "${configs[@]}"; do
        # shellcheck disable=SC2086 # a command and its flags
        if $config $2 "$1" -o $exe -lm 2>/dev/null; then timeout 10 $exe >$exe.out || true; fi
    done
    rm -f $exe $exe.out
}

# tested NAME FLAGS: cupel's part for one program
tested() {
    local args=() config
    for config in "${configs[@]}"; do args+=(--cc "$config $2"); done
    { time "$cupel" test "$1" --quiet --json --jobs "$jobs" "${args[@]}" >"$1.json" || [ $? -le 2 ]; } 2>>cpu
}

# plain_all FLAGS FILE...: `jobs` programs at a time
plain_all() {
    local flags=$1 i=0 f
    shift
    for f; do
        plain "$f" "$flags" &
        i=$((i + 1))
        [ $((i % jobs)) != 0 ] || wait
    done
    wait
}

tested_all() {
    local flags=$1 f
    shift
    for f; do tested "$f" "$flags"; done
}

for i in $(seq "$small"); do make_small "s$i.c" "$i"; done
start=$(now)
plain_all "" s*.c
middle=$(now)
tested_all "" s*.c
end=$(now)
awk -v n="$small" -v a="$start" -v b="$middle" -v c="$end" -v k="${#configs[@]}" -v j="$jobs" 'BEGIN {
    printf "%d small programs, %d configurations, %d jobs: shell loop %.1f s, cupel test %.1f s: %.2f times faster (goal 2)\n",
        n, k, j, b - a, c - b, (b - a) / (c - b) }'

# Csmith's programs that come to an end.
flags="-w -I/usr/include/csmith"
seed=0
for i in $(seq "$large"); do
    # shellcheck disable=SC2086 # several flags
    until seed=$((seed + 1)); csmith -s $seed >"c$i.c" && gcc $flags "c$i.c" -o probe &&
        timeout 1 ./probe >/dev/null; do :; done
done
start=$(now)
plain_all "$flags" c*.c
middle=$(now)
rm -f cpu
tested_all "$flags" c*.c
end=$(now)
job_cpu=$(jq -s 'map(.job_cpu_seconds) | add' c*.json)
awk -v n="$large" -v a="$start" -v b="$middle" -v c="$end" -v k="${#configs[@]}" -v job="$job_cpu" '{ total += $1 + $2 } END {
    printf "%d Csmith programs, %d configurations: shell loop %.1f s, cupel test %.1f s: %.2f times faster\n",
        n, k, b - a, c - b, (b - a) / (c - b)
    printf "CPU: %.2f s in compilers and programs, %.2f s in cupel and its runners: %.2f%% of the total (goal 1%%)\n",
        job, total - job, 100 * (total - job) / total }' cpu
