/* Complex numbers, floating and integer (GNU): made of small integers, added, multiplied, compared,
 * passed and given back, and summed over an array; what comes of it goes back to integers.
 *
 * All of it is exact, whatever formula a compiler takes for a product (C11 5.2.4.2.2p6): parts are
 * so small that no sum or product is rounded or overflows, and quotients are by powers of two.  The
 * sign of a zero is never seen. */
#include "gen/shape/private.h"
#include "gen/build.h"
#include "gen/run/run.h"

enum { LONGEST = 8, STEPS = 8 };

struct numbers {
    struct gen *g;
    struct region *r;
    struct type *part, *whole;
    struct type *small; /* what parts come from: the square of two of them, eight times, is exact */
};

static struct rng *rng(struct numbers *c)
{
    return &c->r->rng;
}

static bool is_real(const struct numbers *c)
{
    return c->part->class == CLASS_FLOAT;
}

/* A small value that the compiler does not know, as a part. */
static struct node *some(struct numbers *c)
{
    struct gen *g = c->g;
    struct ctx ctx = make_pure(g, c->r, 1);
    struct made m = make_expr_convert(g, make_expr_varying(g, &ctx), c->small);
    return make_expr_convert(g, m, c->part).n;
}

static struct node *part(struct numbers *c, const struct var *v, enum op op)
{
    return lang_unary(c->g->p, op, build_name(c->g, v));
}

/* T x = __builtin_complex(a, b); or T x; __real__ x = a; __imag__ x = b; or T x = a; __imag__ x =
 * b;
 */
static struct var *number(struct numbers *c)
{
    struct gen *g = c->g;
    struct node *a = some(c), *b = some(c);
    uint64_t way = rng_below(rng(c), is_real(c) ? 3 : 2);
    if (way == 2) {
        struct node *args[2] = {a, b};
        struct node *callee = lang_name(g->p, build_builtin(g, "__builtin_complex"));
        return shape_kept(g, c->r, c->whole, lang_call(g->p, callee, args, 2));
    }
    struct var *x = shape_kept(g, c->r, c->whole, way ? a : NULL);
    if (!way)
        make_attach(g, c->r, build_assign(g, OP_ASSIGN, part(c, x, OP_REAL), a));
    make_attach(g, c->r, build_assign(g, OP_ASSIGN, part(c, x, OP_IMAG), b));
    return x;
}

static struct node *small_real(struct numbers *c)
{
    struct node *n = build_int(c->g, 1 + rng_below(rng(c), 7));
    return lang_cast(c->g->p, c->part, n);
}

/* Nothing in it is larger than sixteen times the product of two parts. */
static struct node *combined(struct numbers *c, struct node *x, struct node *y, struct node *again)
{
    struct gen *g = c->g;
    switch (rng_below(rng(c), is_real(c) ? 6 : 5)) {
    case 0:
        return build_op(g, OP_MUL, build_op(g, OP_SUB, x, y), again);
    case 1:
        return build_op(g, OP_ADD, build_op(g, OP_MUL, x, y), lang_unary(g->p, OP_NOT, again));
    case 2:
        return build_op(g, OP_ADD, lang_unary(g->p, OP_NEG, x),
                        build_op(g, OP_MUL, build_op(g, OP_MUL, y, small_real(c)), again));
    case 3:
        return build_op(g, OP_SUB, small_real(c),
                        build_op(g, OP_MUL, x, build_op(g, OP_ADD, y, again)));
    case 4:
        return build_op(g, OP_SUB, build_op(g, OP_MUL, x, y),
                        build_op(g, OP_ADD, again, small_real(c)));
    default:
        return build_op(g, OP_ADD, build_op(g, OP_MUL, x, y),
                        build_op(g, OP_DIV, again, build_int(g, 4)));
    }
}

static struct node *of_both(struct numbers *c, const struct var *x, const struct var *y)
{
    struct node *a = build_name(c->g, x), *b = build_name(c->g, y);
    struct node *again = build_name(c->g, rng_below(rng(c), 2) ? x : y);
    return combined(c, a, b, again);
}

/* T f(T a, T b) { return a * b + ~a; } */
static struct fn *function(struct numbers *c)
{
    struct gen *g = c->g;
    struct fn *fn = NEW(&g->arena, struct fn);
    struct decl **params = NEW_ARRAY(&g->p->arena, 2, struct decl *);
    struct var *v[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), c->whole);
        v[i] = gen_var_new(g, params[i], NULL);
        list_add(&g->arena, &fn->vars, v[i]);
    }
    struct type *t = lang_function(g->p, c->whole, params, 2, TYPE_PROTOTYPE);
    make_fn_name(g, fn, t, params, rng(c));
    struct node *value = of_both(c, v[0], v[1]);
    lang_append(g->p, fn->function->body, lang_return(g->p, fn->function, value));
    return fn;
}

