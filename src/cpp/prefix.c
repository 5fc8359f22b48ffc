/* The #include lines that a file begins with, done once for all files that begin so.
 *
 * Headers make most of what is preprocessed, and every program includes the same.  What they left
 * behind (text, macros, guards) is kept in the cache, with the stamp of every file that was read
 * and every path that was looked for in vain: one that differs, and it is done anew. */
#include "cpp/private.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PREFIX_FORMAT = 1,
    WORTH_KEEPING = 16 << 10, /* bytes of text */
    MAX_KEPT = 64,            /* prefixes in the cache */
};

/* ---- which lines ------------------------------------------------------------------------ */

/* One #include of the beginning. */
struct include_line {
    uint32_t behind; /* the line after it */
    const char *begin, *end;
};

/* Behind `#include <...>` or `#include "..."` with nothing else on its line; or NULL. */
static const char *behind_include(struct cpp *c, const char *s, struct include_line *line)
{
    uint32_t lines = 0;
    if (*s++ != '#')
        return NULL;
    cpp_skip_blanks(c, &s, &lines);
    if (strncmp(s, "include", 7) != 0 || cpp_is(s[7], CPP_LETTER | CPP_DIGIT))
        return NULL;
    s += 7;
    cpp_skip_blanks(c, &s, &lines);
    const char *close = *s == '<' ? ">\n" : *s == '"' ? "\"\n" : NULL;
    if (!close)
        return NULL;
    line->begin = s;
    s += 1 + strcspn(s + 1, close);
    if (*s++ == '\n')
        return NULL;
    line->end = s;
    cpp_skip_blanks(c, &s, &lines);
    return *s == '\n' && lines == 0 ? s + 1 : NULL;
}

/* The lines, and where they end. */
static const char *leading_includes(struct cpp *c, struct list *lines)
{
    const char *at = c->file->at, *end = at;
    uint32_t number = c->file->line;
    while (at < c->file->end) {
        struct include_line line = {0};
        cpp_skip_blanks(c, &at, &number);
        if (*at == '\n') {
            at++;
            number++;
            continue;
        }
        at = behind_include(c, at, &line);
        if (!at)
            break;
        line.behind = ++number;
        struct include_line *kept = NEW(&c->arena, struct include_line);
        *kept = line;
        list_add(&c->arena, lines, kept);
        end = at;
    }
    return end;
}

/* Everything that decides what the lines give, but the files' contents. */
static const char *key_of(struct cpp *c, const struct list *lines, const char *defines)
{
    struct text key = {0};
    const char *here = sys_real_path(&c->arena, "."), *path = c->file->source->path;
    const char *slash = strrchr(path, '/');
    text_printf(&key, "cupel-prefix %d|%s|%s|%.*s|", PREFIX_FORMAT, c->world->key,
                here ? here : "?", slash ? (int)(slash - path) : 0, path);
    for (int i = 0; i < c->folder_count; i++)
        text_printf(&key, "%s%s:", c->folders[i].path, c->folders[i].system ? "" : "(own)");
    for (const char *s = defines; *s; s++)
        text_putc(&key, *s == '\n' ? ';' : *s);
    for (size_t i = 0; i < lines->n; i++) {
        const struct include_line *line = lines->at[i];
        text_add(&key, line->begin, (size_t)(line->end - line->begin));
    }
    char *kept = arena_copy(&c->arena, text_str(&key), key.n);
    text_free(&key);
    return kept;
}

/* ---- keeping ---------------------------------------------------------------------------- */

static void keep_files(struct cpp *c, struct text *out)
{
    for (size_t i = 0; i < c->sources.n; i++) {
        const struct source *s = c->sources.entries[i].value;
        if (!s->stamp)
            text_printf(out, "absent %s\n", s->path);
        else
            text_printf(out, "file %s %d %.*s %s\n", s->stamp, s->once,
                        s->guard ? (int)s->guard->size : 1, s->guard ? s->guard->s : "-", s->path);
    }
}

static void keep_macros(const struct cpp *c, struct text *out)
{
    for (uint32_t i = 0; i < c->bucket_count; i++)
        for (const struct name *n = c->buckets[i]; n; n = n->next)
            if (n->macro) {
                text_add(out, n->macro->text, n->macro->size);
                text_putc(out, '\n');
                text_putc(out, 0);
            }
}

/* A cache that grew too large is emptied: it fills again with what is in use. */
static void make_room(struct arena *a, const char *dir)
{
    struct list names = {0};
    if (!sys_list_folder(a, dir, &names, NULL) || names.n < MAX_KEPT)
        return;
    sys_empty_folder(dir);
}

