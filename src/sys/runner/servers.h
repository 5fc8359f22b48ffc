/* Private to the runner: compile servers, see sys/server/server.c. */
#ifndef SYS_RUNNER_SERVERS_H
#define SYS_RUNNER_SERVERS_H

#include "sys/protocol.h"

#include <stdbool.h>
#include <sys/types.h>

struct sandbox;

/* The library to preload; NULL: no servers.  What they run with, kept by reference. */
void servers_open(const char *library, const struct sandbox *sandbox);
/* A child that runs the request, from a server for its program, or -1: start it the usual way.
 * strings is what the request carries; fds are its stdin, stdout and stderr.  *cpu gets
 * what the server has used since the last request: starting it, and forking. */
pid_t servers_fork(const struct wire_request *w, const char *strings, const char *program,
                   const int fds[3], double *cpu);
bool servers_own(pid_t pid); /* is this process a server? */
void servers_forget(void);   /* they were killed with everything else */
void servers_close(void);    /* ends and reaps them, so that their time is accounted for */

#endif
