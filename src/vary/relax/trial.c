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

void relax_set_output(struct relaxing *r, const struct text *output, int status)
{
    text_clear(&r->expected);
    text_add(&r->expected, text_str(output), output->n);
    r->status = status;
}

void relax_yield(struct relaxing *r, size_t n)
{
    struct relax_result *out = r->out;
    struct list first = {.at = r->settled.at, .n = n};
    out->count = 0;
    collect(r->arena, &first, &out->edits, &out->count);
    out->output = r->expected;
    out->status = r->status;
}

static bool is_expected(const struct relaxing *r, const struct machine_result *m)
{
    return m->status == r->status && m->output.n == r->expected.n &&
           memcmp(text_str(&m->output), text_str(&r->expected), m->output.n) == 0;
}

/* What ends at an assertion, or otherwise by a signal, has lost all that would have come after it;
 * the paper calls it invalid by crash. */
static bool is_cut_short(const struct relaxing *r, const struct machine_result *m)
{
    enum { SIGNALLED = 128 };
    return m->status > SIGNALLED && r->status <= SIGNALLED;
}

/* defined also says that it prints what it must, or at least goes on to its end. */
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
    x.defined = x.defined && (same_output ? is_expected(r, x.run) : !is_cut_short(r, x.run));
    arena_free(&a);
    return x;
}

/* ---- who did it --------------------------------------------------------------------------- */

/* What a search may cost, in nodes that are compiled and steps that are executed: a fraction of a
 * second.  After the first of these the culprits are no longer looked for one by one, after the
 * second what is undecided is left out. */
enum { SOME_WORK = 2000000, MOST_WORK = 3000000, MOST_RUNS = 300, FEW_RUNS = 24 };
enum { GROUP = 8 }; /* so many changes are tried together at first */

struct search {
    struct relaxing *r;
    struct list *changes;
    bool same_output;
    bool whole; /* nothing was turned off */
    uint32_t runs, most_runs;
    uint64_t work;
};

static bool is_tired(const struct search *s)
{
    return s->work >= MOST_WORK || s->runs >= s->most_runs;
}

static struct machine_execution run_search(struct search *s)
{
    struct machine_execution x = relax_run(s->r, s->changes, s->same_output, &s->r->run);
    s->runs++;
    s->work += s->r->v->node_count + x.run->steps;
    s->whole = s->whole && x.defined;
    return x;
}

/* Runs what is not off, at most so often.  A change that the failure points at is turned off at
 * once, and the rest is tried again. */
static bool is_good(struct search *s, size_t from, unsigned most)
{
    struct change *c = NULL;
    bool good = false;
    do {
        struct machine_execution x = run_search(s);
        good = x.defined;
        c = good ? NULL : relax_blame(s->r, s->changes, from, &x);
        if (c)
            c->off = c->guilty = true;
        machine_execution_free(&x);
    } while (c && --most && !is_tired(s));
    return good;
}

static void set_off(struct search *s, size_t from, size_t to, bool off)
{
    for (size_t i = from; i < to; i++) {
        struct change *c = s->changes->at[i];
        c->off = off || c->guilty;
    }
}

/* Of changes up to `to`: turns off those that had a part in the run, and puts them last.  Yields
 * how many had none. */
static size_t put_aside(struct search *s, size_t to, const struct machine *m)
{
    struct list ran = {0};
    size_t n = 0;
    for (size_t i = 0; i < to; i++) {
        struct change *c = s->changes->at[i];
        if (relax_change_ran(s->r, m, c)) {
            c->off = true;
            list_add(s->r->arena, &ran, c);
        } else {
            s->changes->at[n++] = c;
        }
    }
    for (size_t i = 0; i < ran.n; i++)
        s->changes->at[n + i] = ran.at[i];
    return n;
}

/* Runs what is not off until that is good.  A failure costs the change that it points at, or, if it
 * points at none, all that had a part in it, for now.  Yields how many changes are left. */
static size_t find_base(struct search *s)
{
    size_t base = s->changes->n;
    for (bool good = false; !good && base;) {
        struct machine_execution x = run_search(s);
        good = x.defined;
        struct change *c = good || s->work > SOME_WORK ? NULL
                                                       : relax_blame(s->r, s->changes, 0, &x);
        size_t before = base;
        if (c)
            c->off = c->guilty = true;
        else if (!good)
            base = put_aside(s, base, x.machine);
        machine_execution_free(&x);
        if (!good && !c && base == before) {
            set_off(s, 0, base, true);
            base = 0;
        }
    }
    return base;
}

/* Changes before `from` are good together, the others are off.  Adds these in groups that grow
 * while all goes well; what is undecided when that has cost too much stays off. */
static void add_groups(struct search *s, size_t from)
{
    size_t n = s->changes->n, group = GROUP;
    while (from < n && !is_tired(s)) {
        size_t to = n - from < group ? n : from + group;
        set_off(s, from, to, false);
        bool good = is_good(s, from, GROUP), alone = to - from == 1;
        if (!good)
            set_off(s, from, to, true);
        if (good || alone)
            from = to;
        group = good || alone ? 2 * group : (to - from) / 2;
    }
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
    struct search s = {.r = r,
                       .changes = changes,
                       .same_output = same_output,
                       .whole = true,
                       .most_runs = MOST_RUNS};
    add_groups(&s, find_base(&s));
    forget_off(changes);
    return s.whole;
}

void relax_settle_few(struct relaxing *r, struct list *changes)
{
    struct search s = {.r = r, .changes = changes, .same_output = true, .most_runs = FEW_RUNS};
    set_off(&s, 0, changes->n, true);
    add_groups(&s, 0);
    forget_off(changes);
}
