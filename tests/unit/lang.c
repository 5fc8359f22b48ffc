/* Unit tests of lang: types, layouts, values, constants, constructors, edits. */
#include "front/front.h"
#include "lang/lang.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#undef fail /* ours, not cmocka's */

static struct program *parse(const char *text)
{
    struct unit u = front_parse(text, strlen(text), NULL);
    if (u.error_count)
        print_error("%s\n  in: %s\n", u.errors[0].message, text);
    assert_int_equal(u.error_count, 0);
    return u.program;
}

static struct decl *declared(const struct program *p, const char *name)
{
    for (size_t i = p->decls.n; i-- > 0;) {
        struct decl *d = p->decls.at[i];
        if (d->name && strcmp(d->name, name) == 0)
            return d;
    }
    assert_null(name);
    return NULL;
}

/* ---- types ------------------------------------------------------------------------------ */

static void types_are_shared(void **state)
{
    (void)state;
    struct program *p = lang_program_new(lang_target(TARGET_LP64));
    struct type *i = lang_basic(p, TYPE_INT);
    assert_ptr_equal(lang_pointer(p, i), lang_pointer(p, i));
    assert_ptr_equal(lang_array(p, i, 3), lang_array(p, i, 3));
    assert_ptr_not_equal(lang_array(p, i, 3), lang_array(p, i, 4));
    struct type *ci = lang_qualified(p, i, QUAL_CONST);
    assert_ptr_equal(ci, lang_qualified(p, i, QUAL_CONST));
    assert_ptr_equal(lang_unqualified(ci), i);
    /* an array's qualifiers are its elements' */
    assert_ptr_equal(lang_qualified(p, lang_array(p, i, 3), QUAL_CONST), lang_array(p, ci, 3));
    assert_ptr_equal(lang_aligned(p, i, 16), lang_aligned(p, i, 16));
    assert_true(lang_same_type(lang_aligned(p, i, 16), i));
    lang_program_free(p);
}

static void types_print_as_c(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "int x",
        "const char *x",
        "char *const x",
        "int x[3][4]",
        "int (*x)[4]",
        "int *x[4]",
        "int (*x)(int, ...)",
        "void (*x[2])(void)",
        "int (*(*x)(void))[3]",
        "unsigned long long x",
        "int (*x)()",
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char source[100];
        struct text out = {0};
        snprintf(source, sizeof source, "%s;", rows[i]);
        struct program *p = parse(source);
        lang_print_type(p, declared(p, "x")->type, "x", &out);
        assert_string_equal(text_str(&out), rows[i]);
        text_clear(&out);
        lang_print_type(p, declared(p, "x")->type->canon, "x", &out);
        assert_string_equal(text_str(&out), rows[i]);
        text_free(&out);
        lang_program_free(p);
    }
}

/* Sizes as gcc -m64 and -m32 have them. */
static void records_are_laid_out(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        unsigned size64, align64, size32;
    } rows[] = {
        {"char a; int b;", 8, 4, 8},
        {"char a; double b;", 16, 8, 12},
        {"char a; long b; char c;", 24, 8, 12},
        {"int a : 3; int b : 30;", 8, 4, 8},
        {"char a; int b : 3;", 4, 4, 4},
        {"int a : 3; int : 0; char b;", 8, 4, 8},
        {"char a : 3; int : 0; char b;", 5, 1, 5},
        {"long long a : 40; int b : 20;", 8, 8, 8},
        {"char a; long long b : 60;", 16, 8, 12},
        {"_Bool a : 1; unsigned b : 31;", 4, 4, 4},
        {"char a; int b __attribute__((packed));", 5, 1, 5},
        {"char a; int b __attribute__((aligned(16)));", 32, 16, 32},
        {"char a; struct { short x; char y; } b;", 6, 2, 6},
        {"int n; char data[];", 4, 4, 4},
        {"char c; long double d;", 32, 16, 16},
        {"", 0, 1, 0},
    };
    for (size_t i = 0; i < LENGTH(rows); i++)
        for (int t = 0; t < 2; t++) {
            char source[200];
            snprintf(source, sizeof source, "struct s { %s };", rows[i].body);
            struct front_options o = {.target = lang_target(t ? TARGET_ILP32 : TARGET_LP64)};
            struct unit u = front_parse(source, strlen(source), &o);
            const struct record *r = u.program->records.at[0];
            if (r->size != (t ? rows[i].size32 : rows[i].size64))
                print_error("%s: size %u for %s\n", source, (unsigned)r->size, o.target->name);
            assert_int_equal(r->size, t ? rows[i].size32 : rows[i].size64);
            if (!t)
                assert_int_equal(r->align, rows[i].align64);
            lang_program_free(u.program);
        }
}

