/* Types: making them, sharing them, asking about them.
 *
 * Canonical types are shared: pointers through a cache in the pointee, qualified variants
 * through a chain at the unqualified type, everything else through one hash table.  A type as
 * written is made afresh and points to its canonical type. */
#include "lang/private.h"

#include <string.h>

const struct type_info lang_type_info[TYPE_COUNT] = {
#define BASIC(id, text, class_, sign, rank_, column) \
    [TYPE_##id] = {.spelling = text,                 \
                   .class = CLASS_##class_,          \
                   .rank = rank_,                    \
                   .layout = offsetof(struct target, column)},
#include "lang/types.def"
};

/* Signedness per basic type; plain char asks the target. */
enum { SIGN_0 = 0, SIGN_1 = 1, SIGN_TARGET = 2 };
static const uint8_t basic_sign[TYPE_COUNT] = {
#define BASIC(id, text, class_, sign, rank, column) [TYPE_##id] = SIGN_##sign,
#include "lang/types.def"
};

struct type_table {
    struct type **slots;
    size_t count, size; /* size is a power of two */
};

static struct type *new_type(struct program *p, enum type_kind kind, struct type *base)
{
    struct type *t = NEW(&p->arena, struct type);
    t->kind = (uint8_t)kind;
    t->base = base;
    t->id = p->type_count++;
    t->canon = t->unqual = t;
    return t;
}

/* A type as written, standing for canon. */
static struct type *new_written(struct program *p, enum type_kind kind, struct type *base,
                                struct type *canon)
{
    struct type *t = new_type(p, kind, base);
    t->canon = canon;
    t->unqual = canon->unqual;
    t->flags = canon->flags;
    return t;
}

void lang_types_start(struct program *p)
{
    for (int kind = 0; kind < TYPE_COUNT; kind++) {
        if (!lang_type_info[kind].spelling)
            continue;
        p->basic[kind] = new_type(p, (enum type_kind)kind, NULL);
        p->basic[kind]->class = lang_type_info[kind].class;
    }
    p->type_table = NEW(&p->arena, struct type_table);
}

/* ---- sharing ---------------------------------------------------------------------------- */

static uint64_t type_hash(const struct type *t)
{
    uint64_t h = hash_pair((uint64_t)t->kind << 8 | t->flags, t->base->id);
    if (t->kind != TYPE_FUNCTION)
        return hash_pair(h, t->u.count);
    for (uint32_t i = 0; i < t->u.function->count; i++)
        h = hash_pair(h, t->u.function->types[i]->id);
    return h;
}

static bool type_equal(const struct type *a, const struct type *b)
{
    if (a->kind != b->kind || a->flags != b->flags || a->base != b->base)
        return false;
    if (a->kind != TYPE_FUNCTION)
        return a->u.count == b->u.count;
    const struct function_type *f = a->u.function, *g = b->u.function;
    return f->count == g->count &&
           (f->count == 0 || memcmp(f->types, g->types, f->count * sizeof *f->types) == 0);
}

static struct type **table_slot(struct type_table *table, const struct type *key)
{
    size_t at = (size_t)type_hash(key) & (table->size - 1);
    while (table->slots[at] && !type_equal(table->slots[at], key))
        at = (at + 1) & (table->size - 1);
    return &table->slots[at];
}

static void table_grow(struct program *p, struct type_table *table)
{
    struct type_table old = *table;
    table->size = old.size ? old.size * 2 : 256;
    table->slots = NEW_ARRAY(&p->arena, table->size, struct type *);
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i])
            *table_slot(table, old.slots[i]) = old.slots[i];
}

/* The shared type like key; unqual, when given, is its unqualified version. */
static struct type *shared(struct program *p, const struct type *key)
{
    struct type_table *table = p->type_table;
    if ((table->count + 1) * 2 > table->size)
        table_grow(p, table);
    struct type **slot = table_slot(table, key);
    if (!*slot) {
        struct type *t = new_type(p, key->kind, key->base);
        t->flags = key->flags;
        t->class = key->class;
        t->u = key->u;
        *slot = t;
        table->count++;
    }
    return *slot;
}

