/* Bump allocation in chunks.  The first chunk is small, each next one twice as large, so that
 * a small piece of work stays small and a large one makes few calls to malloc. */
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef CUPEL_HOSTILE
enum { FIRST_CHUNK = 64, CLEARED = 32 };
#else
enum { FIRST_CHUNK = 16 * 1024, CLEARED = 4 * 1024 };
#endif
enum { ALIGN = _Alignof(max_align_t) };

enum { HUGE_PAGE = 2 << 20 };

struct arena_chunk {
    struct arena_chunk *older;
    size_t size;
    void *map; /* what to unmap, or NULL when malloc gave it */
    size_t map_size;
    _Alignas(max_align_t) char bytes[];
};

/* Large chunks in huge pages: the kernel then hands memory out 500 times less often. */
static struct arena_chunk *chunk_map(size_t size)
{
    size_t whole = (size + sizeof(struct arena_chunk) + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    void *map = mmap(NULL, whole + HUGE_PAGE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (map == MAP_FAILED)
        return NULL;
    uintptr_t at = ((uintptr_t)map + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    struct arena_chunk *c = (void *)at;
    madvise(c, whole, MADV_HUGEPAGE);
    *c = (struct arena_chunk){.size = whole - sizeof *c, .map = map, .map_size = whole + HUGE_PAGE};
    return c;
}

static struct arena_chunk *chunk_new(size_t size, struct arena_chunk *older)
{
    struct arena_chunk *c = NULL;
    if (size >= HUGE_PAGE)
        c = chunk_map(size);
    if (!c && (c = malloc(sizeof *c + size)))
        *c = (struct arena_chunk){.size = size};
    if (!c)
        BUG("out of memory for %zu bytes", size);
    c->older = older;
    return c;
}

static void start_chunk(struct arena *a, size_t size)
{
    a->chunk = chunk_new(size, a->chunk);
    a->at = a->end = a->chunk->bytes;
    if (a->chunk->map) /* the kernel's pages are zero */
        a->end += a->chunk->size;
}

/* Bytes of the chunk that are not handed out. */
static size_t unused(const struct arena *a)
{
    return a->chunk ? (size_t)(a->chunk->bytes + a->chunk->size - a->at) : 0;
}

/* A piece at a time, just before it is used: it is in the cache then, and what is never used is
 * never cleared. */
static void clear_more(struct arena *a, size_t size)
{
    size_t cleared = (size_t)(a->end - a->at), want = size > CLEARED ? size : CLEARED;
    if (want > unused(a))
        want = unused(a);
    memset(a->end, 0, want - cleared);
    a->end = a->at + want;
}

void *arena_alloc_slow(struct arena *a, size_t size)
{
    if (size > SIZE_MAX / 4)
        BUG("allocation of %zu bytes", size);
    size_t rounded = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (a->chunk && unused(a) >= rounded) {
        clear_more(a, rounded);
        return arena_alloc(a, size);
    }
    size_t next = a->chunk ? a->chunk->size * 2 : FIRST_CHUNK;
    while (next < size + ALIGN)
        next *= 2;
    start_chunk(a, next);
    return arena_alloc(a, size);
}

void arena_reserve(struct arena *a, size_t size)
{
    if (unused(a) < size && size < SIZE_MAX / 4)
        start_chunk(a, size);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / 4 / size)
        BUG("array of %zu x %zu bytes", count, size);
    return arena_alloc(a, count * size);
}

void *arena_grow(struct arena *a, const void *array, size_t n, size_t room, size_t size)
{
    void *more = arena_array(a, room, size);
    if (n)
        memcpy(more, array, n * size);
    return more;
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
        if (c->map)
            munmap(c->map, c->map_size);
        else
            free(c);
        c = older;
    }
}

void arena_reset(struct arena *a)
{
    if (a->chunk) {
        free_chunks(a->chunk->older);
        a->chunk->older = NULL;
        a->at = a->end = a->chunk->bytes;
    }
    a->total = 0;
}

void arena_free(struct arena *a)
{
    free_chunks(a->chunk);
    *a = (struct arena){0};
}
