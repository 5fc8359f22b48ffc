/* What the bytes of an object are: parts that one instruction accesses, whose accesses are compared
 * one by one; parts that are only counted; and what is not volatile.  Takes types, knows no
 * program's accesses. */
#include "access/private.h"

#include <string.h>

enum { WORD = 8 }; /* compilers read that much around a bit-field */

bool access_has_volatile(const struct type *t)
{
    t = t->canon;
    if (t->quals & QUAL_VOLATILE)
        return true;
    if (t->kind == TYPE_ARRAY)
        return access_has_volatile(t->base);
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        if (access_has_volatile(t->u.record->fields[i]->type))
            return true;
    return false;
}

/* Bytes of an access that one instruction makes everywhere: those of a register. */
static uint64_t widest(const struct program *p)
{
    return p->target->pointer.size;
}

/* Atomic ones are the library's at times, and the end of what has no size nobody knows. */
bool access_is_countable(const struct type *t)
{
    t = t->canon;
    if (t->quals & QUAL_ATOMIC || t->flags & (TYPE_UNSIZED | TYPE_VARIABLE))
        return false;
    if (t->kind == TYPE_ARRAY)
        return access_is_countable(t->base);
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        if (!access_is_countable(t->u.record->fields[i]->type))
            return false;
    return true;
}

/* Does one instruction access it, and nothing else?  t: a scalar. */
static bool is_one_access(const struct program *p, const struct type *t)
{
    uint64_t size = lang_sizeof(p, t);
    bool simple = t->kind == TYPE_POINTER || lang_is_integer(t) || lang_is_floating(t);
    return simple && size && size <= widest(p) && !(size & (size - 1)) &&
           lang_alignof(p, t) >= size;
}

/* Members share their bytes, or begin anywhere. */
static bool is_mixed(const struct type *t)
{
    return lang_is_record(t) &&
           (t->u.record->is_union || t->u.record->packed || t->u.record->reversed);
}

static void mark(uint8_t *bytes, uint64_t size, unsigned what)
{
    for (uint64_t i = 0; i < size; i++)
        bytes[i] |= (uint8_t)what;
}

/* A _BitInt(N) that is narrower than its bytes: what the others hold is unspecified, and compilers
 * reach N bits by as many instructions as they like. */
static bool has_padding_bits(const struct program *p, const struct type *t)
{
    return t->kind == TYPE_BITINT && t->u.count != 8 * lang_sizeof(p, t);
}

static void mark_scalar(const struct program *p, const struct type *t, bool is_volatile,
                        uint8_t *bytes)
{
    unsigned what = (lang_is_integer(t) ? ACCESS_INTEGER : 0) | (is_volatile ? 0 : ACCESS_PLAIN);
    if (is_volatile && has_padding_bits(p, t))
        what |= ACCESS_COUNTED | ACCESS_MIXED;
    else if (is_volatile && !is_one_access(p, t))
        what |= ACCESS_COUNTED;
    mark(bytes, lang_sizeof(p, t), what);
}

static void mark_part(const struct program *p, const struct type *t, bool is_volatile,
                      uint8_t *bytes);

static void mark_field(const struct program *p, const struct field *f, bool is_volatile,
                       uint8_t *bytes)
{
    unsigned plain = is_volatile || f->type->canon->quals & QUAL_VOLATILE ? 0 : ACCESS_MIXED;
    if (f->is_bitfield)
        mark(bytes + f->offset, (f->bit + f->width + 7) / 8, ACCESS_COUNTED | ACCESS_BITS | plain);
    else if (f->packed)
        mark(bytes + f->offset, lang_sizeof(p, f->type), ACCESS_COUNTED | ACCESS_MIXED);
    else
        mark_part(p, f->type, is_volatile, bytes + f->offset);
}

static void mark_part(const struct program *p, const struct type *t, bool is_volatile,
                      uint8_t *bytes)
{
    t = t->canon;
    is_volatile = is_volatile || t->quals & QUAL_VOLATILE;
    uint64_t size = lang_sizeof(p, t);
    uint64_t step = t->kind == TYPE_ARRAY ? lang_sizeof(p, t->base) : 0;
    for (uint64_t i = 0; step && i < size; i += step)
        mark_part(p, t->base, is_volatile, bytes + i);
    if (lang_is_record(t) && is_mixed(t))
        mark(bytes, size, ACCESS_COUNTED | ACCESS_MIXED);
    else if (lang_is_record(t))
        for (uint32_t i = 0; i < t->u.record->count; i++)
            mark_field(p, t->u.record->fields[i], is_volatile, bytes);
    else if (t->kind != TYPE_ARRAY)
        mark_scalar(p, t, is_volatile, bytes);
}

void access_mark_bytes(const struct program *p, const struct type *t, uint8_t *bytes)
{
    uint64_t size = lang_sizeof(p, t);
    mark_part(p, t, false, bytes);
    for (uint64_t i = 0; i < size; i += WORD) {
        uint64_t n = size - i < WORD ? size - i : WORD;
        unsigned all = 0;
        for (uint64_t k = 0; k < n; k++)
            all |= bytes[i + k];
        if (all & (ACCESS_BITS | ACCESS_MIXED))
            mark(bytes + i, n, ACCESS_COUNTED);
    }
}

static bool is_watchable(const struct program *p, const struct type *t, bool is_volatile)
{
    t = t->canon;
    is_volatile = is_volatile || t->quals & QUAL_VOLATILE;
    if (!is_volatile && !access_has_volatile(t))
        return true;
    if (t->kind == TYPE_ARRAY)
        return is_watchable(p, t->base, is_volatile);
    if (!lang_is_record(t))
        return is_one_access(p, t);
    bool all = !is_mixed(t);
    for (uint32_t i = 0; i < t->u.record->count && all; i++) {
        const struct field *f = t->u.record->fields[i];
        all = !f->is_bitfield && !f->packed && is_watchable(p, f->type, is_volatile);
    }
    return all;
}

bool access_is_watchable(const struct program *p, const struct type *t)
{
    return access_is_countable(t) && is_watchable(p, t, false);
}
