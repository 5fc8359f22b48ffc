/* The printer's state and parts; private to lang. */
#ifndef LANG_PRINT_H
#define LANG_PRINT_H

#include "lang/private.h"

/* Edits by node; all zero: none. */
struct edit_index {
    const struct edit *edits;
    uint32_t *first; /* per node: 1 + index of its first edit */
    uint32_t *next;  /* per edit: 1 + index of the next one of the same node */
    uint32_t node_count;
};

void edit_index_start(struct edit_index *x, struct arena *a, const struct program *p,
                      const struct edit *edits, size_t n);
/* The same with memory of the caller's: first has node_count zeros, and is to be cleared at the
 * edits' nodes afterwards. */
void edit_index_reuse(struct edit_index *x, struct arena *a, uint32_t *first, uint32_t node_count,
                      const struct edit *edits, size_t n);
/* 1 + index of the node's first edit; 0 for most. */
static inline uint32_t edit_first(const struct edit_index *x, const struct node *n)
{
    return n->id < x->node_count ? x->first[n->id] : 0;
}
const struct edit *edit_among(const struct edit_index *x, uint32_t first);
/* The node's DROP or REPLACE, or NULL. */
static inline const struct edit *edit_of(const struct edit_index *x, const struct node *n)
{
    uint32_t first = edit_first(x, n);
    return first ? edit_among(x, first) : NULL;
}
/* Its INSERTs in order: start with NULL. */
const struct edit *edit_insert_among(const struct edit_index *x, uint32_t first);
static inline const struct edit *edit_next_insert(const struct edit_index *x, const struct node *n,
                                                  const struct edit *previous)
{
    uint32_t i = previous ? x->next[previous - x->edits] : edit_first(x, n);
    return i ? edit_insert_among(x, i) : NULL;
}

struct printer {
    const struct program *program;
    struct text *out;
    struct edit_index edits;
    unsigned indent;
};

enum {
    PREC_COMMA = 0,
    PREC_ASSIGN = 2,
    PREC_COND = 3,
    PREC_LOR = 4,
    PREC_UNARY = 14,
    PREC_POSTFIX = 15,
    PREC_PRIMARY = 16,
    INDENT = 4,
    WIDTH = 100,
};

/* An expression in a place that takes operators from this precedence on. */
void print_expr(struct printer *pr, const struct node *n, int prec);
/* An initialiser: an expression or a list in braces. */
void print_initialiser(struct printer *pr, const struct node *n);
void print_type_name(struct printer *pr, const struct type *t);
/* The specifier part of a type: everything but the declarator. */
void print_spec_type(struct printer *pr, const struct type *t);
/* name with the declarator parts of t that lie before spec. */
void print_declarator(struct printer *pr, const struct type *t, const struct type *spec,
                      const char *name);
const struct type *spec_of(const struct type *t);
void print_attrs(struct printer *pr, const struct attr *a, bool before);
void print_specs(struct printer *pr, const struct specs *s);
void print_block(struct printer *pr, const struct node *n);
void print_item(struct printer *pr, const struct node *n); /* a statement or declaration */
void print_record_body(struct printer *pr, const struct node *n);
void print_enum_body(struct printer *pr, const struct node *n);
void print_newline(struct printer *pr);

#endif
