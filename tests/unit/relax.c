/* relax: plans are drawn within their bounds, printed and read back; whatever is relaxed, the text
 * that is written behaves as the run with edits did. */
#include "front/front.h"
#include "gen/gen.h"
#include "machine/machine.h"
#include "vary/vary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVERY = (1 << RELAXATION_COUNT) - 1 };

/* ---- plans ------------------------------------------------------------------------------- */

static void test_plans_stay_within_bounds(void **state)
{
    unsigned on[RELAXATION_COUNT] = {0}, forms[3] = {0};
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        struct relax_plan plan = relax_plan_draw(seed, RELAX_MISCOMPILE, EVERY);
        assert_in_range(plan.form, RELAX_FUNCTIONS, RELAX_MIXED);
        forms[plan.form]++;
        for (unsigned i = 0; i < RELAXATION_COUNT; i++) {
            assert_true(plan.probability[i] <= relaxation_info[i].high[RELAX_MISCOMPILE]);
            on[i] += plan.probability[i] > 0;
        }
    }
    for (unsigned i = 0; i < RELAXATION_COUNT; i++)
        assert_in_range(on[i], 1300, 1700); /* one half */
    for (unsigned i = 0; i < 3; i++)
        assert_in_range(forms[i], 850, 1150); /* one third */
}

static void test_a_relaxation_moves_no_other(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct relax_plan all = relax_plan_draw(seed, RELAX_CRASH, EVERY);
        struct relax_plan some = relax_plan_draw(seed, RELAX_CRASH, EVERY & ~4);
        for (unsigned i = 0; i < RELAXATION_COUNT; i++)
            assert_int_equal(some.probability[i], i == 2 ? 0 : all.probability[i]);
    }
}

static void test_seeds_are_read_as_printed(void **state)
{
    static const char paper[] = "1621474906, 2, 0.8, 0, 0, 0, 0.3, 0, 0";
    struct relax_plan plan, again;
    struct text text = {0};
    struct err e;
    (void)state;
    assert_true(relax_plan_parse(paper, &plan, &e));
    assert_int_equal(plan.seed, 1621474906);
    assert_int_equal(plan.form, RELAX_MIXED);
    assert_int_equal(plan.probability[RELAXATION_NULL_POINTER], 800);
    assert_int_equal(plan.probability[RELAXATION_BOUNDS], 300);
    relax_plan_print(&plan, &text);
    assert_string_equal(text_str(&text), paper);
    for (uint64_t seed = 0; seed < 300; seed++) {
        plan = relax_plan_draw(seed << 40 | seed, RELAX_CRASH, EVERY);
        text_clear(&text);
        relax_plan_print(&plan, &text);
        assert_true(relax_plan_parse(text_str(&text), &again, &e));
        assert_memory_equal(&plan, &again, sizeof plan);
    }
    static const char *const bad[] = {"",
                                      "7",
                                      "7, 3, 0, 0, 0, 0, 0, 0, 0",
                                      "x, 1",
                                      "-7, 1, 0, 0, 0, 0, 0, 0, 0",
                                      "18446744073709551616, 1, 0, 0, 0, 0, 0, 0, 0",
                                      "7, 1, 0, 0, 0, 0, 0, 0, 2",
                                      "7, 1, 0, 0, 0, 0, 0, 0, 0, 0"};
    for (size_t i = 0; i < LENGTH(bad); i++)
        assert_false(relax_plan_parse(bad[i], &plan, &e));
    text_free(&text);
}

static void test_validators_follow_the_relaxations(void **state)
{
    struct relax_result made = {0};
    (void)state;
    assert_int_equal(relax_validators(&made), 0);
    made.made[RELAXATION_PARAMETER] = made.made[RELAXATION_CONFLICT] = 5;
    assert_int_equal(relax_validators(&made), 0);
    made.made[RELAXATION_NULL_POINTER] = 1;
    assert_int_equal(relax_validators(&made), V_UBSAN);
    made.made[RELAXATION_UNINITIALISED] = 1;
    assert_int_equal(relax_validators(&made), V_UBSAN | V_MSAN | V_EVA);
}

