/* One program's way through the hunt, call by call: seed, program, lane, compile and run, judge,
 * name the claim, is it new, evidence, finding.  Runs in a worker; the coordinator is asked one
 * thing only: which claims are new.  False means that our own machine failed us, or that we are to
 * stop: then the task is tested again another time. */
#include "hunt/private.h"

#include <string.h>

/* ---- program ------------------------------------------------------------------------- */

/* A task means the same program for ever. */
static struct rng seed_of(const struct test *t)
{
    struct rng campaign = rng_seed(t->w->plan.seed);
    return rng_fork_at(&campaign, strategy_name(t->task.strategy), t->task.number);
}

static bool write_program(struct test *t, const char *path, struct err *e)
{
    static char *const none[] = {NULL};
    struct worker *w = t->w;
    char **units = NEW_ARRAY(&w->arena, 2, char *);
    units[0] = (char *)path;
    t->program = (struct cc_case){.units = units,
                                  .inputs = none,
                                  .args = none,
                                  .compile_timeout = w->plan.compile_timeout,
                                  .run_timeout = w->plan.run_timeout,
                                  .compile_memory = (uint64_t)4 << 30,
                                  .run_memory = (uint64_t)1 << 30,
                                  .compile_only = t->subject.compile_only};
    return sys_write_file(path, text_str(&t->subject.code), t->subject.code.n, e);
}

/* What a sanitizer has to report has to run, and a compiler that is meant as it was typed, or knows
 * no other machine, makes code for its own. */
static bool can_heed_class(const struct test *t)
{
    const struct plan_config *chosen = &t->w->plan.configs[t->chosen];
    return cc_class_runs(t->task.class) ||
           (t->task.strategy != STRATEGY_SANITIZER && cc_pool_offers(&chosen->pool, t->task.class));
}

/* Programs for machines with a long of 32 bits have that model; nobody executes them. */
static const struct lane *lane_for_class(const struct test *t)
{
    if (!t->lane || !cc_class_is_narrow(t->task.class))
        return t->lane;
    struct lane *narrow = NEW(&t->w->arena, struct lane);
    *narrow = *t->lane;
    narrow->target = lang_target(TARGET_ILP32);
    return narrow;
}

/* What is made for another machine only has to be compiled; whether a compiler that refuses it may
 * do so is not known. */
static void heed_class(struct test *t)
{
    struct subject *s = &t->subject;
    if (cc_class_runs(t->task.class))
        return;
    s->compile_only = true;
    s->undecided = false;
    s->expectation.runs = s->expectation.valid = false;
}

/* t->subject.skipped when there is none. */
static bool make_program(struct test *t, struct err *e)
{
    struct worker *w = t->w;
    char *path = arena_printf(&w->arena, "%s/program.c", w->labs.scratch.path);
    struct source source = {&w->plan, &w->labs.at[0], path};
    struct order order = {.source = &source,
                          .seed = t->rng.key,
                          .number = t->task.number,
                          .lane = lane_for_class(t),
                          .profile = t->task.profile};
    if (!t->lane) {
        fate_skip(&t->subject, FATE_UNMADE, "no compiler whose programs can be predicted");
        return true;
    }
    if (!strategy_make(t->task.strategy, &order, &t->subject, e))
        return false;
    t->size = order.size;
    heed_class(t);
    return t->subject.skipped || write_program(t, path, e);
}

/* ---- compile and run ----------------------------------------------------------------- */

bool hunt_try(struct test *t, const struct cc_config *cc, struct outcome *o, struct err *e)
{
    struct worker *w = t->w;
    if (!cc_try(&w->labs.at[0], cc, &t->program, &w->arena, o, e))
        return false;
    t->result.compiles++;
    t->result.runs += o->run_count;
    bool unrun = o->kind == OUTCOME_NOT_RUN && !t->program.compile_only;
    if ((o->kind == OUTCOME_ENVIRONMENT || unrun) && !sys_cancelled())
        t->result.sick = arena_printf(&w->arena, "%s: %s", cc->text, o->message);
    return !sys_cancelled() || fail(e, "interrupted");
}

