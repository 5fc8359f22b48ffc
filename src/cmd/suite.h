/* Private to cmd: the files of a folder, one after another, in a process of their own.  A file that
 * ends that process costs the suite this file and nothing more. */
#ifndef CMD_SUITE_H
#define CMD_SUITE_H

#include "cmd/view/view.h"
#include "emi/emi.h"

#include <jansson.h>

struct suite {
    const char *dir;
    const char *output;  /* each file's variants go into a folder below */
    char *const *worker; /* the words that start the other process; NULL ends */
    struct progress *progress;
};

struct suite_report {
    json_t *files;    /* array: as `cupel emi FILE --json` prints them */
    json_t *sum;      /* of those */
    struct text told; /* what is to be said of those with findings */
    size_t varied;
    size_t passed[EMI_REFUSAL_COUNT]; /* over: by reason */
};

/* The caller frees the parts of the report. */
bool suite_run(struct arena *a, const struct suite *s, struct suite_report *out, struct err *e);
void suite_put_summary(const struct suite *s, const struct suite_report *r, struct text *out);
void suite_report_free(struct suite_report *r);

/* In the other process: does one file.  Yields its JSON and its text, or why there is none. */
typedef bool suite_vary_fn(void *context, const char *file, const char *output, json_t **json,
                           struct text *told, enum emi_refusal *why, struct err *e);
bool suite_serve(suite_vary_fn *vary, void *context, struct err *e);

#endif
