/* store: what a campaign knows.  The only SQL.
 *
 * A campaign is a file (SQLite: one machine, one writer, who holds a lock of its own, see hunt; any
 * number may read meanwhile) or a database (postgresql://...: any number of machines write).  Both
 * keep the same tables and are asked the same questions; what differs is in sqlite.c and
 * postgres.c.
 *
 * Tasks are numbered programs of a strategy.  One is leased to a node before it is tested and done
 * when everything that it showed is in the store, in one transaction: whatever dies in between, the
 * lease is found again and the task is tested once more, and nothing is counted twice.  A node
 * shows that it lives by its heartbeat; what a silent one had leased is anybody's.  All times are
 * those of the store's clock. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/base.h"

struct store;

enum store_access { STORE_READ, STORE_WRITE };

/* Why a store cannot be used. */
enum store_trouble {
    STORE_NO_TROUBLE,
    STORE_DAMAGED,  /* it is there and holds something else than it should, or nothing */
    STORE_AWAY,     /* a database that does not answer now, or has no room: it may come back */
    STORE_CONFLICT, /* somebody else wrote at the same time: the transaction can be done again */
    STORE_UNUSABLE  /* anything else: permissions, another version, a full disk ... */
};

/* Is this the address of a database, and not a path? */
bool store_is_address(const char *where);
/* The same without its password, for people. */
char *store_public_name(struct arena *a, const char *where);

/* Opens a file's path or a database's address, and makes the tables when it is to be written and
 * they are not there; NULL with a reason otherwise.  A file that is only read may lie where nothing
 * can be written. */
struct store *store_open(const char *where, enum store_access access, enum store_trouble *trouble,
                         struct err *e);
/* After STORE_AWAY: tries once to reach it again. */
bool store_reconnect(struct store *s, struct err *e);
/* What was the matter with the call that failed last? */
enum store_trouble store_trouble(const struct store *s);
void store_close(struct store *s);
int64_t store_now(struct store *s); /* seconds since 1970 by its own clock */
/* Has a newer cupel changed the tables meanwhile?  Then e says so, and nothing may be written. */
bool store_check_version(struct store *s, struct err *e);

/* What is written between the two is there whole or not at all. */
bool store_begin(struct store *s, struct err *e);
bool store_commit(struct store *s, struct err *e);
void store_undo(struct store *s); /* instead of commit */

/* ---- choices that must not change -------------------------------------------------------- */

bool store_set(struct store *s, const char *key, const char *value, struct err *e);
/* Sets it unless it is set; the caller gets what holds. */
char *store_set_first(struct store *s, struct arena *a, const char *key, const char *value,
                      struct err *e);
char *store_get(struct store *s, struct arena *a, const char *key); /* NULL when there is none */

/* ---- what a hunt can choose between: arms.c ------------------------------------------------- */

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
/* All there are, by name, in the arena. */
bool store_arms(struct store *s, struct arena *a, struct store_arm **out, size_t *n, struct err *e);
/* What came to each since somebody read it as `was`: several nodes add to the same arms.  next is
 * not touched. */
bool store_add_to_arms(struct store *s, const struct store_arm *was, const struct store_arm *is,
                       size_t n, struct err *e);

/* Sums by strategy and name. */
struct store_sum {
    const char *strategy, *name;
    double amount;
};
bool store_add_to_tallies(struct store *s, const struct store_sum *sums, size_t n, struct err *e);
bool store_tallies(struct store *s, struct arena *a, struct store_sum **out, size_t *n,
                   struct err *e);

/* ---- nodes: nodes.c ------------------------------------------------------------------------- */

/* A coordinator with its workers, and what it can run.  A file has one, which is not written down:
 * its name is "". */
struct store_node {
    const char *id, *host, *version; /* version: of cupel */
    const char *kit;                 /* equal for nodes that would test the same */
    uint64_t jobs, programs, compiles;
    double job_cpu, own_cpu;
    int64_t started, beat; /* when it joined; when it was heard of last */
    bool left;             /* it has said goodbye, or was given up */
    double silence;        /* seconds since it was heard of */
};

/* A compiler is what it says of itself, what it makes programs for and the bytes of its file: not
 * where it lies. */
struct store_compiler {
    const char *id, *name, *version, *target, *hash;
    const char *nodes; /* those that have it, after blanks; when read */
};

/* The node takes part from now on, with the compilers that it has. */
bool store_join(struct store *s, const struct store_node *me, const struct store_compiler *all,
                size_t n, struct err *e);
/* It is alive, and has done so much; *known is false when it was given up meanwhile: then its
 * leases are gone. */
