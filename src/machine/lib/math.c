/* math.h and the builtins on floating values: the host's functions, in each width, with the errors
 * that they set. */
#include "machine/lib/private.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <string.h>

struct math_row {
    const char *name;
    bool exact; /* the result is laid down to the last bit */
    double (*d1)(double);
    float (*f1)(float);
    long double (*l1)(long double);
    double (*d2)(double, double);
    float (*f2)(float, float);
    long double (*l2)(long double, long double);
};

#define ONE(name, exact)                                       \
    {                                                          \
#name, exact, name, name##f, name##l, NULL, NULL, NULL \
    }
#define TWO(name, exact)                                       \
    {                                                          \
#name, exact, NULL, NULL, NULL, name, name##f, name##l \
    }
static const struct math_row math_rows[] = {
    ONE(fabs, true),      ONE(sqrt, true),      ONE(floor, true),       ONE(ceil, true),
    ONE(trunc, true),     ONE(round, true),     ONE(rint, true),        ONE(nearbyint, true),
    ONE(logb, true),      ONE(roundeven, true), ONE(significand, true), TWO(fmod, true),
    TWO(fmax, true),      TWO(fmin, true),      TWO(fdim, true),        TWO(copysign, true),
    TWO(nextafter, true), TWO(remainder, true), TWO(drem, true),        TWO(scalb, true),
    ONE(cbrt, false),     ONE(sin, false),      ONE(cos, false),        ONE(tan, false),
    ONE(asin, false),     ONE(acos, false),     ONE(atan, false),       ONE(sinh, false),
    ONE(cosh, false),     ONE(tanh, false),     ONE(exp, false),        ONE(exp2, false),
    ONE(expm1, false),    ONE(log, false),      ONE(log2, false),       ONE(log10, false),
    ONE(log1p, false),    TWO(atan2, false),    TWO(pow, false),        TWO(hypot, false),
    ONE(acosh, false),    ONE(asinh, false),    ONE(atanh, false),      ONE(erf, false),
    ONE(erfc, false),     ONE(lgamma, false),   ONE(tgamma, false),     ONE(exp10, false),
    ONE(j0, false),       ONE(j1, false),       ONE(y0, false),         ONE(y1, false),
};

/* Domain and range errors (C11 7.12.1): the host's functions are glibc's, so its errno is what the
 * program sees. */
static void errors_begin(void)
{
    errno = 0;
}

/* The function's name without __builtin_. */
static const char *plain_name(const struct lib_call *c)
{
    const char *name = c->func->name;
    return str_has_prefix(name, "__builtin_") ? name + strlen("__builtin_") : name;
}

bool lib_is_width_of(const struct lib_call *c, const char *name)
{
    const char *called = plain_name(c), *rest = called + strlen(name);
    return strncmp(called, name, strlen(name)) == 0 &&
           (*rest == 0 || (rest[1] == 0 && (*rest == 'f' || *rest == 'l')));
}

static bool reads_volatile(const struct node *n)
{
    bool reads = n->kind == NODE_CAST && n->op == CONV_LVALUE &&
                 n->kid[0]->type->quals & QUAL_VOLATILE;
    for (uint32_t i = 0; i < n->count && !reads; i++)
        reads = n->kid[i] && reads_volatile(n->kid[i]);
    return reads;
}

/* May a compiler know the last argument? */
static bool may_be_known(const struct lib_call *c)
{
    const struct node *call = c->site->node;
    return !reads_volatile(call->kid[call->count - 1]);
}

/* Do compilers compute this themselves?  x to the power of 2 or -1 is a product or a quotient, and
 * gcc folds the sine of an infinity that it sees. */
static bool is_computed(const struct lib_call *c, long double y)
{
    return (lib_is_width_of(c, "pow") && (y == 2 || y == -1)) || lib_is_width_of(c, "sin") ||
           lib_is_width_of(c, "cos") || lib_is_width_of(c, "tan");
}