static void keep(struct cpp *c, const char *dir, const char *path, const char *key)
{
    struct text out = {0}, macros = {0};
    text_printf(&out, "%s\n", key);
    keep_files(c, &out);
    for (size_t i = 0; i < c->segments.n; i++) {
        const struct segment *s = c->segments.at[i];
        text_printf(&out, "segment %zu %d\n", s->end - s->begin, s->skipped);
        text_add(&out, c->out->s + s->begin, s->end - s->begin);
        text_putc(&out, '\n');
    }
    keep_macros(c, &macros);
    text_printf(&out, "macros %zu\n", macros.n);
    text_add(&out, text_str(&macros), macros.n);
    make_room(&c->arena, dir);
    if (sys_make_dirs(dir, NULL))
        sys_write_file(path, out.s, out.n, NULL);
    text_free(&macros);
    text_free(&out);
}

/* ---- using ------------------------------------------------------------------------------ */

/* "file STAMP ONCE GUARD PATH", all but the first word; false when the file has changed. */
static bool use_file(struct cpp *c, char *line)
{
    char *stamp = strtok_r(line, " ", &line), *once = strtok_r(NULL, " ", &line);
    char *guard = strtok_r(NULL, " ", &line);
    if (!stamp || !once || !guard || !*line)
        return false;
    const char *now = sys_file_stamp(&c->arena, line);
    if (!now || strcmp(now, stamp) != 0)
        return false;
    struct source *s = NEW(&c->arena, struct source);
    *s = (struct source){.path = line, .stamp = stamp, .once = *once == '1'};
    if (strcmp(guard, "-") != 0)
        s->guard = cpp_name(c, guard, strlen(guard));
    map_set(&c->arena, &c->sources, line, s);
    return true;
}

/* The text of the include line, and the way back to the file. */
static void use_segment(struct cpp *c, const struct include_line *line, const char *text, size_t n,
                        bool skipped)
{
    c->file->line = line->behind;
    if (skipped)
        return;
    text_add(c->out, text, n);
    cpp_put_marker(c, 2);
}

static void use_macros(struct cpp *c, const char *at, const char *end)
{
    while (at < end) {
        size_t size = strlen(at), n = 0;
        while (cpp_is(at[n], CPP_LETTER | CPP_DIGIT))
            n++;
        struct macro *m = NEW(&c->arena, struct macro);
        *m = (struct macro){.text = at, .size = (uint32_t)size - 1, .unread = true};
        cpp_name(c, at, n)->macro = m;
        at += size + 1;
    }
}

/* False when something is wrong with what was kept; then out, c->sources and the file's line are
 * to be put right, but no macro is defined. */
static bool use(struct cpp *c, const struct list *lines, char *kept, size_t size)
{
    char *end = kept + size;
    size_t segment = 0, n;
    int skipped;
    for (char *line = kept, *next; line < end; line = next) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next)
            return false;
        *next++ = 0;
        if (str_has_prefix(line, "file ")) {
            if (!use_file(c, line + 5))
                return false;
        } else if (str_has_prefix(line, "absent ")) {
            if (sys_file_stamp(&c->arena, line + 7))
                return false;
        } else if (sscanf(line, "segment %zu %d", &n, &skipped) == 2) {
            if ((size_t)(end - next) <= n || segment >= lines->n)
                return false;
            use_segment(c, lines->at[segment++], next, n, skipped);
            next += n + 1;
        } else if (sscanf(line, "macros %zu", &n) == 1) {
            if ((size_t)(end - next) != n || segment != lines->n)
                return false;
            use_macros(c, next, end);
            return true;
        } else {
            return false;
        }
    }
    return false;
}

/* ---- both ------------------------------------------------------------------------------- */

bool cpp_prefix_use(struct cpp *c, const char *defines, struct prefix *p)
{
    struct list lines = {0};
    const char *cache = sys_cache_dir(&c->arena);
    *p = (struct prefix){.end = leading_includes(c, &lines)};
    if (!cache || lines.n == 0)
        return false;
    p->key = key_of(c, &lines, defines);
    p->dir = arena_printf(&c->arena, "%s/prefixes", cache);
    p->path = arena_printf(&c->arena, "%s/%016llx", p->dir,
                           (unsigned long long)hash_string(p->key));
    struct text kept = {0};
    size_t n = strlen(p->key), start = c->out->n;
    uint32_t line = c->file->line;
    bool ok = sys_read_file(p->path, 64u << 20, &kept, NULL) && kept.n > n + 1 &&
              memcmp(kept.s, p->key, n) == 0 && kept.s[n] == '\n';
    if (ok) {
        n++;
        char *copy = arena_copy(&c->arena, kept.s + n, kept.n - n);
        ok = use(c, &lines, copy, kept.n - n);
    }
    text_free(&kept);
    if (ok) {
        c->file->at = p->end;
        return true;
    }
    c->out->s[c->out->n = start] = 0;
    c->file->line = line;
    c->sources = (struct map){0}; /* what was said of them may not be so */
    return false;
}

void cpp_prefix_keep(struct cpp *c, const struct prefix *p)
{
    size_t size = 0;
    for (size_t i = 0; i < c->segments.n; i++) {
        const struct segment *s = c->segments.at[i];
        size += s->end - s->begin;
    }
    if (size >= WORTH_KEEPING && c->counter == 0)
        keep(c, p->dir, p->path, p->key);
}
