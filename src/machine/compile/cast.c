/* Addresses and conversions: what a CAST node does, and what stands behind &. */
#include "machine/compile/private.h"

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
    if (n->u.decl->owner) /* nested: the one that was born with its block */
        return opnd_slot(loc_address(c, n, local_loc(c, n->u.decl)));
    struct func *f = link_func(c->m, c->u, n->u.decl);
    if (n->u.decl->weak && !f->body && !f->lib) { /* null, unless some library has it */
        if (!link_is_absent(f->name))
            emit_unsupported(c, n, "address of the weak function '%s'", f->name);
        return opnd_k(0);
    }
    return opnd_k(func_object(c->m, f)->base);
}

struct opnd compile_address(struct compiler *c, const struct node *n)
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

/* A conversion by which an address becomes a number, or its bytes can be looked at. */
static void note_address(struct compiler *c, const struct node *n, struct opnd v)
{
    const struct type *from = kid(c, n, 0)->type->canon, *to = n->type->canon;
    bool bytes = n->op == CONV_PTR && memory_tag(c->p, to->base) == TAG_CHAR &&
                 to->base->kind != TYPE_VOID;
    if (n->op == CONV_PTR_INT || (bytes && memory_holds_pointer(from->base)))
        machine_note_address(c->m, c->u->index, n);
    else if (bytes && !v.constant &&
             (from->base->kind == TYPE_VOID || memory_holds_open(from->base)))
        emit(c, I_ADDRESS_SEEN, 0, v.slot, 0, INT64_MAX);
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

/* What may point to a whole structure is not held in by the arrays that are its members (wall.c).
 */
static void leave_walls(struct compiler *c, const struct node *n, struct opnd v)
{
    if (c->m->has_walls && !v.constant && n->type->canon->kind == TYPE_POINTER &&
        wall_is_left(kid(c, n, 0)->type, n->type))
        emit(c, I_NO_WALL, 0, v.slot, 0, 0);
}

/* Tells record.c of a pointer to a structure that is made from another one. */
static void note_structure(struct compiler *c, const struct node *n, struct opnd v)
{
    if (n->op != CONV_PTR || v.constant || !c->m->mixes_records || c->m->options.owners)
        return;
    uint32_t record = record_number(c->m, c->p, n->type->canon->base);
    if (record)
        emit(c, I_MAKE, 0, v.slot, record, 0);
}

/* C11 6.2.4p2: a pointer to what was freed has no value any more. */
static struct opnd value_of_lvalue(struct compiler *c, const struct node *n, uint32_t want)
{
    bool followed = c->followed == n, late = c->tracking && has_effects(c, kid(c, n, 0));
    if (late)
        emit_seq(c, n, I_SEQ_MARK, 0);
    struct loc l = compile_lvalue(c, kid(c, n, 0), false);
    l.late = late;
    struct opnd v = loc_load(c, n, l, want);
    if (late)
        emit_seq(c, n, I_SEQ_POP, 0);
    if (c->source == n)
        c->source_at = l;
    else if (c->apart && kind_of(c->p, n->type) == KIND_MEMORY)
        v = temporary_copy(c, n->type, v);
    if (c->m->frees && !followed && !v.constant && kind_of(c->p, n->type) == KIND_POINTER)
        emit(c, I_UNFREED, 0, v.slot, 0, 0);
    return v;
}

struct opnd compile_cast(struct compiler *c, const struct node *n, uint32_t want)
{
    const struct node *a = kid(c, n, 0);
    struct opnd v;
    switch (n->op) {
    case CONV_LVALUE:
        return value_of_lvalue(c, n, want);
    case CONV_ARRAY:
        return compile_address(c, a);
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
        v = compile_value(c, a, NO_SLOT);
        c->node = n;
        return complex_convert(c, n, v, a->type, n->type);
    case CONV_VECTOR:
    case CONV_UNION:
        v = compile_value(c, a, NO_SLOT);
        return value_same_bits(c, n, v);
    case CONV_SPLAT:
        v = compile_value(c, a, NO_SLOT);
        return value_splat(c, n, v);
    default:
        if (kind_is_pair(kind_of(c->p, a->type)) || kind_is_pair(kind_of(c->p, n->type)))
            want = NO_SLOT;
        v = compile_value(c, a, want);
        c->node = n;
        note_address(c, n, v);
        check_alignment(c, n, v);
        note_structure(c, n, v);
        leave_walls(c, n, v);
        return compile_convert(c, n, v, a->type, n->type, want);
    }
}
