/* What the files of compile share: one function on its way from tree to instructions. */
#ifndef MACHINE_COMPILE_PRIVATE_H
#define MACHINE_COMPILE_PRIVATE_H

#include "machine/compile/compile.h"

/* A value: a constant of up to 64 bits, or in a slot (two for wide kinds). */
struct opnd {
    bool constant;
    uint32_t slot;
    uint64_t k;
};

/* Where an lvalue lies. */
enum loc_kind { LOC_SLOT, LOC_STATIC, LOC_LOCAL, LOC_POINTER, LOC_BAD };
struct loc {
    uint8_t kind;
    bool via_union;  /* some step went through a member of a union, */
    bool by_pointer; /* ... which has a pointer or a floating number too */
    bool direct;     /* POINTER: the address of a whole object that is known to be there */
    bool packed;     /* alignment is not to be expected */
    bool late;       /* finding it had side effects, with which reading it is unsequenced */
    bool rooted;     /* root and record are known */
    bool begins;     /* a part gets its initial value, as a compiler likes it, and is not logged */
    struct basis based; /* POINTER: where a function has bases */
    uint32_t root;   /* POINTER: the slot that has the address of the structure whose member, or */
    uint32_t record; /* part of a member, it is, and its number; 0: of none, or of a union */
    uint32_t slot;   /* SLOT: the variable; LOCAL: its object; POINTER: the address */
    uint32_t index;  /* STATIC, LOCAL: slot of an offset in bytes, or NO_SLOT */
    struct object *object;
    int64_t offset;
    struct var *var;           /* SLOT */
    const struct field *field; /* a bit-field */
    const struct type *type;   /* of the lvalue, with its qualifiers */
    const struct type *whole;  /* the union that it is a part of, if via_union; or NULL */
};

/* A place that is jumped to before or after it is known. */
struct spot {
    uint32_t at;       /* instruction, 0: not yet */
    struct list jumps; /* indices of instructions, as pointers */
};

struct way_out {
    const struct node *node; /* the loop or switch */
    struct spot *leave, *again;
    struct scope *scope;
    struct way_out *outer;
};

struct compiler {
    struct machine *m;
    struct unit_state *u;
    struct program *p;
    struct func *f;
    struct func *label_func; /* whose labels can be named here */
    struct code *code;
    bool tracked;      /* every access of this function goes to the log */
    uint32_t tracking; /* nesting of tracked expressions */
    uint32_t apart;    /* nesting of expressions that need it, logged or not: what an operand read
                        * is kept, as another one may change it */
    uint32_t enclosed; /* nesting of statement expressions in them: every access goes to the log */
    uint32_t next;     /* first free slot */
    uint32_t region;   /* counter that tells how often the current place is reached */
    uint32_t order;
    uint32_t counters; /* next counter, when compiled again */
    uint32_t abrupt;   /* jumps and labels so far */
    struct scope *scope;
    struct way_out *ways;
    struct spot *labels;
    bool watched;              /* a function below watches its restrict pointers */
    const struct bases *bases; /* NULL: nobody wants to know */
    struct list carriers;      /* struct carrier: see prepare.c */
    struct list known;         /* struct var that are set here */
    struct list vla;           /* struct vla_size */
    const struct node *node;   /* the one being compiled */
    const struct node *tested; /* a call of which only the sign or truth is wanted */
    const struct node
        *followed;              /* a pointer that is followed or moved: that tells if it is freed */
    const struct node *reached; /* a sum whose result is dereferenced: its index is an element's */
    const struct node *source;  /* a read whose value is assigned, as far as it is known, */
    struct loc source_at;       /* and where it reads from */
    const struct local *result; /* of the last call, when it is a structure; or the last copy */
    struct list temporaries;    /* struct local: die with the full expression */
    struct list locals;         /* struct local: all of the function's */
    uint32_t floor;             /* first slot that is free between statements */
    uint32_t object_room;       /* slots reserved for objects */
    uint32_t before;            /* slot of a pure function: the next address when it began */
    bool head; /* the next condition is a loop's: how often it runs is the sum of its ways */
};

