/* A campaign moves: from a folder to a database, back, or to another of its kind.  Nobody may hunt
 * in either meanwhile.  Takes everything that was found and tested; leaves the original as it is.
 */
#include "hunt/private.h"

#include <unistd.h>

/* One end of it. */
struct end {
    struct arena arena;
    struct site site;
    struct store *store;
    int lock;
};

/* A folder is ours while its lock is; a database, when no node of it lives. */
static bool is_quiet(struct end *x, struct err *e)
{
    struct store_node *nodes;
    struct conf conf;
    size_t n;
    if (x->site.dir)
        return true;
    if (!site_read_conf(&x->arena, &x->site, x->store, &conf, e) ||
        !store_nodes(x->store, &x->arena, &nodes, &n, e))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!nodes[i].left && nodes[i].silence <= conf.lease)
            return fail(e, "%s is being hunted in by %s: stop that first", x->site.name,
                        nodes[i].host);
    return true;
}

static bool lock_folder(struct end *x, struct err *e)
{
    struct err why;
    if (!x->site.dir)
        return true;
    x->lock = sys_lock_file(site_path(&x->arena, &x->site, "lock"), &why);
    return x->lock >= 0 || fail(e, "%s: is a cupel hunt busy there?", why.msg);
}

static bool open_source(struct end *x, const char *name, struct err *e)
{
    x->site = site_of(&x->arena, name);
    return (x->store = site_open(&x->site, STORE_WRITE, NULL, e)) != NULL && lock_folder(x, e) &&
           is_quiet(x, e);
}

static bool open_target(struct end *x, const char *name, struct err *e)
{
    x->site = site_of(&x->arena, name);
    return (!x->site.dir || sys_make_dirs(x->site.dir, e)) && lock_folder(x, e) &&
           (x->store = store_open(x->site.store, STORE_WRITE, NULL, e)) != NULL;
}

static void close_end(struct end *x)
{
    store_close(x->store);
    if (x->lock >= 0)
        close(x->lock);
    arena_free(&x->arena);
}

/* As its owner wrote it, comments included. */
static bool copy_conf(struct end *from, struct end *to, struct err *e)
{
    const char *text = site_conf_text(&from->arena, &from->site, from->store, e);
    return text && site_set_conf_text(&to->site, to->store, text, e);
}

/* A folder's lie in it; a database's were copied with its tables. */
static bool copy_seeds(struct end *from, struct end *to, struct err *e)
{
    const char *folder = from->site.dir ? site_path(&from->arena, &from->site, "seeds") : NULL;
    size_t n;
    if (folder)
        return access(folder, R_OK) != 0 || seeds_bring(&to->site, to->store, folder, e);
    return !to->site.dir ||
           seeds_lay_out(to->store, site_path(&to->arena, &to->site, "seeds"), &n, e);
}

static bool lay_out(struct end *to, struct err *e)
{
    struct store_finding *rows;
    size_t n;
    if (!to->site.dir)
        return true;
    if (!store_findings(to->store, &to->arena, STORE_WHOLE, &rows, &n, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        struct finding f;
        if (row_read(&to->arena, &rows[i], &f) && f.claim.verdict != VERDICT_NONE &&
            !folder_write(to->site.dir, &f, e))
            return false;
    }
    return true;
}

bool hunt_copy(const char *from, const char *to, struct err *e)
{
    struct end source = {.lock = -1}, target = {.lock = -1};
    bool ok = open_source(&source, from, e) && open_target(&target, to, e) &&
              store_copy(source.store, target.store, e) && copy_conf(&source, &target, e) &&
              copy_seeds(&source, &target, e) && lay_out(&target, e);
    close_end(&target);
    close_end(&source);
    return ok;
}
