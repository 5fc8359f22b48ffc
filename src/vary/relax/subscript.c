/* Relaxation of array bounds: subscripts become constants, variables, or an operator on both, and
 * nobody looks whether they fit. */
#include "vary/relax/private.h"

/* Elements of the array that is indexed; 0 when a pointer is. */
static uint64_t length_of(const struct node *base)
{
    const struct node *n = base;
    if (n->kind == NODE_CAST && n->op == CONV_ARRAY)
        return n->kid[0]->type->canon->u.count;
    return 0;
}

static struct node *number(struct draw *d, int64_t low, int64_t high)
{
    return vary_int_constant(d->v, rng_between(&d->rng, low, high), lang_basic(d->v->p, TYPE_INT));
}

static struct node *wild_number(struct draw *d, int64_t length)
{
    struct node *a = number(d, 0, length + 3);
    if (rng_chance(&d->rng, 50))
        return a;
    enum op op = rng_chance(&d->rng, 50) ? OP_MUL : OP_ADD;
    return lang_binary(d->v->p, op, a, number(d, 1, 5));
}

/* v % 3, v - 4, 7 + v, v & 3, v op w, 3 * 5 */
static struct node *subscript(struct draw *d, const struct node *at, int64_t length)
{
    static const enum op ops[] = {OP_SUB, OP_ADD, OP_MUL, OP_XOR, OP_AND, OP_DIV};
    struct program *p = d->v->p;
    struct decl *x = relax_integer_variable(d, at);
    int64_t top = length > 0 ? length : 4;
    if (!x || rng_chance(&d->rng, 15))
        return wild_number(d, top);
    struct node *name = lang_name(p, x);
    if (rng_chance(&d->rng, 25))
        return lang_binary(p, OP_REM, name, number(d, 1, top));
    if (rng_chance(&d->rng, 20))
        return lang_binary(p, OP_AND, name, number(d, 0, top - 1));
    enum op op = ops[rng_below(&d->rng, LENGTH(ops))];
    struct decl *y = rng_chance(&d->rng, 25) ? relax_integer_variable(d, at) : NULL;
    struct node *other = y ? lang_name(p, y) : number(d, 1, top + 1);
    return rng_chance(&d->rng, 25) ? lang_binary(p, op, other, name)
                                   : lang_binary(p, op, name, other);
}

static void look_at_index(struct offers *o, struct node *n)
{
    struct program *p = o->r->v->p;
    struct draw d;
    if (n->kind != NODE_INDEX || o->r->v->place[n->id] & PLACE_CONSTANT ||
        lang_is_kind(n->kid[0]->type, TYPE_VECTOR))
        return;
    bool swapped = lang_is_integer(n->kid[0]->type);
    struct node *at = relax_value(n->kid[swapped ? 0 : 1]);
    if (!relax_is_open(o->r, at) || at->end <= at->begin || !relax_takes(o, at, &d))
        return;
    uint32_t first = lang_mark(p);
    struct node *with = subscript(&d, at, (int64_t)length_of(n->kid[swapped ? 1 : 0]));
    if (with && with->type->canon->unqual != at->type->canon->unqual)
        with = lang_cast(p, at->type->canon->unqual, with);
    if (with)
        relax_offer(o, EDIT_REPLACE, at, with, first);
}

void relax_BOUNDS(struct offers *o)
{
    relax_visit(o, look_at_index);
}
