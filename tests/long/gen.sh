#!/bin/bash
# The long proof of the generator: programs from seeds FIRST to FIRST+COUNT-1 do under every
# compiler, and under cupel's own machine, what was predicted.
#   CUPEL=build/cupel tests/long/gen.sh [COUNT] [FIRST] [DIR]
# Every program: gcc -O0, clang -O0, cupel check; every fourth also as ilp32 under gcc -m32; every
# fortieth under ASan, UBSan and MSan.  What fails is kept in DIR and named; exit status 1.
set -u
count=${1:-20000}
first=${2:-1000000}
dir=${3:-soak}
cupel=$(realpath "${CUPEL:-build/cupel}")
clang=${CLANG:-clang-19}
jobs=${JOBS:-$(nproc)}
limit=5 # seconds for a run under sanitizers; one second is the limit without

one() {
    local seed=$1 work bad=0
    work=$(mktemp -d)
    cd "$work" || exit 2
    complain() { # WHAT
        echo "seed $seed: $1"
        cp t.c "$dir/$seed.c"
        bad=1
    }
    compare() { # SECONDS COMMAND...: compile t.c, run it, compare with t.exp
        local seconds=$1
        shift
        if ! "$@" -w t.c -o t 2>err; then
            complain "refused by $*: $(grep -m1 error err)"
        elif ! timeout "$seconds" ./t >out 2>err; then
            complain "fails under $*: $(grep -m1 -E 'error|WARNING' err)"
        elif ! cmp -s out t.exp || [ -s err ]; then
            complain "another output under $*: $(head -1 out) instead of $(cat t.exp)"
        fi
    }
    generate() { # OPTIONS...
        timeout 20 "$cupel" gen --seed "$seed" "$@" -o t.c --expect t.exp 2>err ||
            { echo "seed $seed: no program: $(head -1 err)"; bad=1; false; }
    }
    if generate; then
        compare 1 gcc -O0
        compare 1 "$clang" -O0
        if ! "$cupel" check t.c >out 2>err; then
            complain "the machine says: $(head -1 err)"
        elif ! cmp -s out t.exp; then
            complain "another output under the machine"
        fi
        if [ $((seed % 40)) -eq 0 ]; then
            compare $limit gcc -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
            compare $limit "$clang" -O1 -fsanitize=address,undefined -fno-sanitize-recover=all
            compare $limit "$clang" -O1 -fsanitize=memory
        fi
    fi
    if [ $((seed % 4)) -eq 0 ] && generate --target ilp32; then
        compare 1 gcc -m32 -O0
    fi
    cd / && rm -rf "$work"
    return $bad
}

mkdir -p "$dir" && dir=$(realpath "$dir")
export -f one
export cupel clang dir limit
start=$SECONDS
seq "$first" $((first + count - 1)) | xargs -P "$jobs" -I{} bash -c 'one {}' >"$dir/log"
status=$?
cat "$dir/log"
echo "soak: $count programs from seed $first in $((SECONDS - start)) s, $(grep -c . "$dir/log") complaints"
[ $status -eq 0 ]
