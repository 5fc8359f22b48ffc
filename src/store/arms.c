/* What a hunt chooses between, and what each choice has done. */
#include "store/driver.h"

#include <string.h>

#define COLUMNS                                                                               \
    "name, next, programs, skipped, lost, compiles, runs, bytes, findings, repeats, job_cpu," \
    " own_cpu, recent_cpu, recent_findings"

static void read_arm(struct query *q, struct arena *a, void *out)
{
    struct store_arm *o = out;
    uint64_t *const numbers[] = {&o->next, &o->programs, &o->skipped,  &o->lost,   &o->compiles,
                                 &o->runs, &o->bytes,    &o->findings, &o->repeats};
    double *const reals[] = {&o->job_cpu, &o->own_cpu, &o->recent_cpu, &o->recent_findings};
    if (a)
        o->name = query_text(q, a, 0);
    for (size_t i = 0; i < LENGTH(numbers); i++)
        *numbers[i] = query_number(q, (int)i + 1);
    for (size_t i = 0; i < LENGTH(reals); i++)
        *reals[i] = query_real(q, (int)(LENGTH(numbers) + i) + 1);
}

bool store_load_arm(struct store *s, struct store_arm *o, struct err *e)
{
    struct query q = query_begin(s, e, "SELECT " COLUMNS " FROM strategy WHERE name = $1", "t",
                                 o->name);
    bool row;
    bool ok = query_next(&q, &row, e);
    *o = (struct store_arm){.name = o->name, .prior = o->prior};
    if (row)
        read_arm(&q, NULL, o);
    query_end(&q);
    return ok;
}

bool store_arms(struct store *s, struct arena *a, struct store_arm **out, size_t *n, struct err *e)
{
    struct query q = query_begin(s, e, "SELECT " COLUMNS " FROM strategy ORDER BY name", "");
    return query_collect(&q, a, sizeof **out, read_arm, out, n, e);
}

bool store_add_to_arms(struct store *s, const struct store_arm *was, const struct store_arm *is,
                       size_t n, struct err *e)
{
    enum { COUNT = 14 };
    struct arena a = {0};
    struct value *v = NEW_ARRAY(&a, n * COUNT, struct value);
    for (size_t i = 0; i < n; i++) {
        const struct store_arm *x = &was[i], *y = &is[i];
        const struct value row[COUNT] = {TEXT_VALUE(y->name),
                                         INTEGER_VALUE(0),
                                         INTEGER_VALUE(y->programs - x->programs),
                                         INTEGER_VALUE(y->skipped - x->skipped),
                                         INTEGER_VALUE(y->lost - x->lost),
                                         INTEGER_VALUE(y->compiles - x->compiles),
                                         INTEGER_VALUE(y->runs - x->runs),
                                         INTEGER_VALUE(y->bytes - x->bytes),
                                         INTEGER_VALUE(y->findings - x->findings),
                                         INTEGER_VALUE(y->repeats - x->repeats),
                                         REAL_VALUE(y->job_cpu - x->job_cpu),
                                         REAL_VALUE(y->own_cpu - x->own_cpu),
                                         REAL_VALUE(y->recent_cpu),
                                         REAL_VALUE(y->recent_findings)};
        memcpy(v + i * COUNT, row, sizeof row);
    }
    struct many m = {
        "INSERT INTO strategy(" COLUMNS ") VALUES ",
        " ON CONFLICT(name) DO UPDATE SET programs = strategy.programs + excluded.programs,"
        " skipped = strategy.skipped + excluded.skipped, lost = strategy.lost + excluded.lost,"
        " compiles = strategy.compiles + excluded.compiles, runs = strategy.runs + excluded.runs,"
        " bytes = strategy.bytes + excluded.bytes,"
        " findings = strategy.findings + excluded.findings,"
        " repeats = strategy.repeats + excluded.repeats,"
        " job_cpu = strategy.job_cpu + excluded.job_cpu,"
        " own_cpu = strategy.own_cpu + excluded.own_cpu, recent_cpu = excluded.recent_cpu,"
        " recent_findings = excluded.recent_findings",
        v,
        n,
        COUNT,
        true};
    bool ok = !n || store_change_many(s, &m, e);
    arena_free(&a);
    return ok;
}

/* ---- sums ------------------------------------------------------------------------------ */

bool store_add_to_tallies(struct store *s, const struct store_sum *sums, size_t n, struct err *e)
{
    enum { COUNT = 3 };
    struct arena a = {0};
    struct value *v = NEW_ARRAY(&a, n * COUNT, struct value);
    for (size_t i = 0; i < n; i++) {
        const struct value row[COUNT] = {TEXT_VALUE(sums[i].strategy), TEXT_VALUE(sums[i].name),
                                         REAL_VALUE(sums[i].amount)};
        memcpy(v + i * COUNT, row, sizeof row);
    }
    struct many m = {"INSERT INTO tally(strategy, name, amount) VALUES ",
                     " ON CONFLICT(strategy, name) DO UPDATE"
                     " SET amount = tally.amount + excluded.amount",
                     v,
                     n,
                     COUNT,
                     true};
    bool ok = !n || store_change_many(s, &m, e);
    arena_free(&a);
    return ok;
}

static void read_sum(struct query *q, struct arena *a, void *out)
{
    *(struct store_sum *)out = (struct store_sum){query_text(q, a, 0), query_text(q, a, 1),
                                                  query_real(q, 2)};
}

bool store_tallies(struct store *s, struct arena *a, struct store_sum **out, size_t *n,
                   struct err *e)
{
    struct query q = query_begin(
        s, e, "SELECT strategy, name, amount FROM tally ORDER BY strategy, name", "");
    return query_collect(&q, a, sizeof **out, read_sum, out, n, e);
}
