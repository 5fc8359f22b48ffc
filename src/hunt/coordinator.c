/* The coordinator: leases tasks, hands them to workers, files what they find.  The only writer of
 * the store and of the campaign's folder. */
#include "hunt/private.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_VICTIMS = 3, SHOWN_FINDINGS = 5 };
static const double tick = 0.25, status_every = 2, stamp_every = 10, probe_most = 120;
/* A worker that dies at once, again and again, is not started for ever. */
enum { MOST_DEATHS = 20 };
/* Findings are made small in slices of CPU time, which together have this share of it all. */
static const double reduce_slice = 20, reduce_share = 0.3;

struct hand {
    struct sys_peer peer;
    bool busy;
    uint64_t reducing; /* a finding that it makes smaller; 0: it has a task */
    bool looking;      /* that is one whose key was known */
    bool outdated;     /* its plan; it gets the new one with its next task */
    struct store_task task;
    struct choice choice;
    struct arena arena; /* for the task */
};

/* Findings that can become smaller, oldest first; in the campaign's arena. */
struct hunt_queue {
    uint64_t *ids;
    size_t n, room;
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

    struct choices choices, at_start;
    struct hand *hands;
    unsigned jobs, deaths;

    double start, began, last_status, last_stamp;        /* began: with the first program */
    uint64_t programs, compiles, new_findings, findings; /* of this run; all */
    uint64_t leased;                                     /* in this run */
    double job_cpu, own_cpu;
    double reduce_cpu;                     /* of these, spent on making findings small */
    struct hunt_queue to_reduce, looks;    /* looks: at what has a known key; they come last */
    struct finding newest[SHOWN_FINDINGS]; /* the last ones, newest first */
    size_t newest_count;
    struct hunt_history history;
    struct hunt_count *by_compiler;
    size_t compiler_count;
    const char *sick; /* a configuration that cannot be tried, said once */
    struct list whys; /* why programs were not made: char *, each said once */
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
    if (o->profiles)
        c->conf.profiles = o->profiles;
    if (o->source)
        c->conf.source = o->source;
    if (o->real)
        c->conf.real = o->real;
    if (o->source_timeout > 0)
        c->conf.source_timeout = o->source_timeout;
    if (o->compile_timeout > 0)
        c->conf.compile_timeout = o->compile_timeout;
    if (o->run_timeout > 0)
        c->conf.run_timeout = o->run_timeout;
    c->conf.eager |= o->eager;
    c->conf.machine &= !o->without_machine;
    c->conf.trust |= o->trust_compilers;
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
        return choices_check(&c->arena, &c->conf, e);
    }
    c->conf = conf_default();
    c->conf.has_seed = true;
    c->conf.seed = c->o->has_seed ? c->o->seed
                                  : hash_pair((uint64_t)time(NULL), (uint64_t)getpid());
    c->conf.seed &= INT64_MAX;
    take_options(c);
    if (!choices_check(&c->arena, &c->conf, e))
        return false;
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
    if (!kept && access(path_in(c, "status.json"), F_OK) == 0)
        return fail(e,
                    "%s/cupel.db is empty, but the campaign has hunted: what is in the findings "
                    "folder can still be read; take another folder to begin anew",
                    c->dir);
    if (!kept)
        return store_set(c->store, "seed", seed, e);
    return strcmp(kept, seed) == 0 ||
           fail(e, "%s/cupel.conf says seed = %s, but the campaign began with %s: put that back",
                c->dir, seed, kept);
}

static void count_compiler(struct campaign *c, const char *name)
{
    for (size_t i = 0; i < c->compiler_count; i++)
        if (strcmp(c->by_compiler[i].name, name) == 0) {
            c->by_compiler[i].n++;
            return;
        }
    c->by_compiler = arena_grow(&c->arena, c->by_compiler, c->compiler_count, c->compiler_count + 1,
                                sizeof *c->by_compiler);
    c->by_compiler[c->compiler_count++] = (struct hunt_count){arena_string(&c->arena, name), 1};
}

