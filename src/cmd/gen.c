/* cupel gen: random programs whose behaviour is known. */
#include "cmd/cmd.h"

#include "gen/gen.h"
#include "sys/sys.h"

#include <string.h>

struct options {
    uint64_t seed, size, count;
    const char *output, *expect, *target;
    bool trace;
};

static bool write_text(const char *path, const struct text *t, struct err *e)
{
    if (!path || strcmp(path, "-") == 0)
        return cmd_output(t) || fail(e, "cannot write to stdout");
    return sys_write_file(path, text_str(t), t->n, e);
}

static int write_one(const struct options *o, const struct gen_options *go)
{
    struct generated g = gen_program(go);
    struct text out = {0};
    struct err e;
    gen_print(&g, &out);
    bool ok = write_text(o->output, &out, &e) && (!o->expect || write_text(o->expect, &g.expect, &e));
    text_free(&out);
    gen_free(&g);
    return ok ? EXIT_NOTHING_FOUND : cmd_fail("%s", e.msg);
}

int cmd_gen(int argc, char **argv)
{
    struct options o = {.size = 150};
    struct arena a = {0};
    struct list words = {0};
    const struct option_row rows[] = {
        {"--seed", "N", OPTION_UINT, &o.seed, "the program's number (default: 0)"},
        {"--size", "N", OPTION_UINT, &o.size, "statements, about (default: 150)"},
        {"-o", "FILE", OPTION_STRING, &o.output, "write here (default: -, stdout)"},
        {"--expect", "FILE", OPTION_STRING, &o.expect, "write the program's output here"},
        {"--trace", NULL, OPTION_FLAG, &o.trace, "print what is assigned, to find where it goes wrong"},
        {"--target", "NAME", OPTION_STRING, &o.target, "lp64 or ilp32 (default: lp64)"},
    };
    struct usage u = {
        .synopsis = "cupel gen [options]",
        .description = "Writes a random C program that has no undefined behaviour, ends, and prints\n"
                       "a checksum that is known beforehand.\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
    };
    int status = EXIT_CANNOT;
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    struct gen_options go = gen_options_default();
    go.seed = o.seed;
    go.size = (unsigned)o.size;
    go.trace = o.trace;
    if (parsed == PARSED_HELP)
        status = EXIT_NOTHING_FOUND;
    else if (parsed == PARSED && o.target && !(go.target = lang_target_named(o.target)))
        cmd_fail("unknown target '%s': lp64 or ilp32", o.target);
    else if (parsed == PARSED)
        status = write_one(&o, &go);
    arena_free(&a);
    return status;
}
