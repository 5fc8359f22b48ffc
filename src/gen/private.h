/* What the files of gen share and nobody else sees. */
#ifndef GEN_PRIVATE_H
#define GEN_PRIVATE_H

#include "gen/gen.h"

/* ---- memory: memory.c ------------------------------------------------------------------- */

struct object;

/* Where a pointer points: an object (NULL: the null pointer) and a byte offset. */
struct link {
    struct object *to;
    int64_t at;
};

/* An object of the running program, or a function that is pointed to. */
struct object {
    struct type *type; /* canonical */
    struct decl *decl;
    struct fn *fn;             /* a function */
    const struct label *label; /* a label's address */
    uint32_t size;
    uint8_t *bytes;
    uint8_t *ready;     /* per byte: is it initialised? */
    struct link *links; /* per word of a pointer's size; NULL when no pointers are inside */
};

/* A value: bits of an arithmetic type as lang has them; a pointer; or, for structures, unions and
 * vectors, the place that holds it. */
struct val {
    u128 bits;
    struct link link;
};

/* What an lvalue designates. */
struct spot {
    struct object *object;
    uint64_t at;
    struct type *type;   /* canonical, with qualifiers */
    struct field *field; /* of a bit-field, else NULL */
};

struct gen;

struct object *mem_new(struct gen *g, struct type *type, struct decl *decl);
void mem_zero(struct object *o);  /* all bytes 0, initialised, pointers null */
void mem_clear(struct object *o); /* a new lifetime: nothing is initialised */
bool mem_ready(const struct gen *g, const struct spot *s);
void mem_load(const struct gen *g, const struct spot *s, struct val *v);
void mem_store(const struct gen *g, const struct spot *s, const struct val *v);
/* size bytes, with pointers; the ranges may be the same but not overlap otherwise. */
void mem_copy(const struct gen *g, struct object *to, uint64_t at, const struct object *from,
              uint64_t from_at, uint64_t size);
/* A fresh object that holds a copy of the aggregate at the spot. */
struct object *mem_snapshot(struct gen *g, const struct object *o, uint64_t at, struct type *type);
/* Is the byte range inside the object? */
bool mem_inside(const struct object *o, int64_t at, uint64_t size);

/* ---- what is known about names ---------------------------------------------------------- */

enum use { USE_MIXED, USE_INPUT, USE_OUTPUT };

/* A variable that code may name. */
struct var {
    struct decl *decl;
    struct type *type; /* canonical, with qualifiers */
    struct var *outer; /* the next one further out, in a scope */
    uint32_t count;    /* how many there are from here outwards */
    uint8_t use;       /* enum use */
    bool global;
    bool locked;     /* a loop's counter, while it runs: not to be written by others */
    bool no_address; /* written inside expressions: nothing may point to it */
    bool anywhere;   /* a pointer that may point to locals further out */
    bool secret;     /* not to be chosen at random */
    struct var *row; /* of a pointer: the array that it stays in */
};

enum class { CLASS_LOCAL, CLASS_READS, CLASS_FULL, CLASS_NONE };

struct fn {
    struct decl *decl;
    struct function *function;
    struct object *object;
    struct list vars;   /* struct var: every local and parameter, for recursion */
    uint8_t class;      /* enum class */
    struct type **rest; /* what it takes behind its parameters */
    uint32_t rest_count;
    bool recursive; /* its first parameter bounds the depth */
    bool recursed;
    bool number;        /* the guard that takes anything, and gives a number */
    uint32_t active;    /* calls that are running */
    uint64_t allowance; /* steps that a call may take at most, whatever way it goes */
    uint64_t bound; /* steps that it can take so far: every statement as often as its loops go */
    struct var *pointer; /* a global that points to it, or a table of it and its twin */
    struct fn *twin;     /* of the same type */
    struct fn *partner;  /* the one that it recurses through */
};

struct about {
    struct object *object;
    struct fn *fn;
    struct var *var;
};

/* ---- code that is being written --------------------------------------------------------- */

/* What one full expression does, so that nothing in it depends on the order of evaluation.  Only
 * scalars by name that nothing points to are written inside of expressions. */
struct full {
    const struct decl *read[24], *written[8];
    uint8_t reads, writes;
    bool writes_global, many; /* many: the list of reads was too short */
    uint8_t called;           /* bits: 1 << enum class */
};

