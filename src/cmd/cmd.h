/* cmd: the command line.  One file per subcommand, each with one function of this type, and one
 * row in commands.def.  A subcommand reads its options here and hands them on: no stage below
 * looks at argv. */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/base.h"

/* Exit statuses, everywhere. */
enum { EXIT_NOTHING_FOUND = 0, EXIT_FOUND = 1, EXIT_CANNOT = 2 };

typedef int cmd_fn(int argc, char **argv);

#define COMMAND(name, summary) cmd_fn cmd_##name;
#include "cmd/commands.def"

/* ---- options ------------------------------------------------------------------------- */

enum option_kind {
    OPTION_FLAG,     /* bool */
    OPTION_STRING,   /* const char * */
    OPTION_STRINGS,  /* struct list, one more each time */
    OPTION_TAGGED,   /* struct list: the option's name and its value, for order among several */
    OPTION_UINT,     /* uint64_t, no more than 32 bits */
    OPTION_COUNT,    /* the same, from 1 */
    OPTION_SEED,     /* uint64_t, any */
    OPTION_DURATION, /* double, seconds */
    OPTION_SIZE      /* uint64_t, bytes */
};

struct option_row {
    const char *name;  /* "--timeout" */
    const char *value; /* "SECONDS", for help; NULL for a flag */
    enum option_kind kind;
    void *to;
    const char *help;
};

struct usage {
    const char *synopsis;    /* "cupel test FILE.c [MORE.c ...] [options]" */
    const char *description; /* a paragraph, then examples */
    const struct option_row *rows;
    size_t count;
    struct arena *arena;
    size_t most_words; /* that are no options; 0: the command looks itself */
};

enum parsed { PARSED, PARSED_HELP, PARSED_BAD };

/* Reads options (in any order; --name VALUE or --name=VALUE) and collects the other words.
 * Prints help or the error itself.  --json, --quiet and --verbose are rows like any other. */
enum parsed cmd_parse(const struct usage *u, int argc, char **argv, struct list *words);

/* Is it an option whose value is the next word? */
bool cmd_wants_value(const struct usage *u, const char *arg);

/* ---- the manual: manual.c --------------------------------------------------------------- */

/* roff, for man. */
void manual_print_page(const struct usage *u);
void manual_print_overview(void);
/* A line for each word that can be completed: word, what follows it, what it means, with tabs. */
void manual_print_words(const struct usage *u);
void manual_print_commands(void);

/* Of --trust-compilers, which several commands have. */
#define CMD_TRUST_HELP "let compilers write outside their scratch folder"

/* "cupel: what is wrong: what to do" on stderr; returns EXIT_CANNOT. */
int cmd_fail(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Ends as a program does that was interrupted: dies of the signal that was caught, after the
 * command has cleaned up.  Returns status when there was none. */
int cmd_end(int status);

/* Writes to stdout and checks it, byte by byte to a file, visibly to a terminal; false when that
 * failed (a full disk, a closed pipe). */
bool cmd_output(const struct text *t);

struct target;
/* The target of that name; NULL for none, and e has the names that there are. */
const struct target *cmd_target(const char *name, struct err *e);
#define CMD_TARGET_HELP "data model: lp64, ilp32, arm, s390x ... (default: lp64, or as -m32)"

#endif
