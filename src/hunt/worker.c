/* A worker: a process that takes tasks from the coordinator, one at a time.  Makes the program,
 * gives it to some configurations, and where one of them has to answer for something, finds out
 * at which levels, asks whether that is known already, and if not gathers the evidence. */
#include "hunt/private.h"

#include <ctype.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    struct sys_peer boss;
    struct arena plan_arena, arena; /* the second is for one task */
    struct plan plan;
    struct cc_labs labs;
    double cpu_jobs, cpu_own; /* when the task began */
};

/* Something that one configuration did with the program. */
struct claim {
    size_t config;
    enum verdict verdict;
    const char *signature, *message;
    const char *levels; /* at which it happens: "-O2 -O3" */
    const char *key;
    double limit; /* see struct judge_claim */
    struct outcome outcome;
};

/* One task. */
struct test {
    struct worker *w;
    enum strategy strategy;
    uint64_t number;
    struct rng rng;
    const struct lane *lane;
    struct subject subject;
    struct cc_case program;
    size_t *picks;
    struct outcome *outcomes; /* per pick */
    size_t n;
    struct list claims; /* struct claim */
    uint64_t compiles, runs;
    unsigned ill;     /* configurations that could not be tried */
    const char *sick; /* one of those, and why */
};

/* ---- choosing ------------------------------------------------------------------------ */

/* Every family gets the same number of programs, however many versions and levels there are of it;
 * cross compilers count as a family of their own. */
static bool same_kin(const struct plan_config *x, const struct plan_config *y)
{
    return x->own == y->own && strcmp(x->family, y->family) == 0;
}

static const struct lane *lane_of(const struct plan *p, size_t config)
{
    for (size_t i = 0; i < p->lane_count; i++)
        if (p->lanes[i].target == p->configs[config].target &&
            p->lanes[i].features == p->configs[config].features)
            return &p->lanes[i];
    BUG("a configuration without a lane");
}

/* A family, then one of its configurations; NULL when none is fit. */
static const struct lane *choose_lane(const struct plan *p, struct arena *a, struct rng r, bool run)
{
    struct rng draw = rng_fork(&r, "lane");
    struct list kins = {0};
    size_t *fit = NEW_ARRAY(a, p->n, size_t), n = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t k = 0;
        if (run && !p->configs[i].target)
            continue;
        while (k < kins.n && !same_kin(kins.at[k], &p->configs[i]))
            k++;
        if (k == kins.n)
            list_add(a, &kins, &p->configs[i]);
    }
    if (!kins.n)
        return NULL;
    const struct plan_config *kin = kins.at[rng_below(&draw, kins.n)];
    for (size_t i = 0; i < p->n; i++)
        if (same_kin(kin, &p->configs[i]) && !(run && !p->configs[i].target))
            fit[n++] = i;
    return lane_of(p, fit[rng_below(&draw, n)]);
}

/* The first `width` of the lane's configurations, shuffled. */
static void choose_configs(struct test *t)
{
    struct rng r = rng_fork(&t->rng, "configs");
    const struct lane *l = t->lane;
    t->picks = NEW_ARRAY(&t->w->arena, l->n, size_t);
    memcpy(t->picks, l->configs, l->n * sizeof *t->picks);
    t->n = l->n < t->w->plan.width ? l->n : t->w->plan.width;
    for (size_t i = 0; i < t->n; i++) {
        size_t k = i + (size_t)rng_below(&r, l->n - i), other = t->picks[i];
        t->picks[i] = t->picks[k];
        t->picks[k] = other;
    }
}

/* ---- trying -------------------------------------------------------------------------- */

static bool try_config(struct test *t, size_t config, struct outcome *o, struct err *e)
{
    struct worker *w = t->w;
    if (!cc_try(&w->labs.at[0], &w->plan.configs[config].cc, &t->program, &w->arena, o, e))
        return false;
    t->compiles++;
    t->runs += o->run_count;
    if (o->kind == OUTCOME_ENVIRONMENT && !sys_cancelled()) {
        t->ill++;
        t->sick = arena_printf(&w->arena, "%s: %s", w->plan.configs[config].cc.text, o->message);
    }
    return !sys_cancelled() || fail(e, "interrupted");
}

