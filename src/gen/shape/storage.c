/* Objects that are no plain variables: on the heap, in lists, with a flexible member, of a length
 * that is computed, in the frame, of the thread, atomic.  Each is made, filled, changed, read and
 * given up in a block of its own, so that nothing outside names it, and no jump leads into the
 * scope of an array of variable length.
 *
 * What is computed is unsigned; lengths are bounded by their own text. */
#include "gen/shape/private.h"
#include "gen/build.h"
#include "gen/run/run.h"

enum { LONGEST = 20, STEPS = 12 };

/* One object: what its elements are, and how many. */
struct store {
    struct gen *g;
    struct region *r;      /* of its block */
    struct node *place;    /* where the result goes */
    struct type *of;       /* of its elements */
    struct node *elements; /* what is indexed; a node to copy */
    struct var *n;         /* how many there are */
    struct var *sum;
    int column; /* of an array of rows: which one, else -1 */
};

static struct rng *rng(struct store *s)
{
    return &s->r->rng;
}

/* A value of this type that the compiler does not know. */
static struct node *some(struct store *s, struct type *t)
{
    struct ctx c = make_pure(s->g, s->r, 1);
    return make_expr_convert(s->g, make_expr_varying(s->g, &c), t).n;
}

static struct type *word(struct store *s)
{
    return lang_basic(s->g->p, TYPE_UINT);
}

/* unsigned n = e % k + m; */
static struct var *length(struct store *s)
{
    struct gen *g = s->g;
    uint64_t least = 2 + rng_below(rng(s), 10), more = 2 + rng_below(rng(s), LONGEST - 13);
    struct node *n = build_op(g, OP_REM, some(s, word(s)), build_int(g, more));
    n = build_op(g, OP_ADD, n, build_int(g, least));
    struct var *v = shape_kept(g, s->r, word(s), n);
    v->locked = v->no_address = true;
    make_charge(s->r, STEPS * LONGEST);
    return v;
}

static struct node *element(struct store *s, struct node *i)
{
    struct gen *g = s->g;
    struct node *n = lang_index(g->p, tree_clone(g, s->elements), i);
    return s->column < 0 ? n : lang_index(g->p, n, build_int(g, (uint64_t)s->column));
}

/* ---- loops over the elements ------------------------------------------------------------- */

/* for (int i = first; i < n; i++) body */
static void put_loop(struct store *s, const struct var *i, uint64_t first, struct node *body)
{
    make_attach(s->g, s->r, build_for(s->g, i, first, build_name(s->g, s->n), body));
}

/* a[i] = i * x + y; */
static void fill(struct store *s)
{
    struct gen *g = s->g;
    struct var *x = shape_kept(g, s->r, word(s), some(s, word(s)));
    struct var *i = make_counter(g, s->r);
    struct node *value = build_op(g, OP_MUL, build_name(g, x), build_name(g, i));
    value = build_op(g, OP_ADD, value, build_int(g, 1 + rng_below(rng(s), 1000)));
    put_loop(s, i, 0, build_assign(g, OP_ASSIGN, element(s, build_name(g, i)), value));
}

/* a[i] op= a[i - 1] op k; */
static void change(struct store *s)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_MUL, OP_OR};
    struct gen *g = s->g;
    struct var *i = make_counter(g, s->r);
    struct node *before = build_op(g, OP_SUB, build_name(g, i), build_int(g, 1));
    struct node *a = lang_cast(g->p, word(s), element(s, before));
    enum op with = make_op_among(rng(s), s->r->context, ops, LENGTH(ops));
    struct node *value = build_op(g, with, a, build_int(g, 1 + rng_below(rng(s), 99)));
    enum op op = rng_below(rng(s), 2) ? OP_ADD : OP_XOR;
    put_loop(s, i, 1, build_assign(g, op, element(s, build_name(g, i)), value));
}

static struct node *add_to_sum(struct store *s, struct node *value)
{
    struct gen *g = s->g;
    struct node *times = build_op(g, OP_MUL, build_name(g, s->sum), build_int(g, 31));
    return build_set(g, s->sum, build_op(g, OP_ADD, times, value));
}

static void start_sum(struct store *s)
{
    struct type *t = lang_basic(s->g->p, TYPE_ULLONG);
    s->sum = shape_kept(s->g, s->r, t, build_int(s->g, rng_below(rng(s), 9)));
}