bool store_beat(struct store *s, const struct store_node *me, bool *known, struct err *e);
/* It ends: what it has leased is given back. */
bool store_leave(struct store *s, const char *id, struct err *e);
/* Gives up nodes that were silent for so many seconds, and gives back what they had. */
bool store_give_up_silent(struct store *s, double silence, uint64_t *nodes, struct err *e);
bool store_nodes(struct store *s, struct arena *a, struct store_node **out, size_t *n,
                 struct err *e);
bool store_compilers(struct store *s, struct arena *a, struct store_compiler **out, size_t *n,
                     struct err *e);

/* ---- tasks: tasks.c ------------------------------------------------------------------------- */

/* A program of a strategy and how it is to be tested; both stay what they are once it was leased.
 */
struct store_task {
    const char *strategy;
    uint64_t number;
    const char *profile, *class; /* "" for none */
    unsigned deaths;             /* workers that died of it */
};

/* Leases new tasks to the node, whose strategy, profile and class the caller has chosen; they get
 * their numbers.  In all there are never more than `most` tasks; 0: any number.  *n is lowered to
 * what there was room for. */
bool store_lease(struct store *s, const struct store_node *me, struct store_task *tasks, size_t *n,
                 uint64_t most, struct err *e);
/* Which tasks that were given back are wanted. */
struct store_again {
    const char *const *strategies; /* that the node can do */
    size_t strategy_count;
    unsigned most_deaths; /* each has cost no more workers */
    size_t most;          /* tasks */
};
/* Leases those, of the node's kit, or of a kit that no living node has.  Strings live in the arena.
 */
bool store_lease_again(struct store *s, struct arena *a, const struct store_node *me,
                       const struct store_again *again, struct store_task *out, size_t *n,
                       struct err *e);
/* Its worker died. */
bool store_give_back(struct store *s, const struct store_node *me, const struct store_task *task,
                     struct err *e);
/* What a node has in hand: anything else that the store takes to be its own is given back. */
struct store_holding {
    const struct store_task *tasks;
    size_t task_count;
    const uint64_t *findings, *errands;
    size_t finding_count, errand_count;
};
bool store_keep_only(struct store *s, const struct store_node *me, const struct store_holding *h,
                     struct err *e);
bool store_give_back_all(struct store *s, struct err *e); /* whoever had them is dead */
/* Does the node have it still?  Then it is done, or given up as lost; *mine says so.  One that was
 * given to somebody else meanwhile is theirs to count. */
bool store_finish(struct store *s, const struct store_node *me, const struct store_task *task,
                  bool *mine, struct err *e);
bool store_give_up(struct store *s, const struct store_node *me, const struct store_task *task,
                   bool *mine, struct err *e);
/* The same as store_finish for several at once. */
bool store_finish_all(struct store *s, const struct store_node *me, const struct store_task *tasks,
                      size_t n, bool *mine, struct err *e);

struct store_tally {
    uint64_t done, leased, waiting, lost;
};
bool store_count_tasks(struct store *s, struct store_tally *out, struct err *e);
/* Those of each strategy that are not done; strategies without any are left out. */
struct store_open {
    const char *strategy;
    uint64_t leased, waiting, lost;
};
bool store_open_tasks(struct store *s, struct arena *a, struct store_open **out, size_t *n,
                      struct err *e);

/* ---- findings: findings.c ------------------------------------------------------------------- */

/* What a line of a table shows of a finding. */
struct store_line {
    const char *verdict, *compiler, *config, *grade, *strategy, *what;
    uint64_t lines; /* of the smallest program so far; 0: none */
};

struct store_finding {
    uint64_t id, count;
    const char *key;    /* equal for what is taken to be the same bug */
    const char *detail; /* all that is known of it, as JSON: see hunt; or what a list shows */
    int64_t first, last;
    uint64_t same_as;        /* another finding that is the same bug; 0: none */
    bool held;               /* somebody who knows said so: same_as is not to be changed */
    bool whole;              /* detail has everything */
    const char *bug;         /* the signature that triage gave it; "" before that */
    const char *compiler_id; /* struct store_compiler's; "" when it is not known */
    struct store_line line;  /* when that was asked for */
};

/* What is kept of a finding beside its key. */
struct store_content {
    const char *detail, *brief; /* brief: what a list shows, as JSON */
    struct store_line line;
    const char *compiler_id; /* "": as it was */
    bool open;               /* it can become smaller, or is not triaged */
};

/* 0 when there is none. */
uint64_t store_find(struct store *s, const char *key);
/* *id 0: somebody else has added one with that key. */
bool store_add_finding(struct store *s, const char *key, uint64_t *id, struct err *e);
bool store_set_content(struct store *s, uint64_t id, const struct store_content *c, struct err *e);
char *store_detail(struct store *s, struct arena *a, uint64_t id); /* NULL when there is none */
bool store_count_again(struct store *s, uint64_t id, struct err *e);

