/* Triage of a finding in a worker, after it was made small: which pass, where it goes wrong first,
 * who else has it, and from all that the signature by which the coordinator knows the bug again. */
#include "hunt/private.h"

#include "front/front.h"
#include "triage/triage.h"

#include <string.h>

/* The smallest program that there is. */
static struct judge_expectation expectation_of(const struct finding *f)
{
    bool reduced = f->reduced.program.n;
    struct bytes wanted = reduced ? f->reduced.expected : f->subject.expected;
    return (struct judge_expectation){.runs = f->subject.runs,
                                      .valid = f->subject.valid,
                                      .out = wanted.s,
                                      .out_size = wanted.n,
                                      .status = reduced ? f->reduced.status : f->subject.status,
                                      .undefined = *f->subject.undefined ? f->subject.undefined
                                                                         : NULL};
}

const struct target *name_target(const struct finding *f)
{
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (strcmp(lang_target((enum target_id)i)->name, f->subject.target) == 0)
            return lang_target((enum target_id)i);
    return lang_target(TARGET_LP64);
}

/* The compilers of this machine, looked at once for each plan; NULL when that fails. */
static const struct cc_list *compilers_of(struct worker *w, struct err *e)
{
    struct cc_list *found = NEW(&w->plan_arena, struct cc_list);
    if (!w->compilers && cc_discover(&w->plan_arena, &w->labs, &(struct cc_discovery){0}, found, e))
        w->compilers = found;
    return w->compilers;
}

static bool has_level(const struct cc *cc, const char *level)
{
    for (char *const *l = cc->levels; *l; l++)
        if (strcmp(*l, level) == 0)
            return true;
    return false;
}

static void put_levels(const struct triage_row *r, const struct cc *cc, struct text *out)
{
    for (size_t k = 0; k < r->n; k++)
        if (r->cells[k].state == TRIAGE_SHOWN && !r->cells[k].narrow &&
            has_level(cc, r->cells[k].level))
            text_printf(out, "%s%s", out->n ? " " : "", r->cells[k].level);
}

/* The levels of the accused that show it with the program that triage looked at; levels that make
 * no difference to the compiler are not told. */
static void take_levels(struct worker *w, const struct triage_matrix *m, struct finding *f)
{
    struct text out = {0};
    for (size_t i = 0; i < w->compilers->n; i++)
        for (size_t k = 0; k < m->n; k++)
            if (strcmp(w->compilers->at[i].name, f->claim.compiler) == 0 &&
                strcmp(m->rows[k].compiler, f->claim.compiler) == 0)
                put_levels(&m->rows[k], &w->compilers->at[i], &out);
    if (out.n)
        f->claim.levels = arena_string(&w->arena, text_str(&out));
    text_free(&out);
}

static bool defines_main(const struct bytes *text, const struct target *target)
{
    struct unit u = front_parse(text->s, text->n, &(struct front_options){.target = target});
    bool found = u.error_count > 0; /* who knows */
    for (size_t i = 0; i < u.program->functions.n && !found; i++) {
        const struct function *f = u.program->functions.at[i];
        found = f->body && strcmp(f->decl->name, "main") == 0;
    }
    lang_program_free(u.program);
    return found;
}

/* What happens with the program that triage looked at. */
static bool see_reduced(struct worker *w, const struct judge_claim *c, struct finding *f,
                        struct err *e)
{
    enum { LOOKS = 8 };
    struct judge_claim shown = *c;
    struct outcome o;
    size_t wrong = 0;
    bool holds;
    if (!f->reduced.program.n)
        return true;
    shown.show = true;
    if (!judge_again(&w->labs.at[0], &shown, &w->arena, &o, &holds, e))
        return false;
    /* what is right now and then is shown where it is wrong */
    bool by_chance = !holds && verdict_info(c->verdict)->subject == SUBJECT_RUN;
    if (by_chance && !judge_again_often(&w->labs.at[0], c, LOOKS, &w->arena, &o, &wrong, e))
        return false;
    if (holds || wrong)
        f->reduced.seen = hunt_see(&o);
    return true;
}

/* Is another bug shown than before it was made small?  By what goes wrong first in the original,
 * where that is an operation; a pass, and what a crash says, were kept by the reduction itself. */
