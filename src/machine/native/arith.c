/* Rules of native code that touch slots only: moving, computing, comparing, jumping. */
#include "machine/native/private.h"

/* ---- moving ----------------------------------------------------------------------------- */

void rule_nothing(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)w, (void)i, (void)rule;
}

void rule_move(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    native_load(w, RAX, i->a);
    native_any_result(w, i);
}

void rule_constant(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    x86_set(w->x, RAX, (uint64_t)i->k);
    if (i->op == I_FLAG)
        native_store(w, i);
    else
        native_result(w, i, i->k, i->k);
}

void rule_check(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    x86_memory_constant(w->x, WIDE | CMP, RBX, (int64_t)i->a * 8, 0);
    native_trouble_if(w, CC_E);
}

static void count_up(struct writer *w, uint64_t counter)
{
    x86_memory(w->x, WIDE | GROUP5, INC, R14, (int64_t)counter * 8);
}

void rule_count(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    count_up(w, (uint64_t)i->k);
}

/* ---- arithmetic ------------------------------------------------------------------------- */

static void extend32(struct writer *w)
{
    x86_registers(w->x, WIDE | SEXT32, RAX, RAX);
}

void rule_i32(struct writer *w, const struct insn *i, const struct rule *rule)
{
    native_load_x(w, i);
    native_with_y(w, i, rule, (uint64_t)i->k);
    native_trouble_if(w, CC_O);
    extend32(w);
    native_result(w, i, INT32_MIN, INT32_MAX);
}

void rule_plain(struct writer *w, const struct insn *i, const struct rule *rule)
{
    native_load_x(w, i);
    native_with_y(w, i, rule, (uint64_t)i->k);
    native_any_result(w, i);
}

void rule_i64(struct writer *w, const struct insn *i, const struct rule *rule)
{
    native_load_x(w, i);
    native_with_y(w, i, rule, (uint64_t)i->k);
    native_trouble_if(w, CC_O);
    native_any_result(w, i);
}

void rule_multiply(struct writer *w, const struct insn *i, const struct rule *rule)
{
    native_load_y(w, i, rule);
    native_load_x(w, i);
    x86_registers(w->x, (rule->op & WIDE) | MULTIPLY, RAX, RCX);
    if (rule->op & SIGNED)
        native_trouble_if(w, CC_O);
    if (rule->op == SIGNED)
        extend32(w);
    native_any_result(w, i);
}

/* Divisors 0 and -1 are left to the interpreter.  REST: the remainder. */
void rule_divide(struct writer *w, const struct insn *i, const struct rule *rule)
{
    native_load_y(w, i, rule);
    native_load_x(w, i);
    x86_registers(w->x, WIDE | TEST, RCX, RCX);
    native_trouble_if(w, CC_E);
    if (rule->op & SIGNED) {
        x86_constant(w->x, WIDE | CMP, RCX, -1);
        native_trouble_if(w, CC_E);
        x86_opcode(w->x, (rule->op & WIDE) | CDQ, 0, 0, 0);
    } else {
        x86_set(w->x, RDX, 0);
    }
    x86_registers(w->x, (rule->op & WIDE) | GROUP3, rule->op & SIGNED ? IDIV : DIV, RCX);
    if (rule->op & REST)
        x86_registers(w->x, WIDE | MOVE, RAX, RDX);
    if (!(rule->op & WIDE))
        extend32(w);
    native_any_result(w, i);
}

/* The count into cl; rule->op has the width in its low byte. */
static bool shift_count(struct writer *w, const struct insn *i, const struct rule *rule)
{
    unsigned width = rule->op & 0xff;
    if (rule->constant && (uint64_t)i->k >= width)
        return false;
    native_load_y(w, i, rule);
    if (!rule->constant) {
        x86_constant(w->x, WIDE | CMP, RCX, (int32_t)width);
        native_trouble_if(w, CC_AE);
    }
    return true;
}

void rule_shift(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (!shift_count(w, i, rule)) {
        native_step(w);
        return;
    }
    native_load_x(w, i);
    x86_registers(w->x, (rule->op & WIDE) | SHIFT_CL, rule->op >> WHICH, RAX);
    if (rule->op & CHECKED) { /* of a negative value high bits are set, and stay so */
        x86_registers(w->x, WIDE | MOVE, RDX, RAX);
        x86_shift(w->x, SHR, RDX, 31);
        native_trouble_if(w, CC_NE);
    }
    native_any_result(w, i);
}

/* SIGNED: the edge is left to the interpreter. */
void rule_unary(struct writer *w, const struct insn *i, const struct rule *rule)
{
    native_load_x(w, i);
    x86_registers(w->x, (rule->op & WIDE) | GROUP3, rule->op >> WHICH, RAX);
    if (rule->op & SIGNED)
        native_trouble_if(w, CC_O);
    if ((rule->op & (SIGNED | WIDE)) == SIGNED)
        extend32(w);
    native_any_result(w, i);
}

/* rule->op: how to load what stands in a slot's low bytes. */
void rule_extend(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (w->cached == i->a)
        x86_registers(w->x, rule->op, RAX, RAX);
    else
        native_slot(w, rule->op, RAX, i->a);
    native_forget(w);
    native_any_result(w, i);
}

/* ---- comparing and jumping -------------------------------------------------------------- */

static void compare(struct writer *w, const struct insn *i, bool constant, uint64_t k)
{
    const struct rule rule = {NULL, WIDE | CMP, constant};
    native_load(w, RAX, i->a);
    native_with_y(w, i, &rule, k);
}

static void truth(struct writer *w, const struct insn *i, enum cc cc)
{
    native_forget(w);
    x86_registers(w->x, SET_IF + cc, 0, RAX);
    x86_registers(w->x, ZEXT8, RAX, RAX);
    native_result(w, i, 0, 1);
}

void rule_compare(struct writer *w, const struct insn *i, const struct rule *rule)
{
    compare(w, i, rule->constant, (uint64_t)i->k);
    truth(w, i, (enum cc)rule->op);
}

void rule_truth(struct writer *w, const struct insn *i, const struct rule *rule)
{
    compare(w, i, true, 0);
    truth(w, i, (enum cc)rule->op);
}

static void go_to(struct writer *w, const struct insn *i)
{
    uint32_t target = (uint32_t)(w->insn + i->k + 1);
    w->aims[w->aim_count++] = (struct aim){x86_jump(w->x), target};
}

static void branch(struct writer *w, const struct insn *i, enum cc cc)
{
    enum cc away = (enum cc)(i->align ? cc ^ 1u : cc);
    uint8_t *over = x86_hop_if(w->x, away);
    count_up(w, i->dst + i->align);
    go_to(w, i);
    x86_hop_end(w->x, over);
    count_up(w, i->dst + !i->align);
}

void rule_branch(struct writer *w, const struct insn *i, const struct rule *rule)
{
    compare(w, i, rule->constant, i->u.wide);
    branch(w, i, (enum cc)rule->op);
}

void rule_branch_if(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    compare(w, i, true, 0);
    branch(w, i, CC_NE);
}

void rule_jump(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    go_to(w, i);
}

void rule_back(struct writer *w, const struct insn *i, const struct rule *rule)
{
    x86_memory_constant(w->x, WIDE | SUB, R12, offsetof(struct machine, fuel), 1);
    struct trouble *t = native_trouble(w, TROUBLE_FUEL);
    t->from[t->count++] = x86_jump_if(w->x, CC_B);
    rule_jump(w, i, rule);
}
