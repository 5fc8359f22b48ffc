/* Passes on expressions: by a known value, an operand, 0 or 1. */
#include "reduce/private.h"

/* Is it used for its value, so that a constant may stand in its place? */
static bool is_value(const struct view *v, struct node *n)
{
    if (!view_is_expr(n) || n->flags & NODE_IMPLICIT || n->begin >= n->end)
        return false;
    struct node *up = v->parent[n->id], *top = view_value(v, n);
    if (!up || n->kind == NODE_INIT || n->kind == NODE_DESIGNATED || !lang_is_scalar(top->type))
        return false;
    if (n->flags & NODE_LVALUE)
        return up->kind == NODE_CAST && up->flags & NODE_IMPLICIT && up->op == CONV_LVALUE;
    return up->kind != NODE_EXPR_STMT && !(up->kind == NODE_CAST && up->op == CONV_VOID);
}

static bool is_constant(const struct node *n)
{
    if (n->kind == NODE_UNARY && n->op == OP_NEG)
        return is_constant(n->kid[0]);
    return n->kind == NODE_INT || n->kind == NODE_FLOAT || n->kind == NODE_STRING;
}

void pass_VALUES(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        struct node *n = p->v->order.at[i];
        if (!is_value(p->v, n) || is_constant(n))
            continue;
        const char *known = subject_constant(p->s, p->v, n, &p->h->arena);
        if (known)
            pass_offer(p, n, known);
    }
}

static void offer_number(struct pass *p, const char *number)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        struct node *n = p->v->order.at[i];
        if (is_value(p->v, n) && !is_constant(n))
            pass_offer(p, n, number);
    }
}

void pass_ZEROS(struct pass *p)
{
    offer_number(p, "0");
}

void pass_ONES(struct pass *p)
{
    offer_number(p, "1");
}

/* ---- operands --------------------------------------------------------------------------- */

/* An operand that could stand for the whole; NULL when there is none. */
static struct node *operand_of(const struct pass *p, const struct node *n, bool last)
{
    switch (n->kind) {
    case NODE_UNARY:
        return n->kid[0];
    case NODE_CAST:
        return n->flags & NODE_IMPLICIT ? NULL : n->kid[0];
    case NODE_BINARY:
    case NODE_ASSIGN:
        return n->kid[last];
    case NODE_INDEX:
        return last ? n->kid[1] : NULL;
    case NODE_COND:
        if (!n->kid[1])
            return n->kid[last ? 2 : 0];
        return n->kid[last == subject_ran(p->s, p->v, n->kid[1]) ? 2 : 1];
    case NODE_CALL:
        return n->count > 1 ? n->kid[last ? n->count - 1 : 1] : NULL;
    default:
        return NULL;
    }
}

static void offer_operands(struct pass *p, bool last)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        struct node *n = p->v->order.at[i];
        if (!view_is_expr(n) || n->begin >= n->end)
            continue;
        const struct node *kid = operand_of(p, n, last);
        if (!kid || kid->begin >= kid->end || (last && n->kind == NODE_UNARY))
            continue;
        pass_begin(p);
        pass_lift(p, n, kid, "(", ")");
        pass_end(p);
    }
}

void pass_LEFTS(struct pass *p)
{
    offer_operands(p, false);
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        if (n->kind != NODE_COND || !n->kid[1] || n->kid[0]->begin >= n->kid[0]->end)
            continue;
        pass_begin(p);
        pass_lift(p, n, n->kid[0], "(", ")");
        pass_end(p);
    }
}

void pass_RIGHTS(struct pass *p)
{
    offer_operands(p, true);
}

/* x op= y by x = y; a comparison by one that is shorter. */
void pass_OPERATORS(struct pass *p)
{
    const struct tokens *t = &p->v->tokens;
    for (uint32_t i = 0; i < t->n; i++) {
        const char *at = p->v->text + t->at[i].begin;
        uint32_t n = t->at[i].end - t->at[i].begin;
        bool compares = n == 2 && (*at == '<' || *at == '>' || *at == '=' || *at == '!');
        if (t->at[i].kind != TOKEN_MARK || n < 2 || at[n - 1] != '=')
            continue;
        pass_begin(p);
        pass_patch(p, t->at[i].begin, t->at[i].end,
                   !compares                  ? "="
                   : *at == '<' || *at == '>' ? (const char[]){*at, 0}
                                              : "-");
        pass_end(p);
    }
}
