/* Relaxation of initialisation: variables, arrays and unions lose their initialisers, and arrays
 * the loops that fill them. */
#include "vary/relax/private.h"

/* Does the type need the initialiser: int a[] = ..., __auto_type? */
static bool is_typed_without(const struct node *declarator)
{
    for (const struct type *t = declarator->u.declarator->type; t; t = t->base) {
        if (t->flags & TYPE_UNSIZED || t->kind == TYPE_AUTO)
            return false;
        if (t->kind != TYPE_ARRAY && t->kind != TYPE_POINTER)
            break;
    }
    return true;
}

static void look_at_initialiser(struct offers *o, struct node *n)
{
    struct draw d;
    if (n->kind != NODE_DECLARATOR || !n->count || !n->kid[0])
        return;
    struct decl *x = n->u.declarator->decl;
    if (x->kind != DECL_VAR || !x->name || x->implicit || !is_typed_without(n) ||
        !relax_is_open(o->r, n->kid[0]) || !relax_takes(o, n, &d))
        return;
    uint32_t first = lang_mark(o->r->v->p);
    struct change *c = relax_offer(o, EDIT_DROP, n->kid[0], NULL, first);
    c->object = x;
}

/* ---- loops that fill an array ------------------------------------------------------------- */

static struct decl *array_of(const struct node *lvalue)
{
    while (lvalue->kind == NODE_INDEX || lvalue->kind == NODE_CAST)
        lvalue = lvalue->kid[0];
    return lvalue->kind == NODE_NAME && lang_is_kind(lvalue->u.decl->type, TYPE_ARRAY)
               ? lvalue->u.decl
               : NULL;
}

/* The local array that this statement fills, and does nothing else; or NULL. */
static struct decl *filled_by(const struct node *n)
{
    if (n->kind == NODE_BLOCK)
        return n->count == 1 ? filled_by(n->kid[0]) : NULL;
    if (n->kind == NODE_FOR)
        return filled_by(n->kid[3]);
    if (n->kind != NODE_EXPR_STMT)
        return NULL;
    const struct node *a = vary_written(n->kid[0]);
    if (a->kind != NODE_ASSIGN || a->op != OP_ASSIGN || a->kid[0]->kind != NODE_INDEX ||
        !vary_is_pure(a->kid[1]))
        return NULL;
    struct decl *x = array_of(a->kid[0]);
    return x && x->owner && !x->is_static ? x : NULL;
}

static void look_at_filling(struct offers *o, struct node *n)
{
    struct draw d;
    if (n->kind != NODE_FOR || !(o->r->v->place[n->id] & PLACE_LOOSE) || !relax_is_open(o->r, n))
        return;
    struct decl *x = filled_by(n);
    if (!x || !relax_takes(o, n, &d))
        return;
    struct change *c = relax_offer(o, EDIT_DROP, n, NULL, lang_mark(o->r->v->p));
    c->object = x;
}

void relax_UNINITIALISED(struct offers *o)
{
    relax_visit_globals(o, look_at_initialiser);
    relax_visit(o, look_at_initialiser);
    relax_visit(o, look_at_filling);
}
