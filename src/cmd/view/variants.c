/* What came of variants, as text and as JSON. */
#include "cmd/view/view.h"

#include <string.h>

static int percent(size_t part, size_t whole)
{
    return whole ? (int)((part * 100 + whole / 2) / whole) : 0;
}

/* ---- one program ------------------------------------------------------------------------ */

size_t variants_count(const json_t *j, const char *key)
{
    return (size_t)json_integer_value(json_object_get(j, key));
}

static void put_lines(struct text *out, const json_t *j)
{
    static const struct {
        const char *key, *line;
    } rows[] = {
        {"unsteady",
         "of the inputs not compared: what the program does there differs from run to run"},
        {"unstable",
         "differences could not be seen again, or not with everything elsewhere in memory"},
        {"refused", "rejections do not count: no unrelated compiler accepts the same text"},
        {"aliasing",
         "differences end with -fno-strict-aliasing, and may be the program's own doing: "
         "which types reach allocated memory is not judged, nor any where the machine "
         "did not run it"},
        {"rounding",
         "differences end when floating operations are rounded one by one, in the order "
         "of the source"},
        {"shifting", "differences are of no compiler's making: what the program runs differs from "
                     "run to run"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        size_t n = variants_count(j, rows[i].key);
        if (n)
            text_printf(out, "    %zu %s\n", n, rows[i].line);
    }
}

void variants_put_shares(const json_t *j, struct text *out)
{
    size_t trials = variants_count(j, "trials"), optimised = variants_count(j, "optimised");
    text_printf(out, "    %zu trials", trials);
    if (optimised)
        text_printf(out, "; %d%% of %zu optimised ones changed the code",
                    percent(variants_count(j, "changed"), optimised), optimised);
    text_printf(out, "; %d%% had an object that was known, and were not run again\n",
                percent(variants_count(j, "skipped"), trials));
    put_lines(out, j);
}

static void put_subject(struct text *out, const struct emi_subject *s)
{
    struct vary_summary v = emi_summary(s);
    text_printf(out, "%s", s->units[0].file);
    if (s->unit_count > 1)
        text_printf(out, " and %zu more", s->unit_count - 1);
    text_printf(out,
                ": %u statements, %u of them never ran; %u functions, %u never called; %u "
                "conditions always went one way (facts: %s)\n",
                v.statements, v.dead, v.functions, v.uncalled, v.one_way,
                emi_source_name(s->source));
    if (*s->why)
        text_printf(out, "    the machine does not run it: %s\n", s->why);
}

static void put_made(struct text *out, const struct emi_report *r)
{
    const char *comma = "";
    for (unsigned i = 0; i < MUTATION_COUNT; i++)
        if (r->made[i]) {
            text_printf(out, "%s%s %u", comma, vary_mutation_info[i].name, r->made[i]);
            comma = ", ";
        }
}

static void put_finding(struct text *out, const struct variants *s, const struct emi_finding *f)
{
    bool original = f->variant == EMI_ORIGINAL;
    text_printf(out, "\nfinding: %s: ", s->configs[f->config].text);
    if (original)
        text_printf(out, "the original itself: %s\n    must be:  %s\n    is:       %s\n", f->kind,
                    f->was, f->is);
    else
        text_printf(out, "variant %ld: %s\n    original: %s\n    variant:  %s\n", f->variant,
                    f->kind, f->was, f->is);
    text_printf(out, "    %s\n%s", f->command, f->diff);
}

/* Adds {"config": ..., "why": ...} for each configuration that said nothing. */
static void add_untested(const struct variants *v, json_t *list)
{
    const struct emi_report *r = v->report;
    for (size_t i = 0; !v->no_test && i < v->config_count; i++) {
        const struct outcome *o = &r->originals[i];
        struct text why = {0};
        if (r->foreign[i])
            text_puts(&why, "its programs are for another machine than its name says: see --run");
        else if (r->strayed[i])
            text_puts(&why, "the original does something else there than where it was seen what "
                            "runs: see cupel test");
        else if (!r->usable[i])
            text_printf(&why, "the original %s%s%s",
                        o->kind == OUTCOME_BUILT ? "is cut off" : outcome_info(o->kind)->phrase,
                        *o->message ? ": " : "", o->message);
        if (why.n)
            variants_add_untested(list, &v->configs[i], text_str(&why));
        text_free(&why);
    }
}

void variants_add_untested(json_t *list, const struct cc_config *config, const char *why)
{
    json_array_append_new(list, json_pack("{s:s, s:s}", "config", config->text, "why", why));
}

void variants_put_untested(const json_t *list, struct text *out)
{
    size_t i;
    json_t *one;
    json_array_foreach(list, i, one) text_printf(out, "    %s: not tested: %s\n",
                                                 json_string_value(json_object_get(one, "config")),
                                                 json_string_value(json_object_get(one, "why")));
}

void variants_put(const struct variants *v, struct text *out)
{
    const struct emi_report *r = v->report;
    put_subject(out, v->subject);
    text_printf(out, "    %zu variants in %s: ", r->variants, v->output);
    put_made(out, r);
    text_puts(out, r->empty == r->variants ? "nothing to vary\n" : "\n");
    if (v->no_test)
        return;
    json_t *j = variants_json(v);
    variants_put_untested(json_object_get(j, "untested"), out);
    variants_put_shares(j, out);
    json_decref(j);
    for (size_t i = 0; i < r->finding_count; i++)
        put_finding(out, v, &r->findings[i]);
}

static json_t *finding_json(const struct variants *v, const struct emi_finding *f)
{
    return json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:s?, s:s}", "variant", (json_int_t)f->variant,
                     "config", v->configs[f->config].text, "kind", f->kind, "original", f->was,
                     "behaviour", f->is, "command", f->command, "file", f->file, "diff", f->diff);
}

