/* Operands that are the value of a bit-field, where compilers give them different types: such
 * arithmetic is unsupported.
 *
 * C11 6.3.1.1p2 says nothing of bit-fields wider than int: gcc computes in the field's width, clang
 * in its type.  And to clang what s.f++ and ({ s.f; }) give is no bit-field any more, so that it
 * has the type that was declared, where gcc promotes it to int. */
#include "machine/compile/private.h"

static bool is_wide_field(const struct compiler *c, const struct node *n)
{
    n = selected(c, n);
    if (n->kind == NODE_CAST && n->op == CONV_LVALUE)
        return is_wide_field(c, kid(c, n, 0));
    if (n->kind == NODE_ASSIGN || is_step(n))
        return is_wide_field(c, kid(c, n, 0));
    if (n->kind == NODE_BINARY && n->op == OP_COMMA)
        return is_wide_field(c, kid(c, n, 1));
    if (n->kind == NODE_UNARY && n->op == OP_PLUS)
        return is_wide_field(c, kid(c, n, 0));
    if (n->kind == NODE_COND)
        return (n->kid[1] && is_wide_field(c, kid(c, n, 1))) || is_wide_field(c, kid(c, n, 2));
    if (n->kind != NODE_MEMBER || !n->u.field->is_bitfield)
        return false;
    unsigned width = n->u.field->width, of_int = 8u * c->p->target->int_.size;
    return width > of_int && width < lang_int_width(c->p, n->type);
}

/* Without the conversions that an operator made. */
static const struct node *written(const struct compiler *c, const struct node *n)
{
    n = selected(c, n);
    while (n->kind == NODE_CAST && n->op == CONV_INT && n->flags & NODE_IMPLICIT)
        n = selected(c, kid(c, n, 0));
    return n;
}

/* The last expression of a block; NULL: it ends otherwise. */
static const struct node *last_value(const struct compiler *c, const struct node *block)
{
    uint32_t at = lang_value_index(block);
    const struct node *last = at < block->count ? kid(c, block, at) : NULL;
    return last && last->kind == NODE_EXPR_STMT ? kid(c, last, 0) : NULL;
}

/* The bit-field that is one to gcc only, and has another type to clang; NULL: none. */
static const struct field *open_field(const struct compiler *c, const struct node *n)
{
    n = written(c, n);
    if (n->kind == NODE_BINARY && n->op == OP_COMMA)
        return open_field(c, kid(c, n, 1));
    if (n->kind == NODE_UNARY && n->op == OP_PLUS)
        return open_field(c, kid(c, n, 0));
    const struct node *value = NULL;
    if (n->kind == NODE_UNARY && (n->op == OP_POSTINC || n->op == OP_POSTDEC))
        value = kid(c, n, 0);
    else if (n->kind == NODE_STMT_EXPR)
        value = last_value(c, kid(c, n, 0));
    const struct field *f = value && lang_is_integer(value->type) ? lang_bitfield_of(value) : NULL;
    bool other = f && f->width < lang_int_width(c->p, lang_basic(c->p, TYPE_INT)) &&
                 lang_promoted(c->p, f->type)->kind != TYPE_INT;
    return other ? f : NULL;
}

static bool may_be_negative(const struct compiler *c, const struct node *n)
{
    u128 v;
    if (!lang_int_signed(c->p, n->type))
        return false;
    return !lang_constant(c->p, n, &v) || lang_sign_extend(v, lang_int_width(c->p, n->type)) >> 127;
}

/* Has the result the same type and value, whether the field's value is an int or what was declared?
 */
static bool same_result(const struct compiler *c, const struct node *n, const struct field *f,
                        const struct node *other)
{
    if (!other)
        return false;
    bool shift = n->kind != NODE_COND && (n->op == OP_SHL || n->op == OP_SHR);
    if (shift) /* the right operand has no part in the type */
        return n->op == OP_SHR || other == kid(c, n, 0);
    other = written(c, other);
    if (!lang_is_integer(other->type))
        return true;
    struct type *declared = lang_promoted(c->p, f->type);
    const struct type *type = lang_promoted_value(c->p, other);
    if (lang_balanced(c->p, declared, type) == type)
        return true;
    /* sums may be negative, or not; where they are assigned, that is the same again */
    bool sums = n->op == OP_ADD || n->op == OP_SUB || n->op == OP_MUL;
    if (n->kind != NODE_COND && sums)
        return n->kind == NODE_ASSIGN;
    return !may_be_negative(c, other);
}

void check_fields(struct compiler *c, const struct node *n, const struct node *operand,
                  const struct node *other)
{
    if (!lang_is_integer(operand->type))
        return;
    if (n->kind != NODE_COND && is_wide_field(c, operand))
        emit_unsupported(c, n, "arithmetic on a bit-field wider than int: compilers differ");
    const struct field *f = open_field(c, operand);
    if (f && !same_result(c, n, f, other))
        emit_unsupported(c, n, "arithmetic on what was the value of a bit-field: compilers differ");
}
