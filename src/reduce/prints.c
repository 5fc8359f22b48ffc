/* Checksums by a plain printf: one call of a function of the program's own that is called as a
 * statement prints its argument, and the rest of that machinery goes. */
#include "reduce/private.h"

#include <string.h>

static const struct decl *find_printf(const struct view *v)
{
    for (size_t i = 0; i < v->p->decls.n; i++) {
        const struct decl *d = v->p->decls.at[i];
        if (d->kind == DECL_FUNC && d->name && strcmp(d->name, "printf") == 0 && !d->body &&
            v->places[d->id].n)
            return d;
    }
    return NULL;
}

/* One call of a function of the program's own prints its argument, as an int after the shift; the
 * others go, and so do the other prints. */
static void offer_print(struct pass *p, const struct decl *d, const struct node *call,
                        const struct node *arg, unsigned shift)
{
    const struct view *v = p->v;
    const struct decl *print = find_printf(v);
    pass_begin(p);
    if (!print)
        pass_patch(p, 0, 0, "int printf(const char *, ...);\n");
    const char *value = view_source(v, &p->h->arena, arg->begin, arg->end);
    const char *half = shift ? arena_printf(&p->h->arena, ">>%u", shift) : "";
    const char *text = arena_printf(&p->h->arena, "printf(\"%%d\\n\", (int)((%s)%s))", value, half);
    pass_replace(p, call, text);
    pass_drop_function(p, d);
    const struct list *lists[] = {&v->names[d->id], print ? &v->names[print->id] : NULL};
    for (size_t k = 0; k < LENGTH(lists); k++)
        for (size_t i = 0; lists[k] && i < lists[k]->n; i++) {
            struct node *other = view_up(v, lists[k]->at[i]);
            const struct node *alone = view_alone(v, other);
            if (other != call && alone)
                pass_drop(p, alone);
        }
    pass_end(p);
}

/* A call that is a statement and ran, of a function of the program's own; NULL: it is not. */
static const struct decl *told_by(const struct pass *p, struct node *n)
{
    const struct decl *d = n->kind == NODE_CALL ? view_called(n) : NULL;
    return d && d->body && view_alone(p->v, n) && subject_ran(p->s, p->v, n) ? d : NULL;
}

/* The function that most of such calls are of: that which gathers a checksum. */
static const struct decl *most_called(const struct pass *p)
{
    const struct view *v = p->v;
    size_t *calls = NEW_ARRAY(&p->h->arena, v->p->decls.n, size_t), most = 0;
    const struct decl *found = NULL;
    for (size_t i = 0; i < v->order.n; i++) {
        const struct decl *d = told_by(p, v->order.at[i]);
        if (d && ++calls[d->id] > most) {
            most = calls[d->id];
            found = d;
        }
    }
    return found;
}

/* Calls in the order of execution, the last one first, as far as the text tells: each function
 * where it was called last. */
struct walk {
    const struct pass *p;
    const struct function **functions; /* by decl */
    bool *entered;                     /* by decl */
    struct list calls;                 /* struct node */
};

static void walk_back(struct walk *w, struct node *n)
{
    if (!n || (view_is_stmt(n) && !subject_ran(w->p->s, w->p->v, n)))
        return;
    const struct decl *called = n->kind == NODE_CALL ? view_called(n) : NULL;
    if (called && told_by(w->p, n))
        list_add(&w->p->h->arena, &w->calls, n);
    if (called && w->functions[called->id] && !w->entered[called->id]) {
        w->entered[called->id] = true;
        walk_back(w, w->functions[called->id]->body);
    }
    for (uint32_t i = n->count; i-- > 0;)
        walk_back(w, n->kid[i]);
}

static struct list calls_from_the_end(const struct pass *p)
{
    const struct program *program = p->v->p;
    struct walk w = {.p = p};
    const struct function *start = NULL;
    w.functions = NEW_ARRAY(&p->h->arena, program->decls.n, const struct function *);
    w.entered = NEW_ARRAY(&p->h->arena, program->decls.n, bool);
    for (size_t i = 0; i < program->functions.n; i++) {
        const struct function *f = program->functions.at[i];
        w.functions[f->decl->id] = f;
        if (f->decl->name && strcmp(f->decl->name, "main") == 0)
            start = f;
    }
    if (start)
        walk_back(&w, start->body);
    return w.calls;
}

/* From the end: after a cut it is one of the last that shows it.  In a large program, where each
 * costs much, only some of them. */
void pass_PRINTS(struct pass *p)
{
    enum { FEW = 8 };
    const struct view *v = p->v;
    bool large = v->size > REDUCE_LARGE;
    const struct decl *most = large ? most_called(p) : NULL;
    struct list calls = calls_from_the_end(p);
    for (size_t i = 0; i < calls.n && !(large && p->h->n >= FEW); i++) {
        struct node *n = calls.at[i];
        const struct decl *d = view_called(n);
        for (uint32_t k = 1; (!most || d == most) && k < n->count; k++) {
            const struct type *t = view_written(n->kid[k])->type;
            if (!lang_is_integer(n->kid[k]->type))
                continue;
            offer_print(p, d, n, n->kid[k], 0);
            if (lang_is_integer(t) && lang_int_width(v->p, t) == 64)
                offer_print(p, d, n, n->kid[k], 32);
        }
    }
}
