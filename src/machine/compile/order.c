/* Does a full expression leave open in which order volatile objects are accessed?  Decided from the
 * tree: two accesses or calls in it are enough to say yes, though C may order those two.  So what
 * is called ordered is, and what is ordered may be called open. */
#include "machine/compile/private.h"

/* A function without a body here is the library's: it knows no volatile object of the program. */
static bool may_access(const struct node *call)
{
    const struct node *callee = call->kid[0];
    while (callee->kind == NODE_CAST)
        callee = callee->kid[0];
    return callee->kind != NODE_NAME || callee->u.decl->kind != DECL_FUNC || callee->u.decl->body;
}

static bool is_access(const struct node *n)
{
    bool accesses = n->kind == NODE_ASSIGN || is_step(n) ||
                    (n->kind == NODE_CAST && n->op == CONV_LVALUE);
    return accesses && n->kid[0]->type->quals & QUAL_VOLATILE;
}

/* Accesses and calls; no more than two are counted. */
static unsigned count(const struct unit_state *u, const struct node *n)
{
    unsigned found = 0;
    if (is_dropped(u, n))
        return 0;
    n = edited_node(u, n);
    if (n->kind == NODE_SIZEOF || n->kind == NODE_ALIGNOF)
        return 0;
    if (is_access(n) || (n->kind == NODE_CALL && may_access(n)))
        found = 1;
    for (uint32_t i = 0; i < n->count && found < 2; i++)
        if (n->kid[i])
            found += count(u, n->kid[i]);
    return found;
}

bool compile_leaves_order(struct compiler *c, const struct node *n)
{
    return count(c->u, n) > 1;
}
