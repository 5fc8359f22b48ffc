/* Private to cmd: what a program must do, by executing it exactly.  Used by `cupel test` where
 * compilers do not agree, or there is nobody to agree with. */
#ifndef CMD_ORACLE_H
#define CMD_ORACLE_H

#include "judge/judge.h"

enum oracle_kind {
    ORACLE_SILENT,    /* cannot tell: words say why */
    ORACLE_UNDEFINED, /* it may do this or that: words say where, "t.c:3:7: undefined: ...", or that
                       * it takes more memory or stack than there may be */
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

/* Has it flags that give a meaning to what C leaves undefined?  Then the machine has no say. */
bool oracle_defines_more(const struct cc_config *config);
/* Do both define the same of it? */
bool oracle_defines_as_much(const struct cc_config *a, const struct cc_config *b);

/* Gives the program to `cupel check`, on each of its inputs, with the configuration's flags and for
 * the target.  In a process of its own, with limits: what other people wrote may take the machine
 * any time and memory. */
void oracle_ask(struct arena *a, struct cc_lab *lab, const struct cc_config *config,
                const struct target *target, const struct cc_case *program,
                struct oracle_answer *out);

/* ---- all that one `cupel test` asks: questions.c ------------------------------------------ */

struct questions {
    struct cc_lab *lab;
    const struct cc_case *program;
    const struct cc_config *configs;
    const struct outcome *outcomes;
    size_t n;
    const enum judge_mark *marks; /* by votes alone */
    /* yielded, per configuration, in the arena */
    const struct judge_known **known; /* what its program must do; NULL where nobody knows */
    const char *undefined;            /* where the program is; NULL when it is not */
    const char *silence;              /* why something is not known; NULL for no reason */
    /* its own */
    struct arena *a;
    const struct target **targets; /* once learnt */
    const char **texts;            /* oracle_key */
};

/* Needs: everything above `yielded`.  False only when our own machine fails us. */
bool questions_settle(struct arena *a, struct questions *q, struct err *e);

/* Who else could compile a program of that configuration, for its machine (outcome.machine),
 * without optimising it: struct cc_config *, in the arena. */
void questions_witnesses(struct arena *a, const struct cc_config *config, uint32_t machine,
                         struct list *out);

#endif
