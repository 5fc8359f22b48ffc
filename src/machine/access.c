/* Accesses to memory that are not in the hot path, and the checks behind those that are. */
#include "machine/private.h"

#include <string.h>

static const struct node *node_of(const struct machine *m, const struct insn *pc, uint32_t *unit)
{
    *unit = m->frames[m->depth].code->func->unit;
    return m->units[*unit].p->nodes[pc->node];
}

/* C11 7.24.1p1: does the library stay in the members that its arguments are written to point into?
 * An argument of which nothing is known may point anywhere in its object. */
static bool within_members(struct machine *m, const struct insn *pc, uint64_t address,
                           uint64_t size)
{
    const struct call_site *site = pc->u.site;
    const struct object *o = memory_find(&m->memory, address);
    const uint64_t *r = m->frames[m->depth].r;
    bool any = false;
    for (uint32_t i = 0; i < site->count; i++) {
        uint64_t a = r[site->slot[i]], room = site->rooms[i];
        if (site->types[i]->canon->kind != TYPE_POINTER || memory_find(&m->memory, a) != o)
            continue;
        if (room == UINT64_MAX || (address >= a && address + size <= a + room))
            return true;
        any = true;
    }
    if (any)
        machine_undefined(m, UB_BOUNDS, site->unit, site->node,
                          "%s, beyond the member that was passed", machine_describe(m, address));
    return !any;
}

/* The library's accesses go to the log by themselves; compiled ones have their own rows.  False
 * when it is not to be. */
static bool log_library(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size,
                        bool write)
{
    if (pc->op != I_CALL && pc->op != I_CALL_POINTER)
        return true;
    struct object *o = write ? memory_find(&m->memory, address) : NULL;
    if (o && o->is_shared)
        record_stored(m, o, address, size);
    if (pc->u.site->rooms && !within_members(m, pc, address, size))
        return false;
    if (m->seq.mark_count)
        seq_touch(m, pc, address, size, write);
    return !m->watching || restrict_library(m, pc, address, size, write);
}

static struct object *reach(struct machine *m, const struct insn *pc, uint64_t address,
                            uint64_t size)
{
    struct object *o = memory_find(&m->memory, address);
    if (o && address - o->base + size <= o->size && o->kind != OBJECT_FUNCTION)
        return o;
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    if (o && o->kind == OBJECT_FUNCTION)
        machine_undefined(m, UB_BOUNDS, unit, n, "access to the function '%s'", o->name);
    else
        machine_bad_access(m, unit, n, address, 0, size);
    return NULL;
}

bool access_init(const struct object *o, uint64_t off, uint64_t size)
{
    if (!o->init)
        return true;
    for (uint64_t i = 0; i < size; i++)
        if (o->init[off + i] != 0xff)
            return false;
    return true;
}

/* ---- effective types -------------------------------------------------------------------- */

static const char *const tag_names[] = {
    [TAG_ANY] = "nothing yet", [TAG_CHAR] = "char",         [TAG_BOOL] = "_Bool",
    [TAG_SHORT] = "short",     [TAG_INT] = "int",           [TAG_LONG] = "long",
    [TAG_LLONG] = "long long", [TAG_INT128] = "__int128",   [TAG_HALF] = "_Float16",
    [TAG_FLOAT] = "float",     [TAG_DOUBLE] = "double",     [TAG_LDOUBLE] = "long double",
    [TAG_QUAD] = "_Float128",  [TAG_POINTER] = "a pointer", [TAG_LIST] = "va_list",
    [TAG_UNION] = "a union",   [TAG_BITINT] = "_BitInt",    [TAG_PADDING] = "padding",
};

