/* What is known about a node when the run is over. */
#include "machine/private.h"

#define PAIR 0x80000000u

/* Entries of this region that ended before the place with this order was reached. */
static int64_t cut_off(const struct machine *m, uint32_t counter, uint32_t order)
{
    int64_t n = 0;
    for (size_t i = 0; i < m->cut_count; i++) {
        uint32_t at = m->cuts[i].counter & ~(uint32_t)PAIR;
        uint64_t where = m->cuts[i].order;
        /* up through the regions that enclose the call */
        while (at) {
            if (at == counter) {
                n += where < order ? m->cuts[i].times : 0;
                break;
            }
            where = m->region_order[at];
            at = m->region_parent[at];
        }
    }
    return n;
}

static uint64_t count_of(const struct machine *m, const struct unit_state *u, uint32_t id)
{
    if (id >= u->node_count || !u->counter[id])
        return 0;
    uint32_t region = u->counter[id] - 1, counter = region & ~(uint32_t)PAIR;
    if (region & PAIR) {
        uint64_t n = m->counts[counter] + m->counts[counter + 1];
        return n;
    }
    int64_t n = (int64_t)m->counts[counter] - cut_off(m, counter, u->order[id]);
    return n > 0 ? (uint64_t)n : 0;
}

static void add_ways(const struct machine *m, const struct unit_state *u, const struct node *n,
                     struct machine_fact *f)
{
    uint32_t pair = u->whole[n->id] ? u->whole[n->id] : u->branch[n->id];
    if (pair) {
        f->is_condition = true;
        f->untaken = m->counts[pair];
        f->taken = m->counts[pair + 1];
        return;
    }
    if (n->kind == NODE_UNARY && n->op == OP_LNOT) {
        struct machine_fact inner = {0};
        add_ways(m, u, n->kid[0], &inner);
        f->is_condition = inner.is_condition;
        f->taken = inner.untaken;
        f->untaken = inner.taken;
    } else if (n->kind == NODE_BINARY && (n->op == OP_LAND || n->op == OP_LOR)) {
        /* from the two sides: in the head of a loop the operator itself counts entries only */
        struct machine_fact left = {0}, right = {0};
        add_ways(m, u, n->kid[0], &left);
        add_ways(m, u, n->kid[1], &right);
        bool is_and = n->op == OP_LAND;
        f->is_condition = left.is_condition && right.is_condition;
        f->taken = right.taken + (is_and ? 0 : left.taken);
        f->untaken = right.untaken + (is_and ? left.untaken : 0);
    }
}

static bool is_comparison(const struct node *n)
{
    return n->kind == NODE_BINARY && op_is_comparison(n->op);
}

/* A comparison that became a jump: its ways tell its values. */
static void value_of_ways(struct machine_fact *f)
{
    f->has_value = f->has_range = f->taken + f->untaken > 0;
    f->same = f->taken == 0 || f->untaken == 0;
    f->low = f->untaken == 0;
    f->high = f->taken > 0;
    f->bits = (uint64_t)f->low;
}

struct machine_fact machine_fact(const struct machine *m, uint32_t unit, const struct node *n)
{
    const struct unit_state *u = &m->units[unit];
    struct machine_fact f = {0};
    if (n->id >= u->node_count)
        return f;
    f.count = count_of(m, u, n->id);
    const struct fact *v = u->fact[n->id] ? &m->facts[u->fact[n->id]] : NULL;
    if (v && v->low <= v->high) {
        f.has_value = true;
        f.same = v->low == v->high;
        f.bits = (uint64_t)v->low;
        bool is_word = lang_is_integer(n->type);
        bool wide = is_word && !lang_int_signed(u->p, n->type) &&
                    lang_int_width(u->p, n->type) == 64;
        f.has_range = is_word && !(wide && v->low < 0);
        f.low = v->low;
        f.high = v->high;
    }
    add_ways(m, u, n, &f);
    if (!f.has_value && is_comparison(n) && u->branch[n->id])
        value_of_ways(&f);
    if (f.is_condition && f.taken + f.untaken > f.count)
        f.count = f.taken + f.untaken;
    return f;
}

size_t machine_conflicts(const struct machine *m, const struct machine_conflict **list)
{
    *list = m->conflicts;
    return m->conflict_count;
}

size_t machine_volatiles(const struct machine *m, const struct machine_volatile **list)
{
    *list = m->volatiles;
    return m->volatile_count;
}

struct machine_cost machine_cost(const struct machine *m)
{
    struct machine_cost cost = {m->insn_count, m->node_compiled, 0};
    for (uint32_t i = 0; i < m->unit_count; i++)
        for (uint32_t id = 0; id < m->units[i].node_count; id++)
            cost.executed += count_of(m, &m->units[i], id);
    return cost;
}
