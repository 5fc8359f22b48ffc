/* cupel merge and cupel split: which findings are one bug, by somebody who knows better. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"

/* The numbers behind the folder: `DIR A B`, or `A B` in the default campaign. */
static bool read_words(const struct list *words, size_t numbers, const char **dir, uint64_t *ids,
                       struct err *e)
{
    bool named = words->n == numbers + 1;
    if (!named && words->n != numbers)
        return fail(e, "which? DIR, then %zu number%s, as cupel list has them", numbers,
                    numbers == 1 ? "" : "s");
    *dir = named ? words->at[0] : CAMPAIGN_DEFAULT;
    for (size_t i = 0; i < numbers; i++)
        if (!str_parse_uint(words->at[i + named], INT64_MAX, &ids[i], e))
            return false;
    return true;
}

int cmd_merge(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    struct usage u = {
        .synopsis = "cupel merge [DIR] A B",
        .description = "Finding B is the same bug as finding A: A stands for both, and counts\n"
                       "what both count.  Nothing is forgotten: cupel list --all shows B,\n"
                       "cupel recheck tries it, cupel split takes it out again.  The hunt, which\n"
                       "merges what triage gives one signature, leaves it so.\n",
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    const char *dir = NULL;
    uint64_t ids[2];
    struct err e;
    if (parsed == PARSED)
        status = read_words(&words, 2, &dir, ids, &e) && hunt_merge(dir, ids[0], ids[1], &e)
                     ? EXIT_NOTHING_FOUND
                     : cmd_fail("%s", e.msg);
    arena_free(&a);
    return status;
}

int cmd_split(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    struct usage u = {
        .synopsis = "cupel split [DIR] N",
        .description = "Finding N, which was merged with another, is a bug of its own.  The hunt\n"
                       "does not merge it again.  cupel list --all shows what is merged.\n",
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    const char *dir = NULL;
    uint64_t id;
    struct err e;
    if (parsed == PARSED)
        status = read_words(&words, 1, &dir, &id, &e) && hunt_split(dir, id, &e)
                     ? EXIT_NOTHING_FOUND
                     : cmd_fail("%s", e.msg);
    arena_free(&a);
    return status;
}
