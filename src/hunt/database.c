/* A campaign that several machines share: joining it, the heartbeat, and a database that goes away
 * and comes back.  That costs time only: what could not be written is written when it is there
 * again, or done again by others. */
#include "hunt/campaign.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- while it is away ------------------------------------------------------------------ */

static void pause_for(double seconds)
{
    sys_peers_wait(NULL, 0, seconds);
}

/* Tries until it answers; false when we are to stop before that. */
static bool wait_for_database(struct campaign *c, struct err *e)
{
    static const double most = 10;
    double began = sys_now(), pause = 0.25;
    campaign_say(c, "%s: waiting for it", e->msg);
    do {
        if (campaign_is_enough(c))
            return false;
        pause_for(pause);
        pause = pause < most / 2 ? 2 * pause : most;
        if (store_reconnect(c->store, e) && leases_reconcile(c, e)) {
            campaign_say(c, "the database is there again after %.0f s", sys_now() - began);
            return true;
        }
    } while (store_trouble(c->store) == STORE_AWAY);
    return false;
}

bool database_do(struct campaign *c, step_fn *step, void *what, struct err *e)
{
    enum { MOST_CONFLICTS = 100 };
    for (unsigned conflicts = 0;;) {
        if (step(c, what, e))
            return true;
        enum store_trouble trouble = store_trouble(c->store);
        bool again = trouble == STORE_CONFLICT && ++conflicts < MOST_CONFLICTS;
        if (!again && (trouble != STORE_AWAY || !wait_for_database(c, e)))
            return false;
    }
}

/* ---- taking part ------------------------------------------------------------------------ */

static bool join(struct campaign *c, void *what, struct err *e)
{
    (void)what;
    return store_join(c->store, &c->node, c->kit.at, c->kit.n, e);
}

bool database_join(struct campaign *c, struct err *e)
{
    c->node.kit = c->kit.id ? c->kit.id : "";
    c->last_beat = sys_now();
    if (!campaign_is_shared(c))
        return true;
    c->joined |= database_do(c, join, NULL, e);
    return c->joined;
}

/* ---- while we look at compilers ---------------------------------------------------------- */

/* A thread with a connection of its own.  When the database is away it says nothing: whoever has
 * the campaign does. */
struct pulse {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool ending;
    const char *where;
    struct store_node node;
    double every;
};

/* True: it is time to end. */
static bool wait_a_beat(struct pulse *p)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)p->every + 1;
    pthread_mutex_lock(&p->lock);
    while (!p->ending && pthread_cond_timedwait(&p->ended, &p->lock, &until) == 0)
        ;
    bool ending = p->ending;
    pthread_mutex_unlock(&p->lock);
    return ending;
}

static void *keep_beating(void *context)
{
    struct pulse *p = context;
    struct store *s = NULL;
    bool known;
    while (!wait_a_beat(p)) {
        if (!s)
            s = store_open(p->where, STORE_WRITE, NULL, NULL);
        if (s && !store_beat(s, &p->node, &known, NULL)) {
            store_close(s);
            s = NULL;
        }
    }
    store_close(s);
    return NULL;
}

struct pulse *pulse_start(struct campaign *c)
{
    struct pulse *p = c->joined ? calloc(1, sizeof *p) : NULL;
    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->ended, NULL);
    p->where = c->site.store;
    p->node = c->node;
    p->every = c->conf.lease / 6;
    if (pthread_create(&p->thread, NULL, keep_beating, p) == 0)
        return p;
    free(p);
    return NULL;
}

void pulse_stop(struct pulse *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->ending = true;
    pthread_cond_signal(&p->ended);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->ended);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

/* ---- what is known of findings ----------------------------------------------------------- */

static bool count_compilers(struct campaign *c, struct err *e)
{
    struct store_count *rows;
    size_t n;
    if (!store_count_by(c->store, &c->arena, STORE_BY_COMPILER, &rows, &n, e))
        return false;
    c->findings = 0;
    c->compiler_count = n;
    c->by_compiler = NEW_ARRAY(&c->arena, n, struct hunt_count);
    for (size_t i = 0; i < n; i++) {
        c->by_compiler[i] = (struct hunt_count){campaign_word(c, rows[i].name), rows[i].n};
        c->findings += rows[i].n;
    }
    return true;
}

bool database_count(struct campaign *c, struct err *e)
{
    struct store_finding *rows;
    size_t n;
    if (!count_compilers(c, e) || !store_count_open(c->store, &c->open, e) ||
        !store_newest(c->store, &c->arena, SHOWN_FINDINGS, &rows, &n, e))
        return false;
    c->newest_count = 0;
    for (size_t i = 0; i < n; i++)
        c->newest_count += row_read(&c->arena, &rows[i], &c->newest[c->newest_count]);
    return true;
}

/* ---- the heartbeat ------------------------------------------------------------------------ */

/* Silence that others would take for death: what was leased is theirs. */
static bool rejoin(struct campaign *c, struct err *e)
{
    campaign_say(c, "this node was silent for too long: what it had in hand is done again");
    leases_forget(c);
    return store_join(c->store, &c->node, c->kit.at, c->kit.n, e);
}

static void describe_node(struct campaign *c)
{
    c->node.programs = c->programs;
    c->node.compiles = c->compiles;
    c->node.job_cpu = c->job_cpu + sys_children_cpu();
    c->node.own_cpu = c->own_cpu + sys_own_cpu();
}

static bool beat(struct campaign *c, void *what, struct err *e)
{
    bool known;
    uint64_t gone;
    (void)what;
    describe_node(c);
    if (!store_check_version(c->store, e) || !store_beat(c->store, &c->node, &known, e) ||
        (!known && !rejoin(c, e)) || !store_give_up_silent(c->store, c->conf.lease, &gone, e) ||
        !choices_refresh(&c->choices, &c->saved, c->store, e))
        return false;
    if (gone)
        campaign_say(c, "%llu node%s silent: what %s in hand is done again",
                     (unsigned long long)gone, gone == 1 ? " is" : "s are",
                     gone == 1 ? "it had" : "they had");
    uint64_t stamp = c->stamp;
    site_stamp(&c->site, c->store, &stamp);
    c->stale |= stamp != c->stamp;
    return database_count(c, e);
}

/* If the database is away, its leases run out. */
void database_leave(struct campaign *c)
{
    bool known;
    if (!c->joined)
        return;
    describe_node(c);
    if (store_beat(c->store, &c->node, &known, NULL))
        store_leave(c->store, c->node.id, NULL);
}

/* Six times in a lease: one that comes late is no death. */
bool database_beat(struct campaign *c, struct err *e)
{
    if (!campaign_is_shared(c) || sys_now() - c->last_beat < c->conf.lease / 6)
        return true;
    c->last_beat = sys_now();
    return database_do(c, beat, NULL, e);
}
