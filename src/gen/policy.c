/* The generator's choices: named, drawn per program, read and written as text. */
#include "gen/state.h"

#include <stdlib.h>
#include <string.h>

enum {
    NEEDS_NONE = GEN_FEATURE_COUNT,
#define FEATURE(id, ...) NEEDS_##id = GEN_HAS_##id,
#include "gen/features.def"
};
_Static_assert(GEN_FEATURE_COUNT < 63, "64 bits hold a set of features");
#define NEEDED(f) ((f) == NEEDS_NONE ? 0 : UINT64_C(1) << (f))

const struct gen_policy_info gen_policy_info[GEN_POLICY_COUNT] = {
#define ROW(group, key, means, low, high, needs, help)                        \
    {                                                                         \
        key, GEN_GROUP_##group, low, high, NEEDED(NEEDS_##needs), means, help \
    }
#define POLICY(group, name, ...) \
    [GEN_##group##_##name] = ROW(group, #group "." #name, 0, __VA_ARGS__),
#define OPERATOR(name, op_, ...) [GEN_op_##name] = ROW(op, "op." #name, OP_##op_, __VA_ARGS__),
#define TYPE(name, kind, ...) \
    [GEN_type_##name] = ROW(type, "type." #name, TYPE_##kind, __VA_ARGS__),
#define CLASS(name, class_, ...) \
    [GEN_class_##name] = ROW(class, "class." #name, CLASS_##class_, __VA_ARGS__),
#include "gen/policy.def"
};

/* What --set may ask for: numbers a few times beyond what is drawn. */
enum { GEN_WEIGHTS, GEN_SHARES, GEN_PERCENT, GEN_NUMBER };
enum { MOST_WEIGHT = 1000000, NUMBER_FACTOR = 4 };

static const uint8_t group_kinds[GEN_GROUP_COUNT] = {
#define GROUP(name, kind, help) [GEN_GROUP_##name] = GEN_##kind,
#include "gen/policy.def"
};

/* What the user has fixed of a group of shares is percent, and the other rows have the rest; where
 * all are fixed (--dump-policy wrote them) they are weights. */
static void settle_shares(struct gen *g, size_t group)
{
    enum { WHOLE = 100, FINE = 1000 };
    uint64_t fixed = 0, others = 0;
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++)
        if (gen_policy_info[i].group == group)
            *(g->o->policy.fixed[i] ? &fixed : &others) += g->policy.value[i];
    if (fixed == 0 || others == 0)
        return;
    uint64_t rest = fixed < WHOLE ? WHOLE - fixed : 0;
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++) {
        uint32_t *value = &g->policy.value[i];
        if (gen_policy_info[i].group != group)
            continue;
        if (g->o->policy.fixed[i])
            *value *= FINE;
        else
            *value = (uint32_t)(*value * rest * FINE / others);
    }
}

/* Rows by group, and the sums of their weights. */
static void sort_rows(struct gen *g)
{
    uint32_t at = 0;
    for (size_t group = 0; group < GEN_GROUP_COUNT; group++) {
        g->first[group] = at;
        for (size_t i = 0; i < GEN_POLICY_COUNT; i++)
            if (gen_policy_info[i].group == group) {
                g->rows[at++] = (uint16_t)i;
                g->sums[group] += g->policy.value[i];
            }
    }
    g->first[GEN_GROUP_COUNT] = at;
}

/* A program that is a bit of everything is a lot of nothing.  A third of the values that may vanish
 * does, and in wide programs a weight is a quarter to sixteen times what its row says: one
 * alternative in six then outweighs all others of its group together. */
static uint32_t drawn(struct rng *r, const struct gen_policy_info *row, bool wide)
{
    static const uint8_t quarters[] = {1, 1, 2, 2, 4, 4, 4, 8, 16, 24, 40, 64};
    if (row->low == 0 && rng_below(r, 3) == 0)
        return 0;
    uint32_t value = (uint32_t)rng_between(r, row->low, row->high);
    if (!wide || group_kinds[row->group] > GEN_SHARES)
        return value;
    return (value * quarters[rng_below(r, LENGTH(quarters))] + 3) / 4;
}

/* A program that is only compiled bears any relaxation: each is on in every second one, with any
 * chance, as in CsmithEdge's crash mode. */
static void draw_crash(struct gen *g)
{
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++) {
        struct rng r = rng_fork_at(&g->rng, "crash", hash_string(gen_policy_info[i].key));
        if (gen_policy_info[i].group == GEN_GROUP_relax && !g->o->policy.fixed[i])
            g->policy.value[i] = rng_chance(&r, 50) ? (uint32_t)rng_between(&r, 0, 100) : 0;
    }
}

