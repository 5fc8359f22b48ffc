/* Pointers that leave an array which is a member, and stay in its structure (C11 6.5.6p8).
 *
 * An address says which object it points into, and not which array of that it was made from.  So
 * this judges by where a pointer lies before it is moved: inside of an array that is a member of a
 * declared object, or at its beginning, and only where the array has elements of the type that the
 * pointer moves by.  It never says anything of characters, by which one may walk through all of an
 * object, of unions, of allocated memory, nor of a pointer to the first member of a structure in a
 * object into which the program has made a pointer from one of another type, or from an integer:
 * that one may have been made from a pointer to the whole.  One past an array is where the next
 * member may begin: from there on nothing is known.  Programs that have no such member pay nothing;
 * others, a look at the object for each move and each such conversion. */
#include "machine/private.h"

/* The elements of an array, or of arrays of it. */
static const struct type *element_of(const struct type *t)
{
    t = t->canon->unqual;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon->unqual;
    return t;
}

static bool is_walled(const struct record *r, const struct field *f)
{
    const struct type *t = f->type->canon;
    if (r->is_union || f->is_bitfield || t->kind != TYPE_ARRAY ||
        t->flags & (TYPE_UNSIZED | TYPE_VARIABLE))
        return false;
    return t->u.count > 1 || f->index + 1 < r->count; /* old C: the last one may go on */
}

bool wall_in_type(const struct program *p, const struct type *t)
{
    t = element_of(t);
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->u.record->count; i++) {
        const struct field *f = t->u.record->fields[i];
        if ((is_walled(t->u.record, f) && lang_sizeof(p, element_of(f->type)) > 1) ||
            wall_in_type(p, f->type))
            return true;
    }
    return false;
}

bool wall_in_program(const struct program *p)
{
    for (size_t i = 0; i < p->records.n; i++) {
        const struct record *r = p->records.at[i];
        if (r->complete && !r->is_union && wall_in_type(p, r->type))
            return true;
    }
    return false;
}

bool wall_is_left(const struct type *from, const struct type *to)
{
    to = element_of(to->canon->base);
    if (to->kind == TYPE_FUNCTION || to->kind == TYPE_VOID)
        return false;
    return from->canon->kind != TYPE_POINTER || element_of(from->canon->base) != to;
}

struct wall *wall_new(struct machine *m, const struct program *p, const struct type *of)
{
    const struct type *element = element_of(of);
    if (!m->has_walls || element->kind == TYPE_VOID || element->kind == TYPE_FUNCTION ||
        (lang_is_record(element) && !element->u.record->complete) || lang_sizeof(p, element) <= 1)
        return NULL;
    struct wall *w = NEW(&m->arena, struct wall);
    *w = (struct wall){.program = p, .element = element};
    return w;
}

/* ---- when it runs ------------------------------------------------------------------------- */

/* An array that is a member, by its offset in the object. */
struct region {
    uint64_t low, high;
};

/* The one whose elements are like this wall's, around off in an object. */
static bool find_region(const struct object *o, uint64_t off, const struct wall *w,
                        struct region *r)
{
    const struct program *p = o->program;
    const struct type *t = o->type->canon->unqual;
    uint64_t size = lang_sizeof(p, t), at = 0;
    bool member = false;
    if (off >= size && o->period != size)
        return false;                  /* the rest of a flexible array */
    at = size ? off / size * size : 0; /* of variable length: the type is an element's */
    for (;;) {
        if (t->kind == TYPE_ARRAY) {
            bool alike = p == w->program && lang_compatible(p, element_of(t), w->element);
            *r = (struct region){at, at + lang_sizeof(p, t)};
            if (alike || !lang_sizeof(p, t->base))
                return alike && member;
            at += (off - at) / lang_sizeof(p, t->base) * lang_sizeof(p, t->base);
            t = t->base->canon->unqual;
            continue;
        }
        const struct field *f = NULL;
        for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->u.record->count; i++) {
            const struct field *k = t->u.record->fields[i];
            if (!k->is_bitfield && off - at >= k->offset &&
                off - at - k->offset < lang_sizeof(p, k->type))
                f = k;
        }
        if (!f || (f->type->canon->kind == TYPE_ARRAY && !is_walled(t->u.record, f)))
            return false;
        at += f->offset;
        t = f->type->canon->unqual;
        member = true;
    }
}

/* A pointer at the beginning of an array may be one past what lies before it. */
static bool may_come_from_before(const struct object *o, uint64_t off, uint64_t to,
                                 const struct wall *w)
{
    struct region before;
    if (to >= off || off == 0)
        return false;
    return !find_region(o, off - 1, w, &before) || to >= before.low;
}

bool wall_check(struct machine *m, const struct insn *pc, struct object *o, uint64_t off,
                uint64_t to)
{
    struct wall *w = m->walls.at[pc->dst];
    struct region r = {0};
    uint64_t size = pc->tag ? w->size : 0;
    if (off > o->size || to > o->size)
        return true; /* moving it will tell */
    if (w->base == o->base && off > w->low && off < w->high && to >= w->low && to + size <= w->high)
        return true;
    if (!find_region(o, off, w, &r))
        return true;
    if (off == r.low && may_come_from_before(o, off, to, w))
        return true;
    w->base = o->base;
    w->low = r.low;
    w->high = r.high;
    if (to >= r.low && to + size <= r.high)
        return true;
    uint32_t unit = m->frames[m->depth].code->func->unit;
    machine_undefined(m, UB_POINTER_ARITH, unit, m->units[unit].p->nodes[pc->node],
                      "%s moved by %lld bytes, out of a member of %llu bytes",
                      machine_describe(m, o->base + off), (long long)(to - off),
                      (unsigned long long)(r.high - r.low));
    return false;
}
