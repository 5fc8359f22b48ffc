/* The items of an initialiser while lists are walked: what is said anew voids what was said before
 * (C11 6.7.9p19), place by place where GNU's ranges say it for several.
 *
 * Where gcc and clang take it differently the initialiser is mixed: a part of another expression's
 * value is said anew (gcc drops that value, clang keeps the rest of it), or a value that has
 * effects would have to be shared by two items. */
#include "lang/item.h"

#include <string.h>

enum { MOST_PLACES = 1 << 20 };

/* Bytes: from is in it, to is not. */
struct span {
    uint64_t from, to;
};

static struct span span_of(const struct program *p, uint64_t offset, const struct type *type,
                           const struct field *field)
{
    uint64_t size = field ? (field->bit + field->width + 7) / 8 : lang_sizeof(p, type);
    return (struct span){offset, offset + size};
}

static void note_reach(struct filler *f, const struct init_item *item)
{
    struct span s = span_of(f->p, item->offset, item->type, item->field);
    uint64_t end = s.to + (item->repeat - 1) * item->stride;
    f->high = end > f->high ? end : f->high;
}

static void push_item(struct filler *f, const struct init_item *item)
{
    if (f->count == f->room) {
        f->room = f->room ? f->room * 2 : 4;
        f->items = arena_grow(&f->p->arena, f->items, f->count, f->room, sizeof *f->items);
    }
    f->items[f->count++] = *item;
    note_reach(f, item);
}

/* ---- places ----------------------------------------------------------------------------- */

static uint64_t places(struct filler *f, const struct ranges *r, uint32_t dimensions)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < dimensions; i++) {
        n *= r->by[i].n;
        if (n > MOST_PLACES) {
            f->mixed = true;
            return 1;
        }
    }
    return n;
}

/* How far the place with this number is from the first one. */
static uint64_t place(const struct ranges *r, uint32_t dimensions, uint64_t number)
{
    uint64_t offset = 0;
    for (uint32_t i = dimensions; i-- > 0; number /= r->by[i].n)
        offset += number % r->by[i].n * r->by[i].stride;
    return offset;
}

/* ---- what is void ----------------------------------------------------------------------- */

/* May the value be computed once for each of several items, and nobody sees it? */
static bool is_repeatable(const struct node *n)
{
    static const bool plain[NODE_COUNT] = {
        [NODE_INT] = true,        [NODE_FLOAT] = true,      [NODE_STRING] = true,
        [NODE_NAME] = true,       [NODE_CAST] = true,       [NODE_BINARY] = true,
        [NODE_COND] = true,       [NODE_UNARY] = true,      [NODE_SIZEOF] = true,
        [NODE_ALIGNOF] = true,    [NODE_INDEX] = true,      [NODE_MEMBER] = true,
        [NODE_INIT] = true,       [NODE_LITERAL] = true,    [NODE_OFFSETOF] = true,
        [NODE_DESIGNATED] = true, [NODE_LABEL_ADDR] = true,
    };
    bool steps = n->kind == NODE_UNARY && (n->op == OP_POSTINC || n->op == OP_POSTDEC ||
                                           n->op == OP_PREINC || n->op == OP_PREDEC);
    if (!plain[n->kind] || steps || (n->type && n->type->quals & QUAL_VOLATILE))
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_repeatable(n->kid[i]))
            return false;
    return true;
}

static void keep_places(struct filler *f, const struct init_item *item, uint64_t first,
                        uint64_t end)
{
    struct init_item part = *item;
    part.offset += first * item->stride;
    part.repeat = end - first;
    if (first < end)
        push_item(f, &part);
}

/* The characters of a string around the one that is said anew. */
static void keep_characters(struct filler *f, const struct init_item *text, uint64_t offset,
                            struct span without)
{
    const struct string *s = text->value->u.string;
    struct init_item one = {offset, 1, 0, NULL, text->type->base->canon, NULL};
    uint64_t end = offset + lang_sizeof(f->p, text->type);
    end = end < offset + s->size ? end : offset + s->size;
    for (const char *at = s->bytes; one.offset < end; one.offset += s->unit, at += s->unit) {
        if (one.offset + s->unit > without.from && one.offset < without.to)
            continue;
        u128 value = lang_load_number(f->p->target, (const uint8_t *)at, s->unit);
        one.value = lang_int(f->p, value, one.type);
        push_item(f, &one);
    }
}

/* The span is a part of the item's place with this number. */
static void keep_around(struct filler *f, const struct init_item *item, uint64_t number,
                        struct span without)
{
    if (item->value->kind == NODE_STRING && item->type->kind == TYPE_ARRAY) {
        keep_characters(f, item, item->offset + number * item->stride, without);
        return;
    }
    f->mixed = true;
    keep_places(f, item, number, number + 1);
}