/* A copy of what a list shows of it, which lives as long as we do. */
static struct finding brief(struct arena *a, const struct finding *f)
{
    struct finding b;
    json_t *j = finding_to_json(f, FINDING_BRIEF);
    finding_from_json(a, j, &b);
    json_decref(j);
    return b;
}

static void count_finding(struct campaign *c, const struct finding *f)
{
    count_compiler(c, f->claim.compiler);
    memmove(c->newest + 1, c->newest, (SHOWN_FINDINGS - 1) * sizeof *c->newest);
    c->newest[0] = brief(&c->arena, f);
    c->newest_count += c->newest_count < SHOWN_FINDINGS;
    c->findings++;
}

static void enqueue(struct campaign *c, const struct finding *f, bool look)
{
    struct hunt_queue *q = look ? &c->looks : &c->to_reduce;
    if (f->reduced.complete && f->named)
        return;
    if (q->n == q->room) {
        q->room = q->room ? 2 * q->room : 64;
        q->ids = arena_grow(&c->arena, q->ids, q->n, q->room, sizeof *q->ids);
    }
    q->ids[q->n++] = f->id;
}

/* What was found earlier; a folder that is gone is written again. */
static bool open_findings(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    struct store_finding *all;
    size_t n;
    bool ok = store_findings(c->store, &a, &all, &n, e);
    for (size_t i = 0; ok && i < n; i++) {
        struct finding f;
        if (!finding_from_text(&a, all[i].detail, &f) || f.claim.verdict == VERDICT_NONE)
            continue;
        f.id = all[i].id;
        if (!all[i].same_as)
            count_finding(c, &f);
        enqueue(c, &f, all[i].same_as != 0);
        if (!folder_is_there(c->dir, f.id))
            ok = folder_write(c->dir, &f, e);
    }
    arena_free(&a);
    return ok;
}

static bool look_at_compilers(struct campaign *c, struct err *e)
{
    struct cc_labs labs;
    arena_reset(&c->plan_arena);
    struct cc_lab_options options = {.count = c->jobs, .trust_compilers = c->conf.trust};
    if (!cc_labs_open(&labs, &options, e))
        return false;
    /* at most half of the time there is goes into looking */
    double most = c->o->seconds > 0 && c->o->seconds / 2 < probe_most ? c->o->seconds / 2
                                                                      : probe_most;
    bool ok = plan_make(&c->plan_arena, &labs, &c->conf, c->hands != NULL, sys_now() + most,
                        &c->plan, e);
    cc_labs_close(&labs);
    if (!ok)
        return false;
    const char *seeds = sys_real_path(&c->plan_arena, path_in(c, "seeds"));
    c->plan.seeds = seeds;
    struct message message = {.type = MESSAGE_PLAN, .plan = c->plan};
    free(c->plan_line);
    return message_encode(&message, &c->plan_line, &c->plan_size) ||
           fail(e, "a compiler's name is not UTF-8");
}

/* What to begin with follows what paid on this machine. */
static bool open_choices(struct campaign *c, struct err *e)
{
    if (!choices_open(&c->arena, &c->choices, c->store, &c->conf, &c->plan, e))
        return false;
    yields_expect(&c->plan, &c->choices);
    c->at_start = choices_copy(&c->arena, &c->choices);
    return true;
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
           (c->store = store_open(path_in(c, "cupel.db"), STORE_WRITE, NULL, e)) != NULL &&
           check_seed(c, e) && store_give_back_all(c->store, e) && open_findings(c, e) &&
           look_at_compilers(c, e) && open_choices(c, e);
}

/* ---- status -------------------------------------------------------------------------- */

static struct hunt_arm *list_arms(const struct axis *axis, struct arena *a)
{
    double *shares = NEW_ARRAY(a, axis->n, double);
    struct hunt_arm *list = NEW_ARRAY(a, axis->n, struct hunt_arm);
    budget_shares(axis->at, axis->n, shares);
    for (size_t i = 0; i < axis->n; i++) {
        const struct store_arm *s = &axis->at[i];
        list[i] = (struct hunt_arm){.name = choice_name(s->name),
                                    .programs = s->programs,
                                    .skipped = s->skipped,
                                    .compiles = s->compiles,
                                    .bytes = s->bytes,
                                    .findings = s->findings,
                                    .repeats = s->repeats,
                                    .cpu = s->job_cpu + s->own_cpu,
                                    .share = shares[i]};
    }
    return list;
}

