/* Lvalues: where they lie, and reading, writing and pointing to them. */
#include "machine/compile/private.h"

#include <string.h>

struct loc loc_pointer(uint32_t slot, int64_t offset, const struct type *type)
{
    return (struct loc){.kind = LOC_POINTER,
                        .slot = slot,
                        .offset = offset,
                        .type = type,
                        .index = NO_SLOT,
                        .based = {BASIS_ANY, BASIS_MAYBE}};
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
        if (d->weak && link_is_absent(d->name))
            return loc_pointer(opnd_in_slot(c, opnd_k(0)), 0, d->type->canon);
        l.kind = LOC_BAD;
        emit_unsupported(c, c->node, "external object '%s' is not defined", d->name);
    }
    if (v->place == VAR_LOCAL && d->type->canon->flags & TYPE_VARIABLE) {
        /* the object's size is known at run time only: go through its address */
        uint32_t slot = slot_new(c, 1);
        emit(c, I_ADDRESS_L, slot, v->slot, 0, 0);
        l = loc_pointer(slot, 0, d->type->canon);
        l.based = (struct basis){0, BASIS_NAMED};
    }
    return l;
}

/* ---- sizes of variable types ------------------------------------------------------------ */

struct vla_size {
    const struct type *type;
    uint32_t slot; /* elements */
};

static struct vla_size *vla_find(struct compiler *c, const struct type *t)
{
    for (size_t i = c->vla.n; i-- > 0;) {
        struct vla_size *v = c->vla.at[i];
        if (v->type == t)
            return v;
    }
    return NULL;
}

struct opnd size_of(struct compiler *c, const struct type *t)
{
    t = t->canon;
    if (t->flags & TYPE_VARIABLE && lang_is_record(t))
        emit_unsupported(c, c->node, "structure of variable size");
    if (!(t->flags & TYPE_VARIABLE) || t->kind != TYPE_ARRAY)
        return opnd_k(lang_sizeof(c->p, t));
    struct opnd element = size_of(c, t->base);
    struct vla_size *v = vla_find(c, t);
    u128 fixed;
    if (!v && t->u.length && !lang_constant(c->p, t->u.length, &fixed))
        emit_unsupported(c, c->node, "a variable type whose length is not known here");
    struct opnd count = v ? opnd_slot(v->slot) : opnd_k(t->u.count);
    if (count.constant && element.constant)
        return opnd_k(count.k * element.k);
    uint32_t dst = slot_new(c, 1);
    emit(c, I_MUL_U64, dst, opnd_in_slot(c, count), opnd_in_slot(c, element), 0);
    return opnd_slot(dst);
}

bool has_effects(const struct compiler *c, const struct node *n)
{
    n = edited_node(c->u, n);
    bool effects = n->kind == NODE_ASSIGN || n->kind == NODE_CALL || n->kind == NODE_STMT_EXPR ||
                   n->kind == NODE_VA_ARG || is_step(n) ||
                   (n->kind == NODE_CAST && n->op == CONV_LVALUE &&
                    kid(c, n, 0)->type->quals & QUAL_VOLATILE);
    for (uint32_t i = 0; i < n->count && !effects; i++)
        effects = n->kid[i] && has_effects(c, n->kid[i]);
    return effects;
}

/* Must the base's lengths be computed before the array's own?  gcc computes them inside out, clang
 * outside in. */
static bool base_first(struct compiler *c, const struct type *t)
{
    bool open = t->kind == TYPE_ARRAY && t->u.length && !(t->flags & TYPE_STAR) &&
                t->base->canon->flags & TYPE_VARIABLE;
    if (open && !c->m->met[CHOICE_LENGTHS])
        for (const struct type *at = t; at; at = at->kind == TYPE_ARRAY ? at->base : NULL)
            if (at->kind == TYPE_ARRAY && at->u.length && has_effects(c, at->u.length))
                machine_choose(c->m, CHOICE_LENGTHS, c->f->unit, at->u.length);
    return !open || !(c->m->options.choices >> CHOICE_LENGTHS & 1);
}

