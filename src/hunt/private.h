/* Private to hunt: what its files share.  Read hunt.c first. */
#ifndef HUNT_PRIVATE_H
#define HUNT_PRIVATE_H

#include "hunt/hunt.h"

#include "cc/cc.h"
#include "gen/gen.h"
#include "judge/judge.h"
#include "lang/lang.h"
#include "machine/machine.h"
#include "store/store.h"
#include "sys/sys.h"

/* ---- cupel.conf -------------------------------------------------------------------------- */

struct conf {
    uint64_t seed;
    bool has_seed;
    const char *modes, *profiles;
    const char *source;    /* a generator's command, or NULL */
    const char *real;      /* a folder of real code, or NULL */
    const char *flags;     /* that people's programs need: -I, -D ...; or NULL */
    double source_timeout; /* CPU seconds for one program */
    bool eager;            /* validate before comparing */
    bool machine;          /* foreign programs are executed by it first */
    struct list commands;  /* struct hunt_command */
    struct list mutes;     /* patterns */
    struct list never;     /* patterns of flags that are not drawn */
    struct list always;    /* flags that every drawn configuration has: char * */
    double run_timeout, compile_timeout;
    uint64_t width; /* configurations per program */
    bool trust;     /* compilers may write outside their scratch folder */
    double lease;   /* seconds of silence after which a node is given up */
};

struct conf conf_default(void);
/* Lines of key = value; e names the line that is wrong. */
bool conf_read(struct arena *a, const char *path, struct conf *out, struct err *e);
/* The same from a text that has a name. */
bool conf_parse(struct arena *a, const char *name, const char *text, struct conf *out,
                struct err *e);
/* With a comment on every key. */
void conf_write(const struct conf *c, struct text *out);
/* Does one of the patterns match the key, or a part of it? */
bool conf_is_muted(const struct conf *c, const char *key);

/* ---- the plan: who is tested, with what (plan.c, probe.c, tools.c) -------------------------- */

/* A configuration, or with a pool the compiler for which configurations are drawn. */
struct plan_config {
    struct cc_config cc;
    struct cc_pool pool;         /* empty: the configuration is meant as it is */
    const char *family;          /* gcc; of unknown ones the command itself */
    const char *version;         /* first line that it says of itself */
    const struct target *target; /* NULL: no data model that we know, so compiled only */
    uint64_t features;           /* of gen, that several families have */
    uint64_t own_features;       /* and with those that only this one has */
    bool own;                    /* of this machine: the loader and sanitizers can be used */
};

/* Configurations that can be given the same program. */
struct lane {
    const struct target *target;
    uint64_t features;
    const char *family; /* programs of this lane are for one family alone; NULL: for all */
    size_t *configs;    /* older versions of a compiler before newer ones */
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
    bool csmith, trust;     /* trust: of compilers */
    const char *seeds;      /* a folder of programs, NULL for none */
    const char *seeds_name; /* what people call it */
    const char *real;       /* a folder of real code, NULL for none */
    const char *flags;      /* see struct conf */
    const char *source;     /* a generator's command with {seed} and {out}, NULL for none */
    double source_timeout;
    bool eager, machine; /* see struct conf */
    struct list watched; /* compilers' commands, tested or not; the coordinator's */
    uint64_t stamp;      /* of those, when we began to look */
};

/* Looks at the machine.  Configurations that cannot compile anything are left out and said; again:
 * so are those that are not there any more.  Those that were not looked at by `until` (sys_now) are
 * left out too, but one is always looked at. */
bool plan_make(struct arena *a, struct cc_labs *labs, const struct conf *conf, bool again,
               double until, struct plan *out, struct err *e);
/* Groups the configurations; needs everything else of the plan. */
void plan_make_lanes(struct arena *a, struct plan *p);
/* What changes when one of the compilers is replaced or goes. */
uint64_t plan_stamp(const struct plan *p);
/* What evidence is gathered with; for no target, this machine's. */
const struct judge_tools *plan_tools(const struct plan *p, const struct target *t);
const char *plan_target_name(const struct target *t); /* "none" for NULL */

