/* Statements, made when execution reaches them.  Simple ones are executed by the making of their
 * expressions; of loops, choices and jumps the header is made, without side effects, and attached,
 * and execution walks into it: bodies are blocks that are still open. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

enum { SPARE_WHEN_DEAD = 4096, LEAST_BLOCK = 6 };
/* Of an allowance, a fifth is kept for showing locals; of a small one a third. */
enum { KEPT_FOR_SHOWING = 5, KEPT_OF_FEW = 3, FEW_STEPS = 250 };

/* ---- blocks ----------------------------------------------------------------------------- */

struct region *make_region(struct gen *g, struct region *outer, uint32_t left)
{
    struct region *r = NEW(&g->arena, struct region);
    r->fn = outer->fn;
    r->loop = outer->loop;
    r->exit = outer->exit;
    r->vars = r->outside = outer->vars;
    r->weight = outer->weight ? outer->weight : 1;
    r->rng = rng_fork_at(&g->rng, "region", g->regions++);
    r->left = left;
    r->nesting = (uint8_t)(outer->nesting + 1);
    r->context = outer->context;
    r->dead = outer->dead;
    if (rng_below(&r->rng, 4) == 0)
        r->context = (uint16_t)gen_pick(g, &r->rng, GEN_GROUP_context);
    r->open = true;
    return r;
}

struct node *make_block(struct gen *g, struct region *outer, struct region **inner)
{
    uint32_t left = (uint32_t)rng_between(&outer->rng, 1, gen_setting(g, GEN_count_block));
    struct region *r = make_region(g, outer, left);
    r->block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    gen_set_region(g, r->block, r);
    if (inner)
        *inner = r;
    return r->block;
}

uint64_t make_spare(const struct region *r)
{
    const struct fn *fn = r->fn;
    if (r->dead)
        return SPARE_WHEN_DEAD;
    uint64_t part = fn->allowance < FEW_STEPS ? KEPT_OF_FEW : KEPT_FOR_SHOWING;
    uint64_t most = fn->allowance - (r->closes ? 0 : fn->allowance / part);
    return fn->bound < most ? (most - fn->bound) / r->weight : 0;
}

void make_charge(struct region *r, uint64_t steps)
{
    r->fn->bound += steps * r->weight;
}

struct node *make_attach(struct gen *g, struct region *r, struct node *n)
{
    if (!n)
        BUG("%s", g->p->err.msg);
    lang_append(g->p, r->block, n);
    if (r->dead)
        g->counts.dead++;
    else
        g->counts.statements++;
    return n;
}

bool make_walk_from(struct region *r, uint32_t at)
{
    r->resume = at;
    r->resumes = true;
    return true;
}

bool make_walk_expr(struct gen *g, struct region *r, struct node *n)
{
    make_attach(g, r, lang_expr_stmt(g->p, n));
    return make_walk_from(r, r->block->count - 1);
}

bool make_run_now(struct gen *g, struct region *r, struct node *n)
{
    uint32_t after = r->block->count;
    r->flow = r->dead ? FLOW_NEXT : run_exec(g, &n);
    return make_walk_from(r, after);
}

struct var *make_local(struct gen *g, struct region *r, struct type *t, const char *name)
{
    struct decl *d = lang_decl_new(g->p, DECL_VAR, name, t);
    d->owner = r->fn->function;
    list_add(&g->p->arena, &r->fn->function->locals, d);
    struct var *v = gen_var_new(g, d, r->vars);
    list_add(&g->arena, &r->fn->vars, v);
    return v;
}

/* ---- assignments ------------------------------------------------------------------------ */

