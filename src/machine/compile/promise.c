/* Promises that declarations make and compilers rely on: nonnull, returns_nonnull, assume_aligned,
 * pure and const (pure.c of the machine) of functions (gcc's manual, 6.33), and [static n] of
 * parameters (C11 6.7.6.3p7). Emits a check where each is made; what holds costs one instruction a
 * call. */
#include "machine/compile/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const struct attr *attr_find(const struct decl *d, const char *name)
{
    const struct attr *a = d->attrs;
    while (a && strcmp(a->name, name) != 0)
        a = a->next;
    return a;
}

/* The next number in an attribute's text, from *at on; false: there is none. */
static bool next_number(const char **at, uint64_t *n)
{
    const char *s = *at;
    while (*s && !isdigit((unsigned char)*s))
        s++;
    if (!*s)
        return false;
    char *end;
    *n = strtoull(s, &end, 0);
    *at = end;
    return true;
}

static void check_nonnull(struct compiler *c, const struct call_site *site, uint64_t i)
{
    if (i >= 1 && i <= site->count && kind_of(c->p, site->types[i - 1]) == KIND_POINTER)
        emit(c, I_NONNULL, 0, site->slot[i - 1], 0, (int64_t)i);
}

void promise_arguments(struct compiler *c, const struct decl *d, const struct call_site *site)
{
    for (const struct attr *a = d->attrs; a; a = a->next) {
        if (strcmp(a->name, "nonnull") != 0)
            continue;
        const char *at = strchr(a->text, '(');
        uint64_t i;
        if (!at)
            for (i = 1; i <= site->count; i++)
                check_nonnull(c, site, i);
        while (at && next_number(&at, &i))
            check_nonnull(c, site, i);
    }
}

void promise_result(struct compiler *c, const struct decl *d, uint32_t slot)
{
    const struct attr *aligned = attr_find(d, "assume_aligned");
    if (attr_find(d, "returns_nonnull"))
        emit(c, I_NONNULL, 0, slot, 0, 0);
    const char *at = aligned ? strchr(aligned->text, '(') : NULL;
    uint64_t n, offset = 0;
    if (!at || !next_number(&at, &n) || !n || n & (n - 1))
        return;
    next_number(&at, &offset);
    emit(c, I_ALIGNED, 0, slot, (uint32_t)offset, (int64_t)(n - 1));
}

enum purity_promise promise_purity(const struct decl *d)
{
    return attr_find(d, "const")  ? PROMISE_CONST
           : attr_find(d, "pure") ? PROMISE_PURE
                                  : PROMISE_NO_PURITY;
}

void promise_parameter(struct compiler *c, const struct decl *d, uint32_t slot)
{
    const struct type *t = d->written;
    if (!t || t->kind != TYPE_ARRAY || !(t->flags & TYPE_STATIC) || t->flags & TYPE_VARIABLE)
        return;
    emit(c, I_STATIC_ARRAY, 0, slot, 0, (int64_t)(t->u.count * lang_sizeof(c->p, t->base)));
}
