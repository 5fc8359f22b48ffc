/* Calls: of functions that there are, and of new ones; what is passed, and what becomes of results.
 */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

/* ---- arguments -------------------------------------------------------------------------- */

struct made make_expr_record(struct gen *g, struct ctx *c, struct type *t)
{
    struct made m = {0};
    struct var *v = NULL;
    bool local = c->quiet || c->region->fn->class == CLASS_LOCAL;
    uint64_t seen = 0;
    for (struct var *w = c->vars; w; w = gen_var_next(c->vars, w))
        if (w->type->unqual == t->unqual && gen_about(g, w->decl)->object && !w->secret &&
            rng_below(&c->region->rng, ++seen) == 0)
            v = w;
    if (!v && local)
        return m;
    if (!v)
        v = make_global_of_type(g, t->unqual);
    m.n = lang_name(g->p, v->decl);
    m.v.link = (struct link){gen_about(g, v->decl)->object, 0};
    return m;
}

struct made make_expr_record_value(struct gen *g, struct ctx *c, struct type *t)
{
    struct made m = {0};
    if (gen_chance(g, &c->region->rng, GEN_expr_literal))
        m = make_literal_record(g, c, t);
    return m.n ? m : make_expr_record(g, c, t);
}

static struct made argument(struct gen *g, struct ctx *c, struct type *t)
{
    if (t->kind == TYPE_POINTER)
        return make_expr_pointer(g, c, t, true);
    if (lang_is_record(t))
        return make_expr_record_value(g, c, t);
    if (t->kind == TYPE_VECTOR)
        return make_vector_value(g, c, t);
    struct made m = t->class == CLASS_FLOAT ? make_expr_real(g, c, t) : make_expr_int(g, c);
    if (m.n->type->class == CLASS_FLOAT && lang_is_integer(t))
        m = make_expr_convert(g, m, t);
    return m;
}

static struct val passed(struct gen *g, const struct made *m, struct type *t)
{
    struct val v = m->v;
    if (lang_is_arithmetic(t))
        v.bits = run_convert(g, m->n->type->unqual, t->unqual, v.bits);
    return v;
}

/* ---- calls ------------------------------------------------------------------------------ */

static uint8_t pick_class(struct gen *g, const struct ctx *c)
{
    for (int i = 0; i < 4; i++) {
        uint8_t class = (uint8_t)gen_draw(g, &c->region->rng, GEN_GROUP_class);
        if (c->calls >> class & 1)
            return class;
    }
    return c->calls & 1 ? CLASS_LOCAL : CLASS_NONE;
}

/* What a call takes at most; the depth of recursion is bounded by its first argument. */
static uint64_t call_bound(const struct fn *fn)
{
    return fn->recursive ? fn->allowance * (MAX_RECURSION + 2) : fn->allowance;
}

static bool may_call(const struct gen *g, const struct ctx *c, const struct fn *fn)
{
    bool class = c->calls >> fn->class & 1;
    bool quiet = fn->class == CLASS_LOCAL || !c->full->writes_global;
    const struct fn *by = c->region->fn;
    bool silent = by->class != CLASS_FULL && !by->tallies;
    (void)g;
    return class && quiet && !(silent && fn->tallies) && !fn->active &&
           call_bound(fn) < make_spare(c->region);
}

static struct fn *pick_function(struct gen *g, struct ctx *c, bool wants_value)
{
    struct rng *r = &c->region->rng;
    bool fresh = make_fn_room(g) && make_spare(c->region) > 12 * LEAST_ALLOWANCE &&
                 (g->functions.n == 0 || rng_below(r, 2) == 0);
    if (fresh && c->calls & 1u << CLASS_LOCAL && gen_chance(g, r, GEN_share_helper) &&
        !make_is_strict(g))
        return g->hooks->small_function(g);
    if (fresh) {
        uint8_t class = pick_class(g, c);
        if (class != CLASS_NONE && (class == CLASS_LOCAL || !c->full->writes_global))
            return make_fn_new(g, c, class, wants_value);
    }
    for (int i = 0; i < 3 && g->functions.n; i++) {
        struct fn *fn = g->functions.at[rng_below(r, g->functions.n)];
        if (may_call(g, c, fn))
            return fn;
    }
    return NULL;
}

