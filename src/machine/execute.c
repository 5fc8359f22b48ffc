/* What a program does, whatever C leaves open: it is run once; each conflict between operands that
 * the run noted is tried in other orders, and each choice that it met (choice.def) is made the
 * other way; and, where that is asked for, wherever and whenever it runs.  Takes units and options,
 * yields the first run and what decides; knows nothing of how a run is done. */
#include "machine/private.h"

#include <stdio.h>
#include <string.h>

/* In other orders; or as many as take this much together, each as long as the first and some to
 * begin.  Of more than FEW conflicts, drawn orders say whether there is anything to be found. */
enum { MOST_RUNS = 48, MOST_STEPS = 10000000, STEPS_TO_BEGIN = 50000, FEW = 20, DRAWS = 20 };

/* A program, the run that all others are compared with, and how many of those there were. */
struct subject {
    const struct machine_unit *units;
    size_t count;
    const struct machine_options *options;
    const struct machine_result *wanted;
    unsigned runs;
    struct machine_place undefined; /* in the last run that differed, by what was undefined there */
    char why[300];
};

static bool same_behaviour(const struct machine_result *a, const struct machine_result *b)
{
    return b->end == MACHINE_FINISHED && a->status == b->status && a->output.n == b->output.n &&
           memcmp(text_str(&a->output), text_str(&b->output), a->output.n) == 0;
}

static const struct machine_result *run_witnessed(struct machine *m,
                                                  const struct machine_options *o)
{
    const struct machine_result *r = machine_run(m);
    if (o->witness)
        o->witness(o->witness_context, m);
    return r;
}

static void keep_reason(struct subject *s, const struct machine_result *r)
{
    struct text why = {0};
    s->undefined = (struct machine_place){0};
    if (r->end == MACHINE_UNDEFINED) {
        machine_explain(r, &why);
        s->undefined = r->place;
    }
    snprintf(s->why, sizeof s->why, "%s", text_str(&why));
    text_free(&why);
}

static bool differs(struct subject *s, const struct machine_options *again)
{
    struct machine *other = machine_new(s->units, s->count, again);
    const struct machine_result *r = run_witnessed(other, again);
    /* where addresses are used twice, what lives may be taken for what died; where calls leave no
     * trace, what they remembered has to be computed again */
    bool blind = (again->choices >> CHOICE_REUSE & 1 && r->end != MACHINE_FINISHED) ||
                 (again->choices >> CHOICE_CALLS & 1 && r->end == MACHINE_FUEL);
    bool same = blind || same_behaviour(s->wanted, r);
    if (!same)
        keep_reason(s, r);
    machine_free(other);
    return !same;
}

static bool is_spent(const struct subject *s)
{
    return s->runs >= MOST_RUNS && s->runs * (s->wanted->steps + STEPS_TO_BEGIN) > MOST_STEPS;
}

static bool order_differs(struct subject *s, struct machine_order order)
{
    if (is_spent(s))
        return false;
    s->runs++;
    struct machine_options again = *s->options;
    again.order = order;
    again.trust_order = true;
    return differs(s, &again);
}

static bool pair_differs(struct subject *s, const struct machine_conflict *at)
{
    uint32_t a = at->operand[0], b = at->operand[1];
    return a != b && (order_differs(s, (struct machine_order){at->place, b, a, 0}) ||
                      order_differs(s, (struct machine_order){at->place, a, b, 0}));
}

/* Does some order of everything at once?  One pair that matters is missed by each with a chance of
 * a half. */
static bool drawn_differs(struct subject *s)
{
    bool found = false;
    for (uint32_t i = 1; i <= DRAWS && !found; i++) {
        struct machine_options again = *s->options;
        again.order = (struct machine_order){.drawn = i};
        again.trust_order = true;
        found = differs(s, &again);
    }
    return found;
}

static bool is_first_of_node(const struct machine_conflict *list, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (list[k].place.node == list[i].place.node)
            return false;
    return true;
}

static bool is_only_of_node(const struct machine_conflict *list, size_t n, size_t i)
{
    for (size_t k = 0; k < n; k++)
        if (k != i && list[k].place.node == list[i].place.node)
            return false;
    return true;
}

/* Operands that do not conflict may change places unseen.  So where one pair of a node's conflicts,
 * right to left tells all there is to tell; where several do, what one pair changes another may
 * change back, and each is tried on its own: the later operand before the earlier, and the earlier
 * after the later.  Many harmless conflicts are no reason for many runs. */
