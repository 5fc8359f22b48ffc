/* What loops over arrays are made of: arrays, subscripts, deep expressions of mixed widths, and
 * headers.  Nothing is executed while it is built; what is signed may overflow and is guarded when
 * it runs, so most sums are made of unsigned operands and stay as they are. */
#include "gen/shape/private.h"
#include "gen/build.h"

enum { SHORTEST_ARRAY = 16, CALL_STEPS = 200 };

/* ---- arrays ----------------------------------------------------------------------------- */

static bool is_whole(const struct type *t)
{
    return lang_is_integer(t) && t->kind != TYPE_BOOL && t->kind != TYPE_ENUM &&
           t->kind != TYPE_INT128 && t->kind != TYPE_UINT128 && t->kind != TYPE_BITINT &&
           t->quals == 0;
}

static bool is_array(struct gen *g, const struct var *v, const struct type *like)
{
    (void)g;
    (void)like;
    return make_is_plain(v) && v->type->kind == TYPE_ARRAY && v->type->quals == 0 &&
           v->type->u.count >= SHORTEST_ARRAY && is_whole(v->type->base);
}

struct var *form_array(struct form *f, uint64_t least, const struct var *except)
{
    static const uint8_t kinds[] = {TYPE_UCHAR, TYPE_SCHAR, TYPE_SHORT, TYPE_USHORT,
                                    TYPE_INT,   TYPE_INT,   TYPE_UINT,  TYPE_UINT,
                                    TYPE_LONG,  TYPE_ULONG, TYPE_LLONG, TYPE_ULLONG};
    struct rng *r = &f->r->rng;
    struct var *v = rng_below(r, 4) ? make_pick_global(f->g, r, is_array, NULL) : NULL;
    if (v && v != except && v->type->u.count >= least)
        return v;
    uint64_t shortest = least > SHORTEST_ARRAY ? least : SHORTEST_ARRAY;
    uint64_t longest = rng_below(r, 3) ? 2 * SHORTEST_ARRAY : LONGEST_FORM;
    longest = shortest > longest ? shortest : longest;
    struct type *of = make_type_among(f->g, r, kinds, LENGTH(kinds));
    uint64_t count = (uint64_t)rng_between(r, (int64_t)shortest, (int64_t)longest);
    return make_global_filled(f->g, lang_array(f->g->p, of, count));
}

uint64_t form_turns(const struct form *f, uint64_t steps)
{
    uint64_t n = make_spare(f->r) / (2 * steps);
    return n > LONGEST_FORM ? LONGEST_FORM : n;
}

struct var *form_local(struct form *f, struct type *t, struct node *init)
{
    struct var *v = make_local(f->g, f->r, t, gen_new_name(f->g, 'l'));
    make_attach(f->g, f->r, lang_declare(f->g->p, v->decl, init));
    f->r->vars = v;
    return v;
}

/* ---- subscripts ------------------------------------------------------------------------- */

struct node *form_counter(struct form *f)
{
    return make_counter_name(f->g, &f->i);
}

struct node *form_element(struct form *f, const struct var *v, uint64_t times, int64_t offset)
{
    struct gen *g = f->g;
    struct node *at = form_counter(f);
    if (times != 1)
        at = build_op(g, OP_MUL, at, build_int(g, times));
    if (offset)
        at = build_op(g, offset > 0 ? OP_ADD : OP_SUB, at,
                      build_int(g, (uint64_t)(offset > 0 ? offset : -offset)));
    return build_at(g, v, at);
}

/* An element that is there whatever i is: near i, or a few times i. */
static struct node *some_element(struct form *f)
{
    struct rng *r = &f->r->rng;
    struct var *arrays[] = {f->a, f->b, f->c};
    const struct var *v = arrays[rng_below(r, 3)];
    uint64_t room = v->type->u.count - f->limit;
    uint64_t times = f->limit > 1 ? (v->type->u.count - 1) / (f->limit - 1) : 1;
    if (times > 1 && rng_below(r, 2))
        return form_element(f, v, times > 4 ? 4 : times, 0);
    if (f->first && rng_below(r, 2))
        return form_element(f, v, 1, -rng_between(r, 1, (int64_t)f->first));
    return form_element(f, v, 1, room ? rng_between(r, 0, room > 5 ? 5 : (int64_t)room) : 0);
}

/* ---- expressions ------------------------------------------------------------------------ */

