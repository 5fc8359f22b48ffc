/* compile: a function's tree to instructions, when it is first called.
 *
 * Takes a function of a unit, after the unit's edits, and yields its code; asks link.c what names
 * stand for.  Nothing runs while it is compiled.  What cannot be compiled becomes an instruction
 * that ends the run as unsupported when it is reached, so code that is never executed may hold
 * anything.  Each node's place among the counters and facts is noted in its unit_state, for
 * facts.c; compiling a function a second time (tracked) keeps those of the first. */
#ifndef MACHINE_COMPILE_COMPILE_H
#define MACHINE_COMPILE_COMPILE_H

#include "machine/private.h"

/* tracked: every access goes to the log of sequence.c, because an operand of a caller may conflict
 * with it.  watched: every access is told to the functions below that watch restrict pointers.
 * Never NULL; the code is the machine's. */
struct code *compile_function(struct machine *m, struct func *f, bool tracked, bool watched);
/* What the pointers of a function are based on; NULL when that cannot be told.  based.c */
const struct bases *bases_of(struct machine *m, struct unit_state *u, const struct function *f);
/* Code that stores the initialiser into the static object; owner: the function that the object is
 * declared in, whose labels it may name, or NULL. */
struct code *compile_static(struct machine *m, struct func *owner, struct unit_state *u,
                            struct object *o, const struct node *init, const struct type *type);

/* Is it declared pure, or const?  promise.c */
enum purity_promise promise_purity(const struct decl *d);

/* What a call may do to memory that others see: 0 nothing, 1 read, 2 write.  purity.c */
unsigned purity_of_function(struct machine *m, struct unit_state *u, struct function *f);

#endif