/* ---- programs ---------------------------------------------------------------------------- */

struct subject {
    struct program *program;
    struct vary_facts *facts;
    struct vary *vary;
    struct text output;
    int status;
    uint64_t steps;
};

static struct program *parse(const char *text)
{
    struct unit u = front_parse(text, strlen(text), &(struct front_options){.file = "t.c"});
    if (u.error_count)
        fail_msg("line %u: %s in:\n%s", u.errors[0].place.line, u.errors[0].message, text);
    return u.program;
}

static struct subject open_subject(const char *text)
{
    struct subject s = {.program = parse(text)};
    struct machine_unit unit = {.program = s.program};
    struct machine *m = machine_new(&unit, 1, &(struct machine_options){.values = true});
    const struct machine_result *r = machine_run(m);
    assert_int_equal(r->end, MACHINE_FINISHED);
    text_add(&s.output, text_str(&r->output), r->output.n);
    s.status = r->status;
    s.steps = r->steps;
    s.facts = vary_facts_new(s.program);
    vary_facts_add_run(s.facts, s.program, m, 0);
    machine_free(m);
    s.vary = vary_open(s.program, s.facts);
    return s;
}

static void close_subject(struct subject *s)
{
    vary_close(s->vary);
    vary_facts_free(s->facts);
    lang_program_free(s->program);
    text_free(&s->output);
}

/* Reads what was written and executes it: as the result says. */
static void check_text(const struct relax_result *r, const char *text)
{
    struct program *p = parse(text);
    struct machine_unit unit = {.program = p};
    struct machine_execution x = machine_execute(&unit, 1, NULL);
    if (!x.defined || x.run->status != r->status ||
        strcmp(text_str(&x.run->output), text_str(&r->output)) != 0)
        fail_msg("%s, status %d, \"%s\" and not %d, \"%s\" in:\n%s", x.why->detail, x.run->status,
                 text_str(&x.run->output), r->status, text_str(&r->output), text);
    machine_execution_free(&x);
    lang_program_free(p);
}

static void check_plan(struct subject *s, const struct relax_plan *plan,
                       uint32_t made[RELAXATION_COUNT])
{
    struct arena a = {0};
    struct relax_result r;
    struct relax_request request = {.vary = s->vary,
                                    .output = &s->output,
                                    .status = s->status,
                                    .steps = s->steps,
                                    .plan = *plan};
    relax_program(&a, &request, &r);
    for (int printed = 0; printed < 2; printed++) {
        struct text text = {0};
        if (printed)
            lang_print(s->program, r.edits, r.count, &text);
        else
            lang_splice(s->program, r.edits, r.count, &text);
        check_text(&r, text_str(&text));
        text_free(&text);
    }
    for (unsigned i = 0; i < RELAXATION_COUNT; i++)
        made[i] += r.made[i];
    text_free(&r.output);
    arena_free(&a);
}

static void check_program(const char *text, unsigned plans, uint32_t made[RELAXATION_COUNT])
{
    for (uint64_t seed = 0; seed < plans; seed++) {
        struct subject s = open_subject(text);
        struct relax_plan plan = relax_plan_draw(seed, RELAX_CRASH, EVERY);
        check_plan(&s, &plan, made);
        close_subject(&s);
    }
}

