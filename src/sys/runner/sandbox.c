/* The sandbox, made once per runner and put on by each sandboxed job: namespaces for processes
 * and mounts, Landlock for files, seccomp for sockets, a user of its own for process limits.
 * Each part that the kernel or our rights do not give is left out of `parts`; cupel says so. */
#include "sys/runner/runner.h"
#include "sys/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- namespaces ---------------------------------------------------------------------- */

static bool write_line(const char *path, const char *line)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool ok = write(fd, line, strlen(line)) == (ssize_t)strlen(line);
    close(fd);
    return ok;
}

/* Maps our user and group to themselves, so that files look the same inside. */
static bool map_own_user(uid_t uid, gid_t gid)
{
    char line[64];
    write_line("/proc/self/setgroups", "deny");
    snprintf(line, sizeof line, "%u %u 1", uid, uid);
    if (!write_line("/proc/self/uid_map", line))
        return false;
    snprintf(line, sizeof line, "%u %u 1", gid, gid);
    return write_line("/proc/self/gid_map", line);
}

/* As the init of the new namespace: our own /proc, for what looks itself up there.  First, what
 * we mount must not appear outside; in a chroot, whose root is no mount, that can be had for
 * /proc alone.  *whole: it holds everywhere. */
static bool mount_own_proc(bool *whole)
{
    *whole = mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL) == 0;
    return (*whole || mount("none", "/proc", NULL, MS_REC | MS_SLAVE, NULL) == 0) &&
           mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

/* The outer process only waits, so that the time its inner one used is accounted to us. */
static void wait_for_init_and_exit(pid_t init)
{
    int status = 0;
    close(RUNNER_FD);
    while (waitpid(init, &status, 0) < 0 && errno == EINTR)
        ;
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

void sandbox_enter_namespaces(struct sandbox *s)
{
    int flags = CLONE_NEWPID | CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER);
    uid_t uid = getuid();
    gid_t gid = getgid();
    if (unshare(flags) != 0 || ((flags & CLONE_NEWUSER) && !map_own_user(uid, gid)))
        _exit(RUNNER_NO_NAMESPACES);
    pid_t init = fork();
    if (init > 0)
        wait_for_init_and_exit(init);
    bool whole;
    if (init < 0 || !mount_own_proc(&whole))
        _exit(RUNNER_NO_NAMESPACES);
    s->parts |= PART_PID_NAMESPACE | (whole ? PART_TMPFS : 0);
}

/* ---- Landlock ------------------------------------------------------------------------ */

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
#define FS_WRITE_ABI1                                                                              \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |                               \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | \
     LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |   \
     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static uint64_t fs_write(const struct sandbox *s)
{
    return FS_WRITE_ABI1 | (s->landlock_abi >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) |
           (s->landlock_abi >= 3 ? LANDLOCK_ACCESS_FS_TRUNCATE : 0);
}

/* What is not there needs no rule. */
static void allow(const struct sandbox *s, const char *path, uint64_t access)
{
    struct stat st;
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
        access &= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE |
                  LANDLOCK_ACCESS_FS_WRITE_FILE |
                  (s->landlock_abi >= 3 ? LANDLOCK_ACCESS_FS_TRUNCATE : 0);
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    syscall(SYS_landlock_add_rule, s->ruleset_fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(fd);
}

static void prepare_landlock(struct sandbox *s, const char *scratch, char *const *readable)
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
    static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full"};

    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1)
        return;
    s->landlock_abi = (uint32_t)abi;
    struct ruleset_attr attr = {
        .handled_access_fs = FS_RUN | fs_write(s),
        .handled_access_net = abi >= 4 ? ACCESS_NET_BIND_CONNECT_TCP : 0,
        .scoped = abi >= 6 ? SCOPE_ABSTRACT_UNIX_AND_SIGNAL : 0,
    };
    size_t known = abi >= 6 ? sizeof attr : abi >= 4 ? 16 : 8;
    s->ruleset_fd = (int)syscall(SYS_landlock_create_ruleset, &attr, known, 0);
    if (s->ruleset_fd < 0)
        return;
    fcntl(s->ruleset_fd, F_SETFD, FD_CLOEXEC);
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        allow(s, system_folders[i], FS_RUN);
    for (size_t i = 0; i < sizeof system_files / sizeof *system_files; i++)
        allow(s, system_files[i], FS_READ);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        allow(s, devices[i], FS_READ | LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (size_t i = 0; readable[i]; i++)
        allow(s, readable[i], FS_RUN);
    allow(s, scratch, FS_RUN);
    allow(s, s->writable, FS_RUN | fs_write(s));
    s->parts |= PART_LANDLOCK;
}

/* ---- seccomp ------------------------------------------------------------------------- */

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* when the loaded word equals value, answer; else go on */
#define ANSWER_IF(value, answer) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1), BPF_STMT(BPF_RET | BPF_K, (answer))
#define DENY(error) (SECCOMP_RET_ERRNO | (error))

/* No sockets (io_uring makes them too), no namespaces and mounts.  The numbers in the second
 * half are those of 32-bit x86. */
