/* The coordinator: leases tasks, hands them to workers, files what they find.  The only writer of
 * the store and of the campaign's folder. */
#include "hunt/private.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_ATTEMPTS = 3, SHOWN_FINDINGS = 5 };
static const double tick = 0.25, status_every = 2, stamp_every = 10;
/* A worker that dies at once, again and again, is not started for ever. */
enum { MOST_DEATHS = 20 };

struct hand {
    struct sys_peer peer;
    bool busy;
    bool outdated; /* its plan; it gets the new one with its next task */
    struct store_task task;
    size_t strategy;
};

struct campaign {
    const struct hunt_options *o;
    struct arena arena, plan_arena;
    const char *dir;
    struct conf conf;
    int lock;
    struct store *store;
    struct plan plan;
    char *plan_line; /* for workers */
    size_t plan_size;

    struct store_strategy strategies[STRATEGY_COUNT];
    unsigned under_way[STRATEGY_COUNT];
    size_t strategy_count;
    struct hand *hands;
    unsigned jobs, deaths;

    double start, last_status, last_stamp;
    uint64_t programs, compiles, new_findings, findings; /* of this run; all */
    uint64_t leased;                                     /* in this run */
    double job_cpu, own_cpu;
    json_t *newest; /* the last findings, newest first */
    json_t *by_compiler;
    const char *sick; /* a configuration that cannot be tried, said once */
    bool stopping;
};

