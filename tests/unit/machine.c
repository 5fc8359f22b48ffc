/* machine: arithmetic against the host compiler's own, edits, facts, the order of operands. */
#include "front/front.h"
#include "machine/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct unit unit;
    struct machine *m;
    const struct machine_result *r;
};

static struct run run_edited(const char *text, const struct edit *edits, size_t n,
                             const struct machine_options *o)
{
    struct run run;
    run.unit = front_parse(text, strlen(text), &(struct front_options){.file = "t.c"});
    if (run.unit.error_count)
        fail_msg("%s: %s", text, run.unit.errors[0].message);
    struct machine_unit u = {run.unit.program, edits, n};
    run.m = machine_new(&u, 1, o);
    run.r = machine_run(run.m);
    return run;
}

static struct run run_text(const char *text)
{
    return run_edited(text, NULL, 0, NULL);
}

static void end(struct run *run)
{
    machine_free(run->m);
    lang_program_free(run->unit.program);
}

/* ---- arithmetic ------------------------------------------------------------------------- */

struct number_type {
    const char *name;
    unsigned width;
    bool is_signed;
};

static const struct number_type number_types[] = {
    {"int", 32, true},       {"unsigned", 32, false},
    {"long", 64, true},      {"unsigned long", 64, false},
    {"__int128", 128, true}, {"unsigned __int128", 128, false},
};

static u128 wrap(u128 v, const struct number_type *t)
{
    if (t->width == 128)
        return v;
    u128 mask = ((u128)1 << t->width) - 1;
    v &= mask;
    return t->is_signed && v >> (t->width - 1) ? v | ~mask : v;
}

/* What the host's compiler says; false when it is undefined. */
static bool host_result(const struct number_type *t, char op, u128 a, u128 b, u128 *r)
{
    i128 x = (i128)a, y = (i128)b, s;
    bool over = false;
    if (!t->is_signed) {
        if ((op == '/' || op == '%') && b == 0)
            return false;
        *r = wrap(op == '+'   ? a + b
                  : op == '-' ? a - b
                  : op == '*' ? a * b
                  : op == '/' ? a / b
                              : a % b,
                  t);
        return true;
    }
    if (op == '/' || op == '%') {
        i128 least = t->width == 128 ? (i128)((u128)1 << 127) : -((i128)1 << (t->width - 1));
        if (y == 0 || (y == -1 && x == least))
            return false;
        s = op == '/' ? x / y : x % y;
    } else {
        over = op == '+'   ? __builtin_add_overflow(x, y, &s)
               : op == '-' ? __builtin_sub_overflow(x, y, &s)
                           : __builtin_mul_overflow(x, y, &s);
    }
    *r = (u128)s;
    return !over && wrap(*r, t) == *r;
}

static u128 interesting(struct rng *r, const struct number_type *t)
{
    u128 v = (u128)rng_next(r) << 64 | rng_next(r);
    switch (rng_below(r, 4)) {
    case 0:
        v = rng_below(r, 5) - 2;
        break;
    case 1:
        v = ((u128)1 << (t->width - 1)) + rng_below(r, 3) - 1;
        break;
    case 2:
        v >>= rng_below(r, t->width);
        break;
    default:
        break;
    }
    return wrap(v, t);
}

static void put_constant(struct text *out, const struct number_type *t, u128 v)
{
    text_printf(out, "(%s)((unsigned __int128)%lluull << 64 | %lluull)", t->name,
                (unsigned long long)(v >> 64), (unsigned long long)v);
}

static void try_one(struct rng *r, const struct number_type *t, char op)
{
    u128 a = interesting(r, t), b = interesting(r, t), want = 0;
    bool defined = host_result(t, op, a, b, &want);
    struct text text = {0};
    text_printf(&text, "int main(void) { %s a = ", t->name);
    put_constant(&text, t, a);
    text_printf(&text, ", b = ");
    put_constant(&text, t, b);
    text_printf(&text, ", c = a %c b; return c != ", op);
    put_constant(&text, t, want);
    text_puts(&text, "; }");
    struct run run = run_text(text_str(&text));
    if ((run.r->end == MACHINE_FINISHED) != defined || run.r->status != 0)
        fail_msg("%s: ended %d, status %d", text_str(&text), run.r->end, run.r->status);
    end(&run);
    text_free(&text);
}

