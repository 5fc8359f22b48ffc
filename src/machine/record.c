/* Members that are reached through another structure type than the object's.
 *
 * C11 6.5p7 speaks of the lvalue's own type only; but compilers take p->x and q->x for different
 * objects when p and q point to different structure types, as gcc's manual says of
 * -fstrict-aliasing.  What has a declared type is judged here: an object, and the structures inside
 * it; allocated memory has the type that was stored there last, and owner.c remembers that in a run
 * of its own, once it is known here that some was reached as two structures.  Where it holds
 * characters, anything may lie there; of a union, whichever member it was reached as before:
 * C11 6.5.2.3p6 lets two structures share their first members, compilers do not where these are
 * reached through pointers, and nothing is said then.  Programs that have no way from a pointer to
 * one structure type to one to another, as conversions or through unions, pay nothing. */
#include "machine/private.h"

#include <string.h>

static const struct type *record_of(const struct type *t)
{
    t = t->canon->unqual;
    return t->kind == TYPE_STRUCT ? t : NULL;
}

/* Is it a call of a function of the library that gives memory? */
static bool is_allocation(const struct node *n)
{
    while (n->kind == NODE_CAST && n->count)
        n = n->kid[0];
    const struct node *f = n->kind == NODE_CALL ? n->kid[0] : NULL;
    while (f && f->kind == NODE_CAST && f->count)
        f = f->kid[0];
    const struct decl *d = f && f->kind == NODE_NAME ? f->u.decl : NULL;
    return d && d->kind == DECL_FUNC && !d->body && d->name && strstr(d->name, "alloc");
}

static bool any_conversion(const struct program *p, conversion_fn *is, bool fresh)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct node *n = p->nodes[i];
        if (!n || n->kind != NODE_CAST || n->op != CONV_PTR || !n->count || !n->kid[0]->type)
            continue;
        const struct type *from = n->kid[0]->type->canon, *to = n->type->canon;
        if (from->kind == TYPE_POINTER && to->kind == TYPE_POINTER && is(from->base, to->base) &&
            (fresh || !is_allocation(n->kid[0])))
            return true;
    }
    return false;
}

bool record_any_conversion(const struct program *p, conversion_fn *is)
{
    return any_conversion(p, is, true);
}

bool record_any_reuse(const struct program *p, conversion_fn *is)
{
    return any_conversion(p, is, false);
}

static bool mixes(const struct type *from, const struct type *to)
{
    const struct type *a = record_of(from), *b = record_of(to);
    return a && b && a != b;
}

/* Is the address of a structure in a union taken? */
static bool shares(const struct program *p)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct node *n = p->nodes[i];
        if (!n || !((n->kind == NODE_UNARY && n->op == OP_ADDR) ||
                    (n->kind == NODE_CAST && n->op == CONV_ARRAY)))
            continue;
        for (n = n->kid[0]; n && (n->kind == NODE_MEMBER || n->kind == NODE_INDEX); n = n->kid[0])
            if (n->kind == NODE_MEMBER && n->u.field->record && n->u.field->record->is_union)
                return true;
    }
    return false;
}

/* What pointers to structures become and are made from, beside each other. */
struct census {
    const struct type *first; /* of the structures that lose their type, or get one */
    bool several;
    bool made;  /* some pointer to one is made from another that is not fresh from the library */
    bool moved; /* and some becomes, or is made from, one that can be moved by parts of it */
};

static void count_record(struct census *c, const struct type *t)
{
    c->several = c->several || (c->first && c->first != t);
    c->first = t;
}

static void take_census(const struct program *p, struct census *c)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct node *n = p->nodes[i];
        if (!n || n->kind != NODE_CAST || n->op != CONV_PTR || !n->count || !n->kid[0]->type)
            continue;
        const struct type *from = n->kid[0]->type->canon, *to = n->type->canon;
        if (from->kind != TYPE_POINTER || to->kind != TYPE_POINTER)
            continue;
        const struct type *a = record_of(from->base), *b = record_of(to->base);
        if (!a == !b)
            continue;
        count_record(c, a ? a : b);
        c->made = c->made || (b && !is_allocation(n->kid[0]));
        c->moved = c->moved || (a ? to : from)->base->canon->kind != TYPE_VOID;
    }
}

