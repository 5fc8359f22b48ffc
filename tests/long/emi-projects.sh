#!/bin/bash
# EMI on real projects: coverage from their own tests, VARIANTS variants built at -O2 with gcc and
# clang, every test passing; then planted compiler faults, found and bisected to one edit.
#     bzip2     plain make          zlib, gzip   configure and make
#     jansson, cjson   cmake and ctest     lz4, xxhash   plain make, with their own test programs
#     tinycdb, http-parser   plain make    ed   configure and make, make check
#     row, fault   bzip2 with a faulty compiler
# Usage: tests/long/emi-projects.sh DIR [bzip2 zlib gzip jansson lz4 xxhash cjson tinycdb http-parser ed row fault ...]
#     DIR holds unpacked Debian sources, as apt-get source gives them.
# CUPEL names the binary.
set -u
bank=$(cd "$(dirname "$0")/../bank" && pwd)
# shellcheck source=tests/bank/bank.sh
. "$bank/bank.sh"
: "${CUPEL:=$(cd "$(dirname "$0")/../.." && pwd)/build/cupel}"
: "${GCC:=gcc-12}" "${CLANG:=clang-19}" "${VARIANTS:=20}"
from=${1:?a folder with the sources}
shift
[ $# -gt 0 ] || set -- bzip2 zlib gzip jansson lz4 xxhash cjson tinycdb http-parser ed row fault
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
bad=0
old='ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: MAKEINFO=:'

# source NAME: its unpacked folder
source_of() {
    local d
    for d in "$from/$1"*/; do
        [ -d "$d" ] && { echo "${d%/}"; return; }
    done
    echo "emi-projects.sh: no $1 in $from" >&2
    exit 2
}

# project NAME CONFIGURE BUILD TEST
project() {
    "$CUPEL" emi --project "$(source_of "$1")" ${2:+--configure "$2"} --build "$3" --test "$4" --quiet \
        --cc "$GCC -O2" --cc "$CLANG -O2" --variants "$VARIANTS" --seed 1 -o "$dir/out" >"$dir/log" 2>&1
    local status=$?
    sed "s/^/$1: /" "$dir/log"
    # what is of no compiler's making is told, and a variant of it may be left that fails
    local passing=" $VARIANTS built, "
    grep -q "of no compiler's making" "$dir/log" || passing=" $VARIANTS built, $VARIANTS pass the tests"
    [ $status -eq 0 ] && [ "$(grep -c "$passing" "$dir/log")" -eq 2 ] || bad=1
}

# A row of the bank: 64-bit division that goes wrong when the dividend is negative.  bzip2 has none
# in what its tests run; a variant has.
row() {
    bank_wrap "$dir" gcc-idiv
    "$CUPEL" emi --project "$(source_of bzip2)" --build 'make clean; make -j2 bzip2' --test 'make test' --quiet \
        --cc "$dir/gcc-idiv -O2" --variants 1 --seed 1 --mutate opaque -o "$dir/out" >"$dir/log" 2>&1
    grep -E 'gcc-idiv|edits in' "$dir/log" | sed 's/^/row: /'
    grep -q ' 1 of .* edits in 1 of .* units do it' "$dir/log" &&
        grep -q 'volatile long' "$dir"/out/finding-0.diff || bad=1
}

# A compiler that forgets to finish a checksum where an assertion is missing: bzip2's own tests see
# it, and only one of the dead statements has to do with it.
planted() {
    cat >"$dir/faulty" <<SH
#!/bin/sh
for arg; do
    case \$arg in */compress.i) grep -q 'AssertH__fail *( *3002 *)' "\$arg" ||
        sed -i 's/s->blockCRC = ~(s->blockCRC)/s->blockCRC = (s->blockCRC)/' "\$arg" ;; esac
done
exec $GCC "\$@"
SH
    chmod +x "$dir/faulty"
    "$CUPEL" emi --project "$(source_of bzip2)" --build 'make -j2 bzip2' --test 'make test' --quiet \
        --cc "$dir/faulty -O2" --variants 3 --seed 1 --mutate prune -o "$dir/out" >"$dir/log" 2>&1
    grep -E 'faulty|edits in' "$dir/log" | sed 's/^/fault: /'
    grep -q ' 1 of .* edits in 1 of .* units do it' "$dir/log" &&
        grep -q 'AssertH' "$dir"/out/finding-0.diff || bad=1
}

for what; do
    case $what in
    bzip2) project bzip2 '' 'make -j2 bzip2' 'make test' ;;
    zlib) project zlib ./configure 'make -j2' 'make test' ;;
    # but for list-big, which packs 4 GB each time; patches are no reason to make configure again
    gzip) project gzip "./configure && make clean $old" "make -j2 $old" "make check $old TESTS=\"\$(cd tests && ls -d [a-z]* | grep -Ev '[.]|list-big')\"" ;;
    jansson) project jansson 'cmake -S . -B b -DJANSSON_BUILD_DOCS=OFF' 'cmake --build b -j2' 'cd b && ctest -j2 --timeout 60' ;;
    lz4) project lz4 '' 'make -C lib liblz4.a && make -C tests fuzzer frametest' 'tests/fuzzer -s1 -i40 -v && tests/frametest -s1 -i40 -v' ;;
    xxhash) project xxhash '' 'make xxhsum' './xxhsum -bi0 xxhash.c && ./xxhsum xxhash.c xxhash.h | ./xxhsum -c' ;;
    cjson) project cjson 'cmake -S . -B b -DENABLE_CJSON_TEST=On -DENABLE_CUSTOM_COMPILER_FLAGS=Off' 'cmake --build b -j2' 'ctest --test-dir b' ;;
    tinycdb) project tinycdb '' 'make cdb' 'make test' ;;
    http-parser) project http-parser '' 'make test_fast CFLAGS=-w' ./test_fast ;;
    ed) project ed ./configure make 'make check' ;;
    row) row ;;
    fault) planted ;;
    esac
done
exit $bad
