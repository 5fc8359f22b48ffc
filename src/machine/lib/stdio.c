/* Streams: standard input from the command line, output and errors into texts. */
#include "machine/lib/private.h"

#include <stdio.h>
#include <string.h>

int lib_file(struct lib_call *c, uint64_t address)
{
    for (int i = 0; i < 3; i++)
        if (c->m->lib->files[i]->base == address && !c->m->lib->gone[i])
            return i;
    lib_undefined(c, UB_LIB_ARG, "%s is no open stream", machine_describe(c->m, address));
    return -1;
}

void lib_print(struct lib_call *c, int file, const char *bytes, uint64_t n)
{
    struct machine *m = c->m;
    struct text *to = file == 2 ? &m->result.errors : &m->result.output;
    if (file == 0)
        return;
    if (m->lib->closed[file]) {
        lib_unsupported(c, "output after its descriptor was closed");
        return;
    }
    if (to->n + n > m->options.output) {
        machine_stop(m, MACHINE_MEMORY, "the program prints more than %llu bytes",
                     (unsigned long long)m->options.output);
        return;
    }
    /* what is printed first matters: as a write to the stream */
    if (m->seq.mark_count)
        seq_touch(m, c->pc, m->lib->files[file]->base, 1, true);
    text_add(to, bytes, n);
}

int lib_getc(struct lib_call *c)
{
    struct library *l = c->m->lib;
    if (l->input_by_read)
        lib_unsupported(c, "stdio's input beside read");
    l->input_by_stream = true;
    if (c->m->seq.mark_count)
        seq_touch(c->m, c->pc, l->files[0]->base, 1, true);
    if (l->unread != EOF) {
        int ch = l->unread;
        l->unread = EOF;
        return ch;
    }
    if (l->input_at >= c->m->options.input_size) {
        l->input_ended = true;
        return EOF;
    }
    return (unsigned char)c->m->options.input[l->input_at++];
}

void lib_unread(struct lib_call *c, int ch)
{
    if (ch == EOF)
        return;
    c->m->lib->unread = (unsigned char)ch;
    c->m->lib->input_ended = false;
}

void lib_puts(struct lib_call *c)
{
    uint64_t n;
    const char *s = lib_text(c, arg(c, 0), &n);
    if (!s)
        return;
    lib_print(c, 1, s, n);
    lib_print(c, 1, "\n", 1);
    give_int(c, (int64_t)n + 1);
}

void lib_fputs(struct lib_call *c)
{
    uint64_t n;
    int file = lib_file(c, arg(c, 1));
    const char *s = file >= 0 ? lib_text(c, arg(c, 0), &n) : NULL;
    if (!s)
        return;
    lib_print(c, file, s, n);
    give_int(c, 1);
}

void lib_putchar(struct lib_call *c)
{
    char ch = (char)arg(c, 0);
    lib_print(c, 1, &ch, 1);
    give_int(c, (unsigned char)ch);
}

void lib_fputc(struct lib_call *c)
{
    char ch = (char)arg(c, 0);
    int file = lib_file(c, arg(c, 1));
    if (file >= 0)
        lib_print(c, file, &ch, 1);
    give_int(c, (unsigned char)ch);
}

void lib_fwrite(struct lib_call *c)
{
    u128 total = (u128)arg(c, 1) * arg(c, 2);
    int file = lib_file(c, arg(c, 3));
    if (file < 0 || total == 0)
        return;
    const uint8_t *bytes = total >> 63 ? NULL : lib_read(c, arg(c, 0), (uint64_t)total);
    if (bytes)
        lib_print(c, file, (const char *)bytes, (uint64_t)total);
    give(c, arg(c, 2));
}

void lib_fflush(struct lib_call *c)
{
    int file = arg(c, 0) ? lib_file(c, arg(c, 0)) : 1;
    if (file == 1)
        c->m->lib->flushed = c->m->result.output.n;
    give_int(c, 0);
}

void lib_getchar(struct lib_call *c)
{
    give_int(c, lib_getc(c));
}

static bool from_stdin(struct lib_call *c, uint32_t i)
{
    int file = lib_file(c, arg(c, i));
    if (file > 0)
        lib_undefined(c, UB_LIB_ARG, "the stream cannot be read");
    return file == 0;
}

void lib_fgetc(struct lib_call *c)
{
    if (from_stdin(c, 0))
        give_int(c, lib_getc(c));
}

void lib_fgets(struct lib_call *c)
{
    int32_t size = arg_int(c, 1), n = 0;
    if (!from_stdin(c, 2))
        return;
    if (size <= 0) {
        lib_undefined(c, UB_LIB_ARG, "the size is %d", size);
        return;
    }
    int ch = 0;
    while (n < size - 1 && ch != '\n' && (ch = lib_getc(c)) != EOF) {
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

void lib_fread(struct lib_call *c)
{
    u128 total = (u128)arg(c, 1) * arg(c, 2);
    if (!from_stdin(c, 3) || total == 0)
        return;
    uint64_t n = 0;
    int ch;
    while (n < (uint64_t)total && (ch = lib_getc(c)) != EOF) {
        uint8_t byte = (uint8_t)ch;
        if (!lib_store(c, arg(c, 0) + n, &byte, 1))
            return;
        n++;
    }
    give(c, n / arg(c, 1));
}

void lib_ungetc(struct lib_call *c)
{
    int ch = arg_int(c, 0);
    if (from_stdin(c, 1))
        lib_unread(c, ch);
    give_int(c, ch == EOF ? EOF : (unsigned char)ch);
}

void lib_feof(struct lib_call *c)
{
    give_int(c, lib_file(c, arg(c, 0)) == 0 && c->m->lib->input_ended);
}

void lib_ferror(struct lib_call *c)
{
    lib_file(c, arg(c, 0));
    give_int(c, 0);
}

void lib_clearerr(struct lib_call *c)
{
    if (lib_file(c, arg(c, 0)) == 0)
        c->m->lib->input_ended = false;
}

void lib_perror(struct lib_call *c)
{
    uint64_t n = 0;
    const char *s = arg(c, 0) ? lib_text(c, arg(c, 0), &n) : "";
    if (!s)
        return;
    lib_print(c, 2, s, n);
    lib_print(c, 2, ": error\n", 8);
}

void lib_fclose(struct lib_call *c)
{
    int file = lib_file(c, arg(c, 0));
    if (file >= 0)
        c->m->lib->gone[file] = true;
    give_int(c, 0);
}

void lib_setvbuf(struct lib_call *c)
{
    lib_file(c, arg(c, 0));
    give_int(c, 0);
}

void lib_setbuf(struct lib_call *c)
{
    lib_file(c, arg(c, 0));
}

void lib_fileno(struct lib_call *c)
{
    give_int(c, lib_file(c, arg(c, 0)));
}

void lib_isatty(struct lib_call *c)
{
    give_int(c, 0);
}
