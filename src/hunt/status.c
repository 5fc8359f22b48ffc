/* How a campaign is going, to status.json and back. */
#include "hunt/private.h"

#include <jansson.h>
#include <string.h>

static const char *name_of_state(unsigned s)
{
    return s == HUNT_HUNTING ? "hunting" : "stopped";
}

static const struct record_names states = {name_of_state, HUNT_STOPPED + 1, HUNT_STOPPED};

#define MEMBER(member, kind, key) RECORD_FIELD(struct hunt_status, member, RECORD_##kind, key)
static const struct record_field status_fields[] = {
    {.key = "state",
     .kind = RECORD_NAMED,
     .names = &states,
     .offset = offsetof(struct hunt_status, state)},
    MEMBER(dir, STRING, "dir"),
    MEMBER(pid, INT, "pid"),
    MEMBER(time, I64, "time"),
    MEMBER(elapsed, REAL, "elapsed"),
    MEMBER(limit, REAL, "limit"),
    MEMBER(jobs, UINT, "jobs"),
    MEMBER(programs, U64, "programs"),
    MEMBER(compiles, U64, "compiles"),
    MEMBER(bytes, U64, "bytes"),
    MEMBER(findings, U64, "findings"),
    MEMBER(new_findings, U64, "new"),
    MEMBER(programs_now, U64, "programs_now"),
    MEMBER(compiles_now, U64, "compiles_now"),
    MEMBER(configurations, U64, "configurations"),
    MEMBER(job_cpu, REAL, "job_cpu"),
    MEMBER(own_cpu, REAL, "own_cpu"),
    MEMBER(share, REAL, "share"),
};
#undef MEMBER

#define MEMBER(member, kind, key) RECORD_FIELD(struct hunt_arm, member, RECORD_##kind, key)
static const struct record_field arm_fields[] = {
    MEMBER(name, STRING, "name"),    MEMBER(programs, U64, "programs"),
    MEMBER(skipped, U64, "skipped"), MEMBER(compiles, U64, "compiles"),
    MEMBER(bytes, U64, "bytes"),     MEMBER(findings, U64, "findings"),
    MEMBER(repeats, U64, "repeats"), MEMBER(cpu, REAL, "cpu"),
    MEMBER(share, REAL, "share"),
};
#undef MEMBER

#define MEMBER(member, kind, key) RECORD_FIELD(struct hunt_node, member, RECORD_##kind, key)
static const struct record_field node_fields[] = {
    MEMBER(name, STRING, "name"),      MEMBER(version, STRING, "version"),
    MEMBER(alive, BOOL, "alive"),      MEMBER(jobs, UINT, "jobs"),
    MEMBER(programs, U64, "programs"), MEMBER(compiles, U64, "compiles"),
    MEMBER(cpu, REAL, "cpu"),          MEMBER(silence, REAL, "silence"),
};
static const struct record_layout node_record = RECORD_OF(node_fields);
#undef MEMBER

#define MEMBER(member, kind, key) RECORD_FIELD(struct hunt_tasks, member, RECORD_##kind, key)
static const struct record_field task_fields[] = {
    MEMBER(next, U64, "next"),       MEMBER(done, U64, "done"), MEMBER(leased, U64, "leased"),
    MEMBER(waiting, U64, "waiting"), MEMBER(lost, U64, "lost"), MEMBER(counted, U64, "counted"),
};
#undef MEMBER

static const struct record_layout status_record = RECORD_OF(status_fields),
                                  arm_record = RECORD_OF(arm_fields),
                                  task_record = RECORD_OF(task_fields);

/* ---- findings over time -------------------------------------------------------------- */

static const double first_slot = 2.5; /* a minute fills them all */

static void halve(struct hunt_history *h)
{
    for (size_t i = 0; i < HUNT_SLOTS / 2; i++)
        h->found[i] = h->found[2 * i] + h->found[2 * i + 1];
    memset(h->found + HUNT_SLOTS / 2, 0, sizeof h->found / 2);
    h->slot *= 2;
}

void history_count(struct hunt_history *h, double elapsed, unsigned found)
{
    if (h->slot <= 0)
        h->slot = first_slot;
    while (elapsed >= h->slot * (double)HUNT_SLOTS)
        halve(h);
    size_t at = (size_t)(elapsed / h->slot);
    h->n = at + 1;
    h->found[at] += found;
}

/* ---- writing ------------------------------------------------------------------------- */

static json_t *arms_to_json(const struct hunt_arm *arms, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *j = json_object();
        record_to_json(&arm_record, &arms[i], j);
        json_array_append_new(list, j);
    }
    return list;
}

static json_t *tasks_to_json(const struct hunt_status *s)
{
    json_t *object = json_object();
    for (size_t i = 0; i < s->task_count; i++) {
        json_t *j = json_object();
        record_to_json(&task_record, &s->tasks[i], j);
        json_object_set_new(object, s->tasks[i].strategy, j);
    }
    return object;
}

static json_t *fates_to_json(const struct hunt_status *s)
{
    json_t *object = json_object();
    for (size_t i = 0; i < s->fate_count; i++) {
        const struct hunt_fates *f = &s->fates[i];
        json_t *j = json_pack("{s:I, s:f, s:f, s:f}", "generated", (json_int_t)f->all, "make_cpu",
                              f->make, "run_cpu", f->run, "validate_cpu", f->validate);
        for (size_t k = 0; k < FATE_COUNT; k++)
            json_object_set_new(j, hunt_fate_name(k), json_integer((json_int_t)f->n[k]));
        json_object_set_new(object, f->strategy, j);
    }
    return object;
}