static void packed_bitfields_touch(void **state)
{
    (void)state;
    struct program *p = parse(
        "struct __attribute__((packed)) s { int a : 3; int b : 30; char c; int d : 5; };");
    const struct record *r = p->records.at[0];
    assert_int_equal(r->fields[1]->offset * 8 + r->fields[1]->bit, 3);
    assert_int_equal(r->fields[2]->offset, 5);
    assert_int_equal(r->fields[3]->offset * 8 + r->fields[3]->bit, 48);
    assert_int_equal(r->size, 7);
    lang_program_free(p);
}

/* ---- values ----------------------------------------------------------------------------- */

static u128 bits_of(i128 v, unsigned width)
{
    return lang_wrap((u128)v, width);
}

static void integer_operations_are_exact(void **state)
{
    (void)state;
    static const struct {
        enum op op;
        int a, b;
        long long r;
        enum value_fault fault;
    } rows[] = {
        {OP_ADD, 2147483647, 1, -2147483648LL, VALUE_OVERFLOW},
        {OP_SUB, -2147483647 - 1, 1, 2147483647, VALUE_OVERFLOW},
        {OP_MUL, 65536, 65536, 0, VALUE_OVERFLOW},
        {OP_MUL, -46340, 46341, -2147441940, VALUE_OK},
        {OP_DIV, -7, 2, -3, VALUE_OK},
        {OP_REM, -7, 2, -1, VALUE_OK},
        {OP_DIV, 1, 0, 0, VALUE_DIV_ZERO},
        {OP_DIV, -2147483647 - 1, -1, -2147483648LL, VALUE_OVERFLOW},
        {OP_REM, -2147483647 - 1, -1, 0, VALUE_OVERFLOW},
        {OP_SHL, 1, 31, -2147483648LL, VALUE_OVERFLOW},
        {OP_SHL, 1, 30, 1 << 30, VALUE_OK},
        {OP_SHL, 1, 32, 0, VALUE_SHIFT},
        {OP_SHR, -8, 1, -4, VALUE_OK},
        {OP_LT, -1, 0, 1, VALUE_OK},
        {OP_GE, -1, 0, 0, VALUE_OK},
        {OP_XOR, -1, 5, -6, VALUE_OK},
    };
    struct program *p = lang_program_new(lang_target(TARGET_LP64));
    struct type *t = lang_basic(p, TYPE_INT);
    for (size_t i = 0; i < LENGTH(rows); i++) {
        u128 r = 0, b = bits_of(rows[i].b, 32);
        enum value_fault fault = lang_value_binary(p, rows[i].op, t, bits_of(rows[i].a, 32), b, &r);
        assert_int_equal(fault, rows[i].fault);
        if (fault != VALUE_SHIFT)
            assert_true(r == bits_of(rows[i].r, 32));
    }
    lang_program_free(p);
}

