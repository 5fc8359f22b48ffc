/* Shapes that optimisers look for: a switch that is a table, runs of stores, words and their bytes,
 * a choice of pointers or members, quotient and remainder of the same operands.  All run by walking
 * into them. */
#include "gen/shape/private.h"
#include "gen/build.h"
#include "gen/run/run.h"

static bool is_byte_row(struct gen *g, const struct var *v, const struct type *like)
{
    (void)g, (void)like;
    return make_is_plain(v) && v->type->kind == TYPE_ARRAY && v->type->u.count >= 8 &&
           v->type->base->quals == 0 && v->type->base->kind == TYPE_UCHAR;
}

/* An array of at least eight bytes; NULL where globals are out of reach. */
static struct var *byte_row(struct gen *g, struct region *r)
{
    if (r->fn->class != CLASS_FULL)
        return NULL;
    struct var *v = make_pick_global(g, &r->rng, is_byte_row, NULL);
    if (v)
        return v;
    return make_global_new(
        g, lang_array(g->p, lang_basic(g->p, TYPE_UCHAR), 8 + rng_below(&r->rng, 9)));
}

static struct node *element(struct gen *g, const struct var *v, uint64_t i)
{
    return lang_index(g->p, lang_name(g->p, v->decl), build_int(g, i));
}

struct var *shape_kept(struct gen *g, struct region *r, struct type *t, struct node *value)
{
    struct var *l = make_local(g, r, t, gen_new_name(g, 'l'));
    make_attach(g, r, lang_declare(g->p, l->decl, value));
    if (value && lang_is_real(t))
        r->vars = l;
    return l;
}

/* Shows the first n elements, which are about to be overwritten. */
static void show_row(struct gen *g, struct region *r, const struct var *a, uint64_t n)
{
    make_charge(r, n);
    for (uint64_t i = 0; i < n; i++) {
        struct node *e = element(g, a, i);
        make_show(g, r, e);
    }
}

/* x = value; again and again */
static struct node *set(struct gen *g, const struct node *x, uint64_t value)
{
    return build_assign(g, OP_ASSIGN, tree_clone(g, x), build_int(g, value));
}

/* switch (e & 7) { case 0: x = 5; break; case 1: x = 9; break; ... default: x = 2; } */
static bool idiom_table_switch(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    if (!x)
        return false;
    struct made e = make_expr_convert(g, make_expr_varying(g, &c), build_int_type(g));
    struct node *sw = build_switch(g, build_op(g, OP_AND, e.n, build_int(g, 7)), 8);
    uint64_t arms = 4 + rng_below(&r->rng, 4), factor = 1 + rng_below(&r->rng, 9);
    for (uint64_t i = 0; i < arms; i++) {
        uint64_t value = rng_below(&r->rng, 3) ? i * factor : rng_below(&r->rng, 100);
        lang_append(g->p, sw->kid[1], build_case(g, sw, i, i, set(g, x, value)));
        lang_append(g->p, sw->kid[1], build_break(g, sw));
    }
    uint64_t other = rng_below(&r->rng, 50);
    lang_append(g->p, sw->kid[1], build_default(g, sw, set(g, x, other)));
    make_show(g, r, x);
    make_attach(g, r, sw);
    return true;
}

/* if (e == 1) x = 3; else if (e == 2) x = 7; ... */
static bool idiom_chain_of_ifs(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    struct lval e = make_lvalue_pick(g, &c, WANT_READ, KIND_INT);
    if (!x || !e.n || !tree_is_pure(e.n))
        return false;
    struct node *chain = NULL;
    for (uint64_t i = 3 + rng_below(&r->rng, 3); i > 0; i--) {
        struct node *test = lang_binary(g->p, OP_EQ, tree_clone(g, e.n), build_int(g, i));
        chain = build_if(g, test, set(g, x, rng_below(&r->rng, 99)), chain);
    }
    make_show(g, r, x);
    make_attach(g, r, chain);
    return true;
}

