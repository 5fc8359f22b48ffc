/* The little of POSIX that filters use: descriptors 0 to 2.
 *
 * Standard input is a file that is read from its start; output goes where stdio's goes.  What
 * would depend on stdio's buffers, because both are used on one stream, is unsupported. */
#include "machine/lib/private.h"

#include <fnmatch.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* 0 to 2; -1 after it was told that it is another, or closed. */
static int descriptor(struct lib_call *c)
{
    int64_t fd = arg_int(c, 0);
    if (fd >= 0 && fd <= 2 && !c->m->lib->closed[fd])
        return (int)fd;
    lib_unsupported(c, "descriptor %d", (int)fd);
    return -1;
}

void lib_read_(struct lib_call *c)
{
    struct library *l = c->m->lib;
    struct stream *in = &l->streams[0];
    int fd = descriptor(c);
    if (fd < 0)
        return;
    if (fd > 0 || l->input_by_stream) {
        lib_unsupported(c, fd ? "reading from an output" : "stdio has read from it before");
        return;
    }
    l->input_by_read = true;
    uint64_t n = arg(c, 2), left = c->m->options.input_size - in->at;
    n = n < left ? n : left;
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, in->object->base, 1, true);
    uint8_t *to = n ? lib_write(c, arg(c, 1), n) : NULL;
    if (n && !to)
        return;
    if (n)
        memcpy(to, c->m->options.input + in->at, n);
    in->at += n;
    give(c, n);
}

/* Output that stdio may still hold back would come later. */
static bool is_flushed(struct lib_call *c, int fd)
{
    if (fd != 1 || c->m->result.output.n == c->m->lib->flushed)
        return true;
    lib_unsupported(c, "stdio has not flushed what was printed before");
    return false;
}

void lib_write_(struct lib_call *c)
{
    int fd = descriptor(c);
    if (fd < 0 || !is_flushed(c, fd))
        return;
    if (fd == 0) {
        lib_unsupported(c, "writing to the standard input");
        return;
    }
    uint64_t n = arg(c, 2);
    const uint8_t *bytes = n ? lib_read(c, arg(c, 1), n) : (const uint8_t *)"";
    if (!bytes)
        return;
    struct stream *s = &c->m->lib->streams[fd];
    int8_t width = s->width; /* the stream's own affair */
    s->width = 0;
    lib_print(c, s, (const char *)bytes, n);
    s->width = width;
    c->m->lib->flushed = c->m->result.output.n;
    give(c, n);
}

void lib_close(struct lib_call *c)
{
    int fd = descriptor(c);
    if (fd < 0 || !is_flushed(c, fd))
        return;
    c->m->lib->closed[fd] = true;
    give_int(c, 0);
}

/* ---- structures of the system, as the program declares them ----------------------------- */

/* What the argument points to, as zeros; NULL when it cannot be written. */
uint8_t *lib_clear(struct lib_call *c, uint32_t i, const struct type **type)
{
    *type = c->site->types[i]->canon->base->canon->unqual;
    uint64_t size = (*type)->kind == TYPE_VOID ? 0 : lang_sizeof(c->p, *type);
    uint8_t *bytes = size ? lib_write(c, arg(c, i), size) : NULL;
    if (bytes)
        memset(bytes, 0, size);
    return bytes;
}

void lib_set_field(struct lib_call *c, uint8_t *bytes, const struct type *type, const char *name,
                   uint64_t value)
{
    for (uint32_t i = 0; lang_is_record(type) && i < type->u.record->count; i++) {
        const struct field *f = type->u.record->fields[i];
        if (!f->name || strcmp(f->name, name) != 0 || f->is_bitfield || !lang_is_integer(f->type))
            continue;
        uint64_t size = lang_sizeof(c->p, f->type);
        lang_store_number(c->m->target, bytes + f->offset, size, value);
    }
}

/* ---- who we are ------------------------------------------------------------------------- */

/* Whatever the system likes, here and in other ways: the first differs in every bit, then come a
 * large number and a small one. */
enum { IDENTITIES = 4 };
struct identity {
    uint32_t number[IDENTITIES];
};
static const struct identity process = {{12345, 12345 ^ 0x7fff, 3456782, 327}},
                             parent = {{12344, 12344 ^ 0x7fff, 3456701, 1}},
                             user = {{1000, 1000 ^ 0x7fff, 65534, 0}},
                             thread = {{0x5f3a1740, 0x5f3a1740 ^ 0x7fff8c0, 0x7ffff740, 64}};

static uint32_t number_of(struct lib_call *c, const struct identity *i)
{
    bool other = machine_choose(c->m, CHOICE_IDENTITY, c->site->unit, c->site->node);
    return i->number[other || c->m->options.elsewhere ? 1 + c->m->options.way : 0];
}

void lib_getpid(struct lib_call *c)
{
    give_int(c, number_of(c, &process));
}

void lib_getppid(struct lib_call *c)
{
    give_int(c, number_of(c, &parent));
}

void lib_getuid(struct lib_call *c)
{
    give_int(c, number_of(c, &user));
}

void lib_pthread_self(struct lib_call *c)
{
    give(c, number_of(c, &thread));
}

/* Every number in it, those of its parts as well. */
static void set_numbers(struct lib_call *c, uint8_t *bytes, const struct type *type, uint64_t value)
{
    for (uint32_t i = 0; lang_is_record(type) && i < type->u.record->count; i++) {
        const struct field *f = type->u.record->fields[i];
        if (lang_is_record(f->type))
            set_numbers(c, bytes + f->offset, f->type->canon, value);
        else if (f->name && !f->is_bitfield && lang_is_integer(f->type))
            lang_store_number(c->m->target, bytes + f->offset, lang_sizeof(c->p, f->type), value);
    }
}

