/* What every child does before it is the job.  Also part of the compile server. */
#include "sys/child.h"
#include "sys/sys.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static bool comes_first;
static int usual_nice;

void child_come_first(void)
{
    usual_nice = getpriority(PRIO_PROCESS, 0);
    comes_first = setpriority(PRIO_PROCESS, 0, PRIO_MIN) == 0;
}

void child_detach(void)
{
    sigset_t none;
    setsid();
    if (comes_first)
        setpriority(PRIO_PROCESS, 0, usual_nice);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int sig = 1; sig < NSIG; sig++)
        signal(sig, SIG_DFL);
}

static void limit(__rlimit_resource_t resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now, l = {.rlim_cur = soft, .rlim_max = hard};
    if (getrlimit(resource, &now) == 0 && now.rlim_max < l.rlim_max) {
        l.rlim_max = now.rlim_max;
        l.rlim_cur = l.rlim_cur < l.rlim_max ? l.rlim_cur : l.rlim_max;
    }
    setrlimit(resource, &l);
}

enum { STACK_MEGABYTES = 8, OPEN_FILES = 256 };

void child_limit(const struct wire_request *w)
{
    uint64_t cpu = (uint64_t)w->cpu + (w->cpu > (double)(uint64_t)w->cpu);
    limit(RLIMIT_CORE, 0, 0);
    if (cpu)
        limit(RLIMIT_CPU, cpu, cpu + 1);
    if (w->memory)
        limit(RLIMIT_AS, w->memory, w->memory);
    if (w->file_size)
        limit(RLIMIT_FSIZE, w->file_size, w->file_size);
    if (w->rights != SYS_PROGRAM)
        return;
    uint64_t stack = w->stack ? w->stack : (uint64_t)STACK_MEGABYTES << 20;
    limit(RLIMIT_STACK, stack, stack);
    limit(RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES);
    if (w->processes)
        limit(RLIMIT_NPROC, w->processes, w->processes);
}

bool child_find_program(const char *name, char *path, size_t size)
{
    const char *dirs = getenv("PATH");
    if (strchr(name, '/'))
        return snprintf(path, size, "%s", name) < (int)size && access(path, X_OK) == 0;
    for (const char *p = dirs ? dirs : "/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        if (snprintf(path, size, "%.*s/%s", (int)n, p, name) < (int)size && access(path, X_OK) == 0)
            return true;
        p += n + (p[n] == ':');
    }
    errno = ENOENT;
    return false;
}

char **child_take_strings(char **p, size_t count)
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