/* Against the compiler's own overflow builtins, on corner values of every width. */
static void operations_agree_with_the_host(void **state)
{
    (void)state;
    struct program *p = lang_program_new(lang_target(TARGET_LP64));
    struct rng r = rng_seed(1);
    for (int i = 0; i < 20000; i++) {
        long long a = (long long)(rng_next(&r) >> rng_below(&r, 64)), b, sum = 0;
        b = (long long)(rng_next(&r) >> rng_below(&r, 64));
        a = rng_chance(&r, 50) ? -a : a;
        b = rng_chance(&r, 50) ? (long long)(0 - (unsigned long long)b) : b;
        u128 got;
        static const enum op ops[] = {OP_ADD, OP_SUB, OP_MUL};
        for (size_t k = 0; k < LENGTH(ops); k++) {
            bool over = k == 0   ? __builtin_add_overflow(a, b, &sum)
                        : k == 1 ? __builtin_sub_overflow(a, b, &sum)
                                 : __builtin_mul_overflow(a, b, &sum);
            enum value_fault fault = lang_value_binary(p, ops[k], lang_basic(p, TYPE_LONG),
                                                       bits_of(a, 64), bits_of(b, 64), &got);
            assert_int_equal(fault, over ? VALUE_OVERFLOW : VALUE_OK);
            assert_true(got == bits_of(sum, 64));
        }
    }
    lang_program_free(p);
}

static void floats_go_through_bits(void **state)
{
    (void)state;
    static const double rows[] = {
        0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 5e-324, 1e-310, 2.5e-320, 1e38, 3.4028235677973366e38};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        uint64_t host;
        uint32_t host32;
        float single = (float)rows[i];
        memcpy(&host, &rows[i], 8);
        memcpy(&host32, &single, 4);
        assert_true(lang_float_bits(FLOAT_DOUBLE, (long double)rows[i]) == host);
        assert_true(lang_float_bits(FLOAT_SINGLE, (long double)rows[i]) == host32);
        assert_true((double)lang_float_host(FLOAT_DOUBLE, host) == rows[i]);
        u128 x87 = lang_float_bits(FLOAT_X87, (long double)rows[i]);
        assert_true((double)lang_float_host(FLOAT_X87, x87) == rows[i]);
    }
}

/* ---- constants -------------------------------------------------------------------------- */

static void constants_are_folded(void **state)
{
    (void)state;
    static const struct {
        const char *expr;
        long long value;
    } rows[] = {
        {"1 + 2 * 3", 7},
        {"-1 < 0u", 0},
        {"(char)200", -56},
        {"(unsigned char)-1", 255},
        {"sizeof(int[10])", 40},
        {"1 ? 2 : 1 / 0", 2},
        {"0 && 1 / 0", 0},
        {"'a'", 97},
        {"'\\377'", -1},
        {"'ab'", 24930},
        {"0x7fffffff + 1 < 0", 1},
        {"(int)3.99", 3},
        {"(int)(0.1 * 30)", 3},
        {"-7 / 2", -3},
        {"-7 % 2", -1},
        {"!5 == 0", 1},
        {"~0u == 0xffffffff", 1},
        {"sizeof \"abc\"", 4},
        {"sizeof(char) == 1 && sizeof(long) == 8", 1},
        {"__builtin_offsetof(struct { char a; int b[4]; }, b[2])", 12},
        {"(long)&((struct { int a; char b; } *)0)->b", 4},
        {"_Alignof(double)", 8},
        {"__builtin_types_compatible_p(int, const int)", 1},
        {"_Generic(1L, int: 1, long: 2, default: 3)", 2},
        {"__builtin_popcount(255)", 8},
        {"(1ul << 63) >> 63", 1},
        {"(_Bool)0.5", 1},
        {"L'\\xffff'", 65535},
        {"1 ?: 2", 1},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char source[200];
        snprintf(source, sizeof source, "enum { x = (%s) };", rows[i].expr);
        struct program *p = parse(source);
        const struct decl *d = declared(p, "x");
        if (d->value != bits_of(rows[i].value, lang_int_width(p, d->type)))
            print_error("%s\n", rows[i].expr);
        assert_true(d->value == bits_of(rows[i].value, lang_int_width(p, d->type)));
        lang_program_free(p);
    }
}

