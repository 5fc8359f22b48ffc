/* Growable strings. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CUPEL_HOSTILE
enum { FIRST_CAP = 1 };
#else
enum { FIRST_CAP = 64 };
#endif

void text_reserve(struct text *t, size_t more)
{
    if (more > SIZE_MAX / 4 - t->n)
        BUG("text of %zu + %zu bytes", t->n, more);
    size_t need = t->n + more + 1;
    if (need <= t->cap)
        return;
    size_t cap = t->cap ? t->cap : FIRST_CAP;
    while (cap < need)
        cap *= 2;
    char *s = realloc(t->s, cap);
    if (!s)
        BUG("out of memory for %zu bytes", cap);
    t->s = s;
    t->cap = cap;
    t->s[t->n] = '\0';
}

void text_add(struct text *t, const void *bytes, size_t n)
{
    text_reserve(t, n);
    if (n)
        memcpy(t->s + t->n, bytes, n);
    t->n += n;
    t->s[t->n] = '\0';
}

/* Most are a name or an operator: a few bytes, for which there is room. */
void text_puts(struct text *t, const char *s)
{
    size_t at = t->n;
    for (; at + 1 < t->cap && *s; at++)
        t->s[at] = *s++;
    t->n = at;
    if (*s || !t->cap)
        text_add(t, s, strlen(s));
    else
        t->s[at] = '\0';
}

void text_vprintf(struct text *t, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t room = t->cap - t->n; /* mostly enough: once is all then */
    int n = vsnprintf(room ? t->s + t->n : NULL, room, fmt, args);
    if (n < 0)
        BUG("bad format '%s'", fmt);
    if ((size_t)n >= room) {
        text_reserve(t, (size_t)n);
        vsnprintf(t->s + t->n, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    t->n += (size_t)n;
}

void text_printf(struct text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    text_vprintf(t, fmt, args);
    va_end(args);
}

void text_clear(struct text *t)
{
    t->n = 0;
    if (t->s)
        t->s[0] = '\0';
}

void text_free(struct text *t)
{
    free(t->s);
    *t = (struct text){0};
}

const char *text_str(const struct text *t)
{
    return t->s ? t->s : "";
}

void text_add_latin1(struct text *t, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c >= 0x80)
            text_putc(t, (char)(0xc0 | c >> 6));
        text_putc(t, c < 0x80 ? (char)c : (char)(0x80 | (c & 0x3f)));
    }
}

void text_add_from_latin1(struct text *t, const char *utf8, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)utf8[i];
        bool pair = c >= 0xc0 && i + 1 < n;
        text_putc(t, pair ? (char)((c & 3) << 6 | (utf8[++i] & 0x3f)) : (char)c);
    }
}

/* The bytes of the UTF-8 character at s, no more than n; 0 when there is none. */
static size_t utf8_length(const unsigned char *s, size_t n, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t k = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (k == 0 || k > n)
        return 0;
    *code = k == 1 ? s[0] : s[0] & (0x7fu >> k);
    for (size_t i = 1; i < k; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (s[i] & 0x3f);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least[k] || *code > 0x10ffff || surrogate ? 0 : k;
}

static bool is_visible(uint32_t c)
{
    bool turns = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e ||
                 c == 0x200f || c == 0x061c;
    return c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && !turns);
}

void text_add_visible(struct text *t, const char *bytes, size_t n)
{
    const unsigned char *s = (const unsigned char *)bytes;
    for (size_t i = 0, k; i < n; i += k) {
        uint32_t code;
        k = utf8_length(s + i, n - i, &code);
        if (k && is_visible(code)) {
            text_add(t, s + i, k);
            continue;
        }
        k = k ? k : 1;
        for (size_t b = 0; b < k; b++)
            text_printf(t, "\\%03o", s[i + b]);
    }
}

char *str_visible(struct arena *a, const char *s)
{
    struct text t = {0};
    text_add_visible(&t, s, strlen(s));
    char *copy = arena_string(a, text_str(&t));
    text_free(&t);
    return copy;
}