static const struct machine_conflict *find_order(struct subject *s, const struct machine *m)
{
    const struct machine_conflict *list;
    size_t n = machine_conflicts(m, &list);
    if (n > FEW && !drawn_differs(s))
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (is_first_of_node(list, i) &&
            order_differs(s, (struct machine_order){.place = list[i].place}))
            return &list[i];
    for (size_t i = 0; i < n; i++)
        if (!is_only_of_node(list, n, i) && pair_differs(s, &list[i]))
            return &list[i];
    return n > FEW || (is_spent(s) && drawn_differs(s)) ? &list[n - 1] : NULL;
}

static bool choice_differs(struct subject *s, enum machine_choice k, unsigned way,
                           struct machine_place only)
{
    struct machine_options again = *s->options;
    again.choices = 1u << k;
    again.way = way;
    again.only = only;
    again.trust_order = true;
    return differs(s, &again);
}

/* Where a choice is made the other way, and matters; NULL: it does not.  All of its ways are
 * tried everywhere, and the first in each place by itself. */
static const struct machine_place *place_that_matters(struct subject *s, const struct machine *m,
                                                      enum machine_choice k)
{
    static const unsigned ways[CHOICE_COUNT] = {
#define CHOICE(id, count, text) [CHOICE_##id] = count,
#include "machine/choice.def"
    };
    static const struct machine_place everywhere;
    for (unsigned way = 0; way < ways[k]; way++)
        if (choice_differs(s, k, way, everywhere))
            return &m->where[k];
    for (uint32_t i = 0; i < m->spot_count && m->spot_count > 1; i++)
        if (m->spots[i].choice == k && choice_differs(s, k, 0, m->spots[i].place))
            return &m->spots[i].place;
    return NULL;
}

static bool order_matters(struct subject *s, const struct machine *m, struct machine_result *found)
{
    const struct machine_conflict *at = find_order(s, m);
    if (!at)
        return false;
    *found = (struct machine_result){.end = MACHINE_UNDEFINED, .ub = UB_ORDER};
    found->place = at->place;
    snprintf(found->detail, sizeof found->detail, "%s",
             "operands evaluated in another order give another result");
    return true;
}

static bool choice_matters(struct subject *s, const struct machine *m, struct machine_result *found)
{
    static const char *const what[CHOICE_COUNT] = {
#define CHOICE(id, ways, text) [CHOICE_##id] = text,
#include "machine/choice.def"
    };
    for (unsigned k = 0; k < CHOICE_COUNT; k++) {
        const struct machine_place *at = m->met[k]
                                             ? place_that_matters(s, m, (enum machine_choice)k)
                                             : NULL;
        if (!at)
            continue;
        bool undefined = s->undefined.node;
        *found = (struct machine_result){.end = MACHINE_UNSPECIFIED,
                                         .place = undefined ? s->undefined : *at};
        snprintf(found->detail, sizeof found->detail, "the result depends on %s%s%s%s", what[k],
                 undefined ? " (undefined otherwise: " : "", undefined ? s->why : "",
                 undefined ? ")" : "");
        return true;
    }
    return false;
}

/* Does it end otherwise at another time, in another environment, at other addresses?  What is
 * undefined here is undefined, whatever happens there: that run trusts the order of operands, and
 * would finish where this one found a conflict, C11 6.5p2. */
static bool elsewhere_matters(const struct machine_unit *units, size_t n,
                              const struct machine_options *options, struct machine_execution *x)
{
    struct machine_options other = *options;
    if (x->why->end == MACHINE_UNDEFINED)
        return false;
    other.elsewhere = true;
    other.trust_order = true;
    x->elsewhere = machine_new(units, n, &other);
    const struct machine_result *r = run_witnessed(x->elsewhere, &other);
    return x->run->end == MACHINE_FINISHED ? !same_behaviour(x->run, r) : x->run->end != r->end;
}

static const struct machine_result *unsteady(struct machine *m,
                                             const struct machine_result *elsewhere)
{
    struct machine_result *r = NEW(&m->arena, struct machine_result);
    bool bad = elsewhere->end == MACHINE_UNDEFINED;
    r->end = MACHINE_UNSUPPORTED;
    snprintf(r->detail, sizeof r->detail, "%s%s%.300s%s",
             "what it does depends on time, environment or addresses",
             bad ? " (undefined elsewhere: " : "", bad ? elsewhere->detail : "", bad ? ")" : "");
    return r;
}

