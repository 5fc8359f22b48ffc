/* A finding to JSON and back.  The keys are known here and nowhere else. */
#include "finding/finding.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of_verdict(unsigned v)
{
    return verdict_info((enum verdict)v)->name;
}

static const char *name_of_grade(unsigned g)
{
    return grade_name((enum grade)g);
}

static const struct record_names verdicts = {name_of_verdict, VERDICT_COUNT, VERDICT_NONE},
                                 grades = {name_of_grade, GRADE_COUNT, GRADE_SUSPECT};

#define MEMBER(member, kind, key) RECORD_FIELD(struct finding, member, RECORD_##kind, key)
#define NAMED(member, names_, key_)                              \
    {                                                            \
        .key = (key_), .kind = RECORD_NAMED, .names = &(names_), \
        .offset = offsetof(struct finding, member)               \
    }

/* What scripts lean on: `cupel list --json`. */
static const struct record_field brief_fields[] = {
    MEMBER(id, U64, "id"),
    NAMED(claim.verdict, verdicts, "verdict"),
    MEMBER(claim.config, STRING, "config"),
    MEMBER(claim.signature, STRING, "signature"),
    NAMED(evidence.grade, grades, "grade"),
    MEMBER(count, U64, "count"),
    MEMBER(claim.compiler, STRING, "compiler"),
    MEMBER(claim.levels, STRING, "levels"),
    MEMBER(claim.version, STRING, "version"),
    MEMBER(claim.key, STRING, "key"),
    MEMBER(claim.affected, STRINGS, "affected"),
    MEMBER(subject.strategy, STRING, "strategy"),
    MEMBER(subject.number, U64, "number"),
    MEMBER(subject.origin, STRING, "seed"),
    MEMBER(first, I64, "first"),
    MEMBER(last, I64, "last"),
    MEMBER(muted, BOOL, "muted"),
    MEMBER(same_as, U64, "same_as"),
    MEMBER(merged, U64, "merged"),
    MEMBER(bug, STRING, "bug"),
    MEMBER(what, STRING, "what"),
};

static const struct record_field further_fields[] = {
    MEMBER(claim.family, STRING, "family"),
    MEMBER(claim.limit, REAL, "limit"),
    MEMBER(subject.target, STRING, "target"),
    MEMBER(subject.compile_only, BOOL, "compile_only"),
    MEMBER(subject.runs, BOOL, "runs"),
    MEMBER(subject.valid, BOOL, "valid"),
    MEMBER(subject.status, INT, "status"),
    MEMBER(subject.undefined, STRING, "undefined"),
    MEMBER(subject.expected, BYTES, "expected"),
    MEMBER(subject.program, BYTES, "program"),
    MEMBER(subject.original, BYTES, "original"),
    MEMBER(again.command, STRING, "command"),
    MEMBER(again.emulator, STRING, "emulator"),
    MEMBER(again.run_timeout, REAL, "run_timeout"),
    MEMBER(again.compile_timeout, REAL, "compile_timeout"),
    MEMBER(triage, STRING, "triage"),
    MEMBER(named, BOOL, "named"),
};

static const struct record_field seen_fields[] = {
    RECORD_FIELD(struct finding_seen, end, RECORD_STRING, "end"),
    RECORD_FIELD(struct finding_seen, output, RECORD_BYTES, "output"),
    RECORD_FIELD(struct finding_seen, message, RECORD_STRING, "message"),
    RECORD_FIELD(struct finding_seen, compile_seconds, RECORD_REAL, "compile_seconds"),
    RECORD_FIELD(struct finding_seen, compile_megabytes, RECORD_REAL, "compile_megabytes"),
};

#undef MEMBER
#undef NAMED
#define MEMBER(member, kind, key) RECORD_FIELD(struct finding_reduced, member, RECORD_##kind, key)
static const struct record_field reduced_fields[] = {
    MEMBER(program, BYTES, "program"),
    MEMBER(expected, BYTES, "expected"),
    MEMBER(status, INT, "status"),
    MEMBER(lines, U64, "lines"),
    MEMBER(bytes, U64, "bytes"),
    MEMBER(tries, U64, "tries"),
    MEMBER(cpu, REAL, "cpu"),
    MEMBER(complete, BOOL, "complete"),
    MEMBER(why, STRING, "why"),
    MEMBER(slid, BOOL, "slid"),
    {.key = "grade",
     .kind = RECORD_NAMED,
     .names = &grades,
     .offset = offsetof(struct finding_reduced, grade)},
};
#undef MEMBER

static const struct record_field blame_fields[] = {
    RECORD_FIELD(struct finding_blame, pass, RECORD_STRING, "pass"),
    RECORD_FIELD(struct finding_blame, detail, RECORD_STRING, "detail"),
    RECORD_FIELD(struct finding_blame, wrong, RECORD_STRING, "wrong"),
    RECORD_FIELD(struct finding_blame, done, RECORD_BOOL, "done"),
};

#define MEMBER(member) RECORD_FIELD(struct finding_missed, member, RECORD_STRING, #member)
static const struct record_field missed_fields[] = {
    MEMBER(identity), MEMBER(code), MEMBER(twin_code), MEMBER(better), MEMBER(better_code),
};
#undef MEMBER

