/* Whole projects.  A copy of the project is built with cupel-cc (wrapper.c) as its compiler: as it
 * is, to see that its tests pass; with probes, to see what they run; then once for every variant,
 * each from a fresh copy at the same place.  A variant whose objects were all tested before is not
 * tested.  What fails is done again, and then bisected: units first, then edits, down to a smallest
 * set that still fails.
 *
 * The folder that the two share, beside the copy:
 *     bin/cupel-cc   the compiler          state      what it is to do
 *     units/         hits of each unit     varied/    units that a build changed
 *     skipped/       units that it left as they are, and why
 *     diff/          what it changed, when asked for
 *     objects/       what came of it (objects.c)
 *     ready/         the project once it is configured: what copies are made of
 */
#include "emi/private.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_STEPS = 150, KEPT_WORDS = 2000, DOUBTS = 2, MOST_TRIES = 4 };

/* What a command may take: what it took before tells. */
struct limit {
    double given, most, longest; /* seconds; the last: of those that passed */
};

struct session {
    const struct emi_project *p;
    struct emi_project_report *out;
    struct arena *a;
    const char *dir;  /* shared with the wrapper */
    const char *copy; /* where the project is built */
    const char *from; /* what is copied there */
    char **env;
    size_t pad; /* the variable there that moves the stack */
    size_t steps;
    struct limit build, test;
    unsigned layouts;         /* that coverage was collected under */
    struct emi_builds builds; /* of the configuration at hand */
};

/* What a build of the whole project is to be. */
struct wanted {
    size_t config;
    char mode;
    uint64_t seed;
    const struct list *units;  /* names; NULL: all */
    const struct list *groups; /* "unit:number"; NULL: all */
    bool show;
    bool again;      /* test it even if its objects are known */
    unsigned layout; /* with probes: how far things are moved about in memory */
};

enum result { PASSES, TEST_FAILS, BUILD_FAILS };

/* What became of it. */
struct build {
    enum result result;
    const char *said; /* by what failed */
    struct list objects;
    bool known; /* all objects were: not tested */
};

/* ---- building --------------------------------------------------------------------------- */

static void add_lines(struct text *t, const char *key, const struct list *l)
{
    for (size_t i = 0; l && i < l->n; i++)
        text_printf(t, "%s=%s\n", key, (char *)l->at[i]);
}

static bool write_state(struct session *s, const struct wanted *w, struct err *e)
{
    struct text t = {0};
    text_printf(&t, "mode=%c\nseed=%llu\nmutations=%u\n", w->mode, (unsigned long long)w->seed,
                s->p->mutations);
    for (char *const *word = s->p->configs[w->config].argv; *word; word++)
        text_printf(&t, "word=%s\n", *word);
    add_lines(&t, "only", w->units);
    add_lines(&t, "group", w->groups);
    text_printf(&t, "layout=%u\n%s", w->layout, w->show ? "show=1\n" : "");
    bool ok = sys_write_file(arena_printf(s->a, "%s/state", s->dir), text_str(&t), t.n, e);
    text_free(&t);
    return ok;
}

static bool run_command(struct session *s, const char *dir, const char *command, double timeout,
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

static bool copy_project(struct session *s, struct err *e)
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
    return arena_copy(a, text_str(t) + from, t->n - from);
}

/* A variant may hang; a busy machine must not look like it. */
static void loosen(struct limit *l, double seconds)
{
    l->longest = seconds > l->longest ? seconds : l->longest;
    double enough = 30 + 8 * l->longest;
    l->most = l->given < enough ? l->given : enough;
}