static void own_length(struct compiler *c, const struct type *t, bool adjusted)
{
    u128 fixed;
    if (t->kind != TYPE_ARRAY || !t->u.length || t->flags & TYPE_STAR ||
        lang_constant(c->p, t->u.length, &fixed))
        return;
    struct vla_size *v = vla_find(c, t->canon);
    if (!v) {
        v = NEW(&c->m->arena, struct vla_size);
        v->type = t->canon;
        v->slot = slot_reserved(c);
        list_add(&c->m->arena, &c->vla, v);
    }
    const struct node *length = t->u.length;
    struct opnd n = compile_value(c, length, NO_SLOT);
    c->node = length;
    emit_move(c, KIND_I64, v->slot, n);
    if (!adjusted) /* f(int n, int a[n]) may be called with 0 */
        emit(c, I_VLA_LENGTH, 0, v->slot, 0, 0);
}

/* Adjusted: it is a parameter's type, of which the outermost array becomes a pointer. */
static void lengths(struct compiler *c, const struct type *t, bool adjusted)
{
    if (!t)
        return;
    if (t->kind == TYPE_TYPEDEF || !(t->canon->flags & TYPE_VARIABLE))
        return;
    if (t->kind == TYPE_AUTO || (t->kind == TYPE_TYPEOF && t->u.expr)) {
        /* the lengths are those of the value: evaluated already where that is a variable */
        if (t->kind == TYPE_AUTO || t->u.expr->kind != NODE_NAME)
            emit_unsupported(c, c->node, "variable type of an expression");
        return;
    }
    if (t->kind == TYPE_FUNCTION)
        return;
    bool inner = t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY || t->kind >= TYPE_TYPEDEF;
    bool first = base_first(c, t);
    if (inner && first)
        lengths(c, t->base, adjusted && t->kind >= TYPE_TYPEDEF);
    own_length(c, t, adjusted);
    if (inner && !first)
        lengths(c, t->base, adjusted && t->kind >= TYPE_TYPEDEF);
}

/* A declaration is reached: the lengths in its type are evaluated (C11 6.7.6.2p5). */
void vla_lengths(struct compiler *c, const struct type *t)
{
    lengths(c, t, false);
}

/* A function is entered: C11 6.9.1p10. */
void vla_parameter_lengths(struct compiler *c, const struct type *t)
{
    lengths(c, t, true);
}

/* ---- reading and writing ---------------------------------------------------------------- */

enum access_mode { MODE_G, MODE_GX, MODE_L, MODE_LX, MODE_P };

static const uint16_t load_op[][5] = {
#define ROW(s)                                                                 \
    {                                                                          \
        I_LOAD_G_##s, I_LOAD_GX_##s, I_LOAD_L_##s, I_LOAD_LX_##s, I_LOAD_P_##s \
    }
    [KIND_I8] = ROW(I8),   [KIND_U8] = ROW(U8),   [KIND_I16] = ROW(I16), [KIND_U16] = ROW(U16),
    [KIND_I32] = ROW(I32), [KIND_U32] = ROW(U32), [KIND_I64] = ROW(I64), [KIND_U64] = ROW(I64),
    [KIND_BOOL] = ROW(U8), [KIND_F32] = ROW(U32), [KIND_F64] = ROW(I64),
};

static const uint16_t store_op[][5] = {
#undef ROW
#define ROW(s)                                                                      \
    {                                                                               \
        I_STORE_G_##s, I_STORE_GX_##s, I_STORE_L_##s, I_STORE_LX_##s, I_STORE_P_##s \
    }
    [KIND_I8] = ROW(8),   [KIND_U8] = ROW(8),   [KIND_I16] = ROW(16), [KIND_U16] = ROW(16),
    [KIND_I32] = ROW(32), [KIND_U32] = ROW(32), [KIND_I64] = ROW(64), [KIND_U64] = ROW(64),
    [KIND_BOOL] = ROW(8), [KIND_F32] = ROW(32), [KIND_F64] = ROW(64),
};

