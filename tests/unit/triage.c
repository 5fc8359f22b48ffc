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
        {"AArch64 Instruction Selection", "aarch64-isel", "aarch64-isel"},
        {"WebAssembly Instruction Selection", "wasm-isel", "wasm-isel"},
        {"M68k DAG->DAG Pattern Instruction Selection", "m68k-isel", "m68k-isel"},
        {"ARM Instruction Selection", "arm-isel", "arm-isel"},
        {"AArch64ExpandPseudo", "aarch64-expand-pseudo", "aarch64-expand-pseudo"},
        {"PowerPC VSX FMA Mutation", "ppc-vsx-fma-mutation", "ppc-vsx-fma-mutation"},
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

/* Where a crash is in the pass that is named, that pass does not only make room for it. */
static void crashes_are_in_passes(void **state)
{
    static const char crash[] = "error in backend: Cannot select: ch = store; pass M68k DAG->DAG "
                                "Pattern Instruction Selection; llvm::f";
    (void)state;
    assert_true(triage_crash_is_in(&arena, crash, "m68k-isel"));
    assert_true(triage_crash_is_in(&arena, crash, "instruction selection"));
    assert_false(triage_crash_is_in(&arena, crash, "loop-vectorize"));
    assert_false(triage_crash_is_in(&arena, "crash; llvm::f", "m68k-isel"));
    assert_false(triage_crash_is_in(&arena, crash, ""));
}

/* Since when is not known of what the oldest version here has; it stays part of the bug. */
static void oldest_version_is_no_date(void **state)
{
    struct triage_row rows[] = {{.compiler = "tcc", .other = true},
                                {.compiler = "gcc-11", .version = ""},
                                {.compiler = "gcc-12", .version = ""}};
    struct triage_matrix m = {rows, LENGTH(rows), "", "gcc-11", "", .crash = ""};
    struct triage_identity x = {.verdict = VERDICT_WRONG_CODE,
                                .family = "gcc",
                                .pass = "tree-vrp",
                                .method = METHOD_COUNTER,
                                .matrix = &m};
    (void)state;
    assert_string_equal(triage_signature(&arena, &x), "wrong-code gcc: tree-vrp in gcc-11 already");
    m.first_bad = "gcc-12";
    assert_string_equal(triage_signature(&arena, &x), "wrong-code gcc: tree-vrp since gcc-12");
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
    /* where it is known which expression goes wrong, that tells more; crash or not is chance */
    x.shape = "long >> int";
    a = triage_signature(&arena, &x);
    x.program = "int z;";
    x.verdict = VERDICT_PROGRAM_CRASH;
    assert_string_equal(triage_signature(&arena, &x), a);
    x.shape = "int >> int";
    assert_string_not_equal(triage_signature(&arena, &x), a);
    /* an operation that is wrong by itself is one bug, at whatever level and with whatever pass */
    x.alone = true;
    a = triage_signature(&arena, &x);
    x.pass = "tree-ccp";
    x.method = METHOD_DISABLE;
    assert_string_equal(triage_signature(&arena, &x), a);
}

/* ---- probes --------------------------------------------------------------------------- */

static struct unit parse(const char *text)
{
    struct front_options o = {.target = lang_target(TARGET_LP64), .file = "t.c"};
    struct unit u = front_parse(text, strlen(text), &o);
    assert_int_equal(u.error_count, 0);
    return u;
}

/* What stands around expressions is C again, and leaves alone what must be constant, an lvalue, or
 * of a bit-field's width. */
