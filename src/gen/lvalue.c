/* Designators: which object an expression reads or writes, and that nothing in one full
 * expression depends on the order of its parts. */
#include "gen/private.h"

/* ---- one full expression ---------------------------------------------------------------- */

static bool listed(const struct decl *const *list, uint8_t n, const struct decl *d)
{
    for (uint8_t i = 0; i < n; i++)
        if (list[i] == d)
            return true;
    return false;
}

bool full_may_read(const struct full *f, const struct decl *d)
{
    return !listed(f->written, f->writes, d);
}

bool full_may_write(const struct full *f, const struct decl *d)
{
    return !f->many && f->writes < LENGTH(f->written) && !listed(f->written, f->writes, d) &&
           !listed(f->read, f->reads, d);
}

void full_reads(struct full *f, const struct decl *d)
{
    if (listed(f->read, f->reads, d))
        return;
    if (f->reads == LENGTH(f->read))
        f->many = true;
    else
        f->read[f->reads++] = d;
}

void full_writes(struct full *f, const struct var *v)
{
    f->written[f->writes++] = v->decl;
    f->writes_global = f->writes_global || v->global;
}

/* ---- which variable --------------------------------------------------------------------- */

static struct var *nth(struct var *v, uint64_t n)
{
    while (n-- > 0)
        v = v->outer;
    return v;
}

static struct var *pick_var(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    uint8_t class = c->region->fn->class;
    bool local_only = c->quiet || class == CLASS_LOCAL;
    bool local = c->vars && (local_only || chance(g, r, GEN_share_locals));
    if (local)
        return nth(c->vars, rng_below(r, c->vars->count));
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
    return full_may_read(c->full, v->decl);
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
    if (!by_mask && int_signed(g, t)) {
        t = lang_basic(g->p, t->kind + 1); /* types.def: the unsigned one is next */
        left = lang_cast(g->p, t, left);
    }
    struct node *right = lang_int(g->p, by_mask ? count - 1 : count, lang_basic(g->p, TYPE_INT));
    struct node *n = lang_binary(g->p, by_mask ? OP_AND : OP_REM, left, right);
    struct type *in = n->type;
    u128 a = convert_bits(g, left->type->unqual, in,
                          convert_bits(g, m.n->type->unqual, left->type->unqual, m.v.bits));
    m.n = n;
    apply(g, (enum op)n->op, in, a, by_mask ? count - 1 : count, NULL, &m.v.bits);
    return m;
}

/* A counter of a loop around, or NULL. */
static struct var *counter(struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct var *found = NULL;
    uint64_t seen = 0;
    for (struct var *v = c->vars; v; v = v->outer)
        if (v->locked && lang_is_integer(v->type) && full_may_read(c->full, v->decl) &&
            rng_below(r, ++seen) == 0)
            found = v;
    return found;
}

static struct made subscript(struct gen *g, struct ctx *c, uint64_t count)
{
    struct rng *r = &c->region->rng;
    if (c->inside >= 2 || !chance(g, r, GEN_share_index))
        return made_int(g, rng_below(r, count), lang_basic(g->p, TYPE_INT));
    struct var *v = rng_below(r, 4) ? counter(c) : NULL;
    struct made m;
    if (v && about(g, v->decl)->object) {
        m = lvalue_read(g, lvalue_name(g, v));
        full_reads(c->full, v->decl);
    } else {
        struct ctx below = ctx_below(c);
        below.pure = true;
        below.calls = 0;
        below.depth = below.depth > 2 ? 2 : below.depth;
        below.leaf = GEN_leaf_mixed;
        below.inside++;
        m = expr_int(g, &below);
    }
    u128 at = convert_bits(g, m.n->type->unqual, lang_basic(g->p, TYPE_UINT128), m.v.bits);
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
    bool sum = a->type->kind == TYPE_ARRAY && chance(g, &c->region->rng, GEN_share_offset) &&
               !in_special_record(a);
    if (!sum)
        return lang_index(g->p, a, i);
    return lang_unary(g->p, OP_DEREF, build_op(g, OP_ADD, a, i));
}

bool is_fixed(const struct node *n)
{
    bool reads = n->kind == NODE_ASSIGN ? n->op != OP_ASSIGN
                                        : n->kind == NODE_UNARY && n->op <= OP_PREDEC;
    if (reads || n->kind == NODE_CALL || n->kind == NODE_VA_ARG)
        return false;
    if ((n->kind == NODE_BINARY && n->op == OP_COMMA) || n->kind == NODE_ASSIGN)
        return is_fixed(n->kid[1]); /* the value is the right side's */
    if (n->kind == NODE_COND && n->kid[1])
        return is_fixed(n->kid[0]) && (is_fixed(n->kid[1]) || is_fixed(n->kid[2]));
    if (n->kind == NODE_CAST && n->op == CONV_LVALUE && !(n->kid[0]->type->quals & QUAL_CONST))
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_fixed(n->kid[i]))
            return false;
    return true;
}

