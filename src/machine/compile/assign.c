/* What changes objects: assignment, ++ and --, and copies of characters that may be unset. */
#include "machine/compile/private.h"

/* ---- bit-fields wider than int ---------------------------------------------------------- */

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

void check_wide_field(struct compiler *c, const struct node *n, const struct node *operand)
{
    if (is_wide_field(c, operand))
        emit_unsupported(c, n, "arithmetic on a bit-field wider than int: compilers differ");
}

/* ---- ++ and -- -------------------------------------------------------------------------- */

/* ++ and --: reads, computes in the promoted type, writes back (C11 6.5.2.4, 6.5.3.1).  Where
 * nobody wants the old value it is not kept, and not known afterwards. */
struct opnd compile_step(struct compiler *c, const struct node *n, bool used)
{
    const struct type *t = n->type;
    emit_seq(c, n, I_SEQ_MARK, 0);
    struct loc l = compile_lvalue(c, kid(c, n, 0), false);
    struct opnd old = loc_load(c, kid(c, n, 0), l, NO_SLOT);
    enum kind k = kind_of(c->p, t);
    bool post = n->op == OP_POSTINC || n->op == OP_POSTDEC;
    bool keep = post && (used || c->m->options.values);
    uint32_t into = l.kind == LOC_SLOT && !used && !op_tracked(c) ? l.slot : NO_SLOT;
    c->node = n;
    if (t->kind == TYPE_VECTOR) {
        emit_unsupported(c, n, "step of a vector");
        return opnd_k(0);
    }
    if (keep) {
        uint32_t kept = slot_new(c, kind_is_pair(k) ? 2 : 1);
        emit_move(c, k, kept, old);
        bool word = !kind_is_pair(k) && k != KIND_MEMORY;
        c->code->insn[c->code->count - 1].fact = word ? fact_of(c, n) : 0;
        old = opnd_slot(kept);
    }
    enum op op = n->op == OP_POSTINC || n->op == OP_PREINC ? OP_ADD : OP_SUB;
    const struct type *in = lang_is_integer(t) ? lang_promoted(c->p, t) : t;
    const struct type *int_type = lang_basic(c->p, TYPE_INT);
    if (l.field && l.field->width < 32)
        in = int_type;
    const struct type *by = t->kind == TYPE_POINTER   ? int_type
                            : t->kind == TYPE_COMPLEX ? t->base
                                                      : in;
    struct opnd v = compile_convert(c, NULL, old, t, in, NO_SLOT);
    struct opnd one = compile_convert(c, NULL, opnd_k(1), int_type, by, NO_SLOT);
    uint32_t before = c->code->count;
    struct opnd sum = compile_binary(c, n, op, v, one, in, by,
                                     kind_of(c->p, in) == k ? into : NO_SLOT);
    if (post)
        emit_no_value(c, n, before);
    sum = compile_convert(c, NULL, sum, in, t, into);
    loc_touch(c, n, &l, true);
    loc_store(c, n, l, sum);
    emit_seq(c, n, I_SEQ_POP, 0);
    if (keep)
        return old;
    return l.field && used ? loc_load(c, n, l, NO_SLOT) : sum;
}

/* ---- copies of one character ------------------------------------------------------------ */

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
bool is_byte_copy(struct compiler *c, const struct node *n)
{
    if (n->kind != NODE_ASSIGN || n->op != OP_ASSIGN || c->u->edited)
        return false;
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

void compile_byte_copy(struct compiler *c, const struct node *n)
{
    const struct node *from = enter_copied(c, kid(c, n, 1));
    emit_seq(c, n, I_SEQ_MARK, 0);
    struct loc to = compile_lvalue(c, kid(c, n, 0), false);
    emit_seq(c, n, I_SEQ_MARK, 0);
    struct loc source = compile_lvalue(c, kid(c, from, 0), false);
    loc_touch(c, from, &source, false);
    emit_seq(c, n, I_SEQ_MERGE, 3);
    loc_touch(c, n, &to, true);
    emit_seq(c, n, I_SEQ_POP, 0);
    uint32_t a = loc_address(c, n, to), b = loc_address(c, n, source);
    c->node = n;
    loc_check_set(c, &source);
    emit(c, I_COPY, 0, a, b, 1);
    loc_note_set(c, &to);
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
    emit_seq(c, n, I_SEQ_MARK, 0);
    if (is_plain_slot(c, kid(c, n, 0), &l)) {
        v = compile_value(c, kid(c, n, 1), c->tracking ? NO_SLOT : l.slot);
    } else if (flip) {
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
        emit_seq(c, n, I_SEQ_MARK, 0);
        l = compile_lvalue(c, kid(c, n, 0), false);
        emit_seq(c, n, I_SEQ_MERGE, 3);
    } else {
        l = compile_lvalue(c, kid(c, n, 0), false);
        emit_seq(c, n, I_SEQ_MARK, 0);
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
        emit_seq(c, n, I_SEQ_MERGE, 3);
    }
    c->node = n;
    const struct node *from = kid(c, n, 1);
    if (l.field && from->kind == NODE_CAST && from->op == CONV_FLOAT_INT &&
        from->flags & NODE_IMPLICIT)
        emit(c, I_FITS_FIELD, 0, opnd_in_slot(c, v), 0, 0)->u.field = l.field;
    loc_touch(c, n, &l, true);
    loc_store(c, n, l, v);
    emit_seq(c, n, I_SEQ_POP, 0);
    return assigned(c, n, l, v);
}

/* a op= b: the left operand is evaluated once, and its value with the right operand. */
static struct opnd value_compound(struct compiler *c, const struct node *n)
{
    const struct type *in = n->u.operand, *left = kid(c, n, 0)->type, *right = kid(c, n, 1)->type;
    bool flip = operand_at(c, n, 0, 2) == 1;
    struct opnd v = {0};
    check_wide_field(c, n, kid(c, n, 1));
    emit_seq(c, n, I_SEQ_MARK, 0);
    if (flip) {
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
        emit_seq(c, n, I_SEQ_MARK, 0);
    }
    struct loc l = compile_lvalue(c, kid(c, n, 0), false);
    struct opnd old = loc_load(c, kid(c, n, 0), l, NO_SLOT);
    if (!flip) {
        emit_seq(c, n, I_SEQ_MARK, 0);
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
    }
    emit_seq(c, n, I_SEQ_MERGE, 3);
    c->node = n;
    /* beside a complex operand a real one stays real */
    const struct type *as = in->kind == TYPE_COMPLEX && left->kind != TYPE_COMPLEX ? in->base : in;
    old = compile_convert(c, NULL, old, left->unqual, as, NO_SLOT);
    const struct node typed = {.id = n->id, .kind = n->kind, .type = (struct type *)(uintptr_t)in};
    bool vector = in->kind == TYPE_VECTOR;
    struct opnd sum = compile_binary(c, vector ? &typed : n, n->op, old, v, as, right, NO_SLOT);
    c->node = n;
    sum = compile_convert(c, NULL, sum, in, n->type, NO_SLOT);
    loc_touch(c, n, &l, true);
    loc_store(c, n, l, sum);
    emit_seq(c, n, I_SEQ_POP, 0);
    return assigned(c, n, l, sum);
}

struct opnd compile_assign(struct compiler *c, const struct node *n, uint32_t want)
{
    if (n->op != OP_ASSIGN)
        return value_compound(c, n);
    return value_assign(c, n, want);
}