/* To workers and back: plan_json.c. */
struct json_t *plan_to_json(const struct plan *p);
void plan_from_json(struct arena *a, const struct json_t *j, struct plan *out);
struct json_t *plan_pool_to_json(const struct cc_pool *pool);
void plan_pool_from_json(struct arena *a, const struct json_t *list, struct cc_pool *out);

/* What holds for all levels of one compiler: probe.c. */
struct traits {
    bool compiles;               /* a small program, at least */
    const struct target *target; /* NULL: none that we know */
    const char *unlike;          /* then: why */
    const char *family, *version;
    const char *extra;               /* flags that it needs to be predictable, each after a blank */
    uint64_t features, own_features; /* of gen: see struct plan_config */
    bool known;                      /* is the family one that cc knows? */
    enum cc_family cc_family;
    bool own;
};

/* By trying. */
bool probe_compiler(struct cc_labs *labs, struct arena *a, const struct cc_list *found,
                    const struct cc_config *config, struct traits *out, struct err *e);

/* ---- what a node hunts with: kit.c ------------------------------------------------------------
 */

struct kit {
    const char *id; /* equal for nodes on which a task means the same */
    struct store_compiler *at;
    size_t n;
};
void kit_make(struct arena *a, const struct plan *p, struct kit *out);
/* The id of the compiler that a configuration's command begins with; "" for none of the kit's. */
const char *kit_compiler_of(const struct kit *k, const char *config);
/* Of the program that a command starts, as struct store_compiler has it; in the arena. */
const char *kit_file_hash(struct arena *a, const char *command);

/* ---- where a campaign is: site.c, folder.c; its findings there: row.c ------------------------ */

struct site {
    const char *name;  /* for people */
    const char *dir;   /* its folder; NULL: it is a database */
    const char *store; /* for store_open */
};
struct site site_of(struct arena *a, const char *name);
const char *site_path(struct arena *a, const struct site *p, const char *name);
/* The store of a campaign that is there; e says how one begins. */
struct store *site_open(const struct site *p, enum store_access how, enum store_trouble *trouble,
                        struct err *e);
bool site_has_conf(const struct site *p, struct store *s);
bool site_read_conf(struct arena *a, const struct site *p, struct store *s, struct conf *out,
                    struct err *e);
/* Of a new campaign; of several that begin it at once, one decides. */
bool site_write_conf(const struct site *p, struct store *s, const struct conf *conf, struct err *e);
/* The choices as their owner wrote them; NULL with a reason. */
const char *site_conf_text(struct arena *a, const struct site *p, struct store *s, struct err *e);
bool site_set_conf_text(const struct site *p, struct store *s, const char *text, struct err *e);
/* What changes when somebody changes the choices of a database, or its seeds; else it is left. */
void site_stamp(const struct site *p, struct store *s, uint64_t *stamp);
/* In a folder: findings/N.  A database has it in the row already. */
bool site_write_finding(const struct site *p, const struct finding *f, struct err *e);
bool site_write_doubt(const struct site *p, struct store *s, const struct finding *f,
                      struct err *e);

/* People's programs, seeds.c: the text files of a folder and those in it, into the campaign. */
bool seeds_bring(const struct site *site, struct store *s, const char *folder, struct err *e);
/* Those that a database keeps, into a folder; *n of them. */
bool seeds_lay_out(struct store *s, const char *folder, size_t *n, struct err *e);

bool row_write(struct store *s, const struct finding *f, const char *compiler_id, struct err *e);
/* In the arena; false for what is no finding. */
bool row_read(struct arena *a, const struct store_finding *row, struct finding *f);

/* ---- what was learnt on this machine: known.c ------------------------------------------------ */

