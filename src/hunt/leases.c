/* Which programs a coordinator tests next: those that were given back before new ones, which are as
 * the choices want.  A folder's are leased one by one; a database is asked for a batch that lasts
 * some seconds. */
#include "hunt/campaign.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BATCH = 200 };
static const double batch_seconds = 3;

static void enqueue(struct campaign *c, const struct store_task *task, const struct choice *choice)
{
    if (c->queued == c->queue_room) {
        c->queue_room = c->queue_room ? 2 * c->queue_room : 64;
        c->queue = arena_grow(&c->arena, c->queue, c->queued, c->queue_room, sizeof *c->queue);
    }
    c->queue[c->queued++] = (struct lease){.task = {.strategy = campaign_word(c, task->strategy),
                                                    .number = task->number,
                                                    .profile = campaign_word(c, task->profile),
                                                    .class = campaign_word(c, task->class),
                                                    .deaths = task->deaths},
                                           .choice = *choice};
    choices_begin(&c->choices, choice);
    c->leased++;
}

/* ---- how many ---------------------------------------------------------------------------- */

static size_t idle_hands(const struct campaign *c)
{
    size_t n = 0;
    for (unsigned i = 0; i < c->jobs; i++)
        n += !c->hands[i].busy;
    return n;
}

static size_t batch_size(const struct campaign *c)
{
    size_t want = idle_hands(c);
    double elapsed = sys_now() - c->began;
    if (campaign_is_shared(c)) {
        double pace = elapsed > 1 ? (double)c->programs / elapsed : 0;
        want = (size_t)(pace * batch_seconds) > want ? (size_t)(pace * batch_seconds) : want;
    }
    want = want < MOST_BATCH ? want : MOST_BATCH;
    if (!c->o->programs)
        return want;
    uint64_t left = c->leased < c->o->programs ? c->o->programs - c->leased : 0;
    return want < left ? want : (size_t)left;
}

/* ---- those that were given back ------------------------------------------------------------ */

/* How many workers a program may have cost, to be tried again now.  One that has cost some waits a
 * little: when somebody kills workers again and again, it is not always the same program that pays.
 * At the end of a run that has an end all are tried. */
static bool allowed_deaths(struct campaign *c, unsigned *most, struct err *e)
{
    static const double pause = 2; /* seconds, for each of them */
    struct store_tally t;
    *most = (unsigned)((sys_now() - c->began) / pause);
    if (c->exhausted)
        *most = MOST_VICTIMS;
    if (c->exhausted || !c->o->programs)
        return true;
    if (!store_count_tasks(c->store, &t, e))
        return false;
    if (c->leased + t.waiting >= c->o->programs)
        *most = MOST_VICTIMS;
    return true;
}

static bool lease_again(struct campaign *c, void *what, struct err *e)
{
    const struct axis *strategies = &c->choices.axes[AXIS_STRATEGY];
    struct arena a = {0};
    const char **names = NEW_ARRAY(&a, strategies->n, const char *);
    struct store_task *tasks = NEW_ARRAY(&a, MOST_BATCH, struct store_task);
    struct store_again again = {
        .strategies = names, .strategy_count = strategies->n, .most = *(size_t *)what};
    size_t n = 0;
    for (size_t i = 0; i < strategies->n; i++)
        names[i] = strategies->at[i].name;
    bool ok = allowed_deaths(c, &again.most_deaths, e) &&
              store_lease_again(c->store, &a, &c->node, &again, tasks, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        struct choice choice = choices_of_task(&c->choices, &tasks[i]);
        enqueue(c, &tasks[i], &choice);
    }
    arena_free(&a);
    return ok;
}

/* ---- new ones ---------------------------------------------------------------------------- */

static int by_strategy(const void *x, const void *y)
{
    const struct choice *a = x, *b = y;
    size_t i = a->arm[AXIS_STRATEGY], k = b->arm[AXIS_STRATEGY];
    return i < k ? -1 : i > k;
}

/* In the order of the strategies: several nodes lock their rows in the same order. */
static void choose(struct campaign *c, struct choice *choices, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        choices[i] = choices_next(&c->choices);
        choices_begin(&c->choices, &choices[i]);
    }
    for (size_t i = 0; i < n; i++)
        choices_end(&c->choices, &choices[i]);
    qsort(choices, n, sizeof *choices, by_strategy);
}