json_t *variants_json(const struct variants *v)
{
    const struct emi_report *r = v->report;
    struct vary_summary sum = emi_summary(v->subject);
    const struct {
        const char *key;
        size_t n;
    } numbers[] = {
        {"statements", sum.statements}, {"dead", sum.dead},        {"functions", sum.functions},
        {"uncalled", sum.uncalled},     {"variants", r->variants}, {"trials", r->trials},
        {"optimised", r->optimised},    {"changed", r->changed},   {"skipped", r->skipped},
        {"unstable", r->unstable},      {"shifting", r->shifting}, {"refused", r->refused},
        {"unsteady", r->unsteady},      {"aliasing", r->aliasing}, {"rounding", r->rounding},
    };
    json_t *made = json_object(), *findings = json_array(), *untested = json_array();
    json_t *j = json_pack("{s:s, s:s}", "file", v->subject->units[0].file, "facts",
                          emi_source_name(v->subject->source));
    for (size_t i = 0; i < LENGTH(numbers); i++)
        json_object_set_new(j, numbers[i].key, json_integer((json_int_t)numbers[i].n));
    for (unsigned i = 0; i < MUTATION_COUNT; i++)
        json_object_set_new(made, vary_mutation_info[i].name, json_integer(r->made[i]));
    for (size_t i = 0; i < r->finding_count; i++)
        json_array_append_new(findings, finding_json(v, &r->findings[i]));
    add_untested(v, untested);
    json_object_set_new(j, "mutations", made);
    json_object_set_new(j, "untested", untested);
    json_object_set_new(j, "findings", findings);
    return j;
}

static void add_number(json_t *to, const json_t *more, const char *key)
{
    size_t sum = variants_count(to, key) + variants_count(more, key);
    json_object_set_new(to, key, json_integer((json_int_t)sum));
}

void variants_merge(json_t *to, const json_t *more)
{
    static const char *const counts[] = {"variants", "trials",   "optimised", "changed",
                                         "skipped",  "unstable", "shifting",  "refused",
                                         "unsteady", "aliasing", "rounding"};
    const char *name;
    json_t *value;
    for (size_t i = 0; i < LENGTH(counts); i++)
        add_number(to, more, counts[i]);
    json_object_foreach(json_object_get(more, "mutations"), name, value)
        add_number(json_object_get(to, "mutations"), json_object_get(more, "mutations"), name);
    json_array_extend(json_object_get(to, "untested"), json_object_get(more, "untested"));
    json_array_extend(json_object_get(to, "findings"), json_object_get(more, "findings"));
}

