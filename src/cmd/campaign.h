/* What the commands on campaigns share: `DIR [N] [options]` in, JSON or text out. */
#ifndef CMD_CAMPAIGN_H
#define CMD_CAMPAIGN_H

#include "base/base.h"
#include "finding/finding.h"

struct json_t;

#define CAMPAIGN_DEFAULT "cupel-hunt"

/* Prints JSON, and frees it. */
bool campaign_print_json(struct json_t *j);
/* One line of a table of findings. */
void campaign_put_finding(const struct finding *f, struct text *out);
/* What stands in a file of the finding's folder. */
void campaign_put_file(const char *dir, uint64_t id, const char *name, struct text *out);

#endif