/* Pointers and lists lie in memory as integers of their size. */
static enum kind memory_kind(const struct compiler *c, enum kind k)
{
    if (k == KIND_POINTER)
        return c->p->target->pointer.size == 4 ? KIND_U32 : KIND_U64;
    return k == KIND_LIST ? KIND_U32 : k;
}

static unsigned mode_of(const struct loc *l)
{
    bool indexed = l->index != NO_SLOT;
    switch (l->kind) {
    case LOC_STATIC:
        return indexed ? MODE_GX : MODE_G;
    case LOC_LOCAL:
        return indexed ? MODE_LX : MODE_L;
    default:
        return MODE_P;
    }
}

static uint8_t align_mask(const struct compiler *c, const struct loc *l)
{
    uint32_t align = lang_alignof(c->p, l->type);
    return l->packed || l->kind != LOC_POINTER || align > 128 ? 0 : (uint8_t)(align - 1);
}

/* Sets the fields that loads and stores share. */
static void aim(struct compiler *c, struct insn *i, const struct loc *l, bool write)
{
    i->k = l->offset;
    i->b = l->index;
    i->a = l->slot;
    if (l->kind == LOC_STATIC)
        i->u.object = l->object;
    i->align = align_mask(c, l);
    i->tag = memory_tag(c->p, l->type);
    if (l->via_union && !write)
        i->tag = TAG_CHAR;
}

void loc_touch(struct compiler *c, const struct node *n, const struct loc *l, bool write)
{
    if (!op_tracked(c))
        return;
    if (!c->tracking && !c->enclosed && (l->kind == LOC_SLOT || l->kind == LOC_LOCAL))
        return; /* nobody outside of the function can touch it in between */
    uint64_t size = l->field ? (l->field->bit + l->field->width + 7) / 8
                             : lang_sizeof(c->p, l->type);
    struct insn *i = NULL;
    switch (l->kind) {
    case LOC_SLOT:
        i = emit(c, write ? I_SEQ_WRITE_S : I_SEQ_READ_S, 0, 0, 0, (int64_t)l->slot);
        break;
    case LOC_STATIC:
        i = emit(c, write ? I_SEQ_WRITE_G : I_SEQ_READ_G, 0, (uint32_t)size, l->index, l->offset);
        i->u.object = l->object;
        break;
    case LOC_LOCAL:
        i = emit(c, write ? I_SEQ_WRITE_L : I_SEQ_READ_L, l->slot, (uint32_t)size, l->index,
                 l->offset);
        break;
    case LOC_POINTER:
        i = emit(c, write ? I_SEQ_WRITE_P : I_SEQ_READ_P, l->slot, (uint32_t)size, NO_SLOT,
                 l->offset);
        break;
    default:
        return;
    }
    i->node = n->id;
    i->fact = l->field ? l->field->bit << 8 | l->field->width : 0;
    i->tag = (uint8_t)((c->tracking ? 0 : TOUCH_INNER) |
                       (l->type->quals & QUAL_VOLATILE ? TOUCH_VOLATILE : 0));
}

/* What an access attribute forbids: gcc's manual, 6.33.1. */
static void check_mode(struct compiler *c, const struct loc *l, bool write)
{
    uint16_t forbidden = write ? c->bases->unwritten : c->bases->unread;
    if (l->kind == LOC_POINTER && l->based.sure == BASIS_MUST && l->based.may & forbidden)
        emit(c, I_BROKEN, 0, 0, 0, write ? PROMISE_WRITES : PROMISE_READS);
}

