/* Instructions of x86-64 as bytes: see x86.h. */
#include "machine/native/x86.h"

#include <string.h>

void x86_byte(struct x86 *x, unsigned b)
{
    if (x->at < x->end)
        *x->at++ = (uint8_t)b;
    else
        x->full = true;
}

void x86_bytes4(struct x86 *x, uint32_t v)
{
    for (unsigned i = 0; i < 4; i++)
        x86_byte(x, v >> (8 * i) & 0xff);
}

static bool fits8(int64_t v)
{
    return v == (int8_t)v;
}

void x86_opcode(struct x86 *x, uint32_t op, unsigned reg, unsigned base, unsigned index)
{
    if (op & HALF)
        x86_byte(x, 0x66);
    x86_byte(x, 0x40 | (op & WIDE ? 8u : 0) | (reg >> 3) << 2 | (index >> 3) << 1 | base >> 3);
    if (op & 0xff00)
        x86_byte(x, 0x0f);
    x86_byte(x, op & 0xff);
}

void x86_registers(struct x86 *x, uint32_t op, unsigned reg, unsigned rm)
{
    x86_opcode(x, op, reg, rm, 0);
    x86_byte(x, 0xc0u | (reg & 7) << 3 | (rm & 7));
}

void x86_memory(struct x86 *x, uint32_t op, unsigned reg, unsigned base, int64_t disp)
{
    if (!x86_fits32(disp))
        x->full = true;
    x86_opcode(x, op, reg, base, 0);
    x86_byte(x, (fits8(disp) ? 0x40u : 0x80u) | (reg & 7) << 3 | (base & 7));
    if ((base & 7) == RSP)
        x86_byte(x, 0x24);
    if (fits8(disp))
        x86_byte(x, (uint8_t)disp);
    else
        x86_bytes4(x, (uint32_t)disp);
}

void x86_indexed(struct x86 *x, uint32_t op, unsigned reg, unsigned base, unsigned index)
{
    x86_opcode(x, op, reg, base, index);
    x86_byte(x, (reg & 7) << 3 | 4);
    x86_byte(x, (index & 7) << 3 | (base & 7));
}

void x86_scaled(struct x86 *x, uint32_t op, unsigned reg, struct scaled at)
{
    x86_opcode(x, op, reg, at.base, at.index);
    x86_byte(x, 0x80 | (reg & 7) << 3 | 4);
    x86_byte(x, 0xc0u | (at.index & 7u) << 3 | (at.base & 7u));
    x86_bytes4(x, (uint32_t)at.disp);
}

void x86_set(struct x86 *x, unsigned reg, uint64_t v)
{
    if (v <= UINT32_MAX) {
        x86_opcode(x, 0xb8 + (reg & 7), 0, reg, 0);
        x86_bytes4(x, (uint32_t)v);
    } else if (x86_fits32((int64_t)v)) {
        x86_registers(x, WIDE | 0xc7, 0, reg);
        x86_bytes4(x, (uint32_t)v);
    } else {
        x86_opcode(x, WIDE | (0xb8 + (reg & 7)), 0, reg, 0);
        x86_bytes4(x, (uint32_t)v);
        x86_bytes4(x, (uint32_t)(v >> 32));
    }
}

/* The form with a constant has the operation's bits in place of a register. */
static unsigned operation(uint32_t op)
{
    return (op & 0xff) >> 3;
}

void x86_constant(struct x86 *x, uint32_t op, unsigned reg, int32_t k)
{
    x86_registers(x, (op & WIDE) | (fits8(k) ? 0x83 : 0x81), operation(op), reg);
    if (fits8(k))
        x86_byte(x, (uint8_t)k);
    else
        x86_bytes4(x, (uint32_t)k);
}

void x86_memory_constant(struct x86 *x, uint32_t op, unsigned base, int64_t disp, int8_t k)
{
    x86_memory(x, (op & WIDE) | 0x83, operation(op), base, disp);
    x86_byte(x, (uint8_t)k);
}

void x86_compare_byte(struct x86 *x, unsigned base, int64_t disp, uint8_t k)
{
    x86_memory(x, 0x80, operation(CMP), base, disp);
    x86_byte(x, k);
}

void x86_multiply(struct x86 *x, unsigned reg, int32_t k)
{
    x86_registers(x, WIDE | 0x69, reg, reg);
    x86_bytes4(x, (uint32_t)k);
}

void x86_shift(struct x86 *x, unsigned which, unsigned reg, unsigned by)
{
    x86_registers(x, WIDE | 0xc1, which, reg);
    x86_byte(x, by);
}

void x86_push(struct x86 *x, unsigned reg)
{
    x86_opcode(x, 0x50 + (reg & 7), 0, reg, 0);
}

void x86_pop(struct x86 *x, unsigned reg)
{
    x86_opcode(x, 0x58 + (reg & 7), 0, reg, 0);
}

void x86_call(struct x86 *x, uint64_t function)
{
    x86_set(x, RAX, function);
    x86_registers(x, GROUP5, CALL, RAX);
}

uint8_t *x86_jump(struct x86 *x)
{
    x86_byte(x, 0xe9);
    x86_bytes4(x, 0);
    return x->at - 4;
}

uint8_t *x86_jump_if(struct x86 *x, enum cc cc)
{
    x86_byte(x, 0x0f);
    x86_byte(x, 0x80u + cc);
    x86_bytes4(x, 0);
    return x->at - 4;
}

uint8_t *x86_call_near(struct x86 *x)
{
    x86_byte(x, 0xe8);
    x86_bytes4(x, 0);
    return x->at - 4;
}

void x86_land(struct x86 *x, uint8_t *from, const uint8_t *to)
{
    int32_t by = (int32_t)(to - (from + 4));
    if (!x->full)
        memcpy(from, &by, sizeof by);
}

uint8_t *x86_hop_if(struct x86 *x, enum cc cc)
{
    x86_byte(x, 0x70u + cc);
    x86_byte(x, 0);
    return x->at;
}

void x86_hop_end(struct x86 *x, uint8_t *from)
{
    if (!x->full)
        from[-1] = (uint8_t)(x->at - from);
}
