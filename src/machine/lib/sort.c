/* qsort and bsearch (C11 7.22.5), and POSIX's lfind and lsearch: as glibc does it, in place, so
 * that the program's function is called with elements of the array.
 *
 * A comparison that contradicts itself, or an array that is not in the order that bsearch wants, is
 * undefined.  That is looked for by more calls than the library itself makes, so only where they
 * leave no trace: the function writes nothing that others see, and the array is short.
 *
 * C leaves open in which order equal elements are left (7.22.5.2p4), which of them is found
 * (7.22.5.1p4), and which are compared: that is a choice where it can be seen. */
#include "machine/lib/private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VERIFIED = 512, INDIRECT = 32 };

/* One array and the function that compares its elements. */
struct sort {
    struct lib_call *c;
    struct callback compare;
    uint64_t base, n, size;
    struct object *spare; /* as long as the array */
    bool handed;          /* the function gets an argument of its caller's, too */
    uint64_t argument;
};

static bool prepare(struct sort *s, uint64_t address)
{
    struct lib_call *c = s->c;
    struct func *f = lib_function(c, address);
    if (!f)
        return false;
    if (!f->body) {
        lib_unsupported(c, "a function of the library compares");
        return false;
    }
    struct call_site *site = NEW(&c->m->arena, struct call_site);
    struct program *p = c->m->units[f->unit].p;
    struct type *pointer = lang_pointer(p, lang_qualified(p, lang_basic(p, TYPE_VOID), QUAL_CONST));
    struct decl *params = NEW_ARRAY(&c->m->arena, 3, struct decl);
    struct decl *list[3] = {&params[0], &params[1], &params[2]};
    static const uint32_t slots[3] = {4, 5, 6};
    site->unit = f->unit;
    site->count = s->handed ? 3 : 2;
    site->types = NEW_ARRAY(&c->m->arena, 3, const struct type *);
    for (uint32_t i = 0; i < 3; i++) {
        params[i].kind = DECL_PARAM;
        params[i].type = i < 2 ? pointer : lang_pointer(p, lang_basic(p, TYPE_VOID));
        site->types[i] = params[i].type;
    }
    site->slot = (uint32_t *)(uintptr_t)slots;
    site->function = lang_function(p, lang_basic(p, TYPE_INT), list, site->count, TYPE_PROTOTYPE);
    site->result = lang_basic(p, TYPE_INT);
    site->used = true;
    struct call_site at = *site;
    at.node = c->site->node;
    if (c->site->unit == f->unit && !call_check(c->m, &at, f))
        return false;
    s->compare = exec_prepare(c->m, f, site);
    return true;
}

/* The bytes of an element; NULL when it is not there any more. */
static const uint8_t *element(struct sort *s, uint64_t at)
{
    const struct object *o = memory_find(&s->c->m->memory, at);
    return o && at - o->base + s->size <= o->size ? o->bytes + (at - o->base) : NULL;
}

static bool other_way(const struct sort *s)
{
    return s->c->m->options.choices >> CHOICE_SORT & 1;
}

static void meet_choice(struct sort *s)
{
    machine_choose(s->c->m, CHOICE_SORT, s->c->site->unit, s->c->site->node);
}

/* C11 7.22.5p2: it shall not alter the contents of the array. */
static bool compare(struct sort *s, uint64_t a, uint64_t b, int32_t *order)
{
    uint64_t args[3] = {a, b, s->argument}, result = 0;
    uint8_t before[2 * INDIRECT];
    const uint8_t *x = element(s, a), *y = element(s, b);
    bool watched = s->size <= INDIRECT && x && y;
    if (watched) {
        memcpy(before, x, s->size);
        memcpy(before + s->size, y, s->size);
    }
    if (!exec_callback(s->c->m, &s->compare, args, &result))
        return false;
    *order = (int32_t)result;
    x = element(s, a);
    y = element(s, b);
    if (!watched ||
        (x && y && memcmp(before, x, s->size) == 0 && memcmp(before + s->size, y, s->size) == 0))
        return true;
    lib_undefined(s->c, UB_LIB_ARG, "the comparison changed the array");
    return false;
}

static bool move(struct sort *s, uint64_t to, uint64_t from, uint64_t n)
{
    return n == 0 || access_copy(s->c->m, s->c->pc, to, from, n * s->size);
}

/* Does a, which stands before b, stay there?  Where they are equal, C leaves it open. */
static bool stays(struct sort *s, uint64_t a, uint64_t b, bool *first)
{
    int32_t order;
    if (!(other_way(s) ? compare(s, b, a, &order) : compare(s, a, b, &order)))
        return false;
    *first = other_way(s) ? order > 0 : order <= 0;
    const uint8_t *x = element(s, a), *y = element(s, b);
    if (order == 0 && x && y && memcmp(x, y, s->size) != 0)
        meet_choice(s);
    return true;
}