/* A block that is being filled. */
struct region {
    struct fn *fn;
    struct node *block;
    struct node *loop, *exit; /* what continue and break leave, or NULL */
    struct var *vars;         /* innermost first */
    struct rng rng;
    uint32_t left; /* statements still to come */
    uint8_t nesting;
    uint8_t context; /* GEN_context_..., for its expressions */
    bool open;
    bool dead;
    bool assumed;    /* unreachable, if execution never comes */
    uint8_t end;     /* how it ends: NODE_RETURN, NODE_BREAK, NODE_CONTINUE or 0 */
    uint64_t weight; /* how often a call may come by: trips of the loops around */
    uint32_t resume; /* where execution goes on behind what stmt_next made */
    bool resumes;    /* resume was set by the maker */
};

/* How expressions are made at some place. */
struct ctx {
    struct region *region;
    struct var *vars;
    struct full *full;
    uint8_t calls;   /* bits of classes that may be called */
    uint8_t context; /* GEN_context_... */
    uint8_t leaf;    /* GEN_leaf_... */
    uint8_t depth;   /* levels that may follow */
    uint8_t inside;  /* subscripts around */
    bool pure;       /* no side effects */
    bool quiet;      /* locals that nothing points to, and constants, only */
    bool dead;       /* will never run */
};

struct made {
    struct node *n; /* NULL: could not be made */
    struct val v;
};

/* What a flagged INT or FLOAT node stands for until execution comes by. */
struct hole {
    struct value value; /* first, as the node's u.value points here */
    struct ctx ctx;
    struct type *type;
    uint32_t id;
};

enum { NODE_HOLE = 0x4000 };

enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_GOTO };

/* Variable arguments of the running call. */
struct rest {
    const struct val *args;
    uint32_t count;
};

struct gen {
    struct program *p;
    struct arena arena;
    const struct gen_options *o;
    struct gen_policy_set policy;
    uint32_t sums[GEN_POLICY_COUNT];              /* of each group, at its first row */
    uint8_t width[TYPE_COUNT], bytes[TYPE_COUNT]; /* of basic types */
    bool sign[TYPE_COUNT];
    uint32_t pointer_size;
    struct rng rng, constants;
    struct about *about; /* by decl id */
    uint32_t about_room;
    struct list globals;                /* struct var, those that may be chosen */
    struct list all_globals;            /* struct var, for the checksum */
    struct list types;                  /* struct node: DECLs of structures, unions and enums */
    struct list early;                  /* struct node: DECLs of globals */
    struct list functions;              /* struct fn */
    struct list records, unions, enums; /* struct type */
    struct type *bytes_union;           /* types_bytes_union, once it is used */
    struct list regions;                /* struct region: every block, for the dead ones */
    struct list holes;                  /* struct node **: where an expression is missing */
    struct list guards;                 /* struct guard_function */
    struct list macros;                 /* struct macro */
    struct list macro_uses;             /* struct macro_use */
    struct list pool;                   /* struct node: expressions to reuse */
    uint32_t probes;
    struct list library;  /* struct decl: functions that must be declared */
    struct list texts;    /* struct var: buffers of characters */
    struct list kernels;  /* struct kernel */
    struct list methods;  /* struct method */
    struct list builtins; /* struct decl */
    struct list labels;   /* struct object: labels that are pointed to */
    struct list opaque;   /* struct var */
    struct list late;     /* struct node: DECLs that need the prototypes */
    u128 used[16];        /* constants that were used */
    uint32_t used_count;
    /* the running program */
    struct val result; /* of return */
    struct rest rest;
    const struct node *any_number; /* an argument that may be no number */
    const struct label *target;    /* of goto */
    uint64_t steps;
    struct fn *running;
    uint32_t depth;  /* calls that are running */
    uint32_t budget; /* statements that may still be written */
    struct text *out;
    uint64_t sum; /* the checksum so far */
    /* names */
    uint32_t names[8];
    struct decl *fold_decl, *printf_decl, *mix_decl, *real_decl, *trace_decl, *sum_decl,
        *volatile_zero;
    struct gen_counts counts;
};

/* ---- policy.c --------------------------------------------------------------------------- */

void policy_draw(struct gen *g);
static inline uint32_t policy(const struct gen *g, enum gen_policy row)
{
    return g->policy.value[row];
}
static inline bool chance(const struct gen *g, struct rng *r, enum gen_policy row)
{
    return rng_chance(r, g->policy.value[row]);
}
/* One of the rows first .. last, by weight; first when all are 0. */
enum gen_policy policy_pick(const struct gen *g, struct rng *r, enum gen_policy first,
                            enum gen_policy last);
