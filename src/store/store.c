/* The store in SQLite. */
#include "store/store.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct store {
    sqlite3 *db;
    enum store_trouble trouble; /* of the last failure */
    int version;                /* of its schema */
    char path[600];
};

#define SCHEMA_NUMBER 4 /* a macro, because SQL's pragma takes no parameter */
enum { BUSY_MILLISECONDS = 20000, SCHEMA = SCHEMA_NUMBER };
enum task_state { TASK_LEASED, TASK_DONE, TASK_WAITING, TASK_LOST };

static const char schema[] =
    "CREATE TABLE choice(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE strategy(name TEXT PRIMARY KEY, next INTEGER, programs INTEGER,"
    " skipped INTEGER, lost INTEGER, compiles INTEGER, runs INTEGER, bytes INTEGER,"
    " findings INTEGER, repeats INTEGER, job_cpu REAL, own_cpu REAL, recent_cpu REAL,"
    " recent_findings REAL) WITHOUT ROWID;"
    "CREATE TABLE task(strategy TEXT, number INTEGER, state INTEGER, attempts INTEGER,"
    " PRIMARY KEY(strategy, number)) WITHOUT ROWID;"
    "CREATE INDEX task_open ON task(state) WHERE state IN (0, 2);"
    "CREATE TABLE finding(id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL,"
    " count INTEGER NOT NULL, first INTEGER, last INTEGER, detail TEXT NOT NULL);";

/* From each version to the next; a new store goes through all of them too. */
static const char *const upgrades[SCHEMA + 1] = {
    [2] = "ALTER TABLE task ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;"
          "ALTER TABLE task ADD COLUMN profile TEXT NOT NULL DEFAULT '';"
          "ALTER TABLE task ADD COLUMN class TEXT NOT NULL DEFAULT '';"
          "CREATE TABLE sighting(finding INTEGER, strategy TEXT, number INTEGER, config TEXT,"
          " origin TEXT, program TEXT);"
          "CREATE INDEX sighting_of ON sighting(finding);",
    [3] = "ALTER TABLE finding ADD COLUMN same_as INTEGER NOT NULL DEFAULT 0;"
          "ALTER TABLE finding ADD COLUMN held INTEGER NOT NULL DEFAULT 0;"
          "ALTER TABLE finding ADD COLUMN bug TEXT NOT NULL DEFAULT '';"
          "CREATE INDEX finding_bug ON finding(bug);",
    [4] = "CREATE TABLE tally(strategy TEXT, name TEXT, amount REAL NOT NULL,"
          " PRIMARY KEY(strategy, name)) WITHOUT ROWID;",
};

/* ---- statements ---------------------------------------------------------------------- */

/* Not every failure for want of space is called one. */
static bool is_full(const char *path)
{
    struct statvfs st;
    return statvfs(path, &st) == 0 && st.f_bavail < 8;
}

static bool call_damaged(struct store *s, const char *how, struct err *e)
{
    s->trouble = STORE_DAMAGED;
    return fail(e,
                "%s is damaged (%s): what is in the findings folder can still be read; move the "
                "file away to begin anew",
                s->path, how);
}

static bool complain(struct store *s, struct err *e)
{
    int code = sqlite3_errcode(s->db);
    s->trouble = STORE_UNUSABLE;
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return call_damaged(s, sqlite3_errmsg(s->db), e);
    if (code == SQLITE_FULL || (code == SQLITE_IOERR && is_full(s->path)))
        return fail(e, "%s cannot grow: the disk is full", s->path);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return fail(e, "%s is locked by another program", s->path);
    return fail(e, "%s: %s", s->path, sqlite3_errmsg(s->db));
}

static bool execute(struct store *s, const char *sql, struct err *e)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK || complain(s, e);
}