/* a[0] = 1; a[1] = 2; a[2] = 3; ... */
static bool idiom_store_run(struct gen *g, struct region *r)
{
    struct var *a = byte_row(g, r);
    uint64_t n = a ? 4 + 4 * rng_below(&r->rng, 2) : 0;
    for (uint64_t i = 0; i < n; i++) {
        struct node *value = build_int(g, rng_below(&r->rng, 256));
        if (i == 0)
            show_row(g, r, a, n);
        make_attach(g, r, build_assign(g, OP_ASSIGN, element(g, a, i), value));
    }
    return a != NULL;
}

/* The unsigned type of 2, 4 or 8 bytes. */
static struct type *word_of_size(struct gen *g, uint64_t size)
{
    return size == 4 ? build_word_type(g) : lang_basic(g->p, size == 2 ? TYPE_USHORT : TYPE_ULLONG);
}

/* x = (unsigned)a[0] | (unsigned)a[1] << 8 | ..., of 2, 4 or 8 bytes, in either order */
static bool idiom_word_of_bytes(struct gen *g, struct region *r)
{
    static const uint8_t widths[] = {2, 4, 8, 8};
    struct node *x = make_place(g, r);
    struct var *a = byte_row(g, r);
    uint64_t n = widths[rng_below(&r->rng, LENGTH(widths))];
    struct type *u = word_of_size(g, n);
    bool swap = rng_below(&r->rng, 2);
    struct node *word = NULL;
    if (!x || !a)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct node *byte = lang_cast(g->p, u, element(g, a, i));
        uint64_t by = 8 * (swap ? n - 1 - i : i);
        byte = by ? build_op(g, OP_SHL, byte, build_int(g, by)) : byte;
        word = word ? build_op(g, OP_OR, word, byte) : byte;
    }
    make_result(g, r, x, lang_cast(g->p, u, word));
    return true;
}

/* a[0] = x; a[1] = x >> 8; ..., in either order */
static bool idiom_bytes_of_word(struct gen *g, struct region *r)
{
    struct var *a = byte_row(g, r);
    struct ctx c = make_pure(g, r, 1);
    struct lval x = make_lvalue_pick(g, &c, WANT_READ, KIND_INT);
    uint64_t n = UINT64_C(2) << rng_below(&r->rng, 3);
    bool swap = rng_below(&r->rng, 2);
    if (!a || !x.n || !tree_is_pure(x.n) || x.var == a)
        return false;
    struct type *u = word_of_size(g, n == 8 ? 8 : 4);
    for (uint64_t i = 0; i < n; i++) {
        struct node *word = lang_cast(g->p, u, tree_clone(g, x.n));
        if (i)
            word = build_op(g, OP_SHR, word, build_int(g, 8 * i));
        else
            show_row(g, r, a, n);
        make_attach(g, r, build_assign(g, OP_ASSIGN, element(g, a, swap ? n - 1 - i : i), word));
    }
    return true;
}

/* T *p; if (e) p = &a; else p = &b; x = *p; now and then what is not taken is a null pointer */
static bool idiom_pointer_choice(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    if (!x || r->fn->class != CLASS_FULL)
        return false;
    struct type *of = make_type_integer(g, &r->rng), *t = lang_pointer(g->p, of);
    struct made test = make_expr_condition(g, &c);
    struct made a = make_expr_pointer(g, &c, t, false), b = make_expr_pointer(g, &c, t, false);
    struct var *p = make_local(g, r, t, gen_new_name(g, 'l'));
    if (rng_below(&r->rng, 3) == 0)
        *(run_is_true(g, test.n->type, &test.v) ? &b : &a) = (struct made){.n = build_int(g, 0)};
    make_attach(g, r, lang_declare(g->p, p->decl, NULL));
    make_attach(g, r, build_if(g, test.n, build_set(g, p, a.n), build_set(g, p, b.n)));
    make_result(g, r, x, lang_unary(g->p, OP_DEREF, build_name(g, p)));
    return true;
}