/* Checks, arrays, pointers and blocks of every kind, live and dead. */
static const char *const programs[] = {
    "int printf(const char *, ...);\n"
    "static int g = 3, h = 4, *gp = &g, *hp = &h, arr[4] = {1, 2, 3, 4}, off;\n"
    "static short safe(short a, long b) { return b == 0 ? a : a / b; }\n"
    "static int use(int *p, int n) { return *p + n; }\n"
    "static int pass(int n, int m) { int r = use(&g, n); if (off) { int local = 5; r += local + "
    "*gp; for (r = 0; r < 4; r++) { arr[r] = safe(m, n); } } r += *hp; return r + arr[n & 3] + "
    "safe(n, m); }\n"
    "int main(void) { int x = 0, y = 2; for (int i = 0; i < 3; i++) x += pass(i, y) + y;\n"
    "if (x > 1000) return 9; printf(\"%d %d\\n\", x, g); return 0; }\n",
    "int printf(const char *, ...);\nstruct s { int a : 5; unsigned char b; short c[3]; } v = {1, "
    "2, {3}}, *p = &v; union u { int i; float f; } w = {7};\n"
    "static unsigned char clamp(int i) { return i < 0 ? 0 : i > 2 ? 2 : i; }\n"
    "static int f(struct s *q, int k) { int z, t[3]; for (int i = 0; i < 3; i++) t[i] = i * k;\n"
    "z = q->c[clamp(k)] + ({ int a_ = q->a; int b_ = t[1]; a_ > b_ ? a_ : b_; });\n"
    "switch (k) { case 1: z += t[k]; break; default: { int y = z; z = y + q->b; } } return z; }\n"
    "int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += f(p, i);\n"
    "printf(\"%d %d\\n\", s, w.i); return s & 3; }\n",
};

static void test_text_behaves_as_the_edits(void **state)
{
    uint32_t made[RELAXATION_COUNT] = {0};
    (void)state;
    for (size_t i = 0; i < LENGTH(programs); i++)
        check_program(programs[i], 25, made);
    for (unsigned i = 0; i < RELAXATION_COUNT; i++)
        if (!made[i])
            fail_msg("%s: never", relaxation_info[i].name);
}

static void test_generated_programs(void **state)
{
    uint32_t made[RELAXATION_COUNT] = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct gen_options options = gen_options_default();
        struct text text = {0};
        options.seed = seed;
        options.size = 30;
        options.features &= ~(UINT64_C(1) << GEN_HAS_MACRO); /* it is read as it is printed */
        struct generated g = gen_program(&options);
        gen_print(&g, &text);
        gen_free(&g);
        check_program(text_str(&text), 1, made);
        text_free(&text);
    }
}

/* ---- what is written --------------------------------------------------------------------- */

/* Without all checks that can go; what is written behaves as the program did. */
static void write_without_checks(const char *program, enum relax_form form, struct text *out)
{
    struct arena a = {0};
    struct relax_result r;
    struct subject s = open_subject(program);
    struct relax_request request = {.vary = s.vary,
                                    .output = &s.output,
                                    .status = s.status,
                                    .plan = {.form = form, .others = 100}};
    relax_program(&a, &request, &r);
    lang_splice(s.program, r.edits, r.count, out);
    check_text(&r, text_str(out));
    text_free(&r.output);
    arena_free(&a);
    close_subject(&s);
}

