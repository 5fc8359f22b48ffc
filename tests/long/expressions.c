/* The machine against compilers, without end: random expressions of all types.
 *
 *   soak-machine COUNT FIRST DIR       COUNT 0: until it is interrupted
 *
 * An expression is one function: integers of every width and __int128, bit-fields, floating types,
 * vectors, conversions, assignments, steps, conditionals.  Each is executed by itself first, and
 * those that are defined go together into one program, whose output the machine gives interpreted
 * and native; gcc -O0 and clang -O0 must give the same.  A program that differs is kept in DIR, and
 * the first line that differs is named: its number is that of the function.  Exit status: 0 all
 * well, 1 something differs, 2 could not do it. */
#include "base/base.h"
#include "cc/cc.h"
#include "front/front.h"
#include "machine/machine.h"
#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_PROGRAM = 120, DEEPEST = 4, NEVER = 2000000000 };

static const char *const config_texts[] = {"gcc -w -O0", "clang-19 -w -O0"};

static const char prelude[] =
    "int printf(const char *, ...);\n"
    "typedef __int128 i128; typedef unsigned __int128 u128;\n"
    "typedef int v4i __attribute__((vector_size(16)));\n"
    "typedef unsigned short v8h __attribute__((vector_size(16)));\n"
    "typedef float v4f __attribute__((vector_size(16)));\n"
    "struct bits { int a : 3; unsigned b : 7; long long c : 33; _Bool d : 1; unsigned e : 32; };\n"
    "static void show(const void *p, unsigned n, int nan)\n"
    "{ const unsigned char *c = p; if (nan) printf(\"nan\");\n"
    "  else while (n) printf(\"%02x\", c[--n]); printf(\"\\n\"); }\n";

/* What an expression is made of: the type's name, bytes that show, and what it may be part of. */
enum class { INTEGER, FLOATING, VECTOR };
static const struct {
    const char *name;
    unsigned bytes;
    enum class class;
} types[] = {
    {"signed char", 1, INTEGER}, {"unsigned char", 1, INTEGER},
    {"short", 2, INTEGER},       {"unsigned short", 2, INTEGER},
    {"int", 4, INTEGER},         {"unsigned", 4, INTEGER},
    {"long", 8, INTEGER},        {"unsigned long", 8, INTEGER},
    {"i128", 16, INTEGER},       {"u128", 16, INTEGER},
    {"_Bool", 1, INTEGER},       {"float", 4, FLOATING},
    {"double", 8, FLOATING},     {"long double", 10, FLOATING},
    {"v4i", 16, VECTOR},         {"v8h", 16, VECTOR},
    {"v4f", 16, VECTOR},
};
enum { SCALARS = 14, INTEGERS = 11 };

struct soak {
    struct arena arena, once;
    struct cc_labs labs;
    struct cc_config configs[LENGTH(config_texts)];
    const char *dir;
    struct rng rng;
    uint64_t tried, kept, programs, complaints;
};

/* ---- writing ---------------------------------------------------------------------------- */

static uint64_t pick(struct soak *s, uint64_t n)
{
    return rng_below(&s->rng, n);
}

/* A decimal constant that its type can hold: C11 6.4.4p2. */
static void put_constant(struct text *t, uint64_t v)
{
    text_printf(t, "%llu%s", (unsigned long long)v, v >> 63 ? "ul" : "l");
}

static void put_integer(struct soak *s, struct text *t)
{
    static const char *const edges[] = {"0",
                                        "1",
                                        "2",
                                        "3",
                                        "7",
                                        "8",
                                        "15",
                                        "31",
                                        "127",
                                        "128",
                                        "255",
                                        "32767",
                                        "65535",
                                        "2147483647",
                                        "2147483648u",
                                        "4294967295u",
                                        "9223372036854775807l",
                                        "18446744073709551615ul"};
    if (pick(s, 3))
        text_printf(t, "%s%s", pick(s, 4) ? "" : "-", edges[pick(s, LENGTH(edges))]);
    else
        put_constant(t, rng_next(&s->rng) >> pick(s, 64));
}