struct ctx make_call_beside(const struct ctx *c, const struct fn *fn)
{
    struct ctx args = make_ctx_below(c);
    args.calls &= fn->class == CLASS_FULL ? 0 : (uint8_t) ~(1u << CLASS_FULL);
    args.depth = args.depth > 2 ? 2 : args.depth;
    return args;
}

/* ---- pointers to functions -------------------------------------------------------------- */

static struct type *pointer_to(struct gen *g, const struct fn *fn)
{
    return lang_pointer(g->p, fn->decl->type->canon);
}

/* A global table of two functions, or a pointer to one. */
static struct var *function_table(struct gen *g, struct fn *fn, bool table)
{
    struct type *t = pointer_to(g, fn);
    if (table)
        t = lang_array(g->p, t, 2);
    struct decl *d = lang_decl_new(g->p, DECL_VAR, gen_new_name(g, 'p'), t);
    struct object *o = run_mem_new(g, t, d);
    struct node *init = lang_name(g->p, fn->decl);
    d->is_static = true;
    d->linkage = LINKAGE_EXTERNAL;
    gen_about(g, d)->object = o;
    run_mem_zero(o);
    o->links[0] = (struct link){fn->object, 0};
    if (table) {
        struct node *list = lang_node(g->p, NODE_INIT, NULL, 0);
        lang_append(g->p, list, init);
        lang_append(g->p, list, lang_name(g->p, fn->twin->decl));
        o->links[1] = (struct link){fn->twin->object, 0};
        init = list;
    }
    list_add(&g->arena, &g->late, lang_declare(g->p, d, init));
    struct var *v = gen_var_new(g, d, NULL);
    v->global = v->secret = true;
    return v;
}

/* How the function is named in a call: by itself, *p, p or table[i]; i may choose its twin. */
static struct node *callee(struct gen *g, struct ctx *c, struct fn **fn)
{
    struct rng *r = &c->region->rng;
    struct fn *of = *fn;
    bool direct = c->region->fn->class == CLASS_LOCAL || c->quiet || of->recursive ||
                  of->decl->inline_ || !gen_chance(g, r, GEN_share_indirect);
    if (direct)
        return lang_name(g->p, of->alias && rng_below(r, 2) ? of->alias : of->decl);
    if (!of->pointer) {
        bool table = !of->rest_count && rng_below(r, 2) && g->budget > 3;
        if (table)
            of->twin = make_fn_twin(g, of);
        of->pointer = function_table(g, of, table);
    }
    struct node *n = lang_name(g->p, of->pointer->decl);
    if (!of->twin)
        return rng_below(r, 2) ? n : lang_unary(g->p, OP_DEREF, n);
    struct ctx below = make_ctx_below(c);
    below.pure = true;
    below.calls = 0;
    below.depth = 1;
    struct made i = make_expr_int(g, &below);
    if (of->twin->active || i.v.bits & 1)
        *fn = of->twin;
    struct node *one = lang_int(g->p, 1, lang_basic(g->p, TYPE_INT));
    return lang_index(g->p, n, lang_binary(g->p, OP_AND, i.n, one));
}

static struct type *slot_type(const struct fn *fn, uint32_t i)
{
    uint32_t named = fn->function->param_count;
    return i < named ? fn->function->params[i]->type->canon : fn->rest[i - named];
}

/* What goes behind the dots has exactly the type that the function takes it with. */
static struct made slot_value(struct gen *g, struct ctx *c, const struct fn *fn, uint32_t i)
{
    struct type *t = slot_type(fn, i);
    if (i == 0 && fn->recursive)
        return build_number(g, rng_below(&c->region->rng, MAX_RECURSION + 1), t);
    bool exact = i >= fn->function->param_count && lang_is_arithmetic(t);
    return exact ? make_expr_of_type(g, c, t) : argument(g, c, t);
}

/* Pointers and structures first: they have no side effects, and may not be found; what numbers do
 * must not be lost. */
