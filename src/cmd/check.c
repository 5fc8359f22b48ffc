/* cupel check: execute a C program exactly; defined, or the first undefined behaviour. */
#include "cmd/cmd.h"
#include "cmd/cflags.h"
#include "cmd/view/view.h"

#include "front/front.h"
#include "lang/lang.h"
#include "machine/machine.h"
#include "sys/sys.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *input, *cc, *target, *args;
    bool coverage, facts, json, quiet, stats, status, trust_order;
    uint64_t fuel, memory, stack, heat;
};

/* The program's units, and where they came from. */
struct sources {
    struct machine_unit *units;
    size_t count;
    const char *odd_floats; /* a flag with which the machine cannot judge floats, or NULL */
};

/* ---- reading ---------------------------------------------------------------------------- */

static bool read_unit(const struct options *o, const struct front_source *plain,
                      struct machine_unit *unit)
{
    struct text text = {0};
    struct err e;
    bool done = false;
    struct front_source source = *plain;
    if (o->target && !(source.target = cmd_target(o->target, &e))) {
        cmd_fail("%s", e.msg);
        return false;
    }
    struct front_options fo = front_options_of(&source);
    const char *odd = cmd_odd_flag(source.flags, fo.target);
    if (odd) {
        cmd_fail("types are not as usual with %s: only a --target can say how they are", odd);
        return false;
    }
    odd = cmd_odd_character_flag(source.flags);
    if (odd) {
        cmd_fail("characters are not as usual with %s: check the program without it", odd);
        return false;
    }
    if (!front_preprocess(&source, &text, &e)) {
        cmd_fail("%s", e.msg);
    } else {
        struct unit u = front_parse(text_str(&text), text.n, &fo);
        unit->program = u.program;
        done = u.error_count == 0;
        if (!done) {
            struct text out = {0};
            front_print_errors(&u, &out);
            log_text(&out);
            text_free(&out);
        }
    }
    text_free(&text);
    return done;
}

/* ---- telling ---------------------------------------------------------------------------- */

static void put_line(const struct program *p, const struct node *n, struct text *out)
{
    if (p->text && n->end)
        lang_print_caret(p, n->begin, "", "", out);
}

static void put_place(const struct sources *s, struct machine_place at, struct text *out)
{
    const struct program *p = s->units[at.unit].program;
    if (!at.node) {
        text_printf(out, "%s: ", p->file ? p->file : "-");
        return;
    }
    struct place place = lang_place(p, at.node->begin);
    text_printf(out, "%s:%u:%u: ", place.file, place.line, place.column);
}

/* What the user can do about a limit. */
static const char *way_out(const struct machine_result *r)
{
    if (r->end == MACHINE_FUEL && !sys_cancelled())
        return ": --fuel gives it more";
    return str_has_prefix(r->detail, "out of memory")  ? ": --memory gives it more"
           : str_has_prefix(r->detail, "out of stack") ? ": --stack gives it more"
                                                       : "";
}

static void tell(const struct sources *s, const struct machine_result *r, struct text *out)
{
    const struct ub_info *ub = &machine_ub_info[r->ub];
    if (r->end == MACHINE_UNDEFINED || r->end == MACHINE_UNSUPPORTED ||
        r->end == MACHINE_UNSPECIFIED) {
        put_place(s, r->place, out);
        text_printf(out, "%s: ", machine_end_name(r->end));
    } else if (r->end != MACHINE_FINISHED) {
        text_puts(out, "cupel: ");
    }
    machine_explain(r, out);
    switch (r->end) {
    case MACHINE_FINISHED:
        return;
    case MACHINE_UNDEFINED:
        text_printf(out, " [%s, C11 %s]\n", ub->name, ub->clause);
        break;
    case MACHINE_UNSUPPORTED:
    case MACHINE_UNSPECIFIED:
        text_puts(out, "\n");
        break;
    default:
        text_printf(out, "%s\n", way_out(r));
        return;
    }
    if (r->place.node)
        put_line(s->units[r->place.unit].program, r->place.node, out);
}

