/* cupel emi: variants of a program, a suite or a project that must behave as the original does. */
#include "cmd/cmd.h"
#include "cmd/cflags.h"
#include "cmd/suite.h"
#include "cmd/view/view.h"

#include "cc/cc.h"
#include "emi/emi.h"
#include "sys/sys.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct list files, configs, inputs, args;
    struct cflags own;
    const char *output, *mutate, *facts, *cpp, *suite, *project, *configure, *build, *test;
    uint64_t variants, seed, jobs, memory;
    double timeout, compile_timeout, build_timeout, test_timeout;
    bool json, quiet, no_test, whole, trust;
    char **words; /* of our own command line */
    bool worker;  /* of a suite */
};

/* Everything that one `cupel emi` works on. */
struct session {
    const struct options *o;
    struct arena *a;
    struct cflags own; /* of the user, but for what lets results differ */
    struct cc_labs labs;
    struct cc_config *configs;
    size_t config_count;
    struct emi_model *models; /* that they are of */
    size_t model_count;
    struct emi_program program;
    struct vary_options vary;
    enum emi_source source;
    struct progress progress;
    size_t findings;
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

/* What makes another text, and not code, is for reading the program: variants are preprocessed. */
static void leave_out_text_flags(struct session *s)
{
    for (size_t i = 0; i < s->config_count && !s->o->project; i++) {
        const char *word = cc_for_preprocessed(s->a, &s->configs[i]);
        if (word && !s->o->worker)
            log_note("%s: %s makes another text of the program, and is left out: give it to cupel "
                     "emi itself",
                     s->configs[i].text, word);
    }
}

/* What lets results differ is left out, of what was typed behind --cc and of what was not. */
static void take_flags(struct session *s)
{
    /* of a project or a suite: any */
    char *const *files = s->o->files.n ? (char **)s->o->files.at : NULL;
    leave_out_text_flags(s);
    cmd_apply_cflags(s->a, &s->own, s->configs, s->config_count);
    for (size_t i = 0; i < s->config_count; i++) {
        struct cc_config *c = &s->configs[i];
        const char *typed = c->text, *word;
        if (!s->o->project)
            cc_for_preprocessed(s->a, c); /* our own */
        word = cc_mean_plainly(s->a, c);
        enum cc_family family;
        if (cc_family_of(c->argv[0], &family)) { /* others may refuse the words */
            const char *hint = cc_ignore_hints(s->a, c, files);
            word = word || !files ? word : hint;
            cc_round_each(s->a, c, files); /* what it folds differs from variant to variant */
        }
        if (word && s->o->configs.n && !s->o->worker)
            log_note("%s lets results differ: %s is tried as %s", word, typed, c->text);
    }
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
static const char *preprocessor(const struct session *s, const struct emi_model *m)
{
    if (!m->host)
        return m->configs[0].compiler;
    if (s->o->cpp || !m->n)
        return s->o->cpp;
    for (size_t i = 1; i < m->n; i++)
        if (strcmp(m->configs[i].argv[0], m->configs[0].argv[0]) != 0)
            return NULL;
    return m->configs[0].argv[0];
}

static bool read_program(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    struct list args = {0};
    s->own = o->own;
    const char *word = cc_plain_flags(s->a, &s->own.flags);
    if (word && !o->worker)
        log_note("%s lets results differ, and is left out", word);
    for (size_t i = 0; i < o->args.n; i++) {
        char **words = str_split_command(s->a, o->args.at[i], e);
        if (!words)
            return fail(e, "--args: %s", e->msg);
        for (; *words; words++)
            list_add(s->a, &args, *words);
    }
    list_add(s->a, &args, NULL);
    s->program = (struct emi_program){.flags = (char **)s->own.flags.at,
                                      .libraries = (char **)s->own.libraries.at,
                                      .inputs = o->inputs.n ? (char **)o->inputs.at : NULL,
                                      .args = (char **)args.at,
                                      .compile_timeout = o->compile_timeout,
                                      .run_timeout = o->timeout,
                                      .run_memory = o->memory,
                                      .whole = o->whole};
    return (!o->mutate || vary_mutations_parse(o->mutate, &s->vary.mutations, e)) &&
           (!o->facts || emi_source_parse(o->facts, &s->source, e));
}

/* ---- one program ------------------------------------------------------------------------ */

/* What came of one program under all its configurations. */
struct result {
    json_t *json;     /* NULL until there is something */
    json_t *untested; /* configurations of models that there are no variants for */
    struct text told;
    enum emi_refusal refusal;
};

/* Flags that the program is read with; -m32 where a configuration, and not the user, says so. */
static char *const *flags_for(struct session *s, const struct target *target)
{
    struct list flags = {0};
    struct cc_config plain = {.argv = (char *[]){"cc", NULL}};
    cmd_apply_cflags(s->a, &s->own, &plain, 1);
    for (size_t i = 0; i < s->own.flags.n; i++)
        list_add(s->a, &flags, s->own.flags.at[i]);
    if (target == lang_target(TARGET_ILP32) && emi_target_of(&plain) != target)
        list_add(s->a, &flags, "-m32");
    list_add(s->a, &flags, NULL);
    return (char **)flags.at;
}

/* Hints are for those who understand them; where nobody is asked, for who asks for them. */
static bool is_for_gnu(const struct session *s, const struct emi_model *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (!emi_reads_gnu(m->configs[i].argv[0]))
            return false;
    return m->n || s->o->mutate;
}

static void add_result(struct result *r, const struct variants *v)
{
    json_t *j = variants_json(v);
    variants_put(v, &r->told);
    if (r->json)
        variants_merge(r->json, j);
    else
        r->json = json_incref(j);
    json_decref(j);
}

static bool vary_model(struct session *s, char *const *files, const char *output,
                       const struct emi_model *m, struct result *out, struct err *e)
{
    struct emi_subject subject;
    struct emi_report report;
    struct emi_program program = s->program;
    program.files = files;
    program.cc = preprocessor(s, m);
    program.flags = flags_for(s, m->target);
    program.target = m->target;
    program.emulated = m->configs[0].emulator[0] != NULL;
    bool ok = emi_subject_open(&subject, &program, s->source, &s->labs.at[0], e);
    out->refusal = subject.refusal;
    if (ok) {
        struct emi_test test = {.subject = &subject,
                                .labs = &s->labs,
                                .configs = m->configs,
                                .config_count = m->n,
                                .flags = (char **)s->own.flags.at,
                                .variants = s->o->variants ? s->o->variants
                                                           : vary_count(s->o->seed),
                                .seed = s->o->seed,
                                .vary = s->vary,
                                .output = output,
                                .no_test = s->o->no_test,
                                .progress = show_progress,
                                .context = &s->progress};
        test.vary.gnu = is_for_gnu(s, m);
        struct variants told = {&subject, &report, m->configs, m->n, output, s->o->no_test};
        ok = emi_test(s->a, &test, &report, e);
        if (ok)
            add_result(out, &told);
    }
    emi_subject_close(&subject);
    return ok;
}

/* What cannot be tested is said; what the others say stands. */
static void pass_over(const struct emi_model *m, const char *why, struct result *out)
{
    for (size_t i = 0; i < m->n; i++)
        variants_add_untested(out->untested, &m->configs[i], why);
}

static bool has_told(struct result *r)
{
    if (!r->json)
        return false;
    variants_put_untested(r->untested, &r->told);
    json_array_extend(json_object_get(r->json, "untested"), r->untested);
    return true;
}

/* Each data model that somebody asks for. */
static bool vary_models(struct session *s, char *const *files, const char *output,
                        struct result *out, struct err *e)
{
    for (size_t i = 0; i < s->model_count; i++) {
        const struct emi_model *m = &s->models[i];
        const char *folder = output;
        struct err why;
        if (s->model_count > 1 && strcmp(m->name, "lp64") != 0)
            folder = arena_printf(s->a, "%s/%s", output, m->name);
        if (!m->target)
            fail(&why, "the data model of %s is not known: %s", m->configs[0].text, m->unlike);
        else if (vary_model(s, files, folder, m, out, &why))
            continue;
        else if (out->refusal == EMI_NO_REFUSAL)
            return fail(e, "%s", why.msg);
        fail(e, "%s", why.msg);
        pass_over(m, why.msg, out);
    }
    return has_told(out);
}

/* What compared nothing has no answer, whatever was told. */
static bool has_answer(const struct session *s, struct result *r, struct err *e)
{
    if (s->o->no_test || variants_count(r->json, "trials") ||
        json_array_size(json_object_get(r->json, "findings")))
        return true;
    r->refusal = EMI_UNTESTED;
    return fail(e, "nothing was compared: %s",
                variants_count(r->json, "unsteady")
                    ? "the program does something else each time it is run"
                    : "no configuration could be tested");
}

static bool vary_program(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    struct result r = {.untested = json_array()};
    struct err unanswered;
    bool ok = vary_models(s, (char **)o->files.at, o->output, &r, e);
    if (ok && o->json) {
        record_set_version(r.json);
        char *dump = json_dumps(r.json, JSON_INDENT(1));
        text_clear(&r.told);
        text_printf(&r.told, "%s\n", dump ? dump : "{}");
        free(dump);
    }
    if (ok) {
        ok = cmd_output(&r.told) || fail(e, "cannot write to stdout");
        s->findings = json_array_size(json_object_get(r.json, "findings"));
    }
    if (ok && !has_answer(s, &r, &unanswered))
        ok = fail(e, "%s", unanswered.msg);
    json_decref(r.json);
    json_decref(r.untested);
    text_free(&r.told);
    return ok;
}

/* ---- suites ----------------------------------------------------------------------------- */

static bool vary_for_suite(void *context, const char *file, const char *output, json_t **json,
                           struct text *told, enum emi_refusal *why, struct err *e)
{
    struct session *s = context;
    struct result r = {.untested = json_array()};
    char *files[] = {(char *)file, NULL};
    bool ok = vary_models(s, files, output, &r, e) && has_answer(s, &r, e);
    json_decref(r.untested);
    *json = r.json;
    *told = r.told;
    *why = r.refusal;
    return ok;
}

/* cupel emi --worker, and what we were told: the compilers that we found included. */
static char *const *worker_words(struct session *s)
{
    struct list words = {0};
    list_add(s->a, &words, "cupel");
    list_add(s->a, &words, "emi");
    list_add(s->a, &words, "--worker");
    for (char **word = s->o->words + 1; *word; word++)
        list_add(s->a, &words, *word);
    for (size_t i = 0; !s->o->configs.n && i < s->config_count; i++) {
        list_add(s->a, &words, "--cc");
        list_add(s->a, &words, (char *)s->configs[i].text);
    }
    list_add(s->a, &words, NULL);
    return (char **)words.at;
}

static bool vary_suite(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    struct suite suite = {o->suite, o->output, worker_words(s), &s->progress};
    struct suite_report r;
    struct text out = {0};
    /* what was found before an interruption is told */
    bool whole = suite_run(s->a, &suite, &r, e);
    if (!whole && !sys_cancelled()) {
        suite_report_free(&r);
        return false;
    }
    s->findings = json_array_size(json_object_get(r.sum, "findings"));
    if (o->json) {
        char *dump = json_dumps(r.files, JSON_INDENT(1));
        text_printf(&out, "%s\n", dump ? dump : "[]");
        free(dump);
    } else {
        text_add(&out, text_str(&r.told), r.told.n);
        suite_put_summary(&suite, &r, &out);
    }
    bool ok = cmd_output(&out) || fail(e, "cannot write to stdout");
    ok = ok && whole &&
         (r.varied || fail(e, "nothing was compared: no file of %s has variants", o->suite));
    suite_report_free(&r);
    text_free(&out);
    return ok;
}

/* ---- projects --------------------------------------------------------------------------- */

static bool tell_project(struct session *s, const struct project_told *told, struct err *e)
{
    struct text out = {0};
    if (s->o->json) {
        json_t *j = project_json(told);
        record_set_version(j);
        char *dump = json_dumps(j, JSON_INDENT(1));
        text_printf(&out, "%s\n", dump ? dump : "{}");
        free(dump);
        json_decref(j);
    } else {
        project_put(told, &out);
    }
    bool ok = cmd_output(&out) || fail(e, "cannot write to stdout");
    text_free(&out);
    return ok;
}

static bool vary_project(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    struct emi_project_report report;
    struct emi_project project = {.dir = o->project,
                                  .configure = o->configure,
                                  .build = o->build,
                                  .test = o->test,
                                  .lab = &s->labs.at[0],
                                  .scratch = s->labs.scratch.path,
                                  .configs = s->configs,
                                  .config_count = s->config_count,
                                  .variants = o->variants ? o->variants : vary_count(o->seed),
                                  .seed = o->seed,
                                  .mutations = s->vary.mutations,
                                  .build_timeout = o->build_timeout,
                                  .test_timeout = o->test_timeout,
                                  .output = o->output,
                                  .progress = show_progress,
                                  .context = &s->progress};
    /* what was found before an interruption is told */
    bool whole = emi_project(s->a, &project, &report, e), any = false;
    if (!whole && (!sys_cancelled() || !report.configs))
        return false;
    s->findings = report.finding_count;
    for (size_t i = 0; i < s->config_count; i++)
        any |= report.configs[i].usable;
    struct project_told told = {o->project, &report, s->configs, s->config_count, project.variants};
    return tell_project(s, &told, e) && whole &&
           (any || fail(e, "no configuration could be tested"));
}

/* ---- all of it -------------------------------------------------------------------------- */

static bool run(struct session *s, struct err *e)
{
    const struct options *o = s->o;
    if (o->worker)
        return suite_serve(vary_for_suite, s, e);
    return o->project ? vary_project(s, e) : o->suite ? vary_suite(s, e) : vary_program(s, e);
}

/* Those of the configurations; where nobody is asked, that of the user's own flags. */
static bool find_models(struct session *s, struct err *e)
{
    struct cc_lab *lab = &s->labs.at[0];
    struct cc_config alone;
    if (s->config_count)
        return emi_models(s->a, lab, s->configs, s->config_count, &s->models, &s->model_count, e);
    if (!cc_config_parse(s->a, s->o->cpp ? s->o->cpp : "gcc", NULL, &alone, e))
        return false;
    cmd_apply_cflags(s->a, &s->own, &alone, 1);
    if (!emi_models(s->a, lab, &alone, 1, &s->models, &s->model_count, e))
        return false;
    s->models[0].n = 0;
    return true;
}

static bool prepare(struct session *s, struct err *e)
{
    if (!cmd_read_configs(s->a, &s->o->configs, &s->configs, &s->config_count, e) ||
        !read_program(s, e))
        return false;
    const char *const *readable = cc_readable(s->a, s->configs, s->config_count);
    struct cc_lab_options labs = {
        .count = (unsigned)s->o->jobs, .readable = readable, .trust_compilers = s->o->trust};
    if (!cc_labs_open(&s->labs, &labs, e) ||
        !(s->config_count || s->o->no_test || find_configs(s, e)))
        return false;
    take_flags(s);
    return s->o->project || (s->o->suite && !s->o->worker) || find_models(s, e);
}

static int run_session(const struct options *o, struct arena *a)
{
    struct session s = {.o = o, .a = a};
    struct err e;
    s.labs.scratch.lock_fd = -1;
    progress_start(&s.progress, o->quiet || o->worker);
    bool ok = prepare(&s, &e) && run(&s, &e);
    progress_end(&s.progress);
    cc_labs_close(&s.labs);
    if (!ok && !sys_cancelled())
        return cmd_fail("%s", e.msg);
    return !ok ? EXIT_CANNOT : s.findings ? EXIT_FOUND : EXIT_NOTHING_FOUND;
}

static const char description[] =
    "Makes variants of a program by changing what does not run, and what is known of what does;\n"
    "each must behave as the original does on the same inputs, under every compiler.\n\n"
    "  cupel emi t.c\n"
    "  cupel emi t.c --input data.txt --args '-n 5' --variants 20 --cc 'gcc-12 -O2' --cc tcc\n"
    "  cupel emi main.c list.c -Iinclude -DN=3 -std=c99 -lz\n"
    "  cupel emi t.c --variants 100 --mutate prune --no-test -o DIR\n"
    "  cupel emi --suite gcc.c-torture/execute --cc 'gcc-12 -O2'\n"
    "  cupel emi --project zlib --configure ./configure --build 'make -j2' --test 'make check' \\\n"
    "            --cc 'gcc-12 -O2' --variants 20\n\n"
    "Exit status: 0 no difference, 1 a compiler distinguishes what it must not, 2 no answer.\n";

static char **copy_words(struct arena *a, int argc, char **argv)
{
    struct list words = {0};
    for (int i = 0; i < argc; i++)
        list_add(a, &words, argv[i]);
    list_add(a, &words, NULL);
    return (char **)words.at;
}

static struct options default_options(void)
{
    return (struct options){.jobs = sys_cpu_count(),
                            .timeout = CC_RUN_SECONDS,
                            .compile_timeout = CC_COMPILE_SECONDS,
                            .build_timeout = 3600,
                            .test_timeout = 3600,
                            .memory = (uint64_t)1 << 30,
                            .output = "cupel-emi"};
}

/* How a suite starts its worker; not for people. */
static bool take_worker(int *argc, char ***argv)
{
    if (*argc < 2 || strcmp((*argv)[1], "--worker") != 0)
        return false;
    (*argv)[1] = (*argv)[0];
    --*argc;
    ++*argv;
    return true;
}

static const char *what_is_wrong(const struct options *o)
{
    if ((o->files.n > 0) + (o->suite != NULL) + (o->project != NULL) != 1)
        return "files, a --suite or a --project are needed: see cupel emi --help";
    if (o->project && (!o->build || !o->test))
        return "--project needs --build and --test: see cupel emi --help";
    return o->jobs == 0 || o->jobs > 256 ? "--jobs must be from 1 to 256" : NULL;
}

int cmd_emi(int argc, char **argv)
{
    struct options o = default_options();
    struct arena a = {0};
    const struct option_row rows[] = {
        {"--input", "FILE", OPTION_STRINGS, &o.inputs, "run with this as stdin; one run for each"},
        {"--args", "WORDS", OPTION_STRINGS, &o.args, "arguments of the program, in every run"},
        {"--variants", "N", OPTION_COUNT, &o.variants, "how many (default: random, 8 in the mean)"},
        {"--cc", "COMMAND", OPTION_TAGGED, &o.configs, "test this compiler command; repeatable"},
        {"--run", "COMMAND", OPTION_TAGGED, &o.configs, "put this before the last --cc's programs"},
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
        {"--jobs", "N", OPTION_COUNT, &o.jobs, "how many at a time (default: all cores)"},
        {"--timeout", "TIME", OPTION_DURATION, &o.timeout, "CPU time of one run (default 10s)"},
        {"--compile-timeout", "TIME", OPTION_DURATION, &o.compile_timeout,
         "CPU time of one compilation (default 60s)"},
        {"--memory", "SIZE", OPTION_SIZE, &o.memory, "memory of one run (default 1G)"},
        {"--trust-compilers", NULL, OPTION_FLAG, &o.trust, CMD_TRUST_HELP},
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
        {"--quiet", NULL, OPTION_FLAG, &o.quiet, "no progress"},
    };
    struct usage u = {
        .synopsis =
            "cupel emi FILE.c [MORE.c ...] [-I ...] [-D ...] [-std=...] [-l ...] | --suite DIR |\n"
            "                 --project DIR --build CMD --test CMD [options]",
        .description = description,
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    o.words = copy_words(&a, argc, argv);
    o.worker = take_worker(&argc, &argv);
    cmd_take_cflags(&u, &argc, argv, &o.own);
    enum parsed parsed = cmd_parse(&u, argc, argv, &o.files);
    list_add(&a, &o.inputs, NULL);
    o.inputs.n--;
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    const char *wrong = parsed == PARSED ? what_is_wrong(&o) : NULL;
    if (wrong)
        cmd_fail("%s", wrong);
    else if (parsed == PARSED)
        status = run_session(&o, &a);
    arena_free(&a);
    if (o.worker)
        exit(status); /* that it was told to stop is nothing to tell */
    return status;
}
