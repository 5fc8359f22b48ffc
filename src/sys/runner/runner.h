/* Private to the runner: what its files share. */
#ifndef SYS_RUNNER_RUNNER_H
#define SYS_RUNNER_RUNNER_H

#include "sys/protocol.h"

#include <stdbool.h>
#include <stddef.h>

/* What sandbox_prepare found out once, and each job's child then puts on. */
struct sandbox {
    uint32_t parts;
    uint32_t landlock_abi;
    int ruleset_fd;       /* Landlock, -1 when there is none */
    unsigned user;        /* for PART_OWN_USER */
    const char *writable; /* the jobs' folder */
};

/* Enters namespaces of our own (PART_PID_NAMESPACE; PART_TMPFS when we can mount); the process that
 * returns is init of the jobs'.  Where that is not possible it ends with RUNNER_NO_NAMESPACES, and
 * cupel starts a runner that does without: a half-entered namespace cannot be left again. */
void sandbox_enter_namespaces(struct sandbox *s);
/* Needs: namespaces entered.  Makes the writable folder and what children will put on. */
void sandbox_prepare(struct sandbox *s, const char *scratch, char *const *readable);
/* In the child of a sandboxed job; false when a part that was there fails now. */
bool sandbox_put_on(const struct sandbox *s);
/* Empties the writable folder. */
void sandbox_clean(const struct sandbox *s);

/* Links the relocatable objects into this process.  On success *entry is main; otherwise reason
 * (of size bytes) says what is not supported, and the process should end. */
typedef int main_fn(int argc, char **argv, char **envp);
bool loader_load(char *const *objects, size_t count, main_fn **entry, char *reason, size_t size);

#endif
