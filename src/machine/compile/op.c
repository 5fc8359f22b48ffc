/* Operators and conversions: which instruction for which type. */
#include "machine/compile/private.h"

static bool is_signed_kind(enum kind k)
{
    return k == KIND_I8 || k == KIND_I16 || k == KIND_I32 || k == KIND_I64;
}

static struct opnd unsupported(struct compiler *c, const struct node *n, const char *what)
{
    emit_unsupported(c, n, "%s", what);
    return opnd_k(0);
}

static uint32_t result_slot(struct compiler *c, uint32_t want, unsigned n)
{
    return want != NO_SLOT ? want : slot_new(c, n);
}

static struct conversion *conversion_new(struct compiler *c, const struct type *from,
                                         const struct type *to)
{
    struct conversion *v = NEW(&c->m->arena, struct conversion);
    *v = (struct conversion){c->p, from, to};
    return v;
}

/* ---- conversions ------------------------------------------------------------------------ */

static const uint16_t narrow[] = {
    [KIND_I8] = I_SEXT8,   [KIND_U8] = I_ZEXT8,   [KIND_I16] = I_SEXT16,
    [KIND_U16] = I_ZEXT16, [KIND_I32] = I_SEXT32, [KIND_U32] = I_ZEXT32,
};

static const uint8_t width_of[] = {
    [KIND_I8] = 8,   [KIND_U8] = 8,   [KIND_I16] = 16, [KIND_U16] = 16, [KIND_I32] = 32,
    [KIND_U32] = 32, [KIND_I64] = 64, [KIND_U64] = 64, [KIND_BOOL] = 1,
};

static bool is_word(enum kind k)
{
    return k >= KIND_I8 && k <= KIND_BOOL;
}

static uint64_t narrowed(enum kind k, uint64_t v)
{
    switch (k) {
    case KIND_I8:
        return (uint64_t)(int8_t)v;
    case KIND_U8:
        return (uint8_t)v;
    case KIND_I16:
        return (uint64_t)(int16_t)v;
    case KIND_U16:
        return (uint16_t)v;
    case KIND_I32:
        return (uint64_t)(int32_t)v;
    case KIND_U32:
        return (uint32_t)v;
    default:
        return v;
    }
}

/* Does every value of from stay as it is in a slot of kind to? */
static bool keeps(enum kind from, enum kind to)
{
    if (width_of[to] == 64)
        return true;
    if (is_signed_kind(from) == is_signed_kind(to))
        return width_of[from] <= width_of[to];
    return !is_signed_kind(from) && width_of[from] < width_of[to];
}

static struct opnd convert_word(struct compiler *c, const struct node *n, struct opnd v,
                                enum kind from, enum kind to, uint32_t want)
{
    if (v.constant)
        return opnd_k(narrowed(to, v.k));
    if (keeps(from, to))
        return v;
    uint32_t dst = result_slot(c, want, 1);
    emit(c, narrow[to], dst, v.slot, 0, 0)->fact = n ? fact_of(c, n) : 0;
    return opnd_slot(dst);
}

static struct opnd truth(struct compiler *c, const struct node *n, struct opnd v, enum kind from,
                         const struct type *type, uint32_t want)
{
    if (from == KIND_BOOL)
        return v;
    if (v.constant && from != KIND_F32 && from != KIND_F64)
        return opnd_k(v.k != 0);
    uint32_t a = opnd_in_slot(c, v), dst = result_slot(c, want, 1);
    uint16_t op = from == KIND_F32 ? I_TRUE_F32 : from == KIND_F64 ? I_TRUE_F64 : I_BOOL;
    struct insn *i = emit(c, op, dst, a, 0, 0);
    if (kind_is_pair(from)) {
        i->op = I_TRUE_WIDE;
        i->u.conversion = conversion_new(c, type, type);
    }
    i->fact = n ? fact_of(c, n) : 0;
    return opnd_slot(dst);
}

static struct opnd convert_slow(struct compiler *c, const struct node *n, struct opnd v,
                                const struct type *from, const struct type *to, uint32_t want)
{
    enum kind k = kind_of(c->p, to);
    uint32_t a = opnd_in_slot(c, v), dst = result_slot(c, want, kind_is_pair(k) ? 2 : 1);
    struct insn *i = emit(c, I_CONVERT, dst, a, 0, 0);
    i->u.conversion = conversion_new(c, from, to);
    i->fact = n && !kind_is_pair(k) ? fact_of(c, n) : 0;
    return opnd_slot(dst);
}

/* To an integer that does not fill its slot. */
static struct opnd convert_padded(struct compiler *c, const struct node *n, struct opnd v,
                                  const struct type *from, const struct type *to, uint32_t want)
{
    unsigned width = lang_int_width(c->p, to);
    if (from->canon->unqual == to->canon->unqual)
        return v;
    if (!v.constant || !lang_is_integer(from) || width > 64)
        return convert_slow(c, n, v, from, to, want);
    u128 bits = lang_wrap(v.k, width);
    return opnd_k((uint64_t)(lang_int_signed(c->p, to) ? lang_sign_extend(bits, width) : bits));
}

