/* Passes on what is declared: initialisers, members, enumerators, structures, typedefs, and
 * declarations that can be written as one. */
#include "reduce/private.h"

#include <string.h>

/* ---- initialisers ----------------------------------------------------------------------- */

/* The token "=" of a declarator with an initialiser; NULL: it is written otherwise. */
static const struct token *equals_of(const struct pass *p, const struct node *declarator)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t i = tokens_at(t, declarator->kid[0]->begin);
    while (i > 0 && t->at[i - 1].begin > declarator->begin && !token_is(p->v->text, &t->at[i], "="))
        i--;
    return token_is(p->v->text, &t->at[i], "=") ? &t->at[i] : NULL;
}

static bool has_initialiser(const struct node *n)
{
    return n->kind == NODE_DECLARATOR && n->count && n->kid[0] &&
           n->u.declarator->decl->kind == DECL_VAR;
}

static bool lasts(const struct decl *d)
{
    return !d->owner || d->is_static;
}

/* What lasts is zero without an initialiser, and a local variable needs one. */
static const char *zero_for(const struct decl *d)
{
    return lasts(d) ? "" : lang_is_scalar(d->type) ? "=0" : "={0}";
}

/* Whole initialisers; but a pointer is there to point at something. */
void pass_INITS(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        const struct token *equals = has_initialiser(n) ? equals_of(p, n) : NULL;
        const struct decl *d = equals ? n->u.declarator->decl : NULL;
        if (!d || lang_is_kind(d->type, TYPE_POINTER) ||
            n->end - n->kid[0]->begin < strlen(zero_for(d)))
            continue;
        pass_begin(p);
        pass_patch(p, equals->begin, n->end, zero_for(d));
        pass_end(p);
    }
}

/* Elements of initialisers; initialisers of pointers, and of locals that are given values later. */
void pass_ELEMENTS(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        const struct token *equals = has_initialiser(n) ? equals_of(p, n) : NULL;
        const struct decl *d = equals ? n->u.declarator->decl : NULL;
        if (d && (!lasts(d) || lang_is_kind(d->type, TYPE_POINTER))) {
            pass_begin(p);
            pass_patch(p, equals->begin, n->end, "");
            pass_end(p);
        }
        for (uint32_t k = n->kind == NODE_INIT ? n->count : 0; k-- > 0;) {
            const struct node *kid = view_written(n->kid[k]);
            pass_begin(p);
            if (kid->begin < kid->end)
                pass_drop_listed(p, kid->begin, kid->end);
            pass_end(p);
        }
    }
}

/* [2] = x and {x} by x. */
void pass_BARE(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        for (uint32_t k = n->kind == NODE_INIT ? n->count : 0; k-- > 0;) {
            const struct node *kid = view_written(n->kid[k]);
            bool wraps = kid->kind == NODE_DESIGNATED || kid->kind == NODE_INIT;
            const struct node *inner = wraps && kid->count ? view_written(kid->kid[0]) : NULL;
            pass_begin(p);
            if (inner && inner->begin < inner->end)
                pass_lift(p, kid, inner, "", "");
            pass_end(p);
        }
    }
}

/* ---- members ---------------------------------------------------------------------------- */

/* An access to a member that is gone. */
static void forget_access(struct pass *p, struct node *access)
{
    const struct view *v = p->v;
    struct node *up = view_up(v, access);
    bool changed = up && ((up->kind == NODE_ASSIGN && view_written(up->kid[0]) == access) ||
                          (up->kind == NODE_UNARY && up->op <= OP_PREDEC));
    struct node *whole = changed ? up : access;
    const struct node *alone = view_alone(v, whole);
    const char *known = subject_constant(p->s, v, whole, &p->h->arena);
    if (alone)
        pass_drop(p, alone);
    else if (changed && up->kind == NODE_ASSIGN)
        pass_lift(p, up, up->kid[1], "(", ")");
    else
        pass_replace(p, whole, known ? known : "0");
}

/* Elements of initialisers that are for this field, without a designator. */
static void drop_elements(struct pass *p, const struct field *f)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        if (n->kind != NODE_INIT || !n->type || !lang_is_record(n->type) ||
            n->type->canon->u.record != f->record || f->index >= n->count)
            continue;
        const struct node *kid = view_written(n->kid[f->index]);
        if (kid->begin < kid->end)
            pass_drop_listed(p, kid->begin, kid->end);
    }
}

static void offer_member(struct pass *p, const struct node *field)
{
    const struct node *up = p->v->parent[field->id];
    pass_begin(p);
    if (up->kind == NODE_DECL && up->count > 1)
        pass_drop_declarator(p, field);
    else
        pass_drop(p, up->kind == NODE_DECL ? up : field);
    for (size_t i = 0; i < p->v->order.n; i++) {
        struct node *n = p->v->order.at[i];
        if (n->kind == NODE_MEMBER && n->u.field == field->u.field)
            forget_access(p, n);
    }
    drop_elements(p, field->u.field);
    pass_end(p);
}

static void offer_enumerator(struct pass *p, const struct node *n)
{
    const struct list *names = &p->v->names[n->u.decl->id];
    pass_begin(p);
    pass_drop_listed(p, n->begin, n->end);
    for (size_t i = 0; i < names->n; i++)
        pass_replace(p, names->at[i],
                     arena_printf(&p->h->arena, "(%lld)", (long long)n->u.decl->value));
    pass_end(p);
}

