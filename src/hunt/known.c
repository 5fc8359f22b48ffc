/* What campaigns on this machine have learnt, in the user's cache folder: what compilers are and
 * can be given (known.json), and what paid in a CPU hour (yields.json).  A damaged or foreign file
 * is as good as none, and a file that cannot be written costs nothing but time. */
#include "hunt/private.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files --------------------------------------------------------------------------- */

static json_t *load(struct arena *a, const char *name, const char **path)
{
    enum { MOST = 16 << 20 };
    struct text t = {0};
    char *dir = sys_cache_dir(a);
    json_t *root = NULL;
    *path = dir && sys_make_dirs(dir, NULL) ? arena_printf(a, "%s/%s", dir, name) : NULL;
    if (*path && sys_read_file(*path, MOST, &t, NULL))
        root = json_loads(text_str(&t), 0, NULL);
    text_free(&t);
    if (!json_is_object(root)) {
        json_decref(root);
        root = json_object();
    }
    return root;
}

static void save(const json_t *root, const char *path)
{
    char *text = path ? json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    if (text)
        sys_write_file(path, text, strlen(text), NULL);
    free(text);
}

/* ---- compilers ----------------------------------------------------------------------- */

void known_open(struct arena *a, struct known *k)
{
    const char *self = sys_file_stamp(a, "/proc/self/exe");
    *k = (struct known){.a = a};
    k->root = load(a, "known.json", &k->path);
    /* another cupel asks other questions */
    if (!self || strcmp(record_text(k->root, "cupel"), self) != 0) {
        json_object_clear(k->root);
        json_object_set_new(k->root, "cupel", json_string(self ? self : ""));
    }
}

void known_close(struct known *k)
{
    if (k->changed)
        save(k->root, k->path);
    json_decref(k->root);
    *k = (struct known){0};
}

const char *known_key(struct known *k, const struct cc_config *config, const struct conf *conf)
{
    const char *found = sys_find_program(k->a, config->argv[0]);
    const char *real = found ? sys_real_path(k->a, found) : NULL;
    if (!real || !sys_is_binary(real)) /* a script may start anything, and stay as it is */
        return NULL;
    struct text t = {0};
    text_printf(&t, "%s %s", config->text, sys_file_stamp(k->a, real));
    str_join_command(&t, config->emulator);
    for (size_t i = 0; i < conf->always.n; i++)
        text_printf(&t, " +%s", (char *)conf->always.at[i]);
    for (size_t i = 0; i < conf->never.n; i++)
        text_printf(&t, " -%s", (char *)conf->never.at[i]);
    const char *key = arena_string(k->a, text_str(&t));
    text_free(&t);
    return key;
}

bool known_find(struct known *k, const char *key, struct traits *t, struct cc_pool *pool)
{
    const json_t *row = key ? json_object_get(k->root, key) : NULL;
    if (!row)
        return false;
    *t = (struct traits){
        .compiles = true,
        .target = lang_target_named(record_text(row, "target")),
        .unlike = arena_string(k->a, record_text(row, "unlike")),
        .family = arena_string(k->a, record_text(row, "family")),
        .version = arena_string(k->a, record_text(row, "version")),
        .extra = arena_string(k->a, record_text(row, "extra")),
        .features = (uint64_t)json_integer_value(json_object_get(row, "features")),
        .own_features = (uint64_t)json_integer_value(json_object_get(row, "own_features")),
        .own = json_is_true(json_object_get(row, "own"))};
    t->known = cc_family_of(record_text(row, "cc_family"), &t->cc_family);
    plan_pool_from_json(k->a, json_object_get(row, "pool"), pool);
    return true;
}

void known_add(struct known *k, const char *key, const struct traits *t, const struct cc_pool *pool)
{
    if (!key || !t->compiles)
        return;
    json_t *row = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:s, s:b, s:o}", "target", plan_target_name(t->target),
        "unlike", t->unlike ? t->unlike : "", "family", t->family, "version", t->version, "extra",
        t->extra, "features", (json_int_t)t->features, "own_features", (json_int_t)t->own_features,
        "cc_family", t->known ? cc_family_name(t->cc_family) : "", "own", t->own, "pool",
        plan_pool_to_json(pool));
    json_object_set_new(k->root, key, row);
    k->changed = true;
}

/* ---- what paid ----------------------------------------------------------------------- */

/* The families that are hunted, in order: what pays for one pays little for another. */
static const char *families_of(struct arena *a, const struct plan *p)
{
    struct list names = {0};
    struct text t = {0};
    for (size_t i = 0; i < p->n; i++) {
        size_t k = 0;
        while (k < names.n && strcmp(names.at[k], p->configs[i].family) < 0)
            k++;
        if (k < names.n && strcmp(names.at[k], p->configs[i].family) == 0)
            continue;
        list_add(a, &names, NULL);
        memmove(names.at + k + 1, names.at + k, (names.n - 1 - k) * sizeof *names.at);
        names.at[k] = (char *)p->configs[i].family;
    }
    for (size_t i = 0; i < names.n; i++)
        text_printf(&t, "%s%s", i ? " " : "", (char *)names.at[i]);
    const char *all = arena_string(a, text_str(&t));
    text_free(&t);
    return all;
}

/* Expected before anything was tried, and so many CPU seconds worth of it. */
static const double trust_in_table = 600;
/* CPU seconds after which what was seen counts half. */
static const double half_life = 4 * 3600;

void yields_expect(const struct plan *p, struct choices *c)
{
    struct arena a = {0};
    const char *path;
    json_t *root = load(&a, "yields.json", &path);
    const json_t *seen = json_object_get(root, families_of(&a, p));
    for (size_t i = 0; i < AXIS_COUNT; i++)
        for (size_t k = 0; k < c->axes[i].n; k++) {
            struct store_arm *arm = &c->axes[i].at[k];
            double cpu = 0, findings = 0;
            json_unpack(json_object_get(seen, arm->name), "[F, F]", &cpu, &findings);
            if (!(cpu > 0) || !(findings >= 0))
                continue;
            arm->prior = (arm->prior * trust_in_table + findings * 3600) / (trust_in_table + cpu);
        }
    json_decref(root);
    arena_free(&a);
}

void yields_learn(const struct plan *p, const struct choices *before, const struct choices *after)
{
    struct arena a = {0};
    const char *path, *families = families_of(&a, p);
    json_t *root = load(&a, "yields.json", &path);
    json_t *seen = json_object_get(root, families);
    if (!json_is_object(seen))
        json_object_set_new(root, families, seen = json_object());
    for (size_t i = 0; i < AXIS_COUNT; i++)
        for (size_t k = 0; k < after->axes[i].n; k++) {
            const struct store_arm *was = &before->axes[i].at[k], *is = &after->axes[i].at[k];
            double cpu = 0, findings = 0;
            double spent = is->job_cpu + is->own_cpu - was->job_cpu - was->own_cpu;
            json_unpack(json_object_get(seen, is->name), "[F, F]", &cpu, &findings);
            double fade = exp2(-spent / half_life);
            json_object_set_new(
                seen, is->name,
                json_pack("[f, f]", cpu * fade + spent,
                          findings * fade + (double)(is->findings - was->findings)));
        }
    save(root, path);
    json_decref(root);
    arena_free(&a);
}