/* ---- projects --------------------------------------------------------------------------- */

void project_put(const struct project_told *s, struct text *out)
{
    const struct emi_project_report *r = s->report;
    for (size_t i = 0; i < r->unread.n; i++)
        text_printf(out, "left as it is: %s\n", (char *)r->unread.at[i]);
    for (size_t i = 0; i < s->config_count; i++) {
        const struct emi_project_config *c = &r->configs[i];
        text_printf(out, "%s: ", s->configs[i].text);
        if (c->usable)
            text_printf(
                out,
                "%zu units, %zu of them run by the tests; %zu variants, %zu built, %zu "
                "pass the tests\n"
                "    %d%% of %zu objects changed the code; %d%% were known; %zu variants had "
                "only such, and were not tested again\n",
                c->units, c->covered, s->variants, c->built, c->passed,
                percent(c->objects.changed, c->objects.all), c->objects.all,
                percent(c->objects.known, c->objects.all), c->known);
        else
            text_printf(out, "not tested: %s\n", c->why ? c->why : "interrupted");
    }
    if (r->unstable)
        text_printf(
            out,
            "%zu failures could not be seen again, or not with everything elsewhere in memory\n",
            r->unstable);
    if (r->unlinked)
        text_printf(out,
                    "%zu variants could not be linked: no compiler has to leave out what is only "
                    "declared, or inline\n",
                    r->unlinked);
    if (r->refused)
        text_printf(out,
                    "%zu variants do not count: no unrelated compiler accepts one of their units\n",
                    r->refused);
    if (r->shifting)
        text_printf(out,
                    "%zu failures were of no compiler's making: what the project runs differs from "
                    "build to build\n",
                    r->shifting);
    for (size_t i = 0; i < r->finding_count; i++) {
        const struct emi_project_finding *f = &r->findings[i];
        text_printf(out,
                    "\nfinding: %s: variant %zu: %s\n    %zu of %zu edits in %zu of %zu units do "
                    "it, after %zu builds: %s\n%s\n%s",
                    s->configs[f->config].text, f->variant, f->kind, f->edits, f->all_edits,
                    f->units, f->all_units, f->steps, f->file, f->said, f->diff);
    }
}

json_t *project_json(const struct project_told *s)
{
    const struct emi_project_report *r = s->report;
    json_t *configs = json_array(), *findings = json_array(), *unread = json_array();
    for (size_t i = 0; i < s->config_count; i++) {
        const struct emi_project_config *c = &r->configs[i];
        json_array_append_new(
            configs, json_pack("{s:s, s:b, s:s?, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "config",
                               s->configs[i].text, "usable", c->usable, "why", c->why, "units",
                               (json_int_t)c->units, "covered", (json_int_t)c->covered, "built",
                               (json_int_t)c->built, "passed", (json_int_t)c->passed, "known",
                               (json_int_t)c->known, "objects", (json_int_t)c->objects.all,
                               "objects_changed", (json_int_t)c->objects.changed, "objects_known",
                               (json_int_t)c->objects.known));
    }
    for (size_t i = 0; i < r->finding_count; i++) {
        const struct emi_project_finding *f = &r->findings[i];
        json_array_append_new(
            findings, json_pack("{s:s, s:I, s:s, s:I, s:I, s:I, s:s, s:s, s:s}", "config",
                                s->configs[f->config].text, "variant", (json_int_t)f->variant,
                                "kind", f->kind, "units", (json_int_t)f->units, "edits",
                                (json_int_t)f->edits, "builds", (json_int_t)f->steps, "file",
                                f->file, "said", f->said, "diff", f->diff));
    }
    for (size_t i = 0; i < r->unread.n; i++)
        json_array_append_new(unread, json_string(r->unread.at[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:I, s:I}", "project", s->dir, "configs",
                     configs, "unread", unread, "findings", findings, "unstable",
                     (json_int_t)r->unstable, "shifting", (json_int_t)r->shifting, "unlinked",
                     (json_int_t)r->unlinked, "refused", (json_int_t)r->refused);
}
