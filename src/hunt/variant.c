/* EMI in a campaign: variants of generated programs, of Csmith's and other generators', and of the
 * programs in the seeds folder.  What ran is known from the machine; what it prints must stay. */
#include "hunt/private.h"

#include "front/front.h"
#include "machine/machine.h"
#include "vary/vary.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

/* So many programs in a row have one base: itself first, where that is not tested otherwise. */
enum { FAMILY = 8 };

struct order variant_base(const struct order *o, const char *name, unsigned family)
{
    struct rng campaign = rng_seed(o->source->plan->seed);
    struct order base = *o;
    base.number = o->number / family;
    base.seed = rng_fork_at(&campaign, name, base.number).key;
    return base;
}

/* What ran in a program, whatever C leaves open. */
struct witness {
    struct program *p;
    struct vary_facts *facts;
};

static void take_run(void *context, const struct machine *m)
{
    struct witness *w = context;
    vary_facts_add_run(w->facts, w->p, m, 0);
}

/* The variant of a program that the machine has run to its end. */
static void write_variant(const struct order *o, const struct witness *w, struct subject *out)
{
    struct vary_options options = {.gnu = source_reads_gnu(o)};
    struct program *p = w->p;
    struct vary *v = vary_open(p, w->facts);
    struct vary_variant variant = vary_draw(v, o->seed, &options);
    text_clear(&out->code);
    lang_print(p, variant.edits, variant.count, &out->code);
    /* the same layout, so that the difference is what was changed */
    lang_print(p, NULL, 0, &out->original);
    if (variant.count == 0)
        fate_skip(out, FATE_SPENT, "nothing to vary");
    if (vary_loose_end(v))
        fate_skip(out, FATE_UNMADE, "calls what nobody defines");
    vary_forget(v);
    vary_close(v);
}

/* What a program that has not finished is good for: a variant needs to know what ran. */
static void take_end(enum machine_end end, bool varied, const struct text *text,
                     struct subject *out)
{
    if (varied) {
        fate_skip(out, fate_of_end(end), machine_end_name(end));
        return;
    }
    text_clear(&out->code);
    text_add(&out->code, text_str(text), text->n);
    undecided_take(out, end);
}

/* Reads the text and executes it; out is a variant of it, or itself when it is not to be varied. */
static void vary_text(const struct order *o, const struct text *text, bool varied,
                      struct subject *out)
{
    struct unit u = front_parse(
        text_str(text), text->n,
        &(struct front_options){.target = o->lane->target, .file = o->source->path});
    if (u.error_count || lang_redefined(u.program) || vary_nested(u.program)) {
        out->skipped = u.error_count ? "not read" : "defines a function of the library";
        lang_program_free(u.program);
        return;
    }
    struct machine_unit unit = {.program = u.program};
    struct witness witness = {u.program, vary_facts_new(u.program)};
    struct machine_options options = {.fuel = SOURCE_FUEL,
                                      .stop = sys_cancelled,
                                      .values = true,
                                      .steady = true,
                                      .witness = take_run,
                                      .witness_context = &witness};
    struct machine_execution x = machine_execute(&unit, 1, &options);
    if (!x.defined) {
        take_end(x.why->end, varied, text, out);
    } else {
        text_clear(&out->expect);
        text_add(&out->expect, text_str(&x.run->output), x.run->output.n);
        out->expectation = (struct judge_expectation){.runs = true, .status = x.run->status};
        text_clear(&out->code);
        if (varied)
            write_variant(o, &witness, out);
        else
            text_add(&out->code, text_str(text), text->n);
    }
    if (varied)
        text_printf(&out->origin, ", varied with seed %llu", (unsigned long long)o->seed);
    machine_execution_free(&x);
    vary_facts_free(witness.facts);
    lang_program_free(u.program);
}

void variant_take(const struct order *o, struct subject *out)
{
    struct text code = {0};
    out->undecided = false;
    text_add(&code, text_str(&out->code), out->code.n);
    if (!out->skipped)
        vary_text(o, &code, true, out);
    text_free(&code);
}

bool make_EMI(const struct order *o, struct subject *out, struct err *e)
{
    struct order base = variant_base(o, "emi", FAMILY);
    bool ok = make_RUN(&base, out, e);
    if (ok)
        variant_take(o, out);
    return ok;
}

/* Csmith's program itself is the first of each family. */
bool make_CSMITH_EMI(const struct order *o, struct subject *out, struct err *e)
{
    struct order base = variant_base(o, "csmith-emi", FAMILY);
    bool ok = make_CSMITH(&base, out, e);
    if (ok && o->number % FAMILY)
        variant_take(o, out);
    return ok;
}

/* ---- the seeds folder ---------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct list list_seeds(struct arena *a, const char *folder)
{
    struct list names = {0};
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (str_has_suffix(entry->d_name, ".c"))
            list_add(a, &names, arena_string(a, entry->d_name));
    if (dir)
        closedir(dir);
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, compare_names);
    return names;
}

enum change { CHANGE_NOTHING, CHANGE_VARY, CHANGE_RELAX };

/* Every file is tested itself before anything is made of it; and now and then later, when it is
 * another compiler's turn. */
static const char *choose_seed(struct arena *a, const struct order *o, enum change *change)
{
    enum { AGAIN = 6, RELAXED = 30 };
    const char *folder = o->source->plan->seeds;
    struct list names = list_seeds(a, folder);
    if (!names.n)
        return NULL;
    struct rng r = rng_seed(o->seed);
    bool first = o->number < names.n;
    const char *name = names.at[first ? o->number : rng_below(&r, names.n)];
    if (first || rng_chance(&r, AGAIN))
        *change = CHANGE_NOTHING;
    else
        *change = rng_chance(&r, RELAXED) ? CHANGE_RELAX : CHANGE_VARY;
    return arena_printf(a, "%s/%s", folder, name);
}

/* Its headers are in the folder, too. */
static void preprocess_seed(struct arena *a, const struct order *o, const char *file,
                            struct text *text, const char **why)
{
    const char *seeds = o->source->plan->seeds;
    struct list folders = {0};
    list_add(a, &folders, (char *)seeds);
    list_add(a, &folders, arena_printf(a, "%s/include", seeds));
    source_preprocess(o, file, &folders, text, why);
}

bool make_SEEDS(const struct order *o, struct subject *out, struct err *e)
{
    struct arena a = {0};
    struct text text = {0};
    enum change change = CHANGE_NOTHING;
    const char *file = choose_seed(&a, o, &change);
    (void)e;
    if (file)
        text_printf(&out->origin, "%s%s", o->source->plan->seeds_name, strrchr(file, '/'));
    else
        text_puts(&out->origin, "seeds");
    if (!file)
        out->skipped = "no program in the seeds folder";
    else
        preprocess_seed(&a, o, file, &text, &out->skipped);
    if (!out->skipped && !source_shorten(o, file, &text))
        source_take_unread(&text, out);
    else if (!out->skipped)
        vary_text(o, &text, change == CHANGE_VARY, out);
    if (!out->skipped && change == CHANGE_RELAX)
        source_relax(o, false, out);
    text_free(&text);
    arena_free(&a);
    return true;
}