/* Half of a pair of counters: the sum tells how often. */
#define REGION_PAIR 0x80000000u

/* A character variable, and what happens to it: one that takes a character that lies in memory and
 * passes it on may carry one that was never set (C11 6.2.6.1p5), and so stands in memory itself.
 * Where a run showed that it matters (options.carry), so do those that only take one, and integers
 * of any type.  A wider integer that becomes a character again (narrows) may hand on one, too; what
 * it holds then is not followed. */
struct carrier {
    const struct decl *decl;
    bool takes, passes, narrows;
};

/* emit.c */
struct insn *emit(struct compiler *c, enum opcode op, uint32_t dst, uint32_t a, uint32_t b,
                  int64_t k);
uint32_t slot_new(struct compiler *c, unsigned n);
uint32_t slot_reserved(struct compiler *c); /* one of the function's own: see prepare.c */
struct opnd opnd_k(uint64_t k);
struct opnd opnd_slot(uint32_t slot);
uint32_t opnd_in_slot(struct compiler *c, struct opnd v);
void emit_move(struct compiler *c, enum kind kind, uint32_t dst, struct opnd v);
void emit_jump(struct compiler *c, struct spot *t);
void emit_jump_back(struct compiler *c, struct spot *t);
void jump_to(struct compiler *c, struct spot *t, uint32_t insn);
void target_here(struct compiler *c, struct spot *t);
void emit_unsupported(struct compiler *c, const struct node *n, const char *fmt, ...)
    PRINTF_LIKE(3, 4);
void check_selected(struct compiler *c, const struct node *n);
void emit_unspecified(struct compiler *c, const struct node *n, const char *words);
void emit_fault(struct compiler *c, const struct node *n, enum ub ub);
uint32_t counter_new(struct compiler *c, unsigned n);
void region_count(struct compiler *c);
uint32_t fact_of(struct compiler *c, const struct node *n);
const struct node *enter_node(struct compiler *c, const struct node *n);
/* What was emitted since `from` is not the value of n. */
void emit_no_value(struct compiler *c, const struct node *n, uint32_t from);
/* Tells sequence.c, where operands are watched. */
void emit_seq(struct compiler *c, const struct node *n, enum opcode op, int64_t k);

/* expr.c */
struct opnd compile_value(struct compiler *c, const struct node *n, uint32_t want);
/* The constant with these bits in this type; n is where it stands. */
struct opnd compile_bits(struct compiler *c, const struct node *n, const struct type *t, u128 bits);
/* - or ~ of a value of this type that is not complex. */
struct opnd compile_negate(struct compiler *c, const struct node *n, enum op op,
                           const struct type *t, struct opnd v);
/* What the operands of a full expression or an initialiser touch is watched, if they may conflict,
 * or if their order is open and they access volatile objects: yields which, for compile_unwatch.
 * Operands that may conflict are kept apart, whether somebody watches or not. */
enum { WATCH_CONFLICTS = 1, WATCH_VOLATILES = 2, WATCH_APART = 4 };
unsigned compile_watched(struct compiler *c, const struct node *n);
unsigned compile_watch(struct compiler *c, const struct node *n);
void compile_unwatch(struct compiler *c, const struct node *n, unsigned watch);
void compile_full(struct compiler *c, const struct node *n); /* value dropped */
struct opnd compile_full_value(struct compiler *c, const struct node *n, uint32_t want);
void compile_condition(struct compiler *c, const struct node *n, bool sense, struct spot *to);
/* The value that is about to be compiled is only compared with zero. */
void note_tested(struct compiler *c, const struct node *n);
uint32_t unique_edge(struct compiler *c, const struct node *n, bool sense);
struct opnd compile_convert(struct compiler *c, const struct node *n, struct opnd v,
                            const struct type *from, const struct type *to, uint32_t want);
