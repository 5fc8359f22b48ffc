/* cupel export: the findings of a campaign as one archive, for somebody else's machine. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"
#include "report/report.h"
#include "sys/sys.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The list as cupel list --json has it, beside the folders. */
static bool write_list(struct arena *a, const char *dir, const struct hunt_findings *all,
                       struct err *e)
{
    json_t *list = json_array();
    for (size_t i = 0; i < all->n; i++)
        json_array_append_new(list, finding_to_json(&all->at[i], FINDING_BRIEF));
    char *text = json_dumps(list, JSON_INDENT(2));
    const char *path = arena_printf(a, "%s/findings/findings.json", dir);
    bool ok = text && sys_write_file(path, text, strlen(text), e);
    free(text);
    json_decref(list);
    return ok;
}

/* Written beside its place first: a file of that name is a whole archive.  But stdout, and what is
 * there and is no plain file, a device or a link, is written to and never replaced. */
static bool pack(struct arena *a, const char *dir, const char *to, struct err *e)
{
    bool stays = strcmp(to, "-") == 0 || sys_is_special(to);
    char *part = arena_printf(a, "%s%s", to, stays ? "" : ".part");
    if (!stays && !sys_write_file(part, "", 0, e)) /* tar's own words are many */
        return false;
    char *argv[] = {"tar", "-czf", part, "-C", (char *)dir, "findings", NULL};
    int status;
    if (!sys_call(argv, &status, NULL))
        return fail(e, "cannot start tar: install it");
    if (status != 0)
        return fail(e, "tar could not write %s", part);
    return stays || rename(part, to) == 0 || fail(e, "cannot write %s", to);
}

/* What a database has as rows, as the folders that a campaign's folder would have. */
static bool lay_out(struct arena *a, const char *dir, const struct hunt_findings *all,
                    struct err *e)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct finding *f = &all->at[i];
        const char *path = arena_printf(a, "%s/findings/%llu", dir, (unsigned long long)f->id);
        if (f->claim.verdict != VERDICT_NONE && !report_write_folder(path, f, e))
            return false;
    }
    return true;
}

static bool export(struct arena *a, const char *dir, const char *to, size_t *n, struct err *e)
{
    struct hunt_findings all;
    struct scratch scratch = {.lock_fd = -1};
    if (!hunt_list(a, dir, HUNT_ALL | HUNT_WHOLE, &all, e))
        return false;
    *n = all.n;
    if (!all.n)
        return fail(e, "%s has no findings: nothing to export", hunt_public_name(a, dir));
    if (!hunt_is_shared(dir))
        return write_list(a, dir, &all, e) && pack(a, dir, to, e);
    if (!sys_scratch_open(&scratch, e))
        return false;
    bool ok = lay_out(a, scratch.path, &all, e) && write_list(a, scratch.path, &all, e) &&
              pack(a, scratch.path, to, e);
    sys_scratch_close(&scratch);
    return ok;
}

int cmd_export(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    const char *to = "cupel-findings.tar.gz";
    size_t n;
    struct err e;
    const struct option_row rows[] = {
        {"-o", "FILE", OPTION_STRING, &to, "write here (default: cupel-findings.tar.gz)"},
    };
    struct usage u = {
        .synopsis = "cupel export [DIR] [options]",
        .description =
            "Packs the findings of the campaign in DIR (default ./cupel-hunt): for each a\n"
            "folder with the program, the reduced one, what it must print, finding.json\n"
            "and reproduce.sh; and findings.json, the list of all.\n\n"
            "  cupel export DIR -o bugs.tar.gz\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
        .most_words = 1};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (parsed == PARSED && !export(&a, words.n ? words.at[0] : CAMPAIGN_DEFAULT, to, &n, &e)) {
        cmd_fail("%s", e.msg);
    } else if (parsed == PARSED) {
        log_note("%zu finding%s in %s", n, n == 1 ? "" : "s", to);
        status = EXIT_NOTHING_FOUND;
    }
    arena_free(&a);
    return status;
}
