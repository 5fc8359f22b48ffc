/* Accesses to volatile objects one after the other, as code that drives a device makes them: their
 * number, order and width is what compilers must keep.  Nothing else names the objects, and they
 * are unsigned, so whatever they hold is defined.
 *
 * Draws from a stream of its own: what the region draws is the same with and without it. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

enum { MOST_REGISTERS = 4, MOST_ACCESSES = 6, BANK = 3 };

/* Scalars, and now and then an array, whose elements lie side by side. */
static void declare_registers(struct gen *g)
{
    static const uint8_t kinds[] = {TYPE_UCHAR, TYPE_USHORT, TYPE_UINT, TYPE_ULLONG};
    struct rng r = rng_fork(&g->rng, "registers");
    uint64_t n = (uint64_t)rng_between(&r, 2, MOST_REGISTERS);
    for (uint64_t i = 0; i < n; i++) {
        struct type *t = make_type_among(g, &r, kinds, LENGTH(kinds));
        t = lang_qualified(g->p, t, QUAL_VOLATILE);
        if (rng_below(&r, 4) == 0)
            t = lang_array(g->p, t, BANK);
        struct var *v = make_global_declare(g, t, &r, NULL);
        v->secret = true;
        list_add(&g->arena, &g->registers, v);
    }
}

static struct node *some_register(struct gen *g, struct rng *r)
{
    const struct var *v = g->registers.at[rng_below(r, g->registers.n)];
    return v->type->kind == TYPE_ARRAY ? build_at(g, v, build_int(g, rng_below(r, BANK)))
                                       : build_name(g, v);
}

/* Mostly a constant: stores of those stand side by side in the code. */
static struct node *some_value(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    return rng_below(&r->rng, 3) ? build_int(g, rng_below(&r->rng, 200))
                                 : make_expr_varying(g, &c).n;
}

/* a = 5; a = b; a ^= 5; a; */
static struct node *some_access(struct gen *g, struct region *r)
{
    static const uint8_t ops[] = {OP_XOR, OP_OR, OP_AND};
    struct node *to = some_register(g, &r->rng), *value;
    enum op op;
    switch (rng_below(&r->rng, 8)) {
    case 0:
        return lang_expr_stmt(g->p, to);
    case 1:
        return build_assign(g, OP_ASSIGN, to, lang_rvalue(g->p, some_register(g, &r->rng)));
    case 2:
        value = some_value(g, r);
        op = (enum op)ops[rng_below(&r->rng, LENGTH(ops))];
        return build_assign(g, op, to, value);
    default:
        return build_assign(g, OP_ASSIGN, to, some_value(g, r));
    }
}

void make_registers(struct gen *g, struct region *r)
{
    struct rng drawn = r->rng, own = rng_fork_at(&r->rng, "registers", r->block->count);
    if (r->dead || r->fn->class != CLASS_FULL || make_spare(r) < 4 * MOST_ACCESSES ||
        !gen_chance(g, &own, GEN_share_registers))
        return;
    if (!g->registers.n)
        declare_registers(g);
    r->rng = own;
    uint64_t n = (uint64_t)rng_between(&r->rng, 2, MOST_ACCESSES);
    make_charge(r, n);
    for (uint64_t i = 0; i < n; i++)
        make_attach_now(g, r, some_access(g, r));
    r->rng = drawn;
}
