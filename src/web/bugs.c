/* The list of bugs with its filters, one bug, and its files. */
#include "web/private.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { PER_PAGE = 100 };

/* ---- filters: they live in the address ---------------------------------------------------- */

static const char *verdict_of(const struct finding *f)
{
    return verdict_info(f->claim.verdict)->name;
}

static const char *compiler_of(const struct finding *f)
{
    return f->claim.compiler;
}

static const char *grade_of(const struct finding *f)
{
    return grade_name(f->evidence.grade);
}

static const char *strategy_of(const struct finding *f)
{
    return f->subject.strategy;
}

static const struct filter {
    const char *name, *label;
    const char *(*of)(const struct finding *f);
} filters[] = {{"verdict", "Verdict", verdict_of},
               {"compiler", "Compiler", compiler_of},
               {"grade", "Grade", grade_of},
               {"strategy", "Strategy", strategy_of}};

static bool contains(struct visit *v, const struct finding *f, const char *words)
{
    struct text what = {0};
    finding_put_what(f, &what);
    bool has = strcasestr(text_str(&what), words) || strcasestr(f->claim.config, words) ||
               strcasestr(f->claim.key, words);
    text_free(&what);
    (void)v;
    return has;
}

static bool is_wanted(struct visit *v, const struct finding *f)
{
    for (size_t i = 0; i < LENGTH(filters); i++) {
        const char *want = visit_query(v, filters[i].name);
        if (*want && strcmp(want, filters[i].of(f)) != 0)
            return false;
    }
    const char *words = visit_query(v, "q");
    return !*words || contains(v, f, words);
}

/* ---- the form -------------------------------------------------------------------------------- */

static void put_option(struct visit *v, const char *value, bool chosen)
{
    page_put(v, "<option value=\"");
    page_put_text(v, value);
    page_put(v, chosen ? "\" selected>" : "\">");
    page_put_text(v, *value ? value : "any");
    page_put(v, "</option>");
}

static void put_select(struct visit *v, const struct filter *f, const struct hunt_findings *all)
{
    struct map seen = {0};
    const char *chosen = visit_query(v, f->name);
    text_printf(&v->out->body, "<div><label for=%s>%s</label><select id=%s name=%s>", f->name,
                f->label, f->name, f->name);
    put_option(v, "", !*chosen);
    for (size_t i = 0; i < all->n; i++) {
        const char *value = f->of(&all->at[i]);
        if (map_get(&seen, value))
            continue;
        map_set(&v->arena, &seen, value, (void *)value);
        put_option(v, value, strcmp(value, chosen) == 0);
    }
    page_put(v, "</select></div>");
}

static void put_form(struct visit *v, const struct hunt_findings *all)
{
    page_put(v, "<form method=get action=/bugs>");
    for (size_t i = 0; i < LENGTH(filters); i++)
        put_select(v, &filters[i], all);
    page_put(v, "<div><label for=q>Words</label><input id=q name=q type=search value=\"");
    page_put_text(v, visit_query(v, "q"));
    page_put(v, "\"></div><button type=submit>Filter</button></form>\n");
}

/* ---- the list -------------------------------------------------------------------------------- */

static void put_finding(struct visit *v, const struct finding *f)
{
    struct text *out = &v->out->body, what = {0};
    finding_put_what(f, &what);
    text_printf(out, "<tr><th scope=row><a href=/bug/%llu>%llu</a></th><td>%s</td><td>%s</td><td>",
                (unsigned long long)f->id, (unsigned long long)f->id, verdict_of(f), grade_of(f));
    page_put_text(v, f->claim.config);
    text_puts(out, "</td><td>");
    page_put_text(v, text_str(&what));
    text_printf(out, "</td><td class=number>");
    if (f->reduced.lines)
        text_printf(out, "%llu", (unsigned long long)f->reduced.lines);
    text_printf(out, "</td><td class=number>%llu</td></tr>\n", (unsigned long long)f->count);
    text_free(&what);
}

/* The same filters, another page of them. */
static void put_page_link(struct visit *v, uint64_t page, const char *label)
{
    text_printf(&v->out->body, "<a href=\"/bugs?page=%llu", (unsigned long long)page);
    for (size_t i = 0; i <= LENGTH(filters); i++) {
        const char *name = i < LENGTH(filters) ? filters[i].name : "q";
        if (!*visit_query(v, name))
            continue;
        text_printf(&v->out->body, "&amp;%s=", name);
        page_put_parameter(v, visit_query(v, name));
    }
    text_printf(&v->out->body, "\">%s</a> ", label);
}

static void put_table(struct visit *v, const struct hunt_findings *all, uint64_t page)
{
    size_t matching = 0, first = (size_t)page * PER_PAGE;
    page_put(v, "<div class=wide tabindex=0 role=region aria-label=Bugs><table><thead><tr><th "
                "scope=col>bug</th><th scope=col>verdict</th><th scope=col>grade</th><th "
                "scope=col>configuration</th><th scope=col>what</th><th scope=col>lines</th><th "
                "scope=col>seen</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < all->n; i++) {
        if (!is_wanted(v, &all->at[i]))
            continue;
        if (matching >= first && matching < first + PER_PAGE)
            put_finding(v, &all->at[i]);
        matching++;
    }
    text_printf(&v->out->body, "</tbody></table></div><p>%zu of %zu bugs</p>\n<p>", matching,
                all->n);
    if (page)
        put_page_link(v, page - 1, "Before");
    if (first + PER_PAGE < matching)
        put_page_link(v, page + 1, "After");
    page_put(v, "</p>\n");
}

