/* New functions: their types, names and decoration, and what stands at the start of their bodies. A
 * body is written when it is first called, with the arguments' values known. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

#include <string.h>

/* ---- types ------------------------------------------------------------------------------ */

/* What a pointer that is passed or given back points to. */
static struct type *pointee(struct gen *g, struct rng *r)
{
    if (g->records.n && rng_below(r, 4) == 0)
        return g->records.at[rng_below(r, g->records.n)];
    return gen_setting(g, GEN_shape_real) && rng_below(r, 8) == 0 ? make_type_real(g, r)
                                                                  : make_type_integer(g, r);
}

/* A structure or union that may be copied where the class allows; NULL when there is none. */
static struct type *record_type(struct gen *g, struct rng *r, uint8_t class)
{
    const struct list *from = g->unions.n && rng_below(r, 2) ? &g->unions : &g->records;
    struct type *t = from->n ? from->at[rng_below(r, from->n)] : NULL;
    return t && class == CLASS_LOCAL && gen_has_pointer(t) ? NULL : t;
}

/* A value of any type that has no row of its own: floating, enum, vector, integer. */
static struct type *value_type(struct gen *g, struct rng *r)
{
    if (gen_setting(g, GEN_shape_real) && rng_below(r, 6) == 0)
        return make_type_real(g, r);
    if (g->enums.n && rng_below(r, 12) == 0)
        return g->enums.at[0];
    if (gen_setting(g, GEN_shape_vector) && rng_below(r, 10) == 0)
        return make_vector_type(g, r, true);
    return make_type_integer(g, r);
}

static struct type *param_type(struct gen *g, struct rng *r, uint8_t class)
{
    if (class == CLASS_FULL && rng_below(r, 4) == 0)
        return lang_pointer(g->p, pointee(g, r));
    struct type *t = gen_chance(g, r, GEN_share_value) ? record_type(g, r, class) : NULL;
    return t ? t : value_type(g, r);
}

/* Of a function that is called for its value (an integer, or a structure with one in it), or for
 * anything. */
static struct type *result_type(struct gen *g, struct rng *r, uint8_t class, bool wants_value)
{
    bool able = class != CLASS_LOCAL || gen_has(g, GEN_HAS_LITERAL); /* to have one to give back */
    struct type *t = able && gen_chance(g, r, GEN_share_value) ? record_type(g, r, class) : NULL;
    if (t && (class == CLASS_FULL || (wants_value && !gen_has_pointer(t))))
        return t;
    if (wants_value)
        return g->enums.n && rng_below(r, 12) == 0 ? g->enums.at[0] : make_type_integer(g, r);
    if (class == CLASS_FULL && gen_setting(g, GEN_shape_pointer) && rng_below(r, 6) == 0)
        return lang_pointer(g->p, pointee(g, r));
    return value_type(g, r);
}

/* ---- names ------------------------------------------------------------------------------ */

/* As written: "pure", "optimize(\"O1\")". */
static void add_attribute(struct gen *g, struct decl *d, const char *text)
{
    const char *name = arena_copy(&g->p->arena, text, strcspn(text, "("));
    struct attr *a = build_attribute(g, name, text);
    a->next = d->attrs;
    d->attrs = a;
}

/* Others must see a weak function; one that is optimised in its own way cannot take in those that
 * always are to be inlined. */
static bool may_advise(const struct gen *g, const struct decl *d, enum gen_policy advice)
{
    if (advice == GEN_attribute_weak)
        return d->linkage == LINKAGE_EXTERNAL && !d->inline_;
    if (advice == GEN_attribute_less || advice == GEN_attribute_more)
        return !gen_setting(g, GEN_share_always);
    return advice != GEN_attribute_none;
}

