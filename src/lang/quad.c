/* Quadruple precision: what lang_value_* and constants do with binary128, by the host's own
 * arithmetic where its compiler has it.  Takes and yields bits of the format; where the host has
 * none, everything is unsupported.  Half is never converted: rounding would happen twice. */
#include "lang/private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 quad;

/* glibc has it for every compiler, and declares it for gcc alone. */
quad strtof128(const char *restrict text, char **restrict end);

static quad from_bits(u128 bits)
{
    quad v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static u128 to_bits(quad v)
{
    u128 bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

bool lang_quad_parse(const char *text, u128 *bits)
{
    *bits = to_bits(strtof128(text, NULL));
    return true;
}

enum value_fault quad_binary(enum op op, u128 a, u128 b, u128 *r)
{
    quad x = from_bits(a), y = from_bits(b);
    switch (op) {
    case OP_ADD:
        *r = to_bits(x + y);
        return VALUE_OK;
    case OP_SUB:
        *r = to_bits(x - y);
        return VALUE_OK;
    case OP_MUL:
        *r = to_bits(x * y);
        return VALUE_OK;
    case OP_DIV:
        *r = to_bits(x / y);
        return VALUE_OK;
    case OP_LT:
        *r = x < y;
        return VALUE_OK;
    case OP_GT:
        *r = x > y;
        return VALUE_OK;
    case OP_LE:
        *r = x <= y;
        return VALUE_OK;
    case OP_GE:
        *r = x >= y;
        return VALUE_OK;
    case OP_EQ:
        *r = x == y;
        return VALUE_OK;
    case OP_NE:
        *r = x != y;
        return VALUE_OK;
    default:
        return VALUE_UNSUPPORTED;
    }
}

/* C11 6.3.1.4p1: the integral part must fit. */
enum value_fault quad_to_int(u128 a, unsigned width, bool is_signed, u128 *r)
{
    quad v = from_bits(a), limit = 1;
    for (unsigned i = is_signed; i < width; i++)
        limit *= 2;
    *r = 0;
    /* -limit itself fits, and so does what truncation brings there */
    bool fits = is_signed ? v < limit && (v > -limit || v - -limit > -1) : v < limit && v > -1;
    if (!fits) /* NaN neither */
        return VALUE_OVERFLOW;
    u128 size = (u128)(v < 0 ? -v : v);
    *r = lang_wrap(v < 0 ? -size : size, width);
    return VALUE_OK;
}

u128 quad_from_int(u128 size, bool minus)
{
    return to_bits(minus ? -(quad)size : (quad)size);
}

enum value_fault quad_to_float(u128 a, enum float_format to, u128 *r)
{
    quad v = from_bits(a);
    switch (to) {
    case FLOAT_SINGLE:
        *r = lang_float_bits(to, (float)v);
        return VALUE_OK;
    case FLOAT_DOUBLE:
        *r = lang_float_bits(to, (double)v);
        return VALUE_OK;
    case FLOAT_X87:
        *r = lang_float_bits(to, (long double)v);
        return VALUE_OK;
    default:
        return VALUE_UNSUPPORTED;
    }
}

enum value_fault quad_from_float(enum float_format from, u128 a, u128 *r)
{
    *r = to_bits((quad)lang_float_host(from, a)); /* exact */
    return VALUE_OK;
}
#else
bool lang_quad_parse(const char *text, u128 *bits)
{
    (void)text, (void)bits;
    return false;
}

enum value_fault quad_binary(enum op op, u128 a, u128 b, u128 *r)
{
    (void)op, (void)a, (void)b, (void)r;
    return VALUE_UNSUPPORTED;
}

enum value_fault quad_to_int(u128 a, unsigned width, bool is_signed, u128 *r)
{
    (void)a, (void)width, (void)is_signed, (void)r;
    return VALUE_UNSUPPORTED;
}

u128 quad_from_int(u128 size, bool minus)
{
    return lang_float_bits(FLOAT_QUAD, minus ? -(long double)size : (long double)size);
}

enum value_fault quad_to_float(u128 a, enum float_format to, u128 *r)
{
    (void)a, (void)to, (void)r;
    return VALUE_UNSUPPORTED;
}

enum value_fault quad_from_float(enum float_format from, u128 a, u128 *r)
{
    (void)from, (void)a, (void)r;
    return VALUE_UNSUPPORTED;
}
#endif