struct node *form_wraps(struct form *f, struct node *n)
{
    struct type *t = lang_promoted(f->g->p, n->type->unqual);
    bool narrow = gen_is_narrow(f->g, n->type->unqual);
    if (narrow || !gen_int_signed(f->g, t) || rng_below(&f->r->rng, 6) == 0)
        return n;
    return lang_cast(f->g->p, lang_unsigned(f->g->p, t), n);
}

static struct node *leaf(struct form *f)
{
    struct gen *g = f->g;
    struct rng *r = &f->r->rng;
    uint64_t way = rng_below(r, 10);
    if (way < 6)
        return some_element(f);
    if (way == 6)
        return form_counter(f);
    if (way < 9) {
        struct ctx c = make_pure(g, f->r, 0);
        struct lval l = make_lvalue_pick(g, &c, WANT_VALUE, KIND_INT);
        struct made m = make_lvalue_read(g, l);
        if (m.n && gen_int_width(g, m.n->type->unqual) <= 64)
            return m.n;
    }
    return build_int(g, 1 + rng_below(r, 1u << (1 + rng_below(r, 16))));
}

static struct node *sum(struct form *f, unsigned depth)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_XOR, OP_AND, OP_OR, OP_ADD, OP_SUB};
    enum op op = make_op_among(&f->r->rng, f->r->context, ops, LENGTH(ops));
    struct node *a = form_value(f, depth), *b = form_value(f, depth);
    if (op == OP_ADD || op == OP_SUB || op == OP_MUL)
        a = form_wraps(f, a);
    if (op == OP_MUL)
        b = form_wraps(f, b);
    return build_op(f->g, op, a, b);
}

static struct node *shifted(struct form *f, unsigned depth)
{
    struct gen *g = f->g;
    struct rng *r = &f->r->rng;
    if (!make_keeps_op(f->r->context, OP_SHR))
        return sum(f, depth);
    bool left = rng_below(r, 2);
    struct node *a = form_value(f, depth);
    if (left)
        a = form_wraps(f, a);
    unsigned width = gen_int_width(g, lang_promoted(g->p, a->type->unqual));
    struct node *by = build_int(g, 1 + rng_below(r, rng_below(r, 2) ? 5 : width - 1));
    if (rng_below(r, 3) == 0) {
        struct node *mask = build_int(g, rng_below(r, 2) ? width - 1 : 7);
        by = build_op(g, OP_AND, form_value(f, 0), mask);
    }
    return build_op(g, left ? OP_SHL : OP_SHR, a, by);
}

static struct node *quotient(struct form *f, unsigned depth)
{
    struct gen *g = f->g;
    struct rng *r = &f->r->rng;
    if (!make_keeps_op(f->r->context, OP_DIV))
        return sum(f, depth);
    enum op op = rng_below(r, 3) ? OP_DIV : OP_REM;
    struct node *a = form_value(f, depth), *b = build_int(g, 2 + rng_below(r, 30));
    if (rng_below(r, 3) == 0)
        b = build_op(g, OP_OR, form_wraps(f, form_value(f, 0)), build_int(g, 1));
    return build_op(g, op, form_wraps(f, a), b);
}

static struct node *narrowed(struct form *f, unsigned depth)
{
    static const uint8_t kinds[] = {TYPE_SCHAR, TYPE_UCHAR, TYPE_SHORT, TYPE_USHORT, TYPE_INT,
                                    TYPE_UINT,  TYPE_LLONG, TYPE_ULONG, TYPE_BOOL};
    struct type *t = lang_basic(f->g->p, kinds[rng_below(&f->r->rng, LENGTH(kinds))]);
    return lang_cast(f->g->p, t, form_value(f, depth));
}

struct node *form_test(struct form *f)
{
    static const uint8_t ops[] = {OP_LT, OP_GT, OP_LE, OP_GE, OP_EQ, OP_NE};
    struct node *a = some_element(f), *b = leaf(f);
    return build_op(f->g, ops[rng_below(&f->r->rng, LENGTH(ops))], a, b);
}

/* a < b ? a : b, or something else */
static struct node *choice(struct form *f, unsigned depth)
{
    struct gen *g = f->g;
    struct rng *r = &f->r->rng;
    if (rng_below(r, 2)) {
        struct node *yes = form_value(f, depth), *no = form_value(f, depth);
        return lang_cond(g->p, form_test(f), yes, no);
    }
    struct node *a = form_value(f, depth / 2), *b = leaf(f);
    struct node *test = build_op(g, rng_below(r, 2) ? OP_LT : OP_GT, tree_clone(g, a),
                                 tree_clone(g, b));
    return lang_cond(g->p, test, a, b);
}

