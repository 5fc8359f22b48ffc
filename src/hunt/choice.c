/* What a hunt chooses between for each task: a strategy, a profile of programs, a class of drawn
 * configurations.  Each of these axes is a row of arms among which the CPU time is shared by what
 * they found (budget.c); what an arm has done is kept in the store. */
#include "hunt/private.h"

#include "gen/gen.h"

#include <string.h>

/* ---- expectations -------------------------------------------------------------------- */

enum { SWARM_PRIOR = 15 };

/* The name after the axis's own: "profile loops" is loops. */
const char *choice_name(const char *arm)
{
    const char *blank = strchr(arm, ' ');
    return blank ? blank + 1 : arm;
}

double choice_prior(const char *arm)
{
    const char *name = choice_name(arm);
    if (name == arm) {
        enum strategy s = strategy_named(name);
        return s == STRATEGY_COUNT ? 0 : strategy_prior(s);
    }
    if (str_has_prefix(arm, "class "))
        return cc_class_prior(cc_class_named(name));
    for (size_t i = 0; i < gen_profile_count; i++)
        if (strcmp(gen_profiles[i].name, name) == 0)
            return gen_profiles[i].prior;
    return SWARM_PRIOR;
}

/* ---- opening ------------------------------------------------------------------------- */

static bool add_arm(struct arena *a, struct axis *axis, struct store *store, const char *name,
                    struct err *e)
{
    for (size_t i = 0; i < axis->n; i++)
        if (strcmp(axis->at[i].name, name) == 0)
            return true; /* named twice */
    axis->at = arena_grow(a, axis->at, axis->n, axis->n + 1, sizeof *axis->at);
    axis->under_way = arena_grow(a, axis->under_way, axis->n, axis->n + 1, sizeof *axis->under_way);
    struct store_arm *arm = &axis->at[axis->n++];
    *arm = (struct store_arm){.name = name, .prior = choice_prior(name)};
    return store_load_arm(store, arm, e);
}

/* Is it one of the names between commas and blanks, or are all meant? */
static bool is_named(const char *names, const char *name)
{
    size_t n = strlen(name);
    if (strcmp(names, "all") == 0)
        return true;
    for (const char *at = names; *at; at += strspn(at, ", ")) {
        size_t length = strcspn(at, ", ");
        if (length == n && strncmp(at, name, n) == 0)
            return true;
        at += length;
    }
    return false;
}

static bool is_profile(const char *name)
{
    for (size_t i = 0; i < gen_profile_count; i++)
        if (strcmp(gen_profiles[i].name, name) == 0)
            return true;
    return strcmp(name, "swarm") == 0;
}

static bool is_mode(const char *name)
{
    return strategy_named(name) != STRATEGY_COUNT;
}

/* The first of the names that nobody has; NULL: none. */
static char *find_unknown(struct arena *a, const char *names, bool (*is_known)(const char *name))
{
    for (const char *at = names; strcmp(names, "all") != 0 && *at;) {
        size_t n = strcspn(at, ", ");
        char *name = arena_copy(a, at, n);
        if (n && !is_known(name))
            return name;
        at += n + strspn(at + n, ", ");
    }
    return NULL;
}

bool choices_check(struct arena *a, const struct conf *conf, struct err *e)
{
    const char *mode = find_unknown(a, conf->modes, is_mode);
    const char *profile = find_unknown(a, conf->profiles, is_profile);
    if (mode)
        return fail(e, "unknown mode '%s': see cupel hunt --help", mode);
    return !profile ||
           fail(e, "no profile named '%s': swarm, or see cupel gen --profiles", profile);
}

/* Those that are named, or all that this machine has what they need for. */
static bool open_strategies(struct arena *a, struct axis *axis, struct store *store,
                            const char *modes, const struct plan *p, struct err *e)
{
    bool all = strcmp(modes, "all") == 0;
    for (const char *at = modes; !all && *at;) {
        size_t n = strcspn(at, ", ");
        const char *name = arena_copy(a, at, n);
        enum strategy which = strategy_named(name);
        if (n && strategy_lacks(which, p))
            return fail(e, "mode %s: %s", name, strategy_lacks(which, p));
        if (n && !add_arm(a, axis, store, strategy_name(which), e))
            return false;
        at += n + strspn(at + n, ", ");
    }
    for (size_t i = 0; all && i < STRATEGY_COUNT; i++)
        if (strategy_is_usual((enum strategy)i) && !strategy_lacks((enum strategy)i, p) &&
            !add_arm(a, axis, store, strategy_name((enum strategy)i), e))
            return false;
    return axis->n || fail(e, "no mode to hunt with: see cupel hunt --help");
}

