/* Private to cmd: why programs that compilers make of one source may rightly behave otherwise. */
#ifndef CMD_EXCUSE_H
#define CMD_EXCUSE_H

#include "cc/cc.h"

/* Gives the program to `cupel check`, on each of its inputs, with the configuration's flags. Yields
 * "t.c:3:7: undefined: signed integer overflow ..."; NULL when it is defined, or when the machine
 * cannot tell. */
const char *excuse_undefined(struct arena *a, struct cc_lab *lab, const struct cc_config *config,
                             const struct cc_case *program);

#endif
