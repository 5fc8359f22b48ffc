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
    {"int", 32, true},           {"unsigned", 32, false},
    {"long", 64, true},          {"unsigned long", 64, false},
    {"__int128", 128, true},     {"unsigned __int128", 128, false},
    {"_BitInt(17)", 17, true},   {"unsigned _BitInt(5)", 5, false},
    {"_BitInt(8)", 8, true},     {"unsigned _BitInt(64)", 64, false},
    {"_BitInt(100)", 100, true}, {"unsigned _BitInt(127)", 127, false},
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

/* ---- what a program does ---------------------------------------------------------------- */

static struct machine_execution execute(const char *text, const struct machine_options *o,
                                        struct program **p)
{
    struct unit u = front_parse(text, strlen(text), &(struct front_options){.file = "t.c"});
    if (u.error_count)
        fail_msg("%s: %s", text, u.errors[0].message);
    *p = u.program;
    return machine_execute(&(struct machine_unit){.program = u.program}, 1, o);
}

#define TWO_CALLS                                                                                \
    "int printf(const char *, ...); int n; int f(void) { return n++; } int g(void) { return n; " \
    "}\n"

static const struct {
    const char *text;
    enum machine_end end, run; /* of the answer, and of the run itself */
    const char *why;
    bool trust_order;
} execute_rows[] = {
    {"int main(void) { return 3; }", MACHINE_FINISHED, MACHINE_FINISHED, "", false},
    {"int main(void) { return 1 / (int)(1 == 2); }", MACHINE_UNDEFINED, MACHINE_UNDEFINED,
     "division by zero: 1 / 0 in 'int'", false},
    {TWO_CALLS "int main(void) { return f() - g(); }", MACHINE_UNDEFINED, MACHINE_FINISHED,
     "the result depends on the order of evaluation: "
     "operands evaluated in another order give another result",
     false},
    {TWO_CALLS "int main(void) { return f() - g(); }", MACHINE_FINISHED, MACHINE_FINISHED, "",
     true},
    {TWO_CALLS "int main(void) { return f() * 0 + g() * 0; }", MACHINE_FINISHED, MACHINE_FINISHED,
     "", false},
    {"int main(void) { for (;;); }", MACHINE_FUEL, MACHINE_FUEL, "out of fuel", false},
    {"int other(void) { return 3; }", MACHINE_UNLINKED, MACHINE_UNLINKED, "there is no main",
     false},
};

static void test_execute(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(execute_rows); i++) {
        struct program *p;
        struct text why = {0};
        struct machine_execution x = execute(
            execute_rows[i].text,
            &(struct machine_options){.trust_order = execute_rows[i].trust_order, .fuel = 1000},
            &p);
        machine_explain(x.why, &why);
        assert_int_equal(x.why->end, execute_rows[i].end);
        assert_int_equal(x.run->end, execute_rows[i].run);
        assert_int_equal(x.defined, execute_rows[i].end == MACHINE_FINISHED);
        assert_string_equal(text_str(&why), execute_rows[i].why);
        text_free(&why);
        machine_execution_free(&x);
        lang_program_free(p);
    }
}

/* Arguments, input and facts go through it as through a plain run. */
static void test_execute_input(void **state)
{
    (void)state;
    static char word[] = "7", name[] = "tool";
    char *args[] = {word, NULL};
    struct machine_options o = {
        .args = args, .name = name, .input = "ab", .input_size = 2, .values = true};
    struct program *p;
    struct machine_execution x = execute(
        "int getchar(void), putchar(int);\n"
        "int main(int n, char **v) { putchar(v[0][0]); putchar(v[1][0]); putchar(getchar());\n"
        "return n; }",
        &o, &p);
    assert_true(x.defined);
    assert_int_equal(x.run->status, 2);
    assert_string_equal(text_str(&x.run->output), "t7a");
    assert_int_equal(machine_fact(x.machine, 0, find_node(p, NODE_RETURN, 0)->kid[0]).bits, 2);
    machine_execution_free(&x);
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

/* What a longjmp skips did not run, and what stands behind setjmp ran again. */
static void test_counts_behind_longjmp(void **state)
{
    (void)state;
    struct run run = run_text("long b[32]; int n; int setjmp(void *); void longjmp(void *, int);\n"
                              "void f(void) { n = n + 1; longjmp(b, n); n = 100; }\n"
                              "int main(void) { setjmp(b); if (n < 3) f(); return n - 3; }");
    assert_int_equal(run.r->status, 0);
    const struct program *p = run.unit.program;
    static const uint64_t counts[] = {3, 3, 0, 1, 3}; /* n + 1, longjmp, n = 100, setjmp, f() */
    for (unsigned i = 0; i < LENGTH(counts); i++)
        assert_int_equal(machine_fact(run.m, 0, find_node(p, NODE_EXPR_STMT, i)).count, counts[i]);
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
        cmocka_unit_test(test_execute),
        cmocka_unit_test(test_execute_input),
        cmocka_unit_test(test_ways_in_a_head),
        cmocka_unit_test(test_counts_behind_goto),
        cmocka_unit_test(test_counts_behind_longjmp),
    };
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
