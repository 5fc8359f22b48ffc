/* The runner: a small process between cupel and the jobs that it starts.
 *
 * It is a program of its own, carried inside cupel's and started through a memory file, so that
 * forking is cheap, and so that objects under test can be loaded into a child that holds
 * nothing but the C library.  It takes requests from a socket, one at a time, and for each:
 * forks, limits, watches, kills whatever is left of the job, and answers.  When the socket
 * closes, because cupel ended or was killed, it kills the job and ends.
 *
 * Usage: runner SCRATCH [READABLE ...], with the socket as descriptor 3. */
#include "sys/runner/runner.h"
#include "sys/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- talking to cupel ---------------------------------------------------------------- */

static bool read_all(void *to, size_t n)
{
    for (char *p = to; n;) {
        ssize_t got = read(RUNNER_FD, p, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

static bool write_all(const void *from, size_t n)
{
    for (const char *p = from; n;) {
        ssize_t put = send(RUNNER_FD, p, n, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        p += put;
        n -= (size_t)put;
    }
    return true;
}

struct request {
    struct wire_request wire;
    char *strings;
    const char *dir, *input;
    char **objects, **args, **env;
};

/* Cuts the next `count` strings off *p into a NULL-terminated array. */
static char **take_strings(char **p, size_t count)
{
    char **at = malloc((count + 1) * sizeof *at);
    if (!at)
        _exit(1);
    for (size_t i = 0; i < count; i++) {
        at[i] = *p;
        *p += strlen(*p) + 1;
    }
    at[count] = NULL;
    return at;
}

/* False when cupel is gone. */
static bool receive(struct request *r)
{
    if (!read_all(&r->wire, sizeof r->wire))
        return false;
    char *p = r->strings = malloc(r->wire.strings + 1u);
    if (!p || !read_all(p, r->wire.strings))
        return false;
    r->dir = p;
    p += strlen(p) + 1;
    r->input = p;
    p += strlen(p) + 1;
    r->objects = take_strings(&p, r->wire.objects);
    r->args = take_strings(&p, r->wire.args);
    r->env = take_strings(&p, r->wire.env);
    return true;
}

static void forget(struct request *r)
{
    free(r->strings);
    free(r->objects);
    free(r->args);
    free(r->env);
    *r = (struct request){0};
}

/* ---- the child ----------------------------------------------------------------------- */

enum { REASON_SIZE = 256 };

/* Shared with the child, so that it can say why it could not become the job. */
struct complaint {
    uint32_t kind; /* 0 none, else SYS_NOT_STARTED or SYS_NOT_LOADED */
    char reason[REASON_SIZE];
};

static void limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now, l = {.rlim_cur = soft, .rlim_max = hard};
    if (getrlimit(resource, &now) == 0 && now.rlim_max < l.rlim_max) {
        l.rlim_max = now.rlim_max;
        l.rlim_cur = l.rlim_cur < l.rlim_max ? l.rlim_cur : l.rlim_max;
    }
    setrlimit(resource, &l);
}

enum { STACK_MEGABYTES = 8, OPEN_FILES = 256 };

static void set_limits(const struct wire_request *w)
{
    limit(RLIMIT_CORE, 0, 0);
    if (w->cpu > 0)
        limit(RLIMIT_CPU, (uint64_t)ceil(w->cpu), (uint64_t)ceil(w->cpu) + 1);
    if (w->memory)
        limit(RLIMIT_AS, w->memory, w->memory);
    if (w->file_size)
        limit(RLIMIT_FSIZE, w->file_size, w->file_size);
    if (!w->sandboxed)
        return;
    limit(RLIMIT_STACK, (uint64_t)STACK_MEGABYTES << 20, (uint64_t)STACK_MEGABYTES << 20);
    limit(RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES);
    if (w->processes)
        limit(RLIMIT_NPROC, w->processes, w->processes);
}

_Noreturn static void complain(struct complaint *c, uint32_t kind, const char *what)
{
    snprintf(c->reason, sizeof c->reason, "%s: %s", what, strerror(errno));
    c->kind = kind;
    _exit(127);
}

static void plug(const struct request *r, int out, int err, struct complaint *c)
{
    int in = open(*r->input ? r->input : "/dev/null", O_RDONLY);
    if (in < 0)
        complain(c, SYS_NOT_STARTED, r->input);
    if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
        complain(c, SYS_NOT_STARTED, "dup2");
}

static void reset_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL);
}

_Noreturn static void become_job(const struct request *r, const struct sandbox *s, int out, int err,
                                 struct complaint *c)
{
    const struct wire_request *w = &r->wire;
    main_fn *entry = NULL;
    setsid();
    reset_signals();
    plug(r, out, err, c);
    if (chdir(*r->dir ? r->dir : s->writable) != 0)
        complain(c, SYS_NOT_STARTED, *r->dir ? r->dir : s->writable);
    if (w->load && !loader_load(r->objects, w->objects, &entry, c->reason, sizeof c->reason)) {
        c->kind = SYS_NOT_LOADED;
        _exit(127);
    }
    set_limits(w);
    if (w->sandboxed && !sandbox_put_on(s))
        complain(c, SYS_NOT_STARTED, "sandbox");
    if (!w->load) {
        close_range(3, UINT_MAX, CLOSE_RANGE_CLOEXEC);
        execvpe(r->args[0], r->args, r->env);
        complain(c, SYS_NOT_STARTED, r->args[0]);
    }
    munmap(c, sizeof *c);
    close_range(3, UINT_MAX, 0);
    environ = r->env;
    exit(entry((int)w->args, r->args, r->env));
}

/* ---- watching ------------------------------------------------------------------------ */

struct stream {
    int fd; /* read end, -1 once closed */
    char *bytes;
    size_t n, cap;
    uint64_t limit;
    bool cut;
};

enum { CHUNK = 65536 };

/* Reads what is there.  Past the limit it discards and marks the stream as cut. */
static void take_output(struct stream *s)
{
    static char discard[CHUNK];
    if (s->fd < 0)
        return;
    for (;;) {
        size_t room = s->limit > s->n ? (size_t)(s->limit - s->n) : 0;
        if (room && s->cap - s->n < CHUNK) {
            s->cap = s->cap ? s->cap * 2 : 2 * CHUNK;
            s->bytes = realloc(s->bytes, s->cap);
            if (!s->bytes)
                _exit(1);
        }
        char *to = room ? s->bytes + s->n : discard;
        size_t want = room && room < CHUNK ? room : CHUNK;
        ssize_t got = read(s->fd, to, want);
        if (got <= 0) {
            if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
                close(s->fd);
                s->fd = -1;
            }
            return;
        }
        if (room)
            s->n += (size_t)got;
        else
            s->cut = true;
        if (s->cut && (size_t)got == want)
            return; /* a flood: let the caller look at the clock */
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t resident_bytes(pid_t pid)
{
    char path[64], line[128];
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, line, sizeof line - 1);
    close(fd);
    unsigned long long size = 0, resident = 0;
    line[n > 0 ? n : 0] = '\0';
    return sscanf(line, "%llu %llu", &size, &resident) == 2 ? resident * 4096 : 0;
}

struct watch {
    const struct request *request;
    const struct sandbox *sandbox;
    pid_t pid;
    int pidfd;
    struct stream out, err;
    double start;
    enum sys_end end; /* why we killed it; SYS_EXITED when we did not */
    bool cupel_gone;
};

/* The next time at which something must be looked at, in milliseconds for poll. */
static int next_look(const struct watch *w)
{
    const struct wire_request *wire = &w->request->wire;
    double wait = 3600;
    if (wire->wall > 0)
        wait = w->start + wire->wall - now();
    if (wire->resident && wait > 0.02)
        wait = 0.02;
    return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

/* Has the job done something that ends it? */
static bool must_end(struct watch *w)
{
    const struct wire_request *wire = &w->request->wire;
    if (wire->wall > 0 && now() - w->start >= wire->wall)
        w->end = SYS_TIMEOUT;
    else if (!wire->drain_outputs && (w->out.cut || w->err.cut))
        w->end = SYS_OUTPUT_LONG;
    else if (wire->resident && resident_bytes(w->pid) > wire->resident)
        w->end = SYS_MEMORY;
    else
        return w->cupel_gone;
    return true;
}

/* Returns when the first process has ended, or something ends the job. */
static void watch_job(struct watch *w)
{
    for (;;) {
        struct pollfd fds[] = {{.fd = w->pidfd, .events = POLLIN},
                               {.fd = w->out.fd, .events = POLLIN},
                               {.fd = w->err.fd, .events = POLLIN},
                               {.fd = RUNNER_FD, .events = POLLIN}};
        if (poll(fds, 4, next_look(w)) < 0 && errno != EINTR)
            _exit(1);
        take_output(&w->out);
        take_output(&w->err);
        /* cupel says nothing while a job runs, so this is the end of it */
        if (fds[3].revents)
            w->cupel_gone = true;
        if (fds[0].revents || must_end(w))
            return;
    }
}

/* Kills the children of ours that /proc lists; true when there was one. */
static bool kill_listed_children(void)
{
    char path[64], line[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", getpid());
    FILE *f = fopen(path, "re");
    bool any = false;
    if (!f)
        return false;
    if (fgets(line, sizeof line, f))
        for (char *p = line, *end; *p; p = end) {
            long pid = strtol(p, &end, 10);
            /* a number at the end of a full line may be cut: somebody else's */
            if (end == p || *end != ' ' || pid <= 1)
                break;
            kill((pid_t)pid, SIGKILL);
            any = true;
        }
    fclose(f);
    return any;
}

/* Reaps the first process with its usage, and kills whatever else is left of the job.  As init
 * of the jobs' namespace we can kill all at once; otherwise orphans come to us one by one. */
static void reap_job(struct watch *w, struct rusage *usage, int *status)
{
    bool reaped = false;
    bool init = w->sandbox->parts & PART_PID_NAMESPACE;
    if (w->end == SYS_EXITED && !w->cupel_gone)
        reaped = wait4(w->pid, status, 0, usage) == w->pid;
    for (;;) {
        if (init)
            kill(-1, SIGKILL);
        kill(-w->pid, SIGKILL);
        bool listed = !init && kill_listed_children();
        struct rusage u;
        int st;
        pid_t pid = wait4(-1, &st, init || listed || !reaped ? 0 : WNOHANG, &u);
        if (pid == w->pid && !reaped) {
            *usage = u;
            *status = st;
            reaped = true;
        }
        if (pid < 0 && errno == ECHILD)
            return;
        if (pid == 0 && !listed)
            return;
    }
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static void describe(const struct watch *w, const struct rusage *usage, int status,
                     struct wire_reply *reply)
{
    const struct wire_request *wire = &w->request->wire;
    double cpu = seconds(usage->ru_utime) + seconds(usage->ru_stime);
    reply->end = w->end;
    reply->cpu = cpu;
    reply->max_resident = (uint64_t)usage->ru_maxrss * 1024;
    if (w->end != SYS_EXITED)
        return;
    reply->code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) {
        int sig = reply->code = WTERMSIG(status);
        bool cpu_gone = wire->cpu > 0 && cpu >= wire->cpu * 0.95;
        reply->end = sig == SIGXCPU || (sig == SIGKILL && cpu_gone) ? SYS_TIMEOUT : SYS_SIGNALLED;
    }
    if (!wire->drain_outputs && (w->out.cut || w->err.cut))
        reply->end = SYS_OUTPUT_LONG;
}

static bool answer(struct wire_reply *reply, const struct complaint *c, struct watch *w)
{
    if (c->kind) {
        reply->end = c->kind;
        reply->reason = strnlen(c->reason, REASON_SIZE - 1);
        w->out.n = w->err.n = 0;
    }
    reply->out = w->out.n;
    reply->err = w->err.n;
    reply->out_cut = w->out.cut;
    reply->err_cut = w->err.cut;
    return write_all(reply, sizeof *reply) && write_all(c->reason, reply->reason) &&
           write_all(w->out.bytes, w->out.n) && write_all(w->err.bytes, w->err.n);
}

static bool make_pipe(int fds[2])
{
    return pipe2(fds, O_CLOEXEC) == 0 && fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0;
}

/* False when cupel is gone, or the machine fails us so that we cannot go on. */
static bool serve(const struct request *r, const struct sandbox *s, struct complaint *c)
{
    struct watch w = {.request = r, .sandbox = s, .end = SYS_EXITED};
    struct wire_reply reply = {0};
    struct rusage usage = {0};
    int out[2], err[2], status = 0;
    if (!make_pipe(out) || !make_pipe(err))
        return false;
    memset(c, 0, sizeof *c);
    w.start = now();
    w.pid = fork();
    if (w.pid == 0)
        become_job(r, s, out[1], err[1], c);
    if (w.pid < 0 || (w.pidfd = pidfd_open(w.pid, 0)) < 0)
        return false;
    close(out[1]);
    close(err[1]);
    w.out = (struct stream){.fd = out[0], .limit = r->wire.output};
    w.err = (struct stream){.fd = err[0], .limit = r->wire.output};
    watch_job(&w);
    reap_job(&w, &usage, &status);
    reply.wall = now() - w.start;
    /* everyone who could write is dead: what is in the pipes is the rest */
    while (w.out.fd >= 0 || w.err.fd >= 0) {
        take_output(&w.out);
        take_output(&w.err);
    }
    close(w.pidfd);
    describe(&w, &usage, status, &reply);
    bool ok = !w.cupel_gone && answer(&reply, c, &w);
    free(w.out.bytes);
    free(w.err.bytes);
    if (r->wire.sandboxed)
        sandbox_clean(s);
    return ok;
}

int main(int argc, char **argv)
{
    static char *no_folders[] = {NULL};
    struct sandbox s = {0};
    if (argc < 2)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    fcntl(RUNNER_FD, F_SETFD, FD_CLOEXEC);
    umask(022);
    sandbox_enter_namespaces(&s);
    sandbox_prepare(&s, argv[1], argc > 2 ? argv + 2 : no_folders);
    struct complaint *c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                               -1, 0);
    if (c == MAP_FAILED)
        return 1;
    struct wire_hello hello = {.parts = s.parts, .landlock_abi = s.landlock_abi};
    if (!write_all(&hello, sizeof hello))
        return 1;
    for (struct request r = {0}; receive(&r); forget(&r))
        if (!serve(&r, &s, c))
            return 1;
    return 0;
}
