/* Is it a simpler operation that goes wrong?  A signed bit-field is read by shifting: of a compiler
 * whose shifts are wrong alone, that is the bug, whatever else it shows in.  And what goes wrong
 * with int too does not depend on the type.  Takes a shape, compiles a program of one expression
 * with the accused, and yields the simpler shape or the same. */
#include "triage/private.h"

#include "machine/machine.h"

#include <string.h>

static const struct canary {
    const char *shape, *made_of, *expression, *prints;
} canaries[] = {
#define CANARY(shape, made_of, expression, prints) {shape, made_of, expression, prints},
#include "triage/canary.def"
};

/* What the accused's program prints; NULL when it does not get that far. */
static const char *compile_and_run(struct search *s, const char *text)
{
    char *units[] = {arena_printf(s->a, "%s-canary.c", s->job->lab->dir), NULL};
    struct cc_case program = *s->job->claim->program;
    struct outcome o;
    program.units = units;
    program.known = NULL;
    s->out->compiles++;
    s->failed = !sys_write_file(units[0], text, strlen(text), s->e) ||
                !cc_try(s->job->lab, s->job->claim->config, &program, s->a, &o, s->e);
    if (s->failed || o.kind != OUTCOME_BUILT || o.run_count != 1 || o.runs[0].end != SYS_EXITED)
        return NULL;
    return arena_copy(s->a, o.runs[0].out, o.runs[0].out_size);
}

static bool prints_otherwise(struct search *s, const char *text, const char *prints)
{
    const char *said = compile_and_run(s, text);
    return said && strcmp(said, prints) != 0;
}

static bool is_wrong(struct search *s, const struct canary *c)
{
    const char *text = arena_printf(s->a,
                                    "int printf(const char *, ...);\nvolatile int a = -8, b = 1;\n"
                                    "int main(void)\n{\n    printf(\"%%d\\n\", %s);\n"
                                    "    return 0;\n}\n",
                                    c->expression);
    return prints_otherwise(s, text, c->prints);
}

const char *canary_ask(struct search *s, const char *shape)
{
    for (size_t i = 0; i < LENGTH(canaries) && !s->failed; i++)
        if (strcmp(canaries[i].shape, shape) == 0 && s->out->compiles < s->job->most &&
            is_wrong(s, &canaries[i]))
            return canaries[i].made_of;
    return shape;
}

/* ---- the same with int ------------------------------------------------------------------ */

/* What the machine says that the text prints; NULL when it cannot say. */
static const char *execute(struct search *s, const char *text)
{
    struct front_options o = {.target = s->job->claim->target, .file = "canary.c"};
    struct unit u = front_parse(text, strlen(text), &o);
    const char *prints = NULL;
    if (!u.error_count) {
        struct machine_unit unit = {.program = u.program};
        struct machine_execution run = machine_execute(&unit, 1, NULL);
        if (run.defined)
            prints = arena_string(s->a, text_str(&run.run->output));
        machine_execution_free(&run);
    }
    lang_program_free(u.program);
    return prints;
}

static bool is_compound(const struct node *n)
{
    return n->kind == NODE_ASSIGN && n->op != OP_ASSIGN;
}

/* The operation with operands for which none of them is undefined; "" for what is none. */
static const char *expression_of(struct arena *a, const struct node *n)
{
    const char *op = n->op < OP_COUNT ? lang_op_info[n->op].text : "";
    bool unary = n->kind == NODE_UNARY && (n->op == OP_NEG || n->op == OP_NOT || n->op == OP_LNOT);
    return n->kind == NODE_BINARY || is_compound(n) ? arena_printf(a, "a[i] %s b[k]", op)
           : unary                                  ? arena_printf(a, "%s a[i] + 0 * b[k]", op)
                                                    : "";
}

/* The values of the operation, and with `assigns` those of the assignment that does it. */
static const char *with_int_text(struct arena *a, const char *expression, const char *assigns)
{
    return arena_printf(a,
                        "int printf(const char *, ...);\n"
                        "volatile int a[] = {-8, 0, 1, 6, 255, -77777}, b[] = {1, 3, 6};\n"
                        "int main(void)\n{\n"
                        "    int i, k, x;\n"
                        "    for (i = 0; i != 6; i++)\n"
                        "        for (k = 0; k != 3; k++) {\n"
                        "            x = %s;\n            printf(\"%%d\\n\", x);\n%s"
                        "        }\n    return 0;\n}\n",
                        expression,
                        *assigns ? arena_printf(a,
                                                "            x = a[i];\n            x %s= b[k];\n"
                                                "            printf(\"%%d\\n\", x);\n",
                                                assigns)
                                 : "");
}

