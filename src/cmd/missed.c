/* cupel missed: optimisations that compilers miss, as minimal pairs of programs. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "cmd/pair.h"
#include "cmd/view/view.h"
#include "judge/judge.h"
#include "missed/missed.h"
#include "sys/sys.h"
#include "triage/triage.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct missed_options run;
    struct list configs;
    const char *threshold, *oracles;
    uint64_t jobs, size;
    bool json, quiet, trust, tables;
    bool list;    /* what is there, and nothing more */
    bool compare; /* two programs of the user's, and no campaign */
    struct pair_request pair;
};

struct session {
    struct options *o;
    struct arena *a;
    struct cc_labs labs;
    struct progress progress;
    struct list compilers, witnesses; /* struct missed_compiler */
};

/* ---- compilers ---------------------------------------------------------------------------- */

static void show_probing(void *context, size_t done, size_t total)
{
    progress_show(context, "looking at compilers: %zu of %zu", done, total);
}

static bool is_there(const struct list *l, const char *text)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(((struct missed_compiler *)l->at[i])->config.text, text) == 0)
            return true;
    return false;
}

/* Each command once. */
static bool add_compiler(struct session *s, struct list *to, const char *text, struct err *e)
{
    struct missed_compiler *c = NEW(s->a, struct missed_compiler);
    struct cc_config config;
    if (is_there(to, text))
        return true;
    if (!cc_config_parse(s->a, text, NULL, &config, e) ||
        !missed_learn_compiler(&s->labs.at[0], &config, s->a, c, e))
        return false;
    if (s->o->run.shape.floats && !c->plain_floats)
        return fail(e,
                    "%s need not round each operation once, as --floats needs it: "
                    "-ffp-contract=off and x86-64 or AArch64 do",
                    text);
    list_add(s->a, to, c);
    return true;
}

static bool optimises(const struct cc *cc)
{
    return cc->runnable && (cc->family == CC_FAMILY_GCC || cc->family == CC_FAMILY_CLANG);
}

/* What is found on the machine, with these flags; what cannot be read here is left out. */
static void add_found(struct session *s, const struct cc_list *found, const char *flags,
                      struct list *to)
{
    struct err ignored;
    for (size_t i = 0; i < found->n; i++)
        if (optimises(&found->at[i]))
            add_compiler(s, to, arena_printf(s->a, "%s %s", found->at[i].name, flags), &ignored);
}

/* Do the flags, beside a level, only choose a machine that every compiler here knows by the same
 * name? */
static bool choose_machine(struct arena *a, const char *flags, const char *level)
{
    return strcmp(flags, arena_printf(a, "%s -m32", level)) == 0 ||
           strcmp(flags, arena_printf(a, "-m32 %s", level)) == 0;
}

/* The other versions of one that is under test with flags beside its level, with the same: only
 * they can show that it was better once.  Other compilers where the flags mean the same to them. */
static void add_versions(struct session *s, const struct cc_list *found,
                         const struct missed_compiler *own)
{
    struct list all = {0};
    const char *flags = cc_config_flags(s->a, &own->config);
    if (strcmp(flags, own->config.level) == 0)
        return;
    add_found(s, found, flags, &all);
    for (size_t i = 0; i < all.n; i++) {
        const struct missed_compiler *c = all.at[i];
        bool understands = strcmp(c->family, own->family) == 0 ||
                           choose_machine(s->a, flags, own->config.level);
        if (understands && !is_there(&s->witnesses, c->config.text))
            list_add(s->a, &s->witnesses, all.at[i]);
    }
}

static bool has_level(const struct list *compilers, size_t n, const char *level)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(((struct missed_compiler *)compilers->at[i])->config.level, level) == 0)
            return true;
    return false;
}

/* Who is asked about findings: everybody under test, their other versions with the same flags, and
 * all others at the same levels. */
static void find_witnesses(struct session *s, const struct cc_list *found)
{
    for (size_t i = 0; i < s->compilers.n; i++)
        list_add(s->a, &s->witnesses, s->compilers.at[i]);
    for (size_t i = 0; i < s->compilers.n; i++) {
        const char *level = ((struct missed_compiler *)s->compilers.at[i])->config.level;
        if (!has_level(&s->compilers, i, level))
            add_found(s, found, level, &s->witnesses);
        add_versions(s, found, s->compilers.at[i]);
    }
}

