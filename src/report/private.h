/* Private to report: pieces that the page and the texts share. */
#ifndef REPORT_PRIVATE_H
#define REPORT_PRIVATE_H

#include "report/report.h"

/* ---- words of compilers: text.c ----------------------------------------------------------- */

/* What a compiler said, with the program called `as`, not by the folder in which it lay that day.
 */
void report_put_said(const char *said, const char *as, struct text *out);

/* ---- the matrix: matrix.c --------------------------------------------------------------- */

enum { MATRIX_COLUMNS = 6 };
extern const char *const matrix_columns[MATRIX_COLUMNS]; /* levels, and -m32 */
/* The row's cell in the column; NULL for none. */
const struct triage_cell *matrix_cell(const struct triage_row *r, size_t column);
size_t
matrix_width(const struct triage_matrix *m); /* columns: without -m32 where it was not tried */
const char *matrix_mark(const struct triage_cell *c); /* "BAD", "ok", "?", "." */

/* ---- code that could be better: missed.c ------------------------------------------------ */

/* Of VERDICT_MISSED: the code of the program, of its twin, of who does better, as far as there is
 * one; the count is 0 for other verdicts. */
enum { MISSED_CODES = 3 };
size_t missed_codes(const struct finding *f, struct text_column out[MISSED_CODES]);
void missed_put_codes(const struct finding *f, struct text *out); /* beside each other */
void missed_put_programs(const struct finding *f, struct text *out);
/* All of it; nothing for other verdicts. */
void missed_put_text(const struct finding *f, struct text *out);

/* ---- the page: html_text.c, html_chart.c, html.c ---------------------------------------- */

/* Everything that came from outside goes through this or report_put_escaped. */
void html_put(struct text *out, const char *s);

/* One step up for every finding, when it was first seen. */
void html_put_timeline(struct text *out, const struct report_campaign *c);
/* "40 s", "12 min", "3.5 h" */
void html_put_duration(struct text *out, double seconds);

#endif
