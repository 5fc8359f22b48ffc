/* All that triage can find out of a claim, one question after the other. */
#include "triage/private.h"

#include "machine/machine.h"

#include <string.h>

/* What the program must do with -m32, as far as its preprocessed text holds for that; runs is false
 * when that is not known. */
static void expect_narrow(const struct triage_order *o, struct arena *a,
                          struct judge_expectation *out)
{
    struct judge_claim claim = *o->claim;
    struct triage_job job = {.lab = o->lab, .claim = &claim};
    struct unit u;
    if (!claim.expect->runs || claim.target != lang_target(TARGET_LP64))
        return;
    claim.target = lang_target(TARGET_ILP32);
    if (!subject_read(&job, &u, NULL))
        return;
    struct machine_unit unit = {.program = u.program};
    struct machine_execution run = {0};
    if (!u.error_count)
        run = machine_execute(&unit, 1, NULL);
    if (run.defined)
        *out = (struct judge_expectation){
            .runs = true,
            .valid = true,
            .out = arena_copy(a, text_str(&run.run->output), run.run->output.n),
            .out_size = run.run->output.n,
            .status = run.run->status};
    if (!u.error_count)
        machine_execution_free(&run);
    lang_program_free(u.program);
}

/* As the oldest version that has it says it, so that all of them give it one name. */
static const char *crash_of(const struct triage_order *o, const struct triage_result *r)
{
    return r->matrix.n && *r->matrix.crash ? r->matrix.crash : o->claim->signature;
}

static bool is_pass_named(const struct triage_result *r)
{
    return r->blame.method != METHOD_NONE && r->blame.method != METHOD_LEVEL;
}

/* Of a small program of which nothing better is known; "" when it cannot be read. */
static const char *find_features(const struct triage_order *o, struct arena *a,
                                 const struct triage_result *r)
{
    struct triage_job job = {.lab = o->lab, .claim = o->claim};
    bool told = is_pass_named(r) || *o->claim->signature || (*r->first.shape && !r->first.vague);
    struct unit u;
    if (told || !o->reduced || !subject_read(&job, &u, NULL))
        return "";
    const char *list = u.error_count ? "" : feature_list(a, u.program);
    lang_program_free(u.program);
    return list;
}

static const char *name_bug(const struct triage_order *o, struct arena *a,
                            const struct triage_result *r, const char *program)
{
    const char *level = o->claim->config->level;
    const struct triage_identity who = {.verdict = o->claim->verdict,
                                        .plain = !*level || strcmp(level, "-O0") == 0,
                                        .family = o->family,
                                        .pass = r->blame.pass,
                                        .method = r->blame.method,
                                        .crash = crash_of(o, r),
                                        .stage = r->stage,
                                        .shape = *r->features ? "" : r->first.shape,
                                        .alone = r->first.alone,
                                        .matrix = r->matrix.n ? &r->matrix : NULL,
                                        .program = program,
                                        .features = r->features};
    return triage_signature(a, &who);
}

/* Compilations for the first wrong value where the pass says enough. */
enum { FIRST_BESIDE_PASS = 5 };

bool triage_find_out(const struct triage_order *o, struct arena *a, struct triage_result *out,
                     struct err *e)
{
    struct triage_job job = {.lab = o->lab, .claim = o->claim, .most = o->most};
    struct judge_expectation narrow = {0};
    struct text source = {0};
    *out = (struct triage_result){.signature = "", .features = ""};
    bool ok = triage_blame(&job, a, &out->blame, e) && triage_find_stage(&job, a, &out->stage, e);
    expect_narrow(o, a, &narrow);
    /* a compiler's own failure needs no expectation */
    bool code = verdict_info(o->claim->verdict)->subject == SUBJECT_CODE;
    struct triage_question q = {o->compilers, code          ? o->claim->expect
                                              : narrow.runs ? &narrow
                                                            : NULL};
    job.most = is_pass_named(out) ? FIRST_BESIDE_PASS : 0;
    ok = ok && triage_find_first(&job, a, &out->first, e);
    job.most = 0;
    ok = ok && triage_find_function(&job, a, &out->function, e) &&
         (!o->compilers || triage_find_matrix(&job, &q, a, &out->matrix, e)) &&
         sys_read_file(o->claim->program->units[0], SYS_READ_ALL, &source, e);
    if (ok)
        out->features = find_features(o, a, out);
    if (ok)
        out->signature = name_bug(o, a, out, o->reduced ? text_str(&source) : NULL);
    text_free(&source);
    return ok;
}

unsigned triage_compiles(const struct triage_result *r)
{
    return r->blame.compiles + r->matrix.compiles + r->first.compiles + r->function.compiles;
}

const char *triage_culprit(const struct triage_result *r)
{
    if (r->features && *r->features) /* what was kept by an older cupel has none */
        return r->features;
    return !is_pass_named(r) && r->first.shape && *r->first.shape ? r->first.shape : r->blame.pass;
}