/* y: the second argument, if there is one. */
static void errors_end(struct lib_call *c, long double y)
{
    if (!errno)
        return;
    if (!may_be_known(c) || !is_computed(c, y) ||
        !machine_choose(c->m, CHOICE_ERRNO, c->site->unit, c->site->node))
        lib_set_errno(c, errno);
}

static const struct math_row *row_of(const struct lib_call *c)
{
    for (size_t i = 0; i < LENGTH(math_rows); i++)
        if (lib_is_width_of(c, math_rows[i].name))
            return &math_rows[i];
    return NULL;
}

static const struct math_row *row_named(const char *name)
{
    for (size_t i = 0; i < LENGTH(math_rows); i++)
        if (strcmp(math_rows[i].name, name) == 0)
            return &math_rows[i];
    BUG("no row for '%s'", name);
}

static long double number(const struct lib_call *c, uint32_t i)
{
    const uint64_t *slot = &c->r[c->site->slot[i]];
    double d;
    float f;
    long double l = 0;
    switch (kind_of(c->p, c->site->types[i])) {
    case KIND_F32:
        memcpy(&f, slot, sizeof f);
        return f;
    case KIND_F64:
        memcpy(&d, slot, sizeof d);
        return d;
    case KIND_LDOUBLE:
        memcpy(&l, slot, 10);
        return l;
    case KIND_QUAD:
        lib_unsupported((struct lib_call *)(uintptr_t)c, "quadruple precision");
        return 0;
    default:
        return (long double)(int64_t)*slot;
    }
}

void give_number(struct lib_call *c, long double v)
{
    double d = (double)v;
    float f = (float)v;
    switch (kind_of(c->p, c->site->result)) {
    case KIND_F32:
        c->result[0] = 0;
        memcpy(c->result, &f, sizeof f);
        break;
    case KIND_F64:
        memcpy(c->result, &d, sizeof d);
        break;
    default:
        c->result[1] = 0;
        memcpy(c->result, &v, 10);
    }
}

bool lib_rounds_once(struct lib_call *c)
{
    return machine_choose(c->m, CHOICE_ACCURACY, c->site->unit, c->site->node);
}

long double lib_nan_sign(struct lib_call *c, long double v)
{
    bool other = isnan(v) && signbit(v) &&
                 machine_choose(c->m, CHOICE_NAN, c->site->unit, c->site->node);
    return other ? copysignl(v, 1.0L) : v;
}

/* What the function gave, or what it gives in the widest type, rounded once. */
static void give_rounded(struct lib_call *c, bool exact, long double v, long double wide)
{
    enum kind k = kind_of(c->p, c->site->result);
    long double once = k == KIND_F32   ? (long double)(float)wide
                       : k == KIND_F64 ? (long double)(double)wide
                                       : v;
    if (!c->p->target->plain_floats && isfinite(v) && v != wide)
        lib_unsupported(c, "a result that is not exact, where registers are wider than its type");
    bool differs = !exact && isfinite(v) && isfinite(once) && once != v;
    give_number(c, differs && lib_rounds_once(c) ? once : v);
}

void lib_math1(struct lib_call *c)
{
    const struct math_row *row = row_of(c);
    long double x = number(c, 0), wide = row->l1(x), v;
    enum kind k = kind_of(c->p, c->site->result);
    errors_begin();
    v = k == KIND_F32   ? (long double)row->f1((float)x)
        : k == KIND_F64 ? (long double)row->d1((double)x)
                        : row->l1(x);
    errors_end(c, 0);
    give_rounded(c, row->exact, v, wide);
}

static void give_math2(struct lib_call *c, const struct math_row *row, long double x, long double y)
{
    long double wide = row->l2(x, y), v;
    enum kind k = kind_of(c->p, c->site->result);
    errors_begin();
    v = k == KIND_F32   ? (long double)row->f2((float)x, (float)y)
        : k == KIND_F64 ? (long double)row->d2((double)x, (double)y)
                        : row->l2(x, y);
    errors_end(c, y);
    give_rounded(c, row->exact, v, wide);
}

