/* cupel emi: variants of a program, a suite or a project that must behave as the original does. */
#include "cmd/cmd.h"
#include "cmd/view/view.h"
#include "cmd/cflags.h"

#include "cc/cc.h"
#include "emi/emi.h"
#include "sys/sys.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct list files, configs, inputs, args;
    const char *output, *mutate, *facts, *cpp, *suite, *project, *configure, *build, *test;
    uint64_t variants, seed, jobs, memory;
    double timeout, compile_timeout, build_timeout, test_timeout;
    bool json, quiet, no_test, whole;
};

/* Everything that one `cupel emi` works on. */
struct session {
    const struct options *o;
    struct arena *a;
    struct cc_labs labs;
    struct cc_config *configs;
    size_t config_count;
    struct emi_program program;
    struct vary_options vary;
    enum emi_source source;
    struct progress progress;
    json_t *json; /* array of files */
    size_t test_variants;
    /* all files together */
    size_t files, findings, variants, trials, optimised, changed, skipped, unstable;
};

/* ---- what to do ------------------------------------------------------------------------- */

static void show_probing(void *context, size_t done, size_t total)
{
    progress_show(context, "looking at compilers: %zu of %zu", done, total);
}

static void show_progress(void *context, const char *what, size_t done, size_t total)
{
    progress_show(context, "%s: %zu of %zu", what, done, total);
}

static bool read_configs(struct session *s, struct err *e)
{
    const struct list *l = &s->o->configs;
    s->configs = NEW_ARRAY(s->a, l->n + 1, struct cc_config);
    for (size_t i = 0; i < l->n; i++)
        if (!cc_config_parse(s->a, l->at[i], NULL, &s->configs[s->config_count++], e))
            return false;
    return true;
}

static bool find_configs(struct session *s, struct err *e)
{
    struct cc_list found;
    struct cc_discovery how = {.progress = show_probing, .context = &s->progress};
    return cc_discover(s->a, &s->labs, &how, &found, e) &&
           cc_default_configs(s->a, &found, &s->configs, &s->config_count, e) &&
           (s->config_count || fail(e, "no C compiler on PATH: install one, or name it with --cc"));
}

/* The compiler whose own headers are to be read: the only one there is, if so. */
static const char *preprocessor(const struct session *s)
{
    if (s->o->cpp || !s->config_count)
        return s->o->cpp;
    for (size_t i = 1; i < s->config_count; i++)
        if (strcmp(s->configs[i].argv[0], s->configs[0].argv[0]) != 0)
            return NULL;
    return s->configs[0].argv[0];
}

static bool read_program(struct session *s, char *const *flags, struct err *e)
{
    const struct options *o = s->o;
    struct list args = {0};
    for (size_t i = 0; i < o->args.n; i++) {
        char **words = str_split_command(s->a, o->args.at[i], e);
        if (!words)
            return fail(e, "--args: %s", e->msg);
        for (; *words; words++)
            list_add(s->a, &args, *words);
    }
    list_add(s->a, &args, NULL);
    s->program = (struct emi_program){.cc = preprocessor(s),
                                      .flags = flags,
                                      .inputs = o->inputs.n ? (char **)o->inputs.at : NULL,
                                      .args = (char **)args.at,
                                      .compile_timeout = o->compile_timeout,
                                      .run_timeout = o->timeout,
                                      .run_memory = o->memory,
                                      .whole = o->whole};
    return (!o->mutate || vary_mutations_parse(o->mutate, &s->vary.mutations, e)) &&
           (!o->facts || emi_source_parse(o->facts, &s->source, e));
}

/* ---- telling ---------------------------------------------------------------------------- */

static int percent(size_t part, size_t whole)
{
    return whole ? (int)((part * 100 + whole / 2) / whole) : 0;
}

static void put_shares(struct text *out, size_t trials, size_t optimised, size_t changed,
                       size_t skipped)
{
    text_printf(out, "%zu trials", trials);
    if (optimised)
        text_printf(out, "; %d%% of %zu optimised ones changed the code",
                    percent(changed, optimised), optimised);
    text_printf(out, "; %d%% had an object that was known, and were not run again\n",
                percent(skipped, trials));
}