/* Of compilers, by earlier campaigns. */
struct known {
    struct arena *a; /* for what is found */
    struct json_t *root;
    const char *path; /* NULL: there is no place to keep it */
    bool changed;
};
void known_open(struct arena *a, struct known *k);
void known_close(struct known *k); /* keeps what was added */
/* What the answers depend on, in the arena; NULL for a compiler whose answers are not kept. */
const char *known_key(struct known *k, const struct cc_config *config, const struct conf *conf);
bool known_find(struct known *k, const char *key, struct traits *t, struct cc_pool *pool);
void known_add(struct known *k, const char *key, const struct traits *t,
               const struct cc_pool *pool);

/* ---- strategies: strategy.def --------------------------------------------------------------- */

enum strategy {
#define STRATEGY(id, ...) STRATEGY_##id,
#include "hunt/strategy.def"
    STRATEGY_COUNT
};
const char *strategy_name(enum strategy s);
enum strategy strategy_named(const char *name); /* STRATEGY_COUNT when there is none */
bool strategy_runs(enum strategy s);            /* or are its programs only compiled? */
double strategy_prior(enum strategy s);         /* findings expected in a CPU hour */
bool strategy_is_usual(enum strategy s);        /* or only when it is named? */
/* What it needs and this machine has not; NULL when nothing is missing. */
const char *strategy_lacks(enum strategy s, const struct plan *p);

/* ---- programs ---------------------------------------------------------------------------- */

/* A program, and what is known of it. */
struct subject {
    struct text code, expect, origin; /* origin: the command that makes it again */
    struct text original;             /* of a variant: what it was made from */
    struct judge_expectation expectation;
    bool compile_only;
    const char *sanitizer; /* the flag of the one that must report it; NULL: none */
    bool undecided;        /* the machine cannot tell what it does: see undecided.c */
    bool unread;           /* nor read it */
    unsigned validators;   /* of one that is undecided: who can see what may be wrong with it */
    const char *skipped;   /* why there is none; NULL when there is one */
    struct text reason;    /* where skipped is no literal */
    enum fate fate;
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
    uint64_t number; /* of the task, among those of its strategy */
    const struct lane *lane;
    const char *profile; /* of gen; "" for none */
};
typedef bool make_fn(const struct order *o, struct subject *out, struct err *e);
/* The program that strategy and order ask for, or why there is none; false when the machine fails
 * us. */
bool strategy_make(enum strategy s, struct order *o, struct subject *out, struct err *e);
/* A foreign program as one file without headers, in out->code, or why there is none. */
bool source_read(const struct order *o, const struct text *text, struct subject *out,
                 struct err *e);
/* The same of Csmith's program for the order. */
bool source_csmith(const struct order *o, struct subject *out, struct err *e);
/* Executes what was read; what it prints is what is expected of it. */
void source_execute(const struct order *o, struct subject *out);
/* Takes the program in out->code, and leaves a relaxed one there.  It is executed first, unless it
 * is undecided; crash: nothing is executed, and the result is to be compiled only. */
void source_relax(const struct order *o, bool crash, struct subject *out);
/* The order for the base of the task's program: the same for `family` tasks in a row. */
struct order variant_base(const struct order *o, const char *name, unsigned family);
/* Takes the program in out->code, and leaves an EMI variant there; it is executed first. */
void variant_take(const struct order *o, struct subject *out);
/* Does every compiler of the lane read GNU C? */
bool source_reads_gnu(const struct order *o);
/* What the order's generated programs are to be. */
struct gen_options source_gen_options(const struct order *o, enum gen_mode mode);
/* A C file for the order's target, or why there is none.  folders: where its headers are, too (char
 * *), or NULL. */
void source_preprocess(const struct order *o, const char *path, const struct list *folders,
                       struct text *text, const char **why);
/* Of a preprocessed text, what its own file needs: one compiler's headers are not another's.  False
 * when it is not ours to read: then it is left as it is. */
