/* run: executes the tree that is being written.
 *
 * Takes nodes of the program and the objects that they name; yields values, what the objects hold
 * afterwards, and what the program prints.  A small interpreter of its own, beside the machine: it
 * executes what is not finished yet, and shares no code with the machine, so that the soak, in
 * which both execute every program, checks the one by the other.
 *
 * The first visit of a node is its making (make/); these functions come on later visits, and to
 * what shape/ has built.  A node that would be undefined now is a fault (faults.def): the guard
 * hook wraps it, and execution goes on with the wrapper's value.  A hole is filled by the fill
 * hook, an open block that is executed to its end continued by the next hook; so slots are passed,
 * not nodes: *slot may be another node after the call.
 *
 * Never draws a random number, never chooses. */
#ifndef GEN_RUN_RUN_H
#define GEN_RUN_RUN_H

#include "gen/state.h"

/* ---- memory.c --------------------------------------------------------------------------- */

struct object *run_mem_new(struct gen *g, struct type *type, struct decl *decl);
void run_mem_zero(struct object *o);  /* all bytes 0, initialised, pointers null */
void run_mem_clear(struct object *o); /* a new lifetime: nothing is initialised */
bool run_mem_ready(const struct gen *g, const struct spot *s);
void run_mem_load(const struct gen *g, const struct spot *s, struct val *v);
/* An integer of a basic type of up to 64 bits, that is no bit-field: its value; false where it has
 * none, or the type is another. */
bool run_mem_word(const struct gen *g, const struct spot *s, uint64_t *v);
void run_mem_store(const struct gen *g, const struct spot *s, const struct val *v);
/* size bytes, with pointers; the ranges may overlap where no pointers are inside. */
void run_mem_copy(const struct gen *g, struct object *to, uint64_t at, const struct object *from,
                  uint64_t from_at, uint64_t size);
/* A fresh object that holds a copy of the aggregate at the spot. */
struct object *run_mem_snapshot(struct gen *g, const struct object *o, uint64_t at,
                                struct type *type);
/* Is the byte range inside the object? */
bool run_mem_inside(const struct object *o, int64_t at, uint64_t size);
/* What a label's address points to: one object per label. */
struct object *run_label_object(struct gen *g, const struct label *l);

/* ---- value.c, builtin.c, vector.c ------------------------------------------------------- */

u128 run_convert(const struct gen *g, const struct type *from, const struct type *to, u128 bits);
bool run_is_true(const struct gen *g, const struct type *t, const struct val *v);
bool run_is_nan(const struct gen *g, const struct type *t, u128 bits);
/* Integers of up to 64 bits: zeros above their width. */
struct word_type {
    unsigned width;
    bool is_signed;
};
static inline uint64_t run_extend(uint64_t v, unsigned width)
{
    uint64_t sign = UINT64_C(1) << (width - 1);
    return (v ^ sign) - sign;
}
static inline uint64_t run_mask(unsigned width)
{
    return ~UINT64_C(0) >> (64 - width);
}
/* To any type but _Bool. */
static inline uint64_t run_convert_word(const struct gen *g, const struct type *from,
                                        const struct type *to, uint64_t v)
{
    if (gen_int_signed(g, from))
        v = run_extend(v, gen_int_width(g, from));
    return v & run_mask(gen_int_width(g, to));
}
/* Every operator but shifts, which are VALUE_UNSUPPORTED, as is what gives no word. */
enum value_fault run_apply_word(enum op op, const struct word_type *t, uint64_t a, uint64_t b,
                                uint64_t *r);
/* a op b in the type; the fault is returned. */
enum value_fault run_apply(const struct gen *g, enum op op, const struct type *t, u128 a, u128 b,
                           const struct type *count_type, u128 *r);
/* Executes a built pointer operation; false when C leaves it undefined. */
bool run_apply_pointer(struct gen *g, const struct node *n, const struct val *a,
                       const struct val *b, struct val *v);
/* False when the builtin is undefined on the argument. */
bool run_builtin(const struct gen *g, const struct decl *d, const struct type *t, const u128 *a,
                 u128 *r);
/* a op b, or op a where b is NULL: no lane may fault. */
void run_vector_apply(struct gen *g, enum op op, const struct type *t, const struct val *a,
                      const struct val *b, struct val *v);
