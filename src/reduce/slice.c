/* What nothing that is observed depends on: statements whose effects are stores that nobody reads,
 * and local variables that only they name.  Looks at names and control flow, not at the order of
 * execution; a store through a pointer is one to everything whose address that pointer is ever
 * given.  What it takes away can make nothing undefined, so that mostly all of it goes at once. */
#include "reduce/private.h"

#include <string.h>

struct slice {
    const struct view *v;
    struct arena *arena;
    bool *needed;          /* by node: statements and declarations that stay */
    bool *wanted;          /* by decl: variables whose values matter, functions that are called */
    struct list *stores;   /* by decl: statements that may store to the variable */
    struct list *uses;     /* by decl: statements that name the function */
    struct list *jumps;    /* by decl: what leaves or moves within the function */
    struct list *inner;    /* by node: breaks and continues of a loop, labels of a switch */
    struct list roots;     /* statements that are needed for what they do outside */
    struct list todo;      /* statements that were found to be needed */
    struct list *pointees; /* by decl: whose addresses the pointer is given */
    bool *vague;           /* by decl: the pointer may point at something else, too */
};

static bool is_pointer(const struct decl *d)
{
    return d->kind == DECL_VAR && lang_is_kind(d->type, TYPE_POINTER);
}

static const struct decl *owner_of(const struct view *v, const struct node *n)
{
    while (n && n->kind != NODE_FUNCTION)
        n = v->parent[n->id];
    return n ? n->u.function->decl : NULL;
}

/* ---- where a value is stored ------------------------------------------------------------ */

static bool is_array(const struct node *n)
{
    return lang_is_kind(view_written((struct node *)n)->type, TYPE_ARRAY);
}

/* Does the lvalue lie where its first operand points? */
static bool follows_pointer(const struct node *n)
{
    if (n->kind == NODE_INDEX)
        return !is_array(n->kid[0]);
    return n->kind == NODE_MEMBER ? n->flags & NODE_ARROW : n->kind == NODE_UNARY;
}

/* Is it a part of its first operand, or reached from there? */
static bool leads_on(const struct node *n)
{
    return n->kind == NODE_INDEX || n->kind == NODE_MEMBER || n->kind == NODE_CAST ||
           (n->kind == NODE_UNARY && n->op == OP_DEREF) ||
           (n->kind == NODE_BINARY && (n->op == OP_ADD || n->op == OP_SUB));
}

/* The variable that the lvalue is a part of; with *through, the pointer that leads to it. NULL: it
 * is neither so simply. */
static const struct decl *root_of(const struct node *n, bool *through)
{
    unsigned steps = 0;
    for (n = view_written((struct node *)n); leads_on(n); n = view_written(n->kid[0]))
        steps += follows_pointer(n);
    if (n->kind != NODE_NAME || steps > 1)
        return NULL;
    *through = steps > 0 && !lang_is_kind(n->u.decl->type, TYPE_ARRAY);
    return n->u.decl;
}

