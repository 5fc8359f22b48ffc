/* Who gets a program: first a lane, so that the program can be made for what its compilers have in
 * common, then some configurations of it.  Drawn from the task's own random stream. */
#include "hunt/private.h"

#include <string.h>

/* Every family gets the same number of programs, however many versions and levels there are of it;
 * cross compilers count as a family of their own. */
static bool same_kin(const struct plan_config *x, const struct plan_config *y)
{
    return x->own == y->own && strcmp(x->family, y->family) == 0;
}

static const struct lane *lane_of(const struct plan *p, size_t config)
{
    for (size_t i = 0; i < p->lane_count; i++)
        if (p->lanes[i].target == p->configs[config].target &&
            p->lanes[i].features == p->configs[config].features)
            return &p->lanes[i];
    BUG("a configuration without a lane");
}

/* A family, then one of its configurations; NULL when none is fit.  run: it must be predicted. */
const struct lane *lane_choose(const struct plan *p, struct arena *a, struct rng r, bool run)
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
    const struct plan_config *kin = kins.at[rng_below(&draw, kins.n)];
    for (size_t i = 0; i < p->n; i++)
        if (same_kin(kin, &p->configs[i]) && !(run && !p->configs[i].target))
            fit[n++] = i;
    return lane_of(p, fit[rng_below(&draw, n)]);
}

/* The first `width` of the lane's configurations, shuffled. */
void lane_choose_configs(struct test *t)
{
    struct rng r = rng_fork(&t->rng, "configs");
    const struct lane *l = t->lane;
    t->picks = NEW_ARRAY(&t->w->arena, l->n, size_t);
    memcpy(t->picks, l->configs, l->n * sizeof *t->picks);
    t->n = l->n < t->w->plan.width ? l->n : t->w->plan.width;
    for (size_t i = 0; i < t->n; i++) {
        size_t k = i + (size_t)rng_below(&r, l->n - i), other = t->picks[i];
        t->picks[i] = t->picks[k];
        t->picks[k] = other;
    }
}