static bool find_compilers(struct session *s, struct err *e)
{
    struct cc_list found;
    struct cc_discovery how = {.progress = show_probing, .context = &s->progress};
    const struct list *given = &s->o->configs;
    if (!cc_discover(s->a, &s->labs, &how, &found, e))
        return false;
    for (size_t i = 0; i < given->n; i++)
        if (!add_compiler(s, &s->compilers, given->at[i], e) ||
            !missed_try_assembly(&s->labs.at[0], s->compilers.at[s->compilers.n - 1], s->a, e))
            return false;
    if (!given->n) {
        add_found(s, &found, "-O3", &s->compilers);
        add_found(s, &found, "-Os", &s->compilers);
    }
    if (!s->o->run.count_only && !s->o->compare)
        find_witnesses(s, &found);
    return s->compilers.n || fail(e, "no gcc or clang on PATH: install one, or name it with --cc");
}

static const struct missed_compiler *flatten(struct arena *a, const struct list *l)
{
    struct missed_compiler *all = NEW_ARRAY(a, l->n + 1, struct missed_compiler);
    for (size_t i = 0; i < l->n; i++)
        all[i] = *(struct missed_compiler *)l->at[i];
    return all;
}

/* ---- telling ------------------------------------------------------------------------------ */

static void show(void *context, const struct missed_summary *s)
{
    progress_show(context,
                  "%llu programs, %llu differences, %llu minimised, %llu findings (%.0f s)",
                  (unsigned long long)s->programs, (unsigned long long)s->differences,
                  (unsigned long long)s->minimised, (unsigned long long)s->findings, s->seconds);
}

/* Of one core: a busy machine does not change it. */
static double per_cpu_hour(const struct missed_summary *s)
{
    return s->cpu > 0 ? (double)s->programs * 3600 / s->cpu : 0;
}

static void put_finding(const struct missed_finding *f, struct text *out)
{
    text_printf(out, "%4llu  %-8s  %-18s  %-20s  %2u  %s\n", (unsigned long long)f->id,
                missed_oracle_name((enum missed_oracle)f->oracle),
                missed_proof_name((enum missed_proof)f->proof), f->compiler, f->operators,
                f->identity);
}

static void put_all(const struct session *s, const struct missed_summary *sum,
                    const struct list *findings, struct text *out)
{
    for (size_t i = 0; i < findings->n; i++)
        put_finding(findings->at[i], out);
    text_printf(
        out,
        "%llu programs in %.0f s (%.0f an hour of CPU, %.0f%% of it compilers'), "
        "%llu compilations, %llu refused\n"
        "%llu differences; %llu minimised, %llu of them below 10 operators; %llu can be told, "
        "of which %llu are in doubt",
        (unsigned long long)sum->programs, sum->seconds, per_cpu_hour(sum),
        sum->cpu > 0 ? 100 * sum->compile_cpu / sum->cpu : 0, (unsigned long long)sum->compiles,
        (unsigned long long)sum->refused, (unsigned long long)sum->differences,
        (unsigned long long)sum->minimised, (unsigned long long)sum->below_ten,
        (unsigned long long)sum->small, (unsigned long long)sum->contradicted);
    if (sum->cut)
        text_printf(out, "; %llu cut off by the end", (unsigned long long)sum->cut);
    if (sum->minimised)
        text_printf(out, " (%.1f operators, %.1f s in the mean)",
                    (double)sum->operators / (double)sum->minimised,
                    sum->minimise_seconds / (double)sum->minimised);
    if (sum->refused > sum->compiles / 2)
        text_puts(out, "\nmost programs were refused: does each of these compilers take C11?");
    text_printf(out, "\n%llu new findings, %llu in all: %s/findings\n",
                (unsigned long long)sum->new_findings, (unsigned long long)sum->findings,
                s->o->run.dir);
}

static double mean(double sum, uint64_t n)
{
    return n ? sum / (double)n : 0;
}

