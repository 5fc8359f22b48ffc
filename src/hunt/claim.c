/* Claims: which configuration has to answer for what it did with the program, and what is taken to
 * be the same bug.  A crash is its signature within the compiler's family, a rejection the shape of
 * its message, wrong code the flags and levels at which it happens.  Flags that do not matter are
 * taken away first. */
#include "hunt/private.h"

#include "triage/triage.h"

#include <string.h>

/* ---- finding them -------------------------------------------------------------------- */

static bool is_run(enum verdict v)
{
    return v != VERDICT_NONE && verdict_info(v)->subject == SUBJECT_RUN;
}

static const char *family_of(const struct test *t, const struct pick *p)
{
    return t->w->plan.configs[p->config].family;
}

/* What another configuration of the same family is already accused of on this program is one bug
 * until shown otherwise; the newest version has to answer for it. */
static struct claim *claim_like(struct test *t, const struct pick *p, enum verdict v,
                                const char *signature)
{
    for (size_t i = 0; i < t->claims.n; i++) {
        struct claim *c = t->claims.at[i];
        bool alike = c->verdict == v ||
                     (is_run(c->verdict) && is_run(v) &&
                      judge_is_about_volatiles(c->verdict) == judge_is_about_volatiles(v));
        if (alike && strcmp(family_of(t, &c->pick), family_of(t, p)) == 0 &&
            strcmp(c->signature, signature) == 0)
            return c;
    }
    return NULL;
}

static struct claim *add_claim(struct test *t, const struct pick *p, enum verdict v,
                               const struct outcome *o)
{
    struct arena *a = &t->w->arena;
    const char *signature = v == VERDICT_SANITIZER_SILENT ? t->subject.expectation.undefined
                                                          : verdict_info(v)->signature(a, o);
    struct claim *c = claim_like(t, p, v, signature);
    if (!c)
        list_add(a, &t->claims, c = NEW(a, struct claim));
    else if (p->config < c->pick.config)
        return c;
    *c = (struct claim){.pick = *p,
                        .verdict = v,
                        .signature = signature,
                        .levels = p->drawn.level,
                        .culprit = "",
                        .culprit_detail = "",
                        .wrong = "",
                        .outcome = *o};
    return c;
}

/* Seconds and bytes of CPU and memory from which a compilation may be out of line. */
static const double slow_floor = 3.0, large_floor = 1e9;

/* Compiles with others of the lane, until there is enough to compare with. */
static bool try_others(struct test *t, const struct pick *accused, double *seconds, double *bytes,
                       size_t wanted, size_t *n, struct err *e)
{
    struct cc_case whole = t->program;
    bool ok = true;
    t->program.compile_only = true;
    for (size_t i = 0; ok && i < t->lane->n && *n < wanted; i++) {
        size_t k = t->lane->configs[i];
        const struct plan_config *other = &t->w->plan.configs[k];
        struct cc_config config = other->cc;
        struct outcome o;
        if (k == accused->config)
            continue;
        ok = (!other->pool.n || cc_compose(&t->w->arena, &other->cc, "-O2", NULL, 0, &config, e)) &&
             hunt_try(t, &config, &o, e);
        if (ok && o.kind == OUTCOME_BUILT) {
            seconds[*n] = o.compile_cpu;
            bytes[(*n)++] = (double)o.compile_memory;
        }
    }
    t->program = whole;
    return ok;
}

/* Flags such as forced vector widths ask for more work: that takes longer, and is nobody's fault.
 */
static bool asks_for_work(const struct test *t, const struct pick *p)
{
    if (p->drawn.config.sanitized) /* what it puts in is compiled, too */
        return true;
    return t->w->plan.configs[p->config].pool.n && t->task.class != CC_CLASS_PLAIN &&
           t->task.class != CC_CLASS_ARCH;
}

