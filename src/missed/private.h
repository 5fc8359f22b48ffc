/* Private to missed: arithmetic programs, and what is done with them. */
#ifndef MISSED_PRIVATE_H
#define MISSED_PRIVATE_H

#include "missed/missed.h"

#include "lang/lang.h"
#include "sys/sys.h"

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
    i128 low, high; /* between these in every execution that is defined, whatever others write; of
                       floating ones nothing is known: FLOATING_LOW, FLOATING_HIGH */
};
/* Hold 0 and more, so that neither truth nor falsehood follows from them. */
enum { FLOATING_LOW = -1, FLOATING_HIGH = 1 };

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
    struct variable
        *guard;       /* made only if this is at least (OP_GE) or at most (OP_LE) the bound; */
    uint8_t guard_op; /* NULL: always */
    i128 bound;
    bool silent[2]; /* no call of the marker above (or other), and below, follows: minimised
                       programs have few */
    bool as_value;  /* where its range is one value, one call if it is another, not above and below
                     */
    u128 expected;  /* what `to` holds behind it */
    i128 low, high; /* of `to` right behind it, where it is made */
};

struct arith {
    struct arena *a;
    struct program *types; /* knows the target; holds no tree */
    struct list variables, assignments;
};

/* Values, openness and ranges of everything.  False when some subexpression is undefined, or some
 * guard is not one: volatile, assigned behind it, false here, or with a bound beyond its type. */
bool arith_evaluate(struct arith *p);
/* One term, whose kids are evaluated. */
bool arith_evaluate_term(const struct arith *p, struct term *t);
/* The range of a term whose kids have theirs. */
void arith_set_range(const struct arith *p, struct term *t);
bool arith_is_floating(const struct arith *p, uint8_t type);
/* The value in another type; false when that is undefined. */
bool arith_convert(const struct arith *p, uint8_t from, uint8_t to, u128 bits, u128 *out);
/* The same, and false too when another value than before comes of it. */
bool arith_convert_exactly(const struct arith *p, uint8_t from, uint8_t to, u128 bits, u128 *out);
/* A floating value of a type that is floating. */
u128 arith_floating_bits(const struct arith *p, uint8_t type, long double value);
long double arith_floating(const struct arith *p, uint8_t type, u128 bits);
/* The extremes of a type, and a value of it as a number.  Of a floating type: FLOATING_LOW and
 * FLOATING_HIGH; it has no numbers. */
i128 arith_type_low(const struct arith *p, uint8_t type);
i128 arith_type_high(const struct arith *p, uint8_t type);
i128 arith_number(const struct arith *p, uint8_t type, u128 bits);
u128 arith_bits(const struct arith *p, uint8_t type, i128 number);
unsigned arith_operators(const struct arith *p);
/* Puts the variables in the order in which a reader meets them, what is read and then what is
 * assigned, with numbers from 0, and leaves out what is neither.  Each is assigned once.  follow.c
 */
void arith_number_anew(struct arith *p);
/* Of a variable. */
unsigned arith_highest_number(const struct arith *p);
/* Can it be told as one pattern: few operators, and few assignments? */
bool arith_is_small(const struct arith *p);

struct term *term_constant(struct arena *a, u128 bits, uint8_t type);
struct term *term_variable(struct arena *a, struct variable *v);
struct term *term_binary(struct arena *a, enum op op, struct term *left, struct term *right);

/* The value of an evaluated term, in the type that the term has anyway once it is used. */
struct term *arith_value_term(const struct arith *p, const struct term *t);

/* A program of its own, evaluated, with those of the assignments that are kept and what they read;
 * NULL when that is undefined.  Open is in it what is open in p, which is evaluated.  part.c */
struct arith *arith_part(struct arena *a, const struct arith *p, const bool *kept);
/* Does the term read an object that lives on and was assigned what follows from the program alone?
 */
bool arith_reads_known(const struct term *t);
/* Some of the assignments, and far before them those of such objects that they read; NULL when they
 * read none. */
