/* Lvalues: where they lie. */
#include "machine/compile/private.h"

struct loc loc_pointer(uint32_t slot, int64_t offset, const struct type *type)
{
    return (struct loc){.kind = LOC_POINTER,
                        .slot = slot,
                        .offset = offset,
                        .type = type,
                        .index = NO_SLOT,
                        .based = {BASIS_ANY, BASIS_MAYBE, 0}};
}

/* A local of a function that this one is nested in: through the frames around it. */
static struct loc outer_loc(struct compiler *c, struct decl *d, const struct var *v)
{
    int64_t levels = 0;
    for (const struct function *f = c->f->body; f && f != d->owner; f = f->outer)
        levels++;
    if (v->place != VAR_LOCAL || d->type->canon->flags & TYPE_VARIABLE)
        emit_unsupported(c, c->node, "'%s' of an enclosing function", d->name);
    uint32_t slot = slot_new(c, 1);
    emit(c, I_ADDRESS_OUTER, slot, v->slot, 0, levels);
    return loc_pointer(slot, 0, d->type->canon);
}

struct loc local_loc(struct compiler *c, struct decl *d)
{
    struct var *v = link_var(c->m, c->u, d);
    bool outer = d->owner && c->f->body && d->owner != c->f->body;
    if (outer && !d->is_static && (v->place == VAR_LOCAL || v->place == VAR_SLOT))
        return outer_loc(c, d, v);
    struct loc l = {.index = NO_SLOT, .type = d->type->canon, .var = v};
    switch (v->place) {
    case VAR_SLOT:
        l.kind = LOC_SLOT;
        l.slot = v->slot;
        break;
    case VAR_LOCAL:
        l.kind = LOC_LOCAL;
        l.slot = v->slot;
        break;
    case VAR_STATIC:
        l.kind = LOC_STATIC;
        l.object = v->object;
        break;
    default:
        l.kind = LOC_BAD;
        if (link_is_placed(c->m, d))
            emit_unspecified(c, c->node, "what the linker makes of a name of its own");
        else if (d->weak && link_is_absent(d->name))
            return loc_pointer(opnd_in_slot(c, opnd_k(0)), 0, d->type->canon);
        else
            emit_unsupported(c, c->node, "external object '%s' is not defined", d->name);
    }
    if (v->place == VAR_LOCAL && d->type->canon->flags & TYPE_VARIABLE) {
        /* the object's size is known at run time only: go through its address */
        uint32_t slot = slot_new(c, 1);
        emit(c, I_ADDRESS_L, slot, v->slot, 0, 0);
        l = loc_pointer(slot, 0, d->type->canon);
        l.based = (struct basis){0, BASIS_NAMED, 0};
    }
    return l;
}

/* ---- designators ------------------------------------------------------------------------ */

/* GNU and old C: a last member [0], [1] or [] may be indexed as far as the object goes. */
static bool is_open_array(const struct node *array)
{
    const struct type *t = array->type;
    if (t->flags & (TYPE_UNSIZED | TYPE_VARIABLE))
        return true;
    if (array->kind != NODE_MEMBER || t->u.count > 1)
        return false;
    const struct record *r = array->u.field->record;
    return r->is_union || array->u.field->index + 1 == r->count;
}

void watch_walls(struct compiler *c, struct move by)
{
    struct wall *w = wall_new(c->m, c->p, by.of);
    if (!w)
        return;
    bool array = by.of->canon->kind == TYPE_ARRAY; /* of which nothing is accessed yet */
    struct insn *i = emit(c, I_WALL, (uint32_t)c->m->walls.n, by.pointer, by.times, by.k);
    i->tag = by.reached && !array;
    i->align = by.backwards;
    w->size = array ? 0 : lang_sizeof(c->p, by.of);
    list_add(&c->m->arena, &c->m->walls, w);
}

/* Adds index * size to an address, and checks that it stays in its object. */
static struct loc step_pointer(struct compiler *c, const struct node *n, uint32_t pointer,
                               struct opnd index, bool address_only)
{
    const struct type *of = n->type;
    struct opnd size = size_of(c, of);
    uint32_t dst = slot_new(c, 1);
    c->node = n;
    if (size.constant)
        watch_walls(c, (struct move){.of = of,
                                     .pointer = pointer,
                                     .times = index.constant ? NO_SLOT : index.slot,
                                     .k = (int64_t)(index.constant ? index.k * size.k : size.k),
                                     .reached = !address_only});
    if (!size.constant) {
        struct insn *i = emit(c, I_STEP_WIDE, dst, pointer, opnd_in_slot(c, index), 1);
        i->u.wide = size.slot;
    } else if (index.constant) {
        emit(c, I_OFFSET, dst, pointer, 0, (int64_t)(index.k * size.k));
    } else {
        emit(c, I_STEP, dst, pointer, index.slot, (int64_t)size.k);
    }
    return loc_pointer(dst, 0, of);
}

