/* The compilers' builtins on integers. */
#include "machine/lib/private.h"

#include <string.h>

static unsigned width_of(const struct lib_call *c)
{
    return lang_int_width(c->p, c->site->types[0]);
}

static uint64_t bits_of(const struct lib_call *c)
{
    return (uint64_t)lang_wrap(arg(c, 0), width_of(c));
}

static unsigned leading(uint64_t v, unsigned width)
{
    unsigned n = 0;
    while (n < width && !(v >> (width - 1 - n) & 1))
        n++;
    return n;
}

static unsigned trailing(uint64_t v)
{
    unsigned n = 0;
    while (n < 64 && !(v >> n & 1))
        n++;
    return n;
}

static bool is_zero(struct lib_call *c)
{
    if (bits_of(c))
        return false;
    lib_undefined(c, UB_BUILTIN, "the argument is 0");
    return true;
}

void lib___builtin_clz(struct lib_call *c)
{
    if (!is_zero(c))
        give_int(c, leading(bits_of(c), width_of(c)));
}

void lib___builtin_ctz(struct lib_call *c)
{
    if (!is_zero(c))
        give_int(c, trailing(bits_of(c)));
}

static unsigned ones(uint64_t v)
{
    unsigned n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

void lib___builtin_popcount(struct lib_call *c)
{
    give_int(c, ones(bits_of(c)));
}

void lib___builtin_parity(struct lib_call *c)
{
    give_int(c, ones(bits_of(c)) & 1);
}

void lib___builtin_ffs(struct lib_call *c)
{
    uint64_t v = bits_of(c);
    give_int(c, v ? trailing(v) + 1 : 0);
}

void lib___builtin_clrsb(struct lib_call *c)
{
    unsigned width = width_of(c);
    uint64_t v = bits_of(c);
    if (v >> (width - 1))
        v = (uint64_t)lang_wrap(~v, width);
    give_int(c, leading(v, width) - 1);
}

void lib___builtin_bswap16(struct lib_call *c)
{
    unsigned width = lang_int_width(c->p, c->site->result);
    uint64_t v = bits_of(c), r = 0;
    for (unsigned i = 0; i < width; i += 8)
        r |= (v >> i & 0xff) << (width - 8 - i);
    give(c, r);
}

void lib___builtin_assume_aligned(struct lib_call *c)
{
    uint64_t align = arg(c, 1), off = c->site->count > 2 ? arg(c, 2) : 0;
    if (align & (align - 1) || (align && (arg(c, 0) - off) & (align - 1)))
        lib_undefined(c, UB_BUILTIN, "%s is not aligned to %llu", machine_describe(c->m, arg(c, 0)),
                      (unsigned long long)align);
    give(c, arg(c, 0));
}

/* ---- overflow --------------------------------------------------------------------------- */

/* An operand as a sign and a magnitude: any mix of types is exact then. */
struct whole {
    bool minus;
    u128 size;
};

static struct whole whole_of(const struct lib_call *c, uint32_t i)
{
    const struct type *t = c->site->types[i];
    const uint64_t *slot = &c->r[c->site->slot[i]];
    u128 v = kind_of(c->p, t) == KIND_WIDE ? (u128)slot[1] << 64 | slot[0] : slot[0];
    unsigned width = lang_int_width(c->p, t);
    v = lang_wrap(v, width);
    if (lang_int_signed(c->p, t) && v >> (width - 1))
        return (struct whole){true, lang_wrap(0 - v, width)};
    return (struct whole){false, v};
}

static struct whole sum(struct whole a, struct whole b, bool *wide)
{
    if (a.minus == b.minus) {
        u128 size = a.size + b.size;
        *wide = size < a.size;
        return (struct whole){a.minus, size};
    }
    if (a.size >= b.size)
        return (struct whole){a.minus && a.size != b.size, a.size - b.size};
    return (struct whole){b.minus, b.size - a.size};
}

static struct whole product(struct whole a, struct whole b, bool *wide)
{
    u128 size = a.size * b.size;
    *wide = a.size && size / a.size != b.size;
    return (struct whole){a.minus != b.minus && size, size};
}

static bool fits(const struct program *p, struct whole v, const struct type *t)
{
    unsigned width = lang_int_width(p, t);
    bool is_signed = lang_int_signed(p, t);
    if (!is_signed)
        return !v.minus && lang_wrap(v.size, width) == v.size;
    u128 limit = (u128)1 << (width - 1);
    return v.minus ? v.size <= limit : v.size < limit;
}

enum arithmetic { ADDS, SUBTRACTS, MULTIPLIES };

/* The type of the result; NULL where the call is none that a compiler would accept, as programs
 * that are being reduced have it. */
static const struct type *result_type(struct lib_call *c, bool store)
{
    const struct type *to = c->site->types[2]->canon;
    if (store && to->kind != TYPE_POINTER)
        to = NULL;
    else if (store) /* gcc's typed forms take void * here: the result has the operands' type */
        to = to->base->kind == TYPE_VOID ? c->site->types[0]->canon : to->base->canon;
    if (to && lang_is_integer(to) && lang_is_integer(c->site->types[0]->canon) &&
        lang_is_integer(c->site->types[1]->canon))
        return to;
    lib_unsupported(c, "operands of these types");
    return NULL;
}

static void overflow(struct lib_call *c, enum arithmetic what, bool store)
{
    const struct type *to = result_type(c, store);
    if (!to)
        return;
    struct whole a = whole_of(c, 0), b = whole_of(c, 1);
    bool wide = false;
    if (what == SUBTRACTS)
        b.minus = !b.minus && b.size;
    struct whole v = what == MULTIPLIES ? product(a, b, &wide) : sum(a, b, &wide);
    bool over = wide || !fits(c->p, v, to);
    u128 bits = lang_wrap(v.minus ? 0 - v.size : v.size, lang_int_width(c->p, to));
    if (wide && what == MULTIPLIES)
        bits = lang_wrap(v.minus || (a.minus != b.minus) ? 0 - v.size : v.size,
                         lang_int_width(c->p, to));
    if (store && !lib_store(c, arg(c, 2), &bits, lang_sizeof(c->p, to)))
        return;
    give(c, over);
}

void lib___builtin_add_overflow(struct lib_call *c)
{
    overflow(c, ADDS, true);
}

void lib___builtin_sub_overflow(struct lib_call *c)
{
    overflow(c, SUBTRACTS, true);
}

void lib___builtin_mul_overflow(struct lib_call *c)
{
    overflow(c, MULTIPLIES, true);
}

void lib___builtin_add_overflow_p(struct lib_call *c)
{
    overflow(c, ADDS, false);
}

void lib___builtin_sub_overflow_p(struct lib_call *c)
{
    overflow(c, SUBTRACTS, false);
}

void lib___builtin_mul_overflow_p(struct lib_call *c)
{
    overflow(c, MULTIPLIES, false);
}
