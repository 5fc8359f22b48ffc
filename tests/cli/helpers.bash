# Sourced by every bats file.
# CUPEL names the binary under test; work happens in a folder of the test's own, with a TMPDIR
# of its own, so that leftovers can be seen.

setup() {
    : "${CUPEL:=$BATS_TEST_DIRNAME/../../build/cupel}"
    cd "$BATS_TEST_TMPDIR" || exit 1
    mkdir tmp
    export TMPDIR="$BATS_TEST_TMPDIR/tmp"
    export CUPEL
    # `make CC=...` hands it on to us, and reproduce.sh would heed it
    unset CC
    # other users, such as the sandbox's, must be able to come here
    chmod 711 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR"
}

# A test that failed may have left what it started in the background, and bats waits for all that
# holds its output.
end_jobs() {
    local job
    for job in $(jobs -pr) $(jobs -ps); do
        kill -CONT "$job" 2>/dev/null && kill -INT "$job" 2>/dev/null
        within 30 "! kill -0 $job 2>/dev/null" || kill -KILL "$job"
        wait "$job" || :
    done
}

# After every test: nothing of ours is left, no file and no process.
teardown() {
    local left
    end_jobs
    left=$(find "$TMPDIR" -mindepth 2 2>/dev/null | head -5)
    [ -z "$left" ] || { echo "left behind: $left" >&2; return 1; }
    # test 1's folder is not test 12's, which may run beside it
    left=$(pgrep -f "$BATS_TEST_TMPDIR([^0-9]|\$)" | grep -v "^$$\$" | head -5 | paste -sd,)
    [ -z "$left" ] || { ps -o pid,args -p "$left" >&2; return 1; }
}

# cc_script NAME: a compiler made from a script on stdin.
cc_script() {
    { echo '#!/bin/sh'; cat; } >"$1"
    chmod +x "$1"
}

# within SECONDS CONDITION: wait until the shell code CONDITION holds; fails when it does not in time.
within() {
    local end=$((SECONDS + $1))
    until eval "$2"; do
        [ $SECONDS -lt $end ] || { echo "not within $1 s: $2" >&2; return 1; }
        sleep 0.05
    done
}
