/* No files: what SQLite needs to know of a system beside its memory. */
#include "sqlite3.h"

#include <string.h>

static int no_file(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out)
{
    (void)v, (void)name, (void)flags, (void)out;
    f->pMethods = NULL;
    return SQLITE_CANTOPEN;
}

static int no_delete(sqlite3_vfs *v, const char *name, int sync)
{
    (void)v, (void)name, (void)sync;
    return SQLITE_OK;
}

static int no_access(sqlite3_vfs *v, const char *name, int flags, int *found)
{
    (void)v, (void)name, (void)flags;
    *found = 0;
    return SQLITE_OK;
}

static int same_name(sqlite3_vfs *v, const char *name, int size, char *out)
{
    (void)v;
    strncpy(out, name, (size_t)size);
    return SQLITE_OK;
}

static int no_chance(sqlite3_vfs *v, int n, char *out)
{
    (void)v;
    memset(out, 7, (size_t)n);
    return n;
}

static int no_sleep(sqlite3_vfs *v, int microseconds)
{
    (void)v;
    return microseconds;
}

static int one_time(sqlite3_vfs *v, double *day)
{
    (void)v;
    *day = 2459000.5;
    return SQLITE_OK;
}

static int no_error(sqlite3_vfs *v, int n, char *out)
{
    (void)v, (void)n, (void)out;
    return 0;
}

static sqlite3_vfs vfs = {
    .iVersion = 1,
    .szOsFile = sizeof(sqlite3_file),
    .mxPathname = 100,
    .zName = "none",
    .xOpen = no_file,
    .xDelete = no_delete,
    .xAccess = no_access,
    .xFullPathname = same_name,
    .xRandomness = no_chance,
    .xSleep = no_sleep,
    .xCurrentTime = one_time,
    .xGetLastError = no_error,
};

int sqlite3_os_init(void)
{
    return sqlite3_vfs_register(&vfs, 1);
}

int sqlite3_os_end(void)
{
    return SQLITE_OK;
}
