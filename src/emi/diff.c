/* What a variant changed, shown in the files that the user wrote.  A line of preprocessed text that
 * the edits changed takes the place of the source line that it came from; all others stand as they
 * do in the source. */
#include "emi/private.h"

#include "sys/sys.h"

#include <string.h>

struct lines {
    const char **at;
    size_t n;
};

static struct lines split(struct arena *a, const char *s, size_t n)
{
    struct list l = {0};
    char *copy = arena_copy(a, s, n);
    for (char *line = copy; line && *line;) {
        char *end = strchr(line, '\n');
        list_add(a, &l, line);
        if (end)
            *end = 0;
        line = end ? end + 1 : NULL;
    }
    return (struct lines){(const char **)l.at, l.n};
}

/* One source file as the variant has it. */
struct changed_file {
    const char *name;
    struct lines before;
    const char **after; /* per line of the source; as before where nothing changed */
};

struct changes {
    struct arena arena;
    struct list files; /* struct changed_file */
};

static struct changed_file *file_named(struct changes *c, const char *name)
{
    for (size_t i = 0; i < c->files.n; i++)
        if (strcmp(((struct changed_file *)c->files.at[i])->name, name) == 0)
            return c->files.at[i];
    struct changed_file *f = NEW(&c->arena, struct changed_file);
    struct text text = {0};
    struct err e;
    f->name = name;
    if (sys_read_file(name, SYS_READ_ALL, &text, &e))
        f->before = split(&c->arena, text_str(&text), text.n);
    f->after = NEW_ARRAY(&c->arena, f->before.n + 1, const char *);
    for (size_t i = 0; i < f->before.n; i++)
        f->after[i] = f->before.at[i];
    text_free(&text);
    list_add(&c->arena, &c->files, f);
    return f;
}

static bool is_marker(const char *line)
{
    return line[0] == '#' && line[1] == ' ' && line[2] >= '0' && line[2] <= '9';
}

/* Walks both texts line by line: splicing kept the lines apart as they were. */
static bool collect(struct changes *c, const struct program *p, const struct lines *was,
                    const struct lines *is)
{
    uint32_t offset = 0;
    if (was->n != is->n)
        return false;
    for (size_t i = 0; i < was->n; i++) {
        if (strcmp(was->at[i], is->at[i]) != 0 && !is_marker(was->at[i])) {
            struct place place = lang_place(p, offset);
            struct changed_file *f = file_named(c, place.file);
            if (place.line == 0 || place.line > f->before.n)
                return false;
            f->after[place.line - 1] = is->at[i];
        }
        offset += (uint32_t)strlen(was->at[i]) + 1;
    }
    return true;
}

static void join(const char *const *lines, size_t n, struct text *out)
{
    for (size_t i = 0; i < n; i++)
        text_printf(out, "%s\n", lines[i]);
}

void emi_source_diff(const struct program *p, const char *file, const struct text *variant,
                     const char *name, struct text *out)
{
    struct changes c = {0};
    struct lines was = split(&c.arena, p->text, p->text_size);
    struct lines is = split(&c.arena, text_str(variant), variant->n);
    if (collect(&c, p, &was, &is)) {
        for (size_t i = 0; i < c.files.n; i++) {
            const struct changed_file *f = c.files.at[i];
            struct text before = {0}, after = {0};
            join(f->before.at, f->before.n, &before);
            join(f->after, f->before.n, &after);
            text_diff(&before, &after, f->name, name, out);
            text_free(&before);
            text_free(&after);
        }
    } else {
        struct text before = {0};
        text_add(&before, p->text, p->text_size);
        text_diff(&before, variant, file, name, out);
        text_free(&before);
    }
    arena_free(&c.arena);
}
