/* Finding and reading files (C11 6.10.2, 5.1.1.2p1 phases 1 and 2). */
#include "cpp/private.h"

#include "sys/sys.h"

#include <string.h>

enum { MAX_FILE = 64 << 20 };

/* Lines that end in a backslash go on: they are joined, and the newlines follow where the joined
 * line ends, so that line numbers stay right. */
static void join_lines(struct text *t)
{
    char *from = t->s, *to = from;
    for (const char *splice; (splice = strstr(from, "\\\n"));) {
        size_t n = (size_t)(splice - from), owed = 0;
        memmove(to, from, n);
        to += n;
        from += n;
        do {
            for (; from[0] == '\\' && from[1] == '\n'; from += 2)
                owed++;
            *to++ = *from;
        } while (*from && *from++ != '\n');
        for (; owed; owed--)
            *to++ = '\n';
    }
    size_t rest = t->n - (size_t)(from - t->s);
    memmove(to, from, rest + 1);
    t->n = (size_t)(to - t->s) + rest;
}

/* What only the compiler can be sure about: trigraphs, strange line ends. */
static void check(struct cpp *c, const char *path, const struct text *t)
{
    if (memchr(t->s, 0, t->n) || memchr(t->s, '\r', t->n) || str_has_prefix(t->s, "\xef\xbb\xbf"))
        cpp_decline(c, "%s: a byte that only the compiler understands", path);
    if (str_has_suffix(t->s, "\\\n"))
        cpp_decline(c, "%s: a backslash at the end", path);
    for (const char *at = t->s; (at = strstr(at, "??")); at++)
        if (at[2] && strchr("=/'()!<>-", at[2]))
            cpp_decline(c, "%s: a trigraph", path);
    for (const char *at = t->s; (at = strchr(at, '\\')); at++) {
        size_t blanks = strspn(at + 1, " \t\v\f");
        if (blanks && at[1 + blanks] == '\n')
            cpp_decline(c, "%s: a blank behind a backslash", path);
    }
}

struct source *cpp_source(struct cpp *c, const char *path)
{
    struct source *s = map_get(&c->sources, path);
    if (!s) {
        s = NEW(&c->arena, struct source);
        s->path = arena_string(&c->arena, path);
        s->stamp = sys_file_stamp(&c->arena, path);
        map_set(&c->arena, &c->sources, path, s);
    }
    return s->stamp ? s : NULL;
}

void cpp_read_source(struct cpp *c, struct source *s)
{
    struct text *t = &c->reading;
    if (s->text)
        return;
    text_clear(t);
    if (!sys_read_file(s->path, MAX_FILE, t, NULL))
        cpp_decline(c, "%s cannot be read", s->path);
    if (t->n == 0 || t->s[t->n - 1] != '\n')
        text_putc(t, '\n');
    struct text whole = {.s = arena_copy(&c->arena, t->s, t->n), .n = t->n};
    check(c, s->path, &whole);
    join_lines(&whole);
    s->text = whole.s;
    s->size = whole.n;
}

static const char *beside(struct cpp *c, const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_printf(&c->arena, "%.*s/%s", (int)(slash - path), path, name) : name;
}

struct source *cpp_find(struct cpp *c, const char *name, bool quoted, bool next, int *folder)
{
    struct source *s = NULL;
    int start = 0;
    *folder = FOLDER_OWN;
    if (*name == '/')
        cpp_decline(c, "an absolute path in #include");
    if (next && !c->file->outer)
        cpp_decline(c, "#include_next in a file of no folder");
    if (next)
        start = c->file->folder + 1; /* from the first one where it was found beside another */
    else if (quoted)
        s = cpp_source(c, beside(c, c->file->source->path, name));
    for (int i = start; !s && i < c->folder_count; i++) {
        s = cpp_source(c, arena_printf(&c->arena, "%s/%s", c->folders[i].path, name));
        *folder = i;
    }
    return s;
}

static const char *between(struct cpp *c, const char *begin, const char *end)
{
    if (end <= begin || memchr(begin, '\\', (size_t)(end - begin)))
        cpp_decline(c, "the name in #include");
    return arena_copy(&c->arena, begin, (size_t)(end - begin));
}

const char *cpp_header_name(struct cpp *c, const struct tokens *line, bool *quoted)
{
    struct tokens list = *line;
    if (list.n == 1 && list.at[0].kind == T_NAME)
        list = cpp_expand_list(c, line);
    *quoted = list.n == 1 && list.at[0].kind == T_STRING && list.at[0].s[0] == '"';
    if (*quoted)
        return between(c, list.at[0].s + 1, list.at[0].s + list.at[0].size - 1);
    /* Unexpanded tokens stand in the text as they were written. */
    if (list.at != line->at || list.n < 3 || !cpp_token_is(&list.at[0], "<") ||
        list.at[list.n - 1].s[0] != '>' || list.at[list.n - 1].size != 1)
        cpp_decline(c, "the name in #include");
    return between(c, list.at[0].s + 1, list.at[list.n - 1].s);
}
