/* The strategy missed: equivalent programs as cupel missed makes them, one compiler and one oracle
 * at a time.  What is seen is made small at once, so that its pattern tells whether it is known;
 * who does better, and by which pass, is part of the claim.  Configurations are plain levels: flags
 * that turn passes off ask for worse code.  The program itself is run like any other before, its
 * volatile accesses watched: that is the oracle access. */
#include "hunt/private.h"

#include "missed/missed.h"
#include "triage/triage.h"

#include <string.h>

#define STRATEGY(id, name, maker, ...) make_fn make_##maker;
#include "hunt/strategy.def"

enum { MOST_COMPILATIONS = 300, MOST_WITNESSES = 12, MOST_FOR_WORKER = 30 };
static const double threshold = 0.8;

static const char *const levels[] = {"-O2", "-O3", "-Os"};

/* What is asked, how often, and what it is to the hunt. */
static const struct question {
    enum missed_oracle oracle;
    unsigned weight;
    enum verdict verdict;
} questions[] = {
    {MISSED_PAIR, 4, VERDICT_MISSED},    {MISSED_DEAD, 2, VERDICT_MISSED},
    {MISSED_REFINE, 2, VERDICT_MISSED},  {MISSED_RESTRICT, 1, VERDICT_MISSED},
    {MISSED_LIVE, 1, VERDICT_LOST_CALL}, {MISSED_VOLATILE, 1, VERDICT_INITIAL_CODE},
};

static const struct question *choose_question(struct rng *r)
{
    uint64_t sum = 0;
    const struct question *chosen = NULL;
    for (size_t i = 0; i < LENGTH(questions); i++) {
        sum += questions[i].weight;
        if (rng_below(r, sum) < questions[i].weight)
            chosen = &questions[i];
    }
    return chosen;
}

static struct missed_shape shape_of(const struct order *o)
{
    return (struct missed_shape){.operators = o->size};
}

bool make_MISSED(const struct order *o, struct subject *out, struct err *e)
{
    struct missed_shape shape = shape_of(o);
    (void)e;
    missed_write(o->lane->target ? o->lane->target->name : "lp64", &shape, o->seed, &out->code);
    text_printf(&out->origin, "cupel missed --seed %llu --programs 1 --size %u",
                (unsigned long long)o->seed, o->size);
    /* it returns 0, and prints nothing; but __builtin_abort need not be known */
    out->expectation.runs = true;
    return true;
}

/* ---- who is asked --------------------------------------------------------------------------- */

/* The pick at a level of ours, without drawn flags; false when it has none. */
static bool plain_pick(struct test *t, size_t config, const char *level, struct pick *out,
                       struct err *e)
{
    const struct plan_config *c = &t->w->plan.configs[config];
    *out = (struct pick){config, {.config = c->cc, .level = c->cc.level}};
    return !c->pool.n || (cc_compose(&t->w->arena, &c->cc, level, NULL, 0, &out->drawn.config, e) &&
                          (out->drawn.level = level));
}

static struct missed_compiler *compiler_of(const struct test *t, const struct pick *p)
{
    const struct plan_config *c = &t->w->plan.configs[p->config];
    struct missed_compiler *m = NEW(&t->w->arena, struct missed_compiler);
    bool arm = c->target == lang_target(TARGET_AARCH64);
    *m = (struct missed_compiler){.config = p->drawn.config,
                                  .family = c->family,
                                  .isa = arm ? MISSED_AARCH64 : MISSED_X86,
                                  .target = plan_target_name(c->target)};
    return m;
}

/* Those that are known by name and make the same code at every level miss everything. */
static bool optimises(const struct plan_config *c)
{
    static const bool levels_count[] = {
#define FAMILY(id, stem, prefixed, all_levels, turns) [CC_FAMILY_##id] = all_levels,
#include "cc/family.def"
    };
    enum cc_family f;
    return !cc_family_of(c->family, &f) || levels_count[f];
}

/* x86 and AArch64 have a table of mnemonics. */
static bool is_readable(const struct test *t, size_t config)
{
    const struct target *target = t->w->plan.configs[config].target;
    return target == lang_target(TARGET_LP64) || target == lang_target(TARGET_ILP32) ||
           target == lang_target(TARGET_AARCH64);
}

/* Is it another compiler for the same machine?  Such programs are for every lane. */
static bool is_other(const struct test *t, size_t own, size_t config)
{
    const struct plan *p = &t->w->plan;
    return config != own && p->configs[config].target == p->configs[own].target &&
           optimises(&p->configs[config]);
}

/* Another compiler, for what needs two; NULL when there is none. */
static bool choose_peer(struct test *t, const struct pick *own, struct rng r,
                        struct missed_compiler **out, struct err *e)
{
    size_t n = t->w->plan.n, at = (size_t)rng_below(&r, n);
    *out = NULL;
    for (size_t i = 0; i < n && !*out; i++) {
        struct pick other;
        size_t k = (at + i) % n;
        if (!is_other(t, own->config, k))
            continue;
        if (!plain_pick(t, k, own->drawn.level, &other, e))
            return false;
        *out = compiler_of(t, &other);
    }
    return true;
}

