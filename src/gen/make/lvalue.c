/* Designators: which object an expression reads or writes, and that nothing in one full
 * expression depends on the order of its parts. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

/* ---- one full expression ---------------------------------------------------------------- */

static bool listed(const struct decl *const *list, uint8_t n, const struct decl *d)
{
    for (uint8_t i = 0; i < n; i++)
        if (list[i] == d)
            return true;
    return false;
}

bool make_full_may_read(const struct full *f, const struct decl *d)
{
    return !listed(f->written, f->writes, d);
}

bool make_full_may_write(const struct full *f, const struct decl *d)
{
    return !f->many && f->writes < LENGTH(f->written) && !listed(f->written, f->writes, d) &&
           !listed(f->read, f->reads, d);
}

bool make_full_names(const struct full *f, const struct decl *d)
{
    return listed(f->read, f->reads, d) || listed(f->written, f->writes, d);
}

void make_full_reads(struct full *f, const struct decl *d)
{
    if (listed(f->read, f->reads, d))
        return;
    if (f->reads == LENGTH(f->read))
        f->many = true;
    else
        f->read[f->reads++] = d;
}

void make_full_writes(struct full *f, const struct var *v)
{
    f->written[f->writes++] = v->decl;
    f->writes_global = f->writes_global || v->global;
}

/* ---- which variable --------------------------------------------------------------------- */

static struct var *pick_var(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    uint8_t class = c->region->fn->class;
    bool local_only = c->quiet || class == CLASS_LOCAL;
    bool local = c->vars && (local_only || gen_chance(g, r, GEN_share_locals));
    if (local)
        return gen_var_at(c->vars, rng_below(r, c->vars->count));
    if (local_only || g->globals.n == 0)
        return NULL;
    return g->globals.at[rng_below(r, g->globals.n)];
}

static bool is_const(const struct type *t)
{
    return t->quals & QUAL_CONST;
}

static bool may_use(const struct ctx *c, const struct var *v, enum want want)
{
    uint8_t class = c->region->fn->class;
    bool writes = want >= WANT_WRITE;
    if (v->secret || (writes && (v->locked || v->use == USE_INPUT)))
        return false;
    if (v->use == USE_OUTPUT && want != WANT_WRITE)
        return false;
    if (writes && v->global && class != CLASS_FULL)
        return false;
    if (want == WANT_ADDRESS && v->no_address)
        return false;
    return make_full_may_read(c->full, v->decl);
}

/* ---- from a variable to a scalar -------------------------------------------------------- */

static bool is_power(uint64_t n)
{
    return (n & (n - 1)) == 0;
}

/* The value of m brought below count. */
static struct made reduced(struct gen *g, struct made m, uint64_t count)
{
    struct type *t = lang_promoted(g->p, m.n->type->unqual);
    bool by_mask = is_power(count);
    struct node *left = m.n;
    if (!by_mask && gen_int_signed(g, t)) {
        t = lang_unsigned(g->p, t);
        left = lang_cast(g->p, t, left);
    }
    struct node *right = lang_int(g->p, by_mask ? count - 1 : count, lang_basic(g->p, TYPE_INT));
    struct node *n = lang_binary(g->p, by_mask ? OP_AND : OP_REM, left, right);
    struct type *in = n->type;
    u128 a = run_convert(g, left->type->unqual, in,
                         run_convert(g, m.n->type->unqual, left->type->unqual, m.v.bits));
    m.n = n;
    run_apply(g, (enum op)n->op, in, a, by_mask ? count - 1 : count, NULL, &m.v.bits);
    return m;
}

enum { MOST_COUNTERS = 200 };

/* A counter of a loop around, or NULL. */
static struct var *counter(struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct var *found = NULL;
    uint64_t seen = 0;
    struct var *v = c->vars && !c->vars->locked ? c->vars->counter : c->vars;
    for (int i = 0; v && i < MOST_COUNTERS; v = v->counter, i++)
        if (lang_is_integer(v->type) && make_full_may_read(c->full, v->decl) &&
            rng_below(r, ++seen) == 0)
            found = v;
    return found;
}

