/* The accesses that were made against those that must be: group by group, in any order within one.
 * The first difference decides; what kind it is follows from what was made there instead, and from
 * how often the two accesses occur in the whole execution. */
#include "access/private.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *phrase;
} kinds[ACCESS_KIND_COUNT] = {
    [ACCESS_FINE] = {"fine", "the accesses are those of the program"},
#define KIND(id, name, phrase) [ACCESS_##id] = {name, phrase},
#include "access/kind.def"
};

const char *access_kind_name(enum access_kind k)
{
    return kinds[k].name;
}

const char *access_kind_phrase(enum access_kind k)
{
    return kinds[k].phrase;
}

/* ---- what was made ------------------------------------------------------------------------ */

static bool is_integer(const struct access_plan *plan, const struct sys_access *s)
{
    return s->watch == SYS_ON_STACK ||
           (s->offset >= 0 && plan->bytes[s->watch][s->offset] & ACCESS_INTEGER);
}

/* Does it touch members alone that are not volatile, or whose accesses are counted?  Or some, as a
 * vector that is loaded over what lies between them? */
static bool is_plain(const struct access_plan *plan, const struct sys_access *s, unsigned size)
{
    enum { WIDEST = 8 };
    size_t plain = 0, all = 0;
    if (s->watch == SYS_ON_STACK)
        return false;
    for (int64_t at = s->offset; at < s->offset + size; at++) {
        bool inside = at >= 0 && (uint64_t)at < plan->watches[s->watch].size;
        plain += inside && plan->bytes[s->watch][at] & (ACCESS_PLAIN | ACCESS_COUNTED);
        all += inside;
    }
    return plain && (plain == all || size > WIDEST);
}

static void add(const struct access_plan *plan, struct accesses *to, const struct sys_access *s,
                unsigned size, bool is_write)
{
    uint64_t bits = 0;
    bool known = size <= sizeof bits && is_integer(plan, s);
    if (known)
        memcpy(&bits, is_write ? s->after : s->before, size);
    to->at[to->n++] = (struct access){.watch = s->watch,
                                      .offset = (uint64_t)s->offset,
                                      .bits = bits,
                                      .by = s,
                                      .size = (uint8_t)size,
                                      .is_write = is_write,
                                      .known_bits = known};
}

/* Adds the accesses of one instruction; why it cannot be told what they are, or NULL. */
static const char *add_instruction(const struct access_plan *plan,
                                   const struct outcome_trace *trace, struct accesses *to,
                                   const struct sys_access *s)
{
    struct access_operand o;
    if (s->foreign)
        return s->offset < 0 ? NULL : "the C library touches a volatile object";
    bool decoded = access_decode(s->code, trace->narrow, &o);
    if (s->watch == SYS_ON_STACK && !decoded) {
        to->blind = true;
        return NULL;
    }
    if (s->offset < 0 && (!decoded || s->offset + (int64_t)o.size <= 0))
        return NULL; /* a neighbour's */
    if (!decoded && is_plain(plan, s, 1))
        return NULL; /* to one of those: see count.c */
    if (!decoded || (!trace->stepped && o.writes != s->is_write))
        return "an instruction that is not in the table accesses a volatile object";
    if (s->offset < 0 && !o.writes)
        return NULL; /* a neighbour's too: gcc reads the word that a bit-field ends in */
    if (is_plain(plan, s, o.size))
        return NULL;
    if (o.reads)
        add(plan, to, s, o.size, false);
    if (o.writes)
        add(plan, to, s, o.size, true);
    return NULL;
}

static const char *read_trace(struct arena *a, const struct access_plan *plan,
                              const struct outcome_trace *trace, struct accesses *out)
{
    const char *why = trace->cut && trace->stepped ? "not all of it could be stepped through"
                                                   : NULL;
    out->at = NEW_ARRAY(a, 2 * trace->count + 1, struct access);
    for (size_t i = 0; i < trace->count && !why; i++)
        if (trace->accesses[i].watch < plan->watch_count ||
            trace->accesses[i].watch == SYS_ON_STACK)
            why = add_instruction(plan, trace, out, &trace->accesses[i]);
    return why;
}

