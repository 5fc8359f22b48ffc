/* A campaign as one page that needs nothing else: no network, no script; charts are SVG.  Reads on
 * a phone, on a desk and on paper.  Everything that came from outside goes through html_put. */
#include "report/private.h"

#include <string.h>

const char report_style[] =
    ":root{--ink:#1d2329;--dim:#5c6670;--paper:#fff;--soft:#f4f5f1;--edge:#d9dcd6;--blue:#2f6ea5;"
    "--bad:#f3b4ab;--ok:#cfe8cf;--f1:#c8642d;--f2:#5a8f3c;--f3:#8457a3;--f4:#b08a16;--f5:#6b7680;"
    "--word:#8a3aa0;--string:#8a5a00}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e6e3;--dim:#9aa3ab;--paper:#16191c;"
    "--soft:#20252a;--edge:#3a4147;--blue:#6ba7dc;--bad:#7d2f27;--ok:#27502b;--f1:#e08a57;"
    "--f2:#8cc46b;--f3:#b48ad0;--f4:#d6b54a;--f5:#8d98a2;"
    "--word:#c58bdb;--string:#d9b065}}"
    "*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;max-width:66em;margin:0 auto;"
    "padding:1em;color:var(--ink);background:var(--paper);overflow-wrap:anywhere}"
    "h1{font-size:1.7em;margin:.4em 0}h2{font-size:1.3em;margin:.2em 0 .4em}h3{font-size:1em;"
    "margin:1.2em 0 .4em}a{color:var(--blue)}.dim{color:var(--dim);fill:var(--dim)}"
    "pre{background:var(--soft);border:1px solid "
    "var(--edge);border-radius:6px;padding:.7em;margin:0;"
    "overflow-x:auto;font:13px/1.45 ui-monospace,monospace;white-space:pre}"
    "code{font:.9em ui-monospace,monospace}"
    ".card{display:grid;grid-template-columns:2.4em 1fr;gap:0 .4em;padding:.5em 0;color:inherit;"
    "text-decoration:none;border-top:1px solid var(--edge)}.card b{color:var(--blue)}"
    ".chip{display:inline-block;border:1px solid var(--edge);border-radius:1em;padding:0 .6em;"
    "font-size:.85em;background:var(--soft);margin:0 .3em .2em 0}"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24em),1fr));"
    "gap:1em 2em;margin:1.5em 0}figure{margin:0}figcaption{font-weight:bold;margin-bottom:.3em}"
    "figure>svg{width:100%;max-width:30em;height:auto;display:block}svg text{font-size:13px;"
    "fill:var(--ink)}.legend{font-size:13px;margin:.3em 0}.legend span{margin-right:.8em}"
    ".f0{fill:var(--blue)}.f1{fill:var(--f1)}.f2{fill:var(--f2)}.f3{fill:var(--f3)}"
    ".f4{fill:var(--f4)}.f5{fill:var(--f5)}.axis{fill:none;stroke:var(--edge)}"
    ".line{fill:none;stroke:var(--blue);stroke-width:2}circle{fill:var(--blue)}"
    "section{border-top:3px solid var(--edge);margin-top:2.5em;padding-top:1em}"
    ".sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22em),1fr));gap:1em}"
    ".sides>div{min-width:0}table{border-collapse:collapse;font-size:14px}"
    "td,th{padding:.2em .6em;text-align:left;vertical-align:top;border-bottom:1px solid "
    "var(--edge)}"
    "th{font-weight:600;white-space:nowrap}.wide{overflow-x:auto}.matrix td,.matrix th{text-align:"
    "center;white-space:nowrap}.matrix td:first-child,.matrix th:first-child{text-align:left}"
    ".bad{background:var(--bad);font-weight:bold}.ok{background:var(--ok)}"
    ".k{color:var(--word)}.n{color:var(--blue)}.s{color:var(--string)}.c{color:var(--dim)}"
    "details{margin-top:1em}summary{cursor:pointer;font-weight:600}details[open]>summary{"
    "margin-bottom:.4em}footer{margin:3em 0 1em;font-size:.9em}"
    "@media(max-width:32em){.matrix td,.matrix th{padding:.2em .3em}.matrix .dim{display:block}}"
    "@media "
    "print{:root{--word:#5d1e70;--string:#6b4700;--ink:#000;--dim:#444;--paper:#fff;--soft:#fff;--"
    "edge:#bbb;--blue:#1b4f7c}"
    "body{max-width:none;font-size:11pt}pre{white-space:pre-wrap;overflow:visible;font-size:9pt}"
    ".wide{overflow:visible}section,figure,tr{break-inside:avoid-page}section{break-inside:auto}"
    "h2,h3,figcaption{break-after:avoid}details::details-content{content-visibility:visible;"
    "display:block}rect,td,circle{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

