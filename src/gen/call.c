/* Functions: new ones, and calls of those that there are.  A body is written when it is first
 * called, with the arguments' values known. */
#include "gen/private.h"

enum { MAX_PARAMS = 5, MAX_DEPTH = 12, MAX_RECURSION = 4, LEAST_ALLOWANCE = 30 };

/* ---- new functions ---------------------------------------------------------------------- */

static struct type *param_type(struct gen *g, struct rng *r, uint8_t class)
{
    if (class == CLASS_FULL && rng_below(r, 4) == 0) {
        struct type *t = type_integer(g, r);
        return lang_pointer(g->p, t);
    }
    if (chance(g, r, GEN_share_value) && g->records.n) {
        struct type *t = g->records.at[rng_below(r, g->records.n)];
        if (!type_has_pointer(t) || class != CLASS_LOCAL)
            return t;
    }
    if (policy(g, GEN_shape_real) && rng_below(r, 5) == 0)
        return type_real(g, r);
    return type_integer(g, r);
}

static struct attr *attribute(struct gen *g, const char *text)
{
    struct attr *a = NEW(&g->p->arena, struct attr);
    a->name = a->text = text;
    return a;
}

static void decorate(struct gen *g, struct rng *r, struct fn *fn)
{
    struct decl *d = fn->decl;
    d->storage = chance(g, r, GEN_share_static) ? STORAGE_STATIC : STORAGE_NONE;
    if (chance(g, r, GEN_share_noinline)) {
        d->attrs = attribute(g, "noinline");
    } else if (!fn->recursive && chance(g, r, GEN_share_always)) {
        d->attrs = attribute(g, "always_inline");
        d->storage = STORAGE_STATIC;
        d->inline_ = true;
    } else if (chance(g, r, GEN_share_inline)) {
        d->storage = STORAGE_STATIC;
        d->inline_ = true;
    }
    d->linkage = d->storage == STORAGE_STATIC ? LINKAGE_INTERNAL : LINKAGE_EXTERNAL;
}

static struct type *result_type(struct gen *g, struct rng *r, uint8_t class)
{
    if (chance(g, r, GEN_share_value) && g->records.n && class == CLASS_FULL)
        return g->records.at[rng_below(r, g->records.n)];
    if (policy(g, GEN_shape_real) && rng_below(r, 8) == 0)
        return type_real(g, r);
    return type_integer(g, r);
}

static void open_body(struct gen *g, struct fn *fn, struct rng *r)
{
    struct region outer = {.fn = fn, .rng = *r};
    outer.context = (uint8_t)policy_pick(g, r, GEN_context_mixed, GEN_context_arithmetic);
    for (uint32_t i = 0; i < fn->function->param_count; i++)
        outer.vars = about(g, fn->function->params[i])->var;
    uint32_t left = (uint32_t)rng_between(r, 2, 2 + policy(g, GEN_count_block));
    struct region *body = region_new(g, &outer, left);
    body->block = fn->function->body;
    body->block->u.text = (const char *)body;
    body->end = NODE_RETURN;
    body->nesting = 0;
}

void fn_name(struct gen *g, struct fn *fn, struct type *t, struct decl **params, struct rng *r)
{
    fn->decl = lang_decl_new(g->p, DECL_FUNC, new_name(g, 'f'), t);
    decorate(g, r, fn);
    fn->function = lang_define(g->p, fn->decl, params, t->canon->u.function->count);
    fn->object = NEW(&g->arena, struct object);
    fn->object->fn = fn;
    about(g, fn->decl)->fn = fn;
    g->counts.functions++;
}

void fn_define(struct gen *g, struct fn *fn, struct type *t, struct decl **params, struct rng *r)
{
    fn_name(g, fn, t, params, r);
    list_add(&g->arena, &g->functions, fn);
}

static void finish_fn(struct gen *g, struct fn *fn, struct type *t, struct decl **params,
                      struct rng *r)
{
    fn_define(g, fn, t, params, r);
    open_body(g, fn, r);
}

/* A function of the same type, which may do other things. */
static struct fn *fn_twin(struct gen *g, const struct fn *of)
{
    struct rng r = rng_fork_at(&g->rng, "twin", g->functions.n);
    struct fn *fn = NEW(&g->arena, struct fn);
    uint32_t count = of->function->param_count;
    struct decl **params = NEW_ARRAY(&g->p->arena, MAX_PARAMS, struct decl *);
    struct var *outer = NULL;
    fn->class = of->class;
    fn->allowance = of->allowance;
    for (uint32_t i = 0; i < count; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, new_name(g, 'a'),
                                  of->function->params[i]->type);
        outer = var_new(g, params[i], outer);
        outer->anywhere = params[i]->type->canon->kind == TYPE_POINTER;
        list_add(&g->arena, &fn->vars, outer);
    }
    struct type *result = of->decl->type->canon->base;
    finish_fn(g, fn, lang_function(g->p, result, params, count, TYPE_PROTOTYPE), params, &r);
    return fn;
}

