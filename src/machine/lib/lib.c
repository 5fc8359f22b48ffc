/* The library's table, its objects, and what its functions share. */
#include "machine/lib/private.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct lib_row rows[] = {
#define LIB(name, types)        {#name, lib_##name, types},
#define LIB_AS(name, as, types) {#name, lib_##as, types},
#include "machine/lib/functions.def"
};

enum { BUCKETS = 2048 };

const struct lib_row *lib_find(const char *name)
{
    const char *plain = str_has_prefix(name, "__builtin_") ? name + strlen("__builtin_") : name;
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    for (size_t i = 0; plain != name && i < LENGTH(rows); i++)
        if (strcmp(rows[i].name, plain) == 0)
            return &rows[i];
    return NULL;
}

/* ---- ends ------------------------------------------------------------------------------- */

void lib_undefined(struct lib_call *c, enum ub ub, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    machine_undefined(c->m, ub, c->site->unit, c->site->node, "%s: %s", c->func->name, text);
}

void lib_unsupported(struct lib_call *c, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    machine_unsupported(c->m, c->site->unit, c->site->node, "%s: %s", c->func->name, text);
}

void lib_unspecified(struct lib_call *c, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    machine_unspecified(c->m, c->site->unit, c->site->node, "%s: %s", c->func->name, text);
}

void give_sign(struct lib_call *c, int64_t v)
{
    int64_t sign = (v > 0) - (v < 0); /* as compilers fold it; v: as libraries give it */
    bool open = v && !c->site->tested;
    if (open && machine_choose(c->m, CHOICE_MAGNITUDE, c->site->unit, c->site->node))
        sign = v == sign ? sign * 14 : v;
    give_int(c, sign);
}

/* ---- memory ----------------------------------------------------------------------------- */

const uint8_t *lib_read(struct lib_call *c, uint64_t address, uint64_t size)
{
    static const uint8_t nothing[1];
    if (size == 0 && memory_find(&c->m->memory, address))
        return nothing;
    access_note_address(c->m, c->pc, address, size);
    return access_read(c->m, c->pc, address, size);
}

uint8_t *lib_write(struct lib_call *c, uint64_t address, uint64_t size)
{
    return access_write(c->m, c->pc, address, size);
}

bool lib_store(struct lib_call *c, uint64_t address, const void *bytes, uint64_t size)
{
    uint8_t *to = lib_write(c, address, size);
    if (to)
        memory_put(c->m, to, bytes, size);
    return to;
}

bool lib_may_be_text(const struct lib_call *c, const struct type *to, bool wide)
{
    if (!lang_is_scalar(to))
        return true;
    return lang_is_integer(to) && lang_sizeof(c->p, to) == (wide ? 4u : 1u);
}

bool lib_apart(struct lib_call *c, uint64_t to, uint64_t size, uint64_t from, uint64_t read)
{
    if (size == 0 || read == 0 || to >= from + read || from >= to + size)
        return true;
    lib_undefined(c, UB_OVERLAP, "it writes where it reads");
    return false;
}

const char *lib_text_n(struct lib_call *c, uint64_t address, uint64_t limit, uint64_t *length)
{
    *length = 0;
    if (limit == 0)
        return (const char *)lib_read(c, address, 0);
    struct object *o = memory_find(&c->m->memory, address);
    if (!o || o->kind == OBJECT_FUNCTION) {
        lib_read(c, address, 1);
        return NULL;
    }
    uint64_t off = address - o->base, room = o->size - off;
    uint64_t n = 0;
    while (n < limit && n < room && o->bytes[off + n]) {
        if (o->init && o->init[off + n] != 0xff)
            break;
        n++;
    }
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, address, n + (n < limit), false);
    if (c->m->watching && !restrict_library(c->m, c->pc, address, n + (n < limit), false))
        return NULL;
    if (n == limit) {
        *length = n;
        return (const char *)o->bytes + off;
    }
    if (!lib_read(c, address + n, 1)) /* the terminator: there, and set? */
        return NULL;
    *length = n;
    return (const char *)o->bytes + off;
}

