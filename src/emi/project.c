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
 *     failed/        commands that failed, and why
 *     ready/         the project once it is configured: what copies are made of
 */
#include "emi/project.h"

#include "sys/sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DOUBTS = 2, MOST_TRIES = 4 };

/* ---- one configuration ------------------------------------------------------------------ */

static void show(struct project *s, const char *what, size_t done, size_t total)
{
    if (s->p->progress)
        s->p->progress(s->p->context, what, done, total);
}

static void add_finding(struct project *s, const struct emi_project_finding *f)
{
    struct emi_project_report *r = s->out;
    r->findings = arena_grow(s->a, r->findings, r->finding_count, r->finding_count + 1,
                             sizeof *r->findings);
    r->findings[r->finding_count++] = *f;
}

/* All that is known about what runs in these units, or in all. */
static bool hash_facts(struct project *s, const struct list *units, uint64_t *hash, struct err *e)
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
static bool doubt(struct project *s, size_t config, const struct list *units, bool *same,
                  struct err *e)
{
    uint64_t before, after;
    struct build build;
    if (!hash_facts(s, units, &before, e))
        return false;
    for (size_t i = 0; i < DOUBTS; i++) {
        struct wanted w = {.config = config, .mode = MODE_COVERAGE, .layout = ++s->layouts};
        if (!project_build(s, &w, &build, e))
            return false;
    }
    if (!hash_facts(s, units, &after, e))
        return false;
    *same = before == after;
    return true;
}

/* A build that fails says something about the compiler when that fell over a unit, or rejects what
 * another one accepts.  What the linker misses, the project only declares, or has inline: no
 * compiler promises to remove the call. */
static bool says_nothing(const struct build *b)
{
    return b->result == BUILD_FAILS && b->failure != FAILURE_COMPILER;
}

enum failure { IS_FINDING, IS_CHANCE, IS_OURS };

/* Once more: does the original still pass, run the same code, and the variant fail again? */
static bool confirm(struct project *s, const struct wanted *w, enum result failure,
                    enum failure *which, struct err *e)
{
    struct wanted plain = {.config = w->config, .mode = MODE_PLAIN}, varied = *w;
    struct build build;
    bool same = true;
    *which = IS_CHANCE;
    if (!project_build(s, &plain, &build, e))
        return false;
    if (build.result != PASSES)
        return true;
    if (failure == TEST_FAILS && !doubt(s, w->config, NULL, &same, e))
        return false;
    *which = IS_OURS;
    if (!same)
        return true;
    varied.again = true;
    if (!project_build(s, &varied, &build, e))
        return false;
    *which = build.result == failure ? IS_FINDING : IS_CHANCE;
    return true;
}

/* What a variant's failure comes down to: one of the compiler's, one that does not come again, or
 * one of ours, because something ran that had not run before. */
static bool look_into(struct project *s, const struct wanted *w, size_t variant,
                      const struct build *build, enum failure *which, struct err *e)
{
    bool same = true, runs = false, everywhere = true, tests = build->result == TEST_FAILS;
    struct rest left;
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
    if (!project_bisect(s, w, build->result, &f, &left, e))
        return false;
    if (tests)
        show(s, "a failure, with strings elsewhere: variant", variant + 1, s->p->variants);
    if ((tests && !project_fails_elsewhere(s, w, &left, &everywhere, e)) ||
        (tests && !project_spring_traps(s, w, &left, !everywhere, &runs, e)) ||
        (tests && !runs && !doubt(s, w->config, &left.units, &same, e)))
        return false;
    if (runs || !same)
        *which = IS_OURS;
    else if (!everywhere)
        *which = IS_CHANCE;
    else
        add_finding(s, &f);
    if (*which != IS_FINDING)
        unlink(f.file);
    return true;
}