struct arith *arith_far_part(struct arena *a, const struct arith *p, const bool *late);
/* Puts what lies far apart in such a part, copies of a volatile object, before assignment `at`. */
bool arith_add_distance(struct arith *p, size_t at);

/* ---- drawing ------------------------------------------------------------------------------ */

/* A program of about so many operators, evaluated: draw.c. */
struct arith *arith_draw(struct arena *a, struct program *types, const struct missed_shape *shape,
                         struct rng r);

/* ---- writing ------------------------------------------------------------------------------ */

/* How an evaluated program is written as C: write.c. */
struct arith_form {
    bool folded;          /* what is not open is a constant */
    bool dead;            /* no checks, but calls that no execution makes */
    bool live;            /* no checks, but calls that this execution makes */
    bool other_volatiles; /* volatile objects that are not const begin with other values */
    bool facts;           /* says what holds in every execution: const, and ranges of results */
    bool pointers;        /* computed by a function that is given pointers to what is written */
    bool restricted;      /* those are restrict */
    unsigned part;        /* not 0: the function is no main but ARITH_PART with this number, and so
                             end the names of its variables: many fit into one file */
};
#define ARITH_PART "part"
/* Names of the functions that markers call, each with the number of its assignment behind it. */
#define MARKER_LIVE  "live"  /* this execution calls it */
#define MARKER_ABOVE "above" /* no execution does: the value would be above its range */
#define MARKER_BELOW "below"
#define MARKER_OTHER \
    "other" /* the same, where the range is one value: the value would be another */
/* Those that no execution calls. */
enum { MARKER_DEAD_KINDS = 3 };
extern const char *const marker_dead_kinds[MARKER_DEAD_KINDS];
/* The name of the next function, from *at on, that begins so and is declared in the program; NULL:
 * no more. */
const char *marker_next(struct arena *a, const char **at, const char *kind);
/* The first marker of the program that no execution calls, and that one code calls and another does
 * not; NULL: none.  In the arena. */
const char *marker_kept(struct arena *a, const char *program, const char *kept,
                        const char *removed);
/* With other_volatiles: what a variable begins with then.  Of a local, a number of the same
 * encoding: one of VOLATILE_LEAST to VOLATILE_MOST. */
enum { VOLATILE_LEAST = 2, VOLATILE_MOST = 100 };
u128 arith_other_initial(const struct arith *p, const struct variable *v);
void arith_write(const struct arith *p, const struct arith_form *form, struct text *out);

/* ---- oracles ------------------------------------------------------------------------------ */

/* A worker's place, and who is under test there. */
struct bench {
    struct cc_lab *lab;
    const struct missed_compiler *own, *peer; /* peer: of the same target, or NULL */
    double threshold;
    double deadline; /* of sys_now: nothing is made smaller after it; 0: none */
    bool
        static_volatiles; /* oracle volatile: no automatic ones, so that all of the code is equal */
    const char *function; /* whose code is looked at */
    missed_watch_fn *watch; /* for the oracle access; or NULL */
    void *context;          /* of that */
    uint64_t compiles, refused;
    double compile_cpu;
    struct map known;   /* struct missed_code, by what was compiled by whom; while `kept` is set: */
    struct arena *kept; /* minimising asks again and again; NULL: nothing is remembered */
};

/* What was seen: two programs, or one under two compilers, and code of which the one at `worse` is
 * worse. */
struct sight {
    bool seen;
    unsigned worse; /* 0 or 1 */
    const char *texts[2];
    struct missed_code codes[2];
    const struct missed_compiler *by[2];
    double r;
    const char *marker; /* "" without one */
    const char *wrong;  /* of the oracle access: what is done instead; else "" */
};

/* Is the deadline over? */
bool bench_is_late(const struct bench *b);
/* Of a program that compiles; a compiler that refuses it, or fails, sees nothing. */
bool bench_compile(struct bench *b, const struct missed_compiler *by, const char *text,
                   struct arena *a, struct missed_code *code, struct err *e);
