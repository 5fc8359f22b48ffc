/* Small functions that real code has: each is defined for all arguments, ends soon, and touches
 * nothing but its parameters, so that calls of it may stand anywhere. */
#include "gen/shape/shape.h"
#include "gen/make/make.h"
#include "gen/build.h"

/* One that is being written. */
struct small {
    struct gen *g;
    struct rng *r;
    struct fn *fn;
    struct region scope; /* for its locals */
    struct type *t;      /* of parameters and result: unsigned */
    unsigned width;
    struct var *a, *b; /* the parameters */
};

/* ---- pieces ----------------------------------------------------------------------------- */

static struct node *name(struct small *h, const struct var *v)
{
    return build_name(h->g, v);
}

static struct node *op(struct small *h, enum op o, struct node *x, struct node *y)
{
    return build_op(h->g, o, x, y);
}

/* v op k */
static struct node *with(struct small *h, enum op o, const struct var *v, uint64_t k)
{
    return op(h, o, name(h, v), build_int(h->g, k));
}

static struct node *both(struct small *h, enum op o, const struct var *v, const struct var *w)
{
    return op(h, o, name(h, v), name(h, w));
}

static struct node *constant(struct small *h, uint64_t v)
{
    return lang_int(h->g->p, lang_wrap(v, h->width), h->t);
}

static struct node *back(struct small *h, struct node *n)
{
    return lang_return(h->g->p, h->fn->function, n);
}

static void put(struct small *h, struct node *n)
{
    if (!n)
        BUG("%s", h->g->p->err.msg);
    lang_append(h->g->p, h->fn->function->body, n);
}

static struct var *local(struct small *h, struct node *init)
{
    struct var *v = make_local(h->g, &h->scope, h->t, gen_new_name(h->g, 'l'));
    put(h, lang_declare(h->g->p, v->decl, init));
    return v;
}

static struct node *update(struct small *h, enum op o, const struct var *v, struct node *n)
{
    return build_assign(h->g, o, name(h, v), n);
}

static struct node *step(struct small *h, enum op o, const struct var *v)
{
    return lang_expr_stmt(h->g->p, lang_unary(h->g->p, o, name(h, v)));
}

#define BLOCK(h, ...)                                   \
    build_block((h)->g, (struct node *[]){__VA_ARGS__}, \
                sizeof((struct node *[]){__VA_ARGS__}) / sizeof(struct node *))

static struct node *call_itself(struct small *h, struct node *x, struct node *y)
{
    struct node *args[2] = {x, y};
    return lang_call(h->g->p, lang_name(h->g->p, h->fn->decl), args, 2);
}

/* ---- loops ------------------------------------------------------------------------------ */

static void small_gcd(struct small *h)
{
    struct var *t = local(h, constant(h, 0));
    put(h, build_while(h->g, name(h, h->b),
                       BLOCK(h, build_set(h->g, t, both(h, OP_REM, h->a, h->b)),
                             build_set(h->g, h->a, name(h, h->b)),
                             build_set(h->g, h->b, name(h, t)))));
    put(h, back(h, name(h, h->a)));
}

static void small_power(struct small *h)
{
    struct var *r = local(h, constant(h, 1));
    put(h, update(h, OP_AND, h->b, build_int(h->g, 15)));
    put(h, build_while(h->g, name(h, h->b),
                       BLOCK(h,
                             build_if(h->g, with(h, OP_AND, h->b, 1),
                                      update(h, OP_MUL, r, name(h, h->a)), NULL),
                             update(h, OP_MUL, h->a, name(h, h->a)),
                             update(h, OP_SHR, h->b, build_int(h->g, 1)))));
    put(h, back(h, name(h, r)));
}

static void small_count_ones(struct small *h)
{
    struct var *n = local(h, constant(h, 0));
    put(h, build_while(h->g, name(h, h->a),
                       BLOCK(h, update(h, OP_AND, h->a, with(h, OP_SUB, h->a, 1)),
                             step(h, OP_POSTINC, n))));
    put(h, back(h, both(h, OP_ADD, n, h->b)));
}

static void small_log(struct small *h)
{
    struct var *n = local(h, constant(h, 0));
    struct node *half = lang_assign(h->g->p, OP_SHR, name(h, h->a), build_int(h->g, 1));
    put(h, build_while(h->g, half, step(h, OP_PREINC, n)));
    put(h, back(h, both(h, OP_XOR, n, h->b)));
}

