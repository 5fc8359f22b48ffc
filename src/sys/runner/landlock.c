/* Landlock: which files a job may use.  One ruleset for programs under test, which see little more
 * than the system's libraries, and one for compilers, which read what we may and write into their
 * workshop.  A ruleset is made once and put on by each job. */
#include "sys/runner/runner.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than Debian 12's header; the kernel ignores none of them silently, so each is used
 * only from the ABI on that knows it. */
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14) /* ABI 3 */
#endif
enum { ACCESS_NET_BIND_CONNECT_TCP = 3 };    /* ABI 4 */
enum { SCOPE_ABSTRACT_UNIX_AND_SIGNAL = 3 }; /* ABI 6 */

struct ruleset_attr {
    uint64_t handled_access_fs, handled_access_net, scoped;
};

#define FS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_RUN  (FS_READ | LANDLOCK_ACCESS_FS_EXECUTE)
/* nobody needs to make devices */
#define FS_DEVICES (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)
#define FS_WRITE_ABI1                                                                             \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                              \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SYM)

struct ruleset {
    int fd;
    long abi;
};

static long known_abi(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static uint64_t fs_write(const struct ruleset *r)
{
    return FS_WRITE_ABI1 | (r->abi >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) |
           (r->abi >= 3 ? LANDLOCK_ACCESS_FS_TRUNCATE : 0);
}

/* Denies what is handled, but for the rules that follow; fd is -1 when there is no Landlock. */
static struct ruleset make_ruleset(uint64_t handled_reads)
{
    struct ruleset r = {.fd = -1, .abi = known_abi()};
    if (r.abi < 1)
        return r;
    struct ruleset_attr attr = {
        .handled_access_fs = handled_reads | fs_write(&r) | FS_DEVICES,
        .handled_access_net = r.abi >= 4 ? ACCESS_NET_BIND_CONNECT_TCP : 0,
        .scoped = r.abi >= 6 ? SCOPE_ABSTRACT_UNIX_AND_SIGNAL : 0,
    };
    size_t known = r.abi >= 6 ? sizeof attr : r.abi >= 4 ? 16 : 8;
    r.fd = (int)syscall(SYS_landlock_create_ruleset, &attr, known, 0);
    if (r.fd >= 0)
        fcntl(r.fd, F_SETFD, FD_CLOEXEC);
    return r;
}

/* Takes fd over.  What is not there needs no rule. */
static void allow_fd(const struct ruleset *r, int fd, uint64_t access)
{
    struct stat st;
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE |
                  LANDLOCK_ACCESS_FS_WRITE_FILE | (r->abi >= 3 ? LANDLOCK_ACCESS_FS_TRUNCATE : 0);
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    syscall(SYS_landlock_add_rule, r->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

static void allow(const struct ruleset *r, const char *path, uint64_t access)
{
    allow_fd(r, open(path, O_PATH | O_CLOEXEC), access);
}

#define ALLOW_ALL(r, paths, access)                              \
    for (size_t i = 0; i < sizeof(paths) / sizeof *(paths); i++) \
    allow((r), (paths)[i], (access))

static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full"};

int landlock_for_programs(const struct sandbox *s, const char *scratch, char *const *readable)
{
    static const char *const system_folders[] = {"/usr", "/lib",  "/lib32", "/lib64",    "/libx32",
                                                 "/bin", "/sbin", "/opt",   "/nix/store"};
    static const char *const system_files[] = {"/etc/ld.so.cache",
                                               "/etc/ld.so.conf",
                                               "/etc/ld.so.conf.d",
                                               "/etc/ld.so.preload",
                                               "/etc/localtime",
                                               "/etc/alternatives",
                                               "/proc",
                                               "/sys/devices/system/cpu",
                                               "/sys/fs/cgroup",
                                               "/dev/random",
                                               "/dev/urandom"};
    struct ruleset r = make_ruleset(FS_RUN);
    if (r.fd < 0)
        return -1;
    ALLOW_ALL(&r, system_folders, FS_RUN);
    ALLOW_ALL(&r, system_files, FS_READ);
    ALLOW_ALL(&r, devices, FS_READ | LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (size_t i = 0; readable[i]; i++)
        allow(&r, readable[i], FS_RUN);
    allow(&r, scratch, FS_RUN);
    allow(&r, s->writable, FS_RUN | fs_write(&r));
    return r.fd;
}

int landlock_for_compilers(const struct sandbox *s)
{
    struct ruleset r = make_ruleset(0);
    if (r.fd < 0)
        return -1;
    ALLOW_ALL(&r, devices, LANDLOCK_ACCESS_FS_WRITE_FILE);
    allow(&r, s->workshop, fs_write(&r));
    if (s->compilers.tmp_fd >= 0)
        allow_fd(&r, fcntl(s->compilers.tmp_fd, F_DUPFD_CLOEXEC, 0), fs_write(&r));
    return r.fd;
}

uint32_t landlock_abi(void)
{
    long abi = known_abi();
    return abi > 0 ? (uint32_t)abi : 0;
}

bool landlock_put_on(int ruleset_fd)
{
    return ruleset_fd < 0 || syscall(SYS_landlock_restrict_self, ruleset_fd, 0) == 0;
}
