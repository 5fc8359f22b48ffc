/* Grouping equal behaviour, and choosing whom to believe. */
#include "judge/judge.h"

#include <stdlib.h>
#include <string.h>

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Where a run was cut off is chance; what was printed before there was too much of it is not. */
static bool same_output(const struct outcome_run *p, const struct outcome_run *q)
{
    if (p->end == SYS_TIMEOUT || p->end == SYS_MEMORY || p->end == SYS_CROWD)
        return true;
    if (p->end == SYS_OUTPUT_LONG)
        return memcmp(p->out, q->out, smaller(p->out_size, q->out_size)) == 0;
    return p->out_size == q->out_size && memcmp(p->out, q->out, p->out_size) == 0;
}

bool judge_same_behaviour(const struct outcome *x, const struct outcome *y)
{
    if (x->run_count != y->run_count)
        return false;
    for (size_t i = 0; i < x->run_count; i++) {
        const struct outcome_run *p = &x->runs[i], *q = &y->runs[i];
        if (p->end != q->end || p->code != q->code || !same_output(p, q))
            return false;
    }
    return true;
}

/* Does the expectation say anything about this outcome? */
static bool is_expected_of(const struct judge_case *c, const struct outcome *o)
{
    return c->expected && (!c->expected_machine || c->expected_machine == o->machine);
}

static bool prints_expected(const struct outcome *o, const struct text *expected)
{
    for (size_t i = 0; i < o->run_count; i++) {
        const struct outcome_run *run = &o->runs[i];
        if (run->end != SYS_EXITED || run->out_size != expected[i].n ||
            memcmp(run->out, text_str(&expected[i]), run->out_size) != 0)
            return false;
    }
    return true;
}

static void group_behaviours(const struct judge_case *c, struct judgement *j)
{
    for (size_t i = 0; i < c->n; i++) {
        const struct outcome *o = &c->outcomes[i];
        j->group_of[i] = -1;
        if (o->kind != OUTCOME_BUILT)
            continue;
        j->built = true;
        size_t g = 0;
        while (g < j->group_count && !judge_same_behaviour(o, &c->outcomes[j->groups[g].first]))
            g++;
        if (g == j->group_count)
            j->groups[j->group_count++] = (struct judge_group){
                .first = i, .expected = c->expected && prints_expected(o, c->expected)};
        j->group_of[i] = (int)g;
        j->groups[g].members++;
    }
}

/* ---- who is right -------------------------------------------------------------------- */

static bool is_licensed(const struct judge_case *c, size_t i)
{
    return c->licence && c->licence[i];
}

/* Does outcome i vote?  Where an output is expected, only what prints it does. */
static bool is_voter(const struct judge_case *c, const struct judgement *j, size_t i)
{
    return j->group_of[i] >= 0 && !is_licensed(c, i) &&
           (!is_expected_of(c, &c->outcomes[i]) || j->groups[j->group_of[i]].expected);
}

static bool is_for_same_machine(const struct judge_case *c, size_t i, size_t k)
{
    return c->outcomes[i].machine == c->outcomes[k].machine;
}

/* What each vote weighs: a compiler has one, whatever the number of its levels, which are wrong
 * together; they share it. */
static double *weigh_votes(struct arena *a, const struct judge_case *c, const struct judgement *j)
{
    double *weights = NEW_ARRAY(a, c->n, double);
    for (size_t i = 0; i < c->n; i++) {
        size_t siblings = 0;
        for (size_t k = 0; k < c->n; k++)
            siblings += is_voter(c, j, k) && is_for_same_machine(c, i, k) &&
                        strcmp(c->configs[k].compiler, c->configs[i].compiler) == 0;
        weights[i] = is_voter(c, j, i) ? 1.0 / (double)siblings : 0;
    }
    return weights;
}

enum { NOBODY = -1 };

