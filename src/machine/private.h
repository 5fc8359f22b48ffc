/* What the files of machine share and nobody else sees.
 *
 * The way of a program: link.c finds the objects and functions behind names; compile_*.c turn a
 * function's tree into struct insn when it is first called; exec.c runs them; object.c is the
 * memory; sequence.c watches unsequenced accesses; lib_*.c is the C library; facts.c answers.
 *
 * Addresses.  Every object gets an address that no other object ever had or will have, with a
 * gap behind it.  So the address alone says which object a pointer points into (or one past),
 * whether it still lives, and whatever way the pointer took: through bytes, integers or unions.
 * A pointer value is that number; nothing else has to be remembered beside it. */
#ifndef MACHINE_PRIVATE_H
#define MACHINE_PRIVATE_H

#include "machine/machine.h"

/* ---- memory ----------------------------------------------------------------------------- */

/* What may access what (C11 6.5p7), a byte per byte.  Signed and unsigned share a tag. */
enum tag {
    TAG_ANY,  /* of memory: nothing is known yet; of an access: not checked */
    TAG_CHAR, /* of memory: declared as characters; as an access: may touch anything */
    TAG_BOOL,
    TAG_SHORT,
    TAG_INT,
    TAG_LONG,
    TAG_LLONG,
    TAG_INT128,
    TAG_HALF,
    TAG_FLOAT,
    TAG_DOUBLE,
    TAG_LDOUBLE,
    TAG_QUAD,
    TAG_POINTER,
    TAG_LIST,
    TAG_UNION, /* in maps only: what was stored last decides */
    TAG_MIXED, /* of an object: see its map or its tags */
};

enum object_kind {
    OBJECT_STATIC,
    OBJECT_AUTO,
    OBJECT_HEAP,
    OBJECT_STRING,
    OBJECT_FUNCTION,
    OBJECT_TEMPORARY,
    OBJECT_LIBRARY,
};

/* What of an object may not be written. */
enum constness { CONST_NONE, CONST_ALL, CONST_PARTS }; /* parts: as its consts say */

struct object {
    uint64_t base; /* address; ~0 when it is dead */
    uint64_t size;
    uint8_t *bytes;
    uint8_t *init;      /* bit for bit: is it initialised?  NULL: all of it */
    uint8_t *tags;      /* effective types that stores gave; NULL: tag or map decide */
    const uint8_t *map; /* tags of its declared type, repeating each period bytes */
    uint64_t period;
    const uint8_t *consts; /* which bits of a period are members declared const; NULL: none */
    uint8_t tag;           /* of all its bytes, or TAG_MIXED */
    uint8_t kind;
    uint8_t is_const;    /* enum constness */
    uint8_t room;        /* log2 of the bytes allocated at bytes */
    uint32_t index;      /* in the table of objects */
    const char *name;    /* for messages; NULL without one */
    uint64_t owner;      /* serial of its frame */
    struct object *next; /* in its frame, or in the free list */
    struct func *func;   /* OBJECT_FUNCTION */
};

/* Objects that died, for messages. */
struct grave {
    uint64_t base, size;
    const char *name;
    uint8_t kind;
};

enum { ROOMS = 48, GRAVES = 1024, QUICK = 1 << 15 };

struct memory {
    struct object **live; /* by address; NULL where one died */
    size_t count, room, dead;
    uint64_t next, limit; /* the next address; behind the last */
    uint64_t used, peak, budget;
    struct object *free[ROOMS];
    struct object *quick[QUICK]; /* by address / 32: where a lookup went last */
    struct grave graves[GRAVES];
    size_t grave_count;
    struct arena arena; /* the objects themselves */
};

enum new_flag { NEW_ZERO = 1, NEW_KNOWN = 2 }; /* zeroed; or bytes that the caller will fill */

void memory_start(struct memory *m, const struct target *target, uint64_t budget);
void memory_end(struct memory *m);
/* NULL when the budget or the addresses are used up. */
struct object *memory_new(struct memory *m, uint64_t size, uint32_t align, unsigned flags);
void memory_kill(struct memory *m, struct object *o);
/* The object that an address points into, or one past the end of; NULL when there is none. */
struct object *memory_find(struct memory *m, uint64_t address);
const struct grave *memory_grave(const struct memory *m, uint64_t address);
void memory_need_init(struct object *o);
void memory_need_tags(struct object *o);
/* Declares what lies in it. */
void memory_declare(struct machine *m, struct object *o, const struct program *p,
                    const struct type *t);
