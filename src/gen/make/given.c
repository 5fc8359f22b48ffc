/* Calls of functions that somebody else defines, and whose results are all known. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

/* static unsigned long long NAME(unsigned); for each of them, once one is called */
static void declare_given(struct gen *g)
{
    struct program *p = g->p;
    for (size_t i = 0; i < g->o->given_count; i++) {
        struct decl **params = NEW_ARRAY(&p->arena, 1, struct decl *);
        params[0] = lang_decl_new(p, DECL_PARAM, NULL, lang_basic(p, TYPE_UINT));
        struct type *t = lang_function(p, lang_basic(p, TYPE_ULLONG), params, 1, TYPE_PROTOTYPE);
        struct decl *d = lang_decl_new(p, DECL_FUNC, g->o->given[i].name, t);
        d->storage = STORAGE_STATIC;
        d->linkage = LINKAGE_INTERNAL;
        gen_about(g, d)->known = &g->o->given[i];
        list_add(&g->arena, &g->given, d);
        list_add(&g->arena, &g->early, lang_declare(p, d, NULL));
    }
}

struct made make_expr_given(struct gen *g, struct ctx *c)
{
    struct made m = {0};
    struct rng *r = &c->region->rng;
    if (!g->o->given_count)
        return m;
    if (!g->given.n)
        declare_given(g);
    struct decl *d = g->given.at[rng_below(r, g->given.n)];
    const struct gen_given *given = gen_about(g, d)->known;
    if (!c->dead && make_spare(c->region) < 2 * given->cost)
        return m;
    struct ctx below = make_ctx_below(c);
    struct type *t = lang_basic(g->p, TYPE_UINT);
    struct made x = make_expr_convert(g, make_expr_int(g, &below), t);
    m.n = lang_call(g->p, lang_name(g->p, d), &x.n, 1);
    m.v.bits = given->results[(uint64_t)x.v.bits & (given->count - 1)];
    if (!c->dead)
        make_charge(c->region, given->cost);
    return m;
}