/* T a = e, b = f, *p; if (g) p = &a; else p = &b; *p += 3; x ^= *p + a * b; */
static bool idiom_local_choice(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    struct type *t = lang_basic(g->p, rng_below(&r->rng, 2) ? TYPE_UINT : TYPE_ULLONG);
    if (!x)
        return false;
    struct node *first = make_expr_convert(g, make_expr_int(g, &c), t).n;
    struct node *second = make_expr_convert(g, make_expr_int(g, &c), t).n;
    struct node *test = make_expr_condition(g, &c).n;
    struct var *a = shape_kept(g, r, t, first), *b = shape_kept(g, r, t, second);
    struct var *p = shape_kept(g, r, lang_pointer(g->p, t), NULL);
    make_attach(g, r,
                build_if(g, test, build_set(g, p, build_address(g, a)),
                         build_set(g, p, build_address(g, b))));
    struct node *value = lang_rvalue(g->p, lang_unary(g->p, OP_DEREF, build_name(g, p)));
    if (rng_below(&r->rng, 2)) {
        struct node *to = lang_unary(g->p, OP_DEREF, build_name(g, p));
        make_attach(g, r, build_assign(g, OP_ADD, to, build_int(g, 1 + rng_below(&r->rng, 9))));
        value = build_op(g, OP_ADD, value, build_op(g, OP_MUL, build_name(g, a), build_name(g, b)));
    }
    make_result(g, r, x, value);
    return true;
}

/* Two members of the same integer type side by side. */
static const struct field *neighbour(const struct record *record)
{
    for (uint32_t i = 1; i < record->count; i++) {
        const struct field *a = record->fields[i - 1], *b = record->fields[i];
        if (a->name && b->name && !a->is_bitfield && !b->is_bitfield && a->type == b->type &&
            lang_is_integer(a->type))
            return b;
    }
    return NULL;
}

/* A structure that has such members, or NULL. */
static struct type *with_neighbours(struct gen *g, struct region *r)
{
    struct type *found = NULL;
    uint64_t seen = 0;
    for (size_t i = 0; i < g->records.n; i++) {
        struct type *t = g->records.at[i];
        if (neighbour(t->u.record) && rng_below(&r->rng, ++seen) == 0)
            found = t;
    }
    return found;
}

/* T l; if (e) l = s.a; else l = s.b; x = l; */
static bool idiom_member_choice(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    struct type *t = with_neighbours(g, r);
    struct made s = t && x ? make_expr_record(g, &c, t) : (struct made){0};
    if (!s.n)
        return false;
    const struct field *f = neighbour(t->u.record);
    struct node *test = make_expr_condition(g, &c).n;
    const char *first = t->u.record->fields[f->index - 1]->name;
    struct node *a = lang_member(g->p, s.n, first, false);
    struct node *b = lang_member(g->p, tree_clone(g, s.n), f->name, false);
    struct var *l = shape_kept(g, r, f->type, NULL);
    make_attach(g, r, build_if(g, test, build_set(g, l, a), build_set(g, l, b)));
    make_result(g, r, x, build_name(g, l));
    return true;
}

/* struct S l = s; l.m = e; struct S k = l; s = k; */
static bool idiom_record_trip(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    struct type *t = g->records.n ? g->records.at[rng_below(&r->rng, g->records.n)] : NULL;
    if (!t || r->fn->class != CLASS_FULL || gen_has_pointer(t))
        return false;
    struct made s = make_expr_record(g, &c, t);
    const struct field *f = t->u.record->fields[0];
    struct node *value = make_expr_int(g, &c).n;
    struct var *l = make_local(g, r, t, gen_new_name(g, 'l'));
    make_attach(g, r, lang_declare(g->p, l->decl, s.n));
    struct node *to = lang_member(g->p, build_name(g, l), f->name, false);
    make_attach(g, r, build_assign(g, OP_ASSIGN, to, value));
    if (rng_below(&r->rng, 2)) {
        struct var *k = make_local(g, r, t, gen_new_name(g, 'l'));
        make_attach(g, r, lang_declare(g->p, k->decl, build_name(g, l)));
        l = k;
    }
    if (!(s.n->type->quals & QUAL_CONST))
        make_attach(g, r, build_assign(g, OP_ASSIGN, tree_clone(g, s.n), build_name(g, l)));
    r->vars = l;
    return true;
}