/* trace(id, value) of what was assigned; nothing random is drawn, so the program stays the same. */
static void probe(struct gen *g, struct region *r, const struct node *n)
{
    if (!g->trace_decl || r->fn->class != CLASS_FULL || n->kind == NODE_CALL || r->dead)
        return;
    if ((n->kind != NODE_ASSIGN && n->kind != NODE_UNARY) || !tree_is_pure(n->kid[0]) ||
        !lang_is_integer(n->type))
        return;
    struct node *args[2] = {lang_int(g->p, g->probes++, lang_basic(g->p, TYPE_INT)),
                            tree_clone(g, n->kid[0])};
    struct node *call = lang_call(g->p, lang_name(g->p, g->trace_decl), args, 2);
    lang_append(g->p, r->block, lang_expr_stmt(g->p, call));
    run_exec(g, &r->block->kid[r->block->count - 1]);
}

bool make_stmt_done(struct gen *g, struct region *r, struct node *n)
{
    make_attach(g, r, lang_expr_stmt(g->p, n));
    probe(g, r, n);
    return true;
}

static bool assign_real(struct gen *g, struct region *r)
{
    static const uint8_t ops[] = {OP_ASSIGN, OP_ASSIGN, OP_ADD, OP_SUB, OP_MUL, OP_DIV};
    struct ctx c = make_ctx_start(g, r), pure = c;
    pure.pure = true;
    pure.calls = 0;
    struct lval l = make_lvalue_pick(g, &pure, WANT_BOTH, KIND_REAL);
    if (!l.n)
        return false;
    enum op op = make_op_among(&r->rng, r->context, ops, LENGTH(ops));
    struct made right = make_expr_real(g, &pure, l.s.type->unqual);
    struct made old = make_lvalue_read(g, l);
    if (op != OP_ASSIGN && !old.n)
        op = OP_ASSIGN;
    make_show_now(g, &c, l);
    return make_stmt_done(g, r, make_assign(g, &c, l, op, right).n);
}

static bool shows(const struct gen *g, const struct region *r)
{
    return g->observe != GEN_observe_nothing && !r->dead;
}

/* What was assigned last would be lost, perhaps unread: where values are to show, it mostly stays
 * in. */
static bool keeps_old(const struct gen *g, struct region *r, const struct lval *l)
{
    bool able = shows(g, r) && run_mem_ready(g, &l->s) &&
                !(l->s.field && gen_is_wide_field(l->s.field));
    return able && rng_below(&r->rng, r->fn->class == CLASS_FULL ? 6 : 16);
}

static bool is_keeping(enum op op)
{
    return op == OP_ADD || op == OP_SUB || op == OP_XOR;
}

/* An operator that keeps what was there.  ^= does not overflow, but in a loop it takes back every
 * other time what it did before. */
static enum op keeping(struct gen *g, struct region *r, const struct type *t)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_ADD, OP_XOR};
    static const uint64_t all = UINT64_C(1) << OP_ADD | UINT64_C(1) << OP_SUB |
                                UINT64_C(1) << OP_XOR;
    enum op kept = make_pick_op_of(g, &r->rng, r->context, all);
    if (kept != OP_COUNT)
        return kept;
    if (r->weight > 1)
        return (enum op)ops[rng_below(&r->rng, 3)];
    return gen_int_signed(g, t) ? OP_XOR : (enum op)ops[rng_below(&r->rng, LENGTH(ops))];
}

/* x |= e may lose what x was, x += e does not. */
static enum op compound(struct gen *g, struct region *r, const struct type *t)
{
    enum op op = make_pick_op(g, &r->rng, r->context);
    return is_keeping(op) || !shows(g, r) ||
                   rng_below(&r->rng, r->fn->class == CLASS_FULL ? 6 : 16) == 0
               ? op
               : keeping(g, r, t);
}

/* An assignment that is being made. */
struct assignment {
    enum op op;
    struct lval to;
    bool own; /* its right side reads what it writes: x += 240 - x loses x */
    struct made right;
};

