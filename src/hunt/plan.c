/* The plan: which configurations there are, and what programs each can be given. */
#include "hunt/private.h"

#include "gen/gen.h"

#include <string.h>

/* ---- configurations ------------------------------------------------------------------- */

/* Each compiler once, in however many configurations it stands. */
static void watch(struct arena *a, struct plan *p, char *compiler)
{
    for (size_t i = 0; i < p->watched.n; i++)
        if (strcmp(p->watched.at[i], compiler) == 0)
            return;
    list_add(a, &p->watched, compiler);
}

/* One that has gone since the campaign began may come back: it is watched. */
static bool parse_commands(struct arena *a, const struct conf *conf, bool again,
                           struct cc_config **out, size_t *n, struct plan *p, struct err *e)
{
    struct err why;
    *n = 0;
    *out = NEW_ARRAY(a, conf->commands.n, struct cc_config);
    for (size_t i = 0; i < conf->commands.n; i++) {
        const struct hunt_command *c = conf->commands.at[i];
        if (cc_config_parse(a, c->text, c->emulator, &(*out)[*n], &why)) {
            ++*n;
        } else if (again) {
            char **words = str_split_command(a, c->text, NULL);
            log_note("%s: left out until it is there again", why.msg);
            if (words && words[0])
                watch(a, p, words[0]);
        } else {
            return fail(e, "%s", why.msg);
        }
    }
    return true;
}

/* The user may ask for another language than the one that is predicted. */
static void heed_flags(const struct cc_config *config, struct plan_config *out)
{
    unsigned licences = cc_licences(config);
    if (licences & 1u << CC_LICENCE_LAYOUT)
        out->target = NULL;
    if (licences & 1u << CC_LICENCE_FLOATS) {
        out->features &= ~(UINT64_C(1) << GEN_HAS_FLOAT);
        out->own_features &= ~(UINT64_C(1) << GEN_HAS_FLOAT);
    }
}

static bool add_config(struct arena *a, const struct cc_config *config, const struct traits *t,
                       struct plan_config *out, struct err *e)
{
    *out = (struct plan_config){.cc = *config,
                                .family = t->family,
                                .version = t->version,
                                .target = t->target,
                                .features = t->features,
                                .own_features = t->own_features,
                                .own = t->own};
    heed_flags(config, out); /* a level may be one */
    return !*t->extra || cc_compose(a, config, "", (const char *const[]){t->extra}, 1, &out->cc, e);
}

/* Is the configuration one of a compiler for which they are drawn?  With a level or flags it is
 * meant as it was typed, whatever its machine; one that we chose ourselves stands for all levels of
 * its compiler. */
static bool is_drawn(const struct conf *conf, const struct cc_config *config)
{
    return !conf->commands.n || cc_config_is_bare(config);
}

/* ---- machines beside this one ------------------------------------------------------------ */

static bool is_clang_here(const struct cc_config *config)
{
    enum cc_family f;
    return cc_family_of(config->argv[0], &f) && f == CC_FAMILY_CLANG && !config->emulator[0] &&
           !str_has_suffix(config->compiler, "-m32");
}

/* The same clang for other machines, whose programs an emulator runs.  Which machines is a matter
 * of the campaign's seed: to look at all of them would take longer than most hunts. */
static void add_machines(struct arena *a, const struct cc_list *found, uint64_t seed,
                         const struct cc_config *config, struct list *out)
{
    enum { EACH = 2 };
    struct rng r = rng_seed(seed);
    struct list triples = {0};
    cc_draw_machines(a, found, rng_fork(&r, config->argv[0]), EACH, &triples);
    for (size_t i = 0; i < triples.n; i++) {
        struct cc_config *c = NEW(a, struct cc_config);
        const char *text = arena_printf(a, "%s --target=%s", config->argv[0],
                                        (char *)triples.at[i]);
        if (cc_config_parse(a, text, NULL, c, NULL) && c->emulator[0])
            list_add(a, out, c);
    }
}

/* Behind the others, for each clang for which configurations are drawn. */
static void add_all_machines(struct arena *a, const struct conf *conf, const struct cc_list *found,
                             struct cc_config **configs, size_t *n)
{
    struct list more = {0};
    for (size_t i = 0; i < *n; i++) {
        const struct cc_config *c = &(*configs)[i];
        bool same = i && strcmp(c->compiler, c[-1].compiler) == 0;
        if (!same && is_drawn(conf, c) && is_clang_here(c))
            add_machines(a, found, conf->seed, c, &more);
    }
    struct cc_config *all = NEW_ARRAY(a, *n + more.n, struct cc_config);
    memcpy(all, *configs, *n * sizeof *all);
    for (size_t i = 0; i < more.n; i++)
        all[(*n)++] = *(struct cc_config *)more.at[i];
    *configs = all;
}

