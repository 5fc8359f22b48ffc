/* Structs to JSON and back.  Takes a table of a struct's members (struct record_layout): what
 * crosses a process or is kept on disk has one such table, and nobody else knows its keys.  Never
 * fails: what is not there is zero. */
#include "base/base.h"

#include <jansson.h>
#include <string.h>

json_t *record_bytes(const char *bytes, size_t n)
{
    struct text t = {0};
    text_add_latin1(&t, bytes, n);
    json_t *j = json_stringn(text_str(&t), t.n);
    text_free(&t);
    return j;
}

const char *record_text(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

/* ---- writing ------------------------------------------------------------------------- */

static json_t *strings_to_json(const struct list *l)
{
    json_t *array = json_array();
    for (size_t i = 0; i < l->n; i++)
        json_array_append_new(array, record_bytes(l->at[i], strlen(l->at[i])));
    return array;
}

static json_t *record_new(const struct record_layout *r, const void *from)
{
    json_t *object = json_object();
    record_to_json(r, from, object);
    return object;
}

static json_t *field_to_json(const struct record_field *f, const void *at)
{
    const char *s;
    switch (f->kind) {
    case RECORD_STRING:
        s = *(const char *const *)at;
        return s ? record_bytes(s, strlen(s)) : record_bytes("", 0);
    case RECORD_BYTES:
        return record_bytes(((const struct bytes *)at)->s, ((const struct bytes *)at)->n);
    case RECORD_BOOL:
        return json_boolean(*(const bool *)at);
    case RECORD_INT:
        return json_integer(*(const int *)at);
    case RECORD_UINT:
        return json_integer(*(const unsigned *)at);
    case RECORD_I64:
        return json_integer((json_int_t) * (const int64_t *)at);
    case RECORD_U64:
        return json_integer((json_int_t) * (const uint64_t *)at);
    case RECORD_REAL:
        return json_real(*(const double *)at);
    case RECORD_STRINGS:
        return strings_to_json(at);
    case RECORD_NAMED:
        return json_string(f->names->name(*(const unsigned *)at));
    case RECORD_RECORD:
        return record_new(f->record, at);
    }
    BUG("a member of kind %d", (int)f->kind);
}

void record_to_json(const struct record_layout *r, const void *from, json_t *object)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct record_field *f = &r->fields[i];
        json_object_set_new(object, f->key, field_to_json(f, (const char *)from + f->offset));
    }
}

/* ---- reading ------------------------------------------------------------------------- */

static struct bytes bytes_from_json(struct arena *a, const json_t *j)
{
    struct text t = {0};
    if (json_is_string(j))
        text_add_from_latin1(&t, json_string_value(j), json_string_length(j));
    struct bytes b = {arena_copy(a, text_str(&t), t.n), t.n};
    text_free(&t);
    return b;
}

static unsigned named_from_json(const struct record_names *names, const json_t *j)
{
    const char *name = json_string_value(j);
    for (unsigned i = 0; name && i < names->count; i++)
        if (strcmp(names->name(i), name) == 0)
            return i;
    return names->unknown;
}

static void field_from_json(const struct record_field *f, struct arena *a, const json_t *j,
                            void *at)
{
    switch (f->kind) {
    case RECORD_STRING:
        *(const char **)at = bytes_from_json(a, j).s;
        return;
    case RECORD_BYTES:
        *(struct bytes *)at = bytes_from_json(a, j);
        return;
    case RECORD_BOOL:
        *(bool *)at = json_is_true(j);
        return;
    case RECORD_INT:
        *(int *)at = (int)json_integer_value(j);
        return;
    case RECORD_UINT:
        *(unsigned *)at = (unsigned)json_integer_value(j);
        return;
    case RECORD_I64:
        *(int64_t *)at = (int64_t)json_integer_value(j);
        return;
    case RECORD_U64:
        *(uint64_t *)at = (uint64_t)json_integer_value(j);
        return;
    case RECORD_REAL:
        *(double *)at = json_number_value(j);
        return;
    case RECORD_STRINGS:
        for (size_t i = 0; i < json_array_size(j); i++)
            list_add(a, at, (char *)bytes_from_json(a, json_array_get(j, i)).s);
        return;
    case RECORD_NAMED:
        *(unsigned *)at = named_from_json(f->names, j);
        return;
    case RECORD_RECORD:
        record_from_json(f->record, a, j, at);
        return;
    }
    BUG("a member of kind %d", (int)f->kind);
}

void record_from_json(const struct record_layout *r, struct arena *a, const json_t *object,
                      void *to)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct record_field *f = &r->fields[i];
        field_from_json(f, a, json_object_get(object, f->key), (char *)to + f->offset);
    }
}

void record_set_version(json_t *object)
{
    if (json_is_object(object))
        json_object_set_new(object, "cupel", json_string(cupel_version));
}
