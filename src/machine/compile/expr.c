/* Expressions: values and what chooses between them; full expressions.  Operands are evaluated from
 * left to right, unless options.order asks for another order of one node's.  Conversions are
 * cast.c's, what changes objects is assign.c's. */
#include "machine/compile/private.h"

#include <string.h>

typedef struct opnd value_fn(struct compiler *c, const struct node *n, uint32_t want);

unsigned compile_watched(struct compiler *c, const struct node *n)
{
    unsigned logged = c->m->options.trust_order ? 0 : WATCH_CONFLICTS;
    unsigned conflicts = compile_may_conflict(c->m, c->u, n) ? WATCH_APART | logged : 0;
    return conflicts | (compile_leaves_order(c, n) ? WATCH_VOLATILES : 0);
}

unsigned compile_watch(struct compiler *c, const struct node *n)
{
    unsigned watch = compile_watched(c, n);
    c->node = watch ? n : c->node;
    if (watch & WATCH_VOLATILES)
        emit(c, I_VOLATILE_OPEN, 0, 0, 0, 0);
    c->apart += (watch & WATCH_APART) != 0;
    if (watch & WATCH_CONFLICTS) {
        c->tracking++;
        emit_seq(c, n, I_SEQ_MARK, 0);
    }
    return watch;
}

void compile_unwatch(struct compiler *c, const struct node *n, unsigned watch)
{
    c->apart -= (watch & WATCH_APART) != 0;
    if (watch & WATCH_CONFLICTS) {
        emit_seq(c, n, I_SEQ_END, 0);
        c->tracking--;
    }
    if (watch & WATCH_VOLATILES)
        emit(c, I_VOLATILE_CLOSE, 0, 0, 0, 0);
}

/* ---- constants and names ---------------------------------------------------------------- */

static uint64_t canonical(const struct compiler *c, const struct type *t, u128 bits)
{
    if (lang_is_integer(t) && lang_int_signed(c->p, t))
        bits = lang_sign_extend(bits, lang_int_width(c->p, t));
    return (uint64_t)bits;
}

struct opnd compile_bits(struct compiler *c, const struct node *n, const struct type *t, u128 bits)
{
    enum kind k = kind_of(c->p, t);
    if (k == KIND_OTHER || k == KIND_MEMORY) {
        emit_unsupported(c, n, "constant of this type");
        return opnd_k(0);
    }
    if (!kind_is_pair(k))
        return opnd_k(canonical(c, t, bits));
    if (lang_is_integer(t) && lang_int_signed(c->p, t))
        bits = lang_sign_extend(bits, lang_int_width(c->p, t));
    uint32_t dst = slot_new(c, 2);
    emit(c, I_SET_WIDE, dst, 0, 0, (int64_t)(uint64_t)bits)->u.wide = (uint64_t)(bits >> 64);
    return opnd_slot(dst);
}

static struct opnd value_constant(struct compiler *c, const struct node *n, uint32_t want)
{
    (void)want;
    if (n->type->canon->kind == TYPE_COMPLEX)
        return complex_constant(c, n);
    return compile_bits(c, n, n->type, n->u.value->bits);
}

static struct opnd value_lvalue(struct compiler *c, const struct node *n, uint32_t want)
{
    struct loc l = compile_lvalue(c, n, false);
    return loc_load(c, n, l, want);
}

static struct opnd value_name(struct compiler *c, const struct node *n, uint32_t want)
{
    if (n->u.decl->kind == DECL_ENUMERATOR)
        return compile_bits(c, n, n->type, n->u.decl->value);
    return value_lvalue(c, n, want);
}

/* C11 6.5.3.4p2 has an operand of variable type evaluated, but nobody follows the p of
 * int (*p)[n] = malloc(sizeof *p): only what it does beside counts. */
static struct opnd value_sizeof(struct compiler *c, const struct node *n)
{
    bool operand = n->count && kid(c, n, 0) && n->u.operand->canon->flags & TYPE_VARIABLE;
    if (!operand)
        vla_lengths(c, n->u.operand);
    else if (has_effects(c, kid(c, n, 0)))
        compile_lvalue(c, kid(c, n, 0), true);
    return size_of(c, n->u.operand);
}

static struct opnd value_folded(struct compiler *c, const struct node *n, uint32_t want)
{
    u128 bits;
    (void)want;
    if (lang_constant(c->p, n, &bits))
        return compile_bits(c, n, n->type, bits);
    if (n->kind == NODE_SIZEOF)
        return value_sizeof(c, n);
    emit_unsupported(c, n, "offsetof with a variable index");
    return opnd_k(0);
}