/* A number to assign to, where values are to show mostly one that the right side does not name. */
static void pick_target(struct gen *g, const struct ctx *c, struct assignment *a, enum want want)
{
    const struct full before = *c->full;
    struct ctx pure = *c;
    pure.pure = true;
    pure.calls = 0;
    pure.depth = 1;
    for (int tries = shows(g, c->region) ? 3 : 1; tries > 0; tries--) {
        a->to = make_lvalue_pick(g, &pure, want, KIND_INT);
        a->own = a->to.n && make_full_names(&before, a->to.var->decl);
        if (!a->own)
            break;
    }
}

/* _Bool b: b += e forgets what b was, and all but whether e is zero; b ^= e & 1 does not. */
static void keep_bit(struct gen *g, struct ctx *c, struct assignment *a)
{
    struct region *r = c->region;
    if (a->to.s.type->kind != TYPE_BOOL || !shows(g, r) || !run_mem_ready(g, &a->to.s) ||
        rng_below(&r->rng, 4) == 0)
        return;
    a->op = OP_XOR;
    a->right = make_combine(g, c, OP_AND, a->right, build_number(g, 1, build_int_type(g)));
}

static bool finish_assignment(struct gen *g, struct ctx *c, struct assignment *a)
{
    keep_bit(g, c, a);
    bool bit = a->to.s.type->kind == TYPE_BOOL && a->op != OP_XOR;
    if (a->own || bit || !is_keeping(a->op))
        make_show_now(g, c, a->to);
    return make_stmt_done(g, c->region, make_assign(g, c, a->to, a->op, a->right).n);
}

static bool step_target(struct gen *g, struct ctx *c, const struct assignment *a)
{
    static const uint8_t steps[] = {OP_POSTINC, OP_POSTDEC, OP_PREINC, OP_PREDEC};
    if (a->to.s.type->kind == TYPE_BOOL)
        make_show_now(g, c, a->to);
    enum op op = (enum op)steps[rng_below(&c->region->rng, LENGTH(steps))];
    return make_stmt_done(g, c->region, make_step(g, c, a->to, op).n);
}

bool make_stmt_assign(struct gen *g, struct region *r)
{
    if (gen_setting(g, GEN_shape_real) && rng_below(&r->rng, 7) == 0)
        return assign_real(g, r);
    struct ctx c = make_ctx_start(g, r);
    enum gen_policy target = gen_pick(g, &r->rng, GEN_GROUP_target);
    struct assignment a = {.op = OP_ASSIGN};
    bool plain = target == GEN_target_plain, steps = target == GEN_target_step;
    if (!steps)
        a.right = make_expr_int(g, &c);
    pick_target(g, &c, &a, plain ? WANT_WRITE : WANT_BOTH);
    if (!a.to.n)
        return a.right.n && (make_observe_result(g, r, a.right) || make_keep_local(g, r, a.right));
    if (steps)
        return step_target(g, &c, &a);
    if (make_is_same(a.to.n, a.right.n)) /* x = x, x -= x */
        a.right = build_number(g, 1 + rng_below(&r->rng, 999), build_int_type(g));
    if (!plain)
        a.op = compound(g, r, a.to.s.type);
    else if (keeps_old(g, r, &a.to))
        a.op = keeping(g, r, a.to.s.type);
    return finish_assignment(g, &c, &a);
}

/* ---- locals ----------------------------------------------------------------------------- */

static struct type *local_type(struct gen *g, struct rng *r)
{
    uint64_t draw = rng_below(r, 10);
    if (draw == 0 && g->records.n) {
        struct type *t = g->records.at[rng_below(r, g->records.n)];
        return gen_has_pointer(t) ? make_type_integer(g, r) : t;
    }
    if (draw == 1) {
        struct type *of = make_type_integer(g, r);
        return lang_array(g->p, of, 1 + rng_below(r, 8));
    }
    if (draw == 2 && gen_setting(g, GEN_shape_real))
        return make_type_real(g, r);
    return make_type_integer(g, r);
}