static struct node *changed(struct form *f, unsigned depth)
{
    struct gen *g = f->g;
    switch (rng_below(&f->r->rng, 4)) {
    case 0:
        return lang_unary(g->p, OP_NOT, form_value(f, depth));
    case 1:
        return lang_unary(g->p, OP_LNOT, form_value(f, depth));
    case 2:
        return lang_unary(g->p, OP_NEG, form_wraps(f, form_value(f, depth)));
    default:
        return form_test(f);
    }
}

struct node *form_value(struct form *f, unsigned depth)
{
    typedef struct node *piece_fn(struct form *, unsigned);
    static piece_fn *const pieces[] = {sum,      sum,      sum,      sum,    shifted,
                                       quotient, narrowed, narrowed, choice, changed};
    if (depth == 0 || rng_below(&f->r->rng, 6) == 0)
        return leaf(f);
    struct node *n = pieces[rng_below(&f->r->rng, LENGTH(pieces))](f, depth - 1);
    if (!n)
        BUG("%s", f->g->p->err.msg);
    return n;
}

/* ---- bounds ----------------------------------------------------------------------------- */

/* i < n, where n is at most the limit. */
typedef struct node *bound_fn(struct form *f, struct node *i);

static struct node *bound_constant(struct form *f, struct node *i)
{
    bool equal = rng_below(&f->r->rng, 4) == 0;
    return build_op(f->g, equal ? OP_LE : OP_LT, i, build_int(f->g, f->limit - equal));
}

/* Something that is mostly the limit, sometimes less, and never more. */
static struct node *limited(struct form *f)
{
    struct gen *g = f->g;
    struct rng *r = &f->r->rng;
    struct ctx c = make_pure(g, f->r, 1);
    struct type *u = lang_basic(g->p, TYPE_UINT);
    uint64_t less = rng_below(r, 3) ? 1 + rng_below(r, f->limit / 3 + 1) : f->limit;
    struct node *e = make_expr_convert(g, make_expr_varying(g, &c), u).n;
    e = build_op(g, OP_REM, e, build_int(g, less));
    return lang_cast(g->p, build_int_type(g), build_op(g, OP_SUB, build_int(g, f->limit), e));
}

static struct node *bound_local(struct form *f, struct node *i)
{
    struct var *v = form_local(f, build_int_type(f->g), limited(f));
    v->locked = v->no_address = true;
    return build_op(f->g, OP_LT, i, build_name(f->g, v));
}

/* A global of its own, which is set before the loop. */
static struct var *set_global(struct form *f, struct type *t, struct node *init)
{
    struct var *v = make_global_declare(f->g, t, &f->r->rng, init);
    v->secret = true;
    return v;
}

static struct node *bound_global(struct form *f, struct node *i)
{
    struct var *v = set_global(f, build_int_type(f->g), build_int(f->g, 0));
    make_attach(f->g, f->r, build_set(f->g, v, limited(f)));
    return build_op(f->g, OP_LT, i, build_name(f->g, v));
}

static struct node *bound_volatile(struct form *f, struct node *i)
{
    struct type *t = lang_qualified(f->g->p, build_int_type(f->g), QUAL_VOLATILE);
    struct var *v = set_global(f, t, build_int(f->g, 0));
    make_attach(f->g, f->r, build_set(f->g, v, limited(f)));
    return build_op(f->g, OP_LT, i, build_name(f->g, v));
}

/* An element of an array that nothing else writes. */
static struct node *bound_element(struct form *f, struct node *i)
{
    struct gen *g = f->g;
    uint64_t count = 2 + rng_below(&f->r->rng, 7), at = rng_below(&f->r->rng, count);
    struct node *zero = lang_node(g->p, NODE_INIT, NULL, 0);
    lang_append(g->p, zero, build_int(g, 0));
    struct var *v = set_global(f, lang_array(g->p, build_int_type(g), count), zero);
    make_attach(g, f->r, build_assign(g, OP_ASSIGN, build_at(g, v, build_int(g, at)), limited(f)));
    return build_op(g, OP_LT, i, build_at(g, v, build_int(g, at)));
}