/* Whose address the pointer gets from this expression. */
static void note_pointees(struct slice *s, const struct decl *pointer, const struct node *n)
{
    if (n->kind == NODE_CALL || n->kind == NODE_MEMBER || n->kind == NODE_STMT_EXPR)
        s->vague[pointer->id] = true;
    if (n->kind == NODE_NAME && n->u.decl->kind == DECL_VAR) {
        list_add(s->arena, &s->pointees[pointer->id], n->u.decl);
        if (is_pointer(n->u.decl) && n->u.decl != pointer)
            s->vague[pointer->id] = true;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            note_pointees(s, pointer, n->kid[i]);
}

/* First of all: what pointers point at. */
static void find_pointees(struct slice *s)
{
    for (size_t i = 0; i < s->v->order.n; i++) {
        struct node *n = s->v->order.at[i];
        bool through;
        if (n->kind == NODE_DECLARATOR && n->count && n->kid[0] &&
            is_pointer(n->u.declarator->decl))
            note_pointees(s, n->u.declarator->decl, n->kid[0]);
        if (n->kind == NODE_UNARY && n->op == OP_ADDR) {
            const struct decl *d = root_of(n->kid[0], &through);
            if (d && is_pointer(d) && !through)
                s->vague[d->id] = true;
        }
        if (n->kind != NODE_ASSIGN)
            continue;
        const struct decl *d = root_of(n->kid[0], &through);
        if (d && is_pointer(d) && !through)
            note_pointees(s, d, n->kid[1]);
    }
}

/* ---- marking ---------------------------------------------------------------------------- */

static void need_statement(struct slice *s, struct node *n);

static void need_all(struct slice *s, const struct list *statements)
{
    for (size_t i = 0; i < statements->n; i++)
        need_statement(s, statements->at[i]);
}

static void need_decl(struct slice *s, const struct decl *d)
{
    if (s->wanted[d->id])
        return;
    s->wanted[d->id] = true;
    need_all(s, &s->stores[d->id]);
    need_all(s, &s->jumps[d->id]);
    for (size_t i = 0; i < s->v->places[d->id].n; i++)
        need_statement(s, s->v->places[d->id].at[i]);
}

/* A statement, a declaration or a declarator, and what it is in. */
static void need_statement(struct slice *s, struct node *n)
{
    for (; n && !s->needed[n->id]; n = s->v->parent[n->id]) {
        s->needed[n->id] = true;
        if (view_is_stmt(n) || n->kind == NODE_DECLARATOR)
            list_add(s->arena, &s->todo, n);
        if (n->kind == NODE_FUNCTION) {
            const struct decl *f = n->u.function->decl;
            need_decl(s, f);
            need_all(s, &s->uses[f->id]);
        }
    }
}

static void need_value(struct slice *s, const struct node *block)
{
    uint32_t at = lang_value_index(block);
    struct node *n = at < block->count ? block->kid[at] : NULL;
    while (n && n->kind == NODE_LABEL)
        n = n->kid[0];
    need_statement(s, n);
}

/* What the expressions of a statement name: not what is in the statements inside of it. */
static void need_names(struct slice *s, const struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++) {
        struct node *kid = n->kid[i];
        if (!kid || view_is_stmt(kid))
            continue;
        if (kid->kind == NODE_NAME)
            need_decl(s, kid->u.decl);
        else if (kid->kind == NODE_LABEL_ADDR && kid->u.label->node)
            need_statement(s, kid->u.label->node);
        else if (kid->kind == NODE_STMT_EXPR)
            need_value(s, kid->kid[0]);
        if (kid->kind != NODE_DECLARATOR && kid->kind != NODE_STMT_EXPR)
            need_names(s, kid);
    }
}

static void follow(struct slice *s)
{
    while (s->todo.n) {
        struct node *n = s->todo.at[--s->todo.n];
        need_names(s, n);
        need_all(s, &s->inner[n->id]);
        if (n->kind == NODE_FOR && n->kid[0])
            need_statement(s, n->kid[0]);
        if (n->kind == NODE_FOR && n->kid[0] && n->kid[0]->kind == NODE_DECL)
            for (uint32_t i = 0; i < n->kid[0]->count; i++)
                need_statement(s, n->kid[0]->kid[i]);
        if (n->kind == NODE_GOTO && n->u.label->node)
            need_statement(s, n->u.label->node);
    }
}

/* ---- what there is ---------------------------------------------------------------------- */

/* The statement, or the declarator, that an expression belongs to. */
static struct node *place_of(const struct view *v, struct node *n)
{
    while (n && !view_is_stmt(n) && n->kind != NODE_DECLARATOR)
        n = v->parent[n->id];
    return n;
}

static void note_store(struct slice *s, struct node *n)
{
    bool through = false;
    const struct decl *d = root_of(n->kid[0], &through);
    struct node *place = place_of(s->v, n);
    if (!d || d->kind != DECL_VAR || (through && (!is_pointer(d) || s->vague[d->id]))) {
        list_add(s->arena, &s->roots, place);
        return;
    }
    if (!through)
        list_add(s->arena, &s->stores[d->id], place);
    for (size_t i = 0; through && i < s->pointees[d->id].n; i++)
        list_add(s->arena, &s->stores[((const struct decl *)s->pointees[d->id].at[i])->id], place);
}

/* The loop or switch that a break, a continue, a case belongs to. */
static struct node *target_of(const struct view *v, const struct node *n)
{
    bool labels = n->kind == NODE_CASE || n->kind == NODE_DEFAULT;
    struct node *up = v->parent[n->id];
    if (!labels)
        return n->u.target;
    while (up && up->kind != NODE_SWITCH)
        up = v->parent[up->id];
    return up;
}

static void note_jump(struct slice *s, struct node *n)
{
    const struct decl *f = owner_of(s->v, n);
    struct node *target = NULL;
    switch (n->kind) {
    case NODE_RETURN:
    case NODE_GOTO:
    case NODE_GOTO_VALUE:
        list_add(s->arena, &s->jumps[f->id], n);
        break;
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_CASE:
    case NODE_DEFAULT:
        target = target_of(s->v, n);
        break;
    default:
        break;
    }
    if (target)
        list_add(s->arena, &s->inner[target->id], n);
}

