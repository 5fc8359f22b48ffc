/* Expressions, made while they are executed: operands first, then the operator on values that are
 * known, repaired where it would be undefined. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"
#include "gen/safe/safe.h"

struct ctx make_ctx_below(const struct ctx *c)
{
    struct ctx below = *c;
    if (below.depth)
        below.depth--;
    return below;
}

/* The record of the full expression outlives its making: holes in it are filled later. */
struct ctx make_ctx_start(struct gen *g, struct region *r)
{
    struct ctx c = {.region = r, .vars = r->vars, .full = NEW(&g->arena, struct full)};
    uint8_t class = r->fn->class;
    c.calls = class == CLASS_LOCAL ? 1u << CLASS_LOCAL : 1u << CLASS_LOCAL | 1u << CLASS_READS;
    c.context = r->context;
    c.leaf = (uint16_t)gen_pick(g, &r->rng, GEN_GROUP_leaf);
    c.depth = (uint8_t)(1 + rng_below(&r->rng, gen_setting(g, GEN_count_depth)));
    c.dead = r->dead;
    return c;
}

static struct type *type_of(const struct made *m)
{
    return m->n->type->unqual;
}

struct made make_expr_convert(struct gen *g, struct made m, struct type *t)
{
    t = t->unqual;
    if (type_of(&m) == t && !tree_is_field(m.n))
        return m;
    if (type_of(&m)->class == CLASS_FLOAT && lang_is_integer(t)) {
        u128 r;
        if (lang_value_convert(g->p, type_of(&m), t, m.v.bits, &r) != VALUE_OK) {
            struct made zero = build_number(g, 0, t);
            if (!tree_is_pure(m.n)) /* what it did stays done */
                zero.n = lang_binary(g->p, OP_COMMA, m.n, zero.n);
            return zero;
        }
    }
    m.v.bits = run_convert(g, type_of(&m), t, m.v.bits);
    m.n = lang_cast(g->p, t, m.n);
    return m;
}

/* ---- leaves ----------------------------------------------------------------------------- */

struct made make_expr_constant(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    if (g->enums.n && rng_below(r, 16) == 0) {
        struct type *e = g->enums.at[0];
        struct decl *d = e->u.enumeration->values[rng_below(r, e->u.enumeration->count)];
        struct made m = {lang_name(g->p, d), {.bits = d->value}};
        return m;
    }
    return make_constant_int(g, c, make_type_integer(g, r));
}

struct made make_expr_variable(struct gen *g, struct ctx *c)
{
    struct made none = {0};
    struct lval l = make_lvalue_pick(g, c, WANT_VALUE, KIND_INT);
    return l.n ? make_lvalue_read(g, l) : none;
}

static struct made leaf(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    uint64_t of = gen_setting(g, GEN_expr_constant),
             either = of + gen_setting(g, GEN_expr_variable) + 1;
    bool constant = c->leaf == GEN_leaf_all || (c->leaf == GEN_leaf_half && rng_below(r, 2)) ||
                    rng_below(r, either) < of;
    struct made m = {0};
    if (!constant)
        m = make_expr_variable(g, c);
    return m.n ? m : make_expr_constant(g, c);
}

/* ---- operators -------------------------------------------------------------------------- */

/* The operators that a context keeps to, as bits, and its unary one; 0 and OP_COUNT: all. */
static const struct {
    uint64_t ops;
    uint8_t unary;
} contexts[] = {
#define OP_ANY                         OP_COUNT
#define IN(op)                         UINT64_C(1) << OP_##op
#define CONTEXT(name, ops, unary, ...) [GEN_context_##name] = {ops, OP_##unary},
#include "gen/policy.def"
#undef OP_ANY
#undef IN
};
_Static_assert(OP_COUNT <= 64, "64 bits hold a set of operators");

/* One of the set, in the order of policy.def. */
static enum op pick_of(const struct gen *g, struct rng *r, uint64_t ops)
{
    uint64_t n = rng_below(r, (uint64_t)__builtin_popcountll(ops));
    for (uint32_t i = g->first[GEN_GROUP_op]; i < g->first[GEN_GROUP_op + 1]; i++) {
        enum op op = (enum op)gen_policy_info[g->rows[i]].means;
        if (ops >> op & 1 && n-- == 0)
            return op;
    }
    BUG("an operator of a context has no row in group op");
}

