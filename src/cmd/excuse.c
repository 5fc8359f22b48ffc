/* Looks for undefined behaviour in a program that compilers do not agree about.  In a process of
 * its own, with limits: what other people wrote may take the machine any time and memory.  Keeps
 * quiet about whatever goes wrong there. */
#include "cmd/excuse.h"

#include "cmd/cflags.h"
#include "cmd/cmd.h"
#include "sys/sys.h"

#include <string.h>

enum { SECONDS = 30 };

/* A sanitizer's shadow takes more addresses than any limit would leave. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
#define MEMORY 0
#else
#define MEMORY ((uint64_t)4 << 30)
#endif

/* cupel check UNITS FLAGS --cc COMPILER --args WORDS [--input FILE] */
static char **check_command(struct arena *a, const struct cc_config *config,
                            const struct cc_case *program, char *input)
{
    struct list given = {0}, words = {0};
    struct cflags own = {0};
    struct text compiler = {0}, args = {0};
    char *alone[] = {config->argv[0], NULL};
    for (size_t i = 0; config->argv[i]; i++)
        list_add(a, &given, config->argv[i]);
    int argc = (int)given.n;
    list_add(a, &given, NULL);
    cmd_take_cflags(a, &argc, (char **)given.at, &own);
    str_join_command(&compiler, alone);
    str_join_command(&args, program->args);

    list_add(a, &words, sys_real_path(a, "/proc/self/exe"));
    list_add(a, &words, "check");
    for (size_t i = 0; program->units[i]; i++)
        list_add(a, &words, program->units[i]);
    for (size_t i = 0; i < own.flags.n; i++)
        list_add(a, &words, own.flags.at[i]);
    list_add(a, &words, "--quiet");
    list_add(a, &words, "--cc");
    list_add(a, &words, arena_string(a, text_str(&compiler)));
    list_add(a, &words, "--args");
    list_add(a, &words, arena_string(a, text_str(&args)));
    list_add(a, &words, input ? "--input" : NULL);
    list_add(a, &words, input);
    list_add(a, &words, NULL);
    text_free(&compiler);
    text_free(&args);
    return (char **)words.at;
}

/* One run, with the file as stdin; NULL is an empty one. */
static const char *check(struct arena *a, struct cc_lab *lab, const struct cc_config *config,
                         const struct cc_case *program, char *input)
{
    struct sys_result r;
    struct sys_job job = {
        .action = SYS_EXEC,
        .argv = check_command(a, config, program, input),
        .env = sys_tool_env(a, lab->dir),
        .dir = ".",
        .drain_outputs = true,
        .limits = {.wall = 2 * SECONDS, .cpu = SECONDS, .memory = MEMORY, .output = 1 << 16}};
    const char *found = NULL;
    if (!sys_run(lab->runner, &job, &r, NULL))
        return NULL;
    const char *line = str_first_line(a, text_str(&r.err));
    if (r.end == SYS_EXITED && r.code == EXIT_FOUND && strstr(line, "undefined: "))
        found = line;
    sys_result_free(&r);
    return found;
}

const char *excuse_undefined(struct arena *a, struct cc_lab *lab, const struct cc_config *config,
                             const struct cc_case *program)
{
    const char *found = NULL;
    if (!program->inputs[0])
        return check(a, lab, config, program, NULL);
    for (size_t i = 0; !found && program->inputs[i]; i++)
        found = check(a, lab, config, program, program->inputs[i]);
    return found;
}
