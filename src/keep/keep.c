/* What there is to keep: the verdict of the original, found out before anything is reduced. */
#include "keep/private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- opening ---------------------------------------------------------------------------- */

static bool find_script(struct keep *k, struct err *e)
{
    k->script = sys_real_path(&k->arena, k->o.script);
    if (!k->script)
        return fail(e, "script '%s' not found", k->o.script);
    if (access(k->script, X_OK) != 0)
        return fail(e, "script '%s' cannot be executed: chmod +x it", k->o.script);
    return true;
}

static bool parse_configs(struct keep *k, struct err *e)
{
    if (k->o.script)
        return find_script(k, e);
    if (!cc_config_parse(&k->arena, k->o.cc, k->o.emulator, &k->config, e))
        return false;
    cc_mean_plainly(&k->arena, &k->config);
    k->has_reference = k->o.against;
    if (k->o.against && !cc_config_parse(&k->arena, k->o.against, k->o.emulator, &k->reference, e))
        return false;
    if (k->o.against)
        cc_mean_plainly(&k->arena, &k->reference);
    return true;
}

struct keep *keep_open(const struct keep_options *o, struct err *e)
{
    struct keep *k = calloc(1, sizeof *k);
    if (!k)
        BUG("out of memory");
    k->o = *o;
    k->signature = k->message = "";
    k->labs.scratch.lock_fd = -1;
    bool ok = parse_configs(k, e);
    const struct cc_config both[] = {k->config, k->reference};
    size_t n = o->script || !ok ? 0 : k->has_reference ? 2 : 1;
    struct cc_lab_options labs = {.count = o->jobs,
                                  .readable = cc_readable(&k->arena, both, n),
                                  .trust_compilers = o->trust_compilers};
    k->target = lang_target(TARGET_LP64);
    ok = ok && cc_labs_open(&k->labs, &labs, e) &&
         (o->script || judge_find_target(&k->labs.at[0], &k->config, &k->arena, &k->target, e));
    if (ok)
        return k;
    keep_close(k);
    return NULL;
}

void keep_close(struct keep *k)
{
    if (!k)
        return;
    cc_labs_close(&k->labs);
    arena_free(&k->arena);
    free(k);
}

/* ---- tools and references --------------------------------------------------------------- */

void keep_find_tools(struct keep *k)
{
    struct cc_list found = {0};
    struct cc_discovery how = {0};
    struct judge_tools all[TARGET_COUNT] = {0};
    struct err e;
    if (k->tools_known)
        return;
    k->tools_known = true;
    if (cc_discover(&k->arena, &k->labs, &how, &found, &e))
        judge_find_tools(&k->arena, &found, all);
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (lang_target((enum target_id)i) == k->target)
            k->tools = all[i];
}

/* The same compiler without optimisation, then whoever votes. */
static const char *reference_text(struct keep *k, size_t choice)
{
    if (choice == 0)
        return *k->config.level && strcmp(k->config.level, "-O0") != 0
                   ? arena_printf(&k->arena, "%s -O0", k->config.compiler)
                   : "";
    keep_find_tools(k);
    size_t voter = choice - 1;
    if (voter >= k->tools.voter_count)
        return NULL;
    const struct cc_config *c = &k->tools.voters[k->tools.voter_count - 1 - voter];
    return strcmp(c->argv[0], k->config.argv[0]) == 0 ? "" : c->text;
}

bool keep_is_gcc_or_clang(const struct cc_config *config)
{
    enum cc_family family;
    return cc_family_of(config->argv[0], &family) &&
           (family == CC_FAMILY_GCC || family == CC_FAMILY_CLANG);
}

static bool is_right(struct keep *k, const struct keep_case *c, struct arena *a, struct err *e,
                     bool *right)
{
    struct outcome o;
    if (!keep_try_reference(k, c, a, &o, e))
        return false;
    if (c->program.compile_only || o.run_count != 1)
        *right = o.kind == OUTCOME_BUILT;
    else
        *right = c->expect.runs ? judge_as_expected(&o, &c->expect)
                                : o.kind == OUTCOME_BUILT && o.runs[0].end == SYS_EXITED;
    k->agreed = *right ? c->hash : 0;
    return true;
}

