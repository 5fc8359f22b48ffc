/* Removing a tree of files through descriptors, so that no link in it leads outside.  Also part
 * of the runner, so it stands on the C library alone. */
#include "sys/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void tree_remove_contents(int folder)
{
    DIR *dir = fdopendir(folder);
    if (!dir) {
        close(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            tree_remove(dirfd(dir), entry->d_name);
    closedir(dir);
}
