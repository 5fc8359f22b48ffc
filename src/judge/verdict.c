/* The table of verdicts, and one outcome to a verdict by what is known of the program.  Runs
 * nothing. */
#include "judge/private.h"

#include <ctype.h>
#include <string.h>

/* ---- signatures ---------------------------------------------------------------------- */

static const char *signature_NOTHING(struct arena *a, const struct outcome *o)
{
    (void)a;
    (void)o;
    return "";
}

static const char *signature_CRASH(struct arena *a, const struct outcome *o)
{
    (void)a;
    return o->signature;
}

static bool is_wide(char c)
{
    return (unsigned char)c >= 0x80;
}

/* Past a quotation mark, which may be of several bytes. */
static const char *after_quote(const char *p)
{
    while (is_wide(p[0]) && is_wide(p[1]))
        p++;
    return p + 1;
}

/* What the compiler complains of, behind the place in the program: gcc's way to say it, or pcc's.
 */
static const char *complaint(const char *message)
{
    static const char error[] = "error: ", line[] = ", line ";
    const char *at = strstr(message, error);
    if (at)
        return at + sizeof error - 1;
    at = strstr(message, line);
    size_t digits = at ? strspn(at + sizeof line - 1, "0123456789") : 0;
    const char *end = digits ? at + sizeof line - 1 + digits : NULL;
    return end && str_has_prefix(end, ": ") ? end + 2 : message;
}

/* "t.c:3:4: error: 'g_5' undeclared" to "'#' undeclared": names and numbers are the program's, and
 * so is the place from which a linker finds a function missing. */
static const char *signature_MESSAGE(struct arena *a, const struct outcome *o)
{
    enum { MOST = 120 };
    const char *missing = strstr(o->message, "undefined reference to ");
    if (missing)
        return arena_string(a, missing);
    struct text out = {0};
    bool quoted = false;
    for (const char *p = complaint(o->message); *p;) {
        if (*p == '\'' || *p == '"' || *p == '`' || is_wide(*p)) {
            quoted = !quoted;
            if (quoted)
                text_puts(&out, "'#'");
            p = after_quote(p);
        } else if (!quoted && isdigit((unsigned char)*p)) {
            text_putc(&out, '#');
            p += strspn(p, "0123456789");
        } else {
            if (!quoted)
                text_putc(&out, *p);
            p++;
        }
    }
    char *copy = arena_copy(a, text_str(&out), out.n < MOST ? out.n : MOST);
    text_free(&out);
    return copy;
}

/* ---- verdicts ------------------------------------------------------------------------ */

static const struct outcome_run *only_run(const struct outcome *o)
{
    return o->kind == OUTCOME_BUILT && o->run_count == 1 ? &o->runs[0] : NULL;
}

/* As a shell tells it: the machine says of a program that calls abort that its status is 134. */
static bool ends_with(const struct outcome_run *run, int status)
{
    enum { SIGNALS = 128 };
    return (run->end == SYS_EXITED && run->code == status) ||
           (run->end == SYS_SIGNALLED && SIGNALS + run->code == status);
}

bool judge_as_expected(const struct outcome *o, const struct judge_expectation *x)
{
    const struct outcome_run *run = only_run(o);
    if (x->undefined)
        return run && judge_is_reported(run);
    return run && x->runs && ends_with(run, x->status) && run->out_size == x->out_size &&
           memcmp(run->out, x->out, x->out_size) == 0;
}

static enum verdict verdict_of_run(const struct outcome *o, const struct judge_expectation *x)
{
    const struct outcome_run *run = only_run(o);
    if (run && x->undefined) /* killed by the kernel, it was stopped at least */
        return run->end == SYS_EXITED && !judge_is_reported(run) ? VERDICT_SANITIZER_SILENT
                                                                 : VERDICT_NONE;
    if (run && x->runs && judge_is_reported(run))
        return VERDICT_SANITIZER_REPORT;
    if (!run || !x->runs || judge_as_expected(o, x) || judge_begins_as(run, x->out, x->out_size))
        return VERDICT_NONE;
    switch (run->end) {
    case SYS_SIGNALLED:
        return VERDICT_PROGRAM_CRASH;
    case SYS_TIMEOUT:
        return VERDICT_PROGRAM_HANG;
    case SYS_EXITED:
    case SYS_OUTPUT_LONG:
    case SYS_MEMORY:
    case SYS_CROWD:
        return VERDICT_WRONG_CODE;
    case SYS_FULL: /* of compilers only */
    case SYS_NOT_STARTED:
    case SYS_NOT_LOADED:
    case SYS_CANCELLED:
        return VERDICT_NONE;
    }
    BUG("end %d", (int)run->end);
}