bool record_mixes(const struct machine *m)
{
    struct census all = {0};
    for (uint32_t i = 0; i < m->unit_count; i++) {
        const struct program *p = m->units[i].p;
        if (record_any_conversion(p, mixes) || shares(p))
            return true;
        take_census(p, &all);
    }
    return all.made && (all.several || all.moved);
}

/* ---- numbers ---------------------------------------------------------------------------- */

struct numbered {
    const struct program *program;
    const struct type *type;
};

uint32_t record_number(struct machine *m, const struct program *p, const struct type *t)
{
    enum { MOST = UINT16_MAX };
    const struct type *is = record_of(t);
    unsigned quals = t->quals | t->canon->quals;
    if (!is || quals & QUAL_MAY_ALIAS || is->u.record->may_alias || !is->u.record->complete)
        return 0;
    for (size_t i = 0; i < m->records.n; i++)
        if (((const struct numbered *)m->records.at[i])->type == is)
            return (uint32_t)i + 1;
    if (m->records.n == MOST)
        return 0;
    struct numbered *k = NEW(&m->arena, struct numbered);
    *k = (struct numbered){p, is};
    list_add(&m->arena, &m->records, k);
    return (uint32_t)m->records.n;
}

static const struct numbered *by_number(const struct machine *m, uint32_t number)
{
    return m->records.at[number - 1];
}

const struct type *record_numbered(const struct machine *m, uint32_t number)
{
    return by_number(m, number)->type;
}

/* ---- what lies in what ------------------------------------------------------------------ */

/* Two units each have their own types: those of one name and size are taken to be the same. */
static bool same_record(const struct program *p, const struct type *a, const struct program *q,
                        const struct type *b)
{
    if (a == b)
        return true;
    if (p == q)
        return lang_compatible((struct program *)(uintptr_t)p, a, b);
    const char *x = a->u.record->tag, *y = b->u.record->tag;
    return lang_sizeof(p, a) == lang_sizeof(q, b) && (!x || !y || strcmp(x, y) == 0);
}

/* May a structure of type want lie at off in an object of type t? */
static bool holds(const struct program *p, const struct type *t, uint64_t off,
                  const struct program *q, const struct type *want)
{
    t = t->canon->unqual;
    if (t->kind == TYPE_ARRAY) {
        uint64_t step = lang_sizeof(p, t->base);
        return step <= 1 || holds(p, t->base, off % step, q, want); /* characters: anything */
    }
    if (t->kind != TYPE_STRUCT)
        return t->kind == TYPE_UNION;
    if (off == 0 && same_record(p, t, q, want))
        return true;
    const struct record *r = t->u.record;
    for (uint32_t i = r->count; i-- > 0;) {
        const struct field *f = r->fields[i];
        if (f->is_bitfield || off < f->offset)
            continue;
        uint64_t size = lang_sizeof(p, f->type);
        if (off - f->offset < size || (size == 0 && f->type->canon->kind == TYPE_ARRAY))
            return holds(p, f->type, off - f->offset, q, want);
    }
    return off >= lang_sizeof(p, t); /* past what is declared: a flexible array's elements */
}

/* The outermost union around off in an object of type t, and where it begins; NULL for none. */
static const struct record *union_around(const struct program *p, const struct type *t,
                                         uint64_t off, uint64_t *begin)
{
    t = t->canon->unqual;
    if (t->kind == TYPE_UNION)
        return t->u.record;
    if (t->kind == TYPE_ARRAY) {
        uint64_t step = lang_sizeof(p, t->base);
        *begin += step ? off / step * step : 0;
        return step ? union_around(p, t->base, off % step, begin) : NULL;
    }
    for (uint32_t i = t->kind == TYPE_STRUCT ? t->u.record->count : 0; i-- > 0;) {
        const struct field *f = t->u.record->fields[i];
        if (f->is_bitfield || off < f->offset || off - f->offset >= lang_sizeof(p, f->type))
            continue;
        *begin += f->offset;
        return union_around(p, f->type, off - f->offset, begin);
    }
    return NULL;
}