/* ---- one bug -------------------------------------------------------------------------- */

static void put_matrix_row(struct text *out, const struct triage_row *r, size_t width)
{
    static const char *const classes[TRIAGE_STATES] = {"", "bad", "ok", ""};
    text_puts(out, "<tr><td>");
    html_put(out, r->compiler);
    text_puts(out, " <span class=dim>");
    html_put(out, r->version);
    text_puts(out, "</span></td>");
    for (size_t k = 0; k < width; k++) {
        const struct triage_cell *c = matrix_cell(r, k);
        text_printf(out, "<td class=\"%s\" title=\"", c ? classes[c->state] : "");
        html_put(out, c ? c->config : "");
        text_printf(out, "\">%s</td>", matrix_mark(c));
    }
    text_puts(out, "</tr>\n");
}

static void put_matrix(struct text *out, const struct triage_matrix *m)
{
    size_t width = matrix_width(m);
    text_puts(out, "<h3>Versions and levels</h3><div class=wide tabindex=0><table class=matrix><tr>"
                   "<th>compiler</th>");
    for (size_t k = 0; k < width; k++)
        text_printf(out, "<th>%s</th>", matrix_columns[k]);
    text_puts(out, "</tr>\n");
    for (size_t i = 0; i < m->n; i++)
        put_matrix_row(out, &m->rows[i], width);
    text_puts(out, "</table></div><p class=dim>BAD: it happens; ok: it does not; ?: neither, the "
                   "compiler refuses the program or fails otherwise; .: not tried.</p>\n");
}

static void put_row(struct text *out, const char *label, const char *value)
{
    if (!value || !*value)
        return;
    text_printf(out, "<tr><th>%s</th><td>", label);
    html_put(out, value);
    text_puts(out, "</td></tr>\n");
}

static void put_side(struct text *out, const char *title, const char *s, size_t n, size_t most)
{
    text_puts(out, "<div><b>");
    html_put(out, title);
    text_puts(out, "</b><pre tabindex=0>");
    report_put_escaped(out, s, n < most ? n : most);
    text_puts(out, n > most ? "\n...</pre></div>" : "</pre></div>");
}

static void put_outputs(struct text *out, const struct finding *f)
{
    enum { MOST = 4000 };
    bool reduced = f->reduced.seen.end;
    const struct bytes *expected = reduced ? &f->reduced.expected : &f->subject.expected,
                       *actual = reduced ? &f->reduced.seen.output : &f->seen.output;
    if (verdict_info(f->claim.verdict)->subject != SUBJECT_RUN ||
        judge_is_about_volatiles(f->claim.verdict)) /* whose output is right */
        return;
    text_printf(out, "<h3>Output of the %s program</h3><div class=sides>",
                reduced ? "reduced" : "original");
    struct text wanted = {0}, seen = {0};
    text_printf(&wanted, "Expected: exit status %d",
                reduced ? f->reduced.status : f->subject.status);
    text_printf(&seen, "Actual: %s", reduced ? f->reduced.seen.end : f->seen.end);
    put_side(out, text_str(&wanted), expected->s, expected->n, MOST);
    put_side(out, text_str(&seen), actual->s, actual->n, MOST);
    text_free(&wanted);
    text_free(&seen);
    text_puts(out, "</div>\n");
}

