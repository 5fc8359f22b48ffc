/* How cupel check shows what the machine knows. */
#ifndef CMD_FACTS_H
#define CMD_FACTS_H

#include "machine/machine.h"

/* The source with a count before each line; lines and expressions that never ran are marked. */
void facts_coverage(const struct machine *m, const struct machine_unit *units, size_t n,
                    struct text *out);
/* One line per expression: place, text, count, value or range, ways. */
void facts_text(const struct machine *m, const struct machine_unit *units, size_t n,
                struct text *out);
/* shown is the verdict, ran the run that gave the facts. */
void facts_json(const struct machine *m, const struct machine_unit *units, size_t n,
                const struct machine_result *shown, const struct machine_result *ran,
                struct text *out);

#endif
