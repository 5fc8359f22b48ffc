/* Hot code as instructions of the host: x86-64 only, everything else stays interpreted.
 *
 * Takes a function's struct insn, yields bytes that do exactly the same to the same slots, objects,
 * counters and facts.  Only what is frequent and simple is written out, and of that only the way
 * without trouble.  Whatever else there is (a check that fails, an object that was not met before,
 * an instruction without a rule) is left to exec_step: it does the whole instruction, tells what is
 * undefined, and native code goes on behind it.  So no check is made here that is not made there,
 * and nothing is ever told from here.
 *
 * Registers: rbx slots, r12 machine, r13 facts, r14 counts, r15 the code's first instruction.
 * Results go to their slots at once; rax may be known to hold a slot's value until control can
 * arrive from elsewhere. */
#include "machine/private.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __x86_64__

/* ---- bytes ------------------------------------------------------------------------------ */

enum reg { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R12 = 12, R13, R14, R15 };

enum cc { CC_O, CC_B = 2, CC_AE, CC_E, CC_NE, CC_BE, CC_A, CC_L = 12, CC_GE, CC_LE, CC_G };

/* A jump to be aimed when its target is written. */
struct aim {
    uint8_t *at;     /* its 4 bytes */
    uint32_t target; /* an instruction */
};

/* The ways of one instruction that do not go well. */
struct trouble {
    uint32_t insn;
    uint8_t *from[12], *back;
    uint8_t count;
    uint8_t kind;  /* enum trouble_kind */
    uint32_t slot; /* rax shall hold it again; NO_SLOT: nothing */
};
enum trouble_kind { TROUBLE_STEP, TROUBLE_LOW, TROUBLE_HIGH, TROUBLE_FUEL };

struct native {
    struct native *older;
    uint8_t *map;
    size_t size;
    uint32_t *entry; /* by instruction: offset in map, 0: none */
    uint32_t count;
    uint8_t *start, *leave, *leave_next;
    const uint8_t *enter; /* where a call begins */
};

struct writer {
    struct machine *m;
    const struct code *code;
    struct native *native;
    uint8_t *at, *end;
    uint32_t insn;   /* that is being written */
    uint32_t cached; /* rax holds this slot; NO_SLOT: nothing */
    bool *leader;    /* by instruction: control may come from elsewhere */
    struct aim *aims;
    size_t aim_count;
    struct trouble *troubles;
    size_t trouble_count;
    struct trouble *now; /* of this instruction; NULL: none yet */
    uint8_t *step, *flow, *quit, *call, *leave, *leave_void;
    bool full;
};

struct rule;
typedef void rule_fn(struct writer *w, const struct insn *i, const struct rule *rule);
struct rule {
    rule_fn *write;
    uint32_t op;   /* as the function wants it */
    bool constant; /* the second operand is in k */
};

static void byte(struct writer *w, unsigned b)
{
    if (w->at < w->end)
        *w->at++ = (uint8_t)b;
    else
        w->full = true;
}

static void bytes4(struct writer *w, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++)
        byte(w, v >> (8 * i) & 0xff);
}

static void bytes8(struct writer *w, uint64_t v)
{
    bytes4(w, (uint32_t)v);
    bytes4(w, (uint32_t)(v >> 32));
}

static bool fits8(int64_t v)
{
    return v == (int8_t)v;
}

static bool fits32(int64_t v)
{
    return v == (int32_t)v;
}

/* Opcodes above 0xff stand behind 0x0f; WIDE is REX.W, HALF the prefix for 16 bits. */
enum { WIDE = 1 << 16, HALF = 1 << 17 };

static void opcode(struct writer *w, uint32_t op, unsigned reg, unsigned base, unsigned index)
{
    if (op & HALF)
        byte(w, 0x66);
    byte(w, 0x40 | (op & WIDE ? 8u : 0) | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3);
    if (op & 0xff00)
        byte(w, 0x0f);
    byte(w, op & 0xff);
}

/* op reg, [base + disp] */
static void memory(struct writer *w, uint32_t op, unsigned reg, unsigned base, int64_t disp)
{
    if (!fits32(disp))
        w->full = true;
    opcode(w, op, reg, base, 0);
    byte(w, (fits8(disp) ? 0x40u : 0x80u) | (reg & 7) << 3 | (base & 7));
    if ((base & 7) == RSP)
        byte(w, 0x24);
    if (fits8(disp))
        byte(w, (uint8_t)disp);
    else
        bytes4(w, (uint32_t)disp);
}

/* op reg, [rcx + rdx] */
static void indexed(struct writer *w, uint32_t op, unsigned reg)
{
    opcode(w, op, reg, RCX, RDX);
    byte(w, (reg & 7) << 3 | 4);
    byte(w, RDX << 3 | RCX);
}

/* op reg, [rsi + rdx] */
static void mask_indexed(struct writer *w, uint32_t op, unsigned reg)
{
    opcode(w, op, reg, RSI, RDX);
    byte(w, (reg & 7) << 3 | 4);
    byte(w, RDX << 3 | RSI);
}

/* [base + index * 8 + disp] */
struct scaled {
    uint8_t base, index;
    int32_t disp;
};

static void scaled(struct writer *w, uint32_t op, unsigned reg, struct scaled at)
{
    opcode(w, op, reg, at.base, at.index);
    byte(w, 0x80 | (reg & 7) << 3 | 4);
    byte(w, 0xc0u | (at.index & 7u) << 3 | (at.base & 7u));
    bytes4(w, (uint32_t)at.disp);
}

static void registers(struct writer *w, uint32_t op, unsigned reg, unsigned rm)
{
    opcode(w, op, reg, rm, 0);
    byte(w, 0xc0u | (reg & 7) << 3 | (rm & 7));
}

static void set_register(struct writer *w, unsigned reg, uint64_t v)
{
    if (v <= UINT32_MAX) {
        opcode(w, 0xb8 + (reg & 7), 0, reg, 0);
        bytes4(w, (uint32_t)v);
    } else if (fits32((int64_t)v)) {
        registers(w, WIDE | 0xc7, 0, reg);
        bytes4(w, (uint32_t)v);
    } else {
        opcode(w, WIDE | (0xb8 + (reg & 7)), 0, reg, 0);
        bytes8(w, v);
    }
}

/* The 4 bytes of a jump, or of a conditional one. */
static uint8_t *jump(struct writer *w)
{
    byte(w, 0xe9);
    bytes4(w, 0);
    return w->at - 4;
}

static uint8_t *jump_if(struct writer *w, enum cc cc)
{
    byte(w, 0x0f);
    byte(w, 0x80u + cc);
    bytes4(w, 0);
    return w->at - 4;
}

static void land(struct writer *w, uint8_t *from, const uint8_t *to)
{
    int32_t by = (int32_t)(to - (from + 4));
    if (!w->full)
        memcpy(from, &by, sizeof by);
}

/* A jump over a few bytes. */
static uint8_t *hop_if(struct writer *w, enum cc cc)
{
    byte(w, 0x70u + cc);
    byte(w, 0);
    return w->at;
}

static void hop_end(struct writer *w, uint8_t *from)
{
    if (!w->full)
        from[-1] = (uint8_t)(w->at - from);
}

