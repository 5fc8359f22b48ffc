/* Unit tests of cpp: what comes out, and what it declines.  The compiler is the real one, its
 * answers are kept in a cache of the test's own. */
#include "cpp/cpp.h"

#include "sys/sys.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static struct scratch scratch;
static struct arena arena;

static int open_all(void **state)
{
    (void)state;
    struct err e;
    return sys_scratch_open(&scratch, &e) && setenv("XDG_CACHE_HOME", scratch.path, 1) == 0 ? 0
                                                                                            : -1;
}

static int close_all(void **state)
{
    (void)state;
    arena_free(&arena);
    sys_scratch_close(&scratch);
    return 0;
}

static char *path_of(const char *name)
{
    return arena_printf(&arena, "%s/%s", scratch.path, name);
}

static char *write(const char *name, const char *text)
{
    char *path = path_of(name);
    assert_true(sys_write_file(path, text, strlen(text), NULL));
    return path;
}

static bool preprocess(const char *source, char *const *flags, struct text *out, struct err *e)
{
    char *cc[] = {"gcc", NULL};
    char *path = write("t.c", source);
    return cpp_run(&(struct cpp_request){.path = path, .cc = cc, .flags = flags}, out, e);
}

/* Without line markers, and with one blank where there are blanks or newlines. */
static char *plain(const struct text *t)
{
    struct text out = {0};
    bool space = false;
    for (const char *line = text_str(t); *line;) {
        size_t n = strcspn(line, "\n");
        for (size_t i = 0; i < n && !str_has_prefix(line, "# "); i++) {
            bool blank = line[i] == ' ' || line[i] == '\t';
            if (!blank && space && out.n)
                text_putc(&out, ' ');
            space = blank;
            if (!blank)
                text_putc(&out, line[i]);
        }
        space = true;
        line += n + (line[n] == '\n');
    }
    char *result = arena_string(&arena, text_str(&out));
    text_free(&out);
    return result;
}

static void expect(const char *source, const char *wanted, char *const *flags)
{
    struct text out = {0};
    struct err e = {""};
    if (!preprocess(source, flags, &out, &e))
        print_error("declined: %s\n%s\n", e.msg, source);
    assert_string_equal(plain(&out), wanted);
    text_free(&out);
}

