/* Questions about pieces of tree, and copies of them. */
#include "gen/build.h"

/* May it be evaluated any number of times?  No side effects, nothing volatile, no holes. */
bool tree_is_pure(const struct node *n)
{
    if (n->flags & NODE_HOLE || n->kind == NODE_CALL || n->kind == NODE_ASSIGN ||
        n->kind == NODE_STMT_EXPR || n->kind == NODE_VA_ARG || n->kind == NODE_LITERAL)
        return false;
    if (n->kind == NODE_UNARY && n->op <= OP_PREDEC)
        return false;
    if (n->flags & NODE_LVALUE && n->type->quals & QUAL_VOLATILE)
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !tree_is_pure(n->kid[i]))
            return false;
    return true;
}

bool tree_is_field(const struct node *n)
{
    return n->kind == NODE_MEMBER && n->u.field->is_bitfield;
}

struct node *tree_clone(struct gen *g, const struct node *n)
{
    struct node *kids[16];
    if (n->count > LENGTH(kids))
        BUG("copy of a node with %u kids", n->count);
    for (uint32_t i = 0; i < n->count; i++)
        kids[i] = n->kid[i] ? tree_clone(g, n->kid[i]) : NULL;
    struct node *copy = lang_node(g->p, n->kind, kids, n->count);
    copy->op = n->op;
    copy->flags = n->flags;
    copy->type = n->type;
    copy->u = n->u;
    if (n->flags & NODE_HOLE)
        gen_set_hole(g, copy, gen_hole_of(g, n));
    return copy;
}

/* Compilers compute most of them. */
static bool is_builtin_call(const struct node *n)
{
    const struct node *callee = n->kid[0];
    return callee->kind == NODE_CAST && callee->kid[0]->kind == NODE_NAME &&
           callee->kid[0]->u.decl->builtin;
}

bool tree_is_fixed(const struct node *n)
{
    bool reads = n->kind == NODE_ASSIGN ? n->op != OP_ASSIGN
                                        : n->kind == NODE_UNARY && n->op <= OP_PREDEC;
    if (reads || (n->kind == NODE_CALL && !is_builtin_call(n)) || n->kind == NODE_VA_ARG)
        return false;
    if ((n->kind == NODE_BINARY && n->op == OP_COMMA) || n->kind == NODE_ASSIGN)
        return tree_is_fixed(n->kid[1]); /* the value is the right side's */
    if (n->kind == NODE_COND && n->kid[1])
        return tree_is_fixed(n->kid[0]) && (tree_is_fixed(n->kid[1]) || tree_is_fixed(n->kid[2]));
    if (n->kind == NODE_CAST && n->op == CONV_LVALUE && !(n->kid[0]->type->quals & QUAL_CONST))
        return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !tree_is_fixed(n->kid[i]))
            return false;
    return true;
}
