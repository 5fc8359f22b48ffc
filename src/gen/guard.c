/* What has run before and would be undefined now is wrapped in place: guards.def.  A wrapper is
 * the identity wherever the operation was defined, so everything that has already run stays as it
 * was; execution goes on with the wrapper's value. */
#include "gen/private.h"

#include <string.h>

/* ---- copies ----------------------------------------------------------------------------- */

/* May it be evaluated any number of times?  No side effects, nothing volatile, no holes. */
bool is_pure(const struct node *n)
{
    if (n->flags & NODE_HOLE || n->kind == NODE_CALL || n->kind == NODE_ASSIGN ||
        n->kind == NODE_STMT_EXPR || n->kind == NODE_VA_ARG || n->kind == NODE_LITERAL)
        return false;
    if (n->kind == NODE_UNARY && n->op <= OP_PREDEC)
        return false;
    if (n->flags & NODE_LVALUE && n->type->quals & QUAL_VOLATILE)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_pure(n->kid[i]))
            return false;
    return true;
}

struct node *clone(struct gen *g, const struct node *n)
{
    struct node *kids[16];
    if (n->count > LENGTH(kids))
        BUG("copy of a node with %u kids", n->count);
    for (uint32_t i = 0; i < n->count; i++)
        kids[i] = n->kid[i] ? clone(g, n->kid[i]) : NULL;
    struct node *copy = lang_node(g->p, n->kind, kids, n->count);
    copy->op = n->op;
    copy->flags = n->flags;
    copy->type = n->type;
    copy->u = n->u;
    return copy;
}

static bool is_small(const struct node *n, int *left)
{
    if (--*left < 0)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !is_small(n->kid[i], left))
            return false;
    return true;
}

static bool may_repeat(const struct node *n)
{
    int left = 12;
    return is_pure(n) && is_small(n, &left);
}

/* ---- conditions ------------------------------------------------------------------------- */

static struct node *constant(struct gen *g, u128 v, struct type *t)
{
    return lang_int(g->p, v, t);
}

static struct node *compare(struct gen *g, enum op op, struct node *a, u128 v, struct type *t)
{
    return lang_binary(g->p, op, clone(g, a), constant(g, v, t));
}

static struct node *both(struct gen *g, struct node *a, struct node *b)
{
    return lang_binary(g->p, OP_LAND, a, b);
}

static struct node *either(struct gen *g, struct node *a, struct node *b)
{
    return lang_binary(g->p, OP_LOR, a, b);
}

/* a is the limit's: most - b, least - b and the like. */
static struct node *beyond(struct gen *g, enum op op, struct node *a, u128 limit, enum op with,
                           struct node *b, struct type *t)
{
    struct node *edge = lang_binary(g->p, with, constant(g, limit, t), clone(g, b));
    return lang_binary(g->p, op, clone(g, a), edge);
}

static struct node *unsafe_add(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    return either(
        g, both(g, compare(g, OP_GT, b, 0, t), beyond(g, OP_GT, a, int_most(g, t), OP_SUB, b, t)),
        both(g, compare(g, OP_LT, b, 0, t), beyond(g, OP_LT, a, int_least(g, t), OP_SUB, b, t)));
}

static struct node *unsafe_sub(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    return either(
        g, both(g, compare(g, OP_LT, b, 0, t), beyond(g, OP_GT, a, int_most(g, t), OP_ADD, b, t)),
        both(g, compare(g, OP_GT, b, 0, t), beyond(g, OP_LT, a, int_least(g, t), OP_ADD, b, t)));
}

/* a * b leaves the range: by division, sign by sign. */
static struct node *unsafe_mul(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    u128 most = int_most(g, t), least = int_least(g, t);
    struct node *up_up = both(g, compare(g, OP_GT, b, 0, t),
                              beyond(g, OP_GT, a, most, OP_DIV, b, t));
    struct node *up_down = both(g, compare(g, OP_GT, b, 0, t),
                                beyond(g, OP_LT, a, least, OP_DIV, b, t));
    u128 minus_one = lang_wrap(~(u128)0, int_width(g, t));
    struct node *down_up = both(g, compare(g, OP_LT, b, minus_one, t),
                                beyond(g, OP_GT, a, least, OP_DIV, b, t));
    struct node *down_down = both(g, compare(g, OP_LT, b, minus_one, t),
                                  beyond(g, OP_LT, a, most, OP_DIV, b, t));
    struct node *one = both(g, compare(g, OP_EQ, b, minus_one, t), compare(g, OP_EQ, a, least, t));
    return either(g, either(g, up_up, up_down), either(g, either(g, down_up, down_down), one));
}

