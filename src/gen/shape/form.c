/* Loops over arrays of one dimension, with what wrong code was found to need: several affine
 * stores, arrays of structures, reductions by every operator, conditions, carried values, gathers,
 * interleaving, clamps.  Each is built, charged and attached; execution walks into it. */
#include "gen/shape/private.h"
#include "gen/build.h"

/* ---- pieces ----------------------------------------------------------------------------- */

static struct rng *rng(struct form *f)
{
    return &f->r->rng;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

bool form_prepare(struct form *f, uint64_t steps)
{
    uint64_t turns = form_turns(f, steps);
    if (turns < 4)
        return false;
    f->a = form_array(f, 0, NULL);
    f->b = form_array(f, 0, rng_below(rng(f), 4) ? f->a : NULL);
    f->c = form_array(f, 0, f->a);
    f->limit = lesser(turns, f->a->type->u.count);
    f->limit = lesser(f->limit, lesser(f->b->type->u.count, f->c->type->u.count));
    f->first = 0;
    f->step = rng_below(rng(f), 3) ? 1 : 1 + rng_below(rng(f), 4);
    f->i = make_counter_place(f->g, f->r);
    return true;
}

static struct node *store(struct form *f, struct node *to, struct node *value)
{
    return make_keep(f->g, rng(f), to, value);
}

static unsigned some_depth(struct form *f)
{
    return 1 + (unsigned)rng_below(rng(f), 3);
}

/* ---- rows ------------------------------------------------------------------------------- */

/* Several stores at i, i + 1, 2 * i and the like. */
bool form_affine(struct form *f)
{
    struct node *body[4];
    uint32_t n = 2 + (uint32_t)rng_below(rng(f), 3);
    if (!form_prepare(f, 2 * n))
        return false;
    f->first = rng_below(rng(f), 3);
    for (uint32_t i = 0; i < n; i++) {
        const struct var *to = i % 2 ? f->c : f->a;
        uint64_t room = to->type->u.count - f->limit;
        uint64_t times = (to->type->u.count - 1) / (f->limit - 1);
        bool wide = times > 1 && rng_below(rng(f), 2);
        int64_t offset = wide || room == 0 ? 0 : (int64_t)rng_below(rng(f), lesser(room, 4) + 1);
        struct node *value = form_value(f, some_depth(f));
        body[i] = store(f, form_element(f, to, wide ? lesser(times, 4) : 1, offset), value);
    }
    form_put(f, build_block(f->g, body, n), 2 * n);
    return true;
}

bool form_conditional(struct form *f)
{
    struct gen *g = f->g;
    if (!form_prepare(f, 6))
        return false;
    struct node *yes[2], *no = NULL, *test = form_test(f);
    yes[0] = store(f, form_element(f, f->a, 1, 0), form_value(f, some_depth(f)));
    yes[1] = store(f, form_element(f, f->c, 1, 0), form_value(f, 1));
    if (rng_below(rng(f), 3) == 0) {
        enum op both = rng_below(rng(f), 2) ? OP_LAND : OP_LOR;
        test = build_op(g, both, test, form_test(f));
    }
    if (rng_below(rng(f), 2)) {
        const struct var *to = rng_below(rng(f), 2) ? f->a : f->c;
        no = store(f, form_element(f, to, 1, 0), form_value(f, 1));
    }
    struct node *first = rng_below(rng(f), 2) ? build_block(g, yes, 2) : yes[0];
    form_put(f, build_if(g, test, first, no), 6);
    return true;
}

/* a[i] from a[i - d] or a[i + d], d from 1 to 5. */
static bool carry_element(struct form *f, bool after)
{
    uint64_t d = 1 + rng_below(rng(f), 5);
    if (f->limit <= d)
        return false;
    struct node *near = form_element(f, f->a, 1, after ? (int64_t)d : -(int64_t)d);
    f->first = after ? 0 : d;
    f->limit = after ? lesser(f->limit, f->a->type->u.count - d) : f->limit;
    near = form_wraps(f, near);
    struct node *value = build_op(f->g, OP_ADD, near, form_value(f, 1));
    form_put(f, store(f, form_element(f, f->a, 1, 0), value), 3);
    return true;
}

/* From what the turns before left in scalars. */
static bool carry_scalars(struct form *f)
{
    struct gen *g = f->g;
    struct var *t[3] = {NULL};
    struct node *body[5];
    uint32_t scalars = 1 + (uint32_t)rng_below(rng(f), 3), n = 0;
    for (uint32_t i = 0; i < scalars; i++) {
        struct type *of = lang_basic(g->p, rng_below(rng(f), 2) ? TYPE_UINT : TYPE_ULLONG);
        t[i] = form_local(f, of, build_int(g, rng_below(rng(f), 9)));
    }
    struct node *old = build_op(g, OP_ADD, build_name(g, t[0]), form_value(f, 1));
    body[n++] = store(f, form_element(f, f->a, 1, 0), old);
    for (uint32_t i = 0; i + 1 < scalars; i++)
        body[n++] = build_set(g, t[i], build_name(g, t[i + 1]));
    body[n++] = build_set(g, t[scalars - 1], form_value(f, 1));
    form_put(f, build_block(g, body, n), 6);
    return true;
}

bool form_carried(struct form *f)
{
    uint64_t way = rng_below(rng(f), 3);
    return form_prepare(f, 6) && (way == 2 ? carry_scalars(f) : carry_element(f, way));
}

/* a[b[i]] = c[i], or a[i] = c[b[i]], where b's elements are brought below the array's count. */
bool form_gather(struct form *f)
{
    struct gen *g = f->g;
    if (!form_prepare(f, 4))
        return false;
    bool scatter = rng_below(rng(f), 2);
    struct var *far = scatter ? f->a : f->c;
    struct node *at = lang_cast(g->p, lang_basic(g->p, TYPE_UINT), form_element(f, f->b, 1, 0));
    at = build_op(g, OP_REM, at, build_int(g, far->type->u.count));
    if (scatter) {
        form_put(f, store(f, build_at(g, far, at), form_value(f, 1)), 4);
        return true;
    }
    struct node *value = build_op(g, OP_XOR, build_at(g, far, at), form_value(f, 1));
    form_put(f, store(f, form_element(f, f->a, 1, 0), value), 4);
    return true;
}

/* a[2 * i] and a[2 * i + 1] are written, or read. */
bool form_interleaved(struct form *f)
{
    struct gen *g = f->g;
    struct node *body[4];
    if (!form_prepare(f, 8))
        return false;
    uint64_t by = 2 + rng_below(rng(f), 3);
    f->limit = lesser(f->limit, f->a->type->u.count / by);
    f->limit = lesser(f->limit, f->b->type->u.count / by);
    if (f->limit < 2)
        return false;
    if (rng_below(rng(f), 2)) {
        for (uint64_t i = 0; i < by; i++)
            body[i] = store(f, form_element(f, f->a, by, (int64_t)i), form_value(f, 1));
        form_put(f, build_block(g, body, (uint32_t)by), 8);
        return true;
    }
    struct node *value = form_wraps(f, form_element(f, f->b, by, 0));
    for (uint64_t i = 1; i < by; i++)
        value = build_op(g, i % 2 ? OP_ADD : OP_XOR, form_wraps(f, value),
                         form_element(f, f->b, by, (int64_t)i));
    form_put(f, store(f, form_element(f, f->a, 1, 0), value), 4);
    return true;
}

/* a[i * s] from b[i * s], where compilers do not know s: a version of the loop for 1 pays. */
bool form_strided(struct form *f)
{
    struct gen *g = f->g;
    uint64_t most = 2 + rng_below(rng(f), 3);
    if (!form_prepare(f, 5))
        return false;
    f->limit = lesser(f->limit, lesser(f->a->type->u.count, f->b->type->u.count) / most);
    if (f->limit < 4)
        return false;
    struct ctx c = make_pure(g, f->r, 1);
    struct type *word = lang_basic(g->p, TYPE_UINT);
    struct node *s = make_expr_convert(g, make_expr_varying(g, &c), word).n;
    s = build_op(g, OP_REM, s, build_int(g, most));
    if (rng_below(rng(f), 3)) /* 1, but for one in so many */
        s = build_op(g, OP_EQ, s, build_int(g, 0));
    struct var *stride = form_local(f, build_int_type(g), build_op(g, OP_ADD, s, build_int(g, 1)));
    stride->locked = stride->no_address = true;
    struct node *at[2];
    for (int i = 0; i < 2; i++)
        at[i] = build_op(g, OP_MUL, form_counter(f), build_name(g, stride));
    struct node *from = form_wraps(f, build_at(g, f->b, at[0]));
    struct node *value = build_op(g, OP_ADD, from, form_value(f, 1));
    form_put(f, store(f, build_at(g, f->a, at[1]), value), 5);
    return true;
}

/* x < low ? low : x > high ? high : x, where low may be above high. */
bool form_clamped(struct form *f)
{
    struct gen *g = f->g;
    if (!form_prepare(f, 4))
        return false;
    struct type *t = rng_below(rng(f), 2) ? f->b->type->base : build_int_type(g);
    struct node *x = lang_cast(g->p, t, form_value(f, 1));
    struct node *ends[2];
    for (int i = 0; i < 2; i++)
        ends[i] = rng_below(rng(f), 2) ? build_int(g, rng_below(rng(f), 120)) : form_value(f, 0);
    struct var *v = form_local(f, t, build_int(g, 0));
    struct node *low = lang_cond(g->p, build_op(g, OP_LT, build_name(g, v), ends[0]),
                                 tree_clone(g, ends[0]), build_name(g, v));
    struct node *high = lang_cond(g->p, build_op(g, OP_GT, build_name(g, v), ends[1]),
                                  tree_clone(g, ends[1]), build_name(g, v));
    struct node *body[4] = {build_set(g, v, x), build_set(g, v, low), build_set(g, v, high),
                            store(f, form_element(f, f->a, 1, 0), build_name(g, v))};
    form_put(f, build_block(g, body, 4), 5);
    return true;
}

/* ---- reductions ------------------------------------------------------------------------- */

/* What the results are gathered in: a local, a global, an element or a member. */
static struct node *gathered_in(struct form *f)
{
    static const uint8_t kinds[] = {TYPE_UINT,  TYPE_ULONG, TYPE_ULLONG, TYPE_INT,  TYPE_SHORT,
                                    TYPE_UCHAR, TYPE_SCHAR, TYPE_USHORT, TYPE_LLONG};
    struct gen *g = f->g;
    struct node *place = rng_below(rng(f), 2) ? make_place(g, f->r) : NULL;
    if (place && gen_int_width(g, place->type->unqual) <= 64)
        return place;
    struct type *t = lang_basic(g->p, kinds[rng_below(rng(f), LENGTH(kinds))]);
    return build_name(g, form_local(f, t, build_int(g, rng_below(rng(f), 9))));
}

/* s = s op e; the least, the greatest; all, any */
static struct node *gather(struct form *f, struct node *s, struct node *e)
{
    enum { SUMS = 4 }; /* they keep what was there: two of three */
    static const uint8_t ops[] = {OP_XOR, OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_OR};
    struct gen *g = f->g;
    uint64_t way = rng_below(rng(f), 3) ? rng_below(rng(f), SUMS)
                                        : SUMS + rng_below(rng(f), LENGTH(ops) - SUMS + 4);
    struct node *to = tree_clone(g, s);
    if (way >= SUMS)
        make_show(g, f->r, s);
    if (way < LENGTH(ops)) {
        bool sum = ops[way] == OP_ADD || ops[way] == OP_SUB || ops[way] == OP_MUL;
        if (!sum || rng_below(rng(f), 2))
            return build_assign(g, ops[way], to, sum ? form_wraps(f, e) : e);
        return build_assign(g, OP_ASSIGN, to, build_op(g, ops[way], form_wraps(f, s), e));
    }
    if (way >= LENGTH(ops) + 2)
        return build_assign(g, OP_ASSIGN, to,
                            build_op(g, way % 2 ? OP_LAND : OP_LOR, s, form_test(f)));
    struct node *test = build_op(g, rng_below(rng(f), 2) ? OP_LT : OP_GT, e, s);
    if (rng_below(rng(f), 2))
        return build_if(g, test, build_assign(g, OP_ASSIGN, to, tree_clone(g, e)), NULL);
    struct node *value = lang_cond(g->p, test, tree_clone(g, e), tree_clone(g, s));
    return build_assign(g, OP_ASSIGN, to, value);
}

bool form_reduction(struct form *f)
{
    struct gen *g = f->g;
    struct node *body[3];
    if (!form_prepare(f, 6))
        return false;
    uint32_t n = 1 + (uint32_t)rng_below(rng(f), 3);
    for (uint32_t i = 0; i < n; i++) {
        struct node *s = gathered_in(f);
        struct node *more = gather(f, s, form_value(f, (unsigned)rng_below(rng(f), 3)));
        body[i] = rng_below(rng(f), 3) ? more : build_if(g, form_test(f), more, NULL);
    }
    form_put(f, n == 1 ? body[0] : build_block(g, body, n), 3 * n);
    return true;
}

/* A strided store, one under a condition and a reduction, in one loop and in any order: each is
 * easy by itself, and wrong code was found where they meet. */
bool form_together(struct form *f)
{
    if (!form_prepare(f, 10))
        return false;
    uint64_t times = (f->a->type->u.count - 1) / (f->limit - 1);
    if (times < 2 && f->step == 1)
        f->step = 2 + rng_below(rng(f), 3);
    struct node *to = form_element(f, f->a, times < 2 ? 1 : lesser(times, 4), 0);
    struct node *body[3] = {store(f, to, form_value(f, some_depth(f)))};
    struct node *test = form_test(f), *value = form_value(f, 1);
    body[1] = build_if(f->g, test, store(f, form_element(f, f->c, 1, 0), value), NULL);
    struct node *s = gathered_in(f);
    body[2] = gather(f, s, form_value(f, 1));
    uint64_t first = rng_below(rng(f), LENGTH(body));
    struct node *turned[] = {body[first], body[(first + 1) % 3], body[(first + 2) % 3]};
    form_put(f, build_block(f->g, turned, LENGTH(turned)), 10);
    return true;
}

/* ---- arrays of structures ---------------------------------------------------------------- */

static bool is_record_array(struct gen *g, const struct var *v, const struct type *like)
{
    const struct type *t = v->type;
    (void)g;
    (void)like;
    return make_is_plain(v) && t->kind == TYPE_ARRAY && t->quals == 0 && t->u.count >= 8 &&
           t->base->kind == TYPE_STRUCT && t->base->quals == 0 && !gen_has_pointer(t->base);
}

/* An array of structures, or NULL where no type is fit for it. */
static struct var *record_array(struct form *f)
{
    struct gen *g = f->g;
    struct var *v = rng_below(rng(f), 3) ? make_pick_global(g, rng(f), is_record_array, NULL)
                                         : NULL;
    if (v)
        return v;
    struct type *t = g->records.n ? g->records.at[rng_below(rng(f), g->records.n)] : NULL;
    if (!t || gen_has_pointer(t) || t->kind != TYPE_STRUCT || gen_size_of(g, t) > 64)
        return NULL;
    return make_global_filled(g, lang_array(g->p, t, 8 + rng_below(rng(f), 40)));
}

/* Some member that is a number; NULL where there is none. */
static struct node *member(struct form *f, struct node *record)
{
    const struct record *type = record->type->u.record;
    struct field *found = NULL;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < type->count; i++) {
        struct field *m = type->fields[i];
        bool fit = m->name && lang_is_integer(m->type->canon) && m->type->canon->quals == 0 &&
                   !gen_is_wide_field(m) && gen_int_width(f->g, m->type->canon) <= 64;
        if (fit && rng_below(rng(f), ++seen) == 0)
            found = m;
    }
    return found ? lang_member(f->g->p, record, found->name, false) : NULL;
}

