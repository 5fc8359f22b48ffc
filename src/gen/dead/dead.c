/* What was never reached: blocks that were never entered or left early, and expressions that were
 * never evaluated.  Nothing that they do can be seen, so nothing constrains them but the types:
 * the relaxations of policy.def say how wild they are. */
#include "gen/dead/dead.h"
#include "gen/make/make.h"
#include "gen/build.h"

struct dead {
    struct gen *g;
    struct region *r;
    struct rng *rng;
    struct var *vars;
    unsigned depth; /* of expressions still to come */
};

static struct node *dead_int(struct dead *d);

static bool relaxed(struct dead *d, enum gen_policy row)
{
    return gen_chance(d->g, d->rng, row);
}

static struct node *small(struct dead *d, int64_t low, int64_t high)
{
    u128 v = (u128)(i128)rng_between(d->rng, low, high);
    struct type *t = lang_basic(d->g->p, TYPE_INT);
    return lang_int(d->g->p, lang_wrap(v, gen_int_width(d->g, t)), t);
}

/* ---- designators ------------------------------------------------------------------------ */

static struct var *any_var(struct dead *d)
{
    struct gen *g = d->g;
    if (d->vars && (g->globals.n == 0 || rng_below(d->rng, 2))) {
        return gen_var_at(d->vars, rng_below(d->rng, d->vars->count));
    }
    return g->globals.n ? g->globals.at[rng_below(d->rng, g->globals.n)] : NULL;
}

/* A local without initialiser may be read only where that is relaxed. */
static bool is_ready(struct dead *d, const struct var *v)
{
    return v->global || v->decl->kind == DECL_PARAM || v->decl->init ||
           relaxed(d, GEN_relax_uninitialised);
}

static struct node *dead_subscript(struct dead *d, uint64_t count)
{
    if (!relaxed(d, GEN_relax_bounds))
        return small(d, 0, (int64_t)count - 1);
    struct node *n = rng_below(d->rng, 2) ? NULL : dead_int(d);
    return n && !tree_is_fixed(n) ? n : small(d, -3, (int64_t)count + 9);
}

/* One step towards a scalar; NULL when there is none. */
static struct node *dead_step(struct dead *d, struct node *n)
{
    struct gen *g = d->g;
    const struct type *t = n->type;
    if (t->kind == TYPE_ARRAY || t->kind == TYPE_VECTOR)
        return lang_index(g->p, n, dead_subscript(d, t->u.count));
    if (lang_is_record(t)) {
        const struct record *r = t->u.record;
        const struct field *f = r->fields[rng_below(d->rng, r->count)];
        return lang_member(g->p, n, f->name ? f->name : r->fields[0]->name, false);
    }
    if (t->kind != TYPE_POINTER || t->base->kind == TYPE_FUNCTION || t->base->kind == TYPE_VOID)
        return NULL;
    if (relaxed(d, GEN_relax_null) && rng_below(d->rng, 3) == 0)
        n = lang_cast(g->p, n->type->unqual, small(d, 0, 0));
    if (rng_below(d->rng, 3) == 0)
        return lang_index(g->p, n, dead_subscript(d, 4));
    return lang_unary(g->p, OP_DEREF, n);
}

static struct node *dead_scalar(struct dead *d, bool writes, unsigned kinds)
{
    for (int i = 0; i < 4; i++) {
        struct var *v = any_var(d);
        if (!v || v->secret || (!writes && !is_ready(d, v)))
            continue;
        struct node *n = lang_name(d->g->p, v->decl);
        while (n && !lang_is_arithmetic(n->type))
            n = dead_step(d, n);
        if (!n || (writes && n->type->quals & QUAL_CONST))
            continue;
        unsigned kind = lang_is_integer(n->type) ? KIND_INT : KIND_REAL;
        if (kinds & kind)
            return n;
    }
    return NULL;
}

/* ---- expressions ------------------------------------------------------------------------ */

static struct node *dead_constant(struct dead *d)
{
    struct type *t = make_type_integer(d->g, d->rng);
    return build_number(d->g, make_constant_bits(d->g, d->rng, t), t).n;
}

