/* scanf and its family, on standard input and on strings. */
#include "machine/lib/private.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scan {
    struct lib_call *c;
    const char *text; /* NULL: standard input */
    uint64_t at, size;
    uint64_t used;
    uint32_t next; /* argument */
    int stored;
    bool ended, failed;
};

static int get(struct scan *s)
{
    int ch;
    if (s->text)
        ch = s->at < s->size ? (unsigned char)s->text[s->at++] : EOF;
    else
        ch = lib_getc(s->c);
    if (ch != EOF)
        s->used++;
    return ch;
}

static void back(struct scan *s, int ch)
{
    if (ch == EOF)
        return;
    s->used--;
    if (s->text)
        s->at--;
    else
        lib_unread(s->c, ch);
}

static void skip_blanks(struct scan *s)
{
    int ch;
    do
        ch = get(s);
    while (ch != EOF && isspace(ch));
    back(s, ch);
}

/* Where the next value goes, of this many bytes. */
static bool target(struct scan *s, uint64_t *address)
{
    struct lib_call *c = s->c;
    if (s->next >= c->site->count) {
        lib_undefined(c, UB_FORMAT, "there are too few arguments");
        return false;
    }
    if (c->site->types[s->next]->canon->kind != TYPE_POINTER) {
        lib_undefined(c, UB_FORMAT, "argument %u is no pointer", s->next + 1);
        return false;
    }
    *address = arg(c, s->next++);
    return true;
}

static bool store(struct scan *s, const void *bytes, uint64_t size)
{
    uint64_t address;
    if (!target(s, &address))
        return false;
    const struct type *to = s->c->site->types[s->next - 1]->canon->base;
    if (to->kind != TYPE_VOID && lang_sizeof(s->c->p, to) != size) {
        lib_undefined(s->c, UB_FORMAT, "argument %u points to %llu bytes, not %llu", s->next,
                      (unsigned long long)lang_sizeof(s->c->p, to), (unsigned long long)size);
        return false;
    }
    if (!lib_store(s->c, address, bytes, size))
        return false;
    s->stored++;
    return true;
}

/* The longest prefix that can start a number. */
static unsigned collect(struct scan *s, char *to, unsigned room, unsigned width, const char *set)
{
    unsigned n = 0;
    int ch = EOF;
    while (n < room && n < width && (ch = get(s)) != EOF && strchr(set, ch) && ch) {
        bool sign = ch == '+' || ch == '-';
        if (sign && n > 0 && !strchr("eEpP", to[n - 1]))
            break;
        to[n++] = (char)ch;
        ch = EOF;
    }
    back(s, ch);
    to[n] = 0;
    return n;
}

static bool scan_integer(struct scan *s, char conversion, unsigned size, unsigned width,
                         bool assign)
{
    char text[128], *end;
    static const struct {
        char conversion;
        int base;
        const char *set;
    } rows[] = {{'d', 10, "+-0123456789"},
                {'i', 0, "+-0123456789abcdefABCDEFxX"},
                {'u', 10, "+-0123456789"},
                {'o', 8, "+-01234567"},
                {'x', 16, "+-0123456789abcdefABCDEFxX"},
                {'X', 16, "+-0123456789abcdefABCDEFxX"}};
    size_t row = 0;
    while (rows[row].conversion != conversion)
        row++;
    skip_blanks(s);
    if (!collect(s, text, sizeof text - 1, width, rows[row].set)) {
        int ch = get(s);
        s->ended = ch == EOF;
        back(s, ch);
        return false;
    }
    unsigned long long v = conversion == 'd' || conversion == 'i'
                               ? (unsigned long long)strtoll(text, &end, rows[row].base)
                               : strtoull(text, &end, rows[row].base);
    if (end == text)
        return false;
    return !assign || store(s, &v, size);
}

static bool scan_floating(struct scan *s, unsigned size, unsigned width, bool assign)
{
    char text[128], *end;
    skip_blanks(s);
    if (!collect(s, text, sizeof text - 1, width, "+-0123456789.eExXpPabcdfABCDFinfatyINFATY")) {
        int ch = get(s);
        s->ended = ch == EOF;
        back(s, ch);
        return false;
    }
    long double wide = strtold(text, &end);
    double d = strtod(text, &end);
    float f = strtof(text, &end);
    if (end == text)
        return false;
    if (!assign)
        return true;
    return size == 4 ? store(s, &f, 4) : size == 8 ? store(s, &d, 8) : store(s, &wide, size);
}

static bool in_set(const char *set, const char *end, bool negated, int ch)
{
    bool found = false;
    for (const char *p = set; p < end; p++) {
        if (p + 2 < end && p[1] == '-') {
            found = found || (ch >= (unsigned char)p[0] && ch <= (unsigned char)p[2]);
            p += 2;
        } else {
            found = found || ch == (unsigned char)*p;
        }
    }
    return found != negated;
}

