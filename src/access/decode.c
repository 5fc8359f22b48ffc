/* What an x86-64 or i386 instruction does to its operand in memory, by the table of decode.def.
 * Reads prefixes, VEX and ModRM; the address itself is known already.  What is not in the table, as
 * EVEX and string instructions, is not guessed. */
#include "access/access.h"

enum { MAP_MASKS = 5 };
enum prefix { PREFIX_NONE, PREFIX_P66, PREFIX_PF3, PREFIX_PF2, PREFIX_ANY };
enum does { DOES_R = 1, DOES_W = 2, DOES_RW = 3 };
/* Sizes that depend on the instruction; others are numbers of bytes. */
enum size {
    SIZE_1 = 1,
    SIZE_2 = 2,
    SIZE_4 = 4,
    SIZE_8 = 8,
    SIZE_10 = 10,
    SIZE_V = 100,
    SIZE_Y,
    SIZE_P,
    SIZE_X,
    SIZE_H,
    SIZE_K
};

static const struct opcode {
    uint8_t map, first, last, prefix;
    int8_t digit;
    uint8_t does, size;
} opcodes[] = {
#define OPCODE(map, first, last, prefix, digit, does, size) \
    {map, first, last, PREFIX_##prefix, digit, DOES_##does, SIZE_##size},
#include "access/decode.def"
};

/* An instruction as far as it was read. */
struct instruction {
    uint8_t map, opcode, modrm;
    bool narrow;                        /* of i386 */
    bool wide, operand_16, long_vector; /* REX.W or VEX.W; 66; VEX.L */
    uint8_t repeat;                     /* F2 or F3, the last one; 0 for none */
};

static enum prefix prefix_of(const struct instruction *i)
{
    return i->repeat == 0xf3   ? PREFIX_PF3
           : i->repeat == 0xf2 ? PREFIX_PF2
           : i->operand_16     ? PREFIX_P66
                               : PREFIX_NONE;
}

/* pp of VEX stands for the prefixes of old. */
static void take_vex(struct instruction *i, uint8_t byte)
{
    static const uint8_t repeats[] = {0, 0, 0xf3, 0xf2};
    i->long_vector = byte & 4;
    i->operand_16 = (byte & 3) == 1;
    i->repeat = repeats[byte & 3];
}

/* Past the prefixes of an instruction; the bytes that were read. */
static size_t read_prefixes(const uint8_t *code, struct instruction *i)
{
    size_t n = 0;
    for (; n < 8; n++)
        if (code[n] == 0x66)
            i->operand_16 = true;
        else if (code[n] == 0xf2 || code[n] == 0xf3)
            i->repeat = code[n];
        else if (code[n] != 0x2e && code[n] != 0x3e && code[n] != 0x64 && code[n] != 0x65 &&
                 code[n] != 0x67 && code[n] != 0xf0)
            break;
    if (!i->narrow && (code[n] & 0xf0) == 0x40)
        i->wide = code[n++] & 8;
    return n;
}

/* On i386 the two bytes begin other instructions, which always have an operand in memory. */
static bool is_vex(const struct instruction *i, const uint8_t *code, uint8_t first)
{
    return code[0] == first && (!i->narrow || code[1] >> 6 == 3);
}

/* mov between the accumulator and an address that follows, without a ModRM. */
static bool has_plain_address(const struct instruction *i)
{
    return i->map == 1 && i->opcode >= 0xa0 && i->opcode <= 0xa3;
}

/* By VEX these are no cmov, setcc, imul and the like, but masks, or nothing. */
static bool is_of_masks(uint8_t opcode)
{
    return (opcode >= 0x40 && opcode <= 0x4f) || (opcode >= 0x80 && opcode <= 0xc1);
}

/* Up to the opcode and its ModRM.  code has 16 bytes; no instruction has more than 15. */
static bool read_opcode(const uint8_t *code, struct instruction *i)
{
    size_t n = read_prefixes(code, i);
    bool vex = is_vex(i, code + n, 0xc5) || is_vex(i, code + n, 0xc4);
    i->map = 1;
    if (vex && code[n] == 0xc5) {
        i->map = 2;
        take_vex(i, code[n + 1]);
        n += 2;
    } else if (vex) {
        i->map = (uint8_t)((code[n + 1] & 0x1f) + 1);
        i->wide = code[n + 2] & 0x80;
        take_vex(i, code[n + 2]);
        n += 3;
    } else if (code[n] == 0x0f) {
        bool third = code[n + 1] == 0x38 || code[n + 1] == 0x3a;
        i->map = !third ? 2 : code[n + 1] == 0x38 ? 3 : 4;
        n += third ? 2 : 1;
    }
    i->opcode = code[n];
    i->modrm = code[n + 1];
    if (vex && i->map == 2 && is_of_masks(i->opcode))
        i->map = MAP_MASKS;
    return has_plain_address(i) || i->modrm >> 6 != 3; /* or else its operand is a register */
}

static unsigned size_of(const struct instruction *i, uint8_t size)
{
    unsigned vector = i->long_vector ? 32 : 16;
    switch (size) {
    case SIZE_V:
        return i->wide ? 8 : i->operand_16 ? 2 : 4;
    case SIZE_Y:
        return i->wide ? 8 : 4;
    case SIZE_P:
        return i->narrow ? 4 : 8;
    case SIZE_X:
        return vector;
    case SIZE_H:
        return vector / 2;
    case SIZE_K:
        return i->wide ? (i->operand_16 ? 4 : 8) : (i->operand_16 ? 1 : 2);
    default:
        return size;
    }
}

bool access_decode(const uint8_t code[16], bool narrow, struct access_operand *out)
{
    struct instruction i = {.narrow = narrow};
    if (!read_opcode(code, &i))
        return false;
    int digit = i.modrm >> 3 & 7;
    for (size_t k = 0; k < LENGTH(opcodes); k++) {
        const struct opcode *o = &opcodes[k];
        if (o->map != i.map || i.opcode < o->first || i.opcode > o->last ||
            (o->prefix != PREFIX_ANY && o->prefix != prefix_of(&i)) ||
            (o->digit >= 0 && o->digit != digit))
            continue;
        *out = (struct access_operand){size_of(&i, o->size), o->does & DOES_R, o->does & DOES_W};
        return true;
    }
    return false;
}