/* static T l = constant; it lives on, so what touches it is no local effect. */
static bool static_local(struct gen *g, struct region *r, struct type *t)
{
    struct decl *d = lang_decl_new(g->p, DECL_VAR, gen_new_name(g, 'l'), t);
    struct object *o = run_mem_new(g, t, d);
    d->owner = r->fn->function;
    d->storage = STORAGE_STATIC;
    d->is_static = true;
    run_mem_zero(o);
    gen_about(g, d)->object = o;
    make_attach(g, r, lang_declare(g->p, d, make_initialiser(g, &r->rng, t, o, 0)));
    r->vars = gen_var_new(g, d, r->vars);
    r->vars->global = true;
    return true;
}

/* __typeof__(e), of its own initialiser e, or the type itself. */
static struct type *written_type(struct gen *g, struct region *r, const struct made *m,
                                 struct type *t)
{
    bool able = !(m->n->flags & NODE_LVALUE) && tree_is_pure(m->n) && m->n->type->kind != TYPE_BOOL;
    if (!able || !gen_chance(g, &r->rng, GEN_share_typeof))
        return t;
    return lang_typeof(g->p, m->n->type->unqual, tree_clone(g, m->n));
}

bool make_stmt_local(struct gen *g, struct region *r)
{
    if (r->fn->class == CLASS_FULL && gen_setting(g, GEN_shape_pointer) &&
        rng_below(&r->rng, 8) == 0)
        return make_pointer_local(g, r);
    if (gen_setting(g, GEN_shape_vector) && rng_below(&r->rng, 12) == 0)
        return make_vector_local(g, r);
    struct type *t = local_type(g, &r->rng);
    if (r->fn->class == CLASS_FULL && rng_below(&r->rng, 12) == 0 && !gen_has_pointer(t))
        return static_local(g, r, t);
    struct ctx c = make_ctx_start(g, r);
    struct made m = {0};
    bool bare = lang_is_integer(t) && gen_chance(g, &r->rng, GEN_share_bare);
    struct node *init = NULL;
    if (!lang_is_arithmetic(t)) {
        init = make_initialiser(g, &r->rng, t, NULL, 0);
    } else if (!bare) {
        m = t->class == CLASS_FLOAT ? make_expr_real(g, &c, t) : make_expr_int(g, &c);
        init = m.n;
    }
    struct type *written = m.n ? written_type(g, r, &m, t) : t;
    t = written->canon;
    struct var *v = make_local(g, r, written, gen_new_name(g, 'l'));
    make_attach(g, r, lang_declare(g->p, v->decl, init));
    r->vars = v;
    if (!m.n)
        return make_walk_from(r, r->block->count - 1);
    struct object *o = run_mem_new(g, t, v->decl);
    struct spot s = {o, 0, t, NULL};
    m.v.bits = run_convert(g, m.n->type->unqual, t, m.v.bits);
    run_mem_store(g, &s, &m.v);
    gen_about(g, v->decl)->object = o;
    return true;
}

/* ---- choices ---------------------------------------------------------------------------- */

static struct node *expected(struct gen *g, struct region *r, struct node *test)
{
    if (!gen_chance(g, &r->rng, GEN_share_expect))
        return test;
    struct decl *d = build_builtin(g, "__builtin_expect");
    struct node *no = lang_unary(g->p, OP_LNOT, test);
    struct node *args[2] = {no, lang_int(g->p, rng_below(&r->rng, 2), lang_basic(g->p, TYPE_INT))};
    return lang_unary(g->p, OP_LNOT, lang_call(g->p, lang_name(g->p, d), args, 2));
}

bool make_stmt_if(struct gen *g, struct region *r)
{
    struct ctx c = make_ctx_start(g, r);
    struct made test = make_expr_condition(g, &c);
    bool truth = run_is_true(g, test.n->type->unqual, &test.v);
    bool other = rng_below(&r->rng, 2);
    struct node *kids[3] = {lang_condition(g->p, expected(g, r, test.n)), NULL, NULL};
    kids[1] = make_block(g, r, NULL);
    if (other)
        kids[2] = make_block(g, r, NULL);
    make_attach(g, r, lang_node(g->p, NODE_IF, kids, 3));
    if (!truth && !other)
        return true;
    return make_run_now(g, r, kids[truth ? 1 : 2]);
}

