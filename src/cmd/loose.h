#ifndef CMD_LOOSE_H
#define CMD_LOOSE_H

#include "base/base.h"
#include "front/front.h"

/* A name that the program uses and does not define: nothing but an optimiser that drops the use
 * lets it link (C11 6.9p5; a function that is only inline has no external definition, 6.7.4p7). */

/* What the linker missed by its message; NULL when that says no name. */
const char *loose_missing(struct arena *a, const char *message);
/* Is it one that these units, ended by NULL, declare and none defines?  How says how each is read;
 * its path is not looked at. */
bool loose_is_end(char *const *units, const struct front_source *how, const char *name);

#endif
