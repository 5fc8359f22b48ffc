/* A finding as a folder that people and scripts can use without cupel. */
#include "report/report.h"

#include "sys/sys.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool write_bytes(const char *folder, const char *name, struct bytes b, struct err *e)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/%s", folder, name);
    bool ok = sys_write_file(path, b.s ? b.s : "", b.n, e);
    if (ok && str_has_suffix(name, ".sh"))
        chmod(path, 0755);
    arena_free(&a);
    return ok;
}

static bool write_text(const char *folder, const char *name, struct text *t, struct err *e)
{
    bool ok = write_bytes(folder, name, (struct bytes){text_str(t), t->n}, e);
    text_free(t);
    return ok;
}

/* Of a variant: what it was made from, and what was changed. */
static bool write_original(const char *folder, const struct finding_subject *s, struct err *e)
{
    struct text before = {0}, after = {0}, diff = {0};
    if (!s->original.n)
        return true;
    text_add(&before, s->original.s, s->original.n);
    text_add(&after, s->program.s, s->program.n);
    text_diff(&before, &after, "original.c", "program.c", &diff);
    text_free(&after);
    bool ok = write_text(folder, "original.c", &before, e);
    return write_text(folder, "variant.diff", &diff, e) && ok;
}

static bool write_reduced(const char *folder, const struct finding_reduced *r, struct err *e)
{
    return !r->program.n || (write_bytes(folder, "reduced.c", r->program, e) &&
                             write_bytes(folder, "reduced.txt", r->expected, e));
}

static bool write_json(const char *folder, const struct finding *f, struct err *e)
{
    struct text t = {0};
    json_t *j = finding_to_json(f, FINDING_FULL);
    char *json = json_dumps(j, JSON_INDENT(2));
    text_printf(&t, "%s\n", json ? json : "{}");
    free(json);
    json_decref(j);
    return write_text(folder, "finding.json", &t, e);
}

static bool write_words(const char *folder, const struct finding *f, struct err *e)
{
    struct text script = {0}, report = {0};
    report_script(f, &script);
    report_text(f, &report);
    bool ok = write_text(folder, "reproduce.sh", &script, e);
    return write_text(folder, "report.txt", &report, e) && ok;
}

bool report_write_folder(const char *folder, const struct finding *f, struct err *e)
{
    const struct finding_subject *s = &f->subject;
    const char *triage = f->triage ? f->triage : "";
    return sys_make_dirs(folder, e) && write_bytes(folder, "program.c", s->program, e) &&
           (!*triage ||
            write_bytes(folder, TRIAGE_FILE, (struct bytes){triage, strlen(triage)}, e)) &&
           (!s->runs || (write_bytes(folder, "expected.txt", s->expected, e) &&
                         write_bytes(folder, "actual.txt", f->seen.output, e))) &&
           write_original(folder, s, e) && write_reduced(folder, &f->reduced, e) &&
           write_words(folder, f, e) && write_json(folder, f, e);
}
