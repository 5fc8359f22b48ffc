/* Elements of vectors in another order.  A vector's argument, and result, is an address. */
#include "machine/lib/private.h"

#include <string.h>

/* Elements of one or two vectors, one behind the other. */
struct pool {
    const uint8_t *bytes[2];
    uint64_t count[2]; /* elements of each */
    uint64_t step;     /* size of an element */
};

static bool is_vector(const struct lib_call *c, uint32_t i)
{
    return i < c->site->count && c->site->types[i]->canon->kind == TYPE_VECTOR;
}

/* The argument's elements; false when it cannot be read. */
static bool add_vector(struct lib_call *c, struct pool *p, uint32_t i)
{
    const struct type *t = c->site->types[i]->canon;
    p->step = lang_sizeof(c->p, t->base);
    p->count[i] = t->u.count;
    p->bytes[i] = lib_read(c, arg(c, i), lang_sizeof(c->p, t));
    return p->bytes[i];
}

static const uint8_t *pick(const struct pool *p, uint64_t index)
{
    bool second = index >= p->count[0];
    return p->bytes[second] + (second ? index - p->count[0] : index) * p->step;
}

/* The place of the result; NULL when the call's form is none that we know. */
static uint8_t *result_of(struct lib_call *c, uint64_t *count)
{
    const struct type *t = c->site->result->canon;
    if (t->kind != TYPE_VECTOR || c->pc->b == NO_SLOT) {
        lib_unsupported(c, "this result");
        return NULL;
    }
    *count = t->u.count;
    give(c, c->r[c->pc->b]);
    return lib_write(c, c->r[c->pc->b], lang_sizeof(c->p, t));
}

/* gcc: (v, mask) or (v, w, mask); indices count modulo the number of elements. */
void lib___builtin_shuffle(struct lib_call *c)
{
    struct pool p = {0};
    uint32_t mask = c->site->count - 1;
    uint64_t count;
    if (mask < 1 || mask > 2 || !is_vector(c, 0) || !is_vector(c, mask)) {
        lib_unsupported(c, "these arguments");
        return;
    }
    const struct type *t = c->site->types[mask]->canon;
    uint64_t step = lang_sizeof(c->p, t->base);
    const uint8_t *index = lib_read(c, arg(c, mask), lang_sizeof(c->p, t));
    uint8_t *to = index && add_vector(c, &p, 0) && (mask == 1 || add_vector(c, &p, 1))
                      ? result_of(c, &count)
                      : NULL;
    for (uint64_t i = 0; to && i < count; i++) {
        uint64_t at;
        at = (uint64_t)lang_load_number(c->m->target, index + i * step, step);
        at %= p.count[0] + p.count[1]; /* a power of two */
        memcpy(to + i * p.step, pick(&p, at), p.step);
    }
}

/* clang: (v, w, index ...); an index of -1 leaves the element open. */
void lib___builtin_shufflevector(struct lib_call *c)
{
    struct pool p = {0};
    uint64_t count;
    if (!is_vector(c, 0) || !is_vector(c, 1)) {
        lib_unsupported(c, "these arguments");
        return;
    }
    if (!add_vector(c, &p, 0) || !add_vector(c, &p, 1))
        return;
    uint8_t *to = result_of(c, &count);
    for (uint64_t i = 0; to && i < count; i++) {
        uint64_t at = arg(c, (uint32_t)i + 2);
        if (at >= p.count[0] + p.count[1]) {
            lib_unsupported(c, "index %lld", (long long)at);
            return;
        }
        memcpy(to + i * p.step, pick(&p, at), p.step);
    }
}
