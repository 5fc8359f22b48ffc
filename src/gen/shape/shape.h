/* shape: code of the shapes that optimisers look for, which chance alone would not write.
 *
 * Takes a region and the globals that there are; builds statements, and functions where they are
 * needed, attaches them and lets execution walk into them.  What is built has no side effects while
 * it is being built, is bounded by what it charges, and is defined whatever the variables hold, or
 * is guarded like anything else when it runs. */
#ifndef GEN_SHAPE_SHAPE_H
#define GEN_SHAPE_SHAPE_H

#include "gen/state.h"

/* The rows of group stmt that policy.def gives to shape: see make.h for the contract of a maker. */
#define STMT(stage, name, ...) DECLARE_##stage(name)
#define DECLARE_make(name)
#define DECLARE_shape(name) stmt_fn shape_stmt_##name;
#include "gen/policy.def"
#undef DECLARE_make
#undef DECLARE_shape

/* A small function as real code has them (gen_hooks.small_function): listed, to be called. */
struct fn *shape_small_function(struct gen *g);
/* Calls of a function that changes a structure by pointer; false when there is no such structure.
 */
bool shape_record_calls(struct gen *g, struct region *r);

#endif
