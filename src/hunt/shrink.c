/* Making findings small, in a worker, a slice of CPU time at a time: what is reached is sent to the
 * coordinator, which keeps it, and the next slice goes on from there.  A finding that cannot be
 * reduced (it does not show any more, the machine cannot say what the program does) says why and is
 * left alone. */
#include "hunt/private.h"

#include "keep/keep.h"
#include "triage/triage.h"

#include <string.h>

static void give_up(struct arena *a, struct finding_reduced *r, const struct err *e)
{
    r->complete = true;
    r->why = arena_string(a, e->msg);
}

static void take(struct arena *a, const struct text *unit, const struct reduce_report *report,
                 struct finding_reduced *r)
{
    r->program = (struct bytes){arena_copy(a, text_str(unit), unit->n), unit->n};
    r->lines = report->last.lines;
    r->bytes = report->last.bytes;
    r->tries += report->tries;
    r->cpu += report->cpu;
    r->complete = report->complete;
    r->status = report->expect.status;
    r->expected = (struct bytes){"", 0};
    if (report->expect.known)
        r->expected = (struct bytes){arena_copy(a, report->expect.out, report->expect.out_size),
                                     report->expect.out_size};
}

static bool is_over(void *context)
{
    const double *end = context;
    return sys_now() > *end;
}

static bool shrink(struct keep *k, struct text *unit, const struct slice *most, struct arena *a,
                   struct finding_reduced *r, struct err *e)
{
    double end = sys_now() + most->clock;
    struct reduce_options o = {
        .jobs = 1, .cpu = most->cpu, .stop = most->clock > 0 ? is_over : NULL, .context = &end};
    struct reduce_report report;
    struct evidence ev;
    if (!keep_decide(k, &o, unit, e) || !reduce_run(&o, unit, 1, &report, e))
        return false;
    take(a, unit, &report, r);
    r->grade = GRADE_SUSPECT;
    if (report.complete && keep_verdict(k) != VERDICT_NONE &&
        keep_gather(k, unit, &report.expect, a, &ev, e))
        r->grade = ev.grade;
    reduce_report_free(&report);
    return true;
}

/* What must go on going wrong. */
struct guard {
    struct arena arena;
    const struct finding *finding;
};

/* Does the candidate go wrong where the original did? */
static bool is_same_bug(void *context, struct cc_lab *lab, const struct judge_claim *c, bool *same,
                        struct err *e)
{
    struct guard *g = context;
    struct judge_claim claim = *c;
    struct triage_job job = {.lab = lab, .claim = &claim};
    struct triage_first first;
    arena_reset(&g->arena);
    claim.target = name_target(g->finding);
    if (!triage_find_first(&job, &g->arena, &first, e))
        return false;
    *same = strcmp(first.shape, g->finding->blame.pass) == 0;
    return true;
}

bool shrink_finding(struct worker *w, struct finding *f, const struct slice *most, struct err *e)
{
    struct text unit = {0};
    struct err why;
    struct guard guard = {.finding = f};
    char *names[] = {"program.c", NULL};
    struct bytes from = f->reduced.program.n ? f->reduced.program : f->subject.program;
    struct keep_options o = {.cc = f->claim.config,
                             .emulator = *f->again.emulator ? f->again.emulator : NULL,
                             .names = names,
                             .count = 1,
                             .compile_timeout = f->again.compile_timeout,
                             .run_timeout = f->again.run_timeout,
                             .jobs = 1,
                             .trust_compilers = w->plan.trust,
                             .same = f->reduced.slid ? is_same_bug : NULL,
                             .context = &guard};
    text_add(&unit, from.s, from.n);
    struct keep *k = keep_open(&o, &why);
    if (!k || !shrink(k, &unit, most, &w->arena, &f->reduced, &why))
        give_up(&w->arena, &f->reduced, &why);
    keep_close(k);
    text_free(&unit);
    arena_free(&guard.arena);
    return !sys_cancelled() || fail(e, "interrupted");
}
