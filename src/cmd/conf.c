/* cupel conf: the choices of a campaign, to be read and changed. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"
#include "sys/sys.h"

#include <stdlib.h>
#include <string.h>

static bool print(const char *text)
{
    struct text out = {0};
    text_puts(&out, text);
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok;
}

static bool take_file(const char *dir, const char *path, struct err *e)
{
    enum { MOST = 1 << 20 };
    struct text text = {0};
    bool ok = sys_read_file(strcmp(path, "-") == 0 ? "/dev/stdin" : path, MOST, &text, e) &&
              hunt_set_choices(dir, text_str(&text), e);
    text_free(&text);
    return ok;
}

/* In the user's editor, which may be given options. */
static bool run_editor(struct arena *a, const char *path, struct err *e)
{
    const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
    const char *command = visual && *visual ? visual : editor && *editor ? editor : "vi";
    char *argv[] = {"sh", "-c", arena_printf(a, "%s \"$1\"", command), "sh", (char *)path, NULL};
    int status = 0;
    return sys_call(argv, &status, e) && (status == 0 || fail(e, "%s failed", command));
}

static bool edit(struct arena *a, const char *dir, const char *text, struct err *e)
{
    struct scratch scratch;
    if (!sys_scratch_open(&scratch, e))
        return false;
    const char *path = arena_printf(a, "%s/cupel.conf", scratch.path);
    bool ok = sys_write_file(path, text, strlen(text), e) && run_editor(a, path, e) &&
              take_file(dir, path, e);
    sys_scratch_close(&scratch);
    return ok;
}

int cmd_conf(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    const char *from = NULL, *text;
    bool editing = false;
    struct err e;
    const struct option_row rows[] = {
        {"--edit", NULL, OPTION_FLAG, &editing, "change them in $VISUAL or $EDITOR"},
        {"--from", "FILE", OPTION_STRING, &from, "take them from there (-: standard input)"},
    };
    struct usage u = {
        .synopsis = "cupel conf [DIR | URL] [options]",
        .description =
            "Prints the choices of a campaign: its cupel.conf, which of a database lies in the\n"
            "database.  What is changed is checked first; the seed stays what it is.  Machines\n"
            "that hunt in a database take it over within a heartbeat (lease / 6), those that\n"
            "hunt in a folder when they start again.\n\n"
            "  cupel conf URL --edit\n"
            "  cupel conf URL | sed 's/^width = .*/width = 4/' | cupel conf URL --from -\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    const char *dir = words.n ? words.at[0] : CAMPAIGN_DEFAULT;
    if (parsed == PARSED) {
        bool ok = (words.n < 2 || fail(&e, "one campaign is enough")) &&
                  hunt_choices(&a, dir, &text, &e) &&
                  (from      ? take_file(dir, from, &e)
                   : editing ? edit(&a, dir, text, &e)
                             : print(text) || fail(&e, "cannot write to stdout"));
        status = ok ? EXIT_NOTHING_FOUND : cmd_fail("%s", e.msg);
    }
    arena_free(&a);
    return status;
}
