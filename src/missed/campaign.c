/* The campaign: draws programs, asks the oracles about one compiler after another, minimises what
 * they see, and keeps each pattern once.  One worker for each lab; what is shared is under one
 * lock.  What a compiler does is data; only the machine's own failures end it. */
#include "missed/private.h"

#include <pthread.h>
#include <string.h>

/* A batch is what sys_parallel is given at once; the state is written behind every so many.  A
 * minimisation that needs more compilations is left as it is; what has too many operators then is
 * no pattern that anybody could judge. */
enum { BATCH = 4096, STATE_EVERY = 16, MOST_COMPILATIONS = 1500 };

struct campaign {
    const struct missed_options *o;
    struct cc_labs *labs;
    double start, own_cpu; /* when it began */
    pthread_mutex_t lock;
    /* under the lock: */
    struct arena arena;
    struct map known; /* by key_of */
    struct missed_summary sum;
    uint64_t next, last_id; /* number of the next program, and of the last finding */
    uint64_t again;         /* of the first program that was interrupted: it comes again */
    struct err err;
    bool failed;
};

/* What one worker does with one program. */
struct work {
    struct campaign *c;
    struct arena a; /* of the program */
    struct bench bench;
    enum missed_oracle oracle;
    uint64_t seed;
    /* of the witnesses, the first of the best kind; by NULL: none */
    struct missed_witness best;
    enum missed_proof best_proof;
};

/* ---- what is shared ----------------------------------------------------------------------- */

static bool is_over(struct campaign *c)
{
    const struct missed_options *o = c->o;
    pthread_mutex_lock(&c->lock);
    bool over = c->failed || sys_cancelled() ||
                (o->seconds > 0 && sys_now() - c->start >= o->seconds) ||
                (o->programs && c->sum.programs >= o->programs);
    pthread_mutex_unlock(&c->lock);
    return over;
}

static void give_up(struct campaign *c, const struct err *e)
{
    pthread_mutex_lock(&c->lock);
    if (!c->failed)
        c->err = *e;
    c->failed = true;
    pthread_mutex_unlock(&c->lock);
}

/* A value that is told as a fact and one that is written as a constant are the same knowledge: what
 * both show is one pattern. */
static const char *key_of(struct arena *a, const struct missed_finding *f)
{
    enum missed_oracle o = (enum missed_oracle)f->oracle;
    return arena_printf(a, "%s %s %s", f->family,
                        missed_oracle_name(o == MISSED_REFINE ? MISSED_PAIR : o), f->pattern);
}

/* What one pass does wrong shows in many patterns, and is one bug; NULL when none is to blame. */
static const char *culprit_key_of(struct arena *a, const struct missed_finding *f)
{
    if (f->oracle != MISSED_ACCESS || !*f->pass)
        return NULL;
    return arena_printf(a, "%s %s by %s", f->family, missed_oracle_name(MISSED_ACCESS), f->pass);
}

/* True when neither its pattern nor its culprit was known. */
static bool remember(struct campaign *c, const struct missed_finding *f)
{
    const char *keys[] = {key_of(&c->arena, f), culprit_key_of(&c->arena, f)};
    bool is_new = true;
    for (size_t i = 0; i < LENGTH(keys) && keys[i]; i++) {
        is_new &= !map_get(&c->known, keys[i]);
        map_set(&c->arena, &c->known, keys[i], (void *)keys[i]);
    }
    return is_new;
}

static bool is_known(struct campaign *c, struct arena *a, const struct missed_finding *f)
{
    pthread_mutex_lock(&c->lock);
    bool known = map_get(&c->known, key_of(a, f));
    pthread_mutex_unlock(&c->lock);
    return known;
}

/* True when it is new: then it has a number from here on. */
static bool claim_pattern(struct campaign *c, struct missed_finding *f)
{
    pthread_mutex_lock(&c->lock);
    bool is_new = remember(c, f);
    if (is_new)
        f->id = ++c->last_id;
    pthread_mutex_unlock(&c->lock);
    return is_new;
}

