/* Which bug it is, as far as that is cheap: a witness is a configuration close to the accused one
 * that is right about the original, and must stay right about what is kept.  The same flags without
 * one optimisation, when that heals it; else the next lower level that is right.  A reduction that
 * slides to another bug is then mostly refused.  Takes the original with what is expected of it;
 * says nothing about verdicts that need no run. */
#include "keep/private.h"

#include <string.h>

/* Is this configuration right about the program? */
static bool is_right(struct keep *k, const struct cc_config *config, const struct keep_case *c,
                     struct arena *a, bool *right, struct err *e)
{
    struct outcome o;
    if (!cc_try(&k->labs.at[0], config, &c->program, a, &o, e))
        return false;
    *right = judge_as_expected(&o, &c->expect);
    return true;
}

/* ---- flags ------------------------------------------------------------------------------ */

enum { MOST_FLAGS = 32 };

static size_t flags_of(const struct cc_config *config, char **flags)
{
    static const struct {
        enum cc_family family;
        const char *flag;
    } all[] = {
#define HEALS(family, flag) {CC_FAMILY_##family, flag},
#include "keep/heals.def"
    };
    enum cc_family family;
    size_t n = 0;
    _Static_assert(LENGTH(all) < MOST_FLAGS, "one is for the NULL");
    if (!cc_family_of(config->argv[0], &family))
        return 0;
    for (size_t i = 0; i < LENGTH(all); i++)
        if (all[i].family == family)
            flags[n++] = (char *)all[i].flag;
    return n;
}

/* Is the accused configuration right with these flags? */
static bool try_flags(struct keep *k, char *const *flags, size_t n, const struct keep_case *c,
                      struct arena *a, struct cc_config *with, bool *right, struct err *e)
{
    char *words[MOST_FLAGS] = {NULL};
    memcpy(words, flags, n * sizeof *words);
    *with = cc_config_with(&k->arena, &k->config, words);
    return is_right(k, with, c, a, right, e);
}

/* One flag that heals it, by halving; *found false when there is none, or only several do. */
static bool find_flag(struct keep *k, const struct keep_case *c, struct arena *a, bool *found,
                      struct err *e)
{
    char *flags[MOST_FLAGS] = {NULL};
    size_t first = 0, n = flags_of(&k->config, flags);
    *found = false;
    if (n && !try_flags(k, flags, n, c, a, &k->witness, found, e))
        return false;
    while (*found && n > 1) {
        size_t half = n / 2;
        if (!try_flags(k, flags + first, half, c, a, &k->witness, found, e))
            return false;
        if (!*found) {
            if (!try_flags(k, flags + first + half, n - half, c, a, &k->witness, found, e))
                return false;
            first += half;
            half = n - half;
        }
        n = half;
    }
    return true;
}

/* ---- levels ----------------------------------------------------------------------------- */

/* The highest level below the accused one that is right, -O0 left out: that is the reference. */
static bool find_level(struct keep *k, const struct keep_case *c, struct arena *a, bool *found,
                       struct err *e)
{
    static const char *const levels[] = {"-O3", "-O2", "-O1"};
    const char *own = strcmp(k->config.level, "-Os") == 0 ? "-O3" : k->config.level;
    size_t i = 0;
    *found = false;
    while (i < LENGTH(levels) && strcmp(levels[i], own) != 0)
        i++;
    for (i++; i < LENGTH(levels) && !*found; i++) {
        k->witness = cc_config_at(&k->arena, &k->config, levels[i]);
        if (!is_right(k, &k->witness, c, a, found, e))
            return false;
    }
    return true;
}

/* ---- for others in keep ------------------------------------------------------------------- */

bool keep_find_witness(struct keep *k, const struct keep_case *c, struct arena *a, struct err *e)
{
    k->has_witness = false;
    if (k->o.slide || !c->expect.runs || judge_is_about_volatiles(k->verdict) ||
        verdict_info(k->verdict)->subject != SUBJECT_RUN)
        return true;
    if (!find_flag(k, c, a, &k->has_witness, e) ||
        (!k->has_witness && !find_level(k, c, a, &k->has_witness, e)))
        return false;
    if (k->has_witness)
        log_debug("witness: %s", k->witness.text);
    return true;
}

bool keep_witness_agrees(struct keep *k, const struct keep_case *c, struct arena *a, bool *agrees,
                         struct err *e)
{
    return is_right(k, &k->witness, c, a, agrees, e);
}