/* ---- who does better ------------------------------------------------------------------------ */

struct better {
    struct text words;
    struct pick best; /* of the same family, if one is there; config SIZE_MAX: nobody */
    bool own_family;
    const char *code; /* the best one's */
    unsigned instructions;
};

static bool ask_witness(struct test *t, const struct claim *c, size_t config, unsigned worse,
                        struct better *b, struct err *e)
{
    struct claim trial = *c;
    struct missed_code code;
    struct outcome o;
    if (!plain_pick(t, config, c->pick.drawn.level, &trial.pick, e))
        return false;
    struct judge_claim claim = claim_to_judge(t, &trial);
    if (!judge_read_code(&t->w->labs.at[0], &claim, &t->w->arena, &o, &code, e))
        return false;
    t->result.compiles++;
    const char *marker = judge_read_marker(c->verdict, &t->w->arena, text_str(&t->subject.code));
    if (!code.instructions || missed_shows(&code, marker, c->limit))
        return true;
    const struct plan_config *p = &t->w->plan.configs[config];
    bool own = strcmp(p->family, t->w->plan.configs[c->pick.config].family) == 0;
    text_printf(&b->words, "%s%s: %u instructions, not %u", b->words.n ? "; " : "",
                trial.pick.drawn.config.text, code.instructions, worse);
    if (b->best.config == SIZE_MAX || (own && !b->own_family)) {
        b->best = trial.pick;
        b->own_family = own;
        b->code = code.text;
        b->instructions = code.instructions;
    }
    return true;
}

/* Which pass of the better one does the work. */
static bool find_worker(struct test *t, struct claim *c, const struct pick *best, struct err *e)
{
    struct claim turned = *c;
    struct triage_blame blame;
    turned.pick = *best;
    struct judge_claim claim = claim_to_judge(t, &turned);
    claim.reached = true;
    struct triage_job job = {
        .lab = &t->w->labs.at[0], .claim = &claim, .most = MOST_FOR_WORKER, .roughly = true};
    if (!triage_find_worker(&job, &t->w->arena, &blame, e))
        return false;
    t->result.compiles += blame.compiles;
    bool found = *blame.pass && !missed_is_layout_pass(blame.pass);
    c->culprit = found ? blame.pass : "";
    if (found)
        c->culprit_detail = arena_printf(&t->w->arena, "without it the code of %s is as bad",
                                         best->drawn.config.text);
    return true;
}

/* What a finding shows beside each other; by: who makes the better code, or NULL. */
static struct finding_missed comparison(const struct missed_sighting *s, const char *by,
                                        const char *code)
{
    return (struct finding_missed){.identity = s->identity,
                                   .code = s->worse.text,
                                   .twin_code = strcmp(s->program, s->twin) ? s->better.text : "",
                                   .better = by ? by : "",
                                   .better_code = by ? code : ""};
}

static bool find_better(struct test *t, struct claim *c, const struct missed_sighting *s,
                        struct err *e)
{
    struct better b = {.best.config = SIZE_MAX};
    bool ok = true;
    for (size_t i = 0, asked = 0; ok && i < t->w->plan.n && asked < MOST_WITNESSES; i++)
        if (is_other(t, c->pick.config, i)) {
            ok = ask_witness(t, c, i, s->worse.instructions, &b, e);
            asked++;
        }
    if (strcmp(s->program, s->twin) != 0)
        text_printf(&b.words, "%soriginal.c, which means the same: %u instructions, not %u",
                    b.words.n ? "; " : "", s->better.instructions, s->worse.instructions);
    c->outcome.message = arena_printf(&t->w->arena, "better: %s; not seen: %s", text_str(&b.words),
                                      s->identity);
    bool somebody = b.best.config != SIZE_MAX;
    c->missed = comparison(s, somebody ? b.best.drawn.config.text : NULL, b.code);
    if (ok && somebody && missed_is_clear_gain(s->marker, s->worse.instructions, b.instructions))
        ok = find_worker(t, c, &b.best, e);
    text_free(&b.words);
    return ok;
}

/* ---- who is right --------------------------------------------------------------------------- */

/* Who does not make the mistake. */
struct right {
    const char *by, *code; /* NULL: nobody yet */
    size_t asked;
};

static bool ask_other(struct test *t, const struct claim *c, const struct cc_config *config,
                      struct right *r, struct err *e)
{
    struct judge_claim claim = claim_to_judge(t, c);
    struct missed_code code;
    struct outcome o;
    bool shares;
    claim.config = config;
    if (!judge_again(&t->w->labs.at[0], &claim, &t->w->arena, &o, &shares, e) ||
        !judge_read_code(&t->w->labs.at[0], &claim, &t->w->arena, &o, &code, e))
        return false;
    t->result.compiles += 2;
    r->asked += code.instructions > 0;
    if (!shares && code.instructions) {
        r->by = config->text;
        r->code = code.text;
    }
    return true;
}

