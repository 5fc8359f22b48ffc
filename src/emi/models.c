/* Which configurations the same facts hold for.  Takes configurations, yields groups of one data
 * model and one machine.  What a compiler's programs are for is found by running one, unless its
 * name and its flags leave no doubt. */
#include "emi/private.h"

#include "judge/judge.h"

#include <string.h>

struct learned {
    const struct target *target; /* NULL: none that we know */
    const char *unlike;          /* then: what it has that no target has so, or why not known */
    bool host;                   /* of this machine, as its ABI lays it down */
};

/* A compiler's name tells of another machine than this one, or says which one it is for. */
static bool names_machine(const struct cc_config *c)
{
    const char *slash = strrchr(c->argv[0], '/');
    return c->emulator[0] || strstr(slash ? slash + 1 : c->argv[0], "-linux-");
}

static bool is_of_host(const struct cc_config *c, const struct target *t)
{
    return !c->emulator[0] && (t == lang_target(TARGET_LP64) || t == lang_target(TARGET_ILP32));
}

/* One that compiles nothing has whatever model it asks for: the original will show what is wrong
 * with it. */
static bool learn(struct arena *a, struct cc_lab *lab, const struct cc_config *c,
                  struct learned *out, struct err *e)
{
    struct judge_model model;
    *out = (struct learned){.target = emi_target_of(c), .host = true};
    if (judge_keeps_abi(c) && !names_machine(c))
        return true;
    if (!judge_learn_model(lab, c, a, &model, e))
        return false;
    if (!model.compiles && !c->emulator[0])
        return true;
    *out = (struct learned){model.target, model.unlike, is_of_host(c, model.target)};
    return true;
}

/* Levels of one compiler have one data model. */
static bool learn_all(struct arena *a, struct cc_lab *lab, const struct cc_config *configs,
                      size_t n, struct learned *out, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        size_t like = 0;
        while (like < i && strcmp(configs[like].compiler, configs[i].compiler) != 0)
            like++;
        if (like < i)
            out[i] = out[like];
        else if (!learn(a, lab, &configs[i], &out[i], e))
            return false;
    }
    return true;
}

/* Compilers of this machine read the same headers; others have their own. */
static bool belongs(const struct emi_model *m, const struct cc_config *c, const struct learned *l)
{
    return m->target == l->target && m->host == l->host &&
           (m->host || strcmp(m->configs[0].compiler, c->compiler) == 0);
}

static const char *free_name(struct arena *a, const struct emi_model *models, size_t n,
                             const struct target *target)
{
    size_t others = 0;
    for (size_t i = 0; i < n; i++)
        others += models[i].target == target;
    const char *name = target ? target->name : "unknown";
    return others ? arena_printf(a, "%s-%zu", name, others + 1) : name;
}

bool emi_models(struct arena *a, struct cc_lab *lab, const struct cc_config *configs, size_t n,
                struct emi_model **out, size_t *count, struct err *e)
{
    struct learned *learned = NEW_ARRAY(a, n + 1, struct learned);
    struct emi_model *models = NEW_ARRAY(a, n + 1, struct emi_model);
    *out = models;
    *count = 0;
    if (!learn_all(a, lab, configs, n, learned, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < *count && !belongs(&models[k], &configs[i], &learned[i]))
            k++;
        if (k == *count) {
            models[k] = (struct emi_model){.target = learned[i].target,
                                           .unlike = learned[i].unlike,
                                           .host = learned[i].host,
                                           .name = free_name(a, models, k, learned[i].target),
                                           .configs = NEW_ARRAY(a, n, struct cc_config)};
            ++*count;
        }
        models[k].configs[models[k].n++] = configs[i];
    }
    return true;
}
