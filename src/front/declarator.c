/* Declarators (C11 6.7.6), concrete and abstract.
 *
 * A declarator is read from the outside in, but builds its type from the inside out, so its
 * parts are collected first, nearest to the name first, and then applied from the last. */
#include "front/private.h"

enum part_kind { PART_POINTER, PART_ARRAY, PART_FUNCTION, PART_ATTRIBUTES };

struct part {
    uint8_t kind; /* enum part_kind */
    unsigned quals, flags;
    struct node *length;
    struct attr *attrs;
    struct decl **params;
    uint32_t param_count;
    struct ident **names; /* K&R */
    struct list meanings; /* struct meaning: tags and constants declared among the parameters */
    struct part *next;    /* farther from the name */
};

struct parts {
    struct part *first, **last;
    uint32_t count;
};

static struct part *add_part(struct parser *p, struct parts *parts, enum part_kind kind)
{
    struct part *part = NEW(&p->scratch, struct part);
    if (++parts->count > MAX_NESTING)
        parse_error_at(p, p->tok.begin, "declarator is too long");
    part->kind = (uint8_t)kind;
    if (!parts->last)
        parts->last = &parts->first;
    *parts->last = part;
    parts->last = &part->next;
    return part;
}

static void add_attributes(struct parser *p, struct parts *parts)
{
    struct attributes a;
    attr_start(&a);
    parse_attributes(p, &a);
    if (a.first)
        add_part(p, parts, PART_ATTRIBUTES)->attrs = a.first;
}

/* ---- arrays ----------------------------------------------------------------------------- */

static void parse_array(struct parser *p, struct parts *parts)
{
    struct part *part = add_part(p, parts, PART_ARRAY);
    tok_expect(p, TOKEN_LBRACKET);
    for (;;) {
        unsigned quals = parse_qualifiers(p);
        part->quals |= quals;
        if (tok_accept(p, TOKEN_STATIC))
            part->flags |= TYPE_STATIC;
        else if (!quals)
            break;
    }
    if (p->tok.kind == TOKEN_STAR && tok_peek(p)->kind == TOKEN_RBRACKET) {
        tok_next(p);
        part->flags |= TYPE_STAR;
    } else if (p->tok.kind != TOKEN_RBRACKET) {
        uint32_t begin = p->tok.begin;
        part->length = lang_rvalue(p->program, parse_assignment(p));
        if (!lang_is_integer(part->length->type))
            parse_error_at(p, begin, "size of array has non-integer type");
    } else {
        if (part->flags & TYPE_STATIC)
            parse_error_at(p, p->tok.begin, "expected a length after 'static'");
        part->flags |= TYPE_UNSIZED;
    }
    tok_expect(p, TOKEN_RBRACKET);
}

/* ---- functions -------------------------------------------------------------------------- */

static bool is_only_void(const struct parser *p, const struct declared *d,
                         const struct specifiers *s)
{
    return p->tok.kind == TOKEN_RPAREN && !d->ident && d->type == s->type &&
           d->type->canon->kind == TYPE_VOID && !d->type->quals;
}

static struct decl *new_param(struct parser *p, const struct specifiers *s, struct declared *d,
                              const struct attributes *after)
{
    struct type *t = attr_apply(p, d->type, after);
    struct decl *param = lang_decl_new(p->program, DECL_PARAM, d->ident ? d->ident->name : NULL, t);
    param->storage = s->specs->storage;
    if (param->storage != STORAGE_NONE && param->storage != STORAGE_REGISTER)
        parse_error_at(p, d->begin, "storage class specified for a parameter");
    if (s->align) /* C11 6.7.5p2 */
        parse_error_at(p, d->begin, "alignment specified for a parameter");
    param->attrs = s->attrs.first;
    if (after->first) {
        struct attr **end = &param->attrs;
        while (*end)
            end = &(*end)->next;
        *end = after->first;
    }
    uint32_t align = s->attrs.align > after->align ? s->attrs.align : after->align;
    param->align = align > s->align ? align : s->align;
    if (d->ident && d->ident->symbol && d->ident->depth == p->depth)
        parse_error_at(p, d->begin, "redefinition of parameter '%s'", param->name);
    if (d->ident)
        scope_bind_symbol(p, d->ident, param);
    return param;
}

