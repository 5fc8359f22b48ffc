/* Expressions in what gives them back, or in what compilers may answer as they like without a
 * difference: hints, __builtin_constant_p and __builtin_object_size where both answers lead to the
 * same value, a ?: b, _Generic. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

typedef struct made wrap_fn(struct gen *g, struct ctx *c);

static struct node *call(struct gen *g, const char *name, struct node **args, uint32_t n)
{
    struct node *made = lang_call(g->p, lang_name(g->p, build_builtin(g, name)), args, n);
    if (!made)
        BUG("%s", g->p->err.msg);
    return made;
}

static struct made operand(struct gen *g, struct ctx *c)
{
    struct ctx below = make_ctx_below(c);
    return make_expr_int(g, &below);
}

/* The side that is not taken is made when execution comes there. */
static struct node *other_side(struct gen *g, struct ctx *c)
{
    struct ctx below = make_ctx_below(c);
    if (c->dead)
        return make_expr_int(g, &below).n;
    return make_hole(g, &below, lang_promoted(g->p, make_type_integer(g, &c->region->rng)));
}

/* ---- hints ------------------------------------------------------------------------------- */

static struct made hinted(struct gen *g, struct ctx *c, const char *name, struct node *chance)
{
    struct made e = operand(g, c), m = {0};
    struct node *args[3] = {e.n, build_int(g, rng_below(&c->region->rng, 3)), chance};
    m.n = call(g, name, args, chance ? 3 : 2);
    m.v.bits = run_convert(g, e.n->type->unqual, m.n->type, e.v.bits);
    return m;
}

static struct made wrap_expect(struct gen *g, struct ctx *c)
{
    return hinted(g, c, "__builtin_expect", NULL);
}

static struct made wrap_likely(struct gen *g, struct ctx *c)
{
    long double chance = (long double)rng_below(&c->region->rng, 9) / 8;
    struct type *t = lang_basic(g->p, TYPE_DOUBLE);
    struct node *n = lang_float(g->p, lang_float_bits(lang_float_format(g->p, t), chance), t);
    return hinted(g, c, "__builtin_expect_with_probability", n);
}

static bool is_number(struct gen *g, const struct var *v, const struct type *like)
{
    (void)g;
    (void)like;
    return make_is_plain(v) && lang_is_integer(v->type) && v->type->quals == 0 &&
           v->type->kind != TYPE_BOOL;
}

/* A global number that may be read here, and whose address may be taken; or NULL. */
static struct var *readable(struct gen *g, struct ctx *c)
{
    if (c->quiet || c->region->fn->class == CLASS_LOCAL)
        return NULL;
    struct var *v = make_pick_global(g, &c->region->rng, is_number, NULL);
    if (!v || !make_full_may_read(c->full, v->decl))
        return NULL;
    make_full_reads(c->full, v->decl);
    return v;
}

/* *(T *)__builtin_assume_aligned(&x, n) */
static struct made wrap_aligned(struct gen *g, struct ctx *c)
{
    struct var *x = readable(g, c);
    struct made m = {0};
    if (!x)
        return m;
    struct node *args[2] = {build_address(g, x), build_int(g, lang_alignof(g->p, x->type))};
    struct node *p = lang_cast(g->p, lang_pointer(g->p, x->type),
                               call(g, "__builtin_assume_aligned", args, 2));
    m.n = lang_rvalue(g->p, lang_unary(g->p, OP_DEREF, p));
    if (!c->dead)
        run_eval(g, &m.n, &m.v);
    return m;
}

/* (__builtin_prefetch(&x, 1, 2), e) */
static struct made wrap_prefetch(struct gen *g, struct ctx *c)
{
    struct var *x = readable(g, c);
    struct made e = operand(g, c);
    if (!x)
        return e;
    struct node *args[3] = {build_address(g, x), build_int(g, rng_below(&c->region->rng, 2)), NULL};
    args[2] = build_int(g, rng_below(&c->region->rng, 4));
    e.n = build_op(g, OP_COMMA, call(g, "__builtin_prefetch", args, 3), e.n);
    return e;
}

/* ---- questions to the compiler ----------------------------------------------------------- */

/* A variable, or a part of one that never changes place: no visit will have to guard it.  Guards
 * are drawn for each copy by itself, and the side that the compiler takes may never be visited. */
static bool is_steady(const struct node *n)
{
    if (n->kind == NODE_MEMBER)
        return !(n->flags & NODE_ARROW) && is_steady(n->kid[0]);
    if (n->kind != NODE_INDEX)
        return n->kind == NODE_NAME;
    const struct node *array = n->kid[0]->kind == NODE_CAST ? n->kid[0]->kid[0] : n->kid[0];
    return n->kid[1]->kind == NODE_INT && array->type->kind != TYPE_POINTER && is_steady(array);
}

