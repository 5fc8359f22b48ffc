/* Conversions (C11 6.3): which one leads from a type to another, and the nodes for it. */
#include "lang/private.h"

struct node *lang_implicit(struct program *p, enum conv conv, struct node *a, struct type *type)
{
    struct node *n = lang_node(p, NODE_CAST, &a, 1);
    n->op = (uint8_t)conv;
    n->flags = NODE_IMPLICIT;
    n->type = type;
    n->begin = a->begin;
    n->end = a->end;
    return n;
}

void lang_mark_address(struct node *a)
{
    for (;;) {
        switch (a->kind) {
        case NODE_NAME:
            a->u.decl->address_taken = true;
            return;
        case NODE_LITERAL:
            a->u.declarator->decl->address_taken = true;
            return;
        case NODE_MEMBER:
            if (a->flags & NODE_ARROW)
                return;
            break;
        case NODE_CAST:
            if (a->op != CONV_ARRAY)
                return;
            break;
        case NODE_INDEX:
            break;
        case NODE_UNARY:
            if (a->op != OP_REAL && a->op != OP_IMAG)
                return;
            break;
        default:
            return;
        }
        a = a->kid[0];
    }
}

struct node *lang_rvalue(struct program *p, struct node *a)
{
    struct type *t = a->type;
    if (t->kind == TYPE_ARRAY) {
        lang_mark_address(a);
        return lang_implicit(p, CONV_ARRAY, a, lang_pointer(p, t->base));
    }
    if (t->kind == TYPE_FUNCTION)
        return lang_implicit(p, CONV_FUNCTION, a, lang_pointer(p, t));
    if (!(a->flags & NODE_LVALUE) || t->kind == TYPE_VOID)
        return a;
    return lang_implicit(p, CONV_LVALUE, a, t->unqual);
}

struct node *lang_condition(struct program *p, struct node *a)
{
    a = lang_rvalue(p, a);
    if (!lang_is_scalar(a->type) && a->type->kind != TYPE_UNKNOWN)
        return lang_refuse(p, "used type %s where a scalar is required",
                           lang_type_text(p, a->type));
    return a;
}

/* ---- which conversion ------------------------------------------------------------------- */

enum { CONV_IMPOSSIBLE = -1 };

/* By class of the source (row) and of the target (column). */
enum group { GROUP_INT, GROUP_FLOAT, GROUP_COMPLEX, GROUP_POINTER, GROUP_OTHER, GROUP_COUNT };

static const int8_t between[GROUP_COUNT][GROUP_COUNT] = {
    [GROUP_INT] = {CONV_INT, CONV_INT_FLOAT, CONV_COMPLEX, CONV_INT_PTR, CONV_IMPOSSIBLE},
    [GROUP_FLOAT] = {CONV_FLOAT_INT, CONV_FLOAT, CONV_COMPLEX, CONV_IMPOSSIBLE, CONV_IMPOSSIBLE},
    [GROUP_COMPLEX] = {CONV_COMPLEX, CONV_COMPLEX, CONV_COMPLEX, CONV_IMPOSSIBLE, CONV_IMPOSSIBLE},
    [GROUP_POINTER] = {CONV_PTR_INT, CONV_IMPOSSIBLE, CONV_IMPOSSIBLE, CONV_PTR, CONV_IMPOSSIBLE},
    [GROUP_OTHER] = {CONV_IMPOSSIBLE, CONV_IMPOSSIBLE, CONV_IMPOSSIBLE, CONV_IMPOSSIBLE,
                     CONV_IMPOSSIBLE},
};

static enum group group_of(const struct type *t)
{
    if (lang_is_integer(t))
        return GROUP_INT;
    if (lang_is_floating(t))
        return GROUP_FLOAT;
    if (t->kind == TYPE_COMPLEX)
        return GROUP_COMPLEX;
    return t->kind == TYPE_POINTER ? GROUP_POINTER : GROUP_OTHER;
}

static bool same_bits(const struct program *p, const struct type *a, const struct type *b)
{
    bool vectors = (a->kind == TYPE_VECTOR && (b->kind == TYPE_VECTOR || lang_is_integer(b))) ||
                   (b->kind == TYPE_VECTOR && lang_is_integer(a));
    return vectors && lang_sizeof(p, a) == lang_sizeof(p, b);
}

/* From and to are canonical and unqualified. */
static int conversion(const struct program *p, const struct type *from, const struct type *to)
{
    if (from == to)
        return CONV_NOOP;
    if (to->kind == TYPE_VOID)
        return CONV_VOID;
    if (from->kind == TYPE_UNKNOWN)
        return CONV_NOOP;
    if (to->kind == TYPE_BOOL && lang_is_scalar(from))
        return CONV_BOOL;
    int conv = between[group_of(from)][group_of(to)];
    if (conv != CONV_IMPOSSIBLE)
        return conv;
    if (same_bits(p, from, to))
        return CONV_VECTOR;
    if (lang_compatible(p, from, to))
        return CONV_NOOP;
    return CONV_IMPOSSIBLE;
}

