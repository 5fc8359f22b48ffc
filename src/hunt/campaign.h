/* Private to the coordinator's files: a campaign that is hunted.  coordinator.c is read first;
 * leases.c gets its tasks, filing.c keeps what they show, database.c copes with a database that
 * goes away. */
#ifndef HUNT_CAMPAIGN_H
#define HUNT_CAMPAIGN_H

#include "hunt/private.h"

enum { SHOWN_FINDINGS = 5, MOST_VICTIMS = 3 };

/* A task that is leased to us. */
struct lease {
    struct store_task task; /* its strings are the campaign's */
    struct choice choice;
};

struct hand {
    struct sys_peer peer;
    bool busy;
    uint64_t reducing; /* a finding that it makes smaller or names; 0: none */
    uint64_t errand;   /* what somebody asked for; with neither it has a task */
    bool outdated;     /* its plan; it gets the new one with its next task */
    struct lease lease;
    struct arena arena; /* for what it reduces */
};

enum filed { FILED_NEW, FILED_REPEAT, FILED_LOOK, FILED_DOUBT, FILED_NOTHING };

/* What a task showed, until it is in the store. */
struct filing {
    struct arena arena; /* holds the result */
    struct lease lease;
    struct result result;
    enum filed *filed; /* per finding of the result */
    bool mine;         /* nobody else was given the task meanwhile */
};

struct campaign {
    const struct hunt_options *o;
    struct arena arena, plan_arena;
    struct site site;
    struct conf conf;
    int lock;
    struct store *store;
    struct store_node node; /* we; of a folder without a name */
    struct plan plan;
    struct kit kit;
    char *plan_line; /* for workers */
    size_t plan_size;

    struct choices choices, saved, at_start; /* saved: as the store has them */
    struct map words;                        /* strings that live as long as we do */
    struct hand *hands;
    unsigned jobs, deaths;
    struct lease *queue; /* leased and not handed out */
    size_t queued, queue_room;
    bool exhausted; /* the campaign has as many programs as it is to have */
    struct filing *filings;
    size_t filing_count, filing_room;
    double first_filing; /* when the oldest of them came */

    double start, began, last_status, last_stamp, last_beat,
        last_errand;                                     /* began: with the first program */
    uint64_t programs, compiles, new_findings, findings; /* of this run; all */
    uint64_t doubts, chances; /* of this run: not told, as ours to mend, or seen only once */
    struct store_arm others;  /* what strategies have done that this run does not use */
    uint64_t leased;          /* in this run */
    double job_cpu, own_cpu;
    double reduce_cpu;                     /* of these, spent on making findings small */
    uint64_t open;                         /* findings that can become smaller */
    struct finding newest[SHOWN_FINDINGS]; /* the last ones, newest first */
    size_t newest_count;
    struct hunt_history history;
    struct list fresh; /* findings of this run, also those that another stands for: uint64_t */
    struct hunt_count *by_compiler;
    size_t compiler_count;
    const char *sick; /* a configuration that cannot be tried, said once */
    struct list whys; /* why programs were not made: char *, each said once */
    bool stopping;
    bool joined;          /* others know of us */
    uint64_t stamp;       /* of the choices that hold here */
    bool stale;           /* they have changed: taken over as soon as no worker is busy */
    struct scratch seeds; /* of a database, laid out; lock_fd -1: none */
};

static inline bool campaign_is_shared(const struct campaign *c)
{
    return !c->site.dir;
}

void campaign_say(const struct campaign *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Is it time to end? */
bool campaign_is_enough(const struct campaign *c);
/* The string, for as long as the campaign is open. */
const char *campaign_word(struct campaign *c, const char *s);
/* A new distinct finding is shown and counted. */
void campaign_count_finding(struct campaign *c, const struct finding *f);
/* More is known of it: if it is among those that are shown, it is shown so. */
void campaign_show_again(struct campaign *c, const struct finding *f);

/* ---- database.c -------------------------------------------------------------------------- */

/* Something that is written to the store, whole or not at all. */
typedef bool step_fn(struct campaign *c, void *what, struct err *e);
/* Does it, again and again while a database is away or others are in the way; false when we are to
 * stop meanwhile, or it cannot be. */
bool database_do(struct campaign *c, step_fn *step, void *what, struct err *e);
/* Of a campaign that is shared: we take part from now on, with the kit that we have. */
bool database_join(struct campaign *c, struct err *e);
/* Somebody must say that we live while we do nothing but look at compilers; until pulse_stop. */
struct pulse;
struct pulse *pulse_start(struct campaign *c);
void pulse_stop(struct pulse *p);
/* Now and then: we live; who does not is given up; what others did is taken over. */
bool database_beat(struct campaign *c, struct err *e);
void database_leave(struct campaign *c);
/* What the store has of findings, to be shown. */
bool database_count(struct campaign *c, struct err *e);

/* ---- leases.c ---------------------------------------------------------------------------- */

/* A task for an idle worker; *found. */
bool leases_next(struct campaign *c, struct lease *out, bool *found, struct err *e);
/* Its worker died. */
bool leases_give_back(struct campaign *c, const struct lease *l, struct err *e);
/* After a connection broke nobody knows whether the last lease was written: what is ours in the
 * store, and we do not know of, is given back. */
bool leases_reconcile(struct campaign *c, struct err *e);
/* Those that were not handed out are not ours any more. */
void leases_forget(struct campaign *c);

/* ---- errand.c ---------------------------------------------------------------------------- */

/* What the hand is to do for somebody who asks, now and then; m->type MESSAGE_FAILED: nothing. */
bool errand_give(struct campaign *c, struct hand *h, struct message *m, struct err *e);
/* It has been done. */
bool errand_answer(struct campaign *c, struct hand *h, const struct errand_reply *r, struct err *e);

/* ---- filing.c ---------------------------------------------------------------------------- */

/* Is the key worth the trouble of evidence? */
bool filing_is_wanted(const struct campaign *c, const char *key);
/* Takes the arena, in which the result is. */
void filing_add(struct campaign *c, const struct hand *h, struct arena *a, const struct result *r);
/* Keeps what has been added, when it is time. */
bool filing_keep(struct campaign *c, bool now, struct err *e);
/* A finding comes back smaller, or with the reason why it does not. */
bool filing_keep_reduced(struct campaign *c, struct hand *h, const struct message *m,
                         struct err *e);

#endif
