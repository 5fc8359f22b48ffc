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

/* How a claim is to be looked at. */
struct settled {
    struct judge_claim claim;
    struct cc_case program;
    bool holds, chance;
    unsigned compiles;
};

static bool may_vary(const struct judge_claim *c)
{
    return (c->verdict == VERDICT_WRONG_CODE || c->verdict == VERDICT_PROGRAM_CRASH) &&
           !(c->program->inputs && c->program->inputs[0] && c->program->inputs[1]);
}

/* A program that is wrong by what lies on its stack may be right where it is loaded and not linked,
 * or every other time: then every flag would seem to heal it.  So the claim must hold before
 * anything is asked: in the quick way, or else in the plain one, or in some runs of many. */
static bool settle(const struct triage_order *o, struct arena *a, struct settled *out,
                   struct err *e)
{
    enum { LOOKS = 8 };
    struct outcome seen;
    size_t shown = 0;
    *out = (struct settled){.claim = *o->claim, .program = *o->claim->program};
    out->claim.program = &out->program;
    out->compiles = 1;
    if (!judge_again(o->lab, &out->claim, a, &seen, &out->holds, e))
        return false;
    if (!may_vary(&out->claim))
        return true;
    out->compiles++;
    if (!judge_again_often(o->lab, &out->claim, LOOKS, a, &seen, &shown, e))
        return false;
    out->chance = shown && (shown < LOOKS || !out->holds);
    out->holds |= shown > 0;
    return true;
}

/* Compilations for the first wrong value where the pass says enough. */
enum { FIRST_BESIDE_PASS = 5 };

static bool find_out(const struct triage_order *o, bool chance, struct arena *a,
                     struct triage_result *out, struct err *e)
{
    struct triage_job job = {.lab = o->lab, .claim = o->claim, .most = o->most, .chance = chance};
    struct judge_expectation narrow = {0};
    struct text source = {0};
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

/* It does not happen any more: nobody is named. */
static bool know_nothing(const struct triage_order *o, struct arena *a, struct triage_result *out,
                         struct err *e)
{
    struct text source = {0};
    if (!sys_read_file(o->claim->program->units[0], SYS_READ_ALL, &source, e))
        return false;
    out->blame = (struct triage_blame){.pass = "", .detail = "", .switches = ""};
    out->first = (struct triage_first){
        .what = "", .shape = "", .source = "", .function = "", .expected = "", .actual = ""};
    out->function.name = "";
    out->signature = name_bug(o, a, out, o->reduced ? text_str(&source) : NULL);
    text_free(&source);
    return true;
}

bool triage_find_out(const struct triage_order *o, struct arena *a, struct triage_result *out,
                     struct err *e)
{
    struct triage_order order = *o;
    struct settled x;
    *out = (struct triage_result){.signature = "", .features = ""};
    if (!settle(o, a, &x, e))
        return false;
    order.claim = &x.claim;
    bool ok = x.holds ? find_out(&order, x.chance, a, out, e) : know_nothing(o, a, out, e);
    out->blame.compiles += x.compiles;
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