static void show_sum(struct store *s)
{
    make_result(s->g, s->r, s->place, build_name(s->g, s->sum));
}

/* The elements are filled, changed, and summed up. */
static void use(struct store *s)
{
    struct gen *g = s->g;
    fill(s);
    if (rng_below(rng(s), 2))
        change(s);
    start_sum(s);
    struct var *i = make_counter(g, s->r);
    put_loop(s, i, 0, add_to_sum(s, element(s, build_name(g, i))));
    show_sum(s);
}

/* ---- allocation -------------------------------------------------------------------------- */

static struct node *call(struct store *s, const char *name, struct node *a, struct node *b)
{
    struct node *args[2] = {a, b};
    struct decl *d = build_library(s->g, name);
    return lang_call(s->g->p, lang_name(s->g->p, d), args, b ? 2 : 1);
}

static void release(struct store *s, const struct var *p)
{
    make_attach(s->g, s->r, lang_expr_stmt(s->g->p, call(s, "free", build_name(s->g, p), NULL)));
}

/* n * sizeof *p */
static struct node *bytes(struct store *s, const struct var *p)
{
    struct gen *g = s->g;
    struct node *one = lang_sizeof_expr(g->p, lang_unary(g->p, OP_DEREF, build_name(g, p)));
    return build_op(g, OP_MUL, build_name(g, s->n), one);
}

/* T *p; of what is allocated for n elements next */
static struct var *pointer(struct store *s)
{
    s->n = length(s);
    struct var *p = shape_kept(s->g, s->r, lang_pointer(s->g->p, s->of), NULL);
    s->elements = build_name(s->g, p);
    return p;
}

/* __attribute__((malloc)) void *f(size_t n) { return malloc(n); }: one for a program. */
static struct fn *allocator(struct store *s)
{
    struct gen *g = s->g;
    if (g->allocator)
        return g->allocator;
    struct fn *fn = g->allocator = NEW(&g->arena, struct fn);
    struct decl **params = NEW_ARRAY(&g->p->arena, 1, struct decl *);
    params[0] = lang_decl_new(g->p, DECL_PARAM, gen_new_name(g, 'a'), lang_size_type(g->p));
    list_add(&g->arena, &fn->vars, gen_var_new(g, params[0], NULL));
    struct type *result = lang_pointer(g->p, lang_basic(g->p, TYPE_VOID));
    make_fn_name(g, fn, lang_function(g->p, result, params, 1, TYPE_PROTOTYPE), params, rng(s));
    if (gen_setting(g, GEN_share_promise)) {
        struct attr *a = build_attribute(g, "malloc", "malloc");
        a->next = fn->decl->attrs;
        fn->decl->attrs = a;
    }
    struct node *size = lang_name(g->p, params[0]);
    lang_append(g->p, fn->function->body,
                lang_return(g->p, fn->function, call(s, "malloc", size, NULL)));
    return fn;
}

static struct node *allocated(struct store *s, struct node *size)
{
    if (rng_below(rng(s), 2))
        return call(s, "malloc", size, NULL);
    return lang_call(s->g->p, lang_name(s->g->p, allocator(s)->decl), &size, 1);
}

/* T *p = malloc(n * sizeof *p); ... p = realloc(p, more); ... free(p); */
static void storage_heap(struct store *s)
{
    struct gen *g = s->g;
    struct var *p = pointer(s);
    struct node *new;
    if (rng_below(rng(s), 2)) {
        struct node *one = lang_sizeof_type(g->p, s->of);
        new = call(s, "calloc", build_name(g, s->n), one);
    } else {
        new = allocated(s, bytes(s, p));
    }
    make_attach(g, s->r, build_set(g, p, new));
    use(s);
    if (rng_below(rng(s), 3) == 0) { /* what fitted before fits still */
        struct node *size = build_op(g, OP_MUL, build_int(g, 2), bytes(s, p));
        make_attach(g, s->r, build_set(g, p, call(s, "realloc", build_name(g, p), size)));
        use(s);
    }
    release(s, p);
}

