/* GNU vectors of integers: expressions lane by lane, assignments, and what they evaluate to.
 *
 * Every tree that is made here is defined whatever its lanes hold: sums and products are made of
 * unsigned lanes only, counts are masked, divisors are odd.  So nothing in it is ever guarded. */
#include "gen/private.h"

enum { MOST = 32 }; /* bytes of a vector */

/* ---- values ----------------------------------------------------------------------------- */

static struct spot lane_of(const struct gen *g, struct object *o, uint64_t at,
                           const struct type *of, uint64_t i)
{
    return (struct spot){o, at + i * size_of(g, of), (struct type *)of, NULL};
}

static u128 lane(const struct gen *g, const struct val *v, const struct type *of, uint64_t i)
{
    struct spot s = lane_of(g, v->link.to, (uint64_t)v->link.at, of, i);
    struct val x;
    mem_load(g, &s, &x);
    return x.bits;
}

static void set_lane(struct gen *g, struct object *o, const struct type *of, uint64_t i, u128 bits)
{
    struct spot s = lane_of(g, o, 0, of, i);
    struct val x = {.bits = bits};
    mem_store(g, &s, &x);
}

static bool is_comparison(enum op op)
{
    return op >= OP_LT && op <= OP_NE;
}

void vector_apply(struct gen *g, enum op op, const struct type *t, const struct val *a,
                  const struct val *b, struct val *v)
{
    const struct type *of = t->base;
    struct object *o = mem_new(g, (struct type *)t, NULL);
    for (uint64_t i = 0; i < t->u.count; i++) {
        u128 r, x = lane(g, a, of, i), y = b ? lane(g, b, of, i) : 0;
        if (!b && op == OP_NOT)
            r = ~x;
        else if (!b)
            r = -x;
        else if (apply(g, op, of, x, y, of, &r) != VALUE_OK)
            BUG("vector lane faults");
        if (b && is_comparison(op))
            r = -r; /* 0 or all ones */
        set_lane(g, o, of, i, lang_wrap(r, int_width(g, of)));
    }
    v->link = (struct link){o, 0};
}

void vector_splat(struct gen *g, const struct type *t, struct val *v)
{
    struct object *o = mem_new(g, (struct type *)t, NULL);
    for (uint64_t i = 0; i < t->u.count; i++)
        set_lane(g, o, t->base, i, v->bits);
    v->link = (struct link){o, 0};
}

void vector_convert(struct gen *g, const struct node *n, struct val *v)
{
    const struct type *from = n->kid[0]->type, *to = n->type;
    struct object *o = mem_new(g, n->type, NULL);
    for (uint64_t i = 0; i < to->u.count; i++)
        set_lane(g, o, to->base, i,
                 convert_bits(g, from->base, to->base, lane(g, v, from->base, i)));
    v->link = (struct link){o, 0};
}

/* __builtin_shufflevector(a, b, i, j, ...): the indices are constants. */
bool vector_shuffle(struct gen *g, const struct node *n, const struct decl *d,
                    const struct val *args, struct val *v)
{
    if (d->builtin != BUILTIN_shufflevector)
        return false;
    const struct type *from = n->kid[1]->type, *to = n->type;
    struct object *o = mem_new(g, n->type, NULL);
    for (uint64_t i = 0; i < to->u.count; i++) {
        uint64_t k = (uint64_t)args[2 + i].bits, count = from->u.count;
        set_lane(g, o, to->base, i, lane(g, &args[k < count ? 0 : 1], from->base, k % count));
    }
    v->link = (struct link){o, 0};
    return true;
}

/* ---- types ------------------------------------------------------------------------------ */