/* The group with more than half of the votes for outcome i's machine, or NOBODY. */
static int find_majority(struct arena *a, const struct judge_case *c, const struct judgement *j,
                         const double *weights, size_t i)
{
    double *votes = NEW_ARRAY(a, j->group_count, double), all = 0;
    for (size_t k = 0; k < c->n; k++)
        if (weights[k] > 0 && is_for_same_machine(c, i, k)) {
            votes[j->group_of[k]] += weights[k];
            all += weights[k];
        }
    for (size_t g = 0; g < j->group_count; g++)
        if (votes[g] > all / 2 + 1e-9)
            return (int)g;
    return NOBODY;
}

bool judge_is_as_known(const struct outcome *o, const struct judge_known *known)
{
    for (size_t i = 0; i < o->run_count; i++)
        if (o->runs[i].code != known->status[i])
            return false;
    return prints_expected(o, known->out);
}

/* Is there nobody else whose program is for the same machine? */
static bool is_alone(const struct judge_case *c, const struct judgement *j, size_t i)
{
    for (size_t k = 0; k < c->n; k++)
        if (k != i && j->group_of[k] >= 0 && !is_licensed(c, k) && is_for_same_machine(c, i, k))
            return false;
    return true;
}

/* With expected output, that decides, and among those that print it the majority's exit status
 * does; without, what is known decides; then the majority. */
static enum judge_mark mark_behaviour(struct arena *a, const struct judge_case *c,
                                      const struct judgement *j, const double *weights, size_t i)
{
    const struct outcome *own = &c->outcomes[i];
    bool expected = is_expected_of(c, own);
    if (is_licensed(c, i))
        return MARK_ALONE;
    if (expected && !j->groups[j->group_of[i]].expected)
        return MARK_DIFFERS;
    if (!expected && c->known && c->known[i])
        return judge_is_as_known(own, c->known[i]) ? MARK_AGREES : MARK_DIFFERS;
    if (!expected && is_alone(c, j, i))
        return MARK_ALONE;
    int right = find_majority(a, c, j, weights, i);
    return right == NOBODY ? MARK_UNCLEAR : right == j->group_of[i] ? MARK_AGREES : MARK_DIFFERS;
}

/* A run that was cut off is a hang only when others needed far less, or when somebody knows what
 * it should have printed. */
static bool is_too_slow(const struct judge_case *c, size_t i)
{
    bool cut = false;
    double slowest = 0;
    const struct outcome *own = &c->outcomes[i];
    for (size_t k = 0; k < own->run_count; k++)
        cut |= own->runs[k].end == SYS_TIMEOUT;
    if (!cut)
        return false;
    bool anyone = false;
    for (size_t k = 0; k < c->n; k++)
        for (size_t r = 0; r < c->outcomes[k].run_count; r++) {
            const struct outcome_run *run = &c->outcomes[k].runs[r];
            if (run->end == SYS_TIMEOUT || c->outcomes[k].machine != own->machine)
                continue;
            anyone = true;
            slowest = run->seconds > slowest ? run->seconds : slowest;
        }
    return anyone ? slowest > c->run_timeout / 4 : !is_expected_of(c, own);
}

bool judge_begins_as(const struct outcome_run *run, const char *out, size_t size)
{
    /* there was more: what begins with all of it is something else */
    return run->end == SYS_OUTPUT_LONG && run->out_size < size &&
           memcmp(run->out, out, run->out_size) == 0;
}

/* Does one of its runs begin as it must, and was it cut off then? */
static bool begins_as_wanted(const struct outcome *o, const struct text *wanted)
{
    for (size_t i = 0; i < o->run_count; i++)
        if (judge_begins_as(&o->runs[i], text_str(&wanted[i]), wanted[i].n))
            return true;
    return false;
}

/* A run that printed too much, or took too much memory, tells nothing where all others did so, too,
 * nor where it did as it must as far as it was seen. */
static bool is_cut_short(const struct judge_case *c, const struct judgement *j, size_t i)
{
    const struct outcome *own = &c->outcomes[i];
    bool cut = false, expected = is_expected_of(c, own), known = c->known && c->known[i];
    for (size_t k = 0; k < own->run_count; k++)
        cut |= own->runs[k].end == SYS_OUTPUT_LONG || own->runs[k].end == SYS_MEMORY ||
               own->runs[k].end == SYS_CROWD;
    if (!cut || expected || known)
        return cut && begins_as_wanted(own, expected ? c->expected : c->known[i]->out);
    for (size_t k = 0; k < c->n; k++)
        if (j->group_of[k] >= 0 && j->group_of[k] != j->group_of[i] && is_for_same_machine(c, i, k))
            return false;
    return true;
}

