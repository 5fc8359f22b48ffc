/* What the commands on campaigns share: `DIR [N] [options]` in, JSON or text out. */
#ifndef CMD_CAMPAIGN_H
#define CMD_CAMPAIGN_H

#include "base/base.h"
#include "finding/finding.h"
#include "sys/sys.h"

struct json_t;

#define CAMPAIGN_DEFAULT "cupel-hunt"

/* Prints JSON, and frees it. */
bool campaign_print_json(struct json_t *j);
/* How wide the columns of a table of findings are: as its longest words ask for, seen one by one.
 */
struct campaign_columns {
    int verdict, config;
};
#define CAMPAIGN_COLUMNS \
    {                    \
        14, 24           \
    }
void campaign_widen(struct campaign_columns *c, const struct finding_claim *claim);
/* A finding's files: those in its campaign's folder, or of a database laid out in a scratch folder.
 */
struct campaign_files {
    const char *path; /* of the folder; belongs to the arena it was opened with */
    struct scratch scratch;
};
bool campaign_open_files(struct arena *a, const char *dir, const struct finding *f,
                         struct campaign_files *out, struct err *e);
void campaign_close_files(struct campaign_files *files);
/* What triage found out of it, as text; "" for nothing.  In the arena. */
const char *campaign_triage(struct arena *a, const char *dir, const struct finding *f);

#endif