bool source_shorten(const struct order *o, const char *path, struct text *text);
/* Such a text is for compilers and validators to decide. */
void source_take_unread(const struct text *text, struct subject *out);
/* of the machine, for programs that we did not make; compiled ones have four times that stack */
enum { SOURCE_FUEL = 4000000, SOURCE_STACK = 2 << 20 };

/* ---- what becomes of programs: fate.c, undecided.c ------------------------------------------- */

enum phase { PHASE_MAKE, PHASE_RUN, PHASE_VALIDATE, PHASE_COUNT };
struct result;
struct test;

enum fate fate_of_end(enum machine_end end);
enum fate fate_of_validator(enum validator v);
/* There is no program; why is a constant, or lives in the worker's arena. */
void fate_skip(struct subject *s, enum fate fate, const char *why);
/* Takes what the machine said of out->code, which did not finish: undefined ones are skipped, the
 * others are left to compilers and validators. */
void undecided_take(struct subject *out, enum machine_end end);
/* CPU time since the last of these goes to the phase. */
struct phase_clock {
    double last;
};
void phase_begin(struct phase_clock *c);
void phase_end(struct phase_clock *c, enum phase s, struct result *r);
/* Sums of several results, to be added to the store's in the caller's transaction. */
struct fate_sums {
    double n[STRATEGY_COUNT][(size_t)FATE_COUNT + PHASE_COUNT];
};
void fate_count(struct fate_sums *sums, enum strategy strategy, const struct result *r);
bool fate_save(const struct fate_sums *sums, struct store *store, struct err *e);
/* What the store has, by strategy: STRATEGY_COUNT of them. */
bool fate_read(struct store *store, struct hunt_fates *out, struct err *e);

/* What a compiler without optimisation makes of an undecided program is expected of the others; or
 * it is skipped. */
bool undecided_expect(struct test *t, struct err *e);
/* After a mismatch: what a validator calls undefined says nothing about compilers. */
bool undecided_validate(struct test *t, struct err *e);

/* ---- what people ask and other nodes answer: errand.c, elsewhere.c ----------------------------
 */

enum errand_kind { ERRAND_RECHECK, ERRAND_TRIAGE };
const char *errand_kind_name(enum errand_kind k);
struct errand_reply {
    enum recheck_state state; /* of a recheck */
    const char *note;         /* why there is none; "" when there is */
};
extern const struct record_layout errand_reply_record;
/* What is no reply is an unclear one. */
void errand_reply_from_text(struct arena *a, const char *text, struct errand_reply *out);

/* The compilers of a campaign, and what was asked of nodes that have them. */
struct elsewhere {
    struct arena arena;
    struct site site;
    struct store *store; /* NULL: a folder, of which nobody else knows */
    double lease;
    struct store_compiler *compilers;
    size_t n;
    struct map hashes; /* of commands of this machine: char * */
    struct list asked; /* errands: uint64_t */
};
bool elsewhere_open(struct elsewhere *x, const char *dir, struct err *e);
void elsewhere_close(struct elsewhere *x); /* answers that were not waited for are not wanted */
/* The compiler that the finding, or the command, needs, if it is not here; else NULL. */
const struct store_compiler *elsewhere_find(struct elsewhere *x, const struct finding *f,
                                            const char *command);
bool elsewhere_ask(struct elsewhere *x, const struct store_errand *errand, uint64_t *id,
                   struct err *e);
/* For the answer, or until nobody is left who could give one. */
bool elsewhere_wait(struct elsewhere *x, uint64_t id, struct errand_reply *out, struct err *e);

/* Where findings are tried again: recheck.c. */
struct recheck_bench {
    struct cc_lab *lab;
    const char *scratch; /* a folder, and */
    unsigned number;     /* what tells its users apart */
    struct arena *arena;
    const struct hunt_command *command; /* see struct hunt_recheck */
};
bool recheck_try(const struct recheck_bench *b, const struct finding *f, enum recheck_state *state,
                 struct err *e);

