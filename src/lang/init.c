/* Initialisers (C11 6.7.9): from lists as written, with designators and missing braces, to
 * (offset, type, value) items.
 *
 * The walk keeps a stack of the aggregates that are being filled.  A braced list starts with
 * the object itself at the bottom; an element without braces that meets an aggregate pushes
 * it, a full aggregate is popped, a designator starts again from the bottom. */
#include "lang/item.h"
#include "lang/private.h"

#include <string.h>

/* An aggregate that is being filled: its next member. */
struct frame {
    struct type *type; /* canonical */
    uint64_t offset;
    uint64_t index, reached; /* next member; behind the last one that was filled */
};

enum { MAX_NESTING = 64 };

struct cursor {
    struct frame frame[MAX_NESTING];
    uint32_t depth;             /* frames in use */
    struct ranges ranges;       /* of the designators that led here */
    uint8_t ranged[MAX_RANGES]; /* the frame that each of them stands in */
};

static bool fill_list(struct filler *f, struct type *type, struct node *list, uint64_t offset,
                      uint64_t *reached);

/* ---- frames ----------------------------------------------------------------------------- */

static bool is_filled_by_members(const struct type *t)
{
    return lang_is_aggregate(t) || t->kind == TYPE_VECTOR;
}

/* Unnamed bit-fields take no initialiser (6.7.9p9). */
static bool is_skipped(const struct field *f)
{
    return !f->name && f->is_bitfield;
}

static bool is_full(struct frame *at)
{
    const struct type *t = at->type;
    if (!lang_is_record(t))
        return !(t->flags & TYPE_UNSIZED) && at->index >= t->u.count;
    const struct record *r = t->u.record;
    while (at->index < r->count && is_skipped(r->fields[at->index]))
        at->index++;
    return at->index >= r->count;
}

/* The member that is next in the frame on top. */
static struct type *next_member(struct filler *f, const struct cursor *c, uint64_t *offset,
                                struct field **bitfield)
{
    const struct frame *at = &c->frame[c->depth - 1];
    *bitfield = NULL;
    if (at->type->kind == TYPE_UNION)
        item_choose(f, at->offset, at->type, at->index, &c->ranges);
    if (!lang_is_record(at->type)) {
        *offset = at->offset + at->index * lang_sizeof(f->p, at->type->base);
        return at->type->base;
    }
    struct field *field = at->type->u.record->fields[at->index];
    *offset = at->offset + field->offset;
    if (field->is_bitfield)
        *bitfield = field;
    return field->type->canon;
}

static void advance(struct frame *at)
{
    at->index++;
    if (at->index > at->reached)
        at->reached = at->index;
    if (at->type->kind == TYPE_UNION)
        at->index = at->type->u.record->count; /* one member only */
}

static bool push(struct filler *f, struct cursor *c, struct type *type, uint64_t offset)
{
    if (c->depth == MAX_NESTING)
        return lang_refuse(f->p, "initialiser is nested too deeply");
    c->frame[c->depth++] = (struct frame){.type = type, .offset = offset};
    return true;
}

/* ---- designators ------------------------------------------------------------------------ */

static bool enter(struct filler *f, struct cursor *c)
{
    struct frame *at = &c->frame[c->depth - 1];
    struct field *bitfield;
    uint64_t offset;
    struct type *t = next_member(f, c, &offset, &bitfield);
    if (!is_filled_by_members(t))
        return lang_refuse(f->p, "designator in initialiser for scalar type");
    advance(at);
    return push(f, c, t, offset);
}

static bool step_to_field(struct filler *f, struct cursor *c, struct step *s)
{
    struct frame *at = &c->frame[c->depth - 1];
    struct list path = {0};
    if (!lang_is_record(at->type))
        return lang_refuse(f->p, "field name not in record or union initialiser");
    s->field = lang_field_find(at->type->u.record, s->name, &path, &f->p->arena);
    if (!s->field)
        return lang_refuse(f->p, "unknown field '%s' specified in initialiser", s->name);
    for (size_t i = 0; i < path.n; i++) {
        const struct field *field = path.at[i];
        c->frame[c->depth - 1].index = field->index;
        if (i + 1 < path.n && !enter(f, c))
            return false;
    }
    return true;
}

static bool is_negative(const struct program *p, const struct node *index, u128 value)
{
    return lang_int_signed(p, index->type) && value >> (lang_int_width(p, index->type) - 1) & 1;
}

