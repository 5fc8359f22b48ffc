/* cupel triage: which pass is to blame for what a compiler does with a program. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "cmd/cflags.h"
#include "front/front.h"
#include "hunt/hunt.h"
#include "machine/machine.h"
#include "report/report.h"
#include "sys/sys.h"
#include "triage/triage.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *cc, *emulator, *expect;
    double run_timeout, compile_timeout;
    uint64_t most;
    bool json, no_matrix;
};

/* A program and what a compiler does with it. */
struct accused {
    struct arena *a;
    struct cc_labs labs;
    struct cc_config config;
    const struct target *target; /* its data model */
    struct cc_case program;
    char *units[2];
    struct judge_expectation expect;
    struct outcome outcome;
    struct judge_claim claim;
    const char *undefined;       /* the machine's words; NULL when the program is not */
    bool readable;               /* by our front end, and not undefined */
    struct campaign_files files; /* of a finding; without a path: it is a file of its own */
    const char *dir;             /* the finding's campaign */
    uint64_t id;
    bool reduced; /* the program is small enough to be compared by what it is made of */
};

/* ---- what the program must do ----------------------------------------------------------- */

static void expect_output(struct accused *x, const char *bytes, size_t n, int status)
{
    x->expect = (struct judge_expectation){.runs = true,
                                           .valid = true,
                                           .out = arena_copy(x->a, bytes, n),
                                           .out_size = n,
                                           .status = status};
}

/* Of a program that is undefined, or cannot be executed, only a compiler's own failures count. */
static void execute(struct accused *x, struct program *p)
{
    struct machine_unit unit = {.program = p};
    struct machine_execution run = machine_execute(&unit, 1, NULL);
    struct text why = {0};
    machine_explain(run.why, &why);
    if (run.defined)
        expect_output(x, text_str(&run.run->output), run.run->output.n, run.run->status);
    else if (run.why->end == MACHINE_UNDEFINED)
        x->undefined = arena_string(x->a, text_str(&why));
    else
        log_note("what it must do is not known (%s): only crashes and refusals count",
                 text_str(&why));
    text_free(&why);
    machine_execution_free(&run);
}

static bool read_source(struct accused *x, const struct options *o, struct err *e)
{
    struct front_source source = {.path = x->units[0], .cc = o->cc, .target = x->target};
    struct front_options fo = front_options_of(&source);
    struct text text = {0};
    bool ok = front_preprocess_anyhow(&source, &text, e);
    if (ok) {
        struct unit u = front_parse(text_str(&text), text.n, &fo);
        if (u.error_count)
            log_note("what it must do is not known (%s): only crashes of the compiler count",
                     u.errors[0].message);
        else
            execute(x, u.program);
        x->readable = !u.error_count && !x->undefined;
        lang_program_free(u.program);
    }
    text_free(&text);
    return ok;
}

static bool find_expectation(struct accused *x, const struct options *o, struct err *e)
{
    struct text wanted = {0};
    if (!o->expect)
        return read_source(x, o, e);
    bool ok = sys_read_file(o->expect, SYS_READ_ALL, &wanted, e);
    if (ok)
        expect_output(x, text_str(&wanted), wanted.n, 0);
    text_free(&wanted);
    return ok;
}

/* ---- what the compiler does ------------------------------------------------------------- */

/* A program that was not executed is valid if our front end reads it, and a compiler of another
 * family takes what this one refuses. */
static bool is_taken_by_others(struct accused *x, struct err *e)
{
    static const char *const others[] = {"gcc", "clang"};
    for (size_t i = 0; i < LENGTH(others) && !x->expect.valid; i++) {
        struct cc_config other;
        struct outcome o;
        struct err missing;
        if (strstr(x->config.compiler, others[i]) ||
            !cc_config_parse(x->a, others[i], NULL, &other, &missing))
            continue;
        if (!cc_try(&x->labs.at[0], &other, &x->program, x->a, &o, e))
            return false;
        x->expect.valid = o.kind == OUTCOME_BUILT;
    }
    return true;
}

