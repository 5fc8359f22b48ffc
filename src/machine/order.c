/* Does the result hang on an order that C leaves open?  Each conflict that a run noted is tried
 * the other way round. */
#include "machine/machine.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CONFLICTS = 16 };

static bool same_behaviour(const struct machine_result *a, const struct machine_result *b)
{
    return b->end == MACHINE_FINISHED && a->status == b->status && a->output.n == b->output.n &&
           memcmp(text_str(&a->output), text_str(&b->output), a->output.n) == 0;
}

bool machine_order_matters(const struct machine_unit *units, size_t n,
                           const struct machine_options *options, const struct machine *m,
                           struct machine_result *found)
{
    const struct machine_conflict *list;
    size_t count = machine_conflicts(m, &list);
    for (size_t i = 0; i < count && i < MOST_CONFLICTS; i++) {
        struct machine_options again = *options;
        again.flip = list[i].place;
        again.trust_order = true;
        struct machine *other = machine_new(units, n, &again);
        bool same = same_behaviour(machine_result(m), machine_run(other));
        machine_free(other);
        if (same)
            continue;
        *found = (struct machine_result){.end = MACHINE_UNDEFINED, .ub = UB_ORDER};
        found->place = list[i].place;
        snprintf(found->detail, sizeof found->detail, "%s",
                 "operands evaluated from right to left give another result");
        return true;
    }
    return false;
}
