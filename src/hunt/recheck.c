/* Which findings still hold?  Each is tried again as its report says, with its own compiler or
 * with another one. */
#include "hunt/private.h"

#include <pthread.h>
#include <string.h>

struct recheck {
    const struct hunt_recheck *o;
    struct cc_labs labs;
    struct hunt_findings findings;
    struct recheck_result *results; /* per finding; finding is NULL for those not meant */
    struct arena *arenas;           /* per worker; for as long as the results are needed */
    struct elsewhere elsewhere;
    uint64_t *errands; /* per finding that another node tries; 0: we do */
    pthread_mutex_t lock;
    size_t done;
};

const char *recheck_state_name(enum recheck_state s)
{
    static const char *const names[] = {[RECHECK_HOLDS] = "holds",
                                        [RECHECK_GONE] = "gone",
                                        [RECHECK_PARTLY] = "partly",
                                        [RECHECK_CHANGED] = "changed",
                                        [RECHECK_UNCLEAR] = "unclear"};
    return names[s];
}

/* The finding's own configuration, or its flags after another compiler. */
static bool config_of(struct arena *a, const struct hunt_command *command, const struct finding *f,
                      struct cc_config *out, struct err *e)
{
    const char *text = f->claim.config, *emulator = f->again.emulator;
    if (command) {
        char **words = str_split_command(a, text, e);
        struct text line = {0};
        text_puts(&line, command->text);
        text_putc(&line, ' ');
        str_join_command(&line, words && words[0] ? words + 1 : words);
        text = arena_string(a, text_str(&line));
        emulator = command->emulator;
        text_free(&line);
    }
    return cc_config_parse(a, text, emulator, out, e);
}

/* A compiler of one family is not asked about another's; nobody knows a wrapper's. */
static bool is_meant(const struct hunt_recheck *o, const struct finding *f)
{
    struct arena a = {0};
    enum cc_family tried, accused;
    char **words = o->command ? str_split_command(&a, o->command->text, NULL) : NULL;
    bool known = words && words[0] && cc_family_of(words[0], &tried) &&
                 cc_family_of(f->claim.family, &accused);
    arena_free(&a);
    return f->claim.verdict != VERDICT_NONE && (!known || tried == accused);
}

static enum recheck_state state_of(const struct judge_claim *c, const struct outcome *o, bool holds)
{
    if (outcome_info(o->kind)->weight == WEIGHT_NONE)
        return RECHECK_UNCLEAR;
    if (holds)
        return RECHECK_HOLDS;
    /* another failure of the same compiler is no sign of health */
    return judge_verdict(o, c->expect) != VERDICT_NONE ? RECHECK_CHANGED : RECHECK_GONE;
}

/* One of the finding's programs. */
struct trial {
    struct bytes program, expected;
    int status;
};

static bool try_program(const struct recheck_bench *b, const struct finding *f,
                        const struct trial *t, enum recheck_state *state, struct err *e)
{
    static char *const none[] = {NULL};
    struct arena *a = b->arena;
    struct judge_expectation expect;
    struct judge_claim claim = finding_judge_claim(f, &expect);
    struct cc_config config;
    struct outcome o;
    bool holds;
    char *units[] = {arena_printf(a, "%s/recheck%u.c", b->scratch, b->number), NULL};
    struct cc_case c = {.units = units,
                        .inputs = none,
                        .args = none,
                        .compile_timeout = f->again.compile_timeout,
                        .run_timeout = f->again.run_timeout,
                        .compile_memory = (uint64_t)4 << 30,
                        .run_memory = (uint64_t)1 << 30,
                        .compile_only = f->subject.compile_only,
                        .plain = true};
    claim.config = &config;
    claim.program = &c;
    expect.out = t->expected.s;
    expect.out_size = t->expected.n;
    expect.status = t->status;
    if (!config_of(a, b->command, f, &config, e) ||
        !sys_write_file(units[0], t->program.s, t->program.n, e) ||
        !judge_again(b->lab, &claim, a, &o, &holds, e) ||
        (!holds && !cc_look_at_flags(b->lab, &config, a, &o, e)))
        return false;
    *state = state_of(&claim, &o, holds);
    return true;
}

/* A fix that is only partial shows in the program or in the smaller one. */
bool recheck_try(const struct recheck_bench *b, const struct finding *f, enum recheck_state *state,
                 struct err *e)
{
    const struct trial whole = {f->subject.program, f->subject.expected, f->subject.status},
                       small = {f->reduced.program, f->reduced.expected, f->reduced.status};
    enum recheck_state other;
    if (!try_program(b, f, &whole, state, e))
        return false;
    if (!f->reduced.program.n || (*state != RECHECK_HOLDS && *state != RECHECK_GONE))
        return true;
    if (!try_program(b, f, &small, &other, e))
        return false;
    if (*state != other && (other == RECHECK_HOLDS || other == RECHECK_GONE))
        *state = RECHECK_PARTLY;
    return true;
}