static struct made subscript(struct gen *g, struct ctx *c, uint64_t count)
{
    struct rng *r = &c->region->rng;
    if (c->inside >= 2 || !gen_chance(g, r, GEN_share_index))
        return build_number(g, rng_below(r, count), lang_basic(g->p, TYPE_INT));
    struct var *v = rng_below(r, 4) ? counter(c) : NULL;
    struct made m = {0};
    if (v && gen_about(g, v->decl)->object)
        m = make_lvalue_read(g, make_lvalue_name(g, v));
    if (m.n) {
        make_full_reads(c->full, v->decl);
    } else { /* none, or it holds nothing yet */
        struct ctx below = make_ctx_below(c);
        below.pure = true;
        below.calls = 0;
        below.depth = below.depth > 2 ? 2 : below.depth;
        below.leaf = GEN_leaf_mixed;
        below.inside++;
        m = make_expr_int(g, &below);
    }
    u128 at = run_convert(g, m.n->type->unqual, lang_basic(g->p, TYPE_UINT128), m.v.bits);
    if (tree_is_fixed(m.n) && !(m.n->flags & NODE_LVALUE)) /* as compilers would write it */
        return build_number(g, at % count, lang_basic(g->p, TYPE_INT));
    return at < count ? m : reduced(g, m, count);
}

/* u.m[i] names the union, or the packed structure: *(u.m + i) is some access to its type. */
static bool in_special_record(const struct node *n)
{
    for (; n->count; n = n->kid[0])
        if (n->kind == NODE_MEMBER && (n->u.field->record->is_union || n->u.field->record->packed))
            return true;
    return false;
}

/* a[i], or *(a + i). */
static struct node *indexed(struct gen *g, struct ctx *c, struct node *a, struct node *i)
{
    bool sum = a->type->kind == TYPE_ARRAY && gen_chance(g, &c->region->rng, GEN_share_offset) &&
               !in_special_record(a);
    if (!sum)
        return lang_index(g->p, a, i);
    return lang_unary(g->p, OP_DEREF, build_op(g, OP_ADD, a, i));
}

static bool is_far(const struct gen *g, const struct node *i, uint64_t count)
{
    u128 at;
    return lang_constant(g->p, i, &at) ? at > count + 9 : tree_is_fixed(i);
}

bool make_lvalue_element(struct gen *g, struct ctx *c, struct lval *l)
{
    uint64_t count = l->s.type->u.count;
    struct made i = subscript(g, c, count);
    if (c->dead && is_far(g, i.n, count))
        i = build_number(g, count - 1, lang_basic(g->p, TYPE_INT));
    l->n = indexed(g, c, l->n, i.n);
    uint64_t at = (uint64_t)run_convert(g, i.n->type->unqual, lang_basic(g->p, TYPE_UINT128),
                                        i.v.bits);
    l->s.at += at * lang_sizeof(g->p, l->n->type);
    l->s.type = l->n->type;
    return true;
}

bool make_lvalue_member(struct gen *g, struct rng *r, struct lval *l)
{
    const struct record *record = l->s.type->u.record;
    struct field *f = record->fields[rng_below(r, record->count)];
    if (!f->name)
        f = record->fields[0];
    /* not of *(a + i), whose subscript is guarded where it is followed */
    bool arrow = l->n->kind == NODE_UNARY && l->n->op == OP_DEREF &&
                 l->n->kid[0]->kind != NODE_BINARY && rng_below(r, 2);
    l->n = lang_member(g->p, arrow ? l->n->kid[0] : l->n, f->name, arrow);
    l->s.at += f->offset;
    l->s.type = l->n->type;
    l->s.field = f->is_bitfield ? f : NULL;
    return true;
}

bool make_lvalue_follow(struct gen *g, struct ctx *c, struct lval *l, enum want want)
{
    uint8_t class = c->region->fn->class;
    struct type *base = l->s.type->base;
    struct val v;
    if (c->quiet || class == CLASS_LOCAL || (want >= WANT_WRITE && class != CLASS_FULL))
        return false;
    if (base->kind == TYPE_FUNCTION || base->kind == TYPE_VOID || !run_mem_ready(g, &l->s))
        return false;
    run_mem_load(g, &l->s, &v);
    if (!run_mem_inside(v.link.to, v.link.at, lang_sizeof(g->p, base)))
        return false;
    const struct var *to = v.link.to->decl ? gen_about(g, v.link.to->decl)->var : NULL;
    if (to && to->use == USE_OUTPUT && want != WANT_WRITE)
        return false;
    l->n = lang_unary(g->p, OP_DEREF, l->n);
    l->s = (struct spot){v.link.to, (uint64_t)v.link.at, l->n->type, NULL};
    return true;
}