/* Elements that are small: each half is sorted, and merged through the spare array. */
static bool sort_small(struct sort *s, uint64_t at, uint64_t n)
{
    if (n < 2)
        return true;
    uint64_t left = n / 2, right = n - left, b1 = at, b2 = at + left * s->size;
    uint64_t to = s->spare->base;
    if (!sort_small(s, b1, left) || !sort_small(s, b2, right))
        return false;
    while (left && right) {
        bool first;
        if (!stays(s, b1, b2, &first) || !move(s, to, first ? b1 : b2, 1))
            return false;
        to += s->size;
        if (first) {
            b1 += s->size;
            left--;
        } else {
            b2 += s->size;
            right--;
        }
    }
    return move(s, to, b1, left) && move(s, at, s->spare->base, n - right);
}

/* Elements that are large: their addresses are sorted, and they move at the end. */
static bool sort_addresses(struct sort *s, uint64_t *at, uint64_t *spare, uint64_t n)
{
    if (n < 2)
        return true;
    uint64_t half = n / 2, i = 0, k = half, to = 0;
    if (!sort_addresses(s, at, spare, half) || !sort_addresses(s, at + half, spare, n - half))
        return false;
    while (i < half && k < n) {
        bool first;
        if (!stays(s, at[i], at[k], &first))
            return false;
        spare[to++] = first ? at[i++] : at[k++];
    }
    while (i < half)
        spare[to++] = at[i++];
    memcpy(at, spare, to * sizeof *at);
    return true;
}

static bool sort_large(struct sort *s)
{
    uint64_t *at = malloc(2 * s->n * sizeof *at);
    if (!at)
        BUG("no memory to sort");
    for (uint64_t i = 0; i < s->n; i++)
        at[i] = s->base + i * s->size;
    bool done = sort_addresses(s, at, at + s->n, s->n);
    for (uint64_t i = 0; done && i < s->n; i++)
        done = move(s, s->spare->base + i * s->size, at[i], 1);
    done = done && move(s, s->base, s->spare->base, s->n);
    free(at);
    return done;
}

/* ---- does the function contradict itself? ----------------------------------------------- */

static bool leaves_no_trace(const struct sort *s)
{
    return exec_leaves_no_trace(s->c->m, s->compare.func);
}

static int sign(int32_t v)
{
    return (v > 0) - (v < 0);
}

/* Neighbours, each way round (C11 7.22.5p3). */
static bool verify_neighbours(struct sort *s)
{
    for (uint64_t i = 0; i + 1 < s->n; i++) {
        uint64_t a = s->base + i * s->size, b = a + s->size;
        int32_t forth, back;
        if (!compare(s, a, b, &forth) || !compare(s, b, a, &back))
            return false;
        if (sign(forth) > 0 || sign(forth) != -sign(back)) {
            lib_undefined(s->c, UB_LIB_ARG, "the comparison contradicts itself");
            return false;
        }
    }
    return true;
}

/* Elements that compare less than the key, equal, and greater, in this order (C11 7.22.5.1p2). */
static bool verify_order(struct sort *s, uint64_t key)
{
    int last = 1;
    for (uint64_t i = 0; i < s->n; i++) {
        int32_t order;
        if (!compare(s, key, s->base + i * s->size, &order))
            return false;
        if (sign(order) > last) {
            lib_undefined(s->c, UB_LIB_ARG, "the array is not in order");
            return false;
        }
        last = sign(order);
    }
    return true;
}

/* The key was found; is there another element like it beside that one? */
static bool verify_alone(struct sort *s, uint64_t key, uint64_t at)
{
    uint64_t beside[2] = {at - s->size, at + s->size};
    for (unsigned i = 0; i < LENGTH(beside); i++) {
        int32_t order = 1;
        bool inside = i == 0 ? at > s->base : at < s->base + (s->n - 1) * s->size;
        if (inside && !compare(s, key, beside[i], &order))
            return false;
        if (order == 0)
            meet_choice(s);
    }
    return true;
}

/* What C wants of the function: of neighbours (no key), of an array that is searched, or of the
 * element that was found there.  What is counted during these calls was not done by the program. */
static bool verify(struct sort *s, uint64_t key, uint64_t found)
{
    struct machine *m = s->c->m;
    if (!leaves_no_trace(s) || (s->n > MOST_VERIFIED && !found))
        return true;
    uint32_t n = m->count_count;
    uint64_t *counts = malloc(n * sizeof *counts);
    if (!counts)
        BUG("no memory to sort");
    memcpy(counts, m->counts, n * sizeof *counts);
    bool well = found ? verify_alone(s, key, found)
                : key ? verify_order(s, key)
                      : verify_neighbours(s);
    memcpy(m->counts, counts, n * sizeof *counts);
    free(counts);
    return well;
}

/* ---- the functions ---------------------------------------------------------------------- */

static bool fits(struct lib_call *c, uint64_t base, uint64_t n, uint64_t size)
{
    struct object *o = memory_find(&c->m->memory, base);
    if (o && (u128)n * size <= o->size - (base - o->base))
        return true;
    lib_undefined(c, UB_LIB_ARG, "%llu elements of %llu bytes at %s", (unsigned long long)n,
                  (unsigned long long)size, machine_describe(c->m, base));
    return false;
}

