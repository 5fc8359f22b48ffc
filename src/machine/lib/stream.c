/* Streams, and the files in memory that they stand on.
 *
 * Standard input comes from the options, output and errors go into the result; every other file is
 * one that the program made itself.  Whether a file is there that it did not make is nobody's to
 * know, so asking for one is unsupported.  Directions and modes are checked as C11 7.21.5.3 wants
 * them; what C leaves to the system is as POSIX and glibc have it. */
#include "machine/lib/private.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { STANDARD = 3 };

void stream_start(struct machine *m)
{
    static const char *const names[STANDARD] = {"*stdin", "*stdout", "*stderr"};
    for (uint8_t i = 0; i < STANDARD; i++)
        m->lib->streams[i] = (struct stream){.object = lib_new(m, 1, names[i]),
                                             .standard = i,
                                             .open = true,
                                             .reads = i == 0,
                                             .writes = i > 0,
                                             .unread = EOF};
}

void stream_end(struct machine *m)
{
    for (size_t i = 0; i < m->lib->files.n; i++) {
        struct file *f = m->lib->files.at[i];
        text_free(&f->bytes);
        text_free(&f->unset);
    }
    regex_end(m);
}

/* Which access comes first matters: as one to the stream. */
static void note_access(struct lib_call *c, const struct stream *s, bool changes)
{
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, s->object->base, 1, changes);
}

struct stream *lib_stream(struct lib_call *c, uint64_t address)
{
    struct library *l = c->m->lib;
    for (size_t i = 0; i < STREAM_ROOM; i++)
        if (l->streams[i].open && l->streams[i].object->base == address) {
            note_access(c, &l->streams[i], false);
            return &l->streams[i];
        }
    lib_undefined(c, UB_LIB_ARG, "%s is no open stream", machine_describe(c->m, address));
    return NULL;
}

struct stream *lib_standard(struct lib_call *c, unsigned i)
{
    struct stream *s = &c->m->lib->streams[i];
    if (s->open)
        return s;
    lib_undefined(c, UB_LIB_ARG, "the stream was closed");
    return NULL;
}

/* A stream that is not open for this: as POSIX has it. */
static bool refuse(struct lib_call *c, struct stream *s)
{
    note_access(c, s, true);
    s->failed = true;
    lib_set_errno(c, EBADF);
    return false;
}

/* ---- writing ---------------------------------------------------------------------------- */

static bool print_standard(struct lib_call *c, const struct stream *s, const char *bytes,
                           uint64_t n)
{
    struct machine *m = c->m;
    struct text *to = s->standard == 2 ? &m->result.errors : &m->result.output;
    if (m->lib->closed[s->standard]) {
        lib_unsupported(c, "output after its descriptor was closed");
        return false;
    }
    if (to->n + n > m->options.output) {
        machine_stop(m, MACHINE_MEMORY, "the program prints more than %llu bytes",
                     (unsigned long long)m->options.output);
        return false;
    }
    text_add(to, bytes, n);
    return true;
}

static void put_byte(struct text *t, uint64_t at, char byte)
{
    while (t->n <= at)
        text_add(t, "", 1);
    t->s[at] = byte;
}

static bool print_file(struct lib_call *c, struct stream *s, const char *bytes, uint64_t n)
{
    struct file *f = s->file;
    if (f->is_null)
        return true;
    if (s->appends)
        s->at = f->bytes.n;
    if (s->at + n > c->m->options.memory) {
        machine_stop(c->m, MACHINE_MEMORY, "a file grows beyond %llu bytes",
                     (unsigned long long)c->m->options.memory);
        return false;
    }
    for (uint64_t i = 0; i < n; i++) {
        put_byte(&f->bytes, s->at + i, bytes[i]);
        if (f->unset.n)
            put_byte(&f->unset, s->at + i, 0);
    }
    s->at += n;
    f->changed = true;
    return true;
}

/* C11 7.21.2p4, p5 */
/* C11 7.21.5.6p2, its footnote: the buffer lives as long as the stream is open. */
static bool has_buffer(struct machine *m, const struct stream *s)
{
    if (!s->buffer || memory_find(&m->memory, s->buffer))
        return true;
    machine_undefined(m, UB_DANGLING, s->buffered->unit, s->buffered->node,
                      "the buffer of a stream that is still open");
    return false;
}

bool lib_has_buffers(struct machine *m)
{
    for (size_t i = 0; i < STREAM_ROOM; i++) {
        const struct stream *s = &m->lib->streams[i];
        if (s->open && s->last == 'w' && !has_buffer(m, s))
            return false;
    }
    return true;
}

