/* One store's rows into another, of either kind. */
#include "store/driver.h"

#include <string.h>

/* The columns of each table with their kinds, as query_begin has them.  Nodes are not copied: they
 * belong to the machines that hunt. */
static const struct table {
    const char *name, *columns, *kinds, *which;
} tables[] = {
    {"choice", "key, value", "tt", "WHERE key <> 'schema'"},
    {"strategy",
     "name, next, programs, skipped, lost, compiles, runs, bytes, findings, repeats, job_cpu,"
     " own_cpu, recent_cpu, recent_findings",
     "tiiiiiiiiirrrr", ""},
    {"task", "strategy, number, state, deaths, profile, class, kit", "tiiittt",
     "ORDER BY strategy, number"},
    {"finding",
     "id, key, count, first, last, detail, same_as, held, bug, brief, verdict, compiler,"
     " compiler_id, open, turns, deaths, config, grade, strategy, what, lines",
     "itiiipiitttttiii"
     "tttti",
     "ORDER BY id"},
    {"sighting", "finding, strategy, number, config, origin, program", "itittp", "ORDER BY rowid"},
    {"tally", "strategy, name, amount", "ttr", ""},
    {"compiler", "id, name, version, target, hash", "ttttt", ""},
    {"doubt", "hash, detail", "tp", ""},
    {"seed", "path, content", "tp", ""},
};

enum { BATCH = 200 };

static struct value read_value(struct query *q, struct arena *a, char kind, int column)
{
    struct value v = {.kind = VALUE_TEXT};
    if (kind == 'i') {
        v.kind = VALUE_INTEGER;
        v.integer = (int64_t)query_number(q, column);
    } else if (kind == 'r') {
        v.kind = VALUE_REAL;
        v.real = query_real(q, column);
    } else if (kind == 'p') {
        v.kind = VALUE_PACKED;
        v.text = query_packed(q, a, column);
    } else {
        v.text = query_text(q, a, column);
    }
    return v;
}

static bool insert(struct store *to, const struct table *t, const struct value *values, size_t rows,
                   struct err *e)
{
    struct arena a = {0};
    struct many m = {.before = arena_printf(&a, "INSERT INTO %s(%s) VALUES ", t->name, t->columns),
                     .after = "",
                     .values = values,
                     .rows = rows,
                     .columns = strlen(t->kinds)};
    bool ok = store_change_many(to, &m, e);
    arena_free(&a);
    return ok;
}

static bool copy_rows(struct query *q, struct store *to, const struct table *t, struct err *e)
{
    struct arena a = {0};
    size_t width = strlen(t->kinds), n = 0;
    bool row = true, ok = true;
    struct value *values = NULL;
    while (ok && (ok = query_next(q, &row, e)) && row) {
        if (!n)
            values = NEW_ARRAY(&a, BATCH * width, struct value);
        for (size_t i = 0; i < width; i++)
            values[n * width + i] = read_value(q, &a, t->kinds[i], (int)i);
        if (++n == BATCH) {
            ok = insert(to, t, values, n, e);
            n = 0;
            arena_reset(&a);
        }
    }
    ok = ok && (!n || insert(to, t, values, n, e));
    arena_free(&a);
    return ok;
}

static bool copy_table(struct store *from, struct store *to, const struct table *t, struct err *e)
{
    struct arena a = {0};
    struct query q = query_begin(
        from, e, arena_printf(&a, "SELECT %s FROM %s %s", t->columns, t->name, t->which), "");
    bool ok = q.answer && copy_rows(&q, to, t, e);
    query_end(&q);
    arena_free(&a);
    return ok;
}

static bool is_empty(struct store *s, struct err *e)
{
    uint64_t n;
    return store_ask_number(s, &n, e,
                            "SELECT (SELECT count(*) FROM strategy) + (SELECT count(*) FROM"
                            " finding) + (SELECT count(*) FROM choice WHERE key <> 'schema')",
                            "") &&
           (!n || fail(e, "%s holds a campaign already: take an empty place", s->name));
}

/* Ids that are given from now on follow those that were copied. */
static bool move_identity(struct store *to, struct err *e)
{
    return !to->driver->shared ||
           to->driver->run(to,
                           "SELECT setval(pg_get_serial_sequence('finding', 'id'),"
                           " coalesce(max(id), 0) + 1, false) FROM finding",
                           e);
}

static bool copy_all(struct store *from, struct store *to, struct err *e)
{
    for (size_t i = 0; i < LENGTH(tables); i++)
        if (!copy_table(from, to, &tables[i], e))
            return false;
    return store_give_back_all(to, e) && move_identity(to, e);
}

bool store_copy(struct store *from, struct store *to, struct err *e)
{
    if (store_begin(to, e) && is_empty(to, e) && copy_all(from, to, e) && store_commit(to, e))
        return true;
    store_undo(to);
    return false;
}
