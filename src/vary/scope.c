/* What a name or a type means at a place, and which variables can be named there. */
#include "vary/private.h"

#include <stdlib.h>
#include <string.h>

static const struct scope *find_name(const struct scope *s, const char *name)
{
    for (; s; s = s->up)
        if (strcmp(s->decl->name, name) == 0)
            return s;
    return NULL;
}

/* Does it stand in the initialiser of another thing of that name?  C11 6.2.1p7: in int x = x the
 * new x is meant. */
static bool is_hidden_by_declarator(const struct vary *v, const struct node *at,
                                    const struct decl *d)
{
    for (const struct node *n = at; n; n = v->parent[n->id]) {
        const struct decl *e = n->kind == NODE_DECLARATOR ? n->u.declarator->decl : NULL;
        if (e && e != d && e->name && strcmp(e->name, d->name) == 0)
            return true;
    }
    return false;
}

bool vary_is_visible(const struct vary *v, const struct node *at, const struct decl *d)
{
    const struct scope *s = find_name(v->scope[at->id], d->name);
    if (is_hidden_by_declarator(v, at, d))
        return false;
    if (s)
        return s->decl == d;
    return d->id < v->decl_count && v->declared[d->id] < v->seq[at->id];
}

static bool is_local_tag(const struct vary *v, const char *tag)
{
    for (size_t i = 0; i < v->local_tags.n; i++)
        if (strcmp(v->local_tags.at[i], tag) == 0)
            return true;
    return false;
}

static bool stands_before(const struct vary *v, const struct node *body, const struct node *at)
{
    if (!body)
        return false;
    if (!v->p->text)
        return true;
    for (size_t i = 0; i < v->p->functions.n; i++) {
        const struct node *f = ((struct function *)v->p->functions.at[i])->node;
        if (f->begin <= body->begin && body->begin < f->end)
            return false;
    }
    return body->end <= at->begin;
}

bool vary_enumerator_is_visible(const struct vary *v, const struct node *at, const struct decl *d)
{
    const struct scope *s = find_name(v->scope[at->id], d->name);
    if (is_hidden_by_declarator(v, at, d))
        return false;
    return s ? s->decl == d : stands_before(v, d->node, at);
}

static const struct node *body_of(const struct type *t)
{
    switch (t->kind) {
    case TYPE_STRUCT:
    case TYPE_UNION:
        return t->u.record->body;
    case TYPE_ENUM:
        return t->u.enumeration->body;
    default:
        return NULL;
    }
}

bool vary_is_settled_at(const struct vary *v, const struct node *at, const struct type *t)
{
    t = t->canon;
    while (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION)
        t = t->base->canon;
    const struct node *body = body_of(t);
    return !body || !v->p->text || body->end <= at->begin;
}

bool vary_is_complete_at(const struct vary *v, const struct node *at, const struct type *t)
{
    if (!lang_is_complete(t))
        return false;
    return lang_is_kind(t, TYPE_POINTER) || vary_is_settled_at(v, at, t);
}

static bool tag_is_visible(const struct vary *v, const struct node *at, const char *tag,
                           const struct node *body)
{
    return tag && !is_local_tag(v, tag) && stands_before(v, body, at);
}

bool vary_type_is_visible(const struct vary *v, const struct node *at, const struct type *t)
{
    switch (t->kind) {
    case TYPE_TYPEDEF:
        return t->u.decl->name && vary_is_visible(v, at, t->u.decl);
    case TYPE_POINTER:
        return vary_type_is_visible(v, at, t->base);
    case TYPE_ARRAY:
        return !(t->flags & (TYPE_VARIABLE | TYPE_UNSIZED | TYPE_STAR | TYPE_STATIC)) &&
               (!t->u.length || t->u.length->kind == NODE_INT) &&
               vary_type_is_visible(v, at, t->base);
    case TYPE_STRUCT:
    case TYPE_UNION:
        return tag_is_visible(v, at, t->u.record->tag, t->u.record->body);
    case TYPE_ENUM:
        return tag_is_visible(v, at, t->u.enumeration->tag, t->u.enumeration->body);
    case TYPE_FUNCTION:
    case TYPE_VECTOR:
    case TYPE_COMPLEX:
    case TYPE_VA_LIST:
    case TYPE_UNKNOWN:
    case TYPE_TYPEOF:
    case TYPE_AUTO:
    case TYPE_DEFINITION:
    case TYPE_ATTRIBUTED:
        return false;
    default:
        return !t->align && !(t->quals & QUAL_MAY_ALIAS);
    }
}

static bool is_usable(const struct vary *v, const struct node *at, const struct decl *d)
{
    return (d->kind == DECL_VAR || d->kind == DECL_PARAM) && d->storage != STORAGE_REGISTER &&
           !(d->type->canon->flags & TYPE_VARIABLE) && !(d->type->canon->quals & QUAL_ATOMIC) &&
           vary_is_complete_at(v, at, d->type) && vary_is_visible(v, at, d);
}

enum { LOOKED_AT = 48 };

struct decl *vary_variable_of(struct draw *d, const struct node *at, const struct type *t)
{
    struct vary *v = d->v;
    struct decl *found = NULL;
    unsigned n = 0;
    for (const struct scope *s = v->scope[at->id]; s; s = s->up)
        if (s->decl->type && s->decl->type->canon == t->canon && is_usable(v, at, s->decl) &&
            rng_below(&d->rng, ++n) == 0)
            found = s->decl;
    size_t start = v->globals.n ? rng_below(&d->rng, v->globals.n) : 0;
    for (size_t i = 0; i < v->globals.n && i < LOOKED_AT; i++) {
        struct decl *g = v->globals.at[(start + i) % v->globals.n];
        if (g->type->canon == t->canon && is_usable(v, at, g) && rng_below(&d->rng, ++n) == 0)
            found = g;
    }
    return found;
}

struct decl *vary_any_variable(struct draw *d, const struct node *at, bool global)
{
    struct vary *v = d->v;
    struct decl *found = NULL;
    unsigned n = 0;
    for (const struct scope *s = global ? NULL : v->scope[at->id]; s; s = s->up)
        if (is_usable(v, at, s->decl) && rng_below(&d->rng, ++n) == 0)
            found = s->decl;
    if (found && rng_chance(&d->rng, 60))
        return found;
    for (unsigned i = 0; i < 8 && v->globals.n; i++) {
        struct decl *g = v->globals.at[rng_below(&d->rng, v->globals.n)];
        if (is_usable(v, at, g))
            return g;
    }
    return found;
}

struct decl *vary_fresh_variable(struct vary *v, struct type *t)
{
    struct decl *d = NEW(&v->p->arena, struct decl);
    d->id = UINT32_MAX; /* of the printer's concern only */
    d->kind = DECL_VAR;
    d->name = arena_printf(&v->p->arena, "cupel_%u", ++v->fresh);
    d->type = t;
    return d;
}

uint32_t vary_greatest_number(const struct program *p)
{
    static const char prefix[] = "cupel_";
    enum { DIGITS = 9 }; /* more are no number of ours */
    uint32_t greatest = 0;
    for (const char *s = p->text; s && (s = strstr(s, prefix));) {
        s += strlen(prefix);
        s += strspn(s, "abcdefghijklmnopqrstuvwxyz_");
        size_t n = strspn(s, "0123456789");
        uint32_t number = n && n <= DIGITS ? (uint32_t)strtoul(s, NULL, 10) : 0;
        greatest = number > greatest ? number : greatest;
    }
    return greatest;
}
