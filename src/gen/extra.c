/* Statements around library functions, builtins with a result by address, loop nests over arrays,
 * computed goto and variable arguments.  All are built without side effects of their own and run
 * by walking into them. */
#include "gen/private.h"

#include <string.h>

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
    return is_plain(v) && v->type->kind == TYPE_ARRAY && lang_is_integer(of) &&
           of->kind != TYPE_BOOL && of->kind != TYPE_ENUM && of->quals == 0 &&
           (!like || v->type == like);
}

/* ---- library functions ------------------------------------------------------------------ */

struct decl *library_decl(struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->library.n; i++) {
        struct decl *d = g->library.at[i];
        if (strcmp(d->name, name) == 0)
            return d;
    }
    struct decl *d = lang_builtin(g->p, name);
    list_add(&g->arena, &g->library, d);
    return d;
}

static struct node *call3(struct gen *g, const char *name, struct node *a, struct node *b,
                          struct node *c)
{
    struct node *args[3] = {a, b, c};
    return lang_call(g->p, lang_name(g->p, library_decl(g, name)), args, 3);
}

static enum flow walk_expr(struct gen *g, struct region *r, struct node *n)
{
    attach(g, r, lang_expr_stmt(g->p, n));
    return walk_from(r, r->block->count - 1);
}

static enum flow copy_bytes(struct gen *g, struct region *r, struct var *to)
{
    struct var *from = pick_global(g, &r->rng, is_byte_array, NULL);
    if (!from || from == to)
        return make_stmt_assign(g, r);
    const char *name = rng_below(&r->rng, 2) ? "memcpy" : "memmove";
    struct node *size = lang_sizeof_expr(g->p, lang_name(g->p, to->decl));
    if (size_of(g, from->type) < size_of(g, to->type))
        size = lang_sizeof_expr(g->p, lang_name(g->p, from->decl));
    if (rng_below(&r->rng, 3) == 0)
        size = build_op(g, OP_DIV, size, build_int(g, 2));
    return walk_expr(g, r, call3(g, name, build_address(g, to), build_address(g, from), size));
}

static enum flow set_bytes(struct gen *g, struct region *r, struct var *to)
{
    struct ctx c = build_pure(g, r, 1);
    struct node *size = lang_sizeof_expr(g->p, lang_name(g->p, to->decl));
    return walk_expr(g, r, call3(g, "memset", build_address(g, to), expr_int(g, &c).n, size));
}

/* x = memcmp(&a, &b, n) < 0: only its sign is known. */
static enum flow compare_bytes(struct gen *g, struct region *r, struct var *a)
{
    static const uint8_t ops[] = {OP_LT, OP_GT, OP_EQ, OP_NE};
    struct var *b = pick_global(g, &r->rng, is_like, a->type);
    struct ctx c = build_pure(g, r, 0);
    c.quiet = true;
    struct lval l = lvalue_pick(g, &c, WANT_WRITE, KIND_INT);
    if (!b || !l.n)
        return make_stmt_assign(g, r);
    uint64_t n = 1 + rng_below(&r->rng, lang_sizeof(g->p, a->type));
    enum op op = ops[rng_below(&r->rng, 4)];
    struct node *test = lang_binary(
        g->p, op, call3(g, "memcmp", build_address(g, a), build_address(g, b), build_int(g, n)),
        build_int(g, 0));
    return walk_expr(g, r, lang_assign(g->p, OP_ASSIGN, l.n, test));
}

enum flow make_stmt_library(struct gen *g, struct region *r)
{
    struct var *v = r->fn->class == CLASS_FULL ? pick_global(g, &r->rng, is_byte_array, NULL)
                                               : NULL;
    if (!v)
        return make_stmt_assign(g, r);
    switch (rng_below(&r->rng, 3)) {
    case 0:
        return copy_bytes(g, r, v);
    case 1:
        return set_bytes(g, r, v);
    default:
        return compare_bytes(g, r, v);
    }
}

static void memory_compare(const struct val *a, const struct val *b, uint64_t n, u128 *r)
{
    int d = memcmp(a->link.to->bytes + a->link.at, b->link.to->bytes + b->link.at, n);
    *r = d < 0 ? 0xffffffffu : d > 0;
}

bool library_apply(struct gen *g, const struct node *n, const struct decl *d, const struct val *a,
                   struct val *v)
{
    uint64_t size = (uint64_t)a[2].bits;
    (void)n;
    v->link = a[0].link;
    switch (d->builtin) {
    case BUILTIN_memcpy:
    case BUILTIN_memmove:
        mem_copy(g, a[0].link.to, (uint64_t)a[0].link.at, a[1].link.to, (uint64_t)a[1].link.at,
                 size);
        return true;
    case BUILTIN_memset:
        memset(a[0].link.to->bytes + a[0].link.at, (int)(uint8_t)a[1].bits, size);
        return true;
    case BUILTIN_memcmp:
        memory_compare(&a[0], &a[1], size, &v->bits);
        return true;
    default:
        return false;
    }
}