static void small_reverse(struct small *h)
{
    struct var *r = local(h, constant(h, 0)), *i = make_counter(h->g, &h->scope);
    struct node *shifted = op(h, OP_OR, with(h, OP_SHL, r, 1), with(h, OP_AND, h->a, 1));
    put(h, build_count(
               h->g, i, h->width,
               BLOCK(h, build_set(h->g, r, shifted), update(h, OP_SHR, h->a, build_int(h->g, 1)))));
    put(h, back(h, both(h, OP_ADD, r, h->b)));
}

static void small_digits(struct small *h)
{
    struct var *n = local(h, constant(h, 0));
    struct node *kids[2] = {
        BLOCK(h, step(h, OP_POSTINC, n), update(h, OP_DIV, h->a, build_int(h->g, 10))),
        lang_condition(h->g->p, name(h, h->a))};
    put(h, lang_node(h->g->p, NODE_DO, kids, 2));
    put(h, back(h, both(h, OP_SUB, n, h->b)));
}

static void small_crc(struct small *h)
{
    struct var *i = make_counter(h->g, &h->scope);
    struct node *odd = op(h, OP_XOR, with(h, OP_SHR, h->a, 1), constant(h, 0xedb88320));
    struct node *next = lang_cond(h->g->p, with(h, OP_AND, h->a, 1), odd, with(h, OP_SHR, h->a, 1));
    put(h, build_count(h->g, i, 8, build_set(h->g, h->a, next)));
    put(h, back(h, both(h, OP_XOR, h->a, h->b)));
}

static void small_fibonacci(struct small *h)
{
    struct var *x = local(h, constant(h, 0)), *y = local(h, constant(h, 1));
    struct var *t = local(h, NULL);
    put(h, update(h, OP_AND, h->a, build_int(h->g, 31)));
    put(h,
        build_while(
            h->g, op(h, OP_GT, lang_unary(h->g->p, OP_POSTDEC, name(h, h->a)), build_int(h->g, 0)),
            BLOCK(h, build_set(h->g, t, both(h, OP_ADD, x, y)), build_set(h->g, x, name(h, y)),
                  build_set(h->g, y, name(h, t)))));
    put(h, back(h, both(h, OP_ADD, x, h->b)));
}

static void small_root(struct small *h)
{
    struct var *r = local(h, constant(h, 0));
    struct var *bit = local(h, constant(h, UINT64_C(1) << (h->width - 2)));
    struct node *sum = both(h, OP_ADD, r, bit);
    struct node *yes = BLOCK(
        h, update(h, OP_SUB, h->a, both(h, OP_ADD, r, bit)),
        build_set(h->g, r, op(h, OP_ADD, with(h, OP_SHR, r, 1), name(h, bit))));
    put(h, build_while(h->g, name(h, bit),
                       BLOCK(h,
                             build_if(h->g, op(h, OP_GE, name(h, h->a), sum), yes,
                                      update(h, OP_SHR, r, build_int(h->g, 1))),
                             update(h, OP_SHR, bit, build_int(h->g, 2)))));
    put(h, back(h, both(h, OP_XOR, r, h->b)));
}

/* A machine of four states whose input is the bits of a. */
static void small_states(struct small *h)
{
    struct var *s = local(h, with(h, OP_AND, h->b, 3)), *i = make_counter(h->g, &h->scope);
    struct node *sw = build_switch(h->g, name(h, s), 4);
    sw->kid[0] = lang_promote(h->g->p, sw->kid[0]);
    for (uint64_t state = 0; state < 4; state++) {
        uint64_t one = rng_below(h->r, 4), zero = rng_below(h->r, 4);
        struct node *next = lang_cond(h->g->p, with(h, OP_AND, h->a, 1), build_int(h->g, one),
                                      build_int(h->g, zero));
        lang_append(h->g->p, sw->kid[1],
                    build_case(h->g, sw, state, state, build_set(h->g, s, next)));
        lang_append(h->g->p, sw->kid[1], build_break(h->g, sw));
    }
    put(h, build_count(h->g, i, 6 + rng_below(h->r, 8),
                       BLOCK(h, sw, update(h, OP_SHR, h->a, build_int(h->g, 1)))));
    put(h, back(h, op(h, OP_MUL, name(h, s), constant(h, 3 + rng_below(h->r, 99)))));
}

