/* Sanitizers as compilers under test: what they report, and who else should.  Takes outcomes,
 * yields what a report says; evidence of its own, by the other sanitizers of this machine. */
#include "judge/private.h"

#include <ctype.h>
#include <string.h>

static const struct {
    const char *flag, *words;
} rows[] = {
#define SANITIZER(id, flag, words) {flag, words},
#include "judge/sanitizer.def"
};

bool judge_is_about_sanitizer(enum verdict v)
{
    return v == VERDICT_SANITIZER_REPORT || v == VERDICT_SANITIZER_SILENT;
}

const char *judge_sanitizer_of(const struct cc_config *config)
{
    for (size_t i = 0; config->argv[0] && i < LENGTH(rows); i++)
        for (size_t k = 1; config->argv[k]; k++)
            if (strcmp(config->argv[k], rows[i].flag) == 0)
                return rows[i].flag;
    return NULL;
}

/* From the report's own words on. */
static const char *find_report(const char *said)
{
    for (size_t i = 0; said && i < LENGTH(rows); i++) {
        const char *at = strstr(said, rows[i].words);
        if (at)
            return at + (*at == ':' ? 2 : strcspn(at, " ") + 1);
    }
    return NULL;
}

bool judge_is_reported(const struct outcome_run *run)
{
    return find_report(run->err) != NULL;
}

/* "runtime error: signed integer overflow: 3 + 5 cannot ..." without values, names and addresses.
 */
const char *signature_REPORT(struct arena *a, const struct outcome *o)
{
    enum { MOST = 80 };
    const char *at = o->run_count ? find_report(o->runs[0].err) : NULL;
    struct text out = {0};
    for (const char *p = at ? at : ""; *p && *p != '\n' && out.n < MOST;) {
        size_t digits = isdigit((unsigned char)*p) ? strspn(p, "0123456789abcdefx.") : 0;
        if (digits && !(out.n && isalpha((unsigned char)out.s[out.n - 1])))
            text_putc(&out, '#');
        else
            text_add(&out, p, digits ? digits : 1);
        p += digits ? digits : 1;
    }
    char *copy = arena_string(a, text_str(&out));
    text_free(&out);
    return copy;
}

/* ---- evidence ---------------------------------------------------------------------------- */

/* What another compiler with the same sanitizer says; *known is false when it cannot be had. */
static bool ask_other(struct cc_lab *lab, const struct judge_claim *c, const struct cc_config *base,
                      struct arena *a, bool *known, bool *reported, struct err *e)
{
    char *words[] = {(char *)judge_sanitizer_of(c->config), "-w", NULL};
    struct cc_config config = cc_config_with(a, base, words);
    struct cc_case program = *c->program;
    struct outcome o;
    program.plain = true;
    config.sanitized = true;
    if (!cc_try(lab, &config, &program, a, &o, e))
        return false;
    *known = o.kind == OUTCOME_BUILT && o.run_count == 1 &&
             (o.runs[0].end == SYS_EXITED || o.runs[0].end == SYS_SIGNALLED);
    *reported = *known && judge_is_reported(&o.runs[0]);
    return true;
}

bool sanitizer_ask_others(struct cc_lab *lab, const struct judge_claim *c,
                          const struct judge_tools *tools, struct arena *a,
                          struct sanitizer_votes *out, struct err *e)
{
    *out = (struct sanitizer_votes){0};
    for (size_t i = 0; i < tools->voter_count; i++) {
        bool known, reported;
        if (!ask_other(lab, c, &tools->voters[i], a, &known, &reported, e))
            return false;
        out->reports += known && reported;
        out->silent += known && !reported;
    }
    return true;
}
