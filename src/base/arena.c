/* Bump allocation in chunks.  The first chunk is small, each next one twice as large, so that
 * a small piece of work stays small and a large one makes few calls to malloc. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef CUPEL_HOSTILE
enum { FIRST_CHUNK = 64 };
#else
enum { FIRST_CHUNK = 16 * 1024 };
#endif
enum { ALIGN = _Alignof(max_align_t) };

struct arena_chunk {
    struct arena_chunk *older;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

static struct arena_chunk *chunk_new(size_t size, struct arena_chunk *older)
{
    struct arena_chunk *c = malloc(sizeof *c + size);
    if (!c)
        BUG("out of memory for %zu bytes", size);
    c->older = older;
    c->used = 0;
    c->size = size;
    return c;
}

void *arena_alloc(struct arena *a, size_t size)
{
    if (size > SIZE_MAX / 4)
        BUG("allocation of %zu bytes", size);
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    struct arena_chunk *c = a->chunk;
    if (!c || c->size - c->used < size) {
        size_t next = c ? c->size * 2 : FIRST_CHUNK;
        while (next < size)
            next *= 2;
        c = a->chunk = chunk_new(next, c);
    }
    void *p = c->bytes + c->used;
    c->used += size;
    a->total += size;
    return memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 4 / size)
        BUG("array of %zu x %zu bytes", count, size);
    return arena_alloc(a, count * size);
}

char *arena_copy(struct arena *a, const void *bytes, size_t size)
{
    char *p = arena_alloc(a, size + 1);
    if (size)
        memcpy(p, bytes, size);
    return p;
}

char *arena_string(struct arena *a, const char *s)
{
    return arena_copy(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    if (n < 0)
        BUG("bad format '%s'", fmt);
    char *p = arena_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    return p;
}

static void free_chunks(struct arena_chunk *c)
{
    while (c) {
        struct arena_chunk *older = c->older;
        free(c);
        c = older;
    }
}

void arena_reset(struct arena *a)
{
    if (a->chunk) {
        free_chunks(a->chunk->older);
        a->chunk->older = NULL;
        a->chunk->used = 0;
    }
    a->total = 0;
}

void arena_free(struct arena *a)
{
    free_chunks(a->chunk);
    *a = (struct arena){0};
}
