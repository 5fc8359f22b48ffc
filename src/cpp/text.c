/* Lines of text: macros expanded, comments taken out, everything else copied as it stands, line
 * for line and column for column, so that places in the result are those of the source. */
#include "cpp/private.h"

#include <stdio.h>
#include <string.h>

enum { MAX_OUTPUT = 256 << 20, MAX_GAP = 8 };

/* ---- output ----------------------------------------------------------------------------- */

void cpp_put_marker(struct cpp *c, unsigned why)
{
    const struct file *f = c->file;
    if (c->out->n && c->out->s[c->out->n - 1] != '\n')
        text_putc(c->out, '\n');
    if (c->out->n > MAX_OUTPUT)
        cpp_decline(c, "too much text");
    char number[16] = "";
    if (why)
        snprintf(number, sizeof number, " %u", why);
    text_printf(c->out, "# %u \"%s\"%s%s\n", f->line, f->source->path, number,
                f->system ? " 3 4" : "");
    c->out_line = f->line;
}

void cpp_sync(struct cpp *c)
{
    uint32_t line = c->file->line;
    if (c->out_line == line)
        return;
    if (line < c->out_line || line - c->out_line > MAX_GAP) {
        cpp_put_marker(c, 0);
        return;
    }
    for (; c->out_line < line; c->out_line++)
        text_putc(c->out, '\n');
}

static char last_char(const struct cpp *c)
{
    return c->out->n ? c->out->s[c->out->n - 1] : '\n';
}

static void put_tokens(struct cpp *c, const struct tokens *list)
{
    bool space = false,
         number = cpp_is(last_char(c), CPP_LETTER) || cpp_is(last_char(c), CPP_DIGIT);
    for (uint32_t i = 0; i < list->n; i++) {
        const struct token *t = &list->at[i];
        space |= i > 0 && t->flags & TF_SPACE; /* before the first, blanks are copied */
        if (t->kind == T_PLACE)
            continue;
        if (space || cpp_would_paste(last_char(c), t->s[0], number))
            text_putc(c->out, ' ');
        text_add(c->out, t->s, t->size);
        space = false;
        number = t->kind == T_NUMBER;
    }
    if (space || cpp_would_paste(last_char(c), *c->file->at, number))
        text_putc(c->out, ' ');
}

/* ---- lines of text ---------------------------------------------------------------------- */

/* The stretch of text that is copied when it ends. */
struct stretch {
    const char *begin;
};

static void flush(struct cpp *c, struct stretch *s)
{
    text_add(c->out, s->begin, (size_t)(c->file->at - s->begin));
    s->begin = c->file->at;
}

static void comment(struct cpp *c, struct stretch *s)
{
    struct file *f = c->file;
    uint32_t before = f->line;
    const char *start = f->at;
    flush(c, s);
    f->at = cpp_skip_comment(c, f->at, &f->line);
    s->begin = f->at;
    if (f->line != before) {
        const char *column = f->at;
        while (column[-1] != '\n')
            column--;
        if (*f->at != '\n')
            cpp_sync(c);
        for (; column < f->at && *f->at != '\n'; column++)
            text_putc(c->out, ' ');
    } else {
        for (; start < f->at && *f->at != '\n'; start++)
            text_putc(c->out, ' ');
    }
}

static void word(struct cpp *c, struct stretch *s)
{
    struct file *f = c->file;
    const char *begin = f->at;
    struct token t = cpp_scan(c, &f->at);
    if (t.kind != T_NAME ||
        (!t.name->macro && (!t.name->special || t.name->special == NAME_VA_ARGS)))
        return;
    const char *behind = f->at;
    f->at = begin;
    flush(c, s);
    f->at = behind;
    struct tokens list = cpp_expand_name(c, t);
    put_tokens(c, &list);
    cpp_forget_lists(c);
    s->begin = f->at;
    /* What stands behind a call that spans lines is on the line where the call ends. */
    if (f->at[strspn(f->at, " \t")] != '\n')
        cpp_sync(c);
}

void cpp_text_line(struct cpp *c)
{
    struct file *f = c->file;
    struct stretch s = {f->at};
    cpp_sync(c);
    for (;;) {
        char ch = *f->at;
        if (cpp_is(ch, CPP_LETTER)) {
            word(c, &s);
        } else if (cpp_is(ch, CPP_DIGIT)) {
            f->at = cpp_skip_number(f->at + 1);
        } else if (ch == '.' && cpp_is(f->at[1], CPP_DIGIT)) {
            f->at = cpp_skip_number(f->at + 2);
        } else if (ch == '"' || ch == '\'') {
            f->at = cpp_skip_quoted(f->at);
            if (!f->at)
                cpp_decline(c, "a literal without its end");
        } else if (ch == '\n') {
            break;
        } else if (ch == '/' && (f->at[1] == '/' || f->at[1] == '*')) {
            comment(c, &s);
        } else if ((unsigned char)ch >= 0x80 || ch == '\\') {
            cpp_decline(c, "a name with letters beyond ASCII");
        } else {
            f->at++;
        }
    }
    f->at++;
    flush(c, &s);
    f->line++;
    c->out_line++;
}
