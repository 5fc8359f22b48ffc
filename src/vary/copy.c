/* Statements of the program, copied to where they never stood.  Types decide what stands for a
 * variable that is not in scope there: one of the very same type that is, else a new one, declared
 * in a block around the copy.  What a copy cannot mean elsewhere (labels, inline assembly, a
 * builtin that looks at its function) makes it no copy at all. */
#include "vary/private.h"

#include <string.h>

struct copy {
    struct draw *d;
    struct node *at;   /* the copy stands before this one */
    struct node *root; /* what is copied */
    struct function *into;
    struct decl *from[16], *to[16];
    unsigned renamed;
    struct node *declared[16]; /* DECL of new variables */
    unsigned declared_count;
};

static struct node *copy_node(struct copy *c, struct node *n);

static bool rename_to(struct copy *c, struct decl *from, struct decl *to)
{
    if (c->renamed == LENGTH(c->from))
        return false;
    c->from[c->renamed] = from;
    c->to[c->renamed++] = to;
    return true;
}

static struct decl *declare_new(struct copy *c, struct decl *d)
{
    struct vary *v = c->d->v;
    if (c->declared_count == LENGTH(c->declared) || d->type->canon->flags & TYPE_VARIABLE ||
        !vary_is_complete_at(v, c->at, d->type) || !vary_type_is_visible(v, c->at, d->type))
        return NULL;
    struct decl *new = vary_fresh_variable(v, d->type);
    struct node *declaration = lang_declare(v->p, new, NULL);
    if (!declaration)
        return NULL;
    c->declared[c->declared_count++] = declaration;
    return new;
}

/* What the name becomes; NULL when nothing can stand for it. */
static struct decl *resolve(struct copy *c, struct decl *d)
{
    struct vary *v = c->d->v;
    for (unsigned i = 0; i < c->renamed; i++)
        if (c->from[i] == d)
            return c->to[i];
    if (!d->name || d->implicit || d->id >= v->decl_count)
        return NULL;
    if (d->kind == DECL_FUNC) {
        for (size_t i = 0; i < v->callable.n; i++)
            if (v->callable.at[i] == d)
                return vary_is_visible(v, c->at, d) ? d : NULL;
        return NULL;
    }
    if (d->kind != DECL_VAR && d->kind != DECL_PARAM)
        return NULL;
    bool linked = d->owner || v->decl_state[d->id] & DECL_LINKED;
    struct decl *to = linked && vary_is_visible(v, c->at, d) ? d : NULL;
    if (!to)
        to = vary_variable_of(c->d, c->at, d->type);
    if (!to)
        to = declare_new(c, d);
    return to && rename_to(c, d, to) ? to : NULL;
}

static struct node *copy_name(struct copy *c, const struct node *n)
{
    struct vary *v = c->d->v;
    if (n->u.decl->kind == DECL_ENUMERATOR)
        return lang_int(v->p, n->u.decl->value, n->type);
    struct decl *to = resolve(c, n->u.decl);
    if (!to)
        return NULL;
    struct node *name = vary_twin(v, n);
    name->u.decl = to;
    return name;
}

static struct node *copy_declarator(struct copy *c, struct node *n)
{
    struct vary *v = c->d->v;
    struct declarator *old = n->u.declarator;
    struct decl *d = old->decl;
    if (d->kind != DECL_VAR || d->storage != STORAGE_NONE || d->attrs || old->attrs ||
        old->asm_label || !vary_type_is_visible(v, c->at, old->type) ||
        !vary_is_complete_at(v, c->at, d->type))
        return NULL;
    struct decl *new = vary_fresh_variable(v, d->type);
    if (!rename_to(c, d, new))
        return NULL;
    struct node *init = n->kid[0] ? copy_node(c, n->kid[0]) : NULL;
    if (n->kid[0] && !init)
        return NULL;
    struct node *made = lang_node(v->p, NODE_DECLARATOR, &init, 1);
    made->type = n->type;
    made->u.declarator = NEW(&v->p->arena, struct declarator);
    *made->u.declarator = (struct declarator){.decl = new, .type = old->type};
    return made;
}