static struct node *unsafe_div(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    struct node *zero = t->class == CLASS_FLOAT
                            ? lang_binary(g->p, OP_EQ, clone(g, b), lang_float(g->p, 0, t))
                            : compare(g, OP_EQ, b, 0, t);
    if (t->class == CLASS_FLOAT || !int_signed(g, t))
        return zero;
    u128 minus_one = lang_wrap(~(u128)0, int_width(g, t));
    return either(
        g, zero,
        both(g, compare(g, OP_EQ, a, int_least(g, t), t), compare(g, OP_EQ, b, minus_one, t)));
}

/* The count is negative or too large. */
static struct node *unsafe_count(struct gen *g, struct node *b, struct type *u, unsigned width)
{
    struct node *large = compare(g, OP_GE, b, width, u);
    return int_signed(g, u) ? either(g, compare(g, OP_LT, b, 0, u), large) : large;
}

static struct node *unsafe_shr(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    (void)a;
    return unsafe_count(g, b, b->type, int_width(g, t));
}

static struct node *unsafe_shl(struct gen *g, struct node *a, struct node *b, struct type *t)
{
    struct node *count = unsafe_count(g, b, b->type, int_width(g, t));
    if (!int_signed(g, t))
        return count;
    struct node *edge = lang_binary(g->p, OP_SHR, constant(g, int_most(g, t), t), clone(g, b));
    return either(g, either(g, count, compare(g, OP_LT, a, 0, t)),
                  lang_binary(g->p, OP_GT, clone(g, a), edge));
}

/* ---- wrapping arithmetic ---------------------------------------------------------------- */

static struct type *unsigned_of(struct gen *g, struct type *t)
{
    return int_signed(g, t) ? lang_basic(g->p, t->kind + 1) : t; /* types.def: it is next */
}

static struct node *masked(struct gen *g, struct node *count, unsigned width)
{
    return lang_binary(g->p, OP_AND, count, lang_int(g->p, width - 1, lang_basic(g->p, TYPE_INT)));
}

/* (int)((unsigned)a + (unsigned)b) */
static struct node *wrap_arith(struct gen *g, enum op op, struct node *a, struct node *b,
                               struct type *t)
{
    struct type *u = unsigned_of(g, t);
    struct node *n = lang_binary(g->p, op, lang_cast(g->p, u, a), lang_cast(g->p, u, b));
    return lang_cast(g->p, t, n);
}

static struct node *wrap_shl(struct gen *g, enum op op, struct node *a, struct node *b,
                             struct type *t)
{
    struct type *u = unsigned_of(g, t);
    struct node *left = u == t ? a : lang_cast(g->p, u, a);
    struct node *n = lang_binary(g->p, op, left, masked(g, b, int_width(g, t)));
    return u == t ? n : lang_cast(g->p, t, n);
}

static struct node *wrap_shr(struct gen *g, enum op op, struct node *a, struct node *b,
                             struct type *t)
{
    return lang_binary(g->p, op, a, masked(g, b, int_width(g, t)));
}

/* ---- rows ------------------------------------------------------------------------------- */

typedef struct node *unsafe_fn(struct gen *g, struct node *a, struct node *b, struct type *t);
typedef struct node *wrap_fn(struct gen *g, enum op op, struct node *a, struct node *b,
                             struct type *t);

static struct node *no_wrap(struct gen *g, enum op op, struct node *a, struct node *b,
                            struct type *t)
{
    (void)g, (void)op, (void)a, (void)b, (void)t;
    return NULL;
}

static const struct guard_row {
    const char *name;
    unsafe_fn *unsafe;
    wrap_fn *wrap;
} guards[OP_COUNT] = {
#define GUARD(op, name, unsafe, wrap) [OP_##op] = {name, unsafe, wrap},
#include "gen/guards.def"
};

/* unsafe ? a : a op b */
static struct node *checked(struct gen *g, enum op op, struct node *a, struct node *b,
                            struct type *t)
{
    return lang_cond(g->p, guards[op].unsafe(g, a, b, t), clone(g, a), lang_binary(g->p, op, a, b));
}

/* ---- functions -------------------------------------------------------------------------- */

