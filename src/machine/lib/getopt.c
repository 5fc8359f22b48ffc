/* getopt and getopt_long as glibc has them: arguments that are no options move behind those that
 * are, unless the options begin with + or -. */
#include "machine/lib/private.h"

#include <string.h>

/* What the program sees: int, but for optarg. */
static const struct {
    const char *name;
    int32_t value;
} globals[] = {{"optarg", 0}, {"optind", 1}, {"opterr", 1}, {"optopt", '?'}};
enum global { OPTARG, OPTIND, OPTERR, OPTOPT };

struct object *getopt_object(struct machine *m, const char *name)
{
    for (size_t i = 0; i < LENGTH(globals); i++) {
        if (strcmp(name, globals[i].name) != 0)
            continue;
        struct object **o = &m->lib->getopt.objects[i];
        if (!*o) {
            *o = lib_new(m, i == OPTARG ? m->target->pointer.size : 4, globals[i].name);
            (*o)->tag = i == OPTARG ? TAG_POINTER : TAG_INT;
            memory_put(m, (*o)->bytes, &globals[i].value, i == OPTARG ? 1 : 4);
        }
        return *o;
    }
    return NULL;
}

static int32_t get(struct lib_call *c, enum global g)
{
    int32_t v;
    const struct object *o = getopt_object(c->m, globals[g].name);
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, o->base, o->size, false);
    memory_get(c->m, &v, o->bytes, 4);
    return v;
}

static void set(struct lib_call *c, enum global g, uint64_t v)
{
    struct object *o = getopt_object(c->m, globals[g].name);
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, o->base, o->size, true);
    memory_put(c->m, o->bytes, &v, o->size);
}

/* ---- one call --------------------------------------------------------------------------- */

struct scan {
    struct lib_call *c;
    int32_t argc;
    uint64_t argv;
    const char *options;
    bool permutes, in_order, colon; /* colon: a missing argument is told as one, silently */
};

static uint64_t word(struct scan *s, int32_t i)
{
    unsigned size = lib_pointer_size(s->c);
    const uint8_t *bytes = lib_read(s->c, s->argv + (uint64_t)i * size, size);
    uint64_t v = 0;
    if (bytes)
        memory_get(s->c->m, &v, bytes, size);
    return v;
}

/* The text of an argument, "" when it cannot be read and the run has ended. */
static const char *text(struct scan *s, int32_t i)
{
    uint64_t n;
    const char *t = lib_text(s->c, word(s, i), &n);
    return t ? t : "";
}

static bool is_option(struct scan *s, int32_t i)
{
    const char *t = text(s, i);
    return t[0] == '-' && t[1];
}

/* Words from..middle and middle..end change places. */
static void exchange(struct scan *s, int32_t from, int32_t middle, int32_t end)
{
    unsigned size = lib_pointer_size(s->c);
    for (; middle < end && from < middle; from++, middle++) {
        uint64_t v = word(s, middle);
        for (int32_t i = middle; i > from; i--) {
            uint64_t w = word(s, i - 1);
            lib_store(s->c, s->argv + (uint64_t)i * size, &w, size);
        }
        lib_store(s->c, s->argv + (uint64_t)from * size, &v, size);
    }
}

static void complain(struct scan *s, const char *what, const char *name, size_t n)
{
    if (get(s->c, OPTERR) && !s->colon)
        text_printf(&s->c->m->result.errors, "%s: %s '%.*s'\n", text(s, 0), what, (int)n, name);
}

/* The next word that is an option, at optind; -1 when there is none. */
static int32_t next_word(struct scan *s)
{
    struct getopt_state *g = &s->c->m->lib->getopt;
    int32_t at = get(s->c, OPTIND);
    if (s->permutes) {
        if (g->first != g->last && g->last != at) {
            exchange(s, g->first, g->last, at);
            g->first += at - g->last;
            g->last = at;
        } else if (g->last != at) {
            g->first = at;
        }
        while (at < s->argc && !is_option(s, at) && !s->c->m->ended)
            at++;
        g->last = at;
    }
    if (at < s->argc && strcmp(text(s, at), "--") == 0) {
        at++;
        if (g->first != g->last && g->last != at) {
            exchange(s, g->first, g->last, at);
            g->first += at - g->last;
        } else if (g->first == g->last) {
            g->first = at;
        }
        g->last = s->argc;
        at = s->argc;
    }
    set(s->c, OPTIND, (uint64_t)(uint32_t)at);
    if (at < s->argc)
        return is_option(s, at) || s->in_order ? at : -1;
    if (g->first != g->last)
        set(s->c, OPTIND, (uint64_t)(uint32_t)g->first);
    return -1;
}