static bool step_to_element(struct filler *f, struct cursor *c, struct step *s)
{
    struct frame *at = &c->frame[c->depth - 1];
    u128 first, last;
    if (lang_is_record(at->type))
        return lang_refuse(f->p, "array index in non-array initialiser");
    if (!lang_constant(f->p, s->index, &first) ||
        !lang_constant(f->p, s->last ? s->last : s->index, &last))
        return lang_refuse(f->p, "nonconstant array index in initialiser");
    bool sized = !(at->type->flags & TYPE_UNSIZED);
    if (is_negative(f->p, s->index, first) || last < first ||
        (sized && last >= at->type->u.count) || last >> 40)
        return lang_refuse(f->p, "array index in initialiser exceeds array bounds");
    s->first = (uint64_t)first;
    s->end = (uint64_t)last + 1;
    at->index = s->first;
    if (s->end - s->first > 1) {
        struct ranges *r = &c->ranges;
        c->ranged[r->count] = (uint8_t)(c->depth - 1);
        r->by[r->count].n = s->end - s->first;
        r->by[r->count++].stride = lang_sizeof(f->p, at->type->base);
    }
    return true;
}

static bool follow(struct filler *f, struct cursor *c, struct path *path)
{
    c->depth = 1;
    c->ranges.count = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        struct step *s = &path->steps[i];
        if (i > 0 && !enter(f, c))
            return false;
        if (s->index ? !step_to_element(f, c, s) : !step_to_field(f, c, s))
            return false;
    }
    return true;
}

/* The element was for the first of each range: what follows it stands after the last one. */
static void leave_ranges(struct cursor *c)
{
    for (uint32_t i = c->ranges.count; i-- > 0;) {
        uint64_t more = c->ranges.by[i].n - 1;
        struct frame *at = &c->frame[c->ranged[i]];
        at->index += more;
        at->reached = at->index > at->reached ? at->index : at->reached;
        for (uint32_t k = c->ranged[i] + 1u; k < c->depth; k++)
            c->frame[k].offset += more * c->ranges.by[i].stride;
    }
    c->ranges.count = 0;
}

/* ---- elements --------------------------------------------------------------------------- */

static bool is_string_for(const struct program *p, const struct node *v, const struct type *t)
{
    if (v->kind != NODE_STRING || t->kind != TYPE_ARRAY || !lang_is_integer(t->base))
        return false;
    if (v->u.string->unit == 1)
        return lang_is_char_array(t);
    return lang_sizeof(p, t->base) == v->u.string->unit;
}

/* A flexible array that a string initialises is as long as the string (GNU). */
static struct type *string_type(struct program *p, const struct node *v, struct type *t)
{
    if (!(t->flags & TYPE_UNSIZED))
        return t;
    return lang_array(p, t->base, v->u.string->size / v->u.string->unit);
}

static struct node **element_slot(struct node **slot)
{
    return (*slot)->kind == NODE_DESIGNATED ? &(*slot)->kid[0] : slot;
}

/* Elements without a size have no room for a value: none of the array has, however many there are.
 * True: it is an excess element of an array that has no end. */
static bool skip_empty_elements(struct frame *at)
{
    bool endless = at->type->flags & TYPE_UNSIZED;
    if (endless)
        advance(at);
    else
        at->index = at->type->u.count;
    return endless;
}

/* Elements of a flexible array member are no more C than excess ones are: 6.7.2.1p18. */
static void note_flexible(struct filler *f, const struct type *array, uint64_t offset)
{
    f->p->excess |= array->flags & TYPE_UNSIZED && offset > 0;
}

/* A value without braces for the next free subobject, entering aggregates as needed. */
static bool fill_value(struct filler *f, struct cursor *c, struct node **slot)
{
    for (;;) {
        struct frame *at = &c->frame[c->depth - 1];
        if (is_full(at)) {
            if (c->depth-- == 1) {
                f->p->excess = true; /* a warning */
                return true;
            }
            continue;
        }
        struct field *bitfield;
        uint64_t offset;
        note_flexible(f, at->type, at->offset);
        struct type *t = next_member(f, c, &offset, &bitfield);
        bool whole = is_string_for(f->p, *slot, t) || !is_filled_by_members(t) ||
                     lang_compatible(f->p, (*slot)->type, t);
        if (!whole && !lang_is_record(at->type) && lang_sizeof(f->p, t) == 0) {
            if (skip_empty_elements(at))
                return true;
            continue;
        }
        if (!whole) {
            f->mixed = f->mixed ||
                       c->ranges.count > 0; /* gcc repeats one member, clang all of them */
            advance(at);
            if (!push(f, c, t, offset))
                return false;
            continue;
        }
        if (is_string_for(f->p, *slot, t)) {
            t = string_type(f->p, *slot, t);
        } else {
            *slot = lang_convert(f->p, *slot, t);
            if (!*slot)
                return false;
        }
        item_forget(f, offset, t, bitfield, &c->ranges);
        item_add(f, offset, bitfield, t, *slot);
        item_repeat(f, f->count - 1, &c->ranges);
        advance(at);
        return true;
    }
}

