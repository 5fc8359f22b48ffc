/* What an assignment has stored: a scalar, the members of a record, a bit-field.  Takes the
 * assignment, yields C text that reads them once more.  Only what can be read again without doing
 * anything, and is not volatile. */
#include "triage/private.h"

enum { STORED_MOST = 12 };

static bool is_volatile(const struct type *t)
{
    return t->canon->quals & QUAL_VOLATILE;
}

/* Names the same object however often it is evaluated? */
static bool is_steady(const struct node *n)
{
    switch (n->kind) {
    case NODE_NAME:
    case NODE_INT:
        break;
    case NODE_UNARY:
        if (n->op != OP_DEREF && n->op != OP_ADDR)
            return false;
        break;
    case NODE_CAST:
    case NODE_MEMBER:
    case NODE_INDEX:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_steady(n->kid[i]))
            return false;
    return !is_volatile(n->type);
}

static void add(struct arena *a, struct list *out, const char *text, enum see see)
{
    struct stored *s = NEW(a, struct stored);
    *s = (struct stored){text, see};
    if (see != SEE_NONE && out->n < STORED_MOST)
        list_add(a, out, s);
}

/* The value is converted to a type that holds it, whatever its width. */
static enum see see_of_bits(const struct program *p, const struct field *f)
{
    return lang_int_signed(p, f->type) ? SEE_LLONG : SEE_ULLONG;
}

static void add_members(const struct program *p, const struct type *type, const char *of,
                        struct arena *a, struct list *out)
{
    const struct type *t = type->canon->unqual;
    for (uint32_t i = 0; t->kind == TYPE_STRUCT && i < t->u.record->count; i++) {
        const struct field *f = t->u.record->fields[i];
        if (!f->name || is_volatile(f->type))
            continue;
        const char *member = arena_printf(a, "%s.%s", of, f->name);
        if (f->type->canon->unqual->kind == TYPE_STRUCT)
            add_members(p, f->type, member, a, out);
        else
            add(a, out, member, f->is_bitfield ? see_of_bits(p, f) : see_of(f->type));
    }
}

bool stored_is_readable(const struct node *assign)
{
    const struct node *left = assign->kid[0];
    return is_steady(left) && left->end > left->begin;
}

void stored_list(const struct program *p, const struct node *assign, struct arena *a,
                 struct list *out)
{
    const struct node *left = assign->kid[0];
    const struct field *field = bitfield_of(left);
    if (!stored_is_readable(assign))
        return;
    const char *text = arena_printf(a, "(%.*s)", (int)(left->end - left->begin),
                                    p->text + left->begin);
    if (field)
        add(a, out, text, see_of_bits(p, field));
    else if (see_of(left->type) != SEE_NONE)
        add(a, out, text, see_of(left->type));
    else
        add_members(p, left->type, text, a, out);
}