static bool try_picks(struct test *t, struct err *e)
{
    t->outcomes = NEW_ARRAY(&t->w->arena, t->n, struct outcome);
    for (size_t i = 0; i < t->n; i++)
        if (!try_config(t, t->picks[i], &t->outcomes[i], e))
            return false;
    return true;
}

/* ---- claims -------------------------------------------------------------------------- */

/* "t.c:3:4: error: 'g_5' undeclared" to "'#' undeclared": names and numbers are the program's, and
 * so is the place from which a linker finds a function missing. */
static const char *shape_of_message(struct arena *a, const char *message)
{
    const char *at = strstr(message, "error: "),
               *missing = strstr(message, "undefined reference to ");
    if (missing)
        return arena_string(a, missing);
    struct text out = {0};
    bool quoted = false;
    for (const char *p = at ? at + strlen("error: ") : message; *p; p++) {
        bool quote = *p == '\'' || *p == '"' || *p == '`' || (unsigned char)*p >= 0x80;
        if (quote) {
            quoted = !quoted;
            if (quoted)
                text_puts(&out, "'#'");
            while (quoted && (unsigned char)p[0] >= 0x80 && (unsigned char)p[1] >= 0x80)
                p++;
            while (!quoted && (unsigned char)p[0] >= 0x80 && (unsigned char)p[1] >= 0x80)
                p++;
        } else if (!quoted && isdigit((unsigned char)*p)) {
            text_putc(&out, '#');
            while (isdigit((unsigned char)p[1]))
                p++;
        } else if (!quoted) {
            text_putc(&out, *p);
        }
    }
    char *copy = arena_copy(a, text_str(&out), out.n < 120 ? out.n : 120);
    text_free(&out);
    return copy;
}

static bool is_run(enum verdict v)
{
    return v != VERDICT_NONE && verdict_info(v)->subject == SUBJECT_RUN;
}

/* What another configuration of the same family is already accused of on this program is one bug
 * until shown otherwise; the newest version has to answer for it. */
static struct claim *claim_like(struct test *t, size_t config, enum verdict v,
                                const char *signature)
{
    const struct plan_config *configs = t->w->plan.configs;
    for (size_t i = 0; i < t->claims.n; i++) {
        struct claim *c = t->claims.at[i];
        bool alike = c->verdict == v || (is_run(c->verdict) && is_run(v));
        if (alike && strcmp(configs[c->config].family, configs[config].family) == 0 &&
            strcmp(c->signature, signature) == 0)
            return c;
    }
    return NULL;
}

static struct claim *add_claim(struct test *t, size_t config, enum verdict v,
                               const struct outcome *o)
{
    struct arena *a = &t->w->arena;
    const char *signature = v == VERDICT_COMPILER_CRASH  ? o->signature
                            : v == VERDICT_REJECTS_VALID ? shape_of_message(a, o->message)
                                                         : "";
    struct claim *c = claim_like(t, config, v, signature);
    if (!c)
        list_add(a, &t->claims, c = NEW(a, struct claim));
    else if (config < c->config)
        return c;
    *c = (struct claim){.config = config,
                        .verdict = v,
                        .signature = signature,
                        .message = o->message,
                        .levels = t->w->plan.configs[config].cc.level,
                        .outcome = *o};
    return c;
}

/* Compile time and memory against the other configurations of this program. */
static void find_extremes(struct test *t, size_t i)
{
    enum { MANY = 64 };
    double seconds[MANY], bytes[MANY];
    size_t n = 0;
    for (size_t k = 0; k < t->n && n < MANY; k++)
        if (k != i && t->outcomes[k].kind == OUTCOME_BUILT) {
            seconds[n] = t->outcomes[k].compile_cpu;
            bytes[n++] = (double)t->outcomes[k].compile_memory;
        }
    const struct outcome *o = &t->outcomes[i];
    if (o->kind != OUTCOME_BUILT)
        return;
    if (judge_is_out_of_line(o->compile_cpu, seconds, n, 3.0))
        add_claim(t, t->picks[i], VERDICT_SLOW_COMPILE, o)->limit = o->compile_cpu / 3;
    if (judge_is_out_of_line((double)o->compile_memory, bytes, n, 1e9))
        add_claim(t, t->picks[i], VERDICT_LARGE_COMPILE, o)->limit = (double)o->compile_memory / 2;
}

