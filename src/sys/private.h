/* Private to sys. */
#ifndef SYS_PRIVATE_H
#define SYS_PRIVATE_H

#include "sys/sys.h"

#include <sys/types.h>

/* Readable once sys_cancelled is true; -1 when signals are not caught. */
int sys_cancel_fd(void);

/* Removes what dead processes left. */
void scratch_sweep(void);

/* The runner's executable and the compile server's library, carried in ours. */
extern const char runner_blob[], runner_blob_end[];
extern const char server_blob[], server_blob_end[];

/* Starts the executable at path with one end of a socket pair as its descriptor SPAWN_FD; the
 * other end, or -1. */
enum { SPAWN_FD = 3 };
int spawn_with_socket(pid_t *pid, const char *path, char **args, char **env, struct err *e);

#endif
