/* Discovery: every C compiler on PATH, each once.  Candidates by name, then links to one file
 * merged, then wrappers and drivers of one compiler merged by what they say of themselves, then
 * what is new probed. */
#include "cc/probe.h"

#include <ctype.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool prefixed;
} families[CC_FAMILY_COUNT] = {
#define FAMILY(id, stem, prefixed, all_levels, turns) [CC_FAMILY_##id] = {stem, prefixed},
#include "cc/family.def"
};

const char *cc_family_name(enum cc_family family)
{
    return families[family].name;
}

struct candidate {
    struct cc cc;
    const char *real;     /* links followed */
    const char *identity; /* what it says it is */
    struct list aliases;
    bool merged; /* into another one */
    bool late;   /* there was no time to look at it */
};

/* ---- names --------------------------------------------------------------------------- */

/* Length of the name without a version behind it: gcc-12, clang-16.0. */
static size_t length_without_version(const char *name)
{
    size_t n = strlen(name);
    while (n && (isdigit((unsigned char)name[n - 1]) || name[n - 1] == '.'))
        n--;
    return n > 1 && name[n] && name[n - 1] == '-' ? n - 1 : strlen(name);
}

static bool family_of(const char *name, enum cc_family *family)
{
    size_t n = length_without_version(name);
    const char *target = strstr(name, "-linux-gnu");
    const char *dash = target ? strchr(target + 1, '-') : NULL; /* the one before gnu */
    dash = dash ? strchr(dash + 1, '-') : NULL;                 /* the one behind it */
    const char *stem = dash && dash < name + n ? dash + 1 : name;
    for (size_t f = 0; f < CC_FAMILY_COUNT; f++) {
        size_t k = strlen(families[f].name);
        if ((size_t)(name + n - stem) == k && strncmp(stem, families[f].name, k) == 0 &&
            (stem == name || families[f].prefixed)) {
            *family = (enum cc_family)f;
            return true;
        }
    }
    return false;
}

bool cc_family_of(const char *command, enum cc_family *family)
{
    const char *slash = strrchr(command, '/');
    return family_of(slash ? slash + 1 : command, family);
}

/* Which of two names of one compiler to show: without a target, with a version, shorter. */
static int name_rank(const char *name)
{
    bool prefixed = strstr(name, "-linux-gnu") != NULL;
    bool versioned = name[length_without_version(name)] != '\0';
    return (prefixed ? 1000 : 0) + (versioned ? 0 : 500) + (int)strlen(name);
}

static int compare_names(const void *a, const void *b)
{
    const struct candidate *x = *(struct candidate *const *)a, *y = *(struct candidate *const *)b;
    bool px = strstr(x->cc.name, "-linux-gnu"), py = strstr(y->cc.name, "-linux-gnu");
    if (px != py)
        return px - py;
    if (x->cc.family != y->cc.family)
        return (int)x->cc.family - (int)y->cc.family;
    return strverscmp(x->cc.name, y->cc.name);
}

/* ---- candidates ---------------------------------------------------------------------- */

static void add_candidate(struct arena *a, struct map *by_real, struct list *all, const char *name)
{
    enum cc_family family;
    if (!family_of(name, &family))
        return;
    char *path = sys_find_program(a, name); /* the first on PATH, as the shell would */
    char *real = path ? sys_real_path(a, path) : NULL;
    if (!real)
        return;
    struct candidate *c = map_get(by_real, real);
    /* links to a program that looks at its own name (ccache) are not one compiler */
    bool own_name = c && families[c->cc.family].name != families[family].name;
    if (!c || own_name) {
        c = NEW(a, struct candidate);
        c->cc.family = family;
        c->cc.name = arena_string(a, name);
        c->cc.path = path;
        c->real = real;
        map_set(a, by_real, real, c);
        list_add(a, all, c);
        return;
    }
    const char *other = arena_string(a, name);
    if (strcmp(other, c->cc.name) == 0)
        return;
    if (name_rank(other) < name_rank(c->cc.name)) {
        const char *worse = c->cc.name;
        c->cc.name = other;
        c->cc.path = path;
        other = worse;
    }
    list_add(a, &c->aliases, (char *)other);
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in one folder, sorted, so that the result does not depend on the file system. */
static void scan_folder(struct arena *a, const char *folder, struct map *names, struct list *out)
{
    enum cc_family family;
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (family_of(entry->d_name, &family) && !map_get(names, entry->d_name)) {
            map_set(a, names, entry->d_name, out);
            list_add(a, out, arena_string(a, entry->d_name));
        }
    closedir(dir);
}

static void find_candidates(struct arena *a, struct list *all)
{
    struct map names = {0}, by_real = {0};
    struct list found = {0};
    const char *path = getenv("PATH");
    for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        scan_folder(a, arena_copy(a, p, n), &names, &found);
        p += n + (p[n] == ':');
    }
    if (found.n)
        qsort(found.at, found.n, sizeof *found.at, compare_strings);
    for (size_t i = 0; i < found.n; i++)
        add_candidate(a, &by_real, all, found.at[i]);
}

