/* Loops that end by a value, not by a count: what is left of a number, what an array holds, bounds
 * that meet.  Each ends by its own text, whatever the variables hold, and is charged for the most
 * turns that it can take. */
#include "gen/shape/private.h"
#include "gen/build.h"

enum { BITS = 64, DIGITS = 24 };

/* ---- pieces ----------------------------------------------------------------------------- */

static struct rng *rng(struct form *f)
{
    return &f->r->rng;
}

/* unsigned x = e; */
static struct var *number(struct form *f)
{
    struct gen *g = f->g;
    struct ctx c = make_pure(g, f->r, 2);
    struct type *t = lang_basic(g->p, rng_below(rng(f), 2) ? TYPE_UINT : TYPE_ULLONG);
    struct node *e = make_expr_convert(g, make_expr_int(g, &c), t).n;
    return form_local(f, t, e);
}

static struct node *step(struct form *f, enum op op, struct node *n)
{
    return lang_expr_stmt(f->g->p, lang_unary(f->g->p, op, n));
}

/* i = value; before the loop: the counter lives on after it. */
static void start(struct form *f, struct node *value)
{
    f->i = make_counter_place(f->g, f->r);
    make_attach(f->g, f->r, make_counter_start(f->g, &f->i, value));
    if (f->i.var)
        f->r->vars = f->i.var;
}

static bool affords(struct form *f, uint64_t turns, uint64_t steps)
{
    if (make_spare(f->r) < 2 * turns * steps)
        return false;
    make_charge(f->r, turns * steps + 4);
    return true;
}

static void put_block(struct form *f, struct node *test, struct node *const *body, uint32_t n)
{
    make_attach(f->g, f->r, build_while(f->g, test, build_block(f->g, body, n)));
}

/* place ^= x; of what the loop has found */
static void show(struct form *f, struct node *value)
{
    struct node *place = make_place(f->g, f->r);
    if (place)
        make_result(f->g, f->r, place, value);
}

/* ---- what is left of a number ------------------------------------------------------------ */

/* do { a[i++] = x % k; x /= k; } while (x); */
bool form_digits(struct form *f)
{
    struct gen *g = f->g;
    if (!affords(f, DIGITS, 4))
        return false;
    f->a = form_array(f, DIGITS, NULL);
    struct var *x = number(f);
    uint64_t k = 7 + rng_below(rng(f), 30);
    start(f, build_int(g, 0));
    struct node *digit = build_op(g, OP_REM, build_name(g, x), build_int(g, k));
    struct node *to = rng_below(rng(f), 2)
                          ? build_at(g, f->a, lang_unary(g->p, OP_POSTINC, form_counter(f)))
                          : NULL;
    struct node *body[3] = {
        make_keep(g, rng(f), to ? to : build_at(g, f->a, form_counter(f)), digit),
        build_assign(g, OP_DIV, build_name(g, x), build_int(g, k)),
        to ? NULL : step(f, OP_PREINC, form_counter(f))};
    struct node *kids[2] = {build_block(g, body, to ? 2 : 3), build_name(g, x)};
    kids[1] = lang_condition(g->p, build_op(g, OP_NE, kids[1], build_int(g, 0)));
    make_attach(g, f->r, lang_node(g->p, NODE_DO, kids, 2));
    return true;
}

/* while (x) { x &= x - 1; i++; }, or a shift, or the lowest bit taken away */
bool form_bits(struct form *f)
{
    struct gen *g = f->g;
    if (!affords(f, BITS, 4))
        return false;
    f->a = form_array(f, BITS, NULL);
    struct var *x = number(f);
    start(f, build_int(g, 0));
    uint64_t way = rng_below(rng(f), 3);
    struct node *less = build_op(g, OP_SUB, build_name(g, x), build_int(g, 1)), *next;
    if (way == 0)
        next = build_assign(g, OP_AND, build_name(g, x), less);
    else if (way == 1)
        next = build_assign(g, OP_SHR, build_name(g, x), build_int(g, 1 + rng_below(rng(f), 4)));
    else
        next = build_assign(
            g, OP_XOR, build_name(g, x),
            build_op(g, OP_AND, build_name(g, x), lang_unary(g->p, OP_NEG, build_name(g, x))));
    struct node *to = build_at(g, f->a, form_counter(f));
    struct node *body[3] = {build_assign(g, OP_XOR, to, build_name(g, x)), next,
                            step(f, OP_POSTINC, form_counter(f))};
    put_block(f, build_name(g, x), body, 3);
    return true;
}

