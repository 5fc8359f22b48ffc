/* Reading a campaign that somebody else may be writing at this moment. */
#include "hunt/private.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool read_is_campaign(const char *dir, struct err *e)
{
    char path[600];
    snprintf(path, sizeof path, "%s/cupel.conf", dir);
    return access(path, R_OK) == 0 ||
           fail(e, "%s is no campaign: `cupel hunt %s` begins one", dir, dir);
}

static void read_mutes(struct arena *a, const char *dir, struct conf *conf)
{
    *conf = conf_default();
    /* a conf that cannot be read mutes nothing */
    if (!conf_read(a, arena_printf(a, "%s/cupel.conf", dir), conf, NULL))
        *conf = conf_default();
}

/* ---- the store ----------------------------------------------------------------------- */

static void add_row(struct arena *a, const struct store_finding *row, const struct conf *conf,
                    bool muted, struct hunt_findings *out)
{
    struct finding *f = &out->at[out->n];
    if (!finding_from_text(a, row->detail, f))
        return;
    f->id = row->id;
    f->claim.key = row->key;
    f->count = row->count;
    f->first = row->first;
    f->last = row->last;
    f->same_as = row->same_as;
    f->bug = row->bug;
    f->muted = conf_is_muted(conf, row->key) || f->claim.verdict == VERDICT_NONE;
    out->n += muted || !f->muted;
}

static struct finding *find_by_id(const struct hunt_findings *all, uint64_t id)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].id == id)
            return &all->at[i];
    return NULL;
}

static uint64_t rows_count(const struct store_finding *rows, size_t n, uint64_t id)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i].id == id)
            return rows[i].count;
    return 0;
}

/* What stands for others counts what they count; those are left out unless all are wanted. */
static void gather_bugs(const struct store_finding *rows, size_t n, bool all,
                        struct hunt_findings *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < out->n; i++) {
        struct finding *f = &out->at[i], *root;
        uint64_t id = bug_root(rows, n, f->id);
        f->same_as = id == f->id ? 0 : id;
        if (!f->same_as || !(root = find_by_id(out, id)))
            continue;
        root->count += rows_count(rows, n, f->id);
        root->merged++;
        root->last = f->last > root->last ? f->last : root->last;
    }
    for (size_t i = 0; i < out->n; i++)
        if (all || !out->at[i].same_as)
            out->at[kept++] = out->at[i];
    out->n = kept;
}

static bool list_store(struct arena *a, const char *dir, bool muted, struct hunt_findings *out,
                       enum store_trouble *trouble, struct err *e)
{
    struct conf conf;
    struct store_finding *rows;
    size_t n = 0;
    struct store *store = store_open(arena_printf(a, "%s/cupel.db", dir), STORE_READ, trouble, e);
    if (!store)
        return false;
    bool ok = store_findings(store, a, &rows, &n, e);
    if (!ok)
        *trouble = store_trouble(store);
    store_close(store);
    read_mutes(a, dir, &conf);
    *out = (struct hunt_findings){.at = NEW_ARRAY(a, n, struct finding)};
    for (size_t i = 0; ok && i < n; i++)
        add_row(a, &rows[i], &conf, muted, out);
    if (ok)
        gather_bugs(rows, n, muted, out);
    return ok;
}

/* ---- the folders --------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
    unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;
    return x < y ? -1 : x > y;
}

/* Numbers of the folders in findings/, sorted. */
static size_t list_ids(struct arena *a, const char *dir, unsigned long long **out)
{
    DIR *d = opendir(arena_printf(a, "%s/findings", dir));
    unsigned long long *ids = NULL;
    size_t n = 0, room = 0;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        if (n == room) {
            room = room ? 2 * room : 64;
            ids = arena_grow(a, ids, n, room, sizeof *ids);
        }
        if (sscanf(entry->d_name, "%llu", &ids[n]) == 1)
            n++;
    }
    if (d)
        closedir(d);
    if (n)
        qsort(ids, n, sizeof *ids, compare_ids);
    *out = ids;
    return n;
}

