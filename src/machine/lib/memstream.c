/* Streams that stand on memory of the program: open_memstream and fmemopen.
 *
 * What is written becomes visible to the program when the stream is flushed or closed, as in glibc.
 * A buffer that is read is looked at when it is opened; whether a change after that is seen depends
 * on stdio's own buffer, and is unsupported. */
#include "machine/lib/private.h"

#include <string.h>

enum { OWN_BUFFER = 1024 }; /* what stdio holds back at least */

/* ---- open_memstream ---------------------------------------------------------------------- */

/* The program's buffer, as long as what was written; it stays where it is until that changes. */
static bool renew_buffer(struct lib_call *c, struct file *f)
{
    if (f->buffer && !f->changed)
        return true;
    struct object *old = f->buffer ? lib_allocated(c, f->buffer) : NULL;
    struct object *o = c->m->ended ? NULL : lib_allocate(c, f->bytes.n + 1, 16, true);
    if (!o)
        return false;
    if (f->bytes.n)
        memcpy(o->bytes, f->bytes.s, f->bytes.n);
    if (old)
        memory_kill(&c->m->memory, old);
    f->buffer = o->base;
    f->changed = false;
    return true;
}

static bool flush_allocated(struct lib_call *c, const struct stream *s)
{
    struct file *f = s->file;
    unsigned pointer = lib_pointer_size(c);
    uint64_t size = f->bytes.n;
    if (s->at != size || f->unset.n) { /* glibc ends the text where the stream is */
        lib_unsupported(c, "flushing a stream on memory that was moved");
        return false;
    }
    return renew_buffer(c, f) && lib_store(c, f->pointer_at, &f->buffer, pointer) &&
           lib_store(c, f->size_at, &size, pointer);
}

void lib_open_memstream(struct lib_call *c)
{
    struct stream *s = stream_new(c, (struct stream){.writes = true});
    if (!s)
        return;
    s->file->pointer_at = arg(c, 0);
    s->file->size_at = arg(c, 1);
    give(c, s->object->base);
}

/* ---- fmemopen ---------------------------------------------------------------------------- */

static bool flush_given(struct lib_call *c, const struct file *f)
{
    uint64_t n = f->bytes.n;
    if (n >= f->room || n > OWN_BUFFER) {
        lib_unsupported(c, "%llu bytes for a buffer of %llu", (unsigned long long)n,
                        (unsigned long long)f->room);
        return false;
    }
    if (n == 0)
        return true;
    return lib_store(c, f->given, f->bytes.s, n) &&
           (!f->bytes.s[n - 1] || lib_store(c, f->given + n, "", 1));
}

/* The program's bytes into the file, set or not. */
static bool take_given(struct lib_call *c, struct file *f)
{
    const struct object *o = memory_find(&c->m->memory, f->given);
    if (!o || f->room > o->size - (f->given - o->base))
        return lib_read(c, f->given, f->room); /* which tells why */
    uint64_t off = f->given - o->base;
    text_add(&f->bytes, (const char *)o->bytes + off, f->room);
    for (uint64_t i = 0; o->init && i < f->room; i++)
        text_add(&f->unset, o->init[off + i] == 0xff ? "" : "\1", 1);
    return true;
}

void lib_fmemopen(struct lib_call *c)
{
    uint64_t n;
    const char *mode = lib_text(c, arg(c, 2), &n);
    bool reads = mode && (strcmp(mode, "r") == 0 || strcmp(mode, "rb") == 0);
    if (!mode)
        return;
    if (!arg(c, 0) || !arg(c, 1) || (!reads && strcmp(mode, "w") != 0)) {
        lib_unsupported(c, "the mode \"%s\", or no buffer", mode);
        return;
    }
    struct stream *s = stream_new(c, (struct stream){.reads = reads, .writes = !reads});
    if (!s)
        return;
    s->file->given = arg(c, 0);
    s->file->room = arg(c, 1);
    if (reads && !take_given(c, s->file))
        return;
    give(c, s->object->base);
}

bool memstream_is_unchanged(struct lib_call *c, const struct file *f)
{
    const struct object *o = memory_find(&c->m->memory, f->given);
    if (o && f->room <= o->size - (f->given - o->base) &&
        memcmp(o->bytes + (f->given - o->base), f->bytes.s, f->room) == 0)
        return true;
    lib_unsupported(c, "the buffer of fmemopen was changed");
    return false;
}

bool memstream_flush(struct lib_call *c, const struct stream *s)
{
    const struct file *f = s->file;
    if (!f || !s->writes || !(f->pointer_at || f->given))
        return true;
    return f->given ? flush_given(c, f) : flush_allocated(c, s);
}
