/* C text to tokens, without caring whether it is C: for sizes, and for what stands between the
 * nodes of the tree (commas, qualifiers, stars).  Never fails; an open quote ends with its line. */
#include "reduce/private.h"

#include <ctype.h>
#include <string.h>

struct scanner {
    const char *at, *end, *start;
    bool fresh; /* nothing but blanks since the newline */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void skip_comment(struct scanner *s)
{
    const char *close;
    if (s->at[1] == '/') {
        while (s->at < s->end && *s->at != '\n')
            s->at++;
        return;
    }
    close = memmem(s->at + 2, (size_t)(s->end - s->at) - 2, "*/", 2);
    s->at = close ? close + 2 : s->end;
}

static bool at_comment(const struct scanner *s)
{
    return s->end - s->at >= 2 && s->at[0] == '/' && (s->at[1] == '/' || s->at[1] == '*');
}

/* To the next token; false at the end. */
static bool skip_blanks(struct scanner *s)
{
    while (s->at < s->end) {
        if (at_comment(s)) {
            skip_comment(s);
        } else if (isspace((unsigned char)*s->at)) {
            s->fresh = s->fresh || *s->at == '\n';
            s->at++;
        } else {
            return true;
        }
    }
    return false;
}

static void take_quoted(struct scanner *s)
{
    char quote = *s->at++;
    while (s->at < s->end && *s->at != quote && *s->at != '\n')
        s->at += *s->at == '\\' && s->end - s->at > 1 ? 2 : 1;
    if (s->at < s->end && *s->at == quote)
        s->at++;
}

static void take_number(struct scanner *s)
{
    while (s->at < s->end && (is_word(*s->at) || *s->at == '.' ||
                              ((*s->at == '+' || *s->at == '-') && strchr("eEpP", s->at[-1]))))
        s->at++;
}

static void take_mark(struct scanner *s)
{
    static const char *const long_marks[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                             "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                             "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};
    bool may_be_long = s->end - s->at > 1 && strchr("<>.-+=&|#", s->at[1]);
    for (size_t i = 0; may_be_long && i < LENGTH(long_marks); i++) {
        size_t n = strlen(long_marks[i]);
        if ((size_t)(s->end - s->at) >= n && memcmp(s->at, long_marks[i], n) == 0) {
            s->at += n;
            return;
        }
    }
    s->at++;
}

static uint8_t take(struct scanner *s)
{
    char c = *s->at;
    bool fresh = s->fresh;
    s->fresh = false;
    if (c == '#' && fresh) {
        while (s->at < s->end && *s->at != '\n')
            s->at++;
        return TOKEN_LINE;
    }
    if (c == '"' || c == '\'') {
        take_quoted(s);
        return TOKEN_QUOTED;
    }
    if (isdigit((unsigned char)c) ||
        (c == '.' && s->end - s->at > 1 && isdigit((unsigned char)s->at[1]))) {
        s->at++;
        take_number(s);
        return TOKEN_NUMBER;
    }
    if (!is_word(c)) {
        take_mark(s);
        return TOKEN_MARK;
    }
    while (s->at < s->end && is_word(*s->at))
        s->at++;
    if (s->at < s->end && (*s->at == '"' || *s->at == '\'') && s->end - s->at > 1) {
        take_quoted(s);
        return TOKEN_QUOTED;
    }
    return TOKEN_WORD;
}

static struct scanner start(const char *text, size_t size)
{
    return (struct scanner){text, text + size, text, true};
}

size_t tokens_count(const char *text, size_t size, size_t *words)
{
    struct scanner s = start(text, size);
    size_t n = 0;
    *words = 0;
    for (; skip_blanks(&s); n++)
        *words += take(&s) == TOKEN_WORD;
    return n;
}

static bool partners(char open, char close)
{
    return (open == '(' && close == ')') || (open == '[' && close == ']') ||
           (open == '{' && close == '}');
}

/* Brackets without a partner stay their own. */
static void match_brackets(struct arena *a, const char *text, struct tokens *t)
{
    uint32_t *open = NEW_ARRAY(a, t->n + 1, uint32_t), depth = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        char c = text[t->at[i].begin];
        t->at[i].match = i;
        if (t->at[i].kind != TOKEN_MARK)
            continue;
        if (strchr("([{", c))
            open[depth++] = i;
        else if (strchr(")]}", c) && depth && partners(text[t->at[open[depth - 1]].begin], c)) {
            uint32_t partner = open[--depth];
            t->at[i].match = partner;
            t->at[partner].match = i;
        }
    }
}

