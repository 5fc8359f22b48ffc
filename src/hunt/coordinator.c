/* The coordinator: leases tasks, hands them to workers, files what they find.  The only writer of
 * a campaign's folder; of a database there may be several, on as many machines. */
#include "hunt/campaign.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double tick = 0.25, status_every = 2, stamp_every = 10, probe_most = 120;
/* A worker that dies at once, again and again, is not started for ever. */
enum { MOST_DEATHS = 20 };
/* Findings are made small in slices of CPU time, which together have this share of it all. */
static const double reduce_slice = 20, reduce_share = 0.3;

void campaign_say(const struct campaign *c, const char *fmt, ...)
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

const char *campaign_word(struct campaign *c, const char *s)
{
    char *word = map_get(&c->words, s);
    if (!word)
        map_set(&c->arena, &c->words, s, word = arena_string(&c->arena, s));
    return word;
}

/* So many programs and not one that a compiler saw: there will be none. */
static bool is_barren(const struct campaign *c)
{
    enum { ENOUGH_PROGRAMS = 2000 };
    return !c->compiles && c->programs >= ENOUGH_PROGRAMS;
}

bool campaign_is_enough(const struct campaign *c)
{
    const struct hunt_options *o = c->o;
    return sys_cancelled() || is_barren(c) ||
           (o->seconds > 0 && sys_now() - c->start >= o->seconds) ||
           (o->stop_after && c->new_findings >= o->stop_after) ||
           (o->programs && c->programs >= o->programs);
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
    if (o->flags)
        c->conf.flags = o->flags;
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
static bool begin_conf(struct campaign *c, struct err *e)
{
    if (c->o->join)
        return fail(e, "%s holds no campaign: `cupel hunt %s` begins one", c->site.name,
                    c->site.name);
    c->conf = conf_default();
    c->conf.has_seed = true;
    c->conf.seed = c->o->has_seed ? c->o->seed
                                  : hash_pair((uint64_t)time(NULL), (uint64_t)getpid());
    c->conf.seed &= INT64_MAX;
    take_options(c);
    return choices_check(&c->arena, &c->conf, e) &&
           site_write_conf(&c->site, c->store, &c->conf, e);
}

static bool open_conf(struct campaign *c, struct err *e)
{
    if (!site_has_conf(&c->site, c->store) && !begin_conf(c, e))
        return false;
    site_stamp(&c->site, c->store, &c->stamp);
    if (!site_read_conf(&c->arena, &c->site, c->store, &c->conf, e))
        return false;
    if (c->o->has_seed && c->conf.has_seed && c->o->seed != c->conf.seed)
        return fail(e, "%s began with seed %llu: take another folder for another seed",
                    c->site.name, (unsigned long long)c->conf.seed);
    take_options(c);
    return choices_check(&c->arena, &c->conf, e);
}

/* The seed is part of what every task means. */
static bool check_seed(struct campaign *c, struct err *e)
{
    const char *seed = arena_printf(&c->arena, "%llu", (unsigned long long)c->conf.seed);
    const char *kept = store_get(c->store, &c->arena, "seed");
    if (!kept && c->site.dir && access(site_path(&c->arena, &c->site, "status.json"), F_OK) == 0)
        return fail(e,
                    "%s/cupel.db is empty, but the campaign has hunted: what is in the findings "
                    "folder can still be read; take another folder to begin anew",
                    c->site.dir);
    if (!kept)
        kept = store_set_first(c->store, &c->arena, "seed", seed, e);
    return kept && (strcmp(kept, seed) == 0 ||
                    fail(e,
                         "%s/cupel.conf says seed = %s, but the campaign began with %s: put that "
                         "back",
                         c->site.name, seed, kept));
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

void campaign_count_finding(struct campaign *c, const struct finding *f)
{
    count_compiler(c, f->claim.compiler);
    memmove(c->newest + 1, c->newest, (SHOWN_FINDINGS - 1) * sizeof *c->newest);
    c->newest[0] = brief(&c->arena, f);
    c->newest_count += c->newest_count < SHOWN_FINDINGS;
    c->findings++;
}

void campaign_show_again(struct campaign *c, const struct finding *f)
{
    for (size_t i = 0; i < c->newest_count; i++)
        if (c->newest[i].id == f->id)
            c->newest[i] = brief(&c->arena, f);
}

/* A folder that is gone is written again; so is a row of a store that was older. */
static bool restore_finding(struct campaign *c, const struct store_finding *row, struct err *e)
{
    struct arena a = {0};
    struct finding f;
    const char *detail = row->whole ? row->detail : store_detail(c->store, &a, row->id);
    bool older = *row->detail, ok = true;
    if (detail && finding_from_text(&a, detail, &f) && f.claim.verdict != VERDICT_NONE) {
        f.id = row->id;
        ok = (!older || row_write(c->store, &f, "", e)) &&
             (folder_is_there(c->site.dir, f.id) || folder_write(c->site.dir, &f, e));
    }
    arena_free(&a);
    return ok;
}

/* What was found earlier. */
static bool open_findings(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    struct store_finding *all;
    size_t n = 0;
    bool ok = !c->site.dir || store_findings(c->store, &a, STORE_LINE, &all, &n, e);
    for (size_t i = 0; ok && i < n; i++)
        if (*all[i].detail || !folder_is_there(c->site.dir, all[i].id))
            ok = restore_finding(c, &all[i], e);
    arena_free(&a);
    return ok && database_count(c, e);
}

/* Where the programs are that people brought. */
static bool find_seeds(struct campaign *c, struct err *e)
{
    size_t n;
    if (c->site.dir) {
        c->plan.seeds = sys_real_path(&c->plan_arena, site_path(&c->arena, &c->site, "seeds"));
        c->plan.seeds_name = c->plan.seeds;
        return true;
    }
    if (c->seeds.lock_fd < 0 && !sys_scratch_open(&c->seeds, e))
        return false;
    const char *folder = arena_printf(&c->plan_arena, "%s/seeds", c->seeds.path);
    if (!sys_remove_tree(folder, e) || !seeds_lay_out(c->store, folder, &n, e))
        return false;
    c->plan.seeds = n ? folder : NULL;
    c->plan.seeds_name = "seeds";
    return true;
}

static bool make_plan(struct campaign *c, struct err *e)
{
    struct cc_labs labs;
    arena_reset(&c->plan_arena);
    struct cc_lab_options options = {.count = c->jobs, .trust_compilers = c->conf.trust};
    if (!cc_labs_open(&labs, &options, e))
        return false;
    /* at most half of the time there is goes into looking */
    double most = c->o->seconds > 0 && c->o->seconds / 2 < probe_most ? c->o->seconds / 2
                                                                      : probe_most;
    /* on another machine than the campaign began, a compiler may be missing */
    bool again = c->hands != NULL || c->o->join;
    bool ok = plan_make(&c->plan_arena, &labs, &c->conf, again, sys_now() + most, &c->plan, e);
    cc_labs_close(&labs);
    if (!ok || !find_seeds(c, e))
        return false;
    kit_make(&c->plan_arena, &c->plan, &c->kit);
    struct message message = {.type = MESSAGE_PLAN, .plan = c->plan};
    free(c->plan_line);
    return message_encode(&message, &c->plan_line, &c->plan_size) ||
           fail(e, "a compiler's name is not UTF-8");
}

static bool look_at_compilers(struct campaign *c, struct err *e)
{
    struct pulse *pulse = pulse_start(c);
    bool ok = make_plan(c, e);
    pulse_stop(pulse);
    return ok;
}

/* The whole campaign's numbers have those of strategies that earlier runs used. */
static bool count_others(struct campaign *c, struct err *e)
{
    const struct axis *used = &c->choices.axes[AXIS_STRATEGY];
    struct store_arm *all;
    size_t n;
    c->others = (struct store_arm){0};
    if (!store_arms(c->store, &c->arena, &all, &n, e))
        return false;
    for (size_t i = 0; i < n; i++) {
        bool here = choice_name(all[i].name) != all[i].name; /* no strategy */
        for (size_t k = 0; k < used->n; k++)
            here |= strcmp(used->at[k].name, all[i].name) == 0;
        c->others.programs += here ? 0 : all[i].programs;
        c->others.compiles += here ? 0 : all[i].compiles;
        c->others.bytes += here ? 0 : all[i].bytes;
    }
    return true;
}

/* What to begin with follows what paid on this machine. */
static bool open_choices(struct campaign *c, struct err *e)
{
    if (!choices_open(&c->arena, &c->choices, c->store, &c->conf, &c->plan, e))
        return false;
    yields_expect(&c->plan, &c->choices);
    if (!count_others(c, e))
        return false;
    c->at_start = choices_copy(&c->arena, &c->choices);
    c->saved = choices_copy(&c->arena, &c->choices);
    return true;
}

/* A folder is one coordinator's: whoever leased something there before is dead. */
static bool open_folder(struct campaign *c, struct err *e)
{
    struct err why;
    if (!sys_make_dirs(c->site.dir, e))
        return false;
    const char *path = site_path(&c->arena, &c->site, "lock");
    c->lock = sys_lock_file(path, &why);
    bool busy = c->lock < 0 && sys_is_locked(path);
    return c->lock >= 0 ||
           fail(e, "%s%s", why.msg, busy ? ": is another cupel hunt busy there?" : "");
}

static void name_node(struct campaign *c)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    c->node = (struct store_node){.id = "", .kit = "", .version = cupel_version, .jobs = c->jobs};
    c->node.host = c->o->node ? c->o->node : arena_string(&c->arena, host);
    if (!c->site.dir)
        c->node.id = arena_printf(
            &c->arena, "%s %d %llx", c->node.host, (int)getpid(),
            (unsigned long long)hash_pair((uint64_t)time(NULL), (uint64_t)getpid()));
}

/* Nothing is made where a campaign should be and is none. */
static bool is_joinable(struct campaign *c, struct err *e)
{
    struct store *s = c->o->join ? store_open(c->site.store, STORE_READ, NULL, e) : NULL;
    store_close(s);
    return s || !c->o->join;
}

static bool open_campaign(struct campaign *c, struct err *e)
{
    c->site = site_of(&c->arena, c->o->dir);
    name_node(c);
    return (!c->site.dir || open_folder(c, e)) && is_joinable(c, e) &&
           (c->store = store_open(c->site.store, STORE_WRITE, NULL, e)) != NULL &&
           (!c->o->seeds || seeds_bring(&c->site, c->store, c->o->seeds, e)) && open_conf(c, e) &&
           check_seed(c, e) && (!c->site.dir || store_give_back_all(c->store, e)) &&
           open_findings(c, e) && database_join(c, e) && look_at_compilers(c, e) &&
           open_choices(c, e) && database_join(c, e);
}

/* ---- status -------------------------------------------------------------------------- */

static struct hunt_arm *list_arms(const struct axis *axis, struct arena *a)
{
    return choices_show(a, axis->at, axis->n);
}

static struct hunt_status make_status(const struct campaign *c, struct arena *a,
                                      enum hunt_state state)
{
    double own = c->own_cpu + sys_own_cpu();
    double jobs = c->job_cpu + sys_children_cpu(); /* looking at compilers is their work too */
    struct hunt_status s = {.state = state,
                            .dir = c->site.name,
                            .pid = (int)getpid(),
                            .time = (int64_t)time(NULL),
                            .elapsed = sys_now() - c->start,
                            .limit = c->o->seconds,
                            .jobs = c->jobs,
                            .findings = c->findings,
                            .programs_now = c->programs,
                            .compiles_now = c->compiles,
                            .new_findings = c->new_findings,
                            .configurations = c->plan.n,
                            .job_cpu = jobs,
                            .own_cpu = own,
                            .share = jobs + own > 0 ? jobs / (jobs + own) : 0,
                            .strategy_count = c->choices.axes[AXIS_STRATEGY].n,
                            .profile_count = c->choices.axes[AXIS_PROFILE].n,
                            .class_count = c->choices.axes[AXIS_CLASS].n,
                            .compilers = c->by_compiler,
                            .compiler_count = c->compiler_count,
                            .history = c->history,
                            .newest = c->newest,
                            .newest_count = c->newest_count};
    s.strategies = list_arms(&c->choices.axes[AXIS_STRATEGY], a);
    s.profiles = list_arms(&c->choices.axes[AXIS_PROFILE], a);
    s.classes = list_arms(&c->choices.axes[AXIS_CLASS], a);
    s.programs = c->others.programs;
    s.compiles = c->others.compiles;
    s.bytes = c->others.bytes;
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
        sys_write_file(site_path(&a, &c->site, "status.json"), text, strlen(text), NULL);
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
    if (c->site.dir && (state == HUNT_STOPPED || sys_now() - c->last_status >= status_every))
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

static bool return_finding(struct campaign *c, void *what, struct err *e)
{
    return store_return_finding(c->store, &c->node, *(uint64_t *)what, true, e);
}

static bool return_errand(struct campaign *c, void *what, struct err *e)
{
    return store_return_errand(c->store, &c->node, *(uint64_t *)what, e);
}

/* What it had in hand goes back. */
static bool bury_worker(struct campaign *c, struct hand *h, struct err *e)
{
    bool ok = true;
    sys_peer_stop(&h->peer);
    if (h->busy && h->errand) {
        campaign_say(c, "what somebody asked for cost a worker");
        ok = database_do(c, return_errand, &h->errand, e);
    } else if (h->busy && h->reducing) {
        campaign_say(c, "finding %llu was not made smaller: that cost a worker",
                     (unsigned long long)h->reducing);
        ok = database_do(c, return_finding, &h->reducing, e);
    } else if (h->busy) {
        ok = leases_give_back(c, &h->lease, e);
    }
    h->reducing = h->errand = 0;
    h->busy = false;
    if (++c->deaths > MOST_DEATHS)
        return fail(e, "workers keep dying: %u in this run", c->deaths);
    return ok && start_worker(c, h, e);
}

/* To a worker that knows what it is to test with. */
static bool give(struct campaign *c, struct hand *h, const struct message *m, struct err *e)
{
    h->busy = true;
    if (h->outdated)
        sys_peer_send(&h->peer, c->plan_line, c->plan_size);
    h->outdated = false;
    return message_send(&h->peer, m) || bury_worker(c, h, e);
}

static bool give_errand(struct campaign *c, struct hand *h, struct err *e)
{
    struct message m = {0};
    return errand_give(c, h, &m, e) && (m.type == MESSAGE_FAILED || give(c, h, &m, e));
}

static bool give_task(struct campaign *c, struct hand *h, struct err *e)
{
    bool found;
    if (!leases_next(c, &h->lease, &found, e))
        return false;
    if (!found)
        return true;
    const struct store_task *t = &h->lease.task;
    struct message m = {.type = MESSAGE_TASK,
                        .task = {.strategy = strategy_named(t->strategy),
                                 .number = t->number,
                                 .profile = t->profile,
                                 .class = cc_class_named(t->class)}};
    return give(c, h, &m, e);
}

/* Has making findings small had its share? */
static bool is_reducing_due(const struct campaign *c)
{
    double all = c->job_cpu + c->own_cpu;
    return c->open && c->reduce_cpu <= reduce_share * all;
}

static bool lease_finding(struct campaign *c, void *what, struct err *e)
{
    return store_lease_finding(c->store, &c->node, what, e);
}

/* A finding that took long gets longer slices: each begins with the first pass again, and one that
 * ends before it has gained anything would be spent in vain each time. */
static double slice_of(const struct finding *f)
{
    return f->reduced.cpu / 2 > reduce_slice ? f->reduced.cpu / 2 : reduce_slice;
}

/* Half of what is left on the clock: what a slice has reached when the time is up is lost, and a
 * busy machine may have less CPU time to give than that. */
static double clock_for(const struct campaign *c)
{
    double left = c->start + c->o->seconds - sys_now();
    return c->o->seconds <= 0 ? 0 : left > 2 ? left / 2 : 1;
}

/* A finding that can become smaller, and whose compiler is here, goes to the worker. */
static bool give_reduction(struct campaign *c, struct hand *h, struct err *e)
{
    struct message m = {.type = MESSAGE_REDUCE};
    uint64_t id;
    if (!database_do(c, lease_finding, &id, e))
        return false;
    if (!id) {
        c->open = 0; /* for us, until we look again */
        return true;
    }
    arena_reset(&h->arena);
    const char *detail = store_detail(c->store, &h->arena, id);
    if (!detail || !finding_from_text(&h->arena, detail, &m.finding))
        return database_do(c, return_finding, &id, e);
    m.finding.id = h->reducing = id;
    m.seconds = slice_of(&m.finding);
    m.clock = clock_for(c);
    return give(c, h, &m, e);
}

/* ---- what workers say ---------------------------------------------------------------- */

static void answer(struct campaign *c, struct hand *h, const struct list *keys)
{
    struct arena a = {0};
    struct message m = {.type = MESSAGE_ANSWER};
    for (size_t i = 0; i < keys->n; i++)
        if (filing_is_wanted(c, keys->at[i]))
            list_add(&a, &m.keys, keys->at[i]);
    /* one that is gone by now is noticed when it is listened to */
    message_send(&h->peer, &m);
    arena_free(&a);
}

static void take_result(struct campaign *c, struct hand *h, struct arena *a, const struct result *r)
{
    filing_add(c, h, a, r);
    h->busy = false;
    choices_end(&c->choices, &h->lease.choice);
}

static bool take_reply(struct campaign *c, struct hand *h, const struct message *m, struct err *e)
{
    h->busy = false;
    c->job_cpu += m->done.job_cpu;
    c->own_cpu += m->done.own_cpu;
    return errand_answer(c, h, &m->reply, e);
}

static bool hear(struct campaign *c, struct hand *h, const struct text *line, struct err *e)
{
    static const struct errand_reply told = {RECHECK_UNCLEAR, ""}; /* the finding says it */
    struct arena a = {0};
    struct message m;
    bool ok = true;
    if (!message_decode(&a, line, &m))
        BUG("a worker says what is no message");
    if (m.type == MESSAGE_ASK)
        answer(c, h, &m.keys);
    else if (m.type == MESSAGE_DONE)
        take_result(c, h, &a, &m.done);
    else if (m.type == MESSAGE_REDUCED)
        ok = filing_keep_reduced(c, h, &m, e) && (!h->errand || errand_answer(c, h, &told, e));
    else if (m.type == MESSAGE_RECHECKED)
        ok = take_reply(c, h, &m, e);
    else if (m.type == MESSAGE_FAILED)
        campaign_say(c, "a worker failed: %s", m.why);
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

static bool is_anybody_busy(const struct campaign *c)
{
    for (unsigned i = 0; i < c->jobs; i++)
        if (c->hands[i].busy)
            return true;
    return false;
}

/* Somebody has changed the choices, and nothing that was leased under the old ones is in hand. */
static bool take_over_choices(struct campaign *c, struct err *e)
{
    campaign_say(c, "the choices of the campaign have changed: taken over");
    leases_forget(c);
    if (!filing_keep(c, true, e) || !leases_reconcile(c, e) || !open_conf(c, e))
        return false;
    yields_learn(&c->plan, &c->at_start, &c->choices);
    c->stale = false;
    if (!look_at_compilers(c, e) || !open_choices(c, e))
        return false;
    for (unsigned i = 0; i < c->jobs; i++)
        c->hands[i].outdated = true;
    return database_join(c, e);
}

/* Compilers come, go and are upgraded while we hunt. */
static bool notice_changes(struct campaign *c, struct err *e)
{
    if (sys_now() - c->last_stamp < stamp_every)
        return true;
    c->last_stamp = sys_now();
    if (plan_stamp(&c->plan) == c->plan.stamp)
        return true;
    campaign_say(c, "a compiler has changed: looking at them again");
    if (!look_at_compilers(c, e))
        return false;
    for (unsigned i = 0; i < c->jobs; i++)
        c->hands[i].outdated = true;
    return database_join(c, e);
}

/* Of a campaign that is to have so many programs: are all of them tested, here and elsewhere? */
static bool is_complete(struct campaign *c)
{
    struct store_tally t;
    bool idle = c->exhausted && !c->queued && !c->filing_count;
    for (unsigned i = 0; idle && i < c->jobs; i++)
        idle = !c->hands[i].busy || c->hands[i].reducing || c->hands[i].errand;
    return idle && store_count_tasks(c->store, &t, NULL) && !t.leased && !t.waiting &&
           t.done + t.lost >= c->o->total;
}

static bool hand_out(struct campaign *c, struct err *e)
{
    if (c->stale && is_anybody_busy(c))
        return true;
    if (c->stale && !take_over_choices(c, e))
        return false;
    for (unsigned i = 0; i < c->jobs; i++) {
        struct hand *h = &c->hands[i];
        if (!h->busy && !give_errand(c, h, e))
            return false;
        if (!h->busy && is_reducing_due(c) && !give_reduction(c, h, e))
            return false;
        if (!h->busy && !give_task(c, h, e))
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
    while (!campaign_is_enough(c) && !is_complete(c)) {
        if (!hand_out(c, e) || !notice_changes(c, e) || !database_beat(c, e))
            return false;
        for (unsigned i = 0; i < c->jobs; i++)
            peers[i] = c->hands[i].peer;
        sys_peers_wait(peers, c->jobs, tick);
        for (unsigned i = 0; i < c->jobs; i++)
            if (!listen(c, &c->hands[i], e))
                return false;
        if (!filing_keep(c, false, e))
            return false;
        show_status(c, HUNT_HUNTING);
    }
    return filing_keep(c, true, e);
}

static void close_campaign(struct campaign *c)
{
    c->stopping = true;
    for (unsigned i = 0; c->hands && i < c->jobs; i++)
        sys_peer_dismiss(&c->hands[i].peer);
    for (unsigned i = 0; c->hands && i < c->jobs; i++) {
        sys_peer_stop(&c->hands[i].peer);
        arena_free(&c->hands[i].arena);
    }
    if (c->store && c->hands) {
        show_status(c, HUNT_STOPPED);
        yields_learn(&c->plan, &c->at_start, &c->choices);
    }
    if (c->store)
        database_leave(c);
    if (c->seeds.lock_fd >= 0)
        sys_scratch_close(&c->seeds);
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
                         .lock = -1,
                         .seeds.lock_fd = -1,
                         .start = sys_now(),
                         /* what is spent on looking counts */ .jobs = o->jobs ? o->jobs
                                                                               : sys_cpu_count()};
    bool ok = open_campaign(&c, e) && run(&c, e);
    *out = (struct hunt_summary){.programs = c.programs,
                                 .compiles = c.compiles,
                                 .new_findings = c.new_findings,
                                 .findings = c.findings,
                                 .doubts = c.doubts,
                                 .chances = c.chances,
                                 .compilers = c.plan.watched.n,
                                 .configurations = c.plan.n,
                                 .newest = c.new_findings ? c.newest[0].id : 0};
    close_campaign(&c);
    return ok;
}
