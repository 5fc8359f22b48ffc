/* Shapes that optimisers look for: a switch that is a table, runs of stores, a word put together
 * from bytes, quotient and remainder of the same operands.  All run by walking into them. */
#include "gen/private.h"

static struct type *int_type(struct gen *g)
{
    return lang_basic(g->p, TYPE_INT);
}

static struct node *number(struct gen *g, uint64_t v)
{
    return lang_int(g->p, v, int_type(g));
}

static struct ctx pure_ctx(struct gen *g, struct region *r)
{
    struct ctx c = ctx_start(g, r);
    c.pure = true;
    c.calls = 0;
    c.depth = 1;
    return c;
}

/* A scalar by name that nothing points to. */
static struct var *plain_local(struct gen *g, struct region *r)
{
    struct ctx c = pure_ctx(g, r);
    c.quiet = true;
    return lvalue_pick(g, &c, WANT_WRITE, KIND_INT).var;
}

static struct node *set(struct gen *g, const struct var *v, struct node *to)
{
    return lang_expr_stmt(g->p, lang_assign(g->p, OP_ASSIGN, lang_name(g->p, v->decl), to));
}

static struct var *byte_row(struct gen *g, struct rng *r)
{
    struct var *found = NULL;
    uint64_t seen = 0;
    for (size_t i = 0; i < g->globals.n; i++) {
        struct var *v = g->globals.at[i];
        bool fits = v->type->kind == TYPE_ARRAY && v->use == USE_MIXED && v->type->u.count >= 4 &&
                    v->type->base->quals == 0 &&
                    (v->type->base->kind == TYPE_UCHAR || v->type->base->kind == TYPE_USHORT);
        if (fits && rng_below(r, ++seen) == 0)
            found = v;
    }
    return found;
}

static struct node *element(struct gen *g, const struct var *v, uint64_t i)
{
    return lang_index(g->p, lang_name(g->p, v->decl), number(g, i));
}

/* switch (e & 7) { case 0: x = 5; break; case 1: x = 9; break; ... default: x = 2; } */
static bool table_switch(struct gen *g, struct region *r)
{
    struct var *x = plain_local(g, r);
    struct ctx c = pure_ctx(g, r);
    if (!x)
        return false;
    struct made e = expr_convert(g, expr_int(g, &c), int_type(g));
    struct node *kids[2] = {lang_binary(g->p, OP_AND, e.n, number(g, 7)),
                            lang_node(g->p, NODE_BLOCK, NULL, 0)};
    struct node *sw = lang_node(g->p, NODE_SWITCH, kids, 2);
    sw->u.switch_ = NEW(&g->p->arena, struct switch_info);
    sw->u.switch_->cases = NEW_ARRAY(&g->p->arena, 8, struct node *);
    uint64_t arms = 4 + rng_below(&r->rng, 4), factor = 1 + rng_below(&r->rng, 9);
    for (uint64_t i = 0; i < arms; i++) {
        uint64_t value = rng_below(&r->rng, 3) ? i * factor : rng_below(&r->rng, 100);
        struct node *arm[3] = {number(g, i), NULL, set(g, x, number(g, value))};
        struct node *n = lang_node(g->p, NODE_CASE, arm, 3);
        n->u.case_ = NEW(&g->p->arena, struct case_info);
        *n->u.case_ = (struct case_info){sw, i, i};
        sw->u.switch_->cases[sw->u.switch_->count++] = n;
        struct node *leave = lang_node(g->p, NODE_BREAK, NULL, 0);
        leave->u.target = sw;
        lang_append(g->p, kids[1], n);
        lang_append(g->p, kids[1], leave);
    }
    struct node *other = set(g, x, number(g, rng_below(&r->rng, 50)));
    struct node *n = lang_node(g->p, NODE_DEFAULT, &other, 1);
    n->u.target = sw;
    sw->u.switch_->default_ = n;
    lang_append(g->p, kids[1], n);
    attach(g, r, sw);
    return true;
}

/* if (e == 1) x = 3; else if (e == 2) x = 7; ... */
static bool chain_of_ifs(struct gen *g, struct region *r)
{
    struct var *x = plain_local(g, r);
    struct ctx c = pure_ctx(g, r);
    struct lval e = lvalue_pick(g, &c, WANT_READ, KIND_INT);
    if (!x || !e.n || !is_pure(e.n))
        return false;
    struct node *chain = NULL;
    for (uint64_t i = 3 + rng_below(&r->rng, 3); i > 0; i--) {
        struct node *test = lang_binary(g->p, OP_EQ, clone(g, e.n), number(g, i));
        struct node *kids[3] = {test, set(g, x, number(g, rng_below(&r->rng, 99))), chain};
        chain = lang_node(g->p, NODE_IF, kids, 3);
    }
    attach(g, r, chain);
    return true;
}

/* a[0] = 1; a[1] = 2; a[2] = 3; ... */
static bool store_run(struct gen *g, struct region *r)
{
    struct var *a = r->fn->class == CLASS_FULL ? byte_row(g, &r->rng) : NULL;
    for (uint64_t i = 0; a && i < 4; i++) {
        struct node *value = number(g, rng_below(&r->rng, 256));
        attach(g, r, lang_expr_stmt(g->p, lang_assign(g->p, OP_ASSIGN, element(g, a, i), value)));
    }
    return a != NULL;
}

/* x = (unsigned)a[0] | (unsigned)a[1] << 8 | ..., in either order of the bytes */
static bool word_of_bytes(struct gen *g, struct region *r)
{
    struct var *x = plain_local(g, r);
    struct var *a = r->fn->class == CLASS_FULL ? byte_row(g, &r->rng) : NULL;
    struct type *u = lang_basic(g->p, TYPE_UINT);
    bool swap = rng_below(&r->rng, 2);
    struct node *word = NULL;
    if (!x || !a || a->type->base->kind != TYPE_UCHAR)
        return false;
    for (uint64_t i = 0; i < 4; i++) {
        struct node *byte = lang_cast(g->p, u, element(g, a, i));
        uint64_t by = 8 * (swap ? 3 - i : i);
        byte = by ? lang_binary(g->p, OP_SHL, byte, number(g, by)) : byte;
        word = word ? lang_binary(g->p, OP_OR, word, byte) : byte;
    }
    attach(g, r, set(g, x, word));
    return true;
}

/* x = a / k; y = a % k; */
static bool both_quotients(struct gen *g, struct region *r)
{
    struct var *x = plain_local(g, r), *y = plain_local(g, r);
    struct ctx c = pure_ctx(g, r);
    struct lval a = lvalue_pick(g, &c, WANT_READ, KIND_INT);
    if (!x || !y || !a.n || !is_pure(a.n) || a.var == x || a.var == y)
        return false;
    struct node *k = number(g, 2 + rng_below(&r->rng, 98));
    attach(g, r, set(g, x, lang_binary(g->p, OP_DIV, clone(g, a.n), clone(g, k))));
    attach(g, r, set(g, y, lang_binary(g->p, OP_REM, a.n, k)));
    return true;
}

enum flow make_stmt_idiom(struct gen *g, struct region *r)
{
    static bool (*const idioms[])(struct gen *, struct region *) = {
        table_switch, chain_of_ifs, store_run, word_of_bytes, both_quotients};
    uint32_t at = r->block->count;
    r->fn->bound += 8 * r->weight;
    if (!idioms[rng_below(&r->rng, LENGTH(idioms))](g, r))
        return make_stmt_assign(g, r);
    return walk_from(r, at);
}
