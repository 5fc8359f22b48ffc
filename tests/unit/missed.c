/* Unit tests of missed: the measures, on the numbers and the assembly that the paper prints. */
#include "missed/missed.h"

#include <math.h>
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

static void assert_near(double have, double want)
{
    if (fabs(have - want) > 0.0006)
        print_error("%.4f, not %.4f\n", have, want);
    assert_true(fabs(have - want) <= 0.0006);
}

/* Table 2. */
static void measures_of_table_2(void **state)
{
    static const struct {
        const char *kind;
        unsigned org, opt;
    } rows[] = {{"add", 350, 235}, {"sub", 100, 98}, {"imul", 56, 23}, {"idiv", 8, 0},
                {"shl", 32, 38},   {"srl", 25, 25},  {"xor", 12, 12}};
    struct missed_code org = {0}, opt = {0};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        missed_count(&arena, &org, rows[i].kind, rows[i].org);
        if (rows[i].opt)
            missed_count(&arena, &opt, rows[i].kind, rows[i].opt);
    }
    assert_int_equal(org.kind_count, 7);
    assert_int_equal(opt.kind_count, 6);
    struct missed_measure m = missed_compare(&org, &opt);
    assert_near(m.r1, .739);
    assert_near(m.r2, .308);
    assert_near(m.r, .477);
}

/* Figures 7 to 9.  Where the print is broken (the mnemonic in line 14 of figure 7, lines 8 to 10
 * of figure 8), what the rest of the figure leaves possible is put in. */
static const char figure_7_org[] = "\t.text\n"
                                   "\t.file \"org.c\"\n"
                                   "\t.globl main\n"
                                   "\t.type main,@function\n"
                                   "main:                                   # @main\n"
                                   "\t.cfi_startproc\n"
                                   "# BB#0:                                 # %entry\n"
                                   "\tpushq %rax\n"
                                   ".Ltmp0:\n"
                                   "\t.cfi_def_cfa_offset 16\n"
                                   "\tmovl $1, 4(%rsp)\n"
                                   "\tmovl 4(%rsp), %eax\n"
                                   "\tleal 1(%rax), %ecx\n"
                                   "\tcmpl $2, %ecx\n"
                                   "\tja .LBB0_2\n"
                                   "# BB#1:                                 # %entry\n"
                                   "\tcmpl $2, %eax\n"
                                   "\tjge .LBB0_3\n"
                                   ".LBB0_2:                                # %if.end\n"
                                   "\txorl %eax, %eax\n"
                                   "\tpopq %rdx\n"
                                   "\tretq\n"
                                   ".LBB0_3:                                # %if.else\n"
                                   "\tcallq abort\n"
                                   ".Ltmp1:\n"
                                   "\t.size main,.Ltmp1-main\n"
                                   "\t.cfi_endproc\n";

static const char figure_7_opt[] = "main:\n"
                                   "\t.cfi_startproc\n"
                                   "\tmovl $1, -4(%rsp)\n"
                                   "\tmovl -4(%rsp), %eax\n"
                                   "\txorl %eax, %eax\n"
                                   "\tretq\n"
                                   ".Ltmp0:\n"
                                   "\t.size main,.Ltmp0-main\n"
                                   "\t.cfi_endproc\n";

static const char figure_7_gcc[] = "\t.section .text.startup,\"ax\",@progbits\n"
                                   "\t.p2align 4,,15\n"
                                   "\t.globl main\n"
                                   "\t.type main, @function\n"
                                   "main:\n"
                                   ".LFB0:\n"
                                   "\t.cfi_startproc\n"
                                   "\tmovl $1, -4(%rsp)\n"
                                   "\tmovl -4(%rsp), %eax\n"
                                   "\txorl %eax, %eax\n"
                                   "\tret\n"
                                   "\t.cfi_endproc\n"
                                   ".LFE0:\n"
                                   "\t.size main, .-main\n";

