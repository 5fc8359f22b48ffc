/* What pointers are based on (C11 6.7.3.1p3), as far as the text of one function tells: the watch
 * of restrict.c needs it.
 *
 * A restrict pointer that is only ever moved is based on itself.  A parameter that is not restrict
 * got its value before the function's block began, so it is based on none of them; nor is an
 * address of an object that is named.  A variable is based on what all of its values are based on.
 * Whatever else there is (values from memory, from calls, from integers) is unknown, and not looked
 * at. */
#include "machine/compile/private.h"

/* The variable that a pointer is written with: p, p++, p += i, or p plus or minus something. */
static const struct decl *pointer_base(const struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    if (n->kind == NODE_NAME)
        return n->u.decl;
    bool cast = n->kind == NODE_CAST && (n->op == CONV_LVALUE || n->op == CONV_NOOP);
    bool moved = n->kind == NODE_BINARY && (n->op == OP_ADD || n->op == OP_SUB) &&
                 n->kid[0]->type->kind == TYPE_POINTER;
    return cast || moved || is_step(n) || n->kind == NODE_ASSIGN ? pointer_base(c, n->kid[0])
                                                                 : NULL;
}

/* Does something give d a value that is not itself, moved?  Then its name does not tell any more
 * what it is based on. */
static bool is_reset(const struct compiler *c, const struct node *n, const struct decl *d)
{
    n = edited_node(c->u, n);
    if (n->kind == NODE_ASSIGN && n->op == OP_ASSIGN && pointer_base(c, n->kid[0]) == d &&
        n->kid[0]->kind == NODE_NAME && pointer_base(c, n->kid[1]) != d)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && is_reset(c, n->kid[i], d))
            return true;
    return false;
}

static bool is_restrict(const struct decl *d)
{
    if (!d->type)
        return false;
    const struct type *t = d->type->canon;
    return t->kind == TYPE_POINTER && t->quals & QUAL_RESTRICT;
}

static void note_restrict(struct compiler *c, const struct decl *d)
{
    if (is_restrict(d) && !d->address_taken && !c->u->inserts &&
        c->restrict_count < LENGTH(c->restricts) && !is_reset(c, c->f->body->body, d))
        c->restricts[c->restrict_count++] = d;
}

static bool names_restrict(const struct node *n)
{
    if (n->kind == NODE_NAME && n->u.decl->type && is_restrict(n->u.decl))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && names_restrict(n->kid[i]))
            return true;
    return false;
}

/* Variables of the function's own block: it ends with the function.  What is initialised with
 * another restrict pointer is based on that one too, and left alone. */
static void note_restrict_variables(struct compiler *c, const struct node *body)
{
    for (uint32_t i = 0; i < body->count; i++) {
        const struct node *n = edited_node(c->u, body->kid[i]);
        for (uint32_t k = 0; n && n->kind == NODE_DECL && k < n->count; k++) {
            if (!n->kid[k] || n->kid[k]->kind != NODE_DECLARATOR)
                continue;
            const struct decl *d = n->kid[k]->u.declarator->decl;
            const struct node *init = d->kind == DECL_VAR && !d->is_static ? init_of(c, d) : NULL;
            if (init && init->kind != NODE_INIT && !names_restrict(init))
                note_restrict(c, d);
        }
    }
}

/* ---- what an expression is based on ----------------------------------------------------- */

/* A null pointer: based on nothing, and no lvalue. */
enum { BASED_NULL = 8 };

/* A plain pointer variable whose values are all based on the same. */
struct based {
    const struct decl *decl;
    uint8_t on;
};

static struct based *based_find(const struct compiler *c, const struct decl *d)
{
    for (size_t i = 0; i < c->based.n; i++)
        if (((struct based *)c->based.at[i])->decl == d)
            return c->based.at[i];
    return NULL;
}

static uint8_t based_on_decl(const struct compiler *c, const struct decl *d)
{
    for (uint8_t i = 0; i < c->restrict_count; i++)
        if (c->restricts[i] == d)
            return (uint8_t)(i + 1);
    const struct based *b = based_find(c, d);
    return b ? b->on : 0;
}

/* Of the address of an lvalue. */
static uint8_t based_on_address(const struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    if (n->kind == NODE_NAME)
        return n->u.decl->kind == DECL_VAR || n->u.decl->kind == DECL_PARAM ? BASED_OTHER : 0;
    if (n->kind == NODE_UNARY && n->op == OP_DEREF)
        return based_on(c, n->kid[0]);
    if (n->kind == NODE_MEMBER)
        return n->flags & NODE_ARROW ? based_on(c, n->kid[0]) : based_on_address(c, n->kid[0]);
    if (n->kind == NODE_INDEX && n->kid[0]->type->kind == TYPE_POINTER)
        return based_on(c, n->kid[0]);
    return 0;
}