struct opnd compile_binary(struct compiler *c, const struct node *n, enum op op, struct opnd a,
                           struct opnd b, const struct type *left, const struct type *right,
                           uint32_t want);
/* cast.c */
struct opnd compile_address(struct compiler *c,
                            const struct node *n); /* of an lvalue or function */
struct opnd compile_cast(struct compiler *c, const struct node *n, uint32_t want);
/* complex.c */
/* A part of a complex lvalue. */
struct loc complex_part(struct compiler *c, struct loc whole, bool imaginary);
struct opnd complex_load(struct compiler *c, const struct node *n, struct loc l);
void complex_store(struct compiler *c, const struct node *n, struct loc l, struct opnd v);
struct opnd complex_constant(struct compiler *c, const struct node *n);
struct opnd complex_of(struct compiler *c, const struct node *n); /* __builtin_complex */
struct opnd complex_part_value(struct compiler *c, const struct node *n, struct opnd v);
struct opnd complex_unary(struct compiler *c, const struct node *n, struct opnd v);
/* One of the two types is complex, or both are. */
struct opnd complex_convert(struct compiler *c, const struct node *n, struct opnd v,
                            const struct type *from, const struct type *to);
struct opnd complex_binary(struct compiler *c, const struct node *n, enum op op, struct opnd a,
                           struct opnd b, const struct type *left, const struct type *right);
/* assign.c */
struct opnd compile_assign(struct compiler *c, const struct node *n, uint32_t want);
struct opnd compile_step(struct compiler *c, const struct node *n, bool used); /* ++ and -- */
/* Is it an assignment of one character that may be unset?  Then it is compiled as a copy.  So are
 * other integers where they are to be carried. */
bool is_plain_copy(struct compiler *c, const struct node *n);
void compile_plain_copy(struct compiler *c, const struct node *n);
/* An integer is read only to be copied.  If it turns out to be unset, the run is to be repeated
 * with all such integers carried: see machine_execute. */
void note_copied(struct compiler *c, const struct type *to, const struct decl *variable,
                 const struct node *value);
/* The variable whose value this is, after no more than conversions between integers. */
const struct decl *read_variable(const struct compiler *c, const struct node *value);
/* Initialises a character in memory with one that may be unset; false: it is no such case. */
bool compile_copied_init(struct compiler *c, struct loc to, const struct node *init);
/* C11 6.3.1.4p1: a floating value that goes into a bit-field, converted to its type, must fit. */
void check_floating_field(struct compiler *c, const struct loc *l, const struct node *from,
                          struct opnd v);
/* Arithmetic on a bit-field that is wider than int is unsupported. */
/* field.c: of an operator n, one operand and the other (NULL: none). */
void check_fields(struct compiler *c, const struct node *n, const struct node *operand,
                  const struct node *other);
/* lvalue.c */
struct loc compile_lvalue(struct compiler *c, const struct node *n, bool address_only);
struct loc loc_pointer(uint32_t slot, int64_t offset, const struct type *type);
struct loc local_loc(struct compiler *c, struct decl *d);
/* load.c */
struct opnd loc_load(struct compiler *c, const struct node *n, struct loc l, uint32_t want);
void loc_store(struct compiler *c, const struct node *n, struct loc l, struct opnd v);
/* A variable is read that may never have been set; or it is set now.  Nothing for any other lvalue:
 * memory knows by itself. */
