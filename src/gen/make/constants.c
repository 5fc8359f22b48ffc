/* Constants: which, and how they are written. */
#include "gen/make/private.h"
#include "gen/build.h"
#include "gen/run/run.h"

static u128 remembered(struct gen *g, struct rng *r)
{
    uint32_t n = g->used_count < LENGTH(g->used) ? g->used_count : LENGTH(g->used);
    return n ? g->used[rng_below(r, n)] : rng_below(r, 100);
}

static u128 any_bits(struct rng *r)
{
    u128 high = (u128)rng_next(r) << 64;
    return high | rng_next(r);
}

/* Ones from bit a to bit b. */
static u128 ones(struct rng *r, unsigned width)
{
    unsigned a = (unsigned)rng_below(r, width), b = (unsigned)rng_below(r, width);
    unsigned low = a < b ? a : b, high = a < b ? b : a;
    return lang_wrap(~(u128)0, high - low + 1) << low;
}

u128 make_constant_bits(struct gen *g, struct rng *r, struct type *t)
{
    unsigned width = gen_int_width(g, t);
    u128 v;
    switch (gen_pick(g, r, GEN_GROUP_constant)) {
    case GEN_constant_limit:
        v = rng_below(r, 2) ? gen_int_most(g, t) - rng_below(r, 3)
                            : gen_int_least(g, t) + rng_below(r, 3);
        break;
    case GEN_constant_block:
        v = ones(r, width);
        break;
    case GEN_constant_random:
        v = any_bits(r);
        break;
    case GEN_constant_again:
        v = remembered(g, r);
        break;
    case GEN_constant_negated:
        v = -remembered(g, r);
        break;
    case GEN_constant_inverted:
        v = ~remembered(g, r);
        break;
    default:
        v = (u128)(i128)rng_between(r, -8, 16);
    }
    v = t->kind == TYPE_BOOL ? (v & 1) : lang_wrap(v, width);
    g->used[g->used_count++ % LENGTH(g->used)] = gen_int_signed(g, t) ? lang_sign_extend(v, width)
                                                                      : v;
    return v;
}

/* The value that some variable has, or one off; false where none was found. */
static bool near_value(struct gen *g, const struct ctx *c, struct type *t, u128 *bits)
{
    struct full apart = {0};
    struct ctx own = *c;
    own.full = &apart;
    own.pure = true;
    own.calls = own.depth = 0;
    struct made m = make_lvalue_read(g, make_lvalue_pick(g, &own, WANT_VALUE, KIND_INT));
    if (!m.n)
        return false;
    u128 v = run_convert(g, m.n->type->unqual, t, m.v.bits) + rng_below(&c->region->rng, 3) - 1;
    *bits = t->kind == TYPE_BOOL ? v & 1 : lang_wrap(v, gen_int_width(g, t));
    return true;
}

struct made make_constant_int(struct gen *g, const struct ctx *c, struct type *t)
{
    struct rng *r = &c->region->rng;
    u128 bits;
    bool value = rng_below(r, g->sums[GEN_GROUP_constant] + 1) < gen_setting(g, GEN_constant_value);
    if (value && !c->dead && near_value(g, c, t, &bits))
        return build_number(g, bits, t);
    return build_number(g, make_constant_bits(g, r, t), t);
}

/* Small numbers with few digits in binary and decimal, and now and then a wild one. */
struct made make_constant_real(struct gen *g, struct rng *r, struct type *t)
{
    struct made m = {0};
    long double v = (long double)rng_between(r, -64, 64);
    switch (rng_below(r, 6)) {
    case 0:
        v /= 8;
        break;
    case 1:
        v = v * 1000 + 0.5L;
        break;
    case 2:
        v /= 10;
        break;
    case 3:
        v *= (long double)(UINT64_C(1) << rng_below(r, 50));
        break;
    default:
        break;
    }
    m.v.bits = lang_float_bits(lang_float_format(g->p, t), v);
    m.n = lang_float(g->p, m.v.bits, t);
    return m;
}
