/* struct, union and enum specifiers (C11 6.7.2.1, 6.7.2.2). */
#include "front/private.h"

#include <string.h>

static struct ident *parse_tag(struct parser *p)
{
    struct ident *tag = p->tok.kind == TOKEN_IDENT ? p->tok.ident : NULL;
    if (tag)
        tok_next(p);
    return tag;
}

/* ---- members ---------------------------------------------------------------------------- */

static void parse_width(struct parser *p, struct field *f, struct node **width)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct type *type;
    u128 value = parse_constant(p, width, &type);
    if (!lang_is_integer(f->type))
        parse_error_at(p, begin, "bit-field has invalid type");
    unsigned limit = lang_int_width(program, f->type);
    bool minus = lang_int_signed(program, type) && value >> (lang_int_width(program, type) - 1) & 1;
    if (minus || value > limit)
        parse_error_at(p, begin, minus ? "negative width in bit-field" : "width exceeds its type");
    if (value == 0 && f->name)
        parse_error_at(p, begin, "zero width for bit-field '%s'", f->name);
    f->is_bitfield = true;
    f->width = (uint32_t)value;
}

static void check_field_type(struct parser *p, const struct field *f, uint32_t begin)
{
    if (lang_is_kind(f->type, TYPE_FUNCTION))
        parse_error_at(p, begin, "field '%s' declared as a function", f->name ? f->name : "");
    bool flexible = f->type->canon->flags & TYPE_UNSIZED && f->type->canon->kind == TYPE_ARRAY;
    if (!lang_is_complete(f->type) && !flexible)
        parse_error_at(p, begin, "field '%s' has incomplete type", f->name ? f->name : "");
    const struct type *t = f->type->canon;
    if (p->depth == 0 && t->kind == TYPE_ARRAY && t->flags & TYPE_VARIABLE && t->u.length &&
        constant_refused(p, t->u.length))
        parse_error_at(p, begin, "variably modified '%s' at file scope", f->name ? f->name : "");
}

/* C11 6.7.2.1p18 */
static void check_flexible(struct parser *p, const struct list *fields)
{
    const struct field *last = fields->n ? fields->at[fields->n - 1] : NULL;
    const struct type *t = last ? last->type->canon : NULL;
    if (t && t->kind == TYPE_ARRAY && t->flags & TYPE_UNSIZED)
        parse_error_at(p, p->tok.begin, "flexible array member '%s' not at end of struct",
                       last->name ? last->name : "");
}

/* C11 6.7.2.1p18: a structure's last member, and not its only one. */
static void check_flexible_place(struct parser *p, const struct list *fields, bool is_union)
{
    bool named = false;
    for (size_t i = 0; i < fields->n; i++) {
        const struct field *f = fields->at[i];
        const struct type *t = f->type->canon;
        bool flexible = t->kind == TYPE_ARRAY && t->flags & TYPE_UNSIZED;
        if (flexible && is_union)
            parse_error_at(p, p->tok.begin, "flexible array member in union");
        if (flexible && !named)
            parse_error_at(p, p->tok.begin,
                           "flexible array member in a struct with no named members");
        named = named || f->name || lang_is_record(t);
    }
}

static struct node *parse_field(struct parser *p, const struct specifiers *s, struct list *fields)
{
    check_flexible(p, fields);
    struct field *f = NEW(&p->program->arena, struct field);
    struct attributes after;
    struct declared d = {.begin = p->tok.begin, .type = s->type};
    struct node *width = NULL;
    attr_start(&after);
    if (p->tok.kind != TOKEN_COLON)
        parse_declarator(p, s->type, DECLARE_NAMED, &d);
    uint32_t begin = d.begin;
    if (d.for_parameter)
        parse_error_at(p, begin, "'static' or a qualifier in an array that is no parameter");
    f->name = d.ident ? d.ident->name : NULL;
    f->type = d.type;
    if (tok_accept(p, TOKEN_COLON))
        parse_width(p, f, &width);
    parse_attributes(p, &after);
    f->type = attr_apply(p, f->type, &after);
    f->attrs = after.first;
    f->packed = s->attrs.packed || after.packed;
    f->align = s->attrs.align > after.align ? s->attrs.align : after.align;
    f->align = s->align > f->align ? s->align : f->align;
    if (s->align && f->is_bitfield) /* C11 6.7.5p2 */
        parse_error_at(p, begin, "alignment specified for bit-field '%s'", f->name ? f->name : "");
    check_field_type(p, f, begin);
    struct node *n = with_extent(p, lang_node(p->program, NODE_FIELD, &width, 1), begin);
    n->u.field = f;
    n->type = f->type;
    f->node = n;
    list_add(&p->program->arena, fields, f);
    return n;
}