/* ---- slots ------------------------------------------------------------------------------ */

static int64_t slot_at(uint32_t slot)
{
    return (int64_t)slot * 8;
}

static void load(struct writer *w, unsigned reg, uint32_t slot)
{
    if (w->cached == slot && reg == RAX)
        return;
    if (w->cached == slot)
        registers(w, WIDE | 0x8b, reg, RAX);
    else
        memory(w, WIDE | 0x8b, reg, RBX, slot_at(slot));
    if (reg == RAX)
        w->cached = slot;
}

/* rax is about to become something else. */
static void clobber(struct writer *w)
{
    w->cached = NO_SLOT;
}

static void load_x(struct writer *w, const struct insn *i)
{
    load(w, RAX, i->a);
    clobber(w);
}

/* rax op= the second operand; op is the form "reg, r/m", its immediate form has the same bits. */
static void with_y(struct writer *w, const struct insn *i, const struct rule *rule, uint64_t k)
{
    if (!rule->constant)
        memory(w, rule->op, RAX, RBX, slot_at(i->b));
    else if (rule->op & WIDE ? fits32((int64_t)k) : true) {
        registers(w, (rule->op & WIDE) | 0x81, (rule->op & 0xff) >> 3, RAX);
        bytes4(w, (uint32_t)k);
    } else {
        set_register(w, RCX, k);
        registers(w, rule->op, RAX, RCX);
    }
}

/* The second operand into rcx. */
static void load_y(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (rule->constant)
        set_register(w, RCX, (uint64_t)i->k);
    else
        load(w, RCX, i->b);
}

/* ---- trouble ---------------------------------------------------------------------------- */

static struct trouble *trouble_new(struct writer *w, enum trouble_kind kind)
{
    struct trouble *t = &w->troubles[w->trouble_count++];
    *t = (struct trouble){.insn = w->insn, .kind = (uint8_t)kind, .slot = NO_SLOT};
    return t;
}

static void trouble_if(struct writer *w, enum cc cc)
{
    if (!w->now)
        w->now = trouble_new(w, TROUBLE_STEP);
    w->now->from[w->now->count++] = jump_if(w, cc);
}

/* Facts only ever grow, so what is within today's need not be looked at any more. */
static bool is_known(const struct writer *w, const struct insn *i, int64_t low, int64_t high)
{
    const struct fact *f = &w->m->facts[i->fact];
    return i->fact == 0 || (f->low <= low && high <= f->high);
}

static void fact_edge(struct writer *w, const struct insn *i, unsigned offset, enum cc cc)
{
    memory(w, WIDE | 0x3b, RAX, R13, (int64_t)i->fact * (int64_t)sizeof(struct fact) + offset);
    struct trouble *t = trouble_new(w, offset ? TROUBLE_HIGH : TROUBLE_LOW);
    t->from[t->count++] = jump_if(w, cc);
    t->back = w->at;
}

static void store_result(struct writer *w, const struct insn *i)
{
    memory(w, WIDE | 0x89, RAX, RBX, slot_at(i->dst));
    w->cached = i->dst;
}

/* The result, which lies in rax and is within low and high for certain. */
static void result(struct writer *w, const struct insn *i, int64_t low, int64_t high)
{
    store_result(w, i);
    if (is_known(w, i, low, high))
        return;
    fact_edge(w, i, offsetof(struct fact, low), CC_L);
    fact_edge(w, i, offsetof(struct fact, high), CC_G);
}

static void any_result(struct writer *w, const struct insn *i)
{
    result(w, i, INT64_MIN, INT64_MAX);
}

/* ---- moving ----------------------------------------------------------------------------- */

static void write_nothing(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)w, (void)i, (void)rule;
}

static void write_move(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    load(w, RAX, i->a);
    any_result(w, i);
}

static void write_constant(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    set_register(w, RAX, (uint64_t)i->k);
    if (i->op == I_FLAG)
        store_result(w, i);
    else
        result(w, i, i->k, i->k);
}

static void write_check(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    memory(w, WIDE | 0x83, 7, RBX, slot_at(i->a)); /* cmp qword, 0 */
    byte(w, 0);
    trouble_if(w, CC_E);
}

static void count_up(struct writer *w, uint64_t counter)
{
    memory(w, WIDE | 0xff, 0, R14, (int64_t)counter * 8);
}

static void write_count(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    count_up(w, (uint64_t)i->k);
}

/* ---- arithmetic ------------------------------------------------------------------------- */

enum { ADD = 0x03, OR = 0x0b, AND = 0x23, SUB = 0x2b, XOR = 0x33, CMP = 0x3b };

static void extend32(struct writer *w)
{
    registers(w, WIDE | 0x63, RAX, RAX);
}

static void write_i32(struct writer *w, const struct insn *i, const struct rule *rule)
{
    load_x(w, i);
    with_y(w, i, rule, (uint64_t)i->k);
    trouble_if(w, CC_O);
    extend32(w);
    result(w, i, INT32_MIN, INT32_MAX);
}

static void write_plain(struct writer *w, const struct insn *i, const struct rule *rule)
{
    load_x(w, i);
    with_y(w, i, rule, (uint64_t)i->k);
    any_result(w, i);
}

static void write_i64(struct writer *w, const struct insn *i, const struct rule *rule)
{
    load_x(w, i);
    with_y(w, i, rule, (uint64_t)i->k);
    trouble_if(w, CC_O);
    any_result(w, i);
}

/* rule->op: as the sum of SIGNED and WIDE. */
enum { SIGNED = 1 };

static void write_multiply(struct writer *w, const struct insn *i, const struct rule *rule)
{
    load_y(w, i, rule);
    load_x(w, i);
    registers(w, (rule->op & WIDE) | 0x1af, RAX, RCX);
    if (rule->op & SIGNED)
        trouble_if(w, CC_O);
    if (rule->op == SIGNED)
        extend32(w);
    any_result(w, i);
}

/* Divisors 0 and -1 are left to the interpreter.  REST: the remainder. */
enum { REST = 2 };

static void write_divide(struct writer *w, const struct insn *i, const struct rule *rule)
{
    load_y(w, i, rule);
    load_x(w, i);
    registers(w, WIDE | 0x85, RCX, RCX);
    trouble_if(w, CC_E);
    if (rule->op & SIGNED) {
        registers(w, WIDE | 0x83, 7, RCX);
        byte(w, 0xff);
        trouble_if(w, CC_E);
        opcode(w, (rule->op & WIDE) | 0x99, 0, 0, 0);
    } else {
        registers(w, 0x31, RDX, RDX);
    }
    registers(w, (rule->op & WIDE) | 0xf7, rule->op & SIGNED ? 7 : 6, RCX);
    if (rule->op & REST)
        registers(w, WIDE | 0x8b, RAX, RDX);
    if (!(rule->op & WIDE))
        extend32(w);
    any_result(w, i);
}

/* The count into cl; rule->op has the width in its low byte. */
static bool shift_count(struct writer *w, const struct insn *i, const struct rule *rule)
{
    unsigned width = rule->op & 0xff;
    if (rule->constant && (uint64_t)i->k >= width)
        return false;
    load_y(w, i, rule);
    if (!rule->constant) {
        registers(w, WIDE | 0x83, 7, RCX);
        byte(w, width);
        trouble_if(w, CC_AE);
    }
    return true;
}

