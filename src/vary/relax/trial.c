/* Changes on trial: executes the program with them, finds those that break it, and leaves them out.
 *
 * Takes changes, each a few edits; yields the same with some of them off.  What is left was
 * executed together with all that was settled before, in every order of evaluation that can be told
 * apart. */
#include "vary/relax/private.h"

#include <string.h>

struct change *relax_change(struct relaxing *r, struct list *to)
{
    struct change *c = NEW(r->arena, struct change);
    list_add(r->arena, to, c);
    return c;
}

void relax_add_edit(struct change *c, enum edit_kind kind, const struct node *at, struct node *with)
{
    if (c->count == CHANGE_EDITS)
        BUG("a change of more than %d edits", CHANGE_EDITS);
    c->edits[c->count++] = (struct edit){(uint8_t)kind, at->id, with};
}

bool relax_is_open(const struct relaxing *r, const struct node *n)
{
    if (r->taken[n->id])
        return false;
    for (; n; n = r->v->parent[n->id])
        if (r->taken[n->id] & TAKEN_GONE)
            return false;
    return true;
}

void relax_take(struct relaxing *r, const struct node *n, bool gone)
{
    r->taken[n->id] |= gone ? TAKEN_CHANGED | TAKEN_GONE : TAKEN_CHANGED;
}

/* ---- running ------------------------------------------------------------------------------ */

static void collect(struct arena *a, const struct list *changes, struct edit **edits, size_t *n)
{
    size_t room = *n;
    for (size_t i = 0; i < changes->n; i++)
        room += ((const struct change *)changes->at[i])->count;
    struct edit *all = NEW_ARRAY(a, room + 1, struct edit);
    if (*n)
        memcpy(all, *edits, *n * sizeof *all);
    for (size_t i = 0; i < changes->n; i++) {
        const struct change *c = changes->at[i];
        for (uint32_t k = 0; k < c->count && !c->off; k++)
            all[(*n)++] = c->edits[k];
    }
    *edits = all;
}

void relax_keep(struct relaxing *r, const struct list *changes)
{
    for (size_t i = 0; i < changes->n; i++)
        if (!((struct change *)changes->at[i])->off)
            list_add(r->arena, &r->settled, changes->at[i]);
}

void relax_yield(struct relaxing *r)
{
    struct relax_result *out = r->out;
    collect(r->arena, &r->settled, &out->edits, &out->count);
    out->output = r->expected;
    out->status = r->status;
}

static bool is_expected(const struct relaxing *r, const struct machine_result *m)
{
    return m->status == r->status && m->output.n == r->expected.n &&
           memcmp(text_str(&m->output), text_str(&r->expected), m->output.n) == 0;
}

/* defined also says that it prints what it must. */
struct machine_execution relax_run(struct relaxing *r, const struct list *changes, bool same_output,
                                   const struct machine_options *options)
{
    struct arena a = {0};
    struct edit *edits = NULL;
    size_t n = 0;
    collect(&a, &r->settled, &edits, &n);
    collect(&a, changes, &edits, &n);
    struct machine_unit unit = {r->v->p, edits, n};
    struct machine_execution x = machine_execute(&unit, 1, options);
    r->out->counts.runs++;
    x.defined = x.defined && (!same_output || is_expected(r, x.run));
    arena_free(&a);
    return x;
}

/* ---- who did it --------------------------------------------------------------------------- */

/* A change that left the object without a value, when that is what was read. */
static struct change *unset_by(const struct list *changes, size_t from, const struct node *n)
{
    while (n && n->kind != NODE_NAME)
        n = n->count ? n->kid[0] : NULL;
    for (size_t i = from; n && i < changes->n; i++) {
        struct change *c = changes->at[i];
        if (!c->off && c->object && c->object == n->u.decl)
            return c;
    }
    return NULL;
}

/* The change, from this one on, whose own nodes were found undefined; NULL when it is not as simple
 * as that.  Those before it are good together, and would not be without one of them. */
static struct change *culprit(const struct list *changes, size_t from,
                              const struct machine_result *bad)
{
    const struct node *n = bad->place.node;
    if (bad->end != MACHINE_UNDEFINED || !n)
        return NULL;
    for (size_t i = from; i < changes->n; i++) {
        struct change *c = changes->at[i];
        if (!c->off && c->first <= n->id && n->id < c->last)
            return c;
    }
    return unset_by(changes, from, n);
}

enum { MOST_RUNS = 300 };

struct search {
    struct relaxing *r;
    struct list *changes;
    bool same_output;
    bool whole; /* nothing was turned off */
};

/* Runs what is not off.  What is undefined in a change's own nodes is that change's fault: it is
 * turned off at once, and the rest is tried again. */
static bool is_good(struct search *s, size_t from)
{
    for (;;) {
        struct machine_execution x = relax_run(s->r, s->changes, s->same_output, &s->r->run);
        struct change *c = x.defined ? NULL : culprit(s->changes, from, x.why);
        bool good = x.defined;
        machine_execution_free(&x);
        s->whole = s->whole && good;
        if (!c)
            return good;
        c->off = c->guilty = true;
    }
}

static void set_off(struct search *s, size_t from, size_t to, bool off)
{
    for (size_t i = from; i < to; i++) {
        struct change *c = s->changes->at[i];
        c->off = off || c->guilty;
    }
}

/* Changes before `from` are decided and good together, those from `to` on are off.  Decides the
 * rest; after very many runs, against them. */
static void bisect(struct search *s, size_t from, size_t to)
{
    bool tired = s->r->out->counts.runs >= MOST_RUNS;
    set_off(s, from, to, false);
    if (from == to || (!tired && is_good(s, from)))
        return;
    if (to - from == 1 || tired) {
        s->whole = false;
        set_off(s, from, to, true);
        return;
    }
    size_t middle = from + (to - from) / 2;
    set_off(s, middle, to, true);
    bisect(s, from, middle);
    bisect(s, middle, to);
}

/* What is turned off for good drops out of the list; the order of the others stays. */
static void forget_off(struct list *changes)
{
    size_t n = 0;
    for (size_t i = 0; i < changes->n; i++)
        if (!((struct change *)changes->at[i])->off)
            changes->at[n++] = changes->at[i];
    changes->n = n;
}

bool relax_settle(struct relaxing *r, struct list *changes, bool same_output)
{
    struct search s = {r, changes, same_output, true};
    bisect(&s, 0, changes->n);
    forget_off(changes);
    return s.whole;
}
