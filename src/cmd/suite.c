/* Suites: both sides of the conversation between the process that lists the files and the one that
 * works on them.  A request is {"file", "output"}; an answer {"report", "told"}, or {"refusal",
 * "why"}. */
#include "cmd/suite.h"

#include "cmd/view/view.h"
#include "sys/sys.h"

#include <stdlib.h>
#include <string.h>

static bool send(const struct sys_peer *p, json_t *message)
{
    char *line = json_dumps(message, JSON_COMPACT);
    bool ok = line && sys_peer_send(p, line, strlen(line));
    free(line);
    json_decref(message);
    return ok;
}

/* NULL when the other side is gone, or we are to stop. */
static json_t *receive(struct sys_peer *p)
{
    struct text text = {0};
    json_t *j = sys_peer_receive(p, &text) ? json_loadb(text_str(&text), text.n, 0, NULL) : NULL;
    text_free(&text);
    return j;
}

/* ---- the process that works ------------------------------------------------------------- */

/* What compilers and programs say may be anything: JSON wants UTF-8. */
static json_t *plain_string(const char *s)
{
    struct text t = {0};
    for (; *s; s++)
        text_putc(&t, (unsigned char)*s < 0x80 ? *s : '?');
    json_t *j = json_string(text_str(&t));
    text_free(&t);
    return j;
}

static json_t *answer(suite_vary_fn *vary, void *context, const json_t *request)
{
    struct err e = {""};
    struct text told = {0};
    json_t *report = NULL, *message = json_object();
    enum emi_refusal why = EMI_NO_REFUSAL;
    bool ok = vary(context, json_string_value(json_object_get(request, "file")),
                   json_string_value(json_object_get(request, "output")), &report, &told, &why, &e);
    if (ok) {
        json_object_set_new(message, "report", report);
        json_object_set_new(message, "told", plain_string(text_str(&told)));
    } else {
        json_decref(report);
        json_object_set_new(message, "refusal", json_string(emi_refusal_phrase(why)));
        json_object_set_new(message, "why", plain_string(e.msg));
    }
    text_free(&told);
    return message;
}

bool suite_serve(suite_vary_fn *vary, void *context, struct err *e)
{
    struct sys_peer boss;
    if (!sys_peer_join(&boss, e))
        return false;
    for (json_t *request; (request = receive(&boss)); json_decref(request))
        if (!send(&boss, answer(vary, context, request)))
            break;
    sys_peer_stop(&boss);
    return true;
}

/* ---- the process that lists ------------------------------------------------------------- */

/* One file.  NULL when the other process did not live through it; then there is a new one for the
 * next. */
static json_t *ask(struct sys_peer *peer, const struct suite *s, const char *file,
                   const char *output, bool *alive, struct err *e)
{
    if (!*alive && !(*alive = sys_peer_start(peer, s->worker, e)))
        return NULL;
    json_t *request = json_pack("{s:s, s:s}", "file", file, "output", output);
    json_t *got = send(peer, request) ? receive(peer) : NULL;
    if (!got) {
        sys_peer_stop(peer);
        *alive = false;
    }
    return got;
}

static void pass_over(struct suite_report *out, const char *file, enum emi_refusal why,
                      const char *words)
{
    if (why >= EMI_REFUSAL_COUNT)
        why = EMI_FATAL;
    log_debug("%s: passed over: %s", file, words);
    out->passed[why]++;
}

static void take(struct suite_report *out, const char *file, const json_t *got)
{
    json_t *report = json_object_get(got, "report");
    const char *refusal = json_string_value(json_object_get(got, "refusal"));
    if (!report) {
        const char *why = json_string_value(json_object_get(got, "why"));
        pass_over(out, file, refusal ? emi_refusal_named(refusal) : EMI_FATAL, why ? why : "");
        return;
    }
    out->varied++;
    json_array_append(out->files, report);
    if (out->sum)
        variants_merge(out->sum, report);
    else
        out->sum = json_deep_copy(report);
    if (json_array_size(json_object_get(report, "findings")))
        text_puts(&out->told, json_string_value(json_object_get(got, "told")));
}

static size_t passed_over(const struct suite_report *r)
{
    size_t n = 0;
    for (size_t i = 0; i < EMI_REFUSAL_COUNT; i++)
        n += r->passed[i];
    return n;
}

static size_t findings_of(const struct suite_report *r)
{
    return json_array_size(json_object_get(r->sum, "findings"));
}

bool suite_run(struct arena *a, const struct suite *s, struct suite_report *out, struct err *e)
{
    struct list names = {0};
    struct sys_peer peer = {0};
    bool alive = false;
    *out = (struct suite_report){.files = json_array()};
    if (!sys_list_folder(a, s->dir, &names, e))
        return false;
    e->msg[0] = 0;
    for (size_t i = 0; i < names.n && !sys_cancelled(); i++) {
        const char *name = names.at[i];
        if (!str_has_suffix(name, ".c"))
            continue;
        char *file = arena_printf(a, "%s/%s", s->dir, name);
        char *output = arena_printf(a, "%s/%.*s", s->output, (int)strlen(name) - 2, name);
        progress_show(s->progress, "%zu of %zu: %s: %zu findings", i, names.n, name,
                      findings_of(out));
        json_t *got = ask(&peer, s, file, output, &alive, e);
        if (got)
            take(out, file, got);
        else if (!sys_cancelled())
            pass_over(out, file, EMI_FATAL, e->msg);
        json_decref(got);
    }
    if (alive)
        sys_peer_stop(&peer);
    if (sys_cancelled())
        return fail(e, "interrupted");
    return out->varied + passed_over(out) > 0 || fail(e, "no C file in %s", s->dir);
}

void suite_put_summary(const struct suite *s, const struct suite_report *r, struct text *out)
{
    const char *before = " (";
    text_printf(out, "%s: %zu files varied, %zu passed over", s->dir, r->varied, passed_over(r));
    for (size_t i = 0; i < EMI_REFUSAL_COUNT; i++)
        if (r->passed[i]) {
            text_printf(out, "%s%s: %zu", before, emi_refusal_phrase((enum emi_refusal)i),
                        r->passed[i]);
            before = ", ";
        }
    text_printf(out, "%s; %zu variants, %zu findings\n", passed_over(r) ? ")" : "",
                variants_count(r->sum, "variants"), findings_of(r));
    variants_put_shares(r->sum, out);
}

void suite_report_free(struct suite_report *r)
{
    json_decref(r->files);
    json_decref(r->sum);
    text_free(&r->told);
}