void tokens_scan(struct arena *a, const char *text, size_t size, struct tokens *out)
{
    struct scanner s = start(text, size);
    size_t words;
    out->at = NEW_ARRAY(a, tokens_count(text, size, &words) + 1, struct token);
    out->n = 0;
    while (skip_blanks(&s)) {
        struct token *t = &out->at[out->n++];
        t->begin = (uint32_t)(s.at - text);
        t->kind = take(&s);
        t->end = (uint32_t)(s.at - text);
    }
    match_brackets(a, text, out);
}

uint32_t tokens_at(const struct tokens *t, uint32_t offset)
{
    uint32_t low = 0, high = t->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->at[middle].begin < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool token_is(const char *text, const struct token *t, const char *word)
{
    size_t n = strlen(word);
    return t->end - t->begin == n && memcmp(text + t->begin, word, n) == 0;
}

void tokens_squeeze(struct text *text)
{
    struct arena a = {0};
    struct tokens t;
    struct text out = {0};
    const char *from = text_str(text);
    tokens_scan(&a, from, text->n, &t);
    for (uint32_t i = 0; i < t.n; i++) {
        uint32_t gap = i ? t.at[i - 1].end : t.at[i].begin, begin = t.at[i].begin;
        if (memchr(from + gap, '\n', begin - gap))
            text_putc(&out, '\n');
        else if (gap < begin)
            text_putc(&out, ' ');
        text_add(&out, from + begin, t.at[i].end - begin);
    }
    text_puts(&out, t.n ? "\n" : "");
    text_free(text);
    *text = out;
    arena_free(&a);
}

/* Would they be read as something else without a blank between them? */
static bool grow_together(const char *text, const struct token *a, const struct token *b)
{
    static const char marks[] = "+-&|<>=!*/%^#.:";
    char last = text[a->end - 1], first = text[b->begin];
    if (is_word(last) && (is_word(first) || first == '"' || first == '\''))
        return true;
    if (a->kind == TOKEN_NUMBER)
        return first == '.' || ((first == '+' || first == '-') && strchr("eEpP", last));
    return (a->kind == TOKEN_QUOTED && is_word(first)) ||
           (last == '.' && isdigit((unsigned char)first)) ||
           (strchr(marks, last) && strchr(marks, first));
}

void tokens_pack(struct text *text)
{
    struct arena a = {0};
    struct tokens t;
    struct text out = {0};
    const char *from = text_str(text);
    tokens_scan(&a, from, text->n, &t);
    for (uint32_t i = 0; i < t.n; i++) {
        const struct token *last = i ? &t.at[i - 1] : NULL;
        if (last && (last->kind == TOKEN_LINE || t.at[i].kind == TOKEN_LINE))
            text_putc(&out, '\n');
        else if (last && grow_together(from, last, &t.at[i]))
            text_putc(&out, ' ');
        text_add(&out, from + t.at[i].begin, t.at[i].end - t.at[i].begin);
    }
    text_puts(&out, t.n ? "\n" : "");
    text_free(text);
    *text = out;
    arena_free(&a);
}

/* Does a token begin there, and no directive has it?  From the beginning of the line on. */
static bool is_token(const char *line, const char *at, const char *end)
{
    struct scanner s = start(line, (size_t)(end - line));
    while (skip_blanks(&s) && s.at < at)
        take(&s);
    return s.at == at;
}

/* Needs: text as the printer lays it out, so that no comment or string goes on in the next line. */
void tokens_shorten(struct text *text)
{
    static const char phrase[] = "unsigned int";
    const size_t both = sizeof phrase - 1, kept = strlen("unsigned");
    struct text out = {0};
    const char *from = text_str(text), *end = from + text->n, *copied = from, *line = from, *at;
    for (at = from; (at = strstr(at, phrase)); at += both) {
        const char *newline = memrchr(line, '\n', (size_t)(at - line));
        line = newline ? newline + 1 : line;
        if (is_word(at[both]) || !is_token(line, at, end))
            continue;
        text_add(&out, copied, (size_t)(at - copied) + kept);
        copied = at + both;
    }
    if (copied == from)
        return;
    text_add(&out, copied, (size_t)(end - copied));
    text_free(text);
    *text = out;
}
