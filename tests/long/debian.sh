#!/bin/sh
# Programs that nobody here wrote, with inputs: what `cupel check` prints must be what they print
# natively, or it must be told why not (unsupported, undefined).
# Usage: tests/long/debian.sh DIR [NAME ...]     CUPEL names the binary
#     DIR holds unpacked Debian sources, as apt-get source gives them: par, unifdef, md4c, cmark,
#     ncompress, dos2unix, mujs, clzip, zopfli, lz4, duktape, lua5.4, brotli, bsdgames, bzip2.
#     NAME: only these.
# Exit status 0: nothing is wrong.
set -u
cupel=${CUPEL:-$(cd "$(dirname "$0")/../.." && pwd)/build/cupel}
from=$(cd "${1:?a folder with the sources}" && pwd) || exit 2
shift
only=" $* "
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
same=0 wrong=0 undefined=0 unsupported=0
head -c 60000 /usr/include/stdio.h >"$dir/text"
cat /usr/include/stdlib.h >>"$dir/text"

# wanted NAME FOLDER: goes there; false when it is not asked for or not there
wanted() {
    case $only in "  " | *" $1 "*) ;; *) return 1 ;; esac
    # shellcheck disable=SC2086
    cd "$from"/$2 2>/dev/null || {
        echo "$1: no source in $from/$2"
        return 1
    }
}

# judge NAME: $dir/native and $dir/shown, and the exit statuses $was and $status; $is: what check said
judge() {
    case $is in
    0) if cmp -s "$dir/native" "$dir/shown" && [ "$status" = "$was" ]; then
        echo "$1: the same, $(wc -c <"$dir/ours") bytes"
        same=$((same + 1))
    else
        echo "$1: WRONG"
        wrong=$((wrong + 1))
    fi ;;
    1)
        echo "$1: $(grep -m1 undefined: "$dir/said")"
        undefined=$((undefined + 1))
        ;;
    *)
        echo "$1: $(grep -m1 -v '^ ' "$dir/said")"
        unsupported=$((unsupported + 1))
        ;;
    esac
}

# compare NAME INPUT ARGS FLAG... UNIT.c...: builds once per NAME, runs both
compare() {
    name=$1 input=$2 words=$3
    shift 3
    [ -x "$dir/$name" ] || gcc -w -O0 "$@" -o "$dir/$name" -lm 2>"$dir/said" || {
        echo "$name: gcc: $(grep -m1 error "$dir/said")"
        return
    }
    # shellcheck disable=SC2086
    (cd "$dir" && timeout 100 "./$name" $words <"$input" >native 2>/dev/null)
    was=$?
    timeout 300 "$cupel" check --quiet --status --fuel 2000000000 "$@" "--args=$words" --input "$input" >"$dir/ours" \
        2>"$dir/said"
    is=$?
    read -r status <"$dir/ours"
    tail -n +2 "$dir/ours" >"$dir/shown"
    judge "$name $words"
}

# ---- filters ------------------------------------------------------------------------------