static const struct sock_filter filter_sockets[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 0, 14),
    LOAD(nr),
    ANSWER_IF(SYS_socket, DENY(EACCES)),
    ANSWER_IF(SYS_io_uring_setup, DENY(EACCES)),
    ANSWER_IF(SYS_unshare, DENY(EPERM)),
    ANSWER_IF(SYS_setns, DENY(EPERM)),
    ANSWER_IF(SYS_mount, DENY(EPERM)),
    /* x32's numbers all have bit 30 */
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000000, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, DENY(ENOSYS)),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, DENY(ENOSYS)),
    LOAD(nr),
    ANSWER_IF(359, DENY(EACCES)), /* socket */
    ANSWER_IF(102, DENY(EACCES)), /* socketcall */
    ANSWER_IF(425, DENY(EACCES)), /* io_uring_setup */
    ANSWER_IF(310, DENY(EPERM)),  /* unshare */
    ANSWER_IF(21, DENY(EPERM)),   /* mount */
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

/* For where process limits do not hold: threads, but no new processes.  clone3 passes its flags
 * in memory, so it is said not to exist, and the C library uses clone. */
static const struct sock_filter filter_processes[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, DENY(ENOSYS)),
    LOAD(nr),
    ANSWER_IF(SYS_fork, DENY(EAGAIN)),
    ANSWER_IF(SYS_vfork, DENY(EAGAIN)),
    ANSWER_IF(SYS_clone3, DENY(ENOSYS)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, DENY(EAGAIN)),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static bool put_on_filter(const struct sock_filter *filter, size_t size)
{
    struct sock_fprog program = {.len = (unsigned short)(size / sizeof *filter),
                                 .filter = (struct sock_filter *)filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool put_on_seccomp(const struct sandbox *s)
{
    if (!(s->parts & PART_OWN_USER) && !put_on_filter(filter_processes, sizeof filter_processes))
        return false;
    return put_on_filter(filter_sockets, sizeof filter_sockets);
}

/* ---- the user ------------------------------------------------------------------------ */

static bool become(unsigned user)
{
    return setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 &&
           setresuid(user, user, user) == 0;
}

/* Can that user come to the writable folder?  Tried with our effective ids, which can be taken
 * back. */
static bool can_reach_as(const struct sandbox *s)
{
    gid_t groups[64];
    int n = getgroups(64, groups);
    bool ok = n >= 0 && setgroups(0, NULL) == 0 && setegid(s->user) == 0 && seteuid(s->user) == 0 &&
              faccessat(AT_FDCWD, s->writable, R_OK | W_OK | X_OK, AT_EACCESS) == 0;
    if (seteuid(0) != 0 || setegid(0) != 0 || (n > 0 && setgroups((size_t)n, groups) != 0))
        _exit(1);
    return ok;
}

/* A kernel that knows filters looks at the pointer, one that does not says EINVAL. */
static bool can_filter(void)
{
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

/* ---- all of it ----------------------------------------------------------------------- */

enum { WRITABLE_MEGABYTES = 64 };

static void make_writable(struct sandbox *s, const char *scratch)
{
    static char path[300];
    char options[64];
    snprintf(path, sizeof path, "%s/run-XXXXXX", scratch);
    s->writable = mkdtemp(path);
    if (!s->writable) {
        /* a full disk: jobs will say so; the folder itself is not writable to them */
        s->writable = "/nonexistent";
        return;
    }
    snprintf(options, sizeof options, "size=%dm,nr_inodes=4096,mode=0777", WRITABLE_MEGABYTES);
    if ((s->parts & PART_TMPFS) &&
        mount("tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0)
        s->parts &= ~(uint32_t)PART_TMPFS;
    chmod(path, 0777);
}

void sandbox_prepare(struct sandbox *s, const char *scratch, char *const *readable)
{
    make_writable(s, scratch);
    /* In a user namespace the count of our processes starts at zero, and the limit holds.  Root
     * is never limited, so its jobs get a user that nobody else is. */
    if (geteuid() != 0) {
        s->parts |= s->parts & PART_PID_NAMESPACE ? PART_OWN_USER : 0;
    } else {
        struct stat st;
        s->user = 1u << 30;
        if (stat(s->writable, &st) == 0)
            s->user += (unsigned)(st.st_ino ^ st.st_dev << 16 ^ (unsigned)getpid()) & 0xffffff;
        if (can_reach_as(s))
            s->parts |= PART_OWN_USER;
        else
            s->user = 0;
    }
    prepare_landlock(s, scratch, readable);
    if (can_filter())
        s->parts |= PART_SECCOMP;
}

bool sandbox_put_on(const struct sandbox *s)
{
    if (s->user && !become(s->user))
        return false;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return false;
    if (s->ruleset_fd >= 0 && syscall(SYS_landlock_restrict_self, s->ruleset_fd, 0) != 0)
        return false;
    return !(s->parts & PART_SECCOMP) || put_on_seccomp(s);
}

void sandbox_clean(const struct sandbox *s)
{
    int fd = open(s->writable, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        tree_remove_contents(fd);
}
