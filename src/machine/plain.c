/* Volatile objects that are reached through lvalues that are not (C11 6.7.3p6).
 *
 * Judges objects that were declared volatile, and members of structures.  A plain lvalue comes
 * there by a conversion that drops the qualifier: programs that have none pay nothing. */
#include "machine/private.h"

static bool drops(const struct type *from, const struct type *to)
{
    return from->canon->quals & QUAL_VOLATILE && !(to->canon->quals & QUAL_VOLATILE);
}

bool plain_drops_volatile(const struct program *p)
{
    return record_any_conversion(p, drops);
}

/* Is what lies at off in an object of this type declared volatile, as a whole or a member? */
static bool is_volatile_at(const struct program *p, const struct type *t, uint64_t off)
{
    t = t->canon;
    if (t->quals & QUAL_VOLATILE)
        return true;
    if (t->kind == TYPE_ARRAY) {
        uint64_t step = lang_sizeof(p, t->base);
        return step && is_volatile_at(p, t->base, off % step);
    }
    if (t->kind != TYPE_STRUCT) /* members of unions share what is there */
        return false;
    for (uint32_t i = t->u.record->count; i-- > 0;) {
        const struct field *f = t->u.record->fields[i];
        if (!f->is_bitfield && off >= f->offset && off - f->offset < lang_sizeof(p, f->type))
            return is_volatile_at(p, f->type, off - f->offset);
    }
    return false;
}

static bool is_declared_volatile(const struct object *o, uint64_t off)
{
    return o->is_volatile && (!o->type || is_volatile_at(o->program, o->type, off));
}

bool plain_reach(struct machine *m, const struct insn *pc, uint64_t address)
{
    const struct object *o = memory_find(&m->memory, address);
    if (!o || !is_declared_volatile(o, address - o->base) || address == o->base + o->size)
        return true;
    uint32_t unit = m->frames[m->depth].code->func->unit;
    machine_undefined(m, UB_VOLATILE, unit, m->units[unit].p->nodes[pc->node], "%s",
                      machine_describe(m, address));
    return false;
}
