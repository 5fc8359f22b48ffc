/* Passes on variables: by their values, pointers by what they point at, arrays by one element,
 * structures by one member, declarators one by one. */
#include "reduce/private.h"

#include <string.h>

/* ---- by values -------------------------------------------------------------------------- */

void pass_forget_use(struct pass *p, struct node *name, const char *number)
{
    const struct view *v = p->v;
    struct node *place = name, *up = view_up(v, place);
    /* the lvalue that the name begins: x.m[2] */
    while (up && ((up->kind == NODE_INDEX && view_written(up->kid[0]) == place) ||
                  (up->kind == NODE_MEMBER && !(up->flags & NODE_IMPLICIT)) ||
                  (up->kind == NODE_UNARY && up->op == OP_DEREF))) {
        place = up;
        up = view_up(v, place);
    }
    bool changed = up && ((up->kind == NODE_ASSIGN && view_written(up->kid[0]) == place) ||
                          (up->kind == NODE_UNARY && up->op <= OP_PREDEC));
    struct node *whole = changed ? up : place;
    struct node *alone = view_alone(v, whole);
    if (alone) {
        pass_drop(p, alone);
    } else if (changed && up->kind == NODE_ASSIGN) {
        pass_lift(p, up, up->kid[1], "(", ")");
    } else {
        const char *known = subject_constant(p->s, v, whole, &p->h->arena);
        pass_replace(p, whole, number ? number : known ? known : "0");
    }
}

static bool is_local_or_global(const struct decl *d)
{
    return d->kind == DECL_VAR && d->name && !d->implicit;
}

static void drop_places(struct pass *p, const struct decl *d)
{
    const struct list *places = &p->v->places[d->id];
    for (size_t k = 0; k < places->n; k++) {
        const struct node *n = places->at[k], *up = p->v->parent[n->id];
        if (up->kind == NODE_DECL && up->count == 1 && p->v->parent[up->id]->kind == NODE_FOR)
            pass_replace(p, up, ";");
        else if (up->kind == NODE_DECL && up->count == 1)
            pass_drop(p, up);
        else
            pass_drop_listed(p, n->begin, n->end);
    }
}

void pass_VARIABLES(struct pass *p)
{
    for (size_t i = p->v->p->decls.n; i-- > 0;) {
        const struct decl *d = p->v->p->decls.at[i];
        if (!is_local_or_global(d) || p->v->places[d->id].n == 0)
            continue;
        pass_begin(p);
        drop_places(p, d);
        for (size_t k = 0; k < p->v->names[d->id].n; k++)
            pass_forget_use(p, p->v->names[d->id].at[k], NULL);
        pass_end(p);
    }
}

/* The one expression that the variable is ever given; NULL: none, several, or it is changed. */
static const struct node *only_value(const struct pass *p, const struct decl *d)
{
    const struct node *found = d->init;
    for (size_t k = 0; k < p->v->names[d->id].n; k++) {
        struct node *name = p->v->names[d->id].at[k], *up = view_up(p->v, name);
        bool assigned = up && up->kind == NODE_ASSIGN && view_written(up->kid[0]) == name;
        if (up && up->kind == NODE_UNARY && up->op <= OP_ADDR)
            return NULL;
        if (assigned && (up->op != OP_ASSIGN || found || !view_alone(p->v, up)))
            return NULL;
        if (assigned)
            found = up->kid[1];
    }
    return found && found->kind != NODE_INIT && found->begin < found->end ? found : NULL;
}

void pass_SUBSTITUTE(struct pass *p)
{
    for (size_t i = p->v->p->decls.n; i-- > 0;) {
        const struct decl *d = p->v->p->decls.at[i];
        if (!is_local_or_global(d) || p->v->places[d->id].n == 0 || !lang_is_scalar(d->type))
            continue;
        const struct node *value = only_value(p, d);
        if (!value)
            continue;
        const char *text = arena_printf(&p->h->arena, "(%s)",
                                        view_source(p->v, &p->h->arena, value->begin, value->end));
        pass_begin(p);
        drop_places(p, d);
        for (size_t k = 0; k < p->v->names[d->id].n; k++) {
            struct node *name = p->v->names[d->id].at[k], *up = view_up(p->v, name);
            if (up && up->kind == NODE_ASSIGN && view_written(up->kid[0]) == name)
                pass_drop(p, view_alone(p->v, up));
            else
                pass_replace(p, name, text);
        }
        pass_end(p);
    }
}

/* The variable by the one declared before it: where its values do not matter, one is enough. */
void pass_SHARE(struct pass *p)
{
    const struct decl *last = NULL;
    for (size_t i = 0; i < p->v->p->decls.n; i++) {
        const struct decl *d = p->v->p->decls.at[i];
        if (!is_local_or_global(d) || p->v->places[d->id].n == 0)
            continue;
        if (last) {
            pass_begin(p);
            drop_places(p, d);
            for (size_t k = 0; k < p->v->names[d->id].n; k++)
                pass_replace(p, p->v->names[d->id].at[k], last->name);
            pass_end(p);
        }
        last = d;
    }
}

