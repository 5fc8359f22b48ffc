/* One pass over the program: makes its hints, and finds out which of them can be kept, by groups.
 *
 * All hints of a pass are patches of the same text.  Groups of hints are tried together with those
 * that were accepted already; a group that fails is taken apart, successes of one round are united.
 * How many groups a round has depends on what happened before, never on the number of threads:
 * those only share the work of a round. */
#include "reduce/private.h"

#include "sys/sys.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND_LEAST = 4, ROUND_MOST = 32, SPLIT = 4 };

enum trial_state { TRIAL_REFUSED, TRIAL_KNOWN, TRIAL_READY, TRIAL_FAILED, TRIAL_HOLDS };

/* Hints order[first] .. order[first + count - 1], from the beginning again behind the last one. */
struct group {
    size_t first, count;
};

struct trial {
    struct group group;
    enum trial_state state;
    struct subject subject;
    const char *why; /* it was refused, as far as the filter says; in the subject's arena */
    struct err e;
    bool broken;
};

struct round {
    struct search *s;
    size_t *order; /* hints, the weightiest first */
    size_t total;
    bool *accepted;   /* by hint */
    struct trial *at; /* of this round */
    size_t n;
    bool first_only;       /* nothing is asked about trials behind one that holds */
    atomic_size_t holding; /* the first that holds, then */
    struct group *queue;
    size_t head, tail, room;
};

/* ---- what was tried --------------------------------------------------------------------- */

static bool is_tried(const struct search *s, uint64_t hash)
{
    if (!s->tried_room)
        return false;
    for (size_t i = hash & (s->tried_room - 1); s->tried[i]; i = (i + 1) & (s->tried_room - 1))
        if (s->tried[i] == hash)
            return true;
    return false;
}

static void insert_tried(uint64_t *table, size_t room, uint64_t hash)
{
    size_t i = hash & (room - 1);
    while (table[i])
        i = (i + 1) & (room - 1);
    table[i] = hash;
}

static void add_tried(struct search *s, uint64_t hash)
{
    if (is_tried(s, hash))
        return;
    if (2 * s->tried_count >= s->tried_room) {
        size_t room = s->tried_room ? 2 * s->tried_room : 4096;
        uint64_t *table = NEW_ARRAY(&s->arena, room, uint64_t);
        for (size_t i = 0; i < s->tried_room; i++)
            if (s->tried[i])
                insert_tried(table, room, s->tried[i]);
        s->tried = table;
        s->tried_room = room;
    }
    insert_tried(s->tried, s->tried_room, hash);
    s->tried_count++;
}

/* ---- candidates ------------------------------------------------------------------------- */

/* What is smaller stays smaller, so that it ends: a program that is not large any more never is
 * again. */
static bool is_smaller(const struct search *s, const struct reduce_size *a)
{
    const struct reduce_size *b = &s->best.size;
    if (a->tokens != b->tokens)
        return a->tokens < b->tokens;
    if (s->large && a->words != b->words)
        return a->words < b->words;
    return a->bytes < b->bytes;
}

static void add_patches(const struct hints *h, size_t hint, struct patch *to, size_t *n)
{
    const struct hint *x = &h->at[hint];
    memcpy(to + *n, h->patches + x->first, x->count * sizeof *to);
    *n += x->count;
}

static size_t hint_of(const struct round *r, struct group g, size_t i)
{
    return r->order[(g.first + i) % r->total];
}

/* The text with everything that was accepted and the group's hints. */
static void make_texts(const struct round *r, struct group g, struct arena *a, struct text *texts)
{
    const struct hints *h = &r->s->hints;
    size_t n = 0;
    struct patch *patches = NEW_ARRAY(a, h->patch_count + 1, struct patch);
    for (size_t i = 0; i < h->n; i++)
        if (r->accepted[i])
            add_patches(h, i, patches, &n);
    for (size_t i = 0; i < g.count; i++)
        if (!r->accepted[hint_of(r, g, i)])
            add_patches(h, hint_of(r, g, i), patches, &n);
    patches_apply(r->s->best.texts, r->s->best.count, patches, n, texts);
}

