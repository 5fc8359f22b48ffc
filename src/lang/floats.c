/* Floating values as bits of a target's format, to and from the host's long double.
 *
 * Half, single, double and x87 are exact on a host whose long double is x87 or wider; quad
 * keeps the leading bits only: quad.c computes with it. */
#include "lang/private.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct format {
    uint8_t exponent, fraction; /* bits; x87's fraction has its explicit leading one on top */
    bool explicit_one;
};

static const struct format formats[] = {
    [FLOAT_HALF] = {5, 10, false},    [FLOAT_SINGLE] = {8, 23, false},
    [FLOAT_DOUBLE] = {11, 52, false}, [FLOAT_X87] = {15, 64, true},
    [FLOAT_QUAD] = {15, 112, false},
};

static u128 ones(unsigned n)
{
    return ((u128)1 << n) - 1;
}

/* Nearly all are the host's own float and double, whose finite values need no taking apart. */
#if FLT_RADIX == 2 && FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128 && DBL_MANT_DIG == 53 && \
    DBL_MAX_EXP == 1024
enum { HOST_IS_IEEE = 1 };
#else
enum { HOST_IS_IEEE = 0 };
#endif

static bool is_finite(const struct format *m, u128 bits)
{
    return (~bits >> m->fraction & ones(m->exponent)) != 0;
}

static bool is_host(enum float_format f)
{
    return HOST_IS_IEEE && (f == FLOAT_SINGLE || f == FLOAT_DOUBLE);
}

static long double from_host(enum float_format f, uint64_t bits)
{
    if (f == FLOAT_SINGLE) {
        uint32_t low = (uint32_t)bits;
        float single;
        memcpy(&single, &low, sizeof single);
        return (long double)single;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return (long double)value;
}

/* Rounded to nearest, ties to even, as nobody here asks for another direction. */
static uint64_t to_host(enum float_format f, long double v)
{
    if (f == FLOAT_SINGLE) {
        float single = (float)v;
        uint32_t low;
        memcpy(&low, &single, sizeof low);
        return low;
    }
    double value = (double)v;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Any format, by its fields. */
static long double from_fields(enum float_format f, u128 bits)
{
    const struct format *m = &formats[f];
    u128 fraction = bits & ones(m->fraction);
    int exponent = (int)(bits >> m->fraction & ones(m->exponent));
    bool negative = bits >> (m->fraction + m->exponent) & 1;
    int limit = (1 << m->exponent) - 1, bias = limit >> 1;
    unsigned places = m->explicit_one ? m->fraction - 1u : m->fraction;
    long double v;
    if (exponent == limit) {
        u128 payload = m->explicit_one ? fraction & ones(63) : fraction;
        v = payload ? (long double)NAN : (long double)INFINITY;
    } else {
        if (exponent && !m->explicit_one)
            fraction |= (u128)1 << m->fraction;
        v = ldexpl((long double)fraction, (exponent ? exponent : 1) - bias - (int)places);
    }
    return negative ? -v : v;
}

long double lang_float_host(enum float_format f, u128 bits)
{
    if (is_host(f) && is_finite(&formats[f], bits))
        return from_host(f, (uint64_t)bits);
    return from_fields(f, bits);
}

/* mantissa >> shift, rounded to nearest, ties to even. */
static u128 round_shift(u128 mantissa, int shift)
{
    if (shift <= 0)
        return mantissa << -shift;
    if (shift > 127)
        return 0;
    u128 kept = mantissa >> shift, rest = mantissa & ones((unsigned)shift);
    u128 half = (u128)1 << (shift - 1);
    return kept + (rest > half || (rest == half && kept & 1));
}

/* A finite value other than zero, already without sign. */
static u128 encode_finite(const struct format *m, long double v)
{
    int limit = (1 << m->exponent) - 1, bias = limit >> 1, exponent;
    long double scaled = frexpl(v, &exponent); /* v = scaled * 2^exponent, 0.5 <= scaled < 1 */
    u128 mantissa = (u128)ldexpl(scaled, 64);  /* exact: 64 bits of significance */
    int places = m->explicit_one ? m->fraction - 1 : m->fraction;
    int field = exponent - 1 + bias;
    int below = field < 1 ? 1 - field : 0; /* subnormal: lose this many more bits */
    u128 kept = round_shift(mantissa, 63 - places + below);
    if (m->explicit_one) {
        if (kept >> 64) {
            kept >>= 1;
            field++;
        }
        u128 biased = below ? (u128)(kept >> 63) : (u128)field;
        return field >= limit ? (u128)limit << 64 | (u128)1 << 63 : biased << 64 | kept;
    }
    /* The leading one adds itself to the exponent; so does a carry out of rounding. */
    u128 bits = below ? kept : ((u128)(field - 1) << m->fraction) + kept;
    u128 infinity = (u128)limit << m->fraction;
    return bits > infinity ? infinity : bits;
}

u128 lang_float_bits(enum float_format f, long double v)
{
    const struct format *m = &formats[f];
    if (is_host(f) && isfinite(v))
        return to_host(f, v);
    u128 sign = (u128)(signbit(v) != 0) << (m->fraction + m->exponent);
    u128 infinity = ones(m->exponent) << m->fraction;
    if (m->explicit_one)
        infinity |= (u128)1 << 63;
    if (isnan(v))
        return sign | infinity | (u128)1 << (m->fraction - (m->explicit_one ? 2 : 1));
    if (isinf(v))
        return sign | infinity;
    return v == 0 ? sign : sign | encode_finite(m, signbit(v) ? -v : v);
}
