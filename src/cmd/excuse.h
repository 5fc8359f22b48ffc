/* Private to cmd: why programs that compilers make of one source may rightly behave otherwise. */
#ifndef CMD_EXCUSE_H
#define CMD_EXCUSE_H

#include "cc/cc.h"

/* Executes the program as `cupel check` does, on each of its inputs, as the configuration's flags
 * say.  Yields "t.c:3:7: undefined: signed integer overflow ..."; NULL when it is defined, or when
 * the machine cannot tell. */
const char *excuse_undefined(struct arena *a, const struct cc_config *config,
                             const struct cc_case *program);

#endif
