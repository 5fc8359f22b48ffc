/* make: types, globals, expressions, statements and functions, made as execution reaches them.
 *
 * An expression is made from operands whose values are known, and repaired where it would be
 * undefined: making it is its first execution, effects included (unless ctx.dead).  A simple
 * statement is made the same way.  Of loops, choices and jumps the header is made, without side
 * effects, and attached; execution then walks into it, and its bodies are blocks that are still
 * open.  So a block may grow while a call of the same function is running.
 *
 * Consumes random numbers of the region that it works in, in the order of its statements.  Charges
 * what it attaches to the function's bound. */
#ifndef GEN_MAKE_MAKE_H
#define GEN_MAKE_MAKE_H

#include "gen/state.h"

/* ---- types.c ---------------------------------------------------------------------------- */

void make_types_start(struct gen *g);
struct type *make_type_integer(struct gen *g, struct rng *r);
/* One of these: mostly as the weights of the types say, else any, so that widths are mixed. */
struct type *make_type_among(struct gen *g, struct rng *r, const uint8_t *kinds, size_t n);
struct type *make_type_real(struct gen *g, struct rng *r);
/* union { double m0; unsigned long long m1; }: not to be chosen. */
struct type *make_real_union(struct gen *g);
/* union { unsigned long long m0; unsigned char m1[8]; unsigned short m2[4]; unsigned m3[2]; }: not
 * to be chosen. */
struct type *make_bytes_union(struct gen *g);
/* struct list { T m0; struct list *m1; } and struct flexible { unsigned m0; T m1[]; }, T being some
 * unsigned type: not to be chosen. */
struct type *make_list_type(struct gen *g);
struct type *make_flexible_type(struct gen *g);

/* ---- globals.c -------------------------------------------------------------------------- */

void make_globals_start(struct gen *g);
struct var *make_global_new(struct gen *g, struct type *type);
/* One that is not to be chosen at random.  A given initialiser is not stored: the object is zero;
 * without one, a random one is made and stored. */
struct var *make_global_declare(struct gen *g, struct type *t, struct rng *r, struct node *init);
/* An array of numbers or of structures without pointers, filled by a loop at the start of main; may
 * be chosen at random. */
struct var *make_global_filled(struct gen *g, struct type *type);
/* A global of exactly this type (unqualified), whose address may be taken. */
struct var *make_global_of_type(struct gen *g, struct type *type);
/* A constant initialiser for the type, which is also stored at the spot when object is given. */
struct node *make_initialiser(struct gen *g, struct rng *r, struct type *t, struct object *o,
                              uint64_t at);

/* ---- constants.c ------------------------------------------------------------------------ */

struct made make_constant_int(struct gen *g, const struct ctx *c, struct type *t);
struct made make_constant_real(struct gen *g, struct rng *r, struct type *t);
u128 make_constant_bits(struct gen *g, struct rng *r, struct type *t);

/* ---- expr.c, real.c --------------------------------------------------------------------- */

/* A deeper context; a fresh one for a full expression; one in which nothing has side effects. */
struct ctx make_ctx_below(const struct ctx *c);
struct ctx make_ctx_start(struct gen *g, struct region *r);
struct ctx make_pure(struct gen *g, struct region *r, uint8_t depth);

/* One of these operators that the context keeps to; any of them where it keeps to none.  What is
 * no arithmetic, as a comparison, belongs to every context. */
enum op make_op_among(struct rng *r, uint16_t context, const uint8_t *ops, size_t n);
/* Does the context have this operator? */
bool make_keeps_op(uint16_t context, enum op op);
/* Does the program keep to contexts everywhere (context.mixed is 0)?  Then what brings operators of
 * its own is left out. */
bool make_is_strict(const struct gen *g);
/* The context of a new function that its maker writes at once. */
uint16_t make_context(const struct gen *g, const struct rng *r);

