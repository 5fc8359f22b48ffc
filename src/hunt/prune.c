/* Giving space back: programs of repeats, whose seeds stay, and doubts.  Findings, their files,
 * what was tested and what is known of it are never touched. */
#include "hunt/private.h"

#include <sys/stat.h>
#include <unistd.h>

static uint64_t size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* Each doubt is a folder of files. */
static uint64_t measure_doubts(struct arena *a, const char *doubts, uint64_t *bytes)
{
    struct list folders = {0};
    *bytes = 0;
    sys_list_folder(a, doubts, &folders, NULL); /* none is none */
    for (size_t i = 0; i < folders.n; i++) {
        struct list files = {0};
        const char *folder = arena_printf(a, "%s/%s", doubts, (char *)folders.at[i]);
        sys_list_folder(a, folder, &files, NULL);
        for (size_t k = 0; k < files.n; k++)
            *bytes += size_of(arena_printf(a, "%s/%s", folder, (char *)files.at[k]));
    }
    return folders.n;
}

/* A folder is locked while somebody hunts there; a database looks after itself. */
static bool prune(struct arena *a, const struct site *site, bool dry, struct hunt_pruned *out,
                  struct err *e)
{
    const char *doubts = site->dir ? site_path(a, site, "doubts") : NULL;
    struct err why;
    const char *path = site->dir ? site_path(a, site, "lock") : NULL;
    int lock = path ? sys_lock_file(path, &why) : -1;
    if (path && lock < 0)
        return sys_is_locked(path)
                   ? fail(e, "%s: somebody hunts there: stop that first", site->name)
                   : fail(e, "%s", why.msg);
    struct store *s = site_open(site, STORE_WRITE, NULL, e);
    bool ok = s && store_measure_texts(s, &out->text_bytes, e);
    if (ok && doubts)
        out->doubts = measure_doubts(a, doubts, &out->doubt_bytes);
    if (ok && !dry)
        ok = store_drop_texts(s, e) && (!out->doubts || sys_remove_tree(doubts, e));
    store_close(s);
    if (lock >= 0)
        close(lock);
    return ok;
}

bool hunt_prune(const char *dir, bool dry, struct hunt_pruned *out, struct err *e)
{
    struct arena a = {0};
    struct site site = site_of(&a, dir);
    *out = (struct hunt_pruned){0};
    bool ok = (!site.dir || access(site_path(&a, &site, "cupel.conf"), R_OK) == 0 ||
               fail(e, "%s is no campaign: `cupel hunt %s` begins one", dir, dir)) &&
              prune(&a, &site, dry, out, e);
    arena_free(&a);
    return ok;
}
