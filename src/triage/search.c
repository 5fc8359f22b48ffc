/* One question to the compiler after another: does the bug show with these flags?  Counts what it
 * costs and stops at the budget.  Names nobody. */
#include "triage/private.h"

#include <string.h>

static enum answer read_answer(const struct judge_claim *c, const struct outcome *o, bool shown)
{
    bool about_run = verdict_info(c->verdict)->subject == SUBJECT_RUN;
    if (shown)
        return ANSWER_SHOWN;
    if (about_run ? judge_as_expected(o, c->expect) : outcome_info(o->kind)->weight == WEIGHT_FINE)
        return ANSWER_GONE;
    return ANSWER_OTHER;
}

/* The same crash, whatever its line and file? */
static bool is_alike(struct arena *a, const struct judge_claim *c, const struct outcome *o)
{
    return c->verdict == VERDICT_COMPILER_CRASH &&
           judge_verdict(o, c->expect) == VERDICT_COMPILER_CRASH &&
           triage_crash_alike(a, o->signature, c->signature);
}

/* A rejection for another reason is not this one. */
static bool is_other_reason(struct arena *a, const struct judge_claim *c, const struct outcome *o)
{
    return verdict_info(c->verdict)->subject == SUBJECT_VALID &&
           strcmp(verdict_info(c->verdict)->signature(a, o), c->signature) != 0;
}

/* Another compiler's program may be wrong in its own way. */
static bool does_the_same(const struct search *s, const struct outcome *o)
{
    const struct outcome_run *x = s->same, *y = o->run_count == 1 ? &o->runs[0] : NULL;
    return !x || (y && x->end == y->end && x->code == y->code && x->out_size == y->out_size &&
                  memcmp(x->out, y->out, x->out_size) == 0);
}

/* Of what is wrong by chance one run in so many is enough. */
enum { CHANCE_RUNS = 8 };

static bool look_again(struct search *s, const struct judge_claim *claim, struct outcome *o,
                       bool *shown)
{
    size_t wrong;
    if (!s->job->chance)
        return judge_again(s->job->lab, claim, s->a, o, shown, s->e);
    bool ok = judge_again_often(s->job->lab, claim, CHANCE_RUNS, s->a, o, &wrong, s->e);
    *shown = ok && wrong;
    return ok;
}

static enum answer ask(struct search *s, const struct cc_config *config, bool listen,
                       const char **crash, const char **said)
{
    struct judge_claim claim = *s->job->claim;
    struct cc_case program = *claim.program;
    struct outcome o;
    bool shown;
    if (s->failed || s->out->compiles >= s->job->most)
        return ANSWER_NONE;
    program.listen = listen;
    claim.program = &program;
    claim.config = config;
    s->out->compiles++;
    s->failed = !look_again(s, &claim, &o, &shown);
    if (s->failed)
        return ANSWER_NONE;
    if (said)
        *said = o.said;
    if (shown && (is_other_reason(s->a, &claim, &o) || !does_the_same(s, &o)))
        return ANSWER_OTHER;
    shown |= crash && is_alike(s->a, &claim, &o);
    if (crash && shown)
        *crash = o.signature;
    return read_answer(&claim, &o, shown);
}

enum answer search_like(struct search *s, const char **crash)
{
    *crash = "";
    return ask(s, s->job->claim->config, false, crash, NULL);
}

enum answer search_file(struct search *s, const char *path)
{
    struct triage_job job = *s->job;
    struct judge_claim claim = *job.claim;
    struct cc_case program = *claim.program;
    struct search one = *s;
    char *units[] = {(char *)path, NULL};
    program.units = units;
    claim.program = &program;
    job.claim = &claim;
    one.job = &job;
    enum answer answer = ask(&one, claim.config, false, NULL, NULL);
    s->failed = one.failed;
    return answer;
}

enum answer search_ask(struct search *s, char *const *words)
{
    struct cc_config config = cc_config_with(s->a, s->job->claim->config, words);
    return ask(s, &config, false, NULL, NULL);
}

enum answer search_listen(struct search *s, char *const *words, const char **said)
{
    struct cc_config config = cc_config_with(s->a, s->job->claim->config, words);
    *said = "";
    return ask(s, &config, true, NULL, said);
}

enum answer search_level(struct search *s, const char *level)
{
    struct cc_config config = cc_config_at(s->a, s->job->claim->config, level);
    return ask(s, &config, false, NULL, NULL);
}

bool search_shows_plainly(struct search *s)
{
    if (s->plain == ANSWER_NONE)
        s->plain = search_level(s, "-O0");
    return s->plain == ANSWER_SHOWN;
}

size_t search_least(struct search *s, search_words_fn *words, const void *context, size_t low,
                    size_t high, enum answer want)
{
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        enum answer answer = search_ask(s, words(s, context, middle));
        if (answer == ANSWER_NONE)
            return 0;
        if (answer == want)
            high = middle;
        else
            low = middle;
    }
    return high;
}
