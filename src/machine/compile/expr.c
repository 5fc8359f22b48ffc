/* Expressions: values, conditions, assignment.  Operands are evaluated from left to right,
 * unless options.order asks for another order of one node's. */
#include "machine/compile/private.h"

#include <string.h>

typedef struct opnd value_fn(struct compiler *c, const struct node *n, uint32_t want);

static void seq(struct compiler *c, const struct node *n, enum opcode op, int64_t k)
{
    if (!c->tracking)
        return;
    c->node = n;
    emit(c, op, 0, 0, 0, k);
}

unsigned compile_watched(struct compiler *c, const struct node *n)
{
    bool conflicts = !c->m->options.trust_order && compile_may_conflict(c->m, c->u, n);
    return (conflicts ? WATCH_CONFLICTS : 0) | (compile_leaves_order(c, n) ? WATCH_VOLATILES : 0);
}

unsigned compile_watch(struct compiler *c, const struct node *n)
{
    unsigned watch = compile_watched(c, n);
    c->node = watch ? n : c->node;
    if (watch & WATCH_VOLATILES)
        emit(c, I_VOLATILE_OPEN, 0, 0, 0, 0);
    if (watch & WATCH_CONFLICTS) {
        c->tracking++;
        seq(c, n, I_SEQ_MARK, 0);
    }
    return watch;
}

