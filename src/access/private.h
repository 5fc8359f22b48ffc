/* Private to access: lists of accesses, how two of them are ordered, and what the files share. */
#ifndef ACCESS_PRIVATE_H
#define ACCESS_PRIVATE_H

#include "access/access.h"

/* Is anything of the type volatile?  May accesses to it be counted, and is each a single
 * instruction's?  What are its bytes (enum access_byte)?  bytes.c */
bool access_has_volatile(const struct type *t);
bool access_is_countable(const struct type *t);
bool access_is_watchable(const struct program *p, const struct type *t);
/* Needs: the type is countable. */
void access_mark_bytes(const struct program *p, const struct type *t, uint8_t *bytes);

/* Are the accesses to counted bytes as many as they must be?  What is not goes to out.  count.c */
void access_count(struct arena *a, const struct access_plan *plan,
                  const struct outcome_trace *trace, struct access_judgement *out);

/* Why an access may rightly be missing, or be made once for two calls; NULL: nothing of the kind.
 * lost.c */
const char *access_why_lost(struct arena *a, const struct program *p);

struct accesses {
    struct access *at;
    size_t n;
    bool blind; /* of those made: something was done to the stack that cannot be told */
};

typedef int access_order_fn(const void *x, const void *y);
/* By object, offset, size, and read before write; and by value too. */
access_order_fn access_by_place, access_by_value;

/* How many accesses from i on are of one group. */
size_t access_group_size(const struct accesses *e, size_t i);

/* Which accesses to the stack are those to automatic objects.  made: of a program that was stepped
 * through, in order; those to the stack have SYS_ON_STACK as watch and their address as offset.
 *
 * An object whose accesses are found at some place, all of them and nothing between them, is as it
 * must be.  Only where that place is certain are they left in both lists, for their order among
 * others; otherwise they go from both.  An object that is found nowhere stays in `expected`, with
 * what was done at the place that resembles it most in `made`; but nothing is claimed of it when
 * `made` is blind.  Yields how many accesses are not compared for that reason. */
size_t access_find_locals(struct arena *a, const struct access_plan *plan,
                          struct accesses *expected, struct accesses *made);

#endif
