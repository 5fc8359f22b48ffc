/* Two programs of anybody's that mean the same, or two assemblies: the measures and second opinions
 * that a campaign has of its own pairs.  Whether they mean the same is for the user to know. */
#include "missed/private.h"

#include <string.h>

static struct missed_comparison compare(const struct missed_code codes[2], double threshold)
{
    struct missed_comparison c = {.codes = {codes[0], codes[1]},
                                  .measure = missed_compare(&codes[0], &codes[1]),
                                  .worse = missed_worse_side(&codes[0], &codes[1], threshold),
                                  .same = strcmp(codes[0].text, codes[1].text) == 0};
    const struct missed_code *worse = &codes[c.worse == MISSED_OPT];
    const struct missed_code *better = &codes[c.worse != MISSED_OPT];
    c.opinions = (struct missed_opinions){
        .worse_cost = worse->cost, .better_cost = better->cost, .cost_by = "table"};
    return c;
}

struct missed_comparison missed_compare_assemblies(struct arena *a, enum missed_isa isa,
                                                   const char *const texts[2], const char *function,
                                                   double threshold)
{
    const struct missed_code codes[2] = {missed_read_code(a, isa, texts[0], function),
                                         missed_read_code(a, isa, texts[1], function)};
    return compare(codes, threshold);
}

bool missed_compare_programs(const struct missed_judge *j, const char *const texts[2],
                             struct arena *a, struct missed_comparison *out, struct err *e)
{
    struct bench b = {.lab = j->lab, .own = j->by, .function = j->function};
    struct sight s = {.texts = {texts[0], texts[1]}, .by = {j->by, j->by}, .marker = ""};
    bool refused[2];
    for (unsigned i = 0; i < 2; i++) {
        uint64_t before = b.refused;
        if (!bench_compile(&b, j->by, texts[i], a, &s.codes[i], e))
            return false;
        refused[i] = b.refused > before;
    }
    *out = compare(s.codes, j->threshold);
    memcpy(out->refused, refused, sizeof refused);
    s.worse = out->worse == MISSED_OPT;
    return out->worse == MISSED_NEITHER || sight_ask_opinions(&b, &s, a, &out->opinions, e);
}
