/* Text on the page: escaped, and C with a little colour.  Takes bytes of any kind; what is no
 * character stays visible, and nothing of it is ever markup. */
#include "report/private.h"

#include <ctype.h>
#include <string.h>

static void put_char(struct text *out, char c)
{
    unsigned char u = (unsigned char)c;
    if (c == '<')
        text_puts(out, "&lt;");
    else if (c == '>')
        text_puts(out, "&gt;");
    else if (c == '&')
        text_puts(out, "&amp;");
    else if (c == '"')
        text_puts(out, "&quot;");
    else if (c == '\'')
        text_puts(out, "&#39;");
    else if ((u < 32 && c != '\n' && c != '\t') || u == 127)
        text_printf(out, "\\x%02x", u);
    else if (u >= 128) /* bytes of no known encoding */
        text_printf(out, "&#%u;", u);
    else
        text_putc(out, c);
}

void report_put_escaped(struct text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_char(out, s[i]);
}

void html_put(struct text *out, const char *s)
{
    report_put_escaped(out, s, strlen(s));
}

static bool is_keyword(const char *s, size_t n)
{
    static const char *const words[] = {
        "auto",     "break",  "case",     "char",     "const",   "continue", "default",  "do",
        "double",   "else",   "enum",     "extern",   "float",   "for",      "goto",     "if",
        "inline",   "int",    "long",     "register", "return",  "short",    "signed",   "sizeof",
        "restrict", "static", "struct",   "switch",   "typedef", "union",    "unsigned", "void",
        "volatile", "while",  "__int128", "_Bool"};
    for (size_t i = 0; i < LENGTH(words); i++)
        if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
            return true;
    return false;
}

static size_t word_length(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'))
        i++;
    return i;
}

/* A string or character literal, or a comment, as far as it goes; 0 for anything else. */
static size_t quoted_length(const char *s, size_t n)
{
    size_t i = 1;
    if (n > 1 && s[0] == '/' && s[1] == '*') {
        const char *end = memmem(s + 2, n - 2, "*/", 2);
        return end ? (size_t)(end - s) + 2 : n;
    }
    if (s[0] != '"' && s[0] != '\'')
        return 0;
    while (i < n && s[i] != s[0] && s[i] != '\n')
        i += s[i] == '\\' ? 2 : 1;
    return i < n ? i + 1 : n;
}

static void put_span(struct text *out, const char *class, const char *s, size_t n)
{
    text_printf(out, "<span class=%s>", class);
    report_put_escaped(out, s, n);
    text_puts(out, "</span>");
}

void report_put_source(struct text *out, const char *s, size_t n)
{
    text_puts(out, "<pre class=source tabindex=0>");
    for (size_t i = 0; i < n;) {
        size_t length = quoted_length(s + i, n - i), word = word_length(s + i, n - i);
        if (length) {
            put_span(out, s[i] == '/' ? "c" : "s", s + i, length);
        } else if (word && isdigit((unsigned char)s[i])) {
            put_span(out, "n", s + i, word);
        } else if (word && is_keyword(s + i, word)) {
            put_span(out, "k", s + i, word);
        } else {
            report_put_escaped(out, s + i, word ? word : 1);
        }
        i += length ? length : word ? word : 1;
    }
    text_puts(out, "</pre>\n");
}
