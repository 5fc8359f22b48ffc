/* Where the automatic objects of a program lie on its stack.  Nobody tells, so it is found out: by
 * the accesses that the program must make to each, in their order and with their values.  Sound in
 * one direction: what is said to be missing is nowhere on the stack; but a lost access may look
 * like one that was made to something else. */
#include "access/private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ALIKE = 200 }; /* accesses of an object and of a place that are compared for likeness */

/* What was done to some bytes of the stack, in order. */
struct spot {
    uint64_t address;
    struct access **at;
    size_t n;
};

/* Whose an access to the stack is. */
struct owner {
    const struct access *object; /* an access that the object must have; NULL: nobody's */
    uint64_t address;            /* of the object */
};

struct search {
    struct arena *a;
    const struct accesses *made;
    struct owner *owners;  /* of each of those */
    struct access **stack; /* all of it, by address and then in order */
    size_t n;
    struct list places; /* struct spot, of objects of `size` bytes */
    unsigned size;
    size_t rank; /* of the object that is looked for, among those of its size */
};

static int by_address(const void *x, const void *y)
{
    const struct access *a = *(struct access *const *)x, *b = *(struct access *const *)y;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return a < b ? -1 : a > b;
}

static int by_time(const void *x, const void *y)
{
    const struct access *a = *(struct access *const *)x, *b = *(struct access *const *)y;
    return a < b ? -1 : a > b;
}

/* ---- places ----------------------------------------------------------------------------- */

/* Everything that touches the bytes at the address of the i-th access. */
static struct spot *spot_at(struct search *s, size_t i)
{
    enum { WIDEST = 64 };
    uint64_t address = s->stack[i]->offset;
    struct spot *p = NEW(s->a, struct spot);
    struct list found = {0};
    while (i > 0 && s->stack[i - 1]->offset + WIDEST > address)
        i--;
    for (; i < s->n && s->stack[i]->offset < address + s->size; i++)
        if (s->stack[i]->offset + s->stack[i]->size > address)
            list_add(s->a, &found, s->stack[i]);
    qsort(found.at, found.n, sizeof *found.at, by_time);
    *p = (struct spot){address, (struct access **)found.at, found.n};
    return p;
}

/* Places that may be an object's of that size: one access of that size was made there. */
static void find_places(struct search *s, unsigned size)
{
    const struct spot *last = NULL;
    if (s->size == size)
        return;
    s->size = size;
    s->places = (struct list){0};
    for (size_t i = 0; i < s->n; i++)
        if (s->stack[i]->size == size && (!last || last->address != s->stack[i]->offset))
            list_add(s->a, &s->places, (void *)(last = spot_at(s, i)));
}

/* ---- an object at a place --------------------------------------------------------------- */

static bool is_same_kind(const struct access *wanted, const struct access *made)
{
    return wanted->size == made->size && wanted->is_write == made->is_write;
}

static bool is_like(const struct access *wanted, const struct access *made)
{
    return is_same_kind(wanted, made) && (!wanted->known_bits || wanted->bits == made->bits);
}

static void swap(const struct access **x, const struct access **y)
{
    const struct access *kept = *x;
    *x = *y;
    *y = kept;
}

/* The accesses of one group, in any order. */
static bool is_group_at(const struct access *wanted, size_t n, struct access **made)
{
    enum { MOST = 32 };
    const struct access *left[MOST];
    if (n == 1 || n > MOST)
        return is_like(wanted, made[0]);
    for (size_t i = 0; i < n; i++)
        left[i] = &wanted[i];
    for (size_t i = 0; i < n; i++) {
        size_t k = i;
        while (k < n && !is_like(left[k], made[i]))
            k++;
        if (k == n)
            return false;
        swap(&left[i], &left[k]);
    }
    return true;
}

static bool is_at(const struct accesses *object, struct access **made)
{
    for (size_t i = 0, n; i < object->n; i += n) {
        n = access_group_size(object, i);
        n = n > 32 ? 1 : n;
        if (!is_group_at(&object->at[i], n, made + i))
            return false;
    }
    return true;
}

/* Is y the instruction of x once more, right behind it?  Nobody needs that. */
static bool is_repeated(const struct access *x, const struct access *y)
{
    uint64_t size = y->by->at - x->by->at;
    return y->by->step == x->by->step + 1 && size > 0 && size < sizeof x->by->code &&
           memcmp(x->by->code, y->by->code, size) == 0;
}

