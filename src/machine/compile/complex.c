/* Complex values: they lie in memory, the real part first, and operators work on their parts.
 *
 * A value is the address of a temporary that nobody else changes.  An operand that is real stays
 * real ("without change of type domain", C11 6.3.1.8): its imaginary part is not there, rather than
 * zero, as gcc and clang have it.  Products and quotients of two complex values are complex.c's of
 * the machine, since compilers round them differently. */
#include "machine/compile/private.h"

static bool is_complex(const struct type *t)
{
    return t->canon->kind == TYPE_COMPLEX;
}

static const struct type *part_type(const struct type *t)
{
    return is_complex(t) ? t->canon->base : t;
}

/* gcc computes with complex chars and shorts in their own width, clang does not. */
static bool is_narrow(const struct compiler *c, const struct type *t)
{
    return is_complex(t) && lang_is_integer(t->canon->base) &&
           lang_promoted(c->p, t->canon->base) != t->canon->base->canon->unqual;
}

static uint32_t complex_new(struct compiler *c, const struct node *n, const struct type *t)
{
    const struct local *l = temporary(c, t->canon->unqual);
    uint32_t slot = slot_new(c, 1);
    c->node = n;
    emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
    emit(c, I_ADDRESS_L, slot, l->slot, 0, 0);
    return slot;
}

struct loc complex_part(struct compiler *c, struct loc whole, bool imaginary)
{
    const struct type *t = whole.type->canon;
    whole.offset += imaginary ? (int64_t)lang_sizeof(c->p, t->base) : 0;
    whole.type = lang_qualified(c->p, t->base, t->quals);
    return whole;
}

/* A part of a value; of a real one the imaginary part is zero. */
static struct opnd part_of(struct compiler *c, const struct node *n, struct opnd v,
                           const struct type *t, bool imaginary)
{
    if (is_complex(t))
        return loc_load(c, n, complex_part(c, loc_pointer(v.slot, 0, t->canon->unqual), imaginary),
                        NO_SLOT);
    return imaginary ? compile_convert(c, NULL, opnd_k(0), lang_basic(c->p, TYPE_INT), t, NO_SLOT)
                     : v;
}

static struct opnd from_parts(struct compiler *c, const struct node *n, const struct type *t,
                              struct opnd real, struct opnd imaginary)
{
    uint32_t slot = complex_new(c, n, t);
    struct loc to = loc_pointer(slot, 0, t->canon->unqual);
    loc_store(c, n, complex_part(c, to, false), real);
    loc_store(c, n, complex_part(c, to, true), imaginary);
    return opnd_slot(slot);
}

struct opnd complex_load(struct compiler *c, const struct node *n, struct loc l)
{
    uint32_t before = c->code->count;
    struct opnd real = loc_load(c, n, complex_part(c, l, false), NO_SLOT);
    struct opnd imaginary = loc_load(c, n, complex_part(c, l, true), NO_SLOT);
    struct opnd v = from_parts(c, n, l.type, real, imaginary);
    emit_no_value(c, n, before);
    return v;
}

void complex_store(struct compiler *c, const struct node *n, struct loc l, struct opnd v)
{
    const struct type *t = l.type->canon->unqual;
    for (unsigned i = 0; i < 2; i++)
        loc_store(c, n, complex_part(c, l, i), part_of(c, n, v, t, i));
}

struct opnd complex_constant(struct compiler *c, const struct node *n)
{
    const struct type *part = n->type->canon->base;
    struct opnd zero = compile_convert(c, NULL, opnd_k(0), lang_basic(c->p, TYPE_INT), part,
                                       NO_SLOT);
    return from_parts(c, n, n->type, zero, compile_bits(c, n, part, n->u.value->bits));
}

struct opnd complex_of(struct compiler *c, const struct node *n)
{
    struct opnd real = compile_value(c, kid(c, n, 1), NO_SLOT);
    struct opnd imaginary = compile_value(c, kid(c, n, 2), NO_SLOT);
    return from_parts(c, n, n->type, real, imaginary);
}

