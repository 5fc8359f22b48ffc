/* What the files of shape share and nobody else sees. */
#ifndef GEN_SHAPE_PRIVATE_H
#define GEN_SHAPE_PRIVATE_H

#include "gen/shape/shape.h"

/* ---- array_body.c, array_function.c ------------------------------------------------------ */

/* A function on arrays, and what it takes: to, from, other, n, k. */
struct array_function {
    struct fn *fn;
    struct type *of[3]; /* of the elements */
    uint8_t cost;       /* steps per element */
    uint8_t least;      /* elements that it needs */
    bool exclusive;     /* restrict, or it writes to the second array too */
    bool gives;         /* a value */
    bool stride;        /* k is the step */
};

/* One that is being written: array_body.c appends to its body. */
struct loop {
    struct gen *g;
    struct rng *r;
    struct array_function *function;
    struct region scope;
    struct var *to, *from, *other, *n, *k, *i;
    struct type *word; /* what numbers are converted to, or NULL */
};

/* What policy.def says of a row of group array. */
enum traits { PLAIN = 0, SECOND = 1, GIVES = 2, QUADRATIC = 4, STRIDE = 8 };
typedef void loop_fn(struct loop *l);
struct array_body {
    loop_fn *write;
    uint8_t cost, least, traits;
};
extern const struct array_body shape_array_bodies[GEN_POLICY_COUNT];

/* The type of the value that it gives, if it gives one. */
struct type *shape_array_result(struct loop *l);

#endif