/* x = a / k; y = a % k; */
static bool idiom_both_quotients(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r), *y = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    struct lval a = make_lvalue_pick(g, &c, WANT_READ, KIND_INT);
    if (!x || !y || !a.n || !tree_is_pure(a.n))
        return false;
    struct node *k = build_int(g, 2 + rng_below(&r->rng, 98));
    make_result(g, r, x, lang_binary(g->p, OP_DIV, tree_clone(g, a.n), tree_clone(g, k)));
    make_result(g, r, y, lang_binary(g->p, OP_REM, a.n, k));
    return true;
}

static struct type *some_width(struct gen *g, struct region *r)
{
    static const uint8_t kinds[] = {TYPE_UINT,   TYPE_LLONG,   TYPE_ULLONG,
                                    TYPE_INT128, TYPE_UINT128, TYPE_UINT128};
    uint64_t n = gen_has(g, GEN_HAS_INT128) ? LENGTH(kinds) : 3;
    return lang_basic(g->p, kinds[rng_below(&r->rng, n)]);
}

/* T a = e, b = f | 1; x = a / b; y = a % b; */
static bool idiom_quotient_and_remainder(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r), *y = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    struct type *t = some_width(g, r);
    if (!x || !y)
        return false;
    struct node *first = make_expr_convert(g, make_expr_int(g, &c), t).n;
    struct node *second = build_op(g, OP_OR, make_expr_convert(g, make_expr_int(g, &c), t).n,
                                   build_int(g, 1));
    struct var *a = shape_kept(g, r, t, first), *b = shape_kept(g, r, t, second);
    make_result(g, r, x, build_op(g, OP_DIV, build_name(g, a), build_name(g, b)));
    make_result(g, r, y, build_op(g, OP_REM, build_name(g, a), build_name(g, b)));
    return true;
}

/* ---- one object, seen as a word and as bytes --------------------------------------------- */

/* u.word */
static struct node *as_word(struct gen *g, const struct var *u)
{
    return lang_member(g->p, build_name(g, u), "m0", false);
}

/* u.parts[i], of 1, 2 or 4 bytes */
static struct node *as_part(struct gen *g, const struct var *u, unsigned log, struct node *i)
{
    static const char *const names[] = {"m1", "m2", "m3"};
    return lang_index(g->p, lang_member(g->p, build_name(g, u), names[log], false), i);
}

/* union bytes u; u.word = e; for (i = 0; i < 8; i++) x = x * 31 + u.part[i]; */
static bool idiom_parts_of_union(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    if (!x || make_spare(r) < 64)
        return false;
    struct type *word = lang_basic(g->p, TYPE_ULLONG);
    struct node *value = make_expr_convert(g, make_expr_int(g, &c), word).n;
    struct var *u = shape_kept(g, r, make_bytes_union(g), NULL);
    struct var *sum = shape_kept(g, r, word, build_int(g, rng_below(&r->rng, 9)));
    struct var *i = make_counter(g, r);
    unsigned log = (unsigned)rng_below(&r->rng, 3);
    uint64_t n = 8u >> log;
    make_attach(g, r, build_assign(g, OP_ASSIGN, as_word(g, u), value));
    struct node *times = build_op(g, OP_MUL, build_name(g, sum), build_int(g, 31));
    struct node *at = build_name(g, i);
    if (rng_below(&r->rng, 2)) /* from the end */
        at = build_op(g, OP_SUB, build_int(g, n - 1), at);
    struct node *more = build_op(g, OP_ADD, times, as_part(g, u, log, at));
    make_attach(g, r, build_count(g, i, n, build_set(g, sum, more)));
    make_result(g, r, x, build_name(g, sum));
    make_charge(r, 24);
    return true;
}

