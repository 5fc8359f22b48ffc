/* Every page's head and foot, the overview, and what a page is shown with. */
#include "web/private.h"

#include <ctype.h>
#include <string.h>

const char web_style[] =
    ".skip{position:absolute;left:-99em}.skip:focus{left:1em;top:.3em;padding:.3em;z-index:1;"
    "background:var(--paper)}"
    "header nav a{margin-right:1em}header{border-bottom:1px solid var(--edge)}"
    "form>div{min-width:0;max-width:100%}form{display:flex;flex-wrap:wrap;gap:.6em;align-items:end;"
    "margin:1em 0}"
    "label{display:block;font-size:14px}select,input,button,textarea{font:inherit;color:inherit;"
    "background:var(--paper);border:1px solid var(--dim);padding:.2em .4em;max-width:100%}"
    "textarea{width:100%;box-sizing:border-box;height:18em;font:13px/1.4 monospace}"
    "dl.facts{display:flex;flex-wrap:wrap;gap:1.5em;margin:1em 0}dl.facts div{min-width:6em}"
    "dt{font-size:14px;color:var(--dim)}dd{margin:0;font-size:1.5em}"
    ".number{text-align:right}a:focus,button:focus,pre:focus,.wide:focus{outline:3px solid "
    "var(--blue)}footer{margin-top:3em;font-size:14px;color:var(--dim)}"
    "@media print{header nav,form,.skip,footer{display:none}}";

const char web_script[] =
    "'use strict';\n"
    "// Numbers change as the hunt goes on; without this they are those of when the page came.\n"
    "const first = new Map();\n"
    "const news = new EventSource('/live');\n"
    "news.onmessage = (event) => {\n"
    "    const now = JSON.parse(event.data);\n"
    "    for (const place of document.querySelectorAll('[data-live]')) {\n"
    "        const value = now[place.dataset.live];\n"
    "        if (value === undefined) continue;\n"
    "        if (!first.has(place)) first.set(place, place.textContent);\n"
    "        place.textContent = value;\n"
    "    }\n"
    "    const told = document.getElementById('news');\n"
    "    const shown = Number(told.dataset.findings);\n"
    "    if (now.findings > shown)\n"
    "        told.textContent = `${now.findings - shown} new since this page was loaded`;\n"
    "};\n";

/* ---- text --------------------------------------------------------------------------------- */

void page_put(struct visit *v, const char *html)
{
    text_puts(&v->out->body, html);
}

void page_put_text(struct visit *v, const char *s)
{
    report_put_escaped(&v->out->body, s, strlen(s));
}

void page_put_parameter(struct visit *v, const char *s)
{
    for (; *s; s++)
        text_printf(&v->out->body, isalnum((unsigned char)*s) ? "%c" : "%%%02x", (unsigned char)*s);
}

void page_begin(struct visit *v, const char *title)
{
    page_put(v, "<!doctype html>\n<html lang=en><head><meta charset=utf-8><meta name=viewport "
                "content=\"width=device-width,initial-scale=1\"><meta name=color-scheme "
                "content=\"light dark\"><title>");
    page_put_text(v, title);
    page_put(v, "</title><link rel=stylesheet href=/style.css><script src=/live.js defer></script>"
                "</head><body><a class=skip href=#main>To the content</a><header><nav "
                "aria-label=Pages><a href=/>Overview</a><a href=/bugs>Bugs</a>"
                "<a href=/api/status>JSON</a></nav></header><main id=main><h1>");
    page_put_text(v, title);
    page_put(v, "</h1>\n");
}

void page_end(struct visit *v)
{
    page_put(v, "</main><footer>cupel ");
    page_put_text(v, cupel_version);
    page_put(v, ", ");
    page_put_text(v, hunt_public_name(&v->arena, v->o->campaign));
    page_put(v, "</footer></body></html>\n");
}

