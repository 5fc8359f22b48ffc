/* complex.h: the host's functions, in each width.  C leaves open how exactly they compute, and
 * compilers round once what they fold: where the host's result is not the one that is rounded once,
 * that is a choice (choice.def). */
#include "machine/lib/private.h"

#include <complex.h>
#include <errno.h>
#include <math.h>
#include <string.h>

typedef long double _Complex wide;

/* C11 6.2.5p13: as two elements of an array lie; CMPLXL is not everywhere. */
static wide from_parts(long double re, long double im)
{
    const long double parts[2] = {re, im};
    wide v;
    memcpy(&v, parts, sizeof v);
    return v;
}

struct complex_row {
    const char *name;
    double _Complex (*d1)(double _Complex);
    float _Complex (*f1)(float _Complex);
    wide (*l1)(wide);
    double _Complex (*d2)(double _Complex, double _Complex);
    float _Complex (*f2)(float _Complex, float _Complex);
    wide (*l2)(wide, wide);
};

static const struct complex_row rows[] = {
#define ONE(name)                                       \
    {                                                   \
#name, name, name##f, name##l, NULL, NULL, NULL \
    }
#define TWO(name)                                       \
    {                                                   \
#name, NULL, NULL, NULL, name, name##f, name##l \
    }
    ONE(conj),  ONE(cexp),   ONE(clog),   ONE(csqrt),  ONE(csin),  ONE(ccos),
    ONE(ctan),  ONE(casin),  ONE(cacos),  ONE(catan),  ONE(csinh), ONE(ccosh),
    ONE(ctanh), ONE(casinh), ONE(cacosh), ONE(catanh), ONE(cproj), TWO(cpow),
};

static const struct complex_row *row_of(const struct lib_call *c)
{
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (lib_is_width_of(c, rows[i].name))
            return &rows[i];
    return NULL;
}

/* ---- arguments and results -------------------------------------------------------------- */

static const struct type *part_of(const struct type *t)
{
    return t->canon->kind == TYPE_COMPLEX ? t->canon->base : t->canon;
}

/* Argument i; false when it cannot be read. */
static bool get(struct lib_call *c, uint32_t i, wide *v)
{
    const struct conversion of = {c->p, part_of(c->site->types[i]), NULL};
    uint64_t step = lang_sizeof(c->p, of.from);
    long double re, im;
    if (!complex_read(c->m, c->pc, &of, arg(c, i), &re) ||
        !complex_read(c->m, c->pc, &of, arg(c, i) + step, &im))
        return false;
    *v = from_parts(re, im);
    return true;
}

static void give_complex(struct lib_call *c, wide v)
{
    const struct conversion of = {c->p, part_of(c->site->result), NULL};
    uint64_t to = c->r[c->pc->b];
    give(c, to);
    if (complex_write(c->m, c->pc, &of, to, creall(v)))
        complex_write(c->m, c->pc, &of, to + lang_sizeof(c->p, of.from), cimagl(v));
}

/* Are these the arguments that the function has in its header? */
static bool fits(struct lib_call *c, bool complex_result)
{
    bool good = complex_result == (c->site->result->canon->kind == TYPE_COMPLEX);
    for (uint32_t i = 0; i < c->site->count; i++)
        good = good && c->site->types[i]->canon->kind == TYPE_COMPLEX;
    good = good && c->site->count && lang_is_floating(part_of(c->site->types[0])) &&
           (!complex_result || c->pc->b != NO_SLOT);
    if (!good)
        lib_unsupported(c, "these types");
    return good;
}

/* ---- functions -------------------------------------------------------------------------- */

static wide rounded(enum kind k, wide v)
{
    if (k == KIND_F32)
        return from_parts((float)creall(v), (float)cimagl(v));
    return k == KIND_F64 ? from_parts((double)creall(v), (double)cimagl(v)) : v;
}

static wide apply(const struct complex_row *row, enum kind k, wide x, wide y)
{
    if (k == KIND_F32)
        return row->f1 ? row->f1((float _Complex)x) : row->f2((float _Complex)x, (float _Complex)y);
    if (k == KIND_F64)
        return row->d1 ? row->d1((double _Complex)x)
                       : row->d2((double _Complex)x, (double _Complex)y);
    return row->l1 ? row->l1(x) : row->l2(x, y);
}

void lib_complex(struct lib_call *c)
{
    const struct complex_row *row = row_of(c);
    wide x, y = 0;
    if (!fits(c, true) || !get(c, 0, &x) || (c->site->count > 1 && !get(c, 1, &y)))
        return;
    enum kind k = kind_of(c->p, part_of(c->site->result));
    errno = 0;
    wide v = apply(row, k, x, y);
    int error = errno;
    wide once = rounded(k, apply(row, KIND_LDOUBLE, x, y));
    bool finite = isfinite(creall(v)) && isfinite(cimagl(v));
    if (!finite && strncmp(row->name, "conj", 4) != 0 && strncmp(row->name, "cproj", 5) != 0)
        lib_unsupported(c, "a result that is not finite");
    else if (finite && once != v && lib_rounds_once(c))
        v = once;
    if (error)
        lib_set_errno(c, error);
    give_complex(c, v);
}

void lib_creal(struct lib_call *c)
{
    wide x;
    if (fits(c, false) && get(c, 0, &x))
        give_number(c, creall(x));
}

void lib_cimag(struct lib_call *c)
{
    wide x;
    if (fits(c, false) && get(c, 0, &x))
        give_number(c, cimagl(x));
}

/* cabs is hypot of the parts, carg their atan2 (glibc), in each width. */
void lib_cabs(struct lib_call *c)
{
    wide x;
    if (fits(c, false) && get(c, 0, &x))
        lib_give_math2(c, "hypot", creall(x), cimagl(x));
}

void lib_carg(struct lib_call *c)
{
    wide x;
    if (fits(c, false) && get(c, 0, &x))
        lib_give_math2(c, "atan2", cimagl(x), creall(x));
}