static void find_claims(struct test *t)
{
    for (size_t i = 0; i < t->n; i++) {
        enum verdict v = judge_verdict(&t->outcomes[i], &t->subject.expectation);
        if (v != VERDICT_NONE)
            add_claim(t, t->picks[i], v, &t->outcomes[i]);
        else
            find_extremes(t, i);
    }
}

/* Now and then: does the same input give the same code? */
static bool look_for_unstable(struct test *t, struct err *e)
{
    struct rng r = rng_fork(&t->rng, "unstable");
    struct worker *w = t->w;
    size_t i = (size_t)rng_below(&r, t->n);
    bool unstable = false;
    if (!rng_chance(&r, 25) || t->outcomes[i].kind != OUTCOME_BUILT)
        return true;
    if (!judge_is_unstable(&w->labs.at[0], &w->plan.configs[t->picks[i]].cc, &t->program, &w->arena,
                           &unstable, e))
        return false;
    t->compiles += 2;
    if (unstable)
        add_claim(t, t->picks[i], VERDICT_UNSTABLE_CODE, &t->outcomes[i]);
    return true;
}

/* ---- distinctness -------------------------------------------------------------------- */

static bool shows(const struct test *t, const struct claim *c, const struct outcome *o)
{
    struct judge_claim claim = {.verdict = c->verdict,
                                .signature = c->signature,
                                .expect = &t->subject.expectation,
                                .limit = c->limit};
    return judge_bears_out(&claim, o);
}

/* All levels of the accused compiler that show it. */
static bool find_levels(struct test *t, struct claim *c, struct err *e)
{
    const struct plan_config *accused = &t->w->plan.configs[c->config];
    struct text levels = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < t->lane->n; i++) {
        size_t k = t->lane->configs[i];
        const struct plan_config *other = &t->w->plan.configs[k];
        struct outcome o = c->outcome;
        if (strcmp(other->cc.compiler, accused->cc.compiler) != 0)
            continue;
        if (k != c->config && !(ok = try_config(t, k, &o, e)))
            break;
        if (shows(t, c, &o))
            text_printf(&levels, "%s%s", levels.n ? " " : "", other->cc.level);
    }
    c->levels = arena_string(&t->w->arena, text_str(&levels));
    text_free(&levels);
    return ok;
}

/* The same for what is taken to be the same bug. */
static bool name_claim(struct test *t, struct claim *c, struct err *e)
{
    struct arena *a = &t->w->arena;
    const struct plan_config *accused = &t->w->plan.configs[c->config];
    const char *name = verdict_info(c->verdict)->name;
    if (*c->signature) {
        c->key = arena_printf(a, "%s %s: %s", name, accused->family, c->signature);
        return true;
    }
    /* what hangs or crawls costs too much to be tried at every level */
    bool costly = c->verdict == VERDICT_COMPILER_HANG || c->verdict == VERDICT_SLOW_COMPILE ||
                  c->verdict == VERDICT_LARGE_COMPILE || c->verdict == VERDICT_UNSTABLE_CODE;
    if (!costly && !find_levels(t, c, e))
        return false;
    c->key = arena_printf(a, "%s %s%s%s", name, accused->cc.compiler, *c->levels ? " " : "",
                          c->levels);
    return true;
}

/* ---- telling ------------------------------------------------------------------------- */

static bool send_json(struct worker *w, json_t *message)
{
    char *line = json_dumps(message, JSON_COMPACT);
    bool ok = line && sys_peer_send(&w->boss, line, strlen(line));
    free(line);
    json_decref(message);
    return ok;
}

static json_t *receive_json(struct worker *w)
{
    struct text text = {0};
    json_t *j = sys_peer_receive(&w->boss, &text) ? json_loadb(text_str(&text), text.n, 0, NULL)
                                                  : NULL;
    text_free(&text);
    return j;
}

