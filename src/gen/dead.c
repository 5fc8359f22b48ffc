/* What was never reached: blocks that were never entered or left early, and expressions that were
 * never evaluated.  Nothing that they do can be seen, so nothing constrains them. */
#include "gen/private.h"

/* Every hole in an expression. */
static void fill_expr(struct gen *g, struct node **slot)
{
    struct node *n = *slot;
    if (n->flags & NODE_HOLE) {
        struct hole *h = (struct hole *)(uintptr_t)n->u.value;
        struct ctx c = h->ctx;
        c.dead = true;
        struct made m = expr_of_type(g, &c, h->type);
        *slot = lang_rvalue(g->p, m.n);
        return;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i])
            fill_expr(g, &n->kid[i]);
}

static void fill_block(struct gen *g, struct node *block)
{
    struct region *r = region_of(block);
    if (!r || !r->open)
        return;
    r->open = false;
}

/* Everything below the node, statements and expressions alike. */
static void fill(struct gen *g, struct node *n)
{
    if (n->kind == NODE_BLOCK)
        fill_block(g, n);
    for (uint32_t i = 0; i < n->count; i++) {
        struct node *kid = n->kid[i];
        if (!kid)
            continue;
        if (lang_node_info[kid->kind].class == NODE_CLASS_EXPR)
            fill_expr(g, &n->kid[i]);
        else
            fill(g, kid);
    }
    if (n->kind == NODE_BLOCK)
        n->u.text = NULL;
}

void dead_fill(struct gen *g)
{
    for (size_t i = 0; i < g->functions.n; i++)
        fill(g, ((struct fn *)g->functions.at[i])->function->body);
}
