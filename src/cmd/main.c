/* cupel: the one binary.  Chooses the subcommand. */
#include "cmd/cmd.h"

#include "emi/emi.h"
#include "sys/sys.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *summary;
    cmd_fn *run;
} commands[] = {
#define COMMAND(name, summary) {#name, summary, cmd_##name},
#include "cmd/commands.def"
};

static void print_help(void)
{
    puts("usage: cupel COMMAND [options]\n\n"
         "Tests C compilers: makes programs whose behaviour it knows exactly, gives them to every\n"
         "compiler, and shows who gets them wrong.\n\nCommands:");
    for (size_t i = 0; i < LENGTH(commands); i++)
        printf("  %-12s %s\n", commands[i].name, commands[i].summary);
    puts("\n`cupel help COMMAND` explains each.  Exit status: 0 nothing found, 1 something\n"
         "found, 2 could not do it.");
}

/* The command of that name; NULL for none. */
static cmd_fn *find_command(const char *name)
{
    for (size_t i = 0; i < LENGTH(commands); i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run;
    return NULL;
}

static int unknown(const char *name)
{
    return cmd_fail("unknown command '%s': see cupel --help", name);
}

/* cupel help COMMAND: what COMMAND --help says. */
static int help(int argc, char **argv)
{
    char *words[] = {argc > 2 ? argv[2] : NULL, "--help", NULL};
    if (argc > 2)
        return find_command(words[0]) ? find_command(words[0])(2, words) : unknown(words[0]);
    print_help();
    return argc > 1 ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
}

/* What is not for a command; false: the word is one's name. */
static bool is_general(int argc, char **argv, int *status)
{
    const char *name = argc > 1 ? argv[1] : "--help";
    *status = EXIT_NOTHING_FOUND;
    if (strcmp(name, "help") == 0)
        *status = help(argc, argv);
    else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        *status = help(argc < 2 ? argc : 2, argv);
    else if (strcmp(name, "--help=man") == 0)
        manual_print_overview();
    else if (strcmp(name, "--help=words") == 0)
        manual_print_commands();
    else if (strcmp(name, "--version") == 0)
        printf("cupel %s\n", cupel_version);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct err e;
    int status;
    if (argc && emi_is_wrapper(argv[0]))
        return emi_wrapper(argc, argv);
    if (is_general(argc, argv, &status))
        return status;
    if (!find_command(argv[1]))
        return unknown(argv[1]);
    if (!sys_catch_signals(&e))
        return cmd_fail("%s", e.msg);
    return cmd_end(find_command(argv[1])(argc - 1, argv + 1));
}