/* Has a structure of that type, or an array of them, members that are const? */
bool memory_has_const_parts(const struct type *t);
/* Is some byte of an object that may not be written everywhere among these? */
bool memory_is_const(const struct object *o, uint64_t off, uint64_t size);
/* Of a bit-field. */
bool memory_bits_const(const struct object *o, uint64_t off, unsigned bit, unsigned width);
/* The tag of a scalar type as an access. */
uint8_t memory_tag(const struct program *p, const struct type *t);

/* ---- instructions ----------------------------------------------------------------------- */

#define NO_SLOT UINT32_MAX

enum opcode {
#define OP(name, ...) I_##name,
#include "machine/ops.def"
    OPCODES
};

struct insn {
    uint16_t op; /* enum opcode */
    uint8_t tag, align;
    uint32_t dst, a, b;
    uint32_t node, fact;
    int64_t k;
    union {
        struct object *object; /* the object itself, or where the last access went */
        struct func *func;
        const struct call_site *site;
        const struct switch_table *table;
        const struct field *field;
        const struct node *at;
        const struct type *type;
        const struct conversion *conversion;
        const struct local *local;
        uint64_t wide;
    } u;
};

/* An object that is born with a block. */
struct local {
    struct decl *decl; /* NULL: a temporary */
    const struct type *type;
    const struct program *program;
    uint64_t size;
    uint32_t align;
    uint32_t slot;
    uint32_t argument; /* of a parameter: where the caller put it */
    bool initialised;  /* it has an initialiser, after edits */
    bool zero;         /* an initialiser follows: all bytes are known */
    bool late;         /* born where it is declared, and not with the block */
};

/* How a value lies in slots. */
enum kind {
    KIND_VOID,
    KIND_I8,
    KIND_U8,
    KIND_I16,
    KIND_U16,
    KIND_I32,
    KIND_U32,
    KIND_I64,
    KIND_U64,
    KIND_BOOL,
    KIND_F32,
    KIND_F64,
    KIND_POINTER, /* the address */
    KIND_LIST,    /* va_list: number of a cursor */
    KIND_WIDE,    /* two slots: __int128 */
    KIND_LDOUBLE, /* two slots */
    KIND_MEMORY,  /* the address of where it lies: structures, unions, vectors */
    KIND_OTHER,   /* not supported when executed */
};

struct conversion {
    const struct program *program;
    const struct type *from, *to;
};

struct switch_table {
    uint32_t count;
    uint64_t *low, *high; /* sorted as canonical values */
    int64_t *target;      /* relative to the instruction */
    int64_t otherwise;
    bool is_signed;
    uint64_t first; /* of the dense table */
    uint32_t span;  /* entries of dense; 0: search */
    int64_t *dense;
};

/* A call as written: what is known before it happens. */
struct call_site {
    const struct node *node;
    uint32_t unit;
    uint32_t count;              /* arguments */
    const struct type **types;   /* of the arguments, as converted */
    uint32_t *slot;              /* of each, in the caller's frame */
    const struct type *function; /* the function type that the call goes through */
    const struct type *result;
    struct func *callee;  /* when it is named; NULL: through a pointer */
    uint32_t base;        /* the callee's frame begins here */
    struct func *checked; /* the last function that was found to fit */
    bool used;            /* its value is */
    uint64_t order;       /* among the nodes of its function: see struct cut */
    uint32_t counter;
};

/* A function of the program, or of the library. */
struct func {
    const char *name;
    struct decl *decl;     /* the one that defines it, if any does */
    struct function *body; /* NULL: library, or missing */
    uint32_t unit;
    struct code *code[2]; /* plain, and with every access tracked */
    const struct lib_row *lib;
    struct func *rival;    /* the library's of that name, which compilers may take; or NULL */
    struct object *object; /* its address */
    uint32_t counters;     /* first of its counters, once compiled */
};

struct code {
    struct func *func;
    struct insn *insn;
    uint32_t count, room;
    uint32_t slots;
    uint32_t objects_first, objects_count; /* slots that hold objects: zero at first */
    uint32_t *labels;                      /* by label index: instruction */
    struct scope **label_scopes;
    struct list goto_scopes; /* struct scope: where each goto *p stands */
    bool tracked;
    uint32_t heat;         /* calls and iterations, until it is compiled once more: native.c */
    struct native *native; /* NULL: interpreted */
};