static void put_made(struct text *out, const struct emi_report *r)
{
    const char *comma = "";
    for (unsigned i = 0; i < MUTATION_COUNT; i++)
        if (r->made[i]) {
            text_printf(out, "%s%s %u", comma, vary_mutation_info[i].name, r->made[i]);
            comma = ", ";
        }
}

static void put_subject(struct text *out, const struct emi_subject *s)
{
    struct vary_summary v = vary_summary(s->vary);
    text_printf(out,
                "%s: %u statements, %u of them never ran; %u functions, %u never called; %u "
                "conditions always went one way (facts: %s)\n",
                s->from.file, v.statements, v.dead, v.functions, v.uncalled, v.one_way,
                emi_source_name(s->source));
    if (*s->why)
        text_printf(out, "    the machine does not run it: %s\n", s->why);
}

static void put_finding(struct text *out, const struct session *s, const struct emi_finding *f)
{
    bool original = f->variant == EMI_ORIGINAL;
    text_printf(out, "\nfinding: %s: ", s->configs[f->config].text);
    if (original)
        text_printf(out, "the original itself: %s\n    must be:  %s\n    is:       %s\n", f->kind,
                    f->was, f->is);
    else
        text_printf(out, "variant %ld: %s\n    original: %s\n    variant:  %s\n", f->variant,
                    f->kind, f->was, f->is);
    text_printf(out, "    %s\n%s", f->command, f->diff);
}

static void put_report(struct text *out, const struct session *s, const struct emi_subject *subject,
                       const struct emi_report *r)
{
    put_subject(out, subject);
    text_printf(out, "    %zu variants in %s: ", r->variants, s->o->output);
    put_made(out, r);
    text_puts(out, r->empty == r->variants ? "nothing to vary\n" : "\n");
    if (s->o->no_test)
        return;
    for (size_t i = 0; i < s->config_count; i++)
        if (!r->usable[i] && !r->foreign[i])
            text_printf(out, "    %s: not tested: the original %s%s%s\n", s->configs[i].text,
                        r->originals[i].kind == OUTCOME_BUILT
                            ? "does not end in time"
                            : outcome_info(r->originals[i].kind)->phrase,
                        *r->originals[i].message ? ": " : "", r->originals[i].message);
    size_t foreign = 0;
    for (size_t i = 0; i < s->config_count; i++)
        foreign += r->foreign[i];
    if (foreign)
        text_printf(out, "    %zu configurations not tested: for another machine than the facts\n",
                    foreign);
    text_puts(out, "    ");
    put_shares(out, r->trials, r->optimised, r->changed, r->skipped);
    if (r->unstable)
        text_printf(out, "    %zu differences could not be seen again\n", r->unstable);
    if (r->shifting)
        text_printf(
            out,
            "    %zu differences are of no compiler's making: what the program runs differs "
            "from run to run\n",
            r->shifting);
    for (size_t i = 0; i < r->finding_count; i++)
        put_finding(out, s, &r->findings[i]);
}

static json_t *finding_json(const struct session *s, const struct emi_finding *f)
{
    return json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s?, s:s}", "variant", (json_int_t)f->variant,
                     "config", s->configs[f->config].text, "kind", f->kind, "original", f->was,
                     "behaviour", f->is, "command", f->command, "file", f->file, "diff", f->diff);
}

static json_t *report_json(const struct session *s, const struct emi_subject *subject,
                           const struct emi_report *r)
{
    struct vary_summary v = vary_summary(subject->vary);
    json_t *made = json_object(), *findings = json_array();
    for (unsigned i = 0; i < MUTATION_COUNT; i++)
        json_object_set_new(made, vary_mutation_info[i].name, json_integer(r->made[i]));
    for (size_t i = 0; i < r->finding_count; i++)
        json_array_append_new(findings, finding_json(s, &r->findings[i]));
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}",
                     "file", subject->from.file, "facts", emi_source_name(subject->source),
                     "statements", (int)v.statements, "dead", (int)v.dead, "functions",
                     (int)v.functions, "uncalled", (int)v.uncalled, "variants",
                     (json_int_t)r->variants, "trials", (json_int_t)r->trials, "optimised",
                     (json_int_t)r->optimised, "changed", (json_int_t)r->changed, "skipped",
                     (json_int_t)r->skipped, "unstable", (json_int_t)r->unstable, "shifting",
                     (json_int_t)r->shifting, "mutations", made, "findings", findings);
}

