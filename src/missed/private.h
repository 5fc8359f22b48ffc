/* Private to missed: arithmetic programs, and what is done with them. */
#ifndef MISSED_PRIVATE_H
#define MISSED_PRIVATE_H

#include "missed/missed.h"

#include "lang/lang.h"

/* ---- arithmetic programs ------------------------------------------------------------------ */

/* A main that assigns arithmetic expressions to variables, each once, and then compares each with
 * the value that it must have.  Every subexpression is defined, whether C evaluates it or not. */

enum term_kind { TERM_CONSTANT, TERM_VARIABLE, TERM_CAST, TERM_BINARY };

struct term {
    uint8_t kind;              /* enum term_kind */
    uint8_t op;                /* BINARY: enum op */
    uint8_t type;              /* CONSTANT, CAST: enum type_kind */
    struct variable *variable; /* VARIABLE */
    struct term *kid[2];       /* CAST has the first */
    /* of a CONSTANT always, of others after arith_evaluate: */
    u128 bits;      /* its value, of the type that `as` says */
    uint8_t as;     /* enum type_kind */
    bool open;      /* depends on what others may write: no constant takes its place */
    i128 low, high; /* between these in every execution that is defined, whatever others write */
};

struct variable {
    unsigned number;
    uint8_t type;  /* enum type_kind */
    uint8_t quals; /* QUAL_CONST, QUAL_VOLATILE */
    bool global, is_static;
    u128 initial;
    /* set by arith_evaluate */
    bool assigned, known; /* known: what it holds now follows from the program alone */
    u128 now;
    i128 low, high;
};

struct assignment {
    struct variable *to;
    struct term *value;
    u128 expected;  /* what `to` holds behind it */
    i128 low, high; /* as of a term, after the conversion to its type */
    bool open;
};

struct arith {
    struct arena *a;
    struct program *types; /* knows the target; holds no tree */
    struct list variables, assignments;
};

/* Values, openness and ranges of everything.  False when some subexpression is undefined. */
bool arith_evaluate(struct arith *p);
/* One term, whose kids are evaluated. */
bool arith_evaluate_term(const struct arith *p, struct term *t);
/* The range of a term whose kids have theirs. */
void arith_set_range(const struct arith *p, struct term *t);
/* The extremes of a type, and a value of it as a number. */
i128 arith_type_low(const struct arith *p, uint8_t type);
i128 arith_type_high(const struct arith *p, uint8_t type);
i128 arith_number(const struct arith *p, uint8_t type, u128 bits);
u128 arith_bits(const struct arith *p, uint8_t type, i128 number);
unsigned arith_operators(const struct arith *p);

struct term *term_constant(struct arena *a, u128 bits, uint8_t type);
struct term *term_variable(struct arena *a, struct variable *v);
struct term *term_binary(struct arena *a, enum op op, struct term *left, struct term *right);

/* ---- drawing ------------------------------------------------------------------------------ */

/* A program of about so many operators, evaluated: draw.c. */
struct arith *arith_draw(struct arena *a, struct program *types, const struct missed_shape *shape,
                         struct rng r);

/* ---- writing ------------------------------------------------------------------------------ */

/* How an evaluated program is written as C: write.c. */
struct arith_form {
    bool folded;  /* what is not open is a constant */
    bool markers; /* calls in places that no execution reaches, and some that this one does */
};
/* Names of the functions that markers call, each with the number of its assignment behind it. */
#define MARKER_LIVE  "live"  /* this execution calls it */
#define MARKER_ABOVE "above" /* no execution does: the value would be above its range */
#define MARKER_BELOW "below"
void arith_write(const struct arith *p, const struct arith_form *form, struct text *out);

#endif
