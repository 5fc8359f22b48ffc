/* Private to cmd: how `cupel test` shows what it found. */
#ifndef CMD_MATRIX_H
#define CMD_MATRIX_H

#include "judge/judge.h"

struct matrix {
    const struct judge_case *c;
    const struct judgement *j;
    const struct cc_case *program;
    double seconds; /* that all of it took */
};

void matrix_render_text(struct arena *a, const struct matrix *m, struct text *out);
void matrix_render_json(struct arena *a, const struct matrix *m, struct text *out);
/* One line: what is to be said of it all. */
char *matrix_verdict(struct arena *a, const struct matrix *m);

#endif