/* A pointer's says what it points to, as far as it is told apart. */
static const char *tag_name(uint8_t tag)
{
    static const char *const to[] = {
        [TAG_CHAR] = "char *",       [TAG_BOOL] = "_Bool *",          [TAG_SHORT] = "short *",
        [TAG_INT] = "int *",         [TAG_LONG] = "long *",           [TAG_LLONG] = "long long *",
        [TAG_INT128] = "__int128 *", [TAG_HALF] = "_Float16 *",       [TAG_FLOAT] = "float *",
        [TAG_DOUBLE] = "double *",   [TAG_LDOUBLE] = "long double *", [TAG_QUAD] = "_Float128 *",
        [TAG_BITINT] = "_BitInt *",
    };
    if (tag >= TAG_TO_CHAR && tag <= TAG_TO_LAST)
        return to[tag - TAG_TO_CHAR + TAG_CHAR];
    if (tag == TAG_TO_POINTER || tag == TAG_TO_FUNCTION)
        return tag == TAG_TO_POINTER ? "a pointer to a pointer" : "a pointer to a function";
    return tag_is_pointer(tag) && tag != TAG_POINTER ? "a pointer to a structure" : tag_names[tag];
}

static uint8_t tag_at(const struct object *o, uint64_t off)
{
    if (o->tags)
        return o->tags[off];
    if (o->tag != TAG_MIXED)
        return o->tag;
    return o->map ? o->map[off % o->period] : (uint8_t)TAG_ANY;
}

void access_set_tags(struct object *o, uint64_t off, uint64_t size, uint8_t tag)
{
    if (o->tag == TAG_ANY && !o->tags)
        memory_need_tags(o);
    if (o->tags)
        memset(o->tags + off, tag, size);
}

/* C11 6.5p6, p7.  A store gives memory without a declared type its effective type; so does a
 * store into a union. */
bool access_tags(struct machine *m, const struct insn *pc, struct object *o, uint64_t off,
                 unsigned size, bool store)
{
    uint8_t tag = pc->tag;
    if (store && (o->tag == TAG_ANY || o->tags)) {
        access_set_tags(o, off, size, tag);
        return true;
    }
    for (unsigned i = 0; i < size; i++) {
        uint8_t has = tag_at(o, off + i);
        if (has == TAG_ANY || has == TAG_UNION || has == TAG_PADDING || tag_fits(has, tag))
            continue;
        uint32_t unit;
        const struct node *n = node_of(m, pc, &unit);
        machine_undefined(m, UB_ALIASING, unit, n, "%s, of type %s, accessed as %s",
                          machine_describe(m, o->base + off), tag_name(has), tag_name(tag));
        return false;
    }
    return true;
}

/* C11 6.5p7: a structure, union or vector as a whole may touch what it has among its members.  Of
 * allocated memory some of that has to be there: the rest may be left from before. */
bool access_whole(struct machine *m, const struct insn *pc, uint64_t address)
{
    const struct object *o = memory_find(&m->memory, address);
    uint64_t off = o ? address - o->base : 0, stranger = UINT64_MAX;
    if (!o || pc->dst > o->size - off || (pc->tag && o->kind == OBJECT_HEAP))
        return true; /* the access itself will tell; or it gives the memory its type */
    for (uint64_t i = off; i < off + pc->dst; i++) {
        uint8_t has = tag_at(o, i);
        if (has == TAG_ANY || has == TAG_CHAR || has == TAG_UNION || has == TAG_PADDING)
            continue;
        if (pc->u.wide >> has & 1 || tag_is_pointer(has))
            return true;
        stranger = stranger == UINT64_MAX ? i : stranger;
    }
    if (stranger == UINT64_MAX)
        return true;
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    machine_undefined(m, UB_ALIASING, unit, n, "%s, of type %s, accessed as a whole without any",
                      machine_describe(m, o->base + stranger), tag_name(tag_at(o, stranger)));
    return false;
}

/* ---- padding ---------------------------------------------------------------------------- */

/* Otherwise than all zeros or ones, each byte is another. */
static uint8_t next_padding(struct machine *m)
{
    unsigned as = m->options.padding;
    m->padding_mix = m->padding_mix * 1664525 + 1013904223 + as;
    return as == PADDING_ZEROS ? 0 : as == PADDING_ONES ? 0xff : (uint8_t)(m->padding_mix >> 24);
}

void access_forget_byte(struct machine *m, struct object *o, uint64_t off, uint8_t mask)
{
    m->left_padding = true;
    if (m->options.padding == PADDING_UNSET) {
        o->init[off] &= (uint8_t)~mask;
        return;
    }
    o->init[off] |= mask;
    o->bytes[off] = (uint8_t)((o->bytes[off] & ~mask) | (next_padding(m) & mask));
}

