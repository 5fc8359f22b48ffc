/* Private to cmd: two programs of the user's that mean the same, for `cupel missed --compare`. */
#ifndef CMD_PAIR_H
#define CMD_PAIR_H

#include "missed/missed.h"

struct pair_request {
    char *paths[2];
    const char *function; /* whose code is compared */
    double threshold;
    bool json;
};

/* Are both assembly?  Then nobody compiles them. */
bool pair_is_assembly(const struct pair_request *r);
/* Prints the measures of both under each compiler (struct missed_compiler), and beside each other
 * the codes that differ; of assemblies once.  The exit status: is one of them worse? */
bool pair_tell(const struct pair_request *r, struct cc_lab *lab, const struct list *compilers,
               struct arena *a, int *status, struct err *e);

#endif