/* A small function, on what the loop changes or on what it does not. */
static struct node *bound_called(struct form *f, struct node *i)
{
    struct gen *g = f->g;
    struct fn *fn = g->hooks->small_function(g);
    struct node *args[2];
    args[0] = rng_below(&f->r->rng, 2) ? some_element(f) : form_value(f, 0);
    args[1] = build_int(g, 1 + rng_below(&f->r->rng, 99));
    struct node *call = lang_call(g->p, lang_name(g->p, fn->decl), args, 2);
    make_charge(f->r, CALL_STEPS * (f->limit + 1));
    struct node *test = build_op(g, OP_LT, i, build_int(g, f->limit));
    struct node *low = build_op(g, OP_AND, call, build_int(g, 31));
    struct node *more = build_op(g, OP_NE, low, build_int(g, rng_below(&f->r->rng, 32)));
    return build_op(g, OP_LAND, test, more);
}

static struct node *bound_also(struct form *f, struct node *i)
{
    struct node *test = build_op(f->g, OP_LT, i, build_int(f->g, f->limit));
    struct node *limit = build_int(f->g, rng_below(&f->r->rng, 1000));
    struct node *more = build_op(f->g, OP_NE, some_element(f), limit);
    return build_op(f->g, OP_LAND, test, more);
}

static bound_fn *const bounds[] = {
#define BOUND(name, ...) [GEN_bound_##name] = bound_##name,
#include "gen/policy.def"
};

/* ---- headers ---------------------------------------------------------------------------- */

static struct node *stepped(struct form *f, bool down)
{
    struct gen *g = f->g;
    if (f->step == 1 && rng_below(&f->r->rng, 3))
        return lang_unary(g->p, down ? OP_POSTDEC : OP_POSTINC, form_counter(f));
    return lang_assign(g->p, down ? OP_SUB : OP_ADD, form_counter(f), build_int(g, f->step));
}

static void put_pragma(struct form *f, const struct node *test, const struct node *body)
{
    unsigned traits = f->real ? 0 : LOOP_INTEGERS;
    if (gen_setting(f->g, GEN_share_pragma) && form_is_independent(f, test, body))
        traits |= LOOP_INDEPENDENT;
    make_pragma(f->g, f->r, traits);
}

/* for (i = limit - 1; i >= first; i -= step) */
static void put_down(struct form *f, struct node *body)
{
    struct gen *g = f->g;
    struct node *kids[4] = {make_counter_start(g, &f->i, build_int(g, f->limit - 1)),
                            build_op(g, OP_GE, form_counter(f), build_int(g, f->first)),
                            stepped(f, true), body};
    put_pragma(f, kids[1], body);
    make_attach(g, f->r, lang_node(g->p, NODE_FOR, kids, 4));
}

/* i = first; while (test) { body; i += step; }, or do */
static void put_while(struct form *f, struct node *test, struct node *body)
{
    struct gen *g = f->g;
    struct node *both[2] = {body, lang_expr_stmt(g->p, stepped(f, false))};
    struct node *block = build_block(g, both, 2);
    make_attach(g, f->r, make_counter_start(g, &f->i, build_int(g, f->first)));
    put_pragma(f, test, body);
    if (rng_below(&f->r->rng, 2)) {
        make_attach(g, f->r, build_while(g, test, block));
        return;
    }
    struct node *kids[2] = {block, lang_condition(g->p, test)};
    make_attach(g, f->r, lang_node(g->p, NODE_DO, kids, 2));
}

void form_put(struct form *f, struct node *body, uint64_t steps)
{
    struct gen *g = f->g;
    enum gen_policy row = gen_pick(g, &f->r->rng, GEN_GROUP_bound);
    uint64_t way = rng_below(&f->r->rng, 6), spare = form_turns(f, steps + CALL_STEPS);
    make_charge(f->r, steps * (f->limit - f->first) / f->step + 2);
    if (row == GEN_bound_called && spare < f->limit)
        row = GEN_bound_constant;
    if (way == 0 && gen_int_signed(g, f->i.type)) {
        put_down(f, body);
        return;
    }
    struct node *test = bounds[row](f, form_counter(f));
    if (way == 1 && row == GEN_bound_constant) {
        put_while(f, test, body);
        return;
    }
    struct node *kids[4] = {make_counter_start(g, &f->i, build_int(g, f->first)),
                            lang_condition(g->p, test), stepped(f, false), body};
    put_pragma(f, test, body);
    make_attach(g, f->r, lang_node(g->p, NODE_FOR, kids, 4));
}
