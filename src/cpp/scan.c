/* Text to preprocessing tokens (C11 6.4).  Spellings point into the files' texts. */
#include "cpp/private.h"

#include <string.h>

/* ---- classes of bytes ------------------------------------------------------------------- */

/* clang-format off */
#define L CPP_LETTER
#define D CPP_DIGIT
#define B CPP_BLANK
const uint8_t cpp_class[256] = {
    ['\t'] = B, ['\v'] = B, ['\f'] = B, [' '] = B, ['$'] = L, ['_'] = L,
    ['0'] = D, ['1'] = D, ['2'] = D, ['3'] = D, ['4'] = D, ['5'] = D, ['6'] = D, ['7'] = D,
    ['8'] = D, ['9'] = D, ['A'] = L, ['B'] = L, ['C'] = L, ['D'] = L, ['E'] = L, ['F'] = L,
    ['G'] = L, ['H'] = L, ['I'] = L, ['J'] = L, ['K'] = L, ['L'] = L, ['M'] = L, ['N'] = L,
    ['O'] = L, ['P'] = L, ['Q'] = L, ['R'] = L, ['S'] = L, ['T'] = L, ['U'] = L, ['V'] = L,
    ['W'] = L, ['X'] = L, ['Y'] = L, ['Z'] = L, ['a'] = L, ['b'] = L, ['c'] = L, ['d'] = L,
    ['e'] = L, ['f'] = L, ['g'] = L, ['h'] = L, ['i'] = L, ['j'] = L, ['k'] = L, ['l'] = L,
    ['m'] = L, ['n'] = L, ['o'] = L, ['p'] = L, ['q'] = L, ['r'] = L, ['s'] = L, ['t'] = L,
    ['u'] = L, ['v'] = L, ['w'] = L, ['x'] = L, ['y'] = L, ['z'] = L,
};
#undef L
#undef D
#undef B
/* clang-format on */

static bool is_word(char ch)
{
    return cpp_is(ch, CPP_LETTER | CPP_DIGIT);
}

bool cpp_would_paste(char before, char after, bool number)
{
    static const char signs[] = "+-*/%=<>&|^!#.:";
    if (number && (after == '+' || after == '-' || after == '.' || is_word(after)))
        return true;
    if (is_word(before))
        return is_word(after) || after == '"' || after == '\'';
    if (before == '.' && cpp_is(after, CPP_DIGIT))
        return true;
    return before && after && strchr(signs, before) && strchr(signs, after);
}

/* ---- names ------------------------------------------------------------------------------ */

static void grow(struct cpp *c)
{
    uint32_t count = c->bucket_count ? c->bucket_count * 4 : 4096;
    struct name **buckets = NEW_ARRAY(&c->arena, count, struct name *);
    for (uint32_t i = 0; i < c->bucket_count; i++)
        for (struct name *n = c->buckets[i], *after; n; n = after) {
            after = n->next;
            n->next = buckets[n->hash & (count - 1)];
            buckets[n->hash & (count - 1)] = n;
        }
    c->buckets = buckets;
    c->bucket_count = count;
}

struct name *cpp_name(struct cpp *c, const char *s, size_t size)
{
    uint32_t hash = (uint32_t)size;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)s[i]) * 0x01000193u;
    hash ^= hash >> 15;
    if (c->name_count >= c->bucket_count)
        grow(c);
    struct name **slot = &c->buckets[hash & (c->bucket_count - 1)];
    for (struct name *n = *slot; n; n = n->next)
        if (n->hash == hash && n->size == size && memcmp(n->s, s, size) == 0)
            return n;
    struct name *n = NEW(&c->arena, struct name);
    *n = (struct name){.next = *slot, .s = s, .size = (uint32_t)size, .hash = hash};
    *slot = n;
    c->name_count++;
    return n;
}

/* ---- skipping --------------------------------------------------------------------------- */

const char *cpp_skip_quoted(const char *s)
{
    char quote = *s++;
    for (; *s != quote; s++) {
        if (*s == '\\' && s[1] != '\n')
            s++;
        if (*s == '\n')
            return NULL;
    }
    return s + 1;
}

