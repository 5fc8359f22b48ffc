/* cupel recheck: which findings still hold, and which does a newer compiler fix? */
#include "cmd/cmd.h"
#include "cmd/view/view.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"
#include "sys/sys.h"

#include <jansson.h>
#include <string.h>

static void show_progress(void *context, size_t done, size_t total)
{
    progress_show(context, "rechecked %zu of %zu", done, total);
}

static int print(json_t *list, bool json)
{
    struct text out = {0};
    json_t *f;
    size_t i, holds = 0, n = json_array_size(list);
    json_array_foreach(list, i, f)
    {
        holds += strcmp(campaign_text(f, "state"), "gone") != 0;
        const char *what = campaign_text(f, "signature"), *note = campaign_text(f, "note");
        text_printf(&out, "%4lld  %-8s  %-14s  %-24s  %s\n", campaign_number(f, "id"),
                    campaign_text(f, "state"), campaign_text(f, "verdict"),
                    campaign_text(f, "config"), *note ? note : what);
    }
    text_printf(&out, "%zu of %zu findings are gone\n", n - holds, n);
    bool ok = json ? campaign_print_json(json_incref(list)) : cmd_output(&out);
    text_free(&out);
    json_decref(list);
    return !ok ? cmd_fail("cannot write to stdout") : holds ? EXIT_FOUND : EXIT_NOTHING_FOUND;
}

static int recheck(const struct hunt_recheck *r, bool json, bool quiet)
{
    struct progress progress;
    struct hunt_recheck with_progress = *r;
    struct err e;
    progress_start(&progress, quiet);
    with_progress.progress = show_progress;
    with_progress.context = &progress;
    json_t *list = hunt_recheck(&with_progress, &e);
    progress_end(&progress);
    return list ? print(list, json) : sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
}

int cmd_recheck(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    struct hunt_command command = {0};
    bool json = false, quiet = false;
    uint64_t jobs = sys_cpu_count();
    const struct option_row rows[] = {
        {"--cc", "COMMAND", OPTION_STRING, &command.text,
         "try this compiler, with each finding's flags, on what its family is accused of"},
        {"--run", "COMMAND", OPTION_STRING, &command.emulator, "put this before its programs"},
        {"--jobs", "N", OPTION_UINT, &jobs, "how many at a time (default: all cores)"},
        {"--json", NULL, OPTION_FLAG, &json, "print JSON, for scripts"},
        {"--quiet", NULL, OPTION_FLAG, &quiet, "no progress"},
    };
    struct usage u = {
        .synopsis = "cupel recheck [DIR] [options]",
        .description =
            "Tries every finding again: holds, gone, changed (it fails otherwise), or\n"
            "unclear.  Exit status: 0 all are gone, 1 some hold, 2 it cannot be done.\n\n"
            "  cupel recheck DIR --cc gcc-13      what does gcc-13 fix?\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    struct hunt_recheck r = {.dir = words.n ? words.at[0] : CAMPAIGN_DEFAULT,
                             .command = command.text ? &command : NULL,
                             .jobs = (unsigned)jobs};
    if (parsed == PARSED && (jobs == 0 || jobs > 256))
        cmd_fail("--jobs must be from 1 to 256");
    else if (parsed == PARSED)
        status = recheck(&r, json, quiet);
    arena_free(&a);
    return status;
}
