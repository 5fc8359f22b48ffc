/* Who gets a program: first a lane, so that the program can be made for what its compilers have in
 * common, then one or two configurations of it, some of them drawn.  All from the task's own random
 * stream. */
#include "hunt/private.h"

#include <string.h>

static const unsigned turns[] = {
#define FAMILY(id, stem, prefixed, all_levels, turns) [CC_FAMILY_##id] = turns,
#include "cc/family.def"
};

static unsigned turns_of(const struct plan_config *c)
{
    enum cc_family f;
    return cc_family_of(c->family, &f) ? turns[f] : 1;
}

/* Every family gets the same number of programs, however many versions there are of it, or several
 * times that when it is quick; its compilers for other machines count as a family of their own, and
 * get half. */
static bool same_kin(const struct plan_config *x, const struct plan_config *y)
{
    return x->own == y->own && strcmp(x->family, y->family) == 0;
}

/* The lane of a configuration: with others, or with its family alone. */
static const struct lane *lane_of(const struct plan *p, size_t config, bool alone)
{
    const struct plan_config *c = &p->configs[config];
    uint64_t features = alone ? c->own_features : c->features;
    for (size_t i = 0; i < p->lane_count; i++) {
        const struct lane *l = &p->lanes[i];
        if (l->target == c->target && l->features == features && !l->family == !alone &&
            (!alone || strcmp(l->family, c->family) == 0))
            return l;
    }
    BUG("a configuration without a lane");
}

/* Programs for other machines take an emulator's time as well. */
static unsigned weight_of(const struct plan_config *c)
{
    return turns_of(c) * (c->own ? 2 : 1);
}

/* One of the families' first configurations. */
static const struct plan_config *choose_kin(const struct list *kins, struct rng *draw)
{
    uint64_t sum = 0;
    const struct plan_config *kin = NULL;
    for (size_t i = 0; i < kins->n; i++) {
        unsigned weight = weight_of(kins->at[i]);
        sum += weight;
        if (rng_below(draw, sum) < weight)
            kin = kins->at[i];
    }
    return kin;
}

/* A family, then one of its configurations, *chosen; NULL when none is fit.  run: it must be
 * predicted.  Half of the programs are for the family alone, with what only that has; of a quick
 * family all, since others would make them slow. */
const struct lane *lane_choose(const struct plan *p, struct arena *a, struct rng r, bool run,
                               size_t *chosen)
{
    struct rng draw = rng_fork(&r, "lane");
    struct list kins = {0};
    size_t *fit = NEW_ARRAY(a, p->n, size_t), n = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t k = 0;
        if (run && !p->configs[i].target)
            continue;
        while (k < kins.n && !same_kin(kins.at[k], &p->configs[i]))
            k++;
        if (k == kins.n)
            list_add(a, &kins, &p->configs[i]);
    }
    if (!kins.n)
        return NULL;
    const struct plan_config *kin = choose_kin(&kins, &draw);
    for (size_t i = 0; i < p->n; i++)
        if (same_kin(kin, &p->configs[i]) && !(run && !p->configs[i].target))
            fit[n++] = i;
    *chosen = fit[rng_below(&draw, n)];
    return lane_of(p, *chosen, rng_chance(&draw, 50) || turns_of(kin) > 1);
}

static bool make_pick(struct test *t, size_t config, struct rng r, struct pick *out, struct err *e)
{
    const struct plan_config *c = &t->w->plan.configs[config];
    out->config = config;
    if (c->pool.n)
        return cc_draw(&t->w->arena, &c->pool, &c->cc, t->task.class, r, &out->drawn, e);
    out->drawn = (struct cc_drawn){.config = c->cc, .level = c->cc.level};
    return true;
}

/* The one for which the lane was chosen, then others of the lane, shuffled, `width` in all.  When
 * they are fewer, those that are drawn are drawn again. */
bool lane_choose_configs(struct test *t, struct err *e)
{
    struct rng r = rng_fork(&t->rng, "configs");
    const struct lane *l = t->lane;
    struct arena *a = &t->w->arena;
    size_t *order = NEW_ARRAY(a, l->n, size_t), width = t->w->plan.width;
    memcpy(order, l->configs, l->n * sizeof *order);
    t->picks = NEW_ARRAY(a, width, struct pick);
    for (size_t i = 0; i < width; i++) {
        if (i < l->n) {
            size_t k = i + (size_t)rng_below(&r, l->n - i), other = order[i];
            while (i == 0 && order[k] != t->chosen)
                k = (k + 1) % l->n;
            order[i] = order[k];
            order[k] = other;
        }
        size_t config = order[i % l->n];
        if (i >= l->n && !t->w->plan.configs[config].pool.n)
            continue;
        if (!make_pick(t, config, rng_fork_at(&r, "draw", i), &t->picks[t->n++], e))
            return false;
    }
    return true;
}
