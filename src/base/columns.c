/* Texts beside each other.  Takes lines as they are, yields a plain table; cuts nothing off. */
#include "base/base.h"

#include <string.h>

enum { TAB = 8, GAP = 3 };

/* Appends a line with its tabs as spaces; how wide it is. */
static size_t put_line(struct text *out, const char *line, size_t n)
{
    size_t width = 0;
    for (size_t i = 0; i < n; i++) {
        size_t next = line[i] == '\t' ? (width / TAB + 1) * TAB : width + 1;
        for (; line[i] == '\t' && width < next; width++)
            text_putc(out, ' ');
        if (line[i] != '\t')
            text_putc(out, line[i]);
        width = next;
    }
    return width;
}

static size_t width_of(const struct text_column *c)
{
    struct text ignored = {0};
    size_t most = strlen(c->title);
    for (const char *at = c->text; *at;) {
        size_t n = strcspn(at, "\n"), width = put_line(&ignored, at, n);
        most = width > most ? width : most;
        at += n + (at[n] == '\n');
    }
    text_free(&ignored);
    return most;
}

static void put_spaces(struct text *out, size_t n)
{
    while (n-- > 0)
        text_putc(out, ' ');
}

/* The next line of each of them; false when all are at their end. */
static bool put_row(struct text *out, const char **at, const size_t *widths, size_t n)
{
    size_t owed = 0;
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any |= *at[i] != '\0';
    for (size_t i = 0; any && i < n; i++) {
        size_t length = strcspn(at[i], "\n");
        if (length)
            put_spaces(out, owed);
        size_t width = put_line(out, at[i], length);
        owed = (length ? 0 : owed) + widths[i] - width + GAP;
        at[i] += length + (at[i][length] == '\n');
    }
    if (any)
        text_putc(out, '\n');
    return any;
}

void text_columns(struct text *out, const struct text_column *columns, size_t n)
{
    struct arena a = {0};
    size_t *widths = NEW_ARRAY(&a, n, size_t);
    const char **at = NEW_ARRAY(&a, n, const char *);
    for (size_t i = 0; i < n; i++) {
        widths[i] = width_of(&columns[i]);
        at[i] = columns[i].title;
    }
    put_row(out, at, widths, n);
    for (size_t i = 0; i < n; i++)
        at[i] = columns[i].text;
    while (put_row(out, at, widths, n))
        continue;
    arena_free(&a);
}
