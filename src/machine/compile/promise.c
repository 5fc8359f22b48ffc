/* Promises that declarations make and compilers rely on (gcc's manual, 6.33): nonnull,
 * returns_nonnull, assume_aligned, alloc_size, alloc_align, malloc, access, noreturn, pure and
 * const (pure.c of the machine) of functions, and [static n] of parameters (C11 6.7.6.3p7).
 *
 * What the definition promises is checked where the function begins and returns, whoever calls it;
 * what needs the arguments, or only the caller's declaration promises, around the call.  What holds
 * costs an instruction a call. */
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

static bool is_pointer(const struct compiler *c, const struct type *t)
{
    return kind_of(c->p, t) == KIND_POINTER;
}

/* Calls f for the parameters that a nonnull attribute of d names, from 1. */
typedef void index_fn(struct compiler *c, const void *of, uint64_t i);
static void each_nonnull(struct compiler *c, const struct decl *d, uint64_t count, index_fn *f,
                         const void *of)
{
    for (const struct attr *a = d->attrs; a; a = a->next) {
        if (strcmp(a->name, "nonnull") != 0)
            continue;
        const char *at = strchr(a->text, '(');
        uint64_t i;
        if (!at)
            for (i = 1; i <= count; i++)
                f(c, of, i);
        while (at && next_number(&at, &i))
            if (i >= 1 && i <= count)
                f(c, of, i);
    }
}

/* ---- around a call ---------------------------------------------------------------------- */

static void nonnull_argument(struct compiler *c, const void *of, uint64_t i)
{
    const struct call_site *site = of;
    if (is_pointer(c, site->types[i - 1]))
        emit(c, I_NONNULL, 0, site->slot[i - 1], 0, (int64_t)i);
}

/* access(mode, pointer, size): so many elements are there. */
static void check_access(struct compiler *c, const struct attr *a, const struct call_site *site)
{
    const char *at = strchr(a->text, '(');
    uint64_t pointer, size;
    if (!at || !next_number(&at, &pointer) || !next_number(&at, &size) || !pointer || !size ||
        pointer > site->count || size > site->count || !is_pointer(c, site->types[pointer - 1]) ||
        !lang_is_integer(site->types[size - 1]))
        return;
    const struct type *element = site->types[pointer - 1]->canon->base;
    uint64_t bytes = element->canon->kind == TYPE_VOID ? 1 : lang_sizeof(c->p, element);
    emit(c, I_ROOM, 0, site->slot[pointer - 1], site->slot[size - 1], (int64_t)bytes);
}

/* An array that is named where a parameter promises more elements than it has. */
static void check_array_argument(struct compiler *c, const struct call_site *site, uint32_t i)
{
    const struct type *t = site->callee->body->params[i]->written;
    const struct node *a = kid(c, site->node, i + 1);
    while (a->kind == NODE_CAST && a->op != CONV_ARRAY)
        a = kid(c, a, 0);
    if (!t || t->kind != TYPE_ARRAY || !(t->flags & TYPE_STATIC) || t->flags & TYPE_VARIABLE ||
        a->kind != NODE_CAST)
        return;
    const struct type *is = a->kid[0]->type->canon;
    bool sized = is->kind == TYPE_ARRAY && !(is->flags & (TYPE_UNSIZED | TYPE_VARIABLE));
    if (sized && is->u.count > 1 && lang_sizeof(c->p, is) < t->u.count * lang_sizeof(c->p, t->base))
        emit_fault(c, site->node, UB_STATIC_ARRAY);
}

void promise_arguments(struct compiler *c, const struct decl *d, const struct call_site *site)
{
    each_nonnull(c, d, site->count, nonnull_argument, site);
    for (const struct attr *a = d->attrs; a; a = a->next)
        if (strcmp(a->name, "access") == 0)
            check_access(c, a, site);
    for (uint32_t i = 0; i < site->callee->body->param_count && i < site->count; i++)
        check_array_argument(c, site, i);
}

/* An integer argument that a number names, from 1. */
static bool is_number(const struct call_site *site, uint64_t i)
{
    return i >= 1 && i <= site->count && lang_is_integer(site->types[i - 1]);
}