static void put_floating(struct soak *s, struct text *t)
{
    static const char *const edges[] = {"0.0",        "-0.0",  "0.5",          "1.0",
                                        "-1.5f",      "3.25l", "1e10",         "1e-10",
                                        "16777217.0", "1e300", "4294967296.0", "0x1p-149"};
    text_puts(t, edges[pick(s, LENGTH(edges))]);
}

/* A variable of every type, a0 to a16, and the structure s. */
static void put_variables(struct soak *s, struct text *t)
{
    for (size_t i = 0; i < LENGTH(types); i++) {
        text_printf(t, "    %s a%zu = ", types[i].name, i);
        if (types[i].class == VECTOR)
            text_printf(t, "{%u, %u, %u, %u}", (unsigned)pick(s, 9), (unsigned)pick(s, 200),
                        (unsigned)pick(s, 30000), (unsigned)pick(s, 3));
        else if (types[i].class == FLOATING)
            put_floating(s, t);
        else
            put_integer(s, t);
        text_puts(t, ";\n");
    }
    text_printf(t, "    struct bits s = {%d, %u, %lld, %u, %u};\n", (int)pick(s, 8) - 4,
                (unsigned)pick(s, 128), (long long)pick(s, 1u << 31), (unsigned)pick(s, 2),
                (unsigned)pick(s, UINT32_MAX));
}

static void put_scalar(struct soak *s, unsigned depth, struct text *t);

/* Integers where the operator wants them. */
static void put_whole(struct soak *s, unsigned depth, struct text *t)
{
    text_printf(t, "(%s)", types[pick(s, INTEGERS)].name);
    put_scalar(s, depth, t);
}

static void put_binary(struct soak *s, unsigned depth, struct text *t)
{
    static const char *const any[] = {"+", "-", "*", "/", "<", ">=", "==", "!=", "&&", "||", ","};
    static const char *const whole[] = {"%", "&", "|", "^", "<<", ">>"};
    text_puts(t, "(");
    if (pick(s, 2)) {
        put_scalar(s, depth - 1, t);
        text_printf(t, " %s ", any[pick(s, LENGTH(any))]);
        put_scalar(s, depth - 1, t);
    } else {
        put_whole(s, depth - 1, t);
        text_printf(t, " %s ", whole[pick(s, LENGTH(whole))]);
        put_whole(s, depth - 1, t);
    }
    text_puts(t, ")");
}

static void put_leaf(struct soak *s, struct text *t)
{
    static const char fields[] = "abcde";
    switch (pick(s, 6)) {
    case 0:
        put_integer(s, t);
        break;
    case 1:
        put_floating(s, t);
        break;
    case 2:
        text_printf(t, "s.%c", fields[pick(s, 5)]);
        break;
    case 3: {
        unsigned v = SCALARS + (unsigned)pick(s, 3);
        text_printf(t, "a%u[%u]", v, (unsigned)pick(s, 4));
        break;
    }
    default:
        text_printf(t, "a%u", (unsigned)pick(s, SCALARS));
    }
}

static void put_change(struct soak *s, unsigned depth, struct text *t)
{
    static const char *const ops[] = {"=", "+=", "-=", "*="};
    static const char fields[] = "abce";
    if (pick(s, 3) == 0) {
        text_printf(t, "(s.%c %s ", fields[pick(s, 4)], ops[pick(s, LENGTH(ops))]);
        put_whole(s, depth - 1, t);
        text_puts(t, ")");
    } else if (pick(s, 2)) {
        text_printf(t, "(a%u %s ", (unsigned)pick(s, SCALARS), ops[pick(s, LENGTH(ops))]);
        put_scalar(s, depth - 1, t);
        text_puts(t, ")");
    } else {
        text_printf(t, pick(s, 2) ? "(a%u++)" : "(--a%u)", (unsigned)pick(s, 10));
    }
}

