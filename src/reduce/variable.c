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
            pass_drop_declarator(p, n);
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

/* `int x; x = 3;` by `int x = 3;`, wherever the assignment stands. */
void pass_GIVEN(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        struct node *n = p->v->order.at[i];
        const struct node *place = n->kind == NODE_ASSIGN && n->op == OP_ASSIGN ? n->kid[0] : NULL;
        const struct node *alone = place && place->kind == NODE_NAME ? view_alone(p->v, n) : NULL;
        const struct decl *d = alone ? place->u.decl : NULL;
        if (!d || !is_local_or_global(d) || d->init || p->v->places[d->id].n != 1)
            continue;
        const struct node *declarator = p->v->places[d->id].at[0], *value = n->kid[1];
        const char *text = view_source(p->v, &p->h->arena, value->begin, value->end);
        pass_begin(p);
        pass_drop(p, alone);
        pass_patch(p, declarator->end, declarator->end, arena_printf(&p->h->arena, "= %s", text));
        pass_end(p);
    }
}

/* ---- by what a function returns --------------------------------------------------------- */

/* A global that one function gives its result in, and that is read in one place. */
struct carrier {
    const struct decl *decl;
    const struct node *store, *value; /* `g = value;`, what its function ends with */
    const struct node *function;
    struct node *read;
    struct node *call; /* the only one, a statement */
};

/* The function whose last statement it is; NULL: none's. */
static const struct node *function_ended_by(const struct view *v, const struct node *statement)
{
    const struct node *block = v->parent[statement->id], *function = v->parent[block->id];
    bool last = block->kind == NODE_BLOCK && block->kid[block->count - 1] == statement;
    return last && function && function->kind == NODE_FUNCTION ? function : NULL;
}

static bool find_store(const struct pass *p, struct carrier *c, struct node *name)
{
    struct node *up = view_up(p->v, name);
    if (!up || up->kind != NODE_ASSIGN || up->op != OP_ASSIGN || view_written(up->kid[0]) != name)
        return false;
    c->store = view_alone(p->v, up);
    c->value = up->kid[1];
    c->function = c->store ? function_ended_by(p->v, c->store) : NULL;
    return c->function && c->value->begin < c->value->end;
}

static bool find_carrier(const struct pass *p, const struct decl *d, struct carrier *c)
{
    const struct list *names = &p->v->names[d->id];
    if (!is_local_or_global(d) || d->owner || d->init || !lang_is_scalar(d->type) ||
        p->v->places[d->id].n != 1 || names->n != 2)
        return false;
    bool second = find_store(p, c, names->at[1]);
    if (!second && !find_store(p, c, names->at[0]))
        return false;
    const struct decl *f = c->function->u.function->decl;
    c->decl = d;
    c->read = names->at[!second];
    c->call = p->v->names[f->id].n == 1 ? view_up(p->v, p->v->names[f->id].at[0]) : NULL;
    return view_is_value(p->v, c->read) && c->call && c->call->kind == NODE_CALL &&
           view_called(c->call) == f && view_alone(p->v, c->call);
}

/* void f(void) has the variable's type from here on. */
static void give_type(struct pass *p, const struct carrier *c)
{
    const struct tokens *t = &p->v->tokens;
    struct text type = {0};
    lang_print_type(p->v->p, lang_unqualified(c->decl->type), NULL, &type);
    uint32_t i = tokens_at(t, c->function->begin), end = c->function->kid[0]->begin;
    for (; t->at[i].begin < end; i++)
        if (token_is(p->v->text, &t->at[i], "void"))
            pass_patch(p, t->at[i].begin, t->at[i].end, text_str(&type));
    text_free(&type);
}

/* `g = x; }` of a function, `f();` and then g, by `return x; }` and f(). */
void pass_RETURNED(struct pass *p)
{
    for (size_t i = 0; i < p->v->p->decls.n; i++) {
        struct carrier c = {.decl = NULL};
        if (!find_carrier(p, p->v->p->decls.at[i], &c))
            continue;
        pass_begin(p);
        drop_places(p, c.decl);
        give_type(p, &c);
        pass_patch(p, c.store->begin, c.value->begin, "return ");
        pass_drop(p, view_alone(p->v, c.call));
        pass_replace(p, c.read, view_source(p->v, &p->h->arena, c.call->begin, c.call->end));
        pass_end(p);
    }
}

static bool is_written(const struct pass *p, const struct decl *d)
{
    return is_local_or_global(d) && p->v->places[d->id].n;
}

static void offer_other(struct pass *p, const struct decl *d, const struct decl *other)
{
    pass_begin(p);
    drop_places(p, d);
    for (size_t k = 0; k < p->v->names[d->id].n; k++)
        pass_replace(p, p->v->names[d->id].at[k], other->name);
    pass_end(p);
}

/* The variable by the one declared before it, and by the last one of its own type: where its values
 * do not matter, one is enough. */
void pass_SHARE(struct pass *p)
{
    enum { BACK = 32 };
    const struct list *decls = &p->v->p->decls;
    for (size_t i = 0; i < decls->n; i++) {
        const struct decl *d = decls->at[i], *last = NULL, *same = NULL;
        if (!is_written(p, d))
            continue;
        for (size_t k = i; k-- > 0 && i - k <= BACK && !same;) {
            const struct decl *other = decls->at[k];
            if (!is_written(p, other))
                continue;
            last = last ? last : other;
            same = other->type->canon == d->type->canon ? other : NULL;
        }
        if (last)
            offer_other(p, d, last);
        if (same && same != last)
            offer_other(p, d, same);
    }
}

/* What the initialiser of a local variable that nothing names does stays, as a statement. */
static void offer_initialiser(struct pass *p, const struct decl *d, const struct node *n)
{
    const struct node *decl = p->v->parent[n->id], *init = n->count ? n->kid[0] : NULL;
    const struct node *up = p->v->parent[decl->id];
    if (p->v->names[d->id].n || !d->owner || d->is_static || !up || up->kind != NODE_BLOCK ||
        !init || init->kind == NODE_INIT || init->begin >= init->end)
        return;
    const char *value = view_source(p->v, &p->h->arena, init->begin, init->end);
    const char *statement = arena_printf(&p->h->arena, "%s;", value);
    pass_begin(p);
    if (decl->count == 1) {
        pass_replace(p, decl, statement);
    } else {
        bool first = decl->kid[0] == n;
        pass_patch(p, first ? decl->begin : decl->end, first ? decl->begin : decl->end, statement);
        pass_drop_declarator(p, n);
    }
    pass_end(p);
}

/* One declarator of several, or a name that nothing uses. */
void pass_DECLARATORS(struct pass *p)
{
    for (size_t i = p->v->p->decls.n; i-- > 0;) {
        const struct decl *d = p->v->p->decls.at[i];
        for (size_t k = 0; d->kind != DECL_ENUMERATOR && k < p->v->places[d->id].n; k++) {
            const struct node *n = p->v->places[d->id].at[k], *up = p->v->parent[n->id];
            if (up->kind == NODE_DECL && d->kind == DECL_VAR)
                offer_initialiser(p, d, n);
            if (up->kind != NODE_DECL || (up->count == 1 && k == 0 && p->v->names[d->id].n))
                continue;
            pass_begin(p);
            if (up->count == 1)
                pass_drop(p, up);
            else
                pass_drop_declarator(p, n);
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