/* Registers that are wider than the type: what is not exact is nobody's to know. */
static void emit_exact(struct compiler *c, enum opcode op, uint32_t a, uint32_t b,
                       const struct type *from, const struct type *to)
{
    struct insn *i = emit(c, op, 0, a, b, 0);
    i->u.conversion = conversion_new(c, from, to);
}

struct opnd compile_convert(struct compiler *c, const struct node *n, struct opnd v,
                            const struct type *from, const struct type *to, uint32_t want)
{
    enum kind a = kind_of(c->p, from), b = kind_of(c->p, to);
    if (b == KIND_VOID)
        return opnd_k(0);
    if (from->canon->kind == TYPE_COMPLEX || to->canon->kind == TYPE_COMPLEX)
        return complex_convert(c, n, v, from, to);
    if (a == KIND_OTHER || b == KIND_OTHER)
        return unsupported(c, n ? n : c->node, "conversion of this type");
    if (b == KIND_BOOL)
        return truth(c, n, v, a, from, want);
    if (lang_has_padding_bits(c->p, to))
        return convert_padded(c, n, v, from, to, want);
    enum kind word = c->p->target->pointer.size == 4 ? KIND_U32 : KIND_U64;
    a = a == KIND_POINTER ? word : a;
    b = b == KIND_POINTER ? word : b;
    if (is_word(a) && is_word(b))
        return convert_word(c, n, v, a, b, want);
    if (a == b)
        return v;
    uint16_t op = 0;
    if (is_word(a) && b == KIND_F32)
        op = is_signed_kind(a) ? I_S_F32 : I_U_F32;
    else if (is_word(a) && b == KIND_F64)
        op = is_signed_kind(a) ? I_S_F64 : I_U_F64;
    else if (a == KIND_F32 && b == KIND_F64)
        op = I_F32_F64;
    else if (a == KIND_F64 && b == KIND_F32)
        op = I_F64_F32;
    else
        return convert_slow(c, n, v, from, to, want);
    uint32_t slot = opnd_in_slot(c, v), dst = result_slot(c, want, 1);
    if (!c->p->target->plain_floats)
        emit_exact(c, I_EXACT_CONVERT, slot, 0, from, to);
    emit(c, op, dst, slot, 0, 0)->fact = n ? fact_of(c, n) : 0;
    return opnd_slot(dst);
}

/* ---- binary operators ------------------------------------------------------------------- */

/* What an operator of lang/ops.def is on two integers (i32, u32, i64, u64; the K form stands behind
 * each) and on two floating operands (f32, f64).  A new row there does not compile until it says so
 * here; those that are compiled by their own rules in expr.c are nothing. */
#define NOTHING \
    {           \
        0       \
    }
#define ON_MUL                                    \
    {I_MUL_I32, I_MUL_U32, I_MUL_I64, I_MUL_U64}, \
    {                                             \
        I_MUL_F32, I_MUL_F64                      \
    }
#define ON_DIV                                    \
    {I_DIV_I32, I_DIV_U64, I_DIV_I64, I_DIV_U64}, \
    {                                             \
        I_DIV_F32, I_DIV_F64                      \
    }
#define ON_REM {I_REM_I32, I_REM_U64, I_REM_I64, I_REM_U64}, NOTHING
#define ON_ADD                                    \
    {I_ADD_I32, I_ADD_U32, I_ADD_I64, I_ADD_U64}, \
    {                                             \
        I_ADD_F32, I_ADD_F64                      \
    }
#define ON_SUB                                    \
    {I_SUB_I32, I_SUB_U32, I_SUB_I64, I_SUB_U64}, \
    {                                             \
        I_SUB_F32, I_SUB_F64                      \
    }
#define ON_SHL {I_SHL_I32, I_SHL_U32, I_SHL_I64, I_SHL_U64}, NOTHING
#define ON_SHR {I_SHR_I32, I_SHR_U32, I_SHR_I64, I_SHR_U64}, NOTHING
#define ON_LT                         \
    {I_LT_S, I_LT_U, I_LT_S, I_LT_U}, \
    {                                 \
        I_LT_F32, I_LT_F64            \
    }
#define ON_GT                         \
    {I_GT_S, I_GT_U, I_GT_S, I_GT_U}, \
    {                                 \
        I_GT_F32, I_GT_F64            \
    }
#define ON_LE                         \
    {I_LE_S, I_LE_U, I_LE_S, I_LE_U}, \
    {                                 \
        I_LE_F32, I_LE_F64            \
    }
