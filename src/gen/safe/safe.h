/* safe: keeps the program defined, by construction.
 *
 * On the first visit an operator that would be undefined is replaced (repairs.def).  A node that
 * has run before and would be undefined now is wrapped in place (guards.def), by something that is
 * the identity wherever the operation was defined: everything that has already run stays as it was,
 * and nothing is ever rolled back.
 *
 * Takes built nodes and the values of their operands; changes the tree; yields the value with which
 * execution goes on.  Charges nothing: a guard is no statement. */
#ifndef GEN_SAFE_SAFE_H
#define GEN_SAFE_SAFE_H

#include "gen/state.h"

/* Makes a built BINARY, ASSIGN or UNARY node defined on these operand values, changing its
 * operator or an operand; yields its value. */
u128 safe_repair(struct gen *g, struct node *n, const struct type *t, u128 a, u128 b,
                 const struct type *count_type);
/* The operator to try when this one faults: never returns to one that was tried. */
enum op safe_repair_next(enum op op, enum value_fault fault, unsigned tried);

/* gen_hooks.guard: the node at *slot has just faulted; wraps it and yields the value. */
void safe_guard(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v);
/* a op b that is defined for all values, in one of the forms GEN_guard_...: a fresh tree that takes
 * the operands over. */
struct node *safe_guard_tree(struct gen *g, enum gen_policy form, enum op op, struct node *a,
                             struct node *b, struct type *t);
/* The function of a guard, in the order in which they were made. */
struct function *safe_guard_function(const struct gen *g, size_t i);
/* What was guarded by macros, as edits that put a macro's name and arguments for what it expands
 * to; their definitions are added to the text. */
struct edit *safe_macros(struct gen *g, size_t *n, struct text *definitions);

#endif
