/* Tasks: leased, given back, done, lost. */
#include "store/driver.h"

#include <string.h>

/* ---- new ones -------------------------------------------------------------------------- */

/* The first of so many numbers of the strategy that nobody had before. */
static bool take_numbers(struct store *s, const char *strategy, size_t n, uint64_t *first,
                         struct err *e)
{
    bool ok = store_ask_number(
        s, first, e,
        "INSERT INTO strategy(name, next, programs, skipped, lost, compiles, runs, bytes,"
        " findings, repeats, job_cpu, own_cpu, recent_cpu, recent_findings)"
        " VALUES($1, $2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)"
        " ON CONFLICT(name) DO UPDATE SET next = strategy.next + excluded.next RETURNING next",
        "ti", strategy, INTEGER(n));
    *first -= n;
    return ok;
}

static bool write_leases(struct store *s, const struct store_node *me,
                         const struct store_task *tasks, size_t n, struct err *e)
{
    enum { COLUMNS = 7 };
    struct arena a = {0};
    struct value *v = NEW_ARRAY(&a, n * COLUMNS, struct value);
    for (size_t i = 0; i < n; i++) {
        const struct store_task *t = &tasks[i];
        const struct value row[COLUMNS] = {TEXT_VALUE(t->strategy),   INTEGER_VALUE(t->number),
                                           TEXT_VALUE(t->profile),    TEXT_VALUE(t->class),
                                           TEXT_VALUE(me->kit),       TEXT_VALUE(me->id),
                                           INTEGER_VALUE(TASK_LEASED)};
        memcpy(v + i * COLUMNS, row, sizeof row);
    }
    struct many m = {
        "INSERT INTO task(strategy, number, profile, class, kit, owner, state) VALUES ",
        "",
        v,
        n,
        COLUMNS,
        true};
    bool ok = store_change_many(s, &m, e);
    arena_free(&a);
    return ok;
}

/* Numbers for the tasks of each strategy, the strategies in the order in which they come first:
 * nodes that lock the same rows do so in the same order as long as their callers do. */
static bool number_tasks(struct store *s, struct store_task *tasks, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        size_t same = 0, before = 0;
        uint64_t number;
        for (size_t k = 0; k < n; k++)
            if (strcmp(tasks[k].strategy, tasks[i].strategy) == 0) {
                same++;
                before += k < i;
            }
        if (before)
            continue;
        if (!take_numbers(s, tasks[i].strategy, same, &number, e))
            return false;
        for (size_t k = i; k < n; k++)
            if (strcmp(tasks[k].strategy, tasks[i].strategy) == 0)
                tasks[k].number = number++;
    }
    return true;
}

/* How many there may still be.  Whoever asks is alone until the transaction ends. */
static bool find_room(struct store *s, uint64_t most, size_t *n, struct err *e)
{
    uint64_t all = 0;
    if (!most)
        return true;
    if (s->driver->shared && !s->driver->run(s, "LOCK TABLE strategy IN EXCLUSIVE MODE", e))
        return false;
    if (!store_ask_number(s, &all, e, "SELECT sum(next) FROM strategy", ""))
        return false;
    uint64_t room = all < most ? most - all : 0;
    *n = *n < room ? *n : (size_t)room;
    return true;
}

bool store_lease(struct store *s, const struct store_node *me, struct store_task *tasks, size_t *n,
                 uint64_t most, struct err *e)
{
    if (store_begin(s, e) && find_room(s, most, n, e) &&
        (!*n || (number_tasks(s, tasks, *n, e) && write_leases(s, me, tasks, *n, e))) &&
        store_commit(s, e))
        return true;
    store_undo(s);
    return false;
}

/* ---- those that were given back -------------------------------------------------------- */

static void read_task(struct query *q, struct arena *a, void *out)
{
    *(struct store_task *)out = (struct store_task){.strategy = query_text(q, a, 0),
                                                    .number = query_number(q, 1),
                                                    .deaths = (unsigned)query_number(q, 2),
                                                    .profile = query_text(q, a, 3),
                                                    .class = query_text(q, a, 4)};
}

static const char *again_sql(struct store *s, struct arena *a, const struct store_again *again)
{
    struct text t = {0};
    text_puts(&t, "WITH picked AS MATERIALIZED (SELECT strategy, number FROM task"
                  " WHERE state = 2 AND deaths <= $1 AND (kit = '' OR kit = $2 OR NOT EXISTS"
                  " (SELECT 1 FROM node WHERE node.kit = task.kit AND gone = 0))"
                  " AND strategy IN (");
    for (size_t i = 0; i < again->strategy_count; i++)
        text_printf(&t, "%s$%zu", i ? ", " : "", i + 5);
    text_printf(&t,
                ") ORDER BY strategy, number LIMIT $3 %s)"
                " UPDATE task SET state = 0, kit = $2, owner = $4 FROM picked"
                " WHERE task.strategy = picked.strategy AND task.number = picked.number"
                " RETURNING task.strategy, task.number, task.deaths, task.profile, task.class",
                s->driver->skip_locked);
    const char *sql = arena_string(a, text_str(&t));
    text_free(&t);
    return sql;
}