static inline bool has(const struct gen *g, enum gen_feature f)
{
    return g->o->features >> f & 1;
}

/* ---- types.c ---------------------------------------------------------------------------- */

struct type *type_integer(struct gen *g, struct rng *r);
struct type *type_real(struct gen *g, struct rng *r);
bool type_has_pointer(const struct type *t);
/* A bit-field whose type compilers promote each in their own way: it is read with a cast, and
 * only assigned to. */
bool is_wide_field(const struct field *f);
void types_start(struct gen *g);
struct type *types_real_union(struct gen *g);
struct type *types_bytes_union(struct gen *g);
struct node *zero_of(struct gen *g, struct type *t);
const char *new_name(struct gen *g, char letter);
static inline unsigned int_width(const struct gen *g, const struct type *t)
{
    return t->kind == TYPE_ENUM ? g->width[t->u.enumeration->base->kind] : g->width[t->kind];
}
static inline bool int_signed(const struct gen *g, const struct type *t)
{
    return t->kind == TYPE_ENUM ? g->sign[t->u.enumeration->base->kind] : g->sign[t->kind];
}
static inline uint64_t size_of(const struct gen *g, const struct type *t)
{
    uint8_t bytes = g->bytes[t->kind];
    return bytes ? bytes : lang_sizeof(g->p, t);
}
u128 int_least(const struct gen *g, const struct type *t);
u128 int_most(const struct gen *g, const struct type *t);

/* ---- globals.c -------------------------------------------------------------------------- */

void globals_start(struct gen *g);
struct about *about_more(struct gen *g, const struct decl *d);
static inline struct about *about(struct gen *g, const struct decl *d)
{
    return d->id < g->about_room ? &g->about[d->id] : about_more(g, d);
}
struct var *var_new(struct gen *g, struct decl *d, struct var *outer);
struct var *global_new(struct gen *g, struct type *type);
/* One that is not to be chosen at random.  A given initialiser is not stored: the object is zero;
 * without one, a random one is made and stored. */
struct var *global_declare(struct gen *g, struct type *t, struct rng *r, struct node *init);
/* A global of exactly this type (unqualified), whose address may be taken. */
struct var *global_of_type(struct gen *g, struct type *type);
/* A constant initialiser for the type, which is also stored at the spot when object is given. */
struct node *initialiser(struct gen *g, struct rng *r, struct type *t, struct object *o,
                         uint64_t at);

/* ---- constants.c ------------------------------------------------------------------------ */

struct made constant_int(struct gen *g, const struct ctx *c, struct type *t);
struct made constant_real(struct gen *g, struct rng *r, struct type *t);
u128 constant_bits(struct gen *g, struct rng *r, struct type *t);
struct made made_int(struct gen *g, u128 v, struct type *t);

/* ---- expr.c, lvalue.c, call.c, function.c ----------------------------------------------- */

enum { MAX_PARAMS = 5, MAX_REST = 4, MAX_DEPTH = 12, MAX_RECURSION = 4, LEAST_ALLOWANCE = 30 };

struct made expr_int(struct gen *g, struct ctx *c);
struct made expr_real(struct gen *g, struct ctx *c, struct type *t);
/* An arithmetic value, converted to exactly this type. */
struct made expr_of_type(struct gen *g, struct ctx *c, struct type *t);
struct made expr_condition(struct gen *g, struct ctx *c);
/* The address of something of exactly this type, never null. */
struct made expr_address(struct gen *g, struct ctx *c, struct type *t);
/* The same, or a copy of another pointer; anywhere: locals too. */
struct made expr_pointer(struct gen *g, struct ctx *c, struct type *t, bool anywhere);
struct made expr_convert(struct gen *g, struct made m, struct type *t);
struct node *hole_new(struct gen *g, const struct ctx *c, struct type *t);
void hole_fill(struct gen *g, struct node **slot, struct val *v);
/* A deeper context. */
struct ctx ctx_below(const struct ctx *c);
struct ctx ctx_start(struct gen *g, struct region *r);

struct lval {
    struct node *n; /* NULL: none was found */
    struct spot s;
    struct var *var;
};
/* WANT_VALUE: it will be read by lvalue_read; WANT_READ: it will stand where any value may. */
enum want { WANT_READ, WANT_VALUE, WANT_WRITE, WANT_BOTH, WANT_ADDRESS };
enum kinds { KIND_INT = 1, KIND_REAL = 2 };
struct lval lvalue_pick(struct gen *g, struct ctx *c, enum want want, unsigned kinds);
struct lval lvalue_of_var(struct gen *g, struct ctx *c, struct var *v, enum want want,
                          unsigned kinds);