/* jn and yn: Bessel functions of an order. */
void lib_jn(struct lib_call *c)
{
    int n = arg_int(c, 0);
    long double x = number(c, 1);
    bool first = plain_name(c)[0] == 'j';
    enum kind k = kind_of(c->p, c->site->result);
    long double wide = first ? jnl(n, x) : ynl(n, x), v = wide;
    errors_begin();
    if (k == KIND_F32)
        v = first ? jnf(n, (float)x) : ynf(n, (float)x);
    else if (k == KIND_F64)
        v = first ? jn(n, (double)x) : yn(n, (double)x);
    errors_end(c, 0);
    give_rounded(c, false, v, wide);
}

void lib_math2(struct lib_call *c)
{
    give_math2(c, row_of(c), number(c, 0), number(c, 1));
}

void lib_give_math2(struct lib_call *c, const char *name, long double x, long double y)
{
    give_math2(c, row_named(name), x, y);
}

void lib_math3(struct lib_call *c)
{
    long double x = number(c, 0), y = number(c, 1), z = number(c, 2);
    errors_begin();
    switch (kind_of(c->p, c->site->result)) {
    case KIND_F32:
        give_number(c, (long double)fmaf((float)x, (float)y, (float)z));
        break;
    case KIND_F64:
        give_number(c, (long double)fma((double)x, (double)y, (double)z));
        break;
    default:
        give_number(c, fmal(x, y, z));
    }
    errors_end(c, 0);
}

/* Is the value normal in its own format? */
static bool is_normal(const struct lib_call *c, long double v)
{
    enum kind k = kind_of(c->p, c->site->types[0]);
    return k == KIND_F32 ? isnormal((float)v) : k == KIND_F64 ? isnormal((double)v) : isnormal(v);
}

/* glibc's isinf tells the sign, gcc's own does not. */
static bool folds_infinity(struct lib_call *c)
{
    return machine_choose(c->m, CHOICE_MAGNITUDE, c->site->unit, c->site->node);
}

void lib_math_class(struct lib_call *c)
{
    const char *name = plain_name(c);
    long double v = number(c, 0);
    int result = 0;
    if (str_has_prefix(name, "isnan"))
        result = isnan(v) != 0;
    else if (str_has_prefix(name, "isinf"))
        result = isinf(v) ? (signbit(v) ? -1 : 1) : 0;
    else if (str_has_prefix(name, "signbit"))
        result = signbit(lib_nan_sign(c, v)) != 0;
    else if (str_has_prefix(name, "isnormal"))
        result = is_normal(c, v);
    else
        result = isfinite(v) != 0;
    bool builtin = strcmp(name, "isinf") == 0 && c->func->name != name;
    if (builtin || (result < 0 && !str_has_prefix(name, "isinf_sign") && folds_infinity(c)))
        result = result != 0;
    if (str_has_prefix(name, "signbit")) /* gcc gives a bit of the number */
        give_sign(c, result);
    else
        give_int(c, result);
}

void lib_math_constant(struct lib_call *c)
{
    give_number(c, (long double)INFINITY);
}

void lib_math_nan(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (s && *s)
        lib_unsupported(c, "a payload: compilers differ in which one a sum keeps");
    give_number(c, (long double)NAN);
}

void lib_math_compare(struct lib_call *c)
{
    const char *name = plain_name(c);
    long double x = number(c, 0), y = number(c, 1);
    static const char *const names[] = {"isgreater",   "isgreaterequal", "isless",
                                        "islessequal", "islessgreater",  "isunordered"};
    const int results[] = {isgreater(x, y),   isgreaterequal(x, y), isless(x, y),
                           islessequal(x, y), islessgreater(x, y),  isunordered(x, y)};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcmp(name, names[i]) == 0)
            give_int(c, results[i] != 0);
}

void lib_math_int(struct lib_call *c)
{
    const char *name = plain_name(c);
    long double v = number(c, 0);
    bool round = strstr(name, "round");
    long double whole = round ? roundl(v) : rintl(v);
    unsigned width = lang_int_width(c->p, c->site->result);
    if (isnan(v) || whole >= ldexpl(1, (int)width - 1) || whole < -ldexpl(1, (int)width - 1)) {
        lib_unspecified(c, "the result does not fit"); /* C11 7.12.9.5p2 */
        return;
    }
    bool minus = whole < 0;
    uint64_t size = (uint64_t)(minus ? -whole : whole);
    give(c, minus ? 0 - size : size);
}