static struct machine_execution run_once(const struct machine_unit *units, size_t n,
                                         const struct machine_options *options)
{
    struct machine_execution x = {.machine = machine_new(units, n, options)};
    x.why = x.run = run_witnessed(x.machine, options);
    return x;
}

static bool same_end(const struct machine_result *a, const struct machine_result *b)
{
    return a->end == MACHINE_FINISHED
               ? same_behaviour(a, b)
               : a->end == b->end && a->ub == b->ub && a->place.node == b->place.node;
}

/* What volatile objects are given is seen outside, too. */
static bool same_volatiles(const struct machine *a, const struct machine *b)
{
    const struct machine_volatile *x, *y;
    size_t n = machine_volatiles(a, &x);
    bool same = machine_volatiles(b, &y) == n;
    for (size_t i = 0; i < n && same; i++)
        same = x[i].bits == y[i].bits && x[i].size == y[i].size;
    return same;
}

/* Does x end as it does because of what is in padding, or only because that is not known? */
static bool padding_matters(const struct machine_execution *x, const struct machine_unit *units,
                            size_t n, struct machine_options *options)
{
    bool same = true;
    for (unsigned as = PADDING_ONES; as < PADDING_COUNT && same; as++) {
        options->padding = as;
        struct machine_execution other = run_once(units, n, options);
        same = same_end(x->run, other.run) && same_volatiles(x->machine, other.machine);
        machine_free(other.machine);
    }
    return !same;
}

/* C11 6.2.6.1p6: padding has values, though nobody knows which; so a run x that ended where
 * unset bytes were used is repeated with some in it.  It is what the program does if any others
 * lead there, too. */
static struct machine_execution run_padded(struct machine_execution x,
                                           const struct machine_unit *units, size_t n,
                                           struct machine_options *options)
{
    struct machine_options again = x.machine->options;
    again.padding = PADDING_ZEROS;
    struct machine_execution padded = run_once(units, n, &again);
    bool other = padded.run->unset;
    if (!other && !padding_matters(&padded, units, n, &again)) {
        machine_free(x.machine);
        options->padding = PADDING_ZEROS;
        return padded;
    }
    machine_free(padded.machine);
    if (other || x.run->end != MACHINE_UNDEFINED)
        return x;
    struct machine_result *open = NEW(&x.machine->arena, struct machine_result);
    *open = (struct machine_result){.end = MACHINE_UNSPECIFIED, .place = x.run->place};
    snprintf(open->detail, sizeof open->detail, "what is in padding that was copied");
    x.why = open;
    return x;
}

/* C11 6.2.6.1p5: integers that were never set may be copied.  And allocated memory that is reached
 * as two structures has to remember which of them stored it.  Both cost, so a run does them only
 * once they are known to matter. */
static struct machine_execution first_run(const struct machine_unit *units, size_t n,
                                          struct machine_options *options)
{
    struct machine_execution x = run_once(units, n, options);
    if (x.run->end == MACHINE_UNDEFINED && x.run->copied && !options->carry) {
        machine_free(x.machine);
        options->carry = true;
        x = run_once(units, n, options);
    }
    if (x.machine->records_meet && !options->owners) {
        struct machine_options again = *options;
        machine_free(x.machine);
        again.owners = true;
        x = run_once(units, n, &again);
    }
    if (x.run->unset && x.machine->left_padding && !options->padding)
        x = run_padded(x, units, n, options);
    return x;
}

struct machine_execution machine_execute(const struct machine_unit *units, size_t n,
                                         const struct machine_options *options)
{
    struct machine_options own = options ? *options : (struct machine_options){0};
    options = &own;
    struct machine_execution x = first_run(units, n, &own);
    struct subject s = {.units = units, .count = n, .options = options, .wanted = x.run};
    struct machine_result *open = NEW(&x.machine->arena, struct machine_result);
    if (x.run->end == MACHINE_FINISHED &&
        ((!options->trust_order && order_matters(&s, x.machine, open)) ||
         choice_matters(&s, x.machine, open)))
        x.why = open;
    if (options->steady && elsewhere_matters(units, n, options, &x))
        x.why = unsteady(x.machine, machine_result(x.elsewhere));
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
