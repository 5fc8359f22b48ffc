/* Nests of two and three loops over arrays of numbers that wrap: what loop interchange, unroll and
 * jam, and predictive commoning look for.  Built, and run by walking into them. */
#include "gen/shape/shape.h"
#include "gen/make/make.h"
#include "gen/build.h"

/* A nest that is being written: for i < rows, for k < columns. */
struct nest {
    struct gen *g;
    struct region *r;
    struct var *i, *k;
    struct var *grid, *other; /* two dimensions */
    struct var *row, *column; /* one */
    uint64_t rows, columns;
};

/* ---- arrays ----------------------------------------------------------------------------- */

static bool wraps(const struct gen *g, const struct type *t)
{
    return lang_is_integer(t) && t->kind != TYPE_BOOL && t->kind != TYPE_ENUM && t->quals == 0 &&
           !gen_int_signed(g, t) && gen_int_width(g, t) >= g->width[TYPE_INT] &&
           gen_int_width(g, t) <= 64;
}

static bool is_grid(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *t = v->type;
    (void)like;
    return make_is_plain(v) && t->kind == TYPE_ARRAY && t->base->kind == TYPE_ARRAY &&
           t->u.count >= 4 && t->base->u.count >= 4 && wraps(g, t->base->base);
}

static bool is_line(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *t = v->type;
    (void)like;
    return make_is_plain(v) && t->kind == TYPE_ARRAY && t->u.count >= 4 && wraps(g, t->base);
}

static struct type *number_type(struct gen *g, struct rng *r)
{
    return lang_basic(g->p, rng_below(r, 3) ? TYPE_UINT : TYPE_ULLONG);
}

static struct var *some_grid(struct gen *g, struct rng *r, const struct var *except)
{
    struct var *v = rng_below(r, 8) ? make_pick_global(g, r, is_grid, NULL) : NULL;
    if (v && v != except)
        return v;
    struct type *of = number_type(g, r);
    uint64_t columns = (uint64_t)rng_between(r, 5, 12), rows = (uint64_t)rng_between(r, 5, 10);
    return make_global_new(g, lang_array(g->p, lang_array(g->p, of, columns), rows));
}

static struct var *some_line(struct gen *g, struct rng *r, const struct var *except)
{
    struct var *v = rng_below(r, 8) ? make_pick_global(g, r, is_line, NULL) : NULL;
    if (v && v != except)
        return v;
    struct type *of = number_type(g, r);
    return make_global_new(g, lang_array(g->p, of, (uint64_t)rng_between(r, 8, 20)));
}

/* ---- pieces ----------------------------------------------------------------------------- */

static struct node *index_of(struct nest *n, const struct var *v, int64_t offset)
{
    struct node *at = build_name(n->g, v);
    if (!offset)
        return at;
    return build_op(n->g, offset > 0 ? OP_ADD : OP_SUB, at,
                    build_int(n->g, (uint64_t)(offset > 0 ? offset : -offset)));
}

