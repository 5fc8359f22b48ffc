/* The runner: a small process between cupel and the jobs that it starts.
 *
 * It is a program of its own, carried inside cupel's and started through a memory file, so that
 * forking is cheap, and so that objects under test can be loaded into a child that holds
 * nothing but the C library.  It takes requests from a socket, one at a time, and for each:
 * forks, limits, watches, kills whatever is left of the job, and answers.  When the socket
 * closes, because cupel ended or was killed, it kills the job and ends.
 *
 * Usage: runner MODE SCRATCH SERVER WORKSHOP [READABLE ...], with the socket as descriptor 3.  MODE
 * is "namespaces" or "plain"; SERVER is the compile server's library, or ""; WORKSHOP is the folder
 * that compilers may write to, or "" when they are trusted. */
#include "sys/child.h"
#include "sys/runner/runner.h"
#include "sys/runner/servers.h"
#include "sys/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- talking to cupel ---------------------------------------------------------------- */

struct request {
    struct wire_request wire;
    char *strings;
    const char *dir, *input, *program;
    char **objects, **args, **env, **watches;
};

/* False when cupel is gone. */
static bool receive(struct request *r)
{
    if (!wire_read(RUNNER_FD, &r->wire, sizeof r->wire))
        return false;
    char *p = r->strings = malloc(r->wire.strings + 1u);
    if (!p || !wire_read(RUNNER_FD, p, r->wire.strings))
        return false;
    r->dir = p;
    p += strlen(p) + 1;
    r->input = p;
    p += strlen(p) + 1;
    r->program = p;
    p += strlen(p) + 1;
    r->objects = child_take_strings(&p, r->wire.objects);
    r->args = child_take_strings(&p, r->wire.args);
    r->env = child_take_strings(&p, r->wire.env);
    r->watches = child_take_strings(&p, r->wire.watches);
    return true;
}

static void forget(struct request *r)
{
    free(r->strings);
    free(r->objects);
    free(r->args);
    free(r->env);
    free(r->watches);
    *r = (struct request){0};
}

/* ---- the child ----------------------------------------------------------------------- */

enum { REASON_SIZE = 256 };

/* Shared with the child, so that it can say why it could not become the job. */
struct complaint {
    uint32_t kind; /* 0 none, else SYS_NOT_STARTED or SYS_NOT_LOADED */
    int error;     /* errno of the former */
    char reason[REASON_SIZE];
};

_Noreturn static void complain(struct complaint *c, uint32_t kind, const char *what)
{
    c->error = errno;
    snprintf(c->reason, sizeof c->reason, "%s: %s", what, strerror(c->error));
    c->kind = kind;
    _exit(127);
}

/* Unlike a shell, which takes what is no executable for a script of its own. */
_Noreturn static void start_program(const struct request *r, struct complaint *c)
{
    char path[PATH_MAX];
    const char *program = *r->program ? r->program : r->args[0];
    close_range(3, UINT_MAX, CLOSE_RANGE_CLOEXEC);
    if (child_find_program(program, path, sizeof path))
        execve(path, r->args, r->env);
    complain(c, SYS_NOT_STARTED, program);
}

/* Finds what is to be watched, "SIZE NAME" each, and begins. */
static void watch_objects(const struct request *r, struct watch_log *log)
{
    static struct watch_range ranges[MOST_WATCHES];
    log->count = r->wire.watches < MOST_WATCHES ? r->wire.watches : MOST_WATCHES;
    for (uint32_t i = 0; i < log->count; i++) {
        char *name;
        uint64_t size = strtoull(r->watches[i], &name, 10);
        log->state[i] = loader_find_object(name + (*name == ' '), size, &ranges[i]);
    }
    watch_drop_shared(log, ranges);
    if (!watch_begin(log, ranges, log->count, loader_code()))
        for (uint32_t i = 0; i < log->count; i++)
            log->state[i] = SYS_UNCLEAR;
}

/* Wrong code that reads what nobody wrote is right by chance where it finds zeros, or what we left.
 * So the stack on which a loaded program begins is filled, each time alike. */
