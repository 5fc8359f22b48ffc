/* Which page a request gets; the checks that come before any of them; JSON and static files. */
#include "web/private.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PATH = 200, BAD = 400, DENIED = 401, FORBIDDEN = 403, ABSENT = 404, NOT_ALLOWED = 405 };

static const struct {
    const char *path;
    bool exact;
    route_fn *run;
} routes[] = {
#define ROUTE(id, path, exact) {path, exact, route_##id},
#include "web/route.def"
};

const char *visit_query(const struct visit *v, const char *name)
{
    const char *value = map_get(&v->r->query, name);
    return value ? value : "";
}

/* ---- JSON, as the commands print it ------------------------------------------------------ */

static void answer_json(struct visit *v, json_t *j)
{
    record_set_version(j);
    char *text = json_dumps(j, JSON_INDENT(2));
    v->out->type = "application/json";
    text_puts(&v->out->body, text ? text : "null");
    text_putc(&v->out->body, '\n');
    free(text);
    json_decref(j);
}

void route_status(struct visit *v)
{
    struct hunt_status s;
    struct err e;
    if (hunt_status(&v->arena, v->o->campaign, &s, &e))
        answer_json(v, hunt_status_to_json(&s));
    else
        visit_fail(v, 503, e.msg);
}

void route_list(struct visit *v)
{
    struct hunt_findings all;
    struct err e;
    enum hunt_scope scope = *visit_query(v, "all") ? HUNT_ALL : HUNT_BUGS;
    if (!hunt_list(&v->arena, v->o->campaign, scope, &all, &e)) {
        visit_fail(v, 503, e.msg);
        return;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < all.n; i++)
        json_array_append_new(list, finding_to_json(&all.at[i], FINDING_BRIEF));
    answer_json(v, list);
}

void route_show(struct visit *v)
{
    uint64_t id;
    struct finding f;
    struct err e;
    if (str_parse_uint(v->rest, INT64_MAX, &id, &e) &&
        hunt_finding(&v->arena, v->o->campaign, id, &f, &e))
        answer_json(v, finding_to_json(&f, FINDING_FULL));
    else
        visit_fail(v, ABSENT, e.msg);
}

/* ---- what does not change ----------------------------------------------------------------- */

void route_style(struct visit *v)
{
    v->out->type = "text/css; charset=utf-8";
    text_puts(&v->out->body, report_style);
    text_puts(&v->out->body, web_style);
}

void route_script(struct visit *v)
{
    v->out->type = "text/javascript; charset=utf-8";
    text_puts(&v->out->body, web_script);
}

void route_live(struct visit *v)
{
    v->out->kind = WEB_LIVE;
    v->out->type = "text/event-stream";
}

void web_put_news(const struct web_options *o, struct text *out)
{
    struct arena a = {0};
    struct hunt_status s;
    json_t *j = hunt_status(&a, o->campaign, &s, NULL)
                    ? json_pack("{s:s, s:I, s:I, s:I, s:I}", "state",
                                s.state == HUNT_HUNTING ? "hunting" : "stopped", "programs",
                                (json_int_t)s.programs, "compiles", (json_int_t)s.compiles,
                                "findings", (json_int_t)s.findings, "workers", (json_int_t)s.jobs)
                    : json_pack("{s:s}", "state", "away");
    char *text = json_dumps(j, JSON_COMPACT);
    text_puts(out, text ? text : "{}");
    free(text);
    json_decref(j);
    arena_free(&a);
}

/* ---- who may ask ----------------------------------------------------------------------------- */

static bool is_name(const char *host, size_t n, const char *name)
{
    return strlen(name) == n && strncasecmp(host, name, n) == 0;
}

/* Without its port. */
static size_t host_length(const char *host)
{
    const char *end = *host == '[' ? strchr(host, ']') : NULL;
    return end ? (size_t)(end - host) + 1 : strcspn(host, ":");
}

/* A page elsewhere can make a browser ask us under a name of its own. */
static bool is_our_name(const struct web_options *o, const char *host)
{
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    size_t n = host ? host_length(host) : 0;
    if (!n)
        return false;
    for (size_t i = 0; i < LENGTH(own); i++)
        if (is_name(host, n, own[i]))
            return true;
    for (size_t i = 0; i < o->names.n; i++)
        if (is_name(host, n, o->names.at[i]))
            return true;
    return is_name(host, n, o->address) || (*host == '[' && is_name(host + 1, n - 2, o->address));
}

static bool is_read(const char *method)
{
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0;
}

static void dispatch(struct visit *v)
{
    const char *path = v->r->path;
    for (size_t i = 0; i < LENGTH(routes); i++) {
        size_t n = strlen(routes[i].path);
        if (strncmp(path, routes[i].path, n) != 0 || (routes[i].exact && path[n]))
            continue;
        v->rest = path + n;
        routes[i].run(v);
        return;
    }
    visit_fail(v, ABSENT, "there is no such page");
}

void web_answer(const struct web_options *o, const struct web_request *r, struct web_response *out)
{
    struct visit v = {.o = o, .r = r, .out = out};
    *out = (struct web_response){.status = 200, .type = "text/html; charset=utf-8"};
    if (!is_our_name(o, r->host))
        visit_fail(&v, FORBIDDEN, "this server does not go by that name: see cupel serve --name");
    else if (!is_read(r->method))
        visit_fail(&v, NOT_ALLOWED, "a campaign is only shown here");
    else if (o->token && !r->allowed)
        visit_fail(&v, DENIED, "the password is missing or wrong");
    else if (strlen(r->path) > MOST_PATH)
        visit_fail(&v, BAD, "the address is too long");
    else
        dispatch(&v);
    arena_free(&v.arena);
}