static void parse_typed_params(struct parser *p, struct part *part)
{
    struct list params = {0};
    part->flags |= TYPE_PROTOTYPE;
    do {
        if (tok_accept(p, TOKEN_ELLIPSIS)) {
            part->flags |= TYPE_VARIADIC;
            break;
        }
        struct specifiers s;
        struct declared d;
        struct attributes after;
        uint32_t begin = p->tok.begin;
        attr_start(&after);
        parse_specifiers(p, &s, true);
        if (s.auto_type)
            parse_error_at(p, begin, "'__auto_type' in a parameter");
        if (!s.has_type && s.specs->storage == STORAGE_NONE)
            parse_error_at(p, begin, "expected a parameter's type before '%s'",
                           source_between(p, p->tok.begin, p->tok.end));
        parse_declarator(p, s.type, DECLARE_EITHER, &d);
        parse_attributes(p, &after);
        if (params.n == 0 && is_only_void(p, &d, &s))
            break;
        if (d.type->canon->kind == TYPE_VOID)
            parse_error_at(p, begin, "parameter has type void");
        list_add(&p->program->arena, &params, new_param(p, &s, &d, &after));
    } while (tok_accept(p, TOKEN_COMMA));
    part->params = (struct decl **)params.at;
    part->param_count = (uint32_t)params.n;
}

/* f(a, b) int a, b; */
static void parse_knr_names(struct parser *p, struct part *part)
{
    struct list names = {0};
    part->flags |= TYPE_KNR;
    do {
        if (p->tok.kind != TOKEN_IDENT)
            tok_expect(p, TOKEN_IDENT);
        list_add(&p->scratch, &names, p->tok.ident);
        tok_next(p);
    } while (tok_accept(p, TOKEN_COMMA));
    part->names = (struct ident **)names.at;
    part->param_count = (uint32_t)names.n;
}

static void parse_function(struct parser *p, struct parts *parts)
{
    struct part *part = add_part(p, parts, PART_FUNCTION);
    tok_expect(p, TOKEN_LPAREN);
    scope_enter(p);
    if (at_type(p) || at_attribute(p) || p->tok.kind == TOKEN_ELLIPSIS)
        parse_typed_params(p, part);
    else if (p->tok.kind == TOKEN_IDENT)
        parse_knr_names(p, part);
    scope_meanings(p, &part->meanings);
    scope_leave(p);
    tok_expect(p, TOKEN_RPAREN);
}

/* ---- all together ----------------------------------------------------------------------- */

/* Does the parenthesis open a parameter list, and not a nested declarator? */
static bool opens_params(struct parser *p, enum declarator_form form)
{
    if (form == DECLARE_NAMED)
        return false;
    const struct token *t = tok_peek(p);
    return t->kind == TOKEN_RPAREN || t->kind == TOKEN_ELLIPSIS ||
           (at_type_token(p, t) && t->kind != TOKEN_ATTRIBUTE);
}

static void parse_parts(struct parser *p, struct parts *parts, enum declarator_form form,
                        struct declared *d);

static void parse_direct(struct parser *p, struct parts *parts, enum declarator_form form,
                         struct declared *d)
{
    if (p->tok.kind == TOKEN_IDENT && form != DECLARE_ABSTRACT) {
        d->ident = p->tok.ident;
        d->begin = p->tok.begin;
        tok_next(p);
    } else if (p->tok.kind == TOKEN_LPAREN && !opens_params(p, form)) {
        tok_next(p);
        parse_parts(p, parts, form, d);
        tok_expect(p, TOKEN_RPAREN);
    } else if (form == DECLARE_NAMED) {
        parse_error_at(p, p->tok.begin, "expected identifier or '(' before '%s'",
                       source_between(p, p->tok.begin, p->tok.end));
    }
    for (;;) {
        if (p->tok.kind == TOKEN_LBRACKET && !at_attribute(p))
            parse_array(p, parts);
        else if (p->tok.kind == TOKEN_LPAREN)
            parse_function(p, parts);
        else
            break;
    }
}

/* Pointers are read outermost last, so they are added in reverse, behind the suffixes. */
static void parse_parts(struct parser *p, struct parts *parts, enum declarator_form form,
                        struct declared *d)
{
    nest_enter(p);
    struct parts own = {0};
    add_attributes(p, &own);
    if (tok_accept(p, TOKEN_STAR)) {
        struct parts after = {0};
        struct part pointer = {.kind = PART_POINTER};
        pointer.quals = parse_qualifiers(p);
        add_attributes(p, &after);
        pointer.quals |= parse_qualifiers(p);
        parse_parts(p, parts, form, d);
        if (after.first)
            add_part(p, parts, PART_ATTRIBUTES)->attrs = after.first->attrs;
        add_part(p, parts, PART_POINTER)->quals = pointer.quals;
    } else {
        parse_direct(p, parts, form, d);
    }
    if (own.first)
        add_part(p, parts, PART_ATTRIBUTES)->attrs = own.first->attrs;
    nest_leave(p);
}

