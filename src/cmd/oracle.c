/* Asks the abstract machine what a program must do, through `cupel check`.  Whatever goes wrong
 * there is silence, never an error. */
#include "cmd/oracle.h"

#include "cmd/cflags.h"
#include "cmd/cmd.h"
#include "sys/sys.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 30, MOST_OUTPUT = (8 << 20) + 16 };

/* A sanitizer's shadow takes more addresses than any limit would leave. */
#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined __SANITIZE_ADDRESS__ || __has_feature(address_sanitizer)
#define MEMORY 0
#else
#define MEMORY ((uint64_t)4 << 30)
#endif

static bool defines_more(const char *word)
{
    static const char *const flags[] = {
        "-fwrapv",         "-ftrapv",         "-fno-strict-",      "-fno-delete-null-",
        "-frounding-math", "-ftrapping-math", "-ffp-model=strict", "-ffp-exception-behavior="};
    for (size_t k = 0; k < LENGTH(flags); k++)
        if (str_has_prefix(word, flags[k]))
            return true;
    return false;
}

bool oracle_defines_more(const struct cc_config *config)
{
    for (size_t i = 1; config->argv[i]; i++)
        if (defines_more(config->argv[i]))
            return true;
    return false;
}

/* Has it every such word that the other has? */
static bool defines_all_of(const struct cc_config *config, const struct cc_config *other)
{
    for (size_t i = 1; other->argv[i]; i++) {
        bool found = !defines_more(other->argv[i]);
        for (size_t k = 1; config->argv[k] && !found; k++)
            found = strcmp(config->argv[k], other->argv[i]) == 0;
        if (!found)
            return false;
    }
    return true;
}

bool oracle_defines_as_much(const struct cc_config *a, const struct cc_config *b)
{
    return defines_all_of(a, b) && defines_all_of(b, a);
}

/* Who preprocesses: not one that may be anything, and say anything. */
static char *preprocessor(struct arena *a, const struct cc_config *config)
{
    enum cc_family family;
    struct text word = {0};
    char *alone[] = {config->argv[0], NULL};
    if (!cc_family_of(config->argv[0], &family))
        return "gcc";
    str_join_command(&word, alone);
    char *copy = arena_string(a, text_str(&word));
    text_free(&word);
    return copy;
}

/* The configuration's flags that a preprocessor heeds; NULL ends. */
static char **text_flags(struct arena *a, const struct cc_config *config)
{
    struct list given = {0};
    struct cflags own = {0};
    for (size_t i = 0; config->argv[i]; i++)
        list_add(a, &given, config->argv[i]);
    int argc = (int)given.n;
    list_add(a, &given, NULL);
    cmd_take_cflags(&(struct usage){.arena = a}, &argc, (char **)given.at, &own);
    list_add(a, &own.flags, NULL);
    return (char **)own.flags.at;
}

/* Of levels a program sees what __OPTIMIZE__ and __OPTIMIZE_SIZE__ say. */
static const char *level_macros(const struct cc_config *config)
{
    const char *level = "0";
    for (size_t i = 1; config->argv[i]; i++)
        if (str_has_prefix(config->argv[i], "-O"))
            level = config->argv[i] + strlen("-O");
    return !strcmp(level, "s") || !strcmp(level, "z") ? " -Os"
           : strcmp(level, "0") != 0                  ? " -O1"
                                                      : "";
}

const char *oracle_key(struct arena *a, const struct cc_config *config)
{
    enum cc_family family;
    struct text key = {0};
    bool known = cc_family_of(config->argv[0], &family);
    text_puts(&key, known ? cc_family_name(family) : "gcc");
    for (char **flag = text_flags(a, config); *flag; flag++)
        if (!str_has_prefix(*flag, "-O"))
            text_printf(&key, " %s", *flag);
    text_puts(&key, level_macros(config));
    const char *copy = arena_string(a, text_str(&key));
    text_free(&key);
    return copy;
}

