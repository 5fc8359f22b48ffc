/* sys: processes, files and the sandbox.  The only module that starts a process.
 *
 * A struct runner is a small helper process that starts, limits, watches and reaps jobs for us,
 * one at a time: forking from it is cheap whatever our own size, and nothing that a job leaves
 * behind outlives the job, or us.  Each thread that runs jobs has a runner of its own.
 *
 * What a job does (fails, crashes, hangs, floods) is data in struct sys_result.  A function
 * here returns false, with a message in struct err, only when the machine itself fails us.
 */
#ifndef SYS_SYS_H
#define SYS_SYS_H

#include "base/base.h"

/* ---- interruption -------------------------------------------------------------------- */

/* From here on SIGINT, SIGTERM, SIGHUP and SIGPIPE no longer kill us: they make sys_cancelled
 * true and end every sys_run that is under way.  Call once, before any thread is started. */
bool sys_catch_signals(struct err *e);
bool sys_cancelled(void);
void sys_cancel(int sig); /* as if that signal had come */
int sys_cancel_signal(void);

/* ---- files --------------------------------------------------------------------------- */

/* Of what may be of any size; a device or a pipe without an end stops there. */
enum { SYS_READ_ALL = 1 << 28 };

/* Appends the file's bytes to out; above the limit is an error, and so many bytes are there. */
bool sys_read_file(const char *path, uint64_t limit, struct text *out, struct err *e);
/* Is something there that is no regular file: a device, a pipe, a link, a folder? */
bool sys_is_special(const char *path);
/* Replaces the file at once (write beside it, then rename): readers see old or new, whole.  What
 * is no regular file, such as /dev/null or a link, is written to and stays what it is. */
bool sys_write_file(const char *path, const void *bytes, size_t n, struct err *e);
/* The same where nobody looks before all is written: what does not exist yet is written in its
 * place, which takes half the time. */
bool sys_write_new_file(const char *path, const void *bytes, size_t n, struct err *e);
bool sys_make_dirs(const char *path, struct err *e);
/* Removes a folder or file and everything in it; absent is fine. */
bool sys_remove_tree(const char *path, struct err *e);
void sys_empty_folder(const char *path); /* what is in it, as far as we may */
/* Names in a folder, sorted, without those that begin with a dot; in the arena. */
bool sys_list_folder(struct arena *a, const char *path, struct list *names, struct err *e);
/* The absolute path of a command as the shell would find it, or NULL; in the arena. */
char *sys_find_program(struct arena *a, const char *name);
char *sys_real_path(struct arena *a, const char *path); /* NULL when there is none */
/* Is it an ELF file?  A script that is started under a compiler's name may be anything. */
bool sys_is_binary(const char *path);
/* What changes when a file is replaced: device, inode, size and time as one text. */
char *sys_file_stamp(struct arena *a, const char *path); /* NULL when there is none */
/* The user's cache folder for cupel ($XDG_CACHE_HOME/cupel or ~/.cache/cupel), or NULL. */
char *sys_cache_dir(struct arena *a);
/* Holds the file (made when it is not there) for as long as we live, or until it is closed; -1
 * when somebody else has it, or it cannot be made: then e says so. */
int sys_lock_file(const char *path, struct err *e);
bool sys_is_locked(const char *path); /* by anybody; a file that is not there is not */
/* Bytes that can still be written below path; UINT64_MAX when unknown. */
uint64_t sys_free_space(const char *path);
double sys_now(void); /* seconds on a clock that only goes forward */
unsigned sys_cpu_count(void);
/* CPU seconds of this process alone, and of every job that its runners have finished. */
double sys_own_cpu(void);
double sys_children_cpu(void);

/* ---- scratch ------------------------------------------------------------------------- */

/* A folder under $TMPDIR (or /tmp) that is ours while we live.  Those of processes that died
 * without cleaning up are removed by the next sys_scratch_open. */
struct scratch {
    char path[256];
    int lock_fd;
};

bool sys_scratch_open(struct scratch *s, struct err *e);
void sys_scratch_close(struct scratch *s); /* removes it */

/* ---- jobs ---------------------------------------------------------------------------- */

