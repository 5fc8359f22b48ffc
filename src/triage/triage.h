/* triage: what a developer wants to know of a bug before looking.  Takes a claim that holds (a
 * configuration, a verdict, a program) and finds out by compiling it again with other flags, never
 * by reading prose: which pass is to blame, which function, which value goes wrong first, who else
 * has it, and which bug it is.
 *
 * Whatever a compiler does is an answer; a function returns false only when our own machine fails
 * us.  Everything handed out lives in the arena.  The same claim gives the same answer. */
#ifndef TRIAGE_TRIAGE_H
#define TRIAGE_TRIAGE_H

#include "base/base.h"
#include "cc/cc.h"
#include "judge/judge.h"

struct json_t;

/* How the culprit was found: method.def. */
enum triage_method {
    METHOD_NONE,
#define METHOD(id, ...) METHOD_##id,
#include "triage/method.def"
    METHOD_COUNT
};
const char *triage_method_name(enum triage_method m); /* "" for METHOD_NONE */
enum triage_method triage_method_named(const char *name);

/* Who is to blame. */
struct triage_blame {
    /* the same for the same bug in every version: "loop-vectorize", "dbg-cnt vect_loop",
     * "tree-vrp", "-ftree-vrp", "-O1"; "" when nothing could be found out */
    const char *pass;
    const char *detail;   /* for people: which instance, in which function; "" for nothing */
    const char *switches; /* flags with which it does not happen; "" for none */
    enum triage_method method;
    unsigned compiles;
    double seconds; /* of the clock */
};

struct triage_job {
    struct cc_lab *lab;
    const struct judge_claim *claim;
    unsigned most; /* compilations that it may cost; 0: TRIAGE_MOST */
    bool roughly;  /* the name is enough: no instance, no counter's value */
    bool chance;   /* it is wrong in some runs only: each question is asked several times */
};

enum { TRIAGE_MOST = 60 };

/* Does its name say that the compiler can be asked about its passes? */
bool triage_can_ask(const struct cc_config *config);

/* The guilty pass, at a cost of about 13 compilations for Clang and GCC; the search stops, with
 * what it has, after job->most. */
bool triage_blame(const struct triage_job *job, struct arena *a, struct triage_blame *out,
                  struct err *e);

/* Which pass of a compiler that makes better code does that work: without it, the code is no better
 * than elsewhere.  job->claim is of VERDICT_MISSED, about that compiler, with `reached` set. */
bool triage_find_worker(const struct triage_job *job, struct arena *a, struct triage_blame *out,
                        struct err *e);

/* ---- who else ------------------------------------------------------------------------- */

enum triage_state { TRIAGE_UNTRIED, TRIAGE_SHOWN, TRIAGE_GONE, TRIAGE_OTHER, TRIAGE_STATES };
const char *triage_state_name(enum triage_state s);

struct triage_cell {
    const char *level, *config;
    bool narrow; /* the column of -m32, at the claim's own level */
    enum triage_state state;
    const char *crash; /* how it was shown, where that has a signature */
};

/* One compiler. */
struct triage_row {
    const char *compiler, *version;
    bool other; /* of another family: tried once, without the claim's flags */
    bool shown, told;
    struct triage_cell *cells;
    size_t n;
};

struct triage_matrix {
    struct triage_row *rows; /* by version */
    size_t n;
    const char *last_good, *first_bad, *fixed_in; /* compilers of the family; "" for none */
    /* the signature that first_bad gives a crash, by which all versions call it; "" for none */
    const char *crash;
    unsigned compiles;
};

struct triage_question {
    const struct cc_list *compilers;
    const struct judge_expectation *expect_32; /* with -m32; NULL: it is not tried */
};

enum { TRIAGE_CELLS = 120 };

/* Every version of the family at every level.  job->most 0: TRIAGE_CELLS. */
bool triage_find_matrix(const struct triage_job *job, const struct triage_question *q,
                        struct arena *a, struct triage_matrix *out, struct err *e);
/* Below, at or above 0: "9.4" comes before "12.2". */
int triage_compare_versions(const char *x, const char *y);

/* Which part of Clang crashes; STAGE_NONE for what is no crash, or no Clang. */
enum triage_stage { STAGE_NONE, STAGE_FRONT, STAGE_MIDDLE, STAGE_BACK, STAGE_COUNT };
const char *triage_stage_name(enum triage_stage s); /* "front end"; "" for none */
bool triage_find_stage(const struct triage_job *job, struct arena *a, enum triage_stage *out,
                       struct err *e);