/* ---- derived types ---------------------------------------------------------------------- */

struct type *lang_basic(const struct program *p, enum type_kind kind)
{
    return p->basic[kind];
}

struct type *lang_size_type(const struct program *p)
{
    return p->basic[p->target->size_type];
}

struct type *lang_ptrdiff_type(const struct program *p)
{
    return p->basic[p->target->ptrdiff_type];
}

struct type *lang_wchar_type(const struct program *p)
{
    return p->basic[p->target->wchar_type];
}

struct type *lang_pointer(struct program *p, struct type *to)
{
    if (to->pointer)
        return to->pointer;
    struct type *t = to->canon == to ? new_type(p, TYPE_POINTER, to)
                                     : new_written(p, TYPE_POINTER, to, lang_pointer(p, to->canon));
    if (to->flags & TYPE_VARIABLE)
        t->flags = TYPE_VARIABLE;
    to->pointer = t;
    return t;
}

static struct type *canonical_array(struct program *p, struct type *of, uint64_t count,
                                    unsigned flags)
{
    struct type key = {.kind = TYPE_ARRAY, .flags = (uint8_t)flags, .base = of->canon};
    key.u.count = count;
    if (of->canon->flags & TYPE_VARIABLE)
        key.flags |= TYPE_VARIABLE;
    struct type *t = shared(p, &key);
    if (of->canon->unqual != of->canon)
        t->unqual = canonical_array(p, of->canon->unqual, count, flags);
    return t;
}

struct type *lang_array(struct program *p, struct type *of, uint64_t count)
{
    struct type *canon = canonical_array(p, of, count, 0);
    if (of->canon == of)
        return canon;
    struct type *t = new_written(p, TYPE_ARRAY, of, canon);
    t->u.count = count;
    return t;
}

struct type *lang_array_unsized(struct program *p, struct type *of)
{
    struct type *canon = canonical_array(p, of, 0, TYPE_UNSIZED);
    return of->canon == of ? canon : new_written(p, TYPE_ARRAY, of, canon);
}

/* A VLA is equal to no other type, so it is its own canonical type. */
static struct type *variable_array(struct program *p, struct type *of, struct node *length,
                                   unsigned flags)
{
    struct type *canon = new_type(p, TYPE_ARRAY, of->canon);
    canon->flags = (uint8_t)(TYPE_VARIABLE | (flags & TYPE_STAR));
    canon->u.length = length;
    if (of->canon->unqual != of->canon)
        canon->unqual = variable_array(p, of->canon->unqual, length, flags);
    if (of->canon == of)
        return canon;
    struct type *t = new_written(p, TYPE_ARRAY, of, canon);
    t->u.length = length;
    return t;
}

struct type *lang_array_written(struct program *p, struct type *of, struct node *length,
                                unsigned flags)
{
    u128 count = 0;
    if (flags & TYPE_STAR || (length && !lang_constant(p, length, &count))) {
        struct type *t = variable_array(p, of, length, flags);
        t->flags |= (uint8_t)(flags & TYPE_STATIC);
        return t;
    }
    struct type *canon = canonical_array(p, of, (uint64_t)count,
                                         length ? 0 : (flags & TYPE_UNSIZED));
    struct type *t = new_written(p, TYPE_ARRAY, of, canon);
    t->flags |= (uint8_t)(flags & TYPE_STATIC);
    t->u.count = (uint64_t)count;
    t->u.length = length;
    return t;
}

struct type *lang_vector(struct program *p, struct type *of, uint64_t count)
{
    struct type key = {.kind = TYPE_VECTOR, .base = of->canon->unqual};
    key.u.count = count;
    return shared(p, &key);
}

struct type *lang_bitint(struct program *p, unsigned width, bool is_signed)
{
    struct type key = {.kind = TYPE_BITINT,
                       .class = CLASS_INT,
                       .base = lang_basic(p, is_signed ? TYPE_INT : TYPE_UINT)};
    key.u.count = width;
    return shared(p, &key);
}

