/* Constant expressions (C11 6.6), and what gcc folds besides: short-circuited halves that are
 * no constants, differences and members of addresses that start at a constant, builtins. */
#include "lang/private.h"

#include <string.h>

static bool fold_address(const struct program *p, const struct node *n, u128 *value);

static u128 as_signed(const struct program *p, const struct node *n, u128 v)
{
    return lang_int_signed(p, n->type) ? lang_sign_extend(v, lang_int_width(p, n->type)) : v;
}

static uint64_t pointee_size(const struct program *p, const struct type *pointer)
{
    uint64_t size = lang_sizeof(p, pointer->base);
    return pointer->base->kind == TYPE_VOID ? 1 : size;
}

static bool fold_cast(const struct program *p, const struct node *n, u128 *value)
{
    const struct node *a = n->kid[0];
    u128 v;
    if (n->op == CONV_ARRAY)
        return fold_address(p, a, value);
    if (n->op == CONV_LVALUE || n->op == CONV_FUNCTION || !lang_constant(p, a, &v))
        return false;
    if (n->op == CONV_NOOP) {
        *value = v;
        return true;
    }
    return lang_value_convert(p, a->type, n->type, v, value) == VALUE_OK;
}

static bool fold_unary(const struct program *p, const struct node *n, u128 *value)
{
    u128 a;
    if (n->op == OP_ADDR)
        return fold_address(p, n->kid[0], value);
    if (!lang_constant(p, n->kid[0], &a))
        return false;
    enum value_fault fault = lang_value_unary(p, n->op, n->kid[0]->type, a, value);
    return fault == VALUE_OK || fault == VALUE_OVERFLOW;
}

static bool fold_logic(const struct program *p, const struct node *n, u128 *value)
{
    u128 a, b;
    bool decided_by = n->op == OP_LOR;
    if (!lang_constant(p, n->kid[0], &a))
        return false;
    if (!lang_value_is_zero(p, n->kid[0]->type, a) == decided_by) {
        *value = decided_by;
        return true;
    }
    if (!lang_constant(p, n->kid[1], &b))
        return false;
    *value = !lang_value_is_zero(p, n->kid[1]->type, b);
    return true;
}

/* Pointers with a known value: pointer +- integer, pointer - pointer. */
static bool fold_pointers(const struct program *p, const struct node *n, u128 a, u128 b,
                          u128 *value)
{
    const struct type *left = n->kid[0]->type, *right = n->kid[1]->type;
    unsigned width = lang_int_width(p, n->type);
    if (left->kind == TYPE_POINTER && right->kind == TYPE_POINTER) {
        uint64_t size = pointee_size(p, left);
        u128 bytes = lang_sign_extend(a - b, lang_int_width(p, left));
        if (size == 0)
            return false;
        u128 count = bytes >> 127 ? -(-bytes / size) : bytes / size;
        *value = lang_wrap(count, width);
        return true;
    }
    if (left->kind == TYPE_POINTER)
        b = as_signed(p, n->kid[1], b) * pointee_size(p, left);
    else
        a = as_signed(p, n->kid[0], a) * pointee_size(p, right);
    *value = lang_wrap(n->op == OP_ADD ? a + b : a - b, width);
    return n->op == OP_ADD || n->op == OP_SUB;
}

static bool fold_binary(const struct program *p, const struct node *n, u128 *value)
{
    u128 a, b;
    if (n->op == OP_LAND || n->op == OP_LOR)
        return fold_logic(p, n, value);
    if (n->op == OP_COMMA || !lang_constant(p, n->kid[0], &a) || !lang_constant(p, n->kid[1], &b))
        return false;
    const struct type *left = n->kid[0]->type, *right = n->kid[1]->type;
    bool pointers = left->kind == TYPE_POINTER || right->kind == TYPE_POINTER;
    if (pointers && (n->op == OP_ADD || n->op == OP_SUB))
        return fold_pointers(p, n, a, b, value);
    if (lang_op_info[n->op].typing == TYPING_SHIFT)
        b = as_signed(p, n->kid[1], b);
    enum value_fault fault = lang_value_binary(p, n->op, left, a, b, value);
    return fault == VALUE_OK || fault == VALUE_OVERFLOW;
}

static bool fold_cond(const struct program *p, const struct node *n, u128 *value)
{
    u128 c;
    if (!lang_constant(p, n->kid[0], &c))
        return false;
    if (lang_value_is_zero(p, n->kid[0]->type, c))
        return lang_constant(p, n->kid[2], value);
    if (n->kid[1])
        return lang_constant(p, n->kid[1], value);
    return lang_value_convert(p, n->kid[0]->type, n->type, c, value) == VALUE_OK;
}

/* ---- addresses that do not depend on where anything lies -------------------------------- */

static bool fold_element(const struct program *p, const struct node *n, u128 *value)
{
    u128 base, index;
    const struct node *pointer = n->kid[0], *i = n->kid[1];
    if (pointer->type->kind != TYPE_POINTER) {
        pointer = n->kid[1];
        i = n->kid[0];
    }
    if (pointer->type->kind != TYPE_POINTER || !lang_constant(p, pointer, &base) ||
        !lang_constant(p, i, &index))
        return false;
    *value = lang_wrap(base + as_signed(p, i, index) * pointee_size(p, pointer->type),
                       8u * p->target->pointer.size);
    return true;
}

