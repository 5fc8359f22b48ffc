/* Several units: what they share must have compatible types in each, C11 6.2.7.  Our machine takes
 * structures of two units for the same when they are as large, and compilers see one unit at a
 * time, so that nobody else would object to a member or a tag that is gone in one of them. */
#include "reduce/private.h"

#include <string.h>

static bool same_name(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static const struct type *plain(const struct type *t)
{
    t = t->canon->unqual;
    return t->kind == TYPE_ENUM ? t->u.enumeration->base->canon->unqual : t;
}

static bool fits(const struct type *a, const struct type *b, unsigned depth);

static bool same_fields(const struct record *a, const struct record *b, unsigned depth)
{
    if (!a->complete || !b->complete)
        return true;
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct field *x = a->fields[i], *y = b->fields[i];
        if (!same_name(x->name, y->name) || x->is_bitfield != y->is_bitfield ||
            x->width != y->width || !fits(x->type, y->type, depth))
            return false;
    }
    return true;
}

static bool same_parameters(const struct type *a, const struct type *b, unsigned depth)
{
    const struct function_type *x = a->u.function, *y = b->u.function;
    if (!(a->flags & b->flags & TYPE_PROTOTYPE))
        return true;
    if (x->count != y->count)
        return false;
    for (uint32_t i = 0; i < x->count; i++)
        if (!fits(x->types[i], y->types[i], depth))
            return false;
    return true;
}

/* Compatible, each in its own unit?  Looked at no deeper than `depth` types, since they may be
 * recursive. */
static bool fits(const struct type *a, const struct type *b, unsigned depth)
{
    bool same_quals = a->canon->quals == b->canon->quals;
    a = plain(a);
    b = plain(b);
    if (a->kind != b->kind || !same_quals)
        return false;
    if (depth-- == 0)
        return true;
    switch (a->kind) {
    case TYPE_POINTER:
        return fits(a->base, b->base, depth);
    case TYPE_ARRAY:
        return fits(a->base, b->base, depth) &&
               (a->u.count == b->u.count || (a->flags | b->flags) & TYPE_UNSIZED);
    case TYPE_STRUCT:
    case TYPE_UNION:
        return same_name(a->u.record->tag, b->u.record->tag) &&
               same_fields(a->u.record, b->u.record, depth);
    case TYPE_FUNCTION:
        return fits(a->base, b->base, depth) && same_parameters(a, b, depth);
    default:
        return true;
    }
}

static bool is_shared(const struct decl *d)
{
    return d->linkage == LINKAGE_EXTERNAL && d->name && !d->implicit &&
           (d->kind == DECL_VAR || d->kind == DECL_FUNC);
}

bool units_are_apart(const struct view *views, size_t count)
{
    enum { DEPTH = 8 };
    struct arena a = {0};
    struct map seen = {0};
    bool apart = false;
    for (size_t i = 0; count > 1 && i < count; i++)
        for (size_t k = 0; k < views[i].p->decls.n; k++) {
            struct decl *d = views[i].p->decls.at[k];
            const struct decl *other = is_shared(d) ? map_get(&seen, d->name) : NULL;
            apart = apart || (other && !fits(d->type, other->type, DEPTH));
            if (is_shared(d))
                map_set(&a, &seen, d->name, d);
        }
    arena_free(&a);
    return apart;
}