struct type *lang_complex(struct program *p, struct type *of)
{
    struct type key = {.kind = TYPE_COMPLEX, .base = of->canon->unqual};
    return shared(p, &key);
}

struct type *lang_function(struct program *p, struct type *result, struct decl **params,
                           uint32_t count, unsigned flags)
{
    struct function_type *f = NEW(&p->arena, struct function_type);
    struct type key = {.kind = TYPE_FUNCTION, .base = result->canon->unqual};
    bool known = flags & TYPE_PROTOTYPE;
    f->count = known ? count : 0;
    f->types = NEW_ARRAY(&p->arena, f->count, struct type *);
    for (uint32_t i = 0; i < f->count; i++)
        f->types[i] = params[i]->type->canon->unqual;
    key.flags = (uint8_t)(flags & (TYPE_PROTOTYPE | TYPE_VARIADIC));
    key.u.function = f;
    struct type *t = new_written(p, TYPE_FUNCTION, result, shared(p, &key));
    struct function_type *written = NEW(&p->arena, struct function_type);
    *written = (struct function_type){t->canon->u.function->types, params, count};
    t->flags |= (uint8_t)(flags & TYPE_KNR);
    t->u.function = written;
    return t;
}

/* ---- qualifiers and alignment ----------------------------------------------------------- */

/* The variant of a canonical type with exactly these qualifiers and alignment. */
static struct type *variant(struct program *p, struct type *t, unsigned quals, uint32_t align)
{
    struct type *plain = t->unqual;
    if (t->kind == TYPE_ARRAY)
        plain = t; /* its elements' qualifiers are its own, only alignment varies here */
    for (struct type *v = plain; v; v = v->variant)
        if (v->quals == quals && v->align == align)
            return v;
    struct type *v = NEW(&p->arena, struct type);
    *v = *plain;
    v->id = p->type_count++;
    v->quals = (uint8_t)quals;
    v->align = align;
    v->canon = v;
    v->unqual = plain->unqual;
    v->pointer = NULL;
    plain->variant = v;
    return v;
}

/* An array's qualifiers are its elements' (C11 6.7.3p9). */
static struct type *qualified_array(struct program *p, struct type *t, unsigned quals)
{
    struct type *of = lang_qualified(p, t->base, quals);
    if (t->u.length)
        return variable_array(p, of, t->u.length, t->flags);
    return canonical_array(p, of, t->u.count, t->flags & TYPE_UNSIZED);
}

struct type *lang_qualified(struct program *p, struct type *t, unsigned quals)
{
    if ((t->quals | quals) == t->quals)
        return t;
    if (t->canon == t)
        return t->kind == TYPE_ARRAY ? qualified_array(p, t, quals)
                                     : variant(p, t, t->quals | quals, t->align);
    struct type *q = NEW(&p->arena, struct type);
    *q = *t;
    q->id = p->type_count++;
    q->quals |= (uint8_t)quals;
    q->canon = lang_qualified(p, t->canon, quals);
    q->pointer = NULL;
    return q;
}

struct type *lang_aligned(struct program *p, struct type *t, uint32_t align)
{
    if (t->canon == t)
        return variant(p, t, t->quals, align);
    struct type *q = NEW(&p->arena, struct type);
    *q = *t;
    q->id = p->type_count++;
    q->canon = lang_aligned(p, t->canon, align);
    q->pointer = NULL;
    return q;
}

struct type *lang_unqualified(const struct type *t)
{
    return t->canon->unqual;
}

/* ---- ways of writing -------------------------------------------------------------------- */

struct type *lang_typedef_type(struct program *p, struct decl *d)
{
    if (!d->written) {
        d->written = new_written(p, TYPE_TYPEDEF, d->type, d->type->canon);
        d->written->u.decl = d;
    }
    return d->written;
}

struct type *lang_typeof(struct program *p, struct type *t, struct node *expr)
{
    struct type *s = new_written(p, TYPE_TYPEOF, t, t->canon);
    s->u.expr = expr;
    return s;
}