/* One command in the copy; *said is what it said when it failed. */
static bool run_step(struct session *s, const char *command, struct limit *limit, bool *passes,
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

static bool list_objects(struct session *s, struct list *objects, struct err *e)
{
    return emi_objects_list(s->a, arena_printf(s->a, "%s/objects", s->dir), objects, e);
}

/* The tests of what was built, unless all its objects were tested before. */
static bool test_build(struct session *s, const struct wanted *w, struct build *b, struct err *e)
{
    struct list before;
    bool passes;
    const int *known = NULL;
    if (!list_objects(s, &before, e))
        return false;
    if (w->mode == 'v' && !w->again)
        known = emi_builds_find(&s->builds, s->a, &before);
    b->objects = before;
    b->known = known != NULL;
    if (known) {
        b->result = (enum result) * known;
        return true;
    }
    if (!run_step(s, s->p->test, &s->test, &passes, &b->said, e) ||
        !list_objects(s, &b->objects, e))
        return false;
    b->result = passes ? PASSES : TEST_FAILS;
    if (w->mode == 'p' && b->objects.n > before.n)
        s->builds.late = true;
    if (w->mode != 'c')
        emi_builds_add(&s->builds, s->a, &before, b->result);
    return true;
}

/* A fresh copy, its build and its tests. */
static bool build_and_test(struct session *s, const struct wanted *w, struct build *b,
                           struct err *e)
{
    static const char *const emptied[] = {"varied", "tmp", "objects"};
    bool passes;
    *b = (struct build){.result = BUILD_FAILS};
    s->env[s->pad] = arena_printf(s->a, "CUPEL_PAD=%*s", (int)w->layout * 37, "");
    s->steps++;
    for (size_t i = 0; i < LENGTH(emptied); i++)
        sys_empty_folder(arena_printf(s->a, "%s/%s", s->dir, emptied[i]));
    if (!copy_project(s, e) || !write_state(s, w, e) ||
        !run_step(s, s->p->build, &s->build, &passes, &b->said, e))
        return false;
    return !passes || test_build(s, w, b, e);
}

/* ---- bisection -------------------------------------------------------------------------- */

struct bisection {
    struct session *s;
    struct wanted wanted;
    bool by_units; /* items are units, else groups */
    enum result failure;
    size_t left; /* steps */
};

static bool still_fails(struct bisection *b, const struct list *items, bool *fails, struct err *e)
{
    struct wanted w = b->wanted;
    struct build build;
    *fails = false;
    if (b->left == 0 || items->n == 0)
        return true;
    b->left--;
    if (b->by_units)
        w.units = items;
    else
        w.groups = items;
    if (!build_and_test(b->s, &w, &build, e))
        return false;
    *fails = build.result == b->failure;
    return true;
}

static struct list without(struct arena *a, const struct list *l, size_t from, size_t to, bool keep)
{
    struct list out = {0};
    for (size_t i = 0; i < l->n; i++)
        if ((i >= from && i < to) == keep)
            list_add(a, &out, l->at[i]);
    return out;
}

/* Delta debugging (Zeller and Hildebrandt): the smallest part that still fails alone. */
static bool minimise(struct bisection *b, struct list *items, struct err *e)
{
    for (size_t parts = 2; items->n > 1;) {
        size_t size = (items->n + parts - 1) / parts;
        bool fails = false;
        for (size_t from = 0; from < items->n && !fails; from += size)
            for (int keep = 1; keep >= 0 && !fails; keep--) {
                if (!keep && parts == 2)
                    continue; /* the other half */
                struct list part = without(b->s->a, items, from, from + size, keep);
                if (!still_fails(b, &part, &fails, e))
                    return false;
                if (fails) {
                    *items = part;
                    parts = keep ? 2 : parts > 2 ? parts - 1 : 2;
                }
            }
        if (!fails && parts >= items->n)
            return true;
        if (!fails)
            parts = parts * 2 < items->n ? parts * 2 : items->n;
    }
    return true;
}

struct note {
    unsigned groups;
    size_t edits;
    const char *source;
};

static bool read_note(struct session *s, const char *unit, struct note *n)
{
    struct text t = {0};
    struct err e;
    bool ok = sys_read_file(arena_printf(s->a, "%s/varied/%s", s->dir, unit), SYS_READ_ALL, &t, &e);
    char *line = ok ? arena_copy(s->a, text_str(&t), t.n) : NULL, *end = NULL;
    if (ok) {
        n->groups = (unsigned)strtoul(line, &end, 10);
        n->edits = strtoul(end + 1, &end, 10);
        n->source = str_first_line(s->a, end + 1);
    }
    text_free(&t);
    return ok;
}

static bool varied_units(struct session *s, struct list *units, struct err *e)
{
    *units = (struct list){0};
    return sys_list_folder(s->a, arena_printf(s->a, "%s/varied", s->dir), units, e);
}

static struct list groups_of(struct session *s, const struct list *units, size_t *edits)
{
    struct list groups = {0};
    *edits = 0;
    for (size_t i = 0; i < units->n; i++) {
        struct note n = {0};
        if (!read_note(s, units->at[i], &n))
            continue;
        *edits += n.edits;
        for (unsigned g = 0; g < n.groups; g++)
            list_add(s->a, &groups, arena_printf(s->a, "%s:%u", (char *)units->at[i], g));
    }
    return groups;
}

/* Builds what is left once more, and has the wrapper show it. */
static bool show_rest(struct session *s, const struct wanted *w, struct emi_project_finding *f,
                      struct err *e)
{
    struct build build;
    struct list units;
    struct text all = {0};
    struct wanted shown = *w;
    shown.show = shown.again = true;
    sys_empty_folder(arena_printf(s->a, "%s/diff", s->dir));
    if (!build_and_test(s, &shown, &build, e) || !varied_units(s, &units, e))
        return false;
    f->said = build.said;
    f->units = f->edits = 0;
    for (size_t i = 0; i < units.n; i++) {
        struct note n = {0};
        struct err ignored;
        if (!read_note(s, units.at[i], &n) || n.edits == 0)
            continue;
        f->units++;
        f->edits += n.edits;
        sys_read_file(arena_printf(s->a, "%s/diff/%s", s->dir, (char *)units.at[i]), SYS_READ_ALL,
                      &all, &ignored);
    }
    f->diff = arena_string(s->a, text_str(&all));
    bool ok = sys_make_dirs(s->p->output, e) && sys_write_file(f->file, text_str(&all), all.n, e);
    text_free(&all);
    return ok;
}

static bool bisect(struct session *s, const struct wanted *w, enum result failure,
                   struct emi_project_finding *f, struct list *left, struct err *e)
{
    struct list units, groups;
    struct bisection b = {
        .s = s, .wanted = *w, .by_units = true, .failure = failure, .left = MOST_STEPS};
    size_t before = s->steps;
    if (!varied_units(s, &units, e))
        return false;
    groups = groups_of(s, &units, &f->all_edits);
    f->all_units = units.n;
    if (!minimise(&b, &units, e))
        return false;
    /* what was left may not be the last that was built */
    bool fails;
    if (!still_fails(&b, &units, &fails, e))
        return false;
    size_t edits;
    groups = groups_of(s, &units, &edits);
    b.wanted.units = &units;
    b.by_units = false;
    if (!minimise(&b, &groups, e))
        return false;
    b.wanted.groups = &groups;
    *left = units;
    f->steps = s->steps - before;
    return show_rest(s, &b.wanted, f, e);
}

/* ---- one configuration ------------------------------------------------------------------ */

static void show(struct session *s, const char *what, size_t done, size_t total)
{
    if (s->p->progress)
        s->p->progress(s->p->context, what, done, total);
}

static void add_finding(struct session *s, const struct emi_project_finding *f)
{
    struct emi_project_report *r = s->out;
    r->findings = arena_grow(s->a, r->findings, r->finding_count, r->finding_count + 1,
                             sizeof *r->findings);
    r->findings[r->finding_count++] = *f;
}

/* All that is known about what runs in these units, or in all. */
static bool hash_facts(struct session *s, const struct list *units, uint64_t *hash, struct err *e)
{
    struct list names = {0};
    struct text hits = {0};
    bool ok = sys_list_folder(s->a, arena_printf(s->a, "%s/units", s->dir), &names, e);
    for (size_t i = 0; ok && i < names.n; i++) {
        bool wanted = !units;
        for (size_t k = 0; units && k < units->n; k++)
            wanted |= str_has_prefix(names.at[i], units->at[k]);
        if (wanted)
            ok = sys_read_file(arena_printf(s->a, "%s/units/%s", s->dir, (char *)names.at[i]),
                               SYS_READ_ALL, &hits, e);
    }
    *hash = hash_bytes(text_str(&hits), hits.n);
    text_free(&hits);
    return ok;
}

/* Does the project run the same code each time?  What hangs on addresses, time or chance may not.
 * Coverage is collected again, with everything elsewhere in memory; what it adds is kept. */
static bool doubt(struct session *s, size_t config, const struct list *units, bool *same,
                  struct err *e)
{
    uint64_t before, after;
    struct build build;
    if (!hash_facts(s, units, &before, e))
        return false;
    for (size_t i = 0; i < DOUBTS; i++) {
        struct wanted w = {.config = config, .mode = 'c', .layout = ++s->layouts};
        if (!build_and_test(s, &w, &build, e))
            return false;
    }
    if (!hash_facts(s, units, &after, e))
        return false;
    *same = before == after;
    return true;
}

/* A linker misses what the project only declares, or has inline, when the optimiser does not happen
 * to remove the call: no compiler promises that. */
static bool is_missing(const struct build *b)
{
    return b->result == BUILD_FAILS &&
           (strstr(b->said, "undefined reference to") || strstr(b->said, "undefined symbol"));
}

enum failure { IS_FINDING, IS_CHANCE, IS_OURS };

/* Once more: does the original still pass, run the same code, and the variant fail again? */
static bool confirm(struct session *s, const struct wanted *w, enum result failure,
                    enum failure *which, struct err *e)
{
    struct wanted plain = {.config = w->config, .mode = 'p'}, varied = *w;
    struct build build;
    bool same = true;
    *which = IS_CHANCE;
    if (!build_and_test(s, &plain, &build, e))
        return false;
    if (build.result != PASSES)
        return true;
    if (failure == TEST_FAILS && !doubt(s, w->config, NULL, &same, e))
        return false;
    *which = IS_OURS;
    if (!same)
        return true;
    varied.again = true;
    if (!build_and_test(s, &varied, &build, e))
        return false;
    *which = build.result == failure ? IS_FINDING : IS_CHANCE;
    return true;
}

/* What a variant's failure comes down to: one of the compiler's, one that does not come again, or
 * one of ours, because something ran that had not run before. */
static bool look_into(struct session *s, const struct wanted *w, size_t variant,
                      const struct build *build, enum failure *which, struct err *e)
{
    bool same = true;
    struct list units;
    show(s, "a failure, built again: variant", variant + 1, s->p->variants);
    if (!confirm(s, w, build->result, which, e))
        return false;
    if (*which != IS_FINDING)
        return true;
    struct emi_project_finding f = {.variant = variant,
                                    .config = w->config,
                                    .kind = build->result == BUILD_FAILS ? "does not build"
                                                                         : "tests fail",
                                    .said = build->said};
    f.file = arena_printf(s->a, "%s/finding-%zu.diff", s->p->output, s->out->finding_count);
    show(s, "bisecting a variant", variant + 1, s->p->variants);
    if (!bisect(s, w, build->result, &f, &units, e) ||
        (build->result == TEST_FAILS && !doubt(s, w->config, &units, &same, e)))
        return false;
    if (same)
        add_finding(s, &f);
    else
        *which = IS_OURS;
    return true;
}

static bool try_variant(struct session *s, size_t config, size_t variant, struct err *e)
{
    struct wanted w = {
        .config = config, .mode = 'v', .seed = emi_variant_seed(s->p->seed, variant)};
    struct emi_project_config *c = &s->out->configs[config];
    struct build build;
    enum failure which = IS_FINDING;
    /* with better facts it is another variant, and worth another try */
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        if (!build_and_test(s, &w, &build, e))
            return false;
        /* what fails by the very same objects is one finding */
        if (build.result == PASSES || build.known || is_missing(&build))
            break;
        if (!look_into(s, &w, variant, &build, &which, e))
            return false;
        if (which != IS_OURS)
            break;
        s->out->shifting++;
    }
    s->out->unstable += which == IS_CHANCE;
    s->out->unlinked += is_missing(&build);
    c->built += build.result != BUILD_FAILS;
    c->passed += build.result == PASSES;
    c->known += build.known;
    emi_builds_count(&s->builds, s->a, &build.objects, &c->objects);
    return true;
}