/* struct flexible *p = malloc(sizeof *p + n * sizeof p->m1[0]); */
static void storage_flexible(struct store *s)
{
    struct gen *g = s->g;
    struct type *t = make_flexible_type(g);
    s->of = t->u.record->fields[1]->type->base;
    s->n = length(s);
    struct node *size = build_op(
        g, OP_ADD, lang_sizeof_type(g->p, t),
        build_op(g, OP_MUL, build_name(g, s->n), lang_sizeof_type(g->p, s->of)));
    struct var *p = shape_kept(g, s->r, lang_pointer(g->p, t), call(s, "malloc", size, NULL));
    struct node *count = lang_member(g->p, build_name(g, p), "m0", true);
    make_attach(g, s->r, build_assign(g, OP_ASSIGN, count, build_name(g, s->n)));
    s->elements = lang_member(g->p, build_name(g, p), "m1", true);
    use(s);
    count = lang_rvalue(g->p, lang_member(g->p, build_name(g, p), "m0", true));
    make_attach(g, s->r, build_set(g, s->n, count));
    release(s, p);
}

/* T *p = alloca(n * sizeof *p); */
static void storage_frame(struct store *s)
{
    struct gen *g = s->g;
    struct var *p = pointer(s);
    struct node *size = bytes(s, p);
    struct node *callee = lang_name(g->p, build_builtin(g, "__builtin_alloca"));
    make_attach(g, s->r, build_set(g, p, lang_call(g->p, callee, &size, 1)));
    use(s);
}

/* ---- lists ------------------------------------------------------------------------------- */

struct chain {
    struct var *head, *p;
};

static struct node *member(struct store *s, const struct var *p, const char *name)
{
    return lang_member(s->g->p, build_name(s->g, p), name, true);
}

static struct node *next_of(struct store *s, const struct var *p)
{
    return lang_rvalue(s->g->p, member(s, p, "m1"));
}

/* for (i = 0; i < n; i++) { p = malloc(sizeof *p); p->m0 = i * x; p->m1 = head; head = p; } */
static void build_chain(struct store *s, const struct chain *l)
{
    struct gen *g = s->g;
    struct var *x = shape_kept(g, s->r, word(s), some(s, word(s)));
    struct var *i = make_counter(g, s->r);
    struct node *size = lang_sizeof_expr(g->p, lang_unary(g->p, OP_DEREF, build_name(g, l->p)));
    struct node *value = build_op(g, OP_MUL, build_name(g, x), build_name(g, i));
    struct node *body[4] = {
        build_set(g, l->p, call(s, "malloc", size, NULL)),
        build_assign(g, OP_ASSIGN, member(s, l->p, "m0"), value),
        build_assign(g, OP_ASSIGN, member(s, l->p, "m1"), build_name(g, l->head)),
        build_set(g, l->head, build_name(g, l->p)),
    };
    put_loop(s, i, 0, build_block(g, body, 4));
}

/* while (head) { p = head->m1; head->m1 = other; other = head; head = p; } head = other; */
static void turn_chain(struct store *s, const struct chain *l)
{
    struct gen *g = s->g;
    struct var *other = shape_kept(g, s->r, l->head->type, build_int(g, 0));
    struct node *body[4] = {
        build_set(g, l->p, next_of(s, l->head)),
        build_assign(g, OP_ASSIGN, member(s, l->head, "m1"), build_name(g, other)),
        build_set(g, other, build_name(g, l->head)),
        build_set(g, l->head, build_name(g, l->p)),
    };
    make_attach(g, s->r, build_while(g, build_name(g, l->head), build_block(g, body, 4)));
    make_attach(g, s->r, build_set(g, l->head, build_name(g, other)));
}

/* for (p = head; p; p = p->m1) sum = sum * 31 + p->m0; */
static void sum_chain(struct store *s, const struct chain *l)
{
    struct gen *g = s->g;
    struct node *value = lang_rvalue(g->p, member(s, l->p, "m0"));
    struct node *kids[4] = {
        build_set(g, l->p, build_name(g, l->head)), lang_condition(g->p, build_name(g, l->p)),
        lang_assign(g->p, OP_ASSIGN, build_name(g, l->p), next_of(s, l->p)), add_to_sum(s, value)};
    make_attach(g, s->r, lang_node(g->p, NODE_FOR, kids, 4));
}

/* while (head) { p = head->m1; free(head); head = p; } */
static void free_chain(struct store *s, const struct chain *l)
{
    struct gen *g = s->g;
    struct node *body[3] = {
        build_set(g, l->p, next_of(s, l->head)),
        lang_expr_stmt(g->p, call(s, "free", build_name(g, l->head), NULL)),
        build_set(g, l->head, build_name(g, l->p)),
    };
    make_attach(g, s->r, build_while(g, build_name(g, l->head), build_block(g, body, 3)));
}