void route_bugs(struct visit *v)
{
    enum { MOST_PAGE = 1000000 };
    struct hunt_findings all;
    struct err e;
    uint64_t page = 0;
    if (*visit_query(v, "page"))
        str_parse_uint(visit_query(v, "page"), MOST_PAGE, &page, NULL);
    if (!hunt_list(&v->arena, v->o->campaign, HUNT_BUGS | HUNT_LINES, &all, &e)) {
        visit_fail(v, 503, e.msg);
        return;
    }
    page_begin(v, "Bugs");
    text_printf(&v->out->body, "<p id=news role=status data-findings=%zu></p>\n", all.n);
    put_form(v, &all);
    put_table(v, &all, page);
    page_end(v);
}

/* ---- files: made from the finding, never read --------------------------------------------- */

static void make_program(const struct finding *f, struct text *out)
{
    text_add(out, f->subject.program.s, f->subject.program.n);
}

static void make_reduced(const struct finding *f, struct text *out)
{
    text_add(out, f->reduced.program.s, f->reduced.program.n);
}

static void make_original(const struct finding *f, struct text *out)
{
    text_add(out, f->subject.original.s, f->subject.original.n);
}

static void make_expected(const struct finding *f, struct text *out)
{
    text_add(out, f->subject.expected.s, f->subject.expected.n);
}

static void make_actual(const struct finding *f, struct text *out)
{
    text_add(out, f->seen.output.s, f->seen.output.n);
}

static void make_json(const struct finding *f, struct text *out)
{
    json_t *j = finding_to_json(f, FINDING_FULL);
    char *text = json_dumps(j, JSON_INDENT(2));
    text_puts(out, text ? text : "{}");
    free(text);
    json_decref(j);
}

static const struct {
    const char *name;
    void (*make)(const struct finding *f, struct text *out);
} files[] = {{"reduced.c", make_reduced},     {"program.c", make_program},
             {"original.c", make_original},   {"expected.txt", make_expected},
             {"actual.txt", make_actual},     {"report.txt", report_text},
             {"reproduce.sh", report_script}, {"finding.json", make_json}};

/* N/NAME. */
void route_file(struct visit *v)
{
    const char *slash = strchr(v->rest, '/');
    uint64_t id;
    struct finding f;
    struct err e = {"which file?"};
    if (!slash ||
        !str_parse_uint(arena_copy(&v->arena, v->rest, (size_t)(slash - v->rest)), INT64_MAX, &id,
                        &e) ||
        !hunt_finding(&v->arena, v->o->campaign, id, &f, &e)) {
        visit_fail(v, 404, e.msg);
        return;
    }
    for (size_t i = 0; i < LENGTH(files); i++)
        if (strcmp(slash + 1, files[i].name) == 0) {
            v->out->type = "application/octet-stream";
            v->out->download = files[i].name;
            files[i].make(&f, &v->out->body);
            return;
        }
    visit_fail(v, 404, "a finding has no such file");
}

/* ---- one bug ------------------------------------------------------------------------------- */

static void put_downloads(struct visit *v, const struct finding *f)
{
    page_put(v, "<h2>Files</h2><ul>");
    for (size_t i = 0; i < LENGTH(files); i++) {
        struct text body = {0};
        files[i].make(f, &body);
        if (body.n)
            text_printf(&v->out->body, "<li><a href=/file/%llu/%s>%s</a>, %zu bytes</li>",
                        (unsigned long long)f->id, files[i].name, files[i].name, body.n);
        text_free(&body);
    }
    page_put(v, "</ul>\n");
}

/* Ready to be pasted into a tracker. */
static void put_report(struct visit *v, const struct report_subject *s)
{
    struct text report = {0};
    report_for_tracker(report_tracker_named("text"), s, &report);
    page_put(v, "<h2>Report</h2><label for=report>To copy into a tracker</label>"
                "<textarea id=report readonly>");
    page_put_text(v, text_str(&report));
    page_put(v, "</textarea>\n");
    text_free(&report);
}

static void put_original(struct visit *v, const struct finding *f)
{
    enum { MOST = 100000 };
    const struct bytes *p = &f->subject.program;
    if (!f->reduced.program.n)
        return; /* it stands above */
    page_put(v, "<details><summary>The program before it was reduced</summary>");
    report_put_source(&v->out->body, p->s, p->n < MOST ? p->n : MOST);
    page_put(v, "</details>\n");
}

void route_bug(struct visit *v)
{
    uint64_t id;
    struct finding f;
    struct err e;
    if (!str_parse_uint(v->rest, INT64_MAX, &id, &e) ||
        !hunt_finding(&v->arena, v->o->campaign, id, &f, &e)) {
        visit_fail(v, 404, e.msg);
        return;
    }
    struct triage_result *triage = NEW(&v->arena, struct triage_result);
    bool triaged = f.triage && *f.triage && triage_from_text(&v->arena, f.triage, triage);
    struct report_subject s = {.finding = &f, .triage = triaged ? triage : NULL};
    page_begin(v, arena_printf(&v->arena, "Bug %llu", (unsigned long long)id));
    page_put(v, "<p id=news role=status></p>\n");
    if (f.same_as)
        text_printf(&v->out->body, "<p>The same bug as <a href=/bug/%llu>%llu</a>.</p>\n",
                    (unsigned long long)f.same_as, (unsigned long long)f.same_as);
    report_put_bug(&v->out->body, &s);
    put_original(v, &f);
    put_report(v, &s);
    put_downloads(v, &f);
    page_end(v);
}