/* Of programs that have volatile objects, what is done to them is looked at too: that takes another
 * execution by the machine, and a slow run of what was compiled, both next to nothing beside what
 * compiling takes. */
static void watch_volatiles(struct test *t)
{
    t->accesses = (struct access_plan){.why = "not looked at"};
    if (t->subject.expectation.runs && !t->subject.undecided)
        judge_expect_accesses(&t->w->arena, &t->subject.code, t->lane->target, &t->accesses);
    t->program.watch = t->accesses.watches;
    t->program.watch_count = t->accesses.why ? 0 : t->accesses.watch_count;
    /* what others generate is mostly too long for its automatic objects to be seen */
    if (t->task.strategy == STRATEGY_MISSED && !t->accesses.why && t->accesses.steppable)
        t->program.step = t->accesses.local_count ? CC_STEP_ALL : CC_STEP_LINKED;
}

static bool compile_and_run(struct test *t, struct err *e)
{
    watch_volatiles(t);
    t->outcomes = NEW_ARRAY(&t->w->arena, t->n, struct outcome);
    for (size_t i = 0; i < t->n; i++)
        if (!hunt_try(t, &t->picks[i].drawn.config, &t->outcomes[i], e))
            return false;
    return true;
}

/* ---- is it new? ---------------------------------------------------------------------- */

/* Names those that are not known; those that turn out to be none go. */
static bool name_claims(struct test *t, struct err *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < t->claims.n; i++) {
        struct claim *c = t->claims.at[i];
        if (!c->known && !claim_name(t, c, e))
            return false;
        if (*c->culprit)
            recognise_learn(t, c);
        if (c->verdict != VERDICT_NONE)
            t->claims.at[kept++] = c;
    }
    t->claims.n = kept;
    return true;
}

/* Asks the coordinator. */
static bool ask(struct test *t, struct list *fresh, struct err *e)
{
    struct message question = {.type = MESSAGE_ASK}, answer = {0};
    struct text bytes = {0};
    for (size_t i = 0; i < t->claims.n; i++) {
        const struct claim *c = t->claims.at[i];
        if (c->key)
            list_add(&t->w->arena, &question.keys, (char *)c->key);
    }
    if (!question.keys.n)
        return true;
    bool ok = message_send(&t->w->boss, &question) && sys_peer_receive(&t->w->boss, &bytes) &&
              message_decode(&t->w->arena, &bytes, &answer) && answer.type == MESSAGE_ANSWER;
    text_free(&bytes);
    *fresh = answer.keys;
    return ok || fail(e, "interrupted");
}

static bool contains(const struct list *keys, const char *key)
{
    for (size_t i = 0; i < keys->n; i++)
        if (strcmp(keys->at[i], key) == 0)
            return true;
    return false;
}

/* Is there somebody who need not be named? */
static bool recognise_claims(struct test *t, struct err *e)
{
    struct list wanted = {0};
    for (size_t i = 0; i < t->claims.n; i++)
        if (!recognise_claim(t, t->claims.at[i], e))
            return false;
    if (!ask(t, &wanted, e))
        return false;
    for (size_t i = 0; i < t->claims.n; i++) {
        struct claim *c = t->claims.at[i];
        c->known = c->key && !contains(&wanted, c->key);
        if (!c->known)
            c->culprit = "";
    }
    return true;
}

/* ---- finding ------------------------------------------------------------------------- */

/* What the compiler, or the program, did. */
struct finding_seen hunt_see(const struct outcome *o)
{
    enum { MOST = 1 << 20 };
    const struct outcome_run *run = o->run_count ? &o->runs[0] : NULL;
    size_t n = run && run->out_size < MOST ? run->out_size : run ? MOST : 0;
    return (struct finding_seen){.end = run ? run->words : outcome_info(o->kind)->phrase,
                                 .output = {run ? run->out : "", n},
                                 .message = o->message,
                                 .compile_seconds = o->compile_cpu,
                                 .compile_megabytes = (double)o->compile_memory / 1e6};
}

