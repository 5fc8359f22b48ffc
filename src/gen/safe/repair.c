/* The first time that an operator runs on values that it is not defined on, it is replaced:
 * repairs.def.  Takes a built node and its operands' values; changes the node; yields its value. */
#include "gen/safe/safe.h"
#include "gen/run/run.h"

static const struct {
    uint8_t op, fault, by;
} rows[] = {
#define REPAIR(op, fault, by) {OP_##op, VALUE_##fault, OP_##by},
#include "gen/safe/repairs.def"
};

enum op safe_repair_next(enum op op, enum value_fault fault, unsigned tried)
{
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].op == op && rows[i].fault == fault && !(tried >> rows[i].by & 1))
            return rows[i].by;
    return OP_XOR;
}

static bool is_negative(const struct gen *g, const struct type *t, u128 a)
{
    return gen_int_signed(g, t) && a >> (gen_int_width(g, t) - 1) & 1;
}

/* How many counts are defined, from 0 on: to the left no bit of a number with a sign may reach the
 * sign (C11 6.5.7p4). */
static unsigned defined_counts(const struct gen *g, const struct node *n, const struct type *t,
                               u128 a)
{
    unsigned width = gen_int_width(g, t);
    if (n->op != OP_SHL || !gen_int_signed(g, t) || is_negative(g, t, a))
        return width;
    for (; a; a >>= 1)
        width--;
    return width;
}

/* Another count, as Table 1 has it: b + c or b - c within those that are defined; the least value
 * is masked. */
static u128 repair_count(struct gen *g, struct node *n, const struct type *t, u128 a, u128 b,
                         const struct type *u)
{
    unsigned width = gen_int_width(g, t);
    struct node *count = n->kid[1];
    u128 wanted = rng_below(&g->constants, defined_counts(g, n, t, a));
    u128 least = gen_int_least(g, u);
    bool minus = gen_int_signed(g, u) && b >> (gen_int_width(g, u) - 1) & 1;
    struct type *type = (struct type *)u;
    u128 size = minus ? lang_wrap(-b, gen_int_width(g, u)) : 0; /* of the least value: itself */
    if (minus && (b == least || size > gen_int_most(g, u) - wanted)) {
        n->kid[1] = lang_binary(g->p, OP_AND, count, lang_int(g->p, width - 1, type));
        return b & (width - 1);
    }
    u128 by = minus ? wanted + size : b - wanted;
    n->kid[1] = lang_binary(g->p, minus ? OP_ADD : OP_SUB, count, lang_int(g->p, by, type));
    return wanted;
}

/* A count of a type that is not promoted may have no room for one that is defined: it becomes an
 * int first.  Yields its type. */
static const struct type *widen_count(struct gen *g, struct node *n, const struct type *u, u128 *b)
{
    struct type *type = lang_basic(g->p, TYPE_INT);
    if (gen_int_width(g, u) >= g->width[TYPE_INT])
        return u;
    *b = run_convert(g, u, type, *b);
    n->kid[1] = lang_cast(g->p, type, n->kid[1]);
    return type;
}

/* Division is the only operator whose replacement is no use to floating values. */
static enum op float_next(enum op op)
{
    static const uint8_t next[OP_COUNT] = {
        [OP_DIV] = OP_MUL, [OP_MUL] = OP_ADD, [OP_ADD] = OP_SUB, [OP_SUB] = OP_MUL};
    return next[op];
}

static bool float_faults(const struct gen *g, enum op op, const struct type *t, u128 a, u128 b,
                         u128 *r)
{
    return run_apply(g, op, t, a, b, NULL, r) != VALUE_OK || run_is_nan(g, t, *r);
}

static u128 repair_float(struct gen *g, struct node *n, const struct type *t, u128 a, u128 b)
{
    u128 r = 0;
    for (int i = 0; i < 4; i++) {
        if (!float_faults(g, (enum op)n->op, t, a, b, &r))
            return r;
        n->op = (uint8_t)float_next((enum op)n->op);
        g->counts.repairs++;
    }
    /* both operands are infinite: divide by something else */
    n->op = OP_ADD;
    n->kid[1] = lang_float(g->p, 0, n->kid[1]->type);
    run_apply(g, OP_ADD, t, a, 0, NULL, &r);
    return r;
}

static bool is_comparison(enum op op)
{
    return op >= OP_LT && op <= OP_NE;
}

u128 safe_repair(struct gen *g, struct node *n, const struct type *t, u128 a, u128 b,
                 const struct type *count_type)
{
    u128 r = 0;
    unsigned tried = 0;
    if (t->class == CLASS_FLOAT && !is_comparison((enum op)n->op))
        return repair_float(g, n, t, a, b);
    for (;;) {
        enum value_fault fault = run_apply(g, (enum op)n->op, t, a, b, count_type, &r);
        if (fault == VALUE_OK)
            return r;
        g->counts.repairs++;
        bool far = fault == VALUE_OVERFLOW && n->op == OP_SHL && !is_negative(g, t, a);
        if (fault == VALUE_SHIFT || (far && !(tried >> OP_SHL & 1))) {
            count_type = widen_count(g, n, count_type, &b);
            b = repair_count(g, n, t, a, b, count_type);
            tried |= far ? 1u << OP_SHL : 0;
            continue;
        }
        tried |= 1u << n->op;
        n->op = (uint8_t)safe_repair_next((enum op)n->op, fault, tried);
    }
}
