/* Products and quotients of complex values, whose rounding C leaves open (5.2.4.2.2p6).
 *
 * A product is ac - bd and ad + bc; gcc folds constant ones as if rounded once.  A quotient is what
 * the host's library gives; gcc rounds constant ones once, clang scales and takes the textbook's
 * formula, and older libraries take Smith's.  Where these agree, the result is certain; else each
 * way is a choice (choice.def).  What is not finite is unsupported: compilers recover from NaNs in
 * their own ways (C11 G.5.1). */
#include "machine/private.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Has room for the product of two doubles, and 49 bits more than a long double, where the host has
 * it. */
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 wider;
#else
typedef long double wider;
#endif

struct parts {
    long double re, im;
};

typedef struct parts arithmetic_fn(struct parts x, struct parts y);

/* The ways to compute in one type. */
struct ways {
    arithmetic_fn *product, *product_once, *quotient, *quotient_once, *scaled, *smith;
};

#define WAYS(name, type, fmax_, fabs_, logb_, scalbn_)                                     \
    static struct parts product_##name(struct parts x, struct parts y)                     \
    {                                                                                      \
        const type a = (type)x.re, b = (type)x.im, c = (type)y.re, d = (type)y.im;         \
        const type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                         \
        return (struct parts){(type)(ac - bd), (type)(ad + bc)};                           \
    }                                                                                      \
    static struct parts product_once_##name(struct parts x, struct parts y)                \
    {                                                                                      \
        const wider a = x.re, b = x.im, c = y.re, d = y.im;                                \
        return (struct parts){(type)(a * c - b * d), (type)(a * d + b * c)};               \
    }                                                                                      \
    static struct parts quotient_##name(struct parts x, struct parts y)                    \
    {                                                                                      \
        /* C11 6.2.5p13: as two elements of an array lie; CMPLX is not everywhere */       \
        const type from[2] = {(type)x.re, (type)x.im}, by[2] = {(type)y.re, (type)y.im};   \
        type _Complex a, b;                                                                \
        memcpy(&a, from, sizeof a);                                                        \
        memcpy(&b, by, sizeof b);                                                          \
        a /= b;                                                                            \
        return (struct parts){(type)creall(a), (type)cimagl(a)};                           \
    }                                                                                      \
    static struct parts quotient_once_##name(struct parts x, struct parts y)               \
    {                                                                                      \
        const wider a = x.re, b = x.im, c = y.re, d = y.im, of = c * c + d * d;            \
        return (struct parts){(type)((a * c + b * d) / of), (type)((b * c - a * d) / of)}; \
    }                                                                                      \
    static struct parts scaled_##name(struct parts x, struct parts y)                      \
    {                                                                                      \
        const type most = fmax_(fabs_((type)y.re), fabs_((type)y.im));                     \
        const int by = most > 0 ? -(int)logb_(most) : 0;                                   \
        const type a = (type)x.re, b = (type)x.im;                                         \
        const type c = scalbn_((type)y.re, by), d = scalbn_((type)y.im, by);               \
        const type of = c * c + d * d;                                                     \
        return (struct parts){scalbn_((a * c + b * d) / of, by),                           \
                              scalbn_((b * c - a * d) / of, by)};                          \
    }                                                                                      \
    static struct parts smith_##name(struct parts x, struct parts y)                       \
    {                                                                                      \
        const type a = (type)x.re, b = (type)x.im, c = (type)y.re, d = (type)y.im;         \
        if (fabs_(c) < fabs_(d)) {                                                         \
            const type ratio = c / d, of = c * ratio + d;                                  \
            return (struct parts){(a * ratio + b) / of, (b * ratio - a) / of};             \
        }                                                                                  \
        const type ratio = d / c, of = d * ratio + c;                                      \
        return (struct parts){(b * ratio + a) / of, (b - a * ratio) / of};                 \
    }
WAYS(single, float, fmaxf, fabsf, logbf, scalbnf)
WAYS(double, double, fmax, fabs, logb, scalbn)
WAYS(wide, long double, fmaxl, fabsl, logbl, scalbnl)