/* 0 means no limit. */
struct sys_limits {
    double wall, cpu; /* seconds */
    bool by_cpu;      /* beyond its wall time it goes on, up to eleven times as long, while it works
                       * and has CPU time left: sharing a busy machine is not its fault */
    uint64_t memory;  /* bytes of address space, per process */
    uint64_t stack;   /* bytes, of a program under test; 0: as many as users have, 8 MB */
    uint64_t resident;  /* bytes really used by all its processes, files in memory included */
    uint64_t file_size; /* bytes, per file */
    uint64_t folder;    /* bytes that a compiler may have in its scratch folder; with resident */
    uint64_t output;    /* bytes kept of stdout, and of stderr */
    unsigned processes; /* at one time; needs the sandbox */
};

enum sys_action {
    SYS_EXEC,  /* start argv[0] */
    SYS_SERVE, /* the same, but it will be asked for again: keep one ready to be forked */
    SYS_LOAD   /* link objects into a process of the runner's and call main(argv) */
};

/* What is to be watched: an object of the program's, by the name that it has in C. */
struct sys_watch {
    const char *name;
    uint64_t size;
};

/* Which symbol that is in the objects: compilers give objects of functions names of their own. */
enum sys_watched_state {
    SYS_WATCHED, /* just one, of that size */
    SYS_GONE,    /* none that could be it */
    SYS_UNCLEAR  /* several, or of another size: not watched */
};

/* An instruction that touched the bytes at or close before a watched object. */
enum { SYS_ON_STACK = INT32_MAX };
struct sys_access {
    uint32_t watch;              /* number of the object; or SYS_ON_STACK, of what is stepped */
    bool foreign;                /* not in the objects' own code: code is not given */
    bool is_write;               /* as the processor says; may read as well.  Not if stepped */
    uint32_t step;               /* stepped: how many instructions came before it, */
    uint64_t at;                 /* and where it is itself */
    int64_t offset;              /* from the object's first byte, negative before it; on the stack:
                                    the address */
    uint8_t code[16];            /* the instruction */
    uint8_t before[8], after[8]; /* what is at that address, before it and after it */
};

/* What a job may do to the machine.  What the kernel does not give of that is said once. */
enum sys_rights {
    SYS_OURS,     /* whatever we may */
    SYS_COMPILER, /* reads what we may, writes into the runner's workshop only; no sockets, and none
                     of root's privileges.  As SYS_OURS where the runner has no workshop */
    SYS_PROGRAM   /* reads system folders, writes into the runner's own folder only; no sockets */
};

struct sys_job {
    enum sys_action action;
    char *const *argv;             /* argv[0] is looked up on our PATH, unless there is a */
    const char *program;           /* file to start instead, whatever argv[0] says; or NULL */
    char *const *objects;          /* SYS_LOAD: relocatable x86-64 ELF files */
    const struct sys_watch *watch; /* SYS_LOAD: accesses to these are taken down; or NULL */
    size_t watch_count;
    bool step; /* SYS_EXEC of an x86 program: instruction by instruction, with all accesses to the
                  stack as well.  Cut when that would take too long */
    bool count_steps;  /* SYS_LOAD: executed instructions of the objects' own are counted */
    char *const *env;  /* whole environment */
    const char *dir;   /* working folder; NULL is the runner's writable folder */
    const char *input; /* file for stdin; NULL is an empty one */
    struct sys_limits limits;
    enum sys_rights rights;
    bool drain_outputs; /* past limits.output, go on and discard; else the job is ended */
};

enum sys_end {
    SYS_EXITED,      /* code: exit status */
    SYS_SIGNALLED,   /* code: signal */
    SYS_TIMEOUT,     /* wall or CPU */
    SYS_OUTPUT_LONG, /* more than limits.output */
    SYS_MEMORY,      /* more than limits.resident */
    SYS_CROWD,       /* more processes than anything needs: it forks without end */
    SYS_FULL,        /* more than limits.folder: it fills the disk */
    SYS_NOT_STARTED, /* reason says why: not found, not executable ...; code: errno */
    SYS_NOT_LOADED,  /* SYS_LOAD: reason says what the loader does not do */
    SYS_CANCELLED    /* sys_cancelled is true */
};

