/* Relaxation of goto: a label before any statement of the function, and a jump to it, forwards or
 * backwards, into blocks and past initialisers. */
#include "vary/relax/private.h"

enum { SLOTS_PER_JUMP = 8 }; /* an opportunity for so many statements */

/* No jump leads into a statement expression. */
static bool is_inside_expression(const struct vary *v, const struct node *n)
{
    for (; n; n = v->parent[n->id])
        if (n->kind == NODE_STMT_EXPR)
            return true;
    return false;
}

static bool is_slot(const struct relaxing *r, const struct node *n)
{
    return r->v->place[n->id] & PLACE_SLOT && relax_is_open(r, n) && !is_inside_expression(r->v, n);
}

static void collect_slots(struct relaxing *r, struct node *n, struct list *slots)
{
    if (is_slot(r, n))
        list_add(r->arena, slots, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            collect_slots(r, n->kid[i], slots);
}

static struct node *condition(struct draw *d, const struct node *at)
{
    static const enum op ops[] = {OP_EQ, OP_NE, OP_LT, OP_GT};
    struct program *p = d->v->p;
    struct decl *x = relax_integer_variable(d, at);
    if (!x)
        return NULL;
    struct node *value = lang_name(p, x);
    if (rng_chance(&d->rng, 40))
        return lang_condition(p, value);
    if (rng_chance(&d->rng, 30))
        return lang_unary(p, OP_LNOT, value);
    struct type *t = lang_basic(p, TYPE_INT);
    struct node *number = vary_int_constant(d->v, rng_between(&d->rng, -3, 9), t);
    return lang_binary(p, ops[rng_below(&d->rng, LENGTH(ops))], value, number);
}

static struct label *new_label(struct relaxing *r, struct function *f, struct node **statement)
{
    struct program *p = r->v->p;
    struct label *l = NEW(&p->arena, struct label);
    struct node *empty = lang_node(p, NODE_EMPTY, NULL, 0);
    l->name = arena_printf(&p->arena, "cupel_label_%u", ++r->v->fresh);
    l->index = (uint32_t)f->labels.n;
    l->node = *statement = lang_node(p, NODE_LABEL, &empty, 1);
    (*statement)->u.label = l;
    list_add(&p->arena, &f->labels, l);
    return l;
}

static void offer_jump(struct offers *o, struct function *f, struct node *at, struct list *slots)
{
    struct program *p = o->r->v->p;
    struct draw d;
    if (!relax_takes(o, at, &d))
        return;
    struct node *to = slots->at[rng_below(&d.rng, slots->n)], *label;
    uint32_t first = lang_mark(p);
    struct node *kids[] = {condition(&d, at), NULL, NULL};
    if (!kids[0])
        return;
    kids[1] = lang_node(p, NODE_GOTO, NULL, 0);
    kids[1]->u.label = new_label(o->r, f, &label);
    struct change *c = relax_offer(o, EDIT_INSERT, at, lang_node(p, NODE_IF, kids, 3), first);
    relax_add_edit(c, EDIT_INSERT, to, label);
}

void relax_GOTO(struct offers *o)
{
    struct vary *v = o->r->v;
    size_t count = v->p->functions.n;
    for (size_t i = 0; i < count; i++) {
        struct function *f = v->p->functions.at[i];
        struct list slots = {0};
        if (!relax_is_own(v, f) || f->uses_vla || f->has_asm)
            continue;
        collect_slots(o->r, f->body, &slots);
        for (size_t k = 0; k < slots.n; k += SLOTS_PER_JUMP)
            offer_jump(o, f, slots.at[k], &slots);
    }
}