/* Where all accesses of an object were found. */
struct match {
    size_t places, count; /* how many, and how often in all of them */
    struct spot *place;
    size_t first, last;
    bool repeated; /* first to last has an access more, at one end */
};

static void note_match(struct match *m, struct spot *p, size_t first, size_t last)
{
    bool before = first > 0 && is_repeated(p->at[first - 1], p->at[first]);
    bool behind = last + 1 < p->n && is_repeated(p->at[last], p->at[last + 1]);
    m->places += m->place != p;
    m->count++;
    if (m->repeated)
        return;
    m->place = p;
    m->first = first - before;
    m->last = last + behind;
    m->repeated = before || behind;
}

static struct match find_exactly(const struct search *s, const struct accesses *object)
{
    struct match m = {0};
    for (size_t i = 0; i < s->places.n; i++) {
        struct spot *p = s->places.at[i];
        for (size_t k = 0; k + object->n <= p->n; k++)
            if (is_at(object, p->at + k))
                note_match(&m, p, k, k + object->n - 1);
    }
    return m;
}

/* The longest common subsequence: its length, and of the place its first and last access. */
struct likeness {
    size_t length, first, last;
};

typedef struct likeness liken_fn(const struct accesses *object, const struct spot *p);

static struct likeness liken_values(const struct accesses *object, const struct spot *p)
{
    struct likeness rows[2][MOST_ALIKE + 1];
    size_t n = object->n < MOST_ALIKE ? object->n : MOST_ALIKE;
    memset(rows, 0, sizeof rows);
    for (size_t k = 0; k < p->n; k++) {
        struct likeness *now = rows[k & 1], *before = rows[!(k & 1)];
        for (size_t i = 0; i < n; i++) {
            struct likeness grown = before[i];
            grown.first = grown.length ? grown.first : k;
            grown.last = k;
            grown.length++;
            now[i + 1] = before[i + 1].length >= now[i].length ? before[i + 1] : now[i];
            if (is_like(&object->at[i], p->at[k]) && grown.length > now[i + 1].length)
                now[i + 1] = grown;
        }
    }
    return p->n ? rows[(p->n - 1) & 1][n] : (struct likeness){0};
}

/* All of them, some with other values: those come of what is wrong elsewhere. */
static struct likeness liken_all(const struct accesses *object, const struct spot *p)
{
    struct likeness best = {0};
    for (size_t k = 0; k + object->n <= p->n; k++) {
        struct likeness l = {0, k, k + object->n - 1};
        bool all = true;
        for (size_t i = 0; i < object->n && all; i++) {
            all = is_same_kind(&object->at[i], p->at[k + i]);
            l.length += is_like(&object->at[i], p->at[k + i]);
        }
        if (all && l.length > best.length)
            best = l;
    }
    return best;
}

/* Where a part was written instead of the whole, all later values may be others: by kinds alone,
 * and only where something else than the whole was accessed. */
static struct likeness liken_kinds(const struct accesses *object, const struct spot *p)
{
    struct likeness best = {0};
    for (size_t k = 0; k + object->n <= p->n; k++) {
        struct likeness l = {0, k, k + object->n - 1};
        bool others = false;
        for (size_t i = 0; i < object->n; i++) {
            const struct access *made = p->at[k + i];
            bool whole = made->size == object->at[i].size;
            others |= !whole && made->offset >= p->address;
            l.length += made->is_write == object->at[i].is_write ? 1u + whole : 0;
        }
        if (others && l.length > best.length)
            best = l;
    }
    return best;
}

/* ---- who of several that look alike ------------------------------------------------------ */

/* Must the same be done to both, as far as anybody can see? */
static bool look_alike(const struct accesses *x, const struct accesses *y)
{
    bool alike = x->n == y->n;
    for (size_t i = 0; alike && i < x->n; i++)
        alike = x->at[i].size == y->at[i].size && x->at[i].is_write == y->at[i].is_write &&
                x->at[i].known_bits == y->at[i].known_bits && x->at[i].bits == y->at[i].bits;
    return alike;
}