static struct hunt_status make_status(const struct campaign *c, struct arena *a,
                                      enum hunt_state state)
{
    double own = c->own_cpu + sys_own_cpu();
    double jobs = c->job_cpu + sys_children_cpu(); /* looking at compilers is their work too */
    struct hunt_status s = {.state = state,
                            .dir = c->dir,
                            .pid = (int)getpid(),
                            .time = (int64_t)time(NULL),
                            .elapsed = sys_now() - c->start,
                            .limit = c->o->seconds,
                            .jobs = c->jobs,
                            .findings = c->findings,
                            .programs_now = c->programs,
                            .compiles_now = c->compiles,
                            .new_findings = c->new_findings,
                            .history = c->history,
                            .configurations = c->plan.n,
                            .job_cpu = jobs,
                            .own_cpu = own,
                            .share = jobs + own > 0 ? jobs / (jobs + own) : 0,
                            .strategy_count = c->choices.axes[AXIS_STRATEGY].n,
                            .profile_count = c->choices.axes[AXIS_PROFILE].n,
                            .class_count = c->choices.axes[AXIS_CLASS].n,
                            .compilers = c->by_compiler,
                            .compiler_count = c->compiler_count,
                            .newest = c->newest,
                            .newest_count = c->newest_count};
    s.strategies = list_arms(&c->choices.axes[AXIS_STRATEGY], a);
    s.profiles = list_arms(&c->choices.axes[AXIS_PROFILE], a);
    s.classes = list_arms(&c->choices.axes[AXIS_CLASS], a);
    for (size_t i = 0; i < s.strategy_count; i++) {
        s.programs += s.strategies[i].programs;
        s.compiles += s.strategies[i].compiles;
        s.bytes += s.strategies[i].bytes;
    }
    return s;
}

static void write_status(struct campaign *c, const struct hunt_status *status)
{
    struct arena a = {0};
    json_t *j = hunt_status_to_json(status);
    char *text = json_dumps(j, JSON_INDENT(2));
    if (text)
        sys_write_file(arena_printf(&a, "%s/status.json", c->dir), text, strlen(text), NULL);
    free(text);
    json_decref(j);
    arena_free(&a);
    c->last_status = sys_now();
}

/* For people now, and for `cupel status`.  That file is a courtesy: a full disk is noticed by the
 * store. */
