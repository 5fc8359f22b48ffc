/* Volatile objects that are reached through lvalues that are not (C11 6.7.3p6).
 *
 * Judges objects that were declared volatile as a whole; of one with volatile members only, nothing
 * is said.  A plain lvalue comes there by a conversion that drops the qualifier: programs that have
 * none pay nothing. */
#include "machine/private.h"

bool plain_drops_volatile(const struct program *p)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct node *n = p->nodes[i];
        if (!n || n->kind != NODE_CAST || n->op != CONV_PTR || !n->count || !n->kid[0]->type)
            continue;
        const struct type *from = n->kid[0]->type->canon, *to = n->type->canon;
        if (from->kind == TYPE_POINTER && to->kind == TYPE_POINTER &&
            from->base->canon->quals & QUAL_VOLATILE && !(to->base->canon->quals & QUAL_VOLATILE))
            return true;
    }
    return false;
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