/* How many objects of its size are accessed before it is. */
static size_t rank_of_object(const struct accesses *objects, size_t n, const struct accesses *x)
{
    size_t rank = 0;
    for (size_t i = 0; i < n; i++)
        rank += objects[i].at[0].size == x->at[0].size && objects[i].at[0].group < x->at[0].group;
    return rank;
}

static size_t rank_of_place(const struct search *s, const struct spot *place)
{
    size_t rank = 0;
    for (size_t i = 0; i < s->places.n; i++)
        rank += ((struct spot *)s->places.at[i])->at[0] < place->at[0];
    return rank;
}

/* ---- what comes of it ------------------------------------------------------------------- */

/* Are some of these accesses another object's already? */
static bool is_taken(const struct search *s, const struct spot *p, size_t first, size_t last)
{
    bool taken = false;
    for (size_t i = first; i <= last && !taken; i++)
        taken = s->owners[p->at[i] - s->made->at].object != NULL;
    return taken;
}

/* From the first to the last; what begins before the spot is a neighbour's. */
static void claim(const struct search *s, const struct spot *p, size_t first, size_t last,
                  const struct access *object)
{
    for (size_t i = first; i <= last; i++) {
        struct owner *o = &s->owners[p->at[i] - s->made->at];
        if (!o->object && p->at[i]->offset >= p->address)
            *o = (struct owner){object, p->address};
    }
}

static void settle_owners(const struct search *s)
{
    for (size_t i = 0; i < s->made->n; i++) {
        const struct owner *o = &s->owners[i];
        if (!o->object)
            continue;
        s->made->at[i].watch = o->object->watch;
        s->made->at[i].offset -= o->address;
        s->made->at[i].known_bits = o->object->known_bits;
        if (!o->object->known_bits) /* as in what is expected: addresses are not compared */
            s->made->at[i].bits = 0;
    }
}

/* May it be what is missing?  Of accesses to more than the object no more are than are missing:
 * those before may be how it began, with others at once. */
static bool may_be_missing(const struct access *made, unsigned size, size_t *missing)
{
    if (made->size > size)
        return *missing && (*missing)--;
    return made->size < size;
}

/* What was found, and before and behind it accesses to a part of the object or to more than it. */
static void widen(const struct spot *p, unsigned size, size_t missing, struct likeness *l)
{
    while (l->first > 0 && may_be_missing(p->at[l->first - 1], size, &missing))
        l->first--;
    while (l->last + 1 < p->n && may_be_missing(p->at[l->last + 1], size, &missing))
        l->last++;
}

static const struct spot *find_most_alike(const struct search *s, const struct accesses *object,
                                          liken_fn *liken, struct likeness *best)
{
    const struct spot *found = NULL;
    for (size_t i = 0; i < s->places.n; i++) {
        const struct spot *p = s->places.at[i];
        struct likeness l = liken(object, p);
        bool more = l.length > best->length ||
                    (found && l.length == best->length && rank_of_place(s, p) == s->rank);
        if (more && !is_taken(s, p, l.first, l.last)) {
            *best = l;
            found = p;
        }
    }
    return found;
}

static void claim_most_alike(const struct search *s, const struct accesses *object)
{
    static liken_fn *const ways[] = {liken_all, liken_values, liken_kinds};
    struct likeness best = {0};
    const struct spot *p = NULL;
    for (size_t i = 0; i < LENGTH(ways) && !p; i++)
        p = find_most_alike(s, object, ways[i], &best);
    if (!p)
        return;
    size_t missing = best.length < object->n ? object->n - best.length : 0;
    if (best.last - best.first + 1 < object->n)
        widen(p, s->size, missing, &best);
    claim(s, p, best.first, best.last, object->at);
}

/* Where all accesses of an object are. */
enum whereabouts { NOWHERE, AT_ONE_PLACE, AT_SOME_PLACE };

static enum whereabouts place_local(struct search *s, const struct accesses *object)
{
    find_places(s, object->at[0].size);
    struct match m = find_exactly(s, object);
    bool certain = m.count == 1 || (m.places == 1 && m.repeated);
    if (m.count && (!certain || s->made->blind))
        return AT_SOME_PLACE;
    if (!m.count || is_taken(s, m.place, m.first, m.last)) /* and it has no other */
        return NOWHERE;
    claim(s, m.place, m.first, m.last, object->at);
    return AT_ONE_PLACE;
}