static void decorate(struct gen *g, struct rng *r, struct fn *fn)
{
    struct decl *d = fn->decl;
    d->storage = gen_chance(g, r, GEN_share_static) ? STORAGE_STATIC : STORAGE_NONE;
    if (gen_chance(g, r, GEN_share_noinline)) {
        d->attrs = build_attribute(g, "noinline", "noinline");
    } else if (!fn->recursive && !fn->rest_count && gen_chance(g, r, GEN_share_always)) {
        d->attrs = build_attribute(g, "always_inline", "always_inline");
        d->storage = STORAGE_STATIC;
        d->inline_ = true;
    } else if (gen_chance(g, r, GEN_share_inline)) {
        d->storage = STORAGE_STATIC;
        d->inline_ = true;
    }
    d->linkage = d->storage == STORAGE_STATIC ? LINKAGE_INTERNAL : LINKAGE_EXTERNAL;
    enum gen_policy advice = gen_pick(g, r, GEN_GROUP_attribute);
    if (may_advise(g, d, advice) && gen_has(g, GEN_HAS_ATTRIBUTE) && !d->attrs)
        add_attribute(g, d, gen_policy_info[advice].help);
}

/* What holds of the function, whatever its arguments: const and pure where it writes to nothing
 * (what never runs may write), returns_nonnull where it gives a pointer. */
static void promise(struct gen *g, struct rng *r, struct fn *fn)
{
    const struct type *result = fn->decl->type->canon->base;
    if (result->kind == TYPE_VOID || !gen_chance(g, r, GEN_share_promise))
        return;
    if (fn->class == CLASS_FULL && result->kind == TYPE_POINTER)
        add_attribute(g, fn->decl, "returns_nonnull");
    else if (fn->class == CLASS_LOCAL && !fn->tallies)
        add_attribute(g, fn->decl, "const");
    else if (fn->class == CLASS_READS && !fn->tallies)
        add_attribute(g, fn->decl, "pure");
}

/* Does anything in it access a volatile object, or call a function that does? */
static bool looks(struct gen *g, const struct node *n)
{
    if (n->flags & NODE_LVALUE && n->type->quals & QUAL_VOLATILE)
        return true;
    if (n->kind == NODE_NAME && n->u.decl->kind == DECL_FUNC && gen_about(g, n->u.decl)->fn &&
        gen_about(g, n->u.decl)->fn->looks)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && looks(g, n->kid[i]))
            return true;
    return false;
}

static void withdraw(struct decl *d, const char *name)
{
    struct attr **a = &d->attrs;
    while (*a && strcmp((*a)->name, name) != 0)
        a = &(*a)->next;
    if (*a)
        *a = (*a)->next;
}

void make_fn_keep_promises(struct gen *g)
{
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < g->functions.n; i++) {
            struct fn *fn = g->functions.at[i];
            if (fn->class != CLASS_READS || fn->looks || !fn->function->body ||
                !looks(g, fn->function->body))
                continue;
            fn->looks = more = true;
            withdraw(fn->decl, "pure");
        }
    }
}

static struct region *open_body(struct gen *g, struct fn *fn, struct rng *r)
{
    struct region outer = {.fn = fn, .rng = *r};
    outer.context = (uint16_t)gen_pick(g, r, GEN_GROUP_context);
    for (uint32_t i = 0; i < fn->function->param_count; i++)
        outer.vars = gen_about(g, fn->function->params[i])->var;
    uint32_t left = (uint32_t)rng_between(r, 3, 3 + 2 * gen_setting(g, GEN_count_block));
    struct region *body = make_region(g, &outer, left);
    body->block = fn->function->body;
    gen_set_region(g, body->block, body);
    body->outside = NULL;
    body->end = NODE_RETURN;
    body->nesting = 0;
    return body;
}

static void name_fn(struct gen *g, struct fn *fn, struct type *t, struct decl **params,
                    struct rng *r)
{
    fn->decl = lang_decl_new(g->p, DECL_FUNC, gen_new_name(g, 'f'), t);
    decorate(g, r, fn);
    fn->function = lang_define(g->p, fn->decl, params, t->canon->u.function->count);
    fn->object = NEW(&g->arena, struct object);
    fn->object->fn = fn;
    gen_about(g, fn->decl)->fn = fn;
    g->counts.functions++;
}

/* T f2(...) __attribute__((alias("f1"))): the same function by another name.  It must stand in the
 * same unit. */
