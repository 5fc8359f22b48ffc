/* What is settled, as text.  All of it was executed as edits of a tree; what compilers get is text,
 * and whoever asked for it reads that again.  Where it does something else, which would be our
 * mistake, the change that is lost in the writing is found by bisection, and left out. */
#include "vary/relax/private.h"

enum { MOST_LOST = 8 }; /* found one by one; where there are more, the program stays as it was */

/* The first n changes become the result, with what the program does with them; false where they
 * are not defined without the others. */
static bool take_first(struct relaxing *r, size_t n)
{
    struct list none = {0};
    size_t all = r->settled.n;
    bool defined = true;
    r->settled.n = n;
    if (!r->request->crash) {
        struct machine_execution x = relax_run(r, &none, false, &r->run);
        defined = x.defined;
        if (defined)
            relax_set_output(r, &x.run->output, x.run->status);
        machine_execution_free(&x);
    }
    r->settled.n = all;
    relax_yield(r, n);
    return defined;
}

static bool is_confirmed(const struct relaxing *r)
{
    return r->request->confirm(r->request->context, r->out);
}

/* The change that makes the fewest first ones, itself the last of them, go wrong. */
static size_t find_lost(struct relaxing *r)
{
    size_t good = 0, bad = r->settled.n;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        if (!take_first(r, middle) || is_confirmed(r)) /* undefined: nothing to compare with */
            good = middle;
        else
            bad = middle;
    }
    return bad - 1;
}

static void leave_out(struct relaxing *r, size_t at)
{
    struct list *l = &r->settled;
    const struct change *c = l->at[at];
    if (c->role == ROLE_WRAPPER)
        c->about->removed = false;
    r->out->counts.guilty++;
    for (l->n--; at < l->n; at++)
        l->at[at] = l->at[at + 1];
}

static void leave_all_out(struct relaxing *r)
{
    while (r->settled.n)
        leave_out(r, r->settled.n - 1);
}

void relax_settle_text(struct relaxing *r)
{
    bool good = false;
    relax_yield(r, r->settled.n);
    if (!r->request->confirm || !r->settled.n || is_confirmed(r))
        return;
    for (unsigned lost = 0; !good && r->settled.n; lost++) {
        if (lost < MOST_LOST)
            leave_out(r, find_lost(r));
        else
            leave_all_out(r);
        good = take_first(r, r->settled.n) && is_confirmed(r);
    }
}
