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
           of->kind != TYPE_BOOL && of->kind != TYPE_ENUM && of->kind != TYPE_BITINT &&
           of->quals == 0 && (!like || v->type == like);
}

static struct node *call3(struct gen *g, const char *name, struct node *a, struct node *b,
                          struct node *c)
{
    struct node *args[3] = {a, b, c};
    return lang_call(g->p, lang_name(g->p, build_library(g, name)), args, 3);
}

/* Attaches the call; what the array holds is shown before. */
static bool put_call(struct gen *g, struct region *r, const struct var *to, struct node *call)
{
    uint32_t at = r->block->count;
    make_show(g, r, build_name(g, to));
    make_attach(g, r, lang_expr_stmt(g->p, call));
    return make_walk_from(r, at);
}

/* A length that is not known: e % (most + 1). */
static struct node *some_length(struct gen *g, struct region *r, uint64_t most)
{
    struct ctx c = make_pure(g, r, 1);
    struct node *e = make_expr_convert(g, make_expr_int(g, &c), lang_basic(g->p, TYPE_UINT)).n;
    return build_op(g, OP_REM, e, build_int(g, most + 1));
}

/* memmove(a + i, a + k, n) within one array: forwards or backwards, by a few elements or by more.
 */
static bool move_within(struct gen *g, struct region *r, struct var *a)
{
    uint64_t count = a->type->u.count, size = gen_size_of(g, a->type->base);
    if (count < 4)
        return false;
    uint64_t to = rng_below(&r->rng, count / 2), from = rng_below(&r->rng, count / 2);
    uint64_t most = (count - (to > from ? to : from)) * size;
    struct node *n = some_length(g, r, most);
    struct node *ends[2] = {build_at(g, a, build_int(g, to)), build_at(g, a, build_int(g, from))};
    for (int i = 0; i < 2; i++)
        ends[i] = lang_unary(g->p, OP_ADDR, ends[i]);
    return put_call(g, r, a, call3(g, "memmove", ends[0], ends[1], n));
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
    uint64_t least = gen_size_of(g, from->type), other = gen_size_of(g, to->type);
    if (rng_below(&r->rng, 2))
        size = some_length(g, r, least < other ? least : other);
    return put_call(g, r, to, call3(g, name, build_address(g, to), build_address(g, from), size));
}

static bool set_bytes(struct gen *g, struct region *r, struct var *to)
{
    struct ctx c = make_pure(g, r, 1);
    struct node *size = rng_below(&r->rng, 2) ? some_length(g, r, gen_size_of(g, to->type))
                                              : lang_sizeof_expr(g->p, build_name(g, to));
    return put_call(g, r, to,
                    call3(g, "memset", build_address(g, to), make_expr_int(g, &c).n, size));
}

/* x ^= memcmp(&a, &b, n) < 0: only its sign is known. */
static bool compare_bytes(struct gen *g, struct region *r, struct var *a)
{
    static const uint8_t ops[] = {OP_LT, OP_GT, OP_EQ, OP_NE};
    struct var *b = make_pick_global(g, &r->rng, is_byte_array, NULL);
    struct ctx c = make_pure(g, r, 0);
    c.quiet = true;
    struct lval l = make_lvalue_pick(g, &c, WANT_BOTH, KIND_INT);
    if (!b || b == a || !l.n)
        return false;
    uint64_t sizes[2] = {gen_size_of(g, a->type), gen_size_of(g, b->type)};
    uint64_t n = 1 + rng_below(&r->rng, sizes[0] < sizes[1] ? sizes[0] : sizes[1]);
    enum op op = ops[rng_below(&r->rng, 4)];
    struct node *test = lang_binary(
        g->p, op, call3(g, "memcmp", build_address(g, a), build_address(g, b), build_int(g, n)),
        build_int(g, 0));
    return make_walk_expr(g, r, lang_assign(g->p, OP_XOR, l.n, test));
}

bool shape_stmt_library(struct gen *g, struct region *r)
{
    struct var *v = make_pick_global(g, &r->rng, is_byte_array, NULL);
    if (!v)
        return false;
    switch (rng_below(&r->rng, 4)) {
    case 0:
        return copy_bytes(g, r, v);
    case 1:
        return set_bytes(g, r, v);
    case 2:
        return move_within(g, r, v);
    default:
        return compare_bytes(g, r, v);
    }
}
