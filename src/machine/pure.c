/* Calls of functions that are declared pure or const (gcc's manual, 6.33): what they touch.
 *
 * The call runs with every access logged (sequence.c).  Addresses are given out once, so what was
 * given out when the call begins was there before it: writing it, or, of a const function,
 * reading it where it may change, is seen by the callers that compilers drop.  So are accesses to
 * volatile objects, input, output, other state of the library, and not to return.  What a function
 * keeps for itself in static locals is its own affair. */
#include "machine/private.h"

#include <string.h>

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

/* What a call did that a caller can see, and was not to; NULL: nothing. */
static const char *breach(struct machine *m, const struct touch *t, uint64_t before, bool is_const)
{
    if (!memory_was_given(&m->memory, t->address / 8, before))
        return NULL;
    const struct object *o = memory_find(&m->memory, t->address / 8);
    if (!o || o->kind == OBJECT_TEMPORARY) /* an argument, or where the result goes */
        return NULL;
    if (t->is_volatile) /* C11 5.1.2.3p2: whoever it belongs to */
        return t->write ? "writes the volatile" : "reads the volatile";
    if (o->kind == OBJECT_LIBRARY) /* streams and other state; errno may be lost */
        return t->write && strcmp(o->name, "errno") != 0 ? "uses" : NULL;
    if (is_private(m, o) || (!t->write && !is_const))
        return NULL;
    if (t->write)
        return "writes";
    return o->kind != OBJECT_STRING && o->is_const != CONST_ALL ? "reads" : NULL;
}

static const char *promised(const struct func *f)
{
    return f->purity == PROMISE_CONST ? "const" : "pure";
}

/* Since the last mark. */
bool pure_check(struct machine *m, uint64_t before)
{
    const struct sequence *s = &m->seq;
    const struct func *f = m->frames[m->depth].code->func;
    for (size_t i = s->marks[s->mark_count - 1]; !s->given_up && i < s->count; i++) {
        const struct touch *t = &s->log[i];
        const char *what = breach(m, t, before, f->purity == PROMISE_CONST);
        if (!what)
            continue;
        machine_undefined(m, UB_PROMISE, t->unit, m->units[t->unit].p->nodes[t->node],
                          "'%s' is declared %s, and %s %s here", f->name, promised(f), what,
                          machine_describe(m, t->address / 8));
        return false;
    }
    return true;
}

bool pure_may_leave(struct machine *m, const struct call_site *site)
{
    for (uint32_t i = 1; i <= m->depth; i++) {
        const struct func *f = m->frames[i].code->func;
        if (!f->purity)
            continue;
        machine_undefined(m, UB_PROMISE, site->unit, site->node,
                          "'%s' is declared %s, and ends the program", f->name, promised(f));
        return false;
    }
    return true;
}
