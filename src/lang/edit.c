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

/* The first that is no INSERT, from this one on. */
const struct edit *edit_among(const struct edit_index *x, uint32_t first)
{
    for (uint32_t i = first; i; i = x->next[i - 1])
        if (x->edits[i - 1].kind != EDIT_INSERT)
            return &x->edits[i - 1];
    return NULL;
}

/* The first INSERT, from this one on. */
const struct edit *edit_insert_among(const struct edit_index *x, uint32_t first)
{
    for (uint32_t i = first; i; i = x->next[i - 1])
        if (x->edits[i - 1].kind == EDIT_INSERT)
            return &x->edits[i - 1];
    return NULL;
}
