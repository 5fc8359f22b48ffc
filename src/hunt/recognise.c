/* Claims that are known already, told by a compilation or two instead of the forty that naming
 * takes: a crash by its signature, wrong code because it goes when a pass is switched off that was
 * to blame before.  That is a guess; the coordinator has some sightings of a key looked at all the
 * same, and these are named in full. */
#include "hunt/private.h"

#include <string.h>

/* A pass that was to blame, and what switches it off. */
struct culprit {
    const char *family, *pass, *off;
};

/* gcc's counters have a switch each; of clang's passes those that are to blame often. */
static const char *switch_off(struct arena *a, const char *pass)
{
    static const char *const switches[][2] = {{"slp-vectorizer", "-fno-slp-vectorize"},
                                              {"loop-vectorize", "-fno-vectorize"},
                                              {"loop-unroll", "-fno-unroll-loops"}};
    static const char counter[] = "dbg-cnt ";
    if (str_has_prefix(pass, counter))
        return arena_printf(a, "-fdbg-cnt=%s:0", pass + strlen(counter));
    for (size_t i = 0; i < LENGTH(switches); i++)
        if (strcmp(pass, switches[i][0]) == 0)
            return switches[i][1];
    return NULL;
}

void recognise_learn(struct test *t, const struct claim *c)
{
    struct worker *w = t->w;
    struct arena *a = &w->plan_arena;
    const char *family = w->plan.configs[c->pick.config].family;
    const char *off = switch_off(a, c->culprit);
    for (size_t i = 0; i < w->culprits.n && off; i++) {
        const struct culprit *known = w->culprits.at[i];
        if (strcmp(known->pass, c->culprit) == 0 && strcmp(known->family, family) == 0)
            off = NULL;
    }
    if (!off)
        return;
    struct culprit *fresh = NEW(a, struct culprit);
    *fresh = (struct culprit){family, arena_string(a, c->culprit), off};
    list_add(a, &w->culprits, fresh);
}

static bool try_culprits(struct test *t, struct claim *c, struct err *e)
{
    const struct plan_config *accused = &t->w->plan.configs[c->pick.config];
    bool holds = true;
    for (size_t i = 0; i < t->w->culprits.n && accused->pool.n; i++) {
        const struct culprit *known = t->w->culprits.at[i];
        if (strcmp(known->family, accused->family) != 0)
            continue;
        if (!claim_holds_with(t, c, known->off, &holds, e))
            return false;
        if (!holds) {
            c->culprit = known->pass;
            c->key = claim_key(t, c);
            return true;
        }
    }
    return true;
}

bool recognise_claim(struct test *t, struct claim *c, struct err *e)
{
    c->key = NULL;
    if (*c->signature)
        c->key = claim_key(t, c);
    else if (verdict_info(c->verdict)->subject == SUBJECT_RUN)
        return try_culprits(t, c, e);
    return true;
}
