/* Unit tests of access: instructions as the assembler makes them; accesses compared with accesses.
 */
#include "access/access.h"
#include "judge/judge.h"

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
    {"seto v(%rip)", "\x0f\x90\x05\x00\x00\x00\x00", {1, false, true}},
    {"kmovb v(%rip), %k2", "\xc5\xf9\x90\x15\x00\x00\x00\x00", {1, true, false}},
    {"kmovw v(%rip), %k2", "\xc5\xf8\x90\x15\x00\x00\x00\x00", {2, true, false}},
    {"kmovd v(%rip), %k2", "\xc4\xe1\xf9\x90\x15\x00\x00\x00\x00", {4, true, false}},
    {"kmovq v(%rip), %k2", "\xc4\xe1\xf8\x90\x15\x00\x00\x00\x00", {8, true, false}},
    {"kmovd %k2, v(%rip)", "\xc4\xe1\xf9\x91\x15\x00\x00\x00\x00", {4, false, true}},
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
        bool known = access_decode(code, false, &have);
        if (!known || have.size != want.size || have.reads != want.reads ||
            have.writes != want.writes)
            print_error("%s: %d, %u %d %d\n", instructions[i].text, known, have.size, have.reads,
                        have.writes);
        assert_true(known && have.size == want.size && have.reads == want.reads &&
                    have.writes == want.writes);
    }
}

/* What means something else on i386. */
static void i386_is_decoded(void **state)
{
    static const struct {
        const char *bytes;
        struct access_operand want;
    } rows[] = {
        {"\xa1\x44\x33\x22\x11", {4, true, false}},     /* movl v, %eax */
        {"\x66\xa3\x44\x33\x22\x11", {2, false, true}}, /* movw %ax, v */
        {"\xff\x74\x24\x04", {4, true, false}},         /* pushl 4(%esp) */
        {"\xc5\xfa\x10\x05", {4, true, false}},         /* vmovss v, %xmm0 */
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        uint8_t code[16] = {0};
        struct access_operand have = {0};
        memcpy(code, rows[i].bytes, strlen(rows[i].bytes));
        assert_true(access_decode(code, true, &have));
        assert_int_equal(have.size, rows[i].want.size);
        assert_int_equal(have.reads, rows[i].want.reads);
    }
    /* incl %eax is no prefix there */
    assert_false(access_decode((uint8_t[16]){0x40, 0x8b, 0x05}, true, &(struct access_operand){0}));
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
        assert_false(access_decode(code, false, &o));
    }
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* One object of eight bytes, all integers.  An access is written as r or w, its offset, its size,
 * and its value, or ? where that is not known: "w044" writes 4 to the first four bytes; with a dot
 * before it, it is of the group of the one before it. */
static struct access parse(const char **s, uint32_t *group)
{
    bool joined = **s == '.';
    *s += joined;
    *group += !joined;
    bool known = (*s)[3] != '?';
    struct access x = {.group = *group,
                       .offset = (uint64_t)((*s)[1] - '0'),
                       .size = (uint8_t)((*s)[2] - '0'),
                       .bits = known ? (uint64_t)((*s)[3] - '0') : 0,
                       .is_write = **s == 'w',
                       .known_bits = known};
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
                 {3, "\x0f\xff\x05", "\x0f\xff\x05"}, /* in no table */
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
    static uint8_t bytes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const uint8_t *all[] = {bytes};
    static struct sys_watch watch = {"v", 8};
    static const uint32_t states[] = {SYS_WATCHED};
    struct access wanted[16];
    struct sys_access seen[16];
    struct access_plan plan = {
        .watches = &watch, .bytes = all, .watch_count = 1, .expected = wanted};
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
        {"w045w446r045r446", "w446w045r446", ACCESS_LOST, 2}, /* and not only reordered */
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
    static uint8_t bytes[8];
    static const uint8_t *all[] = {bytes};
    static struct sys_watch watch = {"v", 8};
    struct sys_access seen = {.is_write = true, .offset = -8, .code = {0x48, 0x89, 0x05}};
    struct access_plan plan = {.watches = &watch, .bytes = all, .watch_count = 1};
    struct outcome_trace trace = {.states = states, .accesses = &seen, .count = 1};
    struct access_judgement j;
    (void)state;
    access_compare(&arena, &plan, &trace, &j);
    assert_true(!j.why && j.kind == ACCESS_FINE);
    seen.offset = -4; /* its last four bytes are the object's */
    access_compare(&arena, &plan, &trace, &j);
    assert_int_equal(j.kind, ACCESS_ADDED);
    seen = (struct sys_access){.offset = -4, .code = {0x48, 0x8b, 0x05}}; /* read with it */
    access_compare(&arena, &plan, &trace, &j);
    assert_true(!j.why && j.kind == ACCESS_FINE);
    seen = (struct sys_access){.is_write = true, .code = {0xab}};
    access_compare(&arena, &plan, &trace, &j);
    assert_non_null(j.why);
    /* a table that says read where the processor says write is not believed */
    seen = (struct sys_access){.is_write = true, .code = {0x8b, 0x05}};
    access_compare(&arena, &plan, &trace, &j);
    assert_non_null(j.why);
}