static struct node *dead_leaf(struct dead *d)
{
    struct node *n = rng_below(d->rng, 3) ? dead_scalar(d, false, KIND_INT) : NULL;
    return n ? n : dead_constant(d);
}

static bool is_zero(struct dead *d, const struct node *n)
{
    u128 v;
    return lang_constant(d->g->p, n, &v) && v == 0;
}

static struct node *dead_binary(struct dead *d)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM,  OP_AND,
                                  OP_OR,  OP_XOR, OP_SHL, OP_SHR, OP_LT,   OP_GT,
                                  OP_LE,  OP_GE,  OP_EQ,  OP_NE,  OP_LAND, OP_LOR};
    struct node *a = dead_int(d), *b = dead_int(d);
    enum op op = make_op_among(d->rng, d->r->context, ops, LENGTH(ops));
    bool wild = relaxed(d, GEN_relax_arithmetic);
    if (!wild && (op == OP_SHL || op == OP_SHR))
        b = small(d, 0, 15);
    if (!wild && (op == OP_DIV || op == OP_REM) && is_zero(d, b))
        b = small(d, 1, 9);
    return lang_binary(d->g->p, op, a, b);
}

static struct node *dead_effect(struct dead *d)
{
    static const uint8_t ops[] = {OP_ASSIGN, OP_ADD, OP_SUB, OP_XOR, OP_MUL, OP_SHL};
    static const uint8_t steps[] = {OP_POSTINC, OP_POSTDEC, OP_PREINC, OP_PREDEC};
    struct node *n = relaxed(d, GEN_relax_sequence) ? dead_scalar(d, true, KIND_INT) : NULL;
    if (!n)
        return dead_leaf(d);
    if (rng_below(d->rng, 2))
        return lang_unary(d->g->p, steps[rng_below(d->rng, 4)], n);
    enum op op = make_op_among(d->rng, d->r->context, ops, LENGTH(ops));
    return lang_assign(d->g->p, op, n, dead_int(d));
}

static struct node *dead_unary(struct dead *d)
{
    static const uint8_t ops[] = {OP_NEG, OP_NOT, OP_LNOT, OP_PLUS};
    enum op op = ops[rng_below(d->rng, 4)];
    return lang_unary(d->g->p, op, dead_int(d));
}

/* One draw after the other: C does not say in which order arguments are evaluated. */
static struct node *dead_cond(struct dead *d)
{
    struct node *test = dead_int(d);
    struct node *a = dead_int(d);
    struct node *b = dead_int(d);
    return lang_cond(d->g->p, test, a, b);
}

static struct node *dead_cast(struct dead *d)
{
    struct type *t = make_type_integer(d->g, d->rng);
    return lang_cast(d->g->p, t, dead_int(d));
}

static struct node *dead_argument(struct dead *d, struct type *t)
{
    struct gen *g = d->g;
    if (lang_is_arithmetic(t))
        return dead_int(d);
    if (t->kind == TYPE_POINTER && relaxed(d, GEN_relax_null))
        return lang_cast(g->p, t, small(d, 0, 0));
    if (t->kind == TYPE_POINTER) {
        d->r->dead = true;
        struct ctx c = make_ctx_start(g, d->r);
        c.vars = d->vars;
        return make_expr_pointer(g, &c, t, true).n;
    }
    return lang_name(g->p, make_global_of_type(g, t)->decl);
}

static struct node *call_any(struct dead *d, struct fn *fn)
{
    struct node *args[8];
    uint32_t n = fn->function->param_count;
    for (uint32_t i = 0; i < n; i++)
        args[i] = dead_argument(d, fn->function->params[i]->type->canon->unqual);
    if (fn->pointer && !fn->twin && rng_below(d->rng, 2))
        return lang_call(d->g->p, lang_name(d->g->p, fn->pointer->decl), args, n);
    struct decl *by = fn->alias && rng_below(d->rng, 2) ? fn->alias : fn->decl;
    return lang_call(d->g->p, lang_name(d->g->p, by), args, n);
}