const char *cpp_skip_comment(struct cpp *c, const char *s, uint32_t *lines)
{
    if (s[1] == '/' && c->only_old_comments)
        cpp_decline(c, "// in ISO C90");
    if (s[1] == '/')
        return strchr(s, '\n');
    const char *end = strstr(s + 2, "*/");
    if (!end)
        cpp_decline(c, "a comment without its end");
    for (const char *at = s; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        ++*lines;
    return end + 2;
}

const char *cpp_skip_number(const char *s)
{
    for (;; s++) {
        if ((*s == '+' || *s == '-') && strchr("eEpP", s[-1]))
            continue;
        if (*s != '.' && !is_word(*s))
            return s;
    }
}

bool cpp_skip_blanks(struct cpp *c, const char **s, uint32_t *lines)
{
    const char *start = *s, *at = start;
    for (;;) {
        while (cpp_is(*at, CPP_BLANK))
            at++;
        if (at[0] != '/' || (at[1] != '*' && at[1] != '/'))
            break;
        at = cpp_skip_comment(c, at, lines);
    }
    *s = at;
    return at > start;
}

/* ---- tokens ----------------------------------------------------------------------------- */

/* How long the punctuator at s is (C11 6.4.6). */
static uint32_t punct_size(const char *s)
{
    switch (s[0]) {
    case '<':
    case '>':
        if (s[1] == s[0])
            return s[2] == '=' ? 3 : 2;
        return s[1] == '=' || (s[0] == '<' && (s[1] == ':' || s[1] == '%')) ? 2 : 1;
    case '+':
    case '&':
    case '|':
        return s[1] == s[0] || s[1] == '=' ? 2 : 1;
    case '-':
        return s[1] == '-' || s[1] == '=' || s[1] == '>' ? 2 : 1;
    case '%':
        return s[1] == '=' || s[1] == '>' || s[1] == ':' ? 2 : 1;
    case '=':
    case '!':
    case '*':
    case '/':
    case '^':
        return s[1] == '=' ? 2 : 1;
    case '#':
        return s[1] == '#' ? 2 : 1;
    case ':':
        return s[1] == '>' ? 2 : 1;
    case '.':
        return s[1] == '.' && s[2] == '.' ? 3 : 1;
    default:
        return 1;
    }
}

static struct token quoted(struct cpp *c, const char *start, const char **s)
{
    struct token t = {.kind = **s == '"' ? T_STRING : T_CHARACTER, .s = start};
    const char *end = cpp_skip_quoted(*s);
    if (!end)
        cpp_decline(c, "a literal without its end");
    *s = end;
    t.size = (uint32_t)(end - start);
    return t;
}

/* A literal with a prefix, or NULL's kind: T_END.  Which prefixes there are depends on the
 * standard, and the text of raw strings on no rule that is known here. */
static bool is_prefix(struct cpp *c, const char *s, size_t size, char quote)
{
    if (quote != '"' && quote != '\'')
        return false;
    if (size <= 3 && s[size - 1] == 'R' && quote == '"')
        cpp_decline(c, "a raw string");
    bool prefix = (size == 1 && (*s == 'L' || *s == 'u' || *s == 'U')) ||
                  (size == 2 && memcmp(s, "u8", 2) == 0);
    if (prefix && cpp_name(c, s, size)->macro)
        cpp_decline(c, "a macro or a literal's prefix");
    return prefix;
}

struct token cpp_scan(struct cpp *c, const char **s)
{
    const char *start = *s, *at = start;
    struct token t = {.s = start};
    if (cpp_is(*at, CPP_LETTER)) {
        while (is_word(*at))
            at++;
        *s = at;
        if (is_prefix(c, start, (size_t)(at - start), *at))
            return quoted(c, start, s);
        t.kind = T_NAME;
        t.name = cpp_name(c, start, (size_t)(at - start));
    } else if (cpp_is(*at, CPP_DIGIT) || (*at == '.' && cpp_is(at[1], CPP_DIGIT))) {
        at = cpp_skip_number(at + 1);
        t.kind = T_NUMBER;
    } else if (*at == '"' || *at == '\'') {
        return quoted(c, start, s);
    } else if ((unsigned char)*at >= 0x80 || *at == '\\') {
        cpp_decline(c, "a name with letters beyond ASCII");
    } else {
        at += punct_size(at);
        t.kind = T_PUNCT;
    }
    t.size = (uint32_t)(at - start);
    *s = at;
    return t;
}

/* The list grows in its place where it is the pool's last. */
void cpp_grow(struct cpp *c, struct tokens *list)
{
    bool last = list->cap && list->at + list->cap == c->pool + c->pool_used;
    uint32_t more = list->cap ? list->cap : 4, need = last ? more : list->cap + more;
    if (c->pool_room - c->pool_used < need) {
        c->pool_room = c->pool_room * 2 + 4096 + need;
        c->pool = NEW_ARRAY(&c->arena, c->pool_room, struct token);
        c->pool_used = 0;
        last = false;
        need = list->cap + more;
    }
    if (!last && list->n)
        memcpy(c->pool + c->pool_used, list->at, list->n * sizeof *list->at);
    if (!last)
        list->at = c->pool + c->pool_used;
    c->pool_used += need;
    list->cap += more;
}

void cpp_forget_lists(struct cpp *c)
{
    c->pool_used = 0;
}

struct tokens cpp_rest_of_line(struct cpp *c)
{
    struct file *f = c->file;
    struct tokens line = {0};
    for (;;) {
        bool space = cpp_skip_blanks(c, &f->at, &f->line);
        if (*f->at == '\n')
            break;
        struct token t = cpp_scan(c, &f->at);
        t.flags |= space ? TF_SPACE : 0;
        cpp_push(c, &line, t);
    }
    f->at++;
    f->line++;
    return line;
}
