/* lang: what a program is.
 *
 * A struct program holds one translation unit as a typed tree in one arena: every name is
 * resolved, every expression has its C type, every conversion that the language implies is a
 * node of its own.  `front` builds it from text and `gen` from nothing, both with the
 * constructors below.  The printer writes it back as C; `machine` executes it; variants of it
 * are lists of struct edit that printer and machine both take, so nothing is ever cloned.
 *
 * Nothing here depends on the host: sizes, alignments, signedness of char and byte order come
 * from a row of targets.def, and all arithmetic on values is done on unsigned words.
 *
 * Memory: everything belongs to the program and goes with lang_program_free.
 * Failure: a constructor that is asked for something that C forbids (a type error) returns
 * NULL and leaves one line in program->err.  Everything else cannot fail.
 *
 * docs/lang.md has a picture, and says which files to touch to add a type, an operator or a
 * node.
 */
#ifndef LANG_LANG_H
#define LANG_LANG_H

#include "base/base.h"

/* ---- targets: targets.def --------------------------------------------------------------- */

enum target_id {
#define TARGET(id, ...) TARGET_##id,
#include "lang/targets.def"
#undef TARGET
    TARGET_COUNT
};

struct size_align {
    uint8_t size, align;
};

enum float_format { FLOAT_HALF, FLOAT_SINGLE, FLOAT_DOUBLE, FLOAT_X87, FLOAT_QUAD };

struct target {
    const char *name;
    bool little_endian, char_signed;
    bool plain_floats;    /* each operation on float and double is rounded once, as its type says */
    bool bitfields_align; /* a bit-field is aligned, and aligns its record, as its type is */
    bool unnamed_align;   /* one without a name aligns its record, too */
    uint8_t alone_align;  /* of a scalar of eight bytes that is no member; 0: as of a member */
    uint8_t size_type, ptrdiff_type, wchar_type; /* enum type_kind */
    uint8_t ldouble_format;                      /* enum float_format */
    struct size_align one, short_, int_, long_, llong, int128, pointer, half, float_, double_,
        ldouble, quad, va_list;
};

const struct target *lang_target(enum target_id id);
/* By name, as --target takes it; NULL when there is none. */
const struct target *lang_target_named(const char *name);
void lang_target_names(struct text *out); /* all of them, with commas */

/* ---- types: types.def ------------------------------------------------------------------- */

enum type_kind {
#define BASIC(id, ...) TYPE_##id,
#define DERIVED(id)    TYPE_##id,
#define SUGAR(id)      TYPE_##id,
#include "lang/types.def"
    TYPE_COUNT
};

enum type_class { CLASS_VOID, CLASS_INT, CLASS_FLOAT, CLASS_DECIMAL };

enum qualifier {
    QUAL_CONST = 1,
    QUAL_VOLATILE = 2,
    QUAL_RESTRICT = 4,
    QUAL_ATOMIC = 8,
    QUAL_MAY_ALIAS = 16, /* GNU may_alias: not written as a qualifier, but travels like one */
};

enum type_flag {
    TYPE_PROTOTYPE = 1, /* FUNCTION: the parameters' types are known */
    TYPE_VARIADIC = 2,  /* FUNCTION: ends in ... */
    TYPE_KNR = 4,       /* FUNCTION as written: f(a, b), types after it */
    TYPE_VARIABLE = 8,  /* a VLA, or made of one: its size is known at run time only */
    TYPE_UNSIZED = 16,  /* ARRAY []: incomplete, or a flexible member */
    TYPE_STAR = 32,     /* ARRAY [*] in a prototype */
    TYPE_STATIC = 64,   /* ARRAY [static n] in a parameter */
};

/* Two types are the same type when their canon is the same pointer.  canon is free of sugar
 * all the way down and shared (hash-consed), but for VLAs, each of which is its own.  A type as
 * written keeps typedefs, typeof and array lengths for the printer and says through canon what
 * it means.  The type of an expression node is always canonical; a value that is no lvalue has
 * an unqualified type.
 *
 * Qualifiers and a changed alignment are part of a type; unqual is the canonical type without
 * either.  Sizes are asked with lang_sizeof: a structure may be completed later. */
