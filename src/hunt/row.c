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

bool row_write(struct store *s, const struct finding *f, const char *compiler_id, struct err *e)
{
    struct arena a = {0};
    struct store_content c = {.detail = finding_to_text(&a, f),
                              .brief = brief_text(&a, f),
                              .verdict = verdict_info(f->claim.verdict)->name,
                              .compiler = f->claim.compiler,
                              .compiler_id = compiler_id ? compiler_id : "",
                              .open = !f->reduced.complete || !f->named};
    bool ok = store_set_content(s, f->id, &c, e);
    arena_free(&a);
    return ok;
}

bool row_read(struct arena *a, const struct store_finding *row, struct finding *f)
{
    if (!finding_from_text(a, row->detail, f))
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
