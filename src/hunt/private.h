/* Private to hunt: what its files share.  Read hunt.c first. */
#ifndef HUNT_PRIVATE_H
#define HUNT_PRIVATE_H

#include "hunt/hunt.h"

#include "cc/cc.h"
#include "judge/judge.h"
#include "lang/lang.h"
#include "store/store.h"
#include "sys/sys.h"

/* ---- cupel.conf -------------------------------------------------------------------------- */

struct conf {
    uint64_t seed;
    bool has_seed;
    const char *modes;
    struct list commands; /* struct hunt_command */
    struct list mutes;    /* patterns */
    double run_timeout, compile_timeout;
    uint64_t width; /* configurations per program */
};

struct conf conf_default(void);
/* Lines of key = value; e names the line that is wrong. */
bool conf_read(struct arena *a, const char *path, struct conf *out, struct err *e);
/* With a comment on every key. */
void conf_write(const struct conf *c, struct text *out);
/* Does one of the patterns match the key, or a part of it? */
bool conf_is_muted(const struct conf *c, const char *key);

/* ---- the plan: who is tested, with what (plan.c, probe.c, tools.c) -------------------------- */

struct plan_config {
    struct cc_config cc;
    const char *family;          /* gcc; of unknown ones the command itself */
    const char *version;         /* first line that it says of itself */
    const struct target *target; /* NULL: no data model that we know, so compiled only */
    unsigned features;           /* of gen */
    bool own;                    /* of this machine: the loader and sanitizers can be used */
};

/* Configurations that can be given the same program. */
struct lane {
    const struct target *target;
    unsigned features;
    size_t *configs;
    size_t n;
};

struct plan {
    uint64_t seed;
    double run_timeout, compile_timeout;
    unsigned width;
    struct plan_config *configs;
    size_t n;
    struct lane *lanes;
    size_t lane_count;
    struct judge_tools tools[TARGET_COUNT];
    bool csmith;
    const char *seeds;   /* a folder of programs, NULL for none */
    struct list watched; /* compilers' commands, tested or not; the coordinator's */
    uint64_t stamp;      /* of those, when we began to look */
};

/* Looks at the machine.  Configurations that cannot compile anything are left out and said; again:
 * so are those that are not there any more. */
bool plan_make(struct arena *a, struct cc_labs *labs, const struct conf *conf, bool again,
               struct plan *out, struct err *e);
/* Groups the configurations; needs everything else of the plan. */
void plan_make_lanes(struct arena *a, struct plan *p);
/* What changes when one of the compilers is replaced or goes. */
uint64_t plan_stamp(const struct plan *p);
const char *plan_target_name(const struct target *t); /* "none" for NULL */

/* To workers and back: plan_json.c. */
struct json_t *plan_to_json(const struct plan *p);
void plan_from_json(struct arena *a, const struct json_t *j, struct plan *out);

/* What holds for all levels of one compiler: probe.c. */
struct traits {
    bool compiles;               /* a small program, at least */
    const struct target *target; /* NULL: none that we know */
    const char *family, *version;
    const char *extra; /* flags that it needs to be predictable, each after a blank */
    unsigned features; /* of gen */
    bool own;
};

/* By trying. */
bool probe_compiler(struct cc_labs *labs, struct arena *a, const struct cc_list *found,
                    const struct cc_config *config, struct traits *out, struct err *e);

/* What there is to gather evidence with, for each target: tools.c. */
void tools_find(struct arena *a, const struct cc_list *found, struct judge_tools *tools);

/* ---- strategies: strategy.def --------------------------------------------------------------- */

enum strategy {
#define STRATEGY(id, ...) STRATEGY_##id,
#include "hunt/strategy.def"
    STRATEGY_COUNT
};
const char *strategy_name(enum strategy s);
enum strategy strategy_named(const char *name); /* STRATEGY_COUNT when there is none */
bool strategy_runs(enum strategy s);            /* or are its programs only compiled? */
/* What it needs and this machine has not; NULL when nothing is missing. */
const char *strategy_lacks(enum strategy s, const struct plan *p);

/* ---- programs ---------------------------------------------------------------------------- */

/* A program, and what is known of it. */
struct subject {
    struct text code, expect, origin; /* origin: the command that makes it again */
    struct text original;             /* of a variant: what it was made from */
    struct judge_expectation expectation;
    bool compile_only;
    const char *skipped; /* why there is none; NULL when there is one */
};

void subject_free(struct subject *s);

struct source {
    const struct plan *plan;
    struct cc_lab *lab;
    const char *path; /* a file of ours that may be used meanwhile */
};

/* What a maker, a function make_X of strategy.def, is asked for. */
struct order {
    const struct source *source;
    unsigned size;
    uint64_t seed;
    const struct lane *lane;
};
typedef bool make_fn(const struct order *o, struct subject *out, struct err *e);
/* The program that strategy and order ask for, or why there is none; false when the machine fails
 * us. */