/* %s, %c and %[: characters into an array. */
static bool scan_text(struct scan *s, char conversion, const char *set, const char *end,
                      unsigned width, bool assign)
{
    bool negated = set && *set == '^';
    uint64_t to = 0, n = 0;
    if (conversion == 's')
        skip_blanks(s);
    if (assign && !target(s, &to))
        return false;
    unsigned limit = width ? width : conversion == 'c' ? 1 : UINT32_MAX;
    int ch = EOF;
    while (n < limit && (ch = get(s)) != EOF) {
        if (conversion == 's' && isspace(ch))
            break;
        if (conversion == '[' && !in_set(set + negated, end, negated, ch))
            break;
        uint8_t byte = (uint8_t)ch;
        if (assign && !lib_store(s->c, to + n, &byte, 1))
            return false;
        n++;
    }
    if (n < limit)
        back(s, ch);
    if (n == 0 || (conversion == 'c' && n < limit)) {
        s->ended = ch == EOF;
        return false;
    }
    if (assign && conversion != 'c' && !lib_store(s->c, to + n, "", 1))
        return false;
    s->stored += assign;
    return true;
}

struct conversion_spec {
    unsigned width;
    bool assign;
    int length; /* -2 hh, -1 h, 0, 1 l, 2 ll, 3 L, 4 z or t, 5 j */
};

static const char *parse(const char *f, struct conversion_spec *v)
{
    *v = (struct conversion_spec){.assign = true};
    if (*f == '*') {
        v->assign = false;
        f++;
    }
    while (*f >= '0' && *f <= '9')
        v->width = v->width * 10 + (unsigned)(*f++ - '0');
    for (; *f && strchr("hlLqjzt", *f); f++) {
        if (*f == 'h')
            v->length--;
        else if (*f == 'l')
            v->length++;
        else
            v->length = *f == 'L' ? 3 : *f == 'q' ? 2 : *f == 'j' ? 5 : 4;
    }
    return f;
}

static unsigned size_of_length(const struct lib_call *c, int length)
{
    const struct target *t = c->p->target;
    static const uint8_t small[] = {1, 2, 4};
    if (length <= 0)
        return small[length + 2];
    return length == 1 ? t->long_.size : length == 4 ? t->pointer.size : 8;
}

static bool scan_one(struct scan *s, const char **format)
{
    struct conversion_spec v;
    const char *f = parse(*format, &v), *set = NULL, *end = NULL;
    char conversion = *f;
    unsigned width = v.width ? v.width : UINT32_MAX;
    *format = f + 1;
    switch (conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return scan_integer(s, conversion, size_of_length(s->c, v.length), width, v.assign);
    case 'e':
    case 'f':
    case 'g':
    case 'a':
        return scan_floating(s,
                             v.length == 1   ? 8
                             : v.length == 3 ? s->c->p->target->ldouble.size
                                             : 4,
                             width, v.assign);
    case '[':
        set = f + 1;
        end = set + (*set == '^') + 1;
        while (*end && *end != ']')
            end++;
        *format = *end ? end + 1 : end;
        return scan_text(s, '[', set, end, v.width, v.assign);
    case 'c':
    case 's':
        return scan_text(s, conversion, NULL, NULL, v.width, v.assign);
    case 'n': {
        uint64_t used = s->used;
        bool done = store(s, &used, size_of_length(s->c, v.length));
        s->stored -= done;
        return done;
    }
    case '%': {
        skip_blanks(s);
        int ch = get(s);
        if (ch != '%')
            back(s, ch);
        s->ended = ch == EOF;
        return ch == '%';
    }
    default:
        lib_undefined(s->c, UB_FORMAT, "unknown conversion '%%%c'", conversion);
        return false;
    }
}

static void scan_all(struct scan *s, uint64_t format_address)
{
    uint64_t n;
    const char *f = lib_text(s->c, format_address, &n);
    while (f && *f) {
        if (isspace((unsigned char)*f)) {
            skip_blanks(s);
            f++;
        } else if (*f != '%') {
            int ch = get(s);
            if (ch != (unsigned char)*f) {
                s->ended = ch == EOF;
                back(s, ch);
                break;
            }
            f++;
        } else {
            f++;
            if (!scan_one(s, &f))
                break;
        }
    }
    give_int(s->c, s->stored == 0 && s->ended ? EOF : s->stored);
}

void lib_scanf(struct lib_call *c)
{
    struct scan s = {.c = c, .next = 1};
    scan_all(&s, arg(c, 0));
}

void lib_fscanf(struct lib_call *c)
{
    struct scan s = {.c = c, .next = 2};
    if (lib_file(c, arg(c, 0)) == 0)
        scan_all(&s, arg(c, 1));
}

void lib_sscanf(struct lib_call *c)
{
    struct scan s = {.c = c, .next = 2};
    s.text = lib_text(c, arg(c, 0), &s.size);
    if (s.text)
        scan_all(&s, arg(c, 1));
}
