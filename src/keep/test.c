/* One candidate: does it still show what is to be kept? */
#include "keep/private.h"

#include <string.h>

#define COMPILE_MEMORY ((uint64_t)4 << 30)
#define RUN_MEMORY     ((uint64_t)1 << 30)

/* ---- files ------------------------------------------------------------------------------ */

static bool write_to(const struct keep *k, const char *dir, const struct text *units,
                     struct arena *a, struct list *paths, struct err *e)
{
    for (size_t i = 0; i < k->o.count; i++) {
        char *path = arena_printf(a, "%s/%s", dir, k->o.names[i]);
        if (!sys_write_new_file(path, text_str(&units[i]), units[i].n, e))
            return false;
        list_add(a, paths, path);
    }
    list_add(a, paths, NULL);
    return true;
}

/* What the machine executes within its fuel takes a compiled program no time at all: one that goes
 * on is wrong, and is not waited for.  Only a result that does not end is given the whole time. */
static bool is_short(const struct keep *k)
{
    return k->from_machine && !(k->final && k->verdict == VERDICT_PROGRAM_HANG);
}

static double patience(const struct keep *k)
{
    static const double short_time = 0.5;
    return is_short(k) && short_time < k->o.run_timeout ? short_time : k->o.run_timeout;
}

/* A compiler that hangs is not waited for until the end each time: it is far above what the
 * reference takes long before.  The result is. */
static double compile_patience(const struct keep *k)
{
    static const double least = 0.5, factor = 20;
    double enough = factor * k->reference_cpu > least ? factor * k->reference_cpu : least;
    bool short_will_do = k->verdict == VERDICT_COMPILER_HANG && k->has_reference &&
                         k->reference_cpu > 0 && !k->final && !k->patient;
    return short_will_do && enough < k->o.compile_timeout ? enough : k->o.compile_timeout;
}

static uint64_t hash_units(const struct keep *k, const struct text *units)
{
    uint64_t hash = k->o.count;
    for (size_t i = 0; i < k->o.count; i++)
        hash = hash_pair(hash, hash_bytes(text_str(&units[i]), units[i].n));
    return hash;
}

bool keep_write_units(struct keep *k, const struct text *units, unsigned worker, struct arena *a,
                      struct keep_case *out, struct err *e)
{
    char *dir = arena_printf(a, "%s/units%u", k->labs.scratch.path, worker);
    struct list paths = {0}, inputs = {0};
    if (!sys_make_dirs(dir, e) || !write_to(k, dir, units, a, &paths, e))
        return false;
    if (k->o.input)
        list_add(a, &inputs, (char *)k->o.input);
    list_add(a, &inputs, NULL);
    static char *const none[] = {NULL};
    *out = (struct keep_case){
        .hash = hash_units(k, units),
        .program = {.units = (char **)paths.at,
                    .inputs = (char **)inputs.at,
                    .args = k->o.args ? k->o.args : none,
                    .compile_timeout = compile_patience(k),
                    .run_timeout = patience(k),
                    .hurry = is_short(k) && k->hurried && k->verdict != VERDICT_PROGRAM_HANG,
                    .compile_memory = COMPILE_MEMORY,
                    .run_memory = RUN_MEMORY,
                    .plain = k->plain && !k->compile_only,
                    .compile_only = k->compile_only}};
    return true;
}

/* ---- claims ----------------------------------------------------------------------------- */

/* A run that says what the program does. */
static bool is_answer(const struct outcome *o)
{
    return o->kind == OUTCOME_BUILT && o->run_count == 1 && o->runs[0].end == SYS_EXITED;
}

bool keep_expect(struct keep *k, const struct reduce_expect *x, unsigned worker, struct arena *a,
                 struct keep_case *c, bool *known, struct err *e)
{
    struct judge_expectation *out = &c->expect;
    *out = (struct judge_expectation){.valid = true};
    *known = true;
    if (k->compile_only)
        return true;
    if (k->from_machine || (x->known && !k->o.against)) {
        *out = (struct judge_expectation){.runs = true,
                                          .out = x->out,
                                          .out_size = x->out_size,
                                          .status = x->status,
                                          .valid = true};
        *known = x->known;
        return true;
    }
    struct outcome o;
    if (!cc_try(&k->labs.at[worker], &k->reference, &c->program, a, &o, e))
        return false;
    *known = is_answer(&o);
    if (*known)
        *out = (struct judge_expectation){.runs = true,
                                          .out = o.runs[0].out,
                                          .out_size = o.runs[0].out_size,
                                          .status = o.runs[0].code,
                                          .valid = true};
    return true;
}

struct judge_claim keep_claim(const struct keep *k, const struct keep_case *c)
{
    return (struct judge_claim){.config = &k->config,
                                .verdict = k->verdict,
                                .signature = k->signature,
                                .program = &c->program,
                                .expect = &c->expect,
                                .limit = k->limit};
}

