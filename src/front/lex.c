/* Preprocessed text to tokens: one pass over the bytes, identifiers interned, no copies.
 * Line markers go to the program's table; #pragma lines are tokens. */
#include "front/private.h"

#include <string.h>

/* ---- classes of bytes ------------------------------------------------------------------- */

enum { C_SPACE = 1, C_LETTER = 2, C_DIGIT = 4, C_EXPONENT = 8 };

/* clang-format off */
#define L C_LETTER
#define D C_DIGIT
#define E (C_LETTER | C_EXPONENT)
static const uint8_t byte_class[256] = {
    ['\t'] = C_SPACE, ['\v'] = C_SPACE, ['\f'] = C_SPACE, ['\r'] = C_SPACE, [' '] = C_SPACE,
    ['0'] = D, ['1'] = D, ['2'] = D, ['3'] = D, ['4'] = D, ['5'] = D, ['6'] = D, ['7'] = D,
    ['8'] = D, ['9'] = D, ['$'] = L, ['_'] = L, ['A'] = L, ['B'] = L, ['C'] = L, ['D'] = L,
    ['E'] = E, ['F'] = L, ['G'] = L, ['H'] = L, ['I'] = L, ['J'] = L, ['K'] = L, ['L'] = L,
    ['M'] = L, ['N'] = L, ['O'] = L, ['P'] = E, ['Q'] = L, ['R'] = L, ['S'] = L, ['T'] = L,
    ['U'] = L, ['V'] = L, ['W'] = L, ['X'] = L, ['Y'] = L, ['Z'] = L, ['a'] = L, ['b'] = L,
    ['c'] = L, ['d'] = L, ['e'] = E, ['f'] = L, ['g'] = L, ['h'] = L, ['i'] = L, ['j'] = L,
    ['k'] = L, ['l'] = L, ['m'] = L, ['n'] = L, ['o'] = L, ['p'] = E, ['q'] = L, ['r'] = L,
    ['s'] = L, ['t'] = L, ['u'] = L, ['v'] = L, ['w'] = L, ['x'] = L, ['y'] = L, ['z'] = L,
};
#undef L
#undef D
#undef E
/* clang-format on */

/* Bytes of UTF-8 count as letters. */
static bool is_class(char c, unsigned classes)
{
    return byte_class[(unsigned char)c] & classes ||
           ((unsigned char)c >= 0x80 && classes & C_LETTER);
}

/* ---- names ------------------------------------------------------------------------------ */

static void grow(struct lexer *l)
{
    uint32_t count = l->bucket_count ? l->bucket_count * 4 : 2048;
    struct ident **buckets = NEW_ARRAY(l->arena, count, struct ident *);
    for (uint32_t i = 0; i < l->bucket_count; i++)
        for (struct ident *id = l->buckets[i], *after; id; id = after) {
            after = id->next;
            id->next = buckets[id->hash & (count - 1)];
            buckets[id->hash & (count - 1)] = id;
        }
    l->buckets = buckets;
    l->bucket_count = count;
}

/* A name as it is looked up. */
struct spelling {
    const char *name;
    uint64_t head; /* its first 8 bytes, zeros behind */
    uint32_t size, hash;
};

/* Two halves that overlap where there are fewer than eight bytes; never beyond the name. */
static uint64_t head_of(const char *name, uint32_t size)
{
    uint32_t low = 0, high = 0;
    uint64_t head = 0;
    if (size >= 8) {
        memcpy(&head, name, 8);
    } else if (size >= 4) {
        memcpy(&low, name, 4);
        memcpy(&high, name + size - 4, 4);
        head = low | (uint64_t)high << (8 * (size - 4));
    } else {
        for (uint32_t i = 0; i < size; i++)
            head |= (uint64_t)(unsigned char)name[i] << (8 * i);
    }
    return head;
}

/* Eight bytes at a time.  Only the table's own order depends on the hash, and nothing on that. */
static struct spelling spell(const char *name, uint32_t size)
{
    struct spelling s = {.name = name, .size = size, .head = head_of(name, size)};
    uint64_t hash = size, word;
    hash = (hash ^ s.head) * 0x9e3779b97f4a7c15u;
    for (uint32_t i = 8; i < size; i += 8) {
        word = 0;
        memcpy(&word, name + i, size - i < 8 ? size - i : 8);
        hash = (hash ^ hash >> 32 ^ word) * 0x9e3779b97f4a7c15u;
    }
    s.hash = (uint32_t)(hash >> 32);
    return s;
}