/* Functions that are always inlined must not call themselves, however far round. */
static struct node *dead_call(struct dead *d, bool wants_value)
{
    struct gen *g = d->g;
    if (g->functions.n < 2 || gen_setting(g, GEN_share_always))
        return NULL;
    struct fn *fn = g->functions.at[1 + rng_below(d->rng, g->functions.n - 1)];
    struct node *n = call_any(d, fn);
    while (wants_value && n && !lang_is_arithmetic(n->type))
        n = n->type->kind == TYPE_VECTOR || n->type->kind == TYPE_ARRAY ? NULL : dead_step(d, n);
    return n;
}

struct node *dead_call_of(struct gen *g, struct region *r, struct fn *fn)
{
    struct dead d = {g, r, &r->rng, r->vars, 1};
    return call_any(&d, fn);
}

static struct node *dead_int(struct dead *d)
{
    struct node *n = NULL;
    if (d->depth == 0)
        return dead_leaf(d);
    d->depth--;
    switch (rng_below(d->rng, 12)) {
    case 0:
        n = dead_unary(d);
        break;
    case 1:
        n = dead_cast(d);
        break;
    case 2:
        n = dead_effect(d);
        break;
    case 3:
        n = dead_cond(d);
        break;
    case 4:
        n = dead_call(d, true);
        if (n && n->type->class == CLASS_FLOAT)
            n = lang_cast(d->g->p, lang_basic(d->g->p, TYPE_INT), n);
        break;
    case 5:
    case 6:
    case 7:
        break;
    default:
        n = dead_binary(d);
    }
    d->depth++;
    return n ? n : dead_leaf(d);
}

static struct node *dead_real(struct dead *d, struct type *t)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV};
    struct node *n = dead_scalar(d, false, KIND_REAL);
    if (!n)
        n = make_constant_real(d->g, d->rng, t).n;
    if (rng_below(d->rng, 2)) {
        enum op op = make_op_among(d->rng, d->r->context, ops, LENGTH(ops));
        n = lang_binary(d->g->p, op, n, make_constant_real(d->g, d->rng, t).n);
    }
    return n;
}

static struct node *dead_of_type(struct dead *d, struct type *t)
{
    struct node *n = t->class == CLASS_FLOAT ? dead_real(d, t) : dead_int(d);
    return n->type->unqual == t->unqual && !tree_is_field(n) ? n : lang_cast(d->g->p, t, n);
}

/* ---- statements ------------------------------------------------------------------------- */

static void dead_statement(struct dead *d, struct node *block, unsigned nesting);

static void put(struct dead *d, struct node *block, struct node *n)
{
    if (!n)
        BUG("dead code: %s", d->g->p->err.msg);
    lang_append(d->g->p, block, n);
    d->g->counts.dead++;
}

static void put_expr(struct dead *d, struct node *block, struct node *n)
{
    put(d, block, lang_expr_stmt(d->g->p, n));
}

static void dead_assign(struct dead *d, struct node *block)
{
    static const uint8_t ops[] = {OP_ASSIGN, OP_ASSIGN, OP_ADD, OP_SUB, OP_MUL, OP_DIV,
                                  OP_AND,    OP_OR,     OP_XOR, OP_SHL, OP_SHR, OP_REM};
    struct node *to = dead_scalar(d, true, KIND_INT | KIND_REAL);
    if (!to) {
        put_expr(d, block, dead_int(d));
        return;
    }
    bool real = to->type->class == CLASS_FLOAT;
    enum op op = real ? OP_ASSIGN : make_op_among(d->rng, d->r->context, ops, LENGTH(ops));
    struct node *right = real ? dead_real(d, to->type->unqual) : dead_int(d);
    put_expr(d, block, lang_assign(d->g->p, op, to, right));
}

/* A local or parameter whose address may be kept. */
static struct var *escaping(struct dead *d)
{
    for (int i = 0; i < 4 && d->vars; i++) {
        struct var *v = gen_var_at(d->vars, rng_below(d->rng, d->vars->count));
        bool param = v->decl->kind == DECL_PARAM;
        if (lang_is_arithmetic(v->type) && !v->type->quals && !v->global && !v->secret)
            return relaxed(d, param ? GEN_relax_parameter : GEN_relax_dangling) ? v : NULL;
    }
    return NULL;
}

