/* Claims: which configuration has to answer for what it did with the program, and what is taken to
 * be the same bug.  A crash is its signature within the compiler's family, a rejection the shape of
 * its message, wrong code the compiler and the levels at which it happens. */
#include "hunt/private.h"

#include <string.h>

/* ---- finding them -------------------------------------------------------------------- */

static bool is_run(enum verdict v)
{
    return v != VERDICT_NONE && verdict_info(v)->subject == SUBJECT_RUN;
}

/* What another configuration of the same family is already accused of on this program is one bug
 * until shown otherwise; the newest version has to answer for it. */
static struct claim *claim_like(struct test *t, size_t config, enum verdict v,
                                const char *signature)
{
    const struct plan_config *configs = t->w->plan.configs;
    for (size_t i = 0; i < t->claims.n; i++) {
        struct claim *c = t->claims.at[i];
        bool alike = c->verdict == v || (is_run(c->verdict) && is_run(v));
        if (alike && strcmp(configs[c->config].family, configs[config].family) == 0 &&
            strcmp(c->signature, signature) == 0)
            return c;
    }
    return NULL;
}

static struct claim *add_claim(struct test *t, size_t config, enum verdict v,
                               const struct outcome *o)
{
    struct arena *a = &t->w->arena;
    const char *signature = verdict_info(v)->signature(a, o);
    struct claim *c = claim_like(t, config, v, signature);
    if (!c)
        list_add(a, &t->claims, c = NEW(a, struct claim));
    else if (config < c->config)
        return c;
    *c = (struct claim){.config = config,
                        .verdict = v,
                        .signature = signature,
                        .levels = t->w->plan.configs[config].cc.level,
                        .outcome = *o};
    return c;
}

/* Compile time and memory against the other configurations of this program. */
static void find_extremes(struct test *t, size_t i)
{
    enum { MANY = 64 };
    double seconds[MANY], bytes[MANY];
    size_t n = 0;
    for (size_t k = 0; k < t->n && n < MANY; k++)
        if (k != i && t->outcomes[k].kind == OUTCOME_BUILT) {
            seconds[n] = t->outcomes[k].compile_cpu;
            bytes[n++] = (double)t->outcomes[k].compile_memory;
        }
    const struct outcome *o = &t->outcomes[i];
    if (o->kind != OUTCOME_BUILT)
        return;
    if (judge_is_out_of_line(o->compile_cpu, seconds, n, 3.0))
        add_claim(t, t->picks[i], VERDICT_SLOW_COMPILE, o)->limit = o->compile_cpu / 3;
    if (judge_is_out_of_line((double)o->compile_memory, bytes, n, 1e9))
        add_claim(t, t->picks[i], VERDICT_LARGE_COMPILE, o)->limit = (double)o->compile_memory / 2;
}

void claim_find(struct test *t)
{
    for (size_t i = 0; i < t->n; i++) {
        enum verdict v = judge_verdict(&t->outcomes[i], &t->subject.expectation);
        if (v != VERDICT_NONE)
            add_claim(t, t->picks[i], v, &t->outcomes[i]);
        else
            find_extremes(t, i);
    }
}

struct judge_claim claim_to_judge(const struct test *t, const struct claim *c)
{
    const struct plan_config *p = &t->w->plan.configs[c->config];
    return (struct judge_claim){.config = &p->cc,
                                .verdict = c->verdict,
                                .signature = c->signature,
                                .program = &t->program,
                                .expect = &t->subject.expectation,
                                /* what is only compiled may be of any model */
                                .target = p->target ? p->target : lang_target(TARGET_LP64),
                                .limit = c->limit};
}

bool claim_find_unstable(struct test *t, struct err *e)
{
    struct rng r = rng_fork(&t->rng, "unstable");
    struct worker *w = t->w;
    size_t i = (size_t)rng_below(&r, t->n);
    struct claim suspicion = {
        .config = t->picks[i], .verdict = VERDICT_UNSTABLE_CODE, .signature = ""};
    struct judge_claim claim = claim_to_judge(t, &suspicion);
    struct outcome o;
    bool unstable = false;
    if (!rng_chance(&r, 25) || t->outcomes[i].kind != OUTCOME_BUILT)
        return true;
    if (!judge_again(&w->labs.at[0], &claim, &w->arena, &o, &unstable, e))
        return false;
    t->result.compiles += 2;
    if (unstable)
        add_claim(t, t->picks[i], VERDICT_UNSTABLE_CODE, &t->outcomes[i]);
    return true;
}

/* ---- naming them --------------------------------------------------------------------- */

static bool shows(const struct test *t, const struct claim *c, const struct outcome *o)
{
    struct judge_claim claim = claim_to_judge(t, c);
    return judge_bears_out(&claim, o);
}

/* All levels of the accused compiler that show it. */
static bool find_levels(struct test *t, struct claim *c, struct err *e)
{
    const struct plan_config *accused = &t->w->plan.configs[c->config];
    struct text levels = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < t->lane->n; i++) {
        size_t k = t->lane->configs[i];
        const struct plan_config *other = &t->w->plan.configs[k];
        struct outcome o = c->outcome;
        if (strcmp(other->cc.compiler, accused->cc.compiler) != 0)
            continue;
        if (k != c->config && !(ok = hunt_try(t, k, &o, e)))
            break;
        if (shows(t, c, &o))
            text_printf(&levels, "%s%s", levels.n ? " " : "", other->cc.level);
    }
    c->levels = arena_string(&t->w->arena, text_str(&levels));
    text_free(&levels);
    return ok;
}

/* The key is the same for what is taken to be the same bug. */
bool claim_name(struct test *t, struct claim *c, struct err *e)
{
    struct arena *a = &t->w->arena;
    const struct plan_config *accused = &t->w->plan.configs[c->config];
    const struct verdict_info *v = verdict_info(c->verdict);
    if (*c->signature) {
        c->key = arena_printf(a, "%s %s: %s", v->name, accused->family, c->signature);
        return true;
    }
    if (v->cost == COST_CHEAP && !find_levels(t, c, e))
        return false;
    c->key = arena_printf(a, "%s %s%s%s", v->name, accused->cc.compiler, *c->levels ? " " : "",
                          c->levels);
    return true;
}

bool claim_find_affected(struct test *t, const struct claim *c, struct list *out, struct err *e)
{
    enum { MANY = 60 };
    const struct plan *p = &t->w->plan;
    if (verdict_info(c->verdict)->cost != COST_CHEAP)
        return true;
    for (size_t i = 0, tried = 0; i < t->lane->n && tried < MANY; i++) {
        size_t k = t->lane->configs[i];
        struct outcome o;
        if (strcmp(p->configs[k].family, p->configs[c->config].family) != 0)
            continue;
        tried++;
        if (!hunt_try(t, k, &o, e))
            return false;
        if (shows(t, c, &o))
            list_add(&t->w->arena, out, (char *)p->configs[k].cc.text);
    }
    return true;
}
