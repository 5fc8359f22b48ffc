/* Operators: what operands they take and what type results, one function per rule named in
 * the typing column of ops.def.  Accepts what gcc accepts: C11's constraints, the GNU
 * extensions (void * arithmetic, vectors, complex), and mixes of integers and pointers that
 * are only warned about. */
#include "lang/private.h"

static bool is_vector(const struct node *a)
{
    return a->type->kind == TYPE_VECTOR;
}

static bool has_floating_lanes(const struct node *a)
{
    return is_vector(a) && lang_is_floating(a->type->base);
}

static bool is_pointer(const struct node *a)
{
    return a->type->kind == TYPE_POINTER;
}

static struct node *finish(struct program *p, enum op op, struct node *a, struct node *b,
                           struct type *type)
{
    struct node *kids[2] = {a, b};
    struct node *n = lang_node(p, b ? NODE_BINARY : NODE_UNARY, kids, b ? 2 : 1);
    n->op = (uint8_t)op;
    n->type = type;
    return n;
}

static struct node *invalid(struct program *p, enum op op, const struct node *a,
                            const struct node *b)
{
    if (!b)
        return lang_refuse(p, "invalid operand of unary '%s': %s", lang_op_info[op].text,
                           lang_type_text(p, a->type));
    return lang_refuse(p, "invalid operands of '%s': %s and %s", lang_op_info[op].text,
                       lang_type_text(p, a->type), lang_type_text(p, b->type));
}

/* What a pointer can step over: elements with a size; void and functions count as one byte (GNU).
 */
static bool can_step(const struct node *pointer)
{
    const struct type *to = pointer->type->base->canon;
    return to->kind == TYPE_VOID || to->kind == TYPE_FUNCTION || lang_is_complete(to);
}

/* GNU: one operand a vector, the other the same or a scalar that becomes one; else p->err. */
static bool balance_vectors(struct program *p, enum op op, struct node **a, struct node **b)
{
    struct node **scalar = is_vector(*a) ? b : a;
    struct type *vector = (is_vector(*a) ? *a : *b)->type->unqual;
    if (is_vector(*a) && is_vector(*b)) {
        bool alike = lang_is_floating((*a)->type->base) == lang_is_floating((*b)->type->base);
        return (alike && lang_sizeof(p, (*a)->type) == lang_sizeof(p, (*b)->type) &&
                (*a)->type->u.count == (*b)->type->u.count) ||
               invalid(p, op, *a, *b);
    }
    if (!lang_is_arithmetic((*scalar)->type))
        return invalid(p, op, *a, *b);
    *scalar = lang_convert(p, *scalar, vector->base);
    if (*scalar)
        *scalar = lang_implicit(p, CONV_SPLAT, *scalar, vector);
    return *scalar;
}

/* ---- unary ------------------------------------------------------------------------------ */

/* C11 6.3.2.1p1: of any depth. */
static bool has_const_member(const struct type *t)
{
    t = t->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon;
    const struct record *r = lang_is_record(t) ? t->u.record : NULL;
    for (uint32_t i = 0; r && i < r->count; i++) {
        const struct type *of = r->fields[i]->type->canon;
        while (of->kind == TYPE_ARRAY)
            of = of->base->canon;
        if (of->quals & QUAL_CONST || has_const_member(of))
            return true;
    }
    return false;
}

static bool check_modifiable(struct program *p, const struct node *a)
{
    if (!(a->flags & NODE_LVALUE) || a->type->kind == TYPE_ARRAY || a->type->kind == TYPE_FUNCTION)
        return lang_refuse(p, "lvalue required: expression is not assignable");
    if (a->type->quals & QUAL_CONST || has_const_member(a->type))
        return lang_refuse(p, "assignment of a read-only location");
    if (!lang_is_complete(a->type))
        return lang_refuse(p, "incomplete type %s", lang_type_text(p, a->type));
    return true;
}

static struct node *type_step(struct program *p, enum op op, struct node *a)
{
    if (!check_modifiable(p, a))
        return NULL;
    if ((!lang_is_scalar(a->type) && !is_vector(a)) || (is_pointer(a) && !can_step(a)))
        return invalid(p, op, a, NULL);
    return finish(p, op, a, NULL, a->type->unqual);
}