struct lval lvalue_name(struct gen *g, struct var *v);
/* On to a number, by members, elements and pointers; none when there is no such way. */
struct lval lvalue_descend(struct gen *g, struct ctx *c, struct lval l, enum want want,
                           unsigned kinds);
/* One step further: an element, a member, what a pointer points to; false when there is none. */
bool lvalue_element(struct gen *g, struct ctx *c, struct lval *l);
/* Does its value come from constants and const objects alone?  Compilers may compute an address
 * from it, and one that is far off does not link. */
bool is_fixed(const struct node *n);
bool lvalue_member(struct gen *g, struct rng *r, struct lval *l);
bool lvalue_follow(struct gen *g, struct ctx *c, struct lval *l, enum want want);
/* A scalar by name that may be written inside of an expression. */
struct lval lvalue_private(struct gen *g, struct ctx *c);
struct made lvalue_read(struct gen *g, struct lval l);
/* l op= right, and l++, executed. */
struct made assign_make(struct gen *g, struct ctx *c, struct lval l, enum op op, struct made right);
struct made step_make(struct gen *g, struct ctx *c, struct lval l, enum op op);
bool full_may_read(const struct full *f, const struct decl *d);
bool full_may_write(const struct full *f, const struct decl *d);
void full_reads(struct full *f, const struct decl *d);
void full_writes(struct full *f, const struct var *v);

/* f(n, ...) that folds its arguments, and a call of it. */
struct made call_variadic(struct gen *g, struct ctx *c);
u128 variadic_apply(const struct gen *g, const struct val *args, uint32_t n);
struct made call_make(struct gen *g, struct ctx *c, bool wants_value);
/* What may stand in the arguments of a call, in this context: nothing that the one could disturb
 * for the other. */
struct ctx call_beside(const struct ctx *c, const struct fn *fn);
/* wants_value: its result will stand in an expression. */
struct fn *fn_new(struct gen *g, struct ctx *c, uint8_t class, bool wants_value);
/* May another function be made? */
bool fn_room(const struct gen *g);
/* A function of the same type, which may do other things. */
struct fn *fn_twin(struct gen *g, const struct fn *of);
/* One that this one recurses through. */
struct fn *fn_partner(struct gen *g, struct fn *fn);
/* Names and decorates a function whose body is still to come; and lists it, to be called. */
void fn_name(struct gen *g, struct fn *fn, struct type *t, struct decl **params, struct rng *r);
void fn_define(struct gen *g, struct fn *fn, struct type *t, struct decl **params, struct rng *r);
/* A loop over arrays, as a function: kernel.c. */
struct fn *kernel_function(const struct gen *g, size_t i);
/* A function that changes a structure by pointer, and calls of one: method.c. */
struct fn *method_function(const struct gen *g, size_t i);
bool method_calls(struct gen *g, struct region *r);
/* A small function as real code has them: helper.c. */
struct fn *helper_new(struct gen *g);

/* ---- eval.c, exec.c: what runs the tree -------------------------------------------------- */

void eval(struct gen *g, struct node **slot, struct val *v);
void eval_spot(struct gen *g, struct node **slot, struct spot *s);
enum flow exec(struct gen *g, struct node **slot);
enum flow exec_block(struct gen *g, struct node *block);
/* Stores a resolved initialiser. */
void init_store(struct gen *g, struct object *o, const struct node *init);
/* Calls the function with values of its parameters' types. */
void run_call(struct gen *g, struct fn *fn, const struct val *args, uint32_t n, struct val *v);
u128 convert_bits(const struct gen *g, const struct type *from, const struct type *to, u128 bits);
bool is_true(const struct gen *g, const struct type *t, const struct val *v);
/* a op b in the type; the fault is returned. */
enum value_fault apply(const struct gen *g, enum op op, const struct type *t, u128 a, u128 b,
                       const struct type *count_type, u128 *r);
/* Executes a built pointer operation. */
bool apply_pointer(struct gen *g, const struct node *n, const struct val *a, const struct val *b,
                   struct val *v);
/* The builtin's declaration: one per program, as finding it takes a while. */
struct decl *builtin_decl(struct gen *g, const char *name);
bool builtin_apply(const struct gen *g, const struct decl *d, const struct type *t, const u128 *a,
                   u128 *r);