static bool fold_address(const struct program *p, const struct node *n, u128 *value)
{
    u128 base;
    switch (n->kind) {
    case NODE_UNARY:
        return n->op == OP_DEREF && lang_constant(p, n->kid[0], value);
    case NODE_INDEX:
        return fold_element(p, n, value);
    case NODE_MEMBER:
        if (n->flags & NODE_ARROW ? !lang_constant(p, n->kid[0], &base)
                                  : !fold_address(p, n->kid[0], &base))
            return false;
        *value = base + n->u.field->offset;
        return true;
    default:
        return false;
    }
}

/* ---- builtins --------------------------------------------------------------------------- */

static bool count_bits(enum builtin which, u128 v, unsigned width, u128 *value)
{
    unsigned ones = 0, low = width, high = width;
    for (unsigned i = 0; i < width; i++) {
        if (!(v >> i & 1))
            continue;
        ones++;
        low = low == width ? i : low;
        high = width - 1 - i;
    }
    switch (which) {
    case BUILTIN_popcount:
    case BUILTIN_popcountl:
    case BUILTIN_popcountll:
        *value = ones;
        return true;
    case BUILTIN_parity:
    case BUILTIN_parityl:
    case BUILTIN_parityll:
        *value = ones & 1;
        return true;
    case BUILTIN_clz:
    case BUILTIN_clzl:
    case BUILTIN_clzll:
        *value = high;
        return ones;
    case BUILTIN_ctz:
    case BUILTIN_ctzl:
    case BUILTIN_ctzll:
        *value = low;
        return ones;
    case BUILTIN_ffs:
    case BUILTIN_ffsl:
    case BUILTIN_ffsll:
        *value = ones ? low + 1 : 0;
        return true;
    default:
        return false;
    }
}

static bool swap_bytes(u128 v, unsigned width, u128 *value)
{
    *value = 0;
    for (unsigned i = 0; i < width; i += 8)
        *value |= (v >> i & 0xff) << (width - 8 - i);
    return true;
}

static const struct node *without_casts(const struct node *n)
{
    while (n->kind == NODE_CAST)
        n = n->kid[0];
    return n;
}

static bool fold_call(const struct program *p, const struct node *n, u128 *value)
{
    const struct node *callee = without_casts(n->kid[0]);
    if (callee->kind != NODE_NAME || !callee->u.decl->builtin || n->count < 2)
        return false;
    const struct node *a = n->kid[1];
    u128 v;
    enum builtin which = callee->u.decl->builtin;
    if (which == BUILTIN_constant_p) {
        *value = lang_constant(p, a, &v) || without_casts(a)->kind == NODE_STRING;
        return true;
    }
    if (which == BUILTIN_strlen && without_casts(a)->kind == NODE_STRING) {
        *value = strlen(without_casts(a)->u.string->bytes);
        return true;
    }
    if (!lang_constant(p, a, &v))
        return false;
    switch (which) {
    case BUILTIN_expect:
    case BUILTIN_expect_with_probability:
        *value = v;
        return true;
    case BUILTIN_bswap16:
    case BUILTIN_bswap32:
    case BUILTIN_bswap64:
        return swap_bytes(v, lang_int_width(p, a->type), value);
    default:
        return lang_is_integer(a->type) && count_bits(which, v, lang_int_width(p, a->type), value);
    }
}

/* ---- all -------------------------------------------------------------------------------- */

static bool fold_measure(const struct program *p, const struct node *n, u128 *value)
{
    const struct type *t = n->u.operand;
    if (n->kind == NODE_ALIGNOF) {
        const struct node *of = n->count ? n->kid[0] : NULL;
        const struct field *f = of && of->kind == NODE_MEMBER ? of->u.field : NULL;
        bool alone = !f && (of || n->flags & NODE_GNU);
        uint64_t least = f && (f->packed || f->record->packed) ? 1
                         : alone                               ? lang_alignof_alone(p, t)
                                                               : lang_alignof(p, t);
        *value = f && f->align > least ? f->align : least;
        return true;
    }
    bool variable = t->canon->flags & TYPE_VARIABLE && t->canon->kind != TYPE_POINTER;
    *value = lang_sizeof(p, t);
    return !variable;
}

bool lang_constant(const struct program *p, const struct node *n, u128 *value)
{
    if (n->type && n->type->canon->kind == TYPE_COMPLEX)
        return false;
    switch (n->kind) {
    case NODE_INT:
    case NODE_FLOAT:
        *value = n->u.value->bits;
        return true;
    case NODE_NAME:
        *value = n->u.decl->value;
        return n->u.decl->kind == DECL_ENUMERATOR;
    case NODE_CAST:
        return fold_cast(p, n, value);
    case NODE_UNARY:
        return fold_unary(p, n, value);
    case NODE_BINARY:
        return fold_binary(p, n, value);
    case NODE_COND:
        return fold_cond(p, n, value);
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
        return fold_measure(p, n, value);
    case NODE_OFFSETOF:
        *value = n->u.offsetof_->value;
        return n->u.offsetof_->constant;
    case NODE_GENERIC:
        return !n->u.generic->open && lang_constant(p, n->kid[n->u.generic->chosen], value);
    case NODE_CHOOSE:
        return lang_constant(p, n->kid[n->flags & NODE_SECOND ? 2 : 1], value);
    case NODE_TYPES_MATCH:
        *value = lang_compatible(p, n->u.types[0], n->u.types[1]);
        return true;
    case NODE_CALL:
        return fold_call(p, n, value);
    default:
        return false;
    }
}

bool lang_is_null_constant(const struct program *p, const struct node *n)
{
    u128 v;
    if (n->kind == NODE_CAST && lang_is_void_pointer(n->type) && !n->type->base->quals &&
        lang_is_integer(n->kid[0]->type))
        n = n->kid[0];
    return lang_is_integer(n->type) && lang_constant(p, n, &v) && v == 0;
}