static bool read_unread(struct session *s, struct err *e)
{
    struct list names = {0};
    char *folder = arena_printf(s->a, "%s/skipped", s->dir);
    if (!sys_list_folder(s->a, folder, &names, e))
        return false;
    for (size_t i = 0; i < names.n; i++) {
        struct text why = {0};
        if (sys_read_file(arena_printf(s->a, "%s/%s", folder, (char *)names.at[i]), SYS_READ_ALL,
                          &why, e)) {
            bool said = false;
            for (size_t k = 0; k < s->out->unread.n; k++)
                said |= strcmp(s->out->unread.at[k], text_str(&why)) == 0;
            if (!said)
                list_add(s->a, &s->out->unread, arena_string(s->a, text_str(&why)));
        }
        text_free(&why);
    }
    sys_empty_folder(folder);
    return true;
}

static bool count_units(struct session *s, struct emi_project_config *c, struct err *e)
{
    struct list names = {0};
    if (!sys_list_folder(s->a, arena_printf(s->a, "%s/units", s->dir), &names, e))
        return false;
    c->units = names.n;
    for (size_t i = 0; i < names.n; i++) {
        struct text hits = {0};
        if (sys_read_file(arena_printf(s->a, "%s/units/%s", s->dir, (char *)names.at[i]),
                          SYS_READ_ALL, &hits, e))
            c->covered += hits.n && hits.s[hits.n - 1];
        text_free(&hits);
    }
    return true;
}

