/* restrict pointers (C11 6.7.3.1), as far as it can be told exactly: parameters, and variables of
 * the function's own block from their initialisation on.
 *
 * One that is only ever moved (p++, p += i, p = p + i) stays based on itself: an lvalue that is
 * written with it (p[i], *p++, p->m) is based on it.  One that is written with another such
 * pointer, or that names an object, is not.  If both reach the same byte during a call, and one of
 * all accesses to it was a write, the call is undefined.  Other lvalues are not looked at. */
#include "machine/private.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64, MOST = 1 << 14 };

/* A byte, and through which pointers it was read and written: bit i for pointer i. */
struct seen {
    uint64_t address;
    uint8_t reads, writes;
};

struct watch {
    struct seen *table; /* open addressing; address 0 is free */
    size_t room, count;
};

static struct seen *find(const struct watch *w, uint64_t address)
{
    size_t i = (size_t)(address * 0x9e3779b97f4a7c15u >> 40) & (w->room - 1);
    while (w->table[i].address && w->table[i].address != address)
        i = (i + 1) & (w->room - 1);
    return &w->table[i];
}

static void grow(struct watch *w)
{
    struct watch bigger = {.room = w->room ? w->room * 2 : FIRST_ROOM, .count = w->count};
    bigger.table = calloc(bigger.room, sizeof *bigger.table);
    if (!bigger.table)
        BUG("out of memory");
    for (size_t i = 0; i < w->room; i++)
        if (w->table[i].address)
            *find(&bigger, w->table[i].address) = w->table[i];
    free(w->table);
    *w = bigger;
}

static bool violated(const struct seen *s)
{
    uint8_t all = s->reads | s->writes;
    bool several = all & (all - 1);
    return several && s->writes;
}

/* tag: the pointer; align: bytes; dst: is it a write? */
bool restrict_touch(struct machine *m, const struct insn *pc, uint64_t address)
{
    struct frame *f = &m->frames[m->depth];
    if (!f->watch)
        f->watch = calloc(1, sizeof *f->watch);
    struct watch *w = f->watch;
    if (!w)
        BUG("out of memory");
    if (w->count + pc->align > MOST)
        return true; /* too much to remember: nothing more is found in this call */
    for (unsigned i = 0; i < pc->align; i++) {
        if ((w->count + 1) * 2 > w->room)
            grow(w);
        struct seen *s = find(w, address + i);
        w->count += s->address == 0;
        s->address = address + i;
        uint8_t bit = (uint8_t)(1u << pc->tag);
        if (pc->dst)
            s->writes |= bit;
        else
            s->reads |= bit;
        if (!violated(s))
            continue;
        machine_undefined(m, UB_RESTRICT, f->code->func->unit,
                          m->units[f->code->func->unit].p->nodes[pc->node], "%s",
                          machine_describe(m, address));
        return false;
    }
    return true;
}

void restrict_end(struct frame *f)
{
    free(f->watch->table);
    free(f->watch);
    f->watch = NULL;
}
