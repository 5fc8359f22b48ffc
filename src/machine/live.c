/* Executing a program while it is written: one statement or expression after another, in the
 * frame of a function that has no end yet. */
#include "machine/private.h"

#include <string.h>

bool machine_enter(struct machine *m, uint32_t unit, struct function *f)
{
    if (m->ended || (!m->live && !link_start(m)))
        return false;
    m->live = NEW(&m->arena, struct live);
    m->live->func = link_func(m, &m->units[unit], f->decl);
    m->live->scope = NEW(&m->arena, struct scope);
    struct code *nothing = NEW(&m->arena, struct code);
    nothing->func = m->live->func;
    uint64_t *r = m->stack;
    if (m->depth)
        r = m->frames[m->depth].r + m->frames[m->depth].code->slots + 8;
    if (!exec_push(m, nothing, r))
        return false;
    m->live->depth = m->depth;
    return true;
}

static bool run_fragment(struct machine *m, const struct node *n)
{
    if (m->ended || !m->live)
        return false;
    struct code *code = compile_fragment(m, m->live, n);
    /* static objects that are mentioned for the first time are initialised behind its slots */
    m->frames[m->depth].code = code;
    link_initialise(m);
    if (!m->ended)
        exec_fragment(m, code);
    return !m->ended;
}

bool machine_do(struct machine *m, const struct node *statement)
{
    return run_fragment(m, statement);
}

bool machine_eval(struct machine *m, const struct node *expression, u128 *bits)
{
    if (!run_fragment(m, expression))
        return false;
    const struct program *p = m->units[m->live->func->unit].p;
    const uint64_t *r = m->frames[m->depth].r + m->live->value;
    const struct type *t = expression->type;
    *bits = r[0];
    if (kind_is_pair(kind_of(p, t)))
        *bits |= (u128)r[1] << 64;
    else if (lang_is_integer(t) && lang_int_signed(p, t))
        *bits = lang_sign_extend(*bits, 64);
    return true;
}

void machine_forgive(struct machine *m)
{
    if (!m->live)
        return;
    exec_unwind(m, m->live->depth);
    m->ended = false;
    m->result.end = MACHINE_FINISHED;
    m->result.ub = UB_NONE;
    m->result.detail[0] = 0;
    m->seq.count = m->seq.mark_count = 0;
    m->seq.given_up = false;
    m->nested = 0;
}

const struct machine_result *machine_result(const struct machine *m)
{
    return &m->result;
}