const char *lib_text(struct lib_call *c, uint64_t address, uint64_t *length)
{
    return lib_text_n(c, address, UINT64_MAX, length);
}

unsigned lib_pointer_size(const struct lib_call *c)
{
    return c->p->target->pointer.size;
}

struct func *lib_function(struct lib_call *c, uint64_t address)
{
    struct object *o = memory_find(&c->m->memory, address);
    if (o && o->func && o->base == address) {
        o->func->bound = o->owner;
        return o->func;
    }
    lib_undefined(c, UB_LIB_ARG, "%s is no function", machine_describe(c->m, address));
    return NULL;
}

struct cursor lib_own_list(const struct lib_call *c, uint32_t first)
{
    return (struct cursor){.site = c->site, .r = c->r, .next = first, .open = true};
}

struct cursor *lib_list(struct lib_call *c, uint32_t i)
{
    uint64_t list = arg(c, i);
    struct cursor *at = list && list <= c->m->cursor_count ? &c->m->cursors[list - 1] : NULL;
    if (at && at->open && !cursor_take(c->m, at, c->m->depth + 1)) {
        lib_undefined(c, UB_VA_ARG, "a function that the list was passed to read it");
        return NULL;
    }
    if (at && at->open)
        return at;
    lib_undefined(c, UB_VA_ARG, "the va_list is not open");
    return NULL;
}

/* ---- objects that headers declare ------------------------------------------------------- */

struct object *lib_new(struct machine *m, uint64_t size, const char *name)
{
    struct object *o = memory_new(&m->memory, size, 16, NEW_ZERO);
    if (!o)
        BUG("no memory for '%s'", name);
    o->kind = OBJECT_LIBRARY;
    o->name = name;
    return o;
}

static void set_pointer(const struct machine *m, struct object *o, uint64_t off, uint64_t value)
{
    memory_put(m, o->bytes + off, &value, m->target->pointer.size);
}

struct object *lib_object(struct machine *m, const char *name, struct unit_state *u, struct decl *d)
{
    static const char *const files[] = {"stdin", "stdout", "stderr"};
    (void)u;
    (void)d;
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(name, files[i]) == 0) {
            struct object *o = lib_new(m, 8, files[i]);
            set_pointer(m, o, 0, m->lib->streams[i].object->base);
            return o;
        }
    struct object *known = getopt_object(m, name);
    if (known)
        return known;
    if (strcmp(name, "environ") == 0 || strcmp(name, "__environ") == 0) {
        if (!m->lib->environ_object) {
            m->lib->environ_object = lib_new(m, 8, "environ");
            set_pointer(m, m->lib->environ_object, 0, m->lib->environment->base);
        }
        return m->lib->environ_object;
    }
    return NULL;
}

static uint64_t new_string(struct machine *m, const char *s, const char *name)
{
    struct object *o = memory_new(&m->memory, strlen(s) + 1, 1, NEW_KNOWN);
    if (!o)
        BUG("no memory for '%s'", name);
    memcpy(o->bytes, s, strlen(s) + 1);
    o->kind = OBJECT_STATIC;
    o->name = name;
    o->tag = TAG_CHAR;
    return o->base;
}

/* What environ and the third parameter of main lead to: nothing is set, elsewhere something is. */
static struct object *new_environment(struct machine *m)
{
    static const char *const settings[] = {"ELSEWHERE=1", "PATH=/elsewhere"};
    unsigned n = m->options.elsewhere ? LENGTH(settings) : 0;
    struct object *o = lib_new(m, (n + 1) * (uint64_t)sizeof(uint64_t), "environ");
    for (unsigned i = 0; i < n; i++)
        set_pointer(m, o, i * m->target->pointer.size, new_string(m, settings[i], "environ"));
    return o;
}

void lib_start(struct machine *m)
{
    m->lib = NEW(&m->arena, struct library);
    stream_start(m);
    m->lib->environment = new_environment(m);
}

