/* Unit tests of access: instructions as the assembler makes them; accesses compared with accesses.
 */
#include "access/access.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static struct arena arena;

static int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* ---- instructions -------------------------------------------------------------------------- */

static const struct {
    const char *text, *bytes;
    struct access_operand want;
} instructions[] = {
    {"addl $1, v(%rip)", "\x83\x05\x00\x00\x00\x00\x01", {4, true, true}},
    {"addq %rax, v(%rip)", "\x48\x01\x05\x00\x00\x00\x00", {8, true, true}},
    {"addw v(%rip), %ax", "\x66\x03\x05\x00\x00\x00\x00", {2, true, false}},
    {"cmpb $3, v(%rip)", "\x80\x3d\x00\x00\x00\x00\x03", {1, true, false}},
    {"cmpl %eax, v(%rip)", "\x39\x05\x00\x00\x00\x00", {4, true, false}},
    {"orb $8, v(%rip)", "\x80\x0d\x00\x00\x00\x00\x08", {1, true, true}},
    {"movl $5, v(%rip)", "\xc7\x05\x00\x00\x00\x00\x05\x00\x00\x00", {4, false, true}},
    {"movw $5, v(%rip)", "\x66\xc7\x05\x00\x00\x00\x00\x05\x00", {2, false, true}},
    {"movq $5, v(%rip)", "\x48\xc7\x05\x00\x00\x00\x00\x05\x00\x00\x00", {8, false, true}},
    {"movb %al, (%rdi,%rsi,4)", "\x88\x04\xb7", {1, false, true}},
    {"movl %r9d, 16(%rsp)", "\x44\x89\x4c\x24\x10", {4, false, true}},
    {"movq (%r12), %r15", "\x4d\x8b\x3c\x24", {8, true, false}},
    {"movzbl v(%rip), %eax", "\x0f\xb6\x05\x00\x00\x00\x00", {1, true, false}},
    {"movswq v(%rip), %rax", "\x48\x0f\xbf\x05\x00\x00\x00\x00", {2, true, false}},
    {"movslq v(%rip), %rax", "\x48\x63\x05\x00\x00\x00\x00", {4, true, false}},
    {"testb $1, v(%rip)", "\xf6\x05\x00\x00\x00\x00\x01", {1, true, false}},
    {"notl v(%rip)", "\xf7\x15\x00\x00\x00\x00", {4, true, true}},
    {"divl v(%rip)", "\xf7\x35\x00\x00\x00\x00", {4, true, false}},
    {"incq v(%rip)", "\x48\xff\x05\x00\x00\x00\x00", {8, true, true}},
    {"sall $3, v(%rip)", "\xc1\x25\x00\x00\x00\x00\x03", {4, true, true}},
    {"imull $7, v(%rip), %eax", "\x6b\x05\x00\x00\x00\x00\x07", {4, true, false}},
    {"xchgl %eax, v(%rip)", "\x87\x05\x00\x00\x00\x00", {4, true, true}},
    {"lock cmpxchgq %rcx, v(%rip)", "\xf0\x48\x0f\xb1\x0d\x00\x00\x00\x00", {8, true, true}},
    {"sete v(%rip)", "\x0f\x94\x05\x00\x00\x00\x00", {1, false, true}},
    {"cmovel v(%rip), %eax", "\x0f\x44\x05\x00\x00\x00\x00", {4, true, false}},
    {"btl $3, v(%rip)", "\x0f\xba\x25\x00\x00\x00\x00\x03", {4, true, false}},
    {"btsl $3, v(%rip)", "\x0f\xba\x2d\x00\x00\x00\x00\x03", {4, true, true}},
    {"movss v(%rip), %xmm0", "\xf3\x0f\x10\x05\x00\x00\x00\x00", {4, true, false}},
    {"movsd %xmm1, v(%rip)", "\xf2\x0f\x11\x0d\x00\x00\x00\x00", {8, false, true}},
    {"movaps v(%rip), %xmm0", "\x0f\x28\x05\x00\x00\x00\x00", {16, true, false}},
    {"addsd v(%rip), %xmm0", "\xf2\x0f\x58\x05\x00\x00\x00\x00", {8, true, false}},
    {"cvtsi2sdl v(%rip), %xmm0", "\xf2\x0f\x2a\x05\x00\x00\x00\x00", {4, true, false}},
    {"cvtsi2sdq v(%rip), %xmm0", "\xf2\x48\x0f\x2a\x05\x00\x00\x00\x00", {8, true, false}},
    {"cvttsd2si v(%rip), %eax", "\xf2\x0f\x2c\x05\x00\x00\x00\x00", {8, true, false}},
    {"ucomiss v(%rip), %xmm0", "\x0f\x2e\x05\x00\x00\x00\x00", {4, true, false}},
    {"ucomisd v(%rip), %xmm0", "\x66\x0f\x2e\x05\x00\x00\x00\x00", {8, true, false}},
    {"movd v(%rip), %xmm0", "\x66\x0f\x6e\x05\x00\x00\x00\x00", {4, true, false}},
    {"movq v(%rip), %xmm0", "\xf3\x0f\x7e\x05\x00\x00\x00\x00", {8, true, false}},
    {"movq %xmm0, v(%rip)", "\x66\x0f\xd6\x05\x00\x00\x00\x00", {8, false, true}},
    {"movdqu %xmm0, v(%rip)", "\xf3\x0f\x7f\x05\x00\x00\x00\x00", {16, false, true}},
    {"vmovss v(%rip), %xmm0", "\xc5\xfa\x10\x05\x00\x00\x00\x00", {4, true, false}},
    {"vmovsd %xmm0, v(%rip)", "\xc5\xfb\x11\x05\x00\x00\x00\x00", {8, false, true}},
    {"vmovdqu v(%rip), %ymm0", "\xc5\xfe\x6f\x05\x00\x00\x00\x00", {32, true, false}},
    {"vaddsd v(%rip), %xmm1, %xmm0", "\xc5\xf3\x58\x05\x00\x00\x00\x00", {8, true, false}},
    {"vmovq v(%rip), %xmm0", "\xc5\xfa\x7e\x05\x00\x00\x00\x00", {8, true, false}},
    {"shlx %eax, v(%rip), %ecx", "\xc4\xe2\x79\xf7\x0d\x00\x00\x00\x00", {4, true, false}},
    {"pushq v(%rip)", "\xff\x35\x00\x00\x00\x00", {8, true, false}},
    {"call *v(%rip)", "\xff\x15\x00\x00\x00\x00", {8, true, false}},
    {"fldl v(%rip)", "\xdd\x05\x00\x00\x00\x00", {8, true, false}},
    {"fstps v(%rip)", "\xd9\x1d\x00\x00\x00\x00", {4, false, true}},
    {"fistpll v(%rip)", "\xdf\x3d\x00\x00\x00\x00", {8, false, true}},
    {"movbe v(%rip), %eax", "\x0f\x38\xf0\x05\x00\x00\x00\x00", {4, true, false}},
    {"pinsrd $1, v(%rip), %xmm0", "\x66\x0f\x3a\x22\x05\x00\x00\x00\x00\x01", {4, true, false}},
};

