/* A store in a file: SQLite, with a log, every commit synced. */
#include "store/driver.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { BUSY_MILLISECONDS = 20000 };

static const char *const upgrades[SCHEMA + 1] = {
    [0] = "CREATE TABLE choice(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
          "CREATE TABLE strategy(name TEXT PRIMARY KEY, next INTEGER, programs INTEGER,"
          " skipped INTEGER, lost INTEGER, compiles INTEGER, runs INTEGER, bytes INTEGER,"
          " findings INTEGER, repeats INTEGER, job_cpu REAL, own_cpu REAL, recent_cpu REAL,"
          " recent_findings REAL) WITHOUT ROWID;"
          "CREATE TABLE task(strategy TEXT, number INTEGER, state INTEGER, attempts INTEGER,"
          " PRIMARY KEY(strategy, number)) WITHOUT ROWID;"
          "CREATE INDEX task_open ON task(state) WHERE state IN (0, 2);"
          "CREATE TABLE finding(id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL,"
          " count INTEGER NOT NULL, first INTEGER, last INTEGER, detail TEXT NOT NULL);",
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
    [5] = "ALTER TABLE task ADD COLUMN kit TEXT NOT NULL DEFAULT '';"
          "ALTER TABLE task ADD COLUMN owner TEXT NOT NULL DEFAULT '';"
          "DROP INDEX task_open;"
          "CREATE INDEX task_open ON task(strategy, state) WHERE state <> 1;"
          "ALTER TABLE finding ADD COLUMN brief TEXT NOT NULL DEFAULT '';"
          "ALTER TABLE finding ADD COLUMN verdict TEXT NOT NULL DEFAULT '';"
          "ALTER TABLE finding ADD COLUMN compiler TEXT NOT NULL DEFAULT '';"
          "ALTER TABLE finding ADD COLUMN compiler_id TEXT NOT NULL DEFAULT '';"
          "ALTER TABLE finding ADD COLUMN open INTEGER NOT NULL DEFAULT 1;"
          "ALTER TABLE finding ADD COLUMN turns INTEGER NOT NULL DEFAULT 0;"
          "ALTER TABLE finding ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;"
          "ALTER TABLE finding ADD COLUMN owner TEXT NOT NULL DEFAULT '';"
          "CREATE INDEX finding_open ON finding(turns, id) WHERE open <> 0;"
          "CREATE TABLE node(id TEXT PRIMARY KEY, host TEXT, version TEXT, kit TEXT, jobs INTEGER,"
          " programs INTEGER, compiles INTEGER, job_cpu REAL, own_cpu REAL, started INTEGER,"
          " beat INTEGER, gone INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
          "CREATE TABLE compiler(id TEXT PRIMARY KEY, name TEXT, version TEXT, target TEXT,"
          " hash TEXT) WITHOUT ROWID;"
          "CREATE TABLE has(node TEXT, compiler TEXT, PRIMARY KEY(node, compiler)) WITHOUT ROWID;"
          "CREATE TABLE doubt(hash TEXT PRIMARY KEY, detail TEXT NOT NULL) WITHOUT ROWID;",
    [6] = SCHEMA_6("INTEGER", "INTEGER PRIMARY KEY", "TEXT"),
};

/* ---- failures -------------------------------------------------------------------------- */

/* Not every failure for want of space is called one. */
static bool is_full(const char *path)
{
    struct statvfs st;
    return statvfs(path, &st) == 0 && st.f_bavail < 8;
}

static bool complain(struct store *s, struct err *e)
{
    int code = sqlite3_errcode(s->db);
    s->trouble = STORE_UNUSABLE;
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return store_call_damaged(s, sqlite3_errmsg(s->db), e);
    if (code == SQLITE_FULL || (code == SQLITE_IOERR && is_full(s->where)))
        return fail(e, "%s cannot grow: the disk is full", s->name);
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return fail(e, "%s is locked by another program", s->name);
    return fail(e, "%s: %s", s->name, sqlite3_errmsg(s->db));
}

/* ---- statements ------------------------------------------------------------------------ */

static bool run(struct store *s, const char *script, struct err *e)
{
    return sqlite3_exec(s->db, script, NULL, NULL, NULL) == SQLITE_OK || complain(s, e);
}

/* Preparing one takes longer than most of them run: the first MOST_KEPT different ones are kept. */
enum { MOST_KEPT = 100 };
struct statement {
    sqlite3_stmt *st;
    bool kept, busy;
};

static bool prepare(struct store *s, const char *sql, struct statement *out, struct err *e)
{
    return sqlite3_prepare_v2(s->db, sql, -1, &out->st, NULL) == SQLITE_OK || complain(s, e);
}

/* One that is under way is not begun again. */
static struct statement *find_statement(struct store *s, const char *sql, struct err *e)
{
    struct statement *found = map_get(&s->statements, sql), fresh = {0};
    if (found && !found->busy)
        return found;
    if (!prepare(s, sql, &fresh, e))
        return NULL;
    fresh.kept = !found && s->statements.n < MOST_KEPT;
    struct statement *out = fresh.kept ? NEW(&s->arena, struct statement) : malloc(sizeof *out);
    if (!out)
        BUG("out of memory");
    *out = fresh;
    if (fresh.kept)
        map_set(&s->arena, &s->statements, sql, out);
    return out;
}

/* A parameter's place follows from where it is used first. */
static void bind(sqlite3_stmt *st, size_t i, const struct value *v)
{
    char name[24];
    snprintf(name, sizeof name, "$%zu", i + 1);
    const char *usual = sqlite3_bind_parameter_name(st, (int)i + 1);
    int at = usual && strcmp(usual, name) == 0 ? (int)i + 1
                                               : sqlite3_bind_parameter_index(st, name);
    if (v->kind == VALUE_INTEGER)
        sqlite3_bind_int64(st, at, v->integer);
    else if (v->kind == VALUE_REAL)
        sqlite3_bind_double(st, at, v->real);
    else
        sqlite3_bind_text(st, at, v->text, -1, SQLITE_TRANSIENT);
}