static void enumerators_have_gccs_types(void **state)
{
    (void)state;
    static const struct {
        const char *source, *name;
        enum type_kind kind, base;
    } rows[] = {
        {"enum e { a, b };", "b", TYPE_INT, TYPE_UINT},
        {"enum e { a = -1, b };", "b", TYPE_INT, TYPE_INT},
        {"enum e { a, b = 0x80000000 };", "b", TYPE_UINT, TYPE_UINT},
        {"enum e { a, b = 0x80000000 };", "a", TYPE_INT, TYPE_UINT},
        {"enum e { a = -1, b = 0x80000000 };", "b", TYPE_LONG, TYPE_LONG},
        {"enum e { a = 1, b = 0x100000000 };", "a", TYPE_INT, TYPE_ULONG},
        {"enum __attribute__((packed)) e { a, b = 200 };", "b", TYPE_INT, TYPE_UCHAR},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct program *p = parse(rows[i].source);
        assert_int_equal(declared(p, rows[i].name)->type->kind, rows[i].kind);
        assert_int_equal(((struct enumeration *)p->enumerations.at[0])->base->kind, rows[i].base);
        lang_program_free(p);
    }
}

/* ---- initialisers ----------------------------------------------------------------------- */

static void initialisers_are_resolved(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        const char *items; /* offset:size, with *n for a range */
        unsigned size;
    } rows[] = {
        {"int x[] = {1, 2, 3};", "0:4 4:4 8:4", 12},
        {"int x[4] = {[2] = 1, 2};", "8:4 12:4", 16},
        {"int x[] = {[0 ... 9] = 1};", "0:4*10", 40},
        {"struct { int a, b[2], c; } x = {1, 2, 3, 4};", "0:4 4:4 8:4 12:4", 16},
        {"struct { int a, b[2], c; } x = {1, {2}, 4};", "0:4 4:4 12:4", 16},
        {"struct { int a; struct { char b; short c; } d; } x = {.d.c = 3, .a = 1};", "6:2 0:4", 8},
        {"char x[] = \"abc\";", "", 4},
        {"char x[2][4] = {\"ab\", \"cd\"};", "0:4 4:4", 8},
        {"struct { union { int i; char c; }; int k; } x = {.c = 1, .k = 2};", "0:1 4:4", 8},
        {"struct { int a : 3, : 2, b : 4; } x = {1, 2};", "0:4 0:4", 4},
        {"int x[2][2] = {1, 2, 3};", "0:4 4:4 8:4", 16},
        {"int x[3] = {[1] = 5, [1] = 6};", "4:4", 12},
        {"struct { int n; char s[]; } x = {1, {2, 3}};", "0:4 4:1 5:1", 6},
        {"struct { struct { int a, b; } p; int c; } x = {.p = {1, 2}, .p = {3}};", "0:4", 12},
        {"struct { int a : 8; char b; } x = {.b = 5, .a = 1};", "1:1 0:4", 4},
        {"struct { short a, : 8, b : 4; } x = {1, {2}};", "0:2 3:2", 4},
        {"struct { int a, b; } x[3] = {[0 ... 2] = {1, 2}, [1] = {3}};", "0:4 16:4 4:4 20:4 8:4",
         24},
        {"int x[2][4] = {[0 ... 1][0] = 5, 6};", "0:4*2 20:4", 32},
        {"struct { char s[4]; } x = {.s = \"ab\", .s[1] = 1};", "0:1 2:1 1:1", 4},
        {"union { long a; char b; } x = {.a = -1, .b = 2};", "0:1", 8},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct program *p = parse(rows[i].source);
        const struct decl *d = declared(p, "x");
        struct text t = {0};
        uint64_t size = lang_sizeof(p, d->type);
        if (d->init->kind == NODE_INIT) {
            const struct init *init = d->init->u.init;
            size = init->size;
            for (uint32_t k = 0; k < init->count; k++) {
                text_printf(&t, "%s%u:%u", k ? " " : "", (unsigned)init->items[k].offset,
                            (unsigned)lang_sizeof(p, init->items[k].type));
                if (init->items[k].repeat > 1)
                    text_printf(&t, "*%u", (unsigned)init->items[k].repeat);
            }
        }
        if (strcmp(text_str(&t), rows[i].items) != 0)
            print_error("%s\n", rows[i].source);
        assert_string_equal(text_str(&t), rows[i].items);
        assert_int_equal(size, rows[i].size);
        text_free(&t);
        lang_program_free(p);
    }
}