static void instructions_are_decoded(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(instructions); i++) {
        uint8_t code[16] = {0};
        struct access_operand have = {0}, want = instructions[i].want;
        /* the rest is a displacement of zeros, and a constant that nobody looks at */
        memcpy(code, instructions[i].bytes, strlen(instructions[i].bytes));
        bool known = access_decode(code, &have);
        if (!known || have.size != want.size || have.reads != want.reads ||
            have.writes != want.writes)
            print_error("%s: %d, %u %d %d\n", instructions[i].text, known, have.size, have.reads,
                        have.writes);
        assert_true(known && have.size == want.size && have.reads == want.reads &&
                    have.writes == want.writes);
    }
}

static void others_are_not_guessed(void **state)
{
    static const char *const codes[] = {
        "\xf3\xa4",                 /* rep movsb */
        "\xab",                     /* stosl */
        "\x89\xc8",                 /* movl %ecx, %eax: no operand in memory */
        "\x62\xf1\x7c\x48\x10\x05", /* vmovups of 64 bytes: EVEX */
        "\x0f\x01\x05",             /* sgdt */
    };
    struct access_operand o;
    (void)state;
    for (size_t i = 0; i < LENGTH(codes); i++) {
        uint8_t code[16] = {0};
        memcpy(code, codes[i], strlen(codes[i]));
        assert_false(access_decode(code, &o));
    }
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* One object of eight bytes, all integers.  An access is written as r or w, its offset, its size,
 * and its value: "w044" writes 4 to the first four bytes; with a dot before it, it is of the group
 * of the one before it. */
static struct access parse(const char **s, uint32_t *group)
{
    bool joined = **s == '.';
    *s += joined;
    *group += !joined;
    struct access x = {.group = *group,
                       .offset = (uint64_t)((*s)[1] - '0'),
                       .size = (uint8_t)((*s)[2] - '0'),
                       .bits = (uint64_t)((*s)[3] - '0'),
                       .is_write = **s == 'w',
                       .known_bits = true};
    *s += 4;
    return x;
}

/* The same as an instruction: a mov of that size. */
static struct sys_access as_instruction(const struct access *x)
{
    static const struct {
        uint8_t size;
        const char *read, *write;
    } moves[] = {{1, "\x8a\x05", "\x88\x05"},
                 {2, "\x66\x8b\x05", "\x66\x89\x05"},
                 {4, "\x8b\x05", "\x89\x05"},
                 {8, "\x48\x8b\x05", "\x48\x89\x05"}};
    struct sys_access s = {.is_write = x->is_write, .offset = (int64_t)x->offset};
    for (size_t i = 0; i < LENGTH(moves); i++)
        if (moves[i].size == x->size) {
            const char *code = x->is_write ? moves[i].write : moves[i].read;
            memcpy(s.code, code, strlen(code));
        }
    s.before[0] = s.after[0] = (uint8_t)x->bits;
    return s;
}

static struct access_judgement compare(const char *expected, const char *made)
{
    static bool integers[8] = {true, true, true, true, true, true, true, true};
    static const bool *all[] = {integers};
    static struct sys_watch watch = {"v", 8};
    static const uint32_t states[] = {SYS_WATCHED};
    struct access wanted[16];
    struct sys_access seen[16];
    struct access_plan plan = {
        .watches = &watch, .integers = all, .watch_count = 1, .expected = wanted};
    struct outcome_trace trace = {.states = states, .accesses = seen};
    struct access_judgement j;
    uint32_t group = 0;
    while (*expected)
        wanted[plan.count++] = parse(&expected, &group);
    while (*made) {
        struct access x = parse(&made, &group);
        seen[trace.count++] = as_instruction(&x);
    }
    access_compare(&arena, &plan, &trace, &j);
    assert_null(j.why);
    return j;
}

static void differences_have_a_kind(void **state)
{
    static const struct {
        const char *expected, *made;
        enum access_kind want;
        size_t at;
    } rows[] = {
        {"", "", ACCESS_FINE, 0},
        {"w045w446", "w045w446", ACCESS_FINE, 0},
        {"w045w446", "w446w045", ACCESS_REORDERED, 0},
        {"w045.w446", "w446w045", ACCESS_FINE, 0},
        {"w045.w446r041", "w446r041w045", ACCESS_REORDERED, 0},
        {"w045w446", "w446", ACCESS_LOST, 0},
        {"w045w446", "w045", ACCESS_LOST, 1},
        {"w045", "w045w045", ACCESS_ADDED, 1},
        {"w045w446", "w045r045w446", ACCESS_ADDED, 1},
        {"w045", "r045", ACCESS_LOST, 0},
        {"w085", "w045w440", ACCESS_SPLIT, 0},
        {"w045", "w025", ACCESS_NARROWED, 0},
        {"w025", "w045", ACCESS_WIDENED, 0},
        {"r045w046", "r045w047", ACCESS_VALUE, 1},
        {"r045.r046", "r046r045", ACCESS_FINE, 0},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct access_judgement j = compare(rows[i].expected, rows[i].made);
        if (j.kind != rows[i].want)
            print_error("%s, %s: %s\n", rows[i].expected, rows[i].made, access_kind_name(j.kind));
        assert_int_equal(j.kind, rows[i].want);
        assert_int_equal(j.at, rows[i].at);
    }
}

/* What touches neighbours only is none of the object's; what cannot be told is not claimed. */
static void neighbours_and_holes(void **state)
{
    static const uint32_t states[] = {SYS_WATCHED};
    static bool integers[8];
    static const bool *all[] = {integers};
    static struct sys_watch watch = {"v", 8};
    struct sys_access seen = {.is_write = true, .offset = -8, .code = {0x48, 0x89, 0x05}};
    struct access_plan plan = {.watches = &watch, .integers = all, .watch_count = 1};
    struct outcome_trace trace = {.states = states, .accesses = &seen, .count = 1};
    struct access_judgement j;
    (void)state;
    access_compare(&arena, &plan, &trace, &j);
    assert_true(!j.why && j.kind == ACCESS_FINE);
    seen.offset = -4; /* its last four bytes are the object's */
    access_compare(&arena, &plan, &trace, &j);
    assert_int_equal(j.kind, ACCESS_ADDED);
    seen = (struct sys_access){.is_write = true, .code = {0xab}};
    access_compare(&arena, &plan, &trace, &j);
    assert_non_null(j.why);
    /* a table that says read where the processor says write is not believed */
    seen = (struct sys_access){.is_write = true, .code = {0x8b, 0x05}};
    access_compare(&arena, &plan, &trace, &j);
    assert_non_null(j.why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_decoded),
        cmocka_unit_test(others_are_not_guessed),
        cmocka_unit_test(differences_have_a_kind),
        cmocka_unit_test(neighbours_and_holes),
    };
    return cmocka_run_group_tests_name("access", tests, NULL, free_arena);
}