void access_forget(struct machine *m, uint64_t address, const struct padding *p)
{
    struct object *o = memory_find(&m->memory, address);
    if (!o || o->size < p->size || address - o->base > o->size - p->size)
        return;
    uint64_t off = address - o->base;
    memory_need_init(o);
    for (uint64_t i = 0; i < p->size; i++) {
        if (p->bits[i])
            access_forget_byte(m, o, off + i, p->bits[i]);
        if (o->tags && p->bits[i] == 0xff)
            o->tags[off + i] = TAG_PADDING;
    }
}

void access_zero_rest(struct machine *m, uint64_t address, const struct padding *rest)
{
    struct object *o = memory_find(&m->memory, address);
    if (!o || address - o->base + rest->size > o->size)
        return;
    uint64_t off = address - o->base;
    memory_need_init(o);
    for (uint64_t i = 0; i < rest->size; i++)
        if (rest->bits[i]) {
            o->bytes[off + i] = 0;
            o->init[off + i] = 0xff;
        }
}

void access_unset(struct machine *m, uint64_t address, uint64_t size)
{
    struct object *o = memory_find(&m->memory, address);
    if (!o || address - o->base + size > o->size)
        return;
    memory_need_init(o);
    memset(o->init + (address - o->base), 0, size);
}

/* x87's long double fills ten bytes of its size: the nearest one below that is set is its tenth. */
static bool is_after_ldouble(const struct machine *m, const struct object *o, uint64_t off)
{
    for (uint64_t by = 1; o->init && by <= m->target->ldouble.size - 10u && by <= off; by++)
        if (o->init[off - by])
            return tag_at(o, off - by) == TAG_LDOUBLE;
    return false;
}

bool access_is_padding(const struct machine *m, const struct object *o, uint64_t off)
{
    uint8_t tag = tag_at(o, off);
    bool some = o->type && o->init && o->init[off] && o->init[off] != 0xff;
    return some || tag == TAG_PADDING || (tag == TAG_LDOUBLE && is_after_ldouble(m, o, off));
}

/* ---- reading and writing bytes ---------------------------------------------------------- */

static bool aligned(struct machine *m, const struct insn *pc, const struct object *o,
                    uint64_t address)
{
    if (memory_is_aligned(o, address - o->base, pc->align))
        return true;
    machine_fault(m, pc, UB_MISALIGNED, address, pc->align + 1u);
    return false;
}

bool access_peek(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size)
{
    struct object *o = reach(m, pc, address, size);
    return o && aligned(m, pc, o, address) && log_library(m, pc, address, size, false) &&
           (pc->tag <= TAG_CHAR || o->tag == pc->tag ||
            access_tags(m, pc, o, address - o->base, (unsigned)size, false));
}

uint8_t *access_read(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size)
{
    if (!access_peek(m, pc, address, size))
        return NULL;
    struct object *o = memory_find(&m->memory, address);
    uint64_t off = address - o->base;
    if (!access_init(o, off, size)) {
        machine_fault(m, pc, UB_UNINIT, o->base, off);
        return NULL;
    }
    return o->bytes + off;
}

uint8_t *access_write(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size)
{
    struct object *o = reach(m, pc, address, size);
    if (!o || !aligned(m, pc, o, address) || !log_library(m, pc, address, size, true))
        return NULL;
    uint64_t off = address - o->base;
    if (o->is_const && memory_is_const(o, off, size)) {
        machine_fault(m, pc, UB_CONST_WRITE, o->base, off);
        return NULL;
    }
    if (pc->tag > TAG_CHAR && o->tag != pc->tag &&
        !access_tags(m, pc, o, off, (unsigned)size, true))
        return NULL;
    if (o->init)
        memset(o->init + off, 0xff, size);
    if (o->tags && (pc->op == I_CALL || pc->op == I_CALL_POINTER))
        memset(o->tags + off, TAG_ANY, size); /* the library wrote what it wanted to be there */
    if (o->owners && (pc->op == I_CALL || pc->op == I_CALL_POINTER))
        owner_clear(o, off, size);
    return o->bytes + off;
}

