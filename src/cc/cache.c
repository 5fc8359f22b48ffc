/* What probing found, in CACHE/compilers.json.  A damaged or foreign file is as good as none. */
#include "cc/probe.h"

#include <jansson.h>
#include <string.h>

/* Part of every stamp: to change when probing learns something new. */
enum { CACHE_FORMAT = 1 };

void cache_load(struct arena *a, struct cache *c)
{
    struct text t = {0};
    char *dir = sys_cache_dir(a);
    c->path = dir && sys_make_dirs(dir, NULL) ? arena_printf(a, "%s/compilers.json", dir) : NULL;
    if (c->path && sys_read_file(c->path, 16u << 20, &t, NULL))
        c->root = json_loads(text_str(&t), 0, NULL);
    text_free(&t);
    json_t *format = json_object_get(c->root, "format");
    if (json_integer_value(format) != CACHE_FORMAT) {
        json_decref(c->root);
        c->root = json_pack("{s:i, s:{}, s:{}}", "format", CACHE_FORMAT, "compilers", "identities");
    }
}

static const char *string_of(struct arena *a, const json_t *row, const char *key)
{
    const char *s = json_string_value(json_object_get(row, key));
    return s ? arena_string(a, s) : "";
}

bool cache_find(const struct cache *c, struct arena *a, const char *stamp, struct cc *cc)
{
    json_t *row = json_object_get(json_object_get(c->root, "compilers"), stamp);
    json_t *levels = json_object_get(row, "levels");
    if (!json_is_array(levels))
        return false;
    struct list flags = {0};
    size_t i;
    json_t *level;
    json_array_foreach(levels, i, level) if (json_is_string(level))
        list_add(a, &flags, arena_string(a, json_string_value(level)));
    list_add(a, &flags, NULL);
    cc->levels = (char **)flags.at;
    cc->version = string_of(a, row, "version");
    cc->banner = string_of(a, row, "banner");
    cc->target = string_of(a, row, "target");
    cc->emulator = string_of(a, row, "emulator");
    cc->runnable = json_is_true(json_object_get(row, "runnable"));
    cc->features = (unsigned)json_integer_value(json_object_get(row, "features"));
    return true;
}

void cache_add(struct cache *c, const char *stamp, const struct cc *cc)
{
    json_t *levels = json_array();
    for (size_t i = 0; cc->levels[i]; i++)
        json_array_append_new(levels, json_string(cc->levels[i]));
    json_t *row = json_pack("{s:s, s:s, s:s, s:s, s:b, s:i, s:o}", "version", cc->version, "banner",
                            cc->banner, "target", cc->target, "emulator", cc->emulator, "runnable",
                            cc->runnable, "features", (int)cc->features, "levels", levels);
    json_object_set_new(json_object_get(c->root, "compilers"), stamp, row);
}

const char *cache_find_identity(const struct cache *c, struct arena *a, const char *stamp)
{
    json_t *known = json_object_get(json_object_get(c->root, "identities"), stamp);
    return json_is_string(known) ? arena_string(a, json_string_value(known)) : NULL;
}

void cache_add_identity(struct cache *c, const char *stamp, const char *identity)
{
    json_object_set_new(json_object_get(c->root, "identities"), stamp, json_string(identity));
}

void cache_save(struct cache *c)
{
    char *text = c->path ? json_dumps(c->root, JSON_INDENT(1) | JSON_SORT_KEYS) : NULL;
    if (text)
        sys_write_file(c->path, text, strlen(text), NULL);
    free(text);
    json_decref(c->root);
    c->root = NULL;
}
