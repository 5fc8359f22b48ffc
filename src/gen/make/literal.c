/* Compound literals and designated initialisers.
 *
 * The elements of a literal are explicit casts: nothing that execution may have to guard stands
 * directly in an initialiser, whose resolved form would not notice. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

/* ---- compound literals ------------------------------------------------------------------ */

static struct node *literal_of(struct gen *g, const struct ctx *c, struct type *t,
                               struct node *list)
{
    struct node *n = lang_literal(g->p, t, list);
    if (!n)
        BUG("%s", g->p->err.msg);
    struct fn *fn = c->region->fn;
    struct decl *d = n->u.declarator->decl;
    d->owner = fn->function;
    list_add(&g->p->arena, &fn->function->locals, d);
    list_add(&g->arena, &fn->vars, gen_var_new(g, d, NULL));
    return n;
}

static struct node *element_of(struct gen *g, struct ctx *c, struct type *t)
{
    struct ctx below = make_ctx_below(c);
    below.pure = true;
    below.calls = 0;
    below.depth = below.depth > 1 ? 1 : below.depth;
    return lang_cast(g->p, t, make_expr_int(g, &below).n);
}

static struct node *list_of(struct gen *g, struct ctx *c, struct type *t, uint64_t n)
{
    struct node *list = lang_node(g->p, NODE_INIT, NULL, 0);
    for (uint64_t i = 0; i < n; i++)
        lang_append(g->p, list, element_of(g, c, t));
    return list;
}

static struct made value_of(struct gen *g, const struct ctx *c, struct node *n)
{
    struct made m = {n, {0}};
    if (c->dead)
        return m;
    m.n = lang_rvalue(g->p, n);
    run_eval(g, &m.n, &m.v);
    return m;
}

/* A member of (struct S){...}. */
static struct made literal_member(struct gen *g, struct ctx *c, struct type *t)
{
    struct rng *r = &c->region->rng;
    struct made m = {0};
    const struct record *record = t->u.record;
    const struct field *f = record->fields[rng_below(r, record->count)];
    if (!f->name || !lang_is_integer(f->type) || gen_is_wide_field(f))
        return m;
    struct node *n = literal_of(g, c, t, make_initialiser(g, r, t, NULL, 0));
    return value_of(g, c, lang_member(g->p, n, f->name, false));
}

/* (T){e}, (T[]){e, f, g, h}[i & 3], (struct S){...}.m */
struct made make_expr_literal(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct made m = {0};
    if (c->pure || c->quiet)
        return m;
    struct type *t = make_type_integer(g, r);
    switch (rng_below(r, 3)) {
    case 0:
        return value_of(g, c, literal_of(g, c, t, list_of(g, c, t, 1)));
    case 1: {
        uint64_t count = UINT64_C(1) << (1 + rng_below(r, 2));
        struct node *n = literal_of(g, c, lang_array(g->p, t, count), list_of(g, c, t, count));
        struct node *i = element_of(g, c, build_int_type(g));
        i = build_op(g, OP_AND, i, build_int(g, count - 1));
        return value_of(g, c, lang_index(g->p, n, i));
    }
    default:
        t = g->records.n ? g->records.at[rng_below(r, g->records.n)] : NULL;
        return t && !gen_has_pointer(t) ? literal_member(g, c, t) : m;
    }
}

/* &(T){e}, as an argument: it lives as long as the block around. */
struct made make_literal_pointer(struct gen *g, struct ctx *c, struct type *base)
{
    struct made m = {0};
    if (!lang_is_integer(base) || base->quals)
        return m;
    m.n = lang_unary(g->p, OP_ADDR, literal_of(g, c, base, list_of(g, c, base, 1)));
    if (!c->dead)
        run_eval(g, &m.n, &m.v);
    return m;
}

struct made make_literal_record(struct gen *g, struct ctx *c, struct type *t)
{
    struct made m = {0};
    if (c->quiet || gen_has_pointer(t))
        return m;
    struct node *init = make_initialiser(g, &c->region->rng, t->unqual, NULL, 0);
    m.n = literal_of(g, c, t->unqual, init);
    struct spot s;
    if (!c->dead) {
        run_eval_spot(g, &m.n, &s);
        m.v.link = (struct link){s.object, 0};
    }
    return m;
}

/* ---- designators ------------------------------------------------------------------------ */

static struct node *designated(struct gen *g, struct step step, struct node *value)
{
    struct node *n = lang_node(g->p, NODE_DESIGNATED, &value, 1);
    n->u.path = NEW(&g->p->arena, struct path);
    n->u.path->count = 1;
    n->u.path->steps = NEW(&g->p->arena, struct step);
    *n->u.path->steps = step;
    n->type = value->type;
    return n;
}

struct node *make_designated_member(struct gen *g, const struct field *f, struct node *value)
{
    return designated(g, (struct step){.name = f->name}, value);
}

struct node *make_designated_elements(struct gen *g, uint64_t first, uint64_t last,
                                      struct node *value)
{
    struct step s = {.index = build_int(g, first)};
    if (last > first)
        s.last = build_int(g, last);
    return designated(g, s, value);
}
