/* Pass after pass until none gains anything. */
#include "reduce/private.h"

#include "sys/sys.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const struct pass_info reduce_passes[PASS_COUNT] = {
#define PASS(id, name, need, when, order, phrase) \
    [PASS_##id] = {name, phrase, pass_##id, NEED_##need, WHEN_##when, ORDER_##order},
#include "reduce/passes.def"
};

/* ---- which pass next -------------------------------------------------------------------- */

struct schedule {
    size_t version;          /* of the program: grows with every gain */
    size_t seen[PASS_COUNT]; /* the version that the pass could do nothing with */
    size_t order[PASS_COUNT];
};

static bool can_run(const struct search *s, enum pass_id id)
{
    switch (reduce_passes[id].need) {
    case NEED_FACTS:
        return s->o->filter == REDUCE_DEFINED;
    case NEED_TREE:
        return s->o->filter != REDUCE_TEXT;
    case NEED_TOKENS:
        return true;
    case NEED_TEXT:
        return s->o->filter == REDUCE_TEXT;
    }
    BUG("need of pass %d", (int)id);
}

/* Tokens gone per candidate tried: what paid so far. */
static double yield_of(const struct search *s, size_t id)
{
    const struct reduce_pass_report *r = &s->passes[id];
    return r->runs ? (double)r->tokens / (double)(r->tries + 1) : 1e9;
}

/* By what paid; those that did not run yet stay in front, in the table's order. */
static void learn(const struct search *s, struct schedule *plan)
{
    for (size_t i = 1; i < PASS_COUNT; i++)
        for (size_t k = i; k > 0; k--) {
            size_t a = plan->order[k - 1], b = plan->order[k];
            if (yield_of(s, a) >= yield_of(s, b))
                break;
            plan->order[k - 1] = b;
            plan->order[k] = a;
        }
}

/* What was needed by that which is gone now: one candidate each, and all later ones are smaller.
 * In a large program only where much is gone, since that candidate is large, too. */
static void drop_unneeded(struct search *s, size_t after, size_t bytes)
{
    enum { SHARE = 16 };
    static const enum pass_id passes[] = {PASS_UNREAD, PASS_UNREACHED};
    for (size_t i = 0; i < LENGTH(passes); i++) {
        bool pays = s->large ? s->best.size.bytes < bytes - bytes / SHARE
                             : passes[i] == PASS_UNREACHED;
        if (after != passes[i] && pays && can_run(s, passes[i]) && search_goes_on(s))
            search_pass(s, passes[i]);
    }
}

static bool run_stage(struct search *s, struct schedule *plan, enum pass_when when)
{
    bool gained = false;
    for (size_t i = 0; i < PASS_COUNT && search_goes_on(s); i++) {
        size_t id = plan->order[i];
        if (reduce_passes[id].when != when || !can_run(s, (enum pass_id)id) ||
            plan->seen[id] == plan->version)
            continue;
        size_t bytes = s->best.size.bytes;
        if (search_pass(s, (enum pass_id)id)) {
            plan->version++;
            gained = true;
            drop_unneeded(s, id, bytes);
        } else {
            plan->seen[id] = plan->version;
        }
    }
    return gained;
}

/* The table's order.  Where nothing is executed, what is printed is nothing special, and functions
 * are the largest parts: they go first. */
static struct schedule first_plan(const struct search *s)
{
    struct schedule plan = {.version = 1};
    size_t n = 0;
    if (s->o->filter == REDUCE_VALID)
        plan.order[n++] = PASS_FUNCTIONS;
    for (size_t i = 0; i < PASS_COUNT; i++)
        if (n == 0 || i != plan.order[0])
            plan.order[n++] = i;
    return plan;
}

static void run_passes(struct search *s, struct reduce_report *r)
{
    struct schedule plan = first_plan(s);
    bool gained = true;
    while (gained && search_goes_on(s)) {
        r->cycles++;
        while (run_stage(s, &plan, WHEN_LOOP))
            learn(s, &plan);
        gained = s->large || run_stage(s, &plan, WHEN_LAST) || search_audit(s);
        plan.version += gained;
        s->fine = s->fine || s->large; /* and stays so: from here on in small steps */
        s->large = s->large && !s->fine;
        if (!gained && !s->afresh) { /* a second reduction is to find nothing */
            s->afresh = gained = true;
            plan.version++;
        }
    }
}

/* ---- public ----------------------------------------------------------------------------- */

static void name_passes(struct search *s, struct reduce_report *r)
{
    r->passes = s->passes = NEW_ARRAY(&r->arena, PASS_COUNT, struct reduce_pass_report);
    r->pass_count = PASS_COUNT;
    for (size_t i = 0; i < PASS_COUNT; i++) {
        r->passes[i].name = reduce_passes[i].name;
        r->passes[i].phrase = reduce_passes[i].phrase;
    }
}

static void copy_texts(const struct text *from, size_t n, struct text *to)
{
    for (size_t i = 0; i < n; i++) {
        text_clear(&to[i]);
        text_add(&to[i], text_str(&from[i]), from[i].n);
    }
}

static void finish(struct search *s, struct text *units, struct reduce_report *r)
{
    search_audit(s);
    copy_texts(s->kept, s->best.count, units);
    r->last = reduce_measure(units, s->best.count);
    r->tries = s->progress.tries;
    r->rejected = s->progress.rejected;
    r->kept = s->progress.kept;
    r->complete = !s->stopped && !s->failed;
    r->cpu = sys_own_cpu() + sys_children_cpu() - s->cpu_start;
    r->expect = subject_expect(&s->best);
    r->expect.out = arena_copy(&r->arena, r->expect.known ? r->expect.out : "", r->expect.out_size);
}

