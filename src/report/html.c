/* A campaign as one page that needs nothing else: no network, no script; charts are SVG. Everything
 * that came from outside goes through put_escaped. */
#include "report/report.h"

#include <ctype.h>
#include <string.h>

static const char style[] =
    "body{font:16px/1.45 system-ui,sans-serif;max-width:60em;margin:0 auto;padding:1em;color:#222}"
    "h1{font-size:1.6em}h2{margin-top:2em;border-top:1px solid #ccc;padding-top:.6em}"
    "pre{background:#f6f6f2;padding:.7em;overflow-x:auto;font-size:13px;white-space:pre}"
    "table{border-collapse:collapse;font-size:14px}td,h1,p{overflow-wrap:anywhere}.wide "
    "td{overflow-wrap:normal}td,th{padding:."
    "2em .6em;text-align:left;"
    "border-bottom:1px solid #ddd}.wide{overflow-x:auto}.bad{background:#f4b6ae;font-weight:bold}"
    ".ok{background:#cfe8cf}.k{color:#7a2a8c}.n{color:#22609a}.s{color:#8a5a00}.c{color:#777}"
    ".sides{display:flex;flex-wrap:wrap;gap:1em}.sides>div{flex:1 1 16em;min-width:0}"
    "svg{max-width:100%;height:auto}figure{margin:1em 0}figcaption{font-weight:bold}"
    "@media print{body{max-width:none}pre{white-space:pre-wrap;overflow:visible}h2{break-after:"
    "avoid}}";

/* ---- text ----------------------------------------------------------------------------- */

static void put_char(struct text *out, char c)
{
    unsigned char u = (unsigned char)c;
    if (c == '<')
        text_puts(out, "&lt;");
    else if (c == '>')
        text_puts(out, "&gt;");
    else if (c == '&')
        text_puts(out, "&amp;");
    else if (c == '"')
        text_puts(out, "&quot;");
    else if (c == '\'')
        text_puts(out, "&#39;");
    else if ((u < 32 && c != '\n' && c != '\t') || u == 127)
        text_printf(out, "\\x%02x", u);
    else if (u >= 128) /* bytes of no known encoding */
        text_printf(out, "&#%u;", u);
    else
        text_putc(out, c);
}

static void put_escaped(struct text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_char(out, s[i]);
}

static void put_string(struct text *out, const char *s)
{
    put_escaped(out, s, strlen(s));
}

static bool is_keyword(const char *s, size_t n)
{
    static const char *const words[] = {
        "auto",     "break",  "case",     "char",     "const",   "continue", "default",  "do",
        "double",   "else",   "enum",     "extern",   "float",   "for",      "goto",     "if",
        "inline",   "int",    "long",     "register", "return",  "short",    "signed",   "sizeof",
        "restrict", "static", "struct",   "switch",   "typedef", "union",    "unsigned", "void",
        "volatile", "while",  "__int128", "_Bool"};
    for (size_t i = 0; i < LENGTH(words); i++)
        if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
            return true;
    return false;
}

static size_t word_length(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && (isalnum((unsigned char)s[i]) || s[i] == '_'))
        i++;
    return i;
}

/* A string or character literal, or a comment, as far as it goes; 0 for anything else. */
static size_t quoted_length(const char *s, size_t n)
{
    size_t i = 1;
    if (n > 1 && s[0] == '/' && s[1] == '*') {
        const char *end = memmem(s + 2, n - 2, "*/", 2);
        return end ? (size_t)(end - s) + 2 : n;
    }
    if (s[0] != '"' && s[0] != '\'')
        return 0;
    while (i < n && s[i] != s[0] && s[i] != '\n')
        i += s[i] == '\\' ? 2 : 1;
    return i < n ? i + 1 : n;
}

static void put_span(struct text *out, const char *class, const char *s, size_t n)
{
    text_printf(out, "<span class=%s>", class);
    put_escaped(out, s, n);
    text_puts(out, "</span>");
}

