/* Loops over arrays, as functions that take them by pointer: what vectorisers, loop distribution,
 * if-conversion and interprocedural passes look at.  Where the pointers are restrict, the arrays
 * of a call do not overlap; elsewhere they may be the same. */
#include "gen/shape/shape.h"
#include "gen/make/make.h"
#include "gen/build.h"

enum { PARAMS = 5, LONGEST = 64 };

/* A function, and what it takes: to, from, other, n, k. */
struct array_function {
    struct fn *fn;
    struct type *of[3]; /* of the elements */
    uint8_t cost;       /* steps per element */
    uint8_t least;      /* elements that it needs */
    bool exclusive;     /* restrict, or it writes to the second array too */
    bool gives;         /* a value */
    bool stride;        /* k is the step */
};

/* One that is being written. */
struct loop {
    struct gen *g;
    struct rng *r;
    struct array_function *function;
    struct region scope;
    struct var *to, *from, *other, *n, *k, *i;
    struct type *word; /* what numbers are converted to, or NULL */
};

/* ---- pieces ----------------------------------------------------------------------------- */

static struct node *load(struct loop *l, const struct var *v, int64_t offset)
{
    struct node *n = build_element(l->g, v, l->i, offset);
    return l->word && lang_is_integer(n->type) ? lang_cast(l->g->p, l->word, n) : n;
}

static struct node *store(struct loop *l, struct node *value)
{
    struct node *to = build_element(l->g, l->to, l->i, 0);
    if (value->type->class == CLASS_FLOAT && to->type->class != CLASS_FLOAT)
        value = build_name(l->g, l->k);
    return build_assign(l->g, OP_ASSIGN, to, value);
}

static bool is_real(const struct loop *l)
{
    return l->function->of[0]->class == CLASS_FLOAT || l->function->of[1]->class == CLASS_FLOAT ||
           l->function->of[2]->class == CLASS_FLOAT;
}

static enum op some_op(struct loop *l)
{
    static const uint8_t integer[] = {OP_ADD, OP_SUB, OP_MUL, OP_XOR, OP_AND, OP_OR, OP_ADD};
    static const uint8_t real[] = {OP_ADD, OP_SUB, OP_MUL};
    return is_real(l) ? real[rng_below(l->r, LENGTH(real))]
                      : integer[rng_below(l->r, LENGTH(integer))];
}

static struct node *op(struct loop *l, enum op o, struct node *a, struct node *b)
{
    return build_op(l->g, o, a, b);
}

static struct node *name(struct loop *l, const struct var *v)
{
    return build_name(l->g, v);
}

static struct node *small(struct loop *l)
{
    return build_int(l->g, 1 + rng_below(l->r, 9));
}

static void put(struct loop *l, struct node *n)
{
    if (!n)
        BUG("%s", l->g->p->err.msg);
    lang_append(l->g->p, l->function->fn->function->body, n);
}

/* for (int i = first; i < n - less; i++) body */
static void put_loop(struct loop *l, uint64_t first, uint64_t less, struct node *body)
{
    struct node *limit = name(l, l->n);
    if (less)
        limit = op(l, OP_SUB, limit, build_int(l->g, less));
    put(l, build_for(l->g, l->i, first, limit, body));
}

static struct type *sum_type(struct loop *l)
{
    return is_real(l) ? lang_basic(l->g->p, TYPE_DOUBLE) : lang_basic(l->g->p, TYPE_ULLONG);
}

/* A local that the loop works on and the function gives back. */
static struct var *result(struct loop *l, struct node *init)
{
    struct var *s = make_local(l->g, &l->scope, sum_type(l), gen_new_name(l->g, 'l'));
    put(l, lang_declare(l->g->p, s->decl, init));
    return s;
}

static void put_return(struct loop *l, struct node *n)
{
    put(l, lang_return(l->g->p, l->function->fn->function, n));
}

/* ---- loops that write ------------------------------------------------------------------- */

static void loop_map(struct loop *l)
{
    struct node *a = load(l, l->from, 0), *b = load(l, l->other, 0);
    enum op o = some_op(l);
    put_loop(l, 0, 0, store(l, op(l, o, a, b)));
}

static void loop_scale(struct loop *l)
{
    struct node *a = op(l, OP_MUL, load(l, l->from, 0), name(l, l->k));
    put_loop(l, 0, 0, store(l, op(l, OP_ADD, a, load(l, l->other, 0))));
}