/* ---- where it begins ------------------------------------------------------------------ */

/* The first value that differs from the machine's, by probes in the program; strings are "" where
 * nothing is known. */
struct triage_first {
    const char *what;              /* "expression", "statement" ...; "" when none was found */
    const char *shape;             /* of an expression: its operator and types */
    const char *source;            /* as written, on one line */
    const char *function;          /* that it stands in */
    const char *expected, *actual; /* as the probes print them: in hexadecimal */
    bool missed; /* it is not reached, though nothing before it is seen to be wrong */
    bool alone; /* one operation on values that are right, with nothing to be optimised around it */
    bool vague; /* the program was killed there, which says little of why */
    bool telling; /* an operation, not what is read, called or not reached: it is the bug's own */
    unsigned line, compiles;
};
/* With fewer probes each time, as long as they hide it; where it shows only in a whole statement,
 * expression by expression. */
enum { TRIAGE_FIRST = 16 }; /* compilations, unless job->most says otherwise */
bool triage_find_first(const struct triage_job *job, struct arena *a, struct triage_first *out,
                       struct err *e);

/* The function without whose optimisation it does not happen. */
struct triage_function {
    const char *name; /* "" for none: no such attributes, or it is not about optimisation */
    bool alone;       /* it is enough not to optimise this one */
    unsigned compiles;
};
enum { TRIAGE_FUNCTIONS = 8 }; /* compilations, unless job->most says otherwise */
bool triage_find_function(const struct triage_job *job, struct arena *a,
                          struct triage_function *out, struct err *e);

/* ---- the same bug --------------------------------------------------------------------- */

/* What is known of a bug; "" or NULL for what is not. */
struct triage_identity {
    enum verdict verdict;
    const char *family, *pass, *crash;
    const char *shape; /* of the first wrong expression */
    bool alone;        /* that is wrong by itself: level and passes at which it shows are chance */
    bool plain; /* it happens without optimisation: what a counter of folding says is chance */
    enum triage_method method;
    enum triage_stage stage;
    const struct triage_matrix *matrix;
    const char *program;  /* the reduced one */
    const char *features; /* that it has: feature.def */
};

/* Equal for what is taken to be the same bug, whatever version it was seen in.  Pure. */
const char *triage_signature(struct arena *a, const struct triage_identity *who);
/* All that was found out, and its JSON (json.c alone knows the keys). */
struct triage_result {
    struct triage_blame blame;
    struct triage_matrix matrix; /* n 0: it was not asked for */
    enum triage_stage stage;
    struct triage_first first;
    struct triage_function function;
    const char *features; /* what few programs have, where nothing else tells the bug; else "" */
    const char *signature;
};

/* What is to be found out of a claim. */
struct triage_order {
    struct cc_lab *lab;
    const struct judge_claim *claim;
    const struct cc_list *compilers; /* for the matrix; NULL: none */
    const char *family;              /* of the accused; its command when nobody knows */
    bool reduced;  /* the program is small enough to be compared by what it is made of */
    unsigned most; /* compilations for the guilty pass; 0: TRIAGE_MOST */
};
/* All of it, and the signature. */
bool triage_find_out(const struct triage_order *o, struct arena *a, struct triage_result *out,
                     struct err *e);
unsigned triage_compiles(const struct triage_result *r); /* that it cost */
/* The pass to blame; where none can be named, what goes wrong first, what the program has, or the
 * lowest level. */
const char *triage_culprit(const struct triage_result *r);

/* The caller's to free. */
struct json_t *triage_to_json(const struct triage_result *r);
/* Copies into the arena; false for what is none. */
bool triage_from_json(struct arena *a, const struct json_t *j, struct triage_result *out);

/* The same from and to text. */
const char *triage_to_text(struct arena *a, const struct triage_result *r);
bool triage_from_text(struct arena *a, const char *text, struct triage_result *out);

/* A crash's signature without the lines and files that differ between versions.  Pure. */
const char *triage_crash_name(struct arena *a, const char *signature);
/* Did it happen in the pass of that name (as triage_blame has it), as the signature says?  Pure. */
bool triage_crash_is_in(struct arena *a, const char *signature, const char *pass);
/* May two versions of a compiler mean one crash by these?  LLVM moves members between classes and
 * inlines callers: what counts is the pass, and the innermost function's own name.  Pure. */
bool triage_crash_alike(struct arena *a, const char *x, const char *y);

#endif