void gen_policy_draw(struct gen *g)
{
    struct rng swarm = rng_fork(&g->rng, "swarm");
    bool wide = rng_below(&swarm, 3);
    g->policy = g->o->policy;
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++) {
        struct rng r = rng_fork(&g->rng, gen_policy_info[i].key);
        if (!g->policy.fixed[i])
            g->policy.value[i] = drawn(&r, &gen_policy_info[i], wide);
        if (gen_policy_info[i].features & ~g->o->features)
            g->policy.value[i] = 0;
        g->policy.fixed[i] = true;
    }
    if (!g->o->given_count)
        g->policy.value[GEN_expr_given] = 0;
    if (g->o->mode == GEN_CRASH)
        draw_crash(g);
    static const uint16_t alone[] = {GEN_share_static, GEN_share_inline, GEN_share_always};
    for (size_t i = 0; g->o->split && i < LENGTH(alone); i++)
        g->policy.value[alone[i]] = 0;
    for (size_t group = 0; group < GEN_GROUP_COUNT; group++)
        if (group_kinds[group] == GEN_SHARES)
            settle_shares(g, group);
    sort_rows(g);
    struct rng how = rng_fork(&g->rng, "observe");
    g->observe = gen_pick(g, &how, GEN_GROUP_observe);
    if (g->o->mode == GEN_CRASH)
        g->observe = GEN_observe_nothing;
}

enum gen_policy gen_pick(const struct gen *g, struct rng *r, enum gen_group group)
{
    const uint16_t *row = &g->rows[g->first[group]], *end = &g->rows[g->first[group + 1]];
    if (g->sums[group] == 0)
        return (enum gen_policy) * row;
    uint64_t draw = rng_below(r, g->sums[group]);
    while (row + 1 < end && draw >= g->policy.value[*row])
        draw -= g->policy.value[*row++];
    return (enum gen_policy) * row;
}

/* ---- text ------------------------------------------------------------------------------- */

static bool find_key(const char *key, size_t n, size_t *row)
{
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++)
        if (strlen(gen_policy_info[i].key) == n && strncmp(gen_policy_info[i].key, key, n) == 0) {
            *row = i;
            return true;
        }
    return false;
}

static bool in_range(size_t row, uint64_t value, struct err *e)
{
    const struct gen_policy_info *info = &gen_policy_info[row];
    uint64_t least = 0, most = MOST_WEIGHT;
    if (group_kinds[info->group] == GEN_PERCENT) {
        most = 100;
    } else if (group_kinds[info->group] == GEN_NUMBER) {
        least = info->low ? 1 : 0;
        most = NUMBER_FACTOR * info->high;
    }
    if (value >= least && value <= most)
        return true;
    return fail(e, "%s=%llu is out of range: %llu to %llu", info->key, (unsigned long long)value,
                (unsigned long long)least, (unsigned long long)most);
}

bool gen_policy_set(struct gen_policy_set *set, const char *assignment, struct err *e)
{
    size_t n = strcspn(assignment, "="), row;
    uint64_t value;
    if (!assignment[n])
        return fail(e, "'%s' is not key=value", assignment);
    if (!find_key(assignment, n, &row))
        return fail(e, "no policy '%.*s': cupel gen --dump-policy lists them", (int)n, assignment);
    if (!str_parse_uint(assignment + n + 1, UINT32_MAX, &value, e) || !in_range(row, value, e))
        return false;
    set->value[row] = (uint32_t)value;
    set->fixed[row] = true;
    return true;
}

bool gen_policy_read(struct gen_policy_set *set, const char *text, struct err *e)
{
    struct arena a = {0};
    bool ok = true;
    while (ok && *text) {
        size_t n = strcspn(text, "\n");
        char *line = arena_copy(&a, text, n);
        line[strcspn(line, "#")] = '\0';
        char *trimmed = str_first_line(&a, line);
        if (*trimmed)
            ok = gen_policy_set(set, trimmed, e);
        text += n + (text[n] != '\0');
    }
    arena_free(&a);
    return ok;
}

