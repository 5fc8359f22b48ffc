/* Where an instruction of x86-64 or i386 has its operand in memory: prefixes, opcode, ModRM, SIB,
 * displacement and the registers.  Says nothing of what it does there.  Instructions that name an
 * address without going there (lea, nop, prefetches), those whose address is implicit (push, ret,
 * movs), and those relative to a segment have none here; nor do 16-bit addresses.  Where EVEX has
 * one depends on how much it moves: that is not known. */
#include "sys/runner/runner.h"

#include <string.h>

struct instruction {
    const uint8_t *at; /* behind what was read */
    bool narrow;       /* of i386 */
    bool operand_16, elsewhere;
    uint8_t rex; /* its lower four bits: W, R, X, B */
    uint8_t map, opcode;
};

static bool is_within(uint8_t value, const uint8_t (*ranges)[2], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (value >= ranges[i][0] && value <= ranges[i][1])
            return true;
    return false;
}

#define IS_WITHIN(value, ranges) is_within(value, ranges, sizeof(ranges) / sizeof *(ranges))

/* Has it a ModRM that says where it reads or writes? */
static bool has_operand(const struct instruction *i)
{
    static const uint8_t one[][2] = {{0x63, 0x63}, {0x69, 0x69}, {0x6b, 0x6b}, {0x80, 0x8c},
                                     {0x8e, 0x8f}, {0xc0, 0xc1}, {0xc6, 0xc7}, {0xd0, 0xd3},
                                     {0xd8, 0xdf}, {0xf6, 0xf7}, {0xfe, 0xff}};
    static const uint8_t without[][2] = {{0x04, 0x0f}, {0x18, 0x1f}, {0x30, 0x37}, {0x77, 0x77},
                                         {0x80, 0x8f}, {0xa0, 0xa2}, {0xa8, 0xaa}, {0xc8, 0xcf}};
    if (i->map == 1)
        return (i->opcode < 0x40 && (i->opcode & 7) < 4) || IS_WITHIN(i->opcode, one);
    return i->map > 2 || !IS_WITHIN(i->opcode, without);
}

/* Bytes of the constant that follows the operand. */
static unsigned constant_size(const struct instruction *i, uint8_t modrm)
{
    static const uint8_t byte_1[][2] = {
        {0x6b, 0x6b}, {0x80, 0x80}, {0x82, 0x83}, {0xc0, 0xc1}, {0xc6, 0xc6}};
    static const uint8_t byte_2[][2] = {{0x70, 0x73}, {0xa4, 0xa4}, {0xac, 0xac},
                                        {0xba, 0xba}, {0xc2, 0xc2}, {0xc4, 0xc6}};
    bool tests = (i->opcode & 0xfe) == 0xf6 && (modrm >> 3 & 7) < 2;
    bool whole = i->opcode == 0x81 || i->opcode == 0x69 || i->opcode == 0xc7;
    if (i->map == 4)
        return 1;
    if (i->map == 2)
        return IS_WITHIN(i->opcode, byte_2);
    if (i->map == 1 && (whole || (tests && i->opcode == 0xf7)))
        return i->operand_16 ? 2 : 4;
    return i->map == 1 && (tests || IS_WITHIN(i->opcode, byte_1));
}

static bool read_prefixes(struct instruction *i)
{
    for (unsigned n = 0; n < 8; n++, i->at++)
        if (*i->at == 0x66)
            i->operand_16 = true;
        else if (*i->at == 0x64 || *i->at == 0x65)
            i->elsewhere = true;
        else if (*i->at == 0x67)
            return false;
        else if (*i->at != 0x26 && *i->at != 0x2e && *i->at != 0x36 && *i->at != 0x3e &&
                 *i->at != 0xf0 && *i->at != 0xf2 && *i->at != 0xf3)
            break;
    if (!i->narrow && (*i->at & 0xf0) == 0x40)
        i->rex = *i->at++ & 15;
    return true;
}

