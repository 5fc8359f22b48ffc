/* What a node hunts with, so that others can tell whether they have the same: a compiler is what it
 * says of itself, what it makes programs for and the bytes of its file, wherever that lies. */
#include "hunt/private.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_file(const char *path)
{
    struct text bytes = {0};
    uint64_t hash = path && sys_read_file(path, SYS_READ_ALL, &bytes, NULL)
                        ? hash_bytes(text_str(&bytes), bytes.n)
                        : 0;
    text_free(&bytes);
    return hash;
}

const char *kit_file_hash(struct arena *a, const char *command)
{
    const char *path = sys_find_program(a, command);
    return arena_printf(a, "%016llx", (unsigned long long)hash_file(path));
}

static struct store_compiler identify(struct arena *a, const struct plan_config *c)
{
    struct store_compiler out = {.name = arena_string(a, c->cc.argv[0]),
                                 .version = arena_string(a, c->version),
                                 .target = plan_target_name(c->target),
                                 .hash = kit_file_hash(a, c->cc.argv[0])};
    uint64_t id = hash_pair(hash_pair(hash_string(out.version), hash_string(out.target)),
                            hash_string(out.hash));
    out.id = arena_printf(a, "%016llx", (unsigned long long)id);
    return out;
}

static const struct store_compiler *find_command(const struct kit *k, const char *command,
                                                 const char *target)
{
    for (size_t i = 0; i < k->n; i++)
        if (strcmp(k->at[i].name, command) == 0 &&
            (!target || strcmp(k->at[i].target, target) == 0))
            return &k->at[i];
    return NULL;
}

static int compare_numbers(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return a < b ? -1 : a > b;
}

/* What decides which program a number means, and who gets it. */
static uint64_t hash_config(const struct plan_config *c, const char *id)
{
    uint64_t h = hash_string(id);
    for (size_t i = 1; c->cc.argv[i]; i++)
        h = hash_pair(h, hash_string(c->cc.argv[i]));
    return hash_pair(hash_pair(h, hash_pair(c->features, c->own_features)), c->pool.n);
}

void kit_make(struct arena *a, const struct plan *p, struct kit *out)
{
    uint64_t *all = NEW_ARRAY(a, p->n, uint64_t), kit = hash_string(cupel_version);
    *out = (struct kit){.at = NEW_ARRAY(a, p->n, struct store_compiler)};
    for (size_t i = 0; i < p->n; i++) {
        const struct plan_config *c = &p->configs[i];
        const struct store_compiler *same = find_command(out, c->cc.argv[0],
                                                         plan_target_name(c->target));
        if (!same) {
            out->at[out->n] = identify(a, c);
            same = &out->at[out->n++];
        }
        all[i] = hash_config(c, same->id);
    }
    if (p->n)
        qsort(all, p->n, sizeof *all, compare_numbers);
    for (size_t i = 0; i < p->n; i++)
        kit = hash_pair(kit, all[i]);
    out->id = arena_printf(a, "%016llx", (unsigned long long)kit);
}

const char *kit_compiler_of(const struct kit *k, const char *config)
{
    struct arena a = {0};
    char **words = str_split_command(&a, config, NULL);
    const struct store_compiler *c = words && words[0] ? find_command(k, words[0], NULL) : NULL;
    arena_free(&a);
    return c ? c->id : "";
}