static bool open_best(struct search *s, const struct text *units, size_t count, struct err *e)
{
    const char *why;
    struct text *texts = NEW_ARRAY(&s->arena, count, struct text);
    copy_texts(units, count, texts);
    if (!subject_open(&s->best, s->o, texts, count, &why))
        return fail(e, "the program cannot be reduced as it is: %s", why);
    s->open = s->best.machine && subject_depends_on(&s->best, s->o);
    return true;
}

bool reduce_run(const struct reduce_options *o, struct text *units, size_t count,
                struct reduce_report *r, struct err *e)
{
    struct search s = {.own = *o, .e = e, .cpu_start = sys_own_cpu() + sys_children_cpu()};
    s.o = &s.own;
    double start = sys_now();
    *r = (struct reduce_report){.first = reduce_measure(units, count)};
    name_passes(&s, r);
    s.kept = NEW_ARRAY(&s.arena, count, struct text);
    s.sure = NEW_ARRAY(&s.arena, count, struct text);
    s.wary = SIZE_MAX;
    bool ok = open_best(&s, units, count, e);
    if (ok) {
        copy_texts(s.best.texts, count, s.kept);
        copy_texts(s.best.texts, count, s.sure);
        s.sure_bytes = s.best.size.bytes;
        s.sure_hash = s.best.hash;
        s.progress.first = r->first;
        s.progress.now = s.best.size;
        s.large = s.best.size.bytes > REDUCE_LARGE;
        run_passes(&s, r);
        finish(&s, units, r);
        ok = !s.failed;
    }
    r->wall = sys_now() - start;
    for (size_t i = 0; i < count; i++) {
        text_free(&s.kept[i]);
        text_free(&s.sure[i]);
    }
    subject_close(&s.best);
    hints_free(&s.hints);
    arena_free(&s.arena);
    return ok;
}

void reduce_report_free(struct reduce_report *r)
{
    arena_free(&r->arena);
}

bool reduce_check(const struct reduce_options *o, const struct text *units, size_t count,
                  bool *holds, struct err *e)
{
    struct arena a = {0};
    struct subject s = {0};
    const char *why;
    struct text *texts = NEW_ARRAY(&a, count, struct text);
    copy_texts(units, count, texts);
    bool ok = subject_try(&s, o, texts, count, &why) || fail(e, "%s", why);
    if (ok) {
        struct reduce_candidate c = {s.texts, count, subject_expect(&s)};
        ok = o->test(o->predicate, &c, 0, holds, e);
        if (ok && *holds && o->confirm)
            ok = o->confirm(o->predicate, &c, 0, holds, e);
    }
    subject_close(&s);
    arena_free(&a);
    return ok;
}

/* Whether it gets through this filter. */
static bool reaches(const struct reduce_options *o, enum reduce_filter filter,
                    const struct text *units, size_t count, struct arena *a,
                    struct reduce_reach *out)
{
    struct reduce_options full = *o;
    struct subject s = {0};
    const char *why;
    struct text *texts = NEW_ARRAY(a, count, struct text);
    full.filter = filter;
    copy_texts(units, count, texts);
    bool passes = subject_try(&s, &full, texts, count, &why);
    if (!passes && !*out->why)
        out->why = arena_string(a, why);
    if (!passes && s.machine && s.end == MACHINE_UNDEFINED)
        out->undefined = true;
    if (passes && s.machine) {
        out->expect = subject_expect(&s);
        out->expect.out = arena_copy(a, out->expect.out, out->expect.out_size);
        const char *on = subject_depends_on(&s, &full);
        if (on)
            out->open = arena_string(a, on);
    }
    subject_close(&s);
    return passes;
}

void reduce_reach(const struct reduce_options *o, const struct text *units, size_t count,
                  struct arena *a, struct reduce_reach *out)
{
    *out = (struct reduce_reach){.filter = o->filter, .why = ""};
    while (!reaches(o, out->filter, units, count, a, out) && out->filter != REDUCE_TEXT)
        out->filter--;
}

void reduce_lay_out(const struct reduce_options *o, struct text *units, size_t count)
{
    struct reduce_options valid = *o;
    struct arena a = {0};
    const char *why;
    for (int filter = REDUCE_VALID; filter >= REDUCE_TEXT; filter--) {
        struct subject s = {0};
        struct text *texts = NEW_ARRAY(&a, count, struct text);
        valid.filter = (enum reduce_filter)filter;
        copy_texts(units, count, texts);
        bool passes = subject_try(&s, &valid, texts, count, &why);
        if (passes)
            copy_texts(s.texts, count, units);
        subject_close(&s);
        if (passes)
            break;
    }
    arena_free(&a);
}

bool reduce_pack(const struct reduce_options *o, const struct reduce_expect *x, struct text *units,
                 size_t count, struct err *e)
{
    struct arena a = {0};
    struct text *texts = NEW_ARRAY(&a, count, struct text);
    struct reduce_candidate c = {texts, count, *x};
    bool holds = false;
    copy_texts(units, count, texts);
    for (size_t i = 0; i < count; i++)
        tokens_pack(&texts[i]);
    bool ok = o->test(o->predicate, &c, 0, &holds, e);
    if (ok && holds && o->confirm)
        ok = o->confirm(o->predicate, &c, 0, &holds, e);
    if (ok && holds)
        copy_texts(texts, count, units);
    for (size_t i = 0; i < count; i++)
        text_free(&texts[i]);
    arena_free(&a);
    return ok;
}
