/* Peers: further cupel processes, and the messages between them and us.  A message is its length
 * in four bytes and then its bytes; both ends are the same binary. */
#include "sys/private.h"
#include "sys/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_MESSAGE = 256 << 20 };

bool sys_peer_start(struct sys_peer *p, char *const *args, struct err *e)
{
    *p = (struct sys_peer){.fd = -1};
    p->fd = spawn_with_socket(&p->pid, "/proc/self/exe", (char **)args, environ, e);
    return p->fd >= 0;
}

bool sys_peer_join(struct sys_peer *p, struct err *e)
{
    *p = (struct sys_peer){.fd = SPAWN_FD};
    if (fcntl(SPAWN_FD, F_SETFD, FD_CLOEXEC) != 0)
        return fail(e, "nobody to work for: this is a command for cupel itself");
    /* whoever started us may be killed at any time: then there is nothing left to do */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    return true;
}

bool sys_peer_send(const struct sys_peer *p, const char *bytes, size_t n)
{
    uint32_t size = (uint32_t)n;
    return n <= MAX_MESSAGE && wire_write(p->fd, &size, sizeof size) && wire_write(p->fd, bytes, n);
}

/* Takes what is there, without waiting; false when the other end is gone. */
static bool fill(struct sys_peer *p)
{
    enum { STEP = 1 << 16 };
    text_reserve(&p->inbox, STEP);
    ssize_t got = read(p->fd, p->inbox.s + p->inbox.n, STEP);
    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    p->inbox.n += (size_t)got;
    p->inbox.s[p->inbox.n] = '\0';
    return got > 0;
}

/* The first whole message of the inbox moves to out. */
static bool take(struct sys_peer *p, struct text *out)
{
    uint32_t size;
    if (p->inbox.n < sizeof size)
        return false;
    memcpy(&size, p->inbox.s, sizeof size);
    size_t whole = sizeof size + (size_t)size;
    if (p->inbox.n < whole)
        return false;
    text_clear(out);
    text_add(out, p->inbox.s + sizeof size, size);
    memmove(p->inbox.s, p->inbox.s + whole, p->inbox.n - whole);
    p->inbox.n -= whole;
    return true;
}

enum sys_mail sys_peer_poll(struct sys_peer *p, struct text *out)
{
    struct pollfd fd = {.fd = p->fd, .events = POLLIN};
    if (take(p, out))
        return SYS_MAIL;
    while (poll(&fd, 1, 0) > 0 && fd.revents) {
        if (!fill(p))
            return SYS_MAIL_GONE;
        if (take(p, out))
            return SYS_MAIL;
    }
    return SYS_MAIL_NONE;
}

bool sys_peer_receive(struct sys_peer *p, struct text *out)
{
    for (;;) {
        enum sys_mail mail = sys_peer_poll(p, out);
        if (mail != SYS_MAIL_NONE)
            return mail == SYS_MAIL;
        sys_peers_wait(p, 1, 3600);
        if (sys_cancelled())
            return false;
    }
}

void sys_peers_wait(const struct sys_peer *peers, size_t n, double seconds)
{
    enum { MANY = 1024 };
    struct pollfd fds[MANY + 1];
    if (n > MANY)
        BUG("%zu peers", n);
    for (size_t i = 0; i < n; i++)
        fds[i] = (struct pollfd){.fd = peers[i].fd, .events = POLLIN};
    fds[n] = (struct pollfd){.fd = sys_cancel_fd(), .events = POLLIN};
    poll(fds, n + 1, (int)(seconds * 1000));
}

void sys_peer_dismiss(struct sys_peer *p)
{
    if (p->pid > 0)
        kill(p->pid, SIGTERM);
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
}

/* Within these seconds; a busy machine needs some. */
static bool has_ended(pid_t pid, double patience)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    double end = sys_now() + patience;
    for (;;) {
        pid_t got = waitpid(pid, NULL, WNOHANG);
        if (got == pid || (got < 0 && errno != EINTR))
            return true;
        if (sys_now() >= end)
            return false;
        nanosleep(&pause, NULL);
    }
}

void sys_peer_stop(struct sys_peer *p)
{
    static const double patience = 10;
    sys_peer_dismiss(p);
    if (p->pid > 0 && !has_ended(p->pid, patience)) {
        kill(p->pid, SIGKILL);
        while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        scratch_sweep();
    }
    text_free(&p->inbox);
    *p = (struct sys_peer){.fd = -1};
}
