/* What workers found goes into the store: everything that a task showed in one transaction with the
 * task's end, which is not written when somebody else was given the task meanwhile.  A folder's
 * results are kept one by one; a database gets those of half a second at once. */
#include "hunt/campaign.h"

#include <string.h>

enum { MOST_FILINGS = 100 };
static const double filing_seconds = 0.5;

/* ---- keys ------------------------------------------------------------------------------- */

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
    const char *detail = (seen & (seen - 1)) == 0 && seen < STORE_SIGHTINGS && c->open < WAITING
                             ? store_detail(c->store, &a, id)
                             : NULL;
    bool due = detail && finding_from_text(&a, detail, &f) && f.claim.verdict != VERDICT_NONE &&
               verdict_info(f.claim.verdict)->subject == SUBJECT_RUN;
    arena_free(&a);
    return due;
}

bool filing_is_wanted(const struct campaign *c, const char *key)
{
    uint64_t id = store_find(c->store, key);
    return !conf_is_muted(&c->conf, key) && (!id || is_look_due(c, id));
}

/* ---- findings --------------------------------------------------------------------------- */

/* A finding that is not in the store yet; a folder is written before the transaction ends.  *added
 * is false when another node has just added it. */
static bool add_finding(struct campaign *c, struct finding *f, bool *added, struct err *e)
{
    if (!store_add_finding(c->store, f->claim.key, &f->id, e))
        return false;
    *added = f->id != 0;
    f->count = 1;
    f->first = f->last = store_now(c->store);
    return !*added || (row_write(c->store, f, kit_compiler_of(&c->kit, f->claim.config), e) &&
                       site_write_finding(&c->site, f, e));
}

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
    struct finding look = *f;
    bool added;
    look.claim.key = arena_printf(&a, "%s (sighting %llu)", f->claim.key,
                                  (unsigned long long)number_of_sighting(c, id));
    bool ok = add_finding(c, &look, &added, e) &&
              (!added || store_merge(c->store, look.id, id, false, e)) &&
              keep_sighting(c, id, f, e);
    arena_free(&a);
    f->id = look.id;
    return ok;
}

static bool file_repeat(struct campaign *c, uint64_t id, struct finding *f, enum filed *filed,
                        struct err *e)
{
    bool look = f->claim.verdict != VERDICT_NONE && f->evidence.grade < GRADE_CHANCE &&
                is_look_due(c, id);
    *filed = look ? FILED_LOOK : FILED_REPEAT;
    return look ? add_look(c, id, f, e)
                : store_count_again(c->store, id, e) && keep_sighting(c, id, f, e);
}

/* Muted ones are counted under their key, without a folder. */
static bool file_finding(struct campaign *c, struct finding *f, enum filed *filed, struct err *e)
{
    uint64_t id = store_find(c->store, f->claim.key);
    bool added = false;
    *filed = FILED_REPEAT;
    if (id)
        return file_repeat(c, id, f, filed, e);
    if (f->claim.verdict == VERDICT_NONE) /* muted, and never seen */
        return store_add_finding(c->store, f->claim.key, &id, e);
    *filed = FILED_NOTHING;
    if (f->evidence.grade == GRADE_CHANCE)
        return true;
    *filed = FILED_DOUBT;
    if (f->evidence.grade == GRADE_OURS)
        return site_write_doubt(&c->site, c->store, f, e);
    *filed = FILED_NEW;
    if (!add_finding(c, f, &added, e))
        return false;
    if (added)
        return true;
    id = store_find(c->store, f->claim.key);
    return id ? file_repeat(c, id, f, filed, e) : fail(e, "a finding cannot be read");
}

/* ---- results ---------------------------------------------------------------------------- */

static bool file_result(struct campaign *c, struct filing *f, struct fate_sums *sums, struct err *e)
{
    struct showing showing = {0};
    if (!f->mine)
        return true;
    for (size_t i = 0; i < f->result.n; i++) {
        struct finding *finding = &f->result.findings[i];
        if (!file_finding(c, finding, &f->filed[i], e))
            return false;
        showing.repeats += f->filed[i] == FILED_REPEAT || f->filed[i] == FILED_LOOK;
        if (f->filed[i] == FILED_NEW) {
            showing.new_ones++;
            showing.worth += verdict_info(finding->claim.verdict)->worth;
        }
    }
    choices_count(&c->choices, &f->lease.choice, &f->result, &showing);
    fate_count(sums, strategy_named(f->lease.task.strategy), &f->result);
    return true;
}