static void loop_index(struct loop *l)
{
    struct node *a = op(l, some_op(l), load(l, l->from, 0), name(l, l->i));
    put_loop(l, 0, 0, store(l, a));
}

static void loop_fill(struct loop *l)
{
    put_loop(l, 0, 0, store(l, rng_below(l->r, 3) ? build_int(l->g, 0) : name(l, l->k)));
}

static void loop_copy(struct loop *l)
{
    put_loop(l, 0, 0,
             build_assign(l->g, OP_ASSIGN, build_element(l->g, l->to, l->i, 0),
                          build_element(l->g, l->from, l->i, 0)));
}

/* The same element for all: it may be one of those that are written. */
static void loop_broadcast(struct loop *l)
{
    struct node *first = build_at(l->g, l->from, build_int(l->g, rng_below(l->r, 4)));
    if (l->word && lang_is_integer(first->type))
        first = lang_cast(l->g->p, l->word, first);
    if (!is_real(l) && l->word) {
        enum op o = some_op(l);
        first = op(l, o, first, load(l, rng_below(l->r, 2) ? l->to : l->other, 0));
    }
    put_loop(l, 0, 0, store(l, first));
}

/* Two arrays are filled: with bytes that are all the same, or the second with the first's. */
static void loop_fill_both(struct loop *l)
{
    struct gen *g = l->g;
    struct node *second = build_element(g, l->other, l->i, 0), *value = build_int(g, 0);
    if (second->type->class != CLASS_FLOAT && l->function->of[0]->class != CLASS_FLOAT)
        value = rng_below(l->r, 2) ? value : build_element(g, l->to, l->i, 0);
    struct node *body[2] = {store(l, build_int(g, 0)), build_assign(g, OP_ASSIGN, second, value)};
    put_loop(l, 0, 0, build_block(g, body, 2));
}

/* Two loops in one: distribution takes them apart. */
static void loop_both(struct loop *l)
{
    struct node *first = store(l, op(l, OP_ADD, load(l, l->from, 0), small(l)));
    struct node *second = build_assign(l->g, OP_ASSIGN, build_element(l->g, l->other, l->i, 0),
                                       build_int(l->g, 0));
    struct node *body[2] = {first, second};
    put_loop(l, 0, 0, build_block(l->g, body, 2));
}

static void loop_condition(struct loop *l)
{
    struct node *test = op(l, OP_GT, load(l, l->from, 0), name(l, l->k));
    put_loop(l, 0, 0, build_if(l->g, test, store(l, load(l, l->other, 0)), NULL));
}

static void loop_select(struct loop *l)
{
    struct node *test = op(l, OP_LT, load(l, l->from, 0), load(l, l->other, 0));
    struct node *a = load(l, rng_below(l->r, 2) ? l->from : l->other, 0);
    put_loop(l, 0, 0, store(l, lang_cond(l->g->p, test, a, small(l))));
}

/* The condition does not change. */
static void loop_unswitch(struct loop *l)
{
    struct node *test = op(l, OP_GT, name(l, l->k), small(l));
    struct node *yes = store(l, load(l, l->from, 0));
    struct node *no = store(l, op(l, OP_XOR, name(l, l->i), name(l, l->k)));
    put_loop(l, 0, 0, build_if(l->g, test, yes, no));
}

/* The condition changes once. */
static void loop_split(struct loop *l)
{
    struct node *test = op(l, OP_LT, name(l, l->i), name(l, l->k));
    struct node *yes = store(l, load(l, l->from, 0));
    struct node *no = store(l, load(l, l->other, 0));
    put_loop(l, 0, 0, build_if(l->g, test, yes, no));
}

static void loop_scan(struct loop *l)
{
    struct node *before = build_element(l->g, l->to, l->i, -1);
    if (l->word && lang_is_integer(before->type))
        before = lang_cast(l->g->p, l->word, before);
    put_loop(l, 1, 0, store(l, op(l, some_op(l), before, load(l, l->from, 0))));
}

static void loop_stencil(struct loop *l)
{
    struct node *sum = op(l, OP_ADD, load(l, l->from, -1), load(l, l->from, 1));
    put_loop(l, 1, 1, store(l, op(l, OP_ADD, sum, load(l, l->from, 0))));
}