enum verdict judge_verdict(const struct outcome *o, const struct judge_expectation *x)
{
    switch (outcome_info(o->kind)->weight) {
    case WEIGHT_FINE:
        return verdict_of_run(o, x);
    case WEIGHT_REFUSED:
        return x->valid ? VERDICT_REJECTS_VALID : VERDICT_NONE;
    case WEIGHT_FAULT:
        return o->kind == OUTCOME_HANG            ? VERDICT_COMPILER_HANG
               : o->kind == OUTCOME_OUT_OF_MEMORY ? VERDICT_LARGE_COMPILE
                                                  : VERDICT_COMPILER_CRASH;
    case WEIGHT_NONE:
        return VERDICT_NONE;
    }
    BUG("weight of %d", (int)o->kind);
}

/* ---- what shows a claim -------------------------------------------------------------- */

/* What a wrong program does may differ from one build to the next. */
static bool shown_RUN(const struct judge_claim *c, const struct outcome *o)
{
    enum verdict v = judge_verdict(o, c->expect);
    return v != VERDICT_NONE && verdict_info(v)->subject == SUBJECT_RUN;
}

static bool shown_VERDICT(const struct judge_claim *c, const struct outcome *o)
{
    return judge_verdict(o, c->expect) == c->verdict;
}

/* Only a sanitizer can be too silent. */
static bool shown_SILENT(const struct judge_claim *c, const struct outcome *o)
{
    return judge_sanitizer_of(c->config) && shown_VERDICT(c, o);
}

static bool shown_SIGNATURE(const struct judge_claim *c, const struct outcome *o)
{
    return shown_VERDICT(c, o) && strcmp(o->signature, c->signature) == 0;
}

static bool shown_TIME(const struct judge_claim *c, const struct outcome *o)
{
    return o->kind == OUTCOME_HANG || o->compile_cpu > c->limit;
}

static bool shown_MEMORY(const struct judge_claim *c, const struct outcome *o)
{
    return o->kind == OUTCOME_OUT_OF_MEMORY || (double)o->compile_memory > c->limit;
}

/* One outcome cannot tell. */
static bool shown_NEVER(const struct judge_claim *c, const struct outcome *o)
{
    (void)c;
    (void)o;
    return false;
}

bool judge_bears_out(const struct judge_claim *c, const struct outcome *o)
{
    return verdict_info(c->verdict)->shown(c, o);
}

/* ---- the table ----------------------------------------------------------------------- */

static const struct verdict_info infos[VERDICT_COUNT] = {
    [VERDICT_NONE] = {"none", "nothing to report", SUBJECT_CODE, COST_CHEAP, 0, signature_NOTHING,
                      shown_NEVER, again_ONCE},
#define VERDICT(id, name, subject, signature, shown, again, cost, script, worth, phrase) \
    [VERDICT_##id] = {name,          phrase,       SUBJECT_##subject,                    \
                      COST_##cost,   worth,        signature_##signature,                \
                      shown_##shown, again_##again},
#include "judge/verdict.def"
};

const struct verdict_info *verdict_info(enum verdict v)
{
    return &infos[v];
}

bool verdict_is_an_end(enum verdict v)
{
    return infos[v].shown == shown_RUN || infos[v].shown == shown_SIGNATURE;
}

enum verdict verdict_named(const char *name)
{
    for (size_t i = 1; i < VERDICT_COUNT; i++)
        if (strcmp(infos[i].name, name) == 0)
            return (enum verdict)i;
    return VERDICT_NONE;
}
