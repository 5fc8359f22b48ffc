/* Primary expressions (C11 6.5.1), and builtins with a syntax of their own. */
#include "front/private.h"

#include <string.h>

/* ---- names ------------------------------------------------------------------------------ */

/* A function that nothing declares: known to the compiler, or int f() (C89 6.3.2.2). */
static struct decl *undeclared_function(struct parser *p, struct ident *id, bool called)
{
    struct program *program = p->program;
    struct decl *d = id->linked ? id->linked : lang_builtin(program, id->name);
    if (!d && called && strncmp(id->name, "__builtin_", 10) != 0) {
        struct type *t = lang_function(program, lang_basic(program, TYPE_INT), NULL, 0, 0);
        d = lang_decl_new(program, DECL_FUNC, id->name, t);
        d->implicit = program->undeclared = true;
        d->linkage = LINKAGE_EXTERNAL;
    }
    if (!d)
        return NULL;
    id->linked = d;
    id->symbol = d; /* nothing was visible, so this is the file's scope */
    id->depth = 0;
    return d;
}

static struct node *parse_name(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct ident *id = p->tok.ident;
    tok_next(p);
    struct decl *d = id->symbol;
    if (!d)
        d = undeclared_function(p, id, p->tok.kind == TOKEN_LPAREN);
    if (!d && strncmp(id->name, "__builtin_", 10) == 0)
        parse_error_at(p, begin, "unsupported builtin '%s'", id->name);
    if (!d)
        parse_error_at(p, begin, "'%s' undeclared", id->name);
    if (d->kind == DECL_TYPEDEF)
        parse_error_at(p, begin, "expected an expression before '%s'", id->name);
    bool object = d->kind == DECL_VAR || d->kind == DECL_PARAM;
    if (object && !d->is_static && d->owner && d->owner != p->function)
        d->captured = d->address_taken = true;
    return with_extent(p, lang_name(p->program, d), begin);
}

/* __func__ and its GNU spellings: as if declared at the function's start (C11 6.4.2.2). */
static struct node *parse_func_name(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin;
    struct ident *id = p->tok.ident;
    tok_next(p);
    if (p->function && id->symbol && id->symbol->owner == p->function)
        return with_extent(p, lang_name(program, id->symbol), begin);
    const char *name = p->function ? p->function->decl->name : "";
    struct string *s = NEW(&program->arena, struct string);
    *s = (struct string){name, strlen(name) + 1, 1, ""};
    struct type *t = lang_qualified(program, lang_basic(program, TYPE_CHAR), QUAL_CONST);
    struct decl *d = lang_decl_new(program, DECL_VAR, id->name, lang_array(program, t, s->size));
    d->implicit = true;
    d->is_static = true;
    d->owner = p->function;
    d->init = lang_string(program, s);
    if (p->function) {
        p->function->func_name = d;
        list_add(&program->arena, &p->function->locals, d);
    }
    id->symbol = d;
    return with_extent(p, lang_name(program, d), begin);
}

/* ---- parentheses ------------------------------------------------------------------------ */

static struct node *parse_stmt_expr(struct parser *p, uint32_t begin)
{
    if (!p->function)
        parse_error_at(p, begin, "statement expression outside of a function");
    jump_enter_region(p, p->depth + 1, true);
    struct node *block = parse_block(p, true);
    tok_expect(p, TOKEN_RPAREN);
    return with_extent(p, lang_stmt_expr(p->program, block), begin);
}

static struct node *parse_parentheses(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    tok_next(p);
    if (p->tok.kind == TOKEN_LBRACE)
        return parse_stmt_expr(p, begin);
    struct node *n = parse_expr(p);
    tok_expect(p, TOKEN_RPAREN);
    return n;
}

/* ---- _Generic --------------------------------------------------------------------------- */

static bool selects(const struct program *program, const struct type *control, const struct type *t)
{
    return !t->canon->quals && lang_compatible(program, control, t);
}

/* C11 6.5.1.1p2: is there one for that type, or a default, already? */
static bool is_associated(const struct program *program, const struct list *types,
                          const struct type *t)
{
    for (size_t i = 0; i < types->n; i++) {
        const struct type *other = types->at[i];
        if (t && other
                ? lang_compatible(program, t, other) && t->canon->quals == other->canon->quals
                : t == other)
            return true;
    }
    return false;
}

/* An array whose length is computed, or a pointer to one. */
static bool is_variable(struct parser *p, const struct type *t)
{
    for (t = t->canon; t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY; t = t->base->canon)
        if (t->kind == TYPE_ARRAY && t->flags & TYPE_VARIABLE && t->u.length &&
            constant_refused(p, t->u.length))
            return true;
    return false;
}