/* Mostly there are none, and a file would look at every task to find that out: those that are not
 * done have an index. */
static bool is_any_waiting(struct store *s, bool *any, struct err *e)
{
    uint64_t n = 1;
    bool ok = s->driver->shared ||
              store_ask_number(s, &n, e, "SELECT count(*) FROM task WHERE state <> 1 AND state = 2",
                               "");
    *any = n;
    return ok;
}

bool store_lease_again(struct store *s, struct arena *a, const struct store_node *me,
                       const struct store_again *again, struct store_task *out, size_t *n,
                       struct err *e)
{
    enum { FIXED = 4 };
    bool any;
    *n = 0;
    if (!is_any_waiting(s, &any, e))
        return false;
    if (!any)
        return true;
    struct value *v = NEW_ARRAY(a, FIXED + again->strategy_count, struct value);
    struct store_task *rows;
    v[0] = (struct value){.kind = VALUE_INTEGER, .integer = again->most_deaths};
    v[1] = (struct value){.kind = VALUE_TEXT, .text = me->kit};
    v[2] = (struct value){.kind = VALUE_INTEGER, .integer = INTEGER(again->most)};
    v[3] = (struct value){.kind = VALUE_TEXT, .text = me->id};
    for (size_t i = 0; i < again->strategy_count; i++)
        v[FIXED + i] = (struct value){.kind = VALUE_TEXT, .text = again->strategies[i]};
    struct query q = query_values(s, e, again_sql(s, a, again), v, FIXED + again->strategy_count);
    if (!query_collect(&q, a, sizeof *rows, read_task, &rows, n, e))
        return false;
    if (*n)
        memcpy(out, rows, *n * sizeof *rows);
    return true;
}

/* ---- how they end ---------------------------------------------------------------------- */

/* From leased by the node to something else; *mine is false when it was not. */
static bool end_lease(struct store *s, const struct store_node *me, const struct store_task *t,
                      enum task_state state, bool *mine, struct err *e)
{
    struct query q = query_begin(s, e,
                                 "UPDATE task SET state = $1 WHERE strategy = $2 AND number = $3"
                                 " AND state = $4 AND owner = $5 RETURNING number",
                                 "itiit", INTEGER(state), t->strategy, INTEGER(t->number),
                                 INTEGER(TASK_LEASED), me->id);
    bool ok = query_next(&q, mine, e);
    query_end(&q);
    return ok;
}

bool store_give_back(struct store *s, const struct store_node *me, const struct store_task *task,
                     struct err *e)
{
    return store_change(s, e,
                        "UPDATE task SET state = $1, deaths = deaths + 1, owner = ''"
                        " WHERE strategy = $2 AND number = $3 AND state = $4 AND owner = $5",
                        "itiit", INTEGER(TASK_WAITING), task->strategy, INTEGER(task->number),
                        INTEGER(TASK_LEASED), me->id);
}

static bool keep_tasks(struct store *s, const struct store_node *me, const struct store_holding *h,
                       struct err *e)
{
    struct arena a = {0};
    struct text sql = {0};
    struct value *v = NEW_ARRAY(&a, 1 + 2 * h->task_count, struct value);
    bool row;
    v[0] = TEXT_VALUE(me->id);
    for (size_t i = 0; i < h->task_count; i++) {
        v[1 + 2 * i] = TEXT_VALUE(h->tasks[i].strategy);
        v[2 + 2 * i] = INTEGER_VALUE(h->tasks[i].number);
    }
    text_puts(&sql, "UPDATE task SET state = 2, owner = '' WHERE state = 0 AND owner = $1");
    if (h->task_count) {
        text_puts(&sql, " AND (strategy, number) NOT IN (VALUES ");
        store_put_rows(&sql, 2, h->task_count, 2);
        text_putc(&sql, ')');
    }
    struct query q = query_values(s, e, text_str(&sql), v, 1 + 2 * h->task_count);
    bool ok = query_next(&q, &row, e);
    query_end(&q);
    text_free(&sql);
    arena_free(&a);
    return ok;
}

/* Of a table whose rows have ids. */
static bool keep_rows(struct store *s, const struct store_node *me, const char *table,
                      const uint64_t *ids, size_t n, struct err *e)
{
    struct text sql = {0};
    text_printf(&sql, "UPDATE %s SET owner = '' WHERE owner = $1", table);
    for (size_t i = 0; i < n; i++)
        text_printf(&sql, " AND id <> %llu", (unsigned long long)ids[i]);
    bool ok = store_change(s, e, text_str(&sql), "t", me->id);
    text_free(&sql);
    return ok;
}

