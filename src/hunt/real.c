/* Real code in a campaign: functions out of the C files of a folder that the user names, called by
 * generated programs.  See real/real.h. */
#include "hunt/private.h"

#include "real/real.h"
#include "sys/sys.h"

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

enum { DEEPEST = 4, MOST_FILES = 5000, MOST_FOLDERS = 40 };

/* What the user's folder holds. */
struct project {
    struct arena *a;
    struct list files;   /* every *.c, in an order that is the same everywhere */
    struct list folders; /* where headers are: how its own makefile names them is not known */
};

static void look_into(struct project *p, const char *folder, int depth)
{
    struct list names = {0};
    bool headers = depth == 0; /* "include/x.h" is found from there */
    if (depth > DEEPEST || !sys_list_folder(p->a, folder, &names, NULL))
        return;
    for (size_t i = 0; i < names.n && !headers; i++)
        headers = str_has_suffix(names.at[i], ".h");
    if (headers && p->folders.n < MOST_FOLDERS)
        list_add(p->a, &p->folders, (char *)folder);
    for (size_t i = 0; i < names.n && p->files.n < MOST_FILES; i++) {
        const char *name = names.at[i], *path = arena_printf(p->a, "%s/%s", folder, name);
        if (str_has_suffix(name, ".c"))
            list_add(p->a, &p->files, (char *)path);
        else if (name[0] != '.') /* if it is a folder */
            look_into(p, path, depth + 1);
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
static const char *take_file(const struct order *o, const struct project *p, struct rng *r,
                             struct real_material *m)
{
    enum { TRIES = 8 };
    for (int i = 0; i < TRIES && p->files.n && !sys_cancelled(); i++) {
        const char *file = p->files.at[rng_below(r, p->files.n)], *why = NULL;
        struct text text = {0};
        source_preprocess(o, file, &p->folders, &text, &why);
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
    struct project p = {.a = &a};
    struct real_material m = {0};
    struct rng r = rng_seed(o->seed);
    (void)e;
    look_into(&p, o->source->plan->real, 0);
    const char *file = take_file(o, &p, &r, &m);
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
