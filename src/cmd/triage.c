/* cupel triage: which pass is to blame for what a compiler does with a program. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "cmd/cflags.h"
#include "front/front.h"
#include "machine/machine.h"
#include "sys/sys.h"
#include "triage/triage.h"

#include <jansson.h>
#include <string.h>

struct options {
    const char *cc, *emulator, *expect;
    double run_timeout, compile_timeout;
    uint64_t most;
    bool json, quiet;
};

/* A program and what a compiler does with it. */
struct accused {
    struct arena *a;
    struct cc_labs labs;
    struct cc_config config;
    struct cc_case program;
    char *units[2];
    struct judge_expectation expect;
    struct outcome outcome;
    struct judge_claim claim;
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

/* A program that is undefined is no compiler's fault; of one that cannot be executed nothing is
 * known, and only a compiler's own failures count. */
static bool execute(struct accused *x, struct program *p, struct err *e)
{
    struct machine_unit unit = {.program = p};
    struct machine_execution run = machine_execute(&unit, 1, NULL);
    struct text why = {0};
    machine_explain(run.why, &why);
    bool ok = run.why->end != MACHINE_UNDEFINED ||
              fail(e, "the program is undefined, so no compiler is to blame: %s", text_str(&why));
    if (run.defined)
        expect_output(x, text_str(&run.run->output), run.run->output.n, run.run->status);
    else if (ok)
        log_note("what it must do is not known (%s): only crashes of the compiler count",
                 text_str(&why));
    text_free(&why);
    machine_execution_free(&run);
    return ok;
}

static bool read_source(struct accused *x, const struct options *o, struct err *e)
{
    struct front_source source = {.path = x->units[0], .cc = o->cc};
    struct front_options fo = front_options_of(&source);
    struct text text = {0};
    bool ok = front_preprocess(&source, &text, e);
    if (!ok) {
        source.cc = NULL;
        text_clear(&text);
        ok = front_preprocess(&source, &text, e);
    }
    if (ok) {
        struct unit u = front_parse(text_str(&text), text.n, &fo);
        if (u.error_count)
            log_note("what it must do is not known (%s): only crashes of the compiler count",
                     u.errors[0].message);
        else
            ok = execute(x, u.program, e);
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
    if (!find_expectation(x, o, e))
        return false;
    x->program.compile_only = !x->expect.runs;
    if (!cc_try(&x->labs.at[0], &x->config, &x->program, x->a, &x->outcome, e))
        return false;
    enum verdict v = judge_verdict(&x->outcome, &x->expect);
    x->claim = (struct judge_claim){.config = &x->config,
                                    .verdict = v,
                                    .signature = verdict_info(v)->signature(x->a, &x->outcome),
                                    .program = &x->program,
                                    .expect = &x->expect};
    return true;
}

/* ---- telling ---------------------------------------------------------------------------- */

static bool print_json(const struct accused *x, const struct triage_blame *b)
{
    return campaign_print_json(json_pack(
        "{s:s, s:s, s:o, s:o, s:o, s:o, s:s, s:I, s:f}", "verdict",
        verdict_info(x->claim.verdict)->name, "config", x->config.text, "signature",
        record_bytes(x->claim.signature, strlen(x->claim.signature)), "pass",
        record_bytes(b->pass, strlen(b->pass)), "detail",
        record_bytes(b->detail, strlen(b->detail)), "switches",
        record_bytes(b->switches, strlen(b->switches)), "method", triage_method_name(b->method),
        "compiles", (json_int_t)b->compiles, "seconds", b->seconds));
}

static bool print_text(const struct accused *x, const struct triage_blame *b)
{
    struct text out = {0};
    const struct verdict_info *v = verdict_info(x->claim.verdict);
    text_printf(&out, "Verdict:       %s: %s\n", v->name, v->phrase);
    text_printf(&out, "Configuration: %s\n", x->config.text);
    if (*x->claim.signature)
        text_printf(&out, "Signature:     %s\n", x->claim.signature);
    text_printf(&out, "Guilty:        %s\n", *b->pass ? b->pass : "not found");
    if (*b->detail)
        text_printf(&out, "               %s\n", b->detail);
    if (*b->switches)
        text_printf(&out, "Gone with:     %s\n", b->switches);
    text_printf(&out, "Cost:          %u compilations, %.1f s (%s)\n", b->compiles, b->seconds,
                triage_method_name(b->method));
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok;
}

static int triage(struct accused *x, const struct options *o)
{
    struct triage_blame blame;
    struct err e;
    if (!accuse(x, o, &e))
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    if (x->claim.verdict == VERDICT_NONE)
        return cmd_fail("%s does nothing wrong with %s: nothing to triage", x->config.text,
                        x->units[0]);
    struct triage_job job = {.lab = &x->labs.at[0], .claim = &x->claim, .most = (unsigned)o->most};
    if (!triage_blame(&job, x->a, &blame, &e))
        return sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
    return (o->json ? print_json(x, &blame) : print_text(x, &blame))
               ? EXIT_FOUND
               : cmd_fail("cannot write to stdout");
}

static int run(struct arena *a, const struct options *o, char *file)
{
    struct accused x = {.a = a, .units = {file, NULL}};
    struct err e;
    int status = EXIT_CANNOT;
    if (!cc_config_parse(a, o->cc, o->emulator, &x.config, &e))
        return cmd_fail("%s", e.msg);
    struct cc_lab_options labs = {.count = sys_cpu_count(),
                                  .readable = cc_readable(a, &x.config, 1)};
    if (!cc_labs_open(&x.labs, &labs, &e))
        cmd_fail("%s", e.msg);
    else
        status = triage(&x, o);
    cc_labs_close(&x.labs);
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
        {"--most", "N", OPTION_UINT, &o.most, "compilations that it may cost (60)"},
        {"--timeout", "TIME", OPTION_DURATION, &o.run_timeout, "CPU time of one run (2s)"},
        {"--compile-timeout", "TIME", OPTION_DURATION, &o.compile_timeout,
         "CPU time of one compilation (20s)"},
        {"--json", NULL, OPTION_FLAG, &o.json, "print JSON, for scripts"},
    };
    struct usage u = {
        .synopsis = "cupel triage FILE.c --cc COMMAND [options]",
        .description = "Says which pass of the compiler is to blame for what it does with a\n"
                       "program.  Exit status: 1 something is wrong, 2 it cannot be done.\n\n"
                       "  cupel triage t.c --cc 'gcc-12 -O3'\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && (words.n != 1 || !o.cc))
        cmd_fail("a file and its compiler are needed: cupel triage FILE.c --cc 'gcc -O2'");
    else if (parsed == PARSED)
        status = cmd_end(run(&a, &o, words.at[0]));
    arena_free(&a);
    return status;
}
