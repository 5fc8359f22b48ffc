/* How values of a type lie in slots. */
#include "machine/code.h"

static const uint8_t kind_of_type[TYPE_COUNT] = {
    [TYPE_BOOL] = KIND_BOOL,       [TYPE_INT128] = KIND_WIDE,     [TYPE_UINT128] = KIND_WIDE,
    [TYPE_POINTER] = KIND_POINTER, [TYPE_VA_LIST] = KIND_LIST,    [TYPE_STRUCT] = KIND_MEMORY,
    [TYPE_UNION] = KIND_MEMORY,    [TYPE_VECTOR] = KIND_MEMORY,   [TYPE_ARRAY] = KIND_MEMORY,
    [TYPE_COMPLEX] = KIND_MEMORY,  [TYPE_DEC32] = KIND_OTHER,     [TYPE_DEC64] = KIND_OTHER,
    [TYPE_DEC128] = KIND_OTHER,    [TYPE_FUNCTION] = KIND_OTHER,  [TYPE_FLOAT16] = KIND_OTHER,
    [TYPE_FLOAT128] = KIND_QUAD,   [TYPE_FLOAT] = KIND_F32,       [TYPE_FLOAT32] = KIND_F32,
    [TYPE_DOUBLE] = KIND_F64,      [TYPE_FLOAT32X] = KIND_F64,    [TYPE_FLOAT64] = KIND_F64,
    [TYPE_LDOUBLE] = KIND_LDOUBLE, [TYPE_FLOAT80] = KIND_LDOUBLE, [TYPE_FLOAT64X] = KIND_LDOUBLE,
};

static enum kind ldouble_kind(const struct target *t)
{
    if (t->ldouble_format == FLOAT_DOUBLE)
        return KIND_F64;
    return t->ldouble_format == FLOAT_X87 && t->little_endian ? KIND_LDOUBLE : KIND_OTHER;
}

enum kind kind_of(const struct program *p, const struct type *t)
{
    t = t->canon->unqual;
    if (t->kind == TYPE_ENUM)
        t = t->u.enumeration->base->canon->unqual;
    if (kind_of_type[t->kind] == KIND_LDOUBLE)
        return ldouble_kind(p->target);
    if (kind_of_type[t->kind] || t->kind == TYPE_VOID)
        return kind_of_type[t->kind];
    bool is_signed = lang_int_signed(p, t);
    switch (8 * lang_sizeof(p, t)) {
    case 8:
        return is_signed ? KIND_I8 : KIND_U8;
    case 16:
        return is_signed ? KIND_I16 : KIND_U16;
    case 32:
        return is_signed ? KIND_I32 : KIND_U32;
    case 64:
        return is_signed ? KIND_I64 : KIND_U64;
    case 128:
        return KIND_WIDE;
    default:
        return KIND_OTHER;
    }
}

unsigned kind_size(const struct program *p, enum kind k)
{
    static const uint8_t sizes[] = {
        [KIND_I8] = 1,    [KIND_U8] = 1,       [KIND_I16] = 2,   [KIND_U16] = 2,
        [KIND_I32] = 4,   [KIND_U32] = 4,      [KIND_I64] = 8,   [KIND_U64] = 8,
        [KIND_BOOL] = 1,  [KIND_F32] = 4,      [KIND_F64] = 8,   [KIND_LIST] = 4,
        [KIND_WIDE] = 16, [KIND_LDOUBLE] = 10, [KIND_OTHER] = 0, [KIND_QUAD] = 16,
    };
    return k == KIND_POINTER ? p->target->pointer.size : sizes[k];
}