/* The product of what the attribute names into the slot; NO_SLOT: it names nothing. */
static uint32_t keep_size(struct compiler *c, const struct attr *a, const struct call_site *site,
                          uint32_t slot)
{
    const char *at = a ? strchr(a->text, '(') : NULL;
    uint64_t i;
    if (!at || !next_number(&at, &i) || !is_number(site, i))
        return NO_SLOT;
    emit(c, I_MOVE, slot, site->slot[i - 1], 0, 0);
    if (next_number(&at, &i) && is_number(site, i))
        emit(c, I_MUL_U64, slot, slot, site->slot[i - 1], 0);
    return slot;
}

uint32_t promise_room(struct compiler *c, const struct decl *d, const struct call_site *site)
{
    bool needed = attr_find(d, "alloc_size") || attr_find(d, "alloc_align") ||
                  attr_find(d, "malloc");
    return needed ? slot_new(c, 2 + site->count) : NO_SLOT;
}

struct kept_arguments promise_keep(struct compiler *c, const struct decl *d,
                                   const struct call_site *site, uint32_t room)
{
    struct kept_arguments k = {keep_size(c, attr_find(d, "alloc_size"), site, room),
                               keep_size(c, attr_find(d, "alloc_align"), site, room + 1), NO_SLOT,
                               0};
    const struct attr *fresh = attr_find(d, "malloc");
    if (!fresh || strchr(fresh->text, '(')) /* with arguments: only who frees it */
        return k;
    k.first = room + 2;
    for (uint32_t i = 0; i < site->count; i++)
        if (is_pointer(c, site->types[i]))
            emit(c, I_MOVE, k.first + k.pointers++, site->slot[i], 0, 0);
    return k;
}

static void check_result(struct compiler *c, const struct decl *d, uint32_t slot)
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

void promise_result(struct compiler *c, const struct decl *d, uint32_t slot,
                    const struct kept_arguments *k)
{
    check_result(c, d, slot);
    if (k->size != NO_SLOT)
        emit(c, I_ROOM, 0, slot, k->size, 1);
    if (k->align != NO_SLOT)
        emit(c, I_ALIGNED_TO, 0, slot, k->align, 0);
    if (k->first != NO_SLOT)
        emit(c, I_FRESH, k->first, slot, k->pointers, 0);
}

/* ---- inside the function ---------------------------------------------------------------- */

enum purity_promise promise_purity(const struct decl *d)
{
    return attr_find(d, "const")  ? PROMISE_CONST
           : attr_find(d, "pure") ? PROMISE_PURE
                                  : PROMISE_NO_PURITY;
}

static void nonnull_parameter(struct compiler *c, const void *of, uint64_t i)
{
    struct decl *d = ((struct decl *const *)of)[i - 1];
    const struct var *v = link_var(c->m, c->u, d);
    if (is_pointer(c, d->type))
        emit(c, I_NONNULL, 0, v->place == VAR_LOCAL ? v->local->argument : v->slot, 0, (int64_t)i);
}

void promise_enter(struct compiler *c)
{
    if (!c->f->purity)
        return;
    c->before = slot_new(c, 1);
    c->floor = c->next; /* kept until it returns */
    emit(c, I_PURE_BEGIN, c->before, 0, 0, 0);
}

void promise_begin(struct compiler *c)
{
    const struct function *f = c->f->body;
    each_nonnull(c, c->f->decl, f->param_count, nonnull_parameter, f->params);
}

void promise_end(struct compiler *c, uint32_t result)
{
    if (result != NO_SLOT && is_pointer(c, c->f->decl->type->canon->base))
        check_result(c, c->f->decl, result);
    if (c->f->purity)
        emit(c, I_PURE_END, 0, c->before, 0, 0);
}

void promise_parameter(struct compiler *c, const struct decl *d, uint32_t slot)
{
    const struct type *t = d->written;
    if (!t || t->kind != TYPE_ARRAY || !(t->flags & TYPE_STATIC) || t->flags & TYPE_VARIABLE)
        return;
    emit(c, I_STATIC_ARRAY, 0, slot, 0, (int64_t)(t->u.count * lang_sizeof(c->p, t->base)));
}

void promise_variable_parameter(struct compiler *c, const struct decl *d)
{
    const struct type *t = d->written;
    const struct var *v = link_var(c->m, c->u, (struct decl *)(uintptr_t)d);
    if (!t || t->kind != TYPE_ARRAY || !(t->flags & TYPE_STATIC) || !(t->flags & TYPE_VARIABLE) ||
        v->place != VAR_SLOT)
        return;
    struct opnd size = size_of(c, t);
    emit(c, I_STATIC_VARIABLE, 0, v->slot, opnd_in_slot(c, size), 0);
}
