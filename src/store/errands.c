/* What people want to know and only some nodes can find out; and the programs that they brought. */
#include "store/driver.h"

enum { MOST_DEATHS = 3 };

/* ---- asking ---------------------------------------------------------------------------- */

/* What nobody came back for in a day is forgotten. */
static bool drop_old(struct store *s, struct err *e)
{
    enum { DAY = 24 * 60 * 60 };
    return store_change(s, e, "DELETE FROM errand WHERE asked < $1", "i", store_now(s) - DAY);
}

bool store_ask_errand(struct store *s, const struct store_errand *errand, uint64_t *id,
                      struct err *e)
{
    return drop_old(s, e) &&
           store_ask_number(s, id, e,
                            "INSERT INTO errand(kind, finding, command, compiler_id, asked)"
                            " VALUES($1, $2, $3, $4, $5) RETURNING id",
                            "titti", errand->kind, INTEGER(errand->finding), errand->command,
                            errand->compiler_id, store_now(s));
}

static void read_reply(struct query *q, struct arena *a, void *out)
{
    *(struct store_reply *)out = (struct store_reply){
        .answer = query_text(q, a, 0),
        .hopeless = query_number(q, 1) >= MOST_DEATHS || !query_number(q, 2)};
}

bool store_read_reply(struct store *s, struct arena *a, uint64_t id, double silence,
                      struct store_reply *out, struct err *e)
{
    struct store_reply *rows;
    size_t n = 0;
    struct query q = query_begin(
        s, e,
        "SELECT answer, deaths, (SELECT count(*) FROM has JOIN node ON node.id = has.node"
        " WHERE has.compiler = errand.compiler_id AND gone = 0 AND beat >= $1)"
        " FROM errand WHERE id = $2",
        "ii", store_now(s) - (int64_t)silence, INTEGER(id));
    if (!query_collect(&q, a, sizeof *rows, read_reply, &rows, &n, e))
        return false;
    *out = n ? rows[0] : (struct store_reply){.answer = "", .hopeless = true};
    return true;
}

bool store_drop_errand(struct store *s, uint64_t id, struct err *e)
{
    return store_change(s, e, "DELETE FROM errand WHERE id = $1", "i", INTEGER(id));
}

/* ---- answering ------------------------------------------------------------------------- */

static void read_errand(struct query *q, struct arena *a, void *out)
{
    *(struct store_errand *)out = (struct store_errand){.id = query_number(q, 0),
                                                        .finding = query_number(q, 1),
                                                        .kind = query_text(q, a, 2),
                                                        .command = query_text(q, a, 3),
                                                        .compiler_id = query_text(q, a, 4)};
}

bool store_lease_errand(struct store *s, struct arena *a, const struct store_node *me,
                        struct store_errand *out, struct err *e)
{
    struct store_errand *rows;
    size_t n = 0;
    const char *sql = arena_printf(
        a,
        "WITH picked AS MATERIALIZED (SELECT id FROM errand WHERE owner = '' AND answer = ''"
        " AND deaths < $1 AND compiler_id IN (SELECT compiler FROM has WHERE node = $2)"
        " ORDER BY id LIMIT 1 %s) UPDATE errand SET owner = $2 FROM picked"
        " WHERE errand.id = picked.id"
        " RETURNING errand.id, finding, kind, command, compiler_id",
        s->driver->skip_locked);
    struct query q = query_begin(s, e, sql, "it", INTEGER(MOST_DEATHS), me->id);
    if (!query_collect(&q, a, sizeof *rows, read_errand, &rows, &n, e))
        return false;
    *out = n ? rows[0] : (struct store_errand){0};
    return true;
}

bool store_answer_errand(struct store *s, const struct store_node *me, uint64_t id,
                         const char *answer, struct err *e)
{
    return store_change(s, e,
                        "UPDATE errand SET owner = '', answer = $1 WHERE id = $2 AND owner = $3",
                        "tit", answer, INTEGER(id), me->id);
}

bool store_return_errand(struct store *s, const struct store_node *me, uint64_t id, struct err *e)
{
    return store_change(s, e,
                        "UPDATE errand SET owner = '', deaths = deaths + 1"
                        " WHERE id = $1 AND owner = $2",
                        "it", INTEGER(id), me->id);
}

/* ---- seeds ----------------------------------------------------------------------------- */

static bool add_seed(struct store *s, const struct store_seed *seed, struct err *e)
{
    return store_change(s, e, "INSERT INTO seed(path, content) VALUES($1, $2)", "tp", seed->path,
                        seed->content);
}

static bool replace_seeds(struct store *s, const struct store_seed *seeds, size_t n, struct err *e)
{
    if (!store_change(s, e, "DELETE FROM seed", ""))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!add_seed(s, &seeds[i], e))
            return false;
    return true;
}

bool store_set_seeds(struct store *s, const struct store_seed *seeds, size_t n, struct err *e)
{
    if (store_begin(s, e) && replace_seeds(s, seeds, n, e) && store_commit(s, e))
        return true;
    store_undo(s);
    return false;
}

static void read_seed(struct query *q, struct arena *a, void *out)
{
    *(struct store_seed *)out = (struct store_seed){query_text(q, a, 0), query_packed(q, a, 1)};
}

bool store_seeds(struct store *s, struct arena *a, struct store_seed **out, size_t *n,
                 struct err *e)
{
    struct query q = query_begin(s, e, "SELECT path, content FROM seed ORDER BY path", "");
    return query_collect(&q, a, sizeof **out, read_seed, out, n, e);
}