static void make_trial(void *context, size_t item, unsigned worker)
{
    struct round *r = context;
    struct trial *t = &r->at[item];
    struct arena a = {0};
    (void)worker;
    struct text *texts = NEW_ARRAY(&a, r->s->best.count, struct text);
    make_texts(r, t->group, &a, texts);
    t->subject.steps = r->s->best.steps;
    bool passes = subject_try(&t->subject, r->s->o, texts, r->s->best.count, &t->why) &&
                  !(t->subject.odd & ~r->s->best.odd) && is_smaller(r->s, &t->subject.size);
    t->state = passes ? TRIAL_READY : TRIAL_REFUSED;
    arena_free(&a);
}

static bool ask(struct search *s, reduce_test_fn *test, const struct subject *c, unsigned worker,
                bool *holds, struct err *e)
{
    struct reduce_candidate candidate = {c->texts, c->count, subject_expect(c)};
    return test(s->o->predicate, &candidate, worker, holds, e);
}

static void test_trial(void *context, size_t item, unsigned worker)
{
    struct round *r = context;
    struct trial *t = &r->at[item];
    bool holds = false;
    if (t->state != TRIAL_READY || (r->first_only && item > atomic_load(&r->holding)))
        return;
    t->broken = !ask(r->s, r->s->o->test, &t->subject, worker, &holds, &t->e);
    t->state = holds && !t->broken ? TRIAL_HOLDS : TRIAL_FAILED;
    size_t seen = atomic_load(&r->holding);
    while (t->state == TRIAL_HOLDS && item < seen &&
           !atomic_compare_exchange_weak(&r->holding, &seen, item))
        ;
}

/* Each text once, and none that was refused before. */
static void skip_known(struct round *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct trial *t = &r->at[i];
        bool known = t->state == TRIAL_READY &&
                     (is_tried(r->s, t->subject.hash) || t->subject.hash == r->s->best.hash);
        for (size_t k = 0; k < i && t->state == TRIAL_READY && !known; k++)
            known = r->at[k].state == TRIAL_READY && r->at[k].subject.hash == t->subject.hash;
        if (known)
            t->state = TRIAL_KNOWN;
    }
}

static void show_progress(struct search *s)
{
    if (s->o->progress)
        s->o->progress(s->o->context, &s->progress);
}

/* A question that could not be asked ends the reduction; that somebody wants us to stop is no
 * failure. */
static void give_up(struct search *s, const struct err *e)
{
    if (sys_cancelled()) {
        s->stopped = true;
    } else if (!s->failed) {
        s->failed = true;
        *s->e = *e;
    }
}

static const char *const state_names[] = {"refused", "known", "ready", "failed", "holds"};

static void account(struct round *r, struct reduce_pass_report *report)
{
    struct search *s = r->s;
    for (size_t i = 0; i < r->n; i++) {
        struct trial *t = &r->at[i];
        bool seen = t->state == TRIAL_HOLDS || t->state == TRIAL_FAILED;
        log_debug("%s: hints %zu+%zu, %zu bytes: %s%s%s", s->progress.pass, t->group.first,
                  t->group.count, t->subject.size.bytes, state_names[t->state],
                  t->why && *t->why ? ": " : "", t->why ? t->why : "");
        s->progress.tries += seen;
        report->tries += seen;
        s->progress.rejected += t->state == TRIAL_REFUSED;
        if (t->state == TRIAL_FAILED && !t->broken)
            add_tried(s, t->subject.hash);
        if (t->broken)
            give_up(s, &t->e);
    }
    show_progress(s);
}

static void run_trials(struct round *r, struct reduce_pass_report *report)
{
    atomic_store(&r->holding, SIZE_MAX);
    sys_parallel(r->n, r->s->o->jobs, make_trial, r);
    skip_known(r);
    sys_parallel(r->n, r->s->o->jobs, test_trial, r);
    account(r, report);
}

static void close_trials(struct round *r)
{
    for (size_t i = 0; i < r->n; i++)
        subject_close(&r->at[i].subject);
    r->n = 0;
}

static void copy_texts(const struct text *from, size_t n, struct text *to)
{
    for (size_t i = 0; i < n; i++) {
        text_clear(&to[i]);
        text_add(&to[i], text_str(&from[i]), from[i].n);
    }
}

/* May it be confirmed later, together with what is kept until then? */
static bool can_wait(const struct search *s, size_t bytes)
{
    enum { SMALL = 4096 };
    return s->o->lazy && bytes >= SMALL && bytes < s->wary;
}

static bool ask_confirm(struct search *s, const struct subject *c, bool *holds)
{
    struct err e;
    if (ask(s, s->o->confirm, c, 0, holds, &e))
        return true;
    give_up(s, &e);
    return *holds = false;
}

