/* What a wrapper is made of, at another place: its body is put at the call, or into a function of
 * ours, and every name in it must mean there what it means where it was written.  Takes a site and
 * a place; changes nothing. */
#include "vary/relax/private.h"

#include <string.h>

struct type *relax_nameable(const struct vary *v, const struct node *at, struct type *t)
{
    bool visible = t->kind == TYPE_TYPEDEF && vary_type_is_visible(v, at, t);
    return visible ? t : t->canon->unqual;
}

/* An enumeration may have no name there. */
static bool has_name(const struct vary *v, const struct node *at, struct type *t)
{
    return vary_type_is_visible(v, at, relax_nameable(v, at, t));
}

static bool name_means_the_same(const struct vary *v, const struct site *s, const struct node *at,
                                const struct decl *d)
{
    if (relax_is_bound(s, d) || d->builtin)
        return true;
    return d->kind == DECL_ENUMERATOR ? vary_enumerator_is_visible(v, at, d)
                                      : vary_is_visible(v, at, d);
}

/* Of the kinds that a site's value consists of: see is_value. */
static bool value_means_the_same(const struct vary *v, const struct site *s, const struct node *at,
                                 const struct node *n)
{
    switch (n->kind) {
    case NODE_NAME:
        return name_means_the_same(v, s, at, n->u.decl);
    case NODE_SIZEOF:
        return vary_type_is_visible(v, at, n->u.operand);
    case NODE_CAST:
        if (!(n->flags & NODE_IMPLICIT) && !has_name(v, at, n->u.operand))
            return false;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !value_means_the_same(v, s, at, n->kid[i]))
            return false;
    return true;
}

bool relax_means_the_same(const struct vary *v, const struct site *s, const struct node *at)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (!has_name(v, at, s->bindings[i].type))
            return false;
    return has_name(v, at, s->type) && value_means_the_same(v, s, at, s->value);
}

bool relax_names(const struct node *value, const char *name)
{
    if (value->kind == NODE_NAME && value->u.decl->kind == DECL_ENUMERATOR)
        return strcmp(value->u.decl->name, name) == 0;
    for (uint32_t i = 0; i < value->count; i++)
        if (value->kid[i] && relax_names(value->kid[i], name))
            return true;
    return false;
}