static struct node *parse_generic(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin, mark = pending_mark(p), count;
    struct list types = {0};
    struct generic *g = NEW(&program->arena, struct generic);
    uint32_t fallback = 0;
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    struct node *control = parse_assignment(p);
    struct type *wanted = lang_rvalue(program, control)->type;
    pending_push(p, control);
    while (tok_accept(p, TOKEN_COMMA)) {
        struct type *t = tok_accept(p, TOKEN_DEFAULT) ? NULL : parse_type_name(p);
        if (t && (!lang_is_complete(t) || lang_is_kind(t, TYPE_FUNCTION))) /* C11 6.5.1.1p2 */
            parse_error_at(p, p->prev_end, "'_Generic' association has a type without size");
        if (t && is_variable(p, t))
            parse_error_at(p, p->prev_end, "'_Generic' association has variable length type");
        if (is_associated(program, &types, t))
            parse_error_at(p, p->prev_end, "'_Generic' specifies two compatible types");
        tok_expect(p, TOKEN_COLON);
        pending_push(p, parse_assignment(p));
        list_add(&program->arena, &types, t);
        if (!t)
            fallback = (uint32_t)types.n;
        else if (!g->chosen && selects(program, wanted, t))
            g->chosen = (uint32_t)types.n;
    }
    tok_expect(p, TOKEN_RPAREN);
    g->open = g->chosen && lang_is_narrow(program, control);
    if (!g->chosen)
        g->chosen = fallback;
    if (!g->chosen)
        parse_error_at(p, begin, "'_Generic' selector is not compatible with any association");
    g->types = (struct type **)types.at;
    struct node **kids = pending_take(p, mark, &count);
    struct node *n = with_extent(p, lang_node(program, NODE_GENERIC, kids, count), begin);
    n->u.generic = g;
    n->type = n->kid[g->chosen]->type;
    n->flags = n->kid[g->chosen]->flags & NODE_LVALUE;
    return n;
}

/* ---- builtins that take types ----------------------------------------------------------- */

static struct node *parse_va_arg(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    struct node *list = parse_assignment(p);
    tok_expect(p, TOKEN_COMMA);
    struct type *type = parse_type_name(p);
    tok_expect(p, TOKEN_RPAREN);
    if (lang_is_arithmetic(list->type))
        parse_error_at(p, begin, "first argument to 'va_arg' not of type 'va_list'");
    if (!lang_is_complete(type) || type->canon->kind == TYPE_VOID)
        parse_error_at(p, begin, "second argument to 'va_arg' is of incomplete type");
    struct node *n = with_extent(p, lang_node(p->program, NODE_VA_ARG, &list, 1), begin);
    n->u.operand = type;
    n->type = lang_unqualified(type);
    return n;
}

static void offset_field(struct parser *p, struct step *s, struct type **at, u128 *offset)
{
    struct list path = {0};
    if (!lang_is_record(*at))
        parse_error_at(p, p->prev_end, "request for member '%s' in something not a structure",
                       s->name);
    s->field = lang_field_find((*at)->canon->u.record, s->name, &path, &p->program->arena);
    if (!s->field)
        parse_error_at(p, p->prev_end, "no member named '%s'", s->name);
    if (s->field->is_bitfield)
        parse_error_at(p, p->prev_end, "attempt to take address of bit-field '%s'", s->name);
    for (size_t i = 0; i < path.n; i++)
        *offset += ((const struct field *)path.at[i])->offset;
    *at = s->field->type->canon;
}

static bool offset_element(struct parser *p, struct step *s, struct type **at, u128 *offset)
{
    if ((*at)->canon->kind != TYPE_ARRAY)
        parse_error_at(p, p->prev_end, "subscripted value is not an array");
    u128 index;
    *at = (*at)->canon->base;
    if (!lang_constant(p->program, s->index, &index))
        return false;
    *offset += index * lang_sizeof(p->program, *at);
    return true;
}

/* One .name or [index]; the first name stands without its dot. */
static void parse_offset_step(struct parser *p, struct offset_of *o, struct step *s,
                              struct type **at)
{
    if (p->tok.kind == TOKEN_IDENT || tok_accept(p, TOKEN_DOT)) {
        s->name = p->tok.ident ? p->tok.ident->name : "";
        tok_expect(p, TOKEN_IDENT);
        offset_field(p, s, at, &o->value);
        return;
    }
    tok_expect(p, TOKEN_LBRACKET);
    s->index = lang_rvalue(p->program, parse_expr(p));
    tok_expect(p, TOKEN_RBRACKET);
    pending_push(p, s->index);
    o->constant = offset_element(p, s, at, &o->value) && o->constant;
}