struct frame {
    struct code *code;
    const struct insn *back; /* the call in the frame below */
    const uint8_t *resume;   /* native code behind that call; NULL: the interpreter called */
    uint64_t *r;
    struct object *objects;
    uint64_t result; /* where a structure goes that it returns */
    const struct call_site *site;
    uint64_t *caller;    /* the caller's slots, for variable arguments */
    size_t seq;          /* length of the log of accesses when it was called */
    uint64_t serial;     /* no other frame has it */
    struct watch *watch; /* bytes reached through restrict parameters; NULL: none yet */
    uint32_t cursor;     /* first va_list of this call, plus one; 0: none */
};

/* Of an expression: extremes as signed numbers. */
struct fact {
    int64_t low, high;
};

/* Where a va_list stands. */
struct cursor {
    const struct call_site *site;
    const uint64_t *r; /* the caller's slots */
    uint32_t next;
    uint32_t depth;
    bool open;
};

/* A call that never came back: what stands behind it in its region did not run. */
struct cut {
    uint32_t counter;
    uint64_t order;
};

/* What a name stands for at run time. */
enum var_place { VAR_NONE, VAR_SLOT, VAR_LOCAL, VAR_STATIC };
struct var {
    uint8_t place;
    bool checked; /* VAR_SLOT: may be read before it is set; flag says */
    bool known;   /* while compiling: set on every way to here */
    uint8_t kind;
    uint32_t slot, flag;
    struct object *object; /* VAR_STATIC */
    struct local *local;   /* VAR_LOCAL */
};

struct unit_state {
    struct program *p;
    uint32_t index;
    struct var *vars; /* by decl id */
    uint32_t var_count;
    struct func **funcs;   /* by decl id */
    uint32_t *counter;     /* by node id: which counter tells how often, 0: never compiled */
    uint32_t *order;       /* by node id */
    uint32_t *fact;        /* by node id */
    uint32_t *branch;      /* by node id: the counters of a condition, 0: none */
    uint32_t *whole;       /* by node id: as branch, of a condition that is tracked as a whole */
    struct purity *purity; /* by function index */
    uint32_t purity_count;
    uint32_t node_count;
    struct scope **scope;       /* by node id: of blocks, loops and labels */
    struct spot **case_target;  /* by node id */
    bool *dropped;              /* by node id, or NULL without edits */
    const struct node **edited; /* by node id, or NULL without edits */
    struct object **strings;    /* by node id */
    const struct edit *edits;
    size_t edit_count;
    bool inserts; /* some edit adds a statement */
};

/* The node that stands in place of n after edits. */
static inline const struct node *edited_node(const struct unit_state *u, const struct node *n)
{
    return u->edited && n && n->id < u->node_count && u->edited[n->id] ? u->edited[n->id] : n;
}

static inline bool is_dropped(const struct unit_state *u, const struct node *n)
{
    return u->dropped && n && n->id < u->node_count && u->dropped[n->id];
}

/* An access in the log between sequence points. */
struct touch {
    uint64_t address; /* in bits */
    uint64_t size;
    uint32_t group; /* number of the call it happened in; 0: in the expression itself */
    uint32_t unit;
    uint32_t node;
    bool write, pending;
};

struct sequence {
    struct touch *log;
    size_t count, room;
    size_t *marks;
    size_t mark_count, mark_room;
    uint32_t groups;
    uint32_t depth; /* calls from tracked expressions that are active */
    bool given_up;  /* the log grew too long; until the outermost expression ends */
    size_t floor_marks;
};

struct library;

/* Where native code goes on, or where the interpreter does: native.c. */
struct native_state {
    uint64_t *r;
    const struct insn *first; /* of the code whose frame is on top */
    const struct insn *next;  /* the interpreter's; NULL: the run has ended */
    struct native *all;
};

struct machine {
    struct unit_state *units;
    uint32_t unit_count;
    struct machine_options options;
    struct machine_result result;
    bool ended;
    struct arena arena;
    struct memory memory;
    uint64_t *stack, *stack_end;
    struct frame *frames;
    uint32_t depth, frame_room;
    uint64_t fuel;      /* of the tank */
    uint64_t fuel_left; /* beside it */
    struct fact *facts;
    uint32_t fact_count, fact_room;
    uint64_t *counts;
    uint32_t count_count, count_room;
    struct map symbols;   /* name to struct decl_at: external definitions */
    struct map functions; /* name to struct func: the library's */
    struct list queue;    /* struct pending_init */
    struct cursor *cursors;
    uint32_t cursor_count, cursor_room;
    struct sequence seq;
    struct machine_conflict *conflicts;
    size_t conflict_count, conflict_room;
    struct machine_volatile *volatiles;
    size_t volatile_count, volatile_room;
    struct cut *cuts;
    size_t cut_count;
    struct map tag_maps; /* type to struct tag_map */
    struct library *lib;
    uint64_t insn_count, node_compiled;
    uint64_t serial;
    uint32_t nested;                        /* runs of exec within runs */
    uint32_t *region_parent, *region_order; /* by counter */
    struct func init_func;
    struct live *live;                 /* NULL unless machine_enter was called */
    const struct call_site *exit_site; /* the call that ended the program */
    struct native_state native;
};