static void test_arithmetic(void **state)
{
    (void)state;
    struct rng r = rng_seed(1);
    for (size_t t = 0; t < LENGTH(number_types); t++)
        for (const char *op = "+-*/%"; *op; op++)
            for (int i = 0; i < 60; i++)
                try_one(&r, &number_types[t], *op);
}

/* ---- edits ------------------------------------------------------------------------------ */

static const struct node *find_node(const struct program *p, enum node_kind kind, unsigned nth)
{
    for (uint32_t i = 0; i < p->node_count; i++)
        if (p->nodes[i]->kind == kind && nth-- == 0)
            return p->nodes[i];
    return NULL;
}

static void test_edits(void **state)
{
    (void)state;
    const char *text = "int main(void) { int x = 1; x = 5; return x; }";
    struct run plain = run_text(text);
    assert_int_equal(plain.r->status, 5);
    const struct node *s = find_node(plain.unit.program, NODE_EXPR_STMT, 0);
    struct edit drop = {EDIT_DROP, s->id, NULL};
    struct run dropped = run_edited(text, &drop, 1, NULL);
    assert_int_equal(dropped.r->end, MACHINE_FINISHED);
    assert_int_equal(dropped.r->status, 1);
    end(&dropped);
    end(&plain);
}

/* ---- facts ------------------------------------------------------------------------------ */

static void test_cut_short(void **state)
{
    (void)state;
    /* exit in a nested call: what stands behind the calls did not run */
    struct run run = run_text("void exit(int);\n"
                              "static void f(int n) { if (n == 2) exit(0); n++; }\n"
                              "int main(void) { for (int i = 0; i < 9; i++) f(i); return 1; }");
    const struct program *p = run.unit.program;
    assert_int_equal(machine_fact(run.m, 0, find_node(p, NODE_IF, 0)).count, 3);
    assert_int_equal(machine_fact(run.m, 0, find_node(p, NODE_EXPR_STMT, 0)).count, 1);
    assert_int_equal(machine_fact(run.m, 0, find_node(p, NODE_EXPR_STMT, 1)).count, 2);
    assert_int_equal(machine_fact(run.m, 0, find_node(p, NODE_RETURN, 0)).count, 0);
    end(&run);
}

static void test_ways(void **state)
{
    (void)state;
    struct run run = run_text("int main(void) { int n = 0; for (int i = 0; i < 10; i++)"
                              " if (i > 6 && i != 8) n++; return n - 2; }");
    const struct program *p = run.unit.program;
    struct machine_fact f = machine_fact(run.m, 0, find_node(p, NODE_IF, 0)->kid[0]);
    assert_true(f.is_condition);
    assert_int_equal(f.count, 10);
    assert_int_equal(f.taken, 2);
    assert_int_equal(f.untaken, 8);
    end(&run);
}

/* ---- order ------------------------------------------------------------------------------ */

static void test_conflict(void **state)
{
    (void)state;
    const char *text =
        "int n; int f(void) { return n = n * 2 + 1; } int g(void) { return n = n + 3; }"
        "int main(void) { return f() + g() + n * 16; }";
    struct run run = run_text(text);
    const struct machine_conflict *list;
    assert_true(machine_conflicts(run.m, &list) > 0);
    assert_int_equal(run.r->end, MACHINE_FINISHED);
    end(&run);
}

/* ---- ends ------------------------------------------------------------------------------- */

static void test_depth(void **state)
{
    (void)state;
    struct run run = run_text(
        "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(150000); }");
    assert_int_equal(run.r->end, MACHINE_FINISHED);
    end(&run);
}

