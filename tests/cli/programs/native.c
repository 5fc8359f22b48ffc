/* Every operator on every width with edge values, arrays, structures and pointers of all kinds, in
 * loops: what native code has rules for. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t sum = 1469598103934665603u;
static void mix(uint64_t v)
{
    sum = (sum ^ v) * 1099511628211u;
}

#define EDGES(T, low, high) {(T)(low), (T)((low) + 1), (T)-1, 0, 1, 2, 7, 31, (T)((high) - 1), (T)(high)}
#define COUNT 10

static const int i32[COUNT] = EDGES(int, INT32_MIN, INT32_MAX);
static const unsigned u32[COUNT] = EDGES(unsigned, 0, UINT32_MAX);
static const int64_t i64[COUNT] = EDGES(int64_t, INT64_MIN, INT64_MAX);
static const uint64_t u64[COUNT] = EDGES(uint64_t, 0, UINT64_MAX);
static int8_t i8[COUNT] = EDGES(int8_t, INT8_MIN, INT8_MAX);
static uint8_t u8[COUNT] = EDGES(uint8_t, 0, UINT8_MAX);
static int16_t i16[COUNT] = EDGES(int16_t, INT16_MIN, INT16_MAX);
static uint16_t u16[COUNT] = EDGES(uint16_t, 0, UINT16_MAX);

#define COMPARE(a, b) mix((a) < (b)), mix((a) <= (b)), mix((a) > (b)), mix((a) >= (b)), mix((a) == (b)), mix((a) != (b))
#define BITS(a, b)    mix((uint64_t)((a) & (b))), mix((uint64_t)((a) | (b))), mix((uint64_t)((a) ^ (b))), mix((uint64_t)~(a)), mix(!(a))
#define BRANCH(a, b)  if ((a) < (b)) mix(1); else if ((a) >= (b)) mix(2); while ((a) != (b)) { mix(3); break; } if (a) mix(4); if (!(b)) mix(5);

static void small(int a, int b)
{
    int r;
    COMPARE(a, b); BITS(a, b); BRANCH(a, b)
    COMPARE(a, 7); BITS(a, -8); BRANCH(a, 31)
    if (!__builtin_add_overflow(a, b, &r)) mix((uint64_t)(a + b));
    if (!__builtin_sub_overflow(a, b, &r)) mix((uint64_t)(a - b));
    if (!__builtin_mul_overflow(a, b, &r)) mix((uint64_t)(a * b));
    if (a < INT32_MAX - 100) mix((uint64_t)(a + 99));
    if (a > INT32_MIN) mix((uint64_t)-a);
    if (b && !(a == INT32_MIN && b == -1)) { mix((uint64_t)(a / b)); mix((uint64_t)(a % b)); }
    mix((uint64_t)(a / 7)); mix((uint64_t)(a % -3));
    if (a >= 0 && b >= 0 && b < 32 && a <= INT32_MAX >> b) mix((uint64_t)(a << b));
    if (b >= 0 && b < 32) mix((uint64_t)(a >> b));
    mix((uint64_t)(a >> 3)); mix((uint64_t)(int8_t)a); mix((uint64_t)(uint16_t)a); mix((uint64_t)(_Bool)a);
}

static void small_unsigned(unsigned a, unsigned b)
{
    COMPARE(a, b); BITS(a, b); BRANCH(a, b)
    mix(a + b); mix(a - b); mix(a * b); mix(-a); mix(a + 99u); mix(a * 0x80000001u); mix(a - 0xfffffff0u);
    if (b) { mix(a / b); mix(a % b); }
    if (b < 32) { mix(a << b); mix(a >> b); }
    mix(a << 31); mix(a >> 5); mix(a / 10u); mix((uint64_t)(int)a); mix((uint64_t)(int16_t)a); mix((uint8_t)a);
}

static void large(int64_t a, int64_t b)
{
    long long r;
    COMPARE(a, b); BITS(a, b); BRANCH(a, b)
    COMPARE(a, INT64_MIN); BITS(a, 0x123456789abcdefLL); BRANCH(a, 0x7fffffffffLL)
    if (!__builtin_add_overflow(a, b, &r)) mix((uint64_t)(a + b));
    if (!__builtin_sub_overflow(a, b, &r)) mix((uint64_t)(a - b));
    if (!__builtin_mul_overflow(a, b, &r)) mix((uint64_t)(a * b));
    if (a > INT64_MIN) mix((uint64_t)-a);
    if (b && !(a == INT64_MIN && b == -1)) { mix((uint64_t)(a / b)); mix((uint64_t)(a % b)); }
    if (a >= 0 && b >= 0 && b < 64 && a <= INT64_MAX >> b) mix((uint64_t)(a << b));
    if (b >= 0 && b < 64) mix((uint64_t)(a >> b));
    mix((uint64_t)(int32_t)a); mix((uint32_t)a); mix((uint64_t)(a / 1000000007));
}

static void large_unsigned(uint64_t a, uint64_t b)
{
    COMPARE(a, b); BITS(a, b); BRANCH(a, b)
    COMPARE(a, 0xffffffff80000000u); BITS(a, 0xfedcba9876543210u); BRANCH(a, 0x80000000u)
    mix(a + b); mix(a - b); mix(a * b); mix(-a); mix(a + 0x80000000u); mix(a * 0x123456789u);
    if (b) { mix(a / b); mix(a % b); }
    if (b < 64) { mix(a << b); mix(a >> b); }
}

struct inner { int8_t a; uint16_t b; int32_t c; int64_t d; unsigned bits : 5; int more : 9; };
struct outer { struct inner in[3]; uint8_t tail[5]; struct inner *to; };
union word { uint32_t whole; uint8_t part[4]; float real; };

static struct outer table[4];

static void fill(struct outer *o, int n)
{
    for (int k = 0; k < n; k++)
        for (unsigned j = 0; j < 3; j++) {
            struct inner *in = &o[k].in[j];
            in->a = (int8_t)(k * 3 + (int)j), in->b = (uint16_t)(65530 + k), in->c = -k, in->d = k * 1000L;
            in->bits = (unsigned)k, in->more = -k;
            o[k].tail[j + 1] = (uint8_t)(j + 250);
            o[k].to = &o[(k + 1) % n].in[j];
        }
}

static void walk(const struct outer *o, int n)
{
    for (int k = 0; k < n; k++) {
        for (const struct inner *in = o[k].in; in < o[k].in + 3; in++)
            mix((uint64_t)in->a), mix(in->b), mix((uint64_t)in->c), mix((uint64_t)in->d), mix(in->bits), mix((uint64_t)in->more);
        mix((uint64_t)o[k].to->c);
        mix(o[k].tail[2]);
    }
}

static void memory(int n)
{
    struct outer local[2], *heap = malloc(sizeof *heap * (size_t)n);
    int grid[4][5];
    char text[32];
    fill(table, 4), walk(table, 4);
    fill(local, 2), walk(local, 2);
    fill(heap, n), walk(heap, n);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 5; x++)
            grid[y][x] = y * 10 - x;
    for (int y = 3; y >= 0; --y)
        for (int *p = grid[y] + 5; p > grid[y]; p--)
            mix((uint64_t)p[-1]);
    for (int k = 0; k < 31; k++)
        text[k] = (char)('a' + k % 26);
    text[31] = 0;
    for (const char *s = text; s < text + 31; s++)
        mix((uint64_t)*s);
    union word w, *at = &w;
    for (uint32_t k = 0; k < 40; k++) {
        w.whole = k * 0x01020304u;
        mix(at->part[k % 4]);
        at->real = (float)k;
        mix(w.whole);
    }
    double *d = (double *)(void *)heap; /* allocated memory takes another type */
    for (int k = 0; k < 8; k++)
        d[k] = k / 3.0;
    for (int k = 0; k < 8; k++)
        mix((uint64_t)(d[k] * 100));
    free(heap);
}