static void add_alias(struct gen *g, struct rng *r, struct fn *fn)
{
    if (g->o->split || fn->decl->inline_ || !gen_chance(g, r, GEN_share_alias))
        return;
    fn->alias = lang_decl_new(g->p, DECL_FUNC, gen_new_name(g, 'f'), fn->decl->type);
    fn->alias->linkage = LINKAGE_EXTERNAL;
    gen_about(g, fn->alias)->fn = fn;
    add_attribute(g, fn->alias, arena_printf(&g->p->arena, "alias(\"%s\")", fn->decl->name));
    list_add(&g->arena, &g->late, lang_declare(g->p, fn->alias, NULL));
}

void make_fn_define(struct gen *g, struct fn *fn, struct type *t, struct decl **params,
                    struct rng *r)
{
    name_fn(g, fn, t, params, r);
    promise(g, r, fn);
    add_alias(g, r, fn);
    list_add(&g->arena, &g->functions, fn);
}

static bool takes_pointer(const struct function *f)
{
    for (uint32_t i = 0; i < f->param_count; i++)
        if (f->params[i]->type->canon->kind == TYPE_POINTER)
            return true;
    return false;
}

/* Compiled twice, for two processors.  clang-14 to -19 take a definition that does not repeat it
 * for another function of that name. */
static void clone_fn(struct gen *g, struct fn *fn)
{
    static const char text[] = "target_clones(\"avx2\", \"default\")";
    add_attribute(g, fn->decl, text);
    fn->function->specs->attrs = build_attribute(g, "target_clones", text);
}

/* A simple function, which shape/ calls with addresses of objects: they are not null. */
static void promise_simple(struct gen *g, struct rng *r, struct fn *fn)
{
    bool x86 = g->p->target == lang_target(TARGET_LP64);
    if (takes_pointer(fn->function) && gen_chance(g, r, GEN_share_promise))
        add_attribute(g, fn->decl, "nonnull");
    else if (x86 && !fn->decl->attrs && !fn->decl->inline_ && gen_chance(g, r, GEN_share_clones))
        clone_fn(g, fn);
}

void make_fn_name(struct gen *g, struct fn *fn, struct type *t, struct decl **params, struct rng *r)
{
    name_fn(g, fn, t, params, r);
    promise_simple(g, r, fn);
    list_add(&g->arena, &g->bodies, fn);
}

/* ---- variable arguments ----------------------------------------------------------------- */

/* What keeps its type when it is passed behind the dots (C11 6.5.2.2p6). */
static struct type *rest_type(struct gen *g, struct rng *r, uint8_t class)
{
    if (class == CLASS_FULL && rng_below(r, 5) == 0)
        return lang_pointer(g->p, pointee(g, r));
    bool records = gen_setting(g, GEN_share_value) && rng_below(r, 4) == 0;
    struct type *t = records ? record_type(g, r, class) : NULL;
    if (t)
        return t;
    if (gen_setting(g, GEN_shape_real) && rng_below(r, 4) == 0)
        return lang_basic(g->p, TYPE_DOUBLE);
    bool wide = gen_has(g, GEN_HAS_INT128) && gen_has(g, GEN_HAS_REST128);
    int kinds = wide ? TYPE_UINT128 : TYPE_ULLONG;
    uint64_t kind = TYPE_INT + rng_below(r, (uint64_t)(kinds - TYPE_INT) + 1);
    return lang_basic(g->p, (enum type_kind)kind);
}

static void list_call(struct gen *g, struct region *body, const char *name, struct node *list,
                      struct node *other)
{
    struct node *args[2] = {list, other};
    struct node *callee = lang_name(g->p, build_builtin(g, name));
    struct node *n = lang_call(g->p, callee, args, other ? 2 : 1);
    make_attach(g, body, lang_expr_stmt(g->p, n));
}

static struct var *list_new(struct gen *g, struct region *body)
{
    struct var *list = make_local(g, body, lang_basic(g->p, TYPE_VA_LIST), gen_new_name(g, 't'));
    make_attach(g, body, lang_declare(g->p, list->decl, NULL));
    return list;
}