static struct node *copy_return(struct copy *c, struct node *n)
{
    struct vary *v = c->d->v;
    struct type *want = c->into->decl->type->canon->base;
    struct node *value = n->kid[0] ? copy_node(c, n->kid[0]) : NULL;
    if (n->kid[0] && !value)
        return NULL;
    if (value && value->type->unqual != want->unqual)
        return lang_node(v->p, NODE_EXPR_STMT, &value, 1);
    if (!value && want->kind != TYPE_VOID)
        return lang_node(v->p, NODE_EMPTY, NULL, 0);
    return lang_node(v->p, NODE_RETURN, &value, 1);
}

/* The node itself, when its kids are all there is to it. */
static bool is_copyable(const struct copy *c, const struct node *n)
{
    const struct vary *v = c->d->v;
    switch (n->kind) {
    case NODE_CAST:
        return n->flags & NODE_IMPLICIT || vary_type_is_visible(v, c->at, n->u.operand);
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
        return n->count && n->kid[0] ? !(n->kid[0]->type->flags & TYPE_VARIABLE)
                                     : vary_type_is_visible(v, c->at, n->u.operand) &&
                                           vary_is_settled_at(v, c->at, n->u.operand);
    case NODE_CASE:
        return vary_contains(v, c->root, n->u.case_->target);
    case NODE_DEFAULT:
        return vary_contains(v, c->root, n->u.target);
    case NODE_DECL:
        return !n->u.specs->attrs && !n->u.specs->alignas_count && !n->u.specs->thread &&
               n->u.specs->storage == STORAGE_NONE && vary_type_is_visible(v, c->at, n->type);
    case NODE_INT:
    case NODE_FLOAT:
    case NODE_STRING:
    case NODE_UNARY:
    case NODE_BINARY:
    case NODE_ASSIGN:
    case NODE_COND:
    case NODE_CALL:
    case NODE_INDEX:
    case NODE_MEMBER:
    case NODE_INIT:
    case NODE_BLOCK:
    case NODE_EXPR_STMT:
    case NODE_EMPTY:
    case NODE_IF:
    case NODE_SWITCH:
    case NODE_WHILE:
    case NODE_DO:
    case NODE_FOR:
        return true;
    default:
        return false;
    }
}

static struct node *copy_node(struct copy *c, struct node *n)
{
    struct vary *v = c->d->v;
    if (vary_is_expression(n) && !vary_is_settled_at(v, c->at, n->type))
        return NULL;
    switch (n->kind) {
    case NODE_NAME:
        return copy_name(c, n);
    case NODE_DECLARATOR:
        return copy_declarator(c, n);
    case NODE_RETURN:
        return copy_return(c, n);
    case NODE_BREAK:
    case NODE_CONTINUE:
        return vary_contains(v, c->root, n->u.target) ? vary_twin(v, n)
                                                      : lang_node(v->p, NODE_EMPTY, NULL, 0);
    default:
        break;
    }
    if (!is_copyable(c, n))
        return NULL;
    struct node *made = vary_twin(v, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !(made->kid[i] = copy_node(c, n->kid[i])))
            return NULL;
    return made;
}

enum { TRIES = 4 };

struct node *vary_copied_statement(struct draw *d, struct node *at)
{
    struct vary *v = d->v;
    for (unsigned i = 0; i < TRIES && v->parts.n; i++) {
        struct node *root = v->parts.at[rng_below(&d->rng, v->parts.n)];
        struct copy c = {.d = d, .at = at, .root = root, .into = v->function[at->id]};
        struct node *made = copy_node(&c, root);
        if (!made)
            continue;
        struct node *block = vary_block_of(v, NULL, 0);
        for (unsigned k = 0; k < c.declared_count; k++)
            lang_append(v->p, block, c.declared[k]);
        lang_append(v->p, block, made);
        return block;
    }
    return NULL;
}
