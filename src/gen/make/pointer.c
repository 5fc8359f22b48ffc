/* Pointers: where they may point, how they are copied, moved, compared and subtracted.
 *
 * A pointer that lives in a global or a local points to a global of its type, to an element of an
 * array or to a member of a structure, or is null; one that is a parameter may point to locals
 * further out (`anywhere`).  A walker is a local pointer that stays within one array, its row. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

/* ---- places to point to ----------------------------------------------------------------- */

static bool step_constant(struct gen *g, struct rng *r, struct lval *l)
{
    uint64_t i = rng_below(r, l->s.type->u.count);
    l->n = lang_index(g->p, l->n, build_int(g, i));
    l->s.type = l->n->type;
    l->s.at += i * gen_size_of(g, l->s.type);
    return true;
}

/* One step into an array or structure; c is NULL where only constants may stand. */
static bool step_inside(struct gen *g, struct ctx *c, struct rng *r, struct lval *l)
{
    const struct type *t = l->s.type;
    if (t->kind == TYPE_ARRAY)
        return c ? make_lvalue_element(g, c, l) : step_constant(g, r, l);
    if (t->kind != TYPE_STRUCT || t->u.record->packed)
        return false;
    return make_lvalue_member(g, r, l) && !l->s.field;
}

/* Something of exactly this type inside of a global. */
static bool reach(struct gen *g, struct ctx *c, struct rng *r, struct type *base, struct lval *l)
{
    struct var *v = g->globals.n ? g->globals.at[rng_below(r, g->globals.n)] : NULL;
    if (!v || !make_is_plain(v) || lang_is_scalar(v->type) ||
        (c && !make_full_may_read(c->full, v->decl)))
        return false;
    *l = make_lvalue_name(g, v);
    while (l->s.type != base)
        if (lang_is_scalar(l->s.type) || !step_inside(g, c, r, l))
            return false;
    if (c)
        make_full_reads(c->full, v->decl);
    return l->n->kind != NODE_NAME;
}

struct made make_pointer_inside(struct gen *g, struct ctx *c, struct rng *r, struct type *base)
{
    struct made m = {0};
    struct lval l;
    for (int i = 0; i < 4 && !m.n; i++)
        if (reach(g, c, r, base, &l)) {
            m.n = lang_unary(g->p, OP_ADDR, l.n);
            m.v.link = (struct link){l.s.object, (int64_t)l.s.at};
        }
    return m;
}

static bool may_point_to(struct gen *g, const struct ctx *c, const struct var *v)
{
    return !v->no_address && !v->locked && !v->secret && v->type->quals == 0 &&
           make_full_may_read(c->full, v->decl) && gen_about(g, v->decl)->object;
}

/* To one of these. */
static struct made pointer_to_local(struct gen *g, struct ctx *c, struct var *vars,
                                    struct type *base)
{
    struct rng *r = &c->region->rng;
    struct made m = {0};
    for (int i = 0; i < 4 && vars; i++) {
        struct var *w = gen_var_at(vars, rng_below(r, vars->count));
        if (w->type != base || !may_point_to(g, c, w))
            continue;
        m.n = build_address(g, w);
        m.v.link = (struct link){gen_about(g, w->decl)->object, 0};
    }
    return m;
}

/* ---- copies ----------------------------------------------------------------------------- */

static bool may_copy(struct gen *g, const struct ctx *c, const struct var *v, bool anywhere)
{
    const struct object *o = gen_about(g, v->decl)->object;
    return !v->secret && v->use != USE_OUTPUT && (anywhere || !v->anywhere) && o && o->ready[0] &&
           make_full_may_read(c->full, v->decl);
}

/* The value of another pointer of this type, or of what a pointer to such a one points to. */
static struct made pointer_copy(struct gen *g, struct ctx *c, struct type *t, bool anywhere)
{
    struct rng *r = &c->region->rng;
    struct made m = {0};
    struct var *found = NULL;
    uint64_t seen = 0;
    for (struct var *v = c->vars; v; v = gen_var_next(c->vars, v))
        if (v->type->unqual == t->unqual && may_copy(g, c, v, anywhere) &&
            rng_below(r, ++seen) == 0)
            found = v;
    struct window w = make_globals_window(g, r);
    for (size_t i = w.first; i < w.end; i++) {
        struct var *v = g->globals.at[i];
        bool fits = v->type->unqual == t->unqual ||
                    (v->type->kind == TYPE_POINTER && v->type->base->unqual == t->unqual);
        if (fits && may_copy(g, c, v, anywhere) && rng_below(r, ++seen) == 0)
            found = v;
    }
    if (!found)
        return m;
    struct lval l = make_lvalue_name(g, found);
    if (l.s.type->unqual != t->unqual && !make_lvalue_follow(g, c, &l, WANT_READ))
        return m;
    make_full_reads(c->full, found->decl);
    return make_lvalue_read(g, l);
}

