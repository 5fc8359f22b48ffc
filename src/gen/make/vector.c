/* GNU vectors of integers: expressions lane by lane, and assignments.
 *
 * Every tree that is made here is defined whatever its lanes hold: sums and products are made of
 * unsigned lanes only, counts are masked, divisors are odd.  So nothing in it is ever guarded. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

enum { MOST_PASSED = 16 }; /* bytes of a vector that is a parameter */

/* ---- types ------------------------------------------------------------------------------ */

struct type *make_vector_type(struct gen *g, struct rng *r, bool passed)
{
    /* no machine has registers for all of these */
    static const uint8_t sizes[] = {16, 16, 16, 8, 8, 32, 32, 2, 4, MOST_VECTOR};
    uint64_t lane_size = UINT64_C(1) << rng_below(r, 4);
    bool is_signed = rng_below(r, 4) == 0;
    uint64_t size = sizes[rng_below(r, LENGTH(sizes))];
    if (passed && size > MOST_PASSED)
        size = MOST_PASSED;
    if (lane_size > size)
        lane_size = size;
    return lang_vector(g->p, lang_int_of_size(g->p, lane_size, is_signed), size / lane_size);
}

static struct type *with_lanes(struct gen *g, const struct type *t, uint64_t size, bool is_signed)
{
    return lang_vector(g->p, lang_int_of_size(g->p, size, is_signed), t->u.count);
}

/* ---- expressions ------------------------------------------------------------------------ */

static bool fits(const struct gen *g, const struct var *v, const struct type *t, uint64_t size)
{
    if (v->type->kind != TYPE_VECTOR || v->secret)
        return false;
    return t ? v->type->unqual == t->unqual : !size || gen_size_of(g, v->type) == size;
}

/* A variable of this type (NULL: of this size, if it is not 0) that may be named here, or NULL. */
static struct var *pick(struct gen *g, struct ctx *c, const struct type *t, uint64_t size,
                        bool writes)
{
    struct rng *r = &c->region->rng;
    bool globals = c->region->fn->class != CLASS_LOCAL && !c->quiet;
    struct var *found = NULL;
    uint64_t seen = 0;
    if (writes && c->region->fn->class != CLASS_FULL)
        globals = false;
    for (struct var *v = c->vars; v; v = gen_var_next(c->vars, v)) {
        const struct object *o = gen_about(g, v->decl)->object;
        if (fits(g, v, t, size) && o && o->ready[0] && rng_below(r, ++seen) == 0)
            found = v;
    }
    struct window w = make_globals_window(g, r);
    for (size_t i = w.first; i < w.end && globals; i++) {
        struct var *v = g->globals.at[i];
        bool use = v->use == USE_MIXED || v->use == (writes ? USE_OUTPUT : USE_INPUT);
        if (use && fits(g, v, t, size) && rng_below(r, ++seen) == 0)
            found = v;
    }
    return found;
}

static struct node *tree(struct gen *g, struct ctx *c, struct type *t, unsigned depth);

static struct node *leaf(struct gen *g, struct ctx *c, struct type *t)
{
    bool named = rng_below(&c->region->rng, 8);
    struct var *v = named ? pick(g, c, t, 0, false) : NULL;
    if (v)
        return build_name(g, v);
    v = named ? pick(g, c, NULL, gen_size_of(g, t), false) : NULL;
    return v ? lang_cast(g->p, t, build_name(g, v)) : make_literal_record(g, c, t).n;
}

/* Through unsigned lanes, and back. */
static struct node *wrapped(struct gen *g, struct ctx *c, enum op op, struct type *t,
                            unsigned depth)
{
    struct type *u = with_lanes(g, t, gen_size_of(g, t->base), false);
    struct node *a = tree(g, c, u, depth), *b = tree(g, c, u, depth);
    if (op == OP_DIV || op == OP_REM)
        b = build_op(g, OP_OR, b, build_int(g, 1));
    return lang_cast(g->p, t, build_op(g, op, a, b));
}

static struct node *shifted(struct gen *g, struct ctx *c, enum op op, struct type *t,
                            unsigned depth)
{
    unsigned width = gen_int_width(g, t->base);
    struct type *in = op == OP_SHL ? with_lanes(g, t, gen_size_of(g, t->base), false) : t;
    struct node *a = tree(g, c, in, depth), *by;
    if (rng_below(&c->region->rng, 2))
        by = build_int(g, rng_below(&c->region->rng, width));
    else
        by = build_op(g, OP_AND, tree(g, c, in, depth), build_int(g, width - 1));
    return lang_cast(g->p, t, build_op(g, op, a, by));
}