static void make_sure(struct search *s, const struct subject *c)
{
    copy_texts(c->texts, c->count, s->sure);
    s->sure_bytes = c->size.bytes;
    s->sure_hash = c->hash;
    s->refused = 0;
}

/* The checks that are too dear for every candidate. */
static bool confirm(struct search *s, struct trial *t)
{
    bool holds = true, wait = can_wait(s, t->subject.size.bytes);
    if (t->subject.machine && !s->open && subject_depends_on(&t->subject, s->o))
        holds = false;
    else if (s->o->confirm && !wait && ask_confirm(s, &t->subject, &holds) && holds && s->o->lazy)
        make_sure(s, &t->subject);
    if (!holds)
        add_tried(s, t->subject.hash);
    s->refused += !holds && !wait;
    return holds;
}

static bool is_sure(const struct search *s)
{
    return !s->o->lazy || s->sure_hash == s->best.hash;
}

/* Nothing is confirmed any more: what was kept before may be to blame. */
static bool is_doubtful(const struct search *s)
{
    enum { MANY = 4 };
    return !is_sure(s) && s->refused >= MANY;
}

/* ---- groups ----------------------------------------------------------------------------- */

static void push(struct round *r, struct group g)
{
    if (r->tail == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->queue = arena_grow(&r->s->hints.arena, r->queue, r->tail, r->room, sizeof *r->queue);
    }
    r->queue[r->tail++] = g;
}

/* While a program is large, small groups are not worth what they cost. */
static void split(struct round *r, struct group g)
{
    enum { COARSE = 64 };
    size_t parts = g.count < SPLIT ? g.count : SPLIT;
    if (g.count < 2 || (r->s->large && g.count <= r->total / COARSE))
        return;
    for (size_t i = 0; i < parts; i++) {
        size_t from = g.count * i / parts, to = g.count * (i + 1) / parts;
        push(r, (struct group){g.first + from, to - from});
    }
}

static void accept_group(struct round *r, struct group g)
{
    for (size_t i = 0; i < g.count; i++)
        r->accepted[hint_of(r, g, i)] = true;
}

static void reject_group(struct round *r, struct group g, const bool *before)
{
    for (size_t i = 0; i < g.count; i++)
        r->accepted[hint_of(r, g, i)] = before[hint_of(r, g, i)];
}

/* The best so far becomes the trial's text, within this pass: the hints stay as they are. */
static void keep(struct round *r, struct trial *t, struct reduce_pass_report *report)
{
    struct search *s = r->s;
    report->kept++;
    report->tokens += s->best.size.tokens - t->subject.size.tokens;
    report->bytes += s->best.size.bytes > t->subject.size.bytes
                         ? s->best.size.bytes - t->subject.size.bytes
                         : 0;
    s->progress.kept++;
    s->best.size = t->subject.size;
    s->best.hash = t->subject.hash;
    s->large = s->large && s->best.size.bytes > REDUCE_LARGE;
    s->progress.now = t->subject.size;
    copy_texts(t->subject.texts, s->best.count, s->kept);
    if (s->o->better)
        s->o->better(s->o->context, s->kept, s->best.count);
    show_progress(s);
}

/* Tries accepted hints and this group alone; keeps it when it holds. */
static bool try_alone(struct round *r, struct group g, struct reduce_pass_report *report)
{
    struct trial one = {.group = g};
    struct round alone = {.s = r->s,
                          .order = r->order,
                          .total = r->total,
                          .accepted = r->accepted,
                          .at = &one,
                          .n = 1};
    run_trials(&alone, report);
    bool holds = one.state == TRIAL_HOLDS && confirm(r->s, &one);
    if (holds) {
        accept_group(r, g);
        keep(r, &one, report);
    }
    close_trials(&alone);
    return holds;
}

/* All successes of a round at once. */
static bool try_union(struct round *r, const struct group *groups, size_t n,
                      struct reduce_pass_report *report)
{
    const struct hints *h = &r->s->hints;
    bool *before = NEW_ARRAY(&r->s->hints.arena, h->n, bool);
    memcpy(before, r->accepted, h->n * sizeof *before);
    for (size_t i = 0; i + 1 < n; i++)
        accept_group(r, groups[i]);
    bool holds = try_alone(r, groups[n - 1], report);
    for (size_t i = 0; !holds && i + 1 < n; i++)
        reject_group(r, groups[i], before);
    return holds;
}