__attribute__((noinline)) static void soil_stack(void)
{
    unsigned char below[1 << 16];
    memset(below, 0xa5, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

_Noreturn static void become_job(const struct request *r, const struct sandbox *s, const int fds[3],
                                 struct complaint *c, struct watch_log *log)
{
    const struct wire_request *w = &r->wire;
    main_fn *entry = NULL;
    child_detach();
    if (w->step && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        complain(c, SYS_NOT_STARTED, "ptrace");
    for (int i = 0; i < 3; i++)
        if (dup2(fds[i], i) < 0)
            complain(c, SYS_NOT_STARTED, "dup2");
    if (w->load && !loader_load(r->objects, w->objects, &entry, c->reason, sizeof c->reason)) {
        c->kind = SYS_NOT_LOADED;
        _exit(127);
    }
    child_limit(w);
    if (!sandbox_put_on(s, (enum sys_rights)w->rights, r->dir))
        complain(c, SYS_NOT_STARTED, *r->dir ? r->dir : "sandbox");
    if (!w->load)
        start_program(r, c);
    munmap(c, sizeof *c);
    close_range(3, UINT_MAX, 0);
    environ = r->env;
    soil_stack();
    if (log && w->count_steps)
        watch_count_steps(log, loader_code());
    else if (log)
        watch_objects(r, log);
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
#define USAGE_SECONDS 0.02 /* between two looks at what a job uses, */
#define MOST_SECONDS  0.1  /* or longer when looking takes long */

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

struct watch {
    const struct request *request;
    const struct sandbox *sandbox;
    pid_t pid;
    int pidfd;
    struct stream out, err;
    double start, start_cpu; /* when; and what it took besides the job's own */
    double next_usage;       /* when to look at what it uses */
    struct usage_machine before;
    uint64_t refusals; /* of processes, before it began */
    double late;       /* seconds beyond its wall time that it has been given */
    double seen_cpu;   /* what it had taken when it was given them */
    enum sys_end end;  /* why we killed it; SYS_EXITED when we did not */
    bool cupel_gone;
    struct watch_log *log; /* NULL: nothing is watched */
};

/* The next time at which something must be looked at, in milliseconds for poll. */
static int next_look(const struct watch *w)
{
    const struct wire_request *wire = &w->request->wire;
    double t = now(), wait = 3600;
    if (wire->wall > 0)
        wait = w->start + wire->wall + w->late - t;
    if (wire->resident && w->next_usage - t < wait)
        wait = w->next_usage - t;
    return wait <= 0 ? 0 : (int)(wait * 1000) + 1;
}

/* Was it refused a process? */
static bool is_refused(const struct watch *w)
{
    return cgroup_refusals(&w->sandbox->group) > w->refusals;
}

/* Has the job more processes than it may, or wants it more? */
static bool is_crowd(const struct watch *w)
{
    enum { BEFORE = 20 }; /* who holds the limit says nothing where it is no control group */
    bool guest = w->request->wire.rights == SYS_COMPILER && w->sandbox->workshop;
    return usage_is_crowd(guest ? sandbox_most_tasks() - BEFORE : MOST_PROCESSES) || is_refused(w);
}

/* Looking takes time of its own, the more so the more there is to see. */
static bool uses_too_much(struct watch *w)
{
    double t = now();
    const struct wire_request *wire = &w->request->wire;
    /* a guest's folder is on a disk that others need, too; what each file may be is not enough */
    struct usage_limits most = {.bytes = wire->resident,
                                .disk = wire->folder,
                                .folder = wire->folder ? w->sandbox->workshop : NULL};
    if (!most.bytes || t < w->next_usage)
        return false;
    if (is_crowd(w)) {
        w->end = SYS_CROWD;
        return true;
    }
    usage_at_first_look(&w->before);
    most.before = w->before;
    struct usage u = usage_of_job(&most);
    double took = now() - t;
    double pause = took > USAGE_SECONDS / 10 ? 10 * took : USAGE_SECONDS;
    w->next_usage = t + (pause < MOST_SECONDS ? pause : MOST_SECONDS);
    if (u.processes > MOST_PROCESSES)
        w->end = SYS_CROWD;
    else if (u.bytes > most.bytes)
        w->end = SYS_MEMORY;
    else if (most.folder && u.disk > most.disk)
        w->end = SYS_FULL;
    return w->end != SYS_EXITED;
}

/* Is its time up?  Where CPU time is what counts, a job that works, and only has to share the
 * machine with many, goes on as long as it has some left; one that waits does not. */
static bool is_time_up(struct watch *w)
{
    static const double TIMES = 10, PARTS = 2, PERCENT = 1;
    const struct wire_request *wire = &w->request->wire;
    if (wire->wall <= 0 || now() - w->start < wire->wall + w->late)
        return false;
    double cpu = wire->by_cpu && wire->cpu > 0 ? usage_cpu_of_job() : wire->cpu;
    double looked = w->late > 0 ? wire->wall / PARTS : wire->wall; /* seconds since then */
    if (cpu >= wire->cpu || (cpu - w->seen_cpu) * 100 < PERCENT * looked ||
        w->late >= TIMES * wire->wall)
        return true;
    w->seen_cpu = cpu;
    w->late += wire->wall / PARTS;
    return false;
}

/* Has the job done something that ends it? */
static bool must_end(struct watch *w)
{
    const struct wire_request *wire = &w->request->wire;
    if (is_time_up(w))
        w->end = SYS_TIMEOUT;
    else if (!wire->drain_outputs && (w->out.cut || w->err.cut))
        w->end = SYS_OUTPUT_LONG;
    else if (!uses_too_much(w))
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

/* The children of ours that are neither servers nor reaped; kills them when asked to. */
static bool leftovers(bool kill_them)
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
            if (servers_own((pid_t)pid))
                continue;
            any = true;
            if (kill_them)
                kill((pid_t)pid, SIGKILL);
        }
    fclose(f);
    return any;
}

/* As init of the jobs' namespace: everybody at once, servers too; nobody can fork away. */
static void kill_namespace(void)
{
    kill(-1, SIGKILL);
    while (wait4(-1, NULL, 0, NULL) >= 0 || errno == EINTR)
        ;
    servers_forget();
}

/* Reaps the first process with its usage, and kills whatever else is left of the job.  Orphans
 * come to us, as init or as subreaper, so when no child is left there is nobody. */
static void reap_job(struct watch *w, struct rusage *usage, int *status)
{
    bool init = w->sandbox->parts & PART_PID_NAMESPACE;
    if (w->end != SYS_EXITED || w->cupel_gone) {
        kill(w->pid, SIGKILL); /* it may not lead its group yet */
        kill(-w->pid, SIGKILL);
        if (init && w->end == SYS_CROWD)
            kill(-1, SIGKILL); /* those who fork do not wait for that one */
    }
    while (wait4(w->pid, status, 0, usage) < 0 && errno == EINTR)
        ;
    kill(-w->pid, SIGKILL); /* those of its group that it left */
    while (leftovers(!init)) {
        if (init)
            kill_namespace();
        else
            while (wait4(-1, NULL, WNOHANG, NULL) > 0)
                ;
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
    reply->cpu = cpu + w->start_cpu;
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

/* What a job whose objects were watched left; nothing when there was none. */
static bool answer_accesses(const struct watch_log *log, const struct wire_reply *reply)
{
    return !log || (wire_write(RUNNER_FD, log->state, reply->watched) &&
                    wire_write(RUNNER_FD, log->accesses, reply->accesses));
}

static bool answer(struct wire_reply *reply, const struct complaint *c, struct watch *w)
{
    if (c->kind) {
        reply->end = c->kind;
        reply->code = c->error;
        reply->reason = strnlen(c->reason, REASON_SIZE - 1);
        w->out.n = w->err.n = 0;
    }
    reply->out = w->out.n;
    reply->err = w->err.n;
    reply->out_cut = w->out.cut;
    reply->err_cut = w->err.cut;
    if (w->log) {
        /* the job could write there: believe no number of it */
        uint32_t n = w->log->access_count;
        n = n < MOST_ACCESSES ? n : MOST_ACCESSES;
        uint32_t known = w->log->count < MOST_WATCHES ? w->log->count : MOST_WATCHES;
        reply->watched = known * sizeof w->log->state[0];
        reply->accesses = n * sizeof w->log->accesses[0];
        reply->accesses_cut = w->log->cut;
        reply->narrow = w->log->narrow;
        reply->steps = w->log->steps < MOST_STEPS ? w->log->steps : 0;
    }
    return wire_write(RUNNER_FD, reply, sizeof *reply) &&
           wire_write(RUNNER_FD, c->reason, reply->reason) &&
           wire_write(RUNNER_FD, w->out.bytes, w->out.n) &&
           wire_write(RUNNER_FD, w->err.bytes, w->err.n) && answer_accesses(w->log, reply);
}

static bool make_pipe(int fds[2])
{
    return pipe2(fds, O_CLOEXEC) == 0 && fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0;
}

static void close_all(const int *fds, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* Memory that a job will share with us; zeros. */
static void *share(size_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* Starts the job with these descriptors as stdin, stdout and stderr; its process, or -1. */
static pid_t start(const struct request *r, struct sandbox *s, const int fds[3],
                   struct complaint *c, struct watch *w)
{
    sandbox_before_job(s, (enum sys_rights)r->wire.rights);
    if (r->wire.serve) {
        pid_t pid = servers_fork(&r->wire, r->strings, r->args[0], fds, &w->start_cpu);
        if (pid > 0)
            return pid;
    }
    pid_t pid = fork();
    if (pid == 0)
        become_job(r, s, fds, c, w->log);
    return pid;
}

/* Watches the job from its start to its end, and takes what it says. */
static bool follow(struct watch *w, struct rusage *usage, int *status)
{
    const struct request *r = w->request;
    w->pidfd = pidfd_open(w->pid, 0);
    if (w->pidfd < 0)
        return false;
    if (r->wire.step)
        step_job(w->pid, r->program, r->watches, r->wire.watches, r->wire.wall, w->log);
    watch_job(w);
    reap_job(w, usage, status);
    if (w->end == SYS_EXITED && is_refused(w))
        w->end = SYS_CROWD;
    /* everyone who could write is dead: what is in the pipes is the rest */
    while (w->out.fd >= 0 || w->err.fd >= 0) {
        take_output(&w->out);
        take_output(&w->err);
    }
    close(w->pidfd);
    return true;
}

/* False when cupel is gone, or the machine fails us so that we cannot go on. */
static bool serve(const struct request *r, struct sandbox *s, struct complaint *c)
{
    struct watch w = {.request = r, .sandbox = s, .end = SYS_EXITED, .start = now()};
    w.next_usage = w.start + USAGE_SECONDS;
    usage_before(&w.before, r->wire.folder ? s->workshop : NULL);
    w.refusals = cgroup_refusals(&s->group);
    struct wire_reply reply = {0};
    struct rusage usage = {0};
    int out[2], err[2], status = 0;
    memset(c, 0, sizeof *c);
    int in = open(*r->input ? r->input : "/dev/null", O_RDONLY | O_CLOEXEC);
    if (in < 0) {
        snprintf(c->reason, sizeof c->reason, "%s: %s", r->input, strerror(errno));
        c->kind = SYS_NOT_STARTED;
        return answer(&reply, c, &w);
    }
    if (!make_pipe(out) || !make_pipe(err))
        return false;
    int fds[] = {in, out[1], err[1]};
    bool logs = r->wire.step || (r->wire.load && (r->wire.watches || r->wire.count_steps));
    w.log = logs ? share(sizeof *w.log) : NULL;
    if (logs && !w.log)
        return false;
    w.pid = start(r, s, fds, c, &w);
    close_all(fds, 3);
    w.out = (struct stream){.fd = out[0], .limit = r->wire.output};
    w.err = (struct stream){.fd = err[0], .limit = r->wire.output};
    if (w.pid < 0 || !follow(&w, &usage, &status))
        return false;
    reply.wall = now() - w.start;
    describe(&w, &usage, status, &reply);
    bool ok = !w.cupel_gone && answer(&reply, c, &w);
    free(w.out.bytes);
    free(w.err.bytes);
    if (w.log)
        munmap(w.log, sizeof *w.log);
    sandbox_after_job(s, (enum sys_rights)r->wire.rights);
    return ok;
}

int main(int argc, char **argv)
{
    static const struct view none = {.mounts_fd = -1, .root_fd = -1, .tmp_fd = -1};
    struct sandbox s = {.compilers = none, .programs = none};
    if (argc < 5)
        return 2;
    s.workshop = *argv[4] ? argv[4] : NULL;
    signal(SIGPIPE, SIG_IGN);
    fcntl(RUNNER_FD, F_SETFD, FD_CLOEXEC);
    umask(022);
    child_come_first();
    if (strcmp(argv[1], "namespaces") == 0)
        sandbox_enter_namespaces(&s);
    else
        prctl(PR_SET_CHILD_SUBREAPER, 1);
    sandbox_prepare(&s, argv[2], argv + 5);
    servers_open(*argv[3] ? argv[3] : NULL, &s);
    struct complaint *c = share(sizeof *c);
    if (!c)
        return 1;
    struct wire_hello hello = {.parts = s.parts, .landlock_abi = s.landlock_abi};
    if (!wire_write(RUNNER_FD, &hello, sizeof hello))
        return 1;
    bool ok = true;
    for (struct request r = {0}; ok && receive(&r); forget(&r))
        ok = serve(&r, &s, c);
    servers_close();
    sandbox_remove(&s);
    return ok ? 0 : 1;
}