/* An element of an array whose length is known: the index is checked against it. */
static struct loc array_element(struct compiler *c, const struct node *n, struct loc l,
                                struct opnd index, bool address_only)
{
    uint64_t size = lang_sizeof(c->p, n->type);
    const struct type *array = l.type;
    uint64_t limit = array->u.count + (address_only ? 1 : 0);
    l.type = n->type;
    l.field = NULL;
    c->node = n;
    if (index.constant) {
        if (index.k >= limit) {
            emit(c, I_INDEX, slot_new(c, 1), opnd_in_slot(c, index), 0, (int64_t)limit);
            index.k = 0;
        }
        l.offset += (int64_t)(index.k * size);
        return l;
    }
    uint32_t dst = slot_new(c, 1);
    struct insn *i = emit(c, I_INDEX, dst, index.slot, 0, (int64_t)limit);
    i->u.wide = size;
    if (l.kind == LOC_POINTER) {
        uint32_t sum = slot_new(c, 1);
        uint32_t base = loc_address(c, n, l);
        c->node = n;
        emit(c, I_STEP, sum, base, dst, 1);
        struct loc element = loc_pointer(sum, 0, n->type);
        element.rooted = l.rooted;
        element.root = l.root;
        element.record = l.record;
        element.via_union = l.via_union;
        element.whole = l.whole;
        element.by_pointer = l.by_pointer;
        element.packed = l.packed;
        element.based = l.based;
        return element;
    }
    if (l.index != NO_SLOT) {
        i->op = I_INDEX_MORE;
        i->b = l.index;
    }
    l.index = dst;
    return l;
}

/* Does this member access promise less than the member's own alignment: a packed member or
 * structure, or a structure through a type that __attribute__((aligned)) lowers? */
static bool lowers_alignment(const struct compiler *c, const struct node *member)
{
    const struct field *f = member->u.field;
    const struct type *of = kid(c, member, 0)->type;
    if (member->flags & NODE_ARROW)
        of = of->base;
    return (f->offset | lang_alignof(c->p, of)) & (lang_alignof(c->p, f->type) - 1);
}

/* The same for a chain of members and elements. */
static bool is_underaligned(const struct compiler *c, const struct node *n)
{
    for (;; n = kid(c, n, 0)) {
        if (n->kind == NODE_MEMBER && lowers_alignment(c, n))
            return true;
        bool array = n->kind == NODE_CAST && n->op == CONV_ARRAY;
        bool inside = n->kind == NODE_INDEX || (n->kind == NODE_MEMBER && !(n->flags & NODE_ARROW));
        if (!array && !inside)
            return false;
    }
}

/* An element of an array whose length was computed: the index is checked against it. */
static void check_variable_index(struct compiler *c, const struct node *n, const struct type *array,
                                 struct opnd index, bool address_only)
{
    uint32_t length;
    if (!vla_length(c, array, &length))
        return;
    c->node = n;
    emit(c, I_INDEX_VARIABLE, 0, opnd_in_slot(c, index), length, address_only);
}

/* The array that a pointer is written to point into, and at which element: a, or &x.a[2] of a
 * member. (Of rows, &m[0][0] is how one walks through all of a matrix.)  NULL: none is written
 * there. */
static const struct node *written_array(const struct compiler *c, const struct node *pointer,
                                        u128 *at)
{
    *at = 0;
    if (pointer->kind == NODE_CAST && pointer->op == CONV_ARRAY)
        return kid(c, pointer, 0);
    if (pointer->kind != NODE_UNARY || pointer->op != OP_ADDR)
        return NULL;
    const struct node *element = kid(c, pointer, 0);
    if (element->kind != NODE_INDEX || element->kid[0]->type->kind != TYPE_POINTER)
        return NULL;
    const struct node *base = kid(c, element, 0);
    bool member = base->kind == NODE_CAST && base->op == CONV_ARRAY &&
                  kid(c, base, 0)->kind == NODE_MEMBER;
    return member && lang_constant(c->p, kid(c, element, 1), at) ? kid(c, base, 0) : NULL;
}

