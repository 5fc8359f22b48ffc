/* Which findings are one bug.  Takes the rows of the store; says which finding stands for each, and
 * merges and splits by what triage calls them.  Nothing is ever removed: a merged finding keeps its
 * key, by which its programs are recognised, its folder and its count.  What somebody who knows has
 * merged or split is held: only they change it. */
#include "hunt/private.h"

#include <string.h>

const struct store_finding *bug_row(const struct store_finding *rows, size_t n, uint64_t id)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && rows[low].id == id ? &rows[low] : NULL;
}

uint64_t bug_root(const struct store_finding *rows, size_t n, uint64_t id)
{
    const struct store_finding *r = bug_row(rows, n, id);
    for (size_t steps = 0; r && r->same_as && steps < n; steps++) {
        id = r->same_as;
        r = bug_row(rows, n, id);
    }
    return id;
}

/* Of each signature the oldest finding.  One that was split by hand is no other's bug. */
static void find_oldest(struct arena *a, const struct store_finding *rows, size_t n,
                        struct map *oldest)
{
    for (size_t i = 0; i < n; i++) {
        bool alone = rows[i].held && !rows[i].same_as;
        if (*rows[i].bug && !alone && !map_get(oldest, rows[i].bug))
            map_set(a, oldest, rows[i].bug, (void *)&rows[i]);
    }
}

/* The oldest finding that triage calls the same; 0 for none. */
static uint64_t oldest_like(const struct map *oldest, const struct store_finding *r)
{
    const struct store_finding *first = map_get(oldest, r->bug);
    return first && first->id < r->id ? first->id : 0;
}

/* What triage says of it, which is what its key said as long as triage has not spoken. */
static uint64_t judged(const struct store_finding *rows, size_t n, const struct map *oldest,
                       const struct store_finding *r)
{
    const struct store_finding *other = bug_row(rows, n, r->same_as);
    if (r->held || !*r->bug)
        return r->same_as;
    uint64_t like = oldest_like(oldest, r);
    bool unknown = other && !*other->bug;
    return like ? like : unknown ? r->same_as : 0;
}

int bug_gained(const struct bug_change *change)
{
    return (change->was != 0) - (change->same_as != 0);
}

bool bug_settle(struct store *store, bug_changed_fn *changed, void *context, struct err *e)
{
    struct arena a = {0};
    struct store_finding *rows;
    size_t n;
    struct map oldest = {0};
    bool ok = store_findings(store, &a, STORE_LINE, &rows, &n, e);
    if (ok)
        find_oldest(&a, rows, n, &oldest);
    for (size_t i = 0; ok && i < n; i++) {
        uint64_t same_as = judged(rows, n, &oldest, &rows[i]);
        if (same_as == rows[i].same_as)
            continue;
        struct bug_change change = {rows[i].id, rows[i].same_as, same_as};
        ok = store_merge(store, change.id, same_as, false, e);
        rows[i].same_as = same_as;
        if (ok)
            changed(context, &change);
    }
    arena_free(&a);
    return ok;
}

/* ---- by hand ------------------------------------------------------------------------------ */

static bool has_row(const char *dir, const struct store_finding *rows, size_t n, uint64_t id,
                    struct err *e)
{
    return bug_row(rows, n, id) || fail(e, "%s has no finding %llu: see cupel list --all %s", dir,
                                        (unsigned long long)id, dir);
}

static bool merge(struct store *s, const char *dir, uint64_t into, uint64_t id, struct err *e)
{
    struct arena a = {0};
    struct store_finding *rows;
    size_t n;
    bool ok = store_findings(s, &a, STORE_LINE, &rows, &n, e) && has_row(dir, rows, n, into, e) &&
              has_row(dir, rows, n, id, e);
    if (ok && bug_root(rows, n, into) == bug_root(rows, n, id))
        ok = fail(e, "findings %llu and %llu are one bug already", (unsigned long long)into,
                  (unsigned long long)id);
    /* whatever stands for id goes over with all that it stands for */
    ok = ok && store_merge(s, bug_root(rows, n, id), bug_root(rows, n, into), true, e);
    arena_free(&a);
    return ok;
}

static bool split(struct store *s, const char *dir, uint64_t id, struct err *e)
{
    struct arena a = {0};
    struct store_finding *rows;
    size_t n;
    bool ok = store_findings(s, &a, STORE_LINE, &rows, &n, e) && has_row(dir, rows, n, id, e);
    if (ok && !bug_row(rows, n, id)->same_as) {
        struct text members = {0};
        for (size_t i = 0; i < n; i++)
            if (rows[i].id != id && bug_root(rows, n, rows[i].id) == id)
                text_printf(&members, " %llu", (unsigned long long)rows[i].id);
        ok = fail(e, "finding %llu stands for itself%s%s", (unsigned long long)id,
                  members.n ? ", and for these, which can be split from it:" : " already",
                  text_str(&members));
        text_free(&members);
    }
    ok = ok && store_merge(s, id, 0, true, e);
    arena_free(&a);
    return ok;
}

bool hunt_merge(const char *dir, uint64_t into, uint64_t id, struct err *e)
{
    struct arena a = {0};
    struct site site = site_of(&a, dir);
    struct store *s = site_open(&site, STORE_WRITE, NULL, e);
    bool ok = s && merge(s, site.name, into, id, e);
    store_close(s);
    arena_free(&a);
    return ok;
}

bool hunt_split(const char *dir, uint64_t id, struct err *e)
{
    struct arena a = {0};
    struct site site = site_of(&a, dir);
    struct store *s = site_open(&site, STORE_WRITE, NULL, e);
    bool ok = s && split(s, site.name, id, e);
    store_close(s);
    arena_free(&a);
    return ok;
}
