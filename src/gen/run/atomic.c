/* Atomic builtins on the objects of the running program, which has one thread.  Arithmetic wraps
 * (C11 7.17.7.5p3). */
#include "gen/run/run.h"

static const struct change {
    uint16_t builtin;
    uint8_t op; /* OP_NOT: nand */
    bool gives_new;
} changes[] = {
#define ROW(name, op)                                      \
    {BUILTIN___atomic_fetch_##name, OP_##op, false},       \
        {BUILTIN___atomic_##name##_fetch, OP_##op, true},  \
        {BUILTIN___sync_fetch_and_##name, OP_##op, false}, \
        {BUILTIN___sync_##name##_and_fetch, OP_##op, true},
    ROW(add, ADD) ROW(sub, SUB) ROW(and, AND) ROW(or, OR) ROW(xor, XOR) ROW(nand, NOT)
#undef ROW
};

/* One call: the object, what it holds, what the arguments are. */
struct atomic {
    struct gen *g;
    struct spot at;
    u128 old, by;
};

static void put(struct atomic *a, u128 bits)
{
    struct val v = {.bits = lang_wrap(bits, gen_int_width(a->g, a->at.type))};
    run_mem_store(a->g, &a->at, &v);
}

static u128 changed(const struct change *c, u128 old, u128 by)
{
    switch (c->op) {
    case OP_ADD:
        return old + by;
    case OP_SUB:
        return old - by;
    case OP_AND:
        return old & by;
    case OP_OR:
        return old | by;
    case OP_XOR:
        return old ^ by;
    default:
        return ~(old & by);
    }
}

static bool change(struct atomic *a, const struct decl *d, struct val *v)
{
    for (size_t i = 0; i < LENGTH(changes); i++) {
        if (changes[i].builtin != d->builtin)
            continue;
        put(a, changed(&changes[i], a->old, a->by));
        v->bits = a->old;
        if (changes[i].gives_new)
            run_mem_load(a->g, &a->at, v);
        return true;
    }
    return false;
}

/* compare_exchange(&x, &expected, desired, ...) */
static void compare_exchange(struct atomic *a, const struct val *args, struct val *v)
{
    struct spot other = {args[1].link.to, (uint64_t)args[1].link.at, a->at.type, NULL};
    struct val expected = {0}, old = {.bits = a->old};
    run_mem_load(a->g, &other, &expected);
    v->bits = expected.bits == a->old;
    if (v->bits)
        put(a, args[2].bits);
    else
        run_mem_store(a->g, &other, &old);
}

static bool swap(struct atomic *a, const struct decl *d, const struct val *args, struct val *v)
{
    bool same = a->by == a->old;
    v->bits = a->old;
    switch (d->builtin) {
    case BUILTIN___atomic_load_n:
        return true;
    case BUILTIN___atomic_store_n:
    case BUILTIN___atomic_exchange_n:
        put(a, a->by);
        return true;
    case BUILTIN___sync_bool_compare_and_swap:
    case BUILTIN___sync_val_compare_and_swap:
        if (same)
            put(a, args[2].bits);
        if (d->builtin == BUILTIN___sync_bool_compare_and_swap)
            v->bits = same;
        return true;
    case BUILTIN___atomic_compare_exchange_n:
        compare_exchange(a, args, v);
        return true;
    default:
        return false;
    }
}

bool run_atomic(struct gen *g, const struct node *n, const struct decl *d, const struct val *args,
                struct val *v)
{
    if (d->builtin == BUILTIN___atomic_thread_fence || d->builtin == BUILTIN___sync_synchronize)
        return true;
    if (n->count < 3 || n->kid[1]->type->kind != TYPE_POINTER || !args[0].link.to ||
        !lang_is_integer(n->kid[1]->type->base))
        return false;
    struct type *t = n->kid[1]->type->base->unqual;
    struct atomic a = {g, {args[0].link.to, (uint64_t)args[0].link.at, t, NULL}, 0, args[1].bits};
    struct val old = {0};
    if (!run_mem_inside(a.at.object, args[0].link.at, gen_size_of(g, t)))
        return false;
    run_mem_load(g, &a.at, &old);
    a.old = old.bits;
    return change(&a, d, v) || swap(&a, d, args, v);
}
