/* Loops and switches.  Each is bounded by a counter that nothing else writes. */
#include "gen/run/run.h"
#include "gen/build.h"
#include "gen/make/private.h"

enum { MAX_WEIGHT = 200 };

uint32_t make_trips_allowed(const struct gen *g, const struct region *r)
{
    uint64_t most = r->weight < MAX_WEIGHT ? MAX_WEIGHT / r->weight : 0;
    uint64_t by_steps = make_spare(r) / 8;
    most = by_steps < most ? by_steps : most;
    return most > gen_setting(g, GEN_count_trips) ? gen_setting(g, GEN_count_trips)
                                                  : (uint32_t)most;
}

/* Mostly few: bodies that are drawn at random are executed at once, and long loops are better spent
 * on arrays. */
uint32_t make_trips(const struct gen *g, struct region *r)
{
    enum { FEW = 16 };
    int64_t most = make_trips_allowed(g, r);
    if (most > FEW && rng_below(&r->rng, 4))
        most = FEW;
    return (uint32_t)rng_between(&r->rng, 1, most);
}

static struct node *number(struct gen *g, int64_t v, struct type *t)
{
    return build_number(g, lang_wrap((u128)(i128)v, gen_int_width(g, t)), t).n;
}

static struct var *counter_new(struct gen *g, struct region *r, struct type *t)
{
    struct var *v = make_local(g, r, t, gen_new_name(g, 't'));
    v->locked = true;
    v->no_address = true;
    return v;
}

struct node *make_body(struct gen *g, struct region *r, struct node *loop, struct var *counter,
                       uint32_t trips)
{
    struct region *inner;
    struct node *block = make_block(g, r, &inner);
    inner->loop = inner->exit = loop;
    inner->weight = r->weight * trips;
    if (counter)
        inner->vars = inner->outside = counter;
    return block;
}

/* ---- for -------------------------------------------------------------------------------- */

struct plan {
    const struct counter *counter;
    int64_t start, end, step;
    uint32_t trips;
    enum op test;
    bool down;
};

static struct plan plan_loop(struct gen *g, struct region *r, const struct counter *c)
{
    struct plan p = {.counter = c};
    enum gen_policy row = gen_pick(g, &r->rng, GEN_GROUP_loop);
    bool minus = gen_int_signed(g, c->type);
    p.trips = make_trips(g, r);
    p.step = rng_below(&r->rng, 2) ? 1 : rng_between(&r->rng, 1, 4);
    p.start = rng_below(&r->rng, 2) ? 0 : rng_between(&r->rng, minus ? -6 : 0, 9);
    if (p.start + (p.trips + 1) * p.step > c->most) {
        p.start = 0;
        p.step = 1;
    }
    p.end = p.start + p.trips * p.step;
    p.down = row == GEN_loop_down;
    p.test = p.down ? OP_GT : OP_LT;
    if (p.down) {
        int64_t swap = p.start;
        p.start = p.end;
        p.end = swap;
    }
    if (row == GEN_loop_unequal)
        p.test = OP_NE;
    return p;
}

/* A bound that is not constant but stays within the plan. */
static struct node *soft_bound(struct gen *g, struct region *r, const struct plan *p)
{
    struct ctx c = make_ctx_start(g, r);
    c.pure = true;
    c.calls = 0;
    c.depth = c.depth > 2 ? 2 : c.depth;
    struct made m = make_expr_int(g, &c);
    struct type *u = lang_basic(g->p, TYPE_UINT);
    struct node *limit = number(g, p->trips + 1, lang_basic(g->p, TYPE_INT));
    struct node *n = lang_binary(g->p, OP_REM, lang_cast(g->p, u, m.n), limit);
    return lang_cast(g->p, lang_basic(g->p, TYPE_INT), n);
}

static struct node *loop_test(struct gen *g, struct region *r, const struct plan *p)
{
    struct node *name = make_counter_name(g, p->counter);
    struct type *t = p->counter->type;
    bool soft = p->test == OP_LT && p->start == 0 && p->step == 1 &&
                rng_chance(&r->rng, gen_setting(g, GEN_loop_variable));
    if (soft)
        return lang_binary(g->p, OP_LT, name, soft_bound(g, r, p));
    bool equal = p->test != OP_NE && rng_below(&r->rng, 4) == 0 && !(p->down && p->end <= 0);
    if (equal && !p->down)
        return lang_binary(g->p, OP_LE, name, number(g, p->end - 1, t));
    return lang_binary(g->p, p->test, name, number(g, p->end, t));
}

static struct node *loop_step(struct gen *g, struct region *r, const struct plan *p)
{
    struct node *name = make_counter_name(g, p->counter);
    if (p->step == 1 && rng_below(&r->rng, 3)) {
        bool post = rng_below(&r->rng, 2);
        return lang_unary(
            g->p, p->down ? (post ? OP_POSTDEC : OP_PREDEC) : (post ? OP_POSTINC : OP_PREINC),
            name);
    }
    struct node *by = number(g, p->step, lang_basic(g->p, TYPE_INT));
    if (rng_below(&r->rng, 3))
        return lang_assign(g->p, p->down ? OP_SUB : OP_ADD, name, by);
    struct node *sum = lang_binary(g->p, p->down ? OP_SUB : OP_ADD,
                                   make_counter_name(g, p->counter), by);
    return lang_assign(g->p, OP_ASSIGN, name, sum);
}

