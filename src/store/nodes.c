/* Who takes part in a campaign that several machines share, and with which compilers. */
#include "store/driver.h"

static bool join_compiler(struct store *s, const struct store_node *me,
                          const struct store_compiler *c, struct err *e)
{
    return store_change(s, e,
                        "INSERT INTO compiler(id, name, version, target, hash)"
                        " VALUES($1, $2, $3, $4, $5) ON CONFLICT(id) DO NOTHING",
                        "ttttt", c->id, c->name, c->version, c->target, c->hash) &&
           store_change(s, e,
                        "INSERT INTO has(node, compiler) VALUES($1, $2)"
                        " ON CONFLICT(node, compiler) DO NOTHING",
                        "tt", me->id, c->id);
}

static bool join(struct store *s, const struct store_node *me, const struct store_compiler *all,
                 size_t n, struct err *e)
{
    int64_t now = store_now(s);
    if (!store_change(s, e,
                      "INSERT INTO node(id, host, version, kit, jobs, programs, compiles, job_cpu,"
                      " own_cpu, started, beat, gone) VALUES($1, $2, $3, $4, $5, 0, 0, 0, 0, $6,"
                      " $7, 0) ON CONFLICT(id) DO UPDATE SET kit = excluded.kit,"
                      " beat = excluded.beat, gone = 0",
                      "ttttiii", me->id, me->host, me->version, me->kit, INTEGER(me->jobs), now,
                      now) ||
        !store_change(s, e, "DELETE FROM has WHERE node = $1", "t", me->id))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!join_compiler(s, me, &all[i], e))
            return false;
    return true;
}

bool store_join(struct store *s, const struct store_node *me, const struct store_compiler *all,
                size_t n, struct err *e)
{
    if (store_begin(s, e) && join(s, me, all, n, e) && store_commit(s, e))
        return true;
    store_undo(s);
    return false;
}

bool store_beat(struct store *s, const struct store_node *me, bool *known, struct err *e)
{
    struct query q = query_begin(s, e,
                                 "UPDATE node SET beat = $1, programs = $2, compiles = $3,"
                                 " job_cpu = $4, own_cpu = $5 WHERE id = $6 AND gone = 0"
                                 " RETURNING id",
                                 "iiirrt", store_now(s), INTEGER(me->programs),
                                 INTEGER(me->compiles), me->job_cpu, me->own_cpu, me->id);
    bool ok = query_next(&q, known, e);
    query_end(&q);
    return ok;
}

/* A node's leases are given back, and it is gone. */
static bool release(struct store *s, const char *id, struct err *e)
{
    return store_change(s, e, "UPDATE node SET gone = 1 WHERE id = $1", "t", id) &&
           store_change(s, e,
                        "UPDATE task SET state = $1, owner = '' WHERE state = $2 AND owner = $3",
                        "iit", INTEGER(TASK_WAITING), INTEGER(TASK_LEASED), id) &&
           store_change(s, e, "UPDATE finding SET owner = '' WHERE owner = $1", "t", id) &&
           store_change(s, e, "UPDATE errand SET owner = '' WHERE owner = $1", "t", id) &&
           store_change(s, e, "DELETE FROM has WHERE node = $1", "t", id);
}

bool store_leave(struct store *s, const char *id, struct err *e)
{
    if (store_begin(s, e) && release(s, id, e) && store_commit(s, e))
        return true;
    store_undo(s);
    return false;
}

static void read_id(struct query *q, struct arena *a, void *out)
{
    *(char **)out = query_text(q, a, 0);
}

/* Whoever comes first does it: the rows are locked, and a node that is heard of meanwhile is not
 * among them. */
static bool find_silent(struct store *s, struct arena *a, double silence, char ***ids, size_t *n,
                        struct err *e)
{
    const char *sql = arena_printf(
        a, "SELECT id FROM node WHERE gone = 0 AND beat < $1 ORDER BY id %s",
        s->driver->skip_locked);
    struct query q = query_begin(s, e, sql, "i", store_now(s) - (int64_t)silence);
    return query_collect(&q, a, sizeof **ids, read_id, ids, n, e);
}

bool store_give_up_silent(struct store *s, double silence, uint64_t *nodes, struct err *e)
{
    struct arena a = {0};
    char **ids;
    size_t n = 0;
    bool ok = store_begin(s, e) && find_silent(s, &a, silence, &ids, &n, e);
    for (size_t i = 0; ok && i < n; i++)
        ok = release(s, ids[i], e);
    ok = ok && store_commit(s, e);
    if (!ok)
        store_undo(s);
    *nodes = ok ? n : 0;
    arena_free(&a);
    return ok;
}

static void read_node(struct query *q, struct arena *a, void *out)
{
    *(struct store_node *)out = (struct store_node){
        .id = query_text(q, a, 0),
        .host = query_text(q, a, 1),
        .version = query_text(q, a, 2),
        .kit = query_text(q, a, 3),
        .jobs = query_number(q, 4),
        .programs = query_number(q, 5),
        .compiles = query_number(q, 6),
        .job_cpu = query_real(q, 7),
        .own_cpu = query_real(q, 8),
        .started = (int64_t)query_number(q, 9),
        .beat = (int64_t)query_number(q, 10),
        .left = query_number(q, 11) != 0,
        .silence = (double)(store_now(q->s) - (int64_t)query_number(q, 10))};
}

bool store_nodes(struct store *s, struct arena *a, struct store_node **out, size_t *n,
                 struct err *e)
{
    struct query q = query_begin(
        s, e,
        "SELECT id, host, version, kit, jobs, programs, compiles, job_cpu,"
        " own_cpu, started, beat, gone FROM node ORDER BY gone, started, id",
        "");
    return query_collect(&q, a, sizeof **out, read_node, out, n, e);
}

static void read_compiler(struct query *q, struct arena *a, void *out)
{
    *(struct store_compiler *)out = (struct store_compiler){
        query_text(q, a, 0), query_text(q, a, 1), query_text(q, a, 2),
        query_text(q, a, 3), query_text(q, a, 4), query_text(q, a, 5)};
}

bool store_compilers(struct store *s, struct arena *a, struct store_compiler **out, size_t *n,
                     struct err *e)
{
    const char *all = s->driver->shared ? "string_agg(DISTINCT node.host, ' ')"
                                        : "group_concat(DISTINCT node.host)";
    const char *sql = arena_printf(
        a,
        "SELECT compiler.id, name, compiler.version, target, hash, coalesce(%s, '')"
        " FROM compiler LEFT JOIN has ON has.compiler = compiler.id"
        " LEFT JOIN node ON node.id = has.node"
        " GROUP BY compiler.id, name, compiler.version, target, hash ORDER BY name, compiler.id",
        all);
    struct query q = query_begin(s, e, sql, "");
    return query_collect(&q, a, sizeof **out, read_compiler, out, n, e);
}