struct fn *fn_new(struct gen *g, struct ctx *c, uint8_t class)
{
    struct rng r = rng_fork_at(&g->rng, "function", g->functions.n);
    struct fn *fn = NEW(&g->arena, struct fn);
    uint64_t most = spare(c->region) / (2 * (MAX_RECURSION + 2));
    fn->allowance = most > 20 * LEAST_ALLOWANCE ? 20 * LEAST_ALLOWANCE : most;
    fn->class = class;
    uint32_t count = (uint32_t)rng_below(&r, MAX_PARAMS);
    struct decl **params = NEW_ARRAY(&g->p->arena, MAX_PARAMS, struct decl *);
    struct var *outer = NULL;
    fn->recursive = policy(g, GEN_stmt_recurse) && rng_below(&r, 3) == 0;
    if (fn->recursive && count == 0)
        count = 1;
    for (uint32_t i = 0; i < count; i++) {
        struct type *t = param_type(g, &r, class);
        if (i == 0 && fn->recursive)
            t = lang_basic(g->p, TYPE_INT);
        params[i] = lang_decl_new(g->p, DECL_PARAM, new_name(g, 'a'), t);
        outer = var_new(g, params[i], outer);
        outer->locked = i == 0 && fn->recursive;
        outer->anywhere = t->kind == TYPE_POINTER;
        list_add(&g->arena, &fn->vars, outer);
    }
    struct type *t = lang_function(g->p, result_type(g, &r, class), params, count, TYPE_PROTOTYPE);
    finish_fn(g, fn, t, params, &r);
    return fn;
}

/* ---- arguments -------------------------------------------------------------------------- */

struct made expr_record(struct gen *g, struct ctx *c, struct type *t)
{
    struct made m = {0};
    struct var *v = NULL;
    bool local = c->quiet || c->region->fn->class == CLASS_LOCAL;
    uint64_t seen = 0;
    for (struct var *w = c->vars; w; w = w->outer)
        if (w->type->unqual == t->unqual && about(g, w->decl)->object && !w->secret &&
            rng_below(&c->region->rng, ++seen) == 0)
            v = w;
    if (!v && local)
        return m;
    if (!v)
        v = global_of_type(g, t->unqual);
    m.n = lang_name(g->p, v->decl);
    m.v.link = (struct link){about(g, v->decl)->object, 0};
    return m;
}

struct made expr_record_value(struct gen *g, struct ctx *c, struct type *t)
{
    struct made m = {0};
    if (chance(g, &c->region->rng, GEN_expr_literal))
        m = literal_record(g, c, t);
    return m.n ? m : expr_record(g, c, t);
}

static struct made argument(struct gen *g, struct ctx *c, struct type *t)
{
    if (t->kind == TYPE_POINTER)
        return expr_pointer(g, c, t, true);
    if (lang_is_record(t))
        return expr_record_value(g, c, t);
    struct made m = t->class == CLASS_FLOAT ? expr_real(g, c, t) : expr_int(g, c);
    if (m.n->type->class == CLASS_FLOAT && lang_is_integer(t))
        m = expr_convert(g, m, t);
    return m;
}

static struct val passed(struct gen *g, const struct made *m, struct type *t)
{
    struct val v = m->v;
    if (lang_is_arithmetic(t))
        v.bits = convert_bits(g, m->n->type->unqual, t->unqual, v.bits);
    return v;
}

/* ---- calls ------------------------------------------------------------------------------ */

