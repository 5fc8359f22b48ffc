/* Vectors of floating lanes: made of integer lanes and small constants, so that all stay finite;
 * compared, and given back as integers. */
#include "gen/shape/private.h"
#include "gen/build.h"

struct lanes {
    struct gen *g;
    struct region *r;
    struct type *of, *whole; /* vectors of floating and of integer lanes */
};

static struct node *small(struct lanes *l)
{
    struct type *t = l->of->base;
    long double v = (long double)(1 + rng_below(&l->r->rng, 60)) / 4;
    return lang_float(l->g->p, lang_float_bits(lang_float_format(l->g->p, t), v), t);
}

/* V a = {1, 2, ...}; a[0] = e; a[1] = f; ...  What a list holds is constant: no guard could stand
 * there. */
static struct var *integers(struct lanes *l)
{
    struct gen *g = l->g;
    struct type *of = l->whole->base;
    struct var *a = shape_kept(g, l->r, l->whole,
                               make_initialiser(g, &l->r->rng, l->whole, NULL, 0));
    for (uint64_t i = rng_below(&l->r->rng, 2); i < l->whole->u.count; i++) {
        struct ctx c = make_pure(g, l->r, 1);
        struct node *e = make_expr_convert(g, make_expr_int(g, &c), of).n;
        make_attach(g, l->r, build_assign(g, OP_ASSIGN, build_at(g, a, build_int(g, i)), e));
    }
    return a;
}

/* V x = __builtin_convertvector(a, V) * k; */
static struct var *converted(struct lanes *l)
{
    struct gen *g = l->g;
    struct node *kid = lang_rvalue(g->p, build_name(g, integers(l)));
    struct node *n = lang_node(g->p, NODE_VECTOR_CONVERT, &kid, 1);
    n->u.operand = n->type = l->of;
    return shape_kept(g, l->r, l->of, build_op(g, OP_MUL, n, small(l)));
}

static struct node *combined(struct lanes *l, const struct var *x, const struct var *y)
{
    struct gen *g = l->g;
    struct node *a = build_name(g, x), *b = build_name(g, y);
    switch (rng_below(&l->r->rng, 4)) {
    case 0:
        return build_op(g, OP_DIV, build_op(g, OP_SUB, a, b), small(l));
    case 1:
        return build_op(g, OP_ADD, build_op(g, OP_MUL, a, small(l)), b);
    case 2:
        return build_op(g, OP_SUB, lang_unary(g->p, OP_NEG, a), b);
    default:
        return build_op(g, OP_SUB, build_op(g, OP_ADD, a, small(l)), b);
    }
}

bool shape_float_lanes(struct gen *g, struct region *r)
{
    static const struct {
        uint8_t real, lanes;
    } ways[] = {{TYPE_FLOAT, 4}, {TYPE_DOUBLE, 2}, {TYPE_FLOAT, 8}, {TYPE_DOUBLE, 4}};
    static const uint8_t ops[] = {OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE};
    struct node *place = gen_has(g, GEN_HAS_FLOAT) ? make_place(g, r) : NULL;
    if (!place)
        return false;
    uint64_t way = rng_below(&r->rng, LENGTH(ways)), n = ways[way].lanes;
    struct lanes l = {g, r, lang_vector(g->p, lang_basic(g->p, ways[way].real), n),
                      lang_vector(g->p, build_int_type(g), n)};
    struct var *x = converted(&l), *y = converted(&l);
    struct var *z = shape_kept(g, r, l.of, combined(&l, x, y));
    struct node *i = build_int(g, rng_below(&r->rng, n)), *value;
    if (rng_below(&r->rng, 2)) {
        struct node *m = build_op(g, ops[rng_below(&r->rng, LENGTH(ops))], build_name(g, x),
                                  build_name(g, z));
        struct var *mask = shape_kept(g, r, m->type, m);
        value = build_at(g, mask, i);
    } else {
        value = lang_cast(g->p, lang_basic(g->p, TYPE_LLONG), build_at(g, z, i));
    }
    make_result(g, r, place, value);
    return true;
}
