/* Where loops count: variables of the loop, locals that live on after it, globals, statics,
 * members, and what a pointer leads to.  Nothing but its loop writes to a counter, so that the loop
 * ends as planned; everything may read it, also afterwards.  Those that are no locals stand in
 * functions that are never entered again while they run. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

typedef bool counter_fn(struct gen *g, struct region *r, struct counter *c);

static int64_t most_of(const struct gen *g, const struct type *t)
{
    u128 most = gen_int_most(g, t);
    return most > COUNTER_MOST ? COUNTER_MOST : (int64_t)most;
}

static struct type *counter_type(struct gen *g, struct rng *r)
{
    static const uint8_t kinds[] = {TYPE_INT,   TYPE_INT,   TYPE_UINT,  TYPE_LONG,   TYPE_ULONG,
                                    TYPE_SHORT, TYPE_UCHAR, TYPE_SCHAR, TYPE_USHORT, TYPE_LLONG};
    return lang_basic(g->p, kinds[rng_below(r, LENGTH(kinds))]);
}

/* The name of a variable that lives outside of the function's calls is known in the rest of the
 * block: as a counter, so that subscripts are made of it. */
static void name_in_scope(struct gen *g, struct region *r, struct decl *d)
{
    struct var *v = gen_var_new(g, d, r->vars);
    v->global = v->locked = v->no_address = true;
    r->vars = v;
}

static bool counter_inside(struct gen *g, struct region *r, struct counter *c)
{
    struct var *v = make_local(g, r, c->type, gen_new_name(g, 't'));
    v->locked = v->no_address = true;
    c->var = v;
    c->place = build_name(g, v);
    return true;
}

static bool counter_outside(struct gen *g, struct region *r, struct counter *c)
{
    counter_inside(g, r, c);
    make_attach(g, r, lang_declare(g->p, c->var->decl, NULL));
    r->vars = c->var;
    c->var = NULL;
    return true;
}

/* A global that others may read. */
static struct var *shared(struct gen *g, struct region *r, struct type *t, struct node *init)
{
    struct var *v = make_global_declare(g, t, &r->rng, init);
    v->use = USE_INPUT;
    v->no_address = true;
    list_add(&g->arena, &g->globals, v);
    return v;
}

static bool counter_global(struct gen *g, struct region *r, struct counter *c)
{
    struct var *v = shared(g, r, c->type, build_int(g, 0));
    c->place = build_name(g, v);
    name_in_scope(g, r, v->decl);
    return true;
}

static bool counter_static(struct gen *g, struct region *r, struct counter *c)
{
    struct decl *d = lang_decl_new(g->p, DECL_VAR, gen_new_name(g, 'l'), c->type);
    d->owner = r->fn->function;
    d->storage = STORAGE_STATIC;
    d->is_static = true;
    gen_about(g, d)->object = run_mem_new(g, c->type, d);
    run_mem_zero(gen_about(g, d)->object);
    make_attach(g, r, lang_declare(g->p, d, NULL));
    c->place = lang_name(g->p, d);
    name_in_scope(g, r, d);
    return true;
}

/* Of eight bits at least, which hold every limit: a _BitInt(4) would never come to 24. */
static bool may_count(const struct gen *g, const struct field *f)
{
    const struct type *t = f->type->canon;
    if (!f->name || !lang_is_integer(t) || t->kind == TYPE_BOOL || t->kind == TYPE_ENUM || t->quals)
        return false;
    unsigned width = gen_int_width(g, t);
    return width <= 64 && (f->is_bitfield ? f->width : width) >= 8 && !gen_is_wide_field(f);
}

static bool counter_member(struct gen *g, struct region *r, struct counter *c)
{
    struct type *t = g->records.n ? g->records.at[rng_below(&r->rng, g->records.n)] : NULL;
    struct field *found = NULL;
    uint64_t seen = 0;
    for (uint32_t i = 0; t && i < t->u.record->count; i++)
        if (may_count(g, t->u.record->fields[i]) && rng_below(&r->rng, ++seen) == 0)
            found = t->u.record->fields[i];
    if (!found)
        return false;
    struct var *v = shared(g, r, t, NULL);
    c->place = lang_member(g->p, build_name(g, v), found->name, false);
    c->type = found->type->canon;
    c->most = most_of(g, c->type);
    if (found->is_bitfield && found->width < 16)
        c->most = (1 << (found->width - 1)) - 1;
    return true;
}

/* *p, where p is a local or a global, and points to a global. */
static bool counter_pointer(struct gen *g, struct region *r, struct counter *c)
{
    struct var *v = shared(g, r, c->type, build_int(g, 0)), *p;
    struct type *t = lang_pointer(g->p, c->type);
    if (rng_below(&r->rng, 2)) {
        p = make_local(g, r, t, gen_new_name(g, 't'));
        make_attach(g, r, lang_declare(g->p, p->decl, build_address(g, v)));
    } else {
        p = make_global_declare(g, t, &r->rng, build_address(g, v));
        struct spot s = {gen_about(g, p->decl)->object, 0, t, NULL};
        struct val to = {.link = {gen_about(g, v->decl)->object, 0}};
        run_mem_store(g, &s, &to);
    }
    c->place = lang_unary(g->p, OP_DEREF, build_name(g, p));
    return true;
}

static counter_fn *const counters[] = {
#define COUNTER(name, ...) [GEN_counter_##name] = counter_##name,
#include "gen/policy.def"
};

struct counter make_counter_place(struct gen *g, struct region *r)
{
    struct counter c = {.type = counter_type(g, &r->rng)};
    c.most = most_of(g, c.type);
    enum gen_policy row = gen_pick(g, &r->rng, GEN_GROUP_counter);
    bool alone = r->fn->class == CLASS_FULL && !r->fn->recursive;
    if (!alone && row != GEN_counter_inside)
        row = GEN_counter_outside;
    if (!counters[row](g, r, &c))
        counter_outside(g, r, &c);
    return c;
}

struct node *make_counter_name(struct gen *g, const struct counter *c)
{
    return tree_clone(g, c->place);
}

struct node *make_counter_start(struct gen *g, const struct counter *c, struct node *value)
{
    if (c->var)
        return lang_declare(g->p, c->var->decl, value);
    return build_assign(g, OP_ASSIGN, make_counter_name(g, c), value);
}
