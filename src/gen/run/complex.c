/* Complex values.  Like structures they are known by the place that holds them, the real part
 * first.  What shape/complex.c makes is exact, so that no rounding is asked for that C leaves
 * open: a part that is not exact is not noticed here, but by the machine. */
#include "gen/run/run.h"

bool run_is_complex(const struct type *t)
{
    return t->kind == TYPE_COMPLEX;
}

static struct type *part_type(const struct type *t)
{
    return run_is_complex(t) ? t->base : t->unqual;
}

struct spot run_complex_part(const struct gen *g, const struct spot *whole, bool imaginary)
{
    struct spot s = *whole;
    s.type = whole->type->base;
    s.at += imaginary ? gen_size_of(g, s.type) : 0;
    return s;
}

/* A part of a value; of a real one the imaginary part is zero. */
static u128 part_of(const struct gen *g, const struct type *t, const struct val *v, bool imaginary)
{
    struct val part = {0};
    if (!run_is_complex(t))
        return imaginary ? 0 : v->bits;
    struct spot whole = {v->link.to, (uint64_t)v->link.at, (struct type *)t, NULL};
    struct spot s = run_complex_part(g, &whole, imaginary);
    run_mem_load(g, &s, &part);
    return part.bits;
}

static void from_parts(struct gen *g, const struct type *t, u128 real, u128 imaginary,
                       struct val *v)
{
    struct spot whole = {run_mem_new(g, t->unqual, NULL), 0, t->unqual, NULL};
    for (int i = 0; i < 2; i++) {
        struct spot s = run_complex_part(g, &whole, i);
        run_mem_store(g, &s, &(struct val){.bits = i ? imaginary : real});
    }
    v->link = (struct link){whole.object, 0};
}

/* On parts of the type: shape/complex.c makes nothing that could fault. */
static u128 apply(const struct gen *g, enum op op, const struct type *t, u128 a, u128 b)
{
    u128 r;
    if (run_apply(g, op, t, a, b, NULL, &r) != VALUE_OK)
        BUG("a part of a complex value is not defined");
    return r;
}

static u128 negated(const struct gen *g, const struct type *t, u128 a)
{
    u128 r;
    if (lang_value_unary(g->p, OP_NEG, t, a, &r) != VALUE_OK)
        BUG("a part of a complex value is not defined");
    return r;
}

/* Two operands: each is complex, or has the type of the parts. */
struct operands {
    const struct type *type[2], *part;
    u128 re[2], im[2];
};

static void combine(const struct gen *g, enum op op, const struct operands *x, u128 r[2])
{
    const struct type *t = x->part;
    bool both = run_is_complex(x->type[0]) && run_is_complex(x->type[1]);
    bool left = run_is_complex(x->type[0]); /* else the left one is real */
    if (op == OP_MUL && both) {
        r[0] = apply(g, OP_SUB, t, apply(g, OP_MUL, t, x->re[0], x->re[1]),
                     apply(g, OP_MUL, t, x->im[0], x->im[1]));
        r[1] = apply(g, OP_ADD, t, apply(g, OP_MUL, t, x->re[0], x->im[1]),
                     apply(g, OP_MUL, t, x->im[0], x->re[1]));
        return;
    }
    if (op == OP_DIV && !(left && !both))
        BUG("a complex divisor");
    r[0] = apply(g, op, t, x->re[0], x->re[1]);
    if (both)
        r[1] = apply(g, op, t, x->im[0], x->im[1]);
    else if (op == OP_MUL || op == OP_DIV)
        r[1] = left ? apply(g, op, t, x->im[0], x->re[1]) : apply(g, op, t, x->re[0], x->im[1]);
    else
        r[1] = left ? x->im[0] : op == OP_SUB ? negated(g, t, x->im[1]) : x->im[1];
}

void run_complex_apply(struct gen *g, const struct run_complex *n, const struct val *a,
                       const struct val *b, struct val *v)
{
    const struct type *t = run_is_complex(n->left) ? n->left : n->right;
    struct operands x = {.type = {n->left, n->right}, .part = part_type(t)};
    u128 r[2];
    for (int i = 0; i < 2; i++) {
        x.re[i] = part_of(g, x.type[i], i ? b : a, false);
        x.im[i] = part_of(g, x.type[i], i ? b : a, true);
    }
    if (n->op == OP_EQ || n->op == OP_NE) {
        bool same = apply(g, OP_EQ, x.part, x.re[0], x.re[1]) &&
                    apply(g, OP_EQ, x.part, x.im[0], x.im[1]);
        v->bits = same == (n->op == OP_EQ);
        return;
    }
    combine(g, n->op, &x, r);
    from_parts(g, t, r[0], r[1], v);
}

/* -x, +x, and GNU's conjugate ~x. */
void run_complex_unary(struct gen *g, enum op op, const struct type *t, struct val *v)
{
    u128 re = part_of(g, t, v, false), im = part_of(g, t, v, true);
    if (op == OP_NEG)
        re = negated(g, t->base, re);
    if (op == OP_NEG || op == OP_NOT)
        im = negated(g, t->base, im);
    from_parts(g, t, re, im, v);
}

void run_complex_value(struct gen *g, const struct type *t, bool imaginary, struct val *v)
{
    v->bits = part_of(g, t, v, imaginary);
}

/* C11 6.3.1.6, 6.3.1.7 */
void run_complex_convert(struct gen *g, const struct type *from, const struct type *to,
                         struct val *v)
{
    const struct type *part = part_type(from), *into = part_type(to);
    u128 re = run_convert(g, part, into, part_of(g, from, v, false));
    u128 im = run_convert(g, part, into, part_of(g, from, v, true));
    if (run_is_complex(to))
        from_parts(g, to, re, im, v);
    else
        v->bits = re;
}

bool run_complex_builtin(struct gen *g, const struct node *n, const struct decl *d,
                         const struct val *args, struct val *v)
{
    if (d->builtin != BUILTIN_complex)
        return false;
    from_parts(g, n->type, args[0].bits, args[1].bits, v);
    return true;
}
