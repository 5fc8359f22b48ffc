/* Passes on control flow: branches, loops, labels, braces. */
#include "reduce/private.h"

/* Which way did the condition always go?  0: both, or unknown; 1: true; -1: false. */
static int way_of(const struct pass *p, const struct node *condition)
{
    struct machine_fact f = subject_fact(p->s, p->v, condition);
    if (!f.is_condition || (f.taken && f.untaken) || f.taken + f.untaken == 0)
        return 0;
    return f.taken ? 1 : -1;
}

static void offer_lift(struct pass *p, const struct node *n, const struct node *inner)
{
    pass_begin(p);
    pass_lift(p, n, inner, "", "");
    pass_end(p);
}

/* What a condition does besides may be all that matters. */
static void offer_condition(struct pass *p, const struct node *n, const struct node *condition)
{
    if (!condition || condition->begin >= condition->end)
        return;
    pass_begin(p);
    pass_lift(p, n, condition, "", ";");
    pass_end(p);
}

/* Its body, whichever case it is: labels and breaks go with the head. */
static void offer_switch_body(struct pass *p, const struct node *n)
{
    const struct switch_info *info = n->u.switch_;
    pass_begin(p);
    pass_lift(p, n, n->kid[1], "", "");
    for (uint32_t i = 0; i < info->count; i++)
        pass_patch(p, info->cases[i]->begin, info->cases[i]->kid[2]->begin, "");
    if (info->default_)
        pass_patch(p, info->default_->begin, info->default_->kid[0]->begin, "");
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *leave = p->v->order.at[i];
        if (leave->kind == NODE_BREAK && leave->u.target == n)
            pass_replace(p, leave, ";");
    }
    pass_end(p);
}

/* An if by the branch that was taken, or by its condition; a switch by its body. */
void pass_BRANCHES(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        if (n->kind == NODE_SWITCH)
            offer_switch_body(p, n);
        if (n->kind != NODE_IF)
            continue;
        int way = way_of(p, n->kid[0]);
        if (way < 0 && !n->kid[2])
            pass_offer_drop(p, n);
        else
            offer_lift(p, n, way < 0 ? n->kid[2] : n->kid[1]);
        if (n->kid[1]->kind == NODE_EMPTY && !n->kid[2])
            offer_condition(p, n, n->kid[0]);
    }
}

void pass_ELSES(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        if (n->kind != NODE_IF || !n->kid[2])
            continue;
        if (way_of(p, n->kid[0]) >= 0)
            offer_lift(p, n, n->kid[2]);
        pass_begin(p);
        pass_patch(p, n->kid[1]->end, n->end, "");
        pass_end(p);
    }
}

/* Leaves what runs before it and its body, without the head. */
void pass_LOOPS(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        bool whiles = n->kind == NODE_WHILE || n->kind == NODE_DO;
        if (whiles)
            offer_lift(p, n, n->kid[n->kind == NODE_WHILE]);
        if (whiles && n->kid[n->kind == NODE_WHILE]->kind == NODE_EMPTY)
            offer_condition(p, n, n->kid[n->kind == NODE_DO]);
        if (n->kind != NODE_FOR)
            continue;
        offer_lift(p, n, n->kid[3]);
        for (uint32_t k = 1; k < 3; k++)
            if (n->kid[k])
                pass_offer(p, n->kid[k], "");
        if (!n->kid[0])
            continue;
        pass_offer(p, n->kid[0], p->v->text[n->kid[0]->end - 1] == ';' ? ";" : "");
        pass_begin(p);
        pass_patch(p, n->begin, n->kid[0]->begin, "{");
        pass_patch(p, n->kid[0]->end, n->kid[3]->begin, ";");
        pass_patch(p, n->kid[3]->end, n->end, "}");
        pass_end(p);
    }
}

/* ---- labels and braces ------------------------------------------------------------------ */

static bool declares(const struct node *block)
{
    for (uint32_t i = 0; i < block->count; i++)
        if (lang_node_info[block->kid[i]->kind].class == NODE_CLASS_DECL)
            return true;
    return false;
}

/* A block in a block, or around one statement. */
static bool is_needless(const struct view *v, const struct node *n)
{
    const struct node *up = v->parent[n->id];
    if (n->kind != NODE_BLOCK || !view_is_stmt(up))
        return false;
    return up->kind == NODE_BLOCK || (n->count == 1 && !declares(n));
}

static void offer_contents(struct pass *p, const struct node *block)
{
    pass_begin(p);
    if (block->count == 0) {
        pass_drop(p, block);
    } else {
        pass_patch(p, block->begin, block->kid[0]->begin, "");
        pass_patch(p, block->kid[block->count - 1]->end, block->end, "");
    }
    pass_end(p);
}

void pass_LABELS(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        if (n->kind == NODE_LABEL || n->kind == NODE_DEFAULT)
            offer_lift(p, n, n->kid[0]);
        else if (n->kind == NODE_CASE)
            offer_lift(p, n, n->kid[2]);
        else if (n->kind == NODE_EMPTY && view_stands_free(p->v, n))
            pass_offer_drop(p, n);
        else if (is_needless(p->v, n))
            offer_contents(p, n);
    }
}