static enum judge_mark mark_of(struct arena *a, const struct judge_case *c,
                               const struct judgement *j, const double *weights, size_t i)
{
    switch (outcome_info(c->outcomes[i].kind)->weight) {
    case WEIGHT_FAULT:
        return MARK_FAULT;
    case WEIGHT_REFUSED:
        return MARK_REFUSED;
    case WEIGHT_NONE:
        return MARK_SILENT;
    case WEIGHT_FINE:
        break;
    }
    if (is_too_slow(c, i) || is_cut_short(c, j, i))
        return MARK_SILENT;
    return mark_behaviour(a, c, j, weights, i);
}

/* ---- compile time and memory --------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

bool judge_is_out_of_line(double own, const double *others, size_t n, double floor)
{
    enum { MANY = 64 };
    double sorted[MANY];
    n = n < MANY ? n : MANY;
    if (n < 2 || own < floor)
        return false;
    memcpy(sorted, others, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_doubles);
    return own > 10 * sorted[n / 2];
}

/* Outcome i against the same compiler's other levels. */
static bool stands_out(const struct judge_case *c, size_t i, double *values, double floor)
{
    enum { SIBLINGS = 64 };
    double others[SIBLINGS];
    size_t n = 0;
    for (size_t k = 0; k < c->n && n < SIBLINGS; k++)
        if (k != i && strcmp(c->configs[k].compiler, c->configs[i].compiler) == 0 &&
            c->outcomes[k].kind == OUTCOME_BUILT)
            others[n++] = values[k];
    return judge_is_out_of_line(values[i], others, n, floor);
}

static void flag_extremes(struct arena *a, const struct judge_case *c, struct judgement *j)
{
    double *seconds = NEW_ARRAY(a, c->n, double), *bytes = NEW_ARRAY(a, c->n, double);
    for (size_t i = 0; i < c->n; i++) {
        seconds[i] = c->outcomes[i].compile_cpu;
        bytes[i] = (double)c->outcomes[i].compile_memory;
    }
    for (size_t i = 0; i < c->n; i++) {
        j->slow[i] = stands_out(c, i, seconds, 1.0);
        j->large[i] = stands_out(c, i, bytes, 512e6);
    }
}

void judge_outcomes(struct arena *a, const struct judge_case *c, struct judgement *j)
{
    *j = (struct judgement){
        .marks = NEW_ARRAY(a, c->n, enum judge_mark),
        .group_of = NEW_ARRAY(a, c->n, int),
        .slow = NEW_ARRAY(a, c->n, bool),
        .large = NEW_ARRAY(a, c->n, bool),
        .groups = NEW_ARRAY(a, c->n, struct judge_group),
    };
    group_behaviours(c, j);
    const double *weights = weigh_votes(a, c, j);
    for (size_t i = 0; i < c->n; i++) {
        j->marks[i] = mark_of(a, c, j, weights, i);
        j->counts[j->marks[i]]++;
        /* that a compiler lacks a header is its own affair; all else was to be compared */
        j->no_answer |= outcome_info(c->outcomes[i].kind)->weight == WEIGHT_NONE &&
                        c->outcomes[i].kind != OUTCOME_NO_HEADER;
        bool silent = j->marks[i] == MARK_SILENT && c->outcomes[i].kind == OUTCOME_BUILT;
        j->too_slow |= silent && is_too_slow(c, i);
        j->cut_short |= silent && !is_too_slow(c, i);
    }
    flag_extremes(a, c, j);
}

bool judge_found_something(const struct judgement *j)
{
    bool differs = (j->counts[MARK_DIFFERS] || j->counts[MARK_UNCLEAR]) && !j->excuse;
    return differs || j->counts[MARK_FAULT] || (j->counts[MARK_REFUSED] && j->built);
}