struct made make_expr_address(struct gen *g, struct ctx *c, struct type *t)
{
    struct rng *r = &c->region->rng;
    struct made m = {0};
    if (c->region->fn->class == CLASS_FULL && !c->quiet && rng_below(r, 2))
        m = make_pointer_inside(g, c, r, t->base);
    if (m.n)
        return m;
    struct var *v = make_global_of_type(g, t->base);
    m.n = build_address(g, v);
    m.v.link = (struct link){gen_about(g, v->decl)->object, 0};
    return m;
}

struct made make_expr_pointer(struct gen *g, struct ctx *c, struct type *t, bool anywhere)
{
    struct rng *r = &c->region->rng;
    struct made m = {0};
    struct type *base = t->base;
    bool plain = c->region->fn->class == CLASS_FULL && !c->quiet;
    if (anywhere && rng_below(r, 2))
        m = pointer_to_local(g, c, c->vars, base);
    if (!m.n && anywhere && rng_below(r, 30) < gen_setting(g, GEN_expr_literal))
        m = make_literal_pointer(g, c, base);
    if (!m.n && plain && rng_below(r, 4) == 0)
        m = pointer_copy(g, c, t, anywhere);
    return m.n ? m : make_expr_address(g, c, t);
}

/* ---- assignments ------------------------------------------------------------------------ */

/* A pointer object: a variable, an element, a member, or what a pointer to a pointer points to. */
static bool pointer_object(struct gen *g, struct ctx *c, struct lval *l)
{
    struct rng *r = &c->region->rng;
    struct var *v = NULL;
    if (c->vars && rng_below(r, 3) == 0)
        for (v = c->vars; v && (v->type->kind != TYPE_POINTER || v->anywhere || v->locked);)
            v = gen_var_next(c->vars, v);
    if (!v && g->globals.n)
        v = g->globals.at[rng_below(r, g->globals.n)];
    if (!v || v->secret || v->use != USE_MIXED || !gen_about(g, v->decl)->object)
        return false;
    *l = make_lvalue_name(g, v);
    while (l->s.type->kind != TYPE_POINTER)
        if (!lang_is_aggregate(l->s.type) ||
            !(l->s.type->kind == TYPE_ARRAY ? make_lvalue_element(g, c, l)
                                            : make_lvalue_member(g, r, l)))
            return false;
    if (l->s.type->base->kind == TYPE_POINTER && rng_below(r, 2) &&
        !make_lvalue_follow(g, c, l, WANT_WRITE))
        return false;
    const struct type *t = l->s.type;
    return !(t->quals & QUAL_CONST) && t->base->kind != TYPE_FUNCTION && t->base->kind != TYPE_VOID;
}

/* A local that may point to locals is given another target: one that was there before it was. */
static bool turn_local(struct gen *g, struct region *r, struct ctx *c)
{
    struct var *v = c->vars;
    while (v && (v->type->kind != TYPE_POINTER || !v->anywhere || v->locked || v->secret))
        v = gen_var_next(c->vars, v);
    struct made to = {0};
    if (v && gen_about(g, v->decl)->object)
        to = pointer_to_local(g, c, v->outer, v->type->base);
    if (!to.n)
        return false;
    struct made m = make_assign(g, c, make_lvalue_name(g, v), OP_ASSIGN, to);
    make_attach(g, r, lang_expr_stmt(g->p, m.n));
    return true;
}

