/* Hints and their patches, and what a set of patches makes of a text. */
#include "reduce/private.h"

#include <stdlib.h>
#include <string.h>

void hints_clear(struct hints *h)
{
    arena_reset(&h->arena);
    struct arena arena = h->arena;
    *h = (struct hints){.arena = arena};
}

void hints_free(struct hints *h)
{
    arena_free(&h->arena);
    *h = (struct hints){0};
}

void hints_begin(struct hints *h)
{
    if (h->n == h->room) {
        h->room = h->room ? 2 * h->room : 64;
        h->at = arena_grow(&h->arena, h->at, h->n, h->room, sizeof *h->at);
    }
    h->at[h->n++] = (struct hint){.first = h->patch_count};
}

void hints_patch(struct hints *h, uint32_t unit, uint32_t begin, uint32_t end, const char *text)
{
    if (h->patch_count == h->patch_room) {
        h->patch_room = h->patch_room ? 2 * h->patch_room : 256;
        h->patches = arena_grow(&h->arena, h->patches, h->patch_count, h->patch_room,
                                sizeof *h->patches);
    }
    struct hint *hint = &h->at[h->n - 1];
    h->patches[h->patch_count] = (struct patch){
        .unit = unit,
        .serial = (uint32_t)h->patch_count,
        .begin = begin,
        .end = end,
        .anchor = hint->count ? h->patches[hint->first].begin : begin,
        .size = (uint32_t)strlen(text),
        .text = arena_string(&h->arena, text),
    };
    h->patch_count++;
    hint->count++;
    hint->weight += end - begin;
}

void hints_drop(struct hints *h)
{
    h->patch_count = h->at[--h->n].first;
}

void hints_end(struct hints *h)
{
    if (h->at[h->n - 1].count == 0)
        hints_drop(h);
}

/* By place; of those that begin together, the longest first; else as they came. */
static int compare_patches(const void *a, const void *b)
{
    const struct patch *x = a, *y = b;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    bool insert_x = x->begin == x->end, insert_y = y->begin == y->end;
    if (insert_x != insert_y)
        return insert_x ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->serial < y->serial ? -1 : x->serial > y->serial;
}

/* Words that had something between them must not grow together. */
static void add_apart(struct text *out, const char *bytes, size_t n)
{
    if (n && out->n && bytes[0] != '\n')
        text_putc(out, ' ');
    text_add(out, bytes, n);
}

/* Does it fall to what was applied last, which ended at `at`? */
static bool is_void(const struct patch *p, const struct patch *last, uint32_t at)
{
    bool inserts = p->begin == p->end;
    return p->begin < at || (inserts && last && last->begin <= p->anchor && p->anchor < last->end &&
                             p->begin == last->end);
}

void patches_apply(const struct text *from, size_t units, struct patch *patches, size_t n,
                   struct text *to)
{
    size_t i = 0;
    if (n)
        qsort(patches, n, sizeof *patches, compare_patches);
    for (uint32_t unit = 0; unit < units; unit++) {
        const char *text = text_str(&from[unit]);
        const struct patch *last = NULL; /* that took something away */
        uint32_t at = 0;
        text_reserve(&to[unit], from[unit].n + 256);
        for (; i < n && patches[i].unit == unit; i++) {
            if (is_void(&patches[i], last, at))
                continue;
            if (patches[i].begin < patches[i].end)
                last = &patches[i];
            text_add(&to[unit], text + at, patches[i].begin - at);
            add_apart(&to[unit], patches[i].text, patches[i].size);
            text_putc(&to[unit], ' ');
            at = patches[i].end;
        }
        text_add(&to[unit], text + at, from[unit].n - at);
    }
}
