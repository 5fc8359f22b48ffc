/* Nested functions (GNU): in a block of their own stand some variables, a function that reads and
 * writes them, and calls of it.  Its address is never taken: that would need a stack that can be
 * executed.  What it computes is unsigned, and it ends soon. */
#include "gen/shape/private.h"
#include "gen/build.h"

enum { TURNS = 5, STEPS = 40 };

struct nested {
    struct gen *g;
    struct region *r;     /* of the block */
    struct region inside; /* of the function's body, for its locals */
    struct type *word;
    struct fn *fn;
    struct var *a;              /* its parameter */
    struct var *x, *y, *values; /* what it captures; values: an array of four */
    bool loops;                 /* it has a loop, and then does not call itself */
};

static struct rng *rng(struct nested *n)
{
    return &n->r->rng;
}

static struct node *some(struct nested *n)
{
    struct ctx c = make_pure(n->g, n->r, 1);
    return make_expr_convert(n->g, make_expr_varying(n->g, &c), n->word).n;
}

/* A name in the function of what stands around it. */
static struct node *outer(struct nested *n, const struct var *v)
{
    v->decl->captured = v->decl->address_taken = true;
    return build_name(n->g, v);
}

static struct node *parameter(struct nested *n)
{
    return build_name(n->g, n->a);
}

static void put(struct nested *n, struct node *statement)
{
    lang_append(n->g->p, n->fn->function->body, statement);
}

/* values[a & 3] */
static struct node *element(struct nested *n, struct node *i)
{
    struct gen *g = n->g;
    return lang_index(g->p, outer(n, n->values), build_op(g, OP_AND, i, build_int(g, 3)));
}

static enum op some_op(struct nested *n)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_MUL};
    return make_op_among(rng(n), n->r->context, ops, LENGTH(ops));
}

/* x op= a op k; or values[a & 3] op= x; or if (a & 1) y op= a; or a loop of these */
static void put_change(struct nested *n)
{
    struct gen *g = n->g;
    struct node *k = build_int(g, 1 + rng_below(rng(n), 99));
    struct node *first = build_op(g, some_op(n), parameter(n), k);
    switch (rng_below(rng(n), 4)) {
    case 0:
        put(n, build_assign(g, some_op(n), outer(n, n->x), first));
        break;
    case 1:
        put(n, build_assign(g, some_op(n), element(n, first), outer(n, n->x)));
        break;
    case 2:
        put(n, build_if(g, build_op(g, OP_AND, parameter(n), build_int(g, 1)),
                        build_assign(g, some_op(n), outer(n, n->y), first), NULL));
        break;
    default: {
        n->loops = true;
        struct var *i = make_counter(g, &n->inside);
        struct node *value = build_op(g, some_op(n), first, build_name(g, i));
        struct node *to = element(n, build_name(g, i));
        put(n, build_count(g, i, 2 + rng_below(rng(n), TURNS - 1),
                           build_assign(g, some_op(n), to, value)));
    }
    }
}

/* a > k ? f(a / 1000) + k : y ^ a: a is soon small */
static struct node *value(struct nested *n)
{
    struct gen *g = n->g;
    struct node *plain = build_op(g, OP_XOR, outer(n, n->y), parameter(n));
    if (n->loops || rng_below(rng(n), 2))
        return build_op(g, some_op(n), plain, outer(n, n->x));
    struct node *less = build_op(g, OP_DIV, parameter(n), build_int(g, 1000));
    struct node *deeper = lang_call(g->p, lang_name(g->p, n->fn->decl), &less, 1);
    struct node *sum = build_op(g, OP_ADD, deeper, build_int(g, rng_below(rng(n), 9)));
    return lang_cond(g->p, build_op(g, OP_GT, parameter(n), build_int(g, 50)), sum, plain);
}

/* unsigned f(unsigned a) { ... return ...; }, in the block */
static void define(struct nested *n)
{
    struct gen *g = n->g;
    struct fn *fn = n->fn = NEW(&g->arena, struct fn);
    struct decl **params = NEW_ARRAY(&g->p->arena, 1, struct decl *);
    params[0] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), n->word);
    n->a = gen_var_new(g, params[0], NULL);
    list_add(&g->arena, &fn->vars, n->a);
    struct type *t = lang_function(g->p, n->word, params, 1, TYPE_PROTOTYPE);
    fn->decl = lang_decl_new(g->p, DECL_FUNC, gen_new_name(g, 'f'), t);
    fn->decl->owner = n->r->fn->function;
    fn->function = lang_define(g->p, fn->decl, params, 1);
    fn->function->outer = n->r->fn->function;
    fn->object = NEW(&g->arena, struct object);
    fn->object->fn = fn;
    gen_about(g, fn->decl)->fn = fn;
    n->inside = (struct region){.fn = fn, .rng = *rng(n)};
    for (uint64_t k = 1 + rng_below(rng(n), 3); k > 0; k--)
        put_change(n);
    put(n, lang_return(g->p, fn->function, value(n)));
    make_attach(g, n->r, fn->function->node);
}

static struct node *call(struct nested *n, struct node *arg)
{
    return lang_call(n->g->p, lang_name(n->g->p, n->fn->decl), &arg, 1);
}

/* unsigned t = f(e); t = f(t ^ k); for (i) t += f(t + i); */
static struct var *use(struct nested *n)
{
    struct gen *g = n->g;
    struct var *t = shape_kept(g, n->r, n->word, call(n, some(n)));
    struct node *mixed = build_op(g, OP_XOR, build_name(g, t), build_int(g, rng_below(rng(n), 99)));
    if (rng_below(rng(n), 2)) {
        make_attach(g, n->r, build_set(g, t, call(n, mixed)));
        return t;
    }
    struct var *i = make_counter(g, n->r);
    struct node *arg = build_op(g, OP_ADD, mixed, build_name(g, i));
    struct node *body = build_set(g, t, call(n, arg));
    make_attach(g, n->r, build_count(g, i, 2 + rng_below(rng(n), TURNS - 1), body));
    return t;
}

static struct node *sum(struct nested *n, const struct var *t)
{
    struct gen *g = n->g;
    struct node *s = build_op(g, OP_MUL, build_name(g, t), build_int(g, 3));
    s = build_op(g, OP_ADD, s, build_name(g, n->x));
    s = build_op(g, OP_XOR, build_op(g, OP_MUL, s, build_int(g, 5)), build_name(g, n->y));
    for (uint64_t i = 0; i < 4; i++)
        s = build_op(g, OP_ADD, build_op(g, OP_MUL, s, build_int(g, 3)),
                     build_at(g, n->values, build_int(g, i)));
    return s;
}

void shape_nested(struct gen *g, struct region *r, struct node *place)
{
    struct nested n = {.g = g, .r = r, .word = build_word_type(g)};
    if (rng_below(rng(&n), 3) == 0)
        n.word = lang_basic(g->p, TYPE_ULLONG);
    struct type *four = lang_array(g->p, n.word, 4);
    n.x = shape_kept(g, r, n.word, some(&n));
    n.y = shape_kept(g, r, n.word, some(&n));
    n.values = shape_kept(g, r, four, make_initialiser(g, rng(&n), four, NULL, 0));
    define(&n);
    make_charge(r, STEPS * TURNS);
    make_result(g, r, place, sum(&n, use(&n)));
}
