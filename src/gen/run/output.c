/* What the running program prints: the checksum so far, and the lines of --trace. */
#include "gen/run/run.h"

void run_mix(struct gen *g, uint64_t v)
{
    g->sum = (g->sum ^ v) * RUN_MIX_BY;
    g->sum ^= g->sum >> 29;
}

void run_trace(struct gen *g, uint64_t id, uint64_t v)
{
    text_printf(g->out, "%llu: %llx\n", (unsigned long long)id, (unsigned long long)v);
}
