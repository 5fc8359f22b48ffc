/* The compile server: a library that is preloaded into a compiler, and keeps it from starting.
 *
 * Most of a small compilation is the compiler's own start: libraries to load and relocate,
 * tables to build.  With this library in it, the compiler does all that once, stops in front of
 * its main, and then, for each request of the runner, forks a child that goes on into main with
 * the request's arguments, environment, descriptors and limits.  The child is the runner's, as
 * if the runner had started it.
 *
 * A request is struct wire_request and its strings, with stdin, stdout and stderr attached; the
 * answer is the child's process id, or -1.  When the socket closes, the server ends. */
#include "sys/child.h"

#include <dlfcn.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int main_fn(int argc, char **argv, char **envp);
typedef int start_fn(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                     void (*rtld_fini)(void), void *stack_end);

static main_fn *real_main;

/* The fixed part of a request, with its three descriptors. */
static bool receive_head(struct wire_request *w, int fds[3])
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct iovec data = {.iov_base = w, .iov_len = sizeof *w};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    if (recvmsg(RUNNER_FD, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC) != (ssize_t)sizeof *w)
        return false;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(3 * sizeof(int)))
        return false;
    memcpy(fds, CMSG_DATA(header), 3 * sizeof(int));
    return true;
}

/* fork, but the child is a child of our parent.  The C library keeps the thread's number in
 * memory, for raise and abort: the kernel is asked to put the new one there. */
static pid_t fork_sibling(void)
{
    int *tid = NULL;
    unsigned long flags = CLONE_PARENT | SIGCHLD;
    if (prctl(PR_GET_TID_ADDRESS, &tid) != 0 || !tid)
        return -1;
    return (pid_t)syscall(SYS_clone, flags | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID, 0, NULL,
                          tid, 0);
}

/* In the child: everything that the shell would have set up for it. */
static int become_job(const struct wire_request *w, char *strings, const int fds[3])
{
    char *p = strings;
    const char *dir = p;
    p += strlen(p) + 1;
    p += strlen(p) + 1; /* the input is attached, */
    p += strlen(p) + 1; /* and the program is us */
    char **args = child_take_strings(&p, w->args);
    char **env = child_take_strings(&p, w->env);
    child_detach();
    for (int i = 0; i < 3; i++)
        if (dup2(fds[i], i) < 0)
            _exit(127);
    close_range(3, UINT_MAX, 0);
    if (chdir(dir) != 0)
        _exit(127);
    child_limit(w);
    environ = env;
    return real_main((int)w->args, args, env);
}

static int serve(int argc, char **argv, char **envp)
{
    (void)argc, (void)argv, (void)envp;
    struct wire_request w;
    int fds[3];
    int32_t ready = 0;
    if (!wire_write(RUNNER_FD, &ready, sizeof ready))
        _exit(0);
    while (receive_head(&w, fds)) {
        char *strings = malloc(w.strings + 1u);
        if (!strings || !wire_read(RUNNER_FD, strings, w.strings))
            break;
        pid_t pid = fork_sibling();
        if (pid == 0)
            return become_job(&w, strings, fds);
        for (int i = 0; i < 3; i++)
            close(fds[i]);
        free(strings);
        int32_t answer = pid;
        if (!wire_write(RUNNER_FD, &answer, sizeof answer))
            break;
    }
    _exit(0);
}

/* Stands before the C library's: gives it our main instead of the compiler's. */
__attribute__((visibility("default"))) start_fn __libc_start_main;

int __libc_start_main(main_fn *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    start_fn *next = (start_fn *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    if (!next)
        _exit(127);
    real_main = main;
    return next(serve, argc, argv, init, fini, rtld_fini, stack_end);
}