static bool is_spelled(const struct ident *id, const struct spelling *s)
{
    return id->head == s->head && id->hash == s->hash && id->size == s->size &&
           (s->size <= 8 || memcmp(id->name + 8, s->name + 8, s->size - 8) == 0);
}

struct ident *lex_intern(struct lexer *l, const char *name, uint32_t size)
{
    struct spelling s = spell(name, size);
    struct ident **slot = &l->buckets[s.hash & (l->bucket_count - 1)];
    for (struct ident *id = *slot; id; id = id->next)
        if (is_spelled(id, &s))
            return id;
    if (l->ident_count++ >= l->bucket_count) {
        grow(l);
        slot = &l->buckets[s.hash & (l->bucket_count - 1)];
    }
    struct ident *id = NEW(l->arena, struct ident);
    id->name = arena_copy(&l->program->arena, name, size);
    id->head = s.head;
    id->size = size;
    id->hash = s.hash;
    id->keyword = TOKEN_IDENT;
    id->next = *slot;
    *slot = id;
    return id;
}

static const struct {
    const char *spelling;
    uint16_t kind;
} keywords[] = {
#define KEYWORD(id, spelling) {spelling, TOKEN_##id},
#include "front/tokens.def"
};

struct punct {
    char spelling[4];
    uint8_t size;
    uint16_t kind;
};

/* Those of each first byte together, longest first. */
/* clang-format off */
static const struct punct puncts[] = {
#define P(text, id) {text, sizeof(text) - 1, TOKEN_##id}
    P("!=", NE),          P("!", BANG),
    P("#", HASH),         P("%=", REM_ASSIGN), P("%>", RBRACE),     P("%:", HASH), P("%", PERCENT),
    P("&&", LAND),        P("&=", AND_ASSIGN), P("&", AND),
    P("(", LPAREN),       P(")", RPAREN),
    P("*=", MUL_ASSIGN),  P("*", STAR),
    P("++", INC),         P("+=", ADD_ASSIGN), P("+", PLUS),
    P(",", COMMA),
    P("->", ARROW),       P("--", DEC),        P("-=", SUB_ASSIGN), P("-", MINUS),
    P("...", ELLIPSIS),   P(".", DOT),
    P("/=", DIV_ASSIGN),  P("/", SLASH),
    P(":>", RBRACKET),    P(":", COLON),
    P(";", SEMI),
    P("<<=", SHL_ASSIGN), P("<<", SHL),        P("<=", LE),         P("<:", LBRACKET),
    P("<%", LBRACE),      P("<", LT),
    P("==", EQ),          P("=", ASSIGN),
    P(">>=", SHR_ASSIGN), P(">>", SHR),        P(">=", GE),         P(">", GT),
    P("?", QUESTION),
    P("[", LBRACKET),     P("]", RBRACKET),
    P("^=", XOR_ASSIGN),  P("^", XOR),
    P("{", LBRACE),
    P("|=", OR_ASSIGN),   P("||", LOR),        P("|", OR),
    P("}", RBRACE),       P("~", TILDE),
#undef P
};
/* clang-format on */

static void add_marker(struct lexer *l, struct line_marker m)
{
    struct program *p = l->program;
    if (p->marker_count && p->markers[p->marker_count - 1].offset >= m.offset)
        p->marker_count--; /* an empty stretch: the later marker counts */
    if (p->marker_count == l->marker_room) {
        l->marker_room = l->marker_room ? l->marker_room * 2 : 64;
        p->markers = arena_grow(&p->arena, p->markers, p->marker_count, l->marker_room,
                                sizeof *p->markers);
    }
    p->markers[p->marker_count++] = m;
}

void lex_start(struct lexer *l, struct program *program, struct arena *arena)
{
    l->text = program->text;
    l->size = program->text_size;
    l->line_start = true;
    l->program = program;
    l->arena = arena;
    add_marker(l, (struct line_marker){.line = 1, .file = program->file});
    grow(l);
    for (size_t i = 0; i < LENGTH(keywords); i++) {
        const char *s = keywords[i].spelling;
        lex_intern(l, s, (uint32_t)strlen(s))->keyword = keywords[i].kind;
    }
    for (size_t i = LENGTH(puncts); i-- > 0;)
        l->punct_start[(unsigned char)puncts[i].spelling[0]] = (uint8_t)(i + 1);
}

