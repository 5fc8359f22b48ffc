/* Unit tests of triage: names that hold in every version of a compiler. */
#include "triage/private.h"

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

/* As clang-13 to -19 and clang-22 print them. */
static void versions_share_names(void **state)
{
    static const char *const rows[][3] = {
        {"InstCombinePass", "instcombine", "instcombine"},
        {"SLPVectorizerPass", "slp-vectorizer", "slp-vectorizer"},
        {"LoopVectorizePass", "loop-vectorize", "loop-vectorize"},
        {"DivRemPairsPass", "div-rem-pairs", "div-rem-pairs"},
        {"LoopUnrollPass<O3>", "loop-unroll", "loop-unroll"},
        {"X86 DAG->DAG Instruction Selection", "x86-isel", "x86-isel"},
        {"Branch Probability Basic Block Placement", "block-placement", "block-placement"},
        {"X86 Something New", "x86-something-new", "x86-something-new"},
        {"Post RA top-down list latency scheduler", "post-RA-sched", "post-ra-sched"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        assert_string_equal(pass_name_llvm(&arena, rows[i][0]), rows[i][2]);
        assert_string_equal(pass_name_llvm(&arena, rows[i][1]), rows[i][2]);
    }
    assert_string_equal(pass_name_gcc(&arena, "tree-vrp1"), "tree-vrp");
    assert_string_equal(pass_name_gcc(&arena, "rtl-combine"), "rtl-combine");
}

/* gcc 11 and 12 say one crash in two ways; another function is another crash. */
static void crashes_of_two_versions_are_one(void **state)
{
    (void)state;
    const char *in_11 = "in extract_constrain_insn, at recog.c:2670",
               *in_12 = "in extract_constrain_insn, at recog.cc:2692",
               *other = "in extract_insn, at recog.cc:2692";
    struct triage_identity x = {
        .verdict = VERDICT_COMPILER_CRASH, .family = "gcc", .pass = "", .crash = in_11};
    const char *a = triage_signature(&arena, &x);
    x.crash = in_12;
    assert_string_equal(triage_signature(&arena, &x), a);
    x.crash = other;
    assert_string_not_equal(triage_signature(&arena, &x), a);
}

static void wrong_code_is_told_apart(void **state)
{
    (void)state;
    struct triage_identity x = {.verdict = VERDICT_WRONG_CODE,
                                .family = "gcc",
                                .pass = "dbg-cnt vect_loop",
                                .method = METHOD_COUNTER,
                                .program = "int a;"};
    const char *a = triage_signature(&arena, &x);
    x.program = "int b; for (;;) b <<= 1;";
    assert_string_equal(triage_signature(&arena, &x), a);
    x.pass = "dbg-cnt vect_slp";
    assert_string_not_equal(triage_signature(&arena, &x), a);
    /* of a compiler without passes the program tells: names and numbers do not */
    x = (struct triage_identity){.verdict = VERDICT_WRONG_CODE,
                                 .family = "tcc",
                                 .pass = "-O0",
                                 .method = METHOD_LEVEL,
                                 .program = "long g_1 = 5; int f(void) { return g_1 >> 3; }"};
    a = triage_signature(&arena, &x);
    x.program = "int q(void) { return zz >> 17; } long zz = 99;";
    assert_string_equal(triage_signature(&arena, &x), a);
    x.program = "long g_1 = 5; int f(void) { return g_1 / 3; }";
    assert_string_not_equal(triage_signature(&arena, &x), a);
}

static void versions_are_numbers(void **state)
{
    (void)state;
    assert_true(triage_compare_versions("9.4.0", "12.2") < 0);
    assert_true(triage_compare_versions("12.2.0", "12.2.0") == 0);
    assert_true(triage_compare_versions("19.1.7", "19.1") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(versions_share_names, free_arena),
        cmocka_unit_test_teardown(crashes_of_two_versions_are_one, free_arena),
        cmocka_unit_test_teardown(wrong_code_is_told_apart, free_arena),
        cmocka_unit_test_teardown(versions_are_numbers, free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
