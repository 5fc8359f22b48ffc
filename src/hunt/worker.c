/* A worker: a process that takes tasks from the coordinator, one at a time, tests each, and says
 * what it showed.  Knows the protocol; what is done with a program is hunt.c's. */
#include "hunt/private.h"

#include <malloc.h>
#include <string.h>

/* What it cost is what was used since the last report. */
static bool report(struct worker *w, struct message *m)
{
    double jobs = sys_children_cpu(), own = sys_own_cpu();
    m->done.job_cpu = jobs - w->cpu_jobs;
    m->done.own_cpu = own - w->cpu_own;
    w->cpu_jobs = jobs;
    w->cpu_own = own;
    return message_send(&w->boss, m);
}

static bool do_task(struct worker *w, const struct task *task, struct err *e)
{
    struct test t = {.w = w, .task = *task, .result = {.sick = "", .why = ""}};
    bool ok = hunt_test(&t, e);
    struct message m = {.type = MESSAGE_DONE, .done = t.result};
    ok = ok && (report(w, &m) || fail(e, "nobody listens"));
    subject_free(&t.subject);
    return ok;
}

static bool answer(struct worker *w, struct message *m, enum message_type type, struct err *e)
{
    m->type = type;
    m->done.sick = m->done.why = "";
    return report(w, m) || fail(e, "nobody listens");
}

static bool reduce(struct worker *w, struct message *m, struct err *e)
{
    struct slice slice = {m->seconds, m->clock};
    if (!m->finding.reduced.complete && !shrink_finding(w, &m->finding, &slice, e))
        return false;
    if (m->finding.reduced.complete && !m->finding.named && !name_finding(w, &m->finding, e))
        return false;
    return answer(w, m, MESSAGE_REDUCED, e);
}

/* One that can become smaller is named again when it has. */
static bool name(struct worker *w, struct message *m, struct err *e)
{
    if (!name_finding(w, &m->finding, e))
        return false;
    m->finding.named = m->finding.reduced.complete;
    return answer(w, m, MESSAGE_REDUCED, e);
}

/* What cannot be tried is unclear, and says why. */
static bool recheck(struct worker *w, struct message *m, struct err *e)
{
    struct hunt_command command = {.text = m->command};
    struct recheck_bench b = {.lab = &w->labs.at[0],
                              .scratch = w->labs.scratch.path,
                              .arena = &w->arena,
                              .command = *m->command ? &command : NULL};
    struct err why = {""};
    m->reply = (struct errand_reply){.state = RECHECK_UNCLEAR};
    recheck_try(&b, &m->finding, &m->reply.state, &why);
    m->reply.note = why.msg;
    if (sys_cancelled())
        return fail(e, "interrupted");
    return answer(w, m, MESSAGE_RECHECKED, e);
}

/* A plan comes first, and again when something changed. */
static bool take_plan(struct worker *w, const struct text *bytes, struct err *e)
{
    struct message m;
    if (w->labs.at)
        cc_labs_close(&w->labs);
    arena_reset(&w->plan_arena);
    w->compilers = NULL;
    w->culprits = (struct list){0};
    if (!message_decode(&w->plan_arena, bytes, &m))
        BUG("a plan that was read cannot be read again");
    w->plan = m.plan;
    struct cc_config *configs = NEW_ARRAY(&w->plan_arena, w->plan.n, struct cc_config);
    for (size_t i = 0; i < w->plan.n; i++)
        configs[i] = w->plan.configs[i].cc;
    struct cc_lab_options options = {.count = 1,
                                     .trust_compilers = w->plan.trust,
                                     .readable = cc_readable(&w->plan_arena, configs, w->plan.n)};
    return cc_labs_open(&w->labs, &options, e);
}

/* Does what the next message asks for; false when there is none, or it cannot be done. */
static bool serve(struct worker *w, struct err *e)
{
    struct text bytes = {0};
    struct message m;
    bool ok = sys_peer_receive(&w->boss, &bytes) && message_decode(&w->arena, &bytes, &m);
    if (ok && m.type == MESSAGE_PLAN)
        ok = take_plan(w, &bytes, e);
    else if (ok && m.type == MESSAGE_TASK)
        ok = do_task(w, &m.task, e);
    else if (ok && m.type == MESSAGE_REDUCE)
        ok = reduce(w, &m, e);
    else if (ok && m.type == MESSAGE_NAME)
        ok = name(w, &m, e);
    else if (ok && m.type == MESSAGE_RECHECK)
        ok = recheck(w, &m, e);
    else
        ok = false;
    text_free(&bytes);
    arena_reset(&w->arena);
    return ok;
}

int hunt_work(void)
{
    struct worker w = {.labs.scratch.lock_fd = -1};
    struct err e = {""};
    log_set_level(LOG_QUIET); /* notes are the coordinator's */
    /* every program takes a megabyte and gives it back: let malloc keep it in between */
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    bool ok = sys_peer_join(&w.boss, &e);
    while (ok)
        ok = serve(&w, &e);
    if (*e.msg && !sys_cancelled())
        message_send(&w.boss, &(struct message){.type = MESSAGE_FAILED, .why = e.msg});
    if (w.labs.at)
        cc_labs_close(&w.labs);
    arena_free(&w.arena);
    arena_free(&w.plan_arena);
    sys_peer_stop(&w.boss);
    return *e.msg ? 2 : 0;
}
