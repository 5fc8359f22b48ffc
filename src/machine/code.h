/* What a function is once it is compiled: instructions over slots, and what they point to.
 *
 * Written by compile/, read by exec.c and native/.  A slot is 64 bits of a frame; integers lie
 * there extended by their type's sign, so that comparing and bit operations need no width.  Code
 * belongs to the machine's arena and never changes after it is compiled, but for what an
 * instruction remembers of its last access (u.object) and for heat. */
#ifndef MACHINE_CODE_H
#define MACHINE_CODE_H

#include "machine/memory.h"

#define NO_SLOT UINT32_MAX

enum opcode {
#define OP(name, ...) I_##name,
#include "machine/instructions.def"
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
        const struct watched_access *watched;
        const struct padding *padding;
        const struct apart *apart;
        uint64_t wide;
    } u;
};

/* The bits of an object that hold no value. */
struct padding {
    uint8_t *bits;
    uint64_t size;
};

/* Two objects, in bits from two addresses on, of which one is assigned to the other. */
struct apart {
    uint64_t bits[2];
    uint32_t first[2];
    bool same; /* their types are compatible */
};

/* Arrays of members that a pointer may not leave (wall.c). */
struct wall {
    const struct program *program;
    const struct type *element;
    uint64_t size;            /* of what is accessed there */
    uint64_t base, low, high; /* the object and the array that it lay in last */
};

/* What of a promise was broken: the first operand of UB_PROMISE. */
enum promise {
    PROMISE_NONNULL,
    PROMISE_ALIGNED,
    PROMISE_ROOM,
    PROMISE_FRESH,
    PROMISE_READS,
    PROMISE_WRITES
};

/* Is a function declared pure, or const? */
enum purity_promise { PROMISE_NO_PURITY, PROMISE_PURE, PROMISE_CONST };

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
    KIND_QUAD,    /* two slots: _Float128 */
    KIND_MEMORY,  /* the address of where it lies: structures, unions, vectors */
    KIND_OTHER,   /* not supported when executed */
};

/* What a pointer is based on (C11 6.7.3.1p3), in terms of a function's bases. */
enum basis_kind {
    BASIS_MAYBE, /* on some of these, or none */
    BASIS_MUST,  /* on all of these */
    BASIS_NONE,  /* on none */
    BASIS_NAMED, /* on none, whoever asks: the address of an object that is named */
    BASIS_NULL,  /* a null pointer */
};
enum { MOST_BASES = 15, BASIS_ANY = (1 << MOST_BASES) - 1, MOST_ORIGINS = UINT8_MAX };
struct basis {
    uint16_t may;   /* a bit for each base */
    uint8_t sure;   /* enum basis_kind */
    uint8_t origin; /* on the restrict pointer in memory that this origin read last; 0: none */
};

static inline bool based_same(struct basis x, struct basis y)
{
    return x.may == y.may && x.sure == y.sure && x.origin == y.origin;
}

struct base {
    const struct decl *decl; /* NULL: the restrict pointers in memory */
    int32_t parameter;       /* its number; below 0: none */
    bool is_restrict;
};

/* A place in the text where a restrict pointer is read that lies in memory. */
struct origin {
    const struct node *node; /* the lvalue */
    bool lasting;            /* designated by an object of file scope */
    bool fixed;              /* points to const */
};

/* The bases of a function: compile/based.c. */
struct bases {
    struct base list[MOST_BASES];
    uint8_t count;
    bool ready;                 /* not before it is whole: functions call themselves */
    uint16_t restricted;        /* which are watched */
    uint16_t fixed;             /* of those, which point to const */
    uint16_t in_memory[2];      /* which stands for those in memory; by struct origin's lasting */
    uint16_t lasting;           /* which have file scope: any other value may be based on them */
    uint16_t begun;             /* which there are when the function begins */
    uint16_t leaked;            /* which may come back from memory */
    uint16_t unread, unwritten; /* through which nothing may be read or written (access) */
    struct list variables;      /* struct based_variable */
    struct list origins;        /* struct origin; numbered from 1 on */
};

/* An access that restrict pointers watch. */
struct watched_access {
    const struct object *object; /* STATIC; else NULL */
    uint64_t size;
    struct basis on;
    bool write;
    uint8_t origin; /* a restrict pointer is read; 0: it is none, or nobody follows it */
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
    bool tested;          /* of its value only the sign or truth is */
    uint64_t order;       /* among the nodes of its function: see struct cut */
    uint32_t counter;
    uint64_t bound;            /* of a callback into a nested function: struct func's */
    const struct basis *based; /* of each argument; NULL: nobody wants to know */
    const uint64_t *rooms;     /* of the library: how far an array that is a member goes from there,
                                * by argument; UINT64_MAX: it is none; NULL: all are none */
};

/* A function of the program, or of the library. */
struct func {
    const char *name;
    struct decl *decl;     /* the one that defines it, if any does */
    struct function *body; /* NULL: library, or missing */
    uint32_t unit;
    struct code *code[4]; /* plain, and with every access tracked; the same watched (restrict.c) */
    const struct lib_row *lib;
    struct func *rival;    /* the library's of that name, which compilers may take; or NULL */
    struct object *object; /* its address */
    uint32_t counters;     /* first of its counters, once compiled */
    uint64_t bound;        /* of a nested function whose address was looked up last: serial of the
                            * frame that it belongs to */
    uint8_t purity;        /* enum purity_promise: of its definition */
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
    const struct bases *bases; /* NULL: its accesses are not watched */
    bool marks;                /* calls setjmp: its variables stand in memory */
    uint32_t heat;             /* calls and iterations, until it is compiled once more: native.c */
    struct native *native;     /* NULL: interpreted */
};

/* A block, and the objects that are born in it. */
struct scope {
    struct scope *parent;
    struct list locals;  /* struct local */
    struct list flagged; /* struct var: checked ones whose declaration can be jumped over */
    uint16_t restricts;  /* bases that end with it */
    uint32_t depth;
};

enum kind kind_of(const struct program *p, const struct type *t);
unsigned kind_size(const struct program *p, enum kind k);
/* What operators compute with only where an int has 16 bits: else it was promoted. */
static inline bool kind_is_short(enum kind k)
{
    return k == KIND_I16 || k == KIND_U16;
}

static inline bool kind_is_pair(enum kind k)
{
    return k == KIND_WIDE || k == KIND_LDOUBLE || k == KIND_QUAD;
}

/* ---- operators of lang ------------------------------------------------------------------ */

/* ++ or -- */
static inline bool is_step(const struct node *n)
{
    return n->kind == NODE_UNARY &&
           (n->op == OP_PREINC || n->op == OP_PREDEC || n->op == OP_POSTINC || n->op == OP_POSTDEC);
}

/* The relational and the equality operators bind at a level of their own each. */
static inline bool op_is_comparison(enum op op)
{
    unsigned prec = lang_op_info[op].prec;
    return prec == lang_op_info[OP_LT].prec || prec == lang_op_info[OP_EQ].prec;
}

#endif
