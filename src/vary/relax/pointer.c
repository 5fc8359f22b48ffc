/* Relaxations of pointers: null where an address stood, another pointer followed, the address of an
 * object that ends before its pointer does, and a parameter's address passed on. */
#include "vary/relax/private.h"

static bool is_pointer(const struct node *n)
{
    return n->type && n->type->canon->kind == TYPE_POINTER &&
           n->type->canon->base->kind != TYPE_FUNCTION;
}

/* ---- null --------------------------------------------------------------------------------- */

/* x is the object that gets it, or NULL. */
static void offer_null(struct offers *o, struct node *n, struct decl *x)
{
    struct program *p = o->r->v->p;
    struct draw d;
    n = relax_value(n);
    if (!is_pointer(n) || n->end <= n->begin || !relax_is_open(o->r, n) ||
        lang_is_null_constant(p, n) || !relax_takes(o, n, &d))
        return;
    uint32_t first = lang_mark(p);
    struct type *t = lang_pointer(p, lang_basic(p, TYPE_VOID));
    struct node *null = lang_cast(p, t, lang_int(p, 0, lang_basic(p, TYPE_INT)));
    relax_offer(o, EDIT_REPLACE, n, null, first)->object = x;
}

/* *q for *p: q may be anything. */
static void offer_other_pointer(struct offers *o, struct node *n)
{
    struct program *p = o->r->v->p;
    struct draw d;
    n = vary_written(n);
    if (n->kind != NODE_NAME || !is_pointer(n) || !relax_is_open(o->r, n) ||
        o->r->v->place[n->id] & PLACE_CONSTANT || !relax_takes(o, n, &d))
        return;
    struct decl *q = vary_variable_of(&d, n, n->type);
    if (!q || q == n->u.decl)
        return;
    uint32_t first = lang_mark(p);
    relax_offer(o, EDIT_REPLACE, n, lang_name(p, q), first);
}

static void offer_null_arguments(struct offers *o, struct node *call)
{
    const struct node *callee = vary_written(call->kid[0]);
    const struct function *f = callee->kind == NODE_NAME ? callee->u.decl->body : NULL;
    for (uint32_t i = 1; f && i < call->count; i++)
        offer_null(o, call->kid[i], i <= f->param_count ? f->params[i - 1] : NULL);
}

static void look_at_null(struct offers *o, struct node *n)
{
    if (o->r->v->place[n->id] & PLACE_CONSTANT)
        return;
    if (n->kind == NODE_ASSIGN && n->op == OP_ASSIGN && is_pointer(n))
        offer_null(o, n->kid[1], n->kid[0]->kind == NODE_NAME ? n->kid[0]->u.decl : NULL);
    else if (n->kind == NODE_CALL)
        offer_null_arguments(o, n);
    if (n->kind == NODE_UNARY && n->op == OP_DEREF)
        offer_other_pointer(o, n->kid[0]);
    if (n->kind == NODE_MEMBER && n->flags & NODE_ARROW)
        offer_other_pointer(o, n->kid[0]);
}

static void look_at_pointer_initialiser(struct offers *o, struct node *n)
{
    if (n->kind == NODE_DECLARATOR && n->count && n->kid[0] &&
        n->u.declarator->decl->kind == DECL_VAR && n->kid[0]->kind != NODE_INIT)
        offer_null(o, n->kid[0], n->u.declarator->decl);
}

void relax_NULL_POINTER(struct offers *o)
{
    relax_visit_globals(o, look_at_pointer_initialiser);
    relax_visit(o, look_at_pointer_initialiser);
    relax_visit(o, look_at_null);
}

/* ---- dangling ----------------------------------------------------------------------------- */

/* The last statement of the block that something can be put before. */
static struct node *last_slot(const struct vary *v, const struct node *block, uint32_t after)
{
    for (uint32_t i = block->count; i-- > after + 1;)
        if (v->place[block->kid[i]->id] & PLACE_SLOT)
            return block->kid[i];
    return NULL;
}

static bool has_address(const struct decl *d)
{
    return d->kind == DECL_VAR && d->owner && !d->is_static && d->name &&
           d->storage != STORAGE_REGISTER && !(d->type->canon->flags & TYPE_VARIABLE) &&
           lang_is_complete(d->type);
}

/* p = &x at the end of x's block, p being declared outside of it. */
static void offer_dangling(struct offers *o, struct node *block, uint32_t at, struct decl *x)
{
    struct program *p = o->r->v->p;
    struct node *slot = last_slot(o->r->v, block, at);
    struct draw d;
    if (!slot || !has_address(x) || !vary_is_visible(o->r->v, slot, x) ||
        !relax_takes(o, block->kid[at], &d))
        return;
    struct decl *pointer = vary_variable_of(&d, block, lang_pointer(p, x->type->canon));
    if (!pointer || !vary_is_visible(o->r->v, slot, pointer))
        return;
    uint32_t first = lang_mark(p);
    struct node *address = lang_unary(p, OP_ADDR, lang_name(p, x));
    struct node *set = lang_assign(p, OP_ASSIGN, lang_name(p, pointer), address);
    if (set)
        relax_offer(o, EDIT_INSERT, slot, lang_expr_stmt(p, set), first)->object = x;
}

static void look_at_block(struct offers *o, struct node *n)
{
    if (n->kind != NODE_BLOCK)
        return;
    for (uint32_t i = 0; i < n->count; i++) {
        const struct node *decl = n->kid[i];
        for (uint32_t k = 0; decl->kind == NODE_DECL && k < decl->count; k++)
            if (decl->kid[k] && decl->kid[k]->kind == NODE_DECLARATOR)
                offer_dangling(o, n, i, decl->kid[k]->u.declarator->decl);
    }
}

void relax_DANGLING(struct offers *o)
{
    relax_visit(o, look_at_block);
}

/* ---- addresses of parameters -------------------------------------------------------------- */

static struct decl *parameter_of(struct draw *d, const struct node *at, const struct type *t)
{
    const struct function *f = d->v->function[at->id];
    struct decl *found = NULL;
    unsigned n = 0;
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct decl *x = f->params[i];
        if (x->name && x->storage != STORAGE_REGISTER &&
            x->type->canon->unqual == t->canon->unqual &&
            !(x->type->canon->quals & ~t->canon->quals) && vary_is_visible(d->v, at, x) &&
            rng_below(&d->rng, ++n) == 0)
            found = x;
    }
    return found;
}

static void offer_address(struct offers *o, struct node *n)
{
    struct program *p = o->r->v->p;
    struct draw d;
    n = relax_value(n);
    if (!is_pointer(n) || n->end <= n->begin || !relax_is_open(o->r, n) || !relax_takes(o, n, &d))
        return;
    struct decl *x = parameter_of(&d, n, n->type->canon->base);
    if (!x)
        return;
    uint32_t first = lang_mark(p);
    relax_offer(o, EDIT_REPLACE, n, lang_unary(p, OP_ADDR, lang_name(p, x)), first);
}

static void look_at_call(struct offers *o, struct node *n)
{
    if (n->kind != NODE_CALL || o->r->v->place[n->id] & PLACE_CONSTANT)
        return;
    const struct node *callee = vary_written(n->kid[0]);
    for (uint32_t i = 1; i < n->count; i++)
        if (callee->kind == NODE_NAME && callee->u.decl->body)
            offer_address(o, n->kid[i]);
}

void relax_PARAMETER(struct offers *o)
{
    relax_visit(o, look_at_call);
}