static void put_source(struct text *out, const char *s, size_t n)
{
    text_puts(out, "<pre class=source>");
    for (size_t i = 0; i < n;) {
        size_t length = quoted_length(s + i, n - i), word = word_length(s + i, n - i);
        if (length) {
            put_span(out, s[i] == '/' ? "c" : "s", s + i, length);
        } else if (word && isdigit((unsigned char)s[i])) {
            put_span(out, "n", s + i, word);
        } else if (word && is_keyword(s + i, word)) {
            put_span(out, "k", s + i, word);
        } else {
            put_escaped(out, s + i, word ? word : 1);
        }
        i += length ? length : word ? word : 1;
    }
    text_puts(out, "</pre>\n");
}

/* ---- charts --------------------------------------------------------------------------- */

static void put_bars(struct text *out, const struct report_chart *c)
{
    enum { LINE = 24 };
    static const double left = 190, width = 380;
    double most = 0;
    for (size_t i = 0; i < c->n; i++)
        most = c->bars[i].value > most ? c->bars[i].value : most;
    text_puts(out, "<figure><figcaption>");
    put_string(out, c->title);
    text_printf(out, "</figcaption><svg role=img viewBox=\"0 0 640 %zu\" width=640>\n",
                c->n * LINE + 4);
    for (size_t i = 0; i < c->n; i++) {
        const struct report_bar *b = &c->bars[i];
        double length = most > 0 ? b->value / most * width : 0;
        text_printf(out, "<text x=%d y=%zu text-anchor=end font-size=13>", (int)left - 8,
                    i * LINE + 17);
        put_string(out, b->label);
        text_printf(out,
                    "</text><rect x=%d y=%zu width=%.1f height=%d fill=#4a7fb5 /><text x=%.1f "
                    "y=%zu font-size=13>%.*f%s</text>\n",
                    (int)left, i * LINE + 4, length, LINE - 7, left + length + 6, i * LINE + 17,
                    b->value == (double)(long long)b->value ? 0 : 1, b->value, c->unit);
    }
    text_puts(out, "</svg></figure>\n");
}

/* One step up for every finding, at the time when it was first seen. */
static void put_timeline(struct text *out, const struct report_campaign *c)
{
    static const double width = 600, height = 140, left = 30, top = 10;
    int64_t begin = INT64_MAX, end = 0;
    for (size_t i = 0; i < c->n; i++) {
        int64_t first = c->subjects[i].finding->first;
        begin = first < begin ? first : begin;
        end = first > end ? first : end;
    }
    double span = end > begin ? (double)(end - begin) : 1;
    text_printf(out,
                "<figure><figcaption>Findings over time</figcaption><svg role=img viewBox=\"0 0 "
                "640 170\" width=640><path fill=none stroke=#4a7fb5 stroke-width=2 d=\"M%.0f %.0f",
                left, top + height);
    for (size_t i = 0; i < c->n; i++) {
        double x = left + (double)(c->subjects[i].finding->first - begin) / span * width;
        text_printf(out, " H%.1f V%.1f", x, top + height - (double)(i + 1) / (double)c->n * height);
    }
    text_printf(out,
                "\"/><text x=2 y=%.0f font-size=12>%zu</text><text x=2 y=%.0f font-size=12>0</text>"
                "<text x=%.0f y=168 font-size=12>first</text><text x=%.0f y=168 font-size=12 "
                "text-anchor=end>%.0f s later</text></svg></figure>\n",
                top + 6, c->n, top + height, left, left + width,
                end > begin ? (double)(end - begin) : 0);
}

/* ---- one bug -------------------------------------------------------------------------- */

