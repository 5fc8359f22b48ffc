/* Seccomp: which system calls a job may not make.  What would leave the job's own files and
 * processes (sockets, namespaces, mounts, queues that outlive it) is denied as a kernel without it
 * would; everything else is allowed. */
#include "sys/runner/runner.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
/* when the loaded word equals value, answer; else go on */
#define ANSWER_IF(value, answer) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1), BPF_STMT(BPF_RET | BPF_K, (answer))
#define DENY(error) (SECCOMP_RET_ERRNO | (error))
#define ALLOW       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
/* The calls of one machine follow, then its own end; others go on after `rows` rows more. */
#define FOR_MACHINE(arch, rows) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (arch), 0, (rows))

/* No sockets (io_uring makes them too), no namespaces and mounts, no POSIX queues, which would
 * outlive the job.  The numbers in the second half are those of 32-bit x86. */
static const struct sock_filter filter_outside[] = {
    LOAD(arch),
    FOR_MACHINE(AUDIT_ARCH_X86_64, 26),
    LOAD(nr),
    ANSWER_IF(SYS_socket, DENY(EACCES)),
    ANSWER_IF(SYS_socketpair, DENY(EACCES)),
    ANSWER_IF(SYS_io_uring_setup, DENY(EACCES)),
    ANSWER_IF(SYS_unshare, DENY(EPERM)),
    ANSWER_IF(SYS_setns, DENY(EPERM)),
    ANSWER_IF(SYS_mount, DENY(EPERM)),
    ANSWER_IF(SYS_mq_open, DENY(ENOSYS)),
    ANSWER_IF(SYS_reboot, DENY(EPERM)),
    /* keys stay in the keyring of our session, and ours can be read there */
    ANSWER_IF(SYS_add_key, DENY(ENOSYS)),
    ANSWER_IF(SYS_request_key, DENY(ENOSYS)),
    ANSWER_IF(SYS_keyctl, DENY(ENOSYS)),
    /* x32's numbers all have bit 30 */
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x40000000, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, DENY(ENOSYS)),
    ALLOW,
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_I386, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, DENY(ENOSYS)),
    LOAD(nr),
    ANSWER_IF(359, DENY(EACCES)), /* socket */
    ANSWER_IF(360, DENY(EACCES)), /* socketpair */
    ANSWER_IF(102, DENY(EACCES)), /* socketcall */
    ANSWER_IF(425, DENY(EACCES)), /* io_uring_setup */
    ANSWER_IF(310, DENY(EPERM)),  /* unshare */
    ANSWER_IF(346, DENY(EPERM)),  /* setns */
    ANSWER_IF(21, DENY(EPERM)),   /* mount */
    ANSWER_IF(277, DENY(ENOSYS)), /* mq_open */
    ANSWER_IF(286, DENY(ENOSYS)), /* add_key */
    ANSWER_IF(287, DENY(ENOSYS)), /* request_key */
    ANSWER_IF(288, DENY(ENOSYS)), /* keyctl */
    ALLOW,
};

/* No namespaces by clone either: what is in another IPC namespace is counted nowhere.  clone3
 * passes its flags in memory, so it is said not to exist, and the C library uses clone. */
#define NEW_NAMESPACES 0x7e020000u
static const struct sock_filter filter_namespaces[] = {
    LOAD(arch),
    FOR_MACHINE(AUDIT_ARCH_X86_64, 5),
    LOAD(nr),
    ANSWER_IF(SYS_clone3, DENY(ENOSYS)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 6, 0),
    ALLOW,
    LOAD(nr),
    ANSWER_IF(435, DENY(ENOSYS)), /* clone3 */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 120, 1, 0),
    ALLOW,
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, DENY(EPERM)),
    ALLOW,
};

/* For where no namespace ends them with the job: no System V memory, semaphores and queues. */
static const struct sock_filter filter_ipc[] = {
    LOAD(arch),
    FOR_MACHINE(AUDIT_ARCH_X86_64, 8),
    LOAD(nr),
    ANSWER_IF(SYS_shmget, DENY(ENOSYS)),
    ANSWER_IF(SYS_semget, DENY(ENOSYS)),
    ANSWER_IF(SYS_msgget, DENY(ENOSYS)),
    ALLOW,
    LOAD(nr),
    ANSWER_IF(117, DENY(ENOSYS)), /* ipc: all of them */
    ANSWER_IF(395, DENY(ENOSYS)), /* shmget */
    ANSWER_IF(393, DENY(ENOSYS)), /* semget */
    ANSWER_IF(399, DENY(ENOSYS)), /* msgget */
    ALLOW,
};