enum op make_pick_op_of(struct gen *g, struct rng *r, uint16_t context, uint64_t among)
{
    uint64_t ops = contexts[context].ops & among;
    return ops ? pick_of(g, r, ops) : OP_COUNT;
}

enum op make_pick_op(struct gen *g, struct rng *r, uint16_t context)
{
    uint64_t ops = contexts[context].ops;
    return ops ? pick_of(g, r, ops) : (enum op)gen_draw(g, r, GEN_GROUP_op);
}

bool make_keeps_op(uint16_t context, enum op op)
{
    static const uint64_t arithmetic = UINT64_C(1) << OP_ADD | UINT64_C(1) << OP_SUB |
                                       UINT64_C(1) << OP_MUL | UINT64_C(1) << OP_DIV |
                                       UINT64_C(1) << OP_REM | UINT64_C(1) << OP_AND |
                                       UINT64_C(1) << OP_OR | UINT64_C(1) << OP_XOR |
                                       UINT64_C(1) << OP_SHL | UINT64_C(1) << OP_SHR;
    uint64_t ops = contexts[context].ops;
    return !ops || !(arithmetic >> op & 1) || ops >> op & 1;
}

enum op make_op_among(struct rng *r, uint16_t context, const uint8_t *ops, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        kept += make_keeps_op(context, (enum op)ops[i]);
    uint64_t draw = rng_below(r, kept ? kept : n);
    for (size_t i = 0; i < n; i++)
        if ((!kept || make_keeps_op(context, (enum op)ops[i])) && draw-- == 0)
            return (enum op)ops[i];
    BUG("no operator");
}

bool make_is_strict(const struct gen *g)
{
    return gen_setting(g, GEN_context_mixed) == 0;
}

uint16_t make_context(const struct gen *g, const struct rng *r)
{
    struct rng draw = rng_fork(r, "context");
    return (uint16_t)gen_pick(g, &draw, GEN_GROUP_context);
}

/* The operator on two made operands. */
struct made make_combine(struct gen *g, struct ctx *c, enum op op, struct made a, struct made b)
{
    struct made m = {lang_binary(g->p, op, a.n, b.n), {0}};
    if (!m.n)
        BUG("%s", g->p->err.msg);
    struct type *t = m.n->kid[0]->type, *u = m.n->kid[1]->type;
    u128 x = run_convert(g, type_of(&a), t, a.v.bits), y = run_convert(g, type_of(&b), u, b.v.bits);
    if (c->dead)
        return m;
    m.v.bits = safe_repair(g, m.n, t, x, y, u);
    return m;
}

/* ---- operands that say something --------------------------------------------------------- */

static const struct decl *name_in(const struct node *n)
{
    while (n->kind == NODE_CAST)
        n = n->kid[0];
    return n->kind == NODE_NAME && n->u.decl->kind != DECL_ENUMERATOR ? n->u.decl : NULL;
}

bool make_is_same(const struct node *a, const struct node *b)
{
    return name_in(a) && name_in(a) == name_in(b);
}

/* Is its value known to compilers?  A variable is still an lvalue here, and not yet read. */
static bool is_fixed(const struct node *n)
{
    return !(n->flags & NODE_LVALUE) && tree_is_fixed(n);
}

static bool says_nothing(const struct node *a, const struct node *b)
{
    return (is_fixed(a) && is_fixed(b)) || make_is_same(a, b);
}

/* Beside a constant not another one, and no variable beside itself: compilers would be left with
 * nothing.  Where leaves are to be constants, they are. */
static struct made second_operand(struct gen *g, struct ctx *c, const struct made *a)
{
    struct made b = make_expr_int(g, c);
    if (c->leaf == GEN_leaf_all || !says_nothing(a->n, b.n) || !tree_is_pure(b.n))
        return b;
    for (int i = 0; i < 3; i++) {
        struct made v = make_expr_variable(g, c);
        if (v.n && !says_nothing(a->n, v.n))
            return v;
    }
    return b;
}

/* The only operand: no constant, as compilers would compute all of it. */
static struct made only_operand(struct gen *g, struct ctx *c)
{
    struct made m = make_expr_int(g, c);
    if (c->leaf == GEN_leaf_all || !is_fixed(m.n) || !tree_is_pure(m.n))
        return m;
    struct made v = make_expr_variable(g, c);
    return v.n ? v : m;
}

