/* Padding (C11 6.2.6.1p6): bits of an object that belong to no member, and those of a union that do
 * not belong to the member that was initialised.  Takes types and initialisers, yields masks of
 * those bits.  Compilers leave in them what they find, each of them something else. */
#include "machine/compile/private.h"

#include <string.h>

/* A longer object's padding is taken for what the machine makes of it. */
enum { MOST_BYTES = 1 << 20 };

/* What is covered: a byte of bits for each byte of the whole object, whose items are these. */
struct cover {
    const struct program *p;
    uint8_t *used;
    const struct init *init; /* NULL: none, and unions count as a whole */
};

static void cover_type(const struct cover *c, const struct type *t, uint64_t at);

static void cover_bits(const struct cover *c, const struct field *f, uint64_t at)
{
    unsigned n = lang_field_bytes(f);
    u128 mask = (((u128)1 << f->width) - 1) << lang_field_shift(c->p->target, f);
    uint8_t *to = c->used + at + f->offset;
    lang_store_number(c->p->target, to, n, lang_load_number(c->p->target, to, n) | mask);
}

static void cover_field(const struct cover *c, const struct field *f, uint64_t at)
{
    if (f->is_bitfield && f->name)
        cover_bits(c, f, at);
    else if (!f->is_bitfield)
        cover_type(c, f->type, at + f->offset);
}

/* Is there a subobject like the item's so far into a type? */
static bool has_part(const struct program *p, const struct type *t, uint64_t off,
                     const struct init_item *item)
{
    t = t->canon;
    if (off == 0 && !item->field && t->unqual == item->type->canon->unqual)
        return true;
    uint64_t step = t->kind == TYPE_ARRAY ? lang_sizeof(p, t->base) : 0;
    if (step)
        return off < lang_sizeof(p, t) && has_part(p, t->base, off % step, item);
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++) {
        const struct field *f = t->u.record->fields[i];
        if (f == item->field ||
            (!f->is_bitfield && off >= f->offset && has_part(p, f->type, off - f->offset, item)))
            return true;
    }
    return false;
}

/* May the union's items, n of them, have been written for this member? */
static bool may_be_meant(const struct cover *c, const struct type *t, uint64_t at,
                         const struct field *f, uint32_t *n)
{
    uint64_t size = lang_sizeof(c->p, t);
    *n = 0;
    for (uint32_t i = 0; i < c->init->count; i++) {
        const struct init_item *item = &c->init->items[i];
        if (item->offset < at || item->offset >= at + size)
            continue;
        ++*n;
        if (item->repeat == 1 && f != item->field &&
            (f->is_bitfield || !has_part(c->p, f->type, item->offset - at, item)))
            return false;
    }
    return true;
}

/* The largest member that may have been meant; all of the union when that is not clear. */
static void cover_union(const struct cover *c, const struct type *t, uint64_t at)
{
    const struct field *largest = NULL;
    const struct record *r = t->u.record;
    uint32_t n = 0;
    for (uint32_t i = 0; c->init && i < r->count; i++)
        if (may_be_meant(c, t, at, r->fields[i], &n) && n > 0 &&
            (!largest || lang_sizeof(c->p, r->fields[i]->type) > lang_sizeof(c->p, largest->type)))
            largest = r->fields[i];
    if (largest)
        cover_field(c, largest, at);
    else
        memset(c->used + at, 0xff, lang_sizeof(c->p, t));
}

static void cover_type(const struct cover *c, const struct type *t, uint64_t at)
{
    t = t->canon;
    uint64_t size = lang_sizeof(c->p, t);
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_COMPLEX) {
        uint64_t step = lang_sizeof(c->p, t->base);
        for (uint64_t i = 0; step && i < size; i += step)
            cover_type(c, t->base, at + i);
    } else if (t->kind == TYPE_UNION) {
        cover_union(c, t, at);
    } else if (t->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < t->u.record->count; i++)
            cover_field(c, t->u.record->fields[i], at);
    } else {
        memset(c->used + at, 0xff, kind_of(c->p, t) == KIND_LDOUBLE ? 10 : size);
    }
}

/* NULL: there is none. */
static struct padding *padding_of(struct compiler *c, const struct type *t, const struct init *init,
                                  uint64_t size)
{
    uint64_t known = lang_sizeof(c->p, t);
    if (size > MOST_BYTES || known > size)
        return NULL;
    struct padding *p = NEW(&c->m->arena, struct padding);
    *p = (struct padding){arena_alloc(&c->m->arena, size ? size : 1), size};
    const struct cover cover = {c->p, p->bits, init};
    memset(p->bits, 0, size);
    cover_type(&cover, t, 0);
    memset(p->bits + known, 0xff, size - known); /* a flexible array that was initialised */
    bool any = false;
    for (uint64_t i = 0; i < size; i++) {
        p->bits[i] = (uint8_t)~p->bits[i];
        any = any || p->bits[i];
    }
    return any ? p : NULL;
}

/* Are all items zeros?  Then everything is, for every compiler, if it is a variable that they are
 * for. */
static bool is_zero(struct compiler *c, const struct init *init)
{
    u128 v;
    for (uint32_t i = 0; i < init->count; i++) {
        const struct node *value = edited_node(c->u, init->items[i].value);
        if (!lang_is_integer(value->type) || !lang_constant(c->p, value, &v) || v)
            return false;
    }
    return true;
}

void compile_literal_padding(struct compiler *c, uint32_t address, const struct type *t,
                             const struct init *init)
{
    if (c->f == &c->m->init_func || t->flags & TYPE_VARIABLE)
        return;
    struct padding *p = padding_of(c, t, init, init ? init->size : lang_sizeof(c->p, t));
    if (p)
        emit(c, I_PADDING, 0, address, 0, 0)->u.padding = p;
}

void compile_padding(struct compiler *c, uint32_t address, const struct type *t,
                     const struct init *init)
{
    if (!init || !is_zero(c, init))
        compile_literal_padding(c, address, t, init);
}

/* Before a member is stored it is as unset as the rest, and what it holds then nobody knows either:
 * as long as nothing asks for that, nothing has to be done. */
void compile_unset_padding(struct compiler *c, struct loc l, const struct type *t)
{
    c->m->left_padding = true;
    if (c->m->options.padding != PADDING_UNSET)
        compile_literal_padding(c, loc_address(c, c->node, l), t, NULL);
}

/* A value that travels in registers leaves its padding behind (x86-64's psABI, 3.2.3). */
void compile_passed_padding(struct compiler *c, uint32_t address, const struct type *t)
{
    enum { IN_REGISTERS = 16 };
    if (lang_is_record(t->canon) && lang_sizeof(c->p, t) <= IN_REGISTERS)
        compile_padding(c, address, t, NULL);
}
