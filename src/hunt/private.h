/* Private to hunt. */
#ifndef HUNT_PRIVATE_H
#define HUNT_PRIVATE_H

#include "hunt/hunt.h"

#include "cc/cc.h"
#include "judge/judge.h"
#include "lang/lang.h"
#include "store/store.h"

#include <jansson.h>

/* ---- strategies: strategy.def ------------------------------------------------------------ */

enum strategy {
#define STRATEGY(id, ...) STRATEGY_##id,
#include "hunt/strategy.def"
    STRATEGY_COUNT
};
const char *strategy_name(enum strategy s);
enum strategy strategy_named(const char *name); /* STRATEGY_COUNT when there is none */

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

/* ---- the plan: who is tested, with what ---------------------------------------------------- */

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
json_t *plan_to_json(const struct plan *p);
void plan_from_json(struct arena *a, const json_t *j, struct plan *out);
/* What changes when one of the compilers is replaced or goes. */
uint64_t plan_stamp(const struct plan *p);
const char *plan_target_name(const struct target *t); /* "none" for NULL */

/* ---- programs ---------------------------------------------------------------------------- */

/* A program, and what is known of it. */
struct subject {
    struct text code, expect, origin; /* origin: the command that makes it again */
    struct text original;             /* of a variant: what it was made from */
    struct judge_expectation expectation;
    bool compile_only;
    const char *skipped; /* why there is none; NULL when there is one */
};

struct source {
    const struct plan *plan;
    struct cc_lab *lab;
    const char *path; /* a file of ours that may be used meanwhile */
};

/* From strategy and seed; false when the machine fails us. */
bool source_make(const struct source *s, enum strategy strategy, uint64_t seed,
                 const struct lane *lane, struct subject *out, struct err *e);
void subject_free(struct subject *s);

/* What a maker, a function make_X of strategy.def, is asked for. */
struct order {
    const struct source *source;
    unsigned size;
    uint64_t seed;
    const struct lane *lane;
};
typedef bool make_fn(const struct order *o, struct subject *out, struct err *e);
/* A C file for the order's target, or why there is none. */
void source_preprocess(const struct order *o, const char *path, struct text *text,
                       const char **why);
enum { SOURCE_FUEL = 4000000 }; /* of the machine, for programs that we did not make */

/* ---- budget ------------------------------------------------------------------------------ */

/* The share of the machine's time that each strategy should have, from what it found lately. */
void budget_shares(const struct store_strategy *strategies, size_t n, double *shares);
/* The one that is furthest below its share, counting what is under way. */
size_t budget_next(const struct store_strategy *strategies, const unsigned *under_way, size_t n);
/* A task of strategy `which` is done; the past of all of them fades a little. */
void budget_note(struct store_strategy *strategies, size_t n, size_t which, double cpu,
                 unsigned findings);

/* ---- findings ---------------------------------------------------------------------------- */

/* Bytes as a JSON string, and back. */
json_t *json_of_bytes(const char *bytes, size_t n);
void bytes_of_json(const json_t *j, struct text *out);
const char *json_text(const json_t *j, const char *key); /* "" when there is none */

/* findings/N from what is known of it; replaces what is there. */
bool folder_write(const char *dir, uint64_t id, const json_t *finding, struct err *e);
bool folder_write_doubt(const char *dir, const json_t *finding, struct err *e);
bool folder_is_there(const char *dir, uint64_t id);

#endif