/* The member of a union that a value of this type can initialise, or NULL. */
static struct field *member_for(const struct program *p, const struct record *r,
                                const struct node *a)
{
    for (uint32_t i = 0; i < r->count; i++)
        if (lang_compatible(p, r->fields[i]->type, a->type))
            return r->fields[i];
    for (uint32_t i = 0; i < r->count; i++)
        if (lang_is_kind(r->fields[i]->type, TYPE_POINTER) &&
            (lang_is_kind(a->type, TYPE_POINTER) || lang_is_null_constant(p, a)))
            return r->fields[i];
    return NULL;
}

static struct node *to_union(struct program *p, struct node *a, struct type *to)
{
    struct field *f = member_for(p, to->u.record, a);
    if (!f)
        return NULL;
    return lang_implicit(p, CONV_UNION, lang_convert(p, a, f->type), to);
}

struct node *lang_convert(struct program *p, struct node *a, struct type *type)
{
    struct type *to = lang_unqualified(type);
    a = lang_rvalue(p, a);
    struct type *from = a->type->unqual;
    if (from == to)
        return a;
    if (to->kind == TYPE_POINTER && lang_is_integer(from) && lang_is_null_constant(p, a))
        return lang_implicit(p, CONV_NULL, a, to);
    int conv = from->kind == TYPE_VOID ? CONV_IMPOSSIBLE : conversion(p, from, to);
    if (conv == CONV_VOID)
        conv = CONV_IMPOSSIBLE;
    if (conv != CONV_IMPOSSIBLE)
        return lang_implicit(p, (enum conv)conv, a, to);
    if (to->kind == TYPE_UNION && to->u.record->transparent) {
        struct node *n = to_union(p, a, to);
        if (n)
            return n;
    }
    return lang_refuse(p, "incompatible types: cannot convert %s to %s", lang_type_text(p, from),
                       lang_type_text(p, to));
}

struct node *lang_cast(struct program *p, struct type *type, struct node *a)
{
    struct type *to = lang_unqualified(type);
    a = lang_rvalue(p, a);
    struct type *from = a->type->unqual;
    int conv = from->kind == TYPE_VOID && to->kind != TYPE_VOID ? CONV_IMPOSSIBLE
                                                                : conversion(p, from, to);
    if (conv == CONV_INT_PTR && lang_is_null_constant(p, a))
        conv = CONV_NULL;
    if (conv == CONV_IMPOSSIBLE && to->kind == TYPE_UNION && member_for(p, to->u.record, a))
        conv = CONV_UNION;
    if (conv == CONV_IMPOSSIBLE)
        return lang_refuse(p, "cannot cast %s to %s", lang_type_text(p, from),
                           lang_type_text(p, to));
    struct node *n = lang_implicit(p, (enum conv)conv, a, to);
    n->flags = 0;
    n->u.operand = type;
    return n;
}

/* ---- promotions ------------------------------------------------------------------------- */

struct field *lang_bitfield_of(const struct node *a)
{
    for (;;) {
        if (a->kind == NODE_CAST && a->op == CONV_LVALUE)
            a = a->kid[0];
        else if (a->kind == NODE_ASSIGN)
            a = a->kid[0];
        else if (a->kind == NODE_UNARY && lang_op_info[a->op].typing == TYPING_STEP)
            a = a->kid[0];
        else if (a->kind == NODE_BINARY && a->op == OP_COMMA)
            a = a->kid[1];
        else
            break;
    }
    return a->kind == NODE_MEMBER && a->u.field->is_bitfield ? a->u.field : NULL;
}

bool lang_is_narrow(const struct program *p, const struct node *a)
{
    const struct field *f = lang_is_integer(a->type) ? lang_bitfield_of(a) : NULL;
    return f && f->width < lang_int_width(p, f->type);
}

struct type *lang_promoted(const struct program *p, const struct type *t)
{
    t = t->canon->unqual;
    if (t->kind == TYPE_ENUM)
        return lang_promoted(p, t->u.enumeration->base);
    if (t->kind == TYPE_BITINT)
        return t->unqual;
    struct type *int_type = lang_basic(p, TYPE_INT);
    if (!lang_is_integer(t) || lang_type_info[t->kind].rank > lang_type_info[TYPE_INT].rank)
        return p->basic[t->kind] ? p->basic[t->kind] : t->unqual;
    if (t->kind == TYPE_UINT)
        return lang_basic(p, TYPE_UINT);
    bool fits = lang_int_signed(p, t) || lang_int_width(p, t) < lang_int_width(p, int_type);
    return fits ? int_type : lang_basic(p, TYPE_UINT);
}