/* ---- executing while writing ------------------------------------------------------------ */

static struct node *number(struct program *p, int v)
{
    return lang_int(p, (u128)(i128)v, lang_basic(p, TYPE_INT));
}

static struct node *variable(struct program *p, struct function *f, const char *name, int v,
                             struct decl **d)
{
    *d = lang_decl_new(p, DECL_VAR, name, lang_basic(p, TYPE_INT));
    (*d)->owner = f;
    return lang_declare(p, *d, number(p, v));
}

static void test_live(void **state)
{
    (void)state;
    struct program *p = lang_program_new(lang_target(TARGET_LP64));
    struct type *type = lang_function(p, lang_basic(p, TYPE_INT), NULL, 0, TYPE_PROTOTYPE);
    struct decl *d = lang_decl_new(p, DECL_FUNC, "main", type), *x, *y;
    d->linkage = LINKAGE_EXTERNAL;
    struct function *f = lang_define(p, d, NULL, 0);
    struct machine_unit u = {p, NULL, 0};
    struct machine *m = machine_new(&u, 1, NULL);
    u128 v;
    assert_true(machine_enter(m, 0, f));
    assert_true(machine_do(m, variable(p, f, "x", 40, &x)));
    assert_true(machine_do(m, variable(p, f, "y", -2, &y)));
    struct node *difference = lang_binary(p, OP_SUB, lang_name(p, x), lang_name(p, y));
    assert_true(machine_eval(m, difference, &v));
    assert_int_equal(v, 42);
    struct node *step = lang_unary(p, OP_PREINC, lang_name(p, y));
    assert_true(machine_do(m, lang_expr_stmt(p, step)));
    assert_true(machine_eval(m, lang_rvalue(p, lang_name(p, y)), &v));
    assert_true((i128)v == -1);
    /* what is undefined is told, and forgiven */
    struct node *zero = lang_binary(p, OP_ADD, lang_name(p, y), number(p, 1));
    assert_false(machine_eval(m, lang_binary(p, OP_DIV, lang_name(p, x), zero), &v));
    assert_int_equal(machine_result(m)->ub, UB_DIV_ZERO);
    machine_forgive(m);
    assert_true(machine_eval(m, lang_rvalue(p, lang_name(p, x)), &v));
    assert_int_equal(v, 40);
    machine_free(m);
    lang_program_free(p);
}

/* || in the head of a loop is asked once per round, and not once per loop */
static void test_ways_in_a_head(void **state)
{
    (void)state;
    struct run run = run_text("int main(void) { int i = 1, j = 0; while (i != 1024 || j <= 0) "
                              "{ i *= 2; ++j; } return j - 10; }");
    const struct node *c = find_node(run.unit.program, NODE_WHILE, 0)->kid[0];
    struct machine_fact f = machine_fact(run.m, 0, c);
    assert_true(f.is_condition);
    assert_int_equal(f.taken, 10);
    assert_int_equal(f.untaken, 1);
    assert_int_equal(f.count, 11);
    end(&run);
}

/* what a computed goto leads to ran */
static void test_counts_behind_goto(void **state)
{
    (void)state;
    struct run run = run_text("int x; int main(void) { void *t[] = {&&a, &&b}; goto *t[!x];\n"
                              "a: x = 5; b: x = x + 1; return x - 1; }");
    assert_int_equal(run.r->status, 0);
    const struct program *p = run.unit.program;
    assert_int_equal(machine_fact(run.m, 0, find_node(p, NODE_EXPR_STMT, 0)).count, 0);
    assert_int_equal(machine_fact(run.m, 0, find_node(p, NODE_EXPR_STMT, 1)).count, 1);
    assert_int_equal(machine_fact(run.m, 0, find_node(p, NODE_RETURN, 0)).count, 1);
    end(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_edits),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_conflict),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_live),
        cmocka_unit_test(test_ways_in_a_head),
        cmocka_unit_test(test_counts_behind_goto),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
