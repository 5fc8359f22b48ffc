#!/bin/sh
# Programs that nobody here wrote, with inputs: what `cupel check` prints must be what they print
# natively, or it must be told why not (unsupported, undefined).
# Usage: tests/long/debian.sh DIR [NAME ...]     CUPEL names the binary
#     DIR holds unpacked Debian sources, as apt-get source gives them: par, unifdef, md4c, cmark,
#     ncompress, dos2unix, mujs, clzip, zopfli, lz4, duktape, lua5.4, brotli, bsdgames, bzip2; bc,
#     discount, byacc (which makes original-awk's parser), original-awk, cjson, jansson, libyaml, sysvbanner,
#     zlib, xxhash; libcsv, libgsm, libtommath, picosat, yajl, libdeflate;
#     uthash, qrencode, tre, libtomcrypt, mawk.
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
    printf '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'
    printf 'static unsigned char in[1 << 17], out[1 << 19], back[1 << 17];\n%s\n' "$1"
    cat <<'C'
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

# ---- programs and libraries that the machine had not been tried on before --------------------

# configured FILE SCRIPT: runs SCRIPT once, which makes FILE
configured() {
    [ -e "$1" ] || sh "$2" >"$dir/configured" 2>&1
    [ -e "$1" ] || echo "$PWD: not configured: $(tail -1 "$dir/configured")"
    [ -e "$1" ]
}

if wanted bc 'bc-*/' && configured config.h ./configure; then
    printf '%s\n' 'scale=20' 'sqrt(2)' '4*3^40/7' 'define f(n){if(n<2)return 1;return n*f(n-1)}' 'f(30)' \
        'for(i=0;i<5;i++)i^i' 'obase=16' '255^9' 'ibase=2' '1011' 'a[3]=7' 'a[11]*2' 'length(12345)' 'quit' >"$dir/t.bc"
    echo '{0}' >"$dir/libmath.h"
    compare bc "$dir/t.bc" -q -DHAVE_CONFIG_H -I. -Ih -Ibc "-I$dir" bc/main.c bc/bc.c bc/scan.c bc/execute.c bc/load.c \
        bc/storage.c bc/util.c bc/global.c bc/warranty.c lib/number.c lib/getopt.c lib/getopt1.c
fi
if wanted discount 'discount-*/' && configured config.h ./configure.sh; then
    [ -e blocktags ] || make blocktags >/dev/null 2>&1
    for words in '' '-f +toc,+footnote' '-T'; do
        compare discount "$from/$(cd "$from" && echo cmark-*/)README.md" "$words" -I. '-DVERSION="2"' '-DBRANCH=""' main.c \
            pgm_options.c gethopt.c notspecial.c mkdio.c markdown.c dumptree.c generate.c resource.c docheader.c version.c \
            toc.c css.c xml.c Csio.c xmlpage.c basename.c emmatch.c github_flavoured.c setup.c tags.c html5.c flags.c
    done
fi
if wanted byacc 'byacc-*/' && configured config.h ./configure; then
    set -- -DHAVE_CONFIG_H -DYYPATCH=20221106 -D_DEFAULT_SOURCE -D_XOPEN_SOURCE=500 -I. closure.c error.c graph.c lalr.c \
        lr0.c main.c mkpar.c mstring.c output.c reader.c btyaccpar.c symtab.c verbose.c warshall.c
    gcc -w "$@" -o "$dir/byacc" # it looks for a folder for temporary files: only for the next one