/* Appends what is left of an item without the span; false: all of it, and nothing was done. */
static bool cut(struct filler *f, const struct init_item *item, struct span without,
                const struct field *field)
{
    if (field && item->field && item->field != field)
        return false; /* other bits */
    struct span own = span_of(f->p, item->offset, item->type, item->field);
    uint64_t n = item->repeat, stride = item->stride, first = 0, last = 0;
    if (without.to <= own.from || without.from >= own.to + (n - 1) * stride)
        return false;
    if (n > 1 && without.from >= own.to)
        first = (without.from - own.to) / stride + 1;
    if (n > 1)
        last = (without.to - 1 - own.from) / stride;
    last = last < n ? last : n - 1;
    if (first > last)
        return false; /* it lies between two places */
    bool inside = own.from + first * stride >= without.from && own.to + last * stride <= without.to;
    keep_places(f, item, 0, first);
    keep_places(f, item, last + 1, n);
    if (!inside)
        keep_around(f, item, first, without);
    if ((first > 0) + (last + 1 < n) + !inside > 1 && !is_repeatable(item->value))
        f->mixed = true;
    return true;
}

/* The first item that may cover what begins at the offset. */
static uint32_t first_near(const struct filler *f, uint64_t offset)
{
    uint32_t i = f->unordered ? 0 : f->count;
    while (i && f->items[i - 1].offset >= offset)
        i--;
    return i ? i - 1 : 0;
}

static void forget_span(struct filler *f, struct span s, const struct field *field)
{
    if (s.from >= f->high || s.from == s.to)
        return;
    uint32_t kept = first_near(f, s.from), end = f->count;
    for (uint32_t i = kept; i < end; i++) {
        struct init_item item = f->items[i];
        if (!cut(f, &item, s, field))
            f->items[kept++] = item;
    }
    uint32_t more = f->count - end;
    memmove(f->items + kept, f->items + end, more * sizeof *f->items);
    f->count = kept + more;
    f->unordered = f->unordered || more > 0;
}

void item_forget(struct filler *f, uint64_t offset, const struct type *type,
                 const struct field *field, const struct ranges *r)
{
    struct span first = span_of(f->p, offset, type, field);
    uint32_t dimensions = r->count;
    if (dimensions && r->by[dimensions - 1].stride == first.to - first.from) {
        dimensions--; /* a row without gaps */
        first.to = first.from + r->by[dimensions].n * r->by[dimensions].stride;
    }
    for (uint64_t k = 0, n = places(f, r, dimensions); k < n; k++) {
        uint64_t by = place(r, dimensions, k);
        forget_span(f, (struct span){first.from + by, first.to + by}, field);
    }
}

/* ---- unions ----------------------------------------------------------------------------- */

static const struct chosen *chosen_at(const struct filler *f, uint64_t offset,
                                      const struct type *type)
{
    for (uint32_t i = f->chosen_count; i-- > 0;) {
        const struct chosen *c = &f->chosen[i];
        if (c->type == type && c->offset <= offset &&
            (c->offset == offset || (c->stride && (offset - c->offset) % c->stride == 0 &&
                                     (offset - c->offset) / c->stride < c->repeat)))
            return c;
    }
    return NULL;
}

static void choose_there(struct filler *f, const struct chosen *now)
{
    for (uint64_t k = 0; k < now->repeat; k++) {
        uint64_t offset = now->offset + k * now->stride;
        if (offset >= f->high)
            break;
        const struct chosen *before = chosen_at(f, offset, now->type);
        if (before && before->index != now->index)
            forget_span(f, span_of(f->p, offset, now->type, NULL), NULL);
    }
    if (f->chosen_count == f->chosen_room) {
        f->chosen_room = f->chosen_room ? f->chosen_room * 2 : 4;
        f->chosen = arena_grow(&f->p->arena, f->chosen, f->chosen_count, f->chosen_room,
                               sizeof *f->chosen);
    }
    f->chosen[f->chosen_count++] = *now;
}

void item_choose(struct filler *f, uint64_t offset, const struct type *type, uint64_t index,
                 const struct ranges *r)
{
    struct chosen now = {offset, 1, 0, type, index};
    uint32_t dimensions = r->count;
    if (dimensions) {
        dimensions--;
        now.repeat = r->by[dimensions].n;
        now.stride = r->by[dimensions].stride;
    }
    for (uint64_t k = 0, n = places(f, r, dimensions); k < n; k++) {
        now.offset = offset + place(r, dimensions, k);
        choose_there(f, &now);
    }
}

/* ---- what is said ----------------------------------------------------------------------- */

void item_add(struct filler *f, uint64_t offset, struct field *field, struct type *type,
              struct node *value)
{
    f->unordered = f->unordered || (f->count && offset < f->items[f->count - 1].offset);
    push_item(f, &(struct init_item){offset, 1, 0, field, type, value});
}

/* What was added since `from` happens n times, stride bytes apart. */
static void replicate(struct filler *f, uint32_t from, uint64_t n, uint64_t stride)
{
    uint32_t end = f->count;
    for (uint32_t i = from; i < end; i++) {
        struct init_item item = f->items[i];
        if (item.repeat == 1) {
            item.repeat = n;
            item.stride = stride;
            f->items[i] = item;
            note_reach(f, &item);
            continue;
        }
        f->mixed = f->mixed || !is_repeatable(item.value);
        for (uint64_t k = 1; k < n; k++) {
            item.offset += stride;
            push_item(f, &item);
        }
    }
}

void item_repeat(struct filler *f, uint32_t from, const struct ranges *r)
{
    for (uint32_t i = r->count; i-- > 0 && f->count > from;) {
        replicate(f, from, r->by[i].n, r->by[i].stride);
        f->unordered = true;
    }
}