/* Without those of objects that the loader was not sure of, or that only stepping sees. */
static struct accesses read_expected(struct arena *a, const struct access_plan *plan,
                                     const struct outcome_trace *trace)
{
    struct accesses e = {.at = NEW_ARRAY(a, plan->count + 1, struct access)};
    for (size_t i = 0; i < plan->count; i++) {
        uint32_t watch = plan->expected[i].watch;
        bool local = watch >= plan->watch_count;
        if (local ? trace->stepped : trace->states[watch] != SYS_UNCLEAR)
            e.at[e.n++] = plan->expected[i];
    }
    return e;
}

/* ---- comparing ---------------------------------------------------------------------------- */

static int order(uint64_t x, uint64_t y)
{
    return x < y ? -1 : x > y;
}

int access_by_place(const void *x, const void *y)
{
    const struct access *a = x, *b = y;
    int o = order(a->watch, b->watch);
    o = o ? o : order(a->offset, b->offset);
    o = o ? o : order(a->size, b->size);
    return o ? o : order(a->is_write, b->is_write);
}

int access_by_value(const void *x, const void *y)
{
    int o = access_by_place(x, y);
    return o ? o : order(((const struct access *)x)->bits, ((const struct access *)y)->bits);
}

/* The accesses of two sorted lists that the other has not: the first of each, or NULL. */
struct difference {
    const struct access *expected, *other;
};

static struct difference differ(const struct accesses *e, const struct accesses *o,
                                access_order_fn *by)
{
    struct difference d = {0};
    for (size_t i = 0, k = 0; i < e->n || k < o->n;) {
        int c = i == e->n ? 1 : k == o->n ? -1 : by(&e->at[i], &o->at[k]);
        if (c < 0 && !d.expected)
            d.expected = &e->at[i];
        if (c > 0 && !d.other)
            d.other = &o->at[k];
        i += c <= 0;
        k += c >= 0;
    }
    return d;
}

static struct accesses sorted(struct arena *a, const struct access *from, size_t n,
                              access_order_fn *by)
{
    struct accesses s = {.at = arena_grow(a, from, n, n + 1, sizeof *from), .n = n};
    qsort(s.at, n, sizeof *s.at, by);
    return s;
}

static size_t count_like(const struct accesses *all, const struct access *x)
{
    size_t n = 0;
    for (size_t i = 0; x && i < all->n; i++)
        n += access_by_place(&all->at[i], x) == 0;
    return n;
}

static bool overlap(const struct access *x, const struct access *y)
{
    return x->watch == y->watch && x->is_write == y->is_write &&
           (int64_t)x->offset < (int64_t)y->offset + y->size &&
           (int64_t)y->offset < (int64_t)x->offset + x->size;
}

/* Of what was made from `at` on, is there another piece of x besides `piece`? */
static bool has_second_piece(const struct accesses *made, size_t at, const struct access *x,
                             const struct access *piece)
{
    enum { NEAR = 8 };
    for (size_t i = at; i < made->n && i < at + NEAR; i++)
        if (overlap(&made->at[i], x) && made->at[i].size < x->size &&
            made->at[i].offset != piece->offset)
            return true;
    return false;
}

/* An access that was not made as often as it must be; NULL: none, or too many to count. */
static const struct access *find_missing(const struct accesses *e, const struct accesses *made)
{
    enum { MOST_COUNTED = 2000 };
    for (size_t i = 0; i < e->n && e->n <= MOST_COUNTED; i++)
        if (count_like(e, &e->at[i]) > count_like(made, &e->at[i]))
            return &e->at[i];
    return NULL;
}

/* What was lost says more than the order of the others, which may be taken for each other, and than
 * what was made in its place. */