static void storage_list(struct store *s)
{
    struct gen *g = s->g;
    struct type *t = lang_pointer(g->p, make_list_type(g));
    s->n = length(s);
    struct chain l;
    l.head = shape_kept(g, s->r, t, build_int(g, 0));
    l.p = shape_kept(g, s->r, t, NULL);
    build_chain(s, &l);
    if (rng_below(rng(s), 2))
        turn_chain(s, &l);
    start_sum(s);
    sum_chain(s, &l);
    show_sum(s);
    free_chain(s, &l);
    make_charge(s->r, STEPS * LONGEST);
}

/* ---- arrays whose length is computed ------------------------------------------------------ */

/* T a[n]; or T a[n][4]; */
static void variable_array(struct store *s, struct type *of)
{
    struct gen *g = s->g;
    s->n = length(s);
    struct node *count = lang_rvalue(g->p, build_name(g, s->n));
    struct type *t = lang_array_written(g->p, of, count, 0);
    struct var *a = shape_kept(g, s->r, t, NULL);
    s->r->fn->function->uses_vla = true;
    s->elements = build_name(g, a);
    use(s);
}

static void storage_variable(struct store *s)
{
    variable_array(s, s->of);
}

static void storage_rows(struct store *s)
{
    uint64_t columns = 2 + rng_below(rng(s), 4);
    s->column = (int)rng_below(rng(s), columns);
    variable_array(s, lang_array(s->g->p, s->of, columns));
}

/* ---- objects of the thread, atomic ones ---------------------------------------------------- */

/* static T x = k; x += e; x++; sum = x; where T is qualified, or the object the thread's */
static void lasting(struct store *s, struct type *t, bool thread)
{
    struct gen *g = s->g;
    struct decl *d = lang_decl_new(g->p, DECL_VAR, gen_new_name(g, 'l'), t);
    d->owner = s->r->fn->function;
    d->storage = STORAGE_STATIC;
    d->is_static = true;
    d->thread = thread;
    struct object *o = gen_about(g, d)->object = run_mem_new(g, t, d);
    run_mem_zero(o);
    make_attach(g, s->r, lang_declare(g->p, d, make_initialiser(g, rng(s), t->canon, o, 0)));
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR, OP_AND, OP_OR};
    enum op op = make_op_among(rng(s), s->r->context, ops, LENGTH(ops));
    make_attach(g, s->r, build_assign(g, op, lang_name(g->p, d), some(s, t->canon->unqual)));
    make_attach(g, s->r, lang_expr_stmt(g->p, lang_unary(g->p, OP_POSTINC, lang_name(g->p, d))));
    make_result(g, s->r, s->place, lang_rvalue(g->p, lang_name(g->p, d)));
}

static void storage_thread(struct store *s)
{
    lasting(s, s->of, true);
}

static void storage_atomic(struct store *s)
{
    bool fits = make_is_atomic_size(s->g, gen_size_of(s->g, s->of));
    lasting(s, lang_qualified(s->g->p, fits ? s->of : word(s), QUAL_ATOMIC), false);
}

/* unsigned f(unsigned a) { x += a; ... } in the block: nested.c */
static void storage_nested(struct store *s)
{
    shape_nested(s->g, s->r, s->place);
}

/* ---- all ----------------------------------------------------------------------------------- */

static void (*const storages[])(struct store *s) = {
#define STORAGE(name, ...) [GEN_storage_##name] = storage_##name,
#include "gen/policy.def"
};

bool shape_stmt_storage(struct gen *g, struct region *r)
{
    static const uint8_t kinds[] = {TYPE_UCHAR, TYPE_USHORT, TYPE_UINT, TYPE_UINT, TYPE_ULLONG};
    struct node *place = g->sums[GEN_GROUP_storage] ? make_place(g, r) : NULL;
    if (!place)
        return false;
    struct region *in = make_region(g, r, 0);
    in->open = false;
    in->block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    struct store s = {.g = g, .r = in, .place = place, .column = -1};
    s.of = lang_basic(g->p, kinds[rng_below(&in->rng, LENGTH(kinds))]);
    storages[gen_pick(g, &in->rng, GEN_GROUP_storage)](&s);
    make_attach(g, r, in->block);
    return make_walk_from(r, r->block->count - 1);
}
