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

const char *campaign_text(const json_t *j, const char *key)
{
    const char *s = json_string_value(json_object_get(j, key));
    return s ? s : "";
}

long long campaign_number(const json_t *j, const char *key)
{
    return (long long)json_integer_value(json_object_get(j, key));
}

void campaign_put_finding(const json_t *f, struct text *out)
{
    const char *signature = campaign_text(f, "signature"), *levels = campaign_text(f, "levels");
    text_printf(out, "%4lld  %-14s  %-9s  %5lld  %-24s  %s\n", campaign_number(f, "id"),
                campaign_text(f, "verdict"), campaign_text(f, "grade"), campaign_number(f, "count"),
                campaign_text(f, "config"), *signature ? signature : levels);
}

void campaign_put_file(const char *dir, long long id, const char *name, struct text *out)
{
    struct arena a = {0};
    sys_read_file(arena_printf(&a, "%s/findings/%lld/%s", dir, id, name), SYS_READ_ALL, out, NULL);
    arena_free(&a);
}
