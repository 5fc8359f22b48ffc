/* Operations on values that take two slots, conversions of the rarer kinds, and vectors. */
#include "machine/private.h"

#include <math.h>
#include <string.h>

static u128 load_value(const struct program *p, const struct type *t, const uint64_t *r)
{
    enum kind k = kind_of(p, t);
    if (k == KIND_WIDE)
        return lang_wrap((u128)r[1] << 64 | r[0], lang_int_width(p, t));
    if (k == KIND_QUAD)
        return (u128)r[1] << 64 | r[0];
    if (k == KIND_LDOUBLE)
        return (u128)(r[1] & 0xffff) << 64 | r[0];
    return lang_is_integer(t) ? lang_wrap(r[0], lang_int_width(p, t)) : r[0];
}

static void save_value(const struct program *p, const struct type *t, u128 v, uint64_t *r)
{
    enum kind k = kind_of(p, t);
    if (lang_is_integer(t) && lang_int_signed(p, t))
        v = lang_sign_extend(v, lang_int_width(p, t));
    r[0] = (uint64_t)v;
    if (kind_is_pair(k))
        r[1] = (uint64_t)(v >> 64);
}

static bool faulted(struct machine *m, const struct insn *pc, enum value_fault fault, enum op op,
                    u128 x, u128 y)
{
    static const enum ub kinds[] = {
        [VALUE_OVERFLOW] = UB_OVERFLOW,
        [VALUE_DIV_ZERO] = UB_DIV_ZERO,
        [VALUE_SHIFT] = UB_SHIFT_COUNT,
    };
    if (fault == VALUE_OK)
        return false;
    uint32_t unit = m->frames[m->depth].code->func->unit;
    if (fault == VALUE_UNSUPPORTED)
        machine_unsupported(m, unit, m->units[unit].p->nodes[pc->node], "operation on this type");
    else
        machine_fault_wide(
            m, pc, op == OP_SHL && fault == VALUE_OVERFLOW ? UB_SHIFT_VALUE : kinds[fault], x, y);
    return true;
}

/* C11 6.5.7p4 for signed left shifts: lang reports only the count. */
static bool shift_overflows(const struct program *p, const struct type *t, u128 a, u128 count)
{
    unsigned width = lang_int_width(p, t);
    return lang_int_signed(p, t) &&
           (a >> (width - 1) || (count && count < width && a >> (width - 1 - (unsigned)count)));
}

bool exec_wide(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct conversion *c = pc->u.conversion;
    const struct program *p = c->program;
    enum op op = (enum op)pc->k;
    u128 a = load_value(p, c->from, r + pc->a), b = 0, v = 0;
    enum value_fault fault;
    if (pc->b == NO_SLOT) {
        fault = lang_value_unary(p, op, c->from, a, &v);
    } else {
        bool shift = op == OP_SHL || op == OP_SHR;
        b = load_value(p, shift ? c->to : c->from, r + pc->b);
        if (shift && lang_int_signed(p, c->to))
            b = lang_sign_extend(b, lang_int_width(p, c->to));
        if (op == OP_SHL && b < lang_int_width(p, c->from) && shift_overflows(p, c->from, a, b)) {
            machine_fault_wide(m, pc, UB_SHIFT_VALUE, a, b);
            return false;
        }
        fault = lang_value_binary(p, op, c->from, a, b, &v);
    }
    if (faulted(m, pc, fault, op, a, b))
        return false;
    if (op_is_comparison(op) || op == OP_LNOT)
        r[pc->dst] = (uint64_t)v;
    else
        save_value(p, c->from, v, r + pc->dst);
    return true;
}

bool exec_true_wide(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct conversion *c = pc->u.conversion;
    (void)m;
    r[pc->dst] = !lang_value_is_zero(c->program, c->from,
                                     load_value(c->program, c->from, r + pc->a));
    return true;
}