/* The bytes of VEX say what REX and the map would. */
static void read_opcode(struct instruction *i)
{
    const uint8_t *c = i->at;
    bool vex = (c[0] == 0xc4 || c[0] == 0xc5) && (!i->narrow || c[1] >> 6 == 3);
    i->map = 1;
    if (vex && c[0] == 0xc5) {
        i->map = 2;
        i->at += 2;
    } else if (vex) {
        i->map = (uint8_t)((c[1] & 0x1f) + 1);
        i->rex = (uint8_t)(~c[1] >> 5 & 3);
        i->at += 3;
    } else if (c[0] == 0x0f) {
        bool third = c[1] == 0x38 || c[1] == 0x3a;
        i->map = !third ? 2 : c[1] == 0x38 ? 3 : 4;
        i->at += third ? 2 : 1;
    }
    i->opcode = *i->at++;
}

static uint64_t read_number(struct instruction *i, unsigned size)
{
    int8_t one;
    int32_t four;
    uint64_t eight;
    memcpy(&one, i->at, sizeof one);
    memcpy(&four, i->at, sizeof four);
    memcpy(&eight, i->at, sizeof eight);
    i->at += size;
    return size == 1 ? (uint64_t)one : size == 4 ? (uint64_t)four : size ? eight : 0;
}

static uint64_t value_of(const struct user_regs_struct *r, unsigned number)
{
    const unsigned long long *const all[] = {&r->rax, &r->rcx, &r->rdx, &r->rbx, &r->rsp, &r->rbp,
                                             &r->rsi, &r->rdi, &r->r8,  &r->r9,  &r->r10, &r->r11,
                                             &r->r12, &r->r13, &r->r14, &r->r15};
    return *all[number & 15];
}

/* base + index * scale, of a SIB byte; *no_base when a displacement of four bytes takes its place.
 */
static uint64_t read_scaled(struct instruction *i, const struct user_regs_struct *r, uint8_t mod,
                            bool *no_base)
{
    uint8_t sib = *i->at++;
    unsigned index = (sib >> 3 & 7u) | (i->rex & 2u) << 2, base = (sib & 7u) | (i->rex & 1u) << 3;
    *no_base = mod == 0 && (sib & 7) == 5;
    uint64_t at = *no_base ? 0 : value_of(r, base);
    return at + (index == 4 ? 0 : value_of(r, index) << (sib >> 6));
}

/* rip points at the instruction, whose bytes begin at code. */
static uint64_t read_address(struct instruction *i, const struct user_regs_struct *r,
                             const uint8_t *code, uint8_t modrm)
{
    uint8_t mod = modrm >> 6, rm = modrm & 7;
    bool no_base = mod == 0 && rm == 5;
    uint64_t at = 0;
    if (rm == 4)
        at = read_scaled(i, r, mod, &no_base);
    else if (!no_base)
        at = value_of(r, rm | (i->rex & 1u) << 3);
    at += read_number(i, mod == 1 ? 1 : mod == 2 || no_base ? 4 : 0);
    if (no_base && rm == 5 && !i->narrow)
        at += r->rip + (uint64_t)(i->at - code) + constant_size(i, modrm);
    return at;
}

bool operand_is_hidden(const uint8_t code[32], bool narrow)
{
    enum { EVEX = 0x62, MODRM_AT = 5 };
    struct instruction i = {.at = code, .narrow = narrow};
    bool evex = read_prefixes(&i) && i.at[0] == EVEX && (!narrow || i.at[1] >> 6 == 3);
    return evex && i.at[MODRM_AT] >> 6 != 3;
}

bool operand_address(const uint8_t code[32], bool narrow, const struct user_regs_struct *r,
                     uint64_t *at)
{
    struct instruction i = {.at = code, .narrow = narrow};
    if (!read_prefixes(&i))
        return false;
    read_opcode(&i);
    bool plain = i.map == 1 && i.opcode >= 0xa0 && i.opcode <= 0xa3;
    uint8_t modrm = *i.at;
    if (i.elsewhere || (!plain && (!has_operand(&i) || modrm >> 6 == 3)))
        return false;
    if (plain) {
        *at = read_number(&i, narrow ? 4 : 8);
    } else {
        i.at++;
        *at = read_address(&i, r, code, modrm);
    }
    *at = narrow ? (uint32_t)*at : *at;
    return true;
}