struct type *lang_auto(struct program *p, struct type *t)
{
    return new_written(p, TYPE_AUTO, t, t->canon);
}

struct type *lang_definition(struct program *p, struct type *t, struct node *body)
{
    struct type *s = new_written(p, TYPE_DEFINITION, t, t->canon);
    s->u.body = body;
    return s;
}

struct type *lang_attributed(struct program *p, struct type *t, struct attr *attrs)
{
    struct type *s = new_written(p, TYPE_ATTRIBUTED, t, t->canon);
    s->u.attrs = attrs;
    return s;
}

struct type *lang_int_of_size(const struct program *p, uint64_t bytes, bool is_signed)
{
    static const uint8_t kinds[][2] = {{TYPE_UCHAR, TYPE_SCHAR},  {TYPE_USHORT, TYPE_SHORT},
                                       {TYPE_UINT, TYPE_INT},     {TYPE_ULONG, TYPE_LONG},
                                       {TYPE_ULLONG, TYPE_LLONG}, {TYPE_UINT128, TYPE_INT128}};
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        struct type *t = p->basic[kinds[i][is_signed]];
        if (lang_sizeof(p, t) == bytes)
            return t;
    }
    return NULL;
}

/* ---- sizes ------------------------------------------------------------------------------ */

static struct size_align basic_layout(const struct program *p, const struct type *t)
{
    struct size_align sa;
    memcpy(&sa, (const char *)p->target + lang_type_info[t->kind].layout, sizeof sa);
    return sa;
}

/* The psABIs of x86: up to 64 bits as the smallest integer that holds it, then as machine words. */
static uint64_t bitint_size(const struct program *p, const struct type *t)
{
    uint64_t size = 1, word = p->target->pointer.size == 4 ? 4 : 8;
    while (size < 8 && 8 * size < t->u.count)
        size *= 2;
    return 8 * size >= t->u.count ? size : (t->u.count + 8 * word - 1) / (8 * word) * word;
}

static uint32_t bitint_align(const struct program *p, const struct type *t)
{
    uint64_t size = bitint_size(p, t);
    uint32_t most = p->target->llong.align;
    return size < most ? (uint32_t)size : most;
}

/* Size and natural alignment of a canonical type, without regard to _Atomic and aligned. */
static uint64_t plain_size(const struct program *p, const struct type *t)
{
    switch (t->kind) {
    case TYPE_POINTER:
        return p->target->pointer.size;
    case TYPE_ARRAY:
        return t->flags & TYPE_VARIABLE ? 0 : t->u.count * lang_sizeof(p, t->base);
    case TYPE_VECTOR:
        return t->u.count * lang_sizeof(p, t->base);
    case TYPE_COMPLEX:
        return 2 * lang_sizeof(p, t->base);
    case TYPE_BITINT:
        return bitint_size(p, t);
    case TYPE_STRUCT:
    case TYPE_UNION:
        return t->u.record->size;
    case TYPE_ENUM:
        return t->u.enumeration->base ? lang_sizeof(p, t->u.enumeration->base) : 0;
    case TYPE_FUNCTION:
        return 1;
    default:
        return basic_layout(p, t).size;
    }
}

static uint32_t plain_align(const struct program *p, const struct type *t)
{
    switch (t->kind) {
    case TYPE_POINTER:
        return p->target->pointer.align;
    case TYPE_ARRAY:
    case TYPE_COMPLEX:
        return lang_alignof(p, t->base);
    case TYPE_VECTOR:
        return (uint32_t)plain_size(p, t);
    case TYPE_BITINT:
        return bitint_align(p, t);
    case TYPE_STRUCT:
    case TYPE_UNION:
        return t->u.record->align ? t->u.record->align : 1;
    case TYPE_ENUM:
        return t->u.enumeration->base ? lang_alignof(p, t->u.enumeration->base) : 1;
    case TYPE_FUNCTION:
        return 1;
    default:
        return basic_layout(p, t).align;
    }
}

/* gcc and clang give an atomic type of up to 16 bytes the size and alignment of a machine
 * word that holds it. */