static enum access_kind classify(const struct accesses *e, const struct accesses *made, size_t *at,
                                 struct difference *d)
{
    const struct access *x = d->expected, *y = d->other;
    if (x && y && overlap(x, y) && y->size > x->size)
        return ACCESS_WIDENED;
    if (x && y && overlap(x, y) && y->size < x->size)
        return has_second_piece(made, *at, x, y) ? ACCESS_SPLIT : ACCESS_NARROWED;
    if (count_like(e, x) > count_like(made, x))
        return ACCESS_LOST;
    const struct access *missing = find_missing(e, made);
    if (missing) {
        *d = (struct difference){missing, NULL};
        *at = (size_t)(missing - e->at);
    }
    return missing                                  ? ACCESS_LOST
           : count_like(made, y) > count_like(e, y) ? ACCESS_ADDED
                                                    : ACCESS_REORDERED;
}

size_t access_group_size(const struct accesses *e, size_t i)
{
    size_t n = 1;
    while (i + n < e->n && e->at[i + n].group == e->at[i].group)
        n++;
    return n;
}

/* The first group that differs by this order; false when none does. */
static bool find_difference(struct arena *a, const struct accesses *e, const struct accesses *made,
                            access_order_fn *by, struct access_judgement *out)
{
    for (size_t i = 0, n; i < e->n || i < made->n; i += n) {
        n = i < e->n ? access_group_size(e, i) : 1;
        if (n == 1 && i < e->n && i < made->n && by(&e->at[i], &made->at[i]) == 0)
            continue;
        size_t wanted = i < e->n ? n : 0, room = made->n > i ? made->n - i : 0;
        struct accesses x = sorted(a, e->at + (i < e->n ? i : 0), wanted, by),
                        y = sorted(a, made->at + (room ? i : 0), room < n ? room : n, by);
        struct difference d = differ(&x, &y, by);
        if (!d.expected && !d.other)
            continue;
        out->at = i;
        out->kind = by == access_by_value ? ACCESS_VALUE : classify(e, made, &out->at, &d);
        out->expected = d.expected;
        out->other = d.other;
        return true;
    }
    return false;
}

void access_compare(struct arena *a, const struct access_plan *plan,
                    const struct outcome_trace *trace, struct access_judgement *out)
{
    struct accesses made = {0};
    *out = (struct access_judgement){.why = plan->why};
    if (!out->why && !trace)
        out->why = "its run was not the same when it was watched";
    if (!out->why)
        out->why = read_trace(a, plan, trace, &made);
    if (out->why)
        return;
    struct accesses e = read_expected(a, plan, trace);
    if (trace->cut && made.n <= e.n) {
        out->why = "too many accesses";
        return;
    }
    /* Whoever makes more than there are to be is wrong, however many more.  What a loop without end
     * makes again and again says nothing about what was lost before it. */
    if (trace->cut)
        made.n = e.n + 1;
    out->compared = e.n;
    out->skipped = plan->local_count && !trace->stepped;
    if (trace->stepped)
        out->compared -= access_find_locals(a, plan, &e, &made);
    if (!find_difference(a, &e, &made, access_by_place, out) &&
        !find_difference(a, &e, &made, access_by_value, out))
        access_count(a, plan, trace, out);
}

static struct access_local object_of(const struct access_plan *plan, uint32_t watch)
{
    return watch < plan->watch_count ? (struct access_local){.name = plan->watches[watch].name}
                                     : plan->locals[watch - plan->watch_count];
}

const char *access_describe(struct arena *a, const struct access_plan *plan, const struct access *x)
{
    if (!x)
        return "none";
    const char *value = x->known_bits
                            ? arena_printf(a, ", value %#llx", (unsigned long long)x->bits)
                            : "";
    struct access_local object = object_of(plan, x->watch);
    const char *place = x->line ? arena_printf(a, " (line %u)", x->line) : "";
    return arena_printf(a, "%s of %u bytes %s %s%+lld%s%s", x->is_write ? "write" : "read", x->size,
                        x->is_write ? "to" : "from", object.name,
                        (long long)(object.offset + x->offset), value, place);
}
