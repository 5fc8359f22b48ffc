/* What is computed must show: wrong code whose result nobody reads cannot be seen.  Locals are made
 * part of the output at the end of their scope, in a way that is drawn once for a program (group
 * observe); results that nothing else takes are, too.  Functions that may not write to globals give
 * their locals back with their result, or add them to a tally. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

enum {
    MOST_LOCALS = 60,
    MOST_WHEN_LEAVING = 12,
    MOST_RETURNED = 16,
    WATCH_FACTOR = 31,
    RETURN_FACTOR = 3
};

/* ---- the checksum of a value: mix(x), member by member and element by element ------------- */

static void add(struct gen *g, struct node *block, struct node *n)
{
    if (!n)
        BUG("%s", g->p->err.msg);
    lang_append(g->p, block, n);
}

static struct type *wide(struct gen *g)
{
    return lang_basic(g->p, TYPE_ULLONG);
}

/* May what shows values multiply?  Not in a program that keeps to contexts without products. */
static bool has_products(const struct gen *g)
{
    return !make_is_strict(g) || gen_setting(g, GEN_context_multiplicative) ||
           gen_setting(g, GEN_context_arithmetic);
}

/* tally += x * odd: a sum, so that the order of calls does not matter; nothing reads it before the
 * end.  So functions that may stand anywhere in an expression may write to it. */
static struct node *tallied(struct gen *g, struct node *value)
{
    struct node *more = lang_cast(g->p, wide(g), value);
    if (!g->tally) {
        struct rng r = rng_fork(&g->rng, "tally");
        g->tally = make_global_declare(g, wide(g), &r, build_int(g, 0));
        g->tally->secret = true;
    }
    uint64_t by = 2 * (g->tallied++ % 500) + 3;
    if (has_products(g))
        more = build_op(g, OP_MUL, more, build_int(g, by));
    return build_assign(g, OP_ADD, build_name(g, g->tally), more);
}

static void add_mix(struct gen *g, const struct region *r, struct node *block, struct node *value)
{
    struct node *args[1] = {value};
    if (r->fn->class != CLASS_FULL) {
        add(g, block, tallied(g, value));
        return;
    }
    add(g, block, lang_expr_stmt(g->p, lang_call(g->p, lang_name(g->p, g->mix_decl), args, 1)));
}

static void sum_array(struct gen *g, struct region *r, struct node *block, struct node *n)
{
    struct type *int_type = lang_basic(g->p, TYPE_INT);
    uint64_t count = n->type->u.count;
    if (count <= 2 || n->type->kind == TYPE_VECTOR) {
        for (uint64_t i = 0; i < count; i++)
            make_sum(g, r, block, lang_index(g->p, tree_clone(g, n), lang_int(g->p, i, int_type)));
        return;
    }
    struct var *v = make_local(g, r, int_type, gen_new_name(g, 't'));
    struct node *body = lang_node(g->p, NODE_BLOCK, NULL, 0);
    make_sum(g, r, body, lang_index(g->p, n, lang_name(g->p, v->decl)));
    struct node *kids[4] = {
        lang_declare(g->p, v->decl, lang_int(g->p, 0, int_type)),
        lang_binary(g->p, OP_LT, lang_name(g->p, v->decl), lang_int(g->p, count, int_type)),
        lang_unary(g->p, OP_POSTINC, lang_name(g->p, v->decl)), body};
    add(g, block, lang_node(g->p, NODE_FOR, kids, 4));
}

static void sum_record(struct gen *g, struct region *r, struct node *block, struct node *n)
{
    const struct record *record = n->type->u.record;
    for (uint32_t i = 0; i < record->count; i++) {
        if (!record->fields[i]->name)
            continue;
        make_sum(g, r, block, lang_member(g->p, tree_clone(g, n), record->fields[i]->name, false));
        if (record->is_union)
            break;
    }
}

/* Through mix_real, which looks at the bits of a double. */
static void sum_real(struct gen *g, struct node *block, struct node *n)
{
    struct node *args[1] = {n};
    add(g, block, lang_expr_stmt(g->p, lang_call(g->p, lang_name(g->p, g->real_decl), args, 1)));
}

