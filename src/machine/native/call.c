/* Native code beside a function's own instructions: how it is entered and left, how it calls and
 * returns without the interpreter, and how the interpreter does what has no rule.  Each is written
 * once for every function, in front of it, and wants the number of the instruction in rsi. */
#include "machine/native/private.h"

#define FRAME(member)   offsetof(struct frame, member)
#define MACHINE(member) offsetof(struct machine, member)

enum { CALL_KEPT = -8 }; /* below the stack, where nothing is pushed meanwhile */

/* ---- what native code calls ------------------------------------------------------------- */

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
    const uint8_t *at = native_entry(f->code, next);
    m->native.r = f->r;
    m->native.first = f->code->insn;
    return at ? at : here->leave_next;
}

/* ---- moving ----------------------------------------------------------------------------- */

static void get(struct writer *w, unsigned reg, unsigned base, int64_t disp)
{
    x86_memory(w->x, WIDE | MOVE, reg, base, disp);
}

static void put(struct writer *w, unsigned reg, unsigned base, int64_t disp)
{
    x86_memory(w->x, WIDE | STORE, reg, base, disp);
}

static void get32(struct writer *w, unsigned reg, unsigned base, int64_t disp)
{
    x86_memory(w->x, MOVE, reg, base, disp);
}

static void put32(struct writer *w, unsigned reg, unsigned base, int64_t disp)
{
    x86_memory(w->x, STORE, reg, base, disp);
}

static void load_state(struct writer *w)
{
    get(w, R13, R12, MACHINE(facts));
    get(w, R14, R12, MACHINE(counts));
}

static void load_frame(struct writer *w)
{
    get(w, RBX, R12, MACHINE(native.r));
    get(w, R15, R12, MACHINE(native.first));
    load_state(w);
}

/* rsi: the number of an instruction becomes its address; the other arguments. */
static void arguments(struct writer *w)
{
    x86_multiply(w->x, RSI, sizeof(struct insn));
    x86_registers(w->x, WIDE | ADD, RSI, R15);
    x86_registers(w->x, WIDE | MOVE, RDI, R12);
    x86_registers(w->x, WIDE | MOVE, RDX, RBX);
}

static void move_stack(struct writer *w, int by)
{
    x86_constant(w->x, WIDE | ADD, RSP, by);
}

/* ---- entering and leaving --------------------------------------------------------------- */

static const uint8_t saved[] = {RBX, R12, R13, R14, R15};

/* start(machine, where): native_run calls it, and gets the instruction with which the interpreter
 * goes on. */
static void write_start(struct writer *w)
{
    struct native *n = w->native;
    n->start = w->x->at;
    for (size_t i = 0; i < sizeof saved; i++)
        x86_push(w->x, saved[i]);
    x86_registers(w->x, WIDE | MOVE, R12, RDI);
    load_frame(w);
    x86_registers(w->x, GROUP5, GO, RSI);
    n->leave_next = w->x->at;
    get(w, RAX, R12, MACHINE(native.next));
    n->leave = w->x->at;
    for (size_t i = sizeof saved; i-- > 0;)
        x86_pop(w->x, saved[i]);
    x86_byte(w->x, RET);
}

/* The interpreter goes on with this instruction. */
static void write_quit(struct writer *w)
{
    w->quit = w->x->at;
    arguments(w);
    x86_registers(w->x, WIDE | MOVE, RAX, RSI);
    x86_land(w->x, x86_jump(w->x), w->native->leave);
}

/* The interpreter does this instruction, and says where native code goes on. */
static void write_flow(struct writer *w)
{
    w->flow = w->x->at;
    arguments(w);
    x86_call(w->x, (uint64_t)(uintptr_t)&follow);
    load_frame(w);
    x86_registers(w->x, GROUP5, GO, RAX);
}

/* The interpreter does this instruction, and native code goes on behind it: a function of its own,
 * as native_step calls it. */
static void write_step(struct writer *w)
{
    w->step = w->x->at;
    arguments(w);
    move_stack(w, -8); /* calls want it at a multiple of 16 */
    x86_call(w->x, (uint64_t)(uintptr_t)&step_over);
    move_stack(w, 8);
    x86_registers(w->x, TEST8, RAX, RAX);
    uint8_t *fine = x86_hop_if(w->x, CC_NE);
    move_stack(w, 8);
    x86_set(w->x, RAX, 0);
    x86_land(w->x, x86_jump(w->x), w->native->leave);
    x86_hop_end(w->x, fine);
    load_state(w);
    x86_byte(w->x, RET);
}

/* ---- calls and returns ------------------------------------------------------------------ */

/* Jumps to flow when the flags say so. */
static void flow_if(struct writer *w, enum cc cc)
{
    x86_land(w->x, x86_jump_if(w->x, cc), w->flow);
}

static void test(struct writer *w, unsigned reg)
{
    x86_registers(w->x, WIDE | TEST, reg, reg);
}

