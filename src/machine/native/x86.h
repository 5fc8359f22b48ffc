/* Instructions of x86-64 as bytes: only the forms that native needs.
 *
 * Takes opcodes, registers and displacements, and appends to a buffer that the caller gave.  When
 * it is full nothing is written any more and `full` says so, once, at the end.  Knows nothing of
 * the machine, and never executes anything. */
#ifndef MACHINE_NATIVE_X86_H
#define MACHINE_NATIVE_X86_H

#include <stdbool.h>
#include <stdint.h>

struct x86 {
    uint8_t *at, *end;
    bool full;
};

enum reg { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R12 = 12, R13, R14, R15 };

/* What the flags say; with the lowest bit turned, the opposite. */
enum cc { CC_O, CC_B = 2, CC_AE, CC_E, CC_NE, CC_BE, CC_A, CC_L = 12, CC_GE, CC_LE, CC_G };

/* To be added to an opcode: 64 bits, 16 bits.  Without, 32, and the upper half becomes zero. */
enum { WIDE = 1 << 16, HALF = 1 << 17 };

/* Opcodes above 0xff stand behind the byte 0x0f. */
enum {
    ADD = 0x03, /* register op= register or memory; these six also with a constant */
    OR = 0x0b,
    AND = 0x23,
    SUB = 0x2b,
    XOR = 0x33,
    CMP = 0x3b,
    MOVE = 0x8b, /* register = register or memory */
    STORE = 0x89,
    STORE8 = 0x88,
    TEST = 0x85,
    TEST8 = 0x84,
    LEA = 0x8d,
    MULTIPLY = 0x1af,
    SEXT8 = 0x1be, /* register = what lies in its low bits, extended */
    SEXT16 = 0x1bf,
    SEXT32 = 0x63,
    ZEXT8 = 0x1b6,
    ZEXT16 = 0x1b7,
    SET_IF = 0x190, /* plus an enum cc: a byte */
    CDQ = 0x99,     /* the sign of rax into all of rdx */
    RET = 0xc3,
    TRAP = 0xcc,
    /* the register's number says which: */
    GROUP3 = 0xf7,
    NOT = 2,
    NEG = 3,
    DIV = 6,
    IDIV = 7,
    SHIFT_CL = 0xd3,
    SHL = 4,
    SHR = 5,
    SAR = 7,
    GROUP5 = 0xff,
    INC = 0,
    DEC = 1,
    CALL = 2,
    GO = 4,
};

static inline bool x86_fits32(int64_t v)
{
    return v == (int32_t)v;
}

void x86_byte(struct x86 *x, unsigned b);
void x86_bytes4(struct x86 *x, uint32_t v);
/* Prefixes and opcode alone. */
void x86_opcode(struct x86 *x, uint32_t op, unsigned reg, unsigned base, unsigned index);

/* op reg, rm */
void x86_registers(struct x86 *x, uint32_t op, unsigned reg, unsigned rm);
/* op reg, [base + disp] */
void x86_memory(struct x86 *x, uint32_t op, unsigned reg, unsigned base, int64_t disp);
/* op reg, [base + index] */
void x86_indexed(struct x86 *x, uint32_t op, unsigned reg, unsigned base, unsigned index);
/* op reg, [base + index * 8 + disp] */
struct scaled {
    uint8_t base, index;
    int32_t disp;
};
void x86_scaled(struct x86 *x, uint32_t op, unsigned reg, struct scaled at);

/* reg = v, and the flags stay. */
void x86_set(struct x86 *x, unsigned reg, uint64_t v);
/* ADD to CMP: op reg, k */
void x86_constant(struct x86 *x, uint32_t op, unsigned reg, int32_t k);
/* ADD to CMP: op [base + disp], k */
void x86_memory_constant(struct x86 *x, uint32_t op, unsigned base, int64_t disp, int8_t k);
/* cmp byte [base + disp], k */
void x86_compare_byte(struct x86 *x, unsigned base, int64_t disp, uint8_t k);
/* reg *= k, signed */
void x86_multiply(struct x86 *x, unsigned reg, int32_t k);
/* SHL, SHR or SAR: 64 bits, by a constant. */
void x86_shift(struct x86 *x, unsigned which, unsigned reg, unsigned by);
void x86_push(struct x86 *x, unsigned reg);
void x86_pop(struct x86 *x, unsigned reg);
/* Calls a function of ours by its address, through rax. */
void x86_call(struct x86 *x, uint64_t function);

/* A jump, or a call, to be aimed by x86_land: the place of its 4 bytes. */
uint8_t *x86_jump(struct x86 *x);
uint8_t *x86_jump_if(struct x86 *x, enum cc cc);
uint8_t *x86_call_near(struct x86 *x);
void x86_land(struct x86 *x, uint8_t *from, const uint8_t *to);
/* A jump over a few bytes, to where x86_hop_end is called. */
uint8_t *x86_hop_if(struct x86 *x, enum cc cc);
void x86_hop_end(struct x86 *x, uint8_t *from);

#endif