static bool is_wanted(const struct lval *l, enum want want, unsigned kinds)
{
    const struct type *t = l->s.type;
    if (want >= WANT_WRITE && is_const(t))
        return false;
    if (l->s.field && want == WANT_ADDRESS)
        return false;
    if (l->s.field && gen_is_wide_field(l->s.field) && want != WANT_VALUE && want != WANT_WRITE)
        return false;
    return (lang_is_integer(t) && kinds & KIND_INT) ||
           (t->class == CLASS_FLOAT && kinds & KIND_REAL);
}

struct lval make_lvalue_name(struct gen *g, struct var *v)
{
    struct object *o = gen_about(g, v->decl)->object;
    return (struct lval){lang_name(g->p, v->decl), {o, 0, v->type, NULL}, v};
}

struct lval make_lvalue_descend(struct gen *g, struct ctx *c, struct lval l, enum want want,
                                unsigned kinds)
{
    struct lval none = {0};
    bool ok = l.s.object != NULL;
    while (ok && !lang_is_arithmetic(l.s.type)) {
        if (l.s.type->kind == TYPE_ARRAY || l.s.type->kind == TYPE_VECTOR)
            ok = !c->quiet && make_lvalue_element(g, c, &l);
        else if (lang_is_record(l.s.type))
            ok = make_lvalue_member(g, &c->region->rng, &l);
        else
            ok = l.s.type->kind == TYPE_POINTER && make_lvalue_follow(g, c, &l, want);
    }
    return ok && is_wanted(&l, want, kinds) ? l : none;
}

struct lval make_lvalue_of_var(struct gen *g, struct ctx *c, struct var *v, enum want want,
                               unsigned kinds)
{
    return make_lvalue_descend(g, c, make_lvalue_name(g, v), want, kinds);
}

struct lval make_lvalue_pick(struct gen *g, struct ctx *c, enum want want, unsigned kinds)
{
    struct lval none = {0};
    for (int i = 0; i < 5; i++) {
        struct var *v = pick_var(g, c);
        if (!v || !may_use(c, v, want))
            continue;
        if (c->quiet && (!lang_is_arithmetic(v->type) || v->global || v->decl->address_taken))
            continue;
        struct lval l = make_lvalue_of_var(g, c, v, want, kinds);
        if (!l.n || (want != WANT_WRITE && !run_mem_ready(g, &l.s)))
            continue;
        if (c->quiet)
            v->no_address = true;
        make_full_reads(c->full, v->decl);
        return l;
    }
    return none;
}

struct lval make_lvalue_private(struct gen *g, struct ctx *c)
{
    struct lval none = {0};
    for (int i = 0; i < 3; i++) {
        struct var *v = pick_var(g, c);
        if (!v || !may_use(c, v, WANT_WRITE) || !make_full_may_write(c->full, v->decl))
            continue;
        if (!lang_is_integer(v->type) || is_const(v->type) || v->decl->address_taken ||
            v->use != USE_MIXED || v->type->kind == TYPE_ENUM)
            continue;
        if (v->global && (c->full->called & ~(1u << CLASS_LOCAL) || c->quiet))
            continue;
        struct lval l = make_lvalue_name(g, v);
        if (!l.s.object || !run_mem_ready(g, &l.s))
            continue;
        v->no_address = true;
        make_full_writes(c->full, v);
        return l;
    }
    return none;
}

struct made make_lvalue_read(struct gen *g, struct lval l)
{
    struct made m = {0};
    if (!l.n || !run_mem_ready(g, &l.s))
        return m;
    run_mem_load(g, &l.s, &m.v);
    if (l.s.type->class == CLASS_FLOAT && run_is_nan(g, l.s.type, m.v.bits))
        return m;
    m.n = l.n;
    if (l.s.field && gen_is_wide_field(l.s.field))
        m.n = lang_cast(g->p, l.s.type->unqual, l.n);
    return m;
}
