/* Which compilers have a bug, as a table for people. */
#include "report/private.h"

#include <string.h>

const char *const matrix_columns[MATRIX_COLUMNS] = {"-O0", "-O1", "-Os", "-O2", "-O3", "-m32"};

/* -m32 is a column of its own, at the claim's level. */
const struct triage_cell *matrix_cell(const struct triage_row *r, size_t column)
{
    for (size_t i = 0; i < r->n; i++)
        if (strcmp(r->cells[i].narrow ? "-m32" : r->cells[i].level, matrix_columns[column]) == 0)
            return &r->cells[i];
    return NULL;
}

size_t matrix_width(const struct triage_matrix *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (matrix_cell(&m->rows[i], MATRIX_COLUMNS - 1))
            return MATRIX_COLUMNS;
    return MATRIX_COLUMNS - 1;
}

const char *matrix_mark(const struct triage_cell *c)
{
    static const char *const marks[TRIAGE_STATES] = {".", "BAD", "ok", "?"};
    return c ? marks[c->state] : ".";
}

void report_matrix(const struct triage_matrix *m, struct text *out)
{
    size_t width = matrix_width(m);
    text_printf(out, "%-14s %-10s", "", "version");
    for (size_t k = 0; k < width; k++)
        text_printf(out, " %5s", matrix_columns[k]);
    for (size_t i = 0; i < m->n; i++) {
        const struct triage_row *r = &m->rows[i];
        text_printf(out, "\n%-14s %-10.10s", r->compiler, r->version);
        for (size_t k = 0; k < width; k++)
            text_printf(out, " %5s", matrix_mark(matrix_cell(r, k)));
    }
    text_putc(out, '\n');
    if (*m->last_good)
        text_printf(out, "Last good:     %s\n", m->last_good);
    if (*m->last_good && *m->first_bad)
        text_printf(out, "First bad:     %s\n", m->first_bad);
    if (*m->fixed_in)
        text_printf(out, "Fixed in:      %s\n", m->fixed_in);
}