/* Functions that check, one per operator (or key) and types. */
struct guard_function {
    struct fn *fn;
    uint8_t key;
    struct type *t, *u;
};

static struct fn *find_guard(struct gen *g, unsigned key, struct type *t, struct type *u)
{
    for (size_t i = 0; i < g->guards.n; i++) {
        struct guard_function *f = g->guards.at[i];
        if (f->key == key && f->t == t && f->u == u)
            return f->fn;
    }
    return NULL;
}

static struct decl *param(struct gen *g, struct fn *fn, const char *name, struct type *t)
{
    struct decl *d = lang_decl_new(g->p, DECL_PARAM, name, t);
    list_add(&g->arena, &fn->vars, var_new(g, d, NULL));
    return d;
}

/* static T name(T a[, U b]); its body is still to come. */
static struct fn *add_guard(struct gen *g, const char *name, struct guard_function key,
                            uint32_t count)
{
    struct fn *fn = NEW(&g->arena, struct fn);
    struct decl **params = NEW_ARRAY(&g->p->arena, 2, struct decl *);
    params[0] = param(g, fn, "a", count == 1 ? key.u : key.t);
    if (count == 2)
        params[1] = param(g, fn, "b", key.u);
    fn->decl = lang_decl_new(g->p, DECL_FUNC,
                             arena_printf(&g->p->arena, "safe_%s_%zu", name, g->guards.n),
                             lang_function(g->p, key.t, params, count, TYPE_PROTOTYPE));
    fn->decl->storage = STORAGE_STATIC;
    fn->decl->linkage = LINKAGE_INTERNAL;
    fn->class = CLASS_LOCAL;
    fn->function = lang_define(g->p, fn->decl, params, count);
    about(g, fn->decl)->fn = fn;
    struct guard_function *f = NEW(&g->arena, struct guard_function);
    *f = key;
    f->fn = fn;
    list_add(&g->arena, &g->guards, f);
    return fn;
}

static void give_back(struct gen *g, struct fn *fn, struct node *n)
{
    struct node *back = lang_return(g->p, fn->function, n);
    if (!back)
        BUG("guard: %s", g->p->err.msg);
    lang_append(g->p, fn->function->body, back);
}

/* static T safe_add(T a, U b) { return unsafe ? a : a + b; } */
static struct fn *operator_guard(struct gen *g, enum op op, struct type *t, struct type *u)
{
    struct fn *fn = find_guard(g, op, t, u);
    if (fn)
        return fn;
    fn = add_guard(g, guards[op].name, (struct guard_function){NULL, (uint8_t)op, t, u}, 2);
    struct node *a = lang_rvalue(g->p, lang_name(g->p, fn->function->params[0]));
    struct node *b = lang_rvalue(g->p, lang_name(g->p, fn->function->params[1]));
    give_back(g, fn, checked(g, op, a, b, t));
    return fn;
}

enum { KEY_INT = OP_COUNT, KEY_NUMBER, KEY_NONZERO, KEY_NOT_LEAST };

typedef struct node *value_fn(struct gen *g, struct node *a, struct type *t);

/* static T safe_name(U a) { return build(a); } called on the node. */
static struct node *through(struct gen *g, struct node *a, struct type *t, unsigned key,
                            value_fn *build)
{
    static const char *const names[] = {"int", "number", "nonzero", "not_least"};
    struct type *u = a->type->unqual;
    struct fn *fn = find_guard(g, key, t, u);
    if (!fn) {
        fn = add_guard(g, names[key - OP_COUNT], (struct guard_function){NULL, (uint8_t)key, t, u},
                       1);
        fn->number = key == KEY_NUMBER;
        give_back(g, fn, build(g, lang_rvalue(g->p, lang_name(g->p, fn->function->params[0])), t));
    }
    g->counts.guards++;
    return lang_call(g->p, lang_name(g->p, fn->decl), &a, 1);
}

static struct node *number_or_zero(struct gen *g, struct node *a, struct type *t)
{
    struct node *same = lang_binary(g->p, OP_EQ, clone(g, a), clone(g, a));
    return lang_cond(g->p, same, a, lang_float(g->p, 0, t));
}

/* ---- statement expressions -------------------------------------------------------------- */