static void say(const struct campaign *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void say(const struct campaign *c, const char *fmt, ...)
{
    struct text line = {0};
    va_list args;
    va_start(args, fmt);
    text_vprintf(&line, fmt, args);
    va_end(args);
    if (c->o->say)
        c->o->say(c->o->context, text_str(&line));
    text_free(&line);
}

static const char *path_in(struct campaign *c, const char *name)
{
    return arena_printf(&c->arena, "%s/%s", c->dir, name);
}

/* ---- opening ------------------------------------------------------------------------- */

static void take_options(struct campaign *c)
{
    const struct hunt_options *o = c->o;
    if (o->modes)
        c->conf.modes = o->modes;
    if (o->command_count) {
        c->conf.commands = (struct list){0};
        for (size_t i = 0; i < o->command_count; i++)
            list_add(&c->arena, &c->conf.commands, (void *)&o->commands[i]);
    }
}

/* A new campaign gets a conf with the choices that were given. */
static bool open_conf(struct campaign *c, struct err *e)
{
    const char *path = path_in(c, "cupel.conf");
    struct text text = {0};
    if (access(path, F_OK) == 0) {
        if (!conf_read(&c->arena, path, &c->conf, e))
            return false;
        if (c->o->has_seed && c->conf.has_seed && c->o->seed != c->conf.seed)
            return fail(e, "%s began with seed %llu: take another folder for another seed", c->dir,
                        (unsigned long long)c->conf.seed);
        take_options(c);
        return true;
    }
    c->conf = conf_default();
    c->conf.has_seed = true;
    c->conf.seed = c->o->has_seed ? c->o->seed
                                  : hash_pair((uint64_t)time(NULL), (uint64_t)getpid());
    c->conf.seed &= INT64_MAX;
    take_options(c);
    conf_write(&c->conf, &text);
    bool ok = sys_write_file(path, text_str(&text), text.n, e);
    text_free(&text);
    return ok;
}

/* The seed is part of what every task means. */
static bool check_seed(struct campaign *c, struct err *e)
{
    const char *seed = arena_printf(&c->arena, "%llu", (unsigned long long)c->conf.seed);
    const char *kept = store_get(c->store, &c->arena, "seed");
    if (!kept)
        return store_set(c->store, "seed", seed, e);
    return strcmp(kept, seed) == 0 ||
           fail(e, "%s/cupel.conf says seed = %s, but the campaign began with %s: put that back",
                c->dir, seed, kept);
}

static bool open_strategies(struct campaign *c, struct err *e)
{
    const char *modes = c->conf.modes;
    bool all = strcmp(modes, "all") == 0;
    for (const char *p = modes; !all && *p;) {
        size_t n = strcspn(p, ", ");
        const char *name = arena_copy(&c->arena, p, n);
        if (n && strategy_named(name) == STRATEGY_COUNT)
            return fail(e, "unknown mode '%s': see cupel hunt --help", name);
        if (n)
            c->strategies[c->strategy_count++].name = strategy_name(strategy_named(name));
        p += n + strspn(p + n, ", ");
    }
    for (size_t i = 0; all && i < STRATEGY_COUNT; i++)
        if ((i != STRATEGY_CSMITH || c->plan.csmith) && (i != STRATEGY_SEEDS || c->plan.seeds))
            c->strategies[c->strategy_count++].name = strategy_name((enum strategy)i);
    for (size_t i = 0; i < c->strategy_count; i++)
        if (!store_load_strategy(c->store, &c->strategies[i], e))
            return false;
    return c->strategy_count || fail(e, "no mode to hunt with: see cupel hunt --help");
}

static void count_finding(struct campaign *c, const json_t *f)
{
    const char *compiler = json_text(f, "compiler");
    json_int_t n = json_integer_value(json_object_get(c->by_compiler, compiler));
    json_object_set_new(c->by_compiler, compiler, json_integer(n + 1));
    json_t *brief = json_pack("{s:O*, s:s, s:s, s:s, s:s}", "id", json_object_get(f, "id"),
                              "verdict", json_text(f, "verdict"), "config", json_text(f, "config"),
                              "grade", json_text(f, "grade"), "signature",
                              json_text(f, "signature"));
    json_array_insert_new(c->newest, 0, brief);
    if (json_array_size(c->newest) > SHOWN_FINDINGS)
        json_array_remove(c->newest, SHOWN_FINDINGS);
    c->findings++;
}

/* What was found earlier; a folder that is gone is written again. */
static bool open_findings(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    struct store_finding *all;
    size_t n;
    bool ok = store_findings(c->store, &a, &all, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        json_t *f = json_loads(all[i].detail, 0, NULL);
        if (*json_text(f, "verdict")) {
            count_finding(c, f);
            if (!folder_is_there(c->dir, all[i].id))
                ok = folder_write(c->dir, all[i].id, f, e);
        }
        json_decref(f);
    }
    arena_free(&a);
    return ok;
}

static bool look_at_compilers(struct campaign *c, struct err *e)
{
    struct cc_labs labs;
    arena_reset(&c->plan_arena);
    if (!cc_labs_open(&labs, &(struct cc_lab_options){.count = c->jobs}, e))
        return false;
    bool ok = plan_make(&c->plan_arena, &labs, &c->conf, c->start > 0, &c->plan, e);
    cc_labs_close(&labs);
    if (!ok)
        return false;
    const char *seeds = sys_real_path(&c->plan_arena, path_in(c, "seeds"));
    c->plan.seeds = seeds;
    json_t *message = json_pack("{s:s, s:o}", "type", "plan", "plan", plan_to_json(&c->plan));
    free(c->plan_line);
    c->plan_line = json_dumps(message, JSON_COMPACT);
    c->plan_size = c->plan_line ? strlen(c->plan_line) : 0;
    json_decref(message);
    return c->plan_line || fail(e, "a compiler's name is not UTF-8");
}

static bool open_campaign(struct campaign *c, struct err *e)
{
    struct err why;
    if (!sys_make_dirs(c->dir, e))
        return false;
    c->lock = sys_lock_file(path_in(c, "lock"), &why);
    if (c->lock < 0)
        return fail(e, "%s: is another cupel hunt busy there?", why.msg);
    return open_conf(c, e) &&
           (c->store = store_open(path_in(c, "cupel.db"), STORE_WRITE, e)) != NULL &&
           check_seed(c, e) && store_give_back_all(c->store, e) && open_findings(c, e) &&
           look_at_compilers(c, e) && open_strategies(c, e);
}

/* ---- status -------------------------------------------------------------------------- */

static json_t *make_status(const struct campaign *c, const char *state)
{
    double shares[STRATEGY_COUNT];
    double elapsed = sys_now() - c->start, own = c->own_cpu + sys_own_cpu();
    double jobs = c->job_cpu + sys_children_cpu(); /* looking at compilers is their work too */
    json_t *list = json_array();
    struct store_strategy all = {0};
    budget_shares(c->strategies, c->strategy_count, shares);
    for (size_t i = 0; i < c->strategy_count; i++) {
        const struct store_strategy *s = &c->strategies[i];
        all.programs += s->programs;
        all.compiles += s->compiles;
        all.bytes += s->bytes;
        json_array_append_new(
            list, json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "name", s->name,
                            "programs", (json_int_t)s->programs, "skipped", (json_int_t)s->skipped,
                            "compiles", (json_int_t)s->compiles, "bytes", (json_int_t)s->bytes,
                            "findings", (json_int_t)s->findings, "repeats", (json_int_t)s->repeats,
                            "cpu", s->job_cpu + s->own_cpu, "share", shares[i]));
    }
    json_t *j = json_pack("{s:s, s:s, s:i, s:I, s:f, s:f, s:i, s:I, s:I, s:I, s:I, s:I}", "state",
                          state, "dir", c->dir, "pid", (int)getpid(), "time",
                          (json_int_t)time(NULL), "elapsed", elapsed, "limit", c->o->seconds,
                          "jobs", (int)c->jobs, "programs", (json_int_t)all.programs, "compiles",
                          (json_int_t)all.compiles, "bytes", (json_int_t)all.bytes, "findings",
                          (json_int_t)c->findings, "new", (json_int_t)c->new_findings);
    json_object_set_new(j, "programs_now", json_integer((json_int_t)c->programs));
    json_object_set_new(j, "compiles_now", json_integer((json_int_t)c->compiles));
    json_object_set_new(j, "configurations", json_integer((json_int_t)c->plan.n));
    json_object_set_new(j, "job_cpu", json_real(jobs));
    json_object_set_new(j, "own_cpu", json_real(own));
    json_object_set_new(j, "share", json_real(jobs + own > 0 ? jobs / (jobs + own) : 0));
    json_object_set_new(j, "strategies", list);
    json_object_set(j, "compilers", c->by_compiler);
    json_object_set(j, "newest", c->newest);
    return j;
}

