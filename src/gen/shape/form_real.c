/* Loops over arrays of floating numbers.  Each is computed from integers and constants alone, in
 * arrays that nothing else writes: so all stay finite, nothing is no number, and no guard comes
 * between.  Sums are made in the order of the loop, which compilers must keep. */
#include "gen/shape/private.h"
#include "gen/build.h"

/* A loop that is being written. */
struct reals {
    struct form *f;
    struct type *of;
    struct var *x, *y, *sum;
};

static struct rng *rng(const struct reals *l)
{
    return &l->f->r->rng;
}

/* static T x[n]; */
static struct var *array_of(struct reals *l)
{
    struct gen *g = l->f->g;
    struct node *zero = lang_node(g->p, NODE_INIT, NULL, 0);
    lang_append(g->p, zero, build_int(g, 0));
    struct type *t = lang_array(g->p, l->of, l->f->limit + rng_below(rng(l), 8));
    struct var *v = make_global_declare(g, t, rng(l), zero);
    v->secret = true;
    return v;
}

/* A small number with few bits, not 0. */
static struct node *small(const struct reals *l, struct type *t)
{
    struct gen *g = l->f->g;
    long double v = (long double)(1 + rng_below(rng(l), 40)) / (rng_below(rng(l), 2) ? 8 : 10);
    return lang_float(g->p, lang_float_bits(lang_float_format(g->p, t), v), t);
}

static struct node *at(struct reals *l, struct var *v)
{
    return form_element(l->f, v, 1, 0);
}

static struct node *whole(struct reals *l)
{
    struct var *v = rng_below(rng(l), 2) ? l->f->a : l->f->b;
    return lang_cast(l->f->g->p, l->of, at(l, v));
}

/* ---- values ------------------------------------------------------------------------------ */

/* (T)b[i] * k + c */
static struct node *scaled(struct reals *l)
{
    struct gen *g = l->f->g;
    struct node *from = whole(l), *by = small(l, l->of), *more = small(l, l->of);
    enum op op = rng_below(rng(l), 2) ? OP_ADD : OP_SUB;
    return build_op(g, op, build_op(g, OP_MUL, from, by), more);
}

/* x[i] < k ? k : x[i], or the other way round */
static struct node *limited(struct reals *l)
{
    struct gen *g = l->f->g;
    struct node *k = small(l, l->of);
    enum op op = rng_below(rng(l), 2) ? OP_LT : OP_GT;
    return lang_cond(g->p, build_op(g, op, at(l, l->x), tree_clone(g, k)), k, at(l, l->x));
}

static struct node *from_x(struct reals *l)
{
    struct gen *g = l->f->g;
    switch (rng_below(rng(l), 5)) {
    case 0:
        return limited(l);
    case 1:
        return build_op(g, OP_DIV, at(l, l->x), small(l, l->of));
    case 2:
        return lang_unary(g->p, OP_NEG, at(l, l->x));
    case 3: /* in another width, and back */
        return lang_cast(g->p, lang_basic(g->p, TYPE_FLOAT), at(l, l->x));
    default:
        return build_op(g, OP_SUB, at(l, l->x), whole(l));
    }
}

/* (int)(x[i] < -999 ? -999 : x[i] > 999 ? 999 : x[i]) */
static struct node *rounded(struct reals *l)
{
    struct gen *g = l->f->g;
    uint64_t most = 1 + rng_below(rng(l), 999);
    struct node *low = lang_unary(g->p, OP_NEG, build_int(g, most)), *high = build_int(g, most);
    struct node *upper = lang_cond(g->p, build_op(g, OP_GT, at(l, l->x), tree_clone(g, high)), high,
                                   at(l, l->x));
    struct node *n = lang_cond(g->p, build_op(g, OP_LT, at(l, l->x), tree_clone(g, low)), low,
                               upper);
    return lang_cast(g->p, build_int_type(g), n);
}

/* What the integers get of it, or a sum. */
static struct node *use(struct reals *l)
{
    static const uint8_t ops[] = {OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE};
    struct gen *g = l->f->g;
    enum op op = ops[rng_below(rng(l), LENGTH(ops))];
    uint64_t way = rng_below(rng(l), 4);
    if (way == 0)
        return build_assign(g, OP_ADD, build_name(g, l->sum), at(l, l->y));
    struct node *test = build_op(g, op, at(l, l->x), at(l, l->y));
    struct node *value = way == 1 ? test : way == 2 ? rounded(l) : build_int(g, 1);
    struct node *set = build_assign(g, OP_XOR, at(l, l->f->c), value);
    return way == 3 ? build_if(g, test, set, NULL) : set;
}

/* x[i] = b[i] * 0.5 + 1; y[i] = x[i] - a[i]; c[i] ^= x[i] < y[i]; */
bool form_real(struct form *f)
{
    enum { STEPS = 8 };
    struct gen *g = f->g;
    if (!gen_has(g, GEN_HAS_FLOAT) || !form_prepare(f, STEPS))
        return false;
    struct reals l = {.f = f, .of = make_type_real(g, &f->r->rng)};
    l.x = array_of(&l);
    l.y = array_of(&l);
    struct type *t = make_type_real(g, &f->r->rng);
    l.sum = form_local(f, t, small(&l, t));
    struct node *body[4] = {build_assign(g, OP_ASSIGN, at(&l, l.x), scaled(&l)), NULL, NULL, NULL};
    uint32_t n = 1;
    body[n++] = build_assign(g, OP_ASSIGN, at(&l, l.y), from_x(&l));
    body[n++] = use(&l);
    if (rng_below(&f->r->rng, 2))
        body[n++] = use(&l);
    f->real = true;
    form_put(f, build_block(g, body, n), STEPS);
    return true;
}