static struct var *global_pointer(struct dead *d, struct type *base)
{
    struct gen *g = d->g;
    struct window w = make_globals_window(g, d->rng);
    for (size_t i = w.first; i < w.end; i++) {
        struct var *v = g->globals.at[i];
        if (v->type->kind == TYPE_POINTER && !(v->type->quals & QUAL_CONST) &&
            v->type->base == base)
            return v;
    }
    return make_global_of_type(g, lang_pointer(g->p, base));
}

/* A global pointer gets the address of a local or parameter, which it outlives. */
static bool dead_escape(struct dead *d, struct node *block)
{
    struct gen *g = d->g;
    struct var *from = escaping(d);
    struct var *to = from ? global_pointer(d, from->type->unqual) : NULL;
    if (!to)
        return false;
    struct node *address = lang_unary(g->p, OP_ADDR, lang_name(g->p, from->decl));
    put_expr(d, block, lang_assign(g->p, OP_ASSIGN, lang_name(g->p, to->decl), address));
    return true;
}

static void dead_local(struct dead *d, struct node *block)
{
    struct gen *g = d->g;
    struct type *t = make_type_integer(g, d->rng);
    struct node *init = rng_below(d->rng, 3) ? dead_int(d) : NULL;
    struct region scope = *d->r;
    scope.vars = d->vars;
    struct var *v = make_local(g, &scope, t, gen_new_name(g, 'l'));
    put(d, block, lang_declare(g->p, v->decl, init));
    d->vars = v;
}

/* The local that a statement declares, and nothing else; NULL: none. */
static const struct decl *declared(const struct node *n)
{
    return n->kind == NODE_DECL && n->count == 1 ? n->kid[0]->u.declarator->decl : NULL;
}

/* A local at the end of a block, where nothing could name it any more, is given to something. */
static void use_last(struct dead *d, struct node *block)
{
    static const uint8_t ops[] = {OP_ADD, OP_SUB, OP_XOR};
    const struct decl *own = block->count ? declared(block->kid[block->count - 1]) : NULL;
    if (!own || own->used || !own->init || !lang_is_integer(own->type))
        return;
    struct dead outside = *d;
    if (d->vars && d->vars->decl == own)
        outside.vars = d->vars->outer;
    struct node *to = dead_scalar(&outside, true, KIND_INT);
    enum op op = make_op_among(d->rng, d->r->context, ops, LENGTH(ops));
    if (to)
        put_expr(d, block, lang_assign(d->g->p, op, to, lang_name(d->g->p, (struct decl *)own)));
}

static struct node *dead_body(struct dead *d, unsigned nesting)
{
    struct node *block = lang_node(d->g->p, NODE_BLOCK, NULL, 0);
    struct dead inner = *d;
    for (uint64_t n = 1 + rng_below(d->rng, 2); n > 0; n--)
        dead_statement(&inner, block, nesting + 1);
    use_last(&inner, block);
    return block;
}

/* Mostly something that compilers do not know. */
static struct node *dead_condition(struct dead *d)
{
    struct node *n = dead_int(d);
    bool known = !(n->flags & NODE_LVALUE) && tree_is_fixed(n) && rng_below(d->rng, 8);
    struct node *v = known ? dead_scalar(d, false, KIND_INT) : NULL;
    return lang_condition(d->g->p, v ? lang_binary(d->g->p, OP_NE, v, n) : n);
}

static void dead_if(struct dead *d, struct node *block, unsigned nesting)
{
    struct node *kids[3] = {dead_condition(d), NULL, NULL};
    kids[1] = dead_body(d, nesting);
    if (rng_below(d->rng, 2))
        kids[2] = dead_body(d, nesting);
    put(d, block, lang_node(d->g->p, NODE_IF, kids, 3));
}

static void dead_loop(struct dead *d, struct node *block, unsigned nesting)
{
    struct program *p = d->g->p;
    struct node *test = dead_condition(d);
    switch (rng_below(d->rng, 3)) {
    case 0: {
        struct node *kids[2] = {test, dead_body(d, nesting)};
        put(d, block, lang_node(p, NODE_WHILE, kids, 2));
        break;
    }
    case 1: {
        struct node *kids[2] = {dead_body(d, nesting), test};
        put(d, block, lang_node(p, NODE_DO, kids, 2));
        break;
    }
    default: {
        struct node *start = lang_expr_stmt(p, dead_effect(d));
        struct node *kids[4] = {start, test, dead_effect(d), NULL};
        kids[3] = dead_body(d, nesting);
        put(d, block, lang_node(p, NODE_FOR, kids, 4));
    }
    }
}

