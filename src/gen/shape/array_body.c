/* The bodies of functions on arrays: one loop each, or two in a nest, in the shapes that
 * vectorisers, loop distribution and if-conversion know.  Each reads and writes within the first n
 * elements, is defined whatever they hold or is guarded when it runs, and takes cost steps per
 * element at most. */
#include "gen/shape/private.h"
#include "gen/make/make.h"
#include "gen/build.h"

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
    return make_keep(l->g, l->r, to, value);
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
    return is_real(l) ? make_op_among(l->r, l->scope.context, real, LENGTH(real))
                      : make_op_among(l->r, l->scope.context, integer, LENGTH(integer));
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

struct type *shape_array_result(struct loop *l)
{
    return is_real(l) ? lang_basic(l->g->p, TYPE_DOUBLE) : lang_basic(l->g->p, TYPE_ULLONG);
}

/* A local that the loop works on and the function gives back. */
static struct var *result(struct loop *l, struct node *init)
{
    struct var *s = make_local(l->g, &l->scope, shape_array_result(l), gen_new_name(l->g, 'l'));
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
             make_keep(l->g, l->r, build_element(l->g, l->to, l->i, 0),
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
    put_loop(l, 0, 0, make_keep(l->g, l->r, to, op(l, OP_ADD, from, small(l))));
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
        put(l, make_keep(l->g, l->r, build_at(l->g, l->to, build_int(l->g, i)), op(l, o, a, b)));
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
        body[i] = make_keep(l->g, l->r, to, value);
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

/* ---- all -------------------------------------------------------------------------------- */

const struct array_body shape_array_bodies[GEN_POLICY_COUNT] = {
#define ARRAY(name, cost, least, traits, ...) \
    [GEN_array_##name] = {loop_##name, cost, least, traits},
#include "gen/policy.def"
};