void pass_MEMBERS(struct pass *p)
{
    for (size_t i = p->v->order.n; i-- > 0;) {
        const struct node *n = p->v->order.at[i];
        if (n->kind == NODE_FIELD)
            offer_member(p, n);
        else if (n->kind == NODE_ENUMERATOR)
            offer_enumerator(p, n);
    }
}

/* ---- structures ------------------------------------------------------------------------- */

/* Specifiers of a declaration as text: what stands before the name, but for stars. */
static const char *specifiers(const struct pass *p, const struct node *decl,
                              const struct node *first)
{
    return view_source(p->v, &p->h->arena, decl->begin, first->begin);
}

/* The variable becomes what its member is: x.m is x, and its other members are gone. */
static void offer_field(struct pass *p, const struct decl *d, const struct node *place,
                        const struct field *f)
{
    const struct view *v = p->v;
    const struct node *decl = v->parent[place->id];
    const struct node *field_decl = f->node ? v->parent[f->node->id] : NULL;
    if (!field_decl || field_decl->kind != NODE_DECL || f->is_bitfield || !f->name)
        return;
    pass_begin(p);
    const char *tail = view_source(v, &p->h->arena, f->node->begin, f->node->end);
    tail += strlen(f->name);
    const char *spec = specifiers(p, field_decl, f->node);
    const char *storage = d->storage == STORAGE_STATIC ? "static " : "";
    const struct node *init = place->kid[0];
    const char *value = "";
    if (init && init->kind == NODE_INIT && f->index < init->count) {
        const struct node *kid = view_written(init->kid[f->index]);
        value = arena_printf(&p->h->arena, " = %s",
                             view_source(v, &p->h->arena, kid->begin, kid->end));
    }
    pass_replace(p, decl,
                 arena_printf(&p->h->arena, "%s%s%s%s%s;", storage, spec, d->name, tail, value));
    for (size_t i = 0; i < v->names[d->id].n; i++) {
        struct node *name = v->names[d->id].at[i], *up = view_up(v, name);
        if (up && up->kind == NODE_MEMBER && up->u.field == f)
            pass_replace(p, up, d->name);
        else if (up && up->kind == NODE_MEMBER)
            forget_access(p, up);
    }
    pass_end(p);
}

void pass_RECORDS(struct pass *p)
{
    const struct view *v = p->v;
    for (size_t i = 0; i < v->p->decls.n; i++) {
        const struct decl *d = v->p->decls.at[i];
        if (d->kind != DECL_VAR || !d->name || !lang_is_record(d->type) || v->places[d->id].n != 1)
            continue;
        const struct node *place = v->places[d->id].at[0];
        const struct record *r = d->type->canon->u.record;
        if (v->parent[place->id]->kind != NODE_DECL || v->parent[place->id]->count != 1)
            continue;
        for (uint32_t k = 0; k < r->count; k++)
            offer_field(p, d, place, r->fields[k]);
    }
}

/* ---- typedefs --------------------------------------------------------------------------- */

/* Everywhere that the name stands for the type. */
static void offer_typedef(struct pass *p, const struct decl *d, const struct node *place)
{
    const struct view *v = p->v;
    const struct tokens *t = &v->tokens;
    const struct node *decl = v->parent[place->id];
    uint32_t first = tokens_at(t, decl->begin), name = tokens_at(t, place->begin);
    bool plain = token_is(v->text, &t->at[first], "typedef") && place->end == t->at[name].end;
    if (!plain || name < first + 2)
        return;
    const char *type = view_source(v, &p->h->arena, t->at[first + 1].begin, place->begin);
    pass_begin(p);
    pass_drop(p, decl);
    for (uint32_t i = 0; i < t->n; i++) {
        bool member = i > 0 && (token_is(v->text, &t->at[i - 1], ".") ||
                                token_is(v->text, &t->at[i - 1], "->"));
        if (i != name && !member && token_is(v->text, &t->at[i], d->name))
            pass_patch(p, t->at[i].begin, t->at[i].end, type);
    }
    pass_end(p);
}

void pass_TYPEDEFS(struct pass *p)
{
    for (size_t i = 0; i < p->v->p->decls.n; i++) {
        const struct decl *d = p->v->p->decls.at[i];
        if (d->kind != DECL_TYPEDEF || p->v->places[d->id].n != 1)
            continue;
        const struct node *place = p->v->places[d->id].at[0];
        if (p->v->parent[place->id]->kind == NODE_DECL && p->v->parent[place->id]->count == 1)
            offer_typedef(p, d, place);
    }
}

/* ---- declarations as one ---------------------------------------------------------------- */

static bool can_merge(const struct node *n)
{
    if (n->kind != NODE_DECL || n->count == 0 || n->begin >= n->end)
        return false;
    return n->kid[0]->kind == NODE_FIELD ||
           (n->kid[0]->kind == NODE_DECLARATOR && n->kid[0]->u.declarator->decl->kind == DECL_VAR);
}

/* The declaration goes where another one of the same type stands before it. */
void pass_MERGE(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *list = p->v->order.at[i];
        if (list->kind != NODE_UNIT && list->kind != NODE_BLOCK && list->kind != NODE_RECORD)
            continue;
        for (uint32_t k = 1; k < list->count; k++) {
            const struct node *a = list->kid[k - 1], *b = list->kid[k];
            if (!can_merge(a) || !can_merge(b) || !pass_same_specifiers(p, a, b))
                continue;
            pass_begin(p);
            pass_patch(p, a->end - 1, pass_specifiers_end(p, b), ",");
            pass_end(p);
        }
    }
}