static void step(struct writer *w);

enum { SHL = 4 << 24, SHR = 5 << 24, SAR = 7 << 24, CHECKED = 1 << 20 };

static void write_shift(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (!shift_count(w, i, rule)) {
        step(w);
        return;
    }
    load_x(w, i);
    registers(w, (rule->op & WIDE) | 0xd3, rule->op >> 24, RAX);
    if (rule->op & CHECKED) { /* of a negative value high bits are set, and stay so */
        registers(w, WIDE | 0x8b, RDX, RAX);
        registers(w, WIDE | 0xc1, 5, RDX);
        byte(w, 31);
        trouble_if(w, CC_NE);
    }
    any_result(w, i);
}

/* rule->op: the digit of opcode f7 and the width; SIGNED: the edge is left to the interpreter. */
enum { NOT = 2 << 24, NEG = 3 << 24 };

static void write_unary(struct writer *w, const struct insn *i, const struct rule *rule)
{
    load_x(w, i);
    registers(w, (rule->op & WIDE) | 0xf7, rule->op >> 24, RAX);
    if (rule->op & SIGNED)
        trouble_if(w, CC_O);
    if ((rule->op & (SIGNED | WIDE)) == SIGNED)
        extend32(w);
    any_result(w, i);
}

/* rule->op: how to load what stands in a slot's low bytes. */
static void write_extend(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (w->cached == i->a)
        registers(w, rule->op, RAX, RAX);
    else
        memory(w, rule->op, RAX, RBX, slot_at(i->a));
    clobber(w);
    any_result(w, i);
}

/* ---- comparing and jumping -------------------------------------------------------------- */

static void compare(struct writer *w, const struct insn *i, bool constant, uint64_t k)
{
    const struct rule rule = {NULL, WIDE | CMP, constant};
    load(w, RAX, i->a);
    with_y(w, i, &rule, k);
}

static void truth(struct writer *w, const struct insn *i, enum cc cc)
{
    clobber(w);
    registers(w, 0x190 + cc, 0, RAX);
    registers(w, 0x1b6, RAX, RAX);
    result(w, i, 0, 1);
}

static void write_compare(struct writer *w, const struct insn *i, const struct rule *rule)
{
    compare(w, i, rule->constant, (uint64_t)i->k);
    truth(w, i, (enum cc)rule->op);
}

static void write_truth(struct writer *w, const struct insn *i, const struct rule *rule)
{
    compare(w, i, true, 0);
    truth(w, i, (enum cc)rule->op);
}

static void go_to(struct writer *w, const struct insn *i)
{
    uint32_t target = (uint32_t)(w->insn + i->k + 1);
    w->aims[w->aim_count++] = (struct aim){jump(w), target};
}

static void branch(struct writer *w, const struct insn *i, enum cc cc)
{
    enum cc away = (enum cc)(i->align ? cc ^ 1u : cc);
    uint8_t *over = hop_if(w, away);
    count_up(w, i->dst + i->align);
    go_to(w, i);
    hop_end(w, over);
    count_up(w, i->dst + !i->align);
}

static void write_branch(struct writer *w, const struct insn *i, const struct rule *rule)
{
    compare(w, i, rule->constant, i->u.wide);
    branch(w, i, (enum cc)rule->op);
}

static void write_branch_if(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    compare(w, i, true, 0);
    branch(w, i, CC_NE);
}

static void write_jump(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    go_to(w, i);
}

static void write_back(struct writer *w, const struct insn *i, const struct rule *rule)
{
    memory(w, WIDE | 0x83, 5, R12, offsetof(struct machine, fuel)); /* sub qword, 1 */
    byte(w, 1);
    struct trouble *t = trouble_new(w, TROUBLE_FUEL);
    t->from[t->count++] = jump_if(w, CC_B);
    write_jump(w, i, rule);
}

/* ---- pointers --------------------------------------------------------------------------- */

static void write_index(struct writer *w, const struct insn *i, const struct rule *rule)
{
    const struct rule bound = {NULL, WIDE | CMP, true};
    load_x(w, i);
    with_y(w, i, &bound, (uint64_t)i->k);
    trouble_if(w, CC_AE);
    if (fits32((int64_t)i->u.wide)) {
        registers(w, WIDE | 0x69, RAX, RAX);
        bytes4(w, (uint32_t)i->u.wide);
    } else {
        set_register(w, RCX, i->u.wide);
        registers(w, WIDE | 0x1af, RAX, RCX);
    }
    if (rule->op)
        memory(w, rule->op, RAX, RBX, slot_at(i->b));
    store_result(w, i);
}

static void add_constant(struct writer *w, uint64_t k)
{
    const struct rule add = {NULL, WIDE | ADD, true};
    if (k)
        with_y(w, NULL, &add, k);
}

static void write_plus(struct writer *w, const struct insn *i, const struct rule *rule)
{
    load_x(w, i);
    memory(w, rule->op, RAX, RBX, slot_at(i->b));
    add_constant(w, (uint64_t)i->k);
    store_result(w, i);
}

/* Static objects stay where they are. */
static void write_address(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    uint64_t address = i->u.object->base + (uint64_t)i->k;
    set_register(w, RAX, address);
    result(w, i, (int64_t)address, (int64_t)address);
}

static void write_address_local(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    load_x(w, i);
    memory(w, WIDE | 0x8b, RAX, RAX, offsetof(struct object, base));
    add_constant(w, (uint64_t)i->k);
    any_result(w, i);
}

/* rdx: where rax lies in the object rcx; the flags: below or equal when it does. */
static void try_object(struct writer *w)
{
    registers(w, WIDE | 0x8b, RDX, RAX);
    memory(w, WIDE | 0x2b, RDX, RCX, offsetof(struct object, base));
    memory(w, WIDE | 0x3b, RDX, RCX, offsetof(struct object, size));
}

/* rcx: the object that rax points into: the one that the instruction met last, or the one that
 * was found for such an address last; rdx: where. */
static void find_object(struct writer *w)
{
    const int64_t last = (int64_t)w->insn * (int64_t)sizeof(struct insn) +
                         (int64_t)offsetof(struct insn, u);
    memory(w, WIDE | 0x8b, RCX, R15, last);
    registers(w, WIDE | 0x85, RCX, RCX);
    uint8_t *none = hop_if(w, CC_E);
    try_object(w);
    uint8_t *found = hop_if(w, CC_BE);
    hop_end(w, none);
    registers(w, WIDE | 0x8b, RCX, RAX);
    registers(w, WIDE | 0xc1, 5, RCX); /* address / 32 */
    byte(w, 5);
    registers(w, 0x81, 4, RCX);
    bytes4(w, QUICK - 1);
    scaled(w, WIDE | 0x8b, RCX, (struct scaled){R12, RCX, offsetof(struct machine, memory.quick)});
    registers(w, WIDE | 0x85, RCX, RCX);
    trouble_if(w, CC_E);
    try_object(w);
    trouble_if(w, CC_A);
    memory(w, WIDE | 0x89, RCX, R15, last);
    hop_end(w, found);
}

