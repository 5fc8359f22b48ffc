/* The program that is being written and executed: what every stage of gen works on.
 *
 *     gen.c      seed to program, start to end
 *     run/       executes the tree that is there: memory, values, library
 *     safe/      keeps it defined: repairs on the first visit, guards on later ones
 *     make/      types, globals, expressions, statements, functions: made as execution reaches them
 *     shape/     what optimisers look for: idioms, loops over arrays, nests, small functions
 *     dead/      what was never reached
 *
 * Stages include those above them only (src/LAYERS).  Where execution needs what lies below, it
 * asks the hooks.  Everything here lives in g->arena, or in the program's where the tree holds it;
 * nothing is freed before the program is done. */
#ifndef GEN_STATE_H
#define GEN_STATE_H

#include "gen/gen.h"

#include <setjmp.h>

/* ---- memory ----------------------------------------------------------------------------- */

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

/* ---- names ------------------------------------------------------------------------------ */

enum use { USE_MIXED, USE_INPUT, USE_OUTPUT };

/* A variable that code may name. */
struct var {
    struct decl *decl;
    struct type *type;   /* canonical, with qualifiers */
    struct var *outer;   /* the next one further out, in a scope */
    struct var *jump;    /* one some way further out: gen_var_at */
    struct var *counter; /* the next one further out that is locked */
    uint32_t count;      /* how many there are from here outwards */
    uint8_t use;         /* enum use */
    bool global;
    bool locked;     /* a loop's counter, while it runs: not to be written by others */
    bool no_address; /* written inside expressions: nothing may point to it */
    bool anywhere;   /* a pointer that may point to locals further out */
    bool secret;     /* not to be chosen at random */
    struct var *row; /* of a pointer: the array that it stays in */
};

enum class { CLASS_LOCAL, CLASS_READS, CLASS_FULL, CLASS_NONE };

/* A function of the program.  Invariant: bound <= allowance, so that every call ends within
 * allowance steps whatever way it goes; who adds a statement charges it (make_charge). */
struct fn {
    struct decl *decl;
    struct function *function;
    struct object *object;
    struct list vars;   /* struct var: every local and parameter, for recursion */
    uint8_t class;      /* enum class */
    struct type **rest; /* what it takes after its parameters */
    uint32_t rest_count;
    bool recursive; /* its first parameter bounds the depth */
    bool recursed;
    bool tallies;       /* it adds its locals to g->tally */
    bool looks;         /* it accesses something volatile, or calls what does */
    bool number;        /* the guard that takes anything, and gives a number */
    uint32_t active;    /* calls that are running */
    uint64_t allowance; /* steps that a call may take at most, whatever way it goes */
    uint64_t bound;     /* steps that it can take so far: each statement as often as its loops go */
    struct var *pointer; /* a global that points to it, or a table of it and its twin */
    struct fn *twin;     /* of the same type */
    struct fn *partner;  /* the one that it recurses through */
    struct decl *alias;  /* another name of it, or NULL */
};

struct about {
    struct object *object;
    struct fn *fn;
    struct var *var;
    bool given;                    /* an initialiser, by a guard */
    const struct gen_given *known; /* a function of others */
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

/* FLOW_LONGJMP: back to where setjmp was called, however far out. */
enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_GOTO, FLOW_LONGJMP };

_Static_assert(GEN_POLICY_COUNT <= UINT16_MAX, "16 bits hold a row of policy.def");

/* A block that is being filled. */
struct region {
    struct fn *fn;
    struct node *block;
    struct node *loop, *exit; /* what continue and break leave, or NULL */
    struct var *vars;         /* innermost first */
    struct rng rng;
    uint32_t left; /* statements still to come */
    uint8_t nesting;
    uint16_t context; /* GEN_context_..., for its expressions */
    bool open;
    bool dead;
    bool assumed;    /* unreachable, if execution never comes */
    bool closes;     /* its locals are being shown: what was kept of the allowance may be spent */
    bool hides;      /* no steps were left to show its locals: they go with what is returned */
    uint8_t end;     /* how it ends: NODE_RETURN, NODE_BREAK, NODE_CONTINUE or 0 */
    uint64_t weight; /* how often one call may execute it: trips of the loops around */
    struct var *outside; /* its scope ends here: NULL in the block of a function */
    uint32_t resume;     /* where execution goes on after what make_stmt_next made */
    bool resumes;        /* resume was set by the maker */
    enum flow flow;      /* how the statement that was just made ended */
};

/* How expressions are made at some place. */
struct ctx {
    struct region *region;
    struct var *vars;
    struct full *full;
    uint8_t calls;    /* bits of classes that may be called */
    uint16_t context; /* GEN_context_... */
    uint16_t leaf;    /* GEN_leaf_... */
    uint8_t depth;    /* levels that may follow */
    uint8_t inside;   /* subscripts around */
    bool pure;        /* no side effects */
    bool quiet;       /* locals that nothing points to, and constants, only */
    bool dead;        /* will never run */
};