static void probed_programs_are_programs(void **state)
{
    static const char text[] =
        "enum e { A = 1 + 2 };\n"
        "struct s { int x; unsigned b : 3; unsigned long w : 40; } g = {1, 2, 3};\n"
        "static int t = 4 * 5;\n"
        "int f(int n) { static int k = 2 + 3; return n + k++; }\n"
        "double d = 0.5; short h[3];\n"
        "int main(void) {\n"
        "    int a[2 + 1] = {1, (2 + f(3)) * 4}, *p = &a[f(1) & 1];\n"
        "    for (int i = 0; i < 3; i++) { *p += i; h[i] = (short)(a[i] - -i); }\n"
        "    switch (g.x + 1) { case 1 + 1: g.b = g.b - 5 < 0 ? 1 : 2; break; default:; }\n"
        "    d = d * 2 + (float)t; g.w += 1; (void)sizeof(a[0] + 1);\n"
        "    h[0] = __builtin_constant_p(d) ? 1 : 1;\n"
        "    if (!(d > 1 && h[1]) || (t, a[1])) return (g.b ^ 1) - 3;\n"
        "    return ~a[0] & A;\n}\n";
    static const char *const kept[] = {"A = 1 + 2",        "case 1 + 1",
                                       "a[2 + 1]",         "k = 2 + 3",
                                       "sizeof(a[0] + 1)", " __builtin_constant_p(d) ?"};
    (void)state;
    for (size_t i = 0; i <= DENSITY_LITERALS; i++) {
        struct unit u = parse(text), again;
        struct text out = {0};
        struct probed probed;
        struct density_of which = {.density = (enum density)i};
        instrument(u.program, &arena, &which, &out, &probed);
        assert_true(probed.n > 2);
        for (size_t k = 0; k < LENGTH(kept); k++)
            assert_non_null(strstr(text_str(&out), kept[k]));
        again = parse(text_str(&out));
        lang_program_free(again.program);
        lang_program_free(u.program);
        text_free(&out);
    }
    struct text functions = {0};
    struct list nobody = {0};
    see_put_functions(1u << SEE_INT | 1u << SEE_UINT128 | 1u << SEE_FLOAT, &nobody, &functions);
    lang_program_free(parse(text_str(&functions)).program);
    text_free(&functions);
}

/* A probe that hands on what is right; an assignment is made once more, of that. */
static void probes_heal(void **state)
{
    static const char text[] = "int c, d;\nint main(void) { c |= d; return c; }\n";
    static const struct {
        enum see see;
        const char *value;
        bool can;
    } rows[] = {{SEE_INT, "7", true},
                {SEE_INT, "fffffffffffffffe", true},
                {SEE_BOOL, "1", true},
                {SEE_FLOAT, "-0x1.8p+3", true},
                {SEE_DOUBLE, "nan", false},
                {SEE_FLOAT, "inf", false},
                {SEE_INT128, "10000000000000000", false},
                {SEE_NONE, "1", false}};
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct healing h = {.see = rows[i].see};
        list_add(&arena, &h.values, (char *)rows[i].value);
        assert_int_equal(see_can_heal(&h), rows[i].can);
    }
    struct unit u = parse(text);
    struct text out = {0}, functions = {0};
    struct probed probed;
    struct density_of which = {.density = DENSITY_EXPRESSIONS};
    struct healing h = {.probe = 0, .see = SEE_INT};
    list_add(&arena, &h.values, "7");
    list_add(&arena, &which.healed, &h);
    instrument(u.program, &arena, &which, &out, &probed);
    assert_non_null(strstr(text_str(&out), "(c = cupel_see_i(0, c |= "));
    see_put_functions(probed.used, &which.healed, &functions);
    assert_non_null(strstr(text_str(&functions), "(int)0x7"));
    lang_program_free(parse(text_str(&functions)).program);
    lang_program_free(parse(text_str(&out)).program);
    lang_program_free(u.program);
    text_free(&out);
    text_free(&functions);
}

/* With probes the text has each of these, up to NULL, and is C again. */
static void assert_probed(const char *text, enum density density, const char *const *wanted)
{
    struct unit u = parse(text);
    struct text out = {0};
    struct probed probed;
    struct density_of which = {.density = density};
    instrument(u.program, &arena, &which, &out, &probed);
    for (; *wanted; wanted++)
        if (!strstr(text_str(&out), *wanted)) {
            print_error("%s\nlacks %s\n", text_str(&out), *wanted);
            assert_true(false);
        }
    lang_program_free(parse(text_str(&out)).program);
    lang_program_free(u.program);
    text_free(&out);
}

/* Where only statements are probed, nothing comes between a value and its store: both are read
 * back.
 */