fi
if wanted awk 'original-awk-*/' && [ -x "$dir/byacc" ]; then
    [ -e awkgram.tab.c ] || "$dir/byacc" -d -b awkgram awkgram.y >/dev/null 2>&1
    [ -e proctab.c ] || { gcc -w -I. -o "$dir/maketab" maketab.c && "$dir/maketab" awkgram.tab.h >proctab.c; }
    while read -r words; do
        compare awk "$dir/text" "$words" -I. awkgram.tab.c b.c main.c parse.c proctab.c tran.c lib.c run.c lex.c
    done <<'AWK'
{n+=NF}END{print(n,NR)}
/int/{gsub(/[a-z]+/,NR);print(substr($0,1,30),length($0),match($0,/[(].*[)]/),RLENGTH)}
{c[$1]++}END{for(k=0;k<9;k++)print(c[k],toupper(k),exp(k),int(k/3),k%3,2^k,k~/[2-5]/)}
AWK
fi
if wanted cjson 'cjson-*/'; then
    compare cjson /dev/null '' cJSON.c test.c
    cat >"$dir/cjson.c" <<'C'
#include "cJSON.h"
#include "cJSON_Utils.h"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    static char text[60000];
    fread(text, 1, sizeof text - 1, stdin);
    cJSON *a = cJSON_Parse(text), *b = cJSON_Duplicate(a, 1);
    cJSON_AddItemToObject(b, "more", cJSON_CreateNumber(1.25e10));
    cJSON *patch = cJSONUtils_GeneratePatches(a, b);
    char *s = cJSON_Print(b), *t = cJSON_PrintUnformatted(patch);
    printf("%s\n%s\n%d\n", s, t, cJSON_Compare(a, b, 1));
    free(s), free(t), cJSON_Delete(a), cJSON_Delete(b), cJSON_Delete(patch);
    return 0;
}
C
    compare cjson-utils "$PWD/tests/inputs/test4" '' -I. cJSON.c cJSON_Utils.c "$dir/cjson.c"
fi
if wanted jansson 'jansson-*/'; then
    sed 's/@[a-z_]*inline@/inline/; s/@json_have_long_long@/1/; s/@json_have_localeconv@/1/; s/@[a-z_]*@/0/' \
        src/jansson_config.h.in >"$dir/jansson_config.h"
    : >"$dir/jansson_private_config.h"
    cat >"$dir/jansson.c" <<'C'
#include "jansson.h"
int main(void)
{
    json_error_t e;
    json_t *a = json_loadf(stdin, 0, &e), *b = json_deep_copy(a), *c = json_pack("{s:i,s:[f,b,n]}", "k", 5, "v", 2.5, 1);
    json_object_update(b, c);
    json_dumpf(b, stdout, JSON_INDENT(2) | JSON_SORT_KEYS);
    printf("\n%d %d %s\n", json_equal(a, b), json_loads("[1,", 0, &e) == NULL, e.text);
    json_decref(a), json_decref(b), json_decref(c);
    return 0;
}
C
    # shellcheck disable=SC2046
    compare jansson "$from/$(cd "$from" && echo cjson-*/)tests/inputs/test4" '' -DHAVE_STDINT_H "-I$dir" -Isrc \
        $(find src -name '*.c' | sort) "$dir/jansson.c"
fi
if wanted libyaml 'libyaml-*/'; then
    cat >"$dir/yaml-main.c" <<'C'
#include <yaml.h>
#include <stdio.h>
int main(void)
{
    yaml_parser_t p;
    yaml_emitter_t out;
    yaml_event_t e;
    int done = 0;
    yaml_parser_initialize(&p), yaml_emitter_initialize(&out);
    yaml_parser_set_input_file(&p, stdin), yaml_emitter_set_output_file(&out, stdout);
    yaml_emitter_set_width(&out, 50);
    while (!done && yaml_parser_parse(&p, &e)) {
        done = e.type == YAML_STREAM_END_EVENT;
        if (!yaml_emitter_emit(&out, &e))
            break;
    }
    printf("%d %s\n", done, p.problem ? p.problem : "fine");
    yaml_parser_delete(&p), yaml_emitter_delete(&out);
    return 0;
}
C
    printf '%s\n' 'a: &x [1, two, "thr\u00e9e", 4.5]' 'b: {c: *x, d: |' '  }' >"$dir/bad.yaml"
    printf '%s\n' '--- !t' 'a: &x [1, two, "thr\u00e9e"]' 'b: {c: *x}' 'text: |' '  line one' '  line two' 'fold: >-' \
        '  some words that are folded and are long enough to be' '  broken again' '? k' ': v' '...' >"$dir/t.yaml"
    set -- -Iinclude -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 '-DYAML_VERSION_STRING="0.2.5"' \
        src/*.c "$dir/yaml-main.c"
    compare libyaml "$dir/t.yaml" '' "$@"
    compare libyaml "$dir/bad.yaml" '' "$@"
fi
if wanted sysvbanner 'sysvbanner-*/'; then
    compare sysvbanner /dev/null 'Cupel 42!' sysvbanner.c
