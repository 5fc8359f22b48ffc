/* GNU vectors as values: lane by lane, in fresh objects.  No lane may fault: what make builds of
 * vectors is defined whatever the lanes hold. */
#include "gen/run/run.h"

static struct spot lane_of(const struct gen *g, struct object *o, uint64_t at,
                           const struct type *of, uint64_t i)
{
    return (struct spot){o, at + i * gen_size_of(g, of), (struct type *)of, NULL};
}

static u128 lane(const struct gen *g, const struct val *v, const struct type *of, uint64_t i)
{
    struct spot s = lane_of(g, v->link.to, (uint64_t)v->link.at, of, i);
    struct val x;
    run_mem_load(g, &s, &x);
    return x.bits;
}

static void set_lane(struct gen *g, struct object *o, const struct type *of, uint64_t i, u128 bits)
{
    struct spot s = lane_of(g, o, 0, of, i);
    struct val x = {.bits = bits};
    run_mem_store(g, &s, &x);
}

static bool is_comparison(enum op op)
{
    return op >= OP_LT && op <= OP_NE;
}

static u128 changed_lane(const struct gen *g, enum op op, const struct type *of, u128 x)
{
    u128 r = op == OP_NOT ? ~x : -x;
    if (of->class == CLASS_FLOAT)
        lang_value_unary(g->p, op, of, x, &r);
    return r;
}

void run_vector_apply(struct gen *g, enum op op, const struct type *t, const struct val *a,
                      const struct val *b, struct val *v)
{
    const struct type *of = t->base, *to = of;
    struct object *o = run_mem_new(g, (struct type *)t, NULL);
    bool compares = b && is_comparison(op);
    if (compares) /* 0 or all ones, of the same width */
        to = lang_int_of_size(g->p, gen_size_of(g, of), true);
    for (uint64_t i = 0; i < t->u.count; i++) {
        u128 r, x = lane(g, a, of, i), y = b ? lane(g, b, of, i) : 0;
        if (b && run_apply(g, op, of, x, y, of, &r) != VALUE_OK)
            BUG("vector lane faults");
        if (!b)
            r = changed_lane(g, op, of, x);
        if (compares)
            r = -r;
        set_lane(g, o, to, i, to->class == CLASS_FLOAT ? r : lang_wrap(r, gen_int_width(g, to)));
    }
    v->link = (struct link){o, 0};
}

void run_vector_splat(struct gen *g, const struct type *t, struct val *v)
{
    struct object *o = run_mem_new(g, (struct type *)t, NULL);
    for (uint64_t i = 0; i < t->u.count; i++)
        set_lane(g, o, t->base, i, v->bits);
    v->link = (struct link){o, 0};
}

void run_vector_convert(struct gen *g, const struct node *n, struct val *v)
{
    const struct type *from = n->kid[0]->type, *to = n->type;
    struct object *o = run_mem_new(g, n->type, NULL);
    for (uint64_t i = 0; i < to->u.count; i++)
        set_lane(g, o, to->base, i,
                 run_convert(g, from->base, to->base, lane(g, v, from->base, i)));
    v->link = (struct link){o, 0};
}

/* __builtin_shufflevector(a, b, i, j, ...): the indices are constants. */
bool run_vector_shuffle(struct gen *g, const struct node *n, const struct decl *d,
                        const struct val *args, struct val *v)
{
    if (d->builtin != BUILTIN_shufflevector)
        return false;
    const struct type *from = n->kid[1]->type, *to = n->type;
    struct object *o = run_mem_new(g, n->type, NULL);
    for (uint64_t i = 0; i < to->u.count; i++) {
        uint64_t k = (uint64_t)args[2 + i].bits, count = from->u.count;
        set_lane(g, o, to->base, i, lane(g, &args[k < count ? 0 : 1], from->base, k % count));
    }
    v->link = (struct link){o, 0};
    return true;
}
