/* Guards that evaluate their operands once: statement expressions, and macros.  The tree holds what
 * the macro expands to; its name and arguments are put there as edits when the program is printed.
 */
#include "gen/safe/private.h"

static struct decl *temporary(struct gen *g, struct node *block, struct type *t, struct node *init)
{
    struct decl *d = lang_decl_new(g->p, DECL_VAR, gen_new_name(g, 'l'), t);
    if (g->running) {
        d->owner = g->running->function;
        list_add(&g->p->arena, &g->running->function->locals, d);
        list_add(&g->arena, &g->running->vars, gen_var_new(g, d, NULL));
    }
    lang_append(g->p, block, lang_declare(g->p, d, init));
    return d;
}

/* ({ T x = a; U y = b; unsafe ? x : x op y; }) */
struct node *safe_block(struct gen *g, enum op op, struct node *a, struct node *b, struct type *t)
{
    struct node *block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    struct type *u = b->type->unqual;
    struct node *x = lang_rvalue(g->p, lang_name(g->p, temporary(g, block, t, a)));
    struct node *y = lang_rvalue(g->p, lang_name(g->p, temporary(g, block, u, b)));
    lang_append(g->p, block, lang_expr_stmt(g->p, safe_checked(g, op, x, y, t)));
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
    struct node *value = safe_checked(g, (enum op)m->op, placeholder(g, m->t, a),
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
struct node *safe_macro(struct gen *g, enum op op, struct node *a, struct node *b, struct type *t)
{
    bool once = !is_settled(a) || !is_settled(b);
    if (once && !gen_has(g, GEN_HAS_GNU))
        return NULL;
    struct macro_use *use = NEW(&g->arena, struct macro_use);
    use->macro = macro_of(g, op, t, b->type->unqual, once);
    use->n = once ? safe_block(g, op, a, b, t) : safe_checked(g, op, a, b, t);
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

struct edit *safe_macros(struct gen *g, size_t *n, struct text *definitions)
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