/* Is it zero?  WIDE, or 0 for 32 bits. */
static void test_memory(struct writer *w, uint32_t wide, unsigned base, size_t disp)
{
    x86_memory_constant(w->x, wide | CMP, base, (int64_t)disp, 0);
}

/* rdi: the frame with that number. */
static void frame_address(struct writer *w)
{
    x86_multiply(w->x, RDI, sizeof(struct frame));
    x86_memory(w->x, WIDE | ADD, RDI, R12, MACHINE(frames));
}

/* Has the callee, rcx, native code (rax), room for its slots and for a frame (rdi)?  rdx: the
 * site; r8: its slots. */
static void check_call(struct writer *w)
{
    get(w, RCX, RDX, offsetof(struct call_site, callee));
    x86_memory(w->x, WIDE | CMP, RCX, RDX, offsetof(struct call_site, checked));
    flow_if(w, CC_NE);
    test_memory(w, WIDE, R12, MACHINE(seq.mark_count));
    flow_if(w, CC_NE);
    test_memory(w, 0, R12, MACHINE(watching));
    flow_if(w, CC_NE);
    get(w, RCX, RCX, offsetof(struct func, code));
    test(w, RCX);
    flow_if(w, CC_E);
    get(w, RAX, RCX, offsetof(struct code, native));
    test(w, RAX);
    flow_if(w, CC_E);
    get32(w, R8, RDX, offsetof(struct call_site, base));
    x86_scaled(w->x, WIDE | LEA, R8, (struct scaled){RBX, R8, 0});
    get32(w, RDI, RCX, offsetof(struct code, slots));
    x86_scaled(w->x, WIDE | LEA, RDI, (struct scaled){R8, RDI, 64});
    x86_memory(w->x, WIDE | CMP, RDI, R12, MACHINE(stack_end));
    flow_if(w, CC_A);
    get32(w, RDI, R12, MACHINE(depth));
    x86_constant(w->x, ADD, RDI, 2);
    x86_memory(w->x, CMP, RDI, R12, MACHINE(options.depth));
    flow_if(w, CC_A);
    x86_memory(w->x, CMP, RDI, R12, MACHINE(frame_room));
    flow_if(w, CC_A);
    test_memory(w, WIDE, R12, MACHINE(fuel));
    flow_if(w, CC_E);
}

/* Its slots for objects are zero at first. */
static void clear_objects(struct writer *w)
{
    get32(w, RSI, RCX, offsetof(struct code, objects_first));
    x86_scaled(w->x, WIDE | LEA, RSI, (struct scaled){R8, RSI, -8});
    get32(w, RCX, RCX, offsetof(struct code, objects_count));
    uint8_t *again = w->x->at;
    x86_registers(w->x, TEST, RCX, RCX);
    uint8_t *done = x86_hop_if(w->x, CC_E);
    x86_scaled(w->x, WIDE | 0xc7, 0, (struct scaled){RSI, RCX, 0});
    x86_bytes4(w->x, 0);
    x86_registers(w->x, GROUP5, DEC, RCX);
    x86_land(w->x, x86_jump(w->x), again);
    x86_hop_end(w->x, done);
}

/* The frame rdi as call_enter makes it.  rdx: the site; rcx: the code; r8: its slots. */
static void fill_frame(struct writer *w)
{
    put(w, RCX, RDI, FRAME(code));
    put(w, R9, RDI, FRAME(resume));
    put(w, R8, RDI, FRAME(r));
    put(w, RBX, RDI, FRAME(caller));
    put(w, RDX, RDI, FRAME(site));
    get(w, RDX, RSP, CALL_KEPT);
    put(w, RDX, RDI, FRAME(back));
    get32(w, RSI, RDX, offsetof(struct insn, b));
    x86_set(w->x, RDX, 0);
    put(w, RDX, RDI, FRAME(objects));
    put(w, RDX, RDI, FRAME(watch));
    put32(w, RDX, RDI, FRAME(cursor));
    x86_constant(w->x, CMP, RSI, -1); /* NO_SLOT? */
    uint8_t *none = x86_hop_if(w->x, CC_E);
    x86_scaled(w->x, WIDE | MOVE, RDX, (struct scaled){RBX, RSI, 0});
    x86_hop_end(w->x, none);
    put(w, RDX, RDI, FRAME(result));
    get(w, RDX, R12, MACHINE(seq.count));
    put(w, RDX, RDI, FRAME(seq));
    get(w, RDX, R12, MACHINE(serial));
    x86_registers(w->x, WIDE | GROUP5, INC, RDX);
    put(w, RDX, R12, MACHINE(serial));
    put(w, RDX, RDI, FRAME(serial));
}