static void take_rest(struct gen *g, struct region *body, const struct var *list, uint32_t from,
                      uint32_t to)
{
    const struct fn *fn = body->fn;
    for (uint32_t i = from; i < to; i++) {
        struct node *name = build_name(g, list), *next = lang_node(g->p, NODE_VA_ARG, &name, 1);
        next->u.operand = next->type = fn->rest[i];
        struct var *v = make_local(g, body, fn->rest[i], gen_new_name(g, 'l'));
        v->anywhere = v->type->kind == TYPE_POINTER;
        make_attach(g, body, lang_declare(g->p, v->decl, next));
        body->vars = v;
    }
}

/* At the start of the body, where every call comes by: all arguments are taken, some twice. */
static void open_rest(struct gen *g, struct region *body)
{
    const struct fn *fn = body->fn;
    struct node *last = lang_name(g->p, fn->function->params[fn->function->param_count - 1]);
    uint32_t count = fn->rest_count, some = (uint32_t)rng_below(&body->rng, 2 * count);
    struct var *list = list_new(g, body);
    list_call(g, body, "__builtin_va_start", build_name(g, list), last);
    if (some > count)
        some = count;
    take_rest(g, body, list, 0, some);
    if (some < count) {
        struct var *copy = list_new(g, body);
        list_call(g, body, "__builtin_va_copy", build_name(g, copy), build_name(g, list));
        take_rest(g, body, copy, some, count);
        list_call(g, body, "__builtin_va_end", build_name(g, copy), NULL);
        take_rest(g, body, list, some, count);
    }
    list_call(g, body, "__builtin_va_end", build_name(g, list), NULL);
}

/* ---- functions -------------------------------------------------------------------------- */

static void finish_fn(struct gen *g, struct fn *fn, struct type *t, struct decl **params,
                      struct rng *r)
{
    make_fn_define(g, fn, t, params, r);
    struct region *body = open_body(g, fn, r);
    if (fn->rest_count)
        open_rest(g, body);
}

/* A function of the same type, which may do other things. */
struct fn *make_fn_twin(struct gen *g, const struct fn *of)
{
    struct rng r = rng_fork_at(&g->rng, "twin", g->functions.n);
    struct fn *fn = NEW(&g->arena, struct fn);
    uint32_t count = of->function->param_count;
    struct decl **params = NEW_ARRAY(&g->p->arena, MAX_PARAMS, struct decl *);
    struct var *outer = NULL;
    fn->class = of->class;
    fn->allowance = of->allowance;
    fn->tallies = of->tallies;
    for (uint32_t i = 0; i < count; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'),
                                  of->function->params[i]->type);
        outer = gen_var_new(g, params[i], outer);
        outer->anywhere = params[i]->type->canon->kind == TYPE_POINTER;
        list_add(&g->arena, &fn->vars, outer);
    }
    struct type *result = of->decl->type->canon->base;
    finish_fn(g, fn, lang_function(g->p, result, params, count, TYPE_PROTOTYPE), params, &r);
    return fn;
}

/* The last parameter before the dots must not be one that promotion changes (C11 7.16.1.4p4). */
static void add_rest(struct gen *g, struct fn *fn, struct rng *r, struct type **last)
{
    if (!lang_is_integer(*last) || lang_promoted(g->p, *last) != *last)
        *last = lang_basic(g->p, TYPE_INT);
    fn->rest_count = 1 + (uint32_t)rng_below(r, MAX_REST);
    fn->rest = NEW_ARRAY(&g->arena, fn->rest_count, struct type *);
    for (uint32_t i = 0; i < fn->rest_count; i++)
        fn->rest[i] = rest_type(g, r, fn->class);
}

/* What a function is to be. */
struct plan {
    uint8_t class;
    uint64_t allowance;
    bool recursive;
    bool wants_value;
    bool silent; /* who calls it tallies nothing, so it must not either */
    bool loud;   /* who it calls back tallies, so it can promise nothing */
};

/* A function that tallies nothing gives its locals back with its result: a narrow one loses them.
 */
static struct type *wide_result(struct gen *g, struct rng *r, struct type *t)
{
    if (g->observe == GEN_observe_nothing || !lang_is_integer(t) || gen_int_width(g, t) >= 32)
        return t;
    return rng_below(r, 2) ? build_word_type(g) : lang_basic(g->p, TYPE_ULLONG);
}