static void loop_reverse(struct loop *l)
{
    struct node *at = op(l, OP_SUB, op(l, OP_SUB, name(l, l->n), build_int(l->g, 1)),
                         name(l, l->i));
    put_loop(l, 0, 0, store(l, build_at(l->g, l->from, at)));
}

/* Every second element, and what is between them. */
static void loop_pairs(struct loop *l)
{
    struct node *twice = op(l, OP_MUL, name(l, l->i), build_int(l->g, 2));
    struct node *even = build_at(l->g, l->from, twice);
    struct node *odd = build_at(
        l->g, l->from,
        op(l, OP_ADD, op(l, OP_MUL, name(l, l->i), build_int(l->g, 2)), build_int(l->g, 1)));
    if (l->word && lang_is_integer(even->type)) {
        even = lang_cast(l->g->p, l->word, even);
        odd = lang_cast(l->g->p, l->word, odd);
    }
    struct node *body = store(l, op(l, some_op(l), even, odd));
    struct node *half = op(l, OP_DIV, name(l, l->n), build_int(l->g, 2));
    put(l, build_for(l->g, l->i, 0, half, body));
}

/* Every k-th element: 1 at most calls. */
static void loop_stride(struct loop *l)
{
    struct node *at = op(l, OP_MUL, name(l, l->i), name(l, l->k));
    struct node *from = build_at(l->g, l->from, at);
    struct node *to = build_at(l->g, l->to, op(l, OP_MUL, name(l, l->i), name(l, l->k)));
    if (from->type->class == CLASS_FLOAT && to->type->class != CLASS_FLOAT)
        from = name(l, l->i);
    put_loop(l, 0, 0, build_assign(l->g, OP_ASSIGN, to, op(l, OP_ADD, from, small(l))));
}

static void loop_shift(struct loop *l)
{
    struct node *a = load(l, l->from, 0);
    if (is_real(l)) {
        loop_copy(l);
        return;
    }
    uint64_t by = 1 + rng_below(l->r, 5);
    struct node *shifted = op(l, rng_below(l->r, 2) ? OP_SHL : OP_SHR,
                              lang_cast(l->g->p, lang_basic(l->g->p, TYPE_UINT), a),
                              build_int(l->g, by));
    put_loop(l, 0, 0, store(l, op(l, OP_XOR, shifted, load(l, l->other, 0))));
}

/* Independent statements on neighbours, outside of any loop. */
static void loop_straight(struct loop *l)
{
    enum op o = some_op(l);
    for (uint64_t i = 0; i < 4; i++) {
        struct node *a = build_at(l->g, l->from, build_int(l->g, i));
        struct node *b = build_at(l->g, l->other, build_int(l->g, i));
        if (l->word && !is_real(l)) {
            a = lang_cast(l->g->p, l->word, a);
            b = lang_cast(l->g->p, l->word, b);
        }
        put(l, build_assign(l->g, OP_ASSIGN, build_at(l->g, l->to, build_int(l->g, i)),
                            op(l, o, a, b)));
    }
}

/* Every element of one with every of the other: nests to unroll and jam, or to interchange. */
static void loop_nest(struct loop *l)
{
    struct var *k = make_counter(l->g, &l->scope);
    struct node *a = build_element(l->g, l->from, k, 0), *b = load(l, l->other, 0);
    if (l->word && lang_is_integer(a->type))
        a = lang_cast(l->g->p, l->word, a);
    struct node *product = op(l, some_op(l), a, b);
    struct node *to = build_element(l->g, l->to, rng_below(l->r, 2) ? l->i : k, 0);
    if (product->type->class == CLASS_FLOAT && to->type->class != CLASS_FLOAT)
        product = name(l, l->k);
    enum op o = is_real(l) || rng_below(l->r, 2) ? OP_ADD : OP_XOR;
    struct node *body = build_assign(l->g, o, to, product);
    put_loop(l, 0, 0, build_for(l->g, k, 0, name(l, l->n), body));
}

/* ---- loops that give a value ------------------------------------------------------------ */

static void loop_sum(struct loop *l)
{
    struct var *s = result(l, build_int(l->g, 0));
    struct node *a = load(l, l->from, 0);
    if (rng_below(l->r, 2))
        a = op(l, OP_MUL, a, load(l, l->other, 0));
    put_loop(l, 0, 0, build_assign(l->g, OP_ADD, name(l, s), a));
    put_return(l, name(l, s));
}