static void copy_masks(struct object *to, uint64_t at, const struct object *from, uint64_t off,
                       uint64_t size)
{
    if (from->init || to->init) {
        memory_need_init(to);
        if (from->init)
            memmove(to->init + at, from->init + off, size);
        else
            memset(to->init + at, 0xff, size);
    }
    if (!to->tags && to->tag != TAG_ANY)
        return;
    if (to->tag == TAG_ANY && !to->tags && from->tag == TAG_ANY && !from->tags)
        return;
    memory_need_tags(to);
    if (from->tags) {
        memmove(to->tags + at, from->tags + off, size);
        return;
    }
    for (uint64_t i = 0; i < size; i++) {
        uint8_t tag = tag_at(from, off + i);
        to->tags[at + i] = tag != TAG_CHAR ? tag : (uint8_t)TAG_ANY; /* C11 6.5p6 */
    }
}

/* Structures: bytes with all that is known about them.  Unset members may be copied. */
bool access_copy(struct machine *m, const struct insn *pc, uint64_t to, uint64_t from,
                 uint64_t size)
{
    if (size == 0)
        return true;
    struct object *a = reach(m, pc, to, size);
    struct object *b = a ? reach(m, pc, from, size) : NULL;
    if (!b || !aligned(m, pc, a, to) || !log_library(m, pc, to, size, true) ||
        !log_library(m, pc, from, size, false))
        return false;
    uint64_t at = to - a->base, off = from - b->base;
    if (a->is_const && memory_is_const(a, at, size)) {
        machine_fault(m, pc, UB_CONST_WRITE, a->base, at);
        return false;
    }
    if (to != from && (to < from ? from - to : to - from) < size && pc->op == I_COPY) {
        machine_fault(m, pc, UB_ASSIGN_OVERLAP, to, from);
        return false;
    }
    memmove(a->bytes + at, b->bytes + off, size);
    copy_masks(a, at, b, off, size);
    if (pc->op == I_COPY && pc->tag == TAG_CHAR && a->tags) /* may_alias: as if by characters */
        memset(a->tags + at, TAG_ANY, size);
    if (a->owners && (pc->op == I_CALL || pc->op == I_CALL_POINTER))
        owner_clear(a, at, size);
    return true;
}

/* One integer, set or not. */
bool access_carry(struct machine *m, const struct insn *pc, uint64_t to, uint64_t from,
                  uint64_t size)
{
    struct object *b = reach(m, pc, from, size);
    if (!b ||
        (pc->tag != TAG_CHAR && !access_tags(m, pc, b, from - b->base, (unsigned)size, false)) ||
        !access_copy(m, pc, to, from, size))
        return false;
    struct object *a = memory_find(&m->memory, to);
    return pc->tag == TAG_CHAR || access_tags(m, pc, a, to - a->base, (unsigned)size, true);
}

/* ---- bit-fields ------------------------------------------------------------------------- */

bool access_bits_load(struct machine *m, const struct insn *pc, uint64_t address, uint64_t *v)
{
    const struct field *f = pc->u.field;
    unsigned n = lang_field_bytes(f), shift = lang_field_shift(m->target, f);
    struct object *o = reach(m, pc, address, n);
    if (!o)
        return false;
    uint64_t off = address - o->base;
    u128 mask = (((u128)1 << f->width) - 1) << shift;
    if (o->init && (lang_load_number(m->target, o->init + off, n) & mask) != mask) {
        machine_fault(m, pc, UB_UNINIT, o->base, off);
        return false;
    }
    u128 bits = (lang_load_number(m->target, o->bytes + off, n) & mask) >> shift;
    const struct program *p = m->units[m->frames[m->depth].code->func->unit].p;
    if (lang_int_signed(p, f->type))
        bits = lang_sign_extend(bits, f->width);
    *v = (uint64_t)bits;
    return true;
}

