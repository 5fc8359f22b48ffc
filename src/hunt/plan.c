/* The plan: which configurations there are, and what programs each can be given. */
#include "hunt/private.h"

#include "gen/gen.h"

#include <string.h>

/* ---- configurations ------------------------------------------------------------------- */

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
                list_add(a, &p->watched, words[0]);
        } else {
            return fail(e, "%s", why.msg);
        }
    }
    return true;
}

/* Flags by which the user asks for another language than the one that is predicted: other floats,
 * or another layout. */
static void heed_flags(const struct cc_config *config, struct plan_config *out)
{
    static const struct {
        const char *prefix;
        bool layout;
    } flags[] = {
        {"-Ofast", false},
        {"-ffast-math", false},
        {"-funsafe-math-optimizations", false},
        {"-ffinite-math-only", false},
        {"-fno-signed-zeros", false},
        {"-fassociative-math", false},
        {"-freciprocal-math", false},
        {"-ffp-model=", false},
        {"-fsingle-precision-constant", false},
        {"-fshort-enums", true},
        {"-fpack-struct", true},
        {"-funsigned-bitfields", true},
        {"-malign-double", true},
        {"-mms-bitfields", true},
    };
    for (size_t i = 1; config->argv[i]; i++)
        for (size_t k = 0; k < LENGTH(flags); k++)
            if (!str_has_prefix(config->argv[i], flags[k].prefix))
                continue;
            else if (flags[k].layout)
                out->target = NULL;
            else
                out->features &= ~(1u << GEN_HAS_FLOAT);
}

static bool add_config(struct arena *a, const struct cc_config *config, const struct traits *t,
                       struct plan_config *out, struct err *e)
{
    *out = (struct plan_config){.cc = *config,
                                .family = t->family,
                                .version = t->version,
                                .target = t->target,
                                .features = t->features,
                                .own = t->own};
    heed_flags(config, out); /* a level may be one */
    if (!*t->extra)
        return true;
    char *const *emulator = config->emulator;
    if (!cc_config_parse(a, arena_printf(a, "%s%s", config->text, t->extra), NULL, &out->cc, e))
        return false;
    out->cc.emulator = emulator;
    return true;
}

/* Levels of one compiler stand together, so what was learnt of the first holds for the next. */
static bool add_configs(struct arena *a, struct cc_labs *labs, const struct cc_list *found,
                        const struct cc_config *configs, size_t n, struct plan *p, struct err *e)
{
    struct traits t = {0};
    struct list unpredicted = {0};
    p->configs = NEW_ARRAY(a, n, struct plan_config);
    for (size_t i = 0; i < n; i++) {
        if (sys_cancelled())
            return fail(e, "interrupted");
        bool same = i && strcmp(configs[i].compiler, configs[i - 1].compiler) == 0;
        if (!same && !probe_compiler(labs, a, found, &configs[i], &t, e))
            return false;
        if (!same && !t.compiles)
            log_note("%s cannot compile a small program: left out", configs[i].text);
        if (!t.compiles)
            continue;
        if (!add_config(a, &configs[i], &t, &p->configs[p->n], e))
            return false;
        if (!same && !p->configs[p->n].target)
            list_add(a, &unpredicted, (char *)configs[i].compiler);
        p->n++;
    }
    if (unpredicted.n)
        log_note("%zu compilers whose data models are not predicted get programs to compile, not "
                 "to run: %s%s",
                 unpredicted.n, (const char *)unpredicted.at[0], unpredicted.n > 1 ? " ..." : "");
    return p->n || fail(e, "no compiler here compiles a small program: see cupel compilers");
}

/* ---- lanes --------------------------------------------------------------------------- */

void plan_make_lanes(struct arena *a, struct plan *p)
{
    p->lanes = NEW_ARRAY(a, p->n, struct lane);
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_config *c = &p->configs[i];
        size_t k = 0;
        while (k < p->lane_count &&
               (p->lanes[k].target != c->target || p->lanes[k].features != c->features))
            k++;
        struct lane *l = &p->lanes[k];
        if (k == p->lane_count) {
            p->lane_count++;
            *l = (struct lane){c->target, c->features, NEW_ARRAY(a, p->n, size_t), 0};
        }
        l->configs[l->n++] = i;
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
               struct plan *out, struct err *e)
{
    struct cc_list found;
    struct cc_config *configs;
    size_t n;
    *out = (struct plan){.seed = conf->seed,
                         .run_timeout = conf->run_timeout,
                         .compile_timeout = conf->compile_timeout,
                         .width = (unsigned)conf->width,
                         .csmith = sys_find_program(a, "csmith") != NULL};
    if (!cc_discover(a, labs, &(struct cc_discovery){0}, &found, e))
        return false;
    if (conf->commands.n ? !parse_commands(a, conf, again, &configs, &n, out, e)
                         : !cc_default_configs(a, &found, &configs, &n, e))
        return false;
    for (size_t i = 0; i < n; i++)
        list_add(a, &out->watched, configs[i].argv[0]);
    out->stamp = plan_stamp(out); /* what changes while we look is looked at again */
    if (!add_configs(a, labs, &found, configs, n, out, e))
        return false;
    tools_find(a, &found, out->tools);
    plan_make_lanes(a, out);
    if (plan_stamp(out) != out->stamp)
        out->stamp = 0; /* of no state that was looked at as a whole */
    return true;
}

const char *plan_target_name(const struct target *t)
{
    return t ? t->name : "none";
}