void lib_end(struct machine *m)
{
    stream_end(m);
}

void lib_set_errno(struct lib_call *c, int value)
{
    struct library *l = c->m->lib;
    if (!l->errno_object)
        l->errno_object = lib_new(c->m, 4, "errno");
    int32_t v = value;
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, l->errno_object->base, 4, true);
    memory_put(c->m, l->errno_object->bytes, &v, 4);
}

void lib_note_state(struct lib_call *c, enum library_state which, bool changes)
{
    struct object **state = &c->m->lib->state[which];
    if (!*state)
        *state = lib_new(c->m, 1, c->func->name);
    (*state)->name = c->func->name;
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, (*state)->base, 1, changes);
}

int lib_errno(struct lib_call *c)
{
    struct object *o = c->m->lib->errno_object;
    int32_t v = 0;
    if (!o)
        return 0;
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, o->base, 4, false);
    memory_get(c->m, &v, o->bytes, 4);
    return v;
}

void lib___errno_location(struct lib_call *c)
{
    struct library *l = c->m->lib;
    if (!l->errno_object)
        l->errno_object = lib_new(c->m, 4, "errno");
    l->errno_object->tag = TAG_INT;
    give(c, l->errno_object->base);
}

/* ---- main's arguments ------------------------------------------------------------------- */

bool lib_arguments(struct machine *m, int *argc, uint64_t *argv, uint64_t *environ_)
{
    unsigned n = 0, size = m->units[0].p->target->pointer.size;
    while (m->options.args && m->options.args[n])
        n++;
    struct object *o = memory_new(&m->memory, (n + 2) * (uint64_t)size, 16, NEW_ZERO);
    if (!o) {
        machine_stop(m, MACHINE_MEMORY, "out of memory: arguments");
        return false;
    }
    o->kind = OBJECT_STATIC;
    o->name = "argv";
    o->tag = TAG_POINTER;
    set_pointer(m, o, 0, new_string(m, m->options.name, "argv"));
    for (unsigned i = 0; i < n; i++)
        set_pointer(m, o, (i + 1) * (uint64_t)size, new_string(m, m->options.args[i], "argv"));
    *argc = (int)n + 1;
    *argv = o->base;
    *environ_ = m->lib->environment->base;
    return true;
}

/* ---- leaving ---------------------------------------------------------------------------- */

bool lib_run(struct machine *m, struct func *f, uint32_t count, int32_t argument)
{
    struct program *p = m->units[f->unit].p;
    struct call_site site = {.unit = f->unit, .count = count, .function = f->decl->type->canon};
    static const uint32_t slots[1] = {4};
    const struct type **types = NEW_ARRAY(&m->arena, 1, const struct type *);
    types[0] = lang_basic(p, TYPE_INT);
    site.slot = (uint32_t *)(uintptr_t)slots;
    site.types = types;
    site.result = lang_basic(p, TYPE_VOID);
    struct callback cb = exec_prepare(m, f, &site);
    uint64_t value = (uint64_t)(int64_t)argument, ignored;
    return exec_callback(m, &cb, &value, &ignored);
}

bool lib_run_exits(struct machine *m, struct exits *x)
{
    while (x->count && !m->ended)
        lib_run(m, x->list[--x->count], 0, 0);
    return !m->ended;
}

void lib_at_exit(struct machine *m)
{
    m->lib->exiting = true;
    lib_run_exits(m, &m->lib->at_exit);
    link_run_destructors(m);
    if (!m->ended)
        lib_has_buffers(m);
}

void lib_note_leaving(struct lib_call *c)
{
    if (c->m->seq.mark_count)
        machine_choose(c->m, CHOICE_LEAVING, c->site->unit, c->site->node);
}

void lib_leave(struct lib_call *c, int status)
{
    struct machine *m = c->m;
    if (m->ended || !pure_may_leave(m, c->site))
        return;
    lib_note_leaving(c);
    m->exit_site = c->site;
    m->ended = true;
    m->result.end = MACHINE_FINISHED;
    m->result.status = status & 0xff;
}
