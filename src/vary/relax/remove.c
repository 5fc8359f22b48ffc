/* Checks that this execution did not need are gone.  One run with every wrapper in place tells
 * which way each check went, site by site; one more run shows that the program without them is
 * defined, prints the same, and does so in every order of evaluation.  Those that fired are tried
 * last: a check may be stricter than the language, and what it yields may reach nothing. */
#include "vary/relax/private.h"

#include <stdlib.h>

/* ---- which way each check went ------------------------------------------------------------ */

/* A wrapper in place, for the run that looks at it. */
struct probe {
    struct site *site;
    struct change *change;
    struct conditions conditions;
};

static struct machine_fact condition_fact(const struct machine *m, const struct node *n)
{
    for (;; n = n->kid[0]) {
        struct machine_fact f = machine_fact(m, 0, n);
        if (f.is_condition || n->kind != NODE_CAST || !(n->flags & NODE_IMPLICIT))
            return f;
    }
}

static void place_probe(struct relaxing *r, struct probe *p, bool ask_near, struct list *changes)
{
    struct change *c = p->change = relax_change(r, changes);
    c->first = lang_mark(r->v->p);
    p->conditions = (struct conditions){.ask_near = ask_near};
    struct node *with = relax_macro(r->v, p->site, &p->conditions);
    relax_add_edit(c, EDIT_REPLACE, p->site->node, with);
    c->last = lang_mark(r->v->p);
}

/* Did the check never fire? */
static bool is_needless(const struct machine *m, const struct node *condition, struct way *w)
{
    struct machine_fact f = condition_fact(m, condition);
    return relax_learn_way(w, f.taken > 0, f.untaken > 0);
}

static void read_probe(const struct machine *m, struct probe *p)
{
    struct site *s = p->site;
    const struct conditions *c = &p->conditions;
    const struct node *block = p->change->edits[0].with->kid[0];
    s->ran = machine_fact(m, 0, block->kid[block->count - 1]).count > 0;
    bool asked = s->way.fires; /* how near that came */
    s->fired = c->check && !is_needless(m, c->check, &s->way);
    s->near_ = c->near_ && s->way.fires == asked && !s->fired &&
               condition_fact(m, c->near_).taken > 0;
    for (uint32_t i = 0; i < s->nested_count; i++)
        s->nested[i].never = is_needless(m, c->nested[i], &s->nested[i].way);
}

/* Runs the program with every wrapper in place.  Asking how near a check came to firing evaluates
 * it on values that did not occur, which a user's own check may not stand: then nothing is asked.
 */
static struct machine_execution look(struct relaxing *r, struct probe *probes, size_t n)
{
    struct machine_options options = r->run;
    struct machine_execution x = {0};
    options.values = true;
    for (int ask = 1; ask >= 0 && !x.defined; ask--) {
        struct list changes = {0};
        for (size_t i = 0; i < n; i++)
            place_probe(r, &probes[i], ask, &changes);
        if (!ask)
            relax_settle(r, &changes, true);
        machine_execution_free(&x);
        x = relax_run(r, &changes, true, &options);
    }
    return x;
}

/* ---- removing ----------------------------------------------------------------------------- */

static void count_site(struct relax_counts *c, const struct site *s)
{
    struct relax_share *share = !s->check ? &c->plain : s->ran ? &c->ran : &c->dead;
    share->all++;
    share->removed += s->removed;
    if (s->ran && s->near_) {
        c->near_.all++;
        c->near_.removed += s->removed;
    }
    c->needed += s->fired && !s->removed;
    c->strict += s->fired && s->removed;
}

static void offer_raw(struct relaxing *r, struct site *s, struct list *changes)
{
    struct change *c = relax_change(r, changes);
    c->role = ROLE_WRAPPER;
    c->about = s;
    c->first = lang_mark(r->v->p);
    relax_add_edit(c, EDIT_REPLACE, s->node, relax_raw(r->v, s));
    c->last = lang_mark(r->v->p);
}

/* Where changes exclude each other, those that are offered first stay. */
static void offer_removals(struct relaxing *r, struct probe *probes, size_t n, struct list *changes)
{
    for (int near_ = 1; near_ >= 0; near_--)
        for (size_t i = 0; i < n; i++) {
            struct site *s = probes[i].site;
            if (s->near_ == near_ && !s->fired && !probes[i].change->off)
                offer_raw(r, s, changes);
        }
}

/* What was near comes first in the result too. */
static void note_near(struct relaxing *r, const struct site *s)
{
    struct relax_near *near_ = NEW(r->arena, struct relax_near);
    *near_ = (struct relax_near){s->node, s->name};
    list_add(r->arena, &r->out->near_, near_);
}