/* What a member or an element is a part of, by name; NULL: of what a pointer points to. */
static const struct node *whole_of(const struct compiler *c, const struct node *n)
{
    if (n->kind == NODE_MEMBER && n->flags & NODE_ARROW)
        return NULL;
    n = kid(c, n, 0);
    if (n->kind == NODE_CAST)
        return n->op == CONV_ARRAY ? kid(c, n, 0) : NULL;
    return n;
}

/* A member of no union; the last one, through a pointer, may go on (old C). */
static bool is_fenced(const struct compiler *c, const struct node *array)
{
    if (array->kind != NODE_MEMBER || is_open_array(array))
        return false;
    const struct field *f = array->u.field;
    const struct node *n = array;
    for (; n && (n->kind == NODE_MEMBER || n->kind == NODE_INDEX); n = whole_of(c, n))
        if (n->kind == NODE_MEMBER && n->u.field->record->is_union)
            return false;
    return n || f->index + 1 < f->record->count;
}

uint64_t written_room(const struct compiler *c, const struct node *pointer)
{
    u128 at, by = 0;
    while (pointer->kind == NODE_CAST && (pointer->op == CONV_PTR || pointer->op == CONV_NOOP))
        pointer = kid(c, pointer, 0);
    if (pointer->kind == NODE_BINARY && pointer->op == OP_ADD &&
        lang_constant(c->p, kid(c, pointer, 1), &by))
        pointer = kid(c, pointer, 0);
    const struct node *array = written_array(c, pointer, &at);
    if (!array || !is_fenced(c, array) || at + by > array->type->u.count)
        return UINT64_MAX;
    return (uint64_t)(array->type->u.count - at - by) * lang_sizeof(c->p, array->type->base);
}

/* The element that is reached from element `at` by an index, or by its negation. */
static struct opnd element_at(struct compiler *c, struct opnd index, bool negated, uint64_t at)
{
    if (index.constant)
        return opnd_k(negated ? at - index.k : at + index.k);
    if (!negated && at == 0)
        return index;
    uint32_t dst = slot_new(c, 1);
    if (negated)
        emit(c, I_SUB_U64, dst, opnd_in_slot(c, opnd_k(at)), index.slot, 0);
    else
        emit(c, I_ADD_U64_K, dst, index.slot, 0, (int64_t)at);
    return opnd_slot(dst);
}

/* a + i, a - i, i + a of an array that is written there: as strict as &a[i] (C11 6.5.6p8). */
void check_array_step(struct compiler *c, const struct node *n, const struct opnd v[2])
{
    bool swapped = kid(c, n, 0)->type->kind != TYPE_POINTER;
    const struct node *base = kid(c, n, swapped);
    u128 at;
    if ((n->op != OP_ADD && n->op != OP_SUB) || base->type->kind != TYPE_POINTER ||
        kid(c, n, !swapped)->type->kind == TYPE_POINTER)
        return;
    const struct node *array = written_array(c, base, &at);
    if (!array)
        return;
    c->node = n;
    struct opnd index = element_at(c, v[!swapped], n->op == OP_SUB, (uint64_t)at);
    if (is_open_array(array))
        check_variable_index(c, n, array->type, index, c->reached != n);
    else
        emit(c, I_INDEX, slot_new(c, 1), opnd_in_slot(c, index), 0,
             (int64_t)array->type->u.count + (c->reached != n));
}

/* (&x.a[2])[i] */
static void check_element_step(struct compiler *c, const struct node *n, const struct node *base,
                               struct opnd index, bool address_only)
{
    u128 at;
    const struct node *array = base->kind == NODE_UNARY ? written_array(c, base, &at) : NULL;
    if (!array || is_open_array(array))
        return;
    c->node = n;
    index = element_at(c, index, false, (uint64_t)at);
    emit(c, I_INDEX, slot_new(c, 1), opnd_in_slot(c, index), 0,
         (int64_t)array->type->u.count + address_only);
}