static void show_status(struct campaign *c, enum hunt_state state)
{
    struct arena a = {0};
    history_count(&c->history, sys_now() - c->start, 0);
    struct hunt_status status = make_status(c, &a, state);
    if (c->o->show)
        c->o->show(c->o->context, &status);
    if (state == HUNT_STOPPED || sys_now() - c->last_status >= status_every)
        write_status(c, &status);
    arena_free(&a);
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
    if (h->busy && h->reducing) {
        say(c, "finding %llu was not made smaller: that cost a worker",
            (unsigned long long)h->reducing);
        h->reducing = 0; /* it is not tried again in this run */
    } else if (h->busy) {
        struct store_arm *strategy = choices_arm(&c->choices, &h->choice, AXIS_STRATEGY);
        choices_end(&c->choices, &h->choice);
        if (++h->task.deaths >= MOST_VICTIMS) {
            say(c, "program %llu of %s has cost %u workers: given up",
                (unsigned long long)h->task.number, h->task.strategy, h->task.deaths);
            strategy->lost++;
            ok = store_give_up(c->store, &h->task, e) && store_save_arm(c->store, strategy, e);
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

/* How many workers a program may have cost, to be tried again now.  One that has cost some waits a
 * little: when somebody kills workers again and again, it is not always the same program that pays.
 * At the end of a run that has an end all are tried. */
static bool allowed_deaths(struct campaign *c, const char *strategy, unsigned *most, struct err *e)
{
    static const double pause = 2; /* seconds, for each of them */
    struct store_tally t;
    *most = (unsigned)((sys_now() - c->began) / pause);
    if (!c->o->programs)
        return true;
    if (!store_count_tasks(c->store, strategy, &t, e))
        return false;
    if (c->leased + t.waiting >= c->o->programs)
        *most = MOST_VICTIMS;
    return true;
}

/* What was given back comes first. */
static bool lease_task(struct campaign *c, struct hand *h, struct err *e)
{
    const struct axis *strategies = &c->choices.axes[AXIS_STRATEGY];
    arena_reset(&h->arena);
    for (size_t i = 0; i < strategies->n; i++) {
        bool found;
        unsigned most;
        if (!allowed_deaths(c, strategies->at[i].name, &most, e) ||
            !store_lease_again(c->store, &h->arena, strategies->at[i].name, most, &h->task, &found,
                               e))
            return false;
        if (found) {
            h->choice = choices_of_task(&c->choices, &h->task);
            return true;
        }
    }
    h->choice = choices_next(&c->choices);
    h->task.profile = choice_name(choices_arm(&c->choices, &h->choice, AXIS_PROFILE)->name);
    h->task.class = choice_name(choices_arm(&c->choices, &h->choice, AXIS_CLASS)->name);
    return store_lease(c->store, choices_arm(&c->choices, &h->choice, AXIS_STRATEGY), &h->task, e);
}

static bool give_task(struct campaign *c, struct hand *h, struct err *e)
{
    if (!lease_task(c, h, e))
        return false;
    choices_begin(&c->choices, &h->choice);
    c->leased++;
    h->busy = true;
    if (h->outdated)
        sys_peer_send(&h->peer, c->plan_line, c->plan_size);
    h->outdated = false;
    struct message m = {.type = MESSAGE_TASK,
                        .task = {.strategy = strategy_named(h->task.strategy),
                                 .number = h->task.number,
                                 .profile = h->task.profile,
                                 .class = cc_class_named(h->task.class)}};
    bool sent = message_send(&h->peer, &m);
    return sent || bury_worker(c, h, e);
}

/* Has making findings small had its share? */
static bool is_reducing_due(const struct campaign *c)
{
    double all = c->job_cpu + c->own_cpu;
    return c->to_reduce.n + c->looks.n && c->reduce_cpu <= reduce_share * all;
}

/* The oldest finding that can become smaller goes to the worker; what may be the same as another
 * waits for those that are new. */
static bool give_reduction(struct campaign *c, struct hand *h, struct err *e)
{
    struct message m = {.type = MESSAGE_REDUCE, .seconds = reduce_slice};
    struct hunt_queue *q = c->to_reduce.n ? &c->to_reduce : &c->looks;
    uint64_t id = q->ids[0];
    memmove(q->ids, q->ids + 1, --q->n * sizeof *q->ids);
    arena_reset(&h->arena);
    const char *detail = store_detail(c->store, &h->arena, id);
    if (!detail || !finding_from_text(&h->arena, detail, &m.finding))
        return true;
    m.finding.id = h->reducing = id;
    h->looking = q == &c->looks;
    h->busy = true;
    return message_send(&h->peer, &m) || bury_worker(c, h, e);
}

/* ---- what workers say ---------------------------------------------------------------- */

static bool is_known(const struct campaign *c, const char *key)
{
    return store_find(c->store, key) != 0 || conf_is_muted(&c->conf, key);
}

/* The next one of this finding's key: 2 for the first repeat.  Exact up to STORE_SIGHTINGS. */
static uint64_t number_of_sighting(const struct campaign *c, uint64_t id)
{
    uint64_t repeats;
    return store_count_sightings(c->store, id, &repeats, NULL) ? repeats + 2 : 0;
}

/* A key is a guess: another bug may stand behind it.  Of wrong code that is seen often, the second
 * sighting is looked at as if it were new, then the fourth, the eighth ...; triage says later
 * whether it is the same.  Not while others wait to be made small. */
static bool is_look_due(const struct campaign *c, uint64_t id)
{
    enum { WAITING = 8 };
    struct arena a = {0};
    struct finding f;
    uint64_t seen = number_of_sighting(c, id);
    const char *detail = (seen & (seen - 1)) == 0 && seen < STORE_SIGHTINGS &&
                                 c->to_reduce.n + c->looks.n < WAITING
                             ? store_detail(c->store, &a, id)
                             : NULL;
    bool due = detail && finding_from_text(&a, detail, &f) && f.claim.verdict != VERDICT_NONE &&
               verdict_info(f.claim.verdict)->subject == SUBJECT_RUN;
    arena_free(&a);
    return due;
}

static bool is_wanted(const struct campaign *c, const char *key)
{
    uint64_t id = store_find(c->store, key);
    return !is_known(c, key) || (id && !conf_is_muted(&c->conf, key) && is_look_due(c, id));
}

static void answer(struct campaign *c, struct hand *h, const struct list *keys)
{
    struct arena a = {0};
    struct message m = {.type = MESSAGE_ANSWER};
    for (size_t i = 0; i < keys->n; i++)
        if (is_wanted(c, keys->at[i]))
            list_add(&a, &m.keys, keys->at[i]);
    /* one that is gone by now is noticed when it is listened to */
    message_send(&h->peer, &m);
    arena_free(&a);
}

/* A finding that is not in the store yet; the folder is written before the transaction ends. */
static bool add_finding(struct campaign *c, struct finding *f, struct err *e)
{
    struct arena a = {0};
    bool ok = store_add_finding(c->store, f->claim.key, (int64_t)time(NULL), &f->id, e) &&
              store_set_detail(c->store, f->id, finding_to_text(&a, f), e) &&
              folder_write(c->dir, f, e);
    arena_free(&a);
    return ok;
}

enum filed { FILED_NEW, FILED_REPEAT, FILED_LOOK, FILED_NOTHING };

/* Another bug may stand behind the same key. */
static bool keep_sighting(struct campaign *c, uint64_t id, const struct finding *f, struct err *e)
{
    struct arena a = {0};
    struct store_sighting s = {
        .finding = id,
        .strategy = f->subject.strategy,
        .number = f->subject.number,
        .config = f->claim.config,
        .origin = f->subject.origin,
        .program = arena_copy(&a, f->subject.program.s, f->subject.program.n)};
    bool ok = store_add_sighting(c->store, &s, e);
    arena_free(&a);
    return ok;
}

/* A finding whose key is known, with a key of its own: the same bug until triage says otherwise.
 * The sighting counts here, and not for the other. */
static bool add_look(struct campaign *c, uint64_t id, struct finding *f, struct err *e)
{
    struct arena a = {0};
    struct finding known = *f;
    f->claim.key = arena_printf(&a, "%s (sighting %llu)", f->claim.key,
                                (unsigned long long)number_of_sighting(c, id));
    bool ok = add_finding(c, f, e) && store_merge(c->store, f->id, id, false, e) &&
              keep_sighting(c, id, &known, e);
    arena_free(&a);
    f->claim.key = "";
    return ok;
}

/* Muted ones are counted under their key, without a folder. */
static bool file_finding(struct campaign *c, struct finding *f, enum filed *filed, struct err *e)
{
    int64_t now = (int64_t)time(NULL);
    uint64_t id = store_find(c->store, f->claim.key);
    *filed = FILED_REPEAT;
    if (id) {
        bool look = f->claim.verdict != VERDICT_NONE && f->evidence.grade < GRADE_CHANCE &&
                    is_look_due(c, id);
        *filed = look ? FILED_LOOK : FILED_REPEAT;
        return look ? add_look(c, id, f, e)
                    : store_count_again(c->store, id, now, e) && keep_sighting(c, id, f, e);
    }
    if (f->claim.verdict == VERDICT_NONE) /* muted, and never seen */
        return store_add_finding(c->store, f->claim.key, now, &id, e);
    *filed = FILED_NOTHING;
    if (f->evidence.grade == GRADE_CHANCE)
        return true;
    if (f->evidence.grade == GRADE_OURS)
        return folder_write_doubt(c->dir, f, e);
    *filed = FILED_NEW;
    return add_finding(c, f, e);
}

static void tell_finding(struct campaign *c, const struct finding *f, enum filed filed)
{
    const char *verdict = verdict_info(f->claim.verdict)->name;
    const char *signature = f->claim.signature, *grade = grade_name(f->evidence.grade);
    if (filed == FILED_NOTHING)
        say(c, "not a finding: %s: %s: %s", verdict, f->claim.config, grade);
    if (filed == FILED_LOOK)
        enqueue(c, f, true);
    if (filed != FILED_NEW)
        return;
    count_finding(c, f);
    enqueue(c, f, false);
    c->new_findings++;
    history_count(&c->history, sys_now() - c->start, 1);
    say(c, "finding %llu: %s: %s%s%s (%s)", (unsigned long long)f->id, verdict, f->claim.config,
        *signature ? ": " : "", signature, grade);
    if (c->o->found)
        c->o->found(c->o->context, f);
}

/* Everything that a task showed, in one transaction; else all is left as it was. */
static bool keep_result(struct campaign *c, struct hand *h, struct result *r, enum filed *filed,
                        struct err *e)
{
    struct arena a = {0};
    struct choices before = choices_copy(&a, &c->choices);
    unsigned new_ones = 0, repeats = 0;
    bool ok = store_begin(c->store, e);
    for (size_t i = 0; ok && i < r->n; i++) {
        ok = file_finding(c, &r->findings[i], &filed[i], e);
        new_ones += filed[i] == FILED_NEW;
        repeats += filed[i] == FILED_REPEAT || filed[i] == FILED_LOOK;
    }
    ok = ok && choices_count(&c->choices, &h->choice, c->store, r, new_ones, repeats, e) &&
         fate_count(c->store, h->task.strategy, r, e) && store_finish(c->store, &h->task, e) &&
         store_commit(c->store, e);
    if (!ok) {
        store_undo(c->store);
        choices_restore(&c->choices, &before);
    }
    arena_free(&a);
    return ok;
}

static void note_sick(struct campaign *c, const char *sick)
{
    if (!*sick || (c->sick && strcmp(c->sick, sick) == 0))
        return;
    c->sick = arena_string(&c->arena, sick);
    say(c, "could not be tried: %s", sick);
}

/* Why a generator gives nothing is said, once. */
static void note_unmade(struct campaign *c, const struct hand *h, const struct result *r)
{
    if (r->fate != FATE_UNMADE && r->fate != FATE_UNDECIDED)
        return;
    const char *line = arena_printf(&c->arena, "%s: no program: %s", h->task.strategy, r->why);
    for (size_t i = 0; i < c->whys.n; i++)
        if (strcmp(c->whys.at[i], line) == 0)
            return;
    list_add(&c->arena, &c->whys, (char *)line);
    say(c, "%s", line);
}

static bool file_result(struct campaign *c, struct hand *h, struct result *r, struct err *e)
{
    struct arena a = {0};
    enum filed *filed = NEW_ARRAY(&a, r->n, enum filed);
    bool ok = keep_result(c, h, r, filed, e);
    if (ok) {
        c->programs++;
        c->compiles += r->compiles;
        c->job_cpu += r->job_cpu;
        c->own_cpu += r->own_cpu;
        for (size_t i = 0; i < r->n; i++)
            tell_finding(c, &r->findings[i], filed[i]);
        note_sick(c, r->sick);
        note_unmade(c, h, r);
        h->busy = false;
        choices_end(&c->choices, &h->choice);
    }
    arena_free(&a);
    return ok;
}

static void tell_bug(void *context, uint64_t id, uint64_t same_as)
{
    struct campaign *c = context;
    if (same_as)
        say(c, "finding %llu is the same bug as %llu", (unsigned long long)id,
            (unsigned long long)same_as);
    else
        say(c, "finding %llu is a bug of its own", (unsigned long long)id);
    c->findings = same_as ? c->findings - 1 : c->findings + 1;
}

/* A finding comes back smaller, or with the reason why it does not. */
static bool keep_reduced(struct campaign *c, struct hand *h, const struct message *m, struct err *e)
{
    const struct finding *f = &m->finding;
    const struct finding_reduced *r = &f->reduced;
    h->busy = false;
    h->reducing = 0;
    c->job_cpu += m->done.job_cpu;
    c->own_cpu += m->done.own_cpu;
    c->reduce_cpu += m->done.job_cpu + m->done.own_cpu;
    enqueue(c, f, h->looking);
    if (r->complete && r->lines)
        say(c, "finding %llu is %llu lines now", (unsigned long long)f->id,
            (unsigned long long)r->lines);
    return store_set_detail(c->store, f->id, finding_to_text(&h->arena, f), e) &&
           (!*f->bug ||
            (store_set_bug(c->store, f->id, f->bug, e) && bug_settle(c->store, tell_bug, c, e))) &&
           folder_write(c->dir, f, e);
}

static bool hear(struct campaign *c, struct hand *h, const struct text *line, struct err *e)
{
    struct arena a = {0};
    struct message m;
    bool ok = true;
    if (!message_decode(&a, line, &m))
        BUG("a worker says what is no message");
    if (m.type == MESSAGE_ASK)
        answer(c, h, &m.keys);
    else if (m.type == MESSAGE_DONE)
        ok = file_result(c, h, &m.done, e);
    else if (m.type == MESSAGE_REDUCED)
        ok = keep_reduced(c, h, &m, e);
    else if (m.type == MESSAGE_FAILED)
        say(c, "a worker failed: %s", m.why);
    arena_free(&a);
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
        struct hand *h = &c->hands[i];
        bool enough = c->o->programs && c->leased >= c->o->programs;
        if (!h->busy && is_reducing_due(c) && !give_reduction(c, h, e))
            return false;
        if (!h->busy && !enough && !give_task(c, h, e))
            return false;
    }
    return true;
}

static bool run(struct campaign *c, struct err *e)
{
    struct sys_peer *peers = NEW_ARRAY(&c->arena, c->jobs, struct sys_peer);
    c->hands = NEW_ARRAY(&c->arena, c->jobs, struct hand);
    for (unsigned i = 0; i < c->jobs; i++)
        c->hands[i].peer.fd = -1;
    for (unsigned i = 0; i < c->jobs; i++)
        if (!start_worker(c, &c->hands[i], e))
            return false;
    c->began = c->last_stamp = sys_now();
    show_status(c, HUNT_HUNTING);
    while (!is_enough(c)) {
        if (!hand_out(c, e) || !notice_changes(c, e))
            return false;
        for (unsigned i = 0; i < c->jobs; i++)
            peers[i] = c->hands[i].peer;
        sys_peers_wait(peers, c->jobs, tick);
        for (unsigned i = 0; i < c->jobs; i++)
            if (!listen(c, &c->hands[i], e))
                return false;
        show_status(c, HUNT_HUNTING);
    }
    return true;
}

static void close_campaign(struct campaign *c)
{
    c->stopping = true;
    for (unsigned i = 0; c->hands && i < c->jobs; i++) {
        sys_peer_stop(&c->hands[i].peer);
        arena_free(&c->hands[i].arena);
    }
    if (c->store && c->hands) {
        show_status(c, HUNT_STOPPED);
        yields_learn(&c->plan, &c->at_start, &c->choices);
    }
    store_close(c->store);
    if (c->lock >= 0)
        close(c->lock);
    free(c->plan_line);
    arena_free(&c->plan_arena);
    arena_free(&c->arena);
}

bool hunt_run(const struct hunt_options *o, struct hunt_summary *out, struct err *e)
{
    struct campaign c = {.o = o,
                         .dir = o->dir,
                         .lock = -1,
                         .start = sys_now(),
                         /* what is spent on looking counts */ .jobs = o->jobs ? o->jobs
                                                                               : sys_cpu_count()};
    bool ok = open_campaign(&c, e) && run(&c, e);
    *out = (struct hunt_summary){.programs = c.programs,
                                 .compiles = c.compiles,
                                 .new_findings = c.new_findings,
                                 .findings = c.findings,
                                 .compilers = c.plan.watched.n,
                                 .configurations = c.plan.n,
                                 .newest = c.new_findings ? c.newest[0].id : 0};
    close_campaign(&c);
    return ok;
}