/* Somebody who is right about the original. */
static bool choose_reference(struct keep *k, const struct keep_case *c, struct arena *a,
                             struct err *e)
{
    const char *text;
    bool right = false;
    if (k->has_reference)
        return true;
    for (size_t i = 0; !right && (text = reference_text(k, i)); i++) {
        if (!*text || !cc_config_parse(&k->arena, text, k->o.emulator, &k->reference, NULL))
            continue;
        if (!is_right(k, c, a, e, &right))
            return false;
    }
    k->has_reference = right;
    if (right)
        log_debug("reference: %s", k->reference.text);
    return true;
}

/* What compilers only warn of may well be rejected: who vouches that a program is valid is as
 * strict as the original lets it be. */
static bool tighten_reference(struct keep *k, const struct keep_case *c, struct arena *a,
                              struct err *e)
{
    static char *const ways[][2] = {{"-pedantic-errors", NULL}, {"-Werror", NULL}};
    struct cc_case program = c->program;
    struct outcome o = {0};
    program.compile_only = true;
    for (size_t i = 0; i < LENGTH(ways); i++) {
        struct cc_config strict = cc_config_with(&k->arena, &k->reference, ways[i]);
        if (!cc_try(&k->labs.at[0], &strict, &program, a, &o, e))
            return false;
        if (o.kind == OUTCOME_BUILT) {
            k->reference = strict;
            return true;
        }
    }
    return true;
}

/* ---- the verdict ------------------------------------------------------------------------ */

/* Other code the next time, or with -g. */
static bool compare_objects(struct keep *k, const struct keep_case *c, struct arena *a,
                            struct err *e)
{
    static const enum verdict all[] = {VERDICT_UNSTABLE_CODE, VERDICT_DEBUG_CODE};
    struct judge_claim claim = keep_claim(k, c);
    if (!judge_can_compare_objects(&k->config))
        return true;
    for (size_t i = 0; i < LENGTH(all) && k->verdict == VERDICT_NONE; i++) {
        struct outcome o;
        bool holds = false;
        claim.verdict = all[i];
        /* who promises the same code with -g */
        if (all[i] == VERDICT_DEBUG_CODE && !keep_is_gcc_or_clang(&k->config))
            continue;
        if (!judge_again(&k->labs.at[0], &claim, a, &o, &holds, e))
            return false;
        k->verdict = holds ? all[i] : VERDICT_NONE;
    }
    return true;
}

/* Mistakes with volatile objects. */
static bool compare_accesses(struct keep *k, const struct keep_case *c, struct arena *a,
                             struct err *e)
{
    struct judge_claim claim = keep_claim(k, c);
    struct outcome o;
    return !c->expect.runs || judge_find_volatile(&k->labs.at[0], &claim, a, &o, &k->verdict, e);
}

/* Far more time or memory than the reference takes. */
static bool compare_costs(struct keep *k, const struct keep_case *c, const struct outcome *o,
                          struct arena *a, struct err *e)
{
    struct cc_case program = c->program;
    struct outcome other;
    program.compile_only = true;
    if (!cc_try(&k->labs.at[0], &k->reference, &program, a, &other, e))
        return false;
    /* memory first: filling it takes time, and how much of that depends on the machine's load */
    if ((double)o->compile_memory > 1e9 && o->compile_memory > 10 * other.compile_memory) {
        k->verdict = VERDICT_LARGE_COMPILE;
        k->limit = (double)o->compile_memory / 3;
    } else if (o->compile_cpu > 1 && o->compile_cpu > 10 * other.compile_cpu) {
        k->verdict = VERDICT_SLOW_COMPILE;
        k->limit = o->compile_cpu / 3;
    }
    return true;
}

/* What one outcome does not show. */
static bool look_closer(struct keep *k, const struct keep_case *c, const struct outcome *o,
                        struct arena *a, struct err *e)
{
    if (o->kind != OUTCOME_BUILT)
        return true;
    if (!compare_accesses(k, c, a, e))
        return false;
    if (k->verdict != VERDICT_NONE)
        return true;
    if (!compare_objects(k, c, a, e))
        return false;
    return k->verdict != VERDICT_NONE || !k->has_reference || compare_costs(k, c, o, a, e);
}

