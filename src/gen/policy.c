/* The generator's choices: named, drawn per program, read and written as text. */
#include "gen/state.h"

#include <stdlib.h>
#include <string.h>

#define NEEDS_NONE       0
#define NEEDS_INT128     (1u << GEN_HAS_INT128)
#define NEEDS_FLOAT      (1u << GEN_HAS_FLOAT)
#define NEEDS_BITFIELD   (1u << GEN_HAS_BITFIELD)
#define NEEDS_VECTOR     (1u << GEN_HAS_VECTOR)
#define NEEDS_BUILTIN    (1u << GEN_HAS_BUILTIN)
#define NEEDS_OVERFLOW   (1u << GEN_HAS_OVERFLOW)
#define NEEDS_GNU        (1u << GEN_HAS_GNU)
#define NEEDS_ATTRIBUTE  (1u << GEN_HAS_ATTRIBUTE)
#define NEEDS_VALUE      (1u << GEN_HAS_VALUE)
#define NEEDS_VARARGS    (1u << GEN_HAS_VARARGS)
#define NEEDS_LIBRARY    (1u << GEN_HAS_LIBRARY)
#define NEEDS_RESTRICT   (1u << GEN_HAS_RESTRICT)
#define NEEDS_LITERAL    (1u << GEN_HAS_LITERAL)
#define NEEDS_DESIGNATOR (1u << GEN_HAS_DESIGNATOR)
#define NEEDS_COMPUTED   (1u << GEN_HAS_COMPUTED)
#define NEEDS_MACRO      (1u << GEN_HAS_MACRO)

const struct gen_policy_info gen_policy_info[GEN_POLICY_COUNT] = {
#define POLICY(group, name, low, high, needs, help) \
    {#group "." #name, low, high, NEEDS_##needs, help},
#include "gen/policy.def"
};

static bool same_group(size_t a, size_t b)
{
    const char *x = gen_policy_info[a].key, *y = gen_policy_info[b].key;
    size_t n = strcspn(x, ".");
    return strncmp(x, y, n + 1) == 0;
}

static void sum_groups(struct gen *g)
{
    size_t first = 0;
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++) {
        if (!same_group(first, i))
            first = i;
        g->sums[first] += g->policy.value[i];
    }
}

/* Weights are skewed, so that programs differ: a third of those that may vanish does. */
static uint32_t drawn(struct rng *r, const struct gen_policy_info *row)
{
    if (row->low == 0 && rng_below(r, 3) == 0)
        return 0;
    return (uint32_t)rng_between(r, row->low, row->high);
}

void gen_policy_draw(struct gen *g)
{
    g->policy = g->o->policy;
    for (size_t i = 0; i < GEN_POLICY_COUNT; i++) {
        struct rng r = rng_fork(&g->rng, gen_policy_info[i].key);
        if (!g->policy.fixed[i])
            g->policy.value[i] = drawn(&r, &gen_policy_info[i]);
        if (gen_policy_info[i].features & ~g->o->features)
            g->policy.value[i] = 0;
        g->policy.fixed[i] = true;
    }
    for (size_t i = GEN_relax_null; g->o->mode == GEN_CRASH && i <= GEN_relax_arithmetic; i++)
        if (!g->o->policy.fixed[i]) /* all of it is made of what dead code may do */
            g->policy.value[i] = gen_policy_info[i].high;
    static const uint8_t alone[] = {GEN_share_static, GEN_share_inline, GEN_share_always};
    for (size_t i = 0; g->o->split && i < LENGTH(alone); i++)
        g->policy.value[alone[i]] = 0;
    sum_groups(g);
}

enum gen_policy gen_pick(const struct gen *g, struct rng *r, enum gen_policy first,
                         enum gen_policy last)
{
    uint64_t sum = g->sums[first];
    if (sum == 0)
        return first;
    uint64_t draw = rng_below(r, sum);
    for (enum gen_policy i = first; i < last; i++) {
        if (draw < g->policy.value[i])
            return i;
        draw -= g->policy.value[i];
    }
    return last;
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

bool gen_policy_set(struct gen_policy_set *set, const char *assignment, struct err *e)
{
    size_t n = strcspn(assignment, "="), row;
    uint64_t value;
    if (!assignment[n])
        return fail(e, "'%s' is not key=value", assignment);
    if (!find_key(assignment, n, &row))
        return fail(e, "no policy '%.*s': cupel gen --dump-policy lists them", (int)n, assignment);
    if (!str_parse_uint(assignment + n + 1, 1000000, &value, e))
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

unsigned gen_all_features(void)
{
    return (1u << GEN_FEATURE_COUNT) - 1;
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
static unsigned listed(const char *list)
{
    unsigned bits = 0;
    for (unsigned f = 0; f < GEN_FEATURE_COUNT; f++)
        if (names_feature(list, feature_names[f]))
            bits |= 1u << f;
    return bits;
}

unsigned gen_usual_features(void)
{
    unsigned bits = gen_all_features();
    for (size_t i = 0; i < LENGTH(special); i++)
        bits &= ~listed(special[i].gives);
    return bits;
}

bool gen_features_for(const char *compiler, unsigned *features, struct err *e)
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
            *features &= ~(1u << f);
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