/* Small numbers: a loop that is unrolled often costs the compiler time, and that is no bug. */
void make_pragma(struct gen *g, struct region *r, unsigned traits)
{
    enum { ANY_LOOP = 6, INTEGER_LOOP = 9 };
    static const char *const pragmas[] = {
        "#pragma GCC unroll 2",
        "#pragma GCC unroll 4",
        "#pragma GCC unroll 1",
        "#pragma clang loop unroll_count(3)",
        "#pragma clang loop unroll(disable)",
        "#pragma clang loop distribute(enable)",
        "#pragma clang loop vectorize(enable)",
        "#pragma clang loop interleave_count(4)",
        "#pragma clang loop vectorize_width(8)",
    };
    static const char *const alone[] = {"#pragma GCC ivdep",
                                        "#pragma clang loop vectorize(assume_safety)"};
    if (!gen_chance(g, &r->rng, GEN_share_pragma))
        return;
    bool whole = traits & LOOP_INTEGERS || !gen_has(g, GEN_HAS_FLOAT);
    bool pick = traits & LOOP_INDEPENDENT && rng_below(&r->rng, 2);
    struct node *n = lang_node(g->p, NODE_PRAGMA, NULL, 0);
    n->u.text = pick ? alone[rng_below(&r->rng, whole ? LENGTH(alone) : 1)]
                     : pragmas[rng_below(&r->rng, whole ? INTEGER_LOOP : ANY_LOOP)];
    make_attach(g, r, n);
}

bool make_stmt_for(struct gen *g, struct region *r)
{
    uint32_t at = r->block->count;
    struct counter c = make_counter_place(g, r);
    struct plan p = plan_loop(g, r, &c);
    struct node *kids[4];
    struct node *test = loop_test(g, r, &p);
    kids[0] = make_counter_start(g, &c, number(g, p.start, c.type));
    kids[1] = test;
    kids[2] = loop_step(g, r, &p);
    kids[3] = NULL;
    struct node *n = lang_node(g->p, NODE_FOR, kids, 4);
    n->kid[3] = make_body(g, r, n, c.var, p.trips);
    make_pragma(g, r, 0);
    make_attach(g, r, n);
    return make_walk_from(r, at);
}

/* ---- while and do ----------------------------------------------------------------------- */

/* A counter that is set before: int n = trips; */
struct var *make_declared_counter(struct gen *g, struct region *r, uint32_t trips)
{
    struct type *t = lang_basic(g->p, rng_below(&r->rng, 2) ? TYPE_INT : TYPE_UINT);
    struct var *v = counter_new(g, r, t);
    make_attach(g, r, lang_declare(g->p, v->decl, number(g, trips, t)));
    r->vars = v;
    return v;
}

/* n-- > 0, and perhaps something more. */
struct node *make_countdown(struct gen *g, struct region *r, struct node *counter, enum op op)
{
    struct node *left = lang_unary(g->p, op, counter);
    struct node *n = lang_binary(g->p, OP_GT, left, build_int(g, 0));
    if (rng_below(&r->rng, 3))
        return n;
    struct ctx c = make_pure(g, r, gen_setting(g, GEN_count_depth) > 2 ? 2 : 1);
    struct made more = make_expr_condition(g, &c);
    return lang_binary(g->p, OP_LAND, n, more.n);
}

/* One that is set before the loop. */
static struct counter set_counter(struct gen *g, struct region *r, uint32_t trips)
{
    struct counter c = make_counter_place(g, r);
    make_attach(g, r, make_counter_start(g, &c, number(g, trips, c.type)));
    if (c.var)
        r->vars = c.var;
    return c;
}

bool make_stmt_while(struct gen *g, struct region *r)
{
    uint32_t at = r->block->count, trips = make_trips(g, r);
    struct counter c = set_counter(g, r, trips);
    struct node *kids[2] = {make_countdown(g, r, make_counter_name(g, &c), OP_POSTDEC), NULL};
    struct node *n = lang_node(g->p, NODE_WHILE, kids, 2);
    n->kid[1] = make_body(g, r, n, NULL, trips);
    make_pragma(g, r, 0);
    make_attach(g, r, n);
    return make_walk_from(r, at);
}

bool make_stmt_do(struct gen *g, struct region *r)
{
    uint32_t at = r->block->count, trips = make_trips(g, r);
    struct counter c = set_counter(g, r, trips);
    struct node *kids[2] = {NULL, make_countdown(g, r, make_counter_name(g, &c), OP_PREDEC)};
    struct node *n = lang_node(g->p, NODE_DO, kids, 2);
    n->kid[0] = make_body(g, r, n, NULL, trips);
    make_pragma(g, r, 0);
    make_attach(g, r, n);
    return make_walk_from(r, at);
}