/* Those that were given to somebody else meanwhile are not ours to count. */
static bool finish_tasks(struct campaign *c, struct err *e)
{
    struct arena a = {0};
    struct store_task *tasks = NEW_ARRAY(&a, c->filing_count, struct store_task);
    bool *mine = NEW_ARRAY(&a, c->filing_count, bool);
    for (size_t i = 0; i < c->filing_count; i++)
        tasks[i] = c->filings[i].lease.task;
    bool ok = store_finish_all(c->store, &c->node, tasks, c->filing_count, mine, e);
    for (size_t i = 0; ok && i < c->filing_count; i++)
        c->filings[i].mine = mine[i];
    arena_free(&a);
    return ok;
}

/* All of them in one transaction; else all is left as it was. */
static bool file_results(struct campaign *c, void *what, struct err *e)
{
    struct arena a = {0};
    struct fate_sums *sums = NEW(&a, struct fate_sums);
    struct choices before = choices_copy(&a, &c->choices);
    (void)what;
    bool ok = store_begin(c->store, e) && finish_tasks(c, e);
    for (size_t i = 0; ok && i < c->filing_count; i++)
        ok = file_result(c, &c->filings[i], sums, e);
    ok = ok && fate_save(sums, c->store, e) && choices_save(&c->choices, &c->saved, c->store, e) &&
         store_commit(c->store, e);
    if (ok) {
        choices_restore(&c->saved, &c->choices);
    } else {
        store_undo(c->store);
        choices_restore(&c->choices, &before);
    }
    arena_free(&a);
    return ok;
}

/* ---- telling ---------------------------------------------------------------------------- */

static bool is_fresh(const struct campaign *c, uint64_t id)
{
    for (size_t i = 0; i < c->fresh.n; i++)
        if (*(uint64_t *)c->fresh.at[i] == id)
            return true;
    return false;
}

static void note_fresh(struct campaign *c, uint64_t id)
{
    uint64_t *kept = NEW(&c->arena, uint64_t);
    *kept = id;
    list_add(&c->arena, &c->fresh, kept);
}

static void tell_finding(struct campaign *c, const struct finding *f, enum filed filed)
{
    const char *verdict = verdict_info(f->claim.verdict)->name;
    const char *signature = f->claim.signature, *grade = grade_name(f->evidence.grade);
    c->doubts += filed == FILED_DOUBT;
    c->chances += filed == FILED_NOTHING;
    if (filed == FILED_NOTHING || filed == FILED_DOUBT)
        campaign_say(c, "not a finding: %s: %s: %s", verdict, f->claim.config, grade);
    c->open += (filed == FILED_LOOK || filed == FILED_NEW) && !(f->reduced.complete && f->named);
    if (filed == FILED_LOOK || filed == FILED_NEW)
        note_fresh(c, f->id);
    if (filed != FILED_NEW)
        return;
    campaign_count_finding(c, f);
    c->new_findings++;
    history_count(&c->history, sys_now() - c->start, 1);
    campaign_say(c, "finding %llu: %s: %s%s%s (%s)", (unsigned long long)f->id, verdict,
                 f->claim.config, *signature ? ": " : "", signature, grade);
    if (c->o->found)
        c->o->found(c->o->context, f);
}

static void note_sick(struct campaign *c, const char *sick)
{
    if (!*sick || (c->sick && strcmp(c->sick, sick) == 0))
        return;
    c->sick = campaign_word(c, sick);
    campaign_say(c, "could not be tried: %s", sick);
}

/* Why a generator gives nothing is said, once; one that always words it otherwise, not for ever. */
static void note_unmade(struct campaign *c, const struct filing *f)
{
    enum { MOST_WHYS = 16 };
    if ((f->result.fate != FATE_UNMADE && f->result.fate != FATE_UNDECIDED) ||
        c->whys.n == MOST_WHYS)
        return;
    const char *line = arena_printf(&c->arena, "%s: no program: %s", f->lease.task.strategy,
                                    f->result.why);
    for (size_t i = 0; i < c->whys.n; i++)
        if (strcmp(c->whys.at[i], line) == 0)
            return;
    list_add(&c->arena, &c->whys, (char *)line);
    campaign_say(c, "%s", line);
}