/* Something is done with the variable at the end of its block. */
static bool has_cleanup(const struct node *n)
{
    const struct attr *attr = n->kind == NODE_DECLARATOR ? n->u.declarator->decl->attrs : NULL;
    while (attr && strcmp(attr->name, "cleanup") != 0)
        attr = attr->next;
    return attr;
}

static void note(struct slice *s, struct node *n)
{
    if (view_is_stmt(n))
        note_jump(s, n);
    if (view_is_store(n))
        note_store(s, n);
    if (n->kind == NODE_NAME && n->u.decl->kind == DECL_FUNC)
        list_add(s->arena, &s->uses[n->u.decl->id], place_of(s->v, n));
    const struct decl *called = n->kind == NODE_CALL ? view_called(n) : NULL;
    bool outside = n->kind == NODE_CALL && (!called || !called->body);
    if (outside || n->kind == NODE_ASM || n->kind == NODE_VA_ARG || has_cleanup(n))
        list_add(s->arena, &s->roots, place_of(s->v, n));
}

static void find_needed(struct slice *s)
{
    const struct program *p = s->v->p;
    for (size_t i = 0; i < s->v->order.n; i++)
        note(s, s->v->order.at[i]);
    need_all(s, &s->roots);
    for (size_t i = 0; i < p->functions.n; i++) {
        const struct function *f = p->functions.at[i];
        if (f->decl->starts || (f->decl->name && strcmp(f->decl->name, "main") == 0))
            need_decl(s, f->decl);
    }
    follow(s);
}

/* ---- offering --------------------------------------------------------------------------- */

static bool may_go(const struct slice *s, const struct node *n)
{
    const struct node *up = s->v->parent[n->id];
    return view_is_stmt(n) && n->kind != NODE_EMPTY && !s->needed[n->id] && up &&
           up->kind != NODE_FUNCTION && up->kind != NODE_STMT_EXPR;
}

/* The outermost statement that goes around a name. */
static const struct node *outermost(const struct slice *s, const struct node *n)
{
    const struct node *found = NULL;
    for (; n; n = s->v->parent[n->id])
        if (may_go(s, n))
            found = n;
    return found;
}

static bool is_unwanted(const struct slice *s, const struct node *decl)
{
    for (uint32_t i = 0; i < decl->count; i++) {
        const struct decl *d = decl->kid[i]->u.declarator->decl;
        if (d->kind != DECL_VAR || s->wanted[d->id] || s->needed[decl->kid[i]->id])
            return false;
    }
    return decl->count > 0;
}

static void offer_variables(struct pass *p, const struct slice *s, const struct node *decl)
{
    pass_begin(p);
    pass_drop(p, decl);
    for (uint32_t i = 0; i < decl->count; i++) {
        const struct list *names = &s->v->names[decl->kid[i]->u.declarator->decl->id];
        for (size_t k = 0; k < names->n; k++) {
            const struct node *statement = outermost(s, names->at[k]);
            if (statement)
                pass_drop(p, statement);
            else
                pass_forget_use(p, names->at[k], NULL);
        }
    }
    pass_end(p);
}

/* A function that nothing needs is not taken apart: it goes with its calls. */
static bool is_in_use(const struct slice *s, const struct node *n)
{
    const struct decl *f = owner_of(s->v, n);
    return f && s->wanted[f->id];
}

void pass_UNREAD(struct pass *p)
{
    const struct view *v = p->v;
    struct arena *a = &p->h->arena;
    uint32_t nodes = v->p->node_count;
    size_t decls = v->p->decls.n;
    if (p->s->count > 1)
        return; /* who reads what is written here may be elsewhere */
    struct slice s = {.v = v,
                      .arena = a,
                      .needed = NEW_ARRAY(a, nodes, bool),
                      .wanted = NEW_ARRAY(a, decls, bool),
                      .stores = NEW_ARRAY(a, decls, struct list),
                      .uses = NEW_ARRAY(a, decls, struct list),
                      .jumps = NEW_ARRAY(a, decls, struct list),
                      .inner = NEW_ARRAY(a, nodes, struct list),
                      .pointees = NEW_ARRAY(a, decls, struct list),
                      .vague = NEW_ARRAY(a, decls, bool)};
    find_pointees(&s);
    find_needed(&s);
    for (size_t i = 0; i < v->order.n; i++) {
        const struct node *n = v->order.at[i];
        if ((!view_is_stmt(n) && n->kind != NODE_DECL) || !is_in_use(&s, n))
            continue;
        if (may_go(&s, n) && outermost(&s, n) == n)
            pass_offer_drop(p, n);
        else if (n->kind == NODE_DECL && view_stands_free(v, n) &&
                 v->parent[n->id]->kind == NODE_BLOCK && is_unwanted(&s, n))
            offer_variables(p, &s, n);
    }
}
