/* Statements and expressions that only GNU C has: arithmetic with an overflow flag, statement
 * expressions. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

static bool is_number(struct gen *g, const struct var *v, const struct type *like)
{
    (void)like;
    return make_is_plain(v) && lang_is_integer(v->type) && v->type->quals == 0 &&
           v->type->kind != TYPE_BOOL && v->type->kind != TYPE_ENUM &&
           v->type->kind != TYPE_BITINT && gen_int_width(g, v->type) <= 64;
}

static struct node *narrow_operand(struct gen *g, struct ctx *c)
{
    struct made m = make_expr_int(g, c);
    return gen_int_width(g, m.n->type->unqual) > 64 ? make_expr_convert(g, m, build_int_type(g)).n
                                                    : lang_promote(g->p, m.n);
}

/* x = __builtin_add_overflow(a, b, &y) */
bool make_stmt_overflow(struct gen *g, struct region *r)
{
    static const char *const names[] = {"__builtin_add_overflow", "__builtin_sub_overflow",
                                        "__builtin_mul_overflow"};
    struct var *to = make_pick_global(g, &r->rng, is_number, NULL);
    if (!to)
        return false;
    struct ctx c = make_pure(g, r, 1), quiet = c;
    struct node *args[3] = {narrow_operand(g, &c), NULL, build_address(g, to)};
    args[1] = narrow_operand(g, &c);
    struct decl *d = build_builtin(g, names[rng_below(&r->rng, 3)]);
    struct node *n = lang_call(g->p, lang_name(g->p, d), args, 3);
    quiet.quiet = true;
    struct lval l = make_lvalue_pick(g, &quiet, WANT_BOTH, KIND_INT);
    uint32_t at = r->block->count;
    make_show(g, r, args[2]->kid[0]);
    make_attach(g, r, l.n ? make_merge(g, &r->rng, l.n, n) : lang_expr_stmt(g->p, n));
    return make_walk_from(r, at);
}

/* ---- statement expressions -------------------------------------------------------------- */

/* ({ T t = e; t op f; }) */
struct made make_expr_block(struct gen *g, struct ctx *c)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_AND, OP_OR};
    struct made m = {0};
    struct rng *r = &c->region->rng;
    if (c->quiet)
        return m;
    struct ctx below = make_ctx_below(c);
    below.pure = true;
    below.calls = 0;
    struct made a = make_expr_int(g, &below), b = make_expr_int(g, &below);
    struct region scope = *c->region;
    scope.vars = c->vars;
    struct var *v = make_local(g, &scope, make_type_integer(g, r), gen_new_name(g, 'l'));
    struct node *block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    lang_append(g->p, block, lang_declare(g->p, v->decl, a.n));
    struct node *value = lang_binary(g->p, make_op_among(r, c->context, ops, LENGTH(ops)),
                                     lang_name(g->p, v->decl), b.n);
    lang_append(g->p, block, lang_expr_stmt(g->p, value));
    m.n = lang_stmt_expr(g->p, block);
    if (!c->dead)
        run_eval(g, &m.n, &m.v);
    return m;
}

/* ---- assembly ---------------------------------------------------------------------------- */

/* asm("" : "+r"(x)): nothing is done, and compilers do not know x afterwards; or a barrier that
 * only keeps memory in order. */
bool make_stmt_asm(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 0);
    c.quiet = true;
    bool barrier = rng_below(&r->rng, 4) == 0;
    const char *way = rng_below(&r->rng, 3) ? "r" : "m";
    const char *keep = rng_below(&r->rng, 2) ? " volatile" : "";
    struct lval l = make_lvalue_pick(g, &c, WANT_BOTH, KIND_INT);
    bool fits = l.n && l.s.type->kind != TYPE_BITINT &&
                gen_int_width(g, l.s.type) <= 8 * g->pointer_size;
    if (!barrier && !fits)
        return false;
    struct node *n = lang_node(g->p, NODE_ASM, barrier ? NULL : &l.n, barrier ? 0 : 1);
    n->u.text = barrier ? "__asm__ volatile(\"\" : : : \"memory\")"
                        : arena_printf(&g->p->arena, "__asm__%s(\"\" : \"+%s\"(%s))", keep, way,
                                       l.var->decl->name);
    r->fn->function->has_asm = true;
    make_attach(g, r, n);
    return true;
}