/* One declarator of several, or a name that nothing uses. */
void pass_DECLARATORS(struct pass *p)
{
    for (size_t i = p->v->p->decls.n; i-- > 0;) {
        const struct decl *d = p->v->p->decls.at[i];
        for (size_t k = 0; d->kind != DECL_ENUMERATOR && k < p->v->places[d->id].n; k++) {
            const struct node *n = p->v->places[d->id].at[k], *up = p->v->parent[n->id];
            if (up->kind != NODE_DECL || (up->count == 1 && k == 0 && p->v->names[d->id].n))
                continue;
            pass_begin(p);
            if (up->count == 1)
                pass_drop(p, up);
            else
                pass_drop_listed(p, n->begin, n->end);
            pass_end(p);
        }
    }
}

/* ---- pointers --------------------------------------------------------------------------- */

/* The variable whose address it is given, wherever it is given one; NULL: none, or several. */
static const struct node *pointed_at(const struct pass *p, const struct decl *d)
{
    const struct node *found = d->init;
    for (size_t k = 0; k < p->v->names[d->id].n; k++) {
        struct node *name = p->v->names[d->id].at[k], *up = view_up(p->v, name);
        if (!up || up->kind != NODE_ASSIGN || up->op != OP_ASSIGN ||
            view_written(up->kid[0]) != name)
            continue;
        found = up->kid[1];
    }
    found = found ? view_written((struct node *)found) : NULL;
    while (found && found->kind == NODE_CAST)
        found = view_written(found->kid[0]);
    bool address = found && found->kind == NODE_UNARY && found->op == OP_ADDR;
    return address ? view_written(found->kid[0]) : NULL;
}

void pass_POINTERS(struct pass *p)
{
    for (size_t i = p->v->p->decls.n; i-- > 0;) {
        const struct decl *d = p->v->p->decls.at[i];
        if (!is_local_or_global(d) || !lang_is_kind(d->type, TYPE_POINTER) ||
            p->v->places[d->id].n == 0)
            continue;
        const struct node *at = pointed_at(p, d);
        if (!at)
            continue;
        const char *object = view_source(p->v, &p->h->arena, at->begin, at->end);
        pass_begin(p);
        drop_places(p, d);
        for (size_t k = 0; k < p->v->names[d->id].n; k++) {
            struct node *name = p->v->names[d->id].at[k], *up = view_up(p->v, name);
            const struct node *alone = up ? view_alone(p->v, up) : NULL;
            bool assigned = up && up->kind == NODE_ASSIGN && view_written(up->kid[0]) == name;
            if (assigned && alone)
                pass_drop(p, alone);
            else if (up && up->kind == NODE_UNARY && up->op == OP_DEREF)
                pass_replace(p, up, arena_printf(&p->h->arena, "(%s)", object));
            else if (up && up->kind == NODE_MEMBER && up->flags & NODE_ARROW)
                pass_patch(p, name->begin, up->end,
                           arena_printf(&p->h->arena, "(%s).%s", object, up->u.field->name));
            else
                pass_replace(p, name, arena_printf(&p->h->arena, "(&%s)", object));
        }
        pass_end(p);
    }
}

/* ---- arrays ----------------------------------------------------------------------------- */

/* The brackets of the declarator's first dimension, as tokens; false when there are none. */
static bool find_brackets(const struct pass *p, const struct node *declarator, uint32_t *open)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t i = tokens_at(t, declarator->begin) + 1;
    *open = i;
    return i < t->n && token_is(p->v->text, &t->at[i], "[") && t->at[i].match > i;
}

/* The array becomes what its elements are; a[i] becomes a. */
static void offer_element(struct pass *p, const struct decl *d)
{
    const struct view *v = p->v;
    pass_begin(p);
    for (size_t k = 0; k < v->places[d->id].n; k++) {
        const struct node *n = v->places[d->id].at[k];
        uint32_t open;
        if (!find_brackets(p, n, &open)) {
            hints_drop(p->h);
            return;
        }
        pass_patch(p, v->tokens.at[open].begin, v->tokens.at[v->tokens.at[open].match].end, "");
        const struct node *init = n->kid[0];
        if (init && init->kind == NODE_INIT && init->count)
            pass_lift(p, init, init->kid[0], "", "");
        else if (init)
            pass_patch(p, v->tokens.at[v->tokens.at[open].match].end, n->end, "");
    }
    for (size_t k = 0; k < v->names[d->id].n; k++) {
        struct node *name = v->names[d->id].at[k], *up = view_up(v, name);
        if (up && up->kind == NODE_INDEX && view_written(up->kid[0]) == name)
            pass_patch(p, name->end, up->end, "");
        else if (up && up->kind == NODE_UNARY && up->op == OP_DEREF)
            pass_replace(p, up, d->name);
        else
            pass_replace(p, name, arena_printf(&p->h->arena, "(&%s)", d->name));
    }
    pass_end(p);
}

void pass_ARRAYS(struct pass *p)
{
    for (size_t i = p->v->p->decls.n; i-- > 0;) {
        const struct decl *d = p->v->p->decls.at[i];
        if (is_local_or_global(d) && p->v->places[d->id].n && lang_is_kind(d->type, TYPE_ARRAY))
            offer_element(p, d);
    }
}