bool keep_is_same(struct keep *k, const struct keep_case *c, const struct outcome *o,
                  struct arena *a)
{
    const struct verdict_info *info = verdict_info(k->verdict);
    if (info->subject == SUBJECT_RUN && !judge_is_about_volatiles(k->verdict) &&
        (judge_verdict(o, &c->expect) != k->verdict || o->runs[0].end != k->end))
        return false;
    return strcmp(info->signature(a, o), k->signature) == 0;
}

/* Code that is not always the same is so by chance, sometimes: asked several times, any yes is one.
 */
static bool ask(struct keep *k, unsigned worker, const struct keep_case *c, struct arena *a,
                struct outcome *o, bool *holds, struct err *e)
{
    enum { CHANCES = 4 };
    unsigned most = k->verdict == VERDICT_UNSTABLE_CODE ? CHANCES : 1;
    struct judge_claim claim = keep_claim(k, c);
    if (c->program.plain && keep_may_vary(k))
        return keep_ask_often(k, worker, c, a, o, holds, e);
    *holds = false;
    for (unsigned i = 0; i < most && !*holds; i++)
        if (!judge_again(&k->labs.at[worker], &claim, a, o, holds, e))
            return false;
    return true;
}

/* Time and memory are out of line beside what the reference takes, measured now: seconds alone
 * depend on what else the machine does. */
static bool stands_out(struct keep *k, unsigned worker, const struct keep_case *c,
                       const struct outcome *o, struct arena *a, bool *holds, struct err *e)
{
    enum { TIMES = 5 };
    struct outcome other;
    bool slow = k->verdict == VERDICT_SLOW_COMPILE, large = k->verdict == VERDICT_LARGE_COMPILE;
    if ((!slow && !large) || !k->has_reference)
        return true;
    if (!cc_try(&k->labs.at[worker], &k->reference, &c->program, a, &other, e))
        return false;
    *holds = slow ? o->compile_cpu > (double)TIMES * other.compile_cpu
                  : o->compile_memory > TIMES * other.compile_memory;
    return true;
}

bool keep_test_claim(void *context, const struct reduce_candidate *c, unsigned worker, bool *holds,
                     struct err *e)
{
    struct keep *k = context;
    struct arena a = {0};
    struct keep_case files;
    struct outcome o;
    bool known = false;
    *holds = false;
    bool ok = keep_write_units(k, c->units, worker, &a, &files, e) &&
              keep_expect(k, &c->expect, worker, &a, &files, &known, e);
    if (ok && known) {
        ok = ask(k, worker, &files, &a, &o, holds, e);
        *holds = ok && *holds && keep_is_same(k, &files, &o, &a);
        ok = ok && (!*holds || stands_out(k, worker, &files, &o, &a, holds, e));
        if (ok)
            log_debug("test: %s: %s, %s", *holds ? "yes" : "no", outcome_info(o.kind)->phrase,
                      o.run_count ? o.runs[0].words : o.message);
    }
    arena_free(&a);
    return ok;
}

/* ---- what would be kept ----------------------------------------------------------------- */

bool keep_try_reference(struct keep *k, const struct keep_case *c, struct arena *a,
                        struct outcome *o, struct err *e)
{
    static const double share = 0.25; /* of what a hang takes: it must not come near that */
    struct cc_case program = c->program;
    program.check_only = k->check_only && keep_is_gcc_or_clang(&k->reference);
    if (k->verdict == VERDICT_COMPILER_HANG)
        program.compile_timeout = share * k->o.compile_timeout;
    if (!cc_try(&k->labs.at[0], &k->reference, &program, a, o, e))
        return false;
    k->reference_cpu = o->compile_cpu;
    return true;
}

/* The reference must still be right: for what is run it behaves as expected, for what is refused it
 * accepts.  About the original it is. */
static bool reference_agrees(struct keep *k, const struct keep_case *c, struct arena *a,
                             bool *agrees, struct err *e)
{
    struct outcome o;
    *agrees = true;
    if (!k->final && c->hash == k->agreed)
        return true;
    if (k->chance)
        return keep_is_always_right(k, &k->reference, c, a, agrees, e);
    if (!keep_try_reference(k, c, a, &o, e))
        return false;
    *agrees = c->expect.runs ? judge_as_expected(&o, &c->expect) : o.kind == OUTCOME_BUILT;
    return true;
}

/* Under a sanitizer: as expected, and without a word; one that cannot compile it has none. */
static bool is_clean(struct keep *k, const struct cc_config *config, const struct keep_case *c,
                     struct arena *a, bool *clean, struct err *e)
{
    struct outcome o;
    struct cc_case program = c->program;
    program.plain = true;
    *clean = true;
    if (!config)
        return true;
    if (!cc_try(&k->labs.at[0], config, &program, a, &o, e))
        return false;
    if (is_answer(&o) || (o.kind == OUTCOME_BUILT && o.run_count == 1))
        *clean = judge_as_expected(&o, &c->expect) && !*o.runs[0].err;
    return true;
}

bool keep_is_taken(struct keep *k, const struct cc_config *config, const struct keep_case *c,
                   struct arena *a, bool *taken, struct err *e)
{
    struct cc_case program = c->program;
    struct outcome o;
    program.compile_only = true;
    if (!cc_try(&k->labs.at[0], config, &program, a, &o, e))
        return false;
    *taken = o.kind == OUTCOME_BUILT;
    return true;
}