static void mark_removed(const struct list *changes)
{
    for (size_t i = 0; i < changes->n; i++) {
        const struct change *c = changes->at[i];
        if (c->role == ROLE_WRAPPER)
            c->about->removed = true;
    }
}

/* Where a check of these fires, the operator alone is undefined; that of a shift is stricter. */
static bool may_be_strict(const struct site *s)
{
    const struct node *n = s->check->kid[s->way.fires ? 2 : 1];
    while (n->kind == NODE_CAST)
        n = n->kid[0];
    return n->kind != NODE_UNARY && (n->kind != NODE_BINARY || n->op == OP_SHL || n->op == OP_SHR);
}

/* The others are settled by now: few are left to search among, and these are guilty more often. */
static void remove_fired(struct relaxing *r, const struct probe *probes, size_t n)
{
    struct list changes = {0};
    for (size_t i = 0; i < n; i++)
        if (probes[i].site->fired && !probes[i].change->off && may_be_strict(probes[i].site))
            offer_raw(r, probes[i].site, &changes);
    if (!changes.n)
        return;
    relax_settle_few(r, &changes);
    mark_removed(&changes);
    relax_keep(r, &changes);
}

/* ---- forms -------------------------------------------------------------------------------- */

static void offer_form(struct relaxing *r, struct site *s, struct rng *stream, struct list *changes)
{
    enum relax_form form = r->request->plan.form;
    struct rng at = rng_fork_at(stream, "at", s->node->id);
    bool call = form == RELAX_FUNCTIONS || (form == RELAX_MIXED && rng_chance(&at, 50));
    if (form == RELAX_AS_WRITTEN || call == (s->kind == SITE_CALL))
        return;
    uint32_t first = lang_mark(r->v->p);
    struct node *with = call ? relax_function(r, s) : relax_macro(r->v, s, NULL);
    if (!with)
        return;
    struct change *c = relax_change(r, changes);
    c->first = first;
    relax_add_edit(c, EDIT_REPLACE, s->node, with);
    c->last = lang_mark(r->v->p);
}

static void write_forms(struct relaxing *r, const struct probe *probes, size_t n)
{
    struct rng root = rng_seed(r->request->plan.seed), stream = rng_fork(&root, "relax.form");
    struct list changes = {0};
    for (size_t i = 0; i < n; i++)
        if (!probes[i].site->removed)
            offer_form(r, probes[i].site, &stream, &changes);
    relax_settle(r, &changes, true);
    relax_keep(r, &changes);
}

/* ---- all of it ---------------------------------------------------------------------------- */

void relax_remove_checks(struct relaxing *r)
{
    struct list sites = {0}, changes = {0};
    struct relax_counts *counts = &r->out->counts;
    relax_find_sites(r->v, r->arena, &sites);
    struct probe *probes = NEW_ARRAY(r->arena, sites.n + 1, struct probe);
    size_t n = 0;
    for (size_t i = 0; i < sites.n; i++) {
        struct site *s = sites.at[i];
        if (relax_is_open(r, s->node)) {
            probes[n++].site = s;
            list_add(r->arena, &r->sites, s);
        }
        if (s->check)
            r->taken[s->check->id] |= TAKEN_BEFORE; /* not a check of its own */
    }
    struct machine_execution x = look(r, probes, n);
    for (size_t i = 0; i < n && x.defined; i++)
        read_probe(x.machine, &probes[i]);
    if (x.defined && !r->request->plan.keep_checks) {
        offer_removals(r, probes, n, &changes);
        relax_offer_others(r, x.machine, &changes);
    }
    machine_execution_free(&x);
    size_t offered = changes.n;
    relax_settle(r, &changes, true);
    counts->guilty += (uint32_t)(offered - changes.n);
    mark_removed(&changes);
    relax_keep(r, &changes);
    if (!r->request->plan.keep_checks)
        remove_fired(r, probes, n);
    write_forms(r, probes, n);
}

void relax_count(struct relaxing *r)
{
    struct relax_result *out = r->out;
    for (size_t i = 0; i < r->sites.n; i++)
        count_site(&out->counts, r->sites.at[i]);
    for (size_t i = 0; i < r->settled.n; i++) {
        const struct change *c = r->settled.at[i];
        out->made[c->kind] += c->role == ROLE_RELAXATION;
        out->counts.other.removed += c->role == ROLE_OTHER;
        if (c->role == ROLE_WRAPPER && c->about->near_ && c->about->ran)
            note_near(r, c->about);
    }
}