/* Wrong by chance: what a wrong program does may depend on what lies on its stack. */
static bool find_wrong_run(struct accused *x, struct err *e)
{
    enum { LOOKS = 8 };
    struct judge_claim claim = x->claim;
    struct outcome o;
    size_t shown;
    claim.verdict = VERDICT_WRONG_CODE;
    if (!judge_again_often(&x->labs.at[0], &claim, LOOKS, x->a, &o, &shown, e))
        return false;
    if (shown) {
        x->outcome = o;
        x->claim.verdict = judge_verdict(&o, &x->expect);
    }
    return true;
}

static bool accuse(struct accused *x, const struct options *o, struct err *e)
{
    static char *const none[] = {NULL};
    x->program = (struct cc_case){.units = x->units,
                                  .inputs = none,
                                  .args = none,
                                  .compile_timeout = o->compile_timeout,
                                  .run_timeout = o->run_timeout,
                                  .compile_memory = (uint64_t)4 << 30,
                                  .run_memory = (uint64_t)1 << 30};
    if (!judge_find_target(&x->labs.at[0], &x->config, x->a, &x->target, e) ||
        !find_expectation(x, o, e))
        return false;
    x->program.compile_only = !x->expect.runs;
    if (!cc_try(&x->labs.at[0], &x->config, &x->program, x->a, &x->outcome, e) ||
        !cc_look_at_flags(&x->labs.at[0], &x->config, x->a, &x->outcome, e))
        return false;
    if (x->outcome.kind == OUTCOME_BAD_FLAGS)
        return fail(e, "%s %s: %s", x->config.text, outcome_info(OUTCOME_BAD_FLAGS)->phrase,
                    x->outcome.message);
    if (x->outcome.kind == OUTCOME_REJECTED && x->readable && !is_taken_by_others(x, e))
        return false;
    enum verdict v = judge_verdict(&x->outcome, &x->expect);
    x->claim = (struct judge_claim){.config = &x->config,
                                    .verdict = v,
                                    .signature = verdict_info(v)->signature(x->a, &x->outcome),
                                    .program = &x->program,
                                    .expect = &x->expect,
                                    .target = x->target};
    if (v != VERDICT_NONE || !x->expect.runs)
        return true;
    if (!find_wrong_run(x, e))
        return false;
    if (x->claim.verdict != VERDICT_NONE)
        return true;
    return judge_find_volatile(&x->labs.at[0], &x->claim, x->a, &x->outcome, &x->claim.verdict, e);
}

/* ---- telling ---------------------------------------------------------------------------- */

static bool print_json(const struct accused *x, const struct triage_result *r)
{
    json_t *top = triage_to_json(r);
    json_object_set_new(top, "verdict", json_string(verdict_info(x->claim.verdict)->name));
    json_object_set_new(top, "config", json_string(x->config.text));
    json_object_set_new(top, "signature",
                        record_bytes(x->claim.signature, strlen(x->claim.signature)));
    json_object_set_new(top, "compiles", json_integer((json_int_t)triage_compiles(r)));
    return campaign_print_json(top);
}

static void put_blame(const struct triage_result *r, struct text *out)
{
    const struct triage_blame *b = &r->blame;
    text_printf(out, "Guilty:        %s%s\n", *b->pass ? b->pass : "not found",
                b->method == METHOD_LEVEL ? " on, no pass that could be named" : "");
    if (*b->detail)
        text_printf(out, "               %s\n", b->detail);
    if (*b->switches)
        text_printf(out, "Gone with:     %s\n", b->switches);
    if (r->stage != STAGE_NONE)
        text_printf(out, "Stage:         %s\n", triage_stage_name(r->stage));
}

static void put_beginning(const struct triage_result *r, struct text *out)
{
    const struct triage_first *f = &r->first;
    if (*r->function.name)
        text_printf(out, "Function:      %s%s\n", r->function.name,
                    r->function.alone ? "" : ", together with those before it");
    if (*r->features)
        text_printf(out, "Only known:    %s\n", r->features);
    if (!*f->what)
        return;
    text_printf(out, "First wrong:   %s in %s, line %u: %s\n", f->what, f->function, f->line,
                f->source);
    if (*f->shape)
        text_printf(out, "               %s\n", f->shape);
    if (*f->expected)
        text_printf(out, "               expected %s, actual %s (hexadecimal)\n", f->expected,
                    f->actual);
}