/* A block, and the objects that are born in it. */
struct scope {
    struct scope *parent;
    struct list locals; /* struct local */
    uint32_t depth;
};

/* ---- ends: end.c ------------------------------------------------------------------------ */

/* All of these set the result, unless it is set already. */
void machine_undefined(struct machine *m, enum ub ub, uint32_t unit, const struct node *n,
                       const char *fmt, ...) PRINTF_LIKE(5, 6);
void machine_unsupported(struct machine *m, uint32_t unit, const struct node *n, const char *fmt,
                         ...) PRINTF_LIKE(4, 5);
void machine_stop(struct machine *m, enum machine_end end, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The tank is empty: false when the machine is to end. */
bool machine_refuel(struct machine *m);
/* A fault of the instruction with its two operands. */
void machine_fault(struct machine *m, const struct insn *pc, enum ub ub, uint64_t x, uint64_t y);
/* An address that cannot be accessed: finds out why. */
void machine_bad_access(struct machine *m, uint32_t unit, const struct node *n, uint64_t pointer,
                        int64_t offset, uint64_t size);
const char *machine_describe(struct machine *m, uint64_t address); /* "'a' + 4", in the arena */

/* ---- linking: link.c -------------------------------------------------------------------- */

bool link_start(struct machine *m);
void link_grow(struct machine *m, struct unit_state *u);
struct var *link_var(struct machine *m, struct unit_state *u, struct decl *d);
struct func *link_func(struct machine *m, struct unit_state *u, struct decl *d);
struct object *link_string(struct machine *m, struct unit_state *u, const struct node *n);
struct object *func_object(struct machine *m, struct func *f);
/* Runs the initialisers of objects that were mentioned for the first time. */
void link_initialise(struct machine *m);
struct func *link_main(struct machine *m);

/* ---- compiling: compile.c --------------------------------------------------------------- */

struct code *compile_function(struct machine *m, struct func *f, bool tracked);
/* Stores the initialiser into the static object. */
struct code *compile_static(struct machine *m, struct func *owner, struct unit_state *u,
                            struct object *o, const struct node *init, const struct type *type);

/* One more statement or expression of a function that is being executed while it is written. */
struct live {
    struct func *func;
    struct scope *scope;
    uint32_t next;  /* first free slot */
    uint32_t value; /* slot of the last value */
    uint32_t depth; /* of its frame */
};
struct code *compile_fragment(struct machine *m, struct live *l, const struct node *n);

/* ---- running: exec.c -------------------------------------------------------------------- */

void exec_code(struct machine *m, struct code *code, uint64_t *r);
/* Calls from the library back into the program: prepared once, called often.  like has the
 * types; arguments take one slot each. */
struct callback {
    struct func *func;
    struct code *code;
    uint32_t count;
};
struct callback exec_prepare(struct machine *m, struct func *f, const struct call_site *like);
bool exec_callback(struct machine *m, const struct callback *c, const uint64_t *args,
                   uint64_t *result);
/* Runs code in the topmost frame. */
void exec_fragment(struct machine *m, struct code *code);
/* Leaves frames above the given depth. */
void exec_unwind(struct machine *m, uint32_t depth);
bool exec_push(struct machine *m, struct code *code, uint64_t *r);
void exec_kill_objects(struct machine *m, struct frame *f);

/* One instruction, and no further: the next one, or NULL when the run has ended. */
const struct insn *exec_step(struct machine *m, const struct insn *pc, uint64_t *r);

/* ---- hot code: native.c, native.h ------------------------------------------------------- */

/* Compiles what was warmed often enough; where that cannot be done it stays interpreted. */
void native_compile(struct machine *m, struct code *code);
/* Goes on natively from pc on, until something that the interpreter must do: that is returned,
 * or NULL when the run has ended.  The frame on top may be another then. */
const struct insn *native_run(struct machine *m, const struct insn *pc);
void native_end(struct machine *m);

static inline void native_warm(struct machine *m, struct code *code)
{
    if (++code->heat == m->options.heat)
        native_compile(m, code);
}

/* ---- calls: call.c ---------------------------------------------------------------------- */

/* Do the arguments and the type of a call fit the function? */
bool call_check(struct machine *m, const struct call_site *site, struct func *f);
bool va_start_at(struct machine *m, const struct insn *pc, uint64_t *r);
bool va_arg_next(struct machine *m, const struct insn *pc, uint64_t *r);
bool va_copy_of(struct machine *m, const struct insn *pc, uint64_t *r);
void va_end_of(struct machine *m, uint64_t list);
void cursors_drop(struct machine *m, struct frame *f);
/* The next argument of a list as slots; NULL when there is none, or its type is another. */
const uint64_t *cursor_next(struct machine *m, struct cursor *c, const struct type **type);

/* ---- accesses that are no hot path: access.c -------------------------------------------- */

/* Checked: NULL when the access is undefined, and the machine has ended. */
uint8_t *access_read(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size);
uint8_t *access_write(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size);
bool access_copy(struct machine *m, const struct insn *pc, uint64_t to, uint64_t from,
                 uint64_t size);
bool access_tags(struct machine *m, const struct insn *pc, struct object *o, uint64_t off,
                 unsigned size, bool store);
bool access_init(const struct object *o, uint64_t off, uint64_t size);
void access_set_tags(struct object *o, uint64_t off, uint64_t size, uint8_t tag);
bool access_bits_load(struct machine *m, const struct insn *pc, uint64_t address, uint64_t *v);
bool access_bits_store(struct machine *m, const struct insn *pc, uint64_t address, uint64_t v);
bool access_pointers(struct machine *m, const struct insn *pc, uint64_t x, uint64_t y, enum ub ub);
bool access_alive(struct machine *m, const struct insn *pc, uint64_t x);
bool exec_convert(struct machine *m, const struct insn *pc, uint64_t *r);
bool exec_true_wide(struct machine *m, const struct insn *pc, uint64_t *r);
bool exec_wide(struct machine *m, const struct insn *pc, uint64_t *r);
bool exec_vector(struct machine *m, const struct insn *pc, uint64_t *r);

/* ---- restrict: restrict.c --------------------------------------------------------------- */

bool restrict_touch(struct machine *m, const struct insn *pc, uint64_t address);
void restrict_end(struct frame *f);

/* ---- sequencing: sequence.c ------------------------------------------------------------- */

void seq_touch(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
               bool write);
void seq_mark(struct machine *m);
void seq_merge(struct machine *m, const struct insn *pc);
void seq_write(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size);
void seq_settle(struct machine *m);
void seq_pop(struct machine *m);
/* A tracked call came back: what was logged since then is its own, in one group. */
void seq_group(struct machine *m, size_t since);
void seq_end(struct machine *m);
/* Can two operands of this expression conflict, for all that can be known before it runs? */
bool seq_needed(struct machine *m, struct unit_state *u, const struct node *n);

/* What a call may do to memory that others see: 0 nothing, 1 read, 2 write.  purity.c */
unsigned purity_of_function(struct machine *m, struct unit_state *u, struct function *f);
unsigned purity_of_call(struct machine *m, struct unit_state *u, const struct node *call);

/* ---- the library: lib.c ----------------------------------------------------------------- */

/* One call of a library function. */
struct lib_call {
    struct machine *m;
    const struct call_site *site;
    struct func *func;
    const struct insn *pc;
    uint64_t *r;      /* the caller's slots */
    uint64_t *result; /* one or two slots */
    struct program *p;
};

typedef void lib_fn(struct lib_call *c);

struct lib_row {
    const char *name;
    lib_fn *run;
    const char *types; /* of its parameters, a letter each: see lib.def */
    uint32_t extra;
};

const struct lib_row *lib_find(const char *name);
struct object *lib_object(struct machine *m, const char *name, struct unit_state *u,
                          struct decl *d);
void lib_start(struct machine *m);
void lib_end(struct machine *m);
void lib_at_exit(struct machine *m);
bool lib_arguments(struct machine *m, int *argc, uint64_t *argv, uint64_t *environ_);

/* ---- kinds ------------------------------------------------------------------------------ */

enum kind kind_of(const struct program *p, const struct type *t);
unsigned kind_size(const struct program *p, enum kind k);
static inline bool kind_is_pair(enum kind k)
{
    return k == KIND_WIDE || k == KIND_LDOUBLE;
}

#endif