/* Compile time and memory against other configurations of this program. */
static bool find_extremes(struct test *t, size_t i, struct err *e)
{
    enum { ENOUGH = 3 };
    double seconds[ENOUGH], bytes[ENOUGH];
    size_t n = 0;
    const struct outcome *o = &t->outcomes[i];
    const struct pick *p = &t->picks[i];
    if (o->kind != OUTCOME_BUILT || asks_for_work(t, p) ||
        (o->compile_cpu < slow_floor && (double)o->compile_memory < large_floor))
        return true;
    if (!try_others(t, p, seconds, bytes, ENOUGH, &n, e))
        return false;
    if (judge_is_out_of_line(o->compile_cpu, seconds, n, slow_floor))
        add_claim(t, p, VERDICT_SLOW_COMPILE, o)->limit = o->compile_cpu / 3;
    if (judge_is_out_of_line((double)o->compile_memory, bytes, n, large_floor))
        add_claim(t, p, VERDICT_LARGE_COMPILE, o)->limit = (double)o->compile_memory / 2;
    return true;
}

/* Does anybody else compile it in the usual time?  True when there is nobody to ask. */
static bool is_compiled_elsewhere(struct test *t, const struct pick *accused, bool *compiles,
                                  struct err *e)
{
    const struct judge_tools *tools = plan_tools(&t->w->plan, t->lane->target);
    double seconds, bytes;
    size_t n = 0;
    struct outcome o = {.kind = OUTCOME_HANG};
    if (!try_others(t, accused, &seconds, &bytes, 1, &n, e))
        return false;
    for (size_t i = 0; !n && i < tools->voter_count && o.kind != OUTCOME_BUILT; i++)
        if (!hunt_try(t, &tools->voters[i], &o, e))
            return false;
    *compiles = n || o.kind == OUTCOME_BUILT || (t->lane->n == 1 && !tools->voter_count);
    return true;
}

static const double patience = 10;

/* A compiler that was cut off is given much longer, once, if others compile the program: it may
 * only be slow.  Later looks at the claim take the usual time. */
static bool confirm_compiler_hang(struct test *t, size_t i, enum verdict *v, struct err *e)
{
    bool elsewhere;
    if (*v != VERDICT_COMPILER_HANG)
        return true;
    if (!is_compiled_elsewhere(t, &t->picks[i], &elsewhere, e))
        return false;
    if (!elsewhere) {
        *v = VERDICT_NONE;
        return true;
    }
    double usual = t->program.compile_timeout;
    t->program.compile_timeout = patience * usual;
    bool ok = hunt_try(t, &t->picks[i].drawn.config, &t->outcomes[i], e);
    t->program.compile_timeout = usual;
    *v = judge_verdict(&t->outcomes[i], &t->subject.expectation);
    return ok;
}

/* Programs get little time, since nearly all need none: one that was cut off is given more before
 * it is believed.  From then on the test gives that much. */
static bool confirm_hang(struct test *t, size_t i, enum verdict *v, struct err *e)
{
    if (*v != VERDICT_PROGRAM_HANG)
        return true;
    t->program.run_timeout = patience * t->w->plan.run_timeout;
    if (!hunt_try(t, &t->picks[i].drawn.config, &t->outcomes[i], e))
        return false;
    *v = judge_verdict(&t->outcomes[i], &t->subject.expectation);
    if (*v == VERDICT_NONE)
        t->program.run_timeout = t->w->plan.run_timeout;
    return true;
}

/* Does it do wrong with its volatile objects, though all else is right? */
static enum verdict find_volatile(struct test *t, struct outcome *o)
{
    struct access_judgement j;
    if (!o->trace)
        return VERDICT_NONE;
    access_compare(&t->w->arena, &t->accesses, o->trace, &j);
    enum verdict v = judge_access_verdict(&j);
    if (v != VERDICT_NONE)
        o->message = judge_explain_accesses(&t->w->arena, &t->accesses, &j);
    return v;
}

