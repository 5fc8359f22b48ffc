/* Whose turn it is.  The share of a strategy follows what it found per CPU second lately, by what
 * that is worth (verdict.def), and has a floor: no strategy is ever starved, since what found
 * nothing yet may find something new. */
#include "hunt/private.h"

#include <math.h>

/* This much is shared equally, whatever was found. */
static const double floor_share = 0.2;
/* CPU seconds of the campaign after which what was found counts half. */
static const double half_life = 1800;
/* Everybody starts as if it had found what is expected of it in so many CPU seconds. */
static const double prior_seconds = 600;

void budget_shares(const struct store_arm *arms, size_t n, double *shares)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const struct store_arm *s = &arms[i];
        double expected = s->prior * prior_seconds / 3600;
        shares[i] = (s->recent_findings + expected) / (s->recent_cpu + prior_seconds);
        sum += shares[i];
    }
    for (size_t i = 0; i < n; i++)
        shares[i] = floor_share / (double)n + (1 - floor_share) * shares[i] / sum;
}

size_t budget_next(const struct store_arm *arms, const unsigned *under_way, size_t n)
{
    enum { MANY = 64 };
    double shares[MANY], best_lag = -INFINITY;
    size_t best = 0;
    if (n == 0 || n > MANY)
        BUG("%zu arms", n);
    budget_shares(arms, n, shares);
    for (size_t i = 0; i < n; i++) {
        const struct store_arm *s = &arms[i];
        /* what is under way, and this one, will cost about as much as what was: so nobody is tried
         * before its turn only because it was never tried */
        double each = s->programs ? (s->job_cpu + s->own_cpu) / (double)s->programs : 1;
        double cpu = s->recent_cpu + each * (under_way[i] + 1);
        double lag = -cpu / shares[i];
        if (lag > best_lag) {
            best_lag = lag;
            best = i;
        }
    }
    return best;
}

void budget_note(struct store_arm *arms, size_t n, size_t which, double cpu, double worth)
{
    double fade = exp2(-cpu / half_life);
    for (size_t i = 0; i < n; i++) {
        arms[i].recent_cpu *= fade;
        arms[i].recent_findings *= fade;
    }
    arms[which].recent_cpu += cpu;
    arms[which].recent_findings += worth;
}