/* A structure or union without tag and declarator: its members are the outer one's. */
static struct node *anonymous_member(struct parser *p, const struct specifiers *s,
                                     struct list *fields)
{
    struct field *f = NEW(&p->program->arena, struct field);
    f->type = s->type;
    f->packed = s->attrs.packed;
    f->align = s->attrs.align;
    struct node *width = NULL;
    struct node *n = lang_node(p->program, NODE_FIELD, &width, 1);
    n->u.field = f;
    n->type = f->type;
    f->node = n;
    list_add(&p->program->arena, fields, f);
    return n;
}

static struct node *parse_fields(struct parser *p, struct list *fields)
{
    struct specifiers s;
    uint32_t begin = p->tok.begin, mark = pending_mark(p);
    parse_specifiers(p, &s, false);
    if (!s.has_type)
        parse_error_at(p, begin, "expected a type before '%s'",
                       source_between(p, p->tok.begin, p->tok.end));
    if (p->tok.kind != TOKEN_SEMI && p->tok.kind != TOKEN_RBRACE) {
        do
            pending_push(p, parse_field(p, &s, fields));
        while (tok_accept(p, TOKEN_COMMA));
    } else if (lang_is_record(s.type) && !s.type->canon->u.record->tag) {
        pending_push(p, anonymous_member(p, &s, fields));
    }
    if (p->tok.kind != TOKEN_RBRACE) /* gcc forgives the last ; */
        tok_expect(p, TOKEN_SEMI);
    uint32_t count;
    struct node **kids = pending_take(p, mark, &count);
    struct node *n = with_extent(p, lang_node(p->program, NODE_DECL, kids, count), begin);
    n->type = s.written;
    n->u.specs = s.specs;
    return n;
}

static struct node *parse_member(struct parser *p, struct list *fields)
{
    if (p->tok.kind == TOKEN_PRAGMA)
        return parse_pragma(p);
    if (p->tok.kind == TOKEN_STATIC_ASSERT)
        return parse_static_assert(p);
    return parse_fields(p, fields);
}

static const struct record *anonymous(const struct field *f)
{
    return !f->name && !f->is_bitfield && lang_is_record(f->type->canon) ? f->type->canon->u.record
                                                                         : NULL;
}

/* The name that both declare, members of anonymous structures and unions included; or NULL. */
static const char *shared_name(const struct field *a, const struct field *b)
{
    const struct record *r = anonymous(a), *s = anonymous(b);
    const char *name = a->name && a->name == b->name ? a->name : NULL;
    for (uint32_t i = 0; r && i < r->count && !name; i++)
        name = shared_name(r->fields[i], b);
    for (uint32_t i = 0; !r && s && i < s->count && !name; i++)
        name = shared_name(a, s->fields[i]);
    return name;
}

static void check_names(struct parser *p, const struct list *fields)
{
    if (fields->n > 500)
        return; /* not worth the square */
    for (size_t i = 0; i < fields->n; i++)
        for (size_t k = 0; k < i; k++) {
            const struct field *f = fields->at[i];
            const char *name = shared_name(f, fields->at[k]);
            if (name)
                parse_error_at(p, f->node ? f->node->begin : p->prev_end - 1,
                               "duplicate member '%s'", name);
        }
}