const char *lex_token_name(enum token_kind kind)
{
    static const char *const names[TOKEN_COUNT] = {
        [TOKEN_END] = "end of file",     [TOKEN_IDENT] = "identifier",
        [TOKEN_NUMBER] = "number",       [TOKEN_CHARACTER] = "character constant",
        [TOKEN_STRING] = "string",       [TOKEN_PRAGMA] = "#pragma",
        [TOKEN_BAD] = "stray character",
#define FIRST_KEYWORD(id, spelling) [TOKEN_##id] = "'" spelling "'",
#define KEYWORD(id, spelling)
#define PUNCT(id, spelling, infix)   [TOKEN_##id] = "'" spelling "'",
#define ASSIGNMENT(id, spelling, op) [TOKEN_##id] = "'" spelling "'",
#include "front/tokens.def"
    };
    return names[kind];
}

/* ---- directives ------------------------------------------------------------------------- */

static uint32_t line_end(const struct lexer *l, uint32_t at)
{
    const char *end = memchr(l->text + at, '\n', l->size - at);
    return end ? (uint32_t)(end - l->text) : l->size;
}

/* The file name between quotes at *at, its escapes undone. */
static const char *marker_file(struct lexer *l, uint32_t *at, uint32_t end)
{
    char buffer[4096];
    size_t n = 0;
    uint32_t i = *at + 1;
    for (; i < end && l->text[i] != '"'; i++) {
        if (l->text[i] == '\\' && i + 1 < end)
            i++;
        if (n < sizeof buffer)
            buffer[n++] = l->text[i];
    }
    *at = i < end ? i + 1 : end;
    return lex_intern(l, buffer, (uint32_t)n)->name;
}

/* `# 12 "file.c" 3 4` or `#line 12 "file.c"`; at is behind the #. */
static bool line_marker(struct lexer *l, uint32_t at, uint32_t end)
{
    while (at < end && is_class(l->text[at], C_SPACE))
        at++;
    if (end - at > 5 && memcmp(l->text + at, "line ", 5) == 0)
        at += 5;
    if (at >= end || !is_class(l->text[at], C_DIGIT))
        return false;
    uint32_t line = 0;
    for (; at < end && is_class(l->text[at], C_DIGIT); at++)
        line = line * 10 + (uint32_t)(l->text[at] - '0');
    while (at < end && is_class(l->text[at], C_SPACE))
        at++;
    struct line_marker m = {.offset = end < l->size ? end + 1 : end, .line = line};
    const struct program *p = l->program;
    m.file = p->marker_count ? p->markers[p->marker_count - 1].file : p->file;
    if (at < end && l->text[at] == '"')
        m.file = marker_file(l, &at, end);
    for (; at < end; at++)
        m.system = m.system || l->text[at] == '3';
    add_marker(l, m);
    return true;
}

static bool is_kept_directive(const struct lexer *l, uint32_t at, uint32_t end)
{
    while (at < end && is_class(l->text[at], C_SPACE))
        at++;
    return (end - at >= 6 && memcmp(l->text + at, "pragma", 6) == 0) ||
           (end - at >= 5 && memcmp(l->text + at, "ident", 5) == 0);
}

/* A line that starts with #.  True when it is a token. */
static bool directive(struct lexer *l, struct token *t)
{
    uint32_t end = line_end(l, l->at);
    t->begin = l->at;
    if (line_marker(l, l->at + 1, end)) {
        l->at = end;
        return false;
    }
    t->kind = is_kept_directive(l, l->at + 1, end) ? TOKEN_PRAGMA : TOKEN_BAD;
    l->at = t->end = end;
    return true;
}

/* ---- literals --------------------------------------------------------------------------- */

/* From behind the opening quote to behind the closing one; false at a line's end. */
static bool skip_quoted(struct lexer *l, char quote)
{
    while (l->at < l->size) {
        char c = l->text[l->at++];
        if (c == quote)
            return true;
        if (c == '\n' || c == 0)
            return false;
        if (c == '\\' && l->at < l->size)
            l->at++;
    }
    return false;
}

