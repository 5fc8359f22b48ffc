/* A program's way through relax: relaxations, then checks, then the form of what is left. */
#include "vary/relax/private.h"

static const struct {
    relax_fn *offer;
} rows[RELAXATION_COUNT] = {
#define RELAXATION(id, ...) [RELAXATION_##id] = {relax_##id},
#include "vary/relax/relaxation.def"
};

enum { FUEL_FACTOR = 4, FUEL_LEAST = 1 << 16, OUTPUT_FACTOR = 4, OUTPUT_LEAST = 1 << 16 };

/* What the plan draws, kind by kind. */
static void offer_relaxations(struct relaxing *r, struct list *changes)
{
    const struct relax_plan *plan = &r->request->plan;
    struct rng root = rng_seed(plan->seed);
    for (unsigned i = 0; i < RELAXATION_COUNT; i++) {
        struct offers o = {
            .r = r,
            .kind = (enum relaxation)i,
            .stream = rng_fork_at(&root, "relax", hash_string(relaxation_info[i].name)),
            .probability = plan->probability[i],
            .changes = changes};
        if (o.probability)
            rows[i].offer(&o);
    }
}

/* Changes of what never ran come first: they are seldom guilty, and the search is then among few.
 */
static void sort_changes(struct relaxing *r, struct list *changes)
{
    struct list sorted = {0};
    for (int dead = 1; dead >= 0; dead--)
        for (size_t i = 0; i < changes->n; i++) {
            const struct change *c = changes->at[i];
            if (((r->v->place[c->edits[0].node] & PLACE_DEAD) != 0) == dead)
                list_add(r->arena, &sorted, changes->at[i]);
        }
    *changes = sorted;
}

/* What was taken back is open again for checks. */
static void take_again(struct relaxing *r)
{
    for (uint32_t i = 0; i < r->v->node_count; i++)
        r->taken[i] = 0;
    for (size_t i = 0; i < r->settled.n; i++) {
        const struct change *c = r->settled.at[i];
        for (uint32_t k = 0; k < c->count; k++)
            if (c->edits[k].kind != EDIT_INSERT)
                r->taken[c->edits[k].node] = TAKEN_CHANGED | TAKEN_GONE;
    }
}

/* Executes what is left, elsewhere too: what is computed may be another now, and must not depend on
 * addresses. */
static struct machine_execution run_elsewhere(struct relaxing *r, const struct list *changes)
{
    struct machine_options options = r->run;
    options.steady = true;
    return relax_run(r, changes, false, &options);
}

/* Addresses are looked into last, because it takes twice as long, and seldom finds anything. */
static void settle_relaxations(struct relaxing *r, struct list *changes)
{
    take_again(r);
    if (!changes->n)
        return;
    r->out->at_once = relax_settle(r, changes, false);
    struct machine_execution x = run_elsewhere(r, changes);
    if (!x.defined && changes->n) {
        machine_execution_free(&x);
        r->out->at_once = false;
        r->run.steady = true;
        relax_settle(r, changes, false);
        r->run.steady = false;
        x = run_elsewhere(r, changes);
    }
    if (!x.defined) /* interrupted: nothing is known of it */
        changes->n = 0;
    else
        relax_set_output(r, &x.run->output, x.run->status);
    machine_execution_free(&x);
    relax_keep(r, changes);
    take_again(r);
}

unsigned relax_validators(const struct relax_result *r)
{
    unsigned all = 0;
    for (unsigned i = 0; i < RELAXATION_COUNT; i++)
        all |= r->made[i] ? relaxation_info[i].validators : 0;
    return all;
}

void relax_program(struct arena *a, const struct relax_request *request, struct relax_result *out)
{
    *out = (struct relax_result){.at_once = true};
    struct relaxing r = {.v = request->vary, .arena = a, .request = request, .out = out};
    struct list changes = {0};
    r.taken = NEW_ARRAY(a, r.v->node_count, uint8_t);
    if (request->run)
        r.run = *request->run;
    if (request->steps)
        r.run.fuel = request->steps * FUEL_FACTOR + FUEL_LEAST;
    if (request->output) {
        relax_set_output(&r, request->output, request->status);
        r.run.output = request->output->n * OUTPUT_FACTOR + OUTPUT_LEAST;
    }
    offer_relaxations(&r, &changes);
    sort_changes(&r, &changes);
    if (request->crash)
        relax_keep(&r, &changes);
    else
        settle_relaxations(&r, &changes);
    if (!request->crash)
        relax_remove_checks(&r);
    relax_settle_text(&r);
    relax_count(&r);
}
