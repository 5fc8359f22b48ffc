/* Floating expressions, bit-exact: no NaN is ever made, and no sum is contracted because a target
 * without fused multiply-add is assumed (docs/gen.md). */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/safe/safe.h"

static struct made made_real(struct gen *g, struct made m, struct type *t)
{
    m.v.bits = run_convert(g, m.n->type->unqual, t, m.v.bits);
    m.n = lang_cast(g->p, t, m.n);
    return m;
}

static struct made real_variable(struct gen *g, struct ctx *c, struct type *t)
{
    struct lval l = make_lvalue_pick(g, c, WANT_READ, KIND_REAL);
    struct made m = {0};
    if (l.n)
        m = make_lvalue_read(g, l);
    return m.n ? m : make_constant_real(g, &c->region->rng, t);
}

static struct made real_binary(struct gen *g, struct ctx *c, struct type *t)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV};
    struct ctx below = make_ctx_below(c);
    struct made a = make_expr_real(g, &below, t), b = make_expr_real(g, &below, t), m = {0};
    m.n = lang_binary(g->p, make_op_among(&c->region->rng, c->context, ops, LENGTH(ops)), a.n, b.n);
    struct type *in = m.n->type;
    if (c->dead)
        return m;
    m.v.bits = safe_repair(g, m.n, in, run_convert(g, a.n->type->unqual, in, a.v.bits),
                           run_convert(g, b.n->type->unqual, in, b.v.bits), NULL);
    return m;
}

static struct made real_negate(struct gen *g, struct ctx *c, struct type *t)
{
    struct ctx below = make_ctx_below(c);
    struct made a = make_expr_real(g, &below, t), m = {lang_unary(g->p, OP_NEG, a.n), {0}};
    lang_value_unary(g->p, OP_NEG, m.n->type, a.v.bits, &m.v.bits);
    return m;
}

static struct made real_convert(struct gen *g, struct ctx *c, struct type *t)
{
    struct ctx below = make_ctx_below(c);
    below.depth = below.depth > 2 ? 2 : below.depth;
    struct made a = make_expr_int(g, &below);
    if (gen_int_width(g, a.n->type->unqual) > 64)
        a = make_expr_convert(g, a, lang_basic(g->p, TYPE_INT));
    return made_real(g, a, t);
}

static struct made real_cond(struct gen *g, struct ctx *c, struct type *t)
{
    struct ctx below = make_ctx_below(c);
    struct made test = make_expr_condition(g, &below), a = make_expr_real(g, &below, t), m = {0};
    bool truth = run_is_true(g, test.n->type->unqual, &test.v);
    struct node *other = c->dead ? make_constant_real(g, &c->region->rng, t).n
                                 : make_hole(g, &below, t);
    m.n = lang_cond(g->p, test.n, truth ? a.n : other, truth ? other : a.n);
    m.v.bits = run_convert(g, a.n->type->unqual, m.n->type, a.v.bits);
    return m;
}

struct made make_expr_real(struct gen *g, struct ctx *c, struct type *t)
{
    struct rng *r = &c->region->rng;
    enum gen_policy row = gen_pick(g, r, GEN_GROUP_real);
    if (c->depth == 0 && row != GEN_real_constant && row != GEN_real_variable)
        row = rng_below(r, 2) ? GEN_real_constant : GEN_real_variable;
    switch (row) {
    case GEN_real_variable:
        return real_variable(g, c, t);
    case GEN_real_binary:
        return real_binary(g, c, t);
    case GEN_real_negate:
        return real_negate(g, c, t);
    case GEN_real_convert:
        return real_convert(g, c, t);
    case GEN_real_cond:
        return real_cond(g, c, t);
    default:
        return make_constant_real(g, r, t);
    }
}