static bool make_arguments(struct gen *g, struct ctx *c, const struct fn *fn, struct node **args,
                           struct val *values)
{
    for (int numbers = 0; numbers < 2; numbers++)
        for (uint32_t i = 0; i < fn->function->param_count + fn->rest_count; i++) {
            struct type *t = slot_type(fn, i);
            if (lang_is_arithmetic(t) != (bool)numbers)
                continue;
            struct made made = slot_value(g, c, fn, i);
            if (!made.n)
                return false;
            args[i] = made.n;
            values[i] = passed(g, &made, t);
        }
    return true;
}

/* A member of a structure that is given back, or NULL. */
static const struct field *integer_member(struct rng *r, const struct type *t)
{
    const struct field *found = NULL;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < t->u.record->count; i++) {
        const struct field *f = t->u.record->fields[i];
        if (f->name && lang_is_integer(f->type) && !gen_is_wide_field(f) &&
            rng_below(r, ++seen) == 0)
            found = f;
    }
    return found;
}

/* f(...).m */
static struct made member_of_result(struct gen *g, struct made m, const struct field *f)
{
    struct spot s = {m.v.link.to, (uint64_t)m.v.link.at + f->offset, f->type->canon,
                     f->is_bitfield ? (struct field *)f : NULL};
    m.n = lang_member(g->p, m.n, f->name, false);
    run_mem_load(g, &s, &m.v);
    return m;
}

/* For a value: an integer, or such a member of a structure. */
struct made make_call(struct gen *g, struct ctx *c, bool wants_value)
{
    struct made m = {0};
    if (c->dead || g->depth >= MAX_DEPTH)
        return m;
    if (wants_value && rng_below(&c->region->rng, 300) < gen_setting(g, GEN_share_varargs))
        return make_call_variadic(g, c);
    struct fn *fn = pick_function(g, c, wants_value);
    if (!fn)
        return m;
    struct type *result = fn->decl->type->canon->base;
    const struct field *member = NULL;
    if (wants_value && lang_is_record(result))
        member = integer_member(&c->region->rng, result);
    if (wants_value && !member && !lang_is_integer(result))
        return m;
    if (fn->class == CLASS_FULL && c->full->called & (1u << CLASS_FULL | 1u << CLASS_READS))
        return m;
    struct node *args[MAX_PARAMS + MAX_REST];
    struct val values[MAX_PARAMS + MAX_REST] = {{0}};
    uint32_t count = fn->function->param_count + fn->rest_count;
    struct ctx inner = make_call_beside(c, fn);
    c->full->called |= (uint8_t)(1u << fn->class);
    if (!make_arguments(g, &inner, fn, args, values))
        return m;
    m.n = lang_call(g->p, callee(g, &inner, &fn), args, count);
    if (!m.n)
        BUG("%s", g->p->err.msg);
    make_charge(c->region, call_bound(fn));
    run_call(g, fn, values, count, &m.v);
    return member ? member_of_result(g, m, member) : m;
}

/* ---- results ---------------------------------------------------------------------------- */

/* A variable of an arithmetic type, by name, for the result of a call that may do anything. */
static struct lval plain_target(struct gen *g, struct ctx *c)
{
    struct lval none = {0};
    for (int i = 0; i < 4; i++) {
        struct ctx named = *c;
        named.quiet = true; /* only names, for the designator */
        struct lval l = make_lvalue_pick(g, &named, WANT_WRITE, KIND_INT | KIND_REAL);
        if (l.n)
            return l;
    }
    return none;
}

bool make_keep_local(struct gen *g, struct region *r, struct made m)
{
    struct type *t = m.n->type->unqual;
    struct var *v = make_local(g, r, t, gen_new_name(g, 'l'));
    struct object *o = run_mem_new(g, t, v->decl);
    struct spot s = {o, 0, t, NULL};
    make_attach(g, r, lang_declare(g->p, v->decl, m.n));
    run_mem_store(g, &s, &m.v);
    gen_about(g, v->decl)->object = o;
    r->vars = v;
    return true;
}