void run_vector_splat(struct gen *g, const struct type *t, struct val *v);
void run_vector_convert(struct gen *g, const struct node *n, struct val *v);
bool run_vector_shuffle(struct gen *g, const struct node *n, const struct decl *d,
                        const struct val *args, struct val *v);

/* ---- complex.c -------------------------------------------------------------------------- */

/* An operator on values of which one is complex; the other may have the type of its parts. */
struct run_complex {
    enum op op;
    const struct type *left, *right;
};
bool run_is_complex(const struct type *t);
struct spot run_complex_part(const struct gen *g, const struct spot *whole, bool imaginary);
void run_complex_apply(struct gen *g, const struct run_complex *n, const struct val *a,
                       const struct val *b, struct val *v);
void run_complex_unary(struct gen *g, enum op op, const struct type *t, struct val *v);
/* The value becomes its real or imaginary part. */
void run_complex_value(struct gen *g, const struct type *t, bool imaginary, struct val *v);
void run_complex_convert(struct gen *g, const struct type *from, const struct type *to,
                         struct val *v);
bool run_complex_builtin(struct gen *g, const struct node *n, const struct decl *d,
                         const struct val *args, struct val *v);

/* ---- library.c, heap.c, atomic.c: false when the function is not one of theirs ----------- */

bool run_memory(struct gen *g, const struct decl *d, const struct val *a, struct val *v);
bool run_heap(struct gen *g, const struct decl *d, const struct val *a, struct val *v);
bool run_question(struct gen *g, const struct decl *d, const struct val *a, struct val *v);
bool run_text(const struct gen *g, const struct decl *d, const struct val *a, struct val *v);
bool run_atomic(struct gen *g, const struct node *n, const struct decl *d, const struct val *args,
                struct val *v);
bool run_overflow(struct gen *g, const struct node *n, const struct decl *d, const struct val *a,
                  struct val *v);
/* fold(n, ...), as make/function.c defines it */
u128 run_fold(const struct gen *g, const struct val *args, uint32_t n);

/* ---- output.c --------------------------------------------------------------------------- */

/* The checksum: sum = (sum ^ v) * by; sum ^= sum >> 29, as gen/unit.c writes it. */
#define RUN_MIX_START UINT64_C(0x243f6a8885a308d3)
#define RUN_MIX_BY    UINT64_C(0x9e3779b97f4a7c15)
void run_mix(struct gen *g, uint64_t v);
void run_trace(struct gen *g, uint64_t id, uint64_t v);

/* ---- eval.c, exec.c --------------------------------------------------------------------- */

enum run_fault_kind {
#define FAULT(name, help) RUN_FAULT_##name,
#include "gen/faults.def"
    RUN_FAULT_COUNT
};

/* A fault, and what is known about it: see faults.def for the fields that are set. */
struct run_fault {
    enum run_fault_kind kind;
    u128 a, b; /* operands, in the operator's type */
    uint64_t count;
    const struct spot *spot;
};

/* ---- word.c: expressions of integer types of up to 64 bits ------------------------------- */

/* The same as run_eval, and its value: 0 and up, below 2 to the type's width. */
uint64_t run_eval_word(struct gen *g, struct node **slot);
/* Is it an operator on two such values?  Then this is its value. */
bool run_is_word_binary(const struct gen *g, const struct node *n);
uint64_t run_eval_word_binary(struct gen *g, struct node **slot);
/* Of any scalar type. */
bool run_eval_truth(struct gen *g, struct node **slot);
/* Of any integer type. */
u128 run_eval_integer(struct gen *g, struct node **slot);

/* *v must be zero before: fields that the value does not have are left alone. */
void run_eval(struct gen *g, struct node **slot, struct val *v);
void run_eval_spot(struct gen *g, struct node **slot, struct spot *s);
/* What is there; a scalar that holds nothing yet is given something first. */
void run_read(struct gen *g, const struct spot *s, struct val *v);
enum flow run_exec(struct gen *g, struct node **slot);
enum flow run_exec_block(struct gen *g, struct node *block);
/* Stores a resolved initialiser. */
void run_init_store(struct gen *g, struct object *o, const struct node *init);
/* Calls the function with values of its parameters' types. */
void run_call(struct gen *g, struct fn *fn, const struct val *args, uint32_t n, struct val *v);

#endif