static void put_scalar(struct soak *s, unsigned depth, struct text *t)
{
    if (depth == 0) {
        put_leaf(s, t);
        return;
    }
    switch (pick(s, 9)) {
    case 0:
        text_printf(t, "((%s)", types[pick(s, SCALARS)].name);
        put_scalar(s, depth - 1, t);
        text_puts(t, ")");
        break;
    case 1:
        text_puts(t, "(");
        put_scalar(s, depth - 1, t);
        text_puts(t, " ? ");
        put_scalar(s, depth - 1, t);
        text_puts(t, " : ");
        put_scalar(s, depth - 1, t);
        text_puts(t, ")");
        break;
    case 2:
        text_puts(t, pick(s, 2) ? "(-" : "(!");
        put_scalar(s, depth - 1, t);
        text_puts(t, ")");
        break;
    case 3:
        text_puts(t, "(~");
        put_whole(s, depth - 1, t);
        text_puts(t, ")");
        break;
    case 4:
        put_change(s, depth, t);
        break;
    default:
        put_binary(s, depth, t);
    }
}

static void put_vector(struct soak *s, unsigned v, unsigned depth, struct text *t)
{
    static const char *const any[] = {"+", "-", "*"}, *const whole[] = {"&", "|", "^", "+"};
    if (depth == 0) {
        text_printf(t, "a%u", v);
        return;
    }
    text_puts(t, "(");
    put_vector(s, v, depth - 1, t);
    text_printf(t, " %s ", v == 16 ? any[pick(s, LENGTH(any))] : whole[pick(s, LENGTH(whole))]);
    put_vector(s, v, depth - 1, t);
    text_puts(t, ")");
}

/* static void fN(void): computes, and shows the bytes. */
static void put_function(struct soak *s, unsigned number, struct text *t)
{
    unsigned type = (unsigned)pick(s, LENGTH(types));
    bool vector = types[type].class == VECTOR, floating = types[type].class == FLOATING;
    text_printf(t, "static void f%u(void)\n{\n", number);
    put_variables(s, t);
    text_printf(t, "    %s r = ", types[type].name);
    if (vector)
        put_vector(s, type, 1 + (unsigned)pick(s, 3), t);
    else
        put_scalar(s, 1 + (unsigned)pick(s, DEEPEST), t);
    text_printf(t, ";\n    show(&r, %u, %s);\n    show(&a%u, %u, 0);\n}\n", types[type].bytes,
                floating ? "r != r" : "0", (unsigned)pick(s, INTEGERS - 1), 1u);
}

/* ---- executing -------------------------------------------------------------------------- */

static bool run_machine(const struct text *program, uint32_t heat, struct text *out)
{
    struct unit u = front_parse(text_str(program), program->n, &(struct front_options){0});
    struct machine_unit unit = {.program = u.program};
    bool ok = !u.error_count;
    if (ok) {
        struct machine_execution x = machine_execute(&unit, 1,
                                                     &(struct machine_options){.heat = heat});
        ok = x.defined;
        text_add(out, text_str(&x.run->output), x.run->output.n);
        machine_execution_free(&x);
    }
    lang_program_free(u.program);
    return ok;
}

static void whole_program(const struct text *functions, unsigned first, unsigned n,
                          struct text *out)
{
    text_puts(out, prelude);
    text_add(out, text_str(functions), functions->n);
    text_puts(out, "int main(void)\n{\n");
    for (unsigned i = first; i < n; i++)
        text_printf(out, "    f%u();\n", i);
    text_puts(out, "    return 0;\n}\n");
}

/* Functions that are defined, until there are enough. */
static unsigned write_functions(struct soak *s, struct text *functions)
{
    unsigned n = 0;
    while (n < PER_PROGRAM && !sys_cancelled()) {
        struct text one = {0}, program = {0}, out = {0};
        put_function(s, n, &one);
        whole_program(&one, n, n + 1, &program);
        s->tried++;
        if (run_machine(&program, NEVER, &out)) {
            text_add(functions, one.s, one.n);
            n++;
        }
        text_free(&one);
        text_free(&program);
        text_free(&out);
    }
    s->kept += n;
    return n;
}

