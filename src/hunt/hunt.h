/* hunt: the campaign.  Makes programs by several strategies, gives them to every compiler, judges
 * what comes back, and keeps the distinct findings.
 *
 * One coordinator (hunt_run) leases tasks from the store, hands them to worker processes
 * (hunt_work) and files what they find.  A worker that dies costs the
 * program that it had in hand, which is tested again; a coordinator that dies costs nothing: the
 * next one finds the leases.
 *
 * A campaign is a database (postgresql://...), which coordinators on several machines share, or a
 * folder:
 *   cupel.conf   the choices, for people to edit
 *   cupel.db     the store
 *   findings/N/  what was found: program, expectation, evidence, reproduce.sh
 *   doubts/      programs that looked like findings but whose own defect it may be: ours to mend
 *   status.json  how it is going, for `cupel status`
 */
#ifndef HUNT_HUNT_H
#define HUNT_HUNT_H

#include "base/base.h"
#include "finding/finding.h"

struct json_t;

/* A compiler command, and what stands before its programs; NULL: what the name asks for. */
struct hunt_command {
    const char *text, *emulator;
};

/* Is the campaign of this name a database? */
bool hunt_is_shared(const char *name);
/* The name without its password; in the arena. */
char *hunt_public_name(struct arena *a, const char *name);

/* ---- how it is going --------------------------------------------------------------------- */

enum hunt_state { HUNT_HUNTING, HUNT_STOPPED };

/* What one of the choices has done: a strategy, a profile of programs, a class of configurations.
 */
struct hunt_arm {
    const char *name;
    uint64_t programs, skipped, compiles, bytes, findings, repeats;
    double cpu, share; /* of the CPU time that it should have */
};

/* The programs of a strategy, as the store has them. */
struct hunt_tasks {
    const char *strategy;
    uint64_t next, done, leased, waiting, lost, counted;
};

/* What became of a strategy's programs, and what they cost.  Every program has one fate. */
enum fate {
#define FATE(id, ...) FATE_##id,
#include "hunt/fate.def"
    FATE_COUNT
};
struct hunt_fates {
    const char *strategy;
    uint64_t all, n[FATE_COUNT];
    double make, run, validate; /* CPU seconds, of all programs together */
};
const char *hunt_fate_name(size_t fate);

struct hunt_count {
    const char *name;
    uint64_t n;
};

/* A machine that takes part. */
struct hunt_node {
    const char *name, *version; /* version: of cupel */
    bool alive;
    unsigned jobs;
    uint64_t programs, compiles;
    double cpu, silence; /* seconds; silence: since it was heard of last */
};

/* How many findings were first seen in each of equal spans of time. */
struct hunt_timeline {
    int64_t begin, end;
    uint64_t counts[60];
};

/* New findings of a run over time: slots of equal length, as many as it has lasted.  When all are
 * full, neighbours become one and a slot lasts twice as long. */
enum { HUNT_SLOTS = 24 };
struct hunt_history {
    double slot; /* seconds */
    size_t n;    /* that have begun */
    unsigned found[HUNT_SLOTS];
};

/* Everything belongs to whoever made it, and is only good for as long. */
struct hunt_status {
    enum hunt_state state;
    const char *dir;
    int pid;
    int64_t time;
    double elapsed, limit; /* limit 0: none */
    unsigned jobs;
    uint64_t programs, compiles, bytes, findings;      /* of the whole campaign */
    uint64_t programs_now, compiles_now, new_findings; /* of this run */
    struct hunt_history history;
    uint64_t configurations;
    double job_cpu, own_cpu, share; /* share of the CPU that compilers and programs had */
    struct hunt_arm *strategies, *profiles, *classes;
    size_t strategy_count, profile_count, class_count;
    struct hunt_count *compilers; /* findings of each */
    size_t compiler_count;
    const struct finding *newest; /* the last findings, newest first */
    size_t newest_count;
    struct hunt_tasks *tasks; /* when read from a campaign */
    size_t task_count;
    struct hunt_fates *fates; /* likewise */
    size_t fate_count;
    struct hunt_count *verdicts; /* likewise: findings of each */
    size_t verdict_count;
    struct hunt_timeline timeline; /* likewise */
    struct hunt_node *nodes;       /* of a campaign that several machines share */
    size_t node_count;
};

/* The caller's to free. */
struct json_t *hunt_status_to_json(const struct hunt_status *s);

/* ---- hunting ----------------------------------------------------------------------------- */

/* 0 and NULL mean: what cupel.conf says, or else the default. */
struct hunt_options {
    const char *dir;
    bool join;            /* a campaign that others have begun: nothing is chosen here */
    const char *node;     /* the name of this machine for others; NULL: its host name */
    const char *modes;    /* "plain,small": strategies; "all" */
    const char *profiles; /* "loops,swarm": of generated programs; "all" */
    const char *source;   /* another generator's command with {seed} and {out} */
    const char *real;     /* a folder of C files: an absolute path */
    const char *seeds;    /* a folder of programs to vary, to be taken into the campaign */
    const char *flags;    /* that programs of the seeds folder and real code need: -I, -D ... */
    double source_timeout, compile_timeout, run_timeout; /* CPU seconds */
    bool eager;           /* validate before comparing what the machine cannot decide */
    bool without_machine; /* nothing of other generators is given to it */
    const struct hunt_command *commands;
    size_t command_count;
    bool has_seed;
    uint64_t seed;
    double seconds; /* 0: until interrupted */
    unsigned jobs;
    bool trust_compilers; /* they may write outside their scratch folder */
    uint64_t stop_after;  /* new distinct findings */
    uint64_t programs;    /* tested in this run */
    uint64_t total;       /* of the whole campaign, on all machines */
    /* Called by the coordinator: before the first program, now and then, and at the end. */
    void (*show)(void *context, const struct hunt_status *status);
    void (*say)(void *context, const char *line);          /* one line worth reading */
    void (*found)(void *context, const struct finding *f); /* a new distinct one; or NULL */
    void *context;
};

