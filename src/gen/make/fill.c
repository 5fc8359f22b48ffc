/* Arrays that a loop at the start of main fills: a table of as many constants would say no more,
 * and compilers would know it.  Takes a type; yields a global that is zero but for its numbers, and
 * has its loop run at once, before anything names the array; gen_unit_assemble puts it into main.
 */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

/* t * 40503 + 977, perhaps kept small or squared: any bits, the same under every compiler. */
static struct node *some_number(struct gen *g, struct rng *r, const struct var *t)
{
    struct type *u = lang_basic(g->p, rng_below(r, 3) ? TYPE_UINT : TYPE_ULLONG);
    struct node *n = lang_cast(g->p, u, build_name(g, t));
    uint64_t way = rng_below(r, 6), by = 1 + 2 * rng_below(r, 1u << (4 + rng_below(r, 26)));
    uint64_t more = rng_below(r, 1u << (1 + rng_below(r, 30)));
    if (way == 0)
        n = build_op(g, OP_MUL, n, build_name(g, t));
    n = build_op(g, OP_MUL, n, lang_int(g->p, by, u));
    n = build_op(g, way == 1 ? OP_XOR : OP_ADD, n, lang_int(g->p, more, u));
    if (way >= 4) /* few different ones, or small ones */
        n = build_op(g, way == 4 ? OP_REM : OP_AND, n, build_int(g, 7 + rng_below(r, 60)));
    return n;
}

/* Adds to the list what sets the numbers of the element. */
static void set_element(struct gen *g, struct rng *r, struct node *block, struct node *to,
                        const struct var *t)
{
    struct type *type = to->type->canon;
    if (lang_is_integer(type)) {
        lang_append(g->p, block, build_assign(g, OP_ASSIGN, to, some_number(g, r, t)));
    } else if (type->class == CLASS_FLOAT) {
        struct node *n = build_op(g, OP_SUB, build_name(g, t), build_int(g, rng_below(r, 20)));
        struct node *by = make_constant_real(g, r, type).n;
        lang_append(g->p, block, build_assign(g, OP_ASSIGN, to, build_op(g, OP_MUL, n, by)));
    } else if (type->kind == TYPE_STRUCT) {
        for (uint32_t i = 0; i < type->u.record->count; i++)
            if (type->u.record->fields[i]->name)
                set_element(
                    g, r, block,
                    lang_member(g->p, tree_clone(g, to), type->u.record->fields[i]->name, false),
                    t);
    }
}

struct var *make_global_filled(struct gen *g, struct type *type)
{
    struct rng r = rng_fork_at(&g->rng, "filled", g->names[0]);
    struct region scope = {.fn = g->functions.at[0]};
    struct node *zero = lang_node(g->p, NODE_INIT, NULL, 0);
    lang_append(g->p, zero, build_int(g, 0));
    struct var *v = make_global_declare(g, type, &r, zero);
    struct var *t = make_local(g, &scope, build_int_type(g), gen_new_name(g, 't'));
    struct node *block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    set_element(g, &r, block, build_element(g, v, t, 0), t);
    if (block->count && !g->ended) {
        struct node *loop = build_count(g, t, type->u.count,
                                        block->count == 1 ? block->kid[0] : block);
        list_add(&g->arena, &g->fills, loop);
        struct node *slot = loop;
        run_exec(g, &slot);
    }
    list_add(&g->arena, &g->globals, v);
    return v;
}
