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

static json_t *result_to_json(const struct recheck_result *r)
{
    const struct finding_claim *c = &r->finding->claim;
    return json_pack("{s:I, s:s, s:s, s:o, s:s, s:o}", "id", (json_int_t)r->finding->id, "verdict",
                     verdict_info(c->verdict)->name, "config", c->config, "signature",
                     record_bytes(c->signature, strlen(c->signature)), "state",
                     recheck_state_name(r->state), "note", record_bytes(r->note, strlen(r->note)));
}

static bool print_json(const struct recheck_result *results, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, result_to_json(&results[i]));
    return campaign_print_json(list);
}

static bool print_table(const struct recheck_result *results, size_t n, size_t gone)
{
    struct text out = {0};
    struct campaign_columns w = CAMPAIGN_COLUMNS;
    for (size_t i = 0; i < n; i++)
        campaign_widen(&w, &results[i].finding->claim);
    for (size_t i = 0; i < n; i++) {
        const struct recheck_result *r = &results[i];
        const struct finding_claim *c = &r->finding->claim;
        text_printf(&out, "%4llu  %-8s  %-*s  %-*s  %s\n", (unsigned long long)r->finding->id,
                    recheck_state_name(r->state), w.verdict, verdict_info(c->verdict)->name,
                    w.config, c->config, *r->note ? r->note : c->signature);
    }
    text_printf(&out, "%zu of %zu findings are gone\n", gone, n);
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok;
}

static int print(const struct recheck_result *results, size_t n, bool json)
{
    size_t gone = 0, tried = 0;
    for (size_t i = 0; i < n; i++) {
        gone += results[i].state == RECHECK_GONE;
        tried += results[i].state != RECHECK_UNCLEAR;
    }
    if (!(json ? print_json(results, n) : print_table(results, n, gone)))
        return cmd_fail("cannot write to stdout");
    if (!n)
        return cmd_fail("nothing was tried: the campaign has no such finding");
    if (!tried)
        return cmd_fail("nothing could be tried%s%s", *results[0].note ? ": " : "",
                        results[0].note);
    return gone < n ? EXIT_FOUND : EXIT_NOTHING_FOUND;
}

static int recheck(struct arena *a, const struct hunt_recheck *r, bool json, bool quiet)
{
    struct progress progress;
    struct hunt_recheck with_progress = *r;
    struct recheck_result *results;
    size_t n;
    struct err e;
    progress_start(&progress, quiet);
    with_progress.progress = show_progress;
    with_progress.context = &progress;
    bool ok = hunt_recheck(a, &with_progress, &results, &n, &e);
    progress_end(&progress);
    return ok ? print(results, n, json) : sys_cancelled() ? EXIT_CANNOT : cmd_fail("%s", e.msg);
}

int cmd_recheck(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    struct hunt_command command = {0};
    bool json = false, quiet = false, trust = false;
    uint64_t jobs = sys_cpu_count();
    const struct option_row rows[] = {
        {"--cc", "COMMAND", OPTION_STRING, &command.text,
         "try this compiler, with each finding's flags, on what its family is accused of"},
        {"--run", "COMMAND", OPTION_STRING, &command.emulator, "put this before its programs"},
        {"--jobs", "N", OPTION_COUNT, &jobs, "how many at a time (default: all cores)"},
        {"--trust-compilers", NULL, OPTION_FLAG, &trust, CMD_TRUST_HELP},
        {"--json", NULL, OPTION_FLAG, &json, "print JSON, for scripts"},
        {"--quiet", NULL, OPTION_FLAG, &quiet, "no progress"},
    };
    struct usage u = {
        .synopsis = "cupel recheck [DIR] [options]",
        .description =
            "Tries every finding again: holds, gone, partly (of the program and the reduced\n"
            "one, one is right now), changed (it fails otherwise), or unclear.\n"
            "Exit status: 0 all are gone, 1 some hold, 2 it cannot be done.\n\n"
            "  cupel recheck DIR --cc gcc-13      what does gcc-13 fix?\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
        .most_words = 1};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    struct hunt_recheck r = {.dir = words.n ? words.at[0] : CAMPAIGN_DEFAULT,
                             .command = command.text ? &command : NULL,
                             .jobs = (unsigned)jobs,
                             .trust_compilers = trust};
    if (parsed == PARSED && (jobs == 0 || jobs > 256))
        cmd_fail("--jobs must be from 1 to 256");
    else if (parsed == PARSED)
        status = recheck(&a, &r, json, quiet);
    arena_free(&a);
    return status;
}
