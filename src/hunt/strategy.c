/* The table of strategies.  What a strategy lacks on this machine is asked of the plan. */
#include "hunt/private.h"

#include <string.h>

typedef const char *need_fn(const struct plan *p);

static const char *need_NOTHING(const struct plan *p)
{
    (void)p;
    return NULL;
}

static const char *need_CSMITH(const struct plan *p)
{
    return p->csmith ? NULL : "csmith is not installed";
}

static const char *need_SANITIZER(const struct plan *p)
{
    return planted_can_sanitize(p)
               ? NULL
               : "no compiler here has sanitizers to be drawn, or is asked for one";
}

static const char *need_SOURCE(const struct plan *p)
{
    return p->source ? NULL : "there is no source in cupel.conf";
}

static const char *need_REAL(const struct plan *p)
{
    return p->real ? NULL : "there is no folder of real code: real in cupel.conf, or --real";
}

static const char *need_SEEDS(const struct plan *p)
{
    return p->seeds ? NULL : "there are no seeds: --seeds FOLDER brings them";
}

/* Nothing; but what it finds are no bugs in the sense of the others. */
static const char *need_ASKED(const struct plan *p)
{
    return need_NOTHING(p);
}

enum use { USE_RUN, USE_COMPILE };

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

static const struct {
    const char *name, *what;
    unsigned least, most; /* size */
    double prior;
    enum use use;
    make_fn *make;
    need_fn *need;
} strategies[STRATEGY_COUNT] = {
#define STRATEGY(id, name, maker, least, most, needs, use, prior, what) \
    [STRATEGY_##id] = {name, what, least, most, prior, USE_##use, make_##maker, need_##needs},
#include "hunt/strategy.def"
};

const char *strategy_name(enum strategy s)
{
    return strategies[s].name;
}

enum strategy strategy_named(const char *name)
{
    size_t s = 0;
    while (s < STRATEGY_COUNT && strcmp(strategies[s].name, name) != 0)
        s++;
    return (enum strategy)s;
}

bool strategy_runs(enum strategy s)
{
    return strategies[s].use == USE_RUN;
}

double strategy_prior(enum strategy s)
{
    return strategies[s].prior;
}

const char *strategy_lacks(enum strategy s, const struct plan *p)
{
    return strategies[s].need(p);
}

bool strategy_is_usual(enum strategy s)
{
    return strategies[s].need != need_ASKED;
}

bool strategy_make(enum strategy s, struct order *o, struct subject *out, struct err *e)
{
    *out = (struct subject){0};
    const char *lacks = strategy_lacks(s, o->source->plan);
    if (lacks) {
        fate_skip(out, FATE_UNMADE, lacks);
        return true;
    }
    struct rng stream = rng_seed(o->seed), r = rng_fork(&stream, "size");
    o->size = (unsigned)rng_between(&r, strategies[s].least, strategies[s].most);
    if (!strategies[s].make(o, out, e))
        return false;
    if (out->skipped && out->fate == FATE_USABLE)
        out->fate = FATE_UNMADE;
    out->expectation.out = text_str(&out->expect);
    out->expectation.out_size = out->expect.n;
    return true;
}

void hunt_describe_modes(struct text *out)
{
    for (size_t i = 0; i < STRATEGY_COUNT; i++)
        text_printf(out, "  %-10s %s\n", strategies[i].name, strategies[i].what);
}
