/* Reading and writing lvalues, wherever they lie. */
#include "machine/compile/private.h"

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
                       (l->type->quals & QUAL_VOLATILE ? TOUCH_VOLATILE : 0) |
                       (l->late && !write ? TOUCH_LATE : 0));
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
    uint32_t first = 0;
    if (l->field) { /* one that has its bytes to itself */
        size = (l->field->bit | l->field->width) % 8 ? 0 : l->field->width / 8;
        first = l->field->bit / 8;
    }
    if (size == 0 || (!c->bases->restricted && (!c->watched || own)))
        return;
    struct watched_access *w = NEW(&c->m->arena, struct watched_access);
    w->object = l->kind == LOC_STATIC ? l->object : NULL;
    w->size = size;
    w->on = l->kind == LOC_POINTER ? l->based : (struct basis){0, BASIS_NAMED, 0};
    w->write = write;
    w->origin = write ? 0 : based_origin(c, c->node);
    emit(c, own ? I_RESTRICT_L : I_RESTRICT, 0, l->slot, l->index, l->offset + first)->u.watched =
        w;
}

/* Tells owner.c: of what is stored through a pointer, and of what is read through a structure. */
static void watch_owner(struct compiler *c, const struct loc *l, bool write)
{
    if (!c->m->mixes_records)
        return;
    bool whole = !l->rooted && kind_of(c->p, l->type) == KIND_MEMORY;
    uint32_t record = whole ? record_number(c->m, c->p, l->type) : l->rooted ? l->record : 0;
    uint64_t size = l->field ? lang_field_bytes(l->field) : lang_sizeof(c->p, l->type);
    bool bytes = whole && memory_tags_in(c->p, l->type) == UINT64_MAX;
    if (whole && record && (write || !bytes) && l->kind == LOC_POINTER) {
        struct insn *i = emit(c, I_RECORD, 0, l->slot, record, (int64_t)size);
        i->tag = bytes;
        i->align = true;
    }
    if (!c->m->options.owners || l->kind != LOC_POINTER || size == 0 || size > UINT32_MAX)
        return;
    bool memory = kind_of(c->p, l->type) == KIND_MEMORY;
    if (!write && (!record || bytes || (memory && !whole)))
        return;
    uint32_t root = l->rooted && record ? l->root : l->slot;
    struct insn *i = emit(c, I_OWNER, (uint32_t)size, l->slot, root, l->offset);
    i->u.wide = record;
    i->tag = write;
    i->align = whole;
}

/* A member of a union, or what has unions in it, is stored: record.c. */
static void note_stored(struct compiler *c, const struct node *n, const struct loc *l)
{
    bool whole = kind_of(c->p, l->type) == KIND_MEMORY && record_has_union(l->type);
    if (!c->m->mixes_records || l->kind == LOC_SLOT || l->kind == LOC_BAD ||
        !(l->via_union || whole))
        return;
    uint64_t size = l->field ? lang_field_bytes(l->field) : lang_sizeof(c->p, l->type);
    emit(c, I_STORED, 0, loc_address(c, n, *l), 0, (int64_t)size);
}

/* Of what is accessed as a whole, or read as a member of a union, some must be of a type that is in
 * that (access.c). */
static void watch_whole(struct compiler *c, const struct loc *l, bool write)
{
    uint64_t size = lang_sizeof(c->p, l->type);
    bool memory = kind_of(c->p, l->type) == KIND_MEMORY;
    const struct type *of = l->via_union ? (write || l->field ? NULL : l->whole)
                            : memory     ? l->type
                                         : NULL;
    if (!c->m->mixes_wholes || l->kind != LOC_POINTER || size > UINT32_MAX || !of)
        return;
    uint64_t tags = memory_tags_in(c->p, of);
    if (tags == UINT64_MAX || tags == 0)
        return;
    struct insn *i = emit(c, I_WHOLE, (uint32_t)size, l->slot, 0, l->offset);
    i->u.wide = tags;
    i->tag = write;
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
    if (!is_volatile(l->type) || l->begins || c->f == &c->m->init_func)
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
    if (c->apart) { /* by a statement expression in another operand */
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
    watch_owner(c, &l, false);
    watch_whole(c, &l, false);
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
    watch_owner(c, &l, true);
    watch_whole(c, &l, true);
    note_stored(c, n, &l);
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
    watch_owner(c, &from, false);
    watch_restrict(c, &from, false);
    check_plain(c, &from);
    watch_owner(c, &to, true);
    watch_restrict(c, &to, true);
    check_plain(c, &to);
    uint32_t a = loc_address(c, n, to), b = loc_address(c, n, from);
    loc_check_set(c, &from);
    struct insn *i = emit(c, I_CARRY, 0, a, b, (int64_t)lang_sizeof(c->p, to.type));
    i->tag = from.via_union ? (uint8_t)TAG_CHAR : memory_tag(c->p, to.type);
    i->align = align_mask(c, &to);
    loc_note_set(c, &to);
}
