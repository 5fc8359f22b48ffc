/* Private to the runner: what its files share. */
#ifndef SYS_RUNNER_RUNNER_H
#define SYS_RUNNER_RUNNER_H

#include "sys/protocol.h"
#include "sys/sys.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <sys/user.h>

/* ---- the sandbox: sandbox.c ---------------------------------------------------------- */

/* What compilers see of the file system, where we may mount: mounts.c. */
struct view {
    int mounts_fd, root_fd; /* their mount namespace and its root; -1 when there is none */
    int tmp_fd;             /* the root of the compilers' own /tmp, or -1 */
    int64_t host_seen[2];   /* when the real /tmp was last looked at, and their own */
    int64_t tmp_seen[2];
};

/* Where what compilers start is counted, if root is who starts it: cgroup.c. */
struct cgroup {
    int fd; /* -1: there is none */
    char path[4096];
};

/* What sandbox_prepare found out once, and each job's child then puts on. */
struct sandbox {
    uint32_t parts;
    uint32_t landlock_abi;
    int program_rules, compiler_rules; /* Landlock; -1 when there is none */
    unsigned user;                     /* for PART_OWN_USER */
    const char *writable;              /* the programs' folder */
    const char *workshop;              /* the compilers'; NULL when they are trusted */
    char *home;                        /* our working folder, by name */
    struct view compilers, programs;
    struct cgroup group; /* the compilers' */
};

/* Enters namespaces of our own (PART_PID_NAMESPACE; PART_TMPFS when we can mount; PART_IPC); the
 * process that returns is init of the jobs'.  Where that is not possible it ends with
 * RUNNER_NO_NAMESPACES, and cupel starts a runner that does without: a half-entered namespace
 * cannot be left again. */
void sandbox_enter_namespaces(struct sandbox *s);
/* Needs: namespaces entered; workshop is set, or NULL.  Makes the writable folder and what children
 * will put on. */
void sandbox_prepare(struct sandbox *s, const char *scratch, char *const *readable);
/* Between jobs: nothing that one left is seen by the next. */
void sandbox_before_job(struct sandbox *s, enum sys_rights rights);
void sandbox_after_job(struct sandbox *s, enum sys_rights rights);
/* Processes and threads that the kernel lets a compiler have: few enough for whoever is to end them
 * to have a turn beside them, more than any needs on this machine. */
unsigned sandbox_most_tasks(void);
/* After the last job and the last server. */
void sandbox_remove(struct sandbox *s);
/* In a job's child, which goes to `dir` on the way ("" is the writable folder); false, with errno,
 * when a part that was there fails now, or there is no such folder. */
bool sandbox_put_on(const struct sandbox *s, enum sys_rights rights, const char *dir);

/* ---- its parts ------------------------------------------------------------------------ */

/* After the last process of ours that joined it has ended, it can be removed. */
void cgroup_prepare(struct cgroup *g);
bool cgroup_join(const struct cgroup *g); /* in a child */
/* How often somebody in it was refused a process. */
uint64_t cgroup_refusals(const struct cgroup *g);
void cgroup_remove(struct cgroup *g);

/* A set of rules for landlock_put_on, or -1. */
int landlock_for_programs(const struct sandbox *s, const char *scratch, char *const *readable);
int landlock_for_compilers(const struct sandbox *s);
uint32_t landlock_abi(void); /* 0 when there is none */
bool landlock_put_on(int ruleset_fd);

bool seccomp_is_there(void);
/* may_fork: a limit on processes holds, or none is wanted.  may_change_modes: of files; what it
 * must not touch is read-only, or it is trusted so far. */
bool seccomp_put_on(uint32_t parts, bool may_fork, bool may_change_modes);

/* Needs: a mount namespace of ours, from which nothing spreads.  Everything read-only but the
 * folder; own_tmp: /tmp too, with what is in the real one linked into it. */
bool mounts_prepare(struct view *v, const char *folder, bool own_tmp);
void mounts_refresh(struct view *v); /* the links into the real /tmp, before a job */
void mounts_clean(struct view *v);   /* what a job left in its /tmp */
bool mounts_enter(const struct view *v);

/* ---- what a job uses: usage.c --------------------------------------------------------- */

enum { MOST_PROCESSES = 1000 }; /* a job that is seen to have more is ended */