static void stores_are_read_back(void **state)
{
    static const char text[] = "int g; struct { int x : 3; } s;\n"
                               "int f(int *p) {\n"
                               "    char c = g | 3, *q = &c; const int k = c + 1;\n"
                               "    for (int i = g + 1; i; i--) *p = i | k;\n"
                               "    *p++ = g + 2; s.x = g * 2;\n"
                               "    return ({ int z = g - 1; z; });\n}\n";
    static const char *const wanted[] = {"c = g | 3,", "c);", "k = c + 1; (void)cupel_see_i(",
                                         "*p = i | k, cupel_see_i(", ", (*p)",
                                         "z = g - 1; (void)cupel_see_i(",
                                         /* what cannot be read again, or not here */
                                         "i = cupel_see_i(", ", *p++ = g + 2);", NULL};
    (void)state;
    assert_probed(text, DENSITY_STATEMENTS, wanted);
}

/* What a compound assignment works on is looked at first, where that does nothing by itself. */
static void compound_assignments_are_looked_at_before(void **state)
{
    static const char text[] = "int g, a[4]; struct { int x : 3; } s;\n"
                               "int f(int *p) {\n"
                               "    a[g] += 2; s.x -= 1; g = a[1]++;\n"
                               "    *p++ += 2;\n"
                               "    return (s.x += 2);\n}\n";
    static const char *const wanted[] = {", (a[g])), ", ", (s.x)), s.x -= 1)", ", (a[1])), ",
                                         /* what would do something, or lose its width */
                                         "    cupel_see_i(", "return (s.x += 2);", NULL};
    (void)state;
    assert_probed(text, DENSITY_STORES, wanted);
}

