/* real: functions of real programs as material for generated ones, after Creal (PLDI 2024).
 *
 * Consumes the preprocessed text of a file of some project.  Yields functions of it, each with what
 * it needs (types, objects, callees) and behind a wrapper: it takes one number, computes arguments
 * from four bits of it, and folds what comes back into another number.  The machine executes the
 * wrapper on all sixteen, so what it gives is known wherever a generated program calls it.
 *
 * Never yields a function that is undefined for one of them, prints, runs for long, or gives the
 * same for all.  Chooses by the seed alone. */
#ifndef REAL_REAL_H
#define REAL_REAL_H

#include "base/base.h"
#include "gen/gen.h"
#include "lang/lang.h"

enum { REAL_INPUTS = 16, REAL_FUNCTIONS = 3 };

struct real_function {
    const char *of;   /* the function in the project */
    const char *name; /* of the wrapper: "real_0" */
    uint64_t results[REAL_INPUTS];
    uint64_t cost; /* steps of a call, about */
};

struct real_material {
    struct arena arena;
    struct text code; /* what the wrappers need, and the wrappers */
    struct real_function functions[REAL_FUNCTIONS];
    size_t n; /* 0: nothing in the text is fit for it */
};

/* The text is one unit, for this target; stop: asked now and then, or NULL. */
void real_take(const struct text *text, const struct target *target, uint64_t seed,
               bool (*stop)(void), struct real_material *out);
void real_free(struct real_material *m);

/* A generated program that calls them, and what it prints.  False, with why: the machine does not
 * do what was predicted, so that a function was not what it seemed to be; or the names clash. */
bool real_program(const struct gen_options *o, const struct real_material *m, struct text *code,
                  struct text *expect, const char **why);

#endif
