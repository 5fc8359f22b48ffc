/* Private to cmd: what a program must do, by executing it exactly.  Used by `cupel test` where
 * compilers do not agree, or there is nobody to agree with. */
#ifndef CMD_ORACLE_H
#define CMD_ORACLE_H

#include "judge/judge.h"

enum oracle_kind {
    ORACLE_SILENT,    /* cannot tell: words say why */
    ORACLE_UNDEFINED, /* it may do anything: words say where, "t.c:3:7: undefined: ..." */
    ORACLE_KNOWS      /* it must do what known says */
};

/* Everything in the arena. */
struct oracle_answer {
    enum oracle_kind kind;
    const char *words;
    struct judge_known known;
};

/* Configurations with the same key give the machine the same text: compilers of one family, and
 * flags that a preprocessor heeds.  A command of no known family is not asked to preprocess: gcc
 * is.  In the arena. */
const char *oracle_key(struct arena *a, const struct cc_config *config);

/* Gives the program to `cupel check`, on each of its inputs, with the configuration's flags and for
 * the target.  In a process of its own, with limits: what other people wrote may take the machine
 * any time and memory. */
void oracle_ask(struct arena *a, struct cc_lab *lab, const struct cc_config *config,
                const struct target *target, const struct cc_case *program,
                struct oracle_answer *out);

#endif
