/* Statements of the tree, executed.  A block that is still open is continued where execution
 * reaches its end. */
#include "gen/run/run.h"

/* ---- declarations ----------------------------------------------------------------------- */

void run_init_store(struct gen *g, struct object *o, const struct node *list)
{
    const struct init *init = list->u.init;
    run_mem_zero(o);
    for (uint32_t i = 0; i < init->count; i++) {
        struct init_item *item = &init->items[i];
        struct val v = {0};
        run_eval(g, &item->value, &v);
        for (uint64_t k = 0; k < item->repeat; k++) {
            struct spot s = {o, item->offset + k * item->stride, item->type, item->field};
            run_mem_store(g, &s, &v);
        }
    }
}

/* C11 6.7.6.2p5: the length is evaluated each time. */
static struct object *variable_array(struct gen *g, struct decl *d)
{
    struct type *t = d->type->canon;
    struct val n = {0};
    run_eval(g, &t->u.length, &n);
    return run_mem_new(g, lang_array(g->p, t->base, (uint64_t)n.bits), d);
}

/* A local begins to live: C11 6.2.4p6. */
static void start_local(struct gen *g, struct node *declarator)
{
    struct decl *d = declarator->u.declarator->decl;
    if (d->is_static || d->kind != DECL_VAR)
        return;
    struct about *a = gen_about(g, d);
    if (d->type->canon->flags & TYPE_VARIABLE)
        a->object = variable_array(g, d);
    else if (!a->object)
        a->object = run_mem_new(g, d->type, d);
    struct object *o = a->object;
    if (!declarator->kid[0]) {
        run_mem_clear(o);
    } else if (declarator->kid[0]->kind == NODE_INIT) {
        run_init_store(g, o, declarator->kid[0]);
    } else {
        struct val v = {0};
        struct spot s = {o, 0, d->type->canon, NULL};
        run_eval(g, &declarator->kid[0], &v);
        run_mem_store(g, &s, &v);
    }
}

static enum flow exec_decl(struct gen *g, struct node *n)
{
    for (uint32_t i = 0; i < n->count; i++)
        start_local(g, n->kid[i]);
    return FLOW_NEXT;
}

/* ---- blocks and jumps ------------------------------------------------------------------- */

static bool find_label(const struct node *block, const struct label *l, uint32_t *at)
{
    for (uint32_t i = block->count; i-- > 0;) { /* most are near what was written last */
        const struct node *n = block->kid[i];
        if (n->kind == NODE_LABEL && n->u.label == l) {
            *at = i;
            return true;
        }
    }
    return false;
}

static bool contains(const struct node *n, const struct node *call)
{
    if (n == call)
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && contains(n->kid[i], call))
            return true;
    return false;
}

/* The statement that called setjmp: it is evaluated again, and gives what longjmp was told. */
static bool find_landing(const struct gen *g, const struct node *block, uint32_t *at)
{
    for (uint32_t i = 0; i < block->count; i++)
        if (contains(block->kid[i], g->jump.to)) {
            *at = i;
            return true;
        }
    return false;
}

/* From the kid at i on. */
static enum flow exec_from(struct gen *g, struct node *block, uint32_t i)
{
    for (;;) {
        enum flow f = FLOW_NEXT;
        if (i < block->count) {
            f = run_exec(g, &block->kid[i]);
            i++;
        } else {
            struct region *r = gen_region_of(g, block);
            if (!r || !r->open)
                return FLOW_NEXT;
            f = g->hooks->next(g, r);
            i = r->resume;
        }
        if (f == FLOW_GOTO && find_label(block, g->target, &i))
            f = FLOW_NEXT;
        if (f == FLOW_LONGJMP && find_landing(g, block, &i))
            f = FLOW_NEXT;
        if (f != FLOW_NEXT)
            return f;
    }
}

enum flow run_exec_block(struct gen *g, struct node *block)
{
    return exec_from(g, block, 0);
}

static enum flow exec_goto(struct gen *g, struct node *n)
{
    g->target = n->u.label;
    return FLOW_GOTO;
}

static enum flow exec_goto_value(struct gen *g, struct node *n)
{
    struct val v = {0};
    run_eval(g, &n->kid[0], &v);
    g->target = v.link.to->label;
    return FLOW_GOTO;
}

static enum flow exec_label(struct gen *g, struct node *n)
{
    return run_exec(g, &n->kid[n->kind == NODE_CASE ? 2 : 0]);
}

/* ---- choices ---------------------------------------------------------------------------- */

