/* What becomes of programs, and what each stage of theirs costs: CsmithEdge's Tables 3 and 4.
 * Counted for each strategy; kept in the store. */
#include "hunt/private.h"

#include <string.h>

static const char *const fates[FATE_COUNT] = {
#define FATE(id, name, what) [FATE_##id] = name,
#include "hunt/fate.def"
};

static const char *const phases[PHASE_COUNT] = {
    [PHASE_MAKE] = "make", [PHASE_RUN] = "run", [PHASE_VALIDATE] = "validate"};

enum fate fate_of_end(enum machine_end end)
{
    switch (end) {
    case MACHINE_UNDEFINED:
    case MACHINE_UNSPECIFIED:
        return FATE_MACHINE;
    case MACHINE_FUEL:
        return FATE_TIMED_OUT;
    case MACHINE_UNLINKED:
        return FATE_UNMADE;
    case MACHINE_UNSUPPORTED:
    case MACHINE_MEMORY:
        return FATE_UNDECIDED;
    case MACHINE_FINISHED:
        return FATE_USABLE;
    }
    BUG("end %d", (int)end);
}

enum fate fate_of_validator(enum validator v)
{
    static const enum fate all[VALIDATOR_COUNT] = {[VALIDATOR_ASAN] = FATE_ASAN,
                                                   [VALIDATOR_MSAN] = FATE_MSAN,
                                                   [VALIDATOR_UBSAN] = FATE_UBSAN,
                                                   [VALIDATOR_EVA] = FATE_EVA};
    return all[v];
}

void fate_skip(struct subject *s, enum fate fate, const char *why)
{
    s->fate = fate;
    s->skipped = why;
    s->undecided = false;
}

/* ---- time ------------------------------------------------------------------------------- */

void phase_begin(struct phase_clock *c)
{
    c->last = sys_own_cpu() + sys_children_cpu();
}

void phase_end(struct phase_clock *c, enum phase s, struct result *r)
{
    double now = sys_own_cpu() + sys_children_cpu();
    r->phase_cpu[s] += now - c->last;
    c->last = now;
}

/* ---- the store -------------------------------------------------------------------------- */

void fate_count(struct fate_sums *sums, enum strategy strategy, const struct result *r)
{
    sums->n[strategy][r->fate] += 1;
    for (size_t i = 0; i < PHASE_COUNT; i++)
        sums->n[strategy][FATE_COUNT + i] += r->phase_cpu[i];
}

static const char *sum_name(size_t i)
{
    return i < FATE_COUNT ? fates[i] : phases[i - FATE_COUNT];
}

bool fate_save(const struct fate_sums *sums, struct store *store, struct err *e)
{
    struct store_sum all[sizeof sums->n / sizeof sums->n[0][0]];
    size_t n = 0;
    for (size_t s = 0; s < STRATEGY_COUNT; s++)
        for (size_t i = 0; i < LENGTH(sums->n[s]); i++)
            if (sums->n[s][i] > 0)
                all[n++] = (struct store_sum){strategy_name((enum strategy)s), sum_name(i),
                                              sums->n[s][i]};
    return store_add_to_tallies(store, all, n, e);
}

static void take_sum(struct hunt_fates *out, const char *name, double amount)
{
    double *const seconds[PHASE_COUNT] = {&out->make, &out->run, &out->validate};
    for (size_t i = 0; i < FATE_COUNT; i++)
        if (strcmp(fates[i], name) == 0) {
            out->n[i] = (uint64_t)amount;
            out->all += out->n[i];
        }
    for (size_t i = 0; i < PHASE_COUNT; i++)
        if (strcmp(phases[i], name) == 0)
            *seconds[i] = amount;
}

bool fate_read(struct store *store, struct hunt_fates *out, struct err *e)
{
    struct arena a = {0};
    struct store_sum *sums;
    size_t n;
    bool ok = store_tallies(store, &a, &sums, &n, e);
    for (size_t s = 0; s < STRATEGY_COUNT; s++)
        out[s] = (struct hunt_fates){.strategy = strategy_name((enum strategy)s)};
    for (size_t i = 0; ok && i < n; i++) {
        enum strategy s = strategy_named(sums[i].strategy);
        if (s != STRATEGY_COUNT)
            take_sum(&out[s], sums[i].name, sums[i].amount);
    }
    arena_free(&a);
    return ok;
}

const char *hunt_fate_name(size_t i)
{
    return fates[i];
}
