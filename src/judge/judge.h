/* judge: outcomes to verdict.  Takes what each configuration did with one program and says who
 * behaves alike, who is right, and who has to answer for something (judge.c, verdict.c: these run
 * nothing); then gathers the evidence for a claim by trying more (evidence.c).
 *
 * Behaviour is compared between configurations for the same machine only: another machine's
 * int, char or byte order may rightly give another output. */
#ifndef JUDGE_JUDGE_H
#define JUDGE_JUDGE_H

#include "access/access.h"
#include "base/base.h"
#include "cc/cc.h"
#include "lang/lang.h"
#include "vary/vary.h"

enum judge_mark {
    MARK_AGREES,  /* behaves as expected, as it must, or as the majority does */
    MARK_DIFFERS, /* behaves otherwise */
    MARK_UNCLEAR, /* behaviours differ and there is no majority */
    MARK_ALONE,   /* ran, but there is nothing to compare it with */
    MARK_FAULT,   /* the compiler crashed, hung ... */
    MARK_REFUSED, /* rejects what others accept */
    MARK_SILENT   /* says nothing: could not be tried, or too slow to tell */
};

/* One distinct behaviour: the same output, exit status or signal on every input. */
struct judge_group {
    size_t first;   /* an outcome that behaves so */
    size_t members; /* configurations */
    bool expected;  /* prints what was expected */
};

/* What a program must do, by one who knows: for each input. */
struct judge_known {
    const struct text *out;
    const int *status;
};

struct judge_case {
    const struct cc_config *configs;
    const struct outcome *outcomes;
    size_t n;
    /* wanted stdout per input, or NULL: then the majority is taken to be right */
    const struct text *expected;
    uint32_t expected_machine; /* the expectation is for this machine only; 0: for all */
    /* per outcome, NULL where nobody knows; or NULL.  Comes before any majority. */
    const struct judge_known *const *known;
    /* per outcome, the flag that lets it behave otherwise, NULL where there is none; or NULL.  Such
     * a program has no vote, and is compared with nobody. */
    const char *const *licence;
    double run_timeout;
};

struct judgement {
    enum judge_mark *marks; /* per outcome */
    int *group_of;          /* per outcome, index into groups; -1 when it did not run */
    bool *slow, *large;     /* per outcome: compile time or memory far above its siblings */
    struct judge_group *groups;
    size_t group_count;
    size_t counts[MARK_SILENT + 1];
    bool built;     /* at least one configuration compiled and ran it */
    bool too_slow;  /* some runs were cut off, and others were not much faster */
    bool cut_short; /* some printed too much or took too much memory, and nobody ended otherwise */
    bool no_answer; /* a full disk, a missing compiler or emulator ...: not everything was tried */
    /* why programs that behave otherwise say nothing about their compilers; NULL when they do.
     * For the caller to set: the outcomes do not tell. */
    const char *excuse;
};

/* Needs: every outcome is filled in.  Everything in the judgement lives in the arena. */
void judge_outcomes(struct arena *a, const struct judge_case *c, struct judgement *out);

/* The same output, exit status or signal on every input? */
bool judge_same_behaviour(const struct outcome *x, const struct outcome *y);

/* The same preprocessed text with another beginning, by which the stack below its main holds no
 * zeros, as that of a loaded program does: for compilers that know GNU's names for the assembler
 * (others reject it).  What it does is what it did, unless it reads what nobody wrote.  False, and
 * nothing, when the text cannot be read or has no main of a usual kind. */
bool judge_fill_stack(const char *text, size_t n, const struct target *target, struct text *out);

/* Did it print too much, and is all that was kept of it how this begins, and goes on? */
bool judge_begins_as(const struct outcome_run *run, const char *out, size_t size);

/* Does it behave so, on every input? */
bool judge_is_as_known(const struct outcome *o, const struct judge_known *known);

/* Is anything there to report? */
bool judge_found_something(const struct judgement *j);

/* Is own above the floor and ten times the median of the others?  Two of those must be there. */
bool judge_is_out_of_line(double own, const double *others, size_t n, double floor);

/* ---- data models: model.c --------------------------------------------------------------- */

struct judge_model {
    bool compiles;               /* a small program, at least */
    const struct target *target; /* what its programs are for; NULL: none that we know */
    const char *unlike;          /* then: what it has that no target has so, or why not known */
    bool contracts;              /* a * b + c is rounded once */
};

/* Is it a compiler that is known by its name, and do its flags leave the data model as its machine
 * lays it down? */
bool judge_keeps_abi(const struct cc_config *config);
/* By compiling and running a program; false only when the machine fails us. */
bool judge_learn_model(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                       struct judge_model *out, struct err *e);
/* The data model that the configuration's programs are to have: this machine's, or that of -m32;
 * where an emulator runs them, found by running one. */
