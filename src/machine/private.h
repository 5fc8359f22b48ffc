/* The state of one machine, and what its files share.
 *
 * The way of a program: link.c finds the objects and functions that names stand for; compile/ turns
 * a function's tree into struct insn when it is first called; exec.c runs them, native/ those that
 * are hot; memory.c and access.c are the memory; sequence.c watches unsequenced accesses; lib/ is
 * the C library; facts.c answers.  memory.h has the objects, code.h the instructions.
 *
 * Every function here that finds something undefined or unsupported says so by one of the ends
 * below, which set m->ended and the result once; it then returns false or NULL, and whoever called
 * it stops without saying more. */
#ifndef MACHINE_PRIVATE_H
#define MACHINE_PRIVATE_H

#include "machine/code.h"

#include <string.h>

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
    uint32_t outer;      /* of a nested function: the frame of the one around it */
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
    uint32_t depth; /* of the frame that started it */
    bool open;
    /* the deepest call that it was passed to and that read from it last (C11 7.16p3); 0: none */
    uint32_t reader_depth;
    uint64_t reader; /* that frame's serial; 0: the library */
};

/* A call that never came back: what stands behind it in its region did not run. */
struct cut {
    uint32_t counter;
    uint64_t order;
    int64_t times; /* below 0: it ran more often, because setjmp returned again */
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
    struct bases **bases; /* by function index */
    uint32_t bases_count;
    uint32_t node_count;
    struct scope **scope;       /* by node id: of blocks, loops and labels */
    struct spot **case_target;  /* by node id */
    bool *dropped;              /* by node id, or NULL without edits */
    bool *inserted;             /* something stands before it; by node id, or NULL without edits */
    const struct node **edited; /* by node id, or NULL without edits */
    struct object **strings;    /* by node id */
    struct list copied; /* struct node: integers in memory that are read only to be copied */
    struct list passed; /* struct node: characters in memory that are passed to functions as such */
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

static inline bool has_inserts(const struct unit_state *u, const struct node *n)
{
    return u->inserts && n && n->id < u->node_count && u->inserted[n->id];
}

/* Tags of the instructions that tell sequence.c: of interest to the callers' expressions only (of a
 * merge: the operands are indeterminately sequenced); the lvalue is volatile. */
enum { TOUCH_INNER = 1, TOUCH_VOLATILE = 2, TOUCH_LATE = 4 };

/* An access in the log between sequence points. */
struct touch {
    uint64_t address; /* in bits */
    uint64_t size;
    uint32_t unit;
    uint32_t node;
    bool called; /* in a function or block, and not in the expression itself */
    bool write, pending, is_volatile;
};

struct sequence {
    struct touch *log;
    size_t count, room;
    size_t *marks;
    size_t mark_count, mark_room;
    uint32_t latest[4096];            /* where in the log accesses are, by address; hints only */
    size_t done_from, done_behind;    /* what lies there is all of a call that came back */
    enum purity_promise done_promise; /* that it has kept */
    uint64_t work;                    /* accesses that were looked at again */
    bool
        given_up; /* the log grew too long, or took too long; until the outermost expression ends */
};

/* Where calls of pure functions are to leave no trace: static locals as they were. */
struct kept;
struct keeping {
    struct kept *all;
    size_t count, room;
    uint64_t bytes; /* that were copied in all */
    uint32_t depth; /* of the frame at whose end they are put back, and its serial; 0: of none */
    uint64_t serial;
};

struct library;
struct jump_place;

/* Places that setjmp marked, and the jump that is on its way: jump.c. */
struct jumps {
    struct jump_place *places;
    size_t count, room;
    uint64_t last;              /* the newest id */
    const struct insn *pending; /* the call of setjmp that returns next; NULL: none */
    uint32_t nested;            /* in this run of exec */
    uint64_t value;
};

/* Where native code goes on, or where the interpreter does: native/native.c. */
struct native_state {
    uint64_t *r;
    const struct insn *first; /* of the code whose frame is on top */
    const struct insn *next;  /* the interpreter's; NULL: the run has ended */
    struct native *all;
};

enum { MOST_SHARED = 32, MOST_RELATIONS = 256, MOST_SPOTS = 8 };

/* May one structure lie so many bytes inside of another, or share a union with it?  A remembered
 * answer: record.c. */
struct relation {
    uint32_t record, in; /* numbers; 0: nothing is remembered here */
    int64_t off;         /* below 0: the other way round */
    bool holds;
};

struct machine {
    struct unit_state *units;
    uint32_t unit_count;
    struct machine_options options;
    const struct target *target;
    bool swapped; /* the target's bytes are not in our order */
    struct machine_result result;
    bool ended;
    struct arena arena;
    struct memory memory;
    uint64_t *stack, *stack_end;
    uint64_t automatic; /* bytes of objects that frames own */
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
    struct list starters; /* struct starter: constructors and destructors */
    struct cursor *cursors;
    uint32_t cursor_count, cursor_room;
    struct sequence seq;
    struct machine_conflict *conflicts;
    size_t conflict_count, conflict_room;
    struct machine_volatile *volatiles;
    size_t volatile_count, volatile_room;
    uint32_t volatile_group; /* of the last access */
    uint32_t volatile_depth; /* nesting of full expressions that leave an order open */
    struct cut *cuts;
    size_t cut_count;
    bool frees;         /* some unit calls free or realloc */
    bool mixes_records; /* some unit converts pointers between structure types, or takes the
                         * address of a union's member */
    /* unions whose structures were reached through pointers last: as which members, bit by bit */
    struct shared {
        uint64_t at, size, members;
    } shared[MOST_SHARED];
    uint32_t shared_next;
    struct list homely; /* struct object: static locals */
    struct keeping keeping;
    struct list records;  /* struct numbered: structures that were reached, by number */
    bool records_meet;    /* some allocated object was reached as two of them that have nothing in
                           * common */
    bool left_padding;    /* some was left unset */
    uint32_t padding_mix; /* the last byte that was left, and more */
    struct relation relations[MOST_RELATIONS];
    bool has_walls;      /* some unit has arrays that are members, and not of characters */
    struct list walls;   /* struct wall */
    bool mixes_wholes;   /* some unit makes a pointer to a structure, union or vector of another */
    bool drops_volatile; /* some unit converts a pointer to volatile to one to what is not */
    bool met[CHOICE_COUNT];                   /* choices that the result may depend on */
    struct machine_place where[CHOICE_COUNT]; /* the first of each */
    struct choice_spot { /* where choices are met that may be made otherwise in each place */
        enum machine_choice choice;
        struct machine_place place;
    } spots[MOST_SPOTS];
    uint32_t spot_count;
    uint64_t guesses;    /* answers that were given by turns: compile/call.c */
    struct map tag_maps; /* type to struct tag_map */
    struct library *lib;
    uint64_t insn_count, node_compiled;
    uint64_t serial;
    uint32_t nested;                        /* runs of exec within runs */
    uint32_t watching;                      /* frames that have a watch */
    uint32_t following;                     /* of these, those that follow pointers in memory */
    uint32_t *region_parent, *region_order; /* by counter */
    struct func init_func;
    const struct call_site *exit_site; /* the call that ended the program */
    struct native_state native;
    struct jumps jumps;
};

/* A number's bytes between our order and the target's, n of them. */
static inline void memory_get(const struct machine *m, void *to, const uint8_t *from, size_t n)
{
    memcpy(to, from, n);
    for (size_t i = 0; __builtin_expect(m->swapped, 0) && i < n; i++)
        ((uint8_t *)to)[i] = from[n - 1 - i];
}

static inline void memory_put(const struct machine *m, uint8_t *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    for (size_t i = 0; __builtin_expect(m->swapped, 0) && i < n; i++)
        to[i] = ((const uint8_t *)from)[n - 1 - i];
}

/* ---- ends: end.c ------------------------------------------------------------------------ */

/* All of these set the result, unless it is set already. */
void machine_undefined(struct machine *m, enum ub ub, uint32_t unit, const struct node *n,
                       const char *fmt, ...) PRINTF_LIKE(5, 6);
void machine_unsupported(struct machine *m, uint32_t unit, const struct node *n, const char *fmt,
                         ...) PRINTF_LIKE(4, 5);
/* The program's behaviour is one of several that C allows and compilers differ in. */
void machine_unspecified(struct machine *m, uint32_t unit, const struct node *n, const char *fmt,
                         ...) PRINTF_LIKE(4, 5);
void machine_stop(struct machine *m, enum machine_end end, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The tank is empty: false when the machine is to end. */
bool machine_refuel(struct machine *m);
/* A fault of the instruction with its two operands. */
void machine_fault(struct machine *m, const struct insn *pc, enum ub ub, uint64_t x, uint64_t y);
/* The same with operands that take two slots. */
void machine_fault_wide(struct machine *m, const struct insn *pc, enum ub ub, u128 a, u128 b);
/* An address that cannot be accessed: finds out why. */
void machine_bad_access(struct machine *m, uint32_t unit, const struct node *n, uint64_t pointer,
                        int64_t offset, uint64_t size);
/* The object that a fault is about to be told of, alive or dead. */
void machine_note_object(struct machine *m, uint64_t address);
const char *machine_describe(struct machine *m, uint64_t address); /* "'a' + 4", in the arena */

/* A choice is met: notes it, and says whether it is made the other way. */
static inline bool machine_choose(struct machine *m, enum machine_choice k, uint32_t unit,
                                  const struct node *n)
{
    if (!m->met[k])
        m->where[k] = (struct machine_place){unit, n};
    m->met[k] = true;
    return m->options.choices >> k & 1 && (!m->options.only.node || m->options.only.node == n);
}

/* Where in a function its label number N is, counted from 1, and which one is there. */
static inline uint64_t label_offset(const struct machine *m, const struct func *f, uint64_t n)
{
    return m->options.choices >> CHOICE_LABELS & 1 ? f->body->labels.n + 1 - n : n;
}

/* An address becomes a number, or its bytes can be looked at. */
static inline void machine_note_address(struct machine *m, uint32_t unit, const struct node *n)
{
    machine_choose(m, CHOICE_ADDRESS, unit, n);
    machine_choose(m, CHOICE_REUSE, unit, n);
}

/* ---- linking: link.c -------------------------------------------------------------------- */

bool link_start(struct machine *m);
void link_grow(struct machine *m, struct unit_state *u);
struct var *link_var(struct machine *m, struct unit_state *u, struct decl *d);
struct func *link_func(struct machine *m, struct unit_state *u, struct decl *d);
struct object *link_string(struct machine *m, struct unit_state *u, const struct node *n);
struct object *func_object(struct machine *m, struct func *f);
/* Is this a name that no library defines?  A weak reference to it is null. */
bool link_is_absent(const char *name);
/* Is this the name of an object that a linker makes? */
bool link_is_placed(struct machine *m, const struct decl *d);
/* A template that does nothing and only reads its operands, or keeps them ("+r"), only stops
 * compilers from knowing. */
bool asm_does_nothing(const char *text);
/* What some unit has that lets things go on beside the program: signals, shared memory, functions
 * that come back twice, assembly; NULL: nothing. */
const char *link_beside(const struct machine *m);
/* Runs the initialisers of objects that were mentioned for the first time. */
void link_initialise(struct machine *m);
struct func *link_main(struct machine *m);
/* Functions that are called before main, and after it: those declared constructor or destructor. */
void link_run_constructors(struct machine *m);
void link_run_destructors(struct machine *m);

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
/* Does a call of this function change nothing that others see? */
bool exec_leaves_no_trace(struct machine *m, const struct func *f);
void exec_kill_objects(struct machine *m, struct frame *f);
/* The object ends with the frame; false when there is no room for it. */
bool exec_own(struct machine *m, struct object *o);

/* One instruction, and no further: the next one, or NULL when the run has ended. */
const struct insn *exec_step(struct machine *m, const struct insn *pc, uint64_t *r);

/* ---- calls: call.c ---------------------------------------------------------------------- */

/* Do the arguments and the type of a call fit the function? */
bool call_check(struct machine *m, const struct call_site *site, struct func *f);
bool va_start_at(struct machine *m, const struct insn *pc, uint64_t *r);
bool va_arg_next(struct machine *m, const struct insn *pc, uint64_t *r);
bool va_copy_of(struct machine *m, const struct insn *pc, uint64_t *r);
bool va_end_of(struct machine *m, const struct insn *pc, uint64_t list);
void cursors_drop(struct machine *m, struct frame *f);
/* A list is read from, by the frame on top or by the library that it called: false when its value
 * is indeterminate there. */
bool cursor_take(struct machine *m, struct cursor *c, uint32_t depth);
/* The next argument of a list as slots; NULL when there is none, or its type is another. */
const uint64_t *cursor_next(struct machine *m, struct cursor *c, const struct type **type);

/* ---- accesses that are no hot path: access.c -------------------------------------------- */

/* Checked: NULL when the access is undefined, and the machine has ended. */
uint8_t *access_read(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size);
uint8_t *access_write(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size);
/* May it be read, but for whether it is set? */
bool access_peek(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size);
bool access_carry(struct machine *m, const struct insn *pc, uint64_t to, uint64_t from,
                  uint64_t size);
bool access_copy(struct machine *m, const struct insn *pc, uint64_t to, uint64_t from,
                 uint64_t size);
bool access_tags(struct machine *m, const struct insn *pc, struct object *o, uint64_t off,
                 unsigned size, bool store);
bool access_init(const struct object *o, uint64_t off, uint64_t size);
/* Nobody knows these bits of an object any more. */
void access_forget(struct machine *m, uint64_t address, const struct padding *p);
/* The bits that a byte's mask says are padding, and hold what nobody knows. */
void access_forget_byte(struct machine *m, struct object *o, uint64_t off, uint8_t mask);
/* Its bytes become zeros. */
void access_zero_rest(struct machine *m, uint64_t address, const struct padding *rest);
/* So many bytes there were never set. */
void access_unset(struct machine *m, uint64_t address, uint64_t size);
/* Is it a byte whose unset bits are padding, so that reading it is unspecified (C11 6.2.6.1p6)? */
bool access_is_padding(const struct machine *m, const struct object *o, uint64_t off);
void access_set_tags(struct object *o, uint64_t off, uint64_t size, uint8_t tag);
bool access_bits_load(struct machine *m, const struct insn *pc, uint64_t address, uint64_t *v);
bool access_bits_store(struct machine *m, const struct insn *pc, uint64_t address, uint64_t v);
/* Of a _BitInt that does not fill its bytes, u.type; v is one slot, or two. */
bool access_padded_load(struct machine *m, const struct insn *pc, uint64_t address, uint64_t *v);
bool access_padded_store(struct machine *m, const struct insn *pc, uint64_t address,
                         const uint64_t *v);
/* Is something of a type there that u.wide has among its tags? */
bool access_whole(struct machine *m, const struct insn *pc, uint64_t address);
/* Do a value's new place and its old one overlap?  u.apart: where they lie, and whether they may be
 * one place. */
bool access_apart(struct machine *m, const struct insn *pc, uint64_t to, uint64_t from);
bool access_fits_field(struct machine *m, const struct insn *pc, uint64_t v);
bool access_pointers(struct machine *m, const struct insn *pc, uint64_t x, uint64_t y, enum ub ub);
bool access_alive(struct machine *m, const struct insn *pc, uint64_t x);
/* The same where it was allocated. */
bool access_unfreed(struct machine *m, const struct insn *pc, uint64_t x);
/* Are two pointers equal?  False when the run has ended. */
bool access_equal(struct machine *m, const struct insn *pc, uint64_t x, uint64_t y, bool *equal);
/* Does it point into an object, and not to a function, a label or nowhere? */
bool access_is_object(struct machine *m, uint64_t x);
/* These bytes are looked at, up to the end of their object: if there is a pointer or a NaN among
 * them, that is noted as a choice. */
void access_note_address(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size);
/* Bytes from there to the end of the object; all ones when there is none. */
uint64_t access_room(struct machine *m, uint64_t x);
/* Does it point to a variable that is neither an array nor a structure? */
bool access_is_scalar(struct machine *m, uint64_t x);
bool exec_convert(struct machine *m, const struct insn *pc, uint64_t *r);
bool exec_true_wide(struct machine *m, const struct insn *pc, uint64_t *r);
bool exec_wide(struct machine *m, const struct insn *pc, uint64_t *r);
/* False when it is not exact, and the run has ended. */
bool exec_exact_binary(struct machine *m, const struct insn *pc, uint64_t *r);
bool exec_exact_convert(struct machine *m, const struct insn *pc, uint64_t *r);
/* A part of a complex value, of the type that it is converted from; false: the run has ended. */
bool complex_read(struct machine *m, const struct insn *pc, const struct conversion *of,
                  uint64_t at, long double *v);
bool complex_write(struct machine *m, const struct insn *pc, const struct conversion *of,
                   uint64_t at, long double v);
bool exec_complex(struct machine *m, const struct insn *pc, uint64_t *r);
bool exec_vector(struct machine *m, const struct insn *pc, uint64_t *r);

/* ---- structures through other types: record.c ------------------------------------------- */

/* Does the unit convert a pointer to a type to one to another, for which this holds? */
typedef bool conversion_fn(const struct type *from, const struct type *to);
bool record_any_conversion(const struct program *p, conversion_fn *is);
/* The same of pointers that are not fresh from the library. */
bool record_any_reuse(const struct program *p, conversion_fn *is);
/* Does the program have a way from a pointer to one structure type to one to another? */
bool record_mixes(const struct machine *m);
/* The number of a structure type; 0: of any other, and of one that may alias anything. */
uint32_t record_number(struct machine *m, const struct program *p, const struct type *t);
const struct type *record_numbered(const struct machine *m, uint32_t number);
/* A member of the structure with the number pc->b, at this address in o, is about to be reached. */
bool record_reach(struct machine *m, const struct insn *pc, struct object *o, uint64_t address);
/* These bytes of an object that is_shared are stored, and not through a pointer to a structure. */
void record_stored(struct machine *m, struct object *o, uint64_t address, uint64_t size);
/* Is there a union in it? */
bool record_has_union(const struct type *t);
/* A pointer to the structure with this number is made from another one. */
void record_make(struct machine *m, uint32_t number, uint64_t address);
/* Compilers keep both apart unless one may lie there in the other, at so many bytes from its
 * beginning (below 0: the other in the one), or some union has both. */
bool record_goes_with(struct machine *m, uint32_t record, uint32_t in, int64_t off);

/* ---- structures in allocated memory: owner.c --------------------------------------------- */

/* pc->dst bytes at this address are about to be accessed through a structure at root. */
bool owner_touch(struct machine *m, const struct insn *pc, uint64_t address, uint64_t root);
/* Bytes were stored through no structure. */
void owner_clear(struct object *o, uint64_t off, uint64_t size);

/* ---- pointers that leave an array which is a member: wall.c ------------------------------- */

bool wall_in_type(const struct program *p, const struct type *t);
bool wall_in_program(const struct program *p);
/* May a pointer of the type that is made from a value of the other one walk beyond them? */
bool wall_is_left(const struct type *from, const struct type *to);
/* For moves of pointers to this type; NULL: they are not looked at. */
struct wall *wall_new(struct machine *m, const struct program *p, const struct type *of);
/* A pointer is about to move from one offset in o to another. */
bool wall_check(struct machine *m, const struct insn *pc, struct object *o, uint64_t off,
                uint64_t to);

/* ---- volatile objects through plain lvalues: plain.c ------------------------------------- */

bool plain_drops_volatile(const struct program *p);
bool plain_reach(struct machine *m, const struct insn *pc, uint64_t address);

/* ---- pure and const functions: pure.c --------------------------------------------------- */

/* The function on top begins, and yields what the end of it wants to know. */
uint64_t pure_begin(struct machine *m);
/* It is about to return. */
bool pure_end(struct machine *m, uint64_t before);
/* A static local has just been made. */
void pure_keep(struct machine *m, struct object *o);
void pure_free(struct machine *m);
/* The program is about to end: false when a function that is active promised to return. */
bool pure_may_leave(struct machine *m, const struct call_site *site);

/* ---- restrict: restrict.c --------------------------------------------------------------- */

/* The frame on top begins to watch the bases that its function has from the beginning. */
void restrict_enter(struct machine *m);
/* These begin, or end: what was accessed outside of their blocks does not count. */
void restrict_begin(struct machine *m, uint16_t bases);
void restrict_leave(struct machine *m, uint16_t bases);
/* An object of the frame on top dies. */
void restrict_die(struct machine *m, uint64_t address, uint64_t size);
bool restrict_touch(struct machine *m, const struct insn *pc, uint64_t address);
/* The library accesses memory for the call at pc. */
bool restrict_library(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
                      bool write);
void restrict_end(struct machine *m, struct frame *f);
/* longjmp came back to this frame: nothing is known any more of its blocks. */
void restrict_forget(struct frame *f);

/* ---- setjmp: jump.c ----------------------------------------------------------------------- */

enum jump_answer {
    JUMP_DONE,
    JUMP_GONE,  /* the function that called setjmp has returned */
    JUMP_BLOCK, /* the block that did was left */
};
uint64_t jump_new(struct machine *m);
/* The call of setjmp at pc, by the frame on top, can be returned to by this id. */
void jump_set(struct machine *m, const struct insn *pc, uint64_t id);
/* Leaves all frames above the place; the run that it belongs to goes on at jump_land. */
enum jump_answer jump_back(struct machine *m, uint64_t id, uint64_t value);
/* The call that returns now; NULL when there is none, or not in this run of exec. */
const struct insn *jump_land(struct machine *m);
/* So many more executions of this call never came back. */
void jump_count(struct machine *m, const struct call_site *site, int64_t times);
void jump_end(struct machine *m);

/* ---- sequencing: sequence.c ------------------------------------------------------------- */

void seq_touch(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
               bool write);
void seq_mark(struct machine *m);
void seq_merge(struct machine *m, const struct insn *pc);
void seq_write(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size);
void seq_settle(struct machine *m);
void seq_pop(struct machine *m);
/* The tracked call on top comes back: what was logged since then is its own. */
void seq_return(struct machine *m);
/* A statement expression, or the library's part in a call, is over: what was logged since the last
 * mark is its own. */
void seq_enclose(struct machine *m);
void seq_end(struct machine *m);
/* From i on in the log: the next access that may not be of the call that came back last. */
static inline size_t seq_skip_done(const struct sequence *s, size_t i)
{
    return i == s->done_from && s->done_behind > i && s->done_behind <= s->count ? s->done_behind
                                                                                 : i;
}

#endif
