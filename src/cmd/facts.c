/* Listings of what the machine knows: coverage, facts, JSON. */
#include "cmd/facts.h"

void facts_coverage(const struct machine *m, const struct machine_unit *units, size_t n,
                    struct text *out)
{
    (void)m; (void)units; (void)n; (void)out;
}
void facts_text(const struct machine *m, const struct machine_unit *units, size_t n,
                struct text *out)
{
    (void)m; (void)units; (void)n; (void)out;
}
void facts_json(const struct machine *m, const struct machine_unit *units, size_t n,
                const struct machine_result *shown, const struct machine_result *ran,
                struct text *out)
{
    (void)m; (void)units; (void)n; (void)out; (void)shown; (void)ran;
}