bool store_keep_only(struct store *s, const struct store_node *me, const struct store_holding *h,
                     struct err *e)
{
    return keep_tasks(s, me, h, e) &&
           keep_rows(s, me, "finding", h->findings, h->finding_count, e) &&
           keep_rows(s, me, "errand", h->errands, h->errand_count, e);
}

bool store_give_back_all(struct store *s, struct err *e)
{
    return store_change(s, e, "UPDATE task SET state = $1, owner = '' WHERE state = $2", "ii",
                        INTEGER(TASK_WAITING), INTEGER(TASK_LEASED)) &&
           store_change(s, e, "UPDATE finding SET owner = '' WHERE owner <> ''", "") &&
           store_change(s, e, "UPDATE errand SET owner = '' WHERE owner <> ''", "");
}

bool store_finish(struct store *s, const struct store_node *me, const struct store_task *task,
                  bool *mine, struct err *e)
{
    return end_lease(s, me, task, TASK_DONE, mine, e);
}

/* Marks that of the tasks which is in the row: once.  A node that lost a lease and got it again may
 * bring two results of one task. */
static void mark(struct query *q, const struct store_task *tasks, size_t n, bool *mine)
{
    struct arena a = {0};
    const char *strategy = query_text(q, &a, 0);
    size_t i = 0;
    while (i < n &&
           (tasks[i].number != query_number(q, 1) || strcmp(tasks[i].strategy, strategy) != 0))
        i++;
    if (i < n)
        mine[i] = true;
    arena_free(&a);
}

/* A file would look at every task for that; and it has no way to go that one statement could save.
 */
static bool finish_each(struct store *s, const struct store_node *me,
                        const struct store_task *tasks, size_t n, bool *mine, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        if (!store_finish(s, me, &tasks[i], &mine[i], e))
            return false;
    return true;
}

bool store_finish_all(struct store *s, const struct store_node *me, const struct store_task *tasks,
                      size_t n, bool *mine, struct err *e)
{
    if (!s->driver->shared)
        return finish_each(s, me, tasks, n, mine, e);
    struct arena a = {0};
    struct text sql = {0};
    struct value *v = NEW_ARRAY(&a, 1 + 2 * n, struct value);
    bool row = true, ok = true;
    v[0] = TEXT_VALUE(me->id);
    for (size_t i = 0; i < n; i++) {
        mine[i] = false;
        v[1 + 2 * i] = TEXT_VALUE(tasks[i].strategy);
        v[2 + 2 * i] = INTEGER_VALUE(tasks[i].number);
    }
    text_puts(&sql, "UPDATE task SET state = 1 WHERE state = 0 AND owner = $1"
                    " AND (strategy, number) IN (VALUES ");
    store_put_rows(&sql, 2, n, 2);
    text_puts(&sql, ") RETURNING strategy, number");
    struct query q = query_values(s, e, text_str(&sql), v, 1 + 2 * n);
    while (ok && (ok = query_next(&q, &row, e)) && row)
        mark(&q, tasks, n, mine);
    query_end(&q);
    text_free(&sql);
    arena_free(&a);
    return ok;
}

bool store_give_up(struct store *s, const struct store_node *me, const struct store_task *task,
                   bool *mine, struct err *e)
{
    return end_lease(s, me, task, TASK_LOST, mine, e);
}

static void read_open(struct query *q, struct arena *a, void *out)
{
    *(struct store_open *)out = (struct store_open){.strategy = query_text(q, a, 0),
                                                    .leased = query_number(q, 1),
                                                    .waiting = query_number(q, 2),
                                                    .lost = query_number(q, 3)};
}

bool store_open_tasks(struct store *s, struct arena *a, struct store_open **out, size_t *n,
                      struct err *e)
{
    struct query q = query_begin(s, e,
                                 "SELECT strategy, sum(CASE WHEN state = 0 THEN 1 ELSE 0 END),"
                                 " sum(CASE WHEN state = 2 THEN 1 ELSE 0 END),"
                                 " sum(CASE WHEN state = 3 THEN 1 ELSE 0 END)"
                                 " FROM task WHERE state <> 1 GROUP BY strategy",
                                 "");
    return query_collect(&q, a, sizeof **out, read_open, out, n, e);
}

/* Every number below next has a task, so what is not open is done: nobody counts a million rows. */
bool store_count_tasks(struct store *s, struct store_tally *out, struct err *e)
{
    struct arena a = {0};
    struct store_open *rows;
    uint64_t all = 0;
    size_t n = 0;
    bool ok = store_open_tasks(s, &a, &rows, &n, e) &&
              store_ask_number(s, &all, e, "SELECT sum(next) FROM strategy", "");
    *out = (struct store_tally){0};
    for (size_t i = 0; ok && i < n; i++) {
        out->leased += rows[i].leased;
        out->waiting += rows[i].waiting;
        out->lost += rows[i].lost;
    }
    out->done = ok ? all - out->leased - out->waiting - out->lost : 0;
    arena_free(&a);
    return ok;
}