static uint8_t pick_class(struct gen *g, const struct ctx *c)
{
    static const uint8_t classes[] = {CLASS_LOCAL, CLASS_READS, CLASS_FULL};
    for (int i = 0; i < 4; i++) {
        enum gen_policy row = policy_pick(g, &c->region->rng, GEN_class_local, GEN_class_full);
        uint8_t class = classes[row - GEN_class_local];
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
    (void)g;
    return class && quiet && !fn->active && call_bound(fn) < spare(c->region);
}

static struct fn *pick_function(struct gen *g, struct ctx *c)
{
    struct rng *r = &c->region->rng;
    bool fresh = g->functions.n < policy(g, GEN_count_functions) && g->budget > 3 &&
                 g->depth < MAX_DEPTH && spare(c->region) > 12 * LEAST_ALLOWANCE &&
                 (g->functions.n == 0 || rng_below(r, 3) == 0);
    if (fresh && c->calls & 1u << CLASS_LOCAL && chance(g, r, GEN_share_helper))
        return helper_new(g);
    if (fresh) {
        uint8_t class = pick_class(g, c);
        if (class != CLASS_NONE && (class == CLASS_LOCAL || !c->full->writes_global))
            return fn_new(g, c, class);
    }
    for (int i = 0; i < 3 && g->functions.n; i++) {
        struct fn *fn = g->functions.at[rng_below(r, g->functions.n)];
        if (may_call(g, c, fn))
            return fn;
    }
    return NULL;
}

struct ctx call_beside(const struct ctx *c, const struct fn *fn)
{
    struct ctx args = ctx_below(c);
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
    struct decl *d = lang_decl_new(g->p, DECL_VAR, new_name(g, 'p'), t);
    struct object *o = mem_new(g, t, d);
    struct node *init = lang_name(g->p, fn->decl);
    d->is_static = true;
    d->linkage = LINKAGE_EXTERNAL;
    about(g, d)->object = o;
    mem_zero(o);
    o->links[0] = (struct link){fn->object, 0};
    if (table) {
        struct node *list = lang_node(g->p, NODE_INIT, NULL, 0);
        lang_append(g->p, list, init);
        lang_append(g->p, list, lang_name(g->p, fn->twin->decl));
        o->links[1] = (struct link){fn->twin->object, 0};
        init = list;
    }
    list_add(&g->arena, &g->late, lang_declare(g->p, d, init));
    struct var *v = var_new(g, d, NULL);
    v->global = v->secret = true;
    return v;
}

/* How the function is named in a call: by itself, *p, p or table[i]; i may choose its twin. */
static struct node *callee(struct gen *g, struct ctx *c, struct fn **fn)
{
    struct rng *r = &c->region->rng;
    struct fn *of = *fn;
    bool direct = c->region->fn->class == CLASS_LOCAL || c->quiet || of->recursive ||
                  of->decl->inline_ || !chance(g, r, GEN_share_indirect);
    if (direct)
        return lang_name(g->p, of->decl);
    if (!of->pointer) {
        bool table = rng_below(r, 2) && g->budget > 3;
        if (table)
            of->twin = fn_twin(g, of);
        of->pointer = function_table(g, of, table);
    }
    struct node *n = lang_name(g->p, of->pointer->decl);
    if (!of->twin)
        return rng_below(r, 2) ? n : lang_unary(g->p, OP_DEREF, n);
    struct ctx below = ctx_below(c);
    below.pure = true;
    below.calls = 0;
    below.depth = 1;
    struct made i = expr_int(g, &below);
    if (of->twin->active || i.v.bits & 1)
        *fn = of->twin;
    struct node *one = lang_int(g->p, 1, lang_basic(g->p, TYPE_INT));
    return lang_index(g->p, n, lang_binary(g->p, OP_AND, i.n, one));
}

/* ---- variable arguments ----------------------------------------------------------------- */

/* static int fold(int n, ...): the same arithmetic as variadic_apply. */
static void define_fold(struct gen *g)
{
    struct program *p = g->p;
    struct type *int_type = lang_basic(p, TYPE_INT), *u = lang_basic(p, TYPE_UINT);
    struct decl **params = NEW_ARRAY(&p->arena, 1, struct decl *);
    params[0] = lang_decl_new(p, DECL_PARAM, "n", int_type);
    struct type *t = lang_function(p, u, params, 1, TYPE_PROTOTYPE | TYPE_VARIADIC);
    struct decl *d = g->fold_decl = lang_decl_new(p, DECL_FUNC, "fold", t);
    d->storage = STORAGE_STATIC;
    d->linkage = LINKAGE_INTERNAL;
    struct function *f = lang_define(p, d, params, 1);
    struct decl *list = lang_decl_new(p, DECL_VAR, "list", lang_basic(p, TYPE_VA_LIST));
    struct decl *sum = lang_decl_new(p, DECL_VAR, "total", u);
    lang_append(p, f->body, lang_declare(p, list, NULL));
    lang_append(p, f->body, lang_declare(p, sum, lang_int(p, 7, u)));
    struct node *start[2] = {lang_name(p, list), lang_name(p, params[0])};
    struct decl *builtin = lang_builtin(p, "__builtin_va_start");
    lang_append(p, f->body, lang_expr_stmt(p, lang_call(p, lang_name(p, builtin), start, 2)));
    struct node *ap = lang_name(p, list);
    struct node *next = lang_node(p, NODE_VA_ARG, &ap, 1);
    next->u.operand = next->type = int_type;
    struct node *times = lang_binary(p, OP_MUL, lang_name(p, sum), lang_int(p, 31, u));
    struct node *step = lang_assign(p, OP_ASSIGN, lang_name(p, sum),
                                    lang_binary(p, OP_XOR, times, next));
    struct node *more = lang_binary(p, OP_GT, lang_unary(p, OP_POSTDEC, lang_name(p, params[0])),
                                    lang_int(p, 0, int_type));
    struct node *loop[2] = {more, lang_expr_stmt(p, step)};
    lang_append(p, f->body, lang_node(p, NODE_WHILE, loop, 2));
    struct node *end[1] = {lang_name(p, list)};
    builtin = lang_builtin(p, "__builtin_va_end");
    lang_append(p, f->body, lang_expr_stmt(p, lang_call(p, lang_name(p, builtin), end, 1)));
    lang_append(p, f->body, lang_return(p, f, lang_name(p, sum)));
    list_add(&g->arena, &g->early, f->node);
}

u128 variadic_apply(const struct gen *g, const struct val *args, uint32_t n)
{
    uint32_t sum = 7;
    (void)g;
    for (uint32_t i = 1; i < n; i++)
        sum = sum * 31 ^ (uint32_t)args[i].bits;
    return sum;
}

struct made call_variadic(struct gen *g, struct ctx *c)
{
    struct made m = {0};
    struct node *args[4];
    struct val values[4] = {{0}};
    struct type *int_type = lang_basic(g->p, TYPE_INT);
    uint32_t n = 1 + (uint32_t)rng_below(&c->region->rng, 3);
    struct ctx below = ctx_below(c);
    if (!g->fold_decl)
        define_fold(g);
    args[0] = lang_int(g->p, n, int_type);
    for (uint32_t i = 1; i <= n; i++) {
        struct made a = expr_convert(g, expr_int(g, &below), int_type);
        args[i] = a.n;
        values[i] = a.v;
    }
    m.n = lang_call(g->p, lang_name(g->p, g->fold_decl), args, n + 1);
    m.v.bits = variadic_apply(g, values, n + 1);
    return m;
}

/* Pointers and structures first: they have no side effects, and may not be found; what numbers do
 * must not be lost. */
static bool make_arguments(struct gen *g, struct ctx *c, struct fn *fn, struct node **args,
                           struct val *values)
{
    for (int numbers = 0; numbers < 2; numbers++)
        for (uint32_t i = 0; i < fn->function->param_count; i++) {
            struct type *t = fn->function->params[i]->type->canon;
            struct made made;
            if (lang_is_arithmetic(t) != (bool)numbers)
                continue;
            if (i == 0 && fn->recursive)
                made = made_int(g, rng_below(&c->region->rng, MAX_RECURSION + 1), t);
            else
                made = argument(g, c, t);
            if (!made.n)
                return false;
            args[i] = made.n;
            values[i] = passed(g, &made, t);
        }
    return true;
}

/* For a value: an integer or floating one that is no structure. */
struct made call_make(struct gen *g, struct ctx *c, bool wants_value)
{
    struct made m = {0};
    if (c->dead || g->depth >= MAX_DEPTH)
        return m;
    if (wants_value && chance(g, &c->region->rng, GEN_share_varargs))
        return call_variadic(g, c);
    struct fn *fn = pick_function(g, c);
    if (!fn)
        return m;
    struct type *result = fn->decl->type->canon->base;
    bool record = lang_is_record(result);
    if (wants_value && (record || result->class == CLASS_FLOAT))
        return m;
    if (fn->class == CLASS_FULL && c->full->called & (1u << CLASS_FULL | 1u << CLASS_READS))
        return m;
    struct node *args[MAX_PARAMS];
    struct val values[MAX_PARAMS] = {{0}};
    struct ctx inner = call_beside(c, fn);
    c->full->called |= (uint8_t)(1u << fn->class);
    if (!make_arguments(g, &inner, fn, args, values))
        return m;
    m.n = lang_call(g->p, callee(g, &inner, &fn), args, fn->function->param_count);
    if (!m.n)
        BUG("%s", g->p->err.msg);
    c->region->fn->bound += call_bound(fn) * c->region->weight;
    run_call(g, fn, values, fn->function->param_count, &m.v);
    return m;
}

/* f(n - 1, ...) inside of f, as a statement that is attached before it runs. */
struct node *call_recursive(struct gen *g, struct ctx *c, struct region *r)
{
    struct fn *fn = r->fn;
    struct node *args[MAX_PARAMS];
    struct ctx inner = ctx_below(c);
    inner.calls = 0;
    inner.pure = true;
    struct node *n = lang_name(g->p, fn->function->params[0]);
    args[0] = lang_binary(g->p, OP_SUB, n, lang_int(g->p, 1, lang_basic(g->p, TYPE_INT)));
    for (uint32_t i = 1; i < fn->function->param_count; i++) {
        struct made m = argument(g, &inner, fn->function->params[i]->type->canon);
        if (!m.n)
            return NULL;
        args[i] = m.n;
    }
    return lang_call(g->p, lang_name(g->p, fn->decl), args, fn->function->param_count);
}
