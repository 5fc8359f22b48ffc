/* What compilers and programs see of the file system, each in a mount namespace of their own:
 * everything as it is, but read-only, down to modes, owners, times and attributes, which Landlock
 * does not look at.  Their own folder can be written.  /tmp is the compilers', because some write
 * there whatever TMPDIR says; what is in the real one, sources and their folder among it, is linked
 * into it. */
#include "sys/runner/runner.h"
#include "sys/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TMP_OPTIONS "size=256m,nr_inodes=16384,mode=1777"
static const char host_name[] = ".host"; /* the real /tmp in theirs */

/* ---- making it -------------------------------------------------------------------------- */

/* The mounts at path and below as a tree that can be moved. */
static int clone_tree(const char *path)
{
    return (int)syscall(SYS_open_tree, AT_FDCWD, path,
                        OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
}

static bool set_read_only(int fd, const char *path, unsigned flags)
{
    struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};
    return syscall(SYS_mount_setattr, fd, path, flags | AT_RECURSIVE, &attr, sizeof attr) == 0;
}

static bool attach(int tree, const char *path)
{
    return syscall(SYS_move_mount, tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

static void link_host(int tmp, const char *name)
{
    char to[300];
    snprintf(to, sizeof to, "%s/%s", host_name, name);
    if (symlinkat(to, tmp, name) != 0 && errno != EEXIST)
        return; /* full: a compiler will say so */
}

static void link_all(int tmp, const char *host)
{
    DIR *dir = opendir(host);
    for (struct dirent *d; dir && (d = readdir(dir));)
        if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0 &&
            strcmp(d->d_name, host_name) != 0)
            link_host(tmp, d->d_name);
    if (dir)
        closedir(dir);
}

/* Over the real /tmp, which moves into it. */
static bool make_tmp(void)
{
    int host = clone_tree("/tmp");
    bool ok = host >= 0 && set_read_only(host, "", AT_EMPTY_PATH) &&
              mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, TMP_OPTIONS) == 0 &&
              mkdir("/tmp/.host", 0755) == 0 && attach(host, "/tmp/.host");
    int tmp = ok ? open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (tmp >= 0)
        link_all(tmp, "/tmp/.host");
    if (tmp >= 0)
        close(tmp);
    if (host >= 0)
        close(host);
    return tmp >= 0;
}

/* In the new namespace.  The folder is taken before all becomes read-only, and put back last,
 * where its name now leads. */
static bool build(const char *folder, bool own_tmp)
{
    int tree = clone_tree(folder);
    bool ok = tree >= 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
              set_read_only(AT_FDCWD, "/", 0) && (!own_tmp || make_tmp()) && attach(tree, folder);
    if (tree >= 0)
        close(tree);
    return ok;
}

/* A process that makes the namespace and then waits to be killed. */
static pid_t start_builder(const char *folder, bool own_tmp, int *ready)
{
    int fds[2];
    char done;
    if (pipe2(fds, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        close(fds[0]);
        done = unshare(CLONE_NEWNS) == 0 && build(folder, own_tmp);
        if (write(fds[1], &done, 1) == 1)
            pause();
        _exit(0);
    }
    close(fds[1]);
    *ready = pid > 0 && read(fds[0], &done, 1) == 1 && done;
    close(fds[0]);
    return pid;
}

static int open_of(pid_t pid, const char *name, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    return open(path, flags | O_CLOEXEC);
}

bool mounts_prepare(struct view *v, const char *folder, bool own_tmp)
{
    int ready = 0;
    pid_t builder = start_builder(folder, own_tmp, &ready);
    if (ready) {
        v->mounts_fd = open_of(builder, "ns/mnt", O_RDONLY);
        v->root_fd = open_of(builder, "root", O_PATH | O_DIRECTORY);
        if (own_tmp)
            v->tmp_fd = open_of(builder, "root/tmp", O_RDONLY | O_DIRECTORY);
    }
    if (builder > 0) {
        kill(builder, SIGKILL);
        waitpid(builder, NULL, 0);
    }
    return v->mounts_fd >= 0 && v->root_fd >= 0 && (v->tmp_fd >= 0 || !own_tmp);
}

/* ---- using it --------------------------------------------------------------------------- */

/* Did the folder change since?  Remembers what it is now. */
static bool is_changed(const struct stat *st, int64_t seen[2])
{
    bool changed = seen[0] != st->st_mtim.tv_sec || seen[1] != st->st_mtim.tv_nsec;
    seen[0] = st->st_mtim.tv_sec;
    seen[1] = st->st_mtim.tv_nsec;
    return changed;
}

void mounts_refresh(struct view *v)
{
    struct stat st;
    if (v->tmp_fd < 0 || stat("/tmp", &st) != 0 || !is_changed(&st, v->host_seen))
        return;
    link_all(v->tmp_fd, "/tmp");
    if (fstat(v->tmp_fd, &st) == 0)
        is_changed(&st, v->tmp_seen);
}

/* Neither our link of that name nor the real /tmp? */
static bool is_left(int folder, const char *name)
{
    char to[300], wanted[300];
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, host_name) == 0)
        return false;
    ssize_t n = readlinkat(folder, name, to, sizeof to - 1);
    to[n > 0 ? n : 0] = '\0';
    snprintf(wanted, sizeof wanted, "%s/%s", host_name, name);
    return strcmp(to, wanted) != 0;
}

void mounts_clean(struct view *v)
{
    struct stat st;
    if (v->tmp_fd < 0 || fstat(v->tmp_fd, &st) != 0 || !is_changed(&st, v->tmp_seen))
        return;
    int again = openat(v->tmp_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = again < 0 ? NULL : fdopendir(again);
    for (struct dirent *d; dir && (d = readdir(dir));)
        if (is_left(v->tmp_fd, d->d_name))
            tree_remove(v->tmp_fd, d->d_name);
    if (dir)
        closedir(dir);
    link_all(v->tmp_fd, "/tmp"); /* it may have removed some */
    if (fstat(v->tmp_fd, &st) == 0)
        is_changed(&st, v->tmp_seen);
}

bool mounts_enter(const struct view *v)
{
    return v->mounts_fd < 0 ||
           (setns(v->mounts_fd, CLONE_NEWNS) == 0 && fchdir(v->root_fd) == 0 && chroot(".") == 0);
}
