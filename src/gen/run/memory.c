/* The memory of the program that is being written: objects as bytes with a flag each, pointers as
 * (object, offset) beside the bytes. */
#include "gen/run/run.h"

#include <string.h>

struct object *run_mem_new(struct gen *g, struct type *type, struct decl *decl)
{
    uint64_t size = gen_size_of(g, type);
    size_t head = (sizeof(struct object) + 15) & ~(size_t)15;
    struct object *o = arena_alloc(&g->arena, head + 2 * size);
    o->type = type->canon;
    o->decl = decl;
    o->size = (uint32_t)size;
    o->bytes = (uint8_t *)o + head;
    o->ready = o->bytes + size;
    if (gen_has_pointer(type))
        o->links = NEW_ARRAY(&g->arena, size / g->pointer_size + 1, struct link);
    return o;
}

void run_mem_zero(struct object *o)
{
    memset(o->bytes, 0, o->size);
    memset(o->ready, 1, o->size);
}

void run_mem_clear(struct object *o)
{
    memset(o->ready, 0, o->size);
}

bool run_mem_inside(const struct object *o, int64_t at, uint64_t size)
{
    return o && !o->fn && at >= 0 && (uint64_t)at + size <= o->size;
}

static uint64_t spot_bytes(const struct gen *g, const struct spot *s)
{
    return s->field ? lang_field_bytes(s->field) : gen_size_of(g, s->type);
}

#define ALL_READY UINT64_C(0x0101010101010101)

/* Several flags at once. */
static inline bool all_ready(const uint8_t *ready, uint64_t n)
{
    uint64_t at = 0, eight;
    uint32_t four;
    for (; n - at >= sizeof eight; at += sizeof eight) {
        memcpy(&eight, ready + at, sizeof eight);
        if (eight != ALL_READY)
            return false;
    }
    if (n - at >= sizeof four) {
        memcpy(&four, ready + at, sizeof four);
        if (four != (uint32_t)ALL_READY)
            return false;
        at += sizeof four;
    }
    for (; at < n; at++)
        if (!ready[at])
            return false;
    return true;
}

bool run_mem_ready(const struct gen *g, const struct spot *s)
{
    return all_ready(s->object->ready + s->at, spot_bytes(g, s));
}

static void set_ready(uint8_t *ready, uint64_t n)
{
    static const uint64_t all = ALL_READY;
    switch (n) {
    case 8:
        memcpy(ready, &all, 8);
        break;
    case 4:
        memcpy(ready, &all, 4);
        break;
    case 2:
        memcpy(ready, &all, 2);
        break;
    case 1:
        *ready = 1;
        break;
    default:
        memset(ready, 1, n);
    }
}

