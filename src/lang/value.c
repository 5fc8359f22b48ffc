/* Exact arithmetic on values of the target's types.  All of it is done on unsigned words; what
 * C leaves undefined is reported, with the wrapped result beside it. */
#include "lang/private.h"

#include <math.h>
#include <string.h>

/* ---- integers --------------------------------------------------------------------------- */

/* One integer operation: operands extended to 128 bits, as the type's sign says. */
struct ints {
    u128 a, b;
    unsigned width;
    bool is_signed;
};

static bool negative(u128 v)
{
    return v >> 127;
}

static u128 magnitude(u128 v)
{
    return negative(v) ? -v : v;
}

/* Does the 128-bit result r, known to be exact, fit? */
static enum value_fault fits(const struct ints *x, u128 r)
{
    if (!x->is_signed || lang_sign_extend(r, x->width) == r)
        return VALUE_OK;
    return VALUE_OVERFLOW;
}

static enum value_fault int_add(const struct ints *x, u128 *r)
{
    *r = x->a + x->b;
    if (x->is_signed && x->width == 128)
        return negative(~(x->a ^ x->b) & (x->a ^ *r)) ? VALUE_OVERFLOW : VALUE_OK;
    return fits(x, *r);
}

static enum value_fault int_sub(const struct ints *x, u128 *r)
{
    *r = x->a - x->b;
    if (x->is_signed && x->width == 128)
        return negative((x->a ^ x->b) & (x->a ^ *r)) ? VALUE_OVERFLOW : VALUE_OK;
    return fits(x, *r);
}

static enum value_fault int_mul(const struct ints *x, u128 *r)
{
    *r = x->a * x->b;
    if (!x->is_signed)
        return VALUE_OK;
    if (x->width <= 64)
        return fits(x, *r);
    u128 a = magnitude(x->a), b = magnitude(x->b);
    bool minus = negative(x->a) != negative(x->b);
    u128 limit = ((u128)1 << (x->width - 1)) - (minus ? 0 : 1);
    return a && b > limit / a ? VALUE_OVERFLOW : VALUE_OK;
}

/* C11 6.5.5p5, p6: the quotient truncates towards zero. */
static enum value_fault int_divide(const struct ints *x, u128 *quotient, u128 *remainder)
{
    *quotient = *remainder = 0;
    if (x->b == 0)
        return VALUE_DIV_ZERO;
    if (!x->is_signed) {
        *quotient = x->a / x->b;
        *remainder = x->a % x->b;
        return VALUE_OK;
    }
    u128 q = magnitude(x->a) / magnitude(x->b), rest = magnitude(x->a) % magnitude(x->b);
    *quotient = negative(x->a) != negative(x->b) ? -q : q;
    *remainder = negative(x->a) ? -rest : rest;
    u128 least = (u128)1 << (x->width - 1);
    return magnitude(x->a) == least && negative(x->a) && x->b == ~(u128)0 ? VALUE_OVERFLOW
                                                                          : VALUE_OK;
}

static enum value_fault int_div(const struct ints *x, u128 *r)
{
    u128 rest;
    return int_divide(x, r, &rest);
}

static enum value_fault int_rem(const struct ints *x, u128 *r)
{
    u128 quotient;
    return int_divide(x, &quotient, r);
}

/* C11 6.5.7p3, p4.  The count is plain, so a negative one is huge here. */
static enum value_fault int_shl(const struct ints *x, u128 *r)
{
    *r = x->b < 128 ? x->a << (unsigned)x->b : 0;
    if (x->b >= x->width)
        return VALUE_SHIFT;
    if (!x->is_signed)
        return VALUE_OK;
    u128 most = ((u128)1 << (x->width - 1)) - 1;
    return negative(x->a) || x->a > most >> (unsigned)x->b ? VALUE_OVERFLOW : VALUE_OK;
}

static enum value_fault int_shr(const struct ints *x, u128 *r)
{
    unsigned by = x->b < x->width ? (unsigned)x->b : 0;
    u128 shifted = x->a >> by;
    if (x->is_signed && negative(x->a) && by)
        shifted |= ~(u128)0 << (128 - by);
    *r = shifted;
    return x->b < x->width ? VALUE_OK : VALUE_SHIFT;
}

static enum value_fault int_and(const struct ints *x, u128 *r)
{
    *r = x->a & x->b;
    return VALUE_OK;
}

static enum value_fault int_or(const struct ints *x, u128 *r)
{
    *r = x->a | x->b;
    return VALUE_OK;
}

static enum value_fault int_xor(const struct ints *x, u128 *r)
{
    *r = x->a ^ x->b;
    return VALUE_OK;
}

/* a < b, both extended. */
static bool less(const struct ints *x, u128 a, u128 b)
{
    u128 flip = x->is_signed ? (u128)1 << 127 : 0;
    return (a ^ flip) < (b ^ flip);
}

static enum value_fault int_lt(const struct ints *x, u128 *r)
{
    *r = less(x, x->a, x->b);
    return VALUE_OK;
}

static enum value_fault int_gt(const struct ints *x, u128 *r)
{
    *r = less(x, x->b, x->a);
    return VALUE_OK;
}

