/* Declaration specifiers and type names (C11 6.7, 6.7.2, 6.7.7). */
#include "front/private.h"

/* ---- words of basic types --------------------------------------------------------------- */

enum word {
    WORD_VOID = 1 << 0,
    WORD_CHAR = 1 << 1,
    WORD_SHORT = 1 << 2,
    WORD_INT = 1 << 3,
    WORD_LONG = 1 << 4,
    WORD_LLONG = 1 << 5, /* the second long */
    WORD_FLOAT = 1 << 6,
    WORD_DOUBLE = 1 << 7,
    WORD_SIGNED = 1 << 8,
    WORD_UNSIGNED = 1 << 9,
    WORD_BOOL = 1 << 10,
    WORD_COMPLEX = 1 << 11,
    WORD_INT128 = 1 << 12,
    WORD_BITINT = 1 << 13,
    WORD_OTHER = 1 << 14, /* a type of one keyword, kept in struct words */
};

struct words {
    unsigned seen;
    enum type_kind other;
    unsigned width; /* of a _BitInt */
};

static const struct {
    uint16_t token;
    uint16_t word;
    uint8_t other;
} word_rows[] = {
    {TOKEN_VOID, WORD_VOID, 0},
    {TOKEN_CHAR, WORD_CHAR, 0},
    {TOKEN_SHORT, WORD_SHORT, 0},
    {TOKEN_INT, WORD_INT, 0},
    {TOKEN_LONG, WORD_LONG, 0},
    {TOKEN_FLOAT, WORD_FLOAT, 0},
    {TOKEN_DOUBLE, WORD_DOUBLE, 0},
    {TOKEN_SIGNED, WORD_SIGNED, 0},
    {TOKEN_UNSIGNED, WORD_UNSIGNED, 0},
    {TOKEN_BOOL, WORD_BOOL, 0},
    {TOKEN_COMPLEX, WORD_COMPLEX, 0},
    {TOKEN_INT128, WORD_INT128, 0},
    {TOKEN_BITINT, WORD_BITINT, 0},
    {TOKEN_FLOAT16, WORD_OTHER, TYPE_FLOAT16},
    {TOKEN_FLOAT32, WORD_OTHER, TYPE_FLOAT32},
    {TOKEN_FLOAT64, WORD_OTHER, TYPE_FLOAT64},
    {TOKEN_FLOAT32X, WORD_OTHER, TYPE_FLOAT32X},
    {TOKEN_FLOAT64X, WORD_OTHER, TYPE_FLOAT64X},
    {TOKEN_FLOAT128, WORD_OTHER, TYPE_FLOAT128},
    {TOKEN_FLOAT80, WORD_OTHER, TYPE_FLOAT80},
    {TOKEN_DEC32, WORD_OTHER, TYPE_DEC32},
    {TOKEN_DEC64, WORD_OTHER, TYPE_DEC64},
    {TOKEN_DEC128, WORD_OTHER, TYPE_DEC128},
    {TOKEN_VA_LIST, WORD_OTHER, TYPE_VA_LIST},
};

/* What combinations mean, int being left out where it changes nothing. */
static const struct {
    unsigned seen;
    enum type_kind kind;
} meanings[] = {
    {WORD_VOID, TYPE_VOID},
    {WORD_BOOL, TYPE_BOOL},
    {WORD_CHAR, TYPE_CHAR},
    {WORD_SIGNED | WORD_CHAR, TYPE_SCHAR},
    {WORD_UNSIGNED | WORD_CHAR, TYPE_UCHAR},
    {WORD_SHORT, TYPE_SHORT},
    {WORD_UNSIGNED | WORD_SHORT, TYPE_USHORT},
    {WORD_INT, TYPE_INT},
    {WORD_UNSIGNED, TYPE_UINT},
    {WORD_LONG, TYPE_LONG},
    {WORD_UNSIGNED | WORD_LONG, TYPE_ULONG},
    {WORD_LONG | WORD_LLONG, TYPE_LLONG},
    {WORD_UNSIGNED | WORD_LONG | WORD_LLONG, TYPE_ULLONG},
    {WORD_INT128, TYPE_INT128},
    {WORD_UNSIGNED | WORD_INT128, TYPE_UINT128},
    {WORD_FLOAT, TYPE_FLOAT},
    {WORD_DOUBLE, TYPE_DOUBLE},
    {WORD_LONG | WORD_DOUBLE, TYPE_LDOUBLE},
};