/* Prepares, and binds one value for each letter of kinds: t text, i integer, r real. */
static sqlite3_stmt *prepare(struct store *s, const char *sql, const char *kinds, va_list args)
{
    sqlite3_stmt *st = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
        return NULL;
    for (int i = 0; kinds[i]; i++)
        if (kinds[i] == 't')
            sqlite3_bind_text(st, i + 1, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
        else if (kinds[i] == 'i')
            sqlite3_bind_int64(st, i + 1, va_arg(args, sqlite3_int64));
        else
            sqlite3_bind_double(st, i + 1, va_arg(args, double));
    return st;
}

/* A query whose rows the caller steps through; NULL when it cannot be. */
static sqlite3_stmt *query(struct store *s, const char *sql, const char *kinds, ...)
{
    va_list args;
    va_start(args, kinds);
    sqlite3_stmt *st = prepare(s, sql, kinds, args);
    va_end(args);
    return st;
}

static bool change(struct store *s, struct err *e, const char *sql, const char *kinds, ...)
{
    va_list args;
    va_start(args, kinds);
    sqlite3_stmt *st = prepare(s, sql, kinds, args);
    va_end(args);
    bool ok = st && sqlite3_step(st) == SQLITE_DONE;
    if (!ok)
        complain(s, e);
    sqlite3_finalize(st);
    return ok;
}

/* Steps; *row says whether there is one. */
static bool next_row(struct store *s, sqlite3_stmt *st, bool *row, struct err *e)
{
    int code = st ? sqlite3_step(st) : SQLITE_ERROR;
    *row = code == SQLITE_ROW;
    return *row || code == SQLITE_DONE || complain(s, e);
}

static uint64_t column_number(sqlite3_stmt *st, int i)
{
    return (uint64_t)sqlite3_column_int64(st, i);
}

static char *column_text(sqlite3_stmt *st, struct arena *a, int i)
{
    const char *s = (const char *)sqlite3_column_text(st, i);
    return arena_string(a, s ? s : "");
}

#define INTEGER(n) ((sqlite3_int64)(n))

/* ---- opening ------------------------------------------------------------------------- */

static bool check_health(struct store *s, struct err *e)
{
    sqlite3_stmt *st = query(s, "PRAGMA quick_check(1)", "");
    bool row = false;
    bool ok = next_row(s, st, &row, e);
    const char *word = row ? (const char *)sqlite3_column_text(st, 0) : NULL;
    if (ok && (!word || strcmp(word, "ok") != 0))
        ok = call_damaged(s, word ? word : "no answer", e);
    sqlite3_finalize(st);
    return ok;
}

static bool read_version(struct store *s, int *version, struct err *e)
{
    sqlite3_stmt *st = query(s, "PRAGMA user_version", "");
    bool row = false;
    bool ok = next_row(s, st, &row, e);
    *version = row ? sqlite3_column_int(st, 0) : 0;
    sqlite3_finalize(st);
    return ok;
}

#define VERSION_TEXT(n)   #n
#define SET_VERSION_TO(n) "PRAGMA user_version = " VERSION_TEXT(n)
#define SET_VERSION       SET_VERSION_TO(SCHEMA_NUMBER)

static bool upgrade(struct store *s, int version, struct err *e)
{
    if (version == 0 && !execute(s, schema, e))
        return false;
    for (int v = version ? version + 1 : 2; v <= SCHEMA; v++)
        if (!execute(s, upgrades[v], e))
            return false;
    return execute(s, SET_VERSION, e);
}

static bool prepare_schema(struct store *s, enum store_access how, struct err *e)
{
    int version;
    if (!read_version(s, &version, e))
        return false;
    s->version = version;
    if (version == SCHEMA)
        return true;
    if (version > SCHEMA)
        return fail(e, "%s was made by a newer version of cupel (%d, not %d)", s->path, version,
                    SCHEMA);
    if (how == STORE_READ && version == 0)
        return call_damaged(s, "it is empty", e);
    if (how == STORE_READ)
        return true; /* what is read of it stands in every version */
    if (execute(s, "BEGIN IMMEDIATE", e) && upgrade(s, version, e) && execute(s, "COMMIT", e)) {
        s->version = SCHEMA;
        return true;
    }
    store_undo(s);
    return false;
}

static bool is_there(const char *path, struct err *e)
{
    return access(path, R_OK) == 0 || fail_errno(e, "cannot read %s", path);
}

/* Where nothing can be written, SQLite cannot make the files that go with a log; without a log it
 * need not, if it is told that nobody writes meanwhile. */
static bool open_database(struct store *s, enum store_access how, struct err *e)
{
    struct arena a = {0};
    struct stat log;
    const char *path = arena_printf(&a, "%s", s->path), *slash = strrchr(path, '/');
    const char *folder = slash ? arena_copy(&a, path, (size_t)(slash - path)) : ".";
    bool fixed = how == STORE_READ &&
                 (access(*folder ? folder : "/", W_OK) != 0 || access(path, W_OK) != 0);
    bool logged = stat(arena_printf(&a, "%s-wal", path), &log) == 0 && log.st_size > 0;
    int flags = how == STORE_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                : fixed            ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                                   : SQLITE_OPEN_READWRITE;
    struct text uri = {0};
    if (fixed) {
        text_puts(&uri, "file:");
        for (const char *p = path; *p; p++)
            text_printf(&uri, strchr("%?#", *p) ? "%%%02x" : "%c", (unsigned char)*p);
        text_puts(&uri, logged ? "" : "?immutable=1");
    }
    bool ok = sqlite3_open_v2(fixed ? text_str(&uri) : path, &s->db, flags, NULL) == SQLITE_OK ||
              complain(s, e);
    text_free(&uri);
    arena_free(&a);
    return ok;
}

struct store *store_open(const char *path, enum store_access how, enum store_trouble *trouble,
                         struct err *e)
{
    struct store *s = calloc(1, sizeof *s);
    if (!s)
        BUG("out of memory");
    strncpy(s->path, path, sizeof s->path - 1);
    bool ok = (how == STORE_WRITE || is_there(path, e)) && open_database(s, how, e);
    if (ok) {
        sqlite3_busy_timeout(s->db, BUSY_MILLISECONDS);
        ok = check_health(s, e) &&
             (how == STORE_READ || (execute(s, "PRAGMA journal_mode = WAL", e) &&
                                    execute(s, "PRAGMA synchronous = FULL", e))) &&
             prepare_schema(s, how, e);
    }
    if (trouble)
        *trouble = ok ? STORE_NO_TROUBLE : s->trouble ? s->trouble : STORE_UNUSABLE;
    if (ok)
        return s;
    store_close(s);
    return NULL;
}

enum store_trouble store_trouble(const struct store *s)
{
    return s->trouble;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    free(s);
}

bool store_begin(struct store *s, struct err *e)
{
    return execute(s, "BEGIN IMMEDIATE", e);
}

bool store_commit(struct store *s, struct err *e)
{
    return execute(s, "COMMIT", e);
}

void store_undo(struct store *s)
{
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

/* ---- choices ------------------------------------------------------------------------- */

bool store_set(struct store *s, const char *key, const char *value, struct err *e)
{
    return change(s, e, "INSERT OR REPLACE INTO choice VALUES(?, ?)", "tt", key, value);
}

char *store_get(struct store *s, struct arena *a, const char *key)
{
    sqlite3_stmt *st = query(s, "SELECT value FROM choice WHERE key = ?", "t", key);
    bool row = false;
    char *value = next_row(s, st, &row, NULL) && row ? column_text(st, a, 0) : NULL;
    sqlite3_finalize(st);
    return value;
}

/* ---- strategies ---------------------------------------------------------------------- */

bool store_load_arm(struct store *s, struct store_arm *o, struct err *e)
{
    sqlite3_stmt *st = query(s,
                             "SELECT next, programs, skipped, lost, compiles, runs, bytes,"
                             " findings, repeats, job_cpu, own_cpu, recent_cpu, recent_findings"
                             " FROM strategy WHERE name = ?",
                             "t", o->name);
    bool row = false;
    bool ok = next_row(s, st, &row, e);
    *o = (struct store_arm){.name = o->name, .prior = o->prior};
    if (row) {
        uint64_t *const numbers[] = {&o->next, &o->programs, &o->skipped,  &o->lost,   &o->compiles,
                                     &o->runs, &o->bytes,    &o->findings, &o->repeats};
        double *const reals[] = {&o->job_cpu, &o->own_cpu, &o->recent_cpu, &o->recent_findings};
        for (size_t i = 0; i < LENGTH(numbers); i++)
            *numbers[i] = column_number(st, (int)i);
        for (size_t i = 0; i < LENGTH(reals); i++)
            *reals[i] = sqlite3_column_double(st, (int)(LENGTH(numbers) + i));
    }
    sqlite3_finalize(st);
    return ok;
}

bool store_save_arm(struct store *s, const struct store_arm *o, struct err *e)
{
    return change(
        s, e, "INSERT OR REPLACE INTO strategy VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "tiiiiiiiiirrrr", o->name, INTEGER(o->next), INTEGER(o->programs), INTEGER(o->skipped),
        INTEGER(o->lost), INTEGER(o->compiles), INTEGER(o->runs), INTEGER(o->bytes),
        INTEGER(o->findings), INTEGER(o->repeats), o->job_cpu, o->own_cpu, o->recent_cpu,
        o->recent_findings);
}

bool store_add_to_tally(struct store *s, const char *strategy, const char *name, double amount,
                        struct err *e)
{
    return change(s, e,
                  "INSERT INTO tally VALUES(?, ?, ?)"
                  " ON CONFLICT(strategy, name) DO UPDATE SET amount = amount + excluded.amount",
                  "ttr", strategy, name, amount);
}

bool store_tally_of(struct store *s, const char *strategy, const char *name, double *out,
                    struct err *e)
{
    sqlite3_stmt *st = query(s, "SELECT amount FROM tally WHERE strategy = ? AND name = ?", "tt",
                             strategy, name);
    bool row = false;
    bool ok = next_row(s, st, &row, e);
    *out = row ? sqlite3_column_double(st, 0) : 0;
    sqlite3_finalize(st);
    return ok;
}

/* ---- tasks --------------------------------------------------------------------------- */

bool store_lease(struct store *s, struct store_arm *strategy, struct store_task *task,
                 struct err *e)
{
    task->strategy = strategy->name;
    task->number = strategy->next;
    task->deaths = 0;
    if (!store_begin(s, e))
        return false;
    strategy->next++;
    if (change(s, e,
               "INSERT INTO task(strategy, number, state, attempts, profile, class)"
               " VALUES(?, ?, ?, 0, ?, ?)",
               "tiitt", task->strategy, INTEGER(task->number), INTEGER(TASK_LEASED), task->profile,
               task->class) &&
        store_save_arm(s, strategy, e) && store_commit(s, e))
        return true;
    strategy->next--;
    store_undo(s);
    return false;
}

static bool set_state(struct store *s, const struct store_task *t, enum task_state state,
                      struct err *e)
{
    return change(s, e, "UPDATE task SET state = ? WHERE strategy = ? AND number = ?", "iti",
                  INTEGER(state), t->strategy, INTEGER(t->number));
}

bool store_lease_again(struct store *s, struct arena *a, const char *strategy, unsigned most_deaths,
                       struct store_task *task, bool *found, struct err *e)
{
    sqlite3_stmt *st = query(s,
                             "SELECT number, deaths, profile, class FROM task"
                             " WHERE state = ? AND strategy = ? AND deaths <= ?"
                             " ORDER BY number LIMIT 1",
                             "iti", INTEGER(TASK_WAITING), strategy, INTEGER(most_deaths));
    bool ok = next_row(s, st, found, e);
    if (*found)
        *task = (struct store_task){.strategy = strategy,
                                    .number = column_number(st, 0),
                                    .deaths = (unsigned)column_number(st, 1),
                                    .profile = column_text(st, a, 2),
                                    .class = column_text(st, a, 3)};
    sqlite3_finalize(st);
    return ok && (!*found || set_state(s, task, TASK_LEASED, e));
}

bool store_give_back(struct store *s, const struct store_task *task, struct err *e)
{
    return change(
        s, e, "UPDATE task SET state = ?, deaths = deaths + 1 WHERE strategy = ? AND number = ?",
        "iti", INTEGER(TASK_WAITING), task->strategy, INTEGER(task->number));
}

bool store_give_back_all(struct store *s, struct err *e)
{
    return change(s, e, "UPDATE task SET state = ? WHERE state = ?", "ii", INTEGER(TASK_WAITING),
                  INTEGER(TASK_LEASED));
}

bool store_finish(struct store *s, const struct store_task *task, struct err *e)
{
    return set_state(s, task, TASK_DONE, e);
}

bool store_give_up(struct store *s, const struct store_task *task, struct err *e)
{
    return set_state(s, task, TASK_LOST, e);
}

bool store_count_tasks(struct store *s, const char *strategy, struct store_tally *out,
                       struct err *e)
{
    uint64_t *const slots[] = {[TASK_LEASED] = &out->leased,
                               [TASK_DONE] = &out->done,
                               [TASK_WAITING] = &out->waiting,
                               [TASK_LOST] = &out->lost};
    sqlite3_stmt *st = query(
        s, "SELECT state, count(*) FROM task WHERE strategy = ? GROUP BY state", "t", strategy);
    bool row = true, ok = true;
    *out = (struct store_tally){0};
    while (ok && (ok = next_row(s, st, &row, e)) && row)
        if (column_number(st, 0) < LENGTH(slots))
            *slots[column_number(st, 0)] = column_number(st, 1);
    sqlite3_finalize(st);
    return ok;
}

/* ---- findings ------------------------------------------------------------------------ */

uint64_t store_find(struct store *s, const char *key)
{
    sqlite3_stmt *st = query(s, "SELECT id FROM finding WHERE key = ?", "t", key);
    bool row = false;
    uint64_t id = next_row(s, st, &row, NULL) && row ? column_number(st, 0) : 0;
    sqlite3_finalize(st);
    return id;
}

bool store_add_finding(struct store *s, const char *key, int64_t now, uint64_t *id, struct err *e)
{
    if (!change(s, e,
                "INSERT INTO finding(key, count, first, last, detail) VALUES(?, 1, ?, ?, '{}')",
                "tii", key, INTEGER(now), INTEGER(now)))
        return false;
    *id = (uint64_t)sqlite3_last_insert_rowid(s->db);
    return true;
}

bool store_set_detail(struct store *s, uint64_t id, const char *detail, struct err *e)
{
    return change(s, e, "UPDATE finding SET detail = ? WHERE id = ?", "ti", detail, INTEGER(id));
}

char *store_detail(struct store *s, struct arena *a, uint64_t id)
{
    sqlite3_stmt *st = query(s, "SELECT detail FROM finding WHERE id = ?", "i", INTEGER(id));
    bool row = false;
    char *detail = next_row(s, st, &row, NULL) && row ? column_text(st, a, 0) : NULL;
    sqlite3_finalize(st);
    return detail;
}

bool store_count_again(struct store *s, uint64_t id, int64_t now, struct err *e)
{
    return change(s, e, "UPDATE finding SET count = count + 1, last = ? WHERE id = ?", "ii",
                  INTEGER(now), INTEGER(id));
}

bool store_merge(struct store *s, uint64_t id, uint64_t same_as, bool held, struct err *e)
{
    return change(s, e, "UPDATE finding SET same_as = ?, held = ? WHERE id = ?", "iii",
                  INTEGER(same_as), INTEGER(held), INTEGER(id));
}

bool store_set_bug(struct store *s, uint64_t id, const char *bug, struct err *e)
{
    return change(s, e, "UPDATE finding SET bug = ? WHERE id = ?", "ti", bug, INTEGER(id));
}

bool store_findings(struct store *s, struct arena *a, struct store_finding **out, size_t *n,
                    struct err *e)
{
    struct list all = {0};
    /* one that is only read may be older: then nothing is merged in it */
    sqlite3_stmt *st = query(
        s,
        s->version >= 3
            ? "SELECT id, count, key, detail, first, last, same_as, held, bug FROM finding ORDER "
              "BY id"
            : "SELECT id, count, key, detail, first, last, 0, 0, '' FROM finding ORDER BY id",
        "");
    bool row = true, ok = true;
    while (ok && (ok = next_row(s, st, &row, e)) && row) {
        struct store_finding *f = NEW(a, struct store_finding);
        *f = (struct store_finding){.id = column_number(st, 0),
                                    .count = column_number(st, 1),
                                    .key = column_text(st, a, 2),
                                    .detail = column_text(st, a, 3),
                                    .first = sqlite3_column_int64(st, 4),
                                    .last = sqlite3_column_int64(st, 5),
                                    .same_as = column_number(st, 6),
                                    .held = column_number(st, 7) != 0,
                                    .bug = column_text(st, a, 8)};
        list_add(a, &all, f);
    }
    sqlite3_finalize(st);
    *n = all.n;
    *out = NEW_ARRAY(a, all.n, struct store_finding);
    for (size_t i = 0; i < all.n; i++)
        (*out)[i] = *(struct store_finding *)all.at[i];
    return ok;
}

/* ---- sightings ----------------------------------------------------------------------- */

bool store_count_sightings(struct store *s, uint64_t finding, uint64_t *n, struct err *e)
{
    sqlite3_stmt *st = query(s, "SELECT count(*) FROM sighting WHERE finding = ?", "i",
                             INTEGER(finding));
    bool row = false;
    bool ok = next_row(s, st, &row, e);
    *n = row ? column_number(st, 0) : 0;
    sqlite3_finalize(st);
    return ok;
}

bool store_add_sighting(struct store *s, const struct store_sighting *o, struct err *e)
{
    uint64_t n;
    bool ok = store_count_sightings(s, o->finding, &n, e);
    if (!ok || n >= STORE_SIGHTINGS)
        return ok;
    return change(s, e, "INSERT INTO sighting VALUES(?, ?, ?, ?, ?, ?)", "itittt",
                  INTEGER(o->finding), o->strategy, INTEGER(o->number), o->config, o->origin,
                  n < STORE_SIGHTING_TEXTS ? o->program : "");
}

bool store_sightings(struct store *s, struct arena *a, uint64_t finding,
                     struct store_sighting **out, size_t *n, struct err *e)
{
    struct list all = {0};
    sqlite3_stmt *st = query(s,
                             "SELECT strategy, number, config, origin, program FROM sighting"
                             " WHERE finding = ? ORDER BY rowid",
                             "i", INTEGER(finding));
    bool row = true, ok = true;
    while (ok && (ok = next_row(s, st, &row, e)) && row) {
        struct store_sighting *o = NEW(a, struct store_sighting);
        *o = (struct store_sighting){.finding = finding,
                                     .strategy = column_text(st, a, 0),
                                     .number = column_number(st, 1),
                                     .config = column_text(st, a, 2),
                                     .origin = column_text(st, a, 3),
                                     .program = column_text(st, a, 4)};
        list_add(a, &all, o);
    }
    sqlite3_finalize(st);
    *n = all.n;
    *out = NEW_ARRAY(a, all.n, struct store_sighting);
    for (size_t i = 0; i < all.n; i++)
        (*out)[i] = *(struct store_sighting *)all.at[i];
    return ok;
}
