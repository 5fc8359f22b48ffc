/* What the rules of native code stand on: operands, results with their facts, and the way to the
 * interpreter when something does not go well. */
#include "machine/native/private.h"

/* ---- operands --------------------------------------------------------------------------- */

void native_slot(struct writer *w, uint32_t op, unsigned reg, uint32_t slot)
{
    x86_memory(w->x, op, reg, RBX, (int64_t)slot * 8);
}

void native_load(struct writer *w, unsigned reg, uint32_t slot)
{
    if (w->cached == slot && reg == RAX)
        return;
    if (w->cached == slot)
        x86_registers(w->x, WIDE | MOVE, reg, RAX);
    else
        native_slot(w, WIDE | MOVE, reg, slot);
    if (reg == RAX)
        w->cached = slot;
}

void native_forget(struct writer *w)
{
    w->cached = NO_SLOT;
}

void native_load_x(struct writer *w, const struct insn *i)
{
    native_load(w, RAX, i->a);
    native_forget(w);
}

void native_load_y(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (rule->constant)
        x86_set(w->x, RCX, (uint64_t)i->k);
    else
        native_load(w, RCX, i->b);
}

void native_with_y(struct writer *w, const struct insn *i, const struct rule *rule, uint64_t k)
{
    if (!rule->constant) {
        native_slot(w, rule->op, RAX, i->b);
    } else if (!(rule->op & WIDE) || x86_fits32((int64_t)k)) {
        x86_constant(w->x, rule->op, RAX, (int32_t)k);
    } else {
        x86_set(w->x, RCX, k);
        x86_registers(w->x, rule->op, RAX, RCX);
    }
}

/* ---- trouble ---------------------------------------------------------------------------- */

struct trouble *native_trouble(struct writer *w, enum trouble_kind kind)
{
    struct trouble *t = &w->troubles[w->trouble_count++];
    *t = (struct trouble){.insn = w->insn, .kind = (uint8_t)kind, .slot = NO_SLOT};
    return t;
}

void native_trouble_if(struct writer *w, enum cc cc)
{
    if (!w->now)
        w->now = native_trouble(w, TROUBLE_STEP);
    if (w->now->count == MAX_TROUBLE)
        BUG("an instruction has more than %d checks", MAX_TROUBLE);
    w->now->from[w->now->count++] = x86_jump_if(w->x, cc);
}

void native_step(struct writer *w)
{
    x86_set(w->x, RSI, w->insn);
    x86_land(w->x, x86_call_near(w->x), w->step);
    native_forget(w);
}

/* ---- results ---------------------------------------------------------------------------- */

/* Facts only ever grow, so what is within today's need not be looked at any more. */
static bool is_known(const struct writer *w, const struct insn *i, int64_t low, int64_t high)
{
    const struct fact *f = &w->m->facts[i->fact];
    return i->fact == 0 || (f->low <= low && high <= f->high);
}

static void fact_edge(struct writer *w, const struct insn *i, unsigned offset, enum cc cc)
{
    int64_t at = (int64_t)i->fact * (int64_t)sizeof(struct fact) + offset;
    x86_memory(w->x, WIDE | CMP, RAX, R13, at);
    struct trouble *t = native_trouble(w, offset ? TROUBLE_HIGH : TROUBLE_LOW);
    t->from[t->count++] = x86_jump_if(w->x, cc);
    t->back = w->x->at;
}

void native_store(struct writer *w, const struct insn *i)
{
    native_slot(w, WIDE | STORE, RAX, i->dst);
    w->cached = i->dst;
}

void native_result(struct writer *w, const struct insn *i, int64_t low, int64_t high)
{
    native_store(w, i);
    if (is_known(w, i, low, high))
        return;
    fact_edge(w, i, offsetof(struct fact, low), CC_L);
    fact_edge(w, i, offsetof(struct fact, high), CC_G);
}

void native_any_result(struct writer *w, const struct insn *i)
{
    native_result(w, i, INT64_MIN, INT64_MAX);
}