bool is_nan(const struct gen *g, const struct type *t, u128 bits);

/* ---- vector.c --------------------------------------------------------------------------- */

/* passed: how larger ones are passed depends on the processor; and clang 19 and 22 then have ASan
 * complain of a copy that they made themselves. */
struct type *vector_type(struct gen *g, struct rng *r, bool passed);
struct made vector_value(struct gen *g, struct ctx *c, struct type *t);
/* A vector (of this type, if it is given) that may be assigned to, or NULL. */
struct var *vector_target(struct gen *g, struct ctx *c, struct type *t);
enum flow vector_local(struct gen *g, struct region *r);
/* a op b, or op a where b is NULL: no lane may fault. */
void vector_apply(struct gen *g, enum op op, const struct type *t, const struct val *a,
                  const struct val *b, struct val *v);
void vector_splat(struct gen *g, const struct type *t, struct val *v);
void vector_convert(struct gen *g, const struct node *n, struct val *v);
bool vector_shuffle(struct gen *g, const struct node *n, const struct decl *d,
                    const struct val *args, struct val *v);

/* ---- repair.c, guard.c ------------------------------------------------------------------ */

/* Makes a built BINARY, ASSIGN or UNARY node defined on these operand values, changing its
 * operator or an operand; yields its value. */
u128 repair(struct gen *g, struct node *n, const struct type *t, u128 a, u128 b,
            const struct type *count_type);
/* The operator to try when this one faults: never returns to one that was tried. */
enum op repair_next(enum op op, enum value_fault fault, unsigned tried);

/* The node at *slot has just faulted on a and b: wraps it and yields the value. */
void guard_binary(struct gen *g, struct node **slot, u128 a, u128 b, struct val *v);
void guard_unary(struct gen *g, struct node **slot, u128 a, struct val *v);
void guard_assign(struct gen *g, struct node **slot, const struct spot *s, u128 old, u128 right,
                  struct val *v);
void guard_step(struct gen *g, struct node **slot, struct val *v);
void guard_index(struct gen *g, struct node **slot, uint64_t count, struct val *v);
void guard_pointer(struct gen *g, struct node **slot, struct val *v);
void guard_float_cast(struct gen *g, struct node **slot, struct val *v);
void guard_nan(struct gen *g, struct node **slot, struct val *v);
void guard_ready(struct gen *g, const struct spot *s);
void guard_builtin(struct gen *g, struct node **slot, struct val *v);
void guard_offset(struct gen *g, struct node **slot, const struct val *a, const struct val *b,
                  struct val *v);
/* What was guarded by macros, as edits that put a macro's name and arguments for what it expands
 * to; their definitions are added to the text. */
struct edit *guard_macros(struct gen *g, size_t *n, struct text *definitions);
/* a op b that is defined for all values, in one of the forms GEN_guard_...: a fresh tree that takes
 * the operands over. */
struct node *guard_tree(struct gen *g, enum gen_policy form, enum op op, struct node *a,
                        struct node *b, struct type *t);
bool is_pure(const struct node *n);
struct node *clone(struct gen *g, const struct node *n);

/* ---- stmt.c, loop.c, jump.c ------------------------------------------------------------- */

/* Makes the next statement of the region, appended to its block before it runs. */
enum flow stmt_next(struct gen *g, struct region *r);
/* The same for a block that never runs: appended only. */
void stmt_dead(struct gen *g, struct region *r);
/* Attaches what has been executed. */
enum flow stmt_done(struct gen *g, struct region *r, struct node *n);
struct region *region_new(struct gen *g, struct region *outer, uint32_t left);
struct region *region_of(const struct node *block);
struct var *local_new(struct gen *g, struct region *r, struct type *t, const char *name);
struct node *attach(struct gen *g, struct region *r, struct node *n);
/* What was attached from here on runs when the block goes on. */
enum flow walk_from(struct region *r, uint32_t at);
/* Runs the node, then the block goes on behind what is attached now. */
enum flow run_now(struct gen *g, struct region *r, struct node *n);
struct label *label_new(struct gen *g, struct region *r, struct node *statement);
struct object *label_object(struct gen *g, const struct label *l);
struct made make_expr_block(struct gen *g, struct ctx *c);
/* The library function, declared where it is used. */
struct decl *library_decl(struct gen *g, const char *name);
/* A string literal; the bytes must stay. */
struct node *build_string(struct gen *g, const char *bytes);
bool text_apply(const struct decl *d, const struct val *a, struct val *v);
bool library_apply(struct gen *g, const struct node *n, const struct decl *d, const struct val *a,
                   struct val *v);