static struct loc compile_index(struct compiler *c, const struct node *n, bool address_only)
{
    const struct node *base = kid(c, n, 0), *at = kid(c, n, 1);
    if (base->type->kind == TYPE_VECTOR) {
        struct loc l = compile_lvalue(c, base, false);
        l.type = base->type;
        return array_element(c, n, l, compile_value(c, at, NO_SLOT), false);
    }
    if (base->type->kind != TYPE_POINTER) {
        base = kid(c, n, 1);
        at = kid(c, n, 0);
    }
    bool array = base->kind == NODE_CAST && base->op == CONV_ARRAY;
    bool flip = operand_at(c, n, 0, 2) == 1;
    bool watch = c->tracking;
    if (watch)
        emit(c, I_SEQ_MARK, 0, 0, 0, 0);
    struct loc l = {0};
    struct opnd pointer = {0}, index = {0};
    if (flip)
        index = compile_value(c, at, NO_SLOT);
    if (watch && flip)
        emit(c, I_SEQ_MARK, 0, 0, 0, 0);
    bool known = array && !is_open_array(kid(c, base, 0));
    if (array) {
        enter_node(c, base);
        l = compile_lvalue(c, kid(c, base, 0), false);
    }
    if (array && !known) {
        pointer = l.kind == LOC_BAD ? opnd_k(0) : opnd_slot(loc_address(c, kid(c, base, 0), l));
    } else if (!array) {
        c->followed = base;
        pointer = compile_value(c, base, NO_SLOT);
    }
    if (watch && !flip)
        emit(c, I_SEQ_MARK, 0, 0, 0, 0);
    if (!flip)
        index = compile_value(c, at, NO_SLOT);
    if (watch) {
        struct insn *i = emit(c, I_SEQ_MERGE, 0, 0, 0, 2);
        i->node = n->id;
    }
    if (known)
        return array_element(c, n, l, index, address_only);
    if (array)
        check_variable_index(c, n, kid(c, base, 0)->type, index, address_only);
    check_element_step(c, n, base, index, address_only);
    bool via_union = array && kid(c, base, 0)->kind == NODE_MEMBER &&
                     kid(c, base, 0)->u.field->record->is_union;
    struct loc e = step_pointer(c, n, opnd_in_slot(c, pointer), index, address_only);
    e.rooted = l.rooted;
    e.root = l.root;
    e.record = l.record;
    e.via_union = via_union;
    e.by_pointer = via_union && memory_holds_open(kid(c, kid(c, base, 0), 0)->type);
    e.packed = array && is_underaligned(c, kid(c, base, 0));
    e.based = based_on(c, base);
    return e;
}

/* A structure that is no lvalue has an array that can be pointed into: until the full expression
 * ends, and not to be modified (C11 6.2.4p8).  The result of a call is an object of its own, what
 * was chosen or assigned is not yet. */
static struct opnd keep_temporary(struct compiler *c, const struct node *n, struct opnd where)
{
    const struct node *whole = n;
    while (whole->kind == NODE_MEMBER && !(whole->flags & NODE_ARROW))
        whole = kid(c, whole, 0);
    if (whole->kind != NODE_CALL)
        where = temporary_copy(c, n->type, where);
    if (!c->result)
        return where;
    emit(c, I_SEAL, 0, c->result->slot, 0, CONST_ALL);
    list_add(&c->m->arena, &c->temporaries, (void *)(uintptr_t)c->result);
    return where;
}

/* A member of what a pointer points to is reached: through which structure (record.c, owner.c). */
static void take_root(struct compiler *c, const struct node *n, struct loc *l, bool address_only)
{
    if (!c->m->mixes_records || l->kind != LOC_POINTER || l->rooted)
        return;
    l->rooted = true;
    l->record = record_number(c->m, c->p, l->type);
    if (!l->record || address_only)
        return;
    const struct field *f = n->u.field;
    uint64_t size = f->is_bitfield ? lang_field_bytes(f) : lang_sizeof(c->p, f->type);
    l->root = loc_address(c, n, *l);
    c->node = n;
    emit(c, I_RECORD, 0, l->root, l->record, (int64_t)(f->offset + size));
}

