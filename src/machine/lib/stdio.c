/* stdio.h: characters, lines and blocks from and to streams; stream.c has what they stand on. */
#include "machine/lib/private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Result of what prints: EOF when it could not be written. */
static void put(struct lib_call *c, struct stream *s, const char *bytes, uint64_t n, int64_t result)
{
    if (s)
        give_int(c, lib_print(c, s, bytes, n) ? result : EOF);
}

void lib_puts(struct lib_call *c)
{
    uint64_t n;
    struct stream *s = lib_standard(c, 1);
    const char *text = s ? lib_text(c, arg(c, 0), &n) : NULL;
    if (!text)
        return;
    put(c, s, text, n, 0);
    put(c, s, "\n", 1, (int64_t)n + 1);
}

void lib_fputs(struct lib_call *c)
{
    uint64_t n;
    struct stream *s = lib_stream(c, arg(c, 1));
    const char *text = s ? lib_text(c, arg(c, 0), &n) : NULL;
    if (text)
        put(c, s, text, n, 1);
}

void lib_putchar(struct lib_call *c)
{
    char ch = (char)arg(c, 0);
    put(c, lib_standard(c, 1), &ch, 1, (unsigned char)ch);
}

void lib_fputc(struct lib_call *c)
{
    char ch = (char)arg(c, 0);
    put(c, lib_stream(c, arg(c, 1)), &ch, 1, (unsigned char)ch);
}

/* Padding that was never set goes into a file in memory and comes back from it as it was. */
static bool write_unset(struct lib_call *c, struct stream *s, uint64_t address, uint64_t n)
{
    const struct object *o = memory_find(&c->m->memory, address);
    uint64_t off = o ? address - o->base : 0;
    if (!s->file || s->file->is_null || !o || !o->init || n > o->size - off ||
        access_init(o, off, n))
        return false;
    if (!lib_print(c, s, (const char *)o->bytes + off, n))
        return true;
    struct file *f = s->file;
    while (f->unset.n < f->bytes.n)
        text_add(&f->unset, "", 1);
    for (uint64_t i = 0; i < n; i++)
        f->unset.s[s->at - n + i] = o->init[off + i] != 0xff;
    give(c, arg(c, 2));
    return true;
}

void lib_fwrite(struct lib_call *c)
{
    u128 total = (u128)arg(c, 1) * arg(c, 2);
    struct stream *s = lib_stream(c, arg(c, 3));
    if (!s || total == 0 || (total >> 63 == 0 && write_unset(c, s, arg(c, 0), (uint64_t)total)))
        return;
    const uint8_t *bytes = lib_read(c, arg(c, 0), total >> 63 ? INT64_MAX : (uint64_t)total);
    if (bytes && lib_print(c, s, (const char *)bytes, (uint64_t)total))
        give(c, arg(c, 2));
}

void lib_fflush(struct lib_call *c)
{
    struct stream *s = arg(c, 0) ? lib_stream(c, arg(c, 0)) : &c->m->lib->streams[1];
    if (!s)
        return;
    if (s->standard == 1 && !s->file)
        c->m->lib->flushed = c->m->result.output.n;
    for (size_t i = 0; i < STREAM_ROOM; i++) { /* without an argument, all of them */
        struct stream *each = &c->m->lib->streams[i];
        if (!each->open || !(each == s || !arg(c, 0)))
            continue;
        each->last = each->last == 'w' ? 0 : each->last;
        if (!memstream_flush(c, each))
            return;
    }
    give_int(c, 0);
}

static void get(struct lib_call *c, struct stream *s)
{
    if (s)
        give_int(c, lib_reads(c, s) ? lib_getc(c, s) : EOF);
}

void lib_getchar(struct lib_call *c)
{
    get(c, lib_standard(c, 0));
}

void lib_fgetc(struct lib_call *c)
{
    get(c, lib_stream(c, arg(c, 0)));
}

void lib_fgets(struct lib_call *c)
{
    int32_t size = arg_int(c, 1), n = 0;
    struct stream *s = lib_stream(c, arg(c, 2));
    if (!s || !lib_reads(c, s))
        return;
    if (size <= 0) {
        lib_undefined(c, UB_LIB_ARG, "the size is %d", size);
        return;
    }
    int ch = 0;
    while (n < size - 1 && ch != '\n' && (ch = lib_getc(c, s)) != EOF) {
        uint8_t byte = (uint8_t)ch;
        if (!lib_store(c, arg(c, 0) + (uint64_t)n, &byte, 1))
            return;
        n++;
    }
    if (n == 0 && size > 1)
        return; /* null: nothing was read */
    if (lib_store(c, arg(c, 0) + (uint64_t)n, "", 1))
        give(c, arg(c, 0));
}

/* One byte from a file into memory, as set or unset as it was written; EOF at the end. */
static int carry(struct lib_call *c, struct stream *s, uint64_t to)
{
    const struct text *unset = s->file && s->unread == EOF ? &s->file->unset : NULL;
    bool is_unset = unset && s->at < unset->n && unset->s[s->at] && s->at < s->file->bytes.n;
    if (is_unset)
        s->file->unset.s[s->at] = 0;
    int ch = lib_getc(c, s);
    if (is_unset)
        s->file->unset.s[s->at - 1] = 1;
    uint8_t byte = (uint8_t)ch;
    if (ch == EOF || !lib_store(c, to, &byte, 1) || !is_unset)
        return ch;
    struct object *o = memory_find(&c->m->memory, to);
    memory_need_init(o);
    o->init[to - o->base] = 0;
    return ch;
}