static enum value_fault int_le(const struct ints *x, u128 *r)
{
    *r = !less(x, x->b, x->a);
    return VALUE_OK;
}

static enum value_fault int_ge(const struct ints *x, u128 *r)
{
    *r = !less(x, x->a, x->b);
    return VALUE_OK;
}

static enum value_fault int_eq(const struct ints *x, u128 *r)
{
    *r = x->a == x->b;
    return VALUE_OK;
}

static enum value_fault int_ne(const struct ints *x, u128 *r)
{
    *r = x->a != x->b;
    return VALUE_OK;
}

typedef enum value_fault int_fn(const struct ints *x, u128 *r);

static int_fn *const int_ops[OP_COUNT] = {
    [OP_ADD] = int_add, [OP_SUB] = int_sub, [OP_MUL] = int_mul, [OP_DIV] = int_div,
    [OP_REM] = int_rem, [OP_SHL] = int_shl, [OP_SHR] = int_shr, [OP_AND] = int_and,
    [OP_OR] = int_or,   [OP_XOR] = int_xor, [OP_LT] = int_lt,   [OP_GT] = int_gt,
    [OP_LE] = int_le,   [OP_GE] = int_ge,   [OP_EQ] = int_eq,   [OP_NE] = int_ne,
};

static bool is_comparison(enum op op)
{
    uint8_t typing = lang_op_info[op].typing;
    return typing == TYPING_RELATION || typing == TYPING_EQUALITY;
}

static enum value_fault binary_int(const struct program *p, enum op op, const struct type *t,
                                   u128 a, u128 b, u128 *r)
{
    if (!int_ops[op])
        return VALUE_UNSUPPORTED;
    struct ints x = {a, b, lang_int_width(p, t), lang_int_signed(p, t)};
    if (x.is_signed) {
        x.a = lang_sign_extend(a, x.width);
        if (lang_op_info[op].typing != TYPING_SHIFT)
            x.b = lang_sign_extend(b, x.width);
    }
    enum value_fault fault = int_ops[op](&x, r);
    if (!is_comparison(op))
        *r = lang_wrap(*r, x.width);
    return fault;
}

/* ---- floating --------------------------------------------------------------------------- */

/* Rounds once, in the format's own precision: host types do single, double and x87; half is
 * computed in single, which has more than twice its bits, so rounding twice is harmless. */
#define FLOAT_ARITHMETIC(name, type)                      \
    static bool name(enum op op, type a, type b, type *r) \
    {                                                     \
        switch (op) {                                     \
        case OP_ADD:                                      \
            *r = a + b;                                   \
            return true;                                  \
        case OP_SUB:                                      \
            *r = a - b;                                   \
            return true;                                  \
        case OP_MUL:                                      \
            *r = a * b;                                   \
            return true;                                  \
        case OP_DIV:                                      \
            *r = a / b;                                   \
            return true;                                  \
        default:                                          \
            return false;                                 \
        }                                                 \
    }
FLOAT_ARITHMETIC(single_arithmetic, float)
FLOAT_ARITHMETIC(double_arithmetic, double)
FLOAT_ARITHMETIC(x87_arithmetic, long double)

static bool float_compare(enum op op, long double a, long double b, u128 *r)
{
    bool is_less = isless(a, b), is_greater = isgreater(a, b);
    bool ordered = !isunordered(a, b), equal = ordered && !is_less && !is_greater;
    switch (op) {
    case OP_LT:
        *r = is_less;
        return true;
    case OP_GT:
        *r = is_greater;
        return true;
    case OP_LE:
        *r = is_less || equal;
        return true;
    case OP_GE:
        *r = is_greater || equal;
        return true;
    case OP_EQ:
        *r = equal;
        return true;
    case OP_NE:
        *r = !equal;
        return true;
    default:
        return false;
    }
}

static enum value_fault binary_float(enum float_format f, enum op op, u128 a, u128 b, u128 *r)
{
    if (f == FLOAT_QUAD)
        return quad_binary(op, a, b, r);
    long double x = lang_float_host(f, a), y = lang_float_host(f, b), wide = 0;
    if (float_compare(op, x, y, r))
        return VALUE_OK;
    float single = 0;
    double doubled = 0;
    bool done;
    if (f == FLOAT_X87) {
        done = x87_arithmetic(op, x, y, &wide);
    } else if (f == FLOAT_DOUBLE) {
        done = double_arithmetic(op, (double)x, (double)y, &doubled);
        wide = doubled;
    } else {
        done = single_arithmetic(op, (float)x, (float)y, &single);
        wide = single;
    }
    *r = lang_float_bits(f, wide);
    return done ? VALUE_OK : VALUE_UNSUPPORTED;
}

/* ---- conversions ------------------------------------------------------------------------ */