static void loop_greatest(struct loop *l)
{
    struct var *s = result(l, build_int(l->g, 0));
    struct node *test = op(l, rng_below(l->r, 2) ? OP_GT : OP_LT, load(l, l->from, 0), name(l, s));
    put_loop(l, 0, 0, build_if(l->g, test, build_set(l->g, s, load(l, l->from, 0)), NULL));
    put_return(l, name(l, s));
}

static void loop_count(struct loop *l)
{
    struct var *s = result(l, build_int(l->g, 0));
    struct node *test = op(l, rng_below(l->r, 2) ? OP_EQ : OP_GE, load(l, l->from, 0),
                           name(l, l->k));
    put_loop(l, 0, 0, build_assign(l->g, OP_ADD, name(l, s), test));
    put_return(l, name(l, s));
}

static void loop_find(struct loop *l)
{
    struct node *test = op(l, OP_EQ, load(l, l->from, 0), name(l, l->k));
    struct node *found = lang_return(l->g->p, l->function->fn->function, name(l, l->i));
    put_loop(l, 0, 0, build_if(l->g, test, found, NULL));
    put_return(l, name(l, l->n));
}

static void loop_same(struct loop *l)
{
    struct node *test = op(l, OP_NE, load(l, l->from, 0), load(l, l->other, 0));
    struct node *found = lang_return(l->g->p, l->function->fn->function, build_int(l->g, 0));
    put_loop(l, 0, 0, build_if(l->g, test, found, NULL));
    put_return(l, build_int(l->g, 1));
}

static void loop_hash(struct loop *l)
{
    struct var *s = result(l, name(l, l->k));
    struct node *times = op(l, OP_MUL, name(l, s), build_int(l->g, 31));
    put_loop(l, 0, 0, build_set(l->g, s, op(l, OP_ADD, times, load(l, l->from, 0))));
    put_return(l, name(l, s));
}

/* The sum of what passes a test: a reduction under a mask. */
static void loop_masked_sum(struct loop *l)
{
    struct var *s = result(l, build_int(l->g, 0));
    struct node *test = op(l, rng_below(l->r, 2) ? OP_GT : OP_NE, load(l, l->from, 0),
                           name(l, l->k));
    struct node *more = build_assign(l->g, OP_ADD, name(l, s), load(l, l->other, 0));
    put_loop(l, 0, 0, build_if(l->g, test, more, NULL));
    put_return(l, name(l, s));
}

/* Two sums at once, by turns. */
static void loop_two_sums(struct loop *l)
{
    struct var *s = result(l, build_int(l->g, 0)), *t = result(l, build_int(l->g, 1));
    struct node *even = op(l, OP_EQ, op(l, OP_AND, name(l, l->i), build_int(l->g, 1)),
                           build_int(l->g, 0));
    put_loop(l, 0, 0,
             build_if(l->g, even, build_assign(l->g, OP_ADD, name(l, s), load(l, l->from, 0)),
                      build_assign(l->g, OP_SUB, name(l, t), load(l, l->other, 0))));
    put_return(l, op(l, OP_ADD, name(l, s), name(l, t)));
}

/* Out of the loop in two ways, and what was counted by then is the result. */
static void loop_two_exits(struct loop *l)
{
    struct var *s = result(l, build_int(l->g, 0));
    struct node *first = build_if(l->g, op(l, OP_EQ, load(l, l->from, 0), name(l, l->k)),
                                  lang_return(l->g->p, l->function->fn->function, name(l, s)),
                                  NULL);
    struct node *second = build_if(l->g, op(l, OP_GT, name(l, s), build_int(l->g, 900)),
                                   lang_return(l->g->p, l->function->fn->function, name(l, l->i)),
                                   NULL);
    struct node *body[3] = {first, build_assign(l->g, OP_ADD, name(l, s), load(l, l->other, 0)),
                            second};
    put_loop(l, 0, 0, build_block(l->g, body, 3));
    put_return(l, name(l, s));
}

/* ---- loops of other shapes --------------------------------------------------------------- */

