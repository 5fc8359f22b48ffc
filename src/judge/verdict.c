/* One outcome to a verdict, by what is known of the program. */
#include "judge/judge.h"

#include <string.h>

static const struct verdict_info infos[VERDICT_COUNT] = {
    [VERDICT_NONE] = {"none", "nothing to report", SUBJECT_CODE},
#define VERDICT(id, name, subject, phrase) [VERDICT_##id] = {name, phrase, SUBJECT_##subject},
#include "judge/verdict.def"
};

const struct verdict_info *verdict_info(enum verdict v)
{
    return &infos[v];
}

enum verdict verdict_named(const char *name)
{
    for (size_t i = 1; i < VERDICT_COUNT; i++)
        if (strcmp(infos[i].name, name) == 0)
            return (enum verdict)i;
    return VERDICT_NONE;
}

static const struct outcome_run *only_run(const struct outcome *o)
{
    return o->kind == OUTCOME_BUILT && o->run_count == 1 ? &o->runs[0] : NULL;
}

bool judge_as_expected(const struct outcome *o, const struct judge_expectation *x)
{
    const struct outcome_run *run = only_run(o);
    return run && x->runs && run->end == SYS_EXITED && run->code == x->status &&
           run->out_size == x->out_size && memcmp(run->out, x->out, x->out_size) == 0;
}

static enum verdict verdict_of_run(const struct outcome *o, const struct judge_expectation *x)
{
    const struct outcome_run *run = only_run(o);
    if (!run || !x->runs || judge_as_expected(o, x))
        return VERDICT_NONE;
    switch (run->end) {
    case SYS_SIGNALLED:
        return VERDICT_PROGRAM_CRASH;
    case SYS_TIMEOUT:
        return VERDICT_PROGRAM_HANG;
    case SYS_EXITED:
    case SYS_OUTPUT_LONG:
    case SYS_MEMORY:
    case SYS_CROWD:
        return VERDICT_WRONG_CODE;
    case SYS_NOT_STARTED:
    case SYS_NOT_LOADED:
    case SYS_CANCELLED:
        return VERDICT_NONE;
    }
    BUG("end %d", (int)run->end);
}

enum verdict judge_verdict(const struct outcome *o, const struct judge_expectation *x)
{
    switch (outcome_info(o->kind)->weight) {
    case WEIGHT_FINE:
        return verdict_of_run(o, x);
    case WEIGHT_REFUSED:
        return x->valid ? VERDICT_REJECTS_VALID : VERDICT_NONE;
    case WEIGHT_FAULT:
        return o->kind == OUTCOME_HANG            ? VERDICT_COMPILER_HANG
               : o->kind == OUTCOME_OUT_OF_MEMORY ? VERDICT_LARGE_COMPILE
                                                  : VERDICT_COMPILER_CRASH;
    case WEIGHT_NONE:
        return VERDICT_NONE;
    }
    BUG("weight of %d", (int)o->kind);
}
