/* Private to cmd: what came of variants, for people and for programs. */
#ifndef CMD_VARIANTS_H
#define CMD_VARIANTS_H

#include "emi/emi.h"

#include <jansson.h>

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

#endif