struct made make_expr_binary(struct gen *g, struct ctx *c)
{
    struct ctx below = make_ctx_below(c);
    enum op op = make_pick_op(g, &c->region->rng, c->context);
    struct made a = make_expr_int(g, &below);
    struct made b = second_operand(g, &below, &a);
    return make_combine(g, c, op, a, b);
}

struct made make_expr_unary(struct gen *g, struct ctx *c)
{
    static const uint8_t ops[] = {OP_NEG, OP_NOT, OP_LNOT, OP_NEG, OP_NOT, OP_PLUS};
    struct ctx below = make_ctx_below(c);
    struct made a = only_operand(g, &below);
    enum op op = ops[rng_below(&c->region->rng, LENGTH(ops))];
    if (contexts[c->context].unary != OP_COUNT)
        op = contexts[c->context].unary;
    struct made m = {lang_unary(g->p, op, a.n), {0}};
    struct type *t = m.n->kid[0]->type;
    u128 x = run_convert(g, type_of(&a), t, a.v.bits);
    if (lang_value_unary(g->p, op, t, x, &m.v.bits) != VALUE_OK) {
        m.n->op = OP_PLUS; /* Table 1: -a becomes +a */
        m.v.bits = x;
        g->counts.repairs++;
    }
    return m;
}

static const uint8_t comparisons[] = {OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE};

struct made make_expr_compare(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct ctx below = make_ctx_below(c);
    enum op op = comparisons[rng_below(r, LENGTH(comparisons))];
    struct made a, b;
    if (gen_setting(g, GEN_shape_real) && rng_below(r, 6) == 0) {
        a = make_expr_real(g, &below, make_type_real(g, r));
        b = make_expr_real(g, &below, make_type_real(g, r));
    } else {
        a = make_expr_int(g, &below);
        b = second_operand(g, &below, &a);
    }
    return make_combine(g, c, op, a, b);
}

/* ---- what may not run ------------------------------------------------------------------- */

struct node *make_hole(struct gen *g, const struct ctx *c, struct type *t)
{
    struct hole *h = NEW(&g->arena, struct hole);
    bool real = t->class == CLASS_FLOAT;
    struct node *n = real ? lang_float(g->p, 0, t) : lang_int(g->p, 0, t);
    h->ctx = *c;
    h->type = n->type;
    g->counts.holes++;
    /* what stands beside it may run before or after it: it keeps to what nothing can disturb */
    h->ctx.pure = true;
    h->ctx.calls &= 1u << CLASS_LOCAL;
    gen_set_hole(g, n, h);
    return n;
}

void make_fill_hole(struct gen *g, struct node **slot, struct val *v)
{
    const struct hole *h = gen_hole_of(g, *slot);
    struct ctx c = h->ctx;
    c.dead = false;
    struct made m = make_expr_of_type(g, &c, h->type);
    *slot = lang_rvalue(g->p, m.n);
    *v = m.v;
}

/* A variable beside a constant near its value; n is NULL where there is none. */
static struct made near_itself(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct made v = make_expr_variable(g, c);
    if (!v.n)
        return v;
    struct type *t = type_of(&v);
    u128 near = lang_wrap(v.v.bits + rng_below(r, 3) - 1, gen_int_width(g, t));
    if (t->kind == TYPE_BOOL)
        near = v.v.bits;
    enum op op = comparisons[rng_below(r, LENGTH(comparisons))];
    return make_combine(g, c, op, v, build_number(g, near, t));
}

struct made make_expr_condition(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct made m = rng_below(r, 2) ? make_expr_compare(g, c) : make_expr_int(g, c);
    if (!is_fixed(m.n) || !tree_is_pure(m.n) || rng_below(r, 40) == 0)
        return m;
    struct made other = near_itself(g, c);
    return other.n ? other : m;
}

