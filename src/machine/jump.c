/* setjmp and longjmp (C11 7.13): places that a program can come back to.
 *
 * Takes the call of setjmp that a frame makes, and yields a number for the program's buffer; takes
 * such a number back, leaves the frames above, and says where to go on.  In a function that calls
 * setjmp all variables stand in memory (compile/prepare.c), so a place is the frame's slots and a
 * copy of its objects: those that differ later and are not volatile are indeterminate then (C11
 * 7.13.2.1p3).  It never looks into the program's buffer. */
#include "machine/private.h"

#include <stdlib.h>

/* An automatic object as it was. */
struct snapshot {
    uint64_t base, size;
    uint8_t *bytes, *init; /* init: NULL, all of it was set */
    bool is_volatile;
};

struct jump_place {
    uint64_t id;
    uint32_t depth, nested;
    uint64_t serial; /* of the frame */
    const struct insn *pc;
    uint64_t *slots;
    struct snapshot *objects;
    size_t count;
    size_t marks; /* of the log of accesses */
};

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        BUG("out of memory");
    return p;
}

static void place_free(struct jump_place *p)
{
    for (size_t i = 0; i < p->count; i++) {
        free(p->objects[i].bytes);
        free(p->objects[i].init);
    }
    free(p->objects);
    free(p->slots);
}

static bool is_active(const struct machine *m, const struct jump_place *p)
{
    return p->depth <= m->depth && m->frames[p->depth].serial == p->serial;
}

void jump_end(struct machine *m)
{
    for (size_t i = 0; i < m->jumps.count; i++)
        place_free(&m->jumps.places[i]);
    free(m->jumps.places);
}

/* ---- setjmp ----------------------------------------------------------------------------- */

static void take_snapshot(const struct object *o, struct snapshot *s)
{
    *s = (struct snapshot){.base = o->base, .size = o->size, .is_volatile = o->is_volatile};
    s->bytes = allocate(o->size, 1);
    memcpy(s->bytes, o->bytes, o->size);
    if (!o->init)
        return;
    s->init = allocate(o->size, 1);
    memcpy(s->init, o->init, o->size);
}

static void take_objects(const struct frame *f, struct jump_place *p)
{
    size_t n = 0;
    for (const struct object *o = f->objects; o; o = o->next)
        n += o->kind == OBJECT_AUTO;
    p->objects = allocate(n, sizeof *p->objects);
    for (const struct object *o = f->objects; o; o = o->next)
        if (o->kind == OBJECT_AUTO)
            take_snapshot(o, &p->objects[p->count++]);
}

/* Places of calls that came back are of no use; nor is the one of this call before. */
static void drop_old(struct machine *m, const struct insn *pc)
{
    struct jumps *j = &m->jumps;
    size_t kept = 0;
    for (size_t i = 0; i < j->count; i++) {
        struct jump_place *p = &j->places[i];
        if (is_active(m, p) && !(p->depth == m->depth && p->pc == pc && p->nested == m->nested))
            j->places[kept++] = *p;
        else
            place_free(p);
    }
    j->count = kept;
}

uint64_t jump_new(struct machine *m)
{
    return ++m->jumps.last;
}

void jump_set(struct machine *m, const struct insn *pc, uint64_t id)
{
    struct jumps *j = &m->jumps;
    drop_old(m, pc);
    if (j->count == j->room) {
        j->room = j->room ? j->room * 2 : 8;
        j->places = realloc(j->places, j->room * sizeof *j->places);
        if (!j->places)
            BUG("out of memory");
    }
    const struct frame *f = &m->frames[m->depth];
    struct jump_place *p = &j->places[j->count++];
    *p = (struct jump_place){.id = id, .depth = m->depth, .nested = m->nested, .serial = f->serial};
    p->pc = pc;
    p->marks = m->seq.mark_count - (m->seq.mark_count > 0); /* beside this call's own */
    p->slots = allocate(f->code->slots, sizeof *p->slots);
    memcpy(p->slots, f->r, f->code->slots * sizeof *p->slots);
    take_objects(f, p);
}