static bool fill_scalar(struct filler *f, struct type *type, struct node *list, uint64_t offset,
                        struct field *bitfield)
{
    list->type = type;
    if (list->count == 0)
        return true; /* C23 and GNU: {} */
    f->p->excess |= list->count > 1;
    if (list->kid[0]->kind == NODE_DESIGNATED)
        return lang_refuse(f->p, "designator in initialiser for scalar type");
    struct node **slot = &list->kid[0];
    if ((*slot)->kind == NODE_INIT)
        return fill_scalar(f, type, *slot, offset, bitfield);
    *slot = lang_convert(f->p, *slot, type);
    if (!*slot)
        return false;
    item_add(f, offset, bitfield, type, *slot);
    return true;
}

/* A braced element for the next subobject. */
static bool fill_braced(struct filler *f, struct cursor *c, struct node *list)
{
    while (c->depth && is_full(&c->frame[c->depth - 1]))
        c->depth--;
    if (c->depth == 0)
        return lang_refuse(f->p, "extra brace group at end of initialiser");
    struct field *bitfield;
    struct frame *at = &c->frame[c->depth - 1];
    uint64_t offset, reached;
    struct type *t = next_member(f, c, &offset, &bitfield);
    item_forget(f, offset, t, bitfield, &c->ranges);
    uint32_t before = f->count;
    if (!is_filled_by_members(t) ? !fill_scalar(f, t, list, offset, bitfield)
                                 : !fill_list(f, t, list, offset, &reached))
        return false;
    item_repeat(f, before, &c->ranges);
    advance(at);
    return true;
}

static bool fill_element(struct filler *f, struct cursor *c, struct node **slot)
{
    struct node *element = *slot;
    if (element->kind == NODE_DESIGNATED && !follow(f, c, element->u.path))
        return false;
    struct node **value = element_slot(slot);
    if ((*value)->kind == NODE_INIT ? !fill_braced(f, c, *value) : !fill_value(f, c, value))
        return false;
    leave_ranges(c);
    return true;
}

/* The whole of a braced list, for an object of the type at the offset. */
static bool fill_list(struct filler *f, struct type *type, struct node *list, uint64_t offset,
                      uint64_t *reached)
{
    type = type->canon;
    list->type = type;
    *reached = 0;
    note_flexible(f, type, offset);
    if (!is_filled_by_members(type))
        return fill_scalar(f, type, list, offset, NULL);
    if (list->count == 1 && is_string_for(f->p, list->kid[0], type)) {
        *reached = list->kid[0]->u.string->size / list->kid[0]->u.string->unit;
        item_add(f, offset, NULL, string_type(f->p, list->kid[0], type), list->kid[0]);
        return true;
    }
    struct cursor c;
    c.depth = 1;
    c.ranges.count = 0;
    c.frame[0] = (struct frame){.type = type, .offset = offset};
    for (uint32_t i = 0; i < list->count && c.depth > 0; i++)
        if (!fill_element(f, &c, &list->kid[i]))
            return false;
    *reached = c.frame[0].reached;
    return true;
}

/* ---- whole objects ---------------------------------------------------------------------- */

static struct node *initialise_list(struct program *p, struct type **type, struct node *list)
{
    struct filler f = {.p = p};
    uint64_t reached = 0;
    if (!lang_is_complete(*type) && !lang_is_kind(*type, TYPE_ARRAY))
        return lang_refuse(p, "variable has incomplete type %s", lang_type_text(p, *type));
    if (!fill_list(&f, *type, list, 0, &reached))
        return NULL;
    if (lang_is_kind(*type, TYPE_ARRAY) && (*type)->canon->flags & TYPE_UNSIZED)
        *type = lang_array(p, (*type)->canon->base, reached);
    struct init *init = NEW(&p->arena, struct init);
    init->items = f.items;
    init->count = f.count;
    init->mixed = f.mixed;
    init->size = lang_sizeof(p, *type);
    if (f.high > init->size)
        init->size = f.high;
    list->u.init = init;
    list->type = (*type)->canon;
    return list;
}

/* An array from a string, or (GNU) from another array. */
static struct node *initialise_array(struct program *p, struct type **type, struct node *value)
{
    struct type *array = (*type)->canon;
    bool fits = is_string_for(p, value, array) || (lang_compatible(p, value->type, array));
    if (!fits)
        return lang_refuse(p, "invalid initialiser for %s", lang_type_text(p, *type));
    if (array->flags & TYPE_UNSIZED)
        *type = lang_array(p, array->base, value->type->u.count);
    return value;
}

struct node *lang_initialise(struct program *p, struct type **type, struct node *init)
{
    /* C11 6.7.9p3, 6.5.2.5p1 */
    if (lang_is_kind(*type, TYPE_ARRAY) && ((*type)->canon->flags & TYPE_VARIABLE))
        return lang_refuse(p, "an object of variable size may not be initialised");
    if (init->kind == NODE_INIT)
        return initialise_list(p, type, init);
    if (lang_is_kind(*type, TYPE_ARRAY))
        return initialise_array(p, type, init);
    return lang_convert(p, init, *type);
}