/* Only what is in the folder counts: an interrupted one is not. */
static void count_finding(struct campaign *c)
{
    pthread_mutex_lock(&c->lock);
    c->sum.findings++;
    c->sum.new_findings++;
    pthread_mutex_unlock(&c->lock);
}

/* Where the time is limited, half of it is for minimising: a compiler that misses everything is not
 * to hold up all.  Wrong code does not wait. */
static bool may_minimise(struct campaign *c, enum missed_oracle oracle)
{
    pthread_mutex_lock(&c->lock);
    double spent = (sys_now() - c->start) * c->labs->n;
    bool may = !c->o->count_only && (!(c->o->seconds > 0) || missed_is_wrong(oracle) ||
                                     c->sum.minimise_seconds <= 5 + spent / 2);
    pthread_mutex_unlock(&c->lock);
    return may;
}

/* ---- who does better ---------------------------------------------------------------------- */

enum missed_proof missed_proof_by(const struct missed_compiler *own,
                                  const struct missed_compiler *w)
{
    bool same_family = strcmp(own->family, w->family) == 0;
    bool same_level = strcmp(own->config.level, w->config.level) == 0;
    bool same_flags = cc_has_same_flags(&own->config, &w->config);
    if (same_family && w->major < own->major && same_level && same_flags)
        return MISSED_REGRESSION;
    if (!same_family || w->major != own->major)
        return MISSED_OTHER;
    return same_flags ? MISSED_LEVEL : MISSED_FLAGS;
}

/* Is the code of the same program so much better that it proves what was possible?  Another
 * compiler's code differs in many ways: it must have at least half of what the twin gains. */
static bool does_better(const struct work *w, const struct sight *s, const struct missed_code *code)
{
    const struct missed_code *worse = &s->codes[s->worse], *better = &s->codes[!s->worse];
    if (!code->instructions)
        return false;
    if (w->oracle == MISSED_DEAD)
        return !code_mentions(code->whole, s->marker);
    return 2 * code->cost <= worse->cost + better->cost &&
           2 * code->instructions <= worse->instructions + better->instructions &&
           missed_worse_side(worse, code, w->bench.threshold) == MISSED_ORG;
}

static bool ask_witness(struct work *w, const struct sight *s, const struct missed_compiler *by,
                        struct missed_finding *f, struct err *e)
{
    struct missed_code code;
    const struct missed_compiler *own = w->bench.own;
    if (strcmp(by->target, own->target) != 0 || strcmp(by->config.text, own->config.text) == 0)
        return true;
    if (!bench_compile(&w->bench, by, s->texts[s->worse], &w->a, &code, e))
        return false;
    if (!does_better(w, s, &code))
        return true;
    enum missed_proof proof = missed_proof_by(own, by);
    f->proof = proof < f->proof ? proof : f->proof;
    if (!w->best.by || proof < w->best_proof) {
        struct missed_compiler *copy = NEW(&w->a, struct missed_compiler);
        *copy = *by;
        unsigned worse = s->codes[s->worse].instructions;
        w->best = (struct missed_witness){.lab = w->bench.lab,
                                          .by = copy,
                                          .program = s->texts[s->worse],
                                          .marker = s->marker,
                                          .instructions = code.instructions,
                                          .limit = (code.instructions + worse) / 2,
                                          .code = code.text};
        w->best_proof = proof;
    }
    list_add(&w->a, &f->witnesses,
             arena_printf(&w->a, "%s: %u instructions, not %u", by->config.text, code.instructions,
                          s->codes[s->worse].instructions));
    return true;
}

static bool is_witness(const struct missed_options *o, const char *text)
{
    for (size_t i = 0; i < o->witness_count; i++)
        if (strcmp(o->witnesses[i].config.text, text) == 0)
            return true;
    return false;
}

