/* Interruption: a signal sets a flag and makes a descriptor readable for ever, so that every
 * thread that waits in poll wakes up. */
#include "sys/private.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* What a signal handler can reach has to be global. */
static volatile sig_atomic_t cancel_signal;
static int cancel_pipe[2] = {-1, -1};

void sys_cancel(int sig)
{
    if (cancel_signal)
        return;
    cancel_signal = sig;
    if (cancel_pipe[1] >= 0)
        close(cancel_pipe[1]); /* the read end is readable from now on */
}

bool sys_cancelled(void)
{
    return cancel_signal != 0;
}

int sys_cancel_signal(void)
{
    return cancel_signal;
}

int sys_cancel_fd(void)
{
    return cancel_pipe[0];
}

bool sys_catch_signals(struct err *e)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = sys_cancel};
    if (pipe2(cancel_pipe, O_CLOEXEC) != 0)
        return fail_errno(e, "pipe");
    for (size_t i = 0; i < LENGTH(signals); i++)
        if (sigaction(signals[i], &action, NULL) != 0)
            return fail_errno(e, "sigaction");
    return true;
}