/* ldexp, scalbn and scalbln are one function where the radix is 2. */
void lib_ldexp(struct lib_call *c)
{
    int64_t by = (int64_t)arg(c, 1);
    int n = by > INT32_MAX ? INT32_MAX : by < INT32_MIN ? INT32_MIN : (int)by;
    long double x = number(c, 0);
    errors_begin();
    switch (kind_of(c->p, c->site->result)) {
    case KIND_F32:
        give_number(c, (long double)ldexpf((float)x, n));
        break;
    case KIND_F64:
        give_number(c, (long double)ldexp((double)x, n));
        break;
    default:
        give_number(c, ldexpl(x, n));
    }
    errors_end(c, 0);
}

void lib_remquo(struct lib_call *c)
{
    int quotient = 0;
    long double x = number(c, 0), y = number(c, 1);
    errors_begin();
    switch (kind_of(c->p, c->site->result)) {
    case KIND_F32:
        give_number(c, (long double)remquof((float)x, (float)y, &quotient));
        break;
    case KIND_F64:
        give_number(c, (long double)remquo((double)x, (double)y, &quotient));
        break;
    default:
        give_number(c, remquol(x, y, &quotient));
    }
    int32_t q = quotient;
    lib_store(c, arg(c, 2), &q, 4);
    errors_end(c, 0);
}

void lib_nexttoward(struct lib_call *c)
{
    long double x = number(c, 0), y = number(c, 1);
    errors_begin();
    switch (kind_of(c->p, c->site->result)) {
    case KIND_F32:
        give_number(c, (long double)nexttowardf((float)x, y));
        break;
    case KIND_F64:
        give_number(c, (long double)nexttoward((double)x, y));
        break;
    default:
        give_number(c, nexttowardl(x, y));
    }
    errors_end(c, 0);
}

void lib_ilogb(struct lib_call *c)
{
    errors_begin();
    give_int(c, ilogbl(number(c, 0)));
    errors_end(c, 0);
}

/* As __builtin_fpclassify: the answers come first, for NaN, infinite, normal, subnormal, zero. */
void lib___builtin_fpclassify(struct lib_call *c)
{
    enum kind k = kind_of(c->p, c->site->types[5]);
    long double v = number(c, 5);
    int class = k == KIND_F32   ? fpclassify((float)v)
                : k == KIND_F64 ? fpclassify((double)v)
                                : fpclassify(v);
    static const int order[] = {FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO};
    for (uint32_t i = 0; i < LENGTH(order); i++)
        if (order[i] == class)
            give_int(c, arg_int(c, i));
}

void lib_frexp(struct lib_call *c)
{
    int exponent;
    long double v = frexpl(number(c, 0), &exponent);
    int32_t e = exponent;
    bool kept = !isfinite(v) && machine_choose(c->m, CHOICE_EXPONENT, c->site->unit, c->site->node);
    /* C11 7.12.6.4p3: unspecified; gcc stores nothing, the library 0 */
    if (kept || lib_store(c, arg(c, 1), &e, 4))
        give_number(c, v);
}

void lib_modf(struct lib_call *c)
{
    long double whole, part = modfl(number(c, 0), &whole);
    double d = (double)whole;
    float f = (float)whole;
    bool done;
    switch (kind_of(c->p, c->site->result)) {
    case KIND_F32:
        done = lib_store(c, arg(c, 1), &f, 4);
        break;
    case KIND_F64:
        done = lib_store(c, arg(c, 1), &d, 8);
        break;
    default:
        done = lib_store(c, arg(c, 1), &whole, 10);
    }
    if (done)
        give_number(c, part);
}

void lib___builtin_powi(struct lib_call *c)
{
    lib_unsupported(c, "its rounding is not fixed");
}
