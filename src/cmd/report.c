/* cupel report: the bugs of a campaign for people (text, one HTML page) and for trackers. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"
#include "report/report.h"
#include "sys/sys.h"

#include <stdlib.h>
#include <string.h>

struct options {
    const char *dir, *tracker, *html;
    uint64_t id; /* 0: all */
};

/* What a report is made of. */
struct material {
    struct arena *a;
    const struct options *o;
    struct hunt_findings found;
    struct report_subject *subjects;
    size_t n;
};

/* ---- gathering -------------------------------------------------------------------------- */

static const struct triage_result *read_triage(struct material *m, const struct finding *f)
{
    struct triage_result *out = NEW(m->a, struct triage_result);
    const char *text = campaign_triage(m->a, m->o->dir, f);
    return *text && triage_from_text(m->a, text, out) ? out : NULL;
}

static int by_first(const void *x, const void *y)
{
    const struct finding *a = ((const struct report_subject *)x)->finding,
                         *b = ((const struct report_subject *)y)->finding;
    return a->first != b->first ? (a->first < b->first ? -1 : 1)
           : a->id < b->id      ? -1
                                : a->id > b->id;
}

/* What triage found out, perhaps after the hunt, says more than what the hunt knew. */
static void add_subject(struct material *m, struct finding *f)
{
    const struct triage_result *t = read_triage(m, f);
    m->subjects[m->n++] = (struct report_subject){.finding = f, .triage = t};
    if (t)
        f->blame = (struct finding_blame){.pass = triage_culprit(t),
                                          .detail = t->blame.detail,
                                          .wrong = t->first.source,
                                          .done = true};
}

static bool gather(struct material *m, struct err *e)
{
    if (!hunt_list(m->a, m->o->dir, HUNT_WHOLE, &m->found, e))
        return false;
    m->subjects = NEW_ARRAY(m->a, m->found.n + 1, struct report_subject);
    for (size_t i = 0; i < m->found.n; i++) {
        struct finding *f = &m->found.at[i];
        if (!m->o->id || f->id == m->o->id)
            add_subject(m, f);
    }
    if (m->o->id && !m->n)
        return fail(e, "%s has no finding %llu: see cupel list", hunt_public_name(m->a, m->o->dir),
                    (unsigned long long)m->o->id);
    if (m->n)
        qsort(m->subjects, m->n, sizeof *m->subjects, by_first);
    return true;
}

/* ---- for trackers ------------------------------------------------------------------------ */

/* What the accused says of itself, for each. */
static void ask_compilers(struct material *m)
{
    struct cc_labs labs = {0};
    if (!cc_labs_open(&labs, &(struct cc_lab_options){.count = 1}, NULL))
        return;
    for (size_t i = 0; i < m->n; i++) {
        char **argv = str_split_command(m->a, m->subjects[i].finding->claim.config, NULL);
        if (argv && argv[0]) {
            char *ask[] = {argv[0], "-v", NULL};
            m->subjects[i].compiler_words = cc_ask(&labs.at[0], m->a, ask);
        }
    }
    cc_labs_close(&labs);
}

static int print_tracker(struct material *m, enum report_tracker tracker)
{
    struct text out = {0};
    size_t strays = 0;
    ask_compilers(m);
    for (size_t i = 0; i < m->n; i++) {
        if (i)
            text_puts(&out, "\n----------------------------------------\n\n");
        report_for_tracker(tracker, &m->subjects[i], &out);
        strays += !report_is_meant(tracker, m->subjects[i].finding);
    }
    if (strays)
        log_note("%zu of %zu report%s about another compiler than the tracker %s is for", strays,
                 m->n, strays == 1 ? " is" : "s are", m->o->tracker);
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok ? (m->n ? EXIT_FOUND : EXIT_NOTHING_FOUND) : cmd_fail("cannot write to stdout");
}

/* ---- code ------------------------------------------------------------------------------- */

/* Instructions and labels: directives say nothing about what goes wrong. */
static const char *instructions_of(struct arena *a, const char *said)
{
    struct text out = {0};
    for (const char *p = said; *p;) {
        size_t n = strcspn(p, "\n"), blank = strspn(p, " \t");
        bool directive = blank && p[blank] == '.';
        if (n && !directive && p[0] != '#' && p[blank] != '#')
            text_add(&out, p, n + (p[n] == '\n'));
        p += n + (p[n] == '\n');
    }
    const char *copy = out.n ? arena_string(a, text_str(&out)) : NULL;
    text_free(&out);
    return copy;
}