struct type {
    uint8_t kind;       /* enum type_kind */
    uint8_t quals;      /* enum qualifier */
    uint8_t flags;      /* enum type_flag */
    uint8_t class;      /* enum type_class of a basic type, or of what an enum stands for */
    uint32_t id;        /* dense among all types of the program */
    uint32_t align;     /* as __attribute__((aligned)) asks; 0: the type's own */
    struct type *canon; /* itself when canonical */
    struct type *unqual;
    struct type *base; /* pointee, element, result; what sugar stands for */
    union {
        struct {
            uint64_t count;      /* ARRAY, VECTOR: elements; BITINT: bits */
            struct node *length; /* ARRAY: as written, NULL for [] or a built type */
        };
        struct function_type *function;
        struct record *record;
        struct enumeration *enumeration;
        struct decl *decl;  /* TYPEDEF */
        struct node *expr;  /* TYPEOF of an expression; NULL when of a type: see base */
        struct node *body;  /* DEFINITION: RECORD or ENUM */
        struct attr *attrs; /* ATTRIBUTED */
    } u;
    struct type *pointer; /* pointer to this, once somebody asked */
    struct type *variant; /* next qualified or realigned variant of the same unqual */
};

struct function_type {
    struct type **types;  /* of the parameters: adjusted, canonical, unqualified */
    struct decl **params; /* as written, with their names; NULL in a canonical type */
    uint32_t count;
};

/* A structure or union: one per definition or forward declaration, shared by all mentions. */
struct record {
    const char *tag; /* NULL without one */
    struct type *type;
    struct field **fields; /* in order, with unnamed bit-fields */
    uint32_t count;
    uint32_t align; /* bytes */
    uint64_t size;  /* bytes */
    bool complete, is_union, packed, transparent;
    bool reversed;     /* the bytes of its scalars lie the other way round than the target's */
    bool may_alias;    /* GNU: it may lie wherever it likes */
    bool has_flexible; /* its last member is, or ends in, a flexible array */
    struct attr *attrs;
    struct node *body; /* RECORD, once defined */
    uint32_t id;
};

struct field {
    const char *name;  /* NULL: unnamed bit-field, or anonymous structure or union */
    struct type *type; /* as written */
    struct record *record;
    uint64_t offset; /* byte in the record; of a bit-field, the byte that holds its first bit */
    uint32_t bit; /* of a bit-field: 0..7, its first bit within that byte, in the target's order */
    uint32_t width; /* of a bit-field, in bits */
    uint32_t index; /* in record->fields */
    uint32_t align; /* asked for by _Alignas or an attribute; 0: the type's */
    bool is_bitfield, packed;
    struct attr *attrs;
    struct node *node; /* FIELD */
};

struct enumeration {
    const char *tag;
    struct type *type;
    struct type *base; /* the integer type that represents it */
    struct decl **values;
    uint32_t count;
    bool complete, packed;
    struct attr *attrs;
    struct node *body; /* ENUM */
    uint32_t id;
};

/* An attribute as written, one per list element: name, and text with its arguments. */
struct attr {
    const char *name; /* without leading and trailing underscores */
    const char *text; /* "aligned(8)" */
    bool standard;    /* [[...]] and not __attribute__((...)) */
    struct attr *next;
};

/* ---- declarations ----------------------------------------------------------------------- */

enum decl_kind { DECL_VAR, DECL_PARAM, DECL_FUNC, DECL_TYPEDEF, DECL_ENUMERATOR };
enum storage {
    STORAGE_NONE,
    STORAGE_EXTERN,
    STORAGE_STATIC,
    STORAGE_AUTO,
    STORAGE_REGISTER,
    STORAGE_TYPEDEF,
};
enum linkage { LINKAGE_NONE, LINKAGE_INTERNAL, LINKAGE_EXTERNAL };

/* What a name stands for.  There is one per object or function, however often it is declared;
 * each time that it is written is a DECLARATOR node. */
