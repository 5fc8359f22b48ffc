/* What the files of safe share and nobody else sees. */
#ifndef GEN_SAFE_PRIVATE_H
#define GEN_SAFE_PRIVATE_H

#include "gen/safe/safe.h"

/* ---- unsafe.c --------------------------------------------------------------------------- */

typedef struct node *unsafe_fn(struct gen *g, struct node *a, struct node *b, struct type *t);
typedef struct node *wrap_fn(struct gen *g, enum op op, struct node *a, struct node *b,
                             struct type *t);

/* guards.def; rows of operators that never fault are empty. */
struct safe_row {
    const char *name;
    unsafe_fn *unsafe;
    wrap_fn *wrap;
};
extern const struct safe_row safe_rows[OP_COUNT];

struct node *safe_constant(struct gen *g, u128 v, struct type *t);
/* a op v, of a copy of a */
struct node *safe_compare(struct gen *g, enum op op, struct node *a, u128 v, struct type *t);
struct node *safe_both(struct gen *g, struct node *a, struct node *b);
struct type *safe_unsigned_of(struct gen *g, struct type *t);
/* unsafe ? a : a op b */
struct node *safe_checked(struct gen *g, enum op op, struct node *a, struct node *b,
                          struct type *t);

/* ---- guard_function.c ------------------------------------------------------------------- */

enum { KEY_INT = OP_COUNT, KEY_NUMBER, KEY_NONZERO, KEY_NOT_LEAST };
typedef struct node *value_fn(struct gen *g, struct node *a, struct type *t);

/* static T safe_add(T a, U b) { return unsafe ? a : a + b; } */
struct fn *safe_operator_function(struct gen *g, enum op op, struct type *t, struct type *u);
/* static T safe_name(U a) { return build(a); } called on the node. */
struct node *safe_through(struct gen *g, struct node *a, struct type *t, unsigned key,
                          value_fn *build);

/* ---- macro.c ---------------------------------------------------------------------------- */

/* ({ T x = a; U y = b; unsafe ? x : x op y; }) */
struct node *safe_block(struct gen *g, enum op op, struct node *a, struct node *b, struct type *t);
/* NULL where no macro will do. */
struct node *safe_macro(struct gen *g, enum op op, struct node *a, struct node *b, struct type *t);

#endif
