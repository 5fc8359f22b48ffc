/* Loops over arrays, as functions that take them by pointer: what vectorisers, loop distribution,
 * if-conversion and interprocedural passes look at.  Where the pointers are restrict, the arrays
 * of a call do not overlap; elsewhere they may be the same. */
#include "gen/shape/private.h"
#include "gen/make/make.h"
#include "gen/build.h"

enum { PARAMS = 5, LONGEST = 64 };

/* ---- new ones --------------------------------------------------------------------------- */

static struct type *pointer_param(struct gen *g, struct type *of, bool constant, bool alone)
{
    struct type *t = lang_pointer(g->p, constant ? lang_qualified(g->p, of, QUAL_CONST) : of);
    return alone ? lang_qualified(g->p, t, QUAL_RESTRICT) : t;
}

static void declare_params(struct loop *l, const struct array_body *row, bool alone,
                           struct decl **params)
{
    struct gen *g = l->g;
    struct var **vars[PARAMS] = {&l->to, &l->from, &l->other, &l->n, &l->k};
    struct type *int_type = build_int_type(g);
    struct type *types[PARAMS] = {
        pointer_param(g, l->function->of[0], false, alone),
        pointer_param(g, l->function->of[1], true, alone),
        pointer_param(g, l->function->of[2], !(row->traits & SECOND), alone), int_type, int_type};
    for (int i = 0; i < PARAMS; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), types[i]);
        *vars[i] = gen_var_new(g, params[i], NULL);
        list_add(&g->arena, &l->function->fn->vars, *vars[i]);
    }
}

/* if (k > 20) return; the rest may be split off, and what is before it inlined. */
static void put_early_exit(struct loop *l, const struct array_body *row)
{
    if (rng_below(l->r, 4))
        return;
    uint64_t most = 1 + rng_below(l->r, 30);
    struct node *test = build_op(l->g, (row->traits & STRIDE) || rng_below(l->r, 2) ? OP_GT : OP_LT,
                                 build_name(l->g, (row->traits & STRIDE) ? l->n : l->k),
                                 build_int(l->g, most));
    struct node *none = (row->traits & GIVES) ? build_int(l->g, 0) : NULL;
    lang_append(l->g->p, l->function->fn->function->body,
                build_if(l->g, test, lang_return(l->g->p, l->function->fn->function, none), NULL));
}

static struct array_function *function_new(struct gen *g, struct type *const *of)
{
    struct rng r = rng_fork_at(&g->rng, "kernel", g->array_functions.n);
    struct array_function *k = NEW(&g->arena, struct array_function);
    const struct array_body *row = &shape_array_bodies[gen_pick(g, &r, GEN_GROUP_array)];
    bool alone = gen_chance(g, &r, GEN_share_restrict);
    k->fn = NEW(&g->arena, struct fn);
    for (int i = 0; i < 3; i++)
        k->of[i] = of[i];
    k->cost = (row->traits & QUADRATIC) ? 0 : row->cost;
    k->least = row->least;
    k->exclusive = alone || (row->traits & SECOND);
    k->gives = (row->traits & GIVES);
    k->stride = (row->traits & STRIDE);
    struct loop l = {.g = g, .r = &r, .function = k};
    struct decl **params = NEW_ARRAY(&g->p->arena, PARAMS, struct decl *);
    l.scope = (struct region){.fn = k->fn, .rng = r, .context = make_context(g, &r)};
    if (rng_below(&r, 3))
        l.word = lang_basic(g->p, rng_below(&r, 2) ? TYPE_UINT : TYPE_ULONG);
    declare_params(&l, row, alone, params);
    struct type *result = (row->traits & GIVES) ? shape_array_result(&l)
                                                : lang_basic(g->p, TYPE_VOID);
    make_fn_name(g, k->fn, lang_function(g->p, result, params, PARAMS, TYPE_PROTOTYPE), params, &r);
    l.i = make_counter(g, &l.scope);
    put_early_exit(&l, row);
    row->write(&l);
    list_add(&g->arena, &g->array_functions, k);
    return k;
}

/* ---- calls ------------------------------------------------------------------------------ */

static bool is_number(const struct type *t)
{
    return (lang_is_integer(t) || t->class == CLASS_FLOAT) && t->kind != TYPE_BOOL &&
           t->kind != TYPE_ENUM && t->kind != TYPE_INT128 && t->kind != TYPE_UINT128 &&
           t->kind != TYPE_BITINT && t->quals == 0;
}

static bool is_row(struct gen *g, const struct var *v, const struct type *of)
{
    const struct type *t = v->type;
    (void)g;
    return make_is_plain(v) && t->kind == TYPE_ARRAY && t->u.count >= 4 && is_number(t->base) &&
           (!of || t->base == of);
}