void loc_check_set(struct compiler *c, const struct loc *l);
void loc_note_set(struct compiler *c, const struct loc *l);
uint32_t loc_address(struct compiler *c, const struct node *n, struct loc l);
/* Reads what need not be set, and is not wanted. */
void loc_peek(struct compiler *c, const struct node *n, struct loc l);
/* Copies an integer as it is, set or not. */
void loc_carry(struct compiler *c, const struct node *n, struct loc to, struct loc from);
void loc_touch(struct compiler *c, const struct node *n, const struct loc *l, bool write);
/* length.c */
struct opnd size_of(struct compiler *c, const struct type *t);
/* An array whose length was computed: the slot that has it. */
bool vla_length(struct compiler *c, const struct type *t, uint32_t *slot);
/* Does its evaluation do anything beside yielding a value? */
bool has_effects(const struct compiler *c, const struct node *n);
void vla_lengths(struct compiler *c, const struct type *t);
void vla_parameter_lengths(struct compiler *c, const struct type *t);
/* call.c */
struct opnd compile_call(struct compiler *c, const struct node *n, uint32_t want, bool used);
struct opnd compile_va_arg(struct compiler *c, const struct node *n, uint32_t want);
struct local *temporary(struct compiler *c, const struct type *t);
/* A structure or vector that another operand may change, as it is now. */
struct opnd temporary_copy(struct compiler *c, const struct type *t, struct opnd v);
bool compile_builtin(struct compiler *c, const struct node *n, struct opnd *v, uint32_t want);
/* The lvalue of a character, or of another integer that is to be carried, whose value this is,
 * after no more than conversions between types of its size; NULL: it is something else. */
const struct node *copied_lvalue(const struct compiler *c, const struct node *value);
/* That character is an argument or a result: it may be unset, but that cannot be followed. */
void note_passed(struct compiler *c, const struct node *value);
/* init.c */
/* d: the variable that it is for; NULL: none, or one that is zero before. */
void compile_initialiser(struct compiler *c, struct loc l, const struct node *init,
                         const struct decl *d);
/* The object at the address in this slot is about to get what its list says; NULL: it has a value.
 * Its padding is nobody's to know. */
void compile_padding(struct compiler *c, uint32_t address, const struct type *t,
                     const struct init *init);
/* The same of a compound literal, whose list says it all: clang stores its members only, even
 * zeros. */
void compile_literal_padding(struct compiler *c, uint32_t address, const struct type *t,
                             const struct init *init);
/* The same of a structure that was passed or returned. */
void compile_passed_padding(struct compiler *c, uint32_t address, const struct type *t);
/* The same of a variable without an initialiser. */
void compile_unset_padding(struct compiler *c, struct loc l, const struct type *t);
/* stmt.c */
void compile_stmt(struct compiler *c, const struct node *n);
struct opnd compile_block_value(struct compiler *c, const struct node *block, uint32_t want);
void scopes_leave(struct compiler *c, struct scope *to);
void prepare_function(struct compiler *c, const struct node *body);
/* prepare.c: does this variable's value go into a character somewhere? */
bool narrows(const struct compiler *c, const struct decl *d);
/* conflict.c: can two operands of this expression conflict, for all that can be known before it
 * runs? */
bool compile_may_conflict(struct machine *m, struct unit_state *u, const struct node *n);
/* order.c: may two accesses to volatile objects in it come in another order? */
bool compile_leaves_order(struct compiler *c, const struct node *n);

unsigned purity_of_call(struct machine *m, struct unit_state *u, const struct node *call);

/* lvalue.c: a pointer is about to move by k, or so often k as a slot says (NO_SLOT: once), forwards
 * or backwards, over elements of a type; reached: what lies there is accessed. */
struct move {
    const struct type *of;
    uint32_t pointer, times;
    int64_t k;
    bool backwards, reached;
};
void watch_walls(struct compiler *c, struct move by);
/* lvalue.c: the bytes from a pointer to the end of the member that it is written to point into;
 * UINT64_MAX: none is written there. */
uint64_t written_room(const struct compiler *c, const struct node *pointer);
/* lvalue.c: the index of a sum or difference of an array and an integer; v: its operands. */
void check_array_step(struct compiler *c, const struct node *n, const struct opnd v[2]);

/* promise.c: checks of what the called function's declaration promises, before and after a call;
 * and of a parameter, where the caller put it. */
