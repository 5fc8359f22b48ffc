/* Mutations of what never ran, and of conditions that always went one way. */
#include "vary/private.h"

static struct node *some_code(struct draw *d, struct node *at)
{
    struct node *n = rng_chance(&d->rng, 50) ? vary_copied_statement(d, at) : NULL;
    return n ? n : vary_junk_statement(d, at, 2);
}

void mutate_INSERT(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct node *at = draw_open_node(d, &d->v->dead_slots);
        if (at)
            draw_insert(d, at, some_code(d, at), MUTATION_INSERT);
    }
}

static void put_code(struct draw *d, struct node *n, enum mutation why)
{
    struct node *code = some_code(d, n);
    draw_replace(d, n, vary_block_of(d->v, &code, 1), why);
}

void mutate_REPLACE(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct node *n = draw_open_node(d, &d->v->dead);
        if (n)
            put_code(d, n, MUTATION_REPLACE);
    }
}

void mutate_LOOP(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct node *n = draw_open_node(d, &d->v->loops);
        if (n && rng_chance(&d->rng, 40))
            draw_drop(d, n, MUTATION_LOOP);
        else if (n)
            put_code(d, n, MUTATION_LOOP);
    }
}

/* ---- conditions ------------------------------------------------------------------------- */

static struct node *truth(struct draw *d, bool value)
{
    static const int64_t values[] = {1, 1, 1, -1, 42};
    int64_t v = value ? values[rng_below(&d->rng, LENGTH(values))] : 0;
    return vary_int_constant(d->v, v, lang_basic(d->v->p, TYPE_INT));
}

void mutate_NEGATE(struct draw *d, unsigned strength)
{
    struct program *p = d->v->p;
    for (unsigned i = 0; i < strength; i++) {
        struct node *c = draw_open_node(d, &d->v->dead_conditions);
        if (!c)
            continue;
        struct node *same = vary_twin(d->v, c), *with;
        struct node *other = vary_junk_expression(d, c, lang_basic(p, TYPE_INT), 2);
        switch (rng_below(&d->rng, 4)) {
        case 0:
            with = lang_binary(p, OP_LAND, same, other);
            break;
        case 1:
            with = lang_binary(p, OP_LOR, same, other);
            break;
        default:
            with = lang_unary(p, OP_LNOT, same);
            break;
        }
        if (with)
            draw_enclose(d, c, with, MUTATION_NEGATE);
    }
}

static struct one_way *open_one_way(struct draw *d)
{
    const struct list *l = &d->v->one_way;
    for (unsigned i = 0; i < 8 && l->n; i++) {
        struct one_way *w = l->at[rng_below(&d->rng, l->n)];
        if (draw_is_open(d, w->condition) && draw_is_open(d, w->owner))
            return w;
    }
    return NULL;
}

void mutate_CONSTANT(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct one_way *w = open_one_way(d);
        if (!w)
            continue;
        struct node *value = truth(d, w->truth);
        if (vary_is_pure(w->condition)) {
            draw_replace(d, w->condition, value, MUTATION_CONSTANT);
            continue;
        }
        struct node *both = lang_binary(d->v->p, OP_COMMA, vary_twin(d->v, w->condition), value);
        if (both)
            draw_enclose(d, w->condition, both, MUTATION_CONSTANT);
    }
}

/* May it make room: does it stand alone, and is nothing needed of what goes with it? */
static bool can_unwrap(const struct vary *v, const struct one_way *w, const struct node *gone)
{
    const struct node *n = w->owner, *parent = v->parent[n->id];
    bool free_place = parent->kind == NODE_BLOCK ? v->place[n->id] & PLACE_SLOT : true;
    if (!free_place || (n->kind != NODE_IF && (w->truth || n->kind == NODE_DO)))
        return false;
    return !gone || (v->place[gone->id] & PLACE_DEAD && v->place[gone->id] & PLACE_LOOSE);
}

static struct node *gone_with(const struct one_way *w)
{
    switch (w->owner->kind) {
    case NODE_IF:
        return w->owner->kid[w->truth ? 2 : 1];
    case NODE_WHILE:
        return w->owner->kid[1];
    default:
        return w->owner->kid[3];
    }
}

static void unwrap(struct draw *d, const struct one_way *w, struct node *gone)
{
    struct program *p = d->v->p;
    struct node *n = w->owner, *block = vary_block_of(d->v, NULL, 0);
    if (n->kind == NODE_FOR && n->kid[0])
        lang_append(p, block, n->kid[0]);
    if (vary_is_pure(w->condition)) {
        draw_hide(d, w->condition);
    } else {
        struct node *again = lang_rvalue(p, vary_twin(d->v, w->condition));
        lang_append(p, block, lang_node(p, NODE_EXPR_STMT, &again, 1));
        draw_hide(d, w->condition);
    }
    if (n->kind == NODE_IF && n->kid[w->truth ? 1 : 2])
        lang_append(p, block, n->kid[w->truth ? 1 : 2]);
    if (n->kind == NODE_FOR && n->kid[2])
        draw_hide(d, n->kid[2]);
    if (gone)
        draw_hide(d, gone);
    draw_enclose(d, n, block, MUTATION_UNWRAP);
}

void mutate_UNWRAP(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct one_way *w = open_one_way(d);
        if (!w || !vary_is_statement(w->owner) || w->owner->kind == NODE_DO)
            continue;
        struct node *gone = gone_with(w);
        if (can_unwrap(d->v, w, gone))
            unwrap(d, w, gone);
    }
}

/* ---- expressions ------------------------------------------------------------------------ */

void mutate_ARM(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct node *n = draw_open_node(d, &d->v->arms);
        struct node *with = n ? vary_junk_expression(d, n, vary_value_type(n), 2) : NULL;
        if (with)
            draw_replace(d, n, with, MUTATION_ARM);
    }
}

void mutate_SHORT(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct node *n = draw_open_node(d, &d->v->shorts);
        if (!n)
            continue;
        struct node *with = rng_chance(&d->rng, 40)
                                ? truth(d, rng_chance(&d->rng, 50))
                                : vary_junk_expression(d, n, lang_basic(d->v->p, TYPE_INT), 2);
        draw_replace(d, n, with, MUTATION_SHORT);
    }
}

/* ---- functions -------------------------------------------------------------------------- */

void mutate_FUNCTION(struct draw *d, unsigned strength)
{
    const struct list *l = &d->v->uncalled;
    (void)strength;
    if (!l->n)
        return;
    struct function *f = l->at[rng_below(&d->rng, l->n)];
    struct node *body = f->body;
    if (!draw_is_whole(d, body))
        return;
    bool insert = rng_chance(&d->rng, 60);
    if (insert)
        draw_insert(d, body->kid[0], vary_junk_statement(d, body->kid[0], 2), MUTATION_FUNCTION);
    d->together = insert;
    for (uint32_t i = 0; i < body->count; i++) {
        draw_drop(d, body->kid[i], MUTATION_FUNCTION);
        d->together = true;
    }
    d->together = false;
}