/* Where there is no variable for it. */
static bool keep_aside(struct gen *g, struct region *r, struct made m)
{
    if (make_observe_result(g, r, m))
        return true;
    bool able = lang_is_arithmetic(m.n->type) && g->observe != GEN_observe_nothing;
    return able ? make_keep_local(g, r, m) : make_stmt_done(g, r, m.n);
}

static bool keep_number(struct gen *g, struct region *r, struct ctx *c, struct made m)
{
    struct lval l = rng_below(&r->rng, 5) ? plain_target(g, c) : (struct lval){0};
    if (!l.n || (m.n->type->class == CLASS_FLOAT && l.s.type->class != CLASS_FLOAT))
        return keep_aside(g, r, m);
    bool keep = make_observes(g, r) && lang_is_integer(l.s.type) && run_mem_ready(g, &l.s) &&
                rng_below(&r->rng, 6);
    if (!keep)
        make_show_now(g, c, l);
    if (keep && l.s.type->kind == TYPE_BOOL && lang_is_integer(m.n->type))
        m = make_combine(g, c, OP_AND, m, build_number(g, 1, build_int_type(g)));
    return make_stmt_done(g, r, make_assign(g, c, l, keep ? OP_XOR : OP_ASSIGN, m).n);
}

static bool keep_record(struct gen *g, struct region *r, struct ctx *c, struct made m)
{
    struct made to = make_expr_record(g, c, m.n->type);
    struct lval l = {to.n, {to.v.link.to, 0, m.n->type, NULL}, NULL};
    if (to.n && !(to.n->type->quals & QUAL_CONST))
        return make_stmt_done(g, r, make_assign(g, c, l, OP_ASSIGN, m).n);
    return make_keep_local(g, r, m);
}

static bool keep_vector(struct gen *g, struct region *r, struct ctx *c, struct made m)
{
    struct var *v = make_vector_target(g, c, m.n->type);
    if (!v)
        return make_keep_local(g, r, m);
    return make_stmt_done(g, r, make_assign(g, c, make_lvalue_name(g, v), OP_ASSIGN, m).n);
}

static bool is_pointer_like(struct gen *g, const struct var *v, const struct type *like)
{
    (void)g;
    return make_is_plain(v) && v->type == like;
}

/* p = f(...), x = *f(...), *f(...) = e: the pointer is never null.  Beside the call stand only
 * locals that nothing points to. */
static bool keep_pointer(struct gen *g, struct region *r, struct ctx *c, struct made m)
{
    struct ctx quiet = *c;
    quiet.quiet = quiet.pure = true;
    quiet.calls = 0;
    struct lval l = {lang_unary(g->p, OP_DEREF, m.n),
                     {m.v.link.to, (uint64_t)m.v.link.at, m.n->type->base, NULL},
                     NULL};
    switch (rng_below(&r->rng, 3)) {
    case 0: {
        struct var *v = make_pick_global(g, &r->rng, is_pointer_like, m.n->type);
        if (!v)
            return make_stmt_done(g, r, m.n);
        return make_stmt_done(g, r, make_assign(g, c, make_lvalue_name(g, v), OP_ASSIGN, m).n);
    }
    case 1: {
        l = make_lvalue_descend(g, &quiet, l, WANT_READ, KIND_INT | KIND_REAL);
        struct made value = make_lvalue_read(g, l);
        return value.n ? keep_number(g, r, c, value) : make_stmt_done(g, r, m.n);
    }
    default: {
        l = make_lvalue_descend(g, &quiet, l, WANT_WRITE, KIND_INT | KIND_REAL);
        if (!l.n)
            return make_stmt_done(g, r, m.n);
        struct made value = make_expr_of_type(g, &quiet, l.s.type);
        return make_stmt_done(g, r, make_assign(g, c, l, OP_ASSIGN, value).n);
    }
    }
}

bool make_stmt_call(struct gen *g, struct region *r)
{
    struct ctx c = make_ctx_start(g, r);
    if (r->fn->class == CLASS_FULL)
        c.calls |= 1u << CLASS_FULL;
    struct made m = make_call(g, &c, false);
    if (!m.n)
        return false;
    const struct type *t = m.n->type;
    if (t->kind == TYPE_POINTER)
        return keep_pointer(g, r, &c, m);
    if (t->kind == TYPE_VECTOR)
        return keep_vector(g, r, &c, m);
    return lang_is_record(t) ? keep_record(g, r, &c, m) : keep_number(g, r, &c, m);
}

