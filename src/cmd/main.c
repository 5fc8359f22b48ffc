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
    puts("\n`cupel COMMAND --help` explains each.  Exit status: 0 nothing found, 1 something\n"
         "found, 2 could not do it.");
}

int main(int argc, char **argv)
{
    struct err e;
    if (argc && emi_is_wrapper(argv[0]))
        return emi_wrapper(argc, argv);
    const char *name = argc > 1 ? argv[1] : "--help";
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return argc > 1 ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    }
    if (strcmp(name, "--version") == 0) {
        printf("cupel %s\n", CUPEL_VERSION);
        return EXIT_NOTHING_FOUND;
    }
    for (size_t i = 0; i < LENGTH(commands); i++)
        if (strcmp(name, commands[i].name) == 0) {
            if (!sys_catch_signals(&e))
                return cmd_fail("%s", e.msg);
            return cmd_end(commands[i].run(argc - 1, argv + 1));
        }
    return cmd_fail("unknown command '%s': see cupel --help", name);
}