static bool has_slid(struct worker *w, const struct judge_claim *c, const struct triage_result *r,
                     const struct finding *f)
{
    struct judge_claim claim = *c;
    struct judge_expectation expect = *c->expect;
    struct cc_case program = *c->program;
    char *units[] = {arena_printf(&w->arena, "%s/original.c", w->labs.scratch.path), NULL};
    struct triage_job job = {.lab = &w->labs.at[0], .claim = &claim};
    struct triage_first first;
    const struct bytes *text = &f->subject.program;
    if (!f->reduced.program.n || f->reduced.slid || *c->signature ||
        verdict_info(c->verdict)->subject != SUBJECT_RUN || !*f->blame.pass ||
        strcmp(f->blame.pass, r->first.shape) == 0)
        return false;
    expect.out = f->subject.expected.s;
    expect.out_size = f->subject.expected.n;
    expect.status = f->subject.status;
    claim.expect = &expect;
    program.units = units;
    claim.program = &program;
    return sys_write_file(units[0], text->s, text->n, NULL) &&
           triage_find_first(&job, &w->arena, &first, NULL) && first.telling &&
           strcmp(first.shape, f->blame.pass) == 0;
}

/* It is made small once more, from the start, and what goes wrong first is kept. */
static void begin_again(struct finding *f)
{
    f->reduced = (struct finding_reduced){
        .tries = f->reduced.tries, .cpu = f->reduced.cpu, .why = "", .slid = true};
    f->named = false;
}

static bool triage(struct worker *w, const struct cc_case *program, struct finding *f,
                   struct err *e)
{
    struct judge_expectation expect = expectation_of(f);
    struct cc_config config;
    const struct cc_list *compilers = compilers_of(w, e);
    if (!compilers || !cc_config_parse(&w->arena, f->claim.config,
                                       *f->again.emulator ? f->again.emulator : NULL, &config, e))
        return false;
    struct judge_claim claim = {.config = &config,
                                .verdict = f->claim.verdict,
                                .signature = f->claim.signature,
                                .program = program,
                                .expect = &expect,
                                .target = name_target(f),
                                .limit = f->claim.limit};
    struct triage_order order = {.lab = &w->labs.at[0],
                                 .claim = &claim,
                                 .compilers = compilers,
                                 .family = f->claim.family,
                                 .reduced = f->reduced.program.n};
    struct triage_result r;
    if (!triage_find_out(&order, &w->arena, &r, e) || !see_reduced(w, &claim, f, e))
        return false;
    if (has_slid(w, &claim, &r, f)) {
        begin_again(f);
        return true;
    }
    f->triage = triage_to_text(&w->arena, &r);
    f->bug = r.signature;
    take_levels(w, &r.matrix, f);
    f->blame = (struct finding_blame){.pass = triage_culprit(&r),
                                      .detail = r.blame.detail,
                                      .wrong = r.first.source,
                                      .done = true};
    return true;
}

bool name_finding(struct worker *w, struct finding *f, struct err *e)
{
    static char *const none[] = {NULL};
    struct bytes text = f->reduced.program.n ? f->reduced.program : f->subject.program;
    char *units[] = {arena_printf(&w->arena, "%s/reduced.c", w->labs.scratch.path), NULL};
    struct cc_case program = {.units = units,
                              .inputs = none,
                              .args = none,
                              .compile_timeout = f->again.compile_timeout,
                              .run_timeout = f->again.run_timeout,
                              .compile_memory = (uint64_t)4 << 30,
                              .run_memory = (uint64_t)1 << 30,
                              .compile_only = f->subject.compile_only};
    struct err why;
    /* of a failure of the compiler's own, no more than that may be left: there is nothing to link
     */
    program.compile_only |= f->reduced.program.n && !defines_main(&text, name_target(f)) &&
                            verdict_info(f->claim.verdict)->subject == SUBJECT_CODE;
    f->named = true;
    if (verdict_info(f->claim.verdict)->cost != COST_CHEAP)
        return true;
    /* what cannot be found out leaves the finding as it was */
    if (!sys_write_file(units[0], text.s, text.n, &why) || !triage(w, &program, f, &why))
        log_note("finding %llu: %s", (unsigned long long)f->id, why.msg);
    return !sys_cancelled() || fail(e, "interrupted");
}