static struct var *result(struct numbers *c, const struct var *x, const struct var *y)
{
    struct gen *g = c->g;
    struct node *value;
    if (rng_below(rng(c), 2)) {
        struct node *args[2] = {build_name(g, x), build_name(g, y)};
        value = lang_call(g->p, lang_name(g->p, function(c)->decl), args, 2);
    } else {
        value = of_both(c, x, y);
    }
    return shape_kept(g, c->r, c->whole, value);
}

/* T a[n]; for (i) a[i] = x + y * i; for (i) z += a[i] * y; */
static void sum_array(struct numbers *c, const struct var *x, const struct var *y,
                      const struct var *z)
{
    struct gen *g = c->g;
    uint64_t n = 2 + rng_below(rng(c), LONGEST - 1);
    struct var *a = shape_kept(g, c->r, lang_array(g->p, c->whole, n), NULL);
    struct var *i = make_counter(g, c->r), *k = make_counter(g, c->r);
    struct node *turn = lang_cast(g->p, c->part, lang_rvalue(g->p, build_name(g, i)));
    struct node *first = build_op(g, rng_below(rng(c), 2) ? OP_ADD : OP_SUB, build_name(g, x),
                                  build_op(g, OP_MUL, build_name(g, y), turn));
    make_attach(
        g, c->r,
        build_count(g, i, n, build_assign(g, OP_ASSIGN, build_at(g, a, build_name(g, i)), first)));
    struct node *element = lang_rvalue(g->p, build_at(g, a, build_name(g, k)));
    if (rng_below(rng(c), 2))
        element = lang_unary(g->p, OP_NOT, element);
    struct node *product = build_op(g, OP_MUL, element, build_name(g, y));
    enum op op = rng_below(rng(c), 2) ? OP_ADD : OP_SUB;
    make_attach(g, c->r, build_count(g, k, n, build_assign(g, op, build_name(g, z), product)));
    make_charge(c->r, STEPS * LONGEST);
}

/* (unsigned long long)(long long)__real__ z */
static struct node *whole_part(struct numbers *c, const struct var *z, enum op op)
{
    struct gen *g = c->g;
    struct node *n = part(c, z, op);
    if (is_real(c))
        n = lang_cast(g->p, lang_basic(g->p, TYPE_LLONG), n);
    return lang_cast(g->p, lang_basic(g->p, TYPE_ULLONG), n);
}

/* place ^= re(z) * 3 + im(z) + (x == z); */
static void show(struct numbers *c, struct node *place, const struct var *x, const struct var *z)
{
    struct gen *g = c->g;
    enum op op = rng_below(rng(c), 2) ? OP_EQ : OP_NE;
    struct node *same = build_op(g, op, build_name(g, x), build_name(g, z));
    struct node *sum = build_op(g, OP_MUL, whole_part(c, z, OP_REAL), build_int(g, 3));
    sum = build_op(g, OP_ADD, sum, whole_part(c, z, OP_IMAG));
    make_result(g, c->r, place, build_op(g, OP_ADD, sum, same));
}

/* An integer that is wide enough for all that is computed here; narrower ones than int are each
 * compiler's own. */
static struct type *integer_part(struct numbers *c)
{
    enum { WIDE_ENOUGH = 32 };
    static const uint8_t kinds[] = {TYPE_INT, TYPE_UINT, TYPE_LONG, TYPE_LLONG, TYPE_ULLONG};
    struct type *t = lang_basic(c->g->p, kinds[rng_below(rng(c), LENGTH(kinds))]);
    return gen_int_width(c->g, t) < WIDE_ENOUGH ? lang_basic(c->g->p, TYPE_LONG) : t;
}

static void choose_type(struct numbers *c, bool integer)
{
    struct gen *g = c->g;
    c->part = integer ? integer_part(c) : make_type_real(g, rng(c));
    bool narrow = integer || c->part->kind == TYPE_FLOAT;
    c->small = lang_basic(g->p, narrow ? TYPE_SCHAR : TYPE_SHORT);
    c->whole = lang_complex(g->p, c->part);
}

/* In a function that calls setjmp, gcc 11 and 12 lose the imaginary part of integers: found, and
 * not to be found in every other program. */
static bool may_be_integers(const struct gen *g)
{
    return gen_setting(g, GEN_stmt_escape) == 0;
}

bool shape_complex(struct gen *g, struct region *r)
{
    bool real = gen_has(g, GEN_HAS_FLOAT), integers = may_be_integers(g);
    struct node *place = real || integers ? make_place(g, r) : NULL;
    if (!place)
        return false;
    struct numbers c = {.g = g, .r = r};
    choose_type(&c, integers && (!real || rng_below(&r->rng, 2)));
    struct var *x = number(&c), *y = number(&c), *z = result(&c, x, y);
    if (rng_below(&r->rng, 2) && make_spare(r) > 2 * STEPS * LONGEST)
        sum_array(&c, x, y, z);
    show(&c, place, x, z);
    return true;
}