/* Which members of the union hold such a structure there, bit by bit. */
static uint64_t members_with(const struct program *p, const struct record *u, uint64_t off,
                             const struct program *q, const struct type *want)
{
    uint64_t members = 0;
    for (uint32_t i = 0; i < u->count && i < 64; i++)
        if (off < lang_sizeof(p, u->fields[i]->type) && holds(p, u->fields[i]->type, off, q, want))
            members |= (uint64_t)1 << i;
    return members;
}

/* Can the union that lies there be one of these members as it is reached now, and as it was before?
 */
static bool is_one_member(struct machine *m, struct object *o, struct shared now)
{
    for (uint32_t i = 0; i < MOST_SHARED; i++)
        if (m->shared[i].at == now.at) {
            m->shared[i].members &= now.members;
            return m->shared[i].members;
        }
    m->shared[m->shared_next++ % MOST_SHARED] = now;
    o->is_shared = true;
    return true;
}

/* What a union is from now on, nobody knows by how it was reached before. */
void record_stored(struct machine *m, struct object *o, uint64_t address, uint64_t size)
{
    o->is_shared = false;
    for (uint32_t i = 0; i < MOST_SHARED; i++) {
        struct shared *s = &m->shared[i];
        if (s->at < address + size && address < s->at + s->size)
            *s = (struct shared){0};
        o->is_shared = o->is_shared || (s->at >= o->base && s->at < o->base + o->size);
    }
}

bool record_has_union(const struct type *t)
{
    t = t->canon->unqual;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon->unqual;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->u.record->count; i++)
        if (record_has_union(t->u.record->fields[i]->type))
            return true;
    return t->kind == TYPE_UNION;
}

/* False when compilers and the standard may disagree about it. */
static bool is_settled(struct machine *m, struct object *o, uint64_t address,
                       const struct program *q, const struct type *want)
{
    uint64_t off = address - o->base, begin = 0;
    const struct record *u = union_around(o->program, o->type, off, &begin);
    uint64_t members = u ? members_with(o->program, u, off - begin, q, want) : 0;
    return !members ||
           is_one_member(
               m, o, (struct shared){o->base + begin, lang_sizeof(o->program, u->type), members});
}

/* Does want begin with a structure like t?  Then its first members are t's. */
static bool begins_with(const struct program *q, const struct type *want, const struct program *p,
                        const struct type *t)
{
    while (want && !same_record(p, t, q, want)) {
        const struct record *r = want->u.record;
        want = r->count && !r->fields[0]->is_bitfield ? record_of(r->fields[0]->type) : NULL;
    }
    return want;
}

/* Is there a structure like want somewhere in one of type t? */
static bool has_inside(const struct program *p, const struct type *t, const struct program *q,
                       const struct type *want)
{
    t = t->canon->unqual;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon->unqual;
    if (!lang_is_record(t))
        return false;
    if (t->kind == TYPE_STRUCT && same_record(p, t, q, want))
        return true;
    for (uint32_t i = 0; i < t->u.record->count; i++)
        if (has_inside(p, t->u.record->fields[i]->type, q, want))
            return true;
    return false;
}

/* C11 6.5.2.3p6: structures of one union may be looked at as each other, as far as they begin
 * alike. */
static bool share_union(const struct numbered *a, const struct numbered *b)
{
    const struct list *all = &a->program->records;
    for (size_t i = 0; i < all->n; i++) {
        const struct record *r = all->at[i];
        if (r->is_union && r->complete && has_inside(a->program, r->type, a->program, a->type) &&
            has_inside(a->program, r->type, b->program, b->type))
            return true;
    }
    return false;
}

