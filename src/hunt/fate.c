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

bool fate_count(struct store *store, const char *strategy, const struct result *r, struct err *e)
{
    if (!store_add_to_tally(store, strategy, fates[r->fate], 1, e))
        return false;
    for (size_t i = 0; i < PHASE_COUNT; i++)
        if (!store_add_to_tally(store, strategy, phases[i], r->phase_cpu[i], e))
            return false;
    return true;
}

bool fate_read(struct store *store, const char *strategy, struct hunt_fates *out, struct err *e)
{
    *out = (struct hunt_fates){.strategy = strategy};
    for (size_t i = 0; i < FATE_COUNT; i++) {
        double n;
        if (!store_tally_of(store, strategy, fates[i], &n, e))
            return false;
        out->n[i] = (uint64_t)n;
        out->all += out->n[i];
    }
    double *const seconds[PHASE_COUNT] = {&out->make, &out->run, &out->validate};
    for (size_t i = 0; i < PHASE_COUNT; i++)
        if (!store_tally_of(store, strategy, phases[i], seconds[i], e))
            return false;
    return true;
}

const char *hunt_fate_name(size_t i)
{
    return fates[i];
}
