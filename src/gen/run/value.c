/* Operations on the values of the running program: lang's exact arithmetic, with a short cut for
 * integers of up to 64 bits, which nearly all are. */
#include "gen/run/run.h"

#include <math.h>

u128 run_convert(const struct gen *g, const struct type *from, const struct type *to, u128 bits)
{
    if (from == to)
        return bits;
    if (from->class == CLASS_INT && to->class == CLASS_INT && to->kind != TYPE_BOOL) {
        unsigned width = gen_int_width(g, from), wide = gen_int_width(g, to);
        if (width <= 64 && wide <= 64)
            return run_convert_word(g, from, to, (uint64_t)bits);
        if (gen_int_signed(g, from))
            bits = lang_sign_extend(bits, width);
        return lang_wrap(bits, gen_int_width(g, to));
    }
    u128 r = 0;
    lang_value_convert(g->p, from, to, bits, &r);
    return r;
}

bool run_is_true(const struct gen *g, const struct type *t, const struct val *v)
{
    if (t->kind == TYPE_POINTER)
        return v->link.to != NULL;
    if (t->class == CLASS_INT)
        return v->bits != 0;
    return !lang_value_is_zero(g->p, t, v->bits);
}

bool run_is_nan(const struct gen *g, const struct type *t, u128 bits)
{
    return isnan(lang_float_host(lang_float_format(g->p, t), bits));
}

/* Where the result of + or - lies above what 64 bits say: lang's exact way knows. */
static enum value_fault checked(const struct word_type *t, bool over, uint64_t v, uint64_t *r)
{
    *r = v & run_mask(t->width);
    return over || (t->is_signed && run_extend(*r, t->width) != v) ? VALUE_OVERFLOW : VALUE_OK;
}

static enum value_fault multiply(const struct word_type *t, uint64_t a, uint64_t b, uint64_t *r)
{
    int64_t product = 0;
    if (!t->is_signed) {
        *r = a * b & run_mask(t->width);
        return VALUE_OK;
    }
    bool over = __builtin_mul_overflow((int64_t)a, (int64_t)b, &product);
    return checked(t, over, (uint64_t)product, r);
}

/* C11 6.5.5p5 */
static enum value_fault divide(const struct word_type *t, bool rest, uint64_t a, uint64_t b,
                               uint64_t *r)
{
    *r = 0;
    if (b == 0)
        return VALUE_DIV_ZERO;
    if (!t->is_signed) {
        *r = rest ? a % b : a / b;
        return VALUE_OK;
    }
    if (b == UINT64_MAX) { /* -1 */
        bool over = a == -(UINT64_C(1) << (t->width - 1));
        *r = rest ? 0 : -a & run_mask(t->width);
        return over ? VALUE_OVERFLOW : VALUE_OK;
    }
    *r = (uint64_t)(rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b) & run_mask(t->width);
    return VALUE_OK;
}

enum value_fault run_apply_word(enum op op, const struct word_type *t, uint64_t a, uint64_t b,
                                uint64_t *r)
{
    uint64_t flip = 0;
    if (t->is_signed) {
        a = run_extend(a, t->width);
        b = run_extend(b, t->width);
        flip = UINT64_C(1) << 63;
    }
    switch (op) {
    case OP_ADD:
        return checked(t, t->is_signed && ~(a ^ b) & (a ^ (a + b)) & flip, a + b, r);
    case OP_SUB:
        return checked(t, t->is_signed && (a ^ b) & (a ^ (a - b)) & flip, a - b, r);
    case OP_MUL:
        return multiply(t, a, b, r);
    case OP_DIV:
    case OP_REM:
        return divide(t, op == OP_REM, a, b, r);
    case OP_AND:
        *r = (a & b) & run_mask(t->width);
        break;
    case OP_OR:
        *r = (a | b) & run_mask(t->width);
        break;
    case OP_XOR:
        *r = (a ^ b) & run_mask(t->width);
        break;
    case OP_EQ:
        *r = a == b;
        break;
    case OP_NE:
        *r = a != b;
        break;
    case OP_LT:
        *r = (a ^ flip) < (b ^ flip);
        break;
    case OP_GT:
        *r = (a ^ flip) > (b ^ flip);
        break;
    case OP_LE:
        *r = (a ^ flip) <= (b ^ flip);
        break;
    case OP_GE:
        *r = (a ^ flip) >= (b ^ flip);
        break;
    default:
        return VALUE_UNSUPPORTED;
    }
    return VALUE_OK;
}

