/* Opening a store of either kind, asking it, transactions, choices. */
#include "store/driver.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- asking ---------------------------------------------------------------------------- */

enum { MOST_VALUES = 24 };

static size_t take_values(struct value *values, const char *kinds, va_list args)
{
    size_t n = 0;
    for (; kinds[n]; n++) {
        if (n == MOST_VALUES)
            BUG("too many values");
        struct value *v = &values[n];
        *v = (struct value){.kind = kinds[n] == 't'   ? VALUE_TEXT
                                    : kinds[n] == 'i' ? VALUE_INTEGER
                                    : kinds[n] == 'r' ? VALUE_REAL
                                                      : VALUE_PACKED};
        if (v->kind == VALUE_INTEGER)
            v->integer = va_arg(args, int64_t);
        else if (v->kind == VALUE_REAL)
            v->real = va_arg(args, double);
        else
            v->text = va_arg(args, const char *);
    }
    return n;
}

struct query query_values(struct store *s, struct err *e, const char *sql,
                          const struct value *values, size_t n)
{
    s->trouble = STORE_NO_TROUBLE;
    return (struct query){s, s->driver->ask(s, sql, values, n, e)};
}

static struct query query_list(struct store *s, struct err *e, const char *sql, const char *kinds,
                               va_list args)
{
    struct value values[MOST_VALUES];
    size_t n = take_values(values, kinds, args);
    return query_values(s, e, sql, values, n);
}

struct query query_begin(struct store *s, struct err *e, const char *sql, const char *kinds, ...)
{
    va_list args;
    va_start(args, kinds);
    struct query q = query_list(s, e, sql, kinds, args);
    va_end(args);
    return q;
}

bool query_next(struct query *q, bool *row, struct err *e)
{
    *row = false;
    return q->answer && q->s->driver->next(q->s, q->answer, row, e);
}

uint64_t query_number(struct query *q, int column)
{
    return (uint64_t)q->s->driver->integer(q->answer, column);
}

double query_real(struct query *q, int column)
{
    return q->s->driver->real(q->answer, column);
}

char *query_text(struct query *q, struct arena *a, int column)
{
    return q->s->driver->text(q->answer, a, column);
}

char *query_packed(struct query *q, struct arena *a, int column)
{
    return q->s->driver->packed(q->answer, a, column);
}

void query_end(struct query *q)
{
    if (q->answer)
        q->s->driver->end(q->answer);
    q->answer = NULL;
}

/* The first number of the first row, or 0. */
static bool end_with_number(struct query q, uint64_t *out, struct err *e)
{
    bool row;
    bool ok = query_next(&q, &row, e);
    *out = row ? query_number(&q, 0) : 0;
    query_end(&q);
    return ok;
}

bool store_change(struct store *s, struct err *e, const char *sql, const char *kinds, ...)
{
    va_list args;
    uint64_t ignored;
    va_start(args, kinds);
    struct query q = query_list(s, e, sql, kinds, args);
    va_end(args);
    return end_with_number(q, &ignored, e);
}

bool store_ask_number(struct store *s, uint64_t *out, struct err *e, const char *sql,
                      const char *kinds, ...)
{
    va_list args;
    va_start(args, kinds);
    struct query q = query_list(s, e, sql, kinds, args);
    va_end(args);
    return end_with_number(q, out, e);
}

void store_put_rows(struct text *sql, size_t first, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows * columns; i++)
        text_printf(sql, "%s$%zu%s",
                    i % columns ? ", "
                    : i         ? ", ("
                                : "(",
                    first + i, i % columns == columns - 1 ? ")" : "");
}

bool store_change_many(struct store *s, const struct many *m, struct err *e)
{
    struct text sql = {0};
    bool row;
    text_puts(&sql, m->before);
    store_put_rows(&sql, 1, m->rows, m->columns);
    text_puts(&sql, m->after);
    bool ok = true;
    if (s->driver->defer && m->late) {
        s->driver->defer(s, text_str(&sql), m->values, m->rows * m->columns);
    } else {
        struct query q = query_values(s, e, text_str(&sql), m->values, m->rows * m->columns);
        ok = query_next(&q, &row, e);
        query_end(&q);
    }
    text_free(&sql);
    return ok;
}

bool query_collect(struct query *q, struct arena *a, size_t size, read_row_fn *read, void *out,
                   size_t *n, struct err *e)
{
    char *rows = NULL;
    size_t room = 0;
    bool row = true, ok = true;
    *n = 0;
    while (ok && (ok = query_next(q, &row, e)) && row) {
        if (*n == room) {
            room = room ? 2 * room : 16;
            rows = arena_grow(a, rows, *n, room, size);
        }
        read(q, a, rows + *n * size);
        ++*n;
    }
    query_end(q);
    memcpy(out, &rows, sizeof rows);
    return ok;
}

/* ---- names ----------------------------------------------------------------------------- */

bool store_is_address(const char *where)
{
    return str_has_prefix(where, "postgresql://") || str_has_prefix(where, "postgres://");
}

/* The end of the part between // and the next / or ?: user:password@host. */
static const char *end_of_authority(const char *begin)
{
    return begin + strcspn(begin, "/?");
}

