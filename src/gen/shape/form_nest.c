/* Nests of two loops whose bounds or subscripts lean on each other: triangles, shifted rows,
 * diagonals.  Built, charged and attached; execution walks into them. */
#include "gen/shape/private.h"
#include "gen/build.h"

static struct rng *rng(struct form *f)
{
    return &f->r->rng;
}

static bool is_grid(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *t = v->type;
    (void)g;
    (void)like;
    return make_is_plain(v) && t->kind == TYPE_ARRAY && t->base->kind == TYPE_ARRAY &&
           t->u.count >= 4 && t->base->u.count >= 4 && lang_is_integer(t->base->base) &&
           t->base->base->kind != TYPE_BOOL && t->base->base->kind != TYPE_ENUM &&
           t->base->base->quals == 0 && gen_int_width(g, t->base->base) <= 64;
}

/* A grid, and the arrays and limits that form_value reads within. */
static struct var *prepare(struct form *f, uint64_t *n)
{
    static const uint8_t kinds[] = {TYPE_INT, TYPE_UINT, TYPE_USHORT, TYPE_LLONG, TYPE_UCHAR};
    struct gen *g = f->g;
    struct var *v = make_pick_global(g, rng(f), is_grid, NULL);
    if (!v || rng_below(rng(f), 4) == 0) {
        struct type *of = lang_basic(g->p, kinds[rng_below(rng(f), LENGTH(kinds))]);
        of = lang_array(g->p, of, 5 + rng_below(rng(f), 14));
        v = make_global_new(g, lang_array(g->p, of, 5 + rng_below(rng(f), 10)));
    }
    uint64_t rows = v->type->u.count, columns = v->type->base->u.count;
    *n = rows < columns ? rows : columns;
    while (*n > 0 && 8 * *n * *n > make_spare(f->r))
        (*n)--;
    if (*n < 4)
        return NULL;
    f->a = form_array(f, *n, NULL);
    f->b = form_array(f, *n, f->a);
    f->c = form_array(f, *n, f->a);
    f->limit = *n;
    f->i = make_counter_place(g, f->r);
    return v;
}

static struct node *cell(struct form *f, const struct var *v, struct node *row, struct node *column)
{
    return lang_index(f->g->p, lang_index(f->g->p, build_name(f->g, v), row), column);
}

/* for (i...) for (k = low; k < high; k++) body, or k <= high */
static void put(struct form *f, const struct var *k, struct node *const *ends, struct node *body)
{
    struct gen *g = f->g;
    struct node *kids[4] = {lang_declare(g->p, k->decl, ends[0]),
                            build_op(g, OP_LT, build_name(g, k), ends[1]),
                            lang_unary(g->p, OP_POSTINC, build_name(g, k)), body};
    struct node *inner = lang_node(g->p, NODE_FOR, kids, 4);
    f->step = 1;
    form_put(f, inner, 4 * f->limit);
}

static struct node *sum_of(struct form *f, struct node *a, uint64_t b)
{
    return b ? build_op(f->g, OP_ADD, a, build_int(f->g, b)) : a;
}

/* k below i, up to i, from i on, from i + 1 on */
bool form_triangle(struct form *f)
{
    struct gen *g = f->g;
    uint64_t n, way = rng_below(rng(f), 4);
    struct var *v = prepare(f, &n);
    if (!v)
        return false;
    struct var *k = make_counter(g, f->r);
    struct node *i = lang_cast(g->p, build_int_type(g), form_counter(f));
    struct node *ends[2] = {way < 2 ? build_int(g, 0) : sum_of(f, i, way - 2),
                            way < 2 ? sum_of(f, i, way) : build_int(g, n)};
    bool swap = rng_below(rng(f), 2);
    struct node *a = swap ? build_name(g, k) : form_counter(f),
                *b = swap ? form_counter(f) : build_name(g, k);
    struct node *mirror = cell(f, v, tree_clone(g, b), tree_clone(g, a));
    struct node *value = rng_below(rng(f), 2) ? mirror : form_value(f, 2);
    struct node *body = make_keep(g, rng(f), cell(f, v, a, b), value);
    if (rng_below(rng(f), 3) == 0) { /* a prefix: c[i] ^= a[i][k] */
        struct node *both[2] = {body, build_assign(g, OP_XOR, form_element(f, f->a, 1, 0),
                                                   cell(f, v, form_counter(f), build_name(g, k)))};
        body = build_block(g, both, 2);
    }
    put(f, k, ends, body);
    return true;
}

/* Along the diagonals, one or two steps off them, or down them in waves. */
bool form_diagonal(struct form *f)
{
    struct gen *g = f->g;
    uint64_t n, way = rng_below(rng(f), 3), off = rng_below(rng(f), 3);
    struct var *v = prepare(f, &n);
    if (!v)
        return false;
    struct var *k = make_counter(g, f->r);
    struct node *i = form_counter(f), *column = build_name(g, k);
    struct node *ends[2] = {build_int(g, 0), NULL}, *row, *to;
    struct node *int_i = lang_cast(g->p, build_int_type(g), form_counter(f));
    if (way == 0) { /* a[k][i + k] */
        ends[1] = build_op(g, OP_SUB, build_int(g, n), int_i);
        row = build_name(g, k);
        to = build_op(g, OP_ADD, i, column);
    } else if (way == 1) { /* a[i - k][k]: across the diagonal */
        ends[1] = build_op(g, OP_ADD, int_i, build_int(g, 1));
        row = build_op(g, OP_SUB, lang_cast(g->p, build_int_type(g), i), build_name(g, k));
        to = column;
    } else { /* a[i][k + off] from a[i + off][k] */
        f->limit = n - off;
        ends[1] = build_int(g, n - off);
        row = i;
        to = sum_of(f, column, off);
    }
    struct node *from = way == 2 ? cell(f, v, sum_of(f, form_counter(f), off), build_name(g, k))
                                 : form_value(f, 1);
    struct node *value = build_op(g, OP_ADD, form_wraps(f, from), build_name(g, k));
    put(f, k, ends, make_keep(g, rng(f), cell(f, v, row, to), value));
    return true;
}
