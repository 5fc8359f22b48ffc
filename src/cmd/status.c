/* cupel status: how a campaign is going, from another shell. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "cmd/view/view.h"
#include "hunt/hunt.h"

/* Of a campaign on many machines: those that hunt, and how many have ended. */
static void put_nodes(const struct hunt_status *s, struct text *out)
{
    enum { MOST = 50 };
    size_t alive = 0;
    for (size_t i = 0; i < s->node_count; i++) {
        const struct hunt_node *n = &s->nodes[i];
        if (!n->alive || ++alive > MOST)
            continue;
        text_printf(out,
                    "machine %s: %u worker%s, %llu programs, %.1f CPU hours, heard of %.0f s ago, "
                    "cupel %s\n",
                    n->name, n->jobs, n->jobs == 1 ? "" : "s", (unsigned long long)n->programs,
                    n->cpu / 3600, n->silence > 0 ? n->silence : 0, n->version);
    }
    if (s->node_count)
        text_printf(out, "%zu machine%s at work, %zu ended or gone\n", alive,
                    alive == 1 ? " is" : "s are", s->node_count - alive);
}

static int print(const struct hunt_status *s, bool json)
{
    struct text out = {0};
    bool ok;
    if (json) {
        ok = campaign_print_json(hunt_status_to_json(s));
    } else {
        panel_render(s, &(struct panel_frame){.columns = 400, .rows = 100}, NULL, &out);
        put_nodes(s, &out);
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
                      .arena = &a,
                      .most_words = 1};
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
