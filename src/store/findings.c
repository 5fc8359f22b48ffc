/* Findings, the programs that show them, and doubts. */
#include "store/driver.h"

/* ---- one ------------------------------------------------------------------------------- */

uint64_t store_find(struct store *s, const char *key)
{
    uint64_t id;
    return store_ask_number(s, &id, NULL, "SELECT id FROM finding WHERE key = $1", "t", key) ? id
                                                                                             : 0;
}

bool store_add_finding(struct store *s, const char *key, uint64_t *id, struct err *e)
{
    int64_t now = store_now(s);
    return store_ask_number(s, id, e,
                            "INSERT INTO finding(key, count, first, last, detail, open)"
                            " VALUES($1, 1, $2, $3, $4, 0) ON CONFLICT(key) DO NOTHING"
                            " RETURNING id",
                            "tiip", key, now, now, "{}");
}

bool store_set_content(struct store *s, uint64_t id, const struct store_content *c, struct err *e)
{
    return store_change(s, e,
                        "UPDATE finding SET detail = $1, brief = $2, verdict = $3, compiler = $4,"
                        " config = $5, grade = $6, strategy = $7, what = $8, lines = $9,"
                        " open = $10, compiler_id = CASE WHEN $11 = '' THEN compiler_id ELSE $11"
                        " END WHERE id = $12",
                        "ptttttttiiti", c->detail, c->brief, c->line.verdict, c->line.compiler,
                        c->line.config, c->line.grade, c->line.strategy, c->line.what,
                        INTEGER(c->line.lines), INTEGER(c->open), c->compiler_id, INTEGER(id));
}

char *store_detail(struct store *s, struct arena *a, uint64_t id)
{
    struct query q = query_begin(s, NULL, "SELECT detail FROM finding WHERE id = $1", "i",
                                 INTEGER(id));
    bool row;
    char *detail = query_next(&q, &row, NULL) && row ? query_packed(&q, a, 0) : NULL;
    query_end(&q);
    return detail;
}

bool store_count_again(struct store *s, uint64_t id, struct err *e)
{
    return store_change(s, e, "UPDATE finding SET count = count + 1, last = $1 WHERE id = $2", "ii",
                        store_now(s), INTEGER(id));
}

bool store_merge(struct store *s, uint64_t id, uint64_t same_as, bool held, struct err *e)
{
    return store_change(s, e, "UPDATE finding SET same_as = $1, held = $2 WHERE id = $3", "iii",
                        INTEGER(same_as), INTEGER(held), INTEGER(id));
}

bool store_set_bug(struct store *s, uint64_t id, const char *bug, struct err *e)
{
    return store_change(s, e, "UPDATE finding SET bug = $1 WHERE id = $2", "ti", bug, INTEGER(id));
}

/* ---- those that can become smaller ----------------------------------------------------- */

bool store_lease_finding(struct store *s, const struct store_node *me, uint64_t *id, struct err *e)
{
    enum { MOST_DEATHS = 3 };
    struct arena a = {0};
    const char *sql = arena_printf(
        &a,
        "WITH picked AS MATERIALIZED (SELECT id FROM finding WHERE open <> 0 AND owner = ''"
        " AND deaths < $1 AND ($2 = '' OR compiler_id = '' OR compiler_id IN"
        " (SELECT compiler FROM has WHERE node = $2)) ORDER BY same_as <> 0, turns, id LIMIT 1 %s)"
        " UPDATE finding SET owner = $3, turns = turns + 1 FROM picked"
        " WHERE finding.id = picked.id RETURNING finding.id",
        s->driver->skip_locked);
    bool ok = store_ask_number(s, id, e, sql, "itt", INTEGER(MOST_DEATHS), me->id,
                               s->driver->shared ? me->id : "here");
    arena_free(&a);
    return ok;
}

bool store_return_finding(struct store *s, const struct store_node *me, uint64_t id, bool died,
                          struct err *e)
{
    return store_change(s, e,
                        "UPDATE finding SET owner = '', deaths = deaths + $1"
                        " WHERE id = $2 AND owner = $3",
                        "iit", INTEGER(died), INTEGER(id), s->driver->shared ? me->id : "here");
}

bool store_count_open(struct store *s, uint64_t *n, struct err *e)
{
    return store_ask_number(s, n, e, "SELECT count(*) FROM finding WHERE open <> 0", "");
}

/* ---- lists ----------------------------------------------------------------------------- */

/* What is read of a finding; one that is only read may be older: then nothing is merged in it, and
 * there is nothing brief. */