static struct node *parse_body(struct parser *p, struct record *r, struct attributes *a)
{
    uint32_t begin = p->tok.begin, mark = pending_mark(p), count;
    struct list fields = {0};
    nest_enter(p);
    tok_expect(p, TOKEN_LBRACE);
    while (p->tok.kind != TOKEN_RBRACE) {
        if (tok_accept(p, TOKEN_SEMI))
            continue;
        if (p->tok.kind == TOKEN_END)
            tok_expect(p, TOKEN_RBRACE);
        pending_push(p, parse_member(p, &fields));
    }
    tok_next(p);
    struct node **kids = pending_take(p, mark, &count);
    struct node *n = with_extent(p, lang_node(p->program, NODE_RECORD, kids, count), begin);
    parse_attributes(p, a);
    check_names(p, &fields);
    check_flexible_place(p, &fields, r->is_union);
    n->u.record = r;
    r->body = n;
    r->attrs = a->first;
    r->packed = a->packed;
    r->align = a->align;
    r->transparent = a->transparent;
    enum byte_order order = a->order ? a->order : p->order;
    r->reversed = order && (order == ORDER_LITTLE) != p->program->target->little_endian;
    lang_record_complete(p->program, r, &fields, p->pack);
    nest_leave(p);
    return n;
}

/* ---- tags ------------------------------------------------------------------------------- */

static struct type *declare_record(struct parser *p, struct ident *tag, bool is_union)
{
    struct record *r = lang_record_new(p->program, tag ? tag->name : NULL, is_union);
    if (tag)
        scope_bind_tag(p, tag, r->type);
    return r->type;
}

static void check_tag_kind(struct parser *p, const struct ident *tag, enum type_kind kind,
                           uint32_t begin)
{
    if (tag->tag->kind != kind)
        parse_error_at(p, begin, "'%s' defined as wrong kind of tag", tag->name);
}

struct type *parse_record(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    bool is_union = p->tok.kind == TOKEN_UNION;
    enum type_kind kind = is_union ? TYPE_UNION : TYPE_STRUCT;
    struct attributes a;
    attr_start(&a);
    tok_next(p);
    parse_attributes(p, &a);
    struct ident *tag = parse_tag(p);
    if (!tag && p->tok.kind != TOKEN_LBRACE)
        parse_error_at(p, p->tok.begin, "expected '{' or a tag after 'struct' or 'union'");
    bool defines = p->tok.kind == TOKEN_LBRACE, alone = p->tok.kind == TOKEN_SEMI;
    bool here = tag && tag->tag && tag->tag_depth == p->depth;
    bool visible = tag && tag->tag && (here || (!defines && !alone));
    if (visible)
        check_tag_kind(p, tag, kind, begin);
    struct type *t = visible ? tag->tag : declare_record(p, tag, is_union);
    if (!defines)
        return t->u.record->may_alias ? lang_qualified(p->program, t, QUAL_MAY_ALIAS) : t;
    if (t->u.record->complete || t->u.record->body)
        parse_error_at(p, begin, "redefinition of '%s'", tag->name);
    struct node *body = parse_body(p, t->u.record, &a);
    t->u.record->may_alias = a.may_alias;
    t = lang_definition(p->program, t, body);
    return a.may_alias ? lang_qualified(p->program, t, QUAL_MAY_ALIAS) : t;
}

/* ---- enumerations ----------------------------------------------------------------------- */

/* The first type that holds the number, which is sign-extended if minus. */
static struct type *enumerator_type(const struct program *program, u128 wide, bool minus)
{
    static const uint8_t kinds[] = {TYPE_INT,   TYPE_UINT,   TYPE_LONG,   TYPE_ULONG,
                                    TYPE_LLONG, TYPE_ULLONG, TYPE_INT128, TYPE_UINT128};
    for (size_t i = 0; i < LENGTH(kinds); i++) {
        struct type *t = lang_basic(program, kinds[i]);
        unsigned width = lang_int_width(program, t);
        bool fits = lang_int_signed(program, t)
                        ? lang_sign_extend(wide, width) == wide && (minus || !(wide >> 127))
                        : !minus && lang_wrap(wide, width) == wide;
        if (fits)
            return t;
    }
    return lang_basic(program, TYPE_UINT128);
}

