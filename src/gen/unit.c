/* The unit: what stands before and behind the random part, the checksum over all globals, and the
 * order in which everything is written. */
#include "gen/unit.h"
#include "gen/run/run.h"
#include "gen/make/make.h"
#include "gen/safe/safe.h"
#include "gen/shape/shape.h"
#include "gen/build.h"

#include <string.h>

/* What mix_bytes multiplies by: odd, so that no byte is lost. */
#define BYTES_BY UINT64_C(1099511628211)

static struct node *name(struct gen *g, struct decl *d)
{
    return lang_name(g->p, d);
}

static struct type *wide(struct gen *g)
{
    return lang_basic(g->p, TYPE_ULLONG);
}

static struct node *number(struct gen *g, uint64_t v)
{
    return lang_int(g->p, v, wide(g));
}

/* ---- before ----------------------------------------------------------------------------- */

static void declare_printf(struct gen *g)
{
    struct program *p = g->p;
    struct type *text = lang_pointer(p, lang_qualified(p, lang_basic(p, TYPE_CHAR), QUAL_CONST));
    struct decl **params = NEW_ARRAY(&p->arena, 1, struct decl *);
    params[0] = lang_decl_new(p, DECL_PARAM, NULL, text);
    struct type *t = lang_function(p, lang_basic(p, TYPE_INT), params, 1,
                                   TYPE_PROTOTYPE | TYPE_VARIADIC);
    g->printf_decl = lang_decl_new(p, DECL_FUNC, "printf", t);
    g->printf_decl->linkage = LINKAGE_EXTERNAL;
    list_add(&g->arena, &g->early, lang_declare(p, g->printf_decl, NULL));
}

/* Not to be inlined.  It has no declaration of its own, so its definition says so. */
static void keep_whole(struct gen *g, struct function *f)
{
    if (gen_has(g, GEN_HAS_ATTRIBUTE))
        f->specs->attrs = build_attribute(g, "noinline", "noinline");
}

/* static void mix(unsigned long long v)
 * { sum = (sum ^ v) * by; sum ^= sum >> 29; } */
static void define_mix(struct gen *g)
{
    struct program *p = g->p;
    g->sum_decl = lang_decl_new(p, DECL_VAR, "sum", wide(g));
    g->sum_decl->storage = g->o->split ? STORAGE_NONE : STORAGE_STATIC;
    g->sum_decl->linkage = g->o->split ? LINKAGE_EXTERNAL : LINKAGE_INTERNAL;
    g->sum_decl->is_static = true;
    list_add(&g->arena, &g->early, lang_declare(p, g->sum_decl, number(g, RUN_MIX_START)));
    struct decl **params = NEW_ARRAY(&p->arena, 1, struct decl *);
    params[0] = lang_decl_new(p, DECL_PARAM, "v", wide(g));
    struct type *t = lang_function(p, lang_basic(p, TYPE_VOID), params, 1, TYPE_PROTOTYPE);
    g->mix_decl = lang_decl_new(p, DECL_FUNC, "mix", t);
    g->mix_decl->storage = STORAGE_STATIC;
    g->mix_decl->linkage = LINKAGE_INTERNAL;
    struct function *f = lang_define(p, g->mix_decl, params, 1);
    /* Inlined at the end of every scope and for every global, it is a fifth of what gcc -O3 has to
     * do: only where that is the point. */
    if (g->observe != GEN_observe_mix)
        keep_whole(g, f);
    struct node *both = lang_binary(p, OP_XOR, name(g, g->sum_decl), name(g, params[0]));
    struct node *by = lang_binary(p, OP_MUL, both, number(g, RUN_MIX_BY));
    lang_append(p, f->body, lang_expr_stmt(p, lang_assign(p, OP_ASSIGN, name(g, g->sum_decl), by)));
    struct node *shifted = lang_binary(p, OP_SHR, name(g, g->sum_decl),
                                       lang_int(p, 29, lang_basic(p, TYPE_INT)));
    lang_append(p, f->body,
                lang_expr_stmt(p, lang_assign(p, OP_XOR, name(g, g->sum_decl), shifted)));
    list_add(&g->arena, &g->early, f->node);
}