static struct node *type_address(struct program *p, enum op op, struct node *a)
{
    if (a->type->kind == TYPE_FUNCTION)
        return finish(p, op, a, NULL, lang_pointer(p, a->type));
    if (!(a->flags & NODE_LVALUE))
        return lang_refuse(p, "lvalue required as unary '&' operand");
    if (a->kind == NODE_MEMBER && a->u.field->is_bitfield)
        return lang_refuse(p, "cannot take address of bit-field '%s'", a->u.field->name);
    const struct node *whole = a;
    for (;;)
        if (whole->kind == NODE_MEMBER && !(whole->flags & NODE_ARROW))
            whole = whole->kid[0];
        else if (whole->kind == NODE_INDEX && whole->kid[0]->kind == NODE_CAST &&
                 whole->kid[0]->op == CONV_ARRAY)
            whole = whole->kid[0]->kid[0];
        else
            break;
    if (whole->kind == NODE_NAME && whole->u.decl->storage == STORAGE_REGISTER &&
        whole->u.decl->owner)
        return lang_refuse(p, "address of register variable '%s' requested", whole->u.decl->name);
    lang_mark_address(a);
    return finish(p, op, a, NULL, lang_pointer(p, a->type));
}

static struct node *type_deref(struct program *p, enum op op, struct node *a)
{
    a = lang_rvalue(p, a);
    if (!is_pointer(a))
        return invalid(p, op, a, NULL);
    struct node *n = finish(p, op, a, NULL, a->type->base);
    n->flags |= NODE_LVALUE;
    return n;
}

static struct node *type_sign(struct program *p, enum op op, struct node *a)
{
    a = lang_promote_integer(p, a);
    if (!lang_is_arithmetic(a->type) && !is_vector(a))
        return invalid(p, op, a, NULL);
    return finish(p, op, a, NULL, a->type->unqual);
}

static struct node *type_invert(struct program *p, enum op op, struct node *a)
{
    a = lang_promote_integer(p, a);
    bool lanes = is_vector(a) && !has_floating_lanes(a);
    if (!lang_is_integer(a->type) && a->type->kind != TYPE_COMPLEX && !lanes)
        return invalid(p, op, a, NULL);
    return finish(p, op, a, NULL, a->type->unqual);
}

static struct node *type_truth(struct program *p, enum op op, struct node *a)
{
    a = lang_condition(p, a);
    return a ? finish(p, op, a, NULL, lang_basic(p, TYPE_INT)) : NULL;
}

/* GNU __real__ and __imag__: an lvalue when the operand is one. */
static struct node *type_part(struct program *p, enum op op, struct node *a)
{
    if (!lang_is_arithmetic(a->type))
        return invalid(p, op, a, NULL);
    bool complex = a->type->kind == TYPE_COMPLEX;
    if (!complex && op == OP_IMAG) /* zero, and no lvalue */
        a = lang_rvalue(p, a);
    struct type *t = complex ? lang_qualified(p, a->type->base, a->type->quals) : a->type;
    struct node *n = finish(p, op, a, NULL, t);
    n->flags |= a->flags & NODE_LVALUE;
    return n;
}

/* ---- binary ----------------------------------------------------------------------------- */

static struct node *type_vectors(struct program *p, enum op op, struct node *a, struct node *b)
{
    if (!balance_vectors(p, op, &a, &b))
        return NULL;
    return finish(p, op, a, b, a->type->unqual);
}

static struct node *type_arith(struct program *p, enum op op, struct node *a, struct node *b)
{
    a = lang_rvalue(p, a);
    b = lang_rvalue(p, b);
    if (is_vector(a) || is_vector(b))
        return type_vectors(p, op, a, b);
    if (!lang_is_arithmetic(a->type) || !lang_is_arithmetic(b->type))
        return invalid(p, op, a, b);
    struct type *type = lang_balance(p, &a, &b);
    return type ? finish(p, op, a, b, type) : NULL;
}

static struct node *type_integer(struct program *p, enum op op, struct node *a, struct node *b)
{
    a = lang_rvalue(p, a);
    b = lang_rvalue(p, b);
    if (has_floating_lanes(a) || has_floating_lanes(b))
        return invalid(p, op, a, b);
    if (is_vector(a) || is_vector(b))
        return type_vectors(p, op, a, b);
    if (!lang_is_integer(a->type) || !lang_is_integer(b->type))
        return invalid(p, op, a, b);
    struct type *type = lang_balance(p, &a, &b);
    return type ? finish(p, op, a, b, type) : NULL;
}

static struct node *type_add(struct program *p, enum op op, struct node *a, struct node *b)
{
    a = lang_rvalue(p, a);
    b = lang_rvalue(p, b);
    if ((is_pointer(a) && !can_step(a)) || (is_pointer(b) && !can_step(b)))
        return invalid(p, op, a, b);
    if (is_pointer(a) && lang_is_integer(b->type))
        return finish(p, op, a, lang_promote_integer(p, b), a->type->unqual);
    if (op == OP_ADD && is_pointer(b) && lang_is_integer(a->type))
        return finish(p, op, lang_promote_integer(p, a), b, b->type->unqual);
    return type_arith(p, op, a, b);
}

