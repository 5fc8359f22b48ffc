/* Reduction with predicates that know nothing of compilers: whatever they say, the result satisfies
 * them, is defined, is not larger, and is the same for any number of jobs. */
#include "base/base.h"
#include "gen/gen.h"
#include "reduce/private.h"
#include "sys/sys.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Interesting is what has all the words, and whose hash is not one of the unlucky ones. */
struct predicate {
    const char *words[4];
    unsigned unlucky; /* of 16; the original is never unlucky */
    uint64_t original;
    bool saw_unknown; /* a candidate came without its prediction */
    bool fails;       /* its exit status must not be 0 */
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
    *holds = has_words(p, &c->units[0]) && (hash % 16 >= p->unlucky || hash == p->original) &&
             (!p->fails || c->expect.status);
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
        if (holds) { /* a second reduction finds nothing */
            struct reduce_report report;
            assert_true(reduce_run(&o, &one, 1, &report, &e));
            reduce_report_free(&report);
            assert_string_equal(text_str(&one), text_str(&two));
        }
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

/* What C leaves open does not come in: where objects are, in which order operands are evaluated,
 * what a function gives that only says "less".  An original in which it is may be reduced all the
 * same. */
static void nothing_open(void **state)
{
    static const struct {
        const char *text, *word;
        bool may_be_open;
    } rows[] = {
        {"int b; int main(void) { return 1 + 0 * (int)((long)&b >> 4 & 255); }", "&b >> 4 & 255",
         false},
        {"int x; int g(void) { return x = 1; } int h(void) { return x = 2; }"
         "int f(int a, int b) { return a; } int main(void) { f(g(), h()); x = 3; return x; }",
         "f(g(), h())", false},
        {"int strcmp(const char *, const char *);"
         "int main(void) { return strcmp(\"a\", \"c\") < 0; }",
         "strcmp(\"a\", \"c\")", false},
        {"int b, c; int main(void) { c = 4; return c + (int)((long)&b >> 12 & 7); }",
         "&b >> 12 & 7", true},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct predicate p = {.words = {rows[i].word}, .fails = true};
        struct text t = {0};
        struct arena a = {0};
        struct reduce_report report;
        struct reduce_reach reach;
        struct err e;
        text_puts(&t, rows[i].text);
        struct reduce_options o = {
            .filter = REDUCE_DEFINED, .jobs = 1, .test = test, .predicate = &p};
        assert_true(reduce_run(&o, &t, 1, &report, &e));
        assert_true(report.last.tokens < report.first.tokens);
        reduce_reach(&o, &t, 1, &a, &reach);
        assert_true(has_words(&p, &t) && reach.expect.status);
        assert_true(!reach.open || rows[i].may_be_open);
        reduce_report_free(&report);
        arena_free(&a);
        text_free(&t);
    }
}

/* For a compiler to which the end of main is any value. */
static void main_returns(void **state)
{
    struct predicate p = {0};
    struct text t = {0};
    struct err e;
    struct reduce_report report;
    (void)state;
    text_puts(&t, "int x; int main(void) { x = 3; return x - x; }");
    struct reduce_options o = {
        .filter = REDUCE_DEFINED, .jobs = 1, .test = test, .predicate = &p, .main_returns = true};
    assert_true(reduce_run(&o, &t, 1, &report, &e));
    assert_string_equal(text_str(&t), "int main()\n{\n    return 0;\n}\n");
    reduce_report_free(&report);
    text_free(&t);
}

/* For a compiler that is wrong about every exit status. */
static void output_stays(void **state)
{
    static const enum pass_id passes[] = {PASS_RESULTS, PASS_EARLY};
    struct text t = {0};
    struct subject s = {0};
    struct reduce_options o = {.filter = REDUCE_DEFINED};
    const char *why;
    (void)state;
    text_puts(&t, "int printf(const char *, ...);"
                  "int main(void) { int x = 3; int y = x * 2; printf(\"%d\\n\", y); return 0; }");
    assert_true(subject_open(&s, &o, &t, 1, &why));
    for (size_t i = 0; i < 2 * LENGTH(passes); i++) {
        struct hints h = {0};
        struct pass p = {.options = &o, .s = &s, .v = &s.views[0], .h = &h};
        o.keeps_output = i % 2;
        reduce_passes[passes[i / 2]].make(&p);
        assert_int_equal(h.n == 0, o.keeps_output);
        hints_free(&h);
    }
    subject_close(&s);
}

/* No patch reaches into what the library declares. */
static void library_stays(void **state)
{
    static const char library[] = "int printf(const char *, ...);";
    struct text t = {0};
    struct subject s = {0};
    struct reduce_options o = {.filter = REDUCE_VALID};
    struct hints h = {0};
    const char *why;
    (void)state;
    text_printf(&t, "struct s { int a; };\n%s\nint main(void) { printf(\"\"); }", library);
    assert_true(subject_open(&s, &o, &t, 1, &why));
    struct pass p = {.options = &o, .s = &s, .v = &s.views[0], .h = &h};
    uint32_t begin = (uint32_t)(strstr(p.v->text, library) - p.v->text);
    reduce_passes[PASS_SPARE].make(&p);
    assert_true(h.patch_count > 0);
    for (size_t i = 0; i < h.patch_count; i++)
        assert_true(h.patches[i].end <= begin || h.patches[i].begin >= begin + strlen(library));
    hints_free(&h);
    subject_close(&s);
}

/* What C11 has not is seen, each kind for itself: what one program has does not excuse another
 * kind. */
static void oddities(void **state)
{
    static const char *const odd[] = {
        "int f(a) { return a; } int main(void) { return f(0); }",
        "int main(void) { return g(); } int g(void) { return 0; }",
        "struct { } s; int main(void) { return 0; }",
        "int a[0]; int main(void) { return 0; }",
        "int f(a) int a; { return a; } int main(void) { return f(0); }",
        "long l; int *p = &l; int main(void) { return p == 0; }",
        "int *p; int main(void) { return p = 3, 0; }",
        "const int c; int *p = &c; int main(void) { return p == 0; }",
        "int *p; int main(void) { return p; }",
        "int c; const int *p = &c; void *q = &c; int main(void) { return q != p || !p; }",
        "int f(void) { return; } int main(void) { f(); return 0; }",
        "int a[]; int main(void) { return a[0]; }",
        "extern int a[]; int b[] = {0}; int main(void) { return b[0]; }",
        "int main(void) { goto l; l: int x = 1; return x; }",
        "int main(void) { switch (0) { case 0: } return 0; }",
        "int main(void) { goto l; l:; int x = 1; return x; }",
        "__attribute__((vector_size(16))) int v; int main(void) {"
        "    __attribute__((vector_size(16))) float f = v; return f[0] != 0; }",
        "struct { union u { int a; }; int b; } s; int main(void) { return s.b; }",
        "struct { union { int a; }; int b; } s; int main(void) { return s.a; }",
    };
    uint16_t bits[LENGTH(odd)];
    (void)state;
    for (size_t i = 0; i < LENGTH(odd); i++) {
        struct text t = {0};
        struct subject s = {0};
        struct reduce_options o = {.filter = REDUCE_VALID};
        const char *why;
        text_puts(&t, odd[i]);
        assert_true(subject_open(&s, &o, &t, 1, &why));
        bits[i] = s.odd;
        subject_close(&s);
        text_free(&t);
    }
    assert_true(bits[0] && bits[0] == bits[1]);
    assert_true(bits[2] && bits[2] == bits[3] && !(bits[2] & bits[0]));
    assert_int_equal(bits[4], 0);
    assert_true(bits[5] && !(bits[5] & (bits[0] | bits[2])));
    for (size_t i = 6; i < 9; i++)
        assert_int_equal(bits[i], bits[5]);
    assert_int_equal(bits[9], 0);
    assert_true(bits[10] && !(bits[10] & (bits[0] | bits[2] | bits[5])));
    assert_int_equal(bits[11], bits[2]);
    assert_int_equal(bits[12], 0);
    assert_true(bits[13] && !(bits[13] & (bits[0] | bits[2] | bits[5] | bits[10])));
    assert_int_equal(bits[14], bits[13]);
    assert_int_equal(bits[15], 0);
    assert_int_equal(bits[16], bits[5]);
    assert_true(bits[17] && !(bits[17] & (bits[0] | bits[2] | bits[5] | bits[10] | bits[13])));
    assert_int_equal(bits[18], 0);
}

/* In pairs: the first has what C11 has not, the second has not. */
static void pairs_of_oddities(void **state)
{
    static const char *const pairs[][2] = {
        {"int main(void) { return 1 ?: 2; }", "int main(void) { return 1 ? 1 : 2; }"},
        {"void *p; int main(void) { return p + 1 == 0; }",
         "char *p; int main(void) { return p + 1 == 0; }"},
        {"int main(void) { return sizeof(void) == 1; }",
         "int main(void) { return sizeof(void *) == 1; }"},
        {"int a[2] = {1, 2, 3}; int main(void) { return 0; }",
         "int a[3] = {1, 2, 3}; int main(void) { return 0; }"},
        {"int a = {1, 2}; int main(void) { return 0; }",
         "int a = {1}; int main(void) { return 0; }"},
        {"struct { int n, a[]; } s = {1, 2}; int main(void) { return 0; }",
         "struct { int n, a[]; } s = {1}; int main(void) { return 0; }"},
        {"struct { int a; }; int main(void) { return 0; }",
         "struct s { int a; }; enum { A }; int main(void) { return 0; }"},
        {"int main(void) { int; return 0; }", "int main(void) { enum { A }; return A; }"},
        {"struct s { int : 1; }; int main(void) { return 0; }",
         "struct s { int a : 1; }; int main(void) { return 0; }"},
        {"static int f(void); int main(void) { return f(); }",
         "static int f(void); int main(void) { return f(); } static int f(void) { return 0; }"},
        {"void f(void) { return 1; } int main(void) { return 0; }",
         "void f(void) { return; } int main(void) { return 0; }"},
    };
    (void)state;
    for (size_t i = 0; i < 2 * LENGTH(pairs); i++) {
        struct text t = {0};
        struct subject s = {0};
        struct reduce_options o = {.filter = REDUCE_VALID};
        const char *why;
        text_puts(&t, pairs[i / 2][i % 2]);
        assert_true(subject_open(&s, &o, &t, 1, &why));
        if ((s.odd != 0) != (i % 2 == 0))
            print_error("for: %s\n", pairs[i / 2][i % 2]);
        assert_int_equal(s.odd != 0, i % 2 == 0);
        subject_close(&s);
        text_free(&t);
    }
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

/* No two tokens grow together. */
static void packed(void **state)
{
    static const struct {
        const char *text, *packed;
    } rows[] = {
        {"int a = 1 ;\nint main ( void )\n{\n    return a - -1 ;\n}\n",
         "int a=1;int main(void){return a- -1;}\n"},
        {"x . y; a + ++b; c & &d; e / *f; 0xe + 1; 1 .5; L \"x\"; g - > 1",
         "x.y;a+ ++b;c& &d;e/ *f;0xe +1;1 .5;L \"x\";g- >1\n"},
        {"#pragma pack(1)\nint a; /* c */ #b\n#pragma x\nint\nb;",
         "#pragma pack(1)\nint a;#b\n#pragma x\nint b;\n"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text t = {0};
        text_puts(&t, rows[i].text);
        tokens_pack(&t);
        assert_string_equal(text_str(&t), rows[i].packed);
        text_free(&t);
    }
}

static void shortened(void **state)
{
    struct text t = {0};
    (void)state;
    text_puts(&t, "unsigned int a; char *s = \"unsigned int\"; unsigned integer;");
    tokens_shorten(&t);
    assert_string_equal(text_str(&t), "unsigned a; char *s = \"unsigned int\"; unsigned integer;");
    text_free(&t);
}

/* ---- passes one by one -------------------------------------------------------------------- */

/* The text with one hint applied, as a candidate would be. */
static struct text apply_hint(const struct subject *from, const struct hints *h, size_t hint)
{
    struct text to = {0};
    struct patch patches[64];
    assert_true(h->at[hint].count < LENGTH(patches));
    memcpy(patches, h->patches + h->at[hint].first, h->at[hint].count * sizeof *patches);
    patches_apply(from->texts, 1, patches, h->at[hint].count, &to);
    return to;
}

static struct text without_blanks(const char *s)
{
    struct text out = {0};
    for (; *s; s++)
        if (*s != ' ' && *s != '\n')
            text_putc(&out, *s);
    return out;
}

/* Does the pass offer this, however it is laid out? */
static bool offers(enum pass_id id, const char *program, const char *wanted)
{
    struct reduce_options o = {.filter = REDUCE_DEFINED};
    struct subject s = {0};
    struct hints h = {0};
    struct text t = {0};
    const char *why;
    bool found = false;
    text_puts(&t, program);
    assert_true(subject_open(&s, &o, &t, 1, &why));
    struct pass p = {.options = &o, .s = &s, .v = &s.views[0], .h = &h};
    reduce_passes[id].make(&p);
    for (size_t i = 0; i < h.n && !found; i++) {
        struct text candidate = apply_hint(&s, &h, i);
        struct text have = without_blanks(text_str(&candidate)), want = without_blanks(wanted);
        found = strstr(text_str(&have), text_str(&want));
        text_free(&have);
        text_free(&want);
        text_free(&candidate);
    }
    hints_free(&h);
    subject_close(&s);
    return found;
}

static void hints_of_passes(void **state)
{
    static const struct {
        enum pass_id pass;
        const char *program, *offered; /* part of what one of its hints gives */
        bool is_offered;
    } rows[] = {
        {PASS_UNROLL,
         "int a[2]; int main(void) { int i; for (i = 0; i < 2; i++) a[i] = i; return a[1]; }",
         "{ a[0] = 0; a[1] = 1; }", true},
        {PASS_UNROLL,
         "int a[9]; int main(void) { for (int i = 4; i > 0; i -= 2) a[i] = 7; return a[2]; }",
         "{ a[4] = 7; a[2] = 7; }", true},
        {PASS_UNROLL, "int x; int main(void) { while (x < 2) x++; return x; }", "{ x++;x++; }",
         true},
        {PASS_UNROLL, "int x; int main(void) { while (1) { x++; if (x > 1) break; } return x; }",
         "{", false},
        {PASS_UNROLL,
         "int x; int main(void) { for (int i = 0; i < 100; i++) x++; return x == 100; }",
         "x++; x++", false},
        {PASS_TURNS,
         "int x; int main(void) { for (int i = 9; i > 0; i -= 3) x = i; return x == 3; }",
         "{ x = 3; }", true},
        {PASS_TURNS, "int x; int main(void) { for (int i = 0; i < 9; i++) if (x++) break; }",
         "{ if (x++)", false},
        {PASS_FLATTEN,
         "struct s { int a, b[2]; } v = {1, {2, 3}}; int main(void) { return v.b[1] + v.a; }",
         "int v_a = 1; int v_b[2] = {2, 3};", true},
        {PASS_FLATTEN, "struct s { int a; } v[3]; int main(void) { v[1].a = 2; return v[1].a; }",
         "int v_a[3]; int main(void) { v_a[1] = 2;", true},
        {PASS_FLATTEN,
         "struct s { int a; } v; int main(void) { struct s *p = &v; return p->a + v.a; }", "v_a",
         false},
        {PASS_CONSTANTS, "long double x = 61.0L; int main(void) { return x < 0; }", "x = 1.L;",
         true},
        {PASS_ALIKE,
         "struct s { int a; } v; struct t { int a, b; } u; struct r { int a; } w;"
         "int main(void) { return w.a + u.b; }",
         "struct t { int a, b; } u; struct s w;", true},
        {PASS_DIRECT,
         "int f(int x) { return x; } int (*p[])(int) = {0, f}; int main(void) { return p[1](0); }",
         "return f(0);", true},
        {PASS_DIRECT,
         "int g(void) { return 0; } int f(int x) { return x; } int (*p[])(int) = {f};"
         "int main(void) { return p[0](g()); }",
         "return g(", false},
        {PASS_NEIGHBOURS,
         "struct s { int a; } v, *p = &v; int main(void) { int x = 0; return x && p->a; }",
         "return x && x;", true},
        {PASS_NEIGHBOURS, "int a[2], x; int f(void) { return x; } int main(void) { return a[1]; }",
         "return x; }", false},
        {PASS_SHARE, "int main(void) { int x = 1; long l = 1; int y = 2; return l == y; }",
         "long l = 1; return l == x;", true},
        {PASS_QUALIFIERS, "extern int puts(const char *s); int main(void) { return puts(\"\"); }",
         "extern int puts(const char *);", true},
        {PASS_QUALIFIERS, "extern int puts(const char *s); int main(void) { return puts(\"\"); }",
         "int puts(char", false},
        {PASS_QUALIFIERS, "extern int puts(const char *s); int main(void) { return 0; }",
         "int puts(char", true},
        {PASS_QUALIFIERS, "int abs(int); int main(void) { return 0; }", "abs()", false},
        {PASS_QUALIFIERS,
         "int f(char *, char *) __attribute__((pure, nonnull(1, 2), leaf)); int main(void) { }",
         "((pure, leaf))", true},
        {PASS_PARAMETERS, "int puts(const char *s); int main(void) { return 0; }", "int puts();",
         true},
        {PASS_PARAMETERS, "int f(int, long); int main(void) { return 0; }", "int f(int);", true},
        {PASS_PARAMETERS, "int abs(int); int main(void) { return abs(0); }", "int abs();", false},
        {PASS_NAMES, "int abs(int); int main(void) { return 0; }", "int a(int);", true},
        {PASS_NAMES, "int abs(int); int main(void) { return abs(0); }", "int a(int);", false},
        {PASS_SPARE, "struct s { int a : 3, b; } v; int main(void) { return v.b; }",
         "{ int a, b; }", true},
        {PASS_SPARE, "int puts(const char *); int main(void) { return puts(\"\") < 0; }",
         "int puts();", false},
        {PASS_BRANCHES,
         "int x; int main(void) { switch (x) { case 1: x = 1; break; default: x = 2; } return 0; }",
         "{ { x = 1; ; x = 2; } return 0; }", true},
        {PASS_BRANCHES, "int x; int main(void) { switch (x) case 0: while (1) break; return 0; }",
         "{ while (1) break; return 0; }", true},
        {PASS_EARLY, "int x; int main(void) { switch (x + 3) case 3: x = 1; return x; }",
         "main(void) { return x + 3; }", true},
        {PASS_EARLY, "int main(void) { if (_Generic(0, int: 1, default: 0)) return 7; }",
         "main(void) { return _Generic(0, int: 1, default: 0); }", true},
        {PASS_GIVEN, "int main(void) { int x; x = 3; return x - 3; }", "{ int x = 3; return", true},
        {PASS_GIVEN, "int x, y; int main(void) { y = 3; return y - 3; }", "int x, y = 3; int main",
         true},
        {PASS_GIVEN, "int x = 1; int main(void) { x = 3; return x - 3; }", "", false},
        {PASS_BRANCHES, "int x; int main(void) { if (x++) ; return x - 1; }", "{ x++; return",
         true},
        {PASS_BRANCHES, "int x; int main(void) { if (x++) x = 3; return x - 1; }", "{ x++; return",
         false},
        {PASS_LOOPS, "int x; int main(void) { while (x++ < 0) ; return x - 1; }",
         "{ x++ < 0; return", true},
        {PASS_DECLARATORS,
         "int f(void) { return 1; } int main(void) { int x = f(), *y = 0; return y == 0; }",
         "{ f(); int *y = 0; return", true},
        {PASS_DECLARATORS,
         "int f(void) { return 1; } int main(void) { int x = 0, *y = 0, z = f(); return x; }",
         "{ int x = 0, *y = 0; f(); return", true},
        {PASS_DECLARATORS, "int main(void) { int x = 0, *y = 0, z = 3; return z + x; }",
         "int x = 0, z = 3;", true},
        {PASS_ALIKE,
         "struct s { int a; } v; struct t { int a; } w; struct t f(struct t x) { return x; }"
         "int main(void) { return f(w).a; }",
         "struct s { int a; } v; struct s w; struct s f(struct s x)", true},
        {PASS_ALIKE,
         "struct s { int a; } v; struct t { int a; }; struct t w; int main(void) { return w.a; }",
         "struct s { int a; } v; struct s w;", true},
        {PASS_SHARE, "int main(void) { int x = 1, y = 2; return y; }", "return x", true},
        {PASS_PLACES, "int g; int main(void) { int x = 0; g = x; return g; }", "int g, x = 0;",
         true},
        {PASS_PLACES, "int g; int main(void) { int x = 0; g = x; return g; }", "int g, x;", true},
        {PASS_PLACES, "int g; int main(void) { int x = 0; g = x; return g; }", "int x = 0, g;",
         true},
        {PASS_PLACES, "long g; int main(void) { int x = 0; g = x; return 0; }", "", false},
        {PASS_TAGS, "struct s { int a; }; struct s v; int main(void) { return v.a; }",
         "struct s { int a; } v;", true},
        {PASS_TAGS,
         "struct s { int a; } __attribute__((packed)); struct s v; int main(void) { return v.a; }",
         "struct s { int a; } __attribute__((packed)) v;", true},
        {PASS_TAGS, "struct s { int a; } v; int main(void) { return v.a; }", "struct { int a; } v;",
         true},
        {PASS_TAGS, "struct s { struct s *a; } v; int main(void) { return v.a != 0; }", "", false},
        {PASS_RESULTS,
         "int printf(const char *, ...); int main(void) { int x = 7; printf(\"%d\\n\", x); }",
         "return x;", true},
        {PASS_RESULTS,
         "int printf(const char *, ...); int main(void) { int x = 777; printf(\"%d\\n\", x); }",
         "return (x) != 777;", true},
        {PASS_RESULTS,
         "int printf(const char *, ...); void f(int x) { printf(\"%d\\n\", x); }"
         "int main(void) { f(1); }",
         "return", false},
        {PASS_FUNCTIONS,
         "struct s { int a; } f(void) { struct s v = {1}; return v; }"
         "int main(void) { struct s w = f(); return w.a; }",
         "= (struct s){0};", true},
        {PASS_TYPES, "enum e { A } f(void) { return 0; } int main(void) { return f(); }",
         "int f(void)", true},
        {PASS_MERGE, "struct s { int a; int b; } v; int main(void) { return v.b; }", "int a, b;",
         true},
        {PASS_MERGE, "struct s { int a; long b; } v; int main(void) { return v.a; }", ",", false},
        {PASS_OUTER, "int main(void) { int x = 1; x++; x--; return x; }", "int x = 1; x--;", true},
        {PASS_OUTER, "int main(void) { int x = 1; return x; }", "main(void) { return x", false},
        {PASS_OUTER, "int main(void) { int x; x = 1; x++; return x; }", "int x; x++;", false},
        {PASS_OUTER, "int x; int main(void) { if (!x) goto a; x = 1; a: x++; return 0; }",
         "x = 1; a: ; return 0;", true},
        {PASS_CUT, "int x; int main(void) { x = 1; x = 2; x = 3; x = 4; return x; }",
         "{ x = 1; x = 4; return x; }", true},
        {PASS_CUT,
         "int x; int f(void) { int y = 2; x = 1; x = 2; return y; }"
         "int main(void) { f(); x = 3; x = 4; return x; }",
         "{ int y = 2; x = 1; return y; } int main(void) { f(); x = 4; return x; }", true},
        {PASS_CUT,
         "int x; void f(void) { x = 1; x = 2; } int main(void) { f(); f(); x = 4; return x; }",
         "void f(void) { x = 1; }", false},
        {PASS_SETTLE, "int x = 3; int main(void) { return 9 >> x; }", "9 >> 3", true},
        {PASS_SETTLE, "int x = 3; int main(void) { return 9 & x; }", "9 & 3", false},
        {PASS_INITS, "int x[2] = {3, 4}; int main(void) { return x[1] == 9; }", "int x[2];", true},
        {PASS_INITS, "int main(void) { int x[2] = {3, 4}; return x[1] == 9; }", "int x[2] = {0};",
         true},
        {PASS_INITS, "int main(void) { int x = 34; return x == 9; }", "int x = 0;", true},
        {PASS_INITS, "int main(void) { int x = 3; return x == 9; }", "", false},
        {PASS_INITS, "int x, *p = &x; int main(void) { return *p; }", "", false},
        {PASS_ELEMENTS, "int x, *p = &x; int main(void) { return *p; }", "int x, *p;", true},
        {PASS_ELEMENTS, "int x[2] = {3, 4}; int main(void) { return x[1] == 9; }", "= {3}", true},
        {PASS_BARE, "int x[2] = {[1] = 4}; int main(void) { return x[1] == 9; }", "= {4}", true},
        {PASS_VALUES, "int x, y; int main(void) { y = (x = 3) - 3; return x - 3; }", "y = 0;",
         false},
        {PASS_VALUES, "int x, y; int main(void) { y = (x = 3) - 3; return x - 3; }", "return 0;",
         true},
        {PASS_EFFECTS, "int f(void) { return 3; } int main(void) { return f() - 3; }",
         "return 3 - 3;", true},
        {PASS_DEAD, "int x; int main(void) { if (x) { x = 1; x = 2; } return 0; }", "if (x) ;",
         true},
        {PASS_DEAD, "int x; int main(void) { goto a; if (x) { a: x = 2; } return 0; }",
         "goto a; return", false},
        {PASS_UNREAD,
         "int x, y; int main(void) { int z = 1; for (int i = 0; i < 3; i++) y += i; x = z;"
         "return x; }",
         "int z = 1; x = z; return x;", true},
        {PASS_UNREAD, "int x, y; int main(void) { int *p = &y; *p = 3; return x; }",
         "main(void) { return x; }", true},
        {PASS_UNREAD, "int x, y; int main(void) { int *p = &x; *p = 3; return x; }", "", false},
        {PASS_UNREAD, "int x, *p = &x, **q = &p; int main(void) { **q = 3; return x; }", "", false},
        {PASS_UNREACHED,
         "int f(void) { return 0; } int g(void) { return 1; }"
         "int h(void) __attribute__((alias(\"f\"))); int main(void) { return h(); }",
         "int g(void)", false},
        {PASS_EARLY, "int x = 3; int main(void) { int y = x * 2; x = y + 777; return x & 1; }",
         "int y = x * 2; return (y + 777) != 783; }", true},
        {PASS_RETURNED, "int g; int f(int x) { g = x + 1; } int main(void) { f(2); return g - 3; }",
         "int f(int x) { return x + 1; } int main(void) { return f(2) - 3; }", true},
        {PASS_RETURNED, "long g; void f(void) { g = 1; } int main(void) { f(); return g == 1; }",
         "long f(void) { return 1; } int main(void) { return f() == 1; }", true},
        {PASS_RETURNED,
         "int g; void f(void) { g = 1; } int main(void) { f(); f(); return g == 1; }", "", false},
        {PASS_LEFTS, "int x; int main(void) { *&x = 3; return x; }", "(x) = 3;", true},
        {PASS_PRINTS,
         "unsigned long long s; void mix(unsigned long long v) { s += v; }"
         "int printf(const char *, ...); long x = 5;"
         "int main(void) { mix(x); mix(7); printf(\"%llx\", s); }",
         "printf(\"%d\\n\", (int)((x)>>32));", true},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (offers(rows[i].pass, rows[i].program, rows[i].offered) != rows[i].is_offered)
            fail_msg("row %zu: %s of %s", i, reduce_passes[rows[i].pass].name, rows[i].program);
}

/* The text with all hints of the pass at once. */
static struct text apply_all(enum pass_id id, const struct subject *from)
{
    struct reduce_options o = {.filter = REDUCE_DEFINED};
    struct hints h = {0};
    struct text to = {0};
    struct pass p = {.options = &o, .s = from, .v = &from->views[0], .h = &h};
    reduce_passes[id].make(&p);
    patches_apply(from->texts, 1, h.patches, h.patch_count, &to);
    hints_free(&h);
    return to;
}

/* The checksum call that is executed last is offered first, wherever it stands in the text. */
static void prints_in_order_of_execution(void **state)
{
    struct reduce_options o = {.filter = REDUCE_DEFINED};
    struct subject s = {0};
    struct hints h = {0};
    struct text t = {0};
    const char *why;
    (void)state;
    text_puts(&t, "int s; void mix(int v) { s += v; } int first(void); int last(void);"
                  "int last(void) { mix(2); return 0; } int first(void) { mix(1); return 0; }"
                  "int main(void) { first(); last(); return s - 3; }");
    assert_true(subject_open(&s, &o, &t, 1, &why));
    struct pass p = {.options = &o, .s = &s, .v = &s.views[0], .h = &h};
    pass_PRINTS(&p);
    assert_true(h.n >= 2);
    struct text candidate = apply_hint(&s, &h, 0);
    assert_non_null(strstr(text_str(&candidate), "(int)((2))"));
    text_free(&candidate);
    hints_free(&h);
    subject_close(&s);
}

/* ---- what cannot change anything ---------------------------------------------------------- */

/* What never ran, values that are known, and what nothing depends on may go all at once: the
 * program does the same. */
static void the_same_program(void **state)
{
    static const enum pass_id passes[] = {PASS_UNREACHED, PASS_DEAD, PASS_SETTLE, PASS_UNREAD};
    struct reduce_options o = {.filter = REDUCE_DEFINED};
    size_t smaller = 0;
    (void)state;
    for (uint64_t seed = 100; seed < 140; seed++) {
        struct text program = generate(seed);
        struct subject s = {0};
        const char *why;
        assert_true(subject_open(&s, &o, &program, 1, &why));
        for (size_t i = 0; i < LENGTH(passes); i++) {
            struct text less = apply_all(passes[i], &s);
            struct subject t = {0};
            if (!subject_try(&t, &o, &less, 1, &why) ||
                strcmp(subject_expect(&t).out, subject_expect(&s).out) != 0)
                fail_msg("seed %llu, %s: %s", (unsigned long long)seed,
                         reduce_passes[passes[i]].name, why);
            smaller += t.size.tokens < s.size.tokens;
            subject_close(&t);
        }
        subject_close(&s);
    }
    assert_true(smaller > 80);
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

/* ---- several units ------------------------------------------------------------------------ */

/* Both must go on about a structure, and one of them about its member. */
static bool test_units(void *context, const struct reduce_candidate *c, unsigned worker,
                       bool *holds, struct err *e)
{
    const char *first = text_str(&c->units[0]), *second = text_str(&c->units[1]);
    (void)context;
    (void)worker;
    (void)e;
    *holds = strstr(first, "struct") && strstr(first, "f(&") && strstr(second, "struct") &&
             strstr(second, "->b");
    return true;
}

static void units_share_types(void **state)
{
    static const char *const texts[] = {
        "struct s { int a; long b; }; int f(struct s *); struct s x = {1, 2};\n"
        "int main(void) { return f(&x); }",
        "struct s { int a; long b; }; int f(struct s *p) { return (int)p->b; }"};
    struct text units[2] = {{0}, {0}};
    struct reduce_options o = {.filter = REDUCE_DEFINED, .jobs = 1, .test = test_units};
    struct reduce_report report;
    struct err e;
    (void)state;
    for (size_t i = 0; i < LENGTH(units); i++)
        text_puts(&units[i], texts[i]);
    assert_true(reduce_run(&o, units, LENGTH(units), &report, &e));
    assert_true(report.last.tokens < report.first.tokens);
    for (size_t i = 0; i < LENGTH(units); i++) {
        assert_non_null(strstr(text_str(&units[i]), "struct s"));
        text_free(&units[i]);
    }
    reduce_report_free(&report);
}

/* ---- pairs -------------------------------------------------------------------------------- */

struct question {
    const char *word, *instead; /* the second text has this in place of that */
    size_t asked;
};

static bool make_second(void *context, const struct reduce_candidate *first, unsigned worker,
                        struct text *second, bool *made, struct err *e)
{
    const struct question *q = context;
    const char *text = text_str(&first->units[0]), *at = strstr(text, q->word);
    (void)worker;
    (void)e;
    *made = at;
    if (at)
        text_printf(&second[0], "%.*s%s%s", (int)(at - text), text, q->instead,
                    at + strlen(q->word));
    return true;
}

/* The first has a loop, the second the same output: both must be told to whoever asks. */
static bool ask_pair(void *context, const struct reduce_candidate *first,
                     const struct reduce_candidate *second, unsigned worker, bool *holds,
                     struct err *e)
{
    struct question *q = context;
    (void)worker;
    (void)e;
    q->asked++;
    assert_true(first->expect.known);
    assert_string_equal(first->expect.out, second->expect.out);
    *holds = strstr(text_str(&first->units[0]), "for") &&
             strcmp(text_str(&first->units[0]), text_str(&second->units[0])) != 0;
    return true;
}

static void pairs(void **state)
{
    static const struct {
        const char *word, *instead;
        bool holds;
    } rows[] = {
        {"x + 1", "1 + x", true},
        {"x + 1", "x + 2", false},           /* does something else */
        {"x + 1", "x + 1 / (x - x)", false}, /* is undefined */
        {"x + 1", "x +", false},             /* is no program */
        {"x - 1", "x - 2", false},           /* there is no second one */
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct question q = {rows[i].word, rows[i].instead, 0};
        struct reduce_options o = {.filter = REDUCE_DEFINED, .jobs = 1, .test = reduce_test_pair};
        struct reduce_pair pair = {&o, make_second, ask_pair, &q};
        struct text t = {0};
        struct err e;
        struct reduce_report report;
        bool holds;
        o.predicate = &pair;
        text_puts(&t,
                  "int printf(const char *, ...); int unused; int main(void) { int x = 3, s = 0;"
                  "for (int i = 0; i < 4; i++) s += x + 1; printf(\"%d\\n\", s); return 0; }");
        assert_true(reduce_check(&o, &t, 1, &holds, &e));
        assert_int_equal(holds, rows[i].holds);
        assert_int_equal(q.asked, rows[i].holds);
        if (holds) {
            assert_true(reduce_run(&o, &t, 1, &report, &e));
            assert_string_equal(text_str(&t), "int main()\n{\n    int x;\n    for (; 0;)\n"
                                              "        x + 1;\n}\n");
            reduce_report_free(&report);
        }
        text_free(&t);
    }
}

/* ---- what is confirmed later -------------------------------------------------------------- */

/* Says yes to what has the word; only confirm knows that another one must stay. */
static bool has_dear_word(void *context, const struct reduce_candidate *c, unsigned worker,
                          bool *holds, struct err *e)
{
    size_t *asked = context;
    (void)worker;
    (void)e;
    ++*asked;
    *holds = strstr(text_str(&c->units[0]), "dear");
    return true;
}

static bool has_word(void *context, const struct reduce_candidate *c, unsigned worker, bool *holds,
                     struct err *e)
{
    (void)context;
    (void)worker;
    (void)e;
    *holds = strstr(text_str(&c->units[0]), "word");
    return true;
}

/* A large program that lost what confirm wants gets it back, and becomes small all the same. */
static void undone(void **state)
{
    for (unsigned lazy = 0; lazy < 2; lazy++) {
        struct text t = {0};
        struct err e;
        struct reduce_report report;
        size_t asked = 0;
        (void)state;
        text_puts(&t, "int word, dear, x; int main(void) { word = 1; dear = 2;\n");
        for (int i = 0; i < 900; i++)
            text_printf(&t, "x = x * 3 %% %d;\n", i + 2);
        text_puts(&t, "return 0; }");
        struct reduce_options o = {.filter = REDUCE_DEFINED,
                                   .jobs = 1,
                                   .test = has_word,
                                   .confirm = has_dear_word,
                                   .predicate = &asked,
                                   .lazy = lazy};
        assert_true(reduce_run(&o, &t, 1, &report, &e));
        assert_true(report.complete && asked > 0);
        assert_string_equal(text_str(&t), "int word, dear;\nint main()\n{\n}\n");
        reduce_report_free(&report);
        text_free(&t);
    }
}

/* A pragma goes with its loop. */
static void stray_pragmas(void **state)
{
    static const struct {
        const char *program;
        bool stays;
    } rows[] = {
        {"int main(void) {\n#pragma GCC unroll 3\nfor (;;) break;\n}", true},
        {"int main(void) {\n#pragma GCC unroll 3\n#pragma GCC ivdep\ndo ; while (0);\n}", true},
        {"int main(void) {\n#pragma GCC unroll 3\n;\n}", false},
        {"int main(void) {\n#pragma clang loop distribute(enable)\n}", false},
        {"int main(void) {\n#pragma STDC FP_CONTRACT OFF\n;\n}", true},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct reduce_options o = {.filter = REDUCE_DEFINED};
        struct text t = {0};
        text_puts(&t, rows[i].program);
        reduce_lay_out(&o, &t, 1);
        assert_int_equal(strstr(text_str(&t), "pragma") != NULL, rows[i].stays);
        text_free(&t);
    }
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

/* Ctrl-C while the sixth candidate is looked at: the question stays without an answer. */
static bool test_until_signal(void *context, const struct reduce_candidate *c, unsigned worker,
                              bool *holds, struct err *e)
{
    enum { SIXTH = 6 };
    unsigned *asked = context;
    (void)c;
    (void)worker;
    *holds = true;
    if (++*asked == SIXTH)
        raise(SIGINT);
    snprintf(e->msg, sizeof e->msg, "interrupted");
    return *asked < SIXTH;
}

/* And while the best so far is written: what was kept cannot be executed again. */
static bool test_yes(void *context, const struct reduce_candidate *c, unsigned worker, bool *holds,
                     struct err *e)
{
    (void)context;
    (void)c;
    (void)worker;
    (void)e;
    *holds = true;
    return true;
}

static void signal_when_better(void *context, const struct text *units, size_t count)
{
    (void)context;
    (void)units;
    (void)count;
    raise(SIGINT);
}

/* From there on everything is cancelled. */
static void reduce_until_signal(struct reduce_options *o)
{
    struct text t = {0};
    struct err e;
    struct reduce_report report;
    text_puts(&t, "int a, b; int main(void) { for (int i = 0; i < 9; i++) { a += i; b ^= a; }"
                  "if (a > b) a = b; while (b > 3) b /= 2; return a + b > 3; }");
    assert_true(sys_catch_signals(&e));
    assert_true(reduce_run(o, &t, 1, &report, &e));
    assert_false(report.complete);
    assert_true(report.last.tokens < report.first.tokens && report.last.bytes == t.n);
    reduce_report_free(&report);
    text_free(&t);
}

static void interrupted_when_better(void **state)
{
    int status = -1;
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        struct reduce_options o = {
            .filter = REDUCE_DEFINED, .jobs = 1, .test = test_yes, .better = signal_when_better};
        reduce_until_signal(&o);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Comes last. */
static void interrupted(void **state)
{
    unsigned asked = 0;
    (void)state;
    struct reduce_options o = {
        .filter = REDUCE_DEFINED, .jobs = 1, .test = test_until_signal, .predicate = &asked};
    reduce_until_signal(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_predicates),
        cmocka_unit_test(nothing_wanted),
        cmocka_unit_test(nothing_open),
        cmocka_unit_test(main_returns),
        cmocka_unit_test(output_stays),
        cmocka_unit_test(library_stays),
        cmocka_unit_test(oddities),
        cmocka_unit_test(pairs_of_oddities),
        cmocka_unit_test(passes),
        cmocka_unit_test(packed),
        cmocka_unit_test(shortened),
        cmocka_unit_test(hints_of_passes),
        cmocka_unit_test(prints_in_order_of_execution),
        cmocka_unit_test(the_same_program),
        cmocka_unit_test(reach),
        cmocka_unit_test(no_c),
        cmocka_unit_test(units_share_types),
        cmocka_unit_test(pairs),
        cmocka_unit_test(undone),
        cmocka_unit_test(stray_pragmas),
        cmocka_unit_test(stopped),
        cmocka_unit_test(interrupted_when_better),
        cmocka_unit_test(interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
