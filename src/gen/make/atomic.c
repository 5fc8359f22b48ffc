/* Atomic builtins, in a program of one thread: on globals that are numbers, as the processor has
 * them.  The result goes to a local first: the place that it is for may be the object itself. */
#include "gen/make/private.h"
#include "gen/build.h"

/* C11 7.17.3, as the builtins number them. */
enum order { RELAXED = 0, ACQUIRE = 2, RELEASE = 3, ACQ_REL = 4, SEQ_CST = 5 };

/* Words, on x86 smaller ones too. */
bool make_is_atomic_size(const struct gen *g, uint64_t size)
{
    const struct target *t = g->p->target;
    bool x86 = t == lang_target(TARGET_LP64) || t == lang_target(TARGET_ILP32);
    return size <= t->pointer.size && (x86 || size >= 4);
}

static bool is_atomic(struct gen *g, const struct var *v, const struct type *like)
{
    (void)like;
    bool number = make_is_plain(v) && lang_is_integer(v->type) && v->type->quals == 0 &&
                  v->type->kind != TYPE_BOOL && v->type->kind != TYPE_ENUM &&
                  v->type->kind != TYPE_BITINT;
    return number && make_is_atomic_size(g, gen_size_of(g, v->type));
}

/* One statement that is being made. */
struct access {
    struct gen *g;
    struct region *r;
    struct var *x;
};

static struct node *value(struct access *a)
{
    struct ctx c = make_pure(a->g, a->r, 1);
    return make_expr_convert(a->g, make_expr_int(a->g, &c), a->x->type).n;
}

static struct node *order(struct access *a, const uint8_t *orders, size_t n)
{
    return build_int(a->g, orders[rng_below(&a->r->rng, n)]);
}

static struct node *any_order(struct access *a)
{
    static const uint8_t all[] = {RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, SEQ_CST};
    return order(a, all, LENGTH(all));
}

static struct node *call(struct access *a, const char *name, struct node **args, uint32_t n)
{
    struct node *callee = lang_name(a->g->p, build_builtin(a->g, name));
    struct node *made = lang_call(a->g->p, callee, args, n);
    if (!made)
        BUG("%s", a->g->p->err.msg);
    return made;
}

static void put(struct access *a, struct node *effect)
{
    make_attach(a->g, a->r, lang_expr_stmt(a->g->p, effect));
}

/* T l = value; place ^= l; */
static void put_result(struct access *a, struct node *result)
{
    struct node *place = make_place(a->g, a->r);
    if (!place) {
        put(a, result);
        return;
    }
    struct var *l = make_local(a->g, a->r, result->type, gen_new_name(a->g, 'l'));
    make_attach(a->g, a->r, lang_declare(a->g->p, l->decl, result));
    make_result(a->g, a->r, place, build_name(a->g, l));
    a->r->vars = l;
}

/* ---- what is done to it ------------------------------------------------------------------ */

/* __atomic_fetch_add(&x, e, order) and the like */
static void change(struct access *a)
{
    static const char *const ops[] = {"add", "sub", "and", "or", "xor", "nand"};
    const char *op = ops[rng_below(&a->r->rng, LENGTH(ops))];
    bool after = rng_below(&a->r->rng, 2);
    /* gcc has something to say of __sync_fetch_and_nand */
    bool old = op != ops[LENGTH(ops) - 1] && rng_below(&a->r->rng, 2);
    const char *prefix = old ? "__sync" : "__atomic", *and = old ? "and_" : "";
    const char *name = after ? arena_printf(&a->g->arena, "%s_%s_%sfetch", prefix, op, and)
                             : arena_printf(&a->g->arena, "%s_fetch_%s%s", prefix, and, op);
    struct node *args[3] = {build_address(a->g, a->x), value(a), NULL};
    if (!old)
        args[2] = any_order(a);
    put_result(a, call(a, name, args, old ? 2 : 3));
}

static void exchange(struct access *a)
{
    struct node *args[3] = {build_address(a->g, a->x), value(a), NULL};
    args[2] = any_order(a);
    put_result(a, call(a, "__atomic_exchange_n", args, 3));
}

static struct node *load(struct access *a)
{
    static const uint8_t orders[] = {RELAXED, ACQUIRE, SEQ_CST};
    struct node *args[2] = {build_address(a->g, a->x), order(a, orders, LENGTH(orders))};
    return call(a, "__atomic_load_n", args, 2);
}

static void store_and_load(struct access *a)
{
    static const uint8_t orders[] = {RELAXED, RELEASE, SEQ_CST};
    struct node *args[3] = {build_address(a->g, a->x), value(a), NULL};
    args[2] = order(a, orders, LENGTH(orders));
    make_show(a->g, a->r, build_name(a->g, a->x));
    put(a, call(a, "__atomic_store_n", args, 3));
    if (rng_below(&a->r->rng, 2))
        put(a, call(a, "__sync_synchronize", NULL, 0));
    put_result(a, load(a));
}

/* T l = x, or another value; l ^= __atomic_compare_exchange_n(&x, &l, e, 0, order, order): never
 * weak, which may fail for no reason. */
static void compare(struct access *a)
{
    static const uint8_t failing[] = {RELAXED, ACQUIRE, SEQ_CST};
    struct gen *g = a->g;
    struct var *l = make_local(g, a->r, a->x->type, gen_new_name(g, 'l'));
    struct node *expected = rng_below(&a->r->rng, 3) ? load(a) : value(a);
    make_attach(g, a->r, lang_declare(g->p, l->decl, expected));
    struct node *args[6] = {build_address(g, a->x), build_address(g, l),   value(a),
                            build_int(g, 0),        build_int(g, SEQ_CST), NULL};
    args[5] = order(a, failing, LENGTH(failing));
    put_result(a, call(a, "__atomic_compare_exchange_n", args, 6));
    put_result(a, lang_rvalue(g->p, build_name(g, l)));
}

static void compare_and_swap(struct access *a)
{
    bool whether = rng_below(&a->r->rng, 2);
    struct node *args[3] = {build_address(a->g, a->x), NULL, NULL};
    args[1] = rng_below(&a->r->rng, 3) ? load(a) : value(a);
    args[2] = value(a);
    put_result(a, call(a, whether ? "__sync_bool_compare_and_swap" : "__sync_val_compare_and_swap",
                       args, 3));
}

static void fence(struct access *a)
{
    struct node *seq = any_order(a);
    put(a, call(a, "__atomic_thread_fence", &seq, 1));
    put_result(a, load(a));
}

bool make_stmt_atomic(struct gen *g, struct region *r)
{
    typedef void access_fn(struct access *);
    static access_fn *const ways[] = {change,  change,         change,           exchange,
                                      compare, store_and_load, compare_and_swap, fence};
    struct access a = {g, r, make_pick_global(g, &r->rng, is_atomic, NULL)};
    if (!a.x)
        return false;
    uint32_t at = r->block->count;
    ways[rng_below(&r->rng, LENGTH(ways))](&a);
    make_charge(r, 6);
    return make_walk_from(r, at);
}