/* ---- merging and probing ------------------------------------------------------------- */

struct discovery {
    struct cc_labs *labs;
    const struct cc_discovery *how;
    struct arena *arenas; /* one per lab; what they hold is copied at the end */
    struct candidate **all;
    size_t n;
    struct cache cache;
    pthread_mutex_t lock;     /* of the cache */
    atomic_size_t done, late; /* late: left out for want of time */
    atomic_bool failed;
    struct err err;
};

static bool is_late(const struct discovery *d)
{
    return d->how->until > 0 && sys_now() > d->how->until;
}

/* Starts the identity of a command that does not answer: nothing is asked of it any more. */
static const char mute[] = "mute ";

static void identify(void *context, size_t item, unsigned worker)
{
    struct discovery *d = context;
    struct candidate *c = d->all[item];
    struct arena *a = &d->arenas[worker];
    const char *stamp = sys_file_stamp(a, c->real);
    stamp = arena_printf(a, "%s %s", c->cc.path, stamp ? stamp : "-");
    pthread_mutex_lock(&d->lock);
    if (!d->how->refresh)
        c->identity = cache_find_identity(&d->cache, a, stamp);
    pthread_mutex_unlock(&d->lock);
    if (c->identity)
        return;
    if (is_late(d)) { /* like no other, and known nowhere */
        c->identity = c->cc.path;
        return;
    }
    c->identity = probe_identity(&d->labs->at[worker], a, &c->cc);
    if (!c->identity)
        c->identity = arena_printf(a, "%s%s", mute, c->cc.path);
    pthread_mutex_lock(&d->lock);
    cache_add_identity(&d->cache, stamp, c->identity);
    pthread_mutex_unlock(&d->lock);
}

/* Into the one with the better name. */
static void merge(struct arena *a, struct candidate *into, struct candidate *from)
{
    if (name_rank(from->cc.name) < name_rank(into->cc.name)) {
        const char *name = into->cc.name;
        into->cc.name = from->cc.name;
        into->cc.path = from->cc.path;
        from->cc.name = name;
    }
    list_add(a, &into->aliases, (char *)from->cc.name);
    for (size_t i = 0; i < from->aliases.n; i++)
        list_add(a, &into->aliases, from->aliases.at[i]);
    from->merged = true;
}

static void merge_equal(struct arena *a, struct discovery *d)
{
    struct map by_identity = {0};
    size_t kept = 0;
    for (size_t i = 0; i < d->n; i++) {
        struct candidate *c = d->all[i];
        struct candidate *same = map_get(&by_identity, c->identity);
        if (same)
            merge(a, same, c);
        else
            map_set(a, &by_identity, c->identity, c);
        if (!c->merged)
            d->all[kept++] = c;
    }
    d->n = kept;
}

/* Changes when the compiler, its compiler proper and libraries, or its emulator change. */
static const char *stamp_of(struct arena *a, const struct candidate *c)
{
    struct text t = {0};
    const char *proper = arena_copy(a, c->identity, strcspn(c->identity, " "));
    const char *slash = strrchr(proper, '/');
    const char *folder = slash ? arena_copy(a, proper, (size_t)(slash - proper)) : "";
    const char *emulator = machine_emulator_of(a, c->cc.name);
    const char *tool = arena_copy(a, emulator, strcspn(emulator, " "));
    const char *found = *tool ? sys_find_program(a, tool) : NULL;
    const char *const files[] = {c->real, proper, folder, arena_printf(a, "%s/lib/linux", proper),
                                 found ? found : ""};
    text_printf(&t, "%s", c->cc.path);
    for (size_t i = 0; i < LENGTH(files); i++) {
        const char *stamp = *files[i] ? sys_file_stamp(a, files[i]) : NULL;
        text_printf(&t, " %s", stamp ? stamp : "-");
    }
    const char *copy = arena_string(a, t.s);
    text_free(&t);
    return copy;
}

