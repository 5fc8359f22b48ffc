/* Where everything of a unit stands, and small questions about it. */
#include "reduce/private.h"

#include <string.h>

struct node *view_written(struct node *n)
{
    while (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT)
        n = n->kid[0];
    return n;
}

static bool is_implicit(const struct node *n)
{
    return n->flags & NODE_IMPLICIT && (n->kind == NODE_CAST || n->kind == NODE_MEMBER);
}

struct node *view_value(const struct view *v, struct node *n)
{
    while (v->parent[n->id] && v->parent[n->id]->kind == NODE_CAST &&
           v->parent[n->id]->flags & NODE_IMPLICIT)
        n = v->parent[n->id];
    return n;
}

struct node *view_up(const struct view *v, const struct node *n)
{
    struct node *up = v->parent[n->id];
    while (up && is_implicit(up))
        up = v->parent[up->id];
    return up;
}

bool view_is_expr(const struct node *n)
{
    return lang_node_info[n->kind].class == NODE_CLASS_EXPR;
}

bool view_is_stmt(const struct node *n)
{
    return lang_node_info[n->kind].class == NODE_CLASS_STMT;
}

bool view_is_store(const struct node *n)
{
    return n->kind == NODE_ASSIGN || (n->kind == NODE_UNARY && n->op <= OP_PREDEC);
}

bool view_stands_free(const struct view *v, const struct node *n)
{
    const struct node *up = v->parent[n->id];
    return up && (up->kind == NODE_BLOCK || up->kind == NODE_UNIT || up->kind == NODE_RECORD);
}

bool view_is_value(const struct view *v, struct node *n)
{
    if (!view_is_expr(n) || n->flags & NODE_IMPLICIT || n->begin >= n->end)
        return false;
    struct node *up = v->parent[n->id], *top = view_value(v, n);
    if (!up || n->kind == NODE_INIT || n->kind == NODE_DESIGNATED || !lang_is_scalar(top->type))
        return false;
    if (n->flags & NODE_LVALUE)
        return up->kind == NODE_CAST && up->flags & NODE_IMPLICIT && up->op == CONV_LVALUE;
    return up->kind != NODE_EXPR_STMT && !(up->kind == NODE_CAST && up->op == CONV_VOID);
}

bool view_is_constant(const struct node *n)
{
    if (n->kind == NODE_UNARY && n->op == OP_NEG)
        return view_is_constant(n->kid[0]);
    return n->kind == NODE_INT || n->kind == NODE_FLOAT || n->kind == NODE_STRING;
}

struct node *view_statement(const struct view *v, struct node *n)
{
    while (n && !view_is_stmt(n) && n->kind != NODE_DECL)
        n = v->parent[n->id];
    return n;
}

struct node *view_alone(const struct view *v, struct node *n)
{
    struct node *up = view_up(v, n);
    while (up && up->kind == NODE_CAST && up->op == CONV_VOID)
        up = view_up(v, up);
    return up && up->kind == NODE_EXPR_STMT ? up : NULL;
}

char *view_source(const struct view *v, struct arena *a, uint32_t begin, uint32_t end)
{
    return arena_copy(a, v->text + begin, end - begin);
}

struct decl *view_called(const struct node *call)
{
    const struct node *callee = view_written(call->kid[0]);
    bool direct = callee->kind == NODE_NAME && callee->u.decl->kind == DECL_FUNC;
    return direct ? callee->u.decl : NULL;
}

/* ---- the tree --------------------------------------------------------------------------- */

static void walk(struct view *v, struct arena *a, struct node *n, struct node *parent);

/* Bodies and lengths that are written inside of a type. */
static void walk_type(struct view *v, struct arena *a, const struct type *t, struct node *parent)
{
    for (; t; t = t->base) {
        if (t->kind == TYPE_DEFINITION) {
            walk(v, a, t->u.body, parent);
            return;
        }
        if (t->kind == TYPE_ARRAY && t->u.length && t != t->canon)
            walk(v, a, t->u.length, parent);
        if (t->kind == TYPE_TYPEOF && t->u.expr)
            walk(v, a, t->u.expr, parent);
        if (t->kind == TYPE_TYPEDEF)
            return;
    }
}

static void note(struct view *v, struct arena *a, struct node *n)
{
    if (n->kind == NODE_NAME)
        list_add(a, &v->names[n->u.decl->id], n);
    else if (n->kind == NODE_DECLARATOR)
        list_add(a, &v->places[n->u.declarator->decl->id], n);
    else if (n->kind == NODE_ENUMERATOR)
        list_add(a, &v->places[n->u.decl->id], n);
    else if (n->kind == NODE_GOTO || n->kind == NODE_LABEL_ADDR)
        list_add(a, &v->jumps, n);
    if (n->kind == NODE_DECL || n->kind == NODE_DECLARATOR || n->kind == NODE_FUNCTION ||
        n->kind == NODE_FIELD)
        walk_type(v, a, n->type, n);
    else if ((n->kind == NODE_CAST && !(n->flags & NODE_IMPLICIT)) || n->kind == NODE_SIZEOF)
        walk_type(v, a, n->u.operand, n);
}

static void walk(struct view *v, struct arena *a, struct node *n, struct node *parent)
{
    if (v->parent[n->id])
        return;
    v->parent[n->id] = parent;
    v->depth[n->id] = parent ? v->depth[parent->id] + 1 : 0;
    list_add(a, &v->order, n);
    note(v, a, n);
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            walk(v, a, n->kid[i], n);
}

void view_open(struct view *v, struct arena *a)
{
    tokens_scan(a, v->text, v->size, &v->tokens);
    if (!v->p)
        return;
    v->parent = NEW_ARRAY(a, v->p->node_count, struct node *);
    v->depth = NEW_ARRAY(a, v->p->node_count, uint32_t);
    v->names = NEW_ARRAY(a, v->p->decls.n, struct list);
    v->places = NEW_ARRAY(a, v->p->decls.n, struct list);
    walk(v, a, v->p->unit, NULL);
}