static void tell_result(struct campaign *c, const struct filing *f)
{
    if (!f->mine) {
        c->leased--; /* it is somebody else's */
        return;
    }
    c->programs++;
    c->compiles += f->result.compiles;
    c->job_cpu += f->result.job_cpu;
    c->own_cpu += f->result.own_cpu;
    for (size_t i = 0; i < f->result.n; i++)
        tell_finding(c, &f->result.findings[i], f->filed[i]);
    note_sick(c, f->result.sick);
    note_unmade(c, f);
}

/* ---- all of it --------------------------------------------------------------------------- */

void filing_add(struct campaign *c, const struct hand *h, struct arena *a, const struct result *r)
{
    if (c->filing_count == c->filing_room) {
        c->filing_room = c->filing_room ? 2 * c->filing_room : MOST_FILINGS;
        c->filings = arena_grow(&c->arena, c->filings, c->filing_count, c->filing_room,
                                sizeof *c->filings);
    }
    if (!c->filing_count)
        c->first_filing = sys_now();
    struct filing *f = &c->filings[c->filing_count++];
    *f = (struct filing){.lease = h->lease, .result = *r, .filed = NEW_ARRAY(a, r->n, enum filed)};
    f->arena = *a;
    *a = (struct arena){0};
}

bool filing_keep(struct campaign *c, bool now, struct err *e)
{
    bool due = now || !campaign_is_shared(c) || c->filing_count >= MOST_FILINGS ||
               sys_now() - c->first_filing >= filing_seconds;
    if (!c->filing_count || !due)
        return true;
    bool ok = database_do(c, file_results, NULL, e);
    for (size_t i = 0; i < c->filing_count; i++) {
        if (ok)
            tell_result(c, &c->filings[i]);
        arena_free(&c->filings[i].arena);
    }
    c->filing_count = 0;
    return ok;
}

/* ---- findings that were made smaller ------------------------------------------------------ */

struct reduced {
    const struct hand *hand;
    const struct finding *finding;
    struct list changes; /* of what is the same bug as what: struct store_finding */
    struct arena arena;
};

static void note_bug(void *context, const struct bug_change *change)
{
    struct reduced *r = context;
    struct bug_change *copy = NEW(&r->arena, struct bug_change);
    *copy = *change;
    list_add(&r->arena, &r->changes, copy);
}

static bool file_reduced(struct campaign *c, void *what, struct err *e)
{
    struct reduced *r = what;
    const struct finding *f = r->finding;
    r->changes = (struct list){0};
    if (store_begin(c->store, e) && row_write(c->store, f, "", e) &&
        store_return_finding(c->store, &c->node, f->id, false, e) &&
        (!*f->bug ||
         (store_set_bug(c->store, f->id, f->bug, e) && bug_settle(c->store, note_bug, r, e))) &&
        site_write_finding(&c->site, f, e) && store_commit(c->store, e))
        return true;
    store_undo(c->store);
    return false;
}

static void tell_bug(struct campaign *c, const struct bug_change *change)
{
    if (change->same_as)
        campaign_say(c, "finding %llu is the same bug as %llu", (unsigned long long)change->id,
                     (unsigned long long)change->same_as);
    else
        campaign_say(c, "finding %llu is a bug of its own", (unsigned long long)change->id);
    uint64_t gained = (uint64_t)bug_gained(change);
    c->findings += gained;
    c->new_findings += is_fresh(c, change->id) ? gained : 0;
}

bool filing_keep_reduced(struct campaign *c, struct hand *h, const struct message *m, struct err *e)
{
    struct reduced r = {.hand = h, .finding = &m->finding};
    const struct finding_reduced *small = &m->finding.reduced;
    h->busy = false;
    h->reducing = 0;
    c->job_cpu += m->done.job_cpu;
    c->own_cpu += m->done.own_cpu;
    c->reduce_cpu += m->done.job_cpu + m->done.own_cpu;
    if (small->complete && small->lines)
        campaign_say(c, "finding %llu is %llu line%s now", (unsigned long long)m->finding.id,
                     (unsigned long long)small->lines, small->lines == 1 ? "" : "s");
    bool ok = database_do(c, file_reduced, &r, e);
    if (ok)
        campaign_show_again(c, &m->finding);
    for (size_t i = 0; ok && i < r.changes.n; i++)
        tell_bug(c, r.changes.at[i]);
    arena_free(&r.arena);
    if (ok)
        store_count_open(c->store, &c->open, NULL);
    return ok;
}