/* Other levels of the compiler itself, and the witnesses; nobody twice. */
static bool ask_witnesses(struct work *w, const struct sight *s, struct missed_finding *f,
                          struct err *e)
{
    static const char *const levels[] = {"-O1", "-O2", "-O3", "-Os"};
    const struct missed_options *o = w->c->o;
    bool wrong = missed_is_wrong(w->oracle);
    f->proof = wrong                      ? MISSED_WRONG
               : w->oracle == MISSED_DEAD ? missed_proof_by(w->bench.own, w->bench.peer)
                                          : MISSED_TWIN;
    bool ok = true;
    for (size_t i = 0; ok && !wrong && i < LENGTH(levels); i++) {
        struct missed_compiler by = *w->bench.own;
        by.config = cc_config_at(&w->a, &w->bench.own->config, levels[i]);
        ok = is_witness(o, by.config.text) || ask_witness(w, s, &by, f, e);
    }
    for (size_t i = 0; ok && !wrong && i < o->witness_count; i++)
        ok = ask_witness(w, s, &o->witnesses[i], f, e);
    return ok;
}

/* ---- one sight ---------------------------------------------------------------------------- */

static struct missed_finding describe(struct work *w, const struct arith *p, const struct sight *s)
{
    return (struct missed_finding){.oracle = w->oracle,
                                   .compiler = w->bench.own->config.text,
                                   .family = w->bench.own->family,
                                   .pattern = arith_pattern(&w->a, p),
                                   .identity = arith_identity(&w->a, p, w->oracle, s),
                                   .pass = "",
                                   .seed = w->seed,
                                   .operators = arith_operators(p),
                                   .worse = s->codes[s->worse].instructions,
                                   .better = s->codes[!s->worse].instructions,
                                   .r = s->r};
}

/* The row of a table that the work counts in.  Under the lock. */
static struct missed_row *row_of(const struct work *w)
{
    size_t compiler = (size_t)(w->bench.own - w->c->o->compilers);
    return &w->c->sum.rows[compiler * MISSED_ORACLE_COUNT + w->oracle];
}

/* What minimising one sight took: seconds of the clock, and of the compilers' CPU. */
struct effort {
    double seconds, cpu;
};

/* p: what is left. */
static void count_minimised(const struct work *w, const struct arith *p, unsigned before,
                            struct effort took)
{
    struct campaign *c = w->c;
    unsigned operators = arith_operators(p);
    pthread_mutex_lock(&c->lock);
    struct missed_row *row = row_of(w);
    row->minimised++;
    row->below_ten += operators < MISSED_BELOW_TEN;
    row->small += arith_is_small(p);
    row->operators[0] += before;
    row->operators[1] += operators;
    row->minimise_cpu += took.cpu;
    c->sum.minimised++;
    c->sum.below_ten += operators < MISSED_BELOW_TEN;
    c->sum.small += arith_is_small(p);
    c->sum.operators += operators;
    c->sum.minimise_seconds += took.seconds;
    pthread_mutex_unlock(&c->lock);
}

static void count_cut(const struct work *w)
{
    struct campaign *c = w->c;
    pthread_mutex_lock(&c->lock);
    row_of(w)->cut++;
    c->sum.cut++;
    pthread_mutex_unlock(&c->lock);
}

/* Which pass does a witness's work. */
static bool ask_worker(struct work *w, struct missed_finding *f, struct err *e)
{
    const struct missed_options *o = w->c->o;
    const char *pass = "";
    if (!o->worker || !w->best.by ||
        !missed_is_clear_gain(w->best.marker, f->worse, w->best.instructions))
        return true;
    if (!o->worker(o->context, &w->best, &w->a, &pass, e))
        return false;
    if (*pass && !missed_is_layout_pass(pass))
        f->pass = arena_printf(&w->a, "%s of %s", pass, w->best.by->config.text);
    return true;
}

/* Which pass of its own is to blame for wrong accesses. */
static bool ask_culprit(struct work *w, const struct sight *s, struct missed_finding *f,
                        struct err *e)
{
    const struct missed_options *o = w->c->o;
    return w->oracle != MISSED_ACCESS || !o->culprit ||
           o->culprit(o->context, w->bench.lab, w->bench.own, s->texts[0], &w->a, &f->pass, e);
}

