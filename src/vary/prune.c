/* Orion's pruning (Le, Afshari, Su: PLDI 2014, algorithm 2): statements that never ran are dropped
 * at random, with one probability for those that have statements in them and another for those
 * that have none; both are drawn anew after every statement that was dropped. */
#include "vary/private.h"

struct pruning {
    struct draw *d;
    unsigned parent, leaf; /* percent */
};

static void redraw(struct pruning *p)
{
    p->parent = (unsigned)rng_below(&p->d->rng, 101);
    p->leaf = (unsigned)rng_below(&p->d->rng, 101);
}

static bool has_statements(const struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && vary_is_statement(n->kid[i]))
            return true;
    return false;
}

static void prune(struct pruning *p, struct node *n)
{
    struct vary *v = p->d->v;
    if (!draw_is_open(p->d, n))
        return;
    if (v->place[n->id] & PLACE_LOOSE && v->place[n->id] & PLACE_DEAD && n->kind != NODE_EMPTY &&
        rng_chance(&p->d->rng, has_statements(n) ? p->parent : p->leaf)) {
        draw_drop(p->d, n, MUTATION_PRUNE);
        redraw(p);
        return;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            prune(p, n->kid[i]);
}

static void prune_some(struct draw *d, unsigned strength)
{
    for (unsigned i = 0; i < strength; i++) {
        struct node *n = draw_open_node(d, &d->v->dead);
        if (n && n->kind != NODE_EMPTY)
            draw_drop(d, n, MUTATION_PRUNE);
    }
}

void mutate_PRUNE(struct draw *d, unsigned strength)
{
    struct pruning p = {.d = d};
    if (d->few) {
        prune_some(d, strength);
        return;
    }
    redraw(&p);
    for (size_t i = 0; i < d->v->tops.n; i++)
        prune(&p, d->v->tops.at[i]);
}