/* What call_enter does, where nothing is new; else that does it.  r9: where to go on behind it. */
static void write_call(struct writer *w)
{
    w->call = w->x->at;
    x86_registers(w->x, WIDE | MOVE, RDX, RSI);
    x86_multiply(w->x, RDX, sizeof(struct insn));
    x86_registers(w->x, WIDE | ADD, RDX, R15);
    put(w, RDX, RSP, CALL_KEPT);
    get(w, RDX, RDX, offsetof(struct insn, u));
    check_call(w);
    x86_memory_constant(w->x, WIDE | SUB, R12, MACHINE(fuel), 1);
    x86_registers(w->x, GROUP5, DEC, RDI); /* one was for the frame behind it */
    put32(w, RDI, R12, MACHINE(depth));
    frame_address(w);
    fill_frame(w);
    x86_registers(w->x, WIDE | MOVE, RBX, R8);
    get(w, R15, RCX, offsetof(struct code, insn));
    clear_objects(w);
    x86_memory(w->x, GROUP5, GO, RAX, offsetof(struct native, enter));
}

/* The value in rax into the call's slot and fact; r8: the call. */
static void hand_over(struct writer *w)
{
    get32(w, RDX, R8, offsetof(struct insn, dst));
    x86_scaled(w->x, WIDE | STORE, RAX, (struct scaled){RBX, RDX, 0});
    get32(w, RDX, R8, offsetof(struct insn, fact));
    x86_shift(w->x, SHL, RDX, 4); /* 16 bytes each */
    x86_registers(w->x, WIDE | ADD, RDX, R13);
    x86_memory(w->x, WIDE | CMP, RAX, RDX, offsetof(struct fact, low));
    uint8_t *above = x86_hop_if(w->x, CC_GE);
    put(w, RAX, RDX, offsetof(struct fact, low));
    x86_hop_end(w->x, above);
    x86_memory(w->x, WIDE | CMP, RAX, RDX, offsetof(struct fact, high));
    uint8_t *below = x86_hop_if(w->x, CC_LE);
    put(w, RAX, RDX, offsetof(struct fact, high));
    x86_hop_end(w->x, below);
}

/* As call_leave does it, where nothing has to be cleared up. */
static uint8_t *write_return(struct writer *w, bool is_void)
{
    uint8_t *start = w->x->at;
    get32(w, RDI, R12, MACHINE(depth));
    frame_address(w);
    get(w, RCX, RDI, FRAME(resume));
    test(w, RCX);
    flow_if(w, CC_E);
    test_memory(w, WIDE, RDI, FRAME(objects));
    flow_if(w, CC_NE);
    test_memory(w, WIDE, RDI, FRAME(watch));
    flow_if(w, CC_NE);
    test_memory(w, 0, RDI, FRAME(cursor));
    flow_if(w, CC_NE);
    x86_memory(w->x, GROUP5, DEC, R12, MACHINE(depth));
    get(w, R8, RDI, FRAME(back));
    get(w, RBX, RDI, FRAME(caller));
    get(w, R15, RDI, (int64_t)FRAME(code) - (int64_t)sizeof(struct frame));
    get(w, R15, R15, offsetof(struct code, insn));
    if (!is_void)
        hand_over(w);
    x86_registers(w->x, GROUP5, GO, RCX);
    return start;
}

void native_write_ends(struct writer *w)
{
    /* offset 0 is no entry, and who looks at what stands in front of start finds something */
    for (unsigned i = 0; i < 16; i++)
        x86_byte(w->x, TRAP);
    write_start(w);
    write_quit(w);
    write_flow(w);
    write_step(w);
    write_call(w);
    w->leave = write_return(w, false);
    w->leave_void = write_return(w, true);
}

/* ---- rules ------------------------------------------------------------------------------ */

/* It goes elsewhere: to another function, or wherever the interpreter finds. */
void rule_flow(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)i, (void)rule;
    x86_set(w->x, RSI, w->insn);
    x86_land(w->x, x86_jump(w->x), w->flow);
}

/* A call of a function by its name. */
void rule_call(struct writer *w, const struct insn *i, const struct rule *rule)
{
    const struct function *callee = i->u.site->callee->body;
    if (w->code->tracked || !callee || callee->outer) {
        rule_flow(w, i, rule);
        return;
    }
    x86_set(w->x, RSI, w->insn);
    x86_opcode(w->x, WIDE | LEA, R9, 0, 0); /* lea r9, [rip + 5]: behind the jump */
    x86_byte(w->x, (R9 & 7) << 3 | 5);
    x86_bytes4(w->x, 5);
    x86_land(w->x, x86_jump(w->x), w->call);
}

void rule_return(struct writer *w, const struct insn *i, const struct rule *rule)
{
    bool is_void = i->op == I_RETURN_VOID;
    if (w->code->tracked) {
        rule_flow(w, i, rule);
        return;
    }
    if (!is_void)
        native_load(w, RAX, i->a);
    x86_set(w->x, RSI, w->insn);
    x86_land(w->x, x86_jump(w->x), is_void ? w->leave_void : w->leave);
}

void rule_quit(struct writer *w, const struct insn *i, const struct rule *rule)
{
    (void)i, (void)rule;
    x86_set(w->x, RSI, w->insn);
    x86_land(w->x, x86_jump(w->x), w->quit);
}
