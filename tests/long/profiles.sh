#!/bin/bash
# The generator's profiles: gcc, clang and cupel's machine print what was predicted.
#   CUPEL=build/cupel tests/long/profiles.sh [COUNT] [FIRST] [DIR]
# COUNT programs of each profile, and of the swarm, in several sizes.  Exit status 0 when all agree;
# a program that does not stays in DIR, with a line that says who disagrees.
set -u
count=${1:-300}
first=${2:-5000000}
dir=${3:-build/profiles}
cupel=$(realpath "${CUPEL:-build/cupel}")
mkdir -p "$dir" || exit 2
cd "$dir" || exit 2
ulimit -v 4000000
status=0

# run_one COMPILER SEED: compile and run; true when the output is the predicted one
run_one() {
    $1 -w "$2.c" -o "$2.exe" 2>"$2.err" && timeout 10 "./$2.exe" >"$2.got" 2>>"$2.err" &&
        cmp -s "$2.got" "$2.expect"
}

# check_one SEED WHAT
check_one() {
    local bad=()
    run_one "gcc -O0" "$1" || bad+=(gcc)
    run_one "clang-19 -O0" "$1" || bad+=(clang)
    { timeout 60 "$cupel" check "$1.c" >"$1.got" 2>>"$1.err" && cmp -s "$1.got" "$1.expect"; } ||
        bad+=(machine)
    if ((${#bad[@]})); then
        echo "seed $1 of $2: ${bad[*]}"
        return 1
    fi
    rm -f "$1".*
}

profiles=$("$cupel" gen --profiles | grep -o '^[a-z]\+') || exit 2
for profile in "" $profiles; do
    wrong=0
    for ((i = 0; i < count; i++)); do
        seed=$((first + i))
        options=(--seed "$seed")
        [ -n "$profile" ] && options+=(--profile "$profile")
        ((i % 4 == 3)) && options+=(--size 120)
        ((i % 8 == 1)) && options+=(--for gcc --for clang)
        "$cupel" gen "${options[@]}" -o "$seed.c" --expect "$seed.expect" || exit 2
        check_one "$seed" "${profile:-swarm}" || wrong=$((wrong + 1))
    done
    echo "${profile:-swarm}: $count programs, $wrong wrong"
    ((wrong)) && status=1
done
exit $status