#define ROW(name)                                                                                  \
    {                                                                                              \
        product_##name, product_once_##name, quotient_##name, quotient_once_##name, scaled_##name, \
            smith_##name                                                                           \
    }
static const struct ways *ways_of(enum kind k)
{
    static const struct ways single = ROW(single), twice = ROW(double), wide = ROW(wide);
    return k == KIND_F32 ? &single : k == KIND_F64 ? &twice : &wide;
}

static bool is_finite(struct parts x)
{
    return isfinite(x.re) && isfinite(x.im);
}

static bool same_bits(long double x, long double y)
{
    return x == y && !signbit(x) == !signbit(y);
}

static bool same(struct parts x, struct parts y)
{
    return same_bits(x.re, y.re) && same_bits(x.im, y.im);
}

static bool chosen(struct machine *m, const struct insn *pc, enum machine_choice k)
{
    uint32_t unit = m->frames[m->depth].code->func->unit;
    return machine_choose(m, k, unit, m->units[unit].p->nodes[pc->node]);
}

static struct parts product(struct machine *m, const struct insn *pc, const struct ways *w,
                            struct parts x, struct parts y)
{
    struct parts plain = w->product(x, y), once = w->product_once(x, y);
    return !same(plain, once) && chosen(m, pc, CHOICE_ROUNDED_ONCE) ? once : plain;
}

static struct parts quotient(struct machine *m, const struct insn *pc, const struct ways *w,
                             struct parts x, struct parts y)
{
    struct parts plain = w->quotient(x, y), once = w->quotient_once(x, y);
    struct parts scaled = w->scaled(x, y), smith = w->smith(x, y);
    struct parts other = same(scaled, plain) ? smith : scaled, v = plain;
    if (!same(once, plain) && chosen(m, pc, CHOICE_ROUNDED_ONCE))
        v = once;
    if (!same(other, plain) && chosen(m, pc, CHOICE_QUOTIENT))
        v = other;
    return v;
}

/* ---- operands --------------------------------------------------------------------------- */

bool complex_read(struct machine *m, const struct insn *pc, const struct conversion *of,
                  uint64_t at, long double *v)
{
    unsigned size = kind_size(of->program, kind_of(of->program, of->from));
    const uint8_t *bytes = access_read(m, pc, at, size);
    if (bytes)
        *v = lang_float_host(lang_float_format(of->program, of->from),
                             lang_load_number(m->target, bytes, size));
    return bytes;
}

bool complex_write(struct machine *m, const struct insn *pc, const struct conversion *of,
                   uint64_t at, long double v)
{
    unsigned size = kind_size(of->program, kind_of(of->program, of->from));
    uint8_t *bytes = access_write(m, pc, at, size);
    if (bytes)
        lang_store_number(m->target, bytes, size,
                          lang_float_bits(lang_float_format(of->program, of->from), v));
    return bytes;
}

bool exec_complex(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct conversion *how = pc->u.conversion;
    uint64_t step = lang_sizeof(how->program, how->from);
    struct parts x, y;
    if (!complex_read(m, pc, how, r[pc->a], &x.re) ||
        !complex_read(m, pc, how, r[pc->a] + step, &x.im) ||
        !complex_read(m, pc, how, r[pc->b], &y.re) ||
        !complex_read(m, pc, how, r[pc->b] + step, &y.im))
        return false;
    const struct ways *w = ways_of(kind_of(how->program, how->from));
    bool divides = pc->k == OP_DIV;
    struct parts v = divides ? quotient(m, pc, w, x, y) : product(m, pc, w, x, y);
    if (!is_finite(x) || !is_finite(y) || !is_finite(v)) {
        uint32_t unit = m->frames[m->depth].code->func->unit;
        machine_unsupported(m, unit, m->units[unit].p->nodes[pc->node],
                            "a complex %s that is not finite", divides ? "quotient" : "product");
        return false;
    }
    return complex_write(m, pc, how, r[pc->dst], v.re) &&
           complex_write(m, pc, how, r[pc->dst] + step, v.im);
}
