/* Which compilers have a bug, as a table for people. */
#include "report/report.h"

#include <string.h>

static const char *const columns[] = {"-O0", "-O1", "-Os", "-O2", "-O3", "-m32"};

/* The cell of a column; NULL for none.  -m32 is a column of its own, at the claim's level. */
static const struct triage_cell *cell_of(const struct triage_row *r, const char *column)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->cells[i].narrow ? "-m32" : r->cells[i].level, column) == 0)
            return &r->cells[i];
    return NULL;
}

static const char *mark(const struct triage_cell *c)
{
    static const char *const marks[TRIAGE_STATES] = {".", "BAD", "ok", "?"};
    return c ? marks[c->state] : ".";
}

void report_matrix(const struct triage_matrix *m, struct text *out)
{
    text_printf(out, "%-14s %-10s", "", "version");
    for (size_t k = 0; k < LENGTH(columns); k++)
        text_printf(out, " %5s", columns[k]);
    for (size_t i = 0; i < m->n; i++) {
        const struct triage_row *r = &m->rows[i];
        text_printf(out, "\n%-14s %-10.10s", r->compiler, r->version);
        for (size_t k = 0; k < LENGTH(columns); k++)
            text_printf(out, " %5s", mark(cell_of(r, columns[k])));
    }
    text_putc(out, '\n');
    if (*m->last_good)
        text_printf(out, "Last good:     %s\n", m->last_good);
    if (*m->last_good && *m->first_bad)
        text_printf(out, "First bad:     %s\n", m->first_bad);
    if (*m->fixed_in)
        text_printf(out, "Fixed in:      %s\n", m->fixed_in);
}