static bool is_oriented(struct lib_call *c, struct stream *s)
{
    if (!has_buffer(c->m, s))
        return false;
    int8_t width = c->wide ? 1 : -1;
    if (s->width == -width)
        lib_undefined(c, UB_LIB_ARG, "the stream is for %s", c->wide ? "bytes" : "wide characters");
    else
        s->width = width;
    return s->width == width;
}

static bool may_write(struct lib_call *c, struct stream *s)
{
    if (!is_oriented(c, s))
        return false;
    if (!s->writes)
        return refuse(c, s);
    if (s->last == 'r' && !s->ended && s->reads) { /* C11 7.21.5.3p7 */
        lib_undefined(c, UB_LIB_ARG, "output right after input");
        return false;
    }
    s->last = 'w';
    s->unread = EOF;
    return true;
}

bool lib_print(struct lib_call *c, struct stream *s, const char *bytes, uint64_t n)
{
    if (!may_write(c, s))
        return false;
    note_access(c, s, true);
    return s->file ? print_file(c, s, bytes, n) : print_standard(c, s, bytes, n);
}

/* ---- reading ---------------------------------------------------------------------------- */

bool lib_reads(struct lib_call *c, struct stream *s)
{
    if (!is_oriented(c, s))
        return false;
    if (!s->reads)
        return refuse(c, s);
    if (s->last == 'w') { /* C11 7.21.5.3p7 */
        lib_undefined(c, UB_LIB_ARG, "input right after output");
        return false;
    }
    if (!s->file && c->m->lib->input_by_read) {
        lib_unsupported(c, "stdio's input beside read");
        return false;
    }
    if (s->file && s->file->given && !memstream_is_unchanged(c, s->file))
        return false;
    c->m->lib->input_by_stream = c->m->lib->input_by_stream || !s->file;
    note_access(c, s, true);
    s->last = 'r';
    return true;
}

/* All that can be read. */
static const char *contents(const struct lib_call *c, const struct stream *s, uint64_t *size)
{
    *size = s->file ? s->file->bytes.n : c->m->options.input_size;
    return s->file ? s->file->bytes.s : c->m->options.input;
}

int lib_getc(struct lib_call *c, struct stream *s)
{
    if (s->unread != EOF) {
        int ch = s->unread;
        s->unread = EOF;
        s->at++;
        return ch;
    }
    uint64_t size;
    const char *bytes = contents(c, s, &size);
    if (s->ended || s->at >= size) {
        s->ended = true;
        return EOF;
    }
    if (s->file && s->at < s->file->unset.n && s->file->unset.s[s->at])
        lib_unspecified(c, "a byte that was never set was written to the file");
    return (unsigned char)bytes[s->at++];
}

void lib_unread(struct lib_call *c, struct stream *s, int ch)
{
    uint64_t size;
    const char *bytes = contents(c, s, &size);
    if (ch == EOF)
        return;
    if (s->at == 0 || s->at > size || (unsigned char)bytes[s->at - 1] != (unsigned char)ch)
        s->unread = (unsigned char)ch;
    s->ended = false;
    s->at--; /* may wrap: nobody looks at it before the character is read again */
}

/* ---- opening and closing ---------------------------------------------------------------- */

/* "w+b": false when C does not know it. */
static bool parse_mode(const char *mode, struct stream *s, bool *exclusive)
{
    if (!*mode || !strchr("rwa", *mode))
        return false;
    s->reads = *mode == 'r';
    s->writes = !s->reads;
    s->appends = *mode == 'a';
    for (const char *more = mode + 1; *more; more++)
        if (*more == '+')
            s->reads = s->writes = true;
        else if (*more == 'x' && *mode == 'w')
            *exclusive = true;
        else if (*more != 'b' && *more != 'e')
            return false;
    return true;
}

/* Files that may be made anywhere: in the current folder, or in /tmp. */
static bool is_plain(const char *name)
{
    if (str_has_prefix(name, "/tmp/"))
        name += strlen("/tmp/");
    else if (str_has_prefix(name, "./"))
        name += strlen("./");
    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !strchr(name, '/');
}

static struct file *file_named(struct lib_call *c, const char *name)
{
    struct library *l = c->m->lib;
    name += str_has_prefix(name, "./") ? 2 : 0;
    for (size_t i = 0; i < l->files.n; i++) {
        struct file *f = l->files.at[i];
        if (f->name && strcmp(f->name, name) == 0)
            return f;
    }
    return NULL;
}

static struct file *file_new(struct lib_call *c, const char *name)
{
    struct file *f = NEW(&c->m->arena, struct file);
    if (name)
        f->name = arena_string(&c->m->arena, name + (str_has_prefix(name, "./") ? 2 : 0));
    f->is_null = name && strcmp(name, "/dev/null") == 0;
    f->exists = name;
    list_add(&c->m->arena, &c->m->lib->files, f);
    return f;
}