/* Why the configuration cannot be tested. */
static bool refuse(struct session *s, size_t config, const char *when, const char *what,
                   const char *said)
{
    s->out->configs[config].why = arena_printf(s->a, "%sthe %s: %s", when, what, said);
    return true;
}

/* What all copies are made of from here on. */
static bool configure(struct session *s, size_t config, bool *ready, struct err *e)
{
    struct wanted w = {.config = config, .mode = 'p'};
    const char *said, *folder = arena_printf(s->a, "%s/ready", s->dir);
    *ready = true;
    s->from = s->p->dir;
    if (!s->p->configure)
        return true;
    show(s, "configuring: configuration", config + 1, s->p->config_count);
    if (!copy_project(s, e) || !write_state(s, &w, e) ||
        !run_step(s, s->p->configure, &(struct limit){.most = s->p->build_timeout}, ready, &said,
                  e) ||
        !sys_remove_tree(folder, e))
        return false;
    if (!*ready)
        return refuse(s, config, "", "configuration fails", said);
    if (rename(s->copy, folder) != 0)
        return fail_errno(e, "cannot rename %s", s->copy);
    s->from = folder;
    return true;
}

/* Builds the project as it is (p), or with probes (c): its tests must pass. */
static bool build_first(struct session *s, size_t config, char mode, bool *passes, struct err *e)
{
    struct wanted w = {.config = config, .mode = mode};
    struct build build;
    show(s, mode == 'p' ? "the project as it is: configuration" : "coverage: configuration",
         config + 1, s->p->config_count);
    if (!build_and_test(s, &w, &build, e))
        return false;
    *passes = build.result == PASSES;
    if (mode == 'p')
        emi_builds_count(&s->builds, s->a, &build.objects, NULL);
    return *passes ||
           refuse(s, config, mode == 'p' ? "" : "with probes, ",
                  build.result == BUILD_FAILS ? "build fails" : "tests fail", build.said);
}

