/* Are two programs the same tree?  Used to prove that print and parse are inverse. */
#include "lang/private.h"

#include <string.h>

struct comparison {
    const struct program *a, *b;
    struct err *why;
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_type(const struct type *a, const struct type *b);

static bool same_functions(const struct type *a, const struct type *b)
{
    const struct function_type *f = a->u.function, *g = b->u.function;
    if (f->count != g->count)
        return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!same_type(f->types[i], g->types[i]))
            return false;
    return true;
}

/* Canonical types of different programs; records by tag and size, to end recursion. */
static bool same_type(const struct type *a, const struct type *b)
{
    if (!a || !b)
        return a == b;
    a = a->canon;
    b = b->canon;
    if (a->kind != b->kind || a->quals != b->quals || a->flags != b->flags || a->align != b->align)
        return false;
    switch (a->kind) {
    case TYPE_STRUCT:
    case TYPE_UNION:
        return same_text(a->u.record->tag, b->u.record->tag) &&
               a->u.record->size == b->u.record->size && a->u.record->count == b->u.record->count;
    case TYPE_ENUM:
        return same_text(a->u.enumeration->tag, b->u.enumeration->tag) &&
               a->u.enumeration->count == b->u.enumeration->count;
    case TYPE_FUNCTION:
        return same_type(a->base, b->base) && same_functions(a, b);
    case TYPE_ARRAY:
    case TYPE_VECTOR:
        return same_type(a->base, b->base) && a->u.count == b->u.count;
    default:
        return same_type(a->base, b->base);
    }
}

static bool same_string(const struct string *a, const struct string *b)
{
    return a->size == b->size && a->unit == b->unit && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool same_payload(const struct node *a, const struct node *b)
{
    switch (a->kind) {
    case NODE_INT:
    case NODE_FLOAT:
        return a->u.value->bits == b->u.value->bits;
    case NODE_STRING:
        return same_string(a->u.string, b->u.string);
    case NODE_NAME:
    case NODE_ENUMERATOR:
        return same_text(a->u.decl->name, b->u.decl->name);
    case NODE_MEMBER:
    case NODE_FIELD:
        return same_text(a->u.field->name, b->u.field->name) &&
               a->u.field->offset == b->u.field->offset && a->u.field->bit == b->u.field->bit &&
               a->u.field->width == b->u.field->width;
    case NODE_SIZEOF:
    case NODE_ALIGNOF:
    case NODE_VA_ARG:
    case NODE_VECTOR_CONVERT:
    case NODE_BIT_CAST:
        return same_type(a->u.operand, b->u.operand);
    case NODE_OFFSETOF:
        return a->u.offsetof_->value == b->u.offsetof_->value;
    case NODE_GENERIC:
        return a->u.generic->chosen == b->u.generic->chosen;
    case NODE_LABEL:
    case NODE_GOTO:
    case NODE_LABEL_ADDR:
        return same_text(a->u.label->name, b->u.label->name);
    case NODE_CASE:
        return a->u.case_->low == b->u.case_->low && a->u.case_->high == b->u.case_->high;
    case NODE_DECLARATOR:
        return same_text(a->u.declarator->decl->name, b->u.declarator->decl->name) &&
               same_type(a->u.declarator->decl->type, b->u.declarator->decl->type) &&
               a->u.declarator->decl->linkage == b->u.declarator->decl->linkage;
    default:
        return true;
    }
}

static bool part(const struct comparison *c, const struct node *a, const struct node *b,
                 const char *what)
{
    struct place x = lang_place(c->a, a->begin), y = lang_place(c->b, b->begin);
    return fail(c->why, "%s and %s differ in %s at %s:%u:%u and %s:%u:%u",
                lang_node_info[a->kind].name, lang_node_info[b->kind].name, what,
                x.file ? x.file : "?", x.line, x.column, y.file ? y.file : "?", y.line, y.column);
}

/* Braces that the printer added around one statement, and statements that stand for nothing. */
static const struct node *without_braces(const struct node *n)
{
    while (n && n->kind == NODE_BLOCK && n->count == 1 && n->kid[0]->kind != NODE_DECL)
        n = n->kid[0];
    return n;
}

/* The kid as it counts: `else ;` is no else. */
static const struct node *kid_of(const struct node *n, uint32_t i)
{
    const struct node *kid = without_braces(n->kid[i]);
    return n->kind == NODE_IF && i == 2 && kid && kid->kind == NODE_EMPTY ? NULL : kid;
}

static bool same_node(const struct comparison *c, const struct node *a, const struct node *b)
{
    a = without_braces(a);
    b = without_braces(b);
    if (!a || !b)
        return a == b || part(c, a ? a : c->a->unit, b ? b : c->b->unit, "presence");
    if (a->kind != b->kind)
        return part(c, a, b, "kind");
    uint16_t ignored = NODE_GNU | NODE_CHAR;
    if (a->kind == NODE_EMPTY) /* behind a label at the end of a block */
        ignored |= NODE_IMPLICIT;
    if (a->op != b->op || (a->flags & ~ignored) != (b->flags & ~ignored))
        return part(c, a, b, "operator");
    if (lang_node_info[a->kind].class == NODE_CLASS_EXPR && !same_type(a->type, b->type))
        return part(c, a, b, "type");
    if (!same_payload(a, b))
        return part(c, a, b, "value");
    if (a->count != b->count)
        return part(c, a, b, "number of parts");
    for (uint32_t i = 0; i < a->count; i++)
        if (!same_node(c, kid_of(a, i), kid_of(b, i)))
            return false;
    return true;
}

bool lang_same_program(const struct program *a, const struct program *b, struct err *why)
{
    struct comparison c = {a, b, why};
    return same_node(&c, a->unit, b->unit);
}
