/* Open addressing over an array of entries that keeps insertion order, so that iteration never
 * depends on hashes; and the growable list of pointers. */
#include "base/base.h"

#include <string.h>

void list_add(struct arena *a, struct list *l, void *item)
{
    if (l->n == l->cap) {
        size_t cap = l->cap ? l->cap * 2 : 8;
        void **at = NEW_ARRAY(a, cap, void *);
        if (l->n)
            memcpy(at, l->at, l->n * sizeof *at);
        l->at = at;
        l->cap = cap;
    }
    l->at[l->n++] = item;
}

/* The slot that holds key, or the free one where it would go.  Needs: slots exist. */
static size_t find_slot(const struct map *m, const char *key, uint64_t hash)
{
    size_t i = (size_t)hash & (m->slot_count - 1);
    for (; m->slots[i]; i = (i + 1) & (m->slot_count - 1)) {
        const struct map_entry *e = &m->entries[m->slots[i] - 1];
        if (e->hash == hash && strcmp(e->key, key) == 0)
            break;
    }
    return i;
}

static void grow(struct arena *a, struct map *m)
{
    size_t cap = m->cap ? m->cap * 2 : 8;
    struct map_entry *entries = NEW_ARRAY(a, cap, struct map_entry);
    if (m->n)
        memcpy(entries, m->entries, m->n * sizeof *entries);
    m->entries = entries;
    m->cap = cap;
    m->slot_count = cap * 2;
    m->slots = NEW_ARRAY(a, m->slot_count, uint32_t);
    for (size_t i = 0; i < m->n; i++)
        m->slots[find_slot(m, entries[i].key, entries[i].hash)] = (uint32_t)i + 1;
}

void *map_get(const struct map *m, const char *key)
{
    if (m->n == 0)
        return NULL;
    uint32_t at = m->slots[find_slot(m, key, hash_string(key))];
    return at ? m->entries[at - 1].value : NULL;
}

void map_set(struct arena *a, struct map *m, const char *key, void *value)
{
    if (m->n == m->cap)
        grow(a, m);
    uint64_t hash = hash_string(key);
    size_t slot = find_slot(m, key, hash);
    if (m->slots[slot]) {
        m->entries[m->slots[slot] - 1].value = value;
        return;
    }
    m->entries[m->n] = (struct map_entry){arena_string(a, key), value, hash};
    m->slots[slot] = (uint32_t)++m->n;
}