bool access_bits_store(struct machine *m, const struct insn *pc, uint64_t address, uint64_t v)
{
    const struct field *f = pc->u.field;
    unsigned n = lang_field_bytes(f), shift = lang_field_shift(m->target, f);
    struct object *o = reach(m, pc, address, n);
    if (!o)
        return false;
    uint64_t off = address - o->base;
    if (o->is_const && memory_bits_const(o, off, f->bit, f->width)) {
        machine_fault(m, pc, UB_CONST_WRITE, o->base, off);
        return false;
    }
    u128 mask = (((u128)1 << f->width) - 1) << shift;
    u128 bits = (lang_load_number(m->target, o->bytes + off, n) & ~mask) |
                (((u128)v << shift) & mask);
    lang_store_number(m->target, o->bytes + off, n, bits);
    if (o->init)
        lang_store_number(m->target, o->init + off, n,
                          lang_load_number(m->target, o->init + off, n) | mask);
    if (o->tags)
        memset(o->tags + off, TAG_ANY, n);
    return true;
}

/* ---- integers with padding bits --------------------------------------------------------- */

/* C23 6.2.6.2p2: the bits beyond the width have no meaning.  They need not be set to be read, and
 * nobody knows them after a store. */
static u128 value_bits(const struct program *p, const struct type *t)
{
    return lang_wrap(~(u128)0, lang_int_width(p, t));
}

static void to_slots(u128 v, unsigned size, uint64_t *slots)
{
    slots[0] = (uint64_t)v;
    if (size > 8)
        slots[1] = (uint64_t)(v >> 64);
}

static const struct program *program_of(const struct machine *m)
{
    return m->units[m->frames[m->depth].code->func->unit].p;
}

bool access_padded_load(struct machine *m, const struct insn *pc, uint64_t address, uint64_t *v)
{
    const struct program *p = program_of(m);
    const struct type *t = pc->u.type;
    unsigned n = (unsigned)lang_sizeof(p, t), width = lang_int_width(p, t);
    struct object *o = reach(m, pc, address, n);
    if (!o || !aligned(m, pc, o, address))
        return false;
    uint64_t off = address - o->base;
    u128 mask = value_bits(p, t);
    if (pc->tag > TAG_CHAR && o->tag != pc->tag && !access_tags(m, pc, o, off, n, false))
        return false;
    if (o->init && (lang_load_number(m->target, o->init + off, n) & mask) != mask) {
        machine_fault(m, pc, UB_UNINIT, o->base, off);
        return false;
    }
    u128 bits = lang_load_number(m->target, o->bytes + off, n) & mask;
    to_slots(lang_int_signed(p, t) ? lang_sign_extend(bits, width) : bits, n, v);
    return true;
}

bool access_padded_store(struct machine *m, const struct insn *pc, uint64_t address,
                         const uint64_t *v)
{
    const struct program *p = program_of(m);
    unsigned n = (unsigned)lang_sizeof(p, pc->u.type);
    uint8_t *to = access_write(m, pc, address, n);
    if (!to)
        return false;
    struct object *o = memory_find(&m->memory, address);
    u128 bits = n > 8 ? (u128)v[1] << 64 | v[0] : v[0];
    lang_store_number(m->target, to, n, bits);
    memory_need_init(o);
    lang_store_number(m->target, o->init + (address - o->base), n, value_bits(p, pc->u.type));
    return true;
}

bool access_fits_field(struct machine *m, const struct insn *pc, uint64_t v)
{
    const struct field *f = pc->u.field;
    const struct program *p = m->units[m->frames[m->depth].code->func->unit].p;
    bool is_signed = lang_int_signed(p, f->type);
    u128 wide = is_signed ? lang_sign_extend(v, 64) : v;
    u128 kept = is_signed ? lang_sign_extend(wide, f->width) : lang_wrap(wide, f->width);
    if (kept == wide)
        return true;
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    machine_undefined(m, UB_FLOAT_CAST, unit, n, "%lld in %u bits", (long long)v, f->width);
    return false;
}

/* C11 6.5.16.1p3. */
bool access_apart(struct machine *m, const struct insn *pc, uint64_t to, uint64_t from)
{
    const struct apart *w = pc->u.apart;
    uint64_t a = 8 * to + w->first[0], b = 8 * from + w->first[1];
    bool exact = a == b && w->bits[0] == w->bits[1] && w->same;
    if (exact || a + w->bits[0] <= b || b + w->bits[1] <= a)
        return true;
    machine_fault(m, pc, UB_ASSIGN_OVERLAP, to, from);
    return false;
}

/* ---- pointers --------------------------------------------------------------------------- */