/* One of the words is changed by another. */
static struct node *stir(struct small *h, struct var *const *words, uint64_t n)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR};
    uint64_t to = rng_below(h->r, n), from = rng_below(h->r, n);
    enum op o = ops[rng_below(h->r, LENGTH(ops))];
    return update(h, o, words[to], name(h, words[from]));
}

/* Rounds on more words than there are registers. */
static void small_rounds(struct small *h)
{
    enum { MOST_WORDS = 22 };
    struct var *words[MOST_WORDS] = {0}, *i = make_counter(h->g, &h->scope);
    uint64_t n = 16 + rng_below(h->r, MOST_WORDS - 15);
    for (uint64_t k = 0; k < n; k++) {
        struct var *from = rng_below(h->r, 2) ? h->a : h->b;
        words[k] = local(h, op(h, OP_MUL, name(h, from), constant(h, rng_next(h->r) | 1)));
    }
    struct node *body = lang_node(h->g->p, NODE_BLOCK, NULL, 0), *sum = name(h, words[0]);
    for (uint64_t k = 0; k < n; k++) {
        struct node *yes = stir(h, words, n), *no = stir(h, words, n);
        struct node *test = with(h, OP_AND, words[rng_below(h->r, n)], 1u << k % 6);
        bool always = rng_below(h->r, 3);
        lang_append(h->g->p, body, always ? yes : build_if(h->g, test, yes, no));
        if (k)
            sum = op(h, OP_XOR, sum, name(h, words[k]));
    }
    put(h, build_count(h->g, i, 2 + rng_below(h->r, 2), body));
    put(h, back(h, sum));
}

/* ---- recursion -------------------------------------------------------------------------- */

static void small_tail(struct small *h)
{
    put(h, build_if(h->g, with(h, OP_EQ, h->a, 0), back(h, name(h, h->b)), NULL));
    struct node *sum = op(h, OP_ADD, with(h, OP_MUL, h->b, 2 + rng_below(h->r, 9)), name(h, h->a));
    put(h, back(h, call_itself(h, with(h, OP_SHR, h->a, 1), sum)));
}

static void small_accumulate(struct small *h)
{
    enum op o = rng_below(h->r, 2) ? OP_MUL : OP_ADD;
    put(h, build_if(h->g, with(h, OP_LT, h->a, 2), back(h, name(h, h->b)), NULL));
    struct node *rest = call_itself(h, with(h, OP_DIV, h->a, 2), name(h, h->b));
    put(h, back(h, op(h, o, name(h, h->a), rest)));
}

/* ---- choices ---------------------------------------------------------------------------- */

static struct node *lesser(struct small *h, struct var *x, struct var *y)
{
    return lang_cond(h->g->p, both(h, OP_LT, x, y), name(h, x), name(h, y));
}

static void small_min(struct small *h)
{
    put(h, back(h, rng_below(h->r, 2) ? lesser(h, h->a, h->b)
                                      : lang_cond(h->g->p, both(h, OP_GE, h->a, h->b),
                                                  name(h, h->a), name(h, h->b))));
}

static void small_clamp(struct small *h)
{
    uint64_t low = rng_below(h->r, 50), high = low + 1 + rng_below(h->r, 1000);
    put(h, build_if(h->g, with(h, OP_LT, h->a, low), build_set(h->g, h->a, build_int(h->g, low)),
                    NULL));
    put(h, build_if(h->g, with(h, OP_GT, h->a, high), build_set(h->g, h->a, build_int(h->g, high)),
                    NULL));
    put(h, back(h, both(h, OP_ADD, h->a, h->b)));
}

/* The bounds are where the parameters and constants put them: the lower one may be above the other.
 */
static void small_crossed(struct small *h)
{
    struct var *low = local(h, with(h, OP_AND, h->b, 63 + rng_below(h->r, 64)));
    struct var *high = local(h, constant(h, rng_below(h->r, 100)));
    struct var *x = local(h, name(h, h->a));
    bool first = rng_below(h->r, 2);
    for (int i = 0; i < 2; i++) {
        bool up = (i == 0) == first;
        struct var *end = up ? low : high;
        put(h, build_set(h->g, x,
                         lang_cond(h->g->p, both(h, up ? OP_LT : OP_GT, x, end), name(h, end),
                                   name(h, x))));
    }
    put(h, back(h, op(h, OP_ADD, name(h, x), both(h, OP_XOR, h->a, h->b))));
}