static void put_cells(struct text *out, const struct triage_row *r)
{
    static const char *const classes[TRIAGE_STATES] = {"", "bad", "ok", ""};
    text_puts(out, "<tr><td>");
    put_string(out, r->compiler);
    text_puts(out, "</td><td>");
    put_string(out, r->version);
    text_puts(out, "</td><td>");
    for (size_t i = 0; i < r->n; i++) {
        const struct triage_cell *c = &r->cells[i];
        text_printf(out, "<span class=\"%s\" title=\"", classes[c->state]);
        put_string(out, c->config);
        text_puts(out, "\">&nbsp;");
        put_string(out, c->narrow ? "-m32" : c->level);
        text_printf(out, " %s&nbsp;</span> ",
                    c->state == TRIAGE_SHOWN  ? "BAD"
                    : c->state == TRIAGE_GONE ? "ok"
                                              : "?");
    }
    text_puts(out, "</td></tr>\n");
}

static void put_matrix(struct text *out, const struct triage_matrix *m)
{
    text_puts(out, "<h3>Versions and levels</h3><div class=wide><table><tr><th>compiler</th>"
                   "<th>version</th><th>levels</th></tr>\n");
    for (size_t i = 0; i < m->n; i++)
        put_cells(out, &m->rows[i]);
    text_puts(out, "</table></div>\n");
}

static void put_row(struct text *out, const char *label, const char *value)
{
    if (!value || !*value)
        return;
    text_printf(out, "<tr><th>%s</th><td>", label);
    put_string(out, value);
    text_puts(out, "</td></tr>\n");
}

static void put_sides(struct text *out, const struct finding *f)
{
    enum { MOST = 4000 };
    bool reduced = f->reduced.seen.end;
    const struct bytes *sides[] = {reduced ? &f->reduced.expected : &f->subject.expected,
                                   reduced ? &f->reduced.seen.output : &f->seen.output};
    static const char *const names[] = {"Expected", "Actual"};
    if (verdict_info(f->claim.verdict)->subject != SUBJECT_RUN)
        return;
    text_printf(out, "<h3>Output of the %s program</h3><div class=sides>",
                reduced ? "reduced" : "original");
    for (size_t i = 0; i < LENGTH(sides); i++) {
        text_printf(out, "<div><b>%s</b><pre>", names[i]);
        put_escaped(out, sides[i]->s, sides[i]->n < MOST ? sides[i]->n : MOST);
        text_puts(out, "</pre></div>");
    }
    text_puts(out, "</div>\n");
}

/* The code that is wrong, and beside it what the same compiler makes when it is right. */
static void put_assembly(struct text *out, const struct report_subject *s)
{
    enum { MOST = 12000 };
    if (!s->assembly[0].code || !s->assembly[1].code)
        return;
    text_puts(out, "<details class=assembly><summary>Assembly</summary><div class=sides>");
    for (size_t i = 0; i < LENGTH(s->assembly); i++) {
        const char *code = s->assembly[i].code;
        text_puts(out, "<div><b>");
        put_string(out, s->assembly[i].command);
        text_puts(out, "</b><pre>");
        put_escaped(out, code, strlen(code) < MOST ? strlen(code) : MOST);
        text_puts(out, "</pre></div>");
    }
    text_puts(out, "</div></details>\n");
}

static void put_program(struct text *out, const struct finding *f)
{
    enum { MOST = 20000 };
    bool reduced = f->reduced.program.n;
    const struct bytes *p = reduced ? &f->reduced.program : &f->subject.program;
    text_puts(out, reduced ? "<h3>Reduced program</h3>\n"
                           : "<details><summary>Program (not reduced yet)</summary>\n");
    put_source(out, p->s, p->n < MOST ? p->n : MOST);
    if (!reduced)
        text_puts(out, "</details>\n");
    if (p->n > MOST)
        text_printf(out, "<p>%zu more bytes are in its folder.</p>\n", p->n - MOST);
}

static void put_evidence(struct text *out, const struct finding_evidence *ev)
{
    text_puts(out, "<details><summary>Evidence: ");
    put_string(out, grade_name(ev->grade));
    text_puts(out, "</summary><table>");
    for (size_t i = 0; i < RUNG_COUNT; i++) {
        if (ev->rungs[i].state == RUNG_UNTRIED)
            continue;
        text_printf(out, "<tr><td>%s</td><td>%s</td><td>", rung_name((enum rung)i),
                    rung_state_name(ev->rungs[i].state));
        put_string(out, ev->rungs[i].note);
        text_puts(out, "</td></tr>\n");
    }
    text_puts(out, "</table></details>\n");
}