/* cupel check UNITS FLAGS --target NAME --cc COMPILER --args WORDS [--input FILE] */
static char **check_command(struct arena *a, const struct cc_config *config,
                            const struct target *target, const struct cc_case *program, char *input)
{
    struct list words = {0};
    struct text args = {0};
    str_join_command(&args, program->args);
    list_add(a, &words, sys_real_path(a, "/proc/self/exe"));
    list_add(a, &words, "check");
    for (size_t i = 0; program->units[i]; i++)
        list_add(a, &words, program->units[i]);
    for (char **flag = text_flags(a, config); *flag; flag++)
        list_add(a, &words, *flag);
    list_add(a, &words, "--quiet");
    list_add(a, &words, "--status");
    list_add(a, &words, "--stack"); /* programs have four times that, and larger frames */
    list_add(a, &words, "2M");
    list_add(a, &words, "--target");
    list_add(a, &words, (char *)target->name);
    list_add(a, &words, "--cc");
    list_add(a, &words, preprocessor(a, config));
    list_add(a, &words, "--args");
    list_add(a, &words, arena_string(a, text_str(&args)));
    list_add(a, &words, input ? "--input" : NULL);
    list_add(a, &words, input);
    list_add(a, &words, NULL);
    text_free(&args);
    return (char **)words.at;
}

/* Its exit status in a line, then what it prints. */
static bool take_output(struct arena *a, const struct text *said, struct text *out, int *status)
{
    char *end;
    long n = strtol(text_str(said), &end, 10);
    if (end == text_str(said) || *end != '\n')
        return false;
    size_t size = said->n - (size_t)(end + 1 - text_str(said));
    *status = (int)n & 0xff;
    *out = (struct text){.s = arena_copy(a, end + 1, size), .n = size};
    return true;
}

static enum oracle_kind kind_of(const struct sys_result *r, const char *line)
{
    if (r->end == SYS_EXITED && r->code == EXIT_FOUND && strstr(line, "undefined: "))
        return ORACLE_UNDEFINED;
    bool cannot = r->end == SYS_EXITED && r->code == EXIT_CANNOT;
    if (cannot && strstr(line, ": unspecified: "))
        return ORACLE_UNDEFINED;
    /* how much of either there is, is no compiler's business */
    if (cannot && (strstr(line, "calls are nested too deeply") || strstr(line, "out of memory: ") ||
                   strstr(line, "out of stack: ")))
        return ORACLE_UNDEFINED;
    if (cannot && strstr(line, ": compilers differ"))
        return ORACLE_UNDEFINED;
    return r->end == SYS_EXITED && r->code == EXIT_NOTHING_FOUND && !r->out_cut ? ORACLE_KNOWS
                                                                                : ORACLE_SILENT;
}

/* One run: fills in known for input i unless it says something else. */
static void ask_once(struct arena *a, struct cc_lab *lab, char **command,
                     struct oracle_answer *answer, size_t i)
{
    struct sys_result r;
    struct sys_job job = {
        .action = SYS_EXEC,
        .argv = command,
        .env = sys_tool_env(a, lab->dir),
        .dir = ".",
        .drain_outputs = true,
        .limits = {.wall = 2 * SECONDS, .cpu = SECONDS, .memory = MEMORY, .output = MOST_OUTPUT}};
    answer->kind = ORACLE_SILENT;
    if (!sys_run(lab->runner, &job, &r, NULL))
        return;
    const char *line = str_visible(a, str_first_line(a, text_str(&r.err)));
    answer->kind = kind_of(&r, line);
    line += str_has_prefix(line, "cupel: ") ? strlen("cupel: ") : 0;
    answer->words = *line ? line : sys_describe_end(a, &r);
    if (answer->kind == ORACLE_KNOWS &&
        !take_output(a, &r.out, (struct text *)&answer->known.out[i],
                     (int *)&answer->known.status[i]))
        answer->kind = ORACLE_SILENT;
    sys_result_free(&r);
}

void oracle_ask(struct arena *a, struct cc_lab *lab, const struct cc_config *config,
                const struct target *target, const struct cc_case *program,
                struct oracle_answer *out)
{
    static char *const no_input[] = {NULL};
    size_t n = 0;
    while (program->inputs[n])
        n++;
    size_t runs = n ? n : 1;
    *out = (struct oracle_answer){
        .words = "", .known = {NEW_ARRAY(a, runs, struct text), NEW_ARRAY(a, runs, int)}};
    char *const *inputs = n ? program->inputs : no_input;
    for (size_t i = 0; i < runs && (i == 0 || out->kind == ORACLE_KNOWS); i++)
        ask_once(a, lab, check_command(a, config, target, program, inputs[i]), out, i);
}
