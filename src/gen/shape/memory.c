/* memcpy, memmove, memset and memcmp of whole arrays, or of parts of them. */
#include "gen/shape/shape.h"
#include "gen/make/make.h"
#include "gen/build.h"

static const struct type *innermost(const struct type *t)
{
    while (t->kind == TYPE_ARRAY)
        t = t->base;
    return t;
}

/* An array (of arrays) of integers in which any byte may stand. */
static bool is_byte_array(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *of = innermost(v->type);
    (void)g;
    return make_is_plain(v) && v->type->kind == TYPE_ARRAY && lang_is_integer(of) &&
           of->kind != TYPE_BOOL && of->kind != TYPE_ENUM && of->quals == 0 &&
           (!like || v->type == like);
}

static struct node *call3(struct gen *g, const char *name, struct node *a, struct node *b,
                          struct node *c)
{
    struct node *args[3] = {a, b, c};
    return lang_call(g->p, lang_name(g->p, build_library(g, name)), args, 3);
}

static bool copy_bytes(struct gen *g, struct region *r, struct var *to)
{
    struct var *from = make_pick_global(g, &r->rng, is_byte_array, NULL);
    if (!from || from == to)
        return false;
    const char *name = rng_below(&r->rng, 2) ? "memcpy" : "memmove";
    struct node *size = lang_sizeof_expr(g->p, lang_name(g->p, to->decl));
    if (gen_size_of(g, from->type) < gen_size_of(g, to->type))
        size = lang_sizeof_expr(g->p, lang_name(g->p, from->decl));
    if (rng_below(&r->rng, 3) == 0)
        size = build_op(g, OP_DIV, size, build_int(g, 2));
    return make_walk_expr(g, r, call3(g, name, build_address(g, to), build_address(g, from), size));
}

static bool set_bytes(struct gen *g, struct region *r, struct var *to)
{
    struct ctx c = make_pure(g, r, 1);
    struct node *size = lang_sizeof_expr(g->p, lang_name(g->p, to->decl));
    return make_walk_expr(g, r,
                          call3(g, "memset", build_address(g, to), make_expr_int(g, &c).n, size));
}

/* x = memcmp(&a, &b, n) < 0: only its sign is known. */
static bool compare_bytes(struct gen *g, struct region *r, struct var *a)
{
    static const uint8_t ops[] = {OP_LT, OP_GT, OP_EQ, OP_NE};
    struct var *b = make_pick_global(g, &r->rng, make_is_like, a->type);
    struct ctx c = make_pure(g, r, 0);
    c.quiet = true;
    struct lval l = make_lvalue_pick(g, &c, WANT_WRITE, KIND_INT);
    if (!b || !l.n)
        return false;
    uint64_t n = 1 + rng_below(&r->rng, lang_sizeof(g->p, a->type));
    enum op op = ops[rng_below(&r->rng, 4)];
    struct node *test = lang_binary(
        g->p, op, call3(g, "memcmp", build_address(g, a), build_address(g, b), build_int(g, n)),
        build_int(g, 0));
    return make_walk_expr(g, r, lang_assign(g->p, OP_ASSIGN, l.n, test));
}

bool shape_stmt_library(struct gen *g, struct region *r)
{
    struct var *v = make_pick_global(g, &r->rng, is_byte_array, NULL);
    if (!v)
        return false;
    switch (rng_below(&r->rng, 3)) {
    case 0:
        return copy_bytes(g, r, v);
    case 1:
        return set_bytes(g, r, v);
    default:
        return compare_bytes(g, r, v);
    }
}
