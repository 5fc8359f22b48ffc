/* What changes objects: assignment, ++ and --, and copies of integers that may be unset. */
#include "machine/compile/private.h"

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

/* ---- copies of integers that may be unset ----------------------------------------------- */

static bool in_slot(struct compiler *c, const struct node *n)
{
    return n->kind == NODE_NAME && link_var(c->m, c->u, n->u.decl)->place == VAR_SLOT;
}

static bool is_bitfield(const struct node *n)
{
    return n->kind == NODE_MEMBER && n->u.field->is_bitfield;
}

/* Types without padding bits: no bytes are a trap (C11 6.2.6.1p5). */
static bool is_carried(const struct compiler *c, const struct type *t)
{
    enum kind k = kind_of(c->p, t);
    bool other = k == KIND_POINTER || k == KIND_F32 || k == KIND_F64 ||
                 (lang_is_integer(t) && k != KIND_BOOL && !kind_is_pair(k));
    return memory_tag(c->p, t) == TAG_CHAR || (c->m->options.carry && other);
}

/* ... and both alike. */
static bool are_carried(const struct compiler *c, const struct type *a, const struct type *b)
{
    return is_carried(c, a) && is_carried(c, b) && memory_tag(c->p, a) == memory_tag(c->p, b) &&
           lang_sizeof(c->p, a) == lang_sizeof(c->p, b);
}

const struct node *copied_lvalue(const struct compiler *c, const struct node *value)
{
    value = edited_node(c->u, value);
    while (value->kind == NODE_CAST && (value->op == CONV_INT || value->op == CONV_NOOP) &&
           are_carried(c, value->type, kid(c, value, 0)->type))
        value = kid(c, value, 0);
    if (value->kind != NODE_CAST || value->op != CONV_LVALUE || !is_carried(c, value->type))
        return NULL;
    const struct node *from = kid(c, value, 0);
    return is_bitfield(from) || from->type->quals & QUAL_VOLATILE ? NULL : from;
}

/* The operand of conversions between integers. */
static const struct node *unconverted(const struct compiler *c, const struct node *value)
{
    value = selected(c, edited_node(c->u, value));
    while (value->kind == NODE_CAST && (value->op == CONV_INT || value->op == CONV_NOOP))
        value = selected(c, kid(c, value, 0));
    return value;
}

const struct decl *read_variable(const struct compiler *c, const struct node *value)
{
    value = unconverted(c, value);
    if (value->kind != NODE_CAST || value->op != CONV_LVALUE)
        return NULL;
    const struct node *from = kid(c, value, 0);
    return from->kind == NODE_NAME ? from->u.decl : NULL;
}

/* A value that goes on through conditionals, commas and assignments: characters in it may be unset,
 * but that cannot be followed. */
static void note_handed_on(struct compiler *c, const struct node *value)
{
    value = unconverted(c, value);
    if (value->kind == NODE_CAST && value->op == CONV_LVALUE)
        note_passed(c, value);
    else if ((value->kind == NODE_ASSIGN && value->op == OP_ASSIGN) ||
             (value->kind == NODE_BINARY && value->op == OP_COMMA))
        note_handed_on(c, value->kid[1]);
    for (uint32_t i = 1; value->kind == NODE_COND && i < 3; i++)
        if (value->kid[i])
            note_handed_on(c, value->kid[i]);
}

void note_copied(struct compiler *c, const struct type *to, const struct decl *variable,
                 const struct node *value)
{
    enum type_kind k = to->canon->kind;
    if (!lang_is_integer(to) && k != TYPE_POINTER && k != TYPE_FLOAT && k != TYPE_DOUBLE)
        return;
    const struct node *read = unconverted(c, value);
    bool direct = read->kind == NODE_CAST && read->op == CONV_LVALUE;
    if (direct && lang_sizeof(c->p, to) == lang_sizeof(c->p, read->type))
        list_add(&c->m->arena, &c->u->copied, (void *)(uintptr_t)read);
    if (!direct || (variable && narrows(c, variable)))
        note_handed_on(c, value);
}