#define ON_GE                         \
    {I_GE_S, I_GE_U, I_GE_S, I_GE_U}, \
    {                                 \
        I_GE_F32, I_GE_F64            \
    }
#define ON_EQ                 \
    {I_EQ, I_EQ, I_EQ, I_EQ}, \
    {                         \
        I_EQ_F32, I_EQ_F64    \
    }
#define ON_NE                 \
    {I_NE, I_NE, I_NE, I_NE}, \
    {                         \
        I_NE_F32, I_NE_F64    \
    }
#define ON_AND     {I_AND, I_AND, I_AND, I_AND}, NOTHING
#define ON_XOR     {I_XOR, I_XOR, I_XOR, I_XOR}, NOTHING
#define ON_OR      {I_OR, I_OR, I_OR, I_OR}, NOTHING
#define ON_POSTINC NOTHING, NOTHING
#define ON_POSTDEC NOTHING, NOTHING
#define ON_PREINC  NOTHING, NOTHING
#define ON_PREDEC  NOTHING, NOTHING
#define ON_ADDR    NOTHING, NOTHING
#define ON_DEREF   NOTHING, NOTHING
#define ON_PLUS    NOTHING, NOTHING
#define ON_NEG     NOTHING, NOTHING
#define ON_NOT     NOTHING, NOTHING
#define ON_LNOT    NOTHING, NOTHING
#define ON_REAL    NOTHING, NOTHING
#define ON_IMAG    NOTHING, NOTHING
#define ON_LAND    NOTHING, NOTHING
#define ON_LOR     NOTHING, NOTHING
#define ON_ASSIGN  NOTHING, NOTHING
#define ON_COMMA   NOTHING, NOTHING

static const struct {
    uint16_t integer[4], floating[2];
} instruction_of[OP_COUNT] = {
#define OP(id, ...) [OP_##id] = {ON_##id},
#include "lang/ops.def"
};

static unsigned column(enum kind k)
{
    return k == KIND_I32 ? 0 : k == KIND_U32 ? 1 : k == KIND_I64 ? 2 : 3;
}

static struct opnd binary_slow(struct compiler *c, const struct node *n, enum op op, struct opnd a,
                               struct opnd b, const struct type *left, const struct type *right,
                               uint32_t want)
{
    enum kind k = kind_of(c->p, left);
    uint32_t x = opnd_in_slot(c, a), y = opnd_in_slot(c, b);
    uint32_t dst = result_slot(c, want, kind_is_pair(k) && !op_is_comparison(op) ? 2 : 1);
    struct insn *i = emit(c, I_WIDE, dst, x, y, (int64_t)op);
    i->u.conversion = conversion_new(c, left, right);
    return opnd_slot(dst);
    (void)n;
}

static struct opnd pointer_compare(struct compiler *c, const struct node *n, enum op op,
                                   struct opnd a, struct opnd b, uint32_t want)
{
    uint32_t x = opnd_in_slot(c, a), y = opnd_in_slot(c, b), dst = result_slot(c, want, 1);
    bool swap = op == OP_GT || op == OP_GE;
    uint16_t code = op == OP_EQ                  ? I_POINTER_EQ
                    : op == OP_NE                ? I_POINTER_NE
                    : op == OP_LT || op == OP_GT ? I_POINTER_LT
                                                 : I_POINTER_LE;
    emit(c, code, dst, swap ? y : x, swap ? x : y, 0)->fact = fact_of(c, n);
    return opnd_slot(dst);
}

static struct opnd pointer_diff(struct compiler *c, const struct node *n, struct opnd a,
                                struct opnd b, const struct type *type)
{
    struct opnd size = size_of(c, type->base);
    if (size.constant && size.k == 0)
        return unsupported(c, n, "difference of pointers to what has no size");
    uint32_t x = opnd_in_slot(c, a), y = opnd_in_slot(c, b), dst = slot_new(c, 1);
    struct insn *last = emit(c, I_POINTER_DIFF, dst, x, y, size.constant ? (int64_t)size.k : 1);
    if (!size.constant)
        last = emit(c, I_DIV_I64, dst, dst, size.slot, 0);
    last->fact = fact_of(c, n);
    return opnd_slot(dst);
}