/* ---- results by address ----------------------------------------------------------------- */

static bool is_number(struct gen *g, const struct var *v, const struct type *like)
{
    (void)like;
    return is_plain(v) && lang_is_integer(v->type) && v->type->quals == 0 &&
           v->type->kind != TYPE_BOOL && v->type->kind != TYPE_ENUM && int_width(g, v->type) <= 64;
}

static struct node *narrow_operand(struct gen *g, struct ctx *c)
{
    struct made m = expr_int(g, c);
    return int_width(g, m.n->type->unqual) > 64 ? expr_convert(g, m, build_int_type(g)).n
                                                : lang_promote(g->p, m.n);
}

/* x = __builtin_add_overflow(a, b, &y) */
enum flow make_stmt_overflow(struct gen *g, struct region *r)
{
    static const char *const names[] = {"__builtin_add_overflow", "__builtin_sub_overflow",
                                        "__builtin_mul_overflow"};
    struct var *to = r->fn->class == CLASS_FULL ? pick_global(g, &r->rng, is_number, NULL) : NULL;
    if (!to)
        return make_stmt_assign(g, r);
    struct ctx c = build_pure(g, r, 1), quiet = c;
    struct node *args[3] = {narrow_operand(g, &c), NULL, build_address(g, to)};
    args[1] = narrow_operand(g, &c);
    struct decl *d = builtin_decl(g, names[rng_below(&r->rng, 3)]);
    struct node *n = lang_call(g->p, lang_name(g->p, d), args, 3);
    quiet.quiet = true;
    struct lval l = lvalue_pick(g, &quiet, WANT_WRITE, KIND_INT);
    return walk_expr(g, r, l.n ? lang_assign(g->p, OP_ASSIGN, l.n, n) : n);
}

/* An integer as sign and size. */
struct wide {
    u128 size;
    bool minus;
};

static struct wide widened(const struct gen *g, const struct type *t, u128 bits)
{
    struct wide w = {bits, false};
    if (int_signed(g, t) && bits >> (int_width(g, t) - 1) & 1)
        w = (struct wide){lang_wrap(-bits, int_width(g, t)), true};
    return w;
}

static struct wide add_wide(struct wide a, struct wide b)
{
    if (a.minus == b.minus)
        return (struct wide){a.size + b.size, a.minus};
    return a.size >= b.size ? (struct wide){a.size - b.size, a.minus}
                            : (struct wide){b.size - a.size, b.minus};
}

bool overflow_apply(struct gen *g, const struct node *n, const struct decl *d, const struct val *a,
                    struct val *v)
{
    if (d->builtin != BUILTIN_add_overflow && d->builtin != BUILTIN_sub_overflow &&
        d->builtin != BUILTIN_mul_overflow)
        return false;
    struct wide x = widened(g, n->kid[1]->type, a[0].bits);
    struct wide y = widened(g, n->kid[2]->type, a[1].bits), r;
    if (d->builtin == BUILTIN_sub_overflow)
        y.minus = !y.minus;
    if (d->builtin == BUILTIN_mul_overflow)
        r = (struct wide){x.size * y.size, x.minus != y.minus};
    else
        r = add_wide(x, y);
    struct type *t = n->kid[3]->type->base->unqual;
    u128 most = int_most(g, t), least = int_least(g, t);
    bool fits = r.size == 0 || (r.minus ? r.size <= least : r.size <= most);
    struct spot s = {a[2].link.to, (uint64_t)a[2].link.at, t, NULL};
    struct val stored = {.bits = lang_wrap(r.minus ? -r.size : r.size, int_width(g, t))};
    mem_store(g, &s, &stored);
    v->bits = !fits;
    return true;
}

/* ---- loops over arrays ------------------------------------------------------------------ */

/* One dimension of numbers that wrap, or that are too narrow to overflow. */
static bool is_row(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *t = v->type;
    (void)like;
    if (!is_plain(v) || t->kind != TYPE_ARRAY || !lang_is_integer(t->base) || t->base->quals ||
        t->u.count < 2 || t->base->kind == TYPE_BOOL || t->base->kind == TYPE_ENUM)
        return false;
    return !int_signed(g, t->base) || int_width(g, t->base) < g->width[TYPE_INT];
}