enum value_fault run_apply(const struct gen *g, enum op op, const struct type *t, u128 a, u128 b,
                           const struct type *count_type, u128 *r)
{
    if (t->class == CLASS_INT) {
        struct word_type word = {gen_int_width(g, t), gen_int_signed(g, t)};
        bool shift = op == OP_SHL || op == OP_SHR;
        if (shift && count_type && gen_int_signed(g, count_type))
            b = lang_sign_extend(b, gen_int_width(g, count_type));
        if (word.width <= 64 && !shift) {
            uint64_t v = 0;
            enum value_fault fault = run_apply_word(op, &word, (uint64_t)a, (uint64_t)b, &v);
            *r = v;
            if (fault != VALUE_UNSUPPORTED)
                return fault;
        }
    }
    return lang_value_binary(g->p, op, t, a, b, r);
}

/* ---- pointers --------------------------------------------------------------------------- */

static int64_t element(const struct gen *g, const struct type *pointer)
{
    return (int64_t)lang_sizeof(g->p, pointer->base);
}

static int64_t signed_value(const struct gen *g, const struct type *t, u128 bits)
{
    return (int64_t)(uint64_t)(gen_int_signed(g, t) ? lang_sign_extend(bits, gen_int_width(g, t))
                                                    : bits);
}

static bool compare_links(enum op op, const struct link *a, const struct link *b, u128 *r)
{
    bool same = a->to == b->to;
    if (op == OP_EQ || op == OP_NE) {
        *r = (same && (a->to == NULL || a->at == b->at)) == (op == OP_EQ);
        return true;
    }
    if (!same || !a->to)
        return false;
    switch (op) {
    case OP_LT:
        *r = a->at < b->at;
        return true;
    case OP_GT:
        *r = a->at > b->at;
        return true;
    case OP_LE:
        *r = a->at <= b->at;
        return true;
    case OP_GE:
        *r = a->at >= b->at;
        return true;
    default:
        return false;
    }
}

/* p + i: false when it leaves the object (C11 6.5.6p8). */
static bool move(struct gen *g, const struct node *n, const struct val *a, const struct val *b,
                 struct val *v)
{
    bool left = n->kid[0]->type->kind == TYPE_POINTER;
    const struct val *pointer = left ? a : b, *by = left ? b : a;
    const struct type *t = n->kid[left ? 1 : 0]->type;
    int64_t i = signed_value(g, t, by->bits), size = element(g, n->type);
    if (n->op == OP_SUB)
        i = (int64_t)(0 - (uint64_t)i);
    v->link = pointer->link;
    if (!pointer->link.to)
        return i == 0;
    if (i > INT32_MAX || i < INT32_MIN)
        return false;
    v->link.at = pointer->link.at + i * size;
    return v->link.at >= 0 && v->link.at <= (int64_t)pointer->link.to->size;
}

bool run_apply_pointer(struct gen *g, const struct node *n, const struct val *a,
                       const struct val *b, struct val *v)
{
    const struct type *x = n->kid[0]->type, *y = n->kid[1]->type;
    if (x->kind != TYPE_POINTER || y->kind != TYPE_POINTER)
        return move(g, n, a, b, v);
    if (n->op != OP_SUB)
        return compare_links((enum op)n->op, &a->link, &b->link, &v->bits);
    v->bits = 0;
    if (a->link.to != b->link.to)
        return false;
    int64_t d = a->link.to ? (a->link.at - b->link.at) / element(g, x) : 0;
    v->bits = lang_wrap((u128)(i128)d, gen_int_width(g, n->type));
    return true;
}