static bool is_clean_everywhere(struct keep *k, const struct keep_case *c, struct arena *a,
                                bool *clean, struct err *e)
{
    keep_find_tools(k);
    const struct cc_config *all[] = {k->tools.gcc_san, k->tools.clang_san, k->tools.clang_msan};
    *clean = true;
    if (k->has_strict && !keep_is_taken(k, &k->strict, c, a, clean, e))
        return false;
    for (size_t i = 0; *clean && i < LENGTH(all); i++)
        if (!is_clean(k, all[i], c, a, clean, e))
            return false;
    return true;
}

/* Through the compiler's own driver and linker, too?  Code that is wrong may depend on where it is
 * loaded, and what is claimed in the end is what a user sees. */
static bool holds_plainly(struct keep *k, const struct keep_case *c, struct arena *a, bool *holds,
                          struct err *e)
{
    enum { OFTEN = 2 };
    struct keep_case plain = *c;
    struct outcome o;
    plain.program.plain = true;
    if (!ask(k, 0, &plain, a, &o, holds, e))
        return false;
    *holds = *holds && keep_is_same(k, &plain, &o, a);
    if (!*holds && ++k->differ == OFTEN) {
        log_debug("from here on through the compiler's own driver");
        k->plain = true;
    }
    return true;
}

/* Whoever asked for the reduction may know the bug. */
static bool is_same_bug(struct keep *k, const struct keep_case *c, struct arena *a, bool *agrees,
                        struct err *e)
{
    struct judge_claim claim = keep_claim(k, c);
    (void)a;
    return k->o.same(k->o.context, &k->labs.at[0], &claim, agrees, e);
}

/* One who must have nothing against a candidate that would be kept. */
struct objector {
    const char *name;
    bool asked;
    bool (*agrees)(struct keep *k, const struct keep_case *c, struct arena *a, bool *agrees,
                   struct err *e);
};

bool keep_confirm_claim(void *context, const struct reduce_candidate *c, unsigned worker,
                        bool *holds, struct err *e)
{
    struct keep *k = context;
    struct arena a = {0};
    struct keep_case files;
    bool known;
    *holds = true;
    bool ok = keep_write_units(k, c->units, worker, &a, &files, e) &&
              keep_expect(k, &c->expect, worker, &a, &files, &known, e);
    bool by_machine = k->from_machine || (c->expect.known && !k->o.against);
    bool waits = k->verdict == VERDICT_PROGRAM_HANG; /* each time until its time is up */
    bool runs = verdict_info(k->verdict)->subject == SUBJECT_RUN;
    const struct objector all[] = {
        /* what was kept before we went over to it was only loaded */
        {"its own driver", (!k->plain || k->differ) && !waits && runs, holds_plainly},
        {"reference", k->has_reference && (by_machine || k->compile_only), reference_agrees},
        {"witness", k->has_witness, keep_witness_agrees},
        {"floats as written", keep_is_asked_as_written(k), keep_is_wrong_as_written},
        {"the caller", k->o.same != NULL, is_same_bug},
        {"sanitizers", !by_machine && !k->compile_only, is_clean_everywhere},
    };
    for (size_t i = 0; ok && *holds && i < LENGTH(all); i++) {
        ok = !all[i].asked || all[i].agrees(k, &files, &a, holds, e);
        if (ok && !*holds)
            log_debug("confirm: no: %s", all[i].name);
    }
    arena_free(&a);
    return ok;
}

/* ---- scripts ---------------------------------------------------------------------------- */

bool keep_run_script(struct keep *k, const struct text *units, unsigned worker,
                     struct sys_result *end, struct err *e)
{
    struct arena a = {0};
    char *dir = arena_printf(&a, "%s/script%u", k->labs.scratch.path, worker);
    struct list paths = {0};
    sys_empty_folder(dir);
    bool ok = sys_make_dirs(dir, e) && write_to(k, dir, units, &a, &paths, e);
    struct sys_job job = {.action = SYS_EXEC,
                          .argv = (char *[]){(char *)k->script, NULL},
                          .env = sys_tool_env(&a, k->labs.at[worker].dir),
                          .dir = dir,
                          .drain_outputs = true,
                          .limits = {.wall = 2 * k->script_patience + 1,
                                     .cpu = k->script_patience,
                                     .by_cpu = true,
                                     .output = 1 << 16}};
    ok = ok && sys_run(k->labs.at[worker].runner, &job, end, e);
    sys_empty_folder(dir);
    sys_empty_folder(k->labs.at[worker].dir);
    arena_free(&a);
    return ok;
}

bool keep_test_script(void *context, const struct reduce_candidate *c, unsigned worker, bool *holds,
                      struct err *e)
{
    struct sys_result end;
    *holds = false;
    if (!keep_run_script(context, c->units, worker, &end, e))
        return false;
    *holds = end.end == SYS_EXITED && end.code == 0;
    sys_result_free(&end);
    return true;
}
