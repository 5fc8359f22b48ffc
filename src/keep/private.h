/* Private to keep. */
#ifndef KEEP_PRIVATE_H
#define KEEP_PRIVATE_H

#include "keep/keep.h"

struct keep {
    struct keep_options o;
    struct arena arena;
    struct cc_labs labs;
    struct cc_config config, reference, witness;
    bool has_reference; /* it is right about the original, and must be about every result */
    bool has_witness;   /* the same for a configuration close to the accused one: see witness.c */
    bool from_machine;  /* what is expected is the machine's prediction, else the reference's run */
    bool compile_only;  /* the verdict needs neither linking nor running */
    bool check_only;    /* a crash, whatever the program: the reference only says whether it is C */
    enum verdict verdict;
    const char *signature, *message; /* of the original's failure; "" when it was compiled */
    enum sys_end end;                /* of the run that is wrong */
    bool ran;                        /* the original was compiled, linked and run */
    double limit;                    /* see struct judge_claim */
    double reference_cpu; /* seconds of the reference for the original, then for what is kept */
    uint64_t agreed;      /* hash of the original, once the reference was right about it */
    bool plain;           /* the compiler's own driver and linker, not what we have instead */
    bool final;           /* the result is looked at: with all patience */
    bool hurried; /* many candidates are looked at: one that a busy machine keeps from ending is no
                   */
    bool patient; /* a hang is waited for as long as the user said, not only in the end */
    bool chance;  /* what is wrong shows in some runs of the original only: see chance.c */
    bool varies;  /* what is wrong is not the same each time, or not when it is linked */
    unsigned differ; /* candidates that showed it loaded by us, but not through the own driver */
    const char *phrase;
    const char *script;          /* absolute path */
    double script_patience;      /* seconds for a run of it */
    bool was_defined;            /* with a script: the original is, by the machine's word */
    const struct target *target; /* the configuration's data model; lp64 of a script's */
    struct judge_tools tools;    /* for that */
    struct cc_config strict;     /* warns of what is undefined and sanitizers do not see */
    bool has_strict;             /* it has nothing to say about the original */
    bool tools_known;
};

/* The candidate in files of its own, and how to compile and run it. */
struct keep_case {
    uint64_t hash; /* of the texts */
    struct cc_case program;
    struct judge_expectation expect;
};

/* Writes the units for this worker; false when the disk fails us. */
bool keep_write_units(struct keep *k, const struct text *units, unsigned worker, struct arena *a,
                      struct keep_case *out, struct err *e);
/* What is expected of it; *known false when nobody can tell. */
bool keep_expect(struct keep *k, const struct reduce_expect *x, unsigned worker, struct arena *a,
                 struct keep_case *c, bool *known, struct err *e);
struct judge_claim keep_claim(const struct keep *k, const struct keep_case *c);
void keep_find_tools(struct keep *k);
bool keep_is_gcc_or_clang(const struct cc_config *config);
/* What the reference makes of it; no more than is asked. */
bool keep_try_reference(struct keep *k, const struct keep_case *c, struct arena *a,
                        struct outcome *o, struct err *e);
/* The very verdict: what crashed must crash, what ended must end, what was refused be refused for
 * the same reason. */
bool keep_is_same(struct keep *k, const struct keep_case *c, const struct outcome *o,
                  struct arena *a);

/* Runs the script once; *end says how it ended. */
bool keep_run_script(struct keep *k, const struct text *units, unsigned worker,
                     struct sys_result *end, struct err *e);

/* Does the compiler take it without a word? */
bool keep_is_taken(struct keep *k, const struct cc_config *config, const struct keep_case *c,
                   struct arena *a, bool *taken, struct err *e);

/* ---- chance.c ------------------------------------------------------------------------------- */

/* Is it about what a compiled program does, which may be something else each time? */
bool keep_may_vary(const struct keep *k);
/* Several runs of one build: do they show it as the original's do?  *o is one that does. */
bool keep_ask_often(struct keep *k, unsigned worker, const struct keep_case *c, struct arena *a,
                    struct outcome *o, bool *holds, struct err *e);
/* Does the original show it in some runs only?  The verdict is known. */
bool keep_find_chance(struct keep *k, const struct keep_case *c, const struct outcome *seen,
                      struct arena *a, struct err *e);
/* Where the one run was right, *o becomes one that is not, if there is one. */
bool keep_find_wrong_run(struct keep *k, const struct keep_case *c, struct arena *a,
                         struct outcome *o, struct err *e);

/* Is every run of what this configuration builds right?  What depends on addresses is not. */
bool keep_is_always_right(struct keep *k, const struct cc_config *config, const struct keep_case *c,
                          struct arena *a, bool *right, struct err *e);

/* ---- witness.c ------------------------------------------------------------------------------ */

/* Looks for a witness, the verdict being known. */
bool keep_find_witness(struct keep *k, const struct keep_case *c, struct arena *a, struct err *e);
/* Needs: there is one. */
bool keep_witness_agrees(struct keep *k, const struct keep_case *c, struct arena *a, bool *agrees,
                         struct err *e);

/* ---- licence.c ------------------------------------------------------------------------------ */

/* Is the verdict one that a licence for floating operations may make? */
bool keep_is_asked_as_written(const struct keep *k);
/* Is it wrong also when they are done as written? */
bool keep_is_wrong_as_written(struct keep *k, const struct keep_case *c, struct arena *a,
                              bool *wrong, struct err *e);
/* The same of the original: else e says what lets it. */
bool keep_check_licence(struct keep *k, const struct keep_case *c, struct arena *a, struct err *e);

reduce_test_fn keep_test_claim, keep_confirm_claim, keep_test_script;

#endif