/* C23 6.2.5p5; 6.7.3.1: one bit is for unsigned ones only. */
static struct type *bitint_of_words(struct parser *p, const struct words *w)
{
    bool is_signed = !(w->seen & WORD_UNSIGNED);
    if (w->seen & ~(unsigned)(WORD_BITINT | WORD_SIGNED | WORD_UNSIGNED))
        parse_error_at(p, p->prev_end, "two or more data types in declaration specifiers");
    if (w->width < 1u + is_signed)
        parse_error_at(p, p->prev_end, "a _BitInt needs more bits");
    return lang_bitint(p->program, w->width, is_signed);
}

static struct type *type_of_words(struct parser *p, const struct words *w)
{
    unsigned seen = w->seen & ~(unsigned)WORD_COMPLEX;
    bool complex = w->seen & WORD_COMPLEX;
    if (complex && seen == 0)
        seen |= WORD_DOUBLE;
    if (seen & WORD_SIGNED && seen & WORD_UNSIGNED)
        parse_error_at(p, p->prev_end, "both 'signed' and 'unsigned' in declaration specifiers");
    if (seen & WORD_BITINT)
        return bitint_of_words(p, w);
    if (seen & WORD_SIGNED && !(seen & WORD_CHAR))
        seen = (seen & ~(unsigned)WORD_SIGNED) | WORD_INT;
    if (seen & (WORD_SHORT | WORD_LONG | WORD_UNSIGNED | WORD_INT128) && !(seen & WORD_DOUBLE))
        seen &= ~(unsigned)WORD_INT;
    struct type *t = NULL;
    if (seen == WORD_OTHER)
        t = lang_basic(p->program, w->other);
    for (size_t i = 0; i < LENGTH(meanings) && !t; i++)
        if (meanings[i].seen == seen)
            t = lang_basic(p->program, meanings[i].kind);
    if (!t)
        parse_error_at(p, p->prev_end, "two or more data types in declaration specifiers");
    if (complex && (t->kind == TYPE_BOOL || t->kind == TYPE_VOID))
        parse_error_at(p, p->prev_end, "'_Complex' with '_Bool' or 'void'");
    return complex ? lang_complex(p->program, t) : t;
}

/* By token: 1 + row of word_rows.  Rows are in the order of the tokens, VA_LIST the last. */
static bool is_word(enum token_kind kind)
{
    return kind >= TOKEN_VOID && kind <= TOKEN_VA_LIST;
}

/* What stands in parentheses after _BitInt. */
static unsigned parse_width(struct parser *p)
{
    enum { MOST = 128 }; /* values are of two words at the most; clang has 2^23 */
    u128 width = 0;
    tok_expect(p, TOKEN_LPAREN);
    uint32_t begin = p->tok.begin;
    struct node *n = parse_conditional(p);
    if (!lang_is_integer(n->type) || !lang_constant(p->program, n, &width) || width > MOST)
        parse_error_at(
            p, begin,
            "the width of a _BitInt is no constant from 1 to %d: wider ones are not supported",
            MOST);
    tok_expect(p, TOKEN_RPAREN);
    return (unsigned)width;
}

static void add_word(struct parser *p, struct words *w)
{
    size_t i = 0;
    while (word_rows[i].token != p->tok.kind)
        i++;
    unsigned word = word_rows[i].word;
    if (word == WORD_LONG && w->seen & WORD_LONG)
        word = WORD_LLONG;
    if (w->seen & word)
        parse_error_at(p, p->tok.begin, "duplicate or conflicting %s", lex_token_name(p->tok.kind));
    w->seen |= word;
    if (word == WORD_OTHER)
        w->other = word_rows[i].other;
    tok_next(p);
    if (word == WORD_BITINT)
        w->width = parse_width(p);
}

/* ---- what starts a type ----------------------------------------------------------------- */

static bool is_typedef(const struct token *t)
{
    return t->kind == TOKEN_IDENT && t->ident->symbol && t->ident->symbol->kind == DECL_TYPEDEF;
}

/* tokens.def has every specifier between VOID and ATTRIBUTE. */
bool at_type_token(struct parser *p, const struct token *t)
{
    (void)p;
    return (t->kind >= TOKEN_VOID && t->kind <= TOKEN_ATTRIBUTE) || is_typedef(t);
}

bool at_type(struct parser *p)
{
    return at_type_token(p, &p->tok) || p->tok.kind == TOKEN_EXTENSION;
}

/* ---- typeof, _Atomic(), _Alignas -------------------------------------------------------- */