/* a[i] = b[i] op c[i + k] over as many elements as all have, or s += a[i]. */
enum flow make_stmt_array(struct gen *g, struct region *r)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_AND, OP_OR, OP_MUL};
    struct var *row[3];
    if (r->fn->class != CLASS_FULL || spare(r) < 64)
        return make_stmt_assign(g, r);
    for (int i = 0; i < 3; i++) {
        row[i] = pick_global(g, &r->rng, is_row, NULL);
        if (!row[i])
            return make_stmt_for(g, r);
    }
    uint64_t shift = rng_below(&r->rng, 2), n = spare(r) / 3;
    for (int i = 0; i < 3; i++)
        n = row[i]->type->u.count < n ? row[i]->type->u.count : n;
    n -= n > shift ? shift : 0;
    enum op op = ops[rng_below(&r->rng, LENGTH(ops))];
    if (op == OP_MUL && int_signed(g, lang_promoted(g->p, row[1]->type->base)))
        op = OP_XOR; /* two shorts may overflow */
    r->fn->bound += 3 * n * r->weight;
    struct var *v = local_new(g, r, build_int_type(g), new_name(g, 't'));
    v->locked = v->no_address = true;
    struct node *right = lang_binary(g->p, op, build_element(g, row[1], v, 0),
                                     build_element(g, row[2], v, (int64_t)shift));
    struct node *to = build_element(g, row[0], v, 0);
    enum op assign = rng_below(&r->rng, 2) ? OP_ASSIGN : OP_XOR;
    struct node *body = lang_expr_stmt(g->p, lang_assign(g->p, assign, to, right));
    bool down = rng_below(&r->rng, 4) == 0;
    struct node *kids[4] = {
        lang_declare(g->p, v->decl, build_int(g, down ? n - 1 : 0)),
        lang_binary(g->p, down ? OP_GE : OP_LT, lang_name(g->p, v->decl),
                    build_int(g, down ? 0 : n)),
        lang_unary(g->p, down ? OP_POSTDEC : OP_POSTINC, lang_name(g->p, v->decl)), body};
    attach(g, r, lang_node(g->p, NODE_FOR, kids, 4));
    return walk_from(r, r->block->count - 1);
}

static bool is_grid(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *t = v->type;
    if (t->kind != TYPE_ARRAY || t->base->kind != TYPE_ARRAY)
        return false;
    struct var row = *v;
    row.type = t->base;
    return t->u.count > 1 && is_row(g, &row, like);
}

/* a[i][j] = a[i][j] op k, in either order of the loops. */
enum flow make_stmt_grid(struct gen *g, struct region *r)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_AND, OP_OR};
    struct var *a = r->fn->class == CLASS_FULL ? pick_global(g, &r->rng, is_grid, NULL) : NULL;
    uint64_t rows = a ? a->type->u.count : 0, columns = a ? a->type->base->u.count : 0;
    if (!a || 3 * rows * columns > spare(r))
        return make_stmt_array(g, r);
    r->fn->bound += 3 * rows * columns * r->weight;
    struct var *i = build_counter(g, r), *k = build_counter(g, r);
    bool swap = rng_below(&r->rng, 2);
    struct node *row = lang_index(g->p, lang_name(g->p, a->decl), lang_name(g->p, i->decl));
    struct node *to = lang_index(g->p, row, lang_name(g->p, k->decl));
    enum op op = ops[rng_below(&r->rng, LENGTH(ops))];
    struct node *by = rng_below(&r->rng, 2) ? lang_name(g->p, k->decl)
                                            : build_int(g, 1 + rng_below(&r->rng, 99));
    struct node *body = lang_expr_stmt(g->p, lang_assign(g->p, op, to, by));
    struct node *inner = build_count(g, swap ? i : k, swap ? rows : columns, body);
    attach(g, r, build_count(g, swap ? k : i, swap ? columns : rows, inner));
    return walk_from(r, r->block->count - 1);
}

/* unsigned s = 0; for (...) s += a[i]; */
enum flow make_stmt_reduce(struct gen *g, struct region *r)
{
    static const uint8_t ops[] = {OP_ADD, OP_XOR, OP_OR, OP_AND, OP_SUB};
    struct var *a = r->fn->class == CLASS_FULL ? pick_global(g, &r->rng, is_row, NULL) : NULL;
    uint32_t at = r->block->count;
    if (!a || 3 * a->type->u.count > spare(r))
        return make_stmt_assign(g, r);
    r->fn->bound += 3 * a->type->u.count * r->weight;
    struct type *t = lang_basic(g->p, rng_below(&r->rng, 2) ? TYPE_UINT : TYPE_ULONG);
    struct var *i = build_counter(g, r), *s = local_new(g, r, t, new_name(g, 'l'));
    attach(g, r, lang_declare(g->p, s->decl, build_int(g, rng_below(&r->rng, 9))));
    enum op op = ops[rng_below(&r->rng, LENGTH(ops))];
    struct node *sum = lang_assign(g->p, op, lang_name(g->p, s->decl), build_element(g, a, i, 0));
    attach(g, r, build_count(g, i, a->type->u.count, lang_expr_stmt(g->p, sum)));
    r->vars = s;
    return walk_from(r, at);
}