/* Where calls can be seen, some libraries look first whether there is anything to do. */
static bool in_order(struct sort *s)
{
    if (leaves_no_trace(s))
        return true;
    meet_choice(s);
    int32_t order;
    for (uint64_t i = 0; i + 1 < s->n && other_way(s); i++)
        if (!compare(s, s->base + i * s->size, s->base + (i + 1) * s->size, &order))
            return false;
    return true;
}

/* C11 7.22.5p1: pointers are valid even where there is nothing to do. */
static bool is_there(struct lib_call *c, uint64_t pointer)
{
    if (!pointer)
        lib_undefined(c, UB_LIB_ARG, "a null pointer");
    return pointer;
}

static void sort_with(struct lib_call *c, struct sort s)
{
    if (!is_there(c, s.base) || !prepare(&s, arg(c, 3)) || s.n < 2 || s.size == 0 ||
        !fits(c, s.base, s.n, s.size))
        return;
    s.spare = memory_new(&c->m->memory, s.n * s.size, 16, 0);
    if (!s.spare) {
        machine_stop(c->m, MACHINE_MEMORY, "out of memory: sorting");
        return;
    }
    s.spare->kind = OBJECT_TEMPORARY;
    uint64_t spare = s.spare->base;
    bool done = in_order(&s) && (s.size > INDIRECT ? sort_large(&s) : sort_small(&s, s.base, s.n));
    if (done)
        verify(&s, 0, 0);
    struct object *o = memory_find(&c->m->memory, spare);
    if (!c->m->ended && o)
        memory_kill(&c->m->memory, o);
}

void lib_qsort(struct lib_call *c)
{
    sort_with(c, (struct sort){.c = c, .base = arg(c, 0), .n = arg(c, 1), .size = arg(c, 2)});
}

void lib_qsort_r(struct lib_call *c)
{
    sort_with(c, (struct sort){.c = c,
                               .base = arg(c, 0),
                               .n = arg(c, 1),
                               .size = arg(c, 2),
                               .handed = true,
                               .argument = arg(c, 4)});
}

/* The last of those that are equal to the key, where the library looks the other way; they stand
 * side by side. */
static bool last_equal(struct sort *s, uint64_t key, uint64_t *at)
{
    int32_t order = 0;
    while (order == 0 && *at < s->base + (s->n - 1) * s->size) {
        if (!compare(s, key, *at + s->size, &order))
            return false;
        *at += order == 0 ? s->size : 0;
    }
    return true;
}

static void give_found(struct sort *s, uint64_t key, uint64_t at)
{
    if (!leaves_no_trace(s))
        meet_choice(s);
    if (verify(s, key, at) && (!other_way(s) || last_equal(s, key, &at)))
        give(s->c, at);
}

void lib_bsearch(struct lib_call *c)
{
    struct sort s = {.c = c, .base = arg(c, 1), .n = arg(c, 2), .size = arg(c, 3)};
    uint64_t key = arg(c, 0), low = 0, high = s.n;
    if (!is_there(c, key) || !is_there(c, s.base) || !prepare(&s, arg(c, 4)) || s.n == 0 ||
        !fits(c, s.base, s.n, s.size) || !verify(&s, key, 0))
        return;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2, at = s.base + middle * s.size;
        int32_t order;
        if (!compare(&s, key, at, &order))
            return;
        if (order == 0) {
            give_found(&s, key, at);
            return;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
}

/* The first element that is equal to the key; false when there is none, or the run has ended. */
static bool find_linear(struct lib_call *c, struct sort *s)
{
    uint64_t key = arg(c, 0), n = 0;
    const uint8_t *count = lib_read(c, arg(c, 2), lib_pointer_size(c));
    if (!count)
        return false;
    memory_get(c->m, &n, count, lib_pointer_size(c));
    *s = (struct sort){.c = c, .base = arg(c, 1), .n = n, .size = arg(c, 3)};
    if (!prepare(s, arg(c, 4)) || (n && !fits(c, s->base, n, s->size)))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        int32_t order;
        if (!compare(s, key, s->base + i * s->size, &order))
            return false;
        if (order == 0) {
            give(c, s->base + i * s->size);
            return true;
        }
    }
    return false;
}

void lib_lfind(struct lib_call *c)
{
    struct sort s;
    find_linear(c, &s);
}

/* What is not there is added behind the others. */
void lib_lsearch(struct lib_call *c)
{
    struct sort s;
    if (find_linear(c, &s) || c->m->ended)
        return;
    uint64_t to = s.base + s.n * s.size, n = s.n + 1;
    const uint8_t *key = lib_read(c, arg(c, 0), s.size);
    if (key && lib_store(c, to, key, s.size) && lib_store(c, arg(c, 2), &n, lib_pointer_size(c)))
        give(c, to);
}
