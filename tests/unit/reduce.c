/* Reduction with predicates that know nothing of compilers: whatever they say, the result satisfies
 * them, is defined, is not larger, and is the same for any number of jobs. */
#include "base/base.h"
#include "gen/gen.h"
#include "reduce/reduce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Interesting is what has all the words, and whose hash is not one of the unlucky ones. */
struct predicate {
    const char *words[4];
    unsigned unlucky; /* of 16; the original is never unlucky */
    uint64_t original;
    bool saw_unknown; /* a candidate came without its prediction */
};

static bool has_words(const struct predicate *p, const struct text *t)
{
    for (size_t i = 0; i < LENGTH(p->words) && p->words[i]; i++)
        if (!strstr(text_str(t), p->words[i]))
            return false;
    return true;
}

static bool test(void *context, const struct reduce_candidate *c, unsigned worker, bool *holds,
                 struct err *e)
{
    struct predicate *p = context;
    uint64_t hash = hash_bytes(text_str(&c->units[0]), c->units[0].n);
    (void)worker;
    (void)e;
    if (!p->original)
        p->original = hash; /* the first one that it sees */
    if (!c->expect.known)
        p->saw_unknown = true;
    *holds = has_words(p, &c->units[0]) && (hash % 16 >= p->unlucky || hash == p->original);
    return true;
}

static struct text generate(uint64_t seed)
{
    struct gen_options o = gen_options_default();
    struct text out = {0};
    o.seed = seed;
    o.size = 12;
    struct generated g = gen_program(&o);
    lang_print(g.program, NULL, 0, &out);
    gen_free(&g);
    return out;
}

static struct text reduce_with(struct predicate *p, uint64_t seed, enum reduce_filter filter,
                               unsigned jobs)
{
    struct text text = generate(seed);
    struct reduce_report report;
    struct err e;
    p->original = 0;
    struct reduce_options o = {.filter = filter, .jobs = jobs, .test = test, .predicate = p};
    bool holds = false;
    assert_true(reduce_check(&o, &text, 1, &holds, &e));
    if (holds) {
        assert_true(reduce_run(&o, &text, 1, &report, &e));
        assert_true(report.complete);
        assert_true(report.last.tokens <= report.first.tokens);
        reduce_report_free(&report);
    }
    return text;
}

static void random_predicates(void **state)
{
    static const char *const words[] = {"for",   "if",   "static", "return", "=",  "[",
                                        "while", "sum",  "mix",    "+",      "<<", "unsigned",
                                        "?",     "long", "main",   "*"};
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct rng r = rng_seed(seed);
        struct predicate p = {.unlucky = (unsigned)rng_below(&r, 10)};
        size_t n = 1 + rng_below(&r, 3);
        for (size_t i = 0; i < n; i++)
            p.words[i] = words[rng_below(&r, LENGTH(words))];
        struct text one = reduce_with(&p, seed, REDUCE_DEFINED, 1);
        struct text two = reduce_with(&p, seed, REDUCE_DEFINED, 3);
        assert_string_equal(text_str(&one), text_str(&two));
        assert_false(p.saw_unknown);
        struct reduce_options o = {
            .filter = REDUCE_DEFINED, .jobs = 1, .test = test, .predicate = &p};
        struct err e;
        bool holds = false;
        assert_true(reduce_check(&o, &one, 1, &holds, &e));
        assert_int_equal(holds, has_words(&p, &one));
        text_free(&one);
        text_free(&two);
    }
}

static void nothing_wanted(void **state)
{
    struct predicate p = {0};
    (void)state;
    struct text t = reduce_with(&p, 3, REDUCE_DEFINED, 2);
    assert_string_equal(text_str(&t), "int main()\n{\n}\n");
    text_free(&t);
}