/* Merged, or split again with same_as 0; both stay, with their keys. */
bool store_merge(struct store *s, uint64_t id, uint64_t same_as, bool held, struct err *e);
bool store_set_bug(struct store *s, uint64_t id, const char *bug, struct err *e);

/* An open finding to make smaller goes to the node, which must have its compiler: *id, 0 for none.
 * Those that had fewer turns come first; what may be the same as another waits for those that are
 * new.  One that has cost three workers is left alone. */
bool store_lease_finding(struct store *s, const struct store_node *me, uint64_t *id, struct err *e);
/* It comes back; died: and cost a worker. */
bool store_return_finding(struct store *s, const struct store_node *me, uint64_t id, bool died,
                          struct err *e);
bool store_count_open(struct store *s, uint64_t *n, struct err *e);

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
/* Bytes of the texts that sightings and doubts keep. */
bool store_measure_texts(struct store *s, uint64_t *bytes, struct err *e);
/* Forgets them (how to make the programs again stays) and gives the space back; not within a
 * transaction. */
bool store_drop_texts(struct store *s, struct err *e);

/* Findings by id, in the arena: LINE and BRIEF with what a line of a table or a list shows, as far
 * as the store has that; a row that has less is given with more. */
enum store_extent { STORE_LINE, STORE_BRIEF, STORE_WHOLE };
bool store_findings(struct store *s, struct arena *a, enum store_extent extent,
                    struct store_finding **out, size_t *n, struct err *e);
/* One of them, whole; *found. */
bool store_finding(struct store *s, struct arena *a, uint64_t id, struct store_finding *out,
                   bool *found, struct err *e);
/* The newest n that stand for themselves, brief. */
bool store_newest(struct store *s, struct arena *a, size_t most, struct store_finding **out,
                  size_t *n, struct err *e);

/* Findings that stand for themselves, counted by what they have in common. */
enum store_group { STORE_BY_COMPILER, STORE_BY_VERDICT };
struct store_count {
    const char *name;
    uint64_t n;
};
bool store_count_by(struct store *s, struct arena *a, enum store_group by, struct store_count **out,
                    size_t *n, struct err *e);
/* How many were first seen in each of so many equal spans of time, from the first to the last. */
bool store_count_over_time(struct store *s, uint64_t *spans, size_t n, int64_t *begin, int64_t *end,
                           struct err *e);

/* Programs that looked like findings but whose own defect it may be: each hash once. */
bool store_add_doubt(struct store *s, const char *hash, const char *detail, uint64_t most,
                     struct err *e);

/* ---- errands: errands.c --------------------------------------------------------------------- */

/* Something that a person wants to know of a finding, and only a node that has a certain compiler
 * can find out.  The answer waits for whoever asked. */
struct store_errand {
    uint64_t id, finding;
    const char *kind, *command; /* hunt's; command: another compiler's, "" for the finding's own */
    const char *compiler_id;    /* of that compiler */
};
bool store_ask_errand(struct store *s, const struct store_errand *errand, uint64_t *id,
                      struct err *e);
/* One that the node can do; out->id 0: none.  One that has cost three workers is left alone. */
bool store_lease_errand(struct store *s, struct arena *a, const struct store_node *me,
                        struct store_errand *out, struct err *e);
/* It is done; an answer is never empty. */
bool store_answer_errand(struct store *s, const struct store_node *me, uint64_t id,
                         const char *answer, struct err *e);
/* Its worker died. */
bool store_return_errand(struct store *s, const struct store_node *me, uint64_t id, struct err *e);
/* What became of it. */
struct store_reply {
    const char *answer; /* "" as long as there is none */
    bool hopeless;      /* no node that lives has the compiler, or it has cost too many workers */
};
bool store_read_reply(struct store *s, struct arena *a, uint64_t id, double silence,
                      struct store_reply *out, struct err *e);
bool store_drop_errand(struct store *s, uint64_t id, struct err *e);

/* ---- programs of people, for a campaign that has no folder: errands.c ------------------------ */

struct store_seed {
    const char *path, *content; /* path: in their folder */
};
/* They take the place of those that are there. */
bool store_set_seeds(struct store *s, const struct store_seed *seeds, size_t n, struct err *e);
bool store_seeds(struct store *s, struct arena *a, struct store_seed **out, size_t *n,
                 struct err *e);

/* ---- copying: copy.c ------------------------------------------------------------------------ */

/* Everything but nodes into a store that has nothing yet.  Leases become tasks that wait. */
bool store_copy(struct store *from, struct store *to, struct err *e);

#endif