fi
if wanted zlib 'zlib-*/'; then
    driver '#include "zlib.h"
static size_t pack(void *a, size_t n, void *b, size_t size) { uLongf k = size; compress2(b, &k, a, n, 9); return k; }
static size_t unpack(void *a, size_t n, void *b, size_t size) { uLongf k = size; uncompress(b, &k, a, n); return k; }' >"$dir/zlib.c"
    compare zlib "$dir/text" '' -I. adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c \
        zutil.c "$dir/zlib.c"
fi
if wanted xxhash 'xxhash-*/'; then
    driver '#define XXH_STATIC_LINKING_ONLY
#define XXH_VECTOR 0
#include "xxhash.h"
static size_t pack(void *a, size_t n, void *b, size_t size) { XXH64_canonicalFromHash(b, XXH64(a, n, 7));
    XXH32_canonicalFromHash((void *)((char *)b + 8), XXH32(a, n, 7)); XXH128_canonicalFromHash((void *)((char *)b + 12), XXH3_128bits(a, n)); return 28; }
static size_t unpack(void *a, size_t n, void *b, size_t size) { memcpy(b, in, 20000); return 20000; }' >"$dir/xxh.c"
    compare xxhash "$dir/text" '' -I. -DXXH_VECTOR=0 xxhash.c "$dir/xxh.c"
fi

# ---- a third lot -----------------------------------------------------------------------------

if wanted libcsv 'libcsv-*/'; then
    cat >"$dir/csv-main.c" <<'C'
#include "csv.h"
#include <stdio.h>
static void field(void *s, size_t n, void *count) { ++*(long *)count; csv_fwrite(stdout, s, n); putchar('|'); }
static void row(int c, void *count) { printf(" %ld %d\n", *(long *)count, c); }
int main(void)
{
    static char text[30000];
    struct csv_parser p;
    long count = 0;
    size_t n = fread(text, 1, sizeof text, stdin);
    csv_init(&p, CSV_APPEND_NULL);
    printf("%zu of %zu\n", csv_parse(&p, text, n, field, row, &count), n);
    csv_fini(&p, field, row, &count), csv_free(&p);
    return 0;
}
C
    compare libcsv "$dir/text" '' -I. libcsv.c "$dir/csv-main.c"
fi
if wanted libgsm 'libgsm-*/'; then
    cat >"$dir/gsm-main.c" <<'C'
#include "gsm.h"
#include <stdio.h>
int main(void)
{
    gsm a = gsm_create(), b = gsm_create();
    gsm_signal in[160], out[160];
    gsm_frame f;
    for (int n = 0; n < 30; n++) {
        for (int i = 0; i < 160; i++)
            in[i] = (gsm_signal)((n * 160 + i) * (i % 7 + 1) * 37 % 20011 - 10000) & ~7;
        gsm_encode(a, in, f);
        if (gsm_decode(b, f, out))
            return 1;
        for (int i = 0; i < 33; i++)
            printf("%02x", f[i]);
        printf(" %d %d\n", out[3], out[159]);
    }
    gsm_destroy(a), gsm_destroy(b);
    return 0;
}
C
    compare libgsm /dev/null '' -DNeedFunctionPrototypes=1 -DSASR -DWAV49 -Iinc src/add.c src/code.c src/decode.c src/gsm_*.c \
        src/long_term.c src/lpc.c src/preprocess.c src/rpe.c src/short_term.c src/table.c src/debug.c "$dir/gsm-main.c"
