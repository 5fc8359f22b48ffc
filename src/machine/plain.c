/* Volatile objects that are reached through lvalues that are not (C11 6.7.3p6).
 *
 * Judges objects that were declared volatile as a whole; of one with volatile members only, nothing
 * is said.  A plain lvalue comes there by a conversion that drops the qualifier: programs that have
 * none pay nothing. */
#include "machine/private.h"

static bool drops(const struct type *from, const struct type *to)
{
    return from->canon->quals & QUAL_VOLATILE && !(to->canon->quals & QUAL_VOLATILE);
}

bool plain_drops_volatile(const struct program *p)
{
    return record_any_conversion(p, drops);
}

static bool is_declared_volatile(const struct object *o)
{
    const struct type *t = o->type ? o->type->canon : NULL;
    while (t && t->kind == TYPE_ARRAY)
        t = t->base->canon;
    return o->is_volatile && (!t || t->quals & QUAL_VOLATILE);
}

bool plain_reach(struct machine *m, const struct insn *pc, uint64_t address)
{
    const struct object *o = memory_find(&m->memory, address);
    if (!o || !is_declared_volatile(o) || address == o->base + o->size)
        return true;
    uint32_t unit = m->frames[m->depth].code->func->unit;
    machine_undefined(m, UB_VOLATILE, unit, m->units[unit].p->nodes[pc->node], "%s",
                      machine_describe(m, address));
    return false;
}
