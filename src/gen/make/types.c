/* The types of a program: chosen, and structures, unions and enums made. */
#include "gen/make/private.h"
#include "gen/build.h"

/* Of any width, often one that is next to a machine's; with one of 128 bits where there are
 * registers for half of it. */
static struct type *precise_type(struct gen *g, struct rng *r)
{
    static const uint8_t edges[] = {7, 9, 15, 17, 31, 33, 63, 8, 16, 32, 64, 65, 127, 128};
    unsigned most = g->pointer_size == 8 ? 128 : 64;
    unsigned width = 2 + (unsigned)rng_below(r, rng_below(r, 3) ? 63 : most - 1);
    if (rng_below(r, 3) == 0)
        width = edges[rng_below(r, LENGTH(edges))];
    return lang_bitint(g->p, width > most ? most : width, rng_below(r, 2));
}

struct type *make_type_integer(struct gen *g, struct rng *r)
{
    enum type_kind kind = (enum type_kind)gen_draw(g, r, GEN_GROUP_type);
    return kind == TYPE_BITINT ? precise_type(g, r) : lang_basic(g->p, kind);
}

struct type *make_type_among(struct gen *g, struct rng *r, const uint8_t *kinds, size_t n)
{
    for (uint64_t tries = rng_below(r, 4); tries > 0; tries--) {
        unsigned kind = gen_draw(g, r, GEN_GROUP_type);
        for (size_t i = 0; i < n; i++)
            if (kinds[i] == kind)
                return lang_basic(g->p, (enum type_kind)kind);
    }
    return lang_basic(g->p, (enum type_kind)kinds[rng_below(r, n)]);
}

struct type *make_type_real(struct gen *g, struct rng *r)
{
    if (gen_chance(g, r, GEN_share_extended))
        return lang_basic(g->p, TYPE_LDOUBLE);
    return lang_basic(g->p, rng_below(r, 2) ? TYPE_DOUBLE : TYPE_FLOAT);
}

/* ---- members ---------------------------------------------------------------------------- */

struct builder {
    struct record *record;
    struct list fields;
    struct list nodes; /* struct node: a DECL each */
    bool packed;
};

static const struct type *specifier(const struct type *t)
{
    while (t->kind == TYPE_POINTER || t->kind == TYPE_ARRAY)
        t = t->base;
    return t;
}

static struct node *field_node(struct gen *g, struct field *f)
{
    struct node *none = NULL, *n = lang_node(g->p, NODE_FIELD, &none, 1);
    n->u.field = f;
    n->type = f->type;
    f->node = n;
    struct node *decl = lang_node(g->p, NODE_DECL, &n, 1);
    decl->type = (struct type *)specifier(f->type);
    decl->u.specs = NEW(&g->p->arena, struct specs);
    return decl;
}

static struct field *add_field(struct gen *g, struct builder *b, struct type *t, bool named)
{
    struct field *f = NEW(&g->p->arena, struct field);
    f->name = named ? arena_printf(&g->p->arena, "m%zu", b->fields.n) : NULL;
    f->type = t;
    list_add(&g->arena, &b->fields, f);
    list_add(&g->arena, &b->nodes, field_node(g, f));
    return f;
}

/* Mostly narrow enough that all compilers promote it to int or unsigned alike. */
static void add_bitfield(struct gen *g, struct rng *r, struct builder *b, bool named)
{
    static const uint8_t kinds[] = {TYPE_INT,   TYPE_UINT,   TYPE_INT,   TYPE_UINT, TYPE_SCHAR,
                                    TYPE_UCHAR, TYPE_USHORT, TYPE_SHORT, TYPE_BOOL};
    struct type *t = lang_basic(g->p, kinds[rng_below(r, LENGTH(kinds))]);
    if (gen_has(g, GEN_HAS_WIDE) && rng_below(r, 6) == 0)
        t = lang_basic(g->p, (enum type_kind)(TYPE_LONG + rng_below(r, 4)));
    unsigned most = lang_int_width(g->p, t);
    struct field *f = add_field(g, b, t, named);
    f->is_bitfield = true;
    f->width = (uint32_t)rng_between(r, named ? 1 : 0, most);
    if (!named && rng_below(r, 2))
        f->width = 0;
}

/* A member that stands further apart than it must. */
static void align_member(struct gen *g, struct rng *r, struct field *f)
{
    static const struct {
        uint32_t align;
        const char *text;
    } ways[] = {{8, "aligned(8)"}, {16, "aligned(16)"}};
    if (f->is_bitfield || !gen_chance(g, r, GEN_share_aligned))
        return;
    uint64_t way = rng_below(r, LENGTH(ways));
    f->align = ways[way].align;
    f->attrs = build_attribute(g, "aligned", ways[way].text);
}