void compile_unwatch(struct compiler *c, const struct node *n, unsigned watch)
{
    if (watch & WATCH_CONFLICTS) {
        seq(c, n, I_SEQ_END, 0);
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

static struct opnd constant_bits(struct compiler *c, const struct node *n, u128 bits)
{
    enum kind k = kind_of(c->p, n->type);
    if (k == KIND_OTHER || k == KIND_MEMORY) {
        emit_unsupported(c, n, "constant of this type");
        return opnd_k(0);
    }
    if (!kind_is_pair(k))
        return opnd_k(canonical(c, n->type, bits));
    if (lang_is_integer(n->type) && lang_int_signed(c->p, n->type))
        bits = lang_sign_extend(bits, 128);
    uint32_t dst = slot_new(c, 2);
    emit(c, I_SET_WIDE, dst, 0, 0, (int64_t)(uint64_t)bits)->u.wide = (uint64_t)(bits >> 64);
    return opnd_slot(dst);
}

static struct opnd value_constant(struct compiler *c, const struct node *n, uint32_t want)
{
    (void)want;
    return constant_bits(c, n, n->u.value->bits);
}

static struct opnd value_lvalue(struct compiler *c, const struct node *n, uint32_t want)
{
    struct loc l = compile_lvalue(c, n, false);
    return loc_load(c, n, l, want);
}

static struct opnd value_name(struct compiler *c, const struct node *n, uint32_t want)
{
    if (n->u.decl->kind == DECL_ENUMERATOR)
        return constant_bits(c, n, n->u.decl->value);
    return value_lvalue(c, n, want);
}

static struct opnd value_folded(struct compiler *c, const struct node *n, uint32_t want)
{
    u128 bits;
    (void)want;
    if (lang_constant(c->p, n, &bits))
        return constant_bits(c, n, bits);
    if (n->kind == NODE_SIZEOF) {
        if (n->count && kid(c, n, 0) && n->u.operand->canon->flags & TYPE_VARIABLE) {
            uint32_t mark = c->next;
            (void)mark;
            if (kid(c, n, 0)->kind != NODE_NAME)
                compile_lvalue(c, kid(c, n, 0), true);
        } else {
            vla_lengths(c, n->u.operand);
        }
        return size_of(c, n->u.operand);
    }
    emit_unsupported(c, n, "offsetof with a variable index");
    return opnd_k(0);
}

/* ---- addresses -------------------------------------------------------------------------- */

static struct opnd function_address(struct compiler *c, const struct node *n)
{
    n = selected(c, n);
    while (n->kind == NODE_CAST)
        n = selected(c, kid(c, n, 0));
    if (n->kind == NODE_UNARY && n->op == OP_DEREF)
        return compile_value(c, kid(c, n, 0), NO_SLOT);
    if (n->kind != NODE_NAME) {
        emit_unsupported(c, n, "this function designator");
        return opnd_k(0);
    }
    struct func *f = link_func(c->m, c->u, n->u.decl);
    if (n->u.decl->weak && !f->body && !f->lib) { /* null, unless some library has it */
        if (!link_is_absent(f->name))
            emit_unsupported(c, n, "address of the weak function '%s'", f->name);
        return opnd_k(0);
    }
    return opnd_k(func_object(c->m, f)->base);
}

static struct opnd address_of(struct compiler *c, const struct node *n)
{
    if (n->type->kind == TYPE_FUNCTION) {
        enter_node(c, n);
        return function_address(c, n);
    }
    struct loc l = compile_lvalue(c, n, true);
    if (l.kind == LOC_SLOT || l.kind == LOC_BAD) {
        if (l.kind == LOC_SLOT)
            emit_unsupported(c, n, "address of a variable in a register");
        return opnd_k(0);
    }
    return opnd_slot(loc_address(c, n, l));
}

static struct opnd value_string(struct compiler *c, const struct node *n, uint32_t want)
{
    (void)want;
    return opnd_k(link_string(c->m, c->u, n)->base);
}

static struct opnd value_label_addr(struct compiler *c, const struct node *n, uint32_t want)
{
    (void)want;
    return opnd_k(func_object(c->m, c->label_func)->base + n->u.label->index + 1);
}

/* ---- conversions ------------------------------------------------------------------------ */

static struct opnd value_splat(struct compiler *c, const struct node *n, struct opnd v)
{
    const struct local *l = temporary(c, n->type);
    uint64_t size = lang_sizeof(c->p, n->type->base);
    c->node = n;
    emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
    uint32_t dst = slot_new(c, 1);
    emit(c, I_ADDRESS_L, dst, l->slot, 0, 0);
    for (uint64_t i = 0; i < n->type->u.count; i++)
        loc_store(c, n, loc_pointer(dst, (int64_t)(i * size), n->type->base), v);
    return opnd_slot(dst);
}

/* A member's value as a union, or a vector's bits as an integer and back. */
static struct opnd value_same_bits(struct compiler *c, const struct node *n, struct opnd v)
{
    const struct type *from = kid(c, n, 0)->type;
    if (kind_of(c->p, from) == KIND_MEMORY && kind_of(c->p, n->type) == KIND_MEMORY)
        return v;
    const struct local *l = temporary(
        c, lang_sizeof(c->p, n->type) > lang_sizeof(c->p, from) ? n->type : from);
    c->node = n;
    emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
    uint32_t dst = slot_new(c, 1);
    emit(c, I_ADDRESS_L, dst, l->slot, 0, 0);
    if (n->op == CONV_UNION)
        emit(c, I_ZERO, 0, dst, 0, (int64_t)lang_sizeof(c->p, n->type));
    struct loc to = loc_pointer(dst, 0, from);
    if (kind_of(c->p, from) != KIND_MEMORY || n->op == CONV_UNION)
        loc_store(c, n, to, v);
    else
        dst = opnd_in_slot(c, v);
    if (kind_of(c->p, n->type) == KIND_MEMORY)
        return opnd_slot(dst);
    struct loc back = loc_pointer(dst, 0, n->type);
    back.via_union = true;
    return loc_load(c, n, back, NO_SLOT);
}

/* The value of a variable whose reading nobody can see. */
static bool is_plain_name(const struct compiler *c, const struct node *n)
{
    return n->kind == NODE_CAST && n->op == CONV_LVALUE && kid(c, n, 0)->kind == NODE_NAME &&
           !(kid(c, n, 0)->type->canon->quals & QUAL_VOLATILE);
}

/* Has a value of this type an address in it? */
static bool holds_pointer(const struct type *t)
{
    t = t->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon;
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        if (holds_pointer(t->u.record->fields[i]->type))
            return true;
    return t->kind == TYPE_POINTER;
}

/* A conversion by which an address becomes a number, or its bytes can be looked at. */
static void note_address(struct compiler *c, const struct node *n)
{
    const struct type *from = kid(c, n, 0)->type->canon, *to = n->type->canon;
    bool number = n->op == CONV_PTR_INT;
    bool bytes = n->op == CONV_PTR && memory_tag(c->p, to->base) == TAG_CHAR &&
                 to->base->kind != TYPE_VOID && holds_pointer(from->base);
    if (number || bytes)
        machine_choose(c->m, CHOICE_ADDRESS, c->u->index, n);
}

/* C11 6.3.2.3p7: a pointer may only become one to a type that it is aligned for. */
static void check_alignment(struct compiler *c, const struct node *n, struct opnd v)
{
    if (n->op != CONV_PTR || v.constant)
        return;
    const struct type *from = kid(c, n, 0)->type->canon->base, *to = n->type->canon->base;
    if (!lang_is_complete(to) || to->kind == TYPE_FUNCTION || to->kind == TYPE_VOID ||
        from->kind == TYPE_FUNCTION)
        return;
    uint32_t align = lang_alignof(c->p, to);
    bool less = !lang_is_complete(from) || from->kind == TYPE_VOID ||
                lang_alignof(c->p, from) < align;
    if (less && align > 1)
        emit(c, I_ALIGNED_POINTER, 0, v.slot, 0, (int64_t)align - 1);
}

static struct opnd value_cast(struct compiler *c, const struct node *n, uint32_t want)
{
    const struct node *a = kid(c, n, 0);
    struct opnd v;
    switch (n->op) {
    case CONV_LVALUE:
        return loc_load(c, n, compile_lvalue(c, a, false), want);
    case CONV_ARRAY:
        return address_of(c, a);
    case CONV_FUNCTION:
        enter_node(c, a);
        return function_address(c, a);
    case CONV_NULL:
        return opnd_k(0);
    case CONV_VOID:
        if (a->kind == NODE_CALL && !is_dropped(c->u, a))
            compile_call(c, enter_node(c, a), NO_SLOT, false);
        else if (is_plain_name(c, a))
            enter_node(c, a); /* nothing is done with the value: (void)x of an unset x is fine */
        else if (a->type->kind != TYPE_FUNCTION && a->type->kind != TYPE_ARRAY)
            compile_value(c, a, NO_SLOT);
        return opnd_k(0);
    case CONV_COMPLEX:
        emit_unsupported(c, n, "complex arithmetic");
        return opnd_k(0);
    case CONV_VECTOR:
    case CONV_UNION:
        v = compile_value(c, a, NO_SLOT);
        return value_same_bits(c, n, v);
    case CONV_SPLAT:
        v = compile_value(c, a, NO_SLOT);
        return value_splat(c, n, v);
    default:
        note_address(c, n);
        if (kind_is_pair(kind_of(c->p, a->type)) || kind_is_pair(kind_of(c->p, n->type)))
            want = NO_SLOT;
        v = compile_value(c, a, want);
        c->node = n;
        check_alignment(c, n, v);
        return compile_convert(c, n, v, a->type, n->type, want);
    }
}

/* ---- unary operators -------------------------------------------------------------------- */

static struct opnd negate(struct compiler *c, const struct node *n, struct opnd v)
{
    enum kind k = kind_of(c->p, n->type);
    static const uint16_t neg[] = {
        [KIND_I32] = I_NEG_I32, [KIND_U32] = I_NEG_U32, [KIND_I64] = I_NEG_I64,
        [KIND_U64] = I_NEG_U64, [KIND_F32] = I_NEG_F32, [KIND_F64] = I_NEG_F64,
    };
    uint32_t a = opnd_in_slot(c, v);
    if (kind_is_pair(k) || kind_is_short(k) || k == KIND_MEMORY) {
        struct conversion *conv = NEW(&c->m->arena, struct conversion);
        *conv = (struct conversion){c->p, n->type, NULL};
        uint32_t wide = slot_new(c, 2);
        struct insn *i;
        if (k == KIND_MEMORY) {
            const struct local *l = temporary(c, n->type);
            emit(c, I_BORN, 0, 0, 0, 0)->u.local = l;
            emit(c, I_ADDRESS_L, wide, l->slot, 0, 0);
            conv->to = n->type;
            i = emit(c, I_VECTOR, wide, a, NO_SLOT, n->op);
        } else {
            i = emit(c, I_WIDE, wide, a, NO_SLOT, n->op);
        }
        i->u.conversion = conv;
        return opnd_slot(wide);
    }
    uint32_t dst = slot_new(c, 1);
    uint16_t op = k < LENGTH(neg) ? neg[k] : 0;
    if (n->op == OP_NOT)
        op = k == KIND_U32 ? I_NOT_U32 : I_NOT_S;
    if (!op) {
        emit_unsupported(c, n, "operator on this type");
        return opnd_k(0);
    }
    emit(c, op, dst, a, 0, 0)->fact = fact_of(c, n);
    return opnd_slot(dst);
}

/* What was emitted since `from` is not the value of n. */
static void no_value(struct compiler *c, const struct node *n, uint32_t from)
{
    for (uint32_t i = from; i < c->code->count; i++)
        if (c->code->insn[i].fact == c->u->fact[n->id])
            c->code->insn[i].fact = 0;
}

/* ++ and --: reads, computes in the promoted type, writes back (C11 6.5.2.4, 6.5.3.1).  Where
 * nobody wants the old value it is not kept, and not known afterwards. */
static struct opnd value_step(struct compiler *c, const struct node *n, bool used)
{
    const struct type *t = n->type;
    seq(c, n, I_SEQ_MARK, 0);
    struct loc l = compile_lvalue(c, kid(c, n, 0), false);
    struct opnd old = loc_load(c, kid(c, n, 0), l, NO_SLOT);
    enum kind k = kind_of(c->p, t);
    bool post = n->op == OP_POSTINC || n->op == OP_POSTDEC;
    bool keep = post && (used || c->m->options.values);
    uint32_t into = l.kind == LOC_SLOT && !used && !op_tracked(c) ? l.slot : NO_SLOT;
    c->node = n;
    if (k == KIND_MEMORY) {
        emit_unsupported(c, n, "step of a vector");
        return opnd_k(0);
    }
    if (keep) {
        uint32_t kept = slot_new(c, kind_is_pair(k) ? 2 : 1);
        emit_move(c, k, kept, old);
        c->code->insn[c->code->count - 1].fact = kind_is_pair(k) ? 0 : fact_of(c, n);
        old = opnd_slot(kept);
    }
    enum op op = n->op == OP_POSTINC || n->op == OP_PREINC ? OP_ADD : OP_SUB;
    struct type *in = t->kind == TYPE_POINTER ? (struct type *)(uintptr_t)t
                      : lang_is_integer(t)    ? lang_promoted(c->p, t)
                                              : (struct type *)(uintptr_t)t;
    if (l.field && l.field->width < 32)
        in = lang_basic(c->p, TYPE_INT);
    struct type *int_type = lang_basic(c->p, TYPE_INT);
    struct opnd one = opnd_k(1), v = compile_convert(c, NULL, old, t, in, NO_SLOT);
    if (t->kind != TYPE_POINTER)
        one = compile_convert(c, NULL, one, int_type, in, NO_SLOT);
    uint32_t before = c->code->count;
    struct opnd sum = compile_binary(c, n, op, v, one, in, t->kind == TYPE_POINTER ? int_type : in,
                                     kind_of(c->p, in) == k ? into : NO_SLOT);
    if (post)
        no_value(c, n, before);
    sum = compile_convert(c, NULL, sum, in, t, into);
    loc_touch(c, n, &l, true);
    loc_store(c, n, l, sum);
    seq(c, n, I_SEQ_POP, 0);
    if (keep)
        return old;
    return l.field && used ? loc_load(c, n, l, NO_SLOT) : sum;
}

/* C11 6.3.1.1p2 says nothing of bit-fields wider than int: gcc computes in the field's width,
 * clang in its type. */
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

static void check_wide_field(struct compiler *c, const struct node *n, const struct node *operand)
{
    if (is_wide_field(c, operand))
        emit_unsupported(c, n, "arithmetic on a bit-field wider than int: compilers differ");
}

static struct opnd value_unary(struct compiler *c, const struct node *n, uint32_t want)
{
    struct opnd v;
    u128 bits;
    switch (n->op) {
    case OP_ADDR:
        if (lang_constant(c->p, n, &bits)) /* &((struct s *)0)->m */
            return constant_bits(c, n, bits);
        return address_of(c, kid(c, n, 0));
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
        check_wide_field(c, n, kid(c, n, 0));
        v = compile_value(c, kid(c, n, 0), NO_SLOT);
        c->node = n;
        return negate(c, n, v);
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
        emit_unsupported(c, n, "complex arithmetic");
        return opnd_k(0);
    default:
        return value_step(c, n, true);
    }
}

/* ---- binary operators ------------------------------------------------------------------- */

static bool in_slot(struct compiler *c, const struct node *n)
{
    return n->kind == NODE_NAME && link_var(c->m, c->u, n->u.decl)->place == VAR_SLOT;
}

static bool is_bitfield(const struct node *n)
{
    return n->kind == NODE_MEMBER && n->u.field->is_bitfield;
}

const struct node *copied_character(const struct compiler *c, const struct node *value)
{
    value = edited_node(c->u, value);
    while (value->kind == NODE_CAST && value->op == CONV_INT &&
           memory_tag(c->p, value->type) == TAG_CHAR)
        value = kid(c, value, 0);
    if (value->kind != NODE_CAST || value->op != CONV_LVALUE ||
        memory_tag(c->p, value->type) != TAG_CHAR)
        return NULL;
    const struct node *from = kid(c, value, 0);
    return is_bitfield(from) || from->type->quals & QUAL_VOLATILE ? NULL : from;
}

/* Copying one character may copy one that was never set (C11 6.2.6.1p4 and its footnotes). */
static bool is_byte_copy(struct compiler *c, const struct node *n)
{
    const struct node *to = kid(c, n, 0), *from = copied_character(c, kid(c, n, 1));
    return from && memory_tag(c->p, to->type) == TAG_CHAR && !in_slot(c, to) && !in_slot(c, from) &&
           !is_bitfield(to) && !(to->type->quals & QUAL_VOLATILE);
}

/* Enters the conversions of a copied character; yields the one that reads it. */
static const struct node *enter_copied(struct compiler *c, const struct node *value)
{
    while (value->op != CONV_LVALUE)
        value = enter_node(c, value)->kid[0];
    return enter_node(c, value);
}

bool compile_byte_init(struct compiler *c, struct loc to, const struct node *init)
{
    const struct node *from = copied_character(c, init);
    if (!from || c->u->edited || to.kind == LOC_SLOT || in_slot(c, from) ||
        memory_tag(c->p, to.type) != TAG_CHAR || to.type->quals & QUAL_VOLATILE)
        return false;
    const struct node *read = enter_copied(c, init);
    unsigned watch = compile_watch(c, from);
    struct loc source = compile_lvalue(c, from, false);
    loc_touch(c, read, &source, false);
    loc_check_set(c, &source);
    uint32_t a = loc_address(c, init, to), b = loc_address(c, init, source);
    emit(c, I_COPY, 0, a, b, 1);
    loc_note_set(c, &to);
    compile_unwatch(c, from, watch);
    return true;
}

static void byte_copy(struct compiler *c, const struct node *n)
{
    const struct node *from = enter_copied(c, kid(c, n, 1));
    seq(c, n, I_SEQ_MARK, 0);
    struct loc to = compile_lvalue(c, kid(c, n, 0), false);
    seq(c, n, I_SEQ_MARK, 0);
    struct loc source = compile_lvalue(c, kid(c, from, 0), false);
    loc_touch(c, from, &source, false);
    seq(c, n, I_SEQ_MERGE, 3);
    loc_touch(c, n, &to, true);
    seq(c, n, I_SEQ_POP, 0);
    uint32_t a = loc_address(c, n, to), b = loc_address(c, n, source);
    c->node = n;
    loc_check_set(c, &source);
    emit(c, I_COPY, 0, a, b, 1);
    loc_note_set(c, &to);
}

static void drop_value(struct compiler *c, const struct node *n)
{
    if (is_dropped(c->u, n))
        return;
    n = edited_node(c->u, n);
    if (n->kind == NODE_CALL)
        compile_call(c, enter_node(c, n), NO_SLOT, false);
    else if (n->kind == NODE_ASSIGN && n->op == OP_ASSIGN && !c->u->edited && is_byte_copy(c, n))
        byte_copy(c, enter_node(c, n));
    else if (is_step(n))
        value_step(c, enter_node(c, n), false);
    else
        compile_value(c, n, NO_SLOT);
}

/* a, b: a sequence point between (C11 6.5.17p2). */
static struct opnd value_comma(struct compiler *c, const struct node *n, uint32_t want)
{
    seq(c, n, I_SEQ_MARK, 0);
    drop_value(c, kid(c, n, 0));
    seq(c, n, I_SEQ_SETTLE, 0);
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

static bool is_address(const struct compiler *c, const struct node *n)
{
    while (n->kind == NODE_CAST && n->op == CONV_INT)
        n = kid(c, n, 0);
    return n->kind == NODE_CAST && n->op == CONV_PTR_INT;
}

/* Addresses as numbers in an order: the objects may lie the other way round. */
static bool orders_addresses(const struct compiler *c, const struct node *n)
{
    return (n->op == OP_LT || n->op == OP_GT || n->op == OP_LE || n->op == OP_GE) &&
           is_address(c, kid(c, n, 0)) && is_address(c, kid(c, n, 1));
}

static struct opnd order_addresses(struct compiler *c, const struct node *n, struct opnd a,
                                   struct opnd b)
{
    bool swap = n->op == OP_GT || n->op == OP_GE, strict = n->op == OP_LT || n->op == OP_GT;
    uint32_t x = opnd_in_slot(c, a), y = opnd_in_slot(c, b), dst = slot_new(c, 1);
    c->node = n;
    emit(c, strict ? I_ADDRESS_LT : I_ADDRESS_LE, dst, swap ? y : x, swap ? x : y, 0)->fact =
        fact_of(c, n);
    return opnd_slot(dst);
}

static struct opnd value_binary(struct compiler *c, const struct node *n, uint32_t want)
{
    if (n->op == OP_COMMA)
        return value_comma(c, n, want);
    if (n->op == OP_LAND || n->op == OP_LOR)
        return value_logic(c, n, want);
    bool flip = operand_at(c, n, 0, 2) == 1;
    struct opnd v[2];
    check_wide_field(c, n, kid(c, n, 0));
    check_wide_field(c, n, kid(c, n, 1));
    note_comparison(c, n);
    seq(c, n, I_SEQ_MARK, 0);
    v[flip] = compile_value(c, kid(c, n, flip), NO_SLOT);
    seq(c, n, I_SEQ_MARK, 0);
    v[!flip] = compile_value(c, kid(c, n, !flip), NO_SLOT);
    seq(c, n, I_SEQ_MERGE, 2);
    check_array_step(c, n, v[1]);
    if (orders_addresses(c, n))
        return order_addresses(c, n, v[0], v[1]);
    return compile_binary(c, n, n->op, v[0], v[1], kid(c, n, 0)->type, kid(c, n, 1)->type, want);
}

/* ---- assignment ------------------------------------------------------------------------- */

/* The value of an assignment is that of the object after it (C11 6.5.16p3). */
static struct opnd assigned(struct compiler *c, const struct node *n, struct loc l, struct opnd v)
{
    if (!l.field)
        return l.kind == LOC_SLOT ? opnd_slot(l.slot) : v;
    return loc_load(c, n, l, NO_SLOT);
}

static bool is_plain_slot(struct compiler *c, const struct node *n, struct loc *l)
{
    if (n->kind != NODE_NAME || n->u.decl->kind == DECL_FUNC)
        return false;
    struct var *v = link_var(c->m, c->u, n->u.decl);
    if (v->place != VAR_SLOT)
        return false;
    enter_node(c, n);
    *l = local_loc(c, n->u.decl);
    l->type = n->type;
    return true;
}

static struct opnd value_assign(struct compiler *c, const struct node *n, uint32_t want)
{
    struct loc l;
    struct opnd v;
    (void)want;
    bool flip = operand_at(c, n, 0, 2) == 1;
    if (based_on_sibling(c, n))
        emit_fault(c, n, UB_RESTRICT);
    seq(c, n, I_SEQ_MARK, 0);
    if (is_plain_slot(c, kid(c, n, 0), &l)) {
        v = compile_value(c, kid(c, n, 1), c->tracking ? NO_SLOT : l.slot);
    } else if (flip) {
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
        seq(c, n, I_SEQ_MARK, 0);
        l = compile_lvalue(c, kid(c, n, 0), false);
        seq(c, n, I_SEQ_MERGE, 3);
    } else {
        l = compile_lvalue(c, kid(c, n, 0), false);
        seq(c, n, I_SEQ_MARK, 0);
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
        seq(c, n, I_SEQ_MERGE, 3);
    }
    c->node = n;
    const struct node *from = kid(c, n, 1);
    if (l.field && from->kind == NODE_CAST && from->op == CONV_FLOAT_INT &&
        from->flags & NODE_IMPLICIT)
        emit(c, I_FITS_FIELD, 0, opnd_in_slot(c, v), 0, 0)->u.field = l.field;
    loc_touch(c, n, &l, true);
    loc_store(c, n, l, v);
    seq(c, n, I_SEQ_POP, 0);
    return assigned(c, n, l, v);
}

/* a op= b: the left operand is evaluated once, and its value with the right operand. */
static struct opnd value_compound(struct compiler *c, const struct node *n)
{
    const struct type *in = n->u.operand, *left = kid(c, n, 0)->type, *right = kid(c, n, 1)->type;
    bool flip = operand_at(c, n, 0, 2) == 1;
    struct opnd v = {0};
    check_wide_field(c, n, kid(c, n, 1));
    seq(c, n, I_SEQ_MARK, 0);
    if (flip) {
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
        seq(c, n, I_SEQ_MARK, 0);
    }
    struct loc l = compile_lvalue(c, kid(c, n, 0), false);
    struct opnd old = loc_load(c, kid(c, n, 0), l, NO_SLOT);
    if (!flip) {
        seq(c, n, I_SEQ_MARK, 0);
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
    }
    seq(c, n, I_SEQ_MERGE, 3);
    c->node = n;
    old = compile_convert(c, NULL, old, left->unqual, in, NO_SLOT);
    const struct node typed = {.id = n->id, .kind = n->kind, .type = (struct type *)(uintptr_t)in};
    bool vector = in->kind == TYPE_VECTOR;
    struct opnd sum = compile_binary(c, vector ? &typed : n, n->op, old, v, in, right, NO_SLOT);
    c->node = n;
    sum = compile_convert(c, NULL, sum, in, n->type, NO_SLOT);
    loc_touch(c, n, &l, true);
    loc_store(c, n, l, sum);
    seq(c, n, I_SEQ_POP, 0);
    return assigned(c, n, l, sum);
}

static struct opnd value_any_assign(struct compiler *c, const struct node *n, uint32_t want)
{
    if (n->op != OP_ASSIGN)
        return value_compound(c, n);
    return value_assign(c, n, want);
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
        seq(c, n, I_SEQ_MARK, 0);
        struct opnd v = compile_value(c, kid(c, n, 0), NO_SLOT);
        seq(c, n, I_SEQ_SETTLE, 0);
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
    seq(c, n, I_SEQ_MARK, 0);
    c->enclosed += beside;
    struct opnd v = compile_block_value(c, kid(c, n, 0), want);
    c->enclosed -= beside;
    seq(c, n, I_SEQ_GROUP, 0);
    return v;
}

static struct opnd value_selected(struct compiler *c, const struct node *n, uint32_t want)
{
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
    [NODE_ASSIGN] = value_any_assign,
    [NODE_COND] = value_cond,
    [NODE_CAST] = value_cast,
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
    return constant_bits(c, n, 0);
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
