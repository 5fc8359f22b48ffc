/* Where everything stands: parents, order, functions, the names of each point, what the linker
 * knows.  Takes the program and its facts, fills the tables of struct vary. */
#include "vary/private.h"

#include <string.h>

bool vary_is_statement(const struct node *n)
{
    return lang_node_info[n->kind].class == NODE_CLASS_STMT;
}

bool vary_is_expression(const struct node *n)
{
    return lang_node_info[n->kind].class == NODE_CLASS_EXPR;
}

bool vary_contains(const struct vary *v, const struct node *outer, const struct node *inner)
{
    return v->seq[outer->id] <= v->seq[inner->id] && v->seq[inner->id] < v->end[outer->id];
}

struct node *vary_written(struct node *n)
{
    while (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT)
        n = n->kid[0];
    return n;
}

struct type *vary_value_type(struct node *n)
{
    return n->type->unqual;
}

struct node *vary_statement_of(const struct vary *v, struct node *n)
{
    while (n && !vary_is_statement(n) && n->kind != NODE_DECLARATOR)
        n = v->parent[n->id];
    return n;
}

bool vary_has_attr(const struct decl *d, const char *name)
{
    for (const struct attr *a = d->attrs; a; a = a->next)
        if (strcmp(a->name, name) == 0)
            return true;
    return false;
}

static bool reads_quietly(const struct node *lvalue)
{
    return !(lvalue->type->canon->quals & (QUAL_VOLATILE | QUAL_ATOMIC));
}

/* Its operands included; but is the value of an lvalue read?  That is its parent's to say. */
static bool has_no_effect(const struct node *n)
{
    switch (n->kind) {
    case NODE_INT:
    case NODE_FLOAT:
    case NODE_STRING:
    case NODE_NAME:
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
        return !(n->kind == NODE_SIZEOF && n->count && n->kid[0]);
    case NODE_UNARY:
        if (n->op == OP_POSTINC || n->op == OP_POSTDEC || n->op == OP_PREINC || n->op == OP_PREDEC)
            return false;
        break;
    case NODE_CAST:
        if (n->op == CONV_LVALUE && !reads_quietly(n->kid[0]))
            return false;
        break;
    case NODE_BINARY:
    case NODE_COND:
    case NODE_INDEX:
    case NODE_MEMBER:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !has_no_effect(n->kid[i]))
            return false;
    return true;
}

/* An array is not read where it stands: its address is taken. */
bool vary_is_pure(const struct node *n)
{
    return has_no_effect(n) && (n->type->canon->kind == TYPE_ARRAY || reads_quietly(n));
}

/* ---- names ------------------------------------------------------------------------------ */

struct walk {
    struct vary *v;
    struct function *function; /* NULL outside, and in system headers */
    const struct scope *scope;
    bool scope_is_local;
    uint32_t seq;
};

static void push(struct walk *w, struct decl *d)
{
    if (!d || !d->name)
        return;
    struct scope *s = NEW(&w->v->arena, struct scope);
    *s = (struct scope){d, w->scope};
    w->scope = s;
}

/* Tags and enumerators that a declaration inside of a function brings along. */
static void push_types(struct walk *w, const struct type *t)
{
    while (t && t->kind != TYPE_DEFINITION)
        t = t->base;
    if (!t)
        return;
    const struct node *body = t->u.body;
    const char *tag = body->kind == NODE_RECORD ? body->u.record->tag : body->u.enumeration->tag;
    if (tag)
        list_add(&w->v->arena, &w->v->local_tags, (void *)tag);
    if (body->kind == NODE_ENUM)
        for (uint32_t i = 0; i < body->u.enumeration->count; i++)
            push(w, body->u.enumeration->values[i]);
}

static void walk(struct walk *w, struct node *n, struct node *parent);

static void walk_kids(struct walk *w, struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            walk(w, n->kid[i], n);
}

static void walk(struct walk *w, struct node *n, struct node *parent)
{
    struct vary *v = w->v;
    const struct scope *outer = w->scope;
    v->parent[n->id] = parent;
    v->seq[n->id] = w->seq++;
    v->function[n->id] = w->function;
    v->scope[n->id] = w->scope;
    walk_kids(w, n);
    if (n->kind == NODE_BLOCK || n->kind == NODE_FOR)
        w->scope = outer;
    if (n->kind == NODE_DECL && w->scope_is_local)
        push_types(w, n->type);
    if (n->kind == NODE_DECLARATOR && parent->kind != NODE_FUNCTION)
        push(w, n->u.declarator->decl);
    if (n->kind == NODE_FUNCTION)
        push(w, n->u.function->decl);
    v->end[n->id] = w->seq;
}

/* ---- file scope ------------------------------------------------------------------------- */

static void declare(struct vary *v, const struct decl *d, uint32_t seq)
{
    if (seq < v->declared[d->id])
        v->declared[d->id] = seq;
}

/* An array without its length is nothing to work with until another declaration gives it. */
static bool is_whole(const struct node *declarator)
{
    const struct declarator *d = declarator->u.declarator;
    return d->decl->kind != DECL_VAR || lang_is_complete(d->type) ||
           (declarator->count && declarator->kid[0]);
}

