/* Second opinions on two codes of which one is held to be the worse: cycles by llvm-mca, else costs
 * by the table; and instructions that the programs execute.  Decides what is in doubt. */
#include "missed/private.h"

/* Cycles where llvm-mca is there and can read both; else the costs of the table. */
static bool price(struct bench *b, const struct sight *s, struct arena *a,
                  struct missed_opinions *out, struct err *e)
{
    double cycles[2];
    for (unsigned i = 0; i < 2; i++)
        if (!mca_cycles(b->lab, s->by[i], s->codes[i].text, a, &cycles[i], e))
            return false;
    bool known = cycles[0] > 0 && cycles[1] > 0;
    out->cost_by = known ? "llvm-mca" : "table";
    out->worse_cost = known ? cycles[s->worse] : s->codes[s->worse].cost;
    out->better_cost = known ? cycles[!s->worse] : s->codes[!s->worse].cost;
    return true;
}

/* Executed instructions, of two whole programs of one compiler. */
static bool measure(struct bench *b, const struct sight *s, struct arena *a,
                    struct missed_opinions *out, struct err *e)
{
    uint64_t steps[2];
    if (*s->marker || s->by[0] != s->by[1])
        return true;
    for (unsigned i = 0; i < 2; i++)
        if (!bench_count_steps(b, s->by[i], s->texts[i], a, &steps[i], e))
            return false;
    bool known = steps[0] && steps[1];
    out->worse_steps = known ? steps[s->worse] : 0;
    out->better_steps = known ? steps[!s->worse] : 0;
    return true;
}

bool sight_ask_opinions(struct bench *b, const struct sight *s, struct arena *a,
                        struct missed_opinions *out, struct err *e)
{
    *out = (struct missed_opinions){0};
    return price(b, s, a, out, e) && measure(b, s, a, out, e);
}

bool missed_is_contradicted(enum missed_oracle oracle, const struct missed_opinions *o)
{
    static const double least_gain = 1.05; /* what is below it differs in taste */
    bool compares = oracle == MISSED_PAIR || oracle == MISSED_REFINE || oracle == MISSED_RESTRICT;
    bool executes_less = !o->worse_steps || o->better_steps < o->worse_steps;
    return compares && (o->worse_cost < least_gain * o->better_cost || !executes_less);
}
