/* Reading campaigns for people and for scripts. */
#include "cmd/campaign.h"

#include "cmd/cmd.h"
#include "sys/sys.h"

#include <jansson.h>
#include <stdlib.h>

bool campaign_print_json(json_t *j)
{
    struct text out = {0};
    char *text = json_dumps(j, JSON_INDENT(2));
    text_puts(&out, text ? text : "null");
    text_putc(&out, '\n');
    bool ok = cmd_output(&out);
    text_free(&out);
    free(text);
    json_decref(j);
    return ok;
}

void campaign_put_finding(const struct finding *f, struct text *out)
{
    const struct finding_claim *c = &f->claim;
    text_printf(out, "%4llu  %-14s  %-9s  %5llu  ", (unsigned long long)f->id,
                verdict_info(c->verdict)->name, grade_name(f->evidence.grade),
                (unsigned long long)f->count);
    if (f->reduced.lines)
        text_printf(out, "%5llu", (unsigned long long)f->reduced.lines);
    else
        text_printf(out, "%5s", "-");
    text_printf(out, "  %-24s  ", c->config);
    finding_put_what(f, out);
    if (f->same_as)
        text_printf(out, " (the same bug as %llu)", (unsigned long long)f->same_as);
    text_putc(out, '\n');
}

void campaign_put_file(const char *dir, uint64_t id, const char *name, struct text *out)
{
    struct arena a = {0};
    sys_read_file(arena_printf(&a, "%s/findings/%llu/%s", dir, (unsigned long long)id, name),
                  SYS_READ_ALL, out, NULL);
    arena_free(&a);
}