/* The profiles of the generator, and swarm: everything drawn. */
static bool open_profiles(struct arena *a, struct axis *axis, struct store *store,
                          const char *names, struct err *e)
{
    if (is_named(names, "swarm") && !add_arm(a, axis, store, "profile swarm", e))
        return false;
    for (size_t i = 0; i < gen_profile_count; i++)
        if (is_named(names, gen_profiles[i].name) &&
            !add_arm(a, axis, store, arena_printf(a, "profile %s", gen_profiles[i].name), e))
            return false;
    return axis->n || fail(e, "no profile to hunt with: swarm, or see cupel gen --profiles");
}

/* Can some compiler be given configurations of that class?  A level and nothing else always. */
static bool is_drawn(const struct plan *p, enum cc_class class)
{
    bool drawn = class == CC_CLASS_PLAIN;
    for (size_t i = 0; i < p->n && !drawn; i++)
        drawn = p->configs[i].pool.n && cc_pool_offers(&p->configs[i].pool, class);
    return drawn;
}

bool choices_open(struct arena *a, struct choices *c, struct store *store, const struct conf *conf,
                  const struct plan *p, struct err *e)
{
    *c = (struct choices){0};
    if (!open_strategies(a, &c->axes[AXIS_STRATEGY], store, conf->modes, p, e) ||
        !open_profiles(a, &c->axes[AXIS_PROFILE], store, conf->profiles, e))
        return false;
    for (size_t i = 0; i < CC_CLASS_COUNT; i++)
        if (is_drawn(p, (enum cc_class)i) &&
            !add_arm(a, &c->axes[AXIS_CLASS], store,
                     arena_printf(a, "class %s", cc_class_name((enum cc_class)i)), e))
            return false;
    return true;
}

/* ---- choosing ------------------------------------------------------------------------ */

/* The arm of that name; the first when it is gone. */
static size_t find_arm(const struct axis *axis, const char *name)
{
    for (size_t i = 0; i < axis->n; i++)
        if (strcmp(choice_name(axis->at[i].name), name) == 0)
            return i;
    return 0;
}

struct store_arm *choices_arm(const struct choices *c, const struct choice *choice, enum axis_id i)
{
    return &c->axes[i].at[choice->arm[i]];
}

static const struct {
    const char *profile, *class;
} suits[] = {
#define SUIT(profile, class, because) {profile, class},
#include "hunt/suit.def"
};

/* Every other program of a profile that suits some classes gets one of them: that which lags most
 * behind its share. */
static size_t suit_class(const struct choices *c, const struct store_arm *profile, size_t chosen)
{
    const struct axis *classes = &c->axes[AXIS_CLASS];
    struct store_arm arms[LENGTH(suits)];
    unsigned under_way[LENGTH(suits)];
    size_t at[LENGTH(suits)], n = 0;
    for (size_t i = 0; i < LENGTH(suits) && profile->programs % 2; i++) {
        if (strcmp(suits[i].profile, choice_name(profile->name)) != 0)
            continue;
        at[n] = find_arm(classes, suits[i].class);
        arms[n] = classes->at[at[n]];
        under_way[n] = classes->under_way[at[n]];
        n++;
    }
    return n ? at[budget_next(arms, under_way, n)] : chosen;
}

struct choice choices_next(const struct choices *c)
{
    struct choice choice;
    for (size_t i = 0; i < AXIS_COUNT; i++)
        choice.arm[i] = budget_next(c->axes[i].at, c->axes[i].under_way, c->axes[i].n);
    choice.arm[AXIS_CLASS] = suit_class(c, choices_arm(c, &choice, AXIS_PROFILE),
                                        choice.arm[AXIS_CLASS]);
    return choice;
}

struct choice choices_of_task(const struct choices *c, const struct store_task *t)
{
    struct choice choice = {{[AXIS_STRATEGY] = find_arm(&c->axes[AXIS_STRATEGY], t->strategy),
                             [AXIS_PROFILE] = find_arm(&c->axes[AXIS_PROFILE], t->profile),
                             [AXIS_CLASS] = find_arm(&c->axes[AXIS_CLASS], t->class)}};
    return choice;
}

void choices_begin(struct choices *c, const struct choice *choice)
{
    for (size_t i = 0; i < AXIS_COUNT; i++)
        c->axes[i].under_way[choice->arm[i]]++;
}

void choices_end(struct choices *c, const struct choice *choice)
{
    for (size_t i = 0; i < AXIS_COUNT; i++)
        c->axes[i].under_way[choice->arm[i]]--;
}

/* ---- counting ------------------------------------------------------------------------ */