static bool goes_with(const struct numbered *a, const struct numbered *in, int64_t off)
{
    if (off >= 0 && holds(in->program, in->type, (uint64_t)off, a->program, a->type))
        return true;
    if (off <= 0 && holds(a->program, a->type, (uint64_t)-off, in->program, in->type))
        return true;
    return share_union(a, in) || share_union(in, a);
}

bool record_goes_with(struct machine *m, uint32_t record, uint32_t in, int64_t off)
{
    uint64_t hash = (record * 31u + in * 7u + (uint64_t)off) * 0x9e3779b97f4a7c15u >> 40;
    struct relation *r = &m->relations[hash % MOST_RELATIONS];
    if (r->record != record || r->in != in || r->off != off)
        *r = (struct relation){record, in, off,
                               goes_with(by_number(m, record), by_number(m, in), off)};
    return r->holds;
}

/* ---- what is reached -------------------------------------------------------------------- */

/* How many bytes before a structure in an object an array of them would begin. */
static uint32_t phase_of(const struct object *o, const struct numbered *n, uint64_t address)
{
    uint64_t size = lang_sizeof(n->program, n->type);
    return size ? (uint32_t)((address - o->base) % size) : 0;
}

/* Allocated memory: has what it is reached as now nothing in common with what it was before? */
static void reach_allocated(struct machine *m, struct object *o, uint32_t number, uint64_t address)
{
    const struct numbered *now = by_number(m, number);
    const struct numbered *then = o->reached ? by_number(m, o->reached) : NULL;
    bool inside = then && has_inside(then->program, then->type, now->program, now->type);
    if (then && !inside && !has_inside(now->program, now->type, then->program, then->type))
        m->records_meet = true;
    if (inside)
        return;
    o->reached = number; /* the larger one */
    o->phase = phase_of(o, now, address);
}

/* Two structures of one type may overlap where they do not lie as in an array. */
void record_make(struct machine *m, uint32_t number, uint64_t address)
{
    struct object *o = memory_find(&m->memory, address);
    if (!o || o->kind != OBJECT_HEAP)
        return;
    uint32_t phase = phase_of(o, by_number(m, number), address);
    if (!o->reached) {
        o->reached = number;
        o->phase = phase;
    }
    m->records_meet = m->records_meet || (o->reached == number && o->phase != phase);
}

/* A structure of that type, or an array of them: reached so once, it is not looked at again. */
static void note_declared(struct object *o, const struct type *want, uint32_t number)
{
    const struct type *t = o->type->canon->unqual;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon->unqual;
    if (t == want)
        o->reached = number;
}

bool record_reach(struct machine *m, const struct insn *pc, struct object *o, uint64_t address)
{
    const struct type *want = record_numbered(m, pc->b);
    if (o->kind == OBJECT_HEAP && !m->records_meet && !m->options.owners)
        reach_allocated(m, o, pc->b, address);
    if (!o->type || pc->tag || address - o->base + (uint64_t)pc->k > o->size)
        return true; /* nothing to judge by, or the access itself will tell */
    uint32_t unit = m->frames[m->depth].code->func->unit;
    const struct program *q = m->units[unit].p;
    const struct type *is = record_of(o->type);
    if (!pc->align && !is_settled(m, o, address, q, want)) {
        machine_unspecified(m, unit, q->nodes[pc->node],
                            "two structures of a union, both reached through pointers");
        return false;
    }
    if (holds(o->program, o->type, address - o->base, q, want) ||
        (is && address == o->base && begins_with(q, want, o->program, is))) {
        note_declared(o, want, pc->b);
        return true;
    }
    struct text name = {0};
    lang_print_type(q, want, NULL, &name);
    machine_undefined(m, UB_RECORD_ALIAS, unit, q->nodes[pc->node], "%s, reached as '%s'",
                      machine_describe(m, address), text_str(&name));
    text_free(&name);
    return false;
}