static struct decl *temporary(struct gen *g, struct node *block, struct type *t, struct node *init)
{
    struct decl *d = lang_decl_new(g->p, DECL_VAR, new_name(g, 'l'), t);
    if (g->running) {
        d->owner = g->running->function;
        list_add(&g->p->arena, &g->running->function->locals, d);
        list_add(&g->arena, &g->running->vars, var_new(g, d, NULL));
    }
    lang_append(g->p, block, lang_declare(g->p, d, init));
    return d;
}

/* ({ T x = a; U y = b; unsafe ? x : x op y; }) */
static struct node *guard_block(struct gen *g, enum op op, struct node *a, struct node *b,
                                struct type *t)
{
    struct node *block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    struct type *u = b->type->unqual;
    struct node *x = lang_rvalue(g->p, lang_name(g->p, temporary(g, block, t, a)));
    struct node *y = lang_rvalue(g->p, lang_name(g->p, temporary(g, block, u, b)));
    lang_append(g->p, block, lang_expr_stmt(g->p, checked(g, op, x, y, t)));
    return lang_stmt_expr(g->p, block);
}

/* ---- macros ------------------------------------------------------------------------------ */

/* #define NAME(a, b), one per operator, types and kind. */
struct macro {
    uint8_t op;
    bool once; /* a statement expression: the arguments are evaluated once */
    struct type *t, *u;
    struct decl *decl; /* a function, for the tree that is printed */
    const char *body;
};

/* The tree holds what the macro expands to. */
struct macro_use {
    struct macro *macro;
    struct node *n;
};

static struct node *placeholder(struct gen *g, struct type *t, const char *name)
{
    return lang_rvalue(g->p, lang_name(g->p, lang_decl_new(g->p, DECL_PARAM, name, t)));
}

static const char *cast_argument(struct gen *g, struct type *t, const char *name)
{
    struct text s = {0};
    text_puts(&s, "((");
    lang_print_type(g->p, t, NULL, &s);
    text_printf(&s, ")(%s))", name);
    const char *kept = arena_string(&g->p->arena, text_str(&s));
    text_free(&s);
    return kept;
}

/* (unsafe ? ((T)(a)) : ((T)(a)) op ((U)(b))), or ({ T x_ = (a); U y_ = (b); unsafe ? x_ : x_ op y_;
 * }) */
static const char *macro_body(struct gen *g, const struct macro *m)
{
    struct text s = {0};
    const char *a = m->once ? "x_" : cast_argument(g, m->t, "a");
    const char *b = m->once ? "y_" : cast_argument(g, m->u, "b");
    struct node *value = checked(g, (enum op)m->op, placeholder(g, m->t, a),
                                 placeholder(g, m->u, b), m->t);
    text_puts(&s, m->once ? "({ " : "(");
    if (m->once) {
        lang_print_type(g->p, m->t, a, &s);
        text_puts(&s, " = (a); ");
        lang_print_type(g->p, m->u, b, &s);
        text_puts(&s, " = (b); ");
    }
    lang_print_node(g->p, value, &s);
    text_puts(&s, m->once ? "; })" : ")");
    const char *kept = arena_string(&g->p->arena, text_str(&s));
    text_free(&s);
    return kept;
}

static struct macro *macro_of(struct gen *g, enum op op, struct type *t, struct type *u, bool once)
{
    for (size_t i = 0; i < g->macros.n; i++) {
        struct macro *m = g->macros.at[i];
        if (m->op == op && m->t == t && m->u == u && m->once == once)
            return m;
    }
    struct macro *m = NEW(&g->arena, struct macro);
    *m = (struct macro){(uint8_t)op, once, t, u, NULL, NULL};
    struct decl **params = NEW_ARRAY(&g->p->arena, 2, struct decl *);
    params[0] = lang_decl_new(g->p, DECL_PARAM, "a", t);
    params[1] = lang_decl_new(g->p, DECL_PARAM, "b", u);
    const char *name = arena_printf(&g->p->arena, "CHECKED_%s_%zu", lang_op_info[op].name,
                                    g->macros.n);
    m->decl = lang_decl_new(g->p, DECL_FUNC, name,
                            lang_function(g->p, t, params, 2, TYPE_PROTOTYPE));
    m->body = macro_body(g, m);
    list_add(&g->arena, &g->macros, m);
    return m;
}