static bool lease_new(struct campaign *c, void *what, struct err *e)
{
    struct arena a = {0};
    size_t n = *(size_t *)what;
    struct choice *choices = NEW_ARRAY(&a, n, struct choice);
    struct store_task *tasks = NEW_ARRAY(&a, n, struct store_task);
    choose(c, choices, n);
    for (size_t i = 0; i < n; i++)
        tasks[i] = (struct store_task){
            .strategy = choices_arm(&c->choices, &choices[i], AXIS_STRATEGY)->name,
            .profile = choice_name(choices_arm(&c->choices, &choices[i], AXIS_PROFILE)->name),
            .class = choice_name(choices_arm(&c->choices, &choices[i], AXIS_CLASS)->name)};
    bool ok = store_lease(c->store, &c->node, tasks, &n, c->o->total, e);
    for (size_t i = 0; ok && i < n; i++)
        enqueue(c, &tasks[i], &choices[i]);
    c->exhausted = ok && n < *(size_t *)what;
    arena_free(&a);
    return ok;
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* What a run gave back when its time was up may take longer than the next run has, too: that one
 * begins with something new, or no number of short runs gets on. */
static bool begins_with_new(const struct campaign *c)
{
    return c->o->seconds > 0 && !c->o->programs && !c->o->total && c->leased == 0;
}

static bool refill(struct campaign *c, struct err *e)
{
    size_t want = batch_size(c);
    if (!want)
        return true;
    if (!begins_with_new(c) && !database_do(c, lease_again, &want, e))
        return false;
    return c->queued || (c->exhausted && c->o->total) || database_do(c, lease_new, &want, e);
}

bool leases_next(struct campaign *c, struct lease *out, bool *found, struct err *e)
{
    if (!c->queued && !refill(c, e))
        return false;
    *found = c->queued > 0;
    if (*found) {
        *out = c->queue[0];
        memmove(c->queue, c->queue + 1, --c->queued * sizeof *c->queue);
    }
    return true;
}

void leases_forget(struct campaign *c)
{
    for (size_t i = 0; i < c->queued; i++)
        choices_end(&c->choices, &c->queue[i].choice);
    c->leased -= c->queued;
    c->queued = 0;
}

bool leases_reconcile(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    struct store_task *tasks = NEW_ARRAY(&a, c->queued + c->jobs + c->filing_count,
                                         struct store_task);
    uint64_t *findings = NEW_ARRAY(&a, c->jobs, uint64_t);
    uint64_t *errands = NEW_ARRAY(&a, c->jobs, uint64_t);
    struct store_holding h = {.tasks = tasks, .findings = findings, .errands = errands};
    for (size_t i = 0; i < c->queued; i++)
        tasks[h.task_count++] = c->queue[i].task;
    for (size_t i = 0; i < c->filing_count; i++)
        tasks[h.task_count++] = c->filings[i].lease.task;
    for (unsigned i = 0; c->hands && i < c->jobs; i++) {
        const struct hand *hand = &c->hands[i];
        if (hand->busy && hand->reducing)
            findings[h.finding_count++] = hand->reducing;
        if (hand->busy && hand->errand)
            errands[h.errand_count++] = hand->errand;
        if (hand->busy && !hand->reducing && !hand->errand)
            tasks[h.task_count++] = hand->lease.task;
    }
    bool ok = store_keep_only(c->store, &c->node, &h, e);
    arena_free(&a);
    return ok;
}

/* It is given up when it has cost several workers. */
static bool give_back(struct campaign *c, void *what, struct err *e)
{
    const struct lease *l = what;
    struct store_arm *strategy = choices_arm(&c->choices, &l->choice, AXIS_STRATEGY);
    bool mine;
    if (l->task.deaths < MOST_VICTIMS)
        return store_give_back(c->store, &c->node, &l->task, e);
    bool ok = store_begin(c->store, e) && store_give_up(c->store, &c->node, &l->task, &mine, e);
    if (ok && mine)
        strategy->lost++;
    if (ok && choices_save(&c->choices, &c->saved, c->store, e) && store_commit(c->store, e)) {
        choices_restore(&c->saved, &c->choices);
        return true;
    }
    store_undo(c->store);
    strategy->lost -= ok && mine;
    return false;
}

bool leases_give_back(struct campaign *c, const struct lease *l, struct err *e)
{
    struct lease dead = *l;
    if (++dead.task.deaths >= MOST_VICTIMS)
        campaign_say(c, "program %llu of %s has cost %u workers: given up",
                     (unsigned long long)dead.task.number, dead.task.strategy, dead.task.deaths);
    choices_end(&c->choices, &l->choice);
    c->leased--;
    return database_do(c, give_back, &dead, e);
}