void promise_arguments(struct compiler *c, const struct decl *d, const struct call_site *site);
struct kept_arguments {
    uint32_t size, align; /* slots: what alloc_size and alloc_align name; NO_SLOT: nothing */
    uint32_t first;       /* pointers that a result must not be, of a malloc; NO_SLOT: any may */
    uint32_t pointers;
};
/* Slots for arguments that the result is compared with, since the callee may change its own: to be
 * had before those of the arguments; NO_SLOT: none are needed.  Then the arguments into them. */
uint32_t promise_room(struct compiler *c, const struct decl *d, const struct call_site *site);
struct kept_arguments promise_keep(struct compiler *c, const struct decl *d,
                                   const struct call_site *site, uint32_t room);
void promise_result(struct compiler *c, const struct decl *d, uint32_t slot,
                    const struct kept_arguments *k);
/* Where the function being compiled begins: before its parameters, which are its own, have their
 * objects, and after; and where it returns a value, or none: NO_SLOT. */
void promise_enter(struct compiler *c);
void promise_begin(struct compiler *c);
void promise_end(struct compiler *c, uint32_t result);
/* [static n] where n is no constant, once the lengths are known. */
void promise_variable_parameter(struct compiler *c, const struct decl *d);
void promise_parameter(struct compiler *c, const struct decl *d, uint32_t slot);

/* based.c: what the function's pointers are based on, if somebody wants to know. */
void based_prepare(struct compiler *c);
struct basis based_on(const struct compiler *c, const struct node *n);
/* The bit of a restrict variable that is a base from its declaration on; 0: it is none. */
uint16_t based_declared(const struct compiler *c, const struct decl *d);
/* Does an assignment give a restrict pointer the value of another of its block, or inside it? */
/* The number of the origin (struct origin) that an lvalue is, or 0. */
uint8_t based_origin(const struct compiler *c, const struct node *n);
/* The restrict variable that begins anew with this assignment, as a bit; or 0. */
uint16_t based_assigned(const struct compiler *c, const struct node *assign);
bool based_on_sibling(const struct compiler *c, const struct node *assign);

/* The kid of a node, after edits. */
static inline const struct node *kid(const struct compiler *c, const struct node *n, uint32_t i)
{
    return edited_node(c->u, n->kid[i]);
}

/* The operand that _Generic or __builtin_choose_expr takes; any other node itself. */
static inline const struct node *selected(const struct compiler *c, const struct node *n)
{
    while (n->kind == NODE_GENERIC || n->kind == NODE_CHOOSE)
        n = kid(c, n,
                n->kind == NODE_GENERIC  ? n->u.generic->chosen
                : n->flags & NODE_SECOND ? 2
                                         : 1);
    return n;
}

static inline const struct node *init_of(const struct compiler *c, const struct decl *d)
{
    return is_dropped(c->u, d->init) ? NULL : edited_node(c->u, d->init);
}

/* Any two operands change places in about half of the drawn orders. */
static inline uint32_t operand_drawn(uint32_t drawn, const struct node *of, uint32_t k, uint32_t n)
{
    uint64_t draw = hash_pair(drawn, of->id);
    uint32_t at = (uint32_t)((k + (draw >> 8) % n) % n);
    return draw & 1 ? n - 1 - at : at;
}

/* Which of n operands of a node is evaluated as the k-th, from 0: see struct machine_order. */
static inline uint32_t operand_at(const struct compiler *c, const struct node *of, uint32_t k,
                                  uint32_t n)
{
    const struct machine_order *o = &c->m->options.order;
    if (o->drawn)
        return operand_drawn(o->drawn, of, k, n);
    if (o->place.node != of)
        return c->m->options.choices >> CHOICE_LEAVING & 1 ? n - 1 - k : k;
    if (o->moved == o->to)
        return n - 1 - k;
    if (k == o->to)
        return o->moved;
    if (o->to < o->moved)
        return k > o->to && k <= o->moved ? k - 1 : k;
    return k >= o->moved && k < o->to ? k + 1 : k;
}

static inline bool op_tracked(const struct compiler *c)
{
    return c->tracked || c->tracking || c->enclosed;
}

#endif