/* Tells the watch over restrict pointers: see restrict.c. */
static void watch_restrict(struct compiler *c, const struct loc *l, bool write)
{
    if (!c->bases || l->kind == LOC_SLOT || l->kind == LOC_BAD)
        return;
    check_mode(c, l, write);
    uint64_t size = lang_sizeof(c->p, l->type);
    bool own = l->kind == LOC_LOCAL;
    if (l->field || size == 0 || (!c->bases->restricted && (!c->watched || own)))
        return;
    struct watched_access *w = NEW(&c->m->arena, struct watched_access);
    w->object = l->kind == LOC_STATIC ? l->object : NULL;
    w->size = size;
    w->on = l->kind == LOC_POINTER ? l->based : (struct basis){0, BASIS_NAMED};
    w->write = write;
    emit(c, own ? I_RESTRICT_L : I_RESTRICT, 0, l->slot, l->index, l->offset)->u.watched = w;
}

static bool is_volatile(const struct type *t)
{
    return t->quals & QUAL_VOLATILE;
}

static void check_plain(struct compiler *c, const struct loc *l)
{
    if (c->m->drops_volatile && l->kind == LOC_POINTER && !is_volatile(l->type))
        emit(c, I_PLAIN, 0, l->slot, 0, l->offset);
}

uint32_t loc_address(struct compiler *c, const struct node *n, struct loc l)
{
    if (l.kind == LOC_POINTER && l.offset == 0)
        return l.slot;
    uint32_t dst = slot_new(c, 1);
    c->node = n;
    if (l.kind == LOC_POINTER) {
        emit(c, I_OFFSET, dst, l.slot, 0, l.offset);
        return dst;
    }
    if (l.kind == LOC_STATIC)
        emit(c, I_ADDRESS_G, dst, 0, 0, l.offset)->u.object = l.object;
    else
        emit(c, I_ADDRESS_L, dst, l.slot, 0, l.offset);
    if (l.index != NO_SLOT)
        emit(c, I_PLUS, dst, dst, l.index, 0);
    return dst;
}

/* Needs: the address, or NO_SLOT for what is not logged. */
static void log_volatile(struct compiler *c, const struct loc *l, uint32_t slot, uint32_t address,
                         bool write)
{
    if (address != NO_SLOT)
        emit(c, write ? I_VOLATILE_WRITE : I_VOLATILE_READ, 0, slot, address,
             (int64_t)lang_sizeof(c->p, l->type));
}

/* Before the access: a load may end up in the slot that has the address. */
static uint32_t volatile_address(struct compiler *c, const struct node *n, const struct loc *l)
{
    if (!is_volatile(l->type) || c->f == &c->m->init_func)
        return NO_SLOT;
    uint32_t copy = slot_new(c, 1);
    emit(c, I_MOVE, copy, loc_address(c, n, *l), 0, 0);
    return copy;
}

void loc_check_set(struct compiler *c, const struct loc *l)
{
    const struct var *v = l->var;
    if (v && v->checked && !v->known && v->kind != KIND_LIST)
        emit(c, I_CHECK, 0, v->flag, 0, 0);
}

void loc_note_set(struct compiler *c, const struct loc *l)
{
    struct var *v = l->var;
    if (!v || !v->checked || v->known)
        return;
    emit(c, I_FLAG, v->flag, 0, 0, 1);
    v->known = true;
    list_add(&c->m->arena, &c->known, v);
}

static struct opnd load_slot(struct compiler *c, const struct node *n, const struct loc *l)
{
    struct var *v = l->var;
    loc_check_set(c, l);
    bool pair = kind_is_pair(v->kind);
    if (c->m->options.values && !pair) {
        uint32_t dst = slot_new(c, 1);
        emit(c, I_MOVE, dst, v->slot, 0, 0)->fact = fact_of(c, n);
        return opnd_slot(dst);
    }
    if (c->tracking) { /* a statement expression in another operand may change it */
        uint32_t dst = slot_new(c, pair ? 2 : 1);
        emit_move(c, v->kind, dst, opnd_slot(v->slot));
        return opnd_slot(dst);
    }
    return opnd_slot(v->slot);
}