/* As the paper's Tables 4 to 6: one line for each compiler and oracle. */
static void put_tables(const struct session *s, const struct missed_summary *sum, struct text *out)
{
    text_printf(out, "%-24s %-9s %6s %6s %6s %5s %7s %6s %6s %7s %7s %6s\n", "compiler", "oracle",
                "#test", "#diff", "#tried", "#cut", "#min<10", "#small", "#doubt", "CPU s",
                "before", "after");
    for (size_t i = 0; i < s->compilers.n * MISSED_ORACLE_COUNT; i++) {
        const struct missed_row *r = &sum->rows[i];
        const struct missed_compiler *c = s->compilers.at[i / MISSED_ORACLE_COUNT];
        if (!r->programs)
            continue;
        text_printf(out, "%-24s %-9s %6llu %6llu %6llu %5llu %7llu %6llu %6llu %7.1f %7.1f %6.1f\n",
                    c->config.text,
                    missed_oracle_name((enum missed_oracle)(i % MISSED_ORACLE_COUNT)),
                    (unsigned long long)r->programs, (unsigned long long)r->differences,
                    (unsigned long long)r->minimised, (unsigned long long)r->cut,
                    (unsigned long long)r->below_ten, (unsigned long long)r->small,
                    (unsigned long long)r->contradicted, mean(r->minimise_cpu, r->minimised),
                    mean((double)r->operators[0], r->minimised),
                    mean((double)r->operators[1], r->minimised));
    }
}

static json_t *rows_json(const struct session *s, const struct missed_summary *sum)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < s->compilers.n * MISSED_ORACLE_COUNT; i++) {
        const struct missed_row *r = &sum->rows[i];
        const struct missed_compiler *c = s->compilers.at[i / MISSED_ORACLE_COUNT];
        if (r->programs)
            json_array_append_new(
                rows,
                json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f}",
                          "compiler", c->config.text, "oracle",
                          missed_oracle_name((enum missed_oracle)(i % MISSED_ORACLE_COUNT)),
                          "programs", (json_int_t)r->programs, "differences",
                          (json_int_t)r->differences, "minimised", (json_int_t)r->minimised, "cut",
                          (json_int_t)r->cut, "below_ten", (json_int_t)r->below_ten, "small",
                          (json_int_t)r->small, "contradicted", (json_int_t)r->contradicted,
                          "operators_before", (json_int_t)r->operators[0], "operators_after",
                          (json_int_t)r->operators[1], "minimise_cpu", r->minimise_cpu));
    }
    return rows;
}

static json_t *all_json(const struct session *s, const struct missed_summary *sum,
                        const struct list *findings)
{
    json_t *list = json_array();
    for (size_t i = 0; i < findings->n; i++)
        json_array_append_new(list, missed_finding_json(findings->at[i]));
    return json_pack(
        "{s:I, s:f, s:f, s:f, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I, "
        "s:I, s:o, s:o}",
        "programs", (json_int_t)sum->programs, "seconds", sum->seconds, "cpu", sum->cpu,
        "per_cpu_hour", per_cpu_hour(sum), "compiles", (json_int_t)sum->compiles, "compile_cpu",
        sum->compile_cpu, "refused", (json_int_t)sum->refused, "differences",
        (json_int_t)sum->differences, "minimised", (json_int_t)sum->minimised, "cut",
        (json_int_t)sum->cut, "below_ten", (json_int_t)sum->below_ten, "small",
        (json_int_t)sum->small, "contradicted", (json_int_t)sum->contradicted, "operators",
        (json_int_t)sum->operators, "minimise_seconds", sum->minimise_seconds, "new_findings",
        (json_int_t)sum->new_findings, "found", (json_int_t)sum->findings, "findings", list, "rows",
        rows_json(s, sum));
}

/* --list: what an earlier call found. */
static bool list_findings(const struct session *s, int *status, struct err *e)
{
    struct list findings = {0};
    struct text out = {0};
    if (!missed_is_folder(s->o->run.dir))
        return fail(e, "%s is no folder of cupel missed: which one?", s->o->run.dir);
    if (!missed_read_findings(s->o->run.dir, s->a, &findings, e))
        return false;
    json_t *list = json_array();
    for (size_t i = 0; i < findings.n; i++) {
        put_finding(findings.at[i], &out);
        json_array_append_new(list, missed_finding_json(findings.at[i]));
    }
    *status = findings.n ? EXIT_FOUND : EXIT_NOTHING_FOUND;
    bool ok = s->o->json ? campaign_print_json(json_pack("{s:O}", "findings", list))
                         : cmd_output(&out);
    json_decref(list);
    text_free(&out);
    return ok || fail(e, "cannot write to stdout");
}

