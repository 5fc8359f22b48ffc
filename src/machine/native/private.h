/* What the files of native share: how a hot function becomes instructions of the host.
 *
 *   native.c  a whole function: entries, troubles, jumps; running it
 *   rules.c   the table: which rule writes which instruction of instructions.def
 *   arith.c   rules that move, compute, compare and jump
 *   memory.c  rules that reach objects: addresses, loads, stores, and their checks
 *   call.c    what all functions need: entry and exit, calls, the way to the interpreter
 *   slot.c    what the rules stand on: operands, results with their facts, trouble
 *   x86.c     instructions as bytes
 *
 * A rule writes only the way without trouble.  Whatever else there is (a check that fails, an
 * object that was not met before, an instruction without a rule) is left to exec_step: it does the
 * whole instruction, tells what is undefined, and native code goes on behind it.  So no check is
 * made here that is not made there, and nothing is ever told from here.
 *
 * Registers: rbx slots, r12 machine, r13 facts, r14 counts, r15 the code's first instruction.
 * Results go to their slots at once; rax may be known to hold a slot's value until control can
 * arrive from elsewhere.  rcx, rdx, rsi, rdi, r8 and r9 are free within a rule. */
#ifndef MACHINE_NATIVE_PRIVATE_H
#define MACHINE_NATIVE_PRIVATE_H

#include "machine/native/native.h"
#include "machine/native/x86.h"

#include <stddef.h>

struct native {
    struct native *older;
    uint8_t *map;
    size_t size;
    uint32_t *entry; /* by instruction: offset in map, 0: none */
    uint32_t count;
    uint8_t *start, *leave, *leave_next;
    const uint8_t *enter; /* where a call begins */
};

/* A jump to be aimed when its target is written. */
struct aim {
    uint8_t *at;     /* its 4 bytes */
    uint32_t target; /* an instruction */
};

/* The ways of one instruction that do not go well; they are written behind the function. */
enum trouble_kind {
    TROUBLE_STEP, /* the interpreter does the instruction */
    TROUBLE_LOW,  /* a fact grows */
    TROUBLE_HIGH,
    TROUBLE_FUEL, /* it is used up */
};
enum { MAX_TROUBLE = 12 };
struct trouble {
    uint32_t insn;
    uint8_t *from[MAX_TROUBLE], *back;
    uint8_t count;
    uint8_t kind;  /* enum trouble_kind */
    uint32_t slot; /* rax shall hold it again; NO_SLOT: nothing */
};

/* One function while it is written. */
struct writer {
    struct x86 *x;
    struct machine *m;
    const struct code *code;
    struct native *native;
    uint32_t insn;   /* that is being written */
    uint32_t cached; /* rax holds this slot; NO_SLOT: nothing */
    bool *leader;    /* by instruction: control may come from elsewhere */
    struct aim *aims;
    size_t aim_count;
    struct trouble *troubles;
    size_t trouble_count;
    struct trouble *now; /* of this instruction; NULL: none yet */
    /* native_call.c: where the number of the instruction is wanted in rsi */
    uint8_t *step, *flow, *quit, *call, *leave, *leave_void;
};

/* ---- rules ------------------------------------------------------------------------------ */

struct rule;
typedef void rule_fn(struct writer *w, const struct insn *i, const struct rule *rule);
struct rule {
    rule_fn *write; /* NULL: left to the interpreter */
    uint32_t op;    /* as the function wants it */
    bool constant;  /* the second operand is in k */
};

/* By enum opcode. */
extern const struct rule native_rules[OPCODES];

/* op of rule_multiply, rule_divide, rule_unary: a sum of these and WIDE, and of the last two
 * functions what to do; of rule_shift: width, WIDE, CHECKED, and which. */
enum { SIGNED = 1, REST = 2, CHECKED = 1 << 20, WHICH = 24 };

/* op of a load or store: the opcode that moves the bytes, and where they lie. */
enum { PLACE = 24 };
enum place_kind {
    PLACE_G,  /* a static object, at k */
    PLACE_GX, /* and at a slot's value */
    PLACE_L,  /* a local one */
    PLACE_LX,
    PLACE_P, /* where a pointer says */
};

/* arith.c */
rule_fn rule_nothing, rule_move, rule_constant, rule_check, rule_count;
rule_fn rule_i32, rule_i64, rule_plain, rule_multiply, rule_divide, rule_shift, rule_unary;
rule_fn rule_extend, rule_compare, rule_truth, rule_branch, rule_branch_if, rule_jump, rule_back;
/* memory.c */
rule_fn rule_unfreed;
rule_fn rule_record;
rule_fn rule_unless;
rule_fn rule_index, rule_plus, rule_address, rule_address_local, rule_offset, rule_step;
rule_fn rule_load, rule_load_pointer, rule_store, rule_store_pointer;
/* call.c */
rule_fn rule_flow, rule_call, rule_return, rule_quit;

/* ---- what rules stand on: slot.c ------------------------------------------------- */

/* op reg, slot */
void native_slot(struct writer *w, uint32_t op, unsigned reg, uint32_t slot);
/* A slot's value into a register; of rax that is remembered. */
void native_load(struct writer *w, unsigned reg, uint32_t slot);
/* rax is about to become something else. */
void native_forget(struct writer *w);
/* The first operand into rax, to be changed there. */
void native_load_x(struct writer *w, const struct insn *i);
/* The second operand into rcx. */
void native_load_y(struct writer *w, const struct insn *i, const struct rule *rule);
/* rax op= the second operand, which is k if the rule says constant. */
void native_with_y(struct writer *w, const struct insn *i, const struct rule *rule, uint64_t k);
/* rax is the result: into its slot; and its fact, unless low to high is known already. */
void native_store(struct writer *w, const struct insn *i);
void native_result(struct writer *w, const struct insn *i, int64_t low, int64_t high);
void native_any_result(struct writer *w, const struct insn *i);

struct trouble *native_trouble(struct writer *w, enum trouble_kind kind);
/* If the flags say so, the interpreter does this instruction. */
void native_trouble_if(struct writer *w, enum cc cc);
/* The interpreter does this instruction always, and native code goes on behind it. */
void native_step(struct writer *w);

/* ---- what a function needs beside its own instructions: call.c ------------------- */

void native_write_ends(struct writer *w);

/* ---- a whole function: native.c --------------------------------------------------------- */

/* Where native code can be entered at an instruction; NULL: it cannot. */
const uint8_t *native_entry(const struct code *code, const struct insn *pc);

#endif
