/* Programs of other generators that the machine cannot decide, after CsmithEdge: a compiler without
 * optimisation says what the program does, the others are compared with it, and only what they
 * disagree about is validated, by those who can see what may be wrong with it, cheapest first.
 * Eagerly: all of it is validated, and before anything is compared.
 *
 * Takes and yields a subject; what a validator calls undefined is never held against a compiler.
 * Compilers' own failures (crashes, hangs) count whatever the program is. */
#include "hunt/private.h"

/* Eva takes for unknown what the machine does not support (assembly, say), and would alarm at all
 * that follows: it is asked only about what a relaxation may have done. */
enum { SANITIZERS = V_ASAN | V_MSAN | V_UBSAN };
/* Natively, a program may take so many times what one that the machine has executed may. */
static const double patience = 10;

void undecided_take(struct subject *out, enum machine_end end)
{
    enum fate fate = fate_of_end(end);
    if (fate != FATE_UNDECIDED && fate != FATE_TIMED_OUT) {
        fate_skip(out, fate, machine_end_name(end));
        return;
    }
    out->undecided = true;
    out->validators = SANITIZERS;
}

/* ---- validating ------------------------------------------------------------------------- */

/* The fate of a program that somebody calls undefined is theirs; usable otherwise. */
static bool validate(struct test *t, enum fate *fate, struct err *e)
{
    struct validation said[VALIDATOR_COUNT];
    struct judge_validate what = {&t->program, t->subject.validators, false, 0};
    phase_end(&t->clock, PHASE_RUN, &t->result);
    if (!judge_validate(&t->w->labs.at[0], &what, &t->w->arena, said, e))
        return false;
    phase_end(&t->clock, PHASE_VALIDATE, &t->result);
    *fate = FATE_USABLE;
    for (unsigned i = 0; i < VALIDATOR_COUNT; i++)
        if (said[i].state == VALIDATION_UNDEFINED)
            *fate = fate_of_validator((enum validator)i);
    return !sys_cancelled() || fail(e, "interrupted");
}

static bool is_about_run(const struct claim *c)
{
    return verdict_info(c->verdict)->subject == SUBJECT_RUN;
}

static void drop_run_claims(struct list *claims)
{
    size_t kept = 0;
    for (size_t i = 0; i < claims->n; i++)
        if (!is_about_run(claims->at[i]))
            claims->at[kept++] = claims->at[i];
    claims->n = kept;
}

bool undecided_validate(struct test *t, struct err *e)
{
    bool mismatch = false;
    for (size_t i = 0; i < t->claims.n; i++)
        mismatch |= is_about_run(t->claims.at[i]);
    if (!t->subject.undecided || t->w->plan.eager || !mismatch)
        return true;
    if (!validate(t, &t->subject.fate, e))
        return false;
    if (t->subject.fate != FATE_USABLE)
        drop_run_claims(&t->claims);
    return true;
}

/* ---- what is expected ------------------------------------------------------------------- */

/* The first that compiles it; o->run_count is 0 when nobody does. */
static bool run_plainly(struct test *t, struct outcome *o, struct err *e)
{
    const struct judge_tools *tools = plan_tools(&t->w->plan, t->lane->target);
    *o = (struct outcome){.kind = OUTCOME_ENVIRONMENT, .message = "no compiler to ask"};
    for (size_t i = 0; i < tools->voter_count && o->kind != OUTCOME_BUILT; i++)
        if (!hunt_try(t, &tools->voters[i], o, e))
            return false;
    return true;
}

static void take_run(const struct outcome_run *run, struct subject *s)
{
    if (run->end == SYS_SIGNALLED) {
        fate_skip(s, FATE_CRASHED, "killed by a signal");
    } else if (run->end != SYS_EXITED) {
        fate_skip(s, FATE_TIMED_OUT, "does not end in time");
    } else {
        text_clear(&s->expect);
        text_add(&s->expect, run->out, run->out_size);
        s->expectation = (struct judge_expectation){.runs = true,
                                                    .out = text_str(&s->expect),
                                                    .out_size = s->expect.n,
                                                    .status = run->code};
    }
}

bool undecided_expect(struct test *t, struct err *e)
{
    struct subject *s = &t->subject;
    struct outcome o;
    if (s->skipped || !s->undecided)
        return true;
    t->program.run_timeout = patience * t->w->plan.run_timeout;
    if (!run_plainly(t, &o, e))
        return false;
    if (o.kind != OUTCOME_BUILT || o.run_count != 1)
        fate_skip(s, FATE_UNDECIDED,
                  arena_printf(&t->w->arena, "nobody compiles it: %s", o.message));
    else
        take_run(&o.runs[0], s);
    enum fate fate = FATE_USABLE;
    if (!s->skipped && t->w->plan.eager && !validate(t, &fate, e))
        return false;
    if (fate != FATE_USABLE)
        fate_skip(s, fate, "undefined");
    return true;
}