/* while (n-- > 0) *to++ = *from++ + k; */
static void loop_pointers(struct loop *l)
{
    struct program *p = l->g->p;
    struct node *left = lang_unary(p, OP_POSTDEC, name(l, l->n));
    struct node *from = lang_unary(p, OP_DEREF, lang_unary(p, OP_POSTINC, name(l, l->from)));
    struct node *to = lang_unary(p, OP_DEREF, lang_unary(p, OP_POSTINC, name(l, l->to)));
    if (from->type->class == CLASS_FLOAT && to->type->class != CLASS_FLOAT)
        from = name(l, l->n);
    if (l->word && lang_is_integer(from->type))
        from = op(l, OP_ADD, lang_cast(p, l->word, from), name(l, l->k));
    put(l, build_while(l->g, op(l, OP_GT, left, build_int(l->g, 0)),
                       build_assign(l->g, OP_ASSIGN, to, from)));
}

/* for (i = 0; i < n; i += 4) with four statements, and then the rest */
static void loop_by_hand(struct loop *l)
{
    struct node *body[4], *three = op(l, OP_ADD, name(l, l->i), build_int(l->g, 3));
    enum op o = some_op(l);
    for (int64_t i = 0; i < 4; i++) {
        struct node *to = build_element(l->g, l->to, l->i, i), *a = load(l, l->from, i);
        struct node *b = load(l, l->other, i);
        struct node *value = op(l, o, a, b);
        if (value->type->class == CLASS_FLOAT && to->type->class != CLASS_FLOAT)
            value = name(l, l->k);
        body[i] = build_assign(l->g, OP_ASSIGN, to, value);
    }
    struct node *kids[4] = {lang_declare(l->g->p, l->i->decl, build_int(l->g, 0)),
                            op(l, OP_LT, three, name(l, l->n)),
                            lang_assign(l->g->p, OP_ADD, name(l, l->i), build_int(l->g, 4)),
                            build_block(l->g, body, 4)};
    put(l, lang_node(l->g->p, NODE_FOR, kids, 4));
}

/* A switch in the loop, on the index or on what is read. */
static void loop_switch(struct loop *l)
{
    struct node *on = name(l, l->i);
    if (!is_real(l) && rng_below(l->r, 2))
        on = load(l, l->from, 0);
    struct node *sw = build_switch(
        l->g,
        op(l, OP_AND, lang_cast(l->g->p, lang_basic(l->g->p, TYPE_UINT), on), build_int(l->g, 3)),
        3);
    for (uint64_t i = 0; i < 3; i++) {
        struct node *value = i == 0 ? load(l, l->other, 0) : i == 1 ? name(l, l->i) : small(l);
        lang_append(l->g->p, sw->kid[1], build_case(l->g, sw, i, i, store(l, value)));
        if (i != 1 || rng_below(l->r, 2))
            lang_append(l->g->p, sw->kid[1], build_break(l->g, sw));
    }
    lang_append(l->g->p, sw->kid[1], build_default(l->g, sw, store(l, name(l, l->k))));
    put_loop(l, 0, 0, sw);
}

/* to[from[i] % n]++: how often each occurs */
static void loop_histogram(struct loop *l)
{
    if (is_real(l)) {
        loop_copy(l);
        return;
    }
    struct type *word = lang_basic(l->g->p, TYPE_UINT);
    struct node *at = op(l, OP_REM, lang_cast(l->g->p, word, load(l, l->from, 0)), name(l, l->n));
    struct node *to = build_at(l->g, l->to, at);
    struct node *by = small(l);
    enum op o = rng_below(l->r, 2) ? OP_ADD : OP_XOR;
    put_loop(l, 0, 0, build_assign(l->g, o, to, by));
}

/* The ends change places, towards the middle. */
static void loop_turn(struct loop *l)
{
    struct gen *g = l->g;
    struct var *t = make_local(g, &l->scope, l->function->of[0], gen_new_name(g, 'l'));
    struct node *half = op(l, OP_DIV, name(l, l->n), build_int(g, 2));
    struct node *far[2];
    for (int i = 0; i < 2; i++)
        far[i] = build_at(
            g, l->to, op(l, OP_SUB, op(l, OP_SUB, name(l, l->n), build_int(g, 1)), name(l, l->i)));
    struct node *body[3] = {lang_declare(g->p, t->decl, build_element(g, l->to, l->i, 0)),
                            build_assign(g, OP_ASSIGN, build_element(g, l->to, l->i, 0), far[0]),
                            build_assign(g, OP_ASSIGN, far[1], name(l, t))};
    put(l, build_for(g, l->i, 0, half, build_block(g, body, 3)));
}

