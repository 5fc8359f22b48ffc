/* What the files of make share and nobody else sees. */
#ifndef GEN_MAKE_PRIVATE_H
#define GEN_MAKE_PRIVATE_H

#include "gen/make/make.h"

/* ---- expr.c: the rows of group expr ------------------------------------------------------ */

typedef struct made expr_fn(struct gen *g, struct ctx *c);
#define EXPR(name, ...) expr_fn make_expr_##name;
#include "gen/policy.def"

/* ---- lvalue.c --------------------------------------------------------------------------- */

struct lval make_lvalue_of_var(struct gen *g, struct ctx *c, struct var *v, enum want want,
                               unsigned kinds);
/* On to a number, by members, elements and pointers; none when there is no such way. */
struct lval make_lvalue_descend(struct gen *g, struct ctx *c, struct lval l, enum want want,
                                unsigned kinds);
/* One step further: an element, a member, what a pointer points to; false when there is none. */
bool make_lvalue_element(struct gen *g, struct ctx *c, struct lval *l);
bool make_lvalue_member(struct gen *g, struct rng *r, struct lval *l);
bool make_lvalue_follow(struct gen *g, struct ctx *c, struct lval *l, enum want want);
/* A scalar by name that may be written inside of an expression. */
struct lval make_lvalue_private(struct gen *g, struct ctx *c);
bool make_full_may_read(const struct full *f, const struct decl *d);
bool make_full_may_write(const struct full *f, const struct decl *d);
bool make_full_names(const struct full *f, const struct decl *d);
void make_full_reads(struct full *f, const struct decl *d);
void make_full_writes(struct full *f, const struct var *v);

/* ---- call.c, function.c ----------------------------------------------------------------- */

/* f(n, ...) that folds its arguments, and a call of it. */
struct made make_call_variadic(struct gen *g, struct ctx *c);
struct made make_call(struct gen *g, struct ctx *c, bool wants_value);
/* What may stand in the arguments of a call, in this context: nothing that the one could disturb
 * for the other. */
struct ctx make_call_beside(const struct ctx *c, const struct fn *fn);
/* May another function be made? */
bool make_fn_room(const struct gen *g);
/* A function of the same type, which may do other things. */
struct fn *make_fn_twin(struct gen *g, const struct fn *of);
/* One that this one recurses through. */
struct fn *make_fn_partner(struct gen *g, struct fn *fn);
/* T l = m; of a value that has just been computed.  Always true. */
bool make_keep_local(struct gen *g, struct region *r, struct made m);
/* A structure by name, or a literal: not to be assigned to. */
struct made make_expr_record_value(struct gen *g, struct ctx *c, struct type *t);

/* ---- pointer.c, literal.c, vector.c ------------------------------------------------------ */

bool make_pointer_local(struct gen *g, struct region *r);
/* The address of an element or member of this type in some global; c is NULL where only
 * constants may stand.  n is NULL when none was found. */
struct made make_pointer_inside(struct gen *g, struct ctx *c, struct rng *r, struct type *base);
struct made make_literal_pointer(struct gen *g, struct ctx *c, struct type *base);
struct made make_literal_record(struct gen *g, struct ctx *c, struct type *t);
struct node *make_designated_member(struct gen *g, const struct field *f, struct node *value);
struct node *make_designated_elements(struct gen *g, uint64_t first, uint64_t last,
                                      struct node *value);
/* passed: how larger ones are passed depends on the processor; and clang 19 and 22 then have ASan
 * complain of a copy that they made themselves. */
struct type *make_vector_type(struct gen *g, struct rng *r, bool passed);
struct made make_vector_value(struct gen *g, struct ctx *c, struct type *t);
/* A vector (of this type, if it is given) that may be assigned to, or NULL. */
struct var *make_vector_target(struct gen *g, struct ctx *c, struct type *t);
bool make_vector_local(struct gen *g, struct region *r);

/* ---- observe.c -------------------------------------------------------------------------- */

/* Is what is computed here to be made part of the output, by statements? */
bool make_observes(const struct gen *g, const struct region *r);
/* Attaches a statement and executes it. */
void make_attach_now(struct gen *g, struct region *r, struct node *n);
/* Attaches a statement that shows a number that has just been computed; false where it cannot. */
bool make_observe_result(struct gen *g, struct region *r, struct made m);
/* The same for a number that the statement which is being made is about to overwrite: not where a
 * call in it may have written to it, or to the checksum. */
void make_show_now(struct gen *g, struct ctx *c, struct lval l);
/* At the end of the region's block: attaches, executes and charges what shows its locals. */
void make_observe_scope(struct gen *g, struct region *r);
/* The same before a statement that may leave the function, for some of its locals. */
void make_observe_leaving(struct gen *g, struct region *r);
/* The tally, and back to it: for who makes what execution then walks into, so that the calls in it
 * count once. */
struct val make_tally_now(struct gen *g);
void make_tally_back(struct gen *g, struct val v);
/* (m * 3 + a) * 3 + b in unsigned, of the locals of a function that may not write to globals. */
struct made make_observe_return(struct gen *g, struct ctx *c, struct made m);
/* An operator of the context, and one that is also in the set (1 << op); OP_COUNT when the context
 * keeps to none of them. */
enum op make_pick_op_of(struct gen *g, struct rng *r, uint16_t context, uint64_t among);
enum op make_pick_op(struct gen *g, struct rng *r, uint16_t context);
/* Are both the same variable? */
bool make_is_same(const struct node *a, const struct node *b);
/* The operator on two made operands, repaired. */
struct made make_combine(struct gen *g, struct ctx *c, enum op op, struct made a, struct made b);

/* ---- stmt.c, loop.c, jump.c ------------------------------------------------------------- */

/* Attaches what has been executed. */
bool make_stmt_done(struct gen *g, struct region *r, struct node *n);
/* Runs the node, then the block goes on after what is attached now. */
bool make_run_now(struct gen *g, struct region *r, struct node *n);
/* How often a loop that begins here goes round. */
uint32_t make_trips(const struct gen *g, struct region *r);
struct label *make_label(struct gen *g, struct region *r, struct node *statement);
struct node *make_body(struct gen *g, struct region *r, struct node *loop, struct var *counter,
                       uint32_t trips);
/* A counter that is set before: int n = trips; */
struct var *make_declared_counter(struct gen *g, struct region *r, uint32_t trips);
/* n-- > 0, and perhaps something more. */
struct node *make_countdown(struct gen *g, struct region *r, struct node *counter, enum op op);

/* ---- registers.c ------------------------------------------------------------------------- */

/* Now and then (share.registers) attaches and executes some accesses to volatile objects. */
void make_registers(struct gen *g, struct region *r);

#endif