/* The lanes of another width. */
static struct node *converted(struct gen *g, struct ctx *c, struct type *t, unsigned depth)
{
    uint64_t size = gen_size_of(g, t->base), all = gen_size_of(g, t);
    bool wider = size == 1 || all <= 8;
    if (wider && (size == 8 || all == MOST_VECTOR))
        return leaf(g, c, t);
    struct type *from = with_lanes(g, t, wider ? 2 * size : size / 2,
                                   rng_below(&c->region->rng, 2));
    struct node *kid = lang_rvalue(g->p, tree(g, c, from, depth));
    struct node *n = lang_node(g->p, NODE_VECTOR_CONVERT, &kid, 1);
    n->u.operand = n->type = t;
    return n;
}

static struct node *shuffled(struct gen *g, struct ctx *c, struct type *t, unsigned depth)
{
    struct node *args[2 + MOST_VECTOR];
    args[0] = tree(g, c, t, depth);
    args[1] = tree(g, c, t, depth);
    for (uint64_t i = 0; i < t->u.count; i++)
        args[2 + i] = build_int(g, rng_below(&c->region->rng, 2 * t->u.count));
    struct node *callee = lang_name(g->p, build_builtin(g, "__builtin_shufflevector"));
    return lang_call(g->p, callee, args, 2 + (uint32_t)t->u.count);
}

static struct node *tree(struct gen *g, struct ctx *c, struct type *t, unsigned depth)
{
    static const uint8_t sums[] = {OP_ADD, OP_SUB, OP_MUL, OP_ADD, OP_SUB, OP_MUL,
                                   OP_ADD, OP_SUB, OP_ADD, OP_SUB, OP_DIV, OP_REM};
    static const uint8_t bitwise[] = {OP_AND, OP_OR, OP_XOR};
    static const uint8_t comparisons[] = {OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE};
    struct rng *r = &c->region->rng;
    if (depth == 0)
        return leaf(g, c, t);
    struct node *a, *b;
    depth--;
    switch (rng_below(r, 12)) {
    case 0:
    case 1:
    case 2:
        return wrapped(g, c, sums[rng_below(r, LENGTH(sums))], t, depth);
    case 3:
    case 4:
        a = tree(g, c, t, depth);
        b = tree(g, c, t, depth);
        return build_op(g, bitwise[rng_below(r, LENGTH(bitwise))], a, b);
    case 5:
        return lang_unary(g->p, OP_NOT, tree(g, c, t, depth));
    case 6: { /* a lane of all ones where it is so */
        struct type *in = with_lanes(g, t, gen_size_of(g, t->base), rng_below(r, 2));
        a = tree(g, c, in, depth);
        b = tree(g, c, in, depth);
        return lang_cast(g->p, t, build_op(g, comparisons[rng_below(r, 6)], a, b));
    }
    case 7:
        return shifted(g, c, rng_below(r, 2) ? OP_SHL : OP_SHR, t, depth);
    case 8:
        return converted(g, c, t, depth);
    case 9:
        if (gen_has(g, GEN_HAS_SHUFFLE))
            return shuffled(g, c, t, depth);
        return leaf(g, c, t);
    default:
        return leaf(g, c, t);
    }
}

struct made make_vector_value(struct gen *g, struct ctx *c, struct type *t)
{
    struct made m = {0};
    if (c->quiet) /* a literal reads nothing, but is no name */
        return m;
    m.n = lang_rvalue(g->p, tree(g, c, t->unqual, c->depth ? 1 : 0));
    if (!c->dead)
        run_eval(g, &m.n, &m.v);
    return m;
}

struct var *make_vector_target(struct gen *g, struct ctx *c, struct type *t)
{
    struct var *v = pick(g, c, t, 0, true);
    return v && !v->locked && make_full_may_write(c->full, v->decl) ? v : NULL;
}

/* V v = e; */
bool make_vector_local(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    const struct var *like = pick(g, &c, NULL, 0, false);
    struct type *t = like ? like->type->unqual : make_vector_type(g, &r->rng, false);
    struct node *value = tree(g, &c, t, 1);
    struct var *v = make_local(g, r, t, gen_new_name(g, 'l'));
    make_attach(g, r, lang_declare(g->p, v->decl, value));
    r->vars = v;
    return make_walk_from(r, r->block->count - 1);
}

/* ---- statements ------------------------------------------------------------------------- */

bool make_stmt_vector(struct gen *g, struct region *r)
{
    static const uint8_t compounds[] = {OP_AND, OP_OR, OP_XOR};
    struct ctx c = make_pure(g, r, 1);
    struct var *to = make_vector_target(g, &c, NULL);
    if (!to)
        return false;
    enum op op = rng_below(&r->rng, 4) ? OP_ASSIGN : compounds[rng_below(&r->rng, 3)];
    if (g->observe != GEN_observe_nothing && rng_below(&r->rng, 5))
        op = OP_XOR; /* nothing of it is lost */
    struct node *value = tree(g, &c, to->type->unqual, 2);
    if (op == OP_ASSIGN && make_is_same(value, build_name(g, to)))
        value = lang_unary(g->p, OP_NOT, value);
    make_attach(g, r, build_assign(g, op, build_name(g, to), value));
    return make_walk_from(r, r->block->count - 1);
}