static struct node *parse_offsetof(struct parser *p)
{
    struct program *program = p->program;
    uint32_t begin = p->tok.begin, mark = pending_mark(p), count;
    struct offset_of *o = NEW(&program->arena, struct offset_of);
    struct step steps[64];
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    o->type = parse_type_name(p);
    o->constant = true;
    tok_expect(p, TOKEN_COMMA);
    struct type *at = o->type;
    if (!lang_is_complete(at))
        parse_error_at(p, begin, "offset in incomplete type");
    if (p->tok.kind != TOKEN_IDENT)
        tok_expect(p, TOKEN_IDENT);
    do {
        if (o->path.count == LENGTH(steps))
            parse_error_at(p, begin, "too many designators");
        steps[o->path.count] = (struct step){0};
        parse_offset_step(p, o, &steps[o->path.count++], &at);
    } while (p->tok.kind == TOKEN_DOT || p->tok.kind == TOKEN_LBRACKET);
    tok_expect(p, TOKEN_RPAREN);
    o->path.steps = NEW_ARRAY(&program->arena, o->path.count, struct step);
    memcpy(o->path.steps, steps, o->path.count * sizeof *steps);
    struct node **kids = pending_take(p, mark, &count);
    struct node *n = with_extent(p, lang_node(program, NODE_OFFSETOF, kids, count), begin);
    n->u.offsetof_ = o;
    n->type = lang_size_type(program);
    return n;
}

static struct node *parse_types_match(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct type **types = NEW_ARRAY(&p->program->arena, 2, struct type *);
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    types[0] = parse_type_name(p);
    tok_expect(p, TOKEN_COMMA);
    types[1] = parse_type_name(p);
    tok_expect(p, TOKEN_RPAREN);
    struct node *n = with_extent(p, lang_node(p->program, NODE_TYPES_MATCH, NULL, 0), begin);
    n->u.types = types;
    n->type = lang_basic(p->program, TYPE_INT);
    return n;
}

static struct node *parse_choose(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct node *kids[3];
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    u128 value = parse_constant(p, &kids[0], NULL);
    tok_expect(p, TOKEN_COMMA);
    kids[1] = parse_assignment(p);
    tok_expect(p, TOKEN_COMMA);
    kids[2] = parse_assignment(p);
    tok_expect(p, TOKEN_RPAREN);
    struct node *n = with_extent(p, lang_node(p->program, NODE_CHOOSE, kids, 3), begin);
    const struct node *chosen = kids[value ? 1 : 2];
    n->type = chosen->type;
    n->flags = (uint16_t)((chosen->flags & NODE_LVALUE) | (value ? 0 : NODE_SECOND));
    return n;
}

/* Both are vectors, of as many elements. */
static bool can_convert_vector(const struct type *from, const struct type *to)
{
    return lang_is_kind(from, TYPE_VECTOR) && lang_is_kind(to, TYPE_VECTOR) &&
           from->canon->u.count == to->canon->u.count;
}

static struct node *parse_convert_vector(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    struct node *a = lang_rvalue(p->program, parse_assignment(p));
    tok_expect(p, TOKEN_COMMA);
    struct type *type = parse_type_name(p);
    tok_expect(p, TOKEN_RPAREN);
    if (!can_convert_vector(a->type, type))
        parse_error_at(p, begin, "'__builtin_convertvector' needs vectors of as many elements");
    struct node *n = with_extent(p, lang_node(p->program, NODE_VECTOR_CONVERT, &a, 1), begin);
    n->u.operand = type;
    n->type = lang_unqualified(type);
    return n;
}

static struct node *parse_bit_cast(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    struct type *type = parse_type_name(p);
    tok_expect(p, TOKEN_COMMA);
    struct node *a = lang_rvalue(p->program, parse_assignment(p));
    tok_expect(p, TOKEN_RPAREN);
    if (!lang_is_complete(type) || !lang_is_complete(a->type) ||
        lang_sizeof(p->program, type) != lang_sizeof(p->program, a->type))
        parse_error_at(p, begin, "'__builtin_bit_cast' needs types of one size");
    struct node *n = with_extent(p, lang_node(p->program, NODE_BIT_CAST, &a, 1), begin);
    n->u.operand = type;
    n->type = lang_unqualified(type);
    return n;
}

/* ---- all -------------------------------------------------------------------------------- */

struct node *parse_primary(struct parser *p)
{
    switch (p->tok.kind) {
    case TOKEN_IDENT:
        return parse_name(p);
    case TOKEN_NUMBER:
        return parse_number(p);
    case TOKEN_CHARACTER:
        return parse_char(p);
    case TOKEN_STRING:
        return parse_string(p);
    case TOKEN_LPAREN:
        return parse_parentheses(p);
    case TOKEN_FUNC:
        return parse_func_name(p);
    case TOKEN_GENERIC:
        return parse_generic(p);
    case TOKEN_VA_ARG:
        return parse_va_arg(p);
    case TOKEN_OFFSETOF:
        return parse_offsetof(p);
    case TOKEN_TYPES_MATCH:
        return parse_types_match(p);
    case TOKEN_CHOOSE:
        return parse_choose(p);
    case TOKEN_CONVERT_VECTOR:
        return parse_convert_vector(p);
    case TOKEN_BIT_CAST:
        return parse_bit_cast(p);
    default:
        if (p->tok.kind == TOKEN_END)
            parse_error_at(p, p->tok.begin, "expected an expression at end of input");
        parse_error_at(p, p->tok.begin, "expected an expression before '%s'",
                       source_between(p, p->tok.begin, p->tok.end));
    }
}