/* while ((y = x - x / 4) != x) x = y; with something that is done on the way */
bool form_settle(struct form *f)
{
    struct gen *g = f->g;
    uint64_t by = 2 + rng_below(rng(f), 3);
    if (!affords(f, 40 * by, 4)) /* of 64 bits, a quarter less each time */
        return false;
    struct var *x = number(f);
    struct var *y = form_local(f, x->type, build_int(g, 0));
    start(f, build_int(g, 0));
    struct node *less = build_op(g, OP_SUB, build_name(g, x),
                                 build_op(g, OP_DIV, build_name(g, x), build_int(g, by)));
    struct node *set = lang_assign(g->p, OP_ASSIGN, build_name(g, y), less);
    struct node *body[2] = {build_set(g, x, build_name(g, y)), step(f, OP_PREINC, form_counter(f))};
    put_block(f, build_op(g, OP_NE, set, build_name(g, x)), body, 2);
    show(f, form_counter(f));
    return true;
}

/* ---- what an array holds ----------------------------------------------------------------- */

/* a[n - 1] = x; i = 0; while (a[i] != x) i++; */
bool form_sentinel(struct form *f)
{
    struct gen *g = f->g;
    uint64_t turns = form_turns(f, 3);
    f->a = form_array(f, 0, NULL);
    uint64_t n = f->a->type->u.count < turns ? f->a->type->u.count : turns;
    if (n < 4 || !affords(f, n, 3))
        return false;
    struct ctx c = make_pure(g, f->r, 1);
    struct node *e = make_expr_convert(g, make_expr_int(g, &c), f->a->type->base).n;
    struct var *x = form_local(f, f->a->type->base, e);
    struct node *last = build_at(g, f->a, build_int(g, n - 1));
    make_show(g, f->r, last);
    make_attach(g, f->r, build_assign(g, OP_ASSIGN, last, build_name(g, x)));
    start(f, build_int(g, 0));
    struct node *test = build_op(g, OP_NE, build_at(g, f->a, form_counter(f)), build_name(g, x));
    if (rng_below(rng(f), 3) == 0) { /* for (; a[i] != x; i++); */
        struct node *kids[4] = {NULL, lang_condition(g->p, test),
                                lang_unary(g->p, OP_POSTINC, form_counter(f)),
                                lang_node(g->p, NODE_EMPTY, NULL, 0)};
        make_attach(g, f->r, lang_node(g->p, NODE_FOR, kids, 4));
    } else {
        struct node *body[2] = {
            build_assign(g, OP_ADD, build_at(g, f->a, form_counter(f)), build_int(g, 1)),
            step(f, OP_PREINC, form_counter(f))};
        bool changes = rng_below(rng(f), 2);
        put_block(f, test, changes ? body : body + 1, changes ? 2 : 1);
    }
    show(f, form_counter(f));
    return true;
}

/* while (low < high) { mid = (low + high) / 2; if (a[mid] < x) low = mid + 1; else high = mid; } */
bool form_bisect(struct form *f)
{
    struct gen *g = f->g;
    if (!affords(f, 8, 5))
        return false;
    f->a = form_array(f, 0, NULL);
    struct type *t = lang_basic(g->p, rng_below(rng(f), 2) ? TYPE_INT : TYPE_ULONG);
    struct var *x = number(f), *low = form_local(f, t, build_int(g, 0)),
               *high = form_local(f, t, build_int(g, f->a->type->u.count)),
               *mid = make_local(g, f->r, t, gen_new_name(g, 'l'));
    low->locked = high->locked = true;
    struct node *middle = build_op(
        g, OP_DIV, build_op(g, OP_ADD, build_name(g, low), build_name(g, high)), build_int(g, 2));
    struct node *test = build_op(g, OP_LT, build_at(g, f->a, build_name(g, mid)), build_name(g, x));
    struct node *body[2] = {
        lang_declare(g->p, mid->decl, middle),
        build_if(g, test,
                 build_set(g, low, build_op(g, OP_ADD, build_name(g, mid), build_int(g, 1))),
                 build_set(g, high, build_name(g, mid)))};
    put_block(f, build_op(g, OP_LT, build_name(g, low), build_name(g, high)), body, 2);
    show(f, build_name(g, low));
    return true;
}