struct decl {
    uint32_t id;        /* dense: index into program->decls */
    uint8_t kind;       /* enum decl_kind */
    uint8_t linkage;    /* enum linkage */
    uint8_t storage;    /* enum storage, as first written */
    bool is_static;     /* lives as long as the program (or thread), and not the block */
    bool thread;        /* _Thread_local */
    bool used;          /* some expression names it */
    bool address_taken; /* by &, by decay of an array, by an asm operand, or captured */
    bool captured;      /* named in a function that is nested in its owner (GNU) */
    bool implicit;      /* not written: implicit function, builtin, __func__ */
    bool inline_, noreturn, weak;
    bool cleanup;           /* a variable with a function to call at its end */
    bool starts;            /* a function that runs before or behind main by itself */
    uint16_t builtin;       /* enum builtin, or 0 */
    uint32_t align;         /* asked for; 0: the type's */
    const char *name;       /* NULL: unnamed parameter, compound literal */
    struct type *type;      /* as it ends up: parameters adjusted, array lengths completed, the
                             * composite of all declarations */
    struct type *written;   /* PARAM: before adjustment; TYPEDEF: the type that names it */
    struct node *node;      /* DECLARATOR that defines it, else the last one; ENUMERATOR */
    struct node *init;      /* initialiser, or NULL */
    struct function *owner; /* the function that a local belongs to, else NULL */
    struct function *body;  /* FUNC: its definition, or NULL */
    u128 value;             /* ENUMERATOR */
    const char *asm_name;   /* the assembler's name, when given */
    struct attr *attrs;     /* of all its declarators, newest first */
};

struct label {
    const char *name;
    uint32_t index;    /* in function->labels */
    struct node *node; /* LABEL */
    bool address_taken;
    bool used; /* more than declared (__label__) */
};

struct function {
    struct decl *decl;
    struct node *node;      /* FUNCTION */
    struct node *body;      /* BLOCK */
    struct function *outer; /* the function that it is nested in (GNU), or NULL */
    struct decl **params;   /* in order */
    uint32_t param_count;
    struct specs *specs;
    struct list locals;     /* struct decl: every object of every block, and unnamed ones */
    struct list labels;     /* struct label */
    struct decl *func_name; /* __func__, when it is used */
    bool uses_vla, computed_goto, has_asm;
    uint32_t index; /* in program->functions */
};

/* Declaration specifiers but for the type. */
struct specs {
    uint8_t storage; /* enum storage */
    bool thread, inline_, noreturn;
    struct attr *attrs;
    struct node **alignas_exprs; /* _Alignas operands: an expression, or SIZEOF-like ALIGNOF */
    uint32_t alignas_count;
};

struct declarator {
    struct decl *decl;
    struct type *type;     /* as written */
    struct attr *attrs;    /* after the declarator */
    const char *asm_label; /* text of asm("..."), with the quotes */
};

/* ---- nodes: nodes.def ------------------------------------------------------------------- */

enum node_kind {
#define NODE(id, class) NODE_##id,
#include "lang/nodes.def"
    NODE_COUNT
};

enum node_class { NODE_CLASS_EXPR, NODE_CLASS_STMT, NODE_CLASS_DECL };

enum op {
#define OP(id, ...) OP_##id,
#include "lang/ops.def"
    OP_COUNT
};

enum conv {
#define CONV(id, text) CONV_##id,
#include "lang/convs.def"
    CONV_COUNT
};

enum node_flag {
    NODE_IMPLICIT = 1, /* not written: a conversion, an anonymous member on the way */
    NODE_LVALUE = 2,   /* designates an object (or, for a function name, a function) */
    NODE_ARROW = 4,    /* MEMBER: written -> */
    NODE_SECOND = 8,   /* CHOOSE: the else expression was chosen */
    NODE_CHAR = 16,    /* INT: written as a character constant */
    NODE_GNU = 32,     /* DESIGNATED: "name:" or "[i] value"; ALIGNOF: __alignof__ */
};

/* One construct of the program.  kid[i] may be NULL where nodes.def has [brackets].
 * begin and end are byte offsets into program->text: from the first token to behind the last,
 * a statement's own `;` included, enclosing parentheses of an expression not.  Both are 0 for
 * what was not written.  lang_place turns an offset into file, line and column. */
