/* Removing a tree of files through descriptors, so that no link in it leads outside.  However deep
 * it is, no more than MOST_DEPTH folders are open: what lies deeper is moved up first.  Also part
 * of the runner, so it stands on the C library alone. */
#include "sys/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_DEPTH = 32, MOST_NAMES = 1000 };

/* Gives the folder a name that is not taken above; false when that cannot be. */
static bool move_up(int from, const char *name, int to)
{
    char fresh[32];
    for (unsigned i = 0; i < MOST_NAMES; i++) {
        snprintf(fresh, sizeof fresh, ".deep-%u", i);
        struct stat st;
        if (fstatat(to, fresh, &st, AT_SYMLINK_NOFOLLOW) != 0)
            return renameat(from, name, to, fresh) == 0;
    }
    return false;
}

static bool remove_below(int folder, int top, unsigned depth);

/* Was something moved into the folder at the top? */
static bool remove_one(int folder, const char *name, int top, unsigned depth)
{
    bool moved = false;
    if (unlinkat(folder, name, 0) == 0)
        return false;
    fchmodat(folder, name, 0700, 0);
    if (depth == MOST_DEPTH)
        return unlinkat(folder, name, AT_REMOVEDIR) != 0 && move_up(folder, name, top);
    int sub = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (sub >= 0)
        moved = remove_below(sub, top, depth + 1);
    unlinkat(folder, name, AT_REMOVEDIR);
    return moved;
}

/* Takes over the descriptor. */
static bool remove_below(int folder, int top, unsigned depth)
{
    bool moved = false;
    DIR *dir = fdopendir(folder);
    if (!dir) {
        close(folder);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            moved |= remove_one(dirfd(dir), entry->d_name, top, depth);
    closedir(dir);
    return moved;
}

void tree_remove_contents(int folder)
{
    while (remove_below(fcntl(folder, F_DUPFD_CLOEXEC, 0), folder, 0))
        lseek(folder, 0, SEEK_SET); /* the two share where they read */
    close(folder);
}

void tree_remove(int folder, const char *name)
{
    if (unlinkat(folder, name, 0) == 0)
        return;
    fchmodat(folder, name, 0700, 0);
    int sub = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (sub >= 0)
        tree_remove_contents(sub);
    unlinkat(folder, name, AT_REMOVEDIR);
}