bool claim_find(struct test *t, struct err *e)
{
    for (size_t i = 0; i < t->n; i++) {
        enum verdict v = judge_verdict(&t->outcomes[i], &t->subject.expectation);
        bool excused = (v == VERDICT_COMPILER_HANG || v == VERDICT_LARGE_COMPILE) &&
                       asks_for_work(t, &t->picks[i]);
        if (!excused && (!confirm_compiler_hang(t, i, &v, e) || !confirm_hang(t, i, &v, e)))
            return false;
        if (v == VERDICT_NONE)
            v = find_volatile(t, &t->outcomes[i]);
        if (v != VERDICT_NONE && !excused)
            add_claim(t, &t->picks[i], v, &t->outcomes[i]);
        else if (!find_extremes(t, i, e))
            return false;
    }
    return true;
}

struct judge_claim claim_to_judge(const struct test *t, const struct claim *c)
{
    const struct plan_config *p = &t->w->plan.configs[c->pick.config];
    return (struct judge_claim){.config = &c->pick.drawn.config,
                                .verdict = c->verdict,
                                .signature = c->signature,
                                .program = &t->program,
                                .expect = &t->subject.expectation,
                                /* what is only compiled may be of any model */
                                .target = p->target ? p->target : lang_target(TARGET_LP64),
                                .limit = c->limit};
}

/* Looks at one of the configurations for what one outcome does not show. */
static bool look_for(struct test *t, enum verdict v, const char *stream, unsigned percent,
                     struct err *e)
{
    struct rng r = rng_fork(&t->rng, stream);
    struct worker *w = t->w;
    size_t i = (size_t)rng_below(&r, t->n);
    struct claim suspicion = {.pick = t->picks[i], .verdict = v, .signature = ""};
    struct judge_claim claim = claim_to_judge(t, &suspicion);
    struct outcome o;
    bool holds = false;
    if (!rng_chance(&r, percent) || t->outcomes[i].kind != OUTCOME_BUILT ||
        !judge_can_compare_objects(claim.config))
        return true;
    if (!judge_again(&w->labs.at[0], &claim, &w->arena, &o, &holds, e))
        return false;
    t->result.compiles += 2;
    if (holds)
        add_claim(t, &t->picks[i], v, &t->outcomes[i]);
    return true;
}

bool claim_find_rare(struct test *t, struct err *e)
{
    enum { UNSTABLE_PERCENT = 10, DEBUG_PERCENT = 4 };
    /* only those whose flags we know promise that; what is left to a linker may differ */
    bool promises = t->w->plan.configs[t->picks[0].config].pool.n > 0 &&
                    cc_class_runs(t->task.class);
    return look_for(t, VERDICT_UNSTABLE_CODE, "unstable", UNSTABLE_PERCENT, e) &&
           look_for(t, VERDICT_DEBUG_CODE, "debug", promises ? DEBUG_PERCENT : 0, e);
}

/* ---- what matters of a configuration -------------------------------------------------- */

/* Does the claim hold of this pick too?  Then it is the pick's from now on. */
static bool holds_of(struct test *t, struct claim *c, const struct pick *p, bool *holds,
                     struct err *e)
{
    struct claim trial = *c;
    struct worker *w = t->w;
    struct outcome o;
    trial.pick = *p;
    struct judge_claim claim = claim_to_judge(t, &trial);
    if (!judge_again(&w->labs.at[0], &claim, &w->arena, &o, holds, e))
        return false;
    t->result.compiles++;
    if (*holds) {
        c->pick = *p;
        if (!c->missed.identity) /* which says who does better */
            c->outcome = o;
    }
    return !sys_cancelled() || fail(e, "interrupted");
}

/* The pick of the same compiler, or of another one, with some of its flags. */
static bool recompose(struct test *t, const struct pick *p, size_t config, const char *level,
                      struct pick *out, struct err *e)
{
    *out = *p;
    out->config = config;
    out->drawn.level = level;
    return cc_compose(&t->w->arena, &t->w->plan.configs[config].cc, level, out->drawn.flags,
                      out->drawn.n, &out->drawn.config, e);
}