void refuse_narrow(struct parser *p, const struct node *a)
{
    if (lang_is_narrow(p->program, a))
        parse_error_at(p, p->tok.begin, "what type has the value of a bit-field? compilers differ");
}

static struct type *parse_typeof(struct parser *p)
{
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    struct type *t;
    if (at_type(p)) {
        t = lang_typeof(p->program, parse_type_name(p), NULL);
    } else {
        struct node *expr = parse_expr(p);
        refuse_narrow(p, expr);
        t = lang_typeof(p->program, expr->type, expr);
    }
    tok_expect(p, TOKEN_RPAREN);
    return t;
}

static void parse_alignas(struct parser *p, struct specifiers *s, struct list *exprs)
{
    uint32_t begin = p->tok.begin;
    tok_next(p);
    tok_expect(p, TOKEN_LPAREN);
    struct node *n;
    uint32_t inner = p->tok.begin;
    if (at_type(p))
        n = with_extent(p, lang_alignof_type(p->program, parse_type_name(p)), inner);
    else
        n = parse_conditional(p);
    u128 value = 0;
    if (!lang_constant(p->program, n, &value))
        parse_error_at(p, begin, "requested alignment is not an integer constant");
    if (value & (value - 1))
        parse_error_at(p, begin, "requested alignment is not a positive power of 2");
    tok_expect(p, TOKEN_RPAREN);
    if (value > s->align && value <= 1u << 28)
        s->align = (uint32_t)value;
    list_add(&p->program->arena, exprs, n);
}

/* ---- specifiers ------------------------------------------------------------------------- */

static const struct {
    uint16_t token;
    uint8_t storage;
} storages[] = {
    {TOKEN_TYPEDEF, STORAGE_TYPEDEF},   {TOKEN_EXTERN, STORAGE_EXTERN},
    {TOKEN_STATIC, STORAGE_STATIC},     {TOKEN_AUTO, STORAGE_AUTO},
    {TOKEN_REGISTER, STORAGE_REGISTER},
};

static bool parse_storage(struct parser *p, struct specs *specs)
{
    for (size_t i = 0; i < LENGTH(storages); i++) {
        if (storages[i].token != p->tok.kind)
            continue;
        if (specs->storage != STORAGE_NONE)
            parse_error_at(p, p->tok.begin, "multiple storage classes in declaration specifiers");
        specs->storage = storages[i].storage;
        tok_next(p);
        return true;
    }
    switch (p->tok.kind) {
    case TOKEN_INLINE:
        specs->inline_ = true;
        break;
    case TOKEN_NORETURN:
        specs->noreturn = true;
        break;
    case TOKEN_THREAD:
        specs->thread = true;
        break;
    default:
        return false;
    }
    tok_next(p);
    return true;
}

static unsigned qualifier(const struct parser *p)
{
    switch (p->tok.kind) {
    case TOKEN_CONST:
        return QUAL_CONST;
    case TOKEN_VOLATILE:
        return QUAL_VOLATILE;
    case TOKEN_RESTRICT:
        return QUAL_RESTRICT;
    default:
        return 0;
    }
}

unsigned parse_qualifiers(struct parser *p)
{
    unsigned quals = 0;
    for (;;) {
        unsigned q = qualifier(p);
        if (!q && p->tok.kind == TOKEN_ATOMIC && tok_peek(p)->kind != TOKEN_LPAREN)
            q = QUAL_ATOMIC;
        if (!q)
            return quals;
        quals |= q;
        tok_next(p);
    }
}

/* State while the specifiers are read, in any order. */
struct reading {
    struct specifiers *s;
    struct words words;
    unsigned quals;
    struct type *type; /* other than of words */
    struct list alignas_exprs;
};

static void set_type(struct parser *p, struct reading *r, struct type *t)
{
    if (r->type || r->words.seen)
        parse_error_at(p, p->prev_end, "two or more data types in declaration specifiers");
    r->type = t;
}

static bool parse_atomic(struct parser *p, struct reading *r)
{
    if (tok_peek(p)->kind != TOKEN_LPAREN) {
        r->quals |= QUAL_ATOMIC;
        tok_next(p);
        return true;
    }
    tok_next(p);
    tok_next(p);
    set_type(p, r, parse_type_name(p));
    if (lang_is_kind(r->type, TYPE_ARRAY) || lang_is_kind(r->type, TYPE_FUNCTION))
        parse_error_at(p, p->prev_end, "'_Atomic' with an array or function type");
    if (r->type->canon->quals & (QUAL_CONST | QUAL_VOLATILE | QUAL_RESTRICT | QUAL_ATOMIC))
        parse_error_at(p, p->prev_end, "'_Atomic' with a qualified type"); /* C11 6.7.2.4p3 */
    r->quals |= QUAL_ATOMIC;
    tok_expect(p, TOKEN_RPAREN);
    return true;
}