static struct opnd pointer_move(struct compiler *c, const struct node *n, enum op op, struct opnd a,
                                struct opnd b, const struct type *type, uint32_t want)
{
    struct opnd size = size_of(c, type->base);
    uint32_t x = opnd_in_slot(c, a);
    uint32_t y = b.constant && size.constant ? NO_SLOT : opnd_in_slot(c, b);
    uint32_t dst = result_slot(c, want, 1);
    if (!size.constant) {
        emit(c, I_STEP_WIDE, dst, x, y, op == OP_ADD ? 1 : -1)->u.wide = size.slot;
        return opnd_slot(dst);
    }
    watch_walls(c, (struct move){.of = type->base,
                                 .pointer = x,
                                 .times = b.constant ? NO_SLOT : y,
                                 .k = (int64_t)(b.constant ? b.k * size.k : size.k),
                                 .backwards = op != OP_ADD,
                                 .reached = n->kind == NODE_BINARY && c->reached == n});
    if (b.constant) {
        uint64_t by = b.k * size.k;
        emit(c, I_OFFSET, dst, x, 0, (int64_t)(op == OP_ADD ? by : 0 - by));
        return opnd_slot(dst);
    }
    emit(c, op == OP_ADD ? I_STEP : I_STEP_BACK, dst, x, y, (int64_t)size.k)->fact = fact_of(c, n);
    return opnd_slot(dst);
}

static struct opnd pointers(struct compiler *c, const struct node *n, enum op op, struct opnd a,
                            struct opnd b, const struct type *left, const struct type *right,
                            uint32_t want)
{
    bool l = left->kind == TYPE_POINTER, r = right->kind == TYPE_POINTER;
    if (l && r && op == OP_SUB)
        return pointer_diff(c, n, a, b, left);
    if (op_is_comparison(op))
        return pointer_compare(c, n, op, a, b, want);
    if (l)
        return pointer_move(c, n, op, a, b, left, want);
    return pointer_move(c, n, op, b, a, right, want);
}

static struct opnd vectors(struct compiler *c, const struct node *n, enum op op, struct opnd a,
                           struct opnd b, const struct type *left)
{
    const struct local *l = temporary(c, n->type);
    emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
    uint32_t dst = slot_new(c, 1);
    emit(c, I_ADDRESS_L, dst, l->slot, 0, 0);
    struct insn *i = emit(c, I_VECTOR, dst, opnd_in_slot(c, a), b.slot, (int64_t)op);
    if (b.constant)
        return unsupported(c, n, "vector operand");
    i->u.conversion = conversion_new(c, left, n->type);
    return opnd_slot(dst);
}

/* Two constants, when nothing about them is undefined. */
static bool fold(const struct compiler *c, enum op op, struct opnd a, struct opnd b,
                 const struct type *type, struct opnd *v)
{
    if (!a.constant || !b.constant || !is_word(kind_of(c->p, type)) || op == OP_SHL || op == OP_SHR)
        return false;
    unsigned width = lang_int_width(c->p, type);
    u128 r;
    if (lang_value_binary(c->p, op, type, lang_wrap(a.k, width), lang_wrap(b.k, width), &r))
        return false;
    if (!op_is_comparison(op) && lang_int_signed(c->p, type))
        r = lang_sign_extend(r, width);
    *v = opnd_k((uint64_t)r);
    return true;
}

struct opnd compile_binary(struct compiler *c, const struct node *n, enum op op, struct opnd a,
                           struct opnd b, const struct type *left, const struct type *right,
                           uint32_t want)
{
    enum kind k = kind_of(c->p, left);
    c->node = n;
    if (left->kind == TYPE_POINTER || right->kind == TYPE_POINTER)
        return pointers(c, n, op, a, b, left, right, want);
    if (left->kind == TYPE_COMPLEX || right->kind == TYPE_COMPLEX)
        return complex_binary(c, n, op, a, b, left, right);
    if (left->kind == TYPE_VECTOR)
        return vectors(c, n, op, a, b, left);
    if (kind_is_pair(k) || kind_is_pair(kind_of(c->p, right)) || lang_is_kind(left, TYPE_BITINT))
        return binary_slow(c, n, op, a, b, left, right, want);
    struct opnd folded;
    if (fold(c, op, a, b, left, &folded))
        return folded;
    uint16_t code = 0;
    if (k == KIND_F32 || k == KIND_F64)
        code = instruction_of[op].floating[k == KIND_F64];
    else if (kind_is_short(k))
        return binary_slow(c, n, op, a, b, left, right, want);
    else if (is_word(k))
        code = instruction_of[op].integer[column(k)];
    if (!code)
        return unsupported(c, n, "operator on this type");
    bool floating = k == KIND_F32 || k == KIND_F64;
    uint32_t x = opnd_in_slot(c, a);
    uint32_t y = b.constant && !floating ? NO_SLOT : opnd_in_slot(c, b);
    uint32_t dst = result_slot(c, want, 1);
    struct insn *i;
    if (floating && !c->p->target->plain_floats && !op_is_comparison(op)) {
        emit_exact(c, I_EXACT_BINARY, x, y, left, left);
        c->code->insn[c->code->count - 1].k = op;
    }
    if (y == NO_SLOT)
        i = emit(c, (enum opcode)(code + 1), dst, x, 0, (int64_t)b.k);
    else
        i = emit(c, code, dst, x, y, 0);
    i->fact = fact_of(c, n);
    return opnd_slot(dst);
}
