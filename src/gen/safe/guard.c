/* What has run before and would be undefined now is wrapped in place: guards.def.  A wrapper is
 * the identity wherever the operation was defined, so everything that has already run stays as it
 * was; execution goes on with the wrapper's value. */
#include "gen/safe/private.h"
#include "gen/build.h"
#include "gen/run/run.h"

static bool is_small(const struct node *n, int *left)
{
    if (--*left < 0)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_small(n->kid[i], left))
            return false;
    return true;
}

static bool may_repeat(const struct node *n)
{
    int left = 12;
    return tree_is_pure(n) && is_small(n, &left);
}

static struct node *number_or_zero(struct gen *g, struct node *a, struct type *t)
{
    struct node *same = lang_binary(g->p, OP_EQ, tree_clone(g, a), tree_clone(g, a));
    return lang_cond(g->p, same, a, lang_float(g->p, 0, t));
}

/* ---- the operators ---------------------------------------------------------------------- */

struct node *safe_guard_tree(struct gen *g, enum gen_policy form, enum op op, struct node *a,
                             struct node *b, struct type *t)
{
    if (form == GEN_guard_wrap && lang_is_integer(t)) {
        struct node *n = safe_rows[op].wrap(g, op, a, b, t);
        if (n)
            return n;
    }
    if (form == GEN_guard_inline && may_repeat(a) && may_repeat(b)) {
        return safe_checked(g, op, a, b, t);
    }
    if (form == GEN_guard_block)
        return safe_block(g, op, a, b, t);
    if (form == GEN_guard_macro) {
        struct node *n = safe_macro(g, op, a, b, t);
        if (n)
            return n;
    }
    struct fn *fn = safe_operator_function(g, op, t, b->type);
    struct node *args[2] = {a, b};
    return lang_call(g->p, lang_name(g->p, fn->decl), args, 2);
}

static struct node *guarded(struct gen *g, enum op op, struct node *a, struct node *b,
                            struct type *t)
{
    enum gen_policy form = gen_pick(g, &g->constants, GEN_GROUP_guard);
    return safe_guard_tree(g, form, op, a, b, t);
}

static void replace(struct gen *g, struct node **slot, struct node *by)
{
    if (!by)
        BUG("guard: %s", g->p->err.msg);
    if (by->type->unqual != (*slot)->type->unqual)
        by = lang_cast(g->p, (*slot)->type, by);
    *slot = by;
    g->counts.guards++;
}

/* The value of op under each kind of guard, on operands that fault. */
static u128 guarded_value(const struct gen *g, const struct node *by, enum op op,
                          const struct type *t, u128 a, u128 b)
{
    const struct node *n = by;
    while (n->kind == NODE_CAST && n->op == CONV_INT)
        n = n->kid[0];
    if (n->kind != NODE_BINARY)
        return a; /* a conditional or a function */
    u128 r = 0;
    unsigned width = gen_int_width(g, t);
    if (op == OP_SHL || op == OP_SHR)
        b &= width - 1;
    lang_value_binary(g->p, op, t, a, b, &r); /* wrapped, even on overflow */
    return r;
}

static void guard_binary(struct gen *g, struct node **slot, const struct run_fault *f,
                         struct val *v)
{
    struct node *n = *slot;
    enum op op = (enum op)n->op;
    struct type *t = n->kid[0]->type;
    struct node *by = guarded(g, op, n->kid[0], n->kid[1], t);
    v->bits = guarded_value(g, by, op, t, f->a, f->b);
    replace(g, slot, by);
}

static void guard_unary(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v)
{
    struct node *n = *slot; /* -a of the least value */
    struct type *t = n->type;
    struct node *zero = safe_constant(g, 0, t);
    struct node *by = guarded(g, OP_SUB, zero, n->kid[0], t);
    v->bits = guarded_value(g, by, OP_SUB, t, 0, f->a);
    replace(g, slot, by);
}

/* What is not a number is 0 (x / 0 is one): the result, and the left operand where that is none.
 * Then it must be guarded now: another time it would be, and what has run be changed. */
static struct node *guarded_number(struct gen *g, enum op op, struct node *left, struct node *right,
                                   const struct run_fault *f, u128 *r)
{
    struct type *t = left->type->unqual;
    *r = 0;
    if (run_is_nan(g, t, f->a)) {
        left = safe_through(g, left, t, KEY_NUMBER, number_or_zero);
        run_apply(g, op, t, 0, f->b, NULL, r);
        if (run_is_nan(g, t, *r))
            *r = 0;
    }
    return safe_through(g, lang_binary(g->p, op, left, right), t, KEY_NUMBER, number_or_zero);
}