struct made {
    struct node *n; /* NULL: could not be made */
    struct val v;
};

/* What a flagged INT or FLOAT node stands for until execution reaches it. */
struct hole {
    struct ctx ctx;
    struct type *type;
};

enum { NODE_HOLE = 0x4000 };

enum { MOST_VECTOR = 64 }; /* bytes of a vector, and so lanes: __builtin_shufflevector names each */

/* What a node that is not finished stands for: a block's region, or a hole. */
union unfinished {
    struct region *region;
    struct hole *hole;
};

/* Variable arguments of the running call. */
struct rest {
    const struct val *args;
    uint32_t count;
};

/* ---- all -------------------------------------------------------------------------------- */

struct gen;
struct run_fault;

/* Makes a statement: attaches it to the region's block, executed (then it draws, stores and calls
 * as the program would) or to be walked into (make_walk_from), and charges what it takes beyond one
 * step.  False: it cannot be made here; nothing was attached, and another takes its place. */
typedef bool stmt_fn(struct gen *g, struct region *r);

enum where {
    WHERE_ANY,
    WHERE_FULL,  /* in functions that may write to globals, with so many steps to spare */
    WHERE_NESTS, /* where another block may be opened */
    WHERE_LOOPS, /* where another loop may begin */
};

/* A row of group stmt. */
struct statement {
    stmt_fn *make;
    enum where where; /* elsewhere an assignment takes its place */
    uint32_t least;
    enum gen_policy otherwise; /* what takes its place when make returns false */
};

/* What a stage asks of those below it. */
struct gen_hooks {
    /* run: the end of an open block was reached; the statement made is attached, and executed or
     * still to be walked into (region.resume) */
    enum flow (*next)(struct gen *g, struct region *r);
    /* run: a hole is evaluated for the first time; yields its value */
    void (*fill)(struct gen *g, struct node **slot, struct val *v);
    /* run: the node at *slot would be undefined now; it is wrapped, and its value yielded */
    void (*guard)(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v);
    /* safe: a global of exactly this type, whose address may be taken */
    struct var *(*global)(struct gen *g, struct type *type);
    /* make: a small function that touches its parameters only */
    struct fn *(*small_function)(struct gen *g);
    /* make: by row of the group stmt */
    const struct statement *statements;
};
extern const struct gen_hooks gen_hooks; /* gen.c */

struct gen {
    struct program *p;
    struct arena arena;
    const struct gen_options *o;
    const struct gen_hooks *hooks;
    struct gen_policy_set policy;
    uint16_t rows[GEN_POLICY_COUNT];              /* enum gen_policy, by group */
    uint32_t first[GEN_GROUP_COUNT + 1];          /* into rows */
    uint32_t sums[GEN_GROUP_COUNT];               /* of the weights */
    uint8_t width[TYPE_COUNT], bytes[TYPE_COUNT]; /* of basic types */
    bool sign[TYPE_COUNT];
    uint32_t pointer_size;
    struct rng rng, constants;
    struct about *about; /* by decl id */
    uint32_t about_room;
    union unfinished *unfinished; /* by node id */
    uint32_t unfinished_room;
    struct list globals;     /* struct var, those that may be chosen */
    struct list all_globals; /* struct var, for the checksum */
    struct list types;       /* struct node: DECLs of structures, unions and enums */
    struct list early;       /* struct node: DECLs of globals */
    struct list functions;   /* struct fn: main, and those that may be called at random */
    struct list bodies;      /* struct fn: others, whose calls are made by shape/ */
    struct list records, unions, enums;                   /* struct type */
    struct type *bytes_union, *list_type, *flexible_type; /* of make/types.c, once used */
    uint32_t regions;                                     /* how many there have been */
    struct list guards;                                   /* struct guard_function */
    struct list macros;                                   /* struct macro */
    struct list macro_uses;                               /* struct macro_use */
    struct list pool;                                     /* struct node: expressions to reuse */
    uint32_t probes;
    struct list library;          /* struct decl: functions that must be declared */
    struct list given;            /* struct decl: those of o->given, once one is called */
    struct list texts;            /* struct var: buffers of characters */
    struct list array_functions;  /* struct array_function */
    struct list record_functions; /* struct record_function */
    struct list jumpers;          /* struct fn: those that call longjmp */
    struct fn *allocator;         /* of shape/storage.c, once it is used */
    struct list builtins;         /* struct decl */
    struct list labels;           /* struct object: labels that are pointed to */
    struct list opaque;           /* struct var */
    enum gen_policy observe;      /* GEN_observe_... */
    struct var *tally;            /* what functions that write to no global add to, or NULL */
    uint32_t tallied;
    struct var *watch;     /* of observe.watch: the volatile variable */
    struct list registers; /* struct var: of make/registers.c, once used */
    struct list fills;     /* struct node: loops that main begins with */
    bool ended;            /* what is made now never runs: no array need be filled for it */
    struct list late;      /* struct node: DECLs that need the prototypes */
    u128 used[16];         /* constants that were used */
    uint32_t used_count;
    /* the running program */
    struct val result; /* of return */
    struct rest rest;
    const struct node *any_number; /* an argument that may be no number */
    const struct label *target;    /* of goto */
    struct {
        const struct node *to; /* the call of setjmp that was evaluated last */
        u128 value;            /* of longjmp, while its way back is not done; else 0 */
    } jump;
    uint64_t steps;
    struct fn *running;
    uint32_t depth;  /* calls that are running */
    uint32_t budget; /* statements that may still be written */
    struct text *out;
    uint64_t sum; /* the checksum so far */
    /* names */
    uint32_t names[8];
    struct decl *fold_decl, *printf_decl, *mix_decl, *real_decl, *bytes_decl, *trace_decl,
        *sum_decl, *longjmp_decl;
    struct gen_counts counts;
    uint32_t ticks;
    jmp_buf given_up; /* where gen_tick leads when generation is to stop */
};