/* For people now, and for `cupel status`.  That file is a courtesy: a full disk is noticed by the
 * store. */
static void show_status(struct campaign *c, const char *state)
{
    json_t *status = make_status(c, state);
    if (c->o->show)
        c->o->show(c->o->context, status);
    bool last = strcmp(state, "hunting") != 0;
    if (last || sys_now() - c->last_status >= status_every) {
        char *text = json_dumps(status, JSON_INDENT(2));
        char path[600];
        snprintf(path, sizeof path, "%s/status.json", c->dir);
        if (text)
            sys_write_file(path, text, strlen(text), NULL);
        free(text);
        c->last_status = sys_now();
    }
    json_decref(status);
}

/* ---- workers ------------------------------------------------------------------------- */

static bool start_worker(struct campaign *c, struct hand *h, struct err *e)
{
    static char *const args[] = {"cupel", "hunt", "--worker", NULL};
    h->busy = h->outdated = false;
    return sys_peer_start(&h->peer, args, e) &&
           (sys_peer_send(&h->peer, c->plan_line, c->plan_size) ||
            fail(e, "a worker did not start"));
}

/* Its task goes back, or is given up when it has cost several workers. */
static bool bury_worker(struct campaign *c, struct hand *h, struct err *e)
{
    bool ok = true;
    sys_peer_stop(&h->peer);
    if (h->busy) {
        c->under_way[h->strategy]--;
        if (h->task.attempts >= MOST_ATTEMPTS) {
            say(c, "program %llu of %s has cost %u workers: given up",
                (unsigned long long)h->task.number, h->task.strategy, h->task.attempts);
            c->strategies[h->strategy].lost++;
            ok = store_give_up(c->store, &h->task, e) &&
                 store_save_strategy(c->store, &c->strategies[h->strategy], e);
        } else {
            ok = store_give_back(c->store, &h->task, e);
        }
        c->leased--;
    }
    h->busy = false;
    if (++c->deaths > MOST_DEATHS)
        return fail(e, "workers keep dying: %u in this run", c->deaths);
    return ok && start_worker(c, h, e);
}