static bool print_text(const struct accused *x, const struct triage_result *r)
{
    struct text out = {0};
    const struct verdict_info *v = verdict_info(x->claim.verdict);
    text_printf(&out, "Verdict:       %s: %s\nConfiguration: %s\n", v->name, v->phrase,
                x->config.text);
    if (*x->claim.signature)
        text_printf(&out, "Signature:     %s\n", x->claim.signature);
    put_blame(r, &out);
    put_beginning(r, &out);
    text_printf(&out, "Bug:           %s\n", r->signature);
    text_printf(&out,
                "Cost:          %u compilations, %.1f s (%s); %u for the first wrong value,"
                " %u for the function, %u for the matrix\n",
                r->blame.compiles, r->blame.seconds, triage_method_name(r->blame.method),
                r->first.compiles, r->function.compiles, r->matrix.compiles);
    if (r->matrix.n) {
        text_putc(&out, '\n');
        report_matrix(&r->matrix, &out);
    }
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok;
}

/* ---- finding out ------------------------------------------------------------------------ */

static const char *family_name(const struct cc_config *config)
{
    enum cc_family family;
    return cc_family_of(config->argv[0], &family) ? cc_family_name(family) : config->argv[0];
}

static bool find_out(struct accused *x, const struct options *o, struct triage_result *r,
                     struct err *e)
{
    struct cc_list compilers;
    struct triage_order order = {.lab = &x->labs.at[0],
                                 .claim = &x->claim,
                                 .compilers = o->no_matrix ? NULL : &compilers,
                                 .family = family_name(&x->config),
                                 .reduced = x->reduced,
                                 .most = (unsigned)o->most};
    return (o->no_matrix ||
            cc_discover(x->a, &x->labs, &(struct cc_discovery){0}, &compilers, e)) &&
           triage_find_out(&order, x->a, r, e);
}

/* Beside the finding, for the report. */
static bool keep_result(const struct accused *x, const struct triage_result *r, struct err *e)
{
    const char *text = triage_to_text(x->a, r);
    if (!x->files.path)
        return true;
    if (hunt_is_shared(x->dir))
        return hunt_keep_triage(x->dir, x->id, text, e);
    return sys_write_file(arena_printf(x->a, "%s/" TRIAGE_FILE, x->files.path), text, strlen(text),
                          e);
}

static int triage(struct accused *x, const struct options *o)
{
    struct triage_result r = {.signature = "", .features = ""};
    struct err e;
    if (!accuse(x, o, &e))
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    if (x->claim.verdict == VERDICT_NONE && x->undefined)
        return cmd_fail("the program is undefined, so no compiler is to blame: %s", x->undefined);
    if (x->claim.verdict == VERDICT_NONE)
        return cmd_fail("%s does nothing wrong with %s: nothing to triage", x->config.text,
                        x->units[0]);
    if (!find_out(x, o, &r, &e) || !keep_result(x, &r, &e))
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    return (o->json ? print_json(x, &r) : print_text(x, &r)) ? EXIT_FOUND
                                                             : cmd_fail("cannot write to stdout");
}

/* Of a finding of a campaign: its configuration, and its smallest program. */
static bool take_finding(struct accused *x, struct options *o, const char *dir, const char *number,
                         struct err *e)
{
    struct finding *f = NEW(x->a, struct finding);
    uint64_t id;
    if (!str_parse_uint(number, INT64_MAX, &id, e) || !hunt_finding(x->a, dir, id, f, e) ||
        !campaign_open_files(x->a, dir, f, &x->files, e))
        return false;
    x->dir = dir;
    x->id = id;
    x->reduced = f->reduced.program.n;
    x->units[0] = arena_printf(x->a, "%s/%s", x->files.path,
                               x->reduced ? "reduced.c" : "program.c");
    o->cc = f->claim.config;
    if (*f->again.emulator)
        o->emulator = f->again.emulator;
    return true;
}