/* Calls that may be dropped take their accesses with them: nothing is claimed. */
static void droppable_calls_claim_nothing(void **state)
{
    static const struct {
        const char *text;
        bool lost;
    } rows[] = {
        {"volatile int v; int f(int n) { v++; return n; }\n"
         "int (*p)(int) __attribute__((const)) = f;\n"
         "int main(void) { return p(1) + p(1) - 2; }",
         true},
        {"volatile int v; int f(int n) { v++; return n; }\n"
         "struct { int (*m)(int) __attribute__((__const__)); } s = {f};\n"
         "int main(void) { return s.m(1) - 1; }",
         true},
        {"typedef int (*pure)(int) __attribute__((pure)); volatile int v;\n"
         "int f(int n) { v = n; return n; } int main(void) { pure p = f; return p(1) - 1; }",
         true},
        {"volatile int v; int g(int n) { return n > 9 ? v : n; }\n"
         "[[gnu::pure]] int f(int n) { return g(n); } int main(void) { v = 1; return f(0); }",
         true},
        {"volatile int v; volatile int *p = &v; int g(int n) { return n > 9 ? *p : n; }\n"
         "__attribute__((pure)) int f(int n) { return g(n); } int main(void) { v = 1; return f(0); "
         "}",
         true},
        {"volatile int v; int g(int n) { volatile int own = n; return own; }\n"
         "__attribute__((const)) int f(int n) { return n + 1; }\n"
         "int main(void) { v = f(g(1)); return v - 2; }",
         false},
        {"volatile int v; unsigned long strlen(const char *) __attribute__((pure));\n"
         "int main(void) { v = (int)strlen(\"ab\"); return v - 2; }",
         false},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct access_plan plan;
        struct text text = {0};
        text_puts(&text, rows[i].text);
        judge_expect_accesses(&arena, &text, lang_target(TARGET_LP64), &plan);
        bool lost = plan.why && strstr(plan.why, "declared const or pure");
        if (lost != rows[i].lost || (!lost && plan.why))
            print_error("%s: %s\n", rows[i].text, plan.why ? plan.why : "is claimed");
        assert_true(lost == rows[i].lost && (lost || !plan.why));
        text_free(&text);
    }
}

/* Of one automatic object of four bytes and a static one of eight.  What was made is written with
 * the place before it: s for the static one, a, b ... for the stack. */