/* A pp-number (C11 6.4.8). */
static void skip_number(struct lexer *l)
{
    const char *s = l->text + l->at;
    for (;; s++) {
        if ((*s == '+' || *s == '-') && byte_class[(unsigned char)s[-1]] & C_EXPONENT)
            continue;
        if (*s == '\'' && is_class(s[1], C_DIGIT | C_LETTER)) /* C23: 1'000 */
            continue;
        if (*s != '.' && !is_class(*s, C_LETTER | C_DIGIT))
            break;
    }
    l->at = (uint32_t)(s - l->text);
}

/* Is the identifier at begin the prefix of a literal that follows it at once? */
static bool is_literal_prefix(const struct lexer *l, uint32_t begin)
{
    char quote = l->text[l->at];
    uint32_t n = l->at - begin;
    const char *s = l->text + begin;
    if (quote != '"' && quote != '\'')
        return false;
    return (n == 1 && (*s == 'L' || *s == 'u' || *s == 'U')) ||
           (n == 2 && s[0] == 'u' && s[1] == '8');
}

static void quoted(struct lexer *l, struct token *t)
{
    char quote = l->text[l->at++];
    t->kind = quote == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
    if (!skip_quoted(l, quote))
        t->kind = TOKEN_BAD;
}

/* \u00e9 in an identifier: kept as it is spelled. */
static bool at_universal(const char *s)
{
    return s[0] == '\\' && (s[1] == 'u' || s[1] == 'U');
}

static void word(struct lexer *l, struct token *t)
{
    const char *start = l->text + l->at, *s = start;
    do {
        while (byte_class[(unsigned char)*s] & (C_LETTER | C_DIGIT))
            s++;
    } while (((unsigned char)*s >= 0x80 || at_universal(s)) && s++);
    l->at = (uint32_t)(s - l->text);
    if (is_literal_prefix(l, t->begin)) {
        quoted(l, t);
        return;
    }
    t->ident = lex_intern(l, start, (uint32_t)(s - start));
    t->kind = t->ident->keyword;
}

/* ---- the next token --------------------------------------------------------------------- */

static void punctuator(struct lexer *l, struct token *t)
{
    const char *s = l->text + l->at;
    uint8_t start = l->punct_start[(unsigned char)*s];
    t->kind = TOKEN_BAD;
    l->at++;
    if (!start)
        return;
    for (const struct punct *c = &puncts[start - 1]; c < puncts + LENGTH(puncts); c++) {
        if (c->spelling[0] != s[0])
            break;
        bool match = c->size == 1 ||
                     (s[1] == c->spelling[1] && (c->size == 2 || s[2] == c->spelling[2]));
        if (match) {
            t->kind = c->kind;
            l->at += c->size - 1u;
            return;
        }
    }
}

/* Comments are there only when somebody preprocessed with -C. */
static bool skip_comment(struct lexer *l)
{
    const char *s = l->text + l->at;
    if (s[0] != '/' || (s[1] != '*' && s[1] != '/'))
        return false;
    if (s[1] == '/') {
        l->at = line_end(l, l->at);
        return true;
    }
    const char *end = strstr(s + 2, "*/");
    l->at = end ? (uint32_t)(end + 2 - l->text) : l->size;
    return true;
}

static void skip_space(struct lexer *l)
{
    const char *s = l->text + l->at;
    for (;;) {
        while (byte_class[(unsigned char)*s] & C_SPACE)
            s++;
        if (*s != '\n')
            break;
        l->line_start = true;
        s++;
    }
    l->at = (uint32_t)(s - l->text);
}

void lex_next(struct lexer *l, struct token *t)
{
    t->ident = NULL;
    for (;;) {
        skip_space(l);
        char c = l->text[l->at];
        if (c == '#' && l->line_start) {
            if (directive(l, t))
                return;
            continue;
        }
        l->line_start = false;
        t->begin = l->at;
        if (is_class(c, C_LETTER) || at_universal(l->text + l->at)) {
            word(l, t);
        } else if (is_class(c, C_DIGIT) || (c == '.' && is_class(l->text[l->at + 1], C_DIGIT))) {
            t->kind = TOKEN_NUMBER;
            l->at++;
            skip_number(l);
        } else if (c == '"' || c == '\'') {
            quoted(l, t);
        } else if (c == '/' && skip_comment(l)) {
            continue;
        } else if (l->at >= l->size) {
            t->kind = TOKEN_END;
        } else {
            punctuator(l, t);
        }
        t->end = l->at;
        return;
    }
}