static void macros_are_expanded(void **state)
{
    (void)state;
    static const struct {
        const char *source, *wanted;
    } rows[] = {
        {"#define X 1\nX Y X", "1 Y 1"},
        /* C11 6.10.3.5p3 */
        {"#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n"
         "#define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n"
         "#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n"
         "f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n"
         "p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\n"
         "char c[2][6] = { str(hello), str() };\n",
         "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1); "
         "f(2 * (2 +(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1)) ^m(0,1); "
         "int i[] = { 1, 23, 4, 5, }; char c[2][6] = { \"hello\", \"\" };"},
        /* 6.10.3.5p4 */
        {"#define str(s) # s\n#define xstr(s) str(s)\n#define INCFILE(n) vers ## n\n"
         "str(strncmp(\"abc\\0d\", \"abc\", '\\4') // gone\n== 0)\nxstr(INCFILE(2).h)",
         "\"strncmp(\\\"abc\\\\0d\\\", \\\"abc\\\", '\\\\4') == 0\" \"vers2.h\""},
        {"#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n#define HIGHLOW \"hello\"\n"
         "#define LOW LOW \", world\"\nglue(HIGH, LOW);\nxglue(HIGH, LOW)",
         "\"hello\"; \"hello\" \", world\""},
        /* 6.10.3.5p5 */
        {"#define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),\n"
         "t(10,,), t(,11,), t(,,12), t(,,) };",
         "int j[] = { 123, 45, 67, 89, 10, 11, 12, };"},
        /* 6.10.3.5p7 */
        {"#define debug(...) fprintf(stderr, __VA_ARGS__)\n#define showlist(...) "
         "puts(#__VA_ARGS__)\n"
         "#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))\n"
         "debug(\"Flag\"); debug(\"X = %d\\n\", x);\nshowlist(The first, second, and third "
         "items.);\n"
         "report(x>y, \"x is %d but y is %d\", x, y);",
         "fprintf(stderr, \"Flag\"); fprintf(stderr, \"X = %d\\n\", x); "
         "puts(\"The first, second, and third items.\"); "
         "((x>y)?puts(\"x>y\"): printf(\"x is %d but y is %d\", x, y));"},
        /* GNU: the comma goes with the argument, but not with an empty one */
        {"#define e(f, ...) p(f, ## __VA_ARGS__)\n#define g(f, a...) p(f, ## a)\n"
         "#define only(...) p(0, ## __VA_ARGS__)\ne(1) e(1,) e(1,2,3) g(4) g(4,5) only() only(6)",
         "p(1) p(1,) p(1,2,3) p(4) p(4,5) p(0) p(0,6)"},
        /* a name of the rest of the text, and the macro's own name again */
        {"#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g"},
        {"#define f(x) x f\nf(1) (2) (3)", "1 f (2) (3)"},
        {"#define foo foo + bar\n#define bar foo\nfoo bar", "foo + foo foo + bar"},
        {"#define NIL(x) x\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)",
         "42"},
        {"#define f(x) [x]\nf\n\n(1)\nf", "[1] f"},
        {"#define f(x) [x]\nf\n#define g\n(1)", "f (1)"},
        {"#define E\n#define s(x) #x\n#define xs(x) s(x)\nxs(a E b) xs(a E-b) xs(aE) xs(E a E)",
         "\"a b\" \"a -b\" \"aE\" \"a\""},
        /* blanks where tokens would become one */
        {"#define P +\n#define D .\n#define N 1\n+P; P+; N.x; P P; D D; PP",
         "+ +; + +; 1 .x; + +; . .; PP"},
        {"#define a b\n#define c() a\n\"a\" 'a' L\"a\" a.a 1a a1 $a c() c",
         "\"a\" 'a' L\"a\" b.b 1a a1 $a b c"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        expect(rows[i].source, rows[i].wanted, NULL);
}

static void conditions_are_evaluated(void **state)
{
    (void)state;
    static const struct {
        const char *expression;
        bool wanted;
    } rows[] = {
        {"1", true},
        {"0", false},
        {"NOWHERE", false},
        {"2 + 3 * 4 == 14", true},
        {"(2 + 3) * 4 == 20 && 7 % 4 == 3", true},
        {"10 - 4 - 3 == 3", true},
        {"-1 < 0", true},
        {"-1 < 0u", false}, /* C11 6.10.1p4: uintmax_t */
        {"-7 / 2 == -3 && -7 % 2 == -1", true},
        {"1 ? 0 : 1/0", false},
        {"0 && 1/0 || 1", true},
        {"~0 == -1 && !0 && +1", true},
        {"-8 >> 1 == -4 && 1 << 4 == 16", true},
        {"0x10 == 16 && 010 == 8 && 1ULL == 1", true},
        {"'a' == 97 && '\\n' == 10 && '\\0' == 0", true},
        {"5 & 3 | 8 ^ 1", true},
        {"1 ? 2 ? 0 : 1 : 1", false},
        {"defined ONE && defined(ONE) && !defined NOWHERE", true},
        {"ONE == 1 && PLUS(1, 2) == 3", true},
        {"__has_include(<stddef.h>) && !__has_include(<nowhere/at/all.h>)", true},
        {"__has_attribute(__packed__) && __has_attribute(aligned)", true},
        {"defined __has_include && defined __FILE__ && __LINE__ == 3", true},
        {"__has_attribute(nobody_asked_for_this) || __has_builtin(nor_for_this)", false},
        {"__has_attribute(__externally_visible__) && __has_builtin(__builtin_ia32_pause)", true},
        {"__has_c_attribute(deprecated) > 201900L", true},
        {"0x7fffffffffffffff + 1 < 0 && 0xffffffffffffffff > 0", true},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char *source = arena_printf(&arena,
                                    "#define ONE 1\n#define PLUS(a, b) a + b\n"
                                    "#if %s\nyes\n#else\nno\n#endif\n",
                                    rows[i].expression);
        print_message("%s\n", rows[i].expression);
        expect(source, rows[i].wanted ? "yes" : "no", NULL);
    }
    expect("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#elif 1/0\nd\n#else\ne\n#endif\nf",
           "c f", NULL);
    expect("#if 0\nit's /* not a comment\n#error not here\n'#endif\n\"/*\"\n#endif\nok", "ok",
           NULL);
    expect("#ifdef A\n1\n#endif\n#ifndef B\n2\n#endif", "1", (char *[]){"-DA", "-D", "B=x", NULL});
    expect("A(2) C", "[2] C", (char *[]){"-DA(x)=[x]", "-DC", "-U", "C", NULL});
}

static void files_are_included(void **state)
{
    (void)state;
    struct err e;
    assert_true(sys_make_dirs(path_of("one"), &e) && sys_make_dirs(path_of("two"), &e));
    write("one/a.h", "#ifndef A\n#define A\none\n#include \"b.h\"\n#include_next <a.h>\n#endif\n");
    write("two/a.h", "two __LINE__\n");
    write("one/b.h", "#pragma once\nbeside\n");
    char *one = arena_printf(&arena, "-I%s", path_of("one"));
    char *two = arena_printf(&arena, "-I%s/", path_of("two"));
    char *flags[] = {one, "-I", path_of("absent"), two, NULL};
    expect("#include <a.h>\n#include <a.h>\n#include \"b.h\"\n#define N <b.h>\nend __LINE__\n",
           "one beside two 1 end 5", flags);
    expect("#define H \"a.h\"\n#include H\n", "one beside two 1", flags);
}

/* Every token stands on its own line, and on its own column where no macro stood before it. */
static void places_are_kept(void **state)
{
    (void)state;
    struct text out = {0};
    struct err e = {""};
    assert_true(preprocess("#define f(a) a\n\n\nint  x; /* c\n */ int y;\n  f(1 +\n 2); /* d */ z\n"
                           "#pragma GCC ivdep\n\n\n\n\n\n\n\n\n\n\nlast\n",
                           NULL, &out, &e));
    char *marker = arena_printf(&arena, "# 1 \"%s\"\n", path_of("t.c"));
    char *jump = arena_printf(&arena, "# 19 \"%s\"\n", path_of("t.c"));
    char *wanted = arena_printf(&arena,
                                "%s\n\n\nint  x; \n    int y;\n  1 + 2\n;         z\n"
                                "#pragma GCC ivdep\n%slast\n",
                                marker, jump);
    assert_string_equal(text_str(&out), wanted);
    text_free(&out);
}

static void doubts_are_declined(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "#error no\n",
        "#warning no\n",
        "#include <nowhere/at/all.h>\n",
        "#include \"/etc/passwd\"\n",
        "#if 1\n",
        "#endif\n",
        "#if 1/0\n#endif\n",
        "#if 1 +\n#endif\n",
        "#if 1 2\n#endif\n",
        "#if 1.0\n#endif\n",
        "#if __has_attribute()\n#endif\n",
        "#line 7\n",
        "# 7 \"x.c\"\n",
        "#define X 1\n#define X 2\n",
        "#define f(a) #b\n",
        "#define f(a, a) a\n",
        "#define x ## y\n",
        "#define f(a) a\nf(1, 2)\n",
        "#define f(a, b) a\nf(1)\n",
        "#define f(a) a\nf(1\n",
        "#define f(a) a\nf(1\n#undef g\n)\n",
        "#define f(a, b) a ## b\nf(+, x)\n",
        "#define f(a, b) a ## b\nf(/, /)\n",
        "#define f(...) __VA_OPT__(x)\nf(1)\n",
        "__DATE__\n",
        "_Pragma(\"once\")\n",
        "#define f(a) a\nf(\n__LINE__)\n",
        "\"no end\n",
        "/* no end\n",
        "what?\?/\n",
        "R\"(raw)\"\n",
        "\xc3\xa9t\xc3\xa9\n",
        "a \\ \nb\n",
        "a\r\nb\n",
        "#include \"t.c\"\n",
        "#pragma push_macro(\"x\")\n",
        "#define ivdep\n#pragma GCC ivdep\n",
        "#undef __FILE__\n",
        "#define defined\n",
        "%:define x\n",
        "#if 0\n#elifdef X\n#endif\n",
        "#define A B B B B B B B B\n#define B C C C C C C C C\n#define C D D D D D D D D\n"
        "#define D E E E E E E E E\n#define E F F F F F F F F\n#define F G G G G G G G G\n"
        "#define G H H H H H H H H\n#define H I I I I I I I I\n#define I x x x x x x x x\nA\n",
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text out = {0};
        struct err e = {""};
        text_puts(&out, "before");
        print_message("%s", rows[i]);
        assert_false(preprocess(rows[i], NULL, &out, &e));
        assert_true(e.msg[0]);
        assert_string_equal(text_str(&out), "before");
        text_free(&out);
    }
    char *const flags[][2] = {{"-include", NULL}, {"-P", NULL}, {"-g3", NULL}, {"-I", NULL}};
    for (size_t i = 0; i < LENGTH(flags); i++) {
        struct text out = {0};
        struct err e;
        assert_false(preprocess("int x;\n", flags[i], &out, &e));
        text_free(&out);
    }
    /* to ISO C90 this is 4 / 2, to all others 4 */
    static char *const old[][2] = {{"-ansi"}, {"-std=c89"}, {"-std=c90"}, {"-std=iso9899:199409"}};
    static char *const others[][2] = {{"-std=gnu89"}, {"-std=c99"}};
    for (size_t i = 0; i < LENGTH(old); i++) {
        struct text out = {0};
        struct err e;
        assert_false(preprocess("int x = 4//**/2\n;\n", old[i], &out, &e));
        assert_true(preprocess("int x = 4/ /**/2\n;\n", old[i], &out, &e));
        text_free(&out);
    }
    for (size_t i = 0; i < LENGTH(others); i++) {
        struct text out = {0};
        struct err e;
        assert_true(preprocess("int x = 4//**/2\n;\n", others[i], &out, &e));
        text_free(&out);
    }
}

/* A damaged cache is asked for again; a compiler that is a script is not trusted to stay. */
static void the_cache_is_only_a_cache(void **state)
{
    (void)state;
    struct list names = {0};
    struct err e;
    char *dir = path_of("cupel/cpp");
    assert_true(sys_list_folder(&arena, dir, &names, &e));
    assert_true(names.n > 0);
    for (size_t i = 0; i < names.n; i++)
        assert_true(
            sys_write_file(arena_printf(&arena, "%s/%s", dir, (char *)names.at[i]), "x\n", 2, &e));
    expect("__STDC__\n", "1", NULL);
    write("mygcc", "#!/bin/sh\nexec gcc \"$@\"\n");
    struct text out = {0};
    char *cc[] = {path_of("mygcc"), NULL};
    char *path = write("t.c", "int x;\n");
    assert_false(cpp_run(&(struct cpp_request){.path = path, .cc = cc}, &out, &e));
    text_free(&out);
}

/* Both times the same; what is kept is used, but only while all files are as they were. */
static void leading_includes_are_kept(void **state)
{
    (void)state;
    struct err e;
    struct text big = {0};
    assert_true(sys_make_dirs(path_of("first"), &e) && sys_make_dirs(path_of("second"), &e));
    text_puts(&big, "#pragma once\n#include <x.h>\n#define F(a, ...) <a|__VA_ARGS__> /* two\n"
                    "lines */ end\n#define S(x) #x\n");
    for (int i = 0; i < 2000; i++)
        text_printf(&big, "int v%d;\n", i);
    write("second/big.h", big.s);
    text_free(&big);
    write("second/x.h", "#ifndef X\n#define X 1\n#endif\n");
    char *one = arena_printf(&arena, "-I%s", path_of("first"));
    char *two = arena_printf(&arena, "-I%s", path_of("second"));
    char *flags[] = {one, two, NULL};
    const char *source = "/* c */\n\n#include <big.h> /* d */\n#include <x.h>\n#include <big.h>\n"
                         "begin X F(1, 2, 3) S( a  X ) __LINE__\n#include <big.h>\nlast __LINE__\n";
    struct text before = {0}, after = {0};
    assert_true(preprocess(source, flags, &before, &e));
    assert_true(preprocess(source, flags, &after, &e));
    assert_string_equal(text_str(&before), text_str(&after));
    assert_non_null(strstr(plain(&after), "begin 1 <1|2, 3> end \"a X\" 6 last 8"));

    struct list names = {0};
    struct text kept = {0};
    assert_true(sys_list_folder(&arena, path_of("cupel/prefixes"), &names, &e));
    assert_int_equal(names.n, 1);
    char *path = arena_printf(&arena, "%s/%s", path_of("cupel/prefixes"), (char *)names.at[0]);
    assert_true(sys_read_file(path, SYS_READ_ALL, &kept, &e));
    memcpy(strstr(kept.s, "int v77;"), "int KEPT", 8);
    assert_true(sys_write_file(path, kept.s, kept.n, &e));
    text_clear(&after);
    assert_true(preprocess(source, flags, &after, &e));
    assert_non_null(strstr(text_str(&after), "int KEPT"));

    static const size_t cuts[] = {1, 100, 5000, 20000};
    for (size_t i = 0; i < LENGTH(cuts); i++) {
        assert_true(sys_write_file(path, kept.s, kept.n - cuts[i], &e));
        text_clear(&after);
        assert_true(preprocess(source, flags, &after, &e));
        assert_string_equal(text_str(&before), text_str(&after));
    }
    write("second/x.h", "#define X 22\n");
    text_clear(&after);
    assert_true(preprocess(source, flags, &after, &e));
    assert_non_null(strstr(plain(&after), "begin 22 "));
    write("first/x.h", "#define X 333\n");
    text_clear(&after);
    assert_true(preprocess(source, flags, &after, &e));
    assert_non_null(strstr(plain(&after), "begin 333 "));
    text_free(&kept);
    text_free(&before);
    text_free(&after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leading_includes_are_kept), cmocka_unit_test(macros_are_expanded),
        cmocka_unit_test(conditions_are_evaluated),  cmocka_unit_test(files_are_included),
        cmocka_unit_test(places_are_kept),           cmocka_unit_test(doubts_are_declined),
        cmocka_unit_test(the_cache_is_only_a_cache),
    };
    return cmocka_run_group_tests_name("cpp", tests, open_all, close_all);
}