static bool tell(struct session *s, const struct emi_subject *subject, const struct emi_report *r)
{
    struct text out = {0};
    s->variants += r->variants;
    s->findings += r->finding_count;
    s->trials += r->trials;
    s->optimised += r->optimised;
    s->changed += r->changed;
    s->skipped += r->skipped;
    s->unstable += r->unstable;
    if (s->json)
        json_array_append_new(s->json, report_json(s, subject, r));
    else if (!s->o->suite || r->finding_count)
        put_report(&out, s, subject, r);
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok;
}

/* ---- one file --------------------------------------------------------------------------- */

static bool vary_file(struct session *s, const char *file, const char *output, struct err *e)
{
    struct emi_subject subject;
    struct emi_report report;
    struct emi_program program = s->program;
    program.file = file;
    bool ok = emi_subject_open(&subject, &program, s->source, &s->labs.at[0], e);
    if (ok) {
        struct emi_test test = {.subject = &subject,
                                .labs = &s->labs,
                                .configs = s->configs,
                                .config_count = s->config_count,
                                .variants = s->o->variants ? s->o->variants
                                                           : vary_count(s->o->seed),
                                .seed = s->o->seed,
                                .vary = s->vary,
                                .output = output,
                                .no_test = s->o->no_test,
                                .progress = show_progress,
                                .context = &s->progress};
        ok = emi_test(s->a, &test, &report, e) &&
             (tell(s, &subject, &report) || fail(e, "cannot write to stdout"));
    }
    emi_subject_close(&subject);
    return ok;
}

static bool finish_json(struct session *s, bool one, struct err *e)
{
    struct text out = {0};
    json_t *top = one ? json_incref(json_array_get(s->json, 0)) : json_incref(s->json);
    char *dump = json_dumps(top, JSON_INDENT(1));
    text_puts(&out, dump ? dump : "{}");
    text_putc(&out, '\n');
    bool ok = cmd_output(&out) || fail(e, "cannot write to stdout");
    free(dump);
    json_decref(top);
    text_free(&out);
    return ok;
}

/* ---- suites ----------------------------------------------------------------------------- */

/* Why files were passed over: each reason once, with how often it came. */
struct reasons {
    struct map counts;
    size_t files;
};

static void note_reason(struct session *s, struct reasons *r, const char *file, const char *why)
{
    const char *end = strpbrk(why, "(:");
    char *kind = arena_printf(s->a, "%.*s", end ? (int)(end - why) : (int)strlen(why), why);
    if (str_has_prefix(why, file))
        kind = "cannot be read or run";
    if (strstr(why, " is undefined "))
        kind = "undefined";
    if (strstr(why, " itself: compilers know it"))
        kind = "defines a function of the library";
    if (strstr(why, "preprocessing failed") || strstr(why, "does not compile"))
        kind = "does not compile";
    if (strstr(why, "cannot be read"))
        kind = "not understood";
    log_debug("%s: passed over: %s", file, why);
    size_t *count = map_get(&r->counts, kind);
    if (!count)
        map_set(s->a, &r->counts, kind, count = NEW(s->a, size_t));
    ++*count;
    r->files++;
}

static void put_summary(struct text *out, const struct session *s, const struct reasons *r)
{
    text_printf(out, "%s: %zu files varied, %zu passed over", s->o->suite, s->files, r->files);
    for (size_t i = 0; i < r->counts.n; i++)
        text_printf(out, "%s%s: %zu", i ? ", " : " (", r->counts.entries[i].key,
                    *(const size_t *)r->counts.entries[i].value);
    text_printf(out, "%s; %zu variants, %zu findings\n    ", r->counts.n ? ")" : "", s->variants,
                s->findings);
    put_shares(out, s->trials, s->optimised, s->changed, s->skipped);
    if (s->unstable)
        text_printf(out, "    %zu differences could not be seen again\n", s->unstable);
}

