/* Starting a process of ours that talks to us over a socket: a runner, or a peer. */
#include "sys/private.h"
#include "sys/protocol.h"

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert((int)SPAWN_FD == (int)RUNNER_FD, "the runner looks for its socket there");

/* In a process group of its own: Ctrl-C is ours to handle. */
static int spawn(pid_t *pid, const char *path, int socket_fd, char **args, char **env)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, socket_fd, SPAWN_FD);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawn(pid, path, &actions, &attributes, args, env);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int spawn_with_socket(pid_t *pid, const char *path, char **args, char **env, struct err *e)
{
    int pair[2], error;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        fail_errno(e, "socketpair");
        return -1;
    }
    /* dup2 onto itself would keep close-on-exec */
    if (pair[1] == SPAWN_FD)
        pair[1] = fcntl(pair[1], F_DUPFD_CLOEXEC, SPAWN_FD + 1);
    error = spawn(pid, path, pair[1], args, env);
    close(pair[1]);
    if (error == 0)
        return pair[0];
    fail(e, "cannot start %s: %s", args[0], strerror(error));
    close(pair[0]);
    return -1;
}
