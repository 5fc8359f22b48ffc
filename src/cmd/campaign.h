/* What the commands on campaigns share: `DIR [N] [options]` in, JSON or text out. */
#ifndef CMD_CAMPAIGN_H
#define CMD_CAMPAIGN_H

#include "base/base.h"

struct json_t;

#define CAMPAIGN_DEFAULT "cupel-hunt"

/* Prints JSON, and frees it. */
bool campaign_print_json(struct json_t *j);
/* The string at the key, "" when there is none. */
const char *campaign_text(const struct json_t *j, const char *key);
long long campaign_number(const struct json_t *j, const char *key);
/* One line of a table of findings. */
void campaign_put_finding(const struct json_t *f, struct text *out);
/* What stands in a file of the finding's folder. */
void campaign_put_file(const char *dir, long long id, const char *name, struct text *out);

#endif