/* ---- recursion -------------------------------------------------------------------------- */

/* f(n - 1, ...) inside of f or its partner, attached before it runs; NULL when an argument is not
 * found. */
static struct node *call_deeper(struct gen *g, struct ctx *c, struct region *r, struct fn *to)
{
    struct node *args[MAX_PARAMS];
    struct ctx inner = make_ctx_below(c);
    inner.calls = 0;
    inner.pure = true;
    struct node *n = lang_name(g->p, r->fn->function->params[0]);
    args[0] = build_op(g, OP_SUB, n, build_int(g, 1));
    for (uint32_t i = 1; i < to->function->param_count; i++) {
        struct made m = argument(g, &inner, to->function->params[i]->type->canon);
        if (!m.n)
            return NULL;
        args[i] = m.n;
    }
    return lang_call(g->p, lang_name(g->p, to->decl), args, to->function->param_count);
}

/* Itself, or another that will come back. */
static struct fn *deeper(struct gen *g, struct region *r)
{
    struct fn *fn = r->fn;
    if (fn->partner)
        return fn->partner;
    bool other = !r->dead && make_fn_room(g) && rng_below(&r->rng, 2);
    return other ? make_fn_partner(g, fn) : fn;
}

/* x op f(n - 1).  The deeper call comes by here while the operands are being evaluated, so nothing
 * may have to be guarded: what could overflow is unsigned. */
static struct node *accumulated(struct gen *g, struct ctx *c, struct node *call)
{
    static const uint8_t ops[] = {OP_XOR, OP_AND, OP_OR, OP_ADD, OP_MUL, OP_SUB};
    struct rng *r = &c->region->rng;
    struct ctx quiet = *c;
    quiet.quiet = quiet.pure = true;
    quiet.calls = 0;
    quiet.depth = 0;
    bool wide = gen_int_width(g, call->type) > 64;
    struct node *x =
        make_expr_convert(g, make_expr_int(g, &quiet), lang_basic(g->p, TYPE_ULLONG)).n;
    enum op op = make_op_among(r, c->context, ops, wide ? 3 : LENGTH(ops));
    return build_op(g, op, x, call);
}

/* x = f(n - 1), return f(n - 1), return x + f(n - 1), or just the call. */
static struct node *recursion(struct gen *g, struct region *r, struct ctx *c, struct node *call)
{
    struct function *of = r->fn->function;
    struct type *result = r->fn->decl->type->canon->base;
    bool both = lang_is_integer(call->type) && lang_is_integer(result);
    uint64_t way = rng_below(&r->rng, 3);
    if (way == 0 && (both || call->type->unqual == result->unqual))
        return lang_return(g->p, of, call);
    if (way == 1 && both)
        return lang_return(g->p, of, accumulated(g, c, call));
    struct lval l = lang_is_integer(call->type) ? plain_target(g, c) : (struct lval){0};
    if (l.n && l.s.type->class != CLASS_FLOAT)
        return make_merge(g, &r->rng, l.n, call);
    return lang_expr_stmt(g->p, call);
}

/* if (n > 0) ... */
bool make_stmt_recurse(struct gen *g, struct region *r)
{
    struct fn *fn = r->fn;
    if (!fn->recursive || fn->recursed || r->nesting > 1 || r->weight > 1)
        return false;
    fn->recursed = true;
    struct ctx c = make_ctx_start(g, r);
    struct node *call = call_deeper(g, &c, r, deeper(g, r));
    if (!call)
        return false;
    struct node *depth = lang_name(g->p, fn->function->params[0]);
    struct node *deep = recursion(g, r, &c, call);
    if (deep->kind == NODE_RETURN)
        make_observe_leaving(g, r);
    make_attach(g, r, build_if(g, build_op(g, OP_GT, depth, build_int(g, 0)), deep, NULL));
    return make_walk_from(r, r->block->count - 1);
}
