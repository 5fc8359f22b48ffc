/* A program that prints one value by one that returns it: no declaration of printf, no format. Only
 * in main, and only where the machine knows what the value always was. */
#include "reduce/private.h"

#include <string.h>

static bool is_in_main(const struct view *v, const struct node *n)
{
    while (n && n->kind != NODE_FUNCTION)
        n = v->parent[n->id];
    const struct decl *d = n ? n->u.function->decl : NULL;
    return d && d->name && strcmp(d->name, "main") == 0;
}

static bool is_print(const struct node *n)
{
    const struct decl *d = n->kind == NODE_CALL ? view_called(n) : NULL;
    return d && d->name && !d->body && strcmp(d->name, "printf") == 0;
}

/* All other prints go, and this one becomes the statement. */
static void offer_result(struct pass *p, const struct node *call, const char *statement)
{
    const struct view *v = p->v;
    const struct decl *print = view_called(call);
    pass_begin(p);
    for (size_t i = 0; i < v->names[print->id].n; i++) {
        struct node *other = view_up(v, v->names[print->id].at[i]);
        const struct node *alone = other ? view_alone(v, other) : NULL;
        if (other == call)
            pass_replace(p, alone, statement);
        else if (alone)
            pass_drop(p, alone);
    }
    for (size_t i = 0; i < v->places[print->id].n; i++) {
        const struct node *up = v->parent[((struct node *)v->places[print->id].at[i])->id];
        if (up->kind == NODE_DECL && up->count == 1)
            pass_drop(p, up);
    }
    pass_end(p);
}

/* The value itself where 8 bits of it are enough, else whether it is right. */
void pass_RESULTS(struct pass *p)
{
    const struct view *v = p->v;
    struct arena *a = &p->h->arena;
    for (size_t i = p->options->keeps_output ? 0 : v->order.n; i-- > 0;) {
        struct node *n = v->order.at[i];
        if (!is_print(n) || !view_alone(v, n) || !is_in_main(v, n) || !subject_ran(p->s, v, n))
            continue;
        for (uint32_t k = 2; k < n->count; k++) {
            const struct node *arg = n->kid[k];
            const char *known = subject_constant(p->s, v, n->kid[k], a);
            if (!lang_is_integer(arg->type) || arg->begin >= arg->end)
                continue;
            const char *value = view_source(v, a, arg->begin, arg->end);
            offer_result(p, n, arena_printf(a, "return %s;", value));
            if (known)
                offer_result(p, n, arena_printf(a, "return (%s) != %s;", value, known));
        }
    }
}

/* ---- a value that is wrong early -------------------------------------------------------- */

static const struct node *body_of_main(const struct view *v)
{
    for (size_t i = 0; i < v->p->functions.n; i++) {
        const struct function *f = v->p->functions.at[i];
        if (f->decl->name && strcmp(f->decl->name, "main") == 0)
            return f->body;
    }
    return NULL;
}

/* main ends here, with that. */
static void offer_end(struct pass *p, const struct node *body, uint32_t at, const char *statement)
{
    pass_begin(p);
    pass_patch(p, body->kid[at]->begin, body->kid[body->count - 1]->end, statement);
    pass_end(p);
}

/* The value where it fits into a status, else whether it is right. */
static void offer_values(struct pass *p, const struct node *body, uint32_t at, struct node *n)
{
    struct arena *a = &p->h->arena;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            offer_values(p, body, at, n->kid[i]);
    if (!view_is_value(p->v, n) || view_is_constant(n) || !lang_is_integer(n->type))
        return;
    const char *value = view_source(p->v, a, n->begin, n->end);
    const char *known = subject_constant(p->s, p->v, n, a);
    offer_end(p, body, at, arena_printf(a, "return %s;", value));
    if (known)
        offer_end(p, body, at, arena_printf(a, "return (%s) != %s;", value, known));
}

/* What is computed before anything else of the statement; NULL: nothing is. */
static struct node *first_computed(struct node *n)
{
    switch (n->kind) {
    case NODE_EXPR_STMT:
    case NODE_DECL:
        return n;
    case NODE_IF:
    case NODE_SWITCH:
    case NODE_WHILE:
        return n->kid[0];
    default:
        return NULL;
    }
}

/* A value that is computed in main becomes its result: what comes later only carried it on. */
void pass_EARLY(struct pass *p)
{
    enum { SMALL = 2048 };
    const struct node *body = p->options->keeps_output ? NULL : body_of_main(p->v);
    for (uint32_t i = 0; body && p->v->size <= SMALL && i < body->count; i++) {
        struct node *n = body->kid[i], *computed = first_computed(n);
        bool whole = computed == n; /* with nothing after it, that is what main ends with */
        if (computed && (!whole || i + 1 < body->count))
            offer_values(p, body, i, computed);
    }
}