bool strategy_make(enum strategy s, struct order *o, struct subject *out, struct err *e);
/* A C file for the order's target, or why there is none. */
void source_preprocess(const struct order *o, const char *path, struct text *text,
                       const char **why);
enum { SOURCE_FUEL = 4000000 }; /* of the machine, for programs that we did not make */

/* ---- what workers and the coordinator say to each other: message.c --------------------------- */

enum message_type {
    MESSAGE_PLAN,   /* to the worker: what to test with, first of all and when it changes */
    MESSAGE_TASK,   /* to the worker: test this program */
    MESSAGE_ASK,    /* to the coordinator, in the middle of a task: are these keys new? */
    MESSAGE_ANSWER, /* to the worker */
    MESSAGE_DONE,   /* to the coordinator: all that the task showed */
    MESSAGE_FAILED  /* to the coordinator: the worker ends because its machine fails it */
};

struct task {
    enum strategy strategy;
    uint64_t number;
};

/* What a task showed. */
struct result {
    bool skipped;
    uint64_t compiles, runs, bytes;
    double job_cpu, own_cpu;
    const char *sick;         /* a configuration that could not be tried, and why; "" for none */
    struct finding *findings; /* of known ones only claim.key is given */
    size_t n;
};

struct message {
    enum message_type type;
    struct plan plan;
    struct task task;
    struct list keys;   /* ASK: char *; ANSWER: those of them that are new */
    struct result done; /* DONE */
    const char *why;    /* FAILED */
};

/* As bytes to be sent; the caller frees *bytes.  False when something in it is not UTF-8. */
bool message_encode(const struct message *m, char **bytes, size_t *n);
bool message_send(const struct sys_peer *to, const struct message *m);
/* In the arena; false for what is no message. */
bool message_decode(struct arena *a, const struct text *bytes, struct message *out);

/* ---- a task: hunt.c, lane.c, claim.c --------------------------------------------------------- */

struct worker {
    struct sys_peer boss;
    struct arena plan_arena, arena; /* the second is for one task */
    struct plan plan;
    struct cc_labs labs;
    double cpu_jobs, cpu_own; /* when the task began */
};

/* Something that one configuration did with the program. */
struct claim {
    size_t config;
    enum verdict verdict;
    const char *signature;
    const char *levels; /* at which it happens: "-O2 -O3" */
    const char *key;
    double limit; /* see struct judge_claim */
    struct outcome outcome;
};

/* One task under way.  Everything but the subject lives in the worker's arena. */
struct test {
    struct worker *w;
    struct task task;
    struct rng rng;
    const struct lane *lane;
    struct subject subject;
    struct cc_case program;
    size_t *picks;
    struct outcome *outcomes; /* per pick */
    size_t n;
    struct list claims; /* struct claim */
    struct result result;
};

/* Tests the program of the task; t->result is what it showed. */
bool hunt_test(struct test *t, struct err *e);
/* Compiles and runs the subject with a configuration of the plan; counts. */
bool hunt_try(struct test *t, size_t config, struct outcome *o, struct err *e);

/* Who gets the program: lane.c. */
const struct lane *lane_choose(const struct plan *p, struct arena *a, struct rng r, bool run);
void lane_choose_configs(struct test *t);

/* Who has to answer for what, and which of it is the same bug: claim.c. */
void claim_find(struct test *t);
bool claim_find_unstable(struct test *t, struct err *e); /* now and then */
bool claim_name(struct test *t, struct claim *c, struct err *e);
/* The claim as judge takes it. */
struct judge_claim claim_to_judge(const struct test *t, const struct claim *c);
/* Other configurations of the family that show it, for the report. */
bool claim_find_affected(struct test *t, const struct claim *c, struct list *out, struct err *e);

/* ---- status: status.c ---------------------------------------------------------------------- */

/* In the arena. */
void status_from_json(struct arena *a, const struct json_t *j, struct hunt_status *out);

/* ---- budget ------------------------------------------------------------------------------ */

/* The share of the machine's time that each strategy should have, from what it found lately. */
void budget_shares(const struct store_strategy *strategies, size_t n, double *shares);
/* The one that is furthest below its share, counting what is under way. */
size_t budget_next(const struct store_strategy *strategies, const unsigned *under_way, size_t n);
/* A task of strategy `which` is done; the past of all of them fades a little. */
void budget_note(struct store_strategy *strategies, size_t n, size_t which, double cpu,
                 unsigned findings);

/* ---- the campaign's folder: folder.c --------------------------------------------------------- */

/* findings/N; replaces what is there. */
bool folder_write(const char *dir, const struct finding *f, struct err *e);
bool folder_write_doubt(const char *dir, const struct finding *f, struct err *e);
bool folder_is_there(const char *dir, uint64_t id);

#endif
