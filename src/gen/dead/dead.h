/* dead: code where execution never came.
 *
 * When the program has ended, blocks that are still open and holes that are still empty are filled.
 * Nothing that they do can be seen, so nothing constrains them but their types: the relaxations of
 * policy.def say how wild they are.  Executes nothing. */
#ifndef GEN_DEAD_DEAD_H
#define GEN_DEAD_DEAD_H

#include "gen/state.h"

/* Fills everything in every function. */
void dead_fill(struct gen *g);
/* A call with any arguments. */
struct node *dead_call_of(struct gen *g, struct region *r, struct fn *fn);

#endif