/* A process may be another's parent, and the runner is: its limits are its own affair. */
static const struct sock_filter filter_limits[] = {
    LOAD(arch),
    FOR_MACHINE(AUDIT_ARCH_X86_64, 3),
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 3, 0),
    ALLOW,
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 340, 0, 2), /* prlimit64 */
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1), /* of whom: ourselves */
    ALLOW,
    BPF_STMT(BPF_RET | BPF_K, DENY(EPERM)),
};

/* For where no mounts of their own keep files as they are.  Landlock does not look at modes,
 * owners, times and attributes, and where programs have no user of their own, the files may be
 * theirs. */
static const struct {
    unsigned wide, narrow; /* the number for x86-64, and for 32 bits */
} mode_calls[] = {
    {SYS_chmod, 15},
    {SYS_fchmod, 94},
    {SYS_fchmodat, 306},
    {452, 452}, /* fchmodat2 */
    {SYS_chown, 182},
    {SYS_fchown, 95},
    {SYS_lchown, 16},
    {SYS_fchownat, 298},
    {SYS_chown, 212},
    {SYS_fchown, 207},
    {SYS_lchown, 198},
    {SYS_utime, 30},
    {SYS_utimes, 271},
    {SYS_futimesat, 299},
    {SYS_utimensat, 320},
    {SYS_utimensat, 412},
    {SYS_setxattr, 226},
    {SYS_lsetxattr, 227},
    {SYS_fsetxattr, 228},
    {SYS_removexattr, 235},
    {SYS_lremovexattr, 236},
    {SYS_fremovexattr, 237},
    {463, 463}, /* setxattrat */
    {466, 466},
    /* removexattrat */ {469, 469} /* file_setattr */
};

enum { MODE_CALLS = sizeof mode_calls / sizeof *mode_calls, MODE_ROWS = 2 * MODE_CALLS + 2 };

static size_t add_mode_rows(struct sock_filter *at, bool wide)
{
    const struct sock_filter load[] = {LOAD(nr)}, end[] = {ALLOW};
    size_t n = 0;
    at[n++] = load[0];
    for (size_t i = 0; i < MODE_CALLS; i++) {
        const struct sock_filter answer[] = {
            ANSWER_IF(wide ? mode_calls[i].wide : mode_calls[i].narrow, DENY(EPERM))};
        at[n++] = answer[0];
        at[n++] = answer[1];
    }
    at[n++] = end[0];
    return n;
}

/* For where process limits do not hold: threads, but no new processes. */
static const struct sock_filter filter_processes[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, DENY(ENOSYS)),
    LOAD(nr),
    ANSWER_IF(SYS_fork, DENY(EAGAIN)),
    ANSWER_IF(SYS_vfork, DENY(EAGAIN)),
    ANSWER_IF(SYS_clone3, DENY(ENOSYS)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
    ALLOW,
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, DENY(EAGAIN)),
    ALLOW,
};

#define PUT_ON(filter) put_on((filter), sizeof(filter) / sizeof *(filter))

static bool put_on(const struct sock_filter *filter, size_t rows)
{
    struct sock_fprog program = {.len = (unsigned short)rows,
                                 .filter = (struct sock_filter *)filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool forbid_modes(void)
{
    struct sock_filter rows[2 + 2 * MODE_ROWS] = {LOAD(arch),
                                                  FOR_MACHINE(AUDIT_ARCH_X86_64, MODE_ROWS)};
    size_t n = 2;
    n += add_mode_rows(rows + n, true);
    n += add_mode_rows(rows + n, false);
    return put_on(rows, n);
}

/* A kernel that knows filters looks at the pointer, one that does not says EINVAL. */
bool seccomp_is_there(void)
{
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) != 0 && errno == EFAULT;
}

bool seccomp_put_on(uint32_t parts, bool may_fork, bool may_change_modes)
{
    if (!(parts & PART_SECCOMP))
        return true;
    if (!may_change_modes && !forbid_modes())
        return false;
    if (!may_fork && !PUT_ON(filter_processes))
        return false;
    if (!(parts & PART_IPC) && !PUT_ON(filter_ipc))
        return false;
    return PUT_ON(filter_limits) && PUT_ON(filter_namespaces) && PUT_ON(filter_outside);
}