/* One success of the round after the other: as it is while nothing else was kept, else once more
 * with what was. */
static bool take_each(struct round *r, struct trial *const *held, size_t n,
                      struct reduce_pass_report *report)
{
    bool taken = false;
    for (size_t i = 0; i < n && search_goes_on(r->s); i++) {
        bool holds = taken ? try_alone(r, held[i]->group, report) : confirm(r->s, held[i]);
        if (holds && !taken) {
            accept_group(r, held[i]->group);
            keep(r, held[i], report);
        }
        taken = taken || holds;
        if (!holds)
            split(r, held[i]->group);
    }
    return taken;
}

/* Keeps as much of the successes as goes together.  True when anything was. */
static bool take_successes(struct round *r, struct reduce_pass_report *report)
{
    struct trial *held[ROUND_MOST];
    struct group groups[ROUND_MOST];
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->at[i].state == TRIAL_HOLDS) {
            groups[n] = r->at[i].group;
            held[n++] = &r->at[i];
        }
    if (n > 1 && !r->first_only && try_union(r, groups, n, report))
        return true;
    return take_each(r, held, n && r->first_only ? 1 : n, report);
}

/* What is tried later: parts of what failed, and what nobody was asked about. */
static void push_rest(struct round *r)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct trial *t = &r->at[i];
        if (t->state == TRIAL_READY || (t->state == TRIAL_HOLDS && r->first_only))
            push(r, t->group);
        else if (t->state != TRIAL_HOLDS)
            split(r, t->group);
    }
}

static bool run_round(struct round *r, size_t width, struct reduce_pass_report *report)
{
    size_t n = r->tail - r->head < width ? r->tail - r->head : width;
    struct trial trials[ROUND_MOST];
    memset(trials, 0, sizeof trials);
    r->at = trials;
    r->n = n;
    for (size_t i = 0; i < n; i++)
        trials[i].group = r->queue[r->head++];
    run_trials(r, report);
    bool gained = take_successes(r, report);
    push_rest(r);
    close_trials(r);
    return gained;
}

/* ---- narrowing -------------------------------------------------------------------------- */

/* Tries the program without all hints but a quarter of those in focus, for each quarter, beginning
 * with that which was the right one the last time.  True when one was enough, and it is in focus
 * from then on. */
static bool narrow_once(struct round *r, struct group *focus, struct reduce_pass_report *report)
{
    struct trial trials[SPLIT];
    struct group parts[SPLIT];
    memset(trials, 0, sizeof trials);
    for (size_t i = 0; i < SPLIT; i++) {
        size_t part = (i + r->s->lucky) % SPLIT;
        size_t from = focus->count * part / SPLIT, to = focus->count * (part + 1) / SPLIT;
        parts[i] = (struct group){focus->first + from, to - from};
        trials[i].group = (struct group){focus->first + to, r->total - (to - from)};
    }
    r->at = trials;
    r->n = SPLIT;
    r->first_only = true;
    run_trials(r, report);
    r->first_only = false;
    size_t found = atomic_load(&r->holding);
    bool holds = found < SPLIT && confirm(r->s, &trials[found]);
    if (holds) {
        accept_group(r, trials[found].group);
        keep(r, &trials[found], report);
        *focus = parts[found];
        r->s->lucky = (found + r->s->lucky) % SPLIT;
    }
    close_trials(r);
    return holds;
}

/* What is interesting about a large program is mostly in one place.  That is found by compiling
 * ever smaller parts of it, which is cheaper than to take one part after the other off.  Yields the
 * hints that are left. */
static struct group narrow(struct round *r, struct reduce_pass_report *report, bool *gained)
{
    struct group all = {0, r->total}, none = {0, 0};
    if (try_alone(r, all, report)) {
        *gained = true;
        return none;
    }
    while (all.count >= 2 * SPLIT && r->s->large && search_goes_on(r->s) &&
           narrow_once(r, &all, report))
        *gained = true;
    return all;
}

/* ---- nested hints ----------------------------------------------------------------------- */

/* Of hints lo .. hi-1, each of which takes away what the next one does and more, up to three that
 * stand evenly between them. */
