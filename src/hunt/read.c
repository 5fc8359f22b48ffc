/* Reading a campaign that somebody else may be writing at this moment. */
#include "hunt/private.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void read_mutes(struct arena *a, const struct site *site, struct store *store,
                       struct conf *conf)
{
    /* a conf that cannot be read mutes nothing */
    if (!site_read_conf(a, site, store, conf, NULL))
        *conf = conf_default();
}

/* ---- the store ----------------------------------------------------------------------- */

static void add_row(struct arena *a, const struct store_finding *row, const struct conf *conf,
                    enum hunt_scope scope, struct hunt_findings *out)
{
    struct finding *f = &out->at[out->n];
    if (!row_read(a, row, f))
        return;
    f->muted = conf_is_muted(conf, row->key) || f->claim.verdict == VERDICT_NONE;
    out->n += (scope & HUNT_ALL) || !f->muted;
}

/* They are in the order of their ids. */
static struct finding *find_by_id(const struct hunt_findings *all, uint64_t id)
{
    size_t low = 0, high = all->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->at[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < all->n && all->at[low].id == id ? &all->at[low] : NULL;
}

/* What stands for others counts what they count; those are left out unless all are wanted. */
static void gather_bugs(const struct store_finding *rows, size_t n, enum hunt_scope scope,
                        struct hunt_findings *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < out->n; i++) {
        struct finding *f = &out->at[i], *root;
        uint64_t id = bug_root(rows, n, f->id);
        f->same_as = id == f->id ? 0 : id;
        if (!f->same_as || !(root = find_by_id(out, id)))
            continue;
        root->count += bug_row(rows, n, f->id)->count;
        root->merged++;
        root->last = f->last > root->last ? f->last : root->last;
    }
    for (size_t i = 0; i < out->n; i++)
        if ((scope & HUNT_ALL) || !out->at[i].same_as)
            out->at[kept++] = out->at[i];
    out->n = kept;
}