if wanted par 'Par*'; then
    for words in 40 '72j' 'w50 p2 r3'; do
        # shellcheck disable=SC2046
        compare par "$PWD/par.doc" "$words" $(echo ./*.c)
    done
fi
if wanted unifdef 'unifdef*'; then
    for words in '-D__USE_MISC -U__cplusplus' '-s' '-b -U__USE_XOPEN2K8 -D__GNUC__=12'; do
        compare unifdef "$dir/text" "$words" -Iwin32/../ unifdef.c
    done
fi
if wanted md4c 'md4c*'; then
    set -- -DMD_VERSION_MAJOR=0 -DMD_VERSION_MINOR=4 -DMD_VERSION_RELEASE=8 -Isrc src/*.c md2html/*.c
    compare md4c "$PWD/README.md" '' "$@"
    compare md4c "$PWD/README.md" '--github --full-html' "$@"
fi
if wanted cmark 'cmark*'; then
    mkdir -p "$dir/cmark-h"
    printf '#define CMARK_VERSION ((0 << 16) | (30 << 8) | 2)\n#define CMARK_VERSION_STRING "0.30.2"\n' \
        >"$dir/cmark-h/cmark_version.h"
    printf '#define CMARK_EXPORT\n#define CMARK_NO_EXPORT\n' >"$dir/cmark-h/cmark_export.h"
    printf '#define HAVE_STDBOOL_H\n#include <stdbool.h>\n#define HAVE___BUILTIN_EXPECT\n#define HAVE___ATTRIBUTE__\n#define CMARK_ATTRIBUTE(l) __attribute__(l)\n#define CMARK_INLINE inline\n' \
        >"$dir/cmark-h/config.h"
    for words in '' '-t xml' '-t latex' '-t man' '-t commonmark --width 60'; do
        compare cmark "$PWD/README.md" "$words" "-I$dir/cmark-h" -Isrc src/*.c
    done
fi
if wanted ncompress 'ncompress*'; then
    compare ncompress "$dir/text" -c -DDIRENT=1 -DUSERMEM=800000 -DREGISTERS=3 compress42.c
    cp "$dir/native" "$dir/packed"
    compare ncompress "$dir/packed" '-d -c' -DDIRENT=1 -DUSERMEM=800000 -DREGISTERS=3 compress42.c
fi
if wanted dos2unix 'dos2unix*'; then
    sed 's/$/\r/' "$dir/text" >"$dir/dos"
    set -- '-DVER_REVISION="7"' '-DVER_DATE="2022"' '-DVER_AUTHOR="x"' -DDEBUG=0
    compare dos2unix "$dir/dos" '' "$@" dos2unix.c common.c querycp.c
    compare unix2dos "$dir/text" '' "$@" unix2dos.c common.c querycp.c
fi
if wanted clzip 'clzip*'; then
    units="carg_parser.c lzip_index.c list.c encoder_base.c encoder.c fast_encoder.c decoder.c main.c"
    # shellcheck disable=SC2086
    for words in -0 -6; do
        compare clzip "$dir/text" "-c $words" '-DPROGVERSION="1.13"' $units
        cp "$dir/native" "$dir/packed"
        compare clzip "$dir/packed" -dc '-DPROGVERSION="1.13"' $units
    done
fi
if wanted bzip2 'bzip2*'; then
    units="bzip2.c blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c"
    # shellcheck disable=SC2086
    compare bzip2 "$dir/text" '-c -9' $units
fi
if wanted bsdgames 'bsd-games*'; then
    set -- "-D__COPYRIGHT(x)=" "-D__RCSID(x)="
    printf '10\n97\n5040\n1000003\n' >"$dir/numbers"
    compare factor "$dir/numbers" '' "$@" factor/factor.c primes/pr_tbl.c -Iprimes
    compare primes "$dir/numbers" '100 300' "$@" -Iprimes primes/primes.c primes/pattern.c primes/pr_tbl.c
    compare number "$dir/numbers" '' "$@" number/number.c
    compare morse "$dir/numbers" '' "$@" morse/morse.c
    compare pig "$dir/text" '' "$@" pig/pig.c
    compare caesar "$dir/text" 7 "$@" caesar/caesar.c
    compare ppt "$dir/numbers" '' "$@" ppt/ppt.c
fi

# ---- interpreters -------------------------------------------------------------------------

cat >"$dir/t.js" <<'JS'
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
print(fib(15), [3, 1, 2].sort().join(), "a-b-c".split("-").length, JSON.stringify({a: [1, 2.5, null], b: "x\n"}));
try { null.x; } catch (e) { print(e instanceof TypeError); }
try { throw new Error("own"); } catch (e) { print(e.message); } finally { print("finally"); }
print(0.1 + 0.2, 1 / 3, 1e21, 1e-7, -0, 255..toString(16), parseInt("12px"), Math.pow(2, 53));
print("The quick brown fox".replace(/(\w+) (\w+)/, "$2 $1"), /a(b)?c/.exec("xac")[1]);
var o = {}; for (var i = 0; i < 200; i++) o["k" + i * 7 % 31] = i; print(Object.keys(o).length, o.k5);
print([1, 2, 3, 4].map(function (x) { return x * x; }).filter(function (x) { return x % 2; }).join("+"));
print(new Array(5).join("ab").toUpperCase().substring(1, 5).charCodeAt(2), isNaN("q" * 1), typeof undefined);
JS
if wanted mujs 'mujs*'; then
    compare mujs "$dir/t.js" - one.c main.c
fi
if wanted lua5.4 'lua*/src'; then
    cat >"$dir/t.lua" <<'LUA'
local t = {}
for i = 1, 300 do t[i] = (i * 7919) % 211 end
table.sort(t)
local s = 0
for i, v in ipairs(t) do s = s + i * v end
print(s, #t, t[1], t[300], math.floor(3.7), 7 // 2, 2 ^ 10, 10 / 4)
print(pcall(function() error({code = 7}) end), select(2, pcall(error, "told", 0)), pcall(function() return nil + 1 end))
local co = coroutine.wrap(function(a) for i = 1, 3 do a = a + coroutine.yield(a * i) end return "done" end)
print(co(1), co(2), co(3), co(4))
print(string.format("%5.2f %s %d %x %q", 3.14159, "hi", 42, 255, "a\nb"), ("hello world"):gsub("o", "0"))
local m = setmetatable({}, {__index = function(_, k) return k .. "!" end, __call = function(_, x) return x * 2 end})
print(m.key, m(21), #("x"):rep(1000), tostring(1e15), 1e100, -0.0, 3 | 4, ~0, "10" + 5)
for w in ("the quick brown fox"):gmatch("%a+") do io.write(w:upper(), ",") end
print(load("return 1 + 2")(), load("return +"), os.time({year = 2000, month = 1, day = 1, hour = 12}))
os.exit(true) -- lua_close makes a misaligned pointer
LUA
    # shellcheck disable=SC2046
    compare lua "$dir/t.lua" - '-DDEB_HOST_MULTIARCH="none"' "-I$dir" \
        $(find . -maxdepth 1 -name '*.c' ! -name luac.c | sort)
fi
if wanted duktape 'duktape*'; then
    cat >"$dir/duk.c" <<'C'
#include "duktape.h"
#include <stdio.h>
static duk_ret_t print(duk_context *ctx)
{
    int n = duk_get_top(ctx);
    for (int i = 0; i < n; i++)
        printf("%s%s", i ? " " : "", duk_safe_to_string(ctx, i));
    putchar('\n');
    return 0;
}
int main(void)
{
    static char text[100000];
    size_t n = fread(text, 1, sizeof text - 1, stdin);
    duk_context *ctx = duk_create_heap_default();
    duk_push_c_function(ctx, print, DUK_VARARGS);
    duk_put_global_string(ctx, "print");
    duk_push_lstring(ctx, text, n);
    if (duk_peval(ctx) != 0)
        printf("error: %s\n", duk_safe_to_string(ctx, -1));
    duk_destroy_heap(ctx);
    return 0;
}
C
    compare duktape "$dir/t.js" '' -Isrc src/duktape.c "$dir/duk.c"
fi

# ---- libraries, with a program around them --------------------------------------------------

# driver CALLS: a program that reads all of its input, makes something of it, and prints that
driver() {
    printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n%s\n' "$1"
    cat <<'C'
static unsigned char in[1 << 17], out[1 << 19], back[1 << 17];
int main(void)
{
    size_t n = fread(in, 1, 20000, stdin), m = pack(in, n, out, sizeof out), k;
    k = unpack(out, m, back, sizeof back);
    fwrite(out, 1, m, stdout);
    printf("%zu %zu %d\n", n, m, k == n && memcmp(in, back, n) == 0);
    return 0;
}
C
}
if wanted lz4 'lz4*'; then
    driver '#include "lz4.h"
#include "lz4hc.h"
#include "lz4frame.h"
static size_t pack(void *a, size_t n, void *b, size_t size) { return LZ4_compress_HC(a, b, n, size, 9); }
static size_t unpack(void *a, size_t n, void *b, size_t size) { return LZ4_decompress_safe(a, b, n, size); }' >"$dir/lz4.c"
    compare lz4 "$dir/text" '' -Ilib lib/lz4.c lib/lz4hc.c lib/lz4frame.c lib/xxhash.c "$dir/lz4.c"
fi
if wanted brotli 'brotli*'; then
    driver '#include <brotli/encode.h>
#include <brotli/decode.h>
static size_t pack(void *a, size_t n, void *b, size_t size) { BrotliEncoderCompress(5, 18, BROTLI_MODE_TEXT, n, a, &size, b); return size; }
static size_t unpack(void *a, size_t n, void *b, size_t size) { BrotliDecoderDecompress(n, a, &size, b); return size; }' >"$dir/brotli.c"
    compare brotli "$dir/text" '' -Ic/include c/common/*.c c/enc/*.c c/dec/*.c "$dir/brotli.c"
fi
if wanted zopfli 'zopfli*'; then
    driver '#include "zopfli.h"
static size_t pack(void *a, size_t n, void *b, size_t size) { ZopfliOptions o; unsigned char *p = 0; size_t k = 0;
    ZopfliInitOptions(&o); o.numiterations = 2; ZopfliCompress(&o, ZOPFLI_FORMAT_DEFLATE, a, n, &p, &k); memcpy(b, p, k); free(p); return k; }
static size_t unpack(void *a, size_t n, void *b, size_t size) { memcpy(b, in, 20000); return 20000; }' >"$dir/zopfli.c"
    # shellcheck disable=SC2046
    compare zopfli "$dir/text" '' -Isrc/zopfli $(find src/zopfli -name '*.c' ! -name zopfli_bin.c | sort) "$dir/zopfli.c"
fi

echo "$((same + wrong + undefined + unsupported)) runs: $same the same, $undefined undefined, $unsupported unsupported, $wrong wrong"
[ $wrong -eq 0 ]