/* Which of -1, 0 and 1 it is: what a sort asks of the function that compares. */
static struct node *way_test(struct small *h, const struct var *way)
{
    static const struct {
        uint8_t op;
        int8_t with;
    } tests[] = {{OP_LT, 0}, {OP_GT, 0}, {OP_LE, 0}, {OP_GE, 0}, {OP_EQ, 0},  {OP_NE, 1},
                 {OP_LT, 1}, {OP_EQ, 1}, {OP_GE, 1}, {OP_NE, 0}, {OP_GT, -1}, {OP_LE, -1}};
    uint64_t at = rng_below(h->r, LENGTH(tests));
    struct node *k = build_int(h->g, tests[at].with != 0);
    if (tests[at].with < 0)
        k = lang_unary(h->g->p, OP_NEG, k);
    return op(h, (enum op)tests[at].op, name(h, way), k);
}

/* long l = a; */
static struct var *with_sign(struct small *h, const struct var *of)
{
    static const uint8_t kinds[TYPE_COUNT] = {
        [TYPE_UINT] = TYPE_INT, [TYPE_ULONG] = TYPE_LONG, [TYPE_ULLONG] = TYPE_LLONG};
    struct type *t = lang_basic(h->g->p, kinds[h->t->kind]);
    struct var *v = make_local(h->g, &h->scope, t, gen_new_name(h->g, 'l'));
    put(h, lang_declare(h->g->p, v->decl, name(h, of)));
    return v;
}

/* int l = a == b ? 0 : a < b ? -1 : 1; return a * k + (l <= 0), or two returns */
static void small_order(struct small *h)
{
    struct gen *g = h->g;
    bool less = rng_below(h->r, 2), sign = rng_below(h->r, 2);
    struct var *a = sign ? with_sign(h, h->a) : h->a, *b = sign ? with_sign(h, h->b) : h->b;
    struct node *minus = lang_unary(g->p, OP_NEG, build_int(g, 1)), *plus = build_int(g, 1);
    struct node *unequal = lang_cond(g->p, both(h, less ? OP_LT : OP_GT, a, b), less ? minus : plus,
                                     less ? plus : minus);
    struct var *way = make_local(g, &h->scope, build_int_type(g), gen_new_name(g, 'l'));
    put(h, lang_declare(g->p, way->decl,
                        lang_cond(g->p, both(h, OP_EQ, a, b), build_int(g, 0), unequal)));
    struct node *first = with(h, OP_MUL, h->a, 3 + rng_below(h->r, 9));
    if (rng_below(h->r, 5) == 0)
        put(h, build_if(g, way_test(h, way), back(h, both(h, OP_SUB, h->a, h->b)), NULL));
    put(h, back(h, op(h, OP_ADD, first, way_test(h, way))));
}

/* Out as soon as one of several tests holds, which partly say the same. */
static void small_ladder(struct small *h)
{
    static const uint8_t ops[] = {OP_LT, OP_EQ, OP_GT, OP_NE, OP_LE};
    uint64_t steps = 3 + rng_below(h->r, 4), k = rng_below(h->r, 40);
    for (uint64_t i = 0; i < steps; i++) {
        struct var *x = rng_below(h->r, 3) ? h->a : h->b;
        enum op o = ops[rng_below(h->r, i < 3 ? LENGTH(ops) - 2 : LENGTH(ops))];
        struct node *test = rng_below(h->r, 4) ? with(h, o, x, k + i * rng_below(h->r, 30))
                                               : both(h, o, h->a, h->b);
        struct node *value = rng_below(h->r, 2) ? constant(h, i * 7 + k)
                                                : with(h, OP_ADD, h->b, i + 1);
        put(h, build_if(h->g, test, back(h, value), NULL));
    }
    put(h, back(h, both(h, OP_SUB, h->a, h->b)));
}

static void small_distance(struct small *h)
{
    put(h, back(h, lang_cond(h->g->p, both(h, OP_GT, h->a, h->b), both(h, OP_SUB, h->a, h->b),
                             both(h, OP_SUB, h->b, h->a))));
}

static void small_saturate(struct small *h)
{
    struct var *r = local(h, both(h, OP_ADD, h->a, h->b));
    put(h, back(h, lang_cond(h->g->p, both(h, OP_LT, r, h->a), constant(h, ~UINT64_C(0)),
                             name(h, r))));
}