struct node {
    uint32_t id;    /* dense: index into program->nodes */
    uint8_t kind;   /* enum node_kind */
    uint8_t op;     /* enum op of UNARY, BINARY, ASSIGN; enum conv of CAST */
    uint16_t flags; /* enum node_flag */
    uint32_t begin, end;
    uint32_t count, room; /* kids, and what fits at kid */
    struct node **kid;
    struct type *type; /* of an expression: canonical; see nodes.def for declarations */
    union {
        const struct value *value;
        const struct string *string;
        struct decl *decl;
        struct field *field;
        struct label *label;
        struct node *target;
        struct type *operand;
        struct type **types;
        const char *text;
        struct attr *attrs;
        struct generic *generic;
        struct offset_of *offsetof_;
        struct init *init;
        struct path *path;
        struct switch_info *switch_;
        struct case_info *case_;
        struct specs *specs;
        struct declarator *declarator;
        struct function *function;
        struct record *record;
        struct enumeration *enumeration;
    } u;
};

/* The value of a constant.  Integers: two's complement in as many bits as the type has, zeros
 * above (_Bool: 0 or 1).  Floating: the bits of the type's format, zeros above. */
struct value {
    u128 bits;
};

struct string {
    const char *bytes;  /* as they lie in the target's memory, with the terminator */
    uint64_t size;      /* bytes, with the terminator */
    uint8_t unit;       /* bytes per character */
    const char *prefix; /* "", "L", "u8", "u" or "U" */
};

struct generic {
    struct type **types; /* per expression, as written; NULL: default */
    uint32_t chosen;     /* kid index */
    bool open;           /* by the type of a bit-field: gcc and clang choose differently */
};

/* One step of a designator or of offsetof: .name, [index] or [index ... last]. */
struct step {
    struct field *field; /* NULL: an index; path through anonymous members is implied */
    const char *name;
    struct node *index, *last; /* as written */
    uint64_t first, end;       /* their values; end is behind the last */
};

struct path {
    struct step *steps;
    uint32_t count;
};

struct offset_of {
    struct type *type; /* as written */
    struct path path;
    u128 value; /* what it yields; meaningless if an index is no constant */
    bool constant;
};

/* An initialiser resolved: zero the object, then store each item, in any order.  What is said anew
 * is left out, with its side effects (C11 6.7.9p23 and footnote 151). */
struct init_item {
    uint64_t offset;     /* bytes from the object's start */
    uint64_t repeat;     /* how many elements a range designator covers; 1 usually */
    uint64_t stride;     /* bytes between them */
    struct field *field; /* not NULL: a bit-field, offset being that of its record + its byte */
    struct type *type;   /* of the subobject, canonical */
    struct node *value;  /* converted to that type; a STRING for an array of characters */
};

struct init {
    struct init_item *items;
    uint32_t count;
    uint64_t size; /* bytes of the object: more than its type's with a flexible array */
    bool mixed;    /* compilers do not agree on what it means: the items are not to be used */
};

struct switch_info {
    struct node **cases; /* CASE, in order of appearance */
    uint32_t count;
    struct node *default_; /* DEFAULT, or NULL */
};

struct case_info {
    struct node *target; /* the SWITCH */
    u128 low, high;      /* bits of the promoted control's type, both included */
};

/* ---- the program ------------------------------------------------------------------------ */

/* From this offset on, the text comes from this line of this file. */
struct line_marker {
    uint32_t offset;
    uint32_t line;
    const char *file;
    bool system; /* a system header */
};

struct program {
    struct arena arena;
    const struct target *target;
    struct err err;      /* why a constructor returned NULL */
    struct node *unit;   /* UNIT */
    struct node **nodes; /* id to node */
    uint32_t node_count, node_room;
    struct list decls;     /* struct decl, by id */
    struct list functions; /* struct function: definitions, in order */
    struct list records, enumerations;
    struct list asm_texts; /* const char *: asm at file scope */
    /* struct decl: named by an attribute's text; by malloc's, which asks for nothing where its own
     * function is not used */
    struct list mentioned, deallocators;
    uint32_t type_count;
    struct type *basic[TYPE_COUNT];
    struct type_table *type_table; /* private: hash-consed types */
    /* where it came from; text is NULL for a generated program */
    const char *text;
    uint32_t text_size;
    struct line_marker *markers;
    uint32_t marker_count;
    const char *file;     /* the file that was asked for */
    bool undeclared;      /* a function or parameter is used that nothing declares before */
    bool has_environment; /* some pragma turns FENV_ACCESS on, or its like */
    bool open_layout;     /* some #pragma pack is another one for each compiler */
    bool excess; /* an initialiser has more elements than its object, or a flexible member's */
};

struct program *lang_program_new(const struct target *target);
void lang_program_free(struct program *p);

