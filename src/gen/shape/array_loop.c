/* Loops over the elements of global arrays: element by element, sums, two dimensions, by pointer.
 * Built without side effects of their own, and run by walking into them. */
#include "gen/shape/shape.h"
#include "gen/make/make.h"
#include "gen/build.h"

/* One dimension of numbers that wrap, or that are too narrow to overflow. */
static bool is_row(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *t = v->type;
    (void)like;
    if (!make_is_plain(v) || t->kind != TYPE_ARRAY || !lang_is_integer(t->base) || t->base->quals ||
        t->u.count < 2 || t->base->kind == TYPE_BOOL || t->base->kind == TYPE_ENUM)
        return false;
    return !gen_int_signed(g, t->base) || gen_is_narrow(g, t->base);
}

/* a[i] = b[i] op c[i + k] over as many elements as all have, or s += a[i]. */
bool shape_stmt_array(struct gen *g, struct region *r)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_AND, OP_OR, OP_MUL};
    struct var *row[3];
    for (int i = 0; i < 3; i++) {
        row[i] = make_pick_global(g, &r->rng, is_row, NULL);
        if (!row[i])
            return false;
    }
    uint64_t shift = rng_below(&r->rng, 2), n = make_spare(r) / 3;
    for (int i = 0; i < 3; i++)
        n = row[i]->type->u.count < n ? row[i]->type->u.count : n;
    n -= n > shift ? shift : 0;
    enum op op = make_op_among(&r->rng, r->context, ops, LENGTH(ops));
    if (op == OP_MUL && gen_int_signed(g, lang_promoted(g->p, row[1]->type->base)))
        op = OP_XOR; /* two shorts may overflow */
    make_charge(r, 3 * n);
    struct var *v = make_local(g, r, build_int_type(g), gen_new_name(g, 't'));
    v->locked = v->no_address = true;
    struct node *right = lang_binary(g->p, op, build_element(g, row[1], v, 0),
                                     build_element(g, row[2], v, (int64_t)shift));
    struct node *to = build_element(g, row[0], v, 0);
    struct node *body = make_keep(g, &r->rng, to, right);
    bool down = rng_below(&r->rng, 4) == 0;
    struct node *kids[4] = {
        lang_declare(g->p, v->decl, build_int(g, down ? n - 1 : 0)),
        lang_binary(g->p, down ? OP_GE : OP_LT, lang_name(g->p, v->decl),
                    build_int(g, down ? 0 : n)),
        lang_unary(g->p, down ? OP_POSTDEC : OP_POSTINC, lang_name(g->p, v->decl)), body};
    make_attach(g, r, lang_node(g->p, NODE_FOR, kids, 4));
    return make_walk_from(r, r->block->count - 1);
}

static bool is_grid(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *t = v->type;
    if (t->kind != TYPE_ARRAY || t->base->kind != TYPE_ARRAY)
        return false;
    struct var row = *v;
    row.type = t->base;
    return t->u.count > 1 && is_row(g, &row, like);
}

/* a[i][j] = a[i][j] op k, in either order of the loops. */
bool shape_stmt_grid(struct gen *g, struct region *r)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_AND, OP_OR};
    struct var *a = make_pick_global(g, &r->rng, is_grid, NULL);
    uint64_t rows = a ? a->type->u.count : 0, columns = a ? a->type->base->u.count : 0;
    if (!a || 3 * rows * columns > make_spare(r))
        return false;
    make_charge(r, 3 * rows * columns);
    struct var *i = make_counter(g, r), *k = make_counter(g, r);
    bool swap = rng_below(&r->rng, 2);
    struct node *row = lang_index(g->p, lang_name(g->p, a->decl), lang_name(g->p, i->decl));
    struct node *to = lang_index(g->p, row, lang_name(g->p, k->decl));
    enum op op = make_op_among(&r->rng, r->context, ops, LENGTH(ops));
    struct node *by = rng_below(&r->rng, 2) ? lang_name(g->p, k->decl)
                                            : build_int(g, 1 + rng_below(&r->rng, 99));
    struct node *body = lang_expr_stmt(g->p, lang_assign(g->p, op, to, by));
    struct node *inner = build_count(g, swap ? i : k, swap ? rows : columns, body);
    make_attach(g, r, build_count(g, swap ? k : i, swap ? columns : rows, inner));
    return make_walk_from(r, r->block->count - 1);
}

/* unsigned s = 0; for (...) s += a[i]; */
bool shape_stmt_reduce(struct gen *g, struct region *r)
{
    static const uint8_t ops[] = {OP_ADD, OP_XOR, OP_SUB}, masks[] = {OP_OR, OP_AND};
    struct var *a = make_pick_global(g, &r->rng, is_row, NULL);
    uint32_t at = r->block->count;
    if (!a || 3 * a->type->u.count > make_spare(r))
        return false;
    make_charge(r, 3 * a->type->u.count);
    struct type *t = lang_basic(g->p, rng_below(&r->rng, 2) ? TYPE_UINT : TYPE_ULONG);
    struct var *i = make_counter(g, r), *s = make_local(g, r, t, gen_new_name(g, 'l'));
    bool mask = rng_below(&r->rng, 8) == 0 &&
                make_keeps_op(r->context, OP_AND); /* of which little is left in the end */
    enum op op = mask ? masks[rng_below(&r->rng, LENGTH(masks))]
                      : make_op_among(&r->rng, r->context, ops, LENGTH(ops));
    struct node *start = build_int(g, rng_below(&r->rng, 9));
    if (op == OP_AND)
        start = lang_unary(g->p, OP_NOT, start);
    make_attach(g, r, lang_declare(g->p, s->decl, start));
    struct node *sum = lang_assign(g->p, op, lang_name(g->p, s->decl), build_element(g, a, i, 0));
    make_attach(g, r, build_count(g, i, a->type->u.count, lang_expr_stmt(g->p, sum)));
    r->vars = s;
    return make_walk_from(r, at);
}

/* for (T *p = a; p < a + n; p++) { ... } */
bool shape_stmt_cursor(struct gen *g, struct region *r)
{
    struct var *a = make_pick_global(g, &r->rng, is_row, NULL);
    if (!a || make_trips_allowed(g, r) < a->type->u.count ||
        r->nesting > gen_setting(g, GEN_count_nesting))
        return false;
    uint64_t n = a->type->u.count;
    struct var *p = make_local(g, r, lang_pointer(g->p, a->type->base), gen_new_name(g, 't'));
    p->locked = p->no_address = true;
    struct node *end = lang_binary(g->p, OP_ADD, lang_name(g->p, a->decl), build_int(g, n));
    struct node *kids[4] = {
        lang_declare(g->p, p->decl, lang_name(g->p, a->decl)),
        lang_binary(g->p, rng_below(&r->rng, 2) ? OP_LT : OP_NE, lang_name(g->p, p->decl), end),
        lang_unary(g->p, OP_POSTINC, lang_name(g->p, p->decl)), NULL};
    struct node *loop = lang_node(g->p, NODE_FOR, kids, 4);
    struct region *inner;
    loop->kid[3] = make_block(g, r, &inner);
    inner->loop = inner->exit = loop;
    inner->weight = r->weight * n;
    inner->vars = p;
    make_attach(g, r, loop);
    return make_walk_from(r, r->block->count - 1);
}