enum { REGULAR = 0100644, PRIVATE = 0100600, DEVICE = 020666, PIPE = 010600 };

/* What nobody gives is a device elsewhere, what somebody does may be closed to others. */
static unsigned mode_of(const struct lib_call *c, int fd)
{
    const struct machine_options *o = &c->m->options;
    return fd ? PIPE : !o->elsewhere ? REGULAR : o->input_size ? PRIVATE : DEVICE;
}

/* Where it lies, since when, and whose it is, the system says. */
void lib_fstat(struct lib_call *c)
{
    const struct type *type;
    int fd = descriptor(c);
    uint8_t *bytes = fd < 0 ? NULL : lib_clear(c, 1, &type);
    if (!bytes)
        return;
    set_numbers(c, bytes, type, number_of(c, &process));
    lib_set_field(c, bytes, type, "st_mode", mode_of(c, fd));
    lib_set_field(c, bytes, type, "st_nlink", 1);
    lib_set_field(c, bytes, type, "st_size", fd ? 0 : c->m->options.input_size);
    give_int(c, 0);
}

/* A name that no file has; without a place for it, in an object of the library's own that the
 * program may change: C11 7.21.4.4p3. */
void lib_tmpnam(struct lib_call *c)
{
    struct library *l = c->m->lib;
    bool other = machine_choose(c->m, CHOICE_IDENTITY, c->site->unit, c->site->node);
    lib_note_state(c, STATE_FILES, true);
    unsigned first = other || c->m->options.elsewhere ? 543210 : 123456;
    char name[20];
    int n = snprintf(name, sizeof name, "/tmp/file%06u", first + l->temporaries++);
    uint64_t to = arg(c, 0);
    if (!to && !l->temporary)
        l->temporary = lib_new(c->m, sizeof name, "tmpnam");
    to = to ? to : l->temporary->base;
    if (lib_store(c, to, name, (uint64_t)n + 1))
        give(c, to);
}

void lib_setuid(struct lib_call *c)
{
    if ((uint32_t)arg(c, 0) != number_of(c, &user))
        lib_unsupported(c, "becoming somebody else");
    give_int(c, 0);
}

void lib_setregid(struct lib_call *c)
{
    lib_setuid(c);
}

/* ---- names of files --------------------------------------------------------------------- */

void lib_fnmatch(struct lib_call *c)
{
    uint64_t n;
    const char *pattern = lib_text(c, arg(c, 0), &n);
    const char *name = pattern ? lib_text(c, arg(c, 1), &n) : NULL;
    if (name)
        give_int(c, fnmatch(pattern, name, arg_int(c, 2)));
}

static void give_dot(struct lib_call *c)
{
    struct object *o = memory_new(&c->m->memory, 2, 1, NEW_KNOWN);
    if (!o)
        return;
    memcpy(o->bytes, ".", 2);
    o->kind = OBJECT_LIBRARY;
    o->name = "dirname";
    o->is_const = CONST_ALL; /* it may be a string literal */
    give(c, o->base);
}

/* How much of a name is left without the slashes at its end; the first one stays. */
static uint64_t without_slashes(const char *s, uint64_t n)
{
    while (n > 1 && s[n - 1] == '/')
        n--;
    return n;
}

static uint64_t without_last_part(const char *s, uint64_t n)
{
    while (n > 0 && s[n - 1] != '/')
        n--;
    return n;
}

/* POSIX: it may change the path, and glibc does where slashes follow the last part. */
void lib___xpg_basename(struct lib_call *c)
{
    uint64_t n = 0;
    const char *s = arg(c, 0) ? lib_text(c, arg(c, 0), &n) : "";
    if (!s || n == 0) {
        if (s)
            give_dot(c);
        return;
    }
    uint64_t end = without_slashes(s, n);
    bool root = s[end - 1] == '/';
    uint64_t at = root ? n - 1 : without_last_part(s, end);
    if (!root && end < n) {
        uint8_t *byte = lib_write(c, arg(c, 0) + end, 1);
        if (!byte)
            return;
        *byte = 0;
    }
    give(c, arg(c, 0) + at);
}

/* GNU: the path stays as it is. */
void lib_basename(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (s)
        give(c, arg(c, 0) + without_last_part(s, n));
}

void lib_dirname(struct lib_call *c)
{
    uint64_t n = 0;
    const char *s = arg(c, 0) ? lib_text(c, arg(c, 0), &n) : "";
    if (!s)
        return;
    uint64_t end = without_last_part(s, n ? without_slashes(s, n) : 0);
    if (end == 0 && n && *s == '/')
        end = 1; /* the root itself */
    if (end == 0) {
        give_dot(c);
        return;
    }
    end = without_slashes(s, end);
    if (s[0] == '/' && s[1] == '/' && end == 1 && s[2] != '/') {
        lib_unsupported(c, "a path that begins with two slashes");
        return;
    }
    uint8_t *byte = lib_write(c, arg(c, 0) + end, 1);
    if (!byte)
        return;
    *byte = 0;
    give(c, arg(c, 0));
}

/* MB_CUR_MAX in the "C" locale. */
void lib___ctype_get_mb_cur_max(struct lib_call *c)
{
    give_int(c, 1);
}