/* An argument for the option: what is left of its word, or the next word; false when there is
 * none. */
static bool take_argument(struct scan *s, uint64_t rest, bool in_word)
{
    int32_t at = get(s->c, OPTIND) + 1;
    set(s->c, OPTIND, (uint64_t)(uint32_t)at);
    if (in_word) {
        set(s->c, OPTARG, rest);
        return true;
    }
    if (at >= s->argc)
        return false;
    set(s->c, OPTARG, word(s, at));
    set(s->c, OPTIND, (uint64_t)(uint32_t)(at + 1));
    return true;
}

static int32_t missing(struct scan *s, const char *name, size_t n)
{
    complain(s, "option requires an argument --", name, n);
    return s->colon ? ':' : '?';
}

static int32_t short_option(struct scan *s)
{
    struct getopt_state *g = &s->c->m->lib->getopt;
    uint64_t n, at = g->next;
    const char *t = lib_text(s->c, at, &n);
    if (!t)
        return '?';
    char letter = *t;
    const char *found = letter == ':' || letter == ';' ? NULL : strchr(s->options, letter);
    g->next = t[1] ? at + 1 : 0;
    int32_t now = get(s->c, OPTIND);
    bool takes = found && found[1] == ':', may = takes && found[2] == ':';
    if (takes) {
        g->next = 0;
        set(s->c, OPTARG, 0);
        if (!may && !take_argument(s, at + 1, t[1])) {
            set(s->c, OPTOPT, (uint8_t)letter);
            return missing(s, &letter, 1);
        }
        if (may) {
            set(s->c, OPTARG, t[1] ? at + 1 : 0);
            set(s->c, OPTIND, (uint64_t)(uint32_t)(now + 1));
        }
        return (uint8_t)letter;
    }
    if (!g->next)
        set(s->c, OPTIND, (uint64_t)(uint32_t)(now + 1));
    if (found)
        return (uint8_t)letter;
    complain(s, "invalid option --", &letter, 1);
    set(s->c, OPTOPT, (uint8_t)letter);
    return '?';
}

static struct scan scan_start(struct lib_call *c)
{
    uint64_t n;
    struct scan s = {.c = c, .argc = arg_int(c, 0), .argv = arg(c, 1), .permutes = true};
    struct getopt_state *g = &c->m->lib->getopt;
    s.options = lib_text(c, arg(c, 2), &n);
    if (!s.options)
        return s;
    lib_note_state(c, STATE_OPTIONS, true);
    if (!g->begun || get(c, OPTIND) == 0) {
        if (get(c, OPTIND) == 0)
            set(c, OPTIND, 1);
        g->begun = true;
        g->next = 0;
        g->first = g->last = get(c, OPTIND);
    }
    if (*s.options == '-' || *s.options == '+') {
        s.in_order = *s.options == '-';
        s.permutes = false;
        s.options++;
    }
    s.colon = *s.options == ':';
    set(c, OPTARG, 0);
    return s;
}

/* The word that is next.  False when the call has its answer: there is none, or it is no option and
 * they come in order. */
static bool begin_word(struct scan *s, int32_t *at)
{
    *at = next_word(s);
    bool none = *at < 0 || s->c->m->ended;
    if (!none && is_option(s, *at))
        return true;
    if (!none)
        take_argument(s, word(s, *at), true);
    give_int(s->c, none ? -1 : 1);
    return false;
}

