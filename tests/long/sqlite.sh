#!/bin/sh
# SQLite 3.40.1, in memory: `cupel check` must print what it prints natively.  What is undefined in its
# source is mended in a copy first; each mend is one that the machine asked for.
# Usage: tests/long/sqlite.sh DIR     DIR holds sqlite3.c and sqlite3.h; CUPEL names the binary
# Exit status 0: the same.
set -eu
cupel=${CUPEL:-$(cd "$(dirname "$0")/../.." && pwd)/build/cupel}
from=$(cd "${1:?the folder of sqlite3.c}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cp "$from/sqlite3.c" "$from/sqlite3.h" "$here/sqlite/main.c" "$here/sqlite/vfs.c" "$dir"
cp "$here/sqlite/queries" "$dir"
cd "$dir"

# wrap TYPE NAME: functions that are called through a pointer of another type (C11 6.5.2.2p9)
wrap() {
    parameters=$1 arguments=$2
    shift 2
    for f; do
        printf 'static void wrapped_%s(%s);\n' "$f" "$parameters" >>declared
        printf 'static void wrapped_%s(%s) { %s(%s); }\n' "$f" "$parameters" "$f" "$arguments" >>defined
    done
}
# shellcheck disable=SC2046 # names without blanks
wrap 'sqlite3 *db, void *p' 'db, p' $(sed -n 's/.*(void(\*)(sqlite3\*,void\*))\([A-Za-z0-9]*\).*/\1/p' sqlite3.c | sort -u)
wrap 'void *p' p jsonParseFree
{
    sed -e 's/(void(\*)(sqlite3\*,void\*))\([A-Za-z0-9]*\)/wrapped_\1/' \
        -e 's/(void(\*)(void\*))jsonParseFree/wrapped_jsonParseFree/' \
        -e '/^typedef struct ParseCleanup ParseCleanup;/r declared' \
        -e 's/chacha_block((u32\*)wsdPrng.out, wsdPrng.s);/{ u32 block[16]; chacha_block(block, wsdPrng.s); memcpy(wsdPrng.out, block, 64); }/' \
        -e 's/static u8 fakeCursor = CURSOR_VALID;/static struct BtCursor fakeCursor = {CURSOR_VALID};/' \
        -e '/^SQLITE_PRIVATE int sqlite3Utf8CharLen/,/^}/s/zTerm = (const u8\*)(-1);/zTerm = z + strlen(zIn);/' sqlite3.c
    cat defined
} >mended.c
set -- -I. -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_DEFAULT_MEMSTATUS=0 \
    -DSQLITE_OS_OTHER=1 -DSQLITE_TEMP_STORE=3
gcc -w -O0 "$@" main.c vfs.c mended.c -o native -lm
./native <queries >wanted
"$cupel" check "$@" main.c vfs.c mended.c --input queries >got
cmp wanted got
echo "SQLite: the same, $(wc -l <wanted) lines"