static bool is_part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* What the compiler does with it, and whether that is about the compiled program. */
static bool try_config(struct keep *k, const struct keep_case *c, struct arena *a,
                       struct outcome *o, struct err *e)
{
    return cc_try(&k->labs.at[0], &k->config, &c->program, a, o, e) &&
           cc_look_at_flags(&k->labs.at[0], &k->config, a, o, e);
}

/* The verdict on this outcome, the expectation being there. */
static bool name_verdict(struct keep *k, const struct keep_case *c, const struct outcome *o,
                         struct arena *a, struct err *e)
{
    k->verdict = judge_verdict(o, &c->expect);
    if (k->verdict == VERDICT_REJECTS_VALID && !k->has_reference)
        k->verdict = VERDICT_NONE;
    if (o->kind == OUTCOME_BAD_FLAGS)
        return fail(e, "%s %s: %s", k->config.text, outcome_info(o->kind)->phrase, o->message);
    if (k->verdict == VERDICT_NONE && !look_closer(k, c, o, a, e))
        return false;
    if (k->verdict == VERDICT_NONE)
        return fail(e, "%s does nothing wrong with it%s%s", k->config.text,
                    o->kind == OUTCOME_BUILT ? "" : ": ",
                    o->kind == OUTCOME_BUILT ? "" : o->message);
    enum judge_subject subject = verdict_info(k->verdict)->subject;
    if (subject == SUBJECT_VALID && !k->o.against && !tighten_reference(k, c, a, e))
        return false;
    log_debug("verdict: %s", verdict_info(k->verdict)->name);
    if (subject == SUBJECT_RUN)
        k->end = o->runs[0].end;
    k->signature = arena_string(&k->arena, verdict_info(k->verdict)->signature(a, o));
    k->message = arena_string(&k->arena, o->message);
    k->compile_only = k->compile_only || subject == SUBJECT_CODE ||
                      (subject == SUBJECT_VALID && o->kind != OUTCOME_LINK_FAILED);
    return true;
}

/* Without the word there is no such function, and nothing to link. */
static bool has_main(const struct text *units, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (const char *at = text_str(&units[i]); (at = strstr(at, "main")); at++)
            if (!is_part_of_word(at[4]) && (at == text_str(&units[i]) || !is_part_of_word(at[-1])))
                return true;
    return false;
}

/* What C leaves open, compilers may do differently. */
static bool is_specified(const struct keep *k, const struct reduce_reach *reach, struct err *e)
{
    bool open = reach->open && verdict_info(k->verdict)->subject == SUBJECT_RUN;
    return !open || fail(e, "no compiler is to blame: %s", reach->open);
}

/* Asks the machine only when the program was compiled: it may take long. */
static bool find_verdict(struct keep *k, const struct reduce_options *r, const struct text *units,
                         struct reduce_reach *reach, struct err *e)
{
    struct arena a = {0};
    struct keep_case c;
    struct outcome o;
    struct reduce_options most = *r;
    bool known;
    k->compile_only = !has_main(units, k->o.count);
    bool ok = keep_write_units(k, units, 0, &a, &c, e) && try_config(k, &c, &a, &o, e);
    if (ok) {
        bool runs = o.kind == OUTCOME_BUILT && !k->compile_only;
        k->ran = runs;
        bool refused = outcome_info(o.kind)->weight == WEIGHT_REFUSED && !k->compile_only;
        most.filter = runs || refused ? REDUCE_DEFINED : REDUCE_VALID;
        reduce_reach(&most, units, k->o.count, &k->arena, reach);
        const struct reduce_expect *x = &reach->expect;
        log_debug("%s: machine: %s", outcome_info(o.kind)->phrase, x->known ? "yes" : reach->why);
        c.expect = (struct judge_expectation){.runs = x->known,
                                              .out = x->out,
                                              .out_size = x->out_size,
                                              .status = x->status,
                                              .valid = true};
        k->verdict = judge_verdict(&o, &c.expect); /* as far as this shows it */
        k->check_only = k->verdict == VERDICT_COMPILER_CRASH;
        c.program.compile_only = k->compile_only ||
                                 (o.kind != OUTCOME_BUILT && o.kind != OUTCOME_LINK_FAILED);
        ok = choose_reference(k, &c, &a, e);
        k->from_machine = x->known && !k->o.against;
        if (ok && runs && (k->from_machine || k->has_reference))
            ok = keep_expect(k, x, 0, &a, &c, &known, e);
        if (ok && runs && k->plain)
            ok = keep_find_wrong_run(k, &c, &a, &o, e);
        ok = ok && name_verdict(k, &c, &o, &a, e) && is_specified(k, reach, e) &&
             keep_find_chance(k, &c, &o, &a, e) && keep_check_licence(k, &c, &a, e) &&
             keep_find_witness(k, &c, &a, e);
    }
    arena_free(&a);
    return ok;
}