/* Of objects that look alike and can only be at one and the same place, the one goes there that is
 * as early among the objects as the place is among places: it comes to be objects[i].  The others
 * have lost something. */
static void choose_among_alike(struct search *s, struct accesses *objects, size_t n, size_t i)
{
    find_places(s, objects[i].at[0].size);
    struct match m = find_exactly(s, &objects[i]);
    if (m.count != 1)
        return;
    size_t rank = rank_of_place(s, m.place), k = i;
    while (k < n && !(look_alike(&objects[i], &objects[k]) &&
                      rank_of_object(objects, n, &objects[k]) == rank))
        k++;
    if (k == n)
        return;
    struct accesses chosen = objects[k];
    objects[k] = objects[i];
    objects[i] = chosen;
}

/* After all that were found, so that none of theirs is taken for it. */
static void guess_place(struct search *s, const struct accesses *objects, size_t n,
                        const struct accesses *lost)
{
    find_places(s, lost->at[0].size);
    s->rank = rank_of_object(objects, n, lost);
    claim_most_alike(s, lost);
}

static void drop_object(struct accesses *l, uint32_t watch)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        if (l->at[i].watch != watch)
            l->at[n++] = l->at[i];
    l->n = n;
}

static struct accesses accesses_of(struct arena *a, const struct accesses *all, uint32_t watch)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += all->at[i].watch == watch;
    struct accesses own = {.at = NEW_ARRAY(a, n + 1, struct access)};
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].watch == watch)
            own.at[own.n++] = all->at[i];
    return own;
}

static int by_length(const void *x, const void *y)
{
    const struct accesses *a = x, *b = y;
    if (a->n != b->n)
        return a->n > b->n ? -1 : 1;
    return a->at[0].watch < b->at[0].watch ? -1 : 1;
}

/* What the program must do to each, the objects with most accesses first: few accesses are also
 * found among many that are another object's. */
static struct accesses *objects_of(struct arena *a, const struct access_plan *plan,
                                   const struct accesses *expected, size_t *n)
{
    struct accesses *all = NEW_ARRAY(a, plan->local_count + 1, struct accesses);
    *n = 0;
    for (size_t i = 0; i < plan->local_count; i++) {
        all[*n] = accesses_of(a, expected, (uint32_t)(plan->watch_count + i));
        *n += all[*n].n != 0;
    }
    if (*n)
        qsort(all, *n, sizeof *all, by_length);
    return all;
}

/* Places each object that is somewhere, drops from `expected` what is not compared, and yields how
 * many accesses of that nobody saw.  *lost: the objects that are nowhere. */
static size_t place_all(struct search *s, struct accesses *objects, size_t n,
                        struct accesses *expected, struct list *lost)
{
    size_t unseen = 0;
    for (size_t i = 0; i < n; i++) {
        choose_among_alike(s, objects, n, i);
        enum whereabouts where = place_local(s, &objects[i]);
        if (where == NOWHERE && !s->made->blind)
            list_add(s->a, lost, &objects[i]);
        else if (where != AT_ONE_PLACE)
            drop_object(expected, objects[i].at[0].watch);
        unseen += where == NOWHERE && s->made->blind ? objects[i].n : 0;
    }
    return unseen;
}

size_t access_find_locals(struct arena *a, const struct access_plan *plan,
                          struct accesses *expected, struct accesses *made)
{
    size_t n;
    struct list lost = {0};
    struct search s = {.a = a, .made = made, .owners = NEW_ARRAY(a, made->n + 1, struct owner)};
    s.stack = NEW_ARRAY(a, made->n + 1, struct access *);
    for (size_t i = 0; i < made->n; i++)
        if (made->at[i].watch == SYS_ON_STACK)
            s.stack[s.n++] = &made->at[i];
    qsort(s.stack, s.n, sizeof *s.stack, by_address);
    struct accesses *objects = objects_of(a, plan, expected, &n);
    size_t unseen = place_all(&s, objects, n, expected, &lost);
    for (size_t i = 0; i < lost.n; i++)
        guess_place(&s, objects, n, lost.at[i]);
    settle_owners(&s);
    drop_object(made, SYS_ON_STACK);
    return unseen;
}