static struct opnd value_string(struct compiler *c, const struct node *n, uint32_t want)
{
    (void)want;
    return opnd_k(link_string(c->m, c->u, n)->base);
}

static struct opnd value_label_addr(struct compiler *c, const struct node *n, uint32_t want)
{
    (void)want;
    machine_choose(c->m, CHOICE_LABELS, c->u->index, n);
    uint64_t at = label_offset(c->m, c->label_func, n->u.label->index + 1);
    return opnd_k(func_object(c->m, c->label_func)->base + at);
}

/* ---- unary operators -------------------------------------------------------------------- */

/* Vectors, and what takes two slots. */
static struct opnd negate_slow(struct compiler *c, enum op op, const struct type *t, uint32_t a)
{
    struct conversion *conv = NEW(&c->m->arena, struct conversion);
    *conv = (struct conversion){c->p, t, NULL};
    uint32_t wide = slot_new(c, 2);
    bool vector = kind_of(c->p, t) == KIND_MEMORY;
    if (vector) {
        const struct local *l = temporary(c, t);
        emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
        emit(c, I_ADDRESS_L, wide, l->slot, 0, 0);
        conv->to = t;
    }
    emit(c, vector ? I_VECTOR : I_WIDE, wide, a, NO_SLOT, op)->u.conversion = conv;
    return opnd_slot(wide);
}

struct opnd compile_negate(struct compiler *c, const struct node *n, enum op op,
                           const struct type *t, struct opnd v)
{
    enum kind k = kind_of(c->p, t);
    static const uint16_t neg[] = {
        [KIND_I32] = I_NEG_I32, [KIND_U32] = I_NEG_U32, [KIND_I64] = I_NEG_I64,
        [KIND_U64] = I_NEG_U64, [KIND_F32] = I_NEG_F32, [KIND_F64] = I_NEG_F64,
    };
    uint32_t a = opnd_in_slot(c, v);
    if (kind_is_pair(k) || kind_is_short(k) || k == KIND_MEMORY || lang_is_kind(t, TYPE_BITINT))
        return negate_slow(c, op, t, a);
    uint32_t dst = slot_new(c, 1);
    uint16_t code = k < LENGTH(neg) ? neg[k] : 0;
    if (op == OP_NOT)
        code = k == KIND_U32 ? I_NOT_U32 : I_NOT_S;
    if (!code) {
        emit_unsupported(c, n, "operator on this type");
        return opnd_k(0);
    }
    emit(c, code, dst, a, 0, 0)->fact = fact_of(c, n);
    return opnd_slot(dst);
}

static struct opnd value_unary(struct compiler *c, const struct node *n, uint32_t want)
{
    struct opnd v;
    u128 bits;
    switch (n->op) {
    case OP_ADDR:
        if (lang_constant(c->p, n, &bits)) /* &((struct s *)0)->m */
            return compile_bits(c, n, n->type, bits);
        return compile_address(c, kid(c, n, 0));
    case OP_DEREF:
        if (n->type->kind == TYPE_FUNCTION)
            return compile_value(c, kid(c, n, 0), want);
        if (n->type->kind == TYPE_VOID) {
            compile_value(c, kid(c, n, 0), want);
            return opnd_k(0);
        }
        return value_lvalue(c, n, want);
    case OP_PLUS:
        return compile_value(c, kid(c, n, 0), want);
    case OP_NEG:
    case OP_NOT:
        check_fields(c, n, kid(c, n, 0), NULL);
        v = compile_value(c, kid(c, n, 0), NO_SLOT);
        c->node = n;
        if (n->type->canon->kind == TYPE_COMPLEX)
            return complex_unary(c, n, v);
        return compile_negate(c, n, n->op, n->type, v);
    case OP_LNOT: {
        note_tested(c, kid(c, n, 0));
        v = compile_value(c, kid(c, n, 0), NO_SLOT);
        c->node = n;
        v = compile_convert(c, NULL, v, kid(c, n, 0)->type, lang_basic(c->p, TYPE_BOOL), NO_SLOT);
        if (v.constant)
            return opnd_k(!v.k);
        uint32_t dst = slot_new(c, 1);
        emit(c, I_LNOT, dst, v.slot, 0, 0)->fact = fact_of(c, n);
        return opnd_slot(dst);
    }
    case OP_REAL:
    case OP_IMAG:
        v = compile_value(c, kid(c, n, 0), NO_SLOT);
        return complex_part_value(c, n, v);
    default:
        return compile_step(c, n, true);
    }
}