bool make_stmt_block(struct gen *g, struct region *r)
{
    make_attach(g, r, make_block(g, r, NULL));
    return make_walk_from(r, r->block->count - 1);
}

/* break, continue or return at the end of a block under a condition. */
bool make_stmt_leave(struct gen *g, struct region *r)
{
    struct ctx c = make_ctx_start(g, r);
    c.pure = true;
    struct val tally = make_tally_now(g);
    struct made test = make_expr_condition(g, &c);
    make_tally_back(g, tally);
    bool truth = run_is_true(g, test.n->type->unqual, &test.v);
    struct region *inner;
    struct node *block = make_block(g, r, &inner);
    inner->left = (uint32_t)rng_below(&r->rng, 3);
    bool main_ = r->fn == g->functions.at[0];
    if (r->loop && rng_below(&r->rng, 2))
        inner->end = NODE_CONTINUE;
    else if (r->exit && rng_below(&r->rng, 4))
        inner->end = NODE_BREAK;
    else if (!main_ && rng_below(&r->rng, 2))
        inner->end = NODE_RETURN;
    struct node *kids[3] = {lang_condition(g->p, test.n), block, NULL};
    if (truth && inner->end == NODE_RETURN && rng_below(&r->rng, 4)) {
        /* mostly the other way round, so that the rest of the block is not lost */
        kids[0] = lang_unary(g->p, OP_LNOT, test.n);
    }
    make_attach(g, r, lang_node(g->p, NODE_IF, kids, 3));
    return make_walk_from(r, r->block->count - 1);
}

/* ---- what is known ---------------------------------------------------------------------- */

/* A condition on x that holds for the value that it has. */
static struct node *fact_about(struct gen *g, struct rng *r, struct node *x, u128 bits)
{
    struct type *t = x->type->unqual;
    u128 near = rng_below(r, 1u << rng_below(r, 12)), most = gen_int_most(g, t);
    bool minus = gen_int_signed(g, t) && bits >> (gen_int_width(g, t) - 1) & 1;
    switch (rng_below(r, 5)) {
    case 0: /* x <= k */
        if (near > (minus ? lang_wrap(-bits, gen_int_width(g, t)) : most - bits))
            near = 0;
        return build_op(g, OP_LE, x,
                        build_number(g, lang_wrap(bits + near, gen_int_width(g, t)), t).n);
    case 1: /* x >= k */
        near = !minus && near > bits ? bits : near;
        if (minus && near > bits - gen_int_least(g, t))
            near = bits - gen_int_least(g, t);
        return build_op(g, OP_GE, x,
                        build_number(g, lang_wrap(bits - near, gen_int_width(g, t)), t).n);
    case 2: /* x != k */
        return build_op(g, OP_NE, x, build_number(g, bits ^ 1, t).n);
    case 3: /* (x & m) == k */
        near = (UINT64_C(1) << (1 + rng_below(r, 4))) - 1;
        return build_op(g, OP_EQ, build_op(g, OP_AND, x, build_int(g, (uint64_t)near)),
                        build_int(g, (uint64_t)(bits & near)));
    default:
        return build_op(g, OP_EQ, x, build_number(g, bits, t).n);
    }
}

/* if (!fact) __builtin_unreachable(); or __builtin_assume(fact).  When execution comes by another
 * time and it is not so, the block is filled like any other, and the call becomes its argument:
 * neither was ever false before. */