bool judge_find_target(struct cc_lab *lab, const struct cc_config *config, struct arena *a,
                       const struct target **out, struct err *e);

/* ---- verdicts: verdict.def ------------------------------------------------------------- */

enum verdict {
    VERDICT_NONE,
#define VERDICT(id, ...) VERDICT_##id,
#include "judge/verdict.def"
    VERDICT_COUNT
};

enum judge_subject { SUBJECT_CODE, SUBJECT_VALID, SUBJECT_RUN };
enum verdict_cost { COST_CHEAP, COST_COSTLY, COST_ENDLESS };

struct judge_claim;
/* What tells two bugs apart, from an outcome; "" for nothing.  In the arena. */
typedef const char *verdict_signature_fn(struct arena *a, const struct outcome *o);
typedef bool verdict_shown_fn(const struct judge_claim *c, const struct outcome *o);
typedef bool verdict_again_fn(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                              struct outcome *out, bool *holds, struct err *e);

/* A row of verdict.def. */
struct verdict_info {
    const char *name, *phrase;
    enum judge_subject subject;
    enum verdict_cost cost;
    unsigned worth; /* of a new one, to who shares out a hunt's time */
    verdict_signature_fn *signature;
    verdict_shown_fn *shown;
    verdict_again_fn *again;
};
const struct verdict_info *verdict_info(enum verdict v);
/* Is it told by how the compiler or the program ended? */
bool verdict_is_an_end(enum verdict v);
enum verdict verdict_named(const char *name); /* VERDICT_NONE when there is none */

/* What is known of a program. */
struct judge_expectation {
    bool runs; /* it may be run, and is known to: */
    const char *out;
    size_t out_size;
    int status;
    bool valid; /* every compiler must accept it */
    /* of a program that is undefined, and that a sanitizer must report: the kind, of ub.def; else
     * NULL, and runs is false with it */
    const char *undefined;
};

/* What one outcome alone says about the compiler. */
enum verdict judge_verdict(const struct outcome *o, const struct judge_expectation *x);
/* Does the program do what is expected of it? */
bool judge_as_expected(const struct outcome *o, const struct judge_expectation *x);

/* ---- sanitizers under test: sanitizer.c, sanitizer.def ----------------------------------- */

bool judge_is_about_sanitizer(enum verdict v);
/* The flag by which a configuration asks for one; NULL when it does not. */
const char *judge_sanitizer_of(const struct cc_config *config);
/* Did a sanitizer say something on stderr? */
bool judge_is_reported(const struct outcome_run *run);

/* ---- volatile accesses: volatile.c ------------------------------------------------------- */

/* The accesses that the program in a preprocessed text must make; or plan->why none are known. */
void judge_expect_accesses(struct arena *a, const struct text *text, const struct target *target,
                           struct access_plan *out);
/* Compiles it, runs it, and runs it watched: how its accesses compare with the plan. */
bool judge_try_accesses(struct cc_lab *lab, const struct cc_config *config,
                        const struct cc_case *program, const struct access_plan *plan,
                        struct arena *a, struct outcome *out, struct access_judgement *j,
                        struct err *e);
/* What it does wrong with the volatile objects of the claim's program, one preprocessed file, if
 * all else is as expected; VERDICT_NONE for nothing, or when that cannot be seen. */
bool judge_find_volatile(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                         struct outcome *out, enum verdict *v, struct err *e);
enum verdict judge_access_verdict(const struct access_judgement *j);
bool judge_is_about_volatiles(enum verdict v);
/* What differs first, on one line; in the arena. */
const char *judge_explain_accesses(struct arena *a, const struct access_plan *plan,
                                   const struct access_judgement *j);
/* The instructions of what is wrong, by one more compilation: see access_find_code; "" where the
 * compiler writes no assembly with lines. */
bool judge_find_access_code(struct cc_lab *lab, const struct cc_config *config,
                            const struct cc_case *program, const struct access_plan *plan,
                            const struct access_judgement *j, struct arena *a, const char **code,
                            struct err *e);

/* ---- code that could be better: missed.c --------------------------------------------------- */

struct missed_code;
/* The code of main in the claim's program; empty when it is not compiled. */
bool judge_read_code(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                     struct outcome *out, struct missed_code *code, struct err *e);
/* A program about a call that no execution makes (VERDICT_MISSED), or that is made
 * (VERDICT_LOST_CALL), begins with a comment that names it: written, and read again, "" for none.
 */
void judge_put_marker(enum verdict v, const char *marker, struct text *program);
const char *judge_read_marker(enum verdict v, struct arena *a, const char *program);

/* ---- evidence: rung.def, grade.def ------------------------------------------------------ */

enum rung {
#define RUNG(id, ...) RUNG_##id,
#include "judge/rung.def"
    RUNG_COUNT
};