static void count_contradicted(const struct work *w)
{
    struct campaign *c = w->c;
    pthread_mutex_lock(&c->lock);
    row_of(w)->contradicted++;
    c->sum.contradicted++;
    pthread_mutex_unlock(&c->lock);
}

/* Asks everybody about a pattern that nobody has, and keeps it when nothing speaks against it. */
static bool keep(struct work *w, struct evidence *v, struct err *e)
{
    if (!sight_ask_opinions(&w->bench, &v->sight, &w->a, &v->finding.opinions, e))
        return false;
    if (missed_is_contradicted(w->oracle, &v->finding.opinions)) {
        count_contradicted(w);
        return true;
    }
    if (!ask_culprit(w, &v->sight, &v->finding, e))
        return false;
    if (!claim_pattern(w->c, &v->finding))
        return true;
    w->best.by = NULL;
    if (!ask_witnesses(w, &v->sight, &v->finding, e) || !ask_worker(w, &v->finding, e))
        return false;
    v->best = w->best;
    if (sys_cancelled())
        return true; /* not everybody could be asked: it is found again */
    if (!folder_write_finding(w->c->o->dir, v, e))
        return false;
    count_finding(w->c);
    return true;
}

/* Minimises what was seen; what is large then is told if it is wrong code, which nobody may see
 * again.  What the end of the time cut off is counted apart. */
static bool follow(struct work *w, struct arith *p, struct err *e)
{
    struct evidence v = {0};
    double begun = sys_now(), cpu = w->bench.compile_cpu;
    unsigned before = arith_operators(p);
    if (!sight_minimise(w->oracle, &w->bench, p, MOST_COMPILATIONS, &w->a, &v.sight, e))
        return false;
    bool cut = (sys_cancelled() || bench_is_late(&w->bench)) && !arith_is_small(p);
    if (cut)
        count_cut(w);
    if (sys_cancelled() || !v.sight.seen)
        return true;
    v.finding = describe(w, p, &v.sight);
    struct effort took = {sys_now() - begun, w->bench.compile_cpu - cpu};
    if (!cut)
        count_minimised(w, p, before, took);
    bool fit = missed_is_wrong(w->oracle) || arith_is_small(p);
    return !fit || is_known(w->c, &w->a, &v.finding) || keep(w, &v, e);
}

/* ---- one program -------------------------------------------------------------------------- */

/* Another one of the same target among these; NULL: none. */
static const struct missed_compiler *draw_peer(const struct missed_compiler *own,
                                               const struct missed_compiler *among, size_t n,
                                               struct rng r)
{
    size_t at = n ? (size_t)rng_below(&r, n) : 0;
    for (size_t i = 0; i < n; i++) {
        const struct missed_compiler *peer = &among[(at + i) % n];
        if (strcmp(peer->target, own->target) == 0 &&
            strcmp(peer->config.text, own->config.text) != 0)
            return peer;
    }
    return NULL;
}

/* The peer is drawn among those under test; one that is alone has the witnesses. */
static void choose_compilers(struct work *w, struct rng r)
{
    const struct missed_options *o = w->c->o;
    const struct missed_compiler *own = &o->compilers[w->seed % o->compiler_count];
    w->bench.own = own;
    w->bench.peer = draw_peer(own, o->compilers, o->compiler_count, r);
    if (!w->bench.peer)
        w->bench.peer = draw_peer(own, o->witnesses, o->witness_count, r);
}

static bool ask_one(struct work *w, struct program *types, struct rng r, struct err *e)
{
    struct sight s;
    struct missed_shape shape = w->c->o->shape;
    shape.guards = w->oracle == MISSED_DEAD || w->oracle == MISSED_LIVE;
    struct arith *p = arith_draw(&w->a, types, &shape, r);
    if (!oracle_prepare(w->oracle, &w->bench, p))
        return true;
    if (!oracle_look(w->oracle, &w->bench, p, &w->a, &s, e))
        return false;
    pthread_mutex_lock(&w->c->lock);
    row_of(w)->programs++;
    row_of(w)->differences += s.seen;
    w->c->sum.differences += s.seen;
    pthread_mutex_unlock(&w->c->lock);
    if (!s.seen)
        return true;
    return !may_minimise(w->c, w->oracle) || follow(w, p, e);
}