struct made make_expr_logic(struct gen *g, struct ctx *c)
{
    struct ctx below = make_ctx_below(c);
    enum op op = rng_below(&c->region->rng, 2) ? OP_LAND : OP_LOR;
    struct made a = make_expr_condition(g, &below), m = {0};
    bool left = run_is_true(g, type_of(&a), &a.v);
    if (left != (op == OP_LAND) && !c->dead) {
        below.vars = c->vars;
        m.n = lang_binary(g->p, op, a.n, make_hole(g, &below, lang_basic(g->p, TYPE_INT)));
        m.v.bits = left;
        return m;
    }
    struct made b = make_expr_condition(g, &below);
    m.n = lang_binary(g->p, op, a.n, b.n);
    m.v.bits = run_is_true(g, type_of(&b), &b.v);
    return m;
}

struct made make_expr_cond(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct ctx below = make_ctx_below(c);
    struct made test = make_expr_condition(g, &below), m = {0};
    struct made a = make_expr_int(g, &below);
    struct node *other;
    if (c->dead)
        other = make_expr_int(g, &below).n;
    else
        other = make_hole(g, &below, lang_promoted(g->p, make_type_integer(g, r)));
    bool truth = run_is_true(g, type_of(&test), &test.v);
    m.n = lang_cond(g->p, test.n, truth ? a.n : other, truth ? other : a.n);
    m.v.bits = run_convert(g, type_of(&a), m.n->type, a.v.bits);
    return m;
}

/* ---- side effects ----------------------------------------------------------------------- */

static const uint8_t compounds[] = {OP_ASSIGN, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM,
                                    OP_AND,    OP_OR,  OP_XOR, OP_SHL, OP_SHR, OP_ASSIGN};

struct made make_expr_assign(struct gen *g, struct ctx *c)
{
    static const uint8_t keeping[] = {OP_XOR, OP_ADD};
    struct made none = {0};
    if (c->pure)
        return none;
    struct lval l = make_lvalue_private(g, c);
    if (!l.n)
        return none;
    struct ctx below = make_ctx_below(c);
    enum op op = make_op_among(&c->region->rng, c->context, compounds, LENGTH(compounds));
    if (g->observe != GEN_observe_nothing && rng_below(&c->region->rng, 16))
        op = make_op_among(&c->region->rng, c->context, keeping, LENGTH(keeping));
    return make_assign(g, &below, l, op, make_expr_int(g, &below));
}

/* x += 0, x *= 1, x &= -1: of a constant that leaves x as it was. */
static bool changes_nothing(const struct gen *g, enum op op, const struct made *m)
{
    if (m->n->kind != NODE_INT || m->n->flags & NODE_HOLE)
        return false;
    u128 bits = m->n->u.value->bits;
    switch (op) {
    case OP_ADD:
    case OP_SUB:
    case OP_XOR:
    case OP_OR:
    case OP_SHL:
    case OP_SHR:
        return bits == 0;
    case OP_MUL:
    case OP_DIV:
        return bits == 1;
    case OP_AND:
        return bits == lang_wrap(~(u128)0, gen_int_width(g, m->n->type));
    default:
        return false;
    }
}

static struct made as_value(struct gen *g, const struct lval *l, struct made right)
{
    struct made m = {build_value(g, l->s.type, right.n), right.v};
    if (m.n != right.n)
        m.v.bits = run_convert(g, type_of(&right), m.n->type, right.v.bits);
    return m;
}

struct made make_assign(struct gen *g, struct ctx *c, struct lval l, enum op op, struct made right)
{
    if (op == OP_ASSIGN)
        right = as_value(g, &l, right);
    if (changes_nothing(g, op, &right))
        right = build_number(g, 2 + rng_below(&c->region->rng, 12), build_int_type(g));
    struct made m = {lang_assign(g->p, op, l.n, right.n), {0}};
    if (!m.n)
        BUG("%s", g->p->err.msg);
    if (c->dead)
        return m;
    struct type *to = l.s.type->unqual, *u = m.n->kid[1]->type;
    struct val v = {.bits = run_convert(g, type_of(&right), u, right.v.bits), .link = right.v.link};
    if (op != OP_ASSIGN) {
        struct val old;
        struct type *in = m.n->u.operand;
        run_mem_load(g, &l.s, &old);
        u128 r = safe_repair(g, m.n, in, run_convert(g, to, in, old.bits), v.bits, u);
        v.bits = run_convert(g, in, to, r);
    }
    run_mem_store(g, &l.s, &v);
    run_mem_load(g, &l.s, &m.v);
    return m;
}