/* Is the operation wrong with int? */
static bool is_wrong_with_int(struct search *s, const char *expression, const char *assigns)
{
    const char *text = with_int_text(s->a, expression, assigns), *prints;
    return s->out->compiles < s->job->most && (prints = execute(s, text)) &&
           prints_otherwise(s, text, prints);
}

const char *canary_with_int(struct search *s, const struct node *n, const char *shape,
                            const char *with_int)
{
    const char *expression = expression_of(s->a, n);
    bool plain = strcmp(shape, with_int) == 0;
    if (!*expression || (plain && !is_compound(n)))
        return shape;
    if (is_wrong_with_int(s, expression, ""))
        return with_int;
    /* only where it assigns: another operation than the plain one */
    return is_compound(n) && is_wrong_with_int(s, expression, lang_op_info[n->op].text)
               ? arena_printf(s->a, "%s, only =", with_int)
               : shape;
}

/* ---- which comparisons ------------------------------------------------------------------ */

static const char *const comparisons[] = {"<", "<=", ">", ">="};

static const char *type_of_comparison(const char *shape)
{
    static const char *const rows[][2] = {
        {"unsigned <", "unsigned"}, {"signed <", "int"}, {"floating <", "double"}};
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (strcmp(rows[i][0], shape) == 0)
            return rows[i][1];
    return NULL;
}

static void put_comparisons(const char *array, struct text *out)
{
    for (size_t i = 0; i < LENGTH(comparisons); i++)
        text_printf(out,
                    "    r = 0;\n    for (i = 0; i != 4; i++)\n        for (k = 0; k != 4; k++)\n"
                    "            r = r * 2 + (%s[i] %s %s[k]);\n    printf(\"%%x\\n\", r);\n",
                    array, comparisons[i], array);
}

/* A line for each comparison, of all pairs, with the type and then with int; it compares nothing
 * else but for equality. */
static const char *compare_all(struct arena *a, const char *type)
{
    struct text out = {0};
    text_printf(&out,
                "int printf(const char *, ...);\nvolatile %s a[] = {3, 0, 1, 200};\n"
                "volatile int b[] = {3, 0, 1, 200};\nint main(void)\n{\n    int i, k, r;\n",
                type);
    put_comparisons("a", &out);
    put_comparisons("b", &out);
    text_puts(&out, "    return 0;\n}\n");
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

/* Past one line for each comparison, of both texts: which of them differ, as bits. */
static unsigned read_wrong(const char **right, const char **wrong)
{
    unsigned bits = 0;
    for (size_t i = 0; i < LENGTH(comparisons); i++) {
        size_t size = strcspn(*right, "\n"), other = strcspn(*wrong, "\n");
        if (size != other || memcmp(*right, *wrong, size) != 0)
            bits |= 1u << i;
        *right += size + ((*right)[size] == '\n');
        *wrong += other + ((*wrong)[other] == '\n');
    }
    return bits;
}

/* The bits of what may be to blame for the node: its own comparison, or any for what is none. */
static unsigned bits_of(const struct node *n)
{
    for (size_t i = 0; i < LENGTH(comparisons); i++)
        if (n->kind == NODE_BINARY && strcmp(lang_op_info[n->op].text, comparisons[i]) == 0)
            return 1u << i;
    return ~0u;
}

static const char *name_wrong(struct arena *a, const char *shape, unsigned bits)
{
    struct text out = {0};
    text_printf(&out, "%s, wrong:", shape);
    for (size_t i = 0; i < LENGTH(comparisons); i++)
        if (bits >> i & 1)
            text_printf(&out, " %s", comparisons[i]);
    const char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

const char *canary_compare(struct search *s, const struct node *n, const char *shape)
{
    const char *type = type_of_comparison(shape), *right, *wrong;
    if (!type || s->out->compiles >= s->job->most)
        return shape;
    const char *text = compare_all(s->a, type);
    if (!(right = execute(s, text)) || !(wrong = compile_and_run(s, text)))
        return shape;
    unsigned own = read_wrong(&right, &wrong), with_int = read_wrong(&right, &wrong);
    if (!(own & bits_of(n)))
        return shape;
    return name_wrong(s->a, own == with_int ? "signed <" : shape, own);
}