static void *ask(struct store *s, const char *sql, const struct value *values, size_t n,
                 struct err *e)
{
    struct statement *x = find_statement(s, sql, e);
    for (size_t i = 0; x && i < n; i++)
        bind(x->st, i, &values[i]);
    if (x)
        x->busy = true;
    return x;
}

static bool next(struct store *s, void *answer, bool *row, struct err *e)
{
    struct statement *x = answer;
    int code = sqlite3_step(x->st);
    *row = code == SQLITE_ROW;
    return *row || code == SQLITE_DONE || complain(s, e);
}

static void end(void *answer)
{
    struct statement *x = answer;
    x->busy = false;
    if (x->kept) {
        sqlite3_reset(x->st);
        sqlite3_clear_bindings(x->st);
        return;
    }
    sqlite3_finalize(x->st);
    free(x);
}

static int64_t integer(void *answer, int column)
{
    return sqlite3_column_int64(((struct statement *)answer)->st, column);
}

static double real(void *answer, int column)
{
    return sqlite3_column_double(((struct statement *)answer)->st, column);
}

static char *text(void *answer, struct arena *a, int column)
{
    const char *s = (const char *)sqlite3_column_text(((struct statement *)answer)->st, column);
    return arena_string(a, s ? s : "");
}

/* A long text is a text. */
static char *packed(void *answer, struct arena *a, int column)
{
    return text(answer, a, column);
}

static bool begin(struct store *s, struct err *e)
{
    return run(s, "BEGIN IMMEDIATE", e);
}

static bool commit(struct store *s, struct err *e)
{
    return run(s, "COMMIT", e);
}

static int64_t now(struct store *s)
{
    (void)s;
    return (int64_t)time(NULL);
}

/* ---- opening --------------------------------------------------------------------------- */

static bool check_health(struct store *s, struct err *e)
{
    struct query q = query_begin(s, e, "PRAGMA quick_check(1)", "");
    bool row = false;
    bool ok = query_next(&q, &row, e);
    const char *word = row ? query_text(&q, &s->arena, 0) : "no answer";
    if (ok && strcmp(word, "ok") != 0)
        ok = store_call_damaged(s, word, e);
    query_end(&q);
    return ok;
}

static bool read_version(struct store *s, int *version, struct err *e)
{
    uint64_t n;
    bool ok = store_ask_number(s, &n, e, "PRAGMA user_version", "");
    *version = (int)n;
    return ok;
}

static bool set_version(struct store *s, struct err *e)
{
    char line[60];
    snprintf(line, sizeof line, "PRAGMA user_version = %d", SCHEMA);
    return run(s, line, e);
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
    const char *path = s->where, *slash = strrchr(path, '/');
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
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(fixed ? text_str(&uri) : path, &db, flags, NULL);
    s->db = db;
    bool ok = code == SQLITE_OK || complain(s, e);
    text_free(&uri);
    arena_free(&a);
    return ok;
}

/* Every table that a new store would have, by name. */
static bool has_tables(struct store *s, sqlite3 *model, struct err *e)
{
    sqlite3_stmt *st = NULL;
    bool ok = sqlite3_prepare_v2(model, "SELECT name FROM sqlite_master WHERE type = 'table'", -1,
                                 &st, NULL) == SQLITE_OK;
    while (ok && sqlite3_step(st) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(st, 0);
        if (sqlite3_table_column_metadata(s->db, "main", name, NULL, NULL, NULL, NULL, NULL,
                                          NULL) != SQLITE_OK)
            ok = store_call_damaged(s, arena_printf(&s->arena, "it has no table '%s'", name), e);
    }
    sqlite3_finalize(st);
    return ok;
}

/* A store of our own version that lacks a table was cut: what is read of the others would seem
 * whole. */
static bool check_tables(struct store *s, struct err *e)
{
    sqlite3 *model = NULL;
    int version;
    if (!read_version(s, &version, e))
        return false;
    if (version != SCHEMA)
        return true;
    bool ok = sqlite3_open(":memory:", &model) == SQLITE_OK;
    for (int v = 0; ok && v <= SCHEMA; v++)
        ok = !upgrades[v] || sqlite3_exec(model, upgrades[v], NULL, NULL, NULL) == SQLITE_OK;
    if (!ok)
        BUG("the schema of a new store does not hold: %s", sqlite3_errmsg(model));
    ok = has_tables(s, model, e);
    sqlite3_close(model);
    return ok;
}

static bool open(struct store *s, enum store_access how, struct err *e)
{
    if (how == STORE_READ && !is_there(s->where, e))
        return false;
    if (!open_database(s, how, e))
        return false;
    sqlite3_busy_timeout(s->db, BUSY_MILLISECONDS);
    return check_health(s, e) && check_tables(s, e) &&
           (how == STORE_READ ||
            (run(s, "PRAGMA journal_mode = WAL", e) && run(s, "PRAGMA synchronous = FULL", e)));
}

/* A file does not go away and come back. */
static bool reconnect(struct store *s, struct err *e)
{
    return complain(s, e);
}

static void disconnect(struct store *s)
{
    for (size_t i = 0; i < s->statements.n; i++)
        sqlite3_finalize(((struct statement *)s->statements.entries[i].value)->st);
    sqlite3_close(s->db);
}

const struct driver driver_sqlite = {
    .skip_locked = "", .shared = false, .defer = NULL, DRIVER_FUNCTIONS};