static const struct record_layout reduced = RECORD_OF(reduced_fields),
                                  blame = RECORD_OF(blame_fields),
                                  missed = RECORD_OF(missed_fields);
static const struct record_layout brief = RECORD_OF(brief_fields),
                                  further = RECORD_OF(further_fields),
                                  seen = RECORD_OF(seen_fields);

/* ---- evidence ------------------------------------------------------------------------ */

static json_t *rungs_to_json(const struct rung_result *rungs)
{
    json_t *list = json_array();
    for (size_t i = 0; i < RUNG_COUNT; i++)
        if (rungs[i].state != RUNG_UNTRIED)
            json_array_append_new(list,
                                  json_pack("{s:s, s:s, s:o}", "rung", rung_name((enum rung)i),
                                            "state", rung_state_name(rungs[i].state), "note",
                                            record_bytes(rungs[i].note, strlen(rungs[i].note))));
    return list;
}

static void rungs_from_json(struct arena *a, const json_t *list, struct rung_result *rungs)
{
    static const struct record_field fields[] = {
        RECORD_FIELD(struct rung_result, note, RECORD_STRING, "note")};
    static const struct record_layout note = RECORD_OF(fields);
    for (size_t i = 0; i < RUNG_COUNT; i++)
        rungs[i].note = "";
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *j = json_array_get(list, k);
        for (size_t i = 0; i < RUNG_COUNT; i++)
            if (strcmp(rung_name((enum rung)i), record_text(j, "rung")) == 0) {
                record_from_json(&note, a, j, &rungs[i]);
                rungs[i].state = rung_state_named(record_text(j, "state"));
            }
    }
}

/* ---- findings ------------------------------------------------------------------------ */

static json_t *part_to_json(const struct record_layout *layout, const void *part)
{
    json_t *j = json_object();
    record_to_json(layout, part, j);
    return j;
}

static json_t *what_to_json(const struct finding *f)
{
    struct text what = {0};
    finding_put_line(f, &what);
    json_t *j = record_bytes(text_str(&what), what.n);
    text_free(&what);
    return j;
}

json_t *finding_to_json(const struct finding *f, enum finding_detail detail)
{
    json_t *j = json_object();
    record_to_json(&brief, f, j);
    json_object_set_new(j, "what", what_to_json(f));
    json_object_set_new(j, "lines", json_integer((json_int_t)f->reduced.lines));
    json_object_set_new(j, "blame", part_to_json(&blame, &f->blame));
    if (detail == FINDING_BRIEF)
        return j;
    record_to_json(&further, f, j);
    if (!f->subject.original.n)
        json_object_del(j, "original");
    json_object_set_new(j, "actual", part_to_json(&seen, &f->seen));
    json_t *small = part_to_json(&reduced, &f->reduced);
    if (f->reduced.seen.end)
        json_object_set_new(small, "actual", part_to_json(&seen, &f->reduced.seen));
    json_object_set_new(j, "reduced", small);
    json_object_set_new(j, "evidence", rungs_to_json(f->evidence.rungs));
    if (f->missed.identity && *f->missed.identity)
        json_object_set_new(j, "missed", part_to_json(&missed, &f->missed));
    return j;
}

bool finding_from_json(struct arena *a, const json_t *j, struct finding *out)
{
    *out = (struct finding){0};
    if (!json_is_object(j))
        return false;
    record_from_json(&brief, a, j, out);
    record_from_json(&further, a, j, out);
    record_from_json(&seen, a, json_object_get(j, "actual"), &out->seen);
    record_from_json(&reduced, a, json_object_get(j, "reduced"), &out->reduced);
    const json_t *small = json_object_get(json_object_get(j, "reduced"), "actual");
    if (small)
        record_from_json(&seen, a, small, &out->reduced.seen);
    record_from_json(&blame, a, json_object_get(j, "blame"), &out->blame);
    record_from_json(&missed, a, json_object_get(j, "missed"), &out->missed);
    if (!out->reduced.lines)
        out->reduced.lines = (uint64_t)json_integer_value(json_object_get(j, "lines"));
    rungs_from_json(a, json_object_get(j, "evidence"), out->evidence.rungs);
    return true;
}

char *finding_to_text(struct arena *a, const struct finding *f)
{
    json_t *j = finding_to_json(f, FINDING_FULL);
    char *text = json_dumps(j, JSON_COMPACT);
    char *copy = arena_string(a, text ? text : "{}");
    free(text);
    json_decref(j);
    return copy;
}

bool finding_from_text(struct arena *a, const char *text, struct finding *out)
{
    json_t *j = json_loads(text, JSON_ALLOW_NUL, NULL);
    bool ok = finding_from_json(a, j, out);
    json_decref(j);
    return ok;
}

struct judge_claim finding_judge_claim(const struct finding *f, struct judge_expectation *expect)
{
    *expect = (struct judge_expectation){
        .runs = f->subject.runs,
        .out = f->subject.expected.s,
        .out_size = f->subject.expected.n,
        .status = f->subject.status,
        .valid = f->subject.valid,
        .undefined = f->subject.undefined && *f->subject.undefined ? f->subject.undefined : NULL};
    return (struct judge_claim){.verdict = f->claim.verdict,
                                .signature = f->claim.signature,
                                .expect = expect,
                                .limit = f->claim.limit};
}
