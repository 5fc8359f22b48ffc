/* Statements, declarations and function definitions, built. */
#include "lang/private.h"

struct node *lang_expr_stmt(struct program *p, struct node *a)
{
    a = lang_rvalue(p, a);
    struct node *n = lang_node(p, NODE_EXPR_STMT, &a, 1);
    n->begin = a->begin;
    n->end = a->end;
    return n;
}

struct node *lang_declare(struct program *p, struct decl *d, struct node *init)
{
    if (init) {
        init = lang_initialise(p, &d->type, init);
        if (!init)
            return NULL;
        d->init = init;
    }
    struct node *declarator = lang_node(p, NODE_DECLARATOR, &init, 1);
    declarator->u.declarator = NEW(&p->arena, struct declarator);
    *declarator->u.declarator = (struct declarator){d, d->type, d->attrs, NULL};
    declarator->type = d->type;
    d->node = declarator;
    struct node *n = lang_node(p, NODE_DECL, &declarator, 1);
    n->u.specs = NEW(&p->arena, struct specs);
    n->u.specs->storage = d->storage;
    n->u.specs->thread = d->thread;
    n->u.specs->inline_ = d->inline_;
    struct type *spec = d->type;
    while (spec->kind == TYPE_POINTER || spec->kind == TYPE_ARRAY || spec->kind == TYPE_FUNCTION)
        spec = spec->base;
    n->type = spec;
    return n;
}

struct node *lang_return(struct program *p, struct function *f, struct node *a)
{
    struct type *result = f->decl->type->canon->base;
    if (a && result->kind != TYPE_VOID)
        a = lang_convert(p, a, result);
    else if (a)
        a = lang_rvalue(p, a);
    else
        return lang_node(p, NODE_RETURN, (struct node *[1]){NULL}, 1);
    return a ? lang_node(p, NODE_RETURN, &a, 1) : NULL;
}

struct function *lang_define(struct program *p, struct decl *d, struct decl **params, uint32_t n)
{
    struct function *f = NEW(&p->arena, struct function);
    f->decl = d;
    f->params = params;
    f->param_count = n;
    f->specs = NEW(&p->arena, struct specs);
    f->specs->storage = d->storage;
    f->specs->inline_ = d->inline_;
    f->body = lang_node(p, NODE_BLOCK, NULL, 0);
    f->index = (uint32_t)p->functions.n;
    d->body = f;
    for (uint32_t i = 0; i < n; i++)
        params[i]->owner = f;
    struct node *declarator = lang_node(p, NODE_DECLARATOR, (struct node *[1]){NULL}, 1);
    declarator->u.declarator = NEW(&p->arena, struct declarator);
    *declarator->u.declarator = (struct declarator){d, d->type, NULL, NULL};
    declarator->type = d->type;
    d->node = declarator;
    f->node = lang_node(p, NODE_FUNCTION, (struct node *[2]){declarator, f->body}, 2);
    f->node->u.function = f;
    struct type *spec = d->type;
    while (spec->kind == TYPE_POINTER || spec->kind == TYPE_ARRAY || spec->kind == TYPE_FUNCTION)
        spec = spec->base;
    f->node->type = spec;
    list_add(&p->arena, &p->functions, f);
    return f;
}

bool lang_sticks_to_next(const struct node *n)
{
    return n->kind == NODE_PRAGMA || n->kind == NODE_ATTRIBUTE;
}