static void within_object(struct writer *w)
{
    memory(w, WIDE | 0x3b, RDX, RCX, offsetof(struct object, size));
    trouble_if(w, CC_A);
}

static void write_offset(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)rule;
    if (!fits32(i->k)) {
        step(w);
        return;
    }
    load_x(w, i);
    find_object(w);
    if (i->k) {
        registers(w, WIDE | 0x81, 0, RDX);
        bytes4(w, (uint32_t)i->k);
        within_object(w);
        add_constant(w, (uint64_t)i->k);
    }
    store_result(w, i);
}

/* rule->op: NEG to go backwards. */
static void write_step(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (!fits32(i->k)) {
        step(w);
        return;
    }
    load_x(w, i);
    find_object(w);
    memory(w, WIDE | 0x8b, RSI, RBX, slot_at(i->b));
    if (rule->op)
        registers(w, WIDE | 0xf7, 3, RSI);
    registers(w, WIDE | 0x69, RSI, RSI);
    bytes4(w, (uint32_t)i->k);
    trouble_if(w, CC_O);
    registers(w, WIDE | ADD, RDX, RSI);
    within_object(w);
    registers(w, WIDE | ADD, RAX, RSI);
    any_result(w, i);
}

/* ---- memory ----------------------------------------------------------------------------- */

/* How an access looks: rule->op is the opcode that moves; the rest depends on the size. */
static unsigned size_of_access(uint32_t op)
{
    switch (op) {
    case WIDE | 0x1be: /* movsx 8 */
    case 0x1b6:        /* movzx 8 */
    case 0x88:
        return 1;
    case WIDE | 0x1bf:
    case 0x1b7:
    case HALF | 0x89:
        return 2;
    case WIDE | 0x8b:
    case WIDE | 0x89:
        return 8;
    default:
        return 4;
    }
}

/* Compares, or fills, size bytes at [rsi + rdx] with one byte's value. */
static void mask(struct writer *w, bool compares, unsigned size, uint8_t value)
{
    uint32_t prefix = size == 8 ? WIDE : size == 2 ? HALF : 0;
    uint64_t all = value * (uint64_t)0x0101010101010101u;
    if (size == 8 && value != 0xff) {
        set_register(w, RDI, all);
        mask_indexed(w, WIDE | (compares ? 0x39u : 0x89u), RDI);
        return;
    }
    uint32_t op = compares ? (size == 1 ? 0x80u : 0x81u) : (size == 1 ? 0xc6u : 0xc7u);
    mask_indexed(w, prefix | op, compares ? 7 : 0);
    for (unsigned i = 0; i < size && i < 4; i++)
        byte(w, value);
}

/* rsi: one of the object's masks, if it has it; else jumps. */
static uint8_t *with_mask(struct writer *w, size_t member)
{
    memory(w, WIDE | 0x8b, RSI, RCX, (int64_t)member);
    registers(w, WIDE | 0x85, RSI, RSI);
    return hop_if(w, CC_E);
}

static void check_init(struct writer *w, unsigned size)
{
    uint8_t *none = with_mask(w, offsetof(struct object, init));
    mask(w, true, size, 0xff);
    trouble_if(w, CC_NE);
    hop_end(w, none);
}

static void set_init(struct writer *w, unsigned size)
{
    uint8_t *none = with_mask(w, offsetof(struct object, init));
    mask(w, false, size, 0xff);
    hop_end(w, none);
}

static void move_bytes(struct writer *w, uint32_t op)
{
    memory(w, WIDE | 0x8b, RCX, RCX, offsetof(struct object, bytes));
    indexed(w, op, RAX);
}

/* rcx: the object, rdx: the offset, of an access to a known object. */
enum spot_kind { PLACE_G, PLACE_GX, PLACE_L, PLACE_LX, PLACE_P };

static void known_place(struct writer *w, const struct insn *i, enum spot_kind place)
{
    if (place == PLACE_L || place == PLACE_LX)
        load(w, RCX, i->a);
    else
        set_register(w, RCX, (uint64_t)(uintptr_t)i->u.object);
    if (place == PLACE_G || place == PLACE_L) {
        set_register(w, RDX, (uint64_t)i->k);
        return;
    }
    load(w, RDX, i->b);
    if (i->k && fits32(i->k)) {
        registers(w, WIDE | 0x81, 0, RDX);
        bytes4(w, (uint32_t)i->k);
    } else if (i->k) {
        set_register(w, RSI, (uint64_t)i->k);
        registers(w, WIDE | ADD, RDX, RSI);
    }
}

/* The effective type: of all the object, of what was stored, or of one declared structure. */
static void check_tag(struct writer *w, const struct insn *i, unsigned size)
{
    if (i->tag <= TAG_CHAR)
        return;
    memory(w, 0x80, 7, RCX, offsetof(struct object, tag));
    byte(w, i->tag);
    uint8_t *same = hop_if(w, CC_E);
    memory(w, WIDE | 0x8b, RSI, RCX, offsetof(struct object, tags));
    registers(w, WIDE | 0x85, RSI, RSI);
    uint8_t *has = hop_if(w, CC_NE);
    memory(w, WIDE | 0x8b, RSI, RCX, offsetof(struct object, map));
    registers(w, WIDE | 0x85, RSI, RSI);
    trouble_if(w, CC_E);
    memory(w, WIDE | 0x3b, RDX, RCX, offsetof(struct object, period));
    trouble_if(w, CC_AE);
    hop_end(w, has);
    mask(w, true, size, i->tag);
    trouble_if(w, CC_NE);
    hop_end(w, same);
}

/* The same for one that rax points to. */
static void reach_place(struct writer *w, const struct insn *i, unsigned size)
{
    if (i->align) {
        registers(w, WIDE | 0x8b, RSI, RAX);
        if (i->k) {
            registers(w, WIDE | 0x81, 0, RSI);
            bytes4(w, (uint32_t)i->k);
        }
        registers(w, 0xf6, 0, RSI);
        byte(w, i->align);
        trouble_if(w, CC_NE);
    }
    find_object(w);
    if (i->k) {
        registers(w, WIDE | 0x81, 0, RDX);
        bytes4(w, (uint32_t)i->k);
    }
    memory(w, WIDE | 0x8b, RSI, RCX, offsetof(struct object, size));
    registers(w, WIDE | 0x2b, RSI, RDX);
    trouble_if(w, CC_B);
    registers(w, WIDE | 0x83, 7, RSI);
    byte(w, size);
    trouble_if(w, CC_B);
    check_tag(w, i, size);
}

static void load_place(struct writer *w, const struct insn *i, uint32_t op)
{
    check_init(w, size_of_access(op));
    move_bytes(w, op);
    clobber(w);
    any_result(w, i);
}

/* rule->op: the opcode, and the place in the high byte. */
static void write_load(struct writer *w, const struct insn *i, const struct rule *rule)
{
    known_place(w, i, (enum spot_kind)(rule->op >> 24));
    load_place(w, i, rule->op & 0xffffff);
}

