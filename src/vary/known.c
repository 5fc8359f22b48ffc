/* What is known in live code, from the facts and from what statements do: the range of a variable
 * where control stands, a pointer that is about to be followed, a parameter that a statement leaves
 * alone.  Takes one node, adds to the lists of struct vary. */
#include "vary/private.h"

#include <string.h>

/* ---- what is known at a live statement -------------------------------------------------- */

/* What evaluating an expression may do to variables. */
struct effects {
    struct list assigned; /* struct decl */
    bool calls, stores;   /* through a pointer, into a member, or anything unclear */
};

static void add_store(struct vary *v, struct node *target, struct effects *e)
{
    if (target->kind == NODE_NAME)
        list_add(&v->arena, &e->assigned, target->u.decl);
    else
        e->stores = true;
}

static void find_effects(struct vary *v, struct node *n, struct effects *e)
{
    if (n->kind == NODE_ASSIGN || (n->kind == NODE_UNARY && n->op <= OP_PREDEC))
        add_store(v, n->kid[0], e);
    if (n->kind == NODE_CALL || n->kind == NODE_VA_ARG)
        e->calls = true;
    if (n->kind == NODE_STMT_EXPR || n->kind == NODE_ASM)
        e->calls = e->stores = true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            find_effects(v, n->kid[i], e);
}

static bool is_assigned(const struct effects *e, const struct decl *d)
{
    for (size_t i = 0; i < e->assigned.n; i++)
        if (e->assigned.at[i] == d)
            return true;
    return false;
}

bool vary_is_private(const struct decl *d)
{
    return (d->kind == DECL_VAR || d->kind == DECL_PARAM) && d->owner && !d->is_static &&
           !d->address_taken;
}

static bool has_steady_value(const struct effects *e, const struct decl *d)
{
    if ((d->kind != DECL_VAR && d->kind != DECL_PARAM) || d->storage == STORAGE_REGISTER ||
        d->thread || d->type->canon->quals & (QUAL_VOLATILE | QUAL_ATOMIC) || !d->name)
        return false;
    return !is_assigned(e, d) && (vary_is_private(d) || (!e->calls && !e->stores));
}