/* The code that is wrong, and beside it what the same compiler makes when it is right. */
static void put_assembly(struct text *out, const struct report_subject *s)
{
    enum { MOST = 12000 };
    if (!s->assembly[0].code || !s->assembly[1].code)
        return;
    text_puts(out, "<details class=assembly><summary>Assembly, as it is wrong and as it is right"
                   "</summary><div class=sides>");
    for (size_t i = 0; i < LENGTH(s->assembly); i++)
        put_side(out, s->assembly[i].command, s->assembly[i].code, strlen(s->assembly[i].code),
                 MOST);
    text_puts(out, "</div></details>\n");
}

/* The code that could be better, and beside it what is. */
static void put_missed(struct text *out, const struct finding *f)
{
    enum { MOST = 12000 };
    struct text_column codes[MISSED_CODES];
    size_t n = missed_codes(f, codes);
    if (!n)
        return;
    text_printf(out, "<h3>%s</h3><div class=sides>",
                f->claim.verdict == VERDICT_MISSED ? "Code that could be better" : "Its code");
    if (f->subject.original.n)
        put_side(out, "Its twin, which means the same", f->subject.original.s,
                 f->subject.original.n, MOST);
    for (size_t i = 0; i < n; i++)
        put_side(out, codes[i].title, codes[i].text, strlen(codes[i].text), MOST);
    text_puts(out, "</div>\n");
}

static void put_program(struct text *out, const struct finding *f)
{
    enum { MOST = 20000 };
    bool reduced = f->reduced.program.n;
    const struct bytes *p = reduced ? &f->reduced.program : &f->subject.program;
    text_puts(out, reduced ? "<h3>Reduced program</h3>\n"
                           : "<details><summary>Program (not reduced yet)</summary>\n");
    report_put_source(out, p->s, p->n < MOST ? p->n : MOST);
    if (!reduced)
        text_puts(out, "</details>\n");
    if (p->n > MOST)
        text_printf(out, "<p>%zu more bytes are in its folder.</p>\n", p->n - MOST);
}

static void put_evidence(struct text *out, const struct finding_evidence *ev)
{
    text_puts(out, "<details><summary>Why the program is not to blame: ");
    html_put(out, grade_name(ev->grade));
    text_puts(out, "</summary><div class=wide><table>");
    for (size_t i = 0; i < RUNG_COUNT; i++) {
        if (ev->rungs[i].state == RUNG_UNTRIED)
            continue;
        text_printf(out, "<tr><td>%s</td><td>%s</td><td>", rung_name((enum rung)i),
                    rung_state_name(ev->rungs[i].state));
        html_put(out, ev->rungs[i].note);
        text_puts(out, "</td></tr>\n");
    }
    text_puts(out, "</table></div></details>\n");
}

static void put_chip(struct text *out, const char *words)
{
    text_puts(out, "<span class=chip>");
    html_put(out, words);
    text_puts(out, "</span>");
}

/* Verdict, grade, configuration, how small and how often. */
static void put_chips(struct text *out, const struct finding *f)
{
    put_chip(out, verdict_info(f->claim.verdict)->name);
    put_chip(out, grade_name(f->evidence.grade));
    text_puts(out, "<code>");
    html_put(out, f->claim.config);
    text_puts(out, "</code> <span class=dim>");
    if (f->reduced.program.n)
        text_printf(out, "%llu line%s, ", (unsigned long long)f->reduced.lines,
                    f->reduced.lines == 1 ? "" : "s");
    text_printf(out, "seen %llu time%s</span>", (unsigned long long)f->count,
                f->count == 1 ? "" : "s");
}

static void put_what(struct text *out, const struct finding *f)
{
    struct text what = {0};
    finding_put_what(f, &what);
    html_put(out, text_str(&what));
    text_free(&what);
}

