/* Allocated memory, and the structures that it was stored through.
 *
 * A byte of allocated memory that is stored as p->x, or as a part of a structure that is assigned,
 * belongs to the structure that p points to until it is stored again; what is stored through no
 * structure, or by the library, belongs to none.  Whoever reads it as a member of a structure reads
 * one that goes with that (record.c): compilers take all others for other objects, though C11 6.5p7
 * speaks of the lvalue's own type only.  A structure that is read as a whole may have members that
 * were never set in it: it is judged only where all that is there belongs to another.  Costs four
 * bytes for each one, in runs that machine_execute makes for it. */
#include "machine/private.h"

#include <stdlib.h>

void owner_clear(struct object *o, uint64_t off, uint64_t size)
{
    memset(o->owners + off, 0, size * sizeof *o->owners);
}

static void set(struct object *o, uint64_t off, uint64_t size, struct owner first)
{
    if (!o->owners)
        o->owners = calloc(o->size, sizeof *o->owners);
    if (!o->owners)
        BUG("out of memory");
    for (uint64_t i = 0; i < size; i++)
        o->owners[off + i] = (struct owner){first.record, (uint16_t)(first.off + i)};
}

/* Does the byte i of what is read belong to another structure that does not go with this one? */
static bool is_stranger(struct machine *m, const struct owner *has, struct owner want, uint64_t i)
{
    int64_t off = (int64_t)has[i].off - (int64_t)(want.off + i);
    bool same = has[i].record == want.record && off == 0;
    return has[i].record && !same && !record_goes_with(m, want.record, has[i].record, off);
}

/* The first byte that is; size: none. */
static uint64_t find_stranger(struct machine *m, const struct owner *has, uint64_t size,
                              struct owner want)
{
    for (uint64_t i = 0; i < size; i++)
        if (is_stranger(m, has, want, i))
            return i;
    return size;
}

/* The same of a structure that is read as a whole: where some of its bytes are its own, the others
 * may be left from before.  Those that were never set are nobody's. */
static uint64_t find_only_strangers(struct machine *m, const struct object *o, uint64_t off,
                                    uint64_t size, struct owner want)
{
    uint64_t found = size;
    for (uint64_t i = 0; i < size; i++) {
        if (o->init && !o->init[off + i])
            continue;
        if (!is_stranger(m, o->owners + off, want, i))
            return size;
        found = found == size ? i : found;
    }
    return found;
}

static void tell(struct machine *m, const struct insn *pc, uint64_t address, uint32_t is)
{
    uint32_t unit = m->frames[m->depth].code->func->unit;
    const struct program *p = m->units[unit].p;
    struct text has = {0}, want = {0};
    lang_print_type(p, record_numbered(m, is), NULL, &has);
    lang_print_type(p, record_numbered(m, (uint32_t)pc->u.wide), NULL, &want);
    machine_undefined(m, UB_RECORD_ALIAS, unit, p->nodes[pc->node],
                      "%s, stored through '%s', reached as '%s'", machine_describe(m, address),
                      text_str(&has), text_str(&want));
    text_free(&has);
    text_free(&want);
}

bool owner_touch(struct machine *m, const struct insn *pc, uint64_t address, uint64_t root)
{
    struct object *o = memory_find(&m->memory, address);
    uint64_t off = o ? address - o->base : 0, size = pc->dst, inside = address - root;
    if (!o || o->kind != OBJECT_HEAP || size > o->size || off > o->size - size)
        return true; /* not ours, or the access itself will tell */
    bool known = pc->u.wide && inside + size <= UINT16_MAX;
    struct owner by = {(uint16_t)pc->u.wide, (uint16_t)inside};
    if (pc->tag && known)
        set(o, off, size, by);
    else if (pc->tag && o->owners)
        owner_clear(o, off, size);
    if (pc->tag || !known || !o->owners)
        return true;
    uint64_t at = pc->align ? find_only_strangers(m, o, off, size, by)
                            : find_stranger(m, o->owners + off, size, by);
    if (at == size)
        return true;
    tell(m, pc, address + at, o->owners[off + at].record);
    return false;
}