/* Nothing in it ever needs a guard of its own: all copies of it stay the same. */
static bool is_settled(const struct node *n)
{
    if (n->kind == NODE_INT)
        return !(n->flags & NODE_HOLE);
    if (n->kind == NODE_NAME)
        return lang_is_integer(n->type) && !(n->type->quals & QUAL_VOLATILE);
    return n->kind == NODE_CAST && lang_is_integer(n->type) &&
           (n->op == CONV_LVALUE || n->op == CONV_INT) && is_settled(n->kid[0]);
}

/* NULL where no macro will do. */
static struct node *guard_macro(struct gen *g, enum op op, struct node *a, struct node *b,
                                struct type *t)
{
    bool once = !is_settled(a) || !is_settled(b);
    if (once && !has(g, GEN_HAS_GNU))
        return NULL;
    struct macro_use *use = NEW(&g->arena, struct macro_use);
    use->macro = macro_of(g, op, t, b->type->unqual, once);
    use->n = once ? guard_block(g, op, a, b, t) : checked(g, op, a, b, t);
    list_add(&g->arena, &g->macro_uses, use);
    return use->n;
}

/* Would a comma in it end a macro's argument?  Braces and brackets do not keep it. */
static bool has_comma(const struct node *n)
{
    if (n->kind == NODE_LITERAL || (n->kind == NODE_BINARY && n->op == OP_COMMA))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && has_comma(n->kid[i]))
            return true;
    return false;
}

/* Its arguments by now: they may have been guarded since. */
static struct node *argument(const struct macro_use *use, uint32_t i)
{
    if (use->macro->once)
        return use->n->kid[0]->kid[i]->kid[0]->kid[0]; /* what the i-th local is set to */
    return use->n->kid[2]->kid[i];
}

struct edit *guard_macros(struct gen *g, size_t *n, struct text *definitions)
{
    struct edit *edits = NEW_ARRAY(&g->p->arena, g->macro_uses.n + 1, struct edit);
    *n = 0;
    for (size_t i = 0; i < g->macro_uses.n; i++) {
        const struct macro_use *use = g->macro_uses.at[i];
        struct node *args[2] = {argument(use, 0), argument(use, 1)};
        if (has_comma(args[0]) || has_comma(args[1]))
            continue; /* written as it is */
        struct node *call = lang_call(g->p, lang_name(g->p, use->macro->decl), args, 2);
        if (!call)
            BUG("macro: %s", g->p->err.msg);
        edits[(*n)++] = (struct edit){EDIT_REPLACE, use->n->id, call};
    }
    for (size_t i = 0; i < g->macros.n; i++) {
        const struct macro *m = g->macros.at[i];
        text_printf(definitions, "#define %s(a, b) %s\n", m->decl->name, m->body);
    }
    return edits;
}

/* ---- the operators ---------------------------------------------------------------------- */

struct node *guard_tree(struct gen *g, enum gen_policy form, enum op op, struct node *a,
                        struct node *b, struct type *t)
{
    if (form == GEN_guard_wrap && lang_is_integer(t)) {
        struct node *n = guards[op].wrap(g, op, a, b, t);
        if (n)
            return n;
    }
    if (form == GEN_guard_inline && may_repeat(a) && may_repeat(b)) {
        return checked(g, op, a, b, t);
    }
    if (form == GEN_guard_block)
        return guard_block(g, op, a, b, t);
    if (form == GEN_guard_macro) {
        struct node *n = guard_macro(g, op, a, b, t);
        if (n)
            return n;
    }
    struct fn *fn = operator_guard(g, op, t, b->type);
    struct node *args[2] = {a, b};
    return lang_call(g->p, lang_name(g->p, fn->decl), args, 2);
}

static struct node *guarded(struct gen *g, enum op op, struct node *a, struct node *b,
                            struct type *t)
{
    enum gen_policy form = policy_pick(g, &g->constants, GEN_guard_function, GEN_guard_macro);
    return guard_tree(g, form, op, a, b, t);
}

static void replace(struct gen *g, struct node **slot, struct node *by)
{
    if (!by)
        BUG("guard: %s", g->p->err.msg);
    if (by->type->unqual != (*slot)->type->unqual)
        by = lang_cast(g->p, (*slot)->type, by);
    *slot = by;
    g->counts.guards++;
}