/* What was given back comes first. */
static bool lease_task(struct campaign *c, struct hand *h, struct err *e)
{
    for (size_t i = 0; i < c->strategy_count; i++) {
        bool found;
        if (!store_lease_again(c->store, c->strategies[i].name, &h->task, &found, e))
            return false;
        h->strategy = i;
        if (found)
            return true;
    }
    h->strategy = budget_next(c->strategies, c->under_way, c->strategy_count);
    return store_lease(c->store, &c->strategies[h->strategy], &h->task, e);
}

static bool give_task(struct campaign *c, struct hand *h, struct err *e)
{
    if (!lease_task(c, h, e))
        return false;
    c->under_way[h->strategy]++;
    c->leased++;
    h->busy = true;
    if (h->outdated)
        sys_peer_send(&h->peer, c->plan_line, c->plan_size);
    h->outdated = false;
    json_t *task = json_pack("{s:s, s:s, s:I}", "type", "task", "strategy", h->task.strategy,
                             "number", (json_int_t)h->task.number);
    char *line = json_dumps(task, JSON_COMPACT);
    bool sent = line && sys_peer_send(&h->peer, line, strlen(line));
    free(line);
    json_decref(task);
    return sent || bury_worker(c, h, e);
}

/* ---- what workers say ---------------------------------------------------------------- */

static bool is_known(const struct campaign *c, const char *key)
{
    return store_find(c->store, key) != 0 || conf_is_muted(&c->conf, key);
}

static void answer(const struct campaign *c, struct hand *h, const json_t *message)
{
    json_t *fresh = json_array(), *key;
    size_t i;
    json_array_foreach(json_object_get(message, "keys"), i, key)
        json_array_append_new(fresh, json_boolean(!is_known(c, json_string_value(key))));
    json_t *reply = json_pack("{s:o}", "new", fresh);
    char *line = json_dumps(reply, JSON_COMPACT);
    /* one that is gone by now is noticed when it is listened to */
    if (line)
        sys_peer_send(&h->peer, line, strlen(line));
    free(line);
    json_decref(reply);
}

/* A finding that is not in the store yet; the folder is written before the transaction ends. */
static bool add_finding(struct campaign *c, json_t *f, struct err *e)
{
    uint64_t id;
    int64_t now = (int64_t)time(NULL);
    if (!store_add_finding(c->store, json_text(f, "key"), now, &id, e))
        return false;
    json_object_set_new(f, "id", json_integer((json_int_t)id));
    char *detail = json_dumps(f, JSON_COMPACT);
    bool ok = detail && store_set_detail(c->store, id, detail, e) && folder_write(c->dir, id, f, e);
    free(detail);
    return ok;
}

enum filed { FILED_NEW, FILED_REPEAT, FILED_NOTHING };

/* Muted ones are counted under their key, without a folder. */
static bool file_finding(struct campaign *c, json_t *f, enum filed *filed, struct err *e)
{
    const char *key = json_text(f, "key");
    int64_t now = (int64_t)time(NULL);
    uint64_t id = store_find(c->store, key);
    *filed = FILED_REPEAT;
    if (id)
        return store_count_again(c->store, id, now, e);
    if (!*json_text(f, "verdict")) /* muted, and never seen */
        return store_add_finding(c->store, key, now, &id, e);
    enum grade grade = grade_named(json_text(f, "grade"));
    *filed = FILED_NOTHING;
    if (grade == GRADE_CHANCE)
        return true;
    if (grade == GRADE_OURS)
        return folder_write_doubt(c->dir, f, e);
    *filed = FILED_NEW;
    return add_finding(c, f, e);
}