static bool parse_type_specifier(struct parser *p, struct reading *r)
{
    switch (p->tok.kind) {
    case TOKEN_STRUCT:
    case TOKEN_UNION:
        set_type(p, r, parse_record(p));
        r->s->only_tag = true;
        return true;
    case TOKEN_ENUM:
        set_type(p, r, parse_enum(p));
        r->s->only_tag = true;
        return true;
    case TOKEN_TYPEOF:
        set_type(p, r, parse_typeof(p));
        return true;
    case TOKEN_AUTO_TYPE:
        tok_next(p);
        set_type(p, r, lang_basic(p->program, TYPE_INT));
        r->s->auto_type = true;
        return true;
    case TOKEN_ATOMIC:
        return parse_atomic(p, r);
    case TOKEN_IDENT:
        if (r->type || r->words.seen || !is_typedef(&p->tok))
            return false;
        p->tok.ident->symbol->used = true;
        r->type = lang_typedef_type(p->program, p->tok.ident->symbol);
        tok_next(p);
        return true;
    default:
        return false;
    }
}

/* glibc's headers define _Float32 and its like with typedef for compilers that lack them: from
 * `typedef float _Float32;` on it is a name like any other. */
static void demote_float(struct parser *p, const struct reading *r)
{
    bool typed = r->type || r->words.seen & ~(unsigned)WORD_COMPLEX;
    if (!typed || p->tok.kind < TOKEN_FLOAT16 || p->tok.kind > TOKEN_DEC128)
        return;
    p->tok.ident->keyword = TOKEN_IDENT;
    p->tok.kind = TOKEN_IDENT;
}

static bool parse_specifier(struct parser *p, struct reading *r, bool storage_allowed)
{
    demote_float(p, r);
    enum token_kind kind = p->tok.kind;
    if (is_word(kind)) {
        if (r->type)
            parse_error_at(p, p->tok.begin, "two or more data types in declaration specifiers");
        add_word(p, &r->words);
        return true;
    }
    unsigned q = qualifier(p);
    if (q) {
        r->quals |= q;
        tok_next(p);
        return true;
    }
    if (kind == TOKEN_EXTENSION) {
        tok_next(p);
        return true;
    }
    if (kind == TOKEN_ALIGNAS) {
        parse_alignas(p, r->s, &r->alignas_exprs);
        return true;
    }
    if (at_attribute(p)) {
        parse_attributes(p, &r->s->attrs);
        return true;
    }
    return parse_type_specifier(p, r) || (storage_allowed && parse_storage(p, r->s->specs));
}

void parse_specifiers(struct parser *p, struct specifiers *s, bool storage_allowed)
{
    *s = (struct specifiers){0};
    s->specs = NEW(&p->program->arena, struct specs);
    struct reading r = {.s = s};
    while (parse_specifier(p, &r, storage_allowed))
        s->any = true;
    s->has_type = r.type || r.words.seen;
    struct type *t = r.type;
    if (!t)
        t = r.words.seen ? type_of_words(p, &r.words) : lang_basic(p->program, TYPE_INT);
    const struct type *is = t->canon;
    if (r.quals & QUAL_RESTRICT && !s->auto_type &&
        (is->kind != TYPE_POINTER || lang_is_kind(is->base, TYPE_FUNCTION)))
        parse_error_at(p, p->prev_end, "invalid use of 'restrict'");
    s->written = s->type = lang_qualified(p->program, t, r.quals);
    s->type = attr_apply(p, s->type, &s->attrs);
    s->specs->attrs = s->attrs.first;
    s->specs->alignas_exprs = (struct node **)r.alignas_exprs.at;
    s->specs->alignas_count = (uint32_t)r.alignas_exprs.n;
}

struct type *parse_type_name(struct parser *p)
{
    struct specifiers s;
    struct declared d;
    uint32_t begin = p->tok.begin;
    parse_specifiers(p, &s, false);
    if (!s.any)
        parse_error_at(p, begin, "expected a type name");
    parse_declarator(p, s.type, DECLARE_ABSTRACT, &d);
    /* as gcc does it: of the whole type, so a pointer's own; clang warns and ignores it */
    return s.attrs.align ? lang_aligned(p->program, d.type, s.attrs.align) : d.type;
}
