/* Relaxation of conflicts: where an expression reads an object and touches another one of the same
 * type, which may be the same, the read becomes a write as well. */
#include "vary/relax/private.h"

static bool is_stepped(const struct program *p, const struct node *lvalue)
{
    const struct type *t = lvalue->type;
    return lang_is_integer(t) && !lang_is_kind(t, TYPE_ENUM) && !lang_is_kind(t, TYPE_BOOL) &&
           lang_int_width(p, t) <= 64 && !(t->quals & (QUAL_CONST | QUAL_VOLATILE | QUAL_ATOMIC));
}

/* A read whose value is all that is seen of it. */
static bool is_read(const struct program *p, const struct node *n)
{
    if (n->kind != NODE_CAST || n->op != CONV_LVALUE || !is_stepped(p, n->kid[0]))
        return false;
    const struct node *l = n->kid[0];
    return l->kind == NODE_NAME || l->kind == NODE_INDEX ||
           (l->kind == NODE_UNARY && l->op == OP_DEREF) ||
           (l->kind == NODE_MEMBER && !l->u.field->is_bitfield);
}

static uint32_t count_accesses(const struct node *n, const struct type *t)
{
    uint32_t count = n->flags & NODE_LVALUE && n->type && n->type->unqual == t->unqual;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            count += count_accesses(n->kid[i], t);
    return count;
}

/* The largest expression around it. */
static const struct node *whole(const struct vary *v, const struct node *n)
{
    for (const struct node *up = v->parent[n->id]; up && vary_is_expression(up);
         up = v->parent[n->id])
        n = up;
    return n;
}

/* x++, --x, (x = x ^ 5) */
static struct node *write_of(struct draw *d, struct node *lvalue)
{
    static const enum op steps[] = {OP_POSTINC, OP_POSTDEC, OP_PREINC, OP_PREDEC};
    static const enum op ops[] = {OP_ASSIGN, OP_XOR, OP_AND, OP_OR};
    struct program *p = d->v->p;
    if (rng_chance(&d->rng, 60))
        return lang_unary(p, steps[rng_below(&d->rng, LENGTH(steps))], lvalue);
    struct node *number = vary_int_constant(d->v, rng_between(&d->rng, 0, 9),
                                            lang_basic(p, TYPE_INT));
    return lang_assign(p, ops[rng_below(&d->rng, LENGTH(ops))], lvalue, number);
}

static void look_at_read(struct offers *o, struct node *n)
{
    struct vary *v = o->r->v;
    struct draw d;
    if (!is_read(v->p, n) || v->place[n->id] & PLACE_CONSTANT)
        return;
    struct node *lvalue = n->kid[0];
    if (lvalue->end <= lvalue->begin || !relax_is_open(o->r, n) || !relax_is_open(o->r, lvalue) ||
        count_accesses(whole(v, n), lvalue->type) < 2 || !relax_takes(o, lvalue, &d))
        return;
    uint32_t first = lang_mark(v->p);
    struct node *write = write_of(&d, vary_twin(v, lvalue));
    if (write)
        relax_offer(o, EDIT_REPLACE, n, write, first);
}

void relax_CONFLICT(struct offers *o)
{
    relax_visit(o, look_at_read);
}