/* for (T *p = a; p < a + n; p++) { ... } */
enum flow make_stmt_cursor(struct gen *g, struct region *r)
{
    struct var *a = r->fn->class == CLASS_FULL ? pick_global(g, &r->rng, is_row, NULL) : NULL;
    if (!a || trips_allowed(g, r) < a->type->u.count || r->nesting > policy(g, GEN_count_nesting))
        return make_stmt_assign(g, r);
    uint64_t n = a->type->u.count;
    struct var *p = local_new(g, r, lang_pointer(g->p, a->type->base), new_name(g, 't'));
    p->locked = p->no_address = true;
    struct node *end = lang_binary(g->p, OP_ADD, lang_name(g->p, a->decl), build_int(g, n));
    struct node *kids[4] = {
        lang_declare(g->p, p->decl, lang_name(g->p, a->decl)),
        lang_binary(g->p, rng_below(&r->rng, 2) ? OP_LT : OP_NE, lang_name(g->p, p->decl), end),
        lang_unary(g->p, OP_POSTINC, lang_name(g->p, p->decl)), NULL};
    struct node *loop = lang_node(g->p, NODE_FOR, kids, 4);
    struct region *inner;
    loop->kid[3] = block_new(g, r, &inner);
    inner->loop = inner->exit = loop;
    inner->weight = r->weight * n;
    inner->vars = p;
    attach(g, r, loop);
    return walk_from(r, r->block->count - 1);
}

/* ---- computed goto ---------------------------------------------------------------------- */

struct object *label_object(struct gen *g, const struct label *l)
{
    for (size_t i = 0; i < g->labels.n; i++) {
        struct object *o = g->labels.at[i];
        if (o->label == l)
            return o;
    }
    struct object *o = NEW(&g->arena, struct object);
    o->label = l;
    list_add(&g->arena, &g->labels, o);
    return o;
}

static struct node *label_address(struct gen *g, struct label *l)
{
    struct node *n = lang_node(g->p, NODE_LABEL_ADDR, NULL, 0);
    n->u.label = l;
    n->type = lang_pointer(g->p, lang_basic(g->p, TYPE_VOID));
    l->address_taken = true;
    return n;
}

/* void *t[] = {&&a, &&b}; goto *t[e & 1]; a: {} b: {} */
enum flow make_stmt_computed(struct gen *g, struct region *r)
{
    if (r->nesting || r->fn->decl->inline_) /* no goto leads into another block */
        return make_stmt_assign(g, r);
    uint32_t at = r->block->count;
    uint64_t count = rng_below(&r->rng, 2) ? 2 : 4;
    struct type *pointer = lang_pointer(g->p, lang_basic(g->p, TYPE_VOID));
    struct var *v = local_new(g, r, lang_array(g->p, pointer, count), new_name(g, 't'));
    struct node *list = lang_node(g->p, NODE_INIT, NULL, 0);
    struct label *labels[4];
    for (uint64_t i = 0; i < count; i++) {
        labels[i] = label_new(g, r, block_new(g, r, NULL));
        lang_append(g->p, list, label_address(g, labels[i]));
    }
    struct ctx c = build_pure(g, r, 2);
    struct node *index = lang_binary(g->p, OP_AND, expr_int(g, &c).n, build_int(g, count - 1));
    attach(g, r, lang_declare(g->p, v->decl, list));
    struct node *target = lang_rvalue(g->p, lang_index(g->p, lang_name(g->p, v->decl), index));
    attach(g, r, lang_node(g->p, NODE_GOTO_VALUE, &target, 1));
    r->fn->function->computed_goto = true;
    for (uint64_t i = 0; i < count; i++)
        attach(g, r, labels[i]->node);
    return walk_from(r, at);
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
    struct ctx below = ctx_below(c);
    below.pure = true;
    below.calls = 0;
    struct made a = expr_int(g, &below), b = expr_int(g, &below);
    struct region scope = *c->region;
    scope.vars = c->vars;
    struct var *v = local_new(g, &scope, type_integer(g, r), new_name(g, 'l'));
    struct node *block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    lang_append(g->p, block, lang_declare(g->p, v->decl, a.n));
    struct node *value = lang_binary(g->p, ops[rng_below(r, LENGTH(ops))], lang_name(g->p, v->decl),
                                     b.n);
    lang_append(g->p, block, lang_expr_stmt(g->p, value));
    m.n = lang_stmt_expr(g->p, block);
    if (!c->dead)
        eval(g, &m.n, &m.v);
    return m;
}