static void shapes_have_no_names(void **state)
{
    static const struct {
        const char *expression, *shape;
    } rows[] = {
        {"a >> 3", "int >>"},
        {"c >> 3L", "int >>"},
        {"(_Bool)c", "(_Bool) signed char"},
        {"e--", "enum + or -"},
        {"s.b - 5L", "long + or -"},
        {"a >= 3", "signed <"},
        {"p < &a", "unsigned <"},
        {"l > 2u", "signed <"},
        {"a != 3", "int =="},
        {"d * 2.0f", "floating *"},
        {"5 - 7", "constant int + or -"},
        {"(short)l", "(short) long"},
        {"-c", "-int"},
        {"s.b++", "store to bit-field"},
        {"l <<= a", "long <<"},
        {"s.b = a", "signed bit-field = int"},
        {"a ? 1 : l", "long ?:"},
        {"f(2)", "call of int"},
        {"&a == p", "pointer =="},
        {"-w", "-int"},
        {"w * 3", "int *"},
        {"w / 3", "unsigned int / or % by a constant"},
        {"w % a", "unsigned int / or %"},
        {"l /= 3", "long / or % by a constant"},
        {"(unsigned long long)l + 1", "long + or -"},
        {"h < h", "unsigned <"},
        {"h > 3", "unsigned <"},
        {"h > -3", "signed <"},
        {"255", "constant int"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text shape = {0};
        struct unit u = parse(arena_printf(&arena,
                                           "struct { int x; int b : 3; } s; int a, *p; long l; "
                                           "char c; double d; enum { A } e; int f(int); "
                                           "unsigned w; unsigned short h;\n"
                                           "void g(void) { %s; }\n",
                                           rows[i].expression));
        const struct function *g = u.program->functions.at[0];
        const struct node *n = g->body->kid[0]->kid[0];
        while (n->kind == NODE_CAST && n->flags & NODE_IMPLICIT)
            n = n->kid[0];
        shape_put(u.program, n, &shape);
        assert_string_equal(text_str(&shape), rows[i].shape);
        text_free(&shape);
        lang_program_free(u.program);
    }
}

/* A sign that is lost or that should not be there is told from any other wrong value. */
/* What few programs have is listed, whatever else is there. */
static void features_are_listed(void **state)
{
    static const struct {
        const char *text, *features;
    } rows[] = {
        {"int main(void) { int a = 1; return a - 1; }", ""},
        {"int f(int n) { if (n) { int c[n]; c[0] = n; } return n; }",
         "program with variable-length array"},
        {"struct s { int a : 3; } x; struct s f(void) { return x; } int g(void) { return f().a; }",
         "program with bit-field, record by value"},
        {"_Thread_local long double d; __int128 w; _Atomic int a;",
         "program with __int128, long double, atomic, thread-local"},
        {"int f(void) { void *p = &&l; goto *p; l: return 0; }", "program with computed goto"},
        {"void *alloca(unsigned long); void *f(void) { return alloca(3); }", "program with alloca"},
        {"int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);\n"
         "int k = __builtin_va_arg(l, int); __builtin_va_end(l); return k; }",
         "program with variable arguments"},
        {"typedef int v __attribute__((vector_size(16))); v a; _Complex double c;",
         "program with vector, complex"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct unit u = parse(rows[i].text);
        assert_string_equal(feature_list(&arena, u.program), rows[i].features);
        lang_program_free(u.program);
    }
}

static void signs_are_noticed(void **state)
{
    static const char *const rows[][3] = {
        {"fffffffffffffff8", "ffff8", " without its sign"},
        {"1", "ffffffffffffffff", " with a sign that it has not"},
        {"0", "ffffffffffffffff", ""},
        {"fffffffffffffff8", "ffff9", ""},
        {"4", "0", ""},
        {"4", "never evaluated", ""},
        {"10000000000000001", "1", ""},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++)
        assert_string_equal(shape_difference(rows[i][0], rows[i][1]), rows[i][2]);
}

static void versions_are_numbers(void **state)
{
    (void)state;
    assert_true(triage_compare_versions("9.4.0", "12.2") < 0);
    assert_true(triage_compare_versions("12.2.0", "12.2.0") == 0);
    assert_true(triage_compare_versions("19.1.7", "19.1") > 0);
}

static void versions_tell_one_crash_in_other_words(void **state)
{
    static const struct {
        const char *x, *y;
        bool alike;
    } rows[] = {
        {"crash; pass P; llvm::A::f; llvm::A::g; llvm::B::h",
         "crash; pass P; llvm::B::f; llvm::B::h; llvm::C::run", true},
        {"crash; pass P; llvm::A::f; llvm::A::g", "crash; pass Q; llvm::A::f; llvm::A::g", false},
        {"crash; pass P; llvm::A::f; llvm::A::g", "crash; pass P; llvm::A::g", false},
        {"crash; llvm::A::f", "crash; pass P; llvm::A::f", false},
        {"crash; llvm::A::f", "crash; llvm::A::ff", false},
        {"in f, at x.c:12", "in f, at x.cc:19", true},
        {"in f, at x.c:12", "in g, at x.c:12", false},
        {"crash; pass P", "crash; pass P", true},
        {"crash; pass P", "crash; pass PP", false},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        assert_int_equal(triage_crash_alike(&arena, rows[i].x, rows[i].y), rows[i].alike);
        assert_int_equal(triage_crash_alike(&arena, rows[i].y, rows[i].x), rows[i].alike);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(versions_share_names, free_arena),
        cmocka_unit_test_teardown(crashes_of_two_versions_are_one, free_arena),
        cmocka_unit_test_teardown(crashes_are_in_passes, free_arena),
        cmocka_unit_test_teardown(oldest_version_is_no_date, free_arena),
        cmocka_unit_test_teardown(wrong_code_is_told_apart, free_arena),
        cmocka_unit_test_teardown(probed_programs_are_programs, free_arena),
        cmocka_unit_test_teardown(probes_heal, free_arena),
        cmocka_unit_test_teardown(stores_are_read_back, free_arena),
        cmocka_unit_test_teardown(compound_assignments_are_looked_at_before, free_arena),
        cmocka_unit_test_teardown(shapes_have_no_names, free_arena),
        cmocka_unit_test_teardown(features_are_listed, free_arena),
        cmocka_unit_test_teardown(signs_are_noticed, free_arena),
        cmocka_unit_test_teardown(versions_tell_one_crash_in_other_words, free_arena),
        cmocka_unit_test_teardown(versions_are_numbers, free_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