/* The value of op under each kind of guard, on operands that fault. */
static u128 guarded_value(const struct gen *g, const struct node *by, enum op op,
                          const struct type *t, u128 a, u128 b, const struct type *u)
{
    const struct node *n = by;
    while (n->kind == NODE_CAST && n->op == CONV_INT)
        n = n->kid[0];
    if (n->kind != NODE_BINARY)
        return a; /* a conditional or a function */
    u128 r = 0;
    unsigned width = int_width(g, t);
    if (op == OP_SHL || op == OP_SHR)
        b &= width - 1;
    else
        u = t;
    lang_value_binary(g->p, op, t, a, b, &r); /* wrapped, even on overflow */
    (void)u;
    return r;
}

void guard_binary(struct gen *g, struct node **slot, u128 a, u128 b, struct val *v)
{
    struct node *n = *slot;
    enum op op = (enum op)n->op;
    struct type *t = n->kid[0]->type, *u = n->kid[1]->type;
    struct node *by = guarded(g, op, n->kid[0], n->kid[1], t);
    v->bits = guarded_value(g, by, op, t, a, b, u);
    replace(g, slot, by);
}

void guard_unary(struct gen *g, struct node **slot, u128 a, struct val *v)
{
    struct node *n = *slot; /* -a of the least value */
    struct type *t = n->type;
    struct node *zero = constant(g, 0, t);
    struct node *by = guarded(g, OP_SUB, zero, n->kid[0], t);
    v->bits = guarded_value(g, by, OP_SUB, t, 0, a, t);
    replace(g, slot, by);
}

/* x op= e becomes x = guarded(x op e): x is a designator without side effects.  Both operands
 * have been evaluated, so nothing may be evaluated again. */
void guard_assign(struct gen *g, struct node **slot, const struct spot *s, u128 old, u128 right,
                  struct val *v)
{
    struct node *n = *slot;
    struct type *in = n->u.operand, *to = n->type;
    enum op op = (enum op)n->op;
    struct node *left = lang_convert(g->p, clone(g, n->kid[0]), in), *by;
    u128 r = 0;
    if (in->class == CLASS_FLOAT) {
        by = lang_binary(g->p, op, left, n->kid[1]); /* not a number: 0; x / 0 is one */
        by = through(g, by, in, KEY_NUMBER, number_or_zero);
    } else {
        by = guarded(g, op, left, n->kid[1], in);
        r = guarded_value(g, by, op, in, old, right, n->kid[1]->type);
    }
    n->kid[1] = lang_convert(g->p, by, to);
    n->op = OP_ASSIGN;
    n->u.operand = to;
    g->counts.guards++;
    struct val new = {.bits = convert_bits(g, in, to, r)};
    mem_store(g, s, &new);
    mem_load(g, s, v);
}

/* x++ becomes x == most ? x : x++. */
void guard_step(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot, *x = n->kid[0];
    struct type *t = lang_promoted_value(g->p, x);
    bool plus = n->op == OP_POSTINC || n->op == OP_PREINC;
    u128 limit = plus ? int_most(g, t) : int_least(g, t);
    struct node *test = lang_binary(g->p, OP_EQ, clone(g, x), constant(g, limit, t));
    struct node *by = lang_cond(g->p, test, clone(g, x), n);
    v->bits = limit;
    replace(g, slot, by);
}

/* ---- pointers and subscripts ------------------------------------------------------------ */

/* i becomes (unsigned)i % count, or i & count - 1: the identity within the bounds. */
void guard_index(struct gen *g, struct node **slot, uint64_t count, struct val *v)
{
    struct node *i = lang_promote(g->p, *slot);
    struct type *t = i->type->unqual, *u = unsigned_of(g, t);
    v->bits = convert_bits(g, (*slot)->type->unqual, t, v->bits);
    struct node *limit = lang_int(g->p, count, lang_basic(g->p, TYPE_INT));
    bool power = (count & (count - 1)) == 0;
    struct node *by;
    u128 at = lang_wrap(v->bits, int_width(g, t));
    if (power && rng_below(&g->constants, 2)) {
        by = lang_binary(g->p, OP_AND, i, lang_int(g->p, count - 1, lang_basic(g->p, TYPE_INT)));
        v->bits = at & (count - 1);
    } else {
        by = lang_binary(g->p, OP_REM, u == t ? i : lang_cast(g->p, u, i), limit);
        v->bits = at % count;
    }
    *slot = lang_promote(g->p, by);
    g->counts.guards++;
}

/* p becomes p ? p : &fallback.  No pointer that is followed has side effects; a volatile one is
 * read twice. */