static size_t choose_points(size_t lo, size_t hi, struct trial *trials)
{
    size_t n = 0, last = SIZE_MAX;
    for (size_t i = 1; i < SPLIT; i++) {
        size_t at = lo + (hi - lo) * i / SPLIT;
        if (at != last)
            trials[n++] = (struct trial){.group = {at, 1}};
        last = at;
    }
    return n;
}

/* In a large program the last few of the hints are not worth what telling them apart costs. */
static bool is_near(const struct search *s, size_t hints, size_t failed)
{
    enum { FEW = 4, SHARE = 128 };
    return s->large && hints <= FEW && s->best.size.bytes - s->best.size.bytes / SHARE < failed;
}

/* The largest that holds, if one that is larger than another fails when that does. */
static bool search_nested(struct round *r, struct reduce_pass_report *report)
{
    size_t lo = 0, hi = r->total, failed = 0; /* bytes of the smallest that does not */
    bool gained = false;
    while (lo < hi && !is_near(r->s, hi - lo, failed) && search_goes_on(r->s)) {
        struct trial trials[SPLIT];
        r->at = trials;
        r->n = choose_points(lo, hi, trials);
        r->first_only = true;
        run_trials(r, report);
        size_t found = 0;
        while (found < r->n &&
               !(trials[found].state == TRIAL_HOLDS && confirm(r->s, &trials[found])))
            found++;
        lo = found ? trials[found - 1].group.first + 1 : lo;
        failed = found ? trials[found - 1].subject.size.bytes : failed;
        if (found < r->n) {
            hi = trials[found].group.first;
            accept_group(r, trials[found].group);
            keep(r, &trials[found], report);
            gained = true;
        }
        close_trials(r);
    }
    return gained;
}

/* ---- the pass --------------------------------------------------------------------------- */

bool search_goes_on(struct search *s)
{
    const struct reduce_options *o = s->o;
    if (!s->stopped && (sys_cancelled() || (o->stop && o->stop(o->context)) ||
                        (o->cpu > 0 && sys_own_cpu() + sys_children_cpu() - s->cpu_start > o->cpu)))
        s->stopped = true;
    return !s->stopped && !s->failed;
}

struct weighed {
    size_t hint;
    uint32_t weight;
};

static int compare_weights(const void *a, const void *b)
{
    const struct weighed *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->hint < y->hint ? -1 : 1;
}

static void sort_by_weight(struct hints *h, size_t *order)
{
    struct weighed *all = NEW_ARRAY(&h->arena, h->n, struct weighed);
    for (size_t i = 0; i < h->n; i++)
        all[i] = (struct weighed){i, h->at[i].weight};
    qsort(all, h->n, sizeof *all, compare_weights);
    for (size_t i = 0; i < h->n; i++)
        order[i] = all[i].hint;
}

static void make_hints(struct search *s, enum pass_id id)
{
    const struct pass_info *info = &reduce_passes[id];
    hints_clear(&s->hints);
    for (size_t i = 0; i < s->best.count; i++) {
        struct pass p = {.options = s->o, .s = &s->best, .v = &s->best.views[i], .h = &s->hints};
        if (info->need == NEED_TOKENS || info->need == NEED_TEXT || p.v->p)
            info->make(&p);
    }
}

static bool open_kept(struct search *s, struct subject *fresh, const char **why)
{
    struct text *texts = NEW_ARRAY(&s->hints.arena, s->best.count, struct text);
    *fresh = (struct subject){.steps = s->best.steps};
    for (size_t i = 0; i < s->best.count; i++)
        text_add(&texts[i], text_str(&s->kept[i]), s->kept[i].n);
    if (subject_reopen(fresh, s->o, texts, s->best.count, why))
        return true;
    *why = arena_string(&s->hints.arena, *why); /* it is the subject's */
    subject_close(fresh);
    return false;
}

/* Reads what was kept; the views are of the new text from here on.  A program that could not be
 * executed at first may have become one that can: then all must.  False when it fails, or when
 * somebody wants us to stop, which ends the execution. */
static bool reopen(struct search *s)
{
    struct subject fresh;
    const char *why = "";
    bool guarded = s->own.guard && s->own.filter == REDUCE_VALID, opened = false;
    if (guarded) {
        s->own.filter = REDUCE_DEFINED;
        opened = open_kept(s, &fresh, &why);
        s->own.filter = opened ? REDUCE_DEFINED : REDUCE_VALID;
    }
    if (!opened && !open_kept(s, &fresh, &why)) {
        struct err e;
        fail(&e, "what was kept cannot be read again: %s", why);
        give_up(s, &e);
        return false;
    }
    subject_close(&s->best);
    s->best = fresh;
    return true;
}

