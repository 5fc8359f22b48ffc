/* restrict pointers (C11 6.7.3.1): bytes that are reached through one, and otherwise.
 *
 * A frame whose function has restrict pointers watches them: for each byte it knows through which
 * of them it was accessed, which of them an access to it was certainly not based on, and whether it
 * was written.  A byte that has all three for one pointer is undefined; and so is one that was
 * written and reached through a restrict pointer to const.  What an access is based on comes from
 * the text of the function (compile/based.c); in functions that are called, and in the library, it
 * is told in terms of their parameters, and so of the arguments, from frame to frame.
 *
 * Restrict pointers that lie in memory are told apart by where they lie: each gets a number when it
 * is read, which it loses when it is written, or read by somebody who may keep its value.  What
 * happened to a byte before the pointer had its value does not count. */
#include "machine/private.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64, MOST = 1 << 14, FAR = 12, FIRST_POINTERS = 8, MOST_POINTERS = 1 << 12 };

struct seen {
    uint64_t address;
    uint16_t through, beside; /* bases that accesses were based on; certainly not based on */
    uint16_t written;         /* during the blocks of these */
};

/* The same byte, where the function has restrict pointers in memory. */
struct trace {
    uint32_t beside[2];    /* when it was last reached by what is certainly based on none of them */
    uint32_t written;      /* and when it was written, by the watch's clock */
    uint16_t by, by_other; /* the pointers that it was reached through, by number; 0: none */
    uint16_t number;       /* of the pointer that begins here; 0: none */
    bool lasting;          /* by, by_other: of file scope */
    bool peeked;           /* it was read as what may be a part of a pointer */
};

/* A restrict pointer in memory. */
struct pointer {
    uint64_t address;
    uint32_t birth; /* when it was written last; 0: before the call */
    bool fixed;     /* points to const */
    bool dead;
};

/* What a frame is told of an access. */
struct told {
    uint64_t address, size;
    struct basis on;
    bool write;
    bool kept; /* a restrict pointer that is read, and does not go anywhere unseen */
};

struct watch {
    struct seen *table;   /* open addressing; address 0 is free */
    struct trace *traces; /* beside it; NULL: no restrict pointers in memory */
    struct pointer *pointers;
    uint16_t at[MOST_ORIGINS + 1];        /* the pointer that each origin read last */
    uint16_t pointer_count, pointer_room; /* with the first, which stands for none */
    uint32_t clock;
    size_t room, count;
    uint16_t active; /* bases whose block is being executed */
    bool given_up;
};

/* Eight bytes that are aligned stand side by side. */
static struct seen *find(const struct watch *w, uint64_t address)
{
    size_t line = (size_t)((address >> 3) * 0x9e3779b97f4a7c15u >> 40);
    size_t i = (line << 3 | (address & 7)) & (w->room - 1);
    while (w->table[i].address && w->table[i].address != address)
        i = (i + 1) & (w->room - 1);
    return &w->table[i];
}

static void grow(struct watch *w)
{
    struct watch bigger = *w;
    bigger.room = w->room ? w->room * 2 : FIRST_ROOM;
    bigger.table = calloc(bigger.room, sizeof *bigger.table);
    bigger.traces = w->pointers ? calloc(bigger.room, sizeof *bigger.traces) : NULL;
    if (!bigger.table || (w->pointers && !bigger.traces))
        BUG("out of memory");
    for (size_t i = 0; i < w->room; i++) {
        if (!w->table[i].address)
            continue;
        struct seen *s = find(&bigger, w->table[i].address);
        *s = w->table[i];
        if (w->traces)
            bigger.traces[s - bigger.table] = w->traces[i];
    }
    free(w->table);
    free(w->traces);
    *w = bigger;
}

static void *new_array(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p)
        BUG("out of memory");
    return p;
}

void restrict_enter(struct machine *m)
{
    struct frame *f = &m->frames[m->depth];
    const struct bases *b = f->code->bases;
    f->watch = new_array(1, sizeof *f->watch);
    m->watching++;
    f->watch->active = b->begun & b->restricted;
    if (b->origins.n) {
        f->watch->pointer_room = FIRST_POINTERS;
        f->watch->pointers = new_array(FIRST_POINTERS, sizeof *f->watch->pointers);
        f->watch->pointer_count = 1;
        m->following++;
    }
}

void restrict_begin(struct machine *m, uint16_t bases)
{
    struct watch *w = m->frames[m->depth].watch;
    w->active |= bases;
    for (size_t i = 0; i < w->room; i++) {
        w->table[i].through &= (uint16_t)~bases;
        w->table[i].beside &= (uint16_t)~bases;
        w->table[i].written &= (uint16_t)~bases;
    }
}

void restrict_leave(struct machine *m, uint16_t bases)
{
    m->frames[m->depth].watch->active &= (uint16_t)~bases;
}

/* The pointers that lie there are gone: their block has ended. */
void restrict_die(struct machine *m, uint64_t address, uint64_t size)
{
    struct watch *w = m->frames[m->depth].watch;
    for (uint16_t i = 1; w && w->pointers && i < w->pointer_count; i++)
        if (w->pointers[i].address - address < size)
            w->pointers[i].dead = true;
}