/* Of a finding of a campaign on many machines: those that have the compiler are asked.  *done:
 * they were, and *status is what comes of it. */
static bool ask_others(struct accused *x, const struct options *o, bool *done, int *status,
                       struct err *e)
{
    struct finding f;
    struct triage_result r = {.signature = "", .features = ""};
    if (!hunt_finding(x->a, x->dir, x->id, &f, e) || !hunt_triage_elsewhere(x->dir, &f, done, e))
        return false;
    if (!*done)
        return true;
    if (!hunt_finding(x->a, x->dir, x->id, &f, e))
        return false;
    if (!*f.triage || !triage_from_text(x->a, f.triage, &r))
        return fail(e, "finding %llu: triage found nothing out", (unsigned long long)x->id);
    x->config.text = (char *)f.claim.config;
    x->claim = (struct judge_claim){.verdict = f.claim.verdict, .signature = f.claim.signature};
    *status = (o->json ? print_json(x, &r) : print_text(x, &r))
                  ? EXIT_FOUND
                  : cmd_fail("cannot write to stdout");
    return true;
}

static int run(struct arena *a, struct options *o, const struct list *words)
{
    struct accused x = {.a = a,
                        .units = {words->at[0], NULL},
                        .reduced = words->n == 1,
                        .files.scratch.lock_fd = -1};
    struct err e;
    int status = EXIT_CANNOT;
    bool done = false;
    if (words->n == 2 && (!take_finding(&x, o, words->at[0], words->at[1], &e) ||
                          !ask_others(&x, o, &done, &status, &e))) {
        done = true;
        status = sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    }
    if (done) {
        campaign_close_files(&x.files);
        return status;
    }
    if (!cc_config_parse(a, o->cc, o->emulator, &x.config, &e))
        return cmd_fail("%s", e.msg);
    struct cc_lab_options labs = {.count = sys_cpu_count(),
                                  .readable = cc_readable(a, &x.config, 1)};
    if (!cc_labs_open(&x.labs, &labs, &e))
        cmd_fail("%s", e.msg);
    else
        status = triage(&x, o);
    cc_labs_close(&x.labs);
    campaign_close_files(&x.files);
    return status;
}

int cmd_triage(int argc, char **argv)
{
    struct options o = {.run_timeout = 2, .compile_timeout = 20};
    struct arena a = {0};
    struct list words = {0};
    const struct option_row rows[] = {
        {"--cc", "COMMAND", OPTION_STRING, &o.cc, "the compiler that does wrong: 'gcc-12 -O3'"},
        {"--run", "COMMAND", OPTION_STRING, &o.emulator, "put this before its programs"},
        {"--expect", "FILE", OPTION_STRING, &o.expect,
         "what it must print (default: what cupel check prints)"},
        {"--most", "N", OPTION_COUNT, &o.most, "compilations that it may cost (60)"},
        {"--timeout", "TIME", OPTION_DURATION, &o.run_timeout, "CPU time of one run (2s)"},
        {"--compile-timeout", "TIME", OPTION_DURATION, &o.compile_timeout,
         "CPU time of one compilation (20s)"},
        {"--no-matrix", NULL, OPTION_FLAG, &o.no_matrix, "not which other versions have it"},
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
    };
    struct usage u = {
        .synopsis = "cupel triage FILE.c --cc COMMAND [options] | cupel triage DIR N [options]",
        .description =
            "Says which pass of the compiler is to blame for what it does with a program,\n"
            "and which versions and levels have the bug.  Of a finding of a campaign it\n"
            "keeps the answer for cupel report.  Exit status: 1 something is wrong, 2 it\n"
            "cannot be done.\n\n"
            "  cupel triage t.c --cc 'gcc-12 -O3'\n"
            "  cupel triage DIR 3\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && words.n != 2 && (words.n != 1 || !o.cc))
        cmd_fail("what is it about? cupel triage FILE.c --cc 'gcc -O2', or cupel triage DIR N");
    else if (parsed == PARSED)
        status = cmd_end(run(&a, &o, &words));
    arena_free(&a);
    return status;
}