static struct opnd truth(struct compiler *c, const struct node *n, struct opnd v,
                         const struct type *t)
{
    const struct type *boolean = lang_basic(c->p, TYPE_BOOL);
    uint32_t dst = slot_new(c, 1), is[2];
    for (unsigned i = 0; i < 2; i++) {
        struct opnd x = part_of(c, n, v, t, i);
        is[i] = opnd_in_slot(c, compile_convert(c, NULL, x, part_type(t), boolean, NO_SLOT));
    }
    emit(c, I_OR, dst, is[0], is[1], 0);
    return opnd_slot(dst);
}

/* C11 6.3.1.6, 6.3.1.7 */
static struct opnd convert(struct compiler *c, const struct node *n, struct opnd v,
                           const struct type *from, const struct type *to)
{
    if (lang_is_kind(to, TYPE_BOOL))
        return truth(c, n, v, from);
    struct opnd real = compile_convert(c, NULL, part_of(c, n, v, from, false), part_type(from),
                                       part_type(to), NO_SLOT);
    if (!is_complex(to))
        return real;
    struct opnd imaginary = compile_convert(c, NULL, part_of(c, n, v, from, true), part_type(from),
                                            part_type(to), NO_SLOT);
    return from_parts(c, n, to, real, imaginary);
}

struct opnd complex_convert(struct compiler *c, const struct node *n, struct opnd v,
                            const struct type *from, const struct type *to)
{
    const struct node *at = n ? n : c->node;
    if (from->canon->unqual == to->canon->unqual)
        return v;
    if (is_narrow(c, from) || is_narrow(c, to)) {
        emit_unsupported(c, at, "complex values of a type narrower than int: compilers differ");
        return opnd_k(0);
    }
    uint32_t before = c->code->count;
    v = convert(c, at, v, from, to);
    emit_no_value(c, at, before);
    return v;
}

/* ---- operators -------------------------------------------------------------------------- */

/* Two operands, and what they have in common. */
struct operands {
    struct opnd v[2];
    const struct type *type[2], *part;
};

static struct opnd on_parts(struct compiler *c, const struct node *n, enum op op,
                            const struct operands *x, bool left, bool right)
{
    struct opnd a = part_of(c, n, x->v[0], x->type[0], left);
    struct opnd b = part_of(c, n, x->v[1], x->type[1], right);
    return compile_binary(c, n, op, a, b, x->part, x->part, NO_SLOT);
}

/* One is real: its part takes part in both, or only in the real one. */
static struct opnd mixed(struct compiler *c, const struct node *n, enum op op,
                         const struct operands *x, const struct type *result)
{
    bool real_left = !is_complex(x->type[0]);
    struct opnd real = on_parts(c, n, op, x, false, false), imaginary;
    if (op == OP_MUL || op == OP_DIV)
        imaginary = on_parts(c, n, op, x, !real_left, real_left);
    else
        imaginary = part_of(c, n, x->v[real_left], x->type[real_left], true);
    if (op == OP_SUB && real_left)
        imaginary = compile_negate(c, n, OP_NEG, x->part, imaginary);
    return from_parts(c, n, result, real, imaginary);
}

static struct opnd equal(struct compiler *c, const struct node *n, enum op op,
                         const struct operands *x)
{
    uint32_t dst = slot_new(c, 1), before = c->code->count;
    uint32_t real = opnd_in_slot(c, on_parts(c, n, op, x, false, false));
    uint32_t imaginary = opnd_in_slot(c, on_parts(c, n, op, x, true, true));
    emit_no_value(c, n, before);
    emit(c, op == OP_EQ ? I_AND : I_OR, dst, real, imaginary, 0)->fact = fact_of(c, n);
    return opnd_slot(dst);
}

