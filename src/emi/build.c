/* Builds of a project: a fresh copy, the wrapper told what to do, the build, the tests. */
#include "emi/project.h"

#include "sys/sys.h"

#include <string.h>

enum { KEPT_WORDS = 2000 };

bool project_write_state(struct project *s, const struct wanted *w, struct err *e)
{
    struct emi_state state = {.mode = w->mode,
                              .seed = w->seed,
                              .mutations = s->p->mutations,
                              .layout = w->layout,
                              .show = w->show,
                              .opinions = s->opinions};
    for (char *const *word = s->p->configs[w->config].argv; *word; word++)
        list_add(s->a, &state.words, *word);
    if (w->units)
        state.only = *w->units;
    if (w->groups)
        state.groups = *w->groups;
    if (w->traps)
        state.traps = *w->traps;
    return emi_state_write(s->a, s->dir, &state, e);
}

static bool run_command(struct project *s, const char *dir, const char *command, double timeout,
                        struct sys_result *r, struct err *e)
{
    char *argv[] = {"/bin/sh", "-c", arena_string(s->a, command), NULL};
    struct sys_job job = {
        .action = SYS_EXEC,
        .argv = argv,
        .env = s->env,
        .dir = dir,
        .drain_outputs = true,
        .limits = {.wall = timeout, .output = 8 << 20},
    };
    return sys_run(s->p->lab->runner, &job, r, e);
}

bool project_copy(struct project *s, struct err *e)
{
    struct sys_result r = {0};
    char *words[] = {"cp", "-a", (char *)s->from, (char *)s->copy, NULL};
    struct text command = {0};
    str_join_command(&command, words);
    bool ok = sys_remove_tree(s->copy, e) && run_command(s, s->dir, text_str(&command), 600, &r, e);
    if (ok && (r.end != SYS_EXITED || r.code != 0))
        ok = fail(e, "cannot copy %s: %s", s->p->dir, text_str(&r.err));
    sys_result_free(&r);
    text_free(&command);
    return ok;
}

/* The end of what was said: errors, if there are any. */
static const char *last_words(struct arena *a, const struct sys_result *r)
{
    const struct text *t = r->err.n ? &r->err : &r->out;
    size_t from = t->n > KEPT_WORDS ? t->n - KEPT_WORDS : 0;
    return str_visible(a, arena_copy(a, text_str(t) + from, t->n - from));
}

/* A variant may hang; a busy machine must not look like it. */
static void loosen(struct limit *l, double seconds)
{
    l->longest = seconds > l->longest ? seconds : l->longest;
    double enough = 30 + 8 * l->longest;
    l->most = l->given < enough ? l->given : enough;
}

bool project_run(struct project *s, const char *command, struct limit *limit, bool *passes,
                 const char **said, struct err *e)
{
    struct sys_result r = {0};
    if (!run_command(s, s->copy, command, limit->most, &r, e))
        return false;
    if (r.end == SYS_EXITED && r.code == 0)
        loosen(limit, r.wall);
    if (r.end == SYS_TIMEOUT)
        text_printf(&r.err, "(ended after %.0f s)\n", limit->most);
    bool interrupted = r.end == SYS_CANCELLED || sys_cancelled();
    *passes = r.end == SYS_EXITED && r.code == 0;
    *said = *passes ? "" : last_words(s->a, &r);
    sys_result_free(&r);
    return !interrupted || fail(e, "interrupted");
}

static bool list_objects(struct project *s, struct list *objects, struct err *e)
{
    return emi_objects_list(s->a, arena_printf(s->a, "%s/objects", s->dir), objects, e);
}

/* The tests of what was built, unless all its objects were tested before. */
static bool test_build(struct project *s, const struct wanted *w, struct build *b, struct err *e)
{
    struct list before;
    bool passes;
    const int *known = NULL;
    if (!list_objects(s, &before, e))
        return false;
    if (w->mode == MODE_VARIANT && !w->again)
        known = emi_builds_find(&s->builds, s->a, &before);
    b->objects = before;
    b->known = known != NULL;
    if (known) {
        b->result = (enum result) * known;
        return true;
    }
    if (!project_run(s, s->p->test, &s->test, &passes, &b->said, e) ||
        !list_objects(s, &b->objects, e))
        return false;
    b->result = passes ? PASSES : TEST_FAILS;
    if (w->mode == MODE_PLAIN && b->objects.n > before.n)
        s->builds.late = true;
    if (w->mode != MODE_COVERAGE)
        emi_builds_add(&s->builds, s->a, &before, (int)b->result);
    return true;
}

bool project_build(struct project *s, const struct wanted *w, struct build *b, struct err *e)
{
    static const char *const emptied[] = {"varied", "tmp", "objects", "failed"};
    bool passes;
    *b = (struct build){.result = BUILD_FAILS};
    s->env[s->pad] = arena_printf(s->a, "CUPEL_PAD=%*s", (int)w->layout * 37, "");
    s->steps++;
    for (size_t i = 0; i < LENGTH(emptied); i++)
        sys_empty_folder(arena_printf(s->a, "%s/%s", s->dir, emptied[i]));
    if (!project_copy(s, e) || !project_write_state(s, w, e) ||
        !project_run(s, s->p->build, &s->build, &passes, &b->said, e))
        return false;
    if (!passes)
        return emi_failure_read(s->a, s->dir, &b->failure, e);
    return test_build(s, w, b, e);
}