/* ---- what workers and the coordinator say to each other: message.c --------------------------- */

enum message_type {
    MESSAGE_PLAN,      /* to the worker: what to test with, first of all and when it changes */
    MESSAGE_TASK,      /* to the worker: test this program */
    MESSAGE_ASK,       /* to the coordinator, in the middle of a task: are these keys new? */
    MESSAGE_ANSWER,    /* to the worker */
    MESSAGE_DONE,      /* to the coordinator: all that the task showed */
    MESSAGE_REDUCE,    /* to the worker: make this finding smaller, for so long */
    MESSAGE_REDUCED,   /* to the coordinator: the finding, with what was reached */
    MESSAGE_NAME,      /* to the worker: triage this finding as it is; REDUCED is the answer */
    MESSAGE_RECHECK,   /* to the worker: does this finding hold? */
    MESSAGE_RECHECKED, /* to the coordinator */
    MESSAGE_FAILED     /* to the coordinator: the worker ends because its machine fails it */
};

struct task {
    enum strategy strategy;
    uint64_t number;
    const char *profile; /* of gen; "" for none */
    enum cc_class class; /* of what is drawn */
};

/* What a task showed. */
struct result {
    bool skipped;
    enum fate fate;
    const char *why; /* skipped, or "" */
    uint64_t compiles, runs, bytes;
    double job_cpu, own_cpu;
    double phase_cpu[PHASE_COUNT]; /* of both together */
    const char *sick;         /* a configuration that could not be tried, and why; "" for none */
    struct finding *findings; /* of known ones only claim.key, claim.config and subject are given */
    size_t n;
};

struct message {
    enum message_type type;
    struct plan plan;
    struct task task;
    struct list keys;          /* ASK: char *; ANSWER: those of them that are new */
    struct result done;        /* DONE; its costs in REDUCED too */
    struct finding finding;    /* REDUCE, REDUCED, NAME, RECHECK */
    double seconds, clock;     /* REDUCE: of CPU time, and on the clock; 0: any */
    const char *command;       /* RECHECK: another compiler's; "" for the finding's own */
    struct errand_reply reply; /* RECHECKED */
    const char *why;           /* FAILED */
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
    const struct cc_list *compilers; /* of this machine, once somebody asked; the plan's */
    struct list culprits;            /* struct culprit of recognise.c; the plan's */
    double cpu_jobs, cpu_own;        /* when the task began */
};

/* A configuration of the plan, or one that was drawn for a compiler of it. */
struct pick {
    size_t config;         /* its place in the plan */
    struct cc_drawn drawn; /* without flags when it was not drawn */
};

/* Something that one configuration did with the program. */
struct claim {
    struct pick pick;
    enum verdict verdict;
    const char *signature;
    const char *levels;                   /* at which it happens: "-O2 -O3" */
    const char *culprit, *culprit_detail; /* the pass to blame, and where; "" when not known */
    const char *wrong;                    /* the first wrong expression; "" when not known */
    const char *key;                      /* NULL until it has one */
    bool known;                           /* it was recognised: no need to name it */
    double limit;                         /* see struct judge_claim */
    struct finding_missed missed;         /* of what the strategy missed saw, else empty */
    struct outcome outcome;
};

/* One task under way.  Everything but the subject lives in the worker's arena. */
struct test {
    struct worker *w;
    struct task task;
    struct rng rng;
    const struct lane *lane;
    size_t chosen; /* the configuration for which that was chosen */
    unsigned size; /* of the program, as asked for */
    struct subject subject;
    struct cc_case program;
    struct access_plan accesses; /* to its volatile objects, when they are watched */
    struct pick *picks;
    struct outcome *outcomes; /* per pick */
    size_t n;
    struct list claims; /* struct claim */
    struct phase_clock clock;
    struct result result;
};

