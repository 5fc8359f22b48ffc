/* Attributes: kept as text for the printer; those that change a type are understood too. */
#include "front/private.h"

#include <string.h>

void attr_start(struct attributes *a)
{
    *a = (struct attributes){0};
}

bool at_attribute(struct parser *p)
{
    return p->tok.kind == TOKEN_ATTRIBUTE ||
           (p->tok.kind == TOKEN_LBRACKET && tok_peek(p)->kind == TOKEN_LBRACKET);
}

/* What it names is needed. */
static void skip_arguments(struct parser *p, const char *attribute)
{
    bool frees = strcmp(attribute, "malloc") == 0;
    struct list *named = frees ? &p->program->deallocators : &p->program->mentioned;
    unsigned depth = 0;
    do {
        if (p->tok.kind == TOKEN_END)
            parse_error_at(p, p->tok.begin, "expected ')' at end of input");
        if (p->tok.kind == TOKEN_BAD)
            parse_error_at(p, p->tok.begin, "stray character in an attribute");
        if (p->tok.kind == TOKEN_LPAREN)
            depth++;
        if (p->tok.kind == TOKEN_RPAREN)
            depth--;
        if (p->tok.kind == TOKEN_IDENT && p->tok.ident->symbol)
            list_add(&p->program->arena, named, p->tok.ident->symbol);
        tok_next(p);
    } while (depth);
}

/* "__packed__" and "packed" are the same attribute. */
static const char *plain_name(struct parser *p, const struct ident *id)
{
    const char *s = id->name;
    uint32_t n = id->size;
    if (n > 4 && s[0] == '_' && s[1] == '_' && s[n - 1] == '_' && s[n - 2] == '_')
        return arena_copy(&p->program->arena, s + 2, n - 4);
    return s;
}

static uint64_t number_argument(struct parser *p)
{
    u128 value = 0;
    tok_expect(p, TOKEN_LPAREN);
    value = parse_constant(p, NULL, NULL);
    tok_expect(p, TOKEN_RPAREN);
    return (uint64_t)value;
}

static const char *word_argument(struct parser *p)
{
    tok_expect(p, TOKEN_LPAREN);
    if (!p->tok.ident)
        parse_error_at(p, p->tok.begin, "expected a mode");
    const char *word = plain_name(p, p->tok.ident);
    tok_next(p);
    tok_expect(p, TOKEN_RPAREN);
    return word;
}

/* scalar_storage_order("big-endian") */
static enum byte_order named_order(struct parser *p)
{
    const struct token *t = tok_peek(p);
    return parse_byte_order(source_between(p, t->begin, t->end));
}

static uint32_t alignment(struct parser *p, uint64_t n)
{
    if (n == 0 || n & (n - 1) || n > 1u << 28)
        parse_error_at(p, p->prev_end, "requested alignment is not a positive power of 2");
    return (uint32_t)n;
}

/* ---- what arguments an attribute has ---------------------------------------------------- */

enum wants { WANTS_NONE, WANTS_SOME, WANTS_STRING, WANTS_FUNCTION };

static const struct {
    const char *name;
    uint8_t wants; /* enum wants: of the first argument */
} argument_rows[] = {
    {"packed", WANTS_NONE},        {"may_alias", WANTS_NONE},   {"transparent_union", WANTS_NONE},
    {"weak", WANTS_NONE},          {"noreturn", WANTS_NONE},    {"noinline", WANTS_NONE},
    {"always_inline", WANTS_NONE}, {"const", WANTS_NONE},       {"pure", WANTS_NONE},
    {"unused", WANTS_NONE},        {"used", WANTS_NONE},        {"gnu_inline", WANTS_NONE},
    {"mode", WANTS_SOME},          {"vector_size", WANTS_SOME}, {"format", WANTS_SOME},
    {"alloc_size", WANTS_SOME},    {"alias", WANTS_STRING},     {"section", WANTS_STRING},
    {"visibility", WANTS_STRING},  {"ifunc", WANTS_STRING},     {"cleanup", WANTS_FUNCTION},
};

static bool names_function(const struct token *t)
{
    return t->ident && t->ident->symbol && t->ident->symbol->kind == DECL_FUNC;
}

static void check_visibility(struct parser *p, const struct token *t)
{
    static const char *const known[] = {"\"default\"", "\"hidden\"", "\"protected\"",
                                        "\"internal\""};
    const char *written = source_between(p, t->begin, t->end);
    for (size_t i = 0; i < LENGTH(known); i++)
        if (strcmp(known[i], written) == 0)
            return;
    parse_error_at(p, t->begin, "unknown visibility %s", written);
}