static struct loc compile_member(struct compiler *c, const struct node *n, bool address_only)
{
    const struct field *f = n->u.field;
    const struct node *of = kid(c, n, 0);
    struct loc l;
    if (f->record->reversed)
        emit_unsupported(c, n, "a structure of another byte order");
    if (n->flags & NODE_ARROW) {
        c->followed = of;
        struct opnd pointer = compile_value(c, of, NO_SLOT);
        l = loc_pointer(opnd_in_slot(c, pointer), 0, of->type->base);
        l.based = based_on(c, of);
        take_root(c, n, &l, address_only);
    } else if (of->flags & NODE_LVALUE) {
        l = compile_lvalue(c, of, address_only);
        take_root(c, n, &l, address_only);
    } else {
        struct opnd where = compile_value(c, of, NO_SLOT);
        if (n->type->kind == TYPE_ARRAY)
            where = keep_temporary(c, of, where);
        l = loc_pointer(opnd_in_slot(c, where), 0, of->type);
    }
    const struct type *whole = n->flags & NODE_ARROW ? of->type->base->canon : of->type->canon;
    if (whole->quals & QUAL_ATOMIC && !address_only)
        emit_fault(c, n, UB_ATOMIC_MEMBER);
    l.offset += (int64_t)f->offset;
    l.type = n->type;
    l.field = f->is_bitfield ? f : NULL;
    if (f->record->is_union && !l.via_union)
        l.whole = n->flags & NODE_ARROW ? of->type->base : of->type;
    l.via_union = l.via_union || f->record->is_union;
    l.by_pointer = l.by_pointer || (f->record->is_union && memory_holds_open(whole));
    l.packed = l.packed || lowers_alignment(c, n);
    return l;
}

static struct loc compile_literal(struct compiler *c, const struct node *n)
{
    struct decl *d = n->u.declarator->decl;
    struct var *v = link_var(c->m, c->u, d);
    if (v->place == VAR_STATIC)
        return local_loc(c, d);
    if (d->type->canon->flags & TYPE_VARIABLE) {
        emit_unsupported(c, n, "a compound literal of a variable type");
        return (struct loc){.kind = LOC_BAD, .index = NO_SLOT, .type = n->type};
    }
    struct loc loc = local_loc(c, d);
    const struct type *t = d->type->canon;
    while (t->kind == TYPE_ARRAY)
        t = t->base->canon;
    bool sealed = t->quals & QUAL_CONST;
    if (sealed) /* it may be reached again */
        emit(c, I_SEAL, 0, v->slot, 0, CONST_NONE);
    const struct node *list = kid(c, n, 0);
    compile_initialiser(c, loc, list, NULL);
    if (list->kind == NODE_INIT && list->u.init && lang_is_aggregate(t))
        compile_literal_padding(c, loc_address(c, n, loc), d->type->canon, list->u.init);
    if (sealed)
        emit(c, I_SEAL, 0, v->slot, 0, CONST_ALL);
    return loc;
}

struct loc compile_lvalue(struct compiler *c, const struct node *n, bool address_only)
{
    n = enter_node(c, n);
    switch (n->kind) {
    case NODE_NAME: {
        struct loc l = local_loc(c, n->u.decl);
        l.type = n->type;
        return l;
    }
    case NODE_UNARY:
        if (n->op == OP_DEREF) {
            if (!address_only)
                c->reached = kid(c, n, 0);
            c->followed = kid(c, n, 0);
            struct opnd pointer = compile_value(c, kid(c, n, 0), NO_SLOT);
            struct loc l = loc_pointer(opnd_in_slot(c, pointer), 0, n->type);
            l.based = based_on(c, kid(c, n, 0));
            return l;
        }
        if (n->op == OP_REAL || n->op == OP_IMAG) {
            struct loc whole = compile_lvalue(c, kid(c, n, 0), address_only);
            bool complex = whole.type->canon->kind == TYPE_COMPLEX;
            return complex ? complex_part(c, whole, n->op == OP_IMAG) : whole;
        }
        break;
    case NODE_INDEX:
        return compile_index(c, n, address_only);
    case NODE_MEMBER:
        return compile_member(c, n, address_only);
    case NODE_STRING:
        return (struct loc){.kind = LOC_STATIC,
                            .index = NO_SLOT,
                            .object = link_string(c->m, c->u, n),
                            .type = n->type};
    case NODE_LITERAL:
        return compile_literal(c, n);
    case NODE_GENERIC:
    case NODE_CHOOSE:
        check_selected(c, n);
        return compile_lvalue(c, selected(c, n), address_only);
    default:
        break;
    }
    if (kind_of(c->p, n->type) == KIND_MEMORY || n->type->kind == TYPE_ARRAY) {
        struct opnd where = compile_value(c, n, NO_SLOT);
        return loc_pointer(opnd_in_slot(c, where), 0, n->type);
    }
    emit_unsupported(c, n, "this kind of lvalue (%s)", lang_node_info[n->kind].name);
    return (struct loc){.kind = LOC_BAD, .index = NO_SLOT, .type = n->type};
}