/* for (i = 0, k = n - 1; i < k; i++, k -= 2) a[i] and a[k] */
bool form_meet(struct form *f)
{
    struct gen *g = f->g;
    uint64_t turns = form_turns(f, 4);
    f->a = form_array(f, 0, NULL);
    uint64_t n = f->a->type->u.count < 2 * turns ? f->a->type->u.count : 2 * turns;
    if (n < 4 || !affords(f, n / 2 + 1, 4))
        return false;
    struct var *k = form_local(f, build_int_type(g), build_int(g, n - 1));
    k->locked = k->no_address = true;
    f->i = make_counter_place(g, f->r);
    f->b = f->c = f->a;
    f->first = 0;
    f->limit = n;
    uint64_t by = 1 + rng_below(rng(f), 3);
    struct node *far = build_at(g, f->a, build_name(g, k));
    struct node *near = build_at(g, f->a, form_counter(f));
    struct node *value = build_op(g, OP_XOR, tree_clone(g, far), form_value(f, 1));
    bool back = rng_below(rng(f), 2);
    struct node *body = make_keep(g, rng(f), back ? far : near,
                                  back ? build_op(g, OP_SUB, form_wraps(f, near), value) : value);
    struct node *steps = build_op(g, OP_COMMA, lang_unary(g->p, OP_POSTINC, form_counter(f)),
                                  lang_assign(g->p, OP_SUB, build_name(g, k), build_int(g, by)));
    struct node *i = lang_cast(g->p, build_int_type(g), form_counter(f));
    struct node *kids[4] = {make_counter_start(g, &f->i, build_int(g, 0)),
                            build_op(g, OP_LT, i, build_name(g, k)), steps, body};
    make_attach(g, f->r, lang_node(g->p, NODE_FOR, kids, 4));
    return true;
}

/* for (k = 0; k < n && i != x; k++) i = a[i] % n; */
bool form_chase(struct form *f)
{
    struct gen *g = f->g;
    uint64_t turns = form_turns(f, 4);
    f->a = form_array(f, 0, NULL);
    uint64_t n = f->a->type->u.count;
    if (turns < 4 || !affords(f, turns, 4))
        return false;
    struct ctx c = make_pure(g, f->r, 1);
    struct type *u = lang_basic(g->p, TYPE_UINT);
    struct node *e = make_expr_convert(g, make_expr_int(g, &c), u).n;
    struct var *at = form_local(f, u, build_op(g, OP_REM, e, build_int(g, n)));
    at->locked = true;
    struct var *k = make_counter(g, f->r);
    struct node *next = lang_cast(g->p, u, build_at(g, f->a, build_name(g, at)));
    next = build_set(g, at, build_op(g, OP_REM, next, build_int(g, n)));
    struct node *mark = build_assign(g, OP_XOR, build_at(g, f->a, build_name(g, at)),
                                     build_int(g, 1 + rng_below(rng(f), 9)));
    struct node *both[2] = {next, mark};
    struct node *test = build_op(
        g, OP_LAND, build_op(g, OP_LT, build_name(g, k), build_int(g, turns)),
        build_op(g, OP_NE, build_name(g, at), build_int(g, rng_below(rng(f), n))));
    struct node *kids[4] = {lang_declare(g->p, k->decl, build_int(g, 0)), test,
                            lang_unary(g->p, OP_POSTINC, build_name(g, k)),
                            rng_below(rng(f), 2) ? build_block(g, both, 2) : next};
    make_attach(g, f->r, lang_node(g->p, NODE_FOR, kids, 4));
    show(f, build_name(g, at));
    return true;
}