static struct opnd integer_product(struct compiler *c, const struct node *n,
                                   const struct operands *x, const struct type *result)
{
    struct opnd p[4];
    for (unsigned i = 0; i < 4; i++)
        p[i] = on_parts(c, n, OP_MUL, x, i & 1, i >> 1);
    struct opnd real = compile_binary(c, n, OP_SUB, p[0], p[3], x->part, x->part, NO_SLOT);
    struct opnd imaginary = compile_binary(c, n, OP_ADD, p[2], p[1], x->part, x->part, NO_SLOT);
    return from_parts(c, n, result, real, imaginary);
}

static struct opnd product(struct compiler *c, const struct node *n, enum op op,
                           const struct operands *x, const struct type *result)
{
    if (lang_is_integer(x->part) && op == OP_MUL)
        return integer_product(c, n, x, result);
    if (lang_is_integer(x->part)) {
        emit_unsupported(c, n, "quotient of complex integers: compilers differ");
        return opnd_k(0);
    }
    if (kind_of(c->p, x->part) == KIND_QUAD) {
        emit_unsupported(c, n, "product of complex values of quadruple precision");
        return opnd_k(0);
    }
    struct conversion *how = NEW(&c->m->arena, struct conversion);
    *how = (struct conversion){c->p, x->part, x->part};
    uint32_t dst = complex_new(c, n, result);
    emit(c, I_COMPLEX, dst, x->v[0].slot, x->v[1].slot, op)->u.conversion = how;
    return opnd_slot(dst);
}

static struct opnd combine(struct compiler *c, const struct node *n, enum op op,
                           const struct operands *x, const struct type *result)
{
    if (!is_complex(x->type[0]) || !is_complex(x->type[1]))
        return mixed(c, n, op, x, result);
    if (op == OP_MUL || op == OP_DIV)
        return product(c, n, op, x, result);
    struct opnd real = on_parts(c, n, op, x, false, false);
    return from_parts(c, n, result, real, on_parts(c, n, op, x, true, true));
}

struct opnd complex_binary(struct compiler *c, const struct node *n, enum op op, struct opnd a,
                           struct opnd b, const struct type *left, const struct type *right)
{
    const struct type *result = is_complex(left) ? left : right;
    struct operands x = {{a, b}, {left, right}, part_type(result)->canon->unqual};
    uint32_t before = c->code->count;
    if (is_narrow(c, result))
        emit_unsupported(c, n, "complex values of a type narrower than int: compilers differ");
    if (op == OP_EQ || op == OP_NE)
        return equal(c, n, op, &x);
    if (op != OP_ADD && op != OP_SUB && op != OP_MUL && op != OP_DIV) {
        emit_unsupported(c, n, "operator on this type");
        return opnd_k(0);
    }
    if (op == OP_DIV && !is_complex(left)) {
        x.v[0] = complex_convert(c, NULL, a, left, result);
        x.type[0] = result;
    }
    struct opnd v = combine(c, n, op, &x, result);
    emit_no_value(c, n, before);
    return v;
}

struct opnd complex_unary(struct compiler *c, const struct node *n, struct opnd v)
{
    const struct type *t = n->type, *part = part_type(t)->canon->unqual;
    uint32_t before = c->code->count;
    struct opnd real = part_of(c, n, v, t, false), imaginary = part_of(c, n, v, t, true);
    if (n->op == OP_NEG) /* ~ is GNU's conjugate */
        real = compile_negate(c, n, OP_NEG, part, real);
    imaginary = compile_negate(c, n, OP_NEG, part, imaginary);
    v = from_parts(c, n, t, real, imaginary);
    emit_no_value(c, n, before);
    return v;
}

/* GNU: of a real operand the imaginary part is zero. */
struct opnd complex_part_value(struct compiler *c, const struct node *n, struct opnd v)
{
    return part_of(c, n, v, kid(c, n, 0)->type->canon->unqual, n->op == OP_IMAG);
}