static struct node *type_sub(struct program *p, enum op op, struct node *a, struct node *b)
{
    a = lang_rvalue(p, a);
    b = lang_rvalue(p, b);
    if (is_pointer(a) && is_pointer(b) && can_step(a) && can_step(b)) {
        const struct type *x = a->type->base->canon->unqual, *y = b->type->base->canon->unqual;
        if (!lang_compatible(p, x, y)) /* C11 6.5.6p3 */
            return invalid(p, op, a, b);
        return finish(p, op, a, b, lang_ptrdiff_type(p));
    }
    return type_add(p, op, a, b);
}

static struct node *type_shift(struct program *p, enum op op, struct node *a, struct node *b)
{
    a = lang_promote_integer(p, a);
    b = lang_promote_integer(p, b);
    const struct type *left = is_vector(a) ? a->type->base : a->type;
    if ((is_vector(a) || is_vector(b)) && lang_is_integer(left))
        return type_vectors(p, op, a, b);
    if (!lang_is_integer(a->type) || !lang_is_integer(b->type))
        return invalid(p, op, a, b);
    return finish(p, op, a, b, a->type);
}

/* Comparing vectors gives 0 or -1 in integers of the elements' size. */
static struct node *compare_vectors(struct program *p, enum op op, struct node *a, struct node *b)
{
    if (!balance_vectors(p, op, &a, &b))
        return NULL;
    struct type *element = lang_int_of_size(p, lang_sizeof(p, a->type->base), true);
    if (!element)
        return invalid(p, op, a, b);
    return finish(p, op, a, b, lang_vector(p, element, a->type->u.count));
}

static struct node *type_compare(struct program *p, enum op op, struct node *a, struct node *b)
{
    struct type *int_type = lang_basic(p, TYPE_INT);
    a = lang_rvalue(p, a);
    b = lang_rvalue(p, b);
    if (is_vector(a) || is_vector(b))
        return compare_vectors(p, op, a, b);
    bool complex = a->type->kind == TYPE_COMPLEX || b->type->kind == TYPE_COMPLEX;
    if (complex && op != OP_EQ && op != OP_NE) /* C11 6.5.8p2 */
        return invalid(p, op, a, b);
    if (lang_is_arithmetic(a->type) && lang_is_arithmetic(b->type))
        return lang_balance(p, &a, &b) ? finish(p, op, a, b, int_type) : NULL;
    if (is_pointer(a) && lang_is_integer(b->type))
        b = lang_convert(p, b, a->type);
    else if (is_pointer(b) && lang_is_integer(a->type))
        a = lang_convert(p, a, b->type);
    if (!a || !b)
        return NULL;
    return is_pointer(a) && is_pointer(b) ? finish(p, op, a, b, int_type) : invalid(p, op, a, b);
}

static struct node *type_logic(struct program *p, enum op op, struct node *a, struct node *b)
{
    a = lang_condition(p, a);
    b = lang_condition(p, b);
    return a && b ? finish(p, op, a, b, lang_basic(p, TYPE_INT)) : NULL;
}

static struct node *type_comma(struct program *p, enum op op, struct node *a, struct node *b)
{
    a = lang_rvalue(p, a);
    b = lang_rvalue(p, b);
    return finish(p, op, a, b, b->type);
}

typedef struct node *unary_fn(struct program *p, enum op op, struct node *a);
typedef struct node *binary_fn(struct program *p, enum op op, struct node *a, struct node *b);

static unary_fn *const unary_rules[TYPING_COUNT] = {
    [TYPING_STEP] = type_step, [TYPING_ADDRESS] = type_address, [TYPING_DEREF] = type_deref,
    [TYPING_SIGN] = type_sign, [TYPING_INVERT] = type_invert,   [TYPING_TRUTH] = type_truth,
    [TYPING_PART] = type_part,
};

static binary_fn *const binary_rules[TYPING_COUNT] = {
    [TYPING_ARITH] = type_arith,      [TYPING_INTEGER] = type_integer,
    [TYPING_ADD] = type_add,          [TYPING_SUB] = type_sub,
    [TYPING_SHIFT] = type_shift,      [TYPING_RELATION] = type_compare,
    [TYPING_EQUALITY] = type_compare, [TYPING_LOGIC] = type_logic,
    [TYPING_COMMA] = type_comma,
};