/* C11 6.3.1.1p2, with a bit-field's width. */
struct type *lang_promoted_value(const struct program *p, const struct node *a)
{
    const struct field *f = lang_is_integer(a->type) ? lang_bitfield_of(a) : NULL;
    if (!f || lang_is_kind(a->type, TYPE_BITINT))
        return lang_promoted(p, a->type);
    struct type *int_type = lang_basic(p, TYPE_INT);
    unsigned int_width = lang_int_width(p, int_type);
    bool is_signed = lang_int_signed(p, f->type);
    if (f->width < int_width || (f->width == int_width && is_signed))
        return int_type;
    if (f->width == int_width)
        return lang_basic(p, TYPE_UINT);
    return lang_promoted(p, a->type);
}

struct node *lang_promote_integer(struct program *p, struct node *a)
{
    a = lang_rvalue(p, a);
    if (!lang_is_integer(a->type))
        return a;
    struct type *to = lang_promoted_value(p, a);
    return to == a->type->unqual ? a : lang_implicit(p, CONV_INT, a, to);
}

/* C11 6.5.2.2p6: default argument promotions. */
struct node *lang_promote(struct program *p, struct node *a)
{
    a = lang_promote_integer(p, a);
    if (a->type->kind == TYPE_FLOAT)
        return lang_implicit(p, CONV_FLOAT, a, lang_basic(p, TYPE_DOUBLE));
    if (a->type->kind == TYPE_VOID)
        return lang_refuse(p, "invalid use of a void expression");
    return a;
}

/* ---- usual arithmetic conversions: C11 6.3.1.8 ------------------------------------------ */

/* C23 6.3.1.1p1: a bit-precise type ranks by its width, below the others of the same width. */
static bool ranks_below(const struct program *p, const struct type *a, const struct type *b)
{
    bool precise_a = a->kind == TYPE_BITINT, precise_b = b->kind == TYPE_BITINT;
    unsigned width_a = lang_int_width(p, a), width_b = lang_int_width(p, b);
    if (!precise_a && !precise_b)
        return lang_type_info[a->kind].rank < lang_type_info[b->kind].rank;
    return width_a != width_b ? width_a < width_b : precise_a && !precise_b;
}

struct type *lang_unsigned(struct program *p, const struct type *t)
{
    if (t->kind == TYPE_BITINT)
        return lang_bitint(p, lang_int_width(p, t), false);
    return p->basic[t->kind + 1]; /* types.def has the unsigned one behind */
}

static struct type *balanced_integers(struct program *p, struct type *a, struct type *b)
{
    if (a == b)
        return a;
    bool signed_a = lang_int_signed(p, a), signed_b = lang_int_signed(p, b);
    if (signed_a == signed_b)
        return ranks_below(p, a, b) ? b : a;
    struct type *with = signed_a ? a : b, *without = signed_a ? b : a;
    if (!ranks_below(p, without, with))
        return without;
    if (lang_int_width(p, with) > lang_int_width(p, without))
        return with;
    return lang_unsigned(p, with);
}

struct type *lang_balanced(struct program *p, const struct type *a, const struct type *b)
{
    a = a->canon->unqual;
    b = b->canon->unqual;
    bool complex = a->kind == TYPE_COMPLEX || b->kind == TYPE_COMPLEX;
    if (complex) {
        struct type *real = lang_balanced(p, a->kind == TYPE_COMPLEX ? a->base : a,
                                          b->kind == TYPE_COMPLEX ? b->base : b);
        return lang_complex(p, real);
    }
    bool float_a = lang_is_floating(a), float_b = lang_is_floating(b);
    if (float_a && float_b)
        return lang_type_info[a->kind].rank >= lang_type_info[b->kind].rank ? p->basic[a->kind]
                                                                            : p->basic[b->kind];
    if (float_a || float_b)
        return float_a ? p->basic[a->kind] : p->basic[b->kind];
    return balanced_integers(p, lang_promoted(p, a), lang_promoted(p, b));
}

/* Real operands stay real beside complex ones: "without change of type domain". */
static struct node *balance_one(struct program *p, struct node *a, struct type *common)
{
    bool stays_real = common->kind == TYPE_COMPLEX && a->type->kind != TYPE_COMPLEX;
    return lang_convert(p, a, stays_real ? common->base : common);
}

struct type *lang_balance(struct program *p, struct node **a, struct node **b)
{
    *a = lang_promote_integer(p, *a);
    *b = lang_promote_integer(p, *b);
    struct type *common = lang_balanced(p, (*a)->type, (*b)->type);
    *a = balance_one(p, *a, common);
    *b = balance_one(p, *b, common);
    return *a && *b ? common : NULL;
}
