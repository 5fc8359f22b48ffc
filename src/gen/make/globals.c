/* Globals: those at the start, those that are made when one of a type is wanted, and what they are
 * initialised with. */
#include "gen/make/private.h"
#include "gen/run/run.h"
#include "gen/build.h"

/* ---- initialisers ----------------------------------------------------------------------- */

static struct node *init_list(struct gen *g)
{
    return lang_node(g->p, NODE_INIT, NULL, 0);
}

static struct node *scalar_init(struct gen *g, struct rng *r, struct type *t, struct spot *s)
{
    struct made m;
    struct val stored;
    if (t->class == CLASS_FLOAT) {
        m = make_constant_real(g, r, t);
        stored = m.v;
    } else {
        m = build_number(g, make_constant_bits(g, r, t), t);
        stored = m.v;
        stored.bits = run_convert(g, m.n->type, t->unqual, m.v.bits);
    }
    if (s->object)
        run_mem_store(g, s, &stored);
    return m.n;
}

static struct node *record_init(struct gen *g, struct rng *r, struct type *t, struct object *o,
                                uint64_t at)
{
    struct node *list = init_list(g), *value;
    const struct record *record = t->u.record;
    bool names = gen_chance(g, r, GEN_share_designated);
    for (uint32_t i = 0; i < record->count; i++) {
        struct field *f = record->fields[i];
        if (!f->name || (names && i > 0 && !record->is_union && rng_below(r, 3) == 0))
            continue;
        if (f->is_bitfield) {
            struct type *ft = f->type->canon;
            u128 v = lang_wrap(make_constant_bits(g, r, ft), f->width);
            if (gen_int_signed(g, ft))
                v = lang_wrap(lang_sign_extend(v, f->width), gen_int_width(g, ft));
            struct spot s = {o, at + f->offset, ft, f};
            struct val stored = {.bits = v};
            if (o)
                run_mem_store(g, &s, &stored);
            value = build_number(g, v, ft).n;
        } else {
            value = make_initialiser(g, r, f->type->canon, o, at + f->offset);
        }
        lang_append(g->p, list, names ? make_designated_member(g, f, value) : value);
        if (record->is_union)
            break;
    }
    return list;
}

static struct node *pointer_init(struct gen *g, struct rng *r, struct type *t, struct spot *s)
{
    struct val v = {0};
    struct node *n = lang_int(g->p, 0, lang_basic(g->p, TYPE_INT));
    if (!gen_chance(g, r, GEN_share_null) && t->base->kind != TYPE_FUNCTION) {
        struct made inside = {0};
        if (rng_below(r, 3) == 0 && gen_has(g, GEN_HAS_INNER))
            inside = make_pointer_inside(g, NULL, r, t->base);
        if (!inside.n) {
            struct var *to = make_global_of_type(g, t->base);
            inside.n = build_address(g, to);
            inside.v.link = (struct link){gen_about(g, to->decl)->object, 0};
        }
        n = inside.n;
        v = inside.v;
    }
    if (s->object)
        run_mem_store(g, s, &v);
    return n;
}

/* {[3] = 5, [7 ... 9] = 1}: the object is zero before. */
static struct node *sparse_init(struct gen *g, struct rng *r, struct type *t, struct object *o,
                                uint64_t at)
{
    struct node *list = init_list(g);
    uint64_t size = gen_size_of(g, t->base), next = 0;
    while (next < t->u.count) {
        uint64_t first = next + rng_below(r, t->u.count - next), last = first;
        bool wide = gen_setting(g, GEN_share_range) && lang_is_integer(t->base) &&
                    rng_below(r, 3) == 0;
        if (wide)
            last += rng_below(r, t->u.count - first);
        struct node *value = make_initialiser(g, r, t->base, o, at + first * size);
        for (uint64_t i = first + 1; o && i <= last; i++)
            run_mem_copy(g, o, at + i * size, o, at + first * size, size);
        lang_append(g->p, list, make_designated_elements(g, first, last, value));
        next = last + 1 + rng_below(r, 3);
    }
    return list;
}

struct node *make_initialiser(struct gen *g, struct rng *r, struct type *t, struct object *o,
                              uint64_t at)
{
    t = t->canon;
    struct spot s = {o, at, t, NULL};
    if (t->kind == TYPE_POINTER)
        return pointer_init(g, r, t, &s);
    if (lang_is_record(t))
        return record_init(g, r, t, o, at);
    if (t->kind != TYPE_ARRAY && t->kind != TYPE_VECTOR)
        return scalar_init(g, r, t, &s);
    if (t->kind == TYPE_ARRAY && gen_chance(g, r, GEN_share_designated) && rng_below(r, 3) == 0)
        return sparse_init(g, r, t, o, at);
    struct node *list = init_list(g);
    uint64_t size = lang_sizeof(g->p, t->base);
    for (uint64_t i = 0; i < t->u.count; i++)
        lang_append(g->p, list, make_initialiser(g, r, t->base, o, at + i * size));
    return list;
}

/* ---- globals ---------------------------------------------------------------------------- */