struct made make_expr_step(struct gen *g, struct ctx *c)
{
    static const uint8_t ops[] = {OP_POSTINC, OP_POSTDEC, OP_PREINC, OP_PREDEC};
    struct made none = {0};
    struct lval l = c->pure ? (struct lval){0} : make_lvalue_private(g, c);
    return l.n ? make_step(g, c, l, ops[rng_below(&c->region->rng, 4)]) : none;
}

/* x++ and the like; turned round where it would overflow. */
struct made make_step(struct gen *g, struct ctx *c, struct lval l, enum op op)
{
    static const uint8_t opposite[] = {[OP_POSTINC] = OP_POSTDEC,
                                       [OP_POSTDEC] = OP_POSTINC,
                                       [OP_PREINC] = OP_PREDEC,
                                       [OP_PREDEC] = OP_PREINC};
    bool plus = op == OP_POSTINC || op == OP_PREINC;
    struct type *in = lang_promoted_value(g->p, l.n); /* a bit-field's is its width's */
    struct val old;
    run_mem_load(g, &l.s, &old);
    u128 value = run_convert(g, l.s.type->unqual, in, old.bits);
    if (gen_int_signed(g, in) && value == (plus ? gen_int_most(g, in) : gen_int_least(g, in))) {
        op = opposite[op];
        g->counts.repairs++;
    }
    struct made m = {lang_unary(g->p, op, l.n), {0}};
    if (!c->dead)
        run_eval(g, &m.n, &m.v);
    return m;
}

struct made make_expr_comma(struct gen *g, struct ctx *c)
{
    struct made none = {0};
    if (c->pure)
        return none;
    struct ctx below = make_ctx_below(c);
    struct made a = make_expr_assign(g, &below);
    if (!a.n)
        return none;
    struct made b = make_expr_int(g, &below), m;
    m.n = lang_binary(g->p, OP_COMMA, a.n, b.n);
    m.v = b.v;
    return m;
}

/* ---- other expressions ------------------------------------------------------------------ */

struct made make_expr_cast(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct ctx below = make_ctx_below(c);
    bool real = gen_setting(g, GEN_shape_real) && rng_below(r, 5) == 0;
    struct made a = real ? make_expr_real(g, &below, make_type_real(g, r))
                         : only_operand(g, &below);
    return make_expr_convert(g, a, make_type_integer(g, r));
}

struct made make_expr_call(struct gen *g, struct ctx *c)
{
    struct made none = {0};
    return c->calls ? make_call(g, c, true) : none;
}

struct made make_expr_measure(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct made m;
    struct type *t = make_type_integer(g, r);
    if (g->all_globals.n && rng_below(r, 2)) {
        struct var *v = g->all_globals.at[rng_below(r, g->all_globals.n)];
        m.n = lang_sizeof_expr(g->p, lang_name(g->p, v->decl));
        m.v.bits = lang_sizeof(g->p, v->type);
    } else if (rng_below(r, 3)) {
        m.n = lang_sizeof_type(g->p, t);
        m.v.bits = lang_sizeof(g->p, t);
    } else {
        m.n = lang_alignof_type(g->p, t);
        m.v.bits = lang_alignof(g->p, t);
    }
    return m;
}

struct made make_expr_builtin(struct gen *g, struct ctx *c)
{
    static const char *const names[] = {
        "__builtin_clz",      "__builtin_ctz",        "__builtin_clzll",   "__builtin_ctzll",
        "__builtin_popcount", "__builtin_popcountll", "__builtin_parity",  "__builtin_ffs",
        "__builtin_bswap16",  "__builtin_bswap32",    "__builtin_bswap64", "__builtin_clrsb",
        "__builtin_abs",      "__builtin_ffsll",      "__builtin_parityll"};
    struct rng *r = &c->region->rng;
    struct ctx below = make_ctx_below(c);
    struct made a = only_operand(g, &below), m = {0};
    struct node *args[1] = {a.n};
    struct decl *d = build_builtin(g, names[rng_below(r, LENGTH(names))]);
    m.n = lang_call(g->p, lang_name(g->p, d), args, 1);
    struct type *t = m.n->kid[1]->type;
    u128 x = run_convert(g, type_of(&a), t, a.v.bits);
    return c->dead || run_builtin(g, d, t, &x, &m.v.bits) ? m : a;
}