static void count(struct store_arm *s, const struct result *r, const struct showing *showing)
{
    s->findings += showing->new_ones;
    s->repeats += showing->repeats;
    s->programs++;
    s->skipped += r->skipped;
    s->compiles += r->compiles;
    s->runs += r->runs;
    s->bytes += r->bytes;
    s->job_cpu += r->job_cpu;
    s->own_cpu += r->own_cpu;
}

void choices_count(struct choices *c, const struct choice *choice, const struct result *r,
                   const struct showing *showing)
{
    for (size_t i = 0; i < AXIS_COUNT; i++) {
        struct axis *axis = &c->axes[i];
        size_t which = choice->arm[i];
        count(&axis->at[which], r, showing);
        budget_note(axis->at, axis->n, which, r->job_cpu + r->own_cpu, showing->worth);
    }
}

bool choices_save(const struct choices *c, const struct choices *saved, struct store *store,
                  struct err *e)
{
    struct arena a = {0};
    size_t n = 0, room = 0;
    for (size_t i = 0; i < AXIS_COUNT; i++)
        room += c->axes[i].n;
    struct store_arm *was = NEW_ARRAY(&a, room, struct store_arm),
                     *is = NEW_ARRAY(&a, room, struct store_arm);
    for (size_t i = 0; i < AXIS_COUNT; i++)
        for (size_t k = 0; k < c->axes[i].n; k++) {
            was[n] = saved->axes[i].at[k];
            is[n] = c->axes[i].at[k];
            n += is[n].programs != was[n].programs || is[n].lost != was[n].lost;
        }
    bool ok = store_add_to_arms(store, was, is, n, e);
    arena_free(&a);
    return ok;
}

/* What others did counts for the budget as what we did. */
static void take_over(struct axis *axis, size_t which, struct store_arm *was,
                      const struct store_arm *now)
{
    struct store_arm *is = &axis->at[which];
    uint64_t *const sums[] = {&is->programs, &is->skipped, &is->lost,     &is->compiles,
                              &is->runs,     &is->bytes,   &is->findings, &is->repeats};
    const uint64_t before[] = {was->programs, was->skipped, was->lost,     was->compiles,
                               was->runs,     was->bytes,   was->findings, was->repeats};
    const uint64_t after[] = {now->programs, now->skipped, now->lost,     now->compiles,
                              now->runs,     now->bytes,   now->findings, now->repeats};
    double cpu = now->job_cpu + now->own_cpu - was->job_cpu - was->own_cpu;
    for (size_t i = 0; i < LENGTH(sums); i++)
        *sums[i] += after[i] - before[i];
    is->next = now->next;
    is->job_cpu += now->job_cpu - was->job_cpu;
    is->own_cpu += now->own_cpu - was->own_cpu;
    if (cpu > 0)
        budget_note(axis->at, axis->n, which, cpu, (double)(now->findings - was->findings));
    double prior = was->prior;
    *was = *now;
    was->prior = prior;
    was->name = is->name;
}

bool choices_refresh(struct choices *c, struct choices *saved, struct store *store, struct err *e)
{
    struct arena a = {0};
    struct store_arm *all;
    size_t n;
    bool ok = store_arms(store, &a, &all, &n, e);
    for (size_t i = 0; ok && i < AXIS_COUNT; i++)
        for (size_t k = 0; k < c->axes[i].n; k++)
            for (size_t m = 0; m < n; m++)
                if (strcmp(all[m].name, c->axes[i].at[k].name) == 0)
                    take_over(&c->axes[i], k, &saved->axes[i].at[k], &all[m]);
    arena_free(&a);
    return ok;
}

struct choices choices_copy(struct arena *a, const struct choices *c)
{
    struct choices copy = *c;
    for (size_t i = 0; i < AXIS_COUNT; i++)
        copy.axes[i].at = arena_grow(a, c->axes[i].at, c->axes[i].n, c->axes[i].n,
                                     sizeof *copy.axes[i].at);
    return copy;
}

void choices_restore(struct choices *c, const struct choices *from)
{
    for (size_t i = 0; i < AXIS_COUNT; i++)
        memcpy(c->axes[i].at, from->axes[i].at, c->axes[i].n * sizeof *c->axes[i].at);
}

struct hunt_arm *choices_show(struct arena *a, const struct store_arm *arms, size_t n)
{
    double *shares = NEW_ARRAY(a, n, double);
    struct hunt_arm *list = NEW_ARRAY(a, n, struct hunt_arm);
    budget_shares(arms, n, shares);
    for (size_t i = 0; i < n; i++) {
        const struct store_arm *s = &arms[i];
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
