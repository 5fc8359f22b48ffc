/* Expressions that are no operators: constants, names, calls, members, sizeof and the like. */
#include "lang/private.h"

#include <string.h>

static struct node *constant(struct program *p, enum node_kind kind, u128 bits, struct type *type)
{
    struct node *n = lang_node(p, kind, NULL, 0);
    struct value *v = NEW(&p->arena, struct value);
    v->bits = bits;
    n->u.value = v;
    n->type = lang_unqualified(type);
    return n;
}

struct node *lang_int(struct program *p, u128 value, struct type *type)
{
    return constant(p, NODE_INT, lang_wrap(value, lang_int_width(p, type)), type);
}

struct node *lang_float(struct program *p, u128 bits, struct type *type)
{
    return constant(p, NODE_FLOAT, bits, type);
}

/* C11 6.4.5p6: an array of char, wchar_t, char16_t or char32_t. */
struct node *lang_string(struct program *p, const struct string *s)
{
    struct type *unit = lang_basic(p, TYPE_CHAR);
    if (strcmp(s->prefix, "L") == 0)
        unit = lang_wchar_type(p);
    else if (s->unit > 1)
        unit = lang_int_of_size(p, s->unit, false);
    struct node *n = lang_node(p, NODE_STRING, NULL, 0);
    n->u.string = s;
    n->flags = NODE_LVALUE;
    n->type = lang_array(p, unit, s->size / s->unit);
    return n;
}

struct node *lang_name(struct program *p, struct decl *d)
{
    struct node *n = lang_node(p, NODE_NAME, NULL, 0);
    n->u.decl = d;
    n->type = d->type->canon;
    d->used = true;
    if (d->kind == DECL_VAR || d->kind == DECL_PARAM)
        n->flags = NODE_LVALUE;
    return n;
}

/* ---- calls ------------------------------------------------------------------------------ */

static const struct decl *called_builtin(const struct node *callee)
{
    while (callee->kind == NODE_CAST && callee->flags & NODE_IMPLICIT)
        callee = callee->kid[0];
    if (callee->kind != NODE_NAME || callee->u.decl->kind != DECL_FUNC)
        return NULL;
    return callee->u.decl->builtin ? callee->u.decl : NULL;
}

/* A library function that nothing declares, called with a number of arguments that is not its
 * own: the program means another function. */
static bool is_misused(const struct decl *d, uint32_t n)
{
    const struct type *t = d->type->canon;
    uint32_t count = t->u.function->count;
    bool own = n == count || (n > count && t->flags & TYPE_VARIADIC);
    return strncmp(d->name, "__", 2) != 0 && !own;
}

static struct node *call_node(struct program *p, struct node *callee, struct node **args,
                              uint32_t n, struct type *result)
{
    struct node *small[8], **kids = small;
    if (n + 1 > LENGTH(small))
        kids = NEW_ARRAY(&p->arena, n + 1, struct node *);
    kids[0] = callee;
    if (n)
        memcpy(kids + 1, args, n * sizeof *args);
    struct node *call = lang_node(p, NODE_CALL, kids, n + 1);
    call->type = result;
    return call;
}

/* Converts the arguments in place: to the parameters' types, or promoted (C11 6.5.2.2). */
static bool convert_args(struct program *p, const struct type *fn, struct node **args, uint32_t n)
{
    const struct function_type *f = fn->u.function;
    bool prototype = fn->flags & TYPE_PROTOTYPE;
    if (prototype && n < f->count)
        return lang_refuse(p, "too few arguments to function");
    if (prototype && n > f->count && !(fn->flags & TYPE_VARIADIC))
        return lang_refuse(p, "too many arguments to function");
    for (uint32_t i = 0; i < n; i++) {
        bool typed = prototype && i < f->count;
        if (lang_is_record(args[i]->type->canon) && !lang_is_complete(args[i]->type))
            return lang_refuse(p, "argument of incomplete type");
        args[i] = typed ? lang_convert(p, args[i], f->types[i]) : lang_promote(p, args[i]);
        if (!args[i])
            return false;
    }
    return true;
}

struct node *lang_call(struct program *p, struct node *callee, struct node **args, uint32_t n)
{
    callee = lang_rvalue(p, callee);
    if (callee->type->kind != TYPE_POINTER || callee->type->base->kind != TYPE_FUNCTION)
        return lang_refuse(p, "called object is not a function");
    const struct decl *builtin = called_builtin(callee);
    if (builtin && builtin->implicit && !is_misused(builtin, n)) {
        struct type *result = lang_builtin_args(p, builtin, args, n);
        return result ? call_node(p, callee, args, n, result->unqual) : NULL;
    }
    const struct type *fn = callee->type->base;
    if (builtin && builtin->implicit)
        fn = lang_function(p, fn->base, NULL, 0, 0)->canon;
    if (!convert_args(p, fn, args, n))
        return NULL;
    if (fn->base->kind != TYPE_VOID && !lang_is_complete(fn->base))
        return lang_refuse(p, "call of a function with incomplete result type");
    return call_node(p, callee, args, n, fn->base->unqual);
}

/* ---- members and elements --------------------------------------------------------------- */

