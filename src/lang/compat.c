/* Compatible types and their composites (C11 6.2.7). */
#include "lang/private.h"

/* A parameter may be declared as a transparent union here and as its member there (GNU). */
static bool compatible_param(const struct program *p, const struct type *a, const struct type *b)
{
    if (lang_compatible(p, a, b))
        return true;
    const struct type *u = a->kind == TYPE_UNION ? a : b, *other = u == a ? b : a;
    return u->kind == TYPE_UNION && u->u.record->transparent && u->u.record->count &&
           lang_compatible(p, u->u.record->fields[0]->type, other);
}

static bool compatible_params(const struct program *p, const struct type *a, const struct type *b)
{
    const struct function_type *f = a->u.function, *g = b->u.function;
    if (!(a->flags & TYPE_PROTOTYPE) || !(b->flags & TYPE_PROTOTYPE))
        return true; /* an old-style declaration says nothing about them */
    if (f->count != g->count || (a->flags ^ b->flags) & TYPE_VARIADIC)
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!compatible_param(p, f->types[i], g->types[i]))
            return false;
    return true;
}

static bool compatible_arrays(const struct program *p, const struct type *a, const struct type *b)
{
    if (!lang_compatible(p, a->base, b->base))
        return false;
    if ((a->flags | b->flags) & (TYPE_UNSIZED | TYPE_VARIABLE))
        return true;
    return a->u.count == b->u.count;
}

bool lang_compatible(const struct program *p, const struct type *a, const struct type *b)
{
    a = a->canon->unqual;
    b = b->canon->unqual;
    if (a == b)
        return true;
    if (a->kind == TYPE_ENUM && b->kind != TYPE_ENUM)
        return lang_compatible(p, a->u.enumeration->base, b);
    if (b->kind == TYPE_ENUM && a->kind != TYPE_ENUM)
        return lang_compatible(p, a, b->u.enumeration->base);
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TYPE_POINTER:
        return lang_compatible(p, a->base, b->base) &&
               !((a->base->quals ^ b->base->quals) & ~(unsigned)QUAL_MAY_ALIAS);
    case TYPE_ARRAY:
        return compatible_arrays(p, a, b);
    case TYPE_FUNCTION:
        return lang_compatible(p, a->base, b->base) && compatible_params(p, a, b);
    case TYPE_VECTOR:
        return a->u.count == b->u.count && lang_compatible(p, a->base, b->base);
    default:
        return false;
    }
}

struct type *lang_composite(struct program *p, struct type *a, struct type *b)
{
    struct type *ca = a->canon, *cb = b->canon;
    if (ca == cb)
        return a;
    if (ca->kind == TYPE_ARRAY && cb->kind == TYPE_ARRAY)
        return ca->flags & TYPE_UNSIZED ? b : a;
    if (ca->kind == TYPE_FUNCTION && cb->kind == TYPE_FUNCTION)
        return ca->flags & TYPE_PROTOTYPE ? a : b;
    if (ca->kind == TYPE_POINTER && cb->kind == TYPE_POINTER && ca->quals == cb->quals) {
        struct type *inner = lang_composite(p, ca->base, cb->base);
        if (inner != ca->base)
            return lang_qualified(p, lang_pointer(p, inner), ca->quals);
    }
    return a;
}
