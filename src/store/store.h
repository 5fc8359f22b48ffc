/* store: what a campaign knows, on disk.  The only SQL.
 *
 * Tasks are numbered programs of a strategy.  One is leased before it is tested and done when
 * everything that it showed is in the store, in one transaction: whatever dies in between, the
 * lease is found again and the task is tested once more, and nothing is counted twice.
 *
 * One process writes (it holds a lock of its own, see hunt); any number may read meanwhile. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/base.h"

struct store;

enum store_access { STORE_READ, STORE_WRITE };

/* Why a store cannot be used. */
enum store_trouble {
    STORE_NO_TROUBLE,
    STORE_DAMAGED, /* it is there and holds something else than it should, or nothing */
    STORE_UNUSABLE /* anything else: permissions, another version, a full disk ... */
};

/* Opens the database, and makes it when it is to be written and not there; NULL with a reason
 * otherwise.  One that is only read may lie where nothing can be written. */
struct store *store_open(const char *path, enum store_access access, enum store_trouble *trouble,
                         struct err *e);
/* What was the matter with the call that failed last? */
enum store_trouble store_trouble(const struct store *s);
void store_close(struct store *s);

/* What is written between the two is there whole or not at all. */
bool store_begin(struct store *s, struct err *e);
bool store_commit(struct store *s, struct err *e);
void store_undo(struct store *s); /* instead of commit */

/* ---- choices that must not change -------------------------------------------------------- */

bool store_set(struct store *s, const char *key, const char *value, struct err *e);
char *store_get(struct store *s, struct arena *a, const char *key); /* NULL when there is none */

/* ---- what a hunt can choose between, and the tasks of its strategies ----------------------- */

/* What one of the choices has done so far: a strategy, or with a prefix before its name a profile
 * of programs or a class of configurations. */
struct store_arm {
    const char *name;
    double prior;                     /* findings expected in a CPU hour; not kept in the store */
    uint64_t next;                    /* of a strategy: the first number that was never leased */
    uint64_t programs, skipped, lost; /* done; of those without a program; given up */
    uint64_t compiles, runs, bytes;   /* bytes of program that compilers read */
    uint64_t findings, repeats;
    double job_cpu, own_cpu; /* seconds: compilers and programs; ourselves */
    /* the same with the past fading, for the budget */
    double recent_cpu, recent_findings;
};

/* Zeros for one that is new. */
bool store_load_arm(struct store *s, struct store_arm *arm, struct err *e);
bool store_save_arm(struct store *s, const struct store_arm *arm, struct err *e);

/* Sums by strategy and name; 0 for one that nobody has added to. */
bool store_add_to_tally(struct store *s, const char *strategy, const char *name, double amount,
                        struct err *e);
bool store_tally_of(struct store *s, const char *strategy, const char *name, double *out,
                    struct err *e);

/* A program of a strategy and how it is to be tested; both stay what they are once it was leased.
 */
struct store_task {
    const char *strategy;
    uint64_t number;
    const char *profile, *class; /* "" for none */
    unsigned deaths;             /* workers that died of it */
};

/* Leases strategy->next, with the profile and class that the task names, and moves that on. */
bool store_lease(struct store *s, struct store_arm *strategy, struct store_task *task,
                 struct err *e);
/* Leases a task of the strategy that was given back and has cost no more than so many workers, if
 * there is one: *found.  Strings live in the arena. */
bool store_lease_again(struct store *s, struct arena *a, const char *strategy, unsigned most_deaths,
                       struct store_task *task, bool *found, struct err *e);
/* Its worker died. */
bool store_give_back(struct store *s, const struct store_task *task, struct err *e);
bool store_give_back_all(struct store *s, struct err *e); /* whoever had them is dead */
bool store_finish(struct store *s, const struct store_task *task, struct err *e);
bool store_give_up(struct store *s, const struct store_task *task, struct err *e);

struct store_tally {
    uint64_t done, leased, waiting, lost;
};
bool store_count_tasks(struct store *s, const char *strategy, struct store_tally *out,
                       struct err *e);

/* ---- findings ---------------------------------------------------------------------------- */

struct store_finding {
    uint64_t id, count;
    const char *key;    /* equal for what is taken to be the same bug */
    const char *detail; /* all that is known of it, as JSON: see hunt */
    int64_t first, last;
    uint64_t same_as; /* another finding that is the same bug; 0: none */
    bool held;        /* somebody who knows said so: same_as is not to be changed */
    const char *bug;  /* the signature that triage gave it; "" before that */
};

/* 0 when there is none. */
uint64_t store_find(struct store *s, const char *key);
bool store_add_finding(struct store *s, const char *key, int64_t now, uint64_t *id, struct err *e);
bool store_set_detail(struct store *s, uint64_t id, const char *detail, struct err *e);
char *store_detail(struct store *s, struct arena *a, uint64_t id); /* NULL when there is none */
bool store_count_again(struct store *s, uint64_t id, int64_t now, struct err *e);

/* Merged, or split again with same_as 0; both stay, with their keys. */
bool store_merge(struct store *s, uint64_t id, uint64_t same_as, bool held, struct err *e);
bool store_set_bug(struct store *s, uint64_t id, const char *bug, struct err *e);

/* One more program that shows a finding: kept, up to a bound for each finding, because another bug
 * may stand behind the same key. */
struct store_sighting {
    uint64_t finding;
    const char *strategy;
    uint64_t number;
    const char *config, *origin, *program; /* the text of the first few only, else "" */
};
enum { STORE_SIGHTINGS = 200, STORE_SIGHTING_TEXTS = 20 };
bool store_add_sighting(struct store *s, const struct store_sighting *sighting, struct err *e);
/* How many are kept. */
bool store_count_sightings(struct store *s, uint64_t finding, uint64_t *n, struct err *e);
bool store_sightings(struct store *s, struct arena *a, uint64_t finding,
                     struct store_sighting **out, size_t *n, struct err *e);

/* All findings, by id, in the arena. */
bool store_findings(struct store *s, struct arena *a, struct store_finding **out, size_t *n,
                    struct err *e);

#endif