static void write_load_pointer(struct writer *w, const struct insn *i, const struct rule *rule)
{
    uint32_t op = rule->op & 0xffffff;
    if (!fits32(i->k)) {
        step(w);
        return;
    }
    load_x(w, i);
    reach_place(w, i, size_of_access(op));
    load_place(w, i, op);
}

static void write_store(struct writer *w, const struct insn *i, const struct rule *rule)
{
    uint32_t op = rule->op & 0xffffff;
    unsigned size = size_of_access(op);
    known_place(w, i, (enum spot_kind)(rule->op >> 24));
    set_init(w, size);
    uint8_t *none = with_mask(w, offsetof(struct object, tags));
    mask(w, false, size, i->tag);
    hop_end(w, none);
    load(w, RAX, i->dst);
    move_bytes(w, op);
}

static void write_store_pointer(struct writer *w, const struct insn *i, const struct rule *rule)
{
    uint32_t op = rule->op & 0xffffff;
    if (!fits32(i->k)) {
        step(w);
        return;
    }
    load(w, RAX, i->a);
    reach_place(w, i, size_of_access(op));
    memory(w, 0x80, 7, RCX, offsetof(struct object, is_const));
    byte(w, 0);
    trouble_if(w, CC_NE);
    set_init(w, size_of_access(op));
    load(w, RAX, i->dst);
    move_bytes(w, op);
}

/* ---- the rest --------------------------------------------------------------------------- */

/* The interpreter does it, and native code goes on behind it. */
static void step(struct writer *w)
{
    set_register(w, RSI, w->insn);
    byte(w, 0xe8);
    bytes4(w, 0);
    land(w, w->at - 4, w->step);
    clobber(w);
}

/* It goes elsewhere: to another function, or wherever the interpreter finds. */
static void write_flow(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)i, (void)rule;
    set_register(w, RSI, w->insn);
    land(w, jump(w), w->flow);
}

/* A call of a function by its name; r9: where to go on behind it. */
static void write_call(struct writer *w, const struct insn *i, const struct rule *rule)
{
    if (w->code->tracked || !i->u.site->callee->body) {
        write_flow(w, i, rule);
        return;
    }
    set_register(w, RSI, w->insn);
    opcode(w, WIDE | 0x8d, R9, 0, 0); /* lea r9, [rip + 5]: behind the jump */
    byte(w, (R9 & 7) << 3 | 5);
    bytes4(w, 5);
    land(w, jump(w), w->call);
}

static void write_return(struct writer *w, const struct insn *i, const struct rule *rule)
{
    bool is_void = i->op == I_RETURN_VOID;
    if (w->code->tracked) {
        write_flow(w, i, rule);
        return;
    }
    if (!is_void)
        load(w, RAX, i->a);
    set_register(w, RSI, w->insn);
    land(w, jump(w), is_void ? w->leave_void : w->leave);
}

static void write_quit(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)i, (void)rule;
    set_register(w, RSI, w->insn);
    land(w, jump(w), w->quit);
}

