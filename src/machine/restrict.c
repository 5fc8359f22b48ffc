/* restrict pointers (C11 6.7.3.1): bytes that are reached through one, and otherwise.
 *
 * A frame whose function has restrict pointers watches them: for each byte it knows through which
 * of them it was accessed, which of them an access to it was certainly not based on, and whether it
 * was written.  A byte that has all three for one pointer is undefined; and so is one that was
 * written and reached through a restrict pointer to const.  What an access is based on comes from
 * the text of the function (compile/based.c); in functions that are called, and in the library, it
 * is told in terms of their parameters, and so of the arguments, from frame to frame. */
#include "machine/private.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64, MOST = 1 << 14, FAR = 12 };

struct seen {
    uint64_t address;
    uint16_t through, beside; /* bases that accesses were based on; certainly not based on */
    uint16_t written;         /* during the blocks of these */
};

struct watch {
    struct seen *table; /* open addressing; address 0 is free */
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
    if (!bigger.table)
        BUG("out of memory");
    for (size_t i = 0; i < w->room; i++)
        if (w->table[i].address)
            *find(&bigger, w->table[i].address) = w->table[i];
    free(w->table);
    *w = bigger;
}

void restrict_enter(struct machine *m)
{
    struct frame *f = &m->frames[m->depth];
    f->watch = calloc(1, sizeof *f->watch);
    if (!f->watch)
        BUG("out of memory");
    m->watching++;
    f->watch->active = f->code->bases->begun & f->code->bases->restricted;
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

void restrict_end(struct machine *m, struct frame *f)
{
    free(f->watch->table);
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
    uint16_t all = b->restricted;
    if (on.sure == BASIS_NAMED || on.sure == BASIS_NONE)
        return all;
    if (on.sure == BASIS_MUST && b->lasting & on.may)
        return all & (uint16_t) ~(on.may | (b->leaked & ~b->lasting));
    all &= (uint16_t)~b->lasting;
    if (on.sure == BASIS_MUST && b->begun & on.may & ~b->members)
        return all & (uint16_t)~on.may; /* a parameter's value is older than the others' */
    return all & (uint16_t) ~(on.may | (on.sure == BASIS_MUST ? b->leaked : 0));
}

/* False when a byte is reached in two ways that may not be. */
static bool note(struct frame *f, uint64_t address, uint64_t size, struct basis on, bool write)
{
    struct watch *w = f->watch;
    const struct bases *b = f->code->bases;
    if (w->given_up || w->count + size > MOST) {
        w->given_up = true; /* too much to remember: nothing more is found in this call */
        return true;
    }
    uint16_t through = on.sure == BASIS_MUST ? on.may & w->active : 0;
    uint16_t others = beside(b, on) & w->active;
    while ((w->count + size) * 2 > w->room)
        grow(w);
    const struct seen *end = w->table + w->room;
    struct seen *s = NULL;
    for (uint64_t i = 0; i < size; i++) {
        bool next = s && s + 1 < end && s[1].address == address + i;
        s = next ? s + 1 : find(w, address + i);
        w->count += s->address == 0;
        s->address = address + i;
        s->through |= through;
        s->beside |= others;
        s->written |= write ? w->active : 0;
        if (s->through & s->written & (s->beside | b->fixed) & w->active)
            return false;
    }
    return true;
}

/* The same in terms of the caller's bases. */
static struct basis in_caller(const struct frame *f, const struct frame *caller, struct basis on)
{
    static const struct basis anything = {BASIS_ANY, BASIS_MAYBE};
    const struct bases *b = f->code->bases, *above = caller->code->bases;
    const struct call_site *site = f->site;
    if (on.sure == BASIS_NAMED)
        return on;
    if (!b || !above || !site || !site->based || b->count == MOST_BASES)
        return anything;
    struct basis sum = {above->members | above->leaked, BASIS_NONE};
    for (uint8_t i = 0; i < MOST_BASES; i++) {
        if (!(on.may >> i & 1))
            continue;
        int32_t k = i < b->count ? b->list[i].parameter : -1;
        if (k < 0 || (uint32_t)k >= site->count)
            return anything;
        if (on.sure == BASIS_MUST)
            return site->based[k];
        sum.may |= site->based[k].sure == BASIS_MAYBE || site->based[k].sure == BASIS_MUST
                       ? site->based[k].may
                       : 0;
    }
    sum.sure = sum.may ? BASIS_MAYBE : BASIS_NONE;
    return sum;
}

/* In the frame on top, and in those below. */
static bool tell(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
                 struct basis on, bool write)
{
    uint32_t left = m->watching, unit = m->frames[m->depth].code->func->unit;
    for (uint32_t d = m->depth, steps = 0; left && d && steps < FAR; d--, steps++) {
        struct frame *f = &m->frames[d];
        left -= f->watch != NULL;
        if (f->watch && !note(f, address, size, on, write)) {
            machine_undefined(m, UB_RESTRICT, unit, m->units[unit].p->nodes[pc->node], "%s",
                              machine_describe(m, address));
            return false;
        }
        on = in_caller(f, &m->frames[d - 1], on);
    }
    return true;
}

bool restrict_touch(struct machine *m, const struct insn *pc, uint64_t address)
{
    const struct watched_access *w = pc->u.watched;
    if (!m->watching)
        return true;
    return tell(m, pc, address, w->size, w->on, w->write);
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
    struct basis on = {0, BASIS_NULL};
    for (uint32_t i = 0; o && i < site->count; i++) {
        if (!is_way_to(m, site, i, o))
            continue;
        struct basis it = site->based[i];
        if (on.sure == BASIS_NULL)
            on = it;
        else if (on.sure != it.sure || on.may != it.may)
            on = (struct basis){on.may | it.may, BASIS_MAYBE};
    }
    return on.sure == BASIS_NULL || tell(m, pc, address, size, on, write);
}