static enum flow exec_if(struct gen *g, struct node *n)
{
    if (run_eval_truth(g, &n->kid[0]))
        return run_exec(g, &n->kid[1]);
    return n->kid[2] ? run_exec(g, &n->kid[2]) : FLOW_NEXT;
}

/* ---- loops ------------------------------------------------------------------------------ */

/* What a body's end means for the loop: true to leave it with *f. */
static bool leaves_loop(enum flow *f)
{
    if (*f == FLOW_NEXT || *f == FLOW_CONTINUE) {
        *f = FLOW_NEXT;
        return false;
    }
    if (*f == FLOW_BREAK)
        *f = FLOW_NEXT;
    return true;
}

static enum flow exec_for_rest(struct gen *g, struct node *n)
{
    enum flow f = FLOW_NEXT;
    struct val v;
    while (!n->kid[1] || run_eval_truth(g, &n->kid[1])) {
        f = run_exec(g, &n->kid[3]);
        if (leaves_loop(&f))
            break;
        if (n->kid[2])
            run_eval(g, &n->kid[2], &v);
    }
    return f;
}

static enum flow exec_for(struct gen *g, struct node *n)
{
    if (n->kid[0])
        run_exec(g, &n->kid[0]);
    return exec_for_rest(g, n);
}

static enum flow exec_while(struct gen *g, struct node *n)
{
    enum flow f = FLOW_NEXT;
    while (run_eval_truth(g, &n->kid[0])) {
        f = run_exec(g, &n->kid[1]);
        if (leaves_loop(&f))
            break;
    }
    return f;
}

static enum flow exec_do(struct gen *g, struct node *n)
{
    enum flow f;
    do {
        f = run_exec(g, &n->kid[0]);
        if (leaves_loop(&f))
            break;
    } while (run_eval_truth(g, &n->kid[1]));
    return f;
}

/* ---- into the middle -------------------------------------------------------------------- */

static bool holds(const struct node *n, const struct node *target)
{
    if (n == target)
        return true;
    if (lang_node_info[n->kind].class != NODE_CLASS_STMT)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && holds(n->kid[i], target))
            return true;
    return false;
}

static enum flow exec_into(struct gen *g, struct node **slot, const struct node *target);

static enum flow exec_into_block(struct gen *g, struct node *block, const struct node *target)
{
    uint32_t i = 0;
    while (i < block->count && !holds(block->kid[i], target))
        i++;
    if (i == block->count)
        BUG("no such place to jump to");
    if (block->kid[i] == target)
        return exec_from(g, block, i);
    enum flow f = exec_into(g, &block->kid[i], target);
    if (f == FLOW_GOTO && find_label(block, g->target, &i))
        return exec_from(g, block, i);
    return f == FLOW_NEXT ? exec_from(g, block, i + 1) : f;
}

/* Executes a statement from a label inside of it on: what comes before is skipped. */
static enum flow exec_into(struct gen *g, struct node **slot, const struct node *target)
{
    struct node *n = *slot;
    enum flow f;
    if (n == target)
        return run_exec(g, slot);
    switch (n->kind) {
    case NODE_BLOCK:
        return exec_into_block(g, n, target);
    case NODE_DO:
        f = exec_into(g, &n->kid[0], target);
        if (leaves_loop(&f) || !run_eval_truth(g, &n->kid[1]))
            return f;
        return exec_do(g, n);
    case NODE_CASE:
        return exec_into(g, &n->kid[2], target);
    case NODE_DEFAULT:
    case NODE_LABEL:
        return exec_into(g, &n->kid[0], target);
    default:
        BUG("no way into %s", lang_node_info[n->kind].name);
    }
}

/* C11 6.8.4.2: the arm whose range holds the value, else default, else nothing. */
static struct node *chosen_arm(struct gen *g, const struct node *n, u128 value)
{
    const struct switch_info *info = n->u.switch_;
    u128 flip = gen_int_least(g, n->kid[0]->type);
    for (uint32_t i = 0; i < info->count; i++) {
        const struct case_info *c = info->cases[i]->u.case_;
        if ((value ^ flip) >= (c->low ^ flip) && (value ^ flip) <= (c->high ^ flip))
            return info->cases[i];
    }
    return info->default_;
}

static enum flow exec_switch_value(struct gen *g, struct node *n, u128 value)
{
    struct node *arm = chosen_arm(g, n, value);
    if (!arm)
        return FLOW_NEXT;
    enum flow f = exec_into(g, &n->kid[1], arm);
    return f == FLOW_BREAK ? FLOW_NEXT : f;
}

static enum flow exec_switch(struct gen *g, struct node *n)
{
    struct val v = {0};
    run_eval(g, &n->kid[0], &v);
    return exec_switch_value(g, n, v.bits);
}