static void tell_finding(struct campaign *c, const json_t *f)
{
    count_finding(c, f);
    c->new_findings++;
    const char *signature = json_text(f, "signature");
    say(c, "finding %lld: %s: %s%s%s (%s)", (long long)json_integer_value(json_object_get(f, "id")),
        json_text(f, "verdict"), json_text(f, "config"), *signature ? ": " : "", signature,
        json_text(f, "grade"));
}

/* Everything that a task showed, in one transaction. */
static bool file_result(struct campaign *c, struct hand *h, const json_t *done, struct err *e)
{
    struct store_strategy before = c->strategies[h->strategy], *s = &c->strategies[h->strategy];
    json_t *findings = json_object_get(done, "findings"), *f;
    size_t i;
    unsigned new_ones = 0;
    enum filed filed[16] = {0};
    double jobs = json_real_value(json_object_get(done, "job_cpu"));
    double own = json_real_value(json_object_get(done, "own_cpu"));
    bool ok = store_begin(c->store, e);
    json_array_foreach(findings, i, f)
    {
        enum filed how = FILED_NOTHING;
        ok = ok && file_finding(c, f, &how, e);
        new_ones += how == FILED_NEW;
        s->repeats += how == FILED_REPEAT;
        if (i < LENGTH(filed))
            filed[i] = how;
    }
    s->programs++;
    s->skipped += json_is_true(json_object_get(done, "skipped"));
    s->compiles += (uint64_t)json_integer_value(json_object_get(done, "compiles"));
    s->runs += (uint64_t)json_integer_value(json_object_get(done, "runs"));
    s->bytes += (uint64_t)json_integer_value(json_object_get(done, "bytes"));
    s->findings += new_ones;
    s->job_cpu += jobs;
    s->own_cpu += own;
    if (ok)
        budget_note(c->strategies, c->strategy_count, h->strategy, jobs + own, new_ones);
    ok = ok && store_save_strategy(c->store, s, e) && store_finish(c->store, &h->task, e) &&
         store_commit(c->store, e);
    if (!ok) {
        store_undo(c->store);
        *s = before;
        return false;
    }
    c->programs++;
    c->compiles += s->compiles - before.compiles;
    c->job_cpu += jobs;
    c->own_cpu += own;
    json_array_foreach(findings, i, f) if (i < LENGTH(filed) && filed[i] == FILED_NEW)
        tell_finding(c, f);
    else if (i < LENGTH(filed) && filed[i] == FILED_NOTHING)
        say(c, "not a finding: %s: %s: %s", json_text(f, "verdict"), json_text(f, "config"),
            json_text(f, "grade"));
    return true;
}

static void note_sick(struct campaign *c, const json_t *done)
{
    const char *sick = json_text(done, "sick");
    if (!*sick || (c->sick && strcmp(c->sick, sick) == 0))
        return;
    c->sick = arena_string(&c->arena, sick);
    say(c, "could not be tried: %s", sick);
}

static bool hear(struct campaign *c, struct hand *h, const struct text *line, struct err *e)
{
    json_t *message = json_loadb(text_str(line), line->n, 0, NULL);
    const char *type = json_text(message, "type");
    bool ok = true;
    if (strcmp(type, "ask") == 0) {
        answer(c, h, message);
    } else if (strcmp(type, "done") == 0) {
        ok = file_result(c, h, message, e);
        note_sick(c, message);
        h->busy = false;
        c->under_way[h->strategy]--;
    } else if (strcmp(type, "failed") == 0) {
        say(c, "a worker failed: %s", json_text(message, "why"));
    }
    json_decref(message);
    return ok;
}