/* What is left of a campaign without its store. */
static void list_folders(struct arena *a, const char *dir, struct hunt_findings *out)
{
    unsigned long long *ids;
    size_t n = list_ids(a, dir, &ids);
    *out = (struct hunt_findings){.at = NEW_ARRAY(a, n, struct finding)};
    for (size_t i = 0; i < n; i++) {
        json_t *j = json_load_file(arena_printf(a, "%s/findings/%llu/finding.json", dir, ids[i]),
                                   JSON_ALLOW_NUL, NULL);
        out->n += finding_from_json(a, j, &out->at[out->n]);
        json_decref(j);
    }
}

bool hunt_list(struct arena *a, const char *dir, bool muted, struct hunt_findings *out,
               struct err *e)
{
    enum store_trouble trouble = STORE_UNUSABLE;
    *out = (struct hunt_findings){0};
    if (!read_is_campaign(dir, e))
        return false;
    if (list_store(a, dir, muted, out, &trouble, e))
        return true;
    if (trouble != STORE_DAMAGED)
        return false;
    list_folders(a, dir, out);
    out->note = arena_string(a, e->msg);
    return out->n > 0; /* e says that it is damaged */
}

bool hunt_finding(struct arena *a, const char *dir, uint64_t id, struct finding *out, struct err *e)
{
    struct hunt_findings all;
    if (!hunt_list(a, dir, true, &all, e))
        return false;
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].id == id) {
            *out = all.at[i];
            return true;
        }
    return fail(e, "%s has no finding %llu: see cupel list %s", dir, (unsigned long long)id, dir);
}

/* ---- status -------------------------------------------------------------------------- */

static bool add_tasks(struct arena *a, struct store *store, struct hunt_status *out, struct err *e)
{
    out->tasks = NEW_ARRAY(a, STRATEGY_COUNT, struct hunt_tasks);
    for (size_t i = 0; i < STRATEGY_COUNT; i++) {
        struct store_tally t;
        struct store_arm s = {.name = strategy_name((enum strategy)i)};
        if (!store_count_tasks(store, s.name, &t, e) || !store_load_arm(store, &s, e))
            return false;
        if (s.next)
            out->tasks[out->task_count++] = (struct hunt_tasks){.strategy = s.name,
                                                                .next = s.next,
                                                                .done = t.done,
                                                                .leased = t.leased,
                                                                .waiting = t.waiting,
                                                                .lost = t.lost,
                                                                .counted = s.programs};
    }
    return true;
}

static bool add_fates(struct arena *a, struct store *store, struct hunt_status *out, struct err *e)
{
    out->fates = NEW_ARRAY(a, STRATEGY_COUNT, struct hunt_fates);
    for (size_t i = 0; i < STRATEGY_COUNT; i++) {
        struct hunt_fates *f = &out->fates[out->fate_count];
        if (!fate_read(store, strategy_name((enum strategy)i), f, e))
            return false;
        out->fate_count += f->all > 0;
    }
    return true;
}

/* What the store has of it; a campaign without a store that can be read has no status either. */
static bool add_stored(struct arena *a, const char *dir, struct hunt_status *out, struct err *e)
{
    struct store *store = store_open(arena_printf(a, "%s/cupel.db", dir), STORE_READ, NULL, e);
    bool ok = store && add_tasks(a, store, out, e) && add_fates(a, store, out, e);
    store_close(store);
    return ok;
}

bool hunt_status(struct arena *a, const char *dir, struct hunt_status *out, struct err *e)
{
    if (!read_is_campaign(dir, e))
        return false;
    json_t *j = json_load_file(arena_printf(a, "%s/status.json", dir), 0, NULL);
    if (!j)
        return fail(e, "%s has not hunted yet", dir);
    status_from_json(a, j, out);
    json_decref(j);
    /* somebody hunts there as long as the lock is held */
    out->state = sys_is_locked(arena_printf(a, "%s/lock", dir)) ? HUNT_HUNTING : HUNT_STOPPED;
    return add_stored(a, dir, out, e);
}