/* for (i = 0; i < 8; i++) u.part[i] = w >> 8 * i; x = u.word; */
static bool idiom_union_of_parts(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    if (!x || make_spare(r) < 64)
        return false;
    struct type *word = lang_basic(g->p, TYPE_ULLONG);
    struct var *w = shape_kept(g, r, word, make_expr_convert(g, make_expr_int(g, &c), word).n);
    struct var *u = shape_kept(g, r, make_bytes_union(g), NULL), *i = make_counter(g, r);
    unsigned log = (unsigned)rng_below(&r->rng, 3);
    uint64_t n = 8u >> log;
    struct node *to = build_name(g, i);
    if (rng_below(&r->rng, 2)) /* the other way round */
        to = build_op(g, OP_SUB, build_int(g, n - 1), to);
    struct node *by = build_op(g, OP_MUL, build_int(g, UINT64_C(8) << log), build_name(g, i));
    struct node *part = build_op(g, OP_SHR, build_name(g, w), by);
    make_attach(g, r,
                build_count(g, i, n, build_assign(g, OP_ASSIGN, as_part(g, u, log, to), part)));
    make_result(g, r, x, as_word(g, u));
    make_charge(r, 24);
    return true;
}

static struct node *copy_call(struct gen *g, struct node *to, struct node *from,
                              const struct var *size)
{
    struct node *args[3] = {to, from, lang_sizeof_expr(g->p, build_name(g, size))};
    return lang_expr_stmt(g->p,
                          lang_call(g->p, lang_name(g->p, build_library(g, "memcpy")), args, 3));
}

/* T w; memcpy(&w, bytes, sizeof w); x = w; or T w = e; memcpy(bytes, &w, sizeof w); */
static bool idiom_copied_word(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct var *a = gen_has(g, GEN_HAS_LIBRARY) ? byte_row(g, r) : NULL;
    struct ctx c = make_pure(g, r, 1);
    struct type *t = word_of_size(g, UINT64_C(2) << rng_below(&r->rng, 3));
    if (!x || !a)
        return false;
    if (rng_below(&r->rng, 2)) {
        struct var *w = shape_kept(g, r, t, NULL);
        make_attach(g, r, copy_call(g, build_address(g, w), build_name(g, a), w));
        make_result(g, r, x, build_name(g, w));
    } else {
        struct var *w = shape_kept(g, r, t, make_expr_convert(g, make_expr_int(g, &c), t).n);
        make_attach(g, r, copy_call(g, build_name(g, a), build_address(g, w), w));
    }
    return true;
}

static struct var *byte_pointer(struct gen *g, struct region *r, const struct var *to)
{
    struct type *t = lang_pointer(g->p, lang_basic(g->p, TYPE_UCHAR));
    return shape_kept(g, r, t, lang_cast(g->p, t, build_address(g, to)));
}

/* T w = e, v; unsigned char *p = (unsigned char *)&w, *q = (unsigned char *)&v;
 * for (i = 0; i < sizeof v; i++) q[sizeof v - 1 - i] = p[i]; x = v; */
static bool idiom_bytes_by_pointer(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    struct type *t = word_of_size(g, rng_below(&r->rng, 2) ? 4 : 8);
    uint64_t n = gen_size_of(g, t);
    if (!x || make_spare(r) < 64)
        return false;
    struct var *w = shape_kept(g, r, t, make_expr_convert(g, make_expr_int(g, &c), t).n),
               *v = shape_kept(g, r, t, NULL);
    struct var *p = byte_pointer(g, r, w), *q = byte_pointer(g, r, v), *i = make_counter(g, r);
    struct node *to = build_name(g, i);
    if (rng_below(&r->rng, 3))
        to = build_op(g, OP_SUB, build_int(g, n - 1), to);
    struct node *move = build_assign(g, OP_ASSIGN, build_at(g, q, to),
                                     build_at(g, p, build_name(g, i)));
    make_attach(g, r, build_count(g, i, n, move));
    make_result(g, r, x, build_name(g, v));
    make_charge(r, 24);
    return true;
}

/* ---- stores and products ------------------------------------------------------------------ */

