/* The sandbox, made once per runner and put on by each job that is not ours: namespaces for
 * processes, mounts and IPC, Landlock and read-only mounts for files, seccomp for sockets, a user
 * of their own for the programs' process limits, no privileges for compilers.  Each part that the
 * kernel or our rights do not give is left out of `parts`; cupel says so. */
#include "sys/runner/runner.h"
#include "sys/sys.h"
#include "sys/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
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
    s->parts |= unshare(CLONE_NEWIPC) == 0 ? PART_IPC : 0;
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

/* ---- privileges ---------------------------------------------------------------------- */

/* Root is left with the right to read everything, which its sources may need, and nobody else with
 * anything.  False when that fails for one who has some. */
static bool drop_privileges(void)
{
    enum { LAST = 63 };
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct keep[2] = {0}, has[2] = {0};
    if (syscall(SYS_capget, &head, has) != 0)
        return false;
    for (unsigned long cap = 0; cap <= LAST; cap++)
        if (cap != CAP_DAC_READ_SEARCH && prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) != 0 &&
            errno == EINVAL)
            break; /* that was the last one that this kernel knows */
    keep[0].permitted = keep[0].effective = has[0].permitted & 1u << CAP_DAC_READ_SEARCH;
    return syscall(SYS_capset, &head, keep) == 0;
}

/* ---- System V ------------------------------------------------------------------------ */

/* Removes what a job left in our IPC namespace.  Each call gives the highest index in use. */
static void remove_shared_memory(void)
{
    struct shm_info info;
    struct shmid_ds ds;
    int last = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&info);
    for (int i = 0; info.used_ids > 0 && i <= last; i++) {
        int id = shmctl(i, SHM_STAT, &ds);
        if (id >= 0)
            shmctl(id, IPC_RMID, NULL);
    }
}

union sem_argument {
    struct seminfo *info;
    struct semid_ds *ds;
};

static void remove_semaphores(void)
{
    struct seminfo info = {0};
    struct semid_ds ds;
    int last = semctl(0, 0, SEM_INFO, (union sem_argument){.info = &info});
    for (int i = 0; info.semusz > 0 && i <= last; i++) {
        int id = semctl(i, 0, SEM_STAT, (union sem_argument){.ds = &ds});
        if (id >= 0)
            semctl(id, 0, IPC_RMID);
    }
}

static void remove_queues(void)
{
    struct msginfo info = {0};
    struct msqid_ds ds;
    int last = msgctl(0, MSG_INFO, (struct msqid_ds *)(void *)&info);
    for (int i = 0; info.msgpool > 0 && i <= last; i++) {
        int id = msgctl(i, MSG_STAT, &ds);
        if (id >= 0)
            msgctl(id, IPC_RMID, NULL);
    }
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
    s->landlock_abi = landlock_abi();
    s->program_rules = landlock_for_programs(s, scratch, readable);
    if (seccomp_is_there())
        s->parts |= PART_SECCOMP;
    if (s->parts & PART_TMPFS && mounts_prepare(&s->programs, s->writable, false))
        s->parts |= PART_KEPT_FILES;
    if (s->workshop && (s->parts & PART_TMPFS) && mounts_prepare(&s->compilers, s->workshop, true))
        s->parts |= PART_READ_ONLY;
    s->compiler_rules = s->workshop ? landlock_for_compilers(s) : -1;
    if (s->program_rules >= 0)
        s->parts |= PART_LANDLOCK;
    cgroup_prepare(&s->group);
    if (s->group.fd >= 0 || geteuid() != 0)
        s->parts |= PART_COUNTED;
    s->home = getcwd(NULL, 0);
}

static bool put_on_for_program(const struct sandbox *s)
{
    return (!s->user || become(s->user)) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           landlock_put_on(s->program_rules) &&
           seccomp_put_on(s->parts, s->parts & PART_OWN_USER, s->parts & PART_KEPT_FILES);
}

unsigned sandbox_most_tasks(void)
{
    enum {
        SOME = 128,
        EACH = 8
    }; /* link-time optimisation starts one or more for each processor */
    return SOME + EACH * (unsigned)get_nprocs();
}

/* Holds for who is not root.  It counts all processes of the user, of whom there are no more than
 * of all users now.  Nobody tells who was refused one, so there are more than the watcher lets be.
 */
static bool limit_processes(void)
{
    enum { MORE = 4 };
    struct sysinfo now;
    struct rlimit has;
    if (sysinfo(&now) != 0 || getrlimit(RLIMIT_NPROC, &has) != 0)
        return false;
    rlim_t most = now.procs + (rlim_t)MORE * sandbox_most_tasks();
    most = most < has.rlim_max ? most : has.rlim_max;
    return setrlimit(RLIMIT_NPROC, &(struct rlimit){most, most}) == 0;
}

static bool put_on_for_compiler(const struct sandbox *s)
{
    return limit_processes() && drop_privileges() && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           landlock_put_on(s->compiler_rules) && seccomp_put_on(s->parts, true, true);
}

bool sandbox_put_on(const struct sandbox *s, enum sys_rights rights, const char *dir)
{
    bool guest = rights == SYS_COMPILER && s->workshop;
    const struct view *view = guest ? &s->compilers : rights == SYS_PROGRAM ? &s->programs : NULL;
    if (guest && !cgroup_join(&s->group))
        return false;
    if (view && (!mounts_enter(view) || (s->home && chdir(s->home) != 0)))
        return false;
    if (chdir(*dir ? dir : s->writable) != 0)
        return false;
    return rights == SYS_PROGRAM ? put_on_for_program(s) : !guest || put_on_for_compiler(s);
}

void sandbox_before_job(struct sandbox *s, enum sys_rights rights)
{
    if (rights == SYS_COMPILER)
        mounts_refresh(&s->compilers);
}

void sandbox_after_job(struct sandbox *s, enum sys_rights rights)
{
    if (s->parts & PART_IPC) {
        remove_shared_memory();
        remove_semaphores();
        remove_queues();
    }
    if (rights == SYS_COMPILER)
        mounts_clean(&s->compilers);
    int fd = rights == SYS_PROGRAM ? open(s->writable, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0)
        tree_remove_contents(fd);
}

void sandbox_remove(struct sandbox *s)
{
    cgroup_remove(&s->group);
}
