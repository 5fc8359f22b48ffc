/* Reading a campaign that somebody else may be writing at this moment. */
#include "hunt/private.h"

#include "sys/sys.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static bool is_campaign(const char *dir, struct err *e)
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

static void add_row(json_t *list, const struct store_finding *row, const struct conf *conf,
                    bool muted)
{
    json_t *f = json_loads(row->detail, 0, NULL);
    bool mute = conf_is_muted(conf, row->key) || !*json_text(f, "verdict");
    if (f && (muted || !mute)) {
        json_object_set_new(f, "id", json_integer((json_int_t)row->id));
        json_object_set_new(f, "key", json_string(row->key));
        json_object_set_new(f, "count", json_integer((json_int_t)row->count));
        json_object_set_new(f, "first", json_integer(row->first));
        json_object_set_new(f, "last", json_integer(row->last));
        json_object_set_new(f, "muted", json_boolean(mute));
        json_array_append(list, f);
    }
    json_decref(f);
}

static json_t *list_store(struct arena *a, const char *dir, bool muted, struct err *e)
{
    struct conf conf;
    struct store_finding *rows;
    size_t n = 0;
    struct store *store = store_open(arena_printf(a, "%s/cupel.db", dir), STORE_READ, e);
    if (!store)
        return NULL;
    json_t *list = json_array();
    read_mutes(a, dir, &conf);
    if (!store_findings(store, a, &rows, &n, e)) {
        json_decref(list);
        list = NULL;
    }
    for (size_t i = 0; list && i < n; i++)
        add_row(list, &rows[i], &conf, muted);
    store_close(store);
    return list;
}

/* ---- the folders --------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b)
{
    unsigned long long x = *(const unsigned long long *)a, y = *(const unsigned long long *)b;
    return x < y ? -1 : x > y;
}

/* What is left of a campaign without its store. */
static json_t *list_folders(struct arena *a, const char *dir)
{
    json_t *list = json_array();
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
    for (size_t i = 0; i < n; i++) {
        json_t *f = json_load_file(arena_printf(a, "%s/findings/%llu/finding.json", dir, ids[i]), 0,
                                   NULL);
        if (f)
            json_array_append_new(list, f);
    }
    return list;
}

json_t *hunt_list(const char *dir, bool muted, struct err *e)
{
    struct arena a = {0};
    e->msg[0] = '\0';
    json_t *list = is_campaign(dir, e) ? list_store(&a, dir, muted, e) : NULL;
    if (!list && strstr(e->msg, "damaged"))
        list = list_folders(&a, dir);
    arena_free(&a);
    return list;
}

json_t *hunt_finding(const char *dir, uint64_t id, struct err *e)
{
    json_t *list = hunt_list(dir, true, e), *f, *found = NULL;
    size_t i;
    json_array_foreach(list, i, f) if ((uint64_t)json_integer_value(json_object_get(f, "id")) == id)
        found = json_incref(f);
    if (list && !found)
        fail(e, "%s has no finding %llu: see cupel list %s", dir, (unsigned long long)id, dir);
    json_decref(list);
    return found;
}

/* ---- status -------------------------------------------------------------------------- */

/* Somebody hunts there as long as the lock is held. */
static bool is_hunted(struct arena *a, const char *dir)
{
    int fd = sys_lock_file(arena_printf(a, "%s/lock", dir), NULL);
    if (fd >= 0)
        close(fd);
    return fd < 0;
}

static void add_tasks(struct arena *a, const char *dir, json_t *status)
{
    struct err e;
    struct store *store = store_open(arena_printf(a, "%s/cupel.db", dir), STORE_READ, &e);
    json_t *tasks = json_object();
    for (size_t i = 0; store && i < STRATEGY_COUNT; i++) {
        struct store_tally t;
        struct store_strategy s = {.name = strategy_name((enum strategy)i)};
        if (store_count_tasks(store, s.name, &t, &e) && store_load_strategy(store, &s, &e) &&
            s.next)
            json_object_set_new(tasks, s.name,
                                json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "next",
                                          (json_int_t)s.next, "done", (json_int_t)t.done, "leased",
                                          (json_int_t)t.leased, "waiting", (json_int_t)t.waiting,
                                          "lost", (json_int_t)t.lost, "counted",
                                          (json_int_t)s.programs));
    }
    store_close(store);
    json_object_set_new(status, "tasks", tasks);
}

json_t *hunt_status(const char *dir, struct err *e)
{
    struct arena a = {0};
    json_t *status = NULL;
    if (is_campaign(dir, e)) {
        status = json_load_file(arena_printf(&a, "%s/status.json", dir), 0, NULL);
        if (!status)
            fail(e, "%s has not hunted yet", dir);
    }
    if (status) {
        json_object_set_new(status, "state",
                            json_string(is_hunted(&a, dir) ? "hunting" : "stopped"));
        add_tasks(&a, dir, status);
    }
    arena_free(&a);
    return status;
}
