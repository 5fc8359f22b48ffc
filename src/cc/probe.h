/* Private to cc: learning what a compiler is and can do by trying. */
#ifndef CC_PROBE_H
#define CC_PROBE_H

#include "cc/cc.h"

/* What a compiler says it really is: equal for two commands that start the same one.  NULL for
 * one that does not answer within a few seconds: nothing more should be asked of it. */
const char *probe_identity(struct cc_lab *lab, struct arena *a, const struct cc *cc);
/* The command that runs programs for a target, given its triple or the name of a compiler that
 * starts with it; "" for none: machine.c. */
const char *machine_emulator_of(struct arena *a, const char *triple);
/* The one that a command asks for; "" for none. */
const char *machine_emulator(struct arena *a, const struct cc_config *config);
/* Fills in version, banner and target. */
void probe_names(struct cc_lab *lab, struct arena *a, struct cc *cc);
/* Fills in emulator, runnable, levels and features.  Needs: names are filled in. */
bool probe_abilities(struct cc_lab *lab, struct arena *a, struct cc *cc, struct err *e);

/* What was learnt earlier, kept in the user's cache folder.  A row holds for as long as its
 * stamp does. */
struct cache {
    struct json_t *root;
    const char *path; /* NULL when there is no place to keep it */
};
void cache_load(struct arena *a, struct cache *c);
bool cache_find(const struct cache *c, struct arena *a, const char *stamp, struct cc *cc);
void cache_add(struct cache *c, const char *stamp, const struct cc *cc);
/* What the command at this stamp says that it is; NULL when not known. */
const char *cache_find_identity(const struct cache *c, struct arena *a, const char *stamp);
void cache_add_identity(struct cache *c, const char *stamp, const char *identity);
void cache_save(struct cache *c);

#endif
