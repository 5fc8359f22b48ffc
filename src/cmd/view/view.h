/* view: how commands show what they know, on a terminal, as text or as JSON.
 *
 * Takes what other modules found and yields text, or draws it on stderr; decides nothing, starts
 * nothing, and never reads an option.  A text that is yielded belongs to the caller. */
#ifndef CMD_VIEW_VIEW_H
#define CMD_VIEW_VIEW_H

#include "emi/emi.h"
#include "hunt/hunt.h"
#include "judge/judge.h"
#include "machine/machine.h"

#include <jansson.h>

/* ---- cupel test: a matrix of outcomes: matrix.c ----------------------------------------- */

struct matrix {
    const struct judge_case *c;
    const struct judgement *j;
    const struct cc_case *program;
    const bool *filled; /* per outcome: seen on a stack that is filled, and only there */
    double seconds;     /* that all of it took */
};

void matrix_render_text(struct arena *a, const struct matrix *m, struct text *out);
void matrix_render_json(struct arena *a, const struct matrix *m, struct text *out);
/* One line: what is to be said of it all. */
char *matrix_verdict(struct arena *a, const struct matrix *m);

/* ---- cupel check: what the machine knows: facts.c --------------------------------------- */

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

/* ---- cupel emi: what came of variants: variants.c --------------------------------------- */

/* A program's variants under the configurations of one data model. */
struct variants {
    const struct emi_subject *subject;
    const struct emi_report *report;
    const struct cc_config *configs;
    size_t config_count;
    const char *output; /* where they are */
    bool no_test;       /* they were written, and that is all */
};

void variants_put(const struct variants *v, struct text *out);
json_t *variants_json(const struct variants *v);
/* Adds what another data model gave: counts and findings. */
void variants_merge(json_t *to, const json_t *more);
/* Configurations that were not tested, as such an object has them. */
void variants_add_untested(json_t *list, const struct cc_config *config, const char *why);
void variants_put_untested(const json_t *list, struct text *out);
/* A number of such an object. */
size_t variants_count(const json_t *j, const char *key);
/* "40 trials; ..." and the lines behind it, from such an object. */
void variants_put_shares(const json_t *j, struct text *out);

struct project_told {
    const char *dir;
    const struct emi_project_report *report;
    const struct cc_config *configs;
    size_t config_count, variants;
};

void project_put(const struct project_told *p, struct text *out);
json_t *project_json(const struct project_told *p);

/* ---- the live status of a campaign: panel.c --------------------------------------------- */

/* What it is drawn into. */
struct panel_frame {
    unsigned columns, rows; /* at most */
    bool colour, utf8;      /* what the terminal can show */
    bool erase;             /* what stands right of a line already */
};

/* What was drawn: the columns of each line. */
enum { PANEL_MOST = 128 };
struct panel_extent {
    size_t n;
    unsigned width[PANEL_MOST];
};

/* A few lines at the foot of a terminal, drawn over and over; where there is no terminal, a line
 * now and then. */
struct panel {
    bool terminal, quiet;
    struct panel_frame frame;
    struct panel_extent drawn; /* stands on the terminal now */
    double last;
};

/* In colour unless NO_COLOR is set. */
void panel_start(struct panel *p, bool quiet);
void panel_show(struct panel *p, const struct hunt_status *status);
/* A line that stays, above the panel. */
void panel_say(struct panel *p, const char *line);
/* Leaves the last state standing and the cursor below it. */
void panel_end(struct panel *p);

/* Findings first, then the work, then what pays; extent may be NULL. */
void panel_render(const struct hunt_status *status, const struct panel_frame *frame,
                  struct panel_extent *extent, struct text *out);
/* The same in one line. */
void panel_render_line(const struct hunt_status *status, struct text *out);

/* ---- one live line: progress.c ---------------------------------------------------------- */

/* A line that is drawn over and over on a terminal, and now and then written elsewhere; on
 * stderr.  Thread-safe. */
struct progress {
    bool terminal, quiet;
    double start, last;
    char line[200];
    void *lock;
};

void progress_start(struct progress *p, bool quiet);
void progress_show(struct progress *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void progress_end(struct progress *p);

#endif