static bool try_variant(struct project *s, size_t config, size_t variant, struct err *e)
{
    struct wanted w = {
        .config = config, .mode = MODE_VARIANT, .seed = emi_variant_seed(s->p->seed, variant)};
    struct emi_project_config *c = &s->out->configs[config];
    struct build build;
    enum failure which = IS_FINDING;
    /* with better facts it is another variant, and worth another try */
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        if (!project_build(s, &w, &build, e))
            return false;
        /* what fails by the very same objects is one finding */
        if (build.result == PASSES || build.known || says_nothing(&build))
            break;
        if (!look_into(s, &w, variant, &build, &which, e))
            return false;
        if (which != IS_OURS)
            break;
        s->out->shifting++;
    }
    s->out->unstable += which == IS_CHANCE;
    s->out->refused += says_nothing(&build) && build.failure == FAILURE_REFUSED;
    s->out->unlinked += says_nothing(&build) && build.failure != FAILURE_REFUSED;
    c->built += build.result != BUILD_FAILS;
    c->passed += build.result == PASSES;
    c->known += build.known;
    emi_builds_count(&s->builds, s->a, &build.objects, &c->objects);
    return true;
}

static bool read_unread(struct project *s, struct err *e)
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

static bool count_units(struct project *s, struct emi_project_config *c, struct err *e)
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
static bool refuse(struct project *s, size_t config, const char *when, const char *what,
                   const char *said)
{
    s->out->configs[config].why = arena_printf(s->a, "%sthe %s: %s", when, what, said);
    return true;
}

/* What all copies are made of from here on. */
static bool configure(struct project *s, size_t config, bool *ready, struct err *e)
{
    struct wanted w = {.config = config, .mode = MODE_PLAIN};
    const char *said, *folder = arena_printf(s->a, "%s/ready", s->dir);
    *ready = true;
    s->from = s->p->dir;
    if (!s->p->configure)
        return true;
    show(s, "configuring: configuration", config + 1, s->p->config_count);
    if (!project_copy(s, e) || !project_write_state(s, &w, e) ||
        !project_run(s, s->p->configure, &(struct limit){.most = s->p->build_timeout}, ready, &said,
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

/* Builds the project as it is, or with probes: its tests must pass. */
static bool build_first(struct project *s, size_t config, enum emi_mode mode, bool *passes,
                        struct err *e)
{
    struct wanted w = {.config = config, .mode = mode};
    struct build build;
    show(s, mode == MODE_PLAIN ? "the project as it is: configuration" : "coverage: configuration",
         config + 1, s->p->config_count);
    if (!project_build(s, &w, &build, e))
        return false;
    *passes = build.result == PASSES;
    if (mode == MODE_PLAIN)
        emi_builds_count(&s->builds, s->a, &build.objects, NULL);
    return *passes ||
           refuse(s, config, mode == MODE_PLAIN ? "" : "with probes, ",
                  build.result == BUILD_FAILS ? "build fails" : "tests fail", build.said);
}

/* Those that were given to be tested are not asked: they may be what is wrong. */
static void find_opinions(struct project *s, size_t config)
{
    struct list others = {0};
    emi_second_opinions(s->a, &s->p->configs[config], NULL, 0, &others);
    s->opinions = (struct list){0};
    for (size_t i = 0; i < others.n; i++)
        list_add(s->a, &s->opinions, (char *)((struct cc_config *)others.at[i])->text);
}

static bool prepare_config(struct project *s, size_t config, struct err *e)
{
    struct emi_project_config *c = &s->out->configs[config];
    bool good;
    find_opinions(s, config);
    s->builds = (struct emi_builds){0};
    s->build = (struct limit){s->p->build_timeout, s->p->build_timeout, 0};
    s->test = (struct limit){s->p->test_timeout, s->p->test_timeout, 0};
    sys_empty_folder(arena_printf(s->a, "%s/units", s->dir));
    if (!configure(s, config, &good, e))
        return false;
    for (enum emi_mode mode = MODE_PLAIN; mode <= MODE_COVERAGE && good; mode++)
        if (!build_first(s, config, mode, &good, e))
            return false;
    if (!read_unread(s, e) || !count_units(s, c, e))
        return false;
    c->usable = good && c->covered > 0;
    if (good && !c->usable)
        c->why = "no unit was compiled by $CC and run: does the build use the variable CC?";
    return true;
}

static bool try_config(struct project *s, size_t config, struct err *e)
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

static bool make_folders(struct project *s, struct err *e)
{
    static const char *const names[] = {"bin", "units", "varied",  "skipped", "diff",
                                        "tmp", "copy",  "objects", "failed",  "ran"};
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
static void set_environment(struct project *s)
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
    struct project s = {.p = p, .out = out, .a = a};
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