void visit_fail(struct visit *v, unsigned status, const char *why)
{
    text_clear(&v->out->body);
    v->out->kind = WEB_BODY;
    v->out->status = status;
    v->out->download = NULL;
    v->out->type = "text/html; charset=utf-8";
    page_begin(v, "cupel");
    page_put(v, "<p id=news role=status></p><p role=alert>");
    page_put_text(v, why);
    page_put(v, "</p>\n");
    page_end(v);
}

/* ---- the overview ------------------------------------------------------------------------- */

static void put_fact(struct visit *v, const char *label, const char *key, uint64_t n)
{
    text_printf(&v->out->body, "<div><dt>%s</dt><dd data-live=%s>%llu</dd></div>", label, key,
                (unsigned long long)n);
}

static void put_facts(struct visit *v, const struct hunt_status *s)
{
    text_printf(&v->out->body,
                "<dl class=facts><div><dt>State</dt><dd data-live=state>%s</dd></div>",
                s->state == HUNT_HUNTING ? "hunting" : "stopped");
    put_fact(v, "Findings", "findings", s->findings);
    put_fact(v, "Programs", "programs", s->programs);
    put_fact(v, "Compilations", "compiles", s->compiles);
    put_fact(v, "Workers", "workers", s->jobs);
    text_printf(&v->out->body, "</dl><p id=news role=status data-findings=%llu></p>\n",
                (unsigned long long)s->findings);
}

/* What a time is best told in. */
static const struct span {
    double seconds;
    const char *unit;
} spans[] = {{24 * 3600, " days"}, {3600, " h"}, {60, " min"}, {1, " s"}};

static const struct span *span_of(double seconds)
{
    static const double fewest = 2; /* of it */
    size_t i = 0;
    while (i + 1 < LENGTH(spans) && seconds < fewest * spans[i].seconds)
        i++;
    return &spans[i];
}

/* A line that rises with every finding. */
static void put_timeline(struct visit *v, const struct hunt_timeline *t)
{
    static const double width = 600, height = 140, left = 30, top = 10;
    struct text *out = &v->out->body;
    uint64_t all = 0, sum = 0;
    const struct span *span = span_of((double)(t->end - t->begin));
    double lasted = (double)(t->end - t->begin) / span->seconds;
    for (size_t i = 0; i < LENGTH(t->counts); i++)
        all += t->counts[i];
    if (!all)
        return;
    text_printf(out,
                "<figure><figcaption>Findings over time</figcaption><svg role=img "
                "aria-label=\"%llu findings in %.1f%s\" viewBox=\"0 0 640 170\" width=640>"
                "<path fill=none stroke=#4a7fb5 stroke-width=2 d=\"M%.0f %.0f",
                (unsigned long long)all, lasted, span->unit, left, top + height);
    for (size_t i = 0; i < LENGTH(t->counts); i++) {
        sum += t->counts[i];
        text_printf(out, " L%.1f %.1f", left + (double)(i + 1) / (double)LENGTH(t->counts) * width,
                    top + height - (double)sum / (double)all * height);
    }
    text_printf(out,
                "\"/><text x=2 y=%.0f font-size=12>%llu</text><text x=%.0f y=168 font-size=12>"
                "first</text><text x=%.0f y=168 font-size=12 text-anchor=end>%.1f%s later</text>"
                "</svg></figure>\n",
                top + 6, (unsigned long long)all, left, left + width, lasted, span->unit);
}

static void put_counts(struct visit *v, const char *title, const struct hunt_count *counts,
                       size_t n)
{
    enum { MOST = 30 };
    n = n < MOST ? n : MOST;
    struct report_bar *bars = NEW_ARRAY(&v->arena, n, struct report_bar);
    for (size_t i = 0; i < n; i++)
        bars[i] = (struct report_bar){.label = counts[i].name, .value = (double)counts[i].n};
    if (n)
        report_put_chart(&v->out->body,
                         &(struct report_chart){.title = title, .unit = "", .bars = bars, .n = n});
}