/* An array of such elements, not the one given. */
static struct var *array_of(struct gen *g, struct rng *r, struct type *of, const struct var *except)
{
    struct var *v = NULL;
    for (int i = 0; i < 3 && (!v || v == except); i++)
        v = make_pick_global(g, r, is_row, of);
    if (v && v != except)
        return v;
    return make_global_new(g, lang_array(g->p, of, (uint64_t)rng_between(r, 8, LONGEST)));
}

static struct type *some_element(struct gen *g, struct rng *r)
{
    static const uint8_t kinds[] = {TYPE_UCHAR, TYPE_SHORT, TYPE_USHORT, TYPE_INT,  TYPE_INT,
                                    TYPE_UINT,  TYPE_UINT,  TYPE_LONG,   TYPE_ULONG};
    bool real = gen_setting(g, GEN_shape_real) && rng_below(r, 6) == 0;
    struct var *v = rng_below(r, 2) ? make_pick_global(g, r, is_row, NULL) : NULL;
    if (v)
        return v->type->base;
    return real ? lang_basic(g->p, rng_below(r, 2) ? TYPE_FLOAT : TYPE_DOUBLE)
                : make_type_among(g, r, kinds, LENGTH(kinds));
}

static struct array_function *pick_function(struct gen *g, struct rng *r)
{
    if (g->array_functions.n && rng_below(r, 3))
        return g->array_functions.at[rng_below(r, g->array_functions.n)];
    struct type *of[3];
    of[0] = some_element(g, r);
    of[1] = rng_below(r, 2) ? of[0] : some_element(g, r);
    of[2] = rng_below(r, 2) ? of[0] : some_element(g, r);
    return function_new(g, of);
}

/* How many elements all have, within what may still be spent. */
static uint64_t shortest(const struct region *r, const struct array_function *k,
                         struct var *const *arrays)
{
    uint64_t n = LONGEST;
    for (int i = 0; i < 3; i++)
        n = arrays[i]->type->u.count < n ? arrays[i]->type->u.count : n;
    while (n > k->least && (k->cost ? k->cost * n : 4 * n * n) > make_spare(r))
        n--;
    return n;
}

/* n itself, or something that is no more. */
static struct node *count_argument(struct gen *g, struct region *r, uint64_t n)
{
    struct ctx c = make_pure(g, r, 1);
    if (rng_below(&r->rng, 3))
        return build_int(g, n);
    struct node *e = make_expr_convert(g, make_expr_int(g, &c), lang_basic(g->p, TYPE_UINT)).n;
    return build_op(g, OP_REM, e, build_int(g, n + 1));
}

static struct node *call_of(struct gen *g, struct region *r, const struct array_function *k,
                            struct var *const *arrays, uint64_t n)
{
    struct ctx c = make_pure(g, r, 1);
    struct node *args[PARAMS] = {build_name(g, arrays[0]), build_name(g, arrays[1]),
                                 build_name(g, arrays[2]), NULL, NULL};
    args[3] = k->least ? build_int(g, n) : count_argument(g, r, k->stride ? n / 2 : n);
    if (k->stride) {
        args[4] = build_int(g, rng_below(&r->rng, 4) ? 1 : 2);
        if (rng_below(&r->rng, 4)) /* 1 or 2, which the compiler cannot see */
            args[4] = build_op(
                g, OP_ADD,
                build_op(g, OP_AND,
                         make_expr_convert(g, make_expr_varying(g, &c), build_int_type(g)).n,
                         build_int(g, 1)),
                build_int(g, 1));
    } else if (rng_below(&r->rng, 2))
        args[4] = build_int(g, rng_below(&r->rng, 40));
    else
        args[4] = make_expr_convert(g, make_expr_int(g, &c), build_int_type(g)).n;
    return lang_call(g->p, lang_name(g->p, k->fn->decl), args, PARAMS);
}

bool shape_stmt_kernel(struct gen *g, struct region *r)
{
    const struct array_function *k = pick_function(g, &r->rng);
    struct var *arrays[3];
    arrays[0] = array_of(g, &r->rng, k->of[0], NULL);
    for (int i = 1; i < 3; i++)
        arrays[i] = array_of(g, &r->rng, k->of[i], k->exclusive ? arrays[0] : NULL);
    if (k->exclusive && arrays[1] == arrays[2])
        arrays[2] = make_global_new(g, lang_array(g->p, k->of[2], 16));
    uint64_t n = shortest(r, k, arrays);
    make_charge(r, k->cost ? k->cost * n : 4 * n * n);
    struct node *call = call_of(g, r, k, arrays, n);
    uint32_t at = r->block->count;
    bool whole = k->gives && call->type->class != CLASS_FLOAT;
    struct node *x = whole ? make_place(g, r) : NULL;
    if (x) { /* two statements: a call may change the place */
        struct var *l = make_local(g, r, call->type, gen_new_name(g, 'l'));
        make_attach(g, r, lang_declare(g->p, l->decl, call));
        make_result(g, r, x, build_name(g, l));
    } else {
        make_attach(g, r, lang_expr_stmt(g->p, call));
    }
    return make_walk_from(r, at);
}
