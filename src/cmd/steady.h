/* Private to cmd: does a program do the same each time it is run?  Used by `cupel test` where
 * behaviours differ, before anybody looks for a reason. */
#ifndef CMD_STEADY_H
#define CMD_STEADY_H

#include "judge/judge.h"

enum steadiness { STEADY_UNASKED, STEADY_SAME, STEADY_VARIES };

struct steady {
    const struct cc_labs *labs;
    const struct cc_case *program;
    const struct cc_config *configs;
    const struct outcome *outcomes; /* of the first look */
    size_t n;
    const struct judgement *judgement;
    double start; /* when the first look began */
    /* yielded */
    enum steadiness *of; /* per configuration; NULL before the first question */
    bool varies;         /* it is the program that does something else each time */
    bool moves;          /* or when it lies elsewhere in memory; then it varies, too */
};

/* Runs some programs of each behaviour again and again, at another time and in other folders.  What
 * changes although nobody accuses its compiler is the program's own doing; where everybody is
 * accused, a compiler that does not optimise is asked.  Those asked before are not asked again.
 * last: whoever is not accused now will not be.  False only when our own machine fails us. */
bool steady_ask(struct arena *a, struct steady *s, bool last, struct err *e);
/* Does it do something else when its code and data lie elsewhere, and its frames look otherwise?
 * For programs whose behaviour nobody knows: addresses, distances, code as bytes are told by every
 * compiler in its own way.  After steady_ask, as its last. */
bool steady_ask_elsewhere(struct arena *a, struct steady *s, struct err *e);

#endif
