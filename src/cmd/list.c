/* cupel list: the findings of a campaign. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"

#include <jansson.h>
#include <stdlib.h>

static bool print_json(const struct hunt_findings *all)
{
    json_t *list = json_array();
    for (size_t i = 0; i < all->n; i++)
        json_array_append_new(list, finding_to_json(&all->at[i], FINDING_BRIEF));
    return campaign_print_json(list);
}

static void put_finding(const struct finding *f, const struct campaign_columns *w, struct text *out)
{
    const struct finding_claim *c = &f->claim;
    text_printf(out, "%4llu  %-*s  %-9s  %5llu  ", (unsigned long long)f->id, w->verdict,
                verdict_info(c->verdict)->name, grade_name(f->evidence.grade),
                (unsigned long long)f->count);
    if (f->reduced.lines)
        text_printf(out, "%5llu", (unsigned long long)f->reduced.lines);
    else
        text_printf(out, "%5s", "-");
    text_printf(out, "  %-*s  ", w->config, c->config);
    finding_put_what(f, out);
    if (f->same_as)
        text_printf(out, " (the same bug as %llu)", (unsigned long long)f->same_as);
    text_putc(out, '\n');
}

/* What is silently wrong comes first: it is what people look for, and a long hunt finds many
 * crashes. */
static int by_worth(const void *x, const void *y)
{
    const struct finding *a = x, *b = y;
    unsigned p = verdict_info(a->claim.verdict)->worth, q = verdict_info(b->claim.verdict)->worth;
    if (p != q)
        return p > q ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static bool print_table(const struct hunt_findings *all, const char *dir)
{
    struct text out = {0};
    if (all->n)
        qsort(all->at, all->n, sizeof *all->at, by_worth);
    struct campaign_columns w = CAMPAIGN_COLUMNS;
    for (size_t i = 0; i < all->n; i++)
        campaign_widen(&w, &all->at[i].claim);
    if (all->n)
        text_printf(&out, "  id  %-*s  grade      count  lines  %-*s  what\n", w.verdict, "verdict",
                    w.config, "configuration");
    for (size_t i = 0; i < all->n; i++)
        put_finding(&all->at[i], &w, &out);
    text_printf(&out, "%zu finding%s in %s%s\n", all->n, all->n == 1 ? "" : "s", dir,
                all->n ? ": cupel show DIR N tells more" : "");
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok;
}

static int print(const struct hunt_findings *all, const char *dir, bool json)
{
    if (all->note)
        log_note("%s", all->note);
    if (!(json ? print_json(all) : print_table(all, dir)))
        return cmd_fail("cannot write to stdout");
    return all->n ? EXIT_FOUND : EXIT_NOTHING_FOUND;
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
    struct usage u = {
        .synopsis = "cupel list [DIR] [options]",
        .description = "The distinct findings of a campaign (default ./cupel-hunt), wrong code\n"
                       "before what everybody sees who meets it.\n"
                       "Exit status: 0 none, 1 some, 2 it cannot be read.\n",
        .rows = rows,
        .count = LENGTH(rows),
        .arena = &a,
        .most_words = 1};
    enum parsed parsed = cmd_parse(&u, argc, argv, &words);
    int status = parsed == PARSED_HELP ? EXIT_NOTHING_FOUND : EXIT_CANNOT;
    const char *dir = words.n ? words.at[0] : CAMPAIGN_DEFAULT;
    if (parsed == PARSED) {
        struct hunt_findings found;
        enum hunt_scope scope = (all ? HUNT_ALL : HUNT_BUGS) | (json ? 0 : HUNT_LINES);
        status = hunt_list(&a, dir, scope, &found, &e)
                     ? print(&found, hunt_public_name(&a, dir), json)
                     : cmd_fail("%s", e.msg);
    }
    arena_free(&a);
    return status;
}