/* ---- switch ----------------------------------------------------------------------------- */

static void add_arm(struct gen *g, struct region *r, struct node *sw, struct node *n)
{
    lang_append(g->p, sw->kid[1], n);
    if (gen_chance(g, &r->rng, GEN_share_fallthrough))
        return;
    lang_append(g->p, sw->kid[1], build_break(g, sw));
}

static struct node *arm_body(struct gen *g, struct region *r, struct node *sw)
{
    struct region *inner;
    struct node *block = make_block(g, r, &inner);
    inner->exit = sw;
    return block;
}

static bool is_taken(const struct gen *g, const struct node *sw, u128 low, u128 high)
{
    u128 flip = gen_int_least(g, sw->kid[0]->type);
    for (uint32_t i = 0; i < sw->u.switch_->count; i++) {
        const struct case_info *c = sw->u.switch_->cases[i]->u.case_;
        if ((low ^ flip) <= (c->high ^ flip) && (c->low ^ flip) <= (high ^ flip))
            return true;
    }
    return false;
}

enum { MAX_ARMS = 12 };

/* Dense arms around the value, or sparse ones; the value's own among them, usually. */
static void add_arms(struct gen *g, struct region *r, struct node *sw, u128 value)
{
    struct type *t = sw->kid[0]->type;
    uint64_t arms = 1 + rng_below(&r->rng, MAX_ARMS - 1), other = rng_below(&r->rng, arms + 1);
    bool dense = rng_below(&r->rng, 2), hit = rng_below(&r->rng, 4);
    u128 next = lang_wrap(value - rng_below(&r->rng, arms + 1), gen_int_width(g, t));
    for (uint64_t i = 0; i < arms; i++) {
        u128 low = dense ? next : make_constant_bits(g, &r->rng, t), high = low;
        if (hit && i == arms / 2 && !is_taken(g, sw, value, value))
            low = high = value;
        if (gen_chance(g, &r->rng, GEN_share_range) && low < gen_int_most(g, t) - 4 && low > 4)
            high = low + 1 + rng_below(&r->rng, 3);
        next = lang_wrap(high + 1, gen_int_width(g, t));
        if (i == other)
            add_arm(g, r, sw, build_default(g, sw, arm_body(g, r, sw)));
        if (!is_taken(g, sw, low, high))
            add_arm(g, r, sw, build_case(g, sw, low, high, arm_body(g, r, sw)));
    }
}

bool make_stmt_switch(struct gen *g, struct region *r)
{
    struct ctx c = make_ctx_start(g, r);
    struct val tally = make_tally_now(g);
    c.pure = true;
    struct made m = make_expr_varying(g, &c);
    make_tally_back(g, tally);
    if (rng_below(&r->rng, 2)) {
        struct node *mask = number(g, 7, lang_basic(g->p, TYPE_INT));
        m.n = lang_binary(g->p, OP_AND, m.n, mask);
        m.v.bits &= 7;
    }
    if (gen_int_width(g, m.n->type->unqual) > 64)
        m = make_expr_convert(g, m, lang_basic(g->p, TYPE_INT));
    struct node *control = lang_promote(g->p, m.n);
    u128 value = run_convert(g, m.n->type->unqual, control->type, m.v.bits);
    struct node *n = build_switch(g, control, MAX_ARMS);
    add_arms(g, r, n, value);
    if (n->kid[1]->count && n->kid[1]->kid[n->kid[1]->count - 1]->kind != NODE_BREAK)
        lang_append(g->p, n->kid[1], lang_node(g->p, NODE_EMPTY, NULL, 0));
    make_attach(g, r, n);
    return make_walk_from(r, r->block->count - 1);
}

/* switch (e & 3) { case 0: do { ... case 3: ... case 2: ... case 1: ... } while (--n > 0); } */
bool make_stmt_duff(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    struct made e = make_expr_convert(g, make_expr_varying(g, &c), build_int_type(g));
    uint32_t at = r->block->count, trips = make_trips(g, r);
    uint64_t arms = rng_below(&r->rng, 2) ? 4 : 8;
    struct var *v = make_declared_counter(g, r, trips);
    struct node *sw = build_switch(g, build_op(g, OP_AND, e.n, build_int(g, arms - 1)),
                                   (uint32_t)arms);
    struct node *kids[2] = {lang_node(g->p, NODE_BLOCK, NULL, 0), NULL};
    kids[1] = lang_binary(g->p, OP_GT, lang_unary(g->p, OP_PREDEC, lang_name(g->p, v->decl)),
                          number(g, 0, v->type));
    struct node *loop = lang_node(g->p, NODE_DO, kids, 2);
    lang_append(g->p, sw->kid[1], build_case(g, sw, 0, 0, loop));
    for (uint64_t i = arms; i > 0; i--) {
        struct node *body = make_body(g, r, loop, NULL, trips);
        gen_region_of(g, body)->left = 1;
        lang_append(g->p, kids[0], i == arms ? body : build_case(g, sw, i, i, body));
    }
    make_attach(g, r, sw);
    return make_walk_from(r, at);
}
