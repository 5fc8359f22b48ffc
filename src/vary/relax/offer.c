/* What all relaxations share: opportunities in the order of the text, each with randomness of its
 * own, so that what one relaxation draws moves nothing of another, nor of itself elsewhere. */
#include "vary/relax/private.h"

static const struct vary_options no_options;

bool relax_takes(struct offers *o, const struct node *at, struct draw *d)
{
    struct rng r = rng_fork_at(&o->stream, "at", o->r->v->seq[at->id]);
    if (rng_below(&r, 1000) >= o->probability)
        return false;
    *d = (struct draw){.v = o->r->v, .rng = r, .options = &no_options};
    return true;
}

struct node *relax_value(struct node *n)
{
    while (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT && n->op != CONV_LVALUE &&
           n->op != CONV_ARRAY && n->op != CONV_FUNCTION)
        n = n->kid[0];
    return n;
}

struct change *relax_offer(struct offers *o, enum edit_kind kind, const struct node *at,
                           struct node *with, uint32_t first)
{
    struct change *c = relax_change(o->r, o->changes);
    c->role = ROLE_RELAXATION;
    c->kind = (uint8_t)o->kind;
    c->first = first;
    c->last = lang_mark(o->r->v->p);
    relax_add_edit(c, kind, at, with);
    if (kind != EDIT_INSERT)
        relax_take(o->r, at, true);
    o->r->out->offered[o->kind]++;
    return c;
}

struct decl *relax_integer_variable(struct draw *d, const struct node *at)
{
    for (unsigned i = 0; i < 6; i++) {
        struct decl *x = vary_any_variable(d, at, false);
        if (x && lang_is_integer(x->type) && !lang_is_kind(x->type, TYPE_ENUM) &&
            !(x->type->canon->quals & QUAL_VOLATILE) && lang_int_width(d->v->p, x->type) <= 64)
            return x;
    }
    return NULL;
}

static void visit(struct offers *o, relax_visit_fn *f, struct node *n)
{
    f(o, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            visit(o, f, n->kid[i]);
}

void relax_visit(struct offers *o, relax_visit_fn *f)
{
    struct vary *v = o->r->v;
    for (size_t i = 0; i < v->p->functions.n; i++) {
        const struct function *fn = v->p->functions.at[i];
        if (relax_is_own(v, fn) && !fn->has_asm)
            visit(o, f, fn->body);
    }
}

void relax_visit_globals(struct offers *o, relax_visit_fn *f)
{
    struct vary *v = o->r->v;
    for (uint32_t i = 0; i < v->p->unit->count; i++) {
        struct node *n = v->p->unit->kid[i];
        if (n->kind == NODE_DECL && relax_is_own_place(v, n))
            visit(o, f, n);
    }
}
