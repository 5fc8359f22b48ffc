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
    for (size_t i = v->order.n; i-- > 0;) {
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