/* ---- longjmp ---------------------------------------------------------------------------- */

/* What stands behind a call that is left does not run; what stands behind setjmp runs again. */
void jump_count(struct machine *m, const struct call_site *site, int64_t times)
{
    if (!site || !site->order)
        return;
    for (size_t i = 0; i < m->cut_count; i++)
        if (m->cuts[i].counter == site->counter && m->cuts[i].order == site->order) {
            m->cuts[i].times += times;
            return;
        }
    m->cuts = realloc(m->cuts, (m->cut_count + 1) * sizeof *m->cuts);
    if (!m->cuts)
        BUG("out of memory");
    m->cuts[m->cut_count++] = (struct cut){site->counter, site->order, times};
}

static void leave_frames(struct machine *m, uint32_t depth)
{
    for (; m->depth > depth; m->depth--) {
        struct frame *f = &m->frames[m->depth];
        jump_count(m, f->site, 1);
        exec_kill_objects(m, f);
        if (f->watch)
            restrict_end(m, f);
        if (f->cursor && m->cursor_count >= f->cursor)
            m->cursor_count = f->cursor - 1;
    }
}

/* Bytes that changed mean nothing any more (C11 7.13.2.1p3). */
static void forget_changes(struct object *o, const struct snapshot *s)
{
    for (uint64_t i = 0; i < s->size && !s->is_volatile; i++) {
        uint8_t before = s->init ? s->init[i] : 0xff, now = o->init ? o->init[i] : 0xff;
        uint8_t changed = (uint8_t)((s->bytes[i] ^ o->bytes[i]) | (before ^ now));
        if (!changed)
            continue;
        memory_need_init(o);
        o->init[i] &= (uint8_t)~changed;
    }
}

static bool restore(struct machine *m, const struct jump_place *p)
{
    for (size_t i = 0; i < p->count; i++) {
        struct object *o = memory_find(&m->memory, p->objects[i].base);
        if (!o || o->base != p->objects[i].base)
            return false;
        forget_changes(o, &p->objects[i]);
    }
    const struct frame *f = &m->frames[p->depth];
    uint32_t first = f->code->objects_first, behind = first + f->code->objects_count;
    for (uint32_t i = 0; i < f->code->slots; i++)
        if (i < first || i >= behind)
            f->r[i] = p->slots[i];
    if (m->seq.mark_count > p->marks)
        m->seq.mark_count = p->marks;
    return true;
}

enum jump_answer jump_back(struct machine *m, uint64_t id, uint64_t value)
{
    const struct jump_place *p = NULL;
    for (size_t i = 0; i < m->jumps.count; i++)
        if (m->jumps.places[i].id == id)
            p = &m->jumps.places[i];
    if (!p || !is_active(m, p))
        return JUMP_GONE;
    leave_frames(m, p->depth);
    restrict_forget(&m->frames[m->depth]);
    if (!restore(m, p))
        return JUMP_BLOCK;
    m->jumps.pending = p->pc;
    m->jumps.nested = p->nested;
    m->jumps.value = value;
    return JUMP_DONE;
}

const struct insn *jump_land(struct machine *m)
{
    struct jumps *j = &m->jumps;
    const struct insn *pc = j->pending;
    if (m->ended || !pc || j->nested != m->nested)
        return NULL;
    j->pending = NULL;
    jump_count(m, pc->u.site, -1);
    if (pc->dst == NO_SLOT)
        return pc;
    struct fact *fact = &m->facts[pc->fact];
    int64_t value = (int64_t)j->value;
    m->frames[m->depth].r[pc->dst] = j->value;
    fact->low = value < fact->low ? value : fact->low;
    fact->high = value > fact->high ? value : fact->high;
    return pc;
}