static struct fn *fn_make(struct gen *g, const struct plan *p)
{
    struct rng r = rng_fork_at(&g->rng, "function", g->functions.n);
    struct fn *fn = NEW(&g->arena, struct fn);
    uint8_t class = fn->class = p->class;
    fn->allowance = p->allowance;
    fn->tallies = class != CLASS_FULL && gen_chance(g, &r, GEN_share_tally) && !p->silent;
    fn->tallies = fn->tallies || p->loud;
    fn->recursive = p->recursive || (gen_setting(g, GEN_stmt_recurse) && rng_below(&r, 3) == 0);
    bool dots = !fn->recursive && gen_chance(g, &r, GEN_share_varargs);
    uint32_t count = (uint32_t)rng_below(&r, MAX_PARAMS);
    if ((fn->recursive || dots) && count == 0)
        count = 1;
    struct type *types[MAX_PARAMS];
    for (uint32_t i = 0; i < count; i++)
        types[i] = param_type(g, &r, class);
    if (fn->recursive)
        types[0] = lang_basic(g->p, TYPE_INT);
    if (dots)
        add_rest(g, fn, &r, &types[count - 1]);
    struct decl **params = NEW_ARRAY(&g->p->arena, MAX_PARAMS, struct decl *);
    struct var *outer = NULL;
    for (uint32_t i = 0; i < count; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), types[i]);
        outer = gen_var_new(g, params[i], outer);
        outer->locked = i == 0 && fn->recursive;
        outer->anywhere = types[i]->kind == TYPE_POINTER;
        list_add(&g->arena, &fn->vars, outer);
    }
    struct type *result = result_type(g, &r, class, p->wants_value);
    if (class != CLASS_FULL && !lang_is_integer(result) && gen_setting(g, GEN_share_tally))
        fn->tallies = !p->silent; /* nothing can be given back with such a result */
    if (!fn->tallies && class != CLASS_FULL)
        result = wide_result(g, &r, result);
    unsigned flags = TYPE_PROTOTYPE | (dots ? TYPE_VARIADIC : 0);
    finish_fn(g, fn, lang_function(g->p, result, params, count, flags), params, &r);
    return fn;
}

struct fn *make_fn_new(struct gen *g, struct ctx *c, uint8_t class, bool wants_value)
{
    uint64_t most = make_spare(c->region) / (2 * (MAX_RECURSION + 2));
    const struct fn *by = c->region->fn;
    struct plan p = {class,       most > MOST_ALLOWANCE ? MOST_ALLOWANCE : most, false,
                     wants_value, by->class != CLASS_FULL && !by->tallies,       false};
    return fn_make(g, &p);
}

struct fn *make_fn_partner(struct gen *g, struct fn *fn)
{
    struct plan p = {fn->class,
                     fn->allowance,
                     true,
                     lang_is_integer(fn->decl->type->canon->base),
                     fn->class != CLASS_FULL && !fn->tallies,
                     fn->tallies};
    fn->partner = fn_make(g, &p);
    fn->partner->partner = fn;
    return fn->partner;
}

bool make_fn_room(const struct gen *g)
{
    return g->functions.n < gen_setting(g, GEN_count_functions) && g->budget > 3 &&
           g->depth < MAX_DEPTH;
}

/* ---- a function that folds its arguments ------------------------------------------------ */

/* static int fold(int n, ...): the same arithmetic as run_fold. */
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

struct made make_call_variadic(struct gen *g, struct ctx *c)
{
    struct made m = {0};
    struct node *args[4];
    struct val values[4] = {{0}};
    struct type *int_type = lang_basic(g->p, TYPE_INT);
    uint32_t n = 1 + (uint32_t)rng_below(&c->region->rng, 3);
    struct ctx below = make_ctx_below(c);
    if (!g->fold_decl)
        define_fold(g);
    args[0] = lang_int(g->p, n, int_type);
    for (uint32_t i = 1; i <= n; i++) {
        struct made a = make_expr_convert(g, make_expr_int(g, &below), int_type);
        args[i] = a.n;
        values[i] = a.v;
    }
    m.n = lang_call(g->p, lang_name(g->p, g->fold_decl), args, n + 1);
    m.v.bits = run_fold(g, values, n + 1);
    return m;
}