/* x = a; if (e) x = b; where x is a global that others see, or an element */
static bool idiom_conditional_store(struct gen *g, struct region *r)
{
    struct ctx c = make_pure(g, r, 1);
    struct lval x = make_lvalue_pick(g, &c, WANT_WRITE, KIND_INT);
    if (!x.n || !tree_is_pure(x.n))
        return false;
    struct node *first = make_expr_int(g, &c).n, *test = make_expr_condition(g, &c).n;
    struct node *second = make_expr_int(g, &c).n;
    if (second->kind == NODE_NAME && x.n->kind == NODE_NAME && second->u.decl == x.n->u.decl)
        second = lang_unary(g->p, OP_NOT, second);
    make_show(g, r, x.n);
    make_attach(g, r, build_assign(g, OP_ASSIGN, tree_clone(g, x.n), first));
    make_attach(g, r, build_if(g, test, build_assign(g, OP_ASSIGN, x.n, second), NULL));
    return true;
}

/* x = (long long)a * b; of two ints */
static bool idiom_wide_product(struct gen *g, struct region *r)
{
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    struct type *from = lang_basic(g->p, rng_below(&r->rng, 2) ? TYPE_INT : TYPE_UINT);
    if (!x)
        return false;
    struct node *a = make_expr_convert(g, make_expr_int(g, &c), from).n;
    struct node *b = make_expr_convert(g, make_expr_int(g, &c), from).n;
    struct type *to = lang_basic(g->p, from->kind == TYPE_INT ? TYPE_LLONG : TYPE_ULLONG);
    make_result(g, r, x, build_op(g, OP_MUL, lang_cast(g->p, to, a), b));
    return true;
}

/* x = (T)a * b >> width: the upper half of the product */
static bool idiom_high_product(struct gen *g, struct region *r)
{
    static const uint8_t halves[] = {TYPE_UINT, TYPE_INT, TYPE_ULLONG, TYPE_LLONG};
    static const uint8_t wholes[] = {TYPE_ULLONG, TYPE_LLONG, TYPE_UINT128, TYPE_INT128};
    struct node *x = make_place(g, r);
    struct ctx c = make_pure(g, r, 1);
    uint64_t which = rng_below(&r->rng, gen_has(g, GEN_HAS_INT128) ? 4 : 2);
    struct type *half = lang_basic(g->p, halves[which]), *whole = lang_basic(g->p, wholes[which]);
    if (!x)
        return false;
    struct var *a = shape_kept(g, r, half, make_expr_convert(g, make_expr_int(g, &c), half).n);
    struct var *b = shape_kept(g, r, half, make_expr_convert(g, make_expr_int(g, &c), half).n);
    struct node *product = build_op(g, OP_MUL, lang_cast(g->p, whole, build_name(g, a)),
                                    build_name(g, b));
    struct node *high = build_op(g, OP_SHR, product, build_int(g, gen_int_width(g, half)));
    make_result(g, r, x, lang_cast(g->p, half, high));
    return true;
}

/* struct S l = s; f(&l, e); ...: record_function.c */
static bool idiom_record_calls(struct gen *g, struct region *r)
{
    return shape_record_calls(g, r);
}

/* V x = ..., y = ..., z = x * k - y; place ^= (x < z)[2]: lanes.c */
static bool idiom_float_lanes(struct gen *g, struct region *r)
{
    return shape_float_lanes(g, r);
}

/* double _Complex z = x * y + ~x; place ^= (long long)__real__ z: complex.c */
static bool idiom_complex(struct gen *g, struct region *r)
{
    return shape_complex(g, r);
}

static bool (*const idioms[])(struct gen *g, struct region *r) = {
#define IDIOM(name, ...) [GEN_idiom_##name] = idiom_##name,
#include "gen/policy.def"
};

bool shape_stmt_idiom(struct gen *g, struct region *r)
{
    uint32_t at = r->block->count;
    if (make_is_strict(g))
        return false;
    make_charge(r, 8);
    for (int i = 0; i < 3; i++) /* some need what is not there */
        if (idioms[gen_pick(g, &r->rng, GEN_GROUP_idiom)](g, r))
            return make_walk_from(r, at);
    return false;
}