static bool prepare_config(struct session *s, size_t config, struct err *e)
{
    struct emi_project_config *c = &s->out->configs[config];
    bool good;
    s->builds = (struct emi_builds){0};
    s->build = (struct limit){s->p->build_timeout, s->p->build_timeout, 0};
    s->test = (struct limit){s->p->test_timeout, s->p->test_timeout, 0};
    sys_empty_folder(arena_printf(s->a, "%s/units", s->dir));
    if (!configure(s, config, &good, e))
        return false;
    for (const char *mode = "pc"; *mode && good; mode++)
        if (!build_first(s, config, *mode, &good, e))
            return false;
    if (!read_unread(s, e) || !count_units(s, c, e))
        return false;
    c->usable = good && c->covered > 0;
    if (good && !c->usable)
        c->why = "no unit was compiled by $CC and run: does the build use the variable CC?";
    return true;
}

static bool try_config(struct session *s, size_t config, struct err *e)
{
    if (!prepare_config(s, config, e))
        return false;
    for (size_t i = 0; s->out->configs[config].usable && i < s->p->variants; i++) {
        show(s, s->p->configs[config].text, i, s->p->variants);
        if (!try_variant(s, config, i, e))
            return false;
    }
    return true;
}

/* ---- all of it -------------------------------------------------------------------------- */