static bool list_store(struct arena *a, const struct site *site, struct store *store,
                       enum hunt_scope scope, struct hunt_findings *out, struct err *e)
{
    struct conf conf;
    struct store_finding *rows;
    size_t n = 0;
    enum store_extent extent = scope & HUNT_WHOLE   ? STORE_WHOLE
                               : scope & HUNT_LINES ? STORE_LINE
                                                    : STORE_BRIEF;
    if (!store_findings(store, a, extent, &rows, &n, e))
        return false;
    read_mutes(a, site, store, &conf);
    *out = (struct hunt_findings){.at = NEW_ARRAY(a, n, struct finding)};
    for (size_t i = 0; i < n; i++)
        add_row(a, &rows[i], &conf, scope, out);
    gather_bugs(rows, n, scope, out);
    return true;
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

/* Has the store lost what the folders show?  While somebody hunts there, a folder may be written
 * a moment before its row. */
static bool is_emptied(struct arena *a, const struct site *site, struct store *store)
{
    struct store_finding *rows;
    unsigned long long *ids;
    size_t n = 0;
    return site->dir && !sys_is_locked(site_path(a, site, "lock")) &&
           list_ids(a, site->dir, &ids) && store_findings(store, a, STORE_BRIEF, &rows, &n, NULL) &&
           n == 0;
}

/* What could be read; a store that is damaged leaves the folders. */
static bool list_or_salvage(struct arena *a, const struct site *site, enum hunt_scope scope,
                            struct hunt_findings *out, struct err *e)
{
    enum store_trouble trouble;
    struct store *store = site_open(site, STORE_READ, &trouble, e);
    bool ok = store && list_store(a, site, store, scope, out, e);
    if (store && !ok)
        trouble = store_trouble(store);
    if (ok && !out->n && is_emptied(a, site, store)) {
        ok = fail(e, "%s is damaged: it has lost what its findings folder holds", site->dir);
        trouble = STORE_DAMAGED;
    }
    store_close(store);
    if (ok || trouble != STORE_DAMAGED)
        return ok;
    list_folders(a, site->dir, out);
    out->note = arena_string(a, e->msg);
    return out->n > 0; /* e says that it is damaged */
}

bool hunt_list(struct arena *a, const char *dir, enum hunt_scope scope, struct hunt_findings *out,
               struct err *e)
{
    struct site site = site_of(a, dir);
    *out = (struct hunt_findings){0};
    return list_or_salvage(a, &site, scope, out, e);
}

/* What only a list knows of the brief one goes to the whole one. */
static bool read_whole(struct arena *a, const struct site *site, const struct finding *brief,
                       struct finding *out, struct err *e)
{
    struct store_finding row;
    bool found = false;
    struct store *store = site_open(site, STORE_READ, NULL, e);
    bool ok = store && store_finding(store, a, brief->id, &row, &found, e);
    store_close(store);
    if (!ok || !found || !row_read(a, &row, out))
        return ok && fail(e, "finding %llu cannot be read", (unsigned long long)brief->id);
    out->count = brief->count;
    out->last = brief->last;
    out->same_as = brief->same_as;
    out->merged = brief->merged;
    out->muted = brief->muted;
    return true;
}

bool hunt_finding(struct arena *a, const char *dir, uint64_t id, struct finding *out, struct err *e)
{
    struct site site = site_of(a, dir);
    struct hunt_findings all = {0};
    if (!list_or_salvage(a, &site, HUNT_ALL | HUNT_LINES, &all, e))
        return false;
    const struct finding *brief = find_by_id(&all, id);
    if (!brief)
        return fail(e, "%s has no finding %llu: see cupel list %s", site.name,
                    (unsigned long long)id, site.name);
    *out = *brief;
    return all.note || read_whole(a, &site, brief, out, e);
}

/* ---- status -------------------------------------------------------------------------- */

static bool add_tasks(struct arena *a, struct store *store, struct hunt_status *out, struct err *e)
{
    struct store_arm *arms;
    struct store_open *open;
    size_t n, open_count;
    if (!store_arms(store, a, &arms, &n, e) || !store_open_tasks(store, a, &open, &open_count, e))
        return false;
    out->tasks = NEW_ARRAY(a, n, struct hunt_tasks);
    for (size_t i = 0; i < n; i++) {
        if (!arms[i].next)
            continue;
        struct hunt_tasks *t = &out->tasks[out->task_count++];
        *t = (struct hunt_tasks){
            .strategy = arms[i].name, .next = arms[i].next, .counted = arms[i].programs};
        for (size_t k = 0; k < open_count; k++)
            if (strcmp(open[k].strategy, t->strategy) == 0) {
                t->leased = open[k].leased;
                t->waiting = open[k].waiting;
                t->lost = open[k].lost;
            }
        t->done = t->next - t->leased - t->waiting - t->lost;
    }
    return true;
}

static bool add_fates(struct arena *a, struct store *store, struct hunt_status *out, struct err *e)
{
    struct hunt_fates *all = NEW_ARRAY(a, STRATEGY_COUNT, struct hunt_fates);
    if (!fate_read(store, all, e))
        return false;
    out->fates = NEW_ARRAY(a, STRATEGY_COUNT, struct hunt_fates);
    for (size_t i = 0; i < STRATEGY_COUNT; i++)
        if (all[i].all)
            out->fates[out->fate_count++] = all[i];
    return true;
}

static bool count_by(struct arena *a, struct store *store, enum store_group by,
                     struct hunt_count **out, size_t *n, struct err *e)
{
    struct store_count *rows;
    if (!store_count_by(store, a, by, &rows, n, e))
        return false;
    *out = NEW_ARRAY(a, *n, struct hunt_count);
    for (size_t i = 0; i < *n; i++)
        (*out)[i] = (struct hunt_count){rows[i].name, rows[i].n};
    return true;
}

static bool add_counts(struct arena *a, struct store *store, struct hunt_status *out, struct err *e)
{
    struct hunt_timeline *t = &out->timeline;
    return count_by(a, store, STORE_BY_VERDICT, &out->verdicts, &out->verdict_count, e) &&
           store_count_over_time(store, t->counts, LENGTH(t->counts), &t->begin, &t->end, e);
}

/* ---- of several machines ----------------------------------------------------------------- */

static bool add_nodes(struct arena *a, struct store *store, double lease, struct hunt_status *out,
                      struct err *e)
{
    struct store_node *rows;
    size_t n;
    if (!store_nodes(store, a, &rows, &n, e))
        return false;
    out->nodes = NEW_ARRAY(a, n, struct hunt_node);
    out->node_count = n;
    int64_t first = INT64_MAX, last = 0;
    for (size_t i = 0; i < n; i++) {
        const struct store_node *r = &rows[i];
        bool alive = !r->left && r->silence <= lease;
        out->nodes[i] = (struct hunt_node){.name = r->host,
                                           .version = r->version,
                                           .alive = alive,
                                           .jobs = (unsigned)r->jobs,
                                           .programs = r->programs,
                                           .compiles = r->compiles,
                                           .cpu = r->job_cpu + r->own_cpu,
                                           .silence = r->silence};
        out->jobs += alive ? (unsigned)r->jobs : 0;
        out->programs_now += alive ? r->programs : 0;
        out->compiles_now += alive ? r->compiles : 0;
        out->job_cpu += r->job_cpu;
        out->own_cpu += r->own_cpu;
        out->state = alive ? HUNT_HUNTING : out->state;
        first = r->started < first ? r->started : first;
        last = r->beat > last ? r->beat : last;
    }
    out->elapsed = n ? (double)(last - first) : 0;
    return true;
}

/* "profile loops" belongs to the axis of that name; strategies have none before theirs. */
static bool is_of_axis(const char *arm, const char *axis)
{
    return *axis ? str_has_prefix(arm, axis) : !strchr(arm, ' ');
}

static size_t add_arms(struct arena *a, const struct store_arm *all, size_t n, const char *axis,
                       struct hunt_arm **out)
{
    struct store_arm *some = NEW_ARRAY(a, n, struct store_arm);
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (is_of_axis(all[i].name, axis)) {
            some[count] = all[i];
            some[count++].prior = choice_prior(all[i].name);
        }
    *out = choices_show(a, some, count);
    return count;
}

static bool read_arms(struct arena *a, struct store *store, struct hunt_status *out, struct err *e)
{
    struct store_arm *all;
    size_t n;
    if (!store_arms(store, a, &all, &n, e))
        return false;
    out->strategy_count = add_arms(a, all, n, "", &out->strategies);
    out->profile_count = add_arms(a, all, n, "profile ", &out->profiles);
    out->class_count = add_arms(a, all, n, "class ", &out->classes);
    for (size_t i = 0; i < out->strategy_count; i++) {
        out->programs += out->strategies[i].programs;
        out->compiles += out->strategies[i].compiles;
        out->bytes += out->strategies[i].bytes;
    }
    return true;
}

/* What the last run had no use for has no share. */
static void keep_share(struct hunt_arm *arms, size_t n, const struct hunt_arm *last, size_t count)
{
    for (size_t i = 0; i < n; i++) {
        arms[i].share = 0;
        for (size_t k = 0; k < count; k++)
            if (strcmp(last[k].name, arms[i].name) == 0)
                arms[i].share = last[k].share;
    }
}

/* Of a folder: its coordinator wrote what it uses itself; the store knows of earlier runs. */
static bool complete_arms(struct arena *a, struct store *store, struct hunt_status *out,
                          struct err *e)
{
    struct hunt_status last = *out;
    out->programs = out->compiles = out->bytes = 0;
    if (!read_arms(a, store, out, e))
        return false;
    keep_share(out->strategies, out->strategy_count, last.strategies, last.strategy_count);
    keep_share(out->profiles, out->profile_count, last.profiles, last.profile_count);
    keep_share(out->classes, out->class_count, last.classes, last.class_count);
    return true;
}

static bool add_newest(struct arena *a, struct store *store, struct hunt_status *out, struct err *e)
{
    enum { SHOWN = 5 };
    struct store_finding *rows;
    size_t n;
    if (!store_newest(store, a, SHOWN, &rows, &n, e))
        return false;
    struct finding *newest = NEW_ARRAY(a, SHOWN, struct finding);
    for (size_t i = 0; i < n; i++)
        out->newest_count += row_read(a, &rows[i], &newest[out->newest_count]);
    out->newest = newest;
    return true;
}

/* All from the store. */
static bool read_shared(struct arena *a, const struct site *site, struct store *store,
                        struct hunt_status *out, struct err *e)
{
    struct conf conf;
    *out = (struct hunt_status){.state = HUNT_STOPPED, .dir = site->name, .time = store_now(store)};
    if (!site_read_conf(a, site, store, &conf, e) || !read_arms(a, store, out, e) ||
        !add_nodes(a, store, conf.lease, out, e) || !add_newest(a, store, out, e) ||
        !count_by(a, store, STORE_BY_COMPILER, &out->compilers, &out->compiler_count, e))
        return false;
    for (size_t i = 0; i < out->compiler_count; i++)
        out->findings += out->compilers[i].n;
    double cpu = out->job_cpu + out->own_cpu;
    out->share = cpu > 0 ? out->job_cpu / cpu : 0;
    return true;
}

/* What its coordinator wrote last. */
static bool read_folder(struct arena *a, const struct site *site, struct hunt_status *out,
                        struct err *e)
{
    json_t *j = json_load_file(site_path(a, site, "status.json"), 0, NULL);
    if (!j)
        return fail(e, "%s has not hunted yet", site->dir);
    status_from_json(a, j, out);
    json_decref(j);
    /* somebody hunts there as long as the lock is held */
    out->state = sys_is_locked(site_path(a, site, "lock")) ? HUNT_HUNTING : HUNT_STOPPED;
    return true;
}

bool hunt_status(struct arena *a, const char *dir, struct hunt_status *out, struct err *e)
{
    struct site site = site_of(a, dir);
    enum store_trouble trouble;
    struct store *store = site_open(&site, STORE_READ, &trouble, e);
    bool ok = site.dir ? access(site_path(a, &site, "cupel.conf"), R_OK) == 0 &&
                             read_folder(a, &site, out, e)
                       : store && read_shared(a, &site, store, out, e);
    /* What a folder says of itself is no answer when its store is damaged or gone; one of an older
     * version may lack some of it. */
    ok = ok && store;
    if (ok && !(add_tasks(a, store, out, e) && add_fates(a, store, out, e) &&
                add_counts(a, store, out, e) && (!site.dir || complete_arms(a, store, out, e))))
        ok = site.dir && store_trouble(store) != STORE_DAMAGED;
    store_close(store);
    return ok;
}
