/* Where makers put what they compute: counters, plain locals, globals that others see; and the
 * contexts in which nothing has side effects. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

struct var *make_counter(struct gen *g, struct region *r)
{
    struct var *v = make_local(g, r, build_int_type(g), gen_new_name(g, 't'));
    v->locked = v->no_address = true;
    return v;
}

struct ctx make_pure(struct gen *g, struct region *r, uint8_t depth)
{
    struct ctx c = make_ctx_start(g, r);
    c.pure = true;
    c.calls = 0;
    c.depth = depth;
    return c;
}

struct var *make_plain_local(struct gen *g, struct region *r)
{
    struct var *v = NULL;
    for (int tries = 3; tries > 0 && (!v || v->type->kind == TYPE_BOOL); tries--) {
        struct ctx c = make_pure(g, r, 1);
        c.quiet = true;
        v = make_lvalue_pick(g, &c, WANT_WRITE, KIND_INT).var;
    }
    return v;
}

struct node *make_place(struct gen *g, struct region *r)
{
    bool others = r->fn->class == CLASS_FULL && rng_below(&r->rng, 4);
    for (int tries = 3; others && tries > 0; tries--) {
        struct ctx c = make_pure(g, r, 0);
        struct lval l = make_lvalue_pick(g, &c, WANT_BOTH, KIND_INT);
        bool bit = l.n && l.s.type->kind == TYPE_BOOL; /* of which too little is left */
        if (l.n && tree_is_pure(l.n) && (!bit || tries == 1))
            return l.n;
    }
    struct var *v = make_plain_local(g, r);
    return v ? build_name(g, v) : NULL;
}

void make_result(struct gen *g, struct region *r, struct node *place, struct node *value)
{
    bool mix = rng_below(&r->rng, g->observe != GEN_observe_nothing ? 8 : 3);
    if (!mix)
        make_show(g, r, place);
    make_attach(g, r,
                mix ? make_merge(g, &r->rng, place, value)
                    : build_assign(g, OP_ASSIGN, place, value));
}

struct window make_globals_window(const struct gen *g, struct rng *r)
{
    enum { MOST = 1000 };
    size_t n = g->globals.n;
    if (n <= MOST)
        return (struct window){0, n};
    size_t first = (size_t)rng_below(r, n - MOST + 1);
    return (struct window){first, first + MOST};
}

struct var *make_pick_global(struct gen *g, struct rng *r, var_test *test, const struct type *like)
{
    struct var *found = NULL;
    uint64_t seen = 0;
    struct window w = make_globals_window(g, r);
    for (size_t i = w.first; i < w.end; i++) {
        struct var *v = g->globals.at[i];
        if (test(g, v, like) && rng_below(r, ++seen) == 0)
            found = v;
    }
    return found;
}

bool make_is_plain(const struct var *v)
{
    return v->use == USE_MIXED && !v->secret && !v->no_address;
}

bool make_is_like(struct gen *g, const struct var *v, const struct type *like)
{
    (void)g;
    return make_is_plain(v) && v->type == like;
}