static int status_of(const struct machine_result *r)
{
    if (r->end == MACHINE_FINISHED)
        return EXIT_NOTHING_FOUND;
    return r->end == MACHINE_UNDEFINED ? EXIT_FOUND : EXIT_CANNOT;
}

/* ---- running ---------------------------------------------------------------------------- */

static void put_stats(const struct machine *m, const struct machine_result *r)
{
    struct machine_cost cost = machine_cost(m);
    fprintf(
        stderr,
        "cupel: %llu nodes executed in %llu steps, %llu instructions from %llu nodes, %llu bytes "
        "at most\n",
        (unsigned long long)cost.executed, (unsigned long long)r->steps,
        (unsigned long long)cost.instructions, (unsigned long long)cost.nodes,
        (unsigned long long)r->peak);
}

static void put_output(const struct options *o, const struct machine_result *r, struct text *out)
{
    if (o->status)
        text_printf(out, "%d\n", r->status);
    text_add(out, text_str(&r->output), r->output.n);
}

static bool is_of_floats(const struct type *t)
{
    const struct type *of = lang_is_kind(t, TYPE_COMPLEX) || lang_is_kind(t, TYPE_VECTOR)
                                ? t->canon->base
                                : t;
    return lang_is_floating(of);
}

static bool floats_ran(const struct machine *m, const struct sources *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct program *p = s->units[i].program;
        for (uint32_t k = 0; k < p->node_count; k++) {
            const struct node *n = p->nodes[k];
            if (n && n->type && is_of_floats(n->type) && machine_fact(m, i, n).count)
                return true;
        }
    }
    return false;
}

/* What it prints and ends with, or why not; messages have been told. */
static int tell_run(const struct options *o, const struct sources *s,
                    const struct machine_execution *x)
{
    const struct machine *m = x->machine;
    const struct machine_result *r = x->run;
    struct text out = {0}, message = {0};
    tell(s, x->why, &message);
    if (o->json)
        facts_json(m, s->units, s->count, x->why, r, &out);
    else if (o->coverage)
        facts_coverage(m, s->units, s->count, &out);
    else if (o->facts)
        facts_text(m, s->units, s->count, &out);
    else
        put_output(o, r, &out);
    int status = status_of(x->why);
    if (!cmd_output(&out))
        status = cmd_fail("cannot write to stdout");
    if (!o->quiet && isatty(STDERR_FILENO))
        log_text(&r->errors);
    else if (!o->quiet)
        fwrite(text_str(&r->errors), 1, r->errors.n, stderr);
    log_text(&message);
    if (x->defined && r->status && status == EXIT_NOTHING_FOUND && !o->quiet)
        fprintf(stderr, "cupel: note: the program's exit status is %d\n", r->status);
    if (o->stats)
        put_stats(m, r);
    text_free(&out);
    text_free(&message);
    return status;
}

static int run(const struct options *o, const struct sources *s, const struct machine_options *mo)
{
    struct machine_execution x = machine_execute(s->units, s->count, mo);
    int status = s->odd_floats && floats_ran(x.machine, s)
                     ? cmd_fail("floats are not as usual with %s, and it computes some: check it "
                                "without that",
                                s->odd_floats)
                     : tell_run(o, s, &x);
    machine_execution_free(&x);
    return status;
}

