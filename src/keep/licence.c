/* What C lets a compiler do with floating operations is no verdict: clang rounds a * b + c once
 * where it folds it, and adds in another order in loops with hints.  Takes a case with what is
 * expected of it, compiles it once more so that operations are done as written, and tells whether
 * it is wrong even so.  Asked of the original, and of what would be kept, lest a reduction slide
 * there. */
#include "keep/private.h"

bool keep_is_asked_as_written(const struct keep *k)
{
    return !k->o.against && !k->chance && verdict_info(k->verdict)->subject == SUBJECT_RUN &&
           !judge_is_about_volatiles(k->verdict);
}

/* Yields the word that lets the accused do otherwise, NULL for none. */
static bool find_word(struct keep *k, const struct keep_case *c, struct arena *a, const char **word,
                      struct err *e)
{
    struct cc_config written = k->config;
    const char *round = cc_round_each(a, &written, c->program.units);
    const char *order = cc_ignore_hints(a, &written, c->program.units);
    struct outcome o;
    *word = NULL;
    if (!c->expect.runs || (!round && !order))
        return true;
    if (!cc_try(&k->labs.at[0], &written, &c->program, a, &o, e))
        return false;
    if (o.kind == OUTCOME_BUILT && judge_as_expected(&o, &c->expect))
        *word = round ? round : order;
    return true;
}

bool keep_is_wrong_as_written(struct keep *k, const struct keep_case *c, struct arena *a,
                              bool *wrong, struct err *e)
{
    const char *word;
    if (!find_word(k, c, a, &word, e))
        return false;
    *wrong = !word;
    return true;
}

bool keep_check_licence(struct keep *k, const struct keep_case *c, struct arena *a, struct err *e)
{
    const char *word = NULL;
    if (keep_is_asked_as_written(k) && !find_word(k, c, a, &word, e))
        return false;
    return !word ||
           fail(e, "no compiler is to blame: %s lets %s behave otherwise", word, k->config.text);
}
