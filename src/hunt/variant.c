/* EMI in a campaign: variants of generated programs, and of the programs in the seeds folder.  What
 * ran is known from the machine; what it prints must stay. */
#include "hunt/private.h"

#include "front/front.h"
#include "machine/machine.h"
#include "vary/vary.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

/* The variant of a program that the machine has run to its end. */
static void write_variant(struct program *p, const struct machine *m, uint64_t seed,
                          struct subject *out)
{
    struct vary_facts *facts = vary_facts_new(p);
    vary_facts_add_run(facts, p, m, 0);
    struct vary *v = vary_open(p, facts);
    struct vary_variant variant = vary_draw(v, seed, &(struct vary_options){0});
    text_clear(&out->code);
    lang_print(p, variant.edits, variant.count, &out->code);
    /* the same layout, so that the difference is what was changed */
    lang_print(p, NULL, 0, &out->original);
    if (variant.count == 0)
        out->skipped = "nothing to vary";
    if (vary_loose_end(v))
        out->skipped = "calls what nobody defines";
    vary_forget(v);
    vary_close(v);
    vary_facts_free(facts);
}

/* Reads the text, executes it and varies it. */
static void vary_text(const struct order *o, const struct text *text, struct subject *out)
{
    struct unit u = front_parse(
        text_str(text), text->n,
        &(struct front_options){.target = o->lane->target, .file = o->source->path});
    if (u.error_count || vary_redefined(u.program)) {
        out->skipped = u.error_count ? "not read" : "defines a function of the library";
        lang_program_free(u.program);
        return;
    }
    struct machine_unit unit = {.program = u.program};
    struct machine_options options = {.fuel = SOURCE_FUEL, .stop = sys_cancelled, .values = true};
    struct machine_execution x = machine_execute(&unit, 1, &options);
    if (!x.defined) {
        out->skipped = machine_end_name(x.why->end);
    } else {
        text_clear(&out->expect);
        text_add(&out->expect, text_str(&x.run->output), x.run->output.n);
        out->expectation = (struct judge_expectation){.runs = true, .status = x.run->status};
        write_variant(u.program, x.machine, o->seed, out);
    }
    machine_execution_free(&x);
    lang_program_free(u.program);
}

bool make_EMI(const struct order *o, struct subject *out, struct err *e)
{
    struct text code = {0};
    if (!make_RUN(o, out, e))
        return false;
    text_add(&code, text_str(&out->code), out->code.n);
    vary_text(o, &code, out);
    text_printf(&out->origin, ", varied with seed %llu", (unsigned long long)o->seed);
    text_free(&code);
    return true;
}

/* ---- the seeds folder ---------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A C file of the folder, by the seed; NULL when there is none. */
static const char *choose_file(struct arena *a, const char *folder, uint64_t seed)
{
    struct list names = {0};
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (str_has_suffix(entry->d_name, ".c"))
            list_add(a, &names, arena_string(a, entry->d_name));
    if (dir)
        closedir(dir);
    if (!names.n)
        return NULL;
    qsort(names.at, names.n, sizeof *names.at, compare_names);
    struct rng r = rng_seed(seed);
    return arena_printf(a, "%s/%s", folder, (const char *)names.at[rng_below(&r, names.n)]);
}

bool make_SEEDS(const struct order *o, struct subject *out, struct err *e)
{
    struct arena a = {0};
    struct text text = {0};
    const char *file = choose_file(&a, o->source->plan->seeds, o->seed);
    (void)e;
    if (!file)
        out->skipped = "no program in the seeds folder";
    else
        source_preprocess(o, file, &text, &out->skipped);
    if (!out->skipped)
        vary_text(o, &text, out);
    text_printf(&out->origin, "%s, varied with seed %llu", file ? file : "seeds",
                (unsigned long long)o->seed);
    text_free(&text);
    arena_free(&a);
    return true;
}
