/* What the files of lang share and nobody else sees. */
#ifndef LANG_PRIVATE_H
#define LANG_PRIVATE_H

#include "lang/lang.h"

/* Rules for operands and results: the typing column of ops.def, lang/typing.c. */
enum typing {
    TYPING_STEP,
    TYPING_ADDRESS,
    TYPING_DEREF,
    TYPING_SIGN,
    TYPING_INVERT,
    TYPING_TRUTH,
    TYPING_PART,
    TYPING_ARITH,
    TYPING_INTEGER,
    TYPING_ADD,
    TYPING_SUB,
    TYPING_SHIFT,
    TYPING_RELATION,
    TYPING_EQUALITY,
    TYPING_LOGIC,
    TYPING_ASSIGN,
    TYPING_COMMA,
    TYPING_COUNT
};

/* Sets p->err and returns NULL, so that a constructor can `return lang_refuse(p, ...)`. */
void *lang_refuse(struct program *p, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Adds the basic types; called once. */
void lang_types_start(struct program *p);

/* An implicit CAST of a to a type, with a's extent. */
struct node *lang_implicit(struct program *p, enum conv conv, struct node *a, struct type *type);
/* Says that something points to what this lvalue designates. */
void lang_mark_address(struct node *a);

/* Integer promotions of a value, bit-fields by their width. */
struct node *lang_promote_integer(struct program *p, struct node *a);
/* Both to their common real type; returns the type of the result, or NULL. */
struct type *lang_balance(struct program *p, struct node **a, struct node **b);

/* The field of the record itself, not of an anonymous member. */
struct field *lang_field_direct(const struct record *r, const char *name);

/* A type's spelling in quotes, for messages; in the program's arena. */
const char *lang_type_text(struct program *p, const struct type *t);

/* quad.c: as value.c, of quadruple precision. */
enum value_fault quad_binary(enum op op, u128 a, u128 b, u128 *r);
enum value_fault quad_to_int(u128 a, unsigned width, bool is_signed, u128 *r);
u128 quad_from_int(u128 size, bool minus);
enum value_fault quad_to_float(u128 a, enum float_format to, u128 *r);
enum value_fault quad_from_float(enum float_format from, u128 a, u128 *r);

/* The converted arguments of a call of a builtin whose typing is its own, and its result type;
 * NULL with p->err when they do not fit. */
struct type *lang_builtin_args(struct program *p, const struct decl *d, struct node **args,
                               uint32_t n);

#endif