static bool tell(const struct session *s, const struct missed_summary *sum, struct err *e)
{
    struct list findings = {0};
    struct text out = {0};
    if (!missed_read_findings(s->o->run.dir, s->a, &findings, e))
        return false;
    if (s->o->json)
        return campaign_print_json(all_json(s, sum, &findings)) ||
               fail(e, "cannot write to stdout");
    put_all(s, sum, &findings, &out);
    if (s->o->tables)
        put_tables(s, sum, &out);
    bool ok = cmd_output(&out) || fail(e, "cannot write to stdout");
    text_free(&out);
    return ok;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static bool read_numbers(struct options *o, struct err *e)
{
    char *end = "";
    o->run.threshold = o->threshold ? strtod(o->threshold, &end) : 0.8;
    if (*end || !(o->run.threshold > 0 && o->run.threshold <= 1))
        return fail(e, "--threshold is a number above 0 and up to 1, not '%s'", o->threshold);
    if (o->size < 1 || o->size > MISSED_MOST_OPERATORS)
        return fail(e, "--size is from 1 to %d", MISSED_MOST_OPERATORS);
    if (o->jobs < 1 || o->jobs > 256)
        return fail(e, "--jobs must be from 1 to 256");
    o->run.shape.operators = (unsigned)o->size;
    o->run.oracles = (1u << MISSED_ORACLE_COUNT) - 1;
    return !o->oracles || missed_oracles_parse(o->oracles, &o->run.oracles, e);
}

/* Triage, turned round: without which pass is the better code as bad? */
static bool find_worker(void *context, const struct missed_witness *w, struct arena *a,
                        const char **pass, struct err *e)
{
    enum { MOST = 30 };
    char *units[] = {arena_printf(a, "%s-better.c", w->lab->dir), NULL};
    struct text text = {0};
    struct cc_case program = cc_case_of(units);
    struct judge_expectation expect = {.valid = true};
    struct judge_claim claim = {.config = &w->by->config,
                                .verdict = VERDICT_MISSED,
                                .signature = "",
                                .program = &program,
                                .expect = &expect,
                                .target = lang_target_named(w->by->target),
                                .limit = w->limit,
                                .reached = true};
    struct triage_job job = {.lab = w->lab, .claim = &claim, .most = MOST, .roughly = true};
    struct triage_blame blame = {.pass = ""};
    (void)context;
    judge_put_marker(VERDICT_MISSED, w->marker, &text);
    text_puts(&text, w->program);
    bool ok = sys_write_file(units[0], text_str(&text), text.n, e) &&
              (!triage_can_ask(claim.config) || triage_find_worker(&job, a, &blame, e));
    *pass = blame.pass;
    text_free(&text);
    return ok;
}

/* A program of ours returns 0. */
static const char *say_wrong(struct arena *a, const struct access_plan *plan,
                             const struct outcome *o, const struct access_judgement *j)
{
    bool built = o->kind == OUTCOME_BUILT && o->run_count;
    if (built && !j->why && j->kind != ACCESS_FINE)
        return arena_printf(a, "%s: %s", verdict_info(judge_access_verdict(j))->name,
                            judge_explain_accesses(a, plan, j));
    if (built && (o->runs[0].end != SYS_EXITED || o->runs[0].code != 0))
        return arena_printf(a, "wrong code: %s", o->runs[0].words);
    return NULL;
}

static bool watch(void *context, struct cc_lab *lab, const struct missed_compiler *by,
                  const char *program, struct arena *a, struct missed_watched *out, struct err *e)
{
    char *units[] = {arena_printf(a, "%s-watched.c", lab->dir), NULL};
    struct cc_case c = cc_case_of(units);
    struct access_plan plan;
    struct access_judgement j;
    struct outcome o;
    struct text text = {0};
    (void)context;
    text_puts(&text, program);
    judge_expect_accesses(a, &text, lang_target_named(by->target), &plan);
    bool ok = sys_write_file(units[0], program, strlen(program), e) &&
              judge_try_accesses(lab, &by->config, &c, &plan, a, &o, &j, e);
    text_free(&text);
    if (ok)
        *out = (struct missed_watched){say_wrong(a, &plan, &o, &j), o.compile_cpu};
    return ok;
}

static bool find_culprit(void *context, struct cc_lab *lab, const struct missed_compiler *by,
                         const char *program, struct arena *a, const char **pass, struct err *e)
{
    enum { MOST = 30 };
    char *units[] = {arena_printf(a, "%s-accused.c", lab->dir), NULL};
    struct cc_case c = cc_case_of(units);
    struct judge_expectation expect = {.runs = true, .valid = true, .out = ""};
    struct judge_claim claim = {.config = &by->config,
                                .signature = "",
                                .program = &c,
                                .expect = &expect,
                                .target = lang_target_named(by->target)};
    struct triage_job job = {.lab = lab, .claim = &claim, .most = MOST, .roughly = true};
    struct triage_blame blame = {.pass = ""};
    struct outcome o;
    (void)context;
    if (!sys_write_file(units[0], program, strlen(program), e) ||
        !judge_find_volatile(lab, &claim, a, &o, &claim.verdict, e))
        return false;
    if (claim.verdict != VERDICT_NONE && triage_can_ask(claim.config) &&
        !triage_blame(&job, a, &blame, e))
        return false;
    *pass = blame.pass;
    return true;
}

/* Of two assemblies only those are asked for their machine that were named. */
static bool compare(struct session *s, int *status, struct err *e)
{
    struct options *o = s->o;
    struct cc_lab_options labs = {.count = 1, .trust_compilers = o->trust};
    bool compiled = !pair_is_assembly(&o->pair) || o->configs.n;
    o->pair.threshold = o->run.threshold;
    o->pair.json = o->json;
    if (compiled && (!cc_labs_open(&s->labs, &labs, e) || !find_compilers(s, e)))
        return false;
    progress_end(&s->progress);
    return pair_tell(&o->pair, s->labs.at, &s->compilers, s->a, status, e);
}

static bool run(struct session *s, int *status, struct err *e)
{
    struct missed_options *r = &s->o->run;
    struct missed_summary sum = {0};
    struct cc_lab_options labs = {.count = (unsigned)s->o->jobs, .trust_compilers = s->o->trust};
    if (!cc_labs_open(&s->labs, &labs, e) || !find_compilers(s, e))
        return false;
    r->compilers = flatten(s->a, &s->compilers);
    r->compiler_count = s->compilers.n;
    r->witnesses = flatten(s->a, &s->witnesses);
    r->witness_count = s->witnesses.n;
    r->worker = find_worker;
    r->watch = watch;
    r->culprit = find_culprit;
    r->show = show;
    r->context = &s->progress;
    bool ok = missed_run(r, &s->labs, s->a, &sum, e);
    progress_end(&s->progress);
    *status = sum.findings ? EXIT_FOUND : EXIT_NOTHING_FOUND;
    return ok && tell(s, &sum, e);
}

static int run_session(struct options *o, struct arena *a)
{
    struct session s = {.o = o, .a = a};
    struct err e;
    int status = EXIT_NOTHING_FOUND;
    s.labs.scratch.lock_fd = -1;
    progress_start(&s.progress, o->quiet);
    bool ok = read_numbers(o, &e) && (o->compare ? compare(&s, &status, &e)
                                      : o->list  ? list_findings(&s, &status, &e)
                                                 : run(&s, &status, &e));
    progress_end(&s.progress);
    cc_labs_close(&s.labs);
    if (!ok)
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    return status;
}

static const char description[] =
    "Looks for code that could have been better, and for volatile objects that are treated\n"
    "wrongly, as cupel hunt --mode missed does for a campaign of its own.  Random arithmetic is\n"
    "written twice: as it was drawn, and with everything folded that follows from constants and\n"
    "from variables that nobody else can write.  The two mean the same, so they should compile to\n"
    "equally good code.  Where they do not, both are made as small as possible, and everybody\n"
    "else is asked: an older version, another compiler or level that does better is the proof\n"
    "that maintainers want.  Each pattern is one finding in DIR/findings (default:\n"
    "./cupel-missed); the same command goes on where it stopped.  Ctrl-C at any time.\n\n"
    "  cupel missed                                   every gcc and clang, -O3 and -Os\n"
    "  cupel missed DIR --time 30m --cc 'gcc-12 -O3' --cc 'clang-19 -O3'\n"
    "  cupel missed DIR --oracle pair --size 50 --threshold 0.7\n"
    "  cat DIR/findings/1/report.txt                  both programs, both codes, who does "
    "better\n"
    "  cupel missed --compare org.c opt.c --cc 'gcc-12 -O3'   the same measures for two programs\n"
    "                                                 of yours that mean the same, or two .s\n\n"
    "Two codes differ when r = sqrt(r1 r2) is below the threshold: r1 is the ratio of their\n"
    "instructions, r2 the share of the kinds of instructions of which both have equally many.\n"
    "Near 1 nearly everything differs; below 0.7 hardly anything does.  A pair is told only when\n"
    "one side is also cheaper by a table of costs and no longer than the other; not when llvm-mca\n"
    "sees less than a twentieth in it, or as many instructions are executed (it is in doubt "
    "then).\n\n"
    "In the list: number, oracle, proof, compiler, operators, and what was not seen.\n\n";

static char *describe(struct arena *a)
{
    struct text t = {0};
    text_puts(&t, description);
    text_puts(&t, "Oracles, for --oracle (several with commas; default all):\n");
    missed_describe_oracles(&t);
    text_puts(&t, "\nExit status: 0 nothing found, 1 the folder has findings, 2 it failed.\n");
    char *copy = arena_string(a, text_str(&t));
    text_free(&t);
    return copy;
}

/* A folder, or the two files of --compare. */
static bool take_words(struct options *o, const struct list *words)
{
    if (o->compare && words->n != 2) {
        cmd_fail("--compare is about two files: cupel missed --compare org.c opt.c");
        return false;
    }
    if (!o->compare && words->n > 1) {
        cmd_fail("one folder is enough: see cupel missed --help");
        return false;
    }
    for (size_t i = 0; o->compare && i < 2; i++)
        o->pair.paths[i] = words->at[i];
    if (words->n)
        o->run.dir = words->at[0];
    return true;
}

int cmd_missed(int argc, char **argv)
{
    struct options o = {.jobs = sys_cpu_count(), .size = 500, .pair.function = "main"};
    struct arena a = {0};
    struct list words = {0};
    o.run.dir = "cupel-missed";
    const struct option_row rows[] = {
        {"--cc", "COMMAND", OPTION_STRINGS, &o.configs, "test this compiler command; repeatable"},
        {"--time", "TIME", OPTION_DURATION, &o.run.seconds, "stop after so long (90, 30m, 1h)"},
        {"--size", "OPS", OPTION_UINT, &o.size, "operators of a program, 1 to 10000 (500)"},
        {"--threshold", "R", OPTION_STRING, &o.threshold, "differences have r below it (0.8)"},
        {"--oracle", "NAMES", OPTION_STRING, &o.oracles, "what to look at: see above"},
        {"--remainders", NULL, OPTION_FLAG, &o.run.shape.remainders, "use the operator % too"},
        {"--floats", NULL, OPTION_FLAG, &o.run.shape.floats, "use float and double too"},
        {"--programs", "N", OPTION_COUNT, &o.run.programs, "stop after N programs"},
        {"--seed", "N", OPTION_SEED, &o.run.seed, "number of the first program (0)"},
        {"--count-only", NULL, OPTION_FLAG, &o.run.count_only,
         "count differences; minimise and keep nothing"},
        {"--list", NULL, OPTION_FLAG, &o.list, "the findings of DIR, and nothing more"},
        {"--compare", NULL, OPTION_FLAG, &o.compare,
         "no campaign: compare the code of two files, C or assembly (x86, or as --cc)"},
        {"--function", "NAME", OPTION_STRING, &o.pair.function, "of which function (main)"},
        {"--jobs", "N", OPTION_COUNT, &o.jobs, "how many at a time (default: all cores)"},
        {"--trust-compilers", NULL, OPTION_FLAG, &o.trust, CMD_TRUST_HELP},
        {"--tables", NULL, OPTION_FLAG, &o.tables,
         "also, by compiler and oracle: pairs tested, differences, how small and in what time"},
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
        {"--quiet", NULL, OPTION_FLAG, &o.quiet, "no progress"},
    };
    struct usage u = {.synopsis = "cupel missed [DIR] [options]",
                      .description = describe(&a),
                      .rows = rows,
                      .count = LENGTH(rows),
                      .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && take_words(&o, &words))
        status = run_session(&o, &a);
    arena_free(&a);
    return status;
}