/* Tests the program of the task; t->result is what it showed. */
bool hunt_test(struct test *t, struct err *e);
/* Compiles and runs the subject; counts. */
bool hunt_try(struct test *t, const struct cc_config *config, struct outcome *o, struct err *e);

/* What an outcome looks like in a finding. */
struct finding_seen hunt_see(const struct outcome *o);

/* Makes the finding smaller for so many seconds of CPU time, and on the clock (0: any); what was
 * reached stands in f->reduced, in the worker's arena: shrink.c. */
struct slice {
    double cpu, clock;
};
bool shrink_finding(struct worker *w, struct finding *f, const struct slice *most, struct err *e);

/* Triage of a finding that is as small as it gets: f->triage, f->bug, f->blame; name.c.  One that
 * shows another bug than its original is to be made small again: reduced.complete is false then. */
bool name_finding(struct worker *w, struct finding *f, struct err *e);

/* The machine that the finding's program is for: name.c. */
const struct target *name_target(const struct finding *f);

/* Who gets the program: lane.c. */
const struct lane *lane_choose(const struct plan *p, struct arena *a, struct rng r, bool run,
                               size_t *chosen);
bool lane_choose_configs(struct test *t, struct err *e);
/* Where a sanitizer does not promise to see what is planted: plant.def. */
enum lost { LOST_NOWHERE, LOST_AFTER_JUMP, LOST_BESIDE_GOTO };
/* Where a statement can be planted so that it runs and must be seen: an offset into the text, from
 * the program's own execution; 0: nowhere. */
uint32_t planted_place(const struct text *code, const struct target *target, enum lost lost,
                       struct rng *r);
/* Of a program that a sanitizer must report, those that have it, with it: planted.c. */
bool planted_sanitize(struct test *t, struct err *e);
/* Has somebody any of the sanitizers, for programs of this machine? */
bool planted_can_sanitize(const struct plan *p);

/* Who has to answer for what, and which of it is the same bug: claim.c. */
bool claim_find(struct test *t, struct err *e);
/* Now and then: is the code the same each time, and with -g? */
bool claim_find_rare(struct test *t, struct err *e);
/* Of the strategy missed: is better code possible?  missed.c */
bool claim_find_missed(struct test *t, struct err *e);
/* Reduces its flags to those that matter, and gives it a key; a claim that turns out to be none
 * loses its verdict. */
bool claim_name(struct test *t, struct claim *c, struct err *e);
/* The same for what is taken to be the same bug. */
const char *claim_key(struct test *t, const struct claim *c);
/* Does it happen with one more flag too? */
bool claim_holds_with(struct test *t, const struct claim *c, const char *flag, bool *holds,
                      struct err *e);
/* Gives it the key that it has if it is one of those that were seen before, else NULL: recognise.c.
 */
bool recognise_claim(struct test *t, struct claim *c, struct err *e);
/* Remembers who was to blame, in the worker, until the plan changes. */
void recognise_learn(struct test *t, const struct claim *c);
/* The claim as judge takes it. */
struct judge_claim claim_to_judge(const struct test *t, const struct claim *c);
/* Other configurations of the family that show it, for the report. */
bool claim_find_affected(struct test *t, const struct claim *c, struct list *out, struct err *e);

/* ---- status: status.c ---------------------------------------------------------------------- */

/* So many were found when the run had lasted so long; 0 to let time pass. */
void history_count(struct hunt_history *h, double elapsed, unsigned found);
/* In the arena. */
void status_from_json(struct arena *a, const struct json_t *j, struct hunt_status *out);

/* ---- what is chosen for each task: choice.c, budget.c ------------------------------------- */

enum axis_id { AXIS_STRATEGY, AXIS_PROFILE, AXIS_CLASS, AXIS_COUNT };

struct axis {
    struct store_arm *at;
    unsigned *under_way; /* tasks of each that workers have in hand */
    size_t n;
};

struct choices {
    struct axis axes[AXIS_COUNT];
};