/* Room for so many nodes in all, so that the table need not grow; a hint. */
void lang_reserve(struct program *p, uint32_t nodes);

/* Nodes made after a mark are forgotten by the release (their memory stays with the arena):
 * for payloads of edits that are tried and dropped. */
uint32_t lang_mark(const struct program *p);
void lang_release(struct program *p, uint32_t mark);

struct place {
    const char *file;
    uint32_t line, column;
    bool system;
};
struct place lang_place(const struct program *p, uint32_t offset);
/* The line around an offset after the text `before`, and below it, after `under`, a caret at its
 * column, as compilers do.  Of a long line only what is near. */
void lang_print_caret(const struct program *p, uint32_t offset, const char *before,
                      const char *under, struct text *out);

/* ---- asking about types ----------------------------------------------------------------- */

struct type_info {
    const char *spelling;
    uint8_t class, rank;
    uint8_t layout; /* byte offset of the column in struct target */
};
extern const struct type_info lang_type_info[TYPE_COUNT];

/* Bytes; 0 for incomplete, function and variable types, 1 for void and functions as GNU C. */
uint64_t lang_sizeof(const struct program *p, const struct type *t);

/* Numbers of n bytes as the target keeps them, and where in them a bit-field stands: it is the
 * number of lang_field_bytes at its offset, moved right by lang_field_shift.  bytes.c. */
u128 lang_load_number(const struct target *t, const uint8_t *at, uint64_t n);
void lang_store_number(const struct target *t, uint8_t *at, uint64_t n, u128 v);
unsigned lang_field_bytes(const struct field *f);
unsigned lang_field_shift(const struct target *t, const struct field *f);

uint32_t lang_alignof(const struct program *p, const struct type *t);
/* What GNU's __alignof__ says of a type: where its objects stand that are no members. */
uint32_t lang_alignof_alone(const struct program *p, const struct type *t);
bool lang_is_complete(const struct type *t);
/* Bits of value and sign of an integer type, and whether it has a sign. */
unsigned lang_int_width(const struct program *p, const struct type *t);
/* A _BitInt that does not fill its bytes. */
bool lang_has_padding_bits(const struct program *p, const struct type *t);
bool lang_int_signed(const struct program *p, const struct type *t);
enum float_format lang_float_format(const struct program *p, const struct type *t);

/* All of these look at canon, so they may be asked of a type as written. */
static inline bool lang_is_kind(const struct type *t, enum type_kind kind)
{
    return t->canon->kind == kind;
}
static inline bool lang_is_integer(const struct type *t) /* with _Bool and enums */
{
    return t->canon->class == CLASS_INT;
}
static inline bool lang_is_real(const struct type *t) /* integer, floating or decimal */
{
    return t->canon->class != CLASS_VOID;
}
static inline bool lang_is_floating(const struct type *t)
{
    return t->canon->class == CLASS_FLOAT || t->canon->class == CLASS_DECIMAL;
}
static inline bool lang_is_arithmetic(const struct type *t) /* real or complex */
{
    return lang_is_real(t) || t->canon->kind == TYPE_COMPLEX;
}
static inline bool lang_is_scalar(const struct type *t) /* arithmetic or pointer */
{
    return lang_is_arithmetic(t) || t->canon->kind == TYPE_POINTER;
}
static inline bool lang_is_record(const struct type *t)
{
    return t->canon->kind == TYPE_STRUCT || t->canon->kind == TYPE_UNION;
}
bool lang_is_aggregate(const struct type *t); /* array, structure or union */
bool lang_is_void_pointer(const struct type *t);
bool lang_is_char_array(const struct type *t);

bool lang_same_type(const struct type *a, const struct type *b); /* qualifiers ignored */
bool lang_compatible(const struct program *p, const struct type *a, const struct type *b);
struct type *lang_composite(struct program *p, struct type *a, struct type *b);

/* ---- making types ----------------------------------------------------------------------- */

struct type *lang_basic(const struct program *p, enum type_kind kind);
struct type *lang_size_type(const struct program *p);
struct type *lang_ptrdiff_type(const struct program *p);
struct type *lang_wchar_type(const struct program *p);
struct type *lang_pointer(struct program *p, struct type *to);
struct type *lang_array(struct program *p, struct type *of, uint64_t count);
struct type *lang_array_unsized(struct program *p, struct type *of);
/* length is not constant: VLA; else the count is its value. */
struct type *lang_array_written(struct program *p, struct type *of, struct node *length,
                                unsigned flags);