/* Sorting by insertion: loops whose trips depend on memory. */
static void loop_insertion(struct loop *l)
{
    struct gen *g = l->g;
    struct var *k = make_counter(g, &l->scope);
    struct var *t = make_local(g, &l->scope, l->function->of[0], gen_new_name(g, 'l'));
    struct node *test = op(l, OP_LAND, op(l, OP_GT, name(l, k), build_int(g, 0)),
                           op(l, OP_GT, build_element(g, l->to, k, -1), name(l, t)));
    struct node *move = build_assign(g, OP_ASSIGN, build_element(g, l->to, k, 0),
                                     build_element(g, l->to, k, -1));
    struct node *down = lang_expr_stmt(g->p, lang_unary(g->p, OP_POSTDEC, name(l, k)));
    struct node *inner[2] = {move, down};
    struct node *body[4] = {lang_declare(g->p, t->decl, build_element(g, l->to, l->i, 0)),
                            lang_declare(g->p, k->decl, name(l, l->i)),
                            build_while(g, test, build_block(g, inner, 2)),
                            build_assign(g, OP_ASSIGN, build_element(g, l->to, k, 0), name(l, t))};
    put_loop(l, 1, 0, build_block(g, body, 4));
}

/* ---- new ones --------------------------------------------------------------------------- */

typedef void loop_fn(struct loop *l);

static const struct row {
    loop_fn *write;
    uint8_t cost, least;
    bool second; /* writes to the other array, too */
    bool gives, nest;
    bool stride; /* k is a step, 1 or 2 */
} rows[] = {
    {loop_map, 4, 0, false, false, false, false},
    {loop_map, 4, 0, false, false, false, false},
    {loop_scale, 4, 0, false, false, false, false},
    {loop_index, 4, 0, false, false, false, false},
    {loop_fill, 3, 0, false, false, false, false},
    {loop_copy, 3, 0, false, false, false, false},
    {loop_broadcast, 4, 0, false, false, false, false},
    {loop_broadcast, 4, 0, false, false, false, false},
    {loop_fill_both, 5, 0, true, false, false, false},
    {loop_both, 5, 0, true, false, false, false},
    {loop_condition, 5, 0, false, false, false, false},
    {loop_select, 5, 0, false, false, false, false},
    {loop_unswitch, 5, 0, false, false, false, false},
    {loop_split, 5, 0, false, false, false, false},
    {loop_scan, 4, 0, false, false, false, false},
    {loop_stencil, 5, 0, false, false, false, false},
    {loop_reverse, 4, 0, false, false, false, false},
    {loop_pairs, 4, 0, false, false, false, false},
    {loop_shift, 5, 0, false, false, false, false},
    {loop_stride, 4, 0, false, false, false, true},
    {loop_stride, 4, 0, false, false, false, true},
    {loop_stride, 4, 0, false, false, false, true},
    {loop_straight, 1, 4, false, false, false, false},
    {loop_nest, 4, 0, false, false, true, false},
    {loop_sum, 4, 0, false, true, false, false},
    {loop_greatest, 4, 0, false, true, false, false},
    {loop_count, 4, 0, false, true, false, false},
    {loop_find, 4, 0, false, true, false, false},
    {loop_same, 4, 0, false, true, false, false},
    {loop_hash, 4, 0, false, true, false, false},
    {loop_masked_sum, 5, 0, false, true, false, false},
    {loop_two_sums, 5, 0, false, true, false, false},
    {loop_two_exits, 6, 0, false, true, false, false},
    {loop_pointers, 5, 0, false, false, false, false},
    {loop_by_hand, 4, 0, false, false, false, false},
    {loop_switch, 5, 0, false, false, false, false},
    {loop_histogram, 4, 0, false, false, false, false},
    {loop_turn, 4, 0, false, false, false, false},
    {loop_turn, 4, 0, false, false, false, false},
    {loop_turn, 4, 0, false, false, false, false},
    {loop_insertion, 4, 0, false, false, true, false},
};

static struct type *pointer_param(struct gen *g, struct type *of, bool constant, bool alone)
{
    struct type *t = lang_pointer(g->p, constant ? lang_qualified(g->p, of, QUAL_CONST) : of);
    return alone ? lang_qualified(g->p, t, QUAL_RESTRICT) : t;
}

