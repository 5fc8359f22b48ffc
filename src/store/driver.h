/* Private to store: what a kind of database must be able to do, and how the rest of store asks it.
 *
 * The statements are the same for all: parameters are $1, $2 ... in order of first use; what is not
 * SQL of both SQLite and PostgreSQL is a member of struct driver. */
#ifndef STORE_DRIVER_H
#define STORE_DRIVER_H

#include "store/store.h"

enum { SCHEMA = 6 };
enum task_state { TASK_LEASED, TASK_DONE, TASK_WAITING, TASK_LOST };

/* PACKED: a long text that a database may keep compressed. */
enum value_kind { VALUE_TEXT, VALUE_INTEGER, VALUE_REAL, VALUE_PACKED };
struct value {
    enum value_kind kind;
    const char *text;
    int64_t integer;
    double real;
};

struct driver {
    const char *skip_locked; /* after a SELECT of rows to be changed */
    bool shared;             /* do several nodes write? */
    bool (*open)(struct store *s, enum store_access how, struct err *e);
    bool (*reconnect)(struct store *s, struct err *e);
    void (*close)(struct store *s);
    int64_t (*now)(struct store *s);
    bool (*begin)(struct store *s, struct err *e);
    bool (*commit)(struct store *s, struct err *e);
    /* A change in a transaction that may be made as late as with its commit: rows that everybody
     * wants are locked for as short as can be.  NULL: it is made at once. */
    void (*defer)(struct store *s, const char *sql, const struct value *values, size_t n);
    /* Statements without parameters, one after the other. */
    bool (*run)(struct store *s, const char *script, struct err *e);
    /* A statement and its rows, which are stepped through; NULL when it fails. */
    void *(*ask)(struct store *s, const char *sql, const struct value *values, size_t n,
                 struct err *e);
    bool (*next)(struct store *s, void *answer, bool *row, struct err *e);
    void (*end)(void *answer);
    int64_t (*integer)(void *answer, int column);
    double (*real)(void *answer, int column);
    char *(*text)(void *answer, struct arena *a, int column);
    char *(*packed)(void *answer, struct arena *a, int column);
    bool (*read_version)(struct store *s, int *version, struct err *e);
    /* From each version to the next; what a new store begins with stands at 0. */
    const char *const *upgrades;
    bool (*set_version)(struct store *s, struct err *e);
};

extern const struct driver driver_sqlite, driver_postgres;

/* The functions of a driver are called what its members are. */
#define DRIVER_FUNCTIONS                                                                    \
    .open = open, .reconnect = reconnect, .close = disconnect, .now = now, .begin = begin,  \
    .commit = commit, .run = run, .ask = ask, .next = next, .end = end, .integer = integer, \
    .real = real, .text = text, .packed = packed, .read_version = read_version,             \
    .set_version = set_version, .upgrades = upgrades

/* From version 5 to 6, with what each calls a number, a row's own number and a long text. */
#define SCHEMA_6(number, identity, packed)                                                  \
    "ALTER TABLE finding ADD COLUMN config TEXT NOT NULL DEFAULT '';"                       \
    "ALTER TABLE finding ADD COLUMN grade TEXT NOT NULL DEFAULT '';"                        \
    "ALTER TABLE finding ADD COLUMN strategy TEXT NOT NULL DEFAULT '';"                     \
    "ALTER TABLE finding ADD COLUMN what TEXT NOT NULL DEFAULT '';"                         \
    "ALTER TABLE finding ADD COLUMN lines " number " NOT NULL DEFAULT 0;"                   \
    "CREATE TABLE errand(id " identity ", kind TEXT NOT NULL, finding " number " NOT NULL," \
    " command TEXT NOT NULL, compiler_id TEXT NOT NULL, asked " number " NOT NULL,"         \
    " deaths " number " NOT NULL DEFAULT 0, owner TEXT NOT NULL DEFAULT '',"                \
    " answer TEXT NOT NULL DEFAULT '');"                                                    \
    "CREATE TABLE seed(path TEXT PRIMARY KEY, content " packed " NOT NULL);"

struct store {
    const struct driver *driver;
    void *db;
    enum store_trouble trouble; /* of the last failure */
    int version;                /* of its schema */
    double clock;               /* of a database: its time less ours */
    char *where, *name;         /* name: for people */
    struct text deferred;       /* statements that go with the commit */
    struct map statements;      /* of a file: those that were prepared, by their text */
    struct arena arena;
};

/* What failed, by its words. */
bool store_call_damaged(struct store *s, const char *how, struct err *e);

/* ---- asking -------------------------------------------------------------------------------- */

struct query {
    struct store *s;
    void *answer; /* NULL: it failed */
};

/* One value for each letter of kinds: t text, i integer, r real, p packed. */
struct query query_begin(struct store *s, struct err *e, const char *sql, const char *kinds, ...);
struct query query_values(struct store *s, struct err *e, const char *sql,
                          const struct value *values, size_t n);
/* Steps; *row says whether there is one. */
bool query_next(struct query *q, bool *row, struct err *e);
uint64_t query_number(struct query *q, int column);
double query_real(struct query *q, int column);
char *query_text(struct query *q, struct arena *a, int column);
char *query_packed(struct query *q, struct arena *a, int column);
void query_end(struct query *q);
/* A statement without rows, or whose rows nobody wants. */
bool store_change(struct store *s, struct err *e, const char *sql, const char *kinds, ...);
/* The first column of the first row; 0 for none. */
bool store_ask_number(struct store *s, uint64_t *out, struct err *e, const char *sql,
                      const char *kinds, ...);

#define INTEGER(n)       ((int64_t)(n))
#define TEXT_VALUE(s)    ((struct value){.kind = VALUE_TEXT, .text = (s)})
#define INTEGER_VALUE(n) ((struct value){.kind = VALUE_INTEGER, .integer = (int64_t)(n)})
#define REAL_VALUE(x)    ((struct value){.kind = VALUE_REAL, .real = (x)})

/* "($3, $4), ($5, $6)": so many rows of so many parameters, from this one on. */
void store_put_rows(struct text *sql, size_t first, size_t rows, size_t columns);
/* A statement of a transaction, its text before and after such rows, whose answer nobody wants. */
struct many {
    const char *before, *after;
    const struct value *values;
    size_t rows, columns;
    bool late; /* may be made as late as with the commit */
};
bool store_change_many(struct store *s, const struct many *m, struct err *e);

/* Rows of one type, by a function that reads one; in the arena. */
typedef void read_row_fn(struct query *q, struct arena *a, void *out);
bool query_collect(struct query *q, struct arena *a, size_t size, read_row_fn *read, void *out,
                   size_t *n, struct err *e);

#endif