void lib_getopt(struct lib_call *c)
{
    struct scan s = scan_start(c);
    struct getopt_state *g = &c->m->lib->getopt;
    int32_t at;
    if (!s.options || s.argc < 1 || (!g->next && !begin_word(&s, &at)))
        return;
    if (!g->next)
        g->next = word(&s, at) + 1;
    give_int(c, short_option(&s));
}

/* ---- long options ----------------------------------------------------------------------- */

struct long_option {
    const char *name; /* NULL: the last row */
    int32_t has_arg, value;
    uint64_t flag;
};

/* struct option: name, has_arg, flag, val. */
static struct long_option row(struct lib_call *c, uint64_t table, uint64_t i)
{
    struct long_option o = {0};
    uint64_t size = lib_pointer_size(c), at = table + i * 4 * size, name = 0, n;
    const uint8_t *bytes = lib_read(c, at, size);
    if (!bytes)
        return o;
    memory_get(c->m, &name, bytes, size);
    if (!name || !(o.name = lib_text(c, name, &n)) || !(bytes = lib_read(c, at + size, 4)))
        return (struct long_option){0};
    memory_get(c->m, &o.has_arg, bytes, 4);
    if ((bytes = lib_read(c, at + 2 * size, size)))
        memory_get(c->m, &o.flag, bytes, size);
    if (bytes && (bytes = lib_read(c, at + 3 * size, 4)))
        memory_get(c->m, &o.value, bytes, 4);
    return o;
}

/* The row that a name of n characters means, exactly or as the only beginning; -1: none. */
static int64_t find_row(struct scan *s, uint64_t table, const char *name, size_t n)
{
    int64_t found = -1;
    for (uint64_t i = 0;; i++) {
        struct long_option o = row(s->c, table, i);
        if (!o.name)
            return found;
        if (strncmp(o.name, name, n) != 0)
            continue;
        if (strlen(o.name) == n)
            return (int64_t)i;
        found = found == -1 ? (int64_t)i : -2; /* -2: more than one */
    }
}

static int32_t long_option(struct scan *s, int32_t at, uint64_t table)
{
    const char *name = text(s, at) + 2;
    size_t n = strcspn(name, "=");
    int64_t i = find_row(s, table, name, n);
    if (i < 0 || s->c->m->ended) {
        complain(s, i == -2 ? "ambiguous option" : "unrecognized option", name - 2, n + 2);
        set(s->c, OPTIND, (uint64_t)(uint32_t)(at + 1));
        set(s->c, OPTOPT, 0);
        return '?';
    }
    struct long_option o = row(s->c, table, (uint64_t)i);
    uint64_t rest = word(s, at) + 2 + n + 1;
    if (o.has_arg == 1 && !take_argument(s, rest, name[n] == '=')) {
        set(s->c, OPTOPT, (uint64_t)(uint32_t)o.value);
        return missing(s, name - 2, n + 2);
    }
    if (o.has_arg != 1)
        set(s->c, OPTIND, (uint64_t)(uint32_t)(at + 1));
    if (o.has_arg == 0 && name[n] == '=') {
        complain(s, "option doesn't allow an argument --", name - 2, n + 2);
        set(s->c, OPTOPT, (uint64_t)(uint32_t)o.value);
        return '?';
    }
    if (o.has_arg == 2)
        set(s->c, OPTARG, name[n] == '=' ? rest : 0);
    int32_t index = (int32_t)i;
    if (arg(s->c, 4) && !lib_store(s->c, arg(s->c, 4), &index, 4))
        return '?';
    if (!o.flag)
        return o.value;
    lib_store(s->c, o.flag, &o.value, 4);
    return 0;
}

void lib_getopt_long(struct lib_call *c)
{
    struct scan s = scan_start(c);
    struct getopt_state *g = &c->m->lib->getopt;
    int32_t at;
    if (!s.options || s.argc < 1 || (!g->next && !begin_word(&s, &at)))
        return;
    if (!g->next && text(&s, at)[1] == '-') {
        give_int(c, long_option(&s, at, arg(c, 3)));
        return;
    }
    if (!g->next)
        g->next = word(&s, at) + 1;
    give_int(c, short_option(&s));
}