/* ---- building --------------------------------------------------------------------------- */

/* int f(int a) { int x = 5; if (a < x) return -x; return a * 2u; } from nothing */
static void programs_can_be_built(void **state)
{
    (void)state;
    struct program *p = lang_program_new(lang_target(TARGET_LP64));
    struct type *i = lang_basic(p, TYPE_INT);
    struct decl *a = lang_decl_new(p, DECL_PARAM, "a", i);
    struct decl *f = lang_decl_new(p, DECL_FUNC, "f", lang_function(p, i, &a, 1, TYPE_PROTOTYPE));
    f->linkage = LINKAGE_EXTERNAL;
    struct function *fn = lang_define(p, f, &a, 1);
    lang_append(p, p->unit, fn->node);
    struct decl *x = lang_decl_new(p, DECL_VAR, "x", i);
    lang_append(p, fn->body, lang_declare(p, x, lang_int(p, 5, i)));
    struct node *less = lang_binary(p, OP_LT, lang_name(p, a), lang_name(p, x));
    struct node *minus = lang_return(p, fn, lang_unary(p, OP_NEG, lang_name(p, x)));
    lang_append(p, fn->body, lang_node(p, NODE_IF, (struct node *[]){less, minus, NULL}, 3));
    struct node *two = lang_int(p, 2, lang_basic(p, TYPE_UINT));
    struct node *product = lang_binary(p, OP_MUL, lang_name(p, a), two);
    assert_int_equal(product->type->kind, TYPE_UINT);
    lang_append(p, fn->body, lang_return(p, fn, product));
    struct text out = {0};
    lang_print(p, NULL, 0, &out);
    assert_string_equal(text_str(&out), "int f(int a)\n{\n    int x = 5;\n    if (a < x)\n"
                                        "        return -x;\n    return a * 2U;\n}\n\n");
    struct unit again = front_parse(out.s, out.n, NULL);
    assert_int_equal(again.error_count, 0);
    struct err why = {""};
    assert_true(lang_same_program(p, again.program, &why));
    text_free(&out);
    lang_program_free(again.program);
    lang_program_free(p);
}

static void mistakes_are_refused(void **state)
{
    (void)state;
    struct program *p = parse("struct s { int a; } s; int i; double d; const int c; int *q;");
    struct node *s = lang_name(p, declared(p, "s")), *i = lang_name(p, declared(p, "i"));
    assert_null(lang_binary(p, OP_ADD, s, i));
    assert_true(strstr(p->err.msg, "invalid operands") != NULL);
    assert_null(lang_binary(p, OP_REM, lang_name(p, declared(p, "d")), i));
    assert_null(lang_assign(p, OP_ASSIGN, lang_name(p, declared(p, "c")), i));
    assert_null(lang_assign(p, OP_ASSIGN, lang_int(p, 1, i->type), i));
    assert_null(lang_member(p, s, "b", false));
    assert_null(lang_unary(p, OP_DEREF, i));
    assert_null(lang_convert(p, s, i->type));
    lang_program_free(p);
}

static void built_constants_print_exactly(void **state)
{
    (void)state;
    static const struct {
        enum type_kind kind;
        long long value;
        const char *text;
    } rows[] = {
        {TYPE_INT, 5, "5"},
        {TYPE_INT, -5, "-5"},
        {TYPE_INT, -2147483647LL - 1, "(-2147483647 - 1)"},
        {TYPE_UINT, 7, "7U"},
        {TYPE_LONG, -3, "-3L"},
        {TYPE_ULLONG, -1, "18446744073709551615ULL"},
        {TYPE_SCHAR, -128, "(signed char)-128"},
    };
    struct program *p = lang_program_new(lang_target(TARGET_LP64));
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text out = {0};
        struct type *t = lang_basic(p, rows[i].kind);
        lang_print_node(p, lang_int(p, (u128)(i128)rows[i].value, t), &out);
        assert_string_equal(text_str(&out), rows[i].text);
        text_free(&out);
    }
    lang_program_free(p);
}

/* ---- edits ------------------------------------------------------------------------------ */