/* One arm of each axis. */
struct choice {
    size_t arm[AXIS_COUNT];
};

/* Are there modes and profiles of the names that the conf has? */
bool choices_check(struct arena *a, const struct conf *conf, struct err *e);
/* All there is to choose between, with what it has done so far; in the arena.  The names were
 * checked. */
bool choices_open(struct arena *a, struct choices *c, struct store *store, const struct conf *conf,
                  const struct plan *p, struct err *e);
/* Whose turn it is. */
struct choice choices_next(const struct choices *c);
/* What was chosen when the task was leased first. */
struct choice choices_of_task(const struct choices *c, const struct store_task *t);
struct store_arm *choices_arm(const struct choices *c, const struct choice *choice, enum axis_id i);
const char *choice_name(const char *arm); /* of an arm, without its axis */
double choice_prior(const char *arm);     /* findings expected of it in a CPU hour */
/* The arms of one axis, for people; in the arena. */
struct hunt_arm *choices_show(struct arena *a, const struct store_arm *arms, size_t n);
/* A task is handed out; it comes back, done or not. */
void choices_begin(struct choices *c, const struct choice *choice);
void choices_end(struct choices *c, const struct choice *choice);
/* What a task showed: findings that are new, what those are worth (verdict.def), and others. */
struct showing {
    unsigned new_ones, worth, repeats;
};
void choices_count(struct choices *c, const struct choice *choice, const struct result *r,
                   const struct showing *showing);
/* Adds to the store what came since it was as `saved`. */
bool choices_save(const struct choices *c, const struct choices *saved, struct store *store,
                  struct err *e);
/* Takes over what other nodes have added. */
bool choices_refresh(struct choices *c, struct choices *saved, struct store *store, struct err *e);
/* What earlier campaigns found with these families, by arm: into the arms' priors, and back. */
void yields_expect(const struct plan *p, struct choices *c);
void yields_learn(const struct plan *p, const struct choices *before, const struct choices *after);

/* For a transaction that may fail. */
struct choices choices_copy(struct arena *a, const struct choices *c);
void choices_restore(struct choices *c, const struct choices *from);

/* The share of the machine's time that each should have, from what it found lately. */
void budget_shares(const struct store_arm *arms, size_t n, double *shares);
/* The one that is furthest below its share, counting what is under way. */
size_t budget_next(const struct store_arm *arms, const unsigned *under_way, size_t n);
/* A task of `which` is done; the past of all of them fades a little. */
void budget_note(struct store_arm *arms, size_t n, size_t which, double cpu, double worth);

/* ---- which findings are one bug: bug.c ------------------------------------------------------ */

/* Rows are in the order of their ids.  NULL: there is none. */
const struct store_finding *bug_row(const struct store_finding *rows, size_t n, uint64_t id);
/* The finding that stands for this one: itself, mostly. */
uint64_t bug_root(const struct store_finding *rows, size_t n, uint64_t id);
/* Finding id is the same as another from now on, and was as that one before; 0: as no other. */
struct bug_change {
    uint64_t id, was, same_as;
};
typedef void bug_changed_fn(void *context, const struct bug_change *change);
/* How many more stand for themselves since then: 1, 0 or -1. */
int bug_gained(const struct bug_change *change);
/* Merges those that triage calls the same, and splits those that only a key held together. */
bool bug_settle(struct store *store, bug_changed_fn *changed, void *context, struct err *e);

/* ---- the campaign's folder: folder.c --------------------------------------------------------- */

/* findings/N; replaces what is there. */
bool folder_write(const char *dir, const struct finding *f, struct err *e);
/* doubts/HASH of its key: the same doubt is kept once, and no more than FOLDER_DOUBTS of them. */
bool folder_write_doubt(const char *dir, const struct finding *f, struct err *e);
enum { FOLDER_DOUBTS = 50 };
bool folder_is_there(const char *dir, uint64_t id);

#endif