struct hunt_summary {
    uint64_t programs, compiles, new_findings; /* of this run */
    uint64_t findings;                         /* of the campaign */
    uint64_t compilers, configurations;        /* that were there to be tested */
    uint64_t newest;                           /* the last new finding; 0: none */
    /* of this run, not told: what may be our own mistake, and what did not show again */
    uint64_t doubts, chances;
};

/* Until the time is up, enough was found, or sys_cancelled. */
bool hunt_run(const struct hunt_options *o, struct hunt_summary *out, struct err *e);
/* What a worker process does until it is told to stop.  Exit status. */
int hunt_work(void);

/* ---- reading a campaign ------------------------------------------------------------------ */

struct hunt_findings {
    struct finding *at;
    size_t n;
    const char
        *note; /* the store cannot be read, and these are from the folders; NULL: all is well */
};

/* What is wanted of a campaign's findings. */
enum hunt_scope {
    HUNT_BUGS = 0,  /* those that stand for themselves and are not muted, with what a list shows */
    HUNT_ALL = 1,   /* also muted ones, and those that another one stands for */
    HUNT_WHOLE = 2, /* everything that is known of each */
    HUNT_LINES = 4  /* no more than a line of a table shows: the rest may be missing */
};

/* Findings by id, in the arena. */
bool hunt_list(struct arena *a, const char *dir, enum hunt_scope scope, struct hunt_findings *out,
               struct err *e);
/* One of them. */
bool hunt_finding(struct arena *a, const char *dir, uint64_t id, struct finding *out,
                  struct err *e);
/* How it is going, or how it ended; in the arena. */
bool hunt_status(struct arena *a, const char *dir, struct hunt_status *out, struct err *e);

/* Two findings are one bug, says somebody who knows, or they are not.  Nothing is forgotten, and
 * the hunt leaves it so.  May be done while somebody hunts there. */
bool hunt_merge(const char *dir, uint64_t into, uint64_t id, struct err *e);
bool hunt_split(const char *dir, uint64_t id, struct err *e);

/* Its choices as their owner wrote them, as lines of key = value; in the arena. */
bool hunt_choices(struct arena *a, const char *dir, const char **text, struct err *e);
/* Takes others, if they can be read and leave the seed as it is.  Nodes of a database notice. */
bool hunt_set_choices(const char *dir, const char *text, struct err *e);

/* The whole campaign to a place where there is none; nobody may hunt there meanwhile. */
bool hunt_copy(const char *from, const char *to, struct err *e);
/* Of a campaign that is a database: what triage found out of a finding, as triage.h's JSON. */
bool hunt_keep_triage(const char *dir, uint64_t id, const char *triage, struct err *e);
/* A finding of a database whose compiler this machine has not is triaged by a node that has it, and
 * that is waited for; what it found out is the campaign's then.  *done is false when the compiler
 * is here, or nobody knows which one it was. */
bool hunt_triage_elsewhere(const char *dir, const struct finding *f, bool *done, struct err *e);
/* A finding's program was made small by hand.  May be done while somebody hunts there. */
bool hunt_keep_reduced(const char *dir, uint64_t id, const struct finding_reduced *reduced,
                       struct err *e);

/* Forgets the programs of repeats, whose seeds stay, and doubts; dry: only says how much that is.
 */
struct hunt_pruned {
    uint64_t doubts, doubt_bytes, text_bytes;
};
bool hunt_prune(const char *dir, bool dry, struct hunt_pruned *out, struct err *e);

/* PARTLY: the program or the reduced one is right now, and the other is not. */
enum recheck_state {
    RECHECK_HOLDS,
    RECHECK_GONE,
    RECHECK_PARTLY,
    RECHECK_CHANGED,
    RECHECK_UNCLEAR
};
const char *recheck_state_name(enum recheck_state s);

struct recheck_result {
    const struct finding *finding;
    enum recheck_state state;
    const char *note; /* why it is unclear, or "" */
};

/* Tries every finding again; of a database, those whose compiler this machine has not are tried by
 * nodes that have it.  command: another compiler instead of the finding's own, with the
 * flags of the finding; only the findings of its family. */
struct hunt_recheck {
    const char *dir;
    const struct hunt_command *command; /* NULL: the finding's own */
    unsigned jobs;
    bool trust_compilers;
    void (*progress)(void *context, size_t done, size_t total);
    void *context;
};
bool hunt_recheck(struct arena *a, const struct hunt_recheck *r, struct recheck_result **out,
                  size_t *n, struct err *e);

/* "plain, small ..." with what each is, for help. */
void hunt_describe_modes(struct text *out);

#endif