static const char *select_findings(struct store *s, struct arena *a, enum store_extent extent,
                                   const char *rest)
{
    bool lines = extent == STORE_LINE && s->version >= 6;
    const char *detail = lines ? "CASE WHEN config = '' THEN brief ELSE '' END"
                         : extent != STORE_WHOLE && s->version >= 5 ? "brief"
                                                                    : "''";
    return arena_printf(
        a, "SELECT id, count, key, first, last, %s, %s, %s%s FROM finding %s",
        s->version >= 3 ? "same_as, held, bug" : "0, 0, ''", s->version >= 5 ? "compiler_id" : "''",
        detail, lines ? ", verdict, compiler, config, grade, strategy, what, lines" : "", rest);
}

static void read_finding(struct query *q, struct arena *a, void *out)
{
    *(struct store_finding *)out = (struct store_finding){.id = query_number(q, 0),
                                                          .count = query_number(q, 1),
                                                          .key = query_text(q, a, 2),
                                                          .first = (int64_t)query_number(q, 3),
                                                          .last = (int64_t)query_number(q, 4),
                                                          .same_as = query_number(q, 5),
                                                          .held = query_number(q, 6) != 0,
                                                          .bug = query_text(q, a, 7),
                                                          .compiler_id = query_text(q, a, 8),
                                                          .detail = query_text(q, a, 9)};
}

static void read_line(struct query *q, struct arena *a, void *out)
{
    struct store_finding *f = out;
    read_finding(q, a, f);
    if (!*f->detail)
        f->line = (struct store_line){.verdict = query_text(q, a, 10),
                                      .compiler = query_text(q, a, 11),
                                      .config = query_text(q, a, 12),
                                      .grade = query_text(q, a, 13),
                                      .strategy = query_text(q, a, 14),
                                      .what = query_text(q, a, 15),
                                      .lines = query_number(q, 16)};
}

/* A row without what a list shows is read whole. */
static bool complete(struct store *s, struct arena *a, struct store_finding *f, struct err *e)
{
    if (*f->detail || f->line.config)
        return true;
    f->detail = store_detail(s, a, f->id);
    f->whole = true;
    return f->detail ||
           fail(e, "%s: finding %llu cannot be read", s->name, (unsigned long long)f->id);
}

static bool read_findings(struct store *s, struct arena *a, enum store_extent extent,
                          const char *rest, struct store_finding **out, size_t *n, struct err *e)
{
    struct query q = query_begin(s, e, select_findings(s, a, extent, rest), "");
    bool lines = extent == STORE_LINE && s->version >= 6;
    bool ok = query_collect(&q, a, sizeof **out, lines ? read_line : read_finding, out, n, e);
    for (size_t i = 0; ok && i < *n; i++)
        ok = complete(s, a, &(*out)[i], e);
    return ok;
}

bool store_findings(struct store *s, struct arena *a, enum store_extent extent,
                    struct store_finding **out, size_t *n, struct err *e)
{
    return read_findings(s, a, extent, "ORDER BY id", out, n, e);
}

bool store_finding(struct store *s, struct arena *a, uint64_t id, struct store_finding *out,
                   bool *found, struct err *e)
{
    struct store_finding *rows;
    size_t n;
    const char *rest = arena_printf(a, "WHERE id = %llu", (unsigned long long)id);
    bool ok = read_findings(s, a, STORE_WHOLE, rest, &rows, &n, e);
    *found = ok && n;
    if (*found)
        *out = rows[0];
    return ok;
}

bool store_newest(struct store *s, struct arena *a, size_t most, struct store_finding **out,
                  size_t *n, struct err *e)
{
    const char *rest = arena_printf(
        a, "WHERE same_as = 0 AND verdict <> '' ORDER BY first DESC, id DESC LIMIT %zu", most);
    return read_findings(s, a, STORE_BRIEF, rest, out, n, e);
}

/* ---- counting -------------------------------------------------------------------------- */

static void read_count(struct query *q, struct arena *a, void *out)
{
    *(struct store_count *)out = (struct store_count){query_text(q, a, 0), query_number(q, 1)};
}

bool store_count_by(struct store *s, struct arena *a, enum store_group by, struct store_count **out,
                    size_t *n, struct err *e)
{
    static const char *const sql[] = {
        [STORE_BY_COMPILER] = "SELECT compiler, count(*) FROM finding WHERE same_as = 0 AND"
                              " verdict <> '' GROUP BY compiler ORDER BY 2 DESC, 1",
        [STORE_BY_VERDICT] = "SELECT verdict, count(*) FROM finding WHERE same_as = 0 AND"
                             " verdict <> '' GROUP BY verdict ORDER BY 2 DESC, 1"};
    struct query q = query_begin(s, e, sql[by], "");
    return query_collect(&q, a, sizeof **out, read_count, out, n, e);
}