/* ---- the rest --------------------------------------------------------------------------- */

static enum flow exec_expr(struct gen *g, struct node *n)
{
    struct val v = {0};
    run_eval(g, &n->kid[0], &v);
    return g->jump.value ? FLOW_LONGJMP : FLOW_NEXT;
}

static enum flow exec_return(struct gen *g, struct node *n)
{
    if (n->kid[0])
        run_eval(g, &n->kid[0], &g->result);
    return FLOW_RETURN;
}

static enum flow exec_nothing(struct gen *g, struct node *n)
{
    (void)g;
    (void)n;
    return FLOW_NEXT;
}

static enum flow exec_break(struct gen *g, struct node *n)
{
    (void)g;
    return n->kind == NODE_BREAK ? FLOW_BREAK : FLOW_CONTINUE;
}

typedef enum flow exec_fn(struct gen *g, struct node *n);

static exec_fn *const execs[NODE_COUNT] = {
    [NODE_BLOCK] = run_exec_block,   [NODE_EXPR_STMT] = exec_expr,
    [NODE_EMPTY] = exec_nothing,     [NODE_IF] = exec_if,
    [NODE_SWITCH] = exec_switch,     [NODE_CASE] = exec_label,
    [NODE_DEFAULT] = exec_label,     [NODE_LABEL] = exec_label,
    [NODE_WHILE] = exec_while,       [NODE_DO] = exec_do,
    [NODE_FOR] = exec_for,           [NODE_GOTO] = exec_goto,
    [NODE_BREAK] = exec_break,       [NODE_CONTINUE] = exec_break,
    [NODE_RETURN] = exec_return,     [NODE_DECL] = exec_decl,
    [NODE_ATTRIBUTE] = exec_nothing, [NODE_GOTO_VALUE] = exec_goto_value,
    [NODE_ASM] = exec_nothing,       [NODE_PRAGMA] = exec_nothing,
    [NODE_FUNCTION] = exec_nothing,
};

enum flow run_exec(struct gen *g, struct node **slot)
{
    exec_fn *f = execs[(*slot)->kind];
    if (!f)
        BUG("no execution of %s", lang_node_info[(*slot)->kind].name);
    g->steps++;
    gen_tick(g);
    return f(g, *slot);
}

/* ---- calls ------------------------------------------------------------------------------ */

/* The objects of a call that is still running step aside for those of a new one. */
static struct object **put_aside(struct gen *g, struct fn *fn)
{
    struct object **saved = NEW_ARRAY(&g->arena, fn->vars.n + 1, struct object *);
    for (size_t i = 0; i < fn->vars.n; i++) {
        struct about *a = gen_about(g, ((struct var *)fn->vars.at[i])->decl);
        saved[i] = a->object;
        a->object = NULL;
    }
    return saved;
}

static void put_back(struct gen *g, struct fn *fn, struct object **saved, size_t n)
{
    for (size_t i = 0; i < n; i++)
        gen_about(g, ((struct var *)fn->vars.at[i])->decl)->object = saved[i];
}

static void bind_params(struct gen *g, struct fn *fn, const struct val *args)
{
    for (uint32_t i = 0; i < fn->function->param_count; i++) {
        struct decl *d = fn->function->params[i];
        struct about *a = gen_about(g, d);
        if (!a->object)
            a->object = run_mem_new(g, d->type, d);
        struct spot s = {a->object, 0, d->type->canon, NULL};
        run_mem_store(g, &s, &args[i]);
    }
}

void run_call(struct gen *g, struct fn *fn, const struct val *args, uint32_t n, struct val *v)
{
    struct object **saved = NULL;
    size_t count = fn->vars.n;
    struct rest rest = g->rest;
    struct fn *caller = g->running;
    g->running = fn;
    if (fn->active++)
        saved = put_aside(g, fn);
    bind_params(g, fn, args);
    uint32_t named = fn->function->param_count;
    g->rest = (struct rest){n > named ? args + named : NULL, n > named ? n - named : 0};
    g->depth++;
    g->steps++;
    run_exec_block(g, fn->function->body);
    g->depth--;
    g->rest = rest;
    g->running = caller;
    if (v) {
        *v = g->result;
        struct type *t = fn->decl->type->canon->base;
        if (lang_is_record(t) || t->kind == TYPE_VECTOR || run_is_complex(t))
            v->link = (struct link){run_mem_snapshot(g, v->link.to, (uint64_t)v->link.at, t), 0};
    }
    fn->active--;
    if (saved)
        put_back(g, fn, saved, count);
}
