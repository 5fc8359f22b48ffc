/* cupel status: how a campaign is going, from another shell. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "cmd/view/view.h"
#include "hunt/hunt.h"

static int print(const struct hunt_status *s, bool json)
{
    struct text out = {0};
    bool ok;
    if (json) {
        ok = campaign_print_json(hunt_status_to_json(s));
    } else {
        panel_render(s, &(struct panel_frame){.columns = 400, .rows = 100}, NULL, &out);
        ok = cmd_output(&out);
    }
    text_free(&out);
    return ok ? EXIT_NOTHING_FOUND : cmd_fail("cannot write to stdout");
}

int cmd_status(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    bool json = false;
    struct err e;
    const struct option_row rows[] = {
        {"--json", NULL, OPTION_FLAG, &json, "print JSON, for scripts"},
    };
    struct usage u = {.synopsis = "cupel status [DIR] [options]",
                      .description = "How the campaign in DIR (default ./cupel-hunt) is going.\n",
                      .rows = rows,
                      .count = LENGTH(rows),
                      .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED) {
        struct hunt_status s;
        status = hunt_status(&a, words.n ? words.at[0] : CAMPAIGN_DEFAULT, &s, &e)
                     ? print(&s, json)
                     : cmd_fail("%s", e.msg);
    }
    arena_free(&a);
    return status;
}