struct node *lang_index(struct program *p, struct node *a, struct node *b)
{
    bool vector = a->type->kind == TYPE_VECTOR && lang_is_integer(b->type);
    struct node *kids[2] = {vector ? a : lang_rvalue(p, a), lang_rvalue(p, b)};
    struct type *of = NULL;
    if (vector)
        of = lang_qualified(p, a->type->base, a->type->quals);
    else if (kids[0]->type->kind == TYPE_POINTER && lang_is_integer(kids[1]->type))
        of = kids[0]->type->base;
    else if (kids[1]->type->kind == TYPE_POINTER && lang_is_integer(kids[0]->type))
        of = kids[1]->type->base;
    if (!of || of->kind == TYPE_FUNCTION)
        return lang_refuse(p, "subscripted value is neither array nor pointer nor vector");
    if (lang_is_record(of->canon) && !lang_is_complete(of))
        return lang_refuse(p, "incomplete type %s", lang_type_text(p, of));
    struct node *n = lang_node(p, NODE_INDEX, kids, 2);
    n->type = of;
    n->flags = vector ? a->flags & NODE_LVALUE : NODE_LVALUE;
    return n;
}

/* One step from a structure (or a pointer to one) to its member. */
static struct node *member_step(struct program *p, struct node *a, struct field *f, bool arrow)
{
    struct type *of = arrow ? a->type->base : a->type;
    struct node *n = lang_node(p, NODE_MEMBER, &a, 1);
    n->u.field = f;
    n->type = lang_qualified(p, f->type->canon, of->quals & ~(unsigned)QUAL_RESTRICT);
    n->flags = arrow ? NODE_ARROW | NODE_LVALUE : a->flags & NODE_LVALUE;
    n->begin = a->begin;
    n->end = a->end;
    return n;
}

struct node *lang_member(struct program *p, struct node *a, const char *name, bool arrow)
{
    if (arrow)
        a = lang_rvalue(p, a);
    struct type *of = arrow && a->type->kind == TYPE_POINTER ? a->type->base : a->type;
    if ((arrow && a->type->kind != TYPE_POINTER) || !lang_is_record(of))
        return lang_refuse(p, "request for member '%s' in something not a structure or union",
                           name);
    if (!of->u.record->complete)
        return lang_refuse(p, "incomplete type %s", lang_type_text(p, of));
    struct field *direct = lang_field_direct(of->u.record, name);
    if (direct)
        return member_step(p, a, direct, arrow);
    struct list path = {0};
    if (!lang_field_find(of->u.record, name, &path, &p->arena))
        return lang_refuse(p, "%s has no member named '%s'", lang_type_text(p, of), name);
    for (size_t i = 0; i < path.n; i++) {
        a = member_step(p, a, path.at[i], arrow && i == 0);
        if (i + 1 < path.n)
            a->flags |= NODE_IMPLICIT;
    }
    return a;
}

/* ---- sizeof and friends ----------------------------------------------------------------- */

static struct node *measure(struct program *p, enum node_kind kind, struct node *a,
                            struct type *type)
{
    struct node *n = lang_node(p, kind, &a, a ? 1 : 0);
    n->u.operand = type;
    n->type = lang_size_type(p);
    bool known = lang_is_complete(type) || lang_is_kind(type, TYPE_VOID);
    return known ? n : lang_refuse(p, "size of incomplete type %s", lang_type_text(p, type));
}

struct node *lang_sizeof_expr(struct program *p, struct node *a)
{
    if (a->kind == NODE_MEMBER && a->u.field->is_bitfield)
        return lang_refuse(p, "sizeof applied to a bit-field");
    return measure(p, NODE_SIZEOF, a, a->type);
}

struct node *lang_sizeof_type(struct program *p, struct type *type)
{
    return measure(p, NODE_SIZEOF, NULL, type);
}

struct node *lang_alignof_expr(struct program *p, struct node *a)
{
    struct type *type = a->type;
    if (a->kind == NODE_MEMBER && a->u.field->is_bitfield)
        return lang_refuse(p, "alignof applied to a bit-field");
    if (a->kind == NODE_NAME && a->u.decl->align)
        type = lang_aligned(p, type, a->u.decl->align);
    if (a->kind == NODE_MEMBER && a->u.field->align > lang_alignof(p, type))
        type = lang_aligned(p, type, a->u.field->align);
    if (type->kind == TYPE_ARRAY && type->flags & TYPE_UNSIZED)
        type = type->base;
    return measure(p, NODE_ALIGNOF, a, type);
}

struct node *lang_alignof_type(struct program *p, struct type *type)
{
    return measure(p, NODE_ALIGNOF, NULL, type);
}

/* ---- objects and blocks ----------------------------------------------------------------- */

struct node *lang_literal(struct program *p, struct type *type, struct node *init)
{
    struct type *completed = type->canon;
    init = lang_initialise(p, &completed, init);
    if (!init)
        return NULL;
    struct node *n = lang_node(p, NODE_LITERAL, &init, 1);
    struct declarator *d = NEW(&p->arena, struct declarator);
    d->decl = lang_decl_new(p, DECL_VAR, NULL, completed);
    d->decl->init = init;
    d->decl->node = n;
    d->type = type;
    n->u.declarator = d;
    n->type = completed->canon;
    n->flags = NODE_LVALUE;
    return n;
}

uint32_t lang_value_index(const struct node *block)
{
    uint32_t n = block->count;
    while (n && block->kid[n - 1]->kind == NODE_EMPTY)
        n--;
    return n ? n - 1 : block->count;
}

/* Its value is that of the last statement, when that is an expression. */
struct node *lang_stmt_expr(struct program *p, struct node *block)
{
    struct node *n = lang_node(p, NODE_STMT_EXPR, &block, 1);
    n->type = lang_basic(p, TYPE_VOID);
    uint32_t at = lang_value_index(block);
    struct node *last = at < block->count ? block->kid[at] : NULL;
    while (last && last->kind == NODE_LABEL)
        last = last->kid[0];
    if (!last || last->kind != NODE_EXPR_STMT)
        return n;
    last->kid[0] = lang_rvalue(p, last->kid[0]);
    n->type = last->kid[0]->type->unqual;
    return n;
}
