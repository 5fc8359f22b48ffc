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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(versions_share_names, free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
