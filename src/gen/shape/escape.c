/* setjmp, and longjmp out of functions that are called meanwhile.
 *
 * What changes between the two and is read afterwards is volatile (C11 7.13.2.1p3), all of it in a
 * block of its own.  Nothing is left open there, and the functions that jump are called from
 * nowhere else: so one place to come back to is enough for execution (run/exec.c).  setjmp stands
 * where C11 7.13.1.1p4 lets it stand; a jump backwards is counted. */
#include "gen/shape/private.h"
#include "gen/build.h"

#include <string.h>

enum { BUFFER = 128, STEPS = 60, MOST_FUNCTIONS = 4, MOST_JUMPS = 4 };

/* A block that is being written. */
struct escape {
    struct gen *g;
    struct region *r;
    struct var *buffer, *n; /* n: volatile */
    struct var *x;          /* set anew before it is read */
    struct node *place;
};

static struct rng *rng(struct escape *e)
{
    return &e->r->rng;
}

static struct type *buffer_type(struct gen *g)
{
    return lang_pointer(g->p, lang_basic(g->p, TYPE_ULLONG));
}

/* void longjmp(void *, int), which lang knows as a builtin only. */
static struct decl *longjmp_decl(struct gen *g)
{
    if (g->longjmp_decl)
        return g->longjmp_decl;
    struct decl **params = NEW_ARRAY(&g->p->arena, 2, struct decl *);
    struct type *types[] = {lang_pointer(g->p, lang_basic(g->p, TYPE_VOID)), build_int_type(g)};
    for (int i = 0; i < 2; i++)
        params[i] = lang_decl_new(g->p, DECL_PARAM, NULL, types[i]);
    struct type *t = lang_function(g->p, lang_basic(g->p, TYPE_VOID), params, 2, TYPE_PROTOTYPE);
    struct decl *d = g->longjmp_decl = lang_decl_new(g->p, DECL_FUNC, "longjmp", t);
    d->linkage = LINKAGE_EXTERNAL;
    if (gen_has(g, GEN_HAS_ATTRIBUTE))
        d->attrs = build_attribute(g, "noreturn", "noreturn");
    list_add(&g->arena, &g->library, d);
    return d;
}

static struct node *setjmp_call(struct escape *e)
{
    struct gen *g = e->g;
    struct decl *d = build_library(g, "setjmp");
    if (!d->attrs && gen_has(g, GEN_HAS_ATTRIBUTE))
        d->attrs = build_attribute(g, "returns_twice", "returns_twice");
    struct node *buffer = build_name(g, e->buffer);
    return lang_call(g->p, lang_name(g->p, d), &buffer, 1);
}

/* ---- functions that jump ------------------------------------------------------------------ */

static struct fn *function_new(struct gen *g, struct rng *r, struct var *vars[2])
{
    struct fn *fn = NEW(&g->arena, struct fn);
    struct decl **params = NEW_ARRAY(&g->p->arena, 2, struct decl *);
    struct type *word = build_word_type(g), *types[] = {buffer_type(g), word};
    for (int i = 0; i < 2; i++) {
        params[i] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), types[i]);
        vars[i] = gen_var_new(g, params[i], NULL);
        list_add(&g->arena, &fn->vars, vars[i]);
    }
    make_fn_name(g, fn, lang_function(g->p, word, params, 2, TYPE_PROTOTYPE), params, r);
    list_add(&g->arena, &g->jumpers, fn);
    return fn;
}

static struct node *mask(struct gen *g, const struct var *x, uint64_t bits)
{
    return build_op(g, OP_AND, build_name(g, x), build_int(g, bits));
}

/* if (x & 3 ...) longjmp(b, x & 3 | 1); */
static struct node *jump(struct gen *g, struct rng *r, struct var *vars[2])
{
    static const uint8_t tests[] = {OP_NE, OP_EQ, OP_GT};
    struct node *value = build_op(g, OP_OR, mask(g, vars[1], 3), build_int(g, 1 + rng_below(r, 2)));
    struct node *args[2] = {build_name(g, vars[0]), value};
    struct node *call = lang_call(g->p, lang_name(g->p, longjmp_decl(g)), args, 2);
    enum op op = (enum op)tests[rng_below(r, LENGTH(tests))];
    struct node *test = build_op(g, op, mask(g, vars[1], 7), build_int(g, rng_below(r, 4)));
    return build_if(g, test, lang_expr_stmt(g->p, call), NULL);
}