enum grade {
#define GRADE(id, ...) GRADE_##id,
#include "judge/grade.def"
    GRADE_COUNT
};

const char *rung_name(enum rung r);
const char *grade_name(enum grade g);
enum grade grade_named(const char *name); /* GRADE_COUNT when there is none */

enum rung_state { RUNG_UNTRIED, RUNG_HOLDS, RUNG_BROKEN, RUNG_ABSENT };
const char *rung_state_name(enum rung_state s);
enum rung_state rung_state_named(const char *name); /* RUNG_UNTRIED when there is none */

struct rung_result {
    enum rung_state state;
    const char *note; /* what was seen, or why it is absent; "" for nothing to say */
};

/* What this machine has to gather evidence with; NULL for what it lacks. */
struct judge_tools {
    const struct cc_config *gcc_san, *clang_san, *clang_msan, *plain; /* plain: for valgrind */
    const char *valgrind;
    const struct cc_config *voters; /* other compilers, without optimisation */
    size_t voter_count;
};

/* What there is among the compilers of this machine, for each target: tools[TARGET_COUNT]. */
void judge_find_tools(struct arena *a, const struct cc_list *found, struct judge_tools *tools);

/* That this configuration does that with this program. */
struct judge_claim {
    const struct cc_config *config;
    enum verdict verdict;
    const char *signature; /* of a compiler's crash; "" otherwise */
    const struct cc_case *program;
    const struct judge_expectation *expect;
    const struct target *target;
    /* whether its compile time or memory is out of line cannot be seen from one outcome: what
     * it must be above to be so; 0 for the other verdicts.  Of VERDICT_MISSED: the instructions
     * of better code */
    double limit;
    bool reached; /* of VERDICT_MISSED, turned round: the code is as good as that */
    bool show;    /* of wrong volatile accesses: the outcome's message ends with their code */
};

struct evidence {
    struct rung_result rungs[RUNG_COUNT];
    enum grade grade;
    struct outcome outcome; /* as the plain driver gave it */
};

/* Do two objects of the configuration say something about the compiler when they differ?  What is
 * left to the linker has names in it that are drawn anew each time, and sanitizers look at what -g
 * says of variables. */
bool judge_can_compare_objects(const struct cc_config *config);

/* Climbs until something is broken.  False only when the machine fails us. */
bool judge_gather(struct cc_lab *lab, const struct judge_tools *tools, const struct judge_claim *c,
                  struct arena *a, struct evidence *out, struct err *e);
/* From the rungs alone. */
enum grade judge_grade(enum verdict verdict, const struct rung_result *rungs);
/* Does the outcome, alone, bear the claim out? */
bool judge_bears_out(const struct judge_claim *c, const struct outcome *o);
/* Of a verdict on the compiled program: builds it the plain way and runs it so many times on its
 * input, if it has one.  *shown: the runs that bear the claim out; out is one of them, or the last.
 */
bool judge_again_often(struct cc_lab *lab, const struct judge_claim *c, size_t times,
                       struct arena *a, struct outcome *out, size_t *shown, struct err *e);
/* Looks once more, in the way of the verdict, with the claim's configuration and program.  out is
 * what became of it. */
bool judge_again(struct cc_lab *lab, const struct judge_claim *c, struct arena *a,
                 struct outcome *out, bool *holds, struct err *e);

/* ---- validation: validate.c ------------------------------------------------------------- */

enum validation_state {
    VALIDATION_SKIPPED,   /* not asked, or somebody before it had the answer */
    VALIDATION_CLEAN,     /* nothing to report */
    VALIDATION_UNDEFINED, /* it says so */
    VALIDATION_TIMEOUT,
    VALIDATION_ABSENT, /* not installed, or it cannot read the program */
};
const char *validation_state_name(enum validation_state s);
const char *validator_name(enum validator v);
/* "all", or names with commas between; one bit each. */
bool judge_validators_parse(const char *names, unsigned *bits, struct err *e);

struct validation {
    enum validation_state state;
    const char *said; /* the first line of it */
    double seconds;
};

/* Is the program undefined?  Asks those of the validators (enum validator_bit), cheapest first,
 * until one says yes; with all, every one.  For programs that the machine cannot decide. */
struct judge_validate {
    const struct cc_case *program; /* one unit, one input at most */
    unsigned validators;
    bool all;
    double most; /* CPU seconds for each; 0: what validator.def says */
};
bool judge_validate(struct cc_lab *lab, const struct judge_validate *what, struct arena *a,
                    struct validation out[VALIDATOR_COUNT], struct err *e);

/* Do threads of the program race?  In *said what is told of it; NULL: they do not, or nobody can
 * tell. */
bool judge_find_race(struct cc_lab *lab, const struct cc_case *program, double seconds,
                     struct arena *a, const char **said, struct err *e);

#endif