/* T *l = &x; x may be a local that lives at least as long. */
bool make_pointer_local(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    struct type *t = lang_pointer(g->p, make_type_integer(g, &r->rng));
    struct var *x = c.vars ? gen_var_at(c.vars, rng_below(&r->rng, c.vars->count)) : NULL;
    bool anywhere = x && (lang_is_arithmetic(x->type) || lang_is_record(x->type)) &&
                    may_point_to(g, &c, x) && rng_below(&r->rng, 2);
    struct made m = {0};
    if (anywhere) {
        t = lang_pointer(g->p, x->type);
        m = (struct made){build_address(g, x), {.link = {gen_about(g, x->decl)->object, 0}}};
    } else if (gen_setting(g, GEN_expr_literal) && rng_below(&r->rng, 8) == 0) {
        m = make_literal_pointer(g, &c, t->base);
        anywhere = m.n; /* it lives as long as the block */
    }
    if (!m.n)
        m = make_expr_pointer(g, &c, t, false);
    struct var *v = make_local(g, r, t, gen_new_name(g, 'l'));
    struct object *o = run_mem_new(g, t, v->decl);
    struct spot s = {o, 0, t, NULL};
    v->anywhere = anywhere;
    make_attach(g, r, lang_declare(g->p, v->decl, m.n));
    run_mem_store(g, &s, &m.v);
    gen_about(g, v->decl)->object = o;
    r->vars = v;
    return true;
}

bool make_stmt_pointer(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    struct lval l;
    if (r->fn->class == CLASS_FULL && rng_below(&r->rng, 3) == 0 && turn_local(g, r, &c))
        return true;
    for (int i = 0; i < 6 && r->fn->class == CLASS_FULL; i++) {
        if (!pointer_object(g, &c, &l))
            continue;
        struct made to = make_expr_pointer(g, &c, l.s.type->unqual, false);
        if (make_is_same(l.n, to.n))
            to = make_expr_address(g, &c, l.s.type->unqual);
        make_attach(g, r, lang_expr_stmt(g->p, make_assign(g, &c, l, OP_ASSIGN, to).n));
        return true;
    }
    return false;
}

/* ---- walkers ---------------------------------------------------------------------------- */

/* One dimension. */
static bool is_line(struct gen *g, const struct var *v, const struct type *like)
{
    (void)g, (void)like;
    return make_is_plain(v) && v->type->kind == TYPE_ARRAY && v->type->u.count > 1 &&
           lang_is_integer(v->type->base) && v->type->base->quals == 0;
}

static struct var *walker_in_scope(const struct ctx *c)
{
    for (struct var *v = c->vars; v; v = gen_var_next(c->vars, v))
        if (v->row && make_full_may_read(c->full, v->decl))
            return v;
    return NULL;
}

static struct node *last_of(struct gen *g, const struct var *row)
{
    return lang_unary(g->p, OP_ADDR, build_at(g, row, build_int(g, row->type->u.count - 1)));
}

/* T *p = a + k; */
static bool start_walker(struct gen *g, struct region *r)
{
    struct var *row = make_pick_global(g, &r->rng, is_line, NULL);
    if (!row)
        return false;
    struct node *first = build_op(g, OP_ADD, build_name(g, row),
                                  build_int(g, rng_below(&r->rng, row->type->u.count)));
    struct var *p = make_local(g, r, lang_pointer(g->p, row->type->base), gen_new_name(g, 't'));
    make_attach(g, r, lang_declare(g->p, p->decl, first));
    p->locked = p->no_address = true;
    p->row = row;
    r->vars = p;
    return make_walk_from(r, r->block->count - 1);
}

