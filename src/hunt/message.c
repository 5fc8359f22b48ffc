/* What workers and the coordinator say to each other: struct message to bytes and back.  Nobody
 * else knows how it looks on the way. */
#include "hunt/private.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of_type(unsigned type)
{
    static const char *const names[] = {[MESSAGE_PLAN] = "plan",
                                        [MESSAGE_TASK] = "task",
                                        [MESSAGE_ASK] = "ask",
                                        [MESSAGE_ANSWER] = "answer",
                                        [MESSAGE_DONE] = "done",
                                        [MESSAGE_REDUCE] = "reduce",
                                        [MESSAGE_REDUCED] = "reduced",
                                        [MESSAGE_FAILED] = "failed",
                                        [MESSAGE_NAME] = "name",
                                        [MESSAGE_RECHECK] = "recheck",
                                        [MESSAGE_RECHECKED] = "rechecked"};
    return names[type];
}

static const char *name_of_strategy(unsigned s)
{
    return strategy_name((enum strategy)s);
}

static const char *name_of_class(unsigned c)
{
    return cc_class_name((enum cc_class)c);
}

static const char *name_of_fate(unsigned f)
{
    return hunt_fate_name(f);
}

static const struct record_names types = {name_of_type, MESSAGE_FAILED + 1, MESSAGE_FAILED},
                                 strategies = {name_of_strategy, STRATEGY_COUNT, STRATEGY_COUNT},
                                 drawn_classes = {name_of_class, CC_CLASS_COUNT, CC_CLASS_PLAIN},
                                 fates = {name_of_fate, FATE_COUNT, FATE_USABLE};

#define MEMBER(member, kind, key) RECORD_FIELD(struct message, member, RECORD_##kind, key)
#define NAMED(member, names_, key_)                              \
    {                                                            \
        .key = (key_), .kind = RECORD_NAMED, .names = &(names_), \
        .offset = offsetof(struct message, member)               \
    }

static const struct record_field type_fields[] = {NAMED(type, types, "type")};
static const struct record_field task_fields[] = {
    NAMED(task.strategy, strategies, "strategy"),
    MEMBER(task.number, U64, "number"),
    MEMBER(task.profile, STRING, "profile"),
    NAMED(task.class, drawn_classes, "class"),
};
static const struct record_field key_fields[] = {MEMBER(keys, STRINGS, "keys")};
static const struct record_field done_fields[] = {
    MEMBER(done.skipped, BOOL, "skipped"),
    MEMBER(done.compiles, U64, "compiles"),
    MEMBER(done.runs, U64, "runs"),
    MEMBER(done.bytes, U64, "bytes"),
    MEMBER(done.job_cpu, REAL, "job_cpu"),
    MEMBER(done.own_cpu, REAL, "own_cpu"),
    MEMBER(done.sick, STRING, "sick"),
    NAMED(done.fate, fates, "fate"),
    MEMBER(done.why, STRING, "why"),
    MEMBER(done.phase_cpu[PHASE_MAKE], REAL, "make_cpu"),
    MEMBER(done.phase_cpu[PHASE_RUN], REAL, "run_cpu"),
    MEMBER(done.phase_cpu[PHASE_VALIDATE], REAL, "validate_cpu"),
};
static const struct record_field reduce_fields[] = {MEMBER(seconds, REAL, "seconds"),
                                                    MEMBER(clock, REAL, "clock")};
static const struct record_field failed_fields[] = {MEMBER(why, STRING, "why")};

static const struct record_field recheck_fields[] = {MEMBER(command, STRING, "command")};

static const struct record_layout type_record = RECORD_OF(type_fields);
static const struct record_layout bodies[] = {
    [MESSAGE_PLAN] = {NULL, 0},
    [MESSAGE_TASK] = RECORD_OF(task_fields),
    [MESSAGE_ASK] = RECORD_OF(key_fields),
    [MESSAGE_ANSWER] = RECORD_OF(key_fields),
    [MESSAGE_DONE] = RECORD_OF(done_fields),
    [MESSAGE_REDUCE] = RECORD_OF(reduce_fields),
    [MESSAGE_REDUCED] = RECORD_OF(done_fields),
    [MESSAGE_NAME] = {NULL, 0},
    [MESSAGE_RECHECK] = RECORD_OF(recheck_fields),
    [MESSAGE_RECHECKED] = RECORD_OF(done_fields),
    [MESSAGE_FAILED] = RECORD_OF(failed_fields),
};

static bool has_finding(const struct message *m)
{
    return m->type == MESSAGE_REDUCE || m->type == MESSAGE_REDUCED || m->type == MESSAGE_NAME ||
           m->type == MESSAGE_RECHECK;
}

static json_t *findings_to_json(const struct result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->n; i++)
        json_array_append_new(list, finding_to_json(&r->findings[i], FINDING_FULL));
    return list;
}

static void findings_from_json(struct arena *a, const json_t *list, struct result *r)
{
    r->n = json_array_size(list);
    r->findings = NEW_ARRAY(a, r->n, struct finding);
    for (size_t i = 0; i < r->n; i++)
        finding_from_json(a, json_array_get(list, i), &r->findings[i]);
}

bool message_encode(const struct message *m, char **bytes, size_t *n)
{
    json_t *j = json_object();
    record_to_json(&type_record, m, j);
    record_to_json(&bodies[m->type], m, j);
    if (m->type == MESSAGE_PLAN)
        json_object_set_new(j, "plan", plan_to_json(&m->plan));
    if (m->type == MESSAGE_DONE)
        json_object_set_new(j, "findings", findings_to_json(&m->done));
    if (m->type == MESSAGE_RECHECKED)
        record_to_json(&errand_reply_record, &m->reply, j);
    if (has_finding(m))
        json_object_set_new(j, "finding", finding_to_json(&m->finding, FINDING_FULL));
    *bytes = json_dumps(j, JSON_COMPACT);
    *n = *bytes ? strlen(*bytes) : 0;
    json_decref(j);
    return *bytes != NULL;
}

bool message_send(const struct sys_peer *to, const struct message *m)
{
    char *bytes;
    size_t n;
    bool ok = message_encode(m, &bytes, &n) && sys_peer_send(to, bytes, n);
    free(bytes);
    return ok;
}

bool message_decode(struct arena *a, const struct text *bytes, struct message *out)
{
    json_t *j = json_loadb(text_str(bytes), bytes->n, JSON_ALLOW_NUL, NULL);
    *out = (struct message){0};
    if (!json_is_object(j)) {
        json_decref(j);
        return false;
    }
    record_from_json(&type_record, a, j, out);
    record_from_json(&bodies[out->type], a, j, out);
    if (out->type == MESSAGE_PLAN)
        plan_from_json(a, json_object_get(j, "plan"), &out->plan);
    if (out->type == MESSAGE_DONE)
        findings_from_json(a, json_object_get(j, "findings"), &out->done);
    if (out->type == MESSAGE_RECHECKED)
        record_from_json(&errand_reply_record, a, j, &out->reply);
    if (has_finding(out))
        finding_from_json(a, json_object_get(j, "finding"), &out->finding);
    json_decref(j);
    return out->type != MESSAGE_TASK || out->task.strategy != STRATEGY_COUNT;
}