/* static void trace(int id, unsigned long long v) { printf("%d: %llx\n", id, v); } */
static void define_trace(struct gen *g)
{
    struct program *p = g->p;
    struct decl **params = NEW_ARRAY(&p->arena, 2, struct decl *);
    params[0] = lang_decl_new(p, DECL_PARAM, "id", lang_basic(p, TYPE_INT));
    params[1] = lang_decl_new(p, DECL_PARAM, "v", wide(g));
    struct type *t = lang_function(p, lang_basic(p, TYPE_VOID), params, 2, TYPE_PROTOTYPE);
    g->trace_decl = lang_decl_new(p, DECL_FUNC, "trace", t);
    g->trace_decl->storage = STORAGE_STATIC;
    g->trace_decl->linkage = LINKAGE_INTERNAL;
    struct function *f = lang_define(p, g->trace_decl, params, 2);
    struct node *args[3] = {build_string(g, "%d: %llx\n"), name(g, params[0]), name(g, params[1])};
    lang_append(p, f->body, lang_expr_stmt(p, lang_call(p, name(g, g->printf_decl), args, 3)));
    list_add(&g->arena, &g->early, f->node);
}

static struct decl *local(struct gen *g, struct function *f, const char *called, struct type *t)
{
    struct decl *d = lang_decl_new(g->p, DECL_VAR, called, t);
    d->owner = f;
    list_add(&g->p->arena, &f->locals, d);
    return d;
}

/* static void mix_real(double v)
 * { union real r; r.value = v; mix(r.bits); } */
static void define_mix_real(struct gen *g)
{
    struct program *p = g->p;
    struct type *u = make_real_union(g);
    struct decl **params = NEW_ARRAY(&p->arena, 1, struct decl *);
    params[0] = lang_decl_new(p, DECL_PARAM, "v", lang_basic(p, TYPE_DOUBLE));
    struct type *t = lang_function(p, lang_basic(p, TYPE_VOID), params, 1, TYPE_PROTOTYPE);
    g->real_decl = lang_decl_new(p, DECL_FUNC, "mix_real", t);
    g->real_decl->storage = STORAGE_STATIC;
    g->real_decl->linkage = LINKAGE_INTERNAL;
    struct function *f = lang_define(p, g->real_decl, params, 1);
    struct decl *r = local(g, f, "r", u);
    lang_append(p, f->body, lang_declare(p, r, NULL));
    struct node *set = lang_assign(p, OP_ASSIGN, lang_member(p, name(g, r), "m0", false),
                                   name(g, params[0]));
    lang_append(p, f->body, lang_expr_stmt(p, set));
    struct node *args[1] = {lang_member(p, name(g, r), "m1", false)};
    lang_append(p, f->body, lang_expr_stmt(p, lang_call(p, name(g, g->mix_decl), args, 1)));
    list_add(&g->arena, &g->early, f->node);
}

/* static void mix_bytes(const void *from, unsigned n)
 * { unsigned long long v = n; for (unsigned i = 0; i < n; i++)
 *       v = (v ^ ((const unsigned char *)from)[i]) * by; mix(v); } */
static void define_mix_bytes(struct gen *g)
{
    struct program *p = g->p;
    struct type *unsigned_ = lang_basic(p, TYPE_UINT);
    struct type *byte = lang_qualified(p, lang_basic(p, TYPE_UCHAR), QUAL_CONST);
    struct decl **params = NEW_ARRAY(&p->arena, 2, struct decl *);
    params[0] = lang_decl_new(
        p, DECL_PARAM, "from",
        lang_pointer(p, lang_qualified(p, lang_basic(p, TYPE_VOID), QUAL_CONST)));
    params[1] = lang_decl_new(p, DECL_PARAM, "n", unsigned_);
    struct type *t = lang_function(p, lang_basic(p, TYPE_VOID), params, 2, TYPE_PROTOTYPE);
    g->bytes_decl = lang_decl_new(p, DECL_FUNC, "mix_bytes", t);
    g->bytes_decl->storage = STORAGE_STATIC;
    g->bytes_decl->linkage = LINKAGE_INTERNAL;
    struct function *f = lang_define(p, g->bytes_decl, params, 2);
    keep_whole(g, f);
    struct decl *v = local(g, f, "v", wide(g)), *i = local(g, f, "i", unsigned_);
    struct node *at = lang_index(p, lang_cast(p, lang_pointer(p, byte), name(g, params[0])),
                                 name(g, i));
    struct node *both = lang_binary(p, OP_XOR, name(g, v), at);
    struct node *by = lang_binary(p, OP_MUL, both, number(g, BYTES_BY));
    struct node *loop[4] = {
        lang_declare(p, i, lang_int(p, 0, lang_basic(p, TYPE_INT))),
        lang_binary(p, OP_LT, name(g, i), name(g, params[1])),
        lang_unary(p, OP_POSTINC, name(g, i)),
        lang_expr_stmt(p, lang_assign(p, OP_ASSIGN, name(g, v), by)),
    };
    struct node *args[1] = {name(g, v)};
    lang_append(p, f->body, lang_declare(p, v, name(g, params[1])));
    lang_append(p, f->body, lang_node(p, NODE_FOR, loop, 4));
    lang_append(p, f->body, lang_expr_stmt(p, lang_call(p, name(g, g->mix_decl), args, 1)));
    list_add(&g->arena, &g->early, f->node);
}