bool make_stmt_assume(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    struct lval l = make_lvalue_pick(g, &c, WANT_READ, KIND_INT);
    struct made m = l.n && tree_is_pure(l.n) ? make_lvalue_read(g, l) : (struct made){0};
    if (!m.n || m.n->type->kind == TYPE_BOOL)
        return false;
    struct node *fact = fact_about(g, &r->rng, m.n, m.v.bits);
    if (gen_has(g, GEN_HAS_ASSUME) && rng_below(&r->rng, 2)) {
        struct decl *d = build_builtin(g, "__builtin_assume");
        make_attach(g, r, lang_expr_stmt(g->p, lang_call(g->p, lang_name(g->p, d), &fact, 1)));
        return true;
    }
    struct region *inner;
    struct node *never = make_block(g, r, &inner);
    inner->assumed = true;
    make_attach(g, r, build_if(g, lang_unary(g->p, OP_LNOT, fact), never, NULL));
    return true;
}

/* ---- aggregates ------------------------------------------------------------------------ */

bool make_stmt_copy(struct gen *g, struct region *r)
{
    struct ctx c = make_ctx_start(g, r);
    const struct list *from = g->unions.n && rng_below(&r->rng, 3) == 0 ? &g->unions : &g->records;
    if (!from->n || r->fn->class != CLASS_FULL)
        return false;
    struct type *t = from->at[rng_below(&r->rng, from->n)];
    struct made to = make_expr_record(g, &c, t), right = make_expr_record_value(g, &c, t);
    if (!to.n || !right.n || to.n->type->quals & QUAL_CONST)
        return false;
    if (make_is_same(to.n, right.n)) { /* there is only one */
        struct var *other = make_global_new(g, t->unqual);
        right = (struct made){build_name(g, other), {0}};
        right.v.link = (struct link){gen_about(g, other->decl)->object, 0};
    }
    struct lval l = {to.n, {to.v.link.to, 0, to.n->type, NULL}, NULL};
    make_show_now(g, &c, l);
    return make_stmt_done(g, r, make_assign(g, &c, l, OP_ASSIGN, right).n);
}

/* ---- the next one ----------------------------------------------------------------------- */

/* &a, or e ? &a : &b */
static struct made some_address(struct gen *g, struct ctx *c, struct type *t)
{
    struct made a = make_expr_address(g, c, t);
    if (rng_below(&c->region->rng, 3))
        return a;
    struct ctx pure = make_ctx_below(c);
    pure.pure = true;
    pure.calls = 0;
    struct made test = make_expr_condition(g, &pure), b = make_expr_address(g, c, t), m;
    bool truth = !c->dead && run_is_true(g, test.n->type->unqual, &test.v);
    m.n = lang_cond(g->p, test.n, a.n, b.n);
    m.v = truth ? a.v : b.v;
    return m;
}

static struct node *return_value(struct gen *g, struct region *r)
{
    struct type *t = r->fn->decl->type->canon->base;
    struct ctx c = make_ctx_start(g, r);
    if (t->kind == TYPE_VOID)
        return NULL;
    if (lang_is_record(t)) {
        struct made m = make_expr_record_value(g, &c, t);
        if (!m.n) /* it may name locals only, and has none */
            m = make_literal_record(g, &c, t);
        g->result = m.v;
        return m.n;
    }
    if (t->kind == TYPE_POINTER || t->kind == TYPE_VECTOR) {
        struct made m = t->kind == TYPE_VECTOR ? make_vector_value(g, &c, t)
                                               : some_address(g, &c, t);
        g->result = m.v;
        return m.n;
    }
    struct made m;
    if (t->class == CLASS_FLOAT)
        m = make_expr_real(g, &c, t);
    else /* a constant would be known to every caller: seldom */
        m = make_observe_return(
            g, &c, rng_below(&r->rng, 8) ? make_expr_varying(g, &c) : make_expr_int(g, &c));
    g->result = m.v;
    g->result.bits = run_convert(g, m.n->type->unqual, t->unqual, m.v.bits);
    return m.n;
}

static struct node *leaving(struct gen *g, struct region *r, enum node_kind kind)
{
    struct node *n = lang_node(g->p, kind, NULL, 0);
    n->u.target = kind == NODE_BREAK ? r->exit : r->loop;
    return n;
}