/* What pays: findings in an hour of CPU time. */
static void put_arms(struct visit *v, const char *what, const struct hunt_arm *arms, size_t n)
{
    struct text *out = &v->out->body;
    text_printf(out,
                "<h2>By %s</h2><div class=wide tabindex=0 role=region aria-label=\"By %s\"><table>"
                "<thead><tr><th scope=col>%s</th><th scope=col>findings</th><th "
                "scope=col>repeats</th><th scope=col>programs</th><th scope=col>CPU hours</th><th "
                "scope=col>findings an hour</th><th scope=col>share</th></tr></thead><tbody>\n",
                what, what, what);
    for (size_t i = 0; i < n; i++) {
        const struct hunt_arm *a = &arms[i];
        double hours = a->cpu / 3600;
        text_puts(out, "<tr><th scope=row>");
        page_put_text(v, a->name);
        text_printf(out,
                    "</th><td class=number>%llu</td><td class=number>%llu</td><td "
                    "class=number>%llu</td><td class=number>%.2f</td><td class=number>%.1f</td>"
                    "<td class=number>%.0f%%</td></tr>\n",
                    (unsigned long long)a->findings, (unsigned long long)a->repeats,
                    (unsigned long long)a->programs, hours,
                    hours > 0 ? (double)a->findings / hours : 0, 100 * a->share);
    }
    text_puts(out, "</tbody></table></div>\n");
}

static void put_nodes(struct visit *v, const struct hunt_status *s)
{
    struct text *out = &v->out->body;
    if (!s->node_count)
        return;
    text_puts(out, "<h2>Machines</h2><div class=wide tabindex=0 role=region aria-label=Machines>"
                   "<table><thead><tr><th scope=col>machine</th><th scope=col>state</th><th "
                   "scope=col>workers</th><th scope=col>programs</th><th scope=col>compilations"
                   "</th><th scope=col>CPU hours</th><th scope=col>version</th></tr></thead>"
                   "<tbody>\n");
    for (size_t i = 0; i < s->node_count; i++) {
        const struct hunt_node *n = &s->nodes[i];
        text_puts(out, "<tr><th scope=row>");
        page_put_text(v, n->name);
        text_printf(out,
                    "</th><td>%s</td><td class=number>%u</td><td class=number>%llu</td><td "
                    "class=number>%llu</td><td class=number>%.2f</td><td>",
                    n->alive ? "hunting" : "gone", n->jobs, (unsigned long long)n->programs,
                    (unsigned long long)n->compiles, n->cpu / 3600);
        page_put_text(v, n->version);
        text_puts(out, "</td></tr>\n");
    }
    text_puts(out, "</tbody></table></div>\n");
}

void route_overview(struct visit *v)
{
    struct hunt_status s;
    struct err e;
    if (!hunt_status(&v->arena, v->o->campaign, &s, &e)) {
        visit_fail(v, 503, e.msg);
        return;
    }
    page_begin(v, "Overview");
    put_facts(v, &s);
    put_timeline(v, &s.timeline);
    put_counts(v, "Findings by compiler", s.compilers, s.compiler_count);
    put_counts(v, "Findings by verdict", s.verdicts, s.verdict_count);
    const struct span *span = span_of(s.job_cpu + s.own_cpu);
    const struct report_bar split[] = {
        {.label = "compilers and programs", .value = s.job_cpu / span->seconds},
        {.label = "cupel itself", .value = s.own_cpu / span->seconds}};
    report_put_chart(&v->out->body, &(struct report_chart){.title = "CPU time",
                                                           .unit = span->unit,
                                                           .bars = split,
                                                           .n = LENGTH(split)});
    put_arms(v, "strategy", s.strategies, s.strategy_count);
    put_arms(v, "profile", s.profiles, s.profile_count);
    put_arms(v, "flags", s.classes, s.class_count);
    put_nodes(v, &s);
    page_end(v);
}