static bool listen(struct campaign *c, struct hand *h, struct err *e)
{
    struct text line = {0};
    enum sys_mail mail;
    bool ok = true;
    while (ok && (mail = sys_peer_poll(&h->peer, &line)) != SYS_MAIL_NONE)
        if (mail == SYS_MAIL) {
            ok = hear(c, h, &line, e);
        } else {
            ok = sys_cancelled() || c->stopping || bury_worker(c, h, e);
            break;
        }
    text_free(&line);
    return ok;
}

/* ---- the campaign -------------------------------------------------------------------- */

/* Compilers come, go and are upgraded while we hunt. */
static bool notice_changes(struct campaign *c, struct err *e)
{
    if (sys_now() - c->last_stamp < stamp_every)
        return true;
    c->last_stamp = sys_now();
    if (plan_stamp(&c->plan) == c->plan.stamp)
        return true;
    say(c, "a compiler has changed: looking at them again");
    if (!look_at_compilers(c, e))
        return false;
    for (unsigned i = 0; i < c->jobs; i++)
        c->hands[i].outdated = true;
    return true;
}

static bool is_enough(const struct campaign *c)
{
    const struct hunt_options *o = c->o;
    return sys_cancelled() || (o->seconds > 0 && sys_now() - c->start >= o->seconds) ||
           (o->stop_after && c->new_findings >= o->stop_after) ||
           (o->programs && c->programs >= o->programs);
}

static bool hand_out(struct campaign *c, struct err *e)
{
    for (unsigned i = 0; i < c->jobs; i++) {
        bool enough = c->o->programs && c->leased >= c->o->programs;
        if (!c->hands[i].busy && !enough && !give_task(c, &c->hands[i], e))
            return false;
    }
    return true;
}

static bool hunt(struct campaign *c, struct err *e)
{
    struct sys_peer *peers = NEW_ARRAY(&c->arena, c->jobs, struct sys_peer);
    c->hands = NEW_ARRAY(&c->arena, c->jobs, struct hand);
    for (unsigned i = 0; i < c->jobs; i++)
        c->hands[i].peer.fd = -1;
    for (unsigned i = 0; i < c->jobs; i++)
        if (!start_worker(c, &c->hands[i], e))
            return false;
    c->start = c->last_stamp = sys_now();
    show_status(c, "hunting");
    while (!is_enough(c)) {
        if (!hand_out(c, e) || !notice_changes(c, e))
            return false;
        for (unsigned i = 0; i < c->jobs; i++)
            peers[i] = c->hands[i].peer;
        sys_peers_wait(peers, c->jobs, tick);
        for (unsigned i = 0; i < c->jobs; i++)
            if (!listen(c, &c->hands[i], e))
                return false;
        show_status(c, "hunting");
    }
    return true;
}

static void close_campaign(struct campaign *c)
{
    c->stopping = true;
    for (unsigned i = 0; c->hands && i < c->jobs; i++)
        sys_peer_stop(&c->hands[i].peer);
    if (c->store && c->start > 0)
        show_status(c, "stopped");
    store_close(c->store);
    if (c->lock >= 0)
        close(c->lock);
    json_decref(c->newest);
    json_decref(c->by_compiler);
    free(c->plan_line);
    arena_free(&c->plan_arena);
    arena_free(&c->arena);
}

bool hunt_run(const struct hunt_options *o, struct hunt_summary *out, struct err *e)
{
    struct campaign c = {.o = o,
                         .dir = o->dir,
                         .lock = -1,
                         .jobs = o->jobs ? o->jobs : sys_cpu_count(),
                         .newest = json_array(),
                         .by_compiler = json_object()};
    bool ok = open_campaign(&c, e) && hunt(&c, e);
    *out = (struct hunt_summary){c.programs, c.new_findings, c.findings};
    close_campaign(&c);
    return ok;
}