uint8_t based_on(const struct compiler *c, const struct node *n)
{
    if (!c->restrict_count)
        return 0;
    n = edited_node(c->u, n);
    if (n->kind == NODE_NAME)
        return based_on_decl(c, n->u.decl);
    if (n->kind == NODE_CAST) {
        if (n->op == CONV_NULL)
            return BASED_NULL;
        if (n->op == CONV_ARRAY)
            return based_on_address(c, n->kid[0]);
        bool same = n->op == CONV_LVALUE ? n->kid[0]->kind == NODE_NAME
                                         : n->op == CONV_NOOP || n->op == CONV_PTR;
        return same ? based_on(c, n->kid[0]) : 0;
    }
    if (n->kind == NODE_UNARY && n->op == OP_ADDR)
        return based_on_address(c, n->kid[0]);
    bool moved = n->kind == NODE_BINARY && (n->op == OP_ADD || n->op == OP_SUB) &&
                 n->kid[0]->type->kind == TYPE_POINTER;
    return moved || is_step(n) || n->kind == NODE_ASSIGN ? based_on(c, n->kid[0]) : 0;
}

/* ---- variables -------------------------------------------------------------------------- */

static uint8_t join(uint8_t a, uint8_t b)
{
    return a == BASED_NULL ? b : b == BASED_NULL || a == b ? a : 0;
}

/* What all values are based on that n gives to d by assignment. */
static uint8_t based_values(const struct compiler *c, const struct node *n, const struct decl *d)
{
    uint8_t on = BASED_NULL;
    n = edited_node(c->u, n);
    if (n->kind == NODE_ASSIGN && n->op == OP_ASSIGN && n->kid[0]->kind == NODE_NAME &&
        n->kid[0]->u.decl == d && pointer_base(c, n->kid[1]) != d)
        on = based_on(c, n->kid[1]);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            on = join(on, based_values(c, n->kid[i], d));
    return on;
}

static void note_based(struct compiler *c, const struct decl *d, uint8_t first)
{
    if (d->type->canon->kind != TYPE_POINTER || d->address_taken || is_restrict(d))
        return;
    uint8_t on = join(first, based_values(c, c->f->body->body, d));
    if (!on || on == BASED_NULL)
        return;
    struct based *b = NEW(&c->m->arena, struct based);
    *b = (struct based){d, on};
    list_add(&c->m->arena, &c->based, b);
}

/* Locals in the order of the text: one is known before another is made from it. */
static void note_based_variables(struct compiler *c)
{
    const struct list *locals = &c->f->body->locals;
    for (size_t i = 0; i < locals->n; i++) {
        const struct decl *d = locals->at[i];
        if (d->kind != DECL_VAR || d->is_static || d->linkage != LINKAGE_NONE)
            continue;
        const struct node *init = init_of(c, d);
        bool list = init && init->kind == NODE_INIT;
        note_based(c, d, list ? 0 : init ? based_on(c, init) : (uint8_t)BASED_NULL);
    }
}

void based_prepare(struct compiler *c, const struct node *body)
{
    const struct function *f = c->f->body;
    for (uint32_t i = 0; i < f->param_count; i++)
        note_restrict(c, f->params[i]);
    note_restrict_variables(c, body);
    if (!c->restrict_count || c->u->inserts)
        return;
    for (uint32_t i = 0; i < f->param_count; i++)
        note_based(c, f->params[i], BASED_OTHER);
    note_based_variables(c);
}

/* A parameter, or declared in the function's own block: those live in the same block. */
static bool in_own_block(const struct compiler *c, const struct decl *d)
{
    const struct node *body = c->f->body ? c->f->body->body : NULL;
    if (d->kind == DECL_PARAM)
        return true;
    for (uint32_t i = 0; body && d->kind == DECL_VAR && i < body->count; i++)
        for (uint32_t k = 0; body->kid[i]->kind == NODE_DECL && k < body->kid[i]->count; k++) {
            const struct node *n = body->kid[i]->kid[k];
            if (n && n->kind == NODE_DECLARATOR && n->u.declarator->decl == d)
                return !d->is_static && d->storage != STORAGE_EXTERN;
        }
    return false;
}

/* C11 6.7.3.1p4: a restrict pointer may not be given the value of another of the same block. */
bool based_on_sibling(const struct compiler *c, const struct node *assign)
{
    const struct node *to = edited_node(c->u, assign->kid[0]);
    const struct decl *from = pointer_base(c, assign->kid[1]);
    return to->kind == NODE_NAME && from && from != to->u.decl && is_restrict(to->u.decl) &&
           is_restrict(from) && to->u.decl->kind == from->kind && in_own_block(c, to->u.decl) &&
           in_own_block(c, from);
}