static bool vary_suite(struct session *s, struct err *e)
{
    struct list names = {0};
    struct reasons reasons = {0};
    if (!sys_list_folder(s->a, s->o->suite, &names, e))
        return false;
    for (size_t i = 0; i < names.n && !sys_cancelled(); i++) {
        const char *name = names.at[i];
        if (!str_has_suffix(name, ".c"))
            continue;
        char *file = arena_printf(s->a, "%s/%s", s->o->suite, name);
        char *output = arena_printf(s->a, "%s/%.*s", s->o->output, (int)strlen(name) - 2, name);
        progress_show(&s->progress, "%zu of %zu: %s: %zu findings", i, names.n, name, s->findings);
        if (vary_file(s, file, output, e))
            s->files++;
        else if (!sys_cancelled())
            note_reason(s, &reasons, file, e->msg);
    }
    if (s->files + reasons.files == 0)
        return fail(e, "no C file in %s", s->o->suite);
    struct text out = {0};
    if (!s->json)
        put_summary(&out, s, &reasons);
    bool ok = cmd_output(&out) || fail(e, "cannot write to stdout");
    text_free(&out);
    return ok && (!sys_cancelled() || fail(e, "interrupted"));
}

/* ---- projects --------------------------------------------------------------------------- */

static void put_project(struct text *out, const struct session *s,
                        const struct emi_project_report *r)
{
    for (size_t i = 0; i < r->unread.n; i++)
        text_printf(out, "left as it is: %s\n", (char *)r->unread.at[i]);
    for (size_t i = 0; i < s->config_count; i++) {
        const struct emi_project_config *c = &r->configs[i];
        text_printf(out, "%s: ", s->configs[i].text);
        if (c->usable)
            text_printf(
                out,
                "%zu units, %zu of them run by the tests; %zu variants, %zu built, %zu "
                "pass the tests\n"
                "    %d%% of %zu objects changed the code; %d%% were known; %zu variants had "
                "only such, and were not tested again\n",
                c->units, c->covered, (size_t)s->test_variants, c->built, c->passed,
                percent(c->objects.changed, c->objects.all), c->objects.all,
                percent(c->objects.known, c->objects.all), c->known);
        else
            text_printf(out, "not tested: %s\n", c->why ? c->why : "interrupted");
    }
    if (r->unstable)
        text_printf(out, "%zu failures could not be seen again\n", r->unstable);
    if (r->unlinked)
        text_printf(out,
                    "%zu variants could not be linked: no compiler has to leave out what is only "
                    "declared, or inline\n",
                    r->unlinked);
    if (r->shifting)
        text_printf(out,
                    "%zu failures were of no compiler's making: what the project runs differs from "
                    "build to build\n",
                    r->shifting);
    for (size_t i = 0; i < r->finding_count; i++) {
        const struct emi_project_finding *f = &r->findings[i];
        text_printf(out,
                    "\nfinding: %s: variant %zu: %s\n    %zu of %zu edits in %zu of %zu units do "
                    "it, after %zu builds: %s\n%s\n%s",
                    s->configs[f->config].text, f->variant, f->kind, f->edits, f->all_edits,
                    f->units, f->all_units, f->steps, f->file, f->said, f->diff);
    }
}

