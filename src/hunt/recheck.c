/* Which findings still hold?  Each is tried again as its report says, with its own compiler or
 * with another one. */
#include "hunt/private.h"

#include "sys/sys.h"

#include <pthread.h>
#include <string.h>

struct recheck {
    const struct hunt_recheck *o;
    struct cc_labs labs;
    json_t *findings;
    json_t **results; /* per finding */
    struct arena *arenas;
    pthread_mutex_t lock;
    size_t done;
};

/* The finding's flags behind another compiler; false when that is of another family. */
static bool config_of(struct arena *a, const struct hunt_recheck *o, const json_t *f,
                      struct cc_config *out, struct err *e)
{
    const char *text = json_text(f, "config"), *emulator = json_text(f, "emulator");
    if (o->command) {
        char **words = str_split_command(a, text, e);
        struct text line = {0};
        text_puts(&line, o->command->text);
        text_putc(&line, ' ');
        str_join_command(&line, words && words[0] ? words + 1 : words);
        text = arena_string(a, text_str(&line));
        emulator = o->command->emulator;
        text_free(&line);
    }
    return cc_config_parse(a, text, emulator, out, e);
}

/* A compiler of one family is not asked about another's; nobody knows a wrapper's. */
static bool is_meant(const struct hunt_recheck *o, const json_t *f)
{
    struct arena a = {0};
    enum cc_family tried, accused;
    char **words = o->command ? str_split_command(&a, o->command->text, NULL) : NULL;
    bool known = words && words[0] && cc_family_of(words[0], &tried) &&
                 cc_family_of(json_text(f, "family"), &accused);
    arena_free(&a);
    return verdict_named(json_text(f, "verdict")) != VERDICT_NONE && (!known || tried == accused);
}

/* "holds", "gone", or "unclear". */
static bool try_finding(struct recheck *r, unsigned worker, const json_t *f, const char **state,
                        struct err *e)
{
    static char *const none[] = {NULL};
    struct arena *a = &r->arenas[worker];
    struct cc_lab *lab = &r->labs.at[worker];
    struct cc_config config;
    struct text program = {0}, expected = {0};
    struct outcome o;
    char *units[] = {arena_printf(a, "%s/recheck%u.c", r->labs.scratch.path, worker), NULL};
    bytes_of_json(json_object_get(f, "program"), &program);
    bytes_of_json(json_object_get(f, "expected"), &expected);
    struct judge_expectation x = {.runs = json_is_true(json_object_get(f, "runs")),
                                  .valid = json_is_true(json_object_get(f, "valid")),
                                  .out = text_str(&expected),
                                  .out_size = expected.n,
                                  .status = (int)json_integer_value(json_object_get(f, "status"))};
    struct cc_case c = {.units = units,
                        .inputs = none,
                        .args = none,
                        .compile_timeout = json_real_value(json_object_get(f, "compile_timeout")),
                        .run_timeout = json_real_value(json_object_get(f, "run_timeout")),
                        .compile_memory = (uint64_t)4 << 30,
                        .run_memory = (uint64_t)1 << 30,
                        .compile_only = json_is_true(json_object_get(f, "compile_only")),
                        .plain = true};
    struct judge_claim claim = {.verdict = verdict_named(json_text(f, "verdict")),
                                .signature = json_text(f, "signature"),
                                .expect = &x,
                                .limit = json_real_value(json_object_get(f, "limit"))};
    bool ok = config_of(a, r->o, f, &config, e) &&
              sys_write_file(units[0], text_str(&program), program.n, e);
    if (ok && claim.verdict == VERDICT_UNSTABLE_CODE) {
        bool unstable;
        ok = judge_is_unstable(lab, &config, &c, a, &unstable, e);
        *state = unstable ? "holds" : "gone";
    } else if (ok) {
        ok = cc_try(lab, &config, &c, a, &o, e);
        bool answered = outcome_info(o.kind)->weight != WEIGHT_NONE;
        /* another failure of the same compiler is no sign of health */
        bool failed = answered && judge_verdict(&o, &x) != VERDICT_NONE;
        *state = !ok || !answered              ? "unclear"
                 : judge_bears_out(&claim, &o) ? "holds"
                 : failed                      ? "changed"
                                               : "gone";
    }
    text_free(&program);
    text_free(&expected);
    return ok;
}

static void recheck_one(void *context, size_t item, unsigned worker)
{
    struct recheck *r = context;
    const json_t *f = json_array_get(r->findings, item);
    const char *state = "unclear";
    struct err e = {""};
    if (is_meant(r->o, f)) {
        try_finding(r, worker, f, &state, &e);
        r->results[item] = json_pack(
            "{s:O*, s:s, s:s, s:s, s:s, s:o}", "id", json_object_get(f, "id"), "verdict",
            json_text(f, "verdict"), "config", json_text(f, "config"), "signature",
            json_text(f, "signature"), "state", state, "note", json_of_bytes(e.msg, strlen(e.msg)));
    }
    arena_reset(&r->arenas[worker]);
    pthread_mutex_lock(&r->lock);
    r->done++;
    if (r->o->progress)
        r->o->progress(r->o->context, r->done, json_array_size(r->findings));
    pthread_mutex_unlock(&r->lock);
}

json_t *hunt_recheck(const struct hunt_recheck *o, struct err *e)
{
    struct arena a = {0};
    struct recheck r = {.o = o, .lock = PTHREAD_MUTEX_INITIALIZER};
    r.findings = hunt_list(o->dir, true, e);
    if (!r.findings)
        return NULL;
    size_t n = json_array_size(r.findings);
    json_t *list = NULL;
    r.results = NEW_ARRAY(&a, n, json_t *);
    if (cc_labs_open(&r.labs, &(struct cc_lab_options){.count = o->jobs}, e)) {
        r.arenas = NEW_ARRAY(&a, o->jobs, struct arena);
        sys_parallel(n, o->jobs, recheck_one, &r);
        for (unsigned i = 0; i < o->jobs; i++)
            arena_free(&r.arenas[i]);
        cc_labs_close(&r.labs);
        list = json_array();
        for (size_t i = 0; i < n; i++)
            if (r.results[i])
                json_array_append_new(list, r.results[i]);
        if (sys_cancelled()) {
            json_decref(list);
            list = NULL;
            fail(e, "interrupted");
        }
    }
    json_decref(r.findings);
    arena_free(&a);
    return list;
}