/* ---- what they are ----------------------------------------------------------------------- */

/* As it is drawn: with the flags that are always there, which may make another language, another
 * machine or nothing at all of it. */
static bool as_drawn(struct arena *a, const struct conf *conf, const struct cc_config *config,
                     struct cc_config *out, struct err *e)
{
    *out = *config;
    return !conf->always.n || !is_drawn(conf, config) ||
           cc_compose(a, config, "", (const char *const *)conf->always.at, conf->always.n, out, e);
}

/* The compiler with what every drawn configuration of it has. */
static bool base_of(struct arena *a, const struct conf *conf, const struct cc_config *config,
                    const struct traits *t, struct cc_config *base, struct err *e)
{
    const char **flags = NEW_ARRAY(a, conf->always.n + 1, const char *);
    if (!cc_config_parse(a, config->compiler, "", base, e))
        return false;
    base->emulator = config->emulator;
    for (size_t i = 0; i < conf->always.n; i++)
        flags[i] = conf->always.at[i];
    flags[conf->always.n] = t->extra;
    return cc_compose(a, base, "", flags, conf->always.n + 1, base, e);
}

/* What it is, and what can be drawn for it: known, or tried now. */
static bool look_at(struct arena *a, struct cc_labs *labs, const struct conf *conf,
                    const struct cc_list *found, const struct cc_config *config, struct known *k,
                    struct traits *t, struct cc_pool *pool, struct err *e)
{
    struct cc_config base, drawn;
    const char *key = known_key(k, config, conf);
    *pool = (struct cc_pool){0};
    if (known_find(k, key, t, pool))
        return true;
    if (!as_drawn(a, conf, config, &drawn, e) || !probe_compiler(labs, a, found, &drawn, t, e))
        return false;
    if (t->compiles && t->known && is_drawn(conf, config) &&
        (!base_of(a, conf, config, t, &base, e) ||
         !cc_pool_learn(a, &labs->at[0], &base, t->cc_family, &conf->never, pool, e)))
        return false;
    known_add(k, key, t, pool);
    return true;
}

/* The compiler with its pool, in place of its levels. */
static bool add_pool(struct arena *a, const struct conf *conf, const struct cc_config *config,
                     const struct traits *t, const struct cc_pool *pool, struct plan_config *out,
                     struct err *e)
{
    out->pool = *pool;
    return !pool->n || base_of(a, conf, config, t, &out->cc, e);
}

static void say_unpredicted(const struct text *compilers)
{
    if (compilers->n)
        log_note("these get programs to compile, not to run, because their data models are not "
                 "predicted: %s",
                 compilers->s);
}

/* Was it taken away while we looked at it?  Then it is left out; that it changed is noticed. */
static bool is_gone(struct arena *a, const struct cc_config *config, struct traits *t)
{
    t->compiles = false;
    return !sys_find_program(a, config->argv[0]);
}

/* Levels of one compiler stand together, so what was learnt of the first holds for the next, and a
 * compiler for which configurations are drawn stands for all of them. */
static bool add_configs(struct arena *a, struct cc_labs *labs, const struct conf *conf,
                        const struct cc_list *found, const struct cc_config *configs, size_t n,
                        double until, struct known *k, struct plan *p, struct err *e)
{
    struct traits t = {0};
    struct cc_pool pool = {0};
    struct text unpredicted = {0};
    p->configs = NEW_ARRAY(a, n, struct plan_config);
    for (size_t i = 0; i < n; i++) {
        struct plan_config *to = &p->configs[p->n];
        if (sys_cancelled())
            return fail(e, "interrupted");
        bool same = i && strcmp(configs[i].compiler, configs[i - 1].compiler) == 0;
        if (same && pool.n)
            continue;
        if (!same && p->n && sys_now() > until) {
            log_note("%s and what follows are left out: there was no time to look at them",
                     configs[i].compiler);
            break;
        }
        if (!same && !look_at(a, labs, conf, found, &configs[i], k, &t, &pool, e) &&
            !is_gone(a, &configs[i], &t))
            return false;
        struct cc_config drawn;
        if (!as_drawn(a, conf, &configs[i], &drawn, e))
            return false;
        if (!same && !t.compiles)
            log_note("%s cannot compile a small program: left out", drawn.text);
        if (!t.compiles)
            continue;
        if (!add_config(a, &drawn, &t, to, e) ||
            (!same && !add_pool(a, conf, &configs[i], &t, &pool, to, e)))
            return false;
        if (!same && !to->target)
            text_printf(&unpredicted, "%s%s (%s)", unpredicted.n ? ", " : "", configs[i].compiler,
                        t.target ? "a flag changes its language" : t.unlike);
        p->n++;
    }
    say_unpredicted(&unpredicted);
    text_free(&unpredicted);
    return p->n || fail(e, "no compiler here compiles a small program: see cupel compilers");
}

