/* Calls that compilers may drop, or make one of two, because the function is declared const or
 * pure: what is accessed in such a call is not claimed.  Takes a program, looks at every function
 * that such a call can reach; what calls through a pointer can reach them all. */
#include "access/private.h"

struct reach {
    struct arena *a;
    const struct program *p;
    bool *in; /* by function */
    struct list found;
    bool touches; /* the function that is looked at may access a volatile object that is watched */
};

static void add(struct reach *r, struct function *f)
{
    if (r->in[f->index])
        return;
    r->in[f->index] = true;
    list_add(r->a, &r->found, f);
}

static void add_all(struct reach *r)
{
    for (size_t i = 0; i < r->p->functions.n; i++)
        add(r, r->p->functions.at[i]);
}

static bool may_touch(const struct node *n)
{
    if (n->kind == NODE_NAME)
        return n->u.decl->kind == DECL_VAR && n->u.decl->is_static &&
               access_has_volatile(n->u.decl->type);
    return n->flags & NODE_LVALUE && n->type && access_has_volatile(n->type) &&
           (n->kind == NODE_UNARY || n->kind == NODE_INDEX ||
            (n->kind == NODE_MEMBER && n->flags & NODE_ARROW));
}

static bool is_direct(const struct node *callee)
{
    while (callee->kind == NODE_CAST)
        callee = callee->kid[0];
    return callee->kind == NODE_NAME && callee->u.decl->kind == DECL_FUNC;
}

static void look(struct reach *r, const struct node *n)
{
    r->touches |= may_touch(n);
    if (n->kind == NODE_NAME && n->u.decl->kind == DECL_FUNC && n->u.decl->body)
        add(r, n->u.decl->body);
    if (n->kind == NODE_CALL && !is_direct(n->kid[0]))
        add_all(r);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            look(r, n->kid[i]);
}

static bool has_pure_member(const struct program *p)
{
    for (size_t i = 0; i < p->records.n; i++) {
        const struct record *record = p->records.at[i];
        for (uint32_t k = 0; k < record->count; k++)
            if (lang_promises_purity(record->fields[k]->attrs, record->fields[k]->type))
                return true;
    }
    return false;
}

static bool has_pure_cast(const struct program *p)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct node *n = p->nodes[i];
        if (n && n->kind == NODE_CAST && !(n->flags & NODE_IMPLICIT) &&
            lang_promises_purity(NULL, n->u.operand))
            return true;
    }
    return false;
}

static void add_roots(struct reach *r)
{
    for (size_t i = 0; i < r->p->decls.n; i++) {
        const struct decl *d = r->p->decls.at[i];
        if (!lang_may_lose_calls(d))
            continue;
        if (d->kind == DECL_FUNC)
            add(r, d->body);
        else
            add_all(r);
    }
    if (has_pure_member(r->p) || has_pure_cast(r->p))
        add_all(r);
}

const char *access_why_lost(struct arena *a, const struct program *p)
{
    struct reach r = {.a = a, .p = p, .in = NEW_ARRAY(a, p->functions.n + 1, bool)};
    add_roots(&r);
    for (size_t i = 0; i < r.found.n; i++) {
        const struct function *f = r.found.at[i];
        if (f->body)
            look(&r, f->body);
        if (r.touches)
            return arena_printf(a,
                                "%s accesses a volatile object, and a function that is declared "
                                "const or pure may call it, or is it: such calls may be dropped",
                                f->decl->name);
    }
    return NULL;
}