/* volatile unsigned long long watch; */
static void declare_watch(struct gen *g)
{
    struct type *t = lang_qualified(g->p, wide(g), QUAL_VOLATILE);
    struct decl *d = lang_decl_new(g->p, DECL_VAR, "watch", t);
    d->is_static = true;
    d->linkage = LINKAGE_EXTERNAL;
    gen_about(g, d)->object = run_mem_new(g, t, d);
    run_mem_zero(gen_about(g, d)->object);
    g->watch = gen_var_new(g, d, NULL);
    g->watch->global = g->watch->secret = true;
    list_add(&g->arena, &g->early, lang_declare(g->p, d, NULL));
    list_add(&g->arena, &g->all_globals, g->watch);
}

void gen_unit_start(struct gen *g)
{
    g->sum = RUN_MIX_START;
    declare_printf(g);
    define_mix(g);
    if (g->o->trace)
        define_trace(g);
    if (gen_has(g, GEN_HAS_FLOAT))
        define_mix_real(g);
    if (gen_setting(g, GEN_share_bytes) && g->o->mode != GEN_CRASH)
        define_mix_bytes(g);
    if (g->observe == GEN_observe_watch)
        declare_watch(g);
}

/* ---- the checksum ----------------------------------------------------------------------- */

static void add(struct gen *g, struct node *block, struct node *n)
{
    if (!n)
        BUG("%s", g->p->err.msg);
    lang_append(g->p, block, n);
}

/* ---- its value: what the loops and calls above compute, in their order ------------------- */

static void mix_scalar(struct gen *g, const struct spot *s)
{
    struct val v = {0};
    struct type *t = s->type->unqual;
    run_mem_load(g, s, &v);
    if (t->class == CLASS_FLOAT) {
        run_mix(g, (uint64_t)run_convert(g, t, lang_basic(g->p, TYPE_DOUBLE), v.bits));
        return;
    }
    unsigned width = gen_int_width(g, t);
    if (width > 64) {
        u128 whole = gen_int_signed(g, t) ? lang_sign_extend(v.bits, width) : v.bits;
        run_mix(g, (uint64_t)(whole >> 64));
    }
    run_mix(g, (uint64_t)run_convert(g, t, wide(g), v.bits));
}

static void mix_place(struct gen *g, const struct spot *s)
{
    const struct type *t = s->type;
    struct spot inner = *s;
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR) {
        inner.type = t->base;
        for (uint64_t i = 0, size = gen_size_of(g, t->base); i < t->u.count; i++, inner.at += size)
            mix_place(g, &inner);
    } else if (lang_is_record(t)) {
        const struct record *record = t->u.record;
        for (uint32_t i = 0; i < record->count; i++) {
            struct field *f = record->fields[i];
            if (!f->name)
                continue;
            inner = (struct spot){s->object, s->at + f->offset, f->type->canon,
                                  f->is_bitfield ? f : NULL};
            mix_place(g, &inner);
            if (record->is_union)
                break;
        }
    } else if (lang_is_arithmetic(t)) {
        mix_scalar(g, s);
    }
}

/* Do its bytes say all, and nothing else?  Numbers without padding, which nothing forbids to look
 * at. */
static bool is_plain_array(const struct type *t)
{
    const struct type *of = t;
    while (of->kind == TYPE_ARRAY)
        of = of->base->canon;
    bool padded = of->kind == TYPE_BITINT || of->kind == TYPE_LDOUBLE;
    return t->kind == TYPE_ARRAY && lang_is_arithmetic(of) && of->kind != TYPE_COMPLEX && !padded &&
           !(of->quals & ~(unsigned)QUAL_CONST);
}