struct type *vector_type(struct gen *g, struct rng *r, bool passed)
{
    static const uint8_t sizes[] = {16, 16, 16, 8, MOST};
    uint64_t lane_size = UINT64_C(1) << rng_below(r, 4);
    bool is_signed = rng_below(r, 4) == 0;
    uint64_t size = sizes[rng_below(r, LENGTH(sizes))];
    if (passed && size == MOST)
        size = 16;
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
    return t ? v->type->unqual == t->unqual : !size || size_of(g, v->type) == size;
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
    for (struct var *v = c->vars; v; v = v->outer) {
        const struct object *o = about(g, v->decl)->object;
        if (fits(g, v, t, size) && o && o->ready[0] && rng_below(r, ++seen) == 0)
            found = v;
    }
    for (size_t i = 0; i < g->globals.n && globals; i++) {
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
    v = named ? pick(g, c, NULL, size_of(g, t), false) : NULL;
    return v ? lang_cast(g->p, t, build_name(g, v)) : literal_record(g, c, t).n;
}

/* Through unsigned lanes, and back. */
static struct node *wrapped(struct gen *g, struct ctx *c, enum op op, struct type *t,
                            unsigned depth)
{
    struct type *u = with_lanes(g, t, size_of(g, t->base), false);
    struct node *a = tree(g, c, u, depth), *b = tree(g, c, u, depth);
    if (op == OP_DIV || op == OP_REM)
        b = build_op(g, OP_OR, b, build_int(g, 1));
    return lang_cast(g->p, t, build_op(g, op, a, b));
}

static struct node *shifted(struct gen *g, struct ctx *c, enum op op, struct type *t,
                            unsigned depth)
{
    unsigned width = int_width(g, t->base);
    struct type *in = op == OP_SHL ? with_lanes(g, t, size_of(g, t->base), false) : t;
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
    uint64_t size = size_of(g, t->base), all = size_of(g, t);
    bool wider = size == 1 || all <= 8;
    if (wider && (size == 8 || all == MOST))
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
    struct node *args[2 + MOST];
    args[0] = tree(g, c, t, depth);
    args[1] = tree(g, c, t, depth);
    for (uint64_t i = 0; i < t->u.count; i++)
        args[2 + i] = build_int(g, rng_below(&c->region->rng, 2 * t->u.count));
    struct node *callee = lang_name(g->p, builtin_decl(g, "__builtin_shufflevector"));
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
        struct type *in = with_lanes(g, t, size_of(g, t->base), rng_below(r, 2));
        a = tree(g, c, in, depth);
        b = tree(g, c, in, depth);
        return lang_cast(g->p, t, build_op(g, comparisons[rng_below(r, 6)], a, b));
    }
    case 7:
        return shifted(g, c, rng_below(r, 2) ? OP_SHL : OP_SHR, t, depth);
    case 8:
        return converted(g, c, t, depth);
    case 9:
        if (has(g, GEN_HAS_SHUFFLE))
            return shuffled(g, c, t, depth);
        return leaf(g, c, t);
    default:
        return leaf(g, c, t);
    }
}

struct made vector_value(struct gen *g, struct ctx *c, struct type *t)
{
    struct made m = {0};
    if (c->quiet) /* a literal reads nothing, but is no name */
        return m;
    m.n = lang_rvalue(g->p, tree(g, c, t->unqual, c->depth ? 1 : 0));
    if (!c->dead)
        eval(g, &m.n, &m.v);
    return m;
}

struct var *vector_target(struct gen *g, struct ctx *c, struct type *t)
{
    struct var *v = pick(g, c, t, 0, true);
    return v && !v->locked && full_may_write(c->full, v->decl) ? v : NULL;
}

/* V v = e; */
enum flow vector_local(struct gen *g, struct region *r)
{
    struct ctx c = build_pure(g, r, 1);
    const struct var *like = pick(g, &c, NULL, 0, false);
    struct type *t = like ? like->type->unqual : vector_type(g, &r->rng, false);
    struct node *value = tree(g, &c, t, 1);
    struct var *v = local_new(g, r, t, new_name(g, 'l'));
    attach(g, r, lang_declare(g->p, v->decl, value));
    r->vars = v;
    return walk_from(r, r->block->count - 1);
}

/* ---- statements ------------------------------------------------------------------------- */

enum flow make_stmt_vector(struct gen *g, struct region *r)
{
    static const uint8_t compounds[] = {OP_AND, OP_OR, OP_XOR};
    struct ctx c = build_pure(g, r, 1);
    struct var *to = vector_target(g, &c, NULL);
    if (!to)
        return make_stmt_assign(g, r);
    enum op op = rng_below(&r->rng, 4) ? OP_ASSIGN : compounds[rng_below(&r->rng, 3)];
    struct node *value = tree(g, &c, to->type->unqual, 2);
    attach(g, r, build_assign(g, op, build_name(g, to), value));
    return walk_from(r, r->block->count - 1);
}