static struct report_assembly ask_assembly(struct material *m, struct cc_lab *lab,
                                           const char *command, const char *path)
{
    char **argv = str_split_command(m->a, arena_printf(m->a, "%s -w -S -o -", command), NULL);
    struct list words = {0};
    for (size_t i = 0; argv && argv[i]; i++)
        list_add(m->a, &words, argv[i]);
    list_add(m->a, &words, (char *)path);
    list_add(m->a, &words, NULL);
    const char *said = argv ? cc_ask(lab, m->a, (char **)words.at) : NULL;
    return (struct report_assembly){command, said ? instructions_of(m->a, said) : NULL};
}

/* Flags with which the accused does its work: those that triage found, or those of the verdict. */
static const char *cure_of(const struct report_subject *s)
{
    if (s->finding->claim.verdict == VERDICT_DEBUG_CODE)
        return "-g";
    return s->triage && *s->triage->blame.switches ? s->triage->blame.switches : NULL;
}

/* Of gcc and clang, whose assembly goes to stdout; of small programs only. */
static void ask_code(struct material *m)
{
    struct cc_labs labs = {0};
    if (!cc_labs_open(&labs, &(struct cc_lab_options){.count = 1}, NULL))
        return;
    for (size_t i = 0; i < m->n; i++) {
        struct report_subject *s = &m->subjects[i];
        const struct finding *f = s->finding;
        enum cc_family family;
        const char *cure = cure_of(s);
        /* compilers are started elsewhere */
        const char *path = sys_real_path(m->a, arena_printf(m->a, "%s/findings/%llu/reduced.c",
                                                            m->o->dir, (unsigned long long)f->id));
        if (!path || !cure || !f->reduced.program.n || !cc_family_of(f->claim.compiler, &family) ||
            (family != CC_FAMILY_GCC && family != CC_FAMILY_CLANG))
            continue;
        s->assembly[0] = ask_assembly(m, &labs.at[0], f->claim.config, path);
        s->assembly[1] = ask_assembly(m, &labs.at[0],
                                      arena_printf(m->a, "%s %s", f->claim.config, cure), path);
    }
    cc_labs_close(&labs);
}

/* ---- the page --------------------------------------------------------------------------- */

enum { CHARTS = 3 };

/* The place of a name among those that were met, which it joins. */
static size_t place_of(const char **names, size_t *n, const char *name)
{
    size_t k = 0;
    while (k < *n && strcmp(names[k], name) != 0)
        k++;
    if (k == *n)
        names[(*n)++] = name;
    return k;
}

static const char *name_of(const char *command)
{
    const char *slash = strrchr(command, '/');
    return slash && slash[1] ? slash + 1 : command;
}

/* A bar for each compiler, made of its verdicts. */
static struct report_chart by_compiler(struct material *m)
{
    const char **compilers = NEW_ARRAY(m->a, m->n + 1, const char *);
    const char **verdicts = NEW_ARRAY(m->a, VERDICT_COUNT, const char *);
    struct report_bar *bars = NEW_ARRAY(m->a, m->n + 1, struct report_bar);
    double **parts = NEW_ARRAY(m->a, m->n + 1, double *);
    size_t n = 0, kinds = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct finding_claim *c = &m->subjects[i].finding->claim;
        size_t k = place_of(compilers, &n, name_of(c->compiler));
        if (!parts[k])
            parts[k] = NEW_ARRAY(m->a, VERDICT_COUNT, double);
        parts[k][place_of(verdicts, &kinds, verdict_info(c->verdict)->name)]++;
        bars[k] = (struct report_bar){compilers[k], bars[k].value + 1, parts[k], NULL};
    }
    return (struct report_chart){"Bugs by compiler and verdict", "", bars, n, verdicts, kinds};
}

static struct report_chart cpu_split(struct material *m, const struct hunt_status *s)
{
    struct report_bar *bars = NEW_ARRAY(m->a, 2, struct report_bar);
    bars[0] = (struct report_bar){"compilers, runs", s->job_cpu, NULL, NULL};
    bars[1] = (struct report_bar){"cupel itself", s->own_cpu, NULL, NULL};
    return (struct report_chart){"CPU time", " s", bars, 2, NULL, 0};
}

