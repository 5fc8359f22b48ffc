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
    enum verdict verdict;
    const char *signature, *message; /* of the original's failure; "" when it was compiled */
    enum sys_end end;                /* of the run that is wrong */
    bool ran;                        /* the original was compiled, linked and run */
    double limit;                    /* see struct judge_claim */
    double reference_cpu;            /* seconds that the reference compiles the original in */
    bool vouched;                    /* our front end or the machine vouches for every candidate */
    bool plain;      /* the compiler's own driver and linker, not what we have instead */
    bool final;      /* the result is looked at: with all patience */
    unsigned differ; /* candidates that showed it loaded by us, but not through the own driver */
    size_t asked;    /* bytes of what the reference was last asked about; 0: nothing yet */
    const char *phrase;
    const char *script;       /* absolute path */
    struct judge_tools tools; /* for the data model of the program */
    struct cc_config strict;  /* warns of what is undefined and sanitizers do not see */
    bool has_strict;          /* it has nothing to say about the original */
    bool tools_known;
};

/* The candidate in files of its own, and how to compile and run it. */
struct keep_case {
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

/* Runs the script once; *end says how it ended. */
bool keep_run_script(struct keep *k, const struct text *units, unsigned worker,
                     struct sys_result *end, struct err *e);

/* Does the compiler take it without a word? */
bool keep_is_taken(struct keep *k, const struct cc_config *config, const struct keep_case *c,
                   struct arena *a, bool *taken, struct err *e);

/* ---- witness.c ------------------------------------------------------------------------------ */

/* Looks for a witness, the verdict being known. */
bool keep_find_witness(struct keep *k, const struct keep_case *c, struct arena *a, struct err *e);
/* Needs: there is one. */
bool keep_witness_agrees(struct keep *k, const struct keep_case *c, struct arena *a, bool *agrees,
                         struct err *e);

reduce_test_fn keep_test_claim, keep_confirm_claim, keep_test_script;

#endif