static void probe(void *context, size_t item, unsigned worker)
{
    struct discovery *d = context;
    struct candidate *c = d->all[item];
    struct arena *a = &d->arenas[worker];
    struct err e;
    const char *stamp = stamp_of(a, c);
    pthread_mutex_lock(&d->lock);
    bool known = !d->how->refresh && cache_find(&d->cache, a, stamp, &c->cc);
    pthread_mutex_unlock(&d->lock);
    if (!known && str_has_prefix(c->identity, mute)) {
        static char *const no_levels[] = {NULL};
        c->cc.version = c->cc.banner = c->cc.target = "unknown";
        c->cc.emulator = "";
        c->cc.levels = no_levels;
    } else if (!known && is_late(d)) {
        c->late = true;
        d->late++;
    } else if (!known) {
        probe_names(&d->labs->at[worker], a, &c->cc);
        bool ok = probe_abilities(&d->labs->at[worker], a, &c->cc, &e);
        pthread_mutex_lock(&d->lock);
        if (ok)
            cache_add(&d->cache, stamp, &c->cc);
        else
            d->err = e;
        pthread_mutex_unlock(&d->lock);
        if (!ok)
            d->failed = true;
    }
    size_t done = atomic_fetch_add(&d->done, 1) + 1;
    if (d->how->progress)
        d->how->progress(d->how->context, done, d->n);
}

static char **copy_strings(struct arena *a, char *const *strings, size_t n)
{
    char **copy = NEW_ARRAY(a, n + 1, char *);
    for (size_t i = 0; i < n; i++)
        copy[i] = arena_string(a, strings[i]);
    return copy;
}

static void copy_out(struct arena *a, const struct candidate *c, struct cc *out)
{
    size_t levels = 0;
    while (c->cc.levels[levels])
        levels++;
    *out = c->cc;
    out->version = arena_string(a, c->cc.version);
    out->banner = arena_string(a, c->cc.banner);
    out->target = arena_string(a, c->cc.target);
    out->emulator = arena_string(a, c->cc.emulator);
    out->levels = copy_strings(a, c->cc.levels, levels);
    out->aliases = copy_strings(a, (char **)c->aliases.at, c->aliases.n);
}

static void drop_late(struct discovery *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!d->all[i]->late)
            d->all[kept++] = d->all[i];
    d->n = kept;
    if (d->late)
        log_note("%zu compilers of this machine are left out: there was no time to look at them",
                 (size_t)d->late);
}

bool cc_discover(struct arena *a, struct cc_labs *labs, const struct cc_discovery *how,
                 struct cc_list *out, struct err *e)
{
    struct list found = {0};
    find_candidates(a, &found);
    struct discovery d = {.labs = labs,
                          .how = how,
                          .arenas = NEW_ARRAY(a, labs->n, struct arena),
                          .all = (struct candidate **)found.at,
                          .n = found.n,
                          .lock = PTHREAD_MUTEX_INITIALIZER};
    cache_load(a, &d.cache);
    sys_parallel(d.n, labs->n, identify, &d);
    if (!sys_cancelled()) {
        merge_equal(a, &d);
        if (d.n) /* the best known first: there may be no time for all */
            qsort(d.all, d.n, sizeof(struct candidate *), compare_names);
        sys_parallel(d.n, labs->n, probe, &d);
        cache_save(&d.cache);
        drop_late(&d);
    }
    bool ok = !d.failed && !sys_cancelled();
    if (ok) {
        *out = (struct cc_list){.at = NEW_ARRAY(a, d.n, struct cc), .n = d.n};
        for (size_t i = 0; i < d.n; i++)
            copy_out(a, d.all[i], &out->at[i]);
    } else {
        fail(e, "%s", sys_cancelled() ? "interrupted" : d.err.msg);
    }
    for (unsigned i = 0; i < labs->n; i++)
        arena_free(&d.arenas[i]);
    return ok;
}