static void count_one(struct recheck *r)
{
    pthread_mutex_lock(&r->lock);
    r->done++;
    if (r->o->progress)
        r->o->progress(r->o->context, r->done, r->findings.n);
    pthread_mutex_unlock(&r->lock);
}

static void recheck_one(void *context, size_t item, unsigned worker)
{
    struct recheck *r = context;
    const struct finding *f = &r->findings.at[item];
    struct recheck_bench b = {.lab = &r->labs.at[worker],
                              .scratch = r->labs.scratch.path,
                              .number = worker,
                              .arena = &r->arenas[worker],
                              .command = r->o->command};
    struct err e = {""};
    if (r->errands[item])
        return; /* somebody else does it */
    if (is_meant(r->o, f)) {
        struct recheck_result *out = &r->results[item];
        *out = (struct recheck_result){.finding = f, .state = RECHECK_UNCLEAR};
        recheck_try(&b, f, &out->state, &e);
        out->note = arena_string(&r->arenas[worker], e.msg);
    }
    count_one(r);
}

/* ---- where the compiler is ------------------------------------------------------------------ */

static bool ask_others(struct recheck *r, struct err *e)
{
    for (size_t i = 0; i < r->findings.n; i++) {
        const struct finding *f = &r->findings.at[i];
        const char *command = r->o->command ? r->o->command->text : NULL;
        const struct store_compiler *c = is_meant(r->o, f)
                                             ? elsewhere_find(&r->elsewhere, f, command)
                                             : NULL;
        struct store_errand errand = {.finding = f->id,
                                      .kind = errand_kind_name(ERRAND_RECHECK),
                                      .command = command ? command : "",
                                      .compiler_id = c ? c->id : ""};
        if (c && !elsewhere_ask(&r->elsewhere, &errand, &r->errands[i], e))
            return false;
    }
    return true;
}

static bool wait_for_others(struct recheck *r, struct err *e)
{
    for (size_t i = 0; i < r->findings.n; i++) {
        struct errand_reply reply;
        if (!r->errands[i])
            continue;
        if (!elsewhere_wait(&r->elsewhere, r->errands[i], &reply, e))
            return false;
        r->results[i] = (struct recheck_result){&r->findings.at[i], reply.state, reply.note};
        count_one(r);
    }
    return true;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* The results of those that were meant, with their notes in the caller's arena. */
static void collect(struct recheck *r, struct arena *a, struct recheck_result **out, size_t *n)
{
    *out = NEW_ARRAY(a, r->findings.n, struct recheck_result);
    *n = 0;
    for (size_t i = 0; i < r->findings.n; i++)
        if (r->results[i].finding) {
            (*out)[*n] = r->results[i];
            (*out)[*n].note = arena_string(a, r->results[i].note);
            ++*n;
        }
}

/* What others have to do is asked for first: they do it while we do the rest. */
static bool recheck_all(struct recheck *r, struct arena *a, struct recheck_result **out, size_t *n,
                        struct err *e)
{
    const struct hunt_recheck *o = r->o;
    struct cc_lab_options options = {.count = o->jobs, .trust_compilers = o->trust_compilers};
    r->results = NEW_ARRAY(a, r->findings.n, struct recheck_result);
    r->errands = NEW_ARRAY(a, r->findings.n, uint64_t);
    if (!ask_others(r, e) || !cc_labs_open(&r->labs, &options, e))
        return false;
    r->arenas = NEW_ARRAY(a, o->jobs, struct arena);
    sys_parallel(r->findings.n, o->jobs, recheck_one, r);
    cc_labs_close(&r->labs);
    bool ok = (!sys_cancelled() || fail(e, "interrupted")) && wait_for_others(r, e);
    if (ok)
        collect(r, a, out, n);
    for (unsigned i = 0; i < o->jobs; i++)
        arena_free(&r->arenas[i]);
    return ok;
}

bool hunt_recheck(struct arena *a, const struct hunt_recheck *o, struct recheck_result **out,
                  size_t *n, struct err *e)
{
    struct recheck r = {.o = o, .lock = PTHREAD_MUTEX_INITIALIZER};
    if (!hunt_list(a, o->dir, HUNT_ALL | HUNT_WHOLE, &r.findings, e))
        return false;
    bool ok = elsewhere_open(&r.elsewhere, o->dir, e) && recheck_all(&r, a, out, n, e);
    elsewhere_close(&r.elsewhere);
    return ok;
}