static bool make_folders(struct session *s, struct err *e)
{
    static const char *const names[] = {"bin",  "units", "varied", "skipped",
                                        "diff", "tmp",   "copy",   "objects"};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (!sys_make_dirs(arena_printf(s->a, "%s/%s", s->dir, names[i]), e))
            return false;
    char *self = sys_real_path(s->a, "/proc/self/exe");
    char *link = arena_printf(s->a, "%s/bin/cupel-cc", s->dir);
    if (!self || symlink(self, link) != 0)
        return fail_errno(e, "cannot make %s", link);
    return true;
}

/* CC for configure scripts and makefiles that have none of their own, MAKEFLAGS for those that do;
 * a fixed date, so that __DATE__ is the same in every build. */
static void set_environment(struct session *s)
{
    struct list env = {0};
    for (char **p = sys_tool_env(s->a, s->dir); *p; p++)
        if (!str_has_prefix(*p, "CC=") && !str_has_prefix(*p, "MAKEFLAGS=") &&
            !str_has_prefix(*p, "MFLAGS=") && !str_has_prefix(*p, "MAKELEVEL="))
            list_add(s->a, &env, *p);
    list_add(s->a, &env, arena_printf(s->a, "CC=%s/bin/cupel-cc", s->dir));
    list_add(s->a, &env, arena_printf(s->a, "MAKEFLAGS=CC=%s/bin/cupel-cc", s->dir));
    list_add(s->a, &env, "SOURCE_DATE_EPOCH=1000000000");
    s->pad = env.n;
    list_add(s->a, &env, "CUPEL_PAD=");
    list_add(s->a, &env, NULL);
    s->env = (char **)env.at;
}

static const char *last_part(struct arena *a, const char *path)
{
    char *copy = arena_string(a, path);
    size_t n = strlen(copy);
    while (n > 1 && copy[n - 1] == '/')
        copy[--n] = 0;
    const char *slash = strrchr(copy, '/');
    return slash && slash[1] ? slash + 1 : copy;
}

bool emi_project(struct arena *a, const struct emi_project *p, struct emi_project_report *out,
                 struct err *e)
{
    struct session s = {.p = p, .out = out, .a = a};
    struct emi_project real = *p;
    *out = (struct emi_project_report){0};
    real.dir = sys_real_path(a, p->dir);
    if (!real.dir)
        return fail(e, "there is no folder %s", p->dir);
    s.p = &real;
    s.dir = arena_printf(a, "%s/project", p->scratch);
    s.copy = arena_printf(a, "%s/copy/%s", s.dir, last_part(a, real.dir));
    if (strpbrk(s.dir, " \t\"\\"))
        return fail(e, "the scratch folder %s has a blank in its name: set TMPDIR elsewhere",
                    s.dir);
    out->configs = NEW_ARRAY(a, p->config_count, struct emi_project_config);
    if (!sys_make_dirs(s.dir, e) || !make_folders(&s, e))
        return false;
    set_environment(&s);
    bool ok = true;
    for (size_t i = 0; ok && i < p->config_count; i++)
        ok = try_config(&s, i, e);
    return ok;
}