struct var *make_global_declare(struct gen *g, struct type *t, struct rng *r, struct node *init)
{
    struct decl *d = lang_decl_new(g->p, DECL_VAR, gen_new_name(g, 'g'), t);
    struct object *o = run_mem_new(g, t, d);
    d->is_static = true;
    d->storage = gen_chance(g, r, GEN_share_static) ? STORAGE_STATIC : STORAGE_NONE;
    d->linkage = d->storage == STORAGE_STATIC ? LINKAGE_INTERNAL : LINKAGE_EXTERNAL;
    if (gen_chance(g, r, GEN_share_aligned)) {
        d->align = 32;
        d->attrs = build_attribute(g, "aligned", "aligned(32)");
    }
    run_mem_zero(o);
    struct var *v = gen_var_new(g, d, NULL);
    v->global = true;
    gen_about(g, d)->object = o;
    struct node *n = lang_declare(g->p, d, init ? init : make_initialiser(g, r, t->canon, o, 0));
    if (!n)
        BUG("%s", g->p->err.msg);
    list_add(&g->arena, &g->early, n);
    list_add(&g->arena, &g->all_globals, v);
    return v;
}

struct var *make_global_new(struct gen *g, struct type *type)
{
    struct rng r = rng_fork_at(&g->rng, "global", g->names[0]);
    struct var *v = make_global_declare(g, type, &r, NULL);
    list_add(&g->arena, &g->globals, v);
    return v;
}

struct var *make_global_of_type(struct gen *g, struct type *type)
{
    type = type->canon;
    struct var *found[8];
    uint32_t n = 0;
    for (size_t i = 0; i < g->globals.n && n < LENGTH(found); i++) {
        struct var *v = g->globals.at[i];
        if (v->type == type && !v->no_address && v->use == USE_MIXED)
            found[n++] = v;
    }
    if (n && g->budget)
        return found[rng_below(&g->rng, n)];
    return n ? found[0] : make_global_new(g, type);
}

static struct type *array_type(struct gen *g, struct rng *r, struct type *of)
{
    uint64_t total = 1;
    bool many = rng_below(r, 2);
    for (uint64_t n = many ? 1 + rng_below(r, 4) : 1; n > 0; n--) {
        uint64_t count = (uint64_t)rng_between(r, 1, gen_setting(g, GEN_count_elements));
        if (total * count > 256)
            break;
        total *= count;
        of = lang_array(g->p, of, count);
    }
    return of->kind == TYPE_ARRAY ? of : lang_array(g->p, of, 4);
}

static struct type *element_type(struct gen *g, struct rng *r)
{
    if (g->records.n && rng_below(r, 5) == 0)
        return g->records.at[rng_below(r, g->records.n)];
    if (gen_setting(g, GEN_shape_real) && rng_below(r, 6) == 0)
        return make_type_real(g, r);
    return make_type_integer(g, r);
}

static unsigned pointer_levels(const struct type *t)
{
    unsigned n = 0;
    for (; t->kind == TYPE_POINTER; t = t->base)
        n++;
    return n;
}

static struct type *pointer_type(struct gen *g, struct rng *r)
{
    struct var *v = g->globals.n ? g->globals.at[rng_below(r, g->globals.n)] : NULL;
    struct type *t = v && !v->no_address ? v->type : NULL;
    if (!t || t->kind == TYPE_ARRAY || pointer_levels(t) > 2)
        t = make_type_integer(g, r);
    return lang_pointer(g->p, t);
}

static struct type *shape(struct gen *g, struct rng *r)
{
    switch (gen_pick(g, r, GEN_GROUP_shape)) {
    case GEN_shape_array:
        return array_type(g, r, element_type(g, r));
    case GEN_shape_record:
        return g->records.n ? g->records.at[rng_below(r, g->records.n)] : make_type_integer(g, r);
    case GEN_shape_union:
        return g->unions.n ? g->unions.at[rng_below(r, g->unions.n)] : make_type_integer(g, r);
    case GEN_shape_pointer:
        return pointer_type(g, r);
    case GEN_shape_real:
        return make_type_real(g, r);
    case GEN_shape_enum:
        return g->enums.n ? g->enums.at[0] : make_type_integer(g, r);
    case GEN_shape_vector:
        return make_vector_type(g, r, false);
    default:
        return make_type_integer(g, r);
    }
}

static void start_global(struct gen *g, uint32_t i)
{
    struct rng r = rng_fork_at(&g->rng, "start", i);
    struct type *t = shape(g, &r);
    if (gen_chance(g, &r, GEN_share_volatile) && t->kind != TYPE_VECTOR)
        t = lang_qualified(g->p, t, QUAL_VOLATILE);
    else if (gen_chance(g, &r, GEN_share_constant) && t->kind != TYPE_VECTOR)
        t = lang_qualified(g->p, t, QUAL_CONST);
    struct var *v = make_global_declare(g, t, &r, NULL);
    if (lang_is_integer(v->type) && !(v->type->quals & QUAL_CONST) &&
        gen_chance(g, &r, GEN_share_opaque))
        list_add(&g->arena, &g->opaque, v);
    if (gen_chance(g, &r, GEN_share_input))
        v->use = USE_INPUT;
    else if (gen_chance(g, &r, GEN_share_output))
        v->use = USE_OUTPUT;
    list_add(&g->arena, &g->globals, v);
}

void make_globals_start(struct gen *g)
{
    for (uint32_t i = 0; i < gen_setting(g, GEN_count_globals); i++)
        start_global(g, i);
}