/* __builtin_constant_p(x) ? x ^ k : (x | k) - (x & k), of a variable, without a sign */
static struct made wrap_constant(struct gen *g, struct ctx *c)
{
    struct made x = make_expr_variable(g, c), m = {0};
    if (!x.n || !tree_is_pure(x.n) || !is_steady(x.n) || gen_int_width(g, x.n->type->unqual) > 64)
        return x;
    struct type *t = lang_basic(g->p, TYPE_ULLONG);
    struct node *of[4];
    for (int i = 0; i < 4; i++)
        of[i] = i ? lang_cast(g->p, t, tree_clone(g, x.n)) : lang_rvalue(g->p, x.n);
    uint64_t k = rng_below(&c->region->rng, UINT64_C(1) << rng_below(&c->region->rng, 60));
    struct node *by[3];
    for (int i = 0; i < 3; i++)
        by[i] = lang_int(g->p, k, t);
    struct node *plain = build_op(g, OP_XOR, of[1], by[0]);
    struct node *same = build_op(g, OP_SUB, build_op(g, OP_OR, of[2], by[1]),
                                 build_op(g, OP_AND, of[3], by[2]));
    m.n = lang_cond(g->p, call(g, "__builtin_constant_p", of, 1), plain, same);
    m.v.bits = run_convert(g, x.n->type->unqual, t, x.v.bits) ^ k;
    return m;
}

/* __builtin_object_size(&x, 0) >= sizeof x ? e : other: what is not known is the greatest. */
static struct made wrap_size(struct gen *g, struct ctx *c)
{
    struct var *x = readable(g, c);
    struct made e = operand(g, c), m = {0};
    if (!x)
        return e;
    struct node *args[2] = {build_address(g, x), build_int(g, rng_below(&c->region->rng, 2))};
    struct node *test = build_op(g, OP_GE, call(g, "__builtin_object_size", args, 2),
                                 lang_sizeof_expr(g->p, build_name(g, x)));
    m.n = lang_cond(g->p, test, e.n, other_side(g, c));
    m.v.bits = run_convert(g, e.n->type->unqual, m.n->type, e.v.bits);
    return m;
}

/* An argument of at most 64 bits, and its value there. */
static struct made narrowed(struct gen *g, struct ctx *c, struct type *narrow)
{
    struct made e = operand(g, c);
    if (gen_int_width(g, e.n->type->unqual) > 64)
        return make_expr_convert(g, e, narrow);
    struct made m = {lang_promote(g->p, e.n), e.v};
    m.v.bits = run_convert(g, e.n->type->unqual, m.n->type->unqual, e.v.bits);
    return m;
}

/* __builtin_add_overflow_p(a, b, (T)0).  Its operands have run: it must not evaluate them again. */
static struct made wrap_overflows(struct gen *g, struct ctx *c)
{
    static const char *const names[] = {"__builtin_add_overflow_p", "__builtin_sub_overflow_p",
                                        "__builtin_mul_overflow_p"};
    struct rng *r = &c->region->rng;
    struct type *narrow = build_int_type(g), *t = make_type_integer(g, r);
    struct made a = narrowed(g, c, narrow), b = narrowed(g, c, narrow), m = {0};
    if (t->kind == TYPE_BOOL || t->kind == TYPE_BITINT || gen_int_width(g, t) > 64)
        t = narrow;
    const char *name = names[rng_below(r, LENGTH(names))];
    struct node *args[3] = {a.n, b.n, lang_cast(g->p, t, build_int(g, 0))};
    struct val values[3] = {a.v, b.v};
    m.n = call(g, name, args, 3);
    if (!c->dead)
        run_overflow(g, m.n, build_builtin(g, name), values, &m.v);
    return m;
}

/* ---- choices ----------------------------------------------------------------------------- */

/* a ?: b */
static struct made wrap_otherwise(struct gen *g, struct ctx *c)
{
    struct made a = operand(g, c), m = {0};
    bool truth = !c->dead && run_is_true(g, a.n->type->unqual, &a.v);
    struct made b = {0};
    if (truth)
        b.n = other_side(g, c);
    else
        b = operand(g, c);
    m.n = lang_cond(g->p, a.n, NULL, b.n);
    const struct made *taken = truth ? &a : &b;
    m.v.bits = run_convert(g, taken->n->type->unqual, m.n->type, taken->v.bits);
    return m;
}

/* _Generic((T)x, T: e, default: other), or with another type and the two the other way round */
static struct made wrap_generic(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    struct type *t = make_type_integer(g, r), *other = make_type_integer(g, r);
    struct ctx below = make_ctx_below(c);
    below.pure = true; /* it is not evaluated */
    below.calls = 0;
    below.depth = 0;
    struct made control = make_expr_int(g, &below), e = operand(g, c);
    struct generic *of = NEW(&g->p->arena, struct generic);
    bool first = t == other || rng_below(r, 2);
    struct node *unused = other_side(g, c);
    struct node *kids[3] = {lang_cast(g->p, t, control.n), lang_rvalue(g->p, first ? e.n : unused),
                            lang_rvalue(g->p, first ? unused : e.n)};
    of->types = NEW_ARRAY(&g->p->arena, 2, struct type *);
    of->types[0] = first ? t : other;
    of->chosen = first ? 1 : 2;
    struct made m = {lang_node(g->p, NODE_GENERIC, kids, 3), e.v};
    m.n->u.generic = of;
    m.n->type = kids[of->chosen]->type;
    return m;
}

static wrap_fn *const wraps[] = {
#define WRAP(name, ...) [GEN_wrap_##name] = wrap_##name,
#include "gen/policy.def"
};

struct made make_expr_wrap(struct gen *g, struct ctx *c)
{
    struct made none = {0};
    if (!g->sums[GEN_GROUP_wrap])
        return none;
    return wraps[gen_pick(g, &c->region->rng, GEN_GROUP_wrap)](g, c);
}
