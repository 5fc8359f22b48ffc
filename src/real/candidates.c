/* Which functions of a program can be called by somebody who knows nothing but their types. */
#include "real/private.h"

#include <string.h>

enum { PARAMS = 6, LEAST_NODES = 20, MOST_NODES = 4000 };

bool real_is_number(const struct type *t)
{
    t = t->canon;
    return lang_is_integer(t) && t->kind != TYPE_BOOL && t->kind != TYPE_INT128 &&
           t->kind != TYPE_UINT128 && t->kind != TYPE_BITINT && !(t->quals & QUAL_VOLATILE);
}

bool real_is_member(const struct record *r, uint32_t i)
{
    enum { MOST_ELEMENTS = 4096 };
    const struct field *f = r->fields[i];
    const struct type *t = f->type->canon;
    if (!f->name || r->is_union || t->quals & QUAL_CONST)
        return false;
    if (t->kind == TYPE_ARRAY)
        return t->u.count <= MOST_ELEMENTS && real_is_number(t->base);
    return real_is_number(t);
}

static bool has_member(const struct type *t)
{
    const struct record *r = t->canon->u.record;
    for (uint32_t i = 0; i < r->count; i++)
        if (real_is_member(r, i))
            return true;
    return false;
}

static bool is_value(const struct type *t)
{
    t = t->canon;
    return (lang_is_integer(t) && t->kind != TYPE_INT128 && t->kind != TYPE_UINT128 &&
            t->kind != TYPE_BITINT) ||
           t->kind == TYPE_FLOAT || t->kind == TYPE_DOUBLE;
}

/* Numbers, bytes, or a structure that can be named. */
static bool is_pointee(const struct type *t)
{
    t = t->canon;
    if (lang_is_record(t))
        return t->u.record->complete && t->u.record->tag && !t->u.record->has_flexible &&
               !(t->quals & QUAL_VOLATILE);
    return real_is_number(t) || t->kind == TYPE_VOID;
}

static bool is_argument(const struct type *t)
{
    t = t->canon;
    return is_value(t) || (t->kind == TYPE_POINTER && is_pointee(t->base));
}

static bool gives_something(const struct function *f)
{
    const struct type *t = f->decl->type->canon->base;
    if (is_value(t))
        return true;
    for (uint32_t i = 0; t->kind == TYPE_VOID && i < f->param_count; i++) {
        const struct type *p = f->params[i]->type->canon;
        if (p->kind != TYPE_POINTER || p->base->quals & QUAL_CONST)
            continue;
        if (lang_is_record(p->base) ? has_member(p->base) : real_is_number(p->base))
            return true;
    }
    return false;
}

static uint32_t count_nodes(const struct node *n)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < n->count && count <= MOST_NODES; i++)
        if (n->kid[i])
            count += count_nodes(n->kid[i]);
    return count;
}

static bool is_fit(const struct program *p, const struct function *f)
{
    const struct type *t = f->decl->type->canon;
    if (strcmp(f->decl->name, "main") == 0 || f->has_asm || f->decl->starts ||
        t->flags & TYPE_VARIADIC || f->param_count == 0 || f->param_count > PARAMS ||
        lang_place(p, f->node->begin).system || !gives_something(f))
        return false;
    for (uint32_t i = 0; i < f->param_count; i++)
        if (!is_argument(f->params[i]->type))
            return false;
    uint32_t nodes = count_nodes(f->body);
    return nodes >= LEAST_NODES && nodes <= MOST_NODES;
}

struct list real_candidates(struct arena *a, const struct program *p)
{
    struct list found = {0};
    for (size_t i = 0; i < p->functions.n; i++)
        if (is_fit(p, p->functions.at[i]))
            list_add(a, &found, p->functions.at[i]);
    return found;
}