/* Copying one character may copy one that was never set (C11 6.2.6.1p4 and its footnotes). */
bool is_plain_copy(struct compiler *c, const struct node *n)
{
    if (n->kind != NODE_ASSIGN || n->op != OP_ASSIGN || c->u->edited)
        return false;
    const struct node *to = kid(c, n, 0), *from = copied_lvalue(c, kid(c, n, 1));
    bool copy = from && are_carried(c, to->type, from->type) && !in_slot(c, to) &&
                !in_slot(c, from) && !is_bitfield(to) && !(to->type->quals & QUAL_VOLATILE);
    if (!copy)
        note_copied(c, to->type, to->kind == NODE_NAME ? to->u.decl : NULL, kid(c, n, 1));
    return copy;
}

/* Enters the conversions of a copied integer; yields the one that reads it. */
static const struct node *enter_copied(struct compiler *c, const struct node *value)
{
    while (value->op != CONV_LVALUE)
        value = enter_node(c, value)->kid[0];
    return enter_node(c, value);
}

bool compile_copied_init(struct compiler *c, struct loc to, const struct node *init)
{
    const struct node *from = copied_lvalue(c, init);
    note_copied(c, to.type, NULL, init);
    if (!from || c->u->edited || to.kind == LOC_SLOT || in_slot(c, from) ||
        !are_carried(c, to.type, from->type) || to.type->quals & QUAL_VOLATILE)
        return false;
    const struct node *read = enter_copied(c, init);
    unsigned watch = compile_watch(c, from);
    struct loc source = compile_lvalue(c, from, false);
    loc_touch(c, read, &source, false);
    loc_carry(c, init, to, source);
    compile_unwatch(c, from, watch);
    return true;
}

void compile_plain_copy(struct compiler *c, const struct node *n)
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
    loc_carry(c, n, to, source);
}

/* ---- assignment ------------------------------------------------------------------------- */