struct made make_expr_int(struct gen *g, struct ctx *c);
struct made make_expr_real(struct gen *g, struct ctx *c, struct type *t);
/* An arithmetic value, converted to exactly this type. */
struct made make_expr_of_type(struct gen *g, struct ctx *c, struct type *t);
struct made make_expr_condition(struct gen *g, struct ctx *c);
/* An integer that compilers do not know, where there is a variable at all. */
struct made make_expr_varying(struct gen *g, struct ctx *c);
struct made make_expr_convert(struct gen *g, struct made m, struct type *t);
/* Where an expression of the type will be made if execution comes. */
struct node *make_hole(struct gen *g, const struct ctx *c, struct type *t);
void make_fill_hole(struct gen *g, struct node **slot, struct val *v); /* gen_hooks.fill */

/* ---- lvalue.c --------------------------------------------------------------------------- */

struct lval {
    struct node *n; /* NULL: none was found */
    struct spot s;
    struct var *var;
};
/* WANT_VALUE: it will be read by make_lvalue_read; WANT_READ: it will stand where any value may. */
enum want { WANT_READ, WANT_VALUE, WANT_WRITE, WANT_BOTH, WANT_ADDRESS };
enum kinds { KIND_INT = 1, KIND_REAL = 2 };
struct lval make_lvalue_pick(struct gen *g, struct ctx *c, enum want want, unsigned kinds);
struct lval make_lvalue_name(struct gen *g, struct var *v);
struct made make_lvalue_read(struct gen *g, struct lval l);
/* l op= right, and l++, executed. */
struct made make_assign(struct gen *g, struct ctx *c, struct lval l, enum op op, struct made right);
struct made make_step(struct gen *g, struct ctx *c, struct lval l, enum op op);

/* ---- call.c, function.c ----------------------------------------------------------------- */

enum {
    MAX_PARAMS = 5,
    MAX_REST = 4,
    MAX_DEPTH = 12,
    MAX_RECURSION = 4,
    LEAST_ALLOWANCE = 30,
    MOST_ALLOWANCE = 2000
};

/* A structure or union of the type, by name; n is NULL when none may be named here. */
struct made make_expr_record(struct gen *g, struct ctx *c, struct type *t);
/* A new function that is not called yet: its body is made by its first call.  wants_value: its
 * result will stand in an expression. */
struct fn *make_fn_new(struct gen *g, struct ctx *c, uint8_t class, bool wants_value);
/* Names and decorates a function whose body is still to come: one that its maker calls, and one
 * that is listed, to be called at random. */
void make_fn_name(struct gen *g, struct fn *fn, struct type *t, struct decl **params,
                  struct rng *r);
void make_fn_define(struct gen *g, struct fn *fn, struct type *t, struct decl **params,
                    struct rng *r);
/* The program is written: takes pure from functions that access volatile objects, which gcc's
 * manual (6.33) does not allow them. */
void make_fn_keep_promises(struct gen *g);

/* ---- pointer.c, literal.c, vector.c ------------------------------------------------------ */

/* The address of something of exactly this type, never null. */
struct made make_expr_address(struct gen *g, struct ctx *c, struct type *t);
/* The same, or a copy of another pointer; anywhere: locals too. */
struct made make_expr_pointer(struct gen *g, struct ctx *c, struct type *t, bool anywhere);

/* ---- stmt.c, loop.c, jump.c ------------------------------------------------------------- */

/* Makes the next statement of the region, appended to its block before it runs: gen_hooks.next. */
enum flow make_stmt_next(struct gen *g, struct region *r);
/* The same for a block that never runs: appended only. */
void make_stmt_dead(struct gen *g, struct region *r);
struct region *make_region(struct gen *g, struct region *outer, uint32_t left);
struct node *make_block(struct gen *g, struct region *outer, struct region **inner);
struct var *make_local(struct gen *g, struct region *r, struct type *t, const char *name);
struct node *make_attach(struct gen *g, struct region *r, struct node *n);
/* What was attached from here on runs when the block goes on.  Always true, as the makers that
 * end with it. */
