/* Compile servers: one per compiler that was asked for, started at its first use.  A program
 * that cannot be served (a script, a static binary, one that does not come up) is started the
 * usual way ever after; one that was replaced on disk gets a new server. */
#include "sys/runner/servers.h"

#include "sys/child.h"
#include "sys/runner/runner.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_SERVERS = 24, START_MILLISECONDS = 5000 };

struct server {
    char name[256];         /* as asked for, */
    enum sys_rights rights; /* and with what rights it runs, with all that it forks */
    char path[PATH_MAX];
    struct stat file;
    pid_t pid; /* 0: there is none, start it the usual way */
    int fd;
    double cpu; /* of it, that was already accounted for */
};

/* The runner's servers: its only state beside the sandbox. */
static struct {
    const char *library;
    const struct sandbox *sandbox;
    struct server at[MAX_SERVERS];
    size_t n;
} all;

void servers_open(const char *library, const struct sandbox *sandbox)
{
    all.library = library;
    all.sandbox = sandbox;
}

/* A dynamically linked x86-64 program without special rights: one that a preloaded library gets
 * into. */
static bool can_preload(const char *path, const struct stat *st)
{
    unsigned char head[4096];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);
    if (fd >= 0)
        close(fd);
    Elf64_Ehdr h;
    if (n < (ssize_t)sizeof h || !S_ISREG(st->st_mode) || st->st_mode & (S_ISUID | S_ISGID))
        return false;
    memcpy(&h, head, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_machine != EM_X86_64 ||
        h.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (unsigned i = 0; i < h.e_phnum; i++) {
        Elf64_Phdr p;
        uint64_t at = h.e_phoff + (uint64_t)i * sizeof p;
        if (at + sizeof p > (uint64_t)n)
            return false;
        memcpy(&p, head + at, sizeof p);
        if (p.p_type == PT_INTERP)
            return true;
    }
    return false;
}

static void start_program(const struct server *s, int fd)
{
    char *argv[] = {(char *)s->name, NULL};
    int null = open("/dev/null", O_RDWR);
    child_detach();
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0 ||
        dup2(fd, RUNNER_FD) < 0 || fcntl(RUNNER_FD, F_SETFD, 0) != 0)
        _exit(127);
    if (!sandbox_put_on(all.sandbox, s->rights, "."))
        _exit(127);
    close_range(RUNNER_FD + 1, UINT_MAX, CLOSE_RANGE_CLOEXEC);
    setenv("LD_PRELOAD", all.library, 1);
    execv(s->path, argv);
    _exit(127);
}

static bool wait_until_ready(int fd)
{
    int32_t ready;
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, START_MILLISECONDS) == 1 && wire_read(fd, &ready, sizeof ready);
}

static void stop(struct server *s)
{
    if (!s->pid)
        return;
    kill(s->pid, SIGKILL);
    waitpid(s->pid, NULL, 0);
    close(s->fd);
    s->pid = 0;
}

static void start(struct server *s)
{
    int pair[2];
    if (!can_preload(s->path, &s->file) ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return;
    s->pid = fork();
    if (s->pid == 0)
        start_program(s, pair[1]);
    close(pair[1]);
    s->fd = pair[0];
    if (s->pid < 0) {
        s->pid = 0;
        close(s->fd);
    } else if (!wait_until_ready(s->fd)) {
        stop(s);
    }
}

static bool is_replaced(const struct server *s)
{
    struct stat now;
    return stat(s->path, &now) != 0 || now.st_ino != s->file.st_ino ||
           now.st_dev != s->file.st_dev || now.st_size != s->file.st_size ||
           now.st_mtim.tv_sec != s->file.st_mtim.tv_sec ||
           now.st_mtim.tv_nsec != s->file.st_mtim.tv_nsec;
}

static double cpu_of(pid_t pid)
{
    clockid_t clock;
    struct timespec t;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct server *server_for(const char *program, enum sys_rights rights)
{
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].rights == rights && strcmp(all.at[i].name, program) == 0) {
            if (!is_replaced(&all.at[i]))
                return &all.at[i];
            stop(&all.at[i]);
            all.at[i] = all.at[--all.n];
            break;
        }
    struct server *s = &all.at[all.n];
    if (all.n == MAX_SERVERS || strlen(program) >= sizeof s->name)
        return NULL;
    *s = (struct server){.rights = rights};
    strcpy(s->name, program);
    if (!child_find_program(program, s->path, sizeof s->path) || stat(s->path, &s->file) != 0)
        return NULL;
    all.n++;
    start(s);
    return s;
}

static bool send_request(int fd, const struct wire_request *w, const char *strings,
                         const int fds[3])
{
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(3 * sizeof(int))];
    } control = {0};
    struct iovec data[] = {{.iov_base = (void *)w, .iov_len = sizeof *w},
                           {.iov_base = (void *)strings, .iov_len = w->strings}};
    struct msghdr message = {.msg_iov = data,
                             .msg_iovlen = 2,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(3 * sizeof(int));
    memcpy(CMSG_DATA(header), fds, 3 * sizeof(int));
    /* blocking, and far below the socket's buffer: all or nothing */
    return sendmsg(fd, &message, MSG_NOSIGNAL) == (ssize_t)(sizeof *w + w->strings);
}

pid_t servers_fork(const struct wire_request *w, const char *strings, const char *program,
                   const int fds[3], double *cpu)
{
    enum { LARGEST_REQUEST = 100000 };
    int32_t pid = -1;
    struct server *s = NULL;
    if (all.library && w->strings < LARGEST_REQUEST)
        s = server_for(program, (enum sys_rights)w->rights);
    if (!s || !s->pid)
        return -1;
    if (!send_request(s->fd, w, strings, fds) || !wire_read(s->fd, &pid, sizeof pid) || pid <= 0) {
        stop(s);
        return -1;
    }
    double used = cpu_of(s->pid);
    *cpu = used - s->cpu;
    s->cpu = used;
    return pid;
}

bool servers_own(pid_t pid)
{
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].pid == pid)
            return true;
    return false;
}

void servers_forget(void)
{
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].pid)
            close(all.at[i].fd);
    all.n = 0;
}

void servers_close(void)
{
    for (size_t i = 0; i < all.n; i++)
        stop(&all.at[i]);
}