void restrict_end(struct machine *m, struct frame *f)
{
    m->following -= f->watch->pointers != NULL;
    free(f->watch->table);
    free(f->watch->traces);
    free(f->watch->pointers);
    free(f->watch);
    f->watch = NULL;
    m->watching--;
}

void restrict_forget(struct frame *f)
{
    if (f->watch)
        f->watch->given_up = true;
}

/* Which of a function's bases is an access certainly not based on? */
static uint16_t beside(const struct bases *b, struct basis on)
{
    uint16_t all = b->restricted, in_memory = b->in_memory[0] | b->in_memory[1];
    if (on.sure == BASIS_NAMED || on.sure == BASIS_NONE)
        return all;
    all &= on.may & in_memory ? (uint16_t)~in_memory : BASIS_ANY; /* see follow */
    if (on.sure == BASIS_MUST && b->lasting & on.may)
        return all & (uint16_t) ~(on.may | (b->leaked & ~b->lasting));
    all &= (uint16_t)~b->lasting;
    if (on.sure == BASIS_MUST && b->begun & on.may & ~in_memory)
        return all & (uint16_t)~on.may; /* a parameter's value is older than the others' */
    return all & (uint16_t) ~(on.may | (on.sure == BASIS_MUST ? b->leaked : 0));
}

/* ---- restrict pointers in memory ---------------------------------------------------------- */

static const struct pointer *alive(const struct watch *w, uint16_t number)
{
    return number && !w->pointers[number].dead ? &w->pointers[number] : NULL;
}

/* Was a byte reached through a pointer and otherwise, and written, since the pointer was? */
static bool clashes(const struct watch *w, const struct trace *t)
{
    const struct pointer *p = alive(w, t->by), *other = alive(w, t->by_other);
    if (!p || t->written <= p->birth)
        return false;
    return p->fixed || t->beside[t->lasting] > p->birth || (other && t->written > other->birth);
}

/* A pointer's bytes are written, or read by somebody who may keep it. */
static void lose(struct watch *w, struct trace *t, bool write)
{
    if (t->number)
        w->pointers[t->number].dead = true;
    t->number = 0;
    t->peeked = !write;
}

static void reach_through(const struct watch *w, struct trace *t, uint16_t number, bool lasting)
{
    if (t->by == number && t->lasting == lasting)
        return;
    if (alive(w, t->by) && t->lasting == lasting) {
        t->by_other = number;
        return;
    }
    if (alive(w, t->by) && !lasting)
        return; /* its value may be based on one of file scope */
    t->by = number;
    t->by_other = 0;
    t->lasting = lasting;
}

/* An access to one byte.  False when it may not be. */
static bool follow(struct watch *w, const struct bases *b, struct trace *t, const struct told *of)
{
    uint16_t number = of->on.origin ? w->at[of->on.origin] : 0;
    if (of->write || !of->kept)
        lose(w, t, of->write);
    if (alive(w, number))
        reach_through(w, t, number, of->on.may & b->in_memory[1]);
    for (unsigned i = 0; i < 2; i++)
        if (beside(b, of->on) & b->in_memory[i])
            t->beside[i] = w->clock;
    if (of->write)
        t->written = w->clock;
    return !clashes(w, t);
}

/* C11 6.7.3.1p4: who modifies what a restrict pointer points to is taken to modify the pointer. */
static bool modify_pointer(struct watch *w, uint16_t number)
{
    const struct pointer *p = alive(w, number);
    if (!p)
        return true;
    struct seen *s = find(w, p->address);
    s->written |= w->active;
    return !(s->through & s->written & s->beside & w->active);
}

static void make_room(struct watch *w)
{
    if (w->pointer_count < w->pointer_room)
        return;
    struct pointer *more = new_array(2u * w->pointer_room, sizeof *more);
    memcpy(more, w->pointers, w->pointer_count * sizeof *more);
    free(w->pointers);
    w->pointers = more;
    w->pointer_room *= 2;
}

/* The pointer at this address is read by an origin. */
static uint16_t number_of(struct watch *w, uint64_t address, bool fixed)
{
    struct trace *t = &w->traces[find(w, address) - w->table];
    if (!t->number && !t->peeked && w->pointer_count < MOST_POINTERS) {
        make_room(w);
        t->number = w->pointer_count++;
        w->pointers[t->number] = (struct pointer){address, t->written, fixed, false};
    }
    return t->number;
}

/* ---- accesses ----------------------------------------------------------------------------- */

