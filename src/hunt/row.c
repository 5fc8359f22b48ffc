/* A finding as the store keeps it, and back. */
#include "hunt/private.h"

#include <jansson.h>
#include <stdlib.h>

static char *brief_text(struct arena *a, const struct finding *f)
{
    json_t *j = finding_to_json(f, FINDING_BRIEF);
    char *text = json_dumps(j, JSON_COMPACT);
    char *copy = arena_string(a, text ? text : "{}");
    free(text);
    json_decref(j);
    return copy;
}

static char *what_text(struct arena *a, const struct finding *f)
{
    struct text what = {0};
    finding_put_line(f, &what);
    char *copy = arena_string(a, text_str(&what));
    text_free(&what);
    return copy;
}

bool row_write(struct store *s, const struct finding *f, const char *compiler_id, struct err *e)
{
    struct arena a = {0};
    struct store_content c = {.detail = finding_to_text(&a, f),
                              .brief = brief_text(&a, f),
                              .line = {.verdict = verdict_info(f->claim.verdict)->name,
                                       .compiler = f->claim.compiler,
                                       .config = f->claim.config,
                                       .grade = grade_name(f->evidence.grade),
                                       .strategy = f->subject.strategy,
                                       .what = what_text(&a, f),
                                       .lines = f->reduced.lines},
                              .compiler_id = compiler_id ? compiler_id : "",
                              .open = !f->reduced.complete || !f->named};
    bool ok = store_set_content(s, f->id, &c, e);
    arena_free(&a);
    return ok;
}

/* No more of it is known than a line of a table shows. */
static void read_line(const struct store_line *line, struct finding *f)
{
    enum grade grade = grade_named(line->grade);
    *f = (struct finding){.what = line->what,
                          .claim = {.verdict = verdict_named(line->verdict),
                                    .compiler = line->compiler,
                                    .config = line->config},
                          .evidence.grade = grade == GRADE_COUNT ? GRADE_SUSPECT : grade,
                          .subject.strategy = line->strategy,
                          .reduced.lines = line->lines};
}

bool row_read(struct arena *a, const struct store_finding *row, struct finding *f)
{
    if (row->line.config)
        read_line(&row->line, f);
    else if (!finding_from_text(a, row->detail, f))
        return false;
    f->id = row->id;
    f->claim.key = row->key;
    f->count = row->count;
    f->first = row->first;
    f->last = row->last;
    f->same_as = row->same_as;
    f->bug = row->bug;
    return true;
}