/* Compilers that have few flags are looked at in no time, and show most: they come first. */
static void put_quick_first(struct arena *a, struct cc_config *configs, size_t n)
{
    struct cc_config *sorted = NEW_ARRAY(a, n, struct cc_config);
    size_t at = 0;
    for (int slow = 0; slow < 2; slow++)
        for (size_t i = 0; i < n; i++) {
            enum cc_family f;
            bool has_flags = cc_family_of(configs[i].argv[0], &f) &&
                             (f == CC_FAMILY_GCC || f == CC_FAMILY_CLANG);
            if (has_flags == (slow == 1))
                sorted[at++] = configs[i];
        }
    memcpy(configs, sorted, n * sizeof *configs);
}

/* ---- lanes --------------------------------------------------------------------------- */

static void add_to_lane(struct arena *a, struct plan *p, size_t config, const char *family,
                        uint64_t features)
{
    const struct target *target = p->configs[config].target;
    size_t k = 0;
    while (k < p->lane_count &&
           (p->lanes[k].target != target || p->lanes[k].features != features ||
            !p->lanes[k].family != !family || (family && strcmp(p->lanes[k].family, family) != 0)))
        k++;
    struct lane *l = &p->lanes[k];
    if (k == p->lane_count) {
        p->lane_count++;
        *l = (struct lane){target, features, family, NEW_ARRAY(a, p->n, size_t), 0};
    }
    l->configs[l->n++] = config;
}

void plan_make_lanes(struct arena *a, struct plan *p)
{
    p->lanes = NEW_ARRAY(a, 2 * p->n, struct lane);
    for (size_t i = 0; i < p->n; i++) {
        add_to_lane(a, p, i, NULL, p->configs[i].features);
        add_to_lane(a, p, i, p->configs[i].family, p->configs[i].own_features);
    }
}

uint64_t plan_stamp(const struct plan *p)
{
    struct arena a = {0};
    uint64_t stamp = 0;
    for (size_t i = 0; i < p->watched.n; i++) {
        const char *path = sys_find_program(&a, p->watched.at[i]);
        const char *file = path ? sys_file_stamp(&a, path) : NULL;
        stamp = hash_pair(stamp, hash_string(file ? file : "gone"));
    }
    arena_free(&a);
    return stamp;
}

bool plan_make(struct arena *a, struct cc_labs *labs, const struct conf *conf, bool again,
               double until, struct plan *out, struct err *e)
{
    struct cc_list found;
    struct cc_config *configs;
    struct known known;
    size_t n;
    *out = (struct plan){.seed = conf->seed,
                         .run_timeout = conf->run_timeout,
                         .compile_timeout = conf->compile_timeout,
                         .width = (unsigned)conf->width,
                         .source = conf->source,
                         .real = conf->real,
                         .flags = conf->flags,
                         .source_timeout = conf->source_timeout,
                         .eager = conf->eager,
                         .machine = conf->machine,
                         .trust = conf->trust,
                         .csmith = sys_find_program(a, "csmith") != NULL};
    if (!cc_discover(a, labs, &(struct cc_discovery){.until = until}, &found, e))
        return false;
    if (conf->commands.n ? !parse_commands(a, conf, again, &configs, &n, out, e)
                         : !cc_default_configs(a, &found, &configs, &n, e))
        return false;
    for (size_t i = 0; i < n; i++)
        watch(a, out, configs[i].argv[0]);
    out->stamp = plan_stamp(out); /* what changes while we look is looked at again */
    if (!conf->commands.n)
        put_quick_first(a, configs, n);
    add_all_machines(a, conf, &found, &configs, &n);
    known_open(a, &known);
    bool ok = add_configs(a, labs, conf, &found, configs, n, until, &known, out, e);
    known_close(&known);
    if (!ok)
        return false;
    judge_find_tools(a, &found, out->tools);
    plan_make_lanes(a, out);
    if (plan_stamp(out) != out->stamp)
        out->stamp = 0; /* of no state that was looked at as a whole */
    return true;
}

const struct judge_tools *plan_tools(const struct plan *p, const struct target *t)
{
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (lang_target((enum target_id)i) == t)
            return &p->tools[i];
    return &p->tools[TARGET_LP64];
}

const char *plan_target_name(const struct target *t)
{
    return t ? t->name : "none";
}
