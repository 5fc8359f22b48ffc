/* Wrong code by chance: what a wrong program does may depend on where it is loaded, or on what was
 * in memory before, so that one run says little.  One build through the compiler's own driver and
 * linker is run several times.  An original that is always wrong must stay so; for one that is
 * wrong sometimes, a few wrong runs are enough: the program is defined, so that no run may be. */
#include "keep/private.h"

/* CHANCE: of so many runs one must be wrong.  LOOKS: so often is an original run. */
enum { STEADY_RUNS = 3, CHANCE_RUNS = 6, LOOKS = 16, FINAL_RUNS = 24 };

bool keep_may_vary(const struct keep *k)
{
    return k->verdict == VERDICT_WRONG_CODE || k->verdict == VERDICT_PROGRAM_CRASH;
}

static bool try_often(struct keep *k, unsigned worker, const struct cc_config *config,
                      const struct keep_case *c, size_t times, struct arena *a, struct outcome *o,
                      struct err *e)
{
    struct cc_case program = c->program;
    char **inputs = NEW_ARRAY(a, times + 1, char *);
    for (size_t i = 0; i < times; i++)
        inputs[i] = k->o.input ? (char *)k->o.input : "";
    program.inputs = inputs;
    program.plain = true;
    return cc_try(&k->labs.at[worker], config, &program, a, o, e);
}

static struct outcome only_run(const struct outcome *all, size_t i)
{
    struct outcome one = *all;
    one.runs = &all->runs[i];
    one.run_count = 1;
    return one;
}

/* How many of the runs show it; *o becomes one that does, or the last. */
static size_t count_wrong(struct keep *k, const struct keep_case *c, struct arena *a,
                          struct outcome *o)
{
    struct judge_claim claim = keep_claim(k, c);
    const struct outcome all = *o;
    size_t wrong = 0;
    for (size_t i = 0; i < all.run_count; i++) {
        struct outcome one = only_run(&all, i);
        bool shows = judge_bears_out(&claim, &one) && keep_is_same(k, c, &one, a);
        if (shows || !wrong)
            *o = one;
        wrong += shows;
    }
    return wrong;
}

bool keep_ask_often(struct keep *k, unsigned worker, const struct keep_case *c, struct arena *a,
                    struct outcome *o, bool *holds, struct err *e)
{
    size_t times = k->final ? FINAL_RUNS : k->chance ? CHANCE_RUNS : STEADY_RUNS;
    if (!try_often(k, worker, &k->config, c, times, a, o, e))
        return false;
    size_t runs = o->run_count, wrong = count_wrong(k, c, a, o);
    *holds = runs == times && wrong >= (k->final || k->chance ? 1 : times);
    if (k->final && *holds && wrong < runs)
        log_note("it shows %zu times of %zu: run it more than once", wrong, runs);
    return true;
}

bool keep_is_always_right(struct keep *k, const struct cc_config *config, const struct keep_case *c,
                          struct arena *a, bool *right, struct err *e)
{
    struct outcome all;
    if (!try_often(k, 0, config, c, k->final ? FINAL_RUNS : CHANCE_RUNS, a, &all, e))
        return false;
    *right = all.run_count > 0;
    for (size_t i = 0; *right && i < all.run_count; i++) {
        struct outcome one = only_run(&all, i);
        *right = judge_as_expected(&one, &c->expect);
    }
    return true;
}

/* Does it do the same in all of these runs, and the same as the one that was seen? */
static bool is_steady(const struct outcome *all, const struct outcome *seen)
{
    for (size_t i = 0; i < all->run_count; i++) {
        struct outcome one = only_run(all, i);
        if (!judge_same_behaviour(&one, seen))
            return false;
    }
    return true;
}

bool keep_find_chance(struct keep *k, const struct keep_case *c, const struct outcome *seen,
                      struct arena *a, struct err *e)
{
    struct outcome o;
    k->chance = k->varies = false;
    if (!keep_may_vary(k) || !c->expect.runs)
        return true;
    if (!try_often(k, 0, &k->config, c, LOOKS, a, &o, e))
        return false;
    k->varies = !is_steady(&o, seen);
    size_t runs = o.run_count, wrong = count_wrong(k, c, a, &o);
    k->chance = wrong && wrong < runs;
    k->plain = k->plain || k->chance;
    if (!k->chance)
        return true;
    log_debug("wrong by chance: %zu of %zu runs", wrong, runs);
    bool right = true;
    if (k->has_reference && !keep_is_always_right(k, &k->reference, c, a, &right, e))
        return false;
    return right || fail(e,
                         "it does something else each time, and so it does compiled by %s: it "
                         "depends on addresses, or on what is not set",
                         k->reference.text);
}

bool keep_find_wrong_run(struct keep *k, const struct keep_case *c, struct arena *a,
                         struct outcome *o, struct err *e)
{
    struct outcome all;
    if (!c->expect.runs || o->run_count != 1 || !judge_as_expected(o, &c->expect))
        return true;
    if (!try_often(k, 0, &k->config, c, LOOKS, a, &all, e))
        return false;
    for (size_t i = 0; i < all.run_count; i++) {
        struct outcome one = only_run(&all, i);
        if (!judge_as_expected(&one, &c->expect))
            *o = one;
    }
    return true;
}
