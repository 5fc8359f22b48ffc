/* cupel prune: space that a long campaign can do without. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"

static int tell(const struct hunt_pruned *p, const char *dir, bool dry)
{
    struct text out = {0};
    text_printf(
        &out, "%s %s: %.1f MB of programs that showed a known bug, %llu doubt%s (%.1f MB)\n", dir,
        dry ? "could lose" : "lost", (double)p->text_bytes / 1e6, (unsigned long long)p->doubts,
        p->doubts == 1 ? "" : "s", (double)p->doubt_bytes / 1e6);
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok ? EXIT_NOTHING_FOUND : cmd_fail("cannot write to stdout");
}

int cmd_prune(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    struct hunt_pruned pruned;
    bool dry = false;
    struct err e;
    const struct option_row rows[] = {
        {"--dry-run", NULL, OPTION_FLAG, &dry, "say how much it would be, and leave it"},
    };
    struct usage u = {
        .synopsis = "cupel prune [DIR] [options]",
        .description =
            "Frees space in the campaign in DIR (default ./cupel-hunt), for those that run for\n"
            "weeks: texts of programs that showed a bug which is known already (how to make them\n"
            "again stays), and doubts, programs that looked like findings until the program\n"
            "itself was to blame.  Findings are never touched.\n\n"
            "  cupel prune DIR --dry-run\n"
            "  cupel prune DIR\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
        .most_words = 1};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    const char *dir = words.n ? words.at[0] : CAMPAIGN_DEFAULT;
    if (parsed == PARSED)
        status = hunt_prune(dir, dry, &pruned, &e) ? tell(&pruned, dir, dry)
                                                   : cmd_fail("%s", e.msg);
    arena_free(&a);
    return status;
}