/* C11 6.2.4p2: a pointer becomes indeterminate when what it points to dies. */
bool access_alive(struct machine *m, const struct insn *pc, uint64_t x)
{
    if (x < 4096 || memory_find(&m->memory, x))
        return true;
    const struct grave *g = memory_grave(&m->memory, x);
    if (!g)
        return true; /* made from an integer */
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    machine_note_object(m, x);
    machine_undefined(m, UB_INDETERMINATE, unit, n, "%s", machine_describe(m, x));
    return false;
}

bool access_unfreed(struct machine *m, const struct insn *pc, uint64_t x)
{
    const struct grave *g = memory_find(&m->memory, x) ? NULL : memory_grave(&m->memory, x);
    return !g || g->kind != OBJECT_HEAP || access_alive(m, pc, x);
}

bool access_pointers(struct machine *m, const struct insn *pc, uint64_t x, uint64_t y, enum ub ub)
{
    if (!access_alive(m, pc, x) || !access_alive(m, pc, y))
        return false;
    const struct object *a = memory_find(&m->memory, x), *b = memory_find(&m->memory, y);
    if (a == b)
        return true; /* one object; or two numbers that point to none */
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    machine_undefined(m, ub, unit, n, "%s and %s", machine_describe(m, x), machine_describe(m, y));
    return false;
}

/* A literal, or __func__, which clang merges with literals. */
static bool is_text(const struct object *o)
{
    return o->kind == OBJECT_STRING ||
           (o->kind == OBJECT_STATIC && o->name && strncmp(o->name, "__", 2) == 0 &&
            (strcmp(o->name, "__func__") == 0 || strcmp(o->name, "__FUNCTION__") == 0 ||
             strcmp(o->name, "__PRETTY_FUNCTION__") == 0));
}

/* From here to their ends, are two string literals the same characters?  Then they may be one. */
static bool same_tails(const struct object *a, uint64_t x, const struct object *b, uint64_t y)
{
    uint64_t off = x - a->base, at = y - b->base;
    return is_text(a) && is_text(b) && off < a->size && a->size - off == b->size - at &&
           memcmp(a->bytes + off, b->bytes + at, a->size - off) == 0;
}

static bool touches(const struct object *a, uint64_t x, const struct object *b, uint64_t y)
{
    return x == a->base + a->size && y == b->base && a->size && b->size &&
           a->kind != OBJECT_FUNCTION && b->kind != OBJECT_FUNCTION;
}

/* C11 6.5.9p6: one past the end of an object may be another that follows it; 6.4.5p7: literals may
 * be the same object. */
bool access_equal(struct machine *m, const struct insn *pc, uint64_t x, uint64_t y, bool *equal)
{
    if (!access_alive(m, pc, x) || !access_alive(m, pc, y))
        return false;
    *equal = x == y;
    if (x == y || x < 4096 || y < 4096)
        return true;
    const struct object *a = memory_find(&m->memory, x), *b = memory_find(&m->memory, y);
    if (!a || !b || a == b)
        return true;
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    if (same_tails(a, x, b, y))
        *equal = machine_choose(m, CHOICE_LITERAL, unit, n);
    else if (touches(a, x, b, y) || touches(b, y, a, x) || !a->size || !b->size)
        *equal = machine_choose(m, CHOICE_ADJACENT, unit, n);
    return true;
}

/* The first of n tags that is one from first to last; n: there is none. */
static uint64_t next_of(const uint8_t *tags, uint64_t n, uint8_t first, uint8_t last)
{
    enum { CHUNK = 64 };
    uint64_t at = 0;
    for (; n - at >= CHUNK; at += CHUNK) {
        bool any = false;
        for (unsigned i = 0; i < CHUNK; i++)
            any |= (uint8_t)(tags[at + i] - first) <= last - first;
        if (any)
            break;
    }
    while (at < n && (tags[at] < first || tags[at] > last))
        at++;
    return at;
}

