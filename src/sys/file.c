/* Files, folders, clocks. */
#include "sys/sys.h"
#include "sys/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

enum { READ_CHUNK = 65536 };

static bool read_fd(int fd, const char *path, uint64_t limit, struct text *out, struct err *e)
{
    size_t start = out->n;
    for (;;) {
        text_reserve(out, READ_CHUNK);
        ssize_t got = read(fd, out->s + out->n, READ_CHUNK);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_errno(e, "read %s", path);
        if (got == 0)
            return true;
        out->n += (size_t)got;
        out->s[out->n] = '\0';
        if (out->n - start > limit)
            return fail(e, "%s is larger than %llu bytes", path, (unsigned long long)limit);
    }
}

bool sys_read_file(const char *path, uint64_t limit, struct text *out, struct err *e)
{
    struct stat st;
    int fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail_errno(e, "cannot read %s", path);
    bool known = fstat(fd, &st) == 0;
    uint64_t size = known && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    bool ok = !(known && S_ISDIR(st.st_mode)) || fail(e, "%s is a folder, not a file", path);
    if (ok) {
        text_reserve(out, (size_t)(size < limit ? size : limit));
        ok = read_fd(fd, path, limit, out, e);
    }
    close(fd);
    return ok;
}

static bool write_fd(int fd, const char *bytes, size_t n)
{
    while (n) {
        ssize_t put = write(fd, bytes, n);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        bytes += put;
        n -= (size_t)put;
    }
    return true;
}

/* Writes to what is there: a device, a pipe, what a link points to.  Those are never replaced. */
static bool write_in_place(const char *path, const void *bytes, size_t n, struct err *e)
{
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    bool ok = fd >= 0 && write_fd(fd, bytes, n);
    ok = (fd < 0 || close(fd) == 0) && ok;
    return ok || fail_errno(e, "cannot write %s", path);
}

bool sys_is_special(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

bool sys_write_file(const char *path, const void *bytes, size_t n, struct err *e)
{
    char beside[PATH_MAX];
    struct stat st;
    bool exists = lstat(path, &st) == 0;
    if (sys_is_special(path))
        return write_in_place(path, bytes, n, e);
    if (snprintf(beside, sizeof beside, "%s.new-%d", path, (int)getpid()) >= (int)sizeof beside)
        return fail(e, "path too long: %s", path);
    int fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return fail_errno(e, "cannot write %s", path);
    bool ok = write_fd(fd, bytes, n) && (!exists || fchmod(fd, st.st_mode & 07777) == 0);
    ok = close(fd) == 0 && ok;
    ok = ok && rename(beside, path) == 0;
    if (!ok) {
        fail_errno(e, "cannot write %s", path);
        unlink(beside);
    }
    return ok;
}

bool sys_write_new_file(const char *path, const void *bytes, size_t n, struct err *e)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return sys_write_file(path, bytes, n, e);
    bool ok = write_fd(fd, bytes, n);
    ok = close(fd) == 0 && ok;
    if (!ok) {
        fail_errno(e, "cannot write %s", path);
        unlink(path);
    }
    return ok;
}

bool sys_make_dirs(const char *path, struct err *e)
{
    char part[PATH_MAX];
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof part)
        return fail(e, "bad folder name '%s'", path);
    for (size_t i = 1; i <= n; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return fail_errno(e, "cannot make folder %s", part);
    }
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return fail(e, "%s is not a folder", path);
    return true;
}

void sys_empty_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0)
        tree_remove_contents(fd);
}

bool sys_remove_tree(const char *path, struct err *e)
{
    sys_empty_folder(path);
    if (remove(path) != 0 && errno != ENOENT)
        return fail_errno(e, "cannot remove %s", path);
    return true;
}

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

char *sys_find_program(struct arena *a, const char *name)
{
    if (strchr(name, '/'))
        return is_program(name) ? sys_real_path(a, name) ? arena_string(a, name) : NULL : NULL;
    const char *path = getenv("PATH");
    for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
        size_t n = strcspn(p, ":");
        char *full = arena_printf(a, "%.*s/%s", n ? (int)n : 1, n ? p : ".", name);
        if (is_program(full))
            return full;
        p += n + (p[n] == ':');
    }
    return NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool sys_list_folder(struct arena *a, const char *path, struct list *names, struct err *e)
{
    DIR *dir = opendir(path);
    if (!dir)
        return fail_errno(e, "cannot read the folder %s", path);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            list_add(a, names, arena_string(a, entry->d_name));
    closedir(dir);
    if (names->n)
        qsort(names->at, names->n, sizeof *names->at, compare_names);
    return true;
}

char *sys_real_path(struct arena *a, const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) ? arena_string(a, real) : NULL;
}

bool sys_is_binary(const char *path)
{
    struct text head = {0};
    sys_read_file(path, 4, &head, NULL); /* which fails above the limit, with the beginning read */
    bool is = head.n >= 4 && memcmp(head.s, "\177ELF", 4) == 0;
    text_free(&head);
    return is;
}

char *sys_file_stamp(struct arena *a, const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return NULL;
    return arena_printf(a, "%llx:%llx:%lld:%lld.%09ld", (unsigned long long)st.st_dev,
                        (unsigned long long)st.st_ino, (long long)st.st_size,
                        (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

char *sys_cache_dir(struct arena *a)
{
    const char *xdg = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    if (xdg && xdg[0] == '/')
        return arena_printf(a, "%s/cupel", xdg);
    return home && home[0] == '/' ? arena_printf(a, "%s/.cache/cupel", home) : NULL;
}

int sys_lock_file(const char *path, struct err *e)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) {
        fail_errno(e, "cannot open %s", path);
        return -1;
    }
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    fail(e, "%s is held by another process", path);
    close(fd);
    return -1;
}

bool sys_is_locked(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool held = flock(fd, LOCK_SH | LOCK_NB) != 0;
    close(fd);
    return held;
}

uint64_t sys_free_space(const char *path)
{
    struct statvfs st;
    if (statvfs(path, &st) != 0)
        return UINT64_MAX;
    if (st.f_files && st.f_favail == 0)
        return 0;
    return (uint64_t)st.f_bavail * st.f_frsize;
}

double sys_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

unsigned sys_cpu_count(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (unsigned)n;
}

static double cpu_of(int who)
{
    struct rusage u;
    getrusage(who, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e-6;
}

double sys_own_cpu(void)
{
    return cpu_of(RUSAGE_SELF);
}
