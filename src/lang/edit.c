/* Edits by node. */
#include "lang/print.h"

void edit_index_reuse(struct edit_index *x, struct arena *a, uint32_t *first, uint32_t node_count,
                      const struct edit *edits, size_t n)
{
    *x = (struct edit_index){.edits = edits, .first = first, .node_count = node_count};
    x->next = NEW_ARRAY(a, n, uint32_t);
    for (size_t i = n; i-- > 0;) {
        uint32_t node = edits[i].node;
        if (node >= node_count)
            BUG("edit of node %u of %u", node, node_count);
        x->next[i] = x->first[node];
        x->first[node] = (uint32_t)i + 1;
    }
}

void edit_index_start(struct edit_index *x, struct arena *a, const struct program *p,
                      const struct edit *edits, size_t n)
{
    if (n == 0)
        *x = (struct edit_index){.edits = edits};
    else
        edit_index_reuse(x, a, NEW_ARRAY(a, p->node_count, uint32_t), p->node_count, edits, n);
}

static uint32_t first_edit(const struct edit_index *x, const struct node *n)
{
    return n->id < x->node_count ? x->first[n->id] : 0;
}

const struct edit *edit_of(const struct edit_index *x, const struct node *n)
{
    for (uint32_t i = first_edit(x, n); i; i = x->next[i - 1])
        if (x->edits[i - 1].kind != EDIT_INSERT)
            return &x->edits[i - 1];
    return NULL;
}

const struct edit *edit_next_insert(const struct edit_index *x, const struct node *n,
                                    const struct edit *previous)
{
    uint32_t i = previous ? x->next[previous - x->edits] : first_edit(x, n);
    for (; i; i = x->next[i - 1])
        if (x->edits[i - 1].kind == EDIT_INSERT)
            return &x->edits[i - 1];
    return NULL;
}
