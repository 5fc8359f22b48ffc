#!/usr/bin/env bats
# The shipped examples, on the compilers that tools/setup installs.

bats_require_minimum_version 1.5.0
load helpers

examples=$BATS_TEST_DIRNAME/../../examples

@test "gcc and clang give the expected output of every example" {
    for f in "$examples"/*.c; do
        [[ "$f" == */variable-arguments.c || "$f" == */minus-zero.c ]] && continue # see below
        run -0 "$CUPEL" test "$f" --quiet --expect "${f%.c}.expect" --cc 'gcc -O0' --cc 'gcc -O3' --cc 'clang-19 -O2'
    done
}

@test "tcc 0.9.27 really gets narrow-casts.c wrong, and it shows" {
    tcc -v | grep -q '0.9.27 (' || skip "another tcc"
    run -1 "$CUPEL" test "$examples/narrow-casts.c" --quiet --cc 'gcc -O2' --cc 'clang-19 -O2' --cc tcc
    [[ "$output" == *"1 of 3 do not do what the program must do"* ]]
    [[ "$output" == *"tcc"*"not what it must do: exit status 0, 16 bytes"* ]]
}

@test "clang 19 really gets variable-arguments.c wrong, gcc does not" {
    f=$examples/variable-arguments.c
    run -0 "$CUPEL" test "$f" --quiet --expect "${f%.c}.expect" --cc 'gcc -O0' --cc 'gcc -O3'
    run -1 "$CUPEL" test "$f" --quiet --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O0'
    [[ "$output" == *"1 of 3 do not do what the program must do"* ]]
    [[ "$output" == *"clang-19 -O0 "*"variable-arguments.c"* ]]
}

@test "gcc 12 really gets minus-zero.c wrong, clang does not" {
    gcc -dumpversion | grep -q '^12' || skip "another gcc"
    f=$examples/minus-zero.c
    run -0 "$CUPEL" test "$f" --quiet --expect "${f%.c}.expect" --cc 'clang-19 -O0' --cc 'clang-19 -O2'
    run -1 "$CUPEL" test "$f" --quiet --expect "${f%.c}.expect" --cc 'gcc -O0' --cc 'gcc -O2' --cc 'clang-19 -O0'
    [[ "$output" == *"2 of 3 do not give the expected result"* ]]
    run -0 "$CUPEL" check "$f"
    [ "$output" = inf ]
}

@test "a live line on a terminal, wiped at the end; plain lines elsewhere" {
    command -v script
    f=$examples/bit-fields.c
    cc_script slow <<<'sleep 0.3; exec gcc "$@"'
    TERM=xterm script -qec "'$CUPEL' test $f --jobs 1 --cc $PWD/slow --cc '$PWD/slow -O1' --cc '$PWD/slow -O2'" log >/dev/null
    grep -q 'tested [12] of 3' log
    # the last thing done to the live line is to wipe it
    tr '\r' '\n' <log | grep -a 'tested\|^.\[K' | tail -1 | grep -qv tested
    "$CUPEL" test "$f" --jobs 1 --cc gcc 2>err >/dev/null
    ! grep -q tested err
}