struct counter {
    u128 wide; /* the next value, sign-extended */
    bool minus;
};

static struct node *parse_enumerator(struct parser *p, struct counter *c, struct list *values)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct attributes a;
    struct node *written = NULL;
    attr_start(&a);
    struct ident *id = p->tok.ident;
    tok_expect(p, TOKEN_IDENT);
    parse_attributes(p, &a);
    if (tok_accept(p, TOKEN_ASSIGN)) {
        struct type *type;
        u128 value = parse_constant(p, &written, &type);
        c->wide = value;
        if (lang_int_signed(program, type))
            c->wide = lang_sign_extend(value, lang_int_width(program, type));
        c->minus = lang_int_signed(program, type) && c->wide >> 127;
    }
    if (id->symbol && id->depth == p->depth)
        parse_error_at(p, begin, "redeclaration of '%s'", id->name);
    struct type *type = enumerator_type(program, c->wide, c->minus);
    struct decl *d = lang_decl_new(program, DECL_ENUMERATOR, id->name, type);
    d->value = lang_wrap(c->wide, lang_int_width(program, type));
    d->attrs = a.first;
    scope_bind_symbol(p, id, d);
    list_add(&program->arena, values, d);
    struct node *n = with_extent(p, lang_node(program, NODE_ENUMERATOR, &written, 1), begin);
    n->u.decl = d;
    n->type = type;
    d->node = n;
    c->wide++;
    c->minus = c->minus && c->wide >> 127;
    return n;
}

static struct node *parse_enum_body(struct parser *p, struct enumeration *e, struct attributes *a)
{
    uint32_t begin = p->tok.begin, mark = pending_mark(p), count;
    struct counter counter = {0};
    struct list values = {0};
    tok_expect(p, TOKEN_LBRACE);
    if (p->tok.kind == TOKEN_RBRACE)
        parse_error_at(p, p->tok.begin, "empty enum");
    do {
        if (p->tok.kind == TOKEN_RBRACE)
            break;
        pending_push(p, parse_enumerator(p, &counter, &values));
    } while (tok_accept(p, TOKEN_COMMA));
    tok_expect(p, TOKEN_RBRACE);
    struct node **kids = pending_take(p, mark, &count);
    struct node *n = with_extent(p, lang_node(p->program, NODE_ENUM, kids, count), begin);
    parse_attributes(p, a);
    n->u.enumeration = e;
    e->body = n;
    e->attrs = a->first;
    e->packed = a->packed;
    lang_enum_complete(p->program, e, &values);
    if (a->mode)
        e->base = attr_mode_type(p, e->base, a->mode);
    return n;
}

struct type *parse_enum(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct attributes a;
    attr_start(&a);
    tok_next(p);
    parse_attributes(p, &a);
    struct ident *tag = parse_tag(p);
    bool defines = p->tok.kind == TOKEN_LBRACE;
    if (!tag && !defines)
        parse_error_at(p, p->tok.begin, "expected '{' or a tag after 'enum'");
    bool visible = tag && tag->tag && (!defines || tag->tag_depth == p->depth);
    if (visible)
        check_tag_kind(p, tag, TYPE_ENUM, begin);
    struct type *t = visible ? tag->tag : lang_enum_new(p->program, tag ? tag->name : NULL)->type;
    if (!visible && tag)
        scope_bind_tag(p, tag, t);
    if (!defines)
        return t;
    if (t->u.enumeration->body)
        parse_error_at(p, begin, "redefinition of 'enum %s'", tag ? tag->name : "");
    return lang_definition(p->program, t, parse_enum_body(p, t->u.enumeration, &a));
}
