/* Flags on our command line that are the compiler's. */
#ifndef CMD_CFLAGS_H
#define CMD_CFLAGS_H

#include "base/base.h"

/* Moves -I, -D, -U, -std=, -include, -isystem, -iquote, -f... and -m... with their values from
 * argv to flags, which ends in NULL. */
void cmd_take_cflags(struct arena *a, int *argc, char **argv, struct list *flags);

#endif
