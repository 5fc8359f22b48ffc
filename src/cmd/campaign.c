/* Reading campaigns for people and for scripts. */
#include "cmd/campaign.h"

#include "cmd/cmd.h"
#include "hunt/hunt.h"
#include "report/report.h"
#include "sys/sys.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

bool campaign_print_json(json_t *j)
{
    struct text out = {0};
    record_set_version(j);
    char *text = json_dumps(j, JSON_INDENT(2));
    text_puts(&out, text ? text : "null");
    text_putc(&out, '\n');
    bool ok = cmd_output(&out);
    text_free(&out);
    free(text);
    json_decref(j);
    return ok;
}

void campaign_widen(struct campaign_columns *c, const struct finding_claim *claim)
{
    enum { MOST = 44 }; /* a configuration that is longer shifts its own row only */
    int verdict = (int)strlen(verdict_info(claim->verdict)->name);
    int config = (int)strlen(claim->config);
    c->verdict = verdict > c->verdict ? verdict : c->verdict;
    c->config = config > c->config && config <= MOST ? config : c->config;
}

bool campaign_open_files(struct arena *a, const char *dir, const struct finding *f,
                         struct campaign_files *out, struct err *e)
{
    *out = (struct campaign_files){.scratch.lock_fd = -1};
    if (!hunt_is_shared(dir)) {
        out->path = arena_printf(a, "%s/findings/%llu", dir, (unsigned long long)f->id);
        return true;
    }
    if (!sys_scratch_open(&out->scratch, e))
        return false;
    out->path = arena_printf(a, "%s/%llu", out->scratch.path, (unsigned long long)f->id);
    if (report_write_folder(out->path, f, e))
        return true;
    campaign_close_files(out);
    return false;
}

void campaign_close_files(struct campaign_files *files)
{
    if (files->scratch.lock_fd >= 0)
        sys_scratch_close(&files->scratch);
}

const char *campaign_triage(struct arena *a, const char *dir, const struct finding *f)
{
    struct text text = {0};
    if (hunt_is_shared(dir))
        return f->triage ? f->triage : "";
    sys_read_file(arena_printf(a, "%s/findings/%llu/" TRIAGE_FILE, dir, (unsigned long long)f->id),
                  SYS_READ_ALL, &text, NULL);
    const char *copy = arena_copy(a, text_str(&text), text.n);
    text_free(&text);
    return copy;
}