static uint64_t atomic_size(uint64_t size)
{
    uint64_t word = 1;
    while (word < size)
        word *= 2;
    return size && word <= 16 ? word : size;
}

uint64_t lang_sizeof(const struct program *p, const struct type *t)
{
    uint64_t size = plain_size(p, t->canon);
    return t->canon->quals & QUAL_ATOMIC ? atomic_size(size) : size;
}

uint32_t lang_alignof(const struct program *p, const struct type *t)
{
    t = t->canon;
    uint32_t align = t->align ? t->align : plain_align(p, t);
    if (t->quals & QUAL_ATOMIC) {
        uint64_t word = atomic_size(plain_size(p, t));
        if (word <= 16 && word > align)
            return (uint32_t)word;
    }
    return align;
}

uint32_t lang_alignof_alone(const struct program *p, const struct type *t)
{
    uint32_t align = lang_alignof(p, t);
    t = t->canon;
    while (!t->align && (t->kind == TYPE_ARRAY || t->kind == TYPE_COMPLEX))
        t = t->base->canon;
    bool scalar = lang_is_integer(t) || lang_is_floating(t);
    bool moved = scalar && !t->align && lang_sizeof(p, t) == 8 && p->target->alone_align > align;
    return moved ? p->target->alone_align : align;
}

bool lang_is_complete(const struct type *t)
{
    t = t->canon;
    switch (t->kind) {
    case TYPE_VOID:
        return false;
    case TYPE_ARRAY:
        return !(t->flags & TYPE_UNSIZED) && lang_is_complete(t->base);
    case TYPE_STRUCT:
    case TYPE_UNION:
        return t->u.record->complete;
    case TYPE_ENUM:
        return t->u.enumeration->complete;
    default:
        return true;
    }
}

/* ---- questions -------------------------------------------------------------------------- */

bool lang_int_signed(const struct program *p, const struct type *t)
{
    t = t->canon;
    if (t->kind == TYPE_ENUM)
        return lang_int_signed(p, t->u.enumeration->base);
    if (t->kind == TYPE_BITINT)
        t = t->base;
    uint8_t sign = basic_sign[t->kind];
    return sign == SIGN_TARGET ? p->target->char_signed : sign == SIGN_1;
}

unsigned lang_int_width(const struct program *p, const struct type *t)
{
    t = t->canon;
    if (t->kind == TYPE_BITINT)
        return (unsigned)t->u.count;
    return t->kind == TYPE_BOOL ? 1 : 8 * (unsigned)plain_size(p, t);
}

bool lang_has_padding_bits(const struct program *p, const struct type *t)
{
    t = t->canon;
    return t->kind == TYPE_BITINT && t->u.count < 8 * plain_size(p, t);
}

enum float_format lang_float_format(const struct program *p, const struct type *t)
{
    size_t layout = lang_type_info[t->canon->kind].layout;
    if (layout == offsetof(struct target, half))
        return FLOAT_HALF;
    if (layout == offsetof(struct target, float_))
        return FLOAT_SINGLE;
    if (layout == offsetof(struct target, double_))
        return FLOAT_DOUBLE;
    if (layout == offsetof(struct target, ldouble))
        return (enum float_format)p->target->ldouble_format;
    return FLOAT_QUAD;
}

bool lang_is_aggregate(const struct type *t)
{
    return lang_is_record(t) || t->canon->kind == TYPE_ARRAY;
}

bool lang_is_void_pointer(const struct type *t)
{
    return t->canon->kind == TYPE_POINTER && t->canon->base->kind == TYPE_VOID;
}

bool lang_is_char_array(const struct type *t)
{
    t = t->canon;
    return t->kind == TYPE_ARRAY && lang_is_integer(t->base) &&
           (t->base->kind == TYPE_CHAR || t->base->kind == TYPE_SCHAR ||
            t->base->kind == TYPE_UCHAR);
}

bool lang_same_type(const struct type *a, const struct type *b)
{
    return a->canon->unqual == b->canon->unqual;
}
