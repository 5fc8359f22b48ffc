/* What triage found out, to JSON and back.  The keys are known here and nowhere else. */
#include "triage/private.h"

#include <jansson.h>
#include <stdlib.h>

static const char *name_of_method(unsigned m)
{
    return triage_method_name((enum triage_method)m);
}

static const char *name_of_stage(unsigned s)
{
    return triage_stage_name((enum triage_stage)s);
}

static const char *name_of_state(unsigned s)
{
    return triage_state_name((enum triage_state)s);
}

static const struct record_names methods = {name_of_method, METHOD_COUNT, METHOD_NONE},
                                 stages = {name_of_stage, STAGE_COUNT, STAGE_NONE},
                                 states = {name_of_state, TRIAGE_STATES, TRIAGE_UNTRIED};

#define MEMBER(member, kind, key) RECORD_FIELD(struct triage_result, member, RECORD_##kind, key)
#define NAMED(member, names_, key_)                              \
    {                                                            \
        .key = (key_), .kind = RECORD_NAMED, .names = &(names_), \
        .offset = offsetof(struct triage_result, member)         \
    }
static const struct record_field result_fields[] = {
    MEMBER(blame.pass, STRING, "pass"),
    MEMBER(blame.detail, STRING, "detail"),
    MEMBER(blame.switches, STRING, "switches"),
    NAMED(blame.method, methods, "method"),
    MEMBER(blame.compiles, UINT, "blame_compiles"),
    MEMBER(blame.seconds, REAL, "seconds"),
    NAMED(stage, stages, "stage"),
    MEMBER(signature, STRING, "bug"),
    MEMBER(first.what, STRING, "first_wrong"),
    MEMBER(first.shape, STRING, "first_shape"),
    MEMBER(first.source, STRING, "first_source"),
    MEMBER(first.function, STRING, "first_function"),
    MEMBER(first.expected, STRING, "first_expected"),
    MEMBER(first.actual, STRING, "first_actual"),
    MEMBER(first.missed, BOOL, "first_missed"),
    MEMBER(first.line, UINT, "first_line"),
    MEMBER(first.compiles, UINT, "first_compiles"),
    MEMBER(features, STRING, "features"),
    MEMBER(function.name, STRING, "function"),
    MEMBER(function.alone, BOOL, "function_alone"),
    MEMBER(function.compiles, UINT, "function_compiles"),
    MEMBER(matrix.last_good, STRING, "last_good"),
    MEMBER(matrix.first_bad, STRING, "first_bad"),
    MEMBER(matrix.fixed_in, STRING, "fixed_in"),
    MEMBER(matrix.compiles, UINT, "matrix_compiles"),
};
#undef MEMBER
#undef NAMED

static const struct record_field row_fields[] = {
    RECORD_FIELD(struct triage_row, compiler, RECORD_STRING, "compiler"),
    RECORD_FIELD(struct triage_row, version, RECORD_STRING, "version"),
    RECORD_FIELD(struct triage_row, other, RECORD_BOOL, "other_family"),
    RECORD_FIELD(struct triage_row, shown, RECORD_BOOL, "shown"),
    RECORD_FIELD(struct triage_row, told, RECORD_BOOL, "told"),
};

static const struct record_field cell_fields[] = {
    RECORD_FIELD(struct triage_cell, level, RECORD_STRING, "level"),
    RECORD_FIELD(struct triage_cell, config, RECORD_STRING, "config"),
    RECORD_FIELD(struct triage_cell, narrow, RECORD_BOOL, "m32"),
    {.key = "state",
     .kind = RECORD_NAMED,
     .names = &states,
     .offset = offsetof(struct triage_cell, state)},
};

static const struct record_layout result_layout = RECORD_OF(result_fields),
                                  row_layout = RECORD_OF(row_fields),
                                  cell_layout = RECORD_OF(cell_fields);

static json_t *row_to_json(const struct triage_row *r)
{
    json_t *row = json_object(), *cells = json_array();
    record_to_json(&row_layout, r, row);
    for (size_t i = 0; i < r->n; i++) {
        json_t *cell = json_object();
        record_to_json(&cell_layout, &r->cells[i], cell);
        json_array_append_new(cells, cell);
    }
    json_object_set_new(row, "cells", cells);
    return row;
}

json_t *triage_to_json(const struct triage_result *r)
{
    json_t *top = json_object(), *rows = json_array();
    record_to_json(&result_layout, r, top);
    for (size_t i = 0; i < r->matrix.n; i++)
        json_array_append_new(rows, row_to_json(&r->matrix.rows[i]));
    json_object_set_new(top, "matrix", rows);
    return top;
}

static void row_from_json(struct arena *a, const json_t *j, struct triage_row *out)
{
    const json_t *cells = json_object_get(j, "cells");
    record_from_json(&row_layout, a, j, out);
    out->n = json_array_size(cells);
    out->cells = NEW_ARRAY(a, out->n, struct triage_cell);
    for (size_t i = 0; i < out->n; i++)
        record_from_json(&cell_layout, a, json_array_get(cells, i), &out->cells[i]);
}

bool triage_from_json(struct arena *a, const json_t *j, struct triage_result *out)
{
    const json_t *rows = json_object_get(j, "matrix");
    *out = (struct triage_result){0};
    if (!json_is_object(j))
        return false;
    record_from_json(&result_layout, a, j, out);
    out->matrix.n = json_array_size(rows);
    out->matrix.rows = NEW_ARRAY(a, out->matrix.n, struct triage_row);
    for (size_t i = 0; i < out->matrix.n; i++)
        row_from_json(a, json_array_get(rows, i), &out->matrix.rows[i]);
    return true;
}

const char *triage_to_text(struct arena *a, const struct triage_result *r)
{
    json_t *j = triage_to_json(r);
    char *text = json_dumps(j, JSON_INDENT(1));
    const char *copy = arena_string(a, text ? text : "");
    free(text);
    json_decref(j);
    return copy;
}

bool triage_from_text(struct arena *a, const char *text, struct triage_result *out)
{
    json_t *j = json_loads(text, JSON_ALLOW_NUL, NULL);
    bool ok = j && triage_from_json(a, j, out);
    json_decref(j);
    return ok;
}