struct type *lang_vector(struct program *p, struct type *of, uint64_t count);
struct type *lang_bitint(struct program *p, unsigned width, bool is_signed); /* of 1 to 128 bits */
struct type *lang_complex(struct program *p, struct type *of);
/* Of a signed integer type, but plain char: the unsigned one. */
struct type *lang_unsigned(struct program *p, const struct type *t);
/* params may have names and types as written; they are adjusted (C11 6.7.6.3p7, p8). */
struct type *lang_function(struct program *p, struct type *result, struct decl **params,
                           uint32_t count, unsigned flags);
struct type *lang_qualified(struct program *p, struct type *t, unsigned quals); /* adds */
struct type *lang_aligned(struct program *p, struct type *t, uint32_t align);
struct type *lang_unqualified(const struct type *t); /* canonical */
struct type *lang_typedef_type(struct program *p, struct decl *d);
struct type *lang_typeof(struct program *p, struct type *t, struct node *expr);
struct type *lang_auto(struct program *p, struct type *t);
struct type *lang_definition(struct program *p, struct type *t, struct node *body);
struct type *lang_attributed(struct program *p, struct type *t, struct attr *attrs);
/* The integer type of this size and sign; NULL when there is none. */
struct type *lang_int_of_size(const struct program *p, uint64_t bytes, bool is_signed);

struct record *lang_record_new(struct program *p, const char *tag, bool is_union);
/* Lays out and completes: sets offsets, size and alignment from the fields, their attributes,
 * and pack (0, or as #pragma pack has it). */
void lang_record_complete(struct program *p, struct record *r, struct list *fields, unsigned pack);
/* By name, through anonymous members; path gets the way there, outermost first. */
struct field *lang_field_find(const struct record *r, const char *name, struct list *path,
                              struct arena *a);
struct enumeration *lang_enum_new(struct program *p, const char *tag);
/* Chooses the representing type and gives it to the values. */
void lang_enum_complete(struct program *p, struct enumeration *e, struct list *values);

/* ---- making declarations ---------------------------------------------------------------- */

struct decl *lang_decl_new(struct program *p, enum decl_kind kind, const char *name,
                           struct type *type);
/* Do the attributes of a declaration, or its type as written, say const or pure (gcc's
 * manual, 6.33), unsequenced or reproducible?  Compilers drop calls of such functions, and make one
 * of two. */
bool lang_promises_purity(const struct attr *attrs, const struct type *written);
/* The same of a function that the program defines, or of what may point to one. */
bool lang_may_lose_calls(const struct decl *d);
/* Is there one in the program?  Then calls of it may go, and what it and its callees do with them.
 */
bool lang_has_lost_calls(const struct program *p);
/* Functions that compilers know without a declaration. */
enum builtin {
    BUILTIN_NONE,
#define B(name, signature) BUILTIN_##name,
#define L(name, signature) BUILTIN_##name,
#define X(name, signature) BUILTIN_##name,
#include "lang/builtins.def"
};
/* A new declaration of the one with this name; NULL: there is none. */
struct decl *lang_builtin(struct program *p, const char *name);
/* Is it declared as a function that the library has and compilers know by heart? */
bool lang_is_of_library(struct program *p, const struct decl *d);
/* A function of the program's own with the name of one of those, C11 7.1.3p2: whether compilers
 * call it, or something else in its place, is their choice; NULL when there is none. */
const struct decl *lang_redefined(struct program *p);

/* ---- making expressions ----------------------------------------------------------------- */

/* Operands are given as written: constructors convert lvalues, decay arrays and functions,
 * promote and balance as C11 6.3 and 6.5 say, adding implicit CAST nodes. */