void make_sum(struct gen *g, struct region *r, struct node *block, struct node *n)
{
    struct type *t = n->type;
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR) {
        sum_array(g, r, block, n);
    } else if (lang_is_record(t)) {
        sum_record(g, r, block, n);
    } else if (t->class == CLASS_FLOAT && r->fn->class == CLASS_FULL) {
        sum_real(g, block, n);
    } else if (lang_is_integer(t)) {
        if (gen_int_width(g, t) > 64) {
            struct node *high = lang_binary(g->p, OP_SHR, tree_clone(g, n),
                                            lang_int(g->p, 64, lang_basic(g->p, TYPE_INT)));
            add_mix(g, r, block, high);
        }
        add_mix(g, r, block, n);
    }
}

/* How many numbers there are in it, about. */
static uint64_t scalars(const struct type *t)
{
    t = t->canon;
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR)
        return t->u.count * scalars(t->base);
    uint64_t n = 0;
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count; i++)
        n += scalars(t->u.record->fields[i]->type);
    return n ? n : 1;
}

/* ---- one value -------------------------------------------------------------------------- */

/* watch = watch * 31 + value; */
static struct node *watch(struct gen *g, struct node *value)
{
    struct node *times = build_name(g, g->watch);
    if (has_products(g))
        times = build_op(g, OP_MUL, times, build_int(g, WATCH_FACTOR));
    return build_set(g, g->watch, build_op(g, OP_ADD, times, lang_cast(g->p, wide(g), value)));
}

/* mix(value); NULL where a floating value has no way. */
static struct node *mixed(struct gen *g, struct node *value)
{
    struct decl *by = value->type->class == CLASS_FLOAT ? g->real_decl : g->mix_decl;
    return by ? lang_expr_stmt(g->p, lang_call(g->p, lang_name(g->p, by), &value, 1)) : NULL;
}

/* What mix does with a value that has been computed already. */
static void mix_value(struct gen *g, const struct made *m)
{
    struct type *t = m->n->type->unqual;
    struct type *as = t->class == CLASS_FLOAT ? lang_basic(g->p, TYPE_DOUBLE) : wide(g);
    run_mix(g, (uint64_t)run_convert(g, t, as, m->v.bits));
}

bool make_observes(const struct gen *g, const struct region *r)
{
    return g->observe != GEN_observe_nothing && !r->dead && r->fn->class == CLASS_FULL;
}

bool make_observe_result(struct gen *g, struct region *r, struct made m)
{
    bool able = make_observes(g, r) && lang_is_arithmetic(m.n->type);
    struct node *n = able ? mixed(g, m.n)
                          : NULL; /* not watched: a call in it may write there, too */
    if (!n)
        return false;
    make_attach(g, r, n);
    mix_value(g, &m);
    return true;
}

/* May it add numbers to the tally here? */
static bool may_tally(const struct gen *g, const struct region *r)
{
    return r->fn->tallies && g->observe != GEN_observe_nothing && !r->dead;
}

void make_attach_now(struct gen *g, struct region *r, struct node *n)
{
    make_attach(g, r, n);
    run_exec(g, &r->block->kid[r->block->count - 1]);
}

/* Attaches what shows each number in it, and executes that. */
static void show_parts(struct gen *g, struct region *r, struct node *n)
{
    uint32_t first = r->block->count;
    make_sum(g, r, r->block, n);
    for (uint32_t i = first; i < r->block->count; i++)
        run_exec(g, &r->block->kid[i]);
}

void make_show_now(struct gen *g, struct ctx *c, struct lval l)
{
    enum { MOST_PARTS = 8 };
    struct region *r = c->region;
    bool able = (make_observes(g, r) || may_tally(g, r)) && tree_is_pure(l.n) &&
                run_mem_ready(g, &l.s) && !(c->full->called >> CLASS_FULL & 1);
    if (!able)
        return;
    l.n = tree_clone(g, l.n);
    if (lang_is_record(l.s.type)) {
        if (!gen_has_pointer(l.s.type) && scalars(l.s.type) <= MOST_PARTS)
            show_parts(g, r, l.n);
        return;
    }
    struct made m = lang_is_arithmetic(l.s.type) ? make_lvalue_read(g, l) : (struct made){0};
    if (m.n && !make_observe_result(g, r, m) && lang_is_integer(l.s.type))
        make_attach_now(g, r, tallied(g, m.n));
}

