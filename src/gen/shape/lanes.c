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
        struct made small = make_expr_convert(g, make_expr_int(g, &c),
                                              lang_basic(g->p, TYPE_SHORT));
        struct node *e = make_expr_convert(g, small, of).n; /* a float holds it */
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

/* ((long long)v[0] * 3 + v[1]) * 3 + ...: all lanes count */
static struct node *lane_sum(struct lanes *l, const struct var *v)
{
    struct gen *g = l->g;
    struct type *t = lang_basic(g->p, TYPE_LLONG);
    struct node *sum = NULL;
    for (uint64_t i = 0; i < v->type->u.count; i++) {
        struct node *lane = build_at(g, v, build_int(g, i));
        if (lane->type->class == CLASS_FLOAT) /* with what is behind the point */
            lane = build_op(g, OP_MUL, lane, build_int(g, 64));
        lane = lang_cast(g->p, t, lane);
        lane = lang_cast(g->p, lang_basic(g->p, TYPE_ULLONG), lane);
        sum = sum ? build_op(g, OP_ADD, build_op(g, OP_MUL, sum, build_int(g, 3)), lane) : lane;
    }
    return sum;
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
    enum op op = ops[rng_below(&r->rng, LENGTH(ops))];
    struct node *mask = build_op(g, op, build_name(g, x), build_name(g, z));
    struct var *m = shape_kept(g, r, mask->type, mask);
    struct node *sum = build_op(g, OP_ADD, lane_sum(&l, z), lane_sum(&l, m));
    make_result(g, r, place, sum);
    return true;
}
