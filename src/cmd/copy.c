/* cupel copy: a campaign from a folder to a database, and back. */
#include "cmd/cmd.h"

#include "hunt/hunt.h"

int cmd_copy(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    struct err e;
    struct usage u = {
        .synopsis = "cupel copy FROM TO",
        .description =
            "Copies a campaign, whole: FROM and TO are folders or databases.  TO must be new or\n"
            "empty, and nobody may be hunting in FROM; it is left as it is.\n\n"
            "  cupel copy DIR postgresql://db/campaign       for several machines from now on\n"
            "  cupel copy postgresql://db/campaign DIR       and back: also a backup\n",
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && words.n != 2)
        cmd_fail("from where to where? cupel copy FROM TO");
    else if (parsed == PARSED && !hunt_copy(words.at[0], words.at[1], &e))
        cmd_fail("%s", e.msg);
    else if (parsed == PARSED)
        status = EXIT_NOTHING_FOUND;
    arena_free(&a);
    return status;
}