/* Each keeps p within its row, whatever it was. */
static struct node *move_walker(struct gen *g, struct region *r, struct var *p)
{
    const struct var *row = p->row;
    struct node *name = build_name(g, p), *end;
    switch (rng_below(&r->rng, 6)) {
    case 0: /* p = p == &a[n - 1] ? a : p + 1; */
        return build_set(g, p,
                         lang_cond(g->p, build_op(g, OP_EQ, name, last_of(g, row)),
                                   build_name(g, row),
                                   build_op(g, OP_ADD, build_name(g, p), build_int(g, 1))));
    case 1: /* if (p > a) p--; */
        return build_if(g, build_op(g, OP_GT, name, build_name(g, row)),
                        lang_expr_stmt(g->p, lang_unary(g->p, OP_POSTDEC, build_name(g, p))), NULL);
    case 2: /* if (p < &a[n - 1]) ++p; */
        return build_if(g, build_op(g, OP_LT, name, last_of(g, row)),
                        lang_expr_stmt(g->p, lang_unary(g->p, OP_PREINC, build_name(g, p))), NULL);
    case 3: /* p += (a + n - p) / 2; */
        end = build_op(g, OP_ADD, build_name(g, row), build_int(g, row->type->u.count));
        return build_assign(
            g, OP_ADD, name,
            build_op(g, OP_DIV, build_op(g, OP_SUB, end, build_name(g, p)), build_int(g, 2)));
    case 4: /* p -= (p - a) / 2; */
        end = build_op(g, OP_SUB, build_name(g, p), build_name(g, row));
        return build_assign(g, OP_SUB, name, build_op(g, OP_DIV, end, build_int(g, 2)));
    default: { /* while (p != &a[n - 1] && *p != k) p++; */
        struct node *more = build_op(g, OP_NE, name, last_of(g, row));
        struct node *other = build_op(g, OP_NE, lang_unary(g->p, OP_DEREF, build_name(g, p)),
                                      build_int(g, rng_below(&r->rng, 9)));
        make_charge(r, 2 * row->type->u.count);
        return build_while(g, build_op(g, OP_LAND, more, other),
                           lang_expr_stmt(g->p, lang_unary(g->p, OP_POSTINC, build_name(g, p))));
    }
    }
}

bool make_stmt_walker(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    if (r->fn->class != CLASS_FULL)
        return false;
    struct var *p = walker_in_scope(&c);
    if (!p || make_spare(r) < 2 * p->row->type->u.count)
        return start_walker(g, r);
    make_attach(g, r, move_walker(g, r, p));
    return make_walk_from(r, r->block->count - 1);
}

/* ---- expressions ------------------------------------------------------------------------ */

static const uint8_t comparisons[] = {OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE, OP_SUB, OP_SUB};

static enum op pick_comparison(struct rng *r)
{
    return comparisons[rng_below(r, LENGTH(comparisons))];
}

static struct made evaluated(struct gen *g, const struct ctx *c, struct node *n)
{
    struct made m = {n, {0}};
    if (!c->dead)
        run_eval(g, &m.n, &m.v);
    return m;
}

/* p - a, p < a + k */
static struct made walker_and_row(struct gen *g, struct ctx *c, const struct var *p)
{
    struct rng *r = &c->region->rng;
    struct node *k = build_int(g, rng_below(r, p->row->type->u.count));
    struct node *place = build_op(g, OP_ADD, build_name(g, p->row), k);
    make_full_reads(c->full, p->decl);
    enum op op = pick_comparison(r);
    return evaluated(g, c, build_op(g, op, build_name(g, p), place));
}

/* &a[i] - &a[j], &a[i] < &a[j] */
static struct made two_elements(struct gen *g, struct ctx *c, struct var *row)
{
    struct lval a = make_lvalue_name(g, row), b = make_lvalue_name(g, row);
    struct made m = {0};
    if (!make_full_may_read(c->full, row->decl))
        return m;
    make_lvalue_element(g, c, &a);
    make_lvalue_element(g, c, &b);
    enum op op = pick_comparison(&c->region->rng);
    return evaluated(
        g, c, build_op(g, op, lang_unary(g->p, OP_ADDR, a.n), lang_unary(g->p, OP_ADDR, b.n)));
}

static struct made two_pointers(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct made m = {0};
    struct var *v = g->globals.n ? g->globals.at[rng_below(r, g->globals.n)] : NULL;
    if (!v || v->type->kind != TYPE_POINTER || !may_copy(g, c, v, false))
        return m;
    struct made w = {0};
    if (rng_below(r, 3) && v->type->base->kind != TYPE_FUNCTION)
        w = make_expr_pointer(g, c, v->type->unqual, false);
    make_full_reads(c->full, v->decl);
    enum op op = rng_below(r, 2) ? OP_EQ : OP_NE;
    return evaluated(g, c, build_op(g, op, build_name(g, v), w.n ? w.n : build_int(g, 0)));
}

struct made make_expr_pointers(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct made none = {0};
    if (c->quiet || c->region->fn->class != CLASS_FULL)
        return none;
    struct var *p = walker_in_scope(c);
    if (p && rng_below(r, 2))
        return walker_and_row(g, c, p);
    struct var *row = rng_below(r, 2) ? make_pick_global(g, r, is_line, NULL) : NULL;
    return row ? two_elements(g, c, row) : two_pointers(g, c);
}
