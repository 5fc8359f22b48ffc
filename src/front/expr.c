/* Expressions with operators (C11 6.5): precedence climbing over ops.def. */
#include "front/private.h"

#include <string.h>

/* By token: 1 + the operator that it is between operands, or 0. */
#define INFIX_NONE  0
#define INFIX_COMMA 0 /* read by parse_expr alone */
#define INFIX_MUL   (OP_MUL + 1)
#define INFIX_DIV   (OP_DIV + 1)
#define INFIX_REM   (OP_REM + 1)
#define INFIX_ADD   (OP_ADD + 1)
#define INFIX_SUB   (OP_SUB + 1)
#define INFIX_SHL   (OP_SHL + 1)
#define INFIX_SHR   (OP_SHR + 1)
#define INFIX_LT    (OP_LT + 1)
#define INFIX_GT    (OP_GT + 1)
#define INFIX_LE    (OP_LE + 1)
#define INFIX_GE    (OP_GE + 1)
#define INFIX_EQ    (OP_EQ + 1)
#define INFIX_NE    (OP_NE + 1)
#define INFIX_AND   (OP_AND + 1)
#define INFIX_XOR   (OP_XOR + 1)
#define INFIX_OR    (OP_OR + 1)
#define INFIX_LAND  (OP_LAND + 1)
#define INFIX_LOR   (OP_LOR + 1)
static const uint8_t infix[TOKEN_COUNT] = {
#define PUNCT(id, spelling, op) [TOKEN_##id] = INFIX_##op,
#include "front/tokens.def"
};

static const uint8_t assignment[TOKEN_COUNT] = {
#define ASSIGNMENT(id, spelling, op) [TOKEN_##id] = OP_##op + 1,
#include "front/tokens.def"
};

static const uint8_t prefix[TOKEN_COUNT] = {
    [TOKEN_INC] = OP_PREINC + 1, [TOKEN_DEC] = OP_PREDEC + 1, [TOKEN_AND] = OP_ADDR + 1,
    [TOKEN_STAR] = OP_DEREF + 1, [TOKEN_PLUS] = OP_PLUS + 1,  [TOKEN_MINUS] = OP_NEG + 1,
    [TOKEN_TILDE] = OP_NOT + 1,  [TOKEN_BANG] = OP_LNOT + 1,  [TOKEN_REAL] = OP_REAL + 1,
    [TOKEN_IMAG] = OP_IMAG + 1,
};

/* ---- postfix ---------------------------------------------------------------------------- */

static bool is_named(const struct node *callee, const char *name)
{
    return callee->kind == NODE_NAME && strcmp(callee->u.decl->name, name) == 0;
}

/* Do the functions, n of them, take different types there? */
static bool is_generic(struct node *const *functions, uint32_t n, uint32_t position)
{
    struct type *const first = functions[0]->type->canon->u.function->types[position];
    for (uint32_t i = 1; i < n; i++)
        if (!lang_same_type(first, functions[i]->type->canon->u.function->types[position]))
            return true;
    return false;
}

/* How many of a call's arguments are functions, and as many parameters each as are arguments left;
 * 0: that does not fit. */
static uint32_t count_functions(struct node *const *args, uint32_t count)
{
    uint32_t n = 0;
    while (n < count && lang_is_kind(args[n]->type, TYPE_FUNCTION))
        n++;
    for (uint32_t i = 0; i < n; i++)
        if (args[i]->type->canon->u.function->count != count - n)
            return 0;
    return n;
}

/* C11 7.25p3: integers count as double. */
static struct type *generic_type(struct parser *p, struct node *const *args, uint32_t count,
                                 uint32_t n)
{
    struct type *want = NULL;
    for (uint32_t i = 0; i < count - n; i++) {
        struct type *type = args[n + i]->type;
        if (!is_generic(args, n, i))
            continue;
        if (!lang_is_arithmetic(type))
            return NULL;
        if (lang_is_integer(type))
            type = lang_basic(p->program, TYPE_DOUBLE);
        want = lang_balanced(p->program, want ? want : type, type);
    }
    return want;
}