/* s[i].m = deep; s[i] = s[n - 1 - i]; a local copy that is changed and put back */
bool form_records(struct form *f)
{
    struct gen *g = f->g;
    struct node *body[4];
    uint32_t n = 0;
    struct var *s = record_array(f);
    if (!s || !form_prepare(f, 8))
        return false;
    f->limit = lesser(f->limit, s->type->u.count);
    f->first = rng_below(rng(f), 2);
    struct node *to = member(f, form_element(f, s, 1, 0));
    struct node *from = member(f, form_element(f, s, 1, -(int64_t)f->first));
    if (!to)
        return false;
    from = form_wraps(f, from);
    struct node *value = build_op(g, OP_ADD, from, form_value(f, 1));
    if (rng_below(rng(f), 2)) {
        body[n++] = store(f, to, value);
        body[n++] = store(f, form_element(f, f->a, 1, 0), member(f, form_element(f, s, 1, 0)));
    } else {
        struct var *l = make_local(g, f->r, s->type->base, gen_new_name(g, 'l'));
        struct node *end = build_op(g, OP_SUB, build_int(g, f->limit + f->first - 1),
                                    form_counter(f));
        body[n++] = lang_declare(g->p, l->decl, lang_rvalue(g->p, form_element(f, s, 1, 0)));
        body[n++] = store(f, member(f, build_name(g, l)), value);
        body[n++] = build_assign(g, OP_ASSIGN, form_element(f, s, 1, 0),
                                 lang_rvalue(g->p, build_at(g, s, tree_clone(g, end))));
        body[n++] = build_assign(g, OP_ASSIGN, build_at(g, s, end), build_name(g, l));
    }
    form_put(f, build_block(g, body, n), 8);
    return true;
}

/* ---- all -------------------------------------------------------------------------------- */

static form_fn *const forms[] = {
#define FORM(name, ...) [GEN_form_##name] = form_##name,
#include "gen/policy.def"
};

bool shape_stmt_form(struct gen *g, struct region *r)
{
    uint32_t at = r->block->count;
    struct form f = {.g = g, .r = r};
    return forms[gen_pick(g, &r->rng, GEN_GROUP_form)](&f) ? make_walk_from(r, at) : false;
}