void guard_pointer(struct gen *g, struct node **slot, struct val *v)
{
    struct node *p = *slot;
    if (v->link.to)
        BUG("pointer past its object");
    struct var *to = global_of_type(g, p->type->base->unqual);
    struct node *other = lang_unary(g->p, OP_ADDR, lang_name(g->p, to->decl));
    struct node *by = lang_cond(g->p, clone(g, p), p, other);
    v->link = (struct link){about(g, to->decl)->object, 0};
    if (!by)
        BUG("guard: %s", g->p->err.msg);
    *slot = by;
    g->counts.guards++;
}

void guard_offset(struct gen *g, struct node **slot, const struct val *a, const struct val *b,
                  struct val *v)
{
    (void)g, (void)slot, (void)a, (void)b, (void)v;
    BUG("pointer arithmetic that no rule bounds");
}

/* ---- floating --------------------------------------------------------------------------- */

static struct node *real_compare(struct gen *g, enum op op, struct node *a, long double v)
{
    enum float_format f = lang_float_format(g->p, a->type);
    return lang_binary(g->p, op, clone(g, a), lang_float(g->p, lang_float_bits(f, v), a->type));
}

/* C11 6.3.1.4p1: what is left of the point must fit. */
static struct node *int_in_range(struct gen *g, struct node *a, struct type *t)
{
    bool minus = int_signed(g, t);
    unsigned bits = int_width(g, t) - (minus ? 1 : 0);
    unsigned digits = lang_float_format(g->p, a->type) == FLOAT_SINGLE ? 24 : 53;
    long double high = 1;
    for (unsigned i = 0; i < bits; i++)
        high *= 2;
    struct node *above;
    if (minus && bits >= digits)
        above = real_compare(g, OP_GE, a, -high);
    else
        above = real_compare(g, OP_GT, a, minus ? -high - 1 : -1);
    struct node *test = both(g, above, real_compare(g, OP_LT, a, high));
    return lang_cond(g->p, test, lang_cast(g->p, t, a), constant(g, 0, t));
}

void guard_float_cast(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    struct type *t = n->type->unqual;
    struct node *by = through(g, n->kid[0], t, KEY_INT, int_in_range);
    *slot = by;
    v->bits = 0;
}

void guard_nan(struct gen *g, struct node **slot, struct val *v)
{
    struct type *t = (*slot)->type->unqual;
    if (*slot == g->any_number)
        return; /* it is guarded */
    *slot = through(g, *slot, t, KEY_NUMBER, number_or_zero);
    v->bits = 0;
}

/* ---- the rest --------------------------------------------------------------------------- */

/* A local is read before it was set in this lifetime, which no earlier execution did: it gets an
 * initialiser. */
void guard_ready(struct gen *g, const struct spot *s)
{
    struct decl *d = s->object->decl;
    if (!d || !d->node || d->init || d->is_static)
        BUG("no initialiser helps %s", d ? d->name : "this");
    struct type *t = d->type;
    struct node *zero = lang_is_scalar(t) ? constant(g, 0, lang_basic(g->p, TYPE_INT))
                                          : lang_node(g->p, NODE_INIT, NULL, 0);
    d->init = lang_initialise(g->p, &t, zero);
    d->node->kid[0] = d->init;
    mem_zero(s->object);
    g->counts.guards++;
}

static struct node *nonzero(struct gen *g, struct node *a, struct type *t)
{
    return lang_cond(g->p, clone(g, a), a, constant(g, 1, t));
}

static struct node *not_least(struct gen *g, struct node *a, struct type *t)
{
    u128 least = int_least(g, t);
    return lang_cond(g->p, compare(g, OP_EQ, a, least, t), constant(g, least + 1, t), a);
}

/* __builtin_clz(x) becomes __builtin_clz(x ? x : 1); __builtin_abs is kept from the least value. */
void guard_builtin(struct gen *g, struct node **slot, struct val *v)
{
    struct node *n = *slot;
    struct type *t = n->kid[1]->type->unqual;
    const struct decl *d = n->kid[0]->kid[0]->u.decl;
    bool is_abs = d->builtin == BUILTIN_abs;
    n->kid[1] = is_abs ? through(g, n->kid[1], t, KEY_NOT_LEAST, not_least)
                       : through(g, n->kid[1], t, KEY_NONZERO, nonzero);
    u128 instead = is_abs ? int_least(g, t) + 1 : 1;
    if (!builtin_apply(g, d, t, &instead, &v->bits))
        BUG("no guard for a builtin");
}