/* C11 6.2.5p20, and what no object can have (7.20.3). */
static void check_elements(struct parser *p, const struct type *of, const struct node *length,
                           u128 n)
{
    if (of->canon->flags & (TYPE_VARIABLE | TYPE_UNSIZED))
        return;
    uint64_t size = lang_sizeof(p->program, of);
    uint32_t align = lang_alignof(p->program, of);
    if (size && n > (u128)INT64_MAX / size)
        parse_error_at(p, length->begin, "size of array is too large");
    if (align && size % align && n > 1)
        parse_error_at(p, length->begin, "size of an element is not a multiple of its alignment");
}

/* nested: some part stands nearer to the name. */
static struct type *apply_array(struct parser *p, const struct part *part, struct type *t,
                                bool nested)
{
    struct program *program = p->program;
    if (lang_is_kind(t, TYPE_FUNCTION))
        parse_error_at(p, p->prev_end, "declared as an array of functions");
    if (lang_is_kind(t, TYPE_VOID) || !lang_is_complete(t))
        parse_error_at(p, p->prev_end, "array has incomplete element type");
    if (nested && (part->quals || part->flags & TYPE_STATIC)) /* C11 6.7.6.2p1 */
        parse_error_at(p, p->prev_end, "'static' or a qualifier in an array that is no parameter");
    u128 n;
    if (part->length && lang_constant(program, part->length, &n)) {
        unsigned width = lang_int_width(program, part->length->type);
        bool minus = lang_int_signed(program, part->length->type) && n >> (width - 1) & 1;
        if (minus || n > (u128)INT64_MAX)
            parse_error_at(p, part->length->begin,
                           minus ? "size of array is negative" : "size of array is too large");
        check_elements(p, t, part->length, n);
    }
    t = lang_array_written(program, t, part->length, part->flags);
    if (part->quals) /* of the pointer that a parameter becomes: kept at the array as written */
        t->quals |= (uint8_t)part->quals;
    if (t->canon->flags & TYPE_VARIABLE && p->function)
        p->function->uses_vla = true;
    return t;
}

static struct type *apply_part(struct parser *p, const struct part *part, struct type *t,
                               bool nested)
{
    struct program *program = p->program;
    switch ((enum part_kind)part->kind) {
    case PART_POINTER:
        if (part->quals & QUAL_RESTRICT && lang_is_kind(t, TYPE_FUNCTION))
            parse_error_at(p, p->prev_end, "invalid use of 'restrict'");
        return lang_qualified(program, lang_pointer(program, t), part->quals);
    case PART_ARRAY:
        return apply_array(p, part, t, nested);
    case PART_FUNCTION:
        if (lang_is_kind(t, TYPE_FUNCTION) || lang_is_kind(t, TYPE_ARRAY))
            parse_error_at(p, p->prev_end, "function returns a function or an array");
        return lang_function(program, t, part->params, part->param_count, part->flags);
    case PART_ATTRIBUTES:
        return lang_attributed(program, t, part->attrs);
    }
    return t;
}

/* Applies from the part farthest from the name. */
static struct type *apply_parts(struct parser *p, const struct part *part, struct type *base)
{
    if (!part)
        return base;
    uint32_t n = 0;
    for (const struct part *i = part; i; i = i->next)
        n++;
    const struct part **order = NEW_ARRAY(&p->scratch, n, const struct part *);
    for (uint32_t i = n; part; part = part->next)
        order[--i] = part;
    for (uint32_t i = 0; i < n; i++)
        base = apply_part(p, order[i], base, i + 1 < n);
    return base;
}

void parse_declarator(struct parser *p, struct type *base, enum declarator_form form,
                      struct declared *d)
{
    struct parts parts = {0};
    *d = (struct declared){.begin = p->tok.begin};
    parse_parts(p, &parts, form, d);
    d->type = apply_parts(p, parts.first, base);
    const struct part *nearest = parts.first;
    while (nearest && nearest->kind == PART_ATTRIBUTES)
        nearest = nearest->next;
    d->for_parameter = nearest && nearest->kind == PART_ARRAY &&
                       (nearest->quals || nearest->flags & TYPE_STATIC);
    if (d->for_parameter && form == DECLARE_ABSTRACT)
        parse_error_at(p, d->begin, "'static' or a qualifier in an array that is no parameter");
    if (nearest && nearest->kind == PART_FUNCTION) {
        d->params = nearest->params;
        d->param_count = nearest->param_count;
        d->meanings = nearest->meanings;
        d->is_knr = nearest->names;
        d->knr_names = nearest->names;
    }
}