static struct type *small_array(struct gen *g, struct rng *r, struct type *of)
{
    return lang_array(g->p, of, (uint64_t)rng_between(r, 1, 5));
}

static struct type *random_of(const struct list *l, struct rng *r)
{
    return l->n ? l->at[rng_below(r, l->n)] : NULL;
}

static void add_member(struct gen *g, struct rng *r, struct builder *b)
{
    struct type *t = make_type_integer(g, r), *inner;
    switch (gen_pick(g, r, GEN_GROUP_member)) {
    case GEN_member_bitfield:
        add_bitfield(g, r, b, true);
        return;
    case GEN_member_unnamed:
        add_bitfield(g, r, b, false);
        return;
    case GEN_member_array:
        add_field(g, b, small_array(g, r, t), true);
        return;
    case GEN_member_record:
        inner = random_of(rng_below(r, 3) ? &g->records : &g->unions, r);
        add_field(g, b, inner && !(b->packed && gen_has_pointer(inner)) ? inner : t, true);
        return;
    case GEN_member_real:
        add_field(g, b, make_type_real(g, r), true);
        return;
    case GEN_member_pointer:
        add_field(g, b, b->packed ? t : lang_pointer(g->p, t), true);
        return;
    default:
        add_field(g, b, t, true);
    }
}

/* ---- records ---------------------------------------------------------------------------- */

static void finish_record(struct gen *g, struct builder *b)
{
    struct record *r = b->record;
    struct node *body = lang_node(g->p, NODE_RECORD, (struct node **)b->nodes.at,
                                  (uint32_t)b->nodes.n);
    body->u.record = r;
    r->body = body;
    if (b->packed) {
        r->packed = true;
        r->attrs = build_attribute(g, "packed", "packed");
    }
    lang_record_complete(g->p, r, &b->fields, 0);
    struct node *decl = lang_node(g->p, NODE_DECL, NULL, 0);
    decl->type = lang_definition(g->p, r->type, body);
    decl->u.specs = NEW(&g->p->arena, struct specs);
    list_add(&g->arena, &g->types, decl);
}

static void make_record(struct gen *g, struct rng *r)
{
    struct builder b = {.record = lang_record_new(g->p, gen_new_name(g, 'S'), false)};
    b.packed = gen_chance(g, r, GEN_share_packed);
    struct type *first = make_type_integer(g, r);
    add_field(g, &b, first, true);
    if (rng_below(r, 2)) /* two of a kind, side by side */
        add_field(g, &b, first, true);
    for (uint64_t n = rng_below(r, 6); n > 0; n--) {
        add_member(g, r, &b);
        align_member(g, r, b.fields.at[b.fields.n - 1]);
    }
    finish_record(g, &b);
    list_add(&g->arena, &g->records, b.record->type);
}

/* All members have the same size and no padding, so each may be read whatever was written last
 * (C11 6.5.2.3, footnote 95). */
static void make_union(struct gen *g, struct rng *r)
{
    struct builder b = {.record = lang_record_new(g->p, gen_new_name(g, 'S'), true)};
    uint64_t size = rng_below(r, 2) ? 4 : 8;
    add_field(g, &b, lang_int_of_size(g->p, size, rng_below(r, 2)), true);
    for (uint64_t n = 1 + rng_below(r, 3); n > 0; n--) {
        uint64_t part = size >> rng_below(r, 3);
        struct type *of = lang_int_of_size(g->p, part, rng_below(r, 2));
        bool real = gen_has(g, GEN_HAS_FLOAT) && rng_below(r, 4) == 0;
        if (real)
            add_field(g, &b, lang_basic(g->p, size == 4 ? TYPE_FLOAT : TYPE_DOUBLE), true);
        else
            add_field(g, &b, part < size ? lang_array(g->p, of, size / part) : of, true);
    }
    finish_record(g, &b);
    list_add(&g->arena, &g->unions, b.record->type);
}

/* union { double m0; unsigned long long m1; }: not to be chosen. */
struct type *make_real_union(struct gen *g)
{
    struct builder b = {.record = lang_record_new(g->p, "real", true)};
    add_field(g, &b, lang_basic(g->p, TYPE_DOUBLE), true);
    add_field(g, &b, lang_basic(g->p, TYPE_ULLONG), true);
    finish_record(g, &b);
    return b.record->type;
}

/* union { unsigned long long m0; unsigned char m1[8]; unsigned short m2[4]; unsigned m3[2]; }: not
 * to be chosen.  Where int has 16 bits, m3 is of unsigned long: its parts make up the word too. */