/* A new name for the walk into a function: what stands in a system header is not ours to edit. */
static void walk_function(struct walk *w, struct node *n)
{
    struct vary *v = w->v;
    struct function *f = n->u.function;
    declare(v, f->decl, w->seq);
    bool system = v->p->text && lang_place(v->p, n->begin).system;
    w->function = system ? NULL : f;
    w->scope = NULL;
    w->scope_is_local = true;
    for (uint32_t i = 0; i < f->param_count; i++)
        push(w, f->params[i]);
    walk(w, n, v->p->unit);
    w->scope_is_local = false;
    w->function = NULL;
    w->scope = NULL;
}

static void walk_file(struct vary *v)
{
    struct walk w = {.v = v, .seq = 1};
    struct node *unit = v->p->unit;
    for (uint32_t i = 0; i < unit->count; i++) {
        struct node *n = unit->kid[i];
        if (n->kind == NODE_FUNCTION) {
            walk_function(&w, n);
            continue;
        }
        for (uint32_t k = 0; n->kind == NODE_DECL && k < n->count; k++)
            if (n->kid[k]->kind == NODE_DECLARATOR && is_whole(n->kid[k]))
                declare(v, n->kid[k]->u.declarator->decl, w.seq + k);
        walk(&w, n, unit);
        w.scope = NULL;
    }
}

/* ---- what the linker knows -------------------------------------------------------------- */

/* Is it evaluated whenever its statement is executed? */
static bool is_unconditional(const struct vary *v, const struct node *n)
{
    for (const struct node *up; (up = v->parent[n->id]); n = up) {
        switch (up->kind) {
        case NODE_COND:
        case NODE_FOR:
            if (n != up->kid[0])
                return false;
            break;
        case NODE_BINARY:
            if ((up->op == OP_LAND || up->op == OP_LOR) && n != up->kid[0])
                return false;
            break;
        case NODE_SIZEOF:
        case NODE_ALIGNOF:
        case NODE_GENERIC:
        case NODE_CHOOSE:
        case NODE_TYPES_MATCH:
        case NODE_STATIC_ASSERT:
            return false;
        default:
            break;
        }
        if (vary_is_counted(up))
            return v->f->flags[up->id] & VARY_RAN;
        if (vary_is_statement(up))
            return false;
    }
    return false;
}

bool vary_is_defined(const struct decl *d)
{
    if (d->kind == DECL_FUNC)
        return d->body && (!d->inline_ || d->linkage == LINKAGE_INTERNAL);
    return d->kind == DECL_VAR && (d->init || d->storage != STORAGE_EXTERN);
}

static void find_linked(struct vary *v)
{
    for (uint32_t i = 0; i < v->node_count; i++) {
        const struct node *n = v->p->nodes[i];
        if (n->kind == NODE_NAME && v->seq[i] && n->u.decl->id < v->decl_count &&
            is_unconditional(v, n))
            v->decl_state[n->u.decl->id] |= DECL_LINKED;
    }
    for (uint32_t i = 0; i < v->decl_count; i++)
        if (vary_is_defined(v->p->decls.at[i]))
            v->decl_state[i] |= DECL_LINKED;
}

const struct decl *vary_loose_end(const struct vary *v)
{
    for (uint32_t i = 0; i < v->decl_count; i++) {
        const struct decl *d = v->p->decls.at[i];
        bool missing = d->inline_ || !(v->decl_state[i] & DECL_LINKED);
        if ((d->kind == DECL_FUNC || d->kind == DECL_VAR) && d->linkage == LINKAGE_EXTERNAL &&
            d->used && missing && !vary_is_defined(d) && !d->builtin && d->node &&
            !lang_is_of_library(v->p, d) &&
            !(v->p->text && lang_place(v->p, d->node->begin).system))
            return d;
    }
    return NULL;
}

const struct decl *vary_nested(const struct program *p)
{
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct function *f = p->functions.at[i];
        if (f->outer)
            return f->decl;
    }
    return NULL;
}

static bool is_callable(const struct decl *d)
{
    static const char *const special[] = {"always_inline", "error", "gnu_inline", "target",
                                          "naked",         "ifunc", "warning",    "returns_twice"};
    for (size_t i = 0; i < LENGTH(special); i++)
        if (vary_has_attr(d, special[i]))
            return false;
    return !d->implicit && d->name && !str_has_prefix(d->name, "__") &&
           strcmp(d->name, "main") != 0 && !strstr(d->name, "setjmp") &&
           strcmp(d->name, "alloca") != 0 && strcmp(d->name, "vfork") != 0;
}

/* A variable that may be named anywhere behind its declaration. */
static bool is_plain_variable(const struct decl *d)
{
    return d->kind == DECL_VAR && d->name && d->storage != STORAGE_REGISTER && !d->implicit &&
           !(d->type->canon->flags & TYPE_VARIABLE) && lang_is_complete(d->type);
}

static void find_globals(struct vary *v)
{
    for (uint32_t i = 0; i < v->decl_count; i++) {
        struct decl *d = v->p->decls.at[i];
        if (v->declared[i] == UINT32_MAX || !(v->decl_state[i] & DECL_LINKED))
            continue;
        if (is_plain_variable(d) && !str_has_prefix(d->name, "__"))
            list_add(&v->arena, &v->globals, d);
        if (d->kind == DECL_FUNC && is_callable(d))
            list_add(&v->arena, &v->callable, d);
    }
}

void vary_walk_program(struct vary *v)
{
    memset(v->declared, 0xff, v->decl_count * sizeof *v->declared);
    walk_file(v);
    find_linked(v);
    find_globals(v);
}
