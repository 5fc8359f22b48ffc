/* Calls of functions that are declared pure or const (gcc's manual, 6.33): what they touch.
 *
 * The call runs with every access logged (sequence.c).  Addresses are given out once, so what lies
 * below the next one when the call begins was there before it: writing it, or, of a const function,
 * reading it where it may change, is seen by the callers that compilers drop.  What a function
 * keeps for itself in static locals is its own affair.  Output is not looked at. */
#include "machine/private.h"

/* Is it a static object that only one function can name? */
static bool is_private(const struct machine *m, const struct object *o)
{
    for (uint32_t i = 0; o->kind == OBJECT_STATIC && i < m->unit_count; i++) {
        const struct unit_state *u = &m->units[i];
        for (uint32_t k = 0; k < u->p->decls.n; k++) {
            const struct decl *d = u->p->decls.at[k];
            if (d->owner && d->id < u->var_count && u->vars[d->id].place == VAR_STATIC &&
                u->vars[d->id].object == o)
                return true;
        }
    }
    return false;
}

static bool breaks(struct machine *m, const struct touch *t, uint64_t before, bool is_const)
{
    if (t->address / 8 >= before || (!t->write && !is_const))
        return false;
    const struct object *o = memory_find(&m->memory, t->address / 8);
    bool value = o && o->kind == OBJECT_TEMPORARY; /* an argument, or where the result goes */
    if (!o || value || o->kind == OBJECT_LIBRARY || is_private(m, o))
        return false;
    return t->write || (o->kind != OBJECT_STRING && o->is_const != CONST_ALL);
}

/* Since the last mark. */
bool pure_check(struct machine *m, const struct insn *pc, uint64_t before)
{
    const struct sequence *s = &m->seq;
    const struct decl *d = pc->u.site->callee->decl;
    for (size_t i = s->marks[s->mark_count - 1]; !s->given_up && i < s->count; i++) {
        const struct touch *t = &s->log[i];
        if (!breaks(m, t, before, pc->k))
            continue;
        machine_undefined(m, UB_PROMISE, t->unit, m->units[t->unit].p->nodes[t->node],
                          "'%s' is declared %s, and %s %s here", d->name, pc->k ? "const" : "pure",
                          t->write ? "writes" : "reads", machine_describe(m, t->address / 8));
        return false;
    }
    return true;
}