/* A function of constants: a table to the optimiser. */
static void small_table(struct small *h)
{
    uint64_t arms = 5 + rng_below(h->r, 8), k = 1 + rng_below(h->r, 50);
    struct node *sw = build_switch(h->g, lang_promote(h->g->p, name(h, h->a)), (uint32_t)arms);
    for (uint64_t i = 0; i < arms; i++) {
        uint64_t value = rng_below(h->r, 4) ? rng_below(h->r, 1000) : i * k;
        lang_append(h->g->p, sw->kid[1], build_case(h->g, sw, i, i, back(h, constant(h, value))));
    }
    put(h, sw);
    put(h, back(h, name(h, h->b)));
}

/* Most arms do the same, and some bits are tested one by one. */
static void small_classes(struct small *h)
{
    static const uint64_t limits[] = {'0', '9', 'A', 'F', 'a', 'f'};
    struct node *any = NULL;
    for (size_t i = 0; i < LENGTH(limits); i += 2) {
        struct node *in = op(h, OP_LAND, with(h, OP_GE, h->a, limits[i]),
                             with(h, OP_LE, h->a, limits[i + 1]));
        any = any ? op(h, OP_LOR, any, in) : in;
    }
    put(h, build_if(h->g, any, back(h, constant(h, 1)), NULL));
    put(h,
        build_if(h->g, with(h, OP_AND, h->b, 4),
                 build_if(h->g, with(h, OP_AND, h->b, 32), back(h, constant(h, 2)), NULL), NULL));
    struct node *some = op(h, OP_LOR, with(h, OP_EQ, h->a, 3), with(h, OP_EQ, h->a, 7));
    put(h, back(h, op(h, OP_LOR, some, with(h, OP_EQ, h->a, 11))));
}

/* Out at once in the usual case: the rest may be split off. */
static void small_early(struct small *h)
{
    struct var *i = make_counter(h->g, &h->scope), *s = NULL;
    put(h, build_if(h->g, with(h, OP_GT, h->a, 10 + rng_below(h->r, 90)), back(h, name(h, h->b)),
                    NULL));
    s = local(h, name(h, h->b));
    struct node *more = op(h, OP_ADD, op(h, OP_MUL, name(h, s), constant(h, 33)),
                           op(h, OP_XOR, name(h, h->a), name(h, i)));
    put(h, build_count(h->g, i, 5 + rng_below(h->r, 9), build_set(h->g, s, more)));
    put(h, build_if(h->g, with(h, OP_AND, s, 1), update(h, OP_ADD, s, name(h, h->a)),
                    update(h, OP_XOR, s, name(h, h->b))));
    put(h, back(h, name(h, s)));
}

/* ---- bits and products ------------------------------------------------------------------ */

static void small_rotate(struct small *h)
{
    uint64_t mask = h->width - 1, k = 1 + rng_below(h->r, mask);
    struct node *left, *right;
    if (rng_below(h->r, 2)) {
        left = with(h, OP_SHL, h->a, k);
        right = with(h, OP_SHR, h->a, h->width - k);
    } else {
        struct node *minus = lang_unary(h->g->p, OP_NEG, name(h, h->b));
        left = op(h, OP_SHL, name(h, h->a), with(h, OP_AND, h->b, mask));
        right = op(h, OP_SHR, name(h, h->a), op(h, OP_AND, minus, build_int(h->g, mask)));
    }
    put(h, back(h, op(h, OP_OR, left, right)));
}

/* The bytes of a, the other way round: 2, 4 or 8 of them. */
static void small_swap(struct small *h)
{
    unsigned bytes = 2u << rng_below(h->r, h->width == 64 ? 3 : 2);
    bool same = rng_below(h->r, 4) == 0; /* put together as it was */
    struct node *sum = NULL;
    for (unsigned i = 0; i < bytes; i++) {
        struct node *byte = op(h, OP_AND, with(h, OP_SHR, h->a, 8 * i), build_int(h->g, 255));
        byte = op(h, OP_SHL, byte, build_int(h->g, 8 * (same ? i : bytes - 1 - i)));
        sum = sum ? op(h, OP_OR, sum, byte) : byte;
    }
    put(h, back(h, sum));
}

static void small_high(struct small *h)
{
    bool wide = h->width == 64;
    if (wide && !gen_has(h->g, GEN_HAS_INT128)) {
        small_swap(h);
        return;
    }
    struct type *t = lang_basic(h->g->p, wide ? TYPE_UINT128 : TYPE_ULLONG);
    struct node *product = op(h, OP_MUL, lang_cast(h->g->p, t, name(h, h->a)), name(h, h->b));
    put(h, back(h, op(h, OP_SHR, product, build_int(h->g, h->width))));
}