/* What sanitizers are silent about, compilers warn of: a value that is not returned, or not set.
 * Only where the original gives no cause for that. */
static bool find_strict(struct keep *k, const struct text *units, struct err *e)
{
    static char *const words[] = {"-Werror=return-type",    "-Werror=uninitialized",
                                  "-Werror=implicit-int",   "-Werror=implicit-function-declaration",
                                  "-Werror=int-conversion", "-Werror=incompatible-pointer-types",
                                  "-Werror=format",         NULL};
    struct arena a = {0};
    struct keep_case c;
    keep_find_tools(k);
    const struct cc_config *from = k->tools.gcc_san ? k->tools.gcc_san : k->tools.clang_san;
    if (!from)
        return true;
    k->strict = cc_config_with(&k->arena, from, words);
    bool ok = keep_write_units(k, units, 0, &a, &c, e) &&
              keep_is_taken(k, &k->strict, &c, &a, &k->has_strict, e);
    arena_free(&a);
    return ok;
}

/* ---- deciding --------------------------------------------------------------------------- */

/* Yes at least once. */
static bool holds_sometimes(struct keep *k, const struct reduce_options *r,
                            const struct text *units, struct err *e)
{
    enum { MOST = 16 };
    bool holds = false;
    for (unsigned i = 0; i < MOST && !holds; i++)
        if (!reduce_check(r, units, k->o.count, &holds, e))
            return false;
    return holds || fail(e, "what it shows by chance does not show again");
}

/* Yes each time; else e says what it is. */
static bool holds_steadily(struct keep *k, const struct reduce_options *r, const struct text *units,
                           unsigned times, struct err *e)
{
    enum { MORE = 2 };
    unsigned yes = 0;
    for (unsigned i = 0; i < times; i++) {
        bool holds = false;
        if (!reduce_check(r, units, k->o.count, &holds, e))
            return false;
        yes += holds;
        if (yes == 0 && i + 1 == times && times < MORE)
            times += MORE; /* never, or not always? */
    }
    if (yes == times)
        return true;
    return yes ? fail(e, "the predicate is flaky: it holds %u times of %u for the same program",
                      yes, times)
               : fail(e,
                      "the predicate does not hold for the program itself (preprocessed and "
                      "laid out anew%s)",
                      k->o.script ? ", alone in a folder of its own" : "");
}

/* Ten times as long as the original takes, and some seconds, for what is smaller. */
static double patience_after(const struct sys_result *end)
{
    static const double times = 10, least = 5;
    double took = end->wall > end->cpu ? end->wall : end->cpu;
    return least + times * took;
}

static bool starts(struct keep *k, const struct text *units, struct err *e)
{
    static const double first = 60;
    struct sys_result end;
    k->script_patience = k->o.script_timeout > 0 ? k->o.script_timeout : first;
    if (!keep_run_script(k, units, 0, &end, e))
        return false;
    bool ran = end.end != SYS_TIMEOUT && end.end != SYS_NOT_STARTED;
    if (end.end == SYS_TIMEOUT)
        fail(e, "script '%s' hangs: no answer within %g s (--timeout gives it more)", k->o.script,
             k->script_patience);
    else if (!ran)
        fail(e, "script '%s' cannot be started: %s: does its first line name what runs it?",
             k->o.script, text_str(&end.reason));
    else if (k->o.script_timeout <= 0)
        k->script_patience = patience_after(&end);
    sys_result_free(&end);
    return ran;
}