static void declare_params(struct loop *l, const struct row *row, bool alone, struct decl **params)
{
    struct gen *g = l->g;
    struct var **vars[PARAMS] = {&l->to, &l->from, &l->other, &l->n, &l->k};
    struct type *int_type = build_int_type(g);
    struct type *types[PARAMS] = {pointer_param(g, l->function->of[0], false, alone),
                                  pointer_param(g, l->function->of[1], true, alone),
                                  pointer_param(g, l->function->of[2], !row->second, alone),
                                  int_type, int_type};
    for (int i = 0; i < PARAMS; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), types[i]);
        *vars[i] = gen_var_new(g, params[i], NULL);
        list_add(&g->arena, &l->function->fn->vars, *vars[i]);
    }
}

/* if (k > 20) return; the rest may be split off, and what is before it inlined. */
static void put_early_exit(struct loop *l, const struct row *row)
{
    if (rng_below(l->r, 4))
        return;
    uint64_t most = 1 + rng_below(l->r, 30);
    struct node *test = op(l, row->stride || rng_below(l->r, 2) ? OP_GT : OP_LT,
                           name(l, row->stride ? l->n : l->k), build_int(l->g, most));
    struct node *none = row->gives ? build_int(l->g, 0) : NULL;
    put(l, build_if(l->g, test, lang_return(l->g->p, l->function->fn->function, none), NULL));
}

static struct array_function *function_new(struct gen *g, struct type *const *of)
{
    struct rng r = rng_fork_at(&g->rng, "kernel", g->array_functions.n);
    struct array_function *k = NEW(&g->arena, struct array_function);
    const struct row *row = &rows[rng_below(&r, LENGTH(rows))];
    bool alone = gen_chance(g, &r, GEN_share_restrict);
    k->fn = NEW(&g->arena, struct fn);
    for (int i = 0; i < 3; i++)
        k->of[i] = of[i];
    k->cost = row->nest ? 0 : row->cost;
    k->least = row->least;
    k->exclusive = alone || row->second;
    k->gives = row->gives;
    k->stride = row->stride;
    struct loop l = {.g = g, .r = &r, .function = k};
    struct decl **params = NEW_ARRAY(&g->p->arena, PARAMS, struct decl *);
    l.scope = (struct region){.fn = k->fn, .rng = r};
    if (rng_below(&r, 3))
        l.word = lang_basic(g->p, rng_below(&r, 2) ? TYPE_UINT : TYPE_ULONG);
    declare_params(&l, row, alone, params);
    struct type *result = row->gives ? sum_type(&l) : lang_basic(g->p, TYPE_VOID);
    make_fn_name(g, k->fn, lang_function(g->p, result, params, PARAMS, TYPE_PROTOTYPE), params, &r);
    l.i = make_counter(g, &l.scope);
    put_early_exit(&l, row);
    row->write(&l);
    list_add(&g->arena, &g->array_functions, k);
    return k;
}

/* ---- calls ------------------------------------------------------------------------------ */

static bool is_number(const struct type *t)
{
    return (lang_is_integer(t) || t->class == CLASS_FLOAT) && t->kind != TYPE_BOOL &&
           t->kind != TYPE_ENUM && t->kind != TYPE_INT128 && t->kind != TYPE_UINT128 &&
           t->quals == 0;
}

static bool is_row(struct gen *g, const struct var *v, const struct type *of)
{
    const struct type *t = v->type;
    (void)g;
    return make_is_plain(v) && t->kind == TYPE_ARRAY && t->u.count >= 4 && is_number(t->base) &&
           (!of || t->base == of);
}

/* An array of such elements, not the one given. */
static struct var *array_of(struct gen *g, struct rng *r, struct type *of, const struct var *except)
{
    struct var *v = NULL;
    for (int i = 0; i < 3 && (!v || v == except); i++)
        v = make_pick_global(g, r, is_row, of);
    if (v && v != except)
        return v;
    return make_global_new(g, lang_array(g->p, of, (uint64_t)rng_between(r, 8, LONGEST)));
}

static struct type *some_element(struct gen *g, struct rng *r)
{
    static const uint8_t kinds[] = {TYPE_UCHAR, TYPE_SHORT, TYPE_USHORT, TYPE_INT,
                                    TYPE_INT,   TYPE_UINT,  TYPE_UINT,   TYPE_LONG,
                                    TYPE_ULONG, TYPE_FLOAT, TYPE_DOUBLE};
    uint64_t draw = rng_below(r,
                              gen_setting(g, GEN_shape_real) ? LENGTH(kinds) : LENGTH(kinds) - 2);
    struct var *v = rng_below(r, 2) ? make_pick_global(g, r, is_row, NULL) : NULL;
    return v ? v->type->base : lang_basic(g->p, kinds[draw]);
}