void gen_policy_dump(const struct gen_policy_set *set, struct text *out)
{
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++) {
        const struct gen_policy_info *row = &gen_policy_info[i];
        size_t start = out->n;
        text_printf(out, "%s=%u", row->key, set->value[i]);
        while (out->n - start < 26)
            text_putc(out, ' ');
        text_printf(out, "# %u..%u: %s\n", row->low, row->high, row->help);
    }
}

/* ---- profiles --------------------------------------------------------------------------- */

const struct gen_profile gen_profiles[] = {
#define PROFILE(name, size, prior, needs, policies, help) \
    {name, size, prior, NEEDED(NEEDS_##needs), policies, help},
#include "gen/profile.def"
};
const size_t gen_profile_count = LENGTH(gen_profiles);

const struct gen_profile *gen_profile_named(const char *name)
{
    for (size_t i = 0; i < gen_profile_count; i++)
        if (strcmp(gen_profiles[i].name, name) == 0)
            return &gen_profiles[i];
    return NULL;
}

void gen_profile_apply(const struct gen_profile *p, struct gen_policy_set *set)
{
    struct arena a = {0};
    struct gen_policy_set own = {0};
    struct err e;
    for (char **word = str_split_command(&a, p->policies, &e); *word; word++)
        if (!gen_policy_set(&own, *word, &e))
            BUG("profile %s: %s", p->name, e.msg);
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++)
        if (own.fixed[i] && !set->fixed[i]) {
            set->value[i] = own.value[i];
            set->fixed[i] = true;
        }
    arena_free(&a);
}

/* ---- features --------------------------------------------------------------------------- */

static const char *const feature_names[GEN_FEATURE_COUNT] = {
#define FEATURE(id, name, help) [GEN_HAS_##id] = name,
#include "gen/features.def"
};

static const struct {
    const char *compiler, *lacks;
} compilers[] = {
#define LACKS(compiler, names) {compiler, names},
#include "gen/features.def"
};

static const struct {
    const char *compiler, *gives;
} special[] = {
#define GIVES(compiler, names) {compiler, names},
#include "gen/features.def"
};

uint64_t gen_all_features(void)
{
    return (UINT64_C(1) << GEN_FEATURE_COUNT) - 1;
}

static bool names_feature(const char *list, const char *name)
{
    size_t n = strlen(name);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == n && strncmp(list, name, n) == 0)
            return true;
    return false;
}

/* Of those that the list names. */
static uint64_t listed(const char *list)
{
    uint64_t bits = 0;
    for (unsigned f = 0; f < GEN_FEATURE_COUNT; f++)
        if (names_feature(list, feature_names[f]))
            bits |= UINT64_C(1) << f;
    return bits;
}

uint64_t gen_usual_features(void)
{
    uint64_t bits = gen_all_features();
    for (size_t i = 0; i < LENGTH(special); i++)
        bits &= ~listed(special[i].gives);
    return bits;
}

bool gen_features_for(const char *compiler, uint64_t *features, struct err *e)
{
    for (size_t i = 0; i < LENGTH(compilers); i++) {
        if (strcmp(compilers[i].compiler, compiler) != 0)
            continue;
        *features &= ~listed(compilers[i].lacks);
        for (size_t k = 0; k < LENGTH(special); k++)
            if (strcmp(special[k].compiler, compiler) == 0)
                *features |= listed(special[k].gives);
        return true;
    }
    for (unsigned f = 0; f < GEN_FEATURE_COUNT; f++) /* or "no-float" */
        if (str_has_prefix(compiler, "no-") && strcmp(compiler + 3, feature_names[f]) == 0) {
            *features &= ~(UINT64_C(1) << f);
            return true;
        }
    return fail(e, "unknown compiler or feature '%s': gcc, clang, tcc, pcc, chibicc or no-FEATURE",
                compiler);
}

/* ---- options ---------------------------------------------------------------------------- */

struct gen_options gen_options_default(void)
{
    return (struct gen_options){
        .target = lang_target(TARGET_LP64),
        .size = 150,
        .features = gen_usual_features(),
    };
}