/* x ^= f(b, x + k); */
static struct node *deeper(struct gen *g, struct rng *r, struct var *vars[2], struct fn *callee)
{
    struct node *x = build_op(g, OP_ADD, build_name(g, vars[1]),
                              build_int(g, 1 + rng_below(r, 99)));
    struct node *args[2] = {build_name(g, vars[0]), x};
    struct node *call = lang_call(g->p, lang_name(g->p, callee->decl), args, 2);
    return build_assign(g, OP_XOR, build_name(g, vars[1]), call);
}

/* T f(T *b, unsigned x) { x = x * k + l; if (x & 7 ...) longjmp(b, ...); return x; }, or through
 * another one.  Each calls only those that were there before. */
static struct fn *jumper(struct gen *g)
{
    struct rng r = rng_fork_at(&g->rng, "jumper", g->jumpers.n);
    struct fn *callee = g->jumpers.n && rng_below(&r, 2) ? g->jumpers.at[g->jumpers.n - 1] : NULL;
    struct var *vars[2];
    struct fn *fn = function_new(g, &r, vars);
    struct node *body = fn->function->body;
    struct node *x = build_op(g, OP_MUL, build_name(g, vars[1]),
                              build_int(g, 1 + 2 * rng_below(&r, 50)));
    x = build_op(g, OP_ADD, x, build_int(g, rng_below(&r, 100)));
    lang_append(g->p, body, build_set(g, vars[1], x));
    struct node *leave = callee ? deeper(g, &r, vars, callee) : jump(g, &r, vars);
    lang_append(g->p, body, leave);
    lang_append(g->p, body, lang_return(g->p, fn->function, build_name(g, vars[1])));
    return fn;
}

static struct fn *pick_jumper(struct escape *e)
{
    const struct list *known = &e->g->jumpers;
    if (known->n < MOST_FUNCTIONS && (known->n == 0 || rng_below(rng(e), 2)))
        return jumper(e->g);
    return known->at[rng_below(rng(e), known->n)];
}

/* ---- between setjmp and longjmp ------------------------------------------------------------ */

/* n = n * k + l; */
static struct node *count(struct escape *e)
{
    struct gen *g = e->g;
    struct node *x = lang_rvalue(g->p, build_name(g, e->n));
    x = build_op(g, OP_MUL, x, build_int(g, 3 + 2 * rng_below(rng(e), 9)));
    return build_set(g, e->n, build_op(g, OP_ADD, x, build_int(g, 1 + rng_below(rng(e), 999))));
}

/* { count; x = n; x += f(b, x); n = x; } */
static struct node *attempt(struct escape *e)
{
    struct gen *g = e->g;
    const struct var *x = e->x;
    struct node *args[2] = {build_name(g, e->buffer), build_name(g, x)};
    struct node *call = lang_call(g->p, lang_name(g->p, pick_jumper(e)->decl), args, 2);
    struct node *first = count(e);
    struct node *body[] = {first, build_set(g, x, build_name(g, e->n)),
                           build_assign(g, OP_ADD, build_name(g, x), call),
                           build_set(g, e->n, build_name(g, x))};
    return build_block(g, body, LENGTH(body));
}

/* ---- the ways ------------------------------------------------------------------------------ */

/* if (setjmp(b) == 0) { ... } else n = ...; */
static void escape_if(struct escape *e)
{
    struct gen *g = e->g;
    struct node *first = build_op(g, OP_EQ, setjmp_call(e), build_int(g, 0));
    struct node *yes = attempt(e), *no = count(e);
    make_attach(g, e->r, build_if(g, first, yes, no));
}

