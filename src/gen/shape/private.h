/* What the files of shape share and nobody else sees. */
#ifndef GEN_SHAPE_PRIVATE_H
#define GEN_SHAPE_PRIVATE_H

#include "gen/shape/shape.h"
#include "gen/make/make.h"

/* ---- idiom.c ---------------------------------------------------------------------------- */

/* A new local, T l = (T)value; a number that has one may be named from here on. */
struct var *shape_kept(struct gen *g, struct region *r, struct type *t, struct node *value);

/* ---- lanes.c ---------------------------------------------------------------------------- */

/* Vectors of floating lanes, as an idiom. */
bool shape_float_lanes(struct gen *g, struct region *r);

/* ---- complex.c, nested.c ----------------------------------------------------------------- */

/* Complex numbers, as an idiom. */
bool shape_complex(struct gen *g, struct region *r);
/* A nested function and calls of it, in the region of a block; what they compute goes to place. */
void shape_nested(struct gen *g, struct region *r, struct node *place);

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

/* ---- form_pieces.c, form.c, form_value.c, form_real.c, form_nest.c, independent.c ---------- */

/* A loop that is being written: for (i = first; i < limit; i += step). */
struct form {
    struct gen *g;
    struct region *r;
    struct counter i;
    uint64_t first, limit, step;
    struct var *a, *b, *c; /* arrays of integers; a is not c */
    bool real;             /* floating numbers are carried from turn to turn */
};

/* Writes the loop, charged; false when nothing was attached. */
typedef bool form_fn(struct form *f);
#define FORM(name, ...) form_fn form_##name;
#include "gen/policy.def"

/* Three arrays, and a limit within all of them and what may be spent, where a turn takes so many
 * steps.  False: too little is left. */
bool form_prepare(struct form *f, uint64_t steps);
/* An array of so many integers at least, not the one given: often a new one. */
struct var *form_array(struct form *f, uint64_t least, const struct var *except);
/* The number of turns that may still be afforded, where one takes so many steps; LONGEST_FORM at
 * most. */
uint64_t form_turns(const struct form *f, uint64_t steps);
enum { LONGEST_FORM = 100 };
/* v[times * i + offset] */
struct node *form_element(struct form *f, const struct var *v, uint64_t times, int64_t offset);
struct node *form_counter(struct form *f);
/* A deep expression of mixed widths, out of elements of the arrays that are there at i, what does
 * not change, the counter and constants. */
struct node *form_value(struct form *f, unsigned depth);
/* The same for an operand of + - * that does not overflow: mostly unsigned. */
struct node *form_wraps(struct form *f, struct node *n);
struct node *form_test(struct form *f);
/* Attaches the loop around the body, in one of its ways; charges steps for each turn.  f->i must
 * not be used any more. */
void form_put(struct form *f, struct node *body, uint64_t steps);
/* Does no turn of the loop need what another one stores? */
bool form_is_independent(const struct form *f, const struct node *test, const struct node *body);
/* A local of the block, set now; named below. */
struct var *form_local(struct form *f, struct type *t, struct node *init);

#endif
