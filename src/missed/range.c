/* The range of a term in every execution that is defined: intervals, from those of its operands,
 * where what others may write has all the values of its type.  Sound, not sharp: whatever is not
 * known here has the range of its type. */
#include "missed/private.h"

bool arith_is_floating(const struct arith *p, uint8_t type)
{
    return lang_is_floating(lang_basic(p->types, (enum type_kind)type));
}

i128 arith_number(const struct arith *p, uint8_t type, u128 bits)
{
    const struct type *t = lang_basic(p->types, (enum type_kind)type);
    if (lang_is_floating(t))
        BUG("a floating value is no number here");
    unsigned width = lang_int_width(p->types, t);
    return (i128)(lang_int_signed(p->types, t) ? lang_sign_extend(bits, width) : bits);
}

u128 arith_bits(const struct arith *p, uint8_t type, i128 number)
{
    return lang_wrap((u128)number,
                     lang_int_width(p->types, lang_basic(p->types, (enum type_kind)type)));
}

i128 arith_type_low(const struct arith *p, uint8_t type)
{
    const struct type *t = lang_basic(p->types, (enum type_kind)type);
    if (lang_is_floating(t))
        return FLOATING_LOW;
    return lang_int_signed(p->types, t) ? -((i128)1 << (lang_int_width(p->types, t) - 1)) : 0;
}

i128 arith_type_high(const struct arith *p, uint8_t type)
{
    const struct type *t = lang_basic(p->types, (enum type_kind)type);
    if (lang_is_floating(t))
        return FLOATING_HIGH;
    return ((i128)1 << (lang_int_width(p->types, t) - lang_int_signed(p->types, t))) - 1;
}

struct range {
    i128 low, high;
};

/* Of numbers of at most 64 bits, so that sums and differences of bounds fit. */
static struct range of(const struct term *t)
{
    return (struct range){t->low, t->high};
}

static i128 least(i128 a, i128 b)
{
    return a < b ? a : b;
}

static i128 most(i128 a, i128 b)
{
    return a > b ? a : b;
}

/* The extremes of f at the four corners. */
typedef i128 corner_fn(i128 a, i128 b);

static struct range corners(struct range a, struct range b, corner_fn *f)
{
    i128 at[4] = {f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)};
    struct range r = {at[0], at[0]};
    for (unsigned i = 1; i < 4; i++)
        r = (struct range){least(r.low, at[i]), most(r.high, at[i])};
    return r;
}

/* Bounds below 2^64 in size: a product may not fit in 127 bits, and is then beyond every type. */
static i128 product(i128 a, i128 b)
{
    i128 r;
    if (!__builtin_mul_overflow(a, b, &r))
        return r;
    i128 far = (i128)1 << 120;
    return (a < 0) == (b < 0) ? far : -far;
}

static i128 quotient(i128 a, i128 b)
{
    return a / b;
}

static i128 shifted(i128 a, i128 by)
{
    return a >> by;
}

static struct range joined(struct range a, struct range b)
{
    return (struct range){least(a.low, b.low), most(a.high, b.high)};
}

/* What divides is not 0, or the execution is not defined. */
static struct range of_division(struct range a, struct range b, struct range all)
{
    struct range below = {b.low, least(b.high, -1)}, above = {most(b.low, 1), b.high};
    bool negative = below.low <= below.high, positive = above.low <= above.high;
    if (negative && positive)
        return joined(corners(a, below, quotient), corners(a, above, quotient));
    return negative || positive ? corners(a, negative ? below : above, quotient) : all;
}

/* Between 0 and the dividend, and smaller than what divides. */
static struct range of_remainder(struct range a, struct range b, struct range all)
{
    i128 largest = most(-b.low, b.high) - 1;
    if (largest < 0)
        return all;
    return (struct range){a.low < 0 ? -least(-a.low, largest) : 0,
                          a.high > 0 ? least(a.high, largest) : 0};
}

static i128 shifted_left(i128 a, i128 by)
{
    return a << by;
}

/* Where no bit can be lost. */
static struct range of_left_shift(struct range a, struct range b, struct range all)
{
    bool small = a.low >= 0 && b.low >= 0 && b.high < 63;
    return small ? corners(a, b, shifted_left) : all;
}

static struct range of_right_shift(struct range a, struct range b, struct range all)
{
    return b.low >= 0 && b.high < 64 ? corners(a, b, shifted) : all;
}