static int choose(int v)
{
    switch (v) {
    case 0: return 3;
    case 1: case 2: v++; /* fall through */
    case 5: return v * 2;
    case 1000 ... 2000: return -v;
    default: goto out;
    }
out:
    return v > 0 ? v - 1 : v;
}

static unsigned depth(unsigned n)
{
    return n < 2 ? n : depth(n - 1) + depth(n - 2);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}

int main(void)
{
    int order[COUNT];
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < COUNT; b++) {
            small(i32[a], i32[b]), small(i8[a], i16[b]), small(u8[a], u16[b]);
            small_unsigned(u32[a], u32[b]), small_unsigned((unsigned)i32[a], (unsigned)b);
            large(i64[a], i64[b]), large(u32[a], b), large_unsigned(u64[a], u64[b]), large_unsigned((uint64_t)i64[a], (uint64_t)(b * 9));
            i8[a]++, u8[a]--, i16[b] ^= 5, u16[b] += 1000;
        }
    for (int k = 0; k < 30; k++)
        memory(3), mix((uint64_t)choose(k - 3)), mix((uint64_t)choose(k * 100));
    mix(depth(15));
    memcpy(order, i32, sizeof order);
    qsort(order, COUNT, sizeof *order, compare);
    for (int k = 0; k < COUNT; k++)
        mix((uint64_t)order[k]);
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
