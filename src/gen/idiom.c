/* Shapes that optimisers look for: a switch that is a table, runs of stores, a word put together
 * from bytes, quotient and remainder of the same operands.  All run by walking into them. */
#include "gen/private.h"

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
    return lang_index(g->p, lang_name(g->p, v->decl), build_int(g, i));
}

/* switch (e & 7) { case 0: x = 5; break; case 1: x = 9; break; ... default: x = 2; } */
static bool table_switch(struct gen *g, struct region *r)
{
    struct var *x = build_plain_local(g, r);
    struct ctx c = build_pure(g, r, 1);
    if (!x)
        return false;
    struct made e = expr_convert(g, expr_int(g, &c), build_int_type(g));
    struct node *sw = build_switch(g, build_op(g, OP_AND, e.n, build_int(g, 7)), 8);
    uint64_t arms = 4 + rng_below(&r->rng, 4), factor = 1 + rng_below(&r->rng, 9);
    for (uint64_t i = 0; i < arms; i++) {
        uint64_t value = rng_below(&r->rng, 3) ? i * factor : rng_below(&r->rng, 100);
        lang_append(g->p, sw->kid[1],
                    build_case(g, sw, i, i, build_set(g, x, build_int(g, value))));
        lang_append(g->p, sw->kid[1], build_break(g, sw));
    }
    struct node *other = build_set(g, x, build_int(g, rng_below(&r->rng, 50)));
    lang_append(g->p, sw->kid[1], build_default(g, sw, other));
    attach(g, r, sw);
    return true;
}

/* if (e == 1) x = 3; else if (e == 2) x = 7; ... */
static bool chain_of_ifs(struct gen *g, struct region *r)
{
    struct var *x = build_plain_local(g, r);
    struct ctx c = build_pure(g, r, 1);
    struct lval e = lvalue_pick(g, &c, WANT_READ, KIND_INT);
    if (!x || !e.n || !is_pure(e.n))
        return false;
    struct node *chain = NULL;
    for (uint64_t i = 3 + rng_below(&r->rng, 3); i > 0; i--) {
        struct node *test = lang_binary(g->p, OP_EQ, clone(g, e.n), build_int(g, i));
        chain = build_if(g, test, build_set(g, x, build_int(g, rng_below(&r->rng, 99))), chain);
    }
    attach(g, r, chain);
    return true;
}

/* a[0] = 1; a[1] = 2; a[2] = 3; ... */
static bool store_run(struct gen *g, struct region *r)
{
    struct var *a = r->fn->class == CLASS_FULL ? byte_row(g, &r->rng) : NULL;
    for (uint64_t i = 0; a && i < 4; i++) {
        struct node *value = build_int(g, rng_below(&r->rng, 256));
        attach(g, r, lang_expr_stmt(g->p, lang_assign(g->p, OP_ASSIGN, element(g, a, i), value)));
    }
    return a != NULL;
}

/* x = (unsigned)a[0] | (unsigned)a[1] << 8 | ..., in either order of the bytes */
static bool word_of_bytes(struct gen *g, struct region *r)
{
    struct var *x = build_plain_local(g, r);
    struct var *a = r->fn->class == CLASS_FULL ? byte_row(g, &r->rng) : NULL;
    struct type *u = lang_basic(g->p, TYPE_UINT);
    bool swap = rng_below(&r->rng, 2);
    struct node *word = NULL;
    if (!x || !a || a->type->base->kind != TYPE_UCHAR)
        return false;
    for (uint64_t i = 0; i < 4; i++) {
        struct node *byte = lang_cast(g->p, u, element(g, a, i));
        uint64_t by = 8 * (swap ? 3 - i : i);
        byte = by ? lang_binary(g->p, OP_SHL, byte, build_int(g, by)) : byte;
        word = word ? lang_binary(g->p, OP_OR, word, byte) : byte;
    }
    attach(g, r, build_set(g, x, word));
    return true;
}

/* x = a / k; y = a % k; */
static bool both_quotients(struct gen *g, struct region *r)
{
    struct var *x = build_plain_local(g, r), *y = build_plain_local(g, r);
    struct ctx c = build_pure(g, r, 1);
    struct lval a = lvalue_pick(g, &c, WANT_READ, KIND_INT);
    if (!x || !y || !a.n || !is_pure(a.n) || a.var == x || a.var == y)
        return false;
    struct node *k = build_int(g, 2 + rng_below(&r->rng, 98));
    attach(g, r, build_set(g, x, lang_binary(g->p, OP_DIV, clone(g, a.n), clone(g, k))));
    attach(g, r, build_set(g, y, lang_binary(g->p, OP_REM, a.n, k)));
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
