/* What cupel and its runner say to each other over a socket pair.  Both ends are built from the
 * same sources, so the structs go as they are.
 *
 * hello    runner to cupel, once
 * request  cupel to runner: struct wire_request, then `strings` bytes of NUL-terminated strings:
 *          dir, input, program, the objects, the arguments, the environment, what is watched
 * reply    runner to cupel: struct wire_reply, then reason, stdout, stderr, and of what is watched
 *          its state, one each, and struct sys_access
 */
#ifndef SYS_PROTOCOL_H
#define SYS_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUNNER_FD = 3 };             /* the runner's end of the socket pair */
enum { RUNNER_NO_NAMESPACES = 71 }; /* its exit status when it cannot have any */

enum wire_part {
    PART_PID_NAMESPACE = 1 << 0, /* jobs cannot see, signal or outlive beyond it */
    PART_TMPFS = 1 << 1,         /* what sandboxed jobs write is in memory and bounded */
    PART_LANDLOCK = 1 << 2,      /* files */
    PART_SECCOMP = 1 << 3,       /* no sockets */
    PART_OWN_USER = 1 << 4,      /* a user of their own, so that process limits hold */
    PART_IPC = 1 << 5,           /* System V memory, semaphores and queues end with the job */
    PART_READ_ONLY = 1 << 6,     /* compilers see all files read-only but their own folder's */
    PART_KEPT_FILES = 1 << 7, /* and so do programs; else they change no modes and times at all */
    PART_COUNTED = 1 << 8     /* the kernel limits the processes of compilers */
};

struct wire_hello {
    uint32_t parts;        /* of enum wire_part */
    uint32_t landlock_abi; /* 0 when there is none */
};

struct wire_request {
    uint32_t strings;
    uint32_t objects, args, env;                 /* how many of each; objects only for loading */
    uint32_t load, serve, rights, drain_outputs; /* rights: enum sys_rights */
    uint32_t processes, watches;
    uint32_t count_steps, by_cpu;
    uint32_t step, unused;
    double wall, cpu;
    uint64_t memory, stack, resident, file_size, folder, output;
};

struct wire_reply {
    uint32_t end; /* enum sys_end */
    int32_t code;
    uint32_t out_cut, err_cut;
    double wall, cpu;
    uint64_t max_resident;
    uint64_t reason, out, err; /* bytes that follow */
    uint64_t watched, accesses;
    uint64_t steps;
    uint32_t accesses_cut, narrow;
};

/* All n bytes, or false: the other end is gone. */
bool wire_read(int fd, void *to, size_t n);
bool wire_write(int fd, const void *from, size_t n);

#endif