bool overflow_apply(struct gen *g, const struct node *n, const struct decl *d, const struct val *a,
                    struct val *v);
struct node *block_new(struct gen *g, struct region *outer, struct region **inner);
/* May another loop begin here? */
uint32_t trips_allowed(const struct gen *g, const struct region *r);
/* Steps that a statement here may take. */
uint64_t spare(const struct region *r);
struct made expr_record(struct gen *g, struct ctx *c, struct type *t);
/* The same, or a literal: not to be assigned to. */
struct made expr_record_value(struct gen *g, struct ctx *c, struct type *t);

/* ---- pointer.c, literal.c ---------------------------------------------------------------- */

struct made make_expr_pointers(struct gen *g, struct ctx *c);
enum flow pointer_local(struct gen *g, struct region *r);
/* The address of an element or member of this type in some global; c is NULL where only
 * constants may stand.  n is NULL when none was found. */
struct made pointer_inside(struct gen *g, struct ctx *c, struct rng *r, struct type *base);
struct made make_expr_literal(struct gen *g, struct ctx *c);
struct made literal_pointer(struct gen *g, struct ctx *c, struct type *base);
struct made literal_record(struct gen *g, struct ctx *c, struct type *t);
struct node *designate_member(struct gen *g, const struct field *f, struct node *value);
struct node *designate_elements(struct gen *g, uint64_t first, uint64_t last, struct node *value);

/* ---- build.c: pieces of tree that run when execution walks into them ---------------------- */

struct type *build_int_type(const struct gen *g);
struct attr *build_attribute(struct gen *g, const char *name, const char *text);
struct node *build_int(struct gen *g, uint64_t v);
struct node *build_name(struct gen *g, const struct var *v);
struct node *build_address(struct gen *g, const struct var *v);
struct node *build_op(struct gen *g, enum op op, struct node *a, struct node *b);
struct node *build_at(struct gen *g, const struct var *v, struct node *i);
/* v[i + offset] */
struct node *build_element(struct gen *g, const struct var *v, const struct var *i, int64_t offset);
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
/* An int that only its loop writes. */
struct var *build_counter(struct gen *g, struct region *r);
struct ctx build_pure(struct gen *g, struct region *r, uint8_t depth);
/* A scalar by name that nothing points to, or NULL. */
struct var *build_plain_local(struct gen *g, struct region *r);
/* Where a result may go: an integer lvalue without side effects, or NULL.  It is one that others
 * see where that is allowed: optimisers throw away what nobody reads. */
struct node *build_place(struct gen *g, struct region *r);
/* place ^= value; which keeps alive what was there before; or place = value; */
void build_result(struct gen *g, struct region *r, struct node *place, struct node *value);
typedef bool var_test(struct gen *g, const struct var *v, const struct type *like);
struct var *pick_global(struct gen *g, struct rng *r, var_test *test, const struct type *like);
bool is_plain(const struct var *v);
bool is_like(struct gen *g, const struct var *v, const struct type *like);

typedef enum flow stmt_fn(struct gen *g, struct region *r);
#define POLICY(group, name, ...) DECLARE_##group(name)
#define DECLARE_stmt(name)       stmt_fn make_stmt_##name;
#define DECLARE_expr(name)
#define DECLARE_real(name)
#define DECLARE_op(name)
#define DECLARE_context(name)
#define DECLARE_constant(name)
#define DECLARE_leaf(name)
#define DECLARE_target(name)
#define DECLARE_shape(name)
#define DECLARE_type(name)
#define DECLARE_member(name)
#define DECLARE_guard(name)
#define DECLARE_loop(name)
#define DECLARE_class(name)
#define DECLARE_share(name)
#define DECLARE_relax(name)
#define DECLARE_count(name)
#include "gen/policy.def"

/* ---- dead.c, unit.c --------------------------------------------------------------------- */

void dead_fill(struct gen *g);
/* A call with any arguments. */
struct node *dead_call_of(struct gen *g, struct region *r, struct fn *fn);
void unit_start(struct gen *g);
/* Adds the checksum to main, runs it, and puts the unit together. */
void unit_checksum(struct gen *g, struct region *r);
void unit_assemble(struct gen *g);
void mix_apply(struct gen *g, uint64_t v);
void trace_apply(struct gen *g, uint64_t id, uint64_t v);

#endif