/* ---- binary operators ------------------------------------------------------------------- */

static void drop_value(struct compiler *c, const struct node *n);

/* a, b: a sequence point between (C11 6.5.17p2). */
static void compile_first(struct compiler *c, const struct node *n)
{
    emit_seq(c, n, I_SEQ_MARK, 0);
    drop_value(c, kid(c, n, 0));
    emit_seq(c, n, I_SEQ_SETTLE, 0);
}

/* Reads an object that need not be set, since nobody wants its value: C11 6.3.2.1p2 forbids that
 * for variables only whose address is not taken. */
static bool drop_read(struct compiler *c, const struct node *n)
{
    const struct node *read = n;
    while (read->kind == NODE_CAST && kind_of(c->p, read->type) == KIND_VOID)
        read = kid(c, read, 0);
    enum kind k = kind_of(c->p, read->type);
    if (read->kind != NODE_CAST || read->op != CONV_LVALUE || c->u->edited || k == KIND_MEMORY ||
        k == KIND_OTHER || k == KIND_VOID || k == KIND_BOOL || kind_is_pair(k))
        return false;
    const struct node *from = kid(c, read, 0);
    if (from->kind == NODE_NAME || from->type->quals & QUAL_VOLATILE ||
        (from->kind == NODE_MEMBER && from->u.field->is_bitfield))
        return false;
    for (; n != read; n = kid(c, n, 0))
        enter_node(c, n);
    enter_node(c, read);
    struct loc source = compile_lvalue(c, from, false);
    loc_touch(c, read, &source, false);
    loc_peek(c, read, source);
    return true;
}

static void drop_value(struct compiler *c, const struct node *n)
{
    if (is_dropped(c->u, n))
        return;
    n = edited_node(c->u, n);
    if (drop_read(c, n))
        return;
    if (n->kind == NODE_BINARY && n->op == OP_COMMA) {
        compile_first(c, enter_node(c, n));
        drop_value(c, kid(c, n, 1));
    } else if (n->kind == NODE_CALL)
        compile_call(c, enter_node(c, n), NO_SLOT, false);
    else if (is_plain_copy(c, n))
        compile_plain_copy(c, enter_node(c, n));
    else if (is_step(n))
        compile_step(c, enter_node(c, n), false);
    else
        compile_value(c, n, NO_SLOT);
}

static struct opnd value_comma(struct compiler *c, const struct node *n, uint32_t want)
{
    compile_first(c, n);
    return compile_value(c, kid(c, n, 1), want);
}

static struct opnd value_logic(struct compiler *c, const struct node *n, uint32_t want)
{
    struct spot no = {0}, end = {0};
    uint32_t dst = slot_new(c, 1), region = c->region, known = (uint32_t)c->known.n;
    (void)want;
    bool is_and = n->op == OP_LAND;
    compile_condition(c, n, !is_and, &no);
    c->node = n;
    emit(c, I_FLAG, dst, 0, 0, is_and);
    emit_jump(c, &end);
    target_here(c, &no);
    emit(c, I_FLAG, dst, 0, 0, !is_and);
    target_here(c, &end);
    emit(c, I_MOVE, dst, dst, 0, 0)->fact = fact_of(c, n);
    c->region = region;
    while (c->known.n > known)
        ((struct var *)c->known.at[--c->known.n])->known = false;
    return opnd_slot(dst);
}

void note_tested(struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    while (n->kind == NODE_CAST && n->op == CONV_INT)
        n = kid(c, n, 0);
    if (n->kind == NODE_CALL)
        c->tested = n;
}

/* x < 0, 0 == x and so on. */
static void note_comparison(struct compiler *c, const struct node *n)
{
    u128 bits;
    for (uint32_t i = 0; op_is_comparison(n->op) && i < 2; i++)
        if (lang_is_integer(kid(c, n, i)->type) && lang_constant(c->p, kid(c, n, i), &bits) &&
            !bits)
            note_tested(c, kid(c, n, !i));
}