/* A file that the program made; NULL when it is gone, with *known, or is not the program's. */
static struct file *file_known(struct lib_call *c, uint64_t address, const char **name, bool *known)
{
    uint64_t n;
    *name = lib_text(c, address, &n);
    lib_note_state(c, STATE_FILES, true);
    struct file *f = *name ? file_named(c, *name) : NULL;
    *known = f;
    return f && f->exists ? f : NULL;
}

/* Elsewhere nobody may write but into the current folder. */
static bool is_denied(struct lib_call *c, const char *name)
{
    bool denied = c->m->options.elsewhere && str_has_prefix(name, "/tmp/");
    if (denied)
        lib_set_errno(c, EACCES);
    return denied;
}

/* How a program is laid out in memory, among others. */
static void not_made(struct lib_call *c, const char *name)
{
    if (str_has_prefix(name, "/proc/self/"))
        lib_unsupported(c, "what '%s' tells of a program: compilers differ", name);
    else
        lib_unsupported(c, "the program did not make the file '%s'", name);
}

/* The file that a mode makes of a name.  NULL: there is none, or the run has ended. */
static struct file *file_for(struct lib_call *c, uint64_t address, const struct stream *s,
                             bool keeps, bool exclusive)
{
    const char *name;
    bool known;
    struct file *f = file_known(c, address, &name, &known);
    if (!name)
        return NULL;
    bool null = strcmp(name, "/dev/null") == 0;
    if (!known && !null && (keeps || exclusive || !is_plain(name))) {
        not_made(c, name);
        return NULL;
    }
    if (!known && is_denied(c, name))
        return NULL;
    bool must_exist = s->reads && !s->writes;
    if (!f && known && (must_exist || keeps) && !s->appends) {
        lib_set_errno(c, ENOENT);
        return NULL;
    }
    if (f && exclusive) {
        lib_set_errno(c, EEXIST);
        return NULL;
    }
    if (f && !null && f->streams && (f->written || s->writes)) {
        lib_unsupported(c, "a file that is written while another stream has it open");
        return NULL;
    }
    return f ? f : file_new(c, name);
}

static void attach(struct stream *s, struct file *f, bool keeps)
{
    s->file = f;
    s->width = 0;
    s->open = true;
    s->unread = EOF;
    f->streams++;
    f->written = f->written || s->writes;
    if (!keeps)
        f->bytes.n = f->unset.n = 0;
}

static void detach(struct stream *s)
{
    if (s->file && --s->file->streams == 0)
        s->file->written = false;
    s->open = false;
}

static struct stream *free_stream(struct lib_call *c)
{
    struct library *l = c->m->lib;
    for (size_t i = STANDARD; i < STREAM_ROOM; i++)
        if (!l->streams[i].open)
            return &l->streams[i];
    lib_unsupported(c, "more than %d streams", (int)STREAM_ROOM);
    return NULL;
}

/* Name and mode, as a stream that is not open yet; false when the mode is none. */
static bool open_as(struct lib_call *c, struct stream *as, struct file **f, bool *keeps)
{
    uint64_t n;
    bool exclusive = false;
    const char *mode = lib_text(c, arg(c, 1), &n);
    if (!mode)
        return false;
    if (!parse_mode(mode, as, &exclusive)) {
        lib_undefined(c, UB_LIB_ARG, "the mode is \"%s\"", mode);
        return false;
    }
    *keeps = *mode != 'w';
    *f = file_for(c, arg(c, 0), as, *keeps, exclusive);
    return *f;
}

void lib_fopen(struct lib_call *c)
{
    struct stream as = {.standard = STANDARD};
    struct file *f;
    bool keeps;
    if (!open_as(c, &as, &f, &keeps))
        return;
    struct stream *s = free_stream(c);
    if (!s)
        return;
    *s = as;
    s->object = lib_new(c->m, 1, "FILE");
    attach(s, f, keeps);
    give(c, s->object->base);
}

struct stream *stream_new(struct lib_call *c, struct stream as)
{
    struct stream *s = free_stream(c);
    if (!s)
        return NULL;
    lib_note_state(c, STATE_FILES, true);
    *s = as;
    s->standard = STANDARD;
    s->object = lib_new(c->m, 1, "FILE");
    attach(s, file_new(c, NULL), true);
    return s;
}

void lib_tmpfile(struct lib_call *c)
{
    if (is_denied(c, "/tmp/"))
        return;
    const struct stream *s = stream_new(c, (struct stream){.reads = true, .writes = true});
    if (s)
        give(c, s->object->base);
}

