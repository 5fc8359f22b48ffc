/* cupel show: one finding. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"

#include <jansson.h>

static int print(json_t *f, const char *dir, bool json)
{
    struct text out = {0};
    long long id = campaign_number(f, "id");
    if (json)
        return campaign_print_json(f) ? EXIT_FOUND : cmd_fail("cannot write to stdout");
    campaign_put_file(dir, id, "report.txt", &out);
    if (!out.n)
        text_printf(&out, "Finding %lld has no folder: it is muted\n", id);
    text_printf(&out, "Count:         %lld\nKey:           %s\nFolder:        %s/findings/%lld\n\n",
                campaign_number(f, "count"), campaign_text(f, "key"), dir, id);
    campaign_put_file(dir, id, "program.c", &out);
    bool ok = cmd_output(&out);
    text_free(&out);
    json_decref(f);
    return ok ? EXIT_FOUND : cmd_fail("cannot write to stdout");
}

int cmd_show(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    bool json = false;
    uint64_t id = 0;
    struct err e;
    const struct option_row rows[] = {
        {"--json", NULL, OPTION_FLAG, &json, "print JSON, for scripts"},
    };
    struct usage u = {.synopsis = "cupel show [DIR] N [options]",
                      .description = "One finding: what, where, the evidence, and the program.\n",
                      .rows = rows,
                      .count = LENGTH(rows),
                      .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    const char *dir = words.n == 2 ? words.at[0] : CAMPAIGN_DEFAULT;
    if (parsed == PARSED && (words.n == 0 || words.n > 2))
        cmd_fail("which finding? cupel show DIR N");
    else if (parsed == PARSED && !str_parse_uint(words.at[words.n - 1], INT64_MAX, &id, &e))
        cmd_fail("%s", e.msg);
    else if (parsed == PARSED) {
        json_t *f = hunt_finding(dir, id, &e);
        status = f ? print(f, dir, json) : cmd_fail("%s", e.msg);
    }
    arena_free(&a);
    return status;
}
