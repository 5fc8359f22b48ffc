/* The ladder of evidence.  Takes a claim about a compiler and tries to take it apart: does it
 * happen again, and is the program beyond reproach?  Each rung is a row of rung.def and a function
 * here.  Costly, so only for what looks like a finding. */
#include "judge/private.h"

#include "front/front.h"
#include "machine/machine.h"

#include <string.h>

/* What is at hand while climbing. */
struct climb {
    struct cc_lab *lab;
    const struct judge_tools *tools;
    const struct judge_claim *c;
    struct arena *a;
    struct evidence *out;
    struct rung_result *rung;
};

typedef bool rung_fn(struct climb *k, struct err *e);
#define RUNG(id, ...) static rung_fn try_##id;
#include "judge/rung.def"

enum broken { BROKEN_CHANCE, BROKEN_OURS, BROKEN_DOUBT };

static const struct {
    const char *name;
    enum judge_subject subject;
    enum broken broken;
    rung_fn *try;
} rungs[RUNG_COUNT] = {
#define RUNG(id, name, subject, broken, holds) \
    [RUNG_##id] = {name, SUBJECT_##subject, BROKEN_##broken, try_##id},
#include "judge/rung.def"
};

static const char *const grades[GRADE_COUNT] = {
#define GRADE(id, name, phrase) [GRADE_##id] = name,
#include "judge/grade.def"
};

const char *rung_name(enum rung r)
{
    return rungs[r].name;
}

static const char *const states[] = {[RUNG_UNTRIED] = "untried",
                                     [RUNG_HOLDS] = "holds",
                                     [RUNG_BROKEN] = "broken",
                                     [RUNG_ABSENT] = "absent"};

const char *rung_state_name(enum rung_state s)
{
    return states[s];
}

enum rung_state rung_state_named(const char *name)
{
    for (size_t i = 0; i < LENGTH(states); i++)
        if (strcmp(states[i], name) == 0)
            return (enum rung_state)i;
    return RUNG_UNTRIED;
}

const char *grade_name(enum grade g)
{
    return grades[g];
}

enum grade grade_named(const char *name)
{
    size_t g = 0;
    while (g < GRADE_COUNT && strcmp(grades[g], name) != 0)
        g++;
    return (enum grade)g;
}

/* ---- trying -------------------------------------------------------------------------- */

static bool set(struct climb *k, enum rung_state state, const char *note)
{
    *k->rung = (struct rung_result){state, note};
    return true;
}

static const char *describe(struct climb *k, const struct outcome *o)
{
    if (o->kind != OUTCOME_BUILT)
        return arena_printf(k->a, "%s: %s", outcome_info(o->kind)->phrase, o->message);
    if (o->run_count == 0)
        return "compiled";
    const struct outcome_run *run = &o->runs[0];
    if (judge_as_expected(o, k->c->expect))
        return "as expected";
    const struct judge_expectation *x = k->c->expect;
    bool ended = x->runs && run->end == SYS_EXITED && run->out_size == x->out_size &&
                 memcmp(run->out, x->out, x->out_size) == 0;
    const char *report = *run->err ? str_first_line(k->a, run->err)
                         : ended   ? arena_printf(k->a, "not %d", x->status)
                                   : "another output";
    return arena_printf(k->a, "%s: %s", run->words, report);
}

static bool attempt(struct climb *k, const struct cc_config *config, bool plain, struct outcome *o,
                    struct err *e)
{
    struct cc_case program = *k->c->program;
    program.plain = plain;
    return cc_try(k->lab, config, &program, k->a, o, e);
}

static bool try_again(struct climb *k, bool plain, struct err *e)
{
    struct judge_claim claim = *k->c;
    struct cc_case program = *k->c->program;
    struct outcome o;
    bool holds;
    program.plain = plain;
    claim.program = &program;
    if (!judge_again(k->lab, &claim, k->a, &o, &holds, e))
        return false;
    if (plain)
        k->out->outcome = o;
    return set(k, holds ? RUNG_HOLDS : RUNG_BROKEN, describe(k, &o));
}

static bool try_REPEATS(struct climb *k, struct err *e)
{
    return try_again(k, false, e);
}

static bool try_PLAIN(struct climb *k, struct err *e)
{
    return try_again(k, true, e);
}

/* ---- the program --------------------------------------------------------------------- */

static bool run_machine(struct climb *k, struct program *p)
{
    struct machine_unit unit = {.program = p};
    struct machine_execution run = machine_execute(&unit, 1, NULL);
    const struct machine_result *r = run.run;
    const struct judge_expectation *x = k->c->expect;
    struct text why = {0};
    machine_explain(run.why, &why);
    if (x->undefined)
        set(k,
            run.why->end != MACHINE_UNDEFINED                              ? RUNG_ABSENT
            : strcmp(machine_ub_info[run.why->ub].name, x->undefined) == 0 ? RUNG_HOLDS
                                                                           : RUNG_BROKEN,
            arena_string(k->a, text_str(&why)));
    else if (!run.defined)
        set(k, run.why->end == MACHINE_UNDEFINED ? RUNG_BROKEN : RUNG_ABSENT,
            arena_string(k->a, text_str(&why)));
    else if (r->status != x->status || r->output.n != x->out_size ||
             memcmp(text_str(&r->output), x->out, x->out_size) != 0)
        set(k, RUNG_BROKEN, "another output");
    else
        set(k, RUNG_HOLDS, "");
    text_free(&why);
    machine_execution_free(&run);
    return true;
}

/* Reads the file as anybody would, whatever made it. */
static bool try_MACHINE(struct climb *k, struct err *e)
{
    const struct cc_case *program = k->c->program;
    struct text text = {0};
    if (program->units[1])
        return set(k, RUNG_ABSENT, "several files");
    if (!sys_read_file(program->units[0], SYS_READ_ALL, &text, e))
        return false;
    struct unit u = front_parse(
        text_str(&text), text.n,
        &(struct front_options){.target = k->c->target, .file = program->units[0]});
    if (u.error_count)
        set(k, RUNG_ABSENT, arena_printf(k->a, "not read: %s", u.errors[0].message));
    else
        run_machine(k, u.program);
    lang_program_free(u.program);
    text_free(&text);
    return true;
}

enum vote { VOTE_NONE, VOTE_FOR, VOTE_AGAINST };

/* One that refuses the text, crashes or takes too long has no vote on what the program does; on
 * whether the text is valid a refusal is one. */
static enum vote vote_of(const struct judge_claim *c, const struct outcome *o)
{
    enum outcome_weight weight = outcome_info(o->kind)->weight;
    if (verdict_info(c->verdict)->subject == SUBJECT_VALID)
        return weight == WEIGHT_FINE      ? VOTE_FOR
               : weight == WEIGHT_REFUSED ? VOTE_AGAINST
                                          : VOTE_NONE;
    if (weight != WEIGHT_FINE)
        return VOTE_NONE;
    return c->expect->undefined                                  ? VOTE_FOR
           : !c->expect->runs || judge_as_expected(o, c->expect) ? VOTE_FOR
                                                                 : VOTE_AGAINST;
}

/* What a second compiler rejects is hardly valid; what a second one miscompiles may be. */
static bool is_outvoted(const struct judge_claim *c, size_t for_it, size_t against)
{
    return against > (verdict_info(c->verdict)->subject == SUBJECT_VALID ? 0 : for_it / 2);
}

/* One other compiler's.  Who makes the same mistake with volatile objects is taken to know better
 * than we do. */
static bool ask_voter(struct climb *k, const struct cc_config *voter, enum vote *vote,
                      struct err *e)
{
    struct judge_claim claim = *k->c;
    struct outcome o;
    bool shares = false;
    claim.config = voter;
    bool ok = judge_is_about_volatiles(k->c->verdict)
                  ? judge_again(k->lab, &claim, k->a, &o, &shares, e)
                  : attempt(k, voter, false, &o, e);
    if (ok)
        *vote = shares ? VOTE_AGAINST : vote_of(k->c, &o);
    return ok;
}

/* Everybody else: few may say otherwise, and one must agree. */
static bool try_VOTES(struct climb *k, struct err *e)
{
    size_t votes[VOTE_AGAINST + 1] = {0};
    const char *other = "";
    for (size_t i = 0; i < k->tools->voter_count; i++) {
        const struct cc_config *voter = &k->tools->voters[i];
        enum vote vote;
        if (strcmp(voter->argv[0], k->c->config->argv[0]) == 0)
            continue;
        if (!ask_voter(k, voter, &vote, e))
            return false;
        votes[vote]++;
        if (vote == VOTE_AGAINST)
            other = voter->text;
    }
    size_t for_it = votes[VOTE_FOR], against = votes[VOTE_AGAINST];
    if (!for_it && !against)
        return set(k, RUNG_ABSENT,
                   votes[VOTE_NONE] ? "nobody else compiles it" : "no other compiler");
    if (is_outvoted(k->c, for_it, against))
        return set(k, RUNG_BROKEN,
                   arena_printf(k->a, "%zu of %zu disagree, such as %s", against, against + for_it,
                                other));
    return set(k, RUNG_HOLDS, arena_printf(k->a, "%zu of %zu", for_it, for_it + against));
}

/* Nothing that was said: another output. */
static bool is_silent(const struct outcome *o)
{
    return o->runs[0].end == SYS_EXITED && !*o->runs[0].err;
}

static bool is_of_accused_family(const struct climb *k, const struct cc_config *config)
{
    enum cc_family its, accused;
    return cc_family_of(config->argv[0], &its) && cc_family_of(k->c->config->argv[0], &accused) &&
           its == accused;
}

/* Under a compiler that looks for mistakes of the program.  Where that is the accused itself, what
 * it sees may be the mistake that it is accused of: then it is asked without optimisation too, and
 * has nothing to say if the program only does something else there as well, without a report. */
static bool try_checked(struct climb *k, const struct cc_config *config, struct err *e)
{
    struct outcome o;
    if (!config)
        return set(k, RUNG_ABSENT, "not installed");
    struct cc_config plain = cc_config_with(k->a, config, (char *[]){"-O0", NULL});
    bool own = is_of_accused_family(k, config);
    for (int i = 0; i <= own; i++) {
        if (!attempt(k, i ? &plain : config, true, &o, e))
            return false;
        /* one that cannot compile it, or is too slow, has nothing to say */
        if (o.kind != OUTCOME_BUILT || o.run_count != 1 || o.runs[0].end == SYS_TIMEOUT ||
            o.runs[0].end == SYS_MEMORY)
            return set(k, RUNG_ABSENT, describe(k, &o));
        if (judge_as_expected(&o, k->c->expect) && !*o.runs[0].err)
            return set(k, RUNG_HOLDS, describe(k, &o));
    }
    return set(k, own && is_silent(&o) ? RUNG_ABSENT : RUNG_BROKEN, describe(k, &o));
}

static bool try_GCC_SAN(struct climb *k, struct err *e)
{
    return try_checked(k, k->tools->gcc_san, e);
}

static bool try_CLANG_SAN(struct climb *k, struct err *e)
{
    return try_checked(k, k->tools->clang_san, e);
}

static bool try_CLANG_MSAN(struct climb *k, struct err *e)
{
    return try_checked(k, k->tools->clang_msan, e);
}

enum { VALGRIND_ERROR = 99 };

/* Its own troubles are none of the program's. */
static bool try_VALGRIND(struct climb *k, struct err *e)
{
    struct list emulator = {0};
    struct outcome o;
    if (!k->tools->valgrind || !k->tools->plain)
        return set(k, RUNG_ABSENT, "not installed");
    struct cc_config config = *k->tools->plain;
    list_add(k->a, &emulator, (char *)k->tools->valgrind);
    list_add(k->a, &emulator, "-q");
    list_add(k->a, &emulator, arena_printf(k->a, "--error-exitcode=%d", VALGRIND_ERROR));
    list_add(k->a, &emulator, NULL);
    config.emulator = (char **)emulator.at;
    if (!attempt(k, &config, true, &o, e))
        return false;
    if (judge_as_expected(&o, k->c->expect))
        return set(k, RUNG_HOLDS, "as expected");
    bool reported = o.run_count == 1 && o.runs[0].end == SYS_EXITED &&
                    o.runs[0].code == VALGRIND_ERROR;
    return set(k, reported ? RUNG_BROKEN : RUNG_ABSENT, describe(k, &o));
}

/* Of what the accused alone reports, or alone does not, the accused is to blame. */
static bool try_SANITIZERS(struct climb *k, struct err *e)
{
    bool silent = k->c->verdict == VERDICT_SANITIZER_SILENT;
    struct sanitizer_votes votes;
    if (!judge_sanitizer_of(k->c->config))
        return set(k, RUNG_ABSENT, "not a sanitizer that is known");
    if (!sanitizer_ask_others(k->lab, k->c, k->tools, k->a, &votes, e))
        return false;
    size_t for_it = silent ? votes.reports : votes.silent;
    size_t against = silent ? votes.silent : votes.reports;
    const char *note = arena_printf(k->a, "%zu report it, %zu are silent", votes.reports,
                                    votes.silent);
    if (!for_it && !against)
        return set(k, RUNG_ABSENT, "no other sanitizer");
    return set(k, for_it > against ? RUNG_HOLDS : RUNG_BROKEN, note);
}

/* ---- flags that hide undefined behaviour --------------------------------------------- */

static bool try_flags(struct climb *k, char *const *words, struct err *e)
{
    struct outcome o;
    struct cc_config config = cc_config_with(k->a, k->c->config, words);
    struct judge_claim claim = *k->c;
    bool holds;
    claim.config = &config;
    if (!judge_again(k->lab, &claim, k->a, &o, &holds, e))
        return false;
    if (o.kind != OUTCOME_BUILT)
        return set(k, RUNG_ABSENT, describe(k, &o));
    return set(k, holds ? RUNG_HOLDS : RUNG_BROKEN, describe(k, &o));
}

static bool try_ALIASING(struct climb *k, struct err *e)
{
    return try_flags(k, (char *[]){"-fno-strict-aliasing", NULL}, e);
}

static bool try_WRAPV(struct climb *k, struct err *e)
{
    return try_flags(k, (char *[]){"-fwrapv", NULL}, e);
}

/* A pragma or a flag that says how wide a loop is to be vectorised also lets clang change the order
 * of its floating additions; and by default it rounds a * b + c once where it folds it. */
static bool try_HINTS(struct climb *k, struct err *e)
{
    struct list words = {0};
    char *const *order = cc_order_words(k->c->config), *const *round = cc_rounding_words(
                                                           k->c->config);
    for (; order && *order; order++)
        list_add(k->a, &words, *order);
    for (; round && *round; round++)
        list_add(k->a, &words, *round);
    list_add(k->a, &words, NULL);
    enum cc_family family;
    if (words.n == 1)
        return true;
    if (!try_flags(k, (char **)words.at, e))
        return false;
    bool refused = k->rung->state == RUNG_ABSENT;
    if (refused && !cc_family_of(k->c->config->argv[0], &family))
        return set(k, RUNG_UNTRIED, ""); /* not clang, then */
    return true;
}

/* ---- all of it ----------------------------------------------------------------------- */

static bool vouches(const struct rung_result *r)
{
    return r[RUNG_SANITIZERS].state == RUNG_HOLDS || r[RUNG_GCC_SAN].state == RUNG_HOLDS ||
           r[RUNG_CLANG_SAN].state == RUNG_HOLDS || r[RUNG_CLANG_MSAN].state == RUNG_HOLDS ||
           r[RUNG_VALGRIND].state == RUNG_HOLDS;
}

enum grade judge_grade(enum verdict verdict, const struct rung_result *r)
{
    enum judge_subject subject = verdict_info(verdict)->subject;
    bool doubt = false;
    for (size_t i = 0; i < RUNG_COUNT; i++) {
        if (r[i].state != RUNG_BROKEN)
            continue;
        if (rungs[i].broken == BROKEN_DOUBT)
            doubt = true;
        else
            return rungs[i].broken == BROKEN_CHANCE ? GRADE_CHANCE : GRADE_OURS;
    }
    bool machine = r[RUNG_MACHINE].state == RUNG_HOLDS, votes = r[RUNG_VOTES].state == RUNG_HOLDS;
    bool needs_machine = subject != SUBJECT_CODE, needs_tools = subject == SUBJECT_RUN;
    if (needs_machine && !machine && !votes)
        return GRADE_SUSPECT;
    if (doubt || (needs_machine && (!machine || !votes)) || (needs_tools && !vouches(r)))
        return GRADE_LIKELY;
    return GRADE_CONFIRMED;
}

/* Sanitizers do not vouch for programs when one of them is accused: then they are asked about it.
 */
static bool is_asked(enum rung r, enum verdict v)
{
    bool sanitizer = r == RUNG_SANITIZERS;
    if (rungs[r].subject != SUBJECT_RUN)
        return rungs[r].subject <= verdict_info(v)->subject;
    return verdict_info(v)->subject == SUBJECT_RUN && sanitizer == judge_is_about_sanitizer(v);
}

bool judge_gather(struct cc_lab *lab, const struct judge_tools *tools, const struct judge_claim *c,
                  struct arena *a, struct evidence *out, struct err *e)
{
    struct climb k = {.lab = lab, .tools = tools, .c = c, .a = a, .out = out};
    *out = (struct evidence){0};
    for (size_t i = 0; i < RUNG_COUNT; i++) {
        k.rung = &out->rungs[i];
        k.rung->note = "";
        /* what does not end costs minutes each time, and no linker makes it */
        bool endless = i == RUNG_PLAIN && verdict_info(c->verdict)->cost == COST_ENDLESS;
        if (!is_asked((enum rung)i, c->verdict) || endless)
            continue;
        if (!rungs[i].try(&k, e))
            return false;
        if (k.rung->state == RUNG_BROKEN && rungs[i].broken != BROKEN_DOUBT)
            break;
    }
    out->grade = judge_grade(c->verdict, out->rungs);
    return true;
}
