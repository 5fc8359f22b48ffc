/* Pieces of tree.  Nothing here is executed or charged: what is built runs when execution walks
 * into it, and who attaches it charges it.  Operands are taken over: a node stands in one place of
 * the tree only (tree_clone makes another). */
#ifndef GEN_BUILD_H
#define GEN_BUILD_H

#include "gen/state.h"

/* ---- tree.c ----------------------------------------------------------------------------- */

/* May it be evaluated any number of times?  No side effects, nothing volatile, no holes. */
bool tree_is_pure(const struct node *n);
/* Does its value come from constants and const objects alone?  Compilers may compute an address
 * from it, and one that is far off does not link. */
bool tree_is_fixed(const struct node *n);
/* Is it a bit-field?  Its width decides what it is promoted to (C11 6.3.1.1p2): where its type
 * counts, it needs a cast even to that. */
bool tree_is_field(const struct node *n);
struct node *tree_clone(struct gen *g, const struct node *n);

/* ---- build.c ---------------------------------------------------------------------------- */

/* A literal without a cast, and its value: int where it fits, else the narrowest type. */
struct made build_number(struct gen *g, u128 v, struct type *t);
struct type *build_int_type(const struct gen *g);
/* The unsigned type of 32 bits: unsigned int, or unsigned long where an int is narrower. */
struct type *build_word_type(const struct gen *g);
struct attr *build_attribute(struct gen *g, const char *name, const char *text);
struct node *build_int(struct gen *g, uint64_t v);
struct node *build_name(struct gen *g, const struct var *v);
struct node *build_address(struct gen *g, const struct var *v);
struct node *build_op(struct gen *g, enum op op, struct node *a, struct node *b);
struct node *build_at(struct gen *g, const struct var *v, struct node *i);
/* v[i + offset] */
struct node *build_element(struct gen *g, const struct var *v, const struct var *i, int64_t offset);
/* A string literal; the bytes must stay. */
struct node *build_string(struct gen *g, const char *bytes);
/* n, or +n: what was read of a union may not go into another member as it is (C11 6.5.16.1p3). */
struct node *build_value(struct gen *g, const struct type *to, struct node *n);
/* Statements. */
struct node *build_assign(struct gen *g, enum op op, struct node *to, struct node *value);
struct node *build_set(struct gen *g, const struct var *v, struct node *value);
struct node *build_if(struct gen *g, struct node *test, struct node *yes, struct node *no);
struct node *build_while(struct gen *g, struct node *test, struct node *body);
struct node *build_block(struct gen *g, struct node *const *statements, uint32_t n);
/* for (int v = first; v < limit; v++) body */
struct node *build_for(struct gen *g, const struct var *v, uint64_t first, struct node *limit,
                       struct node *body);
struct node *build_count(struct gen *g, const struct var *v, uint64_t n, struct node *body);
struct node *build_switch(struct gen *g, struct node *control, uint32_t room);
struct node *build_case(struct gen *g, struct node *sw, u128 low, u128 high, struct node *body);
struct node *build_default(struct gen *g, struct node *sw, struct node *body);
struct node *build_break(struct gen *g, struct node *target);
/* The builtin's declaration: one per program, as finding it takes a while. */
struct decl *build_builtin(struct gen *g, const char *name);
/* The library function, declared where it is used. */
struct decl *build_library(struct gen *g, const char *name);

#endif
