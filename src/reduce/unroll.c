/* A loop by as many copies of its body as it had turns, or by its last turn alone.  Takes the
 * counts from the facts; offers nothing that could not be shorter than the loop, and nothing where
 * break, continue or a label would change its meaning. */
#include "reduce/private.h"

#include <stdlib.h>
#include <string.h>

enum { TURNS_MOST = 8 };

/* A loop that counts: the variable is at `from`, then `step` further each turn. */
struct counter {
    const struct decl *variable;
    long long from, step;
};

/* How often the body ran each time that the loop was reached; 0: not the same each time, or
 * unknown. */
static uint64_t turns_of(const struct pass *p, const struct node *loop, const struct node *body)
{
    struct machine_fact all = subject_fact(p->s, p->v, body);
    struct machine_fact entered = subject_fact(p->s, p->v, loop);
    return entered.count && all.count % entered.count == 0 ? all.count / entered.count : 0;
}

static bool can_copy(const struct pass *p, const struct node *body)
{
    static const uint8_t never[] = {NODE_BREAK, NODE_CONTINUE, NODE_LABEL,
                                    NODE_CASE,  NODE_DEFAULT,  NODE_GOTO};
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        for (size_t k = 0; k < LENGTH(never); k++)
            if (n->kind == never[k] && n->begin >= body->begin && n->end <= body->end)
                return false;
    }
    return true;
}

static bool constant_of(const struct pass *p, const struct node *n, long long *value)
{
    u128 bits;
    if (!lang_is_integer(n->type) || !lang_constant(p->v->p, n, &bits))
        return false;
    *value = (long long)(int64_t)bits;
    return *value >= INT32_MIN && *value <= INT32_MAX;
}

/* `i = 3` or `int i = 3`. */
static bool read_start(const struct pass *p, const struct node *n, struct counter *c)
{
    const struct node *value = NULL;
    if (n->kind == NODE_EXPR_STMT)
        n = n->kid[0];
    n = view_written((struct node *)n);
    if (n->kind == NODE_DECL && n->count == 1 && n->kid[0]->count && n->kid[0]->kid[0]) {
        c->variable = n->kid[0]->u.declarator->decl;
        value = n->kid[0]->kid[0];
    } else if (n->kind == NODE_ASSIGN && n->op == OP_ASSIGN &&
               view_written(n->kid[0])->kind == NODE_NAME) {
        c->variable = view_written(n->kid[0])->u.decl;
        value = n->kid[1];
    }
    return value && constant_of(p, value, &c->from);
}

/* `i++`, `--i`, `i += 3`. */
static bool read_step(const struct pass *p, const struct node *n, struct counter *c)
{
    n = view_written((struct node *)n);
    const struct node *place = n->count ? view_written(n->kid[0]) : NULL;
    if (!place || place->kind != NODE_NAME || place->u.decl != c->variable)
        return false;
    if (n->kind == NODE_UNARY && (n->op == OP_POSTINC || n->op == OP_PREINC))
        c->step = 1;
    else if (n->kind == NODE_UNARY && (n->op == OP_POSTDEC || n->op == OP_PREDEC))
        c->step = -1;
    else if (n->kind != NODE_ASSIGN || (n->op != OP_ADD && n->op != OP_SUB) ||
             !constant_of(p, n->kid[1], &c->step))
        return false;
    else if (n->op == OP_SUB)
        c->step = -c->step;
    return true;
}

/* [begin, end) of the text, the counter's name replaced by its value. */
static void put_turn(const struct pass *p, const struct node *body, const struct counter *c,
                     long long value, struct text *out)
{
    const struct tokens *t = &p->v->tokens;
    uint32_t at = body->begin;
    const struct list *names = &p->v->names[c->variable->id];
    for (uint32_t i = tokens_at(t, body->begin); i < t->n && t->at[i].begin < body->end; i++)
        for (size_t k = 0; k < names->n; k++) {
            const struct node *name = names->at[k];
            if (name->begin != t->at[i].begin)
                continue;
            text_add(out, p->v->text + at, t->at[i].begin - at);
            text_printf(out, value < 0 ? "(%lld)" : "%lld", value);
            at = t->at[i].end;
        }
    text_add(out, p->v->text + at, body->end - at);
    text_putc(out, ' ');
}

/* The turns first .. last-1 as copies; without a counter they are all alike. */
static void offer_copies(struct pass *p, const struct node *loop, const struct node *body,
                         const struct counter *c, uint64_t first, uint64_t last)
{
    struct text out = {0};
    text_puts(&out, "{ ");
    for (uint64_t i = first; i < last; i++)
        if (c)
            put_turn(p, body, c, c->from + (long long)i * c->step, &out);
        else
            text_add(&out, p->v->text + body->begin, body->end - body->begin);
    text_puts(&out, " }");
    pass_offer(p, loop, text_str(&out));
    text_free(&out);
}

static bool could_be_shorter(const struct pass *p, const struct node *loop, const struct node *body,
                             uint64_t turns)
{
    const struct tokens *t = &p->v->tokens;
    uint64_t whole = tokens_at(t, loop->end) - tokens_at(t, loop->begin);
    uint64_t once = tokens_at(t, body->end) - tokens_at(t, body->begin);
    return turns > 1 && turns <= TURNS_MOST && turns * once <= whole + 2 * turns;
}

static bool find_counter(const struct pass *p, const struct node *loop, struct counter *c)
{
    return loop->kind == NODE_FOR && loop->kid[0] && loop->kid[2] &&
           read_start(p, loop->kid[0], c) && read_step(p, loop->kid[2], c);
}

void pass_UNROLL(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        if (n->kind != NODE_FOR && n->kind != NODE_WHILE && n->kind != NODE_DO)
            continue;
        const struct node *body = n->kid[n->kind == NODE_FOR ? 3 : n->kind == NODE_WHILE];
        uint64_t turns = turns_of(p, n, body);
        struct counter c = {0};
        if (could_be_shorter(p, n, body, turns) && can_copy(p, body))
            offer_copies(p, n, body, find_counter(p, n, &c) ? &c : NULL, 0, turns);
    }
}

/* What the turns before it did may not matter, and its counter is largest there. */
void pass_TURNS(struct pass *p)
{
    for (size_t i = 0; i < p->v->order.n; i++) {
        const struct node *n = p->v->order.at[i];
        struct counter c = {0};
        uint64_t turns = n->kind == NODE_FOR ? turns_of(p, n, n->kid[3]) : 0;
        if (turns > 1 && turns < INT32_MAX && find_counter(p, n, &c) && can_copy(p, n->kid[3]))
            offer_copies(p, n, n->kid[3], &c, turns - 1, turns);
    }
}