/* The parenthesis, if any, is next. */
static void check_arguments(struct parser *p, const char *name)
{
    size_t i = 0;
    while (i < LENGTH(argument_rows) && strcmp(argument_rows[i].name, name) != 0)
        i++;
    if (i == LENGTH(argument_rows))
        return;
    const struct token *first = p->tok.kind == TOKEN_LPAREN ? tok_peek(p) : NULL;
    if (first && first->kind == TOKEN_RPAREN)
        first = NULL;
    enum wants wants = (enum wants)argument_rows[i].wants;
    if ((wants == WANTS_NONE) != !first)
        parse_error_at(p, p->prev_end, "wrong number of arguments of attribute '%s'", name);
    if (wants == WANTS_STRING && first->kind != TOKEN_STRING && first->kind != TOKEN_LPAREN)
        parse_error_at(p, first->begin, "argument of attribute '%s' is not a string", name);
    if (wants == WANTS_FUNCTION && first->kind != TOKEN_LPAREN && !names_function(first))
        parse_error_at(p, first->begin, "argument of attribute '%s' is not a function", name);
    if (first && first->kind == TOKEN_STRING && strcmp(name, "visibility") == 0)
        check_visibility(p, first);
}

/* Takes the arguments of attributes that we understand. */
static void understand(struct parser *p, const char *name, struct attributes *a)
{
    bool arguments = p->tok.kind == TOKEN_LPAREN;
    if (strcmp(name, "packed") == 0) {
        a->packed = true;
    } else if (strcmp(name, "may_alias") == 0) {
        a->may_alias = true;
    } else if (strcmp(name, "transparent_union") == 0) {
        a->transparent = true;
    } else if (strcmp(name, "weak") == 0) {
        a->weak = true;
    } else if (strcmp(name, "noreturn") == 0) {
        a->noreturn = true;
    } else if (strcmp(name, "cleanup") == 0) {
        a->cleanup = true;
    } else if (strcmp(name, "constructor") == 0 || strcmp(name, "destructor") == 0) {
        a->starts = true;
    } else if (strcmp(name, "scalar_storage_order") == 0 && arguments) {
        a->order = named_order(p);
    } else if (strcmp(name, "ms_struct") == 0) { /* bit-fields lie otherwise there */
        parse_error_at(p, p->prev_end, "unsupported attribute '%s'", name);
    } else if (strcmp(name, "aligned") == 0) {
        uint32_t n = arguments ? alignment(p, number_argument(p)) : 16;
        a->align = n > a->align ? n : a->align;
    } else if (strcmp(name, "vector_size") == 0 && arguments) {
        a->vector_bytes = number_argument(p);
        if (a->vector_bytes == 0)
            parse_error_at(p, p->prev_end, "vector of no bytes");
    } else if (strcmp(name, "mode") == 0 && arguments) {
        a->mode = word_argument(p);
    }
}

static void add_attribute(struct parser *p, struct attributes *a, const char *name, uint32_t begin,
                          bool standard)
{
    struct attr *attr = NEW(&p->program->arena, struct attr);
    attr->name = name;
    attr->text = source_between(p, begin, p->prev_end);
    attr->standard = standard;
    struct attr **last = a->last ? a->last : &a->first;
    *last = attr;
    a->last = &attr->next;
}

static void parse_attribute(struct parser *p, struct attributes *a, bool standard)
{
    if (!p->tok.ident)
        parse_error_at(p, p->tok.begin, "expected an attribute");
    uint32_t begin = p->tok.begin;
    const char *name = plain_name(p, p->tok.ident);
    tok_next(p);
    while (standard && tok_accept(p, TOKEN_COLON)) { /* gnu::packed */
        tok_expect(p, TOKEN_COLON);
        if (!p->tok.ident)
            parse_error_at(p, p->tok.begin, "expected an attribute");
        name = plain_name(p, p->tok.ident);
        tok_next(p);
    }
    check_arguments(p, name);
    understand(p, name, a);
    if (p->tok.kind == TOKEN_LPAREN)
        skip_arguments(p, name);
    add_attribute(p, a, name, begin, standard);
}

static void parse_list(struct parser *p, struct attributes *a, bool standard)
{
    enum token_kind end = standard ? TOKEN_RBRACKET : TOKEN_RPAREN;
    while (p->tok.kind != end) {
        if (tok_accept(p, TOKEN_COMMA))
            continue;
        if (!p->tok.ident)
            tok_expect(p, end);
        parse_attribute(p, a, standard);
    }
}

void parse_attributes(struct parser *p, struct attributes *a)
{
    while (at_attribute(p)) {
        bool standard = p->tok.kind == TOKEN_LBRACKET;
        tok_next(p);
        tok_expect(p, standard ? TOKEN_LBRACKET : TOKEN_LPAREN);
        if (!standard)
            tok_expect(p, TOKEN_LPAREN);
        parse_list(p, a, standard);
        tok_expect(p, standard ? TOKEN_RBRACKET : TOKEN_RPAREN);
        tok_expect(p, standard ? TOKEN_RBRACKET : TOKEN_RPAREN);
    }
}