static struct access_judgement compare_stepped(const char *expected, const char *made)
{
    static uint8_t bytes[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    static const uint8_t *all[] = {bytes};
    static struct sys_watch watch = {"s", 8};
    static struct access_local locals[] = {{"x", 0}};
    static const uint32_t states[] = {SYS_WATCHED};
    struct access wanted[16];
    struct sys_access seen[16];
    struct access_plan plan = {.watches = &watch,
                               .bytes = all,
                               .watch_count = 1,
                               .locals = locals,
                               .local_count = 1,
                               .expected = wanted};
    struct outcome_trace trace = {.states = states, .accesses = seen, .stepped = true};
    struct access_judgement j;
    uint32_t group = 0;
    while (*expected) {
        bool is_static = *expected++ == 's';
        wanted[plan.count] = parse(&expected, &group);
        wanted[plan.count++].watch = !is_static;
    }
    while (*made) {
        char place = *made++;
        bool again = *made == '=';
        made += again;
        struct access x = parse(&made, &group);
        struct sys_access *s = &seen[trace.count++];
        *s = as_instruction(&x);
        s->watch = place == 's' ? 0 : SYS_ON_STACK;
        s->offset += place == 's' ? 0 : (place - 'a' + 1) * 64;
        s->step = (uint32_t)trace.count * 2 - again; /* right behind the one before, or not */
        s->at = again ? s[-1].at + 6 : trace.count * 100;
    }
    access_compare(&arena, &plan, &trace, &j);
    assert_null(j.why);
    return j;
}

static void automatic_objects_are_found(void **state)
{
    static const struct {
        const char *expected, *made;
        enum access_kind want;
    } rows[] = {
        {"xw045xr045", "aw045ar045", ACCESS_FINE},
        {"xw045xr045", "aw041bw045br045", ACCESS_FINE},
        {"xw045xr045", "aw045bw041ar045", ACCESS_FINE},
        {"xw045xr045", "aw041aw045ar045ar045", ACCESS_FINE}, /* who knows whose the others are */
        {"xw045xr045xw046", "aw045aw046", ACCESS_LOST},
        {"xw045xr045", "bw041", ACCESS_LOST},
        {"xw045xr045xw046", "aw045ar045ar045aw046", ACCESS_ADDED},
        {"xw045xr045", "aw045a=w045ar045", ACCESS_ADDED},
        {"xw045", "aw045a=w045", ACCESS_ADDED},
        {"xw045xr045", "aw025aw220ar045", ACCESS_SPLIT},
        {"xw045xr045", "aw025ar045", ACCESS_NARROWED},
        {"xw045xr045", "aw085ar045", ACCESS_WIDENED},
        {"xw045sw041xr045", "aw045ar045sw041", ACCESS_REORDERED},
        {"xw045sw041xr045", "aw045sw041ar045", ACCESS_FINE},
        {"xw045sw041", "sw041aw045", ACCESS_REORDERED},
        {"xw045sw041", "bw045sw041aw045", ACCESS_FINE},
        {"xw045xr045xw046", "aw045aw046aw030", ACCESS_FINE}, /* that may be the read, who knows */
        {"xw045sw041", "sw041aw045bw030", ACCESS_FINE},
        {"xw04?xr04?sw041", "aw047ar047sw041", ACCESS_FINE},
        {"xw04?xr04?sw041", "aw047sw041", ACCESS_LOST},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct access_judgement j = compare_stepped(rows[i].expected, rows[i].made);
        if (j.kind != rows[i].want)
            print_error("%s, %s: %s\n", rows[i].expected, rows[i].made, access_kind_name(j.kind));
        assert_int_equal(j.kind, rows[i].want);
    }
}

/* v is accessed in lines 3 and 5, w in line 4. */
static void wrong_accesses_have_their_code(void **state)
{
    static const char assembly[] = "main:\n\t.loc 1 2 1\n\tnop\n\t.loc 1 3 5 is_stmt 1\n"
                                   "\tmovl\t$1, v(%rip)\n.L2:\n\t.loc 1 4 7\n\t.cfi_endproc\n"
                                   "\tmovl\tw(%rip), %eax\n\t.loc\t0 3 5\n\tincl\tv(%rip)\n";
    static struct sys_watch watches[] = {{"v", 4}, {"w", 4}};
    struct access made = {.watch = 0}, wanted[] = {{.watch = 0, .line = 3},
                                                   {.watch = 1, .line = 4},
                                                   {.watch = 0, .line = 5}};
    struct access_plan plan = {
        .watches = watches, .watch_count = 2, .expected = wanted, .count = 3};
    const struct {
        struct access_judgement j;
        const char *assembly, *want;
    } rows[] = {
        {{.kind = ACCESS_ADDED, .other = &made},
         assembly,
         "line 3:\n\tmovl\t$1, v(%rip)\n\tincl\tv(%rip)\n"},
        {{.kind = ACCESS_LOST, .expected = &wanted[1], .other = &made},
         assembly,
         "line 4:\n\tmovl\tw(%rip), %eax\n"},
        {{.kind = ACCESS_LOST, .expected = &wanted[2]}, assembly, "line 5:\n\tno instruction\n"},
        {{.kind = ACCESS_REORDERED, .expected = &wanted[1], .other = &made},
         assembly,
         "line 3:\n\tmovl\t$1, v(%rip)\nline 4:\n\tmovl\tw(%rip), %eax\nline "
         "3:\n\tincl\tv(%rip)\n"},
        {{.kind = ACCESS_LOST, .expected = &wanted[0]}, "main:\n\tmovl\t$1, v(%rip)\n", ""},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_string_equal(access_find_code(&arena, &plan, &rows[i].j, rows[i].assembly),
                            rows[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_accesses_have_their_code),
        cmocka_unit_test(droppable_calls_claim_nothing),
        cmocka_unit_test(automatic_objects_are_found),
        cmocka_unit_test(instructions_are_decoded),
        cmocka_unit_test(i386_is_decoded),
        cmocka_unit_test(others_are_not_guessed),
        cmocka_unit_test(differences_have_a_kind),
        cmocka_unit_test(neighbours_and_holes),
    };
    return cmocka_run_group_tests_name("access", tests, NULL, free_arena);
}