static json_t *project_json(const struct session *s, const struct emi_project_report *r)
{
    json_t *configs = json_array(), *findings = json_array(), *unread = json_array();
    for (size_t i = 0; i < s->config_count; i++) {
        const struct emi_project_config *c = &r->configs[i];
        json_array_append_new(
            configs, json_pack("{s:s, s:b, s:s?, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "config",
                               s->configs[i].text, "usable", c->usable, "why", c->why, "units",
                               (json_int_t)c->units, "covered", (json_int_t)c->covered, "built",
                               (json_int_t)c->built, "passed", (json_int_t)c->passed, "known",
                               (json_int_t)c->known, "objects", (json_int_t)c->objects.all,
                               "objects_changed", (json_int_t)c->objects.changed, "objects_known",
                               (json_int_t)c->objects.known));
    }
    for (size_t i = 0; i < r->finding_count; i++) {
        const struct emi_project_finding *f = &r->findings[i];
        json_array_append_new(
            findings, json_pack("{s:s, s:I, s:s, s:I, s:I, s:I, s:s, s:s, s:s}", "config",
                                s->configs[f->config].text, "variant", (json_int_t)f->variant,
                                "kind", f->kind, "units", (json_int_t)f->units, "edits",
                                (json_int_t)f->edits, "builds", (json_int_t)f->steps, "file",
                                f->file, "said", f->said, "diff", f->diff));
    }
    for (size_t i = 0; i < r->unread.n; i++)
        json_array_append_new(unread, json_string(r->unread.at[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I}", "project", s->o->project, "configs",
                     configs, "unread", unread, "findings", findings, "unstable",
                     (json_int_t)r->unstable, "shifting", (json_int_t)r->shifting, "unlinked",
                     (json_int_t)r->unlinked);
}

static bool vary_project(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    struct emi_project_report report;
    struct text out = {0};
    s->test_variants = o->variants ? o->variants : vary_count(o->seed);
    struct emi_project project = {.dir = o->project,
                                  .configure = o->configure,
                                  .build = o->build,
                                  .test = o->test,
                                  .lab = &s->labs.at[0],
                                  .scratch = s->labs.scratch.path,
                                  .configs = s->configs,
                                  .config_count = s->config_count,
                                  .variants = s->test_variants,
                                  .seed = o->seed,
                                  .mutations = s->vary.mutations,
                                  .build_timeout = o->build_timeout,
                                  .test_timeout = o->test_timeout,
                                  .output = o->output,
                                  .progress = show_progress,
                                  .context = &s->progress};
    /* what was found before an interruption is told */
    bool whole = emi_project(s->a, &project, &report, e);
    if (!whole && (!sys_cancelled() || !report.configs))
        return false;
    s->findings = report.finding_count;
    bool any = false;
    for (size_t i = 0; i < s->config_count; i++)
        any |= report.configs[i].usable;
    if (s->json)
        json_array_append_new(s->json, project_json(s, &report));
    else
        put_project(&out, s, &report);
    bool ok = cmd_output(&out) || fail(e, "cannot write to stdout");
    text_free(&out);
    return ok && whole && (any || fail(e, "no configuration could be tested"));
}

static bool run(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    if (o->project)
        return vary_project(s, e) && (!s->json || finish_json(s, true, e));
    bool ok = o->suite ? vary_suite(s, e) : vary_file(s, o->files.at[0], o->output, e);
    return ok && (!s->json || finish_json(s, !o->suite, e));
}

static bool prepare(struct session *s, char *const *flags, struct err *e)
{
    if (!read_configs(s, e) || !read_program(s, flags, e))
        return false;
    const char *const *readable = cc_readable(s->a, s->configs, s->config_count);
    return cc_labs_open(&s->labs, (unsigned)s->o->jobs, readable, e) &&
           (s->config_count || s->o->no_test || find_configs(s, e));
}

static int run_session(const struct options *o, struct arena *a, char *const *flags)
{
    struct session s = {.o = o, .a = a, .json = o->json ? json_array() : NULL};
    struct err e;
    s.labs.scratch.lock_fd = -1;
    progress_start(&s.progress, o->quiet);
    bool ok = prepare(&s, flags, &e) && run(&s, &e);
    progress_end(&s.progress);
    cc_labs_close(&s.labs);
    json_decref(s.json);
    if (!ok && !sys_cancelled())
        return cmd_fail("%s", e.msg);
    return !ok ? EXIT_CANNOT : s.findings ? EXIT_FOUND : EXIT_NOTHING_FOUND;
}

static const char description[] =
    "Makes variants of a program by changing what does not run, and what is known of what does;\n"
    "each must behave as the original does on the same inputs, under every compiler.\n\n"
    "  cupel emi t.c\n"
    "  cupel emi t.c --input data.txt --args '-n 5' --variants 20 --cc 'gcc-12 -O2' --cc tcc\n"
    "  cupel emi t.c --variants 100 --mutate prune --no-test -o DIR\n"
    "  cupel emi --suite gcc.c-torture/execute --cc 'gcc-12 -O2'\n"
    "  cupel emi --project zlib --configure ./configure --build 'make -j2' --test 'make check' \\\n"
    "            --cc 'gcc-12 -O2' --variants 20\n\n"
    "Exit status: 0 no difference, 1 a compiler distinguishes what it must not, 2 no answer.\n";

int cmd_emi(int argc, char **argv)
{
    struct options o = {.jobs = sys_cpu_count(),
                        .timeout = CC_RUN_SECONDS,
                        .compile_timeout = CC_COMPILE_SECONDS,
                        .build_timeout = 3600,
                        .test_timeout = 3600,
                        .memory = (uint64_t)1 << 30,
                        .output = "cupel-emi"};
    struct arena a = {0};
    struct list flags = {0};
    const struct option_row rows[] = {
        {"--input", "FILE", OPTION_STRINGS, &o.inputs, "run with this as stdin; one run for each"},
        {"--args", "WORDS", OPTION_STRINGS, &o.args, "arguments of the program, in every run"},
        {"--variants", "N", OPTION_UINT, &o.variants, "how many (default: random, 8 in the mean)"},
        {"--cc", "COMMAND", OPTION_STRINGS, &o.configs, "test this compiler command; repeatable"},
        {"--suite", "DIR", OPTION_STRING, &o.suite, "every C file of this folder, with a summary"},
        {"--project", "DIR", OPTION_STRING, &o.project, "a whole project, with --build and --test"},
        {"--configure", "COMMAND", OPTION_STRING, &o.configure,
         "once for each --cc, before builds"},
        {"--build", "COMMAND", OPTION_STRING, &o.build, "how it is built, in a copy; CC is set"},
        {"--test", "COMMAND", OPTION_STRING, &o.test, "its tests: exit status 0 when they pass"},
        {"--build-timeout", "TIME", OPTION_DURATION, &o.build_timeout, "of a build (default 1h)"},
        {"--test-timeout", "TIME", OPTION_DURATION, &o.test_timeout, "of the tests (default 1h)"},
        {"--seed", "N", OPTION_SEED, &o.seed, "other variants for another number (default: 0)"},
        {"--mutate", "NAMES", OPTION_STRING, &o.mutate, "only these mutations: prune,insert,..."},
        {"--facts", "SOURCE", OPTION_STRING, &o.facts, "auto, machine, probes, gcov or clang"},
        {"--cpp", "COMMAND", OPTION_STRING, &o.cpp, "the compiler that preprocesses (gcc)"},
        {"--no-test", NULL, OPTION_FLAG, &o.no_test, "write the variants, and that is all"},
        {"--whole", NULL, OPTION_FLAG, &o.whole, "keep all that headers declare"},
        {"-o", "DIR", OPTION_STRING, &o.output, "where the variants go (default: cupel-emi)"},
        {"--jobs", "N", OPTION_UINT, &o.jobs, "how many at a time (default: all cores)"},
        {"--timeout", "TIME", OPTION_DURATION, &o.timeout, "CPU time of one run (default 10s)"},
        {"--compile-timeout", "TIME", OPTION_DURATION, &o.compile_timeout,
         "CPU time of one compilation (default 60s)"},
        {"--memory", "SIZE", OPTION_SIZE, &o.memory, "memory of one run (default 1G)"},
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
        {"--quiet", NULL, OPTION_FLAG, &o.quiet, "no progress"},
    };
    struct usage u = {
        .synopsis = "cupel emi FILE.c | --suite DIR | --project DIR --build CMD --test CMD "
                    "[options]",
        .description = description,
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    cmd_take_cflags(&a, &argc, argv, &flags);
    enum parsed parsed = cmd_parse(&u, argc, argv, &o.files);
    list_add(&a, &o.inputs, NULL);
    o.inputs.n--;
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && o.files.n + (o.suite != NULL) + (o.project != NULL) != 1)
        cmd_fail("one file, a --suite or a --project is needed: see cupel emi --help");
    else if (parsed == PARSED && o.project && (!o.build || !o.test))
        cmd_fail("--project needs --build and --test: see cupel emi --help");
    else if (parsed == PARSED && (o.jobs == 0 || o.jobs > 256))
        cmd_fail("--jobs must be from 1 to 256");
    else if (parsed == PARSED)
        status = run_session(&o, &a, (char **)flags.at);
    arena_free(&a);
    return status;
}
