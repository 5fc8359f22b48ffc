/* What the files of real share and nobody else sees. */
#ifndef REAL_PRIVATE_H
#define REAL_PRIVATE_H

#include "real/real.h"

/* ---- candidates.c ------------------------------------------------------------------------ */

/* Functions of the project's own that could be called with what we can make: struct function. */
struct list real_candidates(struct arena *a, const struct program *p);
/* An integer type whose numbers a buffer may hold. */
bool real_is_number(const struct type *t);
/* Is the member a number, or a row of numbers, which may be read whatever else was written? */
bool real_is_member(const struct record *r, uint32_t i);

/* ---- wrapper.c --------------------------------------------------------------------------- */

/* static unsigned long long NAME(unsigned x): calls the function with arguments that are drawn. */
void real_write_wrapper(struct program *p, const struct function *f, const char *name,
                        struct rng *r, struct text *out);

#endif