static json_t *counts_to_json(const struct hunt_count *counts, size_t n)
{
    json_t *object = json_object();
    for (size_t i = 0; i < n; i++) {
        json_t *name = record_bytes(counts[i].name, strlen(counts[i].name));
        json_object_set_new(object, json_string_value(name), json_integer((json_int_t)counts[i].n));
        json_decref(name);
    }
    return object;
}

static json_t *timeline_to_json(const struct hunt_timeline *t)
{
    json_t *counts = json_array();
    for (size_t i = 0; i < LENGTH(t->counts); i++)
        json_array_append_new(counts, json_integer((json_int_t)t->counts[i]));
    return json_pack("{s:I, s:I, s:o}", "begin", (json_int_t)t->begin, "end", (json_int_t)t->end,
                     "counts", counts);
}

static json_t *nodes_to_json(const struct hunt_status *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->node_count; i++) {
        json_t *j = json_object();
        record_to_json(&node_record, &s->nodes[i], j);
        json_array_append_new(list, j);
    }
    return list;
}

static json_t *history_to_json(const struct hunt_history *h)
{
    json_t *found = json_array();
    for (size_t i = 0; i < h->n; i++)
        json_array_append_new(found, json_integer(h->found[i]));
    return json_pack("{s:f, s:o}", "slot", h->slot, "found", found);
}

json_t *hunt_status_to_json(const struct hunt_status *s)
{
    json_t *j = json_object(), *newest = json_array();
    json_t *compilers = counts_to_json(s->compilers, s->compiler_count);
    record_to_json(&status_record, s, j);
    for (size_t i = 0; i < s->newest_count; i++)
        json_array_append_new(newest, finding_to_json(&s->newest[i], FINDING_BRIEF));
    json_object_set_new(j, "strategies", arms_to_json(s->strategies, s->strategy_count));
    json_object_set_new(j, "profiles", arms_to_json(s->profiles, s->profile_count));
    json_object_set_new(j, "classes", arms_to_json(s->classes, s->class_count));
    json_object_set_new(j, "compilers", compilers);
    json_object_set_new(j, "newest", newest);
    if (s->verdicts) {
        json_object_set_new(j, "verdicts", counts_to_json(s->verdicts, s->verdict_count));
        json_object_set_new(j, "timeline", timeline_to_json(&s->timeline));
    }
    if (s->nodes)
        json_object_set_new(j, "nodes", nodes_to_json(s));
    json_object_set_new(j, "history", history_to_json(&s->history));
    if (s->tasks)
        json_object_set_new(j, "tasks", tasks_to_json(s));
    if (s->fates)
        json_object_set_new(j, "fates", fates_to_json(s));
    return j;
}

/* ---- reading ------------------------------------------------------------------------- */

static size_t arms_from_json(struct arena *a, const json_t *list, struct hunt_arm **out)
{
    size_t n = json_array_size(list);
    *out = NEW_ARRAY(a, n, struct hunt_arm);
    for (size_t i = 0; i < n; i++)
        record_from_json(&arm_record, a, json_array_get(list, i), &(*out)[i]);
    return n;
}

static void compilers_from_json(struct arena *a, json_t *object, struct hunt_status *out)
{
    const char *name;
    json_t *n;
    out->compilers = NEW_ARRAY(a, json_object_size(object), struct hunt_count);
    json_object_foreach(object, name, n)
    {
        struct hunt_count *c = &out->compilers[out->compiler_count++];
        *c = (struct hunt_count){arena_string(a, name), (uint64_t)json_integer_value(n)};
    }
}

static void newest_from_json(struct arena *a, const json_t *list, struct hunt_status *out)
{
    struct finding *newest = NEW_ARRAY(a, json_array_size(list), struct finding);
    out->newest_count = json_array_size(list);
    for (size_t i = 0; i < out->newest_count; i++)
        finding_from_json(a, json_array_get(list, i), &newest[i]);
    out->newest = newest;
}

static void history_from_json(const json_t *j, struct hunt_history *out)
{
    const json_t *found = json_object_get(j, "found");
    size_t n = json_array_size(found);
    out->slot = json_number_value(json_object_get(j, "slot"));
    out->n = n < HUNT_SLOTS ? n : HUNT_SLOTS;
    for (size_t i = 0; i < out->n; i++)
        out->found[i] = (unsigned)json_integer_value(json_array_get(found, i));
}

void status_from_json(struct arena *a, const json_t *j, struct hunt_status *out)
{
    *out = (struct hunt_status){0};
    record_from_json(&status_record, a, j, out);
    out->strategy_count = arms_from_json(a, json_object_get(j, "strategies"), &out->strategies);
    out->profile_count = arms_from_json(a, json_object_get(j, "profiles"), &out->profiles);
    out->class_count = arms_from_json(a, json_object_get(j, "classes"), &out->classes);
    compilers_from_json(a, json_object_get(j, "compilers"), out);
    newest_from_json(a, json_object_get(j, "newest"), out);
    history_from_json(json_object_get(j, "history"), &out->history);
}
