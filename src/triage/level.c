/* Of a compiler that cannot be asked for more: the lowest level at which it happens. */
#include "triage/private.h"

void blame_LEVEL(struct search *s)
{
    const char *levels[] = {"-O0", "-O1", "-Og", "-Os", "-O2", "-O3", s->job->claim->config->level};
    const char *without = "";
    for (size_t i = 0; i < LENGTH(levels); i++) {
        enum answer answer = search_level(s, levels[i]);
        if (answer == ANSWER_GONE)
            without = levels[i];
        if (answer != ANSWER_SHOWN)
            continue;
        s->out->pass = *levels[i] ? levels[i] : "no level";
        s->out->switches = without;
        return;
    }
}