/* Which of the claims are new?  An array of booleans. */
static json_t *ask(struct test *t)
{
    json_t *keys = json_array();
    for (size_t i = 0; i < t->claims.n; i++) {
        const struct claim *c = t->claims.at[i];
        json_array_append_new(keys, json_of_bytes(c->key, strlen(c->key)));
    }
    if (!send_json(t->w, json_pack("{s:s, s:o}", "type", "ask", "keys", keys)))
        return NULL;
    return receive_json(t->w);
}

/* Other configurations of the family that show it, for the report. */
static bool find_affected(struct test *t, const struct claim *c, json_t *out, struct err *e)
{
    enum { MANY = 60 };
    const struct plan *p = &t->w->plan;
    bool costly = c->verdict == VERDICT_COMPILER_HANG || c->verdict == VERDICT_SLOW_COMPILE ||
                  c->verdict == VERDICT_LARGE_COMPILE || c->verdict == VERDICT_UNSTABLE_CODE;
    if (costly)
        return true;
    for (size_t i = 0, tried = 0; i < t->lane->n && tried < MANY; i++) {
        size_t k = t->lane->configs[i];
        struct outcome o;
        if (strcmp(p->configs[k].family, p->configs[c->config].family) != 0)
            continue;
        tried++;
        if (!try_config(t, k, &o, e))
            return false;
        if (shows(t, c, &o))
            json_array_append_new(out, json_string(p->configs[k].cc.text));
    }
    return true;
}

static json_t *rungs_json(const struct evidence *ev)
{
    static const char *const states[] = {[RUNG_UNTRIED] = "untried",
                                         [RUNG_HOLDS] = "holds",
                                         [RUNG_BROKEN] = "broken",
                                         [RUNG_ABSENT] = "absent"};
    json_t *list = json_array();
    for (size_t i = 0; i < RUNG_COUNT; i++)
        if (ev->rungs[i].state != RUNG_UNTRIED)
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:o}", "rung", rung_name((enum rung)i), "state",
                                states[ev->rungs[i].state], "note",
                                json_of_bytes(ev->rungs[i].note, strlen(ev->rungs[i].note))));
    return list;
}

/* What the compiler, or the program, did. */
static json_t *behaviour_json(struct arena *a, const struct outcome *o)
{
    const struct outcome_run *run = o->run_count ? &o->runs[0] : NULL;
    const char *words = run ? run->words : arena_printf(a, "%s", outcome_info(o->kind)->phrase);
    enum { MOST = 1 << 20 };
    size_t n = run && run->out_size < MOST ? run->out_size : run ? MOST : 0;
    return json_pack("{s:s, s:o, s:o, s:f, s:f}", "end", words, "output",
                     json_of_bytes(run ? run->out : "", n), "message",
                     json_of_bytes(o->message, strlen(o->message)), "compile_seconds",
                     o->compile_cpu, "compile_megabytes", (double)o->compile_memory / 1e6);
}

static json_t *describe(struct test *t, const struct claim *c, const struct evidence *ev,
                        json_t *affected)
{
    struct arena *a = &t->w->arena;
    const struct plan_config *p = &t->w->plan.configs[c->config];
    const struct subject *s = &t->subject;
    struct text emulator = {0};
    char *units[] = {"program.c", NULL};
    struct cc_case typed = t->program;
    typed.units = units;
    str_join_command(&emulator, p->cc.emulator);
    const struct outcome *seen = ev->outcome.message ? &ev->outcome : &c->outcome;
    json_t *j = json_pack(
        "{s:o, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:s}", "key",
        json_of_bytes(c->key, strlen(c->key)), "verdict", verdict_info(c->verdict)->name, "config",
        p->cc.text, "compiler", p->cc.compiler, "levels", c->levels, "family", p->family, "version",
        json_of_bytes(p->version, strlen(p->version)), "signature",
        json_of_bytes(c->signature, strlen(c->signature)), "grade", grade_name(ev->grade));
    json_t *more = json_pack(
        "{s:s, s:I, s:s, s:s, s:b, s:i, s:s, s:s, s:f, s:f, s:f}", "strategy",
        strategy_name(t->strategy), "number", (json_int_t)t->number, "seed", text_str(&s->origin),
        "target", plan_target_name(t->lane->target), "compile_only", s->compile_only, "status",
        s->expectation.status, "command",
        cc_plain_command(a, &p->cc, &typed, s->compile_only ? "program.o" : "program"), "emulator",
        text_str(&emulator), "run_timeout", t->program.run_timeout, "compile_timeout",
        t->program.compile_timeout, "limit", c->limit);
    json_object_update(j, more);
    json_decref(more);
    json_object_set_new(j, "runs", json_boolean(s->expectation.runs));
    json_object_set_new(j, "valid", json_boolean(s->expectation.valid));
    json_object_set_new(j, "expected", json_of_bytes(text_str(&s->expect), s->expect.n));
    json_object_set_new(j, "actual", behaviour_json(a, seen));
    json_object_set_new(j, "program", json_of_bytes(text_str(&s->code), s->code.n));
    if (s->original.n)
        json_object_set_new(j, "original", json_of_bytes(text_str(&s->original), s->original.n));
    json_object_set_new(j, "evidence", rungs_json(ev));
    json_object_set(j, "affected", affected);
    text_free(&emulator);
    return j;
}

