/* Passes that take whole declarations, functions and statements away. */
#include "reduce/private.h"

#include <string.h>

/* ---- what nothing needs ----------------------------------------------------------------- */

/* Does another unit name it? */
static bool is_named_elsewhere(const struct pass *p, const char *name)
{
    for (size_t i = 0; i < p->s->count; i++) {
        const struct program *other = p->s->views[i].p;
        for (size_t k = 0; other != p->v->p && k < other->decls.n; k++) {
            const struct decl *d = other->decls.at[k];
            if (d->linkage == LINKAGE_EXTERNAL && d->name && strcmp(d->name, name) == 0)
                return true;
        }
    }
    return false;
}

static bool is_wanted(const struct pass *p, const struct decl *d)
{
    return d->starts || (d->name && (strcmp(d->name, "main") == 0 ||
                                     (d->linkage == LINKAGE_EXTERNAL && p->s->count > 1 &&
                                      is_named_elsewhere(p, d->name))));
}

static bool is_root(void *context, const struct node *item)
{
    if (item->kind == NODE_FUNCTION)
        return is_wanted(context, item->u.function->decl);
    for (uint32_t i = 0; item->kind == NODE_DECL && i < item->count; i++)
        if (is_wanted(context, item->kid[i]->u.declarator->decl))
            return true;
    return false;
}

void pass_UNREACHED(struct pass *p)
{
    size_t n;
    struct edit *edits = lang_unneeded(p->v->p, is_root, p, &n);
    for (size_t i = 0; i < n; i++)
        pass_offer_drop(p, p->v->p->nodes[edits[i].node]);
}

void pass_ITEMS(struct pass *p)
{
    const struct node *unit = p->v->p->unit;
    for (uint32_t i = unit->count; i-- > 0;)
        pass_offer_drop(p, unit->kid[i]);
}

/* ---- statements ------------------------------------------------------------------------- */

static bool is_statement(const struct view *v, const struct node *n)
{
    const struct node *up = v->parent[n->id];
    return up && n->begin < n->end && (view_is_stmt(n) || n->kind == NODE_DECL) &&
           up->kind != NODE_FUNCTION && up->kind != NODE_UNIT && up->kind != NODE_RECORD &&
           !(up->kind == NODE_FOR && n != up->kid[3]) && up->kind != NODE_STMT_EXPR;
}

/* Nothing of it ran: one may jump into a statement that never began. */
static bool is_dead(const struct pass *p, const struct node *n)
{
    if (view_is_stmt(n) && subject_ran(p->s, p->v, n))
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_dead(p, n->kid[i]))
            return false;
    return true;
}

/* The largest statements that never ran. */
void pass_DEAD(struct pass *p)
{
    uint32_t end = 0;
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        if (n->begin < end || n->kind == NODE_EMPTY || !view_is_stmt(n) || !is_statement(p->v, n) ||
            !is_dead(p, n))
            continue;
        pass_offer_drop(p, n);
        end = n->end;
    }
}

/* x = ...; of a variable without an initialiser: the rest has its value from there. */
static bool gives_first_value(const struct node *statement)
{
    const struct node *n = statement->kind == NODE_EXPR_STMT ? statement->kid[0] : NULL;
    while (n && n->kind == NODE_CAST)
        n = n->kid[0];
    if (!n || n->kind != NODE_ASSIGN || n->op != OP_ASSIGN || n->kid[0]->kind != NODE_NAME)
        return false;
    const struct decl *d = n->kid[0]->u.decl;
    return d->kind == DECL_VAR && d->owner && !d->is_static && !d->init;
}

/* Without declarations, so that whatever is left has what it names. */
void pass_OUTER(struct pass *p)
{
    for (size_t i = p->v->p->functions.n; i-- > 0;) {
        const struct node *body = ((const struct function *)p->v->p->functions.at[i])->body;
        for (uint32_t k = body->count; k-- > 0;)
            if (view_is_stmt(body->kid[k]) && is_statement(p->v, body->kid[k]) &&
                !gives_first_value(body->kid[k]))
                pass_offer_drop(p, body->kid[k]);
    }
}

/* From the outside in, and in each function from the end: what comes last is needed least. */
void pass_STATEMENTS(struct pass *p)
{
    const struct view *v = p->v;
    uint32_t deepest = 0;
    for (size_t i = 0; i < v->order.n; i++) {
        const struct node *n = v->order.at[i];
        if (is_statement(v, n) && v->depth[n->id] > deepest)
            deepest = v->depth[n->id];
    }
    for (uint32_t depth = 0; depth <= deepest; depth++)
        for (size_t i = v->order.n; i-- > 0;) {
            const struct node *n = v->order.at[i];
            if (v->depth[n->id] == depth && is_statement(v, n) && n->kind != NODE_EMPTY)
                pass_offer_drop(p, n);
        }
}

/* ---- functions -------------------------------------------------------------------------- */

/* The whole declaration of one declarator, or just it. */
static void drop_declarator(struct pass *p, const struct node *declarator)
{
    const struct node *up = p->v->parent[declarator->id];
    if (up->kind == NODE_FUNCTION || (up->kind == NODE_DECL && up->count == 1))
        pass_drop(p, up);
    else
        pass_drop_declarator(p, declarator);
}

/* *n, n[i], n->m: whatever stands there must be a pointer. */
static bool is_followed(const struct view *v, struct node *n)
{
    const struct node *up = view_up(v, n);
    return up && ((up->kind == NODE_UNARY && up->op == OP_DEREF) || up->kind == NODE_INDEX ||
                  (up->kind == NODE_MEMBER && up->flags & NODE_ARROW));
}

/* A value of the expression's type that can stand in its place. */
static const char *zero_of(struct pass *p, struct node *n)
{
    struct text out = {0};
    bool whole = lang_is_record(n->type) || lang_is_kind(n->type, TYPE_VECTOR);
    if (!whole && !(lang_is_kind(n->type, TYPE_POINTER) && is_followed(p->v, n)))
        return "0";
    text_puts(&out, whole ? "(" : "((");
    lang_print_type(p->v->p, n->type, NULL, &out);
    text_puts(&out, whole ? "){0}" : ")0)");
    const char *copy = arena_string(&p->h->arena, text_str(&out));
    text_free(&out);
    return copy;
}

static void replace_use(struct pass *p, struct node *name)
{
    const struct view *v = p->v;
    struct node *up = view_up(v, name);
    bool called = up && up->kind == NODE_CALL && view_written(up->kid[0]) == name;
    struct node *whole = called ? up : name;
    const struct node *alone = view_alone(v, whole);
    const char *known = subject_constant(p->s, v, whole, &p->h->arena);
    if (alone)
        pass_drop(p, alone);
    else
        pass_replace(p, whole, known ? known : called ? zero_of(p, whole) : "0");
}

void pass_FUNCTIONS(struct pass *p)
{
    const struct view *v = p->v;
    for (size_t i = v->p->functions.n; i-- > 0;) {
        const struct function *f = v->p->functions.at[i];
        uint32_t id = f->decl->id;
        if (!f->decl->name || strcmp(f->decl->name, "main") == 0)
            continue;
        pass_begin(p);
        for (size_t k = 0; k < v->places[id].n; k++)
            drop_declarator(p, v->places[id].at[k]);
        for (size_t k = 0; k < v->names[id].n; k++)
            replace_use(p, v->names[id].at[k]);
        pass_end(p);
    }
}
