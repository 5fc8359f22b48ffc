/* Loops whose turns need nothing of each other, so that compilers may be told so (#pragma GCC
 * ivdep): told by the text alone, so it holds on every visit.  All stores go to elements at i of
 * arrays by name, these arrays are read at i only, i is a local that nothing points to, and nothing
 * is called or reached by pointer.  Guards that are put in later compute with values, and keep
 * that. */
#include "gen/shape/private.h"

enum { MOST_STORED = 8 };

struct look {
    const struct decl *counter;
    const struct decl *stored[MOST_STORED];
    uint32_t n;
};

/* What is not looked into: it may touch anything, or leave the loop. */
static const bool strange[NODE_COUNT] = {
    [NODE_CALL] = true,   [NODE_ASM] = true,     [NODE_STMT_EXPR] = true,  [NODE_DECL] = true,
    [NODE_VA_ARG] = true, [NODE_GOTO] = true,    [NODE_BREAK] = true,      [NODE_CONTINUE] = true,
    [NODE_RETURN] = true, [NODE_LITERAL] = true, [NODE_GOTO_VALUE] = true,
};

static bool is_strange(const struct node *n)
{
    bool pointer = n->kind == NODE_UNARY && (n->op == OP_DEREF || n->op == OP_ADDR);
    return strange[n->kind] || pointer || n->flags & NODE_HOLE;
}

static bool is_counter(const struct look *l, const struct node *n)
{
    while (n && n->kind == NODE_CAST && n->flags & NODE_IMPLICIT)
        n = n->kid[0];
    return n && n->kind == NODE_NAME && n->u.decl == l->counter;
}

/* What the lvalue is a part of, and its subscript there, if it has one; NULL where a pointer leads
 * to it. */
static const struct decl *root(const struct node *n, const struct node **at)
{
    *at = NULL;
    while (n->kind != NODE_NAME) {
        if (n->kind == NODE_INDEX) {
            *at = n->kid[1];
            n = n->kid[0];
            if (n->kind != NODE_CAST || n->op != CONV_ARRAY)
                return NULL;
        } else if (n->kind != NODE_MEMBER || n->flags & NODE_ARROW) {
            return NULL;
        }
        n = n->kid[0];
    }
    return n->u.decl;
}

static bool is_stored(const struct look *l, const struct decl *d)
{
    for (uint32_t i = 0; i < l->n; i++)
        if (l->stored[i] == d)
            return true;
    return false;
}

/* Do all stores below go to elements at i?  Their arrays are noted. */
static bool stores_at_counter(struct look *l, const struct node *n)
{
    const struct node *at;
    bool step = n->kind == NODE_UNARY && n->op <= OP_PREDEC;
    if (is_strange(n))
        return false;
    if (n->kind == NODE_ASSIGN || step) {
        const struct decl *d = root(n->kid[0], &at);
        if (!d || !is_counter(l, at) || l->n == MOST_STORED)
            return false;
        l->stored[l->n++] = d;
    }
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !stores_at_counter(l, n->kid[i]))
            return false;
    return true;
}

/* Are the noted arrays named with i only? */
static bool reads_at_counter(const struct look *l, const struct node *n)
{
    bool part = n->kind == NODE_NAME || n->kind == NODE_INDEX || n->kind == NODE_MEMBER;
    const struct node *at;
    const struct decl *d = part ? root(n, &at) : NULL;
    if (part && (!d || (is_stored(l, d) && !is_counter(l, at))))
        return false;
    for (; part && n->kind != NODE_NAME; n = n->kid[0]) /* its subscripts */
        if (n->kind == NODE_INDEX && !reads_at_counter(l, n->kid[1]))
            return false;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && !reads_at_counter(l, n->kid[i]))
            return false;
    return true;
}

bool form_is_independent(const struct form *f, const struct node *test, const struct node *body)
{
    const struct node *i = f->i.place;
    struct look l = {.counter = i->kind == NODE_NAME ? i->u.decl : NULL};
    return l.counter && !l.counter->is_static && stores_at_counter(&l, body) &&
           stores_at_counter(&l, test) && reads_at_counter(&l, body) && reads_at_counter(&l, test);
}