static struct range of_and(struct range a, struct range b, struct range all)
{
    if (a.low >= 0 && b.low >= 0)
        return (struct range){0, least(a.high, b.high)};
    if (a.low >= 0 || b.low >= 0)
        return (struct range){0, a.low >= 0 ? a.high : b.high};
    return all;
}

/* Of | and ^ of numbers that are not negative: no bit above the highest of either. */
static struct range of_or(struct range a, struct range b, struct range all)
{
    if (a.low < 0 || b.low < 0)
        return all;
    i128 ones = 0;
    while (ones < a.high || ones < b.high)
        ones = 2 * ones + 1;
    return (struct range){0, ones};
}

static struct range of_comparison(enum op op, struct range a, struct range b)
{
    struct range yes = {1, 1}, no = {0, 0}, either = {0, 1};
    bool apart = a.high < b.low || b.high < a.low;
    bool same = a.low == a.high && b.low == b.high && a.low == b.low;
    switch (op) {
    case OP_LT:
        return a.high < b.low ? yes : a.low >= b.high ? no : either;
    case OP_GE:
        return a.low >= b.high ? yes : a.high < b.low ? no : either;
    case OP_GT:
        return a.low > b.high ? yes : a.high <= b.low ? no : either;
    case OP_LE:
        return a.high <= b.low ? yes : a.low > b.high ? no : either;
    case OP_EQ:
        return apart ? no : same ? yes : either;
    default:
        return apart ? yes : same ? no : either;
    }
}

static bool holds_zero(struct range r)
{
    return r.low <= 0 && r.high >= 0;
}

static bool is_zero(struct range r)
{
    return r.low == 0 && r.high == 0;
}

static struct range of_logic(enum op op, struct range a, struct range b)
{
    bool both = !holds_zero(a) && !holds_zero(b), one = !holds_zero(a) || !holds_zero(b);
    bool none = is_zero(a) && is_zero(b), lack = is_zero(a) || is_zero(b);
    bool yes = op == OP_LAND ? both : one, no = op == OP_LAND ? lack : none;
    return (struct range){yes, !no};
}

/* As converted to the type: the same where all of it fits, else whatever the type can hold. */
static struct range fitted(const struct arith *p, struct range r, uint8_t type)
{
    struct range all = {arith_type_low(p, type), arith_type_high(p, type)};
    return r.low >= all.low && r.high <= all.high ? r : all;
}

static struct range of_binary(const struct arith *p, const struct term *t)
{
    const struct term *left = t->kid[0], *right = t->kid[1];
    struct range all = {arith_type_low(p, t->as), arith_type_high(p, t->as)};
    enum op op = t->op;
    if (op == OP_LAND || op == OP_LOR)
        return of_logic(op, of(left), of(right));
    bool shift = op == OP_SHL || op == OP_SHR;
    struct type *in = lang_balanced(p->types, lang_basic(p->types, (enum type_kind)left->as),
                                    lang_basic(p->types, (enum type_kind)right->as));
    if (lang_is_floating(in))
        return arith_is_floating(p, t->as) ? all : (struct range){0, 1};
    struct range a = fitted(p, of(left), shift ? t->as : in->kind);
    struct range b = shift ? of(right) : fitted(p, of(right), in->kind);
    switch (op) {
    case OP_ADD:
        return (struct range){a.low + b.low, a.high + b.high};
    case OP_SUB:
        return (struct range){a.low - b.high, a.high - b.low};
    case OP_MUL:
        return corners(a, b, product);
    case OP_DIV:
        return of_division(a, b, all);
    case OP_SHR:
        return of_right_shift(a, b, all);
    case OP_AND:
        return of_and(a, b, all);
    case OP_OR:
    case OP_XOR:
        return of_or(a, b, all);
    case OP_SHL:
        return of_left_shift(a, b, all);
    case OP_REM:
        return of_remainder(a, b, all);
    default:
        return of_comparison(op, a, b);
    }
}

void arith_set_range(const struct arith *p, struct term *t)
{
    struct range r = {arith_type_low(p, t->as), arith_type_high(p, t->as)};
    bool floating = arith_is_floating(p, t->as);
    if (!t->open && !floating)
        r.low = r.high = arith_number(p, t->as, t->bits);
    else if (t->kind == TERM_VARIABLE)
        r = (struct range){t->variable->low, t->variable->high};
    else if (t->kind == TERM_CAST && !floating && !arith_is_floating(p, t->kid[0]->as))
        r = of(t->kid[0]);
    else if (t->kind == TERM_BINARY)
        r = of_binary(p, t);
    r = fitted(p, r, t->as);
    t->low = r.low;
    t->high = r.high;
}
