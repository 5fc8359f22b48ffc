/* Which part of Clang crashes: it is told to stop early, and where the crash is gone, the part that
 * was left out has it. */
#include "triage/private.h"

#include <string.h>

const char *triage_stage_name(enum triage_stage s)
{
    static const char *const names[] = {"", "front end", "middle end", "back end"};
    return names[s];
}

bool triage_find_stage(const struct triage_job *job, struct arena *a, enum triage_stage *out,
                       struct err *e)
{
    static char *const front[] = {"-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL};
    static char *const middle[] = {"-emit-llvm", NULL};
    struct triage_job bounded = *job;
    struct judge_claim claim = *job->claim;
    struct cc_case program = *claim.program;
    struct triage_blame cost = {.pass = ""};
    struct search s = {.job = &bounded, .a = a, .e = e, .out = &cost};
    enum cc_family family;
    *out = STAGE_NONE;
    if (claim.verdict != VERDICT_COMPILER_CRASH || !cc_family_of(claim.config->argv[0], &family) ||
        family != CC_FAMILY_CLANG)
        return true;
    program.compile_only = true;
    claim.program = &program;
    bounded.claim = &claim;
    bounded.most = TRIAGE_MOST;
    if (search_ask(&s, front) == ANSWER_SHOWN)
        *out = STAGE_FRONT;
    else if (search_ask(&s, middle) == ANSWER_SHOWN)
        *out = STAGE_MIDDLE;
    else
        *out = STAGE_BACK;
    return !s.failed;
}