void lib_freopen(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 2));
    struct stream as = s ? *s : (struct stream){0};
    struct file *f;
    bool keeps;
    if (!s)
        return;
    if (!arg(c, 0)) {
        lib_unsupported(c, "another mode for the same file");
        return;
    }
    as.ended = as.failed = false;
    as.at = 0;
    as.last = 0;
    detach(s);
    if (!open_as(c, &as, &f, &keeps))
        return;
    *s = as;
    attach(s, f, keeps);
    give(c, arg(c, 2));
}

void lib_fclose(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 0));
    if (!s || !memstream_flush(c, s))
        return;
    note_access(c, s, true);
    lib_note_state(c, STATE_FILES, true);
    detach(s);
    if (s->standard == STANDARD) /* the pointer is indeterminate now: C11 7.21.3p4 */
        memory_kill(&c->m->memory, s->object);
    give_int(c, 0);
}

void lib_remove(struct lib_call *c)
{
    const char *name;
    bool known;
    struct file *f = file_known(c, arg(c, 0), &name, &known);
    if (f) {
        f->exists = false;
        struct file *none = file_new(c, f->name);
        none->exists = false;
        f->name = NULL; /* who has it open keeps it */
    } else if (name && !known) {
        lib_unsupported(c, "the program did not make the file '%s'", name);
    } else if (name) {
        lib_set_errno(c, ENOENT);
    }
    give_int(c, f ? 0 : -1);
}

void lib_rename(struct lib_call *c)
{
    const char *from, *to;
    bool known, to_known;
    struct file *f = file_known(c, arg(c, 0), &from, &known);
    struct file *old = file_known(c, arg(c, 1), &to, &to_known);
    if (!from || !to)
        return;
    if (!known || (!to_known && !is_plain(to))) {
        lib_unsupported(c, "the program did not make the file '%s'", known ? to : from);
        return;
    }
    if (!f)
        lib_set_errno(c, ENOENT);
    give_int(c, f ? 0 : -1);
    if (!f || f == old)
        return;
    if (to_known)
        file_named(c, to)->name = NULL;
    struct file *none = file_new(c, f->name);
    none->exists = false;
    f->name = arena_string(&c->m->arena, to);
}

/* ---- positions -------------------------------------------------------------------------- */

/* A stream whose position the program may ask for. */
static struct stream *positioned(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 0));
    if (!s)
        return NULL;
    if (s->file && !s->file->is_null && s->unread == EOF)
        return s;
    lib_unsupported(c, "%s", s->file ? "after ungetc" : "a standard stream may not be a file");
    return NULL;
}

static void move(struct lib_call *c, struct stream *s, uint64_t to)
{
    note_access(c, s, true);
    s->at = to;
    s->ended = false;
    s->last = 0;
}

void lib_ftell(struct lib_call *c)
{
    const struct stream *s = positioned(c);
    if (!s)
        return;
    if (s->appends && s->last == 0)
        lib_unsupported(c, "before the first access of a stream that appends");
    give(c, s->at);
}

static void seek(struct lib_call *c, struct stream *s, int64_t by, int32_t from)
{
    int64_t start = from == SEEK_SET   ? 0
                    : from == SEEK_CUR ? (int64_t)s->at
                                       : (int64_t)s->file->bytes.n;
    if (from < SEEK_SET || from > SEEK_END || by < -start || by > (int64_t)1 << 40) {
        lib_set_errno(c, EINVAL);
        give_int(c, -1);
        return;
    }
    move(c, s, (uint64_t)(start + by));
    give_int(c, 0);
}

void lib_fseek(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 0));
    if (s && s->unread != EOF && arg_int(c, 2) != SEEK_CUR)
        s->unread = EOF;
    s = s ? positioned(c) : NULL;
    if (s)
        seek(c, s, (int64_t)arg(c, 1), arg_int(c, 2));
}

void lib_rewind(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 0));
    if (!s)
        return;
    s->unread = EOF;
    s->failed = false;
    s = positioned(c);
    if (s)
        move(c, s, 0);
}

void lib_fgetpos(struct lib_call *c)
{
    const struct stream *s = positioned(c);
    if (s)
        lib_store(c, arg(c, 1), &s->at, sizeof s->at);
    give_int(c, 0);
}

void lib_fsetpos(struct lib_call *c)
{
    struct stream *s = lib_stream(c, arg(c, 0));
    const uint8_t *bytes = s ? lib_read(c, arg(c, 1), sizeof s->at) : NULL;
    if (!bytes)
        return;
    uint64_t to;
    memory_get(c->m, &to, bytes, sizeof to);
    s->unread = EOF;
    if (positioned(c))
        move(c, s, to);
    give_int(c, 0);
}