static struct node *find(const struct program *p, enum node_kind kind, const char *text)
{
    for (uint32_t i = 0; i < p->node_count; i++) {
        struct node *n = p->nodes[i];
        if (n->kind == kind && n->end - n->begin == strlen(text) &&
            memcmp(p->text + n->begin, text, strlen(text)) == 0)
            return n;
    }
    assert_null(text);
    return NULL;
}

static const char edited_source[] = "int a, b, c;\n"
                                    "int f(int x)\n"
                                    "{\n"
                                    "    if (x > 1)\n"
                                    "        a = b;\n"
                                    "    else\n"
                                    "        b = 2;\n"
                                    "    while (x)\n"
                                    "        x--;\n"
                                    "    return x + 1;\n"
                                    "}\n";

struct edit_row {
    enum edit_kind kind;
    enum node_kind node;
    const char *text;              /* of the node */
    const char *printed, *spliced; /* what must be found there */
};

static const struct edit_row edit_rows[] = {
    {EDIT_DROP, NODE_EXPR_STMT, "a = b;", "if (x > 1)\n        ;\n    else",
     "if (x > 1)\n        ;\n    else"},
    {EDIT_DROP, NODE_RETURN, "return x + 1;", "x--;\n}", "x--;\n    \n}"},
    {EDIT_DROP, NODE_DECLARATOR, "b", "int a, c;", "int a, c;"},
    {EDIT_REPLACE, NODE_BINARY, "x + 1", "return 7;", "return 7;"},
    {EDIT_REPLACE, NODE_EXPR_STMT, "x--;", "while (x)\n        7;", "while (x)\n        7;"},
    {EDIT_INSERT, NODE_EXPR_STMT, "x--;", "while (x) {\n        7;\n        x--;\n    }",
     "while (x)\n        { 7; x--; }\n"},
    {EDIT_INSERT, NODE_RETURN, "return x + 1;", "    7;\n    return", "    7; return x + 1;\n"},
    {EDIT_DROP, NODE_FUNCTION, NULL, "int a, b, c;\n", "int a, b, c;\n\n\n"},
};

static void edits_change_both_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(edit_rows); i++) {
        const struct edit_row *row = &edit_rows[i];
        struct program *p = parse(edited_source);
        struct node *n = row->text ? find(p, row->node, row->text)
                                   : ((struct function *)p->functions.at[0])->node;
        struct node *seven = lang_int(p, 7, lang_basic(p, TYPE_INT));
        if (lang_node_info[row->node].class != NODE_CLASS_EXPR)
            seven = lang_expr_stmt(p, seven);
        struct edit e = {(uint8_t)row->kind, n->id, seven};
        struct text printed = {0}, spliced = {0};
        lang_print(p, &e, 1, &printed);
        lang_splice(p, &e, 1, &spliced);
        if (!strstr(printed.s, row->printed) || !strstr(spliced.s, row->spliced))
            print_error("row %zu:\n%s---\n%s", i, printed.s, spliced.s);
        assert_non_null(strstr(printed.s, row->printed));
        assert_non_null(strstr(spliced.s, row->spliced));
        size_t lines = 0;
        for (size_t k = 0; k < spliced.n; k++)
            lines += spliced.s[k] == '\n';
        assert_int_equal(lines, 11); /* what follows keeps its line */
        text_free(&printed);
        text_free(&spliced);
        lang_program_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_shared),
        cmocka_unit_test(types_print_as_c),
        cmocka_unit_test(records_are_laid_out),
        cmocka_unit_test(packed_bitfields_touch),
        cmocka_unit_test(integer_operations_are_exact),
        cmocka_unit_test(operations_agree_with_the_host),
        cmocka_unit_test(floats_go_through_bits),
        cmocka_unit_test(constants_are_folded),
        cmocka_unit_test(enumerators_have_gccs_types),
        cmocka_unit_test(initialisers_are_resolved),
        cmocka_unit_test(programs_can_be_built),
        cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(built_constants_print_exactly),
        cmocka_unit_test(edits_change_both_texts),
    };
    return cmocka_run_group_tests_name("lang", tests, NULL, NULL);
}