/* How far it gets: defined, valid, or just text. */
static void look(struct keep *k, const struct reduce_options *r, const struct text *units,
                 struct reduce_reach *out)
{
    struct reduce_options full = *r;
    full.filter = REDUCE_DEFINED;
    reduce_reach(&full, units, k->o.count, &k->arena, out);
}

/* Without types and executions it takes far longer, and what is left is larger. */
static void note_text(const struct reduce_options *r, const struct reduce_reach *reach)
{
    if (r->filter == REDUCE_TEXT)
        log_note("it cannot be read (%s): reduced by lines and tokens", reach->why);
}

static bool decide_script(struct keep *k, struct reduce_options *r, const struct text *units,
                          struct err *e)
{
    struct reduce_reach reach;
    r->test = keep_test_script;
    r->confirm = NULL;
    k->phrase = arena_printf(&k->arena, "what %s looks for", k->o.script);
    look(k, r, units, &reach);
    k->was_defined = reach.filter == REDUCE_DEFINED;
    if (k->o.defined && !k->was_defined)
        return fail(e, "it is to stay defined, but is not: %s", reach.why);
    r->filter = k->was_defined && !k->o.defined ? REDUCE_VALID : reach.filter;
    note_text(r, &reach);
    return starts(k, units, e);
}

/* How much of a program it must stay, by what the verdict is about. */
static void choose_filter(struct keep *k, struct reduce_options *r, enum reduce_filter reach)
{
    enum judge_subject subject = verdict_info(k->verdict)->subject;
    r->test = keep_test_claim;
    r->confirm = keep_confirm_claim;
    r->has_main = !k->compile_only;
    if (subject == SUBJECT_RUN || subject == SUBJECT_VALID)
        r->filter = reach; /* who refuses a program is asked why: it had better be defined */
    else
        r->filter = reach == REDUCE_TEXT ? REDUCE_TEXT : REDUCE_VALID;
    /* our front end or the machine vouches for every candidate: the others may be asked later */
    r->lazy = r->filter != REDUCE_TEXT && subject != SUBJECT_VALID;
    k->phrase = arena_printf(&k->arena, "%s of %s%s%s", verdict_info(k->verdict)->name,
                             k->config.text, *k->signature ? ": " : "", k->signature);
}

/* Does this smallest of programs exit with that status? */
static bool exits_with(struct keep *k, const char *program, int status, bool *right, struct err *e)
{
    struct text *units = NEW_ARRAY(&k->arena, k->o.count, struct text);
    struct arena a = {0};
    struct keep_case c;
    struct outcome o;
    text_puts(&units[0], program);
    bool ok = keep_write_units(k, units, 0, &a, &c, e) && try_config(k, &c, &a, &o, e);
    *right = ok && o.kind == OUTCOME_BUILT && o.run_count == 1 && o.runs[0].end == SYS_EXITED &&
             o.runs[0].code == status;
    text_free(&units[0]);
    arena_free(&a);
    return ok;
}

/* A compiler that is wrong about every exit status, or about a main that just ends (C99 has it
 * return 0), would be wrong about every reduced program in the same way, whatever it did wrong at
 * first. */
static bool find_status_bugs(struct keep *k, struct reduce_options *r, struct err *e)
{
    bool ends = false, returns = false;
    if (!exits_with(k, "int f(void) { return 3; }\nint main(void) { f(); }\n", 0, &ends, e) ||
        !exits_with(k, "int main(void) { return 3; }\n", 3, &returns, e))
        return false;
    r->main_returns = !ends;
    r->keeps_output = !returns;
    return true;
}

static bool decide_claim(struct keep *k, struct reduce_options *r, const struct text *units,
                         struct err *e)
{
    struct reduce_reach reach = {.why = ""};
    bool found = find_verdict(k, r, units, &reach, e);
    if (!found && k->ran && !reach.undefined) { /* what is wrong may depend on who links it */
        k->plain = true;
        found = find_verdict(k, r, units, &reach, e);
    }
    bool runs = found && verdict_info(k->verdict)->subject == SUBJECT_RUN;
    if (reach.undefined && (!found || runs))
        return fail(e, "the program is undefined, so a compiler may do anything: %s", reach.why);
    if (!found)
        return false;
    choose_filter(k, r, reach.filter);
    note_text(r, &reach);
    if (runs && !find_status_bugs(k, r, e))
        return false;
    if (reach.filter == REDUCE_DEFINED || !runs)
        return true;
    log_note("the machine cannot execute it (%s): sanitizers are the guards", reach.why);
    r->guard = true;
    r->lazy = false;
    return find_strict(k, units, e);
}