/* GNU: __builtin_tgmath(functions, arguments) calls the one of the type that the arguments have
 * together. */
static struct node *choose_function(struct parser *p, struct node **args, uint32_t *count,
                                    uint32_t begin)
{
    uint32_t n = count_functions(args, *count), at = 0;
    struct type *want = n ? generic_type(p, args, *count, n) : NULL;
    if (!want)
        parse_error_at(p, begin, "'__builtin_tgmath' needs functions, and numbers for them");
    while (!is_generic(args, n, at))
        at++;
    for (int twice = 0; twice < 2; twice++) {
        for (uint32_t i = 0; i < n; i++)
            if (lang_same_type(args[i]->type->canon->u.function->types[at], want)) {
                *count -= n;
                return args[i];
            }
        if (want->canon->kind != TYPE_COMPLEX) /* only complex functions: creal and its like */
            want = lang_complex(p->program, want);
    }
    parse_error_at(p, begin, "'__builtin_tgmath' has no function for these arguments");
}

static struct node *parse_call(struct parser *p, struct node *callee, uint32_t begin)
{
    uint32_t mark = pending_mark(p), count;
    tok_next(p);
    if (p->tok.kind != TOKEN_RPAREN) {
        do
            pending_push(p, parse_assignment(p));
        while (tok_accept(p, TOKEN_COMMA));
    }
    tok_expect(p, TOKEN_RPAREN);
    struct node **args = pending_take(p, mark, &count);
    if (is_named(callee, "__builtin_va_start") && p->function &&
        !(p->function->decl->type->canon->flags & TYPE_VARIADIC))
        parse_error_at(p, begin, "'va_start' used in a function with fixed arguments");
    if (is_named(callee, "__builtin_tgmath")) {
        uint32_t all = count;
        callee = choose_function(p, args, &count, begin);
        args += all - count;
    }
    return with_extent(p, lang_call(p->program, callee, args, count), begin);
}

static struct node *parse_member(struct parser *p, struct node *a, uint32_t begin)
{
    bool arrow = p->tok.kind == TOKEN_ARROW;
    tok_next(p);
    uint32_t at = p->tok.begin;
    struct ident *name = p->tok.ident;
    tok_expect(p, TOKEN_IDENT);
    struct node *n = lang_member(p->program, a, name->name, arrow);
    if (!n)
        parse_error_at(p, at, "%s", p->program->err.msg);
    return with_extent(p, n, begin);
}

static struct node *parse_postfix(struct parser *p, struct node *a, uint32_t begin)
{
    for (uint32_t links = 0;; links++) {
        if (links > MAX_CHAIN)
            parse_error_at(p, p->tok.begin, "expression is too deep");
        switch (p->tok.kind) {
        case TOKEN_LPAREN:
            a = parse_call(p, a, begin);
            break;
        case TOKEN_LBRACKET: {
            tok_next(p);
            struct node *index = parse_expr(p);
            tok_expect(p, TOKEN_RBRACKET);
            a = with_extent(p, lang_index(p->program, a, index), begin);
            break;
        }
        case TOKEN_DOT:
        case TOKEN_ARROW:
            a = parse_member(p, a, begin);
            break;
        case TOKEN_INC:
        case TOKEN_DEC: {
            enum op op = p->tok.kind == TOKEN_INC ? OP_POSTINC : OP_POSTDEC;
            tok_next(p);
            a = with_extent(p, lang_unary(p->program, op, a), begin);
            break;
        }
        default:
            return a;
        }
    }
}

/* ---- sizeof and casts ------------------------------------------------------------------- */

static bool at_parenthesised_type(struct parser *p)
{
    if (p->tok.kind != TOKEN_LPAREN)
        return false;
    const struct token *t = tok_peek(p);
    return at_type_token(p, t) || t->kind == TOKEN_EXTENSION;
}

