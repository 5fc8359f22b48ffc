/* Who is to blame for a run that went wrong: the likeliest of the changes on trial.
 *
 * Takes the run, and the changes that were part of it; yields one of those that ran, or NULL where
 * nothing speaks against one more than against another.  A good guess saves a search of many runs;
 * a bad one costs the program a change that it could have borne, and nothing else. */
#include "vary/relax/private.h"

#include <string.h>

struct failure {
    const struct relaxing *r;
    const struct machine *m;
    const struct machine_result *bad;
    const struct node *at; /* what was found undefined, or NULL */
};
typedef bool points_at_fn(const struct failure *x, const struct change *c);

static bool ran(const struct relaxing *r, const struct machine *m, uint32_t id)
{
    return r->v->p->nodes[id] && machine_fact(m, 0, r->v->p->nodes[id]).count;
}

/* What a change only leaves out has no nodes: then what stands around it tells. */
bool relax_change_ran(const struct relaxing *r, const struct machine *m, const struct change *c)
{
    if (c->off)
        return false;
    for (uint32_t id = c->first; id < c->last; id++)
        if (ran(r, m, id))
            return true;
    const struct node *around = r->v->parent[c->edits[0].node];
    return c->first == c->last && (!around || !r->v->function[around->id] || ran(r, m, around->id));
}

/* Its own nodes were found undefined. */
static bool is_undefined_itself(const struct failure *x, const struct change *c)
{
    return x->at && c->first <= x->at->id && x->at->id < c->last;
}

/* It stands inside of what was found undefined: a subscript, a pointer that is followed. */
static bool stands_inside(const struct failure *x, const struct change *c)
{
    const struct vary *v = x->r->v;
    const struct node *n = c->edits[0].node < v->node_count ? v->p->nodes[c->edits[0].node] : NULL;
    while (n && n != x->at)
        n = v->parent[n->id];
    return x->at && n && c->edits[0].kind == EDIT_REPLACE;
}

/* It spoils the object that is read or followed there. */
static bool spoils_name(const struct failure *x, const struct change *c)
{
    const struct node *n = x->at;
    while (n && n->kind != NODE_NAME)
        n = n->count ? n->kid[0] : NULL;
    return c->object && n && n->u.decl == c->object;
}

/* It spoils an object of the name that the machine tells. */
static bool spoils_object(const struct failure *x, const struct change *c)
{
    return c->object && c->object->name && x->bad->object &&
           strcmp(c->object->name, x->bad->object) == 0;
}

/* The pointer's type, where one is followed. */
static const struct type *followed(const struct node *n)
{
    while (n && n->count && n->kid[0] && n->kid[0]->type &&
           n->kid[0]->type->canon->kind != TYPE_POINTER)
        n = n->kid[0];
    return n && n->count && n->kid[0] && n->kid[0]->type ? n->kid[0]->type->canon->unqual : NULL;
}

static bool is_null_of_type(const struct failure *x, const struct change *c)
{
    const struct node *n = x->r->v->p->nodes[c->edits[0].node];
    return x->bad->ub == UB_NULL && c->kind == RELAXATION_NULL_POINTER && n->type &&
           n->type->canon->unqual == followed(x->at);
}

static bool is_dangling(const struct failure *x, const struct change *c)
{
    return (x->bad->ub == UB_DANGLING || x->bad->ub == UB_INDETERMINATE) &&
           c->kind == RELAXATION_DANGLING;
}

/* A jump past what would have set the value. */
static bool jumps_over(const struct failure *x, const struct change *c)
{
    const struct vary *v = x->r->v;
    return x->bad->ub == UB_UNINIT && c->kind == RELAXATION_GOTO && x->at &&
           x->at->id < v->node_count && v->function[x->at->id] == v->function[c->edits[0].node];
}

/* A jump that leads back again and again, maybe past something that is printed. */
static bool jumps_for_ever(const struct failure *x, const struct change *c)
{
    enum { OFTEN = 1000 };
    return (x->bad->end == MACHINE_FUEL || x->bad->end == MACHINE_MEMORY) &&
           c->kind == RELAXATION_GOTO &&
           machine_fact(x->m, 0, c->edits[0].with->kid[1]).count > OFTEN;
}

struct change *relax_blame(const struct relaxing *r, const struct list *changes, size_t from,
                           const struct machine_execution *run)
{
    static points_at_fn *const signs[] = {is_undefined_itself, stands_inside,   spoils_name,
                                          spoils_object,       is_null_of_type, is_dangling,
                                          jumps_over,          jumps_for_ever};
    struct failure x = {r, run->machine, run->why, NULL};
    if (run->why->end == MACHINE_UNDEFINED)
        x.at = run->why->place.node;
    for (size_t k = 0; k < LENGTH(signs); k++)
        for (size_t i = from; i < changes->n; i++) {
            struct change *c = changes->at[i];
            if (!c->off && signs[k](&x, c) && relax_change_ran(r, run->machine, c))
                return c;
        }
    return NULL;
}
