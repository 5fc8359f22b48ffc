/* The programs that people bring for mode seeds: a folder of C files with their headers.  In a
 * campaign's folder they lie in DIR/seeds; a database keeps them, and every node lays them out for
 * itself.  Takes text files only, and writes nothing outside the folder that it is given. */
#include "hunt/private.h"

#include <string.h>
#include <sys/stat.h>

enum { MOST_DEPTH = 8, MOST_FILES = 20000, MOST_BYTES = 8 << 20 };

/* ---- from a folder ----------------------------------------------------------------------- */

struct pile {
    struct arena *arena;
    struct list seeds; /* struct store_seed */
};

/* Pictures, objects and the like are nobody's program. */
static bool is_text(const struct text *t)
{
    return !memchr(text_str(t), '\0', t->n);
}

static bool take_file(struct pile *p, const char *path, const char *name, struct err *e)
{
    struct text text = {0};
    struct store_seed *seed = NEW(p->arena, struct store_seed);
    bool ok = sys_read_file(path, MOST_BYTES, &text, e);
    if (ok && is_text(&text)) {
        *seed = (struct store_seed){arena_string(p->arena, name),
                                    arena_copy(p->arena, text_str(&text), text.n)};
        list_add(p->arena, &p->seeds, seed);
    }
    text_free(&text);
    return ok && (p->seeds.n <= MOST_FILES ||
                  fail(e, "more than %d files of seeds: take a smaller folder", MOST_FILES));
}

/* prefix: the folder's path in the pile, with a slash, or "". */
static bool take_folder(struct pile *p, const char *folder, const char *prefix, unsigned depth,
                        struct err *e)
{
    struct list names = {0};
    if (depth > MOST_DEPTH)
        return fail(e, "%s: too many folders in folders", folder);
    if (!sys_list_folder(p->arena, folder, &names, e))
        return false;
    for (size_t i = 0; i < names.n; i++) {
        const char *path = arena_printf(p->arena, "%s/%s", folder, (char *)names.at[i]);
        const char *name = arena_printf(p->arena, "%s%s", prefix, (char *)names.at[i]);
        struct stat st;
        if (stat(path, &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode)
                ? !take_folder(p, path, arena_printf(p->arena, "%s/", name), depth + 1, e)
                : S_ISREG(st.st_mode) && !take_file(p, path, name, e))
            return false;
    }
    return true;
}

static bool has_program(const struct list *seeds)
{
    for (size_t i = 0; i < seeds->n; i++) {
        const struct store_seed *s = seeds->at[i];
        if (!strchr(s->path, '/') && str_has_suffix(s->path, ".c"))
            return true;
    }
    return false;
}

/* ---- into a folder ----------------------------------------------------------------------- */

/* What a database says is not trusted with paths. */
static bool is_inside(const char *path)
{
    for (const char *at = path; *at; at += strspn(at, "/")) {
        size_t n = strcspn(at, "/");
        if (!n || (n <= 2 && strspn(at, ".") >= n))
            return false;
        at += n;
    }
    return *path != '\0';
}

static bool lay_out(const char *folder, const struct store_seed *seed, struct err *e)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/%s", folder, seed->path);
    const char *slash = strrchr(path, '/');
    bool ok = (is_inside(seed->path) ||
               fail(e, "a seed of the campaign is called '%s'", seed->path)) &&
              sys_make_dirs(arena_copy(&a, path, (size_t)(slash - path)), e) &&
              sys_write_file(path, seed->content, strlen(seed->content), e);
    arena_free(&a);
    return ok;
}

bool seeds_lay_out(struct store *s, const char *folder, size_t *n, struct err *e)
{
    struct arena a = {0};
    struct store_seed *seeds;
    bool ok = store_seeds(s, &a, &seeds, n, e);
    for (size_t i = 0; ok && i < *n; i++)
        ok = lay_out(folder, &seeds[i], e);
    arena_free(&a);
    return ok;
}

/* ---- into a campaign --------------------------------------------------------------------- */

/* Nodes notice that they are others by their hash. */
static bool keep(struct arena *a, struct store *s, const struct list *all, struct err *e)
{
    struct store_seed *seeds = NEW_ARRAY(a, all->n, struct store_seed);
    uint64_t hash = 0;
    for (size_t i = 0; i < all->n; i++) {
        seeds[i] = *(struct store_seed *)all->at[i];
        hash = hash_pair(hash,
                         hash_pair(hash_string(seeds[i].path), hash_string(seeds[i].content)));
    }
    return store_set_seeds(s, seeds, all->n, e) &&
           store_set(s, "seeds", arena_printf(a, "%016llx", (unsigned long long)hash), e);
}

bool seeds_bring(const struct site *site, struct store *s, const char *folder, struct err *e)
{
    struct arena a = {0};
    struct pile p = {.arena = &a};
    bool ok = take_folder(&p, folder, "", 0, e) &&
              (has_program(&p.seeds) || fail(e, "there is no C file in %s", folder));
    if (ok && !site->dir)
        ok = keep(&a, s, &p.seeds, e);
    for (size_t i = 0; ok && site->dir && i < p.seeds.n; i++)
        ok = lay_out(site_path(&a, site, "seeds"), p.seeds.at[i], e);
    arena_free(&a);
    return ok;
}
