/* A control group for what compilers start, so that the kernel itself refuses one process too many:
 * root, whom no other limit holds, may make one.  It lies beside or below our own group, whose
 * limits go on to hold; whoever holds its lock uses it, and one that a killed runner left is
 * removed by the next. */
#include "sys/runner/runner.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "cupel-"

static bool write_at(int folder, const char *name, const char *text)
{
    int fd = openat(folder, name, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return ok;
}

/* ---- where ---------------------------------------------------------------------------- */

/* Is a name in a list with commas? */
static bool names(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ',') && (at[n] == ',' || at[n] == '\0'))
            return true;
    return false;
}

/* The folder for new groups that can count processes, by a line of /proc/self/cgroup.  Where there
 * is one hierarchy for everything, a group that has processes has no groups below it that count: a
 * new one lies beside ours then. */
static bool folder_of(char *line, char *path, size_t size)
{
    char *controllers = strchr(line, ':'), *group = controllers ? strchr(++controllers, ':') : NULL;
    if (!group)
        return false;
    *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    bool unified = *controllers == '\0';
    if (!unified && !names(controllers, "pids"))
        return false;
    if (unified)
        *strrchr(group, '/') = '\0';
    snprintf(path, size, "/sys/fs/cgroup/%s%s", unified ? "" : controllers, group);
    return access(path, W_OK) == 0;
}

static bool find_folder(char *path, size_t size)
{
    char line[PATH_MAX];
    bool found = false;
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && !found && fgets(line, sizeof line, f))
        found = strchr(line, '/') && folder_of(line, path, size);
    if (f)
        fclose(f);
    return found;
}

/* ---- one of our own ------------------------------------------------------------------- */

/* Its lock, if nobody has it and it is still there; else -1. */
static int lock(int folder, const char *name)
{
    struct stat here, there;
    int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &here) == 0 &&
        fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && here.st_ino == there.st_ino)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

static void sweep(int folder)
{
    DIR *all = fdopendir(dup(folder));
    for (struct dirent *d; all && (d = readdir(all));) {
        int fd = strncmp(d->d_name, PREFIX, strlen(PREFIX)) ? -1 : lock(folder, d->d_name);
        if (fd < 0)
            continue;
        unlinkat(folder, d->d_name, AT_REMOVEDIR); /* fails while somebody is in it */
        close(fd);
    }
    if (all)
        closedir(all);
}

/* Somebody who sweeps may take it before we have its lock. */
static int make(char *path)
{
    enum { TRIES = 10 };
    char *end = path + strlen(path);
    for (int i = 0; i < TRIES; i++) {
        strcpy(end, "/" PREFIX "XXXXXX");
        if (!mkdtemp(path))
            return -1;
        int fd = lock(AT_FDCWD, path);
        if (fd >= 0)
            return fd;
    }
    return -1;
}

void cgroup_prepare(struct cgroup *g)
{
    char most[32];
    g->fd = -1;
    if (geteuid() != 0 || !find_folder(g->path, sizeof g->path - sizeof "/" PREFIX "XXXXXX"))
        return;
    int folder = open(g->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    sweep(folder);
    close(folder);
    g->fd = make(g->path);
    snprintf(most, sizeof most, "%u", sandbox_most_tasks());
    if (g->fd >= 0 && !write_at(g->fd, "pids.max", most))
        cgroup_remove(g);
}

bool cgroup_join(const struct cgroup *g)
{
    return g->fd < 0 || write_at(g->fd, "cgroup.procs", "0");
}

uint64_t cgroup_refusals(const struct cgroup *g)
{
    char text[64] = "";
    int fd = g->fd < 0 ? -1 : openat(g->fd, "pids.events", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    return n > 4 && strncmp(text, "max ", 4) == 0 ? strtoull(text + 4, NULL, 10) : 0;
}

void cgroup_remove(struct cgroup *g)
{
    if (g->fd < 0)
        return;
    rmdir(g->path);
    close(g->fd);
    g->fd = -1;
}