/* goto over the initialiser of a variable that is used behind the label. */
static void dead_skip(struct dead *d, struct node *block, unsigned nesting)
{
    struct gen *g = d->g;
    struct node *inner = lang_node(g->p, NODE_BLOCK, NULL, 0);
    struct dead scope = *d;
    struct label *l = NEW(&g->p->arena, struct label);
    l->name = arena_printf(&g->p->arena, "L%u", g->names[7]++);
    l->index = (uint32_t)d->r->fn->function->labels.n;
    list_add(&g->p->arena, &d->r->fn->function->labels, l);
    struct node *jump = lang_node(g->p, NODE_GOTO, NULL, 0);
    jump->u.label = l;
    struct node *kids[3] = {dead_condition(d), jump, NULL};
    put(d, inner, lang_node(g->p, NODE_IF, kids, 3));
    dead_local(&scope, inner);
    dead_statement(&scope, inner, nesting + 1);
    struct node *empty = lang_node(g->p, NODE_EMPTY, NULL, 0);
    l->node = lang_node(g->p, NODE_LABEL, &empty, 1);
    l->node->u.label = l;
    put(d, inner, l->node);
    dead_assign(&scope, inner);
    put(d, block, inner);
}

static void dead_statement(struct dead *d, struct node *block, unsigned nesting)
{
    d->depth = 1 + (unsigned)rng_below(d->rng, 3);
    uint64_t draw = rng_below(d->rng, nesting > 3 ? 7 : 12);
    if (draw < 5) {
        dead_assign(d, block);
    } else if (draw == 5) {
        dead_local(d, block);
    } else if (draw == 6) {
        if (!dead_escape(d, block))
            dead_assign(d, block);
    } else if (draw < 9) {
        dead_if(d, block, nesting);
    } else if (draw == 9) {
        dead_loop(d, block, nesting);
    } else if (draw == 10 && relaxed(d, GEN_relax_skip)) {
        dead_skip(d, block, nesting);
    } else {
        struct node *call = dead_call(d, false);
        put_expr(d, block, call ? call : dead_int(d));
    }
}

static void dead_end(struct dead *d, struct node *block)
{
    struct gen *g = d->g;
    struct type *t = d->r->fn->decl->type->canon->base;
    if (d->r->end == NODE_RETURN) {
        struct node *n = NULL;
        if (t->kind != TYPE_VOID)
            n = dead_argument(d, t);
        put(d, block, lang_return(g->p, d->r->fn->function, n));
    } else if (d->r->end) {
        struct node *n = lang_node(g->p, d->r->end, NULL, 0);
        n->u.target = d->r->end == NODE_BREAK ? d->r->exit : d->r->loop;
        put(d, block, n);
    }
}

/* ---- filling ---------------------------------------------------------------------------- */

static void fill(struct gen *g, struct node *n);

/* A guard may have taken the place of an initialiser. */
static void settle(const struct node *n)
{
    if (n->kind == NODE_DECLARATOR)
        n->u.declarator->decl->init = n->kid[0];
}

static bool may_have_hole(const struct node *n)
{
    return n->count || (n->flags & NODE_HOLE);
}

/* Every hole in an expression. */
static void fill_expr(struct gen *g, struct node **slot)
{
    struct node *n = *slot;
    if (n->flags & NODE_HOLE) {
        const struct hole *h = gen_hole_of(g, n);
        struct dead d = {g, h->ctx.region, &h->ctx.region->rng, h->ctx.vars, h->ctx.depth};
        d.depth = d.depth > 2 ? 2 : d.depth;
        *slot = lang_rvalue(g->p, dead_of_type(&d, h->type));
        return;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && may_have_hole(n->kid[i]))
            fill_expr(g, &n->kid[i]);
    settle(n);
}