/* Reads of variables that happen whenever n is evaluated. */
static void find_reads(struct vary *v, struct node *n, struct node *statement,
                       const struct effects *e)
{
    switch (n->kind) {
    case NODE_CAST:
        if (n->op == CONV_LVALUE && n->kid[0]->kind == NODE_NAME) {
            struct decl *d = n->kid[0]->u.decl;
            const struct vary_range *r = &v->f->range[n->id];
            if (!(v->f->flags[n->id] & VARY_RANGE) || !has_steady_value(e, d) ||
                !(lang_is_integer(d->type) || (lang_is_kind(d->type, TYPE_POINTER) &&
                                               (r->low > 0 || (r->low == 0 && r->high == 0)))))
                return;
            struct known *k = NEW(&v->arena, struct known);
            *k = (struct known){statement, d, r->low, r->high};
            list_add(&v->arena, &v->known, k);
            return;
        }
        break;
    case NODE_COND:
        find_reads(v, n->kid[0], statement, e);
        return;
    case NODE_BINARY:
        if (n->op == OP_LAND || n->op == OP_LOR) {
            find_reads(v, n->kid[0], statement, e);
            return;
        }
        break;
    case NODE_UNARY:
    case NODE_INDEX:
    case NODE_MEMBER:
    case NODE_ASSIGN:
    case NODE_CALL:
        break;
    default:
        return;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            find_reads(v, n->kid[i], statement, e);
}

/* A call that does not come back takes with it what would have been read behind it. */
bool vary_leaves_program(const struct decl *d)
{
    static const char *const names[] = {
        "exit",         "abort",          "_exit",           "_Exit",          "longjmp",
        "siglongjmp",   "quick_exit",     "__assert_fail",   "_longjmp",       "execv",
        "pthread_exit", "__builtin_trap", "__builtin_abort", "__builtin_exit", "__builtin_longjmp"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (d->name && strcmp(d->name, names[i]) == 0)
            return true;
    return d->noreturn || vary_has_attr(d, "noreturn");
}

bool vary_do_all_return(const struct vary *v)
{
    for (uint32_t i = 0; i < v->node_count; i++) {
        struct node *n = v->p->nodes[i];
        if (n->kind != NODE_NAME || !v->seq[i] || n->u.decl->kind != DECL_FUNC ||
            !vary_leaves_program(n->u.decl))
            continue;
        const struct node *statement = vary_statement_of(v, n);
        if (!statement || v->f->flags[statement->id] & VARY_RAN)
            return false;
    }
    return true;
}

void vary_look_at_live(struct vary *v, struct node *n)
{
    struct effects e = {0};
    struct node *first = NULL;
    if (!(v->place[n->id] & PLACE_SLOT) || vary_is_dead(v, n) || !(v->f->flags[n->id] & VARY_RAN))
        return;
    if (n->kind == NODE_EXPR_STMT || n->kind == NODE_IF || n->kind == NODE_SWITCH ||
        n->kind == NODE_RETURN)
        first = n->kid[0];
    if (!first)
        return;
    struct node *top = vary_written(first);
    if (top->kind == NODE_ASSIGN && top->op == OP_ASSIGN) {
        /* the store comes after everything that is read for it, C11 6.5.16p3 */
        find_effects(v, top->kid[0], &e);
        find_effects(v, top->kid[1], &e);
    } else {
        find_effects(v, first, &e);
    }
    if (e.calls && !v->all_return)
        return;
    find_reads(v, top->kind == NODE_ASSIGN && top->op == OP_ASSIGN ? top->kid[1] : first, n, &e);
}

/* ---- pointers and loops ----------------------------------------------------------------- */

/* Is the lvalue read or written, and not only pointed to? */
static bool is_accessed(const struct vary *v, const struct node *n)
{
    const struct node *up = v->parent[n->id];
    while (up && up->kind == NODE_MEMBER && !(up->flags & NODE_ARROW)) {
        n = up;
        up = v->parent[n->id];
    }
    if (!up)
        return false;
    return (up->kind == NODE_CAST && up->op == CONV_LVALUE) ||
           ((up->kind == NODE_ASSIGN || (up->kind == NODE_UNARY && up->op <= OP_PREDEC)) &&
            up->kid[0] == n);
}

void vary_look_at_pointer(struct vary *v, struct node *n)
{
    bool through = (n->kind == NODE_UNARY && n->op == OP_DEREF) || n->kind == NODE_INDEX ||
                   (n->kind == NODE_MEMBER && n->flags & NODE_ARROW);
    if (!through || vary_is_dead(v, n) || v->place[n->id] & PLACE_CONSTANT || !is_accessed(v, n))
        return;
    struct node *q = vary_written(n->kid[0]);
    const struct type *t = q->type->canon;
    if (q->kind == NODE_NAME && t->kind == TYPE_POINTER && !t->quals && lang_is_complete(t->base) &&
        !(t->base->flags & TYPE_VARIABLE) && lang_alignof(v->p, t->base) > 1)
        list_add(&v->arena, &v->pointers, q);
}

/* ---- variables that a statement leaves alone -------------------------------------------- */

static bool leaves(const struct node *n)
{
    switch (n->kind) {
    case NODE_RETURN:
    case NODE_GOTO:
    case NODE_GOTO_VALUE:
    case NODE_BREAK:
    case NODE_CONTINUE:
    case NODE_LABEL:
    case NODE_CASE:
    case NODE_DEFAULT:
    case NODE_ASM:
    case NODE_STMT_EXPR:
    case NODE_DECL:
    case NODE_LABEL_ADDR:
        return true;
    default:
        break;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && leaves(n->kid[i]))
            return true;
    return false;
}

static bool names(const struct node *n, const struct decl *d)
{
    if (n->kind == NODE_NAME && n->u.decl == d)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && names(n->kid[i], d))
            return true;
    return false;
}

/* Parameters of a function that is entered once, from its top: they have a value everywhere. */
void vary_look_at_saves(struct vary *v, struct node *n)
{
    struct function *f = v->function[n->id];
    if (!(v->place[n->id] & PLACE_SLOT) || vary_is_dead(v, n) || n->kind != NODE_EXPR_STMT ||
        leaves(n))
        return;
    for (uint32_t i = 0; i < f->param_count; i++) {
        struct decl *d = f->params[i];
        if (!d->name || !lang_is_integer(d->type) || d->type->canon->quals || !vary_is_private(d) ||
            d->storage == STORAGE_REGISTER || names(n, d))
            continue;
        struct known *k = NEW(&v->arena, struct known);
        *k = (struct known){.statement = n, .decl = d};
        list_add(&v->arena, &v->saves, k);
    }
}
