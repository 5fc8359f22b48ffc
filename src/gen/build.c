/* Small pieces of tree that several makers put together.  Nothing here is executed: what is built
 * runs when execution walks into it. */
#include "gen/build.h"
#include "gen/run/run.h"

#include <string.h>

/* A literal without a cast: int where it fits, else the narrowest that the value needs. */
struct made build_number(struct gen *g, u128 v, struct type *t)
{
    struct made m = {0};
    struct type *as = t;
    if (t->kind == TYPE_ENUM || gen_int_width(g, t) < g->width[TYPE_INT])
        as = lang_basic(g->p, TYPE_INT);
    m.v.bits = run_convert(g, t, as, v);
    m.n = lang_int(g->p, m.v.bits, as);
    return m;
}

struct type *build_int_type(const struct gen *g)
{
    return lang_basic(g->p, TYPE_INT);
}

struct type *build_word_type(const struct gen *g)
{
    return lang_basic(g->p, g->width[TYPE_UINT] < 32 ? TYPE_ULONG : TYPE_UINT);
}

struct attr *build_attribute(struct gen *g, const char *name, const char *text)
{
    struct attr *a = NEW(&g->p->arena, struct attr);
    a->name = name;
    a->text = text;
    return a;
}

struct node *build_int(struct gen *g, uint64_t v)
{
    return lang_int(g->p, v, build_int_type(g));
}

struct node *build_name(struct gen *g, const struct var *v)
{
    return lang_name(g->p, v->decl);
}

struct node *build_address(struct gen *g, const struct var *v)
{
    return lang_unary(g->p, OP_ADDR, build_name(g, v));
}

struct node *build_op(struct gen *g, enum op op, struct node *a, struct node *b)
{
    struct node *n = lang_binary(g->p, op, a, b);
    if (!n)
        BUG("%s", g->p->err.msg);
    return n;
}

struct node *build_at(struct gen *g, const struct var *v, struct node *i)
{
    return lang_index(g->p, build_name(g, v), i);
}

struct node *build_element(struct gen *g, const struct var *v, const struct var *i, int64_t offset)
{
    struct node *at = build_name(g, i);
    if (offset)
        at = build_op(g, offset > 0 ? OP_ADD : OP_SUB, at,
                      build_int(g, (uint64_t)(offset > 0 ? offset : -offset)));
    return build_at(g, v, at);
}

struct node *build_value(struct gen *g, const struct type *to, struct node *n)
{
    bool read = n->flags & (NODE_LVALUE | NODE_HOLE) || n->kind == NODE_CAST;
    if (!g->unions.n || !read || !lang_is_integer(n->type) || lang_same_type(n->type, to))
        return n;
    return lang_unary(g->p, OP_PLUS, n);
}

struct node *build_assign(struct gen *g, enum op op, struct node *to, struct node *value)
{
    if (op == OP_ASSIGN)
        value = build_value(g, to->type, value);
    struct node *n = lang_assign(g->p, op, to, value);
    if (!n)
        BUG("%s", g->p->err.msg);
    return lang_expr_stmt(g->p, n);
}

struct node *build_set(struct gen *g, const struct var *v, struct node *value)
{
    return build_assign(g, OP_ASSIGN, build_name(g, v), value);
}

struct node *build_if(struct gen *g, struct node *test, struct node *yes, struct node *no)
{
    struct node *kids[3] = {lang_condition(g->p, test), yes, no};
    return lang_node(g->p, NODE_IF, kids, 3);
}

struct node *build_while(struct gen *g, struct node *test, struct node *body)
{
    struct node *kids[2] = {lang_condition(g->p, test), body};
    return lang_node(g->p, NODE_WHILE, kids, 2);
}

struct node *build_block(struct gen *g, struct node *const *statements, uint32_t n)
{
    struct node *block = lang_node(g->p, NODE_BLOCK, NULL, 0);
    for (uint32_t i = 0; i < n; i++)
        lang_append(g->p, block, statements[i]);
    return block;
}

struct node *build_for(struct gen *g, const struct var *v, uint64_t first, struct node *limit,
                       struct node *body)
{
    struct node *kids[4] = {lang_declare(g->p, v->decl, build_int(g, first)),
                            build_op(g, OP_LT, build_name(g, v), limit),
                            lang_unary(g->p, OP_POSTINC, build_name(g, v)), body};
    return lang_node(g->p, NODE_FOR, kids, 4);
}

struct node *build_count(struct gen *g, const struct var *v, uint64_t n, struct node *body)
{
    return build_for(g, v, 0, build_int(g, n), body);
}

/* ---- switch ----------------------------------------------------------------------------- */

struct node *build_switch(struct gen *g, struct node *control, uint32_t room)
{
    struct node *kids[2] = {control, lang_node(g->p, NODE_BLOCK, NULL, 0)};
    struct node *n = lang_node(g->p, NODE_SWITCH, kids, 2);
    n->u.switch_ = NEW(&g->p->arena, struct switch_info);
    n->u.switch_->cases = NEW_ARRAY(&g->p->arena, room, struct node *);
    return n;
}

struct node *build_case(struct gen *g, struct node *sw, u128 low, u128 high, struct node *body)
{
    struct type *t = sw->kid[0]->type;
    struct node *kids[3] = {build_number(g, low, t).n,
                            low == high ? NULL : build_number(g, high, t).n, body};
    struct node *n = lang_node(g->p, NODE_CASE, kids, 3);
    n->u.case_ = NEW(&g->p->arena, struct case_info);
    *n->u.case_ = (struct case_info){sw, low, high};
    struct switch_info *info = sw->u.switch_;
    info->cases[info->count++] = n;
    return n;
}

struct node *build_default(struct gen *g, struct node *sw, struct node *body)
{
    struct node *n = lang_node(g->p, NODE_DEFAULT, &body, 1);
    n->u.target = sw;
    sw->u.switch_->default_ = n;
    return n;
}

struct node *build_break(struct gen *g, struct node *target)
{
    struct node *n = lang_node(g->p, NODE_BREAK, NULL, 0);
    n->u.target = target;
    return n;
}

/* ---- functions of the library, and builtins --------------------------------------------- */

struct decl *build_builtin(struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->builtins.n; i++) {
        struct decl *d = g->builtins.at[i];
        if (strcmp(d->name, name) == 0)
            return d;
    }
    struct decl *d = lang_builtin(g->p, name);
    list_add(&g->arena, &g->builtins, d);
    return d;
}

struct decl *build_library(struct gen *g, const char *name)
{
    for (size_t i = 0; i < g->library.n; i++) {
        struct decl *d = g->library.at[i];
        if (strcmp(d->name, name) == 0)
            return d;
    }
    struct decl *d = lang_builtin(g->p, name);
    list_add(&g->arena, &g->library, d);
    return d;
}

struct node *build_string(struct gen *g, const char *bytes)
{
    struct string *s = NEW(&g->p->arena, struct string);
    *s = (struct string){bytes, strlen(bytes) + 1, 1, ""};
    return lang_string(g->p, s);
}
