/* Builtin functions on values: one row each. */
#include "gen/run/run.h"

static unsigned bit_count(u128 v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

static unsigned leading(u128 v, unsigned width)
{
    unsigned n = 0;
    while (n < width && !(v >> (width - 1 - n) & 1))
        n++;
    return n;
}

static unsigned trailing(u128 v, unsigned width)
{
    unsigned n = 0;
    while (n < width && !(v >> n & 1))
        n++;
    return n;
}

static bool apply_clz(u128 a, unsigned width, u128 *r)
{
    *r = leading(a, width);
    return a != 0;
}

static bool apply_ctz(u128 a, unsigned width, u128 *r)
{
    *r = trailing(a, width);
    return a != 0;
}

static bool apply_popcount(u128 a, unsigned width, u128 *r)
{
    (void)width;
    *r = bit_count(a);
    return true;
}

static bool apply_parity(u128 a, unsigned width, u128 *r)
{
    (void)width;
    *r = bit_count(a) & 1;
    return true;
}

static bool apply_ffs(u128 a, unsigned width, u128 *r)
{
    *r = a ? trailing(a, width) + 1 : 0;
    return true;
}

static bool apply_clrsb(u128 a, unsigned width, u128 *r)
{
    u128 v = a >> (width - 1) & 1 ? lang_wrap(~a, width) : a;
    *r = leading(v, width) - 1;
    return true;
}

static bool apply_bswap(u128 a, unsigned width, u128 *r)
{
    *r = 0;
    for (unsigned i = 0; i < width; i += 8)
        *r = *r << 8 | (a >> i & 0xff);
    return true;
}

static bool apply_abs(u128 a, unsigned width, u128 *r)
{
    bool minus = a >> (width - 1) & 1;
    *r = minus ? lang_wrap(-a, width) : a;
    return a != (u128)1 << (width - 1);
}

static const struct {
    uint16_t builtin;
    bool (*apply)(u128 a, unsigned width, u128 *r);
} rows[] = {
    {BUILTIN_clz, apply_clz},           {BUILTIN_clzll, apply_clz},
    {BUILTIN_ctz, apply_ctz},           {BUILTIN_ctzll, apply_ctz},
    {BUILTIN_popcount, apply_popcount}, {BUILTIN_popcountll, apply_popcount},
    {BUILTIN_parity, apply_parity},     {BUILTIN_parityll, apply_parity},
    {BUILTIN_ffs, apply_ffs},           {BUILTIN_ffsll, apply_ffs},
    {BUILTIN_clrsb, apply_clrsb},       {BUILTIN_bswap16, apply_bswap},
    {BUILTIN_bswap32, apply_bswap},     {BUILTIN_bswap64, apply_bswap},
    {BUILTIN_abs, apply_abs},
};

bool run_builtin(const struct gen *g, const struct decl *d, const struct type *t, const u128 *a,
                 u128 *r)
{
    if (d->builtin == BUILTIN_expect || d->builtin == BUILTIN_expect_with_probability) {
        *r = a[0];
        return true;
    }
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].builtin == d->builtin)
            return rows[i].apply(a[0], gen_int_width(g, t), r);
    BUG("builtin %s", d->name);
}