bool exec_convert(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct conversion *c = pc->u.conversion;
    u128 v, a = load_value(c->program, c->from, r + pc->a);
    enum value_fault fault = lang_value_convert(c->program, c->from, c->to, a, &v);
    if (fault == VALUE_OVERFLOW) {
        machine_fault_wide(m, pc, UB_FLOAT_CAST, a, 0);
        return false;
    }
    if (faulted(m, pc, fault, OP_ASSIGN, a, 0))
        return false;
    save_value(c->program, c->to, v, r + pc->dst);
    if (pc->fact) {
        struct fact *f = &m->facts[pc->fact];
        if ((int64_t)r[pc->dst] < f->low)
            f->low = (int64_t)r[pc->dst];
        if ((int64_t)r[pc->dst] > f->high)
            f->high = (int64_t)r[pc->dst];
    }
    return true;
}

/* ---- floats in wider registers ---------------------------------------------------------- */

static bool not_exact(struct machine *m, const struct insn *pc)
{
    uint32_t unit = m->frames[m->depth].code->func->unit;
    machine_unsupported(m, unit, m->units[unit].p->nodes[pc->node],
                        "a floating result that is not exact, where registers are wider than its "
                        "type");
    return false;
}

/* As x87 and 68881 registers have it. */
static long double extended(enum op op, long double x, long double y)
{
    switch (op) {
    case OP_ADD:
        return x + y;
    case OP_SUB:
        return x - y;
    case OP_MUL:
        return x * y;
    default:
        return x / y;
    }
}

bool exec_exact_binary(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct conversion *c = pc->u.conversion;
    enum float_format f = lang_float_format(c->program, c->from);
    u128 a = r[pc->a], b = r[pc->b], bits;
    if (lang_value_binary(c->program, (enum op)pc->k, c->from, a, b, &bits))
        return not_exact(m, pc);
    long double v = lang_float_host(f, bits);
    long double w = extended((enum op)pc->k, lang_float_host(f, a), lang_float_host(f, b));
    return v == w || (isnan(v) && isnan(w)) || not_exact(m, pc);
}

bool exec_exact_convert(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct conversion *c = pc->u.conversion;
    u128 bits;
    long double w;
    if (!lang_is_integer(c->from))
        w = lang_float_host(lang_float_format(c->program, c->from), r[pc->a]);
    else
        w = lang_int_signed(c->program, c->from) ? (long double)(int64_t)r[pc->a]
                                                 : (long double)r[pc->a];
    if (lang_value_convert(c->program, c->from, c->to, load_value(c->program, c->from, r + pc->a),
                           &bits))
        return not_exact(m, pc);
    long double v = lang_float_host(lang_float_format(c->program, c->to), bits);
    return v == w || (isnan(v) && isnan(w)) || not_exact(m, pc);
}

/* ---- vectors ---------------------------------------------------------------------------- */

/* Lanes have C's limits, without its promotions: gcc takes signed ones not to overflow. */
static bool vector_element(struct machine *m, const struct insn *pc, const struct type *t, u128 a,
                           u128 b, u128 *v)
{
    const struct conversion *c = pc->u.conversion;
    enum op op = (enum op)pc->k;
    enum value_fault fault;
    if (pc->b == NO_SLOT)
        fault = lang_value_unary(c->program, op, t, a, v);
    else
        fault = lang_value_binary(c->program, op, t, a, b, v);
    if (faulted(m, pc, fault, op, a, b))
        return false;
    if (op_is_comparison(op))
        *v = *v ? ~(u128)0 : 0;
    return true;
}

bool exec_vector(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct conversion *c = pc->u.conversion;
    const struct type *t = c->from->canon->base;
    uint64_t size = lang_sizeof(c->program, c->from), step = lang_sizeof(c->program, t);
    const uint8_t *a = access_read(m, pc, r[pc->a], size);
    const uint8_t *b = a && pc->b != NO_SLOT ? access_read(m, pc, r[pc->b], size) : a;
    uint8_t *to = b ? access_write(m, pc, r[pc->dst], size) : NULL;
    if (!to)
        return false;
    for (uint64_t i = 0; i < size; i += step) {
        u128 v = 0;
        if (!vector_element(m, pc, t, lang_load_number(m->target, a + i, step),
                            lang_load_number(m->target, b + i, step), &v))
            return false;
        lang_store_number(m->target, to + i, step, v);
    }
    return true;
}