static void put_bug(struct text *out, const struct report_subject *s)
{
    const struct finding *f = s->finding;
    const struct finding_claim *c = &f->claim;
    text_printf(out, "<section class=bug><h2 id=bug%llu>%llu: %s</h2><table>\n",
                (unsigned long long)f->id, (unsigned long long)f->id,
                verdict_info(c->verdict)->phrase);
    put_row(out, "configuration", c->config);
    put_row(out, "levels", c->levels);
    put_row(out, "signature", c->signature);
    put_row(out, "guilty", s->triage ? s->triage->blame.pass : f->blame.pass);
    put_row(out, "instance", s->triage ? s->triage->blame.detail : f->blame.detail);
    put_row(out, "function", s->triage ? s->triage->function.name : "");
    put_row(out, "begins at", s->triage ? s->triage->first.source : f->blame.wrong);
    put_row(out, "gone with", s->triage ? s->triage->blame.switches : "");
    put_row(out, "last good", s->triage ? s->triage->matrix.last_good : "");
    put_row(out, "fixed in", s->triage ? s->triage->matrix.fixed_in : "");
    put_row(out, "what happens", *f->seen.message ? f->seen.message : f->seen.end);
    put_row(out, "show it again", f->again.command);
    put_row(out, "made by", f->subject.origin);
    text_puts(out, "</table>\n");
    put_program(out, f);
    if (s->triage && s->triage->matrix.n)
        put_matrix(out, &s->triage->matrix);
    put_sides(out, f);
    put_assembly(out, s);
    put_evidence(out, &f->evidence);
    text_puts(out, "</section>\n");
}

/* ---- the page ------------------------------------------------------------------------- */

static void put_index(struct text *out, const struct report_campaign *c)
{
    text_puts(out, "<div class=wide><table><tr><th>#</th><th>verdict</th><th>configuration</th>"
                   "<th>guilty</th><th>lines</th><th>seen</th></tr>\n");
    for (size_t i = 0; i < c->n; i++) {
        const struct finding *f = c->subjects[i].finding;
        const char *pass = c->subjects[i].triage ? c->subjects[i].triage->blame.pass
                                                 : f->blame.pass;
        text_printf(out, "<tr><td><a href=\"#bug%llu\">%llu</a></td><td>%s</td><td>",
                    (unsigned long long)f->id, (unsigned long long)f->id,
                    verdict_info(f->claim.verdict)->name);
        put_string(out, f->claim.config);
        text_puts(out, "</td><td>");
        put_string(out, pass && *pass ? pass : f->claim.signature);
        text_puts(out, "</td><td>");
        if (f->reduced.program.n)
            text_printf(out, "%llu", (unsigned long long)f->reduced.lines);
        text_printf(out, "</td><td>%llu</td></tr>\n", (unsigned long long)f->count);
    }
    text_puts(out, "</table></div>\n");
}

void report_html(const struct report_campaign *c, struct text *out)
{
    text_puts(out, "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
                   "<meta name=viewport content=\"width=device-width,initial-scale=1\"><title>");
    put_string(out, c->title);
    text_printf(out, "</title><style>%s</style></head><body>\n<h1>", style);
    put_string(out, c->title);
    text_puts(out, "</h1><p>");
    put_string(out, c->summary);
    text_puts(out, "</p>\n");
    put_index(out, c);
    if (c->n)
        put_timeline(out, c);
    for (size_t i = 0; i < c->chart_count; i++)
        if (c->charts[i].n)
            put_bars(out, &c->charts[i]);
    for (size_t i = 0; i < c->n; i++)
        put_bug(out, &c->subjects[i]);
    text_puts(out, "</body></html>\n");
}