/* Half of the statements are made as live ones are, and so have all of the language. */
static void fill_statement(struct dead *d)
{
    struct region *r = d->r;
    if (rng_below(d->rng, 2)) {
        dead_statement(d, r->block, r->nesting);
        return;
    }
    uint32_t first = r->block->count;
    r->vars = d->vars;
    make_stmt_dead(d->g, r);
    d->vars = r->vars;
    for (uint32_t i = first; i < r->block->count; i++)
        fill(d->g, r->block->kid[i]);
}

/* What a function has computed reaches the sum that main prints. */
static void show_locals(struct dead *d, struct region *r)
{
    enum { MOST = 6 };
    unsigned shown = 0;
    for (struct var *v = d->vars; v && shown < MOST; v = v->outer) {
        if (v->global || v->type->quals || !lang_is_arithmetic(v->type))
            continue;
        make_sum(d->g, r, r->block, lang_name(d->g->p, v->decl));
        shown++;
    }
}

static void fill_block(struct gen *g, struct region *r)
{
    struct dead d = {g, r, &r->rng, r->vars, 2};
    bool entered = r->block->count > 0, inner = r->dead;
    r->open = false;
    if (!entered && (r->assumed || gen_chance(g, &r->rng, GEN_share_unreachable))) {
        struct decl *u = build_builtin(g, "__builtin_unreachable");
        put_expr(&d, r->block, lang_call(g->p, lang_name(g->p, u), NULL, 0));
        if (r->assumed)
            return;
    }
    uint64_t n = gen_chance(g, &r->rng, GEN_share_dead) && !inner ? 2 + rng_below(&r->rng, 4) : 1;
    if (g->o->mode == GEN_CRASH && r->nesting == 0)
        n = 1 + g->o->size / (2 * g->functions.n);
    for (; n > 0; n--)
        fill_statement(&d);
    use_last(&d, r->block);
    if (g->o->mode == GEN_CRASH && r->nesting == 0)
        show_locals(&d, r);
    dead_end(&d, r->block);
}

/* Everything below the node, statements and expressions alike. */
static void fill(struct gen *g, struct node *n)
{
    struct region *r = n->kind == NODE_BLOCK ? gen_region_of(g, n) : NULL;
    for (uint32_t i = 0; i < n->count; i++) {
        struct node *kid = n->kid[i];
        if (!kid)
            continue;
        if (lang_node_info[kid->kind].class != NODE_CLASS_EXPR)
            fill(g, kid);
        else if (may_have_hole(kid))
            fill_expr(g, &n->kid[i]);
    }
    settle(n);
    if (r && r->open)
        fill_block(g, r);
}

/* ---- what nothing names ----------------------------------------------------------------- */

static bool is_vain(const struct node *n)
{
    const struct decl *d = declared(n);
    const struct node *init = d ? n->kid[0]->kid[0] : NULL;
    return d && d->kind == DECL_VAR && !d->used && (!init || tree_is_pure(init));
}

/* Declarations that are in vain, out of every block below. */
static void drop_vain(struct node *n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->count; i++) {
        struct node *kid = n->kid[i];
        if (kid && n->kind == NODE_BLOCK && is_vain(kid))
            continue;
        if (kid && lang_node_info[kid->kind].class == NODE_CLASS_STMT)
            drop_vain(kid);
        n->kid[kept++] = kid;
    }
    n->count = kept;
}

static void drop_vain_of(const struct fn *fn)
{
    const struct list *locals = &fn->function->locals;
    size_t i = 0;
    while (i < locals->n && ((struct decl *)locals->at[i])->used)
        i++;
    if (i < locals->n)
        drop_vain(fn->function->body);
}

void dead_fill(struct gen *g)
{
    struct list *const all[] = {&g->functions, &g->bodies};
    g->ended = true;
    for (size_t k = 0; k < LENGTH(all); k++)
        for (size_t i = 0; i < all[k]->n; i++)
            fill(g, ((struct fn *)all[k]->at[i])->function->body);
    for (size_t k = 0; k < LENGTH(all); k++)
        for (size_t i = 0; i < all[k]->n; i++)
            drop_vain_of(all[k]->at[i]);
}
