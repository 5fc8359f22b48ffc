/* cupel print: a C file as we understand it, written back. */
#include "cmd/cmd.h"
#include "cmd/cflags.h"

#include "front/front.h"
#include "lang/lang.h"
#include "sys/sys.h"

#include <stdio.h>
#include <string.h>

struct options {
    bool minimal, extents, check, preprocess, verbose;
    const char *output, *cc, *target;
};

static void write_program(const struct options *o, struct program *p, struct text *out)
{
    size_t n = 0;
    struct edit *edits = o->minimal ? lang_minimal(p, &n) : NULL;
    if (o->extents)
        lang_splice(p, edits, n, out);
    else
        lang_print(p, edits, n, out);
}

static int deliver(const struct options *o, const struct text *out)
{
    struct err e;
    if (!o->output || strcmp(o->output, "-") == 0)
        return cmd_output(out) ? EXIT_NOTHING_FOUND : cmd_fail("cannot write to stdout");
    if (!sys_write_file(o->output, text_str(out), out->n, &e))
        return cmd_fail("%s", e.msg);
    return EXIT_NOTHING_FOUND;
}

static int print_text(const struct options *o, const struct front_source *source,
                      const struct text *text)
{
    struct front_options fo = front_options_of(source);
    struct text out = {0};
    struct unit u = front_parse(text_str(text), text->n, &fo);
    int status = EXIT_CANNOT;
    if (u.error_count) {
        front_print_errors(&u, &out);
        log_text(&out);
    } else if (o->check) {
        status = EXIT_NOTHING_FOUND;
    } else {
        write_program(o, u.program, &out);
        status = deliver(o, &out);
    }
    text_free(&out);
    lang_program_free(u.program);
    return status;
}

static int print_file(const struct options *o, const struct front_source *plain)
{
    struct text text = {0};
    struct err e;
    int status;
    struct front_source source = *plain;
    if (o->target && !(source.target = cmd_target(o->target, &e)))
        return cmd_fail("%s", e.msg);
    if (!front_preprocess(&source, &text, &e))
        status = sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    else if (o->preprocess)
        status = deliver(o, &text);
    else
        status = print_text(o, &source, &text);
    text_free(&text);
    return status;
}

int cmd_print(int argc, char **argv)
{
    struct options o = {0};
    struct arena a = {0};
    struct list words = {0};
    struct cflags own = {0};
    const struct option_row rows[] = {
        {"-o", "FILE", OPTION_STRING, &o.output, "write here (default: -, stdout)"},
        {"--minimal", NULL, OPTION_FLAG, &o.minimal, "leave out what headers declare in vain"},
        {"--extents", NULL, OPTION_FLAG, &o.extents, "the preprocessed text, not our layout"},
        {"-E", NULL, OPTION_FLAG, &o.preprocess, "only preprocess"},
        {"--check", NULL, OPTION_FLAG, &o.check, "only say whether it can be read"},
        {"--cc", "COMMAND", OPTION_STRING, &o.cc, "the compiler that preprocesses (default: gcc)"},
        {"--verbose", NULL, OPTION_FLAG, &o.verbose, "say when the compiler is started, and why"},
        {"--target", "NAME", OPTION_STRING, &o.target, CMD_TARGET_HELP},
    };
    struct usage u = {
        .synopsis = "cupel print FILE.c [-I ...] [-D ...] [-std=...] [options]",
        .description =
            "Reads a C file as a compiler would and writes it back as one C file without\n"
            "#include.  -I, -D, -U, -std=, -include, -isystem, -f and -m flags go to the\n"
            "preprocessor; a file that ends in .i is taken as preprocessed.\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
    };
    int status = EXIT_CANNOT;
    cmd_take_cflags(&u, &argc, argv, &own);
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    if (o.verbose)
        log_set_level(LOG_DEBUG);
    if (parsed == PARSED_HELP)
        status = EXIT_NOTHING_FOUND;
    else if (parsed == PARSED && words.n != 1)
        cmd_fail("one file is needed, not %zu: see cupel print --help", words.n);
    else if (parsed == PARSED)
        status = print_file(&o, &(struct front_source){.path = words.at[0],
                                                       .cc = o.cc,
                                                       .flags = (char **)own.flags.at});
    arena_free(&a);
    return status;
}
