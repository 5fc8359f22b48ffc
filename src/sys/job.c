/* Our end of a runner: starting it, handing it jobs, reading what became of them. */
#include "sys/private.h"
#include "sys/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct runner {
    struct arena arena;
    struct runner_options options;
    pid_t pid; /* 0 when there is none */
    int fd;
    bool greeted;   /* has said what it could make: */
    uint32_t parts; /* of enum wire_part */
    char sandbox[200];
};

/* CPU microseconds of all finished jobs, for the share that is ours. */
static atomic_ullong children_cpu;

/* ---- starting ------------------------------------------------------------------------ */

/* A path under which the carried executable can be started; the descriptor keeps it alive. */
static int open_blob(char *path, size_t size, struct err *e)
{
    size_t n = (size_t)(runner_blob_end - runner_blob);
    int fd = memfd_create("cupel-runner", MFD_CLOEXEC);
    if (fd < 0 || write(fd, runner_blob, n) != (ssize_t)n) {
        fail_errno(e, "cannot write the runner into memory");
        if (fd >= 0)
            close(fd);
        return -1;
    }
    /* The copy that is executed must not be open for writing. */
    snprintf(path, size, "/proc/self/fd/%d", fd);
    int again = open(path, O_RDONLY | O_CLOEXEC);
    close(fd);
    if (again < 0) {
        fail_errno(e, "cannot open the runner: is /proc mounted?");
        return -1;
    }
    snprintf(path, size, "/proc/self/fd/%d", again);
    return again;
}

/* The compile server's library has to be a file: all runners of a scratch folder share it. */
static const char *write_server(struct arena *a, const char *scratch)
{
    char *path = arena_printf(a, "%s/server.so", scratch);
    size_t n = (size_t)(server_blob_end - server_blob);
    if (access(path, R_OK) == 0 || sys_write_file(path, server_blob, n, NULL))
        return path;
    return "";
}

static char **runner_arguments(struct arena *a, const struct runner_options *options,
                               const char *mode)
{
    struct list args = {0};
    list_add(a, &args, "cupel-runner");
    list_add(a, &args, (char *)mode);
    list_add(a, &args, (char *)options->scratch);
    list_add(a, &args, (char *)write_server(a, options->scratch));
    list_add(a, &args, (char *)(options->workshop ? options->workshop : ""));
    for (size_t i = 0; options->readable && options->readable[i]; i++)
        list_add(a, &args, (char *)options->readable[i]);
    list_add(a, &args, NULL);
    return (char **)args.at;
}

/* The runner gets no more of our environment than it needs to find compilers: loaded programs
 * live in its memory.  Jobs are given theirs one by one. */
static char **runner_env(struct arena *a)
{
    static const char *const names[] = {"PATH", "LD_LIBRARY_PATH"};
    struct list env = {0};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (getenv(names[i]))
            list_add(a, &env, arena_printf(a, "%s=%s", names[i], getenv(names[i])));
    list_add(a, &env, NULL);
    return (char **)env.at;
}

static bool start(struct runner *r, const char *mode, struct err *e)
{
    struct arena a = {0};
    char path[64];
    int blob = open_blob(path, sizeof path, e);
    if (blob < 0)
        return false;
    r->fd = spawn_with_socket(&r->pid, path, runner_arguments(&a, &r->options, mode),
                              runner_env(&a), e);
    close(blob);
    arena_free(&a);
    return r->fd >= 0;
}

/* ---- talking ------------------------------------------------------------------------- */

enum talk { TALK_OK, TALK_CANCELLED, TALK_BROKEN };