/* What is wrong and varies depends on what nobody wrote: on what is left on the stack, mostly.  The
 * program is defined, so it may fill that itself; then it shows the same each time, and a smaller
 * program does not lose it by chance.  Where that does not help, the program stays as it is. */
static bool fill_stack(struct keep *k, struct reduce_options *r, struct text *unit, struct err *e)
{
    const struct target *target = r->target ? r->target : lang_target(TARGET_LP64);
    struct text filled = {0};
    struct err why;
    bool chance = k->chance, plain = k->plain, steady = false;
    k->plain = false;
    if (judge_fill_stack(text_str(unit), unit->n, target, &filled)) {
        reduce_lay_out(r, &filled, 1);
        steady = decide_claim(k, r, &filled, &why) && !k->varies;
    }
    if (steady) {
        struct text was = *unit;
        *unit = filled;
        filled = was;
        log_note("what it does wrong depends on what is left on the stack: it fills that now");
    }
    text_free(&filled);
    if (steady)
        return true;
    k->plain = plain;
    if (!decide_claim(k, r, unit, e))
        return false;
    k->chance = k->chance || chance;
    return true;
}

bool keep_decide(struct keep *k, struct reduce_options *r, struct text *units, struct err *e)
{
    r->predicate = k;
    if (!k->o.script)
        r->target = k->target;
    reduce_lay_out(r, units, k->o.count);
    bool ok = k->o.script ? decide_script(k, r, units, e) : decide_claim(k, r, units, e);
    if (ok && k->varies && k->from_machine && k->o.count == 1)
        ok = fill_stack(k, r, units, e);
    if (ok && k->chance)
        ok = holds_sometimes(k, r, units, e);
    else /* the verdict was seen once already */
        ok = ok && holds_steadily(k, r, units, k->o.script ? 3 : 1, e);
    k->hurried = ok;
    return ok;
}

/* A script that only compares outputs likes what is undefined best. */
static void warn_of_slide(struct keep *k, const struct reduce_options *r, const struct text *units)
{
    struct reduce_reach reach = {.undefined = false};
    if (k->was_defined && !k->o.defined)
        look(k, r, units, &reach);
    if (reach.undefined)
        log_note(
            "the result is undefined, which the original was not: %s (--defined does not let it)",
            reach.why);
}

bool keep_settle(struct keep *k, const struct reduce_options *r, const struct text *units,
                 struct err *e)
{
    bool plain = k->plain;
    k->plain = k->final = true;
    k->hurried = false;
    bool ok = holds_steadily(k, r, units, k->o.script ? 3 : 1, e);
    k->plain = plain;
    k->final = false;
    k->hurried = true;
    if (ok && k->o.script)
        warn_of_slide(k, r, units);
    return ok;
}

bool keep_wait_longer(struct keep *k)
{
    bool more = k->verdict == VERDICT_COMPILER_HANG && !k->patient;
    k->patient = k->patient || more;
    return more;
}

const char *keep_phrase(const struct keep *k)
{
    return k->phrase;
}

enum verdict keep_verdict(const struct keep *k)
{
    return k->verdict;
}

uint64_t keep_key(const struct keep *k)
{
    uint64_t hash = hash_string(k->o.script ? k->script : k->config.text);
    hash = hash_pair(hash, hash_string(k->o.against ? k->o.against : ""));
    return hash_pair(hash, hash_pair((uint64_t)k->verdict, hash_string(k->signature)));
}

bool keep_gather(struct keep *k, const struct text *units, const struct reduce_expect *x,
                 struct arena *a, struct evidence *out, struct err *e)
{
    struct keep_case c;
    bool known;
    keep_find_tools(k);
    if (!keep_write_units(k, units, 0, a, &c, e) || !keep_expect(k, x, 0, a, &c, &known, e))
        return false;
    struct judge_claim claim = keep_claim(k, &c);
    claim.target = k->target;
    return judge_gather(&k->labs.at[0], &k->tools, &claim, a, out, e);
}