static void undo(struct search *s)
{
    log_debug("undone: back to %zu bytes", s->sure_bytes);
    copy_texts(s->sure, s->best.count, s->kept);
    s->wary = s->sure_bytes / 2;
    if (s->o->better)
        s->o->better(s->o->context, s->kept, s->best.count);
    if (!reopen(s))
        return;
    s->sure_hash = s->best.hash;
    s->refused = 0;
    s->large = !s->fine && s->best.size.bytes > REDUCE_LARGE;
    s->progress.now = s->best.size;
}

bool search_audit(struct search *s)
{
    bool holds = false;
    if (is_sure(s) || s->failed)
        return false;
    if (!sys_cancelled() && !ask_confirm(s, &s->best, &holds))
        return false;
    if (holds)
        make_sure(s, &s->best);
    else
        undo(s);
    return !holds;
}

/* What was gained is read; and looked at, when that is due. */
static bool take_gain(struct search *s)
{
    if (!reopen(s))
        return false;
    if (s->refused || 4 * s->best.size.bytes <= 3 * s->sure_bytes)
        search_audit(s);
    return !s->failed;
}

/* A pass that seldom succeeds does not begin with large groups; at the end it does, as in a
 * reduction of what is left it would. */
static size_t first_size(const struct search *s, enum pass_id id, size_t hints)
{
    const struct reduce_pass_report *report = &s->passes[id];
    if (reduce_passes[id].order == ORDER_ALONE)
        return 1;
    if (s->afresh || report->tries < 16 || report->kept * 4 > report->tries)
        return hints;
    size_t size = report->kept * 16 > report->tries ? 16 : SPLIT;
    return size < hints ? size : hints;
}

/* A pass over a large program that gains next to nothing for many candidates: others do more for
 * what these cost, and when the program is small, this one does. */
struct pace {
    size_t candidates, bytes; /* since, and when, it was looked at */
};

static bool is_idle(const struct search *s, struct pace *pace, size_t candidates)
{
    enum { MANY = 24, SHARE = 64 };
    pace->candidates += candidates;
    if (!s->large || pace->candidates < MANY)
        return false;
    bool idle = s->best.size.bytes + s->best.size.bytes / SHARE > pace->bytes;
    *pace = (struct pace){0, s->best.size.bytes};
    return idle;
}

bool search_pass(struct search *s, enum pass_id id)
{
    struct reduce_pass_report *report = &s->passes[id];
    make_hints(s, id);
    size_t n = s->hints.n;
    report->runs++;
    report->hints += n;
    s->progress.pass = reduce_passes[id].name;
    if (n == 0)
        return false;
    struct round r = {.s = s, .total = n};
    r.order = NEW_ARRAY(&s->hints.arena, n, size_t);
    r.accepted = NEW_ARRAY(&s->hints.arena, n, bool);
    for (size_t i = 0; i < n; i++)
        r.order[i] = i;
    if (reduce_passes[id].order == ORDER_WEIGHT)
        sort_by_weight(&s->hints, r.order);
    if (reduce_passes[id].order == ORDER_NESTED)
        return search_nested(&r, report) && take_gain(s);
    size_t size = first_size(s, id, n), width = ROUND_LEAST;
    bool gained = false;
    struct group focus = {0, n};
    if (size == n && n >= 2 * SPLIT && s->large) {
        focus = narrow(&r, report, &gained);
        split(&r, focus);
    } else {
        for (size_t i = 0; i < n; i += size)
            push(&r, (struct group){i, size < n - i ? size : n - i});
    }
    bool alone = reduce_passes[id].order == ORDER_ALONE, idle = false;
    r.first_only = alone && s->large;
    struct pace pace = {0, s->best.size.bytes};
    while (r.head < r.tail && !(alone && gained) && !idle && !is_doubtful(s) && search_goes_on(s)) {
        size_t head = r.head;
        bool success = run_round(&r, width, report);
        idle = is_idle(s, &pace, r.head - head);
        gained = gained || success;
        width = success ? width / 2 : width * 2;
        width = width < ROUND_LEAST ? ROUND_LEAST : width > ROUND_MOST ? ROUND_MOST : width;
    }
    if (!gained && is_doubtful(s))
        return search_audit(s);
    return gained && take_gain(s);
}
