/* Numbers as bytes of a target's memory: which end comes first, and where in its bytes a bit-field
 * stands.  Knows nothing of types. */
#include "lang/lang.h"

u128 lang_load_number(const struct target *t, const uint8_t *at, uint64_t n)
{
    u128 v = 0;
    for (uint64_t i = 0; i < n; i++)
        v = v << 8 | at[t->little_endian ? n - 1 - i : i];
    return v;
}

void lang_store_number(const struct target *t, uint8_t *at, uint64_t n, u128 v)
{
    for (uint64_t i = 0; i < n; i++, v >>= 8)
        at[t->little_endian ? i : n - 1 - i] = (uint8_t)v;
}

unsigned lang_field_bytes(const struct field *f)
{
    return (f->bit + f->width + 7) / 8;
}

unsigned lang_field_shift(const struct target *t, const struct field *f)
{
    return t->little_endian ? f->bit : 8 * lang_field_bytes(f) - f->bit - f->width;
}