/* Texts are the caller's to free with sys_result_free. */
struct sys_result {
    enum sys_end end;
    int code;
    struct text out, err, reason;
    bool out_cut, err_cut; /* there was more */
    struct text watched;   /* of each watch: uint32_t, enum sys_watched_state */
    struct text accesses;  /* struct sys_access, in order */
    bool accesses_cut;     /* there were more */
    bool narrow;           /* stepped: of i386 */
    uint64_t steps;        /* with count_steps; 0: not counted, or more than anybody waits for */
    double wall, cpu;      /* seconds; cpu of the job and its reaped children */
    uint64_t max_resident; /* bytes, of the largest process */
};

struct runner_options {
    const char *scratch;         /* folder of ours; the runner makes its own inside */
    const char *const *readable; /* further folders that programs may read; NULL ends */
    const char *workshop;        /* folder that compilers may write to; NULL: they are trusted */
};

/* Starts a runner, which comes up while we go on.  What the kernel lacks of the sandbox is said
 * once and done without. */
struct runner *sys_runner_open(const struct runner_options *options, struct err *e);
/* Ends it and waits for that; hanging up on several first lets them end at the same time. */
void sys_runner_hang_up(struct runner *r);
void sys_runner_close(struct runner *r);
/* One line on what the sandbox consists of here. */
const char *sys_runner_sandbox(struct runner *r);

/* Runs the job to its end.  r is cleared first: free it only when you are done with it. */
bool sys_run(struct runner *runner, const struct sys_job *job, struct sys_result *r, struct err *e);
void sys_result_free(struct sys_result *r);
/* "exit status 3", "SIGSEGV", "time-out after 10 s" ... for people; in the arena. */
char *sys_describe_end(struct arena *a, const struct sys_result *r);
const char *sys_signal_name(int sig); /* "SIGSEGV" */

/* Goes on as another program, found on PATH; returns only when that cannot be. */
void sys_become(char *const *argv, struct err *e);
/* The same as a child, with our files and environment; status is as a shell shows it. */
bool sys_call(char *const *argv, int *status, struct err *e);

/* Our environment with LC_ALL=C, and dir for temporary and cached files, for compilers. */
char **sys_tool_env(struct arena *a, const char *dir);
/* The same small environment everywhere, for the programs under test. */
char **sys_program_env(struct arena *a);

/* ---- peers --------------------------------------------------------------------------- */

/* Another cupel process.  What is said between the two are whole messages. */
struct sys_peer {
    int pid; /* 0 for the one who started us */
    int fd;
    struct text inbox;
};

/* Starts this very program again.  It gets SIGTERM when we die. */
bool sys_peer_start(struct sys_peer *p, char *const *args, struct err *e);
/* The other side of that: p is the one who started us. */
bool sys_peer_join(struct sys_peer *p, struct err *e);
/* Asks it to end: of several, all are asked before one is waited for. */
void sys_peer_dismiss(struct sys_peer *p);
/* Asks it to end, waits for that, and ends it when it does not within seconds. */
void sys_peer_stop(struct sys_peer *p);

/* False when the other end is gone. */
bool sys_peer_send(const struct sys_peer *p, const char *bytes, size_t n);
enum sys_mail { SYS_MAIL, SYS_MAIL_NONE, SYS_MAIL_GONE };
/* The next message, if it is there already. */
enum sys_mail sys_peer_poll(struct sys_peer *p, struct text *out);
/* Waits for it; false when the other end is gone or we are to stop. */
bool sys_peer_receive(struct sys_peer *p, struct text *out);
/* Until one of them says something, the time has passed, or we are to stop. */
void sys_peers_wait(const struct sys_peer *peers, size_t n, double seconds);

/* ---- parallel work ------------------------------------------------------------------- */

/* Calls work(context, item, worker) once for each item 0 .. items-1, in order of start, from
 * `workers` threads (worker is 0 .. workers-1).  Returns when all are done; after
 * sys_cancelled, items that were not started are left out. */
typedef void sys_work_fn(void *context, size_t item, unsigned worker);
void sys_parallel(size_t items, unsigned workers, sys_work_fn *work, void *context);

#endif