static int check(const struct options *o, const struct list *words, struct arena *a,
                 const struct list *flags)
{
    struct sources s = {NEW_ARRAY(a, words->n, struct machine_unit), words->n,
                        cmd_odd_float_flag((char **)flags->at)};
    struct machine_options mo = {.fuel = o->fuel,
                                 .stop = sys_cancelled,
                                 .memory = o->memory,
                                 .stack = o->stack,
                                 .heat = o->heat < UINT32_MAX ? (uint32_t)o->heat : UINT32_MAX,
                                 .values = o->facts || o->json,
                                 .trust_order = o->trust_order};
    struct text input = {0};
    struct err e;
    int status = EXIT_CANNOT;
    bool ready = true;
    if (o->args)
        ready = (mo.args = str_split_command(a, o->args, &e)) || cmd_fail("--args: %s", e.msg) == 0;
    if (ready && o->input)
        ready = sys_read_file(o->input, (uint64_t)1 << 30, &input, &e) ||
                cmd_fail("%s", e.msg) == 0;
    mo.input = text_str(&input);
    mo.input_size = input.n;
    for (size_t i = 0; ready && i < words->n; i++)
        ready = read_unit(
            o,
            &(struct front_source){.path = words->at[i], .cc = o->cc, .flags = (char **)flags->at},
            &s.units[i]);
    if (ready)
        status = run(o, &s, &mo);
    for (size_t i = 0; i < words->n; i++)
        if (s.units[i].program)
            lang_program_free(s.units[i].program);
    text_free(&input);
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct options o = {0};
    struct arena a = {0};
    struct list words = {0};
    struct cflags own = {0};
    const struct option_row rows[] = {
        {"--input", "FILE", OPTION_STRING, &o.input, "the program's standard input"},
        {"--args", "WORDS", OPTION_STRING, &o.args, "its arguments, quoted as for a shell"},
        {"--coverage", NULL, OPTION_FLAG, &o.coverage, "the listing, with how often each line ran"},
        {"--facts", NULL, OPTION_FLAG, &o.facts, "what is known of every expression"},
        {"--json", NULL, OPTION_FLAG, &o.json, "all of it, for programs"},
        {"--quiet", NULL, OPTION_FLAG, &o.quiet, "not the program's own stderr"},
        {"--status", NULL, OPTION_FLAG, &o.status,
         "its exit status, in a line before what it prints"},
        {"--stats", NULL, OPTION_FLAG, &o.stats, "what the run cost"},
        {"--trust-order", NULL, OPTION_FLAG, &o.trust_order,
         "do not look for unsequenced accesses (faster)"},
        {"--fuel", "N", OPTION_COUNT, &o.fuel, "loop iterations and calls before it gives up"},
        {"--heat", "N", OPTION_UINT, &o.heat,
         "of them before a function becomes native code (1000)"},
        {"--memory", "SIZE", OPTION_SIZE, &o.memory, "memory that the program may use (1G)"},
        {"--stack", "SIZE", OPTION_SIZE, &o.stack,
         "stack that it may use, about as compiled calls and local objects do (no limit)"},
        {"--cc", "COMMAND", OPTION_STRING, &o.cc, "the compiler that preprocesses (gcc)"},
        {"--target", "NAME", OPTION_STRING, &o.target, CMD_TARGET_HELP},
    };
    struct usage u = {
        .synopsis = "cupel check FILE.c [MORE.c ...] [-I ...] [-D ...] [-std=...] [options]",
        .description =
            "Executes a C program exactly.  If it is defined, prints what it prints: exit\n"
            "status 0.  Else says what is undefined, where, and why: exit status 1.\n"
            "Unsupported, unspecified (C allows several results), not ending, or no program: 2.\n"
            "Several files are one program.\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
    };
    int status = EXIT_CANNOT;
    /* One program, and then the end: zeros are cheapest from the kernel, page by page.  By itself
     * malloc would come to reuse what was freed, and calloc to clear all of it. */
    mallopt(M_MMAP_THRESHOLD, 1 << 17);
    cmd_take_cflags(&u, &argc, argv, &own);
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    if (parsed == PARSED_HELP)
        status = EXIT_NOTHING_FOUND;
    else if (parsed == PARSED && words.n == 0)
        cmd_fail("a file is needed: see cupel check --help");
    else if (parsed == PARSED)
        status = check(&o, &words, &a, &own.flags);
    arena_free(&a);
    return status;
}