/* The claim's pick without flag i; all of them when i is the number of flags. */
static bool without(struct test *t, const struct pick *p, size_t i, struct pick *out, struct err *e)
{
    struct pick fewer = *p;
    fewer.drawn.flags = NEW_ARRAY(&t->w->arena, p->drawn.n + 1, const char *);
    fewer.drawn.n = 0;
    for (size_t k = 0; k < p->drawn.n && i < p->drawn.n; k++)
        if (k != i)
            fewer.drawn.flags[fewer.drawn.n++] = p->drawn.flags[k];
    return recompose(t, &fewer, p->config, p->drawn.level, out, e);
}

bool claim_holds_with(struct test *t, const struct claim *c, const char *flag, bool *holds,
                      struct err *e)
{
    struct claim trial = *c;
    struct pick more = c->pick;
    const char **flags = NEW_ARRAY(&t->w->arena, more.drawn.n + 1, const char *);
    memcpy(flags, more.drawn.flags, more.drawn.n * sizeof *flags);
    flags[more.drawn.n++] = flag;
    more.drawn.flags = flags;
    return recompose(t, &more, more.config, more.drawn.level, &more, e) &&
           holds_of(t, &trial, &more, holds, e);
}

/* All flags at once, then one by one. */
static bool drop_flags(struct test *t, struct claim *c, struct err *e)
{
    struct pick fewer;
    bool holds;
    if (!c->pick.drawn.n)
        return true;
    if (!without(t, &c->pick, c->pick.drawn.n, &fewer, e) || !holds_of(t, c, &fewer, &holds, e))
        return false;
    for (size_t i = 0; i < c->pick.drawn.n && c->pick.drawn.n > 1;) {
        if (!without(t, &c->pick, i, &fewer, e) || !holds_of(t, c, &fewer, &holds, e))
            return false;
        i += !holds;
    }
    return true;
}

/* The newest version of the family that shows it has to answer for it. */
static bool find_newest(struct test *t, struct claim *c, struct err *e)
{
    const struct plan *p = &t->w->plan;
    const struct plan_config *accused = &p->configs[c->pick.config];
    bool holds = false;
    for (size_t i = t->lane->n; i-- > 0 && !holds && accused->pool.n;) {
        size_t k = t->lane->configs[i];
        struct pick other;
        if (k <= c->pick.config || strcmp(p->configs[k].family, accused->family) != 0 ||
            !p->configs[k].pool.n)
            continue;
        if (!recompose(t, &c->pick, k, c->pick.drawn.level, &other, e) ||
            !holds_of(t, c, &other, &holds, e))
            return false;
    }
    return true;
}

/* ---- naming them --------------------------------------------------------------------- */

/* The configurations in which the accused differs only in its level: struct pick. */
static bool list_levels(struct test *t, const struct claim *c, struct list *out, struct err *e)
{
    const struct plan *p = &t->w->plan;
    const struct plan_config *accused = &p->configs[c->pick.config];
    struct arena *a = &t->w->arena;
    for (size_t i = 0; i < accused->pool.n; i++) {
        struct pick *level = NEW(a, struct pick);
        if (accused->pool.at[i].kind != CC_FLAG_LEVEL)
            continue;
        if (!recompose(t, &c->pick, c->pick.config, accused->pool.at[i].text, level, e))
            return false;
        list_add(a, out, level);
    }
    for (size_t i = 0; i < t->lane->n && !accused->pool.n; i++) {
        size_t k = t->lane->configs[i];
        const struct cc_config *cc = &p->configs[k].cc;
        struct pick *level = NEW(a, struct pick);
        *level = (struct pick){k, {.config = *cc, .level = cc->level}};
        if (strcmp(cc->compiler, accused->cc.compiler) == 0)
            list_add(a, out, level);
    }
    return true;
}