static struct opnd load_bits(struct compiler *c, const struct node *n, struct loc l)
{
    uint32_t address = l.kind == LOC_POINTER ? l.slot : loc_address(c, n, l);
    int64_t offset = l.kind == LOC_POINTER ? l.offset : 0;
    uint32_t logged = volatile_address(c, n, &l), dst = slot_new(c, 1);
    struct insn *i = emit(c, I_LOAD_BITS, dst, address, 0, offset);
    i->u.field = l.field;
    i->fact = fact_of(c, n);
    log_volatile(c, &l, dst, logged, false);
    return opnd_slot(dst);
}

static struct opnd load_pair(struct compiler *c, const struct node *n, struct loc l)
{
    uint32_t address = l.kind == LOC_POINTER ? l.slot : loc_address(c, n, l);
    int64_t offset = l.kind == LOC_POINTER ? l.offset : 0;
    uint32_t dst = slot_new(c, 2);
    unsigned size = kind_of(c->p, l.type) == KIND_LDOUBLE ? 10 : 16;
    struct insn *i = emit(c, I_LOAD_PAIR, dst, address, size, offset);
    i->tag = l.via_union ? (uint8_t)TAG_CHAR : memory_tag(c->p, l.type);
    i->align = align_mask(c, &l);
    return opnd_slot(dst);
}

/* An integer that does not fill its bytes. */
static struct insn *emit_padded(struct compiler *c, enum opcode op, const struct node *n,
                                struct loc l, uint32_t slot)
{
    uint32_t address = l.kind == LOC_POINTER ? l.slot : loc_address(c, n, l);
    struct insn *i = emit(c, op, slot, address, 0, l.kind == LOC_POINTER ? l.offset : 0);
    i->u.type = l.type;
    i->tag = l.via_union ? (uint8_t)TAG_CHAR : memory_tag(c->p, l.type);
    i->align = align_mask(c, &l);
    return i;
}

static struct opnd load_padded(struct compiler *c, const struct node *n, struct loc l)
{
    loc_check_set(c, &l);
    uint32_t logged = volatile_address(c, n, &l);
    uint32_t dst = slot_new(c, kind_is_pair(kind_of(c->p, l.type)) ? 2 : 1);
    emit_padded(c, I_LOAD_PADDED, n, l, dst);
    log_volatile(c, &l, dst, logged, false);
    return opnd_slot(dst);
}

/* A structure: who takes its value copies it from there. */
static struct opnd load_address(struct compiler *c, const struct node *n, struct loc l)
{
    uint32_t address = loc_address(c, n, l);
    if (align_mask(c, &l))
        emit(c, I_ALIGNED_OBJECT, 0, address, 0, align_mask(c, &l));
    return opnd_slot(address);
}

struct opnd loc_load(struct compiler *c, const struct node *n, struct loc l, uint32_t want)
{
    enum kind k = kind_of(c->p, l.type);
    c->node = n;
    if (l.type->canon->kind == TYPE_COMPLEX && l.kind != LOC_BAD)
        return complex_load(c, n, l);
    loc_touch(c, n, &l, false);
    watch_restrict(c, &l, false);
    check_plain(c, &l);
    if (l.kind == LOC_BAD)
        return opnd_k(0);
    if (l.by_pointer && lang_is_integer(l.type))
        emit(c, I_ADDRESS_SEEN, 0, loc_address(c, n, l), 0, (int64_t)lang_sizeof(c->p, l.type));
    if (l.kind == LOC_SLOT)
        return load_slot(c, n, &l);
    if (k == KIND_MEMORY)
        return load_address(c, n, l);
    if (k == KIND_OTHER || k == KIND_VOID) {
        emit_unsupported(c, n, "value of this type");
        return opnd_k(0);
    }
    if (l.field)
        return load_bits(c, n, l);
    if (lang_has_padding_bits(c->p, l.type))
        return load_padded(c, n, l);
    if (kind_is_pair(k))
        return load_pair(c, n, l);
    loc_check_set(c, &l);
    uint32_t logged = volatile_address(c, n, &l), dst = want != NO_SLOT ? want : slot_new(c, 1);
    struct insn *i = emit(c, load_op[memory_kind(c, k)][mode_of(&l)], dst, 0, 0, 0);
    aim(c, i, &l, false);
    i->fact = fact_of(c, n);
    if (k == KIND_BOOL)
        emit(c, I_TRUTH, 0, dst, 0, 0);
    log_volatile(c, &l, dst, logged, false);
    return opnd_slot(dst);
}

