/* Traps: what tells whether code runs that nobody saw running, and changes nothing else. */
#include "vary/private.h"

/* The nearest statement around it that never ran and may be replaced; NULL: none. */
static struct node *replaceable(const struct vary *v, struct node *n)
{
    for (; n; n = v->parent[n->id]) {
        uint8_t place = v->place[n->id];
        bool whole = v->function[n->id] && v->function[n->id]->body == n;
        if (!(place & PLACE_DEAD) || whole)
            return NULL;
        if (place & PLACE_LOOSE && lang_node_info[n->kind].class == NODE_CLASS_STMT)
            return n;
    }
    return NULL;
}

/* { volatile int x = 0; if (!x) __builtin_trap(); statement }: the statement stays, and compilers
 * have to think that it runs. */
static struct node *trapped(struct vary *v, struct node *statement)
{
    struct program *p = v->p;
    struct type *t = lang_basic(p, TYPE_INT);
    struct decl *x = vary_fresh_variable(v, lang_qualified(p, t, QUAL_VOLATILE));
    struct node *call = lang_call(p, lang_name(p, lang_builtin(p, "__builtin_trap")), NULL, 0);
    struct node *kids[] = {lang_unary(p, OP_LNOT, lang_name(p, x)),
                           lang_node(p, NODE_EXPR_STMT, &call, 1), NULL};
    struct node *all[] = {lang_declare(p, x, vary_int_constant(v, 0, t)),
                          lang_node(p, NODE_IF, kids, 3), vary_twin(v, statement)};
    return vary_block_of(v, all, 3);
}

bool vary_trap(struct vary *v, const struct edit *edit, struct edit *out)
{
    struct node *at = replaceable(v, v->p->nodes[edit->node]);
    if (at)
        *out = (struct edit){EDIT_REPLACE, at->id, trapped(v, at)};
    return at != NULL;
}