void lib_fread(struct lib_call *c)
{
    u128 total = (u128)arg(c, 1) * arg(c, 2);
    struct stream *s = lib_stream(c, arg(c, 3));
    if (!s || total == 0 || !lib_reads(c, s))
        return;
    uint64_t n = 0;
    while (n < (uint64_t)total && carry(c, s, arg(c, 0) + n) != EOF && !c->m->ended)
        n++;
    give(c, n / arg(c, 1));
}

void lib_ungetc(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    struct stream *s = lib_stream(c, arg(c, 1));
    bool one = s && s->reads && (s->unread == EOF || ch == EOF); /* C11 7.21.7.10p3 */
    if (s && !one)
        lib_unsupported(c, s->reads ? "a second character" : "to a stream that is not read");
    if (!one || !lib_reads(c, s))
        return;
    lib_unread(c, s, ch);
    give_int(c, ch == EOF ? EOF : (unsigned char)ch);
}

void lib_feof(struct lib_call *c)
{
    const struct stream *s = lib_stream(c, arg(c, 0));
    give_sign(c, s && s->ended);
}

void lib_ferror(struct lib_call *c)
{
    const struct stream *s = lib_stream(c, arg(c, 0));
    give_sign(c, s && s->failed);
}

void lib_clearerr(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 0));
    if (s)
        s->ended = s->failed = false;
}

void lib_perror(struct lib_call *c)
{
    uint64_t n = 0;
    const char *s = arg(c, 0) ? lib_text(c, arg(c, 0), &n) : "";
    struct stream *to = s ? lib_standard(c, 2) : NULL;
    if (!to)
        return;
    const char *message = strerror(lib_errno(c));
    lib_print(c, to, s, n);
    lib_print(c, to, ": ", n ? 2 : 0);
    lib_print(c, to, message, strlen(message));
    lib_print(c, to, "\n", 1);
}

/* There is one thread. */
void lib_flockfile(struct lib_call *c)
{
    if (lib_stream(c, arg(c, 0)))
        give_int(c, 0);
}

/* C11 7.21.5.6p2: before any other operation on the stream. */
static void set_buffer(struct lib_call *c, int mode)
{
    struct stream *s = lib_stream(c, arg(c, 0));
    if (s && s->last)
        lib_undefined(c, UB_LIB_ARG, "the stream is in use already");
    if (!s || s->standard == 2)
        return;
    s->buffer = mode == _IONBF ? 0 : arg(c, 1);
    s->buffered = c->site;
}

void lib_setvbuf(struct lib_call *c)
{
    set_buffer(c, arg_int(c, 2));
    give_int(c, 0);
}

void lib_setbuf(struct lib_call *c)
{
    set_buffer(c, _IOFBF);
}

void lib_fileno(struct lib_call *c)
{
    const struct stream *s = lib_stream(c, arg(c, 0));
    if (s && s->file)
        lib_unsupported(c, "of a file");
    give_int(c, s ? s->standard : -1);
}

/* No stream is a terminal. */
void lib_isatty(struct lib_call *c)
{
    lib_set_errno(c, ENOTTY);
    give_int(c, 0);
}

/* ---- lines of any length ---------------------------------------------------------------- */

/* The program's buffer, with room for so many bytes: grown as glibc does.  0: the run ended. */
static uint64_t line_buffer(struct lib_call *c, uint64_t needed)
{
    enum { FIRST = 120 };
    unsigned pointer = lib_pointer_size(c);
    uint64_t at = 0, room = 0;
    const uint8_t *bytes = lib_read(c, arg(c, 0), pointer);
    if (bytes)
        memory_get(c->m, &at, bytes, pointer);
    if (at)
        bytes = lib_read(c, arg(c, 1), pointer);
    if (at && bytes)
        memory_get(c->m, &room, bytes, pointer);
    if (!bytes || (at && needed <= room))
        return bytes ? at : 0;
    room = at && room ? 2 * room : FIRST;
    room = needed > room ? needed : room;
    struct object *old = at ? lib_allocated(c, at) : NULL, *o = lib_allocate(c, room, 16, false);
    if (!o || c->m->ended)
        return 0;
    if (old)
        memory_kill(&c->m->memory, old);
    uint64_t base = o->base;
    return lib_store(c, arg(c, 0), &base, pointer) && lib_store(c, arg(c, 1), &room, pointer) ? base
                                                                                              : 0;
}

static void get_line(struct lib_call *c, struct stream *s, int end)
{
    struct text line = {0};
    bool reads = s && lib_reads(c, s);
    int ch = reads ? 0 : EOF;
    while (ch != EOF && (line.n == 0 || ch != end) && (ch = lib_getc(c, s)) != EOF)
        text_add(&line, &(char){(char)ch}, 1);
    uint64_t to = reads ? line_buffer(c, line.n + 1) : 0; /* at the end, too */
    uint8_t *bytes = to && line.n ? lib_write(c, to, line.n + 1) : NULL;
    if (bytes)
        memcpy(bytes, line.s, line.n + 1);
    give(c, bytes ? line.n : UINT64_MAX);
    text_free(&line);
}

void lib_getdelim(struct lib_call *c)
{
    get_line(c, lib_stream(c, arg(c, 3)), arg_int(c, 2));
}

void lib_getline(struct lib_call *c)
{
    get_line(c, lib_stream(c, arg(c, 2)), '\n');
}