/* x op= e becomes x = guarded(x op e): x is a designator without side effects.  Both operands
 * have been evaluated, so nothing may be evaluated again. */
static void guard_assign(struct gen *g, struct node **slot, const struct run_fault *f,
                         struct val *v)
{
    struct node *n = *slot;
    struct type *in = n->u.operand, *to = n->type;
    enum op op = (enum op)n->op;
    struct node *left = lang_convert(g->p, tree_clone(g, n->kid[0]), in), *by;
    u128 r = 0;
    if (in->class == CLASS_FLOAT) {
        by = guarded_number(g, op, left, n->kid[1], f, &r);
    } else {
        by = guarded(g, op, left, n->kid[1], in);
        r = guarded_value(g, by, op, in, f->a, f->b);
    }
    n->kid[1] = lang_convert(g->p, by, to);
    n->op = OP_ASSIGN;
    n->u.operand = to;
    g->counts.guards++;
    struct val new = {.bits = run_convert(g, in, to, r)};
    run_mem_store(g, f->spot, &new);
    run_mem_load(g, f->spot, v);
}

/* x++ becomes x == most ? x : x++. */
static void guard_step(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v)
{
    (void)f;
    struct node *n = *slot, *x = n->kid[0];
    struct type *t = lang_promoted_value(g->p, x);
    bool plus = n->op == OP_POSTINC || n->op == OP_PREINC;
    u128 limit = plus ? gen_int_most(g, t) : gen_int_least(g, t);
    struct node *test = lang_binary(g->p, OP_EQ, tree_clone(g, x), safe_constant(g, limit, t));
    struct node *by = lang_cond(g->p, test, tree_clone(g, x), n);
    v->bits = limit;
    replace(g, slot, by);
}

/* ---- pointers and subscripts ------------------------------------------------------------ */

/* i becomes (unsigned)i % count, or i & count - 1: the identity within the bounds. */
static void guard_index(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v)
{
    uint64_t count = f->count;
    struct node *i = lang_promote(g->p, *slot);
    struct type *t = i->type->unqual, *u = safe_unsigned_of(g, t);
    v->bits = run_convert(g, (*slot)->type->unqual, t, v->bits);
    struct node *limit = lang_int(g->p, count, lang_basic(g->p, TYPE_INT));
    bool power = (count & (count - 1)) == 0;
    struct node *by;
    u128 at = lang_wrap(v->bits, gen_int_width(g, t));
    if (power && rng_below(&g->constants, 2)) {
        by = lang_binary(g->p, OP_AND, i, lang_int(g->p, count - 1, lang_basic(g->p, TYPE_INT)));
        v->bits = at & (count - 1);
    } else {
        by = lang_binary(g->p, OP_REM, u == t ? i : lang_cast(g->p, u, i), limit);
        v->bits = at % count;
    }
    *slot = lang_promote(g->p, by);
    g->counts.guards++;
}

/* p becomes p ? p : &fallback.  No pointer that is followed has side effects; a volatile one is
 * read twice. */
static void guard_pointer(struct gen *g, struct node **slot, const struct run_fault *f,
                          struct val *v)
{
    (void)f;
    struct node *p = *slot;
    if (v->link.to)
        BUG("pointer past its object");
    struct var *to = g->hooks->global(g, p->type->base->unqual);
    struct node *other = lang_unary(g->p, OP_ADDR, lang_name(g->p, to->decl));
    struct node *by = lang_cond(g->p, tree_clone(g, p), p, other);
    v->link = (struct link){gen_about(g, to->decl)->object, 0};
    if (!by)
        BUG("guard: %s", g->p->err.msg);
    *slot = by;
    g->counts.guards++;
}

/* ---- floating --------------------------------------------------------------------------- */

static struct node *real_compare(struct gen *g, enum op op, struct node *a, long double v)
{
    enum float_format f = lang_float_format(g->p, a->type);
    return lang_binary(g->p, op, tree_clone(g, a),
                       lang_float(g->p, lang_float_bits(f, v), a->type));
}

