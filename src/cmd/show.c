/* cupel show: one finding. */
#include "cmd/cmd.h"

#include "cmd/campaign.h"
#include "hunt/hunt.h"
#include "report/report.h"

/* The reduced program, whole; of one that is not reduced its beginning. */
static void put_program(const struct finding *f, struct text *out)
{
    enum { MOST = 2000 };
    const struct bytes *p = f->reduced.program.n ? &f->reduced.program : &f->subject.program;
    size_t n = f->reduced.program.n || p->n < MOST ? p->n : MOST;
    text_add(out, p->s, n);
    if (n && p->s[n - 1] != '\n')
        text_putc(out, '\n');
    if (n < p->n)
        text_printf(out, "... %zu more bytes: it has not been reduced yet\n", p->n - n);
    text_putc(out, '\n');
}

static bool print_text(const struct finding *f, const char *dir)
{
    struct text out = {0};
    unsigned long long id = f->id;
    put_program(f, &out);
    if (f->claim.verdict == VERDICT_NONE)
        text_printf(&out, "Finding %llu has no folder: it is muted\n", id);
    else
        report_text(f, &out);
    text_printf(&out, "Count:         %llu\nKey:           %s\n", (unsigned long long)f->count,
                f->claim.key);
    if (hunt_is_shared(dir))
        text_puts(&out, "Files:         cupel export lays them out\n");
    else
        text_printf(&out, "Folder:        %s/findings/%llu\n", dir, id);
    if (*f->bug)
        text_printf(&out, "Bug:           %s\n", f->bug);
    if (f->same_as)
        text_printf(&out, "The same bug as %llu: cupel split takes them apart\n",
                    (unsigned long long)f->same_as);
    if (f->merged)
        text_printf(&out, "Stands for %llu more: cupel list --all\n",
                    (unsigned long long)f->merged);
    bool ok = cmd_output(&out);
    text_free(&out);
    return ok;
}

static int print(const struct finding *f, const char *dir, bool json)
{
    bool ok = json ? campaign_print_json(finding_to_json(f, FINDING_FULL)) : print_text(f, dir);
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
        struct finding f;
        status = hunt_finding(&a, dir, id, &f, &e) ? print(&f, dir, json) : cmd_fail("%s", e.msg);
    }
    arena_free(&a);
    return status;
}