static enum value_fault float_to_int(const struct program *p, long double v, const struct type *to,
                                     u128 *r)
{
    unsigned width = lang_int_width(p, to);
    bool is_signed = lang_int_signed(p, to);
    *r = 0;
    if (isnan(v) || isinf(v))
        return VALUE_OVERFLOW;
    long double whole = truncl(v);
    long double limit = ldexpl(1, (int)width - (is_signed ? 1 : 0));
    if (whole >= limit || whole < (is_signed ? -limit : 0))
        return VALUE_OVERFLOW;
    u128 size = (u128)(whole < 0 ? -whole : whole);
    *r = lang_wrap(whole < 0 ? -size : size, width);
    return VALUE_OK;
}

/* An integer of the type as a floating value of the format, rounded once. */
static u128 int_to_float(enum float_format f, u128 v, bool minus)
{
    u128 size = minus ? -v : v;
    if (f == FLOAT_QUAD)
        return quad_from_int(size, minus);
    long double wide = (long double)size;
    if (f == FLOAT_DOUBLE)
        wide = (double)size;
    else if (f == FLOAT_SINGLE)
        wide = (float)size;
    return lang_float_bits(f, minus ? -wide : wide);
}

static u128 extended(const struct program *p, const struct type *t, u128 v)
{
    return lang_int_signed(p, t) ? lang_sign_extend(v, lang_int_width(p, t)) : v;
}

bool lang_value_is_zero(const struct program *p, const struct type *t, u128 a)
{
    if (t->canon->class == CLASS_FLOAT && lang_float_format(p, t) == FLOAT_QUAD)
        return !(a << 1);
    return t->canon->class == CLASS_FLOAT ? lang_float_host(lang_float_format(p, t), a) == 0 : !a;
}

/* Pointers count as unsigned integers of their size here. */
static bool is_word(const struct type *t)
{
    return lang_is_integer(t) || t->canon->kind == TYPE_POINTER;
}

static enum value_fault convert_from_float(const struct program *p, const struct type *from,
                                           const struct type *to, u128 a, u128 *r)
{
    enum float_format f = lang_float_format(p, from);
    long double v = lang_float_host(f, a);
    if (is_word(to) && f == FLOAT_QUAD)
        return quad_to_int(a, lang_int_width(p, to), lang_int_signed(p, to), r);
    if (is_word(to))
        return float_to_int(p, v, to, r);
    if (to->canon->class != CLASS_FLOAT)
        return VALUE_UNSUPPORTED;
    enum float_format g = lang_float_format(p, to);
    if (f != g && f == FLOAT_QUAD)
        return quad_to_float(a, g, r);
    if (f != g && g == FLOAT_QUAD)
        return quad_from_float(f, a, r);
    *r = f == g ? a : lang_float_bits(g, v);
    return VALUE_OK;
}

enum value_fault lang_value_convert(const struct program *p, const struct type *from,
                                    const struct type *to, u128 a, u128 *r)
{
    if (lang_is_kind(to, TYPE_BOOL)) {
        *r = !lang_value_is_zero(p, from, a);
        return VALUE_OK;
    }
    if (from->canon->class == CLASS_FLOAT)
        return convert_from_float(p, from, to, a, r);
    if (!is_word(from))
        return VALUE_UNSUPPORTED;
    u128 wide = extended(p, from, a);
    if (is_word(to)) {
        *r = lang_wrap(wide, lang_int_width(p, to));
        return VALUE_OK;
    }
    if (to->canon->class != CLASS_FLOAT)
        return VALUE_UNSUPPORTED;
    bool minus = lang_int_signed(p, from) && negative(wide);
    *r = int_to_float(lang_float_format(p, to), wide, minus);
    return VALUE_OK;
}

/* ---- the public operations -------------------------------------------------------------- */

enum value_fault lang_value_binary(const struct program *p, enum op op, const struct type *t,
                                   u128 a, u128 b, u128 *r)
{
    if (is_word(t))
        return binary_int(p, op, t, a, b, r);
    if (t->canon->class == CLASS_FLOAT)
        return binary_float(lang_float_format(p, t), op, a, b, r);
    return VALUE_UNSUPPORTED;
}

static enum value_fault unary_float(const struct program *p, enum op op, const struct type *t,
                                    u128 a, u128 *r)
{
    enum float_format f = lang_float_format(p, t);
    u128 sign = lang_float_bits(f, -0.0L);
    if (op != OP_NEG && op != OP_PLUS)
        return VALUE_UNSUPPORTED;
    *r = op == OP_NEG ? a ^ sign : a;
    return VALUE_OK;
}

enum value_fault lang_value_unary(const struct program *p, enum op op, const struct type *t, u128 a,
                                  u128 *r)
{
    if (op == OP_LNOT) {
        *r = lang_value_is_zero(p, t, a);
        return VALUE_OK;
    }
    if (t->canon->class == CLASS_FLOAT)
        return unary_float(p, op, t, a, r);
    if (!lang_is_integer(t))
        return VALUE_UNSUPPORTED;
    unsigned width = lang_int_width(p, t);
    switch (op) {
    case OP_PLUS:
        *r = a;
        return VALUE_OK;
    case OP_NOT:
        *r = lang_wrap(~a, width);
        return VALUE_OK;
    case OP_NEG:
        return lang_value_binary(p, OP_SUB, t, 0, a, r);
    default:
        return VALUE_UNSUPPORTED;
    }
}