/* All levels of the accused compiler that show it. */
static bool find_levels(struct test *t, struct claim *c, struct err *e)
{
    struct list levels = {0};
    struct text names = {0};
    bool ok = list_levels(t, c, &levels, e);
    for (size_t i = 0; ok && i < levels.n; i++) {
        const struct pick *p = levels.at[i];
        struct claim trial = *c;
        bool holds = true;
        if (strcmp(p->drawn.level, c->pick.drawn.level) != 0)
            ok = holds_of(t, &trial, p, &holds, e);
        if (ok && holds)
            text_printf(&names, "%s%s", names.n ? " " : "", p->drawn.level);
    }
    c->levels = arena_string(&t->w->arena, text_str(&names));
    text_free(&names);
    return ok;
}

/* What is left of the flags, "" for none. */
static const char *flags_of(struct test *t, const struct pick *p)
{
    struct text out = {0};
    for (size_t i = 0; i < p->drawn.n; i++)
        text_printf(&out, " %s", p->drawn.flags[i]);
    const char *copy = arena_string(&t->w->arena, text_str(&out));
    text_free(&out);
    return copy;
}

/* A rejection that goes when the flags do is about the flags: they exclude each other. */
static bool dismiss_refusal(struct test *t, struct claim *c, struct err *e)
{
    struct pick plain;
    struct claim trial = *c;
    bool holds;
    if (c->verdict != VERDICT_REJECTS_VALID || !c->pick.drawn.n)
        return true;
    if (!without(t, &c->pick, c->pick.drawn.n, &plain, e) ||
        !holds_of(t, &trial, &plain, &holds, e))
        return false;
    if (!holds)
        c->verdict = VERDICT_NONE;
    return true;
}

/* What happens to the smallest program too is about the flags: they exclude each other. */
static bool dismiss_exclusion(struct test *t, struct claim *c, struct err *e)
{
    static const char smallest[] = "int main(void)\n{\n    return 0;\n}\n";
    struct worker *w = t->w;
    char *path = arena_printf(&w->arena, "%s-smallest.c", w->labs.at[0].dir);
    char *units[] = {path, NULL};
    struct cc_case program = t->program;
    struct judge_claim claim = claim_to_judge(t, c);
    struct outcome o;
    bool holds;
    if (is_run(c->verdict) || !c->pick.drawn.n)
        return true;
    program.units = units;
    claim.program = &program;
    if (!sys_write_file(path, smallest, strlen(smallest), e) ||
        !judge_again(&w->labs.at[0], &claim, &w->arena, &o, &holds, e))
        return false;
    t->result.compiles++;
    if (holds)
        c->verdict = VERDICT_NONE;
    return true;
}

/* For another machine clang links with the libraries of its gcc, which lack what some of its code
 * calls (__muloti4, __atomic_load_4): no mistake in its code.  And with these flags, does not even
 * the program that tells the data model run on the emulator?  Then they make what it, or its
 * dynamic loader, cannot do. */
static bool dismiss_emulation(struct test *t, struct claim *c, struct err *e)
{
    const struct cc_config *config = &c->pick.drawn.config;
    struct judge_model model;
    if (config->emulator[0] && c->outcome.kind == OUTCOME_LINK_FAILED)
        c->verdict = VERDICT_NONE;
    if (!is_run(c->verdict) || !config->emulator[0])
        return true;
    if (!judge_learn_model(&t->w->labs.at[0], config, &t->w->arena, &model, e))
        return false;
    t->result.compiles++;
    if (model.target != t->w->plan.configs[c->pick.config].target)
        c->verdict = VERDICT_NONE;
    return true;
}

/* Where no pass can be named: which expression goes wrong first. */
static bool find_first_wrong(struct test *t, struct claim *c, const struct judge_claim *claim,
                             struct err *e)
{
    struct triage_job job = {.lab = &t->w->labs.at[0], .claim = claim};
    struct triage_first first;
    if (!triage_find_first(&job, &t->w->arena, &first, e))
        return false;
    t->result.compiles += first.compiles;
    if (*first.shape)
        c->culprit = first.shape;
    c->wrong = first.source;
    return true;
}

static bool is_plain(const struct cc_config *config)
{
    return !*config->level || strcmp(config->level, "-O0") == 0;
}