static void small_mix(struct small *h)
{
    for (int i = 0; i < 3; i++) {
        put(h, update(h, OP_XOR, h->a, with(h, OP_SHR, h->a, 5 + rng_below(h->r, 20))));
        put(h, update(h, OP_MUL, h->a, constant(h, rng_next(h->r) | 1)));
    }
    put(h, back(h, both(h, OP_ADD, h->a, h->b)));
}

static void small_mean(struct small *h)
{
    put(h, back(h, op(h, OP_ADD, both(h, OP_AND, h->a, h->b),
                      op(h, OP_SHR, both(h, OP_XOR, h->a, h->b), build_int(h->g, 1)))));
}

static void small_divide(struct small *h)
{
    uint64_t k = 2 + rng_below(h->r, 200);
    struct node *sum = op(h, OP_ADD, with(h, OP_DIV, h->a, k),
                          op(h, OP_MUL, with(h, OP_REM, h->a, k), name(h, h->b)));
    put(h, build_if(h->g,
                    op(h, OP_EQ, with(h, OP_REM, h->b, 3 + rng_below(h->r, 9)), build_int(h->g, 0)),
                    back(h, sum), NULL));
    put(h, back(h, with(h, OP_DIV, h->a, 1 + rng_below(h->r, 1000))));
}

static void small_power_of_two(struct small *h)
{
    struct node *one = op(h, OP_AND, name(h, h->a), with(h, OP_SUB, h->a, 1));
    put(h, back(h, op(h, OP_LAND, name(h, h->a), lang_unary(h->g->p, OP_LNOT, one))));
}

static void small_align(struct small *h)
{
    struct node *mask = lang_unary(h->g->p, OP_NOT, constant(h, 15));
    put(h, back(h, op(h, OP_ADD, op(h, OP_AND, with(h, OP_ADD, h->a, 15), mask),
                      with(h, OP_MUL, h->b, 8))));
}

/* ---- all -------------------------------------------------------------------------------- */

static const struct {
    void (*write)(struct small *h);
    bool calls_itself;
} makers[] = {
#define SMALL(name, calls_itself, ...) [GEN_small_##name] = {small_##name, calls_itself},
#include "gen/policy.def"
};

enum { SMALL_STEPS = 200 };

static void make_external(struct fn *fn)
{
    struct decl *d = fn->decl;
    d->storage = fn->function->specs->storage = STORAGE_NONE;
    d->linkage = LINKAGE_EXTERNAL;
    d->inline_ = fn->function->specs->inline_ = false;
    d->attrs = fn->function->specs->attrs = NULL;
}

static struct fn *small_make(struct gen *g, struct rng r, bool external)
{
    struct fn *fn = NEW(&g->arena, struct fn);
    struct small h = {.g = g, .r = &r, .fn = fn};
    h.t = rng_below(&r, 2) ? build_word_type(g) : lang_basic(g->p, TYPE_ULLONG);
    h.width = gen_int_width(g, h.t);
    h.scope = (struct region){.fn = fn, .rng = r};
    fn->class = CLASS_LOCAL;
    fn->allowance = SMALL_STEPS;
    struct decl **params = NEW_ARRAY(&g->p->arena, 2, struct decl *);
    struct var *vars[2];
    for (int i = 0; i < 2; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), h.t);
        vars[i] = gen_var_new(g, params[i], NULL);
        list_add(&g->arena, &fn->vars, vars[i]);
    }
    h.a = vars[0];
    h.b = vars[1];
    make_fn_define(g, fn, lang_function(g->p, h.t, params, 2, TYPE_PROTOTYPE), params, &r);
    if (external)
        make_external(fn);
    enum gen_policy row = gen_pick(g, &r, GEN_GROUP_small);
    if (makers[row].calls_itself)
        fn->decl->attrs = NULL; /* not always_inline */
    makers[row].write(&h);
    return fn;
}

/* Now and then two that are the same; where other units may call both, merging them is not trivial.
 */
struct fn *shape_small_function(struct gen *g)
{
    struct rng draw = rng_fork_at(&g->rng, "small again", g->functions.n);
    struct rng r = rng_fork_at(&g->rng, "small", g->functions.n);
    bool twins = rng_below(&draw, 3) == 0, external = rng_below(&draw, 2);
    if (twins)
        small_make(g, r, external);
    return small_make(g, r, external);
}
