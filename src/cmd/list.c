/* cupel list: the findings of a campaign. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"

#include <jansson.h>

/* What scripts lean on; the program itself is in the folder. */
static json_t *brief(const json_t *f)
{
    static const char *const keys[] = {"id",       "verdict",  "config", "signature", "grade",
                                       "count",    "compiler", "levels", "version",   "key",
                                       "affected", "strategy", "number", "seed",      "first",
                                       "last",     "muted"};
    json_t *b = json_object();
    for (size_t i = 0; i < LENGTH(keys); i++)
        if (json_object_get(f, keys[i]))
            json_object_set(b, keys[i], json_object_get(f, keys[i]));
    return b;
}

static int print(json_t *list, const char *dir, bool json)
{
    struct text out = {0};
    json_t *f, *briefs = json_array();
    size_t i, n = json_array_size(list);
    json_array_foreach(list, i, f) json_array_append_new(briefs, brief(f));
    bool ok;
    if (json) {
        ok = campaign_print_json(json_incref(briefs));
    } else {
        if (n)
            text_puts(&out,
                      "  id  verdict         grade      count  configuration             what\n");
        json_array_foreach(list, i, f) campaign_put_finding(f, &out);
        text_printf(&out, "%zu finding%s in %s%s\n", n, n == 1 ? "" : "s", dir,
                    n ? ": cupel show DIR N tells more" : "");
        ok = cmd_output(&out);
    }
    text_free(&out);
    json_decref(briefs);
    json_decref(list);
    if (!ok)
        return cmd_fail("cannot write to stdout");
    return n ? EXIT_FOUND : EXIT_NOTHING_FOUND;
}

int cmd_list(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    bool json = false, all = false;
    struct err e;
    const struct option_row rows[] = {
        {"--all", NULL, OPTION_FLAG, &all, "also those that cupel.conf mutes"},
        {"--json", NULL, OPTION_FLAG, &json, "print JSON, for scripts"},
    };
    struct usage u = {.synopsis = "cupel list [DIR] [options]",
                      .description = "The distinct findings of a campaign (default ./cupel-hunt).\n"
                                     "Exit status: 0 none, 1 some, 2 it cannot be read.\n",
                      .rows = rows,
                      .count = LENGTH(rows),
                      .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    const char *dir = words.n ? words.at[0] : CAMPAIGN_DEFAULT;
    if (parsed == PARSED) {
        json_t *list = hunt_list(dir, all, &e);
        if (list && *e.msg)
            log_note("%s", e.msg);
        status = list ? print(list, dir, json) : cmd_fail("%s", e.msg);
    }
    arena_free(&a);
    return status;
}