static enum talk receive(const struct runner *r, void *to, size_t n)
{
    for (char *p = to; n;) {
        struct pollfd fds[] = {{.fd = r->fd, .events = POLLIN},
                               {.fd = sys_cancel_fd(), .events = POLLIN}};
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            return TALK_BROKEN;
        if (sys_cancelled())
            return TALK_CANCELLED;
        if (!fds[0].revents)
            continue;
        ssize_t got = read(r->fd, p, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return TALK_BROKEN;
        p += got;
        n -= (size_t)got;
    }
    return TALK_OK;
}

static uint32_t add_strings(struct text *t, char *const *strings)
{
    uint32_t n = 0;
    for (; strings && strings[n]; n++)
        text_add(t, strings[n], strlen(strings[n]) + 1);
    return n;
}

static void add_string(struct text *t, const char *s)
{
    text_add(t, s ? s : "", s ? strlen(s) + 1 : 1);
}

/* "SIZE NAME" each. */
static void add_watches(struct text *t, const struct sys_job *job)
{
    for (size_t i = 0; i < job->watch_count; i++) {
        text_printf(t, "%llu %s", (unsigned long long)job->watch[i].size, job->watch[i].name);
        text_putc(t, '\0');
    }
}

static bool send_job(const struct runner *r, const struct sys_job *job)
{
    const struct sys_limits *l = &job->limits;
    struct wire_request wire = {
        .load = job->action == SYS_LOAD,
        .serve = job->action == SYS_SERVE,
        .rights = job->rights,
        .drain_outputs = job->drain_outputs,
        .processes = l->processes,
        .watches = (uint32_t)job->watch_count,
        .count_steps = job->count_steps,
        .step = job->step,
        .by_cpu = l->by_cpu,
        .wall = l->wall,
        .cpu = l->cpu,
        .memory = l->memory,
        .stack = l->stack,
        .resident = l->resident,
        .file_size = l->file_size,
        .folder = l->folder,
        .output = l->output,
    };
    struct text message = {0};
    text_add(&message, &wire, sizeof wire);
    add_string(&message, job->dir);
    add_string(&message, job->input);
    add_string(&message, job->program);
    wire.objects = add_strings(&message, job->objects);
    wire.args = add_strings(&message, job->argv);
    wire.env = add_strings(&message, job->env);
    add_watches(&message, job);
    wire.strings = (uint32_t)(message.n - sizeof wire);
    memcpy(message.s, &wire, sizeof wire);
    bool ok = wire_write(r->fd, message.s, message.n);
    text_free(&message);
    return ok;
}

static enum talk receive_text(const struct runner *r, struct text *t, uint64_t n)
{
    text_reserve(t, n);
    enum talk talk = receive(r, t->s, n);
    t->n = talk == TALK_OK ? n : 0;
    t->s[t->n] = '\0';
    return talk;
}

static enum talk receive_result(const struct runner *r, struct sys_result *result)
{
    struct wire_reply reply;
    enum talk talk = receive(r, &reply, sizeof reply);
    if (talk != TALK_OK)
        return talk;
    result->end = (enum sys_end)reply.end;
    result->code = reply.code;
    result->out_cut = reply.out_cut;
    result->err_cut = reply.err_cut;
    result->wall = reply.wall;
    result->cpu = reply.cpu;
    result->max_resident = reply.max_resident;
    atomic_fetch_add(&children_cpu, (unsigned long long)(reply.cpu * 1e6));
    result->accesses_cut = reply.accesses_cut;
    result->narrow = reply.narrow;
    result->steps = reply.steps;
    struct {
        struct text *to;
        uint64_t bytes;
    } parts_of[] = {{&result->reason, reply.reason},
                    {&result->out, reply.out},
                    {&result->err, reply.err},
                    {&result->watched, reply.watched},
                    {&result->accesses, reply.accesses}};
    for (size_t i = 0; i < LENGTH(parts_of) && talk == TALK_OK; i++)
        talk = receive_text(r, parts_of[i].to, parts_of[i].bytes);
    return talk;
}

/* ---- the sandbox, in words ----------------------------------------------------------- */

enum { PROGRAMS = 1 << SYS_PROGRAM, COMPILERS = 1 << SYS_COMPILER };

static const struct {
    enum wire_part part;
    unsigned whom; /* it is for */
    const char *name, *lack;
} parts[] = {
    {PART_PID_NAMESPACE, PROGRAMS | COMPILERS, "namespaces",
     "no process namespaces here: compilers and what they make could send signals to your "
     "processes"},
    {PART_TMPFS, PROGRAMS, "bounded tmpfs",
     "no private tmpfs here: a compiled program could fill the scratch disk until it times out"},
    {PART_LANDLOCK, PROGRAMS | COMPILERS, "Landlock",
     "no Landlock in this kernel: a compiled program can read and write what you can"},
    {PART_SECCOMP, PROGRAMS | COMPILERS, "no sockets",
     "no seccomp here: a compiled program can open sockets"},
    {PART_OWN_USER, PROGRAMS, "own user",
     "the scratch folder is closed to other users: compiled programs run as you, and can start "
     "threads but no processes; set TMPDIR to a folder like /tmp to have them run as nobody"},
    {PART_IPC, PROGRAMS | COMPILERS, "own IPC",
     "no IPC namespaces here: System V memory, semaphores and queues are refused"},
    {PART_KEPT_FILES, PROGRAMS, "read-only files",
     "no private mounts here: what changes modes, times and owners of files is refused"},
    {PART_READ_ONLY, COMPILERS, "for compilers too",
     "no private mounts here: compilers could change modes and owners of your files, and have no "
     "/tmp"},
    {PART_COUNTED, COMPILERS, "process limit",
     "no control group for processes here: a compiler that forks without end is ended only once it "
     "is "
     "seen"},
};

static void describe_sandbox(struct runner *r, const struct wire_hello *hello)
{
    size_t n = 0;
    r->parts = hello->parts;
    for (size_t i = 0; i < LENGTH(parts); i++) {
        if (!(hello->parts & (uint32_t)parts[i].part))
            continue;
        n += (size_t)snprintf(r->sandbox + n, sizeof r->sandbox - n, "%s%s", n ? ", " : "",
                              parts[i].name);
        if (parts[i].part == PART_LANDLOCK)
            n += (size_t)snprintf(r->sandbox + n, sizeof r->sandbox - n, " %u",
                                  hello->landlock_abi);
    }
}

/* Of no interest before somebody wants to be protected. */
static void say_what_is_lacking(const struct runner *r, enum sys_rights rights)
{
    bool trusted = rights == SYS_COMPILER && !r->options.workshop;
    for (size_t i = 0; !trusted && i < LENGTH(parts); i++)
        if (parts[i].whom & 1u << rights && !(r->parts & (uint32_t)parts[i].part))
            log_once("%s", parts[i].lack);
}

/* ---- the interface ------------------------------------------------------------------- */

void sys_runner_hang_up(struct runner *r)
{
    if (r->fd >= 0)
        close(r->fd);
    r->fd = -1;
}

/* Hangs up and waits for its end; its exit status. */
static int stop(struct runner *r)
{
    int status = 0;
    sys_runner_hang_up(r);
    while (r->pid > 0 && waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
        ;
    r->pid = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void sys_runner_close(struct runner *r)
{
    if (!r)
        return;
    stop(r);
    arena_free(&r->arena);
    free(r);
}

/* The runner comes up while we do other things; its first words are heard here.  One that
 * cannot have namespaces is followed by one that does without. */
static bool greet(struct runner *r, struct err *e)
{
    struct wire_hello hello;
    if (r->greeted)
        return true;
    enum talk talk = receive(r, &hello, sizeof hello);
    if (talk == TALK_BROKEN && stop(r) == RUNNER_NO_NAMESPACES) {
        if (!start(r, "plain", e))
            return false;
        talk = receive(r, &hello, sizeof hello);
    }
    if (talk != TALK_OK)
        return fail(e, talk == TALK_CANCELLED ? "interrupted" : "the runner did not start");
    describe_sandbox(r, &hello);
    return r->greeted = true;
}

struct runner *sys_runner_open(const struct runner_options *options, struct err *e)
{
    struct runner *r = calloc(1, sizeof *r);
    struct list readable = {0};
    if (!r)
        BUG("out of memory");
    r->fd = -1;
    for (size_t i = 0; options->readable && options->readable[i]; i++)
        list_add(&r->arena, &readable, arena_string(&r->arena, options->readable[i]));
    list_add(&r->arena, &readable, NULL);
    r->options = (struct runner_options){.scratch = arena_string(&r->arena, options->scratch),
                                         .readable = (const char *const *)readable.at};
    if (options->workshop)
        r->options.workshop = arena_string(&r->arena, options->workshop);
    if (start(r, "namespaces", e))
        return r;
    sys_runner_close(r);
    return NULL;
}

const char *sys_runner_sandbox(struct runner *r)
{
    return greet(r, NULL) ? r->sandbox : "unknown";
}

bool sys_run(struct runner *runner, const struct sys_job *job, struct sys_result *r, struct err *e)
{
    *r = (struct sys_result){0};
    if (!greet(runner, e)) {
        r->end = SYS_CANCELLED;
        return sys_cancelled();
    }
    say_what_is_lacking(runner, job->rights);
    enum talk talk = send_job(runner, job) ? receive_result(runner, r) : TALK_BROKEN;
    if (talk == TALK_BROKEN)
        return fail(e, "the runner process ended unexpectedly");
    if (talk == TALK_CANCELLED)
        r->end = SYS_CANCELLED;
    return true;
}

void sys_result_free(struct sys_result *r)
{
    text_free(&r->out);
    text_free(&r->err);
    text_free(&r->reason);
    text_free(&r->watched);
    text_free(&r->accesses);
}

double sys_children_cpu(void)
{
    return (double)atomic_load(&children_cpu) * 1e-6;
}

const char *sys_signal_name(int sig)
{
    static const char *const names[] = {
        [SIGABRT] = "SIGABRT", [SIGALRM] = "SIGALRM", [SIGBUS] = "SIGBUS",   [SIGFPE] = "SIGFPE",
        [SIGHUP] = "SIGHUP",   [SIGILL] = "SIGILL",   [SIGINT] = "SIGINT",   [SIGKILL] = "SIGKILL",
        [SIGPIPE] = "SIGPIPE", [SIGQUIT] = "SIGQUIT", [SIGSEGV] = "SIGSEGV", [SIGSYS] = "SIGSYS",
        [SIGTERM] = "SIGTERM", [SIGTRAP] = "SIGTRAP", [SIGUSR1] = "SIGUSR1", [SIGUSR2] = "SIGUSR2",
        [SIGXCPU] = "SIGXCPU", [SIGXFSZ] = "SIGXFSZ",
    };
    bool known = sig > 0 && (size_t)sig < LENGTH(names) && names[sig];
    return known ? names[sig] : "an unusual signal";
}

char *sys_describe_end(struct arena *a, const struct sys_result *r)
{
    switch (r->end) {
    case SYS_EXITED:
        return arena_printf(a, "exit status %d", r->code);
    case SYS_SIGNALLED:
        return arena_string(a, sys_signal_name(r->code));
    case SYS_TIMEOUT:
        return arena_printf(a, "time-out after %.1f s", r->wall);
    case SYS_OUTPUT_LONG:
        return arena_string(a, "output too long");
    case SYS_MEMORY:
        return arena_string(a, "out of memory");
    case SYS_CROWD:
        return arena_string(a, "too many processes");
    case SYS_FULL:
        return arena_string(a, "fills the disk");
    case SYS_NOT_STARTED:
    case SYS_NOT_LOADED:
        return arena_string(a, text_str(&r->reason));
    case SYS_CANCELLED:
        return arena_string(a, "interrupted");
    }
    BUG("end %d", (int)r->end);
}

static bool is_replaced(const char *entry)
{
    return str_has_prefix(entry, "LC_ALL=") || str_has_prefix(entry, "LANGUAGE=") ||
           str_has_prefix(entry, "TMPDIR=") || str_has_prefix(entry, "XDG_CACHE_HOME=");
}

void sys_become(char *const *argv, struct err *e)
{
    execvp(argv[0], argv);
    fail_errno(e, "cannot start %s", argv[0]);
}

bool sys_call(char *const *argv, int *status, struct err *e)
{
    pid_t pid;
    int end, error = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);
    if (error)
        return fail(e, "cannot start %s: %s", argv[0], strerror(error));
    while (waitpid(pid, &end, 0) < 0)
        if (errno != EINTR)
            return fail_errno(e, "cannot wait for %s", argv[0]);
    *status = WIFSIGNALED(end) ? 128 + WTERMSIG(end) : WEXITSTATUS(end);
    return true;
}

char **sys_tool_env(struct arena *a, const char *dir)
{
    struct list env = {0};
    for (char **p = environ; *p; p++)
        if (!is_replaced(*p))
            list_add(a, &env, *p);
    list_add(a, &env, "LC_ALL=C");
    list_add(a, &env, arena_printf(a, "TMPDIR=%s", dir));
    list_add(a, &env, arena_printf(a, "XDG_CACHE_HOME=%s", dir)); /* ccache's place, unless told */
    list_add(a, &env, NULL);
    return (char **)env.at;
}

char **sys_program_env(struct arena *a)
{
    struct list env = {0};
    list_add(a, &env, "PATH=/usr/bin:/bin");
    list_add(a, &env, "HOME=/");
    list_add(a, &env, "TMPDIR=."); /* the one folder that can be written */
    list_add(a, &env, "LC_ALL=C");
    list_add(a, &env, "ASAN_OPTIONS=detect_leaks=0"); /* C lets programs end with memory in hand */
    list_add(a, &env, NULL);
    return (char **)env.at;
}