/* ---- comparing -------------------------------------------------------------------------- */

static void complain(struct soak *s, const struct text *program, const char *who, const char *a,
                     const char *b)
{
    struct err e;
    unsigned line = 0;
    for (; *a && *a == *b; a++, b++)
        line += *a == '\n';
    const char *path = arena_printf(&s->once, "%s/%llu.c", s->dir, (unsigned long long)s->programs);
    printf("%s: %s differs in f%u\n", path, who, line / 2);
    fflush(stdout);
    if (!sys_write_file(path, program->s, program->n, &e))
        fprintf(stderr, "soak-machine: %s\n", e.msg);
    s->complaints++;
}

static void try_compiler(struct soak *s, const struct cc_config *config, const struct text *program,
                         const struct text *expect)
{
    struct err e;
    char *path = arena_printf(&s->once, "%s/t.c", s->labs.at[0].dir);
    char *units[] = {path, NULL};
    struct cc_case c = cc_case_of(units);
    struct outcome o = {0};
    if (!sys_write_file(path, program->s, program->n, &e) ||
        !cc_try(&s->labs.at[0], config, &c, &s->once, &o, &e)) {
        fprintf(stderr, "soak-machine: %s\n", e.msg);
        exit(2);
    }
    if (!o.run_count)
        complain(s, program, config->text, o.message, "");
    else if (strcmp(o.runs[0].out, text_str(expect)) != 0)
        complain(s, program, config->text, o.runs[0].out, text_str(expect));
}

static void try_program(struct soak *s)
{
    struct text functions = {0}, program = {0}, slow = {0}, fast = {0};
    unsigned n = write_functions(s, &functions);
    whole_program(&functions, 0, n, &program);
    if (!run_machine(&program, NEVER, &slow) || !run_machine(&program, 1, &fast))
        complain(s, &program, "the machine, all of it together,", "", "");
    else if (strcmp(text_str(&slow), text_str(&fast)) != 0)
        complain(s, &program, "native code", text_str(&slow), text_str(&fast));
    for (size_t i = 0; i < LENGTH(config_texts); i++)
        try_compiler(s, &s->configs[i], &program, &slow);
    s->programs++;
    text_free(&functions);
    text_free(&program);
    text_free(&slow);
    text_free(&fast);
    arena_reset(&s->once);
}

int main(int argc, char **argv)
{
    struct soak s = {0};
    struct err e;
    uint64_t count, first;
    if (argc != 4 || !str_parse_uint(argv[1], UINT64_MAX, &count, &e) ||
        !str_parse_uint(argv[2], UINT64_MAX, &first, &e)) {
        fprintf(stderr, "usage: soak-machine COUNT FIRST DIR\n");
        return 2;
    }
    s.dir = argv[3];
    s.rng = rng_seed(first);
    bool ok = sys_make_dirs(s.dir, &e);
    for (size_t i = 0; ok && i < LENGTH(config_texts); i++)
        ok = cc_config_parse(&s.arena, config_texts[i], NULL, &s.configs[i], &e);
    struct cc_lab_options labs = {
        .count = 1, .readable = cc_readable(&s.arena, s.configs, LENGTH(config_texts))};
    ok = ok && cc_labs_open(&s.labs, &labs, &e);
    if (!ok) {
        fprintf(stderr, "soak-machine: %s\n", e.msg);
        return 2;
    }
    while ((count == 0 || s.kept < count) && !sys_cancelled())
        try_program(&s);
    printf("soak-machine: %llu expressions, %llu of them defined, in %llu programs: %llu differ\n",
           (unsigned long long)s.tried, (unsigned long long)s.kept, (unsigned long long)s.programs,
           (unsigned long long)s.complaints);
    cc_labs_close(&s.labs);
    arena_free(&s.once);
    arena_free(&s.arena);
    return s.complaints ? 1 : 0;
}