bool make_walk_from(struct region *r, uint32_t at);
/* Attaches the expression as a statement that is still to run. */
bool make_walk_expr(struct gen *g, struct region *r, struct node *n);
/* Charges so many steps, each time that execution comes here, to the function's bound. */
void make_charge(struct region *r, uint64_t steps);
/* Steps that a statement here may take; how often a loop that begins here may go round. */
uint64_t make_spare(const struct region *r);
uint32_t make_trips_allowed(const struct gen *g, const struct region *r);

/* What is known of a loop.  Whoever tells clang to vectorise one lets it add floating numbers up in
 * another order, so only integers may be carried from turn to turn then.  LOOP_INDEPENDENT: no turn
 * reads or writes memory that another one writes. */
enum loop_trait { LOOP_INTEGERS = 1, LOOP_INDEPENDENT = 2 };
/* Attaches a pragma for the loop that is attached next, or nothing (share.pragma). */
void make_pragma(struct gen *g, struct region *r, unsigned traits);

/* ---- counter.c -------------------------------------------------------------------------- */

/* An integer lvalue that only its loop writes. */
struct counter {
    struct node *place;
    struct type *type;
    int64_t most;    /* that it may hold, COUNTER_MOST at most */
    struct var *var; /* one that the for statement is to declare, else NULL */
};
enum { COUNTER_MOST = 30000 };
/* A new one (group counter); attaches what must be declared before the loop. */
struct counter make_counter_place(struct gen *g, struct region *r);
struct node *make_counter_name(struct gen *g, const struct counter *c);
/* A statement that gives it its first value: also as the first part of a for. */
struct node *make_counter_start(struct gen *g, const struct counter *c, struct node *value);

/* ---- atomic.c --------------------------------------------------------------------------- */

/* Are objects of so many bytes atomic without a library? */
bool make_is_atomic_size(const struct gen *g, uint64_t size);

/* ---- observe.c -------------------------------------------------------------------------- */

/* Adds mix(x) to the block, for every number in the object that the node designates.  Not executed.
 */
void make_sum(struct gen *g, struct region *r, struct node *block, struct node *n);
/* Attaches what shows a place that is about to be overwritten, to be walked into; where values are
 * to show at all. */
void make_show(struct gen *g, struct region *r, const struct node *place);
/* to ^= value and the like, where values are to show: what was there before is not lost; else
 * to = value.  make_keep: now and then to = value all the same, as a store that reads nothing is
 * what some optimisations look for. */
struct node *make_merge(struct gen *g, struct rng *r, struct node *to, struct node *value);
struct node *make_keep(struct gen *g, struct rng *r, struct node *to, struct node *value);

/* ---- place.c ---------------------------------------------------------------------------- */

/* An int that only its loop writes. */
struct var *make_counter(struct gen *g, struct region *r);
/* A scalar by name that nothing points to, or NULL. */
struct var *make_plain_local(struct gen *g, struct region *r);
/* Where a result may go: an integer lvalue without side effects, or NULL.  It is one that others
 * see where that is allowed: optimisers throw away what nobody reads. */
struct node *make_place(struct gen *g, struct region *r);
/* place ^= value; which keeps alive what was there before; or place = value; */
void make_result(struct gen *g, struct region *r, struct node *place, struct node *value);
/* The globals that a search looks at: all, or so many that its cost stays the same however many
 * there are. */
struct window {
    size_t first, end;
};
struct window make_globals_window(const struct gen *g, struct rng *r);
typedef bool var_test(struct gen *g, const struct var *v, const struct type *like);
struct var *make_pick_global(struct gen *g, struct rng *r, var_test *test, const struct type *like);
bool make_is_plain(const struct var *v);
bool make_is_like(struct gen *g, const struct var *v, const struct type *like);

/* ---- the rows of group stmt that policy.def gives to make -------------------------------- */

#define STMT(stage, name, ...) DECLARE_##stage(name)
#define DECLARE_make(name)     stmt_fn make_stmt_##name;
#define DECLARE_shape(name)
#include "gen/policy.def"
#undef DECLARE_make
#undef DECLARE_shape

#endif
