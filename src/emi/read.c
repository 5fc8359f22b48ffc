/* Reading a unit: preprocessed, parsed, and without what its headers declare in vain.  Takes a
 * source, yields a program or says why there is none.  Runs nothing but the preprocessor. */
#include "emi/private.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(const char *line, const char *end)
{
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    return line == end;
}

static bool is_line_marker(const char *line, const char *end)
{
    return end - line > 2 && line[0] == '#' && line[1] == ' ' && line[2] >= '0' && line[2] <= '9';
}

/* So many lines on, and without the flags that say where an include began and ended: some of
 * those are gone. */
static void put_marker(const char *line, unsigned long skipped, struct text *out)
{
    char *name;
    unsigned long number = strtoul(line + 2, &name, 10);
    const char *end = strchr(line, '\n'), *quote = end;
    while (quote > name && *quote != '"')
        quote--;
    text_printf(out, "# %lu", number + skipped);
    text_add(out, name, (size_t)(quote + 1 - name));
    text_puts(out, memchr(quote, '3', (size_t)(end - quote)) ? " 3\n" : "\n");
}

/* The text without line markers that nothing stands behind. */
static void without_empty_parts(const struct text *in, struct text *out)
{
    const char *stop = text_str(in) + in->n, *pending = NULL;
    unsigned long skipped = 0;
    for (const char *line = text_str(in); line < stop;) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        end = end ? end : stop;
        if (is_line_marker(line, end)) {
            pending = line;
            skipped = 0;
        } else if (!pending || !is_blank(line, end)) {
            if (pending)
                put_marker(pending, skipped, out);
            text_add(out, line, (size_t)(end - line));
            text_putc(out, '\n');
            pending = NULL;
        } else {
            skipped++;
        }
        line = end + 1;
    }
}

static bool parse(const struct front_source *source, const struct text *text,
                  struct program **program, enum emi_refusal *why, struct err *e)
{
    struct front_options options = front_options_of(source);
    struct unit u = front_parse(text_str(text), text->n, &options);
    if (u.error_count) {
        const struct diagnostic *d = &u.errors[0];
        fail(e, "%s:%u:%u: cannot be read: %s", d->place.file, d->place.line, d->place.column,
             d->message);
        lang_program_free(u.program);
        *why = EMI_UNREAD;
        return false;
    }
    *program = u.program;
    const struct decl *nested = vary_nested(u.program);
    if (!nested)
        return true;
    fail(e, "%s is a function within another one: such programs are not varied", nested->name);
    lang_program_free(u.program);
    *program = NULL;
    *why = EMI_UNREAD;
    return false;
}

/* What headers declare in vain is left out: one compiler's headers are not always another's. */
static bool shorten(const struct front_source *source, struct program **program,
                    enum emi_refusal *why, struct err *e)
{
    struct text whole = {0}, text = {0};
    size_t n = 0;
    struct edit *edits = lang_minimal(*program, &n);
    struct program *shorter = NULL;
    lang_splice(*program, edits, n, &whole);
    without_empty_parts(&whole, &text);
    bool ok = parse(source, &text, &shorter, why, e);
    if (ok) {
        lang_program_free(*program);
        *program = shorter;
    }
    text_free(&whole);
    text_free(&text);
    return ok;
}

bool emi_parse(const struct front_source *source, bool whole, struct program **program,
               enum emi_refusal *why, struct err *e)
{
    struct text text = {0};
    *why = EMI_UNCOMPILED;
    bool ok = front_preprocess(source, &text, e) && parse(source, &text, program, why, e);
    text_free(&text);
    if (!ok || whole || !(*program)->file)
        return ok;
    if (shorten(source, program, why, e))
        return true;
    lang_program_free(*program);
    *program = NULL;
    return false;
}