static bool is_far(const struct gen *g, const struct node *i, uint64_t count)
{
    u128 at;
    return lang_constant(g->p, i, &at) ? at > count + 9 : is_fixed(i);
}

bool lvalue_element(struct gen *g, struct ctx *c, struct lval *l)
{
    uint64_t count = l->s.type->u.count;
    struct made i = subscript(g, c, count);
    if (c->dead && is_far(g, i.n, count))
        i = made_int(g, count - 1, lang_basic(g->p, TYPE_INT));
    l->n = indexed(g, c, l->n, i.n);
    uint64_t at = (uint64_t)convert_bits(g, i.n->type->unqual, lang_basic(g->p, TYPE_UINT128),
                                         i.v.bits);
    l->s.at += at * lang_sizeof(g->p, l->n->type);
    l->s.type = l->n->type;
    return true;
}

bool lvalue_member(struct gen *g, struct rng *r, struct lval *l)
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

bool lvalue_follow(struct gen *g, struct ctx *c, struct lval *l, enum want want)
{
    uint8_t class = c->region->fn->class;
    struct type *base = l->s.type->base;
    struct val v;
    if (c->quiet || class == CLASS_LOCAL || (want >= WANT_WRITE && class != CLASS_FULL))
        return false;
    if (base->kind == TYPE_FUNCTION || base->kind == TYPE_VOID || !mem_ready(g, &l->s))
        return false;
    mem_load(g, &l->s, &v);
    if (!mem_inside(v.link.to, v.link.at, lang_sizeof(g->p, base)))
        return false;
    const struct var *to = v.link.to->decl ? about(g, v.link.to->decl)->var : NULL;
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
    if (l->s.field && is_wide_field(l->s.field) && want != WANT_VALUE && want != WANT_WRITE)
        return false;
    return (lang_is_integer(t) && kinds & KIND_INT) ||
           (t->class == CLASS_FLOAT && kinds & KIND_REAL);
}

struct lval lvalue_name(struct gen *g, struct var *v)
{
    struct object *o = about(g, v->decl)->object;
    return (struct lval){lang_name(g->p, v->decl), {o, 0, v->type, NULL}, v};
}

struct lval lvalue_descend(struct gen *g, struct ctx *c, struct lval l, enum want want,
                           unsigned kinds)
{
    struct lval none = {0};
    bool ok = l.s.object != NULL;
    while (ok && !lang_is_arithmetic(l.s.type)) {
        if (l.s.type->kind == TYPE_ARRAY || l.s.type->kind == TYPE_VECTOR)
            ok = !c->quiet && lvalue_element(g, c, &l);
        else if (lang_is_record(l.s.type))
            ok = lvalue_member(g, &c->region->rng, &l);
        else
            ok = l.s.type->kind == TYPE_POINTER && lvalue_follow(g, c, &l, want);
    }
    return ok && is_wanted(&l, want, kinds) ? l : none;
}

struct lval lvalue_of_var(struct gen *g, struct ctx *c, struct var *v, enum want want,
                          unsigned kinds)
{
    return lvalue_descend(g, c, lvalue_name(g, v), want, kinds);
}

struct lval lvalue_pick(struct gen *g, struct ctx *c, enum want want, unsigned kinds)
{
    struct lval none = {0};
    for (int i = 0; i < 5; i++) {
        struct var *v = pick_var(g, c);
        if (!v || !may_use(c, v, want))
            continue;
        if (c->quiet && (!lang_is_arithmetic(v->type) || v->global || v->decl->address_taken))
            continue;
        struct lval l = lvalue_of_var(g, c, v, want, kinds);
        if (!l.n || (want != WANT_WRITE && !mem_ready(g, &l.s)))
            continue;
        if (c->quiet)
            v->no_address = true;
        full_reads(c->full, v->decl);
        return l;
    }
    return none;
}

struct lval lvalue_private(struct gen *g, struct ctx *c)
{
    struct lval none = {0};
    for (int i = 0; i < 3; i++) {
        struct var *v = pick_var(g, c);
        if (!v || !may_use(c, v, WANT_WRITE) || !full_may_write(c->full, v->decl))
            continue;
        if (!lang_is_integer(v->type) || is_const(v->type) || v->decl->address_taken ||
            v->use != USE_MIXED || v->type->kind == TYPE_ENUM)
            continue;
        if (v->global && (c->full->called & ~(1u << CLASS_LOCAL) || c->quiet))
            continue;
        struct lval l = lvalue_name(g, v);
        if (!l.s.object || !mem_ready(g, &l.s))
            continue;
        v->no_address = true;
        full_writes(c->full, v);
        return l;
    }
    return none;
}

struct made lvalue_read(struct gen *g, struct lval l)
{
    struct made m = {0};
    if (!l.n || !mem_ready(g, &l.s))
        return m;
    mem_load(g, &l.s, &m.v);
    if (l.s.type->class == CLASS_FLOAT && is_nan(g, l.s.type, m.v.bits))
        return m;
    m.n = l.n;
    if (l.s.field && is_wide_field(l.s.field))
        m.n = lang_cast(g->p, l.s.type->unqual, l.n);
    return m;
}