/* What each strategy has found, and what that took. */
static struct report_chart strategy_yield(struct material *m, const struct hunt_status *s)
{
    struct report_bar *bars = NEW_ARRAY(m->a, s->strategy_count + 1, struct report_bar);
    size_t n = 0;
    for (size_t i = 0; i < s->strategy_count; i++) {
        const struct hunt_arm *arm = &s->strategies[i];
        const char *note = arena_printf(m->a, "%llu programs, %.0f s",
                                        (unsigned long long)arm->programs, arm->cpu);
        if (arm->cpu > 0)
            bars[n++] = (struct report_bar){arm->name, (double)arm->findings, NULL, note};
    }
    return (struct report_chart){"Findings by strategy", "", bars, n, NULL, 0};
}

/* "3 bugs in 40 programs ..." */
static const char *summary_of(struct material *m, const struct hunt_status *s)
{
    size_t reduced = 0, triaged = 0;
    for (size_t i = 0; i < m->n; i++) {
        reduced += m->subjects[i].finding->reduced.program.n > 0;
        triaged += m->subjects[i].triage != NULL;
    }
    return arena_printf(m->a,
                        "%zu bug%s (%zu reduced, %zu triaged) in %llu programs and %llu "
                        "compilations, %.0f s of CPU time.",
                        m->n, m->n == 1 ? "" : "s", reduced, triaged,
                        (unsigned long long)s->programs, (unsigned long long)s->compiles,
                        s->job_cpu + s->own_cpu);
}

static int write_page(struct material *m)
{
    struct hunt_status status = {0};
    struct text out = {0};
    struct err e;
    hunt_status(m->a, m->o->dir, &status, NULL);
    ask_code(m);
    struct report_chart charts[CHARTS] = {by_compiler(m), strategy_yield(m, &status),
                                          cpu_split(m, &status)};
    report_html(&(struct report_campaign){.title = arena_printf(m->a, "cupel: %s",
                                                                hunt_public_name(m->a, m->o->dir)),
                                          .summary = summary_of(m, &status),
                                          .subjects = m->subjects,
                                          .n = m->n,
                                          .charts = charts,
                                          .chart_count = CHARTS},
                &out);
    bool ok = strcmp(m->o->html, "-") == 0 ? cmd_output(&out) || fail(&e, "cannot write to stdout")
                                           : sys_write_file(m->o->html, text_str(&out), out.n, &e);
    text_free(&out);
    return ok ? (m->n ? EXIT_FOUND : EXIT_NOTHING_FOUND) : cmd_fail("%s", e.msg);
}

/* ---- all of it -------------------------------------------------------------------------- */

static int report(struct arena *a, const struct options *o)
{
    struct material m = {.a = a, .o = o};
    enum report_tracker tracker = report_tracker_named(o->tracker ? o->tracker : "text");
    struct err e;
    if (tracker == TRACKER_COUNT)
        return cmd_fail("nobody knows the tracker '%s': gcc, llvm or text", o->tracker);
    if (!gather(&m, &e))
        return cmd_fail("%s", e.msg);
    if (m.found.note)
        log_note("%s", m.found.note);
    int status = o->html ? write_page(&m) : EXIT_CANNOT;
    if (!o->html || (o->tracker && status != EXIT_CANNOT))
        status = print_tracker(&m, tracker);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct options o = {.dir = CAMPAIGN_DEFAULT};
    struct arena a = {0};
    struct list words = {0};
    struct err e;
    const struct option_row rows[] = {
        {"--for", "TRACKER", OPTION_STRING, &o.tracker, "gcc, llvm or text (default: text)"},
        {"--html", "FILE", OPTION_STRING, &o.html, "one page with all of it; - is stdout"},
    };
    struct usage u = {
        .synopsis = "cupel report [DIR [N]] [options]",
        .description = "The bugs of a campaign, or one of them, ready to be filed; or as one page\n"
                       "that needs nothing else.  cupel triage DIR N adds the guilty pass and the\n"
                       "versions.  Exit status: 0 no bugs, 1 some, 2 it cannot be done.\n\n"
                       "  cupel report DIR 3 --for gcc\n"
                       "  cupel report DIR --html bugs.html\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && words.n > 2)
        cmd_fail("too many words: cupel report DIR N");
    else if (parsed == PARSED && words.n == 2 && !str_parse_uint(words.at[1], INT64_MAX, &o.id, &e))
        cmd_fail("%s", e.msg);
    else if (parsed == PARSED) {
        if (words.n)
            o.dir = words.at[0];
        status = report(&a, &o);
    }
    arena_free(&a);
    return status;
}
