/* Records and enumerations: where members lie, and what represents an enum.
 *
 * As the System V ABIs have it and gcc does it: a bit-field never crosses a boundary of its own
 * type unless it is packed, a zero-width one closes the unit, unnamed ones raise the record's
 * alignment on ARM only.  Where the most significant byte comes first, so does the most significant
 * bit; `bit` counts in that order.  Targets whose bit-fields do not align pack them one behind the
 * other. */
#include "lang/private.h"

#include <string.h>

struct record *lang_record_new(struct program *p, const char *tag, bool is_union)
{
    struct record *r = NEW(&p->arena, struct record);
    struct type *t = NEW(&p->arena, struct type);
    t->kind = is_union ? TYPE_UNION : TYPE_STRUCT;
    t->id = p->type_count++;
    t->canon = t->unqual = t;
    t->u.record = r;
    r->tag = tag;
    r->type = t;
    r->is_union = is_union;
    r->id = (uint32_t)p->records.n;
    list_add(&p->arena, &p->records, r);
    return r;
}

struct layout {
    u128 bits; /* first free bit; a huge array has more bits than a word counts */
    uint32_t align;
    unsigned pack; /* #pragma pack, or 0 */
    bool is_union;
    u128 size_bits; /* of a union: the largest member */
};

static u128 round_up(u128 n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* What the field's start must be a multiple of, in bytes. */
static uint32_t field_align(const struct program *p, const struct layout *l, const struct field *f)
{
    uint32_t align = f->packed ? 1 : lang_alignof(p, f->type);
    align = larger(align, f->align);
    return l->pack ? smaller(align, l->pack) : align;
}

/* Where bit-fields do not align: what one of no width does. */
enum { EMPTY_FIELD_BITS = 16 };

/* What a bit-field gives to the record. */
static uint32_t bitfield_record_align(const struct program *p, const struct layout *l,
                                      const struct field *f)
{
    bool aligned = p->target->bitfields_align, empty = f->width == 0;
    uint32_t align = aligned ? lang_alignof(p, f->type) : empty ? EMPTY_FIELD_BITS / 8 : 1;
    if (!f->name && aligned && !p->target->unnamed_align)
        return 1;
    if (l->pack && !empty)
        align = smaller(align, l->pack);
    else if (f->packed && !empty)
        align = 1;
    return larger(align, l->pack ? smaller(f->align, l->pack) : f->align);
}

static void place_bitfield(const struct program *p, struct layout *l, struct field *f)
{
    bool aligned = p->target->bitfields_align;
    uint64_t unit = 8 * lang_sizeof(p, f->type);
    uint64_t align = aligned ? 8 * (uint64_t)lang_alignof(p, f->type) : EMPTY_FIELD_BITS;
    uint64_t asked = 8 * (uint64_t)(l->pack ? smaller(f->align, l->pack) : f->align);
    if (f->width == 0) /* not even packing keeps it from closing the unit */
        asked = larger((uint32_t)align, 8 * f->align);
    if (asked)
        l->bits = round_up(l->bits, asked);
    bool tight = !aligned || f->packed || l->pack || f->width == 0;
    if (!tight && l->bits % align + f->width > unit)
        l->bits = round_up(l->bits, align);
    f->offset = (uint64_t)(l->bits / 8);
    f->bit = (uint32_t)(l->bits % 8);
    l->align = larger(l->align, bitfield_record_align(p, l, f));
    l->bits += f->width;
}

static void place_field(const struct program *p, struct layout *l, struct field *f)
{
    if (l->is_union)
        l->bits = 0;
    if (f->is_bitfield) {
        place_bitfield(p, l, f);
    } else {
        uint32_t align = field_align(p, l, f);
        l->bits = round_up(l->bits, 8 * (uint64_t)align);
        f->offset = (uint64_t)(l->bits / 8);
        l->bits += 8 * (u128)lang_sizeof(p, f->type);
        l->align = larger(l->align, align);
    }
    if (l->bits > l->size_bits)
        l->size_bits = l->bits;
}

/* Is this type a flexible array, or a structure that ends in one? */
static bool is_flexible(const struct type *t)
{
    t = t->canon;
    return (t->kind == TYPE_ARRAY && t->flags & TYPE_UNSIZED) ||
           (lang_is_record(t) && t->u.record->has_flexible);
}

void lang_record_complete(struct program *p, struct record *r, struct list *fields, unsigned pack)
{
    struct layout l = {.align = 1, .pack = pack, .is_union = r->is_union};
    r->fields = NEW_ARRAY(&p->arena, fields->n, struct field *);
    r->count = (uint32_t)fields->n;
    for (uint32_t i = 0; i < r->count; i++) {
        struct field *f = r->fields[i] = fields->at[i];
        f->record = r;
        f->index = i;
        f->packed = f->packed || r->packed;
        place_field(p, &l, f);
        if (is_flexible(f->type))
            r->has_flexible = true;
        if (lang_is_record(f->type) || f->type->canon->kind == TYPE_ARRAY)
            r->type->flags |= f->type->canon->flags & TYPE_VARIABLE;
    }
    r->align = larger(r->align, l.align); /* an attribute on the record may have asked for more */
    r->size = (uint64_t)round_up((l.size_bits + 7) / 8, r->align);
    r->complete = true;
}

struct field *lang_field_direct(const struct record *r, const char *name)
{
    for (uint32_t i = 0; i < r->count; i++) {
        struct field *f = r->fields[i];
        if (f->name && f->name[0] == name[0] && strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

struct field *lang_field_find(const struct record *r, const char *name, struct list *path,
                              struct arena *a)
{
    for (uint32_t i = 0; i < r->count; i++) {
        struct field *f = r->fields[i];
        if (f->name && f->name[0] == name[0] && strcmp(f->name, name) == 0) {
            if (path)
                list_add(a, path, f);
            return f;
        }
        if (f->name || !lang_is_record(f->type))
            continue;
        size_t depth = path ? path->n : 0;
        if (path)
            list_add(a, path, f);
        struct field *inner = lang_field_find(f->type->canon->u.record, name, path, a);
        if (inner)
            return inner;
        if (path)
            path->n = depth;
    }
    return NULL;
}

/* ---- enumerations ----------------------------------------------------------------------- */

struct enumeration *lang_enum_new(struct program *p, const char *tag)
{
    struct enumeration *e = NEW(&p->arena, struct enumeration);
    struct type *t = NEW(&p->arena, struct type);
    t->kind = TYPE_ENUM;
    t->class = CLASS_INT;
    t->id = p->type_count++;
    t->canon = t->unqual = t;
    t->u.enumeration = e;
    e->tag = tag;
    e->type = t;
    e->base = lang_basic(p, TYPE_UINT); /* until it is known */
    e->id = (uint32_t)p->enumerations.n;
    list_add(&p->arena, &p->enumerations, e);
    return e;
}

/* Bits that v, sign-extended to 128, needs as a signed or an unsigned number. */
static unsigned bits_needed(u128 v, bool is_signed)
{
    bool negative = v >> 127;
    u128 rest = negative ? ~v : v;
    unsigned bits = 0;
    for (; rest; rest >>= 1)
        bits++;
    return bits + (is_signed ? 1 : 0);
}

/* gcc: unsigned int unless a value is negative, wider only if it must be, narrower if packed. */
static struct type *enum_base(const struct program *p, const struct enumeration *e, u128 *values)
{
    bool is_signed = false;
    for (uint32_t i = 0; i < e->count; i++)
        is_signed = is_signed || values[i] >> 127;
    unsigned bits = 1;
    for (uint32_t i = 0; i < e->count; i++) {
        unsigned n = bits_needed(values[i], is_signed);
        bits = n > bits ? n : bits;
    }
    uint64_t size = e->packed ? 1 : p->target->int_.size;
    while (size < 16 && 8 * size < bits)
        size *= 2;
    struct type *t = lang_int_of_size(p, size, is_signed);
    return t ? t : lang_basic(p, TYPE_INT128);
}

void lang_enum_complete(struct program *p, struct enumeration *e, struct list *values)
{
    e->count = (uint32_t)values->n;
    e->values = NEW_ARRAY(&p->arena, values->n, struct decl *);
    u128 *wide = NEW_ARRAY(&p->arena, values->n, u128);
    struct type *int_type = lang_basic(p, TYPE_INT);
    for (uint32_t i = 0; i < e->count; i++) {
        struct decl *d = e->values[i] = values->at[i];
        wide[i] = d->value;
        if (lang_int_signed(p, d->type))
            wide[i] = lang_sign_extend(d->value, lang_int_width(p, d->type));
    }
    e->base = enum_base(p, e, wide);
    /* A constant is int if it fits (C11 6.7.2.2p3), else of the enum's type (GNU). */
    for (uint32_t i = 0; i < e->count; i++) {
        struct decl *d = e->values[i];
        bool fits = bits_needed(wide[i], true) <= 8u * p->target->int_.size;
        d->type = fits ? int_type : e->base;
        d->value = lang_wrap(wide[i], lang_int_width(p, d->type));
    }
    e->complete = true;
}