fi
if wanted libtommath 'libtommath-*/'; then
    cat >"$dir/mp-main.c" <<'C'
#include "tommath.h"
#include <stdio.h>
static void show(const mp_int *a) { char s[2000]; size_t n; if (mp_to_radix(a, s, sizeof s, &n, 10) == MP_OKAY) puts(s); }
int main(void)
{
    mp_int a, b, c, d;
    mp_bool prime;
    mp_init_multi(&a, &b, &c, &d, NULL);
    mp_read_radix(&a, "123456789012345678901234567890123456789", 10);
    mp_2expt(&b, 521), mp_sub_d(&b, 1, &b);
    mp_mul(&a, &b, &c), show(&c);
    mp_div(&c, &a, &d, NULL), show(&d);
    mp_exptmod(&a, &c, &b, &d), show(&d);
    mp_gcd(&c, &a, &d), show(&d);
    mp_sqrt(&c, &d), show(&d);
    mp_invmod(&a, &b, &d), show(&d);
    mp_prime_is_prime(&b, 4, &prime), printf("%d\n", prime);
    mp_sqr(&b, &c), mp_expt_u32(&a, 7, &d), mp_mod(&d, &c, &a), show(&a);
    mp_clear_multi(&a, &b, &c, &d, NULL);
    return 0;
}
C
    compare libtommath /dev/null '' -I. bn_*.c "$dir/mp-main.c"
fi
if wanted picosat 'picosat-*/'; then
    awk 'BEGIN { n = 60; m = 240; s = 7; print "p cnf", n, m; for (i = 0; i < m; i++) { c = ""; for (k = 0; k < 3; k++) {
        s = (s * 1103515245 + 12345) % 2147483648; v = int(s / 65536) % n + 1; if (int(s / 1024) % 2) v = -v; c = c v " " } print c "0" } }' >"$dir/t.cnf"
    printf '#define PICOSAT_CC "cc"\n#define PICOSAT_CFLAGS ""\n#define PICOSAT_VERSION "965"\n' >"$dir/config.h"
    compare picosat "$dir/t.cnf" '' "-I$dir" -DNDEBUG -DNGETRUSAGE picosat.c version.c app.c main.c
fi
if wanted yajl 'yajl-*/'; then
    mkdir -p "$dir/yajl-h/yajl"
    cp src/api/*.h "$dir/yajl-h/yajl"
    sed 's/${[A-Z_]*}/2/' src/api/yajl_version.h.cmake >"$dir/yajl-h/yajl/yajl_version.h"
    printf '%s\n' '{"a": [1, 2.5e3, -0.1, true, null], "b": {"c": "x\u00e9\n\"", "d": []}, "e": {}}' >"$dir/t.json"
    compare yajl "$dir/t.json" '' "-I$dir/yajl-h" -Isrc src/*.c reformatter/json_reformat.c
    compare yajl "$dir/t.json" -m "-I$dir/yajl-h" -Isrc src/*.c reformatter/json_reformat.c
    printf '{"a": [1, }' >"$dir/bad.json"
    compare yajl "$dir/bad.json" '' "-I$dir/yajl-h" -Isrc src/*.c reformatter/json_reformat.c
fi
if wanted libdeflate 'libdeflate-*/'; then
    driver '#include "libdeflate.h"
static size_t pack(void *a, size_t n, void *b, size_t size) { struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    size_t k = libdeflate_zlib_compress(c, a, n, b, size); libdeflate_free_compressor(c); return k; }
static size_t unpack(void *a, size_t n, void *b, size_t size) { struct libdeflate_decompressor *d = libdeflate_alloc_decompressor(); size_t k = 0;
    libdeflate_zlib_decompress(d, a, n, b, size, &k); libdeflate_free_decompressor(d); return k; }' >"$dir/deflate.c"
    compare libdeflate "$dir/text" '' -I. lib/adler32.c lib/crc32.c lib/deflate_*.c lib/zlib_*.c lib/utils.c lib/x86/cpu_features.c "$dir/deflate.c"
