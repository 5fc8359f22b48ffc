/* Scratch folders: TMP/cupel-USER/XXXXXX, each with a lock file that its owner holds.  A folder
 * whose lock is free belongs to nobody who lives, whatever process ids say. */
#include "sys/private.h"

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

/* The lock of the base folder, as a descriptor that close() gives back, or -1 where somebody else
 * keeps it for long.  Shared while a folder is made, until it has its lock file; whoever has it
 * alone knows that no folder is being made. */
static int lock_base(const char *base, int how)
{
    enum { TRIES = 40 };
    const struct timespec pause = {.tv_nsec = 5000000};
    int fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; fd >= 0 && i < TRIES; i++) {
        if (flock(fd, how | LOCK_NB) == 0)
            return fd;
        nanosleep(&pause, NULL);
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

/* An empty folder without a lock file: its owner died before it made one, or after it removed it.
 */
static void remove_empty(const char *base, const char *folder)
{
    int fd = lock_base(base, LOCK_EX);
    if (fd < 0)
        return;
    (void)rmdir(folder); /* no longer empty: it was being made, and has its lock now */
    close(fd);
}

/* Of a folder that had no lock file: did its owner die while removing it?  The lock is the first
 * file that is made in it, so that where there are others and still no lock, it did. */
static bool is_half_removed(const char *folder)
{
    DIR *dir = opendir(folder);
    bool empty = true;
    for (struct dirent *entry; dir && empty && (entry = readdir(dir));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (dir)
        closedir(dir);
    if (empty)
        return false;
    int fd = open_lock(folder, 0); /* made since we looked? */
    if (fd >= 0)
        close(fd);
    return fd < 0 && errno == ENOENT;
}

/* Removes the folder if its owner is dead. */
static void sweep_one(const char *base, const char *folder)
{
    int fd = open_lock(folder, 0);
    bool unlocked = fd < 0 && errno == ENOENT;
    if (fd >= 0 ? flock(fd, LOCK_EX | LOCK_NB) == 0 : unlocked && is_half_removed(folder))
        remove_dead(folder);
    else if (unlocked)
        remove_empty(base, folder);
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
        sweep_one(base, folder);
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

void scratch_sweep(void)
{
    char base[200];
    struct err e;
    if (open_base(base, sizeof base, &e))
        sweep(base);
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
    int making = lock_base(base, LOCK_SH);
    for (int i = 0; i < TRIES && !ok && taken; i++)
        ok = make_folder(s, base, &taken, e);
    if (making >= 0)
        close(making);
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