/* switch (setjmp(b)) { case 0: ... break; case 1: ... default: ... } */
static void escape_switch(struct escape *e)
{
    struct gen *g = e->g;
    struct node *sw = build_switch(g, setjmp_call(e), 4);
    for (uint64_t i = 0; i < 3; i++) {
        struct node *body = i ? count(e) : attempt(e);
        lang_append(g->p, sw->kid[1], build_case(g, sw, i, i, body));
        if (i == 0 || rng_below(rng(e), 2))
            lang_append(g->p, sw->kid[1], build_break(g, sw));
    }
    lang_append(g->p, sw->kid[1], build_default(g, sw, count(e)));
    make_attach(g, e->r, sw);
}

/* volatile unsigned left = k; setjmp(b); n = ...; if (left) { left = left - 1; f(b, n) } */
static void escape_again(struct escape *e)
{
    struct gen *g = e->g;
    struct type *t = lang_qualified(g->p, build_word_type(g), QUAL_VOLATILE);
    struct var *left = make_local(g, e->r, t, gen_new_name(g, 'l'));
    uint64_t times = 1 + rng_below(rng(e), MOST_JUMPS);
    make_attach(g, e->r, lang_declare(g->p, left->decl, build_int(g, times)));
    make_attach(g, e->r, lang_expr_stmt(g->p, setjmp_call(e)));
    make_attach(g, e->r, count(e));
    struct node *less = build_op(g, OP_SUB, lang_rvalue(g->p, build_name(g, left)),
                                 build_int(g, 1));
    struct node *body[] = {build_set(g, left, less), attempt(e)};
    struct node *more = lang_rvalue(g->p, build_name(g, left));
    make_attach(g, e->r, build_if(g, more, build_block(g, body, LENGTH(body)), NULL));
}

/* gcc inlines no function that calls setjmp. */
static bool is_inlined(const struct fn *fn)
{
    for (const struct attr *a = fn->decl->attrs; a; a = a->next)
        if (strcmp(a->name, "always_inline") == 0)
            return true;
    return false;
}

/* As large as jmp_buf is anywhere, and aligned as it is where vector registers are stored in it
 * (powerpc; x86 asks for less). */
static struct var *make_buffer(struct gen *g, struct region *in)
{
    const struct target *t = g->p->target;
    bool x86 = t == lang_target(TARGET_LP64) || t == lang_target(TARGET_ILP32);
    struct type *type = lang_array(g->p, lang_basic(g->p, TYPE_ULLONG), BUFFER);
    struct var *v = make_local(g, in, type, gen_new_name(g, 'l'));
    if (!x86) {
        v->decl->align = 16;
        v->decl->attrs = build_attribute(g, "aligned", "aligned(16)");
    }
    make_attach(g, in, lang_declare(g->p, v->decl, NULL));
    return v;
}

bool shape_stmt_escape(struct gen *g, struct region *r)
{
    static void (*const ways[])(struct escape * e) = {escape_if, escape_switch, escape_again};
    struct node *place = is_inlined(r->fn) ? NULL : make_place(g, r);
    if (!place)
        return false;
    struct region *in = make_region(g, r, 0);
    in->open = false;
    in->block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    struct escape e = {.g = g, .r = in, .place = place};
    struct ctx c = make_pure(g, in, 1);
    struct type *word = build_word_type(g);
    struct node *start = make_expr_convert(g, make_expr_int(g, &c), word).n;
    e.buffer = make_buffer(g, in);
    e.n = make_local(g, in, lang_qualified(g->p, word, QUAL_VOLATILE), gen_new_name(g, 'l'));
    make_attach(g, in, lang_declare(g->p, e.n->decl, start));
    e.x = make_local(g, in, word, gen_new_name(g, 'l'));
    make_attach(g, in, lang_declare(g->p, e.x->decl, NULL));
    ways[rng_below(&in->rng, LENGTH(ways))](&e);
    make_result(g, in, place, lang_rvalue(g->p, build_name(g, e.n)));
    make_charge(in, STEPS);
    make_attach(g, r, in->block);
    return make_walk_from(r, r->block->count - 1);
}
