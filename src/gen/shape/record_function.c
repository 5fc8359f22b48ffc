/* Functions that change a structure that they get by pointer, and calls of them on a local copy:
 * what interprocedural passes, inlining and scalar replacement look at.  They take no null pointer,
 * touch integer members only, and compute in unsigned. */
#include "gen/shape/shape.h"
#include "gen/make/make.h"
#include "gen/build.h"

enum { MEMBERS = 4, CALL_STEPS = 40 };

/* One function: void f(struct S *p, unsigned k). */
struct record_function {
    struct fn *fn;
    struct type *of;
};

/* The one that is being written. */
struct body {
    struct gen *g;
    struct rng *r;
    struct fn *fn;
    struct var *p, *k;
    const struct field *members[MEMBERS];
    uint32_t count;
    uint16_t context;
};

/* ---- functions -------------------------------------------------------------------------- */

static bool is_usable(const struct field *f)
{
    return f->name && lang_is_integer(f->type) && f->type->quals == 0 &&
           f->type->kind != TYPE_BOOL && f->type->kind != TYPE_ENUM;
}

static uint32_t usable_members(const struct type *t, const struct field **members)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->u.record->count && n < MEMBERS; i++)
        if (is_usable(t->u.record->fields[i]))
            members[n++] = t->u.record->fields[i];
    return n;
}

/* p->m, of one of them */
static struct node *member(struct body *b)
{
    const struct field *f = b->members[rng_below(b->r, b->count)];
    return lang_member(b->g->p, build_name(b->g, b->p), f->name, true);
}

static struct node *read_member(struct body *b)
{
    struct type *word = lang_basic(b->g->p, TYPE_UINT);
    return lang_cast(b->g->p, word, lang_rvalue(b->g->p, member(b)));
}

/* p->m = (unsigned)p->n * k + (unsigned)p->m; */
static struct node *change(struct body *b)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_XOR, OP_AND, OP_OR};
    enum op first = make_op_among(b->r, b->context, ops, LENGTH(ops));
    enum op second = make_op_among(b->r, b->context, ops, LENGTH(ops));
    struct node *to = member(b), *a = read_member(b), *other = read_member(b);
    struct node *value = build_op(b->g, first, a, build_name(b->g, b->k));
    return make_keep(b->g, b->r, to, build_op(b->g, second, value, other));
}

/* Straight code with some conditions: too much to be inlined at once. */
static void write_body(struct body *b)
{
    for (uint64_t i = 3 + rng_below(b->r, 5); i > 0; i--) {
        struct node *n = change(b);
        if (rng_below(b->r, 3) == 0) {
            struct node *bit = build_int(b->g, UINT64_C(1) << rng_below(b->r, 5));
            n = build_if(b->g, build_op(b->g, OP_AND, read_member(b), bit), n, NULL);
        }
        lang_append(b->g->p, b->fn->function->body, n);
    }
}

static struct record_function *function_new(struct gen *g, struct type *of)
{
    struct rng r = rng_fork_at(&g->rng, "method", g->record_functions.n);
    struct record_function *m = NEW(&g->arena, struct record_function);
    struct decl **params = NEW_ARRAY(&g->p->arena, 2, struct decl *);
    struct type *types[2] = {lang_pointer(g->p, of), lang_basic(g->p, TYPE_UINT)};
    struct var *vars[2];
    m->fn = NEW(&g->arena, struct fn);
    m->of = of;
    for (int i = 0; i < 2; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), types[i]);
        vars[i] = gen_var_new(g, params[i], NULL);
        list_add(&g->arena, &m->fn->vars, vars[i]);
    }
    make_fn_name(g, m->fn,
                 lang_function(g->p, lang_basic(g->p, TYPE_VOID), params, 2, TYPE_PROTOTYPE),
                 params, &r);
    struct body b = {.g = g, .r = &r, .fn = m->fn, .p = vars[0], .k = vars[1]};
    b.count = usable_members(of, b.members);
    b.context = make_context(g, &r);
    write_body(&b);
    list_add(&g->arena, &g->record_functions, m);
    return m;
}

/* ---- calls ------------------------------------------------------------------------------ */

static const struct record_function *pick_function(struct gen *g, struct rng *r)
{
    const struct field *members[MEMBERS];
    if (g->record_functions.n && rng_below(r, 3) == 0)
        return g->record_functions.at[rng_below(r, g->record_functions.n)];
    struct type *of = g->records.n ? g->records.at[rng_below(r, g->records.n)] : NULL;
    if (!of || gen_has_pointer(of) || usable_members(of, members) < 2)
        return NULL;
    return function_new(g, of);
}

static void put_call(struct gen *g, struct region *r, const struct record_function *m,
                     const struct var *l)
{
    struct ctx c = make_pure(g, r, 1);
    struct type *word = lang_basic(g->p, TYPE_UINT);
    struct node *args[2] = {build_address(g, l),
                            make_expr_convert(g, make_expr_int(g, &c), word).n};
    struct node *call = lang_call(g->p, lang_name(g->p, m->fn->decl), args, 2);
    make_attach(g, r, lang_expr_stmt(g->p, call));
    make_charge(r, CALL_STEPS);
}

/* struct S l = s; f(&l, e); struct S k = l; f(&k, e); s = k; */
bool shape_record_calls(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    if (r->fn->class != CLASS_FULL || make_spare(r) < 3 * CALL_STEPS)
        return false;
    const struct record_function *m = pick_function(g, &r->rng);
    struct made s = m ? make_expr_record(g, &c, m->of) : (struct made){0};
    if (!s.n)
        return false;
    struct var *l = make_local(g, r, m->of, gen_new_name(g, 'l'));
    make_attach(g, r, lang_declare(g->p, l->decl, s.n));
    put_call(g, r, m, l);
    if (rng_below(&r->rng, 2)) {
        struct var *k = make_local(g, r, m->of, gen_new_name(g, 'l'));
        make_attach(g, r, lang_declare(g->p, k->decl, build_name(g, l)));
        put_call(g, r, m, k);
        l = k;
    }
    if (!(s.n->type->quals & QUAL_CONST))
        make_attach(g, r, build_assign(g, OP_ASSIGN, tree_clone(g, s.n), build_name(g, l)));
    return true;
}
