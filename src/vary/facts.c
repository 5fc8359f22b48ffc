/* Facts of one program, as a union over executions; from the machine, from counts of lines, or
 * from probes that the program itself carries. */
#include "vary/private.h"

#include <stdlib.h>
#include <string.h>

struct vary_facts *vary_facts_new(const struct program *p)
{
    struct vary_facts *f = calloc(1, sizeof *f);
    if (!f)
        BUG("out of memory");
    f->node_count = p->node_count;
    f->flags = NEW_ARRAY(&f->arena, p->node_count, uint8_t);
    f->range = NEW_ARRAY(&f->arena, p->node_count, struct vary_range);
    return f;
}

void vary_facts_free(struct vary_facts *f)
{
    if (!f)
        return;
    arena_free(&f->arena);
    free(f);
}

bool vary_is_counted(const struct node *n)
{
    switch (n->kind) {
    case NODE_BLOCK:
    case NODE_EMPTY:
    case NODE_LABEL:
    case NODE_CASE:
    case NODE_DEFAULT:
        return false;
    case NODE_DECLARATOR:
        return n->count && n->kid[0] && !n->u.declarator->decl->is_static &&
               n->u.declarator->decl->kind == DECL_VAR && n->u.declarator->decl->owner;
    default:
        return lang_node_info[n->kind].class == NODE_CLASS_STMT;
    }
}

static void cloud(struct vary_facts *f, uint32_t id)
{
    f->flags[id] = (uint8_t)((f->flags[id] & ~VARY_RANGE) | VARY_CLOUDED);
}

void vary_facts_doubt(struct vary_facts *f, const struct node *n)
{
    cloud(f, n->id);
    f->flags[n->id] |= VARY_RAN | VARY_TAKEN | VARY_UNTAKEN;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            vary_facts_doubt(f, n->kid[i]);
}

/* ---- from the machine ------------------------------------------------------------------- */

static void widen(struct vary_facts *f, uint32_t id, const struct machine_fact *m)
{
    struct vary_range *r = &f->range[id];
    if (f->flags[id] & VARY_CLOUDED)
        return;
    if (!m->has_value) {
        cloud(f, id);
    } else if (!(f->flags[id] & VARY_RANGE)) {
        *r = (struct vary_range){m->low, m->high};
        f->flags[id] |= VARY_RANGE;
    } else {
        r->low = m->low < r->low ? m->low : r->low;
        r->high = m->high > r->high ? m->high : r->high;
    }
}

/* An integer that another run of the same input had otherwise follows from an address, a time or a
 * choice of the compiler's, of which the runs are but two: no range of theirs is a fact.  (Pointers
 * do lie elsewhere; that they are or are not null is all that is used of them.) */
static bool is_unsteady(const struct vary_facts *f, const struct node *n,
                        const struct machine_fact *m)
{
    const struct vary_range *r = &f->first[n->id];
    return m->has_value && lang_is_integer(n->type) && (m->low != r->low || m->high != r->high);
}

void vary_facts_add_run(struct vary_facts *f, const struct program *p, const struct machine *m,
                        uint32_t unit)
{
    static const struct vary_range nothing = {1, 0};
    bool other = machine_is_other(m);
    f->exact = true;
    if (!f->first)
        f->first = NEW_ARRAY(&f->arena, f->node_count, struct vary_range);
    for (uint32_t i = 0; i < f->node_count; i++) {
        struct machine_fact fact = machine_fact(m, unit, p->nodes[i]);
        if (fact.is_condition)
            f->flags[i] |= VARY_WAYS;
        if (fact.is_condition && fact.taken)
            f->flags[i] |= VARY_TAKEN;
        if (fact.is_condition && fact.untaken)
            f->flags[i] |= VARY_UNTAKEN;
        fact.has_value = fact.has_value && fact.count &&
                         (fact.has_range || !lang_is_integer(p->nodes[i]->type));
        if (!other)
            f->first[i] = fact.has_value ? (struct vary_range){fact.low, fact.high} : nothing;
        if (!fact.count)
            continue;
        f->flags[i] |= VARY_RAN;
        widen(f, i, &fact);
        if (other && is_unsteady(f, p->nodes[i], &fact))
            cloud(f, i);
    }
}

/* ---- from lines ------------------------------------------------------------------------- */

static uint32_t line_at(const uint32_t *starts, uint32_t lines, uint32_t offset)
{
    uint32_t low = 0, high = lines;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void vary_facts_add_lines(struct vary_facts *f, const struct program *p, const int64_t *counts,
                          uint32_t lines)
{
    uint32_t total = 1, at = 1;
    for (uint32_t i = 0; i < p->text_size; i++)
        total += p->text[i] == '\n';
    uint32_t *starts = NEW_ARRAY(&f->arena, total, uint32_t);
    for (uint32_t i = 0; i < p->text_size; i++)
        if (p->text[i] == '\n')
            starts[at++] = i + 1;
    for (uint32_t i = 0; i < f->node_count; i++) {
        const struct node *n = p->nodes[i];
        if (!vary_is_counted(n))
            continue;
        uint32_t line = line_at(starts, total, n->begin);
        /* what nobody counted may have run */
        if (n->end == 0 || line >= lines || counts[line] != 0)
            f->flags[i] |= VARY_RAN;
    }
}

/* ---- from probes ------------------------------------------------------------------------ */

void vary_facts_add_probes(struct vary_facts *f, const struct vary_probe *probes, uint32_t n,
                           const uint8_t *hits)
{
    for (uint32_t i = 0; i < n; i++) {
        uint8_t *flags = &f->flags[probes[i].node];
        if (probes[i].flag & (VARY_TAKEN | VARY_UNTAKEN))
            *flags |= VARY_WAYS;
        uint32_t byte = probes[i].like < n && probes[i].like < i ? probes[i].like : i;
        if (!hits[byte] && !probes[i].always)
            continue;
        *flags |= probes[i].flag;
        if (probes[i].owner)
            f->flags[probes[i].owner] |= VARY_RAN;
    }
}