/* The first byte of these whose tag is one from first to last; end: there is none. */
static uint64_t next_tagged(const struct object *o, uint64_t at, uint64_t end, uint8_t first,
                            uint8_t last)
{
    if (at >= end)
        return end;
    if (o->tags)
        return at + next_of(o->tags + at, end - at, first, last);
    uint8_t tag = tag_at(o, at);
    if (o->tag != TAG_MIXED || !o->map || (tag >= first && tag <= last))
        return tag >= first && tag <= last ? at : end;
    /* the rest of its period, and the next one up to there */
    uint64_t from = at % o->period, rest = o->period - from;
    uint64_t n = end - at < rest ? end - at : rest;
    uint64_t found = next_of(o->map + from, n, first, last);
    if (found < n)
        return at + found;
    at += n;
    n = end - at < from ? end - at : from;
    found = next_of(o->map, n, first, last);
    return found < n ? at + found : end;
}

static bool has_pointer(const struct object *o, uint64_t off, uint64_t size)
{
    uint64_t end = size < o->size - off ? off + size : o->size;
    return next_tagged(o, off, end, TAG_POINTER, TAG_TO_LAST_RECORD) < end;
}

/* A number of n bytes that is a NaN, and negative. */
static bool is_negative_nan(const struct machine *m, const uint8_t *bytes, unsigned n)
{
    uint64_t v = 0;
    memory_get(m, &v, bytes, n);
    return n == 8 ? v > 0xfff0000000000000u : v > 0xff800000u;
}

/* Was it stored as one, whole?  A part that something else was stored to since is no sign of a
 * NaN's. */
static bool is_one_number(const struct object *o, uint64_t at, unsigned width)
{
    for (uint64_t i = at + 1; i < at + width; i++)
        if (tag_at(o, i) != tag_at(o, at))
            return false;
    return true;
}

/* C leaves a NaN's sign open, and compilers fold another than the host computes: the other way its
 * sign is gone where it is looked at. */
static void note_nans(struct machine *m, const struct insn *pc, struct object *o, uint64_t off,
                      uint64_t size)
{
    enum { MOST = 4096 };
    uint64_t end = size < MOST && off + size < o->size ? off + size : o->size;
    end = end - off > MOST ? off + MOST : end;
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    while ((off = next_tagged(o, off, end, TAG_FLOAT, TAG_DOUBLE)) < end) {
        unsigned width = tag_at(o, off) == TAG_DOUBLE ? 8 : 4;
        uint64_t at = off - off % width;
        off = at + width;
        if (off > o->size || !access_init(o, at, width) || !is_one_number(o, at, width) ||
            !is_negative_nan(m, o->bytes + at, width))
            continue;
        if (machine_choose(m, CHOICE_NAN, unit, n))
            o->bytes[m->swapped ? at : off - 1] &= 0x7f;
    }
}

void access_note_address(struct machine *m, const struct insn *pc, uint64_t address, uint64_t size)
{
    struct object *o = address < 4096 ? NULL : memory_find(&m->memory, address);
    if (!o)
        return;
    uint32_t unit;
    const struct node *n = node_of(m, pc, &unit);
    if (!m->met[CHOICE_ADDRESS] && has_pointer(o, address - o->base, size))
        machine_note_address(m, unit, n);
    if (o->tags || o->tag == TAG_MIXED || o->tag == TAG_DOUBLE || o->tag == TAG_FLOAT)
        note_nans(m, pc, o, address - o->base, size);
}

bool access_is_object(struct machine *m, uint64_t x)
{
    const struct object *o = memory_find(&m->memory, x);
    return o && o->kind != OBJECT_FUNCTION;
}

uint64_t access_room(struct machine *m, uint64_t x)
{
    const struct object *o = memory_find(&m->memory, x);
    return o ? o->base + o->size - x : UINT64_MAX;
}

bool access_is_scalar(struct machine *m, uint64_t x)
{
    static const uint8_t most[TAG_MIXED + 1] = {
        [TAG_BOOL] = 1,  [TAG_SHORT] = 2, [TAG_INT] = 4,    [TAG_LONG] = 8,
        [TAG_LLONG] = 8, [TAG_FLOAT] = 4, [TAG_DOUBLE] = 8, [TAG_POINTER] = 8,
    };
    const struct object *o = memory_find(&m->memory, x);
    uint8_t tag = o && tag_is_pointer(o->tag) ? (uint8_t)TAG_POINTER : o ? o->tag : TAG_ANY;
    return o && (o->kind == OBJECT_STATIC || o->kind == OBJECT_AUTO) && o->size <= most[tag];
}