static const char figure_8_org[] = "main:\n"
                                   ".LFB0:\n"
                                   "\t.cfi_startproc\n"
                                   "\tsubq $24, %rsp\n"
                                   "\t.cfi_def_cfa_offset 32\n"
                                   "\tmovl $1, 12(%rsp)\n"
                                   "\tmovl 12(%rsp), %eax\n"
                                   "\txorl %ecx, %ecx\n"
                                   "\ttestl %eax, %eax\n"
                                   "\tsetne %cl\n"
                                   "\tmovl $972195717, %eax\n"
                                   "\tsarl %cl, %eax\n"
                                   "\tcmpl $486097858, %eax\n"
                                   "\tjne .L5\n"
                                   "\txorl %eax, %eax\n"
                                   "\taddq $24, %rsp\n"
                                   "\t.cfi_remember_state\n"
                                   "\t.cfi_def_cfa_offset 8\n"
                                   "\tret\n"
                                   ".L5:\n"
                                   "\t.cfi_restore_state\n"
                                   "\tcall abort\n"
                                   "\t.cfi_endproc\n";

static const char figure_8_opt[] = "main:\n"
                                   ".LFB0:\n"
                                   "\t.cfi_startproc\n"
                                   "\tsubq $24, %rsp\n"
                                   "\t.cfi_def_cfa_offset 32\n"
                                   "\tmovl $1, 12(%rsp)\n"
                                   "\tmovl 12(%rsp), %eax\n"
                                   "\ttestl %eax, %eax\n"
                                   "\tjne .L2\n"
                                   "\tcall abort\n"
                                   ".L2:\n"
                                   "\txorl %eax, %eax\n"
                                   "\taddq $24, %rsp\n"
                                   "\t.cfi_def_cfa_offset 8\n"
                                   "\tret\n"
                                   "\t.cfi_endproc\n";

static const char figure_9_org[] = "main:\n"
                                   ".LFB0:\n"
                                   "\t.cfi_startproc\n"
                                   "\tsubq $24, %rsp\n"
                                   "\t.cfi_def_cfa_offset 32\n"
                                   "\tmovabsq $4294967296, %rcx\n"
                                   "\tmovq $0, (%rsp)\n"
                                   "\tmovq $1, 8(%rsp)\n"
                                   "\tmovq (%rsp), %rax\n"
                                   "\tincq %rax\n"
                                   "\tsarq $63, %rax\n"
                                   "\taddq %rax, %rax\n"
                                   "\tcqto\n"
                                   "\tidivq %rcx\n"
                                   "\ttestq %rax, %rax\n"
                                   "\tje .L2\n"
                                   "\tcall abort\n"
                                   ".L2:\n"
                                   "\txorl %eax, %eax\n"
                                   "\taddq $24, %rsp\n"
                                   "\t.cfi_def_cfa_offset 8\n"
                                   "\tret\n"
                                   "\t.cfi_endproc\n";

static const char figure_9_vol[] = "main:\n"
                                   ".LFB0:\n"
                                   "\t.cfi_startproc\n"
                                   "\tmovq $0, -24(%rsp)\n"
                                   "\tmovq $0, -16(%rsp)\n"
                                   "\tmovq -24(%rsp), %rax\n"
                                   "\txorl %eax, %eax\n"
                                   "\tret\n"
                                   "\t.cfi_endproc\n";

static void measures_of_the_figures(void **state)
{
    static const struct {
        const char *org, *opt;
        unsigned n, m;
        double r1, r2, r;
    } rows[] = {
        {figure_7_org, figure_7_opt, 12, 4, .333, .500, .408},
        {figure_7_gcc, figure_7_opt, 4, 4, 1, 1, 1},
        {figure_8_org, figure_8_opt, 14, 9, .643, .632, .637},
        {figure_9_org, figure_9_vol, 16, 5, .3125, .2857, .2988},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct missed_code org = missed_read_code(&arena, MISSED_X86, rows[i].org, "main");
        struct missed_code opt = missed_read_code(&arena, MISSED_X86, rows[i].opt, "main");
        struct missed_measure m = missed_compare(&org, &opt);
        assert_int_equal(org.instructions, rows[i].n);
        assert_int_equal(opt.instructions, rows[i].m);
        assert_near(m.r1, rows[i].r1);
        assert_near(m.r2, rows[i].r2);
        assert_near(m.r, rows[i].r);
        enum missed_side side = m.r < .8 ? MISSED_ORG : MISSED_NEITHER;
        enum missed_side other = m.r < .8 ? MISSED_OPT : MISSED_NEITHER;
        assert_int_equal(missed_worse_side(&org, &opt, .8), side);
        assert_int_equal(missed_worse_side(&opt, &org, .8), other);
    }
}