fi

# ---- a fourth lot ----------------------------------------------------------------------------

if wanted uthash 'uthash-*/tests'; then
    # those that print no address and read no file
    for n in $(seq 1 98); do
        [ -e "test$n.c" ] && ! grep -q 'fopen\|%p' "test$n.c" && compare "uthash$n" /dev/null '' -I../src "test$n.c"
    done
fi
if wanted qrencode 'qrencode-*/'; then
    cat >"$dir/qr-main.c" <<'C'
#include "qrencode.h"
#include <stdio.h>
int main(void)
{
    char text[300];
    QRcode *q;
    text[fread(text, 1, sizeof text - 1, stdin)] = 0;
    if (!(q = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1)))
        return 1;
    for (int y = 0; y < q->width; y++, putchar('\n'))
        for (int x = 0; x < q->width; x++)
            putchar(q->data[y * q->width + x] & 1 ? '#' : ' ');
    QRcode_free(q);
    q = QRcode_encodeString("AC-42 1234567890", 3, QR_ECLEVEL_H, QR_MODE_KANJI, 0);
    printf("%d %d\n", q->version, q->width);
    QRcode_free(q);
    return 0;
}
C
    compare qrencode "$dir/text" '' -DSTATIC_IN_RELEASE=static -DMAJOR_VERSION=4 -DMINOR_VERSION=1 -DMICRO_VERSION=1 \
        '-DVERSION="4"' -I. bitstream.c mask.c mmask.c mqrspec.c qrencode.c qrinput.c qrspec.c rsecc.c split.c "$dir/qr-main.c"
fi
if wanted tre 'tre-*/lib'; then
    mkdir -p "$dir/tre-h"
    printf '#define TRE_APPROX 1\n#define TRE_REGEX_T_FIELD value\n#define TRE_VERSION "0.8.0"\n' >"$dir/tre-h/tre-config.h"
    printf '#define HAVE_STRING_H 1\n#define TRE_APPROX 1\n#define TRE_REGEX_T_FIELD value\n#define TRE_VERSION "0.8.0"\n' >"$dir/tre-h/config.h"
    cat >"$dir/tre-main.c" <<'C'
#include <stdio.h>
#include "tre.h"
int main(void)
{
    static const char *const patterns[] = {"#define ([A-Z_]+)", "(a|b)*c{1,3}$", "\\<ext[[:alpha:]]+\\>", "i(n)t\\1?", "^(.*),(.*)$"};
    static char lines[60][200];
    int count = 0;
    while (count < 60 && fgets(lines[count], sizeof *lines, stdin))
        count++;
    for (int k = 0; k < 5; k++) {
        regex_t r;
        regmatch_t m[3];
        int n = 0, sum = 0, e = tre_regcomp(&r, patterns[k], REG_EXTENDED);
        printf("%d:", e);
        for (int i = 0; i < count; i++)
            if (!e && tre_regexec(&r, lines[i], 3, m, 0) == 0)
                n++, sum += m[0].rm_so * 7 + m[1].rm_eo * 3 + m[2].rm_so;
        regaparams_t p;
        regamatch_t a = {.nmatch = 1, .pmatch = m};
        tre_regaparams_default(&p), p.max_cost = 2;
        if (!e && k != 3 && tre_regaexec(&r, "xx #defime FOO external abcb,", &a, p, 0) == 0)
            printf(" cost %d at %d", a.cost, m[0].rm_so);
        printf(" %d %d\n", n, sum);
        if (!e)
            tre_regfree(&r);
    }
    return 0;
}
C
    compare tre "$dir/text" '' -DHAVE_CONFIG_H "-I$dir/tre-h" -I. regcomp.c regerror.c regexec.c tre-*.c xmalloc.c "$dir/tre-main.c"