/* Is it declared where the context stands?  A hole is filled later than what follows it was
 * written: locals of its own region may come after it. */
static bool in_scope(struct gen *g, const struct ctx *c, const struct decl *d)
{
    const struct var *v = gen_about(g, d)->var;
    if (!d->owner && d->kind != DECL_PARAM)
        return true;
    return c->vars && v && v->count <= c->vars->count &&
           gen_var_at(c->vars, c->vars->count - v->count) == v;
}

/* Every name in a copied expression must be readable here. */
static bool reads_allowed(struct gen *g, const struct ctx *c, const struct node *n)
{
    if (n->kind == NODE_NAME && n->u.decl->kind != DECL_ENUMERATOR) {
        if (!make_full_may_read(c->full, n->u.decl) || !in_scope(g, c, n->u.decl))
            return false;
        make_full_reads(c->full, n->u.decl);
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !reads_allowed(g, c, n->kid[i]))
            return false;
    return true;
}

enum { POOLED = 24 };

struct pooled {
    struct node *n;
    const struct region *region;
};

static void remember(struct gen *g, struct ctx *c, const struct made *m)
{
    if (!gen_setting(g, GEN_expr_reuse) || c->dead || c->quiet || m->n->kind != NODE_BINARY)
        return;
    if (rng_below(&c->region->rng, 4) || !tree_is_pure(m->n))
        return;
    struct pooled *p = NEW(&g->arena, struct pooled);
    *p = (struct pooled){m->n, c->region};
    if (g->pool.n < POOLED)
        list_add(&g->arena, &g->pool, p);
    else
        g->pool.at[rng_below(&c->region->rng, POOLED)] = p;
}

struct made make_expr_reuse(struct gen *g, struct ctx *c)
{
    struct made none = {0};
    if (g->pool.n == 0 || c->dead || c->quiet)
        return none;
    const struct pooled *p = NULL;
    for (int i = 0; i < 4 && (!p || p->region->fn != c->region->fn); i++)
        p = g->pool.at[rng_below(&c->region->rng, g->pool.n)];
    if (p->region->fn != c->region->fn || !tree_is_pure(p->n) || !reads_allowed(g, c, p->n))
        return none;
    struct made m = {tree_clone(g, p->n), {0}};
    run_eval(g, &m.n, &m.v);
    return m;
}

/* ---- integers --------------------------------------------------------------------------- */

static expr_fn *const makers[] = {
#define EXPR(name, ...) [GEN_expr_##name] = make_expr_##name,
#include "gen/policy.def"
};

/* A subtree may keep to other operators than its surroundings. */
static void vary(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    if (rng_below(r, 30) == 0)
        c->context = (uint16_t)gen_pick(g, r, GEN_GROUP_context);
    if (rng_below(r, 24) == 0)
        c->leaf = (uint16_t)gen_pick(g, r, GEN_GROUP_leaf);
}

struct made make_expr_int(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    if (c->depth == 0)
        return leaf(g, c);
    struct ctx here = *c;
    vary(g, &here);
    enum gen_policy row = gen_pick(g, r, GEN_GROUP_expr);
    if (row == GEN_expr_constant || row == GEN_expr_variable)
        return leaf(g, &here);
    if (here.context == GEN_context_logical && row == GEN_expr_binary)
        row = GEN_expr_logic;
    struct val tally = make_tally_now(g);
    struct made m = makers[row](g, &here);
    if (!m.n) {
        make_tally_back(g, tally); /* of calls that nobody sees */
        return leaf(g, &here);
    }
    remember(g, &here, &m);
    return m;
}

struct made make_expr_of_type(struct gen *g, struct ctx *c, struct type *t)
{
    struct made m = t->class == CLASS_FLOAT ? make_expr_real(g, c, t->unqual) : make_expr_int(g, c);
    return make_expr_convert(g, m, t);
}

struct made make_expr_varying(struct gen *g, struct ctx *c)
{
    static const uint8_t ops[] = {OP_XOR, OP_ADD, OP_SUB};
    struct made m = make_expr_int(g, c);
    struct made v = is_fixed(m.n) ? make_expr_variable(g, c) : (struct made){0};
    if (!v.n)
        return m;
    return make_combine(g, c, make_op_among(&c->region->rng, c->context, ops, LENGTH(ops)), v, m);
}
