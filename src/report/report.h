/* report: a finding as people and scripts want to see it.  Takes a struct finding, yields the files
 * of its folder: the program, what was expected and what happened, report.txt, reproduce.sh and
 * finding.json.  Nothing in the folder needs cupel to be read or run. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "finding/finding.h"
#include "triage/triage.h"

/* Everything, into the folder, which is made; what stands there already is written over. */
bool report_write_folder(const char *folder, const struct finding *f, struct err *e);
/* report.txt: what, where, and why we believe it. */
void report_text(const struct finding *f, struct text *out);
/* reproduce.sh: exits 1 while the bug is there. */
void report_script(const struct finding *f, struct text *out);

/* In a finding's folder: what triage found out, as JSON. */
#define TRIAGE_FILE "triage.json"

/* ---- for people and trackers ---------------------------------------------------------- */

enum report_tracker {
#define TRACKER(id, ...) TRACKER_##id,
#include "report/tracker.def"
    TRACKER_COUNT
};
enum report_tracker report_tracker_named(const char *name); /* TRACKER_COUNT when there is none */

/* Does the tracker take bugs of that compiler? */
bool report_is_meant(enum report_tracker tracker, const struct finding *f);

/* A finding and what else is known of it. */
struct report_subject {
    const struct finding *finding;
    const struct triage_result *triage; /* NULL: not triaged */
    const char *compiler_words;         /* what the compiler says with -v; NULL: not asked */
    struct report_assembly {
        const char *command, *code; /* code NULL: there is none */
    } assembly[2];                  /* as it is wrong, and as it is right */
};

/* Title and text, ready to be filed. */
void report_for_tracker(enum report_tracker tracker, const struct report_subject *s,
                        struct text *out);
/* A Compiler Explorer link with the program, behind the version that it shows, "clang 19.1.0: ";
 * false when it does not have the compiler. */
bool report_explorer_link(const struct finding *f, const struct bytes *program, struct text *out);

/* A bar for each thing that is counted. */
struct report_bar {
    const char *label;
    double value;
    const double *parts; /* of each of the chart's kinds; NULL: it is all one */
    const char *note;    /* behind the value; NULL for nothing */
};
struct report_chart {
    const char *title, *unit;
    const struct report_bar *bars;
    size_t n;
    const char *const *kinds; /* what bars are made of */
    size_t kind_count;
};

/* A campaign as the page shows it. */
struct report_campaign {
    const char *title, *summary;
    const struct report_subject *subjects; /* by the time when they were first seen */
    size_t n;
    const struct report_chart *charts;
    size_t chart_count;
};
/* Parts of that page, for others. */
extern const char report_style[];
void report_put_escaped(struct text *out, const char *s, size_t n);
void report_put_source(struct text *out, const char *s, size_t n); /* C, highlighted */
void report_put_chart(struct text *out, const struct report_chart *c);
void report_put_bug(struct text *out, const struct report_subject *s);
/* One self-contained page.  Whatever came from outside is escaped. */
void report_html(const struct report_campaign *c, struct text *out);

/* Compilers down, levels across. */
void report_matrix(const struct triage_matrix *m, struct text *out);

#endif