/* ---- policy.c --------------------------------------------------------------------------- */

void gen_policy_draw(struct gen *g);
static inline uint32_t gen_setting(const struct gen *g, enum gen_policy row)
{
    return g->policy.value[row];
}
static inline bool gen_chance(const struct gen *g, struct rng *r, enum gen_policy row)
{
    return rng_chance(r, g->policy.value[row]);
}
/* A row of the group, by weight; its first when all are 0. */
enum gen_policy gen_pick(const struct gen *g, struct rng *r, enum gen_group group);
/* What a drawn row of the group stands for: an operator, a type, a class. */
static inline unsigned gen_draw(const struct gen *g, struct rng *r, enum gen_group group)
{
    return gen_policy_info[gen_pick(g, r, group)].means;
}
static inline bool gen_has(const struct gen *g, enum gen_feature f)
{
    return g->o->features >> f & 1;
}

/* Called for every statement that is made or executed.  Does not return when generation is to stop:
 * so whatever is being made lives in the arenas, or in g. */
static inline void gen_tick(struct gen *g)
{
    if (++g->ticks % 1024 == 0 && g->o->stop && g->o->stop())
        longjmp(g->given_up, 1);
}

/* ---- variables.c ------------------------------------------------------------------------ */

/* A name that begins with the letter and is not used yet; the program's. */
const char *gen_new_name(struct gen *g, char letter);
struct about *gen_about_more(struct gen *g, const struct decl *d);
static inline struct about *gen_about(struct gen *g, const struct decl *d)
{
    return d->id < g->about_room ? &g->about[d->id] : gen_about_more(g, d);
}
/* Who locks the variable does so before another is made inside of its scope. */
struct var *gen_var_new(struct gen *g, struct decl *d, struct var *outer);
/* The n-th from this one outwards, in log n steps. */
struct var *gen_var_at(struct var *v, uint64_t n);
/* What a search through a scope looks at next; it ends after a thousand, so that the cost of a
 * statement does not grow with the number of those before it. */
static inline struct var *gen_var_next(const struct var *first, const struct var *v)
{
    return first->count - v->count < 1000 ? v->outer : NULL;
}

/* What the node stands for; NULL for one that is finished. */
static inline struct region *gen_region_of(const struct gen *g, const struct node *block)
{
    return block->id < g->unfinished_room ? g->unfinished[block->id].region : NULL;
}
static inline struct hole *gen_hole_of(const struct gen *g, const struct node *n)
{
    return n->flags & NODE_HOLE ? g->unfinished[n->id].hole : NULL;
}
void gen_set_region(struct gen *g, struct node *block, struct region *r);
void gen_set_hole(struct gen *g, struct node *n, struct hole *h);

bool gen_has_pointer(const struct type *t);
/* A bit-field whose type compilers promote each in their own way: it is read with a cast, and
 * only assigned to. */
bool gen_is_wide_field(const struct field *f);
static inline unsigned gen_int_width(const struct gen *g, const struct type *t)
{
    if (t->kind == TYPE_BITINT)
        return (unsigned)t->u.count;
    return t->kind == TYPE_ENUM ? g->width[t->u.enumeration->base->kind] : g->width[t->kind];
}
static inline bool gen_int_signed(const struct gen *g, const struct type *t)
{
    if (t->kind == TYPE_BITINT)
        t = t->base;
    return t->kind == TYPE_ENUM ? g->sign[t->u.enumeration->base->kind] : g->sign[t->kind];
}
static inline uint64_t gen_size_of(const struct gen *g, const struct type *t)
{
    uint8_t bytes = g->bytes[t->kind];
    return bytes ? bytes : lang_sizeof(g->p, t);
}
/* Is it promoted to int, so that two of them cannot overflow? */
static inline bool gen_is_narrow(const struct gen *g, const struct type *t)
{
    return t->kind != TYPE_BITINT && gen_int_width(g, t) < g->width[TYPE_INT];
}
u128 gen_int_least(const struct gen *g, const struct type *t);
u128 gen_int_most(const struct gen *g, const struct type *t);

#endif