static struct opnd value_binary(struct compiler *c, const struct node *n, uint32_t want)
{
    if (n->op == OP_COMMA)
        return value_comma(c, n, want);
    if (n->op == OP_LAND || n->op == OP_LOR)
        return value_logic(c, n, want);
    bool flip = operand_at(c, n, 0, 2) == 1;
    struct opnd v[2];
    check_fields(c, n, kid(c, n, 0), kid(c, n, 1));
    check_fields(c, n, kid(c, n, 1), kid(c, n, 0));
    note_comparison(c, n);
    emit_seq(c, n, I_SEQ_MARK, 0);
    v[flip] = compile_value(c, kid(c, n, flip), NO_SLOT);
    emit_seq(c, n, I_SEQ_MARK, 0);
    v[!flip] = compile_value(c, kid(c, n, !flip), NO_SLOT);
    emit_seq(c, n, I_SEQ_MERGE, 2);
    check_array_step(c, n, v);
    return compile_binary(c, n, n->op, v[0], v[1], kid(c, n, 0)->type, kid(c, n, 1)->type, want);
}

/* ---- choices ---------------------------------------------------------------------------- */

static void forget_known(struct compiler *c, uint32_t down_to)
{
    while (c->known.n > down_to)
        ((struct var *)c->known.at[--c->known.n])->known = false;
}

static void into(struct compiler *c, const struct node *n, uint32_t dst, enum kind k)
{
    struct opnd v = compile_value(c, n, NO_SLOT);
    c->node = n;
    if (k != KIND_VOID)
        emit_move(c, k, dst, v);
}

static struct opnd value_cond(struct compiler *c, const struct node *n, uint32_t want)
{
    enum kind k = kind_of(c->p, n->type);
    uint32_t dst = slot_new(c, kind_is_pair(k) ? 2 : 1);
    uint32_t region = c->region, known = (uint32_t)c->known.n, abrupt = c->abrupt;
    struct spot no = {0}, end = {0};
    (void)want;
    if (!kid(c, n, 1)) { /* GNU a ?: b */
        emit_seq(c, n, I_SEQ_MARK, 0);
        struct opnd v = compile_value(c, kid(c, n, 0), NO_SLOT);
        emit_seq(c, n, I_SEQ_SETTLE, 0);
        struct opnd as = compile_convert(c, NULL, v, kid(c, n, 0)->type, n->type, NO_SLOT);
        emit_move(c, k, dst, as);
        struct opnd yes = compile_convert(c, NULL, v, kid(c, n, 0)->type,
                                          lang_basic(c->p, TYPE_BOOL), NO_SLOT);
        uint32_t pair = counter_new(c, 2);
        c->u->branch[kid(c, n, 0)->id] = pair;
        struct insn *i = emit(c, I_JIF, pair, opnd_in_slot(c, yes), 0, 0);
        i->align = 1;
        jump_to(c, &end, c->code->count - 1);
        c->region = pair;
    } else {
        check_fields(c, n, kid(c, n, 1), kid(c, n, 2));
        check_fields(c, n, kid(c, n, 2), kid(c, n, 1));
        compile_condition(c, kid(c, n, 0), false, &no);
        uint32_t yes = unique_edge(c, kid(c, n, 0), true);
        if (yes)
            c->region = yes;
        else
            region_count(c);
        into(c, kid(c, n, 1), dst, k);
        forget_known(c, known);
        emit_jump(c, &end);
        target_here(c, &no);
        c->region = region;
        uint32_t other = unique_edge(c, kid(c, n, 0), false);
        if (other)
            c->region = other;
        else
            region_count(c);
    }
    into(c, kid(c, n, 2), dst, k);
    forget_known(c, known);
    target_here(c, &end);
    c->region = region;
    if (c->abrupt != abrupt)
        region_count(c);
    c->node = n;
    if (k != KIND_VOID && k != KIND_MEMORY && !kind_is_pair(k))
        emit(c, I_MOVE, dst, dst, 0, 0)->fact = fact_of(c, n);
    return opnd_slot(dst);
}

/* Beside other operands it is what a call is: all of it comes before them, or after. */
static struct opnd value_stmt_expr(struct compiler *c, const struct node *n, uint32_t want)
{
    bool beside = c->tracking;
    emit_seq(c, n, I_SEQ_MARK, 0);
    c->enclosed += beside;
    struct opnd v = compile_block_value(c, kid(c, n, 0), want);
    c->enclosed -= beside;
    emit_seq(c, n, I_SEQ_GROUP, 0);
    return v;
}

static struct opnd value_selected(struct compiler *c, const struct node *n, uint32_t want)
{
    check_selected(c, n);
    return compile_value(c, selected(c, n), want);
}

