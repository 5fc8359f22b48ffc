/* What a program does, whatever order C's operands are evaluated in: it is run once, and each
 * conflict that the run noted is tried the other way round; and, where that is asked for, wherever
 * and whenever it runs.  Takes units and options, yields the first run and what decides; knows
 * nothing of how a run is done. */
#include "machine/private.h"

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

/* Does it end otherwise at another time, in another environment, at other addresses? */
static bool elsewhere_matters(const struct machine_unit *units, size_t n,
                              const struct machine_options *options, struct machine_execution *x)
{
    struct machine_options other = *options;
    other.elsewhere = true;
    other.trust_order = true;
    x->elsewhere = machine_new(units, n, &other);
    const struct machine_result *r = machine_run(x->elsewhere);
    return x->run->end == MACHINE_FINISHED ? !same_behaviour(x->run, r) : x->run->end != r->end;
}

static const struct machine_result *unsteady(struct machine *m)
{
    struct machine_result *r = NEW(&m->arena, struct machine_result);
    r->end = MACHINE_UNSUPPORTED;
    snprintf(r->detail, sizeof r->detail, "%s",
             "what it does depends on time, environment or addresses");
    return r;
}

struct machine_execution machine_execute(const struct machine_unit *units, size_t n,
                                         const struct machine_options *options)
{
    static const struct machine_options plain;
    options = options ? options : &plain;
    struct machine_execution x = {.machine = machine_new(units, n, options)};
    x.why = x.run = machine_run(x.machine);
    if (x.run->end == MACHINE_FINISHED && !options->trust_order) {
        struct machine_result *order = NEW(&x.machine->arena, struct machine_result);
        if (machine_order_matters(units, n, options, x.machine, order))
            x.why = order;
    }
    if (options->steady && elsewhere_matters(units, n, options, &x))
        x.why = unsteady(x.machine);
    x.defined = x.why->end == MACHINE_FINISHED;
    return x;
}

void machine_execution_free(struct machine_execution *x)
{
    machine_free(x->machine);
    if (x->elsewhere)
        machine_free(x->elsewhere);
    *x = (struct machine_execution){0};
}