static void store_slot(struct compiler *c, const struct loc *l, struct opnd v)
{
    struct var *var = l->var;
    emit_move(c, var->kind, var->slot, v);
    loc_note_set(c, l);
}

static void store_indirect(struct compiler *c, const struct node *n, struct loc l, uint32_t slot)
{
    uint32_t address = l.kind == LOC_POINTER ? l.slot : loc_address(c, n, l);
    int64_t offset = l.kind == LOC_POINTER ? l.offset : 0;
    if (l.field) {
        emit(c, I_STORE_BITS, slot, address, 0, offset)->u.field = l.field;
        return;
    }
    unsigned size = kind_of(c->p, l.type) == KIND_LDOUBLE ? 10 : 16;
    struct insn *i = emit(c, I_STORE_PAIR, slot, address, size, offset);
    i->tag = memory_tag(c->p, l.type);
    i->align = align_mask(c, &l);
}

void loc_store(struct compiler *c, const struct node *n, struct loc l, struct opnd v)
{
    enum kind k = kind_of(c->p, l.type);
    c->node = n;
    if (l.type->canon->kind == TYPE_COMPLEX && l.kind != LOC_BAD) {
        complex_store(c, n, l, v);
        return;
    }
    watch_restrict(c, &l, true);
    check_plain(c, &l);
    if (l.kind == LOC_BAD)
        return;
    if (l.kind == LOC_STATIC && l.object->kind == OBJECT_STRING)
        emit_fault(c, n, UB_STRING_WRITE);
    if (l.kind == LOC_SLOT) {
        store_slot(c, &l, v);
        return;
    }
    if (k == KIND_MEMORY) {
        uint32_t from = opnd_in_slot(c, v), to = loc_address(c, n, l);
        struct insn *i = emit(c, I_COPY, 0, to, from, (int64_t)lang_sizeof(c->p, l.type));
        i->align = align_mask(c, &l);
        i->tag = l.type->quals & QUAL_MAY_ALIAS ? TAG_CHAR : TAG_ANY;
        return;
    }
    if (k == KIND_OTHER || k == KIND_VOID) {
        emit_unsupported(c, n, "value of this type");
        return;
    }
    uint32_t slot = opnd_in_slot(c, v), logged = volatile_address(c, n, &l);
    if (!l.field && lang_has_padding_bits(c->p, l.type)) {
        emit_padded(c, I_STORE_PADDED, n, l, slot);
        loc_note_set(c, &l);
    } else if (l.field || kind_is_pair(k)) {
        store_indirect(c, n, l, slot);
    } else {
        struct insn *i = emit(c, store_op[memory_kind(c, k)][mode_of(&l)], slot, 0, 0, 0);
        aim(c, i, &l, true);
        loc_note_set(c, &l);
    }
    log_volatile(c, &l, slot, logged, true);
}