/* The others of the plan; where they all make it, those that do not optimise. */
static bool ask_others(struct test *t, const struct claim *c, struct right *r, struct err *e)
{
    const struct plan *p = &t->w->plan;
    const struct judge_tools *tools = plan_tools(p, p->configs[c->pick.config].target);
    for (size_t i = 0; i < p->n && !r->by && r->asked < MOST_WITNESSES; i++) {
        struct pick other;
        if (is_other(t, c->pick.config, i) && (!plain_pick(t, i, c->pick.drawn.level, &other, e) ||
                                               !ask_other(t, c, &other.drawn.config, r, e)))
            return false;
    }
    for (size_t i = 0; i < tools->voter_count && !r->by; i++)
        if (!ask_other(t, c, &tools->voters[i], r, e))
            return false;
    return true;
}

/* Where everybody does the same it is we who are mistaken: no claim then. */
static bool find_right(struct test *t, struct claim *c, const struct missed_sighting *s,
                       struct err *e)
{
    struct right r = {0};
    if (!ask_others(t, c, &r, e))
        return false;
    if (r.asked && !r.by)
        c->verdict = VERDICT_NONE;
    c->missed = comparison(s, r.by, r.code);
    c->outcome.message = arena_printf(&t->w->arena, "%s%s%s", s->identity, r.by ? "; right: " : "",
                                      c->missed.better);
    return true;
}

/* ---- the claim ------------------------------------------------------------------------------ */

/* From here on the small program is the test's, and compiled only.  Where two codes must be equal
 * it is both at once. */
static bool take_program(struct test *t, enum verdict v, const struct missed_sighting *s,
                         struct err *e)
{
    struct subject *u = &t->subject;
    text_clear(&u->code);
    text_clear(&u->original);
    judge_put_marker(v, s->marker, &u->code);
    if (v == VERDICT_INITIAL_CODE)
        missed_merge(s->program, s->twin, &u->code);
    else
        text_puts(&u->code, s->program);
    if (v == VERDICT_MISSED && strcmp(s->program, s->twin) != 0)
        text_puts(&u->original, s->twin);
    u->compile_only = t->program.compile_only = true;
    u->expectation.runs = false;
    return sys_write_file(t->program.units[0], text_str(&u->code), u->code.n, e);
}

/* A pattern is what tells missed optimisations apart; of wrong code the pass, or the level. */
static bool add_sighting(struct test *t, const struct pick *p, enum verdict v,
                         const struct missed_sighting *s, struct err *e)
{
    struct claim *c = NEW(&t->w->arena, struct claim);
    bool missed = v == VERDICT_MISSED;
    *c = (struct claim){.pick = *p,
                        .verdict = v,
                        .signature = missed
                                         ? arena_printf(&t->w->arena, "%s: %s",
                                                        missed_oracle_name(s->oracle), s->pattern)
                                         : "",
                        .levels = p->drawn.level,
                        .culprit = "",
                        .culprit_detail = "",
                        .wrong = "",
                        .limit = s->better.instructions,
                        .outcome = {.kind = OUTCOME_BUILT, .message = "", .signature = ""}};
    if (!take_program(t, v, s, e) || !(missed ? find_better(t, c, s, e) : find_right(t, c, s, e)))
        return false;
    if (c->verdict != VERDICT_NONE)
        list_add(&t->w->arena, &t->claims, c);
    return true;
}

bool claim_find_missed(struct test *t, struct err *e)
{
    struct rng r = rng_fork(&t->rng, "missed");
    struct pick own;
    struct missed_compiler *peer;
    struct missed_sighting s;
    uint64_t compiles = 0;
    size_t config = t->picks[0].config;
    /* a claim about the program as it is needs that program */
    if (t->task.strategy != STRATEGY_MISSED || t->claims.n || !is_readable(t, config) ||
        !optimises(&t->w->plan.configs[config]))
        return true;
    const struct question *q = choose_question(&r);
    const char *level = levels[rng_below(&r, LENGTH(levels))];
    if (!plain_pick(t, config, level, &own, e) ||
        !choose_peer(t, &own, rng_fork(&r, "peer"), &peer, e))
        return false;
    struct missed_task task = {.lab = &t->w->labs.at[0],
                               .own = compiler_of(t, &own),
                               .peer = peer,
                               .oracle = q->oracle,
                               .shape = {.operators = t->size},
                               .threshold = threshold,
                               .seed = t->rng.key,
                               .most = MOST_COMPILATIONS};
    if (!missed_try(&task, &t->w->arena, &s, &compiles, e))
        return false;
    t->result.compiles += compiles;
    if (!s.seen)
        return true;
    bool plain = q->verdict != VERDICT_MISSED || *s.marker ||
                 s.worse.instructions > s.better.instructions;
    return !plain || add_sighting(t, &own, q->verdict, &s, e);
}