void make_show(struct gen *g, struct region *r, const struct node *place)
{
    if (!make_observes(g, r) || !tree_is_pure(place))
        return;
    struct node *n = NULL;
    if (place->type->kind == TYPE_ARRAY) {
        uint64_t steps = 3 * scalars(place->type);
        if (make_spare(r) < 2 * steps)
            return;
        make_charge(r, steps);
        make_sum(g, r, r->block, tree_clone(g, place));
        return;
    }
    if (lang_is_arithmetic(place->type) &&
        !(place->kind == NODE_MEMBER && gen_is_wide_field(place->u.field)))
        n = mixed(g, lang_rvalue(g->p, tree_clone(g, place)));
    if (n)
        make_attach(g, r, n);
}

/* Is a sum of the two unsigned?  C11 6.3.1.8 */
static bool sum_wraps(struct gen *g, struct type *a, struct type *b)
{
    a = lang_promoted(g->p, a);
    b = lang_promoted(g->p, b);
    struct type *wider = gen_int_width(g, a) > gen_int_width(g, b) ? a : b;
    bool same = gen_int_width(g, a) == gen_int_width(g, b);
    return !gen_int_signed(g, wider) || (same && !gen_int_signed(g, a));
}

struct node *make_merge(struct gen *g, struct rng *r, struct node *to, struct node *value)
{
    static const uint8_t ops[] = {OP_XOR, OP_ADD, OP_ADD, OP_SUB};
    struct type *t = to->type->unqual;
    bool able = g->observe != GEN_observe_nothing && lang_is_integer(t) &&
                lang_is_integer(value->type) && value->kind != NODE_INT;
    if (!able)
        return build_assign(g, OP_ASSIGN, to, value);
    if (t->kind == TYPE_BOOL) /* the one bit that does not depend on what was there */
        return build_assign(g, OP_XOR, to, build_op(g, OP_AND, value, build_int(g, 1)));
    enum op op = ops[rng_below(r, LENGTH(ops))];
    if (op != OP_XOR && !sum_wraps(g, t, value->type->unqual))
        op = OP_XOR; /* never undefined */
    return build_assign(g, op, to, value);
}

struct node *make_keep(struct gen *g, struct rng *r, struct node *to, struct node *value)
{
    return rng_below(r, 10) ? make_merge(g, r, to, value) : build_assign(g, OP_ASSIGN, to, value);
}

/* ---- scopes ----------------------------------------------------------------------------- */

static bool is_known(struct gen *g, const struct var *v)
{
    const struct object *o = gen_about(g, v->decl)->object;
    struct spot s = {(struct object *)o, 0, v->type, NULL};
    return o && !v->secret && (!v->global || v->decl->owner) && run_mem_ready(g, &s);
}

/* Nobody calls main, so that what it takes need not be bounded at its end. */
static bool may_show(const struct gen *g, const struct region *r, const struct var *v)
{
    bool ends = r->fn == g->functions.at[0] && r->nesting == 0;
    return v->type->kind != TYPE_POINTER && v->type->kind != TYPE_VA_LIST &&
           !gen_has_pointer(v->type) && (ends || make_spare(r) > 3 * scalars(v->type));
}

static struct spot tally_spot(struct gen *g)
{
    return (struct spot){gen_about(g, g->tally->decl)->object, 0, wide(g), NULL};
}

struct val make_tally_now(struct gen *g)
{
    struct val v = {0};
    struct spot s = g->tally ? tally_spot(g) : (struct spot){0};
    if (g->tally)
        run_mem_load(g, &s, &v);
    return v;
}

void make_tally_back(struct gen *g, struct val v)
{
    struct spot s = g->tally ? tally_spot(g) : (struct spot){0};
    if (g->tally)
        run_mem_store(g, &s, &v);
}

/* NULL where it has no way. */
static struct node *shown(struct gen *g, const struct region *r, struct node *value)
{
    bool real = value->type->class == CLASS_FLOAT;
    if (r->fn->class != CLASS_FULL)
        return real ? NULL : tallied(g, value);
    return g->observe == GEN_observe_watch && !real ? watch(g, value) : mixed(g, value);
}

/* Shown now, and each time that execution comes to the end of the scope. */
static void show_local(struct gen *g, struct region *r, struct var *v)
{
    struct node *name = build_name(g, v);
    struct node *n = lang_is_arithmetic(v->type) ? shown(g, r, lang_rvalue(g->p, name)) : NULL;
    if (n)
        make_attach_now(g, r, n);
    else if (!lang_is_arithmetic(v->type))
        show_parts(g, r, name);
    make_charge(r, 2 * scalars(v->type));
}