static struct array_function *pick_function(struct gen *g, struct rng *r)
{
    if (g->array_functions.n && rng_below(r, 3))
        return g->array_functions.at[rng_below(r, g->array_functions.n)];
    struct type *of[3];
    of[0] = some_element(g, r);
    of[1] = rng_below(r, 2) ? of[0] : some_element(g, r);
    of[2] = rng_below(r, 2) ? of[0] : some_element(g, r);
    return function_new(g, of);
}

/* How many elements all have, within what may still be spent. */
static uint64_t shortest(const struct region *r, const struct array_function *k,
                         struct var *const *arrays)
{
    uint64_t n = LONGEST;
    for (int i = 0; i < 3; i++)
        n = arrays[i]->type->u.count < n ? arrays[i]->type->u.count : n;
    while (n > k->least && (k->cost ? k->cost * n : 4 * n * n) > make_spare(r))
        n--;
    return n;
}

/* n itself, or something that is no more. */
static struct node *count_argument(struct gen *g, struct region *r, uint64_t n)
{
    struct ctx c = make_pure(g, r, 1);
    if (rng_below(&r->rng, 3))
        return build_int(g, n);
    struct node *e = make_expr_convert(g, make_expr_int(g, &c), lang_basic(g->p, TYPE_UINT)).n;
    return build_op(g, OP_REM, e, build_int(g, n + 1));
}

static struct node *call_of(struct gen *g, struct region *r, const struct array_function *k,
                            struct var *const *arrays, uint64_t n)
{
    struct ctx c = make_pure(g, r, 1);
    struct node *args[PARAMS] = {build_name(g, arrays[0]), build_name(g, arrays[1]),
                                 build_name(g, arrays[2]), NULL, NULL};
    args[3] = k->least ? build_int(g, n) : count_argument(g, r, k->stride ? n / 2 : n);
    if (k->stride) {
        args[4] = build_int(g, rng_below(&r->rng, 4) ? 1 : 2);
        if (rng_below(&r->rng, 4)) /* 1 or 2, which the compiler cannot see */
            args[4] = build_op(
                g, OP_ADD,
                build_op(g, OP_AND, make_expr_convert(g, make_expr_int(g, &c), build_int_type(g)).n,
                         build_int(g, 1)),
                build_int(g, 1));
    } else if (rng_below(&r->rng, 2))
        args[4] = build_int(g, rng_below(&r->rng, 40));
    else
        args[4] = make_expr_convert(g, make_expr_int(g, &c), build_int_type(g)).n;
    return lang_call(g->p, lang_name(g->p, k->fn->decl), args, PARAMS);
}

enum flow shape_stmt_kernel(struct gen *g, struct region *r)
{
    if (r->fn->class != CLASS_FULL || make_spare(r) < 200)
        return make_stmt_assign(g, r);
    const struct array_function *k = pick_function(g, &r->rng);
    struct var *arrays[3];
    arrays[0] = array_of(g, &r->rng, k->of[0], NULL);
    for (int i = 1; i < 3; i++)
        arrays[i] = array_of(g, &r->rng, k->of[i], k->exclusive ? arrays[0] : NULL);
    if (k->exclusive && arrays[1] == arrays[2])
        arrays[2] = make_global_new(g, lang_array(g->p, k->of[2], 16));
    uint64_t n = shortest(r, k, arrays);
    r->fn->bound += (k->cost ? k->cost * n : 4 * n * n) * r->weight;
    struct node *call = call_of(g, r, k, arrays, n);
    uint32_t at = r->block->count;
    bool whole = k->gives && call->type->class != CLASS_FLOAT;
    struct node *x = whole ? make_place(g, r) : NULL;
    if (x) { /* two statements: a call may change the place */
        struct var *l = make_local(g, r, call->type, gen_new_name(g, 'l'));
        make_attach(g, r, lang_declare(g->p, l->decl, call));
        make_result(g, r, x, build_name(g, l));
    } else {
        make_attach(g, r, lang_expr_stmt(g->p, call));
    }
    return make_walk_from(r, at);
}

/* ---- the unit --------------------------------------------------------------------------- */

struct fn *shape_array_function(const struct gen *g, size_t i)
{
    return ((const struct array_function *)g->array_functions.at[i])->fn;
}