/* A new claim: is it true? */
static bool investigate(struct test *t, const struct claim *c, json_t *findings, struct err *e)
{
    struct worker *w = t->w;
    const struct plan_config *p = &w->plan.configs[c->config];
    /* what is only compiled may be of any model */
    const struct target *target = p->target ? p->target : lang_target(TARGET_LP64);
    const struct judge_tools *tools = &w->plan.tools[0];
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (lang_target((enum target_id)i) == target)
            tools = &w->plan.tools[i];
    struct judge_claim claim = {.config = &p->cc,
                                .verdict = c->verdict,
                                .signature = c->signature,
                                .program = &t->program,
                                .expect = &t->subject.expectation,
                                .target = target,
                                .limit = c->limit};
    struct evidence ev;
    json_t *affected = json_array();
    bool ok = judge_gather(&w->labs.at[0], tools, &claim, &w->arena, &ev, e) &&
              (ev.grade == GRADE_CHANCE || find_affected(t, c, affected, e)) && !sys_cancelled();
    if (ok)
        json_array_append_new(findings, describe(t, c, &ev, affected));
    json_decref(affected);
    return ok;
}

/* ---- a task -------------------------------------------------------------------------- */

/* Known claims are only counted. */
static bool settle_claims(struct test *t, json_t *findings, struct err *e)
{
    for (size_t i = 0; i < t->claims.n; i++)
        if (!name_claim(t, t->claims.at[i], e))
            return false;
    if (t->claims.n == 0)
        return true;
    json_t *answer = ask(t);
    const json_t *fresh = json_object_get(answer, "new");
    bool ok = answer != NULL;
    for (size_t i = 0; ok && i < t->claims.n; i++) {
        const struct claim *c = t->claims.at[i];
        if (json_is_true(json_array_get(fresh, i)))
            ok = investigate(t, c, findings, e);
        else
            json_array_append_new(findings,
                                  json_pack("{s:o}", "key", json_of_bytes(c->key, strlen(c->key))));
    }
    json_decref(answer);
    return ok || fail(e, "interrupted");
}

static bool run_test(struct test *t, json_t *findings, struct err *e)
{
    static char *const none[] = {NULL};
    struct worker *w = t->w;
    char *path = arena_printf(&w->arena, "%s/program.c", w->labs.scratch.path);
    char **units = NEW_ARRAY(&w->arena, 2, char *);
    struct source source = {&w->plan, &w->labs.at[0], path};
    units[0] = path;
    t->lane = choose_lane(&w->plan, &w->arena, t->rng, t->strategy != STRATEGY_CRASH);
    if (!t->lane) {
        t->subject.skipped = "no compiler whose programs can be predicted";
        return true;
    }
    if (!source_make(&source, t->strategy, t->rng.key, t->lane, &t->subject, e))
        return false;
    if (t->subject.skipped)
        return true;
    if (!sys_write_file(path, text_str(&t->subject.code), t->subject.code.n, e))
        return false;
    t->program = (struct cc_case){.units = units,
                                  .inputs = none,
                                  .args = none,
                                  .compile_timeout = w->plan.compile_timeout,
                                  .run_timeout = w->plan.run_timeout,
                                  .compile_memory = (uint64_t)4 << 30,
                                  .run_memory = (uint64_t)1 << 30,
                                  .compile_only = t->subject.compile_only};
    choose_configs(t);
    if (!try_picks(t, e))
        return false;
    find_claims(t);
    return look_for_unstable(t, e) && settle_claims(t, findings, e);
}