/* What one pass can do, in one line each: the smallest program with these words. */
static void passes(void **state)
{
    static const struct {
        const char *program, *word, *result;
    } rows[] = {
        {"int f(int x) { return x + 1; } int printf(const char *, ...);"
         "int main(void) { int unused = 3; if (f(2) > 1) printf(\"%d\\n\", f(41)); return 0; }",
         "printf(\"", "int printf(const char *, ...);\nint main()\n{\n    printf(\"\");\n}\n"},
        {"struct s { int a, b, c; } v = {1, 2, 3}; int main(void) { v.b = v.c; return v.b; }", "=",
         "int v = 3;\nint main()\n{\n}\n"},
        {"typedef unsigned long word; static const word table[4] = {1, 2, 3, 4};"
         "int main(void) { word s = 0; for (int i = 0; i < 4; i++) s += table[i]; return (int)s; }",
         "for", "int main()\n{\n    for (; 0;)\n        ;\n}\n"},
        {"int main(void) { int x = 7; int *p = &x; *p = 1; return *p; }", "goto", NULL},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct predicate p = {.words = {rows[i].word}};
        struct text t = {0};
        struct err e;
        struct reduce_report report;
        bool holds;
        text_puts(&t, rows[i].program);
        struct reduce_options o = {
            .filter = REDUCE_DEFINED, .jobs = 1, .test = test, .predicate = &p};
        assert_true(reduce_check(&o, &t, 1, &holds, &e));
        assert_int_equal(holds, rows[i].result != NULL);
        if (holds) {
            assert_true(reduce_run(&o, &t, 1, &report, &e));
            assert_string_equal(text_str(&t), rows[i].result);
            reduce_report_free(&report);
        }
        text_free(&t);
    }
}

static void reach(void **state)
{
    static const struct {
        const char *program;
        enum reduce_filter filter;
        bool undefined;
    } rows[] = {
        {"int main(void) { return 3; }", REDUCE_DEFINED, false},
        {"int main(void) { int x; return x; }", REDUCE_VALID, true},
        {"int f(void) { return 3; }", REDUCE_VALID, false},
        {"int main(void) { return 3 +; }", REDUCE_TEXT, false},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct arena a = {0};
        struct reduce_reach r;
        struct text t = {0};
        text_puts(&t, rows[i].program);
        reduce_reach(&(struct reduce_options){.filter = REDUCE_DEFINED}, &t, 1, &a, &r);
        assert_int_equal(r.filter, rows[i].filter);
        assert_int_equal(r.undefined, rows[i].undefined);
        assert_int_equal(*r.why == 0, rows[i].filter == REDUCE_DEFINED);
        text_free(&t);
        arena_free(&a);
    }
}

/* Text that is no C keeps the words, by lines and tokens. */
static void no_c(void **state)
{
    struct predicate p = {.words = {"needle"}};
    struct text t = {0};
    struct err e;
    struct reduce_report report;
    (void)state;
    text_puts(&t, "int x = 1 +;\n{ hay ( needle [ 1 ] ) hay }\nmore hay\n");
    struct reduce_options o = {.filter = REDUCE_TEXT, .jobs = 1, .test = test, .predicate = &p};
    assert_true(reduce_run(&o, &t, 1, &report, &e));
    assert_string_equal(text_str(&t), "needle\n");
    reduce_report_free(&report);
    text_free(&t);
}

static bool stop_at_once(void *context)
{
    (void)context;
    return true;
}

static void stopped(void **state)
{
    struct predicate p = {0};
    struct text t = generate(5);
    struct err e;
    struct reduce_report report;
    (void)state;
    struct reduce_options o = {
        .filter = REDUCE_DEFINED, .jobs = 1, .test = test, .predicate = &p, .stop = stop_at_once};
    assert_true(reduce_run(&o, &t, 1, &report, &e));
    assert_false(report.complete);
    assert_int_equal(report.tries, 0);
    reduce_report_free(&report);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_predicates),
        cmocka_unit_test(nothing_wanted),
        cmocka_unit_test(passes),
        cmocka_unit_test(reach),
        cmocka_unit_test(no_c),
        cmocka_unit_test(stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
