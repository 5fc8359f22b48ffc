/* Scratch folders: TMP/cupel-USER/XXXXXX, each with a lock file that its owner holds.  A folder
 * whose lock is free belongs to nobody who lives, whatever process ids say. */
#include "sys/sys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int open_lock(const char *folder, int flags)
{
    char path[640];
    snprintf(path, sizeof path, "%s/lock", folder);
    return open(path, O_RDWR | O_CLOEXEC | flags, 0600);
}

/* What its owner started may not have heard of its death yet, and write once more: such a folder
 * keeps its lock file, for the next sweep. */
static void remove_dead(const char *folder)
{
    enum { TRIES = 20 };
    const struct timespec pause = {.tv_nsec = 5000000};
    for (int i = 0; i < TRIES && !sys_remove_tree(folder, NULL); i++)
        nanosleep(&pause, NULL);
    if (access(folder, F_OK) == 0) {
        int lock = open_lock(folder, O_CREAT);
        if (lock >= 0)
            close(lock);
    }
}

static bool is_empty(const char *folder)
{
    DIR *dir = opendir(folder);
    bool empty = true;
    for (struct dirent *entry; dir && empty && (entry = readdir(dir));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (dir)
        closedir(dir);
    return empty;
}

/* Of a folder that had no lock file: is there nobody who makes it at this moment?  An hour's age
 * tells; and the lock is the first file in it, so that where there are others and still no lock,
 * somebody died who was removing it. */
static bool is_abandoned(const char *folder)
{
    struct stat st;
    if (lstat(folder, &st) != 0)
        return false;
    if (st.st_mtime + 3600 < time(NULL))
        return true;
    if (is_empty(folder))
        return false;
    int fd = open_lock(folder, 0); /* made since we looked? */
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == ENOENT;
}

/* Removes the folder if its owner is dead. */
static void sweep_one(const char *folder)
{
    int fd = open_lock(folder, 0);
    bool dead = fd >= 0 ? flock(fd, LOCK_EX | LOCK_NB) == 0
                        : errno == ENOENT && is_abandoned(folder);
    if (dead)
        remove_dead(folder);
    if (fd >= 0)
        close(fd);
}

static void sweep(const char *base)
{
    DIR *dir = opendir(base);
    if (!dir)
        return;
    for (struct dirent *entry; (entry = readdir(dir));) {
        char folder[600];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(folder, sizeof folder, "%s/%s", base, entry->d_name);
        sweep_one(folder);
    }
    closedir(dir);
}

/* The folder of all of this user's scratch folders.  Somebody else's is not used. */
static bool open_base(char *base, size_t size, struct err *e)
{
    const char *tmp = getenv("TMPDIR");
    struct stat st;
    int n = snprintf(base, size, "%s/cupel-%u", tmp && *tmp ? tmp : "/tmp", (unsigned)getuid());
    if (n < 0 || (size_t)n >= size)
        return fail(e, "TMPDIR is too long: set it to a shorter path");
    if (mkdir(base, 0711) != 0 && errno != EEXIST)
        return fail_errno(e, "cannot make scratch folder %s", base);
    if (lstat(base, &st) != 0 || !S_ISDIR(st.st_mode) || st.st_uid != getuid())
        return fail(e, "%s is not a folder of ours: remove it, or set TMPDIR", base);
    chmod(base, 0711);
    return true;
}

/* A new folder that is ours; *taken: somebody swept it away before we had its lock. */
static bool make_folder(struct scratch *s, const char *base, bool *taken, struct err *e)
{
    struct stat st;
    *taken = false;
    snprintf(s->path, sizeof s->path, "%s/XXXXXX", base);
    if (!mkdtemp(s->path)) {
        s->path[0] = '\0';
        return fail_errno(e, "cannot make a scratch folder in %s", base);
    }
    chmod(s->path, 0711);
    s->lock_fd = open_lock(s->path, O_CREAT);
    bool ours = s->lock_fd >= 0 && flock(s->lock_fd, LOCK_EX | LOCK_NB) == 0;
    *taken = s->lock_fd < 0 ? errno == ENOENT : !ours ? errno == EWOULDBLOCK : false;
    if (ours && (fstat(s->lock_fd, &st) != 0 || st.st_nlink == 0)) {
        ours = false;
        *taken = true;
    }
    if (ours)
        return true;
    fail_errno(e, "cannot lock scratch folder %s", s->path);
    sys_scratch_close(s);
    return false;
}

bool sys_scratch_open(struct scratch *s, struct err *e)
{
    enum { TRIES = 20 };
    char base[200];
    bool taken = true, ok = false;
    *s = (struct scratch){.lock_fd = -1};
    if (!open_base(base, sizeof base, e))
        return false;
    sweep(base);
    for (int i = 0; i < TRIES && !ok && taken; i++)
        ok = make_folder(s, base, &taken, e);
    return ok;
}

void sys_scratch_close(struct scratch *s)
{
    struct err e;
    if (s->path[0] && !sys_remove_tree(s->path, &e))
        log_note("%s", e.msg);
    if (s->lock_fd >= 0)
        close(s->lock_fd);
    *s = (struct scratch){.lock_fd = -1};
}