static unsigned counted(const struct missed_code *code, const char *kind)
{
    for (size_t i = 0; i < code->kind_count; i++)
        if (strcmp(code->kinds[i].name, kind) == 0)
            return code->kinds[i].n;
    return 0;
}

static void sizes_and_conditions_are_one_kind(void **state)
{
    static const char x86[] =
        "main:\n\taddb %al, %bl\n\taddw %ax, %bx\n\taddl $1, %eax\n\tincq %rax\n"
        "\tmovzbl %al, %eax\n\tmovslq %eax, %rax\n\tmovabsq $1, %rax\n"
        "\tjle .L1\n\tjg .L1\n\tjmp .L1\n\tsetb %al\n\tshll %eax\n\tsalq %rax\n"
        "\trep stosq\n\tnotrack jmp *%rax\n\tbswap %eax\n";
    static const char arm[] = "main:\n\tldrsw x0, [sp]\n\tldp x0, x1, [sp]\n\tmovk w0, #1\n"
                              "\tb.le .L1\n\tcbz w0, .L1\n\tb .L1\n\tbl abort\n\tbic w0, w0, w1\n";
    (void)state;
    struct missed_code a = missed_read_code(&arena, MISSED_X86, x86, "main");
    assert_int_equal(counted(&a, "add"), 4);
    assert_int_equal(counted(&a, "mov"), 3);
    assert_int_equal(counted(&a, "jcc"), 2);
    assert_int_equal(counted(&a, "jmp"), 2);
    assert_int_equal(counted(&a, "setcc"), 1);
    assert_int_equal(counted(&a, "shl"), 2);
    assert_int_equal(counted(&a, "stosq"), 1);
    assert_int_equal(counted(&a, "bswap"), 1);
    assert_int_equal(a.instructions, 16);
    struct missed_code b = missed_read_code(&arena, MISSED_AARCH64, arm, "main");
    assert_int_equal(counted(&b, "ldr"), 2);
    assert_int_equal(counted(&b, "mov"), 1);
    assert_int_equal(counted(&b, "bcc"), 2);
    assert_int_equal(counted(&b, "b"), 1);
    assert_int_equal(counted(&b, "bl"), 1);
    assert_int_equal(counted(&b, "bic"), 1);
}

/* Only main and what was split from it; data between them is no code. */
static void other_functions_do_not_count(void **state)
{
    static const char text[] = "other:\n\tnop\n\tret\n\t.size other, .-other\n"
                               "main:\n.L2:\n\tmovl $1, %eax\n\tret\n\t.size main, .-main\n"
                               "mainly:\n\tret\n\t.size mainly, .-mainly\n"
                               "x:\n\t.long 5\n"
                               "\t.section .text.unlikely\nmain.cold:\n\tcall abort\n";
    (void)state;
    struct missed_code code = missed_read_code(&arena, MISSED_X86, text, "main");
    assert_int_equal(code.instructions, 3);
    assert_string_equal(code.text,
                        "main:\n.L2:\n\tmovl $1, %eax\n\tret\nmain.cold:\n\tcall abort\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_of_table_2),
        cmocka_unit_test(measures_of_the_figures),
        cmocka_unit_test(sizes_and_conditions_are_one_kind),
        cmocka_unit_test(other_functions_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, free_arena);
}
