/* Real code in a campaign: functions out of the C files of a folder that the user names, called by
 * generated programs.  See real/real.h. */
#include "hunt/private.h"

#include "real/real.h"
#include "sys/sys.h"

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

enum { DEEPEST = 4, MOST_FILES = 5000 };

/* Every *.c below the folder, in an order that is the same everywhere. */
static void list_files(struct arena *a, const char *folder, int depth, struct list *files)
{
    struct list names = {0};
    if (depth > DEEPEST || !sys_list_folder(a, folder, &names, NULL))
        return;
    for (size_t i = 0; i < names.n && files->n < MOST_FILES; i++) {
        const char *name = names.at[i], *path = arena_printf(a, "%s/%s", folder, name);
        if (str_has_suffix(name, ".c"))
            list_add(a, files, (char *)path);
        else /* if it is a folder */
            list_files(a, path, depth + 1, files);
    }
}

static void compose(const struct order *o, const struct real_material *m, struct subject *out)
{
    struct gen_options options = source_gen_options(o, GEN_RUN);
    const char *why = NULL;
    options.stop = sys_cancelled;
    for (size_t i = 0; i < m->n; i++)
        text_printf(&out->origin, "%s %s", i ? "," : ":", m->functions[i].of);
    if (!real_program(&options, m, &out->code, &out->expect, &why))
        fate_skip(out, FATE_UNMADE, why);
    else /* it may use what a compiler lacks: nobody has to accept it */
        out->expectation = (struct judge_expectation){.runs = true};
}

/* One of the files that has functions to offer; NULL: none of those that were tried. */
static const char *take_file(const struct order *o, const struct list *files, struct rng *r,
                             struct real_material *m)
{
    enum { TRIES = 8 };
    for (int i = 0; i < TRIES && files->n && !sys_cancelled(); i++) {
        const char *file = files->at[rng_below(r, files->n)], *why = NULL;
        struct text text = {0};
        source_preprocess(o, file, o->source->plan->real, &text, &why);
        if (!why)
            real_take(&text, o->lane->target, o->seed, sys_cancelled, m);
        text_free(&text);
        if (m->n)
            return file;
        real_free(m);
    }
    return NULL;
}

bool make_REAL(const struct order *o, struct subject *out, struct err *e)
{
    struct arena a = {0};
    struct list files = {0};
    struct real_material m = {0};
    struct rng r = rng_seed(o->seed);
    (void)e;
    list_files(&a, o->source->plan->real, 0, &files);
    const char *file = take_file(o, &files, &r, &m);
    text_printf(&out->origin, "seed %llu, real code of %s", (unsigned long long)o->seed,
                file ? file : o->source->plan->real);
    if (file)
        compose(o, &m, out);
    else
        fate_skip(out, FATE_UNMADE, "no function of real code that can be called");
    real_free(&m);
    arena_free(&a);
    return true;
}