/* (type){...}; the parenthesised type is read already. */
static struct node *parse_literal(struct parser *p, struct type *type, uint32_t begin)
{
    struct node *init = parse_initialiser(p);
    struct node *n = with_extent(p, lang_literal(p->program, type, init), begin);
    struct decl *d = n->u.declarator->decl;
    d->owner = p->function;
    d->is_static = !p->function;
    if (p->function)
        list_add(&p->program->arena, &p->function->locals, d);
    return n;
}

/* After `(`, when what follows may be a type: the cast, literal, or NULL for an expression. */
static struct node *parse_cast(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    tok_next(p);
    if (p->tok.kind == TOKEN_EXTENSION) {
        while (tok_accept(p, TOKEN_EXTENSION))
            continue;
        if (!at_type(p)) { /* (__extension__ expression) */
            struct node *a = parse_expr(p);
            tok_expect(p, TOKEN_RPAREN);
            return parse_postfix(p, a, begin);
        }
    }
    struct type *type = parse_type_name(p);
    tok_expect(p, TOKEN_RPAREN);
    if (p->tok.kind == TOKEN_LBRACE)
        return parse_postfix(p, parse_literal(p, type, begin), begin);
    struct node *a = parse_unary(p);
    return with_extent(p, lang_cast(p->program, type, a), begin);
}

static struct node *measure_type(struct parser *p, enum token_kind which, struct type *type)
{
    return which == TOKEN_SIZEOF ? lang_sizeof_type(p->program, type)
                                 : lang_alignof_type(p->program, type);
}

static struct node *measure_expr(struct parser *p, enum token_kind which, struct node *a)
{
    bool value = which == TOKEN_SIZEOF && a->kind != NODE_MEMBER; /* a member is refused anyway */
    const struct field *f = value && lang_is_narrow(p->program, a) ? lang_bitfield_of(a) : NULL;
    unsigned size = f && f->width > 32 ? 8 : f && f->width > 16 ? 4 : f && f->width > 8 ? 2 : 1;
    if (f &&
        size != lang_sizeof(p->program, f->type)) /* as for gcc, in which its width is its type */
        refuse_narrow(p, a);
    return which == TOKEN_SIZEOF ? lang_sizeof_expr(p->program, a)
                                 : lang_alignof_expr(p->program, a);
}

static struct node *parse_measure(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    enum token_kind which = p->tok.kind;
    struct node *n;
    tok_next(p);
    if (at_parenthesised_type(p)) {
        uint32_t inner = p->tok.begin;
        tok_next(p);
        struct type *type = parse_type_name(p);
        tok_expect(p, TOKEN_RPAREN);
        if (p->tok.kind == TOKEN_LBRACE)
            n = measure_expr(p, which, parse_postfix(p, parse_literal(p, type, inner), inner));
        else
            n = measure_type(p, which, type);
    } else {
        n = measure_expr(p, which, parse_unary(p));
    }
    n = with_extent(p, n, begin);
    n->flags |= which == TOKEN_GNU_ALIGNOF ? NODE_GNU : 0;
    return n;
}

/* ---- unary ------------------------------------------------------------------------------ */

static struct node *parse_label_address(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    tok_next(p);
    struct ident *id = p->tok.ident;
    tok_expect(p, TOKEN_IDENT);
    if (!p->function)
        parse_error_at(p, begin, "label address outside of a function");
    struct node *n = with_extent(p, lang_node(p->program, NODE_LABEL_ADDR, NULL, 0), begin);
    n->u.label = scope_label(p, id);
    n->u.label->address_taken = true;
    n->type = lang_pointer(p->program, lang_basic(p->program, TYPE_VOID));
    return n;
}

static struct node *parse_prefix(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    enum op op = prefix[p->tok.kind] - 1u;
    tok_next(p);
    struct node *a = parse_unary(p);
    return with_extent(p, lang_unary(p->program, op, a), begin);
}