static struct finding_subject subject_of(const struct test *t)
{
    const struct subject *s = &t->subject;
    return (struct finding_subject){.strategy = strategy_name(t->task.strategy),
                                    .number = t->task.number,
                                    .origin = text_str(&s->origin),
                                    .target = plan_target_name(t->lane->target),
                                    .program = {text_str(&s->code), s->code.n},
                                    .expected = {text_str(&s->expect), s->expect.n},
                                    .original = {text_str(&s->original), s->original.n},
                                    .compile_only = s->compile_only,
                                    .runs = s->expectation.runs,
                                    .valid = s->expectation.valid,
                                    .status = s->expectation.status,
                                    .undefined = s->expectation.undefined};
}

static struct finding_again how_to_show(const struct test *t, const struct cc_config *cc)
{
    struct arena *a = &t->w->arena;
    struct text emulator = {0};
    char *units[] = {"program.c", NULL};
    struct cc_case typed = t->program;
    typed.units = units;
    str_join_command(&emulator, cc->emulator);
    const char *output = t->subject.compile_only ? "program.o" : "program";
    struct finding_again again = {.command = cc_plain_command(a, cc, &typed, output),
                                  .emulator = arena_string(a, text_str(&emulator)),
                                  .run_timeout = t->program.run_timeout,
                                  .compile_timeout = t->program.compile_timeout};
    text_free(&emulator);
    return again;
}

/* Its program is as small as it gets already, and who does better is known. */
static void keep_as_small(const struct claim *c, struct finding *f)
{
    f->seen.message = c->outcome.message;
    f->missed = c->missed;
    f->reduced = (struct finding_reduced){.program = f->subject.program,
                                          .expected = {"", 0},
                                          .bytes = f->subject.program.n,
                                          .complete = true,
                                          .why = "",
                                          .grade = f->evidence.grade,
                                          .seen = f->seen};
    for (size_t i = 0; i < f->subject.program.n; i++)
        f->reduced.lines += f->subject.program.s[i] == '\n';
    f->triage = f->bug = "";
    f->named = true;
}

static struct finding describe(const struct test *t, const struct claim *c,
                               const struct evidence *ev, const struct list *affected)
{
    const struct plan_config *p = &t->w->plan.configs[c->pick.config];
    const struct cc_config *cc = &c->pick.drawn.config;
    struct finding f = {.claim = {.key = c->key,
                                  .verdict = c->verdict,
                                  .config = cc->text,
                                  .compiler = cc->argv[0],
                                  .family = p->family,
                                  .version = p->version,
                                  .levels = c->levels,
                                  .signature = c->signature,
                                  .limit = c->limit,
                                  .affected = *affected},
                        .evidence = {.grade = ev->grade},
                        .subject = subject_of(t),
                        .seen = hunt_see(ev->outcome.message ? &ev->outcome : &c->outcome),
                        .again = how_to_show(t, cc),
                        .blame = {.pass = c->culprit,
                                  .detail = c->culprit_detail,
                                  .wrong = c->wrong,
                                  .done = *c->culprit != '\0'}};
    memcpy(f.evidence.rungs, ev->rungs, sizeof f.evidence.rungs);
    if (c->missed.identity)
        keep_as_small(c, &f);
    return f;
}

static bool gather(struct test *t, const struct claim *c, struct evidence *ev, struct err *e)
{
    struct judge_claim claim = claim_to_judge(t, c);
    claim.show = true;
    return judge_gather(&t->w->labs.at[0], plan_tools(&t->w->plan, claim.target), &claim,
                        &t->w->arena, ev, e);
}

/* Does the loader alone show it, which fills the stack? */
static bool needs_filled_stack(const struct claim *c, const struct evidence *ev)
{
    bool run = verdict_info(c->verdict)->subject == SUBJECT_RUN &&
               !judge_is_about_volatiles(c->verdict);
    return run && c->outcome.loaded && ev->rungs[RUNG_REPEATS].state == RUNG_HOLDS &&
           ev->rungs[RUNG_PLAIN].state == RUNG_BROKEN;
}

static struct text keep(struct arena *a, struct text *t)
{
    struct text kept = {.s = arena_copy(a, text_str(t), t->n), .n = t->n};
    text_free(t);
    return kept;
}

