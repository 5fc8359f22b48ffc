/* Passes on expressions: by a known value, an operand, 0 or 1. */
#include "reduce/private.h"

static bool has_effect(const struct node *n)
{
    if (n->kind == NODE_CALL || n->kind == NODE_STMT_EXPR || view_is_store(n))
        return true;
    for (uint32_t i = 0; i < n->count; i++)
        if (n->kid[i] && has_effect(n->kid[i]))
            return true;
    return false;
}

/* With the value in its place nothing changes, unless the expression does more than have it. */
static void offer_known(struct pass *p, bool effects)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        struct node *n = p->v->order.at[i];
        if (!view_is_value(p->v, n) || view_is_constant(n) || has_effect(n) != effects)
            continue;
        const char *known = subject_constant(p->s, p->v, n, &p->h->arena);
        if (known)
            pass_offer(p, n, known);
    }
}

void pass_VALUES(struct pass *p)
{
    offer_known(p, false);
}

void pass_EFFECTS(struct pass *p)
{
    offer_known(p, true);
}

/* Could another value of the operand, which is the index-th, make the operation undefined? */
static bool is_brittle(const struct view *v, const struct node *n, uint32_t index)
{
    if (n->kind == NODE_INDEX)
        return lang_is_integer(n->kid[index]->type);
    if (n->kind != NODE_BINARY && n->kind != NODE_ASSIGN)
        return false;
    bool is_signed = lang_is_integer(n->type) && lang_int_signed(v->p, n->type);
    switch (n->op) {
    case OP_SHL:
    case OP_SHR:
    case OP_DIV:
    case OP_REM:
        return index == 1;
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
        return is_signed || !lang_is_integer(n->type);
    default:
        return false;
    }
}

/* Before statements go: the values of variables are others then, and what shifts, divides or
 * indexes by them would keep all of them in the program. */
void pass_SETTLE(struct pass *p)
{
    const struct view *v = p->v;
    for (size_t i = 0; i < v->order.n; i++) {
        const struct node *n = v->order.at[i];
        for (uint32_t k = 0; k < n->count && k < 2; k++) {
            struct node *operand = n->kid[k] ? view_written(n->kid[k]) : NULL;
            if (!operand || !is_brittle(v, n, k) || !view_is_value(v, operand) ||
                view_is_constant(operand) || has_effect(operand))
                continue;
            const char *known = subject_constant(p->s, v, operand, &p->h->arena);
            if (known)
                pass_offer(p, operand, known);
        }
    }
}

static void offer_number(struct pass *p, const char *number)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        struct node *n = p->v->order.at[i];
        if (view_is_value(p->v, n) && !view_is_constant(n))
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

/* x of *&x. */
static const struct node *pointed_at(const struct node *n)
{
    const struct node *kid = n->kind == NODE_UNARY && n->op == OP_DEREF ? view_written(n->kid[0])
                                                                        : NULL;
    return kid && kid->kind == NODE_UNARY && kid->op == OP_ADDR ? kid->kid[0] : NULL;
}

void pass_LEFTS(struct pass *p)
{
    offer_operands(p, false);
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i], *kid = pointed_at(n);
        if (n->kind == NODE_COND && n->kid[1])
            kid = n->kid[0];
        if (!kid || kid->begin >= kid->end)
            continue;
        pass_begin(p);
        pass_lift(p, n, kid, "(", ")");
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

/* ---- neighbours ------------------------------------------------------------------------- */

static bool is_arithmetic_variable(const struct node *n)
{
    bool variable = n->kind == NODE_NAME &&
                    (n->u.decl->kind == DECL_VAR || n->u.decl->kind == DECL_PARAM);
    return variable && n->u.decl->name && lang_is_arithmetic(n->type);
}

/* What it takes declarations to write. */
static bool is_far(const struct node *n)
{
    bool access = n->kind == NODE_MEMBER || n->kind == NODE_INDEX || n->kind == NODE_CALL ||
                  (n->kind == NODE_UNARY && n->op == OP_DEREF);
    return access && lang_is_arithmetic(n->type) && n->begin < n->end;
}

/* What is reached through pointers, structures and calls, by the variable that was named last:
 * where the value does not matter, nothing else is needed to have one. */
void pass_NEIGHBOURS(struct pass *p)
{
    const struct node *last = NULL;
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        if (n->kind == NODE_FUNCTION)
            last = NULL;
        if (is_arithmetic_variable(n))
            last = n;
        else if (last && is_far(n))
            pass_offer(p, n, last->u.decl->name);
    }
}