/* Which pass is to blame, where the compiler lets us ask; without optimisation, and where it does
 * not, which expression goes wrong first. */
static bool find_culprit(struct test *t, struct claim *c, struct err *e)
{
    enum { MOST = 40 };
    const struct cc_config *config = &c->pick.drawn.config;
    struct judge_claim claim = claim_to_judge(t, c);
    struct triage_job job = {
        .lab = &t->w->labs.at[0], .claim = &claim, .most = MOST, .roughly = true};
    struct triage_blame blame = {.pass = "", .detail = ""};
    bool runs = is_run(c->verdict);
    if (!runs && c->verdict != VERDICT_LOST_CALL && c->verdict != VERDICT_INITIAL_CODE)
        return true;
    if (triage_can_ask(config) && !is_plain(config) && !triage_blame(&job, &t->w->arena, &blame, e))
        return false;
    t->result.compiles += blame.compiles;
    c->culprit = blame.pass;
    c->culprit_detail = blame.detail;
    bool named = blame.method != METHOD_NONE && blame.method != METHOD_LEVEL;
    if (!named && runs && !find_first_wrong(t, c, &claim, e))
        return false;
    return !sys_cancelled() || fail(e, "interrupted");
}

/* The same for what is taken to be the same bug.  What is known best of it counts: how the compiler
 * failed, which pass is to blame, or else the levels and flags.  Of a compiler whose configurations
 * are drawn all versions share their bugs. */
const char *claim_key(struct test *t, const struct claim *c)
{
    struct arena *a = &t->w->arena;
    const struct plan_config *accused = &t->w->plan.configs[c->pick.config];
    const struct verdict_info *v = verdict_info(c->verdict);
    const char *who = accused->pool.n ? accused->family : accused->cc.compiler;
    bool leveled = v->subject != SUBJECT_CODE && *c->levels;
    if (*c->signature)
        return arena_printf(a, "%s %s: %s", v->name, accused->family, c->signature);
    if (*c->culprit)
        return arena_printf(a, "%s %s: %s",
                            judge_is_about_volatiles(c->verdict) || !is_run(c->verdict)
                                ? v->name
                                : verdict_info(VERDICT_WRONG_CODE)->name,
                            who, c->culprit);
    return arena_printf(a, "%s %s%s%s%s", v->name, who, leveled ? " " : "",
                        leveled ? c->levels : "", flags_of(t, &c->pick));
}

bool claim_name(struct test *t, struct claim *c, struct err *e)
{
    if (!dismiss_refusal(t, c, e) || !dismiss_exclusion(t, c, e) || !dismiss_emulation(t, c, e))
        return false;
    if (c->verdict == VERDICT_NONE)
        return true;
    if (verdict_info(c->verdict)->cost == COST_CHEAP &&
        (!drop_flags(t, c, e) || !find_newest(t, c, e) || !find_levels(t, c, e) ||
         !find_culprit(t, c, e)))
        return false;
    c->key = claim_key(t, c);
    return true;
}

/* ---- who else ------------------------------------------------------------------------ */

bool claim_find_affected(struct test *t, const struct claim *c, struct list *out, struct err *e)
{
    enum { MANY = 60 };
    const struct plan *p = &t->w->plan;
    if (verdict_info(c->verdict)->cost != COST_CHEAP)
        return true;
    for (size_t i = 0, tried = 0; i < t->lane->n && tried < MANY; i++) {
        size_t k = t->lane->configs[i];
        struct pick other = {k, {.config = p->configs[k].cc}};
        struct claim trial = *c;
        bool holds;
        if (strcmp(p->configs[k].family, family_of(t, &c->pick)) != 0)
            continue;
        if (p->configs[k].pool.n && !recompose(t, &c->pick, k, c->pick.drawn.level, &other, e))
            return false;
        tried++;
        if (!holds_of(t, &trial, &other, &holds, e))
            return false;
        if (holds)
            list_add(&t->w->arena, out, (char *)other.drawn.config.text);
    }
    return true;
}