/* Is the function named in the code? */
bool code_mentions(const char *code, const char *name);
/* Line for line, but for the initial values of volatile locals and the others that they may have?
 */
bool code_is_same(const struct arith *p, const char *first, const char *second);
/* Makes a drawn program fit for the oracle; false when that cannot be. */
bool oracle_prepare(enum missed_oracle o, const struct bench *b, struct arith *p);
/* The two forms of which it compares how good the code of main is; NULL when it does other things.
 */
const struct arith_form *oracle_twins(enum missed_oracle o);
/* Asks about an evaluated program.  What is seen lives in the arena. */
bool oracle_look(enum missed_oracle o, struct bench *b, const struct arith *p, struct arena *a,
                 struct sight *out, struct err *e);

/* Cycles that llvm-mca gives 100 rounds of the code, as if nothing in it jumped; 0 where it is not
 * installed, or cannot read it.  mca.c */
bool mca_cycles(struct cc_lab *lab, const struct missed_compiler *by, const char *code,
                struct arena *a, double *cycles, struct err *e);

/* Instructions of its own that the program, compiled and run, executes; 0 where that cannot be
 * counted: on other machines than x86-64, and where something is undefined to the linker.
 * oracle.c */
bool bench_count_steps(struct bench *b, const struct missed_compiler *by, const char *text,
                       struct arena *a, uint64_t *steps, struct err *e);

/* Of what was seen.  opinion.c */
bool sight_ask_opinions(struct bench *b, const struct sight *s, struct arena *a,
                        struct missed_opinions *out, struct err *e);

/* ---- minimising --------------------------------------------------------------------------- */

/* Does the program, which is evaluated, still show it? */
typedef bool arith_keep_fn(void *context, const struct arith *p, bool *holds, struct err *e);
/* Is nothing to be tried any more? */
typedef bool arith_over_fn(void *context);
/* Needs: keep holds of p.  Leaves a program of which it holds, and of no smaller one that was
 * tried; ends early when we are to stop, or `over` says so; over may be NULL. */
bool arith_minimise(struct arith *p, arith_keep_fn *keep, arith_over_fn *over, void *context,
                    struct err *e);

/* The same for what an oracle saw of p, with no more than `most` compilations.  Which side is the
 * worse one may change on the way.  out is what is seen of what is left.  follow.c */
bool sight_minimise(enum missed_oracle oracle, struct bench *b, struct arith *p, unsigned most,
                    struct arena *a, struct sight *out, struct err *e);

/* Makes p one of its own assignments, with what that needs, if one is found that shows the sight;
 * all of them are compiled at once, as functions of one file.  Of oracles that are not asked so
 * everything counts as located.  Leaves p evaluated.  locate.c */
bool sight_locate(enum missed_oracle oracle, struct bench *b, struct arith *p, bool *located,
                  struct err *e);

/* What was not seen, on one line: the assignments that get the worse code; of a pair, the same in
 * the form that gets the better; what their variables are; and what is known of results or, with a
 * marker, what that says: "t2 = x0 / x1: the same as t2 = 0 / x1 with x0 = 0, volatile x1; t2 is
 * 0".
 */
const char *arith_identity(struct arena *a, const struct arith *p, enum missed_oracle oracle,
                           const struct sight *s);
/* Assignments with names and numbers normalised; in the arena. */
const char *arith_pattern(struct arena *a, const struct arith *p);

/* ---- folders ------------------------------------------------------------------------------ */

/* Everything that a finding's folder shows. */
struct evidence {
    struct missed_finding finding;
    struct sight sight;
    struct missed_witness best; /* by NULL: nobody does better */
};
bool folder_write_finding(const char *dir, const struct evidence *v, struct err *e);
/* The number of the next program; the option's seed when the folder is new. */
bool folder_read_state(const char *dir, uint64_t *next, struct err *e);
bool folder_write_state(const char *dir, uint64_t next, struct err *e);

#endif