/* The value of an assignment is that of the object after it (C11 6.5.16p3). */
static struct opnd assigned(struct compiler *c, const struct node *n, struct loc l, struct opnd v)
{
    if (!l.field && c->apart && kind_of(c->p, n->type) == KIND_MEMORY)
        return temporary_copy(c, n->type, v);
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

void check_floating_field(struct compiler *c, const struct loc *l, const struct node *from,
                          struct opnd v)
{
    if (l->field && from->kind == NODE_CAST && from->op == CONV_FLOAT_INT &&
        from->flags & NODE_IMPLICIT)
        emit(c, I_FITS_FIELD, 0, opnd_in_slot(c, v), 0, 0)->u.field = l->field;
}

/* ---- assignment between objects that overlap -------------------------------------------- */

/* The read whose value is assigned, as it is or converted by the assignment; NULL: none. */
static const struct node *assigned_read(const struct compiler *c, const struct node *value)
{
    value = edited_node(c->u, value);
    while (value->kind == NODE_CAST && value->op != CONV_LVALUE && value->flags & NODE_IMPLICIT)
        value = kid(c, value, 0);
    return value->kind == NODE_CAST && value->op == CONV_LVALUE ? value : NULL;
}

static bool may_overlap(const struct loc *a, const struct loc *b)
{
    if (a->kind == LOC_SLOT || b->kind == LOC_SLOT || a->kind == LOC_BAD || b->kind == LOC_BAD)
        return false;
    return (a->kind == LOC_POINTER || a->via_union) && (b->kind == LOC_POINTER || b->via_union);
}

static uint64_t bits_of(const struct compiler *c, const struct loc *l)
{
    return l->field ? l->field->width : 8 * lang_sizeof(c->p, l->type);
}

/* C11 6.5.16.1p3: what is assigned may come from the same place only if that has the same type.
 * Scalars of one type overlap in part only where they are not aligned, or are bit-fields. */
static void check_apart(struct compiler *c, const struct node *n, struct loc to, struct loc from)
{
    if (!may_overlap(&to, &from))
        return;
    bool same = lang_compatible(c->p, to.type->unqual, from.type->unqual);
    bool whole = !from.field && !to.field;
    if (kind_of(c->p, to.type) == KIND_MEMORY || (same && whole && !to.packed && !from.packed))
        return;
    struct apart *w = NEW(&c->m->arena, struct apart);
    w->bits[0] = bits_of(c, &to);
    w->bits[1] = bits_of(c, &from);
    w->first[0] = to.field ? to.field->bit : 0;
    w->first[1] = from.field ? from.field->bit : 0;
    w->same = same;
    uint32_t a = loc_address(c, n, to), b = loc_address(c, n, from);
    emit(c, I_APART, 0, a, b, 0)->u.apart = w;
}

/* A value that is assigned, and where it was read: LOC_BAD when it was not read. */
static struct opnd value_from(struct compiler *c, const struct node *value, struct loc *from)
{
    const struct node *outer = c->source;
    c->source = assigned_read(c, value);
    c->source_at = *from;
    struct opnd v = compile_value(c, value, NO_SLOT);
    if (c->source)
        *from = c->source_at;
    c->source = outer;
    return v;
}

static struct opnd value_assign(struct compiler *c, const struct node *n, uint32_t want)
{
    struct loc l, from = {.kind = LOC_BAD};
    struct opnd v;
    (void)want;
    bool flip = operand_at(c, n, 0, 2) == 1;
    if (based_on_sibling(c, n))
        emit_fault(c, n, UB_RESTRICT);
    emit_seq(c, n, I_SEQ_MARK, 0);
    if (is_plain_slot(c, kid(c, n, 0), &l)) {
        v = compile_value(c, kid(c, n, 1), c->apart ? NO_SLOT : l.slot);
    } else if (flip) {
        v = compile_value(c, kid(c, n, 1), NO_SLOT); /* as it is now: where it lies is of no use */
        emit_seq(c, n, I_SEQ_MARK, 0);
        l = compile_lvalue(c, kid(c, n, 0), false);
        emit_seq(c, n, I_SEQ_MERGE, 3);
    } else {
        l = compile_lvalue(c, kid(c, n, 0), false);
        emit_seq(c, n, I_SEQ_MARK, 0);
        v = value_from(c, kid(c, n, 1), &from);
        emit_seq(c, n, I_SEQ_MERGE, 3);
    }
    c->node = n;
    check_floating_field(c, &l, kid(c, n, 1), v);
    check_apart(c, n, l, from);
    loc_touch(c, n, &l, true);
    loc_store(c, n, l, v);
    uint16_t base = based_assigned(c, n);
    if (base)
        emit(c, I_RESTRICT_BEGIN, 0, 0, 0, base);
    emit_seq(c, n, I_SEQ_POP, 0);
    return assigned(c, n, l, v);
}

/* a op= b: the left operand is evaluated once, and its value with the right operand. */
static struct opnd value_compound(struct compiler *c, const struct node *n)
{
    const struct type *in = n->u.operand, *left = kid(c, n, 0)->type, *right = kid(c, n, 1)->type;
    bool flip = operand_at(c, n, 0, 2) == 1;
    struct opnd v = {0};
    check_fields(c, n, kid(c, n, 1), kid(c, n, 0));
    emit_seq(c, n, I_SEQ_MARK, 0);
    if (flip) {
        v = compile_value(c, kid(c, n, 1), NO_SLOT);
        emit_seq(c, n, I_SEQ_MARK, 0);
    }
    struct loc l = compile_lvalue(c, kid(c, n, 0), false);
    struct opnd old = loc_load(c, kid(c, n, 0), l, NO_SLOT);
    if (c->apart && kind_of(c->p, left) == KIND_MEMORY)
        old = temporary_copy(c, left, old);
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
    if (l.field && lang_is_floating(in))
        emit(c, I_FITS_FIELD, 0, opnd_in_slot(c, sum), 0, 0)->u.field = l.field;
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
