/* Unit tests of real: which functions are taken, that what they give is known, and that a generated
 * program with them does what was predicted. */
#include "front/front.h"
#include "real/real.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static void take(const char *code, uint64_t seed, struct real_material *m)
{
    struct text text = {0};
    text_puts(&text, code);
    real_take(&text, lang_target(TARGET_LP64), seed, NULL, m);
    text_free(&text);
}

static const char gcd[] = "typedef unsigned word;\n"
                          "struct unused { int x; };\n"
                          "static const word table[4] = {3, 5, 7, 11};\n"
                          "static word scale(word x) { return x * table[x % 4] + 1; }\n"
                          "int other(void) { return 4; }\n"
                          "word gcd(word a, word b)\n"
                          "{\n"
                          "    a = scale(a);\n"
                          "    while (b) { word t = a % b; a = b; b = t; }\n"
                          "    return a * 8 + scale(b);\n"
                          "}\n";

/* With its callees, their objects and types, under names of its own, and nothing else. */
static void a_function_is_taken_with_what_it_needs(void **state)
{
    (void)state;
    struct real_material m;
    take(gcd, 1, &m);
    assert_true(m.n >= 1);
    const char *code = text_str(&m.code);
    assert_non_null(strstr(code, "r_gcd"));
    assert_non_null(strstr(code, "r_scale"));
    assert_non_null(strstr(code, "r_table"));
    assert_null(strstr(code, "unused"));
    assert_null(strstr(code, "other"));
    struct unit u = front_parse(code, m.code.n, NULL);
    assert_int_equal(u.error_count, 0);
    lang_program_free(u.program);
    real_free(&m);
}

static const char words[] = "# 1 \"/usr/include/stdlib.h\" 1 3 4\n"
                            "void *malloc(unsigned long);\n"
                            "# 2 \"words.c\" 2\n"
                            "void *malloc(unsigned long n);\n"
                            "typedef struct { unsigned sum; unsigned char row[4]; } state;\n"
                            "int elsewhere(state *s, const char *why);\n"
                            "extern int other;\n"
                            "void stir(state *s, unsigned n)\n"
                            "{\n"
                            "    if (n > 4000000000u) elsewhere(malloc(n), \"far\");\n"
                            "    for (unsigned i = 0; i < 4; i++)\n"
                            "        s->row[i] = s->sum = s->sum * 31 + n + i + other;\n"
                            "}\n";

/* What is written to a structure is seen, also where only a typedef names it; a function of another
 * file, to which no input comes, keeps nobody from linking. */
static void a_function_that_fills_a_structure_is_taken(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        struct real_material m;
        take(words, seed, &m);
        assert_int_equal(m.n, 1);
        assert_non_null(strstr(text_str(&m.code), "r_stir(&b0"));
        const char *stub = strstr(text_str(&m.code), "elsewhere(struct r_state");
        assert_non_null(stub);
        assert_non_null(strstr(stub, "__builtin_trap();"));
        assert_non_null(strstr(text_str(&m.code), "\nint other;"));
        assert_null(strstr(text_str(&m.code), "malloc(unsigned long p0)"));
        real_free(&m);
    }
}

static const struct {
    const char *why, *code;
} unfit[] = {
    {"undefined",
     "int f(int a, int b) { int r = 0; for (int i = 0; i < 40; i++) r += a * b / (a - a) "
     "+ i * 3; return r; }"},
    {"beyond its buffer",
     "int f(const char *s, int n) { int r = n; for (int i = 0; i < 900; i++) r += "
     "s[i] * 3 + n; return r; }"},
    {"remembers",
     "static int k; int f(int a) { k = k * 3 + a; int r = k; for (int i = 0; i < 4; i++) "
     "r ^= k >> i; return r & 0xffff; }"},
    {"prints",
     "int printf(const char *, ...); int f(int a) { int r = 0; for (int i = 0; i < a % 9; "
     "i++) { printf(\"%x\\n\", i); r += i * 3; } return r; }"},
    {"always the same",
     "int f(int a) { int r = 0; for (int i = 0; i < 9; i++) r += i * 3 + i; if (a > "
     "99999999) r = 7; return r * 0 + 5; }"},
    {"does not end",
     "int f(unsigned a) { unsigned r = a; while (r != 1u << 31 || a) r = r * 5 + 1, a |= "
     "1; return (int)r + 3 * 4; }"},
    {"unknown callee",
     "int g(int); int f(int a) { int r = 0; for (int i = 0; i < 9; i++) r += g(a + i) "
     "* 3; return r; }"},
    {"an undeclared callee",
     "int f(int a) { int r = 0; for (int i = 0; i < 9; i++) r += a > 900000 ? g(a + i) : a "
     "* 3; return r; }"},
    {"a function pointer",
     "int f(int (*g)(int), int a) { int r = 0; for (int i = 0; i < 9; i++) r += "
     "g(a) * 3 + i; return r; }"},
    {"variable arguments",
     "int f(int a, ...) { int r = 0; for (int i = 0; i < 9; i++) r += a * i + 3; "
     "return r % 77; }"},
};

static void what_cannot_be_known_is_not_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(unfit); i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct real_material m;
            take(unfit[i].code, seed, &m);
            if (m.n)
                print_error("%s: taken\n", unfit[i].why);
            assert_int_equal(m.n, 0);
            real_free(&m);
        }
}

static const char some[] = "unsigned long strlen(const char *);\n"
                           "static int mix(const char *s, int k)\n"
                           "{ int h = k & 255; for (unsigned i = 0; i < strlen(s) && i < 9; i++) h "
                           "= (h * 31 + s[i]) % 9973; "
                           "return h; }\n"
                           "void turn(short *a, unsigned n)\n"
                           "{ for (unsigned i = 0; i < n % 16; i++) { short t = a[i]; a[i] = a[31 "
                           "- i]; a[31 - i] = (short)(t + "
                           "n % 7); } }\n"
                           "struct list { int a[3]; };\n"
                           "double mean(struct list *l, double x) { l->a[1] = (int)x % 100; return "
                           "(l->a[0] + l->a[1]) / 2.0 + "
                           "x / 8; }\n";

/* The names of the generator's own may be the file's, too. */
static void programs_with_real_code_do_what_was_predicted(void **state)
{
    (void)state;
    unsigned calls = 0;
    for (uint64_t seed = 0; seed < 30; seed++) {
        struct real_material m;
        struct gen_options o = gen_options_default();
        struct text code = {0}, expect = {0}, again = {0}, ignored = {0};
        const char *why = NULL;
        o.seed = seed;
        o.size = 30;
        take(some, seed, &m);
        assert_true(m.n >= 2);
        bool ok = real_program(&o, &m, &code, &expect, &why);
        if (!ok)
            print_error("seed %d: %s\n", (int)seed, why);
        assert_true(ok);
        assert_true(real_program(&o, &m, &again, &ignored, &why));
        assert_string_equal(text_str(&code), text_str(&again));
        const char *own = text_str(&code) + m.code.n;
        for (const char *s = own; (s = strstr(s, "real_")); s++)
            calls++;
        text_free(&code);
        text_free(&expect);
        text_free(&again);
        text_free(&ignored);
        real_free(&m);
    }
    assert_true(calls > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_is_taken_with_what_it_needs),
        cmocka_unit_test(a_function_that_fills_a_structure_is_taken),
        cmocka_unit_test(what_cannot_be_known_is_not_taken),
        cmocka_unit_test(programs_with_real_code_do_what_was_predicted),
    };
    return cmocka_run_group_tests_name("real", tests, NULL, NULL);
}