/* C11 6.3.1.4p1: what is left of the point must fit. */
static struct node *int_in_range(struct gen *g, struct node *a, struct type *t)
{
    bool minus = gen_int_signed(g, t);
    unsigned bits = gen_int_width(g, t) - (minus ? 1 : 0);
    static const uint8_t precision[] = {[FLOAT_SINGLE] = 24, [FLOAT_DOUBLE] = 53, [FLOAT_X87] = 64};
    unsigned digits = precision[lang_float_format(g->p, a->type)];
    long double high = 1;
    for (unsigned i = 0; i < bits; i++)
        high *= 2;
    struct node *above;
    if (minus && bits >= digits)
        above = real_compare(g, OP_GE, a, -high);
    else
        above = real_compare(g, OP_GT, a, minus ? -high - 1 : -1);
    struct node *test = safe_both(g, above, real_compare(g, OP_LT, a, high));
    return lang_cond(g->p, test, lang_cast(g->p, t, a), safe_constant(g, 0, t));
}

static void guard_float_cast(struct gen *g, struct node **slot, const struct run_fault *f,
                             struct val *v)
{
    (void)f;
    struct node *n = *slot;
    struct type *t = n->type->unqual;
    struct node *by = safe_through(g, n->kid[0], t, KEY_INT, int_in_range);
    *slot = by;
    v->bits = 0;
}

static void guard_nan(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v)
{
    (void)f;
    struct type *t = (*slot)->type->unqual;
    if (*slot == g->any_number)
        return; /* it is guarded */
    *slot = safe_through(g, *slot, t, KEY_NUMBER, number_or_zero);
    v->bits = 0;
}

/* ---- the rest --------------------------------------------------------------------------- */

/* A local is read before it was set in this lifetime, which no earlier execution did: it gets an
 * initialiser. */
static void guard_ready(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v)
{
    (void)slot, (void)v;
    struct decl *d = f->spot->object->decl;
    if (d && gen_about(g, d)->given) { /* in a deeper call, after this one's lifetime began */
        run_mem_zero(f->spot->object);
        return;
    }
    if (!d || !d->node || d->init || d->is_static)
        BUG("no initialiser helps %s", d ? d->name : "this");
    struct type *t = d->type;
    struct node *zero = lang_is_scalar(t) ? safe_constant(g, 0, lang_basic(g->p, TYPE_INT))
                                          : lang_node(g->p, NODE_INIT, NULL, 0);
    d->init = lang_initialise(g->p, &t, zero);
    d->node->kid[0] = d->init;
    run_mem_zero(f->spot->object);
    gen_about(g, d)->given = true;
    g->counts.guards++;
}

static struct node *nonzero(struct gen *g, struct node *a, struct type *t)
{
    return lang_cond(g->p, tree_clone(g, a), a, safe_constant(g, 1, t));
}

static struct node *not_least(struct gen *g, struct node *a, struct type *t)
{
    u128 least = gen_int_least(g, t);
    return lang_cond(g->p, safe_compare(g, OP_EQ, a, least, t), safe_constant(g, least + 1, t), a);
}

/* __builtin_clz(x) becomes __builtin_clz(x ? x : 1); __builtin_abs is kept from the least value. */
static void guard_builtin(struct gen *g, struct node **slot, const struct run_fault *f,
                          struct val *v)
{
    (void)f;
    struct node *n = *slot;
    struct type *t = n->kid[1]->type->unqual;
    const struct decl *d = n->kid[0]->kid[0]->u.decl;
    bool is_abs = d->builtin == BUILTIN_abs;
    n->kid[1] = is_abs ? safe_through(g, n->kid[1], t, KEY_NOT_LEAST, not_least)
                       : safe_through(g, n->kid[1], t, KEY_NONZERO, nonzero);
    u128 instead = is_abs ? gen_int_least(g, t) + 1 : 1;
    if (!run_builtin(g, d, t, &instead, &v->bits))
        BUG("no guard for a builtin");
}

/* ---- all -------------------------------------------------------------------------------- */

typedef void guard_fn(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v);

static guard_fn *const guards[RUN_FAULT_COUNT] = {
#define FAULT(name, help) [RUN_FAULT_##name] = guard_##name,
#include "gen/faults.def"
};

void safe_guard(struct gen *g, struct node **slot, const struct run_fault *f, struct val *v)
{
    guards[f->kind](g, slot, f, v);
}