static void test_what_is_written(void **state)
{
    static const struct {
        const char *program, *part; /* of what is written */
    } rows[] = {
        /* a name that means something else at the call: the call stays */
        {"enum { K = 4 }; static int f(int x) { return x > 100 ? 0 : x + K; }"
         "int main(void) { int K = 9; return f(K); }",
         "return f(K);"},
        {"enum { K = 4 }; static int f(int x) { return x > 100 ? 0 : x + K; }"
         "int main(void) { int K = f(9); return K; }",
         "K = f(9);"},
        {"static int f(int); int main(void) { return f(9); }"
         "enum { K = 4 }; static int f(int x) { return x > 100 ? 0 : x + K; }",
         "return f(9);"},
        {"typedef enum { A, B } E; static E f(E x) { return x > 100 ? A : x; }"
         "int main(void) { E y = B; { int E = 3; y = f(y); return E + y; } }",
         "y = f(y);"},
        {"typedef int T[2]; static int f(int x) { return x > 100 ? 0 : x + (int)sizeof(T); }"
         "int main(void) { char T = 9; return f(T); }",
         "return f(T);"},
        {"static int g = 4; int main(void) { int y = ({ enum { K = 4 } x = g; x > 9 ? 0 : x + K; "
         "});"
         "return y; }",
         "(x + K)"},
        /* the same name, and the same meaning */
        {"enum { K = 4 }; static int f(int x) { return x > 100 ? 0 : x + K; }"
         "int main(void) { return f(9); }",
         "return (9 + K);"},
        {"typedef short T; static T f(T x) { return x > 100 ? 0 : (T)(x + 1); }"
         "int main(void) { int T = 9; return f(T); }",
         "(short)((short)T + 1)"},
        /* names of ours that are the program's already */
        {"static int cupel_1 = 3; static int sq(int x) { return x > 999 ? 0 : x * x; }"
         "int main(void) { return sq(cupel_1++); }",
         " = cupel_1++;"},
        {"static int cupel_safe_0(int x) { return x > 999 ? 0 : x * x; }"
         "int main(void) { int n = 0; for (int i = 998; i < 1002; i++) "
         "n += ({ int y = i; y > 1000 ? 3 : y; }) + cupel_safe_0(i); return n & 63; }",
         "cupel_safe_0(i)"},
        {"enum { a = 3 }; int main(void) { int n = 0; for (int i = 998; i < 1002; i++) "
         "n += ({ int y = i; y > 1000 ? a : y; }); return n & 63; }",
         "for (int i"},
        /* reads of volatile objects stay */
        {"volatile int v = 2; int main(void) { int r = 0; if (v) r = 3; return r; }", "(void)v;"},
        {"volatile int v = 2; int main(void) { return v ? 1 : 2; }", "((void)v, (int)1)"},
        {"typedef volatile int V; V v = 2; int main(void) { return v ? 1 : 2; }", "((void)v, "},
        {"volatile int v = 2; int main(void) { return v && 0; }", "((void)v, !!0)"},
        {"volatile struct { int a[2]; } v = {{2}}; int main(void) { return v.a[0] ? 1 : 2; }",
         "((void)v.a[0], "},
        {"volatile int v = 2; static int one(int x, int y) { return x > 40000 ? y : x; }"
         "int main(void) { return one(v, v); }",
         "((void)v, v)"},
        {"volatile int v = 2; static int zero(int x) { return x > 40000 ? x : 0; }"
         "int main(void) { return zero(v); }",
         "((void)v, 0)"},
        {"volatile int v = 2; static int both(int x, int y) { return x > 40000 ? 7 : x && y; }"
         "int g; int main(void) { return both(g, v); }",
         " = v;"},
        {"volatile int v = 2, w[3]; int main(void) { return (&v ? 1 : 2) + (w ? 3 : 4); }",
         "return (((int)1)) + (((int)3));"},
        /* arithmetic that was unsigned for fear of overflow */
        {"long a = 5; int main(void) { return (long)((unsigned long)a * 3ul); }",
         "return (a * 3L);"},
        {"int a = 5; int main(void) { return (int)(0u - (unsigned)a); }", "return (0 - a);"},
        {"int a = 5; int main(void) { return (int)-(unsigned)a; }", "return (-a);"},
        {"int a = 5; int main(void) { return (int)((unsigned)a + 0x80000000u); }", "80000000u"},
        {"int a = -2147483647 - 1; int main(void) { return (int)-(unsigned)a; }", "-(unsigned)a"},
        /* what comes after && or || and never mattered */
        {"int a = 5; int main(void) { int k = 4; while (k-- > 0 && a) a++; return a; }",
         "while ((!!(k-- > 0)))"},
        {"int a, b; int main(void) { for (int k = 4; k > 0; k--) b += k > 2 || a; return b; }",
         "b += (!!(k > 2))"},
        {"int a = 5; int main(void) { int k = 4; while (k-- > 0 && a++) ; return a; }", "&& a++"},
        {"volatile int v = 5; int main(void) { int k = 4; while (k-- > 0 && v) ; return k; }",
         "&& v"},
        /* structures */
        {"struct s { int x; } a = {3}, b; int c = 1; int main(void) { struct s t = c ? a : b; "
         "return t.x; }",
         "struct s t = a;"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (unsigned form = RELAX_FUNCTIONS; form <= RELAX_AS_WRITTEN; form++) {
            struct text text = {0};
            write_without_checks(rows[i].program, (enum relax_form)form, &text);
            if (form == RELAX_AS_WRITTEN && !strstr(text_str(&text), rows[i].part))
                fail_msg("no %s in:\n%s", rows[i].part, text_str(&text));
            text_free(&text);
        }
}

/* ---- what is lost in the writing ---------------------------------------------------------- */

/* A reader who takes some changes for mistakes. */
struct reader {
    struct program *program;
    const char *bad[2];
    unsigned asked;
};

static bool read_badly(void *context, const struct relax_result *so_far)
{
    struct reader *reader = context;
    struct text text = {0};
    bool good = true;
    reader->asked++;
    lang_splice(reader->program, so_far->edits, so_far->count, &text);
    check_text(so_far, text_str(&text));
    for (size_t i = 0; i < LENGTH(reader->bad); i++)
        good = good && !(reader->bad[i] && strstr(text_str(&text), reader->bad[i]));
    text_free(&text);
    return good;
}

static void test_a_change_that_is_lost_is_found(void **state)
{
    static const struct {
        const char *bad[2], *part;
        uint32_t wrappers, others; /* that are removed nevertheless */
    } rows[] = {
        {{NULL}, "s = (1 + 2); s += (3 + 4); s += (5 + 6);", 3, 1},
        {{"(3 + 4)"}, "s = (1 + 2); s += f(3, 4); s += (5 + 6);", 2, 1},
        {{"(1 + 2)", "(5 + 6)"}, "s = f(1, 2); s += (3 + 4); s += f(5, 6);", 1, 1},
        {{"s += (5", "{     s++;"}, "if (s < 100) s++;", 2, 0},
        {{"f("}, "s = f(1, 2); s += f(3, 4); s += f(5, 6); if (s < 100) s++;", 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct arena a = {0};
        struct text text = {0};
        struct relax_result r;
        struct subject s = open_subject(
            "static int f(int x, int y) { return x > 99 ? 0 : x + y; } int main(void) { int s; "
            "s = f(1, 2); s += f(3, 4); s += f(5, 6); if (s < 100) s++; return s; }");
        struct reader reader = {s.program, {rows[i].bad[0], rows[i].bad[1]}, 0};
        struct relax_request request = {.vary = s.vary,
                                        .output = &s.output,
                                        .status = s.status,
                                        .plan = {.form = RELAX_AS_WRITTEN, .others = 100},
                                        .confirm = read_badly,
                                        .context = &reader};
        relax_program(&a, &request, &r);
        lang_splice(s.program, r.edits, r.count, &text);
        if (!strstr(text_str(&text), rows[i].part))
            fail_msg("no %s in:\n%s", rows[i].part, text_str(&text));
        assert_int_equal(r.counts.ran.removed, rows[i].wrappers);
        assert_int_equal(r.counts.other.removed, rows[i].others);
        assert_int_equal(r.counts.guilty, 4 - rows[i].wrappers - rows[i].others);
        assert_int_equal(r.status, s.status);
        assert_in_range(reader.asked, 1, 20);
        text_free(&text);
        text_free(&r.output);
        arena_free(&a);
        close_subject(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans_stay_within_bounds),
        cmocka_unit_test(test_a_relaxation_moves_no_other),
        cmocka_unit_test(test_seeds_are_read_as_printed),
        cmocka_unit_test(test_validators_follow_the_relaxations),
        cmocka_unit_test(test_text_behaves_as_the_edits),
        cmocka_unit_test(test_generated_programs),
        cmocka_unit_test(test_what_is_written),
        cmocka_unit_test(test_a_change_that_is_lost_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
