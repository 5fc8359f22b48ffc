/* Programs of any other generator: a command with {seed} and {out} in it, as in cupel.conf's source
 * or --source.  What it writes to {out}, or else prints, is read and executed by the machine; it is
 * tested itself, relaxed, and varied by EMI.  A command that fails or takes too long gives no
 * program. */
#include "hunt/private.h"

#include <string.h>

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

enum { COMMAND_BYTES = 32 << 20 };
/* So many programs in a row have one base: itself, relaxed, and variants; without a run that is
 * known there are none of these, and it is relaxed again. */
enum { SELF, RELAXED, FAMILY = 4 };

/* The word with every {name} in it given way to the value. */
static char *fill_in(struct arena *a, const char *word, const char *name, const char *value)
{
    struct text t = {0};
    size_t n = strlen(name);
    for (const char *at; (at = strstr(word, name)); word = at + n) {
        text_add(&t, word, (size_t)(at - word));
        text_puts(&t, value);
    }
    text_puts(&t, word);
    char *filled = arena_string(a, text_str(&t));
    text_free(&t);
    return filled;
}

static char **command_words(struct arena *a, const struct order *o, const char *seed,
                            const char *file, struct err *e)
{
    char **words = str_split_command(a, o->source->plan->source, e);
    for (size_t i = 0; words && words[i]; i++)
        words[i] = fill_in(a, fill_in(a, words[i], "{seed}", seed), "{out}", file);
    return words;
}

static void say_failure(struct arena *a, const struct sys_result *r, struct subject *out)
{
    const char *said = str_first_line(a, text_str(&r->err));
    text_puts(&out->reason, "the source failed");
    if (r->end == SYS_EXITED)
        text_printf(&out->reason, ", exit status %d", r->code);
    text_printf(&out->reason, "%s%s", *said ? ": " : "", said);
    out->skipped = text_str(&out->reason);
}

/* Runs it; the program is in text, or out says why there is none. */
static bool generate(const struct order *o, struct arena *a, const char *seed, struct text *text,
                     struct subject *out, struct err *e)
{
    struct cc_lab *lab = o->source->lab;
    const struct plan *plan = o->source->plan;
    struct sys_result r;
    const char *file = arena_printf(a, "%s/out.c", lab->dir);
    struct sys_job job = {.action = SYS_EXEC,
                          .argv = command_words(a, o, seed, file, e),
                          .env = sys_tool_env(a, lab->dir),
                          .dir = lab->dir,
                          .rights = SYS_COMPILER,
                          .limits = {.wall = 2 * plan->source_timeout,
                                     .by_cpu = true,
                                     .cpu = plan->source_timeout,
                                     .output = COMMAND_BYTES}};
    if (!job.argv)
        return false;
    bool ok = sys_run(lab->runner, &job, &r, e);
    if (ok && r.end == SYS_TIMEOUT)
        out->skipped = "the source timed out";
    else if (ok && (r.end != SYS_EXITED || r.code != 0))
        say_failure(a, &r, out);
    else if (ok && strstr(plan->source, "{out}") && !sys_read_file(file, COMMAND_BYTES, text, NULL))
        out->skipped = "the source wrote nothing";
    else if (ok && !strstr(plan->source, "{out}"))
        text_add(text, text_str(&r.out), r.out.n);
    sys_result_free(&r);
    sys_empty_folder(lab->dir);
    return ok;
}

static void change(const struct order *o, struct subject *out)
{
    unsigned member = (unsigned)(o->number % FAMILY);
    if (member == RELAXED || (member != SELF && out->undecided))
        source_relax(o, false, out);
    else if (member != SELF)
        variant_take(o, out);
}

bool make_SOURCE(const struct order *o, struct subject *out, struct err *e)
{
    struct arena a = {0};
    struct text text = {0};
    struct order base = variant_base(o, "source", FAMILY);
    const char *seed = arena_printf(&a, "%llu", (unsigned long long)(base.seed & UINT32_MAX));
    bool ok = generate(o, &a, seed, &text, out, e);
    if (ok && !out->skipped)
        ok = source_read(o, &text, out, e);
    if (ok)
        source_execute(o, out);
    text_puts(&out->origin,
              fill_in(&a, fill_in(&a, o->source->plan->source, "{seed}", seed), "{out}", "t.c"));
    if (ok && !out->skipped)
        change(o, out);
    text_free(&text);
    arena_free(&a);
    return ok;
}
