/* Atomic builtins, in a machine with one thread: what they do to memory, and what they return.
 *
 * Objects of up to 8 bytes.  Arithmetic wraps (C11 7.17.7.5p3).  To pointers bytes are added, as
 * gcc documents it; to _Atomic ones some compilers add elements, so there it is unsupported. */
#include "machine/lib/private.h"

#include <string.h>

enum change { CHANGE_ADD, CHANGE_SUB, CHANGE_AND, CHANGE_OR, CHANGE_XOR, CHANGE_NAND };

static const struct {
    const char *name;
    enum change change;
    bool gives_new;
} changes[] = {
#define ROW(name, change)                                    \
    {"__atomic_fetch_" #name, CHANGE_##change, false},       \
        {"__atomic_" #name "_fetch", CHANGE_##change, true}, \
        {"__sync_fetch_and_" #name, CHANGE_##change, false}, \
        {"__sync_" #name "_and_fetch", CHANGE_##change, true},
    ROW(add, ADD) ROW(sub, SUB) ROW(and, AND) ROW(or, OR) ROW(xor, XOR) ROW(nand, NAND)
#undef ROW
};

/* What the first argument points to; NULL when that is nothing we can do. */
static const struct type *target_of(struct lib_call *c)
{
    const struct type *t = c->site->types[0]->canon;
    t = t->kind == TYPE_POINTER ? t->base->canon->unqual : t;
    uint64_t size = t->kind == TYPE_VOID || t->kind == TYPE_FUNCTION ? 0 : lang_sizeof(c->p, t);
    if (size == 1 || size == 2 || size == 4 || size == 8)
        return t;
    lib_unsupported(c, "an object of this type");
    return NULL;
}

static uint64_t low_bytes(uint64_t v, uint64_t size)
{
    return size < 8 ? v & (((uint64_t)1 << (8 * size)) - 1) : v;
}

/* As a value in a slot: extended by the sign of its type. */
static uint64_t in_slot(const struct lib_call *c, const struct type *t, uint64_t v)
{
    uint64_t size = lang_sizeof(c->p, t);
    v = low_bytes(v, size);
    if (lang_is_integer(t) && lang_int_signed(c->p, t))
        v = (uint64_t)lang_sign_extend(v, (unsigned)size * 8);
    return v;
}

static bool load(struct lib_call *c, uint64_t address, uint64_t size, uint64_t *v)
{
    const uint8_t *bytes = lib_read(c, address, size);
    *v = 0;
    if (bytes)
        memory_get(c->m, v, bytes, size);
    return bytes;
}

static bool store(struct lib_call *c, uint64_t address, uint64_t size, uint64_t v)
{
    return lib_store(c, address, &v, size);
}

/* ---- values ----------------------------------------------------------------------------- */

void lib_atomic_load_n(struct lib_call *c)
{
    const struct type *t = target_of(c);
    uint64_t v;
    if (t && load(c, arg(c, 0), lang_sizeof(c->p, t), &v))
        give(c, in_slot(c, t, v));
}

void lib_atomic_store_n(struct lib_call *c)
{
    const struct type *t = target_of(c);
    if (t)
        store(c, arg(c, 0), lang_sizeof(c->p, t), arg(c, 1));
}

void lib_atomic_exchange_n(struct lib_call *c)
{
    const struct type *t = target_of(c);
    uint64_t v, size = t ? lang_sizeof(c->p, t) : 0;
    if (t && load(c, arg(c, 0), size, &v) && store(c, arg(c, 0), size, arg(c, 1)))
        give(c, in_slot(c, t, v));
}

static uint64_t changed(enum change change, uint64_t v, uint64_t by)
{
    switch (change) {
    case CHANGE_ADD:
        return v + by;
    case CHANGE_SUB:
        return v - by;
    case CHANGE_AND:
        return v & by;
    case CHANGE_OR:
        return v | by;
    case CHANGE_XOR:
        return v ^ by;
    default:
        return ~(v & by);
    }
}

/* Does the first argument point to a pointer that is not _Atomic? */
static bool is_plain_pointer(const struct lib_call *c)
{
    const struct type *t = c->site->types[0]->canon;
    return t->kind == TYPE_POINTER && t->base->canon->kind == TYPE_POINTER &&
           !(t->base->canon->quals & QUAL_ATOMIC);
}

void lib_atomic_change(struct lib_call *c)
{
    const struct type *t = target_of(c);
    size_t row = 0;
    while (row < LENGTH(changes) && strcmp(changes[row].name, c->func->name) != 0)
        row++;
    if (!t)
        return;
    if (row == LENGTH(changes) || t->kind == TYPE_BOOL ||
        !(lang_is_integer(t) || is_plain_pointer(c))) {
        lib_unsupported(c, "an object of this type");
        return;
    }
    uint64_t old, size = lang_sizeof(c->p, t);
    if (!load(c, arg(c, 0), size, &old))
        return;
    uint64_t v = changed(changes[row].change, old, arg(c, 1));
    if (store(c, arg(c, 0), size, v))
        give(c, in_slot(c, t, changes[row].gives_new ? v : old));
}

void lib_sync_swap(struct lib_call *c)
{
    const struct type *t = target_of(c);
    uint64_t old, size = t ? lang_sizeof(c->p, t) : 0;
    if (!t || !load(c, arg(c, 0), size, &old))
        return;
    bool same = old == low_bytes(arg(c, 1), size);
    if (same && !store(c, arg(c, 0), size, arg(c, 2)))
        return;
    give(c, strstr(c->func->name, "bool") ? same : in_slot(c, t, old));
}

void lib_sync_release(struct lib_call *c)
{
    const struct type *t = target_of(c);
    if (t)
        store(c, arg(c, 0), lang_sizeof(c->p, t), 0);
}

/* ---- through pointers ------------------------------------------------------------------- */

/* Copies what the first argument points to between two addresses. */
static bool copy(struct lib_call *c, uint64_t to, uint64_t from)
{
    const struct type *t = target_of(c);
    uint64_t v, size = t ? lang_sizeof(c->p, t) : 0;
    return t && load(c, from, size, &v) && store(c, to, size, v);
}

void lib_atomic_load(struct lib_call *c)
{
    copy(c, arg(c, 1), arg(c, 0));
}

void lib_atomic_store(struct lib_call *c)
{
    copy(c, arg(c, 0), arg(c, 1));
}

/* (object, new, old) */
void lib_atomic_exchange(struct lib_call *c)
{
    const struct type *t = target_of(c);
    uint64_t v, size = t ? lang_sizeof(c->p, t) : 0;
    if (t && load(c, arg(c, 0), size, &v) && copy(c, arg(c, 0), arg(c, 1)))
        store(c, arg(c, 2), size, v);
}

/* (object, expected, new or its address, ...): a weak one never fails by chance. */
void lib_atomic_compare(struct lib_call *c)
{
    const struct type *t = target_of(c);
    uint64_t size = t ? lang_sizeof(c->p, t) : 0, old, expected, desired = arg(c, 2);
    if (!t || !load(c, arg(c, 0), size, &old) || !load(c, arg(c, 1), size, &expected))
        return;
    if (strcmp(c->func->name, "__atomic_compare_exchange") == 0 &&
        !load(c, arg(c, 2), size, &desired))
        return;
    bool same = old == expected;
    if (same ? store(c, arg(c, 0), size, desired) : store(c, arg(c, 1), size, old))
        give(c, same);
}

/* ---- flags and fences ------------------------------------------------------------------- */

void lib_atomic_test_and_set(struct lib_call *c)
{
    uint64_t old;
    if (load(c, arg(c, 0), 1, &old) && store(c, arg(c, 0), 1, 1))
        give(c, old != 0);
}

void lib_atomic_clear(struct lib_call *c)
{
    store(c, arg(c, 0), 1, 0);
}

void lib_atomic_fence(struct lib_call *c)
{
    (void)c;
}

void lib_atomic_is_free(struct lib_call *c)
{
    uint64_t size = arg(c, 0);
    give(c, size == 1 || size == 2 || size == 4 || size == 8);
}