static bool report(struct test *t, json_t *findings)
{
    struct worker *w = t->w;
    double jobs = sys_children_cpu(), own = sys_own_cpu();
    json_t *done = json_pack("{s:s, s:s, s:I, s:b, s:I, s:I, s:I, s:f, s:f, s:i, s:o}", "type",
                             "done", "strategy", strategy_name(t->strategy), "number",
                             (json_int_t)t->number, "skipped", t->subject.skipped != NULL,
                             "compiles", (json_int_t)t->compiles, "runs", (json_int_t)t->runs,
                             "bytes", (json_int_t)(t->compiles * t->subject.code.n), "job_cpu",
                             jobs - w->cpu_jobs, "own_cpu", own - w->cpu_own, "ill", (int)t->ill,
                             "findings", json_incref(findings));
    if (t->sick)
        json_object_set_new(done, "sick", json_of_bytes(t->sick, strlen(t->sick)));
    w->cpu_jobs = jobs;
    w->cpu_own = own;
    return send_json(w, done);
}

static bool do_task(struct worker *w, const json_t *task, struct err *e)
{
    struct test t = {.w = w,
                     .strategy = strategy_named(json_text(task, "strategy")),
                     .number = (uint64_t)json_integer_value(json_object_get(task, "number"))};
    json_t *findings = json_array();
    if (t.strategy == STRATEGY_COUNT)
        BUG("a task of no strategy");
    struct rng campaign = rng_seed(w->plan.seed);
    t.rng = rng_fork_at(&campaign, strategy_name(t.strategy), t.number);
    bool ok = run_test(&t, findings, e) && (report(&t, findings) || fail(e, "nobody listens"));
    json_decref(findings);
    subject_free(&t.subject);
    arena_reset(&w->arena);
    return ok;
}

/* A plan comes first, and again when something changed. */
static bool take_plan(struct worker *w, const json_t *plan, struct err *e)
{
    if (w->labs.at)
        cc_labs_close(&w->labs);
    arena_reset(&w->plan_arena);
    plan_from_json(&w->plan_arena, plan, &w->plan);
    struct cc_config *configs = NEW_ARRAY(&w->plan_arena, w->plan.n, struct cc_config);
    for (size_t i = 0; i < w->plan.n; i++)
        configs[i] = w->plan.configs[i].cc;
    struct cc_lab_options options = {.count = 1,
                                     .readable = cc_readable(&w->plan_arena, configs, w->plan.n)};
    return cc_labs_open(&w->labs, &options, e);
}

int hunt_work(void)
{
    struct worker w = {.labs.scratch.lock_fd = -1};
    struct err e = {""};
    log_set_level(LOG_QUIET); /* notes are the coordinator's */
    /* every program takes a megabyte and gives it back: let malloc keep it in between */
    mallopt(M_MMAP_THRESHOLD, 64 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    bool ok = sys_peer_join(&w.boss, &e);
    while (ok) {
        json_t *message = receive_json(&w);
        const char *type = message ? json_text(message, "type") : "end";
        if (strcmp(type, "plan") == 0)
            ok = take_plan(&w, json_object_get(message, "plan"), &e);
        else if (strcmp(type, "task") == 0)
            ok = do_task(&w, message, &e);
        else
            ok = false;
        json_decref(message);
    }
    if (*e.msg && !sys_cancelled())
        send_json(&w, json_pack("{s:s, s:o}", "type", "failed", "why",
                                json_of_bytes(e.msg, strlen(e.msg))));
    if (w.labs.at)
        cc_labs_close(&w.labs);
    arena_free(&w.arena);
    arena_free(&w.plan_arena);
    sys_peer_stop(&w.boss);
    return *e.msg ? 2 : 0;
}