/* The same with a program that fills its stack itself: what a compiled program reads there was
 * written by nobody, and where the machine vouches for it, the compiler is to blame.  *t is the
 * test of that program when that is so. */
static bool fill_stack(struct test *t, const struct claim *c, struct evidence *ev, struct err *e)
{
    struct arena *a = &t->w->arena;
    struct test filled = *t;
    struct evidence own;
    struct text code = {0}, origin = {0};
    char **units = NEW_ARRAY(a, 2, char *);
    units[0] = arena_printf(a, "%s/filled.c", t->w->labs.scratch.path);
    if (!judge_fill_stack(text_str(&t->subject.code), t->subject.code.n, t->lane->target, &code))
        return true;
    text_printf(&origin, "%s, on a stack that is filled", text_str(&t->subject.origin));
    filled.program.units = units;
    filled.subject.code = keep(a, &code);
    filled.subject.origin = keep(a, &origin);
    if (!sys_write_file(units[0], filled.subject.code.s, filled.subject.code.n, e) ||
        !gather(&filled, c, &own, e))
        return false;
    if (own.grade < GRADE_CHANCE && own.rungs[RUNG_MACHINE].state == RUNG_HOLDS) {
        *t = filled;
        *ev = own;
    }
    return true;
}

/* A new claim: is it true? */
static bool investigate(struct test *t, const struct claim *c, struct finding *out, struct err *e)
{
    struct test shown = *t;
    struct list affected = {0};
    struct evidence ev;
    bool ok = gather(t, c, &ev, e) &&
              (!needs_filled_stack(c, &ev) || fill_stack(&shown, c, &ev, e)) &&
              (ev.grade == GRADE_CHANCE || claim_find_affected(&shown, c, &affected, e));
    if (!ok)
        return false;
    t->result = shown.result;
    *out = describe(&shown, c, &ev, &affected);
    return !sys_cancelled() || fail(e, "interrupted");
}

/* Known claims are counted, and their programs kept. */
static bool settle_claims(struct test *t, struct err *e)
{
    struct list fresh = {0};
    if (!recognise_claims(t, e) || !name_claims(t, e))
        return false;
    if (!t->claims.n)
        return true;
    if (!ask(t, &fresh, e))
        return false;
    t->result.findings = NEW_ARRAY(&t->w->arena, t->claims.n, struct finding);
    for (size_t i = 0; i < t->claims.n; i++) {
        const struct claim *c = t->claims.at[i];
        struct finding *f = &t->result.findings[t->result.n++];
        if (!contains(&fresh, c->key))
            *f = (struct finding){.claim = {.key = c->key, .config = c->pick.drawn.config.text},
                                  .subject = subject_of(t)};
        else if (!investigate(t, c, f, e))
            return false;
    }
    return true;
}

/* ---- the whole way ------------------------------------------------------------------- */

bool hunt_test(struct test *t, struct err *e)
{
    phase_begin(&t->clock);
    t->rng = seed_of(t);
    t->lane = lane_choose(&t->w->plan, &t->w->arena, t->rng, strategy_runs(t->task.strategy),
                          &t->chosen);
    if (t->lane && !can_heed_class(t))
        t->task.class = CC_CLASS_PLAIN;
    if (!make_program(t, e))
        return false;
    phase_end(&t->clock, PHASE_MAKE, &t->result);
    bool ok = undecided_expect(t, e);
    t->result.skipped = t->subject.skipped != NULL;
    if (ok && !t->result.skipped) {
        ok = lane_choose_configs(t, e) && planted_sanitize(t, e);
        t->result.skipped = ok && t->n == 0; /* nobody has the sanitizer that it is for */
    }
    if (ok && !t->result.skipped)
        ok = compile_and_run(t, e) && claim_find(t, e) && undecided_validate(t, e) &&
             claim_find_rare(t, e) && claim_find_missed(t, e) && settle_claims(t, e);
    phase_end(&t->clock, PHASE_RUN, &t->result);
    t->result.fate = t->subject.fate;
    t->result.why = t->subject.skipped ? t->subject.skipped : "";
    t->result.bytes = t->result.compiles * t->subject.code.n;
    return ok;
}
