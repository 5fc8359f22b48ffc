/* Private to the runner and the compile server: what every child does before it is the job. */
#ifndef SYS_CHILD_H
#define SYS_CHILD_H

#include "sys/protocol.h"

#include <stddef.h>

/* Before there are children: where we may, we come before all of them, since who ends a thousand
 * that fork must not wait until each had its turn. */
void child_come_first(void);
/* A session of its own, default signals and our usual priority. */
void child_detach(void);
/* The limits of the request, on this process and what it starts. */
void child_limit(const struct wire_request *w);
/* The file that a command names, as the shell finds it on our PATH; false, with errno, for none. */
bool child_find_program(const char *name, char *path, size_t size);
/* Cuts the next `count` strings off *p into a NULL-terminated array; ends us without memory. */
char **child_take_strings(char **p, size_t count);

#endif