static void finish_program(struct work *w)
{
    struct campaign *c = w->c;
    struct missed_summary *s = &c->sum;
    struct err ignored;
    pthread_mutex_lock(&c->lock);
    s->programs++;
    s->compiles += w->bench.compiles;
    s->refused += w->bench.refused;
    s->compile_cpu += w->bench.compile_cpu;
    s->seconds = sys_now() - c->start;
    s->cpu = s->compile_cpu + sys_own_cpu() - c->own_cpu;
    if (sys_cancelled() && w->seed < c->again)
        c->again = w->seed;
    if (s->programs % STATE_EVERY == 0)
        folder_write_state(c->o->dir, c->next, &ignored);
    if (c->o->show)
        c->o->show(c->o->context, s);
    pthread_mutex_unlock(&c->lock);
}

static void work_on(void *context, size_t item, unsigned worker)
{
    struct campaign *c = context;
    (void)item;
    if (is_over(c))
        return;
    struct work w = {.c = c};
    struct err e;
    pthread_mutex_lock(&c->lock);
    w.seed = c->next++;
    pthread_mutex_unlock(&c->lock);
    struct rng r = rng_seed(w.seed);
    w.bench = (struct bench){.lab = &c->labs->at[worker],
                             .threshold = c->o->threshold,
                             .deadline = c->o->seconds > 0 ? c->start + c->o->seconds : 0,
                             .watch = c->o->watch,
                             .context = c->o->context};
    choose_compilers(&w, rng_fork(&r, "missed.peer"));
    struct program *types = lang_program_new(lang_target_named(w.bench.own->target));
    bool ok = true;
    for (unsigned i = 0;
         ok && i < MISSED_ORACLE_COUNT && !sys_cancelled() && !bench_is_late(&w.bench); i++) {
        w.oracle = (enum missed_oracle)i;
        if (c->o->oracles >> i & 1)
            ok = ask_one(&w, types, r, &e);
    }
    if (!ok && !sys_cancelled())
        give_up(c, &e);
    finish_program(&w);
    lang_program_free(types);
    arena_free(&w.a);
}

/* ---- public ------------------------------------------------------------------------------- */

static bool open_folder(struct campaign *c, struct err *e)
{
    struct list findings = {0};
    c->next = c->o->seed;
    if (!sys_make_dirs(c->o->dir, e) || !folder_read_state(c->o->dir, &c->next, e) ||
        !missed_read_findings(c->o->dir, &c->arena, &findings, e))
        return false;
    for (size_t i = 0; i < findings.n; i++) {
        const struct missed_finding *f = findings.at[i];
        remember(c, f);
        c->last_id = f->id > c->last_id ? f->id : c->last_id;
    }
    c->sum.findings = findings.n;
    return true;
}

bool missed_run(const struct missed_options *o, struct cc_labs *labs, struct arena *a,
                struct missed_summary *out, struct err *e)
{
    struct campaign c = {
        .o = o, .labs = labs, .start = sys_now(), .own_cpu = sys_own_cpu(), .again = UINT64_MAX};
    c.sum.rows = NEW_ARRAY(a, o->compiler_count * MISSED_ORACLE_COUNT, struct missed_row);
    pthread_mutex_init(&c.lock, NULL);
    bool ok = open_folder(&c, e);
    while (ok && !is_over(&c))
        sys_parallel(BATCH, labs->n, work_on, &c);
    if (ok && c.failed) {
        *e = c.err;
        ok = false;
    }
    ok = ok && folder_write_state(o->dir, c.again < c.next ? c.again : c.next, e);
    c.sum.seconds = sys_now() - c.start;
    *out = c.sum;
    pthread_mutex_destroy(&c.lock);
    arena_free(&c.arena);
    return ok;
}