/* Nothing more comes into the block. */
static enum flow finish(struct gen *g, struct region *r)
{
    r->open = false;
    make_observe_scope(g, r);
    enum flow f = FLOW_NEXT;
    if (r->end == NODE_RETURN) {
        make_attach(g, r, lang_return(g->p, r->fn->function, return_value(g, r)));
        f = FLOW_RETURN;
    } else if (r->end) {
        make_attach(g, r, leaving(g, r, r->end));
        f = r->end == NODE_BREAK ? FLOW_BREAK : FLOW_CONTINUE;
    }
    r->resume = r->block->count;
    return f;
}

/* A function that counts its depth must call itself, or the one that it recurses through. */
static bool owes_recursion(const struct gen *g, const struct region *r)
{
    return r->fn->recursive && !r->fn->recursed && r->nesting == 0 && r->weight == 1 && g->budget;
}

static bool may_stand(const struct gen *g, const struct region *r, const struct statement *s)
{
    switch (s->where) {
    case WHERE_FULL:
        return r->fn->class == CLASS_FULL && make_spare(r) >= s->least;
    case WHERE_NESTS: /* a block that can hold something */
        return r->nesting <= gen_setting(g, GEN_count_nesting) && make_spare(r) >= LEAST_BLOCK;
    case WHERE_LOOPS:
        return r->nesting <= gen_setting(g, GEN_count_nesting) && make_spare(r) >= LEAST_BLOCK &&
               make_trips_allowed(g, r) >= 1;
    default:
        return true;
    }
}

/* A statement of the row, or what stands in its place where it cannot be made: the only fallback.
 * The way ends at a row that can always be made (policy.def). */
static void make_one(struct gen *g, struct region *r, enum gen_policy row)
{
    gen_tick(g);
    for (;;) {
        const struct statement *s = &g->hooks->statements[row];
        struct val tally = make_tally_now(g);
        if (!may_stand(g, r, s)) {
            row = GEN_stmt_assign;
            continue;
        }
        if (s->make(g, r))
            return;
        make_tally_back(g, tally); /* of calls that nobody sees */
        row = s->otherwise;
    }
}

/* Which statement comes next.  In main itself often a call, while there may be more functions: work
 * is done in functions that call each other, not in one long list. */
static enum gen_policy next_row(struct gen *g, struct region *r)
{
    bool flat = r->fn == g->functions.at[0] && r->nesting == 0 && make_fn_room(g);
    if (flat && gen_setting(g, GEN_stmt_call) && rng_below(&r->rng, 4) == 0)
        return GEN_stmt_call;
    return gen_pick(g, &r->rng, GEN_GROUP_stmt);
}

enum flow make_stmt_next(struct gen *g, struct region *r)
{
    bool owes = r->left == 0 && owes_recursion(g, r);
    bool bare = r->block->count == 0 && r->left > 0 && g->budget == 0 && make_spare(r) > 1;
    if (!owes && !bare && (r->left == 0 || g->budget == 0 || (make_spare(r) < 2 && r->nesting)))
        return finish(g, r);
    make_charge(r, 1);
    r->left -= !owes;
    g->budget -= g->budget > 0;
    g->steps++;
    r->resumes = false;
    r->flow = FLOW_NEXT;
    make_registers(g, r);
    make_one(g, r, owes ? GEN_stmt_recurse : bare ? GEN_stmt_assign : next_row(g, r));
    if (!r->resumes)
        r->resume = r->block->count;
    return r->flow;
}

/* A statement where execution never comes: made as elsewhere, out of what the variables hold when
 * the program has ended, and neither repaired nor executed. */
void make_stmt_dead(struct gen *g, struct region *r)
{
    r->dead = true;
    make_one(g, r, gen_pick(g, &r->rng, GEN_GROUP_stmt));
}