bool store_count_over_time(struct store *s, uint64_t *spans, size_t n, int64_t *begin, int64_t *end,
                           struct err *e)
{
    bool row = false, ok;
    struct query q = query_begin(
        s, e, "SELECT min(first), max(first) FROM finding WHERE same_as = 0 AND verdict <> ''", "");
    ok = query_next(&q, &row, e);
    *begin = row ? (int64_t)query_number(&q, 0) : 0;
    *end = row ? (int64_t)query_number(&q, 1) : 0;
    query_end(&q);
    int64_t width = (*end - *begin) / (int64_t)n + 1;
    q = query_begin(s, e,
                    "SELECT (first - $1) / $2, count(*) FROM finding"
                    " WHERE same_as = 0 AND verdict <> '' GROUP BY 1",
                    "ii", *begin, width);
    for (size_t i = 0; i < n; i++)
        spans[i] = 0;
    while (ok && (ok = query_next(&q, &row, e)) && row)
        if (query_number(&q, 0) < n)
            spans[query_number(&q, 0)] = query_number(&q, 1);
    query_end(&q);
    return ok;
}

/* ---- sightings ------------------------------------------------------------------------- */

bool store_count_sightings(struct store *s, uint64_t finding, uint64_t *n, struct err *e)
{
    return store_ask_number(s, n, e, "SELECT count(*) FROM sighting WHERE finding = $1", "i",
                            INTEGER(finding));
}

bool store_add_sighting(struct store *s, const struct store_sighting *o, struct err *e)
{
    uint64_t n;
    bool ok = store_count_sightings(s, o->finding, &n, e);
    if (!ok || n >= STORE_SIGHTINGS)
        return ok;
    return store_change(s, e,
                        "INSERT INTO sighting(finding, strategy, number, config, origin, program)"
                        " VALUES($1, $2, $3, $4, $5, $6)",
                        "itittp", INTEGER(o->finding), o->strategy, INTEGER(o->number), o->config,
                        o->origin, n < STORE_SIGHTING_TEXTS ? o->program : "");
}

static void read_sighting(struct query *q, struct arena *a, void *out)
{
    *(struct store_sighting *)out = (struct store_sighting){.finding = query_number(q, 0),
                                                            .strategy = query_text(q, a, 1),
                                                            .number = query_number(q, 2),
                                                            .config = query_text(q, a, 3),
                                                            .origin = query_text(q, a, 4),
                                                            .program = query_packed(q, a, 5)};
}

bool store_sightings(struct store *s, struct arena *a, uint64_t finding,
                     struct store_sighting **out, size_t *n, struct err *e)
{
    struct query q = query_begin(s, e,
                                 "SELECT finding, strategy, number, config, origin, program"
                                 " FROM sighting WHERE finding = $1 ORDER BY rowid",
                                 "i", INTEGER(finding));
    return query_collect(&q, a, sizeof **out, read_sighting, out, n, e);
}

/* ---- doubts ---------------------------------------------------------------------------- */

bool store_add_doubt(struct store *s, const char *hash, const char *detail, uint64_t most,
                     struct err *e)
{
    uint64_t n;
    bool ok = store_ask_number(s, &n, e, "SELECT count(*) FROM doubt", "");
    if (!ok || n >= most)
        return ok;
    return store_change(s, e,
                        "INSERT INTO doubt(hash, detail) VALUES($1, $2)"
                        " ON CONFLICT(hash) DO NOTHING",
                        "tp", hash, detail);
}

/* ---- space ------------------------------------------------------------------------------- */

bool store_measure_texts(struct store *s, uint64_t *bytes, struct err *e)
{
    uint64_t doubts;
    bool ok = store_ask_number(s, bytes, e,
                               "SELECT coalesce(sum(length(program)), 0) FROM sighting", "") &&
              store_ask_number(s, &doubts, e, "SELECT coalesce(sum(length(detail)), 0) FROM doubt",
                               "");
    *bytes += ok ? doubts : 0;
    return ok;
}

bool store_drop_texts(struct store *s, struct err *e)
{
    return store_change(s, e, "UPDATE sighting SET program = $1", "p", "") &&
           store_change(s, e, "DELETE FROM doubt", "") && s->driver->run(s, "VACUUM", e);
}
