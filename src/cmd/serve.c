/* cupel serve: a campaign in a browser. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"
#include "sys/sys.h"
#include "web/web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say_ready(void *context, const char *url)
{
    (void)context;
    printf("%s\n", url);
    fflush(stdout);
}

/* ADDRESS:PORT, [ADDRESS]:PORT or PORT. */
static bool take_listen(struct arena *a, const char *text, struct web_options *o, struct err *e)
{
    const char *colon = strrchr(text, ':');
    uint64_t port;
    if (!str_parse_uint(colon ? colon + 1 : text, UINT16_MAX, &port, e))
        return false;
    o->port = (uint16_t)port;
    if (colon) {
        size_t skip = *text == '[', n = (size_t)(colon - text);
        o->address = arena_copy(a, text + skip, n - 2 * skip);
    }
    return true;
}

/* Not on the command line, where everybody on the machine sees it. */
static bool take_token(struct arena *a, const char *file, struct web_options *o, struct err *e)
{
    enum { FEWEST = 8 };
    struct text text = {0};
    const char *token = getenv("CUPEL_TOKEN");
    if (file && !sys_read_file(file, 1 << 12, &text, e))
        return false;
    if (file)
        token = str_first_line(a, text_str(&text));
    text_free(&text);
    o->token = token && *token ? token : NULL;
    if (o->token && strlen(o->token) < FEWEST)
        return fail(e, "a token has %d characters or more", FEWEST);
    return o->token || web_is_loopback(o->address) ||
           fail(e, "others can reach %s: give a token with --token-file or $CUPEL_TOKEN",
                o->address);
}

/* Is there something to show? */
static bool look(struct arena *a, const char *campaign, struct err *e)
{
    struct hunt_findings all;
    return hunt_list(a, campaign, HUNT_BUGS | HUNT_LINES, &all, e);
}

int cmd_serve(int argc, char **argv)
{
    struct arena a = {0};
    struct list words = {0};
    const char *listen = NULL, *file = NULL;
    struct web_options o = {
        .campaign = CAMPAIGN_DEFAULT, .address = "127.0.0.1", .port = 8080, .ready = say_ready};
    struct err e;
    const struct option_row rows[] = {
        {"--listen", "ADDRESS:PORT", OPTION_STRING, &listen, "where (127.0.0.1:8080)"},
        {"--token-file", "FILE", OPTION_STRING, &file,
         "its first line is the password that a browser asks for"},
        {"--name", "HOST", OPTION_STRINGS, &o.names, "a name under which we are asked; repeatable"},
    };
    struct usage u = {
        .synopsis = "cupel serve [DIR | URL] [options]",
        .description =
            "Shows a campaign in a browser: overview, bugs, their programs and evidence, live.\n"
            "Only this machine can reach it unless --listen says otherwise; then a token is\n"
            "needed.  Prints the address.  Nothing can be changed there.\n\n"
            "  cupel serve DIR\n"
            "  CUPEL_TOKEN=... cupel serve postgresql://db/campaign --listen 0.0.0.0:8080 --name "
            "box\n"
            "  curl http://127.0.0.1:8080/api/list     as cupel list --json\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    if (words.n)
        o.campaign = words.at[0];
    if (parsed == PARSED) {
        bool ok = (words.n < 2 || fail(&e, "one campaign is enough")) &&
                  (!listen || take_listen(&a, listen, &o, &e)) && take_token(&a, file, &o, &e) &&
                  look(&a, o.campaign, &e) && web_serve(&o, &e);
        status = ok ? EXIT_NOTHING_FOUND : cmd_fail("%s", e.msg);
    }
    arena_free(&a);
    return status;
}