static void put_triage(struct text *out, const struct triage_result *t)
{
    put_row(out, t->blame.method == METHOD_LEVEL ? "lowest level" : "guilty", t->blame.pass);
    put_row(out, "instance", t->blame.detail);
    put_row(out, "stage", triage_stage_name(t->stage));
    put_row(out, "function", t->function.name);
    put_row(out, "begins at", t->first.source);
    put_row(out, "which is", t->first.shape);
    put_row(out, "gone with", t->blame.switches);
    put_row(out, "last good", t->matrix.last_good);
    put_row(out, "first bad", *t->matrix.last_good ? t->matrix.first_bad : "");
    put_row(out, "fixed in", t->matrix.fixed_in);
}

static void put_facts(struct text *out, const struct report_subject *s)
{
    const struct finding *f = s->finding;
    text_puts(out, "<table>\n");
    put_row(out, "levels", f->claim.levels);
    put_row(out, "signature", f->claim.signature);
    put_row(out, f->claim.verdict == VERDICT_MISSED ? "not seen" : "computed", f->missed.identity);
    if (s->triage) {
        put_triage(out, s->triage);
    } else {
        put_row(out, "guilty", f->blame.pass);
        put_row(out, "instance", f->blame.detail);
        put_row(out, "begins at", f->blame.wrong);
    }
    struct text said = {0};
    report_put_said(*f->seen.message ? f->seen.message : f->seen.end, "program.c", &said);
    put_row(out, "what happens", text_str(&said));
    text_free(&said);
    put_row(out, "compiler", f->claim.version);
    put_row(out, "show it again", f->again.command);
    put_row(out, "made by", f->subject.origin);
    text_puts(out, "</table>\n");
}

void report_put_bug(struct text *out, const struct report_subject *s)
{
    const struct finding *f = s->finding;
    text_printf(out, "<section class=bug><h2 id=bug%llu>%llu: ", (unsigned long long)f->id,
                (unsigned long long)f->id);
    put_what(out, f);
    text_puts(out, "</h2>");
    put_chips(out, f);
    text_puts(out, "<div class=sides><div>");
    put_program(out, f);
    text_puts(out, "</div><div><h3>What is known</h3>");
    put_facts(out, s);
    text_puts(out, "</div></div>\n");
    put_outputs(out, f);
    if (s->triage && s->triage->matrix.n)
        put_matrix(out, &s->triage->matrix);
    put_missed(out, f);
    put_assembly(out, s);
    put_evidence(out, &f->evidence);
    text_puts(out, "</section>\n");
}

/* ---- the page ------------------------------------------------------------------------- */

static void put_index(struct text *out, const struct report_campaign *c)
{
    text_puts(out, "<nav>");
    for (size_t i = 0; i < c->n; i++) {
        const struct finding *f = c->subjects[i].finding;
        text_printf(out, "<a class=card href=\"#bug%llu\"><b>%llu</b><span>",
                    (unsigned long long)f->id, (unsigned long long)f->id);
        put_what(out, f);
        text_puts(out, "</span><span></span><span>");
        put_chips(out, f);
        text_puts(out, "</span></a>\n");
    }
    text_puts(out, "</nav>\n");
}

static void put_charts(struct text *out, const struct report_campaign *c)
{
    text_puts(out, "<div class=charts>");
    if (c->n)
        html_put_timeline(out, c);
    for (size_t i = 0; i < c->chart_count; i++)
        if (c->charts[i].n)
            report_put_chart(out, &c->charts[i]);
    text_puts(out, "</div>\n");
}

void report_html(const struct report_campaign *c, struct text *out)
{
    text_puts(out, "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
                   "<meta name=viewport content=\"width=device-width,initial-scale=1\"><title>");
    html_put(out, c->title);
    text_printf(out, "</title><style>%s</style></head><body>\n<h1>", report_style);
    html_put(out, c->title);
    text_puts(out, "</h1><p>");
    html_put(out, c->summary);
    text_puts(out, "</p>\n");
    put_index(out, c);
    put_charts(out, c);
    for (size_t i = 0; i < c->n; i++)
        report_put_bug(out, &c->subjects[i]);
    text_printf(out, "<footer class=dim>Made by cupel %s.</footer></body></html>\n", cupel_version);
}