char *store_public_name(struct arena *a, const char *where)
{
    struct text t = {0};
    const char *at = store_is_address(where) ? strstr(where, "//") + 2 : NULL;
    const char *end = at ? end_of_authority(at) : NULL;
    const char *user_end = at ? memchr(at, '@', (size_t)(end - at)) : NULL;
    const char *colon = user_end ? memchr(at, ':', (size_t)(user_end - at)) : NULL;
    if (colon) {
        text_add(&t, where, (size_t)(colon - where));
        where = user_end;
    }
    const char *secret = at ? strstr(where, "password=") : NULL;
    text_add(&t, where, secret ? (size_t)(secret - where) : strlen(where));
    if (secret) {
        text_puts(&t, "password=...");
        text_puts(&t, secret + strcspn(secret, "&"));
    }
    char *name = arena_string(a, text_str(&t));
    text_free(&t);
    return name;
}

/* ---- opening --------------------------------------------------------------------------- */

bool store_call_damaged(struct store *s, const char *how, struct err *e)
{
    const char *last = strrchr(how, '\n'); /* a database may say more than a line; the end tells */
    s->trouble = STORE_DAMAGED;
    return fail(e,
                "%s is damaged (%s): what is in the findings folder can still be read; move the "
                "file away to begin anew",
                s->name, last && last[1] ? last + 1 : how);
}

static bool upgrade(struct store *s, int version, struct err *e)
{
    const struct driver *d = s->driver;
    if (version == 0 && !d->run(s, d->upgrades[0], e))
        return false;
    for (int v = version ? version + 1 : 1; v <= SCHEMA; v++)
        if (d->upgrades[v] && !d->run(s, d->upgrades[v], e))
            return false;
    return d->set_version(s, e);
}

static bool refuse_newer(struct store *s, int version, struct err *e)
{
    s->trouble = STORE_UNUSABLE;
    return fail(e,
                "%s was made by a newer version of cupel (schema %d, not %d): upgrade this cupel",
                s->name, version, SCHEMA);
}

/* Whoever comes second to a new store finds it made. */
static bool make_schema(struct store *s, struct err *e)
{
    int version;
    if (store_begin(s, e) && s->driver->read_version(s, &version, e) &&
        (version >= SCHEMA || upgrade(s, version, e)) && store_commit(s, e)) {
        s->version = SCHEMA;
        return true;
    }
    store_undo(s);
    return false;
}

static bool prepare_schema(struct store *s, enum store_access how, struct err *e)
{
    int version;
    if (!s->driver->read_version(s, &version, e))
        return false;
    s->version = version;
    if (version == SCHEMA)
        return true;
    if (version > SCHEMA)
        return refuse_newer(s, version, e);
    if (how == STORE_READ && version == 0 && s->driver->shared)
        return fail(e, "%s holds no campaign: `cupel hunt %s` begins one", s->name, s->name);
    if (how == STORE_READ && version == 0)
        return store_call_damaged(s, "it is empty", e);
    if (how == STORE_READ)
        return true; /* what is read of it stands in every version */
    return make_schema(s, e);
}

bool store_check_version(struct store *s, struct err *e)
{
    int version;
    return s->driver->read_version(s, &version, e) &&
           (version == s->version || refuse_newer(s, version, e));
}

struct store *store_open(const char *where, enum store_access how, enum store_trouble *trouble,
                         struct err *e)
{
    struct store *s = calloc(1, sizeof *s);
    if (!s)
        BUG("out of memory");
    s->driver = store_is_address(where) ? &driver_postgres : &driver_sqlite;
    s->where = arena_string(&s->arena, where);
    s->name = store_public_name(&s->arena, where);
    bool ok = s->driver->open(s, how, e) && prepare_schema(s, how, e);
    if (trouble)
        *trouble = ok ? STORE_NO_TROUBLE : s->trouble ? s->trouble : STORE_UNUSABLE;
    if (ok)
        return s;
    store_close(s);
    return NULL;
}

bool store_reconnect(struct store *s, struct err *e)
{
    return s->driver->reconnect(s, e) && store_check_version(s, e);
}

enum store_trouble store_trouble(const struct store *s)
{
    return s->trouble;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    s->driver->close(s);
    text_free(&s->deferred);
    arena_free(&s->arena);
    free(s);
}

int64_t store_now(struct store *s)
{
    return s->driver->now(s);
}

bool store_begin(struct store *s, struct err *e)
{
    s->trouble = STORE_NO_TROUBLE;
    return s->driver->begin(s, e);
}

bool store_commit(struct store *s, struct err *e)
{
    s->trouble = STORE_NO_TROUBLE;
    return s->driver->commit(s, e);
}

/* What was the matter with the transaction stays what was the matter. */
void store_undo(struct store *s)
{
    enum store_trouble trouble = s->trouble;
    text_clear(&s->deferred);
    s->driver->run(s, "ROLLBACK", NULL);
    s->trouble = trouble;
}

/* ---- choices --------------------------------------------------------------------------- */

bool store_set(struct store *s, const char *key, const char *value, struct err *e)
{
    return store_change(s, e,
                        "INSERT INTO choice VALUES($1, $2)"
                        " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
                        "tt", key, value);
}

char *store_get(struct store *s, struct arena *a, const char *key)
{
    struct query q = query_begin(s, NULL, "SELECT value FROM choice WHERE key = $1", "t", key);
    bool row;
    char *value = query_next(&q, &row, NULL) && row ? query_text(&q, a, 0) : NULL;
    query_end(&q);
    return value;
}

char *store_set_first(struct store *s, struct arena *a, const char *key, const char *value,
                      struct err *e)
{
    if (!store_change(s, e, "INSERT INTO choice VALUES($1, $2) ON CONFLICT(key) DO NOTHING", "tt",
                      key, value))
        return NULL;
    char *kept = store_get(s, a, key);
    if (!kept)
        fail(e, "%s: what was written cannot be read", s->name);
    return kept;
}
