/* What a project's builder and its wrapper tell each other, as lines of text: one writer and one
 * reader for each type. */
#include "emi/state.h"

#include "sys/sys.h"

#include <stdlib.h>
#include <string.h>

static const char *const mode_names[MODE_COUNT] = {
    [MODE_PLAIN] = "plain", [MODE_COVERAGE] = "coverage", [MODE_VARIANT] = "variant"};

/* ---- state ------------------------------------------------------------------------------ */

static void put_list(struct text *t, const char *key, const struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        text_printf(t, "%s=%s\n", key, (char *)l->at[i]);
}

static char *state_path(struct arena *a, const char *dir)
{
    return arena_printf(a, "%s/state", dir);
}

bool emi_state_write(struct arena *a, const char *dir, const struct emi_state *s, struct err *e)
{
    struct text t = {0};
    text_printf(&t, "mode=%s\nseed=%llu\nmutations=%u\nlayout=%u\nshow=%d\n", mode_names[s->mode],
                (unsigned long long)s->seed, s->mutations, s->layout, s->show);
    put_list(&t, "word", &s->words);
    put_list(&t, "opinion", &s->opinions);
    put_list(&t, "only", &s->only);
    put_list(&t, "group", &s->groups);
    put_list(&t, "trap", &s->traps);
    bool ok = sys_write_file(state_path(a, dir), text_str(&t), t.n, e);
    text_free(&t);
    return ok;
}

static enum emi_mode mode_named(const char *name)
{
    for (size_t i = 0; i < MODE_COUNT; i++)
        if (strcmp(name, mode_names[i]) == 0)
            return (enum emi_mode)i;
    return MODE_PLAIN;
}

static bool read_line(struct arena *a, struct emi_state *s, const char *key, char *value)
{
    struct {
        const char *key;
        struct list *to;
    } const lists[] = {{"word", &s->words},
                       {"opinion", &s->opinions},
                       {"only", &s->only},
                       {"group", &s->groups},
                       {"trap", &s->traps}};
    for (size_t i = 0; i < LENGTH(lists); i++)
        if (strcmp(key, lists[i].key) == 0) {
            list_add(a, lists[i].to, value);
            return true;
        }
    if (strcmp(key, "mode") == 0)
        s->mode = mode_named(value);
    else if (strcmp(key, "seed") == 0)
        s->seed = strtoull(value, NULL, 10);
    else if (strcmp(key, "mutations") == 0)
        s->mutations = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(key, "layout") == 0)
        s->layout = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(key, "show") == 0)
        s->show = *value == '1';
    else
        return false;
    return true;
}

bool emi_state_read(struct arena *a, const char *dir, struct emi_state *s, struct err *e)
{
    struct text text = {0};
    *s = (struct emi_state){0};
    if (!sys_read_file(state_path(a, dir), SYS_READ_ALL, &text, e))
        return false;
    char *line = arena_copy(a, text_str(&text), text.n);
    bool ok = true;
    for (char *end; ok && line && *line; line = end) {
        end = strchr(line, '\n');
        if (end)
            *end++ = 0;
        char *value = strchr(line, '=');
        if (value)
            *value++ = 0;
        ok = (value && read_line(a, s, line, value)) ||
             fail(e, "%s/state has a line that says '%s'", dir, line);
    }
    text_free(&text);
    return ok && (s->words.n || fail(e, "no compiler in %s/state", dir));
}

/* ---- numbers of statements -------------------------------------------------------------- */

static void put_ids(struct text *t, const struct list *ids)
{
    for (size_t i = 0; i < ids->n; i++)
        text_printf(t, "%u ", *(const uint32_t *)ids->at[i]);
}

static void read_ids(struct arena *a, const char *from, struct list *ids)
{
    char *end;
    for (unsigned long id = strtoul(from, &end, 10); end != from; id = strtoul(from, &end, 10)) {
        uint32_t *copy = NEW(a, uint32_t);
        *copy = (uint32_t)id;
        list_add(a, ids, copy);
        from = end;
    }
}

static char *ran_path(struct arena *a, const char *dir, const char *unit)
{
    return arena_printf(a, "%s/ran/%s", dir, unit);
}

void emi_ran_read(struct arena *a, const char *dir, const char *unit, struct list *statements)
{
    struct text t = {0};
    struct err e;
    if (sys_read_file(ran_path(a, dir, unit), SYS_READ_ALL, &t, &e))
        read_ids(a, text_str(&t), statements);
    text_free(&t);
}

bool emi_ran_add(struct arena *a, const char *dir, const char *unit, const struct list *statements,
                 struct err *e)
{
    struct list all = {0};
    struct text t = {0};
    emi_ran_read(a, dir, unit, &all);
    put_ids(&t, &all);
    put_ids(&t, statements);
    bool ok = sys_write_file(ran_path(a, dir, unit), text_str(&t), t.n, e);
    text_free(&t);
    return ok;
}

/* ---- notes ------------------------------------------------------------------------------ */

static char *note_path(struct arena *a, const char *dir, const char *unit)
{
    return arena_printf(a, "%s/varied/%s", dir, unit);
}

bool emi_note_write(struct arena *a, const char *dir, const char *unit, const struct emi_note *n,
                    struct err *e)
{
    struct text t = {0};
    text_printf(&t, "%u\n%zu\n%s\n", n->groups, n->edits, n->source);
    put_ids(&t, &n->traps);
    bool ok = sys_write_file(note_path(a, dir, unit), text_str(&t), t.n, e);
    text_free(&t);
    return ok;
}

bool emi_note_read(struct arena *a, const char *dir, const char *unit, struct emi_note *n)
{
    struct text t = {0};
    struct err e;
    bool ok = sys_read_file(note_path(a, dir, unit), SYS_READ_ALL, &t, &e);
    char *line = ok ? arena_copy(a, text_str(&t), t.n) : NULL, *end = NULL;
    if (ok) {
        n->groups = (unsigned)strtoul(line, &end, 10);
        n->edits = strtoul(end + 1, &end, 10);
        n->source = str_first_line(a, end + 1);
        const char *traps = strchr(end + 1, '\n');
        read_ids(a, traps ? traps : "", &n->traps);
    }
    text_free(&t);
    return ok;
}

/* ---- failures --------------------------------------------------------------------------- */

static const char failure_codes[] =
    "-lrc"; /* by enum emi_failure: what a file's name begins with */

bool emi_failure_write(struct arena *a, const char *dir, const char *name, enum emi_failure f,
                       struct err *e)
{
    char *path = arena_printf(a, "%s/failed/%c%s", dir, failure_codes[f], name);
    return sys_write_file(path, "", 0, e);
}

bool emi_failure_read(struct arena *a, const char *dir, enum emi_failure *f, struct err *e)
{
    struct list names = {0};
    *f = FAILURE_NONE;
    if (!sys_list_folder(a, arena_printf(a, "%s/failed", dir), &names, e))
        return false;
    for (size_t i = 0; i < names.n; i++) {
        const char *code = strchr(failure_codes, *(const char *)names.at[i]);
        if (code && code - failure_codes > (int)*f)
            *f = (enum emi_failure)(code - failure_codes);
    }
    return true;
}