#define BOTH(name, function, op) \
    [I_##name] = {function, op, false}, [I_##name##_K] = {function, op, true}
#define COMPARES(name, cc)                                                               \
    [I_##name] = {write_compare, cc, false}, [I_##name##_K] = {write_compare, cc, true}, \
    [I_J##name] = {write_branch, cc, false}, [I_J##name##_K] = {write_branch, cc, true}
#define LOADS(suffix, op)                                          \
    [I_LOAD_G_##suffix] = {write_load, (op) | PLACE_G << 24, 0},   \
    [I_LOAD_GX_##suffix] = {write_load, (op) | PLACE_GX << 24, 0}, \
    [I_LOAD_L_##suffix] = {write_load, (op) | PLACE_L << 24, 0},   \
    [I_LOAD_LX_##suffix] = {write_load, (op) | PLACE_LX << 24, 0}, \
    [I_LOAD_P_##suffix] = {write_load_pointer, (op) | PLACE_P << 24, 0}
#define STORES(suffix, op)                                           \
    [I_STORE_G_##suffix] = {write_store, (op) | PLACE_G << 24, 0},   \
    [I_STORE_GX_##suffix] = {write_store, (op) | PLACE_GX << 24, 0}, \
    [I_STORE_L_##suffix] = {write_store, (op) | PLACE_L << 24, 0},   \
    [I_STORE_LX_##suffix] = {write_store, (op) | PLACE_LX << 24, 0}, \
    [I_STORE_P_##suffix] = {write_store_pointer, (op) | PLACE_P << 24, 0}

/* Instructions without a row are left to the interpreter, one at a time. */
static const struct rule rules[OPCODES] = {
    [I_NOP] = {write_nothing, 0, 0},
    [I_MOVE] = {write_move, 0, 0},
    [I_SET_K] = {write_constant, 0, 0},
    [I_FLAG] = {write_constant, 0, 0},
    [I_CHECK] = {write_check, 0, 0},
    [I_COUNT] = {write_count, 0, 0},
    BOTH(ADD_I32, write_i32, ADD),
    BOTH(SUB_I32, write_i32, SUB),
    BOTH(ADD_U32, write_plain, ADD),
    BOTH(SUB_U32, write_plain, SUB),
    BOTH(ADD_I64, write_i64, WIDE | ADD),
    BOTH(SUB_I64, write_i64, WIDE | SUB),
    BOTH(ADD_U64, write_plain, WIDE | ADD),
    BOTH(SUB_U64, write_plain, WIDE | SUB),
    BOTH(AND, write_plain, WIDE | AND),
    BOTH(OR, write_plain, WIDE | OR),
    BOTH(XOR, write_plain, WIDE | XOR),
    BOTH(MUL_I32, write_multiply, SIGNED),
    BOTH(MUL_U32, write_multiply, 0),
    BOTH(MUL_I64, write_multiply, WIDE | SIGNED),
    BOTH(MUL_U64, write_multiply, WIDE),
    BOTH(DIV_I32, write_divide, SIGNED),
    BOTH(REM_I32, write_divide, SIGNED | REST),
    BOTH(DIV_I64, write_divide, WIDE | SIGNED),
    BOTH(REM_I64, write_divide, WIDE | SIGNED | REST),
    BOTH(DIV_U64, write_divide, WIDE),
    BOTH(REM_U64, write_divide, WIDE | REST),
    BOTH(SHL_I32, write_shift, SHL | WIDE | CHECKED | 32),
    BOTH(SHL_U32, write_shift, SHL | 32),
    BOTH(SHL_U64, write_shift, SHL | WIDE | 64),
    BOTH(SHR_I32, write_shift, SAR | WIDE | 32),
    BOTH(SHR_I64, write_shift, SAR | WIDE | 64),
    BOTH(SHR_U32, write_shift, SHR | WIDE | 32),
    BOTH(SHR_U64, write_shift, SHR | WIDE | 64),
    [I_NOT_S] = {write_unary, NOT | WIDE, 0},
    [I_NOT_U32] = {write_unary, NOT, 0},
    [I_NEG_I32] = {write_unary, NEG | SIGNED, 0},
    [I_NEG_I64] = {write_unary, NEG | WIDE | SIGNED, 0},
    [I_NEG_U32] = {write_unary, NEG, 0},
    [I_NEG_U64] = {write_unary, NEG | WIDE, 0},
    COMPARES(LT_S, CC_L),
    COMPARES(LE_S, CC_LE),
    COMPARES(GT_S, CC_G),
    COMPARES(GE_S, CC_GE),
    COMPARES(LT_U, CC_B),
    COMPARES(LE_U, CC_BE),
    COMPARES(GT_U, CC_A),
    COMPARES(GE_U, CC_AE),
    COMPARES(EQ, CC_E),
    COMPARES(NE, CC_NE),
    [I_LNOT] = {write_truth, CC_E, 0},
    [I_BOOL] = {write_truth, CC_NE, 0},
    [I_JUMP] = {write_jump, 0, 0},
    [I_BACK] = {write_back, 0, 0},
    [I_JIF] = {write_branch_if, 0, 0},
    [I_SEXT8] = {write_extend, WIDE | 0x1be, 0},
    [I_SEXT16] = {write_extend, WIDE | 0x1bf, 0},
    [I_SEXT32] = {write_extend, WIDE | 0x63, 0},
    [I_ZEXT8] = {write_extend, 0x1b6, 0},
    [I_ZEXT16] = {write_extend, 0x1b7, 0},
    [I_ZEXT32] = {write_extend, 0x8b, 0},
    [I_ADDRESS_G] = {write_address, 0, 0},
    [I_ADDRESS_L] = {write_address_local, 0, 0},
    [I_OFFSET] = {write_offset, 0, 0},
    [I_STEP] = {write_step, 0, 0},
    [I_STEP_BACK] = {write_step, NEG, 0},
    [I_INDEX] = {write_index, 0, 0},
    [I_INDEX_MORE] = {write_index, WIDE | ADD, 0},
    [I_PLUS] = {write_plus, WIDE | ADD, 0},
    LOADS(I8, WIDE | 0x1be),
    LOADS(U8, 0x1b6),
    LOADS(I16, WIDE | 0x1bf),
    LOADS(U16, 0x1b7),
    LOADS(I32, WIDE | 0x63),
    LOADS(U32, 0x8b),
    LOADS(I64, WIDE | 0x8b),
    STORES(8, 0x88),
    STORES(16, HALF | 0x89),
    STORES(32, 0x89),
    STORES(64, WIDE | 0x89),
    [I_SWITCH] = {write_flow, 0, 0},
    [I_GOTO] = {write_flow, 0, 0},
    [I_CALL] = {write_call, 0, 0},
    [I_CALL_POINTER] = {write_flow, 0, 0},
    [I_RETURN] = {write_return, 0, 0},
    [I_RETURN_PAIR] = {write_flow, 0, 0},
    [I_RETURN_MEMORY] = {write_flow, 0, 0},
    [I_RETURN_NONE] = {write_flow, 0, 0},
    [I_RETURN_VOID] = {write_return, 0, 0},
    [I_END] = {write_quit, 0, 0},
};

/* ---- entering and leaving --------------------------------------------------------------- */

static bool step_over(struct machine *m, const struct insn *pc, uint64_t *r)
{
    return exec_step(m, pc, r) != NULL;
}

/* Where native code goes on after an instruction that may have changed the frame. */
static const uint8_t *follow(struct machine *m, const struct insn *pc, uint64_t *r)
{
    const struct native *here = m->frames[m->depth].code->native;
    const struct insn *next = exec_step(m, pc, r);
    m->native.next = next;
    if (!next)
        return here->leave_next;
    const struct frame *f = &m->frames[m->depth];
    const struct native *n = f->code->native;
    uint32_t entry = n && (uint64_t)(next - f->code->insn) < n->count
                         ? n->entry[next - f->code->insn]
                         : 0;
    m->native.r = f->r;
    m->native.first = f->code->insn;
    return entry ? n->map + entry : here->leave_next;
}

static void load_state(struct writer *w)
{
    memory(w, WIDE | 0x8b, R13, R12, offsetof(struct machine, facts));
    memory(w, WIDE | 0x8b, R14, R12, offsetof(struct machine, counts));
}

static void load_frame(struct writer *w)
{
    memory(w, WIDE | 0x8b, RBX, R12, offsetof(struct machine, native.r));
    memory(w, WIDE | 0x8b, R15, R12, offsetof(struct machine, native.first));
    load_state(w);
}

static const uint8_t saved[] = {RBX, R12, R13, R14, R15};

static void push_or_pop(struct writer *w, unsigned op, unsigned reg)
{
    opcode(w, op + (reg & 7), 0, reg, 0);
}

/* rsi: the number of an instruction becomes its address; the other arguments. */
static void arguments(struct writer *w)
{
    registers(w, WIDE | 0x69, RSI, RSI);
    bytes4(w, sizeof(struct insn));
    registers(w, WIDE | ADD, RSI, R15);
    registers(w, WIDE | 0x8b, RDI, R12);
    registers(w, WIDE | 0x8b, RDX, RBX);
}

static void call(struct writer *w, uint64_t function)
{
    set_register(w, RAX, function);
    registers(w, 0xff, 2, RAX);
}

static void move_stack(struct writer *w, int by)
{
    registers(w, WIDE | 0x83, 0, RSP);
    byte(w, (uint8_t)by);
}

/* Jumps to flow when the flags say so. */
static void flow_if(struct writer *w, enum cc cc)
{
    land(w, jump_if(w, cc), w->flow);
}

static void test(struct writer *w, unsigned reg)
{
    registers(w, WIDE | 0x85, reg, reg);
}

/* cmp [base + disp], 0 */
static void test_memory(struct writer *w, unsigned base, size_t disp, uint32_t wide)
{
    memory(w, wide | 0x83, 7, base, (int64_t)disp);
    byte(w, 0);
}

#define FRAME(member)   offsetof(struct frame, member)
#define MACHINE(member) offsetof(struct machine, member)

/* rdi: the frame with that number. */
static void frame_address(struct writer *w)
{
    registers(w, WIDE | 0x69, RDI, RDI);
    bytes4(w, sizeof(struct frame));
    memory(w, WIDE | ADD, RDI, R12, MACHINE(frames));
}

/* Has the callee, rcx, native code (rax), room for its slots and for a frame (rdi)?  rdx: the
 * site; r8: its slots. */
static void check_call(struct writer *w)
{
    memory(w, WIDE | 0x8b, RCX, RDX, offsetof(struct call_site, callee));
    memory(w, WIDE | 0x3b, RCX, RDX, offsetof(struct call_site, checked));
    flow_if(w, CC_NE);
    test_memory(w, R12, MACHINE(seq.mark_count), WIDE);
    flow_if(w, CC_NE);
    memory(w, WIDE | 0x8b, RCX, RCX, offsetof(struct func, code));
    test(w, RCX);
    flow_if(w, CC_E);
    memory(w, WIDE | 0x8b, RAX, RCX, offsetof(struct code, native));
    test(w, RAX);
    flow_if(w, CC_E);
    memory(w, 0x8b, R8, RDX, offsetof(struct call_site, base));
    scaled(w, WIDE | 0x8d, R8, (struct scaled){RBX, R8, 0});
    memory(w, 0x8b, RDI, RCX, offsetof(struct code, slots));
    scaled(w, WIDE | 0x8d, RDI, (struct scaled){R8, RDI, 64});
    memory(w, WIDE | 0x3b, RDI, R12, MACHINE(stack_end));
    flow_if(w, CC_A);
    memory(w, 0x8b, RDI, R12, MACHINE(depth));
    registers(w, 0x83, 0, RDI);
    byte(w, 2);
    memory(w, 0x3b, RDI, R12, MACHINE(options.depth));
    flow_if(w, CC_A);
    memory(w, 0x3b, RDI, R12, MACHINE(frame_room));
    flow_if(w, CC_A);
    test_memory(w, R12, MACHINE(fuel), WIDE);
    flow_if(w, CC_E);
}

/* Its slots for objects are zero at first. */
static void clear_objects(struct writer *w)
{
    memory(w, 0x8b, RSI, RCX, offsetof(struct code, objects_first));
    scaled(w, WIDE | 0x8d, RSI, (struct scaled){R8, RSI, -8});
    memory(w, 0x8b, RCX, RCX, offsetof(struct code, objects_count));
    uint8_t *again = w->at;
    registers(w, 0x85, RCX, RCX);
    uint8_t *done = hop_if(w, CC_E);
    scaled(w, WIDE | 0xc7, 0, (struct scaled){RSI, RCX, 0});
    bytes4(w, 0);
    registers(w, 0xff, 1, RCX);
    land(w, jump(w), again);
    hop_end(w, done);
}

/* As call_enter does it.  rsi: the number of the call. */
static void write_call_thunk(struct writer *w)
{
    w->call = w->at;
    registers(w, WIDE | 0x69, RDX, RSI);
    bytes4(w, sizeof(struct insn));
    registers(w, WIDE | ADD, RDX, R15);
    opcode(w, WIDE | 0x89, RDX, RSP, 0); /* mov [rsp - 8], rdx: the call */
    byte(w, 0x44 | RDX << 3);
    byte(w, 0x24);
    byte(w, 0xf8);
    memory(w, WIDE | 0x8b, RDX, RDX, offsetof(struct insn, u));
    check_call(w);
    memory(w, WIDE | 0x83, 5, R12, MACHINE(fuel));
    byte(w, 1);
    registers(w, 0xff, 1, RDI); /* one was for the frame behind it */
    memory(w, 0x89, RDI, R12, MACHINE(depth));
    frame_address(w);
    memory(w, WIDE | 0x89, RCX, RDI, FRAME(code));
    memory(w, WIDE | 0x89, R9, RDI, FRAME(resume));
    memory(w, WIDE | 0x89, R8, RDI, FRAME(r));
    memory(w, WIDE | 0x89, RBX, RDI, FRAME(caller));
    memory(w, WIDE | 0x89, RDX, RDI, FRAME(site));
    memory(w, WIDE | 0x8b, RDX, RSP, -8);
    memory(w, WIDE | 0x89, RDX, RDI, FRAME(back));
    memory(w, 0x8b, RSI, RDX, offsetof(struct insn, b));
    registers(w, 0x31, RDX, RDX);
    memory(w, WIDE | 0x89, RDX, RDI, FRAME(objects));
    memory(w, WIDE | 0x89, RDX, RDI, FRAME(watch));
    memory(w, 0x89, RDX, RDI, FRAME(cursor));
    registers(w, 0x83, 7, RSI); /* NO_SLOT? */
    byte(w, 0xff);
    uint8_t *none = hop_if(w, CC_E);
    scaled(w, WIDE | 0x8b, RDX, (struct scaled){RBX, RSI, 0});
    hop_end(w, none);
    memory(w, WIDE | 0x89, RDX, RDI, FRAME(result));
    memory(w, WIDE | 0x8b, RDX, R12, MACHINE(seq.count));
    memory(w, WIDE | 0x89, RDX, RDI, FRAME(seq));
    memory(w, WIDE | 0x8b, RDX, R12, MACHINE(serial));
    registers(w, WIDE | 0xff, 0, RDX);
    memory(w, WIDE | 0x89, RDX, R12, MACHINE(serial));
    memory(w, WIDE | 0x89, RDX, RDI, FRAME(serial));
    registers(w, WIDE | 0x8b, RBX, R8);
    memory(w, WIDE | 0x8b, R15, RCX, offsetof(struct code, insn));
    clear_objects(w);
    memory(w, 0xff, 4, RAX, offsetof(struct native, enter));
}

/* The value in rax into the call's slot and fact; r8: the call. */
static void hand_over(struct writer *w)
{
    memory(w, 0x8b, RDX, R8, offsetof(struct insn, dst));
    scaled(w, WIDE | 0x89, RAX, (struct scaled){RBX, RDX, 0});
    memory(w, 0x8b, RDX, R8, offsetof(struct insn, fact));
    registers(w, WIDE | 0xc1, 4, RDX); /* 16 bytes each */
    byte(w, 4);
    registers(w, WIDE | ADD, RDX, R13);
    memory(w, WIDE | 0x3b, RAX, RDX, offsetof(struct fact, low));
    uint8_t *above = hop_if(w, CC_GE);
    memory(w, WIDE | 0x89, RAX, RDX, offsetof(struct fact, low));
    hop_end(w, above);
    memory(w, WIDE | 0x3b, RAX, RDX, offsetof(struct fact, high));
    uint8_t *below = hop_if(w, CC_LE);
    memory(w, WIDE | 0x89, RAX, RDX, offsetof(struct fact, high));
    hop_end(w, below);
}

/* As call_leave does it, where nothing has to be cleared up. */
static uint8_t *write_return_thunk(struct writer *w, bool is_void)
{
    uint8_t *start = w->at;
    memory(w, 0x8b, RDI, R12, MACHINE(depth));
    frame_address(w);
    memory(w, WIDE | 0x8b, RCX, RDI, FRAME(resume));
    test(w, RCX);
    flow_if(w, CC_E);
    test_memory(w, RDI, FRAME(objects), WIDE);
    flow_if(w, CC_NE);
    test_memory(w, RDI, FRAME(watch), WIDE);
    flow_if(w, CC_NE);
    test_memory(w, RDI, FRAME(cursor), 0);
    flow_if(w, CC_NE);
    memory(w, 0xff, 1, R12, MACHINE(depth));
    memory(w, WIDE | 0x8b, R8, RDI, FRAME(back));
    memory(w, WIDE | 0x8b, RBX, RDI, FRAME(caller));
    memory(w, WIDE | 0x8b, R15, RDI, (int64_t)FRAME(code) - (int64_t)sizeof(struct frame));
    memory(w, WIDE | 0x8b, R15, R15, offsetof(struct code, insn));
    if (!is_void)
        hand_over(w);
    registers(w, 0xff, 4, RCX);
    return start;
}

static void write_ends(struct writer *w)
{
    struct native *n = w->native;
    for (unsigned i = 0; i < 16; i++)
        byte(w, 0xcc); /* offset 0 is no entry; sanitizers look in front of functions */
    n->start = w->at;
    for (size_t i = 0; i < sizeof saved; i++)
        push_or_pop(w, 0x50, saved[i]);
    registers(w, WIDE | 0x8b, R12, RDI);
    load_frame(w);
    registers(w, 0xff, 4, RSI); /* jmp rsi */
    n->leave_next = w->at;
    memory(w, WIDE | 0x8b, RAX, R12, offsetof(struct machine, native.next));
    n->leave = w->at;
    for (size_t i = sizeof saved; i-- > 0;)
        push_or_pop(w, 0x58, saved[i]);
    byte(w, 0xc3);

    w->quit = w->at;
    arguments(w);
    registers(w, WIDE | 0x8b, RAX, RSI);
    land(w, jump(w), n->leave);

    w->flow = w->at;
    arguments(w);
    call(w, (uint64_t)(uintptr_t)&follow);
    load_frame(w);
    registers(w, 0xff, 4, RAX);

    w->step = w->at;
    arguments(w);
    move_stack(w, -8);
    call(w, (uint64_t)(uintptr_t)&step_over);
    move_stack(w, 8);
    registers(w, 0x84, RAX, RAX);
    uint8_t *fine = hop_if(w, CC_NE);
    move_stack(w, 8);
    registers(w, 0x31, RAX, RAX);
    land(w, jump(w), n->leave);
    hop_end(w, fine);
    load_state(w);
    byte(w, 0xc3);

    write_call_thunk(w);
    w->leave = write_return_thunk(w, false);
    w->leave_void = write_return_thunk(w, true);
}

/* ---- one function ----------------------------------------------------------------------- */

static bool jumps(const struct insn *i)
{
    rule_fn *f = rules[i->op].write;
    return f == write_jump || f == write_back || f == write_branch || f == write_branch_if;
}

static void find_leaders(struct writer *w)
{
    const struct code *code = w->code;
    w->leader[1] = true;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct insn *at = &code->insn[i];
        if (jumps(at))
            w->leader[(int64_t)i + at->k + 1] = true;
        if (rules[at->op].write == write_flow || rules[at->op].write == write_call)
            w->leader[i + 1] = true;
        if (at->op != I_SWITCH)
            continue;
        const struct switch_table *t = at->u.table;
        w->leader[(int64_t)i + t->otherwise + 1] = true;
        for (uint32_t k = 0; k < t->count; k++)
            w->leader[(int64_t)i + t->target[k] + 1] = true;
    }
    for (size_t i = 0; code->labels && code->func->body && i < code->func->body->labels.n; i++)
        w->leader[code->labels[i]] = true;
}

static void write_insn(struct writer *w, uint32_t i)
{
    const struct insn *at = &w->code->insn[i];
    w->insn = i;
    w->now = NULL;
    if (w->leader[i]) {
        clobber(w);
        w->native->entry[i] = (uint32_t)(w->at - w->native->map);
    }
    const struct rule *rule = &rules[at->op];
    w->native->entry[i] = w->leader[i] ? w->native->entry[i] : 0;
    if (rule->write)
        rule->write(w, at, rule);
    else
        step(w);
    if (w->now) {
        w->now->back = w->at;
        w->now->slot = w->cached;
    }
}

static void write_trouble(struct writer *w, const struct trouble *t)
{
    const struct insn *i = &w->code->insn[t->insn];
    const int64_t fact = (int64_t)i->fact * (int64_t)sizeof(struct fact);
    for (uint8_t k = 0; k < t->count; k++)
        land(w, t->from[k], w->at);
    w->insn = t->insn;
    switch ((enum trouble_kind)t->kind) {
    case TROUBLE_LOW:
        memory(w, WIDE | 0x89, RAX, R13, fact + (int64_t)offsetof(struct fact, low));
        break;
    case TROUBLE_HIGH:
        memory(w, WIDE | 0x89, RAX, R13, fact + (int64_t)offsetof(struct fact, high));
        break;
    case TROUBLE_FUEL:
        memory(w, WIDE | 0x83, 0, R12, offsetof(struct machine, fuel)); /* add qword, 1 */
        byte(w, 1);
        write_quit(w, i, NULL);
        return;
    case TROUBLE_STEP:
        step(w);
        if (t->slot != NO_SLOT)
            load(w, RAX, t->slot);
        break;
    }
    land(w, jump(w), t->back);
}

static void write_code(struct writer *w)
{
    const struct code *code = w->code;
    struct native *n = w->native;
    find_leaders(w);
    write_ends(w);
    uint8_t **start = NEW_ARRAY(&w->m->arena, code->count + 1, uint8_t *);
    for (uint32_t i = 0; i < code->count && !w->full; i++) {
        start[i] = w->at;
        write_insn(w, i);
    }
    write_quit(w, NULL, NULL); /* nothing falls off the end, but if it did */
    for (size_t i = 0; i < w->trouble_count && !w->full; i++)
        write_trouble(w, &w->troubles[i]);
    for (size_t i = 0; i < w->aim_count && !w->full; i++)
        land(w, w->aims[i].at, start[w->aims[i].target]);
    n->count = code->count;
    n->enter = n->map + n->entry[1];
}

enum { PAGE = 4096, BYTES_PER_INSN = 320 };

void native_compile(struct machine *m, struct code *code)
{
    size_t size = (code->count * (size_t)BYTES_PER_INSN + 2 * PAGE) / PAGE * PAGE;
    struct native n = {.size = size, .older = m->native.all};
    n.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
    if (n.map == MAP_FAILED)
        return;
    n.entry = NEW_ARRAY(&m->arena, code->count, uint32_t);
    struct writer w = {.m = m, .code = code, .native = &n, .at = n.map, .end = n.map + size};
    w.cached = NO_SLOT;
    w.leader = NEW_ARRAY(&m->arena, code->count + 1, bool);
    w.aims = NEW_ARRAY(&m->arena, code->count, struct aim);
    w.troubles = NEW_ARRAY(&m->arena, code->count * (size_t)3 + 1, struct trouble);
    write_code(&w);
    if (w.full || mprotect(n.map, size, PROT_READ | PROT_EXEC) != 0) {
        munmap(n.map, size);
        return;
    }
    code->native = NEW(&m->arena, struct native);
    *code->native = n;
    m->native.all = code->native;
}

const struct insn *native_run(struct machine *m, const struct insn *pc)
{
    typedef const struct insn *start_fn(struct machine * m, const uint8_t *at);
    const struct frame *f = &m->frames[m->depth];
    const struct native *n = f->code->native;
    uint32_t entry = (uint64_t)(pc - f->code->insn) < n->count ? n->entry[pc - f->code->insn] : 0;
    if (!entry)
        return pc;
    m->native.r = f->r;
    m->native.first = f->code->insn;
    start_fn *start;
    memcpy(&start, &n->start, sizeof start);
    return start(m, n->map + entry);
}

void native_end(struct machine *m)
{
    for (struct native *n = m->native.all; n; n = n->older)
        munmap(n->map, n->size);
}

#else

void native_compile(struct machine *m, struct code *code)
{
    (void)m, (void)code;
}

const struct insn *native_run(struct machine *m, const struct insn *pc)
{
    (void)m;
    return pc;
}

void native_end(struct machine *m)
{
    (void)m;
}

#endif
