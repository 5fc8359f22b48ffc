/* Plans: which relaxations, how often, and in which form wrappers are written; drawn, printed as
 * the paper's seeds, and read back. */
#include "vary/relax/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct relaxation_info relaxation_info[RELAXATION_COUNT] = {
#define RELAXATION(id, name, cl, ch, ml, mh, validators, help) \
    [RELAXATION_##id] = {name, help, {cl, ml}, {ch, mh}, validators},
#include "vary/relax/relaxation.def"
};

/* Follows from the seed alone, so that a printed seed need not say it. */
static uint8_t others_of(uint64_t seed)
{
    struct rng root = rng_seed(seed), r = rng_fork(&root, "relax.plan.others");
    return (uint8_t)(50 * rng_below(&r, 3));
}

struct relax_plan relax_plan_draw(uint64_t seed, enum relax_mode mode, unsigned enabled)
{
    struct relax_plan plan = {.seed = seed, .others = others_of(seed)};
    struct rng root = rng_seed(seed), form = rng_fork(&root, "relax.plan.form");
    plan.form = (enum relax_form)rng_below(&form, 3);
    for (unsigned i = 0; i < RELAXATION_COUNT; i++) {
        const struct relaxation_info *row = &relaxation_info[i];
        struct rng r = rng_fork_at(&root, "relax.plan", hash_string(row->name));
        if (enabled >> i & 1 && rng_chance(&r, 50))
            plan.probability[i] = (uint16_t)rng_between(&r, row->low[mode], row->high[mode]);
    }
    return plan;
}

void relax_plan_print(const struct relax_plan *plan, struct text *out)
{
    text_printf(out, "%llu, %d", (unsigned long long)plan->seed, (int)plan->form);
    for (unsigned i = 0; i < RELAXATION_COUNT; i++)
        text_printf(out, ", %g", plan->probability[i] / 1000.0);
}

/* One field of a list, behind its comma; false when it is no number. */
static bool read_number(const char **text, bool first, double *value)
{
    char *end;
    const char *at = *text + strspn(*text, " ");
    if (!first && *at != ',')
        return false;
    at += !first;
    *value = strtod(at, &end);
    *text = end;
    return end != at;
}

bool relax_plan_parse(const char *text, struct relax_plan *plan, struct err *e)
{
    const char *at = text;
    char *end;
    double form, value;
    errno = 0;
    *plan = (struct relax_plan){.seed = strtoull(text, &end, 10)};
    plan->others = others_of(plan->seed);
    at = end;
    bool ok = end != text && errno == 0 && !strchr(text, '-') && read_number(&at, false, &form) &&
              form >= 0 && form <= (int)RELAX_MIXED && form == (int)form;
    if (ok)
        plan->form = (enum relax_form)(int)form;
    for (unsigned i = 0; ok && i < RELAXATION_COUNT; i++) {
        ok = read_number(&at, false, &value) && value >= 0 && value <= 1;
        if (ok)
            plan->probability[i] = (uint16_t)(value * 1000 + 0.5);
    }
    return (ok && at[strspn(at, " ")] == '\0') ||
           fail(e,
                "'%s' is no seed: it is the source's seed, the form (0, 1 or 2), and %d "
                "probabilities from 0 to 1",
                text, RELAXATION_COUNT);
}

static int find_name(const char *name, size_t n)
{
    for (int i = 0; i < RELAXATION_COUNT; i++)
        if (strlen(relaxation_info[i].name) == n && memcmp(relaxation_info[i].name, name, n) == 0)
            return i;
    return -1;
}

bool relax_names_parse(const char *names, unsigned *bits, struct err *e)
{
    *bits = 0;
    if (strcmp(names, "all") == 0) {
        *bits = (1u << RELAXATION_COUNT) - 1;
        return true;
    }
    while (*names) {
        size_t n = strcspn(names, ",");
        int i = find_name(names, n);
        if (i < 0)
            return fail(e, "no relaxation is called '%.*s': all, or %s", (int)n, names,
                        "null,dangling,init,goto,bounds,parameter,conflict");
        *bits |= 1u << i;
        names += n + (names[n] == ',');
    }
    return *bits || fail(e, "no relaxation is named");
}