struct node *lang_int(struct program *p, u128 value, struct type *type);
struct node *lang_float(struct program *p, u128 bits, struct type *type);
struct node *lang_string(struct program *p, const struct string *s);
struct node *lang_name(struct program *p, struct decl *d);
struct node *lang_unary(struct program *p, enum op op, struct node *a);
struct node *lang_binary(struct program *p, enum op op, struct node *a, struct node *b);
/* op: OP_ASSIGN, or the operator of a compound assignment. */
struct node *lang_assign(struct program *p, enum op op, struct node *a, struct node *b);
struct node *lang_cond(struct program *p, struct node *c, struct node *a, struct node *b);
/* An explicit cast; type as written. */
struct node *lang_cast(struct program *p, struct type *type, struct node *a);
struct node *lang_call(struct program *p, struct node *callee, struct node **args, uint32_t n);
struct node *lang_index(struct program *p, struct node *a, struct node *b);
struct node *lang_member(struct program *p, struct node *a, const char *name, bool arrow);
struct node *lang_sizeof_expr(struct program *p, struct node *a);
struct node *lang_sizeof_type(struct program *p, struct type *type);
struct node *lang_alignof_expr(struct program *p, struct node *a);
struct node *lang_alignof_type(struct program *p, struct type *type);
struct node *lang_literal(struct program *p, struct type *type, struct node *init);
/* Typed as its value's statement is. */
struct node *lang_stmt_expr(struct program *p, struct node *block);
/* Where the value of a block in parentheses comes from: its last statement but for empty ones,
 * which may have labels; the block's count when there is none. */
uint32_t lang_value_index(const struct node *block);

/* The value of a designator: lvalue read, array or function decayed (C11 6.3.2.1). */
struct node *lang_rvalue(struct program *p, struct node *a);
/* A condition: lang_rvalue, and must be scalar. */
struct node *lang_condition(struct program *p, struct node *a);
/* As if by assignment to an object of this type (C11 6.5.16.1). */
struct node *lang_convert(struct program *p, struct node *a, struct type *to);
/* Integer promotions, with bit-fields (6.3.1.1p2), and the default argument promotions. */
struct node *lang_promote(struct program *p, struct node *a);
struct type *lang_promoted(const struct program *p, const struct type *t);
/* Of a value that may be a bit-field's, whose width counts. */
struct type *lang_promoted_value(const struct program *p, const struct node *a);
/* The field of the bit-field that the value comes from, or NULL. */
struct field *lang_bitfield_of(const struct node *a);
/* Does its value come from a bit-field narrower than its type?  To gcc that is a type of its own.
 */
bool lang_is_narrow(const struct program *p, const struct node *a);
struct type *lang_balanced(struct program *p, const struct type *a, const struct type *b);

/* Resolves an initialiser for an object of *type: INIT lists get their u.init, elements are
 * converted, an unsized array type becomes sized.  Returns what to put into decl->init. */
struct node *lang_initialise(struct program *p, struct type **type, struct node *init);

/* ---- making statements ------------------------------------------------------------------ */

/* Any node, with kids copied from the array (which may hold NULLs); no typing is done. */
struct node *lang_node(struct program *p, enum node_kind kind, struct node **kids, uint32_t n);
/* Adds a kid behind the others: statements to a BLOCK, declarations to the UNIT ... */
void lang_append(struct program *p, struct node *parent, struct node *kid);
/* A pragma or an attribute that belongs to the statement behind it: nothing may come between. */
bool lang_sticks_to_next(const struct node *n);
struct node *lang_expr_stmt(struct program *p, struct node *a);
/* A DECL with one DECLARATOR for d; init is given to lang_initialise first. */
struct node *lang_declare(struct program *p, struct decl *d, struct node *init);
struct node *lang_return(struct program *p, struct function *f, struct node *a);
struct function *lang_define(struct program *p, struct decl *d, struct decl **params, uint32_t n);

/* ---- values and constants --------------------------------------------------------------- */

/* What an operation on exact values ran into; 0 when it is defined. */
enum value_fault { VALUE_OK, VALUE_OVERFLOW, VALUE_DIV_ZERO, VALUE_SHIFT, VALUE_UNSUPPORTED };

/* v modulo 2^width, zeros above. */
static inline u128 lang_wrap(u128 v, unsigned width)
{
    return width >= 128 ? v : v & (((u128)1 << width) - 1);
}
/* The integer v of this width with its sign copied upwards. */
static inline u128 lang_sign_extend(u128 v, unsigned width)
{
    if (width == 0 || width >= 128)
        return v;
    u128 sign = (u128)1 << (width - 1);
    return (lang_wrap(v, width) ^ sign) - sign;
}
/* Integers and floating: a and b are of the type, except a shift count, which is the plain
 * non-negative number.  Comparisons give 0 or 1.  *r is set, wrapped, even on overflow. */