static struct node *parse_unary_inner(struct parser *p)
{
    switch (p->tok.kind) {
    case TOKEN_EXTENSION:
        tok_next(p);
        return parse_unary(p);
    case TOKEN_SIZEOF:
    case TOKEN_ALIGNOF:
    case TOKEN_GNU_ALIGNOF:
        return parse_measure(p);
    case TOKEN_LAND:
        return parse_label_address(p);
    case TOKEN_LPAREN:
        if (at_parenthesised_type(p))
            return parse_cast(p);
        break;
    default:
        break;
    }
    uint32_t begin = p->tok.begin;
    struct node *a = parse_primary(p);
    return parse_postfix(p, a, begin);
}

struct node *parse_unary(struct parser *p)
{
    nest_enter(p);
    struct node *n = prefix[p->tok.kind] ? parse_prefix(p) : parse_unary_inner(p);
    nest_leave(p);
    return n;
}

/* ---- binary and up ---------------------------------------------------------------------- */

/* Operators that bind at least as strongly as least.  A node begins where its first token
 * does, a parenthesis included. */
static struct node *parse_binary(struct parser *p, unsigned least)
{
    uint32_t begin = p->tok.begin;
    struct node *a = parse_unary(p);
    for (uint32_t links = 0;; links++) {
        uint8_t found = infix[p->tok.kind];
        if (!found || lang_op_info[found - 1].prec < least)
            return a;
        if (links > MAX_CHAIN)
            parse_error_at(p, p->tok.begin, "expression is too deep");
        enum op op = found - 1u;
        tok_next(p);
        struct node *b = parse_binary(p, lang_op_info[op].prec + 1u);
        a = with_extent(p, lang_binary(p->program, op, a, b), begin);
    }
}

static struct node *parse_after_question(struct parser *p, struct node *c, uint32_t begin)
{
    nest_enter(p);
    tok_next(p);
    struct node *a = p->tok.kind == TOKEN_COLON ? NULL : parse_expr(p);
    tok_expect(p, TOKEN_COLON);
    struct node *b = parse_conditional(p);
    nest_leave(p);
    return with_extent(p, lang_cond(p->program, c, a, b), begin);
}

struct node *parse_conditional(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct node *a = parse_binary(p, lang_op_info[OP_LOR].prec);
    return p->tok.kind == TOKEN_QUESTION ? parse_after_question(p, a, begin) : a;
}

struct node *parse_assignment(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct node *a = parse_conditional(p);
    uint8_t found = assignment[p->tok.kind];
    if (!found)
        return a;
    nest_enter(p);
    tok_next(p);
    struct node *b = parse_assignment(p);
    nest_leave(p);
    return with_extent(p, lang_assign(p->program, found - 1u, a, b), begin);
}

struct node *parse_expr(struct parser *p)
{
    uint32_t begin = p->tok.begin;
    struct node *a = parse_assignment(p);
    for (uint32_t links = 0; p->tok.kind == TOKEN_COMMA; links++) {
        if (links > MAX_CHAIN)
            parse_error_at(p, p->tok.begin, "expression is too deep");
        tok_next(p);
        struct node *b = parse_assignment(p);
        a = with_extent(p, lang_binary(p->program, OP_COMMA, a, b), begin);
    }
    return a;
}

u128 parse_constant(struct parser *p, struct node **as_written, struct type **type)
{
    uint32_t begin = p->tok.begin;
    struct node *n = lang_rvalue(p->program, parse_conditional(p));
    u128 value = 0;
    if (!lang_is_integer(n->type))
        parse_error_at(p, begin, "expression is not an integer constant");
    if (!lang_constant(p->program, n, &value))
        parse_error_at(p, begin, "expression is not constant");
    if (as_written)
        *as_written = n;
    if (type)
        *type = n->type;
    return value;
}