/* mix_bytes(v, sizeof v); and what that computes. */
static void mix_whole(struct gen *g, struct node *block, const struct var *v)
{
    const struct object *o = gen_about(g, v->decl)->object;
    uint64_t sum = o->size;
    struct node *args[2] = {name(g, v->decl), lang_sizeof_expr(g->p, name(g, v->decl))};
    struct node *call = lang_call(g->p, name(g, g->bytes_decl), args, 2);
    add(g, block, lang_expr_stmt(g->p, call));
    for (uint32_t i = 0; i < o->size; i++)
        sum = (sum ^ o->bytes[i]) * BYTES_BY;
    run_mix(g, sum);
}

/* printf("%llx\n", sum); */
static struct node *print_sum(struct gen *g)
{
    struct node *args[2] = {build_string(g, "%llx\n"), name(g, g->sum_decl)};
    return lang_expr_stmt(g->p, lang_call(g->p, name(g, g->printf_decl), args, 2));
}

void gen_unit_show(struct gen *g, struct region *r)
{
    for (size_t i = 0; i < g->all_globals.n; i++)
        make_sum(g, r, r->block, name(g, ((struct var *)g->all_globals.at[i])->decl));
    add(g, r->block, print_sum(g));
}

void gen_unit_checksum(struct gen *g, struct region *r)
{
    struct node *block = r->block;
    struct rng draw = rng_fork(&g->rng, "bytes");
    for (size_t i = 0; i < g->all_globals.n; i++) {
        struct var *v = g->all_globals.at[i];
        if (is_plain_array(v->type) && gen_chance(g, &draw, GEN_share_bytes)) {
            mix_whole(g, block, v);
            continue;
        }
        struct spot s = {gen_about(g, v->decl)->object, 0, v->type, NULL};
        make_sum(g, r, block, name(g, v->decl));
        mix_place(g, &s);
    }
    text_printf(g->out, "%llx\n", (unsigned long long)g->sum);
    add(g, block, print_sum(g));
    add(g, block,
        lang_return(g->p, r->fn->function, lang_int(g->p, 0, lang_basic(g->p, TYPE_INT))));
}

/* ---- all -------------------------------------------------------------------------------- */

static void add_list_to(struct gen *g, struct node *to, const struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        lang_append(g->p, to, l->at[i]);
}

static void add_list(struct gen *g, const struct list *l)
{
    add_list_to(g, g->p->unit, l);
}

static void add_prototype(struct gen *g, struct fn *fn)
{
    struct node *body = fn->decl->node;
    struct node *n = lang_declare(g->p, fn->decl, NULL);
    fn->decl->node = body;
    lang_append(g->p, g->p->unit, n);
}

/* Before everything else: nothing has touched the arrays when they are filled. */
static void put_fills(struct gen *g)
{
    struct node *block = ((struct fn *)g->functions.at[0])->function->body;
    uint32_t before = block->count, n = (uint32_t)g->fills.n;
    add_list_to(g, block, &g->fills);
    memmove(block->kid + n, block->kid, before * sizeof *block->kid);
    for (uint32_t i = 0; i < n; i++)
        block->kid[i] = g->fills.at[i];
}

void gen_unit_assemble(struct gen *g)
{
    put_fills(g);
    add_list(g, &g->types);
    for (size_t i = 0; i < g->library.n; i++)
        lang_append(g->p, g->p->unit, lang_declare(g->p, g->library.at[i], NULL));
    add_list(g, &g->early);
    for (size_t i = 1; i < g->functions.n; i++)
        add_prototype(g, g->functions.at[i]);
    for (size_t i = 0; i < g->bodies.n; i++)
        add_prototype(g, g->bodies.at[i]);
    add_list(g, &g->late);
    for (size_t i = 0; i < g->guards.n; i++)
        lang_append(g->p, g->p->unit, safe_guard_function(g, i)->node);
    for (size_t i = 0; i < g->bodies.n; i++)
        lang_append(g->p, g->p->unit, ((struct fn *)g->bodies.at[i])->function->node);
    for (size_t i = g->functions.n; i-- > 0;)
        lang_append(g->p, g->p->unit, ((struct fn *)g->functions.at[i])->function->node);
}