struct node *lang_unary(struct program *p, enum op op, struct node *a)
{
    unary_fn *rule = unary_rules[lang_op_info[op].typing];
    if (!rule)
        BUG("%s is not a unary operator", lang_op_info[op].name);
    return rule(p, op, a);
}

struct node *lang_binary(struct program *p, enum op op, struct node *a, struct node *b)
{
    binary_fn *rule = binary_rules[lang_op_info[op].typing];
    if (!rule)
        BUG("%s is not a binary operator", lang_op_info[op].name);
    return rule(p, op, a, b);
}

/* ---- assignment ------------------------------------------------------------------------- */

/* a op= b: the operation is typed on the value of a, then its node gives way to an ASSIGN that
 * keeps the converted right operand and the type to compute in (C11 6.5.16.2p3). */
static struct node *compound(struct program *p, enum op op, struct node *a, struct node *b)
{
    struct node *operation = lang_binary(p, op, a, b);
    if (!operation)
        return NULL;
    struct type *in = operation->type;
    if (!lang_convert(p, operation, a->type))
        return NULL;
    struct node *kids[2] = {a, operation->kid[1]};
    lang_release(p, operation->id);
    struct node *n = lang_node(p, NODE_ASSIGN, kids, 2);
    n->u.operand = in;
    return n;
}

struct node *lang_assign(struct program *p, enum op op, struct node *a, struct node *b)
{
    if (!check_modifiable(p, a))
        return NULL;
    struct node *n;
    if (op == OP_ASSIGN) {
        struct node *kids[2] = {a, lang_convert(p, b, a->type)};
        if (!kids[1])
            return NULL;
        n = lang_node(p, NODE_ASSIGN, kids, 2);
        n->u.operand = a->type->unqual;
    } else {
        n = compound(p, op, a, b);
        if (!n)
            return NULL;
    }
    n->op = (uint8_t)op;
    n->type = a->type->unqual;
    return n;
}

/* ---- the conditional operator: C11 6.5.15 ----------------------------------------------- */

/* Both pointers: the composite of what they point to, with all qualifiers. */
static struct type *common_pointer(struct program *p, struct type *a, struct type *b)
{
    struct type *x = a->base, *y = b->base;
    unsigned quals = x->quals | y->quals;
    struct type *to;
    if (x->kind == TYPE_VOID || y->kind == TYPE_VOID || !lang_compatible(p, x, y))
        to = lang_basic(p, TYPE_VOID);
    else
        to = lang_composite(p, x->unqual, y->unqual);
    return lang_pointer(p, lang_qualified(p, to, quals));
}

static struct type *cond_type(struct program *p, struct node *a, struct node *b)
{
    if (a->type->kind == TYPE_VOID || b->type->kind == TYPE_VOID)
        return lang_basic(p, TYPE_VOID);
    if (lang_is_arithmetic(a->type) && lang_is_arithmetic(b->type))
        return lang_balanced(p, lang_promoted_value(p, a), lang_promoted_value(p, b));
    if (is_pointer(a) && is_pointer(b)) {
        if (lang_is_null_constant(p, a))
            return b->type;
        return lang_is_null_constant(p, b) ? a->type : common_pointer(p, a->type, b->type);
    }
    if (is_pointer(a) && lang_is_integer(b->type))
        return a->type;
    if (is_pointer(b) && lang_is_integer(a->type))
        return b->type;
    return lang_compatible(p, a->type, b->type) ? a->type->unqual : NULL;
}

/* One arm; a void arm beside a value (GNU) is left alone. */
static struct node *cond_arm(struct program *p, struct node *a, struct type *type)
{
    if (type->kind != TYPE_VOID)
        return lang_convert(p, a, type);
    return a->type->kind == TYPE_VOID ? a : lang_implicit(p, CONV_VOID, a, type);
}

struct node *lang_cond(struct program *p, struct node *c, struct node *a, struct node *b)
{
    c = lang_condition(p, c);
    if (!c)
        return NULL;
    struct node *then = a ? lang_rvalue(p, a) : c;
    b = lang_rvalue(p, b);
    struct type *type = cond_type(p, then, b);
    if (!type)
        return lang_refuse(p, "type mismatch in conditional expression: %s and %s",
                           lang_type_text(p, then->type), lang_type_text(p, b->type));
    struct node *kids[3] = {c, a ? cond_arm(p, then, type) : NULL, cond_arm(p, b, type)};
    if ((a && !kids[1]) || !kids[2])
        return NULL;
    struct node *n = lang_node(p, NODE_COND, kids, 3);
    n->type = type->unqual;
    return n;
}