void loc_peek(struct compiler *c, const struct node *n, struct loc l)
{
    c->node = n;
    watch_restrict(c, &l, false);
    check_plain(c, &l);
    if (l.kind == LOC_BAD)
        return;
    struct insn *i = emit(c, I_PEEK, 0, loc_address(c, n, l), 0,
                          (int64_t)lang_sizeof(c->p, l.type));
    i->tag = l.via_union ? (uint8_t)TAG_CHAR : memory_tag(c->p, l.type);
    i->align = align_mask(c, &l);
}

void loc_carry(struct compiler *c, const struct node *n, struct loc to, struct loc from)
{
    c->node = n;
    watch_restrict(c, &from, false);
    check_plain(c, &from);
    watch_restrict(c, &to, true);
    check_plain(c, &to);
    uint32_t a = loc_address(c, n, to), b = loc_address(c, n, from);
    loc_check_set(c, &from);
    struct insn *i = emit(c, I_CARRY, 0, a, b, (int64_t)lang_sizeof(c->p, to.type));
    i->tag = from.via_union ? (uint8_t)TAG_CHAR : memory_tag(c->p, to.type);
    i->align = align_mask(c, &to);
    loc_note_set(c, &to);
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

/* Adds index * size to an address, and checks that it stays in its object. */
static struct loc step_pointer(struct compiler *c, const struct node *n, uint32_t pointer,
                               struct opnd index, const struct type *of)
{
    struct opnd size = size_of(c, of);
    uint32_t dst = slot_new(c, 1);
    c->node = n;
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
        element.via_union = l.via_union;
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
    const struct vla_size *v = array->flags & TYPE_VARIABLE ? vla_find(c, array->canon) : NULL;
    if (!v)
        return;
    c->node = n;
    emit(c, I_INDEX_VARIABLE, 0, opnd_in_slot(c, index), v->slot, address_only);
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
    struct loc e = step_pointer(c, n, opnd_in_slot(c, pointer), index, n->type);
    e.via_union = via_union;
    e.by_pointer = via_union && memory_holds_open(kid(c, kid(c, base, 0), 0)->type);
    e.packed = array && is_underaligned(c, kid(c, base, 0));
    e.based = based_on(c, base);
    return e;
}

/* The result of the last call has an array that can be pointed into: until the full expression
 * ends, and not to be modified (C11 6.2.4p8). */
static void keep_temporary(struct compiler *c)
{
    if (!c->result)
        return;
    emit(c, I_SEAL, 0, c->result->slot, 0, CONST_ALL);
    list_add(&c->m->arena, &c->temporaries, (void *)(uintptr_t)c->result);
}

static struct loc compile_member(struct compiler *c, const struct node *n, bool address_only)
{
    const struct field *f = n->u.field;
    const struct node *of = kid(c, n, 0);
    struct loc l;
    if (n->flags & NODE_ARROW) {
        c->followed = of;
        struct opnd pointer = compile_value(c, of, NO_SLOT);
        l = loc_pointer(opnd_in_slot(c, pointer), 0, of->type->base);
        l.based = based_on(c, of);
        if (c->m->mixes_records && !address_only) {
            c->node = n;
            emit(c, I_RECORD, 0, l.slot, 0, 0)->u.type = of->type->base;
        }
    } else if (of->flags & NODE_LVALUE) {
        l = compile_lvalue(c, of, address_only);
    } else {
        struct opnd where = compile_value(c, of, NO_SLOT);
        l = loc_pointer(opnd_in_slot(c, where), 0, of->type);
        if (n->type->kind == TYPE_ARRAY && of->kind == NODE_CALL)
            keep_temporary(c);
    }
    const struct type *whole = n->flags & NODE_ARROW ? of->type->base->canon : of->type->canon;
    if (whole->quals & QUAL_ATOMIC && !address_only)
        emit_fault(c, n, UB_ATOMIC_MEMBER);
    l.offset += (int64_t)f->offset;
    l.type = n->type;
    l.field = f->is_bitfield ? f : NULL;
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
    compile_initialiser(c, loc, kid(c, n, 0));
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