/* False when a byte is reached in two ways that may not be. */
static bool note(struct frame *f, const struct told *of)
{
    struct watch *w = f->watch;
    const struct bases *b = f->code->bases;
    if (w->given_up || w->count + of->size > MOST || ++w->clock == UINT32_MAX) {
        w->given_up = true; /* too much to remember: nothing more is found in this call */
        return true;
    }
    uint16_t through = of->on.sure == BASIS_MUST ? of->on.may & w->active : 0;
    uint16_t others = beside(b, of->on) & w->active;
    uint16_t in_memory = b->in_memory[0] | b->in_memory[1],
             plain = w->active & (uint16_t)~in_memory;
    while ((w->count + of->size) * 2 > w->room)
        grow(w);
    const struct seen *end = w->table + w->room;
    struct seen *s = NULL;
    for (uint64_t i = 0; i < of->size; i++) {
        bool next = s && s + 1 < end && s[1].address == of->address + i;
        s = next ? s + 1 : find(w, of->address + i);
        w->count += s->address == 0;
        s->address = of->address + i;
        s->through |= through;
        s->beside |= others;
        s->written |= of->write ? w->active : 0;
        if (s->through & s->written & (s->beside | b->fixed) & plain)
            return false;
        if (w->traces && !follow(w, b, &w->traces[s - w->table], of))
            return false;
    }
    return !of->write || !of->on.origin || modify_pointer(w, w->at[of->on.origin]);
}

/* The same in terms of the caller's bases. */
static struct basis in_caller(const struct frame *f, const struct frame *caller, struct basis on)
{
    static const struct basis anything = {BASIS_ANY, BASIS_MAYBE, 0};
    const struct bases *b = f->code->bases, *above = caller->code->bases;
    const struct call_site *site = f->site;
    if (on.sure == BASIS_NAMED)
        return on;
    if (!b || !above || !site || !site->based || b->count == MOST_BASES)
        return anything;
    uint16_t in_memory = above->in_memory[0] | above->in_memory[1];
    struct basis sum = {in_memory | above->leaked, BASIS_NONE, 0};
    bool known = true;
    for (uint8_t i = 0; i < MOST_BASES; i++) {
        if (!(on.may >> i & 1))
            continue;
        int32_t k = i < b->count ? b->list[i].parameter : -1;
        bool passed = k >= 0 && (uint32_t)k < site->count;
        if (passed && on.sure == BASIS_MUST)
            return site->based[k];
        known = known && passed;
        if (passed && (site->based[k].sure == BASIS_MAYBE || site->based[k].sure == BASIS_MUST))
            sum.may |= site->based[k].may;
    }
    sum.sure = sum.may ? BASIS_MAYBE : BASIS_NONE;
    return known ? sum : anything;
}

/* Does a restrict pointer that a function reads from memory go nowhere but to its caller? */
static bool stays(const struct frame *f, const struct insn *pc)
{
    const struct bases *b = f->code->bases;
    const struct origin *o = b->origins.at[pc->u.watched->origin - 1];
    return !o->lasting && !(b->leaked & b->in_memory[0]);
}

/* In the frame on top, and in those below. */
static bool tell(struct machine *m, const struct insn *pc, struct told of)
{
    uint32_t left = m->watching, unit = m->frames[m->depth].code->func->unit;
    for (uint32_t d = m->depth, steps = 0; left && d && (steps < FAR || m->following);
         d--, steps++) {
        struct frame *f = &m->frames[d];
        left -= f->watch != NULL;
        if (f->watch && !note(f, &of)) {
            machine_undefined(m, UB_RESTRICT, unit, m->units[unit].p->nodes[pc->node], "%s",
                              machine_describe(m, of.address));
            return false;
        }
        of.kept = of.kept && stays(&m->frames[m->depth], pc);
        of.on = in_caller(f, &m->frames[d - 1], of.on);
    }
    return true;
}

bool restrict_touch(struct machine *m, const struct insn *pc, uint64_t address)
{
    const struct watched_access *w = pc->u.watched;
    if (!m->watching)
        return true;
    if (!tell(m, pc, (struct told){address, w->size, w->on, w->write, w->origin != 0}))
        return false;
    struct frame *f = &m->frames[m->depth];
    if (w->origin && f->watch && f->watch->traces) {
        const struct origin *o = f->code->bases->origins.at[w->origin - 1];
        f->watch->at[w->origin] = f->watch->given_up ? 0 : number_of(f->watch, address, o->fixed);
    }
    return true;
}

/* A pointer argument into the object that is accessed. */
static bool is_way_to(struct machine *m, const struct call_site *site, uint32_t i,
                      const struct object *o)
{
    const uint64_t *r = m->frames[m->depth].r;
    return site->types[i]->canon->kind == TYPE_POINTER &&
           memory_find(&m->memory, r[site->slot[i]]) == o;
}

bool restrict_library(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
                      bool write)
{
    const struct call_site *site = pc->u.site;
    const struct object *o = m->watching && site->based ? memory_find(&m->memory, address) : NULL;
    struct basis on = {0, BASIS_NULL, 0};
    for (uint32_t i = 0; o && i < site->count; i++) {
        if (!is_way_to(m, site, i, o))
            continue;
        struct basis it = site->based[i];
        if (on.sure == BASIS_NULL)
            on = it;
        else if (!based_same(on, it))
            on = (struct basis){on.may | it.may, BASIS_MAYBE, 0};
    }
    return on.sure == BASIS_NULL || tell(m, pc, (struct told){address, size, on, write, false});
}