struct type *make_bytes_union(struct gen *g)
{
    struct type *parts[] = {lang_basic(g->p, TYPE_UCHAR), lang_basic(g->p, TYPE_USHORT),
                            build_word_type(g)};
    if (g->bytes_union)
        return g->bytes_union;
    struct builder b = {.record = lang_record_new(g->p, "bytes", true)};
    add_field(g, &b, lang_basic(g->p, TYPE_ULLONG), true);
    for (size_t i = 0; i < LENGTH(parts); i++)
        add_field(g, &b, lang_array(g->p, parts[i], 8u >> i), true);
    finish_record(g, &b);
    g->bytes_union = b.record->type;
    return g->bytes_union;
}

static struct type *some_unsigned(struct gen *g, const char *what)
{
    static const uint8_t kinds[] = {TYPE_UCHAR, TYPE_USHORT, TYPE_UINT, TYPE_ULLONG};
    struct rng r = rng_fork(&g->rng, what);
    return lang_basic(g->p, kinds[rng_below(&r, LENGTH(kinds))]);
}

struct type *make_list_type(struct gen *g)
{
    if (g->list_type)
        return g->list_type;
    struct builder b = {.record = lang_record_new(g->p, "list", false)};
    add_field(g, &b, some_unsigned(g, "list"), true);
    add_field(g, &b, lang_pointer(g->p, b.record->type), true);
    finish_record(g, &b);
    return g->list_type = b.record->type;
}

struct type *make_flexible_type(struct gen *g)
{
    if (g->flexible_type)
        return g->flexible_type;
    struct builder b = {.record = lang_record_new(g->p, "flexible", false)};
    add_field(g, &b, lang_basic(g->p, TYPE_UINT), true);
    add_field(g, &b, lang_array_unsized(g->p, some_unsigned(g, "flexible")), true);
    finish_record(g, &b);
    return g->flexible_type = b.record->type;
}

/* One value is negative, so that every compiler represents it as int. */
static void make_enum(struct gen *g, struct rng *r)
{
    const char *tag = gen_new_name(g, 'S');
    struct enumeration *e = lang_enum_new(g->p, tag);
    struct list values = {0}, nodes = {0};
    int64_t value = -(int64_t)rng_below(r, 9) - 1;
    for (uint64_t i = 0, n = 2 + rng_below(r, 5); i < n; i++) {
        struct type *int_type = lang_basic(g->p, TYPE_INT);
        struct decl *d = lang_decl_new(
            g->p, DECL_ENUMERATOR, arena_printf(&g->p->arena, "%s_%u", tag, (unsigned)i), int_type);
        d->value = lang_wrap((u128)(i128)value, lang_int_width(g->p, int_type));
        struct node *written = lang_int(g->p, d->value, int_type);
        struct node *n_ = lang_node(g->p, NODE_ENUMERATOR, &written, 1);
        n_->u.decl = d;
        n_->type = int_type;
        d->node = n_;
        list_add(&g->arena, &values, d);
        list_add(&g->arena, &nodes, n_);
        value += 1 + (int64_t)rng_below(r, 1u << rng_below(r, 12));
    }
    struct node *body = lang_node(g->p, NODE_ENUM, (struct node **)nodes.at, (uint32_t)nodes.n);
    body->u.enumeration = e;
    e->body = body;
    lang_enum_complete(g->p, e, &values);
    struct node *decl = lang_node(g->p, NODE_DECL, NULL, 0);
    decl->type = lang_definition(g->p, e->type, body);
    decl->u.specs = NEW(&g->p->arena, struct specs);
    list_add(&g->arena, &g->types, decl);
    list_add(&g->arena, &g->enums, e->type);
}

void make_types_start(struct gen *g)
{
    for (int k = 0; k < TYPE_COUNT; k++)
        if (lang_type_info[k].class == CLASS_INT && lang_type_info[k].spelling) {
            g->width[k] = (uint8_t)lang_int_width(g->p, lang_basic(g->p, (enum type_kind)k));
            g->sign[k] = lang_int_signed(g->p, lang_basic(g->p, (enum type_kind)k));
        }
    for (int k = 0; k < TYPE_COUNT; k++)
        if (lang_type_info[k].spelling && k != TYPE_VOID)
            g->bytes[k] = (uint8_t)lang_sizeof(g->p, lang_basic(g->p, (enum type_kind)k));
    g->pointer_size = g->bytes[TYPE_POINTER] = g->p->target->pointer.size;
    struct rng r = rng_fork(&g->rng, "types");
    if (gen_setting(g, GEN_shape_union))
        make_union(g, &r);
    for (uint32_t i = 0; i < gen_setting(g, GEN_count_records); i++) {
        if (gen_setting(g, GEN_shape_union) && rng_below(&r, 4) == 0)
            make_union(g, &r);
        else
            make_record(g, &r);
    }
    if (gen_setting(g, GEN_shape_enum))
        make_enum(g, &r);
}