/* A pointer that nothing has followed shows a number that it leads to. */
static void show_target(struct gen *g, struct region *r, struct var *v)
{
    enum { STEPS = 3 };
    bool able = v->type->kind == TYPE_POINTER && !v->decl->used && make_observes(g, r) &&
                make_spare(r) > 2 * STEPS;
    struct ctx c = able ? make_ctx_start(g, r) : (struct ctx){0};
    struct lval l = able ? make_lvalue_of_var(g, &c, v, WANT_READ, KIND_INT) : (struct lval){0};
    struct made m = l.n && run_mem_ready(g, &l.s) ? make_lvalue_read(g, l) : (struct made){0};
    if (m.n && make_observe_result(g, r, m))
        make_charge(r, STEPS);
}

/* The locals that were made since outside was, the last ones first. */
static void show_locals(struct gen *g, struct region *r, const struct var *outside, uint32_t most)
{
    for (struct var *v = r->vars; v && v != outside && most > 0; v = v->outer) {
        if (!is_known(g, v))
            continue;
        if (may_show(g, r, v)) {
            show_local(g, r, v);
            most--;
        } else {
            r->hides = true;
            show_target(g, r, v);
        }
    }
}

void make_observe_scope(struct gen *g, struct region *r)
{
    if (!make_observes(g, r) && !may_tally(g, r))
        return;
    bool leaves = r->end && r->nesting;
    r->closes = true;
    show_locals(g, r, leaves ? NULL : r->outside, leaves ? MOST_WHEN_LEAVING : MOST_LOCALS);
}

void make_observe_leaving(struct gen *g, struct region *r)
{
    if (make_observes(g, r) || may_tally(g, r))
        show_locals(g, r, NULL, MOST_WHEN_LEAVING);
}

/* What is given back with the result: m * 3 + x, for every number x. */
struct giving {
    struct gen *g;
    struct ctx *c;
    struct made m;
    int left; /* numbers that may still be added */
};

static void give_number(struct giving *w, struct lval l)
{
    struct gen *g = w->g;
    struct made x = w->left > 0 ? make_lvalue_read(g, l) : (struct made){0};
    if (!x.n)
        return;
    x = make_expr_convert(g, x, wide(g)); /* of a wide one the lower half */
    struct made by = build_number(g, RETURN_FACTOR, build_int_type(g));
    if (has_products(g))
        w->m = make_combine(g, w->c, OP_MUL, w->m, by);
    w->m = make_combine(g, w->c, OP_ADD, w->m, x);
    w->left--;
}

/* Every integer in it, element by element and member by member. */
static void give_numbers(struct giving *w, struct lval l)
{
    struct gen *g = w->g;
    const struct type *t = l.s.type;
    struct lval inner = l;
    if (lang_is_integer(t))
        give_number(w, l);
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR)
        for (uint64_t i = 0; i < t->u.count && w->left > 0; i++) {
            inner.n = lang_index(g->p, tree_clone(g, l.n), build_int(g, i));
            inner.s = (struct spot){l.s.object, l.s.at + i * gen_size_of(g, t->base), inner.n->type,
                                    NULL};
            give_numbers(w, inner);
        }
    for (uint32_t i = 0; lang_is_record(t) && i < t->u.record->count && w->left > 0; i++) {
        struct field *f = t->u.record->fields[i];
        if (!f->name || (i > 0 && t->u.record->is_union))
            continue;
        inner.n = lang_member(g->p, tree_clone(g, l.n), f->name, false);
        inner.s = (struct spot){l.s.object, l.s.at + f->offset, inner.n->type,
                                f->is_bitfield ? f : NULL};
        give_numbers(w, inner);
    }
}

struct made make_observe_return(struct gen *g, struct ctx *c, struct made m)
{
    struct region *r = c->region;
    bool shown = (r->fn->class == CLASS_FULL || r->fn->tallies) && !r->hides;
    if (g->observe == GEN_observe_nothing || r->dead || shown)
        return m;
    struct giving w = {g, c, make_expr_convert(g, m, wide(g)), MOST_RETURNED};
    for (struct var *v = r->vars; v && w.left > 0; v = gen_var_next(r->vars, v)) {
        if (!is_known(g, v) || !make_full_may_read(c->full, v->decl))
            continue;
        make_full_reads(c->full, v->decl);
        give_numbers(&w, make_lvalue_name(g, v));
    }
    return w.m;
}