static struct opnd value_call(struct compiler *c, const struct node *n, uint32_t want)
{
    return compile_call(c, n, want, true);
}

static struct opnd value_vector_convert(struct compiler *c, const struct node *n, uint32_t want)
{
    (void)want;
    struct opnd v = compile_value(c, kid(c, n, 0), NO_SLOT);
    const struct type *from = kid(c, n, 0)->type, *to = n->type;
    const struct local *l = temporary(c, to);
    c->node = n;
    emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
    uint32_t dst = slot_new(c, 1), source = opnd_in_slot(c, v);
    emit(c, I_ADDRESS_L, dst, l->slot, 0, 0);
    uint64_t step = lang_sizeof(c->p, from->base), size = lang_sizeof(c->p, to->base);
    for (uint64_t i = 0; i < to->u.count; i++) {
        struct loc a = loc_pointer(source, (int64_t)(i * step), from->base);
        a.via_union = true;
        struct opnd e = loc_load(c, n, a, NO_SLOT);
        e = compile_convert(c, NULL, e, from->base, to->base, NO_SLOT);
        loc_store(c, n, loc_pointer(dst, (int64_t)(i * size), to->base), e);
    }
    return opnd_slot(dst);
}

static value_fn *const value_rules[NODE_COUNT] = {
    [NODE_INT] = value_constant,
    [NODE_FLOAT] = value_constant,
    [NODE_STRING] = value_string,
    [NODE_NAME] = value_name,
    [NODE_UNARY] = value_unary,
    [NODE_BINARY] = value_binary,
    [NODE_ASSIGN] = compile_assign,
    [NODE_COND] = value_cond,
    [NODE_CAST] = compile_cast,
    [NODE_CALL] = value_call,
    [NODE_INDEX] = value_lvalue,
    [NODE_MEMBER] = value_lvalue,
    [NODE_SIZEOF] = value_folded,
    [NODE_ALIGNOF] = value_folded,
    [NODE_OFFSETOF] = value_folded,
    [NODE_GENERIC] = value_selected,
    [NODE_LITERAL] = value_lvalue,
    [NODE_STMT_EXPR] = value_stmt_expr,
    [NODE_LABEL_ADDR] = value_label_addr,
    [NODE_VA_ARG] = compile_va_arg,
    [NODE_TYPES_MATCH] = value_folded,
    [NODE_CHOOSE] = value_selected,
    [NODE_VECTOR_CONVERT] = value_vector_convert,
};

/* A dropped expression leaves 0. */
static struct opnd dropped_value(struct compiler *c, const struct node *n)
{
    if (kind_of(c->p, n->type) == KIND_VOID)
        return opnd_k(0);
    return compile_bits(c, n, n->type, 0);
}

struct opnd compile_value(struct compiler *c, const struct node *n, uint32_t want)
{
    if (is_dropped(c->u, n))
        return dropped_value(c, n);
    n = enter_node(c, n);
    value_fn *rule = value_rules[n->kind];
    if (!rule) {
        emit_unsupported(c, n, "this kind of expression (%s)", lang_node_info[n->kind].name);
        return opnd_k(0);
    }
    struct opnd v = rule(c, n, want);
    c->node = n;
    return v;
}

/* ---- full expressions ------------------------------------------------------------------- */

/* Temporaries that can be pointed into end with the full expression (C11 6.2.4p8). */
static void end_temporaries(struct compiler *c, size_t from)
{
    for (size_t i = from; i < c->temporaries.n; i++)
        emit(c, I_DIE, 0, 0, 0, 0)->u.local = c->temporaries.at[i];
    c->temporaries.n = from;
}

void compile_full(struct compiler *c, const struct node *n)
{
    uint32_t outer = c->tracking;
    size_t temporaries = c->temporaries.n;
    c->tracking = 0;
    unsigned watch = compile_watch(c, n);
    drop_value(c, n);
    compile_unwatch(c, n, watch);
    c->tracking = outer;
    end_temporaries(c, temporaries);
}

struct opnd compile_full_value(struct compiler *c, const struct node *n, uint32_t want)
{
    uint32_t outer = c->tracking;
    size_t temporaries = c->temporaries.n;
    c->tracking = 0;
    unsigned watch = compile_watch(c, n);
    struct opnd v = compile_value(c, n, want);
    compile_unwatch(c, n, watch);
    c->tracking = outer;
    if (kind_of(c->p, n->type) != KIND_MEMORY)
        end_temporaries(c, temporaries);
    return v;
}