/* Written so that compilers see one load or store each. */
static uint32_t load_four(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void store_four(uint8_t *b, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        b[i] = (uint8_t)(v >> 8 * i);
}

static u128 load_bytes(const struct gen *g, const uint8_t *b, uint64_t n)
{
    if (!g->p->target->little_endian)
        return lang_load_number(g->p->target, b, n);
    switch (n) {
    case 1:
        return b[0];
    case 2:
        return (uint32_t)b[0] | (uint32_t)b[1] << 8;
    case 4:
        return load_four(b);
    case 8:
        return (uint64_t)load_four(b) | (uint64_t)load_four(b + 4) << 32;
    default:
        break;
    }
    u128 v = 0;
    for (uint64_t i = n; i-- > 0;)
        v = v << 8 | b[i];
    return v;
}

static void store_bytes(const struct gen *g, uint8_t *b, uint64_t n, u128 v)
{
    if (!g->p->target->little_endian) {
        lang_store_number(g->p->target, b, n, v);
        return;
    }
    uint64_t low = (uint64_t)v;
    switch (n) {
    case 1:
        *b = (uint8_t)low;
        return;
    case 2:
        b[0] = (uint8_t)low;
        b[1] = (uint8_t)(low >> 8);
        return;
    case 4:
        store_four(b, (uint32_t)low);
        return;
    case 8:
        store_four(b, (uint32_t)low);
        store_four(b + 4, (uint32_t)(low >> 32));
        return;
    default:
        break;
    }
    for (uint64_t i = 0; i < n; i++, v >>= 8)
        b[i] = (uint8_t)v;
}

static void load_field(const struct gen *g, const struct spot *s, struct val *v)
{
    u128 bits = load_bytes(g, s->object->bytes + s->at, spot_bytes(g, s)) >>
                lang_field_shift(g->p->target, s->field);
    bits = lang_wrap(bits, s->field->width);
    if (gen_int_signed(g, s->type))
        bits = lang_sign_extend(bits, s->field->width);
    v->bits = lang_wrap(bits, gen_int_width(g, s->type));
}

static bool by_place(const struct type *t)
{
    if (t->class == CLASS_INT || t->class == CLASS_FLOAT)
        return false;
    return lang_is_record(t) || t->kind == TYPE_VECTOR || t->kind == TYPE_ARRAY ||
           t->kind == TYPE_COMPLEX;
}

void run_mem_load(const struct gen *g, const struct spot *s, struct val *v)
{
    if (s->field) {
        load_field(g, s, v);
    } else if (s->type->kind == TYPE_POINTER) {
        v->link = s->object->links[s->at / g->pointer_size];
    } else if (by_place(s->type)) {
        v->link = (struct link){s->object, (int64_t)s->at};
    } else {
        v->bits = load_bytes(g, s->object->bytes + s->at, gen_size_of(g, s->type));
        if (s->type->kind == TYPE_LDOUBLE)
            v->bits = lang_wrap(v->bits, 80);
        if (s->type->kind == TYPE_BITINT)
            v->bits = lang_wrap(v->bits, gen_int_width(g, s->type));
    }
}

bool run_mem_word(const struct gen *g, const struct spot *s, uint64_t *v)
{
    uint8_t n = g->bytes[s->type->kind];
    if (!n || n > sizeof *v || !all_ready(s->object->ready + s->at, n))
        return false;
    *v = (uint64_t)load_bytes(g, s->object->bytes + s->at, n);
    return true;
}

static void store_field(const struct gen *g, const struct spot *s, const struct val *v)
{
    uint8_t *b = s->object->bytes + s->at;
    uint64_t n = spot_bytes(g, s);
    unsigned shift = lang_field_shift(g->p->target, s->field);
    u128 mask = lang_wrap(~(u128)0, s->field->width) << shift;
    u128 old = load_bytes(g, b, n);
    store_bytes(g, b, n, (old & ~mask) | ((v->bits << shift) & mask));
    set_ready(s->object->ready + s->at, n);
}

void run_mem_store(const struct gen *g, const struct spot *s, const struct val *v)
{
    uint64_t n = gen_size_of(g, s->type);
    if (s->field) {
        store_field(g, s, v);
        return;
    }
    if (by_place(s->type)) {
        run_mem_copy(g, s->object, s->at, v->link.to, (uint64_t)v->link.at, n);
        return;
    }
    if (s->type->kind == TYPE_POINTER)
        s->object->links[s->at / g->pointer_size] = v->link;
    else
        store_bytes(g, s->object->bytes + s->at, n, v->bits);
    set_ready(s->object->ready + s->at, n);
}

void run_mem_copy(const struct gen *g, struct object *to, uint64_t at, const struct object *from,
                  uint64_t from_at, uint64_t size)
{
    memmove(to->bytes + at, from->bytes + from_at, size);
    memmove(to->ready + at, from->ready + from_at, size);
    if (!to->links || !from->links)
        return;
    uint64_t word = g->pointer_size;
    memmove(to->links + at / word, from->links + from_at / word, size / word * sizeof *to->links);
}

struct object *run_mem_snapshot(struct gen *g, const struct object *o, uint64_t at,
                                struct type *type)
{
    struct object *copy = run_mem_new(g, type, NULL);
    run_mem_copy(g, copy, 0, o, at, copy->size);
    return copy;
}

struct object *run_label_object(struct gen *g, const struct label *l)
{
    for (size_t i = g->labels.n; i-- > 0;) { /* most were made last */
        struct object *o = g->labels.at[i];
        if (o->label == l)
            return o;
    }
    struct object *o = NEW(&g->arena, struct object);
    o->label = l;
    list_add(&g->arena, &g->labels, o);
    return o;
}