/* ---- effects on types ------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t bytes; /* integers: of this size, with the sign of what was written */
    uint8_t kind;  /* else: this type */
    bool complex;
} modes[] = {
    {"QI", 1, 0, false},
    {"HI", 2, 0, false},
    {"SI", 4, 0, false},
    {"DI", 8, 0, false},
    {"TI", 16, 0, false},
    {"byte", 1, 0, false},
    {"HF", 0, TYPE_FLOAT16, false},
    {"SF", 0, TYPE_FLOAT, false},
    {"DF", 0, TYPE_DOUBLE, false},
    {"XF", 0, TYPE_LDOUBLE, false},
    {"TF", 0, TYPE_FLOAT128, false},
    {"SC", 0, TYPE_FLOAT, true},
    {"DC", 0, TYPE_DOUBLE, true},
    {"XC", 0, TYPE_LDOUBLE, true},
    {"TC", 0, TYPE_FLOAT128, true},
    {"SD", 0, TYPE_DEC32, false},
    {"DD", 0, TYPE_DEC64, false},
    {"TD", 0, TYPE_DEC128, false},
};

static struct type *scalar_mode(struct parser *p, struct type *t, const char *mode)
{
    const struct program *program = p->program;
    bool is_signed = !lang_is_integer(t) || lang_int_signed(program, t);
    uint64_t word = program->target->pointer.size;
    if (strcmp(mode, "word") == 0 || strcmp(mode, "pointer") == 0 ||
        strcmp(mode, "unwind_word") == 0 || strcmp(mode, "libgcc_cmp_return") == 0 ||
        strcmp(mode, "libgcc_shift_count") == 0)
        return lang_int_of_size(program, word, is_signed);
    for (size_t i = 0; i < LENGTH(modes); i++) {
        if (strcmp(modes[i].name, mode) != 0)
            continue;
        if (modes[i].bytes)
            return lang_int_of_size(program, modes[i].bytes, is_signed);
        struct type *real = lang_basic(program, modes[i].kind);
        return modes[i].complex ? lang_complex(p->program, real) : real;
    }
    return NULL;
}

/* V4SI and the like are a number and a scalar mode. */
static struct type *mode_type(struct parser *p, struct type *t, const char *mode)
{
    struct type *scalar = scalar_mode(p, t, mode);
    if (scalar || mode[0] != 'V')
        return scalar;
    uint64_t count = 0;
    const char *s = mode + 1;
    for (; *s >= '0' && *s <= '9' && count < 4096; s++)
        count = count * 10 + (uint64_t)(*s - '0');
    scalar = scalar_mode(p, t, s);
    return scalar && count ? lang_vector(p->program, scalar, count) : NULL;
}

/* The type with its innermost element replaced: vector_size reaches through declarators. */
static struct type *rebuild(struct parser *p, struct type *t, struct type *inner)
{
    struct program *program = p->program;
    switch (t->kind) {
    case TYPE_POINTER:
        return lang_qualified(program, lang_pointer(program, rebuild(p, t->base, inner)), t->quals);
    case TYPE_ARRAY:
        if (t->u.length)
            return lang_array_written(program, rebuild(p, t->base, inner), t->u.length, t->flags);
        return t->flags & TYPE_UNSIZED
                   ? lang_array_unsized(program, rebuild(p, t->base, inner))
                   : lang_array(program, rebuild(p, t->base, inner), t->u.count);
    case TYPE_FUNCTION:
        return lang_function(program, rebuild(p, t->base, inner), t->u.function->params,
                             t->u.function->count, t->flags);
    default:
        return lang_qualified(program, inner, t->quals);
    }
}

static struct type *innermost(struct type *t)
{
    while (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY || t->kind == TYPE_FUNCTION)
        t = t->base;
    return t;
}

static struct type *apply_vector(struct parser *p, struct type *t, uint64_t bytes)
{
    struct type *element = innermost(t);
    uint64_t size = lang_sizeof(p->program, element);
    if (!lang_is_real(element) || size == 0 || bytes == 0 || bytes % size || bytes & (bytes - 1))
        parse_error_at(p, p->prev_end, "invalid vector size");
    return rebuild(p, t, lang_vector(p->program, lang_unqualified(element), bytes / size));
}

struct type *attr_mode_type(struct parser *p, struct type *t, const char *mode)
{
    struct type *found = mode_type(p, t, mode);
    if (!found)
        parse_error_at(p, p->prev_end, "unknown machine mode '%s'", mode);
    return found;
}

struct type *attr_apply(struct parser *p, struct type *t, const struct attributes *a)
{
    if (a->mode)
        t = rebuild(p, t, attr_mode_type(p, innermost(t), a->mode));
    if (a->vector_bytes)
        t = apply_vector(p, t, a->vector_bytes);
    return t;
}
