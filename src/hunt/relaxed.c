/* Relaxed programs in a campaign: ours and Csmith's without the checks that they did not need, and
 * with what careful generators avoid.  The machine has executed the very text that is handed on; of
 * programs that are only compiled it knows nothing. */
#include "hunt/private.h"

#include "front/front.h"
#include "machine/machine.h"
#include "vary/vary.h"

#include <string.h>

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

enum { EVERY = (1 << RELAXATION_COUNT) - 1 };

/* What only GNU C has is not made where somebody does not read it. */
static struct relax_plan plan_for(const struct order *o, enum relax_mode mode)
{
    struct relax_plan plan = relax_plan_draw(o->seed, mode, EVERY);
    if (!source_reads_gnu(o))
        plan.form = RELAX_FUNCTIONS;
    return plan;
}

/* Without an execution (NULL) nothing is known of the program, and what is drawn is kept. */
static void write_relaxed(struct program *p, const struct machine_execution *x,
                          const struct relax_plan *plan, struct subject *out)
{
    struct arena a = {0};
    struct relax_result result;
    struct machine_options run = {.fuel = SOURCE_FUEL, .stop = sys_cancelled};
    struct vary_facts *facts = vary_facts_new(p);
    if (x)
        vary_facts_add_run(facts, p, x->machine, 0);
    struct vary *v = vary_open(p, facts);
    struct relax_request request = {.vary = v, .run = &run, .plan = *plan, .crash = !x};
    if (x) {
        request.output = &x->run->output;
        request.status = x->run->status;
        request.steps = x->run->steps;
    }
    relax_program(&a, &request, &result);
    out->validators |= relax_validators(&result);
    lang_print(p, NULL, 0, &out->original);
    text_clear(&out->code);
    lang_print(p, result.edits, result.count, &out->code);
    text_clear(&out->expect);
    text_add(&out->expect, text_str(&result.output), result.output.n);
    out->expectation = (struct judge_expectation){.runs = x != NULL, .status = result.status};
    text_free(&result.output);
    vary_close(v);
    vary_facts_free(facts);
    arena_free(&a);
}

/* The text that compilers get is executed as it stands. */
static void confirm(const struct order *o, struct subject *out)
{
    struct front_options options = {.target = o->lane->target, .file = o->source->path};
    struct unit u = front_parse(text_str(&out->code), out->code.n, &options);
    struct machine_unit unit = {.program = u.program};
    struct machine_options run = {.fuel = SOURCE_FUEL, .stop = sys_cancelled, .steady = true};
    if (u.error_count) {
        fate_skip(out, FATE_UNMADE, "not read");
    } else if (!out->compile_only && !out->undecided) {
        struct machine_execution x = machine_execute(&unit, 1, &run);
        if (!x.defined || x.run->status != out->expectation.status ||
            strcmp(text_str(&x.run->output), text_str(&out->expect)) != 0)
            fate_skip(out, FATE_UNMADE, "not what was executed");
        machine_execution_free(&x);
    }
    lang_program_free(u.program);
}

/* What the machine cannot tell is relaxed nevertheless, but for what nobody else sees.  One that
 * does not end is not: blindly relaxed, it hardly ever does, or crashes. */
static void leave_undecided(enum machine_end end, struct relax_plan *plan, struct subject *out)
{
    plan->probability[RELAXATION_CONFLICT] = 0;
    if (end == MACHINE_FUEL)
        fate_skip(out, FATE_TIMED_OUT, "does not end in time");
    else
        undecided_take(out, end);
}

static void relax_text(const struct order *o, struct relax_plan *plan, bool blind,
                       struct subject *out)
{
    struct front_options options = {.target = o->lane->target, .file = o->source->path};
    struct unit u = front_parse(text_str(&out->code), out->code.n, &options);
    struct machine_unit unit = {.program = u.program};
    struct machine_options run = {.fuel = SOURCE_FUEL, .stop = sys_cancelled, .values = true};
    struct machine_execution x = {0};
    if (u.error_count)
        fate_skip(out, FATE_UNMADE, "not read");
    else if (!blind && !(x = machine_execute(&unit, 1, &run)).defined)
        leave_undecided(x.why->end, plan, out);
    if (!out->skipped)
        write_relaxed(u.program, x.defined ? &x : NULL, plan, out);
    machine_execution_free(&x);
    lang_program_free(u.program);
}

void source_relax(const struct order *o, bool crash, struct subject *out)
{
    out->compile_only = crash;
    out->undecided = out->undecided && !crash;
    if (out->unread)
        return;
    struct relax_plan plan = plan_for(o, crash ? RELAX_CRASH : RELAX_MISCOMPILE);
    if (out->undecided)
        plan.probability[RELAXATION_CONFLICT] = 0; /* nobody but the machine sees them */
    relax_text(o, &plan, crash || out->undecided, out);
    if (!out->skipped)
        confirm(o, out);
    text_puts(&out->origin, ", relaxed by '");
    relax_plan_print(&plan, &out->origin);
    text_puts(&out->origin, "'");
}

bool make_RELAX(const struct order *o, struct subject *out, struct err *e)
{
    bool ok = make_RUN(o, out, e);
    if (ok && !out->skipped)
        source_relax(o, false, out);
    return ok;
}

bool make_CSMITH_RELAX(const struct order *o, struct subject *out, struct err *e)
{
    bool ok = source_csmith(o, out, e);
    if (ok && !out->skipped && !o->source->plan->machine)
        undecided_take(out, MACHINE_UNSUPPORTED);
    out->validators = 0; /* what Csmith writes is defined before it is relaxed */
    if (ok && !out->skipped)
        source_relax(o, false, out);
    return ok;
}

/* Whether it ends, or is defined, does not matter here. */
bool make_CSMITH_CRASH(const struct order *o, struct subject *out, struct err *e)
{
    bool ok = source_csmith(o, out, e);
    if (ok && !out->skipped)
        source_relax(o, true, out);
    return ok;
}