fi
if wanted libtomcrypt 'libtomcrypt-*/'; then
    cat >"$dir/ltc-main.c" <<'C'
#include <tomcrypt.h>
static void show(const char *name, const unsigned char *b, unsigned long n)
{
    printf("%s ", name);
    while (n--)
        printf("%02x", *b++);
    putchar('\n');
}
int main(void)
{
    static unsigned char in[3000], out[3000], key[32], iv[16];
    unsigned long n = fread(in, 1, sizeof in, stdin), k;
    const struct ltc_hash_descriptor *const h[] = {&md4_desc, &md5_desc, &sha1_desc, &sha256_desc, &sha512_desc, &rmd160_desc, &tiger_desc, &whirlpool_desc, &sha3_256_desc, &blake2s_256_desc};
    const struct ltc_cipher_descriptor *const c[] = {&blowfish_desc, &rijndael_desc, &cast5_desc, &des3_desc, &twofish_desc, &xtea_desc, &camellia_desc};
    for (unsigned i = 0; i < sizeof h / sizeof *h; i++) {
        hash_state s;
        h[i]->init(&s), h[i]->process(&s, in, n), h[i]->done(&s, out);
        show(h[i]->name, out, h[i]->hashsize);
    }
    for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
        symmetric_CBC cbc;
        int id = register_cipher(c[i]), size = 24;
        for (k = 0; k < sizeof key; k++)
            key[k] = (unsigned char)(k * 7 + i);
        if (c[i]->keysize(&size) != CRYPT_OK || cbc_start(id, iv, key, size, 0, &cbc) != CRYPT_OK)
            return 1;
        cbc_encrypt(in, out, 160, &cbc), cbc_done(&cbc);
        show(c[i]->name, out + 128, 32);
    }
    k = sizeof out;
    base64_encode(in, 60, out, &k);
    printf("%s\n", (char *)out);
    return 0;
}
C
    # shellcheck disable=SC2046
    compare libtomcrypt "$dir/text" '' -DLTC_SOURCE -DLTC_NO_ASM -DLTC_NO_TEST -DLTC_MPI -DLTC_NO_PK -DLTC_NO_PRNGS -Isrc/headers \
        $(find src/hashes src/ciphers src/modes/cbc src/misc/crypt src/misc/base64 src/misc/zeromem.c src/misc/error_to_string.c \
            src/misc/compare_testvector.c -name '*.c' ! -name '*_tab.c' ! -name whirltab.c ! -name sha224.c ! -name sha384.c \
            ! -name 'sha512_*.c' ! -name crypt.c ! -name crypt_constants.c ! -name crypt_sizes.c ! -name crypt_inits.c \
            ! -name 'crypt_register_all*' | sort) src/hashes/sha2/sha224.c "$dir/ltc-main.c"
fi
if wanted mawk 'mawk-*/' && configured config.h ./configure; then
    [ -e scancode.c ] || make >/dev/null 2>&1
    while read -r words; do
        compare mawk "$dir/text" "$words" -DHAVE_CONFIG_H -I. parse.c scan.c memory.c main.c hash.c execute.c code.c da.c \
            error.c init.c bi_vars.c cast.c print.c bi_funct.c kw.c jmp.c array.c field.c split.c re_cmpl.c regexp.c zmalloc.c \
            fin.c files.c scancode.c matherr.c version.c fcall.c
    done <<'AWK'
{n+=NF}END{print(n,NR)}
/int/{gsub(/[a-z]+/,NR);print(substr($0,1,30),length($0),match($0,/[(].*[)]/),RLENGTH)}
{c[$1]++}END{for(k=0;k<9;k++)printf("%s%5.2f%s|%d\n",c[k],exp(k),toupper(k),int(k/3))}
AWK
fi

echo "$((same + wrong + undefined + unsupported)) runs: $same the same, $undefined undefined, $unsupported unsupported, $wrong wrong"
[ $wrong -eq 0 ]