struct usage {
    size_t processes; /* no more than MOST_PROCESSES + 1 are counted */
    uint64_t bytes;   /* of memory; never less than they use unless they use less than the limit */
    uint64_t disk;    /* of the folder's disk, in bytes; not all where it is more than the limit */
};
/* What everybody has: for files of a job that nobody may look at. */
struct usage_machine {
    uint64_t memory, disk; /* bytes of memory files; of the folder's disk */
};
struct usage_limits {
    uint64_t bytes, disk;
    struct usage_machine before;
    const char *folder; /* that a guest may write to; NULL: its disk is not looked at */
};
/* Are there more than so many in our namespace, if we have one?  To see that takes no time, while
 * each look at a process that forks without end waits until that has had its turn. */
bool usage_is_crowd(size_t most);
/* Of all processes below us but servers.  Exact only when there may be more than the limits. */
struct usage usage_of_job(const struct usage_limits *l);
/* When the job is new, and when it is looked at first. */
void usage_before(struct usage_machine *before, const char *folder);
void usage_at_first_look(struct usage_machine *before);
/* Seconds of CPU time that these, and those that they reaped, have taken. */
double usage_cpu_of_job(void);

/* ---- watched objects: watch.c ------------------------------------------------------------ */

enum { MOST_WATCHES = 256, MOST_ACCESSES = 200000 };

/* Shared between the runner and the job, which fills it in. */
struct watch_log {
    uint32_t count;               /* of what is watched */
    uint32_t state[MOST_WATCHES]; /* enum sys_watched_state */
    uint32_t access_count, cut;
    uint32_t narrow; /* stepped: the program is of i386 */
    uint64_t steps;  /* executed instructions, when they are counted */
    struct sys_access accesses[MOST_ACCESSES];
};

/* Where something lies that is watched. */
struct watch_range {
    uintptr_t start, end;
    bool read_only;
};

/* Constants that are alike may be one object under several names: then nobody knows whose access it
 * is, and none of them is watched. */
void watch_drop_shared(struct watch_log *log, struct watch_range *ranges);
/* The object at that address, or else one that an access from there may reach into; or NULL. */
const struct watch_range *watch_nearest(const struct watch_range *ranges, size_t n, uintptr_t at);

/* In the job, after it was loaded: from here on accesses to the ranges go to the log.  Empty ranges
 * stand for what is not watched.  code: where the objects' own instructions are. */
bool watch_begin(struct watch_log *log, const struct watch_range *ranges, size_t n,
                 struct watch_range code);

/* In the job, instead of watching: from here on each instruction that is executed in the code is
 * counted, by the processor's single step: the same number each time, whatever else the machine
 * does.  Gives up at MOST_STEPS. */
enum { MOST_STEPS = 5000000 };
bool watch_count_steps(struct watch_log *log, struct watch_range code);

/* ---- stepped programs: step.c, operand.c ------------------------------------------------- */

/* No more of the program's own instructions are stepped through: each takes some ten microseconds
 * and more. */
enum { MOST_STEPPED = 40000 };

/* In the runner, of a job that waits to be traced and will start the program: steps through its
 * main, fills in the log, and lets it go on.  watches: "SIZE NAME" each.  The log is cut when not
 * all of main was seen. */
void step_job(pid_t pid, const char *program, char *const *watches, uint32_t n, double seconds,
              struct watch_log *log);

/* Has it an operand in memory, at a place that nobody here can tell? */
bool operand_is_hidden(const uint8_t code[32], bool narrow);
/* Where the instruction has its operand in memory; false when it has none, or none that is known.
 */
bool operand_address(const uint8_t code[32], bool narrow, const struct user_regs_struct *r,
                     uint64_t *at);

/* ---- the loader ------------------------------------------------------------------------ */

/* Links the relocatable objects into this process.  On success *entry is main; otherwise reason
 * (of size bytes) says what is not supported, and the process should end. */
typedef int main_fn(int argc, char **argv, char **envp);
bool loader_load(char *const *objects, size_t count, main_fn **entry, char *reason, size_t size);
/* After that: where the object of that name and size lies, into *range if it is SYS_WATCHED. */
enum sys_watched_state loader_find_object(const char *name, uint64_t size,
                                          struct watch_range *range);
/* Is the symbol the name, or what gcc ("name.7") and clang ("function.name") make of an object of a
 * function? */
bool loader_is_name_of(const char *symbol, const char *name);
/* Where the instructions of the objects are. */
struct watch_range loader_code(void);

#endif