static struct node *cell(struct nest *n, const struct var *grid, int64_t down, int64_t right)
{
    struct node *row = lang_index(n->g->p, build_name(n->g, grid), index_of(n, n->i, down));
    return lang_index(n->g->p, row, index_of(n, n->k, right));
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Within both grids. */
static void fit_grids(struct nest *n)
{
    const struct type *a = n->grid->type, *b = n->other->type;
    n->rows = lesser(a->u.count, b->u.count);
    n->columns = lesser(a->base->u.count, b->base->u.count);
}

/* A variable of which the compiler knows no more than its limit. */
static struct var *soft_limit(struct nest *n, uint64_t most)
{
    struct gen *g = n->g;
    struct region *r = n->r;
    struct ctx c = make_pure(g, r, 1);
    struct node *e = make_expr_convert(g, make_expr_int(g, &c), lang_basic(g->p, TYPE_UINT)).n;
    struct var *v = make_local(g, r, build_int_type(g), gen_new_name(g, 't'));
    v->locked = v->no_address = true;
    struct node *bound = build_op(g, OP_REM, e, build_int(g, most + 1));
    make_attach(g, r, lang_declare(g->p, v->decl, bound));
    r->vars = v;
    return v;
}

/* The number in one of so many cases. */
static struct node *limit(struct nest *n, uint64_t most, uint64_t cases)
{
    if (rng_below(&n->r->rng, cases) == 0)
        return build_int(n->g, most);
    return build_name(n->g, soft_limit(n, most));
}

/* for (i = first; i < rows - less; i++) for (k = first; k < columns - less; k++) body */
static void put(struct nest *n, uint64_t first, uint64_t less, struct node *body)
{
    struct node *rows = limit(n, n->rows - less, 2), *columns = limit(n, n->columns - less, 4);
    bool swap = rng_below(&n->r->rng, 3) == 0;
    struct node *inner = swap ? build_for(n->g, n->i, first, rows, body)
                              : build_for(n->g, n->k, first, columns, body);
    make_attach(n->g, n->r,
                swap ? build_for(n->g, n->k, first, columns, inner)
                     : build_for(n->g, n->i, first, rows, inner));
    make_charge(n->r, 4 * n->rows * n->columns);
}

static bool affordable(const struct nest *n)
{
    return 4 * n->rows * n->columns < make_spare(n->r);
}

/* ---- nests ------------------------------------------------------------------------------ */

/* a[i][k] depends on its neighbours. */
static bool nest_neighbours(struct nest *n)
{
    static const int8_t steps[][2] = {{-1, 0}, {0, -1}, {-1, -1}, {1, 1}, {-1, 1},
                                      {1, -1}, {1, 0},  {-1, 0},  {1, 0}};
    struct gen *g = n->g;
    uint64_t which = rng_below(&n->r->rng, LENGTH(steps));
    n->other = n->grid;
    fit_grids(n);
    if (!affordable(n))
        return false;
    struct node *value = cell(n, n->grid, steps[which][0], steps[which][1]);
    if (rng_below(&n->r->rng, 2))
        value = build_op(g, OP_MUL, value, cell(n, n->grid, steps[which][0], steps[which][1]));
    value = build_op(g, OP_ADD, value, build_int(g, 1 + rng_below(&n->r->rng, 9)));
    put(n, 1, 1, make_keep(g, &n->r->rng, cell(n, n->grid, 0, 0), value));
    return true;
}

static bool nest_both(struct nest *n)
{
    static const uint8_t ops[] = {OP_ADD, OP_MUL, OP_XOR, OP_SUB};
    struct gen *g = n->g;
    fit_grids(n);
    if (n->grid == n->other || !affordable(n))
        return false;
    struct node *value = build_op(g, make_op_among(&n->r->rng, n->r->context, ops, LENGTH(ops)),
                                  cell(n, n->other, 0, 0), cell(n, n->grid, 0, 0));
    put(n, 0, 0, make_keep(g, &n->r->rng, cell(n, n->grid, 0, 0), value));
    return true;
}

/* Sums of the rows, or of the columns. */
static bool nest_sums(struct nest *n)
{
    n->other = n->grid;
    fit_grids(n);
    bool down = rng_below(&n->r->rng, 3);
    uint64_t *of = down ? &n->columns : &n->rows;
    *of = lesser(*of, n->row->type->u.count);
    if (!affordable(n))
        return false;
    struct node *to = build_at(n->g, n->row, build_name(n->g, down ? n->k : n->i));
    put(n, 0, 0, build_assign(n->g, OP_ADD, to, cell(n, n->grid, 0, 0)));
    return true;
}

/* Every element of one with every element of the other. */
static bool nest_lines(struct nest *n)
{
    struct gen *g = n->g;
    n->rows = lesser(n->row->type->u.count, 12);
    n->columns = lesser(n->column->type->u.count, 12);
    if (!affordable(n))
        return false;
    struct node *other = build_at(g, n->column, build_name(g, n->k));
    if (rng_below(&n->r->rng, 2))
        other = build_op(g, OP_MUL, other, build_int(g, 3 + rng_below(&n->r->rng, 9)));
    put(n, 0, 0, build_assign(g, OP_ADD, build_at(g, n->row, build_name(g, n->i)), other));
    return true;
}

static bool nest_transposed(struct nest *n)
{
    struct gen *g = n->g;
    uint64_t a = lesser(n->grid->type->u.count, n->grid->type->base->u.count);
    uint64_t b = lesser(n->other->type->u.count, n->other->type->base->u.count);
    n->rows = n->columns = lesser(a, b);
    if (n->grid == n->other || !affordable(n))
        return false;
    struct node *row = lang_index(g->p, build_name(g, n->other), build_name(g, n->k));
    struct node *from = lang_index(g->p, row, build_name(g, n->i));
    struct node *copy = make_keep(g, &n->r->rng, cell(n, n->grid, 0, 0), from);
    if (rng_below(&n->r->rng, 3) == 0) {
        put(n, 0, 0, copy);
        return true;
    }
    make_charge(n->r, 4 * n->rows * n->columns);
    make_attach(g, n->r, build_count(g, n->i, n->rows, build_count(g, n->k, n->columns, copy)));
    return true;
}

/* Every loop of a nest ends at the same variable, so that none of them is empty unless all are:
 * what loops must be before they change places. */
static void put_square(struct nest *n, const struct var *end, struct node *inner)
{
    struct node *columns = build_for(n->g, n->k, 0, build_name(n->g, end), inner);
    make_attach(n->g, n->r, build_for(n->g, n->i, 0, build_name(n->g, end), columns));
}

/* c[i][k] += a[i][j] * b[j][k] */
static bool nest_product(struct nest *n)
{
    struct gen *g = n->g;
    fit_grids(n);
    uint64_t m = lesser(lesser(n->rows, n->columns), 8);
    while (m > 0 && 5 * m * m * m > make_spare(n->r))
        m--;
    n->rows = n->columns = m;
    if (n->grid == n->other || m < 3)
        return false;
    struct var *j = make_counter(g, n->r);
    struct node *row = lang_index(g->p, build_name(g, n->other), build_name(g, n->i));
    struct node *a = lang_index(g->p, row, build_name(g, j));
    row = lang_index(g->p, build_name(g, n->other), build_name(g, j));
    struct node *b = lang_index(g->p, row, build_name(g, n->k));
    struct node *sum = build_assign(g, OP_ADD, cell(n, n->grid, 0, 0), build_op(g, OP_MUL, a, b));
    make_charge(n->r, 5 * m * m * m);
    if (rng_below(&n->r->rng, 3) == 0) {
        put(n, 0, 0, build_count(g, j, m, sum));
        return true;
    }
    struct var *end = soft_limit(n, m);
    put_square(n, end, build_for(g, j, 0, build_name(g, end), sum));
    return true;
}

/* s = c[k]; for (i ...) s += a[i][k] * b[i][k]; c[k] = s; down the columns, or along the rows */
static bool nest_dot(struct nest *n)
{
    struct gen *g = n->g;
    fit_grids(n);
    uint64_t m = lesser(lesser(n->rows, n->columns), n->row->type->u.count);
    n->rows = n->columns = m;
    if (n->grid == n->other || !affordable(n))
        return false;
    bool down = rng_below(&n->r->rng, 4);
    struct var *outer = down ? n->k : n->i, *inner = down ? n->i : n->k;
    struct var *end = soft_limit(n, m);
    struct var *s = make_local(g, n->r, n->row->type->base, gen_new_name(g, 'l'));
    struct node *product = build_op(g, OP_MUL, cell(n, n->grid, 0, 0), cell(n, n->other, 0, 0));
    struct node *more = build_assign(g, OP_ADD, build_name(g, s), product);
    struct node *body[3] = {
        lang_declare(g->p, s->decl, build_element(g, n->row, outer, 0)),
        build_for(g, inner, 0, build_name(g, end), more),
        build_assign(g, OP_ASSIGN, build_element(g, n->row, outer, 0), build_name(g, s))};
    make_attach(g, n->r, build_for(g, outer, 0, build_name(g, end), build_block(g, body, 3)));
    make_charge(n->r, 4 * m * m);
    return true;
}

/* for (i ...) { for (k = 0; k < 20; k++) w[k] += i op k or a[k]; s += w[7]; }: the inner loop is
 * too long to be unrolled before it is vectorised, and short enough after that. */
static bool nest_window(struct nest *n)
{
    static const uint8_t ops[] = {OP_ADD, OP_MUL, OP_XOR, OP_SUB};
    struct gen *g = n->g;
    struct rng *r = &n->r->rng;
    uint64_t length = 20 + 4 * rng_below(r, 4);
    struct type *of = number_type(g, r);
    n->rows = 2 + rng_below(r, 5);
    n->columns = length;
    if (!affordable(n) || n->row->type->u.count < 8)
        return false;
    struct var *w = make_global_new(g, lang_array(g->p, of, length + rng_below(r, 9)));
    struct node *i = lang_cast(g->p, of, build_name(g, n->i));
    struct node *value = build_op(g, make_op_among(r, n->r->context, ops, LENGTH(ops)), i,
                                  build_name(g, n->k));
    enum op o = make_op_among(r, n->r->context, ops, LENGTH(ops));
    struct node *fill = build_count(g, n->k, length,
                                    build_assign(g, o, build_element(g, w, n->k, 0), value));
    struct node *one = build_at(g, w, build_int(g, rng_below(r, length)));
    struct node *to = build_element(g, n->row, n->i, 0);
    struct node *body[2] = {fill, build_assign(g, OP_ADD, to, one)};
    make_attach(g, n->r, build_count(g, n->i, n->rows, build_block(g, body, 2)));
    make_charge(n->r, 4 * n->rows * n->columns);
    return true;
}

static bool (*const nests[])(struct nest *) = {
#define NEST(name, ...) [GEN_nest_##name] = nest_##name,
#include "gen/policy.def"
};

bool shape_stmt_nest(struct gen *g, struct region *r)
{
    uint32_t at = r->block->count;
    struct nest n = {.g = g, .r = r};
    n.i = make_counter(g, r);
    n.k = make_counter(g, r);
    n.grid = some_grid(g, &r->rng, NULL);
    n.other = some_grid(g, &r->rng, rng_below(&r->rng, 2) ? n.grid : NULL);
    n.row = some_line(g, &r->rng, NULL);
    n.column = some_line(g, &r->rng, n.row);
    if (!nests[gen_pick(g, &r->rng, GEN_GROUP_nest)](&n))
        return false;
    return make_walk_from(r, at);
}
