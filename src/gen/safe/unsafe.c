/* The conditions under which an operator is undefined, and forms of it that never are: guards.def
 * names both.  Builds trees out of copies of the operands; executes nothing. */
#include "gen/safe/private.h"
#include "gen/build.h"

struct node *safe_constant(struct gen *g, u128 v, struct type *t)
{
    return lang_int(g->p, v, t);
}

struct node *safe_compare(struct gen *g, enum op op, struct node *a, u128 v, struct type *t)
{
    return lang_binary(g->p, op, tree_clone(g, a), safe_constant(g, v, t));
}

struct node *safe_both(struct gen *g, struct node *a, struct node *b)
{
    return lang_binary(g->p, OP_LAND, a, b);
}

static struct node *either(struct gen *g, struct node *a, struct node *b)
{
    return lang_binary(g->p, OP_LOR, a, b);
}

/* a is the limit's: most - b, least - b and the like. */
static struct node *beyond(struct gen *g, enum op op, struct node *a, u128 limit, enum op with,
                           struct node *b, struct type *t)
{
    struct node *edge = lang_binary(g->p, with, safe_constant(g, limit, t), tree_clone(g, b));
    return lang_binary(g->p, op, tree_clone(g, a), edge);
}

static struct node *unsafe_add(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    return either(g,
                  safe_both(g, safe_compare(g, OP_GT, b, 0, t),
                            beyond(g, OP_GT, a, gen_int_most(g, t), OP_SUB, b, t)),
                  safe_both(g, safe_compare(g, OP_LT, b, 0, t),
                            beyond(g, OP_LT, a, gen_int_least(g, t), OP_SUB, b, t)));
}

static struct node *unsafe_sub(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    return either(g,
                  safe_both(g, safe_compare(g, OP_LT, b, 0, t),
                            beyond(g, OP_GT, a, gen_int_most(g, t), OP_ADD, b, t)),
                  safe_both(g, safe_compare(g, OP_GT, b, 0, t),
                            beyond(g, OP_LT, a, gen_int_least(g, t), OP_ADD, b, t)));
}

/* a * b leaves the range: by division, sign by sign. */
static struct node *unsafe_mul(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    u128 most = gen_int_most(g, t), least = gen_int_least(g, t);
    struct node *up_up = safe_both(g, safe_compare(g, OP_GT, b, 0, t),
                                   beyond(g, OP_GT, a, most, OP_DIV, b, t));
    struct node *up_down = safe_both(g, safe_compare(g, OP_GT, b, 0, t),
                                     beyond(g, OP_LT, a, least, OP_DIV, b, t));
    u128 minus_one = lang_wrap(~(u128)0, gen_int_width(g, t));
    struct node *down_up = safe_both(g, safe_compare(g, OP_LT, b, minus_one, t),
                                     beyond(g, OP_GT, a, least, OP_DIV, b, t));
    struct node *down_down = safe_both(g, safe_compare(g, OP_LT, b, minus_one, t),
                                       beyond(g, OP_LT, a, most, OP_DIV, b, t));
    struct node *one = safe_both(g, safe_compare(g, OP_EQ, b, minus_one, t),
                                 safe_compare(g, OP_EQ, a, least, t));
    return either(g, either(g, up_up, up_down), either(g, either(g, down_up, down_down), one));
}

static struct node *unsafe_div(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    struct node *zero = t->class == CLASS_FLOAT
                            ? lang_binary(g->p, OP_EQ, tree_clone(g, b), lang_float(g->p, 0, t))
                            : safe_compare(g, OP_EQ, b, 0, t);
    if (t->class == CLASS_FLOAT || !gen_int_signed(g, t))
        return zero;
    u128 minus_one = lang_wrap(~(u128)0, gen_int_width(g, t));
    return either(g, zero,
                  safe_both(g, safe_compare(g, OP_EQ, a, gen_int_least(g, t), t),
                            safe_compare(g, OP_EQ, b, minus_one, t)));
}

/* The count is negative or too large; a type that is not promoted may not hold the width. */
static struct node *unsafe_count(struct gen *g, struct node *b, struct type *u, unsigned width)
{
    bool small = gen_int_width(g, u) < g->width[TYPE_INT];
    struct type *in = small ? lang_basic(g->p, TYPE_INT) : u;
    struct node *large = safe_compare(g, OP_GE, b, width, in);
    return gen_int_signed(g, u) ? either(g, safe_compare(g, OP_LT, b, 0, u), large) : large;
}

static struct node *unsafe_shr(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    (void)a;
    return unsafe_count(g, b, b->type, gen_int_width(g, t));
}

static struct node *unsafe_shl(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    struct node *count = unsafe_count(g, b, b->type, gen_int_width(g, t));
    if (!gen_int_signed(g, t))
        return count;
    struct node *edge = lang_binary(g->p, OP_SHR, safe_constant(g, gen_int_most(g, t), t),
                                    tree_clone(g, b));
    return either(g, either(g, count, safe_compare(g, OP_LT, a, 0, t)),
                  lang_binary(g->p, OP_GT, tree_clone(g, a), edge));
}

/* ---- wrapping arithmetic ---------------------------------------------------------------- */

struct type *safe_unsigned_of(struct gen *g, struct type *t)
{
    return gen_int_signed(g, t) ? lang_unsigned(g->p, t) : t;
}

static struct node *masked(struct gen *g, struct node *count, unsigned width)
{
    return lang_binary(g->p, OP_AND, count, lang_int(g->p, width - 1, lang_basic(g->p, TYPE_INT)));
}

/* (int)((unsigned)a + (unsigned)b) */
static struct node *wrap_arith(struct gen *g, enum op op, struct node *a, struct node *b,
                               struct type *t)
{
    struct type *u = safe_unsigned_of(g, t);
    struct node *n = lang_binary(g->p, op, lang_cast(g->p, u, a), lang_cast(g->p, u, b));
    return lang_cast(g->p, t, n);
}

static struct node *wrap_shl(struct gen *g, enum op op, struct node *a, struct node *b,
                             struct type *t)
{
    struct type *u = safe_unsigned_of(g, t);
    struct node *left = u == t ? a : lang_cast(g->p, u, a);
    struct node *n = lang_binary(g->p, op, left, masked(g, b, gen_int_width(g, t)));
    return u == t ? n : lang_cast(g->p, t, n);
}

static struct node *wrap_shr(struct gen *g, enum op op, struct node *a, struct node *b,
                             struct type *t)
{
    return lang_binary(g->p, op, a, masked(g, b, gen_int_width(g, t)));
}

static struct node *no_wrap(struct gen *g, enum op op, struct node *a, struct node *b,
                            struct type *t)
{
    (void)g, (void)op, (void)a, (void)b, (void)t;
    return NULL;
}

const struct safe_row safe_rows[OP_COUNT] = {
#define GUARD(op, name, unsafe, wrap) [OP_##op] = {name, unsafe, wrap},
#include "gen/safe/guards.def"
};

/* unsafe ? a : a op b */
struct node *safe_checked(struct gen *g, enum op op, struct node *a, struct node *b, struct type *t)
{
    return lang_cond(g->p, safe_rows[op].unsafe(g, a, b, t), tree_clone(g, a),
                     lang_binary(g->p, op, a, b));
}