enum value_fault lang_value_binary(const struct program *p, enum op op, const struct type *t,
                                   u128 a, u128 b, u128 *r);
enum value_fault lang_value_unary(const struct program *p, enum op op, const struct type *t, u128 a,
                                  u128 *r);
enum value_fault lang_value_convert(const struct program *p, const struct type *from,
                                    const struct type *to, u128 a, u128 *r);
bool lang_value_is_zero(const struct program *p, const struct type *t, u128 a);

/* Floating values of a format, as bits, to and from the host's widest type. */
long double lang_float_host(enum float_format f, u128 bits);
u128 lang_float_bits(enum float_format f, long double v);
/* A constant of quadruple precision, rounded once; false when the host has none. */
bool lang_quad_parse(const char *text, u128 *bits);

/* The value of an expression that is constant to a compiler: C11 6.6 and what gcc folds
 * besides.  Signed overflow wraps, as it does there; false when it is no constant, divides by
 * zero, or shifts too far. */
bool lang_constant(const struct program *p, const struct node *n, u128 *value);
bool lang_is_null_constant(const struct program *p, const struct node *n); /* C11 6.3.2.3p3 */

/* ---- edits and text --------------------------------------------------------------------- */

enum edit_kind { EDIT_DROP, EDIT_REPLACE, EDIT_INSERT };

/* DROP removes the node; where C needs something in its place, a statement leaves `;` and an
 * expression `0` (but nothing in a for, or of a declarator's initialiser).  REPLACE puts `with` in
 * its place, INSERT puts it before (a statement or declaration before another; not for
 * expressions).  At most one DROP or REPLACE per node; any number of INSERTs, in the order given.
 * An edit inside a dropped or replaced node is void. */
struct edit {
    uint8_t kind;      /* enum edit_kind */
    uint32_t node;     /* id */
    struct node *with; /* built with the constructors above */
};

/* C text of the program with the edits. */
void lang_print(const struct program *p, const struct edit *edits, size_t n, struct text *out);
/* What an integer constant of the type ends in; "" where C has nothing for it. */
const char *lang_int_suffix(enum type_kind kind);
/* The same edits in the preprocessed text that the program came from: what is not edited stays
 * as it was, byte for byte. */
void lang_splice(const struct program *p, const struct edit *edits, size_t n, struct text *out);
/* The same for many lists of edits of one program, which may gain nodes in between but no edits of
 * those. */
struct lang_splicer *lang_splicer_new(const struct program *p);
void lang_splicer_write(struct lang_splicer *s, const struct edit *edits, size_t n,
                        struct text *out);
void lang_splicer_free(struct lang_splicer *s);
/* Declarations in headers (files other than program->file) that nothing needs, as drops. */
struct edit *lang_minimal(struct program *p, size_t *n);
/* Declarations at file scope that none of the roots needs, as drops. */
typedef bool lang_root_fn(void *context, const struct node *item);
struct edit *lang_unneeded(struct program *p, lang_root_fn *is_root, void *context, size_t *n);
void lang_print_node(const struct program *p, const struct node *n, struct text *out);
/* The same with edits. */
void lang_print_edited(const struct program *p, const struct node *node, const struct edit *edits,
                       size_t n, struct text *out);
/* As in a declaration of name, or a type name when it is NULL. */
void lang_print_type(const struct program *p, const struct type *t, const char *name,
                     struct text *out);

/* ---- tables ----------------------------------------------------------------------------- */

enum op_place { PLACE_PREFIX, PLACE_POSTFIX, PLACE_INFIX };

struct op_info {
    const char *name, *text;
    uint8_t place, prec, typing;
    bool commutes;
};
extern const struct op_info lang_op_info[OP_COUNT];

struct node_info {
    const char *name;
    uint8_t class;
};
extern const struct node_info lang_node_info[NODE_COUNT];
extern const char *const lang_conv_text[CONV_COUNT];

/* ---- comparing -------------------------------------------------------------------------- */

/* Do the two programs have the same tree: kinds, operators, types, values, names?  Extents and
 * ids are not looked at.  On false, *why says where they part. */
bool lang_same_program(const struct program *a, const struct program *b, struct err *why);

#endif
